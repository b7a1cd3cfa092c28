"""Announcements for screen readers, and access to texts that a widget paints itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QTextDocument
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QWidget

ANNOUNCEMENT_DELAY = 300  # ms without another change before a text is spoken


def announce_text(source: QWidget, text: str, *, urgent: bool = False) -> None:
    """Announce a plain or rich text to screen readers. An urgent text interrupts speech."""
    plain_text = strip_markup(text)
    if not plain_text:
        return
    event = QAccessibleAnnouncementEvent(source, plain_text)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def strip_markup(text: str) -> str:
    if "<" in text or "&" in text:
        document = QTextDocument()
        document.setHtml(text)
        text = document.toPlainText()
    return " ".join(text.split())


class ScreenReaderAnnouncer(QTimer):
    """Announces a text once, after a pause in typing."""

    def __init__(self, source: QWidget) -> None:
        super().__init__(source, singleShot=True, interval=ANNOUNCEMENT_DELAY)
        self._source = source
        self._pending_texts: tuple[str, ...] = ()
        self._urgent, self._last_announcement = False, ""
        self.timeout.connect(self._announce_pending_texts)

    def set_next_announcement(self, *texts: str, urgent: bool = False) -> None:
        """Announce the texts after a pause unless they repeat the last announcement.

        A later call replaces waiting texts.
        """
        self._pending_texts, self._urgent = texts, urgent
        self.start()

    def forget_last_announcement(self) -> None:
        self.stop()
        self._last_announcement = ""

    def _announce_pending_texts(self) -> None:
        announcement = ". ".join(filter(None, map(strip_markup, self._pending_texts))).replace(".. ", ". ")
        if not self._source.isVisible():
            return
        if announcement not in {"", self._last_announcement}:
            announce_text(self._source, announcement, urgent=self._urgent)
        self._last_announcement = announcement


class ScreenReaderLabels:
    """Invisible labels with the texts of a painted widget, for screen readers."""

    def __init__(self, container: QWidget) -> None:
        self._container = container
        self._labels: list[QLabel] = []

    def set_labels(self, texts_and_positions: Sequence[tuple[str, QRect]]) -> None:
        while len(self._labels) < len(texts_and_positions):
            container = self._container
            text_label = QLabel(container.viewport() if isinstance(container, QAbstractScrollArea) else container)
            text_label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._labels.append(text_label)
        for text_label in self._labels[len(texts_and_positions) :]:
            text_label.hide()
        for text_label, (text, area) in zip(self._labels, texts_and_positions, strict=False):
            text_label.setAccessibleName(text)
            text_label.setGeometry(area)
            text_label.show()
