"""A damaged tournament on a server is restored to its last sound revision."""

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
from tests.storage.samples import list_stored_rows, make_played_tournament, score, step

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
STEPS = 4
Rows = dict[str, dict[str, Row]]


@pytest.fixture
def kept_at(database: Address, tmp_path: Path) -> list[Rows]:
    """A tournament on a server with a jury and some steps. Also the rows after each step, and files."""
    with closing(Store.create(database, make_played_tournament(6, 2), program="1.0")) as store:
        store.server.grant_login(f"jury_{database.stem}", Role.JURY, "open")
        value, states = store.load()[0], [rows(store)]
        store.copy_to_file(tmp_path / "0.tdapp")
        for seq in range(1, STEPS + 1):
            value, changes = score(seq, value)
            store.save_step(changes, step(seq))
            store.copy_to_file(tmp_path / f"{seq}.tdapp")
            states.append(rows(store))
    return states


def rows(store: Store) -> Rows:
    """Return the stored rows in any order: a restored row comes last."""
    return {kind: dict(rows_) for kind, rows_ in list_stored_rows(store).items()}


def broken(cluster: Cluster, database: Address, statement: str) -> None:
    cluster.run(statement, database.stem)
    with pytest.raises(StorageError), closing(Store.open(database)) as store:
        store.load()


def sound(database: Address) -> tuple[Rows, int]:
    with closing(Store.open(database)) as store:
        assert store.find_damage() == []
        return rows(store), store.revision


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
def test_repair_tournament_restores_the_last_sound_revision(
    cluster: Cluster, database: Address, kept_at: list[Rows], statement: str, revision: int, certain: bool
) -> None:
    broken(cluster, database, statement)
    report = repair_tournament(database)
    assert (report.revision, report.certain) == (revision, certain)
    assert sound(database) == (kept_at[revision], revision)
    with closing(Store.open(cluster.address(database.stem, f"jury_{database.stem}", "open"))) as jury:
        value = jury.load()[0]
        changes = score(9, value)[1]
        with pytest.raises(StorageError, match="no-permission"):
            jury.rewrite_journal((), changes, step(revision + 1))
    with closing(Store.open(database)) as store:
        assert store.save_step(score(9, store.load()[0])[1], step(revision + 1)).revision == revision + 1


@pytest.mark.slow
@pytest.mark.parametrize("copy", [0, 2, STEPS])
@pytest.mark.parametrize(
    ("statement", "left"),
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
    kept_at: list[Rows],
    tmp_path: Path,
    copy: int,
    statement: str,
    left: int,
) -> None:
    broken(cluster, database, statement)
    report = repair_tournament(database, tmp_path / f"{copy}.tdapp")
    revision = max(copy, left)
    assert report == RepairReport(revision, report.lost_step_count, certain=True)
    assert sound(database) == (kept_at[revision], revision)


def test_repair_tournament_needs_a_copy_of_the_same_tournament(
    cluster: Cluster, database: Address, kept_at: list[Rows], tmp_path: Path
) -> None:
    broken(cluster, database, "DROP TABLE tdapp.players CASCADE")
    with pytest.raises(StorageError, match="repair-needs-copy"):
        repair_tournament(database)
    value = make_played_tournament(6, 2)
    with closing(Store.create(tmp_path / "other.tdapp", value)) as other_store:
        other_store.save_step(score(7, value)[1], step(1))
    with pytest.raises(StorageError, match="repair-copy"):
        repair_tournament(database, tmp_path / "other.tdapp")
    with closing(Store.create(tmp_path / "way.tdapp", value.drop(value.results[GameId("g1-1")]))):
        pass
    with pytest.raises(StorageError, match="repair-copy"):
        repair_tournament(database, tmp_path / "way.tdapp")
    repair_tournament(database, tmp_path / "2.tdapp")
    assert sound(database) == (kept_at[4], 4)


def test_repair_tournament_requires_the_owner(cluster: Cluster, database: Address, kept_at: list[Rows]) -> None:
    assert len(kept_at) == STEPS + 1
    with pytest.raises(StorageError, match="no-permission"):
        repair_tournament(cluster.address(database.stem, f"jury_{database.stem}", "open"))


def test_repair_tournament_keeps_damaged_tables_until_remove_traces(
    cluster: Cluster, database: Address, kept_at: list[Rows]
) -> None:
    assert kept_at
    broken(cluster, database, "UPDATE tdapp.meta SET head = 'x'")
    repair_tournament(database)
    query = "SELECT count(*) FROM pg_namespace WHERE nspname ~ 'damaged'"
    assert cluster.run(query, database.stem) == [(1,)]
    with closing(Store.open(database)) as store:
        store.remove_overwritten_data()
    assert cluster.run(query, database.stem) == [(0,)]
