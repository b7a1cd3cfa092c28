"""Every document printed by a verb fits its published schema. `Shell.json` checks each one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tdapp.cli import VERBS
from tests.cli.shell import PLAYERS, Shell, validator

GAME = '{"players": ["One", "Two"], "turns": [{"player": 1, "kind": "play", "score": 20}], "ended": "open"}'


@pytest.mark.slow
def test_schema_of_every_verb_is_valid(shell: Shell) -> None:
    names = shell.json("schema")
    assert names == shell.run("schema").split()
    assert set(names) == {*VERBS, "data.json", "export.json", "refused"} - {"completion", "man"}  # these are text
    for name in names:
        Draft202012Validator.check_schema(json.loads(shell.run("schema", name)))


def test_schema_allows_new_keys_but_no_missing_ones(shell: Shell, event: Path) -> None:
    validator_ = Draft202012Validator(json.loads(shell.run("schema", "players")))
    player = shell.json("players", event)[0]
    assert validator_.is_valid([{**player, "later": 1}])
    assert not validator_.is_valid([{key: value for key, value in player.items() if key != "name"}])
    assert not validator_.is_valid([{**player, "rating": "high"}])


def test_schema_refuses_an_unknown_name(shell: Shell) -> None:
    assert "There is no schema playres." in shell.run_refused("schema", "playres")


def test_schema_fits_an_export(shell: Shell, event: Path) -> None:
    shell.run("pair", event)
    shell.run("result", event, "--table", 1, 412, 388)
    shell.run("sheet", event, "--table", 2, shell.file("2.json", GAME), "--anyway")
    document = json.loads(shell.run("export", event, "-", "--format", "json"))
    assert document["sheets"]
    assert document["games"][0]["reason"]
    validator("export.json").validate(document)
    assert not validator("export.json").is_valid({**document, "players": [{"id": "p"}]})


STEPS: tuple[tuple[str, Callable[[Shell, Path], list[object]]], ...] = (
    ("new", lambda shell, _: ["new", shell.folder / "n.tdapp", "--name", "N", "--rules", "nl-match"]),
    ("demo", lambda shell, _: ["demo", shell.folder / "d.tdapp", "--players", 4, "--rounds", 1]),
    ("import", lambda shell, event: ["import", event, shell.file("b.csv", PLAYERS), "--division", "B"]),
    ("result", lambda _, event: ["result", event, "--table", 1, 412, 388, "--division", "A"]),
    (
        "results",
        lambda shell, event: ["results", event, shell.file("r.csv", "round,table,score1,score2\n1,2,400,300")],
    ),
    ("news", lambda shell, event: ["news", event, shell.file("l.csv", "kind,value,name\nhigh-game,300,One\n")]),
    ("rule", lambda _, event: ["rule", event, "--table", 1, "--player", 1, "--word", "XQ", "--score", 8]),
    ("sheet", lambda shell, event: ["sheet", event, "--table", 2, shell.file("2.json", GAME), "--anyway"]),
    ("sanctions", lambda _, event: ["sanction", event]),
    ("withdraw", lambda _, event: ["withdraw", event, 7]),
    ("return", lambda _, event: ["return", event, 7]),
    ("stages", lambda _, event: ["stages", event]),
    ("systems", lambda _, _event: ["ratings", "--list"]),
    ("commands", lambda _, _event: ["do", "--list"]),
    ("reports", lambda _, _event: ["print", "--list"]),
    ("export", lambda shell, event: ["export", event, shell.folder / "out.csv"]),
    ("site", lambda shell, event: ["export", event, shell.folder / "site", "--format", "html"]),
    ("snapshot", lambda shell, event: ["snapshot", event, shell.folder / "copy.tdapp"]),
)


@pytest.mark.parametrize("make_words", [step for _, step in STEPS], ids=[name for name, _ in STEPS])
def test_schema_fits_the_output_of_verbs(
    shell: Shell, event: Path, make_words: Callable[[Shell, Path], list[object]]
) -> None:
    shell.run("pair", event)
    shell.run("result", event, "--table", 3, 401, 399)
    shell.run("sanction", event, 1, "warning", "--why", "late")
    if "return" in (words := make_words(shell, event)):
        shell.run("withdraw", event, 7)
    assert shell.json(*words)


def test_schema_fits_merged_divisions(shell: Shell, event: Path) -> None:
    shell.run("import", event, shell.file("b.csv", PLAYERS.replace("Player", "Guest")), "--division", "B")
    assert shell.json("merge", event, "--division", "B", "--into", "A")["follows"]
