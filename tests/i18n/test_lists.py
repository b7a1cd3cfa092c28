"""Tests that the web, printouts, hall screens and exports show the same lists and the same bracket."""

from __future__ import annotations

import pypdfium2
import pytest

from tdapp.domain.index import TournamentIndex
from tdapp.domain.tables.bracket import MatchBoxOnPage, build_bracket_trees, find_shown_knockout
from tdapp.exchange import exports
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import BracketDimensions, lay_out_matches, list_board_squares
from tdapp.i18n.lists import make_pairings_text_table
from tdapp.i18n.slides import DisplayProgramme, DisplayView, SlideTable, make_slides
from tdapp.reports import render_report
from tdapp.scrabble.board import Board, PlacedTile
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds
from tests.game_decisions import make_decided_games
from tests.reports.test_bulletin import make_context
from tests.web.page_checks import iterate_elements, parse_page, read_element_text
from tests.web.test_site import make_site

CATALOGUE = Catalogue("en", RESOURCES / "locale")


@pytest.mark.slow
def test_list_pairings_is_the_same_in_each_medium() -> None:
    for value in (make_decided_games(), pair_rounds(make_event(7), times=2)):
        index = TournamentIndex(value)
        item = index.list_published_rounds(DIVISION)[-1]
        listing = make_pairings_text_table(CATALOGUE, index, item)
        rows = listing.list_rows("table", "first_name", "score", "second_name")
        web = [
            [read_element_text(cell) for cell in iterate_elements(row, "td", "th")]
            for row in iterate_elements(parse_page(make_site(value)["a-round.html"]), "tr")
        ]
        assert web[1:] == [[table, first, second, score] for table, first, score, second in rows]
        slide_bodies = [
            slide.body for slide in make_slides(value, DisplayProgramme(DisplayView.TABLES), CATALOGUE)
        ]
        assert [row for body in slide_bodies if isinstance(body, SlideTable) for row in body.rows] == rows
        text = exports.make_export_content("round-txt", index, "A", None, CATALOGUE)
        assert isinstance(text, bytes)
        lines = [line.split() for line in text.decode().splitlines()[3:]]
        assert lines == [" ".join(row).split() for row in rows]
        document = pypdfium2.PdfDocument(render_report("pairings-by-table", make_context(value)))
        printed_text = "\n".join(page.get_textpage().get_text_range() for page in document)
        document.close()
        assert all(
            first in printed_text and score in printed_text and second in printed_text
            for _, first, score, second in rows
        )


def test_lay_out_matches_draws_lines_from_each_match_to_the_next() -> None:
    index = TournamentIndex(make_decided_games())
    stage = find_shown_knockout(index, DIVISION)
    assert stage is not None
    (tree,) = build_bracket_trees(index, stage)
    matches_on_page = [MatchBoxOnPage(box, box.column, box.row) for box in tree.boxes]
    matches_by_key = {
        match.box.key: match
        for match in lay_out_matches(CATALOGUE, matches_on_page, BracketDimensions(100, 20, 50, left=3, top=7))
    }
    assert {match.box.key for match in matches_by_key.values() if not match.join} == {"4/1"}
    for match in matches_by_key.values():
        if match.join:
            next_match = matches_by_key[match.box.next]
            assert match.join[0] == (match.left + 100, match.middle)
            assert match.join[-1] == (next_match.left, next_match.middle)
    first = {key: match for key, match in matches_by_key.items() if match.box.column == 0}
    (match_at_page_end, *_) = lay_out_matches(
        CATALOGUE,
        [match_on_page for match_on_page in matches_on_page if match_on_page.box.key in first],
        BracketDimensions(100, 20, 50),
    )
    assert match_at_page_end.join == (
        (100, match_at_page_end.middle),
        (110, match_at_page_end.middle),
    )  # the next match is on another page


def test_list_board_squares_returns_signs_of_squares_and_tiles() -> None:
    board = Board().place_tiles([PlacedTile(8, 8, "A"), PlacedTile(8, 9, "b")])
    squares = {(square.row, square.column): square for square in list_board_squares(CATALOGUE, board, {(8, 9)})}
    assert len(squares) == 225
    assert (squares[1, 1].sign, squares[1, 2].sign) == ("3W", "")
    assert (squares[8, 8].is_centre, squares[8, 8].is_blank, squares[8, 8].new) == (True, False, False)
    assert (squares[8, 9].tile, squares[8, 9].is_blank, squares[8, 9].new) == ("b", True, True)
