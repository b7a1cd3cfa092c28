"""Tests of the printed season ratings, after the last evening and on an earlier date."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.tournament import Tournament
from tdapp.reports import REPORTS, ReportContext
from tdapp.reports.printed import compute_report_fingerprint, describe_printout, make_printout_records
from tdapp.reports.sections import Section
from tests.domain.test_season_ratings import make_pair
from tests.domain.test_seasons import SEASON
from tests.reports.test_golden import make_sample_context


def make_section(value: Tournament, report: str = "season-ratings", **fields: str) -> Section:
    index = TournamentIndex(value)
    context: ReportContext = replace(make_sample_context(), index=index, divisions=index.divisions, **fields)
    section = REPORTS[report].section(context, index.divisions[0])
    assert isinstance(section, Section)
    return section


@pytest.mark.parametrize(
    ("date", "day", "rows"),
    [
        ("2026-10-07", "7 October 2026", [("1", "A", "1510", "+10"), ("2", "B", "1490", "−10")]),
        ("", "8 October 2026", [("1", "B", "1501", "+1"), ("2", "A", "1499", "−1")]),
    ],
)
def test_season_rating_report_lists_ratings_on_a_date(date: str, day: str, rows: list[tuple[str, ...]]) -> None:
    section = make_section(make_pair(), season_date=date)
    assert section.title == f"Autumn: rating list of {day}"
    columns = {column.id: column for column in section.fields}
    cells = zip(*(columns[name].cells for name in ("rank", "name", "rating", "change")), strict=True)
    assert [*cells] == rows
    assert section.note == "Elo"


def test_season_rating_report_without_a_season() -> None:
    section = make_section(commands.remove_season(make_pair(), season=SEASON))
    assert (section.row_count, section.empty) == (0, "The file has no season yet.")


def test_season_report_on_an_earlier_date() -> None:
    """A leads on 1 October. A week later both players have one win."""
    titles, ranks = [], []
    for date in ("2026-10-01", ""):
        section = make_section(make_pair(), report="season", season_date=date)
        titles.append(section.title)
        columns = {column.id: column for column in section.fields}
        ranks.append([*zip(columns["rank"].cells, columns["name"].cells, strict=True)])
    assert titles == ["Autumn · 1 October 2026", "Autumn"]
    assert ranks == [[("1", "A"), ("2", "B")], [("1", "A"), ("1", "B")]]


def test_make_printouts_separates_season_ratings_by_date() -> None:
    """A later evening makes the latest list stale. A correction also makes the list of the date stale."""
    value = make_pair()
    index = TournamentIndex(value)
    context: ReportContext = replace(make_sample_context(), index=index, divisions=index.divisions)
    copies = [
        make_printout_records("season-ratings", replace(context, season_date=date))[0]
        for date in ("", "2026-10-01")
    ]
    assert [copy.on for copy in copies] == ["", "2026-10-01"]
    assert len({copy.id for copy in copies}) == 2
    assert "1 October 2026" in describe_printout(copies[1], context.catalogue, index)
    for first, expected in ((300, [True, False]), (400, [True, True])):
        game = next(result for result in value.results.values() if result.first == first)
        changed = TournamentIndex(commands.enter_result(value, game=game.id, first=350, second=350))
        fingerprints = [
            compute_report_fingerprint(
                "season-ratings", replace(context, index=changed, season_date=copy.on), changed.divisions[0]
            )
            for copy in copies
        ]
        assert [old.content != new for old, new in zip(copies, fingerprints, strict=True)] == expected
