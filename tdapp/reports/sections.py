"""A list to print under a title."""

from __future__ import annotations

from msgspec import Struct

from tdapp.i18n.lists import TextColumn


class Section(Struct, frozen=True):
    """A list that starts on a new page, under a title."""

    title: str
    division_title: str  # at the right of the title
    subtitle: str
    fields: tuple[TextColumn, ...]
    empty: str  # text for a list without rows
    has_continuation_rows: bool = False  # a row with an empty or indented first cell belongs to the row above
    columns: int = 1  # minimum columns of rows side by side
    legend: str = ""
    note: str = ""

    @property
    def row_count(self) -> int:
        return len(self.fields[0].cells)
