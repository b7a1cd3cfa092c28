"""Properties of every system that pairs a whole field."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, Constraint, ConstraintId, PlayerId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.proposal import Proposal
from tdapp.domain.systems import PAIRING_SYSTEMS
from tdapp.domain.tournament import Row, Tournament
from tdapp.pairing import REASONS, SYSTEMS, FixedPair, propose_pairings
from tdapp.pairing.field import build_field
from tests.pairing.random_states import STAGE, A, event, published, random_settings, scored

WITH_ONE_BYE = ("random", "quartiles", "factor", "snake-groups", "australian", "team-swiss")
BY_SCORE = ("quartiles", "factor", "australian", "team-swiss")
MOST = 24
SOURCE = Path("tdapp")


def teamed(tournament: Tournament, teams: int = 4) -> Tournament:
    players = tournament.players.values()
    return tournament.put(*(replace(player, team=f"Team {player.number % teams}") for player in players))


def played(tournament: Tournament, rounds: int, rng: Random) -> Tournament:
    for _ in range(rounds):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), rng)
    return tournament


def met(proposal: Proposal) -> set[frozenset[PlayerId]]:
    return {frozenset({game.first, game.second}) for game in proposal.games}


def disturbed(tournament: Tournament, rng: Random) -> Tournament:
    """Return the tournament with a player who leaves, one away for a round, and two pairs that may not meet."""
    ids = sorted(tournament.players)
    gone, away = rng.sample(ids, 2)
    bans = []
    for number in range(2):
        one, other = rng.sample(ids, 2)
        bans.append(Constraint(ConstraintId(f"x{number}"), PlayerId(one), PlayerId(other)))
    return tournament.put(
        Absence(AbsenceId("1"), gone, rng.randint(1, 4)), Absence(AbsenceId("2"), away, 2, 2), *bans
    )


def shuffled(tournament: Tournament, rng: Random) -> Tournament:
    """Return the same tournament, its rows put in another order and its players under other names."""
    people = [replace(player, name=f"New {rng.random()}") for player in tournament.players.values()]
    rows: list[Row] = [
        *people,
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
@given(seed=st.integers(0, 2**32), count=st.integers(10, MOST))
def test_propose_pairings_seats_each_player_once(system: str, seed: int, count: int) -> None:
    rng = Random(seed)
    begun = event(count, system=system, rounds=rng.randint(4, 7), settings=random_settings(rng), seed=seed)
    tournament = disturbed(teamed(begun), rng)
    bans = {frozenset({ban.player, ban.other}) for ban in tournament.constraints.values()}
    for number in range(1, 5):
        index = Index(tournament)
        proposal = propose_pairings(index, A)

        here = sorted(player.id for player in index.players(A) if index.find_absence(player.id, number) is None)
        waiting = [bye.player for bye in proposal.byes if bye.player in here]
        assert sorted([*waiting, *(player for pair in met(proposal) for player in pair)]) == here
        assert len(waiting) == len(here) % 2 or system == "team-round-robin"
        assert not met(proposal) & bans
        assert {game.reason.code for game in proposal.games if game.reason} <= REASONS.keys()
        again = propose_pairings(Index(shuffled(tournament, rng)), A)
        assert replace(again, based_on="") == replace(proposal, based_on="")
        tournament = scored(published(tournament, proposal), rng)


@pytest.mark.parametrize("system", WITH_ONE_BYE)
def test_propose_pairings_event_without_repeats_and_second_byes(system: str) -> None:
    tournament = played(teamed(event(31, system=system, rounds=7)), 7, Random(7))

    pairs = [frozenset({game.first, game.second}) for game in tournament.games.values()]
    assert len(set(pairs)) == len(pairs) == 7 * 15
    assert len({bye.player for bye in tournament.byes.values()}) == 7


@pytest.mark.parametrize("system", BY_SCORE)
@pytest.mark.parametrize("seed", range(4))
def test_propose_pairings_bye_to_lowest_score_with_fewest_byes(system: str, seed: int) -> None:
    rng = Random(seed)
    tournament = teamed(event(21, system=system, rounds=6), 7)
    for number in range(1, 7):
        field = build_field(Index(tournament), STAGE, number=number, source=number - 1)
        proposal = propose_pairings(Index(tournament), A)
        by_player = {entrant.player: entrant for entrant in field.entrants}
        waiting = by_player[proposal.byes[0].player]
        fewest = [entrant for entrant in field.entrants if entrant.byes == 0]
        assert (waiting.byes, waiting.score) == (0, min(entrant.score for entrant in fewest))
        tournament = scored(published(tournament, proposal), rng)


@pytest.mark.parametrize("system", [*WITH_ONE_BYE, "team-round-robin"])
def test_propose_pairings_keeps_fixed_games_and_byes(system: str) -> None:
    tournament = played(teamed(event(13, system=system, rounds=6)), 2, Random(3))
    fixed = [FixedPair(PlayerId("p12"), PlayerId("p1"), table=3, keep_start=True), FixedPair(PlayerId("p5"))]
    proposal = propose_pairings(Index(tournament), A, fixed_pairs=fixed)

    kept = next(game for game in proposal.games if game.table == 3)
    assert (kept.first, kept.second, kept.locked) == ("p12", "p1", True)
    assert PlayerId("p5") in [bye.player for bye in proposal.byes]
    seated = [player for pair in met(proposal) for player in pair] + [bye.player for bye in proposal.byes]
    assert sorted(seated) == sorted(tournament.players)


def test_systems_have_unique_ids() -> None:
    assert all(name == system.id for name, system in SYSTEMS.items())
    assert set(WITH_ONE_BYE) < SYSTEMS.keys()


def test_systems_use_each_declared_setting() -> None:
    known = {field.name for field in fields(PairingSettings)}

    assert {setting for system in SYSTEMS.values() for setting in system.system.settings} == known
    assert all(system.supports("draw_starts") for system in PAIRING_SYSTEMS.values())


@pytest.mark.slow
def test_systems_ids_are_never_compared_in_code() -> None:
    """Systems declare their differences: `get_system(stage).is_knockout`."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Compare):
                continue
            sides = [node.left, *node.comparators]
            asked = any(isinstance(side, ast.Attribute) and side.attr == "system" for side in sides)
            named = [one for side in sides for one in ast.walk(side) if isinstance(one, ast.Constant)]
            by_id = any(isinstance(side, ast.Attribute) and side.attr == "id" for side in sides)
            if asked and (by_id or any(one.value in PAIRING_SYSTEMS for one in named)):
                found.append(f"{path}:{node.lineno}")
    assert found == []


@pytest.mark.slow
def test_propose_pairings_large_field_compares_few_pairs() -> None:
    proposal = propose_pairings(Index(event(501, system="random")), A)
    near = sum(abs(int(game.first[1:]) - int(game.second[1:])) <= 60 for game in proposal.games)

    assert len({player for pair in met(proposal) for player in pair}) == 500
    assert proposal.relaxed == ("cheapest-only",)
    assert near < 100  # of 250, where neighbours only would make them all
