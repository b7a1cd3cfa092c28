"""Tests of the sentences about verdicts of the judge screen. They name the player, but not the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.model import ChallengeId
from tdapp.domain.verdicts import CostKind, GameVerdict
from tdapp.i18n import Catalogue
from tdapp.i18n.sheet_sentences import describe_challenge_verdict


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        (2, "challenge: a wrong word by Li during the game"),
        (None, "challenge: a wrong word was found during the game"),
    ],
)
def test_describe_verdict_names_the_player_of_a_wrong_word(player: int | None, expected: str) -> None:
    verdict = GameVerdict(ChallengeId("c"), ("XQBAR",), CostKind.WORD, -20, player)
    assert (
        describe_challenge_verdict(Catalogue("en", Path("resources/locale")), verdict, ("Åse", "Li")) == expected
    )
