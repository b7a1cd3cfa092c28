"""What every verb needs: the resources, tournaments opened and closed again, and what its options mean."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Game, Player, Round
from tdapp.i18n.locales import folded
from tdapp.services.resources import Resources
from tdapp.storage.address import Address

if TYPE_CHECKING:
    from tdapp.desk import Desk
    from tdapp.services.servers import OwnServers
    from tdapp.storage.library import Library


class Program(Resources):
    """The program for one run of the command line."""

    def __init__(self, folder: Path, *, language: str, shared: Path | None = None) -> None:
        """Take the folder of the resources, and the one with the servers that the window has started here."""
        super().__init__(folder)
        self.catalogue = self.words(language)
        self._shared = shared or folder / "shared"

    @cached_property
    def servers(self) -> OwnServers:
        """The servers that the window has started here."""
        from tdapp.services.servers import OwnServers

        return OwnServers(self._shared)

    @property
    def certificates(self) -> Path:
        """The folder of the certificate with which the room's page is encrypted: that of the window's settings."""
        return self._shared.parent

    @property
    def library(self) -> Library:
        """The word lists of this computer, which the window has too."""
        from tdapp.storage.library import Library

        return Library(self._shared.parent / "lexicons")

    @contextmanager
    def desk(self, file: Path | Address, *, read_only: bool = False) -> Iterator[Desk]:
        """Open the tournament at `file` for the length of a with block.

        Raises StorageError where it is to be written, and goes on elsewhere.
        """
        from tdapp.desk import Desk

        desk = Desk.open(file, read_only=read_only)
        try:
            if not read_only:
                desk.store.refuse_elsewhere()
            yield desk
        finally:
            desk.close()


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


def find_player(index: Index, options: Namespace, sought: str) -> Player:
    """Return the player of a division with a number, or the only one with a part of the name."""
    if sought.isdecimal():
        return player_numbered(index, options, int(sought))
    division = index.division(options.division).id
    words = folded(sought).replace(",", " ").split()
    found = [one for one in index.players(division) if all(word in folded(one.name) for word in words)]
    if len(found) != 1:
        names = [f"{one.number} {one.name}" for one in found[:_MOST_NAMES]]
        raise RuleViolation("several-players-named" if found else "no-player-named", name=sought, players=names)
    return found[0]


_MOST_NAMES = 5


def player_numbered(index: Index, options: Namespace, number: int) -> Player:
    """Return the player with a number."""
    return index.player(index.division(options.division).id, number)
