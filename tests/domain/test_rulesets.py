"""Tests of the included rule sets."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import fields

from tdapp.domain.errors import InputError
from tdapp.domain.rule_fields import list_rule_fields
from tdapp.domain.ruleset import (
    KnockoutTieResolution,
    Outcome,
    OvertimeKind,
    RuleSet,
    TurnsThatCanEndGame,
    parse_ruleset,
)
from tdapp.domain.serialization import convert_to_builtins, make_decoder
from tdapp.domain.tiebreaks import refuse_invalid_tiebreak_order
from tdapp.exchange.presets import SOURCES

FOLDER = Path(__file__).parents[2] / "resources" / "rulesets"
BOOKS = ("be-brailleliga", "de-scrabble", "nl-match", "nl-match-earlier", "nl-points", "no-nsf")
WORLD = ("es-file", "fr-classique", "naspa-collins", "naspa-nwl", "sv-ssf", "wespa")
IDS = tuple(sorted(BOOKS + WORLD))


def read_plain_rules(name: str) -> dict[str, object]:
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return {key: value for key, value in table.items() if key != SOURCES}


def load_ruleset(name: str) -> RuleSet:
    return parse_ruleset(read_plain_rules(name), source=name)


def test_rule_sets_are_complete() -> None:
    assert tuple(sorted(path.stem for path in FOLDER.glob("*.toml"))) == IDS


@pytest.mark.parametrize(
    ("name", "language", "tileset", "swiss", "other_systems"),
    [
        ("nl-match", "nl", "nl", ("wins", "resistance", "spread"), ("wins", "spread")),
        ("nl-match-earlier", "nl", "nl", ("wins", "spread"), ("wins", "spread")),
        ("nl-points", "nl", "nl", ("points",), ("points",)),
        ("no-nsf", "nb", "no", ("wins", "spread"), ("wins", "spread")),
        ("de-scrabble", "de", "de", ("wins", "spread"), ("wins", "spread")),
        ("be-brailleliga", "nl", "nl-be-old", ("wins", "spread"), ("wins", "spread")),
        ("wespa", "en", "en", ("wins", "spread"), ("wins", "spread")),
        ("naspa-nwl", "en", "en", ("wins", "spread"), ("wins", "spread")),
        ("naspa-collins", "en", "en", ("wins", "spread"), ("wins", "spread")),
        ("es-file", "es", "es", ("wins", "spread"), ("wins", "spread")),
        ("fr-classique", "fr", "fr", ("wins", "spread"), ("wins", "spread")),
        ("sv-ssf", "sv", "sv", ("wins", "spread"), ("wins", "spread")),
    ],
)
def test_rule_set_has_language_tiles_and_order(
    name: str, language: str, tileset: str, swiss: tuple[str, ...], other_systems: tuple[str, ...]
) -> None:
    rules = load_ruleset(name)
    assert (rules.id, rules.language, rules.tileset) == (name, language, tileset)
    assert rules.name
    assert rules.get_tiebreak_order_for_system("swiss") == swiss
    assert (
        rules.get_tiebreak_order_for_system("round-robin")
        == rules.get_tiebreak_order_for_system("knockout")
        == other_systems
    )


@pytest.mark.parametrize("name", IDS)
def test_check_order_accepts_each_order_of_the_rule_sets(name: str) -> None:
    for order in load_ruleset(name).order.values():
        refuse_invalid_tiebreak_order(order)


@pytest.mark.parametrize("name", IDS)
def test_rule_set_worth_of_games_byes_and_forfeits(name: str) -> None:
    """By default a win is 1, a draw 1/2. A bye is a win by 50, a forfeit a loss by 50."""
    rules = load_ruleset(name)
    assert [rules.get_match_points_as_integer(game_outcome) for game_outcome in Outcome] == [2, 1, 0, 0]
    assert rules.match_points.draw == Fraction(1, 2)
    assert (rules.byes.bye.counts_as, rules.byes.bye.spread) == (Outcome.WIN, 50)
    assert (rules.byes.forfeit.counts_as, rules.byes.forfeit.spread) == (Outcome.LOSS, -50)
    assert (rules.forfeit.margin, rules.forfeit.rated) == (50, False)


@pytest.mark.parametrize("name", IDS)
def test_rule_set_knockout_tie(name: str) -> None:
    """By Dutch rule IV.4 the second player wins a tie. The other rule sets have an extra game."""
    replier = name.startswith("nl-")
    assert load_ruleset(name).knockout.tie is (
        KnockoutTieResolution.REPLIER if replier else KnockoutTieResolution.EXTRA_GAME
    )


def test_parse_ruleset_reports_all_errors_together() -> None:
    invalid_document = read_plain_rules("nl-match") | {
        "match_points": {"win": "many"},
        "forfeit": {"margin": -1, "rated": 1},
        "knockout": {"tie": "starter"},
        "bingo": 50,
    }
    del invalid_document["language"]
    with pytest.raises(InputError) as error:
        parse_ruleset(invalid_document, source="broken.toml")
    assert (error.value.code, error.value.source) == ("ruleset-invalid", "broken.toml")
    problems = str(error.value.facts["problems"]).split("; ")
    assert sorted(problem.partition(":")[0] for problem in problems) == [
        "bingo",
        "forfeit.margin",
        "forfeit.rated",
        "knockout.tie",
        "language",
        "match_points.win",
    ]


@pytest.mark.parametrize("name", IDS)
def test_rule_set_unseen_paths_are_parameters(name: str) -> None:
    unseen_paths = load_ruleset(name).unseen
    assert bool(unseen_paths) == (name in WORLD)
    assert set(unseen_paths) <= {field.path for field in list_rule_fields(("swiss",))}


def test_parse_ruleset_needs_an_order_for_other_systems() -> None:
    with pytest.raises(InputError) as error:
        parse_ruleset(read_plain_rules("nl-match") | {"order": {"swiss": ["wins"]}})
    assert error.value.facts["problems"] == "order.other: missing"


@pytest.mark.parametrize("name", IDS)
def test_rule_set_round_trip_includes_each_section(name: str) -> None:
    """Each included rule set sets all parameters."""
    rules = load_ruleset(name)
    assert read_plain_rules(name).keys() == {item.name for item in fields(RuleSet)}
    assert make_decoder(RuleSet)(json.loads(json.dumps(convert_to_builtins(rules)))) == rules


def test_parse_ruleset_reads_a_document_without_sections() -> None:
    old_document = {
        "id": "old",
        "name": "Old",
        "language": "en",
        "tileset": "en",
        "order": {"other": ["wins", "spread"]},
    }
    rules = parse_ruleset(old_document | {"knockout": {"tie": "replier"}})
    assert (rules.bonus, rules.exchange.minimum, rules.most_players, rules.phony.ruled) == (50, 7, 2, False)
    assert (rules.ending.row.kind, rules.overtime.kind) == (TurnsThatCanEndGame.SCORELESS, OvertimeKind.NONE)


def test_parse_ruleset_names_wrong_parameters_with_paths() -> None:
    invalid_document = read_plain_rules("no-nsf") | {
        "most_players": 5,
        "passing": "never",
        "clock": {"minutes": 0, "recommended": [20, 30, 40]},
        "ending": {"ends": ["out", "boredom"], "row": {"kind": "passes", "length": 0}},
        "overtime": {"kind": "minutes", "points": -1, "free": 5},
        "words": {"binding": 16},
        "sanctions": {"named": ["fine"]},
    }
    with pytest.raises(InputError) as error:
        parse_ruleset(invalid_document)
    problems = str(error.value.facts["problems"]).split("; ")
    assert sorted(problem.partition(":")[0] for problem in problems) == [
        "clock.minutes",
        "clock.recommended",
        "ending.ends[1]",
        "ending.row.length",
        "most_players",
        "overtime.free",
        "overtime.points",
        "passing",
        "sanctions.named[0]",
        "words.binding",
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"clock": {"recommended": [30, 20]}, "late": {}}, "clock.recommended: 30 is above 20"),
        ({"clock": {"recommended_game": [60, 40]}, "late": {}}, "clock.recommended_game: 60 is above 40"),
        ({"scores": {"lowest": 10, "highest": 5}}, "scores: 10 is above 5"),
        ({"overtime": {"kind": "minutes"}}, "overtime.points: missing"),
        ({"clock": {}}, "clock.minutes: missing"),
    ],
)
def test_parse_ruleset_refuses_invalid_rule_sets(change: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError) as error:
        parse_ruleset(read_plain_rules("no-nsf") | change)
    assert error.value.facts["problems"] == problem
