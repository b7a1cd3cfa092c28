"""Names proposed while one is typed, from the rating lists of this computer.

Hides when the lists are read: once, when the first letter is typed, and again after they have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from tdapp.domain.entries import PlayerEntry
from tdapp.exchange.rating_lists import RatingLibrary, RatingList, lookup
from tdapp.gui.shell.session import Session

_MOST = 8  # names shown at once
Found = tuple[PlayerEntry, RatingList]


def library(session: Session) -> RatingLibrary:
    """Return where this computer keeps its rating lists: beside the word lists."""
    return RatingLibrary(session.library.folder.parent / "ratings")


class NameLookup(QObject):
    """Proposes names below a field; `take` is called with the player that was chosen."""

    def __init__(
        self, session: Session, field: QLineEdit, take: Callable[[PlayerEntry, RatingList], None]
    ) -> None:
        super().__init__(field)
        self._session = session
        self._take = take
        self._known: Mapping[str, Found] | None = None
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setMaxVisibleItems(_MOST)
        self._completer.activated.connect(self._chosen)
        field.setCompleter(self._completer)
        field.textEdited.connect(self._typed)

    def forget(self) -> None:
        """Read the lists anew at the next letter."""
        self._known = None

    def choosing(self) -> bool:
        """Tell whether a proposed name is marked: an Enter takes it over and means nothing else."""
        popup = self._completer.popup()
        return popup is not None and popup.isVisible() and popup.currentIndex().isValid()

    def _typed(self, _text: str) -> None:
        if self._known is None:
            lists = (kept.list for kept in library(self._session).lists())
            self._known = lookup(one for one in lists if one is not None)
            self._names.setStringList(sorted(self._known, key=self._session.catalogue.sort_key))

    def _chosen(self, name: str) -> None:
        found = (self._known or {}).get(name)
        if found is not None:
            self._take(*found)
