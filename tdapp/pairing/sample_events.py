"""Generates the sample tournament, and realistic events with results that fit the players' strength.

The seed determines the events on every machine. They include withdrawals, late entries, byes and forfeits, but
only data that FIDE files (TRF) can store, so that another program can check the pairings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from msgspec import Struct

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, DivisionId, GameSide, Player, PlayerId
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.pairing.proposing import propose_pairings

RunCommand = Callable[[Callable[[Tournament], Tournament]], object]

# fmt: off
_FIRST_NAMES = (
    "Åse", "Børge", "Cees", "Dörte", "Ebba", "Finn", "Grzegorz", "Hanneke", "Ingrid", "Jürgen", "Kåre", "Lotte",
    "Märta", "Niels", "Øyvind", "Petra", "Quinten", "Renée", "Søren", "Truus", "Ulrike", "Václav", "Wim", "Xenia",
    "Yvonne", "Zuzana",
)
_LAST_NAMES = (
    "Andersen", "van den Berg", "Claassen", "Dijkstra", "Eriksen", "Fjeld", "Groß", "Hansen", "IJsselstein",
    "Janßen", "Køhler", "de Lange", "Müller", "Nygård", "Östlund", "Pettersen", "Quist", "Řezník", "Schröder",
    "Thorvaldsen", "Ulvang", "Visser", "Wójcik", "Ytterdal", "Zwart", "Ås",
)
# fmt: on
_CLUBS = ("Amsterdam", "Bergen", "Berlin", "Gent", "Leiden", "Oslo", "Utrecht")
_COUNTRIES = {"Bergen": "NO", "Oslo": "NO", "Berlin": "DE", "Gent": "BE"}


def play_tournament(
    do: RunCommand,
    index: Callable[[], TournamentIndex],
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
        _play_last_round(do, index(), division, draw)


def import_players(  # its name is the label of the step
    tournament: Tournament, *, key: str, division: DivisionId, count: int, seed: float
) -> Tournament:
    draw = Random(seed)  # noqa: S311
    return add_players_with_drawn_ratings(
        tournament, key=key, division=division, count=count, draw=draw, draw_rating=_generate_rating
    )


def _generate_rating(draw: Random) -> int:
    return round(draw.gauss(1500, 250))


def add_players_with_drawn_ratings(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    count: int,
    draw: Random,
    draw_rating: Callable[[Random], int],
) -> Tournament:
    names = [f"{last}, {first}" for last in _LAST_NAMES for first in _FIRST_NAMES]
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


def _play_last_round(do: RunCommand, index: TournamentIndex, division: DivisionId, draw: Random) -> None:
    ratings = {player.id: player.rating or 0 for player in index.players(division)}
    for game in index.games(index.list_published_rounds(division)[-1].id):
        expected_margin = (ratings[game.first] - ratings[game.second]) / 8
        margin = round(draw.gauss(expected_margin, 90))
        total = round(draw.gauss(800, 60))
        first = (total + margin) // 2
        do(partial(commands.enter_result, game=game.id, first=first, second=total - first))


MAX_PLAYERS, MAX_ROUNDS = 400, 50
_UNIFORM_STEPS = 1000  # of a uniform random number
_NORMAL_TERMS = 12  # uniform random numbers; their sum is nearly normal
_DEVIATION = 105  # points; of a margin
_RATING_PER_POINT = 8  # points of rating for a point of margin
_GAMES_PER_FORFEIT = 150
_ROUNDS_PER_WITHDRAWAL = 100  # rounds of a player; requested byes are as frequent
_PLAYERS_PER_LATE_ENTRY = 25  # late players enter before the second or third round
_PLAYERS_PER_CONSTRAINT = 15


class SampleEventSettings(Struct, frozen=True):
    """The limits for generated events. Ranges include both ends."""

    players: tuple[int, int]
    rounds: tuple[int, int]
    seed: int
    played_rounds: int | None = None  # None: all
    order: tuple[str, ...] = ()  # ids of tie-breaks; (): those of the rule set
    byes: bool = True  # some players request byes
    all_kinds: bool = True  # some games are forfeited, and some players kept apart


def make_sample_event(plan: SampleEventSettings, number: int, ruleset: RuleSet, system: str) -> Tournament:
    draw = Random(f"{plan.seed}/{number}")  # noqa: S311 - a sample is no secret
    players, rounds = draw.randint(*plan.players), draw.randint(*plan.rounds)
    key, division = f"e{number}", DivisionId(f"e{number}.d")
    value = commands.new_tournament(
        key=key, name=f"Event {plan.seed}/{number}", ruleset=ruleset, seed=draw.randrange(1, 2**31)
    )
    value = commands.add_division(value, key=division, code="A")
    value = commands.set_order(value, division=division, order=plan.order)
    settings = PairingSettings(style=ScoreGroupPairing.FOLD)
    value = commands.add_stage(
        value, key=f"{key}.s", division=division, system=system, rounds=rounds, settings=settings
    )
    rating = partial(_generate_unused_rating, set())
    value = add_players_with_drawn_ratings(
        value, key=key, division=division, count=players, draw=draw, draw_rating=rating
    )
    everyone = TournamentIndex(value).players(division)
    late_players = draw.sample(everyone, players // _PLAYERS_PER_LATE_ENTRY)
    entry_rounds = {player: draw.randint(2, 3) for player in late_players}
    value = value.drop(*entry_rounds)
    if plan.all_kinds:
        punctual_players = [player for player in everyone if player not in entry_rounds]
        value = _add_pairing_constraints(value, draw, punctual_players)
    strength = {
        player.id: (player.rating or 0) + _generate_normal_number(draw, mean=0, deviation=80)
        for player in everyone
    }
    for round_number in range(1, min(rounds, plan.played_rounds or rounds) + 1):
        value = value.put(*(player for player, number in entry_rounds.items() if number == round_number))
        if round_number > 1:
            value = _add_random_withdrawals_and_byes(value, division, draw, plan, round=round_number)
        proposal = propose_pairings(TournamentIndex(value), division)
        value = commands.pair_round(value, key=f"{key}.{round_number}", proposal=proposal)
        value = _enter_random_last_round_results(value, division, draw, strength, forfeits=plan.all_kinds)
    return value


def _generate_normal_number(draw: Random, *, mean: int, deviation: int) -> int:
    deviation_units = sum(draw.randrange(-_UNIFORM_STEPS, _UNIFORM_STEPS + 1) for _ in range(_NORMAL_TERMS))
    return mean + deviation_units * deviation // (2 * _UNIFORM_STEPS)


def _generate_unused_rating(used_ratings: set[int], draw: Random) -> int:
    while (rating := _generate_normal_number(draw, mean=1500, deviation=250)) in used_ratings or rating < 1:
        pass
    used_ratings.add(rating)
    return rating


def _add_pairing_constraints(value: Tournament, draw: Random, players: list[Player]) -> Tournament:
    sampled_players = draw.sample(players, len(players) // _PLAYERS_PER_CONSTRAINT * 2)
    for index, (player, opponent) in enumerate(zip(sampled_players[::2], sampled_players[1::2], strict=True)):
        command = commands.forbid_pairing if index % 2 else commands.keep_apart
        value = command(value, key=f"apart.{index}", player=player.id, other=opponent.id)
    return value


def _add_random_withdrawals_and_byes(
    value: Tournament, division: DivisionId, draw: Random, plan: SampleEventSettings, *, round: int
) -> Tournament:
    for player in TournamentIndex(value).players(division):
        drawn_number, index, key = (
            draw.randrange(_ROUNDS_PER_WITHDRAWAL),
            TournamentIndex(value),
            f"{player.id}.{round}",
        )
        if index.find_absence(player.id, round) is not None or not index.has_game_or_bye_or_seat(player.id):
            continue
        if drawn_number == 0:
            value = commands.withdraw_player(value, key=key, player=player.id)
        elif drawn_number == 1 and plan.byes:
            value = commands.set_absence(
                value, key=key, player=player.id, first_round=round, kind=ByeKind.REQUESTED
            )
    return value


def _enter_random_last_round_results(
    value: Tournament, division: DivisionId, draw: Random, strength: dict[PlayerId, int], *, forfeits: bool
) -> Tournament:
    index = TournamentIndex(value)
    for game in index.games(index.list_published_rounds(division)[-1].id):
        margin = _generate_normal_number(
            draw, mean=(strength[game.first] - strength[game.second]) // _RATING_PER_POINT, deviation=_DEVIATION
        )
        total = max(_generate_normal_number(draw, mean=800, deviation=60), abs(margin) + 100)
        first = (total + margin) // 2
        forfeiting_side = GameSide.SECOND if draw.randrange(2) else GameSide.FIRST
        if not draw.randrange(_GAMES_PER_FORFEIT) and forfeits:
            value = commands.enter_result(value, game=game.id, forfeit=forfeiting_side)
        else:
            value = commands.enter_result(value, game=game.id, first=first, second=first - margin, confirmed=True)
    return value
