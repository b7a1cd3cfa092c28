"""Tests of the verbs `score` and `gcg`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tdapp import cli
from tests.building import RESOURCES
from tests.cli.shell import Shell
from tests.data_events import find_data_folder

SHEET: dict[str, Any] = {
    "players": ["Ans", "Bea"],
    "first": 1,
    "tileset": "nl",
    "knockout": False,
    "turns": [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20, "total": 20},
        {"player": 2, "kind": "exchange", "tiles": 3},
        {"player": 1, "kind": "play", "at": "E7", "word": "LAT", "score": 6, "total": 26},
        {
            "player": 2,
            "kind": "play",
            "word": "FOUT",
            "score": 30,
            "total": 30,
            "ruling": "phony",
            "wrong_words": 1,
        },
        {"player": 1, "kind": "withdrawn", "at": "H8", "word": "XYZ"},
        {"player": 2, "kind": "failed-challenge", "words": 1},
        {"player": 2, "kind": "play", "word": "WEL", "score": 18, "total": 48, "contested": "XYZ"},
        {"player": 1, "kind": "lost-turn"},
        {"player": 2, "kind": "pass"},
    ],
    "other_form": [{"turn": 3, "score": 7, "total": 27}],
    "racks": ["B", "AE"],
    "ended": "flag",
    "flag": 2,
    "overtime_seconds": [0, 75],
    "sanctions": [{"player": 1, "kind": "points", "points": 10, "why": "telefoon"}],
}
GCG = b"""#character-encoding UTF-8
#player1 Ans Ans de Vries
#player2 Bea Bea Jansen
>Ans: AAERTTX 8D TAART +12 12
>Bea: EELNOPS 9C ENE +99 99
"""


class ScoringShell(Shell):
    """A shell that scores sheets from JSON documents."""

    def score_document(self, document: object, rules: str = "nl-match") -> Any:
        return self.run_json("score", self.write_file("sheet.json", json.dumps(document)), "--rules", rules)

    def refuse_document(self, document: object) -> str:
        return self.run_refused(
            "score", self.write_file("sheet.json", json.dumps(document)), "--rules", "nl-match", "--json"
        )


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> ScoringShell:
    return ScoringShell(tmp_path, capsys)


def test_score_prints_the_stable_keys(shell: ScoringShell) -> None:
    score = shell.score_document(SHEET)
    keys = "rules scores result match_points rated spread breakdown turns issues recount_right"
    assert set(score) >= set(keys.split())
    assert (score["rules"], score["rated"], score["recount_right"]) == ("nl-match", True, False)
    columns = ("turns", "phonies", "racks", "overtime", "challenges", "sanctions")
    assert [[part[column] for column in columns] for part in score["breakdown"]] == [
        [26, 0, -3, 0, 0, -10],
        [48, -70, -2, 0, 0, 0],
    ]
    assert (score["scores"], score["spread"]) == ([13, -24], 37)
    assert (score["result"], score["match_points"]) == (["win", "loss"], [1, 0])
    first = score["turns"][0]
    assert {key: first[key] for key in ("number", "player", "score", "stated", "total", "words", "issues")} == {
        "number": 1,
        "player": 1,
        "score": 20,
        "stated": 20,
        "total": 20,
        "words": ["TAART"],
        "issues": [],
    }
    assert [line["number"] for line in score["turns"]] == list(range(1, 10))


def test_score_names_turn_code_and_figures_of_issues(shell: ScoringShell) -> None:
    document = deepcopy(SHEET)
    document["turns"][2]["score"] = 5
    score = shell.score_document(document)
    location = {"turn": 3, "row": 2, "player": 1}
    issue = {**location, "code": "score-differs", "stated": 5, "computed": 6}
    assert issue in score["issues"]
    assert issue in score["turns"][2]["issues"]
    assert {**location, "code": "forms-differ", "stated": 5, "other": 7, "detail": "score"} in score["issues"]


def test_score_of_an_unfinished_game_has_no_result(shell: ScoringShell) -> None:
    score = shell.score_document({"players": ["A", "B"], "turns": SHEET["turns"][:1], "ended": "open"})
    assert (score["result"], score["match_points"], score["scores"]) == ([None, None], [None, None], [20, 0])


def test_score_of_a_draw_is_half_a_point(shell: ScoringShell) -> None:
    assert shell.score_document({"players": ["A", "B"], "ended": "time", "rack_values": [0, 0]})[
        "match_points"
    ] == [
        0.5,
        0.5,
    ]


def test_score_of_a_forfeit_has_a_winner(shell: ScoringShell) -> None:
    score = shell.score_document({"players": ["A", "B"], "ended": "forfeit", "forfeit": 1}, "no-nsf")
    assert (score["result"], score["spread"], score["rated"], score["turns"]) == (["loss", "win"], -50, False, [])


def test_score_uses_the_tiles_of_the_rule_set(shell: ScoringShell) -> None:
    document = {"players": ["A", "B"], "turns": SHEET["turns"][:1], "ended": "open"}
    assert shell.score_document(document)["turns"][0]["score"] == 20
    assert shell.score_document(document, "be-brailleliga")["turns"][0]["score"] == 12


def test_score_prints_sentences(shell: ScoringShell) -> None:
    path = shell.write_file("sheet.json", json.dumps(SHEET).encode())
    output_lines = shell.run("score", path, "--rules", "nl-match", "--lang", "nl").splitlines()
    assert output_lines[0] == "Ans: 13 (winst) = beurten +26, restletters −3, sancties −10"
    assert output_lines[1].startswith("Bea: −24") or output_lines[1].startswith("Bea: -24")
    assert any(line.startswith("regel 2, Ans: ") for line in output_lines)
    assert not any("?" in line for line in output_lines)


def test_score_names_data_unknown_to_the_rules(shell: ScoringShell) -> None:
    document = SHEET | {"ended": "passes", "flag": None, "sanctions": [{"player": 1, "kind": "time"}]}
    path = shell.write_file("sheet.json", json.dumps(document).encode())
    output = shell.run("score", path, "--rules", "be-brailleliga", "--lang", "nl")
    assert "Volgens deze regels eindigt een partij niet zo: reeks passen." in output
    output = shell.run("score", path, "--rules", "nl-match", "--lang", "nl")
    assert "De regels noemen deze sanctie niet: tijdstraf." in output


# Each case: a change that makes one field invalid, and its path in the error.
INVALID_SHEETS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda s: s.pop("players"), "players: "),
    (lambda s: s.update(players="Ans"), "players: "),
    (lambda s: s.update(players=[]), "players: "),
    (lambda s: s.update(players=["A", "B", "C", "D", "E"]), "players: "),
    (lambda s: s.update(players=["Ans", 2]), "players: "),
    (lambda s: s.update(first=3), "first: "),
    (lambda s: s.update(first="1"), "first: "),
    (lambda s: s.update(tileset=5), "tileset: "),
    (lambda s: s.update(knockout="no"), "knockout: "),
    (lambda s: s.update(turns={}), "turns: "),
    (lambda s: s.update(turns=[7]), "turns[0]: "),
    (lambda s: s["turns"][1].pop("player"), "turns[1].player: "),
    (lambda s: s["turns"][1].update(player=3), "turns[1].player: "),
    (lambda s: s["turns"][1].pop("kind"), "turns[1].kind: "),
    (lambda s: s["turns"][1].update(kind="swap"), "turns[1].kind: "),
    (lambda s: s["turns"][0].update(at=8), "turns[0].at: "),
    (lambda s: s["turns"][0].update(word=["T"]), "turns[0].word: "),
    (lambda s: s["turns"][0].update(score=20.5), "turns[0].score: "),
    (lambda s: s["turns"][0].update(score=True), "turns[0].score: "),
    (lambda s: s["turns"][0].update(total="20"), "turns[0].total: "),
    (lambda s: s["turns"][1].update(tiles=8), "turns[1].tiles: "),
    (lambda s: s["turns"][3].update(ruling="wrong"), "turns[3].ruling: "),
    (lambda s: s["turns"][3].update(wrong_words=0), "turns[3].wrong_words: "),
    (lambda s: s["turns"][5].update(words=-1), "turns[5].words: "),
    (lambda s: s["turns"][6].update(contested=1), "turns[6].contested: "),
    (lambda s: s["turns"][0].update(colour="red"), "turns[0].colour: "),
    (lambda s: s["other_form"][0].update(turn=10), "other_form[0].turn: "),
    (lambda s: s["other_form"][0].update(score="7"), "other_form[0].score: "),
    (lambda s: s["other_form"][0].update(total=[]), "other_form[0].total: "),
    (lambda s: s.update(racks=["B"]), "racks: "),
    (lambda s: s.update(racks=[1, 2]), "racks: "),
    (lambda s: s.update(rack_values=[1, 2]), "rack_values: "),
    (lambda s: s.update(ended="over"), "ended: "),
    (lambda s: s.update(flag=3), "flag: "),
    (lambda s: s.update(overtime_seconds=[75]), "overtime_seconds: "),
    (lambda s: s.update(overtime_seconds=[0, -1]), "overtime_seconds: "),
    (lambda s: s.update(forfeit=1), "forfeit: "),
    (lambda s: s["sanctions"][0].update(player=0), "sanctions[0].player: "),
    (lambda s: s["sanctions"][0].update(kind="fine"), "sanctions[0].kind: "),
    (lambda s: s["sanctions"][0].pop("points"), "sanctions[0].points: "),
    (lambda s: s["sanctions"][0].update(why=3), "sanctions[0].why: "),
    (lambda s: s.update(referee="Cor"), "referee: "),
]


@pytest.mark.parametrize(
    ("change", "path"),
    INVALID_SHEETS,
    ids=[f"{n}-{path.split(':')[0]}" for n, (_, path) in enumerate(INVALID_SHEETS)],
)
def test_score_names_each_invalid_field(
    shell: ScoringShell, change: Callable[[dict[str, Any]], object], path: str
) -> None:
    document = deepcopy(SHEET)
    change(document)
    assert f'"{path.removesuffix(": ")}": ' in shell.refuse_document(document)


def test_score_names_all_errors_at_once(shell: ScoringShell) -> None:
    document = deepcopy(SHEET)
    document["turns"][0]["score"] = "many"
    document["ended"] = "never"
    error = shell.refuse_document(document)
    assert '"turns[0].score": ' in error
    assert '"ended": ' in error


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\x00\x01\x02",
        b'{"players": ["\\ud800", "B"]}',
        b"[" * 100_000,
        b'{"players": NaN}',
        b'{"a\\nb": 1, "players": ["A", "B"]}',
        b'{"players": ["A", "B"], "turns": [{"player": 1, "kind": "play", "score": ' + b"9" * 5000 + b"}]}",
    ],
)
def test_score_refuses_hostile_files_in_one_line(shell: ScoringShell, content: bytes) -> None:
    path = shell.write_file("sheet.json", content)
    assert shell.run_refused("score", path, "--rules", "nl-match").startswith("sheet.json")


def test_score_names_missing_data(shell: ScoringShell) -> None:
    path = shell.write_file("sheet.json", json.dumps(SHEET).encode())
    assert "nl-match" in shell.run_refused("score", path, "--rules", "chess")
    assert (
        "does not exist" in shell.run_refused("score", shell.folder / "none.json", "--rules", "nl-match").lower()
    )
    assert "nl-be-old" in shell.refuse_document(SHEET | {"tileset": "klingon"})
    sheet_of_three = {"players": ["A", "B", "C"], "ended": "open"}
    assert "at most 2" in shell.refuse_document(sheet_of_three)
    assert "does not say which player’s time ran out" in shell.refuse_document(
        {"players": ["A", "B"], "ended": "flag"}
    )


def test_gcg_prints_the_stable_keys(shell: ScoringShell) -> None:
    path = shell.write_file("game.gcg", GCG)
    document = shell.run_json("gcg", path, "--tiles", "nl-be-old")
    assert (document["players"], document["scores"][0]) == (["Ans de Vries", "Bea Jansen"], 12)
    assert {
        key: document["turns"][0][key] for key in ("number", "player", "score", "stated", "total", "words")
    } == {
        "number": 1,
        "player": 1,
        "score": 12,
        "stated": 12,
        "total": 12,
        "words": ["TAART"],
    }
    difference_codes = next(issue for issue in document["issues"] if issue["code"] == "score-differs")
    assert (difference_codes["turn"], difference_codes["stated"], difference_codes["computed"]) == (
        2,
        99,
        document["turns"][1]["score"],
    )
    modern_document = shell.run_json("gcg", path, "--tiles", "nl")
    assert modern_document["scores"][0] == 20
    output_lines = shell.run("gcg", path).splitlines()
    assert output_lines[0].startswith("Ans de Vries: ")


def test_gcg_refuses_an_unreadable_file(shell: ScoringShell) -> None:
    path = shell.write_file("game.gcg", GCG + b">Cor: ABC 8D ABC +1 1\n")
    assert shell.run_refused("gcg", path).startswith("game.gcg, line 6: ")
    assert shell.run_refused("gcg", shell.write_file("empty.gcg", b"")).startswith("empty.gcg")
    assert "klingon" in shell.run_refused("gcg", shell.write_file("g.gcg", GCG), "--tiles", "klingon")


@pytest.mark.slow
@pytest.mark.data
def test_gcg_recomputes_valid_games_of_the_collection(shell: ScoringShell) -> None:
    folder = find_data_folder() / "gcg"
    expected = defaultdict(list)
    for line in (folder / "expected.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        expected[row["file"]].append(row)
    files = sorted((folder / "ok").glob("*.gcg"))
    assert files
    for path in files:
        document = shell.run_json("gcg", path)
        turns = {turn["line"]: turn for turn in document["turns"]}
        assert not [issue for issue in document["issues"] if issue["code"] in {"score-differs", "total-differs"}]
        last = {}
        for row in expected[path.name]:
            turn = turns[row["line"]]
            assert (turn["score"], turn["total"]) == (row["delta"], row["cum"]), (path.name, row["line"])
            assert turn["words"] == row.get("words", [])
            last[turn["player"]] = row["cum"]
        assert document["scores"] == [last.get(player, 0) for player in range(1, len(document["players"]) + 1)]


@pytest.mark.data
@pytest.mark.parametrize("kind", ["deviating", "malformed"])
def test_gcg_refuses_bad_games_of_the_collection(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    paths = sorted((find_data_folder() / "gcg" / kind).glob("*.gcg"))
    assert paths
    for path in paths:
        code = cli.run_command_line(["gcg", str(path), "--json"], resources=RESOURCES)
        captured = capsys.readouterr()
        if code == 2:
            assert (kind, len(captured.err.splitlines())) == ("malformed", 1), path.name
        else:
            assert json.loads(captured.out)["issues"] or kind == "malformed", path.name


_TURNS = """{"players": ["Jan", "Els"],
 "turns": [
  {"player": 1, "kind": "play", "word": "TAART", "score": 20},
  {"player": 2, "kind": "play",
   WRONG}
 ]}"""


@pytest.mark.parametrize(
    ("turn_text", "error_text"),
    [
        ('"score": 99999', 'line 5, "turns[1].score": Expected a number from -9999 to 9999, not 99999.'),
        ('"score": "x"', 'line 5, "turns[1].score": Expected a whole number, not x.'),
        ('"rack": "A"', 'line 4, "turns[1].word": A play needs a word or a score.'),
        ('"score": 1, "ruling": "no"', 'line 5, "turns[1].ruling": Expected one of phony, not no.'),
        (
            '"score": 1, "colour": "red", "tiles": 2',
            (
                'line 5, "turns[1].tiles": This can be filled in only for an exchange. '
                'line 5, "turns[1].colour": A score'
            ),
        ),
    ],
)
def test_score_error_names_file_line_and_field(shell: Shell, turn_text: str, error_text: str) -> None:
    path = shell.write_file("sheet.json", _TURNS.replace("WRONG", turn_text))
    assert f"sheet.json: The score sheet cannot be used: {error_text}" in shell.run_refused(
        "score", path, "--rules", "nl-match"
    )


def test_score_error_is_in_the_language_of_the_director(shell: Shell) -> None:
    path = shell.write_file("sheet.json", _TURNS.replace("WRONG", '"score": "x"'))
    error = shell.run_refused("score", path, "--rules", "nl-match", "--lang", "nl")
    assert 'regel 5, "turns[1].score": Hier hoort een geheel getal te staan, niet x.' in error
