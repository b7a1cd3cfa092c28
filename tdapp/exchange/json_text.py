"""Write values as JSON for other programs."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any


def json_text(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, default=_number)


def _number(value: object) -> float | int:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    raise TypeError(type(value).__name__)


def filled(wanted: type, *rows: object, **given: object) -> dict[str, Any]:
    """Return a TypedDict filled from `given`, then from the first row that has the attribute."""

    def value(name: str) -> object:
        return given[name] if name in given else next(getattr(row, name) for row in rows if hasattr(row, name))

    return {name: value(name) for name in wanted.__annotations__}


def picked(row: object, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
