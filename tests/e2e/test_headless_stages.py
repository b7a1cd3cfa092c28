"""A whole event from the command line: groups, then a Swiss of the best, then a knockout with its final."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tdapp import cli
from tests.building import RESOURCES

PLAYERS = "name;rating\n" + "".join(f"Player {n};{1900 - n}\n" for n in range(1, 13))
GROUPS = '{"groups": 3}'


class Shell:
    """The command line on one file."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = file
        self._capsys = capsys

    def run(self, verb: str, *words: object) -> str:
        code, output = self._call(verb, *words)
        assert code == 0, output.err
        return str(output.out)

    def run_refused(self, verb: str, *words: object) -> str:
        code, output = self._call(verb, *words)
        assert code == 2
        return str(output.err)

    def read(self, verb: str, *words: object) -> Any:
        return json.loads(self.run(verb, *words, "--json"))

    def _call(self, verb: str, *words: object) -> tuple[int, Any]:
        code = cli.run_command_line([verb, str(self.file), *map(str, words)], resources=RESOURCES)
        return code, self._capsys.readouterr()

    def play(self) -> dict[str, Any]:
        """Pair the next round; the lower number wins by their difference."""
        pairing: dict[str, Any] = self.read("pair")
        for game in pairing["games"]:
            gap = game["second"] - game["first"]
            self.run("result", "--round", pairing["round"], "--table", game["table"], 400 + gap, 400)
        return pairing


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Twelve players in three groups, of whom six play three rounds Swiss and four a knockout."""
    new_shell = Shell(tmp_path / "event.tdapp", capsys)
    new_shell.run(
        "new",
        "--name",
        "Open",
        "--rules",
        "nl-match",
        "--no-check-first",
        "--rounds",
        3,
        "--system",
        "round-robin",
    )
    people = tmp_path / "players.csv"
    people.write_text(PLAYERS)
    new_shell.run("import", people)
    new_shell.run("do", "edit-stage", "stage=1", f"settings={GROUPS}")
    new_shell.run("do", "add-stage", "system=swiss", "rounds=3", "cut=6", "carry=no")
    new_shell.run("do", "add-stage", "system=knockout", "rounds=2", "cut=4", 'settings={"third_place": true}')
    return new_shell


def test_stages_groups_then_swiss_then_knockout(shell: Shell) -> None:
    for number in range(1, 4):
        pairing = shell.play()
        assert (pairing["round"], pairing["system"], len(pairing["games"])) == (number, "round-robin", 6)
    after = shell.read("standings")
    assert after["stage"]["number"] == 1
    assert [row["place"] for row in after["rows"]] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert {row["group"] for row in after["rows"][:3]} == {1, 2, 3}
    through = {row["player"] for row in after["rows"][:6]}

    for _ in range(3):
        pairing = shell.play()
        assert {player for game in pairing["games"] for player in (game["first"], game["second"])} == through
    after = shell.read("standings")
    assert after["stage"] == {
        "number": 2, "system": "swiss", "cut": 6, "carry": False, "play_off": False, "counted_from": 4,
        "name": "", "date": "", "evening": False,
    }  # fmt: skip
    assert [row["out"] for row in after["rows"]] == [False] * 6 + [True] * 6
    assert {row["games"] for row in after["rows"][:6]} == {3}

    four = {row["player"] for row in after["rows"][:4]}
    semifinals = shell.play()
    assert {player for game in semifinals["games"] for player in (game["first"], game["second"])} == four
    final = shell.play()
    assert len(final["games"]) == 2
    end = shell.read("standings")["rows"]
    assert [row["rank"] for row in end] == [*range(1, 7), *[row["rank"] for row in end[6:]]]
    assert [row["place"] for row in end[:4]] == [1, 2, 3, 4]
    assert end[0]["player"] == 1
    assert [row["stage"] for row in end] == [3] * 4 + [2] * 2 + [1] * 6
    assert shell.read("check")["sound"]


def test_stages_schedule_is_changed_and_undone(shell: Shell) -> None:
    def schedule() -> list[tuple[str, int]]:
        rows = shell.read("stages")["stages"]
        assert [row["first"] for row in rows[1:]] == [row["last"] + 1 for row in rows[:-1]]
        return [(row["system"], row["last"] - row["first"] + 1) for row in rows]

    shell.run("do", "split-stage", "stage=2", "rounds=2", "system=king-of-the-hill")
    assert schedule()[1:3] == [("swiss", 2), ("king-of-the-hill", 1)]
    shell.run("do", "move-stage", "stage=3", "position=2")
    shell.run("do", "schedule-stage", "stage=2", "last=5")
    shell.run("do", "merge-stages", "stage=3")
    assert schedule() == [("round-robin", 3), ("king-of-the-hill", 2), ("swiss", 4)]
    for _ in range(4):
        shell.run("undo")
    assert schedule() == [("round-robin", 3), ("swiss", 3), ("knockout", 2)]


def test_stages_tie_at_the_cut_is_reported_and_played_off(shell: Shell) -> None:
    for _ in range(3):
        pairing = shell.read("pair")
        for game in pairing["games"]:
            shell.run("result", "--round", pairing["round"], "--table", game["table"], 400, 400)

    def count_ties() -> int:
        return sum(problem.startswith("Tied at the cut") for problem in shell.read("check")["problems"])

    assert count_ties() == 3  # two of the four of each group go on
    shell.run("do", "insert-play-off", "stage=2")
    pairing = shell.read("pair")
    assert (pairing["round"], pairing["system"], len(pairing["games"])) == (4, "knockout", 2)
    shell.run("undo")
    shell.run("undo")
    shell.run("do", "draw-cut", "stage=2")
    assert count_ties() == 0
    assert len(shell.read("pair")["games"]) == 3
