"""Tournaments whose results are given outright: rounds of (player, points, player, points)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tdapp.domain.index import Index
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    Division,
    Game,
    GameId,
    Player,
    Result,
    ResultState,
    Round,
    RoundId,
    RoundState,
    StageId,
)
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, event

Given = tuple[int, int, int, int]


def with_results(*rounds: Sequence[Given], players: int = 4, rules: str = "no-nsf") -> Tournament:
    """Return a tournament of which every round is published and all is played; who has no game has a bye.

    The first of each two starts. The default rules rank by wins and spread.
    """
    value = event(players, rounds=20, rules=rules)
    people = Index(value).players(DIVISION)
    for number, games in enumerate(rounds, 1):
        item = Round(RoundId(f"r{number}"), StageId("s"), number, RoundState.PUBLISHED)
        value = value.put(item)
        for table, (one, points, two, other) in enumerate(games, 1):
            game = Game(GameId(f"r{number}t{table}"), item.id, table, people[one - 1].id, people[two - 1].id)
            value = value.put(game, Result(game.id, ResultState.ENTERED, points, other))
        seated = {one for game in games for one in (game[0], game[2])}
        for person in people:
            if person.number not in seated:
                value = value.put(Bye(ByeId(f"r{number}b{person.number}"), item.id, person.id, ByeKind.BYE))
    return value


def division_of(value: Tournament) -> Division:
    """Return the division, with its order and caps as they are now."""
    return value.divisions[DIVISION]


def with_players(value: Tournament, **fields: Sequence[object]) -> Tournament:
    """Return the tournament with fields of its players set, one value for each by number."""
    people: list[Player] = []
    for place, person in enumerate(Index(value).players(DIVISION)):
        given = {name: values[place] for name, values in fields.items()}
        people.append(replace(person, **given))  # type: ignore[arg-type]
    return value.put(*people)
