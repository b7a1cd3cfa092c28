"""What the window remembers from one time to the next: its place, each tournament's page, the columns' widths.

Hides how it is written in the user's settings, and that what is written there may be from another version, another
computer or somebody's hand: whatever cannot be read is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from tdapp.domain.model import EventId
from tdapp.gui.view import TableView

MOST = 30  # tournaments of which the place is remembered
_WIDEST = 2000  # pixels of a column


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a tournament was left: the page, the division and the round, each empty where there was none."""

    place: str = ""
    division: str = ""
    round: int = 0


class Memory:
    """Keeps and recalls, in the user's settings."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def geometry(self) -> QByteArray:
        """Return where the window was, empty where that is not known."""
        found = self._settings.value("geometry")
        return found if isinstance(found, QByteArray) else QByteArray()

    def keep_geometry(self, geometry: QByteArray) -> None:
        """Remember where the window is."""
        self._settings.setValue("geometry", geometry)

    def stand(self, event: EventId) -> Stand:
        """Return where a tournament was left."""
        return self._stands().get(event, Stand())

    def keep_stand(self, event: EventId, stand: Stand) -> None:
        """Remember where a tournament is; the one left longest ago is forgotten where there are too many."""
        others = {key: one for key, one in self._stands().items() if key != event}
        newest = dict([(event, stand), *others.items()][:MOST])
        told = json.dumps({key: asdict(one) for key, one in newest.items()})
        self._settings.setValue("stands", told)

    def widen(self, page: str, whole: QWidget) -> None:
        """Give the tables on a page the widths that the user gave their columns."""
        for key, view in self._tables(page, whole):
            found = _mapping(str(self._settings.value(key, "")))
            view.set_dragged({name: px for name, px in found.items() if type(px) is int and 0 < px < _WIDEST})

    def keep_widths(self, page: str, whole: QWidget) -> None:
        """Remember the widths that the user gave the columns on a page."""
        for key, view in self._tables(page, whole):
            if view.dragged:
                self._settings.setValue(key, json.dumps(dict(view.dragged)))
            else:
                self._settings.remove(key)

    def _tables(self, page: str, whole: QWidget) -> list[tuple[str, TableView]]:
        return [(f"widths/{page}-{place}", view) for place, view in enumerate(whole.findChildren(TableView))]

    def _stands(self) -> dict[str, Stand]:
        found = _mapping(str(self._settings.value("stands", "")))
        return {key: _stand(one) for key, one in found.items() if isinstance(one, dict)}


def _stand(plain: Mapping[str, object]) -> Stand:
    """Return what is written of a tournament, as far as it is what it should be."""
    kinds = {one.name: type(one.default) for one in fields(Stand)}
    sound = {name: value for name, value in plain.items() if type(value) is kinds.get(name)}
    return Stand(**sound)  # type: ignore[arg-type] # each is of its field's type


def _mapping(text: str) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
