"""What a verdict on a challenged play means at the table, in words."""

from __future__ import annotations

from tdapp.domain.model import Challenge, Player
from tdapp.domain.ruleset import ChallengeRule, ContestedRule, PaidTo, Per, RuleSet
from tdapp.domain.rulings import WrittenChallenge
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


def about(
    catalogue: Catalogue, challenge: Challenge, challenger: Player | None, edition: str, *, hidden: bool
) -> list[str]:
    """Return what was challenged, by whom, and every verdict on it; `hidden`: without the words."""
    text, code = catalogue.text, catalogue.code
    secret = text("The words are not shown while the judge screen is open.")
    lines = [
        secret if hidden else " · ".join(challenge.words),
        text("Challenged by {name}", name=challenger.name) if challenger is not None else "",
        text("Word list: {name}", name=edition),
        text("Verdict: {said}", said=_by(code(challenge.verdict), challenge.judge)),
    ]
    if challenge.second is not None:
        lines.append(text("Appeal: {said}", said=_by(code(challenge.second), challenge.second_judge)))
    if challenge.joint is not None:
        lines.append(text("After the appeal: {verdict:code}", verdict=challenge.joint))
    return [line for line in lines if line]


def _by(verdict: str, judge: str) -> str:
    return f"{verdict} ({judge})" if judge else verdict


def on_sheet(catalogue: Catalogue, written: WrittenChallenge) -> str:
    """Return whether the score sheet has a challenge as it was decided."""
    text = catalogue.text
    if written.agrees is None:
        return text("The score sheet has several turns that may be meant.")
    if written.agrees:
        return text("The score sheet has it as line {turn}.", turn=written.turn)
    if written.turn is None:
        return text("The score sheet does not have this: enter it there.")
    return text("The score sheet says otherwise: mend its line {turn}.", turn=written.turn)
