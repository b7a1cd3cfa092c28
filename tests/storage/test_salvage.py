"""Tests of `salvage_file`: saving readable data of a damaged file and reporting missing data."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.storage import Store
from tdapp.storage.salvage import SalvageReport, salvage_file
from tests.storage import damaged_files, full_tournament
from tests.storage.samples import open_raw_connection

MOMENT = "2026-01-02T03:04:05+00:00"
MERGED = {"change_and_reseal", "splice_other_file"}  # damage that inserts foreign data with valid checksums


def check_salvage(victim: Path, target: Path, sample: damaged_files.Sample, kind: str) -> SalvageReport:
    """Salvage a file. Check the new file and the report."""
    before = victim.read_bytes()
    report = salvage_file(victim, target, timestamp=MOMENT)
    assert victim.read_bytes() == before
    with closing(Desk.open(target)) as desk:
        assert desk.store.find_damage() == []
        desk.rebuild_tournament_at(0)
        damaged_files.compute_all_standings(desk)
        expected_rows = damaged_files.list_rows(desk.tournament)
        assert report.rows == {kind: len(rows) for kind, rows in expected_rows.items() if rows}
        assert report.revision == len(desk.list_all_steps())
    lost_rows = [data.facts for data in report.missing if data.code == "row-lost"]
    assert not [row for row in lost_rows if row["id"] in expected_rows[str(row["table"])]]
    if kind not in MERGED:
        assert not report.certain or expected_rows == sample.state
    return report


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_salvage_file_saves_or_refuses_each_kind_of_mutation(tmp_path: Path) -> None:
    sample, victim, certain_counts = (
        damaged_files.make_sample(tmp_path),
        tmp_path / "victim.tdapp",
        Counter[bool](),
    )
    for number in range(150):
        kind, target = damaged_files.write_mutation(victim, number, sample), tmp_path / f"{number}.tdapp"
        try:
            certain_counts[check_salvage(victim, target, sample, kind).certain] += 1
        except StorageError as error:
            if error.code not in {"salvage-nothing", "file-empty"}:
                raise
            assert not target.exists()
    assert certain_counts[True] > 75
    assert certain_counts[False] > 20


@pytest.mark.parametrize(
    ("statement", "missing", "certain"),
    [
        ("UPDATE events SET name = 'x'", [], True),  # the journal has the earlier value
        ("UPDATE results SET first = 999", ["rows-unproved"], False),
        ("UPDATE journal SET changes = '[' WHERE seq = 3", ["steps-lost"], True),
        ("DELETE FROM meta", ["rows-unproved"], False),
        ("DROP TABLE logos", ["rows-unproved", "table-unreadable"], False),
        ("DROP TABLE games", ["rows-unproved", "table-unreadable"], False),
        ("DELETE FROM rules", None, False),
    ],
)
def test_salvage_file_restores_verified_data(
    tmp_path: Path, statement: str, missing: list[str] | None, certain: bool
) -> None:
    sample, victim, target = damaged_files.make_sample(tmp_path), tmp_path / "a.tdapp", tmp_path / "new.tdapp"
    full_tournament.write_file(victim)
    with closing(Store.open(victim)) as store:
        open_raw_connection(store).execute("PRAGMA foreign_keys=OFF")
        open_raw_connection(store).execute(statement)
    if missing is None:
        with pytest.raises(StorageError, match="salvage-nothing"):
            salvage_file(victim, target, timestamp=MOMENT)
        assert not target.exists()
        return
    report = check_salvage(victim, target, sample, "change_and_reseal" if not certain else "change_value")
    assert (report.certain, sorted({data.code for data in report.missing} - {"row-lost"})) == (certain, missing)


def test_salvage_file_reads_a_file_without_its_first_page(tmp_path: Path) -> None:
    sample, victim = damaged_files.make_sample(tmp_path), tmp_path / "a.tdapp"
    victim.write_bytes(bytes(damaged_files.PAGE) + sample.sound[damaged_files.PAGE :])
    with pytest.raises(StorageError, match="file-foreign"):
        Store.open(victim)
    assert check_salvage(victim, tmp_path / "new.tdapp", sample, "replace_page").certain


def test_salvage_file_overwrites_nothing(tmp_path: Path) -> None:
    full_tournament.write_file(tmp_path / "a.tdapp")
    with pytest.raises(StorageError, match="file-exists"):
        salvage_file(tmp_path / "a.tdapp", tmp_path / "a.tdapp", timestamp=MOMENT)


def test_salvage_file_refuses_tables_of_a_newer_program(tmp_path: Path) -> None:
    path, target = tmp_path / "event.tdapp", tmp_path / "saved.tdapp"
    full_tournament.write_file(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA user_version=99")
    assert salvage_file(path, target, timestamp=MOMENT).certain  # only the version number is wrong
    target.unlink()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("ALTER TABLE players ADD COLUMN nickname TEXT")
    with pytest.raises(StorageError, match="file-newer"):
        salvage_file(path, target, timestamp=MOMENT)
    assert not target.exists()
