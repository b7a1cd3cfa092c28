"""Tests of judge screen verdicts: costs by rule set, effects on results, and waiting verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import compute_points_before_rulings, swap_players_after_tile_draw
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import WordCheckReason
from tdapp.domain.model import Game, GameSide
from tdapp.domain.problems import find_division_problems
from tdapp.domain.ruleset import ChallengeMode
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tables import jury
from tdapp.domain.tournament import Tournament, find_inconsistent_rows
from tdapp.domain.verdicts import VerdictCostKind, list_pending_verdicts, list_verdicts_with_cost
from tdapp.exchange.presets import read_tilesets
from tdapp.scrabble.sheet import parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, make_event, pair_rounds

TILES = read_tilesets(RESOURCES / "tilesets")


def build_judged_round(
    rules: str = "no-nsf", verdict: WordVerdict = WordVerdict.VALID, *, by: int | None = 1, **fields: Any
) -> tuple[Tournament, Game]:
    """Return a round without results, with a verdict at table 1. `by` is the challenger (1 or 2)."""
    t = pair_rounds(make_event(4, rules=rules), results=False)
    return record_challenge(t, verdict, by=by, **fields), get_game_at(t, 1)


def record_challenge(
    t: Tournament, verdict: WordVerdict, *, by: int | None = 1, key: str = "c", **fields: Any
) -> Tournament:
    game = get_game_at(t, 1)
    challenger = None if by is None else (game.first, game.second)[by - 1]
    arguments = {"words": ("XQBAR",), "round_number": 1, "table": 1, "challenger": challenger, **fields}
    return commands.record_challenge(
        t, key=key, division=DIVISION, at="2026-11-28T10:00:00+00:00", verdict=verdict, edition="e", **arguments
    )


def enter_result(t: Tournament, first: int = 400, second: int = 388, **fields: Any) -> Tournament:
    return commands.enter_result(t, game=get_game_at(t, 1).id, first=first, second=second, **fields)


def get_scores(t: Tournament) -> tuple[int | None, int | None]:
    result = t.results[get_game_at(t, 1).id]
    return result.first, result.second


def list_waiting_verdicts(t: Tournament) -> list[tuple[VerdictCostKind, int, int | None]]:
    return [
        (verdict.kind, verdict.points, verdict.player)
        for verdict in list_pending_verdicts(TournamentIndex(t), get_game_at(t, 1))
    ]


def list_problem_codes(t: Tournament) -> list[str]:
    return [problem.code for problem in find_division_problems(TournamentIndex(t), t.divisions[DIVISION])]


def make_jury_row(t: Tournament) -> jury.JuryGame:
    return jury.make_jury_game_table(
        TournamentIndex(t), get_last_round(t), find_doubts=lambda _form: frozenset()
    ).rows[0]


@pytest.mark.parametrize(
    ("rules", "verdict", "more", "expected"),
    [
        ("no-nsf", WordVerdict.VALID, {}, (VerdictCostKind.POINTS, -10, 1)),  # 3.9
        ("de-scrabble", WordVerdict.VALID, {}, (VerdictCostKind.POINTS, -5, 1)),  # 4h
        ("naspa-collins", WordVerdict.VALID, {"words": ("AA", "BB")}, (VerdictCostKind.POINTS, 10, 2)),
        (
            "nl-match",
            WordVerdict.INVALID,
            {"occasion": WordCheckReason.PROTEST},  # III.10
            (VerdictCostKind.POINTS, -20, 2),
        ),
        ("nl-match", WordVerdict.INVALID, {"occasion": WordCheckReason.JURY}, (VerdictCostKind.WORD, -20, 2)),
        ("no-nsf", WordVerdict.VALID, {"by": None}, (VerdictCostKind.POINTS, -10, None)),
    ],
)
def test_list_pending_verdicts_has_the_cost_of_the_rules(
    rules: str, verdict: WordVerdict, more: dict[str, Any], expected: tuple[VerdictCostKind, int, int | None]
) -> None:
    assert list_waiting_verdicts(build_judged_round(rules, verdict, **more)[0]) == [expected]


@pytest.mark.parametrize(
    ("rules", "verdict", "more"),
    [
        ("no-nsf", WordVerdict.INVALID, {}),  # a turn is lost: the totals have it
        ("no-nsf", WordVerdict.NOT_BINDING, {}),
        ("naspa-nwl", WordVerdict.VALID, {}),
        ("nl-match", WordVerdict.VALID, {"occasion": WordCheckReason.PROTEST}),
        ("nl-match", WordVerdict.VALID, {"occasion": WordCheckReason.JURY}),
        ("be-brailleliga", WordVerdict.VALID, {}),
    ],
)
def test_list_pending_verdicts_omits_a_verdict_without_cost(
    rules: str, verdict: WordVerdict, more: dict[str, Any]
) -> None:
    assert list_waiting_verdicts(build_judged_round(rules, verdict, **more)[0]) == []


@pytest.mark.parametrize(("rules", "verdict", "loses"), [
    ("no-nsf", WordVerdict.INVALID, 2), ("naspa-nwl", WordVerdict.VALID, 1), ("naspa-nwl", WordVerdict.INVALID, 2),
])  # fmt: skip
def test_list_verdicts_names_the_player_of_a_lost_turn(rules: str, verdict: WordVerdict, loses: int) -> None:
    t, game = build_judged_round(rules, verdict)
    assert [(cost.kind, cost.player) for cost in list_verdicts_with_cost(TournamentIndex(t), game)] == [
        (VerdictCostKind.TURN, loses)
    ]


def test_clear_result_removes_the_applied_verdict() -> None:
    t, game = build_judged_round()
    t = enter_result(t, verdicts=True)
    assert get_scores(t) == (390, 388)
    assert t.results[game.id].accounts == (ScoreBreakdown(turns=400, challenges=-10), ScoreBreakdown(turns=388))
    assert compute_points_before_rulings(t.results[game.id]) == (400, 388)
    assert (list_waiting_verdicts(t), list_problem_codes(t)) == (
        [],
        list_problem_codes(enter_result(pair_rounds(make_event(4, rules="no-nsf"), results=False))),
    )
    assert not list(find_inconsistent_rows(t))
    cleared = commands.clear_result(t, game=game.id)
    assert list_waiting_verdicts(cleared) == [(VerdictCostKind.POINTS, -10, 1)]


def test_decide_verdicts_refused_changes_no_score() -> None:
    t = enter_result(build_judged_round()[0], verdicts=False)
    assert (get_scores(t), list_waiting_verdicts(t)) == ((400, 388), [])


def test_find_problems_lists_an_undecided_verdict() -> None:
    t, game = build_judged_round()
    assert "verdict-waits" not in list_problem_codes(t)  # the game goes on
    t = enter_result(t)
    assert (get_scores(t), make_jury_row(t).status, make_jury_row(t).is_unchecked) == (
        (400, 388),
        "verdict",
        True,
    )
    assert "verdict-waits" in list_problem_codes(t)
    assert jury.count_games_waiting_for_jury(TournamentIndex(t), t.divisions[DIVISION]) == 1
    for apply, expected in ((True, (390, 388)), (False, (400, 388))):
        after = commands.decide_verdicts(t, game=game.id, apply=apply)
        assert (get_scores(after), make_jury_row(after).status) == (expected, "entered")
        assert "verdict-waits" not in list_problem_codes(after)


def test_decide_verdicts_can_change_the_winner() -> None:
    t = enter_result(build_judged_round()[0], 395, 390, verdicts=True)
    assert get_scores(t) == (385, 390)


def test_copy_decisions_after_a_correction() -> None:
    t = enter_result(enter_result(build_judged_round()[0], verdicts=True), 410, 388)
    assert (get_scores(t), list_waiting_verdicts(t)) == ((400, 388), [])


def test_swap_sides_keeps_verdicts_with_players() -> None:
    t, game = build_judged_round()
    t = swap_players_after_tile_draw(enter_result(t, verdicts=True), game.id)
    assert (t.results[game.id].first, t.results[game.id].second) == (388, 390)
    assert t.results[game.id].verdicts == (0, -10)
    assert get_scores(enter_result(t, 388, 400)) == (388, 390)


def test_appeal_challenge_updates_the_applied_result() -> None:
    t, game = build_judged_round()
    t = enter_result(t, verdicts=True)
    [challenge] = t.challenges
    appealed = commands.appeal_challenge(
        t, challenge=challenge, second=WordVerdict.INVALID, joint=WordVerdict.INVALID
    )
    without_challenge = commands.remove_challenge(t, challenge=challenge)
    assert (get_scores(appealed), get_scores(without_challenge)) == ((400, 388), (400, 388))
    assert t.results[game.id].verdicts == (-10, 0)


def test_add_sanction_keeps_the_applied_verdict() -> None:
    t, game = build_judged_round()
    t = commands.enter_result(t, game=game.id, first=400, second=388, overtime1=61, verdicts=True)
    assert get_scores(t) == (370, 388)


def test_decide_verdicts_applies_a_lost_game() -> None:
    t, game = build_judged_round("naspa-nwl")
    rules = replace(t.ruleset, challenge=replace(t.ruleset.challenge, mode=ChallengeMode.TRIPLE))
    t = commands.change_rules(t, ruleset=rules)
    assert list_waiting_verdicts(t) == [(VerdictCostKind.GAME, 0, 1)]
    after = enter_result(t, verdicts=True)
    assert (get_scores(after), after.results[game.id].lost) == ((400, 388), GameSide.FIRST)
    assert list_waiting_verdicts(commands.enter_result(t, game=game.id, forfeit=GameSide.FIRST)) == []


def test_decide_verdicts_without_a_player_can_only_refuse() -> None:
    for t, game in (
        build_judged_round(by=None),
        build_judged_round("nl-match", WordVerdict.INVALID, occasion=WordCheckReason.JURY),
    ):
        with pytest.raises(CommandError, match="verdict-unclear"):
            enter_result(t, verdicts=True)
        assert list_waiting_verdicts(commands.decide_verdicts(enter_result(t), game=game.id, apply=False)) == []


def test_list_pending_verdicts_until_the_word_is_ruled_on() -> None:
    t, game = build_judged_round("nl-match", WordVerdict.INVALID, occasion=WordCheckReason.JURY)
    t = commands.rule_on_word(
        enter_result(t), key="w", game=game.id, player=game.second, word="xqbar", score=0,
        tileset=TILES[t.ruleset.tileset],
    )  # fmt: skip
    assert (get_scores(t), list_waiting_verdicts(t)) == ((400, 368), [])


def test_list_verdicts_ignores_a_challenger_of_another_game() -> None:
    t, game = build_judged_round(by=None)
    [challenge] = t.challenges.values()
    t = t.put(replace(challenge, challenger=get_game_at(t, 2).first))
    assert list_verdicts_with_cost(TournamentIndex(t), game) == ()


def test_decide_verdicts_needs_a_verdict() -> None:
    t = pair_rounds(make_event(4, rules="no-nsf"), results=False)
    game = get_game_at(t, 1).id
    with pytest.raises(CommandError, match="no-result"):
        commands.decide_verdicts(t, game=game, apply=True)
    with pytest.raises(CommandError, match="no-verdict"):
        commands.decide_verdicts(enter_result(t), game=game, apply=True)


def enter_sheet(t: Tournament, *, challenge: bool) -> Tournament:
    """Enter the sheet, with or without the failed challenge."""
    turns = [{"player": 2, "kind": "play", "word": "XQBAR", "score": 388}]
    turns += [{"player": 1, "kind": "failed-challenge"}] if challenge else []
    turns = [{"player": 1, "kind": "play", "score": 400}, *turns]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 0], "ended": "passes"})
    game = get_game_at(t, 1)
    return commands.enter_sheet(t, game=game.id, sheet=sheet, tileset=TILES[t.ruleset.tileset])


def test_enter_sheet_counts_a_challenge_once() -> None:
    t, _ = build_judged_round()
    for value in (enter_sheet(t, challenge=True), enter_sheet(enter_result(t, verdicts=True), challenge=True)):
        assert (get_scores(value), list_waiting_verdicts(value)) == ((390, 388), [])


def test_enter_sheet_without_the_challenge_keeps_the_verdict() -> None:
    t, game = build_judged_round()
    assert list_waiting_verdicts(enter_sheet(t, challenge=False)) == [(VerdictCostKind.POINTS, -10, 1)]
    applied = enter_sheet(enter_result(t, verdicts=True), challenge=False)
    assert (get_scores(applied), list_waiting_verdicts(applied), make_jury_row(applied).status) == (
        (390, 388),
        [],
        "entered",
    )
    assert "sheet-differs" not in list_problem_codes(applied)
    assert applied.results[game.id].applied
