"""Tests of plain values: round trips, and errors reported together with their paths."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tdapp.domain.serialization import InvalidDocumentError, convert_to_builtins, make_decoder, make_number_bounds

Key = NewType("Key", str)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(Struct, frozen=True):
    size: Annotated[int, make_number_bounds(1, 9)]
    half: Fraction = Fraction(1, 2)


class Outer(Struct, frozen=True):
    key: Key
    colour: Colour
    inner: Inner
    names: tuple[str, ...] = ()
    pair: tuple[int, str] = (0, "")
    mode: Literal["a", "b"] = "a"
    count: int | None = None
    table: Mapping[str, tuple[int, ...]] = None  # type: ignore[assignment]


outers = st.builds(
    Outer,
    key=st.text().map(Key),
    colour=st.sampled_from(Colour),
    inner=st.builds(Inner, size=st.integers(1, 9), half=st.fractions()),
    names=st.lists(st.text()).map(tuple),
    pair=st.tuples(st.integers(), st.text()),
    mode=st.sampled_from(["a", "b"]),
    count=st.none() | st.integers(),
    table=st.dictionaries(st.text(), st.lists(st.integers()).map(tuple)),
)


@given(outers)
def test_serialization_round_trip(value: Outer) -> None:
    assert make_decoder(Outer)(convert_to_builtins(value)) == value


def test_make_decoder_reports_all_problems_together() -> None:
    with pytest.raises(InvalidDocumentError) as error:
        make_decoder(Outer)(
            {
                "colour": "green",
                "inner": {"size": 12, "half": "x", "weight": 1},
                "names": ["a", 3],
                "pair": [1],
                "mode": "c",
                "count": "many",
                "table": {"t": [True]},
            }
        )
    assert [problem.split(":")[0] for problem in error.value.problems] == [
        "key",
        "colour",
        "inner.weight",
        "inner.size",
        "inner.half",
        "names[1]",
        "pair",
        "mode",
        "count",
        "table.t[0]",
    ]


@pytest.mark.parametrize("document", [None, [], "x", 3])
def test_make_decoder_refuses_other_documents(document: object) -> None:
    with pytest.raises(InvalidDocumentError, match="expected a table"):
        make_decoder(Inner)(document)


def test_make_decoder_refuses_true_as_a_number() -> None:
    with pytest.raises(InvalidDocumentError, match="size"):
        make_decoder(Inner)({"size": True})


def test_encode_plain_of_a_fraction_round_trip() -> None:
    assert convert_to_builtins(Fraction(1, 2)) == "1/2"
    assert convert_to_builtins(Fraction(4)) == 4
    assert make_decoder(Inner)({"size": 1, "half": 0.5}).half == Fraction(1, 2)


def test_encode_plain_refuses_a_value_without_plain_form() -> None:
    with pytest.raises(TypeError):
        convert_to_builtins({1, 2})
