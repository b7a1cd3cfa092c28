"""Tests of the season reports: a column for each evening, and a table for each member."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import EarlierResultEntry
from tdapp.domain.index import TournamentIndex
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import TextColumn
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.reports.layout import ReportDocument, draw_pdf_and_count_section_pages
from tdapp.reports.measuring import choose_list_layout
from tdapp.reports.registry import find_report
from tdapp.reports.sections import Section
from tests.building import RESOURCES
from tests.domain.test_event_copies import SPRING, SUMMER, make_copy, make_federation
from tests.domain.test_seasons import SEASON, make_autumn
from tests.reports import sample_tournament

NAME = "Clubkampioenschap 2026 van Scrabbleclub Leiden en omstreken"


@pytest.fixture
def autumn_season() -> Tournament:
    return commands.edit_season(make_autumn(), season=SEASON, name=NAME, rule=SeasonRule("own", "Own", best=2))


def make_context(value: Tournament, language: str = "en") -> ReportContext:
    index = TournamentIndex(value)
    catalogue, printed = Catalogue(language, RESOURCES / "locale"), datetime(2026, 11, 28, 14, 5, tzinfo=UTC)
    return ReportContext(index, index.divisions, catalogue, load_style(sample_tournament.FONTS), printed)


def make_section(value: Tournament, report: str, language: str = "en") -> Section:
    context = make_context(value, language)
    section = find_report(report).section(context, context.divisions[0])
    assert isinstance(section, Section)
    return section


def read_text(value: Tournament, report: str) -> str:
    (page,) = pypdfium2.PdfDocument(render_report(report, make_context(value)))
    return str(page.get_textpage().get_text_range())


@pytest.mark.parametrize(
    ("language", "dates"),
    [("en", ["01/09", "08/09", "15/09"]), ("nb", ["1.9.", "8.9.", "15.9."]), ("de", ["1.9.", "8.9.", "15.9."])],
)
def test_season_report_has_a_column_for_each_evening(
    autumn_season: Tournament, language: str, dates: list[str]
) -> None:
    columns = {column.heading: column.cells for column in make_section(autumn_season, "season", language).fields}
    evenings = [name for name in columns if name[0].isdigit()]
    assert evenings == dates
    assert [columns[date][0] for date in evenings] == ["5", "5", "(3)"]


def test_season_report_prints_its_full_name_and_explains_brackets(autumn_season: Tournament) -> None:
    text = read_text(autumn_season, "season")
    assert NAME in text
    assert "Results in brackets do not count." in text
    assert "…" not in text


def test_draw_documents_wraps_a_long_legend(autumn_season: Tournament) -> None:
    legend, style = "All of this legend is printed. " * 9 + "Also its end.", load_style(sample_tournament.FONTS)
    rows = replace(
        make_section(autumn_season, "season"), fields=(TextColumn("Name", ColumnKind.NAME, ("A",) * 200),)
    )
    long_section = replace(rows, legend=legend)
    row_counts = [
        choose_list_layout(section, style, columns=1, scale=style.desk).column_starts[1]
        for section in (rows, long_section)
    ]
    assert row_counts[1] < row_counts[0]
    document = ReportDocument(
        "Title", "Author", "en", (long_section,), "Foot", "Page {page} of {pages}", style.desk, 1
    )
    page = pypdfium2.PdfDocument(draw_pdf_and_count_section_pages([(document, style)])[0])[0]
    assert "Also its end." in page.get_textpage().get_text_range()


def test_season_years_report_lists_each_member_with_rank_and_total(autumn_season: Tournament) -> None:
    section = make_section(autumn_season, "season-years")
    rank, name, date = section.fields[:3]
    assert section.title == "Evenings of each member"
    assert section.note == NAME
    assert rank.cells[:4] == ("1", "", "", "2")
    assert name.cells[:4] == ("A", "Total: 10", "", "C")
    assert date.cells[:3] == ("1 Sept 2026", "8 Sept 2026", "15 Sept 2026")
    assert section.has_continuation_rows


def test_season_reports_list_events_of_other_files() -> None:
    value = make_federation(SPRING, SUMMER, make_copy("Undated", "", "Ann", "Bob"))
    columns = {column.heading: column.cells for column in make_section(value, "season").fields}
    assert [columns[heading][0] for heading in ("Undated", "01/03", "01/06")] == ["2", "3", "2"]
    (event,) = (column for column in make_section(value, "season-years").fields if column.id == "event")
    assert event.cells[:3] == ("Undated", "Spring", "Summer")
    assert "Spring" in read_text(value, "season-years")


def test_plan_list_keeps_a_long_name_among_empty_cells() -> None:
    """Only every twentieth row has a name."""
    names = tuple(
        "Freifrau von Hohenstein-Wittelsbach, Wilhelmina Johanna" if not index % 20 else "" for index in range(60)
    )
    other_columns = [
        TextColumn("Value", ColumnKind.TEXT, ("dropped because of its smaller spread",) * 60) for _ in range(3)
    ]
    section = Section(
        "Title",
        "",
        "",
        (TextColumn("Name", ColumnKind.NAME, names), *other_columns),
        "",
        has_continuation_rows=True,
    )
    style = load_style(sample_tournament.FONTS)
    plan = choose_list_layout(section, style, columns=1, scale=style.desk)
    assert plan.widths[0] >= style.condensed.measure_width(names[0], plan.size)


def test_season_report_in_large_type_shows_the_last_four_evenings(autumn_season: Tournament) -> None:
    earlier = tuple(EarlierResultEntry("A", f"2026-08-{day:02}", Fraction(4)) for day in (4, 11, 18))
    value = commands.import_earlier_results(autumn_season, key="x", season=SEASON, entries=earlier)
    usual = make_context(value)
    large = replace(usual, style=load_style(sample_tournament.FONTS, paper="a4-large"))
    headings = []
    for context in (usual, large):
        section = find_report("season").section(context, context.divisions[0])
        assert isinstance(section, Section)
        headings.append([column.heading for column in section.fields if column.heading[0].isdigit()])
    assert headings[0] == ["04/08", "11/08", "18/08", "01/09", "08/09", "15/09"]
    assert headings[1] == headings[0][-4:]
