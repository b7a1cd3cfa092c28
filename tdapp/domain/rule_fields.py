"""The parameters of rule sets and season rules: path, permitted values, and differences.

A path is `section.field`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, cast

from msgspec import Struct, inspect
from msgspec.structs import replace

from tdapp.domain.model import Event
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.season_rule import MAX_VALUE, QualifyingPlacesByFieldSize, SeasonRule, SeasonTieBreak

CHECK_FIRST = "judges.check_first"  # a setting of the tournament, with a default in the rule set
R = TypeVar("R", bound=Struct)
OTHER_SYSTEMS = "other"  # key of the order for pairing systems without their own


class RuleFieldKind(StrEnum):
    """The type of a parameter."""

    NUMBER = "number"
    FRACTION = "fraction"
    YES = "yes"
    CHOICE = "choice"  # one member of an enum
    CHOICES = "choices"  # several members of an enum
    PAIR = "pair"  # two numbers in ascending order
    ORDER = "order"  # distinct ids of tie-breaks, or distinct members of an enum
    FRACTIONS = "fractions"  # several numbers
    TEXT = "text"
    TEXTS = "texts"  # several names
    FIELD_PLACES = "places"  # qualifying places by number of players


class RuleField(Struct, frozen=True):
    """The description of one parameter of a rule set or of season rules."""

    path: str
    kind: RuleFieldKind
    minimum: int | None = None  # inclusive limit of each number; None: no limit
    maximum: int | None = None  # inclusive limit of each number; None: no limit
    optional: bool = False  # None or an empty order is permitted
    members: tuple[Enum, ...] = ()  # the permitted choices
    scope: str = ""  # prefix of the key of its texts

    @property
    def text_key(self) -> str:
        return self.scope + self.path


SEASON_SCOPE = "season."


def list_rule_fields(systems_with_order: Sequence[str]) -> tuple[RuleField, ...]:
    return _list_all_rule_fields(tuple(systems_with_order))


@cache  # cached: they depend on the class definitions only
def _list_all_rule_fields(systems_with_order: tuple[str, ...]) -> tuple[RuleField, ...]:
    return tuple(
        _iterate_rule_fields(cast("inspect.StructType", inspect.type_info(RuleSet)), "", systems_with_order)
    )


@cache
def list_season_fields() -> tuple[RuleField, ...]:
    fields = _iterate_rule_fields(cast("inspect.StructType", inspect.type_info(SeasonRule)), "", ())
    return tuple(
        replace(
            field,
            scope=SEASON_SCOPE,
            minimum=0,
            maximum=MAX_VALUE,
            optional=field.optional or field.path == "source",
        )
        for field in fields
    )


def get_rule_value(rules: Struct, path: str) -> object:
    """Return the value at a path such as `section.field`.

    `order.swiss` is the ranking order for the pairing system `swiss`, or () if this system has no own order.
    """
    value: Any = rules
    for name in path.split("."):
        value = value.get(name, ()) if isinstance(value, Mapping) else getattr(value, name)
    return cast("object", value)


def replace_rule_value(rules: R, path: str, value: object) -> R:
    """Return the rules with `value` at `path`.

    Example: () at `order.swiss` removes the ranking order for Swiss pairing.
    """
    return cast("R", _replace_nested_field(rules, path.split("."), value))


def replace_rule_values(rules: R, values: Mapping[str, object]) -> R:
    for path, value in values.items():
        rules = replace_rule_value(rules, path, value)
    return rules


def copy_result_check_setting_to_rules(event: Event, rules: RuleSet) -> RuleSet:
    """Return the rules with the event's setting `check_first`.

    If it is true, a round is paired only after all earlier results are checked.
    """
    return replace_rule_value(rules, CHECK_FIRST, event.check_first)


def find_rule_differences(first: RuleSet, second: RuleSet) -> tuple[str, ...]:
    if first == second:
        return ()
    systems = [name for name in {**first.order, **second.order} if name != OTHER_SYSTEMS]
    return find_differing_fields(list_rule_fields(systems), first, second)


def find_differing_fields(fields: Iterable[RuleField], first: Struct, second: Struct) -> tuple[str, ...]:
    return tuple(
        field.path
        for field in fields
        if not is_same_rule_value(field, get_rule_value(first, field.path), get_rule_value(second, field.path))
    )


def is_same_rule_value(field: RuleField, first: object, second: object) -> bool:
    """Return whether two values of a parameter are equal. Ignore the order of a set of choices."""
    if field.kind is RuleFieldKind.CHOICES and isinstance(first, tuple) and isinstance(second, tuple):
        return set(first) == set(second)
    return first == second


def _replace_nested_field(record: Any, names: Sequence[str], value: object) -> object:
    name, *inner_names = names
    if isinstance(record, Mapping):
        other_items = {key: item for key, item in record.items() if key != name}
        return MappingProxyType({**other_items, name: value} if value else other_items)
    return replace(
        record,
        **{name: _replace_nested_field(getattr(record, name), inner_names, value) if inner_names else value},
    )


def _iterate_rule_fields(record: inspect.StructType, prefix: str, systems: Sequence[str]) -> Iterator[RuleField]:
    for field in record.fields:
        path = prefix + field.name
        match field.type:
            case inspect.StructType():
                yield from _iterate_rule_fields(field.type, f"{path}.", systems)
            case inspect.DictType():
                yield RuleField(f"{path}.{OTHER_SYSTEMS}", RuleFieldKind.ORDER)
                yield from (RuleField(f"{path}.{name}", RuleFieldKind.ORDER, optional=True) for name in systems)
            case _:
                yield _make_field(path, field.type)


def _make_field(path: str, field_type: inspect.Type) -> RuleField:  # noqa: PLR0911 - one line for each type
    match field_type:
        case inspect.UnionType(types=choices):
            (inner,) = (choice for choice in choices if not isinstance(choice, inspect.NoneType))
            return replace(_make_field(path, inner), optional=True)
        case inspect.TupleType(item_types=items):
            return replace(_make_field(path, items[0]), kind=RuleFieldKind.PAIR)
        case inspect.VarTupleType(item_type=inspect.EnumType(cls=members)):
            kind = RuleFieldKind.ORDER if members is SeasonTieBreak else RuleFieldKind.CHOICES
            return RuleField(path, kind, members=tuple(members))
        case inspect.VarTupleType(item_type=inspect.StrType()):
            return RuleField(path, RuleFieldKind.TEXTS, optional=True)
        case inspect.VarTupleType(item_type=inspect.StructType(cls=cls)) if cls is QualifyingPlacesByFieldSize:
            return RuleField(path, RuleFieldKind.FIELD_PLACES, optional=True)
        case inspect.VarTupleType():
            return RuleField(path, RuleFieldKind.FRACTIONS, optional=True)
        case inspect.EnumType(cls=members):
            return RuleField(path, RuleFieldKind.CHOICE, members=tuple(members))
        case inspect.IntType(ge=low, le=high):
            return RuleField(path, RuleFieldKind.NUMBER, low, high)
        case _:
            return RuleField(path, _SCALARS.get(type(field_type), RuleFieldKind.TEXT))


_SCALARS = {inspect.BoolType: RuleFieldKind.YES, inspect.CustomType: RuleFieldKind.FRACTION}
