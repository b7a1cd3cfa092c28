"""The standings of teams: the match points of their players added, then the spreads.

All players of a team count, or the best of each. The best are those who rank higher in the division. A team with
fewer players than count goes with those it has.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.standings import Standing, standings
from tdapp.domain.tables.table import Column, Kind, Table, columns

MOST_COUNTING = 10_000  # of a team: as good as all


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team; `players` are those who count, the best first, `size` is how many it has in all."""

    key: str
    rank: int
    team: str
    size: int
    wins: Fraction
    losses: Fraction
    spread: int
    points: int
    players: tuple[str, ...]

    @property
    def counting(self) -> str:
        """The players who count, in one text."""
        return "; ".join(self.players)


def table(
    index: Index, division: Division, after: int | None = None, *, best: int | None = None
) -> Table[TeamRow]:
    """Return the teams of a division after a round; `best` players of each count, None for all.

    Teams that are equal on match points and spread share a rank and are listed by name.
    Raise RuleViolation for bad-number where `best` is less than one.
    """
    if best is not None and best < 1:
        raise RuleViolation("bad-number", value=best, least=1, most=MOST_COUNTING)
    members: dict[str, list[Standing]] = defaultdict(list)
    for standing in standings(index, division, after):
        if standing.player.team.strip():
            members[standing.player.team.strip()].append(standing)
    made = [_row(team, rows, rows[:best]) for team, rows in members.items()]
    made.sort(key=lambda row: (-row.wins, -row.spread, row.team.casefold(), row.team))
    first: dict[tuple[Fraction, int], int] = {}
    ranks = [first.setdefault((row.wins, row.spread), place) for place, row in enumerate(made, 1)]
    return Table("teams", _COLUMNS, tuple(replace(row, rank=rank) for row, rank in zip(made, ranks, strict=True)))


def _row(team: str, rows: list[Standing], counting: list[Standing]) -> TeamRow:
    return TeamRow(
        key=team,
        rank=0,
        team=team,
        size=len(rows),
        wins=sum((one.match_points for one in counting), start=Fraction(0)),
        losses=sum((one.games_lost for one in counting), start=Fraction(0)),
        spread=sum(one.spread for one in counting),
        points=sum(one.points for one in counting),
        players=tuple(one.player.name for one in counting),
    )


_COLUMNS: tuple[Column[TeamRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("rank")),
    Column("team", Kind.NAME, attrgetter("team")),
    Column("team_size", Kind.NUMBER, attrgetter("size")),
    *columns(Kind.POINTS, "wins", "losses"),
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    Column("points", Kind.NUMBER, attrgetter("points")),
    Column("counting", Kind.TEXT, attrgetter("counting")),
)
