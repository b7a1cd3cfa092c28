"""Tests of the published JSON schemas. `Shell.run_json` checks each document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tdapp.cli import VERBS
from tests.cli.shell import PLAYERS, Shell, make_validator

GAME = '{"players": ["One", "Two"], "turns": [{"player": 1, "kind": "play", "score": 20}], "ended": "open"}'


@pytest.mark.slow
def test_schema_of_every_verb_is_valid(shell: Shell) -> None:
    names = shell.run_json("schema")
    assert names == shell.run("schema").split()
    assert set(names) == {*VERBS, "data.json", "export.json", "refused"} - {
        "completion",
        "man",
    }  # these verbs print text
    for name in names:
        Draft202012Validator.check_schema(json.loads(shell.run("schema", name)))


def test_schema_allows_new_keys_but_no_missing_ones(shell: Shell, event_file: Path) -> None:
    validator_ = Draft202012Validator(json.loads(shell.run("schema", "players")))
    player = shell.run_json("players", event_file)[0]
    assert validator_.is_valid([{**player, "later": 1}])
    assert not validator_.is_valid([{key: value for key, value in player.items() if key != "name"}])
    assert not validator_.is_valid([{**player, "rating": "high"}])


def test_schema_refuses_an_unknown_name(shell: Shell) -> None:
    assert "There is no schema called playres." in shell.run_refused("schema", "playres")


def test_schema_fits_an_export(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    shell.run("result", event_file, "--table", 1, 412, 388)
    shell.run("sheet", event_file, "--table", 2, shell.write_file("2.json", GAME), "--anyway")
    document = json.loads(shell.run("export", event_file, "-", "--format", "json"))
    assert document["sheets"]
    assert document["games"][0]["reason"]
    make_validator("export.json").validate(document)
    assert not make_validator("export.json").is_valid({**document, "players": [{"id": "p"}]})


STEPS: tuple[tuple[str, Callable[[Shell, Path], list[object]]], ...] = (
    ("new", lambda shell, _: ["new", shell.folder / "n.tdapp", "--name", "N", "--rules", "nl-match"]),
    ("demo", lambda shell, _: ["demo", shell.folder / "d.tdapp", "--players", 4, "--rounds", 1]),
    (
        "import",
        lambda shell, event_file: ["import", event_file, shell.write_file("b.csv", PLAYERS), "--division", "B"],
    ),
    ("result", lambda _, event_file: ["result", event_file, "--table", 1, 412, 388, "--division", "A"]),
    (
        "results",
        lambda shell, event_file: [
            "results",
            event_file,
            shell.write_file("r.csv", "round,table,score1,score2\n1,2,400,300"),
        ],
    ),
    (
        "news",
        lambda shell, event_file: [
            "news",
            event_file,
            shell.write_file("l.csv", "kind,value,name\nhigh-game,300,One\n"),
        ],
    ),
    (
        "rule",
        lambda _, event_file: ["rule", event_file, "--table", 1, "--player", 1, "--word", "XQ", "--score", 8],
    ),
    (
        "sheet",
        lambda shell, event_file: [
            "sheet",
            event_file,
            "--table",
            2,
            shell.write_file("2.json", GAME),
            "--anyway",
        ],
    ),
    ("sanctions", lambda _, event_file: ["sanction", event_file]),
    ("withdraw", lambda _, event_file: ["withdraw", event_file, 7]),
    ("return", lambda _, event_file: ["return", event_file, 7]),
    ("stages", lambda _, event_file: ["stages", event_file]),
    ("systems", lambda _, _event: ["ratings", "--list"]),
    ("commands", lambda _, _event: ["do", "--list"]),
    ("reports", lambda _, _event: ["print", "--list"]),
    ("export", lambda shell, event_file: ["export", event_file, shell.folder / "out.csv"]),
    ("site", lambda shell, event_file: ["export", event_file, shell.folder / "site", "--format", "html"]),
    ("snapshot", lambda shell, event_file: ["snapshot", event_file, shell.folder / "copy.tdapp"]),
)


@pytest.mark.parametrize("make_arguments", [step for _, step in STEPS], ids=[name for name, _ in STEPS])
def test_schema_fits_the_output_of_verbs(
    shell: Shell, event_file: Path, make_arguments: Callable[[Shell, Path], list[object]]
) -> None:
    shell.run("pair", event_file)
    shell.run("result", event_file, "--table", 3, 401, 399)
    shell.run("sanction", event_file, 1, "warning", "--why", "late")
    if "return" in (arguments := make_arguments(shell, event_file)):
        shell.run("withdraw", event_file, 7)
    assert shell.run_json(*arguments)


def test_schema_fits_merged_divisions(shell: Shell, event_file: Path) -> None:
    shell.run(
        "import", event_file, shell.write_file("b.csv", PLAYERS.replace("Player", "Guest")), "--division", "B"
    )
    assert shell.run_json("merge", event_file, "--division", "B", "--into", "A")["follows"]
