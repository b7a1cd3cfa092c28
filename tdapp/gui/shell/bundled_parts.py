"""What the window needs of Qt and of the resources, and which of it a bundle may have left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QLibraryInfo
from PySide6.QtGui import QFontInfo, QFontMetrics, QImageReader
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgRenderer

from tdapp.gui.shell.networks import networks
from tdapp.gui.widgets.theme import FAMILY, font

FORMATS = ("svg", "png", "jpeg", "ico")
LETTERS = "aÉøßŵỹ½−–’×"
WORDS_OF_QT = ("nl", "de")  # of our languages, those that Qt speaks itself


def missing(resources: Path) -> list[str]:
    """Return what is not there; the application must have been made, with its fonts."""
    networks()  # raises where Qt's part for networks is not there
    QPrinter().supportedResolutions()  # likewise for printers
    return [*_fonts(), *_pictures(resources / "icons"), *_words()]


def _fonts() -> Iterator[str]:
    ours = font(16)
    if QFontInfo(ours).family() != FAMILY:
        yield f"the font {FAMILY}"
    metrics = QFontMetrics(ours)
    yield from (f"the letter {letter}" for letter in LETTERS if not metrics.inFontUcs4(ord(letter)))


def _pictures(icons: Path) -> Iterator[str]:
    known = {bytes(one.data()).decode() for one in QImageReader.supportedImageFormats()}
    yield from (f"pictures of the kind {one}" for one in FORMATS if one not in known)
    found = sorted(icons.glob("*.svg"))
    if not found:
        yield "icons"
    yield from (path.name for path in found if not QSvgRenderer(str(path)).isValid())


def _words() -> Iterator[str]:
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    yield from (f"Qt's words in {one}" for one in WORDS_OF_QT if not (folder / f"qtbase_{one}.qm").is_file())
