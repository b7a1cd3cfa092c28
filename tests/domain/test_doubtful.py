"""Tests of doubtful words: the check of a sheet against a word list."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.jury_rows import Challenge
from tdapp.domain.model import ChallengeId, DivisionId
from tdapp.domain.ruleset import WordListScopeRule
from tdapp.domain.rulings import (
    add_doubtful_word_issues,
    find_final_verdict,
    judge_word,
    list_doubtful_word_issues,
)
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import TurnKind
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import load_rule_set
from tests.domain.word_list import Words
from tests.rulebook.books import judge_totals

LONG = "A" * 14


def make_line(number: int, *words: str, kind: TurnKind = TurnKind.PLAY) -> ReplayedTurn:
    return ReplayedTurn(
        number=number,
        player=1,
        kind=kind,
        score=0,
        stated=None,
        total=0,
        words=words,
        play=None,
        bag=None,
        issues=(),
    )


def test_find_doubtful_words_names_the_turn() -> None:
    turns = (
        make_line(1, "TAART"),
        make_line(2, kind=TurnKind.PASS),
        make_line(3, "XYZ", "TAART", "qQ"),
        make_line(4, "FOUT", kind=TurnKind.WITHDRAWN),
        make_line(5, LONG),
        make_line(6, "XYZ"),
    )
    assert list_doubtful_word_issues(turns, Words("TAART", binding=13), WordListScopeRule()) == (
        SheetIssue("word-not-in-list", 3, detail="XYZ"),
        SheetIssue("word-not-in-list", 3, detail="QQ"),
        SheetIssue("word-not-binding", 5, detail=LONG),
        SheetIssue("word-not-in-list", 6, detail="XYZ"),
    )


@pytest.mark.parametrize(
    ("list_length", "rules_length", "verdict"),
    [
        (None, None, WordVerdict.INVALID),
        (None, 13, WordVerdict.NOT_BINDING),
        (15, 13, WordVerdict.INVALID),
        (13, None, WordVerdict.NOT_BINDING),
    ],
)
def test_judge_word_prefers_the_word_length_of_the_list(
    list_length: int | None, rules_length: int | None, verdict: WordVerdict
) -> None:
    assert (
        judge_word(LONG, Words("TAART", binding=list_length), WordListScopeRule(binding=rules_length)) is verdict
    )


def test_add_doubtful_word_issues_sorts_with_other_issues() -> None:
    rules = load_rule_set("no-nsf")
    judged_sheet = replace(
        judge_totals(rules, 300, 200),
        turns=(make_line(2, "XYZ"), make_line(4, LONG)),
        issues=(SheetIssue("total-missing", 3), SheetIssue("rack-missing"), SheetIssue("total-missing", 2)),
    )
    extended_sheet = add_doubtful_word_issues(
        judged_sheet, Words("TAART"), replace(rules, words=WordListScopeRule(binding=13))
    )
    assert [(issue.code, issue.turn) for issue in extended_sheet.issues] == [
        ("total-missing", 2),
        ("word-not-in-list", 2),
        ("total-missing", 3),
        ("word-not-binding", 4),
        ("rack-missing", None),
    ]


@pytest.mark.parametrize(
    ("second", "joint", "final"),
    [
        (None, None, WordVerdict.INVALID),
        (WordVerdict.INVALID, None, WordVerdict.INVALID),
        (WordVerdict.VALID, WordVerdict.VALID, WordVerdict.VALID),
        (WordVerdict.NOT_BINDING, WordVerdict.VALID, WordVerdict.VALID),
        (WordVerdict.VALID, WordVerdict.NOT_BINDING, WordVerdict.NOT_BINDING),
    ],
)
def test_find_final_verdict_uses_the_joint_verdict(
    second: WordVerdict | None, joint: WordVerdict | None, final: WordVerdict
) -> None:
    challenge = Challenge(ChallengeId("c"), DivisionId("d"), "", ("FOUT",), "few", WordVerdict.INVALID)
    assert find_final_verdict(replace(challenge, second=second, joint=joint)) is final
    with pytest.raises(CommandError, match="joint-verdict-needed"):
        find_final_verdict(replace(challenge, second=WordVerdict.VALID))
