"""Tests of the desk: saved changes, notifications, undo, redo, and two desks on one file."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import closing
from functools import partial
from os import truncate
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, StorageError, UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import DIVISION_CODE, remove_facts_added_by_desk
from tdapp.domain.model import DivisionId, GameSide
from tdapp.domain.tables.history import find_step_that_checked_result, make_history_table
from tdapp.domain.tournament import KINDS, Diff, Tournament, find_inconsistent_rows
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tdapp.storage import Address
from tdapp.storage.file import FileStorage
from tdapp.storage.store import Store
from tests.building import (
    DIVISION,
    RESOURCES,
    get_game_at,
    get_last_round,
    get_player,
    make_desk,
    make_event,
    pair_next,
    pair_rounds,
)
from tests.storage.samples import open_raw_connection


def are_equal(tournament: Tournament, other_tournament: Tournament) -> bool:
    return all(tournament.rows(kind) == other_tournament.rows(kind) for kind in KINDS)


def rename_event(desk: Desk, name: str) -> Diff:
    return desk.do(partial(commands.edit_event, name=name))


def test_find_check_step_skips_an_undone_check() -> None:
    desk = make_desk(pair_rounds(make_event(4)))
    game = get_game_at(desk.tournament, 1)
    desk.do(partial(commands.check_result, game=game.id, author="Ann"))
    step = find_step_that_checked_result(desk.index, game, desk.list_all_steps())
    assert step is not None
    assert step.facts["author"] == "Ann"
    desk.undo()
    desk.do(partial(commands.check_results, games=(game.id,), author="Bo"))
    assert find_step_that_checked_result(desk.index, game, desk.list_all_steps()) is None


def test_desk_notifies_listeners_after_saving() -> None:
    desk = make_desk()
    notifications: list[tuple[str, Diff]] = []
    desk.add_listener(lambda changes: notifications.append((desk.tournament.event.name, changes)))
    changes = rename_event(desk, "Open Leiden")
    assert notifications == [("Open Leiden", changes)]
    assert [step.label for step in desk.list_all_steps()] == ["edit-event"]
    assert remove_facts_added_by_desk(desk.list_all_steps()[0].facts) == {"name": "Open Leiden"}


def test_desk_step_names_its_division() -> None:
    desk = make_desk(pair_rounds(make_event(4), results=False))
    game = get_game_at(desk.tournament, 1).id
    desk.do(partial(commands.enter_result, game=game, first=400, second=300))
    desk.do(partial(commands.add_division, key="e", code="B"))
    desk.do(partial(commands.clear_result, game=game))
    desk.undo()
    desk.do(partial(commands.add_player, key="n", division=DivisionId("e"), name="New, Ann"))
    rename_event(desk, "Elsewhere")
    assert [step.facts.get(DIVISION_CODE) for step in desk.list_all_steps()] == [None, "B", "A", "A", "B", None]
    text = Catalogue("en", RESOURCES / "locale").describe_step(
        desk.list_all_steps()[2].label, desk.list_all_steps()[2].facts
    )
    assert text.endswith(" · Division A")


def test_desk_do_without_changes_adds_no_step() -> None:
    desk = make_desk()
    assert rename_event(desk, "Test") == ()
    assert desk.list_all_steps() == ()


def test_desk_do_leaves_the_tournament_after_a_refusal() -> None:
    desk = make_desk()
    before = desk.tournament
    with pytest.raises(CommandError):
        rename_event(desk, " ")
    assert desk.tournament is before
    assert desk.list_all_steps() == ()


def test_undo_and_redo_follow_the_history() -> None:
    desk = make_desk()
    values = [desk.tournament]
    for name in "abc":
        rename_event(desk, name)
        values.append(desk.tournament)
    for value in reversed(values[:-1]):
        desk.undo()
        assert are_equal(desk.tournament, value)
    with pytest.raises(CommandError, match="nothing-to-undo"):
        desk.undo()
    for value in values[1:3]:
        desk.redo()
        assert are_equal(desk.tournament, value)
    desk.undo()
    rename_event(desk, "d")
    assert desk.redoable_step is None
    with pytest.raises(CommandError, match="nothing-to-redo"):
        desk.redo()
    desk.undo()
    assert desk.tournament.event.name == "a"


def test_undo_and_redo_work_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(4))
    pair_next(desk)
    game = get_game_at(desk.tournament, 1)
    desk.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    tournament = desk.tournament
    desk.undo()
    desk.close()
    desk = Desk.open(file)
    assert desk.redoable_step is not None
    assert desk.redoable_step.label == "enter-result"
    desk.redo()
    assert are_equal(desk.tournament, tournament)
    desk.close()
    desk = Desk.open(file)
    desk.undo()
    desk.undo()
    assert are_equal(desk.tournament, make_event(4))
    desk.close()


def test_desk_do_runs_on_the_changes_of_another_station(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk = Desk.create(file, make_event(4))
    second_desk = Desk.open(file, station="second")
    rename_event(first_desk, "first")
    second_desk.do(partial(commands.check_in, players=(get_player(make_event(4), 1).id,)))
    assert second_desk.tournament.event.name == "first"
    assert get_player(second_desk.tournament, 1).checked_in
    first_desk.close()
    second_desk.close()


def test_desk_do_notifies_about_other_changes_after_a_refusal(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk = Desk.create(file, make_event(4))
    pair_next(first_desk)
    second_desk = Desk.open(file, station="second")
    game = get_game_at(first_desk.tournament, 1).id
    first_desk.do(partial(commands.enter_result, game=game, first=400, second=300))
    notified_diffs: list[Diff] = []
    second_desk.add_listener(notified_diffs.append)
    command = partial(commands.enter_result, game=game, first=1, second=2, seen=commands.ResultBeforeChange(None))
    with pytest.raises(CommandError, match="changed-meanwhile"):
        second_desk.do(command, label="enter-result")
    assert [change.kind for changes in notified_diffs for change in changes] == ["results"]
    assert second_desk.tournament.results[game].first == 400
    first_desk.close()
    second_desk.close()


def test_undo_names_the_station_that_changed_the_rows(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk = Desk.create(file, make_event(4), station="one")
    rename_event(first_desk, "first")
    second_desk = Desk.open(file, station="two")
    rename_event(second_desk, "second")
    with pytest.raises(CommandError) as error_info:
        first_desk.undo()
    assert error_info.value.code == "undo-changed-since"
    assert error_info.value.facts["who"] == "two"
    assert error_info.value.facts["label"] == "edit-event"
    assert first_desk.tournament.event.name == "second"
    first_desk.close()
    second_desk.close()


def test_undo_refuses_rows_needed_by_a_later_step(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk = Desk.create(file, make_event(3), station="one")
    first_desk.do(partial(commands.add_player, key="late", division=DIVISION, name="Late"))
    second_desk = Desk.open(file, station="two")
    pair_next(second_desk)
    with pytest.raises(CommandError) as error_info:
        first_desk.undo()
    assert error_info.value.code == "undo-needed-since"
    assert error_info.value.facts["label"] == "pair-round"
    first_desk.close()
    second_desk.close()


def test_undo_names_the_player_with_the_restored_value(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk = Desk.create(file, make_event(4), station="one")
    first = get_player(make_event(4), 1).id
    first_desk.do(partial(commands.edit_player, player=first, number=9))
    second_desk = Desk.open(file, station="two")
    second_desk.do(partial(commands.add_player, key="x", division=DIVISION, name="New", number=1))
    with pytest.raises(CommandError) as error_info:
        first_desk.undo()
    assert (error_info.value.code, error_info.value.facts["who"]) == ("undo-needed-since", "two")
    first_desk.close()
    second_desk.close()


def test_undo_is_repeated_after_a_step_of_another_station(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk = Desk.create(file, make_event(4), station="one")
    rename_event(first_desk, "first")
    second_desk = Desk.open(file, station="two")

    def check_in(number: int) -> None:
        second_desk.do(partial(commands.check_in, players=(get_player(make_event(4), number).id,)))

    numbers = iter([2])

    def check_in_at_the_second_desk(_changes: Diff) -> None:
        for number in numbers:
            check_in(number)

    first_desk.add_listener(check_in_at_the_second_desk)
    check_in(1)
    first_desk.undo()
    assert first_desk.tournament.event.name == "Test"
    assert [step.label for step in first_desk.list_all_steps()] == [
        "edit-event",
        "check-in",
        "check-in",
        "edit-event",
    ]
    first_desk.close()
    second_desk.close()


def test_desk_opens_while_another_desk_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Open.tdapp"
    Store.create(path, make_event(4)).close()
    with closing(Store.open(path)) as store, closing(Store.open(path)) as other_store:
        other_desk, load = Desk(other_store), store.load_tournament_and_revision

        def load_before_the_other_desk_saves() -> tuple[Tournament, int]:
            loaded = load()
            rename_event(other_desk, "Saved in between")
            return loaded

        monkeypatch.setattr(store, "load_tournament_and_revision", load_before_the_other_desk_saves)
        desk = Desk(store)
        monkeypatch.undo()
        assert desk.list_all_steps() == ()
        desk.do(partial(commands.edit_event, place="Leiden"))
        assert (desk.tournament.event.name, desk.tournament.event.place) == ("Saved in between", "Leiden")
        assert [step.seq for step in desk.list_all_steps()] == [1, 2]


def test_desk_names_no_author_for_the_initial_state() -> None:
    desk = make_desk(pair_rounds(make_event(4)))
    rename_event(desk, "later")
    game = get_game_at(desk.tournament, 1).id
    command = partial(commands.enter_result, game=game, first=1, second=2, seen=commands.ResultBeforeChange(None))
    with pytest.raises(CommandError) as error_info:
        desk.do(command, label="enter-result")
    assert (error_info.value.code, error_info.value.facts["who"]) == ("changed-meanwhile", "")


def test_remove_listener_ends_notifications() -> None:
    desk = make_desk()
    notified_diffs: list[Diff] = []
    listener = notified_diffs.append
    desk.add_listener(listener)
    desk.remove_listener(listener)
    rename_event(desk, "b")
    assert notified_diffs == []


def test_desk_names_the_author_of_a_result_changed_meanwhile() -> None:
    desk = make_desk(make_event(4))
    pair_next(desk)
    game = get_game_at(desk.tournament, 1).id
    desk.do(partial(commands.enter_result, game=game, first=400, second=300))
    command = partial(commands.enter_result, game=game, first=1, second=2, seen=commands.ResultBeforeChange(None))
    with pytest.raises(CommandError) as error_info:
        desk.do(command, label="enter-result")
    assert (error_info.value.code, error_info.value.facts["who"]) == ("changed-meanwhile", "director")


def test_desk_facts_name_players_and_tables_instead_of_ids() -> None:
    desk = make_desk(make_event(4))
    pair_next(desk)
    game = get_game_at(desk.tournament, 2)
    desk.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    facts = desk.list_all_steps()[-1].facts
    assert (facts["table"], facts["round"], facts["first"]) == (2, 1, 400)
    assert facts["first_name"] == desk.tournament.players[game.first].name
    assert game.id not in facts.values()


def test_describe_step_shows_a_correction_and_a_cancelled_check_in() -> None:
    desk, texts = make_desk(make_event(4)), Catalogue("en", RESOURCES / "locale")
    pair_next(desk)
    game, player_name = get_game_at(desk.tournament, 2), get_player(desk.tournament, 1)
    for first in (41, 412):
        desk.do(partial(commands.enter_result, game=game.id, first=first, second=388))
    for present in (True, False):
        desk.do(partial(commands.check_in, players=(player_name.id,), present=present))
    assert [texts.describe_step(step.label, step.facts) for step in desk.list_all_steps()[-4:]] == [
        "Result of table 2 entered", "Round 1, table 2: result changed, 41–388 → 412–388",
        "Checked in: P1", "Not here: P1",
    ]  # fmt: skip


def test_describe_history_step_names_score_players_round_and_lost_time() -> None:
    desk, texts = make_desk(make_event(4)), Catalogue("en", RESOURCES / "locale")
    pair_next(desk)
    game = get_game_at(desk.tournament, 2)
    for flag in (None, GameSide.FIRST):
        desk.do(partial(commands.enter_result, game=game.id, first=412, second=388, flag=flag))
    players = " – ".join(desk.tournament.players[player_id].name for player_id in (game.first, game.second))
    correction, first = (
        texts.describe_history_step(row) for row in make_history_table(desk.list_all_steps()).rows[:2]
    )
    assert first == f"Result of table 2 entered · 412–388 · Round 1 · {players}"
    assert correction == f"Round 1, table 2: result changed, 412–388 → 412 time–388 · {players}"


def test_get_cached_keeps_a_value_until_the_tournament_changes() -> None:
    desk = make_desk()
    assert desk.index is desk.index
    before = desk.index
    rename_event(desk, "other")
    assert desk.index is not before


@pytest.mark.slow
def test_get_cached_keeps_only_the_current_tournament_alive() -> None:
    desk = make_desk()
    earlier_tournaments = (
        list_tournaments_in_memory()
    )  # kept, so that no new tournament has the id of an earlier one
    for number in range(600):
        rename_event(desk, f"edition {number}")
        desk.get_cached_value("again", TournamentIndex)
        assert desk.index.tournament is desk.tournament
    assert list_new_tournament_ids(earlier_tournaments) == [id(desk.tournament)]
    desk.undo()
    desk.redo()
    assert desk.index.tournament is desk.tournament
    assert list_new_tournament_ids(earlier_tournaments) == [id(desk.tournament)]


def list_tournaments_in_memory() -> list[Tournament]:
    """Return all tournaments in memory."""
    gc.collect()
    return [value for value in gc.get_objects() if type(value) is Tournament]


def list_new_tournament_ids(earlier_tournaments: list[Tournament]) -> list[int]:
    """Return the ids of the tournaments in memory without the earlier tournaments."""
    earlier_ids = set(map(id, earlier_tournaments))
    return [id(value) for value in list_tournaments_in_memory() if id(value) not in earlier_ids]


class DeskMachine(RuleBasedStateMachine):
    """A state machine of random commands, undo, redo and restart. Undo restores the exact old tournament."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = make_desk(make_event(5, rounds=3))
        self.past = [self.desk.tournament]
        self.future: list[Tournament] = []

    def run_command(self, label: str, command: partial[Tournament]) -> None:
        try:
            changes = self.desk.do(command, label=label)
        except UserError:
            assert self.desk.tournament is self.past[-1]
            return
        if changes:
            self.past.append(self.desk.tournament)
            self.future.clear()

    @rule(name=st.sampled_from("abc"))
    def rename_event(self, name: str) -> None:
        self.run_command("edit-event", partial(commands.edit_event, name=name))

    @rule()
    def pair_round(self) -> None:
        try:
            proposal = propose_pairings(self.desk.index, DIVISION)
        except CommandError:
            return
        self.run_command(
            "pair-round", partial(commands.pair_round, key=self.desk.make_row_id(), proposal=proposal)
        )

    @precondition(lambda self: self.desk.tournament.games)
    @rule(table=st.integers(1, 3), first=st.integers(200, 210), second=st.integers(200, 210))
    def enter_result(self, table: int, first: int, second: int) -> None:
        try:
            game = get_game_at(self.desk.tournament, table)
        except CommandError:
            return
        self.run_command("enter-result", partial(commands.enter_result, game=game.id, first=first, second=second))

    @precondition(lambda self: self.desk.tournament.rounds)
    @rule()
    def discard_round(self) -> None:
        item = get_last_round(self.desk.tournament)
        command = partial(commands.discard_round, round=item.id, reason="again", with_results=True)
        self.run_command("discard-round", command)

    @rule(number=st.integers(1, 6))
    def withdraw_or_return(self, number: int) -> None:
        try:
            player_ = get_player(self.desk.tournament, number)
        except CommandError:
            return
        if self.desk.index.has_withdrawn(player_.id):
            self.run_command("return-player", partial(commands.return_player, player=player_.id))
        else:
            self.run_command(
                "withdraw-player",
                partial(commands.withdraw_player, key=self.desk.make_row_id(), player=player_.id),
            )

    @rule()
    def undo(self) -> None:
        if len(self.past) == 1:
            with pytest.raises(CommandError):
                self.desk.undo()
            return
        self.desk.undo()
        self.future.append(self.past.pop())
        self.past[-1] = self._check_tournament(self.past[-1])

    @rule()
    def redo(self) -> None:
        if not self.future:
            with pytest.raises(CommandError):
                self.desk.redo()
            return
        self.desk.redo()
        self.past.append(self._check_tournament(self.future.pop()))

    @rule()
    def restart(self) -> None:
        self.desk = Desk(self.desk.store)
        self.past[-1] = self._check_tournament(self.past[-1])

    def _check_tournament(self, expected: Tournament) -> Tournament:
        assert are_equal(self.desk.tournament, expected)
        return self.desk.tournament

    @invariant()
    def rows_are_valid(self) -> None:
        assert find_inconsistent_rows(self.desk.tournament) == ()


DeskMachine.TestCase.settings = settings(stateful_step_count=25)
TestUse = DeskMachine.TestCase


def test_rebuild_tournament_at_returns_each_step() -> None:
    desk = make_desk()
    step_count = len(desk.list_all_steps())
    names = [desk.tournament.event.name, "Oslo Open", "Bergen Open", "Oslo Open"]
    for name in names[1:]:
        rename_event(desk, name)
    desk.undo()
    assert [desk.rebuild_tournament_at(step_count + step).event.name for step in range(5)] == [
        *names,
        "Bergen Open",
    ]
    assert are_equal(desk.rebuild_tournament_at(step_count + 4), desk.tournament)


@pytest.mark.parametrize("engine", ["file", pytest.param("server", marks=pytest.mark.slow)])
def test_desk_create_refuses_unprintable_text(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    location: Path | Address = tmp_path / "a.tdapp" if engine == "file" else request.getfixturevalue("database")
    value = make_event()
    with pytest.raises(CommandError, match="text-not-printable"):
        Desk.create(location, value.put(replace(value.event, name="a\x00")))
    Desk.create(location, value).close()


def make_file_with_older_copy(tmp_path: Path) -> tuple[Desk, Path, Path]:
    """Return a desk, its file, and an older copy of the file without the last step."""
    file, older_copy = tmp_path / "cup.tdapp", tmp_path / "older.tdapp"
    desk = Desk.create(file, make_event(4))
    rename_event(desk, "First")
    older_copy.write_bytes(file.read_bytes())
    rename_event(desk, "Second")
    return desk, file, older_copy


def assert_refused_as_overwritten(desk: Desk, stored: int) -> None:
    for call in (desk.apply_changes_of_other_computers, desk.undo, partial(rename_event, desk, "Third")):
        with pytest.raises(StorageError) as error_info:
            call()
        assert (error_info.value.code, error_info.value.facts["step"], error_info.value.facts["stored"]) == (
            "file-overwritten", 2, stored,
        )  # fmt: skip
        assert desk.tournament.event.name == "Second"
    desk.close()


def test_desk_refuses_an_older_copy_over_its_open_file(tmp_path: Path) -> None:
    desk, file, older_copy = make_file_with_older_copy(tmp_path)
    file.write_bytes(older_copy.read_bytes())
    assert_refused_as_overwritten(desk, stored=1)


def test_desk_refuses_an_older_copy_with_other_later_steps(tmp_path: Path) -> None:
    desk, file, older_copy = make_file_with_older_copy(tmp_path)
    with closing(Desk.open(older_copy)) as other_desk:
        rename_event(other_desk, "Theirs")
    file.write_bytes(older_copy.read_bytes())
    assert_refused_as_overwritten(desk, stored=2)


def test_desk_refuses_an_older_copy_with_more_steps(tmp_path: Path) -> None:
    desk, file, older_copy = make_file_with_older_copy(tmp_path)
    with closing(Desk.open(older_copy)) as other_desk:
        rename_event(other_desk, "Theirs")
        rename_event(other_desk, "Theirs again")
    file.write_bytes(older_copy.read_bytes())
    assert_refused_as_overwritten(desk, stored=3)


@pytest.mark.parametrize("size", [0, 100, 5_000])
def test_desk_refuses_a_truncated_open_file_as_overwritten(tmp_path: Path, size: int) -> None:
    desk, file, _older_copy = make_file_with_older_copy(tmp_path)
    truncate(file, size)
    assert_refused_as_overwritten(desk, stored=0)


def test_desk_saves_after_an_open_transaction(tmp_path: Path) -> None:
    with closing(Desk.create(tmp_path / "event.tdapp", make_event(4))) as desk:
        open_raw_connection(desk.store).execute("BEGIN IMMEDIATE")  # as after an exception
        rename_event(desk, "Open Leiden")
        open_raw_connection(desk.store).execute("BEGIN")
        assert desk.store.load_tournament_and_revision()[0].event.name == "Open Leiden"


@pytest.mark.parametrize("act", [lambda stamp: rename_event(stamp, "Second"), Desk.undo], ids=["do", "undo"])
def test_desk_shows_a_step_saved_before_a_fault(
    tmp_path: Path, act: Callable[[Desk], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Desk.create(tmp_path / "event.tdapp", make_event(4))) as desk:
        rename_event(desk, "First")
        act_on_stamp = FileStorage._get_modification_time_and_size
        notified_names: list[str] = []
        desk.add_listener(lambda _changes: notified_names.append(desk.tournament.event.name))

        def fail_after_commit(file: FileStorage) -> tuple[int, int] | None:
            if (
                open_raw_connection(desk.store).in_transaction
                or open_raw_connection(desk.store).total_changes == change_count
            ):
                return act_on_stamp(file)
            monkeypatch.setattr(FileStorage, "_get_modification_time_and_size", act_on_stamp)
            raise MemoryError

        change_count = open_raw_connection(desk.store).total_changes
        monkeypatch.setattr(FileStorage, "_get_modification_time_and_size", fail_after_commit)
        with pytest.raises(MemoryError):
            act(desk)
        with closing(Desk.open(tmp_path / "event.tdapp")) as other_desk:
            assert are_equal(desk.tournament, other_desk.tournament)
            assert notified_names == [other_desk.tournament.event.name]
        rename_event(desk, "Third")


def test_read_store_changes_accepts_an_erasure_by_another_desk(tmp_path: Path) -> None:
    desk, file, _older_copy = make_file_with_older_copy(tmp_path)
    with closing(Desk.open(file)) as other_desk:
        rename_event(other_desk, "Theirs")
        other_desk.erase_personal_data(None)
    desk.apply_changes_of_other_computers()
    assert desk.tournament.event.name == "Theirs"
    assert len(desk.list_all_steps()) == 4
    rename_event(desk, "Mine")
    desk.close()
