"""Builders of small tournaments for tests. They use the program's commands."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Game, Player, Round
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rulesets
from tdapp.pairing import propose_pairings
from tdapp.storage import Store

RESOURCES = Path(__file__).parent.parent / "resources"
DIVISION = DivisionId("d")


@cache
def load_rule_set(name: str = "nl-match") -> RuleSet:
    return read_rulesets(RESOURCES / "rulesets")[name]


@cache
def make_event(players: int = 8, *, rounds: int = 5, system: str = "swiss", rules: str = "nl-match") -> Tournament:
    """Return a tournament with one division A of players P1, P2, ... rated 2000, 1990, ..."""
    tournament = commands.new_tournament(key="t", name="Test", ruleset=load_rule_set(rules), seed=7)
    tournament = commands.add_division(tournament, key=DIVISION, code="A")
    tournament = commands.add_stage(tournament, key="s", division=DIVISION, system=system, rounds=rounds)
    for number in range(1, players + 1):
        tournament = commands.add_player(
            tournament, key=f"p{number}", division=DIVISION, name=f"P{number}", rating=2010 - 10 * number
        )
    return tournament


def pair_rounds(tournament: Tournament, *, times: int = 1, results: bool = True) -> Tournament:
    """Pair `times` more rounds. The player with the lower number wins by the difference of the numbers."""
    for _ in range(times):
        proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
        tournament = commands.pair_round(tournament, key=f"r{proposal.number}", proposal=proposal)
        if results:
            tournament = enter_results(tournament)
    return tournament


def enter_results(tournament: Tournament) -> Tournament:
    index = TournamentIndex(tournament)
    for game in index.games(get_last_round(tournament).id):
        gap = tournament.players[game.second].number - tournament.players[game.first].number
        tournament = commands.enter_result(tournament, game=game.id, first=400 + gap, second=400 - gap)
    return tournament


def get_last_round(tournament: Tournament) -> Round:
    return TournamentIndex(tournament).rounds(DIVISION)[-1]


def get_game_at(tournament: Tournament, table: int) -> Game:
    return TournamentIndex(tournament).get_game(get_last_round(tournament).id, table)


def get_player(tournament: Tournament, number: int) -> Player:
    return TournamentIndex(tournament).get_player(DIVISION, number)


def make_desk(tournament: Tournament | None = None) -> Desk:
    ticks = iter(range(10**6))
    return Desk(
        Store.create_in_memory(tournament or make_event()), clock=lambda: f"2026-11-21T10:{next(ticks):06d}+00:00"
    )


def pair_next(desk: Desk) -> None:
    proposal = propose_pairings(desk.index, DIVISION)
    desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=proposal))
