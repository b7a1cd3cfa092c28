"""The printed knockout bracket. A tree too large for one page is split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import ceil
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.elimination import BracketPart
from tdapp.domain.model import Division
from tdapp.domain.tables.bracket import (
    BracketTree,
    MatchOnPage,
    build_bracket_trees,
    find_shown_knockout,
    split_into_pages,
)
from tdapp.domain.translatable import N_
from tdapp.i18n.layouts import BracketScale, PlacedMatch, SlotText, lay_out_matches
from tdapp.i18n.scores import make_decision_legend
from tdapp.reports.layout import PagePaint, PaintedPages, TaggedPage, TaggedPagePart
from tdapp.reports.measuring import fit_text, get_body_height
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_COLUMNS = 5  # columns on a page
_ROWS = 16  # matches in the first column
_LABEL, _LINE = 7.4, 12.4  # heights: match title, one player
_PITCH = _LABEL + 2 * _LINE + 1.8
_TITLE = 24.0
_GAP = 14.0
_SMALL, _NAME = 6.6, 9.0  # type sizes
_THIN, _THICK = 0.5, 0.9
_LEAST, _MOST = 8 / _NAME, 3.0  # scale limits: names have at least eight points
_APART = 2.4  # maximum factor on distances
_ROOMY = 2  # rows needed for another match below the final
_INDENT = 13.0  # padding of a name in its box
_WIDEST = 190.0  # width of a match, unless a name is longer


class _BracketPiece(Struct, frozen=True):
    title: str
    matches: tuple[MatchOnPage, ...]

    @property
    def head_height(self) -> float:
        return _TITLE if self.title else 0.0

    @property
    def height(self) -> float:
        return self.head_height + _PITCH * (max(match.row for match in self.matches) + 0.5)

    @property
    def column_count(self) -> int:
        return 1 + max(match.column for match in self.matches)


def _make_bracket_pages(context: ReportContext, division: Division) -> PaintedPages:
    catalogue = context.catalogue
    stage = find_shown_knockout(context.index, division.id)
    shown = build_bracket_trees(context.index, stage) if stage else ()
    games = [game for tree in shown for box in tree.boxes for game in box.games]
    marks = make_decision_legend(catalogue, (game.decision for game in games))
    seeds = catalogue.text("The small number is the seed") if games else ""
    head = make_section(context, division, catalogue.text("Bracket"), (), "", legend=marks, note=seeds)
    pieces = _join_third_place_match(piece for tree in shown for piece in _split_bracket_to_fit(context, tree))
    if len(pieces) == 1 and pieces[0].title == head.title:
        pieces = [replace(pieces[0], title="")]
    style = context.style
    room = get_body_height(style) / _LEAST
    pages = [_make_page(context, page) for page in _group_pieces_by_page(pieces, room)]
    empty = "" if pages else catalogue.text("There is no bracket yet.")
    return PaintedPages(
        head.title, head.mark, head.lead, tuple(pages) or (partial(_paint_text, empty),),
        legend=head.legend, note=head.note, empty=empty,
    )  # fmt: skip


def _split_bracket_to_fit(context: ReportContext, tree: BracketTree) -> Iterator[_BracketPiece]:
    boxes = [box for box in tree.boxes if box.needed]
    if not boxes:
        return
    columns = 1 + max(box.column for box in boxes)
    wide = ceil(columns / ceil(columns / _COLUMNS))
    title = context.catalogue.name_bracket_part(tree.title, *tree.places)
    found = [*split_into_pages(boxes, (range(begin, begin + wide) for begin in range(0, columns, wide)), _ROWS)]
    for page, (_, matches) in enumerate(found, 1):
        spare = min(match.row for match in matches) - 0.5 if len(found) == 1 else 0.0
        number = f" ({page}/{len(found)})" if len(found) > 1 else ""
        yield _BracketPiece(title + number, tuple(replace(match, row=match.row - spare) for match in matches))


def _join_third_place_match(pieces: Iterable[_BracketPiece]) -> list[_BracketPiece]:
    made: list[_BracketPiece] = []
    for piece in pieces:
        only = piece.matches[0].box
        final = max(made[-1].matches, key=attrgetter("column")) if made else piece.matches[0]
        if only.part is BracketPart.THIRD and final.box.part is BracketPart.WINNERS and final.row >= _ROOMY:
            match = MatchOnPage(only, final.column, 2 * final.row - 0.5)
            made[-1] = replace(made[-1], matches=(*made[-1].matches, match))
        else:
            made.append(piece)
    return made


def _group_pieces_by_page(pieces: Sequence[_BracketPiece], room: float) -> Iterator[list[_BracketPiece]]:
    page: list[_BracketPiece] = []
    left = room
    for piece in pieces:
        if page and piece.height > left:
            yield page
            page, left = [], room
        page.append(piece)
        left -= piece.height
    if page:
        yield page


def _paint_text(text: str, canvas: Canvas, style: PrintStyle, top: float, _bottom: float) -> None:
    canvas.setFont(style.regular.name, style.lead)
    canvas.drawString(style.margin, top - 3 * style.lead, text)


def _make_page(context: ReportContext, pieces: Sequence[_BracketPiece]) -> TaggedPage:
    style = context.style
    room = get_body_height(style)
    heights = sum(piece.height for piece in pieces)
    fitting = (style.width / _measure_minimum_width(context, piece) for piece in pieces)
    enlargement = max(_LEAST, min(_MOST, room / heights, *fitting))
    pitch = min(_APART, room / (heights * enlargement))
    painters, top_offset = [], 0.0
    for piece in pieces:
        painters.append(_BracketPainter(context, piece, enlargement, top_offset, pitch))
        top_offset += piece.height * pitch
    return TaggedPage(tuple(painter.make_page_part() for painter in painters))


def _measure_minimum_width(context: ReportContext, piece: _BracketPiece) -> float:
    return piece.column_count * (_measure_match_width(context, piece) + _GAP) - _GAP


def _measure_match_width(context: ReportContext, piece: _BracketPiece) -> float:
    catalogue, style = context.catalogue, context.style
    small, bold = style.get_face(bold=False, condensed=True), style.get_face(bold=True, condensed=True)
    found = [*lay_out_matches(catalogue, piece.matches, BracketScale(0, 0, 0))]
    titles = [small.measure_width(one.label, _SMALL) for one in found]
    names = [
        _INDENT
        + bold.measure_width(style.replace_unprintable(slot.name), _NAME)
        + 8
        + style.bold.measure_width(slot.score, _NAME)
        for one in found
        for slot in one.slots
    ]
    return max(*titles, *names)


class _BracketPainter:
    def __init__(
        self, context: ReportContext, piece: _BracketPiece, enlargement: float, top_offset: float, row_scale: float
    ) -> None:
        style, self._enlargement, self._top_offset, self._title = (
            context.style,
            enlargement,
            top_offset,
            piece.title,
        )
        self._style = replace(style, margin=style.margin / enlargement)
        widest = max(_WIDEST, _measure_match_width(context, piece))
        self._width = min(widest + _GAP, (style.width / enlargement + _GAP) / piece.column_count) - _GAP
        scale = BracketScale(self._width, _GAP, _PITCH * row_scale, self._style.margin, piece.head_height)
        self._matches = [*lay_out_matches(context.catalogue, piece.matches, scale)]

    def make_page_part(self) -> TaggedPagePart:
        boxes = (self._scale_painter(partial(self._paint_match, one)) for one in self._matches)
        return TaggedPagePart(
            self._scale_painter(self._paint_connecting_lines), self._scale_painter(self._paint_title), tuple(boxes)
        )

    def _scale_painter(self, paint: Callable[[Canvas, float], None]) -> PagePaint:
        def paint_scaled(canvas: Canvas, _style: PrintStyle, top: float, _bottom: float) -> None:
            canvas.saveState()
            canvas.scale(self._enlargement, self._enlargement)
            paint(canvas, top / self._enlargement - self._top_offset)
            canvas.restoreState()

        return paint_scaled

    def _paint_title(self, canvas: Canvas, top: float) -> None:
        style = self._style
        canvas.setFont(style.bold.name, style.lead)
        canvas.drawString(style.margin, top - style.lead, style.replace_unprintable(self._title))

    def _paint_connecting_lines(self, canvas: Canvas, top: float) -> None:
        canvas.setLineWidth(_THIN)
        for one in self._matches:
            points = [(x, top - y) for x, y in one.join]
            canvas.lines([(*begin, *end) for begin, end in pairwise(points)])

    def _paint_match(self, one: PlacedMatch, canvas: Canvas, top: float) -> None:
        style, box, x, y = self._style, one.box, one.left, top - one.middle
        text, face = fit_text(style.replace_unprintable(one.label), style, _SMALL, self._width, bold=False)
        canvas.setFillGray(style.secondary_grey)
        canvas.setFont(face.name, _SMALL)
        canvas.drawString(x, y + _LINE + 1.6, text)
        canvas.setFillGray(style.band_grey if box.bye else 1)
        canvas.setLineWidth(_THICK if box.open else _THIN)
        canvas.rect(x, y - _LINE, self._width, 2 * _LINE, stroke=1, fill=1)
        canvas.setFillGray(0)
        canvas.setLineWidth(_THIN)
        canvas.line(x, y, x + self._width, y)
        for number, slot in enumerate(one.slots):
            self._paint_slot(slot, canvas, x, y - _LINE * number + 3.0)

    def _paint_slot(self, slot: SlotText, canvas: Canvas, x: float, base: float) -> None:
        style, face = self._style, self._style.get_face(bold=slot.won)
        left, right = x + _INDENT, x + self._width - 3
        canvas.setFillGray(style.secondary_grey)
        canvas.setFont(style.regular.name, _SMALL)
        canvas.drawRightString(left - 3, base, slot.seed)
        room = right - left - (face.measure_width(slot.score, _NAME) + 3 if slot.score else 0)
        text, own = fit_text(style.replace_unprintable(slot.name), style, _NAME, room, bold=slot.won)
        canvas.setFont(own.name, _NAME)
        canvas.setFillGray(0 if slot.known else style.secondary_grey)
        canvas.drawString(left, base, text)
        canvas.setFillGray(0)
        canvas.setFont(face.name, _NAME)
        canvas.drawRightString(right, base, slot.score)


BRACKET = Report(
    "bracket",
    N_("Bracket"),
    _make_bracket_pages,
    ReportGroup.AFTER,
    N_("The knockout as a tree, over several pages if it is large."),
    wide=True,
)
