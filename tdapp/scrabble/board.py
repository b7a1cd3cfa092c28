"""The board: premiums, what may be laid, which words that forms and what they bring.

Hides the layout and the arithmetic. A board is a value: laying tiles returns another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from tdapp.scrabble.coordinates import SIZE, At, Direction, write
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.notation import WrittenSquare
from tdapp.scrabble.tiles import BLANK, TileSet, as_drawn

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


class Laid(NamedTuple):
    """A tile newly laid on a square."""

    row: int
    column: int
    tile: str


class Placement(NamedTuple):
    """The new tiles of one turn; `direction` None where only the squares are known."""

    tiles: tuple[Laid, ...]
    direction: Direction | None = None


class Word(NamedTuple):
    """A word that a turn formed or changed; `tiles` as they lie, blanks in lower case."""

    tiles: tuple[str, ...]
    at: At
    score: int

    @property
    def text(self) -> str:
        """The word as it lies, blanks in lower case."""
        return "".join(self.tiles)


class Play(NamedTuple):
    """What a placement is worth: the words it formed, the main word first, and its score with the bonus."""

    placement: Placement
    words: tuple[Word, ...]
    score: int


class Resolved(NamedTuple):
    """A written word found on the board; `placement` None: it cannot lie there at all."""

    placement: Placement | None
    issues: tuple[Issue, ...]


class Board(Struct, frozen=True):
    """The tiles that lie, row by row; an empty square is an empty text."""

    squares: tuple[str, ...] = ("",) * (SIZE * SIZE)

    def at(self, row: int, column: int) -> str:
        """Return the tile on a square; empty if there is none or the square is off the board."""
        if not (1 <= row <= SIZE and 1 <= column <= SIZE):
            return ""
        return self.squares[(row - 1) * SIZE + column - 1]

    @property
    def tiles(self) -> tuple[str, ...]:
        """All tiles that lie, row by row."""
        return tuple(filter(None, self.squares))

    @property
    def is_empty(self) -> bool:
        """Whether no tile lies yet."""
        return not any(self.squares)

    def lay(self, tiles: Iterable[Laid]) -> Board:
        """Return the board with tiles added; raise ValueError for a square off the board or occupied."""
        squares = list(self.squares)
        for row, column, tile in tiles:
            if not (1 <= row <= SIZE and 1 <= column <= SIZE) or squares[(row - 1) * SIZE + column - 1]:
                raise ValueError(f"no free square at row {row}, column {column}")
            squares[(row - 1) * SIZE + column - 1] = tile
        return Board(tuple(squares))

    def resolve(self, row: int, column: int, direction: Direction, marks: Sequence[WrittenSquare]) -> Resolved:
        """Return the new tiles of a word written out from a square.

        Codes that leave it without a placement: off-board, square-occupied (another letter lies there),
        nothing-to-play-through. A word of which only a part is written (word-incomplete) is still placed.
        """
        down = direction is Direction.DOWN
        new: list[Laid] = []
        if (row if down else column) + len(marks) - 1 > SIZE:
            return Resolved(None, (Issue("off-board", detail=write(At(row, column, direction))),))
        for step, mark in enumerate(marks):
            square = (row + step, column) if down else (row, column + step)
            if code := self._misfit(*square, mark):
                lying = self.at(*square).upper() or None
                return Resolved(None, (Issue(code, other=lying, detail=write(At(*square, direction))),))
            if not self.at(*square):
                new.append(Laid(*square, mark.tile))
        before = self.at(row - down, column - (not down))
        after = self.at(row + down * len(marks), column + (not down) * len(marks))
        incomplete = (Issue("word-incomplete"),) if before or after else ()
        return Resolved(Placement(tuple(new), direction), incomplete)

    def _misfit(self, row: int, column: int, mark: WrittenSquare) -> str:
        lying = self.at(row, column)
        if not lying:
            return "nothing-to-play-through" if mark.through else ""
        return "square-occupied" if mark.tile and mark.tile.upper() != lying.upper() else ""

    def faults(self, placement: Placement) -> tuple[Issue, ...]:
        """Return what the rules have against a placement; nothing: it is legal.

        Codes: no-new-tile, too-many-tiles (7 by nl-reglement II.5), off-board, square-occupied, not-in-line, gap,
        one-tile-first, centre-not-covered (III.4), not-connected (III.7).
        """
        tiles = placement.tiles
        if not tiles:
            return (Issue("no-new-tile"),)
        faults: list[Issue] = []
        if len(tiles) > RACK_SIZE:
            faults.append(Issue("too-many-tiles", stated=len(tiles), computed=RACK_SIZE))
        squares = [(row, column) for row, column, _ in tiles]
        if not all(1 <= row <= SIZE and 1 <= column <= SIZE for row, column in squares):
            return (*faults, Issue("off-board"))
        for at, (row, column, _) in enumerate(tiles):
            before = {(one, other): tile for one, other, tile in tiles[:at]}
            lying = self.at(row, column) or before.get((row, column))
            if lying:
                detail = write(At(row, column, placement.direction))
                return (*faults, Issue("square-occupied", other=lying.upper(), detail=detail))
        faults += self._shape(squares, placement.direction)
        if self.is_empty:
            if len(squares) == 1:
                faults.append(Issue("one-tile-first"))
            if (CENTRE, CENTRE) not in squares:
                faults.append(Issue("centre-not-covered"))
        elif not any(self._touches(*square) for square in squares):
            faults.append(Issue("not-connected"))
        return tuple(faults)

    def _shape(self, squares: Sequence[tuple[int, int]], direction: Direction | None) -> list[Issue]:
        rows, columns = {row for row, _ in squares}, {column for _, column in squares}
        along = {Direction.ACROSS: rows, Direction.DOWN: columns}
        if min(len(rows), len(columns)) > 1 or (direction and len(along[direction]) > 1):
            return [Issue("not-in-line")]
        between = {(row, column) for row in _span(rows) for column in _span(columns)} - set(squares)
        return [] if all(self.at(*square) for square in between) else [Issue("gap")]

    def _touches(self, row: int, column: int) -> bool:
        around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        return any(self.at(*square) for square in around)

    def play(self, placement: Placement, tileset: TileSet, *, bonus: int = BONUS) -> Play:
        """Return the words and the score of a placement whose squares are free; its legality is not asked.

        Premiums count once, for each word the new tile is part of; letters before words; a full rack brings
        `bonus` after all multiplication (de-spielregeln 4d, be-brailleliga 10-17). Words that are only crossed
        bring nothing.
        """
        if not placement.tiles:
            return Play(placement, (), 0)
        after = self.lay(placement.tiles)
        new = {(row, column) for row, column, _ in placement.tiles}
        row, column = min(new)
        main = placement.direction or (Direction.ACROSS if len({at[0] for at in new}) == 1 else Direction.DOWN)
        words = [_word(after, At(row, column, main), new, tileset)]
        words += [_word(after, At(row, column, main.other), new, tileset) for row, column, _ in placement.tiles]
        formed = tuple(word for word in words if len(word.tiles) > 1)
        extra = bonus if len(new) == RACK_SIZE else 0
        return Play(placement, formed, sum(word.score for word in formed) + extra)

    def directions(
        self, row: int, column: int, marks: Sequence[WrittenSquare], tileset: TileSet, *, bonus: int = BONUS
    ) -> tuple[Play, ...]:
        """Return the plays that a word from a square would be, one for each direction in which it is legal."""
        found = (self.legal((row, column, one), marks, tileset, bonus=bonus) for one in Direction)
        return tuple(play for play in found if play)

    def legal(
        self,
        at: tuple[int, int, Direction],
        marks: Sequence[WrittenSquare],
        tileset: TileSet,
        *,
        bonus: int = BONUS,
    ) -> Play | None:
        """Return the play that a word from a square in a direction would be, None where it is not legal."""
        placement, issues = self.resolve(*at, marks)
        if placement is None or issues or self.faults(placement):
            return None
        return self.play(placement, tileset, bonus=bonus)


def fitting(plays: Sequence[Play], stated: int | None) -> Play | None:
    """Return the only play that brings the stated score, or the only one where none is stated; else None."""
    fits = [play for play in plays if stated is None or play.score == stated]
    return fits[0] if len(fits) == 1 else None


def not_on_rack(placement: Placement, rack: Iterable[str]) -> tuple[str, ...]:
    """Return the tiles of a placement, as they lay in the bag, that a rack does not hold."""
    wanted = Counter(as_drawn(tile) for _, _, tile in placement.tiles)
    wanted.subtract(rack)
    return tuple(sorted(wanted.elements(), key=lambda tile: (tile == BLANK, tile)))


def _word(board: Board, at: At, new: set[tuple[int, int]], tileset: TileSet) -> Word:
    row, column, direction = at
    down, right = (1, 0) if direction is Direction.DOWN else (0, 1)
    while board.at(row - down, column - right):
        row, column = row - down, column - right
    start = At(row, column, direction)
    tiles: list[str] = []
    points, factor = 0, 1
    while tile := board.at(row, column):
        premium = LAYOUT[row - 1][column - 1] if (row, column) in new else ""
        points += tileset.value((tile,)) * _LETTER_PREMIUM.get(premium, 1)
        factor *= _WORD_PREMIUM.get(premium, 1)
        tiles.append(tile)
        row, column = row + down, column + right
    return Word(tuple(tiles), start, points * factor)


def _span(numbers: Iterable[int]) -> range:
    found = sorted(numbers)
    return range(found[0], found[-1] + 1)
