"""Errors on a sheet or in an annotated game, as codes with figures. Values with their place in a file."""

from __future__ import annotations

from typing import Any, ClassVar

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


class ReadValue(Struct, frozen=True, eq=False):
    """A value whose equality ignores the fields about its source (position, form)."""

    provenance: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Compare all fields except those of `provenance`."""
        return type(other) is type(self) and self._compared() == other._compared()

    def __hash__(self) -> int:
        """Return a hash of the compared fields."""
        return hash(self._compared())

    @classmethod
    def list_content(cls) -> tuple[str, ...]:
        """Return the names of the fields except those of `provenance`."""
        return tuple(name for name in cls.__struct_fields__ if name not in cls.provenance)

    def _compared(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.list_content())
