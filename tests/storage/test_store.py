"""Saved data can be loaded unchanged. A step is written completely or not at all."""

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
from tdapp.storage.file import File
from tests.storage.postgres import clear
from tests.storage.samples import (
    LETTERS,
    LETTERS_OF_SERVERS,
    list_stored_rows,
    make_played_tournament,
    open_raw_connection,
    result,
    score,
    state,
    step,
    tournaments,
)

SAME_SERVER = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.tdapp"


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, path: Path) -> Path | Address:
    """A location for a tournament on each of the two engines."""
    location: Path | Address = path if request.param == "file" else request.getfixturevalue("database")
    return location


@pytest.fixture
def store(where: Path | Address) -> Iterator[Store]:
    store = Store.create(where, make_played_tournament())
    yield store
    store.close()


@pytest.fixture
def filed(path: Path) -> Iterator[Store]:
    store = Store.create(path, make_played_tournament())
    yield store
    store.close()


def _new(location: Path | Address, value: Tournament) -> Store:
    """Store `value` where another tournament was stored."""
    if isinstance(location, Path):
        return Store.create_in_memory(value)
    clear(location)
    return Store.create(location, value)


def _any_for(location: Path | Address) -> st.SearchStrategy[Tournament]:
    return tournaments(LETTERS if isinstance(location, Path) else LETTERS_OF_SERVERS)


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=20, suppress_health_check=SAME_SERVER)
@given(data=st.data())
def test_save_step_keeps_every_row(where: Path | Address, data: st.DataObject) -> None:
    value = data.draw(_any_for(where))
    store = _new(where, value)
    assert list_stored_rows(store) == state(value)
    assert store.find_damage() == []
    store.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=20, suppress_health_check=SAME_SERVER)
@given(data=st.data())
def test_save_step_applies_any_diff_and_its_inverse(where: Path | Address, data: st.DataObject) -> None:
    before, after = data.draw(_any_for(where)), data.draw(_any_for(where))
    store = _new(where, before)
    changes = compute_diff(before, after)
    store.save_step(changes, step(1))
    assert dict(list_stored_rows(store)) == state(apply_diff(before, changes))
    store.save_step(invert_diff(changes), step(2, undoes=1))
    assert store.find_damage() == []
    assert [entry.changes for entry in store.read_journal()] == [changes, invert_diff(changes)]
    loaded = store.load()[0]
    assert not compute_diff(loaded, before)
    store.close()


@pytest.mark.slow
@settings(max_examples=10)
@given(value=tournaments(), program=st.text(max_size=5))
def test_store_reopens_with_the_same_content(value: Tournament, program: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "event.tdapp")
        Store.create(path, value, program=program).close()
        store = Store.open(path)
        assert (list_stored_rows(store), store.load()[1]) == (state(value), 0)
        store.close()


@pytest.mark.slow
def test_load_keeps_the_order_of_many_rows(path: Path) -> None:
    value = make_played_tournament(players=100, rounds=2 * rows.FETCH_SIZE // 50 + 1)
    with closing(Store.create(path, value)) as store:
        assert list_stored_rows(store) == state(value)
        last = list(value.games)[-1]
        open_raw_connection(store).execute("UPDATE games SET reason = '{}' WHERE id = ?", (last,))
        with pytest.raises(StorageError) as error_info:
            store.load()
        assert error_info.value.facts["detail"] == f"games {last}"


def test_load_does_not_depend_on_the_json_format_of_the_engine(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(File, "as_json", "replace(json_array({}), 'Å', '\\u00c5')")
    with closing(Store.create(path, make_played_tournament())) as store:
        assert list_stored_rows(store) == state(make_played_tournament())
        open_raw_connection(store).execute("UPDATE players SET name = 'Åke' WHERE id = 'p1'")
        with pytest.raises(StorageError, match="file-damaged"):
            store.load()


def test_load_keeps_the_order_of_rows_after_removal_and_undo(store: Store) -> None:
    value = store.load()[0]
    after = value.drop(value.results[GameId("g1-1")])
    store.save_step(compute_diff(value, after), step(1))
    undone_value = apply_diff(after, invert_diff(store.read_entry(1).changes))
    store.save_step(compute_diff(after, undone_value), step(2, undoes=1))
    assert list_stored_rows(store) == state(undone_value)
    assert list(undone_value.results) == ["g1-2", "g1-1"]


def test_read_journal_returns_the_saved_steps(store: Store, where: Path | Address) -> None:
    value = store.load()[0]
    for seq in (1, 2, 3):
        value, changes = score(seq, value)
        assert store.save_step(changes, step(seq, undoes=2 if seq == 3 else None)).revision == seq
    store.close()
    store_again = Store.open(where)
    assert store_again.read_steps() == [step(1), step(2), step(3, undoes=2)]
    assert store_again.read_steps(base_revision=2) == [step(3, undoes=2)]
    assert [entry.seq for entry in store_again.read_journal(base_revision=1, limit=1)] == [2]
    assert store_again.read_entry(3).changes == changes
    assert store_again.read_entry(3).label == "enter-result"
    with pytest.raises(LookupError):
        store_again.read_entry(4)
    store_again.close()


@pytest.mark.parametrize("seq", [0, 1, 3])
def test_save_step_refuses_another_revision(store: Store, seq: int) -> None:
    value, changes = score(1, store.load()[0])
    store.save_step(changes, step(1))
    before = list_stored_rows(store)
    with pytest.raises(StaleRevisionError):
        store.save_step(score(9, value)[1], step(seq))
    assert (list_stored_rows(store), store.load()[1]) == (before, 1)


def _orphan() -> Diff:
    game = Game(GameId("g9"), RoundId("nowhere"), 9, PlayerId("p1"), PlayerId("p2"))
    return (RowChange("games", "g9", None, game),)


def _unstorable(name: str, rating: int) -> Diff:
    player = Player(
        PlayerId("p9"), make_played_tournament().players[PlayerId("p1")].division, 9, name, rating=rating
    )
    return (RowChange("players", "p9", None, player),)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (_orphan(), (sqlite3.IntegrityError, exc.IntegrityError)),
        (_unstorable("half a \ud800 pair", 1), StorageError),
        (_unstorable("a rating without end", 2**63), StorageError),
        ((RowChange("results", "g7", result("g7", 1, 2), result("g7", 1, 3)),), RuntimeError),
        ((RowChange("results", "g7", result("g7", 1, 2), None),), RuntimeError),
    ],
    ids=["orphan", "surrogate", "too large", "update of nothing", "delete of nothing"],
)
def test_save_step_leaves_the_file_after_an_error(
    store: Store, bad: Diff, error: type[Exception] | tuple[type[Exception], ...]
) -> None:
    value = store.load()[0]
    good = score(1, value)[1]
    with pytest.raises(error):
        store.save_step((*good, *bad), step(1))
    assert (list_stored_rows(store), store.revision, store.read_steps()) == (state(value), 0, [])
    assert store.save_step(good, step(1)).revision == 1  # and work goes on
    assert store.find_damage() == []


def test_save_step_leaves_every_byte_after_an_error(filed: Store, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(sqlite3.IntegrityError):
        filed.save_step((*score(1, filed.load()[0])[1], *_orphan()), step(1))
    assert path.read_bytes() == before


def test_save_step_leaves_nothing_after_an_error_in_the_last_statement(filed: Store, path: Path) -> None:
    store = filed
    before = path.read_bytes()
    changes = score(1, store.load()[0])[1]
    fault = "CREATE TEMP TRIGGER fault BEFORE UPDATE OF head ON meta BEGIN SELECT RAISE(ABORT, 'fault'); END"
    open_raw_connection(store).execute(fault)
    with pytest.raises(sqlite3.IntegrityError, match="fault"):
        store.save_step(changes, step(1))
    open_raw_connection(store).execute("DROP TRIGGER temp.fault")
    assert path.read_bytes() == before
    assert store.read_steps() == []


def test_stores_on_one_tournament_see_each_other(store: Store, where: Path | Address) -> None:
    other_store = Store.open(where)
    value = other_store.load()[0]
    changes = score(1, value)[1]
    store.save_step(changes, step(1))
    with pytest.raises(StaleRevisionError):
        other_store.save_step(changes, step(1))
    assert other_store.load()[1] == 1
    assert list_stored_rows(other_store) == list_stored_rows(store)
    other_store.save_step(score(2, other_store.load()[0])[1], step(2))
    assert store.load()[1] == 2
    other_store.close()


def test_store_can_be_used_from_another_thread(store: Store) -> None:
    steps: list[int] = []
    changes = score(1, store.load()[0])[1]
    thread = Thread(target=lambda: steps.append(store.save_step(changes, step(1)).revision))
    thread.start()
    thread.join()
    assert steps == [1]


def test_closed_store_raises_the_error_of_the_driver(path: Path) -> None:
    store = Store.create(path, make_played_tournament())
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.load()


def test_copy_to_file_writes_a_complete_file(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.tdapp"
    target.write_bytes(b"an older copy")
    store.save_step(score(1, store.load()[0])[1], step(1))
    store.copy_to_file(target)
    store.save_step(score(2, store.load()[0])[1], step(2))
    copy = Store.open(target)
    assert copy.read_steps() == [step(1)]
    assert copy.find_damage() == []
    copy.save_step(score(7, copy.load()[0])[1], step(2))
    copy.close()
    assert {item.name for item in tmp_path.iterdir()} <= {"copy.tdapp", "event.tdapp"}


def test_copy_to_file_keeps_the_older_copy_after_an_error(filed: Store, path: Path, tmp_path: Path) -> None:
    store = filed
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


def test_copy_to_file_refuses_its_own_file(filed: Store, path: Path) -> None:
    with pytest.raises(StorageError) as error_info:
        filed.copy_to_file(path)
    assert error_info.value.code == "snapshot-onto-itself"


def test_copy_to_file_writes_a_tournament_in_memory(path: Path) -> None:
    store = Store.create_in_memory(make_played_tournament())
    store.save_step(score(1, store.load()[0])[1], step(1))
    store.copy_to_file(path)
    store.close()
    store_again = Store.open(path)
    assert store_again.read_steps() == [step(1)]
    store_again.close()
