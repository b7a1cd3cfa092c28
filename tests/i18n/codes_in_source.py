"""Codes of the program, found in its source: texts with lower-case words and dashes."""

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
_PLACEHOLDER = re.compile(r"\{(\w+)")
_FILES = ("app.py", "desk.py")
_PACKAGES = ("domain", "pairing", "exchange", "storage", "reports", "cli", *_FILES, "services", "web", "gui")


_FILES_WITH_OTHER_TEXTS = {"entry_line.py"}  # the result field shows its texts


def iterate_source_files(packages: tuple[str, ...] = _PACKAGES) -> Iterator[Path]:
    """Yield the source files of these packages."""
    for package in packages:
        path = SOURCE / package
        yield from sorted(path.rglob("*.py")) if path.is_dir() else ([path] if path.exists() else [])


class Call(NamedTuple):
    """A call in the source: its name, literal arguments (None for others) and keyword names."""

    name: str
    literals: tuple[object, ...]
    keywords: tuple[str | None, ...]


def read_calls_and_codes(tree: ast.AST) -> tuple[tuple[Call, ...], tuple[str, ...]]:
    """Return the calls in a syntax tree, and its texts that look like codes."""
    calls, codes = list[Call](), list[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            literals = tuple(
                argument.value if isinstance(argument, ast.Constant) else None for argument in node.args
            )
            calls.append(
                Call(_get_called_name(node.func), literals, tuple(keyword.arg for keyword in node.keywords))
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value):
            codes.append(node.value)
    return tuple(calls), tuple(codes)


@cache
def _read_file(path: Path) -> tuple[tuple[Call, ...], tuple[str, ...]]:
    return read_calls_and_codes(ast.parse(path.read_text("utf-8")))


def find_code_like_texts() -> dict[str, str]:
    """Return each text that looks like a code, with its file.

    The window is excluded: it has many names that look like codes.
    """
    files_by_code: dict[str, str] = {}
    for path in iterate_source_files(_PACKAGES[:-1]):
        if path.name not in _FILES_WITH_OTHER_TEXTS:
            for code in _read_file(path)[1]:
                files_by_code.setdefault(code, str(path))
    return files_by_code


def _iterate_calls(*names: str) -> Iterator[tuple[Path, Call]]:
    """Yield each call of `names` with arguments, and its file."""
    for path in iterate_source_files():
        yield from ((path, call) for call in _read_file(path)[0] if call.name in names and call.literals)


def find_first_arguments(*names: str, unless: str = "") -> dict[str, str]:
    """Return the literal first arguments of calls of `names` without the keyword `unless`, and their files."""
    files_by_argument: dict[str, str] = {}
    for path, call in _iterate_calls(*names):
        if unless not in call.keywords and isinstance(first := call.literals[0], str):
            files_by_argument.setdefault(first, str(path))
    return files_by_argument


def find_other_arguments(name: str) -> dict[str, str]:
    """Return the literal texts after the first argument of calls of `name`, and their files."""
    return {
        argument: str(path)
        for path, call in _iterate_calls(name)
        for argument in call.literals[1:]
        if isinstance(argument, str)
    }


def find_facts(*names: str) -> dict[str, set[str]]:
    """Return the facts that all calls of `names` with a literal code have in common."""
    return collect_facts(call for _, call in _iterate_calls(*names))


def collect_facts(calls: Iterable[Call]) -> dict[str, set[str]]:
    """Return the facts that all calls with the same code have in common. Calls with `**facts` are ignored."""
    facts_by_code: dict[str, set[str]] = {}
    for call in calls:
        if isinstance(code := call.literals[0], str) and None not in call.keywords:
            facts = {*filter(None, call.keywords)}
            facts_by_code[code] = facts_by_code[code] & facts if code in facts_by_code else facts
    return facts_by_code


def find_placeholders(text: Text) -> set[str]:
    """Return the names of the placeholders in a sentence."""
    return set(_PLACEHOLDER.findall(text.plural if isinstance(text, Plural) else text))


def _get_called_name(function: ast.expr) -> str:
    if isinstance(function, ast.Subscript):
        return _get_called_name(function.value)
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
