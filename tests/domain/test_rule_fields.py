"""Every parameter of a rule set is described, can be read and replaced, and is found where two sets differ."""

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
    set_rule_value,
)
from tdapp.domain.ruleset import RuleSet, Worth, find_contradictions
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.serialization import encode_plain
from tdapp.i18n.messages.codes import NOTES, RULES
from tests.changed_rules import another

RULES_OF_OUR_OWN = RuleSet(
    id="own", name="House", language="en", tileset="en", order={"other": ("wins", "spread"), "swiss": ("points",)}
)
FIELDS = {field.path: field for field in list_rule_fields(("swiss",))}


def leaves(value: object, under: str = "") -> Iterator[str]:
    """The paths of a value's parts, found without looking at types."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name), f"{under}.{name}")
    elif isinstance(value, Mapping):
        yield from (f"{under}.{key}" for key in value)
    else:
        yield under


def test_list_rule_fields_covers_each_parameter() -> None:
    assert list(FIELDS) == [path.removeprefix(".") for path in leaves(RULES_OF_OUR_OWN)]


@pytest.mark.parametrize("path", FIELDS)
def test_rule_fields_have_texts(path: str) -> None:
    assert path in RULES or path == "order.swiss"


def test_rule_texts_belong_to_fields() -> None:
    keys = {*FIELDS, *(field.text_key for field in list_season_fields())}
    assert set(RULES) - {"order"} == keys - {"order.swiss"}
    assert set(NOTES) - {"order"} <= keys


def test_list_season_fields_covers_each_parameter() -> None:
    assert [field.path for field in list_season_fields()] == [
        path.removeprefix(".") for path in leaves(SeasonRule("", ""))
    ]


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_set_value_round_trip_of_each_parameter(field: RuleField) -> None:
    value = another(field, get_rule_value(RULES_OF_OUR_OWN, field.path))

    changed = set_rule_value(RULES_OF_OUR_OWN, field.path, value)

    assert get_rule_value(changed, field.path) == value
    assert find_rule_differences(changed, RULES_OF_OUR_OWN) == (field.path,)
    assert set_rule_value(changed, field.path, get_rule_value(RULES_OF_OUR_OWN, field.path)) == RULES_OF_OUR_OWN


def test_list_rule_fields_has_limits_and_choices_of_the_types() -> None:
    assert FIELDS["words.binding"] == RuleField("words.binding", RuleFieldKind.NUMBER, 2, 15, optional=True)
    assert FIELDS["byes.bye.counts_as"].members == tuple(Worth)
    assert FIELDS["clock.recommended"].kind is RuleFieldKind.PAIR


def test_set_value_removes_the_own_order_of_a_system() -> None:
    changed = set_rule_value(RULES_OF_OUR_OWN, "order.swiss", ())

    assert encode_plain(changed.order) == {"other": ["wins", "spread"]}
    assert changed.get_ranking_order("swiss") == ("wins", "spread")


def test_find_differences_ignores_the_order_of_sanctions() -> None:
    named = RULES_OF_OUR_OWN.sanctions.named

    assert (
        find_rule_differences(set_rule_value(RULES_OF_OUR_OWN, "sanctions.named", named[::-1]), RULES_OF_OUR_OWN)
        == ()
    )


def test_find_contradictions_reports_an_empty_order() -> None:
    (found,) = find_contradictions(set_rule_value(RULES_OF_OUR_OWN, "order.other", ()))

    assert str(found) == "order.other: missing"


def test_make_facts_names_changed_rules() -> None:
    before = commands.new_tournament(key="t", name="Cup", ruleset=RULES_OF_OUR_OWN)
    rules = set_rule_value(set_rule_value(RULES_OF_OUR_OWN, "bonus", 40), "overtime.points", 10)
    after = commands.change_rules(before, ruleset=rules)

    facts = make_argument_facts(before, after, {"ruleset": rules})

    assert facts == {"rules": "House", "changed": "bonus overtime.points", "whole": 0}
