"""Tests of special cases of stages: admission, allowed changes and seeds."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import (
    list_players_in_pairing_order,
    list_players_in_seed_order,
    list_stage_groups,
    list_stage_players_in_pairing_order,
)
from tdapp.domain.commands.stages import Seeding, StageChanges
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Bye, ByeId, ByeKind, PlayerId, StageId
from tdapp.domain.stages import (
    find_first_counted_round,
    find_stage_players_or_none_if_inherited,
    list_stages_counted_in_standings,
)
from tests.building import DIVISION, get_last_round, make_event, pair_rounds
from tests.domain.test_stages import GROUPS, Plan, get_stage, plan_event


def test_list_stage_players_wider_cut_readmits_no_player() -> None:
    value = plan_event(8, ("swiss", 2, {}), ("swiss", 1, {"cut": 4}), ("swiss", 1, {"cut": 6}), ("swiss", 1, {}))
    value = pair_rounds(value, times=3)
    index = TournamentIndex(value)
    qualified = list_stage_players_in_pairing_order(index, get_stage(value, "b"))
    assert len(qualified) == 4
    assert (
        set(list_stage_players_in_pairing_order(index, get_stage(value, "c")))
        == set(list_stage_players_in_pairing_order(index, get_stage(value, "d")))
        == set(qualified)
    )


def test_list_groups_omits_a_latecomer_after_a_cut() -> None:
    plan: Plan = (("swiss", 2, {}), ("round-robin", 2, {"cut": 6, "settings": GROUPS}))
    value = pair_rounds(plan_event(8, *plan), times=3)
    with_latecomer = commands.add_player(value, key="new", division=DIVISION, name="Late")
    groups = list_stage_groups(TournamentIndex(with_latecomer), get_stage(with_latecomer, "b"))
    assert [len(group) for group in groups] == [3, 3]
    assert groups == list_stage_groups(TournamentIndex(value), get_stage(value, "b"))


@pytest.mark.parametrize("seed", range(6))
def test_list_in_pairing_order_puts_players_without_rating_last(seed: int) -> None:
    value = make_event(4)
    ratings = dict(zip(value.players, (None, 0, 1, None), strict=True))
    value = value.put(*(replace(value.players[key], rating=rating) for key, rating in ratings.items()))
    value = value.put(replace(value.event, seed=seed))
    order = [
        player.number
        for player in list_players_in_pairing_order(TournamentIndex(value), value.divisions[DIVISION], 0)
    ]
    assert order[:2] == [3, 2]
    assert sorted(order[2:]) == [1, 4]


def test_list_stages_counted_in_standings_of_a_first_play_off() -> None:
    value = plan_event(4, ("knockout", 2, {}))
    play_off = replace(get_stage(value, "a"), play_off=True)
    index = TournamentIndex(value.put(play_off))
    assert (list_stages_counted_in_standings(index, play_off), find_first_counted_round(index, play_off)) == (
        (),
        1,
    )


def test_edit_stage_play_off_keeps_its_system() -> None:
    value = plan_event(4, ("swiss", 2, {}), ("knockout", 2, {}))
    value = value.put(replace(get_stage(value, "b"), play_off=True))
    for shorter_stage in (StageChanges(rounds=1), StageChanges(rounds=1, system="knockout")):
        edited_tournament = commands.edit_stage(value, stage=StageId("b"), **shorter_stage)
        assert (get_stage(edited_tournament, "b").rounds, get_stage(edited_tournament, "b").system) == (
            1,
            "knockout",
        )
    with pytest.raises(CommandError):
        commands.edit_stage(value, stage=StageId("b"), system="swiss")


def test_edit_stage_keeps_rounds_before_a_begun_stage() -> None:
    value = pair_rounds(plan_event(4, ("swiss", 1, {}), ("swiss", 2, {})), times=2)
    assert commands.edit_stage(value, stage=StageId("a"), rounds=1).stages == value.stages
    with pytest.raises(CommandError, match="later-stage-started"):
        commands.edit_stage(value, stage=StageId("a"), rounds=2)
    two_divisions = commands.add_division(value, key="e", code="B")
    two_divisions = commands.add_stage(two_divisions, key="x", division="e", system="swiss", rounds=3)  # type: ignore[arg-type]
    assert commands.edit_stage(two_divisions, stage=StageId("x"), rounds=2).stages[StageId("x")].rounds == 2


def test_schedule_stage_first_stage_keeps_its_start() -> None:
    value = plan_event(4, ("swiss", 2, {}), ("swiss", 2, {}))
    edited_tournament = commands.schedule_stage(value, stage=StageId("a"), first=1, last=3)
    assert (get_stage(edited_tournament, "a").rounds, get_stage(edited_tournament, "b").rounds) == (3, 2)
    with pytest.raises(CommandError, match="number-out-of-range"):
        commands.schedule_stage(value, stage=StageId("a"), first=2, last=3)


def test_seed_stage_by_rating_counts_none_as_zero() -> None:
    """A missing rating counts as 0. Equal players keep the order of the standings."""
    value = pair_rounds(plan_event(4, ("swiss", 1, {}), ("knockout", 2, {})))
    value = commands.enter_result(
        value, game=TournamentIndex(value).games(get_last_round(value).id)[0].id, first=500, second=300
    )
    for ratings in ((None, 1, 0, 2), (0, 1, None, 2), (None, 0, 2, 1), (1, None, 0, None)):
        order = [
            player.id
            for player in list_players_in_pairing_order(TournamentIndex(value), value.divisions[DIVISION], 1)
        ]
        rating_by_player = dict(zip(order, ratings, strict=True))
        rerated_tournament = value.put(
            *(replace(value.players[key], rating=rating) for key, rating in rating_by_player.items())
        )
        seeded_tournament = commands.seed_stage(rerated_tournament, key="k", stage=StageId("b"), by=Seeding.RATING)
        expected = sorted(order, key=lambda player: -(rating_by_player[player] or 0))
        assert list(list_players_in_seed_order(TournamentIndex(seeded_tournament), StageId("b"))) == expected


def test_discard_round_removes_only_its_own_seeds() -> None:
    value = make_event(4, system="knockout", rounds=2)
    value = commands.seed_stage(value, key="k", stage=StageId("s"), by=Seeding.LOT)
    seeds = dict(value.seeds)
    assert len(seeds) == 4
    round_ = pair_rounds(value, results=False)
    discarded = commands.discard_round(round_, round=get_last_round(round_).id, reason="wrong")
    assert discarded.seeds == seeds


def test_play_as_seated_keeps_the_number_of_byes() -> None:
    """Naming a table twice does not replace it."""
    value = pair_rounds(make_event(4), results=False)
    item = get_last_round(value)
    for number in (5, 6, 7):
        value = commands.add_player(value, key=f"p{number}", division=DIVISION, name=f"P{number}")
        value = value.put(Bye(ByeId(f"b{number}"), item.id, PlayerId(f"p{number}"), ByeKind.BYE))
    game = TournamentIndex(value).get_game(item.id, 1)
    seats = ((1, game.first, game.second), (1, PlayerId("p5"), PlayerId("p6")))
    with pytest.raises(CommandError, match="not-the-same-players"):
        commands.play_as_seated(value, round=item.id, seats=seats, byes=(PlayerId("p7"),))


def test_find_fixed_players_includes_later_players() -> None:
    value = plan_event(6, ("swiss", 1, {}), ("round-robin", 3, {}))
    value = pair_rounds(value)
    seeded_ids = tuple(PlayerId(f"p{number}") for number in (1, 2, 3, 4))
    value = commands.set_seeds(value, key="k", stage=StageId("b"), players=seeded_ids)
    assert find_stage_players_or_none_if_inherited(TournamentIndex(value), get_stage(value, "b")) == frozenset(
        seeded_ids
    )
    started = pair_rounds(value)
    assert find_stage_players_or_none_if_inherited(TournamentIndex(started), get_stage(started, "b")) == frozenset(
        seeded_ids
    )
    with_latecomer = commands.add_player(started, key="new", division=DIVISION, name="Late")
    assert find_stage_players_or_none_if_inherited(
        TournamentIndex(with_latecomer), get_stage(with_latecomer, "b")
    ) == frozenset({*seeded_ids, PlayerId("new")})


def test_order_pairing_binds_two_players_in_one_round() -> None:
    value = commands.order_pairing(
        make_event(6), key="o", player=PlayerId("p1"), other=PlayerId("p2"), round_number=2
    )
    for first_id, second_id, number, is_allowed in (
        ("p3", "p4", 2, True),
        ("p1", "p3", 3, True),
        ("p2", "p3", 2, False),
    ):
        players = {"player": PlayerId(first_id), "other": PlayerId(second_id)}
        if is_allowed:
            assert len(commands.order_pairing(value, key="n", **players, round_number=number).constraints) == 2
        else:
            with pytest.raises(CommandError, match="ordered-to-meet"):
                commands.order_pairing(value, key="n", **players, round_number=number)


def test_add_stage_refuses_an_unknown_system() -> None:
    value = plan_event(4, ("swiss", 2, {}))
    with pytest.raises(CommandError, match="unknown-system"):
        commands.add_stage(value, key="x", division=DIVISION, system="single-knockout", rounds=2)
    with pytest.raises(CommandError, match="unknown-system"):
        commands.edit_stage(value, stage=StageId("a"), system="single-knockout")
    with pytest.raises(CommandError, match="unknown-system"):
        commands.split_stage(value, key="x", stage=StageId("a"), rounds=1, system="single-knockout")
