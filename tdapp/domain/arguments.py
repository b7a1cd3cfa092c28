"""What a command asks for, by its own type hints: of it the command line and the forms of the window are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tdapp.domain.commands.rule import Unchanged


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a command besides the tournament; `hint` is its declared type."""

    name: str
    hint: Any
    default: Any = inspect.Parameter.empty

    @property
    def required(self) -> bool:
        """Whether the command cannot do without it."""
        return self.default is inspect.Parameter.empty

    @property
    def nullable(self) -> bool:
        """Whether None is a value of it."""
        return NoneType in get_args(self.hint)

    @property
    def can_be_emptied(self) -> bool:
        """Whether an edit can leave the field as it is, and can empty it too."""
        return {NoneType, Unchanged} <= {*get_args(self.hint)}

    @property
    def type(self) -> Any:
        """The type of a value that is not None."""
        return without_none(self.hint)


def arguments(command: Callable[..., Any]) -> tuple[Argument, ...]:
    """Return the arguments of a command in their order, without the tournament; of a class those that make it."""
    hints = get_type_hints(command)
    parameters = list(inspect.signature(command).parameters.values())
    asked = parameters if isinstance(command, type) else parameters[1:]
    return tuple(Argument(one.name, hints[one.name], one.default) for one in asked)


def without_none(hint: Any) -> Any:
    """Return the type that a hint has besides None and what leaves a field as it is."""
    if get_origin(hint) in {Union, UnionType}:
        return next(one for one in get_args(hint) if one not in {NoneType, Unchanged})
    return hint


def is_enum(hint: Any) -> bool:
    """Tell whether a type is an Enum, whose members can be offered and spelled."""
    return isinstance(hint, type) and issubclass(hint, Enum)


def mentions(hint: Any, wanted: tuple[Any, ...]) -> bool:
    """Tell whether a hint is one of the wanted types, or is made of one."""
    return hint in wanted or any(mentions(inner, wanted) for inner in get_args(hint))
