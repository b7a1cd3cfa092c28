"""The schedule of a division: stages added, split, put together, moved and taken away, each in one step."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, desk, event, paired


def schedule(tournament: Tournament) -> list[tuple[str, int]]:
    return [(stage.system, stage.rounds) for stage in Index(tournament).stages(DIVISION)]


def three() -> Tournament:
    """Rounds 1-3 snake groups, 4-8 Swiss, 9 king of the hill."""
    tournament = commands.edit_stage(event(8), stage=StageId("s"), system="snake-groups", rounds=3)
    for key, system, rounds in (("t", "swiss", 5), ("u", "king-of-the-hill", 1)):
        tournament = commands.add_stage(tournament, key=key, division=DIVISION, system=system, rounds=rounds)
    return tournament


def refused(code: str, command: partial[Tournament], **facts: object) -> None:
    with pytest.raises(RuleViolation) as caught:
        command()
    assert caught.value.code == code
    assert caught.value.facts.items() >= facts.items()


def test_add_stage_before_another() -> None:
    tournament = commands.add_stage(
        three(), key="v", division=DIVISION, system="factor", rounds=2, before=StageId("u"), cut=4, carry=False
    )
    assert schedule(tournament)[2] == ("factor", 2)
    assert Index(tournament).first_round(StageId("u")) == 11
    added = tournament.stages[StageId("v")]
    assert (added.cut, added.carry) == (4, False)
    begun = paired(event(8), times=1)
    add = partial(commands.add_stage, begun, key="v", division=DIVISION, system="swiss", rounds=1)
    refused("stage-started", partial(add, before=StageId("s")))


def test_schedule_stage_last_round_moves_later_stages() -> None:
    tournament = commands.schedule_stage(three(), stage=StageId("t"), last=6)
    assert schedule(tournament) == [("snake-groups", 3), ("swiss", 3), ("king-of-the-hill", 1)]
    assert Index(tournament).first_round(StageId("u")) == 7


def test_schedule_stage_first_round_ends_the_stage_before() -> None:
    tournament = commands.schedule_stage(three(), stage=StageId("t"), first=6)
    assert schedule(tournament) == [("snake-groups", 5), ("swiss", 3), ("king-of-the-hill", 1)]
    both = commands.schedule_stage(three(), stage=StageId("t"), first=3, last=4)
    assert schedule(both) == [("snake-groups", 2), ("swiss", 2), ("king-of-the-hill", 1)]


@pytest.mark.parametrize("ends", [{"first": 1}, {"first": 9}, {"last": 3}, {"last": 400}])
def test_schedule_stage_refuses_invalid_rounds(ends: dict[str, int]) -> None:
    refused("number-out-of-range", partial(commands.schedule_stage, three(), stage=StageId("t"), **ends))


def test_schedule_stage_first_stage_starts_with_round_one() -> None:
    refused("number-out-of-range", partial(commands.schedule_stage, three(), stage=StageId("s"), first=2))


def test_schedule_stage_leaves_a_round_to_the_stage_before() -> None:
    earlier = partial(commands.schedule_stage, three(), stage=StageId("t"), first=1)
    refused("number-out-of-range", earlier, low=2, high=8)


def test_schedule_stage_keeps_existing_rounds_in_their_stage() -> None:
    tournament = paired(three(), times=4)
    refused("later-stage-started", partial(commands.schedule_stage, tournament, stage=StageId("s"), last=4))
    refused("stage-started", partial(commands.schedule_stage, tournament, stage=StageId("t"), first=3))
    refused("rounds-already-made", partial(commands.split_stage, paired(three(), times=2), key="k",
                                           stage=StageId("s"), rounds=1))  # fmt: skip
    assert schedule(commands.schedule_stage(tournament, stage=StageId("t"), last=4))[1] == ("swiss", 1)


def test_split_stage_keeps_the_rounds() -> None:
    tournament = commands.split_stage(three(), key="k", stage=StageId("t"), rounds=4, system="king-of-the-hill")
    assert schedule(tournament) == [
        ("snake-groups", 3),
        ("swiss", 4),
        ("king-of-the-hill", 1),
        ("king-of-the-hill", 1),
    ]
    refused("stage-too-short", partial(commands.split_stage, three(), key="k", stage=StageId("u"), rounds=1))


def test_split_stage_has_no_cut_and_continues_the_standings() -> None:
    tournament = commands.edit_stage(three(), stage=StageId("t"), cut=4, carry=False)
    split = commands.split_stage(tournament, key="k", stage=StageId("t"), rounds=2)
    first, later = split.stages[StageId("t")], split.stages[StageId("k")]
    assert (first.cut, first.carry, first.rounds, first.system) == (4, False, 2, later.system)
    assert (later.cut, later.carry, later.rounds, later.settings) == (None, True, 3, first.settings)


def test_merge_stages_reverses_a_split() -> None:
    tournament = three()
    split = commands.split_stage(tournament, key="k", stage=StageId("t"), rounds=2)
    assert schedule(commands.merge_stages(split, stage=StageId("t"))) == schedule(tournament)
    refused("last-stage", partial(commands.merge_stages, tournament, stage=StageId("u")))
    begun = paired(tournament, times=4)
    refused("later-stage-started", partial(commands.merge_stages, begun, stage=StageId("s")))


def test_edit_stage_keeps_the_kind_of_a_play_off() -> None:
    stages = three().stages
    tournament = three().put(replace(stages[StageId("t")], system="knockout", play_off=True))
    key = StageId("t")
    refused("play-off-stays", partial(commands.split_stage, tournament, key="k", stage=key, rounds=1))
    refused("play-off-stays", partial(commands.merge_stages, tournament, stage=key))
    refused("play-off-stays", partial(commands.merge_stages, tournament, stage=StageId("s")))
    refused("play-off-stays", partial(commands.edit_stage, tournament, stage=key, system="swiss"))
    assert key not in commands.remove_stage(tournament, stage=key).stages


def test_move_stage_swaps_stages_before_they_start() -> None:
    tournament = commands.move_stage(three(), stage=StageId("u"), position=1)
    assert [system for system, _ in schedule(tournament)] == ["king-of-the-hill", "snake-groups", "swiss"]
    begun = paired(three(), times=1)
    refused("stage-started", partial(commands.move_stage, begun, stage=StageId("u"), position=1))
    moved = commands.move_stage(begun, stage=StageId("u"), position=2)
    assert [system for system, _ in schedule(moved)] == ["snake-groups", "king-of-the-hill", "swiss"]


def test_edit_stage_removes_a_cut_before_the_first_round() -> None:
    tournament = commands.edit_stage(three(), stage=StageId("u"), cut=4)
    assert tournament.stages[StageId("u")].cut == 4
    assert commands.edit_stage(tournament, stage=StageId("u"), rounds=2).stages[StageId("u")].cut == 4
    assert commands.edit_stage(tournament, stage=StageId("u"), cut=0).stages[StageId("u")].cut is None
    played = paired(tournament, times=9)
    refused("stage-started", partial(commands.edit_stage, played, stage=StageId("u"), cut=6))
    groups = replace(played.stages[StageId("s")].settings, groups=2)
    refused("stage-started", partial(commands.edit_stage, played, stage=StageId("s"), settings=groups))


def test_edit_stage_limits_the_settings() -> None:
    for settings in (
        PairingSettings(behind=-1),
        PairingSettings(groups=0),
        PairingSettings(repeats_from=-1),
        PairingSettings(avoid_until=100_001),
        PairingSettings(max_repeats=10**20),
    ):
        refused(
            "number-out-of-range", partial(commands.edit_stage, three(), stage=StageId("t"), settings=settings)
        )
    refused("number-out-of-range", partial(commands.edit_stage, three(), stage=StageId("t"), cut=1))


def test_schedule_stage_is_one_undoable_step() -> None:
    at = desk(three())
    before = schedule(at.tournament)
    steps = {
        "split-stage": partial(commands.split_stage, key="k", stage=StageId("t"), rounds=2),
        "schedule-stage": partial(commands.schedule_stage, stage=StageId("t"), first=2, last=3),
        "move-stage": partial(commands.move_stage, stage=StageId("u"), position=1),
        "merge-stages": partial(commands.merge_stages, stage=StageId("t")),
        "remove-stage": partial(commands.remove_stage, stage=StageId("u")),
    }
    for name, command in steps.items():
        at.do(command, label=name)
        assert schedule(at.tournament) != before
        at.undo()
        assert schedule(at.tournament) == before
