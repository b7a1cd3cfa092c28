"""Tests that each verb imports only needed modules, and of the verb declarations."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tdapp.cli import VERBS, make_verb_parser
from tdapp.cli.do import map_commands_for_command_line
from tdapp.desk import Desk
from tdapp.domain.type_hints import list_arguments
from tests.building import make_event, pair_rounds

RUN = """
import sys
from tdapp.app import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""
WINDOW, WEB = {"PySide6"}, {"starlette", "jinja2", "cryptography", "tdapp.web.pages"}
PAPER, MATCHING = {"reportlab", "PIL", "tdapp.reports"}, {"numpy", "rustworkx"}
SQL, WORDS = {"sqlite3", "tdapp.storage.store"}, {"babel", "tdapp.i18n.catalogue"}
STATIONS = {"psycopg", "sqlalchemy", "tdapp.storage.server"}
SPREADSHEETS = {"xlsxwriter", "python_calamine"}
CHANGE = {"tdapp.domain.commands", "tdapp.pairing"}
LITTLE = WINDOW | WEB | PAPER | MATCHING | STATIONS | SPREADSHEETS | {"tdapp.exchange.wordlist"}
SIMPLE_VERB_MODULES = CHANGE | {"babel", "asyncio", "tomllib"}


@pytest.fixture(scope="module")
def played_event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("loading") / "a.tdapp"
    Desk.create(file, pair_rounds(make_event(8), times=2)).close()
    return file


@pytest.mark.parametrize(
    ("words", "unloaded_modules"),
    [
        (
            "--version",
            (LITTLE | SQL | WORDS | SIMPLE_VERB_MODULES | {"tdapp.desk", "dataclasses", "subprocess", "email"})
            - {"sqlite3"},
        ),
        ("--help", LITTLE | SQL | WORDS | CHANGE),
        ("rulesets", LITTLE | SQL | CHANGE),
        ("players FILE", LITTLE | SIMPLE_VERB_MODULES),
        ("pairings FILE", LITTLE | SIMPLE_VERB_MODULES),
        ("standings FILE", LITTLE | SIMPLE_VERB_MODULES | {"tdapp.exchange.json_views"}),
        ("standings FILE --json", LITTLE | SIMPLE_VERB_MODULES),
        ("history FILE", LITTLE),
        ("result FILE --table 1 400 390", LITTLE - {"sqlalchemy"}),
        ("undo FILE", LITTLE - {"sqlalchemy"}),
        ("check FILE", LITTLE - MATCHING),
        ("snapshot FILE FILE.copy", LITTLE),
        ("export FILE - --format csv", (LITTLE | {"tdapp.pairing"}) - SPREADSHEETS),
        ("print FILE standings -o FILE.pdf --not-noted", WINDOW | WEB | MATCHING | STATIONS | SPREADSHEETS),
        ("score - --rules nl-match", LITTLE | SQL),
    ],
)
def test_verbs_load_only_needed_modules(played_event: Path, words: str, unloaded_modules: set[str]) -> None:
    arguments = words.replace("FILE", str(played_event)).split()
    result = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=False, input="{}"
    )
    loaded_modules = set(result.stderr.split())
    assert "tdapp.app" in loaded_modules, result.stderr
    assert sorted(unloaded_modules & loaded_modules) == []
    assert result.returncode == 0 or arguments[0] == "score"


@pytest.mark.parametrize("words", ["--version", "rulesets", "standings FILE --json"])
def test_verbs_end_without_error_after_a_closed_pipe(played_event: Path, words: str) -> None:
    arguments = words.replace("FILE", str(played_event)).split()
    command = [sys.executable, "-u", "-m", "tdapp", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""


@pytest.mark.parametrize("verb", VERBS)
def test_verb_declarations_name_existing_functions(verb: str) -> None:
    module, _, function = VERBS[verb].path.partition(".")
    assert callable(getattr(import_module(f"tdapp.cli.{module}"), function))


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items() if verb.command])
def test_verbs_have_the_arguments_of_their_command_as_options(verb: str) -> None:
    arguments = {
        argument.name for argument in list_arguments(map_commands_for_command_line()[VERBS[verb].command])
    }
    common = {"lang", "json", "quiet", "log", "help", "file", "division"}
    options = {action.dest for action in make_verb_parser(verb)._actions}
    assert options - common <= arguments
