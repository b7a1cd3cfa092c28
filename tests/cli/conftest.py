"""A shell to run verbs in, and an event of seven players to run them on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


@pytest.fixture
def event(shell: Shell) -> Path:
    file = shell.folder / "event.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 5)
    shell.run("import", file, shell.file("players.csv", PLAYERS))
    return file
