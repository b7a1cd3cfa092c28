"""Test that all texts of the window come from the catalogues and show no markup.

A test language puts marks around each translated text. Text without marks is not translated.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLabel, QLineEdit, QTabBar, QWidget

from tdapp.domain.translatable import CONTEXT
from tdapp.i18n.catalogue import LANGUAGE_NAMES, Catalogue
from tests.gallery.render import Setting, show_scenes
from tests.gallery.scenes import SCENES
from tests.gui import samples
from tests.gui.samples import RESOURCES

OPENING_MARK, CLOSING_MARK = "⟦", "⟧"
_INNERMOST_MARKED_TEXT = re.compile(f"{OPENING_MARK}[^{OPENING_MARK}{CLOSING_MARK}]*{CLOSING_MARK}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MARKUP = re.compile(r"</?(b|i|a|p|br|td|span)\b[^>]*>|&(lt|gt|amp|quot|nbsp|#x27);")
_DATE = re.compile(r"\d{1,2} [A-Z][a-z]{2,8} \d{4}")
_KEY_NAMES = {"Ctrl", "Shift", "Alt", "Ins", "Del", "Enter"}
# "Director" is the station's name. "Scroll", "Left" and "Right" are texts of Qt.
_UNTRANSLATED_WORDS = {"tdapp", "tmp", "EUR", "Director", "Scroll", "Left", "Right"}
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


class MarkedTranslations(gettext.NullTranslations):
    """Puts marks around every text of a catalogue."""

    def gettext(self, message: str) -> str:
        """Return the text in marks, after its context."""
        context, separator, text = message.rpartition(CONTEXT)
        return f"{context}{separator}{OPENING_MARK}{text}{CLOSING_MARK}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form for `n` in marks."""
        return f"{OPENING_MARK}{msgid1 if n == 1 else msgid2}{CLOSING_MARK}"


def remove_marked_texts(text: str) -> str:
    """Return the text outside all marks. Return an empty text if one mark of a pair is missing."""
    while (shorter_text := _INNERMOST_MARKED_TEXT.sub(" ", text)) != text:
        text = shorter_text
    return "" if OPENING_MARK in text or CLOSING_MARK in text else text


def list_widget_texts(widget: QWidget) -> Iterator[str]:
    """Yield the visible texts and the accessible texts of a widget."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, (QLabel, QAbstractButton, QLineEdit)):
        yield widget.text()
    if isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(tab) for tab in range(widget.count()))
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
        cells = (model.index(row, column) for row in range(min(model.rowCount(), 5)) for column in range(20))
        yield from (str(cell.data(role) or "") for cell in cells if cell.isValid() for role in _ROLES)


def list_words(value: object) -> set[str]:
    """Return the words of all texts in a value, such as names of players and clubs in a tournament."""
    if isinstance(value, str):
        return set(_WORD.findall(value))
    if isinstance(value, dict) or hasattr(value, "values"):
        return set().union(*(list_words(part) for part in value.values()))
    if isinstance(value, (tuple, list, frozenset)):
        return set().union(*(list_words(part) for part in value))
    if isinstance(value, msgspec.Struct):
        return set().union(*(list_words(getattr(value, name)) for name in value.__struct_fields__))
    return set()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("qapp")
def test_window_shows_only_texts_of_the_catalogues(monkeypatch: pytest.MonkeyPatch) -> None:
    original_init = Catalogue.__init__

    def mark_texts(self: Catalogue, *arguments: object, **options: object) -> None:
        original_init(self, *arguments, **options)  # type: ignore[arg-type]
        self._messages = MarkedTranslations()

    monkeypatch.setattr(Catalogue, "__init__", mark_texts)
    monkeypatch.setattr(samples, "load_catalogue", lambda language: Catalogue(language, RESOURCES / "locale"))
    problems: dict[str, str] = {}
    text_count = 0
    for window, scene, _ in show_scenes(
        Setting(), [scene for scene in SCENES if scene.name.startswith(("page-", "panel-"))]
    ):
        path = window.session.path
        known_words = (
            list_words(window.session.tournament) | list_words(str(path)) | _KEY_NAMES | _UNTRANSLATED_WORDS
        )
        known_words |= list_words(tuple(LANGUAGE_NAMES.values())) | {"practice"}  # a word list's name
        for widget in (child for child in window.findChildren(QWidget) if child.isVisible()):
            for text in list_widget_texts(widget):
                text_count += 1
                is_rich = isinstance(widget, QLabel) and widget.textFormat() is Qt.TextFormat.RichText
                visible_text = re.sub(r"<[^>]*>|&nbsp;", " ", text) if is_rich else _DATE.sub("", text)
                is_plain = not isinstance(widget, QLabel) or widget.textFormat() is Qt.TextFormat.PlainText
                if is_plain and text != widget.toolTip() and _MARKUP.search(text):
                    problems[f"{type(widget).__name__}: {text[:80]}"] = f"{scene.name}: markup shown as text"
                is_path_or_address = text.startswith(("/", "https://"))
                unknown_words = (
                    set()
                    if is_path_or_address
                    else set(_WORD.findall(remove_marked_texts(visible_text))) - known_words
                )
                if unknown_words:
                    problems[f"{type(widget).__name__}: {text[:80]}"] = (
                        f"{scene.name}: {', '.join(sorted(unknown_words))}"
                    )
    assert text_count > 1000
    assert problems == {}
