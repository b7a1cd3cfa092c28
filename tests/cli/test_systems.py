"""Every pairing system from the command line: made, paired, played and checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tdapp import cli
from tdapp.pairing import SYSTEMS
from tests.building import RESOURCES

PLAYERS = "name;rating;team\n" + "".join(f"Player {n};{1900 - n};Team {n % 4}\n" for n in range(1, 9))
LEAVES_NOBODY = {name for name in SYSTEMS if name not in {"knockout", "manual"}}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_from_start_to_finish(system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "event.tdapp"
    people = tmp_path / "players.csv"
    people.write_text(PLAYERS)

    def run(*words: object) -> str:
        code = cli.run([str(word) for word in words], resources=RESOURCES)
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return printed.out

    run("new", file, "--name", "Open", "--rules", "nl-match", "--rounds", 3, "--system", system)
    run("import", file, people)
    for number in range(1, 4):
        made = json.loads(run("pair", file, "--json"))
        assert (made["round"], made["system"]) == (number, system)
        assert all(game["reason"] and "{" not in game["reason"] for game in made["games"])
        if system in LEAVES_NOBODY:
            assert len(made["games"]) == 4
        for game in made["games"]:
            run("result", file, "--round", number, "--table", game["table"], 400 + game["first"], 390)
    assert json.loads(run("check", file, "--json"))["sound"]
