"""Everything the program says in codes has words: read from the source, so that nothing new goes unsaid."""

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

SAID = (
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
# In the form of codes, but never shown.
NOT_SPOKEN = {
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
ERROR = ("RuleViolation", "InputError", "StorageError")


def test_code_texts_exist_for_everything_written_like_a_code() -> None:
    unsaid = {
        code: file
        for code, file in codes_in_source.dashed().items()
        if code not in SAID | NOT_SPOKEN | REPORTS.keys()
    }

    assert unsaid == {}


def test_code_texts_have_a_sentence_for_every_raised_error() -> None:
    raised = codes_in_source.first_arguments(*ERROR)

    assert len(raised) > 50
    assert {code: file for code, file in raised.items() if code not in ERRORS} == {}


def test_code_texts_use_only_facts_of_the_raising_code() -> None:
    """A placeholder that no raise of the code fills would be shown as a question mark."""
    unfilled = {}
    for code, facts in codes_in_source.facts(*ERROR).items():
        asked = codes_in_source.placeholders(ERRORS.get(code, ""))
        known = facts | (ADDED_BY_THE_DESK if code == "changed-meanwhile" else set())
        if not asked <= known:
            unfilled[code] = asked - known
    assert unfilled == {}


def test_code_texts_have_a_sentence_for_every_problem_and_damage() -> None:
    noted = codes_in_source.first_arguments("Problem", "_make_problem", "Damage", "Fault")

    assert len(noted) > 10
    assert {code: file for code, file in noted.items() if code not in PROBLEMS} == {}


@pytest.mark.parametrize("command", [*COMMANDS, *PAIRING_COMMANDS])
def test_load_steps_has_every_command(command: str) -> None:
    assert command in load_step_sentences()


# Names given by `domain.facts.describe` to arguments with another name.
TOLD = {
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
def test_load_steps_uses_only_arguments_of_the_command(command: str) -> None:
    function = {**COMMANDS, **PAIRING_COMMANDS}[command]
    told = {fact for name in inspect.signature(function).parameters for fact in TOLD.get(name, {name})}

    assert codes_in_source.placeholders(load_step_sentences()[command]) <= told


def test_load_reasons_has_a_sentence_of_its_own_for_each_reason() -> None:
    declared = [*COMMON_REASONS, *(code for system in SYSTEMS.values() for code in system.reasons)]

    assert {*declared, *BYE_REASONS} == load_pairing_reasons().keys()
    assert len(declared) == len({*declared})
    assert {code for code in declared if code in BYE_REASONS} == {"by-hand", "ordered"}
    assert COMMON_REASONS.keys() >= LATECOMER_REASONS


def test_code_texts_name_every_pairing_system() -> None:
    assert {system.system.key for system in SYSTEMS.values()} <= CODES.keys()
    assert SYSTEMS.keys() == PAIRING_SYSTEMS.keys()


def test_code_texts_have_a_sentence_for_each_consequence_of_an_absence() -> None:
    facts = codes_in_source.facts("make_consequence")

    assert len(facts) > 5
    assert {
        code for code, given in facts.items() if not codes_in_source.placeholders(CONSEQUENCES[code]) <= given
    } == set()


def test_code_texts_explain_every_reason_for_a_higher_rank() -> None:
    by_stages = {"stage-played", "group-place", "bracket-place", "play-off", "equal-in-bracket"}
    by_tiebreaks = [one.reason_text for one in TIEBREAKS.values()]
    assert RANK_REASONS.keys() == {"no-value", "games-short", "equal", "other-disqualified"} | by_stages
    assert not RANK_REASONS.keys() & TIEBREAKS.keys()
    assert all(
        {"player", "other"} <= codes_in_source.placeholders(text)
        for text in [*RANK_REASONS.values(), *by_tiebreaks]
    )


def test_code_texts_have_a_sentence_for_every_way_to_a_prize() -> None:
    by_place = {model.PrizeKind.RANK, model.PrizeKind.CATEGORY}
    measured = {kind.value for kind in model.PrizeKind if kind not in by_place}
    group = {"high-game-table", "high-game-alone", "high-loss-table", "big-win-table"}
    assert AWARDS.keys() == measured | group | {"place", "class-place", "nobody", "shared", "streak", "vacant"}


def test_headings_exist_for_every_column() -> None:
    columns = codes_in_source.first_arguments("Column", unless="words") | codes_in_source.other_arguments(
        "make_columns_of_texts"
    )

    assert {"rank", "first_name", "cost"} <= columns.keys()
    shown = {column: file for column, file in columns.items() if not file.startswith("tdapp/storage/")}
    assert {column: file for column, file in shown.items() if column not in HEADINGS} == {}


@pytest.mark.parametrize("module", [jury_rows, model, pairing_settings, ruleset, formats, players, printed])
def test_code_texts_have_a_word_for_every_choice(module: object) -> None:
    enums = [one for _, one in inspect.getmembers(module, inspect.isclass) if issubclass(one, Enum) and len(one)]

    assert enums
    for enum in (one for one in enums if one is not ColumnKind):  # of columns, never shown
        for member in enum:
            assert f"{enum.__name__}.{member.value}" in CODES, member


@pytest.mark.parametrize("enum", [WordVerdict, IncidentKind, SanctionKind, model.PrizeKind, model.ResultState])
def test_code_texts_have_a_word_for_a_step_read_from_the_history(enum: type[Enum]) -> None:
    """The history keeps a choice by its value alone."""
    assert {f"{enum.__name__}.{member.value}" for member in enum} <= CODES.keys()


def test_code_texts_are_keyed_by_existing_classes() -> None:
    """A renamed class loses its words: its members would be shown in English."""
    source = "\n".join(path.read_text("utf-8") for path in codes_in_source.SOURCE.rglob("*.py"))
    classes = set(re.findall(r"(?:^class |StrEnum\(\")(\w+)", source, re.MULTILINE))
    kinds = {kind for kind in KINDS if kind[0].isupper()}

    assert kinds - classes - set(PLAIN_KINDS) == set()


def test_rating_systems_have_translated_texts() -> None:
    proper = {"Elo", "NASPA, WGPO", "Scrabble Australia", "Scrabble Deutschland"}
    systems = read_rating_systems(RESOURCES / "ratings").values()
    texts = {text for system in systems for text in (system.name, system.note) if text}

    assert texts - proper == RATING_TEXTS


def test_code_texts_name_an_ambiguous_value_with_its_kind() -> None:
    """In a table of bare values the kind is known from the column; all others are named in full."""
    said: dict[str, set[str]] = {}
    for key, text in CODES.items():
        kind, _, value = key.partition(".")
        if kind in PLAIN_KINDS:
            said.setdefault(value, set()).add(text)

    assert {value for value, texts in said.items() if len(texts) > 1} == {
        "draw",
        "category",
        "withdrawn",
        "disqualified",
    }
    assert (PLAIN_TEXTS["draw"], PLAIN_TEXTS["category"]) == (CODES["Worth.draw"], CODES["Avoided.category"])
    assert PLAIN_TEXTS["withdrawn"] == CODES["Status.withdrawn"]


def test_code_texts_have_unique_keys() -> None:
    of_things = [*CODES, *SHORT_NAMES]

    assert all("." in key for key in of_things)
    assert len(of_things) == len({*of_things})
    assert not {*of_things} & {*HEADINGS, *EXPLANATIONS}


def test_code_tables_list_a_key_once() -> None:
    paths = sorted((codes_in_source.SOURCE / "i18n" / "messages").glob("*.py"))
    assert paths
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            keys = [one.value for one in getattr(node, "keys", []) if isinstance(one, ast.Constant)]
            assert len(keys) == len({*keys}), path


def test_code_scan_finds_a_code() -> None:
    tree = ast.parse('raise RuleViolation("made-up", table=1)')

    assert codes_in_source.facts_in(codes_in_source.read(tree)[0]) == {"made-up": {"table"}}
