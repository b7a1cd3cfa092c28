"""Tests of the texts of brackets: names of matches and parts, and origins of players."""

from __future__ import annotations

import pytest

from tdapp.domain.elimination import BracketPart, build_match_graph, make_match_codes
from tdapp.domain.pairing_settings import EliminationKind
from tdapp.i18n import LANGUAGES, Catalogue
from tdapp.i18n.messages.sentences import BRACKET_PARTS, MATCHES, MATCHES_IN_BRACKET, PLAYER_ORIGINS, SLOT_ORIGINS
from tests.building import RESOURCES

ENGLISH = Catalogue("en", RESOURCES / "locale")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("elimination", list(EliminationKind))
def test_name_match_differs_for_every_match(language: str, elimination: EliminationKind) -> None:
    catalogue = Catalogue(language, RESOURCES / "locale")
    for count in (2, 3, 5, 24, 64):
        match_names = make_match_codes(build_match_graph(range(1, count + 1), elimination, third_place=True))
        texts = [catalogue.format_knockout_match(name) for name in match_names]
        assert len(set(texts)) == len(match_names)
        assert all(text[0].isupper() and "{" not in text and "?" not in text for text in texts)
        assert all("{" not in catalogue.format_knockout_match(name, in_bracket=True) for name in match_names)


def test_match_names_cover_every_kind_and_part() -> None:
    nodes = [build_match_graph(range(1, 41), elimination, third_place=True) for elimination in EliminationKind]
    kinds = {name.partition("/")[0] for node in nodes for name in make_match_codes(node)}
    assert kinds == MATCHES.keys()
    assert MATCHES_IN_BRACKET.keys() <= MATCHES.keys()
    assert {part.value for part in BracketPart} - {"reset"} <= BRACKET_PARTS.keys()
    assert (SLOT_ORIGINS.keys() - {"place"}) | {"seed"} == PLAYER_ORIGINS.keys()


def test_explain_pairing_and_describe_origin_in_a_bracket() -> None:
    facts = {
        "name": "semifinal/2",
        "better_from": "2/winner/quarter-final/3",
        "worse_from": "11/winner/quarter-final/4",
        "game": 2,
        "games": 3,
    }
    assert (
        ENGLISH.explain_pairing("bracket", facts)
        == "Semifinal 2: seed 2 (winner of quarter-final 3) against seed 11 (winner of quarter-final 4)"
    )
    assert ENGLISH.explain_pairing("series", facts).startswith("Semifinal 2, game 2 of 3: seed 2 (")
    first = {"name": "round-of/16/5", "better_from": "2/seed", "worse_from": "15/seed"}
    assert ENGLISH.explain_pairing("bracket", first) == "Round of 16, match 5: seed 2 against seed 15"
    assert ENGLISH.describe_bracket_slot_origin("loser/losers/3/1") == "loser of losers’ round 3, match 1"
    assert ENGLISH.describe_bracket_slot_origin("winner/winners/1/2") == "winner of winners’ round 1, match 2"
    assert ENGLISH.describe_bracket_slot_origin("winner/winners/1/2", in_bracket=True) == "winner of match 2"
    assert (
        ENGLISH.describe_bracket_slot_origin("loser/winners/1/2", in_bracket=True)
        == "loser of winners’ round 1, match 2"
    )
    assert ENGLISH.describe_bracket_slot_origin("") == ""
