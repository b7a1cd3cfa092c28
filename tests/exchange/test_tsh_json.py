"""Tests of the JSON files of TSH: they give the same division as the .t files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tdapp.domain.entries import ByeEntry, DivisionEntry, EventEntry, GameEntry, PlayerEntry, RoundEntry
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, StartDecision
from tdapp.exchange import imports, tsh_json
from tests.data_events import find_data_folder, parse_published_division

SMALL: dict[str, Any] = {
    "config": {"event_name": "Open", "event_date": "2026-11-21", "spread_cap": [200, 700]},
    "division": "B",
    "players": [
        {"id": 1, "name": "One", "rating": "1500+20", "pairings": [2, 0], "scores": [400, 50], "p12": [1, 0],
         "board": [4, 0], "class": "A", "newr": [1510]},
        {"id": 2, "name": "Two", "rating": 0, "pairings": [1, 0], "scores": [300, -50], "p12": [2, 0],
         "board": [4, 0], "off": [0], "team": "X Y"},
    ],
}  # fmt: skip


def read_division(document: object) -> DivisionEntry:
    """Return the only division of a document."""
    (division,) = tsh_json.read_tsh_json_event(json.dumps(document).encode(), "a.json").divisions
    return division


def test_read_event_of_tsh_json_reads_a_division_with_results() -> None:
    event = tsh_json.read_tsh_json_event(json.dumps(SMALL).encode())
    assert (event.name, event.date) == ("Open", "2026-11-21")
    division = read_division(SMALL)
    assert (division.code, division.spread_caps, division.dropped) == ("B", (200, 700), ("newr",))
    assert division.players == (PlayerEntry(1, "One", 1500, category="A"), PlayerEntry(2, "Two", team="X Y"))
    assert division.rounds == (RoundEntry(1, (GameEntry(4, 1, 2, StartDecision.ASSIGNED, (400, 300)),)),)
    document = {
        **SMALL,
        "players": [{**player, "pairings": player["pairings"][:2]} for player in SMALL["players"]],
    }
    assert read_division(document).absences[0].player == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": []}, "document-invalid"),
        ({"players": ["One"]}, "document-invalid"),
        ({"players": [{"id": 2, "name": "One"}]}, "document-invalid"),
        ({"players": [{"name": ""}]}, "document-invalid"),
        ({"players": [{"name": "One", "pairings": [1.5]}]}, "document-invalid"),
        ({"players": [{"name": "One", "pairings": "1"}]}, "document-invalid"),
        ({"players": [{"name": "One", "rating": {}, "pairings": [1]}]}, "document-invalid"),
        ({"players": [{"name": "One", "pairings": [1], "scores": [1]}]}, "tsh-against-self"),
        ({"config": 3}, "document-invalid"),
        ({"config": {"spread_cap": [-1]}}, "document-invalid"),
        ({"division": {"code": "A"}}, "document-invalid"),
    ],
)
def test_read_event_of_tsh_json_refuses_contradictory_data(change: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as error_info:
        read_division({**SMALL, **change})
    assert (error_info.value.code, error_info.value.source) == (code, "a.json")


@pytest.mark.data
@pytest.mark.parametrize("folder_name", range(9))
def test_read_event_of_tsh_json_equals_the_t_file_of_a_real_event(folder_name: int) -> None:
    path = sorted((find_data_folder() / "events").glob("*.json"))[folder_name]
    event = imports.read_file_to_import(path)
    assert isinstance(event, EventEntry)
    (division,) = event.divisions
    expected = parse_published_division(json.loads(path.read_bytes())).entry
    assert (division.code, division.players, division.spread_caps) == (
        expected.code,
        expected.players,
        expected.spread_caps,
    )
    for first, two in zip(division.rounds, expected.rounds, strict=False):
        document = {
            frozenset({(game.first, *_get_score(game, 0)), (game.second, *_get_score(game, 1))})
            for game in first.games
        }
        assert document == {
            frozenset({(game.first, *_get_score(game, 0)), (game.second, *_get_score(game, 1))})
            for game in two.games
        }
        assert first.byes == two.byes


def _get_score(game: GameEntry, side: int) -> tuple[int, ...]:
    return (game.scores[side],) if game.scores else ()


def test_read_event_of_tsh_json_uses_the_sign_of_a_bye_spread() -> None:
    players = [
        {"name": "One", "pairings": [0, 3], "scores": [50, 1]},
        {"name": "Two", "pairings": [3, 0], "scores": [1, -50]},
        {"name": "Three", "pairings": [2, 1], "scores": [2, 2]},
    ]
    division = read_division({"division": "A", "players": players})
    assert [item.byes for item in division.rounds] == [
        (ByeEntry(1, ByeKind.BYE, 50),),
        (ByeEntry(2, ByeKind.FORFEIT, -50),),
    ]
