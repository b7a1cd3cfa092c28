"""Tests of time and challenge points of an annotated game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.judging import infer_challenged_word_counts, judge_sheet
from tdapp.domain.ruleset import OvertimeRule
from tdapp.domain.score_breakdown import move_overtime_events_to_sheet
from tdapp.exchange.presets import read_tilesets
from tdapp.scrabble.gcg import GcgEventKind, read_gcg
from tdapp.scrabble.gcg_check import split_gcg_game_into_sheet_and_events
from tdapp.scrabble.sheet import TurnKind
from tests.building import RESOURCES, load_rule_set

NO = read_tilesets(RESOURCES / "tilesets")["no"]
GAME = """#player1 A Ann
#player2 B Bo
>A: KATTENE 8G KAT +10 10
>B: SOL 7H SO +5 5
>A: ETENE (ETENE) -5 5
>B: L (L) -1 4
>A: (time) {time} 0
"""


def test_add_overtime_converts_points_to_minutes() -> None:
    rules = load_rule_set("no-nsf")
    minutes = 2 * rules.overtime.points
    sheet, remaining_events = move_overtime_events_to_sheet(
        *split_gcg_game_into_sheet_and_events(read_gcg(GAME.format(time=f"-{minutes}").encode())[0], NO), rules
    )
    assert (sheet.overtime_seconds, remaining_events) == ((120, 0), ())
    assert judge_sheet(sheet, rules, NO).breakdown[0].overtime == -minutes


@pytest.mark.parametrize("time", ["-7", "+10"])
def test_add_overtime_returns_unexplained_points(time: str) -> None:
    gcg_sheet, events = split_gcg_game_into_sheet_and_events(read_gcg(GAME.format(time=time).encode())[0], NO)
    sheet, remaining_events = move_overtime_events_to_sheet(gcg_sheet, events, load_rule_set("no-nsf"))
    assert (sheet, [event.kind for event in remaining_events]) == (gcg_sheet, [GcgEventKind.TIME])


def test_add_overtime_with_rules_without_overtime() -> None:
    gcg_sheet, events = split_gcg_game_into_sheet_and_events(read_gcg(GAME.format(time="-10").encode())[0], NO)
    assert move_overtime_events_to_sheet(gcg_sheet, events, load_rule_set("nl-match")) == (gcg_sheet, events)


def test_add_overtime_returns_points_beyond_the_limit() -> None:
    rules = load_rule_set("no-nsf")
    limited: OvertimeRule = replace(rules.overtime, limit=60)
    gcg_sheet, events = split_gcg_game_into_sheet_and_events(
        read_gcg(GAME.format(time=f"-{3 * rules.overtime.points}").encode())[0], NO
    )
    assert move_overtime_events_to_sheet(gcg_sheet, events, replace(rules, overtime=limited)) == (
        gcg_sheet,
        events,
    )


CHALLENGED = """#player1 A Ann
#player2 B Bo
>A: KATTENE 8G KAT +10 10
>A: (challenge) {points} 15
>B: SOL 7H SO +5 5
>B: (challenge) +5 10
>A: (time) -7 8
"""


@pytest.mark.parametrize(
    ("name", "points", "words", "challenges", "unexplained_events"),
    [
        ("wespa", "+5", [1, 1], (5, 5), []),
        ("wespa", "+15", [3, 1], (15, 5), []),
        ("wespa", "+7", [1, 1], (5, 5), [7]),
        ("naspa-collins", "+10", [2, 1], (10, 5), []),
        ("naspa-nwl", "+0", [1, 1], (0, 0), [5]),
        ("no-nsf", "+5", [1, 1], (-10, -10), [5, 5]),
        ("nl-match", "+5", [1, 1], (0, 0), [5, 5]),
    ],
)
def test_infer_word_counts_follows_the_rules(
    name: str, points: str, words: list[int], challenges: tuple[int, int], unexplained_events: list[int]
) -> None:
    rules = load_rule_set(name)
    gcg_sheet, events = split_gcg_game_into_sheet_and_events(
        read_gcg(CHALLENGED.format(points=points).encode())[0], NO
    )
    sheet, left_over = infer_challenged_word_counts(gcg_sheet, events, rules.challenge)
    assert [turn.words for turn in sheet.turns if turn.kind is TurnKind.FAILED_CHALLENGE] == words
    first, second = judge_sheet(sheet, rules, NO).breakdown
    assert (first.challenges, second.challenges) == challenges
    assert [event.points for event in left_over] == [*unexplained_events, -7]
