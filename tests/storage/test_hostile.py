"""Tests of damaged and hostile files: the program refuses them or opens the original tournament."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.storage import Store
from tests.conftest import AttemptRecorder
from tests.storage import damaged_files, full_tournament
from tests.storage.samples import open_raw_connection


@pytest.mark.slow
def test_hostile_file_of_each_kind_is_refused_or_unharmed(
    tmp_path: Path, record_attempts: AttemptRecorder
) -> None:
    record_attempts("damaged tournament files", 250)
    results = list(damaged_files.try_damages(range(250), tmp_path))
    assert [item for item in results if item[2].startswith("ERROR")] == []
    kinds = Counter(kind for _, kind, _ in results)
    assert kinds.keys() == {damage.__name__ for damage in (*damaged_files.BYTES, *damaged_files.SQL)}
    assert Counter(outcome == "opened" for _, _, outcome in results)[False] > len(results) // 2


@pytest.mark.long
@pytest.mark.timeout(20_000)
def test_hostile_files_of_a_large_campaign_are_refused_or_unharmed(
    record_attempts: AttemptRecorder,
) -> None:
    record_attempts("damaged tournament files", 100_000)
    outcome_counts = damaged_files.run_campaign(100_000, 0, 2)
    assert outcome_counts.total() == 100_000
    assert [outcome for _, outcome in outcome_counts if outcome.startswith("ERROR")] == []


def open_altered_file(path: Path, *statements: str) -> Desk:
    """Run `statements` in a tournament file, compute its checksums again, and open it."""
    full_tournament.write_file(path)
    with closing(Store.open(path)) as store:
        for statement in statements:
            open_raw_connection(store).execute(statement)
        damaged_files.recompute_checksums(open_raw_connection(store))
    return Desk.open(path)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events",
        'UPDATE games SET "table" = 1',
        "UPDATE games SET second = first",
        "UPDATE players SET number = 1",
    ],
)
def test_hostile_file_with_valid_checksums_but_impossible_rows_is_refused(tmp_path: Path, statement: str) -> None:
    with pytest.raises(StorageError) as error_info:
        open_altered_file(tmp_path / "a.tdapp", statement)
    assert error_info.value.code == "file-damaged"


def test_rebuild_tournament_at_reports_a_journal_that_does_not_match_the_tournament(tmp_path: Path) -> None:
    with closing(open_altered_file(tmp_path / "a.tdapp", "UPDATE events SET place = 'Elsewhere'")) as desk:
        with pytest.raises(StorageError) as error_info:
            desk.rebuild_tournament_at(0)
        assert error_info.value.code == "file-damaged"


def test_history_accepts_a_journal_that_undoes_an_unknown_step(tmp_path: Path) -> None:
    with closing(open_altered_file(tmp_path / "a.tdapp", "UPDATE journal SET undoes = 1")) as desk:
        assert desk.undoable_step is None
        assert len(desk.list_all_steps()) == 8
