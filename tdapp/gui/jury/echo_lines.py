"""What a line of the jury's field means, in a place that is always as high: what is below it never moves."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QHideEvent, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QLabel, QSizePolicy

from tdapp.gui.widgets.access import Announcer, plain
from tdapp.gui.widgets.theme import SMALL, UNIT, font, scaled

_LINES, _LARGE_LINES = 3, 2  # the table needs its rows in the largest text
_LARGE = 1.75  # times the usual size of text


class EchoLines(QLabel):
    """Shows a rich text in three lines, in two where text is largest; the tool tip has what is longer.

    `said` is read out when it comes, `more` is what follows it on a line of its own.
    """

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.said, self.more, self._whole = "", "", ""
        self._announcer = Announcer(self)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        lines = _LARGE_LINES if scaled(UNIT) >= _LARGE * UNIT else _LINES
        self.setFixedHeight(lines * QFontMetrics(font(SMALL)).lineSpacing() + UNIT // 4)

    def say(self, said: str, more: str, *, colour: str) -> None:
        """Show and speak what a line means, in a colour, and what follows from it."""
        self.said, self.more = said, more
        self._whole = f"<span style='color:{colour}'>{said or '&nbsp;'}</span><br>{more}"
        self._announcer.say(said)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the text to the new width."""
        super().resizeEvent(event)
        self._fit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Let the same be spoken again when it is shown again."""
        super().hideEvent(event)
        self._announcer.forget()

    def _fit(self) -> None:
        fitting = shortened(self._whole, self.font(), self.width(), self.height())
        cut = fitting != self._whole
        self.setText(fitting)
        self.setToolTip(self._whole if cut else "")
        self.setAccessibleName(plain(self._whole) if cut else "")


def shortened(text: str, letters: QFont, width: int, height: int) -> str:
    """Return a rich text, or as much of it as fits, with dots behind it."""
    document = QTextDocument()
    document.setDefaultFont(letters)
    document.setDocumentMargin(0)
    document.setHtml(text)
    document.setTextWidth(width)
    if document.size().height() <= height:
        return text
    below = QFontMetrics(letters).lineSpacing() // 2
    last = document.documentLayout().hitTest(QPointF(width, height - below), Qt.HitTestAccuracy.FuzzyHit)
    cursor = QTextCursor(document)
    for end in range(last, 0, -1):
        cursor.setPosition(end)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("…")
        if document.size().height() <= height:
            break
    return document.toHtml()
