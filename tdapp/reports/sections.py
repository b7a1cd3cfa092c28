"""A list to print under a title."""

from __future__ import annotations

from msgspec import Struct

from tdapp.i18n.lists import ListColumn


class Section(Struct, frozen=True):
    """A list on a new page: `title` at the left, `mark` large at the right, `lead` and `note` below.

    `joined`: a row with an empty first cell belongs to the row above. The rows are in at least `columns`
    columns side by side.
    """

    title: str
    mark: str
    lead: str
    fields: tuple[ListColumn, ...]
    empty: str
    joined: bool = False
    columns: int = 1
    legend: str = ""
    note: str = ""

    @property
    def row_count(self) -> int:
        return len(self.fields[0].cells)
