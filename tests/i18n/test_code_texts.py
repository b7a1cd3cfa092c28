"""Tests that every code in the source of tdapp has a text."""

from __future__ import annotations

import ast
import inspect
import re
from enum import Enum

import pytest

from tdapp.domain import jury_rows, model, pairing_settings, ruleset
from tdapp.domain.commands import COMMANDS
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.systems import PAIRING_SYSTEMS
from tdapp.domain.tables import players
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.exchange.presets import read_rating_systems
from tdapp.i18n.messages import errors, file_errors
from tdapp.i18n.messages.codes import (
    CODES,
    KINDS,
    PLAIN_KINDS,
    PLAIN_TEXTS,
    RATING_TEXTS,
    SHORT_NAMES,
    load_pairing_reasons,
)
from tdapp.i18n.messages.errors import ERRORS
from tdapp.i18n.messages.headings import EXPLANATIONS, HEADINGS
from tdapp.i18n.messages.sentences import (
    AWARDS,
    CONSEQUENCES,
    ENTRY_PROBLEMS,
    MATCHES,
    PROBLEMS,
    RANK_REASONS,
    STORED_REASONS,
    load_step_sentences,
)
from tdapp.pairing import PAIRING_COMMANDS, SYSTEMS, formats
from tdapp.pairing.recheck import LATECOMER_REASONS
from tdapp.pairing.system import BYE_REASONS, COMMON_REASONS
from tdapp.reports import REPORTS, printed
from tdapp.scrabble.sheet import SanctionKind
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import RESOURCES
from tests.i18n import codes_in_source

pytestmark = pytest.mark.slow

CODES_WITH_TEXT = (
    RANK_REASONS.keys()
    | AWARDS.keys()
    | ERRORS.keys()
    | CONSEQUENCES.keys()
    | PROBLEMS.keys()
    | load_step_sentences().keys()
    | load_pairing_reasons().keys()
    | {key.partition(".")[2] for key in CODES}
    | HEADINGS.keys()
    | TIEBREAKS.keys()
    | MATCHES.keys()
    | ENTRY_PROBLEMS.keys()
    | STORED_REASONS.keys()
)
# Texts that look like codes but are never shown.
CODES_WITHOUT_TEXT = {
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "british-english",
    "american-english", "canadian-english", "nl-match", "rated-json", "what-if", "tsh-folder", "tsh-json",
    "tourney-js",
    "naspa-csw", "naspa-lct", "covered-table-cell", "no-referrer", "same-origin", "no-cache", "no-store",
    "if-none-match", "accept-encoding", "accept-language", "content-type", "scram-sha-256", "table-row",
    "table-cell", "number-rows-repeated", "number-columns-repeated", "value-type", "txt-short", "round-txt",
    "cross-origin", "tdapp-public", "ruling-log", "rating-list", "rating-list-json", "rating-games",
    "round-short", "tdapp-ratings", "turns-forfeited", "lost-saving", "site-packages", "snapshot-minutes",
}  # fmt: skip
ADDED_BY_THE_DESK = {"who", "when", "step"}
ERROR_CLASSES = ("CommandError", "InputError", "StorageError")


def test_code_texts_exist_for_every_text_like_a_code() -> None:
    codes_without_text = {
        code: file
        for code, file in codes_in_source.find_code_like_texts().items()
        if code not in CODES_WITH_TEXT | CODES_WITHOUT_TEXT | REPORTS.keys()
    }

    assert codes_without_text == {}


def test_code_texts_have_a_sentence_for_every_raised_error() -> None:
    raised = codes_in_source.find_first_arguments(*ERROR_CLASSES)

    assert len(raised) > 50
    assert {code: file for code, file in raised.items() if code not in ERRORS} == {}


def test_code_texts_define_each_error_once() -> None:
    assert len(ERRORS) == len(errors._RULES) + len(file_errors.FILES) + len(errors._GAMES)


def test_code_texts_use_only_facts_of_the_raising_code() -> None:
    """The window shows a placeholder without a fact as a question mark."""
    unfilled = {}
    for code, facts in codes_in_source.find_facts(*ERROR_CLASSES).items():
        placeholders = codes_in_source.find_placeholders(ERRORS.get(code, ""))
        known_facts = facts | (ADDED_BY_THE_DESK if code == "changed-meanwhile" else set())
        if not placeholders <= known_facts:
            unfilled[code] = placeholders - known_facts
    assert unfilled == {}


def test_code_texts_have_a_sentence_for_every_problem_and_damage() -> None:
    codes = codes_in_source.find_first_arguments("Problem", "_make_problem", "Damage", "Fault")

    assert len(codes) > 10
    assert {code: file for code, file in codes.items() if code not in PROBLEMS} == {}


@pytest.mark.parametrize("command", [*COMMANDS, *PAIRING_COMMANDS])
def test_load_step_sentences_has_every_command(command: str) -> None:
    assert command in load_step_sentences()


# Facts that `domain.facts.describe` makes of arguments with other names.
FACTS_BY_ARGUMENT = {
    "game": {"table", "round", "division", "first_name", "second_name", "was", "now"},
    "players": {"player", "count"},
    "photos": {"player", "count"},
    "entries": {"count"},
    "games": {"count"},
    "turn": {"row", "player"},
    "event": {"divisions"},
    "events": {"names", "count"},
    "printouts": {"count"},
    "records": {"count"},
    "proposal": {"round", "knockout"},
    "round": {"round", "knockout"},
    "ruleset": {"rules", "changed", "whole"},
    "changes": {"changes", "changed"},
    "prize": {"kind", "place"},
    "sanction": {"player", "kind", "points"},
    "constraint": {"player", "other"},
}


@pytest.mark.parametrize("command", [*COMMANDS, *PAIRING_COMMANDS])
def test_load_step_sentences_uses_only_arguments_of_the_command(command: str) -> None:
    function = {**COMMANDS, **PAIRING_COMMANDS}[command]
    known_facts = {
        fact for name in inspect.signature(function).parameters for fact in FACTS_BY_ARGUMENT.get(name, {name})
    }

    assert codes_in_source.find_placeholders(load_step_sentences()[command]) <= known_facts


def test_load_pairing_reasons_has_a_sentence_for_each_reason() -> None:
    declared = [*COMMON_REASONS, *(code for system in SYSTEMS.values() for code in system.reasons)]

    assert {*declared, *BYE_REASONS} == load_pairing_reasons().keys()
    assert len(declared) == len({*declared})
    assert {code for code in declared if code in BYE_REASONS} == {"by-hand", "ordered"}
    assert COMMON_REASONS.keys() >= LATECOMER_REASONS


def test_code_texts_name_every_pairing_system() -> None:
    assert {system.system.text_id for system in SYSTEMS.values()} <= CODES.keys()
    assert SYSTEMS.keys() == PAIRING_SYSTEMS.keys()


def test_code_texts_have_a_sentence_for_each_consequence_of_an_absence() -> None:
    facts = codes_in_source.find_facts("make_attendance_consequence")

    assert len(facts) > 5
    assert {
        code
        for code, known_facts in facts.items()
        if not codes_in_source.find_placeholders(CONSEQUENCES[code]) <= known_facts
    } == set()


def test_code_texts_explain_every_reason_for_a_higher_rank() -> None:
    by_stages = {"stage-played", "group-place", "bracket-place", "play-off", "equal-in-bracket"}
    by_tiebreaks = [tiebreak.reason_text for tiebreak in TIEBREAKS.values()]
    assert RANK_REASONS.keys() == {"no-value", "games-short", "equal", "other-disqualified"} | by_stages
    assert not RANK_REASONS.keys() & TIEBREAKS.keys()
    assert all(
        {"player", "other"} <= codes_in_source.find_placeholders(text)
        for text in [*RANK_REASONS.values(), *by_tiebreaks]
    )


def test_code_texts_have_a_sentence_for_every_award() -> None:
    by_place = {model.PrizeKind.RANK, model.PrizeKind.CATEGORY}
    kinds_of_records = {kind.value for kind in model.PrizeKind if kind not in by_place}
    group = {"high-game-table", "high-game-alone", "high-loss-table", "big-win-table"}
    assert AWARDS.keys() == kinds_of_records | group | {
        "place",
        "class-place",
        "nobody",
        "shared",
        "streak",
        "vacant",
    }


def test_headings_exist_for_every_column() -> None:
    columns = codes_in_source.find_first_arguments(
        "Column", unless="words"
    ) | codes_in_source.find_other_arguments("make_text_columns")

    assert {"rank", "first_name", "cost"} <= columns.keys()
    shown_columns = {column: file for column, file in columns.items() if not file.startswith("tdapp/storage/")}
    assert {column: file for column, file in shown_columns.items() if column not in HEADINGS} == {}


@pytest.mark.parametrize("module", [jury_rows, model, pairing_settings, ruleset, formats, players, printed])
def test_code_texts_have_a_word_for_every_choice(module: object) -> None:
    enums = [
        enum_class
        for _, enum_class in inspect.getmembers(module, inspect.isclass)
        if issubclass(enum_class, Enum) and len(enum_class)
    ]

    assert enums
    for enum in (
        enum_class for enum_class in enums if enum_class is not ColumnKind
    ):  # the kind of a column is never shown
        for member in enum:
            assert f"{enum.__name__}.{member.value}" in CODES, member


@pytest.mark.parametrize("enum", [WordVerdict, IncidentKind, SanctionKind, model.PrizeKind, model.ResultState])
def test_code_texts_have_a_word_for_every_choice_in_the_history(enum: type[Enum]) -> None:
    """The history stores only the value of a choice."""
    assert {f"{enum.__name__}.{member.value}" for member in enum} <= CODES.keys()


def test_code_texts_are_keyed_by_existing_classes() -> None:
    """The texts of a renamed class are not found, and its members appear in English."""
    source = "\n".join(path.read_text("utf-8") for path in codes_in_source.SOURCE.rglob("*.py"))
    classes = set(re.findall(r"(?:^class |StrEnum\(\")(\w+)", source, re.MULTILINE))
    kinds = {kind for kind in KINDS if kind[0].isupper()}

    assert kinds - classes - set(PLAIN_KINDS) == set()


def test_rating_systems_have_translated_texts() -> None:
    proper_names = {"Elo", "NASPA, WGPO", "Scrabble Australia", "Scrabble Deutschland"}
    systems = read_rating_systems(RESOURCES / "ratings").values()
    texts = {text for system in systems for text in (system.name, system.note) if text}

    assert texts - proper_names == RATING_TEXTS


def test_code_texts_name_an_ambiguous_value_with_its_kind() -> None:
    """Tables show bare values, because the column names the kind. Other texts name the kind."""
    texts_by_value: dict[str, set[str]] = {}
    for key, text in CODES.items():
        kind, _, value = key.partition(".")
        if kind in PLAIN_KINDS:
            texts_by_value.setdefault(value, set()).add(text)

    assert {value for value, texts in texts_by_value.items() if len(texts) > 1} == {
        "draw",
        "category",
        "withdrawn",
        "disqualified",
    }
    assert (PLAIN_TEXTS["draw"], PLAIN_TEXTS["category"]) == (CODES["Outcome.draw"], CODES["Avoided.category"])
    assert PLAIN_TEXTS["withdrawn"] == CODES["Status.withdrawn"]


def test_code_texts_have_unique_keys() -> None:
    keys = [*CODES, *SHORT_NAMES]

    assert all("." in key for key in keys)
    assert len(keys) == len({*keys})
    assert not {*keys} & {*HEADINGS, *EXPLANATIONS}


def test_code_tables_list_a_key_once() -> None:
    paths = sorted((codes_in_source.SOURCE / "i18n" / "messages").glob("*.py"))
    assert paths
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            keys = [key.value for key in getattr(node, "keys", []) if isinstance(key, ast.Constant)]
            assert len(keys) == len({*keys}), path


def test_code_scan_finds_a_code() -> None:
    tree = ast.parse('raise CommandError("made-up", table=1)')

    assert codes_in_source.collect_facts(codes_in_source.read_calls_and_codes(tree)[0]) == {"made-up": {"table"}}
