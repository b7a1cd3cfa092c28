"""The verbs that bring players to another division."""

from __future__ import annotations

from pathlib import Path

from tests.cli.shell import Shell


def test_move_and_merge_bring_players_to_another_division(shell: Shell, event: Path) -> None:
    shell.run("import", event, shell.file("b.csv", "name\nOne\nTwo\nThree\n"), "--division", "B")
    moved = shell.json("move", event, 6, 7, "--division", "A", "--to", "B")
    assert moved["follows"] == [
        "New player numbers in division B: 4–5",
        "Division A: 5 players in round 1, so one has a bye.",
        "Division B: 5 players in round 1, so one has a bye.",
    ]
    assert "New player numbers in division A: 6–10" in shell.run("merge", event, "--division", "B", "--into", "A")
    assert [player["division"] for player in shell.json("players", event)] == ["A"] * 10
    assert shell.json("undo", event)["label"] == "merge-division"
    assert "itself" in shell.run_refused("merge", event, "--division", "A", "--into", "A")


def test_merge_players_merges_two_entries_of_one_person(shell: Shell, event: Path) -> None:
    shell.run("import", event, shell.file("b.csv", "name\nJansen, Piet\n"), "--division", "A")
    before = shell.json("players", event)
    number = max(player["number"] for player in before)
    document = shell.json("merge-players", event, 1, number)
    assert (document["label"], document["facts"]["other"]) == ("merge-players", "Jansen, Piet")
    assert len(shell.json("players", event)) == len(before) - 1
    shell.run("undo", event)
    assert shell.json("players", event) == before
