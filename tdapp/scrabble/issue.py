"""Problems of a score sheet or an annotated game, as codes with values."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct


class Issue(Struct, frozen=True):
    """One problem of a score sheet or an annotated game."""

    code: str
    turn: int | None = None  # from 1; None: the whole game
    stated: int | str | None = None  # the written value
    computed: int | None = None  # the expected value
    other: int | str | None = None  # the value on the opponent's form
    detail: str = ""  # tiles, a square, a word, or the name of the differing field
    line: int | None = None  # in the file, from 1; None: no file


class ScrabbleError(ValueError):
    """Raised for input that cannot be read. `code` is the message id, `detail` quotes the input."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class ValueWithProvenance(Struct, frozen=True, eq=False):
    """A value from a file. Equality ignores the fields in `provenance`, such as the line number."""

    provenance: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._list_compared_values() == other._list_compared_values()

    def __hash__(self) -> int:
        return hash(self._list_compared_values())

    @classmethod
    def list_compared_fields(cls) -> tuple[str, ...]:
        return tuple(name for name in cls.__struct_fields__ if name not in cls.provenance)

    def _list_compared_values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.list_compared_fields())
