"""Tests of the profile of a player."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import players
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


@pytest.fixture
def seven_players() -> Tournament:
    """Return seven players after three rounds with three byes."""
    return pair_rounds(make_event(7), times=3)


def test_make_card_line_table_has_game_opponent_and_sheets(seven_players: Tournament) -> None:
    index = TournamentIndex(seven_players)
    division_players = index.players(DIVISION)
    assert len(division_players) == 7
    for player in division_players:
        rows = players.make_detailed_player_card_table(index, player).rows
        assert len(rows) == len(index.list_published_rounds(DIVISION)) > 0
        for line in rows:
            if line.game is None:
                assert line.row.bye == ByeKind.BYE
                assert line.opponent_id is None
                continue
            game = seven_players.games[line.game]
            assert {game.first, game.second} == {player.id, line.opponent_id}
            assert (line.row.table, line.row.starts) == (game.table, game.first == player.id)
            assert line.sheets == 0


def test_make_resistance_table_sums_to_the_standings(seven_players: Tournament) -> None:
    index = TournamentIndex(seven_players)
    rows = compute_standings(index, seven_players.divisions[DIVISION])
    assert len(rows) == 7
    for row in rows:
        lines = players.make_resistance_table(index, row.player).rows
        assert lines[-1].total == sum(line.resistance for line in lines) == row.resistance_points


def test_find_unfinished_round_is_the_newest_open_game(seven_players: Tournament) -> None:
    assert players.find_unfinished_round(TournamentIndex(seven_players), get_player(seven_players, 1)) is None
    after = pair_rounds(seven_players, results=False)
    game = get_game_at(after, 1)
    first, second = after.players[game.first], after.players[game.second]
    unfinished_round = players.find_unfinished_round(TournamentIndex(after), second)
    assert unfinished_round is not None
    assert (
        unfinished_round.round,
        unfinished_round.is_draft,
        unfinished_round.game,
        unfinished_round.opponent,
        unfinished_round.starts,
    ) == (
        4,
        False,
        game,
        first,
        False,
    )
    after = commands.enter_result(after, game=game.id, first=400, second=300)
    assert players.find_unfinished_round(TournamentIndex(after), second) is None


def test_find_unfinished_round_of_a_draft(seven_players: Tournament) -> None:
    proposal = propose_pairings(TournamentIndex(seven_players), DIVISION)
    after = commands.propose_round(seven_players, key="d", proposal=proposal)
    (bye,) = TournamentIndex(after).byes(get_last_round(after).id)
    unfinished_round = players.find_unfinished_round(TournamentIndex(after), after.players[bye.player])
    assert unfinished_round == players.NewestRoundWithoutResult(4, is_draft=True, bye=ByeKind.BYE)


def test_find_unfinished_round_before_the_first_round() -> None:
    value = make_event(4)
    assert players.find_unfinished_round(TournamentIndex(value), get_player(value, 1)) is None


def test_make_note_table_lists_records_by_round(seven_players: Tournament) -> None:
    first_id, second_id, third_id = (get_player(seven_players, number).id for number in (1, 2, 3))
    value = commands.set_absence(seven_players, key="a", player=first_id, first_round=5)
    kind = SanctionKind.WARNING
    value = commands.add_sanction(value, key="w", player=first_id, kind=kind, why="late", round_number=2)
    value = commands.add_sanction(value, key="x", player=second_id, kind=kind, why="late", round_number=2)
    value = commands.keep_apart(value, key="b", player=second_id, other=third_id)
    rows = players.make_player_note_table(TournamentIndex(value), value.players[first_id]).rows
    assert [(row.kind, row.key, row.round) for row in rows] == [("sanction", "w", 2), ("absence", "a", 5)]
    rows_of_two = players.make_player_note_table(TournamentIndex(value), value.players[second_id]).rows
    assert [row.kind for row in rows_of_two] == ["constraint", "sanction"]
