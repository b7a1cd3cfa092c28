"""The log of challenges: each verdict with what became of it on appeal, and who sits at a table."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Challenge, Division, DivisionId, Player
from tdapp.domain.rulings import final_verdict
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.scrabble.wordlist import Verdict


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """One ruling; `words` are empty where they are not to be seen, `edition` is the id of the word list.

    `appeal` is the second verdict, `final` what holds.
    """

    key: str
    at: str
    round: int | None
    table: int | None
    words: str
    challenger: str
    edition: str
    verdict: Verdict
    judge: str
    appeal: Verdict | None
    second_judge: str
    final: Verdict


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A player at a table in the newest published round of a division, which is told by its `code`."""

    division: DivisionId
    code: str
    round: int
    player: Player


def challenges(
    index: Index, division: Division, *, table: int | None = None, words: bool = True
) -> Table[ChallengeRow]:
    """Return a division's rulings, the newest first, of one table or of all; `words` False leaves those out."""
    found = reversed(index.challenges(division.id))
    rows = tuple(_row(index, one, words=words) for one in found if table is None or one.table == table)
    return Table("challenges", _COLUMNS, rows)


def seats_at(index: Index, table: int) -> tuple[TableSeat, ...]:
    """Return who sits at a table now, by division and start; divisions may use the same numbers."""
    players = index.tournament.players
    newest = [
        (division, index.published(division.id)[-1])
        for division in index.divisions
        if index.published(division.id)
    ]
    return tuple(
        TableSeat(division.id, division.code, item.number, players[player])
        for division, item in newest
        for game in index.games(item.id)
        if game.table == table
        for player in (game.first, game.second)
    )


def _row(index: Index, challenge: Challenge, *, words: bool) -> ChallengeRow:
    challenger = challenge.challenger
    return ChallengeRow(
        key=challenge.id,
        at=challenge.at,
        round=challenge.round,
        table=challenge.table,
        words=" · ".join(challenge.words) if words else "",
        challenger=index.tournament.players[challenger].name if challenger else "",
        edition=challenge.edition,
        verdict=challenge.verdict,
        judge=challenge.judge,
        appeal=challenge.second,
        second_judge=challenge.second_judge,
        final=final_verdict(challenge),
    )


_COLUMNS: tuple[Column[ChallengeRow], ...] = (
    Column("at", Kind.TIME, attrgetter("at")),
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("table", Kind.NUMBER, attrgetter("table")),
    Column("words", Kind.TEXT, attrgetter("words")),
    Column("challenger", Kind.NAME, attrgetter("challenger")),
    Column("edition", Kind.TEXT, attrgetter("edition")),
    Column("verdict", Kind.CODE, attrgetter("verdict")),
    Column("judge", Kind.TEXT, attrgetter("judge")),
    Column("appeal", Kind.CODE, attrgetter("appeal")),
    Column("second_judge", Kind.TEXT, attrgetter("second_judge")),
    Column("final_verdict", Kind.CODE, attrgetter("final")),
)
