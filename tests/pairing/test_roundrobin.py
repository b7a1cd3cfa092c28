"""Tests of the round robin: Berger tables, seats, byes and the printed schedule."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Player, PlayerId, Seed, SeedId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.proposal import Proposal
from tdapp.domain.tournament import Tournament
from tdapp.pairing import FixedPair, propose_pairings
from tdapp.pairing.systems.roundrobin import count_rounds, list_berger_pairs, list_pairs_by_round
from tests.pairing.random_states import STAGE, A, enter_random_results, make_tournament, publish_proposal


def propose_rounds(tournament: Tournament, count: int) -> list[Proposal]:
    rng = Random(1)
    proposals = []
    for _ in range(count):
        proposals.append(propose_pairings(TournamentIndex(tournament), A))
        tournament = enter_random_results(publish_proposal(tournament, proposals[-1]), rng)
    return proposals


def test_list_berger_pairs_of_six_equals_the_books() -> None:
    assert [set(list_berger_pairs(6, turn)) for turn in range(1, 6)] == [
        {(1, 6), (2, 5), (3, 4)},
        {(6, 4), (5, 3), (1, 2)},
        {(2, 6), (3, 1), (4, 5)},
        {(6, 5), (1, 4), (2, 3)},
        {(3, 6), (4, 2), (5, 1)},
    ]


@pytest.mark.parametrize(("players", "single_rounds"), [(0, 0), (1, 1), (2, 1), (3, 3), (4, 3), (7, 7), (8, 7)])
def test_count_rounds_of_a_round_robin(players: int, single_rounds: int) -> None:
    assert (count_rounds(players, double=False), count_rounds(players, double=True)) == (
        single_rounds,
        2 * single_rounds,
    )


@pytest.mark.parametrize("players", range(3, 21))
def test_list_berger_pairs_alternates_starts_between_cycles(players: int) -> None:
    """Each player meets each opponent once in a cycle, and never starts or replies three times in a row."""
    even = players + players % 2
    rounds = [list_berger_pairs(even, turn, double=True) for turn in range(1, 2 * even - 1)]
    for cycle in (rounds[: even - 1], rounds[even - 1 :]):
        assert len({frozenset(pair) for pairs in cycle for pair in pairs}) == even * (even - 1) // 2
    for seat in range(1, players + 1):
        pairs = [pair for turn in rounds for pair in turn if seat in pair and max(pair) <= players]
        starts = "".join("s" if pair[0] == seat else "r" for pair in pairs)
        assert not {"sss", "rrr"} & {starts[index : index + 3] for index in range(len(starts))}


@pytest.mark.parametrize("count", range(2, 42, 2))
def test_list_berger_pairs_meet_once_with_balanced_starts(count: int) -> None:
    games = [pair for turn in range(1, count) for pair in list_berger_pairs(count, turn)]
    assert len({frozenset(pair) for pair in games}) == count * (count - 1) // 2 == len(games)
    starts = Counter(first for first, _ in games)
    assert all(abs(2 * starts[seat] - (count - 1)) == 1 for seat in range(1, count + 1))
    for turn in range(1, count):
        assert sorted(seat for pair in list_berger_pairs(count, turn) for seat in pair) == list(
            range(1, count + 1)
        )
        assert {(second, first) for first, second in list_berger_pairs(count, turn)} == set(
            list_berger_pairs(count, turn + count - 1)
        )


@pytest.mark.parametrize("count", [2, 3, 6, 7])
def test_round_robin_double(count: int) -> None:
    turns = 2 * (count + count % 2 - 1)
    tournament = make_tournament(
        count, system="round-robin", rounds=turns + 1, settings=PairingSettings(double=True)
    )
    proposals = propose_rounds(tournament, turns)
    meetings = Counter((game.first, game.second) for proposal in proposals for game in proposal.games)
    assert set(meetings.values()) == {1}
    assert len(meetings) == count * (count - 1)
    byes = Counter(bye.player for proposal in proposals for bye in proposal.byes)
    assert set(byes.values()) == ({2} if count % 2 else set())


@pytest.mark.parametrize("count", [4, 5])
def test_round_robin_reasons_name_turn_and_cycle(count: int) -> None:
    cycle = count + count % 2 - 1
    tournament = make_tournament(
        count, system="round-robin", rounds=2 * cycle, settings=PairingSettings(double=True)
    )
    facts = [
        {
            (dict(game.reason.facts)["cycle"], dict(game.reason.facts)["turn"])
            for game in proposal.games
            if game.reason
        }
        for proposal in propose_rounds(tournament, 2 * cycle)
    ]
    assert facts == [{(1 + (turn > cycle), turn)} for turn in range(1, 2 * cycle + 1)]


def test_round_robin_refuses_a_round_after_the_last_meeting() -> None:
    tournament = make_tournament(4, system="round-robin", rounds=5)
    rng = Random(1)
    for _ in range(3):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    with pytest.raises(CommandError, match="round-robin-complete") as refusal:
        propose_pairings(TournamentIndex(tournament), A)
    assert refusal.value.facts == {"rounds": 3, "players": 4}


def test_round_robin_needs_no_results() -> None:
    tournament = publish_proposal(
        make_tournament(6, system="round-robin"),
        propose_pairings(TournamentIndex(make_tournament(6, system="round-robin")), A),
    )
    assert propose_pairings(TournamentIndex(tournament), A).number == 2


def test_round_robin_uses_stored_seeds() -> None:
    tournament = make_tournament(4, system="round-robin")
    seeds = [
        Seed(SeedId(f"s{seat}"), STAGE, seat, PlayerId(f"p{number}"))
        for seat, number in enumerate((3, 1, 4, 2), 1)
    ]
    proposal = propose_pairings(TournamentIndex(tournament.put(*seeds)), A)
    assert {(game.first, game.second) for game in proposal.games} == {("p3", "p2"), ("p1", "p4")}


def test_round_robin_opponent_of_an_absent_player_has_a_bye() -> None:
    absence = Absence(AbsenceId("x"), PlayerId("p6"), 2, None, ByeKind.ABSENT)
    tournament = make_tournament(6, system="round-robin", rounds=5)
    first = propose_pairings(TournamentIndex(tournament), A)
    tournament = publish_proposal(tournament, first).put(absence)
    second = propose_pairings(TournamentIndex(tournament), A)
    assert {bye.player: bye.kind for bye in second.byes} == {"p4": ByeKind.BYE, "p6": ByeKind.ABSENT}
    assert len(second.games) == 2


def test_round_robin_latecomer_takes_the_empty_seat() -> None:
    tournament = make_tournament(5, system="round-robin", rounds=5)
    tournament = enter_random_results(
        publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), Random(1)
    )
    tournament = tournament.put(Player(PlayerId("p9"), A, 9, "Late", rating=3000))
    second = propose_pairings(TournamentIndex(tournament), A)
    assert not second.byes
    assert {frozenset({game.first, game.second}) for game in second.games} == {
        frozenset({"p9", "p4"}),
        frozenset({"p5", "p3"}),
        frozenset({"p1", "p2"}),
    }


def test_round_robin_manual_games_keep_the_others() -> None:
    tournament = make_tournament(6, system="round-robin")
    usual_proposal = propose_pairings(TournamentIndex(tournament), A)
    changed = propose_pairings(
        TournamentIndex(tournament), A, fixed_pairs=[FixedPair(PlayerId("p1"), PlayerId("p2"))]
    )
    assert {frozenset({game.first, game.second}) for game in changed.games} == {
        frozenset({"p1", "p2"}),
        frozenset({"p5", "p6"}),
        frozenset({"p3", "p4"}),
    }
    proposal = propose_pairings(
        TournamentIndex(tournament), A, fixed_pairs=[FixedPair(PlayerId("p1"), PlayerId("p6"))]
    )
    assert [(game.first, game.second) for game in proposal.games] == [
        (game.first, game.second) for game in usual_proposal.games
    ]
    assert [game.locked for game in proposal.games] == [True, False, False]


def test_round_robin_changed_ratings_keep_seats() -> None:
    tournament = make_tournament(4, system="round-robin")
    seeds = [Seed(SeedId(f"s{number}"), STAGE, number, PlayerId(f"p{number}")) for number in range(1, 5)]
    before = propose_pairings(TournamentIndex(tournament.put(*seeds)), A)
    better = replace(tournament.players[PlayerId("p4")], rating=3000)
    after = propose_pairings(TournamentIndex(tournament.put(*seeds, better)), A)
    assert {(game.first, game.second) for game in before.games} == {
        (game.first, game.second) for game in after.games
    }


@pytest.mark.parametrize("count", [2, 5, 6])
@pytest.mark.parametrize("settings", [PairingSettings(), PairingSettings(double=True)])
def test_list_pairs_by_round_agrees_with_the_pairing(count: int, settings: PairingSettings) -> None:
    needed = (count + count % 2 - 1) * (2 if settings.double else 1)
    tournament = make_tournament(count, system="round-robin", rounds=needed, settings=settings)
    schedule = list(list_pairs_by_round(TournamentIndex(tournament), tournament.stages[STAGE]))
    proposals = propose_rounds(tournament, needed)

    assert [set(pairs) for pairs in schedule] == [
        {(game.first, game.second) for game in proposal.games} | {(bye.player, None) for bye in proposal.byes}
        for proposal in proposals
    ]
    assert [[opponent is None for _, opponent in pairs] for pairs in schedule] == [
        [False] * len(proposal.games) + [True] * len(proposal.byes) for proposal in proposals
    ]
