"""Other values for the parameters of rule sets."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from tdapp.domain.rule_fields import RuleField, RuleFieldKind
from tdapp.domain.season_rule import QualifyingPlacesByFieldSize


def make_other_value(field: RuleField, value: object) -> object:
    """Return some other value that fits the parameter."""
    match value:
        case bool():
            new_value: object = not value
        case Enum():
            new_value = next(member for member in field.members if member is not value)
        case int():
            new_value = value + 1 if field.maximum is None or value < field.maximum else value - 1
        case Fraction():
            new_value = value + 1
        case None:
            new_value = (5, 6) if field.kind is RuleFieldKind.PAIR else 5
        case tuple() if field.kind is RuleFieldKind.FRACTIONS:
            new_value = (*(Fraction(2 * number) for number in range(3 + field.path.endswith("four"))),)
        case tuple() if field.kind is RuleFieldKind.TEXTS:
            new_value = (*value, "new")
        case tuple() if field.kind is RuleFieldKind.FIELD_PLACES:
            new_value = (*value, QualifyingPlacesByFieldSize(99, 9))
        case tuple() if field.members:
            new_value = value[:-1]
        case tuple():
            new_value = ("points", "wins") if value != ("points", "wins") else ("wins",)
        case _:
            new_value = f"{value}!"
    return new_value
