"""A list as a web page shows it: headings and cells as text, with links and what a search looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.collation import sort_key

_STYLES = MappingProxyType(
    {(False, False): "", (True, False): "number", (False, True): "strong", (True, True): "number strong"}
)
_NUMERIC = frozenset({Kind.NUMBER, Kind.POINTS, Kind.SIGNED, Kind.SHARE, Kind.MONEY, Kind.DECIMAL})


@dataclass(frozen=True, slots=True)
class SiteCell:
    """One value as text; `link` is a page's name, a `person` is not to be translated, `strong` matters most."""

    text: str
    link: str = ""
    numeric: bool = False
    person: bool = False
    strong: bool = False

    @property
    def style(self) -> str:
        """The classes of the style sheet that it has."""
        return _STYLES[self.numeric, self.strong]


@dataclass(frozen=True, slots=True)
class Head:
    """A column's heading, in full as `title` where it is shortened."""

    text: str
    title: str = ""
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A row; `lead` is the place of the cell that names it, `key` is what a search by name looks in."""

    cells: tuple[SiteCell, ...]
    lead: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class SiteGrid:
    """A list under its caption; `empty` is said where it has no rows."""

    caption: str
    heads: tuple[Head, ...]
    lines: tuple[SiteRow, ...]
    empty: str = ""


Link = Callable[[Any, str], str]  # the page behind a row's cell of a column, empty for none


def no_link(_row: object, _column: str) -> str:
    """Return no link."""
    return ""


def grid(
    table: Table[Any], words: Catalogue, wanted: Sequence[str], *, caption: str, empty: str, link: Link = no_link
) -> SiteGrid:
    """Return the wanted columns of a table, those without any value left out; the name leads each row."""
    columns = {column.id: column for column in table.columns}
    chosen = [columns[name] for name in wanted if name in columns]
    texts = [[words.cell(column.kind, column.value(row)) for row in table.rows] for column in chosen]
    kept = [place for place, cells in enumerate(texts) if any(cells) or not table.rows]
    heads = tuple(head(words, chosen[place]) for place in kept)
    lead = next((at for at, place in enumerate(kept) if chosen[place].kind is Kind.NAME), 0)
    lines = tuple(
        line([_cell(chosen[place], texts[place][at], link(row, chosen[place].id)) for place in kept], lead)
        for at, row in enumerate(table.rows)
    )
    return SiteGrid(caption, heads, lines, empty)


def head(words: Catalogue, column: Column[Any]) -> Head:
    """Return a column's heading."""
    said, full = words.heading(column.heading), words.explanation(column.heading)
    return Head(said, full if full != said else "", column.kind in _NUMERIC)


def line(cells: Sequence[SiteCell], lead: int) -> SiteRow:
    """Return a row that is found by every person in it."""
    cells = [replace(cell, strong=True) if place == lead else cell for place, cell in enumerate(cells)]
    return SiteRow(tuple(cells), lead, sought(cell.text for cell in cells if cell.person))


def sought(names: Iterable[str]) -> str:
    """Return what a search compares: small letters without accents, the same in every language."""
    return " ".join(sort_key("en", name)[0] for name in names)


def _cell(column: Column[Any], text: str, link: str) -> SiteCell:
    return SiteCell(text, link, column.kind in _NUMERIC, column.kind is Kind.NAME)
