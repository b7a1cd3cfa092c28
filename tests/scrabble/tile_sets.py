"""The tile sets of tdapp, and helpers that place words on a board."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from tdapp.scrabble import coordinates
from tdapp.scrabble.board import Board, Play, read_written_word
from tdapp.scrabble.tiles import TileSet, parse_tileset

FOLDER = Path(__file__).parents[2] / "resources" / "tilesets"


@cache
def load_tile_set(name: str) -> TileSet:
    return parse_tileset(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def place_word(board: Board, square: str, word: str, tiles: TileSet) -> tuple[Play, Board]:
    """Return a legal play of a word, and the board after it."""
    row, column, direction = coordinates.parse_square_notation(square)
    assert direction is not None
    placement, issues = board.find_word_placement(row, column, direction, read_written_word(word, tiles))
    assert placement is not None
    assert not issues
    assert board.find_placement_violations(placement) == ()
    return board.score_play(placement, tiles), board.place_tiles(placement.tiles)


def place_words(*plays: tuple[str, str], tiles: TileSet) -> tuple[list[Play], Board]:
    """Return the plays of several words on an empty board, and the board after them."""
    board, placed_plays = Board(), []
    for square, word in plays:
        play, board = place_word(board, square, word, tiles)
        placed_plays.append(play)
    return placed_plays, board
