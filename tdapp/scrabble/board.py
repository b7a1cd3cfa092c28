"""The board with its premium squares: checks whether plays are legal, finds their words and computes their scores.

Placing tiles returns a new board. In a written word, a letter already on the board is `.`, `(A)` or the letter.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from tdapp.scrabble.coordinates import SIZE, Direction, WordStart, format_square_notation
from tdapp.scrabble.issue import ScrabbleError, SheetIssue
from tdapp.scrabble.tiles import BLANK, TileSet, replace_lower_case_tile_with_blank
from tdapp.scrabble.wordlist import spell_word_with_tiles


class SquareOfWrittenWord(NamedTuple):
    """One square of a word as written on a sheet."""

    tile: str  # "" if the sheet does not name it
    is_on_board: bool  # it was already on the board


def read_written_word(text: str, tileset: TileSet) -> tuple[SquareOfWrittenWord, ...]:
    """Return the squares of a written word. A lower-case letter, or a letter followed by `*`, is a blank.

    Raises ScrabbleError: letter-unknown, word-unreadable (also for a blank without a letter).
    """
    letters = [letter.text for letter in tileset.letters]
    text = spell_word_with_tiles("".join(unicodedata.normalize("NFC", text).split()), tileset.language, letters)
    squares: list[SquareOfWrittenWord] = []
    start, is_in_parentheses = 0, False
    while start < len(text):
        char = text[start]
        if char in "()":
            if is_in_parentheses == (char == "("):
                raise ScrabbleError("word-unreadable", text)
            is_in_parentheses, start = char == "(", start + 1
        elif char == ".":
            squares.append(SquareOfWrittenWord("", is_on_board=True))
            start += 1
        else:
            tile, start = _read_tile(text, start, tileset)
            squares.append(SquareOfWrittenWord(tile, is_in_parentheses))
    if is_in_parentheses or not squares:
        raise ScrabbleError("word-unreadable", text)
    return tuple(squares)


def _read_tile(text: str, start: int, tileset: TileSet) -> tuple[str, int]:
    tile, end = tileset.read_tile(text, start)
    if tile == BLANK:
        raise ScrabbleError("word-unreadable", text)
    return (tile.lower(), end + 1) if text.startswith("*", end) else (tile, end)


RACK_SIZE = 7
BONUS = 50
CENTRE = 8
LAYOUT = (  # 3 and 2: triple and double word; c and b: triple and double letter
    "3__b___3___b__3",
    "_2___c___c___2_",
    "__2___b_b___2__",
    "b__2___b___2__b",
    "____2_____2____",
    "_c___c___c___c_",
    "__b___b_b___b__",
    "3__b___2___b__3",
    "__b___b_b___b__",
    "_c___c___c___c_",
    "____2_____2____",
    "b__2___b___2__b",
    "__2___b_b___2__",
    "_2___c___c___2_",
    "3__b___3___b__3",
)
_WORD_PREMIUM = {"2": 2, "3": 3}
_LETTER_PREMIUM = {"b": 2, "c": 3}


class PlacedTile(NamedTuple):
    """A new tile and its square."""

    row: int
    column: int
    tile: str


class TurnTilePlacement(NamedTuple):
    """The new tiles of one turn."""

    tiles: tuple[PlacedTile, ...]
    direction: Direction | None = None  # None if only the squares are known


class FormedWord(NamedTuple):
    """A word that a turn forms or extends."""

    tiles: tuple[str, ...]  # in order, blanks in lower case
    start: WordStart
    score: int

    @property
    def text(self) -> str:
        return "".join(self.tiles)


class Play(NamedTuple):
    """A placement with its words and its score."""

    placement: TurnTilePlacement
    words: tuple[FormedWord, ...]  # the main word first
    score: int  # with the bonus


class WordPlacementOutcome(NamedTuple):
    """The new tiles that a written word needs on the board."""

    placement: TurnTilePlacement | None  # None if the word cannot be placed
    issues: tuple[SheetIssue, ...]


class Board(Struct, frozen=True):
    """A board with its tiles."""

    squares: tuple[str, ...] = ("",) * (SIZE * SIZE)  # row by row; an empty square is ""

    def get_tile(self, row: int, column: int) -> str:
        if not (1 <= row <= SIZE and 1 <= column <= SIZE):
            return ""
        return self.squares[(row - 1) * SIZE + column - 1]

    @property
    def tiles_on_board(self) -> tuple[str, ...]:
        return tuple(filter(None, self.squares))

    @property
    def is_empty(self) -> bool:
        return not any(self.squares)

    def place_tiles(self, tiles: Iterable[PlacedTile]) -> Board:
        squares = list(self.squares)
        for row, column, tile in tiles:
            if not (1 <= row <= SIZE and 1 <= column <= SIZE) or squares[(row - 1) * SIZE + column - 1]:
                raise ValueError(f"no free square at row {row}, column {column}")
            squares[(row - 1) * SIZE + column - 1] = tile
        return Board(tuple(squares))

    def find_word_placement(
        self, row: int, column: int, direction: Direction, word: Sequence[SquareOfWrittenWord]
    ) -> WordPlacementOutcome:
        """Return the new tiles that a written word needs if it starts at a square.

        If the word cannot be placed, `placement` is None, and the issue is off-board, square-occupied (by another
        letter) or nothing-to-play-through. If letters on the board extend the word, the result has a placement and
        the issue word-incomplete.
        """
        is_down = direction is Direction.DOWN
        new_tiles: list[PlacedTile] = []
        if (row if is_down else column) + len(word) - 1 > SIZE:
            return WordPlacementOutcome(
                None, (SheetIssue("off-board", detail=format_square_notation(WordStart(row, column, direction))),)
            )
        for step, written_square in enumerate(word):
            square = (row + step, column) if is_down else (row, column + step)
            if code := self._find_square_conflict_code(*square, written_square):
                board_tile = self.get_tile(*square).upper() or None
                return WordPlacementOutcome(
                    None,
                    (
                        SheetIssue(
                            code, other=board_tile, detail=format_square_notation(WordStart(*square, direction))
                        ),
                    ),
                )
            if not self.get_tile(*square):
                new_tiles.append(PlacedTile(*square, written_square.tile))
        tile_before = self.get_tile(row - is_down, column - (not is_down))
        tile_after = self.get_tile(row + is_down * len(word), column + (not is_down) * len(word))
        issues = (SheetIssue("word-incomplete"),) if tile_before or tile_after else ()
        return WordPlacementOutcome(TurnTilePlacement(tuple(new_tiles), direction), issues)

    def _find_square_conflict_code(self, row: int, column: int, written_square: SquareOfWrittenWord) -> str:
        board_tile = self.get_tile(row, column)
        if not board_tile:
            return "nothing-to-play-through" if written_square.is_on_board else ""
        is_other_tile = written_square.tile and written_square.tile.upper() != board_tile.upper()
        return "square-occupied" if is_other_tile else ""

    def find_placement_violations(self, placement: TurnTilePlacement) -> tuple[SheetIssue, ...]:
        """Return issues for the rules that a placement breaks, () if it is legal.

        Codes: no-new-tile, too-many-tiles (over 7, nl-reglement II.5), off-board, square-occupied,
        not-in-line, gap, one-tile-first, centre-not-covered (III.4), not-connected (III.7).
        """
        tiles = placement.tiles
        if not tiles:
            return (SheetIssue("no-new-tile"),)
        violations: list[SheetIssue] = []
        if len(tiles) > RACK_SIZE:
            violations.append(SheetIssue("too-many-tiles", stated=len(tiles), computed=RACK_SIZE))
        squares = [(row, column) for row, column, _ in tiles]
        if not all(1 <= row <= SIZE and 1 <= column <= SIZE for row, column in squares):
            return (*violations, SheetIssue("off-board"))
        for index, (row, column, _) in enumerate(tiles):
            earlier_tiles = {(tile_row, tile_column): tile for tile_row, tile_column, tile in tiles[:index]}
            occupying_tile = self.get_tile(row, column) or earlier_tiles.get((row, column))
            if occupying_tile:
                detail = format_square_notation(WordStart(row, column, placement.direction))
                return (*violations, SheetIssue("square-occupied", other=occupying_tile.upper(), detail=detail))
        violations += self._find_line_and_gap_violations(squares, placement.direction)
        if self.is_empty:
            if len(squares) == 1:
                violations.append(SheetIssue("one-tile-first"))
            if (CENTRE, CENTRE) not in squares:
                violations.append(SheetIssue("centre-not-covered"))
        elif not any(self._has_adjacent_tile(*square) for square in squares):
            violations.append(SheetIssue("not-connected"))
        return tuple(violations)

    def _find_line_and_gap_violations(
        self, squares: Sequence[tuple[int, int]], direction: Direction | None
    ) -> list[SheetIssue]:
        rows, columns = {row for row, _ in squares}, {column for _, column in squares}
        lines = {Direction.ACROSS: rows, Direction.DOWN: columns}
        if min(len(rows), len(columns)) > 1 or (direction and len(lines[direction]) > 1):
            return [SheetIssue("not-in-line")]
        line_squares = {
            (row, column) for row in _make_covering_range(rows) for column in _make_covering_range(columns)
        }
        return [] if all(self.get_tile(*square) for square in line_squares - set(squares)) else [SheetIssue("gap")]

    def _has_adjacent_tile(self, row: int, column: int) -> bool:
        neighbours = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        return any(self.get_tile(*square) for square in neighbours)

    def score_play(self, placement: TurnTilePlacement, tileset: TileSet, *, bonus: int = BONUS) -> Play:
        """Return a placement with its words and score. The squares must be free, but the play need not be legal.

        A premium square counts only in the turn that covers it, for each word with the new tile. Letters are
        multiplied before words. If a play uses seven tiles, add `bonus` at the end. Words without a new tile score
        nothing. Rule books: de-spielregeln 4d, be-brailleliga 10-17.
        """
        if not placement.tiles:
            return Play(placement, (), 0)
        new_board = self.place_tiles(placement.tiles)
        new_squares = {(row, column) for row, column, _ in placement.tiles}
        row, column = min(new_squares)
        is_row = len({square[0] for square in new_squares}) == 1
        direction = placement.direction or (Direction.ACROSS if is_row else Direction.DOWN)
        squares = [WordStart(row, column, direction)]
        squares += [WordStart(row, column, direction.crossing_direction) for row, column, _ in placement.tiles]
        words = [_read_formed_word(new_board, square, new_squares, tileset) for square in squares]
        formed_words = tuple(word for word in words if len(word.tiles) > 1)
        extra_points = bonus if len(new_squares) == RACK_SIZE else 0
        return Play(placement, formed_words, sum(word.score for word in formed_words) + extra_points)

    def find_legal_plays_starting_at(
        self, row: int, column: int, word: Sequence[SquareOfWrittenWord], tileset: TileSet, *, bonus: int = BONUS
    ) -> tuple[Play, ...]:
        """Return the legal plays of a word from a square: at most one for each direction."""
        starts = [(row, column, direction) for direction in Direction]
        plays = (self.find_legal_play(start, word, tileset, bonus=bonus) for start in starts)
        return tuple(play for play in plays if play)

    def find_legal_play(
        self,
        start: tuple[int, int, Direction],
        word: Sequence[SquareOfWrittenWord],
        tileset: TileSet,
        *,
        bonus: int = BONUS,
    ) -> Play | None:
        placement, issues = self.find_word_placement(*start, word)
        if placement is None or issues or self.find_placement_violations(placement):
            return None
        return self.score_play(placement, tileset, bonus=bonus)


def find_only_play_with_score(plays: Sequence[Play], score: int | None) -> Play | None:
    """Return the only play with the score (None: any score). Return None if no play or several plays have it."""
    matching_plays = [play for play in plays if score is None or play.score == score]
    return matching_plays[0] if len(matching_plays) == 1 else None


def find_tiles_missing_from_rack(placement: TurnTilePlacement, rack: Iterable[str]) -> tuple[str, ...]:
    needed_tiles = Counter(replace_lower_case_tile_with_blank(tile) for _, _, tile in placement.tiles)
    needed_tiles.subtract(rack)
    return tuple(sorted(needed_tiles.elements(), key=lambda tile: (tile == BLANK, tile)))


def _read_formed_word(
    board: Board, square: WordStart, new_squares: set[tuple[int, int]], tileset: TileSet
) -> FormedWord:
    row, column, direction = square
    row_step, column_step = (1, 0) if direction is Direction.DOWN else (0, 1)
    while board.get_tile(row - row_step, column - column_step):
        row, column = row - row_step, column - column_step
    start = WordStart(row, column, direction)
    tiles: list[str] = []
    points, factor = 0, 1
    while tile := board.get_tile(row, column):
        premium = LAYOUT[row - 1][column - 1] if (row, column) in new_squares else ""
        points += tileset.sum_tile_values((tile,)) * _LETTER_PREMIUM.get(premium, 1)
        factor *= _WORD_PREMIUM.get(premium, 1)
        tiles.append(tile)
        row, column = row + row_step, column + column_step
    return FormedWord(tuple(tiles), start, points * factor)


def _make_covering_range(numbers: Iterable[int]) -> range:
    sorted_numbers = sorted(numbers)
    return range(sorted_numbers[0], sorted_numbers[-1] + 1)
