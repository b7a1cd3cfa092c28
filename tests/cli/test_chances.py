"""The verb `chances`, and prize-aware rounds from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell


def play(shell: Shell, file: Path, *, open_tables: tuple[int, ...] = ()) -> Any:
    pairing = shell.json("pair", file)
    for game in pairing["games"]:
        if game["table"] not in open_tables:
            lower_number = min(game["first"], game["second"])
            first, second = (430, 370) if game["first"] == lower_number else (370, 430)
            shell.run("result", file, "--round", pairing["round"], "--table", game["table"], first, second)
    return pairing


@pytest.fixture
def prize_aware(shell: Shell) -> Path:
    return shell.build_once("prizes.tdapp", build_event)


def build_event(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf", "--rounds", 5, "--system", "prize")
    lines = "name\n" + "".join(f"Player {number}\n" for number in range(1, 10))
    shell.run("import", file, shell.file("nine.csv", lines))


@pytest.mark.slow
def test_chances_are_shown_before_and_after_the_rounds(shell: Shell, prize_aware: Path) -> None:
    before = shell.json("chances", prize_aware)

    assert (before["after"], before["rounds_left"], before["prize_places"]) == (0, 5, 2)
    assert len(before["rows"]) == 9
    for row in before["rows"]:
        assert sum(row["places"]) == pytest.approx(1, abs=1e-5)
    for rank in range(9):
        assert sum(row["places"][rank] for row in before["rows"]) == pytest.approx(1, abs=0.01)
    assert before["shared"]

    for _ in range(5):
        play(shell, prize_aware)
    after = shell.json("chances", prize_aware)
    assert [row["state"] for row in after["rows"]] == ["decided"] * 2 + ["out-of-reach"] * 7
    assert [row["places"].index(1) + 1 for row in after["rows"]] == [row["place"] for row in after["rows"]]


@pytest.mark.slow
def test_chances_of_a_prize_need_a_rank_with_a_prize(shell: Shell, prize_aware: Path) -> None:
    for rank in (1, 3, 80):
        shell.run("do", prize_aware, "add-prize", "kind=rank", f"place={rank}", "amount=1000")
    play(shell, prize_aware)
    during = shell.json("chances", prize_aware)
    assert during["prize_places"] == 2
    for row in during["rows"]:
        assert row["prize"] == pytest.approx(row["places"][0] + row["places"][2], abs=1e-5)
    for _ in range(4):
        play(shell, prize_aware)
    states = [row["state"] for row in shell.json("chances", prize_aware)["rows"]]
    assert states == ["decided", "out-of-reach", "decided"] + ["out-of-reach"] * 6


@pytest.mark.slow
def test_chances_include_an_open_game(shell: Shell, prize_aware: Path) -> None:
    for _ in range(4):
        play(shell, prize_aware)
    play(shell, prize_aware, open_tables=(1,))
    chances = shell.json("chances", prize_aware)

    assert (chances["open_games"], chances["rounds_left"]) == (1, 0)
    assert any(0.3 < row["places"][0] < 0.7 for row in chances["rows"])


@pytest.mark.slow
def test_chances_are_the_same_for_the_same_file(shell: Shell, prize_aware: Path) -> None:
    play(shell, prize_aware)

    assert shell.json("chances", prize_aware) == shell.json("chances", prize_aware)


def test_chances_are_printed_as_a_table(shell: Shell, prize_aware: Path) -> None:
    play(shell, prize_aware)
    output = shell.run("chances", prize_aware)

    assert "Chances after round 1, rounds left: 4, places with a prize: 2, simulations: 100000" in output
    assert "still possible" in output


@pytest.mark.slow
def test_pairings_of_a_prize_aware_round_explain_every_table(shell: Shell, prize_aware: Path) -> None:
    for _ in range(4):
        play(shell, prize_aware)
    coming_round = shell.json("chances", prize_aware)["coming_round"]
    last = play(shell, prize_aware)

    assert coming_round[0]["rule"] == "prize-last-round"
    assert coming_round[0]["pairs"][0] == [1, 2]
    assert last["system"] == "prize"
    assert last["games"][0]["reason"].endswith("last round, king of the hill for the prizes")
    assert all(game["reason"] for game in last["games"])


def test_chances_need_two_players(shell: Shell) -> None:
    file = shell.folder / "empty.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf")

    assert "players" in shell.run_refused("chances", file)


def test_prize_aware_settings_out_of_range_are_refused(shell: Shell, prize_aware: Path) -> None:
    stage = "stage=1"
    bad = 'settings={"contention": {"gibson_spread": []}}'

    assert "Largest spread from one game" in shell.run_refused("do", prize_aware, "edit-stage", stage, bad)
    assert "per mille" in shell.run_refused(
        "do", prize_aware, "edit-stage", stage, 'settings={"contention": {"hopefulness": [1001]}}'
    )
    shell.run("do", prize_aware, "edit-stage", stage, 'settings={"contention": {"simulations": 2000}}')
    assert shell.json("chances", prize_aware)["simulations"] == 2000
