"""Tests of erasing personal data: the file has no name, results stay, and old steps cannot be undone."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.erasing import make_personal_data_eraser
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import remove_facts_added_by_desk
from tdapp.domain.jury_rows import IncidentKind, ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import AchievementKind, AchievementRecord, Division, DivisionId, Player, PlayerId
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Diff, Row, Tournament, find_inconsistent_rows
from tdapp.scrabble.sheet import SanctionKind, Sheet, SheetSanction
from tdapp.storage import SnapshotFolder, SnapshotReason, Store
from tests.building import DIVISION, enter_results, make_desk, make_event, pair_next, pair_rounds
from tests.desk.test_desk import are_equal
from tests.domain.results import fill_player, find_equal_fields
from tests.storage.samples import open_raw_connection

ANNA, BRAM = PlayerId("anna"), PlayerId("p1")
PHOTO = "/9j/c2VjcmV0"
TRACES = (PHOTO, "d29ybGQ", "Ødegård", "ØDEGÅRD", "Åse", "Odegaard", "NO-4711", "Sandviken", "knee", "Norvegia")

# These data of an erased player stay: ranks, prizes, ratings and fees depend on them.
STAYS = {
    "id",
    "division",
    "number",
    "rating",
    "provisional",
    "rated_games",
    "team",
    "category",
    "fixed_table",
    "checked_in",
    "paid",
}


def put_row(tournament: Tournament, *, row: Row) -> Tournament:
    return tournament.put(row)


def enter_personal_data(desk: Desk) -> None:
    """Enter a player, and the name of the player in each text field."""
    add = partial(commands.add_player, key=ANNA, division=DIVISION, name=" Odegaard, Åse ", rating=1777)
    desk.do(
        partial(add, club="Sandviken", country="Norvegia", member="NO-4711", notes="bad knee"), label="add-player"
    )
    desk.do(partial(commands.edit_player, player=ANNA, name="Ødegård, Åse", needs_access=True))
    desk.do(partial(commands.set_photos, photos=((ANNA, PHOTO), (BRAM, "/9j/aGVsbG8="))))
    desk.do(partial(commands.set_photos, photos=((ANNA, "/9j/d29ybGQ="),)))
    desk.do(partial(commands.edit_player, player=BRAM, notes="travels with Åse Ødegård"))
    desk.undo()
    desk.redo()
    constraint = partial(commands.forbid_pairing, key="b", player=ANNA, other=BRAM, why="Ødegård is his aunt")
    desk.do(constraint, label="forbid-pairing")
    desk.do(partial(commands.check_in, players=(BRAM, ANNA)))
    desk.do(partial(commands.announce, announcement="Åse Ødegård turns forty: congratulations."))
    records = (AchievementRecord(AchievementKind.HIGH_GAME, 640, "Åse Ødegård", "2011"),)
    desk.do(partial(commands.keep_records, records=records))
    pair_next(desk)
    play_and_judge(desk)


def play_and_judge(desk: Desk) -> None:
    game = next(item for item in desk.tournament.games.values() if ANNA in {item.first, item.second})
    desk.do(partial(commands.enter_result, game=game.id, first=412, second=388))
    seats = ("Å. Ødegård", "X") if game.first == ANNA else ("X", "Å. Ødegård")
    sheet = Sheet(seats, (), sanctions=(SheetSanction(1, SanctionKind.WARNING, 0, "Åse spoke"),))
    ruling = TurnRuling(1, phony=True, author="Head judge", why="said Ødegård Åse")
    desk.do(partial(put_row, row=ScoreSheet(SheetId("x"), game.id, 1, sheet, (ruling,))), label="enter-sheet")
    warn = partial(commands.add_sanction, key="s", player=ANNA, kind=SanctionKind.WARNING, author="Head judge")
    desk.do(partial(warn, why="ØDEGÅRD was loud; Åses phone rang"), label="add-sanction")
    note = partial(commands.note_incident, key="i", division=DIVISION, kind=IncidentKind.LATE, at="2026-11-21")
    desk.do(
        partial(note, player=ANNA, note="Åse’s bus: Ødegård, Åse overslept", author="Jury"), label="note-incident"
    )


def read_file_text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", errors="replace")


def find_traces(file: Path) -> list[str]:
    text = read_file_text(file)
    return [trace for trace in TRACES if trace in text]


def list_ranks(value: Tournament) -> list[tuple[PlayerId, int, object]]:
    index = TournamentIndex(value)
    division: Division = value.divisions[DIVISION]
    return [(row.player.id, row.rank, row.tiebreak_values) for row in compute_standings(index, division)]


def test_erase_personal_data_leaves_no_name_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(7))
    enter_personal_data(desk)
    assert find_traces(file) == list(TRACES)
    assert desk.erase_personal_data([ANNA]) == {ANNA: "Player 8"}
    assert find_traces(file) == []
    assert desk.store.find_damage() == []
    desk.close()
    desk = Desk.open(file)
    assert desk.tournament.players[ANNA] == Player(ANNA, DIVISION, 8, "Player 8", rating=1777, checked_in=True)
    desk.close()


def test_erase_personal_data_covers_every_field() -> None:
    value = make_event(3)
    player = fill_player(value.players[BRAM])
    value = value.put(player)
    erased_player = make_personal_data_eraser(value, (), [BRAM]).erase_data_in_tournament(value).players[BRAM]
    assert find_equal_fields(erased_player, player) == STAYS


def test_erase_personal_data_keeps_texts_with_a_pseudonym() -> None:
    desk = make_desk(make_event(7))
    enter_personal_data(desk)
    desk.erase_personal_data([ANNA])
    value = desk.tournament
    sheet = next(iter(value.sheets.values()))
    assert value.players[BRAM].notes == "travels with Player 8"
    assert next(iter(value.constraints.values())).why == "Player 8 is his aunt"
    assert next(iter(value.sanctions.values())).why == "Player 8 was loud; Player 8s phone rang"
    assert next(iter(value.incidents.values())).note == "Player 8’s bus: Player 8 overslept"
    assert sorted(sheet.sheet.players) == ["Player 8", "X"]
    assert (sheet.sheet.sanctions[0].why, sheet.rulings[0].why) == ("Player 8 spoke", "said Player 8")
    assert sheet.rulings[0].author == "Head judge"
    facts = {step.label: remove_facts_added_by_desk(step.facts) for step in desk.list_all_steps()}
    assert facts["add-player"] == {"division": "A", "name": "Player 8", "rating": 1777}
    assert facts["check-in"]["player"] == "P1; Player 8"
    assert facts["forbid-pairing"] == {"player": "Player 8", "other": "P1", "why": "Player 8 is his aunt"}
    assert "Player 8" in {facts["enter-result"]["first_name"], facts["enter-result"]["second_name"]}


def test_erase_personal_data_step_names_pseudonyms_and_the_old_checksum(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "a.tdapp", make_event(4))
    pair_next(desk)
    head = open_raw_connection(desk.store).execute("SELECT head FROM meta").fetchone()[0]
    desk.erase_personal_data([BRAM])
    step = desk.list_all_steps()[-1]
    assert (step.label, step.facts) == ("erase-players", {"count": 1, "player": "Player 1", "head": head})
    assert desk.store.read_journal_entry(step.seq).changes == ()
    desk.close()


def test_erase_personal_data_ends_undo_and_redo_at_all_desks(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk, second_desk = Desk.create(file, make_event(4), station="one"), Desk.open(file, station="two")
    second_desk.do(partial(commands.edit_event, name="a"))
    second_desk.do(partial(commands.edit_event, name="b"))
    second_desk.undo()
    notified_diffs: list[Diff] = []
    second_desk.add_listener(notified_diffs.append)
    first_desk.erase_personal_data([BRAM])
    with pytest.raises(CommandError, match="erased-since"):
        first_desk.undo()
    with pytest.raises(CommandError, match="nothing-to-redo"):
        second_desk.redo()
    assert second_desk.tournament.players[BRAM].name == "Player 1"
    assert [change.id for changes in notified_diffs for change in changes] == [BRAM]
    first_desk.close()
    second_desk.close()
    first_desk = Desk.open(file, station="one")
    assert first_desk.undoable_step is None
    first_desk.do(partial(commands.edit_event, name="c"))
    first_desk.undo()
    with pytest.raises(CommandError, match="erased-since"):
        first_desk.undo()
    first_desk.close()


def test_erase_personal_data_refuses_an_undo_of_an_older_station(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk, second_desk = Desk.create(file, make_event(4), station="one"), Desk.open(file, station="two")
    second_desk.do(partial(commands.edit_player, player=BRAM, name="Bram"))
    first_desk.erase_personal_data([BRAM])
    with pytest.raises(CommandError, match="erased-since"):
        second_desk.undo()
    assert second_desk.tournament.players[BRAM].name == "Player 1"
    assert "Bram" not in str(second_desk.list_all_steps())
    first_desk.close()
    second_desk.close()


def test_erase_personal_data_includes_changes_of_another_station(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk, second_desk = Desk.create(file, make_event(4)), Desk.open(file, station="two")
    first_desk.do(partial(commands.edit_player, player=BRAM, name="Bram"))
    second_desk.erase_personal_data([BRAM])
    assert "Bram" not in read_file_text(file)
    assert second_desk.store.find_damage() == []
    first_desk.close()
    second_desk.close()


def test_erase_personal_data_reaches_a_station_with_missed_steps(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    first_desk, second_desk = Desk.create(file, make_event(4)), Desk.open(file)
    first_desk.erase_personal_data([BRAM])
    first_desk.do(partial(commands.edit_player, player=BRAM, club="Zuid"))
    second_desk.apply_changes_of_other_computers()  # the newest step changes a row that this desk does not know
    assert (second_desk.tournament.players[BRAM].name, second_desk.tournament.players[BRAM].club) == (
        "Player 1",
        "Zuid",
    )
    assert second_desk.list_all_steps() == first_desk.list_all_steps()
    first_desk.close()
    second_desk.close()


def test_erase_personal_data_changes_nothing_after_an_interruption(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(7))
    enter_personal_data(desk)
    old_tournament, history, content = desk.tournament, desk.store.read_journal(), file.read_bytes()
    open_raw_connection(desk.store).execute("PRAGMA max_page_count=1")  # SQLite uses the current size as the limit
    with pytest.raises(StorageError) as error_info:
        desk.erase_personal_data([ANNA], pseudonym_prefix="x" * 100_000)
    assert error_info.value.code == "disk-full"
    assert desk.tournament is old_tournament
    assert (desk.store.read_journal(), desk.store.find_damage()) == (history, [])
    assert file.read_bytes() == content
    open_raw_connection(desk.store).execute("PRAGMA max_page_count=100000")
    desk.undo()
    desk.close()


def test_erase_personal_data_refuses_a_read_only_file(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    Store.create(file, make_event(4)).close()
    desk = Desk.open(file, read_only=True)
    with pytest.raises(StorageError) as error_info:
        desk.erase_personal_data([BRAM])
    assert error_info.value.code == "read-only"
    assert desk.tournament.players[BRAM].name == "P1"
    desk.close()


def test_erase_personal_data_refuses_a_removed_player() -> None:
    desk = make_desk(make_event(4))
    with pytest.raises(CommandError, match="no-such-player"):
        desk.erase_personal_data([PlayerId("nobody")])
    assert desk.list_all_steps() == ()


def test_erase_personal_data_of_all_includes_removed_players(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(3))
    enter_personal_data(desk)
    command = partial(commands.add_player, key="g", division=DIVISION, name="Ødegård, Gro", number=77)
    desk.do(command, label="add-player")
    desk.do(partial(commands.remove_player, player=PlayerId("g")))
    pseudonyms = desk.erase_personal_data(None)
    assert sorted(pseudonyms.values()) == ["Player 1", "Player 2", "Player 3", "Player 4", "Player 77"]
    assert find_traces(file) == []
    assert "Gro" not in read_file_text(file)
    assert desk.list_all_steps()[-1].facts["count"] == 5
    desk.close()


def test_erase_personal_data_covers_both_divisions_of_a_moved_player() -> None:
    value = commands.add_division(pair_rounds(make_event(4)), key="e", code="B")
    value = commands.move_players(value, key="m", players=(BRAM,), division=DivisionId("e"))
    desk = make_desk(value)
    assert desk.erase_personal_data([BRAM]) == {BRAM: "Player A1", PlayerId("m.1"): "Player B1"}


def test_erase_personal_data_chooses_an_unused_pseudonym() -> None:
    value = make_event(4)
    desk = make_desk(value.put(Player(PlayerId("p2"), DIVISION, 2, "Player 1")))
    assert desk.erase_personal_data([BRAM]) == {BRAM: "Player 1 (2)"}
    assert desk.erase_personal_data([BRAM]) == {BRAM: "Player 1 (2)"}


def test_erase_personal_data_keeps_shared_parts_of_names() -> None:
    value = make_event(4)
    value = value.put(
        Player(BRAM, DIVISION, 1, "Li, Jan"),
        Player(PlayerId("p2"), DIVISION, 2, "Li, Kim", notes="Li; Jan; li, jan"),
    )
    desk = make_desk(value)
    desk.erase_personal_data([BRAM])
    assert desk.tournament.players[PlayerId("p2")].name == "Li, Kim"
    assert desk.tournament.players[PlayerId("p2")].notes == "Li; Player 1; Player 1"


@pytest.mark.slow
@settings(max_examples=20)
@given(st.sets(st.integers(1, 6), min_size=1), st.integers(0, 3))
def test_erase_personal_data_keeps_all_results_at_any_time(numbers: set[int], undo_count: int) -> None:
    desk = make_desk(make_event(6))
    for _ in range(2):
        pair_next(desk)
        desk.do(enter_results, label="enter-results")
    for number in (1, 4):
        desk.do(partial(commands.edit_player, player=PlayerId(f"p{number}"), name=f"Other {number}"))
    for _ in range(undo_count):
        desk.undo()
    past_steps = [desk.rebuild_tournament_at(seq) for seq in range(len(desk.list_all_steps()) + 1)]
    desk.erase_personal_data([PlayerId(f"p{number}") for number in numbers])
    assert [list_ranks(desk.rebuild_tournament_at(seq)) for seq in range(len(past_steps))] == [
        list_ranks(value) for value in past_steps
    ]
    assert all(desk.rebuild_tournament_at(seq).results == value.results for seq, value in enumerate(past_steps))
    assert all(
        desk.rebuild_tournament_at(seq).players[PlayerId(f"p{number}")].name == f"Player {number}"
        for seq in range(len(past_steps))
        for number in numbers
    )
    assert are_equal(desk.rebuild_tournament_at(len(past_steps)), desk.tournament)
    assert (desk.store.find_damage(), find_inconsistent_rows(desk.tournament)) == ([], ())
    with pytest.raises(CommandError, match="erased-since"):
        desk.undo()


def test_find_with_names_finds_snapshots_to_delete(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(5))
    desk.snapshots = snapshots = SnapshotFolder.from_tournament(file)
    snapshots.make_snapshot_if_changed(desk.store, SnapshotReason.START)
    enter_personal_data(desk)
    snapshots.make_snapshot_if_changed(desk.store, SnapshotReason.NAMED, "with her")
    pseudonyms = desk.erase_personal_data([ANNA])
    snapshots.make_snapshot_if_changed(desk.store, SnapshotReason.NAMED, "without")
    broken_snapshot = snapshots.folder / "2020-01-01 00.00.00Z start r0.tdapp"
    broken_snapshot.write_bytes(b"no file of ours")
    snapshots_with_name = snapshots.find_snapshots_with_player_names(pseudonyms)
    assert [item.name for item in snapshots_with_name] == ["with her", "", ""]
    assert [item.reason for item in snapshots_with_name] == [
        SnapshotReason.NAMED,
        SnapshotReason.PAIRING,
        SnapshotReason.START,
    ]
    assert snapshots_with_name[-1].path == broken_snapshot
    snapshots.delete_snapshots(snapshots_with_name)
    assert [item.name for item in snapshots.list_snapshots_newest_first()] == ["without", ""]
    assert snapshots.find_snapshots_with_player_names(pseudonyms) == ()
    desk.close()


def test_find_with_names_includes_unreadable_snapshots(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(4))
    desk.snapshots = snapshots = SnapshotFolder.from_tournament(file)
    pseudonyms = desk.erase_personal_data([BRAM])
    snapshot = snapshots.make_snapshot_if_changed(desk.store, SnapshotReason.START)
    assert snapshot is not None
    assert snapshots.find_snapshots_with_player_names(pseudonyms) == ()
    copy = sqlite3.connect(snapshot.path, isolation_level=None)
    copy.execute("UPDATE players SET name = CAST(x'ff' AS TEXT) WHERE id = 'p1'")
    copy.close()
    assert desk.find_snapshots_with_players([BRAM]) == (snapshot,)
    assert desk.delete_snapshots_with_players(pseudonyms) == 1
    desk.close()


def test_delete_snapshots_with_reports_a_failure(tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    desk = Desk.create(file, make_event(4))
    desk.snapshots = SnapshotFolder.from_tournament(file)
    folder = desk.snapshots.folder / "2026-11-21 10.00.00Z start r0.tdapp"
    folder.mkdir(parents=True)
    pseudonyms = desk.erase_personal_data([BRAM])
    with pytest.raises(StorageError) as error_info:
        desk.delete_snapshots_with_players(pseudonyms)
    assert error_info.value.facts["path"] == str(folder)
    desk.close()


def test_find_snapshots_with_is_empty_in_memory() -> None:
    desk = make_desk(make_event(4))
    assert desk.find_snapshots_with_players(None) == ()
    assert desk.delete_snapshots_with_players(desk.erase_personal_data(None)) == 0
