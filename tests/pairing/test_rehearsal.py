"""Tests of rehearsals: simulated schedules with the real entries."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind
from tdapp.domain.ratings import select_rating_system
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tdapp.pairing.rehearsal import (
    DEFAULT_SIMULATIONS,
    MIN_SIMULATIONS,
    SimulatedScheduleStatistics,
    choose_simulation_count,
    make_alternative_schedule,
    simulate_schedules,
)
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds

SYSTEM = select_rating_system(read_rating_systems(RESOURCES / "ratings"), "")


def simulate_event(
    value: Tournament, times: int = 4, **plan_changes: int | str
) -> tuple[SimulatedScheduleStatistics, ...]:
    index = TournamentIndex(value)
    plans = [index.stages(DIVISION)]
    if plan_changes:
        plans.append(make_alternative_schedule(index, DIVISION, **plan_changes))  # type: ignore[arg-type]
    return simulate_schedules(value, DIVISION, system=SYSTEM, plans=plans, times=times)


def list_figures(schedule_figures: SimulatedScheduleStatistics) -> dict[str, float]:
    return {figure.key: float(figure.value or 0) for figure in schedule_figures.figures}


@pytest.mark.slow
def test_simulate_schedules_is_repeatable() -> None:
    value = make_event(9, rounds=5)
    (schedule_figures,) = simulate_event(value, 12)
    assert list_figures(schedule_figures) == {
        "best-first": 0,
        "best-three": 0.25,
        "rounds-played": 5,
        "slips": 20,
        "repeats": 0,
        "float-games": list_figures(schedule_figures)["float-games"],
        "byes": 5,
        "sheets": 40,
        "seconds": 5 * 60 * 60,
    }
    assert simulate_event(pair_rounds(value, times=2), 12) == (schedule_figures,), (
        "the simulation starts before the first round"
    )
    other_seed = value.put(replace(value.event, seed=8))
    assert list_figures(simulate_event(other_seed, 12)[0]) != list_figures(schedule_figures)


@pytest.mark.slow
def test_simulate_schedules_stronger_player_wins() -> None:
    value = make_event(8, rounds=3)
    best_player = TournamentIndex(value).get_player(DIVISION, 1)
    assert list_figures(simulate_event(value.put(replace(best_player, rating=3500)), 20)[0])["best-first"] == 1
    equal_players = value.put(*(replace(player, rating=1500) for player in value.players.values()))
    share = list_figures(simulate_event(equal_players, 40)[0])["best-first"]
    assert 0 < share < 0.5
    unrated = value.put(*(replace(player, rating=None) for player in value.players.values()))
    strength = list_figures(simulate_event(unrated, 40)[0])["best-first"]
    assert strength > share, "each simulation draws its own strongest player, and the figure counts that player"


@pytest.mark.parametrize(
    ("plan_changes", "stages", "slips"),
    [
        ({"system": "round-robin"}, [("round-robin", 7, None)], 28),
        ({"system": "knockout"}, [("knockout", 3, None)], 7),
        ({"rounds": 2}, [("swiss", 2, None)], 8),
        ({"rounds": 2, "cut": 4}, [("swiss", 2, None), ("knockout", 2, 4)], 11),
        ({"system": "king-of-the-hill", "cut": 0}, [("king-of-the-hill", 5, None)], 20),
    ],
)
def test_simulate_schedules_compares_two_plans(
    plan_changes: dict[str, int | str], stages: list[tuple[str, int, int | None]], slips: int
) -> None:
    first, second = simulate_event(make_event(8, rounds=5), 2, **plan_changes)
    assert [(stage.system, stage.rounds, stage.cut) for stage in first.stages] == [("swiss", 5, None)]
    assert [(stage.system, stage.rounds, stage.cut) for stage in second.stages] == stages
    assert (list_figures(first)["slips"], list_figures(second)["slips"]) == (20, slips)


def test_alternative_schedule_keeps_later_stages() -> None:
    value = commands.add_stage(make_event(8), key="k", division=DIVISION, system="knockout", rounds=2, cut=4)
    index = TournamentIndex(value)
    assert [stage.system for stage in make_alternative_schedule(index, DIVISION, rounds=3)] == [
        "swiss",
        "knockout",
    ]
    assert [stage.system for stage in make_alternative_schedule(index, DIVISION, rounds=3, cut=0)] == ["swiss"]
    assert [stage.rounds for stage in make_alternative_schedule(index, DIVISION, cut=8)] == [5, 3]


def test_simulate_schedules_plays_absences_and_repeats() -> None:
    value = make_event(4, rounds=4)
    (schedule_figures,) = simulate_event(value)
    repeats = list_figures(schedule_figures)["repeats"]
    assert repeats >= 2, "four players have no new opponents after three rounds"
    fourth = TournamentIndex(value).get_player(DIVISION, 4).id
    with_absence = commands.set_absence(
        value, key="a", player=fourth, first_round=1, last_round=4, kind=ByeKind.ABSENT
    )
    (schedule_figures,) = simulate_event(with_absence)
    assert (list_figures(schedule_figures)["slips"], list_figures(schedule_figures)["byes"]) == (4, 4)


def test_simulate_schedules_refuses_impossible_plans() -> None:
    index = TournamentIndex(make_event(8))
    with pytest.raises(CommandError, match="rehearsal-by-hand"):
        simulate_event(make_event(8, system="manual"))
    with pytest.raises(CommandError, match="no-such-system"):
        make_alternative_schedule(index, DIVISION, system="nothing")
    for plan_changes in ({"cut": 1}, {"cut": 9}, {"rounds": 0}, {"rounds": 201}):
        with pytest.raises(CommandError, match="number-out-of-range"):
            make_alternative_schedule(index, DIVISION, **plan_changes)  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="number-out-of-range"):
        simulate_event(make_event(8), 0)


def test_choose_simulation_count_of_large_fields_and_progress() -> None:
    assert [choose_simulation_count(players, 7) for players in (24, 80, 5000)] == [
        DEFAULT_SIMULATIONS,
        107,
        MIN_SIMULATIONS,
    ]

    class StopSimulation(Exception):
        pass

    progress_steps: list[tuple[int, int]] = []

    def record_progress(done: int, total: int) -> None:
        progress_steps.append((done, total))
        if done == 5:
            raise StopSimulation

    stages = TournamentIndex(make_event(8)).stages(DIVISION)
    simulate = partial(
        simulate_schedules,
        make_event(8),
        DIVISION,
        system=SYSTEM,
        plans=[stages, stages],
        times=4,
        progress=record_progress,
    )
    with pytest.raises(StopSimulation):
        simulate()
    assert progress_steps == [(done, 8) for done in range(6)]


def test_simulate_schedules_long_knockout_ends_when_decided() -> None:
    value = make_event(8, rounds=2)
    value = commands.add_stage(value, key="k", division=DIVISION, system="knockout", rounds=4, cut=4)
    (schedule_figures,) = simulate_event(value)
    assert (list_figures(schedule_figures)["rounds-played"], list_figures(schedule_figures)["slips"]) == (4, 8 + 3)


def test_simulate_schedules_accepts_forbidden_pairs_in_a_knockout() -> None:
    value = make_event(4, system="knockout", rounds=2)
    for player, opponent in combinations((player.id for player in TournamentIndex(value).players(DIVISION)), 2):
        value = commands.forbid_pairing(value, key=f"{player}{opponent}", player=player, other=opponent)
    (schedule_figures,) = simulate_event(value)
    assert list_figures(schedule_figures)["slips"] == 3
