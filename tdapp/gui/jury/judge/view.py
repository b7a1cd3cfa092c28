"""What is to be seen of the judge screen: one large thing at a time, sized by the display it stands on.

Hides sizes, colours, and how long a verdict has still to stand.
"""

from __future__ import annotations

from string import Template

from PySide6.QtCore import QPropertyAnimation, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QProgressBar, QVBoxLayout, QWidget

from tdapp.gui.jury.judge.shapes import TONES, VerdictMark, WordsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.theme import SMALL, UNIT, Look
from tdapp.i18n.judge_screen import JudgeViewState

_FULL = 1000  # of the bar that runs down


class JudgeView(QWidget):
    """The labels and the board."""

    over = Signal()  # the verdict has stood its time

    def __init__(self, look: Look, *, lasts: int) -> None:
        """`lasts` ms the bar takes to run down."""
        super().__init__()
        self._look = look
        self._tone = "window"
        self.setObjectName("face")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.name = LineEdit("")
        self.board = WordsView(look)
        self.mark = VerdictMark(look)
        self.labels = {name: _label(name) for name in ("question", "big", "lines", "note", "warning")}
        self.ends = {name: _label(name) for name in ("where", "who", "hint", "leave")}
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _FULL)
        self._clock = QPropertyAnimation(self.bar, b"value", self)
        self._clock.setDuration(lasts)
        self._clock.setStartValue(_FULL)
        self._clock.setEndValue(0)
        self._clock.finished.connect(self.over)
        self._build()
        look.changed.connect(self._dress)

    def show_sight(self, sight: JudgeViewState) -> None:
        """Show another picture."""
        for name, label in self.labels.items():
            text = getattr(sight, name)
            said = "\n".join(text) if isinstance(text, tuple) else text
            label.setText(said)
            label.setVisible(bool(said))
        self.board.show_words(sight.words, typing=sight.typed, marks=sight.marks)
        self.board.setVisible(bool(sight.words))
        self.mark.show_verdict(sight.verdict)
        self.mark.setVisible(sight.verdict is not None)
        self.name.setVisible(sight.naming)
        self.ends["hint"].setText(sight.hint)
        tone = f"{TONES[sight.verdict]}_soft" if sight.verdict is not None else "window"
        if tone != self._tone:
            self._tone = tone
            self._dress()

    def show_ends(self, *, where: str, who: str, leave: str) -> None:
        """Show what stands small at the edges."""
        for name, text in (("where", where), ("who", who), ("leave", leave)):
            self.ends[name].setText(text)

    def run_down(self) -> None:
        """Show the bar, and let it run down."""
        self.bar.setValue(_FULL)
        self.bar.show()
        self._clock.start()

    def stop(self) -> None:
        """Take the bar away."""
        self._clock.stop()
        self.bar.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the sizes in proportion to the display."""
        super().resizeEvent(event)
        self._dress()

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # a display does not grow
        whole.setContentsMargins(UNIT * 4, UNIT * 3, UNIT * 4, UNIT * 3)
        whole.setSpacing(UNIT * 2)
        whole.addLayout(fields.row(self.ends["where"], 1, self.ends["who"]))
        whole.addStretch(1)
        whole.addWidget(self.labels["question"])
        whole.addWidget(self.name, 0, Qt.AlignmentFlag.AlignHCenter)
        whole.addWidget(self.board, 4)
        whole.addWidget(self.mark, 10)
        whole.addWidget(self.labels["lines"], 0, Qt.AlignmentFlag.AlignHCenter)
        for name in ("big", "note", "warning"):
            whole.addWidget(self.labels[name])
        whole.addStretch(1)
        whole.addWidget(self.bar)
        foot = fields.row(self.ends["hint"], self.ends["leave"], gap=UNIT * 4)
        foot.setStretch(0, 1)
        whole.addLayout(foot)
        self.bar.hide()

    def _dress(self) -> None:
        """Give everything its size and its colour."""
        height = min(self.height(), self.width() * 3 // 4)
        tone = self._tone.removesuffix("_soft") if self._tone.endswith("_soft") else "text"
        colours = self._look.colours
        self.name.setMinimumWidth(self.width() // 2)
        self.board.setMinimumHeight(height // 8)
        self.setStyleSheet(
            _SHEET.substitute(
                ground=getattr(colours, self._tone),
                text=colours.text,
                muted=colours.muted if tone == "text" else colours.text,
                tone=getattr(colours, tone),
                amber=colours.amber,
                bar=getattr(colours, tone if tone != "text" else "accent"),
                groove=colours.surface,
                question=height // 15,
                big=height // 6,
                lines=height // 14,
                note=height // 18,
                hint=max(height // 32, SMALL),
                end=max(height // 42, SMALL),
                thick=max(height // 60, UNIT),
            )
        )


def _label(name: str) -> QLabel:
    made = fields.label(wrap=name not in {"where", "who", "leave", "lines"})
    made.setObjectName(name)
    if name in {"question", "big", "note", "warning"}:
        made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made


_SHEET = Template("""
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
