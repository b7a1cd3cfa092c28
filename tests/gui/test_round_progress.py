"""The pulse of a round in the window: on the Rounds page, and under the clock that the room sees."""

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
from tdapp.gui.shell.round_clock import RoundClockService, RoundProgressTimer
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.i18n.slides import DisplayView
from tdapp.storage import Store
from tests.gui.samples import make_tournament
from tests.gui.test_screens_paint import painted
from tests.gui.windows import get_page, press, show_window

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
ROUND = 45  # minutes, by the round clock


class Day:
    """A time of day that the test turns, for the journal and for the round clock."""

    def __init__(self) -> None:
        self.minute = 0

    @property
    def now(self) -> datetime:
        return START + timedelta(minutes=self.minute)

    def stamp(self) -> str:
        return self.now.isoformat()

    def wall(self) -> float:
        return self.now.timestamp()


@pytest.fixture
def day() -> Day:
    return Day()


@pytest.fixture
def window(empty_session: Session, day: Day, qtbot: QtBot) -> Window:
    """A window on eight players whose first round is published at nine."""
    empty_session.attach_desk(Desk(Store.create_in_memory(make_tournament(players=8)), clock=day.stamp))
    clock = RoundClockService.get_for(empty_session)
    clock.wall = day.wall
    clock.set_length(ROUND * 60)
    window = show_window(empty_session, qtbot, "rounds")
    press(window, Qt.Key.Key_F6)
    press(window, Qt.Key.Key_F9)
    return window


def hour(day: Day, minute: int) -> str:
    return (START + timedelta(minutes=minute)).astimezone().strftime("%H:%M")


def note(window: Window) -> str:
    page = get_page(window, RoundsPage)
    return next(one.accessibleName() for one in page.findChildren(QLabel) if "tables" in one.accessibleName())


def enter(window: Window, day: Day, tables: dict[int, int]) -> None:
    session = window.session
    assert session.round is not None
    for table, minute in tables.items():
        day.minute = minute
        game = session.index.game(session.round.id, table)
        session.do(partial(commands.enter_result, game=game.id, first=400, second=390), quiet=True)


@pytest.mark.styled
def test_round_pulse_shows_last_result_slow_tables_and_end(window: Window, day: Day) -> None:
    over = hour(day, ROUND)
    assert note(window).endswith(f"4 tables · expected to finish at {over}")
    before = get_page(window, RoundsPage).view.geometry()
    enter(window, day, {1: 20, 2: 22})
    assert note(window).endswith(f"4 tables · last result at {hour(day, 22)} · expected to finish at {over}")
    day.minute = 27
    RoundProgressTimer.get_for(window.session).beat.emit()
    assert f"last result at {hour(day, 22)} · slow tables: 3–4 · expected to finish" in note(window)
    assert get_page(window, RoundsPage).view.geometry() == before, "nothing moves"
    enter(window, day, {3: 28, 4: 40})
    assert note(window).endswith(f"4 tables · last result at {hour(day, 40)}")
    assert "probably" not in note(window)


def test_clock_slide_shows_the_progress_of_the_round(window: Window, day: Day) -> None:
    show = SlideShow.get_for(window.session)
    show.add_viewer()
    show.show_view(DisplayView.CLOCK)
    over = hour(day, ROUND)
    assert show.scene.time.note == f"0 of 4 results · expected to finish at {over}"
    enter(window, day, {1: 20})
    assert show.scene.time.note == f"1 of 4 results · expected to finish at {over}"
    scene = show.scene
    empty_scene = SlideScene(
        scene.slide, type(scene.time)(scene.time.text, scene.time.state, scene.time.state_text)
    )
    size = QSize(1280, 720)
    assert painted(scene, (size.width(), size.height())) != painted(empty_scene, (size.width(), size.height()))
    show.show_view(DisplayView.TABLES)
    assert show.scene.time.note == "", "other pages have it not"
    show.remove_viewer()


@pytest.mark.slow
def test_round_pulse_is_hidden_in_a_past_window(window: Window, day: Day) -> None:
    enter(window, day, {1: 20})
    past = window.session.make_past_session()
    past.attach_desk(Desk(Store.create_in_memory(window.session.tournament, read_only=True)))
    page = RoundsPage(past)
    page.refresh_page()
    said = [one.accessibleName() for one in page.findChildren(QLabel)]
    assert any("4 tables" in one for one in said)
    assert not any("last result" in one for one in said)
    page.deleteLater()
