"""The program's verbs as other programs call them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tdapp import cli
from tdapp.cli.json_types import make_verb_schema
from tests.building import RESOURCES

PLAYERS = "name;rating\n" + "".join(f"Player {n};{1900 - n}\n" for n in range(1, 8))


@cache
def validator(name: str) -> Draft202012Validator:
    """Return what refuses a document with other keys than are declared."""
    return Draft202012Validator(make_verb_schema(name, closed=True))


_made: dict[object, bytes] = {}


class Shell:
    """Runs verbs in a folder and records their output. An error is one line."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.error = ""

    def run(self, *words: object, code: int = 0) -> str:
        found = cli.run_command_line([str(word) for word in words], resources=RESOURCES)
        printed = self._capsys.readouterr()
        self.error = printed.err
        assert found == code, printed.err
        lines = printed.err.strip().splitlines()
        assert bool(lines) == (code == 2)
        assert len(lines) < 2 or "more mistake" in lines[0]  # one line, or one for each problem of a list
        return printed.out

    def json(self, *words: object, code: int = 0) -> Any:
        found = json.loads(self.run(*words, "--json", code=code))
        validator(str(words[0])).validate(found)
        return found

    def refused(self, *words: object) -> str:
        self.run(*words, code=2)
        return self.error

    def refusal(self, *words: object) -> Any:
        """Return the document on the problems of a refused list."""
        assert cli.run_command_line([*map(str, words), "--json"], resources=RESOURCES) == 2
        printed = self._capsys.readouterr()
        found = json.loads(printed.out)
        validator("refused").validate(found)
        assert len(printed.err.strip().splitlines()) == len(found["problems"])
        return found

    def build_once(self, name: str, build: Callable[[Shell, Path], object]) -> Path:
        """Return a file of its own for a test: `build` fills the first one of a run, the others are copies."""
        file = self.folder / name
        if build not in _made:
            build(self, file)
            _made[build] = file.read_bytes()
        file.write_bytes(_made[build])
        return file

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path
