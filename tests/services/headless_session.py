"""An open tournament without a window. It does its work at once and records all notifications."""

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
from tdapp.services.servers import OwnDatabaseServers
from tdapp.services.worker import Worker
from tdapp.storage import Store
from tdapp.storage.library import WordListLibrary
from tests.building import RESOURCES


class SettingsInMemory(dict[str, object]):
    def value(self, key: str, default: object = None, /) -> object:
        return self.get(key, default)

    def setValue(self, key: str, value: object, /) -> None:  # noqa: N802
        self[key] = value


class Notifications:
    """The recorded signals of a tournament, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.messages: list[str] = []
        self.poll_intervals: list[int] = []
        self.unsaved: list[StorageError] = []


class RecordedSignal:
    """A replacement of a Qt signal that calls a function."""

    def __init__(self, record: Callable[..., None]) -> None:
        self.emit = record


class HeadlessSession(OpenTournament):
    """An open tournament that records its signals in `notifications`."""

    def __init__(self, folder: Path, notifications: Notifications) -> None:
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
            setattr(self, name, RecordedSignal(partial(self._record_signal, name)))
        self.message_sent = RecordedSignal(lambda sentence, _undo, _tone: notifications.messages.append(sentence))
        self.notifications, work, servers = notifications, Worker(), OwnDatabaseServers(folder / "shared")
        super().__init__(
            work=work,
            catalogue=Catalogue("en", RESOURCES / "locale"),
            resources=Resources(RESOURCES),
            settings=SettingsInMemory(),
            library=WordListLibrary(folder / "lexicons"),
            servers=servers,
            queue=CommandQueue(
                work,
                servers.restart_own_server_if_stopped,
                on_unsaved=notifications.unsaved.append,
                set_interval=notifications.poll_intervals.append,
            ),
        )

    def _record_signal(self, name: str, *_values: object) -> None:
        self.notifications.names.append(name)


def make_session(folder: Path, value: Tournament | Desk | None = None) -> tuple[OpenTournament, Notifications]:
    """Return an open tournament and its notifications; settings, word lists and servers are in `folder`."""
    notifications = Notifications()
    session = HeadlessSession(folder, notifications)
    if value is not None:
        session.open_tournament_of_desk(value if isinstance(value, Desk) else Desk(Store.create_in_memory(value)))
    return session, notifications
