"""Builders of clubs with tables of three and four players, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, Seat
from tdapp.domain.ruleset import (
    OddPlayerRule,
    PlacePointsByTableSize,
    PlayersPerTableRule,
    RuleSet,
    TotalPointsFactorsByTableSize,
)
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, get_last_round, make_event, pair_rounds

THREE = PlayersPerTableRule(odd=OddPlayerRule.THREE)
FACTOR = TotalPointsFactorsByTableSize(Fraction(3, 2), Fraction(2))
BY_PLACE = PlacePointsByTableSize((Fraction(1), Fraction(1, 2), Fraction(0)))


def make_club(
    players: int, tables: PlayersPerTableRule = THREE, *, system: str = "swiss", **rules: Any
) -> Tournament:
    """Return a club with a ranking by total points. Its results need no check by a jury."""
    value = make_event(players, rounds=9, system=system, rules="nl-points")
    value = commands.change_rules(value, ruleset=replace(value.ruleset, tables=tables, **rules))
    return commands.set_check_first(value, check_first=False)


def make_club_rules(tables: PlayersPerTableRule = THREE, **changes: Any) -> RuleSet:
    return replace(make_event(2, rules="nl-points").ruleset, tables=tables, **changes)


def make_seats(*points: int | None, resigned: Sequence[int] = ()) -> tuple[Seat, ...]:
    """Return the seats of a table with their points. `resigned` are the positions of players who gave up."""
    value = pair_rounds(make_club(len(points), PlayersPerTableRule(prefer=0)), results=False)
    entered = value.put(
        *(
            replace(seat, points=number, left=seat.position in resigned, state="entered")
            for seat, number in zip(TournamentIndex(value).seats(get_last_round(value).id), points, strict=True)
        )
    )
    return TournamentIndex(entered).seats(get_last_round(value).id)


def list_seated_players(value: Tournament) -> list[set[str]]:
    """Return the players at each table of the last round, in the order of the tables."""
    index, item = TournamentIndex(value), get_last_round(value)
    tables = {game.table: {str(game.first), str(game.second)} for game in index.games(item.id)}
    tables |= {
        seats[0].table: {str(seat.player) for seat in seats} for seats in index.list_seats_by_table(item.id)
    }
    return [tables[number] for number in sorted(tables)]


def enter_points(value: Tournament, points: Mapping[str, int]) -> Tournament:
    """Enter the points of each player in the last round."""
    index, item = TournamentIndex(value), get_last_round(value)
    points_by_player = {PlayerId(player): number for player, number in points.items()}
    for game in index.games(item.id):
        value = commands.enter_result(
            value, game=game.id, first=points_by_player[game.first], second=points_by_player[game.second]
        )
    for seats in index.list_seats_by_table(item.id):
        seat_points = tuple(points_by_player[seat.player] for seat in seats)
        value = commands.enter_seats(value, round=item.id, table=seats[0].table, points=seat_points)
    return value


def map_standings_by_player(value: Tournament) -> dict[str, Standing]:
    return {row.player.id: row for row in compute_standings(TournamentIndex(value), value.divisions[DIVISION])}


def play_two_evenings(players: int = 4) -> Tournament:
    """Return a club with two games on 1 September, and one game without results on 8 September."""
    player_ids = tuple(PlayerId(f"p{number}") for number in range(1, players + 1))
    value = commands.begin_evening(make_event(players), key="e1", division=DIVISION, date="2026-09-01")
    value = pair_rounds(commands.check_in(value, players=player_ids), times=2)
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    return pair_rounds(commands.check_in(value, players=player_ids), results=False)
