"""Tests of the board: layout, legality, words and scores. Quotations are from the rule books."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble import board, coordinates
from tdapp.scrabble.board import (
    LAYOUT,
    Board,
    PlacedTile,
    TurnTilePlacement,
    find_only_play_with_score,
    find_tiles_missing_from_rack,
)
from tdapp.scrabble.coordinates import Direction
from tests.scrabble.tile_sets import load_tile_set, place_word, place_words

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN


def test_layout_is_symmetric() -> None:
    """NL-07: the table printed in nl-reglement has errors in 21 cells, so a test checks the layout."""
    assert ["".join(column) for column in zip(*LAYOUT, strict=True)] == list(LAYOUT)
    assert list(reversed(LAYOUT)) == list(LAYOUT)
    assert [row[::-1] for row in LAYOUT] == list(LAYOUT)


def test_layout_has_the_number_of_premiums() -> None:
    squares = "".join(LAYOUT)
    assert [squares.count(premium) for premium in "32cb"] == [8, 17, 12, 24]
    assert LAYOUT[7][7] == "2"


def test_score_play_gives_the_scores_of_the_brailleliga() -> None:
    """BR-19: TAART 12, TAFEL 20, POST 23, LATER 22; BR-16: "LATER + LA + EL"."""
    plays, _ = place_words(
        ("8D", "TAART"), ("E7", "TAFEL"), ("12C", "POST"), ("F10", "LATER"), tiles=load_tile_set("nl-be-old")
    )
    assert [play.score for play in plays] == [12, 20, 23, 22]
    assert [[word.text for word in play.words] for play in plays] == [
        ["TAART"],
        ["TAFEL"],
        ["POST", "TAFELS"],
        ["LATER", "EL", "LA"],
    ]
    assert [word.score for word in plays[2].words] == [12, 11]
    assert [word.score for word in plays[3].words] == [12, 7, 3]


def test_score_play_uses_the_values_of_the_tile_set() -> None:
    """NL-19: TAART at 8D = (2x2+1+1+2+2)x2 = 20."""
    assert place_words(("8D", "TAART"), tiles=load_tile_set("nl"))[0][0].score == 20


def test_score_play_adds_fifty_after_multiplication() -> None:
    """DE-12: (12)x2+50 = 74."""
    plays, _ = place_words(("8D", "STERNEN"), tiles=load_tile_set("de"))
    assert plays[0].score == (1 * 2 + 1 + 1 + 1 + 1 + 1 + 1) * 2 + 50
    without_bonus = Board().score_play(plays[0].placement, load_tile_set("de"), bonus=0)
    assert without_bonus.score == 16


def test_score_play_blank_is_zero_and_multiplies_the_word() -> None:
    """DE-09: a blank on a letter premium scores 0, but on a word premium (H8) it doubles the word."""
    plays, _ = place_words(("8D", "tAARt"), tiles=load_tile_set("nl-be-old"))
    assert plays[0].score == 6


def test_score_play_counts_a_premium_once() -> None:
    """DE-11, BR-14."""
    plays, _ = place_words(("8D", "TAART"), ("8D", "TAARTEN"), tiles=load_tile_set("nl-be-old"))
    assert plays[1].score == 7


def test_score_play_multiplies_several_word_premiums() -> None:
    """DE-08: "x4, x9": two double word squares in row 2, two and three triple ones in row 1."""
    english = load_tile_set("en")

    def score_row(row: int, columns: range) -> int:
        tiles = tuple(PlacedTile(row, column, "N") for column in columns)
        return Board().score_play(TurnTilePlacement(tiles, ACROSS), english, bonus=0).score

    assert score_row(2, range(2, 15)) == (13 + 2 + 2) * 4
    assert score_row(1, range(1, 9)) == (8 + 1) * 9
    assert score_row(1, range(1, 16)) == (15 + 2) * 27


def test_score_play_ignores_a_crossed_word() -> None:
    """DE-13."""
    plays, _ = place_words(("8D", "TAART"), ("E7", "TAFEL"), tiles=load_tile_set("nl-be-old"))
    assert [word.text for word in plays[1].words] == ["TAFEL"]


def test_score_play_of_one_tile_is_equal_on_either_axis() -> None:
    english = load_tile_set("en")
    across_play, _ = place_word(CAT_BOARD, "8G", "CATS", english)
    assert [word.text for word in across_play.words] == ["CATS"]
    down_play, _ = place_word(CAT_BOARD, "J8", "S", english)
    assert (down_play.words, down_play.score) == (across_play.words, across_play.score)


CAT_BOARD = place_words(("8G", "CAT"), tiles=load_tile_set("en"))[1]


@pytest.mark.parametrize(
    ("board", "tiles", "codes"),
    [
        (Board(), [(8, 8, "A"), (8, 9, "T")], []),
        (Board(), [], ["no-new-tile"]),
        (Board(), [(8, 8, "A")], ["one-tile-first"]),
        (Board(), [(8, 9, "A"), (8, 10, "T")], ["centre-not-covered"]),
        (Board(), [(8, 8, "A"), (9, 9, "T")], ["not-in-line"]),
        (Board(), [(8, 8, "A"), (8, 10, "T")], ["gap"]),
        (Board(), [(8, 15, "A"), (8, 16, "T")], ["off-board"]),
        (Board(), [(8, column, "A") for column in range(1, 9)], ["too-many-tiles"]),
        (CAT_BOARD, [(8, 10, "S")], []),
        (CAT_BOARD, [(9, 7, "S"), (10, 7, "S")], []),
        (CAT_BOARD, [(7, 8, "B"), (9, 8, "T")], []),
        (CAT_BOARD, [(1, 1, "A"), (1, 2, "T")], ["not-connected"]),
        (CAT_BOARD, [(9, 10, "A"), (9, 11, "T")], ["not-connected"]),
        (CAT_BOARD, [(8, 7, "S")], ["square-occupied"]),
        (CAT_BOARD, [(8, 9, "S"), (8, 10, "S")], ["square-occupied"]),
        (CAT_BOARD, [(9, 7, "S"), (9, 7, "T")], ["square-occupied"]),
        (CAT_BOARD, [(8, 6, "S"), (8, 11, "S")], ["gap"]),
    ],
)
def test_find_violations_lists_the_broken_rules(
    board: Board, tiles: list[tuple[int, int, str]], codes: list[str]
) -> None:
    """NL-19, NL-21, NL-23, DE-26, X-03."""
    placement = TurnTilePlacement(tuple(PlacedTile(*tile) for tile in tiles))
    assert [issue.code for issue in board.find_placement_violations(placement)] == codes


def test_find_violations_checks_the_direction() -> None:
    down = (PlacedTile(8, 8, "A"), PlacedTile(9, 8, "T"))
    assert [issue.code for issue in Board().find_placement_violations(TurnTilePlacement(down, ACROSS))] == [
        "not-in-line"
    ]
    assert Board().find_placement_violations(TurnTilePlacement(down, DOWN)) == ()


@pytest.mark.parametrize(("position", "is_inside"), [(0, False), (1, True), (15, True), (16, False)])
def test_find_violations_checks_the_edge_of_the_board(position: int, is_inside: bool) -> None:
    for tile in (PlacedTile(position, 8, "A"), PlacedTile(8, position, "A")):
        codes = [issue.code for issue in Board().find_placement_violations(TurnTilePlacement((tile,), None))]
        assert codes == (["one-tile-first", "centre-not-covered"] if is_inside else ["off-board"])


@pytest.mark.parametrize("direction", [ACROSS, DOWN])
def test_find_violations_accepts_each_adjacent_square(direction: Direction) -> None:
    board = Board().place_tiles((PlacedTile(8, 8, "A"),))
    legal = {
        (row, column)
        for row in range(1, 16)
        for column in range(1, 16)
        if not board.find_placement_violations(TurnTilePlacement((PlacedTile(row, column, "B"),), direction))
    }
    assert legal == {(7, 8), (9, 8), (8, 7), (8, 9)}


@pytest.mark.parametrize(
    ("square", "word", "tiles", "codes"),
    [
        ("8G", "CATS", "S", []),
        ("8G", "...S", "S", []),
        ("8G", "(CAT)S", "S", []),
        ("8G", "(cA).S", "S", []),
        ("8G", "CUTS", None, ["square-occupied"]),
        ("8G", "(CU)TS", None, ["square-occupied"]),
        ("7G", "A.", None, ["nothing-to-play-through"]),
        ("7G", "A(B)", None, ["nothing-to-play-through"]),
        ("8L", "STERN", None, ["off-board"]),
        ("L8", "ABCDEFGHI", None, ["off-board"]),
        ("8H", "ATS", "S", ["word-incomplete"]),
        ("8G", "CA", "", ["word-incomplete"]),
    ],
)
def test_find_word_placement_places_a_written_word(
    square: str, word: str, tiles: str | None, codes: list[str]
) -> None:
    row, column, direction = coordinates.parse_square_notation(square)
    assert direction is not None
    placement, issues = CAT_BOARD.find_word_placement(
        row, column, direction, board.read_written_word(word, load_tile_set("en"))
    )
    assert [issue.code for issue in issues] == codes
    assert (placement and "".join(tile.tile for tile in placement.tiles)) == tiles


def test_find_only_play_with_score_chooses_the_fitting_direction() -> None:
    """III.5 asks only for the square of the first letter, so the direction can be missing."""
    english = load_tile_set("en")
    written_squares = board.read_written_word("(CAT)S", english)
    only_across = CAT_BOARD.find_legal_plays_starting_at(8, 7, written_squares, english)
    assert [play.placement.direction for play in only_across] == [ACROSS]
    assert (
        find_only_play_with_score(only_across, 6) == only_across[0] == find_only_play_with_score(only_across, None)
    )
    assert find_only_play_with_score(only_across, 7) is None
    plays_of_both_directions = Board().find_legal_plays_starting_at(
        8, 8, board.read_written_word("AT", english), english
    )
    assert len(plays_of_both_directions) == 2
    assert find_only_play_with_score(plays_of_both_directions, 4) is None
    two_plays = CAT_BOARD.find_legal_plays_starting_at(7, 9, board.read_written_word("AT", english), english)
    assert [(play.placement.direction, play.score) for play in two_plays] == [(ACROSS, 6), (DOWN, 3)]
    assert find_only_play_with_score(two_plays, 3) == two_plays[1]
    assert find_only_play_with_score(two_plays, None) is None


def test_find_missing_tiles_lists_tiles_not_on_the_rack() -> None:
    placement = TurnTilePlacement((PlacedTile(8, 8, "A"), PlacedTile(8, 9, "t"), PlacedTile(8, 10, "T")))
    assert find_tiles_missing_from_rack(placement, ("A", "?", "T")) == ()
    assert find_tiles_missing_from_rack(placement, ("A", "T")) == ("?",)
    assert find_tiles_missing_from_rack(placement, ("?", "B")) == ("A", "T")


@pytest.mark.parametrize(("row", "column"), [(8, 7), (0, 7), (16, 7), (7, 0), (7, 16)])
def test_place_tiles_refuses_occupied_squares_and_off_the_board(row: int, column: int) -> None:
    with pytest.raises(ValueError, match="no free square"):
        CAT_BOARD.place_tiles([PlacedTile(row, column, "A")])


PLACEMENTS = st.lists(
    st.tuples(
        st.integers(1, 15),
        st.integers(1, 15),
        st.booleans(),
        st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabz", min_size=1, max_size=7),
    ),
    max_size=14,
)


def mirror_placement(placement: TurnTilePlacement) -> TurnTilePlacement:
    direction = placement.direction and placement.direction.crossing_direction
    return TurnTilePlacement(
        tuple(PlacedTile(column, row, tile) for row, column, tile in placement.tiles), direction
    )


@given(PLACEMENTS)
def test_score_play_is_equal_on_a_mirrored_board(plays: list[tuple[int, int, bool, str]]) -> None:
    """The board is symmetrical: a sheet read with rows and columns exchanged has the same scores."""
    english = load_tile_set("en")
    board, mirrored_board = Board(), Board()
    for row, column, across, letters in [(8, 8, True, "SEED"), *plays]:
        free_squares = [
            (row, column + step) if across else (row + step, column)
            for step in range(15)
            if not board.get_tile(*((row, column + step) if across else (row + step, column)))
        ]
        tiles = tuple(
            PlacedTile(*square, letter)
            for square, letter in zip(free_squares, letters, strict=False)
            if max(square) <= 15
        )
        placement = TurnTilePlacement(tiles, ACROSS if across else DOWN)
        issues = board.find_placement_violations(placement)
        assert [issue.code for issue in issues] == [
            issue.code for issue in mirrored_board.find_placement_violations(mirror_placement(placement))
        ]
        if issues:
            continue
        play, mirrored_play = (
            board.score_play(placement, english),
            mirrored_board.score_play(mirror_placement(placement), english),
        )
        assert (play.score, [word.tiles for word in play.words]) == (
            mirrored_play.score,
            [word.tiles for word in mirrored_play.words],
        )
        board, mirrored_board = (
            board.place_tiles(placement.tiles),
            mirrored_board.place_tiles(mirror_placement(placement).tiles),
        )


def test_score_play_with_a_gap_scores_the_first_word() -> None:
    """The play is illegal, but a sheet still needs its score."""
    tiles = load_tile_set("en")
    board = Board().place_tiles([PlacedTile(8, 7, "C"), PlacedTile(8, 8, "A"), PlacedTile(8, 9, "T")])
    tile_before, tile_after = PlacedTile(8, 6, "S"), PlacedTile(8, 11, "E")
    for new_tiles in ((tile_before, tile_after), (tile_after, tile_before)):
        play = board.score_play(TurnTilePlacement(new_tiles, ACROSS), tiles)
        assert [word.text for word in play.words] == ["SCAT"]
