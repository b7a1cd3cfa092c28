"""The About dialog, with a self-test for missing parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from PySide6.QtCore import QLibraryInfo, Qt
from PySide6.QtGui import QFontInfo, QFontMetrics, QGuiApplication, QImageReader
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tdapp import __version__
from tdapp.domain.errors import UserError
from tdapp.gui.shell.networks import list_networks
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import FAMILY, UNIT, make_scaled_font, scale_pixels
from tdapp.services.worker import get_user_error_or_raise
from tdapp.versions import BundledSoftware, find_homepage, list_bundled_software, map_software_versions
from tdapp.versions import find_homepage as own_home

PATIENCE = 10.0  # seconds
_RELEASE = re.compile(r"/v?(\d+(?:\.\d+)+)/?$")


def fetch_newest_version(home: str = "") -> str:
    """Return the newest version of the program. The page `home`/releases/latest redirects to it.

    Raises UserError if no home is set, the server does not answer, or the redirect names no version.
    """
    home = home or own_home()
    if not home.startswith("https://") or home.endswith(".invalid"):
        raise UserError("newest-no-home")
    try:
        with urlopen(f"{home}/releases/latest", timeout=PATIENCE) as answer:  # noqa: S310 - it is https
            match = _RELEASE.search(answer.url)
    except (URLError, OSError) as error:
        raise UserError("newest-no-answer", home=home) from error
    if match is None:
        raise UserError("newest-no-version", home=home)
    return match[1]


def is_newer_version(version: str, than: str = __version__) -> bool:
    """Compare versions: 1.10 is newer than 1.9.3."""
    return [*map(int, version.split("."))] > [*map(int, than.split("."))]


FORMATS = ("svg", "png", "jpeg", "ico")
LETTERS = "aÉøßŵỹ½−–’×"
WORDS_OF_QT = ("nl", "de")  # languages with their own Qt translations


def list_missing_resources(resources: Path) -> list[str]:
    """Return the missing fonts, icons and texts of the installation. Call it after loading the fonts."""
    list_networks()  # raises if Qt's network module is missing
    QPrinter().supportedResolutions()  # raises if Qt's print module is missing
    return [*_list_missing_fonts(), *_list_missing_icons(resources / "icons"), *_list_missing_qt_translations()]


def _list_missing_fonts() -> Iterator[str]:
    font = make_scaled_font(16)
    if QFontInfo(font).family() != FAMILY:
        yield f"the font {FAMILY}"
    metrics = QFontMetrics(font)
    yield from (f"the letter {letter}" for letter in LETTERS if not metrics.inFontUcs4(ord(letter)))


def _list_missing_icons(icons: Path) -> Iterator[str]:
    formats = {bytes(image_format.data()).decode() for image_format in QImageReader.supportedImageFormats()}
    yield from (f"pictures of the kind {image_format}" for image_format in FORMATS if image_format not in formats)
    icon_files = sorted(icons.glob("*.svg"))
    if not icon_files:
        yield "icons"
    yield from (path.name for path in icon_files if not QSvgRenderer(str(path)).isValid())


def _list_missing_qt_translations() -> Iterator[str]:
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    yield from (
        f"Qt's words in {language}" for language in WORDS_OF_QT if not (folder / f"qtbase_{language}.qm").is_file()
    )


class AboutDialog(Dialog):
    """Shows the versions, and the bundled software with its licences."""

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("About tdapp"), parent=parent, size=(110, 76))
        versions = map_software_versions()
        self.versions = "\n".join(f"{name} {version}" for name, version in versions.items())
        self.body.addWidget(fields.make_label(f"tdapp {versions['tdapp']}"))
        other_versions = " · ".join(f"{name} {version}" for name, version in versions.items() if name != "tdapp")
        self.body.addWidget(fields.make_note_label(other_versions))
        self.buttons.insertWidget(0, fields.make_button(text("Copy the versions"), self.copy_versions))
        licence = text("MIT licence: see the file LICENSE next to the program.")
        self._parts: list[BundledSoftware] = []
        self.body.addWidget(fields.make_label(text("Bundled software and its licences"), "lead"))
        self.list = TextListWidget(text("Bundled software"))
        self.list.setFixedWidth(scale_pixels(UNIT * 42))
        self.licence = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.licence.setAccessibleName(text("Licence"))
        self.list.currentRowChanged.connect(self._show_licence)
        self.body.addLayout(fields.make_row(self.list, self.licence, wide=self.licence), 1)
        self._add_software_to_list([BundledSoftware("tdapp", versions["tdapp"], "MIT", licence)])
        self.list.setCurrentRow(0)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        read = partial(list_bundled_software, session.resources.folder)  # reads the licence texts of every package
        session.run_in_background(
            read, on_success=make_callback_unless_deleted(self, self._add_software_to_list), label=""
        )

    def copy_versions(self) -> None:
        QGuiApplication.clipboard().setText(self.versions)

    def _add_software_to_list(self, software: Sequence[BundledSoftware]) -> None:
        self._parts += software
        for part in software:
            self.list.addItem(" ".join(filter(None, (part.name, part.version, f"({part.licence})"))))

    def _show_licence(self, row: int) -> None:
        self.licence.setPlainText(self._parts[row].licence_text)


class NewVersionDialog(Dialog):
    """Asks the program's server for the newest version."""

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Check for a newer version"), parent=parent)
        self.answer = fields.make_label(text("Checking for a newer version…"), wrap=True)
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.body.addWidget(self.answer)
        session.work.run_in_background(
            fetch_newest_version,
            on_success=make_callback_unless_deleted(self, self._show_newest_version),
            on_error=make_callback_unless_deleted(self, self._show_version_check_error),
            label="",
        )

    def _show_newest_version(self, version: str) -> None:
        text = self.session.catalogue.text
        newer = text("Version {version} is available. You have {own}. Download: {home}",
                     version=version, own=__version__, home=f"{find_homepage()}/releases/latest")  # fmt: skip
        up_to_date = text("You have the latest version, {own}.", own=__version__)
        self.answer.setText(newer if is_newer_version(version) else up_to_date)

    def _show_version_check_error(self, error: Exception) -> None:
        self.answer.setText(self.session.catalogue.describe_error(get_user_error_or_raise(error)))
