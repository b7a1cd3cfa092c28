"""A shell to run verbs in, and an event of seven players to run them on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


@pytest.fixture(scope="session")
def made_once() -> dict[str, bytes]:
    """Files that tests begin with, by name."""
    return {}


@pytest.fixture
def event(shell: Shell, made_once: dict[str, bytes]) -> Path:
    file, players = shell.folder / "event.tdapp", shell.file("players.csv", PLAYERS)
    if file.name not in made_once:
        shell.run("new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 5)
        shell.run("import", file, players)
        made_once[file.name] = file.read_bytes()
    file.write_bytes(made_once[file.name])
    return file
