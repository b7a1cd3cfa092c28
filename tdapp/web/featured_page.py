"""View of the featured table for pages and overlays: board, score, last play and unseen tiles."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from msgspec import Struct

from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.slides import doubt_said, last_said, unseen_title
from tdapp.scrabble.board import CENTRE, LAYOUT
from tdapp.scrabble.coordinates import SIZE
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList

WordLists = Callable[[str], AbstractContextManager[WordList | None]]  # opens an edition by its id


def no_words(_edition: str) -> AbstractContextManager[None]:
    """Open no word list, so that no verdicts are shown."""
    return nullcontext()


_PREMIUMS = {"3": "w3", "2": "w2", "c": "l3", "b": "l2", "_": ""}
_LONGER = 2  # length from which a tile is written smaller


class BoardSquare(Struct, frozen=True):
    """A square of the board: its tile, the tile's value, and the CSS classes."""

    tile: str
    value: str
    style: str


class FeaturedView(Struct, frozen=True):
    """The featured table as texts. A side is a name, a score, a rack, and whether it is to move."""

    title: str
    sides: tuple[tuple[str, int, tuple[BoardSquare, ...], bool], ...]
    last: str
    doubt: str
    board: tuple[tuple[BoardSquare, ...], ...]
    board_name: str
    unseen: tuple[tuple[str, int], ...]
    unseen_title: str


def make_view(game: FeaturedGame, tileset: TileSet, catalogue: Catalogue) -> FeaturedView:
    return FeaturedView(
        title=catalogue.text("Table {table}", table=game.table),
        sides=tuple(
            (name, score, tuple(_tile(tile, tileset) for tile in rack), game.turn == number)
            for number, (name, score, rack) in enumerate(zip(game.names, game.scores, game.racks, strict=True), 1)
        ),
        last=last_said(game, catalogue),
        doubt=doubt_said(game, catalogue),
        board=tuple(
            tuple(_make_square(game, tileset, row, column) for column in range(1, SIZE + 1))
            for row in range(1, SIZE + 1)
        ),
        board_name=catalogue.text("Board"),
        unseen=game.unseen,
        unseen_title=unseen_title(game, catalogue),
    )


def _make_square(game: FeaturedGame, tileset: TileSet, row: int, column: int) -> BoardSquare:
    tile, premium = game.board.at(row, column), _PREMIUMS[LAYOUT[row - 1][column - 1]]
    if tile:
        return _tile(tile, tileset, new=(row, column) in game.new)
    return BoardSquare("", "", f"{premium} centre" if (row, column) == (CENTRE, CENTRE) else premium)


def _tile(tile: str, tileset: TileSet, *, new: bool = False) -> BoardSquare:
    blank, wide = tile.islower() or tile == "?", len(tile) >= _LONGER
    style = " ".join(filter(None, ("tile", "new" * new, "blank" * blank, "wide" * wide)))
    return BoardSquare(tile.upper(), "" if blank else str(tileset.value((tile,))), style)
