"""Published events of the data collection as tournaments, with the published ranks after each round."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands.event import add_division, new_tournament
from tdapp.domain.commands.imports import import_division
from tdapp.domain.entries import AbsenceEntry, ByeEntry, DivisionEntry, GameEntry, PlayerEntry, RoundEntry
from tdapp.domain.model import ByeKind, DivisionId, StartDecision
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tsh

RULES = RuleSet(id="own", name="Own", language="en", tileset="en", order={"other": ("wins", "spread")})
RANKS = ("rrank", "rcrank")


class Cell(Struct, frozen=True):
    """One printed rank: of a player, by number, after a round."""

    round: int
    player: int
    rank: int


class PublishedDivision(Struct, frozen=True):
    """A published division; `ranks` are its printed cells by the name they have in the file."""

    entry: DivisionEntry
    ranks: Mapping[str, tuple[Cell, ...]]

    @property
    def tournament(self) -> Tournament:
        """A tournament with only this division, made with the program's import command."""
        empty = add_division(new_tournament(key="t", name="Published", ruleset=RULES), key="d", code="A")
        return import_division(empty, key="i", division=DivisionId("d"), entry=self.entry, file_order=True)


def find_data_folder() -> Path:
    """Return the folder of the data collection, or skip the test."""
    folder = Path(os.environ.get("TDAPP_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the collection of real data is missing (set TDAPP_DATA to its folder)")
    return folder


def read_published_division(name: str, *, spread_caps: tuple[int, ...] = ()) -> PublishedDivision:
    """Return the division in a file of the collection. Give `spread_caps` if the file does not contain them."""
    data = (find_data_folder() / "events" / name).read_bytes()
    if name.endswith(".json"):
        return parse_published_division(json.loads(data))
    entry = replace(tsh.read_division(data, name), spread_caps=spread_caps)
    lines = tsh.read_player_lines(data, name)
    return PublishedDivision(
        entry, {kind: _list_cells([line.keys.get(kind, ()) for line in lines]) for kind in RANKS}
    )


def parse_published_division(document: Mapping[str, Any]) -> PublishedDivision:
    """Return a division from the JSON of tsh. A 0 in `pairings` is a bye, and its score is the spread."""
    players = document["players"]
    length = max(len(player["pairings"]) for player in players)
    entry = DivisionEntry(
        code=document["division"],
        players=tuple(_read_player(player) for player in players),
        rounds=tuple(_read_round(players, number) for number in range(1, length + 1)),
        absences=tuple(
            AbsenceEntry(player["id"], len(player["pairings"]) + 1) for player in players if player.get("off")
        ),
        order=("wins", "losses", "spread"),
        spread_caps=tuple(document["config"].get("spread_cap", ())),
    )
    return PublishedDivision(
        entry, {kind: _list_cells([player.get(kind, ()) for player in players]) for kind in RANKS}
    )


def _read_player(player: Mapping[str, Any]) -> PlayerEntry:
    rating = int(str(player["rating"]).partition("+")[0])
    return PlayerEntry(player["id"], player["name"], rating or None, category=player.get("class") or "")


def _read_round(players: Sequence[Mapping[str, Any]], number: int) -> RoundEntry:
    games: list[GameEntry] = []
    byes: list[ByeEntry] = []
    for player in players:
        opponent = _get_value(player["pairings"], number)
        if opponent == 0:
            spread = player["scores"][number - 1]
            kind = ByeKind.BYE if spread > 0 else ByeKind.FORFEIT if spread < 0 else ByeKind.ABSENT
            byes.append(ByeEntry(player["id"], kind, spread))
        elif opponent is not None and player["id"] < opponent:
            games.append(_read_game(player, players[opponent - 1], number))
    return RoundEntry(number, tuple(games), tuple(byes))


def _read_game(player: Mapping[str, Any], opponent: Mapping[str, Any], number: int) -> GameEntry:
    start = (
        StartDecision.ASSIGNED
        if {_get_value(player["p12"], number), _get_value(opponent["p12"], number)} == {1, 2}
        else StartDecision.DRAW
    )
    first, second = (opponent, player) if _get_value(opponent["p12"], number) == 1 else (player, opponent)
    scores = _get_value(first["scores"], number), _get_value(second["scores"], number)
    return GameEntry(
        table=None,
        first=first["id"],
        second=second["id"],
        start=start,
        scores=None if scores[0] is None or scores[1] is None else (scores[0], scores[1]),
    )


def _get_value(values: Sequence[int], number: int) -> int | None:
    return values[number - 1] if number <= len(values) else None


def _list_cells(lists: Sequence[Sequence[str | int | None]]) -> tuple[Cell, ...]:
    return tuple(_iterate_cells(lists))


def _iterate_cells(lists: Sequence[Sequence[str | int | None]]) -> Iterator[Cell]:
    for player, ranks in enumerate(lists, 1):
        for number, rank in enumerate(ranks):
            if number > 0 and rank is not None and rank != "00":
                yield Cell(number, player, int(rank))
