"""Tests of the command that seats a latecomer opposite the player with the bye."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import PAIRING_COMMANDS, list_latecomers_who_can_get_table, seat_latecomer
from tests.building import (
    DIVISION,
    enter_results,
    get_game_at,
    get_last_round,
    get_player,
    make_event,
    pair_rounds,
)


def make_event_with_latecomer() -> tuple[Tournament, PlayerId, PlayerId]:
    """Return an event with a published round, the player with the bye, and a latecomer."""
    tournament = commands.add_player(
        pair_rounds(make_event(5), results=False), key="late", division=DIVISION, name="Late"
    )
    return tournament, next(iter(tournament.byes.values())).player, get_player(tournament, 6).id


def test_seat_latecomer_starter_is_named_or_by_balance() -> None:
    tournament, bye_player, latecomer = make_event_with_latecomer()
    item = get_last_round(tournament).id
    for starter in (bye_player, latecomer):
        tournament_after = seat_latecomer(tournament, key="g", round=item, player=latecomer, starter=starter)
        assert get_game_at(tournament_after, 3).first == starter
    game = get_game_at(seat_latecomer(tournament, key="g", round=item, player=latecomer), 3)
    assert {game.first, game.second} == {bye_player, latecomer}


def test_list_seatable_latecomers_includes_checked_in_absentees_only() -> None:
    event, kinds = make_event(8), (ByeKind.ABSENT, ByeKind.FORFEIT, ByeKind.REQUESTED)
    ids = [get_player(event, number).id for number in (1, 2, 3, 4)]
    for player, kind in zip(ids, kinds, strict=False):
        event = commands.set_absence(event, key=player, player=player, first_round=1, kind=kind)
    event = commands.set_absence(event, key=ids[3], player=ids[3], first_round=1, last_round=2)
    event = commands.add_player(event, key="odd", division=DIVISION, name="Odd")
    event = pair_rounds(event, results=False)
    event = commands.check_in(event, players=tuple(ids))
    item = get_last_round(event)
    assert set(list_latecomers_who_can_get_table(TournamentIndex(event), item)) == set(ids[:2])
    assert not list_latecomers_who_can_get_table(TournamentIndex(enter_results(event)), item)


def test_seat_latecomer_is_one_command() -> None:
    all_commands = {**commands.COMMANDS, **PAIRING_COMMANDS}
    assert [name for name in all_commands if "late" in name] == ["seat-latecomer"]
