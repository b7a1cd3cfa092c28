"""Tests that each rule parameter has a description and can be read, set and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from msgspec import Struct

from tdapp.domain import commands
from tdapp.domain.journal import make_argument_facts
from tdapp.domain.rule_fields import (
    RuleField,
    RuleFieldKind,
    find_rule_differences,
    get_rule_value,
    list_rule_fields,
    list_season_fields,
    replace_rule_value,
)
from tdapp.domain.ruleset import Outcome, RuleSet, find_rule_contradictions
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.serialization import convert_to_builtins
from tdapp.i18n.messages.codes import NOTES, RULES
from tests.changed_rules import make_other_value

HOUSE_RULES = RuleSet(
    id="own", name="House", language="en", tileset="en", order={"other": ("wins", "spread"), "swiss": ("points",)}
)
FIELDS = {field.path: field for field in list_rule_fields(("swiss",))}


def list_leaf_paths(value: object, prefix: str = "") -> Iterator[str]:
    """Yield the paths of all leaf values."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from list_leaf_paths(getattr(value, name), f"{prefix}.{name}")
    elif isinstance(value, Mapping):
        yield from (f"{prefix}.{key}" for key in value)
    else:
        yield prefix


def test_list_rule_fields_covers_each_parameter() -> None:
    assert list(FIELDS) == [path.removeprefix(".") for path in list_leaf_paths(HOUSE_RULES)]


@pytest.mark.parametrize("path", FIELDS)
def test_rule_fields_have_texts(path: str) -> None:
    assert path in RULES or path == "order.swiss"


def test_rule_texts_belong_to_fields() -> None:
    keys = {*FIELDS, *(field.text_key for field in list_season_fields())}
    assert set(RULES) - {"order"} == keys - {"order.swiss"}
    assert set(NOTES) - {"order"} <= keys


def test_list_season_fields_covers_each_parameter() -> None:
    assert [field.path for field in list_season_fields()] == [
        path.removeprefix(".") for path in list_leaf_paths(SeasonRule("", ""))
    ]


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_set_value_round_trip_of_each_parameter(field: RuleField) -> None:
    value = make_other_value(field, get_rule_value(HOUSE_RULES, field.path))

    edited = replace_rule_value(HOUSE_RULES, field.path, value)

    assert get_rule_value(edited, field.path) == value
    assert find_rule_differences(edited, HOUSE_RULES) == (field.path,)
    assert replace_rule_value(edited, field.path, get_rule_value(HOUSE_RULES, field.path)) == HOUSE_RULES


def test_list_rule_fields_has_limits_and_choices_of_the_types() -> None:
    assert FIELDS["words.binding"] == RuleField("words.binding", RuleFieldKind.NUMBER, 2, 15, optional=True)
    assert FIELDS["byes.bye.counts_as"].members == tuple(Outcome)
    assert FIELDS["clock.recommended"].kind is RuleFieldKind.PAIR


def test_set_value_removes_the_own_order_of_a_system() -> None:
    edited = replace_rule_value(HOUSE_RULES, "order.swiss", ())

    assert convert_to_builtins(edited.order) == {"other": ["wins", "spread"]}
    assert edited.get_tiebreak_order_for_system("swiss") == ("wins", "spread")


def test_find_differences_ignores_the_order_of_sanctions() -> None:
    sanctions = HOUSE_RULES.sanctions.named

    assert (
        find_rule_differences(replace_rule_value(HOUSE_RULES, "sanctions.named", sanctions[::-1]), HOUSE_RULES)
        == ()
    )


def test_find_contradictions_reports_an_empty_order() -> None:
    (contradiction,) = find_rule_contradictions(replace_rule_value(HOUSE_RULES, "order.other", ()))

    assert str(contradiction) == "order.other: missing"


def test_make_facts_names_changed_rules() -> None:
    old_tournament = commands.new_tournament(key="t", name="Cup", ruleset=HOUSE_RULES)
    rules = replace_rule_value(replace_rule_value(HOUSE_RULES, "bonus", 40), "overtime.points", 10)
    new_tournament = commands.change_rules(old_tournament, ruleset=rules)

    facts = make_argument_facts(old_tournament, new_tournament, {"ruleset": rules})

    assert facts == {"rules": "House", "changed": "bonus overtime.points", "whole": 0}
