"""Tests of the open tournament: running, undoing and redoing steps, and notifications."""

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
from tests.building import DIVISION, make_event, pair_rounds
from tests.services.headless_session import SettingsInMemory, make_session


def test_open_tournament_runs_undoes_and_redoes_a_step(tmp_path: Path) -> None:
    session, notifications = make_session(tmp_path, make_event(4))
    calls: list[bool] = []
    notifications.names.clear()
    session.do(partial(commands.edit_event, name="Cup"), on_success=lambda: calls.append(True))
    assert notifications.names == ["changed", "succeeded"]
    assert calls == [True]
    assert session.tournament.event.name == "Cup"
    assert len(notifications.messages) == 1
    session.undo()
    assert session.tournament.event.name == "Test"
    session.redo()
    assert session.tournament.event.name == "Cup"
    assert [sentence.split(":")[0] for sentence in notifications.messages[1:]] == ["Undone", "Redone"]


def test_open_tournament_shows_a_refusal_unless_the_caller_handles_it(tmp_path: Path) -> None:
    session, notifications = make_session(tmp_path, make_event(4))
    errors: list[UserError] = []

    def record_refusal(error: UserError) -> bool:
        errors.append(error)
        return True

    command = partial(commands.edit_event, name="")
    session.do(command)
    assert len(notifications.messages) == 1
    session.do(command, on_refusal=record_refusal)
    assert len(notifications.messages) == 1
    assert [error.code for error in errors] == ["text-missing"]


def test_open_tournament_selects_the_newest_round_or_the_chosen_one(tmp_path: Path) -> None:
    session, notifications = make_session(tmp_path, pair_rounds(make_event(4), times=2))
    assert session.division is not None
    assert session.division.id == DIVISION
    assert session.round_number == 2
    session.choose_round(1)
    session.choose_round(1)
    assert notifications.names.count("selection_changed") == 1
    session.do(partial(commands.add_division, key=DivisionId("e"), code="B"))
    assert session.round_number == 1
    session.choose_division(DivisionId("e"))
    assert session.round is None


def test_open_location_offers_the_snapshot_of_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    desk = Desk.create(path, make_event(4))
    SnapshotFolder.from_tournament(path).make_snapshot_if_changed(desk.store, SnapshotReason.START)
    desk.close()
    session, notifications = make_session(tmp_path)
    session.open_location(path)
    assert session.path == path
    assert session.recent.list_existing_files() == [path]
    assert session.recent.propose_save_folder() == str(tmp_path)
    session.close()
    assert not session.is_open
    path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    notifications.names.clear()
    session.open_location(path)
    assert notifications.names == ["open_failed"]
    session.open_location(Address(f"postgresql:///cup?host={tmp_path}/gone"))
    assert notifications.names == ["open_failed", "login_failed"]


def test_erase_personal_data_deletes_snapshots_that_contain_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    desk = Desk.create(path, make_event(4))
    desk.snapshots = SnapshotFolder.from_tournament(path)
    desk.take_snapshot(SnapshotReason.START)
    session, notifications = make_session(tmp_path, desk)
    session.erase_personal_data(None, delete_snapshots=True)
    assert "P1" not in {player.name for player in session.tournament.players.values()}
    assert notifications.names[-1] == "erased"
    assert notifications.messages[-1].endswith("One snapshot deleted")
    session.close()


def test_recent_tournaments_lists_the_newest_existing_ones(tmp_path: Path) -> None:
    recent = RecentTournaments(SettingsInMemory())
    files = [tmp_path / f"{number}.tdapp" for number in range(MAX_RECENT + 2)]
    for tournament_file in files:
        tournament_file.touch()
        recent.add_location(tournament_file)
    recent.add_location(Address("postgresql://anna:secret@hall/open"))
    files[-1].unlink()
    locations = [str(location) for location in recent.list_existing_locations()]
    assert locations[0] == "postgresql://anna@hall/open"
    assert recent.list_existing_files()[0] == files[-2]
    assert files[0] not in recent.list_existing_files()


def test_open_tournament_has_no_desk_before_opening(tmp_path: Path) -> None:
    session, _notifications = make_session(tmp_path)
    assert session.is_read_only_or_not_director
    with pytest.raises(RuntimeError):
        _ = session.desk
