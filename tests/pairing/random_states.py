"""Random pairing fields, and small tournaments with random results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeId,
    Division,
    DivisionId,
    Event,
    EventId,
    Game,
    GameId,
    Player,
    PlayerId,
    Result,
    ResultState,
    Round,
    RoundId,
    RoundState,
    RulesId,
    Stage,
    StageId,
    TournamentRules,
)
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.domain.proposal import Proposal
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.pairing.arrays import np
from tdapp.pairing.field import Entrant, PairingField
from tdapp.pairing.matching import MatchingGraph, MatchingProblem

A = DivisionId("a")
STAGE = StageId("s")


def make_random_settings(rng: Random) -> PairingSettings:
    return PairingSettings(
        style=rng.choice(list(ScoreGroupPairing)),
        avoid=tuple(rng.sample(["club", "country", "team", "category"], rng.randint(0, 3))),
        avoid_until=rng.choice([None, None, 3]),
        repeats_from=rng.choice([None, None, 3]),
        max_repeats=rng.choice([None, None, None, 1]),
        guard_starts=rng.random() < 0.3,
        level_rounds=rng.choice([0, 0, 0, 1, 2]),
        draw_starts=rng.random() < 0.1,
    )


def make_random_field(
    rng: Random, count: int, *, settings: PairingSettings | None = None, density: float = 0.4
) -> PairingField:
    """Return a field before round 1 to 8. Players are in order of score; some have met."""
    number = rng.randint(1, 8)
    players = [PlayerId(f"p{position}") for position in range(count)]
    pairs = list(combinations(players, 2))
    meetings, roles = _draw_earlier_games(rng, pairs, number, density)
    scores = sorted((rng.randint(0, 2 * number - 2) for _ in players), reverse=True)
    entrants = [
        Entrant(
            player=player,
            number=position + 1,
            score=score,
            meetings=MappingProxyType(meetings.get(player, {})),
            byes=rng.choice([0, 0, 0, 1, 2]) if number > 1 else 0,
            starts_by_round=MappingProxyType(roles.get(player, {})),
            floats=(rng.randint(-1, 1), rng.randint(-1, 1)),
            club=rng.choice(["", "x", "y", "z"]),
            country=rng.choice(["", "no", "NO", "nl"]),
            team=rng.choice(["", "t1", "t2"]),
            category=rng.choice(["A", "B"]),
        )
        for position, (player, score) in enumerate(zip(players, scores, strict=True))
    ]
    forbidden = frozenset(frozenset(pair) for pair in pairs if rng.random() < 0.03)
    return PairingField(
        stage=STAGE,
        number=number,
        seed=rng.randint(1, 10**6),
        entrants=tuple(entrants),
        settings=make_random_settings(rng) if settings is None else settings,
        forbidden_pairs=forbidden,
        later_rounds=rng.randint(0, 2),
        pairs_kept_apart=frozenset(frozenset(pair) for pair in pairs if rng.random() < rng.choice([0, 0.1])),
    )


def _draw_earlier_games(
    rng: Random, pairs: Sequence[tuple[PlayerId, PlayerId]], number: int, density: float
) -> tuple[dict[PlayerId, dict[PlayerId, tuple[int, ...]]], dict[PlayerId, dict[int, bool]]]:
    """Return the rounds of each meeting, and each player's starts, before round `number`."""
    meetings: dict[PlayerId, dict[PlayerId, tuple[int, ...]]] = defaultdict(dict)
    roles: dict[PlayerId, dict[int, bool]] = defaultdict(dict)
    for round_number in range(1, number):
        paired: set[PlayerId] = set()
        for player, opponent in rng.sample(pairs, len(pairs)):
            if not paired & {player, opponent} and rng.random() < density:
                paired |= {player, opponent}
                meetings[player][opponent] = (*meetings[player].get(opponent, ()), round_number)
                meetings[opponent][player] = meetings[player][opponent]
                roles[player][round_number] = rng.random() < 0.5
                roles[opponent][round_number] = not roles[player][round_number]
    return meetings, roles


def make_tournament(
    count: int,
    *,
    system: str = "swiss",
    rounds: int = 9,
    settings: PairingSettings | None = None,
    ruleset: RuleSet | None = None,
    seed: int = 1,
) -> Tournament:
    """Return a tournament with one division, one stage and `count` rated players."""
    rules = ruleset or RuleSet("r", "R", "en", "en", MappingProxyType({"other": ("wins", "spread")}))
    players = [
        Player(PlayerId(f"p{number}"), A, number, f"Player {number}", rating=2000 - 7 * number)
        for number in range(1, count + 1)
    ]
    return Tournament().put(
        Event(EventId("e"), "Event", seed=seed),
        TournamentRules(RulesId("r"), rules),
        Division(A, "A"),
        Stage(STAGE, A, 1, system, rounds, settings or PairingSettings()),
        *players,
    )


def publish_proposal(tournament: Tournament, proposal: Proposal) -> Tournament:
    round_id = RoundId(f"r{proposal.number}")
    games = [
        Game(
            GameId(f"{round_id}-{item.first}"),
            round_id,
            item.table,
            item.first,
            item.second,
            item.start,
            item.locked,
            item.match,
            item.reason,
        )
        for item in proposal.games
    ]
    byes = [
        Bye(ByeId(f"{round_id}-{item.player}"), round_id, item.player, item.kind, item.spread, item.match)
        for item in proposal.byes
    ]
    return tournament.put(Round(round_id, proposal.stage, proposal.number, RoundState.PUBLISHED), *games, *byes)


def enter_random_results(tournament: Tournament, rng: Random, *, draws: float = 0.02) -> Tournament:
    """Return the tournament with a random result for every open game."""
    results = []
    for game in tournament.games.values():
        if game.id not in tournament.results:
            first = rng.randint(280, 520)
            second = first if rng.random() < draws else rng.choice([first - 37, first + 41])
            results.append(Result(game.id, ResultState.ENTERED, first, second))
    return tournament.put(*results)


def get_player(tournament: Tournament, number: int) -> Player:
    return TournamentIndex(tournament).get_player(A, number)


def change_settings(field: PairingField, **changes: object) -> PairingField:
    """Return a field with changed settings."""
    return replace(field, settings=replace(field.settings, **changes))


def build_graph(field: PairingField, width: int | None = None) -> MatchingGraph:
    """Return the graph of all legal pairs, or of the `width` nearest opponents of each player."""
    problem = MatchingProblem(field, np.arange(len(field.entrants)))
    return problem.build_graph(
        problem.list_all_edges() if width is None else problem.list_edges_to_nearby_nodes(width)
    )
