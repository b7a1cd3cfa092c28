"""Tests of dates in the usual written forms."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.locales import LOCALES
from tdapp.i18n.round_times import find_first_date
from tests.building import RESOURCES

DATES_BY_TEXT = (
    ("27 March 2027", "2027-03-27"),
    ("March 27, 2027", "2027-03-27"),
    ("27.3.2027", "2027-03-27"),
    ("27-3-2027", "2027-03-27"),
    ("3/27/2027", "2027-03-27"),
    ("27/3/2027", "2027-03-27"),
    ("3/4/2027", None),
    ("4/4/2027", "2027-04-04"),
    ("27. März 2027", "2027-03-27"),
    ("27 maart 2027", "2027-03-27"),
    ("27. mars 2027", "2027-03-27"),
    ("Samstag, 27. März 2027", "2027-03-27"),
    ("zaterdag 27 maart 2027", "2027-03-27"),
    ("July 20-24, 2024", "2024-07-20"),
    ("July 20 – 24, 2024", "2024-07-20"),
    ("20.–24. Juli 2024", "2024-07-20"),
    ("20-24 juli 2024", "2024-07-20"),
    ("31 July - 2 August 2024", "2024-07-31"),
    ("July 31 - August 2, 2024", "2024-07-31"),
    ("2027-03-27", "2027-03-27"),
    ("27/28 March 2027", "2027-03-27"),
    ("27 & 28 maart 2027", "2027-03-27"),
    ("27 en 28 maart 2027", "2027-03-27"),
    ("27. og 28. mars 2027", "2027-03-27"),
    ("27. bis 29. März 2027", "2027-03-27"),
    ("27 t/m 29 maart 2027", "2027-03-27"),
    ("20.-24.7.2024", "2024-07-20"),
    ("27.3.-29.3.2027", "2027-03-27"),
    ("27.03.–29.03.2027", "2027-03-27"),
    ("Easter 2027", None),
    ("March 2027", None),
    ("2027", None),
    ("27th March 2027", "2027-03-27"),
    ("27th of March, 2027", "2027-03-27"),
    ("lør. 27. mars 2027", "2027-03-27"),
    ("1 mei 2027", "2027-05-01"),
    ("12 dec 2026", "2026-12-12"),
    ("12. Dez. 2026", "2026-12-12"),
    ("5 mrt 2026", "2026-03-05"),
    ("12. des. 2026", "2026-12-12"),
    ("2027/03/27", "2027-03-27"),
    ("Mar 27 2027", "2027-03-27"),
    ("Sept 5, 2026", "2026-09-05"),
    ("28 December 2026 – 3 January 2027", "2026-12-28"),
    ("30 December – 2 January 2027", "2026-12-30"),
    ("31 February 2027", None),
    ("3rd Open, 27 March 2027", "2027-03-27"),
    ("10:00, 27 March 2027", "2027-03-27"),
    ("27 March 2027, 10:00", "2027-03-27"),
    ("", None),
    ("zondag", None),
    ("27 March", None),
    ("27. - 29. Mai 2027", "2027-05-27"),
    ("May 27-29, 2027", "2027-05-27"),
    ("Saturday 27 and Sunday 28 March 2027", "2027-03-27"),
    ("zaterdag 27 en zondag 28 maart 2027", "2027-03-27"),
    ("27.03.2027 - 29.03.2027", "2027-03-27"),
    ("2024-07-20/24", "2024-07-20"),
    ("2024-07-20 - 2024-07-24", "2024-07-20"),
    ("1. 5. 2027", "2027-05-01"),
    ("2027-02-31, or 27 March 2027", "2027-03-27"),
)


@pytest.mark.parametrize(("text", "day"), DATES_BY_TEXT)
def test_find_first_date_returns_the_first_day_of_a_text(text: str, day: str | None) -> None:
    first_date = find_first_date(text)
    assert (first_date and first_date.isoformat()) == day


@given(st.dates(), st.sampled_from([*LOCALES]))
def test_find_first_date_reads_every_formatted_date(day: date, language: str) -> None:
    text = Catalogue(language, RESOURCES / "locale").format_date(day)
    assert find_first_date(text) == (day if day.year >= 1900 and day.year < 2100 else None)


@given(st.text(alphabet="0123456789 ./-–,:MarchJulimai&", max_size=40))
def test_find_first_date_accepts_any_text(text: str) -> None:
    find_first_date(text)
