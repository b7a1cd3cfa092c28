"""Tests of typed dates."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.dates import find_impossible_date
from tdapp.domain.errors import CommandError
from tests.building import make_event


@pytest.mark.parametrize(
    ("text", "impossible_date"),
    [
        ("31.2.2027", "31.2.2027"),
        ("31. 2. 2027", "31. 2. 2027"),
        ("31.2.27", "31.2.27"),
        ("2027-02-31", "2027-02-31"),
        ("31/9/2027", "31/9/2027"),
        ("30.1.–31.2.2027", "31.2.2027"),
        ("29-02-2028", ""),
        ("2/28/2027", ""),
        ("20.–24.7.2027", ""),
        ("27 March 2027", ""),
        ("Whitsun weekend", ""),
        ("", ""),
    ],
)
def test_find_impossible_date_finds_dates_in_figures(text: str, impossible_date: str) -> None:
    assert find_impossible_date(text) == impossible_date


def test_edit_event_refuses_an_impossible_date() -> None:
    tournament = make_event(players=2)
    with pytest.raises(CommandError, match="date-impossible"):
        commands.edit_event(tournament, date="31.2.2027")
    assert commands.edit_event(tournament, date="Whitsun weekend").event.date == "Whitsun weekend"
