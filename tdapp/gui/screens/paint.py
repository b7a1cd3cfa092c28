"""Paint a slide. All sizes are relative to its height, so that the preview looks like the display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from tdapp.domain.photos import decode_jpeg_or_empty
from tdapp.domain.round_clock import ClockState
from tdapp.domain.tables.bracket import BracketTreePage
from tdapp.gui.screens.paint_pictures import (
    NAME,
    WRAP_CENTRED,
    BracketPainter,
    FeaturedGamePainter,
    draw_text_line,
    find_largest_fitting_font,
    fit_name_to_area,
    fit_text_to_width,
    make_slide_font,
    measure_width,
)
from tdapp.gui.widgets.theme import COLOURS, Colours
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.ceremony import AwardLine, AwardSlide
from tdapp.i18n.slides import (
    ClockSlide,
    ColumnRole,
    DisplayView,
    FeaturedSlide,
    SentenceSlide,
    Slide,
    SlideColumn,
    SlideTable,
)

_MARGIN, _HEADER, _FOOTER = 0.04, 0.16, 0.06
_HEADINGS = 0.045
_LETTER_SHARE = 0.62  # letter size relative to the line height
_NAME_SLACK = 0.15  # extra width of a name column, relative to the longest name: a shorter name can be wider
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_CENTRE = Qt.AlignmentFlag.AlignHCenter
_TONES: Mapping[ClockState, str] = {ClockState.SOON: "amber", ClockState.OVER: "red"}


class DisplayedRoundClock(Struct, frozen=True):
    """State of the round clock on a slide."""

    text: str  # time as displayed
    state: ClockState
    state_text: str  # the state in words
    note: str = ""  # next events of the round, shown below a full-screen clock


class SlideScene(Struct, frozen=True):
    """A slide to paint, with the clock and a message."""

    slide: Slide
    time: DisplayedRoundClock
    message: str = ""
    black: bool = True
    # fraction of the slide's display time that remains, None without a time limit
    remaining_share: float | None = None


class ScenePainter:
    """Paints a slide and the clock on it. `size` is in pixels."""

    def __init__(self, painter: QPainter, size: QSizeF, scene: SlideScene, catalogue: Catalogue) -> None:
        self._painter, self._scene, self._catalogue = painter, scene, catalogue
        self._width, self._height = size.width(), size.height()
        self._colours: Colours = COLOURS["contrast" if scene.black else "light"]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint_fixed_parts(self) -> None:
        """Paint the background, title, body and page number."""
        slide, message = self._scene.slide, self._scene.message
        self._painter.fillRect(QRectF(0, 0, self._width, self._height), self._get_tone_colour("surface"))
        if message:
            self._paint_announcement(message)
        else:
            self._paint_title(slide)
            self._paint_body(slide)
            self._paint_page_number(slide)

    def paint_moving_parts(self) -> None:
        """Paint the clock, and the bar that shows the remaining display time of the slide."""
        if isinstance(self._scene.slide.body, ClockSlide) and not self._scene.message:
            self._paint_clock_page()
        else:
            self._paint_clock()
        if self._scene.remaining_share is not None:
            bar_height = self._convert_to_pixels(0.012)
            bar = QRectF(0, self._height - bar_height, self._width, bar_height)
            self._painter.fillRect(bar, self._get_tone_colour("sunken"))
            bar.setWidth(self._width * self._scene.remaining_share)
            self._painter.fillRect(bar, self._get_tone_colour("accent"))

    # --- frame

    def _paint_title(self, slide: Slide) -> None:
        clock_width = measure_width(
            "000:00", make_slide_font(self._convert_to_pixels(0.09), bold=True)
        ) + self._convert_to_pixels(0.1)
        width = self._width - 2 * self._convert_to_pixels(_MARGIN) - clock_width
        left, top = self._convert_to_pixels(_MARGIN), self._convert_to_pixels(0.03)
        self._set_pen_tone("text")
        text, font = fit_text_to_width(
            slide.title,
            width,
            usual=self._convert_to_pixels(0.062),
            least=self._convert_to_pixels(NAME),
            bold=True,
        )
        draw_text_line(
            self._painter, QRectF(left, top, width, self._convert_to_pixels(0.075)), text, font, align=_LEFT
        )
        self._set_pen_tone("muted")
        text, font = fit_text_to_width(
            slide.note, width, usual=self._convert_to_pixels(0.032), least=self._convert_to_pixels(0.026)
        )
        note_area = QRectF(left, top + self._convert_to_pixels(0.075), width, self._convert_to_pixels(0.045))
        draw_text_line(self._painter, note_area, text, font, align=_LEFT)

    def _paint_clock(self) -> None:
        time, right, size = (
            self._scene.time,
            self._width - self._convert_to_pixels(_MARGIN),
            self._convert_to_pixels(0.09),
        )
        if self._scene.slide.view is DisplayView.PRIZES and time.state not in {
            ClockState.RUNNING,
            ClockState.SOON,
        }:
            return  # no round in progress
        font = make_slide_font(size, bold=True)
        width = measure_width(time.text, font)
        self._set_pen_tone(_TONES.get(time.state, "text"))
        draw_text_line(
            self._painter,
            QRectF(right - width, self._convert_to_pixels(0.02), width, size),
            time.text,
            font,
            align=_RIGHT,
        )
        shape = QRectF(
            right - width - size * 0.85, self._convert_to_pixels(0.02) + size * 0.2, size * 0.6, size * 0.6
        )
        self._paint_clock_icon(shape, time.state)
        self._set_pen_tone(_TONES.get(time.state, "text"))
        if time.state is not ClockState.RUNNING:
            area = QRectF(
                right - self._width / 2,
                self._convert_to_pixels(0.108),
                self._width / 2,
                self._convert_to_pixels(0.04),
            )
            draw_text_line(
                self._painter,
                area,
                time.state_text,
                make_slide_font(self._convert_to_pixels(0.032), bold=True),
                align=_RIGHT,
            )

    def _paint_clock_icon(self, area: QRectF, state: ClockState) -> None:
        tone = self._get_tone_colour(_TONES.get(state, "text"))
        painter, middle, unit = self._painter, area.center(), area.width() / 10
        line, cap, join = Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        painter.setPen(QPen(tone, unit, line, cap, join))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if state is ClockState.PAUSED:
            painter.setBrush(tone)
            for left in (1.5, 6.0):
                painter.drawRect(QRectF(area.left() + left * unit, area.top() + unit, 2.5 * unit, 8 * unit))
        elif state is ClockState.SOON:
            painter.drawPolygon([QPointF(middle.x(), area.top()), area.bottomRight(), area.bottomLeft()])
            painter.drawLine(middle + QPointF(0, -unit), middle + QPointF(0, 1.6 * unit))
            painter.drawPoint(middle + QPointF(0, 3.4 * unit))
        elif state is ClockState.OVER:
            painter.setBrush(tone)
            painter.drawEllipse(area)
            painter.setPen(QPen(self._get_tone_colour("surface"), 1.6 * unit))
            painter.drawLine(middle + QPointF(-2.6 * unit, 0), middle + QPointF(2.6 * unit, 0))
        else:
            painter.drawEllipse(area)
            painter.drawPolyline([middle + QPointF(0, -3 * unit), middle, middle + QPointF(2.2 * unit, unit)])
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_page_number(self, slide: Slide) -> None:
        if slide.pages > 1 and not isinstance(slide.body, AwardSlide | SentenceSlide):
            self._set_pen_tone("muted")
            message = self._catalogue.text("{page} of {pages}", page=slide.page, pages=slide.pages)
            left = self._convert_to_pixels(_MARGIN)
            area = QRectF(
                left, self._convert_to_pixels(0.946), self._width - 2 * left, self._convert_to_pixels(0.04)
            )
            draw_text_line(
                self._painter, area, message, make_slide_font(self._convert_to_pixels(0.028)), align=_RIGHT
            )

    # --- page

    @property
    def _body_area(self) -> QRectF:
        left, top = self._convert_to_pixels(_MARGIN), self._convert_to_pixels(_HEADER)
        return QRectF(left, top, self._width - 2 * left, self._height - top - self._convert_to_pixels(_FOOTER))

    def _paint_body(self, slide: Slide) -> None:
        body = slide.body
        if isinstance(body, SlideTable):
            self._paint_slide_table(body)
        elif isinstance(body, BracketTreePage):
            BracketPainter(
                self._painter, self._body_area, self._height, self._get_tone_colour, self._catalogue
            ).paint_bracket(body)
        elif isinstance(body, AwardSlide):
            self._paint_prize_award(body)
        elif isinstance(body, FeaturedSlide):
            FeaturedGamePainter(
                self._painter, self._body_area, self._height, self._get_tone_colour, self._catalogue
            ).paint_slide(body)
        elif isinstance(body, SentenceSlide):
            self._paint_sentence(body.text, self._body_area, most=0.09)

    def _paint_sentence(self, text: str, area: QRectF, *, most: float) -> None:
        self._set_pen_tone("text")
        self._painter.setFont(
            find_largest_fitting_font(
                text, area, most=self._convert_to_pixels(most), least=self._convert_to_pixels(NAME), bold=True
            )
        )
        self._painter.drawText(area, int(WRAP_CENTRED), text)

    def _paint_announcement(self, text: str) -> None:
        frame_width, margin = self._convert_to_pixels(0.012), self._convert_to_pixels(0.03)
        frame_area = QRectF(
            margin,
            self._convert_to_pixels(_HEADER),
            self._width - 2 * margin,
            self._height - self._convert_to_pixels(_HEADER) - margin,
        )
        self._painter.setPen(QPen(self._get_tone_colour("accent"), frame_width))
        self._painter.drawRoundedRect(frame_area, frame_width * 2, frame_width * 2)
        self._paint_sentence(text, frame_area.adjusted(margin * 2, margin, -margin * 2, -margin), most=0.2)

    def _paint_clock_page(self) -> None:
        time, body = self._scene.time, self._body_area
        time_area = QRectF(body.left(), body.top(), body.width(), body.height() * 0.72)
        note_font = find_largest_fitting_font(
            time.text, time_area, most=self._convert_to_pixels(0.55), least=self._convert_to_pixels(0.1), bold=True
        )
        self._set_pen_tone(_TONES.get(time.state, "text"))
        draw_text_line(self._painter, time_area, time.text, note_font, align=_CENTRE)
        size = self._convert_to_pixels(0.075)
        state_font = make_slide_font(size, bold=True)
        state_width = measure_width(time.state_text, state_font)
        left = body.center().x() - (state_width + size * 1.3) / 2
        self._paint_clock_icon(QRectF(left, time_area.bottom() + size * 0.15, size * 0.8, size * 0.8), time.state)
        self._set_pen_tone(_TONES.get(time.state, "text"))
        area = QRectF(left + size * 1.3, time_area.bottom(), state_width, size * 1.1)
        draw_text_line(self._painter, area, time.state_text, state_font, align=_LEFT)
        self._set_pen_tone("muted")
        note_area = QRectF(body.left(), area.bottom() + size * 0.3, body.width(), size)
        note_font = find_largest_fitting_font(
            time.note, note_area, most=self._convert_to_pixels(0.05), least=self._convert_to_pixels(0.02)
        )
        draw_text_line(self._painter, note_area, time.note, note_font, align=_CENTRE)

    # --- rows

    def _paint_slide_table(self, grid: SlideTable) -> None:
        body, gap = self._body_area, self._convert_to_pixels(0.06)
        block_width = (body.width() - gap * (grid.blocks - 1)) / grid.blocks
        line_height = (body.height() - self._convert_to_pixels(_HEADINGS)) / grid.rows_per_block
        widths = self._compute_column_widths(grid.columns, block_width, line_height)
        for number in range(grid.blocks):
            rows = grid.rows[number * grid.rows_per_block : (number + 1) * grid.rows_per_block]
            if rows or number == 0:
                left = body.left() + number * (block_width + gap) + (block_width - sum(widths)) / 2
                self._paint_table_block(
                    grid.columns, rows, widths, QRectF(left, body.top(), sum(widths), body.height()), line_height
                )

    def _paint_table_block(
        self,
        columns: Sequence[SlideColumn],
        rows: Sequence[Sequence[str]],
        widths: Sequence[float],
        area: QRectF,
        line_height: float,
    ) -> None:
        top = area.top() + self._convert_to_pixels(_HEADINGS)
        for number, row in enumerate(rows):
            row_area = QRectF(area.left(), top + number * line_height, area.width(), line_height)
            if number % 2 == 0:
                self._painter.fillRect(row_area, self._get_tone_colour("sunken"))
            self._paint_slide_table_row(columns, row, widths, row_area)
        self._set_pen_tone("muted")
        left = area.left()
        for column, width in zip(columns, widths, strict=True):
            cell = QRectF(left, area.top(), width, self._convert_to_pixels(_HEADINGS)).adjusted(
                self._cell_margin, 0, -self._cell_margin, 0
            )
            text, font = fit_text_to_width(
                column.heading,
                cell.width(),
                usual=self._convert_to_pixels(0.028),
                least=self._convert_to_pixels(0.024),
            )
            draw_text_line(self._painter, cell, text, font, align=_ALIGNED[column.role])
            left += width

    def _paint_slide_table_row(
        self, columns: Sequence[SlideColumn], row: Sequence[str], widths: Sequence[float], row_area: QRectF
    ) -> None:
        left = row_area.left()
        for column, text, width in zip(columns, row, widths, strict=True):
            cell = QRectF(left, row_area.top(), width, row_area.height()).adjusted(
                self._cell_margin, 0, -self._cell_margin, 0
            )
            self._set_pen_tone("accent" if column.role is ColumnRole.SIGN else "text")
            if column.role is ColumnRole.NAME:
                least = self._convert_to_pixels(NAME)
                lines, font = fit_name_to_area(
                    text, cell, usual=max(row_area.height() * _LETTER_SHARE, least), least=least
                )
            else:
                lines, font = (text,), self._choose_cell_font(column.role, text, row_area.height())
            line_height = cell.height() / len(lines)
            for position, line in enumerate(lines):
                area = QRectF(cell.left(), cell.top() + position * line_height, cell.width(), line_height)
                draw_text_line(self._painter, area, line, font, align=_ALIGNED[column.role])
            left += width

    def _choose_cell_font(self, role: ColumnRole, text: str, line_height: float) -> QFont:
        if role is ColumnRole.SIGN and text.isdecimal():
            return make_slide_font(line_height * 0.82, bold=True)
        if role is ColumnRole.FIGURE:
            return make_slide_font(line_height * 0.6, bold=True)
        # a narrow font for words leaves more width for the names
        narrow = role is ColumnRole.SIGN or any(map(str.isalpha, text))
        return make_slide_font(max(line_height * 0.5, self._convert_to_pixels(0.03)), bold=True, narrow=narrow)

    def _compute_column_widths(
        self, columns: Sequence[SlideColumn], block_width: float, line_height: float
    ) -> list[float]:
        needed_widths = [
            self._compute_needed_width(column, line_height) + 3 * self._cell_margin for column in columns
        ]
        name_indexes = [index for index, column in enumerate(columns) if column.role is ColumnRole.NAME]
        remaining_width = block_width - sum(
            width for index, width in enumerate(needed_widths) if index not in name_indexes
        )
        name_width = max(remaining_width, 0.0) / max(len(name_indexes), 1)
        # the margins get the remaining width
        width_of_names = min(name_width, max((needed_widths[index] for index in name_indexes), default=0.0))
        return [width_of_names if index in name_indexes else width for index, width in enumerate(needed_widths)]

    def _compute_needed_width(self, column: SlideColumn, line_height: float) -> float:
        is_name = column.role is ColumnRole.NAME
        name_font = (
            make_slide_font(max(line_height * _LETTER_SHARE, self._convert_to_pixels(NAME))) if is_name else None
        )
        text_width = measure_width(
            column.widest, name_font or self._choose_cell_font(column.role, column.widest, line_height)
        ) * (1 + _NAME_SLACK * is_name)
        return max(
            text_width, measure_width(column.heading, make_slide_font(self._convert_to_pixels(0.028), narrow=True))
        )

    # --- prize-giving

    def _paint_prize_award(self, award: AwardSlide) -> None:
        newest, *before = award.lines
        body = self._body_area
        newest_area = QRectF(body.left(), body.top(), body.width(), body.height() * 0.5)
        self._paint_newest_prize(newest, newest_area)
        line_height = body.height() * 0.5 / 4.4
        for number, earlier_line in enumerate(before[:4]):
            area = QRectF(
                body.left(), newest_area.bottom() + line_height * (number + 0.4), body.width(), line_height
            )
            if number % 2 == 0:
                self._painter.fillRect(area, self._get_tone_colour("sunken"))
            self._paint_earlier_prize(earlier_line, area)

    def _paint_newest_prize(self, line: AwardLine, prize_area: QRectF) -> None:
        photo = QImage.fromData(decode_jpeg_or_empty(line.photo))
        if not photo.isNull():
            most = QSizeF(prize_area.height(), prize_area.height() * 0.9)
            area = QRectF(
                prize_area.topLeft(), QSizeF(photo.size()).scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
            )
            self._painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            self._painter.drawImage(area, photo)
            prize_area = prize_area.adjusted(area.width() + self._cell_margin, 0, 0, 0)
        is_rank = line.sign.isdecimal()
        sign_font = make_slide_font(self._convert_to_pixels(0.15 if is_rank else 0.06), bold=True)
        sign_height = self._convert_to_pixels(0.15 if is_rank else 0.08)
        self._set_pen_tone("accent")
        draw_text_line(
            self._painter,
            QRectF(prize_area.left(), prize_area.top(), prize_area.width(), sign_height),
            line.sign,
            sign_font,
            align=_CENTRE,
        )
        facts_height = self._convert_to_pixels(0.06)
        names_area = QRectF(
            prize_area.left(),
            prize_area.top() + sign_height,
            prize_area.width(),
            prize_area.height() - sign_height - facts_height,
        )
        self._paint_sentence(line.names, names_area, most=0.13)
        self._set_pen_tone("muted")
        area = QRectF(prize_area.left(), prize_area.bottom() - facts_height, prize_area.width(), facts_height)
        text, font = fit_text_to_width(
            line.facts,
            prize_area.width(),
            usual=self._convert_to_pixels(0.042),
            least=self._convert_to_pixels(0.03),
        )
        draw_text_line(self._painter, area, text, font, align=_CENTRE)

    def _paint_earlier_prize(self, line: AwardLine, row_area: QRectF) -> None:
        sign_font = make_slide_font(
            row_area.height() * (0.7 if line.sign.isdecimal() else 0.42), bold=True, narrow=True
        )
        sign_width = (
            max(measure_width(line.sign, sign_font), self._convert_to_pixels(0.09)) + 2 * self._cell_margin
        )
        self._set_pen_tone("accent")
        draw_text_line(
            self._painter, row_area.adjusted(self._cell_margin, 0, 0, 0), line.sign, sign_font, align=_LEFT
        )
        least = self._convert_to_pixels(NAME)
        cell = row_area.adjusted(sign_width, 0, -self._cell_margin, 0)
        name, font = fit_text_to_width(
            line.names, cell.width() * 0.6, usual=max(least, row_area.height() * 0.55), least=least
        )
        self._set_pen_tone("text")
        draw_text_line(self._painter, cell, name, font, align=_LEFT)
        self._set_pen_tone("muted")
        facts_width = cell.width() - measure_width(name, font) - 2 * self._cell_margin
        facts, facts_font = fit_text_to_width(
            line.facts, facts_width, usual=self._convert_to_pixels(0.034), least=self._convert_to_pixels(0.028)
        )
        draw_text_line(self._painter, cell, facts, facts_font, align=_RIGHT)

    # --- measures and colours

    def _convert_to_pixels(self, share_of_height: float) -> float:
        return self._height * share_of_height

    @property
    def _cell_margin(self) -> float:
        return self._convert_to_pixels(0.012)

    def _get_tone_colour(self, tone: str) -> QColor:
        return QColor(getattr(self._colours, tone))

    def _set_pen_tone(self, tone: str) -> None:
        self._painter.setPen(self._get_tone_colour(tone))


_ALIGNED: Mapping[ColumnRole, Qt.AlignmentFlag] = {
    ColumnRole.SIGN: _RIGHT,
    ColumnRole.NAME: _LEFT,
    ColumnRole.FIGURE: _RIGHT,
    ColumnRole.WORDS: _CENTRE,
}
