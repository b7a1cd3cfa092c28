"""Labels: shortened, wrapped, or announced to screen readers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHideEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QTextDocument,
    QTextLayout,
)
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from tdapp.gui.widgets.access import ScreenReaderAnnouncer, strip_markup
from tdapp.gui.widgets.theme import SMALL, UNIT, make_scaled_font, scale_pixels

_LINES, _LARGE_LINES = 3, 2  # lines of a preview, fewer at the largest text size
_LARGE = 1.75  # factor of the usual text size
_NARROWEST = UNIT * 20  # minimum width in pixels of a wrapped text at the usual size


class ElidedLabel(QLabel):
    """A text cut off at its width. The tool tip shows the full text."""

    _full_text = ""

    def __init__(self, kind: str = "") -> None:
        super().__init__()
        self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(scale_pixels(UNIT * 8))

    def set_full_text(self, text: str) -> None:
        if text == self._full_text:
            return
        self._full_text = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._shorten_text_to_fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._full_text) + 2, super().sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._shorten_text_to_fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten_text_to_fit()

    def _shorten_text_to_fit(self) -> None:
        fitting = self.fontMetrics().elidedText(self._full_text, Qt.TextElideMode.ElideRight, self.width())
        if fitting != self.text():
            self.setText(fitting)


class Paragraph(QLabel):
    """A wrapped text. Caches its height, because layouts need it often."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText)
        self._heights: dict[int, int] = {}

    def setText(self, text: str) -> None:
        if text != self.text():
            self._heights.clear()
            super().setText(text)

    def clear(self) -> None:
        self.setText("")

    def changeEvent(self, event: QEvent) -> None:
        self._heights.clear()
        super().changeEvent(event)

    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = super().heightForWidth(width)
        return height


class AnnouncedParagraph(Paragraph):
    """A paragraph announced to screen readers when it changes or appears."""

    def __init__(self, text: str = "", *, urgent: bool = False) -> None:
        super().__init__()
        self._announcer = ScreenReaderAnnouncer(self)
        self._urgent = urgent
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._announcer.set_next_announcement(text, urgent=self._urgent)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._announcer.forget_last_announcement()


class WrappedCheckBox(QCheckBox):
    """A check box with wrapped text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(min(least.width(), scale_pixels(_NARROWEST)), least.height())

    def heightForWidth(self, width: int) -> int:
        extra_lines = len(self._wrap_text(width)) - 1
        return self.sizeHint().height() + extra_lines * self.fontMetrics().lineSpacing()

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = "\n".join(self._wrap_text(self.width()))
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_CheckBox, option)
        painter.end()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def _wrap_text(self, width: int) -> list[str]:
        box = self.sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())  # including the box
        layout = QTextLayout(self.text(), self.font())
        layout.beginLayout()
        lines = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width - box + 1, 0))  # text widths can have fractions of a pixel
            lines.append(self.text()[line.textStart() :][: line.textLength()].rstrip())
        layout.endLayout()
        return lines


class LinkLabel(QLabel):
    """A label with links: Tab selects a link, Enter opens it. Tab skips a label without links."""

    def setText(self, text: str) -> None:
        super().setText(text)
        links = Qt.TextInteractionFlag
        self.setTextInteractionFlags(links.LinksAccessibleByMouse | links.LinksAccessibleByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if "<a " in text else Qt.FocusPolicy.NoFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        keys = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason
        if event.reason() in keys and not self.hasSelectedText():
            self.focusNextPrevChild(event.reason() is keys[0])  # Qt selects a link at the next Tab only


class RichParagraph(LinkLabel, Paragraph):
    """A paragraph of rich text."""

    def changeEvent(self, event: QEvent) -> None:
        """Render again after a palette change: Qt caches link colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            text = self.text()
            self.clear()
            self.setText(text)


class AnnouncedRichParagraph(RichParagraph, AnnouncedParagraph):
    """A paragraph of rich text that screen readers announce."""


class TypedLinePreviewLabel(LinkLabel):
    """The preview of text in the jury field, always three lines high (two at the largest text size)."""

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.meaning, self.details, self._full_text = "", "", ""
        self._announcer = ScreenReaderAnnouncer(self)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        lines = _LARGE_LINES if scale_pixels(UNIT) >= _LARGE * UNIT else _LINES
        self.setFixedHeight(lines * QFontMetrics(make_scaled_font(SMALL)).lineSpacing() + UNIT // 4)

    def show_preview(self, meaning: str, details: str, *, colour: str) -> None:
        self.meaning, self.details = meaning, details
        self._full_text = f"<span style='color:{colour}'>{meaning or '&nbsp;'}</span><br>{details}"
        self._announcer.set_next_announcement(meaning)
        self._shorten_text_to_fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten_text_to_fit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._announcer.forget_last_announcement()

    def _shorten_text_to_fit(self) -> None:
        fitting = shorten_rich_text(self._full_text, self.font(), self.width(), self.height())
        is_cut = fitting != self._full_text
        self.setText(fitting)
        self.setToolTip(self._full_text if is_cut else "")
        self.setAccessibleName(strip_markup(self._full_text) if is_cut else "")


def shorten_rich_text(text: str, text_font: QFont, width: int, height: int) -> str:
    document = QTextDocument()
    document.setDefaultFont(text_font)
    document.setDocumentMargin(0)
    document.setHtml(text)
    document.setTextWidth(width)
    if document.size().height() <= height:
        return text
    half_line = QFontMetrics(text_font).lineSpacing() // 2
    last = document.documentLayout().hitTest(QPointF(width, height - half_line), Qt.HitTestAccuracy.FuzzyHit)
    cursor = QTextCursor(document)
    for end in range(last, 0, -1):
        cursor.setPosition(end)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("…")
        if document.size().height() <= height:
            break
    return document.toHtml()
