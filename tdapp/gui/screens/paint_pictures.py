"""Paint the bracket and the featured board, relative to the height of the display."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from tdapp.domain.tables.bracket import BracketTreePage
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.text_characters import split_bracketed_suffix
from tdapp.gui.widgets.board_painter import BoardPainter
from tdapp.gui.widgets.theme import make_unscaled_font
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import (
    DASH,
    BracketDimensions,
    BracketSlotText,
    PositionedMatch,
    lay_out_matches,
    list_board_squares,
    list_rack_squares,
)
from tdapp.i18n.slides import FeaturedSlide
from tdapp.scrabble.coordinates import SIZE

NAME = 1 / 25  # smallest size of a name, relative to the height
_MIN_LINE_HEIGHT = 1.1  # least height of a line, relative to its letters
_NARROW = "Noto Sans Condensed"
WRAP_CENTRED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def make_slide_font(size: float, *, bold: bool = False, narrow: bool = False) -> QFont:
    """Return a font. `size` is in pixels."""
    font = make_unscaled_font(max(round(size), 1), bold=bold)
    if narrow:
        font.setFamily(_NARROW)
    return font


def measure_width(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def fit_text_to_width(
    text: str, width: float, *, usual: float, least: float, bold: bool = False, short: str = ""
) -> tuple[str, QFont]:
    """Return the text and font that fit into `width` pixels.

    `usual` and `least` are font sizes in pixels. `short` is the short form of a name. Try a condensed font first,
    then a smaller font, then `short`. If none fits, cut the text. Keep a suffix that distinguishes
    equal names if possible.
    """
    attempts = [(text, usual, False), (text, usual, True), (text, least, True)]
    attempts += [(short, usual, True), (short, least, True)] if short else []
    for candidate, size, narrow in attempts:
        font = make_slide_font(size, bold=bold, narrow=narrow)
        if measure_width(candidate, font) <= width:
            return candidate, font
    name, suffix = split_bracketed_suffix(short or text)
    available_width = width - measure_width(suffix, font)
    if not short or available_width < width / 3:
        name, suffix, available_width = short or text, "", width
    return QFontMetricsF(font).elidedText(name, Qt.TextElideMode.ElideRight, available_width) + suffix, font


def fit_name_to_area(name: str, area: QRectF, *, usual: float, least: float) -> tuple[tuple[str, ...], QFont]:
    """Return the lines and font of a name: one line, or two if the name is long and the area high enough."""
    short = shorten_first_names(name)
    text, font = fit_text_to_width(name, area.width(), usual=usual, least=least, short=short)
    if text in {name, short} or area.height() < 2 * _MIN_LINE_HEIGHT * least:
        return (text,), font
    narrow, words = make_slide_font(least, narrow=True), name.split()
    for count in range(len(words) - 1, 0, -1):
        lines = " ".join(words[:count]), " ".join(words[count:])
        if all(measure_width(line, narrow) <= area.width() for line in lines):
            return lines, narrow
    return (text,), font


def shorten_first_names(name: str) -> str:
    """Turn `van Dam, Jan Willem` into `van Dam, J. W.`.

    Keep prefixes such as `van`, and a suffix in brackets that distinguishes players with equal names.
    """
    name, suffix = split_bracketed_suffix(name)
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma:
        return f"{last}, {_shorten_to_initials(first)}{suffix}"
    *firsts, last = name.split() or [name]
    return f"{_shorten_to_initials(' '.join(firsts))} {last}".strip() + suffix


def _shorten_to_initials(names: str) -> str:
    return " ".join(name if name[0].islower() else f"{name[0]}." for name in names.split())


def find_largest_fitting_font(text: str, area: QRectF, *, most: float, least: float, bold: bool = False) -> QFont:
    smallest = round(least)
    larger = range(smallest + 1, round(most) + 1)
    step_count = bisect(
        larger, 0, key=lambda size: not _is_wrapped_text_within_area(text, area, make_slide_font(size, bold=bold))
    )
    return make_slide_font(smallest + step_count, bold=bold)


def _is_wrapped_text_within_area(text: str, area: QRectF, font: QFont) -> bool:
    metrics = QFontMetricsF(font)
    if any(metrics.horizontalAdvance(word) > area.width() for word in text.split()):
        return False
    text_area = metrics.boundingRect(QRectF(0, 0, area.width(), 1e6), int(WRAP_CENTRED), text)
    return text_area.height() <= area.height() and text_area.width() <= area.width()


def draw_text_line(painter: QPainter, area: QRectF, text: str, font: QFont, *, align: Qt.AlignmentFlag) -> None:
    painter.setFont(font)
    painter.drawText(area, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)


_LABEL, _LINE = 0.03, 0.058  # heights of a match title and of a player
_GAP = 0.05  # gap between columns
_MAX_WIDTH = 0.9  # maximum width of a match
_LEFT, _RIGHT, _CENTRE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


class BracketPainter:
    """Paints a bracket in an area. `colour` returns the colour for a name such as "muted"."""

    def __init__(
        self, painter: QPainter, area: QRectF, height: float, colour: Callable[[str], QColor], catalogue: Catalogue
    ) -> None:
        self._painter, self._area, self._height = painter, area, height
        self._colour, self._catalogue = colour, catalogue

    def paint_bracket(self, tree_page: BracketTreePage) -> None:
        area, gap = self._area, self._height * _GAP
        width = min((area.width() - gap * (tree_page.columns - 1)) / tree_page.columns, self._height * _MAX_WIDTH)
        left = area.center().x() - (width * tree_page.columns + gap * (tree_page.columns - 1)) / 2
        top = area.top() + self._height * _LABEL / 2
        scale = BracketDimensions(width, gap, area.height() / tree_page.height, left, top)
        placed_matches = [*lay_out_matches(self._catalogue, tree_page.matches, scale)]
        self._painter.setPen(QPen(self._colour("edge"), self._height / 360))
        for placed_match in placed_matches:
            self._painter.drawPolyline([QPointF(*point) for point in placed_match.join])
        for placed_match in placed_matches:
            self._paint_match(placed_match, width)

    def _paint_match(self, placed_match: PositionedMatch, width: float) -> None:
        height, box, line_height = self._height, placed_match.box, self._height * _LINE
        lines = QRectF(placed_match.left, placed_match.middle - line_height, width, 2 * line_height)
        self._painter.setPen(self._colour("accent" if box.open else "muted"))
        text, font = fit_text_to_width(
            placed_match.title_and_reason, width, usual=height * 0.026, least=height * 0.022
        )
        label = QRectF(placed_match.left, lines.top() - height * _LABEL, width, height * _LABEL)
        draw_text_line(self._painter, label, text, font, align=_LEFT)
        self._painter.setPen(QPen(self._colour("accent" if box.open else "edge"), height / 360))
        self._painter.setBrush(self._colour("sunken" if box.bye else "surface"))
        self._painter.drawRoundedRect(lines, height / 120, height / 120)
        self._painter.drawLine(
            QPointF(lines.left(), placed_match.middle), QPointF(lines.right(), placed_match.middle)
        )
        for number, slot in enumerate(placed_match.slots):
            row = QRectF(lines.left(), lines.top() + number * line_height, width, line_height)
            self._paint_slot(slot, row.adjusted(height * 0.01, 0, -height * 0.01, 0), has_games=bool(box.games))

    def _paint_slot(self, slot: BracketSlotText, row: QRectF, *, has_games: bool) -> None:
        self._painter.setPen(self._colour("text" if slot.known and not slot.lost else "muted"))
        points = slot.score or (DASH if has_games else "")
        figures = make_slide_font(self._height * 0.036, bold=slot.won)
        points_width = measure_width(points, figures) + self._height * 0.015 if points else 0.0
        draw_text_line(self._painter, row, points, figures, align=_RIGHT)
        usual, least = (0.044, NAME) if slot.known else (0.032, 0.026)
        short = shorten_first_names(slot.name) if slot.known else ""
        text, font = fit_text_to_width(
            slot.name, row.width() - points_width, usual=self._height * usual, least=self._height * least,
                bold=slot.won, short=short,
        )  # fmt: skip
        draw_text_line(self._painter, row, text, font, align=_LEFT)


class FeaturedGamePainter:
    """Paints the featured game: board, players, score and last play."""

    def __init__(
        self, painter: QPainter, area: QRectF, height: float, colour: Callable[[str], QColor], catalogue: Catalogue
    ) -> None:
        self._painter, self._area, self._height = painter, area, height
        self._colour, self._catalogue = colour, catalogue

    def paint_slide(self, slide: FeaturedSlide) -> None:
        area, gap = self._area, self._height * 0.04
        side = min(area.height(), area.width() * 0.6)
        squares = list_board_squares(self._catalogue, slide.game.board, slide.game.new)
        BoardPainter(self._painter, self._colour, side / SIZE, "sunken").paint_board(
            squares, area.left(), area.top()
        )
        left, text_width, top = area.left() + side + gap, area.width() - side - gap, area.top()
        for number in (0, 1):
            self._paint_player(slide.game, number, QRectF(left, top, text_width, self._height * 0.19))
            top += self._height * 0.2
        self._paint_text(
            slide.last_turn, QRectF(left, top, text_width, self._height * 0.15), most=0.055, tone="text", bold=True
        )
        top += self._height * 0.15
        if slide.doubtful_words:
            self._paint_text(slide.doubtful_words, QRectF(left, top, text_width, self._height * 0.08), tone="red")
            top += self._height * 0.08
        self._painter.setPen(self._colour("muted"))
        title = QRectF(left, top, text_width, self._height * 0.04)
        draw_text_line(self._painter, title, slide.unseen_title, make_slide_font(self._height * 0.03), align=_LEFT)
        self._paint_text(
            slide.unseen_tiles,
            QRectF(left, title.bottom(), text_width, area.bottom() - title.bottom()),
            tone="text",
        )

    def _paint_player(self, game: FeaturedGame, side_index: int, area: QRectF) -> None:
        score = str(game.scores[side_index])
        figures = make_slide_font(self._height * 0.1, bold=True)
        line = QRectF(area.left(), area.top(), area.width(), self._height * 0.11)
        if game.turn == side_index + 1:
            turn_mark = QRectF(area.left() - self._height * 0.02, line.top(), self._height * 0.008, line.height())
            self._painter.fillRect(turn_mark, self._colour("accent"))
        self._painter.setPen(self._colour("text"))
        draw_text_line(self._painter, line, score, figures, align=_RIGHT)
        name_width = area.width() - measure_width(score, figures) - self._height * 0.02
        name, least = game.names[side_index], self._height * NAME
        name, font = fit_text_to_width(
            name, name_width, usual=self._height * 0.055, least=least, bold=True, short=shorten_first_names(name)
        )
        draw_text_line(self._painter, line, name, font, align=_LEFT)
        side = min(self._height * 0.065, area.width() / 7.5)
        tiles = list_rack_squares(game.racks[side_index])
        BoardPainter(self._painter, self._colour, side, "sunken").paint_rack(tiles, area.left(), line.bottom())

    def _paint_text(self, text: str, area: QRectF, *, most: float = 0.045, tone: str, bold: bool = False) -> None:
        self._painter.setPen(self._colour(tone))
        self._painter.setFont(
            find_largest_fitting_font(text, area, most=self._height * most, least=self._height * 0.026, bold=bold)
        )
        flags = (
            (int(WRAP_CENTRED) & ~int(Qt.AlignmentFlag.AlignCenter)) | int(_LEFT) | int(Qt.AlignmentFlag.AlignTop)
        )
        self._painter.drawText(area, flags, text)
