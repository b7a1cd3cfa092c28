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
from tdapp.i18n.lists import (
    TextTable,
    list_news_lines,
    list_tiebreak_column_ids,
    make_pairings_text_table,
    make_standings_text_table,
)
from tdapp.i18n.phrases import describe_next_start, format_round
from tdapp.i18n.scores import make_game_decision_legend
from tdapp.reports.layout import CustomPaintedSection, PagePaint, TaggedPage, TaggedPagePart
from tdapp.reports.measuring import compute_page_body_height, condense_or_shorten_text, wrap_line
from tdapp.reports.pen import PageBox, Pen, TextAlign
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MAX_RANKED_PLAYERS = 10
_MAX_TIEBREAKS = 2  # most after a name
_TEXT_SIZE, _LINE_HEIGHT, _HEADING_SIZE = 9.5, 13.5, 12.0  # points
_HEADING_HEIGHT, _PART_GAP = _LINE_HEIGHT * 1.5, _LINE_HEIGHT * 0.9
_COLUMN_COUNT = 2


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
        return _LINE_HEIGHT * len(self.lines)


class _BulletinPart(Struct, frozen=True):
    title: str
    items: tuple[_BulletinItem, ...]


def _make_bulletin_pages(
    context: ReportContext, division: Division, *, with_next_round: bool = True
) -> CustomPaintedSection:
    after, catalogue = context.find_standings_round(division), context.catalogue
    item = context.index.get_round(division.id, after) if after else None
    name = format_round(catalogue, context.index, item) if item else ""
    title = " · ".join(filter(None, (catalogue.text("Bulletin"), name)))
    rows = rounds.make_pairing_table(context.index, item).rows if item is not None else ()
    legend = make_game_decision_legend(catalogue, (row.decision for row in rows))
    section = make_section(context, division, title, (), "", legend=legend)
    parts = [_make_announcement_part(context)]
    if item is not None:
        parts += [
            _make_news_part(context, division, after),
            _make_standings_part(context, division, after),
            _make_result_part(context, item),
        ]
    if with_next_round:
        parts.append(_make_next_round_part(context, division, after))
    shown_parts = [part for part in parts if part.items] or [
        _BulletinPart(catalogue.text("There is nothing to show here yet."), ())
    ]
    return CustomPaintedSection(
        section.title,
        section.division_title,
        section.subtitle,
        _make_pages(context.style, shown_parts),
        legend=section.legend,
        note=section.note,
    )


# --- content


def _make_announcement_part(context: ReportContext) -> _BulletinPart:
    lines = context.index.tournament.event.announcement.splitlines()
    items = (_make_paragraph_item(context, "", line.strip()) for line in lines if line.strip())
    return _BulletinPart(context.catalogue.text("Announcements"), tuple(items))


def _make_news_part(context: ReportContext, division: Division, after: int) -> _BulletinPart:
    news_lines = list_news_lines(
        context.catalogue, context.index, news.list_round_news(context.index, division, after)
    )
    items = (_make_paragraph_item(context, f"{line.title}: {line.name}", line.details) for line in news_lines)
    return _BulletinPart(context.catalogue.text("Records and news"), tuple(items))


def _make_standings_part(context: ReportContext, division: Division, after: int) -> _BulletinPart:
    text_table = make_standings_text_table(context.catalogue, context.index, division, after)
    column_ids = ("rank", "name", *list_tiebreak_column_ids(context.index, division, after)[:_MAX_TIEBREAKS])
    items = [
        _make_ranked_player_item(context, row, bold=False)
        for row in text_table.list_rows(*column_ids)[:MAX_RANKED_PLAYERS]
    ]
    headings = [column.heading for column in text_table.get_columns_by_ids(column_ids[2:])]
    heading_items = [_make_ranked_player_item(context, ("", "", *headings), bold=True)] if items else []
    note_items = (_make_paragraph_item(context, "", note) for note in text_table.notes[1:])  # without the ranking
    return _BulletinPart(text_table.title, (*heading_items, *items, *note_items))


def _make_ranked_player_item(context: ReportContext, row: Sequence[str], *, bold: bool) -> _BulletinItem:
    rank, name, *figures = (context.style.replace_unprintable_characters(cell) for cell in row)
    figure_cells = tuple(
        _BulletinCell(figure, 0.66 + 0.18 * position, 0.16, align_right=True, bold=bold or not position)
        for position, figure in enumerate(figures)
    )
    return _BulletinItem(
        (
            (
                _BulletinCell(rank, 0, 0.08, align_right=True, bold=True),
                _BulletinCell(name, 0.11, 0.54),
                *figure_cells,
            ),
        )
    )


def _make_result_part(context: ReportContext, item: Round) -> _BulletinPart:
    games = [row for row in rounds.make_pairing_table(context.index, item).rows if row.status != "open"]
    text_table = make_pairings_text_table(context.catalogue, context.index, item, games)
    has_marks = any(row.decided_by for row in games)
    has_results = games or any(seat.state is not None for seat in context.index.seats(item.id))
    score_share = 0.3 if has_marks or context.index.seats(item.id) else 0.17
    return _BulletinPart(
        text_table.title, _make_bulletin_items_of_games(context, text_table, score_share) if has_results else ()
    )


def _make_next_round_part(context: ReportContext, division: Division, after: int) -> _BulletinPart:
    index, catalogue = context.index, context.catalogue
    start_text = describe_next_start(catalogue, index, division)
    start_items = (_make_paragraph_item(context, start_text, ""),) if start_text else ()
    for item in index.list_published_rounds(division.id)[after : after + 1]:
        games = [replace(row, decision=None) for row in rounds.make_pairing_table(index, item).rows]
        text_table = make_pairings_text_table(catalogue, index, item, games, hide_group_points=True)
        return _BulletinPart(
            text_table.title, (*start_items, *_make_bulletin_items_of_games(context, text_table, 0))
        )
    return _BulletinPart(catalogue.text("Next round"), start_items)


def _make_bulletin_items_of_games(
    context: ReportContext, text_table: TextTable, score_share: float
) -> tuple[_BulletinItem, ...]:
    """Return an item for each game. `score_share` is the fraction of the width for the scores; 0 omits them."""
    width, items = (0.88 - score_share) / 2, []
    columns = text_table.get_columns_by_ids(("table", "first_name", "score", "second_name"))
    left_edges = (0, 0.1, 0.1 + width, 0.11 + width + score_share)
    cell_widths = (0.08, width - 0.01, score_share, width + 0.01)
    for row in range(len(columns[0].cells)):
        cells = (
            _BulletinCell(
                context.style.replace_unprintable_characters(column.cells[row]),
                left_edge,
                cell_width,
                align_right=column.id == "table",
                bold=row in column.winners,
            )
            for column, left_edge, cell_width in zip(columns, left_edges, cell_widths, strict=True)
        )
        items.append(_BulletinItem((tuple(cell for cell in cells if cell.width),)))
    return tuple(items)


def _make_paragraph_item(context: ReportContext, bold_lead: str, text: str) -> _BulletinItem:
    style = context.style
    lead_lines = [(_BulletinCell(line, 0, 1, bold=True),) for line in _wrap_text(style, bold_lead, bold=True)]
    return _BulletinItem((*lead_lines, *((_BulletinCell(line, 0, 1),) for line in _wrap_text(style, text))))


def _wrap_text(style: PrintStyle, text: str, *, bold: bool = False) -> Iterator[str]:
    printable = style.replace_unprintable_characters(text)
    return wrap_line(printable, style.get_typeface(bold=bold), _TEXT_SIZE, _get_column_width(style))


# --- positions


def _get_column_width(style: PrintStyle) -> float:
    return (style.printable_width - style.gutter * (_COLUMN_COUNT - 1)) / _COLUMN_COUNT


class _ColumnCursor:
    """The next free position: a column, counted over all pages, and the distance from its top."""

    def __init__(self, column_height: float) -> None:
        self._column_height = column_height
        self._column, self._offset = 0, 0.0

    def reserve_height(self, height: float, *, with_next: float = 0.0) -> tuple[int, float]:
        """Return the position of an item, in a new column if it does not fit.

        `height` is its height in points. A heading also gives `with_next`, the height of the next items, so that
        they stay together.
        """
        if self._offset and self._offset + height + with_next > self._column_height:
            self._column, self._offset = self._column + 1, 0.0
        position = self._column, self._offset
        self._offset += height
        return position

    def add_gap(self, gap: float) -> None:
        self._offset += gap


def _make_pages(style: PrintStyle, parts: Iterable[_BulletinPart]) -> tuple[TaggedPage, ...]:
    flow = _ColumnCursor(compute_page_body_height(style))
    parts_by_page: dict[int, list[TaggedPagePart]] = defaultdict(list)
    for part in parts:
        column, offset = flow.reserve_height(
            _HEADING_HEIGHT, with_next=sum(item.height for item in part.items[:2])
        )
        titles: dict[int, PagePaint] = {column // _COLUMN_COUNT: partial(_paint_title, part.title, column, offset)}
        items: dict[int, list[PagePaint]] = {column // _COLUMN_COUNT: []}
        for item in part.items:
            column, offset = flow.reserve_height(item.height)
            items.setdefault(column // _COLUMN_COUNT, []).append(partial(_paint_item, item, column, offset))
        for page, painters in items.items():
            parts_by_page[page].append(
                TaggedPagePart(_paint_nothing, titles.get(page, _paint_nothing), tuple(painters))
            )
        flow.add_gap(_PART_GAP)
    return tuple(TaggedPage(tuple(parts_by_page[page])) for page in sorted(parts_by_page))


def _get_left_edge_of_column(style: PrintStyle, column: int) -> float:
    return style.margin + column % _COLUMN_COUNT * (_get_column_width(style) + style.gutter)


def _paint_nothing(_canvas: Canvas, _style: PrintStyle, _top: float, _bottom: float) -> None:
    """Paint nothing, for a part without heading."""


def _paint_title(
    title: str, column: int, offset: float, canvas: Canvas, style: PrintStyle, top: float, _bottom: float
) -> None:
    left, base, width = (
        _get_left_edge_of_column(style, column),
        top - offset - _HEADING_SIZE,
        _get_column_width(style),
    )
    text, typeface = condense_or_shorten_text(
        style.replace_unprintable_characters(title), style, _HEADING_SIZE, width, bold=True
    )
    canvas.setFont(typeface.name, _HEADING_SIZE)
    canvas.drawString(left, base, text)
    canvas.setLineWidth(0.9)
    canvas.line(left, base - 3.5, left + width, base - 3.5)


def _paint_item(
    item: _BulletinItem, column: int, offset: float, canvas: Canvas, style: PrintStyle, top: float, _bottom: float
) -> None:
    left, width, pen = _get_left_edge_of_column(style, column), _get_column_width(style), Pen(canvas, style)
    for number, cells in enumerate(item.lines):
        base = top - offset - number * _LINE_HEIGHT - _TEXT_SIZE
        for cell in cells:
            box = PageBox(left + cell.left * width, base, cell.width * width, _TEXT_SIZE)
            align = TextAlign.RIGHT if cell.align_right else TextAlign.LEFT
            pen.write_text(cell.text, box, base, _TEXT_SIZE, bold=cell.bold, align=align, shrink=True)


BULLETIN = Report(
    "bulletin",
    _make_bulletin_pages,
    ReportGroup.AFTER,
    N_(
        "One round on paper: announcements, records and news, the top of the standings, results, the next "
        "pairings."
    ),
    content=partial(_make_bulletin_pages, with_next_round=False),
)
