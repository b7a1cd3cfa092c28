"""Data that a file or a tournament cannot hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from tdapp.domain.entries import DivisionEntry
from tdapp.domain.model import Start
from tdapp.domain.player_fields import LISTED


class Unsupported(Struct, frozen=True):
    """Lost data. `code` and `facts` make its sentence."""

    code: str
    facts: Mapping[str, object]


class DataKind(StrEnum):
    """Data of a division that a format may not support, next to `OF_PLAYER`."""

    ORDER = "order"
    SPREAD_CAPS = "spread_caps"
    ABSENCES = "absences"
    TABLES = "tables"
    FORFEITS = "forfeits"  # written as a bye and a forfeit
    KNOCKOUT = "knockout"  # the bracket and the places that it decides
    SHEETS = "sheets"
    SANCTIONS = "sanctions"
    CONSTRAINTS = "constraints"
    LOGS = "logs"  # incidents and challenges
    PRIZES = "prizes"
    TIMES = "times"
    DRAFT = "draft"
    ACCESS = "access"  # players with an accessible table
    SHOWN_AS = "shown_as"  # public names


_HeldField: Any = StrEnum("HeldField", [(one.name, one.name) for one in LISTED])  # type: ignore[misc]
OF_PLAYER: tuple[StrEnum, ...] = tuple(_HeldField)
_OF_DIVISION = (DataKind.SPREAD_CAPS, DataKind.ABSENCES)


def find_losses(entry: DivisionEntry, again: DivisionEntry) -> Iterator[Unsupported]:
    """Yield the data lost when written and read `again`, whose players are numbered by position."""
    players = list(zip(entry.players, again.players, strict=False))
    lost = [held for held in OF_PLAYER if any(getattr(a, held) != getattr(b, held) for a, b in players)]
    lost += [held for held in _OF_DIVISION if getattr(entry, held) != getattr(again, held)]
    lost += [DataKind.ORDER] if entry.order not in {(), again.order or again.usual} else []
    lost += [DataKind.TABLES] if _list_game_tables(entry) != _list_game_tables(again) else []
    if lost:
        yield Unsupported("export-without", {"what": tuple(lost)})
    names = [a.name for a, b in players if a.name != b.name]
    if names:
        yield Unsupported("export-names-differ", {"players": "; ".join(names)})
    numbers = [f"{a.number} {a.name}" for a, b in players if a.number != b.number]
    if numbers:
        yield Unsupported("export-renumbered", {"players": "; ".join(numbers)})
    rounds = sorted(_list_bye_rounds(entry) ^ _list_bye_rounds(again))
    if rounds:
        different = dict.fromkeys(number for number, _ in rounds)
        yield Unsupported("export-rounds-differ", {"rounds": ", ".join(map(str, different))})


def _list_game_tables(entry: DivisionEntry) -> set[tuple[int, int, int | None]]:
    place = {player.number: at for at, player in enumerate(entry.players, 1)}
    return {
        (item.number, min(place[game.first], place[game.second]), game.table)
        for item in entry.rounds
        for game in item.games
    }


def _list_bye_rounds(entry: DivisionEntry) -> set[tuple[int, str]]:
    place = {player.number: at for at, player in enumerate(entry.players, 1)}
    found = set()
    for item in entry.rounds:
        for game in item.games:
            first_started = (game.start is not Start.DRAW) and place[game.first]
            pair = sorted([place[game.first], place[game.second]])
            scores = game.scores if pair[0] == place[game.first] or not game.scores else game.scores[::-1]
            found.add((item.number, f"game {pair} {scores} {first_started} {game.forfeit}"))
        for bye in item.byes:
            found.add((item.number, f"bye {place[bye.player]} {bye.kind} {bye.spread}"))
    return found
