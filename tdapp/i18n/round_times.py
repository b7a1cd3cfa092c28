"""Dates of rounds. The date of a tournament is free text: 27 March 2027, 27.3.2027, 20.–24. Juli 2024."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.round_clock import DAY, TimetableRun, find_time_zone, parse_timetable
from tdapp.i18n.locales import LOCALES

_NUMBER = r"(?<![\d:])(\d{1,2})(?![\d:])(?:\.|st|nd|rd|th)?"
_TO = r"\s*(?:[-–—/&+,]|and|to|en|tot|t/m|og|til|und|bis)\s*"
_DIGITS = re.compile(
    rf"(?<!\d)(\d{{1,2}})\.?(?:{_TO}\d{{1,2}}(?=\.))?([./-])\s*(\d{{1,2}})(?:\.?{_TO}\d{{1,2}}\.\d{{1,2}})?\2\s*(\d{{4}})"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MOST = 12  # months of a year


@cache
def _map_calendar_names_to_numbers(kind: Literal["days", "months"]) -> Mapping[str, int]:
    from babel import Locale  # noqa: PLC0415 - only a date in words needs it

    forms = (getattr(Locale.parse(one), kind)["format"] for one in LOCALES.values())
    names = (item for form in forms for width in ("wide", "abbreviated") for item in form[width].items())
    return {name.casefold().rstrip("."): number for number, name in names}


@cache
def _make_named_day_pattern() -> re.Pattern[str]:
    """Return a pattern for a day with the name of its month, or for the first of several days."""
    days, months = (
        "|".join(sorted(_map_calendar_names_to_numbers(one), key=len, reverse=True)) for one in ("days", "months")
    )
    before = rf"{_NUMBER}(?:{_TO}(?:(?:{days})\.?\s*)?{_NUMBER})?\s*(?:of\s+)?({months})\b"
    return re.compile(rf"{before}|\b({months})\b\.?\s*{_NUMBER}", re.IGNORECASE)


def find_first_date(text: str) -> date | None:
    """Return the first day of a text, None if it has no clear date.

    3/4/2027 is unclear: April in Europe, March in America.
    """
    found = next(_find_possible_dates(text), None)
    try:
        return date(*found) if found else None
    except ValueError:
        return None


def _find_possible_dates(text: str) -> Iterator[tuple[int, int, int]]:
    if iso := re.match(r"\s*(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)", text):
        yield int(iso[1]), int(iso[2]), int(iso[3])
    years = [int(year) for year in _YEAR.findall(text)]
    named = [_parse_month_and_day(found) for found in _make_named_day_pattern().finditer(text)] if years else []
    if named:
        (month, day), (last, _) = named[0], named[-1]
        yield years[0] - (month > last and len(years) == 1), month, day
    for found in _DIGITS.finditer(text):
        day, month = int(found[1]), int(found[3])
        if month > _MOST or (found[2] == "/" and day > _MOST):
            yield (int(found[4]), month, day) if month <= _MOST else (int(found[4]), day, month)
        elif found[2] != "/" or day == month:
            yield int(found[4]), month, day


def _parse_month_and_day(found: re.Match[str]) -> tuple[int, int]:
    return _map_calendar_names_to_numbers("months")[(found[3] or found[4]).casefold()], int(found[1] or found[5])


class RoundTime(Struct, frozen=True):
    """The start of a round at a time of day."""

    round: int
    day: int  # day of the tournament, from 1
    hour: time
    date: date | None  # None if the tournament has no date
    zone: ZoneInfo | None  # None if the tournament has no time zone

    @property
    def at(self) -> datetime | None:
        """The start, None without a date. It has a time zone if that is known."""
        return None if self.date is None else datetime.combine(self.date, self.hour, self.zone)


def compute_round_time(
    runs: Sequence[TimetableRun], number: int, first_day: str, zone: ZoneInfo | None = None
) -> RoundTime | None:
    """Return the start of a round, None if unknown. `first_day` is as typed."""
    run = next((one for one in reversed(runs) if one.first <= number), None)
    minute = run.compute_start_minute(number) if run is not None else None
    if minute is None:
        return None
    days, rest = divmod(minute, DAY)
    day = find_first_date(first_day)
    try:
        day = day and day + timedelta(days=days)
    except OverflowError:
        day = None
    return RoundTime(number, days + 1, time(*divmod(rest, 60)), day, zone)


def find_round_time(index: Index, division: Division, number: int) -> RoundTime | None:
    if number > index.count_planned_rounds(division.id):
        return None
    try:
        runs = parse_timetable(division.times)
    except RuleViolation:  # of a hand-made file
        return None
    event = index.tournament.event
    return compute_round_time(runs, number, event.date, find_time_zone(event.zone))


def list_round_times(index: Index, division: Division) -> tuple[RoundTime, ...]:
    last = index.count_planned_rounds(division.id)
    found = (find_round_time(index, division, one) for one in range(1, last + 1))
    return tuple(one for one in found if one is not None)
