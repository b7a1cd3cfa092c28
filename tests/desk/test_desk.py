"""The one entry point: changes are saved, notified, undone and redone, also after a restart and by two desks."""

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
from tdapp.domain.errors import RuleViolation, StorageError, UserError
from tdapp.domain.index import Index
from tdapp.domain.journal import DIVISION_CODE, remove_facts_added_by_desk
from tdapp.domain.model import DivisionId, Forfeit
from tdapp.domain.tables.history import make_history_table
from tdapp.domain.tournament import KINDS, Diff, Tournament, find_row_faults
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tdapp.storage import Address
from tdapp.storage.file import File
from tdapp.storage.store import Store
from tests.building import DIVISION, RESOURCES, desk, event, game_at, last_round, pair_next, paired, player
from tests.storage.samples import open_raw_connection


def same(one: Tournament, other: Tournament) -> bool:
    return all(one.rows(kind) == other.rows(kind) for kind in KINDS)


def rename(at: Desk, name: str) -> Diff:
    return at.do(partial(commands.edit_event, name=name))


def test_desk_notifies_listeners_after_saving() -> None:
    at = desk()
    heard: list[tuple[str, Diff]] = []
    at.add_listener(lambda changes: heard.append((at.tournament.event.name, changes)))
    changes = rename(at, "Open Leiden")
    assert heard == [("Open Leiden", changes)]
    assert [step.label for step in at.history()] == ["edit-event"]
    assert remove_facts_added_by_desk(at.history()[0].facts) == {"name": "Open Leiden"}


def test_desk_step_names_its_division() -> None:
    at = desk(paired(event(4), results=False))
    game = game_at(at.tournament, 1).id
    at.do(partial(commands.enter_result, game=game, first=400, second=300))
    at.do(partial(commands.add_division, key="e", code="B"))
    at.do(partial(commands.clear_result, game=game))
    at.undo()
    at.do(partial(commands.add_player, key="n", division=DivisionId("e"), name="New, Ann"))
    rename(at, "Elsewhere")
    assert [step.facts.get(DIVISION_CODE) for step in at.history()] == [None, "B", "A", "A", "B", None]
    words = Catalogue("en", RESOURCES / "locale").describe_step(at.history()[2].label, at.history()[2].facts)
    assert words.endswith(" · Division A")


def test_desk_do_without_changes_adds_no_step() -> None:
    at = desk()
    assert rename(at, "Test") == ()
    assert at.history() == ()


def test_desk_do_leaves_the_tournament_after_a_refusal() -> None:
    at = desk()
    before = at.tournament
    with pytest.raises(RuleViolation):
        rename(at, " ")
    assert at.tournament is before
    assert at.history() == ()


def test_undo_and_redo_follow_the_history_until_a_new_step() -> None:
    at = desk()
    values = [at.tournament]
    for name in "abc":
        rename(at, name)
        values.append(at.tournament)
    for value in reversed(values[:-1]):
        at.undo()
        assert same(at.tournament, value)
    with pytest.raises(RuleViolation, match="nothing-to-undo"):
        at.undo()
    for value in values[1:3]:
        at.redo()
        assert same(at.tournament, value)
    at.undo()
    rename(at, "d")
    assert at.redo_step is None
    with pytest.raises(RuleViolation, match="nothing-to-redo"):
        at.redo()
    at.undo()
    assert at.tournament.event.name == "a"


def test_undo_and_redo_work_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    at = Desk.create(file, event(4))
    pair_next(at)
    game = game_at(at.tournament, 1)
    at.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    done = at.tournament
    at.undo()
    at.close()
    at = Desk.open(file)
    assert at.redo_step is not None
    assert at.redo_step.label == "enter-result"
    at.redo()
    assert same(at.tournament, done)
    at.close()
    at = Desk.open(file)
    at.undo()
    at.undo()
    assert same(at.tournament, event(4))
    at.close()


def test_desk_do_runs_on_the_changes_of_another_station(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    one = Desk.create(file, event(4))
    other = Desk.open(file, station="second")
    rename(one, "first")
    other.do(partial(commands.check_in, players=(player(event(4), 1).id,)))
    assert other.tournament.event.name == "first"
    assert player(other.tournament, 1).checked_in
    one.close()
    other.close()


def test_desk_do_notifies_of_other_changes_even_after_a_refusal(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    one = Desk.create(file, event(4))
    pair_next(one)
    other = Desk.open(file, station="second")
    game = game_at(one.tournament, 1).id
    one.do(partial(commands.enter_result, game=game, first=400, second=300))
    heard: list[Diff] = []
    other.add_listener(heard.append)
    late = partial(commands.enter_result, game=game, first=1, second=2, seen=commands.ResultBeforeChange(None))
    with pytest.raises(RuleViolation, match="changed-meanwhile"):
        other.do(late, label="enter-result")
    assert [change.kind for changes in heard for change in changes] == ["results"]
    assert other.tournament.results[game].first == 400
    one.close()
    other.close()


def test_undo_names_the_station_that_changed_the_rows(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    one = Desk.create(file, event(4), station="one")
    rename(one, "first")
    other = Desk.open(file, station="two")
    rename(other, "second")
    with pytest.raises(RuleViolation) as caught:
        one.undo()
    assert caught.value.code == "undo-changed-since"
    assert caught.value.facts["who"] == "two"
    assert caught.value.facts["label"] == "edit-event"
    assert one.tournament.event.name == "second"
    one.close()
    other.close()


def test_undo_refuses_rows_needed_by_a_later_step(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    one = Desk.create(file, event(3), station="one")
    one.do(partial(commands.add_player, key="late", division=DIVISION, name="Late"))
    other = Desk.open(file, station="two")
    pair_next(other)
    with pytest.raises(RuleViolation) as caught:
        one.undo()
    assert caught.value.code == "undo-needed-since"
    assert caught.value.facts["label"] == "pair-round"
    one.close()
    other.close()


def test_undo_names_the_player_with_the_restored_value(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    one = Desk.create(file, event(4), station="one")
    first = player(event(4), 1).id
    one.do(partial(commands.edit_player, player=first, number=9))
    other = Desk.open(file, station="two")
    other.do(partial(commands.add_player, key="x", division=DIVISION, name="New", number=1))
    with pytest.raises(RuleViolation) as caught:
        one.undo()
    assert (caught.value.code, caught.value.facts["who"]) == ("undo-needed-since", "two")
    one.close()
    other.close()


def test_undo_is_repeated_after_a_step_of_another_station(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    one = Desk.create(file, event(4), station="one")
    rename(one, "first")
    other = Desk.open(file, station="two")

    def check_in(number: int) -> None:
        other.do(partial(commands.check_in, players=(player(event(4), number).id,)))

    between = iter([2])

    def come_between(_changes: Diff) -> None:
        for number in between:
            check_in(number)

    one.add_listener(come_between)
    check_in(1)
    one.undo()
    assert one.tournament.event.name == "Test"
    assert [step.label for step in one.history()] == ["edit-event", "check-in", "check-in", "edit-event"]
    one.close()
    other.close()


def test_desk_opens_while_another_desk_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Open.tdapp"
    Store.create(path, event(4)).close()
    with closing(Store.open(path)) as store, closing(Store.open(path)) as other_store:
        other, load = Desk(other_store), store.load

        def load_before_the_other_saves() -> tuple[Tournament, int]:
            loaded = load()
            rename(other, "Saved in between")
            return loaded

        monkeypatch.setattr(store, "load", load_before_the_other_saves)
        at = Desk(store)
        monkeypatch.undo()
        assert at.history() == ()
        at.do(partial(commands.edit_event, place="Leiden"))
        assert (at.tournament.event.name, at.tournament.event.place) == ("Saved in between", "Leiden")
        assert [step.seq for step in at.history()] == [1, 2]


def test_desk_names_no_author_for_the_initial_state() -> None:
    at = desk(paired(event(4)))
    rename(at, "later")
    game = game_at(at.tournament, 1).id
    late = partial(commands.enter_result, game=game, first=1, second=2, seen=commands.ResultBeforeChange(None))
    with pytest.raises(RuleViolation) as caught:
        at.do(late, label="enter-result")
    assert (caught.value.code, caught.value.facts["who"]) == ("changed-meanwhile", "")


def test_remove_listener_ends_notifications() -> None:
    at = desk()
    heard: list[Diff] = []
    listener = heard.append
    at.add_listener(listener)
    at.remove_listener(listener)
    rename(at, "b")
    assert heard == []


def test_desk_names_the_author_of_a_result_changed_meanwhile() -> None:
    at = desk(event(4))
    pair_next(at)
    game = game_at(at.tournament, 1).id
    at.do(partial(commands.enter_result, game=game, first=400, second=300))
    late = partial(commands.enter_result, game=game, first=1, second=2, seen=commands.ResultBeforeChange(None))
    with pytest.raises(RuleViolation) as caught:
        at.do(late, label="enter-result")
    assert (caught.value.code, caught.value.facts["who"]) == ("changed-meanwhile", "director")


def test_desk_facts_name_players_and_tables_instead_of_ids() -> None:
    at = desk(event(4))
    pair_next(at)
    game = game_at(at.tournament, 2)
    at.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    facts = at.history()[-1].facts
    assert (facts["table"], facts["round"], facts["first"]) == (2, 1, 400)
    assert facts["first_name"] == at.tournament.players[game.first].name
    assert game.id not in facts.values()


def test_describe_step_marks_a_correction_and_a_cancelled_check_in() -> None:
    at, words = desk(event(4)), Catalogue("en", RESOURCES / "locale")
    pair_next(at)
    game, someone = game_at(at.tournament, 2), player(at.tournament, 1)
    for first in (41, 412):
        at.do(partial(commands.enter_result, game=game.id, first=first, second=388))
    for present in (True, False):
        at.do(partial(commands.check_in, players=(someone.id,), present=present))
    assert [words.describe_step(step.label, step.facts) for step in at.history()[-4:]] == [
        "Result of table 2 entered", "Round 1, table 2: result changed, 41–388 → 412–388",
        "Checked in: P1", "Not here: P1",
    ]  # fmt: skip


def test_describe_history_step_names_score_players_round_and_lost_time() -> None:
    at, words = desk(event(4)), Catalogue("en", RESOURCES / "locale")
    pair_next(at)
    game = game_at(at.tournament, 2)
    for flag in (None, Forfeit.FIRST):
        at.do(partial(commands.enter_result, game=game.id, first=412, second=388, flag=flag))
    players = " – ".join(at.tournament.players[one].name for one in (game.first, game.second))
    later, first = (words.describe_history_step(row) for row in make_history_table(at.history()).rows[:2])
    assert first == f"Result of table 2 entered · 412–388 · Round 1 · {players}"
    assert later == f"Round 1, table 2: result changed, 412–388 → 412 time–388 · {players}"


def test_get_cached_keeps_a_value_until_the_tournament_changes() -> None:
    at = desk()
    assert at.index is at.index
    before = at.index
    rename(at, "other")
    assert at.index is not before


@pytest.mark.slow
def test_get_cached_keeps_only_the_current_tournament_alive() -> None:
    at = desk()
    others = living()  # referenced, so that no new tournament gets the identity of one of them
    for number in range(600):
        rename(at, f"edition {number}")
        at.get_cached_value("again", Index)
        assert at.index.tournament is at.tournament
    assert list_new(others) == [id(at.tournament)]
    at.undo()
    at.redo()
    assert at.index.tournament is at.tournament
    assert list_new(others) == [id(at.tournament)]


def living() -> list[Tournament]:
    """Return the tournaments in memory."""
    gc.collect()
    return [value for value in gc.get_objects() if type(value) is Tournament]


def list_new(others: list[Tournament]) -> list[int]:
    """Return the identities of the tournaments in memory without the others."""
    known = set(map(id, others))
    return [id(value) for value in living() if id(value) not in known]


class Use(RuleBasedStateMachine):
    """Random commands with undo, redo and restart; undo always restores the value before, exactly."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = desk(event(5, rounds=3))
        self.past = [self.desk.tournament]
        self.future: list[Tournament] = []

    def attempt(self, label: str, command: partial[Tournament]) -> None:
        try:
            changes = self.desk.do(command, label=label)
        except UserError:
            assert self.desk.tournament is self.past[-1]
            return
        if changes:
            self.past.append(self.desk.tournament)
            self.future.clear()

    @rule(name=st.sampled_from("abc"))
    def rename(self, name: str) -> None:
        self.attempt("edit-event", partial(commands.edit_event, name=name))

    @rule()
    def pair(self) -> None:
        try:
            proposal = propose_pairings(self.desk.index, DIVISION)
        except RuleViolation:
            return
        self.attempt("pair-round", partial(commands.pair_round, key=self.desk.make_row_id(), proposal=proposal))

    @precondition(lambda self: self.desk.tournament.games)
    @rule(table=st.integers(1, 3), first=st.integers(200, 210), second=st.integers(200, 210))
    def enter(self, table: int, first: int, second: int) -> None:
        try:
            game = game_at(self.desk.tournament, table)
        except RuleViolation:
            return
        self.attempt("enter-result", partial(commands.enter_result, game=game.id, first=first, second=second))

    @precondition(lambda self: self.desk.tournament.rounds)
    @rule()
    def discard(self) -> None:
        item = last_round(self.desk.tournament)
        command = partial(commands.discard_round, round=item.id, reason="again", with_results=True)
        self.attempt("discard-round", command)

    @rule(number=st.integers(1, 6))
    def leave_or_return(self, number: int) -> None:
        try:
            one = player(self.desk.tournament, number)
        except RuleViolation:
            return
        if self.desk.index.has_withdrawn(one.id):
            self.attempt("return-player", partial(commands.return_player, player=one.id))
        else:
            self.attempt(
                "withdraw-player", partial(commands.withdraw_player, key=self.desk.make_row_id(), player=one.id)
            )

    @rule()
    def undo(self) -> None:
        if len(self.past) == 1:
            with pytest.raises(RuleViolation):
                self.desk.undo()
            return
        self.desk.undo()
        self.future.append(self.past.pop())
        self.past[-1] = self._now(self.past[-1])

    @rule()
    def redo(self) -> None:
        if not self.future:
            with pytest.raises(RuleViolation):
                self.desk.redo()
            return
        self.desk.redo()
        self.past.append(self._now(self.future.pop()))

    @rule()
    def restart(self) -> None:
        self.desk = Desk(self.desk.store)
        self.past[-1] = self._now(self.past[-1])

    def _now(self, expected: Tournament) -> Tournament:
        assert same(self.desk.tournament, expected)
        return self.desk.tournament

    @invariant()
    def whole(self) -> None:
        assert find_row_faults(self.desk.tournament) == ()


Use.TestCase.settings = settings(stateful_step_count=25)
TestUse = Use.TestCase


def test_rebuild_at_returns_the_tournament_after_each_step() -> None:
    at = desk()
    begun = len(at.history())
    names = [at.tournament.event.name, "Oslo Open", "Bergen Open", "Oslo Open"]
    for name in names[1:]:
        rename(at, name)
    at.undo()
    assert [at.rebuild_tournament_at(begun + step).event.name for step in range(5)] == [*names, "Bergen Open"]
    assert same(at.rebuild_tournament_at(begun + 4), at.tournament)


@pytest.mark.parametrize("engine", ["file", pytest.param("server", marks=pytest.mark.slow)])
def test_desk_create_refuses_unprintable_text(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    place: Path | Address = tmp_path / "a.tdapp" if engine == "file" else request.getfixturevalue("database")
    value = event()
    with pytest.raises(RuleViolation, match="text-not-printable"):
        Desk.create(place, value.put(replace(value.event, name="a\x00")))
    Desk.create(place, value).close()


def copy_then_rename(tmp_path: Path) -> tuple[Desk, Path, Path]:
    """Return a desk with a step that the older copy of its file does not have, the file, and the copy."""
    file, older = tmp_path / "cup.tdapp", tmp_path / "older.tdapp"
    at = Desk.create(file, event(4))
    rename(at, "First")
    older.write_bytes(file.read_bytes())
    rename(at, "Second")
    return at, file, older


def assert_refused_as_overwritten(at: Desk, stored: int) -> None:
    for call in (at.read_store_changes, at.undo, partial(rename, at, "Third")):
        with pytest.raises(StorageError) as refused:
            call()
        assert (refused.value.code, refused.value.facts["step"], refused.value.facts["stored"]) == (
            "file-overwritten", 2, stored,
        )  # fmt: skip
        assert at.tournament.event.name == "Second"
    at.close()


def test_desk_refuses_an_older_copy_over_its_open_file(tmp_path: Path) -> None:
    at, file, older = copy_then_rename(tmp_path)
    file.write_bytes(older.read_bytes())
    assert_refused_as_overwritten(at, stored=1)


def test_desk_refuses_an_older_copy_with_other_later_steps(tmp_path: Path) -> None:
    at, file, older = copy_then_rename(tmp_path)
    with closing(Desk.open(older)) as other:
        rename(other, "Theirs")
    file.write_bytes(older.read_bytes())
    assert_refused_as_overwritten(at, stored=2)


def test_desk_refuses_an_older_copy_with_more_steps(tmp_path: Path) -> None:
    at, file, older = copy_then_rename(tmp_path)
    with closing(Desk.open(older)) as other:
        rename(other, "Theirs")
        rename(other, "Theirs again")
    file.write_bytes(older.read_bytes())
    assert_refused_as_overwritten(at, stored=3)


@pytest.mark.parametrize("size", [0, 100, 5_000])
def test_desk_refuses_a_truncated_open_file_as_overwritten(tmp_path: Path, size: int) -> None:
    at, file, _older = copy_then_rename(tmp_path)
    truncate(file, size)
    assert_refused_as_overwritten(at, stored=0)


def test_desk_saves_after_a_transaction_was_left_open(tmp_path: Path) -> None:
    with closing(Desk.create(tmp_path / "event.tdapp", event(4))) as at:
        open_raw_connection(at.store).execute(
            "BEGIN IMMEDIATE"
        )  # as an exception leaves it that comes right afterwards
        rename(at, "Open Leiden")
        open_raw_connection(at.store).execute("BEGIN")
        assert at.store.load()[0].event.name == "Open Leiden"


@pytest.mark.parametrize("act", [lambda at: rename(at, "Second"), Desk.undo], ids=["do", "undo"])
def test_desk_shows_a_step_saved_before_a_fault(
    tmp_path: Path, act: Callable[[Desk], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Desk.create(tmp_path / "event.tdapp", event(4))) as at:
        rename(at, "First")
        act_on_stamp = File._get_modification_time_and_size
        heard: list[str] = []
        at.add_listener(lambda _changes: heard.append(at.tournament.event.name))

        def fail_after_commit(file: File) -> tuple[int, int] | None:
            if (
                open_raw_connection(at.store).in_transaction
                or open_raw_connection(at.store).total_changes == known
            ):
                return act_on_stamp(file)
            monkeypatch.setattr(File, "_get_modification_time_and_size", act_on_stamp)
            raise MemoryError

        known = open_raw_connection(at.store).total_changes
        monkeypatch.setattr(File, "_get_modification_time_and_size", fail_after_commit)
        with pytest.raises(MemoryError):
            act(at)
        with closing(Desk.open(tmp_path / "event.tdapp")) as other:
            assert same(at.tournament, other.tournament)
            assert heard == [other.tournament.event.name]
        rename(at, "Third")


def test_read_store_changes_accepts_an_erasure_by_another_desk(tmp_path: Path) -> None:
    at, file, _older = copy_then_rename(tmp_path)
    with closing(Desk.open(file)) as other:
        rename(other, "Theirs")
        other.erase_personal_data(None)
    at.read_store_changes()
    assert at.tournament.event.name == "Theirs"
    assert len(at.history()) == 4
    rename(at, "Mine")
    at.close()
