"""Tests of the verb `rehearse`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.shell import Shell


def test_rehearse_compares_two_plans_without_changing_the_file(shell: Shell, demo_file: Path) -> None:
    old_content = demo_file.read_bytes()
    rehearsal = shell.run_json("rehearse", demo_file, "--rounds", 2, "--cut", 4, "--times", 3)
    assert (rehearsal["division"], rehearsal["plays"]) == ("A", 3)
    assert [plan["stages"] for plan in rehearsal["plans"]] == [
        [{"system": "swiss", "rounds": 3, "cut": None}],
        [{"system": "swiss", "rounds": 2, "cut": None}, {"system": "knockout", "rounds": 2, "cut": 4}],
    ]
    assert [plan["slips"] for plan in rehearsal["plans"]] == [12, 11]
    assert [plan["sheets"] for plan in rehearsal["plans"]] == [24, 22]
    assert rehearsal["plans"][0]["seconds"] == 3 * 3600
    assert rehearsal == shell.run_json("rehearse", demo_file, "--rounds", 2, "--cut", 4, "--times", 3)
    assert demo_file.read_bytes() == old_content


def test_rehearse_prints_a_table(shell: Shell, demo_file: Path) -> None:
    output_lines = shell.run("rehearse", demo_file, "--system", "round-robin", "--times", 2).splitlines()
    assert output_lines[0] == "As planned: Swiss 3 · Alternative: round robin 7 · simulated 2 times"
    assert output_lines[1].split() == ["Average", "per", "simulation", "As", "planned", "Alternative"]
    assert output_lines[4].split() == ["Rounds", "played", "3", "7"]
    assert output_lines[5].split()[-2:] == ["3:00", "7:00"]


def test_rehearse_refuses_an_impossible_plan_in_one_line(shell: Shell, demo_file: Path) -> None:
    run_refused = shell.run_refused
    assert run_refused("rehearse", demo_file, "--system", "nothing").endswith(
        "There is no pairing system nothing.\n"
    )
    assert "1 is not between 2 and 8" in run_refused("rehearse", demo_file, "--cut", 1)
    assert "0 is not between 1 and 10000" in run_refused("rehearse", demo_file, "--times", 0)
    assert "500 is not between 1 and 200" in run_refused("rehearse", demo_file, "--rounds", 500)
    assert "paired by hand" in run_refused("rehearse", demo_file, "--system", "manual")
