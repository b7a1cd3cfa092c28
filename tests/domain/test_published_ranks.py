"""Tests against published ranks of real tournaments (wins, fewer losses, spread)."""

from __future__ import annotations

import pytest

from tdapp.domain.index import TournamentIndex
from tdapp.domain.standings import compute_standings
from tests.data_events import Cell, PublishedDivision, parse_published_division, read_published_division

JSON_EVENTS = {
    "2025-North-American-School-Championship_C_166.json": 185,
    "July-4-Superstars-CSW-Scrabble-Showdown_A_333.json": 14,
    "Lake-George-NY-CSW-Main-Event_A_3.json": 270,
    "Lake-George-NY-NWL-Main-Event_A_2.json": 420,
    "Milton-ON-CSW_A_335.json": 36,
    "Milton-ON-WOW_C_334.json": 36,
    "Montrealfest-Montreal-QC-Main-Event-CSW_A_266.json": 180,
    "National-Scrabble-Day-2025-CSW_A_200.json": 40,
    "New-Year-s-Albany-NY-NWL-Early-Bird_D_67.json": 56,
}


def list_computed_cells(event: PublishedDivision) -> set[Cell]:
    index = TournamentIndex(event.tournament)
    division = index.get_division(None)
    return {
        Cell(item.number, row.player.number, row.rank)
        for item in index.list_published_rounds(division.id)
        for row in compute_standings(index, division, item.number)
    }


def find_differing_cells(event: PublishedDivision, kind: str) -> list[Cell]:
    cells = list_computed_cells(event)
    return [cell for cell in event.ranks[kind] if cell not in cells]


@pytest.mark.data
@pytest.mark.parametrize(("name", "cells"), JSON_EVENTS.items())
def test_standings_equal_printed_ranks_of_the_json_events(name: str, cells: int) -> None:
    event = read_published_division(name)
    assert len(event.ranks["rrank"]) == cells
    assert find_differing_cells(event, "rrank") == []


@pytest.mark.data
def test_standings_equal_capped_ranks_of_the_school_event() -> None:
    event = read_published_division("2025-North-American-School-Championship_C_166.json")
    assert len(event.ranks["rcrank"]) == 296
    assert find_differing_cells(event, "rcrank") == []


@pytest.mark.data
def test_standings_equal_capped_ranks_of_e4c5() -> None:
    event = read_published_division("e4c5_tournament1_a.t", spread_caps=(200, 700))
    assert len(event.ranks["rcrank"]) == 684
    assert find_differing_cells(event, "rcrank") == []


@pytest.mark.data
def test_standings_differ_in_two_stale_cells_of_kingston() -> None:
    event = read_published_division("kingston2023_a.t")
    assert len(event.ranks["rrank"]) == 595
    assert find_differing_cells(event, "rrank") == [Cell(20, 24, 25), Cell(21, 24, 25)]


@pytest.mark.data
def test_standings_equal_printed_ranks_of_mgi() -> None:
    event = read_published_division("mgi2022_a.t")
    assert len(event.ranks["rrank"]) == 720
    assert find_differing_cells(event, "rrank") == []


def test_standings_of_a_small_published_division() -> None:
    """Round 1: A-B 400-300, C has a bye. Round 2: A-C 350-350, B forfeits. Round 3 is open."""
    document = {
        "division": "A",
        "config": {"spread_cap": [60]},
        "players": [
            {"id": 1, "name": "A", "rating": 0, "pairings": [2, 3, 2], "scores": [400, 350], "p12": [2, 1, 1]},
            {"id": 2, "name": "B", "rating": 90, "pairings": [1, 0, 1], "scores": [300, -50], "p12": [1, 0, 2]},
            {"id": 3, "name": "C", "rating": "8+1", "pairings": [0, 1], "scores": [80, 350], "p12": [0, 2]},
        ],
    }
    document["players"][0]["rrank"] = [1, None, 1]  # type: ignore[index]
    event = parse_published_division(document)
    assert event.ranks == {"rrank": (Cell(2, 1, 1),), "rcrank": ()}
    assert list_computed_cells(event) == {
        *(Cell(1, 1, 1), Cell(1, 2, 3), Cell(1, 3, 1)),  # both +60 under the cap
        *(Cell(2, 1, 1), Cell(2, 2, 3), Cell(2, 3, 1)),
        *(Cell(3, 1, 1), Cell(3, 2, 3), Cell(3, 3, 1)),
    }
    index = TournamentIndex(event.tournament)
    rows = {row.player.name: row for row in compute_standings(index, index.get_division(None))}
    assert [(rows[name].wins, rows[name].draws, rows[name].losses) for name in "ABC"] == [
        (1, 1, 0),
        (0, 0, 2),
        (1, 1, 0),
    ]
    assert [(rows[name].spread, rows[name].points) for name in "ABC"] == [(60, 750), (-110, 300), (60, 350)]
    assert [(rows[name].starts, rows[name].replies) for name in "ABC"] == [(1, 1), (1, 0), (0, 1)]
    assert [rows[name].player.rating for name in "ABC"] == [None, 90, 8]
