"""The tile sets that come with the program, and small ways to write plays in tests."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from tdapp.scrabble import coordinates
from tdapp.scrabble.board import Board, Play, read_written_word
from tdapp.scrabble.tiles import TileSet, parse_tileset

FOLDER = Path(__file__).parents[2] / "resources" / "tilesets"


@cache
def tileset(name: str) -> TileSet:
    return parse_tileset(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def lay(board: Board, at: str, word: str, tiles: TileSet) -> tuple[Play, Board]:
    """Lay a word that must be legal."""
    row, column, direction = coordinates.read_square(at)
    assert direction is not None
    placement, issues = board.find_word_placement(row, column, direction, read_written_word(word, tiles))
    assert placement is not None
    assert not issues
    assert board.find_violations(placement) == ()
    return board.score_play(placement, tiles), board.place_tiles(placement.tiles)


def laid(*plays: tuple[str, str], tiles: TileSet) -> tuple[list[Play], Board]:
    """Lay words one after another on an empty board."""
    board, done = Board(), []
    for at, word in plays:
        play, board = lay(board, at, word, tiles)
        done.append(play)
    return done, board
