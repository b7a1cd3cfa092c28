"""A shell that runs verbs of the command line in tests."""

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
def make_validator(name: str) -> Draft202012Validator:
    """Return the validator of a verb's output. It refuses undeclared keys."""
    return Draft202012Validator(make_verb_schema(name, forbids_unknown_keys=True))


_built_files: dict[object, bytes] = {}


class Shell:
    """A shell that runs verbs in a folder and checks their exit codes and output."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.error = ""

    def run(self, *arguments: object, code: int = 0) -> str:
        exit_code = cli.run_command_line([str(argument) for argument in arguments], resources=RESOURCES)
        captured = self._capsys.readouterr()
        self.error = captured.err
        assert exit_code == code, captured.err
        lines = captured.err.strip().splitlines()
        assert bool(lines) == (code == 2)
        assert len(lines) < 2 or "more mistake" in lines[0]  # one line, or one line for each problem of a list
        return captured.out

    def run_json(self, *arguments: object, code: int = 0) -> Any:
        document = json.loads(self.run(*arguments, "--json", code=code))
        make_validator(str(arguments[0])).validate(document)
        return document

    def run_refused(self, *arguments: object) -> str:
        self.run(*arguments, code=2)
        return self.error

    def read_refusal(self, *arguments: object) -> Any:
        """Run a verb that refuses a list. Return the JSON document with the problems."""
        assert cli.run_command_line([*map(str, arguments), "--json"], resources=RESOURCES) == 2
        captured = self._capsys.readouterr()
        document = json.loads(captured.out)
        make_validator("refused").validate(document)
        assert len(captured.err.strip().splitlines()) == len(document["problems"])
        return document

    def build_once(self, name: str, build: Callable[[Shell, Path], object]) -> Path:
        """Return a new file for a test. `build` makes the file once; later calls copy it."""
        file = self.folder / name
        if build not in _built_files:
            build(self, file)
            _built_files[build] = file.read_bytes()
        file.write_bytes(_built_files[build])
        return file

    def write_file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path
