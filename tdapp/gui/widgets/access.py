"""Announcements and painted texts for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QTextDocument
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QWidget

SETTLED = 300  # ms without another change until what a line means is spoken


def announce_text(source: QWidget, text: str, *, urgent: bool = False) -> None:
    """Announce a plain or rich text to screen readers. An urgent text interrupts."""
    spoken = strip_markup(text)
    if not spoken:
        return
    event = QAccessibleAnnouncementEvent(source, spoken)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def strip_markup(text: str) -> str:
    if "<" in text or "&" in text:
        document = QTextDocument()
        document.setHtml(text)
        text = document.toPlainText()
    return " ".join(text.split())


class Announcer(QTimer):
    """Announces a text once, after a pause in typing."""

    def __init__(self, source: QWidget) -> None:
        super().__init__(source, singleShot=True, interval=SETTLED)
        self._source = source
        self._coming: tuple[str, ...] = ()
        self._urgent, self._spoken = False, ""
        self.timeout.connect(self._announce_pending)

    def announce_later(self, *texts: str, urgent: bool = False) -> None:
        """Announce the texts after a pause unless they repeat the last announcement.

        A later call replaces them.
        """
        self._coming, self._urgent = texts, urgent
        self.start()

    def forget_last_announcement(self) -> None:
        self.stop()
        self._spoken = ""

    def _announce_pending(self) -> None:
        said = ". ".join(filter(None, map(strip_markup, self._coming))).replace(".. ", ". ")
        if not self._source.isVisible():
            return
        if said not in {"", self._spoken}:
            announce_text(self._source, said, urgent=self._urgent)
        self._spoken = said


class ScreenReaderLabels:
    """Invisible labels with the texts of a painted widget, for screen readers."""

    def __init__(self, container: QWidget) -> None:
        self._whole = container
        self._labels: list[QLabel] = []

    def set_labels(self, texts_and_positions: Sequence[tuple[str, QRect]]) -> None:
        while len(self._labels) < len(texts_and_positions):
            whole = self._whole
            made = QLabel(whole.viewport() if isinstance(whole, QAbstractScrollArea) else whole)
            made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._labels.append(made)
        for made in self._labels[len(texts_and_positions) :]:
            made.hide()
        for made, (text, at) in zip(self._labels, texts_and_positions, strict=False):
            made.setAccessibleName(text)
            made.setGeometry(at)
            made.show()
