"""Fixtures of the command line tests: a shell and two event files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


@pytest.fixture
def event_file(shell: Shell) -> Path:
    shell.write_file("players.csv", PLAYERS)
    return shell.build_once("event.tdapp", build_event)


def build_event(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 5)
    shell.run("import", file, shell.folder / "players.csv")


@pytest.fixture
def demo_file(shell: Shell) -> Path:
    return shell.build_once("demo.tdapp", build_demo)


def build_demo(shell: Shell, file: Path) -> None:
    """Make a finished event with 8 players and 3 rounds."""
    shell.run("demo", file, "--players", 8, "--rounds", 3)
