from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from tdapp.domain.model import PlayerId
from tdapp.pairing.field import Entrant, Field
from tdapp.pairing.system import Claim, assigned, starter
from tests.pairing.states import STAGE


def entrant(number: int, roles: Mapping[int, bool], met: tuple[int, ...] = ()) -> Entrant:
    other = PlayerId(f"p{3 - number}")
    return Entrant(
        PlayerId(f"p{number}"),
        number,
        roles=MappingProxyType(dict(roles)),
        meetings=MappingProxyType({other: met} if met else {}),
    )


def starts(one: Entrant, other: Entrant, *, seed: int = 1, number: int = 5) -> int:
    field = Field(STAGE, number, seed, (one, other))
    first = starter(field, one, other)
    assert starter(field, other, one) == first
    return first.number


def test_the_lower_balance_starts() -> None:
    assert starts(entrant(1, {1: True, 2: True}), entrant(2, {1: True, 2: False})) == 2


def test_balance_counts_not_the_number_of_starts() -> None:
    assert starts(entrant(1, {1: True, 2: False, 3: False}), entrant(2, {1: True})) == 1


def test_then_who_replied_when_they_last_differed() -> None:
    one = entrant(1, {1: True, 2: False, 3: True, 4: False})
    other = entrant(2, {1: True, 2: True, 3: False, 4: False})
    assert starts(one, other) == 2


def test_rounds_in_which_one_of_them_did_not_play_do_not_count() -> None:
    one = entrant(1, {1: False, 2: True, 3: True, 4: False})
    other = entrant(2, {1: True, 2: False})
    assert starts(one, other) == 2


def test_then_who_replied_at_their_last_meeting() -> None:
    one = entrant(1, {1: True, 3: False}, met=(3,))
    other = entrant(2, {2: False, 4: True}, met=(3,))
    assert starts(one, other) == 1


def test_then_a_draw_that_is_fair_and_can_be_repeated() -> None:
    drawn = [starts(entrant(1, {}), entrant(2, {}), seed=seed) for seed in range(400)]
    assert drawn == [starts(entrant(1, {}), entrant(2, {}), seed=seed) for seed in range(400)]
    assert 150 < drawn.count(1) < 250


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ((Claim(), Claim(), Claim()), (11, 12, 13)),
        ((Claim(), Claim(kept=11), Claim()), (12, 11, 13)),
        ((Claim(), Claim(fixed=(12,)), Claim(fixed=(12,))), (11, 12, 13)),
        ((Claim(fixed=(12,)), Claim(kept=12), Claim()), (11, 12, 13)),
        ((Claim(), Claim(fixed=(3, 4)), Claim()), (11, 3, 12)),
        ((Claim(fixed=(3,)), Claim(fixed=(3, 4)), Claim()), (3, 4, 11)),
        ((Claim(kept=5), Claim(kept=5)), (5, 11)),
    ],
)
def test_tables(claims: tuple[Claim, ...], expected: tuple[int, ...]) -> None:
    assert assigned(claims, 11) == expected
