"""Translations of Qt's texts, from `qt.toml` for languages that Qt lacks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QObject, QTranslator


class _QtTranslator(QTranslator):
    def __init__(self, words: Mapping[str, str], parent: QObject) -> None:
        super().__init__(parent)
        self._words = words

    def isEmpty(self) -> bool:
        return False

    def translate(self, _context: str, source: str, _disambiguation: str | None = None, _n: int = -1) -> str:
        return self._words.get(source, source)


def translate_qt_texts(application: QCoreApplication, language: str, locale: Path) -> None:
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    own = locale / language / "qt.toml"
    if own.is_file():
        import tomllib  # noqa: PLC0415 - Qt itself speaks most languages

        application.installTranslator(_QtTranslator(tomllib.loads(own.read_text(encoding="utf-8")), application))
        return
    translator = QTranslator(application)
    if translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
