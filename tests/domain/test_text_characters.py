"""Tests of names in any script, and of numbers beside them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.text_characters import align_columns, isolate_text_direction, put_first_name_first
from tdapp.exchange import exports, plain_text
from tdapp.exchange.exports import EXPORTS
from tdapp.exchange.text import clean_text_to_one_line
from tdapp.i18n.catalogue import Catalogue
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds

ARABIC, JOINED = "محمد", "می\u200cدیم"
PILED = "e" + "\u0301" * 40


def test_clean_text_keeps_joiners_between_letters() -> None:
    assert clean_text_to_one_line(JOINED) == JOINED
    assert clean_text_to_one_line("क्\u200dष") == "क्\u200dष"
    assert clean_text_to_one_line("\u200dAnn\u200c 7\u200d") == "Ann 7"
    assert clean_text_to_one_line(f"{PILED}x") == "e" + "\u0301" * 4 + "x"
    assert clean_text_to_one_line("A\u202eb\u2068c") == "Abc"


@pytest.mark.parametrize(
    ("name", "code"),
    [(f"R{PILED}", "text-marks-piled"), ("Ann\u200d", "text-not-printable"), ("A\u2068", "text-not-printable")],
)
def test_edit_player_refuses_invisible_characters(name: str, code: str) -> None:
    value = make_event(2)
    with pytest.raises(CommandError, match=code):
        commands.edit_player(value, player=next(iter(value.players)), name=name)


def test_edit_player_accepts_a_joiner_and_few_marks() -> None:
    value = make_event(2)
    player = next(iter(value.players))
    for name in (JOINED, "Nguye\u0302\u0303n"):
        assert commands.edit_player(value, player=player, name=name).players[player].name == name


def test_isolate_text_of_right_to_left_names() -> None:
    assert isolate_text_direction(ARABIC) == f"\u2068{ARABIC}\u2069"
    for name in ("Ødegård", "Дмитрий", "क्\u200dष", ""):
        assert isolate_text_direction(name) == name
    assert align_columns([["שלמ", "12"], ["Jo", "7"]], right={1}) == ["\u2068שלמ\u2069  12", "Jo    7"]
    assert align_columns([["Zoe\u0301", "1"], ["Anna", "2"]], right=()) == ["Zoe\u0301   1", "Anna  2"]


def test_isolate_text_in_sentences_but_not_in_data() -> None:
    value = pair_rounds(make_event(4))
    value = commands.edit_player(value, player=next(iter(value.players)), name=ARABIC)
    value = commands.edit_event(value, date="2026-11-21")
    value = commands.set_times(value, division=DIVISION, times="10:00 +65")
    index, catalogue = TournamentIndex(value), Catalogue("en", RESOURCES / "locale")
    sentence = catalogue.text(
        "The result of table {table} is {first} {score} {second}", table=7, first=ARABIC, score=1, second="B"
    )
    assert sentence == f"The result of table 7 is \u2068{ARABIC}\u2069 1 B"
    division = index.divisions[0]
    for short in (True, False):
        assert f"\u2068{ARABIC}\u2069" in plain_text.format_round_results_as_text(
            index, division, None, catalogue, short=short
        )
        assert f"\u2068{ARABIC}\u2069" in plain_text.format_standings_as_text(
            index, division, None, catalogue, short=short
        )
    for kind in EXPORTS.keys() - {"txt", "txt-short", "round-txt", "round-short"}:
        export = exports.make_export_content(kind, index, None, None, catalogue)
        contents = export.values() if isinstance(export, Mapping) else [export]
        assert not any("\u2068".encode() in content for content in contents)


@pytest.mark.parametrize(
    ("name", "expected_name"),
    [
        ("Müller-Schmidt, Jan", "Jan Müller-Schmidt"),
        ("Müller, Anna (Wien)", "Anna Müller (Wien)"),
        ("Müller, Anna (Köln, Deutz)", "Anna Müller (Köln, Deutz)"),
        ("Anna Müller (14)", "Anna Müller (14)"),
        ("Müller", "Müller"),
    ],
)
def test_put_first_name_first_keeps_the_suffix(name: str, expected_name: str) -> None:
    assert put_first_name_first(name) == expected_name
