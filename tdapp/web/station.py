"""Where players' results are written: a station of its own beside the director's, which may enter results only."""

from __future__ import annotations

from functools import partial

from tdapp.desk import Desk
from tdapp.domain.commands import command_id
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Tournament

STATION = "room"  # signs these steps in the history


class RoomStation:
    """Writes beside `desk`, which then follows; to be used on that desk's thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._own: Desk | None = None

    def enter(self, command: partial[Tournament]) -> Tournament:
        """Run a command and return the tournament as it is then; raises as `Desk.do` does."""
        if self._own is None:
            self._own = Desk(self._desk.store, station=STATION)
            self._own.role = Role.ENTRY
        self._own.follow()  # a command is refused by what stands now, not by what stood before
        self._own.do(command_id(command.func), command)
        self._desk.follow()
        return self._desk.tournament
