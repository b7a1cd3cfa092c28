"""Options of all verbs: rounds, standard input and output, languages, quiet mode, logs, misspelt verbs."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tdapp.cli import VERBS, parse_arguments
from tests.cli.shell import Shell


@pytest.fixture
def played(shell: Shell, event: Path) -> Path:
    return shell.build_once(event.name, play_round)


def play_round(shell: Shell, event: Path) -> None:
    shell.run("pair", event)
    for table in (1, 2, 3):
        shell.run("result", event, "--table", table, 400 + table, 390)
    shell.run("pair", event)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let something come in on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_round_option_defaults_to_the_last_published_round(shell: Shell, played: Path) -> None:
    assert shell.json("pairings", played)["round"] == 2
    assert shell.json("pairings", played, "--round", 1)["round"] == 1
    shell.run("result", played, "--table", 1, 444, 333)
    assert shell.json("pairings", played, "--round", 2)["games"][0]["score1"] == 444


def test_round_option_refuses_a_round_before_the_first(shell: Shell, event: Path) -> None:
    assert "There is no round 1" in shell.refused("pairings", event)


def test_round_option_has_the_same_name_in_all_verbs(shell: Shell, played: Path) -> None:
    assert shell.json("standings", played, "--round", 1) == shell.json("standings", played, "--after", 1)
    for table in (1, 2, 3):
        shell.run("result", played, "--table", table, 400, 390)
    shell.run("withdraw", played, 3, "--round", 3)
    assert [line.split()[-1] for line in shell.run("standings", played).splitlines()].count("withdrawn") == 1
    assert any("withdraw" in step["label"] for step in shell.json("history", played))


def test_file_option_reads_standard_input_and_writes_standard_output(
    shell: Shell, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "round,table,score1,score2\n2,1,401,399\n")
    shell.run("results", played, "-")
    assert shell.json("pairings", played)["games"][0]["score1"] == 401
    out = shell.run("export", played, "-", "--format", "json")
    assert '"Open"' in out
    typed(monkeypatch, out)
    shell.run("import", shell.folder / "copy.tdapp", "-")
    assert shell.json("standings", shell.folder / "copy.tdapp") == shell.json("standings", played)


def test_export_refuses_a_folder_on_standard_output(shell: Shell, played: Path) -> None:
    assert "folder" in shell.refused("export", played, "-", "--format", "tsh")
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
    shell: Shell, played: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], heading: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    own = shell.run("standings", played)
    monkeypatch.undo()
    language = {"Rang": "nl", "Platz": "de", "Plass": "nb", "Rank": "en"}[heading]
    assert own == shell.run("standings", played, "--lang", language)


def test_quiet_option_prints_only_json_and_errors(shell: Shell, played: Path) -> None:
    assert not shell.run("standings", played, "--quiet")
    assert shell.json("standings", played, "--quiet")["after"] == 1
    assert shell.json("check", played, "--quiet")["sound"]
    assert shell.refused("standings", played, "--quiet", "--after", 9)


def test_common_options_can_precede_the_verb(shell: Shell, played: Path) -> None:
    assert shell.run("--lang", "nl", "standings", played) == shell.run("standings", played, "--lang", "nl")
    assert not shell.run("--quiet", "--lang=de", "standings", played)


def test_do_suggests_a_similar_command(shell: Shell, played: Path) -> None:
    assert shell.refused("do", played, "edit-evnt") == "There is no command edit-evnt; did you mean edit-event?\n"
    assert shell.refused("do", played, "xyzzy") == "There is no command xyzzy.\n"


def test_log_option_writes_a_line_for_each_run(shell: Shell, played: Path) -> None:
    log = shell.folder / "night.log"
    shell.run("check", played, "--log", log)
    shell.refused("standings", "postgresql://me:secret@127.0.0.1:1/none", "--log", log)
    done, refused = log.read_text(encoding="utf-8").splitlines()
    assert " 0 tdapp check " in done
    assert done.endswith(": done")
    assert " 2 tdapp standings " in refused
    assert "secret" not in refused


def test_parse_arguments_suggests_a_similar_verb(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        shell.run("standigns", "x")
    assert "did you mean “standings”?" in capsys.readouterr().err


def test_help_lists_each_verb_in_aligned_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    begun = [re.fullmatch(r"  ([a-z-]+?) +(\S.*)", line) for line in lines]
    found = {match[1]: match.start(2) for match in begun if match and match[1] in VERBS}
    assert found.keys() == VERBS.keys()
    assert set(found.values()) == {max(map(len, VERBS)) + 4}
