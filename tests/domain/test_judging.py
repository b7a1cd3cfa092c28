"""Property tests of judging with any sheet and rule set. The examples of the books are in tests/rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.judging import JudgedSheet, list_form_differences_as_issues, make_issue_facts
from tdapp.domain.round_clock import compute_lateness_consequences
from tdapp.domain.ruleset import (
    KnockoutTieResolution,
    KnockoutTieRule,
    Outcome,
    OvertimeKind,
    OvertimeRule,
    RackPointsReceiver,
    RuleSet,
)
from tdapp.domain.score_breakdown import compute_player_outcomes, compute_rack_adjustments, infer_overtime_seconds
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.sheet import GameEnding, SanctionKind, SheetField, TurnKind, parse_sheet
from tests.building import load_rule_set
from tests.rulebook.books import (
    judge_sheet_document,
    judge_totals,
    list_issue_codes,
    load_tile_set,
    make_play,
    make_sheet,
    make_turn,
)

PRESETS = ("nl-match", "nl-points", "no-nsf", "de-scrabble", "be-brailleliga")
RULES = {name: load_rule_set(name) for name in PRESETS}
ENDS = ("out", "passes", "blocked", "flag", "time", "open")
NOT_PLAYS = ("pass", "exchange", "withdrawn", "lost-turn", "failed-challenge")
SANCTIONS = ("warning", "points", "time", "turn", "game", "margin", "disqualified")

plays = st.builds(
    lambda score, extra_points: ("play", {"word": "WOORD", "score": score, **extra_points}),
    st.integers(0, 200),
    st.sampled_from([{}, {}, {"ruling": "phony", "wrong_words": 2}, {"contested": "FOUT"}]),
)
other_turns = st.sampled_from(NOT_PLAYS).map(
    lambda kind: (kind, {"words": 2} if kind == "failed-challenge" else {})
)
sanctions = st.builds(
    lambda player, kind, points: {"player": player, "kind": kind, "points": points},
    st.integers(1, 2),
    st.sampled_from(SANCTIONS),
    st.integers(0, 60),
)


@st.composite
def draw_sheet(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a sheet of two players in turn, with all fields except words."""
    first = draw(st.integers(1, 2))
    player, turns = first, []
    for kind, fields in draw(st.lists(st.one_of(plays, other_turns), max_size=12)):
        turns.append(make_turn(player, kind, **fields))
        player = player if kind == "failed-challenge" else 3 - player
    ended = draw(st.sampled_from(ENDS))
    document = make_sheet(turns, ended=ended, first=first, knockout=draw(st.booleans()))
    document["rack_values"] = draw(st.sampled_from([[0, 7], [9, 0], [3, 4], [0, 0]]))
    document["overtime_seconds"] = draw(st.sampled_from([[0, 0], [75, 0], [60, 300], [0, 301], [301, 59]]))
    document["sanctions"] = draw(st.lists(sanctions, max_size=3))
    if ended == "flag":
        document["flag"] = draw(st.integers(1, 2))
    return document


def mirror_sheet(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sheet with swapped players."""

    def mirror_row(row: Mapping[str, Any]) -> dict[str, Any]:
        return {**row, "player": 3 - row["player"]}

    return {
        **document,
        **{key: list(reversed(document[key])) for key in ("players", "rack_values", "overtime_seconds")},
        **{key: [mirror_row(row) for row in document[key]] for key in ("turns", "sanctions")},
        **{key: 3 - document[key] for key in ("first", "flag") if key in document},
    }


rule_sets = st.sampled_from(PRESETS).map(RULES.__getitem__)


@given(rule_sets, draw_sheet())
def test_judge_sheet_breakdown_sums_to_the_scores(rules: RuleSet, document: dict[str, Any]) -> None:
    judged_sheet = judge_sheet_document(rules, document)
    assert len(judged_sheet.breakdown) == len(document["players"])
    for player, (part, score) in enumerate(zip(judged_sheet.breakdown, judged_sheet.scores, strict=True), 1):
        columns = part.turns, part.phonies, part.racks, part.overtime, part.challenges, part.sanctions
        assert sum(columns) == score
        stated_scores = [
            item["score"] for item in document["turns"] if item["player"] == player and "score" in item
        ]
        assert (
            part.turns
            == sum(stated_scores)
            == sum(line.score for line in judged_sheet.turns if line.player == player)
        )
        assert max(part.phonies, part.overtime, part.sanctions) <= 0


@given(rule_sets, draw_sheet())
def test_judge_sheet_of_swapped_players_mirrors_the_result(rules: RuleSet, document: dict[str, Any]) -> None:
    judged_sheet, mirrored_sheet = (
        judge_sheet_document(rules, document),
        judge_sheet_document(rules, mirror_sheet(document)),
    )
    assert judged_sheet.breakdown == tuple(reversed(mirrored_sheet.breakdown))
    assert judged_sheet.results == tuple(reversed(mirrored_sheet.results))
    assert judged_sheet.spreads == tuple(reversed(mirrored_sheet.spreads))
    assert judged_sheet.match_points == tuple(reversed(mirrored_sheet.match_points))
    assert (judged_sheet.rated, judged_sheet.recount_right, sorted(list_issue_codes(judged_sheet))) == (
        mirrored_sheet.rated,
        mirrored_sheet.recount_right,
        sorted(list_issue_codes(mirrored_sheet)),
    )


@given(rule_sets, draw_sheet())
def test_judge_sheet_result_fits_the_scores(rules: RuleSet, document: dict[str, Any]) -> None:
    judged_sheet = judge_sheet_document(rules, document)
    if document["ended"] == "open":
        assert (judged_sheet.results, judged_sheet.match_points, judged_sheet.rated) == (
            (None, None),
            (None, None),
            False,
        )
        return
    assert judged_sheet.results in {
        (Outcome.WIN, Outcome.LOSS),
        (Outcome.LOSS, Outcome.WIN),
        (Outcome.DRAW, Outcome.DRAW),
        (Outcome.LOSS, Outcome.LOSS),
    }
    is_decided_by_clock = document["ended"] == "flag" or max(document["overtime_seconds"]) > 300
    if not is_decided_by_clock and not any(
        item["kind"] in {"game", "disqualified"} for item in document["sanctions"]
    ):
        lead = judged_sheet.scores[0] - judged_sheet.scores[1]
        if lead:
            assert judged_sheet.results[0] is (Outcome.WIN if lead > 0 else Outcome.LOSS)
        elif not document["knockout"]:
            assert judged_sheet.results == (Outcome.DRAW, Outcome.DRAW)


@given(rule_sets, draw_sheet())
def test_judge_sheet_ruling_keeps_turns_of_others(rules: RuleSet, document: dict[str, Any]) -> None:
    """The score of each turn also stays, because penalties have their own column."""
    sheet_without_rulings = [
        {key: value for key, value in item.items() if key != "ruling"} for item in document["turns"]
    ]
    with_rulings, scores_without_rulings = (
        judge_sheet_document(rules, document),
        judge_sheet_document(rules, {**document, "turns": sheet_without_rulings}),
    )
    assert [line.score for line in with_rulings.turns] == [line.score for line in scores_without_rulings.turns]
    assert [part.racks for part in with_rulings.breakdown] == [
        part.racks for part in scores_without_rulings.breakdown
    ]


@given(st.lists(st.integers(0, 60), min_size=2, max_size=4), st.data())
def test_adjust_for_racks_transfers_without_loss(values: list[int], data: st.DataObject) -> None:
    finisher = data.draw(st.integers(0, len(values) - 1))
    values[finisher] = 0
    assert sum(compute_rack_adjustments(RackPointsReceiver.TRANSFER, values, finisher=finisher)) == 0
    assert sum(compute_rack_adjustments(RackPointsReceiver.DOUBLE, values, finisher=finisher)) == 2 * sum(values)
    assert sum(compute_rack_adjustments(RackPointsReceiver.OWN, values, finisher=finisher)) == -sum(values)
    if len(values) == 2:
        single, double = (
            compute_rack_adjustments(rule, values, finisher=finisher)
            for rule in (RackPointsReceiver.TRANSFER, RackPointsReceiver.DOUBLE)
        )
        assert single[0] - single[1] == double[0] - double[1]


@given(st.integers(-200, 600), st.integers(-200, 600), st.integers(301, 4000), st.integers(0, 300))
def test_judge_sheet_overtime_beyond_the_limit_loses_by_a_margin(
    first_player: int, second_player: int, first_seconds: int, second_seconds: int
) -> None:
    judged_sheet = judge_totals(
        RULES["no-nsf"],
        first_player,
        second_player,
        ended="overtime",
        overtime_seconds=[first_seconds, second_seconds],
    )
    assert judged_sheet.results == (Outcome.LOSS, Outcome.WIN)
    assert judged_sheet.spread is not None
    assert judged_sheet.spread <= -100
    assert judged_sheet.scores[0] in {first_player - 50, judged_sheet.scores[1] - 100}
    assert judged_sheet.scores[1] == second_player - 10 * -(-second_seconds // 60)


@pytest.mark.parametrize(
    ("per_minute", "points", "seconds"),
    [
        (10, -10, 60),
        (10, -30, 180),
        (1, -7, 420),
        (1, -1, 60),
        (10, -15, None),
        (10, 0, None),
        (10, 10, None),
        (0, -10, None),
        (0, 0, None),
    ],
)
def test_infer_overtime_seconds_of_given_points(per_minute: int, points: int, seconds: int | None) -> None:
    assert infer_overtime_seconds(OvertimeRule(OvertimeKind.MINUTES, per_minute), points) == seconds
    assert infer_overtime_seconds(OvertimeRule(OvertimeKind.NONE, per_minute), points) is None


def test_judge_sheet_tie_of_three_has_no_replier() -> None:
    """With three players, several players did not start."""
    rules = replace(RULES["no-nsf"], most_players=4, knockout=KnockoutTieRule(KnockoutTieResolution.REPLIER))
    for first in (1, 2):
        second_sheet = judge_totals(rules, 400, 400, ended="passes", knockout=True, first=first)
        assert second_sheet.results[first - 1] is Outcome.LOSS
        assert second_sheet.results[2 - first] is Outcome.WIN
        third_sheet = judge_totals(rules, 400, 400, 300, ended="passes", knockout=True, first=first)
        assert third_sheet.results == (Outcome.DRAW, Outcome.DRAW, Outcome.LOSS)
    single = judge_totals(rules, 400, 400, ended="passes", knockout=False)
    assert single.results == (Outcome.DRAW, Outcome.DRAW)
    rules_with_extra_game = replace(rules, knockout=KnockoutTieRule(KnockoutTieResolution.EXTRA_GAME))
    assert judge_totals(rules_with_extra_game, 400, 400, ended="passes", knockout=True).results == (
        Outcome.DRAW,
        Outcome.DRAW,
    )


def test_decide_outcomes_each_player_can_lose() -> None:
    assert compute_player_outcomes([400, 390], losers=[0, 1]) == (Outcome.LOSS, Outcome.LOSS)
    assert compute_player_outcomes([400, 390, 380], losers=[0]) == (Outcome.LOSS, Outcome.WIN, Outcome.LOSS)


def test_decide_outcomes_of_equal_scores_is_a_draw() -> None:
    assert compute_player_outcomes([0, 0]) == (Outcome.DRAW, Outcome.DRAW)
    assert compute_player_outcomes([-5, -5, -7]) == (Outcome.DRAW, Outcome.DRAW, Outcome.LOSS)


@pytest.mark.parametrize(
    ("rules", "further_fields", "code"),
    [
        ("nl-match", {"ended": "flag"}, "sheet-without-flag"),
        ("nl-match", {"ended": "flag", "overtime_seconds": [3, 4]}, "sheet-without-flag"),
        ("no-nsf", {"ended": "overtime"}, "sheet-overtime-unclear"),
        ("no-nsf", {"ended": "overtime", "overtime_seconds": [300, 0]}, "sheet-overtime-unclear"),
        ("no-nsf", {"ended": "out", "overtime_seconds": [301, 301]}, "sheet-overtime-unclear"),
    ],
)
def test_judge_sheet_expired_clock_needs_a_player(rules: str, further_fields: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as error:
        judge_sheet_document(rules, {**make_sheet([make_play(1, 10)]), **further_fields})
    assert error.value.code == code


@pytest.mark.parametrize(
    "overtime",
    [
        OvertimeRule(OvertimeKind.MINUTES, points=5),
        OvertimeRule(OvertimeKind.FLAG, limit=300),
        OvertimeRule(OvertimeKind.FLAG),
    ],
)
def test_judge_sheet_without_overtime_limit_needs_no_player(overtime: OvertimeRule) -> None:
    rules = replace(RULES["no-nsf"], overtime=overtime)
    judged_sheet = judge_totals(rules, 400, 390, ended="overtime", overtime_seconds=[0, 0])
    assert (judged_sheet.results, judged_sheet.scores) == ((Outcome.WIN, Outcome.LOSS), (400, 390))


@pytest.mark.parametrize(
    ("rules", "further_fields", "code"),
    [
        ("nl-match", {"ended": "blocked"}, "end-not-in-rules"),
        ("no-nsf", {"ended": "time"}, "end-not-in-rules"),
        ("de-scrabble", {"ended": "flag"}, "end-not-in-rules"),
        ("nl-match", {"ended": "out", "rack_values": [3, 4]}, "nobody-out"),
        ("nl-match", {"ended": "time", "rack_values": None}, "rack-missing"),
        ("nl-match", {"ended": "time", "overtime_seconds": [0, 5]}, "overtime-not-in-rules"),
        ("nl-match", {"ended": "time", "sanctions": [{"player": 1, "kind": "margin"}]}, "sanction-not-in-rules"),
    ],
)
def test_judge_sheet_names_entries_unknown_to_the_rules(
    rules: str, further_fields: dict[str, Any], code: str
) -> None:
    judged_sheet = judge_sheet_document(
        rules, {**make_sheet([make_play(1, 10), make_play(2, 8)]), **further_fields}
    )
    assert list_issue_codes(judged_sheet) == [code]
    assert judged_sheet.results == (Outcome.WIN, Outcome.LOSS)


def test_judge_sheet_credits_a_failed_challenge_to_the_last_mover() -> None:
    judged_sheet = judge_sheet_document(
        "no-nsf", make_sheet([make_turn(1, "failed-challenge", confirmed=True), make_play(1, 10)], ended="open")
    )
    assert judged_sheet.scores == (0, 0)
    wrong_sheet = make_sheet([make_play(1, 10), make_turn(2, "failed-challenge", score=-5)], ended="open")
    assert [
        (index.turn, index.code, index.stated, index.computed)
        for index in judge_sheet_document("no-nsf", wrong_sheet).issues
    ] == [(2, "score-differs", -5, -10)]


def test_judge_sheet_follows_changed_parameters() -> None:
    """Example: Dutch rules with overtime by the minute and without a limit."""
    rules = replace(RULES["nl-match"], overtime=OvertimeRule(RULES["no-nsf"].overtime.kind, points=5))
    assert judge_totals(rules, 400, 390, ended="time", overtime_seconds=[601, 0]).scores == (345, 390)


def test_compute_arrivals_needs_a_late_rule() -> None:
    with pytest.raises(CommandError) as error:
        compute_lateness_consequences(RULES["nl-match"], 60)
    assert error.value.code == "late-not-in-rules"


@pytest.mark.parametrize(("late_seconds", "minutes"), [(True, None), (False, 25), (False, None)])
def test_compute_arrivals_needs_a_clock_and_a_rule(late_seconds: bool, minutes: int | None) -> None:
    base_rules = RULES["no-nsf"]
    rules = replace(
        base_rules,
        late=replace(base_rules.late, known=late_seconds),
        clock=replace(base_rules.clock, minutes=minutes),
    )
    with pytest.raises(CommandError, match="late-not-in-rules"):
        compute_lateness_consequences(rules, 60)
    assert (
        compute_lateness_consequences(replace(base_rules, clock=replace(base_rules.clock, minutes=25)), 60)[
            0
        ].remaining_seconds
        == 24 * 60
    )


def test_judge_sheet_foot_total_excludes_rulings_and_sanctions() -> None:
    turns = [make_play(1, 30, ruling="phony"), make_play(2, 20), make_play(1, 9)]
    sanctions = [{"player": 2, "kind": "points", "points": 5}]
    right_total = make_sheet(turns, ended="passes", rack_values=[0, 4], sanctions=sanctions, finals=[39, 16])
    judged_sheet = judge_sheet_document("nl-match", right_total)
    assert (judged_sheet.breakdown[0].phonies < 0, judged_sheet.breakdown[1].sanctions < 0) == (True, True)
    assert "total-differs" not in list_issue_codes(judged_sheet)
    wrong_totals = judge_sheet_document("nl-match", right_total | {"finals": [judged_sheet.scores[0], 11]})
    assert [(issue.stated, issue.computed) for issue in wrong_totals.issues if issue.code == "total-differs"] == [
        (judged_sheet.scores[0], 39),
        (11, 16),
    ]


def test_judge_sheet_is_repeatable() -> None:
    document = make_sheet([make_play(1, 30, ruling="phony"), make_play(2, 20)], ended="time", racks=["AB", "C"])
    judged_sheets: list[JudgedSheet] = [judge_sheet_document("nl-match", document) for _ in range(2)]
    assert judged_sheets[0] == judged_sheets[1]


@pytest.mark.parametrize(("code", "detail", "text"), [
    ("end-not-in-rules", "flag", GameEnding.FLAG),
    ("sanction-not-in-rules", "warning", SanctionKind.WARNING),
    ("square-occupied", "8H", "H8"),
    ("total-differs", "flag", "flag"),
])  # fmt: skip
def test_describe_issue_names_the_detail(code: str, detail: str, text: object) -> None:
    described_detail = make_issue_facts(SheetIssue(code, 3, detail=detail))["detail"]
    assert (type(described_detail), described_detail) == (type(text), text)


@pytest.mark.parametrize(("field", "first_text", "second_text"), [
    ("kind", "pass", TurnKind.PASS), ("ended", "flag", GameEnding.FLAG), ("score", 20, 20),
    ("word", "pass", "pass"),
])  # fmt: skip
def test_describe_issue_names_values_of_two_forms(field: str, first_text: object, second_text: object) -> None:
    issue = SheetIssue("forms-differ", 3, stated=first_text, other=None, detail=field)  # type: ignore[arg-type]
    for facts in (make_issue_facts(issue), make_issue_facts(replace(issue, stated=None, other=first_text))):
        assert facts["detail"] is SheetField(field)
        assert [type(value) for value in (facts["stated"], facts["other"]) if value is not None] == [
            type(second_text)
        ]
    assert (make_issue_facts(issue)["stated"], make_issue_facts(issue)["other"]) == (second_text, None)
    assert make_issue_facts(SheetIssue("total-differs", 3, stated="pass", detail=field))["stated"] == "pass"


def test_list_form_issues_have_a_turn_or_the_end() -> None:
    first_form = make_sheet([make_play(1, 30), make_play(2, 20), make_play(1, 9)], ended="out", racks=["", "A"])
    second_form = make_sheet([make_play(1, 30), make_play(2, 22)], ended="passes", racks=["", "A"])
    rules, tileset = RULES["nl-match"], load_tile_set("nl")
    issues = list_form_differences_as_issues(parse_sheet(first_form), parse_sheet(second_form), rules, tileset)
    assert [(issue.code, issue.turn, issue.stated, issue.other, issue.detail) for issue in issues] == [
        ("forms-differ", 2, 20, 22, "score"),
        ("forms-differ", 3, "play", None, "kind"),
        ("forms-differ", None, "out", "passes", "ended"),
        ("forms-differ", None, "40 / 19", "30 / 21", "final"),
    ]
    turns = [
        (issue.turn, issue.detail)
        for issue in list_form_differences_as_issues(
            parse_sheet(second_form), parse_sheet(first_form), rules, tileset
        )
    ]
    assert turns == [(2, "score"), (None, "kind"), (None, "ended"), (None, "final")]
    unfinished = parse_sheet(second_form | {"ended": "open"})
    for forms in ((parse_sheet(first_form), unfinished), (unfinished, parse_sheet(first_form))):
        assert [issue.detail for issue in list_form_differences_as_issues(*forms, rules, tileset)] == [
            "score",
            "kind",
        ]
