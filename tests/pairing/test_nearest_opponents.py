"""The nearest opponents of each player in a large field, and the prize groups."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tdapp.pairing.arrays import np
from tdapp.pairing.clinch_bounds import Contender, Contest, split_into_gibson_groups
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import MatchingProblem
from tests.pairing.random_states import random_field


def a_field(count: int) -> PairingField:
    made = random_field(Random(count), count)
    first = made.entrants[0].player
    pairs = [frozenset({first, made.entrants[place].player}) for place in (1, 3) if place < count]
    return replace(made, forbidden_pairs=frozenset(pairs))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [6, 9, 12])
def test_list_nearest_edges_of_each_player(count: int, width: int) -> None:
    made = replace(a_field(count), forbidden_pairs=frozenset())
    first, second = MatchingProblem(made, np.arange(count)).list_nearest_edges(width)
    pairs = [pair for pair in zip(first.tolist(), second.tolist(), strict=True) if pair[1] < count]
    assert pairs == sorted(set(pairs))
    assert all(0 <= one < other < count for one, other in pairs)
    met = [sum(place in pair for pair in pairs) for place in range(count)]
    assert min(met) >= width
    assert width < 2 or {(place, place + 1) for place in range(count - 1)} <= set(pairs)


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
def test_split_groups_at_a_decided_player(
    count: int, decided: tuple[int, ...], members: tuple[tuple[int, ...], ...], left_over: tuple[int, ...]
) -> None:
    people = tuple(Contender(place.player, 0) for place in a_field(count).entrants)
    found = split_into_gibson_groups(Contest(people, 2, 4), frozenset(decided))
    assert (found.members, found.gibsonized_in_last_group) == (members, left_over)
