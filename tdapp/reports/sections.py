"""What a list is made of: its columns, and the section that puts them under a title."""

from __future__ import annotations

from msgspec import Struct

from tdapp.domain.tables.table import Kind

_FLEXIBLE = frozenset({Kind.TEXT, Kind.WHY, Kind.NAME})


class ListColumn(Struct, frozen=True):
    """One column of a list: its cells as they are printed."""

    heading: str
    kind: Kind
    cells: tuple[str, ...]
    bold: bool = False

    @property
    def flexible(self) -> bool:
        """Whether its cells may be condensed and shortened."""
        return self.kind in _FLEXIBLE


class Section(Struct, frozen=True):
    """A list that begins on a page of its own: `title` at the left, `mark` large at the right, `lead` below.

    Where rows are `joined` one with nothing in the first column goes with the one above. They stand in `columns`
    at least where the document allows as many. The `legend` explains marks, at the foot of each page.
    """

    title: str
    mark: str
    lead: str
    fields: tuple[ListColumn, ...]
    empty: str
    joined: bool = False
    columns: int = 1
    legend: str = ""

    @property
    def length(self) -> int:
        """How many rows there are."""
        return len(self.fields[0].cells)
