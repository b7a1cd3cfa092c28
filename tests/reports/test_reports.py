"""Tests of all reports of a played tournament: contents in four languages, and PDF properties."""

from __future__ import annotations

from datetime import UTC, datetime

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ResultState
from tdapp.domain.tables.table import ColumnKind
from tdapp.exchange.presets import read_rating_systems
from tdapp.i18n import LANGUAGES, Catalogue
from tdapp.i18n.slides import DisplayProgramme, DisplayView, SlideTable, make_slides
from tdapp.reports import (
    PAPERS,
    REPORTS,
    ReportContext,
    load_style,
    render_report,
    render_reports_and_count_pages,
)
from tdapp.reports.layout import list_shaded_row_indexes
from tdapp.reports.sections import Section
from tdapp.web.site_views import DivisionPages
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds
from tests.reports import sample_tournament

# Reports that can be empty: logs, teams, prizes and the bracket.
LOGS = frozenset(
    {
        "incidents",
        "sanctions",
        "rulings",
        "short-words",
        "challenges",
        "doubtful-words",
        "history",
        "bracket",
        "teams",
        "prizes",
    }
)
# Printouts to cut or to give to players. Their pages have no foot.
PIECES = frozenset(
    {
        "slips",
        "slips-blank",
        "score-sheets",
        "scorecards",
        "scorecards-blank",
        "place-cards",
        "labels",
        "badges",
        "break-up",
    }
)
# Reports that name only some players.
SOME = LOGS | {
    "slips",
    "slips-blank",
    "break-up",
    "score-sheets",
    "challenge-slips",
    "table-cards",
    "certificates",
    "statistics",
    "fees",  # needs a fee
    "season",  # needs a season
    "season-years",
    "season-ratings",
    "team-matches",  # needs team matches
}
# The number of pages with 25 players, if more than one.
PAGES = {
    "crosstable": 2,
    "matrix": 4,
    "wall-chart": 2,
    "scorecards": 13,
    "scorecards-blank": 13,
    "place-cards": 5,
    "badges": 4,
    "labels": 2,
}


def make_context(
    index: TournamentIndex, *, language: str = "en", round_number: int | None = None, paper: str = "a4"
) -> ReportContext:
    return ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue(language, sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS, paper=paper),
        printed_at=datetime(2026, 11, 21, 14, 5),
        round=round_number,
        rating_systems=read_rating_systems(RESOURCES / "ratings"),
    )


def read_page_texts(content: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)]


@pytest.mark.parametrize("report", [name for name in REPORTS if name not in SOME])
@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_name_each_player_in_each_language(report: str, language: str) -> None:
    texts = read_page_texts(
        render_report(report, make_context(sample_tournament.make_index(25), language=language))
    )

    words = " ".join(texts)
    assert len(texts) == PAGES.get(report, 1)
    assert all("Open Leiden Scrabble 2026" in text for text in texts)
    assert report in PIECES or all("14:05" in text for text in texts)
    short = [
        sample_tournament.make_name(number)
        for number in range(25)
        if sample_tournament.make_name(number) != sample_tournament.LONG_NAME
    ]
    assert [name for name in short if name not in words] == []
    assert sample_tournament.LONG_NAME[:15] in words


@pytest.mark.parametrize("language", LANGUAGES)
def test_report_names_are_unique(language: str) -> None:
    catalogue = Catalogue(language, RESOURCES / "locale")
    assert len({catalogue.text(report.untranslated_title) for report in REPORTS.values()}) == len(REPORTS)


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("paper", PAPERS)
def test_render_report_embeds_fonts(report: str, paper: str) -> None:
    content = render_report(report, make_context(sample_tournament.make_index(9), paper=paper))

    assert b"Helvetica" not in content
    assert content.count(b"/FontFile2") == content.count(b"/FontDescriptor ") >= 1
    size, usual = pypdfium2.PdfDocument(content)[0].get_size(), REPORTS[report].get_page_size(PAPERS[paper])
    turned = paper.endswith("-large") and size[0] > size[1]  # wall lists are landscape
    assert size == pytest.approx((max(usual), min(usual)) if turned else usual, abs=0.01)


def test_render_report_has_title_author_language_and_outline() -> None:
    content = render_report(
        "standings", make_context(sample_tournament.make_index(8, divisions=("A", "B")), language="nl")
    )
    opened = pypdfium2.PdfDocument(content)

    assert opened.get_metadata_value("Title").startswith("Open Leiden Scrabble 2026 · ")
    assert opened.get_metadata_value("Author") == "T. Director"
    assert b"/Lang (nl)" in content
    assert [bookmark.get_title().rpartition(" ")[2] for bookmark in opened.get_toc()] == ["A", "B"]


def test_render_report_starts_a_page_for_each_division() -> None:
    texts = read_page_texts(
        render_report("pairings-by-table", make_context(sample_tournament.make_index(8, divisions=("A", "B"))))
    )

    assert ["Division A" in texts[0], "Division B" in texts[1], len(texts)] == [True, True, 2]
    assert "Page 2 of 2" in texts[1]


def test_pairings_report_before_and_after_the_games() -> None:
    index = sample_tournament.make_index(5)
    before = read_page_texts(render_report("pairings-by-table", make_context(index)))[0].splitlines()
    after = read_page_texts(render_report("pairings-by-table", make_context(index, round_number=1)))[0]

    assert "Round 3: pairings" in before
    assert "bye" in before
    assert "Round 1: results" in after
    game = index.games(index.get_round(index.divisions[0].id, 1).id)[0]
    result = index.get_result(game.id)
    assert result is not None
    assert f"{result.first} – {result.second}" in after


@pytest.mark.parametrize("report", ["pairings-by-table", "pairings-by-name"])
def test_pairings_report_names_missing_results(report: str) -> None:
    index = sample_tournament.make_index(6)
    round_row = index.rounds(index.divisions[0].id)[-1]
    game = index.games(index.rounds(index.divisions[0].id)[0].id)[1]
    index_with_assumption = TournamentIndex(index.tournament.put(replace(round_row, assumed=(game.id,))))
    assert "paired while" not in read_page_texts(render_report(report, make_context(index)))[0]
    report_text = " ".join(read_page_texts(render_report(report, make_context(index_with_assumption)))[0].split())
    assert "paired while the result of table 2 of round 1 was missing" in report_text


def test_pairings_report_names_tables_with_missing_results_by_round() -> None:
    index = sample_tournament.make_index(6)
    first_round, last_round = index.rounds(index.divisions[0].id)[0], index.rounds(index.divisions[0].id)[-1]
    games = tuple(game.id for game in index.games(first_round.id))
    assert [game.table for game in index.games(first_round.id)] == [1, 2, 3]
    index = TournamentIndex(index.tournament.put(replace(last_round, assumed=games)))
    report_text = " ".join(read_page_texts(render_report("pairings-by-table", make_context(index)))[0].split())
    assert "paired while the results of tables 1–3 of round 1 were missing" in report_text


def test_pairings_report_by_name_follows_the_language() -> None:
    index = sample_tournament.make_index(12)

    def list_printed_names(language: str) -> list[str]:
        lines = read_page_texts(render_report("pairings-by-name", make_context(index, language=language)))[
            0
        ].splitlines()
        first = [sample_tournament.make_name(number) for number in range(12) if number != 7]
        return [line for line in lines if line in first][: len(first)]

    assert list_printed_names("nb").index("Øyvind Ødegård") > list_printed_names("nb").index("Li Ng")
    assert render_report("pairings-by-name", make_context(index, language="nb")) != render_report(
        "pairings-by-name", make_context(index)
    )


def test_standings_report_counts_checked_games() -> None:
    value = sample_tournament.make_index(8).tournament
    entered = value.put(*(replace(result, state=ResultState.ENTERED) for result in value.results.values()))
    index = TournamentIndex(entered)
    assert "checked" not in read_page_texts(render_report("standings", make_context(index)))[0]
    game = index.games(index.get_round(index.divisions[0].id, 1).id)[0]
    begun = TournamentIndex(commands.check_result(entered, game=game.id))
    assert (
        "1 of 4 games checked"
        in read_page_texts(render_report("standings", make_context(begun, round_number=1)))[0]
    )
    assert "1 of 8 games checked" in read_page_texts(render_report("standings", make_context(begun)))[0]


def test_standings_report_names_withdrawn_players() -> None:
    value = sample_tournament.make_index(8).tournament
    assert "withdrawn" not in read_page_texts(render_report("standings", make_context(TournamentIndex(value))))[0]
    first_player, second_player = list(value.players)[:2]
    tournament_with_absences = value.put(
        Absence(AbsenceId("a"), first_player, first_round=3), Absence(AbsenceId("b"), second_player, first_round=2)
    )
    printed = [
        read_page_texts(
            render_report(
                "standings", make_context(TournamentIndex(tournament_with_absences), round_number=round_number)
            )
        )[0]
        for round_number in (1, 2)
    ]
    assert [page.count("withdrawn") for page in printed] == [1, 2]


def test_standings_report_after_an_earlier_round() -> None:
    index = sample_tournament.make_index(10)

    assert (
        "Standings after round 1"
        in read_page_texts(render_report("standings", make_context(index, round_number=1)))[0]
    )
    assert "Standings after round 2" in read_page_texts(render_report("standings", make_context(index)))[0]
    [game, *_] = index.games(index.rounds(index.divisions[0].id)[-1].id)
    begun = commands.enter_result(index.tournament, game=game.id, first=400, second=380)
    assert (
        "Standings during round 3"
        in read_page_texts(render_report("standings", make_context(TournamentIndex(begun))))[0]
    )
    assert (
        "Standings before the first round"
        in read_page_texts(render_report("standings", make_context(sample_tournament.make_index(4, rounds=0))))[0]
    )


@pytest.mark.slow
def test_standings_report_repeats_headings_on_each_page() -> None:
    texts = read_page_texts(render_report("standings", make_context(sample_tournament.make_index(300))))

    assert len(texts) > 1
    assert all("Rank" in text and f"of {len(texts)}" in text for text in texts)


def test_render_report_refuses_missing_round_and_unknown_report() -> None:
    with pytest.raises(CommandError, match="no-such-round"):
        render_report("pairings-by-table", make_context(sample_tournament.make_index(4), round_number=9))
    with pytest.raises(CommandError, match="no-such-report"):
        render_report("horoscope", make_context(sample_tournament.make_index(4)))
    with pytest.raises(CommandError, match="no-round-published"):
        render_report("pairings-by-name", make_context(sample_tournament.make_index(4, rounds=0)))


def test_render_reports_has_own_pages_and_progress() -> None:
    context, progress_calls = make_context(sample_tournament.make_index(60)), []
    reports = [("standings", context), ("wall-chart", context)]
    content, sections = render_reports_and_count_pages(
        reports, progress=lambda *progress: progress_calls.append(progress)
    )

    texts = read_page_texts(content)
    assert sections == [[2], [len(texts) - 2]]
    assert progress_calls == [(number, len(texts)) for number in range(1, len(texts) + 1)]
    assert "Page 1 of 2" in texts[0]
    assert f"Page 1 of {len(texts) - 2}" in texts[2]
    first, last = (pypdfium2.PdfDocument(content)[page_index].get_size() for page_index in (0, len(texts) - 1))
    assert first == (last[1], last[0])


def test_render_reports_progress_can_stop() -> None:
    def stop_at_three(page_count: int, _total: int) -> None:
        if page_count == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        render_reports_and_count_pages(
            [("scorecards", make_context(sample_tournament.make_index(60)))], progress=stop_at_three
        )


@pytest.mark.slow
def test_render_report_is_repeatable() -> None:
    context = make_context(sample_tournament.make_index(30))

    assert all(render_report(report, context) == render_report(report, context) for report in REPORTS)


def test_render_report_has_the_date_of_printing(monkeypatch: pytest.MonkeyPatch) -> None:
    context = replace(
        make_context(sample_tournament.make_index(4)), printed_at=datetime(2026, 11, 21, 14, 5, tzinfo=UTC)
    )
    assert b"D:20261121140500" in render_report("standings", context)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert b"D:19700102000000" in render_report("standings", context)


@pytest.mark.parametrize("report", ["standings", "averages", "statistics", "schedule", "prizes", "incidents"])
def test_render_report_of_an_empty_list(report: str) -> None:
    [text] = read_page_texts(
        render_report(
            report,
            make_context(
                TournamentIndex(
                    commands.add_division(
                        commands.new_tournament(
                            key="t", name="Open", ruleset=sample_tournament.make_tournament(2).ruleset
                        ),
                        key="d",
                        code="A",
                    )
                )
            ),
        )
    )
    body = [line for line in text.splitlines() if not line.startswith("Open")]
    assert len(body) == 2, body  # the title and a sentence
    assert body[1].endswith(".")


def test_seat_report_of_a_large_field_has_two_columns() -> None:
    [text] = read_page_texts(
        render_report("pairings-by-name", make_context(sample_tournament.make_index(60), paper="a3"))
    )
    assert [text.count(heading) for heading in ("Name", "Table", "Opponent", "Starts")] == [2, 2, 2, 2]


def test_reports_and_pages_sort_names_equally() -> None:
    names = ["de Beer, Jan", "Zuidema, An", "van Aalst, Bo", "Bergen, Els"]
    value = make_event(0)
    for number, name in enumerate(names):
        value = commands.add_player(value, key=f"p{number}", division=DIVISION, name=name)
    context = make_context(TournamentIndex(pair_rounds(value)))
    division = context.divisions[0]
    expected = ["van Aalst, Bo", "de Beer, Jan", "Bergen, Els", "Zuidema, An"]

    cells_on_paper = [
        next(field.cells for field in section.fields if field.kind is ColumnKind.NAME)
        for report in ("pairings-by-name", "players-by-name", "check-in")
        if isinstance(section := REPORTS[report].section(context, division), Section)
    ]
    (slide,) = make_slides(context.index.tournament, DisplayProgramme(DisplayView.NAMES), context.catalogue)

    assert [[*cells] for cells in cells_on_paper] == [expected] * 3
    assert isinstance(slide.body, SlideTable)
    assert [row[0] for row in slide.body.rows] == expected
    assert [
        row.cells[0].text
        for row in DivisionPages(
            context.index, division, "a", context.catalogue, context.index
        ).list_player_search_rows()
    ] == expected


def test_pairings_by_name_break_long_names_into_two_rows() -> None:
    index = sample_tournament.make_index(8)
    player = index.players(index.divisions[0].id)[0]
    index = TournamentIndex(index.tournament.put(replace(player, name="Leutheusser-Schnarrenberger, Sabine")))
    context = make_context(index)
    section = REPORTS["pairings-by-name"].section(context, context.divisions[0])
    assert isinstance(section, Section)
    names = section.fields[0].cells
    first = names.index("Leutheusser-Schnarrenberger,")
    assert names[first + 1].strip() == "Sabine"
    shaded_rows = [*list_shaded_row_indexes(section, range(section.row_count))]
    assert (first in shaded_rows) == (first + 1 in shaded_rows)


@pytest.mark.parametrize("paper", ["a4-large", "letter-large", "a3-large"])
@pytest.mark.parametrize("report", ["pairings-by-name", "standings"])
def test_wall_reports_have_large_type(report: str, paper: str) -> None:
    context = make_context(sample_tournament.make_index(60), paper=paper)
    names = {
        player.name
        for player in context.index.tournament.players.values()
        if sample_tournament.LONG_NAME not in player.name
    }
    with pypdfium2.PdfDocument(render_report(report, context)) as document:
        page = document[0]
        text_objects = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())
        sizes = [text_object.get_font_size() for text_object in text_objects if text_object.extract() in names]
        width, height = page.get_size()

    assert width > height
    assert len(sizes) > 8
    assert sorted(sizes)[len(sizes) // 4] >= 22  # a few long names are printed in a smaller size
    assert min(sizes) >= 16


def measure_text_height(report: str, paper: str, text: str) -> float:
    context = make_context(sample_tournament.make_index(20), paper=paper)
    with pypdfium2.PdfDocument(render_report(report, context)) as document:
        page = document[0]
        text_objects = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())
        (_, low, _, high) = next(
            text_object.get_bounds() for text_object in text_objects if text in text_object.extract()
        )
    return float(high - low)


@pytest.mark.parametrize(
    ("report", "text"), [("scorecards", "Opponent"), ("slips", "starts"), ("certificates", "Certificate")]
)
def test_cards_have_larger_type_on_larger_paper(report: str, text: str) -> None:
    usual = measure_text_height(report, "a4", text)
    assert measure_text_height(report, "a3", text) == pytest.approx(usual * 2**0.5, rel=0.02)
    assert measure_text_height(report, "letter", text) == pytest.approx(usual, rel=0.02)


def test_labels_have_one_size_on_all_paper() -> None:
    name = sample_tournament.make_index(20).players(sample_tournament.make_index(20).divisions[0].id)[0].name
    assert measure_text_height("labels", "a3", name) == pytest.approx(
        measure_text_height("labels", "a4", name), rel=0.001
    )


def test_pairings_report_names_the_start_time() -> None:
    value = commands.set_times(
        pair_rounds(make_event(6), results=False), division=DIVISION, times="10:00 +65, 3: 13:30"
    )
    context = make_context(TournamentIndex(value))
    [division] = context.divisions
    for report in ("pairings-by-table", "pairings-by-name"):
        section = REPORTS[report].section(context, division)
        assert isinstance(section, Section)
        assert section.note == "Round 1 at 10:00"
    section = REPORTS["schedule"].section(context, division)
    assert isinstance(section, Section)
    assert [cell for cell in section.fields[1].cells if cell] == ["10:00", "11:05", "13:30", "14:35", "15:40"]
    for view in DisplayView.TABLES, DisplayView.CLOCK:
        [slide] = make_slides(value, DisplayProgramme(view), context.catalogue)
        assert "Round 1 at 10:00" in slide.note
    for report in ("pairings-by-table", "pairings-by-name"):
        tournament_with_result = commands.enter_result(value, game=next(iter(value.games)), first=400, second=300)
        section = REPORTS[report].section(make_context(TournamentIndex(tournament_with_result)), division)
        assert isinstance(section, Section)
        assert "10:00" not in section.note
