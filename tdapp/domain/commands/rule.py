"""What every command shares: no change once the tournament is finished, looking rows up, checking values.

`arguments` reads from type hints what a command asks for; the command line and the window's forms are made of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import wraps
from types import NoneType, UnionType
from typing import Any, Concatenate, ParamSpec, TypeGuard, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.domain.impact import certified
from tdapp.domain.text_characters import checked
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import Text

P = ParamSpec("P")
K = TypeVar("K", bound=str)
V = TypeVar("V")

LONGEST_TEXT = 200
LONGEST_NOTE = 5000
LAST_ROUND = 100_000
HIGHEST_TABLE = 100_000
MOST_POINTS = 9_999  # of a game, either way


Changing = Callable[Concatenate[Tournament, P], Tournament]


def command(said: Text, *, when_finished: bool = False) -> Callable[[Changing[P]], Changing[P]]:
    """Declare a command: `said` is what it has done, with the facts of `domain.journal`, for the history and undo.

    It refuses with RuleViolation once the tournament is finished, unless it may run `when_finished`.
    """

    def declared(function: Changing[P]) -> Changing[P]:
        @wraps(function)
        def guarded(tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> Tournament:
            if tournament.event.finished and not when_finished:
                raise RuleViolation("tournament-finished")
            return function(tournament, *args, **kwargs)

        vars(guarded)["said"] = said
        return guarded

    return declared


def is_command(item: object) -> TypeGuard[Callable[..., Tournament]]:
    """Return whether something is a declared command."""
    return callable(item) and "said" in getattr(item, "__dict__", {})


def said_of(function: Callable[..., Tournament]) -> Text:
    """Return what a declared command has done, as a message."""
    found: Text = vars(function)["said"]
    return found


def check_certified(before: Tournament, after: Tournament, reason: str) -> Tournament:
    """Return `after`; raise RuleViolation if it changes a certified result and there is no `reason`."""
    result = None if reason.strip() else certified(before, after)
    if result is not None:
        raise RuleViolation("result-final", table=before.games[result.id].table)
    return after


def found(rows: Mapping[K, V], key: K, code: str) -> V:
    """Return the row with id `key`; raise RuleViolation(code) if it is gone."""
    try:
        return rows[key]
    except KeyError:
        raise RuleViolation(code, id=str(key)) from None


def text(value: str, field: str, *, longest: int = LONGEST_TEXT) -> str:
    """Return `value` without surrounding space; raise RuleViolation if it is too long or not text to be read."""
    value = value.strip()
    if len(value) > longest:
        raise RuleViolation("text-too-long", field=field, length=len(value), longest=longest)
    wrong = next((code for sign, code in checked(value) if code and sign != "\n"), "")
    if wrong:
        raise RuleViolation(wrong, field=field)
    return value


def required(value: str, field: str, *, longest: int = LONGEST_TEXT) -> str:
    """Return `value` as `text` does; raise RuleViolation if nothing is left of it."""
    value = text(value, field, longest=longest)
    if not value:
        raise RuleViolation("text-missing", field=field)
    return value


def within(value: int, field: str, *, low: int, high: int) -> int:
    """Return `value`; raise RuleViolation unless it lies between `low` and `high`, both included."""
    if not low <= value <= high:
        raise RuleViolation("number-out-of-range", field=field, value=value, low=low, high=high)
    return value


STAYS = object()  # the default of a field that a command leaves as it is where nothing is said of it


class Argument(Struct, frozen=True):
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
        """Whether a field can be emptied that otherwise stays as it is, or that must be given."""
        return self.nullable and (self.required or self.default is STAYS)

    @property
    def type(self) -> Any:
        """The type of a value that is not None."""
        return without_none(self.hint)


def arguments(command: Callable[..., Any]) -> tuple[Argument, ...]:
    """Return the arguments of a command in their order, without the tournament; of a class those that make it."""
    hints = get_type_hints(command)
    parameters = list(inspect.signature(command).parameters.values())
    asked = parameters if isinstance(command, type) else parameters[1:]
    return tuple(argument for one in asked for argument in _declared(one, hints[one.name]))


def _declared(parameter: inspect.Parameter, hint: Any) -> Iterator[Argument]:
    """Yield the argument that a parameter is, or those that its TypedDict unpacks."""
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
        yield Argument(parameter.name, hint, parameter.default)
        return
    for name, own in get_type_hints(get_args(hint)[0]).items():
        yield Argument(name, own, STAYS)


def without_none(hint: Any) -> Any:
    """Return the type that a hint has besides None."""
    if get_origin(hint) in {Union, UnionType}:
        return next(one for one in get_args(hint) if one is not NoneType)
    return hint


def is_enum(hint: Any) -> bool:
    """Return whether a type is an Enum, whose members can be offered and spelled."""
    return isinstance(hint, type) and issubclass(hint, Enum)


def mentions(hint: Any, wanted: tuple[Any, ...]) -> bool:
    """Return whether a hint is one of the wanted types, or is made of one."""
    return hint in wanted or any(mentions(inner, wanted) for inner in get_args(hint))
