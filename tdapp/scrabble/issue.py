"""Errors on a sheet or in an annotated game, as codes with figures."""

from __future__ import annotations

from msgspec import Struct


class Issue(Struct, frozen=True):
    """One error.

    `turn` (None: the whole game) and `line` of the file (None: no file) count from 1. `stated` is the written
    value, `computed` the expected one, `other` the value of the second form. `detail` has tiles, a square, a
    word, or the differing field.
    """

    code: str
    turn: int | None = None
    stated: int | str | None = None
    computed: int | None = None
    other: int | str | None = None
    detail: str = ""
    line: int | None = None


class ScrabbleError(ValueError):
    """Unreadable input; `code` is the message id, `detail` quotes the input."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
