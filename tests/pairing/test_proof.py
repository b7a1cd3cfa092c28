from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.index import Index
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.pairing import propose_pairings
from tdapp.pairing.field import PairingField, build_field
from tdapp.pairing.matching import MatchingGraph, MatchingProblem, fit_levels_into_bits, solve_matching
from tdapp.pairing.proof import find_proved_matching
from tdapp.pairing.systems.swiss import pair_field
from tests.pairing.random_states import STAGE, A, build_graph, event, published, random_field, scored


def chosen(graph: MatchingGraph) -> set[tuple[int, int]]:
    edges = list(solve_matching(graph).edges)
    return set(zip(graph.first[edges].tolist(), graph.second[edges].tolist(), strict=True))


def check(field: PairingField, width: int) -> bool:
    """Check that the pairs found are those of the plain optimum; return whether any were."""
    problem = MatchingProblem(field, np.arange(len(field.entrants)))
    found = find_proved_matching(problem, problem.list_nearest_edges(width), lambda: None)
    everybody = build_graph(field)
    if found is not None and not fit_levels_into_bits(everybody)[1]:
        assert set(zip(found[0].tolist(), found[1].tolist(), strict=True)) == chosen(everybody)
    return found is not None


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(8, 40), st.integers(2, 6))
def test_find_proved_matching_is_the_optimum(seed: int, count: int, width: int) -> None:
    check(random_field(Random(seed), count, density=0.2), width)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_find_proved_matching_proves_most_random_fields(seed: int) -> None:
    """Small fields leave little choice, but few need all edges."""
    rng = Random(seed)
    fields = [random_field(rng, rng.randint(30, 60), density=0.2) for _ in range(15)]
    assert sum(check(field, 8) for field in fields) >= 14


@pytest.mark.parametrize("style", [PairingStyle.SLIDE, PairingStyle.FOLD, PairingStyle.ADJACENT])
@pytest.mark.parametrize("count", [120, 121])
def test_find_proved_matching_with_forbidden_neighbours(style: PairingStyle, count: int) -> None:
    field = random_field(Random(count), count, density=0.8, settings=PairingSettings(style=style))
    players = [entrant.player for entrant in field.entrants]
    near = [frozenset(pair) for reach in range(1, 9) for pair in zip(players, players[reach:], strict=False)]
    assert check(replace(field, forbidden_pairs=frozenset(near)), 8)


def test_find_proved_matching_solves_a_gap_after_the_last_level() -> None:
    """All levels fit into one weight, and an odd cycle is left."""
    assert check(random_field(Random(554002), 56, density=0.1), 2)


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=20000)
@given(st.integers(0, 2**64), st.integers(4, 60), st.integers(2, 10))
def test_find_proved_matching_in_thousands_of_states(seed: int, count: int, width: int) -> None:
    check(random_field(Random(seed), count, density=Random(seed).choice([0.1, 0.4, 0.8])), min(width, count - 2))


HARSH = ("plain", "clubs", "repeat", "byes", "level")


def harshly(field: PairingField, harsh: str, rng: Random) -> PairingField:
    """Return a field of two clubs apart, with one who has met all, a bye again for everybody, or level starts."""
    options = replace(field.settings, avoid=("club",) * (harsh == "clubs"), level_rounds=int(harsh == "level"))
    field = replace(field, settings=options, later_rounds=0, forbidden_pairs=frozenset())
    people = list(field.entrants)
    if harsh == "clubs":
        people = [replace(person, club=rng.choice("xy")) for person in people]
    if harsh == "byes":
        people = [replace(person, byes=max(1, person.byes)) for person in people]
    if harsh == "repeat":
        met = people[30].player
        others = {person.player: (1,) for person in people if person.player != met}
        people[30] = replace(people[30], byes=1, meetings=others)
        people = [
            person if person.player == met else replace(person, meetings={**person.meetings, met: (1,)})
            for person in people
        ]
    return replace(field, entrants=tuple(people))


def harsh_field(harsh: str, seed: int, count: int) -> PairingField:
    rng = Random(seed)
    return harshly(random_field(rng, count, density=0.3, settings=PairingSettings()), harsh, rng)


@pytest.mark.slow
@pytest.mark.parametrize("harsh", HARSH)
def test_find_proved_matching_of_harsh_fields(harsh: str) -> None:
    for seed in range(8):
        assert check(harsh_field(harsh, seed, 61), 8)


@pytest.mark.slow
@pytest.mark.parametrize("harsh", HARSH)
@pytest.mark.parametrize("count", [101, 118, 139, 160])
def test_find_proved_matching_equals_the_optimum_of_all_pairs(harsh: str, count: int) -> None:
    assert check(harsh_field(harsh, count, count), 8)


@pytest.mark.slow
def test_find_proved_matching_tries_fewer_levels_for_a_wide_gap() -> None:
    """In this field all levels in one weight leave a gap of half an optimum of the first ones."""
    tournament, rng = event(421, seed=421), Random(421)
    for _ in range(5):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), rng)
    field = build_field(Index(tournament), STAGE, number=6, source=5)
    assert check(harshly(field, "level", Random(1)), 8)


@pytest.mark.slow
@pytest.mark.parametrize("count", [420, 421])
def test_pair_field_of_a_large_field_equals_all_pairs(count: int) -> None:
    tournament = event(count, settings=PairingSettings(avoid=("club",)))
    for number in range(1, 3):
        field = build_field(Index(tournament), STAGE, number=number, source=number - 1)
        everybody = chosen(build_graph(field))
        plan = pair_field(field)
        assert plan.relaxed == ()
        assert {
            (pair.position, count if pair.opponent is None else pair.opponent) for pair in plan.pairs
        } == everybody
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), Random(number))
