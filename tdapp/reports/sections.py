"""A list for print under its title."""

from __future__ import annotations

from msgspec import Struct

from tdapp.i18n.lists import ListColumn


class Section(Struct, frozen=True):
    """A list that starts on a new page: `title` at the left, `mark` large at the right, `lead` below.

    With `joined` a row with an empty first cell belongs to the row above. `columns` is the minimum number of
    row columns, if the document allows it. The `legend` explains marks at the foot of each page.
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
        """Number of rows."""
        return len(self.fields[0].cells)
