"""The group tables of a round. A group table has three or more players, or only one."""

from __future__ import annotations

from fractions import Fraction
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PairingReason, PlayerId, Round, Seat
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.seat_scores import SeatScore, compute_share_of_top_score, has_result_for_every_seat, score_seats
from tdapp.domain.tables.table import Column, ColumnKind, Table


class GroupTableSeat(Struct, frozen=True):
    """A player at a group table.

    `place`, `match_points`, `total` and `spread` are None until the table has a result.
    """

    player: int
    id: PlayerId
    name: str
    points: int | None  # as played
    left: bool  # the player gave up
    entered: bool
    place: int | None = None
    match_points: Fraction | None = None
    total: int | None = None  # the points, multiplied by the factor of the table's size
    spread: int | None = None
    share: Fraction | None = None  # fraction of the table's highest points
    record: int | None = None  # player's best earlier score alone at a table, in as many turns
    turns: int | None = None  # number of turns of a player alone at a table
    break_up: int | None = None

    @property
    def points_above_earlier_best_score(self) -> int | None:
        """The player's points minus the player's best earlier score. None if the player did not improve."""
        if self.points is None or self.record is None or self.points <= self.record:
            return None
        return self.points - self.record


class GroupTableGameRow(Struct, frozen=True):
    """The game at a group table."""

    key: str
    table: int
    seats: tuple[GroupTableSeat, ...]
    status: str  # open, entered, checked or final
    has_all_players: bool = False  # all players of the round sit at this table
    reason: PairingReason | None = None
    needs_decision: bool = False  # two phones sent points, and the director has to decide

    @property
    def names(self) -> str:
        return " · ".join(seat.name for seat in self.seats)

    @property
    def points(self) -> str:
        """The points in the order of the names, "" without a result."""
        texts = [" – " if seat.points is None else str(seat.points) for seat in self.seats]
        return " · ".join(map(str.strip, texts)) if any(seat.entered for seat in self.seats) else ""


def make_table_of_group_tables(index: TournamentIndex, round_row: Round) -> Table[GroupTableGameRow]:
    rules = index.tournament.get_ruleset_of_row(round_row)
    rows = tuple(make_group_row(index, rules, seats) for seats in index.list_seats_by_table(round_row.id))
    return Table("groups", _COLUMNS, rows)


def make_group_row(index: TournamentIndex, rules: RuleSet, seats: tuple[Seat, ...]) -> GroupTableGameRow:
    players, is_complete = map_players_with_distinct_names(index), has_result_for_every_seat(seats)
    scores: tuple[SeatScore | None, ...] = score_seats(rules, seats) if is_complete else (None,) * len(seats)
    states = {seat.state for seat in seats}
    state = next((seat.state for seat in seats if seat.state), None) if is_complete and len(states) == 1 else None
    return GroupTableGameRow(
        key=seats[0].id,
        table=seats[0].table,
        seats=tuple(
            GroupTableSeat(
                players[seat.player].number,
                seat.player,
                players[seat.player].name,
                seat.points,
                seat.left,
                seat.state is not None,
                score and score.rank,
                score and score.match_points,
                score and score.total,
                score and score.spread,
                None if seat.points is None else compute_share_of_top_score(seat.points, seats),
                _find_earlier_best_score_playing_alone(index, seat) if len(seats) == 1 else None,
                seat.turns,
                seat.break_up,
            )
            for seat, score in zip(seats, scores, strict=True)
        ),
        status=state.value if state else "entered" if is_complete else "open",
        has_all_players=rules.tables.prefer == 0,
        reason=next((seat.reason for seat in reversed(seats) if seat.reason is not None), None),
        needs_decision=sum(bool(seat.sent) for seat in seats) > 1,
    )


def _find_earlier_best_score_playing_alone(index: TournamentIndex, seat: Seat) -> int | None:
    division, number = index.get_division_of_round(seat.round).id, index.tournament.rounds[seat.round].number
    scores = [
        seats[0].points
        for item in index.list_published_rounds(division, number - 1)
        for seats in index.list_seats_by_table(item.id)
        if len(seats) == 1
        and (seats[0].player, seats[0].turns) == (seat.player, seat.turns)
        and seats[0].points is not None
    ]
    return max(scores, default=None)


_COLUMNS: tuple[Column[GroupTableGameRow], ...] = (
    Column("table", ColumnKind.NUMBER, attrgetter("table")),
    Column("players", ColumnKind.TEXT, attrgetter("names")),
    Column("points", ColumnKind.TEXT, attrgetter("points")),
    Column("status", ColumnKind.CODE, attrgetter("status")),
)
