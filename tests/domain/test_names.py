"""Tests of splitting names into first and last names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain.names import are_names_in_first_last_order, is_name_split_unsure, put_last_name_first

NL, BE, DE, FR, ES = "Nederland", "België", "Deutschland", "France", "España"


@pytest.mark.parametrize(
    ("name", "country", "expected"),
    [
        ("Jan de Vries", NL, "de Vries, Jan"),
        ("Sem van 't Hof", NL, "van 't Hof, Sem"),
        ("Sem van ’t Hof", NL, "van ’t Hof, Sem"),
        ("Wim in 't Veld", NL, "in 't Veld, Wim"),
        ("Griet Van Damme", BE, "Van Damme, Griet"),
        ("Griet Van Damme", "", "Van Damme, Griet"),
        ("Pieter-Jan Desmet", NL, "Desmet, Pieter-Jan"),
        ("Jérôme Dubois-Lefèvre", FR, "Dubois-Lefèvre, Jérôme"),
        ("Jean Le Gall", FR, "Le Gall, Jean"),
        ("Otto von der Heide", DE, "von der Heide, Otto"),
        ("Zur Nieden", DE, "Nieden, Zur"),
        ("María de la Cruz", ES, "de la Cruz, María"),
        ("Anna Maria Jansen", NL, "Jansen, Anna Maria"),
        ("John Smith Jr.", "North America", "Smith Jr., John"),
        ("Van Morrison", "North America", "Morrison, Van"),
        ("jan piet jansen", NL, "jansen, jan piet"),
        ("jan van dijk", NL, "van dijk, jan"),
        ("de Vries,  Jan", NL, "de Vries, Jan"),
        ("Madonna", NL, "Madonna"),
        ("", NL, ""),
    ],
)
def test_put_last_name_first_includes_prefixes(name: str, country: str, expected: str) -> None:
    assert put_last_name_first(name, country) == expected


@given(st.text(st.characters(categories=["Lu", "Ll"], include_characters=" ,'-"), max_size=30))
def test_put_last_name_first_keeps_all_letters(name: str) -> None:
    reordered_name = put_last_name_first(name, NL)
    assert put_last_name_first(reordered_name, NL) == reordered_name
    assert sorted(reordered_name.replace(",", "").replace(" ", "")) == sorted(
        name.replace(",", "").replace(" ", "")
    )


@pytest.mark.parametrize(
    ("name", "is_unsure"),
    [("Anna Maria Jansen", True), ("Jan de Vries", False), ("Jan Jansen", False), ("Garcia Lopez, Ana", False)],
)
def test_is_split_unsure_for_several_first_names(name: str, is_unsure: bool) -> None:
    assert is_name_split_unsure(name, NL) is is_unsure


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Ruben Vos", "Jan de Vries", "Griet Van Damme"], True),
        (["Ruben Vos", "Klaas Meijer"], True),
        (["de Vries Jan", "Vos Ruben"], False),
        (["DUPONT Marie", "MARTIN Jean"], False),
        (["Vos, Ruben", "de Vries, Jan"], False),
        ([f"{letter}aas Jan" for letter in "ABCDEFGH"], False),
        (["Anna", "Bob"], False),
        ([], False),
    ],
)
def test_are_first_names_first_in_a_list(names: list[str], expected: bool) -> None:
    assert are_names_in_first_last_order(names, NL) is expected
