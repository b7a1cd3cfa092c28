"""Tournaments with given results, and helpers for players and indexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import fields, replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, Player, StageId
from tdapp.domain.tournament import PARENTS, Tournament
from tests.building import DIVISION, make_event
from tests.domain.tournament_lines import make_round_rows

GameScore = tuple[int, int, int, int]


def play_rounds(*rounds: Sequence[GameScore], players: int = 4, rules: str = "no-nsf") -> Tournament:
    """Return a tournament with these published rounds. A player without a game has a bye.

    The first of each two starts. The default rules rank by wins and spread.
    """
    value = make_event(players, rounds=20, rules=rules)
    for number, games in enumerate(rounds, 1):
        seated_players = {player for game in games for player in (game[0], game[2])}
        lines = [
            f"{first}-{second} {first_score}:{second_score}" for first, first_score, second, second_score in games
        ]
        lines += [f"{player} bye" for player in range(1, players + 1) if player not in seated_players]
        value = value.put(*make_round_rows(StageId("s"), number, lines))
    return value


def get_division(value: Tournament) -> Division:
    """Return the division with its current order and caps."""
    return value.divisions[DIVISION]


def set_player_fields(value: Tournament, **fields: Sequence[object]) -> Tournament:
    """Set fields of all players. Each field has a list of values by player number."""
    people: list[Player] = []
    for index, person in enumerate(TournamentIndex(value).players(DIVISION)):
        player_values = {name: values[index] for name, values in fields.items()}
        people.append(replace(person, **player_values))
    return value.put(*people)


def fill_player(person: Player) -> Player:
    """Return the player with a value in each field."""
    examples: dict[object, Any] = {"": "x", None: 7, 0: 7}
    field_values: dict[str, Any] = {
        item.name: True if item.default is False else examples.get(item.default, "x")
        for item in fields(Player)
        if item.name not in {"id", "division", "number"}
    }
    return replace(person, **field_values)


def find_equal_fields(player: Player, other_player: Player) -> set[str]:
    """Return the names of the fields with equal values."""
    return {item.name for item in fields(Player) if getattr(player, item.name) == getattr(other_player, item.name)}


def read_whole_index(index: TournamentIndex) -> dict[str, object]:
    """Return the child rows of each row, by kind."""
    value = index.tournament
    parents = [
        key
        for kind in ("divisions", "stages", "rounds", "players", "games", "seasons", "copied_events")
        for key in value.rows(kind)
    ]
    kinds = [kind for kind in PARENTS if hasattr(index, kind)]
    assert len(kinds) == 20
    return {kind: [getattr(index, kind)(key) for key in parents] for kind in kinds}
