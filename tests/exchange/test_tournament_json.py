"""Tests of the complete tournament as JSON: exact round trips and refused documents."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain.commands.event import add_division, new_tournament
from tdapp.domain.commands.imports import import_division
from tdapp.domain.errors import InputError
from tdapp.domain.model import (
    DivisionId,
    Game,
    GameId,
    GameSide,
    PairingReason,
    Round,
    RoundId,
    RoundState,
    StageId,
    StartDecision,
)
from tdapp.domain.ruleset import MatchPoints
from tdapp.domain.tournament import KINDS, Tournament, compute_diff
from tdapp.exchange import tournament_json, tsh
from tests.data_events import RULES, find_data_folder
from tests.storage.full_tournament import build_full_tournament


@pytest.fixture
def full_tournament() -> Tournament:
    """Return a tournament with rows of all kinds, also with values without a JSON type."""
    value = build_full_tournament()
    points = MatchPoints(Fraction(3), Fraction(3, 2), Fraction(-1, 3))
    rules = [replace(row, ruleset=replace(row.ruleset, match_points=points)) for row in value.rules.values()]
    first, _, three, *_ = value.players
    result = next(iter(value.results.values()))
    draft = Round(RoundId("r9"), StageId("s"), 9, RoundState.DRAFT, (("repeats", 1),), ("starts",))
    reason = PairingReason("seat", (("group", "3"), ("up", None), ("n", 2)), (("repeats", 0),))
    return value.put(
        *rules,
        draft,
        Game(GameId("g9"), draft.id, 4, three, first, StartDecision.DRAWN, locked=True, match=2, reason=reason),
        replace(result, first=None, second=None, forfeit=GameSide.BOTH, advances=GameSide.FIRST),
    )


def get_refusal(document: object) -> InputError:
    """Return the error of a refused document."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(InputError) as error_info:
        tournament_json.read_tournament(data, "t.json")
    assert error_info.value.source == "t.json"
    return error_info.value


def test_tournament_json_round_trip_of_rows(full_tournament: Tournament) -> None:
    assert all(full_tournament.rows(kind) for kind in KINDS)
    copy = tournament_json.read_tournament(tournament_json.encode_tournament(full_tournament))
    assert compute_diff(full_tournament, copy) == ()
    assert all([*copy.rows(kind)] == [*full_tournament.rows(kind)] for kind in KINDS)
    assert tournament_json.encode_tournament(copy) == tournament_json.encode_tournament(full_tournament)


def test_write_tournament_writes_json_with_format_and_version(full_tournament: Tournament) -> None:
    document = json.loads(tournament_json.encode_tournament(full_tournament))
    assert (document["format"], document["version"]) == ("tdapp", 1)
    assert [*document] == ["format", "version", *KINDS]
    assert document["rules"][0]["ruleset"]["match_points"] == {"win": 3, "draw": "3/2", "loss": "-1/3"}


@pytest.mark.parametrize("truncated_data", [1, 10, 200, 1000, 3000])
def test_read_tournament_refuses_a_truncated_document(full_tournament: Tournament, truncated_data: int) -> None:
    error = get_refusal(tournament_json.encode_tournament(full_tournament).rstrip()[:-truncated_data])
    assert error.code == "json-broken"
    assert error.line is not None


def test_read_tournament_refuses_a_newer_document(full_tournament: Tournament) -> None:
    newer_document = json.loads(tournament_json.encode_tournament(full_tournament)) | {"version": 2, "umpires": []}
    error = get_refusal(newer_document)
    assert (error.code, error.facts) == ("document-newer", {"found": 2, "supported": 1})


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"[]", "document-other"),
        (b'{"format": "other", "version": 1}', "document-other"),
        (b'{"format": "tdapp"}', "document-invalid"),
        (b'{"format": "tdapp", "version": true}', "document-invalid"),
        (b'{"format": "tdapp", "version": "1"}', "document-invalid"),
        (b'{"format": "tdapp", "version": 1}', "document-invalid"),
        (b'{"format": "tdapp", "version": NaN}', "json-broken"),
        (b'{"format": "tdapp", "version": ' + b"9" * 5000 + b"}", "json-broken"),
        (b'{"format": "\\ud800"}', "json-broken"),
        (b"[" * 100_000, "json-broken"),
        (b'{"format": "tdapp\x00"}', "file-binary"),
    ],
)
def test_read_tournament_refuses_other_documents(data: bytes, code: str) -> None:
    assert get_refusal(data).code == code


def change_first_row(document: dict[str, Any], kind: str, **values: object) -> dict[str, Any]:
    """Return the document with changed values in the first row of `kind`."""
    first, *other_rows = document[kind]
    return document | {kind: [first | values, *other_rows]}


@pytest.mark.parametrize(
    ("kind", "values", "problem"),
    [
        ("players", {"number": "1"}, "players[0].number: expected int"),
        ("players", {"shoe": 44}, "players[0].shoe: unknown"),
        ("players", {"rating": True}, "players[0].rating: expected int"),
        ("rounds", {"state": "open"}, "rounds[0].state: expected one of draft, published"),
        ("players", {"division": "nowhere"}, "parent-missing division"),
        ("games", {"first": "nobody"}, "parent-missing first"),
        ("results", {"forfeit": None}, "no score"),
        ("players", {"number": 2}, "number-taken 2"),
        ("stages", {"settings": {"style": "zigzag"}}, "stages[0].settings.style: expected one of"),
    ],
)
def test_read_tournament_names_each_error_with_its_path(
    full_tournament: Tournament, kind: str, values: dict[str, object], problem: str
) -> None:
    error = get_refusal(
        change_first_row(json.loads(tournament_json.encode_tournament(full_tournament)), kind, **values)
    )
    assert error.code == "document-invalid"
    assert problem in "\n".join(error.facts["problems"])  # type: ignore[arg-type]


def test_read_tournament_reports_errors_together(full_tournament: Tournament) -> None:
    document = change_first_row(
        json.loads(tournament_json.encode_tournament(full_tournament)), "players", number="1", name=None
    )
    error = get_refusal(document | {"umpires": [], "byes": {}, "seeds": [5], "stages": document["stages"] * 2})
    problems = error.facts["problems"]
    assert isinstance(problems, tuple)
    paths = {problem.split(":")[0] for problem in problems}
    assert {"umpires", "byes", "seeds[0]", "players[0].number", "players[0].name", "stages[1].id"} <= paths


@pytest.mark.data
def test_tournament_json_round_trip_of_a_real_event() -> None:
    entry = tsh.read_division((find_data_folder() / "events" / "e4c5_tournament1_a.t").read_bytes())
    empty = add_division(new_tournament(key="t", name="T", ruleset=RULES), key="d", code="A")
    full_entry = import_division(empty, key="i", division=DivisionId("d"), entry=entry)
    assert (
        compute_diff(full_entry, tournament_json.read_tournament(tournament_json.encode_tournament(full_entry)))
        == ()
    )
