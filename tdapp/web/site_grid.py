"""Content of web pages: lists as text with links and search keys, and brackets as drawings in pixels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec import Struct

from tdapp.domain.tables.bracket import Tree, Twig
from tdapp.domain.tables.table import Kind
from tdapp.i18n.bracket_layout import BracketScale, PlacedMatch, lay_out, slot_text
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import ListColumn, TextList
from tdapp.i18n.locales import sort_key

_STYLES = {(False, False): "", (True, False): "number", (False, True): "strong", (True, True): "number strong"}


class SiteCell(Struct, frozen=True):
    """`link` is a page name. A `person` is not translated. `spare`: hidden on a phone.

    `square` cells of a crosstable keep their lines.
    """

    text: str
    link: str = ""
    numeric: bool = False
    person: bool = False
    strong: bool = False
    spare: bool = False
    square: bool = False

    @property
    def style(self) -> str:
        flags = {"spare": self.spare, "name": self.person, "square": self.square}
        return " ".join(filter(None, (_STYLES[self.numeric, self.strong], *(one for one in flags if flags[one]))))


class Head(Struct, frozen=True):
    """`title` is its full text. `spare`: hidden on a phone."""

    text: str
    title: str = ""
    numeric: bool = False
    spare: bool = False

    @property
    def style(self) -> str:
        return " ".join(filter(None, (_STYLES[self.numeric, False], "spare" if self.spare else "")))


class SiteRow(Struct, frozen=True):
    """`lead` is the index of the name cell, `key` the search text."""

    cells: tuple[SiteCell, ...]
    lead: int = 0
    key: str = ""


class SiteGrid(Struct, frozen=True):
    """`empty` is the text without rows."""

    caption: str
    heads: tuple[Head, ...]
    lines: tuple[SiteRow, ...]
    empty: str = ""


def make_grid(
    listed: TextList,
    page: Callable[[int], str],
    wanted: Iterable[str] | None = None,
    *,
    lead: str = "name",
    bold: Collection[str] = (),
    spare: Collection[str] = (),
) -> SiteGrid:
    """Return the wanted columns (None: all). The column `lead` names the rows.

    A search finds a row by that name, or by each person in it.
    """
    columns = listed.columns if wanted is None else listed.choose(wanted)
    at = next((place for place, column in enumerate(columns) if column.id == lead), 0)
    heads = tuple(
        Head(one.heading, "" if one.explanation == one.heading else one.explanation, one.numeric, one.id in spare)
        for one in columns
    )
    lines = []
    for row in range(len(columns[0].cells) if columns else 0):
        first = at if columns[at].cells[row] else at + 1  # a bye has no table
        cells = tuple(
            _make_cell(one, row, page, strong=place == first or one.id in bold, spare=one.id in spare)
            for place, one in enumerate(columns)
        )
        names = (cells[at],) if cells[at].person else cells
        lines.append(SiteRow(cells, first, make_search_key(cell.text for cell in names if cell.person)))
    return SiteGrid(listed.title, heads, tuple(lines), listed.empty)


def _make_cell(column: ListColumn, row: int, page: Callable[[int], str], *, strong: bool, spare: bool) -> SiteCell:
    number = column.players[row] if column.players else None
    return SiteCell(
        column.cells[row],
        "" if number is None else page(number),
        column.numeric,
        person=column.kind is Kind.NAME and (number is not None or not column.players),
        strong=strong or row in column.winners,
        spare=spare,
        square=column.id.startswith("round_"),
    )


def make_search_key(names: Iterable[str]) -> str:
    """Return lower case without accents, the same in each language."""
    return " ".join(sort_key("en", name)[0] for name in names)


_LABEL, _LINE, _GAP, _AIR = 16, 24, 28, 18
_LETTER = 7.6  # average width of a letter
_NARROWEST, _WIDEST = 150, 280
_BESIDE = 78  # seed and points


class Drawing(Struct, frozen=True):
    """Size, matches, and lines as SVG paths."""

    title: str
    width: int
    height: int
    box: int
    matches: tuple[PlacedMatch, ...]
    paths: tuple[str, ...]


def draw_tree(tree: Tree, catalogue: Catalogue) -> Drawing:
    twigs = [Twig(box, box.column, box.row) for box in tree.boxes if box.needed]
    names = (slot_text(catalogue, twig.box, place).name for twig in twigs for place in (0, 1))
    wide = round(min(max(max(map(len, names), default=0) * _LETTER + _BESIDE, _NARROWEST), _WIDEST))
    pitch = _LABEL + 2 * _LINE + _AIR
    matches = tuple(lay_out(catalogue, twigs, BracketScale(wide, _GAP, pitch, top=_LABEL + _LINE - pitch / 2)))
    return Drawing(
        title=catalogue.part(tree.title, *tree.places),
        width=round(max((one.left for one in matches), default=0)) + wide,
        height=round(max((one.middle for one in matches), default=0)) - _LABEL - _LINE + pitch,
        box=wide,
        matches=matches,
        paths=tuple("M" + "L".join(f"{x:g} {y:g}" for x, y in one.join) for one in matches if one.join),
    )
