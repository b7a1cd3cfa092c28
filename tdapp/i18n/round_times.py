"""Dates of rounds. The date of a tournament is free text: 27 March 2027, 27.3.2027, 20.–24. Juli 2024."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.round_clock import DAY, EvenlySpacedRounds, find_time_zone, parse_timetable
from tdapp.i18n.locales import LOCALES

_NUMBER = r"(?<![\d:])(\d{1,2})(?![\d:])(?:\.|st|nd|rd|th)?"
_RANGE_WORD = r"\s*(?:[-–—/&+,]|and|to|en|tot|t/m|og|til|und|bis)\s*"
_NUMERIC_DATE = re.compile(
    rf"(?<!\d)(\d{{1,2}})\.?(?:{_RANGE_WORD}\d{{1,2}}(?=\.))?([./-])\s*(\d{{1,2}})(?:\.?{_RANGE_WORD}\d{{1,2}}\.\d{{1,2}})?\2\s*(\d{{4}})"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MAX_MONTH = 12


@cache
def _map_calendar_names_to_numbers(kind: Literal["days", "months"]) -> Mapping[str, int]:
    from babel import Locale  # noqa: PLC0415 - needed only for dates in words

    forms = (getattr(Locale.parse(locale), kind)["format"] for locale in LOCALES.values())
    names = (item for form in forms for width in ("wide", "abbreviated") for item in form[width].items())
    return {name.casefold().rstrip("."): number for number, name in names}


@cache
def _make_month_name_pattern() -> re.Pattern[str]:
    days, months = (
        "|".join(sorted(_map_calendar_names_to_numbers(kind), key=len, reverse=True))
        for kind in ("days", "months")
    )
    day_and_month = rf"{_NUMBER}(?:{_RANGE_WORD}(?:(?:{days})\.?\s*)?{_NUMBER})?\s*(?:of\s+)?({months})\b"
    return re.compile(rf"{day_and_month}|\b({months})\b\.?\s*{_NUMBER}", re.IGNORECASE)


def find_first_date(text: str) -> date | None:
    """Return the first date in a text, None if it has no clear date.

    3/4/2027 is unclear: April in Europe, March in America.
    """
    for year, month, day in _find_possible_dates(text):
        with suppress(ValueError):
            return date(year, month, day)
    return None


def _find_possible_dates(text: str) -> Iterator[tuple[int, int, int]]:
    if iso := re.match(r"\s*(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)", text):
        yield int(iso[1]), int(iso[2]), int(iso[3])
    years = [int(year) for year in _YEAR.findall(text)]
    months_and_days = (
        [_parse_month_and_day(match) for match in _make_month_name_pattern().finditer(text)] if years else []
    )
    if months_and_days:
        (month, day), (last_month, _) = months_and_days[0], months_and_days[-1]
        yield years[0] - (month > last_month and len(years) == 1), month, day
    for match in _NUMERIC_DATE.finditer(text):
        day, month = int(match[1]), int(match[3])
        if month > _MAX_MONTH or (match[2] == "/" and day > _MAX_MONTH):
            yield (int(match[4]), month, day) if month <= _MAX_MONTH else (int(match[4]), day, month)
        elif match[2] != "/" or day == month:
            yield int(match[4]), month, day


def _parse_month_and_day(match: re.Match[str]) -> tuple[int, int]:
    return _map_calendar_names_to_numbers("months")[(match[3] or match[4]).casefold()], int(match[1] or match[5])


class RoundStartTime(Struct, frozen=True):
    """The date and time at which a round starts."""

    round: int
    day: int  # day of the tournament, from 1
    time_of_day: time
    date: date | None  # None if the tournament has no date
    zone: ZoneInfo | None  # None if the tournament has no time zone

    @property
    def start(self) -> datetime | None:
        """Date and time of the start, None without a date. The time zone is included if known."""
        return None if self.date is None else datetime.combine(self.date, self.time_of_day, self.zone)


def compute_round_time(
    runs: Sequence[EvenlySpacedRounds], number: int, first_day: str, zone: ZoneInfo | None = None
) -> RoundStartTime | None:
    """Return the start of a round, None if unknown. `first_day` is free text."""
    run = next((run for run in reversed(runs) if run.first <= number), None)
    minute = run.compute_round_start_minute(number) if run is not None else None
    if minute is None:
        return None
    days, minutes = divmod(minute, DAY)
    day = find_first_date(first_day)
    try:
        day = day and day + timedelta(days=days)
    except OverflowError:
        day = None
    return RoundStartTime(number, days + 1, time(*divmod(minutes, 60)), day, zone)


def find_round_time(index: TournamentIndex, division: Division, number: int) -> RoundStartTime | None:
    if number > index.count_planned_rounds(division.id):
        return None
    try:
        runs = parse_timetable(division.times)
    except CommandError:  # in a hand-made file
        return None
    event = index.tournament.event
    return compute_round_time(runs, number, event.date, find_time_zone(event.zone))


def list_round_times(index: TournamentIndex, division: Division) -> tuple[RoundStartTime, ...]:
    last = index.count_planned_rounds(division.id)
    round_times = (find_round_time(index, division, number) for number in range(1, last + 1))
    return tuple(round_time for round_time in round_times if round_time is not None)


def map_planned_starts(index: TournamentIndex, division: Division, today: date) -> dict[int, datetime]:
    """Return the planned starts by round. If the tournament has no date, use `today`."""
    starts: dict[int, datetime] = {}
    for item in list_round_times(index, division):
        with suppress(OverflowError, ValueError, OSError):  # the year 1
            starts[item.round] = (item.start or datetime.combine(today, item.time_of_day, item.zone)).astimezone()
    return starts
