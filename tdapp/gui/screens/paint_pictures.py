"""Paint the bracket and the featured board, relative to the height of the display."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from tdapp.domain.tables.bracket import BracketTreePage
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.text_characters import split_name_suffix
from tdapp.gui.widgets.board_painter import BoardPainter
from tdapp.gui.widgets.theme import make_unscaled_font
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import (
    NOBODY,
    BracketScale,
    PlacedMatch,
    SlotText,
    lay_out_matches,
    list_board_squares,
    list_rack_squares,
)
from tdapp.i18n.slides import FeaturedSlide
from tdapp.scrabble.coordinates import SIZE

NAME = 1 / 25  # smallest size of a name, relative to the height
_LEAST_LINE = 1.1  # least height of a line, relative to its letters
_NARROW = "Noto Sans Condensed"
WRAPPED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def make_slide_font(size: float, *, bold: bool = False, narrow: bool = False) -> QFont:
    """Return a font. `size` is in pixels."""
    made = make_unscaled_font(max(round(size), 1), bold=bold)
    if narrow:
        made.setFamily(_NARROW)
    return made


def measure_width(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def fit_text_to_width(
    text: str, width: float, *, usual: float, least: float, bold: bool = False, short: str = ""
) -> tuple[str, QFont]:
    """Return the text and font that fit into `width` pixels.

    Use the first of these that fits: a condensed font, a smaller font, `short`. If none fits, cut the text.
    `usual` and `least` are font sizes in pixels. `short` is the short form of a name. A suffix that
    distinguishes equal names is cut last.
    """
    ways = [(text, usual, False), (text, usual, True), (text, least, True)]
    ways += [(short, usual, True), (short, least, True)] if short else []
    for shown, size, narrow in ways:
        made = make_slide_font(size, bold=bold, narrow=narrow)
        if measure_width(shown, made) <= width:
            return shown, made
    name, apart = split_name_suffix(short or text)
    left = width - measure_width(apart, made)
    if not short or left < width / 3:
        name, apart, left = short or text, "", width
    return QFontMetricsF(made).elidedText(name, Qt.TextElideMode.ElideRight, left) + apart, made


def fit_name_to_area(name: str, area: QRectF, *, usual: float, least: float) -> tuple[tuple[str, ...], QFont]:
    """Return the lines and font of a name. Use two lines if one would cut the name and the area is high enough."""
    short = shorten_first_names(name)
    shown, made = fit_text_to_width(name, area.width(), usual=usual, least=least, short=short)
    if shown in {name, short} or area.height() < 2 * _LEAST_LINE * least:
        return (shown,), made
    narrow, words = make_slide_font(least, narrow=True), name.split()
    for count in range(len(words) - 1, 0, -1):
        lines = " ".join(words[:count]), " ".join(words[count:])
        if all(measure_width(line, narrow) <= area.width() for line in lines):
            return lines, narrow
    return (shown,), made


def shorten_first_names(name: str) -> str:
    """Turn `van Dam, Jan Willem` into `van Dam, J. W.`.

    Prefixes such as `van`, and the suffix that separates equal names, stay.
    """
    name, apart = split_name_suffix(name)
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma:
        return f"{last}, {_shorten_to_initials(first)}{apart}"
    *firsts, last = name.split() or [name]
    return f"{_shorten_to_initials(' '.join(firsts))} {last}".strip() + apart


def _shorten_to_initials(names: str) -> str:
    return " ".join(one if one[0].islower() else f"{one[0]}." for one in names.split())


def find_largest_fitting_font(text: str, area: QRectF, *, most: float, least: float, bold: bool = False) -> QFont:
    low = round(least)
    larger = range(low + 1, round(most) + 1)
    fitting = bisect(larger, 0, key=lambda size: not _is_text_within(text, area, make_slide_font(size, bold=bold)))
    return make_slide_font(low + fitting, bold=bold)


def _is_text_within(text: str, area: QRectF, font: QFont) -> bool:
    metrics = QFontMetricsF(font)
    if any(metrics.horizontalAdvance(word) > area.width() for word in text.split()):
        return False
    needed = metrics.boundingRect(QRectF(0, 0, area.width(), 1e6), int(WRAPPED), text)
    return needed.height() <= area.height() and needed.width() <= area.width()


def draw_text_line(painter: QPainter, area: QRectF, text: str, font: QFont, *, align: Qt.AlignmentFlag) -> None:
    painter.setFont(font)
    painter.drawText(area, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)


_LABEL, _LINE = 0.03, 0.058  # heights of a match title and of a player
_GAP = 0.05  # gap between columns
_WIDEST = 0.9  # maximum width of a match
_LEFT, _RIGHT, _CENTRE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


class BracketPainter:
    """Paints a bracket in an area. `colour` returns the colour of a tone such as "muted"."""

    def __init__(
        self, painter: QPainter, area: QRectF, height: float, colour: Callable[[str], QColor], catalogue: Catalogue
    ) -> None:
        self._painter, self._room, self._high = painter, area, height
        self._colour, self._catalogue = colour, catalogue

    def paint_bracket(self, tree_page: BracketTreePage) -> None:
        room, gap = self._room, self._high * _GAP
        wide = min((room.width() - gap * (tree_page.columns - 1)) / tree_page.columns, self._high * _WIDEST)
        left = room.center().x() - (wide * tree_page.columns + gap * (tree_page.columns - 1)) / 2
        top = room.top() + self._high * _LABEL / 2
        scale = BracketScale(wide, gap, room.height() / tree_page.height, left, top)
        placed = [*lay_out_matches(self._catalogue, tree_page.matches, scale)]
        self._painter.setPen(QPen(self._colour("edge"), self._high / 360))
        for one in placed:
            self._painter.drawPolyline([QPointF(*point) for point in one.join])
        for one in placed:
            self._paint_match(one, wide)

    def _paint_match(self, placed: PlacedMatch, width: float) -> None:
        high, box, half = self._high, placed.box, self._high * _LINE
        lines = QRectF(placed.left, placed.middle - half, width, 2 * half)
        self._painter.setPen(self._colour("accent" if box.open else "muted"))
        text, made = fit_text_to_width(placed.label, width, usual=high * 0.026, least=high * 0.022)
        label = QRectF(placed.left, lines.top() - high * _LABEL, width, high * _LABEL)
        draw_text_line(self._painter, label, text, made, align=_LEFT)
        self._painter.setPen(QPen(self._colour("accent" if box.open else "edge"), high / 360))
        self._painter.setBrush(self._colour("sunken" if box.bye else "surface"))
        self._painter.drawRoundedRect(lines, high / 120, high / 120)
        self._painter.drawLine(QPointF(lines.left(), placed.middle), QPointF(lines.right(), placed.middle))
        for number, slot in enumerate(placed.slots):
            row = QRectF(lines.left(), lines.top() + number * half, width, half)
            self._paint_slot(slot, row.adjusted(high * 0.01, 0, -high * 0.01, 0), played=bool(box.games))

    def _paint_slot(self, slot: SlotText, row: QRectF, *, played: bool) -> None:
        self._painter.setPen(self._colour("text" if slot.known and not slot.lost else "muted"))
        points = slot.score or (NOBODY if played else "")
        figures = make_slide_font(self._high * 0.036, bold=slot.won)
        taken = measure_width(points, figures) + self._high * 0.015 if points else 0.0
        draw_text_line(self._painter, row, points, figures, align=_RIGHT)
        usual, least = (0.044, NAME) if slot.known else (0.032, 0.026)
        short = shorten_first_names(slot.name) if slot.known else ""
        text, made = fit_text_to_width(
            slot.name, row.width() - taken, usual=self._high * usual, least=self._high * least, bold=slot.won,
            short=short,
        )  # fmt: skip
        draw_text_line(self._painter, row, text, made, align=_LEFT)


class FeaturedGamePainter:
    """Paints the featured game: the board on the left, then players, score and last play."""

    def __init__(
        self, painter: QPainter, area: QRectF, height: float, colour: Callable[[str], QColor], catalogue: Catalogue
    ) -> None:
        self._painter, self._room, self._high = painter, area, height
        self._colour, self._catalogue = colour, catalogue

    def paint_slide(self, slide: FeaturedSlide) -> None:
        room, gap = self._room, self._high * 0.04
        side = min(room.height(), room.width() * 0.6)
        squares = list_board_squares(self._catalogue, slide.game.board, slide.game.new)
        BoardPainter(self._painter, self._colour, side / SIZE, "sunken").paint_board(
            squares, room.left(), room.top()
        )
        left, wide, top = room.left() + side + gap, room.width() - side - gap, room.top()
        for number in (0, 1):
            self._paint_player(slide.game, number, QRectF(left, top, wide, self._high * 0.19))
            top += self._high * 0.2
        self._paint_text(
            slide.last, QRectF(left, top, wide, self._high * 0.15), most=0.055, tone="text", bold=True
        )
        top += self._high * 0.15
        if slide.doubt:
            self._paint_text(slide.doubt, QRectF(left, top, wide, self._high * 0.08), tone="red")
            top += self._high * 0.08
        self._painter.setPen(self._colour("muted"))
        title = QRectF(left, top, wide, self._high * 0.04)
        draw_text_line(self._painter, title, slide.unseen_title, make_slide_font(self._high * 0.03), align=_LEFT)
        self._paint_text(
            slide.unseen, QRectF(left, title.bottom(), wide, room.bottom() - title.bottom()), tone="text"
        )

    def _paint_player(self, game: FeaturedGame, side_index: int, area: QRectF) -> None:
        score = str(game.scores[side_index])
        figures = make_slide_font(self._high * 0.1, bold=True)
        line = QRectF(area.left(), area.top(), area.width(), self._high * 0.11)
        if game.turn == side_index + 1:
            stroke = QRectF(area.left() - self._high * 0.02, line.top(), self._high * 0.008, line.height())
            self._painter.fillRect(stroke, self._colour("accent"))
        self._painter.setPen(self._colour("text"))
        draw_text_line(self._painter, line, score, figures, align=_RIGHT)
        room = area.width() - measure_width(score, figures) - self._high * 0.02
        name, least = game.names[side_index], self._high * NAME
        name, made = fit_text_to_width(
            name, room, usual=self._high * 0.055, least=least, bold=True, short=shorten_first_names(name)
        )
        draw_text_line(self._painter, line, name, made, align=_LEFT)
        side = min(self._high * 0.065, area.width() / 7.5)
        tiles = list_rack_squares(game.racks[side_index])
        BoardPainter(self._painter, self._colour, side, "sunken").paint_rack(tiles, area.left(), line.bottom())

    def _paint_text(self, text: str, area: QRectF, *, most: float = 0.045, tone: str, bold: bool = False) -> None:
        self._painter.setPen(self._colour(tone))
        self._painter.setFont(
            find_largest_fitting_font(text, area, most=self._high * most, least=self._high * 0.026, bold=bold)
        )
        flags = (int(WRAPPED) & ~int(Qt.AlignmentFlag.AlignCenter)) | int(_LEFT) | int(Qt.AlignmentFlag.AlignTop)
        self._painter.drawText(area, flags, text)
