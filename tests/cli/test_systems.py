"""Command line tests of all pairing systems, from the first pairing to the check."""

from __future__ import annotations

import pytest

from tdapp.pairing import SYSTEMS
from tests.cli.shell import Shell

PLAYERS = "name;rating;team\n" + "".join(f"Player {n};{1900 - n};Team {n % 4}\n" for n in range(1, 9))
LEAVES_NOBODY = {name for name in SYSTEMS if name not in {"knockout", "manual"}}


@pytest.mark.parametrize("system", SYSTEMS)
def test_pair_with_each_system_from_start_to_finish(shell: Shell, system: str) -> None:
    file = shell.folder / "event.tdapp"
    shell.run(
        "new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 3, "--system", system
    )
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    for number in range(1, 4):
        pairing = shell.run_json("pair", file)
        assert (pairing["round"], pairing["system"]) == (number, system)
        assert all(game["reason"] and "{" not in game["reason"] for game in pairing["games"])
        if system in LEAVES_NOBODY:
            assert len(pairing["games"]) == 4
        for game in pairing["games"]:
            shell.run("result", file, "--round", number, "--table", game["table"], 400 + game["first"], 390)
    assert shell.run_json("check", file)["sound"]


@pytest.mark.parametrize("system", ["team-swiss", "team-round-robin"])
def test_pair_makes_team_matches_at_boards(shell: Shell, system: str) -> None:
    file = shell.folder / "league.tdapp"
    shell.run(
        "new",
        file,
        "--name",
        "League",
        "--rules",
        "nl-match",
        "--no-check-first",
        "--rounds",
        3,
        "--system",
        system,
    )
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    shell.run("do", file, "edit-stage", "stage=1", 'settings={"boards": 2}')
    for number in range(1, 4):
        for game in shell.run_json("pair", file)["games"]:
            shell.run("result", file, "--round", number, "--table", game["table"], 400 + game["first"], 390)
    teams = shell.run_json("teams", file)
    assert [row["matches"] for row in teams["rows"]] == [3] * 4
    assert sum(row["match_points"] for row in teams["rows"]) == 3 * 2 * 2
    assert [match["tables"] for match in teams["matches"]] == [[1, 2], [3, 4]] * 3
    assert "Team points" in shell.run("teams", file)
    output = shell.run("teams", file, "--matches")
    assert "Board points, team 1" in output
    assert "1–2" in output
