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


_built_files: dict[object, bytes] = {}


class Shell:
    """Runs verbs in a folder and records their output. An error is one line."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.error = ""

    def run(self, *words: object, code: int = 0) -> str:
        exit_code = cli.run_command_line([str(word) for word in words], resources=RESOURCES)
        captured = self._capsys.readouterr()
        self.error = captured.err
        assert exit_code == code, captured.err
        lines = captured.err.strip().splitlines()
        assert bool(lines) == (code == 2)
        assert len(lines) < 2 or "more mistake" in lines[0]  # one line, or one for each problem of a list
        return captured.out

    def json(self, *words: object, code: int = 0) -> Any:
        document = json.loads(self.run(*words, "--json", code=code))
        validator(str(words[0])).validate(document)
        return document

    def run_refused(self, *words: object) -> str:
        self.run(*words, code=2)
        return self.error

    def refusal(self, *words: object) -> Any:
        """Return the document on the problems of a refused list."""
        assert cli.run_command_line([*map(str, words), "--json"], resources=RESOURCES) == 2
        captured = self._capsys.readouterr()
        document = json.loads(captured.out)
        validator("refused").validate(document)
        assert len(captured.err.strip().splitlines()) == len(document["problems"])
        return document

    def build_once(self, name: str, build: Callable[[Shell, Path], object]) -> Path:
        """Return a file of its own for a test: `build` fills the first one of a run, the others are copies."""
        file = self.folder / name
        if build not in _built_files:
            build(self, file)
            _built_files[build] = file.read_bytes()
        file.write_bytes(_built_files[build])
        return file

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path
