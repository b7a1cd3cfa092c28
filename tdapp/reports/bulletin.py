"""The bulletin of a round: announcements, news, top of the standings, results and next pairings.

Its parts flow through two columns of a page. The content is from the same read models as the screens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.model import Division, Round
from tdapp.domain.standings import find_vacant_ranks
from tdapp.domain.tables import news, rounds, standings
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import describe_vacant_ranks
from tdapp.i18n.news import lines
from tdapp.i18n.phrases import next_begins, round_name, round_title, standings_title
from tdapp.i18n.scores import legend, score_said
from tdapp.reports.layout import ListedPage, ListedPart, PagePaint, PaintedPages
from tdapp.reports.measuring import body_height, fitted
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

TOP = 10  # rows of the standings
_DECIDING = 2  # tie-breaks after a name
_SIZE, _LINE, _HEADING = 9.5, 13.5, 12.0  # points
_HEAD, _GAP = _LINE * 1.5, _LINE * 0.9  # gaps of a heading and between two parts
_COLUMNS = 2


class _Cell(Struct, frozen=True):
    """A text at `left` with width `wide`, as fractions of a column; `right` aligned, or `bold`."""

    text: str
    left: float
    wide: float
    right: bool = False
    bold: bool = False


class _Item(Struct, frozen=True):
    """A group of lines that stays together."""

    lines: tuple[tuple[_Cell, ...], ...]

    @property
    def height(self) -> float:
        return _LINE * len(self.lines)


class _BulletinPart(Struct, frozen=True):
    """A heading with its content."""

    title: str
    items: tuple[_Item, ...]


def _bulletin_pages(context: Context, division: Division, *, coming: bool = True) -> PaintedPages:
    after, catalogue = context.after(division), context.catalogue
    item = context.index.round(division.id, after) if after else None
    name = round_name(catalogue, context.index, item) if item else ""
    title = " · ".join(filter(None, (catalogue.text("Bulletin"), name)))
    played = rounds.pairing_table(context.index, item).rows if item is not None else ()
    marks = legend(catalogue, (row.decision for row in played))
    head = section(context, division, title, (), "", legend=marks)
    parts = [_announcement_part(context)]
    if item is not None:
        parts += [
            _news_part(context, division, after),
            _standings_part(context, division, after),
            _result_part(context, item),
        ]
    if coming:
        parts.append(_next_round_part(context, division, after))
    there = [part for part in parts if part.items] or [
        _BulletinPart(catalogue.text("There is nothing to see yet."), ())
    ]
    return PaintedPages(head.title, head.mark, head.lead, _make_pages(context.style, there), legend=head.legend)


# --- content


def _announcement_part(context: Context) -> _BulletinPart:
    said = context.index.tournament.event.announcement.splitlines()
    items = (_paragraph_item(context, "", line.strip()) for line in said if line.strip())
    return _BulletinPart(context.catalogue.text("Announcements"), tuple(items))


def _news_part(context: Context, division: Division, after: int) -> _BulletinPart:
    found = lines(context.catalogue, news.round_news(context.index, division, after))
    items = (_paragraph_item(context, f"{one.what}: {one.name}", one.how) for one in found)
    return _BulletinPart(context.catalogue.text("Records and news"), tuple(items))


def _standings_part(context: Context, division: Division, after: int) -> _BulletinPart:
    catalogue, table = context.catalogue, standings.standings_table(context.index, division, after)
    shown = standings.deciding_standings_columns(context.index, division, after)[:_DECIDING]
    headings = [catalogue.heading(one.heading) for one in shown]
    rows = [
        (
            str(row.listed_rank or "–"),
            row.player.name,
            *(catalogue.cell(one.kind, one.value(row)) for one in shown),
        )
        for row in table.rows[:TOP]
    ]
    items = tuple(_ranked_item(context, row, bold=False) for row in rows)
    first = (_ranked_item(context, ("", "", *headings), bold=True),) if items else ()
    said = describe_vacant_ranks(catalogue, find_vacant_ranks(table.rows))
    more = (_paragraph_item(context, "", said),) if said else ()
    return _BulletinPart(standings_title(catalogue, context.index, division, after), (*first, *items, *more))


def _ranked_item(context: Context, row: Sequence[str], *, bold: bool) -> _Item:
    rank, name, *figures = (context.style.printable(one) for one in row)
    beside = tuple(
        _Cell(one, 0.66 + 0.18 * at, 0.16, right=True, bold=bold or not at) for at, one in enumerate(figures)
    )
    return _Item(((_Cell(rank, 0, 0.08, right=True, bold=True), _Cell(name, 0.11, 0.54), *beside),))


def _result_part(context: Context, item: Round) -> _BulletinPart:
    index, catalogue = context.index, context.catalogue
    rows = [row for row in rounds.pairing_table(index, item).rows if row.status != "open"]
    wide = any(row.decided_by for row in rows)
    played = [_game_item(context, row, wide=wide) for row in rows]
    byes = [
        _pair_item(context, "", row.name, catalogue.code(row.kind)) for row in rounds.bye_table(index, item).rows
    ]
    return _BulletinPart(round_title(catalogue, index, item, decided=True), (*played, *byes) if played else ())


def _next_round_part(context: Context, division: Division, after: int) -> _BulletinPart:
    index, catalogue = context.index, context.catalogue
    begins = next_begins(catalogue, index, division)
    noted = (_paragraph_item(context, begins, ""),) if begins else ()
    found = [item for item in index.published(division.id) if item.number == after + 1]
    if not found:
        return _BulletinPart(catalogue.text("Next round"), noted)
    games = (
        _pair_item(context, str(row.table), row.first_name, row.second_name)
        for row in rounds.pairing_table(index, found[0]).rows
    )
    byes = (
        _pair_item(context, "", row.name, catalogue.code(row.kind))
        for row in rounds.bye_table(index, found[0]).rows
    )
    return _BulletinPart(round_title(catalogue, index, found[0], decided=False), (*noted, *games, *byes))


def _game_item(context: Context, row: rounds.PairingRow, *, wide: bool) -> _Item:
    """Return a game with its score, in a `wide` column if scores have marks."""
    written, share = context.style.printable, 0.3 if wide else 0.17
    name = (0.88 - share) / 2
    cells = (
        _Cell(str(row.table), 0, 0.08, right=True),
        _Cell(written(row.first_name), 0.1, name - 0.01, bold=row.winner == row.first),
        _Cell(written(score_said(context.catalogue, row)), 0.1 + name, share),
        _Cell(written(row.second_name), 0.11 + name + share, name + 0.01, bold=row.winner == row.second),
    )
    return _Item((cells,))


def _pair_item(context: Context, table: str, first: str, second: str) -> _Item:
    written = context.style.printable
    names = (_Cell(written(first), 0.11, 0.43), _Cell(written(second), 0.56, 0.44))
    return _Item(((_Cell(table, 0, 0.08, right=True), *names),))


def _paragraph_item(context: Context, lead: str, text: str) -> _Item:
    style = context.style
    above = [(_Cell(line, 0, 1, bold=True),) for line in _wrap_text(style, lead, bold=True)]
    return _Item((*above, *((_Cell(line, 0, 1),) for line in _wrap_text(style, text))))


def _wrap_text(style: Style, text: str, *, bold: bool = False) -> Iterator[str]:
    face, room, line = style.face(bold=bold), _column(style), ""
    for word in style.printable(text).split():
        longer = f"{line} {word}".strip()
        if line and face.width(longer, _SIZE) > room:
            yield line
            longer = word
        line = longer
    if line:
        yield line


# --- positions


def _column(style: Style) -> float:
    return (style.width - style.gutter * (_COLUMNS - 1)) / _COLUMNS


class _Flow:
    """The current position: the column, counted through all pages, and the distance from the top."""

    def __init__(self, room: float) -> None:
        self._room = room
        self._column, self._down = 0, 0.0

    def take(self, height: float, *, with_next: float = 0.0) -> tuple[int, float]:
        if self._down and self._down + height + with_next > self._room:
            self._column, self._down = self._column + 1, 0.0
        at = self._column, self._down
        self._down += height
        return at

    def leave(self, gap: float) -> None:
        self._down += gap


def _make_pages(style: Style, parts: Iterable[_BulletinPart]) -> tuple[ListedPage, ...]:
    flow = _Flow(body_height(style))
    found: dict[int, list[ListedPart]] = defaultdict(list)
    for part in parts:
        column, down = flow.take(_HEAD, with_next=sum(item.height for item in part.items[:2]))
        titles: dict[int, PagePaint] = {column // _COLUMNS: partial(_paint_title, part.title, column, down)}
        items: dict[int, list[PagePaint]] = {column // _COLUMNS: []}
        for item in part.items:
            column, down = flow.take(item.height)
            items.setdefault(column // _COLUMNS, []).append(partial(_paint_item, item, column, down))
        for page, own in items.items():
            found[page].append(ListedPart(_paint_nothing, titles.get(page, _paint_nothing), tuple(own)))
        flow.leave(_GAP)
    return tuple(ListedPage(tuple(found[page])) for page in sorted(found))


def _left_edge(style: Style, column: int) -> float:
    return style.margin + column % _COLUMNS * (_column(style) + style.gutter)


def _paint_nothing(_canvas: Canvas, _style: Style, _top: float, _bottom: float) -> None:
    """Paint nothing, for a continued part without heading."""


def _paint_title(
    title: str, column: int, down: float, canvas: Canvas, style: Style, top: float, _bottom: float
) -> None:
    left, base, wide = _left_edge(style, column), top - down - _HEADING, _column(style)
    text, face = fitted(style.printable(title), style, _HEADING, wide, bold=True)
    canvas.setFont(face.name, _HEADING)
    canvas.drawString(left, base, text)
    canvas.setLineWidth(0.9)
    canvas.line(left, base - 3.5, left + wide, base - 3.5)


def _paint_item(
    item: _Item, column: int, down: float, canvas: Canvas, style: Style, top: float, _bottom: float
) -> None:
    left, wide = _left_edge(style, column), _column(style)
    for number, cells in enumerate(item.lines):
        base = top - down - number * _LINE - _SIZE
        for cell in cells:
            text, face = fitted(cell.text, style, _SIZE, cell.wide * wide, bold=cell.bold)
            canvas.setFont(face.name, _SIZE)
            if cell.right:
                canvas.drawRightString(left + (cell.left + cell.wide) * wide, base, text)
            else:
                canvas.drawString(left + cell.left * wide, base, text)


BULLETIN = Report(
    "bulletin",
    N_("Bulletin"),
    _bulletin_pages,
    Group.AFTER,
    N_("A round on paper: announcements, records and news, the top of the standings, results, the next pairings."),
    content=partial(_bulletin_pages, coming=False),
)
