"""Start times of rounds, written in one line: `10:00 +65, 4: 13:30, 8: 2/10:00`.

Here round 1 starts at 10:00 and each following round 65 minutes later. Round 4 starts at 13:30, and round 8 on the
second day at 10:00. An omitted round number is the next round. An omitted day or interval stays the same. Minutes
count from midnight of the first day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct

from tdapp.domain.errors import RuleViolation

DAY = 24 * 60
FIRST, NOON, LATEST, LUNCH = 10 * 60, 12 * 60, 20 * 60, 60  # start and end of the usual day, in minutes
_SET_UP = 5  # minimum break between rounds, in minutes
_RUN = re.compile(
    r"(?:([0-9]{1,4})\s*[:=]\s*)?(?:([0-9]{1,3})\s*/\s*)?([01]?[0-9]|2[0-3])[:.]([0-5][0-9])(?:\s*\+\s*([0-9]{1,4}))?"
)


class TimetableRun(Struct, frozen=True):
    """Rounds at a fixed interval. Round `first` starts at minute `begins`, the next `step` minutes later."""

    first: int
    begins: int
    step: int

    def compute_minute(self, number: int) -> int | None:
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
        before = max(last.begins, last.compute_minute(first - 1) or 0) if runs else -1
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
    """Return the time zone with an IANA name, or None if unknown."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # missing, unknown name, or a folder
        return None


def suggest_timetable(rounds: int, length: int) -> str:
    """Suggest a timetable line for rounds of `length` seconds.

    A day lasts from 10:00 to 20:00, with an hour for lunch.
    """
    step = -(-(length // 60 + _SET_UP) // 5) * 5
    runs = [TimetableRun(1, FIRST, step)]
    for number in range(2, rounds + 1):
        before = runs[-1].compute_minute(number - 1) or 0
        begins = before + step
        if begins % DAY + step > LATEST or begins // DAY > before // DAY:
            begins = (before // DAY + 1) * DAY + FIRST
        elif before % DAY < NOON <= begins % DAY:
            begins += LUNCH
        if begins != before + step:
            runs.append(TimetableRun(number, begins, step))
    return format_timetable(runs)
