"""Tests of the usual tournament formats: each can be played to the end with any number of players."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import SYSTEMS
from tdapp.pairing.formats import TournamentFormat, count_rounds_of_system, plan_stages
from tests.building import DIVISION, make_event, pair_rounds


def make_event_of_format(tournament_format: TournamentFormat, players: int) -> Tournament:
    tournament = make_event(players)
    (old_stage,) = tournament.stages.values()
    tournament = commands.remove_stage(tournament, stage=old_stage.id)
    for number, stage in enumerate(plan_stages(tournament_format, players=players, rounds=4)):
        tournament = commands.add_stage(
            tournament,
            key=f"s{number}",
            division=DIVISION,
            system=stage.system,
            rounds=stage.rounds,
            settings=stage.settings,
            cut=stage.cut,
            carry=stage.carry,
        )
    return tournament


@pytest.mark.parametrize("players", [6, 9, 16, 23])
@pytest.mark.parametrize("tournament_format", TournamentFormat)
def test_plan_stages_of_each_format_can_be_played(tournament_format: TournamentFormat, players: int) -> None:
    tournament = make_event_of_format(tournament_format, players)
    planned_rounds = TournamentIndex(tournament).count_planned_rounds(DIVISION)
    tournament = pair_rounds(
        tournament, times=planned_rounds - (1 if tournament_format is TournamentFormat.SWISS_FINAL else 0)
    )
    rows = compute_standings(TournamentIndex(tournament), tournament.divisions[DIVISION])
    assert len(rows) == players
    assert rows[0].player.number == 1  # the lower number wins every game here, a final after two of three
    if TournamentIndex(tournament).stages(DIVISION)[-1].system == "knockout":
        assert [row.rank for row in rows[:2]] == [1, 2]


def test_count_rounds_for_knockout_and_round_robin() -> None:
    assert [count_rounds_of_system("knockout", players) for players in (2, 5, 8, 9, 24)] == [1, 3, 3, 4, 5]
    assert [count_rounds_of_system("round-robin", players) for players in (4, 5, 10)] == [3, 5, 9]
    assert {system for system in SYSTEMS if count_rounds_of_system(system, 8)} == {"knockout", "round-robin"}


def test_plan_stages_includes_the_king_of_the_hill_round() -> None:
    stages = plan_stages(TournamentFormat.HILL, players=20, rounds=9)
    assert [(stage.system, stage.rounds) for stage in stages] == [("swiss", 8), ("king-of-the-hill", 1)]


@pytest.mark.parametrize("players", [9, 14, 18, 23])
def test_plan_stages_even_number_qualifies_to_swiss(players: int) -> None:
    swiss = plan_stages(TournamentFormat.ALL_THREE, players=players, rounds=4)[1]
    assert swiss.cut is not None
    assert swiss.cut % 2 == 0
