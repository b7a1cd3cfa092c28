"""The open tournament (`Desk`), the selected division and round, and the word lists of the jury."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId, Round
from tdapp.domain.roles import Role, is_permitted
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Diff, Row, Tournament
from tdapp.services.command_queue import CommandQueue
from tdapp.storage.address import Address
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.library import WordListLibrary


class AnySignal(Protocol):
    """A signal. Functions can connect to it. In the window it is a Qt signal."""

    def emit(self, /, *values: object) -> None:
        """Call the connected functions."""


class OpenDesk:
    """The open tournament, or none, and the selected division and round.

    `selection_changed` is emitted after another division or round was selected.
    """

    selection_changed: AnySignal

    def __init__(self, *, library: WordListLibrary, queue: CommandQueue) -> None:
        self.library = library
        self.queue = queue
        self._desk: Desk | None = None
        self._division: DivisionId | None = None
        self._round: int | None = None
        self._word_lists: dict[str, Lexicon] = {}
        self._as_director = False  # set during `run_with_director_rights`

    @property
    def desk(self) -> Desk:
        """The `Desk` object of the open tournament. Raises RuntimeError if none is open."""
        if self._desk is None:
            raise RuntimeError("no tournament is open")
        return self._desk

    @property
    def is_open(self) -> bool:
        return self._desk is not None

    @property
    def tournament(self) -> Tournament:
        return self.desk.tournament

    @property
    def index(self) -> TournamentIndex:
        return self.desk.index

    @property
    def is_read_only_or_not_director(self) -> bool:
        """True if no tournament is open, if it is read-only, or if this is not the director's computer."""
        return self._desk is None or self._desk.store.read_only or not (self._as_director or self.is_director)

    @property
    def is_editable(self) -> bool:
        """Whether the tournament can be changed here: it is open, writable and not finished."""
        return not self.is_read_only_or_not_director and not self.tournament.event.finished

    @property
    def can_check_in_players(self) -> bool:
        """Whether players can be checked in at this computer. This requires only the role "entry"."""
        return self.can_run_commands("check-in") and not self.tournament.event.finished

    @property
    def is_director(self) -> bool:
        return self._desk is None or self._desk.role is Role.DIRECTOR

    def can_run_commands(self, *command_ids: str) -> bool:
        """Return whether this computer may run all commands with the given ids."""
        if self._desk is None or self._desk.store.read_only or self.queue.is_station_removed:
            return False
        return self._as_director or all(is_permitted(self._desk.role, command_id) for command_id in command_ids)

    def run_with_director_rights(self, action: Callable[[], bool]) -> bool:
        """Call `action` with the rights of the director's computer, and return its value."""
        self._as_director = True
        try:
            return action()
        finally:
            self._as_director = False

    @property
    def saved_at(self) -> str:
        """Time of the newest saved change, or ""."""
        steps = self._desk.list_all_steps() if self._desk is not None else ()
        return steps[-1].at if steps else ""

    @property
    def address(self) -> Address | None:
        return self._desk.store.address if self._desk is not None else None

    @property
    def path(self) -> Path | None:
        return self._desk.store.path if self._desk is not None else None

    @property
    def division(self) -> Division | None:
        desk = self._desk  # read often
        return desk.tournament.divisions.get(self._division) if desk is not None and self._division else None

    @property
    def round_number(self) -> int | None:
        return self._round

    @property
    def round(self) -> Round | None:
        division = self.division
        rounds = self.index.rounds(division.id) if division is not None else ()
        return next((item for item in rounds if item.number == self._round), None)

    def choose_division(self, division: DivisionId) -> None:
        self._division = division
        self._round = self._find_newest_round()
        self.selection_changed.emit()

    def choose_round(self, number: int | None) -> None:
        if number != self._round:
            self._round = number
            self.selection_changed.emit()

    @property
    def rules(self) -> RuleSet:
        return self.tournament.get_ruleset_of_row(self.division)

    @property
    def word_list_edition_id(self) -> str:
        """Id of the jury's word list, "" if none is chosen."""
        return self.tournament.get_wordlist_id_of_row(self.division)

    def open_word_list(self, row: Row | None = None) -> Lexicon | None:
        """Open the word list of the division of `row`, or of the selected division.

        Return None if no list is chosen or the list is not on this computer.
        """
        edition_id = self.tournament.get_wordlist_id_of_row(row or self.division)
        if edition_id and edition_id not in self._word_lists:
            try:
                self._word_lists[edition_id] = self.library.open_edition(edition_id)
            except StorageError:
                return None
        return self._word_lists.get(edition_id)

    def close_word_lists(self) -> None:
        """Close the word lists, so that their files can be deleted."""
        for lexicon in self._word_lists.values():
            lexicon.close()
        self._word_lists.clear()

    def _set_desk(self, desk: Desk | None) -> None:
        self.close_word_lists()
        self._desk, self._division, self._round = desk, None, None
        if desk is not None:
            self._update_selected_division_and_round(())

    def _update_selected_division_and_round(self, diff: Diff) -> None:
        if self.division is None:
            self._division = self.index.divisions[0].id if self.index.divisions else None
        if self.round is None or any(change.kind == "rounds" for change in diff):
            self._round = self._find_newest_round()

    def _find_newest_round(self) -> int | None:
        rounds = self.index.rounds(self._division) if self._division else ()
        return rounds[-1].number if rounds else None
