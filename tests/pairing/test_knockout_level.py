"""Tests of knockouts in progress: tied matches, repeated drafts and open results."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import (
    are_knockout_matches_decided,
    find_decider_of_drawn_match,
    is_match_tied_after_game,
    list_byes_replaceable_by_latecomer,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameSide, PlayerId, Seed, SeedId
from tdapp.domain.pairing_settings import EliminationKind
from tdapp.domain.ruleset import KnockoutTieResolution
from tdapp.pairing import FixedPair, propose_pairings
from tests.pairing.random_states import STAGE, A, make_tournament, publish_proposal
from tests.pairing.test_knockout_formats import (
    build_knockout_bracket,
    enter_open_results,
    enter_result_of_player,
    make_knockout,
    pair_round,
)

WIN, LOSS, DRAW = (450, 400), (400, 450), (400, 400)


@pytest.mark.parametrize(
    ("series", "scores", "ruled_game", "decisions"),
    [
        (1, [WIN], 0, ("", "")),
        (1, [DRAW], 0, ("replier", "replier")),
        (1, [DRAW], 1, ("ruling", "ruling")),
        (2, [WIN, WIN], 0, ("", "")),
        (2, [WIN, (400, 410)], 0, ("spread", "")),
        (2, [DRAW, WIN], 0, ("", "")),
        (2, [WIN, LOSS], 0, ("", "")),
        (2, [WIN, LOSS], 2, ("ruling", "")),
        (2, [DRAW, DRAW], 2, ("ruling", "")),
        (3, [WIN, LOSS, DRAW], 3, ("ruling", "")),
        (3, [WIN, (400, 410), DRAW], 0, ("spread", "")),
    ],
)
def test_find_tie_decision_names_the_decision(
    series: int, scores: list[tuple[int, int]], ruled_game: int, decisions: tuple[str, str]
) -> None:
    """Spread decides a level series of aggregate spread, so no other decision is named."""
    for aggregate in (False, True):
        tournament = make_knockout(2, series=series, aggregate=aggregate, tie=KnockoutTieResolution.REPLIER)
        for number, (first, second) in enumerate(scores, 1):
            ruling = {"advances": GameSide.FIRST} if number == ruled_game else {}
            tournament = enter_result_of_player(pair_round(tournament), 1, first=first, second=second, **ruling)
        index, stage = TournamentIndex(tournament), tournament.stages[STAGE]
        assert (
            find_decider_of_drawn_match(index, stage, build_knockout_bracket(tournament)[0])
            == decisions[aggregate]
        )


@pytest.mark.parametrize("series", [2, 3, 4])
@pytest.mark.parametrize("other_ruling", [None, GameSide.BOTH])
@pytest.mark.parametrize("winner", [GameSide.FIRST, GameSide.SECOND])
def test_decide_tie_only_ruling_in_a_level_series_counts(
    series: int, other_ruling: GameSide | None, winner: GameSide
) -> None:
    tournament = make_knockout(2, series=series)
    for _ in range(series):
        tournament = enter_result_of_player(pair_round(tournament), 1, first=400, second=400)
    games = build_knockout_bracket(tournament)[0].games
    for ruled_game in games:
        rows = (tournament.results[game] for game in games)
        changed_tournament = tournament.put(
            *(replace(row, advances=winner if row.id == ruled_game else other_ruling) for row in rows)
        )
        game = tournament.games[ruled_game]
        assert build_knockout_bracket(changed_tournament)[0].winner == (
            game.first if winner is GameSide.FIRST else game.second
        )
    assert len(games) == series


@pytest.mark.parametrize("series", [1, 2])
def test_propose_pairings_ignores_its_own_knockout_draft(series: int) -> None:
    """The draft does not count for the starts."""
    tournament = make_knockout(4 if series > 1 else 5, series=series)
    for number in range(1, 4):
        proposal = propose_pairings(TournamentIndex(tournament), A)
        draft = commands.propose_round(tournament, key=f"r{number}", proposal=proposal)
        new_proposal = propose_pairings(TournamentIndex(draft), A)
        assert (new_proposal.games, new_proposal.byes) == (proposal.games, proposal.byes)
        tournament = enter_open_results(publish_proposal(tournament, proposal))


def test_propose_pairings_won_series_needs_no_result() -> None:
    tournament = make_knockout(2, series=5)
    for score in (WIN, LOSS, WIN, WIN):
        tournament = enter_result_of_player(pair_round(tournament), 1, first=score[0], second=score[1])
    won_game, lost_game, *_ = build_knockout_bracket(tournament)[0].games
    for game, code in ((lost_game, "knockout-decided"), (won_game, "results-needed")):
        index = TournamentIndex(tournament.drop(tournament.results[game]))
        with pytest.raises(CommandError, match=code):
            propose_pairings(index, A, source_round=0)


def test_propose_pairings_opponents_of_manual_byes_sit_by_seed() -> None:
    fixed = [FixedPair(PlayerId(player), None) for player in ("p8", "p7")]
    proposal = propose_pairings(TournamentIndex(make_knockout(8)), A, fixed_pairs=fixed)
    tables = [(game.table, {game.first, game.second}) for game in proposal.games]
    assert tables == [(1, {"p1", "p2"}), (2, {"p3", "p6"}), (3, {"p4", "p5"})]
    assert {bye.player for bye in proposal.byes} == {"p7", "p8"}


def test_find_tie_decision_ignores_a_needless_reset() -> None:
    """The grand final was corrected, and the reset has no result."""
    tournament = make_knockout(4, elimination=EliminationKind.DOUBLE)
    for _ in range(3):
        tournament = enter_open_results(pair_round(tournament))
    tournament = pair_round(enter_result_of_player(pair_round(tournament), 1, first=300, second=400))
    final, reset = build_knockout_bracket(tournament)[-2:]
    assert (reset.is_needed, len(reset.games)) == (True, 1)
    row = tournament.results[final.games[0]]
    tournament = tournament.put(replace(row, first=row.second, second=row.first))
    reset = build_knockout_bracket(tournament)[-1]
    assert (reset.is_needed, reset.winner) == (False, "p1")
    assert find_decider_of_drawn_match(TournamentIndex(tournament), tournament.stages[STAGE], reset) == ""


def test_needs_extra_game_of_knockout_ties() -> None:
    for system, expected in (("swiss", False), ("knockout", True)):
        tournament = pair_round(make_tournament(4, system=system, rounds=2))
        assert not any(is_match_tied_after_game(TournamentIndex(tournament), game) for game in tournament.games)
        tied = enter_open_results(tournament, tied=True)
        assert {is_match_tied_after_game(TournamentIndex(tied), game) for game in tied.games} == {expected}


def test_is_knockout_over_not_for_an_empty_knockout() -> None:
    tournament = make_tournament(0, system="knockout", rounds=2)
    assert not are_knockout_matches_decided(TournamentIndex(tournament), tournament.stages[STAGE])


def test_list_byes_replaceable_by_latecomer_omits_byes_without_seed() -> None:
    """A manual change can give a bye without a seed."""
    tournament = make_tournament(7, system="knockout", rounds=3)
    seeds = [Seed(SeedId(f"s{number}"), STAGE, number, PlayerId(f"p{number}")) for number in range(1, 6)]
    tournament = pair_round(tournament.put(*seeds))
    index = TournamentIndex(tournament)
    (item,) = index.rounds(A)
    bye_players = [bye.player for bye in list_byes_replaceable_by_latecomer(index, item, PlayerId("p7"))]
    assert bye_players == ["p3", "p2", "p1"]
    (first, *_) = index.byes(item.id)
    changed = TournamentIndex(tournament.put(replace(first, player=PlayerId("p6"))))
    assert [bye.player for bye in list_byes_replaceable_by_latecomer(changed, item, PlayerId("p7"))] == [
        "p3",
        "p2",
    ]


def test_build_bracket_bye_of_a_draft_has_no_winner() -> None:
    fixed = [FixedPair(PlayerId(player), None) for player in ("p1", "p4")]
    proposal = propose_pairings(TournamentIndex(make_knockout(4)), A, fixed_pairs=fixed)
    draft = commands.propose_round(make_knockout(4), key="r1", proposal=proposal)
    assert {bye.player for bye in draft.byes.values()} == {"p1", "p4"}
    assert [match.is_decided for match in build_knockout_bracket(draft)] == [False, False, False]
    assert [
        match.winner for match in build_knockout_bracket(publish_proposal(make_knockout(4), proposal))[:2]
    ] != [None, None]


def test_build_bracket_replacement_continues_a_series() -> None:
    seeds = [Seed(SeedId(f"s{number}"), STAGE, number, PlayerId(f"p{number}")) for number in (1, 2)]
    tournament = pair_round(
        enter_result_of_player(pair_round(make_knockout(2, series=3).put(*seeds)), 1, first=450, second=400)
    )
    tournament = tournament.put(replace(tournament.players[PlayerId("p2")], id=PlayerId("p3"), number=3))
    first, second = sorted(tournament.games.values(), key=lambda game: tournament.rounds[game.round].number)
    third = PlayerId("p3")
    changed = replace(second, second=third) if second.second == "p2" else replace(second, first=third)
    tournament = tournament.put(changed)
    (match,) = build_knockout_bracket(tournament)
    assert match.games == (first.id, second.id)
    assert match.players == ("p1", "p3")
