"""Tests of the session worker: work in order, work in the background, progress and cancelling."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import SessionWorker
from tdapp.services.worker import BackgroundTask, TaskStopped


@pytest.fixture
def worker(qtbot: QtBot) -> Iterator[SessionWorker]:
    worker = SessionWorker()
    yield worker
    worker.close()


def raise_error(error: Exception) -> None:
    raise error


def test_run_in_order_runs_on_a_worker_and_answers_on_this_thread(worker: SessionWorker, qtbot: QtBot) -> None:
    answers: list[tuple[int, bool, bool]] = []
    own_thread = threading.get_ident()
    for number in range(50):
        worker.run_on_desk_thread(
            lambda number=number: (number, threading.get_ident() != own_thread),  # type: ignore[misc]
            on_success=lambda answer: answers.append((*answer, threading.get_ident() == own_thread)),
            on_error=raise_error,
        )
    qtbot.waitUntil(lambda: len(answers) == 50)
    assert answers == [(number, True, True) for number in range(50)]


def test_run_in_order_delivers_an_exception(worker: SessionWorker, qtbot: QtBot) -> None:
    errors: list[Exception] = []
    worker.run_on_desk_thread(lambda: 1 // 0, on_success=lambda _result: None, on_error=errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], ZeroDivisionError)


def test_run_in_background_emits_busy_for_slow_work(worker: SessionWorker, qtbot: QtBot) -> None:
    tasks: list[BackgroundTask | None] = []
    results: list[str] = []
    release = threading.Event()
    worker.busy.connect(tasks.append)
    worker.run_in_background(
        lambda: release.wait(10),
        on_success=lambda _result: results.append("done"),
        on_error=raise_error,
        label="Pairing",
    )
    qtbot.waitUntil(lambda: bool(tasks))
    assert tasks[0] is not None
    assert tasks[0].label == "Pairing"
    release.set()
    qtbot.waitUntil(lambda: results == ["done"])
    assert tasks[-1] is None


def test_run_in_background_without_label_never_emits_busy(worker: SessionWorker, qtbot: QtBot) -> None:
    tasks: list[BackgroundTask | None] = []
    results: list[str] = []
    release = threading.Event()
    worker.busy.connect(tasks.append)
    worker.run_in_background(
        lambda: release.wait(10),
        on_success=lambda _result: results.append("pairing"),
        on_error=raise_error,
        label="Pairing",
    )
    worker.run_in_background(
        lambda: None, on_success=lambda _result: results.append("quiet"), on_error=raise_error, label=""
    )
    qtbot.waitUntil(lambda: results == ["quiet"])
    qtbot.waitUntil(lambda: bool(tasks))
    release.set()
    qtbot.waitUntil(lambda: results == ["quiet", "pairing"])
    assert [task.label if task else "" for task in tasks] == ["Pairing", ""]


def test_run_in_background_ignores_the_result_of_cancelled_work(worker: SessionWorker, qtbot: QtBot) -> None:
    results: list[bool] = []
    tasks: list[object] = []
    release = threading.Event()
    worker.busy.connect(tasks.append)
    task = worker.run_in_background(
        lambda: release.wait(10), on_success=results.append, on_error=raise_error, label="Pairing"
    )
    task.cancel_work()
    release.set()
    qtbot.waitUntil(lambda: None in tasks)
    assert results == []


def test_run_in_order_inline_answers_before_it_returns(qtbot: QtBot) -> None:
    assert qtbot is not None
    answers: list[int] = []
    SessionWorker(inline=True).run_on_desk_thread(lambda: 7, on_success=answers.append, on_error=raise_error)
    assert answers == [7]


def test_cancel_work_stops_work_at_its_next_progress_report(worker: SessionWorker, qtbot: QtBot) -> None:
    results: list[object] = []
    stops: list[bool] = []
    is_started = threading.Event()
    task = BackgroundTask("Reading")

    def count_forever() -> None:
        for number in range(10**9):
            task.report_progress(number, 10**9)
            is_started.set()

    worker.run_in_background(
        count_forever,
        on_success=results.append,
        on_error=results.append,
        label="Reading",
        task=task,
        on_stop=lambda: stops.append(True),
    )
    qtbot.waitUntil(is_started.is_set)
    task.cancel_work()
    qtbot.waitUntil(lambda: bool(stops))
    assert results == []


def test_background_task_reports_progress_until_cancelled() -> None:
    task = BackgroundTask("Reading")
    task.report_progress(1, 4)
    assert task.progress == 0.25
    task.report_progress(0, 0)
    assert task.progress == 0.0
    task.cancel_work()
    with pytest.raises(TaskStopped):
        task.report_progress(2, 4)
