"""The round clock in the window: in the top bar, by its keys and fields, its sounds, and over a restart."""

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
from tdapp.gui.shell import round_clock as chimes
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.round_clock import (
    OVER_SOUND,
    SOON_SOUND,
    ClockButton,
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


class Hands:
    """A steady clock that a test turns, with the time of day beside it."""

    def __init__(self) -> None:
        self.now, self.day = 1000.0, 2_000_000.0

    def __call__(self) -> float:
        return self.now

    def wall(self) -> float:
        return self.day

    def forward(self, seconds: float) -> None:
        self.now += seconds
        self.day += seconds


class Heard(chimes.SoundPlayer):
    """Records sounds."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def play_sound(self, name: str) -> None:
        self.names.append(name)

    def stop_sound(self) -> None:
        self.names.append("stop")


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def clock(full_session: Session, hands: Hands) -> RoundClockService:
    """An hour, as no rule says otherwise, under hands of our own and without a sound."""
    return held(full_session, hands)


@pytest.fixture
def window(clock: RoundClockService, full_session: Session, qtbot: QtBot) -> Window:
    assert clock is RoundClockService.get_for(full_session)
    return show_window(full_session, qtbot)


def held(session: Session, hands: Hands) -> RoundClockService:
    made = RoundClockService.get_for(session)
    made.steady, made.wall, made.sounds = hands, hands.wall, Heard()
    session.opened.emit()
    return made


def heard(clock: RoundClockService) -> list[str]:
    assert isinstance(clock.sounds, Heard)
    return [name for name in clock.sounds.names if name != "stop"]


def button(window: Window) -> ClockButton:
    (found,) = window.findChildren(ClockButton)
    return found


def box(window: Window) -> RoundClockBox:
    window.show_page("screens")
    page = window.page
    assert isinstance(page, ScreensPage)
    return page.clock


def typed(field: QWidget, text: str) -> None:
    QTest.keyClicks(field, text)
    QTest.keyClick(field, ENTER)


# --- in the top bar


@pytest.mark.slow
def test_clock_button_shows_the_time_and_opens_the_clock(window: Window, clock: RoundClockService) -> None:
    for place in PAGES:
        window.show_page(place)
        assert button(window).isVisible()
        assert button(window).text() == "60:00"
    QTest.mouseClick(button(window), Qt.MouseButton.LeftButton)
    assert window.page.id == "screens"
    assert QApplication.focusWidget() is box(window).toggle_button
    assert clock.state is ClockState.READY


def test_clock_starts_from_any_page(window: Window, clock: RoundClockService, hands: Hands, qtbot: QtBot) -> None:
    window.show_page("rounds")
    QTest.keyClick(window, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.page.id == "rounds"
    hands.forward(61)
    qtbot.waitUntil(lambda: button(window).text() == "58:59")
    assert "Running" in button(window).toolTip()
    window.command("clock-toggle").trigger()
    hands.forward(1000)
    assert clock.text == "58:59"
    assert "Paused" in button(window).toolTip()


def test_clock_ignores_a_changed_time_of_day(window: Window, clock: RoundClockService, hands: Hands) -> None:
    clock.toggle_clock()
    hands.forward(100)
    hands.day -= 86_400
    assert clock.seconds_left == HOUR - 100


@pytest.mark.slow
def test_clock_button_has_word_and_shape_for_its_state(
    window: Window, clock: RoundClockService, hands: Hands, qtbot: QtBot
) -> None:
    def up() -> None:
        clock.toggle_clock()
        hands.forward(300)

    acts: tuple[tuple[Callable[[], object], str], ...] = (
        (partial(clock.add_time, 0), "Not started"),
        (clock.toggle_clock, "Running"),
        (partial(hands.forward, HOUR - 299), "Nearly over"),
        (clock.toggle_clock, "Paused"),
        (up, "Time is up"),
    )
    pictures = set()
    for act, word in acts:
        act()
        qtbot.waitUntil(partial(_says, button(window), word))
        pictures.add(_shape(button(window)))
    assert len(pictures) >= 4, "a dial stands for both of not started and running"


def _says(shown: ClockButton, word: str) -> bool:
    return word in shown.accessibleDescription()


def _shape(shown: ClockButton) -> bytes:
    """The icon in black and white."""
    picture = shown.grab().toImage()
    ground = picture.pixelColor(5, picture.height() // 2).lightness()
    dark = [
        abs(picture.pixelColor(x, y).lightness() - ground) > 60
        for x in range(8, 26)
        for y in range(picture.height() // 2 - 9, picture.height() // 2 + 9)
    ]
    return bytes(dark)


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", LANGUAGES, indirect=True)
def test_clock_button_in_every_language(full_session: Session, hands: Hands, qtbot: QtBot) -> None:
    clock = held(full_session, hands)
    window = show_window(full_session, qtbot)
    clock.toggle_clock()
    hands.forward(HOUR)
    clock.add_time(0)
    assert len(button(window).accessibleDescription()) > len("0:00 · ")


# --- by its fields


def test_clock_box_adds_time_by_buttons_and_typing(window: Window, clock: RoundClockService) -> None:
    shown_box = box(window)
    shown_box.extra_field.setFocus()
    typed(shown_box.extra_field, "5")
    assert clock.text == "65:00"
    typed(shown_box.extra_field, "2:30")
    assert clock.text == "67:30"
    page = window.page
    assert isinstance(page, ScreensPage)
    page.setFocus()
    QTest.keyClick(page.canvas, Qt.Key.Key_Plus)
    assert clock.text == "68:30"
    assert shown_box.extra_field.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("text", ["soon", "1:75", "0", "700"])
def test_clock_box_marks_an_invalid_time(window: Window, clock: RoundClockService, text: str) -> None:
    shown_box = box(window)
    said: list[str] = []
    window.session.message_sent.connect(lambda sentence, _undo, _tone: said.append(sentence))
    typed(shown_box.extra_field, text)
    assert clock.text == "60:00"
    assert shown_box.extra_field.text() == text
    assert shown_box.extra_field.property("wrong")
    assert "2:30" in said[-1]
    QTest.keyClicks(shown_box.extra_field, "3")
    assert not shown_box.extra_field.property("wrong")


@pytest.mark.slow
def test_clock_length_belongs_to_the_tournament(window: Window, clock: RoundClockService, hands: Hands) -> None:
    shown_box = box(window)
    shown_box.length_field.selectAll()
    typed(shown_box.length_field, "45")
    assert clock.text == "45:00"
    clock.toggle_clock()
    hands.forward(60)
    shown_box.length_field.selectAll()
    typed(shown_box.length_field, "50")
    assert clock.text == "49:00", "what has passed has passed"


def test_clock_reset_restores_the_length(window: Window, clock: RoundClockService, hands: Hands) -> None:
    clock.toggle_clock()
    clock.add_time(300)
    hands.forward(600)
    window.command("clock-reset").trigger()
    assert (clock.text, clock.state) == ("60:00", ClockState.READY)


# --- what the rules say


def test_clock_length_comes_from_the_rules(empty_session: Session, hands: Hands, qtbot: QtBot) -> None:
    value = commands.new_tournament(key="n", name="NM", ruleset=load_rule_set("no-nsf"))
    empty_session.attach_desk(make_desk(value))
    clock = held(empty_session, hands)
    assert clock.text == "70:00"
    window = show_window(empty_session, qtbot)
    assert "2 × 30 minutes" in box(window)._length_note.text()
    clock.set_length(1800)
    assert box(window)._rules_button.isVisible()
    QTest.mouseClick(box(window)._rules_button, Qt.MouseButton.LeftButton)
    assert clock.text == "70:00"


# --- sounds


def test_clock_sounds_five_minutes_before_the_end_and_at_the_end(
    clock: RoundClockService, hands: Hands, qtbot: QtBot
) -> None:
    clock.toggle_clock()
    for seconds, expected in (
        (HOUR - 301, []),
        (1, [SOON_SOUND]),
        (200, [SOON_SOUND]),
        (100, [SOON_SOUND, OVER_SOUND]),
        (50, [SOON_SOUND, OVER_SOUND]),
    ):
        hands.forward(seconds)
        qtbot.waitUntil(partial(_looked, clock, hands))
        assert heard(clock) == expected
    assert clock.text == "−0:50"


def _looked(clock: RoundClockService, hands: Hands) -> bool:
    return clock._last_remaining == clock.clock.compute_remaining_seconds(hands.now)


def test_clock_stays_muted(window: Window, clock: RoundClockService, hands: Hands, qtbot: QtBot) -> None:
    QTest.mouseClick(box(window).sound_box, Qt.MouseButton.LeftButton, pos=box(window).sound_box.rect().center())
    if not clock.is_muted:  # the box is at the left end of its label
        box(window).sound_box.click()
    assert clock.is_muted
    clock.toggle_clock()
    hands.forward(HOUR + 5)
    qtbot.waitUntil(partial(_looked, clock, hands))
    assert heard(clock) == []
    assert not box(window).sound_box.isChecked()
    window.command("clock-mute").trigger()
    assert box(window).sound_box.isChecked()


def player(folder: Path, line: str) -> Callable[[str], str]:
    """A program that plays a file by doing a line of shell with it."""
    path = folder / "play"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return lambda name: str(path) if name == "aplay" else ""


def test_sound_player_writes_a_file_for_a_player(qapp: QApplication, tmp_path: Path, qtbot: QtBot) -> None:
    played = tmp_path / "played.wav"
    made = SoundPlayer(find_program=player(tmp_path, f'cp "$1" {played}.part && mv {played}.part {played}'))
    made.play_sound(OVER_SOUND)
    qtbot.waitUntil(played.exists)
    with wave.open(str(played)) as sound:
        assert sound.getnframes() / sound.getframerate() == pytest.approx(2.0, abs=0.05)
        assert any(sound.readframes(2000))
    made.stop_sound()


@pytest.mark.parametrize("line", ["exit 1", None])
def test_sound_player_beeps_without_a_player(
    qapp: QApplication, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, line: str | None
) -> None:
    beeps: list[int] = []
    monkeypatch.setattr(chimes, "play_beep", lambda: beeps.append(1))
    find = player(tmp_path, line) if line else lambda _name: ""
    made = SoundPlayer(find_program=find)
    made.play_sound(SOON_SOUND)
    qtbot.waitUntil(lambda: bool(beeps))
    made.stop_sound()


def test_sound_player_stops_the_previous_sound(qapp: QApplication, tmp_path: Path, qtbot: QtBot) -> None:
    log = tmp_path / "log"
    made = SoundPlayer(find_program=player(tmp_path, f"echo $$ >> {log}; exec sleep 60"))
    for count in (1, 2):
        made.play_sound(SOON_SOUND)
        qtbot.waitUntil(partial(_has_lines, log, count))
    made.stop_sound()


def _has_lines(path: Path, count: int) -> bool:
    return path.exists() and len(path.read_text().splitlines()) == count


# --- over a restart


def test_clock_continues_after_a_restart(
    full_session: Session, clock: RoundClockService, hands: Hands, appearance: Appearance, settings: QSettings
) -> None:
    clock.toggle_clock()
    clock.add_time(60)
    hands.forward(90)
    again = make_session("en", appearance, settings)
    again.attach_desk(make_desk(make_tournament(players=4)))
    later = held(again, hands)
    assert later.clock.is_running
    assert later.seconds_left == HOUR + 60 - 90
    other = commands.new_tournament(key="other", name="Another", ruleset=full_session.tournament.ruleset)
    again.attach_desk(make_desk(other))
    assert (later.seconds_left, later.state) == (DEFAULT_LENGTH, ClockState.READY)
    again.close()


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"length": "x"}', '{"length": 60}'])
def test_clock_is_reset_if_unreadable(full_session: Session, hands: Hands, kept: str) -> None:
    full_session.settings.setValue(f"tournaments/{full_session.tournament.event.id}/round-clock", kept)
    assert held(full_session, hands).state is ClockState.READY


@pytest.mark.slow
def test_past_window_shows_the_current_clock(window: Window, clock: RoundClockService, qtbot: QtBot) -> None:
    session = window.session
    step = Step(seq=1, at="2026-11-28T10:00:00+00:00", station="director", label="undo", facts={})
    session.looked_back.emit(Desk(Store.create_in_memory(session.tournament, read_only=True)), step)
    qtbot.waitUntil(lambda: window.past is not None and window.past.isVisible())
    assert window.past is not None
    assert RoundClockService.get_for(window.past.session) is clock
    window.past.close()


def test_get_steady_time_never_decreases() -> None:
    seen = [get_monotonic_seconds() for _ in range(100)]
    assert seen == sorted(seen)
