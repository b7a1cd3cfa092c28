"""A file of an earlier version is migrated completely, or stays unchanged."""

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
from tdapp.storage.migrations import MIGRATIONS, Lines
from tdapp.storage.server import Server
from tests.storage import full_tournament
from tests.storage.earlier_schema import newer, seal, write_older
from tests.storage.postgres import Cluster
from tests.storage.samples import list_stored_rows

ROOT = Path(__file__).resolve().parents[2]
OLD_FILES = sorted(full_tournament.FILES.glob("version-*.tdapp"))
CHANGED_TABLES = (
    "tables have changed: unless this version is released, update and run tests/storage/full_tournament.py"
)

# --- the files of each version


def test_migrations_have_a_sample_file_of_each_version() -> None:
    assert [path.stem for path in OLD_FILES] == [f"version-{number}" for number in range(1, SCHEMA_VERSION + 1)]
    assert len(MIGRATIONS) == SCHEMA_VERSION - 1


@pytest.mark.parametrize("old", OLD_FILES, ids=lambda path: path.stem)
def test_migrations_keep_the_content_of_each_version(old: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(old, tmp_path / "old.tdapp"))
    expected = json.loads(old.with_suffix(".json").read_text(encoding="utf-8"))
    try:
        desk = Desk.open(path)
    except StorageError as error:
        pytest.fail(f"{error}; {CHANGED_TABLES}")
    with closing(desk):
        assert (
            compute_diff(
                tournament_json.read_tournament(json.dumps(expected["tournament"]).encode()), desk.tournament
            )
            == ()
        )
        assert full_tournament.read_everything(path)["journal"] == expected["journal"]
        assert desk.store.find_damage() == []
        assert not desk.store.read_only
        assert compute_diff(full_tournament.beginning(), desk.rebuild_tournament_at(0)) == () or SCHEMA_VERSION > 1
        desk.undo()


def test_migrations_sample_of_the_newest_version_has_rows_of_every_kind() -> None:
    with closing(Store.open(OLD_FILES[-1], read_only=True)) as store:
        empty = [kind for kind in KINDS if not store.load()[0].rows(kind)]
    assert empty == [], CHANGED_TABLES


# --- a version of our own


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.tdapp"
    write_older(path)
    return path


@pytest.fixture
def expected(tmp_path: Path) -> object:
    """The rows of the migrated file."""
    path = tmp_path / "expected.tdapp"
    full_tournament.write(path)
    with closing(Store.open(path)) as store:
        value = store.load()[0]
        return list_stored_rows(Store.create_in_memory(value.drop(*value.logos.values())))


def test_migration_converts_an_older_file_and_keeps_a_copy(old: Path, expected: object) -> None:
    before = old.read_bytes()
    with closing(Store.open(old, copy=take_snapshot_before_migration, migrations=(newer,))) as store:
        assert (list_stored_rows(store), store.find_damage(), store.read_only) == (expected, [], False)
        assert len(store.read_journal()) == 8
        assert store.location.version == 2
        desk = Desk(store)
        desk.rebuild_tournament_at(0)
        desk.undo()
    (copy,) = SnapshotFolder.from_tournament(old).list_snapshots()
    assert (copy.reason, copy.revision) == (SnapshotReason.MIGRATION, 8)
    assert copy.path.read_bytes()[100:] == before[100:]  # the header counts its own changes
    with closing(Store.open(copy.path, migrations=(newer,))) as store:
        assert (list_stored_rows(store), store.read_only) == (expected, True)
    with pytest.raises(StorageError, match="file-newer"):
        Store.open(old)


@pytest.mark.parametrize("read_only", [True, False])
def test_read_only_store_shows_the_converted_tournament_and_leaves_the_file(
    old: Path, expected: object, tmp_path: Path, read_only: bool
) -> None:
    before = old.read_bytes()
    with closing(Store.open(old, read_only=read_only, migrations=(newer,))) as store:
        assert (list_stored_rows(store), store.read_only) == (expected, True)
        store.copy_to_file(tmp_path / "fetched.tdapp")
    with closing(Store.open(tmp_path / "fetched.tdapp", migrations=(newer,))) as fetched:
        assert (list_stored_rows(fetched), fetched.read_only) == (expected, False)
    assert old.read_bytes() == before


def _unlike(lines: Lines) -> Lines:
    return {**newer(lines), "nothing": [{"id": "x"}]}


def _columns(lines: Lines) -> Lines:
    return {**newer(lines), "players": lines["players"]}


def _unreadable(lines: Lines) -> Lines:
    return {**newer(lines), "rules": [{"id": "t", "ruleset": "{"}]}


def _orphans(lines: Lines) -> Lines:
    return {**newer(lines), "divisions": []}


def _broken(_lines: Lines) -> Lines:
    raise KeyError("colour")


@pytest.mark.parametrize("step", [_unlike, _columns, _unreadable, _orphans, _broken])
def test_migration_that_fails_leaves_the_old_file(old: Path, step: object) -> None:
    before = old.read_bytes()
    with pytest.raises(StorageError) as error_info:
        Store.open(old, copy=take_snapshot_before_migration, migrations=(step,))  # type: ignore[arg-type]
    assert error_info.value.code == "file-damaged"
    assert old.read_bytes() == before


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
def test_migration_refuses_a_damaged_or_hostile_file(old: Path, statement: str) -> None:
    with closing(sqlite3.connect(old)) as db:
        db.execute(statement)
        db.commit()
    before = old.read_bytes()
    with pytest.raises(StorageError) as error_info:
        Store.open(old, copy=take_snapshot_before_migration, migrations=(newer,))
    assert error_info.value.code == "file-damaged"
    assert old.read_bytes() == before


def test_migration_needs_a_copy(old: Path) -> None:
    (old.parent / "old snapshots").write_text("in the way")
    before = old.read_bytes()
    with pytest.raises(StorageError):
        Store.open(old, copy=take_snapshot_before_migration, migrations=(newer,))
    assert old.read_bytes() == before


@contextmanager
def migrating(path: Path, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """A program that has just started to migrate a file."""
    command = [sys.executable, "-m", "tests.storage.earlier_schema", str(path), str(seconds)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begin\n"
        yield child


def killed_while_migrating(folder: Path, expected: object, rounds: int) -> tuple[int, int]:
    """Kill migrations at random moments. Return the numbers of unfinished and finished ones."""
    path, sound, random, ends = folder / "old.tdapp", folder / "sound.tdapp", Random(3), [0, 0]
    shutil.copy(path, sound)
    with migrating(path, 0.05) as child:
        start = time.monotonic()
        child.wait()
        whole_time = time.monotonic() - start  # on this machine, as busy as it is
    for _ in range(rounds):
        shutil.copy(sound, path)
        with migrating(path, random.uniform(0, 0.05)) as child:
            time.sleep(random.uniform(0, 2 * whole_time))
            child.kill()
        with closing(Store.open(path, migrations=(newer,))) as store:  # rolls back what was left half done
            assert (list_stored_rows(store), store.find_damage()) == (expected, [])
            ends[not store.read_only] += 1
            if store.read_only:
                assert path.read_bytes()[100:] == sound.read_bytes()[100:]
    return ends[0], ends[1]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_killed_migration_leaves_the_old_or_the_new_file(old: Path, expected: object) -> None:
    assert sum(killed_while_migrating(old.parent, expected, 4)) == 4


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_killed_migration_leaves_the_old_or_the_new_file_in_many_runs(old: Path, expected: object) -> None:
    before, after = killed_while_migrating(old.parent, expected, 100)
    assert before > 10
    assert after > 10


# --- on a server


@pytest.fixture
def shared_address(cluster: Cluster, database: Address, tmp_path: Path) -> Address:
    """A tournament of an older version on a server, with an entry station's login."""
    full_tournament.write(tmp_path / "a.tdapp")
    with closing(Store.open(tmp_path / "a.tdapp")) as store:
        relocation.share_tournament(store, database)
    with closing(Store.open(database)) as store:
        store.server.grant_login(f"entry_{database.stem}", Role.ENTRY, "open")
        value, _ = store.load()
    for statement in (
        "ALTER TABLE tdapp.players DROP COLUMN needs_access CASCADE",
        "ALTER TABLE tdapp.sanctions RENAME TO penalties",
        "DROP TABLE tdapp.logos CASCADE",
    ):
        cluster.run(statement, database.stem)
    with closing(sqlite3.connect(tmp_path / "a.tdapp")) as db:  # there the sums are reckoned
        db.execute("ALTER TABLE players DROP COLUMN needs_access")
        db.execute("ALTER TABLE sanctions RENAME TO penalties")
        db.execute("DROP TABLE logos")
        seal(db)
        (state,) = db.execute("SELECT state FROM meta").fetchone()
    cluster.run(f"UPDATE tdapp.meta SET state = '{state}'", database.stem)  # noqa: S608
    assert value.logos
    return database


def test_migration_converts_an_older_database(shared_address: Address, cluster: Cluster, expected: object) -> None:
    entry = cluster.address(shared_address.stem, f"entry_{shared_address.stem}", "open")
    for location, copy in ((shared_address, None), (entry, None)):
        with pytest.raises(StorageError, match="server-older"):
            Store.open(location, copy=copy, migrations=(newer,))
    with pytest.raises(StorageError, match="no-permission"):
        Store.open(entry, copy=take_snapshot_before_migration, migrations=(newer,))
    with closing(Store.open(shared_address, copy=take_snapshot_before_migration, migrations=(newer,))) as store:
        assert (list_stored_rows(store), store.find_damage(), len(store.read_journal())) == (expected, [], 8)
        location_ = store.location
        assert isinstance(location_, Server)
        assert [(station.login, station.role) for station in location_.list_stations()] == [
            (f"entry_{shared_address.stem}", Role.ENTRY)
        ]
        assert cluster.run("SELECT count(*) FROM tdapp_version_1.penalties", shared_address.stem) == [(1,)]
        with closing(Store.open(entry, migrations=(newer,))) as station:
            assert list_stored_rows(station) == expected
        store.remove_overwritten_data()
    assert cluster.run("SELECT to_regnamespace('tdapp_version_1')", shared_address.stem) == [(None,)]
    with pytest.raises(StorageError, match="server-newer"):
        Store.open(shared_address)


@pytest.mark.parametrize("statement", ["", "CREATE VIEW tdapp.evil AS SELECT 1 AS id"])
def test_migration_that_fails_leaves_the_old_database(
    shared_address: Address, cluster: Cluster, statement: str
) -> None:
    def cut(lines: Lines) -> Lines:
        cluster.kill(shared_address.stem)
        return newer(lines)

    if statement:
        cluster.run(statement, shared_address.stem)
    with pytest.raises(StorageError) as error_info:
        Store.open(shared_address, copy=take_snapshot_before_migration, migrations=(newer if statement else cut,))
    assert error_info.value.code == ("file-damaged" if statement else "server-lost")
    assert cluster.run("SELECT count(*) FROM tdapp.penalties", shared_address.stem) == [(1,)]
    assert cluster.run("SELECT to_regnamespace('tdapp_version_1')", shared_address.stem) == [(None,)]
