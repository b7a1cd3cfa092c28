"""Tests of the nearest opponents of each player in a large field, and of the Gibson groups."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tdapp.pairing.arrays import np
from tdapp.pairing.clinch_bounds import Contender, RankContest, split_standings_at_decided_positions
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import MatchingProblem
from tests.pairing.random_states import make_random_field


def make_field_with_forbidden_pairs(count: int) -> PairingField:
    field = make_random_field(Random(count), count)
    first = field.entrants[0].player
    pairs = [frozenset({first, field.entrants[position].player}) for position in (1, 3) if position < count]
    return replace(field, forbidden_pairs=frozenset(pairs))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [6, 9, 12])
def test_list_nearest_edges_of_each_player(count: int, width: int) -> None:
    field = replace(make_field_with_forbidden_pairs(count), forbidden_pairs=frozenset())
    first, second = MatchingProblem(field, np.arange(count)).list_edges_to_nearby_nodes(width)
    pairs = [pair for pair in zip(first.tolist(), second.tolist(), strict=True) if pair[1] < count]
    assert pairs == sorted(set(pairs))
    assert all(0 <= first_position < second_position < count for first_position, second_position in pairs)
    pair_counts = [sum(position in pair for pair in pairs) for position in range(count)]
    assert min(pair_counts) >= width
    assert width < 2 or {(position, position + 1) for position in range(count - 1)} <= set(pairs)


@pytest.mark.parametrize(
    ("count", "decided_positions", "members", "left_over"),
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
def test_split_into_gibson_groups_at_a_decided_player(
    count: int,
    decided_positions: tuple[int, ...],
    members: tuple[tuple[int, ...], ...],
    left_over: tuple[int, ...],
) -> None:
    contenders = tuple(
        Contender(position.player, 0) for position in make_field_with_forbidden_pairs(count).entrants
    )
    groups = split_standings_at_decided_positions(RankContest(contenders, 2, 4), frozenset(decided_positions))
    assert (groups.members, groups.gibsonized_in_last_group) == (members, left_over)
