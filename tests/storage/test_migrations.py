"""Tests of migrations: a file of an earlier version is migrated completely, or stays unchanged."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.domain.tournament import KINDS, compute_diff
from tdapp.exchange import tournament_json
from tdapp.storage import (
    Address,
    SnapshotFolder,
    SnapshotReason,
    Store,
    relocation,
    take_snapshot_before_migration,
)
from tdapp.storage.columns import SCHEMA_VERSION
from tdapp.storage.migrations import MIGRATIONS, RowsByTable
from tdapp.storage.server import ServerStorage
from tests.storage import full_tournament
from tests.storage.earlier_schema import migrate_lines, recompute_checksums, write_older_file
from tests.storage.postgres import Cluster
from tests.storage.samples import list_stored_rows

ROOT = Path(__file__).resolve().parents[2]
OLD_FILES = sorted(full_tournament.FILES.glob("version-*.tdapp"))
CHANGED_TABLES = (
    "the tables have changed: before the release of this version, update and run tests/storage/full_tournament.py"
)

# --- the files of each version


def test_migrations_have_a_sample_file_of_each_version() -> None:
    assert [path.stem for path in OLD_FILES] == [f"version-{number}" for number in range(1, SCHEMA_VERSION + 1)]
    assert len(MIGRATIONS) == SCHEMA_VERSION - 1


@pytest.mark.parametrize("old_file", OLD_FILES, ids=lambda path: path.stem)
def test_migrations_keep_the_content_of_each_version(old_file: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(old_file, tmp_path / "old.tdapp"))
    expected_content = json.loads(old_file.with_suffix(".json").read_text(encoding="utf-8"))
    try:
        desk = Desk.open(path)
    except StorageError as error:
        pytest.fail(f"{error}; {CHANGED_TABLES}")
    with closing(desk):
        assert (
            compute_diff(
                tournament_json.read_tournament(json.dumps(expected_content["tournament"]).encode()),
                desk.tournament,
            )
            == ()
        )
        assert full_tournament.read_file_content(path)["journal"] == expected_content["journal"]
        assert desk.store.find_damage() == []
        assert not desk.store.read_only
        assert (
            compute_diff(full_tournament.build_full_tournament(), desk.rebuild_tournament_at(0)) == ()
            or SCHEMA_VERSION > 1
        )
        desk.undo()


def test_migrations_have_a_sample_file_with_rows_of_every_kind() -> None:
    with closing(Store.open(OLD_FILES[-1], read_only=True)) as store:
        empty = [kind for kind in KINDS if not store.load_tournament_and_revision()[0].rows(kind)]
    assert empty == [], CHANGED_TABLES


# --- an invented earlier version


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "old.tdapp"
    write_older_file(path)
    return path


@pytest.fixture
def expected_rows(tmp_path: Path) -> object:
    """The rows of the migrated file."""
    path = tmp_path / "expected.tdapp"
    full_tournament.write_file(path)
    with closing(Store.open(path)) as store:
        value = store.load_tournament_and_revision()[0]
        return list_stored_rows(Store.create_in_memory(value.drop(*value.logos.values())))


def test_migration_converts_an_older_file_and_keeps_a_copy(old_file: Path, expected_rows: object) -> None:
    before = old_file.read_bytes()
    with closing(
        Store.open(old_file, copy_before_migration=take_snapshot_before_migration, migrations=(migrate_lines,))
    ) as store:
        assert (list_stored_rows(store), store.find_damage(), store.read_only) == (expected_rows, [], False)
        assert len(store.read_journal()) == 8
        assert store.location.schema_version == 2
        desk = Desk(store)
        desk.rebuild_tournament_at(0)
        desk.undo()
    (copy,) = SnapshotFolder.from_tournament(old_file).list_snapshots_newest_first()
    assert (copy.reason, copy.revision) == (SnapshotReason.MIGRATION, 8)
    assert copy.path.read_bytes()[100:] == before[100:]  # the header counts its own changes
    with closing(Store.open(copy.path, migrations=(migrate_lines,))) as store:
        assert (list_stored_rows(store), store.read_only) == (expected_rows, True)
    with pytest.raises(StorageError, match="file-newer"):
        Store.open(old_file)


@pytest.mark.parametrize("read_only", [True, False])
def test_migration_of_a_read_only_store_leaves_the_file_unchanged(
    old_file: Path, expected_rows: object, tmp_path: Path, read_only: bool
) -> None:
    before = old_file.read_bytes()
    with closing(Store.open(old_file, read_only=read_only, migrations=(migrate_lines,))) as store:
        assert (list_stored_rows(store), store.read_only) == (expected_rows, True)
        store.copy_to_file(tmp_path / "fetched.tdapp")
    with closing(Store.open(tmp_path / "fetched.tdapp", migrations=(migrate_lines,))) as fetched_store:
        assert (list_stored_rows(fetched_store), fetched_store.read_only) == (expected_rows, False)
    assert old_file.read_bytes() == before


def _add_unknown_table(lines: RowsByTable) -> RowsByTable:
    return {**migrate_lines(lines), "nothing": [{"id": "x"}]}


def _omit_new_column(lines: RowsByTable) -> RowsByTable:
    return {**migrate_lines(lines), "players": lines["players"]}


def _add_unreadable_value(lines: RowsByTable) -> RowsByTable:
    return {**migrate_lines(lines), "rules": [{"id": "t", "ruleset": "{"}]}


def _remove_parents(lines: RowsByTable) -> RowsByTable:
    return {**migrate_lines(lines), "divisions": []}


def _raise_key_error(_lines: RowsByTable) -> RowsByTable:
    raise KeyError("colour")


@pytest.mark.parametrize(
    "migration", [_add_unknown_table, _omit_new_column, _add_unreadable_value, _remove_parents, _raise_key_error]
)
def test_migration_that_fails_leaves_the_old_file(old_file: Path, migration: object) -> None:
    before = old_file.read_bytes()
    with pytest.raises(StorageError) as error_info:
        Store.open(old_file, copy_before_migration=take_snapshot_before_migration, migrations=(migration,))  # type: ignore[arg-type]
    assert error_info.value.code == "file-damaged"
    assert old_file.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE players SET name = 'Somebody'",
        "UPDATE journal SET label = 'x' WHERE seq = 3",
        "UPDATE meta SET revision = 9",
        "DELETE FROM meta",
        "CREATE TRIGGER evil AFTER INSERT ON meta BEGIN DELETE FROM players; END",
        "CREATE VIEW evil AS SELECT 1",
        "CREATE INDEX evil ON players (lower(name))",
        "ALTER TABLE players ADD COLUMN evil TEXT AS (hex(name))",
        "CREATE VIRTUAL TABLE evil USING fts5(word)",
        "DROP TABLE journal",
    ],
)
def test_migration_refuses_a_damaged_or_hostile_file(old_file: Path, statement: str) -> None:
    with closing(sqlite3.connect(old_file)) as db:
        db.execute(statement)
        db.commit()
    before = old_file.read_bytes()
    with pytest.raises(StorageError) as error_info:
        Store.open(old_file, copy_before_migration=take_snapshot_before_migration, migrations=(migrate_lines,))
    assert error_info.value.code == "file-damaged"
    assert old_file.read_bytes() == before


def test_migration_needs_a_copy(old_file: Path) -> None:
    (old_file.parent / "old snapshots").write_text("in the way")
    before = old_file.read_bytes()
    with pytest.raises(StorageError):
        Store.open(old_file, copy_before_migration=take_snapshot_before_migration, migrations=(migrate_lines,))
    assert old_file.read_bytes() == before


@contextmanager
def start_migration(path: Path, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """Start a program that migrates a file. Yield its process when the migration starts."""
    command = [sys.executable, "-m", "tests.storage.earlier_schema", str(path), str(seconds)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begin\n"
        yield child


def kill_migrations(folder: Path, expected_rows: object, rounds: int) -> tuple[int, int]:
    """Kill migrations at random moments. Return the numbers of unfinished and finished migrations."""
    path, original_file, random, outcome_counts = folder / "old.tdapp", folder / "sound.tdapp", Random(3), [0, 0]
    shutil.copy(path, original_file)
    with start_migration(path, 0.05) as child:
        start = time.monotonic()
        child.wait()
        full_duration = time.monotonic() - start  # depends on the load of the machine
    for _ in range(rounds):
        shutil.copy(original_file, path)
        with start_migration(path, random.uniform(0, 0.05)) as child:
            time.sleep(random.uniform(0, 2 * full_duration))
            child.kill()
        with closing(Store.open(path, migrations=(migrate_lines,))) as store:  # rolls back an unfinished migration
            assert (list_stored_rows(store), store.find_damage()) == (expected_rows, [])
            outcome_counts[not store.read_only] += 1
            if store.read_only:
                assert path.read_bytes()[100:] == original_file.read_bytes()[100:]
    return outcome_counts[0], outcome_counts[1]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals exist only on POSIX systems")
def test_migration_that_is_killed_leaves_the_old_or_the_new_file(old_file: Path, expected_rows: object) -> None:
    assert sum(kill_migrations(old_file.parent, expected_rows, 4)) == 4


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_migration_that_is_killed_leaves_the_old_or_the_new_file_in_many_runs(
    old_file: Path, expected_rows: object
) -> None:
    before, after = kill_migrations(old_file.parent, expected_rows, 100)
    assert before > 10
    assert after > 10


# --- on a server


@pytest.fixture
def shared_address(cluster: Cluster, database: Address, tmp_path: Path) -> Address:
    """A tournament of an older version on a server, with an entry station's login."""
    full_tournament.write_file(tmp_path / "a.tdapp")
    with closing(Store.open(tmp_path / "a.tdapp")) as store:
        relocation.move_tournament_to_server(store, database)
    with closing(Store.open(database)) as store:
        store.server.create_login_or_change_role(f"entry_{database.stem}", Role.ENTRY, "open")
        value, _ = store.load_tournament_and_revision()
    for statement in (
        "ALTER TABLE tdapp.players DROP COLUMN needs_access CASCADE",
        "ALTER TABLE tdapp.sanctions RENAME TO penalties",
        "DROP TABLE tdapp.logos CASCADE",
    ):
        cluster.run_statement(statement, database.stem)
    with closing(sqlite3.connect(tmp_path / "a.tdapp")) as db:  # SQLite computes the checksums
        db.execute("ALTER TABLE players DROP COLUMN needs_access")
        db.execute("ALTER TABLE sanctions RENAME TO penalties")
        db.execute("DROP TABLE logos")
        recompute_checksums(db)
        (state,) = db.execute("SELECT state FROM meta").fetchone()
    cluster.run_statement(f"UPDATE tdapp.meta SET state = '{state}'", database.stem)  # noqa: S608
    assert value.logos
    return database


def test_migration_converts_an_older_database(
    shared_address: Address, cluster: Cluster, expected_rows: object
) -> None:
    entry = cluster.make_address(shared_address.stem, f"entry_{shared_address.stem}", "open")
    for location, copy in ((shared_address, None), (entry, None)):
        with pytest.raises(StorageError, match="server-older"):
            Store.open(location, copy_before_migration=copy, migrations=(migrate_lines,))
    with pytest.raises(StorageError, match="no-permission"):
        Store.open(entry, copy_before_migration=take_snapshot_before_migration, migrations=(migrate_lines,))
    with closing(
        Store.open(
            shared_address, copy_before_migration=take_snapshot_before_migration, migrations=(migrate_lines,)
        )
    ) as store:
        assert (list_stored_rows(store), store.find_damage(), len(store.read_journal())) == (expected_rows, [], 8)
        server = store.location
        assert isinstance(server, ServerStorage)
        assert [(station.login, station.role) for station in server.list_stations()] == [
            (f"entry_{shared_address.stem}", Role.ENTRY)
        ]
        assert cluster.run_statement("SELECT count(*) FROM tdapp_version_1.penalties", shared_address.stem) == [
            (1,)
        ]
        with closing(Store.open(entry, migrations=(migrate_lines,))) as station:
            assert list_stored_rows(station) == expected_rows
        store.remove_deleted_data_from_disk()
    assert cluster.run_statement("SELECT to_regnamespace('tdapp_version_1')", shared_address.stem) == [(None,)]
    with pytest.raises(StorageError, match="server-newer"):
        Store.open(shared_address)


@pytest.mark.parametrize("statement", ["", "CREATE VIEW tdapp.evil AS SELECT 1 AS id"])
def test_migration_that_fails_leaves_the_old_database(
    shared_address: Address, cluster: Cluster, statement: str
) -> None:
    def cut_and_migrate(lines: RowsByTable) -> RowsByTable:
        cluster.cut_connections(shared_address.stem)
        return migrate_lines(lines)

    if statement:
        cluster.run_statement(statement, shared_address.stem)
    with pytest.raises(StorageError) as error_info:
        Store.open(
            shared_address,
            copy_before_migration=take_snapshot_before_migration,
            migrations=(migrate_lines if statement else cut_and_migrate,),
        )
    assert error_info.value.code == ("file-damaged" if statement else "server-lost")
    assert cluster.run_statement("SELECT count(*) FROM tdapp.penalties", shared_address.stem) == [(1,)]
    assert cluster.run_statement("SELECT to_regnamespace('tdapp_version_1')", shared_address.stem) == [(None,)]
