"""The complete tournament as JSON: exact in both directions, and strict on reading."""

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
    Forfeit,
    Game,
    GameId,
    PairingReason,
    Round,
    RoundId,
    RoundState,
    StageId,
    Start,
)
from tdapp.domain.ruleset import MatchPoints
from tdapp.domain.tournament import KINDS, Tournament, compute_diff
from tdapp.exchange import tournament_json, tsh
from tests.data_events import RULES, find_data_folder
from tests.storage.full_tournament import build_full_tournament


@pytest.fixture
def tournament() -> Tournament:
    """A tournament with rows of every kind, also with values that JSON has no type for."""
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
        Game(GameId("g9"), draft.id, 4, three, first, Start.DRAWN, locked=True, match=2, reason=reason),
        replace(result, first=None, second=None, forfeit=Forfeit.BOTH, advances=Forfeit.FIRST),
    )


def get_refusal(document: object) -> InputError:
    """Return the error with which a document is refused."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(InputError) as error_info:
        tournament_json.read_tournament(data, "t.json")
    assert error_info.value.source == "t.json"
    return error_info.value


def test_tournament_json_round_trip_of_rows(tournament: Tournament) -> None:
    assert all(tournament.rows(kind) for kind in KINDS)
    copy = tournament_json.read_tournament(tournament_json.write_tournament(tournament))
    assert compute_diff(tournament, copy) == ()
    assert all([*copy.rows(kind)] == [*tournament.rows(kind)] for kind in KINDS)
    assert tournament_json.write_tournament(copy) == tournament_json.write_tournament(tournament)


def test_write_tournament_writes_json_with_format_and_version(tournament: Tournament) -> None:
    document = json.loads(tournament_json.write_tournament(tournament))
    assert (document["format"], document["version"]) == ("tdapp", 1)
    assert [*document] == ["format", "version", *KINDS]
    assert document["rules"][0]["ruleset"]["match_points"] == {"win": 3, "draw": "3/2", "loss": "-1/3"}


@pytest.mark.parametrize("cut", [1, 10, 200, 1000, 3000])
def test_read_tournament_refuses_a_truncated_document(tournament: Tournament, cut: int) -> None:
    error = get_refusal(tournament_json.write_tournament(tournament).rstrip()[:-cut])
    assert error.code == "json-broken"
    assert error.line is not None


def test_read_tournament_refuses_a_newer_document(tournament: Tournament) -> None:
    newer = json.loads(tournament_json.write_tournament(tournament)) | {"version": 2, "umpires": []}
    error = get_refusal(newer)
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
    """Return the document with the first row of `kind` changed."""
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
        ("players", {"number": 2}, "number-taken"),
        ("stages", {"settings": {"style": "zigzag"}}, "stages[0].settings.style: expected one of"),
    ],
)
def test_read_tournament_names_every_error_with_its_place(
    tournament: Tournament, kind: str, values: dict[str, object], problem: str
) -> None:
    error = get_refusal(change_first_row(json.loads(tournament_json.write_tournament(tournament)), kind, **values))
    assert error.code == "document-invalid"
    assert problem in "\n".join(error.facts["problems"])  # type: ignore[arg-type]


def test_read_tournament_reports_errors_together(tournament: Tournament) -> None:
    document = change_first_row(
        json.loads(tournament_json.write_tournament(tournament)), "players", number="1", name=None
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
    full = import_division(empty, key="i", division=DivisionId("d"), entry=entry)
    assert compute_diff(full, tournament_json.read_tournament(tournament_json.write_tournament(full))) == ()
