"""The squares of a board as texts, for all painters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.board import CENTRE, LAYOUT, Board
from tdapp.scrabble.tiles import BLANK, TileSet

_SIGNS: Mapping[str, str] = {"3": N_("3W"), "2": N_("2W"), "c": N_("3L"), "b": N_("2L")}


class BoardSquare(Struct, frozen=True):
    """A square or rack tile. `premium` is as in LAYOUT; a `tile` covers it.

    `value` is "" for a blank or without a tile set. `new`: of the last play.
    """

    row: int = 0
    column: int = 0
    premium: str = "_"
    sign: str = ""
    tile: str = ""
    value: str = ""
    new: bool = False

    @property
    def blank(self) -> bool:
        return _is_blank(self.tile)

    @property
    def centre(self) -> bool:
        return self.row == self.column == CENTRE


def list_squares(
    catalogue: Catalogue,
    board: Board,
    new: Collection[tuple[int, int]] = (),
    tileset: TileSet | None = None,
) -> Iterator[BoardSquare]:
    for row, line in enumerate(LAYOUT, 1):
        for column, premium in enumerate(line, 1):
            sign, tile = _SIGNS.get(premium, ""), board.at(row, column)
            value, fresh = _find_value(tile, tileset), (row, column) in new
            yield BoardSquare(row, column, premium, sign and catalogue.text(sign), tile, value, fresh)


def list_rack(tiles: Collection[str], tileset: TileSet | None = None) -> Iterator[BoardSquare]:
    return (BoardSquare(tile=tile, value=_find_value(tile, tileset)) for tile in tiles)


def _find_value(tile: str, tileset: TileSet | None) -> str:
    return str(tileset.value((tile,))) if tileset and tile and not _is_blank(tile) else ""


def _is_blank(tile: str) -> bool:
    return tile.islower() or tile == BLANK
