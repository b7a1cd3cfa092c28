"""Tournaments with given results: rounds of (player, points, player, points)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import fields, replace

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, StageId
from tdapp.domain.tournament import PARENTS, Tournament
from tests.building import DIVISION, event
from tests.domain.tournament_lines import round_rows

Given = tuple[int, int, int, int]


def with_results(*rounds: Sequence[Given], players: int = 4, rules: str = "no-nsf") -> Tournament:
    """Return a tournament of which every round is published and all is played; who has no game has a bye.

    The first of each two starts. The default rules rank by wins and spread.
    """
    value = event(players, rounds=20, rules=rules)
    for number, games in enumerate(rounds, 1):
        seated = {player for game in games for player in (game[0], game[2])}
        lines = [f"{one}-{two} {points}:{other}" for one, points, two, other in games]
        lines += [f"{player} bye" for player in range(1, players + 1) if player not in seated]
        value = value.put(*round_rows(StageId("s"), number, lines))
    return value


def division_of(value: Tournament) -> Division:
    """Return the division, with its order and caps as they are now."""
    return value.divisions[DIVISION]


def with_players(value: Tournament, **fields: Sequence[object]) -> Tournament:
    """Return the tournament with fields of its players set, one value for each by number."""
    people: list[Player] = []
    for place, person in enumerate(Index(value).players(DIVISION)):
        given = {name: values[place] for name, values in fields.items()}
        people.append(replace(person, **given))
    return value.put(*people)


def filled(person: Player) -> Player:
    """Return a player of whom everything is known."""
    examples: dict[object, Any] = {"": "x", None: 7, 0: 7}
    given: dict[str, Any] = {
        item.name: True if item.default is False else examples.get(item.default, "x")
        for item in fields(Player)
        if item.name not in {"id", "division", "number"}
    }
    return replace(person, **given)


def same_fields(one: Player, other: Player) -> set[str]:
    """Return the fields in which two players are alike."""
    return {item.name for item in fields(Player) if getattr(one, item.name) == getattr(other, item.name)}


def looked_up(index: Index) -> dict[str, object]:
    """Return everything an index has for every parent."""
    value = index.tournament
    parents = [
        key
        for kind in ("divisions", "stages", "rounds", "players", "games", "seasons", "copied_events")
        for key in value.rows(kind)
    ]
    kinds = [kind for kind in PARENTS if hasattr(index, kind)]
    assert len(kinds) == 20
    return {kind: [getattr(index, kind)(key) for key in parents] for kind in kinds}
