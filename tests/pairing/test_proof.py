"""Tests of the proved matching: it equals the optimum of all pairs."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.pairing import propose_pairings
from tdapp.pairing.field import PairingField, build_pairing_field
from tdapp.pairing.matching import MatchingGraph, MatchingProblem, reduce_level_costs_to_max_bits, solve_matching
from tdapp.pairing.proof import find_proved_optimal_matching
from tdapp.pairing.systems.swiss import plan_swiss_pairs
from tests.pairing.random_states import (
    STAGE,
    A,
    build_graph,
    enter_random_results,
    make_random_field,
    make_tournament,
    publish_proposal,
)


def solve_for_pairs(graph: MatchingGraph) -> set[tuple[int, int]]:
    edges = list(solve_matching(graph).edges)
    return set(zip(graph.first[edges].tolist(), graph.second[edges].tolist(), strict=True))


def check_proved_matching(field: PairingField, width: int) -> bool:
    """Compare the proved matching with the optimum of all edges. Return whether a proof was found."""
    problem = MatchingProblem(field, np.arange(len(field.entrants)))
    proved = find_proved_optimal_matching(problem, problem.list_edges_to_nearby_nodes(width), lambda: None)
    full_graph = build_graph(field)
    if proved is not None and not reduce_level_costs_to_max_bits(full_graph)[1]:
        assert set(zip(proved[0].tolist(), proved[1].tolist(), strict=True)) == solve_for_pairs(full_graph)
    return proved is not None


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(8, 40), st.integers(2, 6))
def test_find_proved_matching_is_the_optimum(seed: int, count: int, width: int) -> None:
    check_proved_matching(make_random_field(Random(seed), count, density=0.2), width)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_find_proved_matching_proves_most_random_fields(seed: int) -> None:
    """In small fields nearly every proof succeeds with few edges."""
    rng = Random(seed)
    fields = [make_random_field(rng, rng.randint(30, 60), density=0.2) for _ in range(15)]
    assert sum(check_proved_matching(field, 8) for field in fields) >= 14


@pytest.mark.parametrize("style", [ScoreGroupPairing.SLIDE, ScoreGroupPairing.FOLD, ScoreGroupPairing.ADJACENT])
@pytest.mark.parametrize("count", [120, 121])
def test_find_proved_matching_with_forbidden_neighbours(style: ScoreGroupPairing, count: int) -> None:
    field = make_random_field(Random(count), count, density=0.8, settings=PairingSettings(style=style))
    players = [entrant.player for entrant in field.entrants]
    near = [frozenset(pair) for reach in range(1, 9) for pair in zip(players, players[reach:], strict=False)]
    assert check_proved_matching(replace(field, forbidden_pairs=frozenset(near)), 8)


def test_find_proved_matching_solves_a_gap_after_the_last_level() -> None:
    """All levels fit into one weight, and an odd cycle remains."""
    assert check_proved_matching(make_random_field(Random(554002), 56, density=0.1), 2)


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=20000)
@given(st.integers(0, 2**64), st.integers(4, 60), st.integers(2, 10))
def test_find_proved_matching_in_thousands_of_states(seed: int, count: int, width: int) -> None:
    check_proved_matching(
        make_random_field(Random(seed), count, density=Random(seed).choice([0.1, 0.4, 0.8])), min(width, count - 2)
    )


CONDITIONS = ("plain", "clubs", "repeat", "byes", "level")


def apply_condition(field: PairingField, condition: str, rng: Random) -> PairingField:
    """Return a field under one difficult condition, for example two clubs apart or repeated byes."""
    options = replace(
        field.settings, avoid=("club",) * (condition == "clubs"), level_rounds=int(condition == "level")
    )
    field = replace(field, settings=options, later_rounds=0, forbidden_pairs=frozenset())
    entrants = list(field.entrants)
    if condition == "clubs":
        entrants = [replace(entrant, club=rng.choice("xy")) for entrant in entrants]
    if condition == "byes":
        entrants = [replace(entrant, byes=max(1, entrant.byes)) for entrant in entrants]
    if condition == "repeat":
        player = entrants[30].player
        meetings = {entrant.player: (1,) for entrant in entrants if entrant.player != player}
        entrants[30] = replace(entrants[30], byes=1, meetings=meetings)
        entrants = [
            entrant if entrant.player == player else replace(entrant, meetings={**entrant.meetings, player: (1,)})
            for entrant in entrants
        ]
    return replace(field, entrants=tuple(entrants))


def make_field_with_condition(condition: str, seed: int, count: int) -> PairingField:
    rng = Random(seed)
    return apply_condition(make_random_field(rng, count, density=0.3, settings=PairingSettings()), condition, rng)


@pytest.mark.slow
@pytest.mark.parametrize("condition", CONDITIONS)
def test_find_proved_matching_under_difficult_conditions(condition: str) -> None:
    for seed in range(8):
        assert check_proved_matching(make_field_with_condition(condition, seed, 61), 8)


@pytest.mark.slow
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("count", [101, 118, 139, 160])
def test_find_proved_matching_equals_the_optimum_of_all_pairs(condition: str, count: int) -> None:
    assert check_proved_matching(make_field_with_condition(condition, count, count), 8)


@pytest.mark.slow
def test_find_proved_matching_tries_fewer_levels_for_a_wide_gap() -> None:
    """All levels in one weight give a gap of half an optimum of the first levels."""
    tournament, rng = make_tournament(421, seed=421), Random(421)
    for _ in range(5):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    field = build_pairing_field(TournamentIndex(tournament), STAGE, number=6, source=5)
    assert check_proved_matching(apply_condition(field, "level", Random(1)), 8)


@pytest.mark.slow
@pytest.mark.parametrize("count", [420, 421])
def test_pair_field_of_a_large_field_equals_all_pairs(count: int) -> None:
    tournament = make_tournament(count, settings=PairingSettings(avoid=("club",)))
    for number in range(1, 3):
        field = build_pairing_field(TournamentIndex(tournament), STAGE, number=number, source=number - 1)
        optimal_pairs = solve_for_pairs(build_graph(field))
        plan = plan_swiss_pairs(field)
        assert plan.relaxed == ()
        assert {
            (pair.position, count if pair.opponent is None else pair.opponent) for pair in plan.pairs
        } == optimal_pairs
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), Random(number)
        )
