"""Dates as people type them."""

from __future__ import annotations

import re
from datetime import date

_DAY_FIRST = re.compile(r"([0-9]{1,2})[./-]\s?([0-9]{1,2})[./-]\s?([0-9]{4})")
_NUMERIC_DATE = re.compile(
    r"(?<![0-9])(?:([0-9]{1,2})([./-])\s?([0-9]{1,2})\2\s?([0-9]{4}|[0-9]{2})|([0-9]{4})-([0-9]{1,2})-([0-9]{1,2}))(?![0-9])"
)

_LAST_SHORT_YEAR = 99
EXAMPLE_DATE = "2026-11-28"


def parse_date_to_iso(text: str) -> str | None:
    """Convert 2026-10-06, 6.10.2026, 6/10/2026 or 6-10-2026 (day before month) to ISO 8601, or return None."""
    match = _DAY_FIRST.fullmatch(text)
    try:
        if match is not None:
            day, month, year = map(int, match.groups())
            return date(year, month, day).isoformat()
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def find_impossible_date(text: str) -> str:
    """Return the first date in figures that no calendar has, such as 31.2.2027, or "".

    2/28/2027 and 2-28-2027 are possible: Americans write the month first.
    """
    for match in _NUMERIC_DATE.finditer(text):
        day, separator, month, year, *iso_parts = match.groups()
        parts = (year, month, day) if separator else iso_parts
        is_american = separator not in {None, "."} and _is_valid_date(year, day, month)
        if not _is_valid_date(*parts) and not is_american:
            return match[0]
    return ""


def _is_valid_date(year: str, month: str, day: str) -> bool:
    try:
        date(int(year) + (2000 if int(year) <= _LAST_SHORT_YEAR else 0), int(month), int(day))
    except ValueError:
        return False
    return True
