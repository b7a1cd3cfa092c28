"""Rehearsals: schedules played through many times on the real entries."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind
from tdapp.domain.ratings import select_rating_system
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tdapp.pairing.rehearsal import (
    DEFAULT_SIMULATIONS,
    MIN_SIMULATIONS,
    ScheduleFigures,
    choose_simulation_count,
    plan_schedule,
    simulate_schedules,
)
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds

SYSTEM = select_rating_system(read_rating_systems(RESOURCES / "ratings"), "")


def rehearsed(value: Tournament, times: int = 4, **other: int | str) -> tuple[ScheduleFigures, ...]:
    index = Index(value)
    plans = [index.stages(DIVISION)]
    if other:
        plans.append(plan_schedule(index, DIVISION, **other))  # type: ignore[arg-type]
    return simulate_schedules(value, DIVISION, system=SYSTEM, plans=plans, times=times)


def figures(one: ScheduleFigures) -> dict[str, float]:
    return {figure.key: float(figure.value or 0) for figure in one.figures}


@pytest.mark.slow
def test_rehearse_plans_is_repeatable() -> None:
    value = make_event(9, rounds=5)
    (found,) = rehearsed(value, 12)
    assert figures(found) == {
        "best-first": 0,
        "best-three": 0.25,
        "rounds-played": 5,
        "slips": 20,
        "repeats": 0,
        "float-games": figures(found)["float-games"],
        "byes": 5,
        "sheets": 40,
        "seconds": 5 * 60 * 60,
    }
    assert rehearsed(pair_rounds(value, times=2), 12) == (found,), "it begins before the first round"
    other = value.put(replace(value.event, seed=8))
    assert figures(rehearsed(other, 12)[0]) != figures(found)


@pytest.mark.slow
def test_rehearse_plans_stronger_player_wins() -> None:
    value = make_event(8, rounds=3)
    best = Index(value).player(DIVISION, 1)
    assert figures(rehearsed(value.put(replace(best, rating=3500)), 20)[0])["best-first"] == 1
    level = value.put(*(replace(player, rating=1500) for player in value.players.values()))
    share = figures(rehearsed(level, 40)[0])["best-first"]
    assert 0 < share < 0.5
    unrated = value.put(*(replace(player, rating=None) for player in value.players.values()))
    strength = figures(rehearsed(unrated, 40)[0])["best-first"]
    assert strength > share, "somebody else is the strongest in every play, and that counts"


@pytest.mark.parametrize(
    ("other", "stages", "slips"),
    [
        ({"system": "round-robin"}, [("round-robin", 7, None)], 28),
        ({"system": "knockout"}, [("knockout", 3, None)], 7),
        ({"rounds": 2}, [("swiss", 2, None)], 8),
        ({"rounds": 2, "cut": 4}, [("swiss", 2, None), ("knockout", 2, 4)], 11),
        ({"system": "king-of-the-hill", "cut": 0}, [("king-of-the-hill", 5, None)], 20),
    ],
)
def test_rehearse_plans_compares_two_plans(
    other: dict[str, int | str], stages: list[tuple[str, int, int | None]], slips: int
) -> None:
    first, second = rehearsed(make_event(8, rounds=5), 2, **other)
    assert [(stage.system, stage.rounds, stage.cut) for stage in first.stages] == [("swiss", 5, None)]
    assert [(stage.system, stage.rounds, stage.cut) for stage in second.stages] == stages
    assert (figures(first)["slips"], figures(second)["slips"]) == (20, slips)


def test_plan_schedule_keeps_later_stages() -> None:
    value = commands.add_stage(make_event(8), key="k", division=DIVISION, system="knockout", rounds=2, cut=4)
    index = Index(value)
    assert [one.system for one in plan_schedule(index, DIVISION, rounds=3)] == ["swiss", "knockout"]
    assert [one.system for one in plan_schedule(index, DIVISION, rounds=3, cut=0)] == ["swiss"]
    assert [one.rounds for one in plan_schedule(index, DIVISION, cut=8)] == [5, 3]


def test_rehearse_plans_plays_absences_and_repeats() -> None:
    value = make_event(4, rounds=4)
    (found,) = rehearsed(value)
    repeats = figures(found)["repeats"]
    assert repeats >= 2, "four players have met after three rounds"
    fourth = Index(value).player(DIVISION, 4).id
    away = commands.set_absence(value, key="a", player=fourth, first_round=1, last_round=4, kind=ByeKind.ABSENT)
    (found,) = rehearsed(away)
    assert (figures(found)["slips"], figures(found)["byes"]) == (4, 4)


def test_rehearse_plans_refuses_impossible_plans() -> None:
    index = Index(make_event(8))
    with pytest.raises(RuleViolation, match="rehearsal-by-hand"):
        rehearsed(make_event(8, system="manual"))
    with pytest.raises(RuleViolation, match="no-such-system"):
        plan_schedule(index, DIVISION, system="nothing")
    for wrong in ({"cut": 1}, {"cut": 9}, {"rounds": 0}, {"rounds": 201}):
        with pytest.raises(RuleViolation, match="number-out-of-range"):
            plan_schedule(index, DIVISION, **wrong)  # type: ignore[arg-type]
    with pytest.raises(RuleViolation, match="number-out-of-range"):
        rehearsed(make_event(8), 0)


def test_rehearse_plans_large_field_has_fewer_simulations() -> None:
    assert [choose_simulation_count(players, 7) for players in (24, 80, 5000)] == [
        DEFAULT_SIMULATIONS,
        107,
        MIN_SIMULATIONS,
    ]

    class Enough(Exception):
        pass

    heard: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        heard.append((done, total))
        if done == 5:
            raise Enough

    stages = Index(make_event(8)).stages(DIVISION)
    play = partial(
        simulate_schedules,
        make_event(8),
        DIVISION,
        system=SYSTEM,
        plans=[stages, stages],
        times=4,
        progress=progress,
    )
    with pytest.raises(Enough):
        play()
    assert heard == [(done, 8) for done in range(6)]


def test_rehearse_plans_long_knockout_ends_when_decided() -> None:
    value = make_event(8, rounds=2)
    value = commands.add_stage(value, key="k", division=DIVISION, system="knockout", rounds=4, cut=4)
    (found,) = rehearsed(value)
    assert (figures(found)["rounds-played"], figures(found)["slips"]) == (4, 8 + 3)


def test_rehearse_plans_accepts_a_forbidden_pair_in_a_knockout() -> None:
    value = make_event(4, system="knockout", rounds=2)
    for player, other in combinations((player.id for player in Index(value).players(DIVISION)), 2):
        value = commands.forbid_pairing(value, key=f"{player}{other}", player=player, other=other)
    (found,) = rehearsed(value)
    assert figures(found)["slips"] == 3
