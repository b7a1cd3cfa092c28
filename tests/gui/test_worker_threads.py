"""Work on other threads: in order on the desk's, announced when slow, unused when cancelled."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import SessionWorker
from tdapp.services.worker import BackgroundTask, TaskStopped


@pytest.fixture
def work(qtbot: QtBot) -> Iterator[SessionWorker]:
    made = SessionWorker()
    yield made
    made.close()


def fail(error: Exception) -> None:
    raise error


def test_run_in_order_runs_elsewhere_and_answers_here(work: SessionWorker, qtbot: QtBot) -> None:
    seen: list[tuple[int, bool, bool]] = []
    here = threading.get_ident()
    for number in range(50):
        work.run_in_order(
            lambda number=number: (number, threading.get_ident() != here),  # type: ignore[misc]
            on_success=lambda answer: seen.append((*answer, threading.get_ident() == here)),
            on_error=fail,
        )
    qtbot.waitUntil(lambda: len(seen) == 50)
    assert seen == [(number, True, True) for number in range(50)]


def test_run_in_order_delivers_an_exception(work: SessionWorker, qtbot: QtBot) -> None:
    caught: list[Exception] = []
    work.run_in_order(lambda: 1 // 0, on_success=lambda _value: None, on_error=caught.append)
    qtbot.waitUntil(lambda: bool(caught))
    assert isinstance(caught[0], ZeroDivisionError)


def test_run_in_background_announces_slow_work(work: SessionWorker, qtbot: QtBot) -> None:
    told: list[BackgroundTask | None] = []
    done: list[str] = []
    go = threading.Event()
    work.busy.connect(told.append)
    work.run_in_background(
        lambda: go.wait(10), on_success=lambda _value: done.append("done"), on_error=fail, label="Pairing"
    )
    qtbot.waitUntil(lambda: bool(told))
    assert told[0] is not None
    assert told[0].label == "Pairing"
    go.set()
    qtbot.waitUntil(lambda: done == ["done"])
    assert told[-1] is None


def test_run_in_background_without_label_shows_nothing(work: SessionWorker, qtbot: QtBot) -> None:
    told: list[BackgroundTask | None] = []
    done: list[str] = []
    go = threading.Event()
    work.busy.connect(told.append)
    work.run_in_background(
        lambda: go.wait(10), on_success=lambda _value: done.append("pairing"), on_error=fail, label="Pairing"
    )
    work.run_in_background(lambda: None, on_success=lambda _value: done.append("quiet"), on_error=fail, label="")
    qtbot.waitUntil(lambda: done == ["quiet"])
    qtbot.waitUntil(lambda: bool(told))
    go.set()
    qtbot.waitUntil(lambda: done == ["quiet", "pairing"])
    assert [task.label if task else "" for task in told] == ["Pairing", ""]


def test_run_in_background_drops_the_value_of_cancelled_work(work: SessionWorker, qtbot: QtBot) -> None:
    used: list[bool] = []
    ended: list[object] = []
    go = threading.Event()
    work.busy.connect(ended.append)
    task = work.run_in_background(lambda: go.wait(10), on_success=used.append, on_error=fail, label="Pairing")
    task.cancel_work()
    go.set()
    qtbot.waitUntil(lambda: None in ended)
    assert used == []


def test_run_in_order_inline_answers_before_it_returns(qtbot: QtBot) -> None:
    assert qtbot is not None
    seen: list[int] = []
    SessionWorker(inline=True).run_in_order(lambda: 7, on_success=seen.append, on_error=fail)
    assert seen == [7]


def test_run_in_background_ends_cancelled_work_at_its_next_report(work: SessionWorker, qtbot: QtBot) -> None:
    used: list[object] = []
    ended: list[bool] = []
    begun = threading.Event()
    task = BackgroundTask("Reading")

    def count() -> None:
        for number in range(10**9):
            task.report_progress(number, 10**9)
            begun.set()

    work.run_in_background(
        count,
        on_success=used.append,
        on_error=used.append,
        label="Reading",
        task=task,
        on_stop=lambda: ended.append(True),
    )
    qtbot.waitUntil(begun.is_set)
    task.cancel_work()
    qtbot.waitUntil(lambda: bool(ended))
    assert used == []


def test_task_knows_its_progress() -> None:
    task = BackgroundTask("Reading")
    task.report_progress(1, 4)
    assert task.progress == 0.25
    task.report_progress(0, 0)
    assert task.progress == 0.0
    task.cancel_work()
    with pytest.raises(TaskStopped):
        task.report_progress(2, 4)
