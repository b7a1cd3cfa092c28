"""The bulletin of a round: announcements, news, standings, results and next pairings, in two columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.model import Division, Round
from tdapp.domain.tables import news, rounds
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import TextList, list_news_lines, list_pairings, list_standings, list_tiebreak_columns
from tdapp.i18n.phrases import describe_next_start, name_round
from tdapp.i18n.scores import make_decision_legend
from tdapp.reports.layout import PagePaint, PaintedPages, TaggedPage, TaggedPagePart
from tdapp.reports.measuring import fit_text, get_body_height, wrap_line
from tdapp.reports.pen import PageBox, Pen, TextAlign
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

TOP = 10  # rows of the standings
_DECIDING = 2  # tie-breaks after a name
_SIZE, _LINE, _HEADING = 9.5, 13.5, 12.0  # points
_HEAD, _GAP = _LINE * 1.5, _LINE * 0.9  # gaps of a heading and between two parts
_COLUMNS = 2


class _BulletinCell(Struct, frozen=True):
    text: str
    left: float
    width: float
    align_right: bool = False
    bold: bool = False


class _BulletinItem(Struct, frozen=True):
    lines: tuple[tuple[_BulletinCell, ...], ...]

    @property
    def height(self) -> float:
        return _LINE * len(self.lines)


class _BulletinPart(Struct, frozen=True):
    title: str
    items: tuple[_BulletinItem, ...]


def _make_bulletin_pages(
    context: ReportContext, division: Division, *, with_next_round: bool = True
) -> PaintedPages:
    after, catalogue = context.find_standings_round(division), context.catalogue
    item = context.index.round(division.id, after) if after else None
    name = name_round(catalogue, context.index, item) if item else ""
    title = " · ".join(filter(None, (catalogue.text("Bulletin"), name)))
    played = rounds.make_pairing_table(context.index, item).rows if item is not None else ()
    marks = make_decision_legend(catalogue, (row.decision for row in played))
    head = make_section(context, division, title, (), "", legend=marks)
    parts = [_make_announcement_part(context)]
    if item is not None:
        parts += [
            _make_news_part(context, division, after),
            _make_standings_part(context, division, after),
            _make_result_part(context, item),
        ]
    if with_next_round:
        parts.append(_make_next_round_part(context, division, after))
    there = [part for part in parts if part.items] or [
        _BulletinPart(catalogue.text("This page has no content yet."), ())
    ]
    return PaintedPages(
        head.title, head.mark, head.lead, _make_pages(context.style, there), legend=head.legend, note=head.note
    )


# --- content


def _make_announcement_part(context: ReportContext) -> _BulletinPart:
    said = context.index.tournament.event.announcement.splitlines()
    items = (_make_paragraph_item(context, "", line.strip()) for line in said if line.strip())
    return _BulletinPart(context.catalogue.text("Announcements"), tuple(items))


def _make_news_part(context: ReportContext, division: Division, after: int) -> _BulletinPart:
    found = list_news_lines(context.catalogue, context.index, news.list_round_news(context.index, division, after))
    items = (_make_paragraph_item(context, f"{one.what}: {one.name}", one.how) for one in found)
    return _BulletinPart(context.catalogue.text("Records and news"), tuple(items))


def _make_standings_part(context: ReportContext, division: Division, after: int) -> _BulletinPart:
    listed = list_standings(context.catalogue, context.index, division, after)
    wanted = ("rank", "name", *list_tiebreak_columns(context.index, division, after)[:_DECIDING])
    items = [_make_ranked_player_item(context, row, bold=False) for row in listed.list_rows(*wanted)[:TOP]]
    headings = [one.heading for one in listed.choose_columns(wanted[2:])]
    first = [_make_ranked_player_item(context, ("", "", *headings), bold=True)] if items else []
    more = (_make_paragraph_item(context, "", note) for note in listed.notes[1:])  # without the order
    return _BulletinPart(listed.title, (*first, *items, *more))


def _make_ranked_player_item(context: ReportContext, row: Sequence[str], *, bold: bool) -> _BulletinItem:
    rank, name, *figures = (context.style.replace_unprintable(one) for one in row)
    beside = tuple(
        _BulletinCell(one, 0.66 + 0.18 * at, 0.16, align_right=True, bold=bold or not at)
        for at, one in enumerate(figures)
    )
    return _BulletinItem(
        ((_BulletinCell(rank, 0, 0.08, align_right=True, bold=True), _BulletinCell(name, 0.11, 0.54), *beside),)
    )


def _make_result_part(context: ReportContext, item: Round) -> _BulletinPart:
    games = [row for row in rounds.make_pairing_table(context.index, item).rows if row.status != "open"]
    listed = list_pairings(context.catalogue, context.index, item, games)
    wide = any(row.decided_by for row in games)
    entered = games or any(seat.state is not None for seat in context.index.seats(item.id))
    share = 0.3 if wide or context.index.seats(item.id) else 0.17
    return _BulletinPart(listed.title, _make_game_items(context, listed, share) if entered else ())


def _make_next_round_part(context: ReportContext, division: Division, after: int) -> _BulletinPart:
    index, catalogue = context.index, context.catalogue
    begins = describe_next_start(catalogue, index, division)
    noted = (_make_paragraph_item(context, begins, ""),) if begins else ()
    for item in index.published(division.id)[after : after + 1]:
        games = [replace(row, decision=None) for row in rounds.make_pairing_table(index, item).rows]
        listed = list_pairings(catalogue, index, item, games, blank_groups=True)
        return _BulletinPart(listed.title, (*noted, *_make_game_items(context, listed, 0)))
    return _BulletinPart(catalogue.text("Next round"), noted)


def _make_game_items(context: ReportContext, listed: TextList, share: float) -> tuple[_BulletinItem, ...]:
    """Return an item for each game. `share` is the fraction of the width for the scores; 0 omits them."""
    width, made = (0.88 - share) / 2, []
    columns = listed.choose_columns(("table", "first_name", "score", "second_name"))
    lefts, rights = (0, 0.1, 0.1 + width, 0.11 + width + share), (0.08, width - 0.01, share, width + 0.01)
    for row in range(len(columns[0].cells)):
        cells = (
            _BulletinCell(
                context.style.replace_unprintable(column.cells[row]),
                left,
                wide,
                align_right=column.id == "table",
                bold=row in column.winners,
            )
            for column, left, wide in zip(columns, lefts, rights, strict=True)
        )
        made.append(_BulletinItem((tuple(cell for cell in cells if cell.width),)))
    return tuple(made)


def _make_paragraph_item(context: ReportContext, lead: str, text: str) -> _BulletinItem:
    style = context.style
    above = [(_BulletinCell(line, 0, 1, bold=True),) for line in _wrap_text(style, lead, bold=True)]
    return _BulletinItem((*above, *((_BulletinCell(line, 0, 1),) for line in _wrap_text(style, text))))


def _wrap_text(style: PrintStyle, text: str, *, bold: bool = False) -> Iterator[str]:
    printable = style.replace_unprintable(text)
    return wrap_line(printable, style.get_face(bold=bold), _SIZE, _get_column_width(style))


# --- positions


def _get_column_width(style: PrintStyle) -> float:
    return (style.width - style.gutter * (_COLUMNS - 1)) / _COLUMNS


class _ColumnPosition:
    """The current position on the pages: column (counted through all pages) and distance from its top."""

    def __init__(self, room: float) -> None:
        self._room = room
        self._column, self._down = 0, 0.0

    def reserve_height(self, height: float, *, with_next: float = 0.0) -> tuple[int, float]:
        if self._down and self._down + height + with_next > self._room:
            self._column, self._down = self._column + 1, 0.0
        at = self._column, self._down
        self._down += height
        return at

    def skip_gap(self, gap: float) -> None:
        self._down += gap


def _make_pages(style: PrintStyle, parts: Iterable[_BulletinPart]) -> tuple[TaggedPage, ...]:
    flow = _ColumnPosition(get_body_height(style))
    found: dict[int, list[TaggedPagePart]] = defaultdict(list)
    for part in parts:
        column, down = flow.reserve_height(_HEAD, with_next=sum(item.height for item in part.items[:2]))
        titles: dict[int, PagePaint] = {column // _COLUMNS: partial(_paint_title, part.title, column, down)}
        items: dict[int, list[PagePaint]] = {column // _COLUMNS: []}
        for item in part.items:
            column, down = flow.reserve_height(item.height)
            items.setdefault(column // _COLUMNS, []).append(partial(_paint_item, item, column, down))
        for page, own in items.items():
            found[page].append(TaggedPagePart(_paint_nothing, titles.get(page, _paint_nothing), tuple(own)))
        flow.skip_gap(_GAP)
    return tuple(TaggedPage(tuple(found[page])) for page in sorted(found))


def _get_left_edge(style: PrintStyle, column: int) -> float:
    return style.margin + column % _COLUMNS * (_get_column_width(style) + style.gutter)


def _paint_nothing(_canvas: Canvas, _style: PrintStyle, _top: float, _bottom: float) -> None:
    """Paint nothing, for a part without heading."""


def _paint_title(
    title: str, column: int, down: float, canvas: Canvas, style: PrintStyle, top: float, _bottom: float
) -> None:
    left, base, wide = _get_left_edge(style, column), top - down - _HEADING, _get_column_width(style)
    text, face = fit_text(style.replace_unprintable(title), style, _HEADING, wide, bold=True)
    canvas.setFont(face.name, _HEADING)
    canvas.drawString(left, base, text)
    canvas.setLineWidth(0.9)
    canvas.line(left, base - 3.5, left + wide, base - 3.5)


def _paint_item(
    item: _BulletinItem, column: int, down: float, canvas: Canvas, style: PrintStyle, top: float, _bottom: float
) -> None:
    left, wide, pen = _get_left_edge(style, column), _get_column_width(style), Pen(canvas, style)
    for number, cells in enumerate(item.lines):
        base = top - down - number * _LINE - _SIZE
        for cell in cells:
            box = PageBox(left + cell.left * wide, base, cell.width * wide, _SIZE)
            align = TextAlign.RIGHT if cell.align_right else TextAlign.LEFT
            pen.write_text(cell.text, box, base, _SIZE, bold=cell.bold, align=align, shrink=True)


BULLETIN = Report(
    "bulletin",
    N_("Bulletin"),
    _make_bulletin_pages,
    ReportGroup.AFTER,
    N_(
        "One round on paper: announcements, records and news, the top of the standings, results, the next "
        "pairings."
    ),
    content=partial(_make_bulletin_pages, with_next_round=False),
)
