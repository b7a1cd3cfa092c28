"""The printed rating list of a season, after the last evening and after an earlier round."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.tournament import Tournament
from tdapp.reports import REPORTS, ReportContext
from tdapp.reports.sections import Section
from tests.domain.test_season_ratings import make_pair
from tests.domain.test_seasons import SEASON
from tests.reports.test_golden import made


def make_section(value: Tournament, **fields: int) -> Section:
    index = Index(value)
    context: ReportContext = replace(made(), index=index, divisions=index.divisions, **fields)
    section = REPORTS["season-ratings"].section(context, index.divisions[0])
    assert isinstance(section, Section)
    return section


@pytest.mark.parametrize(
    ("after", "day", "rows"),
    [
        (1, "1 October 2026", [("1", "A", "1510", "+10"), ("2", "B", "1490", "−10")]),
        (2, "8 October 2026", [("1", "B", "1501", "+1"), ("2", "A", "1499", "−1")]),
    ],
)
def test_printed_rating_list(after: int, day: str, rows: list[tuple[str, ...]]) -> None:
    section = make_section(make_pair(), round=after)
    assert section.title == f"Autumn: rating list of {day}"
    columns = {column.id: column for column in section.fields}
    cells = zip(*(columns[name].cells for name in ("rank", "name", "rating", "change")), strict=True)
    assert [*cells] == rows
    assert section.note == "Elo"


def test_printed_rating_list_without_a_season() -> None:
    section = make_section(commands.remove_season(make_pair(), season=SEASON))
    assert (section.row_count, section.empty) == (0, "The file has no season yet.")
