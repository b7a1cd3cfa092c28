"""The crosstable of a small field: everybody against everybody, in the order of the standings."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.crosstable import CrossRow, table
from tdapp.domain.tables.players import CardRow
from tdapp.i18n.phrases import letters, standings_title
from tdapp.reports.grid import SquareGrid, grid, names, strips
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.standings import unchecked

_MEETINGS = 2  # of which the scores are shown


def _matrix(context: Context, division: Division) -> PaintedPages:
    after, words = context.after(division), context.words
    rows = table(context.index, division, after).rows
    said = words.text(
        "Everybody against everybody: {title}", title=standings_title(words, context.index, division, after)
    )
    head = section(context, division, said, (), "", note=unchecked(words, context.index, division, after))
    squares = tuple(tuple(_square(context, row, other) for other in rows) for row in rows)
    before, last = (*strips(context, rows, "rank"), names(context, rows)), strips(context, rows, "wins", "spread")
    heads = tuple(str(row.standing.rank) for row in rows)
    return grid(head, SquareGrid(before, heads, squares, last, (10, 7.5, 7.5), 38), context.style)


def _square(context: Context, row: CrossRow, other: CrossRow) -> tuple[str, ...]:
    if row is other:
        return ("×",)
    number = other.standing.player.number
    met = [card for card in row.rounds if card is not None and card.opponent_number == number]
    return _letters(context, met), *(f"{card.points}–{card.opponent_points}" for card in _scored(met))


def _letters(context: Context, met: Sequence[CardRow]) -> str:
    said = letters(context.words)
    return "".join(said[card.result] for card in met)


def _scored(met: Sequence[CardRow]) -> list[CardRow]:
    return [card for card in met if card.points is not None][-_MEETINGS:]


MATRIX = Report(
    "matrix",
    N_("Crosstable, everybody against everybody"),
    _matrix,
    attrgetter("desk"),
    wide=True,
    group=Group.AFTER,
    purpose=N_("Everybody against everybody, for small fields and round robins."),
)
