"""Tests of shell completion and of the manual page."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tdapp.cli import VERBS
from tests.cli.shell import Shell

BASH_SCRIPT = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_tdapp; printf "%s\\n" "${COMPREPLY[@]}"'
CASES = [
    (["stand"], {"standings"}),
    (["pair"], {"pair", "pairings"}),
    (["--ver"], {"--version"}),
    (["standings", "x", "--a"], {"--after"}),
    (["standings", "x", "--q"], {"--quiet"}),
    (["export", "x", "y", "--format", "tou"], {"tou", "tourney"}),
    (["lexicon", "su"], {"supplement"}),
    (["print", "x", "standings", "--paper", "let"], {"letter", "letter-large"}),
    (["check", "x", "--lang", "n"], {"nl", "nb"}),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(("words", "completions"), [*CASES, (["check", "even"], {"event.tdapp"})])
def test_completion_works_in_bash(shell: Shell, words: list[str], completions: set[str]) -> None:
    shell.write_file("event.tdapp", "")
    script = shell.run("completion", "bash") + BASH_SCRIPT
    result = subprocess.run(
        ["bash", "-c", script, "-", "tdapp", *words], capture_output=True, text=True, check=True, cwd=shell.folder
    )
    assert set(result.stdout.split()) == completions


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("words", "completions"), [*CASES, (["event"], {"event.tdapp"})])
def test_completion_works_in_fish(shell: Shell, words: list[str], completions: set[str]) -> None:
    shell.write_file("event.tdapp", "")
    script = shell.run("completion", "fish") + f'complete -C "tdapp {" ".join(words)}"'
    environment = {"HOME": str(shell.folder), "PATH": "/usr/bin:/bin"}
    result = subprocess.run(
        ["fish", "-c", script], capture_output=True, text=True, check=True, env=environment, cwd=shell.folder
    )
    assert {line.partition("\t")[0] for line in result.stdout.splitlines()} == completions


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_script_is_valid_and_lists_all_verbs(shell: Shell, name: str) -> None:
    script = shell.write_file("script", shell.run("completion", name))
    assert all(re.search(rf"\b{verb}\b", script.read_text(encoding="utf-8")) for verb in VERBS)
    if shutil.which(name):
        subprocess.run([name, "-n", str(script)], check=True)


def test_man_describes_all_verbs_and_options(shell: Shell) -> None:
    page = shell.run("man")
    assert page.startswith('.TH TDAPP 1 ""')
    for verb, declared_options in VERBS.items():
        part = page.partition(f'.SS "{verb}"')[2].partition(".SS ")[0]
        assert part, verb
        described_options = [
            names
            for names, settings in declared_options.options
            if names[0].startswith("-") and settings.get("help")
        ]
        assert all(", ".join(names).replace("-", "\\-") in part for names in described_options), verb


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_page_has_no_warnings(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "tdapp.1"
    page.write_text(shell.run("man"), encoding="utf-8")
    result = subprocess.run(["man", "--warnings", "-l", str(page)], capture_output=True, text=True, check=True)
    assert not result.stderr
