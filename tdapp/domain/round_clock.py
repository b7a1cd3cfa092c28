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

from tdapp.domain.errors import CommandError
from tdapp.domain.ruleset import PlayersWhoDrawAgain, RuleSet, ThinkingTimeRule
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import StartingDrawOutcome, TileSet, compute_starting_draw_outcome

MINUTE = 60
MARGIN = 10 * MINUTE  # time outside the game clocks: setup, counting tiles, writing the result
MIN_LENGTH, MAX_LENGTH = MINUTE, 10 * 60 * MINUTE
WARNING_TIME = 5 * MINUTE  # remaining time at which players are warned
WARNING_TIMES = (WARNING_TIME, 0)  # earliest first
MAX_EXPIRED_TIME = 60 * MINUTE  # a clock that ran out this long ago is not restored
DEFAULT_LENGTH = 60 * MINUTE  # if the rules have no length


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
    elapsed: float = 0.0  # seconds that it ran before `started_at`
    started_at: float | None = None  # second of the monotonic clock; None: not running

    @property
    def is_running(self) -> bool:
        return self.started_at is not None

    def compute_remaining_seconds(self, now: float) -> float:
        """Return the remaining seconds, negative after the end."""
        running_seconds = max(now - self.started_at, 0.0) if self.started_at is not None else 0.0
        return self.length + self.extra - self.elapsed - running_seconds

    def compute_displayed_seconds(self, now: float) -> int:
        """Return the seconds to display, 0 only when no time remains."""
        return ceil(round(self.compute_remaining_seconds(now), 3))

    def compute_seconds_until_display_changes(self, now: float) -> float:
        remaining = round(self.compute_remaining_seconds(now), 3)
        return remaining - (ceil(remaining) - 1)

    def find_clock_state(self, now: float) -> ClockState:
        remaining = self.compute_remaining_seconds(now)
        if remaining <= 0:
            return ClockState.OVER
        if self.is_running:
            return ClockState.SOON if remaining <= WARNING_TIME < self.length + self.extra else ClockState.RUNNING
        return ClockState.PAUSED if self.elapsed else ClockState.READY

    def start(self, now: float) -> RoundClock:
        return self if self.is_running else replace(self, started_at=now)

    def pause(self, now: float) -> RoundClock:
        if self.started_at is None:
            return self
        return replace(
            self, started_at=None, elapsed=self.length + self.extra - self.compute_remaining_seconds(now)
        )

    def add_time(self, seconds: int) -> RoundClock:
        """Add seconds (may be negative). The total length stays between zero and ten hours."""
        return replace(self, extra=max(-self.length, min(self.extra + seconds, MAX_LENGTH - self.length)))

    def reset(self) -> RoundClock:
        return RoundClock(self.length)

    def set_length(self, length: int) -> RoundClock:
        return replace(self, length=max(MIN_LENGTH, min(length, MAX_LENGTH))).add_time(0)


def compute_usual_round_seconds(clock: ThinkingTimeRule) -> int | None:
    """Return the usual length of a round in seconds: the time of both players and a margin.

    Return None if games have no clocks.
    """
    return None if clock.minutes is None else 2 * clock.minutes * MINUTE + MARGIN


def list_passed_warning_times(before: float, after: float) -> tuple[int, ...]:
    """Return the WARNING_TIMES passed while the remaining time fell from `before` to `after` seconds."""
    return tuple(warning for warning in WARNING_TIMES if after <= warning < before)


def format_clock(seconds: int) -> str:
    """Format seconds as `24:10`. A minus sign means overtime."""
    minutes, remainder = divmod(abs(seconds), MINUTE)
    return f"{'−' if seconds < 0 else ''}{minutes}:{remainder:02}"


# --- saving


def make_saved_clock_data(clock: RoundClock, *, now: float, wall: float) -> Mapping[str, float | bool]:
    """Return the data to store for a clock, with the time of saving.

    `now` is the monotonic time and `wall` the Unix time, in seconds.
    """
    paused_clock = clock.pause(now)
    return {
        "length": clock.length,
        "extra": clock.extra,
        "spent": paused_clock.elapsed,
        "running": clock.is_running,
        "steady": now,
        "wall": wall,
    }


def restore_saved_clock(data: Mapping[str, object], *, now: float, wall: float) -> RoundClock | None:
    """Restore a stored clock, or return None if the data is invalid."""
    numbers = {name: data.get(name) for name in ("length", "extra", "spent", "steady", "wall")}
    values = {
        name: float(number)
        for name, number in numbers.items()
        if isinstance(number, (int, float)) and isfinite(number)
    }
    if len(values) < len(numbers) or not MIN_LENGTH <= values["length"] <= MAX_LENGTH:
        return None
    clock = RoundClock(int(values["length"])).add_time(int(values["extra"]))
    elapsed_seconds = now - values["steady"] if now >= values["steady"] else max(wall - values["wall"], 0.0)
    is_running = data.get("running") is True
    clock = replace(clock, elapsed=max(values["spent"], 0.0) + (elapsed_seconds if is_running else 0.0))
    if clock.compute_remaining_seconds(now) < -MAX_EXPIRED_TIME:
        return clock.reset()
    return clock.start(now) if is_running else clock


_DAY = 24 * 60  # minutes
_DURATION = re.compile(r"([0-9]{1,3})(?:[:.,]([0-5][0-9]))?")
_TIME_OF_DAY = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")


def parse_clock_time_as_seconds(text: str) -> int:
    """Convert minutes (`2`), or minutes and seconds (`1:15` or `1.15`), to seconds.

    "" is 0. Raises ValueError if the text is invalid.
    """
    if not text.strip():
        return 0
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    return int(match[1]) * MINUTE + int(match[2] or 0)


def parse_time_of_day_as_minutes(text: str) -> int:
    """Convert `9:30` or `9.30` to minutes since midnight. Raises ValueError if the text is invalid."""
    match = _TIME_OF_DAY.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    return int(match[1]) * 60 + int(match[2])


def parse_delay_as_seconds(text: str, start: int) -> int:
    """Return the delay in seconds from a time of arrival, `9:37`, or a delay in minutes, `7`.

    `start` is the round start in minutes since midnight. Empty text and times up to twelve hours before the
    start mean no delay. A time more than twelve hours before the start is on the next day.
    """
    text = text.strip()
    if not text:
        return 0
    if text.isascii() and text.isdigit() and len(text) <= 3:  # noqa: PLR2004 - minutes
        return int(text) * MINUTE
    delay = (parse_time_of_day_as_minutes(text) - start) % _DAY
    return 0 if delay >= _DAY // 2 else delay * MINUTE


def find_starter_by_tile_draws(
    rules: RuleSet, tileset: TileSet, draws: Sequence[Mapping[int, str]]
) -> StartingDrawOutcome:
    """Return the player who starts a game, or the players who must draw again.

    Each item of `draws` is one draw. It maps each player to the drawn tile, `?` for a blank.
    """
    try:
        return compute_starting_draw_outcome(
            draws,
            tileset,
            blank=rules.draw.blank,
            all_draw_again=rules.draw.again is PlayersWhoDrawAgain.ALL,
            returns_tiles=rules.draw.returned,
        )
    except ScrabbleError as error:
        raise CommandError(error.code, detail=error.detail) from error


class LatenessConsequences(Struct, frozen=True):
    """The consequences of a late player's delay for the game."""

    remaining_seconds: int  # on the player's clock
    may_give_up: bool  # the player may forfeit the game
    is_lost: bool  # no time is left


def compute_lateness_consequences(rules: RuleSet, *delays: int) -> tuple[LatenessConsequences, ...]:
    """Return the consequences of late arrival for each player. `delays` are in seconds.

    Each player's clock loses exactly that player's own delay, even if both players are late
    (no-turneringsreglement 2.2).
    """
    if not rules.late.known or rules.clock.minutes is None:
        raise CommandError("late-not-in-rules", ruleset=rules.name)
    time = 60 * rules.clock.minutes
    return tuple(
        LatenessConsequences(
            remaining_seconds=max(0, time - delay),
            may_give_up=0 < time - delay < 60 * rules.late.give_up,
            is_lost=delay >= time,
        )
        for delay in delays
    )


DAY = 24 * 60
# The usual day, in minutes.
FIRST_START, NOON, LAST_END, LUNCH_BREAK = 10 * 60, 12 * 60, 20 * 60, 60
_MIN_BREAK = 5  # between rounds, in minutes
_RUN = re.compile(
    r"(?:([0-9]{1,4})\s*[:=]\s*)?(?:([0-9]{1,3})\s*/\s*)?([01]?[0-9]|2[0-3])[:.]([0-5][0-9])(?:\s*\+\s*([0-9]{1,4}))?"
)


class EvenlySpacedRounds(Struct, frozen=True):
    """Consecutive rounds that start at a fixed interval."""

    first: int  # number of the first round
    start: int  # its start, in minutes after the first midnight
    step: int  # minutes from start to start

    def compute_round_start_minute(self, number: int) -> int | None:
        return self.start + (number - self.first) * self.step if self.step or number == self.first else None


def parse_timetable(line: str) -> tuple[EvenlySpacedRounds, ...]:
    runs: list[EvenlySpacedRounds] = []
    for run_text in filter(None, (part.strip() for part in line.split(","))):
        match = _RUN.fullmatch(run_text)
        if match is None:
            raise CommandError("times-unreadable", typed=run_text)
        previous = runs[-1] if runs else EvenlySpacedRounds(0, 0, 0)
        first, day = int(match[1] or previous.first + 1), int(match[2] or previous.start // DAY + 1)
        start = (day - 1) * DAY + int(match[3]) * 60 + int(match[4])
        previous_start = max(previous.start, previous.compute_round_start_minute(first - 1) or 0) if runs else -1
        if first <= previous.first or start <= previous_start:
            raise CommandError("times-not-in-order", typed=run_text)
        runs.append(EvenlySpacedRounds(first, start, int(match[5]) if match[5] else previous.step))
    return tuple(runs)


def format_timetable(runs: Sequence[EvenlySpacedRounds]) -> str:
    parts, previous = [], EvenlySpacedRounds(0, 0, 0)
    for run in runs:
        number = "" if run.first == previous.first + 1 else f"{run.first}: "
        day = "" if run.start // DAY == previous.start // DAY else f"{run.start // DAY + 1}/"
        hour, minute = divmod(run.start % DAY, 60)
        step = "" if run.step == previous.step else f" +{run.step}"
        parts.append(f"{number}{day}{hour:02}:{minute:02}{step}")
        previous = run
    return ", ".join(parts)


def find_time_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # missing, unknown name, or a folder
        return None


def suggest_timetable_line(rounds: int, length: int) -> str:
    """Suggest a timetable line for rounds of `length` seconds, from 10:00 to 20:00 with an hour for lunch."""
    step = -(-(length // 60 + _MIN_BREAK) // 5) * 5
    runs = [EvenlySpacedRounds(1, FIRST_START, step)]
    for number in range(2, rounds + 1):
        previous_start = runs[-1].compute_round_start_minute(number - 1) or 0
        start = previous_start + step
        if start % DAY + step > LAST_END or start // DAY > previous_start // DAY:
            start = (previous_start // DAY + 1) * DAY + FIRST_START
        elif previous_start % DAY < NOON <= start % DAY:
            start += LUNCH_BREAK
        if start != previous_start + step:
            runs.append(EvenlySpacedRounds(number, start, step))
    return format_timetable(runs)
