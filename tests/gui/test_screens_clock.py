"""Tests of the round clock in the window: button, keys, fields, sounds and a restart."""

from __future__ import annotations

import wave
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.journal import Step
from tdapp.domain.round_clock import DEFAULT_LENGTH, ClockState
from tdapp.gui.screens.page import ScreensPage
from tdapp.gui.screens.view_settings import RoundClockBox
from tdapp.gui.shell import round_clock
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.round_clock import (
    OVER_SOUND,
    SOON_SOUND,
    RoundClockButton,
    RoundClockService,
    SoundPlayer,
    get_monotonic_seconds,
)
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.storage import Store
from tests.building import load_rule_set
from tests.gui.samples import make_desk, make_session, make_tournament
from tests.gui.windows import show_window

ENTER = Qt.Key.Key_Return
HOUR = 3600


class FakeClock:
    """A monotonic clock and a time of day, both set by the test."""

    def __init__(self) -> None:
        self.steady_seconds, self.time_of_day = 1000.0, 2_000_000.0

    def __call__(self) -> float:
        return self.steady_seconds

    def get_time_of_day(self) -> float:
        return self.time_of_day

    def advance(self, seconds: float) -> None:
        self.steady_seconds += seconds
        self.time_of_day += seconds


class RecordingSoundPlayer(round_clock.SoundPlayer):
    """Records the names of sounds instead of playing them."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def play_sound(self, name: str) -> None:
        self.names.append(name)

    def stop_sound(self) -> None:
        self.names.append("stop")


@pytest.fixture
def fake_clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def clock(full_session: Session, fake_clock: FakeClock) -> RoundClockService:
    """Return a round clock of one hour that uses the fake clock and records its sounds."""
    return prepare_clock(full_session, fake_clock)


@pytest.fixture
def window(clock: RoundClockService, full_session: Session, qtbot: QtBot) -> Window:
    assert clock is RoundClockService.get_or_make_service(full_session)
    return show_window(full_session, qtbot)


def prepare_clock(session: Session, fake_clock: FakeClock) -> RoundClockService:
    clock = RoundClockService.get_or_make_service(session)
    clock.steady, clock.wall, clock.sounds = fake_clock, fake_clock.get_time_of_day, RecordingSoundPlayer()
    session.opened.emit()
    return clock


def list_sounds(clock: RoundClockService) -> list[str]:
    assert isinstance(clock.sounds, RecordingSoundPlayer)
    return [name for name in clock.sounds.names if name != "stop"]


def get_clock_button(window: Window) -> RoundClockButton:
    (button,) = window.findChildren(RoundClockButton)
    return button


def open_clock_box(window: Window) -> RoundClockBox:
    window.show_page("screens")
    page = window.page
    assert isinstance(page, ScreensPage)
    return page.clock


def enter_text(field: QWidget, text: str) -> None:
    QTest.keyClicks(field, text)
    QTest.keyClick(field, ENTER)


# --- in the top bar


@pytest.mark.slow
def test_clock_button_shows_the_time_and_opens_the_clock(window: Window, clock: RoundClockService) -> None:
    for page_id in PAGES:
        window.show_page(page_id)
        assert get_clock_button(window).isVisible()
        assert get_clock_button(window).text() == "60:00"
    QTest.mouseClick(get_clock_button(window), Qt.MouseButton.LeftButton)
    assert window.page.id == "screens"
    assert QApplication.focusWidget() is open_clock_box(window).toggle_button
    assert clock.state is ClockState.READY


def test_clock_starts_from_any_page(
    window: Window, clock: RoundClockService, fake_clock: FakeClock, qtbot: QtBot
) -> None:
    window.show_page("rounds")
    QTest.keyClick(window, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.page.id == "rounds"
    fake_clock.advance(61)
    qtbot.waitUntil(lambda: get_clock_button(window).text() == "58:59")
    assert "Running" in get_clock_button(window).toolTip()
    window.get_action("clock-toggle").trigger()
    fake_clock.advance(1000)
    assert clock.text == "58:59"
    assert "Paused" in get_clock_button(window).toolTip()


def test_clock_ignores_a_changed_time_of_day(
    window: Window, clock: RoundClockService, fake_clock: FakeClock
) -> None:
    clock.toggle_clock()
    fake_clock.advance(100)
    fake_clock.time_of_day -= 86_400
    assert clock.seconds_left == HOUR - 100


@pytest.mark.slow
def test_clock_button_has_text_and_icon_for_its_state(
    window: Window, clock: RoundClockService, fake_clock: FakeClock, qtbot: QtBot
) -> None:
    def let_time_run_out() -> None:
        clock.toggle_clock()
        fake_clock.advance(300)

    steps: tuple[tuple[Callable[[], object], str], ...] = (
        (partial(clock.add_time, 0), "Not started"),
        (clock.toggle_clock, "Running"),
        (partial(fake_clock.advance, HOUR - 299), "Nearly over"),
        (clock.toggle_clock, "Paused"),
        (let_time_run_out, "Time is up"),
    )
    pictures = set()
    for step, state_text in steps:
        step()
        qtbot.waitUntil(partial(_has_state_text, get_clock_button(window), state_text))
        pictures.add(_read_icon_shape(get_clock_button(window)))
    assert len(pictures) >= 4, "more than two states have the same icon"


def _has_state_text(button: RoundClockButton, state_text: str) -> bool:
    return state_text in button.accessibleDescription()


def _read_icon_shape(button: RoundClockButton) -> bytes:
    """Return the pixels of the icon in black and white."""
    picture = button.grab().toImage()
    background = picture.pixelColor(5, picture.height() // 2).lightness()
    shape = [
        abs(picture.pixelColor(x, y).lightness() - background) > 60
        for x in range(8, 26)
        for y in range(picture.height() // 2 - 9, picture.height() // 2 + 9)
    ]
    return bytes(shape)


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", LANGUAGES, indirect=True)
def test_clock_button_in_every_language(full_session: Session, fake_clock: FakeClock, qtbot: QtBot) -> None:
    clock = prepare_clock(full_session, fake_clock)
    window = show_window(full_session, qtbot)
    clock.toggle_clock()
    fake_clock.advance(HOUR)
    clock.add_time(0)
    assert len(get_clock_button(window).accessibleDescription()) > len("0:00 · ")


# --- by its fields


def test_clock_box_adds_time_by_buttons_and_typing(window: Window, clock: RoundClockService) -> None:
    clock_box = open_clock_box(window)
    clock_box.extra_field.setFocus()
    enter_text(clock_box.extra_field, "5")
    assert clock.text == "65:00"
    enter_text(clock_box.extra_field, "2:30")
    assert clock.text == "67:30"
    page = window.page
    assert isinstance(page, ScreensPage)
    page.setFocus()
    QTest.keyClick(page.canvas, Qt.Key.Key_Plus)
    assert clock.text == "68:30"
    assert clock_box.extra_field.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("text", ["soon", "1:75", "0", "700"])
def test_clock_box_marks_an_invalid_time(window: Window, clock: RoundClockService, text: str) -> None:
    clock_box = open_clock_box(window)
    messages: list[str] = []
    window.session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    enter_text(clock_box.extra_field, text)
    assert clock.text == "60:00"
    assert clock_box.extra_field.text() == text
    assert clock_box.extra_field.property("wrong")
    assert "2:30" in messages[-1]
    QTest.keyClicks(clock_box.extra_field, "3")
    assert not clock_box.extra_field.property("wrong")


@pytest.mark.slow
def test_clock_length_belongs_to_the_tournament(
    window: Window, clock: RoundClockService, fake_clock: FakeClock
) -> None:
    clock_box = open_clock_box(window)
    clock_box.length_field.selectAll()
    enter_text(clock_box.length_field, "45")
    assert clock.text == "45:00"
    clock.toggle_clock()
    fake_clock.advance(60)
    clock_box.length_field.selectAll()
    enter_text(clock_box.length_field, "50")
    assert clock.text == "49:00", "the new length changed the elapsed time"


def test_clock_reset_restores_the_length(window: Window, clock: RoundClockService, fake_clock: FakeClock) -> None:
    clock.toggle_clock()
    clock.add_time(300)
    fake_clock.advance(600)
    window.get_action("clock-reset").trigger()
    assert (clock.text, clock.state) == ("60:00", ClockState.READY)


# --- the length in the rules


def test_clock_length_comes_from_the_rule_set(empty_session: Session, fake_clock: FakeClock, qtbot: QtBot) -> None:
    value = commands.new_tournament(key="n", name="NM", ruleset=load_rule_set("no-nsf"))
    empty_session.open_tournament_of_desk(make_desk(value))
    clock = prepare_clock(empty_session, fake_clock)
    assert clock.text == "70:00"
    window = show_window(empty_session, qtbot)
    assert "2 × 30 minutes" in open_clock_box(window)._length_note.text()
    clock.set_length(1800)
    assert open_clock_box(window)._rules_button.isVisible()
    QTest.mouseClick(open_clock_box(window)._rules_button, Qt.MouseButton.LeftButton)
    assert clock.text == "70:00"


# --- sounds


def test_clock_sounds_five_minutes_before_the_end_and_at_the_end(
    clock: RoundClockService, fake_clock: FakeClock, qtbot: QtBot
) -> None:
    clock.toggle_clock()
    for seconds, expected in (
        (HOUR - 301, []),
        (1, [SOON_SOUND]),
        (200, [SOON_SOUND]),
        (100, [SOON_SOUND, OVER_SOUND]),
        (50, [SOON_SOUND, OVER_SOUND]),
    ):
        fake_clock.advance(seconds)
        qtbot.waitUntil(partial(_is_clock_updated, clock, fake_clock))
        assert list_sounds(clock) == expected
    assert clock.text == "−0:50"


def _is_clock_updated(clock: RoundClockService, fake_clock: FakeClock) -> bool:
    return clock._last_remaining == clock.clock.compute_remaining_seconds(fake_clock.steady_seconds)


def test_clock_stays_muted(window: Window, clock: RoundClockService, fake_clock: FakeClock, qtbot: QtBot) -> None:
    QTest.mouseClick(
        open_clock_box(window).sound_box,
        Qt.MouseButton.LeftButton,
        pos=open_clock_box(window).sound_box.rect().center(),
    )
    if not clock.is_muted:  # the box is at the left end of its label
        open_clock_box(window).sound_box.click()
    assert clock.is_muted
    clock.toggle_clock()
    fake_clock.advance(HOUR + 5)
    qtbot.waitUntil(partial(_is_clock_updated, clock, fake_clock))
    assert list_sounds(clock) == []
    assert not open_clock_box(window).sound_box.isChecked()
    window.get_action("clock-mute").trigger()
    assert open_clock_box(window).sound_box.isChecked()


def make_sound_program(folder: Path, line: str) -> Callable[[str], str]:
    """Return a finder of sound programs that finds only a script with this line of shell."""
    path = folder / "play"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return lambda name: str(path) if name == "aplay" else ""


def test_sound_player_writes_a_file_for_a_player(qapp: QApplication, tmp_path: Path, qtbot: QtBot) -> None:
    copied_sound = tmp_path / "played.wav"
    sound_player = SoundPlayer(
        find_program=make_sound_program(
            tmp_path, f'cp "$1" {copied_sound}.part && mv {copied_sound}.part {copied_sound}'
        )
    )
    sound_player.play_sound(OVER_SOUND)
    qtbot.waitUntil(copied_sound.exists)
    with wave.open(str(copied_sound)) as sound:
        assert sound.getnframes() / sound.getframerate() == pytest.approx(2.0, abs=0.05)
        assert any(sound.readframes(2000))
    sound_player.stop_sound()


@pytest.mark.parametrize("line", ["exit 1", None])
def test_sound_player_beeps_without_a_player(
    qapp: QApplication, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, line: str | None
) -> None:
    beeps: list[int] = []
    monkeypatch.setattr(round_clock, "play_beep", lambda: beeps.append(1))
    find_program = make_sound_program(tmp_path, line) if line else lambda _name: ""
    sound_player = SoundPlayer(find_program=find_program)
    sound_player.play_sound(SOON_SOUND)
    qtbot.waitUntil(lambda: bool(beeps))
    sound_player.stop_sound()


def test_sound_player_stops_the_previous_sound(qapp: QApplication, tmp_path: Path, qtbot: QtBot) -> None:
    log = tmp_path / "log"
    sound_player = SoundPlayer(find_program=make_sound_program(tmp_path, f"echo $$ >> {log}; exec sleep 60"))
    for count in (1, 2):
        sound_player.play_sound(SOON_SOUND)
        qtbot.waitUntil(partial(_has_lines, log, count))
    sound_player.stop_sound()


def _has_lines(path: Path, count: int) -> bool:
    return path.exists() and len(path.read_text().splitlines()) == count


# --- over a restart


def test_clock_continues_after_a_restart(
    full_session: Session,
    clock: RoundClockService,
    fake_clock: FakeClock,
    appearance: Appearance,
    settings: QSettings,
) -> None:
    clock.toggle_clock()
    clock.add_time(60)
    fake_clock.advance(90)
    next_session = make_session("en", appearance, settings)
    next_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    next_clock = prepare_clock(next_session, fake_clock)
    assert next_clock.clock.is_running
    assert next_clock.seconds_left == HOUR + 60 - 90
    other_event = commands.new_tournament(key="other", name="Another", ruleset=full_session.tournament.ruleset)
    next_session.open_tournament_of_desk(make_desk(other_event))
    assert (next_clock.seconds_left, next_clock.state) == (DEFAULT_LENGTH, ClockState.READY)
    next_session.close()


@pytest.mark.parametrize("stored_text", ["", "{", "[]", '{"length": "x"}', '{"length": 60}'])
def test_clock_is_reset_if_unreadable(full_session: Session, fake_clock: FakeClock, stored_text: str) -> None:
    full_session.settings.setValue(f"tournaments/{full_session.tournament.event.id}/round-clock", stored_text)
    assert prepare_clock(full_session, fake_clock).state is ClockState.READY


@pytest.mark.slow
def test_past_window_shows_the_current_clock(window: Window, clock: RoundClockService, qtbot: QtBot) -> None:
    session = window.session
    step = Step(seq=1, at="2026-11-28T10:00:00+00:00", station="director", label="undo", facts={})
    session.looked_back.emit(Desk(Store.create_in_memory(session.tournament, read_only=True)), step)
    qtbot.waitUntil(lambda: window.past is not None and window.past.isVisible())
    assert window.past is not None
    assert RoundClockService.get_or_make_service(window.past.session) is clock
    window.past.close()


def test_get_monotonic_seconds_never_decreases() -> None:
    readings = [get_monotonic_seconds() for _ in range(100)]
    assert readings == sorted(readings)
