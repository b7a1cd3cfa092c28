"""Pinned texts of random sheets, draws and clocks under five rule sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain.judging import compute_peg_rack_holes, is_scoreless_turn, judge_sheet
from tdapp.domain.round_clock import compute_lateness_consequences, find_starter_by_tile_draws
from tdapp.domain.ruleset import (
    KnockoutTieResolution,
    KnockoutTieRule,
    OvertimeKind,
    PenaltyUnit,
    RackPointsReceiver,
    RuleSet,
    SanctionPointsSource,
    TurnsThatCanEndGame,
)
from tdapp.domain.rulings import list_doubtful_word_issues
from tdapp.domain.score_breakdown import (
    compute_player_outcomes,
    infer_overtime_seconds,
    move_overtime_events_to_sheet,
)
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind
from tdapp.scrabble.replay import ReplayRules, replay_sheet
from tdapp.scrabble.sheet import Ruling, SanctionKind, Sheet, Turn, TurnKind, parse_sheet
from tests.building import load_rule_set
from tests.domain.word_list import Words
from tests.pinned import format_outcome, format_value, read_pinned_lines
from tests.rulebook.books import (
    judge_sheet_document,
    list_issue_codes,
    load_tile_set,
    make_play,
    make_sheet,
    make_turn,
)

BOOKS = ("nl-match", "nl-points", "no-nsf", "de-scrabble", "be-brailleliga")
ENDS = ("out", "passes", "blocked", "flag", "time", "overtime", "open", "forfeit", None)
SANCTION_KINDS = [kind for kind in SanctionKind if kind is not SanctionKind.TEAM]
TURN_KINDS = ("play",) * 6 + ("pass", "pass", "exchange", "withdrawn", "lost-turn", "failed-challenge")


def make_document(rng: Random, players: int) -> dict[str, Any]:
    """Return a random sheet of scores with sanctions, racks, clocks and totals."""
    totals, turns, player = [0] * players, [], 0
    for _ in range(rng.randint(2, 10)):
        kind = rng.choice(TURN_KINDS)
        line: dict[str, Any] = {"player": player + 1, "kind": kind}
        if kind == "play":
            line |= {"word": "WOORD", "score": rng.randint(5, 60)}
            phony = {"ruling": "phony", "wrong_words": rng.randint(1, 2)}
            line |= rng.choice([{}, {}, phony, {"contested": "FOUT"}])
        elif kind == "failed-challenge":
            line |= {"words": rng.randint(1, 2)} | rng.choice([{}, {"score": -5}, {"score": -10}, {"score": 0}])
        totals[player] += line.get("score", 0)
        if rng.random() < 0.6:
            line["total"] = totals[player] - rng.choice([0, 0, 0, 5, 10])
        turns.append(line)
        player = player if kind == "failed-challenge" else (player + 1) % players
    ended = rng.choice(ENDS)
    document: dict[str, Any] = {"players": list("ABCD"[:players]), "turns": turns, "first": 1}
    document |= {"ended": ended, "knockout": rng.random() < 0.5}
    overtime = rng.choice([[0, 0], [0, 0], [60, 61], [0, 300], [301, 0], [400, 301]])
    document["overtime_seconds"] = [*overtime, 0, 0][:players]
    if rng.random() < 0.8:
        values = [rng.choice([0, 3, 8]) for _ in range(players)]
        document |= (
            {"rack_values": values}
            if rng.random() < 0.6
            else {"racks": ["" if not value else "EEE" for value in values]}
        )
    kinds = [rng.choice(SANCTION_KINDS).value for _ in range(rng.choice([0, 0, 1, 2]))]
    document["sanctions"] = [{"player": rng.randint(1, players), "kind": kind, "points": 15} for kind in kinds]
    if ended == "flag" and rng.random() < 0.8:
        document["flag"] = rng.randint(1, players)
    if ended == "forfeit":
        document |= {"turns": [], "forfeit": rng.choice([1, 2, "both"])}
    return document


def list_rule_variants(name: str) -> Iterator[RuleSet]:
    """Yield a rule book and three variants."""
    rules = load_rule_set(name)
    yield rules
    rules_of_four = replace(rules, most_players=4)
    doubled_rules = replace(rules.racks, out=RackPointsReceiver.DOUBLE)
    yield replace(rules_of_four, racks=doubled_rules, knockout=KnockoutTieRule(KnockoutTieResolution.REPLIER))
    yield replace(
        rules_of_four,
        contested=replace(rules.contested, known=not rules.contested.known),
        phony=replace(rules.phony, ruled=not rules.phony.ruled, per=PenaltyUnit.WORD),
        sanctions=replace(rules.sanctions, points_from=SanctionPointsSource.TOURNAMENT),
    )
    yield replace(
        rules_of_four,
        overtime=replace(rules.overtime, kind=OvertimeKind.MINUTES, points=7, limit=300, penalty=50, margin=100),
        ending=replace(rules.ending, row=replace(rules.ending.row, kind=TurnsThatCanEndGame.SCORELESS)),
        recount=replace(rules.recount, difference=20),
    )


def list_judgements(name: str) -> Iterator[str]:
    rng = Random(name)
    for number, rules in enumerate(list_rule_variants(name)):
        for _ in range(10 if number else 24):
            sheet_document = make_document(rng, 2 if number == 0 else rng.choice([2, 2, 2, 3, 4]))
            yield format_value(parse_sheet(sheet_document))
            yield f"  => {judge_document(sheet_document, rules)}"


def judge_document(sheet_document: dict[str, Any], rules: RuleSet) -> str:
    return format_outcome(
        lambda: replace(judge_sheet(parse_sheet(sheet_document), rules, load_tile_set(rules.tileset)), turns=())
    )


@pytest.mark.parametrize("name", BOOKS)
def test_judge_sheet_equals_the_pinned_text(name: str) -> None:
    actual, expected = read_pinned_lines(__file__, f"sheets-{name}", list_judgements(name))
    assert actual == expected


def parse_plain_sheet(**fields: Any) -> Sheet:
    return parse_sheet({"players": ["a", "b"], "turns": [], **fields})


def list_small_rules() -> Iterator[str]:
    for name in BOOKS:
        rules = load_rule_set(name)
        for kind in TurnKind:
            for turn_row in (Turn(1, kind), Turn(1, kind, ruling=Ruling.PHONY)):
                yield f"{name} row {format_value(turn_row)} {is_scoreless_turn(turn_row, rules.ending.row, rules)}"
        total_seconds = 60 * (rules.clock.minutes or 25)
        clocks = [0, 1, 59, 60, 61, 60 * 25, total_seconds - 1, total_seconds]
        clocks += [total_seconds - 60 * rules.late.give_up + step for step in (-1, 0, 1)]
        yield f"{name} late {format_outcome(partial(compute_lateness_consequences, rules, *clocks, 9999))}"
        for points in (-30, -20, -15, -10, -5, -1, 0, 10):
            yield f"{name} overtime {points} {infer_overtime_seconds(rules.overtime, points)}"
        for deductions in ((-10, 0), (-10, -10), (-20, -5), (-50, 0), (-60, 0), (0, 0)):
            events = [
                GcgEvent(player_number, GcgEventKind.TIME, deduction)
                for player_number, deduction in enumerate(deductions, 1)
            ]
            events.append(GcgEvent(1, GcgEventKind.CHALLENGE, -10))
            clocked_sheet = move_overtime_events_to_sheet(parse_plain_sheet(), events, rules)
            yield f"{name} clocked {deductions} {format_value(clocked_sheet)}"


def test_small_rules_equal_the_pinned_text() -> None:
    actual, expected = read_pinned_lines(__file__, "small-rules", list_small_rules())
    assert actual == expected


DRAWS: tuple[tuple[dict[int, str], ...], ...] = (
    (), ({1: "A"},), ({1: "A", 2: "B"},), ({1: "B", 2: "A"},), ({1: "A", 2: "A"},), ({1: "?", 2: "A"},),
    ({1: "?", 2: "?"},), ({2: "A", 1: "A", 3: "B"},), ({1: "A", 2: "B", 3: "B"},),
    ({1: "A", 2: "A", 3: "B"}, {1: "C", 2: "D"}),
    ({1: "A", 2: "A", 3: "B"}, {3: "A", 1: "C", 2: "D"}), ({1: "A", 2: "B"}, {1: "A", 2: "B"}),
    ({1: "A", 2: "A"}, {2: "E", 1: "E"}, {1: "N", 2: "M"}), ({1: "7", 2: "A"},), ({1: "Z", 2: "Z", 3: "Z"},),
    ({1: "a", 2: "B"},), ({1: "?", 2: "B"}, {1: "?", 2: "?"}), ({1: "X", 2: "X"}, {1: "X", 2: "Y"}),
)  # fmt: skip


def test_decide_outcomes_of_draws_equals_the_pinned_text() -> None:
    rows = []
    for name in BOOKS:
        rules = load_rule_set(name)
        for draws in DRAWS:
            outcome = format_outcome(
                partial(find_starter_by_tile_draws, rules, load_tile_set(rules.tileset), draws)
            )
            rows.append(f"{name} {draws} {outcome}")
    actual, expected = read_pinned_lines(__file__, "draws", rows)
    assert actual == expected


@pytest.mark.parametrize(
    ("scores", "losers", "replier", "expected"),
    [
        ((400, 300), (), None, "win loss"),
        ((300, 400), (), 0, "loss win"),
        ((400, 400), (), None, "draw draw"),
        ((400, 400), (), 0, "win loss"),
        ((400, 400), (), 1, "loss win"),
        ((400, 400), (0,), 0, "loss win"),
        ((400, 300), (0,), None, "loss win"),
        ((400, 300), (0, 1), None, "loss loss"),
        ((400, 400, 400), (1,), None, "draw loss draw"),
        ((-1, -2), (), None, "win loss"),
        ((0, 0, -1), (), 2, "draw draw loss"),
    ],
)
def test_decide_outcomes_of_scores(
    scores: tuple[int, ...], losers: tuple[int, ...], replier: int | None, expected: str
) -> None:
    assert " ".join(compute_player_outcomes(scores, losers=losers, replier=replier)) == expected


@pytest.mark.parametrize(
    ("score", "row", "holes"),
    [(0, 50, (0, 0)), (49, 50, (0, 49)), (50, 50, (1, 0)), (151, 50, (3, 1)), (7, 1, (7, 0))],
)
def test_compute_peg_holes_of_scores(score: int, row: int, holes: tuple[int, int]) -> None:
    assert compute_peg_rack_holes(score, row) == holes


def test_compute_peg_holes_refuses_negative_scores() -> None:
    with pytest.raises(ValueError, match="no holes for -1"):
        compute_peg_rack_holes(-1, 50)


@pytest.mark.parametrize(
    ("rules_length", "list_length", "expected_issues"),
    [
        (None, None, "word-not-in-list 1 FOUT, word-not-in-list 3 FOUTEN"),
        (None, 4, "word-not-in-list 1 FOUT, word-not-binding 3 FOUTEN"),
        (None, 3, "word-not-binding 1 FOUT, word-not-binding 2 GOED, word-not-binding 3 FOUTEN"),
        (9, 3, "word-not-in-list 1 FOUT, word-not-in-list 3 FOUTEN"),
    ],
)
def test_find_doubtful_words_by_word_length(
    rules_length: int | None, list_length: int | None, expected_issues: str
) -> None:
    turns = [
        make_play(1, 1, "FOUT"),
        make_play(2, 1, "GOED"),
        make_play(1, 1, "FOUTEN"),
        make_turn(2, "withdrawn", word="FOUT"),
    ]
    lines = replay_sheet(parse_plain_sheet(turns=turns), load_tile_set("nl"), ReplayRules()).lines
    rule = replace(load_rule_set("nl-match").words, binding=list_length)
    issues = list_doubtful_word_issues(lines, Words("GOED", binding=rules_length), rule)
    assert ", ".join(f"{issue.code} {issue.turn} {issue.detail}" for issue in issues) == expected_issues


@pytest.mark.parametrize("made_before", [0, 5, 10, 20])
@pytest.mark.parametrize("correction", [-1, 0, 1])
def test_judge_sheet_total_with_a_failed_challenge(made_before: int, correction: int) -> None:
    cost = -load_rule_set("no-nsf").challenge.points
    turns = [make_play(1, 9), make_play(2, made_before), make_play(1, 9), make_turn(2, "failed-challenge")]
    document = make_sheet([*turns, make_turn(2, "pass", total=made_before + cost + correction)], ended="open")
    issues = [
        code for code in list_issue_codes(judge_sheet_document("no-nsf", document)) if code == "total-differs"
    ]
    assert issues == (["total-differs"] if correction else [])


def test_judge_sheet_score_with_a_failed_challenge() -> None:
    cost = -load_rule_set("no-nsf").challenge.points
    turns = [make_play(1, 9), make_turn(2, "failed-challenge"), make_turn(2, "pass", score=cost)]
    assert list_issue_codes(judge_sheet_document("no-nsf", make_sheet(turns, ended="open"))) == ["score-differs"]
