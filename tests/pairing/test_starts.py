"""Tests of starts, table wishes and the field data that they need."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game, GameId, GameSide, PlayerId, RoundId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing.field import Entrant, FixedPair, PairingField, build_pairing_field, make_fixed_pair
from tdapp.pairing.system import PlannedPair, TableWishesForGame, assign_tables, choose_starter
from tests.building import DIVISION, get_last_round, get_player, make_event, pair_rounds
from tests.pairing.random_states import STAGE


def make_entrant(number: int, roles: Mapping[int, bool], meeting_rounds: tuple[int, ...] = ()) -> Entrant:
    opponent = PlayerId(f"p{3 - number}")
    return Entrant(
        PlayerId(f"p{number}"),
        number,
        starts_by_round=MappingProxyType(dict(roles)),
        meetings=MappingProxyType({opponent: meeting_rounds} if meeting_rounds else {}),
    )


def choose_starter_number(
    first_entrant: Entrant, second_entrant: Entrant, *, seed: int = 1, number: int = 5
) -> int:
    field = PairingField(STAGE, number, seed, (first_entrant, second_entrant))
    first = choose_starter(field, first_entrant, second_entrant)
    assert choose_starter(field, second_entrant, first_entrant) == first
    return first.number


def test_choose_starter_by_the_lower_balance() -> None:
    assert choose_starter_number(make_entrant(1, {1: True, 2: True}), make_entrant(2, {1: True, 2: False})) == 2


def test_choose_starter_counts_the_last_forfeited_game() -> None:
    first, second = (
        make_entrant(1, {1: True, 2: False}, meeting_rounds=(1, 2)),
        make_entrant(2, {}, meeting_rounds=(1, 2)),
    )
    for seed in range(8):
        assert choose_starter_number(first, second, seed=seed) == 1


def test_choose_starter_by_balance_not_number_of_starts() -> None:
    assert choose_starter_number(make_entrant(1, {1: True, 2: False, 3: False}), make_entrant(2, {1: True})) == 1


def test_choose_starter_replier_of_the_last_difference() -> None:
    first = make_entrant(1, {1: True, 2: False, 3: True, 4: False})
    second = make_entrant(2, {1: True, 2: True, 3: False, 4: False})
    assert choose_starter_number(first, second) == 2


def test_choose_starter_ignores_rounds_without_a_game() -> None:
    first = make_entrant(1, {1: False, 2: True, 3: True, 4: False})
    second = make_entrant(2, {1: True, 2: False})
    assert choose_starter_number(first, second) == 2


def test_choose_starter_replier_of_the_last_meeting() -> None:
    first = make_entrant(1, {1: True, 3: False}, meeting_rounds=(3,))
    second = make_entrant(2, {2: False, 4: True}, meeting_rounds=(3,))
    assert choose_starter_number(first, second) == 1


def test_choose_starter_draws_fairly_and_repeatably() -> None:
    starters = [choose_starter_number(make_entrant(1, {}), make_entrant(2, {}), seed=seed) for seed in range(400)]
    assert starters == [
        choose_starter_number(make_entrant(1, {}), make_entrant(2, {}), seed=seed) for seed in range(400)
    ]
    assert 150 < starters.count(1) < 250


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ((TableWishesForGame(), TableWishesForGame(), TableWishesForGame()), (11, 12, 13)),
        ((TableWishesForGame(), TableWishesForGame(director_table=11), TableWishesForGame()), (12, 11, 13)),
        (
            (TableWishesForGame(), TableWishesForGame(fixed_tables=(12,)), TableWishesForGame(fixed_tables=(12,))),
            (11, 12, 13),
        ),
        (
            (TableWishesForGame(fixed_tables=(12,)), TableWishesForGame(director_table=12), TableWishesForGame()),
            (11, 12, 13),
        ),
        ((TableWishesForGame(), TableWishesForGame(fixed_tables=(3, 4)), TableWishesForGame()), (11, 3, 12)),
        (
            (TableWishesForGame(fixed_tables=(3,)), TableWishesForGame(fixed_tables=(3, 4)), TableWishesForGame()),
            (3, 4, 11),
        ),
        ((TableWishesForGame(director_table=5), TableWishesForGame(director_table=5)), (5, 11)),
    ],
)
def test_assign_tables_by_wishes(wishes: tuple[TableWishesForGame, ...], expected: tuple[int, ...]) -> None:
    assert assign_tables(wishes, 11) == expected


@pytest.mark.parametrize(("rules", "expected_roles"), [("naspa-nwl", {1: True, 3: False}), ("wespa", {})])
def test_build_field_books_forfeits_alternately_by_the_rules(rules: str, expected_roles: dict[int, bool]) -> None:
    value = make_event(4, rules=rules)
    forfeiting_player = get_player(value, 1).id
    roles: dict[int, bool] = {}
    for number in range(1, 4):
        value = pair_rounds(value, results=False)
        game = next(
            game
            for game in TournamentIndex(value).games(get_last_round(value).id)
            if forfeiting_player in (game.first, game.second)
        )
        if number == 2:
            roles[number] = game.first == forfeiting_player
            value = commands.enter_result(value, game=game.id, first=400, second=300)
        else:
            loser = GameSide.FIRST if game.first == forfeiting_player else GameSide.SECOND
            value = commands.enter_result(value, game=game.id, forfeit=loser)
        for open_game in TournamentIndex(value).list_open_games(get_last_round(value).id):
            value = commands.enter_result(value, game=open_game.id, first=400, second=300)
    index = TournamentIndex(value)
    entrants = {
        entrant.player: entrant
        for entrant in build_pairing_field(index, index.stages(DIVISION)[0].id, number=4, source=3).entrants
    }
    assert entrants[forfeiting_player].starts_by_round == roles | expected_roles
    assert all(len(entrant.starts_by_round) < 4 for entrant in entrants.values())
    opponents = [
        entrant
        for entrant in entrants.values()
        if entrant.player != forfeiting_player and len(entrant.starts_by_round) < 3
    ]
    assert opponents, "opponents in forfeited games must have no role for that round"


def test_make_fixed_pair_has_default_values() -> None:
    entrant = Entrant(PlayerId("p1"), 1)
    assert entrant == replace(
        entrant, score=0, points="0", byes=0, floats=(0, 0), needs_access=False, rank=0, spread=0
    )
    assert entrant.start_balance == 0
    field = PairingField(STAGE, 1, 7, (entrant,))
    assert field == replace(field, first_table=1, later_rounds=0, settings=PairingSettings(), source=None)
    fixed_pair = make_fixed_pair(Game(GameId("g"), RoundId("r"), 4, PlayerId("p1"), PlayerId("p2")))
    assert FixedPair(fixed_pair.first) == FixedPair(
        fixed_pair.first, None, None, keep_start=False, locked=True, code="fixed"
    )
    assert TableWishesForGame() == TableWishesForGame(
        director_table=None, fixed_tables=(), needs_access=False, last_tables=()
    )
    assert PlannedPair(0, 1) == PlannedPair(0, 1, order=0, draw=False)
    assert choose_starter(field, entrant, entrant) is entrant
