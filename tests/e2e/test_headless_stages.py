"""Tests of a whole event on the command line: groups, then a Swiss, then a knockout with a final."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tdapp import cli
from tests.building import RESOURCES

PLAYERS = "name;rating\n" + "".join(f"Player {n};{1900 - n}\n" for n in range(1, 13))
GROUPS = '{"groups": 3}'


class EventShell:
    """The command line with one tournament file."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = file
        self._capsys = capsys

    def run_verb(self, verb: str, *words: object) -> str:
        code, output = self._run_command(verb, *words)
        assert code == 0, output.err
        return str(output.out)

    def run_refused(self, verb: str, *words: object) -> str:
        code, output = self._run_command(verb, *words)
        assert code == 2
        return str(output.err)

    def run_json_verb(self, verb: str, *words: object) -> Any:
        return json.loads(self.run_verb(verb, *words, "--json"))

    def _run_command(self, verb: str, *words: object) -> tuple[int, Any]:
        code = cli.run_command_line([verb, str(self.file), *map(str, words)], resources=RESOURCES)
        return code, self._capsys.readouterr()

    def play_round(self) -> dict[str, Any]:
        """Pair the next round. The lower number wins by the difference of the numbers."""
        pairing: dict[str, Any] = self.run_json_verb("pair")
        for game in pairing["games"]:
            gap = game["second"] - game["first"]
            self.run_verb("result", "--round", pairing["round"], "--table", game["table"], 400 + gap, 400)
        return pairing


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> EventShell:
    """Twelve players in three groups. Six play a Swiss of three rounds, and four of them a knockout."""
    new_shell = EventShell(tmp_path / "event.tdapp", capsys)
    new_shell.run_verb(
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
    player_file = tmp_path / "players.csv"
    player_file.write_text(PLAYERS)
    new_shell.run_verb("import", player_file)
    new_shell.run_verb("do", "edit-stage", "stage=1", f"settings={GROUPS}")
    new_shell.run_verb("do", "add-stage", "system=swiss", "rounds=3", "cut=6", "carry=no")
    new_shell.run_verb("do", "add-stage", "system=knockout", "rounds=2", "cut=4", 'settings={"third_place": true}')
    return new_shell


def test_stages_play_groups_then_swiss_then_knockout(shell: EventShell) -> None:
    for number in range(1, 4):
        pairing = shell.play_round()
        assert (pairing["round"], pairing["system"], len(pairing["games"])) == (number, "round-robin", 6)
    standings = shell.run_json_verb("standings")
    assert standings["stage"]["number"] == 1
    assert [row["place"] for row in standings["rows"]] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert {row["group"] for row in standings["rows"][:3]} == {1, 2, 3}
    qualified_players = {row["player"] for row in standings["rows"][:6]}

    for _ in range(3):
        pairing = shell.play_round()
        assert {
            player for game in pairing["games"] for player in (game["first"], game["second"])
        } == qualified_players
    standings = shell.run_json_verb("standings")
    assert standings["stage"] == {
        "number": 2, "system": "swiss", "cut": 6, "carry": False, "play_off": False, "counted_from": 4,
        "name": "", "date": "", "evening": False,
    }  # fmt: skip
    assert [row["out"] for row in standings["rows"]] == [False] * 6 + [True] * 6
    assert {row["games"] for row in standings["rows"][:6]} == {3}

    semifinalists = {row["player"] for row in standings["rows"][:4]}
    semifinals = shell.play_round()
    assert {player for game in semifinals["games"] for player in (game["first"], game["second"])} == semifinalists
    final = shell.play_round()
    assert len(final["games"]) == 2
    final_rows = shell.run_json_verb("standings")["rows"]
    assert [row["rank"] for row in final_rows] == [*range(1, 7), *[row["rank"] for row in final_rows[6:]]]
    assert [row["place"] for row in final_rows[:4]] == [1, 2, 3, 4]
    assert final_rows[0]["player"] == 1
    assert [row["stage"] for row in final_rows] == [3] * 4 + [2] * 2 + [1] * 6
    assert shell.run_json_verb("check")["sound"]


def test_stages_schedule_can_be_changed_and_undone(shell: EventShell) -> None:
    def list_schedule() -> list[tuple[str, int]]:
        rows = shell.run_json_verb("stages")["stages"]
        assert [row["first"] for row in rows[1:]] == [row["last"] + 1 for row in rows[:-1]]
        return [(row["system"], row["last"] - row["first"] + 1) for row in rows]

    shell.run_verb("do", "split-stage", "stage=2", "rounds=2", "system=king-of-the-hill")
    assert list_schedule()[1:3] == [("swiss", 2), ("king-of-the-hill", 1)]
    shell.run_verb("do", "move-stage", "stage=3", "position=2")
    shell.run_verb("do", "schedule-stage", "stage=2", "last=5")
    shell.run_verb("do", "merge-stages", "stage=3")
    assert list_schedule() == [("round-robin", 3), ("king-of-the-hill", 2), ("swiss", 4)]
    for _ in range(4):
        shell.run_verb("undo")
    assert list_schedule() == [("round-robin", 3), ("swiss", 3), ("knockout", 2)]


def test_stages_report_a_tie_at_the_cut_and_resolve_it(shell: EventShell) -> None:
    for _ in range(3):
        pairing = shell.run_json_verb("pair")
        for game in pairing["games"]:
            shell.run_verb("result", "--round", pairing["round"], "--table", game["table"], 400, 400)

    def count_ties() -> int:
        return sum(problem.startswith("Tied at the cut") for problem in shell.run_json_verb("check")["problems"])

    assert count_ties() == 3  # two of the four players of each group qualify
    shell.run_verb("do", "insert-play-off", "stage=2")
    pairing = shell.run_json_verb("pair")
    assert (pairing["round"], pairing["system"], len(pairing["games"])) == (4, "knockout", 2)
    shell.run_verb("undo")
    shell.run_verb("undo")
    shell.run_verb("do", "draw-cut", "stage=2")
    assert count_ties() == 0
    assert len(shell.run_json_verb("pair")["games"]) == 3
