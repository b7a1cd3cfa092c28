"""Tests that texts with unprintable characters are refused."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.jury_rows import TurnRuling
from tdapp.domain.model import PairingReason
from tdapp.domain.tournament import Row, Tournament, compute_diff, refuse_invalid_characters
from tests.building import make_desk
from tests.storage import full_tournament

INVALID_CHARACTERS = ("\x00", "\x07", "\x1b", "\x7f", "\x85", "\ud800", "\udfff")
VALUE = full_tournament.build_full_tournament()


def put_row(tournament: Tournament, *, row: Row) -> Tournament:
    return tournament.put(row)


@pytest.mark.parametrize("sign", INVALID_CHARACTERS)
def test_refuse_invalid_text_in_each_field(sign: str) -> None:
    text = f"a{sign}b"
    sheet, game = next(iter(VALUE.sheets.values())), next(iter(VALUE.games.values()))
    rules = next(iter(VALUE.rules.values()))
    rows: list[tuple[str, Row]] = [
        ("name", replace(VALUE.event, name=text)),
        ("rulings", replace(sheet, rulings=(TurnRuling(1, True, text, "why"),))),
        ("sheet", replace(sheet, sheet=replace(sheet.sheet, players=(text, "x")))),
        ("reason", replace(game, reason=PairingReason("seat", (("group", text),), ()))),
        ("ruleset", replace(rules, ruleset=replace(rules.ruleset, order={text: ("wins",)}))),
    ]
    for field, row in rows:
        with pytest.raises(CommandError) as error:
            refuse_invalid_characters(compute_diff(VALUE, VALUE.put(row)), {})
        assert (error.value.code, error.value.facts) == ("text-not-printable", {"field": field})
    with pytest.raises(CommandError, match="reason"):
        refuse_invalid_characters((), {"table": 1, "reason": text})


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_refuse_invalid_text_accepts_other_texts(text: str) -> None:
    refuse_invalid_characters(
        compute_diff(VALUE, VALUE.put(replace(VALUE.event, name=text + "\t\r\n"))), {"why": text}
    )


def test_refuse_invalid_text_ignores_removed_text() -> None:
    invalid = VALUE.put(replace(VALUE.event, place="\x00"))
    refuse_invalid_characters(compute_diff(invalid, VALUE), {})


def test_desk_do_refuses_invalid_text() -> None:
    open_desk = make_desk(VALUE)
    with pytest.raises(CommandError, match="text-not-printable"):
        open_desk.do(partial(put_row, row=replace(VALUE.event, name="a\x00")), label="edit-event")
    assert open_desk.tournament.event == VALUE.event
    assert open_desk.list_all_steps() == ()
