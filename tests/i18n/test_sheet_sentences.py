"""Tests of sentences about verdicts and forfeits. A verdict names the player, but not the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.model import ChallengeId, GameSide
from tdapp.domain.tables.jury import ResultCheckProgress
from tdapp.domain.verdicts import VerdictCostKind, VerdictWithCost
from tdapp.i18n import Catalogue
from tdapp.i18n.sheet_sentences import (
    describe_challenge_verdict,
    describe_late_forfeit_scores,
    describe_result_check_progress,
)
from tests.building import get_game_at, load_rule_set, make_event, pair_rounds

ENGLISH = Catalogue("en", Path("resources/locale"))


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        (2, "challenge: Li played an invalid word"),
        (None, "challenge: an invalid word was found during the game"),
    ],
)
def test_describe_verdict_names_the_player_of_a_wrong_word(player: int | None, expected: str) -> None:
    verdict = VerdictWithCost(ChallengeId("c"), ("XQBAR",), VerdictCostKind.WORD, -20, player)
    assert describe_challenge_verdict(ENGLISH, verdict, ("Åse", "Li")) == expected


@pytest.mark.parametrize(("rules", "counts"), [("nl-match", False), ("naspa-nwl", True)])
def test_describe_late_forfeit_says_if_it_does_not_count_as_a_start(rules: str, counts: bool) -> None:
    tournament = pair_rounds(make_event(rules=rules), results=False)
    sentence = describe_late_forfeit_scores(
        load_rule_set(rules), tournament.players, get_game_at(tournament, 1), GameSide.FIRST, ENGLISH
    )
    assert ("A forfeit does not count as a start." in sentence) is not counts


@pytest.mark.parametrize(
    ("progress", "expected_text"),
    [(ResultCheckProgress(10, 9, 6, 0), "6 of 9 checked, 1 result still missing"),
     (ResultCheckProgress(10, 0, 0, 0), "10 results still missing")],
)  # fmt: skip
def test_check_progress_counts_only_entered_results(progress: ResultCheckProgress, expected_text: str) -> None:
    assert describe_result_check_progress(ENGLISH, progress) == expected_text
