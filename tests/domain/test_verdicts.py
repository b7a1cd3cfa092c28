"""Verdicts of the judge screen: costs by rule book, effect on results, and waiting verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.game_results import compute_points_before_rulings, swap_players_of_game
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import Occasion
from tdapp.domain.model import Forfeit, Game
from tdapp.domain.problems import find_problems
from tdapp.domain.ruleset import ChallengeMode
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tables import jury
from tdapp.domain.tournament import Tournament, find_row_faults
from tdapp.domain.verdicts import CostKind, list_pending_verdicts, list_verdicts_with_cost
from tdapp.exchange.presets import read_tilesets
from tdapp.scrabble.sheet import parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, event, game_at, last_round, paired

TILES = read_tilesets(RESOURCES / "tilesets")


def judged(
    rules: str = "no-nsf", verdict: WordVerdict = WordVerdict.VALID, *, by: int | None = 1, **more: Any
) -> tuple[Tournament, Game]:
    """A round without results, and a verdict at its first table; `by` is the challenger there."""
    t = paired(event(4, rules=rules), results=False)
    return challenged(t, verdict, by=by, **more), game_at(t, 1)


def challenged(
    t: Tournament, verdict: WordVerdict, *, by: int | None = 1, key: str = "c", **more: Any
) -> Tournament:
    game = game_at(t, 1)
    challenger = None if by is None else (game.first, game.second)[by - 1]
    given = {"words": ("XQBAR",), "round_number": 1, "table": 1, "challenger": challenger, **more}
    return commands.record_challenge(
        t, key=key, division=DIVISION, at="2026-11-28T10:00:00+00:00", verdict=verdict, edition="e", **given
    )


def entered(t: Tournament, first: int = 400, second: int = 388, **more: Any) -> Tournament:
    return commands.enter_result(t, game=game_at(t, 1).id, first=first, second=second, **more)


def scores(t: Tournament) -> tuple[int | None, int | None]:
    result = t.results[game_at(t, 1).id]
    return result.first, result.second


def waiting(t: Tournament) -> list[tuple[CostKind, int, int | None]]:
    return [
        (verdict.kind, verdict.points, verdict.player)
        for verdict in list_pending_verdicts(Index(t), game_at(t, 1))
    ]


def codes(t: Tournament) -> list[str]:
    return [problem.code for problem in find_problems(Index(t), t.divisions[DIVISION])]


def row(t: Tournament) -> jury.JuryGame:
    return jury.make_jury_game_table(Index(t), last_round(t), find_doubts=lambda _form: frozenset()).rows[0]


@pytest.mark.parametrize(
    ("rules", "verdict", "more", "expected"),
    [
        ("no-nsf", WordVerdict.VALID, {}, (CostKind.POINTS, -10, 1)),  # 3.9
        ("de-scrabble", WordVerdict.VALID, {}, (CostKind.POINTS, -5, 1)),  # 4h
        ("naspa-collins", WordVerdict.VALID, {"words": ("AA", "BB")}, (CostKind.POINTS, 10, 2)),
        ("nl-match", WordVerdict.INVALID, {"occasion": Occasion.PROTEST}, (CostKind.POINTS, -20, 2)),  # III.10
        ("nl-match", WordVerdict.INVALID, {"occasion": Occasion.JURY}, (CostKind.WORD, -20, 2)),
        ("no-nsf", WordVerdict.VALID, {"by": None}, (CostKind.POINTS, -10, None)),
    ],
)
def test_list_pending_verdicts_has_the_cost_of_the_rules(
    rules: str, verdict: WordVerdict, more: dict[str, Any], expected: tuple[CostKind, int, int | None]
) -> None:
    assert waiting(judged(rules, verdict, **more)[0]) == [expected]


@pytest.mark.parametrize(
    ("rules", "verdict", "more"),
    [
        ("no-nsf", WordVerdict.INVALID, {}),  # a turn is lost: the totals have it
        ("no-nsf", WordVerdict.NOT_BINDING, {}),
        ("naspa-nwl", WordVerdict.VALID, {}),
        ("nl-match", WordVerdict.VALID, {"occasion": Occasion.PROTEST}),
        ("nl-match", WordVerdict.VALID, {"occasion": Occasion.JURY}),
        ("be-brailleliga", WordVerdict.VALID, {}),
    ],
)
def test_list_pending_verdicts_omits_a_verdict_without_cost(
    rules: str, verdict: WordVerdict, more: dict[str, Any]
) -> None:
    assert waiting(judged(rules, verdict, **more)[0]) == []


@pytest.mark.parametrize(("rules", "verdict", "loses"), [
    ("no-nsf", WordVerdict.INVALID, 2), ("naspa-nwl", WordVerdict.VALID, 1), ("naspa-nwl", WordVerdict.INVALID, 2),
])  # fmt: skip
def test_list_verdicts_names_the_player_of_a_lost_turn(rules: str, verdict: WordVerdict, loses: int) -> None:
    t, game = judged(rules, verdict)
    assert [(one.kind, one.player) for one in list_verdicts_with_cost(Index(t), game)] == [(CostKind.TURN, loses)]


def test_clear_result_removes_the_applied_verdict() -> None:
    t, game = judged()
    t = entered(t, verdicts=True)
    assert scores(t) == (390, 388)
    assert t.results[game.id].accounts == (ScoreBreakdown(turns=400, challenges=-10), ScoreBreakdown(turns=388))
    assert compute_points_before_rulings(t.results[game.id]) == (400, 388)
    assert (waiting(t), codes(t)) == ([], codes(entered(paired(event(4, rules="no-nsf"), results=False))))
    assert not list(find_row_faults(t))
    cleared = commands.clear_result(t, game=game.id)
    assert waiting(cleared) == [(CostKind.POINTS, -10, 1)]


def test_decide_verdicts_refused_changes_no_score() -> None:
    t = entered(judged()[0], verdicts=False)
    assert (scores(t), waiting(t)) == ((400, 388), [])


def test_find_problems_lists_an_undecided_verdict() -> None:
    t, game = judged()
    assert "verdict-waits" not in codes(t)  # the game goes on
    t = entered(t)
    assert (scores(t), row(t).status, row(t).is_waiting) == ((400, 388), "verdict", True)
    assert "verdict-waits" in codes(t)
    assert jury.count_waiting_games(Index(t), t.divisions[DIVISION]) == 1
    for apply, expected in ((True, (390, 388)), (False, (400, 388))):
        after = commands.decide_verdicts(t, game=game.id, apply=apply)
        assert (scores(after), row(after).status) == (expected, "entered")
        assert "verdict-waits" not in codes(after)


def test_decide_verdicts_can_change_the_winner() -> None:
    t = entered(judged()[0], 395, 390, verdicts=True)
    assert scores(t) == (385, 390)


def test_copy_decisions_after_a_correction() -> None:
    t = entered(entered(judged()[0], verdicts=True), 410, 388)
    assert (scores(t), waiting(t)) == ((400, 388), [])


def test_swap_sides_keeps_verdicts_with_players() -> None:
    t, game = judged()
    t = swap_players_of_game(entered(t, verdicts=True), game.id)
    assert (t.results[game.id].first, t.results[game.id].second) == (388, 390)
    assert t.results[game.id].verdicts == (0, -10)
    assert scores(entered(t, 388, 400)) == (388, 390)


def test_appeal_challenge_updates_the_applied_result() -> None:
    t, game = judged()
    t = entered(t, verdicts=True)
    [challenge] = t.challenges
    appealed = commands.appeal_challenge(
        t, challenge=challenge, second=WordVerdict.INVALID, joint=WordVerdict.INVALID
    )
    removed = commands.remove_challenge(t, challenge=challenge)
    assert (scores(appealed), scores(removed)) == ((400, 388), (400, 388))
    assert t.results[game.id].verdicts == (-10, 0)


def test_add_sanction_keeps_the_applied_verdict() -> None:
    t, game = judged()
    t = commands.enter_result(t, game=game.id, first=400, second=388, overtime1=61, verdicts=True)
    assert scores(t) == (370, 388)


def test_decide_verdicts_applies_a_lost_game() -> None:
    t, game = judged("naspa-nwl")
    rules = replace(t.ruleset, challenge=replace(t.ruleset.challenge, mode=ChallengeMode.TRIPLE))
    t = commands.change_rules(t, ruleset=rules)
    assert waiting(t) == [(CostKind.GAME, 0, 1)]
    after = entered(t, verdicts=True)
    assert (scores(after), after.results[game.id].lost) == ((400, 388), Forfeit.FIRST)
    assert waiting(commands.enter_result(t, game=game.id, forfeit=Forfeit.FIRST)) == []


def test_decide_verdicts_without_a_player_can_only_refuse() -> None:
    for t, game in (judged(by=None), judged("nl-match", WordVerdict.INVALID, occasion=Occasion.JURY)):
        with pytest.raises(RuleViolation, match="verdict-unclear"):
            entered(t, verdicts=True)
        assert waiting(commands.decide_verdicts(entered(t), game=game.id, apply=False)) == []


def test_list_pending_verdicts_until_the_word_is_ruled_on() -> None:
    t, game = judged("nl-match", WordVerdict.INVALID, occasion=Occasion.JURY)
    t = commands.rule_on_word(
        entered(t), key="w", game=game.id, player=game.second, word="xqbar", score=0,
        tileset=TILES[t.ruleset.tileset],
    )  # fmt: skip
    assert (scores(t), waiting(t)) == ((400, 368), [])


def test_list_verdicts_ignores_a_challenger_of_another_game() -> None:
    t, game = judged(by=None)
    [challenge] = t.challenges.values()
    t = t.put(replace(challenge, challenger=game_at(t, 2).first))
    assert list_verdicts_with_cost(Index(t), game) == ()


def test_decide_verdicts_needs_a_verdict() -> None:
    t = paired(event(4, rules="no-nsf"), results=False)
    game = game_at(t, 1).id
    with pytest.raises(RuleViolation, match="no-result"):
        commands.decide_verdicts(t, game=game, apply=True)
    with pytest.raises(RuleViolation, match="no-verdict"):
        commands.decide_verdicts(entered(t), game=game, apply=True)


def with_sheet(t: Tournament, *, challenge: bool) -> Tournament:
    """The game's sheet, which has the wrong challenge or not."""
    turns = [{"player": 2, "kind": "play", "word": "XQBAR", "score": 388}]
    turns += [{"player": 1, "kind": "failed-challenge"}] if challenge else []
    turns = [{"player": 1, "kind": "play", "score": 400}, *turns]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 0], "ended": "passes"})
    game = game_at(t, 1)
    return commands.enter_sheet(t, game=game.id, sheet=sheet, tileset=TILES[t.ruleset.tileset])


def test_enter_sheet_counts_a_challenge_once() -> None:
    t, _ = judged()
    for value in (with_sheet(t, challenge=True), with_sheet(entered(t, verdicts=True), challenge=True)):
        assert (scores(value), waiting(value)) == ((390, 388), [])


def test_enter_sheet_without_the_challenge_keeps_the_verdict() -> None:
    t, game = judged()
    assert waiting(with_sheet(t, challenge=False)) == [(CostKind.POINTS, -10, 1)]
    applied = with_sheet(entered(t, verdicts=True), challenge=False)
    assert (scores(applied), waiting(applied), row(applied).status) == ((390, 388), [], "entered")
    assert "sheet-differs" not in codes(applied)
    assert applied.results[game.id].applied
