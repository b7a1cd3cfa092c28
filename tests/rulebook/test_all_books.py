"""Rules common to all books, differences between books, and a check that every computed rule has its test."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tdapp.domain.ruleset import RuleSet
from tdapp.scrabble.sheet import SheetError
from tests.data_events import find_data_folder
from tests.rulebook.books import codes, judged, opening, play, preset, rule, sheet, tiles

PRESETS = ("nl-match", "nl-match-earlier", "nl-points", "no-nsf", "de-scrabble", "be-brailleliga")
HERE = Path(__file__).parent


@pytest.fixture(params=PRESETS)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return preset(request.param)


@rule("X-01", "Sum of turn scores = running total; running total + adjustments = final")
def test_totals_first_wrong_one_is_named(rules: RuleSet) -> None:
    """The first wrong total is named, with both figures; later ones follow from it."""
    turns = [
        play(1, 20, total=20),
        play(2, 30, total=30),
        play(1, 31, total=52),
        play(2, 10, total=40),
        play(1, 5, total=57),
    ]
    found = judged(rules, sheet(turns, ended="open"))
    assert [(i.turn, i.code, i.stated, i.computed) for i in found.issues] == [(3, "total-differs", 52, 51)]
    assert found.scores == (56, 40)
    assert [part.total for part in found.breakdown] == [56, 40]


@rule("X-01", "A total that equals the recomputed one is right, whatever stood before it")
def test_totals_equal_to_the_recomputed_one_are_right(rules: RuleSet) -> None:
    taart = {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "total": 0}
    outcome = judged(rules, sheet([taart], ended="open")).scores[0]
    right = {**taart, "score": outcome + 1, "total": outcome}
    assert [(i.turn, i.code) for i in judged(rules, sheet([right], ended="open")).issues] == [(1, "score-differs")]
    turns = [{**taart, "score": outcome, "total": 99}, play(2, 30, total=30), play(1, 5, total=outcome + 5)]
    found = judged(rules, sheet(turns, ended="open")).issues
    assert [(i.turn, i.code, i.stated, i.computed) for i in found] == [(1, "total-differs", 99, outcome)]
    wrong = [
        {**taart, "score": outcome + 1, "total": outcome + 1},
        play(2, 3, total=3),
        play(1, 5, total=outcome + 9),
    ]
    assert judged(rules, sheet(wrong, ended="open")).issues[-1].computed == outcome + 5


@rule("X-02", "Tiles may not exceed the set; two blanks; racks of at most seven")
def test_tiles_in_use_are_limited_by_the_set(rules: RuleSet) -> None:
    q = {"player": 1, "kind": "play", "at": "8H", "word": "XX"}
    found = judged(rules, sheet([q], ended="open", tileset="en"))
    assert [(i.code, i.stated, i.computed, i.detail) for i in found.issues] == [("tile-over-used", 2, 1, "X")]
    three = {"player": 1, "kind": "play", "at": "8H", "word": "aaa"}
    assert codes(judged(rules, sheet([three], ended="open"))) == ["tile-over-used"]
    long = sheet([play(1, 20)], ended="open", racks=["EEEEEEEE", ""])
    assert codes(judged(rules, long)) == ["rack-too-long"]


@rule("X-03", "Number of new tiles per turn 1..7")
def test_tiles_of_a_play_must_be_new(rules: RuleSet) -> None:
    eight = {"player": 1, "kind": "play", "at": "8D", "word": "EEEEEEEE"}
    assert codes(judged(rules, sheet([eight], ended="open"))) == ["too-many-tiles"]
    turns = [
        {"player": 1, "kind": "play", "at": "8H", "word": "EE"},
        {"player": 2, "kind": "play", "at": "8H", "word": "EE"},
    ]
    assert "no-new-tile" in codes(judged(rules, sheet(turns, ended="open")))


@rule("X-04", "If a player is out, the tiles on the board and the opponent's rack make up the set")
def test_last_rack_is_derived_from_the_remaining_tiles(rules: RuleSet) -> None:
    tileset = tiles(rules.tileset)
    blanks = tileset.blanks
    turns = opening(tileset, laid=tileset.tile_count - blanks - 3)
    left = [tile for tile in tileset.list_remaining_tiles(()) if tile != "?"][-3:]
    value = tileset.sum_values(left)
    last = int(str(turns[-1]["player"]))
    racks = ["", ""]
    racks[2 - last] = "".join(left) + "?" * blanks
    played = codes(judged(rules, sheet(turns, ended="open")))
    found = judged(rules, sheet(turns, ended="out", racks=racks))
    assert [part.racks for part in found.breakdown] == ([value, -value] if last == 1 else [-value, value])
    assert codes(found) == played
    document = sheet(turns, ended="out")
    del document["rack_values"]
    assert judged(rules, document).scores == found.scores
    wrong = judged(rules, sheet(turns, ended="out", racks=[rack.replace("?", "") for rack in racks]))
    assert "rack-differs" in codes(wrong)


@rule("X-05", "Exchange 7/7/-/7; passes 3/4/-/6 scoreless; wrong challenge 0/5/0/10; overtime; bonus 50")
def test_books_differ_in_the_listed_parameters() -> None:
    def row(name: str) -> tuple[object, ...]:
        rules = preset(name)
        ending = rules.ending.row
        return (
            rules.exchange.minimum,
            ending.kind.value,
            ending.get_row_length(2) if ending.kind.value != "none" else 0,
            rules.challenge.points,
            rules.overtime.kind.value,
            rules.overtime.points,
            rules.overtime.limit,
            rules.bonus,
        )

    assert {name: row(name) for name in PRESETS} == {
        "nl-match": (7, "passes", 3, 0, "flag", 0, None, 50),
        "nl-match-earlier": (7, "passes", 3, 0, "flag", 0, None, 50),
        "nl-points": (7, "passes", 3, 0, "flag", 0, None, 50),
        "no-nsf": (7, "scoreless", 6, 10, "minutes", 10, 300, 50),
        "de-scrabble": (7, "passes", 4, 5, "none", 0, None, 50),
        "be-brailleliga": (0, "none", 0, 0, "none", 0, None, 50),
    }


def marked() -> Iterator[str]:
    """The ids that tests of this folder are marked with."""
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
                    name, sentence = (ast.literal_eval(argument) for argument in mark.args)
                    assert sentence
                    yield name


def computed() -> list[str]:
    lines = (HERE / "computed.txt").read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.slow
def test_computed_rules_each_have_a_test() -> None:
    assert max(Counter(computed()).values()) == 1
    assert set(computed()) - set(marked()) == set()
    assert set(marked()) - set(computed()) == set()


@pytest.mark.data
def test_computed_rules_match_the_collection() -> None:
    path = find_data_folder().parent / "rules" / "acceptance.json"
    if not path.is_file():
        pytest.skip("the list of rules is not beside the collection")
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert computed() == [row["id"] for row in rows if row["scope"] == "computed"]


def test_judge_sheet_refuses_an_unreadable_sheet() -> None:
    with pytest.raises(SheetError):
        judged("nl-match", {"players": [], "turns": []})
