"""The pages of a document as small pictures one below the other, drawn a few at a time in the background."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from tdapp.gui.printouts.printer import PagePicture, PageRenderer, image
from tdapp.gui.shell.later import if_there
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.theme import UNIT

_BATCH = 8  # pages drawn before they are shown
_SIZE = QSize(UNIT * 11, UNIT * 11)


class Thumbnails(QListWidget):
    """A click on a page shows it; not seen where there is one page only."""

    wanted = Signal(int)  # a page, from 0

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._drawer = PageRenderer.of(session)
        self._pdf = b""
        self.setAccessibleName(session.catalogue.text("Pages"))
        self.setIconSize(_SIZE)
        self.setFixedWidth(UNIT * 17)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys turn pages already
        self.setSpacing(2)
        self.currentRowChanged.connect(self._choose)
        self.hide()

    def forget(self) -> None:
        """Show nothing: another document is being made."""
        self._pdf = b""
        self.hide()
        self.clear()

    def show_document(self, pdf: bytes, pages: int) -> None:
        """Show the pages of a document, unless they are shown."""
        if pdf == self._pdf:
            return
        self.forget()
        self._pdf = pdf
        if pages > 1:
            self.addItems([str(number) for number in range(1, pages + 1)])
            self.show()
            self._draw(0)

    def mark(self, page: int) -> None:
        """Show which page is the one that is seen large."""
        with QSignalBlocker(self):
            self.setCurrentRow(page)
        item = self.item(page)
        if item is not None:
            self.scrollToItem(item)

    def _choose(self, row: int) -> None:
        if row >= 0:
            self.wanted.emit(row)

    def _draw(self, first: int) -> None:
        """Draw the pages from `first` on, as long as the document is the same."""
        pages = range(first, min(first + _BATCH, self.count()))
        if pages:
            call = partial(_drawn, self._drawer, self._pdf, pages, _SIZE.height() * self.devicePixelRatioF())
            then = if_there(self, partial(self._take, self._pdf, pages))
            self._session.work.aside(call, then=then)

    def _take(self, pdf: bytes, pages: range, found: list[PagePicture]) -> None:
        if pdf != self._pdf:
            return
        for page, picture in zip(pages, found, strict=True):
            item: QListWidgetItem | None = self.item(page)
            if item is not None:
                item.setIcon(QIcon(QPixmap.fromImage(image(picture))))
        self._draw(pages.stop)


def _drawn(drawer: PageRenderer, pdf: bytes, pages: range, side: float) -> list[PagePicture]:
    width, height = drawer.draw(pdf, pages.start, 0.05).size
    scale = side / max(width, height)
    return [drawer.draw(pdf, page, scale) for page in pages]
