"""Tests of whole knockouts on the command line: a double elimination of 24 players, and a best of three."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tdapp import cli
from tests.building import RESOURCES


class Knockout:
    """A knockout in a file, played with the verbs of the command line."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, self._capsys = file, capsys
        self._draw = Random(8)

    def run_verb(self, verb: str, *words: object) -> str:
        code = cli.run_command_line([verb, str(self.file), *map(str, words)], resources=RESOURCES)
        assert code == 0, self._capsys.readouterr().err
        return self._capsys.readouterr().out

    def run_json_verb(self, verb: str, *words: object) -> Any:
        return json.loads(self.run_verb(verb, *words, "--json"))

    def run_refused(self, verb: str, *words: object) -> str:
        assert cli.run_command_line([verb, str(self.file), *map(str, words)], resources=RESOURCES) == 2
        return self._capsys.readouterr().err

    def create_cup(self, players: int, settings: dict[str, object], rounds: int, rules: str = "no-nsf") -> None:
        source = self.file.with_suffix(".csv")
        lines = (f"Player {number};{2000 - 9 * number}\n" for number in range(1, players + 1))
        source.write_text("name;rating\n" + "".join(lines), encoding="utf-8")
        self.run_verb(
            "new",
            "--name",
            "Cup",
            "--rules",
            rules,
            "--no-check-first",
            "--system",
            "knockout",
            "--rounds",
            rounds,
        )
        self.run_verb("import", source)
        self.run_verb("do", "edit-stage", "stage=1", f"settings={json.dumps(settings)}")

    def play_round(self) -> dict[str, Any]:
        """Pair a round, and enter random results with some ties. Return the pairing."""
        pairing: dict[str, Any] = self.run_json_verb("pair")
        for game in pairing["games"]:
            first, second = self._draw.randint(330, 460), self._draw.randint(330, 460)
            starter_option = ["--first", 1] if game.get("start") == "draw" else []
            self.run_verb(
                "result", "--round", pairing["round"], "--table", game["table"], first, second, *starter_option
            )
        return pairing


@pytest.fixture
def cup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Knockout:
    return Knockout(tmp_path / "cup.tdapp", capsys)


def test_knockout_double_elimination_of_24_players(cup: Knockout) -> None:
    cup.create_cup(24, {"elimination": "double"}, rounds=11)
    rounds = []
    for _ in range(10):
        rounds.append(cup.play_round())
        problems = cup.run_json_verb("check")["problems"]
        assert not [problem for problem in problems if problem["code"] == "bracket-outdated"]
    bracket = cup.run_json_verb("bracket")
    final = next(match for match in bracket["matches"] if match["part"] == "grand-final")
    if final["winner"] == final["players"][1]:
        rounds.append(cup.play_round())
        bracket = cup.run_json_verb("bracket")
    assert "11" in cup.run_refused("pair") or "10" in cup.run_refused("pair")
    losses: Counter[int] = Counter()
    for match in bracket["matches"]:
        if match["needed"] and not match["bye"]:
            losses.update(set(match["players"]) - {match["winner"]})
    champion = bracket["places"][0]
    assert champion["place"] == 1
    assert (
        sum(losses.values()) == sum(len(pairing["games"]) for pairing in rounds) == 46 + losses[champion["player"]]
    )
    assert {losses[number] for number in range(1, 25) if number != champion["player"]} == {2}
    assert [row["place"] for row in bracket["places"]][:5] == [1, 2, 3, 4, 5]
    assert Counter(match["part"] for match in bracket["matches"] if not match["bye"]) == {
        "winners": 23,
        "losers": 22,
        "grand-final": 1,
        "reset": 1,
    }
    assert [bye["player"] for bye in rounds[0]["byes"]] == list(range(1, 9))
    assert "winner of" in rounds[1]["games"][0]["reason"]
    standings = cup.run_json_verb("standings")["rows"]
    assert standings[0]["player"] == champion["player"]
    assert cup.run_json_verb("check")["sound"]
    for _ in range(3):
        cup.run_verb("undo")
    for _ in range(3):
        cup.run_verb("redo")
    assert cup.run_json_verb("bracket") == bracket
    assert "Final of the losers’ bracket" in cup.run_verb("bracket")


def test_knockout_best_of_three_with_a_match_for_third_place(cup: Knockout) -> None:
    cup.create_cup(6, {"series": 3, "third_place": True}, rounds=9)
    while not all(match["decided"] for match in cup.run_json_verb("bracket")["matches"]):
        cup.play_round()
    bracket = cup.run_json_verb("bracket")
    assert bracket["series"] == 3
    for match in bracket["matches"]:
        if match["bye"]:
            assert match["games"] == []
            continue
        assert match["decided"]
        assert max(match["score"]) >= 1.5
        assert 2 <= len(match["games"]) <= 3
        assert {game["round"] for game in match["games"]} <= set(range(match["rounds"][0], match["rounds"][1] + 1))
    assert [row["place"] for row in bracket["places"]] == [1, 2, 3, 4, 5, 5]
    assert cup.run_json_verb("check")["sound"]


def test_knockout_draws_seeds_and_decides_a_tie(cup: Knockout) -> None:
    cup.create_cup(4, {}, rounds=2)
    before = [match["players"] for match in cup.run_json_verb("bracket")["matches"]]
    cup.run_verb("do", "seed-stage", "stage=1", "by=seeds-lot")
    assert [match["players"] for match in cup.run_json_verb("bracket")["matches"]] != before
    cup.run_json_verb("pair")
    cup.run_verb("result", "--round", 1, "--table", 1, 400, 400)
    cup.run_verb("result", "--round", 1, "--table", 2, 410, 400)
    assert "1" in cup.run_refused("pair")
    cup.run_verb("do", "decide-tie", "game=1/1", "winner=2")
    assert len(cup.run_json_verb("pair")["games"]) == 1
