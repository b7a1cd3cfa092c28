"""The doubtful words of all sheets of a division as one list for the jury to go through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.judging import judge
from tdapp.domain.model import Division, Game, Round
from tdapp.domain.tables.jury import Doubt, doubts
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList


@dataclass(frozen=True, slots=True)
class DoubtfulRow:
    """A word on a sheet that the list does not vouch for; `form` is the sheet's among the two of a game."""

    key: str
    round: int
    table: int
    name: str
    form: int
    doubt: Doubt


def doubtful(
    index: Index,
    division: Division,
    until: int | None = None,
    *,
    wordlist: WordList,
    tilesets: Mapping[str, TileSet],
) -> Table[DoubtfulRow]:
    """Return the doubtful words of the published rounds up to `until` (None: all), by round, table and turn.

    A sheet whose tile set is not here, or that cannot be judged, has none.
    """
    rows = (
        row
        for item in index.published(division.id)
        if until is None or item.number <= until
        for game in index.games(item.id)
        for row in _rows(index, item, game, wordlist, tilesets)
    )
    return Table("doubtful", _COLUMNS, tuple(rows))


def _rows(
    index: Index, item: Round, game: Game, wordlist: WordList, tilesets: Mapping[str, TileSet]
) -> Iterator[DoubtfulRow]:
    tournament = index.tournament
    names = [tournament.players[player].name for player in (game.first, game.second)]
    for form in index.sheets(game.id):
        tileset = tilesets.get(form.sheet.tileset or tournament.ruleset.tileset)
        if tileset is None:
            continue
        try:
            judged = judge(form.sheet, tournament.ruleset, tileset)
        except UserError:
            continue
        for one in doubts(form.sheet, judged.turns, wordlist, tournament.ruleset, form.rulings).rows:
            key = f"{form.id}.{one.key}"
            yield DoubtfulRow(key, item.number, game.table, names[one.player - 1], form.form, one)


_COLUMNS: tuple[Column[DoubtfulRow], ...] = (
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("table", Kind.NUMBER, attrgetter("table")),
    Column("form", Kind.NUMBER, attrgetter("form")),
    Column("turn", Kind.NUMBER, attrgetter("doubt.turn")),
    Column("name", Kind.NAME, attrgetter("name")),
    Column("word", Kind.TEXT, attrgetter("doubt.word")),
    Column("cost", Kind.NUMBER, attrgetter("doubt.cost")),
    Column("state", Kind.CODE, attrgetter("doubt.state")),
)
