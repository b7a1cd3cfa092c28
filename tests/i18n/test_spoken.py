"""Everything the program says in codes has words: read from the source, so that nothing new goes unsaid."""

from __future__ import annotations

import ast
import inspect
from enum import Enum

import pytest

from tdapp.domain import model, pairing_settings, ruleset
from tdapp.domain.attendance import FOLLOWS as FOLLOWING
from tdapp.domain.commands import COMMANDS
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.i18n.messages.above import ABOVE
from tdapp.i18n.messages.awards import AWARDS
from tdapp.i18n.messages.brackets import MATCHES
from tdapp.i18n.messages.codes import CODES
from tdapp.i18n.messages.errors import ERRORS
from tdapp.i18n.messages.follows import FOLLOWS
from tdapp.i18n.messages.headings import HEADINGS
from tdapp.i18n.messages.problems import PROBLEMS
from tdapp.i18n.messages.reasons import REASONS
from tdapp.i18n.messages.steps import STEPS
from tdapp.pairing import PAIRING_COMMANDS, SYSTEMS
from tdapp.pairing.past import LATE
from tdapp.pairing.system import BYE_REASONS
from tdapp.pairing.system import REASONS as GIVEN_REASONS
from tdapp.scrabble.sheet import SanctionKind
from tdapp.scrabble.wordlist import Verdict
from tests.i18n import spoken

SAID = (
    ABOVE.keys()
    | AWARDS.keys()
    | ERRORS.keys()
    | FOLLOWS.keys()
    | PROBLEMS.keys()
    | STEPS.keys()
    | REASONS.keys()
    | CODES.keys()
    | HEADINGS.keys()
    | MATCHES.keys()
)
# Written like codes, but never shown to anybody as they stand.
NOT_SPOKEN = {
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "british-english",
    "american-english", "canadian-english", "nl-match", "pairings-by-table", "pairings-by-name",
    "score-sheets", "challenge-slips", "doubtful-words", "place-cards", "table-cards", "scorecards-blank",
    "wall-chart", "check-in", "players-by-name", "players-by-club", "slips-blank", "short-words",
    "rated-json", "what-if", "tsh-folder", "tsh-json", "naspa-csw", "naspa-lct", "covered-table-cell",
    "no-referrer", "same-origin", "no-cache", "no-store", "if-none-match", "accept-encoding", "accept-language",
    "content-type", "scram-sha-256",
    "table-row", "table-cell", "number-rows-repeated", "number-columns-repeated",
    "value-type", "txt-short", "round-txt", "round-short", "tdapp-ratings",
}  # fmt: skip
ADDED_BY_THE_DESK = {"who", "when", "step"}
TROUBLE = ("RuleViolation", "InputError", "StorageError")


def test_what_is_written_like_a_code_has_words() -> None:
    unsaid = {code: file for code, file in spoken.dashed().items() if code not in SAID | NOT_SPOKEN}

    assert unsaid == {}


def test_every_error_raised_has_a_sentence() -> None:
    raised = spoken.first_arguments(*TROUBLE)

    assert len(raised) > 50
    assert {code: file for code, file in raised.items() if code not in ERRORS} == {}


def test_the_facts_of_each_sentence_are_given_where_it_is_raised() -> None:
    """A placeholder that no raise of the code fills would be shown as a question mark."""
    unfilled = {}
    for code, facts in spoken.facts(*TROUBLE).items():
        asked = spoken.placeholders(ERRORS.get(code, ""))
        known = facts | (ADDED_BY_THE_DESK if code == "changed-meanwhile" else set())
        if not asked <= known:
            unfilled[code] = asked - known
    assert unfilled == {}


def test_every_problem_and_damage_has_a_sentence() -> None:
    noted = spoken.first_arguments("Problem", "_problem", "Damage", "Fault")

    assert len(noted) > 10
    assert {code: file for code, file in noted.items() if code not in PROBLEMS} == {}


@pytest.mark.parametrize("command", [*COMMANDS, *PAIRING_COMMANDS])
def test_every_command_has_its_step(command: str) -> None:
    assert command in STEPS


# What `domain.facts.describe` makes of an argument that is not told under its own name.
TOLD = {
    "game": {"table", "round", "first_name", "second_name"},
    "players": {"player", "count"},
    "entries": {"count"},
    "event": {"divisions"},
    "printings": {"count"},
    "proposal": {"round"},
    "ruleset": {"rules", "changed", "whole"},
    "prize": {"kind", "place"},
    "sanction": {"player", "kind", "points"},
    "bond": {"player", "other"},
}


@pytest.mark.parametrize("command", [*COMMANDS, *PAIRING_COMMANDS])
def test_a_step_asks_only_for_what_its_command_is_told(command: str) -> None:
    function = {**COMMANDS, **PAIRING_COMMANDS}[command]
    told = {fact for name in inspect.signature(function).parameters for fact in TOLD.get(name, {name})}

    assert spoken.placeholders(STEPS[command]) <= told


def test_every_reason_of_a_pairing_has_a_sentence() -> None:
    assert GIVEN_REASONS.keys() | {*BYE_REASONS, LATE} == REASONS.keys()


def test_every_pairing_system_has_a_name() -> None:
    assert {*SYSTEMS} - {*CODES} == set()


def test_everything_that_follows_from_an_absence_has_a_sentence_with_the_facts_it_is_given() -> None:
    assert FOLLOWS.keys() == FOLLOWING.keys()
    for code, text in FOLLOWS.items():
        assert spoken.placeholders(text) <= set(FOLLOWING[code]), code


def test_every_way_to_stand_above_another_has_a_sentence() -> None:
    by_stages = {"stage-played", "group-place", "bracket-place", "play-off", "equal-in-bracket"}
    assert ABOVE.keys() == TIEBREAKS.keys() | {"no-value", "equal"} | by_stages
    assert all({"player", "other"} <= spoken.placeholders(text) for text in ABOVE.values())


def test_every_way_to_a_prize_has_a_sentence() -> None:
    by_place = {model.PrizeKind.RANK, model.PrizeKind.CATEGORY}
    measured = {kind.value for kind in model.PrizeKind if kind not in by_place}
    assert AWARDS.keys() == measured | {"place", "class-place", "nobody", "shared"}


def test_every_column_and_tie_break_has_a_heading() -> None:
    columns = spoken.first_arguments("Column")

    assert len(columns) > 20
    assert {column: file for column, file in columns.items() if column not in HEADINGS} == {}
    assert TIEBREAKS.keys() <= HEADINGS.keys()


@pytest.mark.parametrize("module", [model, pairing_settings, ruleset])
def test_every_choice_has_a_word(module: object) -> None:
    enums = [one for _, one in inspect.getmembers(module, inspect.isclass) if issubclass(one, Enum) and len(one)]

    assert enums
    for enum in enums:
        for member in enum:
            assert f"{enum.__name__}.{member.value}" in CODES or member.value in CODES, member


@pytest.mark.parametrize("enum", [Verdict, model.IncidentKind, SanctionKind, model.PrizeKind, model.ResultState])
def test_a_step_read_back_from_the_history_has_its_word(enum: type[Enum]) -> None:
    """The history keeps a choice by its value alone."""
    assert {str(member.value) for member in enum} <= CODES.keys()


def test_the_scan_sees_a_code() -> None:
    tree = ast.parse('raise RuleViolation("made-up", table=1)')

    assert spoken.facts_in(tree, ("RuleViolation",)) == {"made-up": {"table"}}
