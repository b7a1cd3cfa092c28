"""Painted charts, each with a text for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tdapp.gui.widgets.theme import SMALL, UNIT, Appearance, make_scaled_font

TONES = ("accent", "amber", "green", "red", "text")
AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
FAINT_OPACITY, MIN_OPACITY = 0.35, 0.08  # opacity of lines without highlight: few lines, very many lines
FEW_LINES = 40
MAX_SMOOTH_LINES = 400  # more lines are painted without smooth edges: several times faster
CLICK_DISTANCE = UNIT  # pixels between a click and its line
# The corners of the point marks. A disc has none.
POINT_MARKS: Sequence[Sequence[tuple[float, float]]] = (
    (),
    ((-3, -3), (3, -3), (3, 3), (-3, 3)),
    ((0, -4), (4, 3), (-4, 3)),
    ((0, -4.5), (4.5, 0), (0, 4.5), (-4.5, 0)),
)
MAX_TICKS = 10


class ChartLine(Struct, frozen=True):
    """A line of a chart over the rounds."""

    key: str
    label: str
    values: tuple[float | None, ...]  # one for each round, None if missing
    highlighted: bool = False  # the line is emphasised and named


class Chart(QWidget):
    """Base class of charts."""

    def __init__(self, appearance: Appearance, name: str, axis_title: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._axis = axis_title
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(UNIT * 30, UNIT * 20)
        appearance.changed.connect(self.update)

    def set_spoken_description(self, text: str) -> None:
        self.setAccessibleDescription(text)
        self.setToolTip("")

    def _start_painting(self) -> QPainter:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._appearance.get_colour("line"), 1))
        painter.setBrush(self._appearance.get_colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(make_scaled_font(SMALL))
        return painter

    def _paint_axis_title(self, painter: QPainter, area: QRectF) -> None:
        painter.drawText(QRectF(area.left(), area.bottom() + 24, area.width(), 20), AT_RIGHT, self._axis)


class ChartLinePositions:
    """Positions of lines in a rectangle, cached because each mouse move paints the chart again."""

    def __init__(
        self,
        lines: Sequence[ChartLine],
        space: QRectF,
        *,
        downwards: bool,
        previous: ChartLinePositions | None = None,
    ) -> None:
        self.highlighted = [line for line in lines if line.highlighted]
        self.rounds = max((len(line.values) for line in lines), default=0)
        values = [value for line in lines for value in line.values if value is not None]
        lowest, highest = (min(values), max(values)) if values else (0.0, 1.0)
        self.range = lowest, highest if highest > lowest else lowest + 1
        self._downwards, self._right = downwards, space.right()
        metrics = QFontMetrics(make_scaled_font(SMALL))
        label_width = max((metrics.horizontalAdvance(line.label) for line in self.highlighted), default=0)
        names_width = min(label_width + UNIT * 3, space.width() * 0.3)
        # with space for names
        self.area = area = space.adjusted(UNIT * 6, UNIT * 3, -names_width - UNIT, -UNIT * 6)
        self._top, self._height, last = area.top(), area.height(), self.rounds - 1
        self._round_positions = [
            area.left() + area.width() * (round_index / last if last else 0.5)
            for round_index in range(self.rounds)
        ]
        self.made_of = area, downwards, [(line.key, line.values) for line in lines]
        self.runs: dict[str, list[list[QPointF]]]
        if previous is not None and previous.made_of == self.made_of:
            self.runs = previous.runs
        else:
            self.runs = {line.key: self._split_line_at_missing_values(line) for line in lines}
        self.labels = self._compute_label_boxes(metrics.height())

    def compute_point_of_value(self, round_index: int, value: float) -> QPointF:
        lowest, highest = self.range
        share = (value - lowest) / (highest - lowest)
        return QPointF(
            self._round_positions[round_index],
            self._top + self._height * (share if self._downwards else 1 - share),
        )

    def measure_distance(self, line: ChartLine, point: QPointF) -> float:
        pairs = [pair for run in self.runs[line.key] for pair in zip(run, run[1:] or run, strict=False)]
        return min((_measure_distance_to_segment(point, start, end) for start, end in pairs), default=float("inf"))

    def _split_line_at_missing_values(self, line: ChartLine) -> list[list[QPointF]]:
        end_positions = self.compute_point_of_value(0, 0).y(), self.compute_point_of_value(0, 1).y()
        zero_position, unit_length = end_positions[0], end_positions[1] - end_positions[0]
        runs: list[list[QPointF]] = [[]]
        for x, value in zip(self._round_positions, line.values, strict=False):
            if value is None:
                runs.append([])
            else:
                runs[-1].append(QPointF(x, zero_position + unit_length * value))
        return [run for run in runs if run]

    def _compute_label_boxes(self, height: int) -> list[tuple[int, QRectF]]:
        area = self.area
        runs = [(line_index, self.runs[line.key]) for line_index, line in enumerate(self.highlighted)]
        ends = sorted((line_runs[-1][-1].y(), line_index) for line_index, line_runs in runs if line_runs)
        height_for_labels = area.bottom() + UNIT - (area.top() - UNIT)
        gap = min(height, height_for_labels / len(ends)) if ends else 0
        tops: list[float] = []
        for y, _ in ends:
            tops.append(max(y, tops[-1] + gap) if tops else y)
        overflow = tops[-1] - area.bottom() if tops else 0
        for position in range(len(tops) - 1, -1, -1):
            most = area.bottom() if position == len(tops) - 1 else tops[position + 1] - gap
            tops[position] = min(tops[position], most) if overflow > 0 else tops[position]
        left, width = area.right() + UNIT * 1.5, self._right - area.right() - UNIT * 2
        boxes = [QRectF(left, top - height / 2, width, height) for top in tops]
        return [(line_index, box) for (_, line_index), box in zip(ends, boxes, strict=True)]


class LineChart(Chart):
    """A chart of lines over the rounds. A click on a line emits its key."""

    line_clicked = Signal(str)

    def __init__(self, appearance: Appearance, name: str, axis_title: str) -> None:
        super().__init__(appearance, name, axis_title)
        self.lines: tuple[ChartLine, ...] = ()
        self._downwards = False
        self._positions: ChartLinePositions | None = None
        self._old_positions: ChartLinePositions | None = None
        self._faint_lines = QPixmap()  # all lines, painted faintly
        self._faint_lines_key: object = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_lines(self, lines: Sequence[ChartLine], *, downwards: bool) -> None:
        """Show lines. With `downwards` the smallest value is at the top."""
        self.lines, self._downwards = tuple(lines), downwards
        self._invalidate_line_positions()
        self.update()

    def _invalidate_line_positions(self) -> None:
        self._old_positions, self._positions = self._positions or self._old_positions, None

    def sizeHint(self) -> QSize:
        return QSize(UNIT * 80, UNIT * 50)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._invalidate_line_positions()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self.find_line_key_at_point(event.position())
        if key:
            self.line_clicked.emit(key)

    def find_line_key_at_point(self, point: QPointF) -> str:
        """Return the key of the line or label at a point, or "". Prefer highlighted lines."""
        for index, box in self.positions.labels:
            if box.contains(point):
                return self.positions.highlighted[index].key
        candidates = [
            (self.positions.measure_distance(line, point), not line.highlighted, line.key) for line in self.lines
        ]
        candidates = [candidate for candidate in candidates if candidate[0] <= CLICK_DISTANCE]
        return min(candidates, key=lambda candidate: (candidate[1], candidate[0]))[2] if candidates else ""

    @property
    def positions(self) -> ChartLinePositions:
        if self._positions is None:
            space = QRectF(self.rect())
            self._positions = ChartLinePositions(
                self.lines, space, downwards=self._downwards, previous=self._old_positions
            )
        return self._positions

    # --- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, positions = self._start_painting(), self.positions
        if self.lines and positions.rounds:
            self._paint_grid(painter)
            painter.drawPixmap(0, 0, self._get_faint_lines_picture())
            for label_index, line in enumerate(positions.highlighted):
                self._paint_highlighted_line(painter, line, label_index)
            for label_index, box in positions.labels:
                painter.setPen(self._appearance.get_colour(TONES[label_index % len(TONES)]))
                name, end = positions.highlighted[label_index].label, Qt.TextElideMode.ElideRight
                text = painter.fontMetrics().elidedText(name, end, int(box.width()))
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _get_faint_lines_picture(self) -> QPixmap:
        ratio, colour = self.devicePixelRatioF(), self._appearance.get_colour("muted")
        picture_key = self.positions.runs, self.size(), ratio, colour.rgba()
        if self._faint_lines_key != picture_key:
            self._faint_lines_key = picture_key
            self._faint_lines = QPixmap(self.size() * ratio)
            self._faint_lines.setDevicePixelRatio(ratio)
            self._faint_lines.fill(Qt.GlobalColor.transparent)
            self._draw_faint_lines(QColor(colour))
        return self._faint_lines

    def _draw_faint_lines(self, faint: QColor) -> None:
        painter = QPainter(self._faint_lines)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(self.lines) <= MAX_SMOOTH_LINES)
        faint.setAlphaF(max(FAINT_OPACITY * min(1.0, FEW_LINES / len(self.lines)), MIN_OPACITY))
        painter.setPen(QPen(faint, 1))
        for run in (run for runs in self.positions.runs.values() for run in runs):
            painter.drawPolyline(run)
        painter.end()

    def _paint_grid(self, painter: QPainter) -> None:
        positions, area = self.positions, self.positions.area
        for value in list_axis_ticks(*positions.range):
            y = positions.compute_point_of_value(0, value).y()
            painter.setPen(QPen(self._appearance.get_colour("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._appearance.get_colour("muted"))
            painter.drawText(QRectF(0, y - 10, area.left() - UNIT, 20), AT_RIGHT, f"{value:g}")
        painter.setPen(self._appearance.get_colour("muted"))
        step = max(1, round(positions.rounds * UNIT * 4 / max(area.width(), 1) + 0.5))
        for number in range(1, positions.rounds + 1):
            if number % step == 0 or number in {1, positions.rounds}:
                box = QRectF(positions.compute_point_of_value(number - 1, 0).x() - 20, area.bottom() + 4, 40, 20)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))
        self._paint_axis_title(painter, area)

    def _paint_highlighted_line(self, painter: QPainter, line: ChartLine, style_index: int) -> None:
        colour, runs = self._appearance.get_colour(TONES[style_index % len(TONES)]), self.positions.runs[line.key]
        painter.setPen(QPen(colour, 2, DASHES[style_index % len(DASHES)]))
        for run in runs:
            painter.drawPolyline(run)
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(self._appearance.get_colour("surface"))
        for run in runs:
            for point in run:
                _paint_point_mark(painter, point, style_index // len(DASHES) % len(POINT_MARKS))
        painter.setBrush(Qt.BrushStyle.NoBrush)


class ChartBar(Struct, frozen=True):
    """A bar of a histogram."""

    low: int  # start on the axis
    count: int  # height


class Histogram(Chart):
    """A bar chart with a line at the mean."""

    def __init__(self, appearance: Appearance, name: str, axis_title: str) -> None:
        super().__init__(appearance, name, axis_title)
        self._bars: tuple[ChartBar, ...] = ()
        self._width = 1
        self._mean: tuple[float, str] | None = None

    def show_bars(self, bars: Sequence[ChartBar], *, width: int, mean_and_label: tuple[float, str] | None) -> None:
        """Show bars, each `width` axis units wide."""
        self._bars, self._width, self._mean = tuple(bars), width, mean_and_label
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self._start_painting()
        if self._bars:
            area = QRectF(self.rect()).adjusted(UNIT * 3, UNIT * 7, -UNIT * 3, -UNIT * 6)
            self._paint_bars(painter, area)
            self._paint_axis(painter, area)
            self._paint_mean(painter, area)
        painter.end()

    def _paint_bars(self, painter: QPainter, area: QRectF) -> None:
        step, highest_count = area.width() / len(self._bars), max(bar.count for bar in self._bars) or 1
        for index, bar in enumerate(self._bars):
            height = area.height() * bar.count / highest_count
            box = QRectF(area.left() + step * index + 1, area.bottom() - height, max(step - 2, 1), height)
            painter.setPen(QPen(self._appearance.get_colour("accent"), 1))
            painter.setBrush(self._appearance.get_colour("accent_soft"))
            if bar.count:
                painter.drawRect(box)
                painter.setPen(self._appearance.get_colour("text"))
                count_area = QRectF(box.left() - step, box.top() - 20, step * 3, 18)
                painter.drawText(count_area, Qt.AlignmentFlag.AlignCenter, str(bar.count))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_axis(self, painter: QPainter, area: QRectF) -> None:
        painter.setPen(QPen(self._appearance.get_colour("edge"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.setPen(self._appearance.get_colour("muted"))
        step, metrics = area.width() / len(self._bars), painter.fontMetrics()
        label_step = max(1, round(metrics.horizontalAdvance("0000 ") / max(step, 1) + 0.5))
        for index, bar in enumerate(self._bars):
            if index % label_step == 0:
                box = QRectF(area.left() + step * index - 30, area.bottom() + 4, 60, 18)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(bar.low))
        self._paint_axis_title(painter, area)

    def _paint_mean(self, painter: QPainter, area: QRectF) -> None:
        if self._mean is None:
            return
        value, words = self._mean
        axis_length = len(self._bars) * self._width
        x = area.left() + area.width() * (value - self._bars[0].low) / axis_length
        painter.setPen(QPen(self._appearance.get_colour("amber"), 2, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, area.top() - UNIT * 3), QPointF(x, area.bottom()))
        painter.setPen(self._appearance.get_colour("amber"))
        width = painter.fontMetrics().horizontalAdvance(words) + 4
        left = min(max(x - width / 2, area.left()), area.right() - width)
        painter.drawText(QRectF(left, area.top() - UNIT * 6, width, 20), Qt.AlignmentFlag.AlignCenter, words)


def list_axis_ticks(lowest: float, highest: float) -> list[float]:
    step = next(
        (tick_step for power in range(7) for tick_step in (10**power, 2 * 10**power, 5 * 10**power)
         if (highest - lowest) / tick_step <= MAX_TICKS),
        highest - lowest,
    )  # fmt: skip
    first = -(-lowest // step) * step
    ticks = [first + step * index for index in range(int((highest - first) // step) + 1)]
    return ticks if lowest in ticks else [lowest, *(tick for tick in ticks if tick - lowest > step / 2)]


def _paint_point_mark(painter: QPainter, centre: QPointF, shape: int) -> None:
    if POINT_MARKS[shape]:
        painter.drawPolygon([centre + QPointF(*corner) for corner in POINT_MARKS[shape]])
    else:
        painter.drawEllipse(centre, 3.5, 3.5)


def _measure_distance_to_segment(point: QPointF, start: QPointF, end: QPointF) -> float:
    direction = end - start
    length = QPointF.dotProduct(direction, direction)
    share = QPointF.dotProduct(point - start, direction) / length if length else 0.0
    nearest = start + direction * max(0.0, min(1.0, share))
    gap = point - nearest
    return float((gap.x() ** 2 + gap.y() ** 2) ** 0.5)
