"""Where the drafts of sheets are kept: in the settings, so that they outlive the window."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSettings

from tdapp.domain import sheet_draft
from tdapp.domain.model import EventId, GameId
from tdapp.domain.sheet_draft import Draft, Key


class Drafts:
    """What is typed and not kept yet, by game and form; it outlives the window, and whatever happens to it."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings
        self._event = ""
        self._drafts: dict[Key, Draft] = {}

    def open(self, event: EventId) -> None:
        """Take up what was typed for a tournament."""
        self._event = f"jury/drafts/{event}"
        self._drafts = dict(sheet_draft.read(str(self._settings.value(self._event, "") or "")))

    def get(self, key: Key) -> Draft | None:
        """Return what is typed for a form, None if nothing is."""
        return self._drafts.get(key)

    def games(self) -> frozenset[GameId]:
        """Return the games for which something is typed."""
        return frozenset(game for game, _ in self._drafts)

    def put(self, key: Key, draft: Draft | None) -> None:
        """Keep what is typed for a form; None: nothing is, or no longer."""
        if draft is None:
            self._drafts.pop(key, None)
        else:
            self._drafts[key] = draft

    def rename(self, names: Mapping[str, str]) -> None:
        """Give players other names in all that is typed."""
        self._drafts = {key: draft.renamed(names) for key, draft in self._drafts.items()}

    def save(self) -> None:
        """Write everything to the settings."""
        if not self._event:
            return
        if self._drafts:
            self._settings.setValue(self._event, sheet_draft.written(self._drafts))
        else:
            self._settings.remove(self._event)
