"""An open tournament without a window: work is done at once, and all notifications are recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.command_queue import CommandQueue
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnServers
from tdapp.services.worker import Worker
from tdapp.storage import Store
from tdapp.storage.library import Library
from tests.building import RESOURCES


class Chosen(dict[str, object]):
    """Settings in memory."""

    def value(self, key: str, default: object = None, /) -> object:
        return self.get(key, default)

    def setValue(self, key: str, value: object, /) -> None:  # noqa: N802
        self[key] = value


class Heard:
    """The signals of a tournament in their order."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.said: list[str] = []
        self.paces: list[int] = []
        self.unsaved: list[StorageError] = []


class Noted:
    """A signal that is written down."""

    def __init__(self, note: Callable[..., None]) -> None:
        self.emit = note


class Office(OpenTournament):
    """An open tournament that notes its signals in `heard`."""

    def __init__(self, folder: Path, heard: Heard) -> None:
        for name in (
            "opened",
            "changed",
            "selection_changed",
            "erased",
            "open_failed",
            "moved_to_server",
            "login_failed",
            "succeeded",
        ):
            setattr(self, name, Noted(partial(self._note, name)))
        self.message_sent = Noted(lambda said, _undo, _tone: heard.said.append(said))
        self.heard, work, servers = heard, Worker(), OwnServers(folder / "shared")
        super().__init__(
            work=work,
            catalogue=Catalogue("en", RESOURCES / "locale"),
            resources=Resources(RESOURCES),
            settings=Chosen(),
            library=Library(folder / "lexicons"),
            servers=servers,
            queue=CommandQueue(
                work, servers.restart_if_stopped, on_unsaved=heard.unsaved.append, set_interval=heard.paces.append
            ),
        )

    def _note(self, name: str, *_values: object) -> None:
        self.heard.names.append(name)


def office(folder: Path, value: Tournament | Desk | None = None) -> tuple[OpenTournament, Heard]:
    """Return an open tournament and its notifications; settings, word lists and servers are in `folder`."""
    heard = Heard()
    made = Office(folder, heard)
    if value is not None:
        made.attach_desk(value if isinstance(value, Desk) else Desk(Store.create_in_memory(value)))
    return made, heard
