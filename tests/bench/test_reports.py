"""Benchmarks of printouts for 300 players. Targets: 0.5 s for a list, 5 s for all scorecards."""

from __future__ import annotations

from datetime import datetime
from functools import cache

import pypdfium2
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.index import TournamentIndex
from tdapp.exchange.presets import read_rating_systems
from tdapp.i18n import Catalogue
from tdapp.reports import REPORTS, ReportContext, load_style, render_report
from tdapp.reports.printed import make_printout_records
from tests.building import RESOURCES
from tests.reports import sample_tournament

# A matrix of 300 players is useless, and `chances` is a simulation.
LISTS = tuple(name for name in REPORTS if name not in {"matrix", "chances", "scorecards", "score-sheets"})


@cache
def make_played_index() -> TournamentIndex:
    return sample_tournament.make_index(300, rounds=12)


def make_context(index: TournamentIndex) -> ReportContext:
    return ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue("en", sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS),
        rating_systems=read_rating_systems(RESOURCES / "ratings"),
        printed_at=datetime(2026, 11, 21, 14, 5),
    )


@pytest.mark.bench
@pytest.mark.parametrize("report", LISTS)
def test_report_of_300_players(benchmark: BenchmarkFixture, report: str) -> None:
    content = benchmark(render_report, report, make_context(make_played_index()))

    assert len(pypdfium2.PdfDocument(content)) >= 1


@pytest.mark.bench
@pytest.mark.parametrize("report", ["scorecards", "score-sheets"])
def test_report_with_a_page_for_each_of_300_players(benchmark: BenchmarkFixture, report: str) -> None:
    content = benchmark(render_report, report, make_context(make_played_index()))

    assert len(pypdfium2.PdfDocument(content)) >= 150


@pytest.mark.bench
@pytest.mark.parametrize("report", ["standings", "slips", "wall-chart"])
def test_report_fingerprint(benchmark: BenchmarkFixture, report: str) -> None:
    report_context = make_context(make_played_index())
    assert benchmark(make_printout_records, report, report_context)
