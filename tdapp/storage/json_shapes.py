"""The JSON shape of a type, as JSON. The server uses it to check what a station sends.

A shape maps each possible kind of JSON value (`string`, `number`, `boolean`, `null`, `array`, `object`) to a rule:
the allowed strings, the bounds of a number, `{"each": shape}` for a list or a mapping, the shapes of a tuple's
items, the names and shapes of a record's fields, or None for any value of that kind. The SQL function `canonical`
of `station_functions` reads it.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

Shape = dict[str, Any]

_SCALARS: Mapping[Any, Shape] = MappingProxyType(
    {
        str: {"string": None},
        int: {"number": None},
        bool: {"boolean": None},
        NoneType: {"null": None},
        Fraction: {"number": None, "string": None},
    }
)
FACTS: Shape = {"object": {"each": {"string": None, "number": None, "boolean": None, "null": None}}}


def shape_of(wanted: Any) -> Shape:  # noqa: PLR0911 - one line for each form of type
    origin, parts = get_origin(wanted), get_args(wanted)
    if isinstance(wanted, NewType):
        return shape_of(wanted.__supertype__)
    if origin is Annotated:
        return {"number": [parts[1].ge, parts[1].le]}
    if origin is Literal:
        return {"string": list(parts)}
    if origin in {Union, types.UnionType}:
        return {kind: rule for part in parts for kind, rule in shape_of(part).items()}
    if origin is tuple:
        return {"array": {"each": shape_of(parts[0])} if ... in parts else [shape_of(part) for part in parts]}
    if origin is Mapping:
        return {"object": {"each": shape_of(parts[1])}}
    if isinstance(wanted, type) and issubclass(wanted, Struct):
        return {"object": [[item.name, shape_of(item.type)] for item in fields(wanted)]}
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return {"string": [member.value for member in wanted]}
    return dict(_SCALARS[wanted])
