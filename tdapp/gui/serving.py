"""The switch of the room's page: on while the director wants it, for the tournament that is open.

Hides the server's thread. It is shown every change; what players enter is written on the desk's own thread, by a
station of its own.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from tdapp.domain.errors import UserError
from tdapp.domain.tournament import Tournament
from tdapp.gui.core import Core

if TYPE_CHECKING:
    from tdapp.room.server import Room
    from tdapp.room.station import RoomStation


class Serving(QObject):
    """Whether the room reads the session's tournament, and where."""

    changed = Signal()  # it was switched on or off

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self._core = core
        self._room: Room | None = None
        core.opened.connect(self.stop)
        core.changed.connect(self._show)

    @property
    def url(self) -> str:
        """What to type in a browser, empty while it is off."""
        return self._room.url if self._room is not None else ""

    @property
    def port(self) -> int:
        """The port chosen last."""
        from tdapp.room.server import PORT  # noqa: PLC0415 - a window opens without the server

        return int(str(self._core.settings.value("room/port", PORT)))

    def start(self, host: str, port: int) -> None:
        """Switch it on; raise UserError where the address or the port cannot be had."""
        from tdapp.room.server import Room  # noqa: PLC0415
        from tdapp.room.station import RoomStation  # noqa: PLC0415

        self.stop()
        core = self._core
        write = None
        if not core.read_only:
            write = partial(self._write, RoomStation(core.desk))
        room = Room(core.tournament, core.resources, language=core.catalogue.language, write=write)
        room.start(host, port)
        self._room = room
        core.settings.setValue("room/port", port)
        core.settings.setValue("room/host", host)
        self.changed.emit()

    def stop(self) -> None:
        """Switch it off; nothing where it is off."""
        if self._room is not None:
            self._room.stop()
            self._room = None
            self.changed.emit()

    def _show(self, _diff: object) -> None:
        if self._room is not None and self._core.is_open:
            self._room.show(self._core.tournament)

    def _write(self, station: RoomStation, command: partial[Tournament]) -> Future[Tournament]:
        """Let the desk's thread run a command; called on the server's."""
        written: Future[Tournament] = Future()
        self._core.work.post(partial(self._in_order, station, command, written))
        return written

    def _in_order(self, station: RoomStation, command: partial[Tournament], written: Future[Tournament]) -> None:
        if self._room is None:  # switched off meanwhile
            written.set_exception(UserError("entry-closed"))
            return
        call = partial(station.enter, command)
        self._core.work.in_order(call, then=written.set_result, failed=written.set_exception)
