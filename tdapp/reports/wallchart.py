"""The wall chart: by number, each round's opponent, score and sums; what is to come is left to the pen."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.crosstable import CrossRow, table
from tdapp.reports.grid import SquareGrid, grid, names, strips
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, section


def _wall_chart(context: Context, division: Division) -> PaintedPages:
    after, words, index = context.after(division), context.words, context.index
    made = table(index, division, after, by_number=True)
    rounds = max(index.planned_rounds(division.id), after, 1)
    head = section(context, division, words.text("Wall chart"), (), "")
    squares = tuple(tuple(_square(context, row, place) for place in range(rounds)) for row in made.rows)
    before = (*strips(context, made.rows, "number"), names(context, made.rows))
    return grid(
        head, SquareGrid(before, tuple(map(str, range(1, rounds + 1))), squares, (), (11, 8, 8), 52), context.style
    )


def _square(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, words = (row.rounds[place] if place < len(row.rounds) else None), context.words
    if card is None:
        return ("",)
    met = words.code(card.bye) if card.bye else f"{card.opponent_number}{_start(card.starts)}"
    if card.result == "open":
        return (met,)
    scores = "" if card.points is None else f"{card.points}–{card.opponent_points}"
    return met, scores, f"{words.points(card.total)}  {words.signed(card.total_spread)}"


def _start(starts: bool | None) -> str:
    """Return a raised ring for who starts."""
    return "°" if starts else ""


WALL_CHART = Report(
    "wall-chart",
    N_("Wall chart"),
    _wall_chart,
    attrgetter("desk"),
    wide=True,
    group=Group.AFTER,
    purpose=N_("By number, with sums; rounds to come are left to the pen."),
)
