"""The parameters of a rule set: paths, permitted values and differences between two sets.

Read from the Structs of `ruleset`, so that none can be forgotten. Walks their types, and replaces one value deep
in a frozen rule set.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Union, cast, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, replace

from tdapp.domain.model import Event
from tdapp.domain.ruleset import RuleSet

CHECK_FIRST = "judges.check_first"  # the tournament's own setting; a rule set has its default
OTHER = "other"  # the ranking order of systems without their own


class FieldKind(StrEnum):
    """The type of a parameter."""

    NUMBER = "number"
    FRACTION = "fraction"
    YES = "yes"
    CHOICE = "choice"  # one member of an enum
    CHOICES = "choices"  # several members of an enum
    PAIR = "pair"  # two numbers in ascending order
    ORDER = "order"  # distinct ids of tie-breaks
    TEXT = "text"


class RuleField(Struct, frozen=True):
    """One parameter: its path in the rule set and its permitted values.

    `low` and `high` are inclusive bounds of each number, or None. `optional`: None or an empty order is
    permitted. `members` are the choices.
    """

    path: str
    kind: FieldKind
    low: int | None = None
    high: int | None = None
    optional: bool = False
    members: tuple[Enum, ...] = ()


def list_rule_fields(systems: Sequence[str]) -> tuple[RuleField, ...]:
    """Return every parameter in the order of definition, with a ranking order for each system."""
    return _list_fields(tuple(systems))


@cache  # cached: they depend on the class definitions only
def _list_fields(systems: tuple[str, ...]) -> tuple[RuleField, ...]:
    return tuple(_iterate_fields(RuleSet, "", systems))


def get_value(rules: RuleSet, path: str) -> object:
    """Return the value of a parameter. A missing ranking order of a system is empty."""
    value: Any = rules
    for name in path.split("."):
        value = value.get(name, ()) if isinstance(value, Mapping) else getattr(value, name)
    return cast("object", value)


def set_value(rules: RuleSet, path: str, value: object) -> RuleSet:
    """Set one parameter. An empty ranking order is removed."""
    return cast("RuleSet", _replace_deep(rules, path.split("."), value))


def set_values(rules: RuleSet, values: Mapping[str, object]) -> RuleSet:
    """Set parameters by their paths."""
    for path, value in values.items():
        rules = set_value(rules, path, value)
    return rules


def apply_event_rules(event: Event, rules: RuleSet) -> RuleSet:
    """Return the rules in use: the tournament itself decides whether pairing waits for the jury."""
    return set_value(rules, CHECK_FIRST, event.check_first)


def find_differences(one: RuleSet, other: RuleSet) -> tuple[str, ...]:
    """Return the paths of the parameters that differ between two rule sets."""
    if one == other:
        return ()
    systems = [name for name in {**one.order, **other.order} if name != OTHER]
    return tuple(
        field.path
        for field in list_rule_fields(systems)
        if not is_same_value(field, get_value(one, field.path), get_value(other, field.path))
    )


def is_same_value(field: RuleField, one: object, other: object) -> bool:
    """Return whether two values of a parameter are equal. Sets of choices have no order."""
    if field.kind is FieldKind.CHOICES and isinstance(one, tuple) and isinstance(other, tuple):
        return set(one) == set(other)
    return one == other


def _replace_deep(record: Any, names: Sequence[str], value: object) -> object:
    name, *deeper = names
    if isinstance(record, Mapping):
        kept = {key: item for key, item in record.items() if key != name}
        return MappingProxyType({**kept, name: value} if value else kept)
    return replace(record, **{name: _replace_deep(getattr(record, name), deeper, value) if deeper else value})


def _iterate_fields(record: type, under: str, systems: Sequence[str]) -> Iterator[RuleField]:
    for field in fields(cast("type[Struct]", record)):
        path, hint = under + field.name, field.type
        if isinstance(hint, type) and issubclass(hint, Struct):
            yield from _iterate_fields(hint, f"{path}.", systems)
        elif get_origin(hint) is Mapping:
            yield RuleField(f"{path}.{OTHER}", FieldKind.ORDER)
            yield from (RuleField(f"{path}.{name}", FieldKind.ORDER, optional=True) for name in systems)
        else:
            yield _make_field(path, hint)


def _make_field(path: str, hint: Any) -> RuleField:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        (inner,) = (one for one in arguments if one is not type(None))
        return replace(_make_field(path, inner), optional=True)
    if origin is Annotated:
        bounds = arguments[1]
        return replace(_make_field(path, arguments[0]), low=bounds.ge, high=bounds.le)
    if origin is tuple:
        return _make_compound_field(path, arguments)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return RuleField(path, FieldKind.CHOICE, members=tuple(hint))
    return RuleField(path, _SCALARS[hint])


def _make_compound_field(path: str, hints: tuple[Any, ...]) -> RuleField:
    if hints[-1] is not Ellipsis:
        return replace(_make_field(path, hints[0]), kind=FieldKind.PAIR)
    if issubclass(hints[0], Enum):
        return RuleField(path, FieldKind.CHOICES, members=tuple(hints[0]))
    return RuleField(path, FieldKind.TEXT)


_SCALARS = {bool: FieldKind.YES, int: FieldKind.NUMBER, Fraction: FieldKind.FRACTION, str: FieldKind.TEXT}
