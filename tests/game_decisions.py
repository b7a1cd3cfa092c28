"""A knockout round with one game for each way to decide a game, for tests of screens and printouts."""

from __future__ import annotations

from functools import cache

from tdapp.domain import commands
from tdapp.domain.model import GameSide, Player
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind
from tests.building import get_game_at, make_event, pair_rounds

NAMES = ("Adam", "Boris", "Clara", "Derek", "Edith", "Felix", "Greta", "Hanna")
# By table: the score with its marks, the side of the winner (0: no winner), and the reason of the decision.
SCORES = {
    1: ("480 time – 430", 2, "time"),
    2: ("forfeited –", 2, "forfeit"),
    3: ("– forfeited –", 0, "forfeit"),
    4: ("410 sanction – 400", 2, "sanction"),
    5: ("411 – 411 wins", 2, "tie"),
    6: ("420 – 380", 1, None),
}


@cache
def make_decided_games() -> Tournament:
    """Return the round. The starters are Adam A, Boris A, ..., and their opponents Adam B, Boris B, ..."""
    value = pair_rounds(make_event(2 * len(NAMES), rounds=4, system="knockout"), results=False)
    for table, name in enumerate(NAMES, 1):
        game = get_game_at(value, table)
        value = commands.edit_player(value, player=game.first, name=f"{name} A")
        value = commands.edit_player(value, player=game.second, name=f"{name} B")
    games = {table: get_game_at(value, table) for table in range(1, len(NAMES) + 1)}
    value = commands.enter_result(value, game=games[1].id, first=480, second=430, flag=GameSide.FIRST)
    value = commands.enter_result(value, game=games[2].id, forfeit=GameSide.FIRST)
    value = commands.enter_result(value, game=games[3].id, forfeit=GameSide.BOTH)
    value = commands.enter_result(value, game=games[4].id, first=410, second=400)
    value = commands.add_sanction(
        value, key="s", player=games[4].first, kind=SanctionKind.GAME, why="late", round_number=1
    )
    value = commands.enter_result(value, game=games[5].id, first=411, second=411)
    for table in (6, 7, 8):
        value = commands.enter_result(value, game=games[table].id, first=420, second=380)
    return value


def list_names(table: int) -> tuple[str, str]:
    return f"{NAMES[table - 1]} A", f"{NAMES[table - 1]} B"


def find_winner(table: int) -> str:
    """Return the name of the winner at a table, or an empty text."""
    side = SCORES[table][1]
    return list_names(table)[side - 1] if side else ""


def list_players(table: int) -> tuple[Player, Player]:
    value, game = make_decided_games(), get_game_at(make_decided_games(), table)
    return value.players[game.first], value.players[game.second]
