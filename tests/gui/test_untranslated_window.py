"""Every text of the pages comes from the catalogues, and markup is never shown as text.

The test language marks each text, so text without marks comes from no catalogue.
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
from tests.gallery.render import Setting, walk
from tests.gallery.scenes import SCENES
from tests.gui import samples
from tests.gui.samples import RESOURCES

OPENS, CLOSES = "⟦", "⟧"
_INNERMOST = re.compile(f"{OPENS}[^{OPENS}{CLOSES}]*{CLOSES}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MARKUP = re.compile(r"</?(b|i|a|p|br|td|span)\b[^>]*>|&(lt|gt|amp|quot|nbsp|#x27);")
_DATE = re.compile(r"\d{1,2} [A-Z][a-z]{2,8} \d{4}")
_KEYS = {"Ctrl", "Shift", "Alt", "Ins", "Del", "Enter"}
_OWN = {"tdapp", "tmp", "EUR", "Director", "Scroll", "Left", "Right"}  # the station's name; Qt's own
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


class Marked(gettext.NullTranslations):
    """Marks every text that goes through a catalogue."""

    def gettext(self, message: str) -> str:
        """Return the text in marks, behind its context."""
        context, sign, text = message.rpartition(CONTEXT)
        return f"{context}{sign}{OPENS}{text}{CLOSES}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form for `n` in marks."""
        return f"{OPENS}{msgid1 if n == 1 else msgid2}{CLOSES}"


def unmarked(text: str) -> str:
    """Return the text outside all marks, or an empty text if a mark is cut."""
    while (shorter := _INNERMOST.sub(" ", text)) != text:
        text = shorter
    return "" if OPENS in text or CLOSES in text else text


def texts(widget: QWidget) -> Iterator[str]:
    """Yield the texts that a widget shows or is announced with."""
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


def words_of(value: object) -> set[str]:
    """Return the words of all texts in a tournament: names of players, clubs, halls."""
    if isinstance(value, str):
        return set(_WORD.findall(value))
    if isinstance(value, dict) or hasattr(value, "values"):
        return set().union(*(words_of(one) for one in value.values()))
    if isinstance(value, (tuple, list, frozenset)):
        return set().union(*(words_of(one) for one in value))
    if isinstance(value, msgspec.Struct):
        return set().union(*(words_of(getattr(value, name)) for name in value.__struct_fields__))
    return set()


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
def test_window_texts_all_come_from_the_catalogues(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Catalogue.__init__

    def init(self: Catalogue, *given: object, **named: object) -> None:
        made(self, *given, **named)  # type: ignore[arg-type]
        self._messages = Marked()

    monkeypatch.setattr(Catalogue, "__init__", init)
    monkeypatch.setattr(samples, "load_catalogue", lambda language: Catalogue(language, RESOURCES / "locale"))
    found: dict[str, str] = {}
    seen = 0
    for window, scene, _ in walk(
        Setting(), [scene for scene in SCENES if scene.name.startswith(("page-", "panel-"))]
    ):
        path = window.session.path
        known = words_of(window.session.tournament) | words_of(str(path)) | _KEYS | _OWN
        known |= words_of(tuple(LANGUAGE_NAMES.values())) | {"practice"}  # a word list's name
        for widget in (one for one in window.findChildren(QWidget) if one.isVisible()):
            for text in texts(widget):
                seen += 1
                rich = isinstance(widget, QLabel) and widget.textFormat() is Qt.TextFormat.RichText
                shown = re.sub(r"<[^>]*>|&nbsp;", " ", text) if rich else _DATE.sub("", text)
                plain = not isinstance(widget, QLabel) or widget.textFormat() is Qt.TextFormat.PlainText
                if plain and text != widget.toolTip() and _MARKUP.search(text):
                    found[f"{type(widget).__name__}: {text[:80]}"] = f"{scene.name}: markup shown as text"
                path_or_address = text.startswith(("/", "https://"))
                left = set() if path_or_address else set(_WORD.findall(unmarked(shown))) - known
                if left:
                    found[f"{type(widget).__name__}: {text[:80]}"] = f"{scene.name}: {', '.join(sorted(left))}"
    assert seen > 1000
    assert found == {}
