"""Translations of Qt's texts. `qt.toml` has priority over Qt's own catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QObject, QTranslator


class _QtTranslator(QTranslator):
    """Searches `texts`, then Qt's catalogue. Returns the source text if neither has a translation."""

    def __init__(self, texts: Mapping[str, str], catalogue: QTranslator, parent: QObject) -> None:
        super().__init__(parent)
        self._texts, self._catalogue = texts, catalogue

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        return self._texts.get(source) or self._catalogue.translate(context, source, disambiguation, n) or source


def translate_qt_texts(application: QCoreApplication, language: str, locale: Path) -> None:
    for old_translator in application.findChildren(QTranslator):
        application.removeTranslator(old_translator)
        old_translator.deleteLater()
    translator = QTranslator(application)
    is_loaded = translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    path = locale / language / "qt.toml"
    if path.is_file():
        import tomllib  # noqa: PLC0415 - not every language has the file

        texts = tomllib.loads(path.read_text(encoding="utf-8"))
        application.installTranslator(_QtTranslator(texts, translator, application))
    elif is_loaded:
        application.installTranslator(translator)
