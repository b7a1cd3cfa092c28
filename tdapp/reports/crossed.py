"""What the crosstables and the wall chart share: the columns beside their squares."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.tables.crosstable import CrossRow
from tdapp.domain.tables.table import Kind
from tdapp.reports.grid import Strip
from tdapp.reports.pen import Align
from tdapp.reports.report import Context


def strips(context: Context, rows: tuple[CrossRow, ...], *wanted: str) -> tuple[Strip, ...]:
    """Return columns of a crosstable beside its squares."""
    words = context.words
    values = {
        "rank": (Kind.NUMBER, attrgetter("standing.rank"), 32),
        "number": (Kind.NUMBER, attrgetter("standing.player.number"), 32),
        "wins": (Kind.POINTS, attrgetter("standing.match_points"), 40),
        "spread": (Kind.SIGNED, attrgetter("standing.spread"), 48),
    }
    return tuple(
        Strip(words.heading(one), width, tuple(words.cell(kind, value(row)) for row in rows), bold=one != "spread")
        for one, (kind, value, width) in ((one, values[one]) for one in wanted)
    )


def names(context: Context, rows: tuple[CrossRow, ...]) -> Strip:
    """Return the column of names, which takes what the squares leave."""
    cells = tuple(row.standing.player.name for row in rows)
    return Strip(context.words.heading("name"), 0, cells, Align.LEFT, bold=True)
