"""Tests of all outputs with scores: they show the winner, and the reason if the points did not decide the game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import find_game_winner
from tdapp.domain.model import Round
from tdapp.domain.outcome import DecisionReason
from tdapp.domain.tables import jury, rounds
from tdapp.domain.tables.bracket import build_bracket_trees, find_shown_knockout
from tdapp.domain.tables.players import make_player_card_table
from tdapp.exchange import exports
from tdapp.gui.jury.round_list import make_jury_game_list_row
from tdapp.i18n import LANGUAGES, Catalogue, rounds_page
from tdapp.i18n.jury_preview import JuryLineReader
from tdapp.i18n.messages.sentences import DECISION_MARKS
from tdapp.i18n.result_preview import ResultLineReader
from tdapp.i18n.scores import format_match_score, format_player_card_score
from tdapp.i18n.slides import DisplayProgramme, DisplayView, SlideTable, make_slides
from tdapp.reports import render_report
from tdapp.storage import Store
from tests.building import DIVISION, RESOURCES, get_game_at, make_event, pair_rounds
from tests.cli.shell import Shell
from tests.game_decisions import SCORES, find_winner, list_names, list_players, make_decided_games
from tests.reports.test_bulletin import make_context
from tests.web.page_checks import iterate_elements, parse_page, read_element_text
from tests.web.running_server import run_server
from tests.web.test_overlays import read_overlay_rows
from tests.web.test_own_page import open_own_page
from tests.web.test_site import make_site

CATALOGUE = Catalogue("en", RESOURCES / "locale")
TABLES = (1, 2, 3, 4, 5, 6)


@cache
def get_index() -> TournamentIndex:
    return TournamentIndex(make_decided_games())


def get_round() -> Round:
    return get_index().list_published_rounds(DIVISION)[-1]


def format_score_for(table: int, side: int) -> str:
    """Return the score in the order for the first or the second player."""
    first, _, second = SCORES[table][0].partition("–")
    if SCORES[table][0].startswith("–"):
        return SCORES[table][0]
    return (
        f"{first.strip()} – {second.strip()}".strip()
        if side == 1
        else f"{second.strip()} – {first.strip()}".strip()
    )


@cache
def read_printout(report: str) -> str:
    document = pypdfium2.PdfDocument(render_report(report, make_context(make_decided_games())))
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return " ".join(" ".join(pages).split())


# --- the decision


@pytest.mark.parametrize("table", TABLES)
def test_find_game_winner_decides_every_game(table: int) -> None:
    player = find_game_winner(get_index(), get_game_at(make_decided_games(), table))
    assert (make_decided_games().players[player].name if player else "") == find_winner(table)
    row = rounds.make_pairing_table(get_index(), get_round()).rows[table - 1]
    assert (row.winner_name, row.decided_by) == (find_winner(table), SCORES[table][2])


def test_find_game_winner_returns_none_for_a_tie_in_a_swiss() -> None:
    value = pair_rounds(make_event(4), results=False)
    game = get_game_at(value, 1)
    value = commands.enter_result(value, game=game.id, first=400, second=400)
    row = rounds.make_pairing_table(
        TournamentIndex(value), TournamentIndex(value).list_published_rounds(DIVISION)[-1]
    ).rows[0]
    assert (find_game_winner(TournamentIndex(value), game), row.winner, row.decided_by) == (None, None, None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_decision_marks_have_a_text_and_a_meaning_for_every_reason(language: str) -> None:
    catalogue = Catalogue(language, RESOURCES / "locale")
    assert set(DECISION_MARKS) == set(DecisionReason)
    assert tuple(SCORES) == TABLES
    for label, meaning in DECISION_MARKS.values():
        assert catalogue.text(label)
        assert catalogue.text(meaning)


# --- the window


@pytest.mark.parametrize("table", TABLES)
def test_rounds_page_shows_the_winner(table: int) -> None:
    line = rounds_page.make_rounds_page_table(get_index(), get_round(), typed_scores={}, selected_players=()).rows[
        table - 1
    ]
    formatters = rounds_page.make_cell_formatters(CATALOGUE)
    winner_columns = [
        column for column in ("first_name", "second_name") if rounds_page.is_cell_of_winner(line, column)
    ]
    assert winner_columns == {1: ["first_name"], 2: ["second_name"], 0: []}[SCORES[table][1]]
    cells = [formatters[column](line) for column in ("score1", "score2")]
    assert " – ".join(cells).strip() in {SCORES[table][0], "forfeited – forfeited"}


@pytest.mark.parametrize("table", TABLES)
def test_jury_page_shows_the_winner_in_list_and_line(table: int) -> None:
    rows = jury.make_jury_game_table(get_index(), get_round(), find_doubts=lambda _form: frozenset()).rows
    row = rows[table - 1]
    assert make_jury_game_list_row(row, CATALOGUE, has_draft=False, hide_words=False).score == SCORES[table][0]
    reader = JuryLineReader(get_index(), rows, CATALOGUE, tileset=None, wordlist=None)
    assert f"<b>{SCORES[table][0]}</b>" in reader.format_game_as_html(row)


@pytest.mark.parametrize("table", TABLES)
def test_result_field_names_the_winner(table: int) -> None:
    reader = ResultLineReader(get_index(), get_round(), CATALOGUE)
    assert SCORES[table][0] in reader.preview_line(f"{table} -").text


@pytest.mark.parametrize("table", TABLES)
def test_player_card_and_crosstable_show_the_winner(table: int) -> None:
    for side in (1, 2):
        player = list_players(table)[side - 1]
        row = make_player_card_table(get_index(), player).rows[0]
        score_text = format_player_card_score(CATALOGUE, row)
        expected_text = format_score_for(table, side)
        assert score_text == (expected_text if row.decided_by else expected_text.replace(" ", ""))
        assert row.decided_by == SCORES[table][2]


@pytest.mark.parametrize("table", TABLES)
def test_bracket_in_window_and_screens_shows_the_winner(table: int) -> None:
    stage = find_shown_knockout(get_index(), DIVISION)
    assert stage is not None
    boxes = [box for tree in build_bracket_trees(get_index(), stage) for box in tree.boxes]
    (box,) = (box for box in boxes if {side.name for side in box.sides} == {*list_names(table)} and box.games)
    score_texts = {side.name: format_match_score(CATALOGUE, box, index) for index, side in enumerate(box.sides)}
    first, second = (score_texts[name] for name in list_names(table))
    assert f"{first} – {second}".strip() in {SCORES[table][0], "forfeited – forfeited"}
    assert [side.name for side in box.sides if side.won] == ([find_winner(table)] if find_winner(table) else [])


# --- paper


def test_results_report_shows_the_winner() -> None:
    assert " ".join(SCORES[table][0] for table in TABLES) in read_printout("pairings-by-table")


def test_bulletin_names_the_winner() -> None:
    text = read_printout("bulletin")
    for table in TABLES:
        first, second = list_names(table)
        assert f"{first} {SCORES[table][0]} {second}" in text, table


@pytest.mark.parametrize("report", ["crosstable", "matrix", "wall-chart"])
def test_crosstable_reports_mark_the_winner(report: str) -> None:
    text = read_printout(report)
    score = {1: "480–430", 4: "410–400", 5: "411–411"}
    for table, points in score.items():
        word = SCORES[table][2]
        assert re.search(rf"{points} (\S+ [+−]?\d+ )?{word}\b", text), table
    assert text.count("forfeit ") >= len(TABLES) - 2


def test_scorecards_mark_the_winner() -> None:
    text = read_printout("scorecards")
    for points in (
        "480 time Points against 430",
        "430 Points against 480 time",
        "410 sanction",
        "411 wins",
        "forfeited",
    ):
        assert points in text, points


def test_bracket_report_shows_the_winner() -> None:
    text = read_printout("bracket")
    for points in ("480 time", "410 sanction", "411 wins", "forfeited"):
        assert points in text, points


@pytest.mark.parametrize(
    "report", ["pairings-by-table", "bulletin", "crosstable", "matrix", "wall-chart", "bracket", "scorecards"]
)
def test_reports_explain_their_marks(report: str) -> None:
    text = read_printout(report)
    for meaning in (
        "equal scores; decided by the rules or a ruling",
        "lost on time",
        "lost as a sanction",
        "lost without",
    ):
        assert meaning in text, meaning


def test_reports_without_marks_explain_none() -> None:
    document = pypdfium2.PdfDocument(render_report("pairings-by-table", make_context(pair_rounds(make_event(8)))))
    assert "lost" not in document[0].get_textpage().get_text_range()
    document.close()


# --- public screens, phones, overlays, the web site


def test_slides_show_the_winner() -> None:
    slides = make_slides(make_decided_games(), DisplayProgramme(DisplayView.TABLES), CATALOGUE)
    rows = [row for slide in slides if isinstance(slide.body, SlideTable) for row in slide.body.rows]
    for table in TABLES:
        first, second = list_names(table)
        assert (str(table), first, SCORES[table][0], second) in rows


def iterate_row_texts(page: bytes) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the texts of each table row of a page, and the texts in bold."""
    for row in iterate_elements(parse_page(page), "tr"):
        parts = [*iterate_elements(row, "td", "th")]
        yield (
            [read_element_text(part) for part in parts],
            [read_element_text(part) for part in parts if "strong" in part.attrib.get("class", "").split()],
        )


@cache
def make_site_pages() -> Mapping[str, bytes]:
    return make_site(make_decided_games())


@pytest.mark.parametrize("table", TABLES)
def test_site_round_shows_the_winner(table: int) -> None:
    table_row = next(
        row for row in iterate_row_texts(make_site_pages()["a-round-1.html"]) if row[0][0] == str(table)
    )
    assert table_row[0] == [str(table), *list_names(table), SCORES[table][0]]
    assert [name for name in list_names(table) if name in table_row[1]] == (
        [find_winner(table)] if find_winner(table) else []
    )
    assert "time: lost on time" in make_site_pages()["a-round-1.html"].decode()


@pytest.mark.parametrize("table", TABLES)
def test_site_players_and_crosstable_show_the_winner(table: int) -> None:
    crosstable = [row for row, _ in iterate_row_texts(make_site_pages()["a-crosstable.html"])]
    for side in (1, 2):
        player = list_players(table)[side - 1]
        page = make_site_pages()[f"a-player-{player.number}.html"].decode()
        assert SCORES[table][2] is None or f">{SCORES[table][2]}<" in page
        row = next(row for row in crosstable if player.name in row)
        assert any(
            cell.replace(" ", "").endswith(format_score_for(table, side).replace(" ", "")) for cell in row
        ), row


def test_site_bracket_shows_the_winner() -> None:
    lines = [row for row, _ in iterate_row_texts(make_site_pages()["a-bracket.html"])]
    for table in TABLES:
        row = next(row for row in lines if {*list_names(table)} <= {*row})
        expected_score = SCORES[table][0] if row[1] == list_names(table)[0] else format_score_for(table, 2)
        assert row[-1] == expected_score


@pytest.mark.parametrize("table", TABLES)
def test_site_json_names_the_winner(table: int) -> None:
    game = json.loads(make_site_pages()["data.json"])["divisions"][0]["rounds"][0]["games"][table - 1]
    assert game["decision"] == SCORES[table][2]
    assert game["winner"] == next(
        (player.number for player in list_players(table) if player.name == find_winner(table)), None
    )


def test_overlays_show_the_winner() -> None:
    with run_server(replace(make_decided_games(), secret="of the tests")) as base_url:  # noqa: S106
        pairing_rows = read_overlay_rows(base_url, "pairings?top=8")
        ticker = read_overlay_rows(base_url, "ticker?top=8")
        for table in TABLES:
            line = [str(table), *list_names(table), SCORES[table][0]]
            assert line in pairing_rows
            assert line in ticker
            scores = [row[-1] for row in read_overlay_rows(base_url, f"table?table={table}")]
            assert " – ".join(scores).strip() in {SCORES[table][0], "forfeited – forfeited"}


def test_phone_page_names_the_winner() -> None:
    with run_server(replace(make_decided_games(), secret="of the tests")) as base_url:  # noqa: S106
        for table in TABLES:
            reason = SCORES[table][2]
            page = open_own_page(base_url, get_game_at(make_decided_games(), table).first).text
            assert reason is None or f">{reason}<" in page, table
            narrow = [
                head
                for head in iterate_elements(parse_page(page.encode()), "th")
                if "spare" in head.attrib.get("class", "")
            ]
            assert ("Result" in map(read_element_text, narrow)) is (reason is None), table


# --- texts, files, the command line


@pytest.mark.parametrize("kind", ["round-txt", "round-short"])
def test_text_exports_name_the_winner(kind: str) -> None:
    text = exports.make_export_content(kind, get_index(), "A", None, CATALOGUE)
    lines = (text.decode() if isinstance(text, bytes) else str(text)).splitlines()
    for table in TABLES:
        line = next(line for line in lines if line.strip().startswith(str(table)))
        first, _, second = SCORES[table][0].partition("–")
        is_double_forfeit = SCORES[table][0].startswith("–")
        parts = ("forfeited",) if is_double_forfeit else (first.strip(), second.strip())
        assert all(part in line for part in parts), line


def test_workbook_export_shows_the_winner() -> None:
    data = exports.make_export_content("xlsx", get_index(), "A", None, CATALOGUE)
    assert isinstance(data, bytes)
    strings = ZipFile(BytesIO(data)).read("xl/sharedStrings.xml").decode()
    for text in ("(16) 480 time – 430", "(12) 411 – 411 wins", "Winner", "Decided by", "sanction"):
        assert text in strings, text


def test_command_line_names_the_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "decided.tdapp"
    Store.create(file, make_decided_games()).close()
    shell = Shell(tmp_path, capsys)
    output_lines = shell.run("pairings", file).splitlines()
    games = shell.run_json("pairings", file)["games"]
    matches = shell.run("bracket", file)
    for table in TABLES:
        reason, line, game = SCORES[table][2], output_lines[table], games[table - 1]
        assert line.split()[0] == str(table)
        assert reason is None or reason in line
        assert not find_winner(table) or line.count(find_winner(table)) == 2  # as a player, and as the winner
        assert game["decision"] == reason
        assert game["winner"] == next(
            (player.number for player in list_players(table) if player.name == find_winner(table)), None
        )
        decision_text = {"tie": "wins", "forfeit": "forfeited"}.get(reason or "", reason)
        assert decision_text is None or decision_text in matches
    bracket_matches = shell.run_json("bracket", file)["matches"]
    assert {game["decision"] for match in bracket_matches for game in match["games"]} == {*DecisionReason, None}
