"""Tests of a whole Swiss on the command line: import, pairings, results, standings, printouts and undo."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tdapp import cli
from tests.building import RESOURCES
from tests.data_events import find_data_folder

SMALL = "name;rating\n" + "".join(f"Player {n};{1900 - 7 * n}\n" for n in range(1, 14))


def run_verb(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert cli.run_command_line([str(word) for word in words], resources=RESOURCES) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def play_rounds(file: Path, capsys: pytest.CaptureFixture[str], rounds: int) -> list[dict[str, Any]]:
    """Pair `rounds` rounds and enter random results. Return the pairings."""
    draw = Random(5)
    pairings = []
    for number in range(1, rounds + 1):
        pairings.append(json.loads(run_verb(capsys, "pair", file, "--json")))
        results = file.parent / "results.csv"
        lines = [
            f"{number},{game['table']},{draw.randint(300, 500)},{draw.randint(300, 500)}\n"
            for game in pairings[-1]["games"]
        ]
        results.write_text("round,table,score1,score2\n" + "".join(lines), encoding="utf-8")
        run_verb(capsys, "results", file, results)
    return pairings


def check_pairings(rounds: list[dict[str, Any]], players: int) -> None:
    """Check that each player has one game or bye per round, without repeats, with balanced byes and starts."""
    meetings: Counter[frozenset[int]] = Counter()
    starts: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    for pairing in rounds:
        seated_players = [number for game in pairing["games"] for number in (game["first"], game["second"])]
        seated_players += [bye["player"] for bye in pairing["byes"]]
        assert sorted(seated_players) == list(range(1, players + 1))
        meetings.update(frozenset({game["first"], game["second"]}) for game in pairing["games"])
        starts.update({game["first"]: 1 for game in pairing["games"]})
        starts.subtract({game["second"]: 1 for game in pairing["games"]})
        byes.update(bye["player"] for bye in pairing["byes"])
        assert [game["table"] for game in pairing["games"]] == list(range(1, players // 2 + 1))
    assert max(meetings.values()) == 1
    assert max(byes.values(), default=0) <= 1
    assert max(map(abs, starts.values())) <= 3
    assert sum(abs(balance) > 1 for balance in starts.values()) <= players // 5


def check_undo_and_redo(file: Path, capsys: pytest.CaptureFixture[str], rounds: int) -> None:
    """Check the sum of spreads and a printout. Undo all rounds, and redo them."""
    table = json.loads(run_verb(capsys, "standings", file, "--json"))
    assert sum(row["spread"] for row in table["rows"]) == 50 * rounds * (len(table["rows"]) % 2)
    target = file.parent / "standings.pdf"
    run_verb(capsys, "print", file, "standings", "-o", target)
    assert target.read_bytes().startswith(b"%PDF")
    for _ in range(2 * rounds):
        run_verb(capsys, "undo", file)
    assert all(row["games"] == 0 for row in json.loads(run_verb(capsys, "standings", file, "--json"))["rows"])
    for _ in range(2 * rounds):
        run_verb(capsys, "redo", file)
    assert json.loads(run_verb(capsys, "standings", file, "--json")) == table
    assert json.loads(run_verb(capsys, "check", file, "--json"))["sound"]


def test_swiss_of_13_players_and_six_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, source = tmp_path / "a.tdapp", tmp_path / "players.csv"
    source.write_text(SMALL, encoding="utf-8")
    run_verb(capsys, "new", file, "--name", "Small", "--rules", "no-nsf", "--rounds", 6)
    run_verb(capsys, "import", file, source)
    rounds = play_rounds(file, capsys, 6)
    check_pairings(rounds, 13)
    check_undo_and_redo(file, capsys, 6)


@pytest.mark.data
def test_swiss_of_60_players_and_nine_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = find_data_folder() / "events" / "mgi2022_a.t"
    old_file, players, file = tmp_path / "old.tdapp", tmp_path / "players.csv", tmp_path / "new.tdapp"
    run_verb(capsys, "new", old_file, "--name", "Old", "--rules", "nl-match")
    run_verb(capsys, "import", old_file, source)
    player_rows = json.loads(run_verb(capsys, "players", old_file, "--json"))
    lines = [f"{row['number']};{row['name']};{row['rating']}\n" for row in player_rows]
    players.write_text("nr;naam;rating\n" + "".join(lines), encoding="utf-8")
    run_verb(capsys, "new", file, "--name", "Real", "--rules", "nl-match", "--no-check-first", "--rounds", 9)
    run_verb(capsys, "import", file, players)
    rounds = play_rounds(file, capsys, 9)
    check_pairings(rounds, 60)
    check_undo_and_redo(file, capsys, 9)
