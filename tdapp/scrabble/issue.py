"""Problems of a score sheet or an annotated game, as codes with values."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct


class SheetIssue(Struct, frozen=True):
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


class StructWithPartialEquality(Struct, frozen=True, eq=False):
    """A value from a file. `==` ignores the fields in `fields_ignored_by_equality`, such as the line number."""

    fields_ignored_by_equality: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._list_values_for_equality() == other._list_values_for_equality()

    def __hash__(self) -> int:
        return hash(self._list_values_for_equality())

    @classmethod
    def list_fields_for_equality(cls) -> tuple[str, ...]:
        return tuple(name for name in cls.__struct_fields__ if name not in cls.fields_ignored_by_equality)

    def _list_values_for_equality(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.list_fields_for_equality())
