"""Values read from a file, with their position in it."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct


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
