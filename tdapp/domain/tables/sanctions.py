"""Sanctions and the jury's rulings on turns as one list, and what a sanction changes before it is given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Absence, Division, GameId, PlayerId, Result
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.domain.tournament import Tournament


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """A sanction, or a ruling on a turn; `kind` is that of the sanction, or ruled-wrong or ruled-valid.

    `points` None where none are taken by it; of a ruling `turn` and `word` say what it was about.
    """

    key: str
    round: int | None
    table: int | None
    number: int
    name: str
    kind: str
    points: int | None
    turn: int | None
    word: str
    why: str
    author: str


def sanctions(index: Index, division: Division) -> Table[SanctionRow]:
    """Return a division's sanctions by round, as they came."""
    rows = [row for player in index.players(division.id) for row in of_player(index, player.id)]
    return Table("sanctions", _COLUMNS, tuple(sorted(rows, key=_by_round)))


def sanctions_and_rulings(index: Index, division: Division, until: int | None = None) -> Table[SanctionRow]:
    """Return a division's sanctions and rulings by round and player, up to round `until` (None: all)."""
    rows = (*sanctions(index, division).rows, *rulings(index, division))
    kept = [row for row in rows if until is None or row.round is None or row.round <= until]
    return Table("sanctions", _COLUMNS, tuple(sorted(kept, key=_by_round)))


def of_player(index: Index, player: PlayerId) -> tuple[SanctionRow, ...]:
    """Return a player's sanctions as they came."""
    found = index.sanctions(player)
    if not found:  # as nearly all: their games need not be looked through
        return ()
    row = index.tournament.players[player]
    seats = {
        item.number: game.table
        for item in index.published(row.division)
        for game in index.games(item.id)
        if player in {game.first, game.second}
    }
    return tuple(
        SanctionRow(
            key=given.id,
            round=given.round,
            table=None if given.round is None else seats.get(given.round),
            number=row.number,
            name=row.name,
            kind=given.kind.value,
            points=given.points or None,
            turn=None,
            word="",
            why=given.why,
            author=given.author,
        )
        for given in found
    )


def _by_round(row: SanctionRow) -> tuple[int, int]:
    return row.round or 0, row.number


def rulings(index: Index, division: Division) -> Iterator[SanctionRow]:
    """Yield the jury's rulings on turns of a division's sheets, by round and table."""
    players = index.tournament.players
    for item in index.published(division.id):
        for game in index.games(item.id):
            for written in index.sheets(game.id):
                for ruling in written.rulings:
                    turn = written.sheet.turns[ruling.turn - 1]
                    player = players[(game.first, game.second)[turn.player - 1]]
                    yield SanctionRow(
                        key=f"{written.id}/{ruling.turn}",
                        round=item.number,
                        table=game.table,
                        number=player.number,
                        name=player.name,
                        kind="ruled-wrong" if ruling.phony else "ruled-valid",
                        points=None,
                        turn=ruling.turn,
                        word=turn.word or "",
                        why=ruling.why,
                        author=ruling.author,
                    )


# --- what changes


@dataclass(frozen=True, slots=True)
class GameChange:
    """A game whose result a sanction makes, or makes another one."""

    game: GameId
    round: int
    table: int
    before: Result | None
    after: Result


def changed_games(before: Tournament, after: Tournament) -> tuple[GameChange, ...]:
    """Return the games that have another result after a change, by round and table."""
    found = []
    for key, result in after.results.items():
        old = before.results.get(key)
        if old != result:
            game = after.games[key]
            found.append(GameChange(key, after.rounds[game.round].number, game.table, old, result))
    return tuple(sorted(found, key=lambda change: (change.round, change.table)))


def new_absences(before: Tournament, after: Tournament) -> tuple[Absence, ...]:
    """Return the absences that a change brings."""
    return tuple(item for key, item in after.absences.items() if key not in before.absences)


_COLUMNS: tuple[Column[SanctionRow], ...] = (
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("table", Kind.NUMBER, attrgetter("table")),
    Column("number", Kind.NUMBER, attrgetter("number")),
    Column("name", Kind.NAME, attrgetter("name")),
    Column("kind", Kind.CODE, attrgetter("kind")),
    Column("penalty", Kind.NUMBER, attrgetter("points")),
    Column("turn", Kind.NUMBER, attrgetter("turn")),
    Column("word", Kind.TEXT, attrgetter("word")),
    Column("why", Kind.TEXT, attrgetter("why")),
    Column("author", Kind.TEXT, attrgetter("author")),
)
