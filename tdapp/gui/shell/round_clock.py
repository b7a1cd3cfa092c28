"""The round clock of the tournament. It also runs while the program is closed."""

from __future__ import annotations

import json
import math
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QObject,
    QProcess,
    QRectF,
    QSignalBlocker,
    QSize,
    QStandardPaths,
    Qt,
    QTemporaryDir,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QSizePolicy

from tdapp.desk import get_utc_timestamp
from tdapp.domain import round_clock
from tdapp.domain.model import Round
from tdapp.domain.round_clock import MINUTE, ClockState, RoundClock, compute_usual_round_seconds
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tables.round_progress import RoundProgress, compute_round_progress
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, SessionService
from tdapp.gui.widgets.theme import (
    LEAD,
    ROW,
    UNIT,
    make_scaled_font,
    paint_rounded_background,
    scale_line_height,
    scale_pixels,
)
from tdapp.i18n.phrases import describe_round_pace, describe_round_progress_for_public
from tdapp.i18n.round_times import map_planned_starts
from tdapp.services.preferences import parse_json_mapping

SOON_SOUND, OVER_SOUND = "soon", "over"
PLAYERS = ("pw-play", "paplay", "afplay", "aplay")  # programs that play the sound file in their argument
_RATE = 22_050
_VOLUME = 0.5
_NOTES: Mapping[str, Sequence[tuple[float, float]]] = {
    SOON_SOUND: ((659.3, 0.25), (880.0, 0.5)),
    OVER_SOUND: ((880.0, 0.35), (0.0, 0.1), (880.0, 0.35), (0.0, 0.1), (659.3, 1.1)),
}  # hertz and seconds


class SoundPlayer(QObject):
    """Plays a sound by its name."""

    def __init__(
        self, parent: QObject | None = None, *, find_program: Callable[[str], str] = QStandardPaths.findExecutable
    ) -> None:
        """Prepare the player. `find_program` returns the path of a program, or "" if it is not installed."""
        super().__init__(parent)
        self._find = find_program
        self._folder = QTemporaryDir()
        self._process = QProcess(self)
        self._process.errorOccurred.connect(self._play_beep_instead)
        self._process.finished.connect(self._beep_if_sound_failed)
        application = QApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.stop_sound)

    def play_sound(self, name: str) -> None:
        path = self._get_or_write_sound_file(name)
        if path is not None and sys.platform == "win32":
            _play_sound_on_windows(path)
            return
        player = next(filter(None, map(self._find, PLAYERS)), "")
        if path is None or not player:
            play_beep()
        else:
            self.stop_sound()
            self._process.start(player, [str(path)])

    def stop_sound(self) -> None:
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            with QSignalBlocker(self._process):
                self._process.kill()
                self._process.waitForFinished(1000)

    def _get_or_write_sound_file(self, name: str) -> Path | None:
        """Return the sound file, written at the first use. None if the folder is not writable."""
        if not self._folder.isValid():
            return None
        path = Path(self._folder.filePath(f"{name}.wav"))
        try:
            if not path.exists():
                write_wav_file(path, _NOTES[name])
        except OSError:
            return None
        return path

    def _play_beep_instead(self) -> None:
        play_beep()

    def _beep_if_sound_failed(self, exit_code: int) -> None:
        if exit_code:
            play_beep()


def play_beep() -> None:
    QApplication.beep()


def write_wav_file(path: Path, pitches_and_seconds: Sequence[tuple[float, float]]) -> None:
    """Write notes (hertz, seconds) to a WAV file. 0 Hz is silence. Raises OSError."""
    import wave  # noqa: PLC0415 - written for the first sound

    samples: list[int] = []
    for pitch, seconds in pitches_and_seconds:
        count = int(_RATE * seconds)
        for sample_index in range(count):
            # fade in and out like a bell, without clicks
            envelope = min(1.0, sample_index / 200, (count - sample_index) / (count * 0.7))
            amplitude = math.sin(2 * math.pi * pitch * sample_index / _RATE) + 0.3 * math.sin(
                4 * math.pi * pitch * sample_index / _RATE
            )
            samples.append(int(32767 * _VOLUME * envelope * amplitude / 1.3))
    with path.open("wb") as raw, wave.open(raw) as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


if sys.platform == "win32":
    import winsound

    def _play_sound_on_windows(path: Path) -> None:
        try:
            winsound.PlaySound(str(path), winsound.SND_FILENAME | winsound.SND_ASYNC | winsound.SND_NODEFAULT)
        except RuntimeError:
            play_beep()

else:

    def _play_sound_on_windows(_path: Path) -> None:
        """Do nothing: systems other than Windows need only this placeholder."""


MUTED_KEY = "clock/muted"  # settings key
START_TIME_KEY = "scheduled-start"  # time of day when the round began; used to measure late arrivals


class RoundClockService(SessionService):
    """The round clock of the open tournament.

    Emits `ticked` when the displayed time changes, `changed` after a change of the clock or tournament.
    """

    ticked = Signal()
    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.steady: Callable[[], float] = get_monotonic_seconds
        self.wall: Callable[[], float] = time.time
        self.sounds = SoundPlayer(self)
        self.clock = RoundClock(round_clock.DEFAULT_LENGTH)
        self._rules: RuleSet | None = None
        self._last_remaining = 0.0  # seconds left at the last update
        self._displayed = (0, ClockState.READY)
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._update_time_and_play_sounds)
        session.opened.connect(self._load_clock_of_tournament)
        session.changed.connect(self._update_clock_length_from_rules)
        for signal in (self.changed, session.served):
            signal.connect(self._send_clock_to_server)
        if session.is_open:
            self._load_clock_of_tournament()

    # --- display

    @property
    def seconds_left(self) -> int:
        """Remaining whole seconds, negative in overtime."""
        return self.clock.compute_displayed_seconds(self.steady())

    @property
    def state(self) -> ClockState:
        return self.clock.find_clock_state(self.steady())

    @property
    def text(self) -> str:
        return round_clock.format_clock(self.seconds_left)

    @property
    def seconds_spent(self) -> int:
        """Whole seconds since the start without pauses, 0 before the start."""
        return self.clock.length + self.clock.extra - self.seconds_left

    @property
    def round_length_in_seconds(self) -> int | None:
        """Length of the round in seconds, None if unlimited."""
        clock = self.clock
        return (
            None
            if self.round_length_by_rules is None and clock == RoundClock(round_clock.DEFAULT_LENGTH)
            else clock.length + clock.extra
        )

    @property
    def round_length_by_rules(self) -> int | None:
        """Length of a round in seconds by the rules, None if they have no clock."""
        return compute_usual_round_seconds(self._session.rules.clock) if self._session.is_open else None

    @property
    def is_muted(self) -> bool:
        return bool(self._session.settings.value(MUTED_KEY, defaultValue=False, type=bool))

    # --- control

    def toggle_clock(self) -> None:
        """Start or pause the clock. The first start also sets the start time of the round."""
        seconds = self.steady()
        if self.clock.find_clock_state(seconds) is ClockState.READY:
            start_time = datetime.fromisoformat(get_utc_timestamp()).astimezone()
            self._session.settings.setValue(START_TIME_KEY, f"{start_time.hour}:{start_time.minute:02}")
        self._set_and_store_clock(
            self.clock.pause(seconds) if self.clock.is_running else self.clock.start(seconds)
        )

    def add_time(self, seconds: int) -> None:
        self._set_and_store_clock(self.clock.add_time(seconds))

    def reset_clock(self) -> None:
        self._set_and_store_clock(self.clock.reset())

    def set_length(self, seconds: int) -> None:
        """Set the length in seconds of this and later rounds."""
        self._set_and_store_clock(self.clock.set_length(seconds))

    def set_round_length_by_rules(self) -> None:
        self.set_length(self.round_length_by_rules or round_clock.DEFAULT_LENGTH)

    def toggle_sounds(self) -> None:
        self._session.settings.setValue(MUTED_KEY, not self.is_muted)
        if self.is_muted:
            self.sounds.stop_sound()
        self.changed.emit()

    def _set_and_store_clock(self, clock: RoundClock) -> None:
        self.clock = clock
        self._store_clock()
        self._restart_ticking()
        self.changed.emit()

    def _restart_ticking(self) -> None:
        self._last_remaining = self.clock.compute_remaining_seconds(self.steady())
        self._displayed = (self.seconds_left, self.state)
        self._schedule_next_tick()

    def _schedule_next_tick(self) -> None:
        if self.clock.is_running:
            self._timer.start(math.ceil(1000 * self.clock.compute_seconds_until_display_changes(self.steady())))
        else:
            self._timer.stop()

    def _send_clock_to_server(self) -> None:
        self._session.serving.send_round_clock_to_server(self.clock, self.steady())

    def _update_time_and_play_sounds(self) -> None:
        remaining_seconds = self.clock.compute_remaining_seconds(self.steady())
        passed_warnings = round_clock.list_passed_warning_times(self._last_remaining, remaining_seconds)
        self._last_remaining = remaining_seconds
        displayed = (self.seconds_left, self.state)
        if displayed != self._displayed:
            self._displayed = displayed
            self.ticked.emit()
        if passed_warnings and not self.is_muted:
            self.sounds.play_sound(OVER_SOUND if passed_warnings[-1] == 0 else SOON_SOUND)
        self._schedule_next_tick()

    def _load_clock_of_tournament(self) -> None:
        self.sounds.stop_sound()
        stored_clock = self._read_stored_clock() if self._session.is_open else None
        self.clock = stored_clock or RoundClock(self.round_length_by_rules or round_clock.DEFAULT_LENGTH)
        self._restart_ticking()
        self.changed.emit()

    def _update_clock_length_from_rules(self) -> None:
        if not self._session.is_open or self._session.rules is self._rules:
            return
        self._rules = self._session.rules
        if self._session.settings.contains(self._make_settings_key()):
            return
        if self.clock.length != (self.round_length_by_rules or round_clock.DEFAULT_LENGTH):
            self._load_clock_of_tournament()

    def _make_settings_key(self) -> str:
        return f"tournaments/{self._session.tournament.event.id}/round-clock"

    def _store_clock(self) -> None:
        if self._session.is_open:
            stored_clock = round_clock.make_saved_clock_data(self.clock, now=self.steady(), wall=self.wall())
            self._session.settings.setValue(self._make_settings_key(), json.dumps(dict(stored_clock)))

    def _read_stored_clock(self) -> RoundClock | None:
        stored_values = parse_json_mapping(str(self._session.settings.value(self._make_settings_key(), "")))
        return round_clock.restore_saved_clock(stored_values, now=self.steady(), wall=self.wall())


def get_monotonic_seconds() -> float:
    """Return seconds of a clock that never jumps and also counts while the computer sleeps."""
    source = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.clock_gettime(source) if source is not None else time.monotonic()


def list_clock_actions(session: Session) -> tuple[Action, ...]:
    text, clock = session.catalogue.text, RoundClockService.get_or_make_service(session)
    add_minute = partial(clock.add_time, MINUTE)
    start, pause = text("Start the round clock"), text("Pause the round clock")

    def is_tournament_open() -> bool:
        return session.is_open

    def make_toggle_title() -> str:
        return pause if clock.clock.is_running else start

    def make_mute_title() -> str:
        return text("Unmute the round clock") if clock.is_muted else text("Mute the round clock")

    return (
        Action("clock-toggle", start, clock.toggle_clock, "clock", "Ctrl+Shift+C", "clock",
               is_tournament_open, title=make_toggle_title),
        Action("clock-more", text("One more minute on the round clock"), add_minute, "", "", "clock",
               is_tournament_open),
        Action("clock-reset", text("Reset the round clock"), clock.reset_clock, "", "", "clock",
               is_tournament_open),
        Action("clock-mute", text("Mute the round clock"), clock.toggle_sounds, "", "", "clock",
               is_tournament_open, title=make_mute_title),
    )  # fmt: skip


ICON = 18
# Icon and colour for each state. The soft colours are backgrounds.
STATE_ICONS: Mapping[ClockState, tuple[str, str]] = {
    ClockState.READY: ("clock", "muted"),
    ClockState.RUNNING: ("clock", "text"),
    ClockState.SOON: ("warning", "amber"),
    ClockState.PAUSED: ("pause", "text"),
    ClockState.OVER: ("bell", "red"),
}
_BACKGROUNDS: Mapping[ClockState, str] = {ClockState.SOON: "amber_soft", ClockState.OVER: "red_soft"}


class RoundClockButton(QAbstractButton):
    """Shows the round clock."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._clock = RoundClockService.get_or_make_service(session)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(session.catalogue.text("Round clock"))
        for signal in (self._clock.ticked, self._clock.changed, session.appearance.changed):
            signal.connect(self.show_time)
        self.show_time()

    def show_time(self) -> None:
        text = f"{self._clock.text} · {self._session.catalogue.translate_code(self._clock.state)}"
        self.setText(self._clock.text)
        self.setAccessibleDescription(text)
        self.setToolTip(f"{self._session.catalogue.text('Round clock')}: {text}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        widest = max(len(self._clock.text), len("00:00"))
        figures = QFontMetrics(make_scaled_font(LEAD, bold=True)).horizontalAdvance("0" * widest)
        return QSize(figures + scale_pixels(ICON) + UNIT * 3, scale_line_height(ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        state, appearance = self._clock.state, self._session.appearance
        icon, tone = STATE_ICONS[state]
        painter = QPainter(self)
        background = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        fill = _BACKGROUNDS.get(state, "sunken" if self.underMouse() else "")
        paint_rounded_background(painter, appearance, background, fill, background if self.hasFocus() else None)
        pixmap = appearance.draw_icon(icon, tone, ICON, self)
        painter.drawPixmap(UNIT, (self.height() - scale_pixels(ICON)) // 2, pixmap)
        painter.setFont(make_scaled_font(LEAD, bold=state is not ClockState.READY))
        painter.setPen(appearance.get_colour(tone))
        area = self.rect().adjusted(UNIT + scale_pixels(ICON), 0, -UNIT, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.text())
        painter.end()


LOOK_EVERY = 20_000  # ms


class RoundProgressService(SessionService):
    """Describes the progress of rounds. Emits `beat` regularly while a tournament is open."""

    beat = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._clock = RoundClockService.get_or_make_service(session)
        self._timer = QTimer(self, interval=LOOK_EVERY)
        self._timer.timeout.connect(self.beat)
        session.opened.connect(self._start_or_stop_beat_timer)
        self._clock.changed.connect(self.beat)
        self._start_or_stop_beat_timer()

    def describe_progress_of_round(self, item: Round) -> str:
        progress = self._measure_progress(item)
        return describe_round_pace(self._session.catalogue, progress) if progress else ""

    def describe_round_progress_for_public(self, division_id: str) -> str:
        """Describe the round progress of the division with this id, or of all divisions for ""."""
        index = self._session.index
        divisions = [
            listed_division for listed_division in index.divisions if listed_division.id == division_id
        ] or index.divisions
        rounds = (
            item for listed_division in divisions for item in index.list_published_rounds(listed_division.id)[-1:]
        )
        return describe_round_progress_for_public(
            self._session.catalogue, [progress for progress in map(self._measure_progress, rounds) if progress]
        )

    def _measure_progress(self, item: Round) -> RoundProgress | None:
        wall, spent_seconds = self._clock.wall(), self._clock.seconds_spent
        current_minute = _truncate_to_minute(wall)
        start_minute = _truncate_to_minute(wall - spent_seconds) if spent_seconds else None
        desk, index, length = self._session.desk, self._session.index, self._clock.round_length_in_seconds
        division = index.get_division_of_round(item.id)
        return desk.get_cached_value(
            ("pulse", item.id, current_minute, start_minute, length),
            lambda _value: compute_round_progress(
                index, item, desk.list_all_steps(), now=current_minute, clock_start=start_minute,
                clock_seconds=length,
                planned_starts=map_planned_starts(index, division, current_minute.astimezone().date()),
            ),
        )  # fmt: skip

    def _start_or_stop_beat_timer(self) -> None:
        if self._session.is_open:
            self._timer.start()
        else:
            self._timer.stop()


def _truncate_to_minute(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds // MINUTE * MINUTE, UTC)
