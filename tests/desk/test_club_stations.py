"""Tests of a club tournament on a server with an entry station and a director."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, RoundId, SeasonId, Seat
from tdapp.domain.roles import Role
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import compute_season_lines
from tdapp.domain.stages import find_running_evening
from tdapp.domain.tables.evenings import MemberPresence, make_member_table
from tdapp.pairing import propose_pairings
from tdapp.storage import Address, Store, relocation
from tests.building import DIVISION
from tests.clubs import make_club
from tests.desk.test_desk import are_equal
from tests.storage.postgres import Cluster

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

MEMBERS, PRESENT_COUNT = 9, 7  # two tables of two players, one table of three
SEASON = SeasonId("half-year")


@pytest.fixture
def club_file(tmp_path: Path) -> Path:
    path = tmp_path / "club.tdapp"
    desk = Desk.create(path, make_club(MEMBERS))
    desk.do(partial(commands.add_season, key=SEASON, name="Autumn", rule=SeasonRule("own", "Own")))
    desk.close()
    return path


@pytest.fixture
def stations(cluster: Cluster, database: Address, club_file: Path) -> Iterator[dict[Role, Desk]]:
    """Share the club file. Open a desk for each role, with its own login."""
    store = Store.open(club_file)
    relocation.move_tournament_to_server(store, database)
    store.close()
    director = Desk.open(database)
    desks = {Role.DIRECTOR: director}
    for role in (Role.ENTRY, Role.JURY):
        login = f"{role}_{database.stem}"
        director.store.server.create_login_or_change_role(login, role, "opensesame")
        desks[role] = Desk.open(cluster.make_address(database.stem, login, "opensesame"))
    yield desks
    for desk in desks.values():
        desk.close()


def begin_evening(desk: Desk, date: str) -> None:
    desk.do(partial(commands.begin_evening, key=f"e{date}", division=DIVISION, date=date))


def check_in(desk: Desk, *numbers: int, present: bool = True) -> None:
    players = tuple(PlayerId(f"p{number}") for number in numbers)
    desk.do(partial(commands.check_in, players=players, present=present))


def pair_round(desk: Desk) -> None:
    proposal = propose_pairings(desk.index, DIVISION)
    desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=proposal))


def enter_tables(*desks: Desk) -> None:
    """Enter all results of the last round. The desks take turns."""
    desks[0].apply_changes_of_other_computers()
    round_row = desks[0].index.rounds(DIVISION)[-1]
    tables = sorted(desks[0].index.list_tables(round_row.id))
    for index, table in enumerate(tables):
        desk = desks[index % len(desks)]
        desk.apply_changes_of_other_computers()
        seats = list_seats(desk, round_row.id, table)
        if seats:
            points = tuple(300 + 10 * seat.position + index for seat in seats)
            desk.do(partial(commands.enter_seats, round=round_row.id, table=table, points=points))
        else:
            game = next(game_ for game_ in desk.index.games(round_row.id) if game_.table == table)
            desk.do(partial(commands.enter_result, game=game.id, first=400 + index, second=350))


def list_seats(desk: Desk, item: RoundId, table: int) -> tuple[Seat, ...]:
    table_seats = (seats for seats in desk.index.list_seats_by_table(item) if seats[0].table == table)
    return next(table_seats, ())


def list_season_lines(desk: Desk) -> list[tuple[str, int | None, str]]:
    season = desk.tournament.seasons[SEASON]
    return [(line.member.name, line.rank, str(line.total)) for line in compute_season_lines(desk.index, season)]


def list_present_members(desk: Desk) -> set[str]:
    stage = find_running_evening(desk.index, DIVISION)
    rows = make_member_table(desk.index, DIVISION, stage).rows
    return {row.key for row in rows if row.state is MemberPresence.HERE}


def test_stations_run_a_club_evening(
    stations: dict[Role, Desk], cluster: Cluster, database: Address, tmp_path: Path
) -> None:
    director, entry, jury = (stations[role] for role in (Role.DIRECTOR, Role.ENTRY, Role.JURY))
    for date in ("2026-10-06", "2026-10-13"):
        director.apply_changes_of_other_computers()
        begin_evening(director, date)
        entry.apply_changes_of_other_computers()
        assert list_present_members(entry) == set()
        check_in(entry, *range(1, PRESENT_COUNT + 1))
        director.apply_changes_of_other_computers()
        assert len(list_present_members(director)) == PRESENT_COUNT
        for _ in range(2):
            director.apply_changes_of_other_computers()
            pair_round(director)
            enter_tables(entry, director, jury)
    for desk in stations.values():
        desk.apply_changes_of_other_computers()
    assert list_season_lines(entry) == list_season_lines(director) == list_season_lines(jury)
    assert {total for _, _, total in list_season_lines(director)} != {"0"}
    assert are_equal(entry.tournament, director.tournament)
    check_in(entry, 2, present=False)
    director.apply_changes_of_other_computers()
    assert "p2" not in list_present_members(director)
    pair_round(director)
    assert PlayerId("p2") not in {
        player
        for game in director.index.games(director.index.rounds(DIVISION)[-1].id)
        for player in (game.first, game.second)
    }
    assert director.store.find_damage() == []
    restored_file = tmp_path / "back.tdapp"
    relocation.copy_tournament_to_file(director.store, restored_file)
    with_file = Desk.open(restored_file)
    assert list_season_lines(with_file) == list_season_lines(director)
    with_file.close()


def test_entry_station_corrects_and_clears_a_table_of_three(stations: dict[Role, Desk]) -> None:
    director, entry = stations[Role.DIRECTOR], stations[Role.ENTRY]
    begin_evening(director, "2026-10-06")
    check_in(director, 1, 2, 3)
    pair_round(director)
    entry.apply_changes_of_other_computers()
    item = entry.index.rounds(DIVISION)[-1]
    table = entry.index.list_tables(item.id)[0]
    old_seats = list_seats(entry, item.id, table)
    entry.do(partial(commands.enter_seats, round=item.id, table=table, points=(300, 280, 260), seen=old_seats))
    with pytest.raises(CommandError, match="changed-meanwhile"):
        director.do(partial(commands.enter_seats, round=item.id, table=table, points=(1, 2, 3), seen=old_seats))
    director.apply_changes_of_other_computers()
    current_seats = list_seats(director, item.id, table)
    director.do(
        partial(commands.enter_seats, round=item.id, table=table, points=(310, 280, 260), seen=current_seats)
    )
    entry.apply_changes_of_other_computers()
    assert [seat.points for seat in list_seats(entry, item.id, table)] == [310, 280, 260]
    entry.do(partial(commands.clear_seats, round=item.id, table=table))
    director.apply_changes_of_other_computers()
    assert [seat.points for seat in list_seats(director, item.id, table)] == [None, None, None]
    entry.undo()
    director.apply_changes_of_other_computers()
    assert [seat.points for seat in list_seats(director, item.id, table)] == [310, 280, 260]


@pytest.mark.parametrize("role", [Role.ENTRY, Role.JURY])
def test_entry_station_cannot_begin_an_evening_or_change_the_season(
    stations: dict[Role, Desk], role: Role
) -> None:
    desk = stations[role]
    with pytest.raises(CommandError, match="role-may-not"):
        begin_evening(desk, "2026-10-06")
    with pytest.raises(CommandError, match="role-may-not"):
        desk.do(partial(commands.remove_season, season=SEASON))
    with pytest.raises(CommandError, match="role-may-not"):
        desk.do(partial(commands.add_member, key="x", division=DIVISION, name="New"))
    assert TournamentIndex(stations[Role.DIRECTOR].tournament).listed_seasons
