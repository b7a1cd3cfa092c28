"""Reasons that are read when somebody asks are the reasons that were written."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import fields, replace

import pytest

from tdapp.domain.model import Reason
from tdapp.domain.plain import encode
from tdapp.domain.tournament import KINDS
from tdapp.storage.filling import filled, kept_reasons
from tdapp.storage.tables import to_text
from tests.storage import whole

REASON = Reason("group", (("rank", 1), ("other", None), ("who", "Åse")), (("repeats", 0),))


def kept(text: str = to_text(encode(REASON))) -> Reason:
    (found,) = kept_reasons([text])
    return found


@pytest.mark.parametrize("field", [item.name for item in fields(Reason)])
def test_a_field_that_is_asked_for_is_there(field: str) -> None:
    assert getattr(kept(), field) == getattr(REASON, field)


def test_it_equals_the_same_reason_and_no_other() -> None:
    assert kept() == REASON == kept() == kept()
    assert hash(kept()) == hash(REASON)
    assert kept() != replace(REASON, cost=())
    assert replace(REASON, code="") != kept()
    other: object = "group"
    assert kept() != other


def test_it_goes_out_and_changes_as_any_reason() -> None:
    assert encode(kept()) == encode(REASON)
    assert replace(kept(), code="other") == replace(REASON, code="other")
    assert deepcopy(kept()) == REASON


@pytest.mark.parametrize("text", ["", "[[", "{}", '{"code":1}', '{"code":"a","facts":[["b"]]}', "[" * 100_000])
def test_one_that_cannot_be_read_says_nothing(text: str) -> None:
    assert kept(text) == Reason("")


def test_what_a_reason_has_not_is_missing() -> None:
    with pytest.raises(AttributeError):
        kept().missing  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_filled_as_their_constructor_would(kind: str) -> None:
    rows = list(whole.beginning().rows(kind).values())
    names = [item.name for item in fields(KINDS[kind])]
    assert rows
    assert filled(KINDS[kind], names, [[getattr(row, name) for row in rows] for name in names]) == rows
    assert not hasattr(KINDS[kind], "__post_init__")
