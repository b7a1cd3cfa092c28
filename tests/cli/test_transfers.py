"""Tests of the verbs `move`, `merge` and `merge-players`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.shell import Shell


def test_move_and_merge_move_players_to_another_division(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("b.csv", "name\nOne\nTwo\nThree\n"), "--division", "B")
    moved_player = shell.run_json("move", event_file, 6, 7, "--division", "A", "--to", "B")
    assert moved_player["follows"] == [
        "New player numbers in division B: 4–5",
        "Division A: 5 players in round 1, so one has a bye.",
        "Division B: 5 players in round 1, so one has a bye.",
    ]
    assert "New player numbers in division A: 6–10" in shell.run(
        "merge", event_file, "--division", "B", "--into", "A"
    )
    assert [player["division"] for player in shell.run_json("players", event_file)] == ["A"] * 10
    assert shell.run_json("undo", event_file)["label"] == "merge-division"
    assert "itself" in shell.run_refused("merge", event_file, "--division", "A", "--into", "A")


def test_merge_players_merges_two_entries_of_one_person(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("b.csv", "name\nJansen, Piet\n"), "--division", "A")
    old_players = shell.run_json("players", event_file)
    number = max(player["number"] for player in old_players)
    document = shell.run_json("merge-players", event_file, 1, number)
    assert (document["label"], document["facts"]["other"]) == ("merge-players", "Jansen, Piet")
    assert len(shell.run_json("players", event_file)) == len(old_players) - 1
    shell.run("undo", event_file)
    assert shell.run_json("players", event_file) == old_players
