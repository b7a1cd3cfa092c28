"""Tests of the store: loading saved data unchanged, and writing a step completely or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import exc

from tdapp.domain.errors import StorageError
from tdapp.domain.model import Game, GameId, Player, PlayerId, RoundId
from tdapp.domain.tournament import Diff, RowChange, Tournament, apply_diff, compute_diff, invert_diff
from tdapp.storage import Address, StaleRevisionError, Store, rows
from tdapp.storage.file import FileStorage
from tests.storage.postgres import clear_database
from tests.storage.samples import (
    LETTERS,
    LETTERS_OF_SERVERS,
    change_score,
    list_stored_rows,
    list_tournament_rows,
    make_played_tournament,
    make_result,
    make_step,
    open_raw_connection,
    random_tournaments,
)

SAME_SERVER = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.tdapp"


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.slow)])
def location(request: pytest.FixtureRequest, path: Path) -> Path | Address:
    """A location for a tournament: a file, then a server."""
    engine_location: Path | Address = path if request.param == "file" else request.getfixturevalue("database")
    return engine_location


@pytest.fixture
def store(location: Path | Address) -> Iterator[Store]:
    store = Store.create(location, make_played_tournament())
    yield store
    store.close()


@pytest.fixture
def file_store(path: Path) -> Iterator[Store]:
    store = Store.create(path, make_played_tournament())
    yield store
    store.close()


def _replace_tournament(location: Path | Address, value: Tournament) -> Store:
    """Store `value` at a location that had another tournament."""
    if isinstance(location, Path):
        return Store.create_in_memory(value)
    clear_database(location)
    return Store.create(location, value)


def _make_tournament_strategy(location: Path | Address) -> st.SearchStrategy[Tournament]:
    return random_tournaments(LETTERS if isinstance(location, Path) else LETTERS_OF_SERVERS)


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=20, suppress_health_check=SAME_SERVER)
@given(data=st.data())
def test_save_step_keeps_every_row(location: Path | Address, data: st.DataObject) -> None:
    value = data.draw(_make_tournament_strategy(location))
    store = _replace_tournament(location, value)
    assert list_stored_rows(store) == list_tournament_rows(value)
    assert store.find_damage() == []
    store.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=20, suppress_health_check=SAME_SERVER)
@given(data=st.data())
def test_save_step_applies_any_diff_and_its_inverse(location: Path | Address, data: st.DataObject) -> None:
    before, after = data.draw(_make_tournament_strategy(location)), data.draw(_make_tournament_strategy(location))
    store = _replace_tournament(location, before)
    changes = compute_diff(before, after)
    store.save_step(changes, make_step(1))
    assert dict(list_stored_rows(store)) == list_tournament_rows(apply_diff(before, changes))
    store.save_step(invert_diff(changes), make_step(2, undoes=1))
    assert store.find_damage() == []
    assert [entry.changes for entry in store.read_journal()] == [changes, invert_diff(changes)]
    loaded_tournament = store.load_tournament_and_revision()[0]
    assert not compute_diff(loaded_tournament, before)
    store.close()


@pytest.mark.slow
@settings(max_examples=10)
@given(value=random_tournaments(), program=st.text(max_size=5))
def test_store_reopens_with_the_same_content(value: Tournament, program: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "event.tdapp")
        Store.create(path, value, program=program).close()
        store = Store.open(path)
        assert (list_stored_rows(store), store.load_tournament_and_revision()[1]) == (
            list_tournament_rows(value),
            0,
        )
        store.close()


@pytest.mark.slow
def test_load_keeps_the_order_of_many_rows(path: Path) -> None:
    value = make_played_tournament(players=100, rounds=2 * rows.FETCH_SIZE // 50 + 1)
    with closing(Store.create(path, value)) as store:
        assert list_stored_rows(store) == list_tournament_rows(value)
        last = list(value.games)[-1]
        open_raw_connection(store).execute("UPDATE games SET reason = '{}' WHERE id = ?", (last,))
        with pytest.raises(StorageError) as error_info:
            store.load_tournament_and_revision()
        assert error_info.value.facts["detail"] == f"games {last}"


def test_load_does_not_depend_on_the_json_format_of_the_engine(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileStorage, "json_list_template", "replace(json_array({}), 'Å', '\\u00c5')")
    with closing(Store.create(path, make_played_tournament())) as store:
        assert list_stored_rows(store) == list_tournament_rows(make_played_tournament())
        open_raw_connection(store).execute("UPDATE players SET name = 'Åke' WHERE id = 'p1'")
        with pytest.raises(StorageError, match="file-damaged"):
            store.load_tournament_and_revision()


def test_load_keeps_the_order_of_rows_after_removal_and_undo(store: Store) -> None:
    value = store.load_tournament_and_revision()[0]
    after = value.drop(value.results[GameId("g1-1")])
    store.save_step(compute_diff(value, after), make_step(1))
    undone_value = apply_diff(after, invert_diff(store.read_journal_entry(1).changes))
    store.save_step(compute_diff(after, undone_value), make_step(2, undoes=1))
    assert list_stored_rows(store) == list_tournament_rows(undone_value)
    assert list(undone_value.results) == ["g1-2", "g1-1"]


def test_read_journal_returns_the_saved_steps(store: Store, location: Path | Address) -> None:
    value = store.load_tournament_and_revision()[0]
    for seq in (1, 2, 3):
        value, changes = change_score(seq, value)
        assert store.save_step(changes, make_step(seq, undoes=2 if seq == 3 else None)).revision == seq
    store.close()
    reopened_store = Store.open(location)
    assert reopened_store.read_steps() == [make_step(1), make_step(2), make_step(3, undoes=2)]
    assert reopened_store.read_steps(base_revision=2) == [make_step(3, undoes=2)]
    assert [entry.seq for entry in reopened_store.read_journal(base_revision=1, limit=1)] == [2]
    assert reopened_store.read_journal_entry(3).changes == changes
    assert reopened_store.read_journal_entry(3).label == "enter-result"
    with pytest.raises(LookupError):
        reopened_store.read_journal_entry(4)
    reopened_store.close()


@pytest.mark.parametrize("seq", [0, 1, 3])
def test_save_step_refuses_another_revision(store: Store, seq: int) -> None:
    value, changes = change_score(1, store.load_tournament_and_revision()[0])
    store.save_step(changes, make_step(1))
    before = list_stored_rows(store)
    with pytest.raises(StaleRevisionError):
        store.save_step(change_score(9, value)[1], make_step(seq))
    assert (list_stored_rows(store), store.load_tournament_and_revision()[1]) == (before, 1)


def _make_orphan_diff() -> Diff:
    game = Game(GameId("g9"), RoundId("nowhere"), 9, PlayerId("p1"), PlayerId("p2"))
    return (RowChange("games", "g9", None, game),)


def _make_unstorable_diff(name: str, rating: int) -> Diff:
    player = Player(
        PlayerId("p9"), make_played_tournament().players[PlayerId("p1")].division, 9, name, rating=rating
    )
    return (RowChange("players", "p9", None, player),)


@pytest.mark.parametrize(
    ("invalid_changes", "error"),
    [
        (_make_orphan_diff(), (sqlite3.IntegrityError, exc.IntegrityError)),
        (_make_unstorable_diff("half a \ud800 pair", 1), StorageError),
        (_make_unstorable_diff("a rating without end", 2**63), StorageError),
        ((RowChange("results", "g7", make_result("g7", 1, 2), make_result("g7", 1, 3)),), RuntimeError),
        ((RowChange("results", "g7", make_result("g7", 1, 2), None),), RuntimeError),
    ],
    ids=["orphan", "surrogate", "too large", "update of nothing", "delete of nothing"],
)
def test_save_step_leaves_the_file_after_an_error(
    store: Store, invalid_changes: Diff, error: type[Exception] | tuple[type[Exception], ...]
) -> None:
    value = store.load_tournament_and_revision()[0]
    valid_changes = change_score(1, value)[1]
    with pytest.raises(error):
        store.save_step((*valid_changes, *invalid_changes), make_step(1))
    assert (list_stored_rows(store), store.stored_revision, store.read_steps()) == (
        list_tournament_rows(value),
        0,
        [],
    )
    assert store.save_step(valid_changes, make_step(1)).revision == 1  # work continues
    assert store.find_damage() == []


def test_save_step_leaves_every_byte_after_an_error(file_store: Store, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(sqlite3.IntegrityError):
        file_store.save_step(
            (*change_score(1, file_store.load_tournament_and_revision()[0])[1], *_make_orphan_diff()), make_step(1)
        )
    assert path.read_bytes() == before


def test_save_step_leaves_nothing_after_an_error_in_the_last_statement(file_store: Store, path: Path) -> None:
    store = file_store
    before = path.read_bytes()
    changes = change_score(1, store.load_tournament_and_revision()[0])[1]
    trigger_statement = (
        "CREATE TEMP TRIGGER fault BEFORE UPDATE OF head ON meta BEGIN SELECT RAISE(ABORT, 'fault'); END"
    )
    open_raw_connection(store).execute(trigger_statement)
    with pytest.raises(sqlite3.IntegrityError, match="fault"):
        store.save_step(changes, make_step(1))
    open_raw_connection(store).execute("DROP TRIGGER temp.fault")
    assert path.read_bytes() == before
    assert store.read_steps() == []


def test_stores_of_one_tournament_read_the_steps_of_each_other(store: Store, location: Path | Address) -> None:
    other_store = Store.open(location)
    value = other_store.load_tournament_and_revision()[0]
    changes = change_score(1, value)[1]
    store.save_step(changes, make_step(1))
    with pytest.raises(StaleRevisionError):
        other_store.save_step(changes, make_step(1))
    assert other_store.load_tournament_and_revision()[1] == 1
    assert list_stored_rows(other_store) == list_stored_rows(store)
    other_store.save_step(change_score(2, other_store.load_tournament_and_revision()[0])[1], make_step(2))
    assert store.load_tournament_and_revision()[1] == 2
    other_store.close()


def test_store_can_be_used_from_another_thread(store: Store) -> None:
    steps: list[int] = []
    changes = change_score(1, store.load_tournament_and_revision()[0])[1]
    thread = Thread(target=lambda: steps.append(store.save_step(changes, make_step(1)).revision))
    thread.start()
    thread.join()
    assert steps == [1]


def test_closed_store_raises_the_error_of_the_driver(path: Path) -> None:
    store = Store.create(path, make_played_tournament())
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.load_tournament_and_revision()


def test_copy_to_file_writes_a_complete_file(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.tdapp"
    target.write_bytes(b"an older copy")
    store.save_step(change_score(1, store.load_tournament_and_revision()[0])[1], make_step(1))
    store.copy_to_file(target)
    store.save_step(change_score(2, store.load_tournament_and_revision()[0])[1], make_step(2))
    copy = Store.open(target)
    assert copy.read_steps() == [make_step(1)]
    assert copy.find_damage() == []
    copy.save_step(change_score(7, copy.load_tournament_and_revision()[0])[1], make_step(2))
    copy.close()
    assert {item.name for item in tmp_path.iterdir()} <= {"copy.tdapp", "event.tdapp"}


def test_copy_to_file_keeps_the_older_copy_after_an_error(file_store: Store, path: Path, tmp_path: Path) -> None:
    store = file_store
    target = tmp_path / "copy.tdapp"
    target.write_bytes(b"an older copy")
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    open_raw_connection(store).execute("PRAGMA busy_timeout=0")
    with pytest.raises(StorageError) as error_info:
        store.copy_to_file(target)
    assert error_info.value.code == "locked"
    assert target.read_bytes() == b"an older copy"
    assert not target.with_name("copy.tdapp.part").exists()
    blocker.close()


def test_copy_to_file_refuses_its_own_file(file_store: Store, path: Path) -> None:
    with pytest.raises(StorageError) as error_info:
        file_store.copy_to_file(path)
    assert error_info.value.code == "snapshot-onto-itself"


def test_copy_to_file_writes_a_tournament_in_memory(path: Path) -> None:
    store = Store.create_in_memory(make_played_tournament())
    store.save_step(change_score(1, store.load_tournament_and_revision()[0])[1], make_step(1))
    store.copy_to_file(path)
    store.close()
    reopened_store = Store.open(path)
    assert reopened_store.read_steps() == [make_step(1)]
    reopened_store.close()
