"""What is wrong with a sheet or an annotated game, without words: a code and the figures that go with it."""

from __future__ import annotations

from msgspec import Struct


class Issue(Struct, frozen=True):
    """One finding.

    `turn` (None: the whole game) and `line` of the file (None: no file) count from 1. `stated` is what was
    written, `computed` what it ought to be; for forms that differ `other` is what the second form says. `detail`
    names tiles, a square or a word, or what it is that differs.
    """

    code: str
    turn: int | None = None
    stated: int | str | None = None
    computed: int | None = None
    other: int | str | None = None
    detail: str = ""
    line: int | None = None


class ScrabbleError(ValueError):
    """Something that cannot be read; `code` names the sentence, `detail` quotes what was found."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
