"""Web, paper, screens and mail show the same lists; four painters draw the same bracket."""

from __future__ import annotations

import pypdfium2
import pytest

from tdapp.domain.index import Index
from tdapp.domain.tables.bracket import MatchOnPage, build_bracket_trees, find_shown_knockout
from tdapp.exchange import exports
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import BracketScale, lay_out_matches, list_board_squares
from tdapp.i18n.lists import list_pairings
from tdapp.i18n.slides import DisplayProgramme, DisplayView, SlideTable, make_slides
from tdapp.reports import render_report
from tdapp.scrabble.board import Board, PlacedTile
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds
from tests.game_decisions import make_decided_games
from tests.reports.test_bulletin import context
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.test_site import site

WORDS = Catalogue("en", RESOURCES / "locale")


@pytest.mark.slow
def test_list_pairings_is_the_same_in_each_medium() -> None:
    for value in (make_decided_games(), pair_rounds(make_event(7), times=2)):
        index = Index(value)
        item = index.published(DIVISION)[-1]
        listed = list_pairings(WORDS, index, item)
        rows = listed.list_rows("table", "first_name", "score", "second_name")
        web = [
            [text_of(one) for one in iterate_elements(row, "td", "th")]
            for row in iterate_elements(parsed(site(value)["a-round.html"]), "tr")
        ]
        assert web[1:] == [[table, first, second, score] for table, first, score, second in rows]
        shown = [slide.body for slide in make_slides(value, DisplayProgramme(DisplayView.TABLES), WORDS)]
        assert [row for body in shown if isinstance(body, SlideTable) for row in body.rows] == rows
        text = exports.write_export("round-txt", index, "A", None, WORDS)
        assert isinstance(text, bytes)
        lines = [line.split() for line in text.decode().splitlines()[3:]]
        assert lines == [" ".join(row).split() for row in rows]
        document = pypdfium2.PdfDocument(render_report("pairings-by-table", context(value)))
        paper = "\n".join(page.get_textpage().get_text_range() for page in document)
        document.close()
        assert all(first in paper and score in paper and second in paper for _, first, score, second in rows)


def test_place_matches_leads_lines_from_each_match_to_the_next() -> None:
    index = Index(make_decided_games())
    stage = find_shown_knockout(index, DIVISION)
    assert stage is not None
    (tree,) = build_bracket_trees(index, stage)
    twigs = [MatchOnPage(box, box.column, box.row) for box in tree.boxes]
    placed = {
        match.box.key: match for match in lay_out_matches(WORDS, twigs, BracketScale(100, 20, 50, left=3, top=7))
    }
    assert {one.box.key for one in placed.values() if not one.join} == {"4/1"}
    for one in placed.values():
        if one.join:
            following = placed[one.box.next]
            assert one.join[0] == (one.left + 100, one.middle)
            assert one.join[-1] == (following.left, following.middle)
    first = {key: one for key, one in placed.items() if one.box.column == 0}
    (cut, *_) = lay_out_matches(
        WORDS, [twig for twig in twigs if twig.box.key in first], BracketScale(100, 20, 50)
    )
    assert cut.join == ((100, cut.middle), (110, cut.middle))  # the next match is on another page


def test_list_squares_gives_a_square_its_sign_and_a_tile_its_value() -> None:
    board = Board().place_tiles([PlacedTile(8, 8, "A"), PlacedTile(8, 9, "b")])
    found = {(square.row, square.column): square for square in list_board_squares(WORDS, board, {(8, 9)})}
    assert len(found) == 225
    assert (found[1, 1].sign, found[1, 2].sign) == ("3W", "")
    assert (found[8, 8].is_centre, found[8, 8].is_blank, found[8, 8].new) == (True, False, False)
    assert (found[8, 9].tile, found[8, 9].is_blank, found[8, 9].new) == ("b", True, True)
