"""Write Structs as JSON. A field with the key `*` is merged: a document, or a mapping."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct, to_builtins

MERGED = "*"
T = TypeVar("T", bound=Struct)


def json_text(document: object) -> str:
    """Indent the text."""
    return json.dumps(_merge(make_plain(document)), ensure_ascii=False, indent=1)


def make_plain(document: object) -> Any:
    """Return dicts and lists, with `*` as a key."""
    return to_builtins(document, enc_hook=_encode)


def make_number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _encode(value: object) -> int | float:
    if isinstance(value, Fraction):
        return make_number(value)
    raise NotImplementedError(type(value).__name__)


def _merge(value: Any) -> Any:
    if isinstance(value, dict):
        merged: dict[str, Any] = {}
        for key, item in value.items():
            merged |= _merge(item) if key == MERGED else {key: _merge(item)}
        return merged
    return [_merge(item) for item in value] if isinstance(value, (list, tuple)) else value


def fill_document(wanted: type[T], *rows: object, **given: object) -> T:
    """Use `given`, then the first row that has the attribute."""
    for name in wanted.__struct_fields__:
        for row in rows:
            if name not in given and hasattr(row, name):
                given[name] = getattr(row, name)
    return wanted(**given)
