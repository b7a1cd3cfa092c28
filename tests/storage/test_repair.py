"""Tests of `repair_tournament`: restoring a damaged tournament on a server to its last undamaged revision."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tdapp.domain.errors import StorageError
from tdapp.domain.model import GameId
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Row
from tdapp.storage import Address, Store
from tdapp.storage.repair import RepairReport, repair_tournament
from tests.storage.postgres import Cluster
from tests.storage.samples import change_score, list_stored_rows, make_played_tournament, make_step

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
STEPS = 4
Rows = dict[str, dict[str, Row]]


@pytest.fixture
def rows_by_revision(database: Address, tmp_path: Path) -> list[Rows]:
    """The rows after each step of a tournament on a server. There is a file for each step and a jury login."""
    with closing(Store.create(database, make_played_tournament(6, 2), program="1.0")) as store:
        store.server.create_login_or_change_role(f"jury_{database.stem}", Role.JURY, "open")
        value, rows_after_steps = store.load_tournament_and_revision()[0], [map_stored_rows(store)]
        store.copy_to_file(tmp_path / "0.tdapp")
        for seq in range(1, STEPS + 1):
            value, changes = change_score(seq, value)
            store.save_step(changes, make_step(seq))
            store.copy_to_file(tmp_path / f"{seq}.tdapp")
            rows_after_steps.append(map_stored_rows(store))
    return rows_after_steps


def map_stored_rows(store: Store) -> Rows:
    """Return the stored rows by id. Their order does not count: a restored row comes last."""
    return {kind: dict(stored_rows) for kind, stored_rows in list_stored_rows(store).items()}


def damage_database(cluster: Cluster, database: Address, statement: str) -> None:
    cluster.run_statement(statement, database.stem)
    with pytest.raises(StorageError), closing(Store.open(database)) as store:
        store.load_tournament_and_revision()


def read_undamaged_rows(database: Address) -> tuple[Rows, int]:
    with closing(Store.open(database)) as store:
        assert store.find_damage() == []
        return map_stored_rows(store), store.stored_revision


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "revision", "certain"),
    [
        ("UPDATE tdapp.results SET first = 999 WHERE id = 'g1-1'", 4, True),
        ("UPDATE tdapp.results SET state = 'won' WHERE id = 'g1-1'", 4, True),
        ("DELETE FROM tdapp.results WHERE id = 'g1-1'", 4, True),
        ("UPDATE tdapp.meta SET head = 'x'", 4, True),
        ("UPDATE tdapp.meta SET revision = 9", 4, True),
        ("UPDATE tdapp.meta SET state = 'x'", 4, False),
        ("DELETE FROM tdapp.meta", 4, False),
        ("DELETE FROM tdapp.secrets", 4, True),
        ("UPDATE tdapp.journal SET at = 'x' WHERE seq = 3", 2, True),
        ("UPDATE tdapp.journal SET changes = '[' WHERE seq = 4", 3, True),
        ("INSERT INTO tdapp.journal VALUES (5, '', 'director', 'x', '{}', NULL, '[]', 'x')", 4, True),
        ("DELETE FROM tdapp.journal WHERE seq = 4", 3, False),
        ("CREATE RULE cheat AS ON UPDATE TO tdapp.results DO INSTEAD NOTHING", 4, True),
        ("ALTER TABLE tdapp.players ADD COLUMN secret text", 4, True),
        ("DROP TABLE tdapp.logos CASCADE", 4, True),
    ],
)
def test_repair_tournament_restores_the_last_undamaged_revision(
    cluster: Cluster, database: Address, rows_by_revision: list[Rows], statement: str, revision: int, certain: bool
) -> None:
    damage_database(cluster, database, statement)
    report = repair_tournament(database)
    assert (report.revision, report.certain) == (revision, certain)
    assert read_undamaged_rows(database) == (rows_by_revision[revision], revision)
    with closing(Store.open(cluster.make_address(database.stem, f"jury_{database.stem}", "open"))) as jury:
        value = jury.load_tournament_and_revision()[0]
        changes = change_score(9, value)[1]
        with pytest.raises(StorageError, match="no-permission"):
            jury.rewrite_journal((), changes, make_step(revision + 1))
    with closing(Store.open(database)) as store:
        assert (
            store.save_step(
                change_score(9, store.load_tournament_and_revision()[0])[1], make_step(revision + 1)
            ).revision
            == revision + 1
        )


@pytest.mark.slow
@pytest.mark.parametrize("copy", [0, 2, STEPS])
@pytest.mark.parametrize(
    ("statement", "server_revision"),
    [
        ("UPDATE tdapp.journal SET at = 'x' WHERE seq = 3", 2),
        ("UPDATE tdapp.results SET first = 999", 4),
        ("DROP TABLE tdapp.rules CASCADE", 4),
        ("DROP TABLE tdapp.journal CASCADE", 0),
    ],
)
def test_repair_tournament_continues_from_a_copy(
    cluster: Cluster,
    database: Address,
    rows_by_revision: list[Rows],
    tmp_path: Path,
    copy: int,
    statement: str,
    server_revision: int,
) -> None:
    damage_database(cluster, database, statement)
    report = repair_tournament(database, tmp_path / f"{copy}.tdapp")
    revision = max(copy, server_revision)
    assert report == RepairReport(revision, report.lost_step_count, certain=True)
    assert read_undamaged_rows(database) == (rows_by_revision[revision], revision)


def test_repair_tournament_needs_a_copy_of_the_same_tournament(
    cluster: Cluster, database: Address, rows_by_revision: list[Rows], tmp_path: Path
) -> None:
    damage_database(cluster, database, "DROP TABLE tdapp.players CASCADE")
    with pytest.raises(StorageError, match="repair-needs-copy"):
        repair_tournament(database)
    value = make_played_tournament(6, 2)
    with closing(Store.create(tmp_path / "other.tdapp", value)) as other_store:
        other_store.save_step(change_score(7, value)[1], make_step(1))
    with pytest.raises(StorageError, match="repair-copy"):
        repair_tournament(database, tmp_path / "other.tdapp")
    with closing(Store.create(tmp_path / "way.tdapp", value.drop(value.results[GameId("g1-1")]))):
        pass
    with pytest.raises(StorageError, match="repair-copy"):
        repair_tournament(database, tmp_path / "way.tdapp")
    repair_tournament(database, tmp_path / "2.tdapp")
    assert read_undamaged_rows(database) == (rows_by_revision[4], 4)


def test_repair_tournament_requires_the_owner(
    cluster: Cluster, database: Address, rows_by_revision: list[Rows]
) -> None:
    assert len(rows_by_revision) == STEPS + 1
    with pytest.raises(StorageError, match="no-permission"):
        repair_tournament(cluster.make_address(database.stem, f"jury_{database.stem}", "open"))


def test_repair_tournament_keeps_damaged_tables_until_overwritten_data_are_removed(
    cluster: Cluster, database: Address, rows_by_revision: list[Rows]
) -> None:
    assert rows_by_revision
    damage_database(cluster, database, "UPDATE tdapp.meta SET head = 'x'")
    repair_tournament(database)
    query = "SELECT count(*) FROM pg_namespace WHERE nspname ~ 'damaged'"
    assert cluster.run_statement(query, database.stem) == [(1,)]
    with closing(Store.open(database)) as store:
        store.remove_deleted_data_from_disk()
    assert cluster.run_statement(query, database.stem) == [(0,)]
