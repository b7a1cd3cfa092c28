"""Tests of single-elimination knockouts: seeds, byes, ties and forfeits."""

from __future__ import annotations

from random import Random
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import build_bracket
from tdapp.domain.elimination import list_seeds_in_bracket_order
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import count_knockout_rounds_needed, find_game_winner
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultState,
    Seed,
    SeedId,
    StartDecision,
)
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import KnockoutTieResolution, KnockoutTieRule, RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.pairing import FixedPair, propose_pairings
from tdapp.pairing.proposing import list_games_that_can_count_as_draws
from tests.pairing.random_states import STAGE, A, make_tournament, publish_proposal


def make_knockout(
    count: int, *, third_place: bool = False, tie: KnockoutTieResolution = KnockoutTieResolution.EXTRA_GAME
) -> Tournament:
    rules = RuleSet(
        "r", "R", "en", "en", MappingProxyType({"other": ("wins", "spread")}), knockout=KnockoutTieRule(tie)
    )
    settings = PairingSettings(third_place=third_place)
    return make_tournament(
        count, system="knockout", rounds=count_knockout_rounds_needed(count), settings=settings, ruleset=rules
    )


def parse_number(player: PlayerId) -> int:
    return int(player[1:])


def win_by_lower_number(tournament: Tournament) -> Tournament:
    """Return the tournament with every open game won by the lower number."""
    results = []
    for game in tournament.games.values():
        if game.id not in tournament.results:
            first_is_better = parse_number(game.first) < parse_number(game.second)
            results.append(
                Result(game.id, ResultState.ENTERED, 400 + first_is_better, 400 + (not first_is_better))
            )
    return tournament.put(*results)


def enter_result_at(tournament: Tournament, table: int, **result: object) -> Tournament:
    index = TournamentIndex(tournament)
    game = index.get_game(index.list_published_rounds(A)[-1].id, table)
    return tournament.put(Result(game.id, ResultState.ENTERED, **result))  # type: ignore[arg-type]


def test_order_seeds_gives_the_order_of_slots() -> None:
    assert list_seeds_in_bracket_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("count", [*range(2, 40), 63, 64, 65, 128, 129, 200, 255, 257, 300])
def test_knockout_of_any_size(count: int) -> None:
    tournament = make_knockout(count)
    size = 2 ** count_knockout_rounds_needed(count)
    games = 0
    for bracket_round in range(1, count_knockout_rounds_needed(count) + 1):
        proposal = propose_pairings(TournamentIndex(tournament), A)
        games += len(proposal.games)
        if bracket_round == 1:
            assert len(proposal.games) == count - size // 2
            assert sorted(parse_number(bye.player) for bye in proposal.byes) == list(range(1, size - count + 1))
        else:
            remaining_players = size // 2 ** (bracket_round - 1)
            assert not proposal.byes
            assert {parse_number(game.first) + parse_number(game.second) for game in proposal.games} == {
                remaining_players + 1
            }
        matches = [game.match for game in proposal.games] + [bye.match for bye in proposal.byes]
        assert sorted(match or 0 for match in matches) == list(range(1, size // 2**bracket_round + 1))
        assert [game.table for game in proposal.games] == list(range(1, len(proposal.games) + 1))
        tournament = win_by_lower_number(publish_proposal(tournament, proposal))
    assert games == count - 1
    final = build_bracket(TournamentIndex(tournament), tournament.stages[STAGE])[-1]
    assert final.winner == "p1"
    with pytest.raises(CommandError, match="all-rounds-paired"):
        propose_pairings(TournamentIndex(tournament), A)


@pytest.mark.parametrize("count", [4, 5, 8, 11])
def test_knockout_semifinal_losers_play_for_third_place(count: int) -> None:
    tournament = make_knockout(count, third_place=True)
    for _ in range(count_knockout_rounds_needed(count) - 1):
        tournament = win_by_lower_number(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
        )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert [{game.first, game.second} for game in proposal.games] == [{"p1", "p2"}, {"p3", "p4"}]
    assert [game.match for game in proposal.games] == [1, 2]
    assert proposal.games[1].reason is not None
    assert proposal.games[1].reason.code == "third-place"


def test_knockout_of_three_has_no_third_place_game() -> None:
    tournament = make_knockout(3, third_place=True)
    tournament = win_by_lower_number(
        publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert len(proposal.games) == 1
    assert not proposal.byes


def test_knockout_replier_wins_a_tie_by_the_rules() -> None:
    tournament = make_knockout(4, tie=KnockoutTieResolution.REPLIER)
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    tournament = enter_result_at(enter_result_at(tournament, 1, first=400, second=400), 2, first=400, second=300)
    games = sorted(tournament.games.values(), key=lambda game: game.table)
    final = propose_pairings(TournamentIndex(tournament), A).games[0]
    assert {final.first, final.second} == {games[0].second, games[1].first}


def test_find_game_winner_undecided_start_has_no_replier() -> None:
    tournament = make_knockout(2, tie=KnockoutTieResolution.REPLIER)
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    (game,) = tournament.games.values()
    tied = enter_result_at(tournament, 1, first=400, second=400)
    assert find_game_winner(TournamentIndex(tied), game) == game.second
    tied_with_open_start = tied.put(replace(game, start=StartDecision.DRAW))
    assert find_game_winner(TournamentIndex(tied_with_open_start), tied_with_open_start.games[game.id]) is None


def test_knockout_tie_waits_for_a_decision() -> None:
    tournament = make_knockout(4)
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    tournament = enter_result_at(enter_result_at(tournament, 1, first=400, second=400), 2, first=400, second=300)
    with pytest.raises(CommandError, match="tie-undecided") as refusal:
        propose_pairings(TournamentIndex(tournament), A)
    assert refusal.value.facts == {"table": 1, "round": 1}
    round_id = TournamentIndex(tournament).list_published_rounds(A)[0].id
    game = TournamentIndex(tournament).get_game(round_id, 1)
    tournament = tournament.put(
        Result(game.id, ResultState.ENTERED, first=400, second=400, advances=GameSide.FIRST)
    )
    final = propose_pairings(TournamentIndex(tournament), A).games[0]
    assert game.first in {final.first, final.second}


def test_knockout_needs_results_for_the_next_round() -> None:
    tournament = publish_proposal(make_knockout(4), propose_pairings(TournamentIndex(make_knockout(4)), A))
    with pytest.raises(CommandError, match="results-needed"):
        propose_pairings(TournamentIndex(tournament), A, source_round=0)


def test_knockout_results_cannot_be_assumed() -> None:
    tournament = publish_proposal(make_knockout(4), propose_pairings(TournamentIndex(make_knockout(4)), A))
    assert list_games_that_can_count_as_draws(TournamentIndex(tournament), A) == ()
    with pytest.raises(CommandError) as refusal:
        propose_pairings(TournamentIndex(tournament), A, assumed=list(tournament.games))
    assert (refusal.value.code, refusal.value.facts["tables"]) == ("results-needed", (1, 2))


def test_knockout_forfeits_and_walkovers() -> None:
    tournament = make_knockout(8)
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    for table in (1, 2, 3):
        tournament = enter_result_at(tournament, table, first=400, second=300)
    tournament = enter_result_at(tournament, 4, forfeit=GameSide.BOTH)
    fourth = next(game for game in tournament.games.values() if game.table == 4)
    semifinals = propose_pairings(TournamentIndex(tournament), A)
    assert len(semifinals.games) == 1
    assert [(bye.kind, bye.match) for bye in semifinals.byes] == [
        (ByeKind.BYE, (2 if fourth.match in {3, 4} else 1))
    ]


def test_knockout_player_without_an_opponent_advances() -> None:
    tournament = make_knockout(4)
    tournament = win_by_lower_number(
        publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    )
    tournament = tournament.put(
        Absence(AbsenceId("1"), PlayerId("p2"), 2, None, ByeKind.FORFEIT),
        Absence(AbsenceId("2"), PlayerId("p4"), 2, None, ByeKind.FORFEIT),
    )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert not proposal.games
    assert {(bye.player, bye.kind, bye.match) for bye in proposal.byes} == {
        ("p1", ByeKind.BYE, 1),
        ("p2", ByeKind.FORFEIT, None),
    }
    finished_tournament = publish_proposal(tournament, proposal)
    assert (
        build_bracket(TournamentIndex(finished_tournament), finished_tournament.stages[STAGE])[-1].winner == "p1"
    )


def test_knockout_uses_stored_seeds() -> None:
    tournament = make_knockout(4).put(
        *[Seed(SeedId(f"s{n}"), STAGE, n, PlayerId(f"p{5 - n}")) for n in range(1, 4)]
    )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert [{game.first, game.second} for game in proposal.games] == [{"p3", "p2"}]
    assert [bye.player for bye in proposal.byes] == ["p4"]


def test_build_bracket_is_known_up_to_played_rounds() -> None:
    tournament = make_knockout(5)
    stage = tournament.stages[STAGE]
    bracket = build_bracket(TournamentIndex(tournament), stage)
    assert [(match.node.bracket_round, match.node.match) for match in bracket] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 1),
        (2, 2),
        (3, 1),
    ]
    assert bracket[0].players == ("p1", None)
    assert (bracket[0].is_bye, bracket[0].winner) == (True, "p1")
    assert bracket[4].players == ("p1", None)
    assert (bracket[4].is_bye, bracket[4].winner) == (False, None)
    tournament = win_by_lower_number(
        publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    )
    bracket_after_round_1 = build_bracket(TournamentIndex(tournament), stage)
    assert bracket_after_round_1[1].last_game == GameId(
        "r1-" + tournament.games[next(iter(tournament.games))].first
    )
    assert (bracket_after_round_1[1].winner, bracket_after_round_1[1].loser) == ("p4", "p5")
    assert bracket_after_round_1[4].players == ("p1", "p4")


def test_knockout_swapped_players_keep_the_bracket_complete() -> None:
    tournament = make_knockout(4)
    proposal = propose_pairings(
        TournamentIndex(tournament), A, fixed_pairs=[FixedPair(PlayerId("p1"), PlayerId("p2"))]
    )
    assert {(frozenset({game.first, game.second}), game.match) for game in proposal.games} == {
        (frozenset({"p1", "p2"}), 1),
        (frozenset({"p3", "p4"}), 2),
    }
    tournament = win_by_lower_number(publish_proposal(tournament, proposal))
    final = propose_pairings(TournamentIndex(tournament), A).games[0]
    assert {final.first, final.second} == {"p1", "p3"}


def test_knockout_upsets_lead_to_one_winner() -> None:
    rng = Random(8)
    tournament = make_knockout(13)
    while True:
        try:
            tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
        except CommandError:
            break
        for game in tournament.games.values():
            if game.id not in tournament.results:
                first_wins = rng.random() < 0.5
                tournament = tournament.put(
                    Result(game.id, ResultState.ENTERED, 400 + first_wins, 400 + (not first_wins))
                )
    losers = [
        match.loser
        for match in build_bracket(TournamentIndex(tournament), tournament.stages[STAGE])
        if match.loser
    ]
    assert len(losers) == len(set(losers)) == 12


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 9, 16, 17])
def test_count_rounds_needed_of_a_plain_bracket(players: int) -> None:
    assert (
        count_knockout_rounds_needed(players, PairingSettings())
        == count_knockout_rounds_needed(players)
        == (players - 1).bit_length()
    )
    assert count_knockout_rounds_needed(players, PairingSettings(series=3)) == 3 * count_knockout_rounds_needed(
        players
    )
