"""Compare computed texts with stored ones in the `pinned` folder beside a test.

`TDAPP_PIN=1 .venv/bin/pytest -n 0 -k pinned tests/domain tests/pairing tests/scrabble` renews them. Review
the diff before you commit it.
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

from tdapp.domain.errors import CommandError, InputError


def format_value(value: object) -> str:  # noqa: PLR0911 - a line for each kind of value
    """Return a value as a short text. Rows omit fields with default values; sets are sorted."""
    match value:
        case Enum():
            return str(value.value)
        case str() | Fraction():
            return str(value)
        case np.ndarray():
            return format_value(value.tolist())
        case Mapping():
            return (
                "{"
                + " ".join(sorted(f"{format_value(key)}:{format_value(item)}" for key, item in value.items()))
                + "}"
            )
        case set() | frozenset():
            return "{" + " ".join(sorted(map(format_value, value))) + "}"
        case tuple() | list():
            return "(" + " ".join(map(format_value, value)) + ")"
        case Struct():
            return f"{type(value).__name__}[{' '.join(_format_fields(value))}]"
    return str(value)


def _format_fields(value: Any) -> Iterable[str]:
    for field in fields(value):
        field_value = getattr(value, field.name)
        if not field.name.startswith("_") and (field.required or field_value != field.default):
            yield f"{field.name}={format_value(field_value)}"


def format_outcome(work: Callable[[], object]) -> str:
    """Return the result of `work` as text, or its refusal."""
    try:
        return format_value(work())
    except (CommandError, InputError) as error:
        return f"refused {error.code} {format_value(error.facts)}"


def read_pinned_lines(test: str, name: str, lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return `lines` and the lines of the pinned text `name` beside the file `test`."""
    path, new_lines = Path(test).parent / "pinned" / f"{name}.txt", [line.rstrip() for line in lines]
    if os.environ.get("TDAPP_PIN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(new_lines) + "\n", encoding="utf-8")
    return new_lines, path.read_text(encoding="utf-8").splitlines()
