"""Tests of each challenge mode in the books of the world: void, points, double and triple."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.ruleset import ChallengeMode, Outcome, PenaltyUnit, RuleSet
from tests.rulebook.books import (
    judge_sheet_document,
    list_issue_codes,
    load_preset,
    make_play,
    make_sheet,
    make_turn,
)

NSF = load_preset("no-nsf")  # six scoreless turns end a game
WRONG_CHALLENGE = make_turn(2, "failed-challenge", words=3)


def make_rules_with_mode(mode: ChallengeMode, points: int = 5) -> RuleSet:
    return replace(NSF, challenge=replace(NSF.challenge, mode=mode, points=points, per=PenaltyUnit.WORD))


@pytest.mark.parametrize(
    ("mode", "cost"), [(ChallengeMode.POINTS, -15), (ChallengeMode.DOUBLE, 0), (ChallengeMode.TRIPLE, 0)]
)
def test_wrong_challenge_costs_points_only_in_mode_points(mode: ChallengeMode, cost: int) -> None:
    judged_sheet = judge_sheet_document(
        make_rules_with_mode(mode),
        make_sheet([make_play(1, 30), WRONG_CHALLENGE, make_turn(2, "lost-turn"), make_play(1, 20)], ended="out"),
    )
    assert judged_sheet.breakdown[1].challenges == cost


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("lost-turn", []), ("pass", []), ("play", ["turn-not-lost"]), ("exchange", ["turn-not-lost"])],
)
def test_wrong_challenge_in_mode_double_costs_the_next_turn(kind: str, expected: list[str]) -> None:
    next_turn = (
        make_play(2, 20) if kind == "play" else make_turn(2, kind, **({"tiles": 1} if kind == "exchange" else {}))
    )
    judged_sheet = judge_sheet_document(
        make_rules_with_mode(ChallengeMode.DOUBLE),
        make_sheet([make_play(1, 30), WRONG_CHALLENGE, next_turn, make_play(1, 20)], ended="open"),
    )
    assert [code for code in list_issue_codes(judged_sheet) if code == "turn-not-lost"] == expected


def test_lost_turn_needs_a_wrong_challenge_before_it() -> None:
    turns = [make_play(1, 30), WRONG_CHALLENGE, make_turn(2, "lost-turn"), make_play(1, 20)]
    rules = replace(
        make_rules_with_mode(ChallengeMode.DOUBLE), sanctions=replace(NSF.sanctions, named=frozenset())
    )
    assert "lost-turn-not-in-rules" not in list_issue_codes(
        judge_sheet_document(rules, make_sheet(turns, ended="open"))
    )
    assert "lost-turn-not-in-rules" in list_issue_codes(
        judge_sheet_document(rules, make_sheet([make_play(1, 30), *turns[2:]], ended="open"))
    )


def test_lost_turn_is_no_scoreless_turn() -> None:
    passes = [
        make_turn(1, "pass"),
        make_turn(2, "pass"),
        make_turn(1, "pass"),
        make_turn(2, "pass"),
        make_turn(1, "pass"),
    ]
    turns = [make_play(1, 30), WRONG_CHALLENGE, make_turn(2, "lost-turn"), *passes]
    assert "row-incomplete" in list_issue_codes(
        judge_sheet_document(make_rules_with_mode(ChallengeMode.DOUBLE), make_sheet(turns))
    )
    assert "row-incomplete" not in list_issue_codes(
        judge_sheet_document(
            make_rules_with_mode(ChallengeMode.DOUBLE), make_sheet([*turns, make_turn(2, "pass")])
        )
    )


def test_challenge_in_mode_triple_costs_the_game() -> None:
    rules = make_rules_with_mode(ChallengeMode.TRIPLE)
    challenger = judge_sheet_document(
        rules, make_sheet([make_play(1, 30), make_play(2, 90), make_play(1, 2), WRONG_CHALLENGE], ended="open")
    )
    assert challenger.results == (Outcome.WIN, Outcome.LOSS)
    withdrawal = judge_sheet_document(
        rules, make_sheet([make_play(1, 90), make_turn(2, "withdrawn", word="QX")], ended="open")
    )
    assert withdrawal.results == (Outcome.WIN, Outcome.LOSS)
    assert "turn-after-end" in list_issue_codes(
        judge_sheet_document(
            rules, make_sheet([make_play(1, 30), WRONG_CHALLENGE, make_play(2, 20)], ended="open")
        )
    )


def test_withdrawn_play_counts_as_a_lost_challenge() -> None:
    """Unchallenged plays stay. A withdrawn play therefore means a lost challenge, and a lost game."""
    turns = [
        make_play(1, 90),
        make_turn(2, "withdrawn", word="QX"),
        make_play(1, 20),
        make_turn(1, "failed-challenge"),
    ]
    judged_sheet = judge_sheet_document(
        make_rules_with_mode(ChallengeMode.TRIPLE), make_sheet(turns, ended="open")
    )
    assert judged_sheet.results == (Outcome.WIN, Outcome.LOSS)
    assert [issue.turn for issue in judged_sheet.issues if issue.code == "turn-after-end"] == [3]
    for mode in (ChallengeMode.POINTS, ChallengeMode.DOUBLE):
        judged_sheet = judge_sheet_document(make_rules_with_mode(mode), make_sheet(turns[:3], ended="open"))
        assert judged_sheet.results == (None, None)
        assert "challenge-not-in-rules" not in list_issue_codes(judged_sheet)
        assert judged_sheet.breakdown[1].challenges == 0


def test_challenge_is_unknown_in_mode_void() -> None:
    rules = make_rules_with_mode(ChallengeMode.VOID)
    assert "challenge-not-in-rules" in list_issue_codes(
        judge_sheet_document(rules, make_sheet([make_play(1, 30), WRONG_CHALLENGE]))
    )
    assert "challenge-not-in-rules" in list_issue_codes(
        judge_sheet_document(rules, make_sheet([make_turn(1, "withdrawn", word="QX")]))
    )
    assert (
        judge_sheet_document(rules, make_sheet([make_play(1, 30), WRONG_CHALLENGE])).breakdown[1].challenges == 0
    )


def test_first_play_beside_the_star_stays_until_challenged() -> None:
    """NASPA: a challenge removes the play, with valid words too. WESPA has no such rule."""
    play_beside_the_star = [{"player": 1, "kind": "play", "at": "A1", "word": "CAT", "score": 10}]
    assert "centre-not-covered" not in list_issue_codes(
        judge_sheet_document("naspa-nwl", make_sheet(play_beside_the_star, ended="open"))
    )
    assert "centre-not-covered" in list_issue_codes(
        judge_sheet_document("wespa", make_sheet(play_beside_the_star, ended="open"))
    )


def test_passes_in_two_rows_end_a_spanish_game() -> None:
    """The game ends after two passes in a row of both players, or after twelve scoreless turns."""
    start = [make_play(1, 20)]
    passes = [make_turn(player, "pass") for player in (2, 1, 2, 1)]
    assert "row-incomplete" in list_issue_codes(judge_sheet_document("es-file", make_sheet([*start, *passes[:3]])))
    assert "row-incomplete" not in list_issue_codes(judge_sheet_document("es-file", make_sheet([*start, *passes])))
    scoreless_turns: tuple[dict[str, object], ...] = (
        {"kind": "withdrawn", "word": "X"},
        {"kind": "exchange", "tiles": 1},
    )
    mixed_turns = [{"player": 2 - number % 2, **scoreless_turns[number % 2]} for number in range(12)]
    assert "row-incomplete" in list_issue_codes(
        judge_sheet_document("es-file", make_sheet([*start, *mixed_turns[:11]]))
    )
    assert "row-incomplete" not in list_issue_codes(
        judge_sheet_document("es-file", make_sheet([*start, *mixed_turns]))
    )


@pytest.mark.parametrize(
    ("name", "mode"), [("naspa-nwl", ChallengeMode.DOUBLE), ("naspa-collins", ChallengeMode.POINTS)]
)
def test_challenge_modes_of_the_presets(name: str, mode: ChallengeMode) -> None:
    assert load_preset(name).challenge.mode is mode


@pytest.mark.parametrize(
    ("rules", "kind", "expected"),
    [
        ("nl-match", "withdrawn", ["withdrawn-not-in-rules"]),  # III.10: another play replaces it
        ("nl-points", "withdrawn", ["withdrawn-not-in-rules"]),
        ("nl-match", "lost-turn", ["lost-turn-not-in-rules"]),  # V.1 names no such sanction
        ("no-nsf", "withdrawn", []),
        ("no-nsf", "lost-turn", []),
        ("be-brailleliga", "withdrawn", []),
        ("de-scrabble", "lost-turn", []),
    ],
)
def test_lost_turn_is_an_issue_in_books_without_the_rule(rules: str, kind: str, expected: list[str]) -> None:
    turn_without_play = make_turn(2, kind, **({"word": "QX"} if kind == "withdrawn" else {}))
    issue_codes = list_issue_codes(
        judge_sheet_document(
            load_preset(rules), make_sheet([make_play(1, 30), turn_without_play, make_play(1, 20)], ended="open")
        )
    )
    assert [code for code in issue_codes if code.endswith("not-in-rules")] == expected
