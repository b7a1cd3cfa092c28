"""Code shared by all verbs: resources, access to tournaments, and search for rounds, games and players."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, Game, Player, Round, Seat
from tdapp.i18n.locales import fold_text
from tdapp.services.resources import Resources
from tdapp.storage.address import Address

if TYPE_CHECKING:
    from tdapp.desk import Desk
    from tdapp.services.servers import OwnDatabaseServers
    from tdapp.storage.library import WordListLibrary


LOCK_TIMEOUT = 60.0  # seconds to wait while other processes write to a file


class Program(Resources):
    """One run of the command line, with its resources and language."""

    def __init__(self, folder: Path, *, language: str, servers_folder: Path | None = None) -> None:
        super().__init__(folder)
        self.catalogue = self.load_catalogue(language)
        self._servers_folder = servers_folder or folder / "shared"

    @cached_property
    def servers(self) -> OwnDatabaseServers:
        from tdapp.services.servers import OwnDatabaseServers

        return OwnDatabaseServers(self._servers_folder)

    @property
    def certificate_folder(self) -> Path:
        return self._servers_folder.parent

    @property
    def library(self) -> WordListLibrary:
        from tdapp.storage.library import WordListLibrary

        return WordListLibrary(self._servers_folder.parent / "lexicons")

    @contextmanager
    def open_desk(self, file: Path | Address, *, read_only: bool = False) -> Iterator[Desk]:
        """Open a tournament for a `with` block.

        Unless `read_only`, raises StorageError if the tournament was moved to or from a server.
        """
        from tdapp.desk import Desk

        timeout = LOCK_TIMEOUT if isinstance(file, Path) else 5.0
        desk = Desk.open(file, read_only=read_only, timeout=timeout)
        try:
            if not read_only:
                desk.store.refuse_moved_tournament()
            yield desk
        finally:
            desk.close()


def list_chosen_divisions(index: TournamentIndex, options: Namespace) -> tuple[Division, ...]:
    return index.divisions if options.division is None else (index.get_division(options.division),)


def find_chosen_division(index: TournamentIndex, options: Namespace) -> Division:
    """Return the division that the options name. Raises CommandError if it lacks the round `--after`."""
    division = index.get_division(options.division)
    if options.after:
        index.get_round(division.id, options.after)
    return division


def find_chosen_round(index: TournamentIndex, options: Namespace) -> Round:
    division = index.get_division(options.division).id
    return index.get_round(division, index.get_last_published_round_number(division, options.round) or 1)


def find_chosen_game(index: TournamentIndex, options: Namespace) -> Game:
    return index.get_game(find_chosen_round(index, options).id, options.table)


def list_group_table_seats(index: TournamentIndex, options: Namespace) -> tuple[Seat, ...]:
    return tuple(seat for seat in index.seats(find_chosen_round(index, options).id) if seat.table == options.table)


def find_player_by_number_or_name(
    index: TournamentIndex, division_code: str | None, number_or_name: str
) -> Player:
    """Find a player by number or by words of the name. Raises CommandError unless exactly one player matches."""
    division = index.get_division(division_code).id
    if number_or_name.isdecimal():
        return index.get_player(division, int(number_or_name))
    words = fold_text(number_or_name).replace(",", " ").split()
    players = [
        player for player in index.players(division) if all(word in fold_text(player.name) for word in words)
    ]
    if len(players) != 1:
        names = [f"{player.number} {player.name}" for player in players[:_MOST_NAMES]]
        raise CommandError(
            "several-players-named" if players else "no-player-named", name=number_or_name, players=names
        )
    return players[0]


_MOST_NAMES = 5
