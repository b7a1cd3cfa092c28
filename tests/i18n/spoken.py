"""What the program says in codes, read from its source: what looks like a code in a room that speaks codes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tdapp.domain.mark import Plural, Text

SOURCE = Path("tdapp")
_CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
_PLACE = re.compile(r"\{(\w+)")
_FILES = ("app.py", "desk.py")
_ROOMS = ("domain", "pairing", "exchange", "storage", "reports", "cli", *_FILES, "services", "web", "gui")


_SAID_ELSEWHERE = {"entry_line.py"}  # its words stand beside the result field


def sources(rooms: tuple[str, ...] = _ROOMS) -> Iterator[Path]:
    """Yield the files of the rooms that speak codes."""
    for room in rooms:
        path = SOURCE / room
        yield from sorted(path.rglob("*.py")) if path.is_dir() else ([path] if path.exists() else [])


def dashed() -> dict[str, str]:
    """Return each text of the source that is written as a code, words in lower case with dashes, and its file.

    Not in the window, which is full of names that only look like codes.
    """
    found: dict[str, str] = {}
    for path in sources(_ROOMS[:-1]):
        if path.name in _SAID_ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value):
                found.setdefault(node.value, str(path))
    return found


def first_arguments(*names: str, unless: str = "") -> dict[str, str]:
    """Return the literal first arguments of calls to `names` that have no argument `unless`, and their files."""
    found: dict[str, str] = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in names and node.args:
                if unless in {keyword.arg for keyword in node.keywords}:
                    continue
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.setdefault(first.value, str(path))
    return found


def other_arguments(name: str) -> dict[str, str]:
    """Return the texts given literally after the first argument of calls to `name`, and their files."""
    found: dict[str, str] = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) == name:
                literals = [one.value for one in node.args[1:] if isinstance(one, ast.Constant)]
                found |= {one: str(path) for one in literals if isinstance(one, str)}
    return found


def facts(*names: str) -> dict[str, set[str]]:
    """Return the facts that every call to `names` gives with a literal code; `**facts` are left out."""
    found: dict[str, set[str]] = {}
    for path in sources():
        for code, given in facts_in(ast.parse(path.read_text("utf-8")), names).items():
            found[code] = found[code] & given if code in found else given
    return found


def facts_in(tree: ast.AST, names: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the facts that each code is raised with in one file."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and _name(node.func) in names and node.args):
            continue
        code = node.args[0]
        given = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
        if isinstance(code, ast.Constant) and len(given) == len(node.keywords):
            said = str(code.value)
            found[said] = found[said] & given if said in found else given
    return found


def placeholders(text: Text) -> set[str]:
    """Return the facts that a sentence asks for."""
    return set(_PLACE.findall(text.many if isinstance(text, Plural) else text))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Subscript):
        return _name(function.value)
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
