"""Tests of complete knockouts of every format: lower brackets, series, ranks and walkovers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import build_bracket, compute_worst_possible_knockout_ranks
from tdapp.domain.elimination import BracketPart
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import Match, count_knockout_rounds_needed
from tdapp.domain.model import Absence, AbsenceId, ByeKind, GameSide, PlayerId, Result, ResultState, StartDecision
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.ruleset import KnockoutTieResolution, KnockoutTieRule, RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tests.pairing.random_states import STAGE, A, make_tournament, publish_proposal


def make_knockout(
    count: int, *, tie: KnockoutTieResolution = KnockoutTieResolution.EXTRA_GAME, **settings: object
) -> Tournament:
    order = MappingProxyType({"other": ("wins", "spread")})
    rules = RuleSet("r", "R", "en", "en", order, knockout=KnockoutTieRule(tie))
    pairing_settings = PairingSettings(**settings)  # type: ignore[arg-type]
    rounds = count_knockout_rounds_needed(count, pairing_settings)
    return make_tournament(count, system="knockout", rounds=rounds, settings=pairing_settings, ruleset=rules)


def build_knockout_bracket(tournament: Tournament) -> tuple[Match, ...]:
    return build_bracket(TournamentIndex(tournament), tournament.stages[STAGE])


def rank_players(tournament: Tournament) -> Mapping[str, int]:
    ranks = compute_worst_possible_knockout_ranks(TournamentIndex(tournament), tournament.stages[STAGE])
    return {str(player): rank for player, rank in ranks.items()}


def pair_round(tournament: Tournament) -> Tournament:
    return publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))


def enter_open_results(tournament: Tournament, rng: Random | None = None, *, tied: bool = False) -> Tournament:
    """Return the tournament with every open game won by the lower number, or by chance."""
    results = []
    for game in tournament.games.values():
        if game.id not in tournament.results:
            first_wins = int(game.first[1:]) < int(game.second[1:]) if rng is None else rng.random() < 0.5
            margin = 10 if rng is None else rng.randint(1, 99)
            first = 400 if tied else 400 + (margin if first_wins else -margin)
            results.append(Result(game.id, ResultState.ENTERED, first, 400))
    return tournament.put(*results)


def find_refusal_code(tournament: Tournament) -> str:
    """Return the refusal code of the next round, or "" if it can be paired."""
    try:
        propose_pairings(TournamentIndex(tournament), A)
    except CommandError as error:
        return error.code
    return ""


def play_to_the_end(tournament: Tournament, rng: Random | None = None) -> Tournament:
    while not find_refusal_code(tournament):
        tournament = enter_open_results(pair_round(tournament), rng)
    assert find_refusal_code(tournament) in {"knockout-decided", "all-rounds-paired"}
    return tournament


def enter_result_of_player(tournament: Tournament, number: int, **result: object) -> Tournament:
    """Return the tournament with a result of a player's open game. `first` are the player's points."""
    player = PlayerId(f"p{number}")
    games = [game for game in tournament.games.values() if game.id not in tournament.results]
    game = next(game for game in games if player in {game.first, game.second})
    if game.second == player and "first" in result:
        result["first"], result["second"] = result["second"], result["first"]
    return tournament.put(Result(game.id, ResultState.ENTERED, **result))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [3, 4, 5, 7, 8, 11, 16, 24])
@pytest.mark.parametrize("rng", [None, 1, 2])
def test_double_elimination_ends_with_one_player_beaten_once_at_most(count: int, rng: int | None) -> None:
    tournament = play_to_the_end(
        make_knockout(count, elimination=EliminationKind.DOUBLE),
        None if rng is None else Random(rng * 100 + count),
    )
    loss_counts = Counter(
        match.loser for match in build_knockout_bracket(tournament) if match.is_needed and match.loser
    )
    assert sum(loss_counts.values()) == len(tournament.games) in {2 * count - 2, 2 * count - 1}
    ranks = rank_players(tournament)
    champion = next(player for player, rank in ranks.items() if rank == 1)
    assert all(loss_counts[PlayerId(player)] == 2 for player in ranks if player != champion)
    assert loss_counts[PlayerId(champion)] == len(tournament.games) - (2 * count - 2)
    assert sorted(ranks.values())[:4] == [1, 2, 3, 4][:count]
    assert all(
        sum(other_rank < rank for other_rank in ranks.values()) == rank - 1 for rank in ranks.values()
    )  # no player shares a place with a gap


def test_double_elimination_repeats_the_grand_final() -> None:
    tournament = make_knockout(4, elimination=EliminationKind.DOUBLE)
    for _ in range(3):
        tournament = enter_open_results(pair_round(tournament))
    tournament = pair_round(tournament)
    tournament = enter_result_of_player(tournament, 1, first=300, second=400)
    second_final = propose_pairings(TournamentIndex(tournament), A)
    assert [{game.first, game.second} for game in second_final.games] == [{"p1", "p2"}]
    assert build_knockout_bracket(tournament)[-1].node.part is BracketPart.RESET
    assert rank_players(tournament)["p1"] == rank_players(tournament)["p2"] == 1
    tournament = enter_result_of_player(publish_proposal(tournament, second_final), 1, first=400, second=300)
    assert [rank_players(tournament)[player] for player in ("p1", "p2", "p3", "p4")] == [1, 2, 3, 4]


def test_double_elimination_is_decided_without_a_reset() -> None:
    tournament = make_knockout(4, elimination=EliminationKind.DOUBLE)
    for _ in range(4):
        tournament = enter_open_results(pair_round(tournament))
    assert not build_knockout_bracket(tournament)[-1].is_needed
    with pytest.raises(CommandError, match="knockout-decided"):
        propose_pairings(TournamentIndex(tournament), A)
    assert rank_players(tournament)["p1"] == 1


@pytest.mark.parametrize("count", [2, 3, 5, 8, 12, 13])
@pytest.mark.parametrize("rng", [None, 4])
def test_classification_gives_each_player_a_rank(count: int, rng: int | None) -> None:
    tournament = play_to_the_end(
        make_knockout(count, elimination=EliminationKind.CLASSIFICATION), None if rng is None else Random(rng)
    )
    assert sorted(rank_players(tournament).values()) == list(range(1, count + 1))


@pytest.mark.parametrize("count", [5, 6, 8, 12, 13, 16])
def test_consolation_changes_no_ranks(count: int) -> None:
    rng = Random(count)
    tournament = play_to_the_end(make_knockout(count, elimination=EliminationKind.CONSOLATION), rng)
    matches = build_knockout_bracket(tournament)
    assert all(match.is_decided for match in matches if match.is_needed)
    for match in matches:
        if match.node.part is BracketPart.WINNERS and match.loser and match.node.round_size > 2:
            assert rank_players(tournament)[match.loser] == match.node.round_size // 2 + 1


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("count", range(5, 18))
@pytest.mark.parametrize("seed", [1, 2])
def test_consolation_has_losers_of_the_first_match(count: int, seed: int, third_place: bool) -> None:
    """Consolation players lost in round 1, or in round 2 after a bye. Finalists never join."""
    tournament = make_knockout(count, elimination=EliminationKind.CONSOLATION, third_place=third_place)
    tournament = play_to_the_end(tournament, Random(1000 * seed + count))
    matches = [match for match in build_knockout_bracket(tournament) if match.games]
    loss_rounds: dict[PlayerId, int] = {}
    earlier_players: set[PlayerId] = set()
    for match in matches:
        loser = match.loser
        if match.node.part is BracketPart.WINNERS and loser is not None and loser not in earlier_players:
            loss_rounds[loser] = match.node.bracket_round
        if match.node.part is BracketPart.WINNERS:
            earlier_players |= {player for player in match.players if player is not None}
    last_round = (count - 1).bit_length() - (2 if third_place else 1)  # the losers of later rounds play elsewhere
    expected_players = {
        player for player, bracket_round in loss_rounds.items() if bracket_round <= min(2, last_round)
    }
    games = [match for match in matches if match.node.part is BracketPart.CONSOLATION]
    assert len(expected_players) > 0
    assert len(games) == len(expected_players) - 1
    loss_counts = Counter(match.loser for match in games)
    assert set(loss_counts.values()) <= {1}
    assert {player for match in games for player in match.players} == (expected_players if games else set())
    assert len(expected_players - loss_counts.keys()) == 1


@pytest.mark.parametrize("elimination", [EliminationKind.SINGLE, EliminationKind.CONSOLATION])
@pytest.mark.parametrize("count", [3, 6, 8, 11, 16])
def test_rank_knockout_losers_have_ranks_after_each_round(elimination: EliminationKind, count: int) -> None:
    """The loser among the last n players is ranked n. All others share rank 1."""
    rng, tournament = Random(count), make_knockout(count, elimination=elimination)
    remaining = {f"p{number}" for number in range(1, count + 1)}
    expected_ranks: dict[str, int] = {}
    while len(remaining) > 1:
        tournament = enter_open_results(pair_round(tournament), rng)
        bracket_round = max(
            match.node.bracket_round for match in build_knockout_bracket(tournament) if match.games
        )
        losers = {
            str(match.loser)
            for match in build_knockout_bracket(tournament)
            if match.node.bracket_round == bracket_round
            and match.node.part is BracketPart.WINNERS
            and match.loser is not None
        }
        remaining -= losers
        expected_ranks |= dict.fromkeys(losers, len(remaining) + 1)
        ranks = rank_players(tournament)
        assert ranks == expected_ranks | dict.fromkeys(remaining, 1)
    assert len(expected_ranks) == count - 1


@pytest.mark.parametrize("count", [3, 4, 6, 8, 13, 16])
@pytest.mark.parametrize("seed", [1, 2])
def test_rank_knockout_players_beaten_twice_have_ranks(count: int, seed: int) -> None:
    """An eliminated player ranks below all remaining and all later eliminated players."""
    rng, tournament = Random(100 * seed + count), make_knockout(count, elimination=EliminationKind.DOUBLE)
    while not find_refusal_code(tournament):
        tournament = enter_open_results(pair_round(tournament), rng)
        matches, ranks = build_knockout_bracket(tournament), rank_players(tournament)
        loss_counts = Counter(match.loser for match in matches if match.is_needed and match.loser)
        elimination_rounds = {  # rounds of the losers' bracket; 99 is the grand final
            str(match.loser): match.node.round if match.node.part is BracketPart.LOSERS else 99
            for match in matches
            if match.loser is not None
            and loss_counts[match.loser] == 2
            and match.node.part is not BracketPart.WINNERS
        }
        assert len(elimination_rounds) == sum(times == 2 for times in loss_counts.values())
        expected_ranks = {
            player: count - sum(other_round <= round_number for other_round in elimination_rounds.values()) + 1
            for player, round_number in elimination_rounds.items()
        }
        open_rounds = {
            match.node.round for match in matches if match.node.part is BracketPart.LOSERS and not match.is_decided
        }
        final_players = {
            player for player, round_number in elimination_rounds.items() if round_number not in open_rounds
        }
        assert {player: ranks[player] for player in final_players} == {
            player: expected_ranks[player] for player in final_players
        }
        assert min(ranks.values()) == 1
    assert len(elimination_rounds) == count - 1


def test_rank_knockout_during_a_single_elimination() -> None:
    tournament = make_knockout(8)
    assert set(rank_players(tournament).values()) == {1}
    tournament = enter_open_results(pair_round(tournament))
    assert Counter(rank_players(tournament).values()) == {1: 4, 5: 4}
    tournament = enter_result_of_player(pair_round(tournament), 1, first=400, second=300)
    ranks = rank_players(tournament)
    assert (ranks["p1"], ranks["p4"], ranks["p2"], ranks["p3"]) == (1, 3, 2, 2)
    tournament = enter_open_results(pair_round(enter_open_results(tournament)))
    assert [rank_players(tournament)[f"p{number}"] for number in range(1, 9)] == [1, 2, 3, 3, 5, 5, 5, 5]


def test_rank_knockout_with_a_third_place_match() -> None:
    tournament = play_to_the_end(make_knockout(6, third_place=True))
    assert [rank_players(tournament)[f"p{number}"] for number in range(1, 7)] == [1, 2, 3, 4, 5, 5]


# --- series


def test_knockout_series_stops_after_a_decided_match() -> None:
    tournament = make_knockout(4, series=3)
    tournament = enter_open_results(pair_round(tournament))
    tournament = enter_result_of_player(
        enter_result_of_player(pair_round(tournament), 1, first=400, second=300), 2, first=300, second=400
    )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert [{game.first, game.second} for game in proposal.games] == [{"p2", "p3"}]
    assert proposal.games[0].start is StartDecision.DRAW
    assert not proposal.byes
    assert proposal.games[0].match == 2
    reason = proposal.games[0].reason
    assert reason is not None
    assert reason.code == "series"
    assert dict(reason.facts)["game"] == 3
    tournament = enter_result_of_player(publish_proposal(tournament, proposal), 3, first=400, second=300)
    final = propose_pairings(TournamentIndex(tournament), A)
    assert [{game.first, game.second} for game in final.games] == [{"p1", "p3"}]


def test_knockout_series_has_one_bye() -> None:
    tournament = make_knockout(3, series=3)
    first = propose_pairings(TournamentIndex(tournament), A)
    assert [bye.player for bye in first.byes] == ["p1"]
    second = propose_pairings(TournamentIndex(enter_open_results(publish_proposal(tournament, first))), A)
    assert not second.byes
    assert [{game.first, game.second} for game in second.games] == [{"p2", "p3"}]


def test_knockout_series_alternates_starts() -> None:
    tournament = make_knockout(2, series=4)
    starters = []
    for _ in range(3):
        tournament = pair_round(tournament)
        game = list(tournament.games.values())[-1]
        starters.append(game.first)
        tournament = enter_result_of_player(tournament, 1, first=400, second=400)
    assert starters[0] == starters[2] != starters[1]
    assert all(game.start is StartDecision.ASSIGNED for game in tournament.games.values())


def test_knockout_series_can_have_an_empty_round() -> None:
    tournament = make_knockout(4, series=3)
    tournament = enter_open_results(pair_round(enter_open_results(pair_round(tournament))))
    empty = propose_pairings(TournamentIndex(tournament), A)
    assert (empty.games, empty.byes) == ((), ())
    final = propose_pairings(TournamentIndex(publish_proposal(tournament, empty)), A)
    assert [{game.first, game.second} for game in final.games] == [{"p1", "p2"}]


def test_knockout_level_series_waits_for_the_director() -> None:
    tournament = make_knockout(2, series=2)
    tournament = enter_result_of_player(pair_round(tournament), 1, first=450, second=400)
    tournament = enter_result_of_player(pair_round(tournament), 1, first=400, second=450)
    match = build_knockout_bracket(tournament)[0]
    assert (match.winner, match.score.halves, match.score.spread) == (None, (2, 2), 0)
    last = tournament.games[match.games[-1]]
    ahead = GameSide.FIRST if last.first == "p2" else GameSide.SECOND
    old = tournament.results[last.id]
    tournament = tournament.put(
        Result(last.id, ResultState.ENTERED, first=old.first, second=old.second, advances=ahead)
    )
    assert build_knockout_bracket(tournament)[0].winner == "p2"


def test_knockout_level_series_stops_the_next_round() -> None:
    tournament = make_knockout(4, series=2)
    tournament = enter_open_results(pair_round(enter_open_results(pair_round(tournament), tied=True)), tied=True)
    with pytest.raises(CommandError, match="tie-undecided") as refusal:
        propose_pairings(TournamentIndex(tournament), A)
    assert refusal.value.facts == {"table": 1, "round": 2}


def test_knockout_aggregate_series_is_decided_by_spread() -> None:
    tournament = make_knockout(2, series=3, aggregate=True)
    for first in (410, 410, 300):
        tournament = enter_result_of_player(pair_round(tournament), 1, first=first, second=400)
    match = build_knockout_bracket(tournament)[0]
    assert (match.winner, match.score.halves, match.score.spread) == ("p2", (4, 2), -80)


def test_knockout_tie_rule_is_for_single_games_only() -> None:
    tournament = make_knockout(2, series=3, tie=KnockoutTieResolution.REPLIER)
    tournament = enter_result_of_player(pair_round(tournament), 1, first=400, second=400)
    assert build_knockout_bracket(tournament)[0].score.halves == (1, 1)
    tournament = enter_result_of_player(pair_round(tournament), 1, first=410, second=400)
    tournament = enter_result_of_player(pair_round(tournament), 1, first=400, second=400)
    assert build_knockout_bracket(tournament)[0].winner == "p1"


def test_knockout_series_is_won_by_the_last_player() -> None:
    tournament = make_knockout(4, series=3)
    tournament = enter_open_results(pair_round(tournament))
    tournament = tournament.put(Absence(AbsenceId("1"), PlayerId("p1"), 2, None, ByeKind.FORFEIT))
    tournament = enter_open_results(pair_round(tournament))
    tournament = enter_open_results(pair_round(tournament))
    assert build_knockout_bracket(tournament)[0].winner == "p4"
    final = propose_pairings(TournamentIndex(tournament), A)
    assert [{game.first, game.second} for game in final.games] == [{"p2", "p4"}]


# --- withdrawals, forfeits and replacements


@pytest.mark.parametrize("elimination", list(EliminationKind))
def test_knockout_formats_accept_withdrawals_and_forfeits(elimination: EliminationKind) -> None:
    for trial in range(6):
        rng = Random(trial)
        tournament = make_knockout(11, elimination=elimination, third_place=True)
        for number in range(1, 12):
            if rng.random() < 0.3:
                absence = Absence(AbsenceId(f"a{number}"), PlayerId(f"p{number}"), rng.randint(2, 5), None)
                tournament = tournament.put(absence)
        while not find_refusal_code(tournament):
            tournament = pair_round(tournament)
            for game in tournament.games.values():
                if game.id not in tournament.results and rng.random() < 0.2:
                    forfeit = rng.choice(list(GameSide))
                    tournament = tournament.put(Result(game.id, ResultState.ENTERED, forfeit=forfeit))
            tournament = enter_open_results(tournament, rng)
        assert find_refusal_code(tournament) in {"knockout-decided", "all-rounds-paired"}
        assert all(match.is_decided for match in build_knockout_bracket(tournament))
        assert rank_players(tournament).keys() == tournament.players.keys()


def test_knockout_last_player_wins_alone() -> None:
    tournament = enter_open_results(pair_round(make_knockout(4)))
    absences = (Absence(AbsenceId(f"a{number}"), PlayerId(f"p{number}"), 2, None) for number in (2, 3, 4))
    tournament = pair_round(tournament.put(*absences))
    assert rank_players(tournament)["p1"] == 1
    assert all(match.is_decided for match in build_knockout_bracket(tournament))


def test_knockout_unopposed_final_is_won_immediately() -> None:
    tournament = make_knockout(2, series=3)
    tournament = tournament.put(Absence(AbsenceId("a"), PlayerId("p2"), 2, None))
    tournament = enter_open_results(pair_round(tournament))
    tournament = pair_round(tournament)
    assert rank_players(tournament)["p1"] == 1
    assert find_refusal_code(tournament) == "knockout-decided"


def test_knockout_double_forfeit_eliminates_no_player_of_a_double_elimination() -> None:
    tournament = pair_round(make_knockout(4, elimination=EliminationKind.DOUBLE))
    tournament = enter_result_of_player(tournament, 1, forfeit=GameSide.BOTH)
    tournament = enter_open_results(tournament)
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert not proposal.games
    assert {bye.player for bye in proposal.byes} == {"p2", "p3"}
    tournament = publish_proposal(tournament, proposal)
    final = enter_open_results(pair_round(tournament))
    assert {game.first for game in final.games.values()} | {game.second for game in final.games.values()} >= {
        "p2",
        "p3",
    }
    assert rank_players(play_to_the_end(final))["p2"] == 1


def test_double_elimination_double_forfeit_in_the_grand_final() -> None:
    tournament = make_knockout(4, elimination=EliminationKind.DOUBLE)
    for _ in range(3):
        tournament = enter_open_results(pair_round(tournament))
    tournament = enter_result_of_player(pair_round(tournament), 1, forfeit=GameSide.BOTH)
    final, reset = build_knockout_bracket(tournament)[-2:]
    assert (final.node.part, final.winner, final.is_decided) == (BracketPart.FINAL, None, True)
    assert (reset.node.part, reset.winner, reset.is_decided, reset.is_needed) == (
        BracketPart.RESET,
        None,
        True,
        False,
    )
    assert find_refusal_code(tournament) == "knockout-decided"


@pytest.mark.parametrize("series", [1, 3])
def test_knockout_final_without_an_opponent_is_a_bye(series: int) -> None:
    """The second semifinal has no winner, so the finalist gets one bye."""
    tournament = make_knockout(4, series=series)
    while {match.is_decided for match in build_knockout_bracket(tournament)[:2]} != {True} or len(
        tournament.rounds
    ) < series:
        tournament = pair_round(tournament)
        for game in tournament.games.values():
            if game.id not in tournament.results and {game.first, game.second} == {"p2", "p3"}:
                tournament = tournament.put(Result(game.id, ResultState.ENTERED, forfeit=GameSide.BOTH))
        tournament = enter_open_results(tournament)
    assert build_knockout_bracket(tournament)[2].is_bye
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert (proposal.games, [bye.player for bye in proposal.byes]) == ((), ["p1"])
    tournament = publish_proposal(tournament, proposal)
    assert find_refusal_code(tournament) in {"knockout-decided", "all-rounds-paired"}
    assert rank_players(tournament)["p1"] == 1


@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize(
    ("first_id", "second_id", "players"),
    [
        ("p1", "p3", ("p1", "p3")),  # 3 for 4
        ("p2", "p4", ("p2", "p4")),  # 2 for 1
        ("p1", "p4", ("p1", "p4")),
    ],
)
def test_knockout_replacement_takes_the_slot(
    first_id: str, second_id: str, players: tuple[str, str], is_swapped: bool
) -> None:
    """The slots keep their order with any starter, and the bracket continues from the slot."""
    tournament = pair_round(make_knockout(4))
    game = next(game for game in tournament.games.values() if {game.first, game.second} == {"p1", "p4"})
    first, second = (second_id, first_id) if is_swapped else (first_id, second_id)
    changed_game = replace(game, first=PlayerId(first), second=PlayerId(second))
    tournament = tournament.put(changed_game, Result(game.id, ResultState.ENTERED, 400, 300))
    match = build_knockout_bracket(tournament)[0]
    assert match.players == players
    assert (match.expected, match.winner) == (("p1", "p4"), first)
