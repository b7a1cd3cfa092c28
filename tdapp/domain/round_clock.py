"""The clock of a round: how long it lasts, what is left of it at an instant; and times as people type them.

Hides how starts, pauses and extra time add up. It never reads a clock itself: the caller gives the seconds of a
steady one, which only ever goes forward, so that setting the computer's time changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from math import ceil, isfinite

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.ruleset import ClockRule

MINUTE = 60
MARGIN = 10 * MINUTE  # for what both clocks do not count: setting up, counting tiles, writing results down
SHORTEST, LONGEST = MINUTE, 10 * 60 * MINUTE
SOON = 5 * MINUTE  # from here on players are warned
MARKS = (SOON, 0)  # the earliest first
FORGOTTEN = 60 * MINUTE  # of a clock that ran out so long ago nobody waits for it
STAND_IN = 60 * MINUTE  # where the rules say nothing


class ClockState(StrEnum):
    """What a round clock is doing."""

    READY = "ready"  # not started
    RUNNING = "running"
    SOON = "soon"  # running, and little is left
    PAUSED = "paused"
    OVER = "over"  # nothing is left


class RoundClock(Struct, frozen=True):
    """A length in seconds and the `extra` ones; `spent` ran before the start at the steady second `since`."""

    length: int
    extra: int = 0
    spent: float = 0.0
    since: float | None = None

    @property
    def running(self) -> bool:
        """Whether time passes."""
        return self.since is not None

    def remaining(self, at: float) -> float:
        """Return the seconds left at a steady second; below 0 for those that the round takes too long."""
        running = max(at - self.since, 0.0) if self.since is not None else 0.0
        return self.length + self.extra - self.spent - running

    def seconds(self, at: float) -> int:
        """Return the whole seconds left as a clock shows them: 0 only once nothing is left."""
        return ceil(round(self.remaining(at), 3))

    def until_next(self, at: float) -> float:
        """Return the seconds until it shows another whole second, while it runs."""
        left = round(self.remaining(at), 3)
        return left - (ceil(left) - 1)

    def state(self, at: float) -> ClockState:
        """Return what the clock is doing."""
        left = self.remaining(at)
        if left <= 0:
            return ClockState.OVER
        if self.running:
            return ClockState.SOON if left <= SOON < self.length + self.extra else ClockState.RUNNING
        return ClockState.PAUSED if self.spent else ClockState.READY

    def start(self, at: float) -> RoundClock:
        """Return the clock running."""
        return self if self.running else replace(self, since=at)

    def pause(self, at: float) -> RoundClock:
        """Return the clock at a stand."""
        if self.since is None:
            return self
        return replace(self, since=None, spent=self.length + self.extra - self.remaining(at))

    def add(self, seconds: int) -> RoundClock:
        """Return the clock with extra time, or with less; the whole stays between none and ten hours."""
        return replace(self, extra=max(-self.length, min(self.extra + seconds, LONGEST - self.length)))

    def reset(self) -> RoundClock:
        """Return the clock as before the start."""
        return RoundClock(self.length)

    def lasting(self, length: int) -> RoundClock:
        """Return the clock with another length in seconds; what has passed has passed."""
        return replace(self, length=max(SHORTEST, min(length, LONGEST))).add(0)


def usual_length(clock: ClockRule) -> int | None:
    """Return the seconds of a round by the rules: both players' time and a margin; None without clocks."""
    return None if clock.minutes is None else 2 * clock.minutes * MINUTE + MARGIN


def crossed(before: float, after: float) -> tuple[int, ...]:
    """Return the MARKS that the seconds left went past between two looks, the earliest first."""
    return tuple(mark for mark in MARKS if after <= mark < before)


def minutes_and_seconds(seconds: int) -> str:
    """Return seconds as minutes and seconds, `24:10`, those too many with a minus."""
    minutes, rest = divmod(abs(seconds), MINUTE)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"


# --- over the end of the program


def kept(clock: RoundClock, *, at: float, wall: float) -> Mapping[str, float | bool]:
    """Return what to keep of a clock at a steady second and the time of day in seconds, to take it up later."""
    still = clock.pause(at)
    return {
        "length": clock.length,
        "extra": clock.extra,
        "spent": still.spent,
        "running": clock.running,
        "steady": at,
        "wall": wall,
    }


def restored(found: Mapping[str, object], *, at: float, wall: float) -> RoundClock | None:
    """Return the clock that was kept, going on if it ran; None where that makes no sense.

    The steady clock counts the time between; where it began again, because the computer did, the time of day does.
    """
    numbers = {name: found.get(name) for name in ("length", "extra", "spent", "steady", "wall")}
    known = {name: float(one) for name, one in numbers.items() if isinstance(one, (int, float)) and isfinite(one)}
    if len(known) < len(numbers) or not SHORTEST <= known["length"] <= LONGEST:
        return None
    clock = RoundClock(int(known["length"])).add(int(known["extra"]))
    between = at - known["steady"] if at >= known["steady"] else max(wall - known["wall"], 0.0)
    running = found.get("running") is True
    clock = replace(clock, spent=max(known["spent"], 0.0) + (between if running else 0.0))
    if clock.remaining(at) < -FORGOTTEN:
        return clock.reset()
    return clock.start(at) if running else clock


_DAY = 24 * 60  # minutes
_SPAN = re.compile(r"([0-9]{1,3})(?:[:.,]([0-5][0-9]))?")
_AT = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")


def read_clock(text: str) -> int:
    """Return the seconds in `1:15`, `1.15` or whole minutes, `2`; 0 for nothing; raise ValueError otherwise."""
    if not text.strip():
        return 0
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    return int(found[1]) * MINUTE + int(found[2] or 0)


def read_time_of_day(text: str) -> int:
    """Return the minutes since midnight in `9:30` or `9.30`; raise ValueError otherwise."""
    found = _AT.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    return int(found[1]) * 60 + int(found[2])


def read_delay(text: str, start: int) -> int:
    """Return the seconds somebody is late who came at `9:37`, or was `7` minutes late; `start` in minutes.

    Nothing typed, or a time up to twelve hours before the start, is punctual; past midnight counts on.
    """
    text = text.strip()
    if not text:
        return 0
    if text.isascii() and text.isdigit() and len(text) <= 3:  # noqa: PLR2004 - minutes
        return int(text) * MINUTE
    late = (read_time_of_day(text) - start) % _DAY
    return 0 if late >= _DAY // 2 else late * MINUTE
