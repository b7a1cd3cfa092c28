"""JSON Schemas of types.

A type is a Struct as `tdapp.domain.serialization` encodes it, or a TypedDict. The key `*` of a TypedDict describes
all other keys.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from msgspec import Struct
from msgspec.structs import fields

from tdapp.domain.serialization import Between

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_OTHER = "*"


def schema(title: str, wanted: Any, *, closed: bool = False) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a type.

    Readers must expect new keys, because a TypedDict may grow. `closed` forbids other keys.
    """
    walk = _Walk(closed=closed)
    found = walk.of(wanted)
    return {"$schema": _DIALECT, "title": title, **found, **({"$defs": walk.named} if walk.named else {})}


def narrowed(wanted: Any, value: Any) -> Any:
    """Return a plain value with only the keys that TypedDicts declare."""
    kinds = [one for one in _choices(wanted) if one is not type(None)]
    if isinstance(value, list):
        return [narrowed(get_args(kinds[0])[0], item) for item in value]
    if value is None or not is_typeddict(kinds[0]):
        return value
    hints = get_type_hints(kinds[0])
    other = hints.get(_OTHER)
    return {
        key: narrowed(hints.get(key, other), item)
        for key, item in value.items()
        if key in hints or other is not None
    }


class _Walk:
    """Builds the schema of a type. Each record is described once, by name."""

    def __init__(self, *, closed: bool) -> None:
        self.named: dict[str, Any] = {}
        self._closed = closed

    def of(self, wanted: Any) -> dict[str, Any]:
        if is_typeddict(wanted) or _is_struct(wanted):
            return self._record(wanted)
        if isinstance(wanted, NewType):
            return self.of(wanted.__supertype__)
        if isinstance(wanted, type) and issubclass(wanted, Enum):
            return {"enum": [member.value for member in wanted]}
        if wanted is Fraction:  # fractions as texts such as 1/2
            return {"type": ["integer", "string"]}
        return {"type": _SCALARS[wanted]} if wanted in _SCALARS else self._built(wanted)

    def _built(self, wanted: Any) -> dict[str, Any]:  # noqa: PLR0911 - one line for each form of type
        origin, parts = get_origin(wanted), get_args(wanted)
        if origin is Annotated:
            limits = [one for one in parts[1:] if isinstance(one, Between)]
            return self.of(parts[0]) | {
                k: v for one in limits for k, v in (("minimum", one.low), ("maximum", one.high))
            }
        if origin is NotRequired:
            return self.of(parts[0])
        if origin is Literal:
            return {"enum": [getattr(one, "value", one) for one in parts]}
        if origin in {Union, types.UnionType}:
            return {"anyOf": [self.of(one) for one in parts]}
        if origin is Mapping or origin is dict:
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if origin is list or (origin is tuple and parts[-1] is Ellipsis):
            return {"type": "array", "items": self.of(parts[0])}
        if origin is tuple:
            each = [self.of(one) for one in parts]
            return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
        return {}

    def _record(self, wanted: Any) -> dict[str, Any]:
        name = wanted.__name__.removesuffix("Json")
        if name not in self.named:
            self.named[name] = {}  # a record may be recursive
            self.named[name].update(self._described(wanted))
        return {"$ref": f"#/$defs/{name}"}

    def _described(self, wanted: Any) -> dict[str, Any]:
        hints = get_type_hints(wanted, include_extras=True)
        other = hints.pop(_OTHER, None)
        described: dict[str, Any] = {
            "type": "object",
            "properties": {key: self.of(hint) for key, hint in hints.items()},
        }
        if _is_struct(wanted):
            needed = [field.name for field in fields(wanted) if field.required]
            return {**described, "required": needed, "additionalProperties": False}
        needed = [key for key, hint in hints.items() if get_origin(hint) is not NotRequired]
        if other is not None:
            described["additionalProperties"] = self.of(other)
        elif self._closed:
            described["additionalProperties"] = False
        return {**described, "required": needed}


def _is_struct(wanted: Any) -> bool:
    return isinstance(wanted, type) and issubclass(wanted, Struct)


def _choices(wanted: Any) -> tuple[Any, ...]:
    return get_args(wanted) if get_origin(wanted) in {Union, types.UnionType} else (wanted,)
