"""How many pairs a large field looks at together, and when it looks at all of them."""

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


@pytest.mark.parametrize(
    ("players", "tries"), [(2, 0), (99, 0), (100, 0), (101, 1), (399, 1), (400, 1), (401, 4), (900, 4)]
)
def test_how_many_widths_are_tried_goes_by_the_size_of_the_field(players: int, tries: int) -> None:
    assert swiss._tries(players) == tries


@pytest.mark.parametrize("count", [4, 5, 8, 9])
@pytest.mark.parametrize("block", [1, 10, 20, 35, 1000])
def test_blocks_of_pairs_hold_all_of_them_and_no_more_than_they_may(
    monkeypatch: pytest.MonkeyPatch, block: int, count: int
) -> None:
    made = a_field(count)
    free = np.arange(count)
    nodes = count + count % 2
    columns = criteria.columns_of(made)
    first, second = swiss._legal(made, columns, free, width=None)
    whole = sorted(zip(first.tolist(), second.tolist(), strict=True))
    monkeypatch.setattr(swiss, "_BLOCK", block)
    found = list(swiss._legal_rows(made, free))
    pairs = [pair for ones, others in found for pair in zip(ones.tolist(), others.tolist(), strict=True)]
    assert sorted(pairs) == whole
    assert len(pairs) == nodes * (nodes - 1) // 2 - 2
    assert all(len(set(ones.tolist())) <= max(1, block // nodes) for ones, _ in found)


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
