"""An open tournament without a window: work is done at once, and all notifications are recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.command_queue import QueueCallbacks
from tdapp.services.open_tournament import OpenTournament, TournamentCallbacks
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnServers
from tdapp.services.worker import Worker, ignore
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
    """Notifications to the owner of a tournament, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.said: list[str] = []
        self.paces: list[int] = []
        self.unsaved: list[StorageError] = []

    def name(self, name: str) -> Callable[..., None]:
        return lambda *_values: self.names.append(name)

    def callbacks(self) -> TournamentCallbacks:
        queue = QueueCallbacks(self.name("queue"), self.unsaved.append, self.paces.append, ignore)
        names = ("opened", "changed", "chosen", "erased", "unopened", "unjoined", "succeeded")
        named = {name: self.name(name) for name in names}
        return TournamentCallbacks(**named, message=lambda said, _undo, _tone: self.said.append(said), queue=queue)


def office(folder: Path, value: Tournament | Desk | None = None) -> tuple[OpenTournament, Heard]:
    """Return an open tournament and its notifications; settings, word lists and servers are in `folder`."""
    heard = Heard()
    made = OpenTournament(
        work=Worker(),
        catalogue=Catalogue("en", RESOURCES / "locale"),
        resources=Resources(RESOURCES),
        settings=Chosen(),
        library=Library(folder / "lexicons"),
        servers=OwnServers(folder / "shared"),
        on=heard.callbacks(),
    )
    if value is not None:
        made.attach(value if isinstance(value, Desk) else Desk(Store.memory(value)))
    return made, heard
