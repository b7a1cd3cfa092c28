"""Tests of rules common to all books, of differences between books, and of the list of computed rules."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tdapp.domain.ruleset import RuleSet
from tdapp.scrabble.sheet import ScoreSheetError
from tests.data_events import find_data_folder
from tests.rulebook.books import (
    judge_sheet_document,
    list_issue_codes,
    load_preset,
    load_tile_set,
    make_opening_plays,
    make_play,
    make_sheet,
    rule,
)

PRESETS = ("nl-match", "nl-match-earlier", "nl-points", "no-nsf", "de-scrabble", "be-brailleliga")
FOLDER = Path(__file__).parent


@pytest.fixture(params=PRESETS)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return load_preset(request.param)


@rule("X-01", "Sum of turn scores = running total; running total + adjustments = final")
def test_totals_report_the_first_wrong_one(rules: RuleSet) -> None:
    """The first wrong total is reported with both values. Later totals are computed from it."""
    turns = [
        make_play(1, 20, total=20),
        make_play(2, 30, total=30),
        make_play(1, 31, total=52),
        make_play(2, 10, total=40),
        make_play(1, 5, total=57),
    ]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="open"))
    assert [(issue.turn, issue.code, issue.stated, issue.computed) for issue in judged_sheet.issues] == [
        (3, "total-differs", 52, 51)
    ]
    assert judged_sheet.scores == (56, 40)
    assert [part.total for part in judged_sheet.breakdown] == [56, 40]


@rule("X-01", "A total that equals the recomputed one is right, whatever stood before it")
def test_totals_equal_to_the_recomputed_one_are_right(rules: RuleSet) -> None:
    taart = {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "total": 0}
    score = judge_sheet_document(rules, make_sheet([taart], ended="open")).scores[0]
    right_score = {**taart, "score": score + 1, "total": score}
    assert [
        (issue.turn, issue.code)
        for issue in judge_sheet_document(rules, make_sheet([right_score], ended="open")).issues
    ] == [(1, "score-differs")]
    turns = [{**taart, "score": score, "total": 99}, make_play(2, 30, total=30), make_play(1, 5, total=score + 5)]
    issues = judge_sheet_document(rules, make_sheet(turns, ended="open")).issues
    assert [(issue.turn, issue.code, issue.stated, issue.computed) for issue in issues] == [
        (1, "total-differs", 99, score)
    ]
    wrong_total = [
        {**taart, "score": score + 1, "total": score + 1},
        make_play(2, 3, total=3),
        make_play(1, 5, total=score + 9),
    ]
    assert judge_sheet_document(rules, make_sheet(wrong_total, ended="open")).issues[-1].computed == score + 5


@rule("X-02", "Tiles may not exceed the set; two blanks; racks of at most seven")
def test_tiles_in_use_are_limited_by_the_set(rules: RuleSet) -> None:
    two_tiles_x = {"player": 1, "kind": "play", "at": "8H", "word": "XX"}
    judged_sheet = judge_sheet_document(rules, make_sheet([two_tiles_x], ended="open", tileset="en"))
    assert [(issue.code, issue.stated, issue.computed, issue.detail) for issue in judged_sheet.issues] == [
        ("tile-over-used", 2, 1, "X")
    ]
    three_blanks = {"player": 1, "kind": "play", "at": "8H", "word": "aaa"}
    assert list_issue_codes(judge_sheet_document(rules, make_sheet([three_blanks], ended="open"))) == [
        "tile-over-used"
    ]
    long_rack = make_sheet([make_play(1, 20)], ended="open", racks=["EEEEEEEE", ""])
    assert list_issue_codes(judge_sheet_document(rules, long_rack)) == ["rack-too-long"]


@rule("X-03", "Number of new tiles per turn 1..7")
def test_tiles_of_a_play_must_be_new(rules: RuleSet) -> None:
    eight_tiles = {"player": 1, "kind": "play", "at": "8D", "word": "EEEEEEEE"}
    assert list_issue_codes(judge_sheet_document(rules, make_sheet([eight_tiles], ended="open"))) == [
        "too-many-tiles"
    ]
    turns = [
        {"player": 1, "kind": "play", "at": "8H", "word": "EE"},
        {"player": 2, "kind": "play", "at": "8H", "word": "EE"},
    ]
    assert "no-new-tile" in list_issue_codes(judge_sheet_document(rules, make_sheet(turns, ended="open")))


@rule("X-04", "If a player is out, the tiles on the board and the opponent's rack make up the set")
def test_last_rack_is_derived_from_the_remaining_tiles(rules: RuleSet) -> None:
    tileset = load_tile_set(rules.tileset)
    blanks = tileset.blanks
    turns = make_opening_plays(tileset, tile_count=tileset.tile_count - blanks - 3)
    remaining_tiles = [tile for tile in tileset.list_remaining_tiles(()) if tile != "?"][-3:]
    value = tileset.sum_tile_values(remaining_tiles)
    last_player = int(str(turns[-1]["player"]))
    racks = ["", ""]
    racks[2 - last_player] = "".join(remaining_tiles) + "?" * blanks
    codes_before_end = list_issue_codes(judge_sheet_document(rules, make_sheet(turns, ended="open")))
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="out", racks=racks))
    assert [part.racks for part in judged_sheet.breakdown] == (
        [value, -value] if last_player == 1 else [-value, value]
    )
    assert list_issue_codes(judged_sheet) == codes_before_end
    document = make_sheet(turns, ended="out")
    del document["rack_values"]
    assert judge_sheet_document(rules, document).scores == judged_sheet.scores
    without_blanks = judge_sheet_document(
        rules, make_sheet(turns, ended="out", racks=[rack.replace("?", "") for rack in racks])
    )
    assert "rack-differs" in list_issue_codes(without_blanks)


@rule("X-05", "Exchange 7/7/-/7; passes 3/4/-/6 scoreless; wrong challenge 0/5/0/10; overtime; bonus 50")
def test_books_differ_in_the_listed_parameters() -> None:
    def list_parameters(name: str) -> tuple[object, ...]:
        rules = load_preset(name)
        ending = rules.ending.row
        return (
            rules.exchange.minimum,
            ending.kind.value,
            ending.compute_scoreless_turn_limit(2) if ending.kind.value != "none" else 0,
            rules.challenge.points,
            rules.overtime.kind.value,
            rules.overtime.points,
            rules.overtime.limit,
            rules.bonus,
        )

    assert {name: list_parameters(name) for name in PRESETS} == {
        "nl-match": (7, "passes", 3, 0, "flag", 0, None, 50),
        "nl-match-earlier": (7, "passes", 3, 0, "flag", 0, None, 50),
        "nl-points": (7, "passes", 3, 0, "flag", 0, None, 50),
        "no-nsf": (7, "scoreless", 6, 10, "minutes", 10, 300, 50),
        "de-scrabble": (7, "passes", 4, 5, "none", 0, None, 50),
        "be-brailleliga": (0, "none", 0, 0, "none", 0, None, 50),
    }


def iterate_marked_rules() -> Iterator[str]:
    """Yield the rule ids in the markers of this folder's tests."""
    for path in sorted(FOLDER.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for decorator in node.decorator_list:
                if (
                    isinstance(decorator, ast.Call)
                    and isinstance(decorator.func, ast.Name)
                    and decorator.func.id == "rule"
                ):
                    name, sentence = (ast.literal_eval(argument) for argument in decorator.args)
                    assert sentence
                    yield name


def load_computed_rules() -> list[str]:
    lines = (FOLDER / "computed.txt").read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.slow
def test_computed_rules_each_have_a_test() -> None:
    assert max(Counter(load_computed_rules()).values()) == 1
    assert set(load_computed_rules()) - set(iterate_marked_rules()) == set()
    assert set(iterate_marked_rules()) - set(load_computed_rules()) == set()


@pytest.mark.data
def test_computed_rules_match_the_collection() -> None:
    path = find_data_folder().parent / "rules" / "acceptance.json"
    if not path.is_file():
        pytest.skip("the folder of the test data has no list of rules")
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert load_computed_rules() == [
        list_parameters["id"] for list_parameters in rows if list_parameters["scope"] == "computed"
    ]


def test_judge_sheet_refuses_an_unreadable_sheet() -> None:
    with pytest.raises(ScoreSheetError):
        judge_sheet_document("nl-match", {"players": [], "turns": []})
