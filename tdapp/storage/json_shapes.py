"""The JSON shape of a type, to check what a station sends.

A shape maps each possible kind of JSON value (`string`, `number`, `boolean`, `null`, `array`, `object`) to a rule.
A rule is None for any value, or the allowed strings, or the bounds of a number. For a list or a mapping it is
`{"each": shape}`, for a tuple the shapes of its items, for a record the names and shapes of its fields. The SQL
function `canonical` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import inspect
from msgspec.inspect import Type

Shape = dict[str, Any]

_SCALARS: Mapping[type[Type], Shape] = MappingProxyType(
    {
        inspect.StrType: {"string": None},
        inspect.IntType: {"number": None},
        inspect.BoolType: {"boolean": None},
        inspect.NoneType: {"null": None},
        inspect.CustomType: {"number": None, "string": None},  # a fraction
    }
)
FACTS: Shape = {"object": {"each": {"string": None, "number": None, "boolean": None, "null": None}}}


def make_shape(wanted: Any) -> Shape:
    return _describe(inspect.type_info(wanted))


def _describe(wanted: Type) -> Shape:  # noqa: PLR0911 - one line for each form of type
    match wanted:
        case inspect.IntType(ge=int(low), le=int(high)):
            return {"number": [low, high]}
        case inspect.LiteralType(values=values):
            return {"string": list(values)}
        case inspect.EnumType(cls=members):
            return {"string": [member.value for member in members]}
        case inspect.UnionType(types=parts):
            return {kind: rule for part in parts for kind, rule in _describe(part).items()}
        case inspect.VarTupleType(item_type=item):
            return {"array": {"each": _describe(item)}}
        case inspect.TupleType(item_types=items):
            return {"array": [_describe(item) for item in items]}
        case inspect.DictType(value_type=item):
            return {"object": {"each": _describe(item)}}
        case inspect.StructType(fields=fields):
            return {"object": [[item.name, _describe(item.type)] for item in fields]}
        case _:
            return dict(_SCALARS[type(wanted)])
