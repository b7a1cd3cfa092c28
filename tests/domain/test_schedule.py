"""Tests of the schedule of a division: adding, splitting, merging, moving and removing stages."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, make_desk, make_event, pair_rounds


def list_schedule(tournament: Tournament) -> list[tuple[str, int]]:
    return [(stage.system, stage.rounds) for stage in TournamentIndex(tournament).stages(DIVISION)]


def build_three_stages() -> Tournament:
    """Return stages of rounds 1-3 (snake groups), 4-8 (Swiss) and 9 (king of the hill)."""
    tournament = commands.edit_stage(make_event(8), stage=StageId("s"), system="snake-groups", rounds=3)
    for key, system, rounds in (("t", "swiss", 5), ("u", "king-of-the-hill", 1)):
        tournament = commands.add_stage(tournament, key=key, division=DIVISION, system=system, rounds=rounds)
    return tournament


def assert_refused(code: str, command: partial[Tournament], **facts: object) -> None:
    with pytest.raises(CommandError) as error:
        command()
    assert error.value.code == code
    assert error.value.facts.items() >= facts.items()


def test_add_stage_before_another() -> None:
    tournament = commands.add_stage(
        build_three_stages(),
        key="v",
        division=DIVISION,
        system="factor",
        rounds=2,
        before=StageId("u"),
        cut=4,
        carry=False,
    )
    assert list_schedule(tournament)[2] == ("factor", 2)
    assert TournamentIndex(tournament).get_first_round_number(StageId("u")) == 11
    stage = tournament.stages[StageId("v")]
    assert (stage.cut, stage.carry) == (4, False)
    started_tournament = pair_rounds(make_event(8), times=1)
    add = partial(commands.add_stage, started_tournament, key="v", division=DIVISION, system="swiss", rounds=1)
    assert_refused("stage-started", partial(add, before=StageId("s")))


def test_schedule_stage_last_round_moves_later_stages() -> None:
    tournament = commands.schedule_stage(build_three_stages(), stage=StageId("t"), last=6)
    assert list_schedule(tournament) == [("snake-groups", 3), ("swiss", 3), ("king-of-the-hill", 1)]
    assert TournamentIndex(tournament).get_first_round_number(StageId("u")) == 7


def test_schedule_stage_first_round_ends_the_stage_before() -> None:
    tournament = commands.schedule_stage(build_three_stages(), stage=StageId("t"), first=6)
    assert list_schedule(tournament) == [("snake-groups", 5), ("swiss", 3), ("king-of-the-hill", 1)]
    edited_tournament = commands.schedule_stage(build_three_stages(), stage=StageId("t"), first=3, last=4)
    assert list_schedule(edited_tournament) == [("snake-groups", 2), ("swiss", 2), ("king-of-the-hill", 1)]


@pytest.mark.parametrize("ends", [{"first": 1}, {"first": 9}, {"last": 3}, {"last": 400}])
def test_schedule_stage_refuses_invalid_rounds(ends: dict[str, int]) -> None:
    assert_refused(
        "number-out-of-range", partial(commands.schedule_stage, build_three_stages(), stage=StageId("t"), **ends)
    )


def test_schedule_stage_first_stage_starts_with_round_one() -> None:
    assert_refused(
        "number-out-of-range", partial(commands.schedule_stage, build_three_stages(), stage=StageId("s"), first=2)
    )


def test_schedule_stage_leaves_a_round_to_the_stage_before() -> None:
    change = partial(commands.schedule_stage, build_three_stages(), stage=StageId("t"), first=1)
    assert_refused("number-out-of-range", change, low=2, high=8)


def test_schedule_stage_keeps_existing_rounds_in_their_stage() -> None:
    tournament = pair_rounds(build_three_stages(), times=4)
    assert_refused("later-stage-started", partial(commands.schedule_stage, tournament, stage=StageId("s"), last=4))
    assert_refused("stage-started", partial(commands.schedule_stage, tournament, stage=StageId("t"), first=3))
    split_tournament = partial(commands.split_stage, pair_rounds(build_three_stages(), times=2), key="k", rounds=1)
    assert_refused("rounds-already-made", partial(split_tournament, stage=StageId("s")))
    assert list_schedule(commands.schedule_stage(tournament, stage=StageId("t"), last=4))[1] == ("swiss", 1)


def test_split_stage_keeps_the_rounds() -> None:
    tournament = commands.split_stage(
        build_three_stages(), key="k", stage=StageId("t"), rounds=4, system="king-of-the-hill"
    )
    assert list_schedule(tournament) == [
        ("snake-groups", 3),
        ("swiss", 4),
        ("king-of-the-hill", 1),
        ("king-of-the-hill", 1),
    ]
    assert_refused(
        "stage-too-short",
        partial(commands.split_stage, build_three_stages(), key="k", stage=StageId("u"), rounds=1),
    )


def test_split_stage_has_no_cut_and_continues_the_standings() -> None:
    tournament = commands.edit_stage(build_three_stages(), stage=StageId("t"), cut=4, carry=False)
    split_tournament = commands.split_stage(tournament, key="k", stage=StageId("t"), rounds=2)
    first, second = split_tournament.stages[StageId("t")], split_tournament.stages[StageId("k")]
    assert (first.cut, first.carry, first.rounds, first.system) == (4, False, 2, second.system)
    assert (second.cut, second.carry, second.rounds, second.settings) == (None, True, 3, first.settings)


def test_merge_stages_reverses_a_split() -> None:
    tournament = build_three_stages()
    split_tournament = commands.split_stage(tournament, key="k", stage=StageId("t"), rounds=2)
    assert list_schedule(commands.merge_stages(split_tournament, stage=StageId("t"))) == list_schedule(tournament)
    assert_refused("last-stage", partial(commands.merge_stages, tournament, stage=StageId("u")))
    started_tournament = pair_rounds(tournament, times=4)
    assert_refused("later-stage-started", partial(commands.merge_stages, started_tournament, stage=StageId("s")))


def test_edit_stage_keeps_the_kind_of_a_play_off() -> None:
    stages = build_three_stages().stages
    tournament = build_three_stages().put(replace(stages[StageId("t")], system="knockout", play_off=True))
    key = StageId("t")
    assert_refused("play-off-stays", partial(commands.split_stage, tournament, key="k", stage=key, rounds=1))
    assert_refused("play-off-stays", partial(commands.merge_stages, tournament, stage=key))
    assert_refused("play-off-stays", partial(commands.merge_stages, tournament, stage=StageId("s")))
    assert_refused("play-off-stays", partial(commands.edit_stage, tournament, stage=key, system="swiss"))
    assert key not in commands.remove_stage(tournament, stage=key).stages


def test_move_stage_swaps_stages_before_they_start() -> None:
    tournament = commands.move_stage(build_three_stages(), stage=StageId("u"), position=1)
    assert [system for system, _ in list_schedule(tournament)] == ["king-of-the-hill", "snake-groups", "swiss"]
    started_tournament = pair_rounds(build_three_stages(), times=1)
    assert_refused(
        "stage-started", partial(commands.move_stage, started_tournament, stage=StageId("u"), position=1)
    )
    moved_tournament = commands.move_stage(started_tournament, stage=StageId("u"), position=2)
    assert [system for system, _ in list_schedule(moved_tournament)] == [
        "snake-groups",
        "king-of-the-hill",
        "swiss",
    ]


def test_edit_stage_removes_a_cut_before_the_first_round() -> None:
    tournament = commands.edit_stage(build_three_stages(), stage=StageId("u"), cut=4)
    assert tournament.stages[StageId("u")].cut == 4
    assert commands.edit_stage(tournament, stage=StageId("u"), rounds=2).stages[StageId("u")].cut == 4
    assert commands.edit_stage(tournament, stage=StageId("u"), cut=0).stages[StageId("u")].cut is None
    finished_tournament = pair_rounds(tournament, times=9)
    assert_refused("stage-started", partial(commands.edit_stage, finished_tournament, stage=StageId("u"), cut=6))
    groups = replace(finished_tournament.stages[StageId("s")].settings, groups=2)
    assert_refused(
        "stage-started", partial(commands.edit_stage, finished_tournament, stage=StageId("s"), settings=groups)
    )


def test_edit_stage_limits_the_settings() -> None:
    for settings in (
        PairingSettings(behind=-1),
        PairingSettings(groups=0),
        PairingSettings(repeats_from=-1),
        PairingSettings(avoid_until=100_001),
        PairingSettings(max_repeats=10**20),
    ):
        assert_refused(
            "number-out-of-range",
            partial(commands.edit_stage, build_three_stages(), stage=StageId("t"), settings=settings),
        )
    assert_refused(
        "number-out-of-range", partial(commands.edit_stage, build_three_stages(), stage=StageId("t"), cut=1)
    )


def test_schedule_stage_is_one_undoable_step() -> None:
    open_desk = make_desk(build_three_stages())
    old_schedule = list_schedule(open_desk.tournament)
    steps = {
        "split-stage": partial(commands.split_stage, key="k", stage=StageId("t"), rounds=2),
        "schedule-stage": partial(commands.schedule_stage, stage=StageId("t"), first=2, last=3),
        "move-stage": partial(commands.move_stage, stage=StageId("u"), position=1),
        "merge-stages": partial(commands.merge_stages, stage=StageId("t")),
        "remove-stage": partial(commands.remove_stage, stage=StageId("u")),
    }
    for name, command in steps.items():
        open_desk.do(command, label=name)
        assert list_schedule(open_desk.tournament) != old_schedule
        open_desk.undo()
        assert list_schedule(open_desk.tournament) == old_schedule
