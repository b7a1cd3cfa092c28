"""Every fault of a value is found; values made by commands have none."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.model import Bye, ByeId, ByeKind, GameId, PlayerId, Prize, PrizeId, PrizeKind, RoundId
from tdapp.domain.tournament import KINDS, RowChange, Tournament, compute_diff, find_row_faults
from tests.building import DIVISION, event, game_at, last_round, paired, player

WHOLE = paired(event(5), times=2)


def broken() -> dict[str, tuple[Tournament, str, str]]:
    game, one = game_at(WHOLE, 1), player(WHOLE, 1)
    result = WHOLE.results[game.id]
    item = last_round(WHOLE)
    return {
        "a game of nobody": (WHOLE.put(replace(game, second=PlayerId("gone"))), "games", "parent-missing"),
        "a result without a game": (WHOLE.put(replace(result, id=GameId("gone"))), "results", "parent-missing"),
        "somebody twice": (
            WHOLE.put(Bye(ByeId("extra"), item.id, game.first, ByeKind.BYE)),
            "games",
            "twice-in-round",
        ),
        "a table twice": (WHOLE.put(replace(game, table=2)), "games", "table-twice"),
        "a number twice": (WHOLE.put(replace(one, number=2)), "players", "number-taken"),
        "a round twice": (WHOLE.put(replace(item, id=RoundId("copy"))), "rounds", "round-twice"),
        "a code twice": (
            WHOLE.put(replace(next(iter(WHOLE.divisions.values())), id="other")),
            "divisions",
            "division-exists",
        ),
        "a player who is gone": (WHOLE.drop(one), "games", "parent-missing"),
        "no event": (WHOLE.drop(WHOLE.event), "events", "not-exactly-one"),
    }


@pytest.mark.parametrize("name", broken())
def test_find_faults_names_each_fault(name: str) -> None:
    tournament, kind, code = broken()[name]
    found = find_row_faults(tournament)
    assert (kind, code) in {(fault.kind, fault.code) for fault in found}
    assert find_row_faults(tournament, compute_diff(WHOLE, tournament)) == found, "of what changed alone as of all"


def test_find_faults_names_wrong_rows() -> None:
    twice, _, _ = broken()["a number twice"]
    assert {fault.id for fault in find_row_faults(twice)} == {"p1", "p2"}
    prizes = [Prize(PrizeId(f"z{at}"), DIVISION, at, PrizeKind.HAND, player=one) for at, one in enumerate(
        (None, PlayerId("p1"), PlayerId("gone")), 1)]  # fmt: skip
    assert {(fault.kind, fault.id) for fault in find_row_faults(WHOLE.put(*prizes))} == {("prizes", "z3")}


def test_find_faults_finds_none_after_commands() -> None:
    assert find_row_faults(WHOLE) == ()


def test_find_faults_finds_a_row_under_another_id() -> None:
    one = player(WHOLE, 1)
    swapped = replace(WHOLE, players={**WHOLE.players, PlayerId("alias"): one})
    assert "wrong-id" in {fault.code for fault in find_row_faults(swapped)}


@given(st.data())
def test_compute_diff_with_tracked_changes_equals_full_diff(data: st.DataObject) -> None:
    before, value = WHOLE, WHOLE.track_changes()
    for _ in range(data.draw(st.integers(0, 5))):
        kind = data.draw(st.sampled_from(["players", "games", "results"]))
        row = data.draw(st.sampled_from(list(WHOLE.rows(kind).values())))
        changed: dict[str, dict[str, object]] = {
            "players": {"club": "Leiden"}, "games": {"locked": True}, "results": {"first": 1},
        }  # fmt: skip
        does = data.draw(st.sampled_from(["drop", "put", "change"]))
        other = replace(cast("Any", row), **changed[kind]) if does == "change" else row
        value = value.drop(row) if does == "drop" else value.put(other)
    found = compute_diff(before, value)
    assert sorted(found, key=_row) == sorted(compute_diff(before, replace(value, touched=None)), key=_row)
    kinds = [change.kind for change in found]
    assert kinds == sorted(kinds, key=list(KINDS).index), "parents before children"


def _row(change: RowChange) -> tuple[str, str]:
    return change.kind, change.id


def test_compute_diff_keeps_the_order_of_new_rows() -> None:
    one, two = (replace(player(WHOLE, n), id=PlayerId(f"new{n}"), number=n + 10) for n in (1, 2))
    value = WHOLE.track_changes().put(one).put(two).drop(one).put(one)
    assert [change.id for change in compute_diff(WHOLE, value)] == ["new2", "new1"] == list(value.players)[-2:]
