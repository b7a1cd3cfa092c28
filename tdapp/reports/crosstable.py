"""The crosstable: in the order of the standings, whom everybody met in each round and how it ended."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.crosstable import CrossRow, table
from tdapp.i18n.phrases import letters, standings_title
from tdapp.reports.grid import SquareGrid, grid, names, strips
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.standings import unchecked


def _crosstable(context: Context, division: Division) -> PaintedPages:
    after, words = context.after(division), context.words
    made = table(context.index, division, after)
    said = words.text("Crosstable: {title}", title=standings_title(words, context.index, division, after))
    head = section(context, division, said, (), "", note=unchecked(words, context.index, division, after))
    before, last = strips(context, made.rows, "rank"), strips(context, made.rows, "wins", "spread")
    squares = tuple(tuple(_square(context, row, place) for place in range(after)) for row in made.rows)
    heads = tuple(map(str, range(1, after + 1)))
    return grid(
        head, SquareGrid((*before, names(context, made.rows)), heads, squares, last, (10, 7.5), 44), context.style
    )


def _square(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, words = row.rounds[place], context.words
    if card is None:
        return ("",)
    if card.bye:
        return words.code(card.bye), words.signed(card.spread)
    said = f"{letters(words)[card.result]}{row.opponents[place]}"
    scores = "" if card.points is None else f"{card.points}–{card.opponent_points}"
    return said, scores


CROSSTABLE = Report(
    "crosstable",
    N_("Crosstable"),
    _crosstable,
    attrgetter("desk"),
    wide=True,
    group=Group.AFTER,
    purpose=N_("Round by round whom everybody met and how it ended, in the order of the standings."),
)
