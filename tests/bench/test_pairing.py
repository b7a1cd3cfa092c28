"""Benchmarks of proposing a round, with another solver for comparison in small fields.

Targets: 0.15 s for 300 players, 0.4 s for 1,000, 2 s for 5,000, 5 s for 10,000.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.tournament import Tournament
from tdapp.pairing import SYSTEMS, propose_pairings
from tdapp.pairing.arrays import Ints
from tdapp.pairing.best_pairs import find_best_pairs
from tdapp.pairing.commands import pair_around, pair_by_hand, preview_command, swap_players
from tdapp.pairing.field import PairingField, build_pairing_field
from tdapp.pairing.recheck import recheck_rounds
from tdapp.pairing.system import list_positions_without_fixed_pair
from tdapp.pairing.systems.swiss import plan_swiss_pairs
from tests.pairing.random_states import (
    STAGE,
    A,
    build_graph,
    enter_random_results,
    make_tournament,
    publish_proposal,
)
from tests.pairing.test_matching import match_with_networkx
from tests.pairing.test_proof import apply_condition, solve_for_pairs

ROUNDS = 4
LARGE = [pytest.param(players, marks=pytest.mark.long) for players in (2000, 5000, 10000)]


def make_event_after_rounds(players: int) -> Tournament:
    tournament, chance = make_tournament(players), Random(players)
    for _ in range(ROUNDS):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), chance
        )
    return tournament


@pytest.mark.bench
@pytest.mark.timeout(900)
@pytest.mark.parametrize("players", [50, 100, 300, *LARGE])
def test_propose_pairings_of_a_swiss_round(benchmark: BenchmarkFixture, players: int) -> None:
    index = TournamentIndex(make_event_after_rounds(players))

    proposal = benchmark(propose_pairings, index, A)

    assert len(proposal.games) == players // 2


@pytest.mark.bench
def test_find_best_pairs_of_three_hundred(benchmark: BenchmarkFixture) -> None:
    """Target: 75 % of the time of the complete proposal for 300 players."""
    index = TournamentIndex(make_event_after_rounds(300))

    def prepare_field() -> tuple[tuple[PairingField, Ints], dict[str, object]]:
        field = build_pairing_field(index, STAGE, number=ROUNDS + 1, source=ROUNDS)  # without cached arrays
        return (field, list_positions_without_fixed_pair(field)), {}

    pairs = benchmark.pedantic(find_best_pairs, setup=prepare_field, rounds=30)  # type: ignore[no-untyped-call]

    assert len(pairs.pairs) == 150


@pytest.mark.bench
@pytest.mark.parametrize("constraint", ["clubs", "repeat", "level"])
def test_propose_pairings_of_a_thousand_with_constraints(benchmark: BenchmarkFixture, constraint: str) -> None:
    """Target: 1 s with separated clubs, a player without new opponents, or balanced starts."""
    field = build_pairing_field(
        TournamentIndex(make_event_after_rounds(1000)), STAGE, number=ROUNDS + 1, source=ROUNDS
    )

    plan = benchmark(plan_swiss_pairs, apply_condition(field, constraint, Random(1)))

    assert plan.relaxed == ()


@pytest.mark.bench
@pytest.mark.parametrize("players", [200, 300, 500])
def test_propose_pairings_with_forbidden_neighbours(benchmark: BenchmarkFixture, players: int) -> None:
    """Target: 0.3 s for the best pairs if the eight nearest opponents of each player are forbidden."""
    field = build_pairing_field(
        TournamentIndex(make_event_after_rounds(players)), STAGE, number=ROUNDS + 1, source=ROUNDS
    )
    ranked_players = [entrant.player for entrant in field.entrants]
    neighbour_pairs = frozenset(
        frozenset({first_player, second_player})
        for index, first_player in enumerate(ranked_players)
        for second_player in ranked_players[index + 1 : index + 9]
    )

    plan = benchmark(plan_swiss_pairs, replace(field, forbidden_pairs=neighbour_pairs))

    assert plan.relaxed == ()


@pytest.mark.bench
@pytest.mark.parametrize("players", [50, 100])
@pytest.mark.parametrize("reference", [False, True], ids=["ours", "networkx"])
def test_matching_of_a_swiss_round(benchmark: BenchmarkFixture, players: int, *, reference: bool) -> None:
    index = TournamentIndex(make_event_after_rounds(players))
    field = build_pairing_field(index, STAGE, number=ROUNDS + 1, source=ROUNDS)
    graph = build_graph(field)

    pairs = benchmark(match_with_networkx if reference else solve_for_pairs, graph)

    assert len(pairs) == players // 2
    assert {frozenset(pair) for pair in pairs} == {frozenset(pair) for pair in solve_for_pairs(graph)}


@pytest.mark.bench
@pytest.mark.parametrize("system", [name for name in SYSTEMS if name not in {"swiss", "manual", "knockout"}])
def test_propose_pairings_of_three_hundred(benchmark: BenchmarkFixture, system: str) -> None:
    tournament = make_event_after_rounds(300)
    stage = replace(next(iter(tournament.stages.values())), system=system)
    players = [replace(row, team=f"T{row.number % 30}") for row in tournament.players.values()]
    index = TournamentIndex(tournament.put(stage, *players))

    proposal = benchmark(propose_pairings, index, A)

    assert len(proposal.games) == 150


@pytest.mark.bench
@pytest.mark.parametrize("change", [swap_players, pair_by_hand, pair_around])
def test_preview_change_of_three_hundred(benchmark: BenchmarkFixture, change: Callable[..., Tournament]) -> None:
    """Target: 0.2 s. The window shows the difference before the director accepts it."""
    draft_tournament = make_event_after_rounds(300)
    draft_tournament = commands.propose_round(
        draft_tournament, key="k", proposal=propose_pairings(TournamentIndex(draft_tournament), A)
    )
    item = TournamentIndex(draft_tournament).rounds(A)[-1].id
    first_player, second_player = (TournamentIndex(draft_tournament).games(item)[table].first for table in (0, 40))

    comparison = benchmark(
        preview_command,
        draft_tournament,
        item,
        partial(change, key="x", round=item, player=first_player, other=second_player),
    )

    assert comparison.tables


@pytest.mark.bench
def test_check_rounds_of_three_hundred(benchmark: BenchmarkFixture) -> None:
    tournament = make_event_after_rounds(300)

    rounds = benchmark(recheck_rounds, tournament, A)

    assert len(rounds) == ROUNDS
