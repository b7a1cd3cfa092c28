"""Command line tests of pairing constraints, assumed results, `balance`, `check` and `what-if`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell


class FileShell(Shell):
    """A shell that runs all verbs on one file."""

    def run(self, *arguments: object, code: int = 0) -> str:
        verb, *options = arguments
        return super().run(verb, self.folder / "event.tdapp", *options, code=code)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> FileShell:
    file_shell = FileShell(tmp_path, capsys)
    file_shell.build_once("event.tdapp", build_event)
    return file_shell


def build_event(shell: Shell, _: Path) -> None:
    shell.run("new", "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 5)
    lines = [f"Player {number},{1900 - number}" for number in range(1, 9)]
    shell.run("import", shell.write_file("players.csv", "\n".join(["name,rating", *lines, ""])))


def list_meetings(round_json: Any) -> set[frozenset[int]]:
    return {frozenset({game["first"], game["second"]}) for game in round_json["games"]}


def test_do_adds_and_removes_constraints(shell: FileShell) -> None:
    shell.run("do", "order-pairing", "player=1", "other=2", "round_number=1", "why=a bet")
    shell.run("do", "keep-apart", "player=3", "other=7")
    shell.run("do", "forbid-pairing", "player=4", "other=8")
    assert "must meet in round 1" in shell.run_refused("do", "forbid-pairing", "player=1", "other=2")
    pairing = shell.run_json("pair")
    assert frozenset({1, 2}) in list_meetings(pairing)
    assert not {frozenset({3, 7}), frozenset({4, 8})} & list_meetings(pairing)
    reasons = {frozenset({game["first"], game["second"]}): game["reason"] for game in pairing["games"]}
    assert reasons[frozenset({1, 2})] == "Required by the director"
    shell.run("do", "remove-constraint", "constraint=1")
    shell.run("do", "allow-pairing", "player=7", "other=3")
    assert "no longer exists" in shell.run_refused("do", "remove-constraint", "constraint=3")


def test_pair_assumes_missing_results_only_on_request(shell: FileShell) -> None:
    shell.run("pair")
    for table in (2, 3, 4):
        shell.run("result", "--round", 1, "--table", table, 400, 300)
    assert "is missing. Enter it, or add --assume" in shell.run_refused("pair")
    pairing = shell.run_json("pair", "--assume")
    assert pairing["assumed"] == [{"round": 1, "table": 1, "open": True}]
    assert pairing["source"] == 1
    assert "was paired as if table 1 of round 1 had been a draw" in str(shell.run_json("check")["problems"])
    shell.run("result", "--round", 1, "--table", 1, 500, 300)
    assert shell.run_json("pairings", "--round", 2)["assumed"][0]["open"] is False
    assert all(round_["same"] for round_ in shell.run_json("check")["rounds"])


@pytest.mark.slow
def test_check_lists_rounds_with_a_different_pairing(shell: FileShell) -> None:
    shell.run("pair")
    for table in (1, 2, 3, 4):
        shell.run("result", "--round", 1, "--table", table, 400, 300 + table)
    shell.run("pair")
    check_result = shell.run_json("check")
    assert [(round_["round"], round_["same"], round_["tables"]) for round_ in check_result["rounds"]] == [
        (1, True, 4),
        (2, True, 4),
    ]
    assert "2 of 2 rounds would be paired the same way again" in shell.run("check")
    shell.run("result", "--round", 1, "--table", 1, 300, 500, "--confirmed")
    check_result = shell.run_json("check")
    assert check_result["sound"]
    assert [round_["same"] for round_ in check_result["rounds"]] == [True, False]
    assert check_result["rounds"][1]["otherwise"]
    assert "would be paired differently now" in shell.run("check")


def test_balance_prints_a_table_and_json(shell: FileShell) -> None:
    shell.run("pair")
    balance = shell.run_json("balance")
    assert balance["after"] == 1
    assert {row["start_balance"] for row in balance["rows"]} == {1, -1}
    assert balance["rows"][0].keys() >= {"number", "starts", "replies", "in_a_row", "repeats", "byes", "absences"}
    assert "Balance" in shell.run("balance", "--after", 1)
    assert "no round" in shell.run_refused("balance", "--after", 4).casefold()


def test_pairings_explains_a_bye(shell: FileShell) -> None:
    shell.run("withdraw", 8)
    pairing = shell.run_json("pair")
    assert pairing["byes"][0]["reason"] == "the lowest score among those with the fewest byes"


def test_what_if_shows_a_change_without_saving(shell: FileShell) -> None:
    old_pairings = shell.run("history")
    comparison = shell.run_json("what-if", 1, 2)
    assert comparison["round"] == 1
    assert comparison.keys() >= {"swap", "meet", "meet_anew"}
    for way in ("meet", "meet_anew"):
        assert {1, 2} in [{game["first"], game["second"]} for game in comparison[way]["tables"]]
        assert not comparison[way]["better"]
        assert comparison[way]["cost"]["style"] > 0
    assert "worse" in shell.run("what-if", 1, 2)
    assert shell.run("history") == old_pairings
    shell.run("withdraw", 8)
    comparison = shell.run_json("what-if", 1)
    assert comparison["bye_anew"]["bye_instead"] == 1
    assert comparison["bye_anew"]["bye"] != 1
    assert "the bye goes to Player 1" in shell.run("what-if", 1)
    assert "99" in shell.run_refused("what-if", 1, 99)
