"""The bracket as it hangs on the wall: its trees, cut into pages where they are too large for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.bracket import MatchBox, MatchSlot, Tree, knockout_of, trees
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import decided_by, match_score, match_title
from tdapp.reports.layout import PaintedPages, fitted
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_COLUMNS = 5  # of a tree side by side on a page
_ROWS = 16  # of the first of these columns on a page
_HAIR = 1e-6  # a match in the middle of sixteen rows belongs to them
_WIDEST = 190.0  # of a match, in points
_LABEL, _LINE = 8.0, 11.5  # heights: what the match is called, one player
_BOX = _LABEL + 2 * _LINE
_PITCH = _BOX + 6
_TITLE = 24.0
_GAP = 14.0
_SMALL, _NAME = 6.2, (8.6, 7.6, 6.8, 6.0)  # sizes of type, a name's as it fits
_THIN, _THICK = 0.5, 0.9
_LARGER, _APART = (1.35, 1.2, 1.1, 1.0), 2.1  # times the usual size, and the usual distance, on a page with room
_INDENT = 16.0  # of a name in its box, with what stands behind it


@dataclass(frozen=True, slots=True)
class _Piece:
    """What of a tree stands together on a page: each match with its column and its middle in rows from the top."""

    title: str
    boxes: tuple[tuple[int, float, MatchBox], ...]

    @property
    def height(self) -> float:
        """How high it is, in points."""
        return _TITLE + _PITCH * (max(row for _, row, _ in self.boxes) + 0.5)


def _bracket(context: Context, division: Division) -> PaintedPages:
    catalogue = context.catalogue
    stage = knockout_of(context.index, division.id)
    shown = trees(context.index, stage) if stage else ()
    head = section(context, division, catalogue.text("Bracket"), (), "")
    pieces = [piece for tree in shown for piece in _pieces(context, tree)]
    room = context.style.page[1] - 2 * context.style.margin - 90
    pages: list[Callable[[Canvas, Style, float, float], None]] = [
        partial(_paint, context, page) for page in _paged(pieces, room)
    ]
    if not pages:
        pages = [partial(_paint_text, catalogue.text("There is no bracket yet."))]
    return PaintedPages(head.title, head.mark, head.lead, tuple(pages))


def _pieces(context: Context, tree: Tree) -> Iterator[_Piece]:
    """Yield a tree cut by its columns, then by its rows; later columns stand as close as the first."""
    boxes = [box for box in tree.boxes if box.needed]
    if not boxes:
        return
    title = context.catalogue.part(tree.title, *tree.places)
    tiles: dict[tuple[int, int], list[MatchBox]] = {}
    apart: dict[int, int] = {}
    for box in boxes:
        chunk = box.column // _COLUMNS
        apart[chunk] = min(box.spread, apart.get(chunk, box.spread))
    for box in boxes:
        chunk = box.column // _COLUMNS
        tiles.setdefault((chunk, int(box.row / apart[chunk] / _ROWS - _HAIR)), []).append(box)
    for (chunk, tile), found in sorted(tiles.items()):
        rows = [box.row / apart[chunk] - tile * _ROWS for box in found]
        spare = min(rows) - 0.5 if len(tiles) == 1 else 0.0
        placed = tuple(
            (box.column - chunk * _COLUMNS, row - spare, box) for row, box in zip(rows, found, strict=True)
        )
        number = f" ({sorted(tiles).index((chunk, tile)) + 1}/{len(tiles)})" if len(tiles) > 1 else ""
        yield _Piece(title + number, placed)


def _paged(pieces: Sequence[_Piece], room: float) -> Iterator[list[_Piece]]:
    """Yield the pieces page by page, in their order."""
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


def _paint(
    context: Context, pieces: Sequence[_Piece], canvas: Canvas, style: Style, top: float, bottom: float
) -> None:
    """Paint the pieces of a page one below the other: larger and wider apart where there is room, else closer."""
    heights = sum(piece.height for piece in pieces)
    most = max(1.0, (top - bottom) / heights)
    larger = next(size for size in _LARGER if size <= most and _fit(context.catalogue, pieces, style, size))
    pitch = min(_APART, (top - bottom) / (heights * larger))
    scaled = replace(style, page=(style.page[0] / larger, style.page[1] / larger), margin=style.margin / larger)
    top /= larger
    canvas.saveState()
    canvas.scale(larger, larger)
    for piece in pieces:
        _BracketPainter(context, canvas, scaled, piece, top, pitch).paint()
        top -= piece.height * pitch
    canvas.restoreState()


def _fit(catalogue: Catalogue, pieces: Sequence[_Piece], style: Style, larger: float) -> bool:
    """Tell whether what matches are called, and who comes to them, fits so much larger; the usual size must do."""
    face = style.face(bold=False, condensed=True)
    return larger <= 1 or all(
        face.width(text, size) <= _step(style.width / larger, piece) - _GAP - indent
        for piece in pieces
        for _, _, box in piece.boxes
        for text, size, indent in (
            (_head(catalogue, box), _SMALL, 0.0),
            *(
                (catalogue.coming(side.came), _NAME[-1], _INDENT)
                for side in box.sides
                if side.came and not side.name
            ),
        )
    )


def _head(catalogue: Catalogue, box: MatchBox) -> str:
    return " · ".join(filter(None, (match_title(catalogue, box), decided_by(catalogue, box))))


def _step(width: float, piece: _Piece) -> float:
    """Return how far the columns of a piece are apart on a page with so much room."""
    columns = 1 + max(column for column, _, _ in piece.boxes)
    return min(_WIDEST + _GAP, (width + _GAP) / columns)


class _BracketPainter:
    """Paints one piece below the line `top`."""

    def __init__(
        self, context: Context, canvas: Canvas, style: Style, piece: _Piece, top: float, squeeze: float
    ) -> None:
        self._catalogue, self._canvas, self._style, self._piece = context.catalogue, canvas, style, piece
        self._top = top
        self._pitch = _PITCH * squeeze
        self._step = _step(style.width, piece)
        self._width = self._step - _GAP

    def paint(self) -> None:
        """Paint title, lines and matches; each of these has its left end, and the middle between its players."""
        canvas, style = self._canvas, self._style
        canvas.setFont(style.bold.name, style.lead)
        canvas.drawString(style.margin, self._top - style.lead, style.printable(self._piece.title))
        left, top = style.margin, self._top - _TITLE
        at = {
            box.key: (left + column * self._step, top - row * self._pitch)
            for column, row, box in self._piece.boxes
        }
        canvas.setLineWidth(_THIN)
        for _, _, box in self._piece.boxes:
            self._line(box, at)
        for _, _, box in self._piece.boxes:
            self._box(box, *at[box.key])

    def _line(self, box: MatchBox, at: Mapping[str, tuple[float, float]]) -> None:
        """Draw the way to the next match, or a stub where that is on another page."""
        if not box.next:
            return
        x, y = at[box.key]
        right = x + self._width
        if box.next not in at:
            self._canvas.line(right, y, right + _GAP / 2, y)
            return
        to_x, to_y = at[box.next]
        bend = to_x - _GAP / 2
        self._canvas.lines([(right, y, bend, y), (bend, y, bend, to_y), (bend, to_y, to_x, to_y)])

    def _box(self, box: MatchBox, x: float, y: float) -> None:
        canvas, style = self._canvas, self._style
        name = style.printable(_head(self._catalogue, box))
        text, face = fitted(name, style, _SMALL, self._width, bold=False)
        canvas.setFillGray(style.quiet)
        canvas.setFont(face.name, _SMALL)
        canvas.drawString(x, y + _LINE + 2, text)
        canvas.setFillGray(style.band if box.bye else 1)
        canvas.setLineWidth(_THICK if box.open else _THIN)
        canvas.rect(x, y - _LINE, self._width, 2 * _LINE, stroke=1, fill=1)
        canvas.setFillGray(0)
        canvas.setLineWidth(_THIN)
        canvas.line(x, y, x + self._width, y)
        for number, side in enumerate(box.sides):
            self._side(box, number, side, x, y - (_LINE * number) + 3)

    def _side(self, box: MatchBox, number: int, side: MatchSlot, x: float, base: float) -> None:
        canvas, style = self._canvas, self._style
        bold = side.won and not box.bye
        score = match_score(self._catalogue, box, number)
        face = style.face(bold=bold)
        right = x + self._width - 3
        canvas.setFont(face.name, _NAME[0])
        canvas.drawRightString(right, base, score)
        left = x + 13
        if side.seed:
            canvas.setFont(style.regular.name, _SMALL)
            canvas.setFillGray(style.quiet)
            canvas.drawRightString(left - 3, base, str(side.seed))
            canvas.setFillGray(0)
        nobody = self._catalogue.code("bye") if box.bye else ""
        name = side.name or (self._catalogue.coming(side.came) if side.came else nobody)
        room = right - left - (face.width(score, _NAME[0]) + 3 if score else 0)
        name = style.printable(name)
        condensed = style.face(bold=bold, condensed=True)
        size = next((size for size in _NAME if condensed.width(name, size) <= room), _NAME[-1])
        text, face = fitted(name, style, size, room, bold=bold)
        canvas.setFont(face.name, size)
        canvas.setFillGray(0 if side.player else style.quiet)
        canvas.drawString(left, base, text)
        canvas.setFillGray(0)


BRACKET = Report(
    "bracket",
    N_("Bracket"),
    _bracket,
    Group.AFTER,
    N_("The knockout as a tree, over several pages where it is large."),
)
