"""Tests of the integrity check of tournament rows."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.model import Bye, ByeId, ByeKind, GameId, PlayerId, Prize, PrizeId, PrizeKind, RoundId
from tdapp.domain.tournament import KINDS, RowChange, Tournament, compute_diff, find_inconsistent_rows
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds

TOURNAMENT = pair_rounds(make_event(5), times=2)


def build_broken_tournaments() -> dict[str, tuple[Tournament, str, str]]:
    game, first_player = get_game_at(TOURNAMENT, 1), get_player(TOURNAMENT, 1)
    result = TOURNAMENT.results[game.id]
    item = get_last_round(TOURNAMENT)
    return {
        "a game of nobody": (TOURNAMENT.put(replace(game, second=PlayerId("gone"))), "games", "parent-missing"),
        "a result without a game": (
            TOURNAMENT.put(replace(result, id=GameId("gone"))),
            "results",
            "parent-missing",
        ),
        "somebody twice": (
            TOURNAMENT.put(Bye(ByeId("extra"), item.id, game.first, ByeKind.BYE)),
            "games",
            "twice-in-round",
        ),
        "a table twice": (TOURNAMENT.put(replace(game, table=2)), "games", "table-twice"),
        "a number twice": (TOURNAMENT.put(replace(first_player, number=2)), "players", "number-taken"),
        "a round twice": (TOURNAMENT.put(replace(item, id=RoundId("copy"))), "rounds", "round-twice"),
        "a code twice": (
            TOURNAMENT.put(replace(next(iter(TOURNAMENT.divisions.values())), id="other")),
            "divisions",
            "division-exists",
        ),
        "a player who is gone": (TOURNAMENT.drop(first_player), "games", "parent-missing"),
        "no event": (TOURNAMENT.drop(TOURNAMENT.event), "events", "not-exactly-one"),
    }


@pytest.mark.parametrize("name", build_broken_tournaments())
def test_find_faults_names_each_fault(name: str) -> None:
    tournament, kind, code = build_broken_tournaments()[name]
    inconsistent_rows = find_inconsistent_rows(tournament)
    assert (kind, code) in {(row.kind, row.code) for row in inconsistent_rows}
    assert find_inconsistent_rows(tournament, compute_diff(TOURNAMENT, tournament)) == inconsistent_rows, (
        "the check of changed rows finds other rows"
    )


def test_find_faults_names_wrong_rows() -> None:
    repeated_winners, _, _ = build_broken_tournaments()["a number twice"]
    assert {(row.id, row.fact) for row in find_inconsistent_rows(repeated_winners)} == {("p1", "2"), ("p2", "2")}
    winners = (None, PlayerId("p1"), PlayerId("gone"))
    prizes = [
        Prize(PrizeId(f"z{number}"), DIVISION, number, PrizeKind.HAND, player=winner)
        for number, winner in enumerate(winners, 1)
    ]
    assert {(row.kind, row.id) for row in find_inconsistent_rows(TOURNAMENT.put(*prizes))} == {("prizes", "z3")}


def test_find_faults_finds_none_after_commands() -> None:
    assert find_inconsistent_rows(TOURNAMENT) == ()


def test_find_faults_finds_a_row_under_another_id() -> None:
    first_player = get_player(TOURNAMENT, 1)
    aliased = replace(TOURNAMENT, players={**TOURNAMENT.players, PlayerId("alias"): first_player})
    assert "wrong-id" in {row.code for row in find_inconsistent_rows(aliased)}


@given(st.data())
def test_compute_diff_with_tracked_changes_equals_full_diff(data: st.DataObject) -> None:
    old_tournament, value = TOURNAMENT, TOURNAMENT.make_change_tracking_copy()
    for _ in range(data.draw(st.integers(0, 5))):
        kind = data.draw(st.sampled_from(["players", "games", "results"]))
        row = data.draw(st.sampled_from(list(TOURNAMENT.rows(kind).values())))
        fields: dict[str, dict[str, object]] = {
            "players": {"club": "Leiden"}, "games": {"locked": True}, "results": {"first": 1},
        }  # fmt: skip
        action = data.draw(st.sampled_from(["drop", "put", "change"]))
        changed_row = replace(cast("Any", row), **fields[kind]) if action == "change" else row
        value = value.drop(row) if action == "drop" else value.put(changed_row)
    changes = compute_diff(old_tournament, value)
    assert sorted(changes, key=_get_row_id) == sorted(
        compute_diff(old_tournament, replace(value, touched=None)), key=_get_row_id
    )
    kinds = [change.kind for change in changes]
    assert kinds == sorted(kinds, key=list(KINDS).index), "a child row precedes its parent row"


def _get_row_id(change: RowChange) -> tuple[str, str]:
    return change.kind, change.id


def test_compute_diff_keeps_the_order_of_new_rows() -> None:
    first_player, second_player = (
        replace(get_player(TOURNAMENT, n), id=PlayerId(f"new{n}"), number=n + 10) for n in (1, 2)
    )
    value = (
        TOURNAMENT.make_change_tracking_copy()
        .put(first_player)
        .put(second_player)
        .drop(first_player)
        .put(first_player)
    )
    assert (
        [change.id for change in compute_diff(TOURNAMENT, value)] == ["new2", "new1"] == list(value.players)[-2:]
    )
