"""Tests of properties of each system that pairs a whole field."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, Constraint, ConstraintId, PlayerId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.proposal import Proposal
from tdapp.domain.systems import PAIRING_SYSTEMS
from tdapp.domain.tournament import Row, Tournament
from tdapp.pairing import REASONS, SYSTEMS, FixedPair, propose_pairings
from tdapp.pairing.field import build_pairing_field
from tests.pairing.random_states import (
    STAGE,
    A,
    enter_random_results,
    make_random_settings,
    make_tournament,
    publish_proposal,
)

WITH_ONE_BYE = ("random", "quartiles", "factor", "snake-groups", "australian", "team-swiss")
BY_SCORE = ("quartiles", "factor", "australian", "team-swiss")
MAX_PLAYERS = 24
SOURCE = Path("tdapp")


def assign_teams(tournament: Tournament, teams: int = 4) -> Tournament:
    players = tournament.players.values()
    return tournament.put(*(replace(player, team=f"Team {player.number % teams}") for player in players))


def play_rounds(tournament: Tournament, rounds: int, rng: Random) -> Tournament:
    for _ in range(rounds):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    return tournament


def list_pairs(proposal: Proposal) -> set[frozenset[PlayerId]]:
    return {frozenset({game.first, game.second}) for game in proposal.games}


def add_random_absences_and_constraints(tournament: Tournament, rng: Random) -> Tournament:
    """Return the tournament with a withdrawal, an absence and two forbidden pairs."""
    ids = sorted(tournament.players)
    withdrawn_player, absent_player = rng.sample(ids, 2)
    constraints = []
    for number in range(2):
        first, second = rng.sample(ids, 2)
        constraints.append(Constraint(ConstraintId(f"x{number}"), PlayerId(first), PlayerId(second)))
    return tournament.put(
        Absence(AbsenceId("1"), withdrawn_player, rng.randint(1, 4)),
        Absence(AbsenceId("2"), absent_player, 2, 2),
        *constraints,
    )


def shuffle_rows(tournament: Tournament, rng: Random) -> Tournament:
    """Return the same tournament with its rows in another order and with new player names."""
    players = [replace(player, name=f"New {rng.random()}") for player in tournament.players.values()]
    rows: list[Row] = [
        *players,
        *tournament.games.values(),
        *tournament.byes.values(),
        *tournament.results.values(),
        *tournament.constraints.values(),
        *tournament.absences.values(),
    ]
    empty = Tournament(events=tournament.events, rules=tournament.rules).put(
        *tournament.divisions.values(), *tournament.stages.values(), *tournament.rounds.values()
    )
    return empty.put(*rng.sample(rows, len(rows)))


@pytest.mark.slow
@pytest.mark.parametrize("system", [*WITH_ONE_BYE, "team-round-robin"])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), count=st.integers(10, MAX_PLAYERS))
def test_propose_pairings_seats_each_player_once(system: str, seed: int, count: int) -> None:
    rng = Random(seed)
    empty_tournament = make_tournament(
        count, system=system, rounds=rng.randint(4, 7), settings=make_random_settings(rng), seed=seed
    )
    tournament = add_random_absences_and_constraints(assign_teams(empty_tournament), rng)
    constraints = {
        frozenset({constraint.player, constraint.other}) for constraint in tournament.constraints.values()
    }
    for number in range(1, 5):
        index = TournamentIndex(tournament)
        proposal = propose_pairings(index, A)

        present_players = sorted(
            player.id for player in index.players(A) if index.find_absence(player.id, number) is None
        )
        bye_players = [bye.player for bye in proposal.byes if bye.player in present_players]
        assert (
            sorted([*bye_players, *(player for pair in list_pairs(proposal) for player in pair)])
            == present_players
        )
        assert len(bye_players) == len(present_players) % 2 or system == "team-round-robin"
        assert not list_pairs(proposal) & constraints
        assert {game.reason.code for game in proposal.games if game.reason} <= REASONS.keys()
        new_proposal = propose_pairings(TournamentIndex(shuffle_rows(tournament, rng)), A)
        assert replace(new_proposal, based_on="") == replace(proposal, based_on="")
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng)


@pytest.mark.parametrize("system", WITH_ONE_BYE)
def test_propose_pairings_event_without_repeats_and_second_byes(system: str) -> None:
    tournament = play_rounds(assign_teams(make_tournament(31, system=system, rounds=7)), 7, Random(7))

    pairs = [frozenset({game.first, game.second}) for game in tournament.games.values()]
    assert len(set(pairs)) == len(pairs) == 7 * 15
    assert len({bye.player for bye in tournament.byes.values()}) == 7


@pytest.mark.parametrize("system", BY_SCORE)
@pytest.mark.parametrize("seed", range(4))
def test_propose_pairings_bye_to_lowest_score_with_fewest_byes(system: str, seed: int) -> None:
    rng = Random(seed)
    tournament = assign_teams(make_tournament(21, system=system, rounds=6), 7)
    for number in range(1, 7):
        field = build_pairing_field(TournamentIndex(tournament), STAGE, number=number, source=number - 1)
        proposal = propose_pairings(TournamentIndex(tournament), A)
        by_player = {entrant.player: entrant for entrant in field.entrants}
        bye_entrant = by_player[proposal.byes[0].player]
        fewest = [entrant for entrant in field.entrants if entrant.byes == 0]
        assert (bye_entrant.byes, bye_entrant.score) == (0, min(entrant.score for entrant in fewest))
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng)


@pytest.mark.parametrize("system", [*WITH_ONE_BYE, "team-round-robin"])
def test_propose_pairings_keeps_fixed_games_and_byes(system: str) -> None:
    tournament = play_rounds(assign_teams(make_tournament(13, system=system, rounds=6)), 2, Random(3))
    fixed = [FixedPair(PlayerId("p12"), PlayerId("p1"), table=3, keep_start=True), FixedPair(PlayerId("p5"))]
    proposal = propose_pairings(TournamentIndex(tournament), A, fixed_pairs=fixed)

    game_at_table_3 = next(game for game in proposal.games if game.table == 3)
    assert (game_at_table_3.first, game_at_table_3.second, game_at_table_3.locked) == ("p12", "p1", True)
    assert PlayerId("p5") in [bye.player for bye in proposal.byes]
    players = [player for pair in list_pairs(proposal) for player in pair] + [bye.player for bye in proposal.byes]
    assert sorted(players) == sorted(tournament.players)


def test_systems_have_unique_ids() -> None:
    assert all(name == system.id for name, system in SYSTEMS.items())
    assert set(WITH_ONE_BYE) < SYSTEMS.keys()


def test_systems_use_each_declared_setting() -> None:
    setting_names = {field.name for field in fields(PairingSettings)}

    assert {setting for system in SYSTEMS.values() for setting in system.system.settings} == setting_names
    assert all(system.supports_setting("draw_starts") for system in PAIRING_SYSTEMS.values())


@pytest.mark.slow
def test_systems_are_never_compared_by_id() -> None:
    """Systems declare their differences, for example `get_pairing_system(stage).is_knockout`."""
    locations = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Compare):
                continue
            sides = [node.left, *node.comparators]
            compares_system = any(isinstance(side, ast.Attribute) and side.attr == "system" for side in sides)
            constants = [
                constant for side in sides for constant in ast.walk(side) if isinstance(constant, ast.Constant)
            ]
            by_id = any(isinstance(side, ast.Attribute) and side.attr == "id" for side in sides)
            if compares_system and (by_id or any(constant.value in PAIRING_SYSTEMS for constant in constants)):
                locations.append(f"{path}:{node.lineno}")
    assert locations == []


@pytest.mark.slow
def test_propose_pairings_large_field_compares_few_pairs() -> None:
    proposal = propose_pairings(TournamentIndex(make_tournament(501, system="random")), A)
    near = sum(abs(int(game.first[1:]) - int(game.second[1:])) <= 60 for game in proposal.games)

    assert len({player for pair in list_pairs(proposal) for player in pair}) == 500
    assert proposal.relaxed == ("cheapest-only",)
    assert near < 100  # of 250 games; the nearest opponents alone would give 250
