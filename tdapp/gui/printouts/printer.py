"""Draws PDF pages as pictures and thumbnails, and converts logos to pictures."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Lock

from msgspec import Struct
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from tdapp import reports
from tdapp.domain.errors import InputError
from tdapp.gui.shell.session import Session, SessionService, make_callback_unless_deleted
from tdapp.gui.widgets.dialog import ask_file_to_write
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.reports.logo import LOGO_PIXELS, convert_logo_to_base64
from tdapp.reports.style import LARGE_SUFFIX

POINTS = 72  # points per inch
LARGEST_SVG = 2_000_000  # bytes
_FORBIDDEN_CHARACTERS = re.compile(r'[\\/:*?"<>|]')  # in file names on Windows
# Elements that could read other files, grow without limit or run code. A logo does not need them.
_UNSAFE_SVG = re.compile(
    rb"<!ENTITY|<!DOCTYPE[^>]*\[|<script|<foreignObject|<image|<use|(?:href|src)\s*=\s*[\"'][^#\"']", re.I
)


class PdfPagePicture(Struct, frozen=True):
    """A drawn page of a PDF file."""

    pixels: bytes  # four bytes for each pixel: blue, green, red, unused
    width: int
    height: int
    stride: int  # bytes in a row of pixels
    page_count: int  # of the file
    page_size: tuple[float, float]  # width and height in points


class PdfPageRenderer(SessionService):
    """Draws PDF pages. A session has one instance, because the library PDFium is not thread-safe."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._lock = Lock()

    def draw_page(self, pdf: bytes, page: int, scale: float) -> PdfPagePicture:
        """Draw a page, counted from 0. `scale` is in pixels per point. Thread-safe."""
        import pypdfium2  # noqa: PLC0415 - imports NumPy: slow

        with self._lock:
            document = pypdfium2.PdfDocument(pdf)
            try:
                sheet = document[page]
                bitmap = sheet.render(scale=scale, rev_byteorder=False, prefer_bgrx=True)
                pixels, size = bytes(bitmap.buffer), sheet.get_size()
                return PdfPagePicture(pixels, bitmap.width, bitmap.height, bitmap.stride, len(document), size)
            finally:
                document.close()

    def extract_pages(self, pdf: bytes, pages: Sequence[int]) -> bytes:
        """Return a PDF of some pages, counted from 0. Thread-safe."""
        import pypdfium2  # noqa: PLC0415 - as above

        with self._lock:
            document, extract = pypdfium2.PdfDocument(pdf), pypdfium2.PdfDocument.new()
            try:
                extract.import_pages(document, list(pages))
                buffer = io.BytesIO()
                extract.save(buffer)
                return buffer.getvalue()
            finally:
                extract.close()
                document.close()


def make_image(picture: PdfPagePicture) -> QImage:
    image = QImage(picture.pixels, picture.width, picture.height, picture.stride, QImage.Format.Format_RGB32)
    return image.copy()  # a copy, because the bytes are freed


def ask_pdf_file(parent: QWidget, session: Session, stem: str) -> Path | None:
    """Ask for a new PDF file. Return None after Cancel. Propose the name `stem` in the tournament's folder."""
    text = session.catalogue.text
    folder = session.path.parent if session.path else Path(session.recent.propose_save_folder())
    proposed_path = folder / f"{_FORBIDDEN_CHARACTERS.sub('-', stem)}.pdf"
    return ask_file_to_write(parent, text("Save as PDF"), proposed_path, text("PDF (*.pdf)"))


def list_paper_size_ids_and_names(session: Session) -> list[tuple[str, str]]:
    text = session.catalogue.text
    sizes = [("a4", "A4"), ("letter", text("US Letter")), ("a3", "A3")]
    large_sizes = [(f"{size}{LARGE_SUFFIX}", text("{paper}, large type", paper=name)) for size, name in sizes]
    return sizes + large_sizes


def list_report_ids_and_titles(session: Session) -> list[tuple[str, str]]:
    return [(key, session.catalogue.text(report.untranslated_title)) for key, report in reports.REPORTS.items()]


_BATCH_SIZE = 8  # pages drawn before they are shown
_THUMBNAIL_SIZE = QSize(UNIT * 11, UNIT * 11)


class PageThumbnails(QListWidget):
    """Small pictures of the pages, hidden for a single page."""

    page_requested = Signal(int)  # a page, from 0

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._drawer = PdfPageRenderer.get_or_make_service(session)
        self._pdf = b""
        self.setAccessibleName(session.catalogue.text("Pages"))
        self.setIconSize(_THUMBNAIL_SIZE)
        self.setFixedWidth(scale_pixels(UNIT * 17))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the dialog's keys turn pages
        self.setSpacing(2)
        self.currentRowChanged.connect(self._request_page_of_row)
        self.hide()

    def clear_document(self) -> None:
        self._pdf = b""
        self.hide()
        self.clear()

    def show_document(self, pdf: bytes, page_count: int) -> None:
        if pdf == self._pdf:
            return
        self.clear_document()
        self._pdf = pdf
        if page_count > 1:
            self.addItems([str(number) for number in range(1, page_count + 1)])
            self.show()
            self._draw_page_batch(0)

    def select_page(self, page: int) -> None:
        with QSignalBlocker(self):
            self.setCurrentRow(page)
        item = self.item(page)
        if item is not None:
            self.scrollToItem(item)

    def _request_page_of_row(self, row: int) -> None:
        if row >= 0:
            self.page_requested.emit(row)

    def _draw_page_batch(self, first: int) -> None:
        pages = range(first, min(first + _BATCH_SIZE, self.count()))
        if pages:
            call = partial(
                _draw_thumbnails,
                self._drawer,
                self._pdf,
                pages,
                _THUMBNAIL_SIZE.height() * self.devicePixelRatioF(),
            )
            self._session.work.run_in_background_without_label(
                call,
                on_success=make_callback_unless_deleted(self, partial(self._set_page_icons, self._pdf, pages)),
            )

    def _set_page_icons(self, pdf: bytes, pages: range, pictures: list[PdfPagePicture]) -> None:
        if pdf != self._pdf:
            return
        for page, picture in zip(pages, pictures, strict=True):
            item: QListWidgetItem | None = self.item(page)
            if item is not None:
                item.setIcon(QIcon(QPixmap.fromImage(make_image(picture))))
        self._draw_page_batch(pages.stop)


def _draw_thumbnails(drawer: PdfPageRenderer, pdf: bytes, pages: range, side: float) -> list[PdfPagePicture]:
    width, height = drawer.draw_page(pdf, pages.start, 0.05).page_size
    scale = side / max(width, height)
    return [drawer.draw_page(pdf, page, scale) for page in pages]


def convert_logo_or_svg_to_base64(content: bytes, name: str) -> str:
    """Convert the content of a picture file to text for `commands.set_logo`. Raises InputError if invalid."""
    if name.lower().endswith(".svg"):
        content = _convert_svg_to_png(content, name)
    return convert_logo_to_base64(content, name)


def _convert_svg_to_png(content: bytes, name: str) -> bytes:
    if len(content) > LARGEST_SVG:
        raise InputError("logo-too-large", source=name, size=len(content), largest=LARGEST_SVG)
    if _UNSAFE_SVG.search(content) or b"<svg" not in content:
        raise InputError("logo-unreadable", name=name)
    renderer = QSvgRenderer(QByteArray(content))
    size = renderer.defaultSize()
    if not renderer.isValid() or size.isEmpty():
        raise InputError("logo-unreadable", name=name)
    size.scale(LOGO_PIXELS, LOGO_PIXELS, Qt.AspectRatioMode.KeepAspectRatio)
    picture = QImage(size.expandedTo(size.__class__(1, 1)), QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload] # Qt takes a device here
    return bytes(buffer.data().data())
