"""The content of the judge screen, scaled to the display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template

from PySide6.QtCore import QPointF, QPropertyAnimation, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QProgressBar, QSizePolicy, QWidget

from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.theme import SMALL, UNIT, Appearance, make_unscaled_font
from tdapp.i18n.judge_screen import JudgeViewState
from tdapp.scrabble.wordlist import WordVerdict

TONES: Mapping[WordVerdict, str] = {
    WordVerdict.VALID: "green",
    WordVerdict.INVALID: "red",
    WordVerdict.NOT_BINDING: "amber",
}
_ONE_WORD_SIZE, _MANY_WORDS_SIZE = 0.5, 0.28  # largest size of a word, as fraction of the board's height
_ROW_HEIGHT, _BACKGROUND_HEIGHT, _WORD_GAP = 1.7, 1.45, 0.4  # relative to the letter size


class ChallengedWordsView(QWidget):
    """The challenged words, each on its own background."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.words: tuple[str, ...] = ()
        self.verdicts: tuple[WordVerdict, ...] = ()
        self._has_cursor = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_words(
        self, words: Sequence[str], *, has_cursor: bool = False, verdicts: Sequence[WordVerdict] = ()
    ) -> None:
        self.words, self._has_cursor, self.verdicts = tuple(words), has_cursor, tuple(verdicts)
        self.setAccessibleName(" ".join(self.words))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.words:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = self._compute_letter_size()
        painter.setFont(make_unscaled_font(size, bold=True))
        rows = self._list_word_widths_by_row(size)
        height = size * _ROW_HEIGHT
        top = (self.height() - height * len(rows)) / 2
        index = 0
        for number, row in enumerate(rows):
            x = (self.width() - sum(row) - size * _WORD_GAP * (len(row) - 1)) / 2
            for width in row:
                self._paint_word(
                    painter, index, QRectF(x, top + number * height, width, size * _BACKGROUND_HEIGHT), size
                )
                x += width + size * _WORD_GAP
                index += 1
        painter.end()

    def _compute_letter_size(self) -> int:
        size = int(self.height() * (_ONE_WORD_SIZE if len(self.words) == 1 else _MANY_WORDS_SIZE))
        size = min(size, self.width() // 10)
        while size > SMALL and not self._has_space_for_words(size):
            size -= 2
        return max(size, SMALL)

    def _has_space_for_words(self, size: int) -> bool:
        rows = self._list_word_widths_by_row(size)
        row_width = max(sum(row) + size * _WORD_GAP * (len(row) - 1) for row in rows)
        return row_width <= self.width() and len(rows) * size * _ROW_HEIGHT <= self.height()

    def _list_word_widths_by_row(self, size: int) -> list[list[float]]:
        metrics = QFontMetrics(make_unscaled_font(size, bold=True))
        rows: list[list[float]] = [[]]
        for word in self.words:
            width = metrics.horizontalAdvance(word) + size * (1.9 if self.verdicts else 0.9)
            if rows[-1] and sum(rows[-1]) + width + size * _WORD_GAP * len(rows[-1]) > self.width():
                rows.append([])
            rows[-1].append(width)
        return rows

    def _paint_word(self, painter: QPainter, index: int, rect: QRectF, size: int) -> None:
        word, is_current = self.words[index], self._has_cursor and index == len(self.words) - 1
        painter.setPen(
            QPen(self._appearance.get_colour("accent" if is_current else "edge"), 3 if is_current else 1)
        )
        painter.setBrush(self._appearance.get_colour("surface"))
        painter.drawRoundedRect(rect, size * 0.12, size * 0.12)
        painter.setPen(self._appearance.get_colour("text"))
        inner = rect.adjusted(size * 0.45, 0, -size * 0.35, 0)
        if self.verdicts:
            shape = QRectF(inner.left() - size * 0.1, rect.center().y() - size * 0.35, size * 0.7, size * 0.7)
            draw_verdict_sign(painter, shape, self.verdicts[index], self._appearance)
            painter.setPen(self._appearance.get_colour("text"))
            inner.adjust(size, 0, 0, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, word)
        if is_current:
            end = inner.left() + painter.fontMetrics().horizontalAdvance(word) + size * 0.08
            caret = QRectF(end, rect.top() + size * 0.3, max(3, size * 0.05), size * 0.85)
            painter.fillRect(caret, self._appearance.get_colour("accent"))


class VerdictMark(QWidget):
    """The sign of a verdict: a tick, a cross or a question mark."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._verdict: WordVerdict | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_verdict(self, verdict: WordVerdict | None) -> None:
        self._verdict = verdict
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 160)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._verdict is None:
            return
        side = min(self.width(), self.height())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        draw_verdict_sign(painter, shape, self._verdict, self._appearance)
        painter.end()


def draw_verdict_sign(painter: QPainter, rect: QRectF, verdict: WordVerdict, appearance: Appearance) -> None:
    tone, unit = appearance.get_colour(TONES[verdict]), rect.width() / 10
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tone)
    if verdict is WordVerdict.INVALID:
        painter.drawRoundedRect(rect.adjusted(unit / 2, unit / 2, -unit / 2, -unit / 2), unit, unit)
    else:
        painter.drawEllipse(rect)
    pen = QPen(appearance.get_colour("surface"), unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in _STROKES[verdict]:
        painter.drawPolyline([rect.topLeft() + QPointF(x, y) * unit for x, y in line])


_STROKES: Mapping[WordVerdict, tuple[tuple[tuple[float, float], ...], ...]] = {
    WordVerdict.VALID: (((2.7, 5.3), (4.4, 7.0), (7.4, 3.4)),),
    WordVerdict.INVALID: (((3.2, 3.2), (6.8, 6.8)), ((6.8, 3.2), (3.2, 6.8))),
    WordVerdict.NOT_BINDING: (
        ((3.5, 4.0), (3.9, 3.0), (5.0, 2.5), (6.1, 3.0), (6.4, 4.0), (5.9, 4.9), (5.0, 5.4), (5.0, 6.1)),
        ((5.0, 7.7), (5.0, 7.75)),
    ),
}


_MARGIN = UNIT * 4
_COUNTDOWN_MAXIMUM = 1000
_FONT_DIVISORS = {"question": 15, "big": 6, "lines": 14, "note": 18}  # text height = view height / value


class JudgeView(QWidget):
    """The labels, words and verdict on the judge screen."""

    countdown_ended = Signal()  # the verdict's time has ended

    def __init__(self, appearance: Appearance, *, verdict_ms: int) -> None:
        super().__init__()
        self._appearance = appearance
        self._tone, self._size = "window", 0  # background; letter size of the lines
        self.setObjectName("face")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.name = LineEdit("")
        self.board = ChallengedWordsView(appearance)
        self.verdict_mark = VerdictMark(appearance)
        self.labels = {name: _make_label(name) for name in ("question", "big", "lines", "note", "warning")}
        self.corner_labels = {name: _make_label(name) for name in ("where", "who", "hint", "leave")}
        self.bar = QProgressBar(textVisible=False, maximum=_COUNTDOWN_MAXIMUM)
        self._countdown = QPropertyAnimation(self.bar, b"value", self)
        self._countdown.setDuration(verdict_ms)
        self._countdown.setStartValue(_COUNTDOWN_MAXIMUM)
        self._countdown.setEndValue(0)
        self._countdown.finished.connect(self.countdown_ended)
        self._build_layout()
        appearance.changed.connect(self._update_style_sheet)

    def show_view_state(self, state: JudgeViewState) -> None:
        for name, label in self.labels.items():
            value = getattr(state, name)
            fields.show_text(label, "\n".join(value) if isinstance(value, tuple) else value)
        self.board.show_words(state.words, has_cursor=state.is_typing, verdicts=state.word_verdicts)
        self.board.setVisible(bool(state.words))
        self.verdict_mark.show_verdict(state.verdict)
        self.verdict_mark.setVisible(state.verdict is not None)
        self.name.setVisible(state.asks_judge_name)
        self.corner_labels["hint"].setText(state.hint)
        tone = f"{TONES[state.verdict]}_soft" if state.verdict is not None else "window"
        if tone != self._tone or self._compute_font_size_of_lines_label() != self._size:
            self._tone = tone
            self._update_style_sheet()

    def start_countdown_to_clearing(self) -> None:
        self.bar.setValue(_COUNTDOWN_MAXIMUM)
        self.bar.show()
        self._countdown.start()

    def stop_countdown_to_clearing(self) -> None:
        self._countdown.stop()
        self.bar.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_style_sheet()

    def _build_layout(self) -> None:
        header = fields.make_row(self.corner_labels["where"], 1, self.corner_labels["who"])
        margins = (_MARGIN, UNIT * 3) * 2
        column = fields.make_column(header, 1, self.labels["question"], gap=UNIT * 2, margins=margins, parent=self)
        # The window must keep the size of the display.
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        column.addWidget(self.name, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.board, 4)
        column.addWidget(self.verdict_mark, 10)
        column.addWidget(self.labels["lines"], 0, Qt.AlignmentFlag.AlignHCenter)
        hint = self.corner_labels["hint"]
        footer = fields.make_row(hint, self.corner_labels["leave"], gap=UNIT * 4, wide=hint)
        lower_labels = [self.labels[name] for name in ("big", "note", "warning")]
        fields.add_parts_to_layout(column, *lower_labels, 1, self.bar, footer)
        self.bar.hide()

    def _compute_font_size_of_lines_label(self) -> int:
        size = max(min(self.height(), self.width() * 3 // 4) // _FONT_DIVISORS["lines"], SMALL)
        metrics, lines = QFontMetrics(make_unscaled_font(size)), self.labels["lines"].text().split("\n")
        available_width, longest = self.width() - 2 * _MARGIN - UNIT, max(map(metrics.horizontalAdvance, lines))
        return size if longest <= available_width else max(size * available_width // longest, SMALL)

    def _update_style_sheet(self) -> None:
        height = min(self.height(), self.width() * 3 // 4)
        tone = "text" if self._tone == "window" else self._tone.removesuffix("_soft")
        colours = self._appearance.colours
        self._size = self._compute_font_size_of_lines_label()
        self.name.setMinimumWidth(self.width() // 2)
        self.board.setMinimumHeight(height // 8)
        self.setStyleSheet(
            _STYLE_SHEET.substitute(
                ground=getattr(colours, self._tone),
                text=colours.text,
                muted=colours.muted if tone == "text" else colours.text,
                tone=getattr(colours, tone),
                amber=colours.amber,
                bar=getattr(colours, tone if tone != "text" else "accent"),
                groove=colours.surface,
                **{name: height // part for name, part in _FONT_DIVISORS.items()} | {"lines": self._size},
                hint=max(height // 32, SMALL),
                end=max(height // 42, SMALL),
                thick=max(height // 60, UNIT),
            )
        )


def _make_label(name: str) -> QLabel:
    label = fields.make_label(wrap=name not in {"where", "who", "leave", "lines"})
    label.setObjectName(name)
    if name in {"question", "big", "note", "warning"}:
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


_STYLE_SHEET = Template("""
QWidget#face { background: $ground; }
QLabel { color: $text; }
QLabel#question { font-size: ${question}px; font-weight: bold; }
QLabel#big { font-size: ${big}px; font-weight: bold; color: $tone; }
QLabel#lines { font-size: ${lines}px; }
QLabel#note { font-size: ${note}px; }
QLabel#warning { font-size: ${note}px; color: $amber; font-weight: bold; }
QLabel#hint { font-size: ${hint}px; }
QLabel#where, QLabel#who, QLabel#leave { font-size: ${end}px; color: $muted; }
QLineEdit { font-size: ${note}px; min-height: ${lines}px; }
QProgressBar { min-height: ${thick}px; max-height: ${thick}px; background: $groove; border-radius: 4px; }
QProgressBar::chunk { background: $bar; border-radius: 4px; }
""")
