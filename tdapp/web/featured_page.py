"""View of the featured table for pages and overlays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from msgspec import Struct

from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.i18n.board_layout import BoardSquare, list_rack, list_squares
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.slides import doubt_said, last_said, unseen_title
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList

WordLists = Callable[[str], AbstractContextManager[WordList | None]]  # opens an edition by its id


def no_words(_edition: str) -> AbstractContextManager[None]:
    """Show no verdicts."""
    return nullcontext()


_PREMIUMS = {"3": "w3", "2": "w2", "c": "l3", "b": "l2"}
_LONGER = 2  # length from which a tile is written smaller


class StyledSquare(Struct, frozen=True):
    """A square of the board: its tile, the tile's value, and the CSS classes."""

    tile: str
    value: str
    style: str


class FeaturedView(Struct, frozen=True):
    """A side is a name, a score, a rack, and whether it is to move."""

    title: str
    sides: tuple[tuple[str, int, tuple[StyledSquare, ...], bool], ...]
    last: str
    doubt: str
    board: tuple[StyledSquare, ...]
    board_name: str
    unseen: tuple[tuple[str, int], ...]
    unseen_title: str


def make_view(game: FeaturedGame, tileset: TileSet, catalogue: Catalogue) -> FeaturedView:
    return FeaturedView(
        title=catalogue.text("Table {table}", table=game.table),
        sides=tuple(
            (name, score, tuple(map(_style_square, list_rack(rack, tileset))), game.turn == number)
            for number, (name, score, rack) in enumerate(zip(game.names, game.scores, game.racks, strict=True), 1)
        ),
        last=last_said(game, catalogue),
        doubt=doubt_said(game, catalogue),
        board=tuple(map(_style_square, list_squares(catalogue, game.board, game.new, tileset))),
        board_name=catalogue.text("Board"),
        unseen=game.unseen,
        unseen_title=unseen_title(game, catalogue),
    )


def _style_square(one: BoardSquare) -> StyledSquare:
    flags = {"tile": True, "new": one.new, "blank": one.blank, "wide": len(one.tile) >= _LONGER}
    if not one.tile:
        flags = {_PREMIUMS.get(one.premium, ""): True, "centre": one.centre}
    return StyledSquare(one.tile.upper(), one.value, " ".join(name for name, on in flags.items() if name and on))
