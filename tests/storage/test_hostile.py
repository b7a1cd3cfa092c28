"""No damaged or hostile file does anything but be refused in words, or be the tournament that it was."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.storage import Store
from tests.conftest import Tally
from tests.storage import damaged_files, full_tournament
from tests.storage.samples import behind


@pytest.mark.slow
def test_hostile_file_of_each_kind_is_refused_or_unharmed(tmp_path: Path, tried: Tally) -> None:
    tried("damaged tournament files", 250)
    found = list(damaged_files.tried(range(250), tmp_path))
    assert [item for item in found if item[2].startswith("ERROR")] == []
    kinds = Counter(kind for _, kind, _ in found)
    assert kinds.keys() == {how.__name__ for how in (*damaged_files.BYTES, *damaged_files.SQL)}
    assert Counter(came == "opened" for _, _, came in found)[False] > len(found) // 2


@pytest.mark.long
@pytest.mark.timeout(20_000)
def test_hostile_file_campaign_of_a_hundred_thousand_is_refused_or_unharmed(tried: Tally) -> None:
    tried("damaged tournament files", 100_000)
    ends = damaged_files.campaign(100_000, 0, 2)
    assert ends.total() == 100_000
    assert [came for _, came in ends if came.startswith("ERROR")] == []


def opened(path: Path, *statements: str) -> Desk:
    """Open a tournament in which somebody has done `statements`, who knows how to reckon the sums anew."""
    full_tournament.write(path)
    with closing(Store.open(path)) as store:
        for statement in statements:
            behind(store).execute(statement)
        damaged_files.reseal(behind(store))
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
    with pytest.raises(StorageError) as caught:
        opened(tmp_path / "a.tdapp", statement)
    assert caught.value.code == "file-damaged"


def test_rebuild_at_reports_a_journal_that_does_not_lead_to_the_tournament(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "a.tdapp", "UPDATE events SET place = 'Elsewhere'")) as desk:
        with pytest.raises(StorageError) as caught:
            desk.rebuild_tournament_at(0)
        assert caught.value.code == "file-damaged"


def test_history_accepts_a_journal_that_undoes_an_unknown_step(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "a.tdapp", "UPDATE journal SET undoes = 1")) as desk:
        assert desk.undo_step is None
        assert len(desk.history()) == 8
