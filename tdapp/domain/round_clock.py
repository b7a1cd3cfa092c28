"""The start times of rounds, the round clock, the tile draw that decides who starts a game, and late players.

The caller passes the seconds of a monotonic clock. So a change of the computer's time has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import ceil, isfinite
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.ruleset import ClockRule, RedrawingPlayers, RuleSet
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import StartingDrawOutcome, TileSet, judge_starting_draw

MINUTE = 60
MARGIN = 10 * MINUTE  # time outside the game clocks: setup, counting tiles, writing the result
SHORTEST, LONGEST = MINUTE, 10 * 60 * MINUTE
SOON = 5 * MINUTE  # players are warned from here on
MARKS = (SOON, 0)  # earliest first
FORGOTTEN = 60 * MINUTE  # a clock that ran out this long ago is not restored
STAND_IN = 60 * MINUTE  # if the rules have no length


class ClockState(StrEnum):
    """The state of a round clock."""

    READY = "ready"  # not started
    RUNNING = "running"
    SOON = "soon"  # running, little time left
    PAUSED = "paused"
    OVER = "over"  # no time left


class RoundClock(Struct, frozen=True):
    """A clock that counts down the time of a round, in seconds."""

    length: int
    extra: int = 0  # added to `length`
    spent: float = 0.0  # seconds that it has run before `since`
    since: float | None = None  # second of the monotonic clock when it was started; None: not running

    @property
    def is_running(self) -> bool:
        return self.since is not None

    def compute_remaining_seconds(self, now: float) -> float:
        """Return the remaining seconds, negative after the end."""
        running = max(now - self.since, 0.0) if self.since is not None else 0.0
        return self.length + self.extra - self.spent - running

    def compute_displayed_seconds(self, now: float) -> int:
        """Return the seconds to display, 0 only when no time remains."""
        return ceil(round(self.compute_remaining_seconds(now), 3))

    def compute_seconds_to_next_display(self, now: float) -> float:
        left = round(self.compute_remaining_seconds(now), 3)
        return left - (ceil(left) - 1)

    def find_clock_state(self, now: float) -> ClockState:
        left = self.compute_remaining_seconds(now)
        if left <= 0:
            return ClockState.OVER
        if self.is_running:
            return ClockState.SOON if left <= SOON < self.length + self.extra else ClockState.RUNNING
        return ClockState.PAUSED if self.spent else ClockState.READY

    def start(self, now: float) -> RoundClock:
        return self if self.is_running else replace(self, since=now)

    def pause(self, now: float) -> RoundClock:
        if self.since is None:
            return self
        return replace(self, since=None, spent=self.length + self.extra - self.compute_remaining_seconds(now))

    def add_time(self, seconds: int) -> RoundClock:
        """Add seconds (may be negative). The total length stays between zero and ten hours."""
        return replace(self, extra=max(-self.length, min(self.extra + seconds, LONGEST - self.length)))

    def reset(self) -> RoundClock:
        return RoundClock(self.length)

    def set_length(self, length: int) -> RoundClock:
        return replace(self, length=max(SHORTEST, min(length, LONGEST))).add_time(0)


def compute_usual_length(clock: ClockRule) -> int | None:
    """Return the usual length of a round in seconds: the time of both players and a margin.

    Return None if games have no clocks.
    """
    return None if clock.minutes is None else 2 * clock.minutes * MINUTE + MARGIN


def find_passed_warnings(before: float, after: float) -> tuple[int, ...]:
    """Return the warning times (MARKS) that passed while the remaining seconds fell from `before` to `after`."""
    return tuple(mark for mark in MARKS if after <= mark < before)


def format_clock(seconds: int) -> str:
    """Format seconds as `24:10`. A minus sign means overtime."""
    minutes, rest = divmod(abs(seconds), MINUTE)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"


# --- saving


def encode_clock(clock: RoundClock, *, at: float, wall: float) -> Mapping[str, float | bool]:
    """Return the data of a clock to store, with the time of saving.

    `at` is the current second of the monotonic clock, `wall` the time of day in seconds.
    """
    still = clock.pause(at)
    return {
        "length": clock.length,
        "extra": clock.extra,
        "spent": still.spent,
        "running": clock.is_running,
        "steady": at,
        "wall": wall,
    }


def decode_clock(found: Mapping[str, object], *, at: float, wall: float) -> RoundClock | None:
    """Restore a stored clock, or return None if the data is invalid."""
    numbers = {name: found.get(name) for name in ("length", "extra", "spent", "steady", "wall")}
    known = {name: float(one) for name, one in numbers.items() if isinstance(one, (int, float)) and isfinite(one)}
    if len(known) < len(numbers) or not SHORTEST <= known["length"] <= LONGEST:
        return None
    clock = RoundClock(int(known["length"])).add_time(int(known["extra"]))
    between = at - known["steady"] if at >= known["steady"] else max(wall - known["wall"], 0.0)
    running = found.get("running") is True
    clock = replace(clock, spent=max(known["spent"], 0.0) + (between if running else 0.0))
    if clock.compute_remaining_seconds(at) < -FORGOTTEN:
        return clock.reset()
    return clock.start(at) if running else clock


_DAY = 24 * 60  # minutes
_SPAN = re.compile(r"([0-9]{1,3})(?:[:.,]([0-5][0-9]))?")
_AT = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")


def parse_clock_time(text: str) -> int:
    """Convert `1:15`, `1.15` or whole minutes `2` to seconds.

    "" is 0. Raises ValueError if the text is invalid.
    """
    if not text.strip():
        return 0
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    return int(found[1]) * MINUTE + int(found[2] or 0)


def parse_time_of_day(text: str) -> int:
    """Convert `9:30` or `9.30` to minutes since midnight. Raises ValueError if the text is invalid."""
    found = _AT.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    return int(found[1]) * 60 + int(found[2])


def parse_delay(text: str, start: int) -> int:
    """Return the delay in seconds from a time of arrival, `9:37`, or a delay in minutes, `7`.

    `start` is in minutes since midnight. Empty text and times up to twelve hours before the start are
    punctual. Earlier times are on the next day.
    """
    text = text.strip()
    if not text:
        return 0
    if text.isascii() and text.isdigit() and len(text) <= 3:  # noqa: PLR2004 - minutes
        return int(text) * MINUTE
    late = (parse_time_of_day(text) - start) % _DAY
    return 0 if late >= _DAY // 2 else late * MINUTE


def find_starter(rules: RuleSet, tileset: TileSet, draws: Sequence[Mapping[int, str]]) -> StartingDrawOutcome:
    """Return the player who starts a game, or the players who must draw again.

    Each item of `draws` is one draw. It maps each player to the drawn tile, `?` for a blank.
    """
    try:
        return judge_starting_draw(
            draws,
            tileset,
            blank=rules.draw.blank,
            all_again=rules.draw.again is RedrawingPlayers.ALL,
            returned=rules.draw.returned,
        )
    except ScrabbleError as error:
        raise RuleViolation(error.code, detail=error.detail) from error


class LateArrival(Struct, frozen=True):
    """The consequences of a late player's delay for the game."""

    left: int  # seconds left on the player's clock
    may_give_up: bool  # the player may forfeit the game
    lost: bool  # no time is left


def compute_late_arrivals(rules: RuleSet, *delays: int) -> tuple[LateArrival, ...]:
    """Return for each player the consequences of a delay of `delays` seconds.

    Each player's clock loses exactly that player's own delay, also if both players are late
    (no-turneringsreglement 2.2).
    """
    if not rules.late.known or rules.clock.minutes is None:
        raise RuleViolation("late-not-in-rules", ruleset=rules.name)
    time = 60 * rules.clock.minutes
    return tuple(
        LateArrival(
            left=max(0, time - delay), may_give_up=0 < time - delay < 60 * rules.late.give_up, lost=delay >= time
        )
        for delay in delays
    )


DAY = 24 * 60
FIRST, NOON, LATEST, LUNCH = 10 * 60, 12 * 60, 20 * 60, 60  # start and end of the usual day, in minutes
_SET_UP = 5  # minimum break between rounds, in minutes
_RUN = re.compile(
    r"(?:([0-9]{1,4})\s*[:=]\s*)?(?:([0-9]{1,3})\s*/\s*)?([01]?[0-9]|2[0-3])[:.]([0-5][0-9])(?:\s*\+\s*([0-9]{1,4}))?"
)


class TimetableRun(Struct, frozen=True):
    """Consecutive rounds that start at a fixed interval."""

    first: int  # number of the first round
    begins: int  # its start, in minutes after the first midnight
    step: int  # minutes from start to start

    def compute_start_minute(self, number: int) -> int | None:
        return self.begins + (number - self.first) * self.step if self.step or number == self.first else None


def parse_timetable(line: str) -> tuple[TimetableRun, ...]:
    runs: list[TimetableRun] = []
    for typed in filter(None, (part.strip() for part in line.split(","))):
        found = _RUN.fullmatch(typed)
        if found is None:
            raise RuleViolation("times-unreadable", typed=typed)
        last = runs[-1] if runs else TimetableRun(0, 0, 0)
        first, day = int(found[1] or last.first + 1), int(found[2] or last.begins // DAY + 1)
        begins = (day - 1) * DAY + int(found[3]) * 60 + int(found[4])
        before = max(last.begins, last.compute_start_minute(first - 1) or 0) if runs else -1
        if first <= last.first or begins <= before:
            raise RuleViolation("times-not-in-order", typed=typed)
        runs.append(TimetableRun(first, begins, int(found[5]) if found[5] else last.step))
    return tuple(runs)


def format_timetable(runs: Sequence[TimetableRun]) -> str:
    parts, last = [], TimetableRun(0, 0, 0)
    for run in runs:
        number = "" if run.first == last.first + 1 else f"{run.first}: "
        day = "" if run.begins // DAY == last.begins // DAY else f"{run.begins // DAY + 1}/"
        hour, minute = divmod(run.begins % DAY, 60)
        step = "" if run.step == last.step else f" +{run.step}"
        parts.append(f"{number}{day}{hour:02}:{minute:02}{step}")
        last = run
    return ", ".join(parts)


def find_time_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # missing, unknown name, or a folder
        return None


def suggest_timetable(rounds: int, length: int) -> str:
    """Suggest a timetable line for rounds of `length` seconds, from 10:00 to 20:00 with an hour for lunch."""
    step = -(-(length // 60 + _SET_UP) // 5) * 5
    runs = [TimetableRun(1, FIRST, step)]
    for number in range(2, rounds + 1):
        before = runs[-1].compute_start_minute(number - 1) or 0
        begins = before + step
        if begins % DAY + step > LATEST or begins // DAY > before // DAY:
            begins = (before // DAY + 1) * DAY + FIRST
        elif before % DAY < NOON <= begins % DAY:
            begins += LUNCH
        if begins != before + step:
            runs.append(TimetableRun(number, begins, step))
    return format_timetable(runs)
