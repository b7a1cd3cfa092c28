"""The players of a division, their cards and check-in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter
from types import MappingProxyType

from msgspec import Struct

from tdapp.domain.attendance import find_players_back_from_absence
from tdapp.domain.entries import normalise_name
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    ByeKind,
    Constraint,
    ConstraintKind,
    Division,
    DivisionId,
    Game,
    GameId,
    Player,
    PlayerId,
    RoundState,
    Seat,
    Stage,
    StartDecision,
)
from tdapp.domain.outcome import DecisionReason, GameDecision, find_game_decision
from tdapp.domain.player_fields import EMPTY_VALUES, PLAYER_FIELDS
from tdapp.domain.prizes import compute_fee_due, find_entry_fee
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.records import Record, RoundRecord, SanctionDeductions, compute_fines, compute_records
from tdapp.domain.ruleset import Outcome
from tdapp.domain.standings import ResistancePointsOfRound, list_resistance_breakdown
from tdapp.domain.tables import jury_log
from tdapp.domain.tables.jury_log import ChallengeRow, IncidentRow, JuryDecisionRow
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.tiebreaks import TIEBREAKS


class PlayerRow(Struct, frozen=True):
    """A player of a division."""

    key: str
    player: Player
    status: str  # in the coming round: active, absent, withdrawn or disqualified
    fee: int | None = None  # full entry fee, None without one
    planned: tuple[Absence, ...] = ()

    @property
    def is_checked_in(self) -> bool:
        return self.player.checked_in and self.status != "withdrawn"


class PlayerCardRow(Struct, frozen=True):
    """One round on a player's card."""

    key: str
    round: int
    table: int | None
    starts: bool | None
    opponent_number: int | None
    opponent: str
    bye: str
    points: int | None  # if `opponent_points` is None: award for a round without a game
    opponent_points: int | None
    spread: int
    result: str
    total: Fraction  # match points up to this round; on club evenings from zero
    total_spread: int  # up to this round, as `total`
    decision: GameDecision | None = None  # from the player's view, None if no game was decided
    evening: str = ""  # date of a club evening, or ""
    game: int = 0  # number of the round on its club evening, from 1

    @property
    def decided_by(self) -> DecisionReason | None:
        return self.decision.reason if self.decision is not None else None

    @property
    def score(self) -> str:
        return "–".join(str(points) for points in (self.points, self.opponent_points) if points is not None)


def make_player_table(index: TournamentIndex, division: Division) -> Table[PlayerRow]:
    next_round = index.get_last_published_round_number(division.id) + 1
    rows = tuple(
        PlayerRow(
            player.id,
            player,
            find_player_status(index, player, next_round),
            compute_fee_due(index, player) or None,
            list_planned_absences(index, player, next_round),
        )
        for player in index.players(division.id)
    )
    return Table("players", _PLAYER_COLUMNS, rows)


def make_player_card_table(index: TournamentIndex, player: Player) -> Table[PlayerCardRow]:
    division = index.tournament.divisions[player.division]
    return Table("card", CARD_COLUMNS, map_player_cards(index, division, players=(player,))[player.id])


def map_player_cards(
    index: TournamentIndex,
    division: Division,
    after_round: int | None = None,
    *,
    players: Iterable[Player] | None = None,
) -> Mapping[PlayerId, tuple[PlayerCardRow, ...]]:
    records = compute_records(index, division, after_round)
    card_players = index.players(division.id) if players is None else tuple(players)
    numbers = {entry.round for player in card_players for entry in records[player.id]}
    fines = {number: compute_fines(index, division, number) for number in numbers}
    evenings = {
        number: stage
        for stage in index.stages(division.id)
        if stage.evening
        for number in range(
            index.get_first_round_number(stage.id), index.get_first_round_number(stage.id) + stage.rounds
        )
    }
    return MappingProxyType(
        {
            player.id: _make_player_card_rows(index, player.id, records[player.id], fines, evenings)
            for player in card_players
        }
    )


def _make_player_card_rows(
    index: TournamentIndex,
    player: PlayerId,
    record: Record,
    fines: Mapping[int, Mapping[PlayerId, SanctionDeductions]],
    evenings: Mapping[int, Stage],
) -> tuple[PlayerCardRow, ...]:
    players = index.tournament.players
    unit = index.tournament.get_ruleset_of_row(players[player]).match_point_denominator
    units = spread = 0
    rows: list[PlayerCardRow] = []
    for entry in record:
        evening = evenings.get(entry.round)
        if evening is not None and rows and rows[-1].round < index.get_first_round_number(evening.id):
            units = spread = 0
        units, spread = units + entry.units, spread + entry.spread
        opponent = players[entry.opponent] if entry.opponent else None
        row = PlayerCardRow(
            key=f"{entry.round}",
            round=entry.round,
            table=entry.table,
            starts=entry.started,
            opponent_number=opponent.number if opponent else None,
            opponent=opponent.name
            if opponent
            else " · ".join(players[player_id].name for player_id in entry.other_players),
            bye=entry.bye.value if entry.bye else "",
            points=entry.awarded_points or None if entry.points is None else entry.points,
            opponent_points=entry.opponent_points,
            spread=entry.spread,
            result=_get_outcome_code_for_player_card(entry),
            total=Fraction(units, unit),
            total_spread=spread - fines[entry.round].get(player, SanctionDeductions()).spread,
            decision=_find_decision_and_put_player_first(index, player, entry.game),
            evening=evening.date if evening else "",
            game=entry.round - index.get_first_round_number(evening.id) + 1 if evening else 0,
        )
        rows.append(row)
    return tuple(rows)


def _get_outcome_code_for_player_card(entry: RoundRecord) -> str:
    if entry.outcome is None:
        return "open"
    return (
        Outcome.NOTHING.value if entry.is_played and not entry.met_players else entry.outcome.value
    )  # alone at a table


def _find_decision_and_put_player_first(
    index: TournamentIndex, player: PlayerId, key: GameId | None
) -> GameDecision | None:
    game = index.tournament.games[key] if key is not None else None
    decision = find_game_decision(index, game) if game is not None else None
    return decision.swapped if game is not None and decision is not None and game.first != player else decision


def find_player_status(index: TournamentIndex, player: Player, round_number: int) -> str:
    if index.is_disqualified(player.id, round_number):
        return "disqualified"
    absence = index.find_stored_absence(player.id, round_number)
    if absence is None:
        return "active"
    return "withdrawn" if absence.last_round is None else "absent"


def list_planned_absences(index: TournamentIndex, player: Player, after_round: int) -> tuple[Absence, ...]:
    return tuple(absence for absence in index.absences(player.id) if absence.first_round > after_round)


def find_namesake(index: TournamentIndex, name: str) -> Player | None:
    """Return the first player with this name, ignoring case, accents, punctuation and word order."""
    key = normalise_name(name)
    players = (player for division in index.divisions for player in index.players(division.id))
    return next((player for player in players if key and normalise_name(player.name) == key), None)


_COLUMN_KINDS = {None: ColumnKind.NUMBER, "": ColumnKind.TEXT, False: ColumnKind.MARK}  # by empty value


def _make_player_columns() -> Iterator[Column[PlayerRow]]:
    yield Column("number", ColumnKind.NUMBER, attrgetter("player.number"))
    yield Column("name", ColumnKind.NAME, attrgetter("player.name"), editable=True)
    for field in PLAYER_FIELDS.values():
        if field.name == "paid":
            yield Column("fee", ColumnKind.MONEY, attrgetter("fee"))
            yield Column("paid", ColumnKind.MONEY, lambda row: row.player.paid or None, editable=True)
        elif field.name == "checked_in":
            yield Column("status", ColumnKind.CODE, attrgetter("status"))
            yield Column("checked_in", ColumnKind.MARK, attrgetter("is_checked_in"), editable=True)
        elif field.name == "rating":
            yield Column(
                "rating", ColumnKind.RATING, attrgetter("player.rating_marked_if_provisional"), editable=True
            )
        elif field.has_column:
            kind = _COLUMN_KINDS[EMPTY_VALUES[field.name]]
            yield Column(field.name, kind, attrgetter(f"player.{field.name}"), editable=True)


_PLAYER_COLUMNS = tuple(_make_player_columns())
CARD_COLUMNS: tuple[Column[PlayerCardRow], ...] = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table"),
    Column("starts", ColumnKind.MARK, attrgetter("starts")),
    Column("opponent", ColumnKind.NAME, attrgetter("opponent")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "points", "opponent_points"),
    *make_columns_from_row_attributes(ColumnKind.CODE, "result", "decided_by"),
    Column("spread", ColumnKind.SIGNED, lambda row: None if row.result == "open" else row.spread),
    Column("total", ColumnKind.POINTS, lambda row: None if row.result == "open" else row.total),
    Column("total_spread", ColumnKind.SIGNED, lambda row: None if row.result == "open" else row.total_spread),
)


class CheckInState(StrEnum):
    """The state of a player at check-in."""

    PRESENT = "present"
    MISSING = "missing"
    AWAY = "away"  # does not play this round


class CheckInRow(Struct, frozen=True):
    """A player at check-in."""

    key: str
    number: int
    name: str
    club: str
    arrival: CheckInState
    checked_in: bool
    kind: ByeKind | None = None  # kind of bye of an absent player
    to_pay: int | None = None  # unpaid part of the fee


class PlayersByPresence(Struct, frozen=True):
    """The players of a division by check-in state."""

    present: tuple[PlayerId, ...] = ()
    missing: tuple[PlayerId, ...] = ()
    away: tuple[PlayerId, ...] = ()
    has_check_ins: bool = False  # a player has checked in for this round


def find_check_in_round(index: TournamentIndex, division: Division) -> int | None:
    """Return the number of the round for check-in, None if all planned rounds are published."""
    number = index.get_last_published_round_number(division.id) + 1
    return number if index.find_stage(division.id, number) is not None else None


def make_check_in_table(index: TournamentIndex, division: Division, round_number: int) -> Table[CheckInRow]:
    """Return the players with their state in a round, except withdrawn players."""
    rows, late_ids = [], find_players_back_from_absence(index, division.id)
    for player in index.players(division.id):
        absence = index.find_stored_absence(player.id, round_number)
        if absence is not None and absence.last_round is None:
            continue
        is_present = player.checked_in or player.id in late_ids
        state = CheckInState.AWAY if absence else CheckInState.PRESENT if is_present else CheckInState.MISSING
        kind = absence.kind if absence else None
        values = player.id, player.number, player.name, player.club
        to_pay = max(0, compute_fee_due(index, player) - player.paid) or None
        rows.append(CheckInRow(*values, state, player.checked_in, kind, to_pay))
    return Table("arrivals", _COLUMNS, tuple(rows))


def group_players_by_presence(index: TournamentIndex, division: Division, round_number: int) -> PlayersByPresence:
    rows = make_check_in_table(index, division, round_number).rows
    present, missing, away = (
        tuple(PlayerId(row.key) for row in rows if row.arrival is state) for state in CheckInState
    )
    has_check_ins = any(row.checked_in and row.arrival is CheckInState.PRESENT for row in rows)
    return PlayersByPresence(present, missing, away, has_check_ins)


_COLUMNS: tuple[Column[CheckInRow], ...] = (
    Column("arrival", ColumnKind.CODE, attrgetter("arrival")),
    Column("number", ColumnKind.NUMBER, attrgetter("number")),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("club", ColumnKind.TEXT, attrgetter("club")),
    Column("counts_as", ColumnKind.CODE, attrgetter("kind")),
    Column("to_pay", ColumnKind.MONEY, attrgetter("to_pay")),
)


class ConstraintRow(Struct, frozen=True):
    """A pairing constraint on two players."""

    key: str
    kind: ConstraintKind
    player: str
    other: str
    round: int | None  # round in which they must meet
    why: str


def list_constraints(index: TournamentIndex, division: DivisionId) -> tuple[Constraint, ...]:
    """Return the pairing constraints: first forbidden pairs, then pairs that must meet, then avoided pairs."""
    players = index.tournament.players
    order = {ConstraintKind.NEVER: 0, ConstraintKind.TOGETHER: 1, ConstraintKind.APART: 2}

    def sort_key(row: Constraint) -> tuple[int, int, int, int]:
        numbers = sorted((players[row.player].number, players[row.other].number))
        return order[row.kind], row.round or 0, numbers[0], numbers[1]

    rows = (row for row in index.tournament.constraints.values() if players[row.player].division == division)
    return tuple(sorted(rows, key=sort_key))


def make_constraint_table(
    index: TournamentIndex, division: DivisionId, player: PlayerId | None = None
) -> Table[ConstraintRow]:
    names = map_players_with_distinct_names(index)
    rows = (
        ConstraintRow(row.id, row.kind, names[row.player].name, names[row.other].name, row.round, row.why)
        for row in list_constraints(index, division)
        if player in {None, row.player, row.other}
    )
    return Table("constraints", _CONSTRAINT_COLUMNS, tuple(rows))


_CONSTRAINT_COLUMNS: tuple[Column[ConstraintRow], ...] = (
    Column("constraint", ColumnKind.CODE, attrgetter("kind")),
    *make_columns_from_row_attributes(ColumnKind.NAME, "player", "other"),
    Column("round", ColumnKind.NUMBER, attrgetter("round")),
    Column("why", ColumnKind.TEXT, attrgetter("why")),
)


class FeeTotalsRow(Struct, frozen=True):
    """An entry fee with its number of players and the sum that they paid."""

    key: str
    category: str
    amount: int
    players: int
    paid: int


def make_fee_table(index: TournamentIndex, division: Division) -> Table[FeeTotalsRow]:
    rows = []
    for fee in index.fees(division.id):
        payers = [player for player in index.players(division.id) if find_entry_fee(index, player) is fee]
        active = sum(not index.has_withdrawn(player.id) for player in payers)
        rows.append(FeeTotalsRow(fee.id, fee.category, fee.amount, active, sum(player.paid for player in payers)))
    return Table("fees", _FEE_COLUMNS, tuple(rows))


_FEE_COLUMNS: tuple[Column[FeeTotalsRow], ...] = (
    Column("category", ColumnKind.TEXT, attrgetter("category"), editable=True),
    Column("amount", ColumnKind.MONEY, attrgetter("amount"), editable=True),
    Column("fee_players", ColumnKind.NUMBER, attrgetter("players")),
    Column("paid", ColumnKind.MONEY, attrgetter("paid")),
)


NoteSource = JuryDecisionRow | IncidentRow | ChallengeRow | ConstraintRow | Absence


class DetailedPlayerCardRow(Struct, frozen=True):
    """One round on a player's card, with more details than `PlayerCardRow`."""

    key: str
    row: PlayerCardRow
    resistance: Fraction | None  # points from the opponent in the resistance tie-break
    is_dummy: bool = False  # the opponent of an unplayed round is imaginary
    game: GameId | None = None
    opponent_id: PlayerId | None = None
    sheets: int = 0  # number of score sheets


class RoundResistanceRow(Struct, frozen=True):
    """The resistance points from one round, and their sum up to this round."""

    key: str
    part: ResistancePointsOfRound
    resistance: Fraction
    total: Fraction

    @property
    def opponent_id(self) -> PlayerId | None:
        return self.part.opponent.id if self.part.opponent else None


class PlayerNote(Struct, frozen=True):
    """A note about a player."""

    key: str
    round: int | None
    kind: str  # sanction, incident, ruling, challenge, absence or constraint
    source: NoteSource
    game: GameId | None = None


class NewestRoundWithoutResult(Struct, frozen=True):
    """A player's newest round, if the player has no result in this round yet."""

    round: int
    is_draft: bool  # the round is not published
    game: Game | None = None
    opponent: Player | None = None
    starts: bool | None = None  # None: tiles decide
    bye: ByeKind | None = None
    seat: Seat | None = None  # at a group table
    other_players: tuple[Player, ...] = ()  # at the group table


def make_detailed_player_card_table(index: TournamentIndex, player: Player) -> Table[DetailedPlayerCardRow]:
    division = index.tournament.divisions[player.division]
    contributions = {item.round: item for item in list_resistance_breakdown(index, division, player.id)}
    games = {entry.round: entry.game for entry in compute_records(index, division)[player.id]}
    unit = index.tournament.get_ruleset_of_row(player).match_point_denominator
    rows = []
    for row in make_player_card_table(index, player).rows:
        contribution, key = contributions.get(row.round), games[row.round]
        game = index.tournament.games[key] if key else None
        rows.append(
            DetailedPlayerCardRow(
                key=row.key,
                row=row,
                resistance=Fraction(contribution.units, unit) if contribution else None,
                is_dummy=contribution is not None and contribution.is_dummy,
                game=game.id if game else None,
                opponent_id=game.get_opponent(player.id) if game else None,
                sheets=len(index.sheets(game.id)) if game else 0,
            )
        )
    return Table("card", _ROUND_COLUMNS, tuple(rows))


def make_resistance_table(index: TournamentIndex, player: Player) -> Table[RoundResistanceRow]:
    unit, total, rows = index.tournament.get_ruleset_of_row(player).match_point_denominator, Fraction(0), []
    for item in list_resistance_breakdown(index, index.tournament.divisions[player.division], player.id):
        total += item.units
        rows.append(RoundResistanceRow(str(item.round), item, Fraction(item.units, unit), Fraction(total, unit)))
    return Table("card_resistance", _RESISTANCE_COLUMNS, tuple(rows))


def make_player_note_table(
    index: TournamentIndex, player: Player, *, show_words: bool = True
) -> Table[PlayerNote]:
    """Return the notes about a player by round. `show_words` False hides rulings and challenged words."""
    notes = [*_list_player_notes(index, player, show_words=show_words)]
    return Table("happenings", _NOTE_COLUMNS, tuple(sorted(notes, key=lambda note: note.round or 0)))


def find_unfinished_round(index: TournamentIndex, player: Player) -> NewestRoundWithoutResult | None:
    items = index.rounds(player.division)
    if not items:
        return None
    item = items[-1]
    is_draft = item.state is RoundState.DRAFT
    game = index.find_player_game(item.id, player.id)
    if game is not None:
        if index.get_result(game.id) is not None:
            return None
        opponent = index.tournament.players[game.get_opponent(player.id)]
        starts = game.first == player.id if game.start is not StartDecision.DRAW else None
        return NewestRoundWithoutResult(item.number, is_draft, game, opponent, starts)
    seat = index.find_player_seat(item.id, player.id)
    if seat is not None:
        player_ids = [
            other_seat.player
            for other_seat in index.seats(item.id)
            if other_seat.table == seat.table and other_seat is not seat
        ]
        other_players = tuple(index.tournament.players[player_id] for player_id in player_ids)
        return (
            NewestRoundWithoutResult(item.number, is_draft, seat=seat, other_players=other_players)
            if seat.state is None
            else None
        )
    bye = next((bye for bye in index.byes(item.id) if bye.player == player.id), None)
    return NewestRoundWithoutResult(item.number, is_draft, bye=bye.kind) if bye is not None and is_draft else None


def _list_player_notes(index: TournamentIndex, player: Player, *, show_words: bool) -> Iterator[PlayerNote]:
    division = index.tournament.divisions[player.division]
    for row in jury_log.list_player_sanctions(index, player.id):
        yield PlayerNote(row.key, row.round, "sanction", row)
    for row in jury_log.list_word_ruling_rows(index, division) if show_words else ():
        if row.number == player.number:
            game = index.get_game(index.get_round(division.id, row.round or 0).id, row.table or 0)
            yield PlayerNote(row.key, row.round, "ruling", row, game.id)
    for incident in jury_log.list_player_incidents(index, player.id):
        yield PlayerNote(incident.key, incident.entry.round, "incident", incident)
    for challenge in jury_log.make_challenge_table(index, division, show_words=show_words).rows:
        if challenge.entry.challenger == player.id:
            yield PlayerNote(challenge.key, challenge.entry.round, "challenge", challenge)
    for absence in index.absences(player.id):
        yield PlayerNote(absence.id, absence.first_round, "absence", absence)
    for constraint in make_constraint_table(index, division.id, player.id).rows:
        yield PlayerNote(constraint.key, constraint.round, "constraint", constraint)


_ROUND_COLUMNS: tuple[Column[DetailedPlayerCardRow], ...] = (
    Column("round_short", ColumnKind.NUMBER, attrgetter("row.round")),
    Column("table_short", ColumnKind.NUMBER, attrgetter("row.table")),
    Column("start_short", ColumnKind.TEXT, attrgetter("row.starts")),
    Column("opponent", ColumnKind.NAME, attrgetter("row.opponent")),
    Column("score", ColumnKind.NUMBER, attrgetter("row.points")),
    Column("result", ColumnKind.CODE, attrgetter("row.result")),
)
_RESISTANCE_COLUMNS: tuple[Column[RoundResistanceRow], ...] = (
    Column("round", ColumnKind.NUMBER, attrgetter("part.round")),
    Column("opponent", ColumnKind.NAME, lambda row: row.part.opponent.name if row.part.opponent else ""),
    Column("resistance", ColumnKind.POINTS, attrgetter("resistance"), words=TIEBREAKS["resistance"].text_id),
    Column("total", ColumnKind.POINTS, attrgetter("total")),
)
_NOTE_COLUMNS: tuple[Column[PlayerNote], ...] = (
    Column("round", ColumnKind.NUMBER, attrgetter("round")),
    Column("kind", ColumnKind.TEXT, attrgetter("kind")),
    Column("note", ColumnKind.TEXT, attrgetter("key")),
)
