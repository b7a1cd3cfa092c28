"""Tests of page heads, page feet, font sizes and page breaks."""

from __future__ import annotations

import functools
from datetime import UTC, datetime
from functools import partial

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, StageId
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.i18n.lists import make_averages_text_table
from tdapp.reports import REPORTS, ReportContext, load_style, render_report
from tdapp.reports.measuring import choose_list_layout
from tdapp.reports.printed import compute_report_fingerprint
from tdapp.reports.sections import Section
from tests import building
from tests.reports import sample_tournament

PRINTED = datetime(2026, 11, 28, 7, 40, tzinfo=UTC)


def read_page(report: str, *, paper: str = "a4", name: str = "Open Leiden") -> str:
    """Return the text of the first page of a report with eight players."""
    desk = building.make_desk(building.pair_rounds(building.make_event()))
    desk.do(partial(commands.edit_event, name=name))
    context = ReportContext(
        desk.index, desk.index.divisions, Catalogue("en", sample_tournament.LOCALE, zone=UTC),
        load_style(sample_tournament.FONTS, paper=paper), PRINTED,
    )  # fmt: skip
    document = pypdfium2.PdfDocument(render_report(report, context))
    text = document[0].get_textpage().get_text_range()
    document.close()
    return str(text)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3-large"])
def test_page_foot_keeps_the_time_with_a_long_name(paper: str) -> None:
    assert "printed 28 Nov 2026, 07:40" in read_page("standings", paper=paper, name="International Open " * 10)


@pytest.mark.parametrize("report", ["standings", "crosstable", "certificates"])
def test_page_foot_explains_the_check_code(report: str) -> None:
    text = " ".join(read_page(report).split())
    assert "Check code: 1 · " in text
    assert "Use this code to compare the page with the tournament file" in text
    assert "Head of the history" not in text


def test_standings_report_keeps_the_ranking_note_with_a_long_name() -> None:
    assert "Ranked by Wins" in read_page("standings", name="International Open " * 10)


@functools.cache
def make_cup() -> Tournament:
    """Return a finished event: two Swiss rounds of six players, then a knockout of the best four."""
    value = building.make_event(6, rounds=2)
    value = commands.add_stage(value, key="k", division=building.DIVISION, system="knockout", rounds=2)
    value = commands.edit_stage(value, stage=StageId("k"), cut=4)
    return building.pair_rounds(value, times=4)


def make_context(value: Tournament, *, paper: str = "a4") -> ReportContext:
    index, catalogue = TournamentIndex(value), Catalogue("en", sample_tournament.LOCALE, zone=UTC)
    return ReportContext(
        index, index.divisions, catalogue, load_style(sample_tournament.FONTS, paper=paper), PRINTED
    )


def read_page_texts(report: str, value: Tournament, *, paper: str = "a4") -> list[str]:
    document = pypdfium2.PdfDocument(render_report(report, make_context(value, paper=paper)))
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return pages


def test_report_titles_have_one_colon_and_name_the_final() -> None:
    titles = {
        report: read_page_texts(report, make_cup())[0].splitlines()[0]
        for report in ("standings", "crosstable", "matrix")
    }
    assert titles == {
        "standings": "Final standings",
        "crosstable": "Crosstable after: Final",
        "matrix": "Crosstable by opponent after: Final",
    }


@pytest.mark.parametrize("report", ["standings", "crosstable", "matrix"])
def test_standings_report_names_the_ranking_of_each_part(report: str) -> None:
    assert "Places 1–4 by the knockout, then Wins, Resist., Spread" in " ".join(
        read_page_texts(report, make_cup())[0].split()
    )


def test_add_status_needs_no_column() -> None:
    value = commands.withdraw_player(building.pair_rounds(building.make_event()), key="w", player=PlayerId("p3"))
    (page,) = read_page_texts("standings", value)
    assert "P3 · withdrawn" in page
    assert "Status" not in page


def measure_texts(content: bytes) -> list[tuple[str, float, int]]:
    """Return each text with its font size in points and its page index."""
    document = pypdfium2.PdfDocument(content)
    text_sizes = []
    for number, page in enumerate(document):
        texts = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())
        text_sizes += [
            (text.extract(), text.get_font_size() * text.get_matrix().get()[0], number) for text in texts
        ]
    document.close()
    return text_sizes


@pytest.mark.parametrize("report", ["crosstable", "wall-chart", "matrix"])
def test_crosstable_report_has_large_type(report: str) -> None:
    index = sample_tournament.make_index(30)
    sizes = {}
    for paper in ("a4", "a3", "a3-large", "a4-large"):
        text_sizes = measure_texts(render_report(report, make_context(index.tournament, paper=paper)))
        names = {player.name for player in index.tournament.players.values()} - {sample_tournament.LONG_NAME}
        sizes[paper] = min(size for text, size, _ in text_sizes if text in names)
        assert {text for text, *_ in text_sizes} >= names | {sample_tournament.LONG_NAME}  # no name is shortened
    assert sizes["a3-large"] >= 21.9
    assert sizes["a4-large"] >= 21.9
    assert sizes["a4"] < 16


def test_compute_fingerprint_ignores_the_size_of_a_crosstable() -> None:
    value = sample_tournament.make_tournament(30)
    small, large = (make_context(value, paper=paper) for paper in ("a4", "a3-large"))
    (division,) = small.divisions
    assert compute_report_fingerprint("wall-chart", small, division) == compute_report_fingerprint(
        "wall-chart", large, division
    )


def test_crosstable_report_prints_a_long_name_smaller() -> None:
    text_sizes = measure_texts(render_report("standings", make_context(sample_tournament.make_tournament(60))))
    sizes = {text: size for text, size, _ in text_sizes}
    assert 0 < sizes[sample_tournament.LONG_NAME] < sizes[sample_tournament.make_name(1)]


def test_schedule_report_keeps_rounds_together() -> None:
    value = sample_tournament.make_tournament(30, rounds=5)
    pages = read_page_texts("schedule", value)
    assert len(pages) > 1
    for page in pages:
        rounds = [
            int(line.split()[0]) for line in page.splitlines() if line.split()[:1] and line.split()[0].isdigit()
        ]
        assert rounds, page  # each page starts with a round number


@pytest.mark.slow
def test_make_plan_repeats_the_number_of_a_long_round() -> None:
    (division,) = sample_tournament.make_index(240).divisions
    section = REPORTS["schedule"].section(make_context(sample_tournament.make_index(240).tournament), division)
    assert isinstance(section, Section)
    style = load_style(sample_tournament.FONTS)
    plan = choose_list_layout(section, style, columns=1, scale=style.desk)
    round_cells = section.fields[0].cells
    assert len(plan.column_starts) > 3
    assert any(not round_cells[start] for start in plan.column_starts)
    found_texts = measure_texts(
        render_report("schedule", make_context(sample_tournament.make_index(240).tournament))
    )
    first_cells = [text for text, *_ in found_texts if text in {"1", "2", "3"}]
    assert len(first_cells) >= len(plan.column_starts)


@pytest.mark.parametrize("language", ["en", "de"])
def test_list_averages_have_one_decimal(language: str) -> None:
    value = building.pair_rounds(building.make_event(), times=2)
    index, catalogue = TournamentIndex(value), Catalogue(language, sample_tournament.LOCALE, zone=UTC)
    averages = make_averages_text_table(catalogue, index, index.divisions[0], 2)
    decimal_sign = "." if language == "en" else ","
    cells = [cell for row in averages.list_rows("average", "average_against", "average_spread") for cell in row]
    assert {cell[-2] for cell in cells} == {decimal_sign}


@pytest.mark.parametrize("report", ["badges", "place-cards"])
def test_badge_report_puts_the_first_name_first(report: str) -> None:
    value = commands.edit_player(
        building.pair_rounds(building.make_event()), player=PlayerId("p1"), name="Berg, Anna van den"
    )
    page = "\n".join(read_page_texts(report, value))
    assert "Anna van den Berg" in page
    assert "Berg, Anna" not in page


def test_pairings_report_lists_all_divisions_by_name() -> None:
    value = sample_tournament.make_tournament(4, divisions=("A", "B"))
    (page,) = read_page_texts("everybody-by-name", value)
    order = [line for line in page.splitlines() if line in {sample_tournament.make_name(n) for n in range(4)}]
    assert len(order) == 8
    assert order == sorted(order, key=Catalogue("en", sample_tournament.LOCALE).make_sort_key)
    assert "Division" in page
    assert "Table" in page


@pytest.mark.parametrize(
    ("paper", "name"),
    [
        ("a4", "The Great International Cologne Scrabble Festival of 2027 Whose Name Needs Two Lines"),
        (
            "a4-large",
            "The Great International Cologne Scrabble Festival of 2027 " + "Whose Name Needs Two Lines " * 3,
        ),
    ],
)
def test_long_header_continues_on_a_second_line(paper: str, name: str) -> None:
    value = building.pair_rounds(building.make_event(8, rounds=2))
    value = value.put(replace(value.event, name=name.strip()))
    lines = read_page_texts("standings", value, paper=paper)[0].splitlines()
    assert any(line.startswith(value.event.name) for line in lines)
    assert any(line.startswith("Ranked by ") for line in lines)
    assert not any("…" in line for line in lines)
