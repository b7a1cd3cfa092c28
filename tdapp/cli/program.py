"""What every verb needs: the resources, tournaments opened and closed again, and what its options mean."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Game, Player, Round
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnServers
from tdapp.storage import Address


class Program(Resources):
    """The program for one run of the command line."""

    def __init__(self, folder: Path, *, language: str, shared: Path | None = None) -> None:
        """Take the folder of the resources, and the one with the servers that the window has started here."""
        super().__init__(folder)
        self.catalogue = self.words(language)
        self._servers = OwnServers(shared) if shared is not None else None

    @property
    def certificates(self) -> Path:
        """The folder of the certificate with which the room's page is encrypted: that of the window's settings."""
        if self._servers is None:
            raise ValueError("where the window keeps its settings is not known")
        return self._servers.folder.parent

    @contextmanager
    def desk(self, file: Path | Address, *, read_only: bool = False) -> Iterator[Desk]:
        """Open the tournament at `file` for the length of a with block.

        Raises StorageError "file-shared" where a file is to be written whose tournament goes on on a server.
        """
        if not read_only:
            self.refuse_shared(file)
        desk = Desk.open(file, read_only=read_only)
        try:
            yield desk
        finally:
            desk.close()

    def refuse_shared(self, file: Path | Address) -> None:
        """Raise StorageError where a file's tournament is shared by the window: no station would see it."""
        if self._servers is not None and isinstance(file, Path):
            address = self._servers.shared_from(file)
            if address is not None:
                raise StorageError("file-shared", path=str(file), address=str(address))


def chosen_divisions(index: Index, options: Namespace) -> tuple[Division, ...]:
    """Return the division that is named, or all."""
    return index.divisions if options.division is None else (index.division(options.division),)


def division_after(index: Index, options: Namespace) -> Division:
    """Return the division, which has the round `after` where one is given."""
    division = index.division(options.division)
    if options.after:
        index.round(division.id, options.after)
    return division


def round_at(index: Index, options: Namespace) -> Round:
    """Return the round that is named, or the last published one."""
    division = index.division(options.division).id
    return index.round(division, index.latest(division, options.round) or 1)


def game_at(index: Index, options: Namespace) -> Game:
    """Return the game at a table of a round."""
    return index.game(round_at(index, options).id, options.table)


def player_numbered(index: Index, options: Namespace, number: int) -> Player:
    """Return the player with a number."""
    return index.player(index.division(options.division).id, number)
