"""State machine tests that compare two desks with a simple model of rows and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId
from tdapp.domain.roles import Role
from tdapp.domain.tournament import KINDS, Row, Tournament, find_inconsistent_rows
from tdapp.pairing import propose_pairings
from tdapp.storage import Address, SnapshotFolder, SnapshotReason
from tdapp.storage.snapshots import restore_snapshot
from tests.building import DIVISION, get_last_round, make_event
from tests.storage.postgres import Cluster, clear_database

DESKS = st.integers(0, 1)
Rows = dict[tuple[str, str], Row]
Command = Callable[[Tournament], Tournament]


def map_rows(value: Tournament) -> Rows:
    return {(kind, key): row for kind in KINDS for key, row in value.rows(kind).items()}


def make_tournament(rows: Rows) -> Tournament:
    return Tournament().put(*rows.values())


@dataclass
class ModelStep:
    """A step of a station with the rows before and after it. `undoes` is the number of the undone step."""

    station: str
    label: str
    before: Rows
    after: Rows
    undoes: int | None = None

    def list_changed_keys(self) -> set[tuple[str, str]]:
        keys = self.before.keys() | self.after.keys()
        return {key for key in keys if self.before.get(key) != self.after.get(key)}


@dataclass
class DeskModel:
    """A model of the expected tournament. Step numbers start at 1."""

    rows: Rows
    steps: list[ModelStep] = field(default_factory=list)
    undoable: dict[str, list[int]] = field(default_factory=dict)
    redoable: dict[str, list[int]] = field(default_factory=dict)

    def record_step(self, station: str, label: str, after: Rows, undoes: int | None = None) -> None:
        self.steps.append(ModelStep(station, label, self.rows, after, undoes))
        self.rows = after
        seq = len(self.steps)
        undo, redo = self.undoable.setdefault(station, []), self.redoable.setdefault(station, [])
        if undoes is None:
            undo.append(seq)
            redo.clear()
        elif redo and redo[-1] == undoes:
            redo.pop()
            undo.append(seq)
        else:
            undo.pop()
            redo.append(seq)

    def do(self, station: str, label: str, command: Command, known_rows: Rows) -> str:
        """Run a command of a desk that last read `known_rows`. Return the error code, or "" after success."""
        for rows in (known_rows, self.rows):
            value = make_tournament(rows)
            try:
                after = map_rows(command(value))
            except UserError as error:
                return error.code
            if after == rows:
                return "nothing"
            if rows == self.rows:
                self.record_step(station, label, after)
                return ""
        raise AssertionError

    def revert_step(self, station: str, stack: dict[str, list[int]], empty_code: str) -> str:
        if not stack.get(station):
            return empty_code
        seq = stack[station][-1]
        step, after = self.steps[seq - 1], dict(self.rows)
        for key in step.list_changed_keys():
            if self.rows.get(key) != step.after.get(key):
                return "undo-changed-since"
            after.pop(key, None)
            if key in step.before:
                after[key] = step.before[key]
        if find_inconsistent_rows(make_tournament(after)):
            return "undo-needed-since"
        self.record_step(station, step.label, after, undoes=seq)
        return ""


class TwoDesks(RuleBasedStateMachine):
    """A state machine of random commands, undo, redo, restarts, reads and snapshots at two desks."""

    def __init__(self) -> None:
        super().__init__()
        self.temporary = TemporaryDirectory()
        self.folder, self.keys = Path(self.temporary.name), count(1)
        begin = make_event(5, rounds=3)
        self.locations = self.create_tournament(begin)
        self.model = DeskModel(map_rows(begin))
        self.desks = [Desk.open(location) for location in self.locations]
        self.known_counts = [0, 0]  # the number of known steps of each desk
        self.snapshots = SnapshotFolder(self.folder / "copies")
        self.copies: list[tuple[Rows, int]] = []

    def create_tournament(self, begin: Tournament) -> tuple[Path | Address, Path | Address]:
        """Create the tournament file. Return its location for each desk."""
        path = self.folder / "Open.tdapp"
        Desk.create(path, begin).close()
        return path, path

    def teardown(self) -> None:
        for desk in self.desks:
            assert desk.store.find_damage() == []
            desk.close()
        self.temporary.cleanup()

    def get_known_rows(self, index: int) -> Rows:
        known_count = self.known_counts[index]
        return self.model.steps[known_count].before if known_count < len(self.model.steps) else self.model.rows

    def run_command(self, index: int, label: str, command: Command) -> None:
        desk = self.desks[index]
        expected = self.model.do(desk.station, label, command, self.get_known_rows(index))
        code = self.get_refusal_code(lambda: desk.do(command, label=label) or None)
        assert code == expected
        if len(desk.list_all_steps()) == len(self.model.steps):  # the desk saved a step, or read all steps
            self.known_counts[index] = len(self.model.steps)

    @staticmethod
    def get_refusal_code(act: Callable[[], Any]) -> str:
        try:
            return "" if act() is not None else "nothing"
        except CommandError as error:
            return error.code

    def make_key(self) -> str:
        return f"k{next(self.keys)}"

    @rule(index=DESKS, name=st.sampled_from("abc"))
    def rename_event(self, index: int, name: str) -> None:
        self.run_command(index, "edit-event", partial(commands.edit_event, name=name))

    @rule(index=DESKS, name=st.sampled_from(["Åse", "Bo"]))
    def add_player(self, index: int, name: str) -> None:
        command = partial(commands.add_player, key=self.make_key(), division=DIVISION, name=name)
        self.run_command(index, "add-player", command)

    @rule(index=DESKS, number=st.integers(1, 5))
    def check_in(self, index: int, number: int) -> None:
        self.run_command(index, "check-in", partial(commands.check_in, players=(PlayerId(f"p{number}"),)))

    @rule(index=DESKS, number=st.integers(1, 5))
    def rename_player(self, index: int, number: int) -> None:
        player = PlayerId(f"p{number}")
        player_before = self.desks[index].tournament.players[player]
        name = f"{player_before.name}'"
        self.run_command(
            index, "edit-player", partial(commands.edit_player, player=player, name=name, seen=player_before)
        )

    @rule(index=DESKS)
    def pair_round(self, index: int) -> None:
        try:
            proposal = propose_pairings(self.desks[index].index, DIVISION)
        except CommandError:
            return
        self.run_command(index, "pair-round", partial(commands.pair_round, key=self.make_key(), proposal=proposal))

    @precondition(lambda self: any(desk.tournament.games for desk in self.desks))
    @rule(index=DESKS, game_number=st.integers(0, 5), first=st.integers(300, 303), has_seen_result=st.booleans())
    def enter_result(self, index: int, game_number: int, first: int, has_seen_result: bool) -> None:
        games = sorted(self.desks[index].tournament.games)
        if games:
            game = games[game_number % len(games)]
            result_before = (
                commands.ResultBeforeChange(self.desks[index].tournament.results.get(game))
                if has_seen_result
                else None
            )
            command = partial(commands.enter_result, game=game, first=first, second=301, seen=result_before)
            self.run_command(index, "enter-result", command)

    @precondition(lambda self: any(desk.tournament.rounds for desk in self.desks))
    @rule(index=DESKS)
    def discard_round(self, index: int) -> None:
        if self.desks[index].tournament.rounds:
            newest = get_last_round(self.desks[index].tournament).id
            command = partial(commands.discard_round, round=newest, reason="again", with_results=True)
            self.run_command(index, "discard-round", command)

    @rule(index=DESKS, number=st.integers(1, 5))
    def withdraw_or_return(self, index: int, number: int) -> None:
        player = PlayerId(f"p{number}")
        if TournamentIndex(self.desks[index].tournament).has_withdrawn(player):
            self.run_command(index, "return-player", partial(commands.return_player, player=player))
        else:
            self.run_command(
                index, "withdraw-player", partial(commands.withdraw_player, key=self.make_key(), player=player)
            )

    @rule(index=DESKS)
    def undo(self, index: int) -> None:
        desk = self.desks[index]
        expected = self.model.revert_step(desk.station, self.model.undoable, "nothing-to-undo")
        assert self.get_refusal_code(desk.undo) == expected
        self.known_counts[index] = len(self.model.steps)

    @rule(index=DESKS)
    def redo(self, index: int) -> None:
        desk = self.desks[index]
        expected = self.model.revert_step(desk.station, self.model.redoable, "nothing-to-redo")
        assert self.get_refusal_code(desk.redo) == expected
        self.known_counts[index] = len(self.model.steps)

    @rule(index=DESKS)
    def read_steps(self, index: int) -> None:
        self.desks[index].apply_changes_of_other_computers()
        self.known_counts[index] = len(self.model.steps)

    @rule(index=DESKS)
    def restart(self, index: int) -> None:
        self.desks[index].close()
        self.desks[index] = Desk.open(self.locations[index])
        self.known_counts[index] = len(self.model.steps)

    @rule(index=DESKS)
    def make_snapshot(self, index: int) -> None:
        assert (
            self.snapshots.make_snapshot_if_changed(
                self.desks[index].store, SnapshotReason.NAMED, f"{len(self.copies)}"
            )
            is not None
        )
        self.copies.append((self.model.rows, len(self.model.steps)))

    @precondition(lambda self: self.copies)
    @rule(copy_number=st.integers(0, 9))
    def restore_a_snapshot(self, copy_number: int) -> None:
        rows, steps = self.copies[copy_number % len(self.copies)]
        copy_name = str(copy_number % len(self.copies))
        (snapshot,) = (item for item in self.snapshots.list_snapshots_newest_first() if item.name == copy_name)
        target = self.folder / f"{self.make_key()}.tdapp"
        restore_snapshot(snapshot, target)
        with closing(Desk.open(target)) as desk:
            assert map_rows(desk.tournament) == rows
            assert len(desk.list_all_steps()) == steps

    @rule(index=DESKS, share=st.floats(0, 1))
    def rebuild_at_a_step(self, index: int, share: float) -> None:
        self.read_steps(index)
        seq = round(share * len(self.model.steps))
        expected_rows = self.model.steps[seq].before if seq < len(self.model.steps) else self.model.rows
        assert map_rows(self.desks[index].rebuild_tournament_at(seq)) == expected_rows

    @invariant()
    def desks_agree_with_the_model(self) -> None:
        for index, desk in enumerate(self.desks):
            assert map_rows(desk.tournament) == self.get_known_rows(index)
            known_steps = self.model.steps[: self.known_counts[index]]
            assert [(step.station, step.label, step.undoes) for step in desk.list_all_steps()] == [
                (step.station, step.label, step.undoes) for step in known_steps
            ]


@pytest.fixture
def server_machine(cluster: Cluster, database: Address) -> Iterator[type[TwoDesks]]:
    """Return the machine with two directors on a server. The second has its own login."""
    login = f"second_{database.stem}"

    class TwoServerDesks(TwoDesks):
        def create_tournament(self, begin: Tournament) -> tuple[Path | Address, Path | Address]:
            clear_database(database)
            with closing(Desk.create(database, begin)) as desk:
                desk.store.server.create_login_or_change_role(login, Role.DIRECTOR, "open")
            return database, cluster.make_address(database.stem, login, "open")

    yield TwoServerDesks
    clear_database(database)


def run_machine(machine: type[TwoDesks], examples: int, steps: int) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_desks_on_one_file_match_a_model() -> None:
    run_machine(TwoDesks, 8, 20)


@pytest.mark.timeout(600)
def test_desks_on_a_server_match_a_model(server_machine: type[TwoDesks]) -> None:
    run_machine(server_machine, 5, 20)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_desks_on_one_file_match_a_model_in_a_long_run() -> None:
    run_machine(TwoDesks, 200, 50)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_desks_on_a_server_match_a_model_in_a_long_run(server_machine: type[TwoDesks]) -> None:
    run_machine(server_machine, 100, 50)
