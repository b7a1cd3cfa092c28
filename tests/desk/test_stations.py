"""Tests of stations of a tournament on a server: roles, undo, conflicts and notifications."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import IntegrityError

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentKind, SheetId
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    Division,
    DivisionId,
    EventId,
    GameId,
    PlayerId,
    Result,
    ResultState,
    RoundId,
)
from tdapp.domain.publishing import make_public_view
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Row, Tournament
from tdapp.pairing import propose_pairings
from tdapp.storage import Address, Store
from tests.building import DIVISION, get_game_at, get_player, make_event, pair_next
from tests.desk.test_desk import are_equal, rename_event
from tests.storage import full_tournament
from tests.storage.postgres import Cluster

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

Stations = dict[Role, Desk]


@pytest.fixture
def stations(cluster: Cluster, database: Address) -> Iterator[Stations]:
    """Return a desk for each role, each with its own login."""
    director = Desk.create(database, make_event(8))
    pair_next(director)
    desks = {Role.DIRECTOR: director}
    for role in (Role.ENTRY, Role.JURY, Role.DISPLAY):
        login = f"{role}_{database.stem}"
        director.store.server.create_login_or_change_role(login, role, "opensesame")
        desks[role] = Desk.open(cluster.make_address(database.stem, login, "opensesame"))
    yield desks
    for desk in desks.values():
        desk.close()


def enter_result(
    desk: Desk, table: int, first: int, second: int, seen: commands.ResultBeforeChange | None = None
) -> None:
    game = get_game_at(desk.tournament, table).id
    command = partial(commands.enter_result, game=game, first=first, second=second, seen=seen)
    desk.do(command, label="enter-result")


def test_station_has_its_role_and_its_login_as_name(stations: Stations, database: Address) -> None:
    assert all(desk.role is role for role, desk in stations.items())
    names_by_role = {role: desk.station for role, desk in stations.items()}
    assert names_by_role == {
        Role.DIRECTOR: "director",
        **{role: f"{role}_{database.stem}" for role in (Role.ENTRY, Role.JURY, Role.DISPLAY)},
    }


def test_station_of_a_second_director_has_all_rights(cluster: Cluster, database: Address) -> None:
    first_desk = Desk.create(database, make_event(8))
    first_desk.store.server.create_login_or_change_role(f"dora_{database.stem}", Role.DIRECTOR, "x")
    second_desk = Desk.open(cluster.make_address(database.stem, f"dora_{database.stem}", "x"))
    assert (second_desk.role, second_desk.station) == (Role.DIRECTOR, f"dora_{database.stem}")
    rename_event(second_desk, "Hers")
    pair_next(second_desk)
    first_desk.apply_changes_of_other_computers()
    assert are_equal(first_desk.tournament, second_desk.tournament)
    with pytest.raises(CommandError, match="nothing-to-undo"):
        first_desk.undo()
    first_desk.close()
    second_desk.close()


def test_station_can_run_the_commands_of_its_role(stations: Stations) -> None:
    enter_result(stations[Role.ENTRY], 1, 400, 300)
    enter_result(stations[Role.JURY], 2, 400, 300)
    jury = stations[Role.JURY]
    note = partial(
        commands.note_incident,
        key=jury.make_row_id(),
        division=DIVISION,
        kind=IncidentKind.OTHER,
        note="noise",
        at="2026-01-02T03:04:05Z",
    )
    jury.do(note, label="note-incident")
    for role in (Role.ENTRY, Role.DISPLAY):
        with pytest.raises(CommandError, match="role-may-not"):
            stations[role].do(note, label="note-incident")
    with pytest.raises(CommandError, match="role-may-not"):
        enter_result(stations[Role.DISPLAY], 3, 1, 2)
    for role in (Role.ENTRY, Role.JURY, Role.DISPLAY):
        with pytest.raises(CommandError, match="role-may-not"):
            rename_event(stations[role], "Mine")
    director = stations[Role.DIRECTOR]
    director.apply_changes_of_other_computers()
    assert [step.station.partition("_")[0] for step in director.list_all_steps()] == [
        "director",
        "entry",
        "jury",
        "jury",
    ]
    assert director.store.find_damage() == []


def test_station_cannot_hide_a_command_under_another_label(stations: Stations) -> None:
    entry = stations[Role.ENTRY]
    with pytest.raises(CommandError, match="role-may-not"):
        entry.do(partial(commands.edit_event, name="Mine"), label="enter-result")


@pytest.mark.parametrize("role", [Role.ENTRY, Role.JURY, Role.DISPLAY])
def test_station_cannot_change_the_database_without_the_desk(stations: Stations, role: Role) -> None:
    desk, old_rows = stations[role], stations[Role.DIRECTOR].tournament
    desk.role = Role.DIRECTOR
    with pytest.raises(StorageError) as error_info:
        rename_event(desk, "Mine")
    assert error_info.value.code == "no-permission"
    stations[Role.DIRECTOR].apply_changes_of_other_computers()
    assert are_equal(stations[Role.DIRECTOR].tournament, old_rows)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET station = 'somebody'",
        "DELETE FROM journal",
        "DELETE FROM games",
        'UPDATE games SET "table" = 9',
        "UPDATE games SET round = 'x', first = second",
        "UPDATE games SET locked = 1",
        "UPDATE games SET id = 'x'",
        "UPDATE meta SET created = 'x'",
        "UPDATE meta SET program = 'x'",
        "UPDATE players SET name = 'x'",
        "DELETE FROM meta",
        "CREATE TABLE tdapp.more (id bigint)",
        "DROP TABLE results",
        "TRUNCATE results",
        "SET ROLE owner",
    ],
)
def test_entry_station_cannot_change_other_rows_by_hand(
    stations: Stations, cluster: Cluster, database: Address, statement: str
) -> None:
    login = cluster.make_address(database.stem, stations[Role.ENTRY].station, "opensesame")
    expected_error = pytest.raises(psycopg.errors.InsufficientPrivilege)
    with expected_error, psycopg.connect(login.secret, options="-c search_path=tdapp") as connection:
        connection.execute(statement)


def test_create_login_changes_the_role_of_a_login(stations: Stations, cluster: Cluster, database: Address) -> None:
    login = stations[Role.JURY].station
    stations[Role.DIRECTOR].store.server.create_login_or_change_role(login, Role.ENTRY, "")
    reopened_desk = Store.open(cluster.make_address(database.stem, login, "opensesame"))
    assert reopened_desk.role is Role.ENTRY
    reopened_desk.close()


def test_create_login_requires_a_director_and_refuses_the_name_director(stations: Stations) -> None:
    with pytest.raises(StorageError) as error_info:
        stations[Role.ENTRY].store.server.create_login_or_change_role("friend", Role.DIRECTOR, "x")
    assert error_info.value.code == "no-permission"
    with pytest.raises(StorageError) as error_info:
        stations[Role.DIRECTOR].store.server.create_login_or_change_role("Director", Role.DISPLAY, "x")
    assert error_info.value.code == "login-reserved"


def test_undo_of_a_station_reverts_its_own_last_step(stations: Stations) -> None:
    entry, jury, director = (stations[role] for role in (Role.ENTRY, Role.JURY, Role.DIRECTOR))
    enter_result(entry, 1, 400, 300)
    enter_result(jury, 2, 400, 300)
    rename_event(director, "Later")
    old_rows = get_game_at(entry.tournament, 1).id
    assert entry.undo().station == entry.station
    jury.apply_changes_of_other_computers()
    assert old_rows not in jury.tournament.results
    assert len(jury.tournament.results) == 1
    assert jury.tournament.event.name == "Later"
    entry.redo()
    director.apply_changes_of_other_computers()
    assert len(director.tournament.results) == 2


def test_undo_of_a_station_names_a_later_author(stations: Stations) -> None:
    entry, jury = stations[Role.ENTRY], stations[Role.JURY]
    enter_result(entry, 1, 400, 300)
    jury.apply_changes_of_other_computers()
    enter_result(jury, 1, 410, 300)
    with pytest.raises(CommandError) as error_info:
        entry.undo()
    assert error_info.value.code == "undo-changed-since"
    assert error_info.value.facts["who"] == jury.station
    assert error_info.value.facts["seq"] == jury.list_all_steps()[-1].seq
    assert error_info.value.facts["when"] == jury.list_all_steps()[-1].at


def test_enter_result_names_the_first_station_in_the_refusal(stations: Stations) -> None:
    entry, jury = stations[Role.ENTRY], stations[Role.JURY]
    enter_result(entry, 1, 400, 300)
    with pytest.raises(CommandError) as error_info:
        enter_result(jury, 1, 410, 300, seen=commands.ResultBeforeChange(None))
    assert error_info.value.code == "changed-meanwhile"
    assert error_info.value.facts["who"] == entry.station
    assert error_info.value.facts["when"] == entry.list_all_steps()[-1].at
    assert jury.tournament.results[get_game_at(jury.tournament, 1).id].first == 400


def test_read_store_changes_shows_the_steps_of_other_stations(stations: Stations) -> None:
    entry, display = stations[Role.ENTRY], stations[Role.DISPLAY]
    display.store.wait_for_change(5)
    changed_kinds: list[str] = []
    display.add_listener(lambda changes: changed_kinds.extend(item.kind for item in changes))
    for table in (1, 2):
        enter_result(entry, table, 400, 300)
        assert display.store.wait_for_change(60)
        display.apply_changes_of_other_computers()
    entry.undo()
    display.apply_changes_of_other_computers()
    assert changed_kinds == ["results"] * 3
    assert are_equal(display.tournament, make_public_view(entry.tournament))
    assert display.list_all_steps() == ()
    assert list(display.tournament.results) == list(Desk(display.store).tournament.results)


def test_station_continues_after_a_lost_connection(
    stations: Stations, cluster: Cluster, database: Address
) -> None:
    entry, jury = stations[Role.ENTRY], stations[Role.JURY]
    enter_result(entry, 1, 400, 300)
    cluster.cut_connections(database.stem)
    enter_result(jury, 2, 400, 300)
    enter_result(entry, 3, 400, 300)
    jury.apply_changes_of_other_computers()
    tables = {jury.tournament.games[key].table for key in jury.tournament.results}
    assert tables == {1, 2, 3}
    assert len(jury.list_all_steps()) == 4


def test_read_store_changes_reads_all_after_a_rewritten_journal(
    stations: Stations, cluster: Cluster, database: Address
) -> None:
    director, entry = stations[Role.DIRECTOR], stations[Role.ENTRY]
    rename_event(director, "Later")
    last = director.list_all_steps()[-1]
    director.store.save_step((), replace(last, seq=last.seq + 1))
    cluster.run_statement("UPDATE tdapp.journal SET label = 'other' WHERE seq = 1", database.stem)
    entry.apply_changes_of_other_computers()
    assert entry.tournament.event.name == "Later"
    assert [step.label for step in entry.list_all_steps()] == ["other", "edit-event", "edit-event"]


def test_erase_personal_data_on_a_server_reaches_stations(
    stations: Stations, cluster: Cluster, database: Address
) -> None:
    director, entry = stations[Role.DIRECTOR], stations[Role.ENTRY]
    name = "Quetzalcoatl Zyx"
    player_ = get_player(director.tournament, 1)
    director.do(partial(commands.edit_player, player=player_.id, name=name))
    enter_result(entry, 1, 400, 300)
    with pytest.raises(CommandError, match="role-may-not"):
        entry.erase_personal_data({player_.id})
    assert name.encode() in read_database_files(cluster, database)
    director.erase_personal_data({player_.id})
    entry.apply_changes_of_other_computers()
    assert are_equal(entry.tournament, director.tournament)
    assert entry.tournament.players[player_.id].name != name
    assert name not in repr(entry.store.read_journal())
    assert entry.store.find_damage() == []
    assert name.encode() not in read_database_files(cluster, database)
    with pytest.raises(CommandError, match="erased-since"):
        entry.undo()


def read_database_files(cluster: Cluster, database: Address) -> bytes:
    """Return the content of all files of a database."""
    ((oid,),) = cluster.run_statement(f"SELECT oid FROM pg_database WHERE datname = '{database.stem}'")  # noqa: S608
    cluster.run_statement("CHECKPOINT")
    files = (cluster.folder / "data" / "base" / str(oid)).iterdir()
    return b"".join(file.read_bytes() for file in files if file.is_file())


# --- a step with an unknown outcome


@pytest.mark.parametrize("is_saved", [True, False])
def test_desk_do_runs_a_step_of_unknown_outcome_once(
    cluster: Cluster, database: Address, monkeypatch: pytest.MonkeyPatch, is_saved: bool
) -> None:
    desk = Desk.create(database, make_event(8))
    commit: Any = PGDialect_psycopg.do_commit
    is_cut: list[int] = []

    def commit_and_close(dialect: Any, connection: Any) -> None:
        if is_saved or is_cut:
            commit(dialect, connection)
        if not is_cut:
            cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
            is_cut.append(cluster.cut_connections(database.stem))
            connection.execute("SELECT 1")  # the answer of the server is lost

    monkeypatch.setattr(PGDialect_psycopg, "do_commit", commit_and_close)
    command = partial(commands.edit_event, name="Once")
    with pytest.raises(StorageError) as error_info:
        desk.do(command, label="edit-event")
    assert error_info.value.code == "server-lost-saving"
    with pytest.raises(StorageError):
        desk.do(command, label="edit-event")
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    assert desk.do(command, label="edit-event")
    assert [step.label for step in desk.list_all_steps()] == ["edit-event"]
    assert desk.tournament.event.name == "Once"
    assert not desk.do(command, label="edit-event")  # the second run changes nothing
    assert desk.undo().seq == 1
    desk.close()


def test_station_of_a_second_director_writes_rows_of_every_kind(cluster: Cluster, database: Address) -> None:
    first_desk = Desk.create(database, make_event(0))
    first_desk.store.server.create_login_or_change_role(f"dora_{database.stem}", Role.DIRECTOR, "x")
    second_desk = Desk.open(cluster.make_address(database.stem, f"dora_{database.stem}", "x"))
    rows = full_tournament.build_full_tournament()
    second_desk.do(lambda _value: rows, label="import-tournament")
    first_desk.apply_changes_of_other_computers()
    assert are_equal(first_desk.tournament, rows)
    assert first_desk.store.find_damage() == []
    second_desk.undo()
    first_desk.apply_changes_of_other_computers()
    assert are_equal(first_desk.tournament, make_event(0))
    second_desk.redo()
    assert are_equal(Desk(first_desk.store).tournament, rows)
    with pytest.raises(StorageError, match="no-permission"):
        second_desk.erase_personal_data(None)
    first_desk.close()
    second_desk.close()


def make_conflicting_rows(value: Tournament) -> dict[str, Row]:
    """Return rows that conflict with existing rows, by fault."""
    game, sheet = next(iter(value.games.values())), next(iter(value.sheets.values()))
    player_, last = value.players[PlayerId("p1")], list(value.rounds.values())[-1]
    return {
        "table": replace(game, id=GameId("x"), first=PlayerId("p6"), second=PlayerId("p7")),
        "seat": Bye(ByeId("x"), game.round, game.first, ByeKind.BYE),
        "number": replace(player_, id=PlayerId("x")),
        "division": Division(DivisionId("x"), "a"),
        "round": replace(last, id=RoundId("x")),
        "sheet": replace(sheet, id=SheetId("x")),
        "parent": replace(sheet, id=SheetId("x"), game=GameId("nowhere"), form=2),
        "points": Result(game.id, ResultState.ENTERED, first=400),
        "event": replace(value.event, id=EventId("x")),
    }


@pytest.mark.parametrize("fault", sorted(make_conflicting_rows(full_tournament.build_full_tournament())))
def test_station_cannot_leave_an_inconsistent_tournament(cluster: Cluster, database: Address, fault: str) -> None:
    with closing(Desk.create(database, full_tournament.build_full_tournament())) as first_desk:
        first_desk.store.server.create_login_or_change_role(f"dora_{database.stem}", Role.DIRECTOR, "x")
        row = make_conflicting_rows(first_desk.tournament)[fault]
        with closing(Desk.open(cluster.make_address(database.stem, f"dora_{database.stem}", "x"))) as second_desk:
            with pytest.raises((StorageError, IntegrityError)):
                second_desk.do(lambda value: value.put(row), label="edit-event")
            second_desk.apply_changes_of_other_computers()
        assert are_equal(first_desk.tournament, Desk(first_desk.store).tournament)
        assert first_desk.store.find_damage() == []


# --- many stations at the same time


def make_three_divisions() -> Tournament:
    """Return a tournament with three divisions of 200 players and open first rounds."""
    value = make_event(200)
    for code in "BC":
        division = DivisionId(code)
        value = commands.add_division(value, key=division, code=code)
        value = commands.add_stage(value, key=f"s{code}", division=division, system="swiss", rounds=5)
        entries = tuple(PlayerEntry(number=number, name=f"{code}{number}") for number in range(1, 201))
        value = commands.import_players(value, key=code, division=division, entries=entries)
    for division in value.divisions:
        value = commands.pair_round(
            value, key=f"r{division}", proposal=propose_pairings(TournamentIndex(value), division)
        )
    return value


def enter_results(desk: Desk, games: list[GameId], points: int, refusals: int) -> dict[GameId, int]:
    """Enter results of games, some after a refused attempt. Return the saved points by game."""
    confirmed = {}
    for index, game in enumerate(games):
        if index % 10 == 0 and index // 10 < refusals:
            invalid_command = partial(commands.enter_result, game=game, first=9_000, second=1)
            with pytest.raises(CommandError):
                desk.do(invalid_command, label="enter-result")
        score = points + index
        desk.do(partial(commands.enter_result, game=game, first=score, second=300))
        confirmed[game] = score
    return confirmed


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_stations_enter_300_results_at_the_same_time(cluster: Cluster, database: Address) -> None:
    director = Desk.create(database, make_three_divisions())
    games = [game.id for game in director.tournament.games.values()]
    assert len(games) == 300
    desks = []
    for number in range(3):
        login = f"entry{number}_{database.stem}"
        director.store.server.create_login_or_change_role(login, Role.ENTRY, "opensesame")
        desks.append(Desk.open(cluster.make_address(database.stem, login, "opensesame")))
    with ThreadPoolExecutor(3) as pool:
        futures = [
            pool.submit(enter_results, desk, games[number::3], 310 + 100 * number, 10 if number == 0 else 0)
            for number, desk in enumerate(desks)
        ]
        confirmed = {game: score for future in futures for game, score in future.result().items()}
    director.apply_changes_of_other_computers()
    stored_scores = {game: result.first for game, result in director.tournament.results.items()}
    assert stored_scores == confirmed
    steps = [step for step in director.list_all_steps() if step.label == "enter-result"]
    assert len(steps) == 300
    assert {step.station for step in steps} == {f"entry{number}_{database.stem}" for number in range(3)}
    assert director.store.find_damage() == []
    for desk in (*desks, director):
        desk.close()
