"""Tests of the verb `chances` and of prize-aware rounds on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell


def play_round(shell: Shell, file: Path, *, open_tables: tuple[int, ...] = ()) -> Any:
    pairing = shell.run_json("pair", file)
    for game in pairing["games"]:
        if game["table"] not in open_tables:
            lower_number = min(game["first"], game["second"])
            first, second = (430, 370) if game["first"] == lower_number else (370, 430)
            shell.run("result", file, "--round", pairing["round"], "--table", game["table"], first, second)
    return pairing


@pytest.fixture
def prize_aware_file(shell: Shell) -> Path:
    return shell.build_once("prizes.tdapp", build_event)


def build_event(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf", "--rounds", 5, "--system", "prize")
    lines = "name\n" + "".join(f"Player {number}\n" for number in range(1, 10))
    shell.run("import", file, shell.write_file("nine.csv", lines))


@pytest.mark.slow
def test_chances_shows_chances_before_and_after_the_rounds(shell: Shell, prize_aware_file: Path) -> None:
    chances_before = shell.run_json("chances", prize_aware_file)

    assert (chances_before["after"], chances_before["rounds_left"], chances_before["prize_places"]) == (0, 5, 2)
    assert len(chances_before["rows"]) == 9
    for row in chances_before["rows"]:
        assert sum(row["places"]) == pytest.approx(1, abs=1e-5)
    for rank in range(9):
        assert sum(row["places"][rank] for row in chances_before["rows"]) == pytest.approx(1, abs=0.01)
    assert chances_before["shared"]

    for _ in range(5):
        play_round(shell, prize_aware_file)
    chances_after = shell.run_json("chances", prize_aware_file)
    assert [row["state"] for row in chances_after["rows"]] == ["decided"] * 2 + ["out-of-reach"] * 7
    assert [row["places"].index(1) + 1 for row in chances_after["rows"]] == [
        row["place"] for row in chances_after["rows"]
    ]


@pytest.mark.slow
def test_chances_of_prizes_need_a_prize_rank(shell: Shell, prize_aware_file: Path) -> None:
    for rank in (1, 3, 80):
        shell.run("do", prize_aware_file, "add-prize", "kind=rank", f"place={rank}", "amount=1000")
    play_round(shell, prize_aware_file)
    chances_between = shell.run_json("chances", prize_aware_file)
    assert chances_between["prize_places"] == 2
    for row in chances_between["rows"]:
        assert row["prize"] == pytest.approx(row["places"][0] + row["places"][2], abs=1e-5)
    for _ in range(4):
        play_round(shell, prize_aware_file)
    states = [row["state"] for row in shell.run_json("chances", prize_aware_file)["rows"]]
    assert states == ["decided", "out-of-reach", "decided"] + ["out-of-reach"] * 6


@pytest.mark.slow
def test_chances_includes_an_open_game(shell: Shell, prize_aware_file: Path) -> None:
    for _ in range(4):
        play_round(shell, prize_aware_file)
    play_round(shell, prize_aware_file, open_tables=(1,))
    chances = shell.run_json("chances", prize_aware_file)

    assert (chances["open_games"], chances["rounds_left"]) == (1, 0)
    assert any(0.3 < row["places"][0] < 0.7 for row in chances["rows"])


@pytest.mark.slow
def test_chances_is_repeatable(shell: Shell, prize_aware_file: Path) -> None:
    play_round(shell, prize_aware_file)

    assert shell.run_json("chances", prize_aware_file) == shell.run_json("chances", prize_aware_file)


def test_chances_prints_a_table(shell: Shell, prize_aware_file: Path) -> None:
    play_round(shell, prize_aware_file)
    output = shell.run("chances", prize_aware_file)

    assert "Chances after round 1, rounds left: 4, places with a prize: 2, simulations: 100000" in output
    assert "still possible" in output


@pytest.mark.slow
def test_pairings_explains_each_table_of_a_prize_aware_round(shell: Shell, prize_aware_file: Path) -> None:
    for _ in range(4):
        play_round(shell, prize_aware_file)
    coming_round = shell.run_json("chances", prize_aware_file)["coming_round"]
    last = play_round(shell, prize_aware_file)

    assert coming_round[0]["rule"] == "prize-last-round"
    assert coming_round[0]["pairs"][0] == [1, 2]
    assert last["system"] == "prize"
    assert last["games"][0]["reason"].endswith("last round, king of the hill for the prizes")
    assert all(game["reason"] for game in last["games"])


def test_chances_needs_two_players(shell: Shell) -> None:
    file = shell.folder / "empty.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf")

    assert "players" in shell.run_refused("chances", file)


def test_do_refuses_prize_settings_out_of_range(shell: Shell, prize_aware_file: Path) -> None:
    stage = "stage=1"
    bad_value = 'settings={"contention": {"gibson_spread": []}}'

    assert "Largest spread gain in one game" in shell.run_refused(
        "do", prize_aware_file, "edit-stage", stage, bad_value
    )
    assert "per mille" in shell.run_refused(
        "do", prize_aware_file, "edit-stage", stage, 'settings={"contention": {"hopefulness": [1001]}}'
    )
    shell.run("do", prize_aware_file, "edit-stage", stage, 'settings={"contention": {"simulations": 2000}}')
    assert shell.run_json("chances", prize_aware_file)["simulations"] == 2000
