"""Which neighbours a large field looks at first, and when a pairing of them is good."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tdapp.pairing import criteria
from tdapp.pairing.arrays import np
from tdapp.pairing.contention import Contender, Contest, groups
from tdapp.pairing.field import Field
from tdapp.pairing.matching import Graph, Solution
from tdapp.pairing.systems import swiss
from tests.pairing.states import random_field


def a_field(count: int) -> Field:
    made = random_field(Random(count), count)
    first = made.entrants[0].player
    pairs = [frozenset({first, made.entrants[place].player}) for place in (1, 3) if place < count]
    return replace(made, forbidden=frozenset(pairs))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [6, 9, 12])
def test_everybody_has_the_nearest_neighbours(count: int, width: int) -> None:
    made = a_field(count)
    first, second = swiss._neighbours(criteria.columns_of(made), np.arange(count), width)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert all(0 <= one < other < count for one, other in pairs)
    met = [sum(place in pair for pair in pairs) for place in range(count)]
    assert min(met) >= width
    assert width < 2 or {(place, place + 1) for place in range(count - 1)} <= set(pairs)


@pytest.mark.parametrize(
    ("complete", "repeats", "good"), [(True, 0, True), (True, 1, False), (False, 0, False), (False, 1, False)]
)
def test_a_pairing_is_good_that_is_whole_and_without_repeats(complete: bool, repeats: int, good: bool) -> None:
    ends = np.array([0, 2]), np.array([1, 3])
    graph = Graph(4, *ends, {"repeats": np.array([0, repeats])})
    found = swiss._Solved(graph, Solution((0, 1), (), complete))
    assert found.is_good is good
    assert found.pairs == [(0, 1), (2, 3)]


@pytest.mark.parametrize(
    ("count", "decided", "members", "left_over"),
    [
        (4, (), ((0, 1, 2, 3),), ()),
        (4, (0,), ((0, 1, 2, 3),), (0,)),
        (4, (1,), ((0, 1), (2, 3)), ()),
        (5, (0, 1), ((0, 1, 2, 3, 4),), (0, 1)),
        (5, (2,), ((0, 1), (2, 3, 4)), (2,)),
        (3, (0, 1, 2), ((0, 1, 2),), (0, 1, 2)),
        (2, (1,), ((0, 1),), ()),
        (1, (), ((0,),), ()),
    ],
)
def test_who_is_decided_parts_the_field(
    count: int, decided: tuple[int, ...], members: tuple[tuple[int, ...], ...], left_over: tuple[int, ...]
) -> None:
    people = tuple(Contender(place.player, 0) for place in a_field(count).entrants)
    found = groups(Contest(people, 2, 4), frozenset(decided))
    assert (found.members, found.left_over) == (members, left_over)
