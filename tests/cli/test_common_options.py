"""Tests of the common options of all verbs, and of suggestions for misspelt verbs."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tdapp.cli import VERBS, parse_arguments
from tests.cli.shell import Shell


@pytest.fixture
def event_with_games(shell: Shell, event_file: Path) -> Path:
    return shell.build_once(event_file.name, play_round)


def play_round(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    for table in (1, 2, 3):
        shell.run("result", event_file, "--table", table, 400 + table, 390)
    shell.run("pair", event_file)


def type_input(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Replace standard input by a text."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_round_option_defaults_to_the_last_published_round(shell: Shell, event_with_games: Path) -> None:
    assert shell.run_json("pairings", event_with_games)["round"] == 2
    assert shell.run_json("pairings", event_with_games, "--round", 1)["round"] == 1
    shell.run("result", event_with_games, "--table", 1, 444, 333)
    assert shell.run_json("pairings", event_with_games, "--round", 2)["games"][0]["score1"] == 444


def test_round_option_refuses_a_round_before_the_first(shell: Shell, event_file: Path) -> None:
    assert "There is no round 1" in shell.run_refused("pairings", event_file)


def test_round_option_has_the_same_name_in_all_verbs(shell: Shell, event_with_games: Path) -> None:
    assert shell.run_json("standings", event_with_games, "--round", 1) == shell.run_json(
        "standings", event_with_games, "--after", 1
    )
    for table in (1, 2, 3):
        shell.run("result", event_with_games, "--table", table, 400, 390)
    shell.run("withdraw", event_with_games, 3, "--round", 3)
    assert [line.split()[-1] for line in shell.run("standings", event_with_games).splitlines()].count(
        "withdrawn"
    ) == 1
    assert any("withdraw" in step["label"] for step in shell.run_json("history", event_with_games))


def test_file_option_reads_standard_input_and_writes_standard_output(
    shell: Shell, event_with_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_input(monkeypatch, "round,table,score1,score2\n2,1,401,399\n")
    shell.run("results", event_with_games, "-")
    assert shell.run_json("pairings", event_with_games)["games"][0]["score1"] == 401
    exported_text = shell.run("export", event_with_games, "-", "--format", "json")
    assert '"Open"' in exported_text
    type_input(monkeypatch, exported_text)
    shell.run("import", shell.folder / "copy.tdapp", "-")
    assert shell.run_json("standings", shell.folder / "copy.tdapp") == shell.run_json(
        "standings", event_with_games
    )


def test_export_refuses_a_folder_on_standard_output(shell: Shell, event_with_games: Path) -> None:
    assert "folder" in shell.run_refused("export", event_with_games, "-", "--format", "tsh")
    assert not Path("-").exists()


@pytest.mark.parametrize(
    ("environment", "heading"),
    [
        ({"LC_ALL": "nl_NL.UTF-8", "LANG": "de_DE"}, "Rang"),
        ({"LC_MESSAGES": "de_DE.UTF-8"}, "Platz"),
        ({"LANG": "nn_NO"}, "Plass"),
        ({"LANG": "fr_FR.UTF-8"}, "Rank"),
        ({"LC_ALL": "C.UTF-8", "LANG": "nl_NL"}, "Rank"),
    ],
)
def test_language_comes_from_the_environment(
    shell: Shell,
    event_with_games: Path,
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    heading: str,
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    user_output = shell.run("standings", event_with_games)
    monkeypatch.undo()
    language = {"Rang": "nl", "Platz": "de", "Plass": "nb", "Rank": "en"}[heading]
    assert user_output == shell.run("standings", event_with_games, "--lang", language)


def test_quiet_option_prints_only_json_and_errors(shell: Shell, event_with_games: Path) -> None:
    assert not shell.run("standings", event_with_games, "--quiet")
    assert shell.run_json("standings", event_with_games, "--quiet")["after"] == 1
    assert shell.run_json("check", event_with_games, "--quiet")["sound"]
    assert shell.run_refused("standings", event_with_games, "--quiet", "--after", 9)


def test_common_options_can_precede_the_verb(shell: Shell, event_with_games: Path) -> None:
    assert shell.run("--lang", "nl", "standings", event_with_games) == shell.run(
        "standings", event_with_games, "--lang", "nl"
    )
    assert not shell.run("--quiet", "--lang=de", "standings", event_with_games)


def test_do_suggests_a_similar_command(shell: Shell, event_with_games: Path) -> None:
    assert (
        shell.run_refused("do", event_with_games, "edit-evnt")
        == "There is no command edit-evnt; did you mean edit-event?\n"
    )
    assert shell.run_refused("do", event_with_games, "xyzzy") == "There is no command xyzzy.\n"


def test_log_option_writes_a_line_for_each_run(shell: Shell, event_with_games: Path) -> None:
    log = shell.folder / "night.log"
    shell.run("check", event_with_games, "--log", log)
    shell.run_refused("standings", "postgresql://me:secret@127.0.0.1:1/none", "--log", log)
    first_line, second_line = log.read_text(encoding="utf-8").splitlines()
    assert " 0 tdapp check " in first_line
    assert first_line.endswith(": done")
    assert " 2 tdapp standings " in second_line
    assert "secret" not in second_line


def test_parse_arguments_suggests_a_similar_verb(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        shell.run("standigns", "x")
    assert "did you mean “standings”?" in capsys.readouterr().err


def test_help_lists_verbs_in_aligned_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    matches = [re.fullmatch(r"  ([a-z-]+?) +(\S.*)", line) for line in lines]
    columns = {match[1]: match.start(2) for match in matches if match and match[1] in VERBS}
    assert columns.keys() == VERBS.keys()
    assert set(columns.values()) == {max(map(len, VERBS)) + 4}
