"""Rulings on a challenged play: the appeal, and what the final verdict makes of the challenge.

The verdict on a play itself is `tdapp.scrabble.wordlist.of_play`: one for all its words, and it never tells which
of them failed.
"""

from __future__ import annotations

from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Challenge
from tdapp.scrabble.sheet import TurnKind
from tdapp.scrabble.wordlist import Verdict


def on_appeal(first: Verdict, second: Verdict, joint: Verdict | None = None) -> Verdict:
    """Return the final verdict: the two judges' if they agree, else their joint one (no-turneringsreglement 3.11).

    Where one judge alone is there, `second` is the own second verdict, and it is `joint` too. Raises RuleViolation
    while verdicts differ and there is no joint one.
    """
    if first is second:
        return first
    if joint is None:
        raise RuleViolation("joint-verdict-needed")
    return joint


def final_verdict(challenge: Challenge) -> Verdict:
    """Return what a challenge came to, after the appeal if there was one."""
    if challenge.second is None:
        return challenge.verdict
    return on_appeal(challenge.verdict, challenge.second, challenge.joint)


def entry_of(final: Verdict) -> TurnKind:
    """Return what a challenge with this verdict writes on the sheet; raise RuleViolation while it is open."""
    if final is Verdict.NOT_BINDING:
        raise RuleViolation("verdict-open")
    return TurnKind.FAILED_CHALLENGE if final is Verdict.VALID else TurnKind.WITHDRAWN
