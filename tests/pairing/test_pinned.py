"""Pinned pairings of the first rounds: a seed gives the same pairings on each machine and in each version."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import generate_random_bits
from tdapp.domain.index import TournamentIndex
from tdapp.domain.pairing_settings import PairingSettings, PrizePairingSettings, ScoreGroupPairing
from tdapp.domain.tournament import Tournament
from tdapp.pairing import SYSTEMS, propose_pairings
from tdapp.pairing.criteria import get_pairing_field_arrays
from tests.pairing.random_states import (
    A,
    enter_random_results,
    make_random_field,
    make_tournament,
    publish_proposal,
)

# The first rounds of eleven players: "starter-replier" for each table, then byes.
PINNED = {
    ("swiss", ScoreGroupPairing.SLIDE): (
        "1-6 7-2 3-8 4-9 10-5 11",
        "11-4 6-7 10-3 2-8 5-1 9",
        "3-11 9-7 4-1 2-10 8-6 5",
        "7-3 1-9 11-2 8-5 6-4 10",
    ),
    ("swiss", ScoreGroupPairing.FOLD): (
        "1-11 2-9 3-6 8-4 7-5 10",
        "10-8 11-7 3-2 4-1 9-5 6",
        "7-10 6-2 5-8 4-11 1-3 9",
        "8-7 6-4 2-10 9-3 5-1 11",
    ),
    ("swiss", ScoreGroupPairing.ADJACENT): (
        "1-2 3-4 5-6 8-7 10-9 11",
        "11-5 2-3 8-10 4-6 7-1 9",
        "3-11 1-10 9-2 5-4 6-8 7",
        "10-3 11-1 2-5 7-9 4-8 6",
    ),
    ("swiss", ScoreGroupPairing.RANDOM): (
        "1-3 2-4 8-5 10-6 7-9 11",
        "11-8 3-7 2-10 4-5 6-1 9",
        "7-11 9-10 1-8 4-3 5-2 6",
        "8-7 11-9 10-4 5-6 3-2 1",
    ),
    ("round-robin", ScoreGroupPairing.SLIDE): (
        "2-11 3-10 4-9 5-8 6-7 1",
        "1-2 11-3 10-4 9-5 8-6 7",
        "3-1 4-11 5-10 6-9 7-8 2",
        "1-4 2-3 11-5 10-6 9-7 8",
    ),
    ("king-of-the-hill", ScoreGroupPairing.SLIDE): (
        "1-2 3-4 5-6 8-7 10-9 11",
        "11-5 2-3 8-10 4-6 7-1 9",
        "3-11 1-10 9-2 5-4 6-8 7",
        "10-3 11-1 2-5 7-9 4-8 6",
    ),
    ("factor", ScoreGroupPairing.SLIDE): (
        "1-6 7-2 3-8 4-9 10-5 11",
        "11-10 2-6 5-3 8-4 9-7 1",
        "4-11 6-7 10-3 5-1 2-8 9",
        "3-7 6-9 8-11 4-5 1-2 10",
    ),
    ("quartiles", ScoreGroupPairing.SLIDE): (
        "8-1 2-6 7-3 4-10 9-5 11",
        "5-11 1-9 3-2 6-4 10-7 8",
        "2-5 7-1 4-9 11-6 3-8 10",
        "9-10 1-2 5-7 11-3 6-8 4",
    ),
    ("australian", ScoreGroupPairing.SLIDE): (
        "1-6 7-2 3-8 4-9 10-5 11",
        "6-11 4-3 10-7 2-5 8-9 1",
        "3-6 11-7 9-1 2-10 5-4 8",
        "1-3 11-2 7-6 8-4 9-5 10",
    ),
    ("prize", ScoreGroupPairing.SLIDE): (
        "1-2 3-4 5-6 8-7 10-9 11",
        "2-11 3-5 8-10 4-6 9-7 1",
        "5-2 11-10 7-1 4-8 6-3 9",
        "1-5 11-4 10-2 6-9 7-3 8",
    ),
    ("snake-groups", ScoreGroupPairing.SLIDE): (
        "2-11 3-10 4-9 5-8 6-7 1",
        "1-2 11-3 10-4 9-5 8-6 7",
        "3-1 4-11 5-10 6-9 7-8 2",
        "1-4 2-3 11-5 10-6 9-7 8",
    ),
    ("team-swiss", ScoreGroupPairing.SLIDE): (
        "1-6 7-2 3-8 4-9 10-5 11",
        "11-4 6-7 10-3 2-5 8-1 9",
        "9-11 3-2 1-7 4-10 5-6 8",
        "7-4 9-3 6-11 5-8 2-1 10",
    ),
    ("team-round-robin", ScoreGroupPairing.SLIDE): (
        "1-4 3-2 8-5 6-7 11-10 9",
        "8-1 7-2 10-3 4-9 6-11 5",
        "2-11 3-6 5-4 10-7 9-8 1",
        "2-1 4-3 5-6 7-8 9-10 11",
    ),
    ("random", ScoreGroupPairing.SLIDE): (
        "1-3 2-4 10-5 7-9 8-11 6",
        "7-1 2-10 3-6 4-11 9-5 8",
        "5-1 9-2 11-3 6-7 10-8 4",
        "1-8 11-2 3-10 4-7 6-9 5",
    ),
    ("knockout", ScoreGroupPairing.SLIDE): (
        "11-6 7-10 8-9 1 2 3 4 5",
        "1-8 2-7 6-3 4-5",
        "5-1 6-2",
        "1-6",
    ),
}


def assign_teams(tournament: Tournament) -> Tournament:
    """Return the tournament with its players in four teams."""
    players = tournament.players.values()
    return tournament.put(*(replace(player, team=f"Team {player.number % 4}") for player in players))


def pair_rounds_as_text(system: str, style: ScoreGroupPairing, count: int) -> list[str]:
    settings = PairingSettings(
        style=style, contention=PrizePairingSettings(simulations=2_000, control_simulations=1_000)
    )
    tournament, rng, lines = (
        assign_teams(make_tournament(11, system=system, settings=settings, seed=20261121)),
        Random(5),
        [],
    )
    for _ in range(count):
        proposal = propose_pairings(TournamentIndex(tournament), A)
        tables = [f"{game.first[1:]}-{game.second[1:]}" for game in proposal.games]
        lines.append(" ".join([*tables, *(bye.player[1:] for bye in proposal.byes)]))
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng, draws=0)
    return lines


@pytest.mark.parametrize(("system", "style"), PINNED)
def test_propose_pairings_equals_stored_pairings(system: str, style: ScoreGroupPairing) -> None:
    expected = PINNED[system, style]
    assert len(expected) == 4
    assert pair_rounds_as_text(system, style, len(expected)) == list(expected)


def test_stored_pairings_cover_each_system() -> None:
    assert {system for system, _ in PINNED} == SYSTEMS.keys() - {"manual"}
    assert {style for system, style in PINNED if system == "swiss"} == set(ScoreGroupPairing)


def test_draw_random_bits_of_seed_and_numbers() -> None:
    assert generate_random_bits(7, 1, 2) == 35093597318407488
    assert generate_random_bits(7, 2, 1) == 6463872004995761098
    assert generate_random_bits(20261121, 3, 11, 4) == 2811868928908183009
    assert (
        len(
            {
                generate_random_bits(1),
                generate_random_bits(1, 1),
                generate_random_bits(1, 1, 1),
                generate_random_bits(11, 1),
                generate_random_bits(11),
            }
        )
        == 5
    )


def test_get_field_columns_random_keys_depend_on_seed_and_round() -> None:
    fields = [make_random_field(Random(3), 8, settings=PairingSettings(), density=0) for _ in range(3)]
    seeds = [
        replace(fields[0], seed=7, number=1),
        replace(fields[1], seed=7, number=2),
        replace(fields[2], seed=8, number=1),
    ]
    keys = [get_pairing_field_arrays(field).random_key.tolist() for field in seeds]
    numbers = [*(entrant.number for entrant in fields[0].entrants), 0]
    assert keys[0] == [generate_random_bits(7, 1, number) for number in numbers]
    assert len({*keys[0], *keys[1], *keys[2]}) == 3 * len(numbers)
