"""Generates the sample tournament, and realistic events with results that fit the players' strength.

The seed determines the events on every machine. They include withdrawals, late entries, byes and forfeits, but
only data that TRF files can store, so that another program can check the pairings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from msgspec import Struct

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, DivisionId, Forfeit, Player, PlayerId
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.pairing.proposing import propose_pairings

RunCommand = Callable[[Callable[[Tournament], Tournament]], object]

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
    do: RunCommand,
    index: Callable[[], Index],
    *,
    players: int,
    rounds: int,
    key: Callable[[], str],
    planned: int = 0,
) -> None:
    """Play a whole Swiss tournament with 2 to 400 players and 1 to 50 rounds.

    `do` runs a command, `index` returns the current index, `key` a new id. `planned` is the number of
    scheduled rounds, if greater than `rounds`.
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
    return add_players(tournament, key=key, division=division, count=count, draw=draw, draw_rating=_draw_rating)


def _draw_rating(draw: Random) -> int:
    return round(draw.gauss(1500, 250))


def add_players(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    count: int,
    draw: Random,
    draw_rating: Callable[[Random], int],
) -> Tournament:
    """Add up to 676 random players."""
    names = [f"{last}, {first}" for last in _LAST for first in _FIRST]
    draw.shuffle(names)
    for number, name in enumerate(names[:count], 1):
        club = draw.choice(_CLUBS)
        tournament = commands.add_player(
            tournament,
            key=f"{key}.{number}",
            division=division,
            name=name,
            rating=draw_rating(draw),
            club=club,
            country=_COUNTRIES.get(club, "NL"),
        )
    return tournament


def _enter_results(do: RunCommand, index: Index, division: DivisionId, draw: Random) -> None:
    ratings = {player.id: player.rating or 0 for player in index.players(division)}
    for game in index.games(index.published(division)[-1].id):
        edge = (ratings[game.first] - ratings[game.second]) / 8
        spread = round(draw.gauss(edge, 90))
        total = round(draw.gauss(800, 60))
        first = (total + spread) // 2
        do(partial(commands.enter_result, game=game.id, first=first, second=total - first))


MOST_PLAYERS, MOST_ROUNDS = 400, 50
_FINE = 1000  # steps of what is drawn uniformly
_TERMS = 12  # of them in a sum that is nearly normal
_DEVIATION = 105  # points; of a margin
_EDGE = 8  # points of rating to a point of margin
_FORFEIT = 150  # one in so many games
_LEAVER = 100  # one, and one bye asked for, in so many rounds of a player
_LATE = 25  # one late entry in so many players, before the second or third round
_APART = 15  # one pair kept apart in so many players


class SampleEventPlan(Struct, frozen=True):
    """The limits for generated events. Ranges include both ends."""

    players: tuple[int, int]
    rounds: tuple[int, int]
    seed: int
    played: int | None = None
    order: tuple[str, ...] = ()  # ids of tie-breaks; (): those of the rule set
    byes: bool = True  # some players request byes
    all_kinds: bool = True  # some games are forfeited, and some players kept apart


def make_sample_event(plan: SampleEventPlan, number: int, ruleset: RuleSet, system: str) -> Tournament:
    draw = Random(f"{plan.seed}/{number}")  # noqa: S311 - a sample is no secret
    players, rounds = draw.randint(*plan.players), draw.randint(*plan.rounds)
    key, division = f"e{number}", DivisionId(f"e{number}.d")
    value = commands.new_tournament(
        key=key, name=f"Event {plan.seed}/{number}", ruleset=ruleset, seed=draw.randrange(1, 2**31)
    )
    value = commands.add_division(value, key=division, code="A")
    value = commands.set_order(value, division=division, order=plan.order)
    settings = PairingSettings(style=PairingStyle.FOLD)
    value = commands.add_stage(
        value, key=f"{key}.s", division=division, system=system, rounds=rounds, settings=settings
    )
    rating = partial(_draw_new_rating, set())
    value = add_players(value, key=key, division=division, count=players, draw=draw, draw_rating=rating)
    everybody = Index(value).players(division)
    late = {player: draw.randint(2, 3) for player in draw.sample(everybody, players // _LATE)}
    value = value.drop(*late)
    if plan.all_kinds:
        value = _add_forbidden_and_apart_pairs(value, draw, [one for one in everybody if one not in late])
    strength = {one.id: (one.rating or 0) + _draw_normal_number(draw, mean=0, deviation=80) for one in everybody}
    for at in range(1, min(rounds, plan.played or rounds) + 1):
        value = value.put(*(one for one, since in late.items() if since == at))
        value = _draw_absences(value, division, draw, plan, round=at) if at > 1 else value
        proposal = propose_pairings(Index(value), division)
        value = commands.pair_round(value, key=f"{key}.{at}", proposal=proposal)
        value = _play_round(value, division, draw, strength, forfeits=plan.all_kinds)
    return value


def _draw_normal_number(draw: Random, *, mean: int, deviation: int) -> int:
    far = sum(draw.randrange(-_FINE, _FINE + 1) for _ in range(_TERMS))
    return mean + far * deviation // (2 * _FINE)


def _draw_new_rating(taken: set[int], draw: Random) -> int:
    while (found := _draw_normal_number(draw, mean=1500, deviation=250)) in taken or found < 1:
        pass
    taken.add(found)
    return found


def _add_forbidden_and_apart_pairs(value: Tournament, draw: Random, players: list[Player]) -> Tournament:
    chosen = draw.sample(players, len(players) // _APART * 2)
    for at, (one, other) in enumerate(zip(chosen[::2], chosen[1::2], strict=True)):
        command = commands.forbid_pairing if at % 2 else commands.keep_apart
        value = command(value, key=f"apart.{at}", player=one.id, other=other.id)
    return value


def _draw_absences(
    value: Tournament, division: DivisionId, draw: Random, plan: SampleEventPlan, *, round: int
) -> Tournament:
    for player in Index(value).players(division):
        drawn, index, key = draw.randrange(_LEAVER), Index(value), f"{player.id}.{round}"
        if index.find_absence(player.id, round) is not None or not index.has_played(player.id):
            continue
        if drawn == 0:
            value = commands.withdraw_player(value, key=key, player=player.id)
        elif drawn == 1 and plan.byes:
            value = commands.set_absence(
                value, key=key, player=player.id, first_round=round, kind=ByeKind.REQUESTED
            )
    return value


def _play_round(
    value: Tournament, division: DivisionId, draw: Random, strength: dict[PlayerId, int], *, forfeits: bool
) -> Tournament:
    index = Index(value)
    for game in index.games(index.published(division)[-1].id):
        margin = _draw_normal_number(
            draw, mean=(strength[game.first] - strength[game.second]) // _EDGE, deviation=_DEVIATION
        )
        total = max(_draw_normal_number(draw, mean=800, deviation=60), abs(margin) + 100)
        first = (total + margin) // 2
        lost = Forfeit.SECOND if draw.randrange(2) else Forfeit.FIRST
        if not draw.randrange(_FORFEIT) and forfeits:
            value = commands.enter_result(value, game=game.id, forfeit=lost)
        else:
            value = commands.enter_result(value, game=game.id, first=first, second=first - margin, confirmed=True)
    return value
