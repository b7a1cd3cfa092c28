"""Times as people type them: mm:ss on a clock, and hours or minutes of an arrival."""

from __future__ import annotations

import re

_MINUTE, _DAY = 60, 24 * 60
_SPAN = re.compile(r"([0-9]{1,3})(?:[:.,]([0-5][0-9]))?")
_AT = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")


def read_clock(text: str) -> int:
    """Return the seconds in `1:15`, `1.15` or whole minutes, `2`; 0 for nothing; raise ValueError otherwise."""
    if not text.strip():
        return 0
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    return int(found[1]) * _MINUTE + int(found[2] or 0)


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
        return int(text) * _MINUTE
    late = (read_time_of_day(text) - start) % _DAY
    return 0 if late >= _DAY // 2 else late * _MINUTE
