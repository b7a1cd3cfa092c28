from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, Game, GameId, PlayerId, RoundId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing.field import Entrant, FixedPair, PairingField, build_field, make_fixed_pair
from tdapp.pairing.system import PlannedPair, TableWishes, assign_tables, choose_starter
from tests.building import DIVISION, get_last_round, get_player, make_event, pair_rounds
from tests.pairing.random_states import STAGE


def entrant(number: int, roles: Mapping[int, bool], met: tuple[int, ...] = ()) -> Entrant:
    other = PlayerId(f"p{3 - number}")
    return Entrant(
        PlayerId(f"p{number}"),
        number,
        starts_by_round=MappingProxyType(dict(roles)),
        meetings=MappingProxyType({other: met} if met else {}),
    )


def starts(one: Entrant, other: Entrant, *, seed: int = 1, number: int = 5) -> int:
    field = PairingField(STAGE, number, seed, (one, other))
    first = choose_starter(field, one, other)
    assert choose_starter(field, other, one) == first
    return first.number


def test_choose_starter_by_the_lower_balance() -> None:
    assert starts(entrant(1, {1: True, 2: True}), entrant(2, {1: True, 2: False})) == 2


def test_choose_starter_counts_the_last_forfeited_game() -> None:
    one, other = entrant(1, {1: True, 2: False}, met=(1, 2)), entrant(2, {}, met=(1, 2))
    for seed in range(8):
        assert starts(one, other, seed=seed) == 1


def test_choose_starter_by_balance_not_number_of_starts() -> None:
    assert starts(entrant(1, {1: True, 2: False, 3: False}), entrant(2, {1: True})) == 1


def test_choose_starter_replier_of_the_last_difference() -> None:
    one = entrant(1, {1: True, 2: False, 3: True, 4: False})
    other = entrant(2, {1: True, 2: True, 3: False, 4: False})
    assert starts(one, other) == 2


def test_choose_starter_ignores_rounds_without_a_game() -> None:
    one = entrant(1, {1: False, 2: True, 3: True, 4: False})
    other = entrant(2, {1: True, 2: False})
    assert starts(one, other) == 2


def test_choose_starter_replier_of_the_last_meeting() -> None:
    one = entrant(1, {1: True, 3: False}, met=(3,))
    other = entrant(2, {2: False, 4: True}, met=(3,))
    assert starts(one, other) == 1


def test_choose_starter_draws_fairly_and_repeatably() -> None:
    drawn = [starts(entrant(1, {}), entrant(2, {}), seed=seed) for seed in range(400)]
    assert drawn == [starts(entrant(1, {}), entrant(2, {}), seed=seed) for seed in range(400)]
    assert 150 < drawn.count(1) < 250


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ((TableWishes(), TableWishes(), TableWishes()), (11, 12, 13)),
        ((TableWishes(), TableWishes(director_table=11), TableWishes()), (12, 11, 13)),
        ((TableWishes(), TableWishes(fixed_tables=(12,)), TableWishes(fixed_tables=(12,))), (11, 12, 13)),
        ((TableWishes(fixed_tables=(12,)), TableWishes(director_table=12), TableWishes()), (11, 12, 13)),
        ((TableWishes(), TableWishes(fixed_tables=(3, 4)), TableWishes()), (11, 3, 12)),
        ((TableWishes(fixed_tables=(3,)), TableWishes(fixed_tables=(3, 4)), TableWishes()), (3, 4, 11)),
        ((TableWishes(director_table=5), TableWishes(director_table=5)), (5, 11)),
    ],
)
def test_assign_tables_by_wishes(claims: tuple[TableWishes, ...], expected: tuple[int, ...]) -> None:
    assert assign_tables(claims, 11) == expected


@pytest.mark.parametrize(("rules", "booked"), [("naspa-nwl", {1: True, 3: False}), ("wespa", {})])
def test_build_field_books_forfeits_alternately_by_the_rules(rules: str, booked: dict[int, bool]) -> None:
    value = make_event(4, rules=rules)
    gone = get_player(value, 1).id
    played: dict[int, bool] = {}
    for number in range(1, 4):
        value = pair_rounds(value, results=False)
        game = next(
            game for game in Index(value).games(get_last_round(value).id) if gone in (game.first, game.second)
        )
        if number == 2:
            played[number] = game.first == gone
            value = commands.enter_result(value, game=game.id, first=400, second=300)
        else:
            lost = Forfeit.FIRST if game.first == gone else Forfeit.SECOND
            value = commands.enter_result(value, game=game.id, forfeit=lost)
        for other in Index(value).open_games(get_last_round(value).id):
            value = commands.enter_result(value, game=other.id, first=400, second=300)
    index = Index(value)
    entrants = {
        entrant.player: entrant
        for entrant in build_field(index, index.stages(DIVISION)[0].id, number=4, source=3).entrants
    }
    assert entrants[gone].starts_by_round == played | booked
    assert all(len(entrant.starts_by_round) < 4 for entrant in entrants.values())
    met = [entrant for entrant in entrants.values() if entrant.player != gone and len(entrant.starts_by_round) < 3]
    assert met, "who was to play against the one who gave up has no role for it"


def test_fix_game_pair_without_facts() -> None:
    one = Entrant(PlayerId("p1"), 1)
    assert one == replace(one, score=0, points="0", byes=0, floats=(0, 0), needs_access=False, rank=0, spread=0)
    assert one.balance == 0
    field = PairingField(STAGE, 1, 7, (one,))
    assert field == replace(field, first_table=1, later_rounds=0, settings=PairingSettings(), source=None)
    kept = make_fixed_pair(Game(GameId("g"), RoundId("r"), 4, PlayerId("p1"), PlayerId("p2")))
    assert FixedPair(kept.first) == FixedPair(kept.first, None, None, keep_start=False, locked=True, code="fixed")
    assert TableWishes() == TableWishes(director_table=None, fixed_tables=(), needs_access=False, last_tables=())
    assert PlannedPair(0, 1) == PlannedPair(0, 1, order=0, draw=False)
    assert choose_starter(field, one, one) is one
