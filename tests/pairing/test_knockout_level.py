"""Knockouts on their way: what parts two who are level, drafts that are proposed again, results that are open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tdapp.domain import commands
from tdapp.domain.bracket import decider_of
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit
from tdapp.domain.ruleset import KnockoutTie
from tdapp.pairing import propose
from tests.pairing.states import STAGE, A, published
from tests.pairing.test_knockout_formats import cup, decided, drawn_up, paired, scored

WON, LOST, DRAWN = (450, 400), (400, 450), (400, 400)


@pytest.mark.parametrize(
    ("series", "scores", "ruled", "said"),
    [
        (1, [WON], 0, ("", "")),
        (1, [DRAWN], 0, ("replier", "replier")),
        (1, [DRAWN], 1, ("ruling", "ruling")),
        (2, [WON, WON], 0, ("", "")),
        (2, [WON, (400, 410)], 0, ("spread", "")),
        (2, [DRAWN, WON], 0, ("", "")),
        (2, [WON, LOST], 0, ("", "")),
        (2, [WON, LOST], 2, ("ruling", "")),
        (2, [DRAWN, DRAWN], 2, ("ruling", "")),
        (3, [WON, LOST, DRAWN], 3, ("ruling", "")),
        (3, [WON, (400, 410), DRAWN], 0, ("spread", "")),
    ],
)
def test_what_parted_two_who_were_level_is_told(
    series: int, scores: list[tuple[int, int]], ruled: int, said: tuple[str, str]
) -> None:
    """Not where the sum of the spreads decides anyhow; of a single game it never does."""
    for aggregate, expected in zip((False, True), said, strict=True):
        tournament = cup(2, series=series, aggregate=aggregate, tie=KnockoutTie.REPLIER)
        for number, (first, second) in enumerate(scores, 1):
            more = {"advances": Forfeit.FIRST} if number == ruled else {}
            tournament = decided(paired(tournament), 1, first=first, second=second, **more)
        index, stage = Index(tournament), tournament.stages[STAGE]
        assert decider_of(index, stage, drawn_up(tournament)[0]) == expected


@pytest.mark.parametrize("ruled", [1, 2])
@pytest.mark.parametrize("winner", [Forfeit.FIRST, Forfeit.SECOND])
def test_the_last_ruling_in_a_level_series_counts(ruled: int, winner: Forfeit) -> None:
    tournament = cup(2, series=2)
    for _ in range(2):
        tournament = decided(paired(tournament), 1, first=400, second=400)
    game = drawn_up(tournament)[0].games[ruled - 1]
    row = tournament.games[game]
    tournament = tournament.put(replace(tournament.results[game], advances=winner))
    assert drawn_up(tournament)[0].winner == (row.first if winner is Forfeit.FIRST else row.second)


@pytest.mark.parametrize("series", [1, 2])
def test_a_round_is_proposed_again_beside_its_own_draft(series: int) -> None:
    """Nobody starts because of a game of the draft."""
    tournament = cup(5, series=series)
    for number in range(1, 3 * series + 1):
        proposal = propose(Index(tournament), A)
        draft = commands.propose_round(tournament, key=f"r{number}", proposal=proposal)
        again = propose(Index(draft), A)
        assert (again.games, again.byes) == (proposal.games, proposal.byes)
        tournament = scored(published(tournament, proposal))


def test_a_series_that_is_won_waits_for_no_result() -> None:
    tournament = cup(2, series=5)
    for score in (WON, LOST, WON, WON):
        tournament = decided(paired(tournament), 1, first=score[0], second=score[1])
    won, lost, *_ = drawn_up(tournament)[0].games
    for game, code in ((lost, "knockout-decided"), (won, "results-missing")):
        index = Index(tournament.drop(tournament.results[game]))
        with pytest.raises(RuleViolation, match=code):
            propose(index, A, source_round=0)
