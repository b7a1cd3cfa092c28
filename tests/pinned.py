"""Texts that what the program computes must equal word for word, each beside the tests of its room.

`TDAPP_PIN=1 .venv/bin/pytest -n 0 -k pinned tests/domain tests/pairing tests/scrabble` writes them anew; look at
the difference before it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import fields

from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.tournament import Tournament, compute_diff


def told(value: object) -> str:  # noqa: PLR0911 - a line for each kind of value
    """Return a value as a short text: a row without the fields that are as they always are, a set in order."""
    match value:
        case Enum():
            return str(value.value)
        case str() | Fraction():
            return str(value)
        case np.ndarray():
            return told(value.tolist())
        case Mapping():
            return "{" + " ".join(sorted(f"{told(key)}:{told(held)}" for key, held in value.items())) + "}"
        case set() | frozenset():
            return "{" + " ".join(sorted(map(told, value))) + "}"
        case tuple() | list():
            return "(" + " ".join(map(told, value)) + ")"
        case Struct():
            return f"{type(value).__name__}[{' '.join(_fields(value))}]"
    return str(value)


def _fields(value: Any) -> Iterable[str]:
    for field in fields(value):
        held = getattr(value, field.name)
        if not field.name.startswith("_") and (field.required or held != field.default):
            yield f"{field.name}={told(held)}"


def outcome_of(work: Callable[[], object]) -> str:
    """Return what comes of something that may be refused."""
    try:
        return told(work())
    except (RuleViolation, InputError) as refused:
        return f"refused {refused.code} {told(refused.facts)}"


def changed_by(value: Tournament, work: Callable[[Tournament], Tournament]) -> str:
    """Return what a command changes in a tournament, or how it is refused."""
    return outcome_of(lambda: compute_diff(value, work(value)))


def pinned(test: str, name: str, lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the lines made and those kept in `name` beside a test's file."""
    path, made = Path(test).parent / "pinned" / f"{name}.txt", [line.rstrip() for line in lines]
    if os.environ.get("TDAPP_PIN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(made) + "\n", encoding="utf-8")
    return made, path.read_text(encoding="utf-8").splitlines()
