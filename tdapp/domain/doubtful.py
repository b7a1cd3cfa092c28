"""The words of a score sheet that a list does not vouch for: the jury's batch check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tdapp.domain.judging import Judged
from tdapp.domain.ruleset import RuleSet, WordRule
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import TurnKind
from tdapp.scrabble.wordlist import Verdict, WordList


def doubtful_words(turns: Iterable[ReplayedTurn], wordlist: WordList, rule: WordRule) -> tuple[Issue, ...]:
    """Return an issue for each such word of each play; `detail` is the word.

    Codes: word-not-in-list, word-not-binding. A play that the jury has ruled on already is told of as well; plays
    taken back are not looked at.
    """
    codes = {Verdict.INVALID: "word-not-in-list", Verdict.NOT_BINDING: "word-not-binding"}
    return tuple(
        Issue(codes[verdict], line.number, detail=word.upper())
        for line in turns
        if line.kind is TurnKind.PLAY
        for word in line.words
        if (verdict := verdict_on(word, wordlist, rule)) in codes
    )


def with_doubtful_words(judged: Judged, wordlist: WordList, rules: RuleSet) -> Judged:
    """Return a judged sheet whose issues tell of its doubtful words too, by turn."""
    issues = (*judged.issues, *doubtful_words(judged.turns, wordlist, rules.words))
    return replace(judged, issues=tuple(sorted(issues, key=lambda issue: (issue.turn is None, issue.turn or 0))))


def verdict_on(word: str, wordlist: WordList, rule: WordRule) -> Verdict:
    """Return a list's verdict; the rule set says how long words may be where the list itself does not."""
    if wordlist.edition.binding_max_length is None and rule.binding is not None and len(word) > rule.binding:
        return Verdict.NOT_BINDING
    return wordlist.verdict(word)
