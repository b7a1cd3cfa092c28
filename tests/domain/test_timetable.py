"""Tests of the timetable: lines, refusals, the suggested day and the calendar."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.commands import edit_event, set_times
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.round_clock import (
    DAY,
    FIRST_START,
    LAST_END,
    EvenlySpacedRounds,
    format_timetable,
    parse_timetable,
    suggest_timetable_line,
)
from tdapp.domain.tournament import Tournament
from tdapp.exchange import icalendar
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.round_times import list_round_times
from tests.building import DIVISION, RESOURCES, make_event

CATALOGUE = Catalogue("en", RESOURCES / "locale")


def set_round_times(line: str, *, rounds: int = 5, **fields: str) -> Tournament:
    return edit_event(set_times(make_event(4, rounds=rounds), division=DIVISION, times=line), **fields)


def list_hours(line: str, *, rounds: int = 5) -> list[str]:
    value = set_round_times(line, rounds=rounds)
    times = list_round_times(TournamentIndex(value), value.divisions[DIVISION])
    return [f"{time.round} {time.day}/{time.time_of_day:%H:%M}" for time in times]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("10:00 +65", ["1 1/10:00", "2 1/11:05", "3 1/12:10", "4 1/13:15", "5 1/14:20"]),
        ("10:00 +65, 3: 13:30", ["1 1/10:00", "2 1/11:05", "3 1/13:30", "4 1/14:35", "5 1/15:40"]),
        ("9.30, 11:00, 4=2/9:00+60", ["1 1/09:30", "2 1/11:00", "4 2/09:00", "5 2/10:00"]),
        ("", []),
    ],
)
def test_list_round_times_of_a_line(line: str, meant: list[str]) -> None:
    assert list_hours(line) == meant


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ten", "times-unreadable"),
        ("10:00 11:00", "times-unreadable"),
        ("24:00", "times-unreadable"),
        ("10:00, 9:00", "times-not-in-order"),
        ("10:00 +65, 4: 12:00", "times-not-in-order"),
        ("3: 10:00, 2: 11:00", "times-not-in-order"),
    ],
)
def test_set_times_refuses_an_invalid_line(line: str, code: str) -> None:
    with pytest.raises(CommandError) as error:
        set_round_times(line)
    assert error.value.code == code


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 2000), st.sampled_from([0, 45, 65])), max_size=6))
def test_format_timetable_round_trip(steps: list[tuple[int, int, int]]) -> None:
    runs: list[EvenlySpacedRounds] = []
    for rounds, delay, step in steps:
        last = runs[-1] if runs else EvenlySpacedRounds(0, 0, 0)
        runs.append(EvenlySpacedRounds(last.first + rounds, last.start + rounds * last.step + delay, step))
    assert parse_timetable(format_timetable(runs)) == tuple(runs)


@given(st.integers(1, 40), st.integers(5, 180))
def test_suggest_timetable_follows_by_day(rounds: int, minutes: int) -> None:
    parts = (
        re.split("[ /:]", hour) for hour in list_hours(suggest_timetable_line(rounds, minutes * 60), rounds=rounds)
    )
    starts = [(int(day) - 1) * DAY + int(hour) * 60 + int(minute) for _, day, hour, minute in parts]
    assert len(starts) == rounds
    assert all(after - before > minutes for before, after in pairwise(starts))
    assert all(FIRST_START <= start % DAY <= LAST_END - minutes for start in starts)


def test_suggest_timetable_has_an_hour_for_lunch() -> None:
    assert suggest_timetable_line(7, 3600) == "10:00 +65, 3: 13:10"


def test_edit_event_refuses_an_unknown_time_zone() -> None:
    with pytest.raises(CommandError, match="unknown-zone"):
        edit_event(make_event(4), zone="Europe/Leiden")
    assert edit_event(make_event(4), zone=" Europe/Oslo ").event.zone == "Europe/Oslo"


def test_edit_event_keeps_an_unknown_time_zone() -> None:
    value = make_event(4)
    value = value.put(replace(value.event, zone="Europe/Leiden"))
    edited = edit_event(value, name="Another").event
    assert (edited.name, edited.zone) == ("Another", "Europe/Leiden")


def test_list_round_times_ignores_an_invalid_line() -> None:
    value = make_event(4)
    value = value.put(replace(value.divisions[DIVISION], times="soon"))
    assert not list_round_times(TournamentIndex(value), value.divisions[DIVISION])


def write_calendar(value: Tournament) -> list[str]:
    content = icalendar.encode_calendar(TournamentIndex(value), value.divisions.values(), CATALOGUE).decode()
    assert content.endswith("\r\n")
    assert "\n" not in content.replace("\r\n", "")
    return content.removesuffix("\r\n").split("\r\n")


def test_write_calendar_in_summer_and_winter_time() -> None:
    for day, hour in (("2026-10-24", "08"), ("2026-10-25", "09")):  # clocks go back in the night between
        lines = write_calendar(set_round_times("10:00", date=day, zone="Europe/Amsterdam"))
        assert f"DTSTART:{day.replace('-', '')}T{hour}0000Z" in lines
    assert "DTSTART:20261024T100000" in write_calendar(set_round_times("10:00", date="2026-10-24"))
    with pytest.raises(CommandError, match="calendar-unclear-date"):
        write_calendar(set_round_times("10:00 +65", date="on a Sunday"))


def test_write_calendar_escapes_and_folds() -> None:
    name, venue = "Åpent; Ås, 2026\\7 " + "æ" * 80, "Hall 1, Leiden"
    lines = write_calendar(set_round_times("10:00 +65", date="2026-11-28", name=name, place=venue))
    assert max(len(line.encode()) for line in lines) <= 75
    content_lines = re.sub("\r\n ", "", "\r\n".join(lines)).split("\r\n")
    assert f"SUMMARY:Åpent\\; Ås\\, 2026\\\\7 {'æ' * 80} · Round 1" in content_lines
    assert "LOCATION:Hall 1\\, Leiden" in content_lines
    moments = [
        datetime.fromisoformat(line.removeprefix("DTEND:")) for line in content_lines if line.startswith("DTEND")
    ]
    assert [f"{moment:%H:%M}" for moment in moments] == ["11:00", "12:05", "13:10", "14:15", "15:20"]
    uids = [line for line in content_lines if line.startswith("UID:")]
    assert len({*uids}) == content_lines.count("BEGIN:VEVENT") == 5
