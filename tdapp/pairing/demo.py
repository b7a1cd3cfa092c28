"""Play a sample tournament: players with names, ratings, and results that match the ratings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.pairing.proposing import propose_pairings

Do = Callable[[Callable[[Tournament], Tournament]], object]

# fmt: off
_FIRST = (
    "Åse", "Børge", "Cees", "Dörte", "Ebba", "Finn", "Grzegorz", "Hanneke", "Ingrid", "Jürgen", "Kåre", "Lotte",
    "Märta", "Niels", "Øyvind", "Petra", "Quinten", "Renée", "Søren", "Truus", "Ulrike", "Václav", "Wim", "Xenia",
    "Yvonne", "Zuzana",
)
_LAST = (
    "Andersen", "van den Berg", "Claassen", "Dijkstra", "Eriksen", "Fjeld", "Groß", "Hansen", "IJsselstein",
    "Janßen", "Køhler", "de Lange", "Müller", "Nygård", "Östlund", "Pettersen", "Quist", "Řezník", "Schröder",
    "Thorvaldsen", "Ulvang", "Visser", "Wójcik", "Ytterdal", "Zwart", "Ås",
)
# fmt: on
_CLUBS = ("Amsterdam", "Bergen", "Berlin", "Gent", "Leiden", "Oslo", "Utrecht")
_COUNTRIES = {"Bergen": "NO", "Oslo": "NO", "Berlin": "DE", "Gent": "BE"}


def play_tournament(
    do: Do, index: Callable[[], Index], *, players: int, rounds: int, key: Callable[[], str], planned: int = 0
) -> None:
    """Play a whole tournament through `do`: 2 to 400 players, a Swiss of 1 to 50 rounds, with results.

    `index` returns the current index, `key` a new id. `planned` is a larger number of scheduled rounds. The
    seed of the tournament decides everything.
    """
    draw = Random(index().tournament.event.seed)  # noqa: S311 - a sample is no secret
    division = DivisionId(key())
    do(partial(commands.add_division, key=division, code="A"))
    do(
        partial(commands.add_stage, key=key(), division=division, system=SWISS.id, rounds=planned or rounds),
    )
    do(partial(import_players, key=key(), division=division, count=players, seed=draw.random()))
    for _ in range(rounds):
        proposal = propose_pairings(index(), division)
        do(partial(commands.pair_round, key=key(), proposal=proposal))
        _enter_results(do, index(), division, draw)


def import_players(
    tournament: Tournament, *, key: str, division: DivisionId, count: int, seed: float
) -> Tournament:
    draw = Random(seed)  # noqa: S311
    return add_players(tournament, key=key, division=division, count=count, draw=draw, rating=_draw_rating)


def _draw_rating(draw: Random) -> int:
    return round(draw.gauss(1500, 250))


def add_players(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    count: int,
    draw: Random,
    rating: Callable[[Random], int],
) -> Tournament:
    """Add up to 676 players with names, clubs, countries and drawn ratings to a division."""
    names = [f"{last}, {first}" for last in _LAST for first in _FIRST]
    draw.shuffle(names)
    for number, name in enumerate(names[:count], 1):
        club = draw.choice(_CLUBS)
        tournament = commands.add_player(
            tournament,
            key=f"{key}.{number}",
            division=division,
            name=name,
            rating=rating(draw),
            club=club,
            country=_COUNTRIES.get(club, "NL"),
        )
    return tournament


def _enter_results(do: Do, index: Index, division: DivisionId, draw: Random) -> None:
    ratings = {player.id: player.rating or 0 for player in index.players(division)}
    for game in index.games(index.published(division)[-1].id):
        edge = (ratings[game.first] - ratings[game.second]) / 8
        spread = round(draw.gauss(edge, 90))
        total = round(draw.gauss(800, 60))
        first = (total + spread) // 2
        do(partial(commands.enter_result, game=game.id, first=first, second=total - first))
