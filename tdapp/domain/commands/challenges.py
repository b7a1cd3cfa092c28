"""Commands on challenges: a judge's verdict on a play, the appeal, and taking an entry off the log."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import HIGHEST_TABLE, LAST_ROUND, command, found, required, text, within
from tdapp.domain.errors import RuleViolation
from tdapp.domain.mark import N_
from tdapp.domain.model import Challenge, ChallengeId, DivisionId, PlayerId
from tdapp.domain.rulings import on_appeal
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.wordlist import Verdict

MOST_WORDS = 8  # a main word and seven across it


@command(N_("Challenge: {verdict:code}"))
def record_challenge(  # noqa: PLR0913 - a ruling's fields
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    at: str,
    words: tuple[str, ...],
    verdict: Verdict,
    edition: str,
    judge: str = "",
    round_number: int | None = None,
    table: int | None = None,
    challenger: PlayerId | None = None,
) -> Tournament:
    """Note a verdict on a challenged play; `at` is UTC in ISO 8601, `edition` the word list that was asked."""
    found(tournament.divisions, division, "no-such-division")
    within(len(words), "words", low=1, high=MOST_WORDS)
    if round_number is not None:
        within(round_number, "round", low=1, high=LAST_ROUND)
    if table is not None:
        within(table, "table", low=1, high=HIGHEST_TABLE)
    if challenger is not None:
        found(tournament.players, challenger, "no-such-player")
    row = Challenge(
        ChallengeId(key),
        division,
        text(at, "at"),
        tuple(required(word, "words") for word in words),
        text(edition, "edition"),
        verdict,
        text(judge, "judge"),
        round_number,
        table,
        challenger,
    )
    return tournament.put(row)


@command(N_("Appeal: {second:code}"))
def appeal_challenge(
    tournament: Tournament,
    *,
    challenge: ChallengeId,
    second: Verdict,
    judge: str = "",
    joint: Verdict | None = None,
) -> Tournament:
    """Note the second verdict, and where the two differ the joint one (no-turneringsreglement 3.11).

    Raises RuleViolation where the rules know no appeal, and while a joint verdict is missing.
    """
    row = found(tournament.challenges, challenge, "no-such-challenge")
    if not tournament.ruleset.judges.appeal:
        raise RuleViolation("no-appeal-in-rules")
    on_appeal(row.verdict, second, joint)
    if row.verdict is second:
        joint = None
    return tournament.put(replace(row, second=second, second_judge=text(judge, "judge"), joint=joint))


@command(N_("Challenge taken off the log"))
def remove_challenge(tournament: Tournament, *, challenge: ChallengeId) -> Tournament:
    """Take a challenge off the log: it was typed by mistake."""
    return tournament.drop(found(tournament.challenges, challenge, "no-such-challenge"))
