"""Dates as people type them."""

from __future__ import annotations

import re
from datetime import date

_DAY_FIRST = re.compile(r"([0-9]{1,2})[./-]\s?([0-9]{1,2})[./-]\s?([0-9]{4})")


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
