"""Every fault of a value is found; values made by commands have none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tdapp.domain.model import Bye, ByeId, ByeKind, GameId, PlayerId, RoundId
from tdapp.domain.tournament import Tournament, faults
from tests.building import event, game_at, last_round, paired, player

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
            WHOLE.put(replace(next(iter(WHOLE.divisions.values())), id="other")),  # type: ignore[arg-type]
            "divisions",
            "division-exists",
        ),
        "no event": (WHOLE.drop(WHOLE.event), "events", "not-exactly-one"),
    }


@pytest.mark.parametrize("name", broken())
def test_a_fault_is_found_and_named(name: str) -> None:
    tournament, kind, code = broken()[name]
    assert (kind, code) in {(fault.kind, fault.code) for fault in faults(tournament)}


def test_what_commands_make_is_whole() -> None:
    assert faults(WHOLE) == ()


def test_a_row_under_another_id_is_found() -> None:
    one = player(WHOLE, 1)
    swapped = replace(WHOLE, players={**WHOLE.players, PlayerId("alias"): one})
    assert "wrong-id" in {fault.code for fault in faults(swapped)}
