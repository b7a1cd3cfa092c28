"""Codes of the program, read from its source: texts that look like codes in packages that use codes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tdapp.domain.translatable import Plural, Text

SOURCE = Path("tdapp")
_CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
_PLACE = re.compile(r"\{(\w+)")
_FILES = ("app.py", "desk.py")
_ROOMS = ("domain", "pairing", "exchange", "storage", "reports", "cli", *_FILES, "services", "web", "gui")


_SAID_ELSEWHERE = {"entry_line.py"}  # its texts appear beside the result field


def sources(rooms: tuple[str, ...] = _ROOMS) -> Iterator[Path]:
    """Yield the files of the rooms that speak codes."""
    for room in rooms:
        path = SOURCE / room
        yield from sorted(path.rglob("*.py")) if path.is_dir() else ([path] if path.exists() else [])


class Call(NamedTuple):
    """A call in the source: its name, its arguments (None if not literal) and its keyword names."""

    name: str
    literals: tuple[object, ...]
    keywords: tuple[str | None, ...]


def read(tree: ast.AST) -> tuple[tuple[Call, ...], tuple[str, ...]]:
    """Return the calls of one file, and its texts in the form of codes."""
    calls, codes = list[Call](), list[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            literals = tuple(one.value if isinstance(one, ast.Constant) else None for one in node.args)
            calls.append(Call(_name(node.func), literals, tuple(keyword.arg for keyword in node.keywords)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value):
            codes.append(node.value)
    return tuple(calls), tuple(codes)


@cache
def _read(path: Path) -> tuple[tuple[Call, ...], tuple[str, ...]]:
    return read(ast.parse(path.read_text("utf-8")))


def dashed() -> dict[str, str]:
    """Return each text in the form of a code (words in lower case with dashes) with its file.

    Not in the window: it has many names that only look like codes.
    """
    found: dict[str, str] = {}
    for path in sources(_ROOMS[:-1]):
        if path.name not in _SAID_ELSEWHERE:
            for code in _read(path)[1]:
                found.setdefault(code, str(path))
    return found


def _calls(*names: str) -> Iterator[tuple[Path, Call]]:
    """Yield the calls to `names` that have arguments, and their files."""
    for path in sources():
        yield from ((path, one) for one in _read(path)[0] if one.name in names and one.literals)


def first_arguments(*names: str, unless: str = "") -> dict[str, str]:
    """Return the literal first arguments of calls to `names` that have no argument `unless`, and their files."""
    found: dict[str, str] = {}
    for path, call in _calls(*names):
        if unless not in call.keywords and isinstance(first := call.literals[0], str):
            found.setdefault(first, str(path))
    return found


def other_arguments(name: str) -> dict[str, str]:
    """Return the texts given literally after the first argument of calls to `name`, and their files."""
    return {one: str(path) for path, call in _calls(name) for one in call.literals[1:] if isinstance(one, str)}


def facts(*names: str) -> dict[str, set[str]]:
    """Return the facts that every call to `names` gives with a literal code; `**facts` are left out."""
    return facts_in(call for _, call in _calls(*names))


def facts_in(calls: Iterable[Call]) -> dict[str, set[str]]:
    """Return the facts that each code is raised with in all of some calls."""
    found: dict[str, set[str]] = {}
    for call in calls:
        if isinstance(code := call.literals[0], str) and None not in call.keywords:
            given = {*filter(None, call.keywords)}
            found[code] = found[code] & given if code in found else given
    return found


def placeholders(text: Text) -> set[str]:
    """Return the facts that a sentence asks for."""
    return set(_PLACE.findall(text.plural if isinstance(text, Plural) else text))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Subscript):
        return _name(function.value)
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
