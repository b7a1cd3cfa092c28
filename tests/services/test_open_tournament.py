"""All changes to the open tournament go one way, and its owner is notified without a window."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.model import DivisionId
from tdapp.services.preferences import MAX_RECENT, RecentTournaments
from tdapp.storage import Address, SnapshotFolder, SnapshotReason
from tests.building import DIVISION, event, paired
from tests.services.headless_session import Chosen, office


def test_open_tournament_runs_undoes_and_redoes_a_step(tmp_path: Path) -> None:
    opened, heard = office(tmp_path, event(4))
    done: list[bool] = []
    heard.names.clear()
    opened.do(partial(commands.edit_event, name="Cup"), on_success=lambda: done.append(True))
    assert heard.names == ["changed", "succeeded"]
    assert done == [True]
    assert opened.tournament.event.name == "Cup"
    assert len(heard.said) == 1
    opened.undo()
    assert opened.tournament.event.name == "Test"
    opened.redo()
    assert opened.tournament.event.name == "Cup"
    assert [said.split(":")[0] for said in heard.said[1:]] == ["Undone", "Redone"]


def test_open_tournament_shows_a_refusal_unless_the_caller_does(tmp_path: Path) -> None:
    opened, heard = office(tmp_path, event(4))
    refused: list[UserError] = []

    def taken(error: UserError) -> bool:
        refused.append(error)
        return True

    command = partial(commands.edit_event, name="")
    opened.do(command)
    assert len(heard.said) == 1
    opened.do(command, on_refusal=taken)
    assert len(heard.said) == 1
    assert [error.code for error in refused] == ["text-missing"]


def test_open_tournament_selects_the_newest_round_or_the_chosen_one(tmp_path: Path) -> None:
    opened, heard = office(tmp_path, paired(event(4), times=2))
    assert opened.division is not None
    assert opened.division.id == DIVISION
    assert opened.round_number == 2
    opened.choose_round(1)
    opened.choose_round(1)
    assert heard.names.count("selection_changed") == 1
    opened.do(partial(commands.add_division, key=DivisionId("e"), code="B"))
    assert opened.round_number == 1
    opened.choose_division(DivisionId("e"))
    assert opened.round is None


def test_open_location_offers_the_snapshot_of_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    desk = Desk.create(path, event(4))
    SnapshotFolder.from_tournament(path).make_snapshot(desk.store, SnapshotReason.START)
    desk.close()
    opened, heard = office(tmp_path)
    opened.open_location(path)
    assert opened.path == path
    assert opened.recent.list_files() == [path]
    assert opened.recent.propose_save_folder() == str(tmp_path)
    opened.close()
    assert not opened.is_open
    path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    heard.names.clear()
    opened.open_location(path)
    assert heard.names == ["open_failed"]
    opened.open_location(Address(f"postgresql:///cup?host={tmp_path}/gone"))
    assert heard.names == ["open_failed", "login_failed"]


def test_erase_personal_data_deletes_snapshots_that_contain_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    desk = Desk.create(path, event(4))
    desk.snapshots = SnapshotFolder.from_tournament(path)
    desk.take_snapshot(SnapshotReason.START)
    opened, heard = office(tmp_path, desk)
    opened.erase_personal_data(None, snapshots=True)
    assert "P1" not in {player.name for player in opened.tournament.players.values()}
    assert heard.names[-1] == "erased"
    assert heard.said[-1].endswith("One snapshot deleted")
    opened.close()


def test_recent_tournaments_lists_the_newest_existing_ones(tmp_path: Path) -> None:
    recent = RecentTournaments(Chosen())
    files = [tmp_path / f"{number}.tdapp" for number in range(MAX_RECENT + 2)]
    for file in files:
        file.touch()
        recent.add_location(file)
    recent.add_location(Address("postgresql://anna:secret@hall/open"))
    files[-1].unlink()
    told = [str(place) for place in recent.list_locations()]
    assert told[0] == "postgresql://anna@hall/open"
    assert recent.list_files()[0] == files[-2]
    assert files[0] not in recent.list_files()


def test_open_desk_without_a_tournament_has_no_desk(tmp_path: Path) -> None:
    opened, _heard = office(tmp_path)
    assert opened.is_read_only
    with pytest.raises(RuntimeError):
        _ = opened.desk
