"""Score sheets and annotated games from files, for everybody who reads them.

Turns what the game's own room finds wrong into errors that name the file and the line.
"""

from __future__ import annotations

from tdapp.domain.errors import InputError
from tdapp.exchange import json_text
from tdapp.exchange.text import clean, decode
from tdapp.scrabble import gcg, sheet
from tdapp.scrabble.gcg import GcgGame
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.sheet import Sheet, SheetError

_MAX_BYTES = 1_000_000  # a long game takes 10,000
_MAX_PROBLEMS = 20
_MAX_LENGTH = 200  # characters of one problem


def read_sheet(data: bytes, source: str = "") -> Sheet:
    """Return the score sheet in a JSON document; raise InputError naming every misfit with its path."""
    plain = json_text.parse(decode(data, source, limit=_MAX_BYTES), source)
    try:
        return sheet.parse(plain)
    except SheetError as error:
        problems = tuple(clean(problem)[:_MAX_LENGTH] for problem in error.problems[:_MAX_PROBLEMS])
        raise InputError("sheet-invalid", source=source, problems=problems) from error


def read_gcg(data: bytes, source: str) -> tuple[GcgGame, tuple[Issue, ...]]:
    """Return the annotated game in a GCG file, with what is odd about the file; raise InputError."""
    try:
        return gcg.read(data)
    except gcg.GcgError as error:
        detail = clean(error.detail)[:_MAX_LENGTH]
        raise InputError(error.code, source=source, line=error.line, detail=detail) from error
