"""What a verdict on a challenged play means at the table, in words."""

from __future__ import annotations

from tdapp.domain.ruleset import ChallengeRule, ContestedRule, PaidTo, Per, RuleSet
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.wordlist import Verdict


def consequence(catalogue: Catalogue, rules: RuleSet, verdict: Verdict, *, words: int) -> str:
    """Return what follows from a verdict on a play of which `words` words were challenged."""
    if verdict is Verdict.NOT_BINDING:
        return catalogue.text("The word list does not decide on this play: the judge does.")
    if verdict is Verdict.INVALID:
        return _taken_back(catalogue, rules.contested)
    return f"{catalogue.text('The play stands.')} {_price(catalogue, rules.challenge, words)}"


def _taken_back(catalogue: Catalogue, rule: ContestedRule) -> str:
    if rule.known:
        return catalogue.text(
            "The tiles go back and another play is made; {points} points off.", points=rule.points
        )
    return catalogue.text("The tiles go back and the turn is lost.")


def _price(catalogue: Catalogue, rule: ChallengeRule, words: int) -> str:
    points = rule.points * (words if rule.per is Per.WORD else 1)
    if not points:
        return catalogue.text("The challenge costs nothing.")
    if rule.to is PaidTo.OPPONENT:
        return catalogue.text("The player who laid it is credited {points} points.", points=points)
    return catalogue.text("The challenger loses {points} points.", points=points)
