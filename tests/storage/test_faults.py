"""Tests of faulty tournament files and their error codes."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.domain.tournament import compute_diff
from tdapp.storage import StaleRevisionError, Store, relocation
from tdapp.storage.checks import Damage
from tdapp.storage.file import refuse_damaged_file
from tests.storage.samples import (
    change_score,
    list_stored_rows,
    list_tournament_rows,
    make_played_tournament,
    make_step,
    open_raw_connection,
)

NOBODY_ID = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed tournament with five steps."""
    path = tmp_path / "event.tdapp"
    write_steps(path)
    return path


def write_steps(path: Path) -> None:
    store = Store.create(path, make_played_tournament())
    value = store.load_tournament_and_revision()[0]
    for seq in range(1, 6):
        value, changes = change_score(seq, value)
        store.save_step(changes, make_step(seq))
    store.close()


def run_statements(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def get_code_at_open(path: Path) -> str:
    with pytest.raises(StorageError) as error_info:
        Store.open(path, timeout=0.01)
    assert error_info.value.facts["path"] == str(path)
    return error_info.value.code


def test_open_file_reports_a_missing_file(tmp_path: Path) -> None:
    assert get_code_at_open(tmp_path / "none.tdapp") == "file-missing"


def test_open_file_reports_a_file_below_a_file(path: Path) -> None:
    assert get_code_at_open(path / "none.tdapp") == "file-missing"


@pytest.mark.skipif(os.name != "posix", reason="other systems report a missing file")
def test_open_file_reports_an_impossible_name(tmp_path: Path) -> None:
    assert get_code_at_open(tmp_path / ("x" * 300)) == "disk-error"


def test_open_file_reports_a_folder(tmp_path: Path) -> None:
    assert get_code_at_open(tmp_path) == "file-is-folder"


def test_open_file_reports_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert get_code_at_open(tmp_path / "empty") == "file-empty"


@pytest.mark.parametrize(
    "content", [b"x", b"Zuid;Noord\n" * 500, bytes(range(256)) * 64, b"SQLite format 3\0" * 300]
)
def test_open_file_reports_another_file_type(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    assert get_code_at_open(tmp_path / "other") in {"file-foreign", "file-damaged"}


def test_open_file_reports_a_database_of_another_program(tmp_path: Path) -> None:
    run_statements(tmp_path / "other", "CREATE TABLE notes (id INTEGER)")
    assert get_code_at_open(tmp_path / "other") == "file-foreign"


def test_open_file_reports_a_later_sqlite_format(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[47] = 9  # the number of the schema's format
    path.write_bytes(content)
    assert get_code_at_open(path) == "file-damaged"


def test_open_file_reports_a_file_of_a_newer_program(path: Path) -> None:
    run_statements(path, "PRAGMA user_version=99")
    assert get_code_at_open(path) == "file-newer"


def test_open_file_reports_a_missing_version(path: Path) -> None:
    run_statements(path, "PRAGMA user_version=0")
    assert get_code_at_open(path) == "file-damaged"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER cheat AFTER INSERT ON results BEGIN UPDATE results SET first = 999; END",
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n",
        "CREATE TABLE more (id INTEGER)",
        "CREATE INDEX quick ON players (name)",
        "CREATE VIRTUAL TABLE words USING fts5(word)",
        "ALTER TABLE players ADD COLUMN secret TEXT",
        "ALTER TABLE players RENAME COLUMN club TO society",
        "DROP TABLE seeds",
    ],
)
def test_open_file_refuses_a_foreign_schema(path: Path, statement: str) -> None:
    run_statements(path, statement)
    assert get_code_at_open(path) == "file-altered"


def test_open_file_refuses_a_view_in_place_of_a_table(path: Path) -> None:
    endless_view = (
        "CREATE VIEW seeds AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n"
    )
    run_statements(path, "DROP TABLE seeds", endless_view)
    assert get_code_at_open(path) == "file-altered"


def test_open_file_refuses_a_schema_that_is_no_text(path: Path) -> None:
    run_statements(
        path, "PRAGMA writable_schema=ON", "UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'meta'"
    )
    assert get_code_at_open(path) in {"file-altered", "file-damaged"}


def test_find_damage_reports_a_result_without_its_game(path: Path) -> None:
    run_statements(path, "DELETE FROM games WHERE id = 'g1-2'")
    with closing(Store.open(path)) as store:
        assert Damage("parent-missing", {"table": "results", "parent": "id"}) in store.find_damage()
        with pytest.raises(StorageError, match="file-damaged"):
            store.load_tournament_and_revision()


@pytest.mark.parametrize(
    ("statement", "damage"),
    [
        ("UPDATE journal SET label = 'undo' WHERE seq = 3", Damage("journal-damaged", {"seq": 3})),
        ("UPDATE journal SET changes = replace(changes, '0', '1')", Damage("journal-damaged", {"seq": 1})),
        ("DELETE FROM journal WHERE seq = 2", Damage("journal-damaged", {"seq": 3})),
        ("DELETE FROM journal WHERE seq = 5", Damage("journal-cut", {"seq": 4})),
        ("UPDATE meta SET revision = 6", Damage("journal-cut", {"seq": 5})),
        ("DELETE FROM meta", Damage("meta-damaged", {})),
    ],
)  # fmt: skip
def test_find_damage_names_damage_to_the_journal(path: Path, statement: str, damage: Damage) -> None:
    store = Store.open(path)
    run_statements(path, statement)
    assert damage in store.find_damage()
    store.close()
    assert get_code_at_open(path) == "file-damaged"


@pytest.mark.parametrize(
    ("statement", "damage"),
    [
        (
            "UPDATE results SET first = 6 WHERE id = 'g1-1'",
            Damage("row-damaged", {"table": "results", "id": "g1-1"}),
        ),
        ("DELETE FROM results WHERE id = 'g1-1'", Damage("row-damaged", {"table": "results", "id": "g1-1"})),
        ("UPDATE players SET name = 'Another' WHERE id = 'p1'", Damage("values-damaged", {})),
        ("UPDATE players SET checked_in = 7 WHERE id = 'p1'", Damage("values-damaged", {})),
        ("UPDATE results SET state = 'lost'", Damage("values-unreadable", {"where": "results g1-1"})),
        ("UPDATE games SET reason = '[[' WHERE id = 'g1-2'", Damage("values-unreadable", {"where": "games g1-2"})),
        ("UPDATE stages SET settings = '{\"colour\": 1}'", Damage("values-unreadable", {"where": "stages s"})),
        (
            "UPDATE divisions SET \"order\" = replace(hex(zeroblob(50000)), '0', '[')",
            Damage("values-unreadable", {"where": "divisions d"}),
        ),
    ],
)
def test_find_damage_names_a_damaged_value(path: Path, statement: str, damage: Damage) -> None:
    run_statements(path, statement)
    store = Store.open(path)
    assert store.find_damage() == [damage]
    with pytest.raises(StorageError) as error_info:
        store.load_tournament_and_revision()
    assert error_info.value.code == "file-damaged"
    store.close()


def test_find_damage_reports_an_unreadable_journal_line(path: Path) -> None:
    store = Store.open(path)
    run_statements(path, "UPDATE journal SET changes = '[1]', facts = '{' WHERE seq = 2")
    for read in (store.read_steps, store.read_journal, lambda: store.read_journal_entry(2)):
        with pytest.raises(StorageError) as error_info:
            read()
        assert error_info.value.code == "file-damaged"
    store.close()


def test_find_damage_reports_a_flipped_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    offset = content.index("Åse Zażółć 2".encode())
    content[offset + 3] ^= 1
    path.write_bytes(content)
    store = Store.open(path)  # SQLite finds no error
    assert store.find_damage() == [Damage("values-damaged", {})]
    store.close()


def test_find_damage_reports_a_schema_changed_after_opening(path: Path) -> None:
    store = Store.open(path)
    run_statements(path, "CREATE TABLE more (id INTEGER)")
    assert store.find_damage() == [Damage("schema-differs", {"name": "more"})]
    store.close()


def test_refuse_damaged_file_refuses_an_inconsistent_copy(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as copy:
        copy.execute("CREATE TABLE t (x INTEGER CHECK (x > 0))")
        refuse_damaged_file(copy, tmp_path)
        copy.execute("PRAGMA ignore_check_constraints=ON")
        copy.execute("INSERT INTO t VALUES (-1)")
        copy.execute("PRAGMA ignore_check_constraints=OFF")
        with pytest.raises(StorageError, match="snapshot-damaged"):
            refuse_damaged_file(copy, tmp_path)


def test_file_store_has_no_logins_and_cannot_replace_another(path: Path, tmp_path: Path) -> None:
    store = Store.open(path)
    with pytest.raises(StorageError, match="server-needed"):
        store.server.create_login_or_change_role("anna", Role.ENTRY, "open")
    (tmp_path / "other.tdapp").write_bytes(b"something else")
    with pytest.raises(StorageError, match="file-exists"):
        relocation.copy_tournament_to_file(store, tmp_path / "other.tdapp")
    store.close()


def test_save_step_reports_a_locked_file(path: Path) -> None:
    store = Store.open(path, timeout=0.01)
    changes = change_score(9, store.load_tournament_and_revision()[0])[1]
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    for action in (
        store.load_tournament_and_revision,
        lambda: store.save_step(changes, make_step(6)),
        lambda: Store.open(path, timeout=0.01),
    ):
        with pytest.raises(StorageError) as error_info:
            action()
        assert error_info.value.code == "locked"
    connection.execute("ROLLBACK")
    connection.close()
    assert store.save_step(changes, make_step(6)).revision == 6
    store.close()


def test_save_step_reports_a_reader_that_blocks_the_commit(path: Path) -> None:
    store = Store.open(path, timeout=0.01)
    before, changes = list_stored_rows(store), change_score(9, store.load_tournament_and_revision()[0])[1]
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM meta").fetchall()
    with pytest.raises(StorageError) as error_info:
        store.save_step(changes, make_step(6))
    assert error_info.value.code == "locked"
    reader.close()
    assert list_stored_rows(store) == before
    assert store.save_step(changes, make_step(6)).revision == 6
    store.close()


def test_store_create_does_not_overwrite_a_file(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(StorageError) as error_info:
        Store.create(path, make_played_tournament())
    assert error_info.value.code == "file-exists"
    assert path.read_bytes() == before


def test_store_create_reports_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as error_info:
        Store.create(tmp_path / "none" / "event.tdapp", make_played_tournament())
    assert error_info.value.code == "folder-missing"


def test_save_step_reports_a_file_moved_after_opening(path: Path) -> None:
    store = Store.open(path)
    changes = change_score(9, store.load_tournament_and_revision()[0])[1]
    path.rename(path.with_name("moved.tdapp"))
    with pytest.raises(StorageError) as error_info:
        store.save_step(changes, make_step(6))
    assert error_info.value.code == "file-moved"
    assert store.wait_for_change(0)
    with pytest.raises(StorageError, match="file-moved"):
        store.refuse_replaced_file()
    rescued = path.with_name("rescued.tdapp")
    store.copy_to_file(rescued)
    store.close()
    rescued_store = Store.open(rescued)
    assert rescued_store.load_tournament_and_revision()[1] == 5
    rescued_store.close()


def test_save_step_reports_a_full_disk(path: Path) -> None:
    store = Store.open(path)
    before, value = list_stored_rows(store), store.load_tournament_and_revision()[0]
    open_raw_connection(store).execute("PRAGMA max_page_count=1")  # SQLite uses the current size as the limit
    with pytest.raises(StorageError) as error_info:
        store.save_step(
            compute_diff(value, value.put(*make_played_tournament(players=400).players.values())), make_step(6)
        )
    assert error_info.value.code == "disk-full"
    assert list_stored_rows(store) == before
    assert store.find_damage() == []
    store.close()


def test_read_only_store_refuses_to_write(path: Path) -> None:
    store = Store.open(path, read_only=True)
    value, revision = store.load_tournament_and_revision()
    assert (revision, store.find_damage(), len(store.read_journal())) == (5, [], 5)
    with pytest.raises(StorageError) as error_info:
        store.save_step(change_score(9, value)[1], make_step(6))
    assert error_info.value.code == "read-only"
    store.close()


@contextmanager
def drop_root_rights() -> Iterator[None]:
    """Run a block as a user without root rights."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY_ID, NOBODY_ID, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def owner_folder() -> Iterator[Path]:
    """A folder that all users can enter and only the owner can change."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        Path(folder).chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="file modes exist only on POSIX systems")
def test_store_opens_a_write_protected_file_for_reading(path: Path, owner_folder: Path) -> None:
    file = Path(shutil.copy(path, owner_folder / "event.tdapp"))
    file.chmod(0o444)
    owner_folder.chmod(0o555)
    with drop_root_rights():
        store = Store.open(file)
        assert store.read_only
        assert list_stored_rows(store)["players"] == list_tournament_rows(make_played_tournament())["players"]
        store.close()


@pytest.mark.skipif(os.name != "posix", reason="file modes exist only on POSIX systems")
def test_store_reports_missing_permission_to_read_or_create(path: Path, owner_folder: Path) -> None:
    file = Path(shutil.copy(path, owner_folder / "event.tdapp"))
    file.chmod(0o000)
    owner_folder.chmod(0o555)
    with drop_root_rights():
        assert get_code_at_open(file) == "no-permission"
        with pytest.raises(StorageError) as error_info:
            Store.create(owner_folder / "new.tdapp", make_played_tournament())
        assert error_info.value.code == "no-permission"


def test_rewrite_journal_leaves_the_journal_after_an_error(path: Path) -> None:
    store = Store.open(path)
    before, journal = path.read_bytes(), store.read_journal()
    changes = change_score(9, store.load_tournament_and_revision()[0])[1]
    unstorable = replace(journal[3], facts={"name": "\ud800"})
    with pytest.raises(StorageError) as error_info:
        store.rewrite_journal([*journal[:3], unstorable, journal[4]], changes, make_step(6))
    assert error_info.value.code == "value-unstorable"
    with pytest.raises(StaleRevisionError):
        store.rewrite_journal(journal, changes, make_step(7))
    with pytest.raises(StaleRevisionError):
        store.rewrite_journal(journal[:4], changes, make_step(6))
    assert (store.read_journal(), store.find_damage()) == (journal, [])
    assert path.read_bytes() == before
    store.close()


def test_remove_deleted_data_from_disk_reports_a_locked_file_and_keeps_it_undamaged(path: Path) -> None:
    store = Store.open(path, timeout=0.01)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError) as error_info:
        store.remove_deleted_data_from_disk()
    assert (error_info.value.code, error_info.value.facts["detail"]) == ("not-swept", "locked")
    connection.close()
    before = list_stored_rows(store)
    store.remove_deleted_data_from_disk()
    assert (list_stored_rows(store), store.find_damage()) == (before, [])
    store.close()
