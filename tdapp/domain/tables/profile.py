"""Other parts of a player's card: resistance by round, next game, and notes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import Absence, ByeKind, Game, GameId, Player, PlayerId, RoundState, Start
from tdapp.domain.records import compute_records
from tdapp.domain.standings import Contribution, explain_resistance
from tdapp.domain.tables import jury_log
from tdapp.domain.tables.jury_log import ChallengeRow, IncidentRow, SanctionRow
from tdapp.domain.tables.players import CardRow, ConstraintRow, card_table, constraint_table
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.domain.tiebreaks import TIEBREAKS

Noted = SanctionRow | IncidentRow | ChallengeRow | ConstraintRow | Absence


class RoundLine(Struct, frozen=True):
    """One round of the card with its resistance points, real or of a `dummy` opponent (None: open).

    `game` is None for a bye; `sheets` is the number of its score sheets.
    """

    key: str
    row: CardRow
    resistance: Fraction | None
    dummy: bool = False
    game: GameId | None = None
    other: PlayerId | None = None
    sheets: int = 0


class ResistanceLine(Struct, frozen=True):
    """The resistance points from one opponent, and the running sum."""

    key: str
    part: Contribution
    resistance: Fraction
    total: Fraction

    @property
    def other(self) -> PlayerId | None:
        return self.part.opponent.id if self.part.opponent else None


class Happening(Struct, frozen=True):
    """A note on a player: sanction, incident, ruling, challenge, absence or constraint (`kind`).

    `noted` is the row with the note; `game` is the game of a ruling on a turn.
    """

    key: str
    round: int | None
    kind: str
    noted: Noted
    game: GameId | None = None


class NextRound(Struct, frozen=True):
    """The newest round, if the player has no result in it; `draft`: not published yet.

    `game` and `other` are None with a `bye`; `starts` is None if the tiles decide.
    """

    round: int
    draft: bool
    game: Game | None = None
    other: Player | None = None
    starts: bool | None = None
    bye: ByeKind | None = None


def round_table(index: Index, player: Player) -> Table[RoundLine]:
    """Return a player's rounds with their resistance points."""
    division = index.tournament.divisions[player.division]
    parts = {item.round: item for item in explain_resistance(index, division, player.id)}
    games = {entry.round: entry.game for entry in compute_records(index, division)[player.id]}
    unit = index.tournament.rules_of(player).unit
    rows = []
    for row in card_table(index, player).rows:
        part, key = parts.get(row.round), games[row.round]
        game = index.tournament.games[key] if key else None
        rows.append(
            RoundLine(
                key=row.key,
                row=row,
                resistance=Fraction(part.units, unit) if part else None,
                dummy=part is not None and part.dummy,
                game=game.id if game else None,
                other=game.opponent_of(player.id) if game else None,
                sheets=len(index.sheets(game.id)) if game else 0,
            )
        )
    return Table("card", _ROUND_COLUMNS, tuple(rows))


def resistance_table(index: Index, player: Player) -> Table[ResistanceLine]:
    """Return a player's resistance points by opponent, with the running sum."""
    unit, total, rows = index.tournament.rules_of(player).unit, 0, []
    for item in explain_resistance(index, index.tournament.divisions[player.division], player.id):
        total += item.units
        rows.append(ResistanceLine(str(item.round), item, Fraction(item.units, unit), Fraction(total, unit)))
    return Table("card_resistance", _RESISTANCE_COLUMNS, tuple(rows))


def happening_table(index: Index, player: Player, *, words: bool = True) -> Table[Happening]:
    """Return the notes on a player by round; `words` False hides words."""
    found = [*_list_happenings(index, player, words=words)]
    return Table("happenings", _HAPPENING_COLUMNS, tuple(sorted(found, key=lambda one: one.round or 0)))


def next_round(index: Index, player: Player) -> NextRound | None:
    """Return the newest round if it is a draft or the player has no result in it."""
    items = index.rounds(player.division)
    if not items:
        return None
    item = items[-1]
    draft = item.state is RoundState.DRAFT
    game = index.game_of(item.id, player.id)
    if game is not None:
        if index.result(game.id) is not None:
            return None
        other = index.tournament.players[game.opponent_of(player.id)]
        starts = game.first == player.id if game.start is not Start.DRAW else None
        return NextRound(item.number, draft, game, other, starts)
    bye = next((one for one in index.byes(item.id) if one.player == player.id), None)
    return NextRound(item.number, draft, bye=bye.kind) if bye is not None and draft else None


def _list_happenings(index: Index, player: Player, *, words: bool) -> Iterator[Happening]:
    division = index.tournament.divisions[player.division]
    for row in jury_log.sanctions_of(index, player.id):
        yield Happening(row.key, row.round, "sanction", row)
    for row in jury_log.list_rulings(index, division) if words else ():
        if row.number == player.number:
            game = index.game(index.round(division.id, row.round or 0).id, row.table or 0)
            yield Happening(row.key, row.round, "ruling", row, game.id)
    for incident in jury_log.incidents_of(index, player.id):
        yield Happening(incident.key, incident.entry.round, "incident", incident)
    for challenge in jury_log.challenge_table(index, division, words=words).rows:
        if challenge.entry.challenger == player.id:
            yield Happening(challenge.key, challenge.entry.round, "challenge", challenge)
    for absence in index.absences(player.id):
        yield Happening(absence.id, absence.first_round, "absence", absence)
    for constraint in constraint_table(index, division.id, player.id).rows:
        yield Happening(constraint.key, constraint.round, "constraint", constraint)


_ROUND_COLUMNS: tuple[Column[RoundLine], ...] = (
    Column("round_short", Kind.NUMBER, attrgetter("row.round")),
    Column("table_short", Kind.NUMBER, attrgetter("row.table")),
    Column("start_short", Kind.TEXT, attrgetter("row.starts")),
    Column("opponent", Kind.NAME, attrgetter("row.opponent")),
    Column("score", Kind.NUMBER, attrgetter("row.points")),
    Column("result", Kind.CODE, attrgetter("row.result")),
)
_RESISTANCE_COLUMNS: tuple[Column[ResistanceLine], ...] = (
    Column("round", Kind.NUMBER, attrgetter("part.round")),
    Column("opponent", Kind.NAME, lambda row: row.part.opponent.name if row.part.opponent else ""),
    Column("resistance", Kind.POINTS, attrgetter("resistance"), words=TIEBREAKS["resistance"].key),
    Column("total", Kind.POINTS, attrgetter("total")),
)
_HAPPENING_COLUMNS: tuple[Column[Happening], ...] = (
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("kind", Kind.TEXT, attrgetter("kind")),
    Column("note", Kind.TEXT, attrgetter("key")),
)
