"""Tests of plain English in docstrings, comments and names. The limits in prose.toml may only fall.

`python -m tests.test_foundation.test_prose` prints the current figures in the form of prose.toml.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
LIMITS = tomllib.loads((Path(__file__).parent / "prose.toml").read_text(encoding="utf-8"))
ODD_PHRASE = re.compile(
    r"\b(?:anew|hardly|nobody|nowhere|besides|heeds?|reckon\w*|stands?|stood|thereof|whence|wherever|whichever)\b"
    r"|\b(?:that|which|who) (?:is|are|was|were) |\bwhere (?:there|it|none|they|he) |\bthere (?:is|are) "
    r"|\b(?:is|are|be|been) (?:said|told|asked|meant|kept|held|brought|let|gone)\b"
    r"|(?:^|[.;:] )(?:Who|What|Whoever|Whatever|Where|Which) (?![^.]*\?)",
    re.MULTILINE,
)
STRING_OR_COMMENT = re.compile(
    r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"'
    r"|'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'|#[^\n]*",
    re.DOTALL,
)
# A variable name is a noun: no single participle, preposition, adverb or relative word.
ODD_VARIABLES = frozenset(LIMITS["odd_variable_names"].split())
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
MAX_SHARED = 12  # functions with the same name
QT_NAMES = {"keyPressEvent", "minimumSizeHint", "paintEvent", "resizeEvent", "sizeHint"}
PROTOCOL_NAMES = {"confirm_dialog", "refresh_panel"}  # of Dialog and Panel


@cache
def parse_module(path: Path) -> tuple[str, list[ast.AST]]:
    """Return the source and all nodes of a module."""
    source = path.read_text(encoding="utf-8")
    return source, [*ast.walk(ast.parse(source))]


def list_texts(path: Path) -> Iterator[str]:
    """Yield every docstring and comment of a module."""
    source, nodes = parse_module(path)
    for node in nodes:
        if isinstance(node, (*FUNCTION, ast.ClassDef, ast.Module)) and (text := ast.get_docstring(node)):
            yield text
    for match in STRING_OR_COMMENT.finditer(source):
        if match[0].startswith("#"):
            yield match[0].lstrip("#: ")


def measure_folder(folder: str) -> dict[str, float]:
    """Return the odd phrases and variables in 1,000, and the percentage of functions with a one-word name."""
    words = phrases = functions = one_word = variables = odd_variables = 0
    for path in sorted((ROOT / folder).rglob("*.py")):
        for text in list_texts(path):
            words += len(text.split())
            phrases += len(ODD_PHRASE.findall(text))
        names = [node.name for node in parse_module(path)[1] if isinstance(node, FUNCTION)]
        names = [name for name in names if not name.startswith("__")]
        functions += len(names)
        variable_names = [
            node.id
            for node in parse_module(path)[1]
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        variable_names += [node.arg for node in parse_module(path)[1] if isinstance(node, ast.arg)]
        variables += len(variable_names)
        odd_variables += sum(name.strip("_").lower() in ODD_VARIABLES for name in variable_names)
        one_word += sum("_" not in name.strip("_") for name in names)
    return {
        "odd_phrases": round(1000 * phrases / max(words, 1), 1),
        "one_word_names": round(100 * one_word / max(functions, 1), 1),
        "odd_variables": round(1000 * odd_variables / max(variables, 1), 1),
    }


def list_folders() -> dict[str, str]:
    """Return the paths of the measured packages and test folders by their name in prose.toml."""
    packages = {path.parent.name: f"tdapp/{path.parent.name}" for path in (ROOT / "tdapp").glob("*/__init__.py")}
    return packages | {name: name for name in LIMITS if name.startswith("tests/")}


@pytest.mark.parametrize(("name", "folder"), sorted(list_folders().items()))
def test_prose_of_a_folder_gets_no_worse(name: str, folder: str) -> None:
    figures, limits = measure_folder(folder), LIMITS[name]
    assert {key: value for key, value in figures.items() if value > limits[key]} == {}


def test_function_names_are_shared_by_few_functions() -> None:
    modules = [parse_module(path)[1] for path in (ROOT / "tdapp").rglob("*.py")]
    nodes = (node for module in modules for node in module if isinstance(node, FUNCTION))
    counts = Counter(node.name.strip("_") for node in nodes if not node.name.startswith("__"))
    shared_names = {name for name, count in counts.items() if count > MAX_SHARED}
    assert shared_names == QT_NAMES | PROTOCOL_NAMES


def test_odd_phrase_pattern_finds_odd_phrases_only() -> None:
    assert len(ODD_PHRASE.findall("Where there is none it is said. What stands.")) >= 3
    assert not ODD_PHRASE.findall("Return the standings after a round. Raises ValueError if it is empty.")


if __name__ == "__main__":
    for name, folder in sorted(list_folders().items()):
        print(f'["{name}"]', *(f"{key} = {value}" for key, value in measure_folder(folder).items()), "", sep="\n")  # noqa: T201
