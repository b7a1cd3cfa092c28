"""Words as written on a sheet, with played-through letters and blanks.

A letter that was already on the board is `.`, `(A)`, or simply the letter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import BLANK, TileSet
from tdapp.scrabble.wordlist import spell_word


class WrittenSquare(NamedTuple):
    """One square of a written word: a tile (empty: any); `through`: it was on the board."""

    tile: str
    through: bool


def read_word(text: str, tileset: TileSet) -> tuple[WrittenSquare, ...]:
    """Return the squares of a written word.

    A lower-case letter, or one with `*` after it, is a blank. Accents are folded as in a word list. Raises
    ScrabbleError (letter-unknown, word-unreadable) for other input, and for a blank without a letter.
    """
    letters = [letter.text for letter in tileset.letters]
    text = spell_word("".join(unicodedata.normalize("NFC", text).split()), tileset.language, letters)
    marks: list[WrittenSquare] = []
    start, through = 0, False
    while start < len(text):
        char = text[start]
        if char in "()":
            if through == (char == "("):
                raise ScrabbleError("word-unreadable", text)
            through, start = char == "(", start + 1
        elif char == ".":
            marks.append(WrittenSquare("", through=True))
            start += 1
        else:
            tile, start = _read_tile(text, start, tileset)
            marks.append(WrittenSquare(tile, through))
    if through or not marks:
        raise ScrabbleError("word-unreadable", text)
    return tuple(marks)


def _read_tile(text: str, start: int, tileset: TileSet) -> tuple[str, int]:
    tile, after = tileset.read_one(text, start)
    if tile == BLANK:
        raise ScrabbleError("word-unreadable", text)
    return (tile.lower(), after + 1) if text.startswith("*", after) else (tile, after)


def write_word(marks: Iterable[WrittenSquare]) -> str:
    """Return a word in GCG notation: a point for each letter already on the board."""
    tiles = ("." if mark.through else mark.tile for mark in marks)
    return "".join(f"[{tile}]" if len(tile) > 1 else tile for tile in tiles)
