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
    MatchBoxOnPage,
    build_bracket_trees,
    find_shown_knockout,
    split_bracket_into_pages,
)
from tdapp.domain.translatable import N_
from tdapp.i18n.layouts import BracketDimensions, BracketSlotText, PositionedMatch, lay_out_matches
from tdapp.i18n.scores import make_game_decision_legend
from tdapp.reports.layout import CustomPaintedSection, PagePaint, TaggedPage, TaggedPagePart
from tdapp.reports.measuring import compute_page_body_height, condense_or_shorten_text
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_COLUMNS_PER_PAGE = 5
_MATCHES_PER_COLUMN = 16  # most in the first column
_LABEL_HEIGHT, _LINE_HEIGHT = 7.4, 12.4  # of the match title, of a player
_PITCH = _LABEL_HEIGHT + 2 * _LINE_HEIGHT + 1.8
_TITLE_HEIGHT = 24.0
_COLUMN_GAP = 14.0
_SMALL_SIZE, _NAME_SIZE = 6.6, 9.0  # type sizes
_THIN, _THICK = 0.5, 0.9
_MIN_SCALE, _MAX_SCALE = 8 / _NAME_SIZE, 3.0  # names have at least eight points
_MAX_ROW_SCALE = 2.4
_MIN_FINAL_ROW = 2  # from this row on, another match fits below the final
_NAME_INDENT = 13.0  # of a name in its box
_MATCH_WIDTH = 190.0  # longer names make it wider


class _BracketPiece(Struct, frozen=True):
    title: str
    matches: tuple[MatchBoxOnPage, ...]

    @property
    def title_height(self) -> float:
        return _TITLE_HEIGHT if self.title else 0.0

    @property
    def height(self) -> float:
        return self.title_height + _PITCH * (max(match.row for match in self.matches) + 0.5)

    @property
    def column_count(self) -> int:
        return 1 + max(match.column for match in self.matches)


def _make_bracket_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    catalogue = context.catalogue
    stage = find_shown_knockout(context.index, division.id)
    trees = build_bracket_trees(context.index, stage) if stage else ()
    games = [game for tree in trees for box in tree.boxes for game in box.games]
    legend = make_game_decision_legend(catalogue, (game.decision for game in games))
    seed_note = catalogue.text("The small number is the seed") if games else ""
    section = make_section(context, division, catalogue.text("Bracket"), (), "", legend=legend, note=seed_note)
    pieces = _join_third_place_match(piece for tree in trees for piece in _split_bracket_to_fit(context, tree))
    if len(pieces) == 1 and pieces[0].title == section.title:
        pieces = [replace(pieces[0], title="")]
    style = context.style
    page_height = compute_page_body_height(style) / _MIN_SCALE
    pages = [_make_page(context, page) for page in _group_pieces_by_page(pieces, page_height)]
    empty = "" if pages else catalogue.text("There is no bracket yet.")
    return CustomPaintedSection(
        section.title, section.division_title, section.subtitle, tuple(pages) or (partial(_paint_text, empty),),
        legend=section.legend, note=section.note, empty=empty,
    )  # fmt: skip


def _split_bracket_to_fit(context: ReportContext, tree: BracketTree) -> Iterator[_BracketPiece]:
    boxes = [box for box in tree.boxes if box.needed]
    if not boxes:
        return
    column_count = 1 + max(box.column for box in boxes)
    columns_per_page = ceil(column_count / ceil(column_count / _COLUMNS_PER_PAGE))
    title = context.catalogue.format_bracket_part(tree.title, *tree.places)
    pages = [
        *split_bracket_into_pages(
            boxes,
            (
                range(first_column, first_column + columns_per_page)
                for first_column in range(0, column_count, columns_per_page)
            ),
            _MATCHES_PER_COLUMN,
        )
    ]
    for page, (_, matches) in enumerate(pages, 1):
        empty_rows = min(match.row for match in matches) - 0.5 if len(pages) == 1 else 0.0
        page_text = f" ({page}/{len(pages)})" if len(pages) > 1 else ""
        yield _BracketPiece(
            title + page_text, tuple(replace(match, row=match.row - empty_rows) for match in matches)
        )


def _join_third_place_match(pieces: Iterable[_BracketPiece]) -> list[_BracketPiece]:
    joined_pieces: list[_BracketPiece] = []
    for piece in pieces:
        box = piece.matches[0].box
        final = max(joined_pieces[-1].matches, key=attrgetter("column")) if joined_pieces else piece.matches[0]
        if box.part is BracketPart.THIRD and final.box.part is BracketPart.WINNERS and final.row >= _MIN_FINAL_ROW:
            match = MatchBoxOnPage(box, final.column, 2 * final.row - 0.5)
            joined_pieces[-1] = replace(joined_pieces[-1], matches=(*joined_pieces[-1].matches, match))
        else:
            joined_pieces.append(piece)
    return joined_pieces


def _group_pieces_by_page(pieces: Sequence[_BracketPiece], page_height: float) -> Iterator[list[_BracketPiece]]:
    page: list[_BracketPiece] = []
    remaining_height = page_height
    for piece in pieces:
        if page and piece.height > remaining_height:
            yield page
            page, remaining_height = [], page_height
        page.append(piece)
        remaining_height -= piece.height
    if page:
        yield page


def _paint_text(text: str, canvas: Canvas, style: PrintStyle, top: float, _bottom: float) -> None:
    canvas.setFont(style.regular.name, style.subtitle_size)
    canvas.drawString(style.margin, top - 3 * style.subtitle_size, text)


def _make_page(context: ReportContext, pieces: Sequence[_BracketPiece]) -> TaggedPage:
    style = context.style
    body_height = compute_page_body_height(style)
    total_height = sum(piece.height for piece in pieces)
    width_scales = (style.printable_width / _measure_minimum_width(context, piece) for piece in pieces)
    enlargement = max(_MIN_SCALE, min(_MAX_SCALE, body_height / total_height, *width_scales))
    row_scale = min(_MAX_ROW_SCALE, body_height / (total_height * enlargement))
    painters, top_offset = [], 0.0
    for piece in pieces:
        painters.append(_BracketPainter(context, piece, enlargement, top_offset, row_scale))
        top_offset += piece.height * row_scale
    return TaggedPage(tuple(painter.make_page_part() for painter in painters))


def _measure_minimum_width(context: ReportContext, piece: _BracketPiece) -> float:
    return piece.column_count * (_measure_match_width(context, piece) + _COLUMN_GAP) - _COLUMN_GAP


def _measure_match_width(context: ReportContext, piece: _BracketPiece) -> float:
    catalogue, style = context.catalogue, context.style
    label_typeface = style.get_typeface(bold=False, condensed=True)
    name_typeface = style.get_typeface(bold=True, condensed=True)
    matches = [*lay_out_matches(catalogue, piece.matches, BracketDimensions(0, 0, 0))]
    titles = [label_typeface.measure_width(match.title_and_reason, _SMALL_SIZE) for match in matches]
    names = [
        _NAME_INDENT
        + name_typeface.measure_width(style.replace_unprintable_characters(slot.name), _NAME_SIZE)
        + 8
        + style.bold.measure_width(slot.score, _NAME_SIZE)
        for match in matches
        for slot in match.slots
    ]
    return max(*titles, *names)


class _BracketPainter:
    def __init__(
        self, context: ReportContext, piece: _BracketPiece, enlargement: float, top_offset: float, row_scale: float
    ) -> None:
        style = context.style
        self._enlargement = enlargement
        self._top_offset = top_offset
        self._title = piece.title
        self._style = replace(style, margin=style.margin / enlargement)
        match_width = max(_MATCH_WIDTH, _measure_match_width(context, piece))
        self._width = (
            min(
                match_width + _COLUMN_GAP, (style.printable_width / enlargement + _COLUMN_GAP) / piece.column_count
            )
            - _COLUMN_GAP
        )
        scale = BracketDimensions(
            self._width, _COLUMN_GAP, _PITCH * row_scale, self._style.margin, piece.title_height
        )
        self._matches = [*lay_out_matches(context.catalogue, piece.matches, scale)]

    def make_page_part(self) -> TaggedPagePart:
        boxes = (self._make_scaled_painter(partial(self._paint_match, match)) for match in self._matches)
        return TaggedPagePart(
            self._make_scaled_painter(self._paint_connecting_lines),
            self._make_scaled_painter(self._paint_title),
            tuple(boxes),
        )

    def _make_scaled_painter(self, paint: Callable[[Canvas, float], None]) -> PagePaint:
        def paint_at_scale(canvas: Canvas, _style: PrintStyle, top: float, _bottom: float) -> None:
            canvas.saveState()
            canvas.scale(self._enlargement, self._enlargement)
            paint(canvas, top / self._enlargement - self._top_offset)
            canvas.restoreState()

        return paint_at_scale

    def _paint_title(self, canvas: Canvas, top: float) -> None:
        style = self._style
        canvas.setFont(style.bold.name, style.subtitle_size)
        canvas.drawString(
            style.margin, top - style.subtitle_size, style.replace_unprintable_characters(self._title)
        )

    def _paint_connecting_lines(self, canvas: Canvas, top: float) -> None:
        canvas.setLineWidth(_THIN)
        for match in self._matches:
            points = [(x, top - y) for x, y in match.join]
            canvas.lines([(*begin, *end) for begin, end in pairwise(points)])

    def _paint_match(self, match: PositionedMatch, canvas: Canvas, top: float) -> None:
        style, box, x, y = self._style, match.box, match.left, top - match.middle
        text, typeface = condense_or_shorten_text(
            style.replace_unprintable_characters(match.title_and_reason),
            style,
            _SMALL_SIZE,
            self._width,
            bold=False,
        )
        canvas.setFillGray(style.secondary_grey)
        canvas.setFont(typeface.name, _SMALL_SIZE)
        canvas.drawString(x, y + _LINE_HEIGHT + 1.6, text)
        canvas.setFillGray(style.band_grey if box.bye else 1)
        canvas.setLineWidth(_THICK if box.open else _THIN)
        canvas.rect(x, y - _LINE_HEIGHT, self._width, 2 * _LINE_HEIGHT, stroke=1, fill=1)
        canvas.setFillGray(0)
        canvas.setLineWidth(_THIN)
        canvas.line(x, y, x + self._width, y)
        for number, slot in enumerate(match.slots):
            self._paint_slot(slot, canvas, x, y - _LINE_HEIGHT * number + 3.0)

    def _paint_slot(self, slot: BracketSlotText, canvas: Canvas, x: float, base: float) -> None:
        style, typeface = self._style, self._style.get_typeface(bold=slot.won)
        left, right = x + _NAME_INDENT, x + self._width - 3
        canvas.setFillGray(style.secondary_grey)
        canvas.setFont(style.regular.name, _SMALL_SIZE)
        canvas.drawRightString(left - 3, base, slot.seed)
        name_width = right - left - (typeface.measure_width(slot.score, _NAME_SIZE) + 3 if slot.score else 0)
        text, name_typeface = condense_or_shorten_text(
            style.replace_unprintable_characters(slot.name), style, _NAME_SIZE, name_width, bold=slot.won
        )
        canvas.setFont(name_typeface.name, _NAME_SIZE)
        canvas.setFillGray(0 if slot.known else style.secondary_grey)
        canvas.drawString(left, base, text)
        canvas.setFillGray(0)
        canvas.setFont(typeface.name, _NAME_SIZE)
        canvas.drawRightString(right, base, slot.score)


BRACKET = Report(
    "bracket",
    _make_bracket_pages,
    ReportGroup.AFTER,
    N_("The knockout as a tree, over several pages if it is large."),
    is_landscape=True,
    is_applicable=lambda index, division: find_shown_knockout(index, division.id) is not None,
)
