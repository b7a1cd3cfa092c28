"""Read type hints: the parts of a hint, and the arguments of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

UNCHANGED = object()  # default of optional fields: unchanged


class CommandArgument(Struct, frozen=True):
    """One argument of a command."""

    name: str
    hint: Any  # its declared type
    default: Any = inspect.Parameter.empty

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def is_nullable(self) -> bool:
        return is_nullable(self.hint)

    @property
    def can_be_set_to_none(self) -> bool:
        return self.is_nullable and (self.is_required or self.default is UNCHANGED)

    @property
    def type_without_none(self) -> Any:
        return strip_none_from_hint(self.hint)


def list_arguments(command: Callable[..., Any]) -> tuple[CommandArgument, ...]:
    """Return the arguments of a command, except the tournament. For a class, return those of its constructor."""
    hints = get_type_hints(command)
    parameters = list(inspect.signature(command).parameters.values())
    inputs = parameters if isinstance(command, type) else parameters[1:]
    return tuple(
        argument
        for parameter in inputs
        for argument in _make_arguments_of_parameter(parameter, hints[parameter.name])
    )


def _make_arguments_of_parameter(parameter: inspect.Parameter, hint: Any) -> Iterator[CommandArgument]:
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
        yield CommandArgument(parameter.name, hint, parameter.default)
        return
    for name, field_hint in get_type_hints(get_args(hint)[0]).items():
        yield CommandArgument(name, field_hint, UNCHANGED)


def list_return_types_without_none(function: Callable[..., Any], names: dict[str, Any]) -> tuple[Any, ...]:
    """Return the types that a function can return, without None.

    For a tuple, return only the type of its first item.
    """
    hint = get_type_hints(function, localns=names)["return"]
    parts = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    return tuple((*list_tuple_item_types(part), part)[0] for part in parts if part is not NoneType)


def map_value_types_by_field(record: type) -> dict[str, Any]:
    hints = get_type_hints(record)
    return {name: get_args(hint)[1] for name, hint in hints.items() if get_origin(hint) is Mapping}


def is_nullable(hint: Any) -> bool:
    return NoneType in get_args(hint)


def strip_none_from_hint(hint: Any) -> Any:
    if get_origin(hint) in {Union, UnionType}:
        return next(part for part in get_args(hint) if part is not NoneType)
    return hint


def strip_new_type(hint: Any) -> Any:
    return strip_new_type(hint.__supertype__) if isinstance(hint, NewType) else hint


def list_tuple_item_types(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is tuple else ()


def is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def has_any_type_in_hint(hint: Any, types: tuple[Any, ...]) -> bool:
    return hint in types or any(has_any_type_in_hint(inner, types) for inner in get_args(hint))
