"""The layout of a bracket, and the squares of a board, for window, web pages and printouts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from tdapp.domain.tables.bracket import MatchBox, MatchBoxOnPage
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import explain_match_decision, make_match_title
from tdapp.i18n.scores import format_match_score
from tdapp.scrabble.board import CENTRE, LAYOUT, Board
from tdapp.scrabble.tiles import BLANK, TileSet

DASH = "–"


class BracketSlotText(Struct, frozen=True):
    """Texts of a bracket slot, the place for one player of a match."""

    seed: str
    name: str
    score: str  # points, or the number of games won in a series
    known: bool
    won: bool
    lost: bool


class PositionedMatch(Struct, frozen=True):
    """A match of a bracket with its texts and its position."""

    box: MatchBox
    left: float
    middle: float
    join: tuple[tuple[float, float], ...]  # corners of the line to the next match
    slots: tuple[BracketSlotText, BracketSlotText]
    title: str
    reason: str  # what decided a drawn match, or ""

    @property
    def title_and_reason(self) -> str:
        return " · ".join(filter(None, (self.title, self.reason)))


class BracketDimensions(Struct, frozen=True):
    """Measures of a bracket, in the unit of the drawing."""

    width: float  # of a match
    gap: float  # between two columns
    pitch: float  # distance between two rows
    left: float = 0.0  # of the first match
    top: float = 0.0  # of the first match


def lay_out_matches(
    catalogue: Catalogue, matches: Iterable[MatchBoxOnPage], scale: BracketDimensions
) -> Iterator[PositionedMatch]:
    matches_by_key = {match.box.key: match for match in matches}
    column_step, half_gap = scale.width + scale.gap, scale.gap / 2
    positions = {
        key: (scale.left + match.column * column_step, scale.top + match.row * scale.pitch)
        for key, match in matches_by_key.items()
    }
    for key, (left, middle) in positions.items():
        box, join = matches_by_key[key].box, ()
        if box.next:
            x, (to_x, to_y) = left + scale.width, positions.get(box.next, (left + column_step, middle))
            end = ((to_x - half_gap, to_y), (to_x, to_y)) if box.next in positions else ()
            join = ((x, middle), (to_x - half_gap, middle), *end)
        slots = (make_bracket_slot_text(catalogue, box, 0), make_bracket_slot_text(catalogue, box, 1))
        title = " · ".join(
            filter(
                None, (make_match_title(catalogue, box), _format_table_number_of_undecided_match(catalogue, box))
            )
        )
        yield PositionedMatch(box, left, middle, join, slots, title, explain_match_decision(catalogue, box))


def make_bracket_slot_text(catalogue: Catalogue, box: MatchBox, side_index: int) -> BracketSlotText:
    """Return the texts of a bracket slot. If its player is unknown, name the origin, such as an earlier match."""
    side, is_known = box.sides[side_index], box.sides[side_index].player is not None
    origin_text = catalogue.describe_bracket_slot_origin(side.origin, in_bracket=True) if side.origin else ""
    return BracketSlotText(
        seed=str(side.seed or ""),
        name=side.name or origin_text or (catalogue.translate_code("bye") if box.bye else DASH),
        score=format_match_score(catalogue, box, side_index),
        known=is_known,
        won=side.won and not box.bye,
        lost=is_known and box.decided and not side.won,
    )


def _format_table_number_of_undecided_match(catalogue: Catalogue, box: MatchBox) -> str:
    return catalogue.text("table {table}", table=box.games[-1].table) if box.open and box.games else ""


_PREMIUM_TEXTS: Mapping[str, str] = {
    "3": C_("premium square", "3W"),
    "2": C_("premium square", "2W"),
    "c": C_("premium square", "3L"),
    "b": C_("premium square", "2L"),
}


class BoardSquare(Struct, frozen=True):
    """A square of the board, or a tile of a rack."""

    row: int = 0
    column: int = 0
    premium: str = "_"  # symbol of the premium square in LAYOUT
    sign: str = ""  # name of the premium, such as 3W, "" for other squares
    tile: str = ""
    value: str = ""  # points of the tile, "" for a blank, an empty square or an unknown tile set
    new: bool = False  # placed by the last play

    @property
    def is_blank(self) -> bool:
        return _is_blank(self.tile)

    @property
    def is_centre(self) -> bool:
        return self.row == self.column == CENTRE


def list_board_squares(
    catalogue: Catalogue,
    board: Board,
    new_squares: Collection[tuple[int, int]] = (),
    tileset: TileSet | None = None,
) -> Iterator[BoardSquare]:
    for row, line in enumerate(LAYOUT, 1):
        for column, premium in enumerate(line, 1):
            sign, tile = _PREMIUM_TEXTS.get(premium, ""), board.get_tile(row, column)
            value, is_new = _format_tile_value(tile, tileset), (row, column) in new_squares
            yield BoardSquare(row, column, premium, sign and catalogue.text(sign), tile, value, is_new)


def list_rack_squares(tiles: Collection[str], tileset: TileSet | None = None) -> Iterator[BoardSquare]:
    return (BoardSquare(tile=tile, value=_format_tile_value(tile, tileset)) for tile in tiles)


def _format_tile_value(tile: str, tileset: TileSet | None) -> str:
    return str(tileset.sum_tile_values((tile,))) if tileset and tile and not _is_blank(tile) else ""


def _is_blank(tile: str) -> bool:
    return tile.islower() or tile == BLANK
