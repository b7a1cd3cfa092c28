"""What Qt says by itself, in a field's menu, on standard buttons, when a file is chosen or printed.

Hides which languages Qt knows; for another one its words stand in `qt.toml` beside the program's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QObject, QTranslator


class _Words(QTranslator):
    """Words of our own for Qt's; what has none stays English."""

    def __init__(self, words: Mapping[str, str], parent: QObject) -> None:
        super().__init__(parent)
        self._words = words

    def isEmpty(self) -> bool:
        """Return False, which makes Qt ask."""
        return False

    def translate(self, _context: str, source: str, _disambiguation: str | None = None, _n: int = -1) -> str:
        """Return the words for what Qt would say in English."""
        return self._words.get(source, source)


def translate_qt(application: QCoreApplication, language: str, locale: Path) -> None:
    """Let Qt speak `language` from now on, and no longer the one before."""
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    own = locale / language / "qt.toml"
    if own.is_file():
        application.installTranslator(_Words(tomllib.loads(own.read_text(encoding="utf-8")), application))
        return
    translator = QTranslator(application)
    if translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
