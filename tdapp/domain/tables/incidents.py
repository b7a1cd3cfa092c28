"""What was noted of a division's tables, as a log."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Game, GameId, Incident, IncidentKind, PlayerId
from tdapp.domain.round_clock import minutes_and_seconds
from tdapp.domain.tables.table import Column, Kind, Table


@dataclass(frozen=True, slots=True)
class IncidentRow:
    """One entry; `at` is UTC in ISO 8601.

    `number` and `name` are the player's, None and empty for both or nobody in particular; `players` names the
    player, or both who sat at the table. `time` is the extra time or the delay as minutes and seconds.
    """

    key: str
    at: str
    round: int | None
    table: int | None
    kind: IncidentKind
    number: int | None
    name: str
    players: str
    time: str
    note: str
    author: str


def incidents(index: Index, division: Division, until: int | None = None) -> Table[IncidentRow]:
    """Return a division's incidents in the order of time, up to round `until` (None: all)."""
    rows = tuple(
        _row(index, item)
        for item in index.incidents(division.id)
        if until is None or item.round is None or item.round <= until
    )
    return Table("incidents", _COLUMNS, rows)


def of_player(index: Index, player: PlayerId) -> tuple[IncidentRow, ...]:
    """Return the incidents that name a player, or the table where the player sat."""
    row = index.tournament.players[player]
    return tuple(
        _row(index, item)
        for item in index.incidents(row.division)
        if item.player == player or (item.player is None and player in seated(index, item))
    )


def at_game(index: Index, key: GameId) -> tuple[IncidentRow, ...]:
    """Return the incidents at a game's table in its round."""
    game = index.tournament.games[key]
    number = index.tournament.rounds[game.round].number
    return tuple(
        _row(index, item)
        for item in index.incidents(index.division_of(game.round).id)
        if (item.round, item.table) == (number, game.table)
    )


def seated(index: Index, item: Incident) -> tuple[PlayerId, ...]:
    """Return who sat at an incident's table, the starter first; nobody where no game is named."""
    game = _game(index, item)
    return () if game is None else (game.first, game.second)


def _game(index: Index, item: Incident) -> Game | None:
    if item.round is None or item.table is None:
        return None
    try:
        return index.game(index.round(item.division, item.round).id, item.table)
    except RuleViolation:
        return None


def _row(index: Index, item: Incident) -> IncidentRow:
    players = index.tournament.players
    named = players[item.player] if item.player is not None else None
    sat = (named.id,) if named is not None else seated(index, item)
    return IncidentRow(
        key=item.id,
        at=item.at,
        round=item.round,
        table=item.table,
        kind=item.kind,
        number=named.number if named else None,
        name=named.name if named else "",
        players=" – ".join(players[one].name for one in sat),
        time=minutes_and_seconds(item.seconds) if item.seconds else "",
        note=item.note,
        author=item.author,
    )


_COLUMNS: tuple[Column[IncidentRow], ...] = (
    Column("at", Kind.TIME, attrgetter("at")),
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("table", Kind.NUMBER, attrgetter("table")),
    Column("kind", Kind.CODE, attrgetter("kind")),
    Column("time", Kind.TEXT, attrgetter("time")),
    Column("players", Kind.NAME, attrgetter("players")),
    Column("note", Kind.TEXT, attrgetter("note")),
    Column("author", Kind.TEXT, attrgetter("author")),
)
