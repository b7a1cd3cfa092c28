"""The season on paper: a column for each evening, and the year of each member."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import EarlierResultEntry
from tdapp.domain.index import Index
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import ListColumn
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.reports.layout import ReportDocument, draw_documents
from tdapp.reports.measuring import plan_list
from tdapp.reports.registry import find_report
from tdapp.reports.sections import Section
from tests.building import RESOURCES
from tests.domain.test_event_copies import SPRING, SUMMER, make_copy, make_federation
from tests.domain.test_seasons import SEASON, make_autumn
from tests.reports import sample_tournament

NAME = "Clubkampioenschap 2026 van Scrabbleclub Leiden en omstreken"


@pytest.fixture
def autumn() -> Tournament:
    return commands.edit_season(make_autumn(), season=SEASON, name=NAME, rule=SeasonRule("own", "Own", best=2))


def context(value: Tournament, language: str = "en") -> ReportContext:
    index = Index(value)
    catalogue, printed = Catalogue(language, RESOURCES / "locale"), datetime(2026, 11, 28, 14, 5, tzinfo=UTC)
    return ReportContext(index, index.divisions, catalogue, load_style(sample_tournament.FONTS), printed)


def make_report(value: Tournament, report: str, language: str = "en") -> Section:
    made = context(value, language)
    section = find_report(report).section(made, made.divisions[0])
    assert isinstance(section, Section)
    return section


def read_text(value: Tournament, report: str) -> str:
    (page,) = pypdfium2.PdfDocument(render_report(report, context(value)))
    return str(page.get_textpage().get_text_range())


@pytest.mark.parametrize(
    ("language", "dates"),
    [("en", ["01/09", "08/09", "15/09"]), ("nb", ["1.9.", "8.9.", "15.9."]), ("de", ["1.9.", "8.9.", "15.9."])],
)
def test_the_season_has_a_column_for_each_evening(autumn: Tournament, language: str, dates: list[str]) -> None:
    columns = {column.heading: column.cells for column in make_report(autumn, "season", language).fields}
    evenings = [name for name in columns if name[0].isdigit()]
    assert evenings == dates
    assert [columns[date][0] for date in evenings] == ["5", "5", "(3)"]


def test_the_season_prints_its_whole_name_and_the_meaning_of_brackets(autumn: Tournament) -> None:
    text = read_text(autumn, "season")
    assert NAME in text
    assert "Results in brackets do not count." in text
    assert "…" not in text


def test_a_long_legend_has_several_lines(autumn: Tournament) -> None:
    legend, style = "All of this legend is printed. " * 9 + "Also its end.", load_style(sample_tournament.FONTS)
    rows = replace(make_report(autumn, "season"), fields=(ListColumn("Name", ColumnKind.NAME, ("A",) * 200),))
    long = replace(rows, legend=legend)
    fitting = [plan_list(one, style, columns=1, scale=style.desk).column_starts[1] for one in (rows, long)]
    assert fitting[1] < fitting[0]
    made = ReportDocument("Title", "Author", "en", (long,), "Foot", "Page {page} of {pages}", style.desk, 1)
    page = pypdfium2.PdfDocument(draw_documents([(made, style)])[0])[0]
    assert "Also its end." in page.get_textpage().get_text_range()


def test_the_year_names_each_member_once_with_rank_and_total(autumn: Tournament) -> None:
    section = make_report(autumn, "season-years")
    rank, name, date = section.fields[:3]
    assert section.title == "Evenings of each member"
    assert section.note == NAME
    assert rank.cells[:4] == ("1", "", "", "2")
    assert name.cells[:4] == ("A", "Total: 10", "", "C")
    assert date.cells[:3] == ("1 Sept 2026", "8 Sept 2026", "15 Sept 2026")
    assert section.joined


def test_events_of_other_files_are_columns_and_named_in_the_year_of_each_member() -> None:
    value = make_federation(SPRING, SUMMER, make_copy("Undated", "", "Ann", "Bob"))
    columns = {column.heading: column.cells for column in make_report(value, "season").fields}
    assert [columns[heading][0] for heading in ("Undated", "01/03", "01/06")] == ["2", "3", "2"]
    (event,) = (column for column in make_report(value, "season-years").fields if column.id == "event")
    assert event.cells[:3] == ("Undated", "Spring", "Summer")
    assert "Spring" in read_text(value, "season-years")


def test_empty_cells_do_not_hide_that_a_name_is_cut() -> None:
    """The name of a member is in the first of many rows."""
    names = tuple(
        "Freifrau von Hohenstein-Wittelsbach, Wilhelmina Johanna" if not at % 20 else "" for at in range(60)
    )
    others = [
        ListColumn("Value", ColumnKind.TEXT, ("dropped because of its smaller spread",) * 60) for _ in range(3)
    ]
    section = Section("Title", "", "", (ListColumn("Name", ColumnKind.NAME, names), *others), "", joined=True)
    style = load_style(sample_tournament.FONTS)
    plan = plan_list(section, style, columns=1, scale=style.desk)
    assert plan.widths[0] >= style.condensed.measure_width(names[0], plan.size)


def test_large_type_has_room_for_the_last_four_evenings(autumn: Tournament) -> None:
    earlier = tuple(EarlierResultEntry("A", f"2026-08-{day:02}", Fraction(4)) for day in (4, 11, 18))
    value = commands.import_earlier_results(autumn, key="x", season=SEASON, entries=earlier)
    usual = context(value)
    large = replace(usual, style=load_style(sample_tournament.FONTS, paper="a4-large"))
    found = []
    for one in (usual, large):
        section = find_report("season").section(one, one.divisions[0])
        assert isinstance(section, Section)
        found.append([column.heading for column in section.fields if column.heading[0].isdigit()])
    assert found[0] == ["04/08", "11/08", "18/08", "01/09", "08/09", "15/09"]
    assert found[1] == found[0][-4:]
