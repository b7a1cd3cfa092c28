"""Tests of the progress note of a round, on the Rounds page and on the clock slide."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.screens.paint import SlideScene
from tdapp.gui.screens.slideshow import SlideShow
from tdapp.gui.shell.round_clock import RoundClockService, RoundProgressService
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.i18n.slides import DisplayView
from tdapp.storage import Store
from tests.gui.samples import A, make_tournament
from tests.gui.test_screens_paint import paint_scene
from tests.gui.windows import get_page, press_key, show_window

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
ROUND_LENGTH = 45  # minutes, by the round clock


class FakeTime:
    """A time of day for the journal and the round clock, set by the test."""

    def __init__(self) -> None:
        self.minute = 0

    @property
    def current_time(self) -> datetime:
        return START + timedelta(minutes=self.minute)

    def format_time(self) -> str:
        return self.current_time.isoformat()

    def get_timestamp(self) -> float:
        return self.current_time.timestamp()


@pytest.fixture
def fake_time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def window(empty_session: Session, fake_time: FakeTime, qtbot: QtBot) -> Window:
    """Return a window on eight players. Their first round was published at nine."""
    empty_session.open_tournament_of_desk(
        Desk(Store.create_in_memory(make_tournament(players=8)), clock=fake_time.format_time)
    )
    clock = RoundClockService.get_or_make_service(empty_session)
    clock.wall = fake_time.get_timestamp
    clock.set_length(ROUND_LENGTH * 60)
    window = show_window(empty_session, qtbot, "rounds")
    press_key(window, Qt.Key.Key_F6)
    press_key(window, Qt.Key.Key_F9)
    return window


def format_local_time(minute: int) -> str:
    return (START + timedelta(minutes=minute)).astimezone().strftime("%H:%M")


def read_progress_note(window: Window) -> str:
    page = get_page(window, RoundsPage)
    return next(
        label.accessibleName() for label in page.findChildren(QLabel) if "tables" in label.accessibleName()
    )


def enter_results(window: Window, fake_time: FakeTime, tables: dict[int, int]) -> None:
    session = window.session
    assert session.round is not None
    for table, minute in tables.items():
        fake_time.minute = minute
        game = session.index.get_game(session.round.id, table)
        session.do(partial(commands.enter_result, game=game.id, first=400, second=390), quiet=True)


@pytest.mark.styled
def test_round_progress_shows_last_result_slow_tables_and_end(window: Window, fake_time: FakeTime) -> None:
    expected_end = format_local_time(ROUND_LENGTH)
    assert read_progress_note(window).endswith(f"4 tables · expected to finish at {expected_end}")
    before = get_page(window, RoundsPage).view.geometry()
    enter_results(window, fake_time, {1: 20, 2: 22})
    assert read_progress_note(window).endswith(
        f"4 tables · last result at {format_local_time(22)} · expected to finish at {expected_end}"
    )
    fake_time.minute = 27
    RoundProgressService.get_or_make_service(window.session).beat.emit()
    note = read_progress_note(window)
    assert f"last result at {format_local_time(22)} · slow tables: 3–4 · expected to finish" in note
    assert get_page(window, RoundsPage).view.geometry() == before, "the table moved"
    enter_results(window, fake_time, {3: 28, 4: 40})
    assert read_progress_note(window).endswith(f"4 tables · last result at {format_local_time(40)}")
    assert "probably" not in read_progress_note(window)


def test_round_progress_counts_from_the_planned_start(window: Window) -> None:
    planned_start = START.astimezone() + timedelta(minutes=60)
    edit_event = partial(commands.edit_event, date=planned_start.date().isoformat())
    set_times = partial(commands.set_times, division=A, times=planned_start.strftime("%H:%M +65"))
    for command in (set_times, edit_event):  # a tournament without a date is played today
        window.session.do(command)
        assert f"expected to finish at {format_local_time(60 + ROUND_LENGTH)}" in read_progress_note(window)


def test_clock_slide_shows_the_progress_of_the_round(window: Window, fake_time: FakeTime) -> None:
    slide_show = SlideShow.get_or_make_service(window.session)
    slide_show.increment_visible_canvas_count()
    slide_show.show_view(DisplayView.CLOCK)
    expected_end = format_local_time(ROUND_LENGTH)
    assert slide_show.scene.time.note == f"0 of 4 results · expected to finish at {expected_end}"
    enter_results(window, fake_time, {1: 20})
    assert slide_show.scene.time.note == f"1 of 4 results · expected to finish at {expected_end}"
    scene = slide_show.scene
    empty_scene = SlideScene(
        scene.slide, type(scene.time)(scene.time.text, scene.time.state, scene.time.state_text)
    )
    size = QSize(1280, 720)
    assert paint_scene(scene, (size.width(), size.height())) != paint_scene(
        empty_scene, (size.width(), size.height())
    )
    slide_show.show_view(DisplayView.TABLES)
    assert slide_show.scene.time.note == "", "a slide without a clock shows a note"
    slide_show.decrement_visible_canvas_count()


@pytest.mark.slow
def test_round_progress_is_hidden_in_a_past_window(window: Window, fake_time: FakeTime) -> None:
    enter_results(window, fake_time, {1: 20})
    past_session = window.session.make_past_state_session()
    past_session.open_tournament_of_desk(Desk(Store.create_in_memory(window.session.tournament, read_only=True)))
    page = RoundsPage(past_session)
    page.refresh_page()
    label_names = [label.accessibleName() for label in page.findChildren(QLabel)]
    assert any("4 tables" in name for name in label_names)
    assert not any("last result" in name for name in label_names)
    page.deleteLater()
