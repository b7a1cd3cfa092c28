"""Every mode of challenge of the world's books: void, points, double, triple."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.ruleset import ChallengeMode, Outcome, PenaltyUnit, RuleSet
from tests.rulebook.books import codes, judged, play, preset, sheet, turn

NSF = preset("no-nsf")  # six scoreless turns end a game
WRONG = turn(2, "failed-challenge", words=3)


def under(mode: ChallengeMode, points: int = 5) -> RuleSet:
    return replace(NSF, challenge=replace(NSF.challenge, mode=mode, points=points, per=PenaltyUnit.WORD))


@pytest.mark.parametrize(
    ("mode", "cost"), [(ChallengeMode.POINTS, -15), (ChallengeMode.DOUBLE, 0), (ChallengeMode.TRIPLE, 0)]
)
def test_wrong_challenge_costs_points_only_in_mode_points(mode: ChallengeMode, cost: int) -> None:
    found = judged(under(mode), sheet([play(1, 30), WRONG, turn(2, "lost-turn"), play(1, 20)], ended="out"))
    assert found.breakdown[1].challenges == cost


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("lost-turn", []), ("pass", []), ("play", ["turn-not-lost"]), ("exchange", ["turn-not-lost"])],
)
def test_wrong_challenge_in_mode_double_costs_the_next_turn(kind: str, expected: list[str]) -> None:
    after = play(2, 20) if kind == "play" else turn(2, kind, **({"tiles": 1} if kind == "exchange" else {}))
    found = judged(under(ChallengeMode.DOUBLE), sheet([play(1, 30), WRONG, after, play(1, 20)], ended="open"))
    assert [code for code in codes(found) if code == "turn-not-lost"] == expected


def test_lost_turn_needs_a_wrong_challenge_before_it() -> None:
    lost = [play(1, 30), WRONG, turn(2, "lost-turn"), play(1, 20)]
    rules = replace(under(ChallengeMode.DOUBLE), sanctions=replace(NSF.sanctions, named=frozenset()))
    assert "lost-turn-not-in-rules" not in codes(judged(rules, sheet(lost, ended="open")))
    assert "lost-turn-not-in-rules" in codes(judged(rules, sheet([play(1, 30), *lost[2:]], ended="open")))


def test_lost_turn_is_no_scoreless_turn() -> None:
    row = [turn(1, "pass"), turn(2, "pass"), turn(1, "pass"), turn(2, "pass"), turn(1, "pass")]
    lost = [play(1, 30), WRONG, turn(2, "lost-turn"), *row]
    assert "row-incomplete" in codes(judged(under(ChallengeMode.DOUBLE), sheet(lost)))
    assert "row-incomplete" not in codes(judged(under(ChallengeMode.DOUBLE), sheet([*lost, turn(2, "pass")])))


def test_challenge_in_mode_triple_costs_the_game() -> None:
    rules = under(ChallengeMode.TRIPLE)
    challenger = judged(rules, sheet([play(1, 30), play(2, 90), play(1, 2), WRONG], ended="open"))
    assert challenger.results == (Outcome.WIN, Outcome.LOSS)
    phony = judged(rules, sheet([play(1, 90), turn(2, "withdrawn", word="QX")], ended="open"))
    assert phony.results == (Outcome.WIN, Outcome.LOSS)
    assert "turn-after-end" in codes(judged(rules, sheet([play(1, 30), WRONG, play(2, 20)], ended="open")))


def test_withdrawn_play_counts_as_a_lost_challenge() -> None:
    """A play that no challenges stays; so who takes one back has lost the challenge, and with it the game."""
    lines = [play(1, 90), turn(2, "withdrawn", word="QX"), play(1, 20), turn(1, "failed-challenge")]
    found = judged(under(ChallengeMode.TRIPLE), sheet(lines, ended="open"))
    assert found.results == (Outcome.WIN, Outcome.LOSS)
    assert [issue.turn for issue in found.issues if issue.code == "turn-after-end"] == [3]
    for mode in (ChallengeMode.POINTS, ChallengeMode.DOUBLE):
        found = judged(under(mode), sheet(lines[:3], ended="open"))
        assert found.results == (None, None)
        assert "challenge-not-in-rules" not in codes(found)
        assert found.breakdown[1].challenges == 0


def test_challenge_is_unknown_in_mode_void() -> None:
    rules = under(ChallengeMode.VOID)
    assert "challenge-not-in-rules" in codes(judged(rules, sheet([play(1, 30), WRONG])))
    assert "challenge-not-in-rules" in codes(judged(rules, sheet([turn(1, "withdrawn", word="QX")])))
    assert judged(rules, sheet([play(1, 30), WRONG])).breakdown[1].challenges == 0


def test_first_play_beside_the_star_stays_until_challenged() -> None:
    """NASPA: it may be taken off on challenge, whatever its words; WESPA knows no such thing."""
    beside = [{"player": 1, "kind": "play", "at": "A1", "word": "CAT", "score": 10}]
    assert "centre-not-covered" not in codes(judged("naspa-nwl", sheet(beside, ended="open")))
    assert "centre-not-covered" in codes(judged("wespa", sheet(beside, ended="open")))


def test_passes_in_two_rows_end_a_spanish_game() -> None:
    """Both players have passed twice in a row, or twelve passes, exchanges or invalid plays follow each other."""
    start = [play(1, 20)]
    passes = [turn(player, "pass") for player in (2, 1, 2, 1)]
    assert "row-incomplete" in codes(judged("es-file", sheet([*start, *passes[:3]])))
    assert "row-incomplete" not in codes(judged("es-file", sheet([*start, *passes])))
    idle: tuple[dict[str, object], ...] = ({"kind": "withdrawn", "word": "X"}, {"kind": "exchange", "tiles": 1})
    mixed = [{"player": 2 - number % 2, **idle[number % 2]} for number in range(12)]
    assert "row-incomplete" in codes(judged("es-file", sheet([*start, *mixed[:11]])))
    assert "row-incomplete" not in codes(judged("es-file", sheet([*start, *mixed])))


@pytest.mark.parametrize(
    ("name", "mode"), [("naspa-nwl", ChallengeMode.DOUBLE), ("naspa-collins", ChallengeMode.POINTS)]
)
def test_challenge_modes_of_the_presets(name: str, mode: ChallengeMode) -> None:
    assert preset(name).challenge.mode is mode


@pytest.mark.parametrize(
    ("rules", "kind", "expected"),
    [
        ("nl-match", "withdrawn", ["withdrawn-not-in-rules"]),  # III.10: replaced by another
        ("nl-points", "withdrawn", ["withdrawn-not-in-rules"]),
        ("nl-match", "lost-turn", ["lost-turn-not-in-rules"]),  # V.1 names no such sanction
        ("no-nsf", "withdrawn", []),
        ("no-nsf", "lost-turn", []),
        ("be-brailleliga", "withdrawn", []),
        ("de-scrabble", "lost-turn", []),
    ],
)
def test_lost_turn_is_an_issue_if_the_book_knows_none(rules: str, kind: str, expected: list[str]) -> None:
    lost = turn(2, kind, **({"word": "QX"} if kind == "withdrawn" else {}))
    found = codes(judged(preset(rules), sheet([play(1, 30), lost, play(1, 20)], ended="open")))
    assert [code for code in found if code.endswith("not-in-rules")] == expected
