"""The members of a club with their presence at evenings."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Player, PlayerId, Stage
from tdapp.domain.stages import find_evening_players
from tdapp.domain.tables.table import Column, ColumnKind, Table

_END_OF_NIGHT = timedelta(hours=6)


class MemberPresence(StrEnum):
    """The state of a member tonight."""

    HERE = "here"
    GONE = "gone"  # has played tonight and left
    AWAY = "not-here"


class MemberRow(Struct, frozen=True):
    """A club member's attendance at evenings."""

    key: str
    number: int
    name: str
    state: MemberPresence
    evenings: int  # number of evenings attended
    last_date: str  # last evening attended before tonight
    is_expected: bool  # came to the club's last evening before tonight
    game_count: int
    member: str = ""  # number in the club's list


def get_date_of_current_evening(now: datetime) -> str:
    """Return the date of tonight in ISO 8601. Until six in the morning, return yesterday's date."""
    return (now - _END_OF_NIGHT).date().isoformat()


def make_member_table(index: TournamentIndex, division: DivisionId, evening: Stage | None) -> Table[MemberRow]:
    """Return the players of a division: first the players of the previous evening, then the others.

    In both groups, players with more evenings come first. `evening` is the current evening, or None.
    """
    attendance = [
        (stage.date, find_evening_players(index, stage))
        for stage in index.stages(division)
        if stage.evening and stage != evening
    ]
    rounds = [item.id for item in index.list_published_rounds(division) if evening and item.stage == evening.id]
    last_players = attendance[-1][1] if attendance else frozenset[PlayerId]()

    def make_row(player: Player) -> MemberRow:
        games = sum(player.id in index.find_players_with_game_bye_or_seat(item) for item in rounds)
        dates = [date for date, players in attendance if player.id in players]
        is_present = evening is not None and player.checked_in
        state = MemberPresence.HERE if is_present else MemberPresence.GONE if games else MemberPresence.AWAY
        values = player.id, player.number, player.name, state
        return MemberRow(
            *values,
            len(dates) + bool(games),
            dates[-1] if dates else "",
            player.id in last_players,
            games,
            player.member,
        )

    rows = map(make_row, index.players(division))
    order = sorted(rows, key=lambda row: (not row.is_expected, -row.evenings, row.number))
    has_numbers = any(row.member for row in order)
    columns = tuple(column for column in _COLUMNS if column.id != "member" or has_numbers)
    return Table("members", columns, tuple(order))


_COLUMNS: tuple[Column[MemberRow], ...] = (
    Column("tonight", ColumnKind.CODE, attrgetter("state")),
    Column("number", ColumnKind.NUMBER, attrgetter("number")),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("member", ColumnKind.TEXT, attrgetter("member")),
    Column("evenings", ColumnKind.NUMBER, attrgetter("evenings")),
    Column("last_evening", ColumnKind.TEXT, attrgetter("last_date")),
    Column("games_tonight", ColumnKind.NUMBER, attrgetter("game_count")),
)
