"""Other values for the parameters of rule sets."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from tdapp.domain.rule_fields import RuleField, RuleFieldKind
from tdapp.domain.season_rule import PlacesByFieldSize


def another(field: RuleField, value: object) -> object:
    """Return some other value that fits the parameter."""
    match value:
        case bool():
            other: object = not value
        case Enum():
            other = next(one for one in field.members if one is not value)
        case int():
            other = value + 1 if field.maximum is None or value < field.maximum else value - 1
        case Fraction():
            other = value + 1
        case None:
            other = (5, 6) if field.kind is RuleFieldKind.PAIR else 5
        case tuple() if field.kind is RuleFieldKind.FRACTIONS:
            other = (*(Fraction(2 * at) for at in range(3 + field.path.endswith("four"))),)
        case tuple() if field.kind is RuleFieldKind.TEXTS:
            other = (*value, "new")
        case tuple() if field.kind is RuleFieldKind.FIELD_PLACES:
            other = (*value, PlacesByFieldSize(99, 9))
        case tuple() if field.members:
            other = value[:-1]
        case tuple():
            other = ("points", "wins") if value != ("points", "wins") else ("wins",)
        case _:
            other = f"{value}!"
    return other
