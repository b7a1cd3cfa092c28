"""Tests of the three notations of squares, and of the notation of words on sheets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble import board
from tdapp.scrabble.board import SquareOfWrittenWord
from tdapp.scrabble.coordinates import (
    Direction,
    SquareNotation,
    WordStart,
    format_square_notation,
    parse_square_notation,
)
from tdapp.scrabble.issue import ScrabbleError
from tests.scrabble.tile_sets import load_tile_set

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
NUMBERED, LETTERED = SquareNotation.NUMBERED_ROWS, SquareNotation.LETTERED_ROWS
OPEN = SquareNotation.NUMBERED_ROWS_UNDIRECTED


@pytest.mark.parametrize(
    ("text", "convention", "word_start"),
    [
        ("8D", NUMBERED, WordStart(8, 4, ACROSS)),
        ("D8", NUMBERED, WordStart(8, 4, DOWN)),
        ("15a", NUMBERED, WordStart(15, 1, ACROSS)),
        ("h4", LETTERED, WordStart(8, 4, ACROSS)),  # "vannrett, begynn med bokstav (f.eks. h4)"
        ("4h", LETTERED, WordStart(8, 4, DOWN)),
        ("HM5", NUMBERED, WordStart(5, 13, ACROSS)),  # "HM5": horizontal, square M5
        ("VM5", NUMBERED, WordStart(5, 13, DOWN)),
        ("VH5", NUMBERED, WordStart(5, 8, DOWN)),
        ("HH5", NUMBERED, WordStart(5, 8, ACROSS)),
        ("H5", NUMBERED, WordStart(5, 8, DOWN)),
        ("G 2 w", LETTERED, WordStart(7, 2, ACROSS)),  # waagerecht
        ("G2s", LETTERED, WordStart(7, 2, DOWN)),
        ("G2w", NUMBERED, WordStart(2, 7, ACROSS)),
        ("M5→", NUMBERED, WordStart(5, 13, ACROSS)),
        ("5M↓", NUMBERED, WordStart(5, 13, DOWN)),
        ("H8?", NUMBERED, WordStart(8, 8, None)),
        ("8D", OPEN, WordStart(8, 4, None)),
        ("D8", OPEN, WordStart(8, 4, None)),
        ("HD8", OPEN, WordStart(8, 4, ACROSS)),
        ("D8", SquareNotation.LETTERED_ROWS_UNDIRECTED, WordStart(4, 8, None)),
    ],
)
def test_read_square_of_each_convention(text: str, convention: SquareNotation, word_start: WordStart) -> None:
    assert parse_square_notation(text, convention) == word_start


@pytest.mark.parametrize("text", ["", "P8", "8P", "0A", "16A", "A0", "8", "A", "8D8", "XM5", "8DD", "²A"])
def test_read_square_refuses_invalid_squares(text: str) -> None:
    with pytest.raises(ScrabbleError) as error:
        parse_square_notation(text)
    assert error.value.code == "coordinate-unreadable"


@given(
    st.builds(WordStart, st.integers(1, 15), st.integers(1, 15), st.sampled_from([ACROSS, DOWN, None])),
    st.sampled_from(SquareNotation),
)
def test_write_square_round_trip(word_start: WordStart, convention: SquareNotation) -> None:
    assert parse_square_notation(format_square_notation(word_start, convention), convention) == word_start


def test_read_written_word_knows_three_ways_for_a_letter_on_the_board() -> None:
    english = load_tile_set("en")
    assert board.read_written_word("C.T", english) == (
        SquareOfWrittenWord("C", False),
        SquareOfWrittenWord("", True),
        SquareOfWrittenWord("T", False),
    )
    assert board.read_written_word("C(A)T", english) == (
        SquareOfWrittenWord("C", False),
        SquareOfWrittenWord("A", True),
        SquareOfWrittenWord("T", False),
    )
    assert board.read_written_word("(CA)T", english)[:2] == (
        SquareOfWrittenWord("C", True),
        SquareOfWrittenWord("A", True),
    )
    assert board.read_written_word("CAT", english) == tuple(SquareOfWrittenWord(tile, False) for tile in "CAT")


def test_read_written_word_knows_two_ways_for_a_blank() -> None:
    english = load_tile_set("en")
    assert board.read_written_word("CaT", english) == board.read_written_word("CA*T", english)


@pytest.mark.parametrize("text", ["", "(A", "A)", "((A))", "C?T", "C1T", "()", "*A"])
def test_read_written_word_refuses_invalid_words(text: str) -> None:
    with pytest.raises(ScrabbleError):
        board.read_written_word(text, load_tile_set("en"))


@pytest.mark.parametrize("text", ["8İ", "8\u0131", "İ8", "8\u017f", "Å8", "\uff18H", "8H\u0307"])
def test_read_square_refuses_letters_similar_to_a_column(text: str) -> None:
    with pytest.raises(ScrabbleError) as refusal:
        parse_square_notation(text)
    assert refusal.value.code == "coordinate-unreadable"
