"""The bracket for the wall: its trees, split into pages if they are too large for one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.elimination import BracketPart
from tdapp.domain.model import Division
from tdapp.domain.tables.bracket import MatchBox, MatchSlot, Tree, bracket_trees, knockout_of
from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import decided_by, match_title
from tdapp.i18n.scores import legend, match_score
from tdapp.reports.layout import ListedPage, ListedPart, PagePaint, PaintedPages
from tdapp.reports.measuring import body_height, fitted
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_COLUMNS = 5  # columns on a page
_ROWS = 16  # matches in the first column
_HAIR = 1e-6  # tolerance: keep a match in the middle of sixteen rows on their page
_LABEL, _LINE = 7.4, 10.6  # heights: match title, one player
_PITCH = _LABEL + 2 * _LINE + 1.8
_TITLE = 24.0
_GAP = 14.0
_SMALL, _NAME = 6.6, 9.0  # type sizes
_THIN, _THICK = 0.5, 0.9
_LEAST, _MOST = 8 / _NAME, 3.0  # scale limits: names have at least eight points
_APART = 1.8  # maximum factor on distances
_ROOMY = 2  # rows needed for another match below the final
_INDENT = 13.0  # padding of a name in its box
_WIDEST = 190.0  # width of a match, unless a name is longer


class _Piece(Struct, frozen=True):
    """The part of a tree on one page: each match with its column and its middle in rows from the top."""

    title: str
    boxes: tuple[tuple[int, float, MatchBox], ...]

    @property
    def height(self) -> float:
        return _TITLE + _PITCH * (max(row for _, row, _ in self.boxes) + 0.5)


def _bracket_pages(context: Context, division: Division) -> PaintedPages:
    catalogue = context.catalogue
    stage = knockout_of(context.index, division.id)
    shown = bracket_trees(context.index, stage) if stage else ()
    games = [game for tree in shown for box in tree.boxes for game in box.games]
    marks = legend(catalogue, (game.decision for game in games))
    head = section(context, division, catalogue.text("Bracket"), (), "", legend=marks)
    pieces = _move_third_place(piece for tree in shown for piece in _cut_pieces(context, tree))
    style = context.style
    room = body_height(style) / _LEAST
    pages = [_make_page(context, page) for page in _split_pages(pieces, room)]
    text = partial(_paint_text, catalogue.text("There is no bracket yet."))
    return PaintedPages(head.title, head.mark, head.lead, tuple(pages) or (text,), legend=head.legend)


def _cut_pieces(context: Context, tree: Tree) -> Iterator[_Piece]:
    """Yield a tree split by columns, then by rows, with the same distances in all columns.

    The columns are split evenly, so that the last page leads to the final.
    """
    boxes = [box for box in tree.boxes if box.needed]
    if not boxes:
        return
    columns = 1 + max(box.column for box in boxes)
    columns = ceil(columns / ceil(columns / _COLUMNS))
    title = context.catalogue.part(tree.title, *tree.places)
    tiles: dict[tuple[int, int], list[MatchBox]] = {}
    apart: dict[int, int] = {}
    for box in boxes:
        chunk = box.column // columns
        apart[chunk] = min(box.spread, apart.get(chunk, box.spread))
    for box in boxes:
        chunk = box.column // columns
        tiles.setdefault((chunk, int(box.row / apart[chunk] / _ROWS - _HAIR)), []).append(box)
    for (chunk, tile), found in sorted(tiles.items()):
        rows = [box.row / apart[chunk] - tile * _ROWS for box in found]
        spare = min(rows) - 0.5 if len(tiles) == 1 else 0.0
        placed = tuple(
            (box.column - chunk * columns, row - spare, box) for row, box in zip(rows, found, strict=True)
        )
        number = f" ({sorted(tiles).index((chunk, tile)) + 1}/{len(tiles)})" if len(tiles) > 1 else ""
        yield _Piece(title + number, placed)


def _move_third_place(pieces: Iterable[_Piece]) -> list[_Piece]:
    made: list[_Piece] = []
    for piece in pieces:
        only = piece.boxes[0][2]
        column, middle, final = max(made[-1].boxes, key=itemgetter(0)) if made else piece.boxes[0]
        if only.part is BracketPart.THIRD and final.part is BracketPart.WINNERS and middle >= _ROOMY:
            made[-1] = replace(made[-1], boxes=(*made[-1].boxes, (column, 2 * middle - 0.5, only)))
        else:
            made.append(piece)
    return made


def _split_pages(pieces: Sequence[_Piece], room: float) -> Iterator[list[_Piece]]:
    page: list[_Piece] = []
    left = room
    for piece in pieces:
        if page and piece.height > left:
            yield page
            page, left = [], room
        page.append(piece)
        left -= piece.height
    if page:
        yield page


def _paint_text(text: str, canvas: Canvas, style: Style, top: float, _bottom: float) -> None:
    canvas.setFont(style.regular.name, style.lead)
    canvas.drawString(style.margin, top - 3 * style.lead, text)


def _make_page(context: Context, pieces: Sequence[_Piece]) -> ListedPage:
    style = context.style
    room = body_height(style)
    heights = sum(piece.height for piece in pieces)
    fitting = (style.width / _minimum_width(context, piece) for piece in pieces)
    larger = max(_LEAST, min(_MOST, room / heights, *fitting))
    pitch = min(_APART, room / (heights * larger))
    painters, drop = [], 0.0
    for piece in pieces:
        painters.append(_BracketPainter(context, piece, larger, drop, pitch))
        drop += piece.height * pitch
    return ListedPage(tuple(painter.parts() for painter in painters))


def _match_heading(catalogue: Catalogue, box: MatchBox) -> str:
    return " · ".join(filter(None, (match_title(catalogue, box), decided_by(catalogue, box))))


def _minimum_width(context: Context, piece: _Piece) -> float:
    columns = 1 + max(column for column, _, _ in piece.boxes)
    return columns * (_match_width(context, piece) + _GAP) - _GAP


def _match_width(context: Context, piece: _Piece) -> float:
    catalogue, style = context.catalogue, context.style
    small, bold = style.face(bold=False, condensed=True), style.face(bold=True, condensed=True)
    titles = [small.width(_match_heading(catalogue, box), _SMALL) for _, _, box in piece.boxes]
    names = [
        _INDENT + bold.width(style.printable(_slot_name(catalogue, box, side)), _NAME) + 8
        + style.bold.width(match_score(catalogue, box, number), _NAME)
        for _, _, box in piece.boxes
        for number, side in enumerate(box.sides)
    ]  # fmt: skip
    return max(*titles, *names)


def _slot_name(catalogue: Catalogue, box: MatchBox, side: MatchSlot) -> str:
    nobody = catalogue.code("bye") if box.bye else ""
    return side.name or (catalogue.coming(side.came) if side.came else nobody)


class _BracketPainter:
    """Paints one piece, scaled by `larger`, `drop` below the top of its page."""

    def __init__(self, context: Context, piece: _Piece, larger: float, drop: float, squeeze: float) -> None:
        style, self._larger, self._drop = context.style, larger, drop
        self._style = replace(style, margin=style.margin / larger)
        self._catalogue, self._piece = context.catalogue, piece
        self._pitch = _PITCH * squeeze
        columns = 1 + max(column for column, _, _ in piece.boxes)
        widest = max(_WIDEST, _match_width(context, piece))
        self._step = min(widest + _GAP, (style.width / larger + _GAP) / columns)
        self._width = self._step - _GAP

    def parts(self) -> ListedPart:
        boxes = (partial(self._box, box, column, row) for column, row, box in self._piece.boxes)
        return ListedPart(self._scaled(self._lines), self._scaled(self._title), tuple(map(self._scaled, boxes)))

    def _scaled(self, paint: Callable[[Canvas, float], None]) -> PagePaint:
        def painted(canvas: Canvas, _style: Style, top: float, _bottom: float) -> None:
            canvas.saveState()
            canvas.scale(self._larger, self._larger)
            paint(canvas, top / self._larger - self._drop)
            canvas.restoreState()

        return painted

    def _at(self, column: int, row: float, top: float) -> tuple[float, float]:
        return self._style.margin + column * self._step, top - _TITLE - row * self._pitch

    def _title(self, canvas: Canvas, top: float) -> None:
        style = self._style
        canvas.setFont(style.bold.name, style.lead)
        canvas.drawString(style.margin, top - style.lead, style.printable(self._piece.title))

    def _lines(self, canvas: Canvas, top: float) -> None:
        at = {box.key: self._at(column, row, top) for column, row, box in self._piece.boxes}
        canvas.setLineWidth(_THIN)
        for _, _, box in self._piece.boxes:
            self._line(canvas, box, at)

    def _line(self, canvas: Canvas, box: MatchBox, at: Mapping[str, tuple[float, float]]) -> None:
        if not box.next:
            return
        x, y = at[box.key]
        right = x + self._width
        if box.next not in at:
            canvas.line(right, y, right + _GAP / 2, y)
            return
        to_x, to_y = at[box.next]
        bend = to_x - _GAP / 2
        canvas.lines([(right, y, bend, y), (bend, y, bend, to_y), (bend, to_y, to_x, to_y)])

    def _box(self, box: MatchBox, column: int, row: float, canvas: Canvas, top: float) -> None:
        style, (x, y) = self._style, self._at(column, row, top)
        name = style.printable(_match_heading(self._catalogue, box))
        text, face = fitted(name, style, _SMALL, self._width, bold=False)
        canvas.setFillGray(style.quiet)
        canvas.setFont(face.name, _SMALL)
        canvas.drawString(x, y + _LINE + 1.6, text)
        canvas.setFillGray(style.band if box.bye else 1)
        canvas.setLineWidth(_THICK if box.open else _THIN)
        canvas.rect(x, y - _LINE, self._width, 2 * _LINE, stroke=1, fill=1)
        canvas.setFillGray(0)
        canvas.setLineWidth(_THIN)
        canvas.line(x, y, x + self._width, y)
        for number, side in enumerate(box.sides):
            self._side(box, number, side, canvas, x, y - (_LINE * number) + 2.4)

    def _side(self, box: MatchBox, number: int, side: MatchSlot, canvas: Canvas, x: float, base: float) -> None:
        style, bold = self._style, side.won and not box.bye
        score, face = match_score(self._catalogue, box, number), style.face(bold=bold)
        left, right = x + _INDENT, x + self._width - 3
        canvas.setFillGray(style.quiet)
        if side.seed:
            canvas.setFont(style.regular.name, _SMALL)
            canvas.drawRightString(left - 3, base, str(side.seed))
        room = right - left - (face.width(score, _NAME) + 3 if score else 0)
        name = style.printable(_slot_name(self._catalogue, box, side))
        text, own = fitted(name, style, _NAME, room, bold=bold)
        canvas.setFont(own.name, _NAME)
        canvas.setFillGray(0 if side.player else style.quiet)
        canvas.drawString(left, base, text)
        canvas.setFillGray(0)
        canvas.setFont(face.name, _NAME)
        canvas.drawRightString(right, base, score)


BRACKET = Report(
    "bracket",
    N_("Bracket"),
    _bracket_pages,
    Group.AFTER,
    N_("The knockout as a tree, over several pages where it is large."),
    wide=True,
)
