"""The crosstables, by round and of everybody against everybody, and the wall chart.

Crosstables are in the order of the standings. The wall chart is by number, with each round's opponent, score and
sums; what is to come is left to the pen.
"""

from __future__ import annotations

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.crosstable import CrossRow, table
from tdapp.i18n.phrases import letters, standings_title
from tdapp.reports.grid import SquareGrid, grid, strips
from tdapp.reports.layout import PaintedPages
from tdapp.reports.rankings import standings_note
from tdapp.reports.report import Context, Group, Report, section


def _crosstable(context: Context, division: Division) -> PaintedPages:
    after, catalogue = context.after(division), context.catalogue
    made = table(context.index, division, after)
    title = catalogue.text("Crosstable: {title}", title=standings_title(catalogue, context.index, division, after))
    head = section(context, division, title, (), "", note=standings_note(context, division, after))
    before, last = strips(context, made)
    squares = tuple(tuple(_square(context, row, at) for at in range(after)) for row in made.rows)
    heads = tuple(map(str, range(1, after + 1)))
    return grid(head, SquareGrid(before, heads, squares, last, (10, 7.5), 44), context.style)


def _square(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, catalogue = row.rounds[place], context.catalogue
    if card is None:
        return ("",)
    if card.bye:
        return catalogue.code(card.bye), f"{catalogue.signed(card.spread)} {card.score}".rstrip()
    return f"{letters(catalogue)[card.result]}{row.opponents[place]}", card.score


CROSSTABLE = Report(
    "crosstable",
    N_("Crosstable"),
    _crosstable,
    Group.AFTER,
    N_("Round by round whom everybody met and how it ended, in the order of the standings."),
    wide=True,
)


_MEETINGS = 2  # of which the scores are shown


def _matrix(context: Context, division: Division) -> PaintedPages:
    after, catalogue = context.after(division), context.catalogue
    made = table(context.index, division, after)
    title = standings_title(catalogue, context.index, division, after)
    title = catalogue.text("Everybody against everybody: {title}", title=title)
    head = section(context, division, title, (), "", note=standings_note(context, division, after))
    squares = tuple(tuple(_matrix_square(context, row, other) for other in made.rows) for row in made.rows)
    before, last = strips(context, made)
    heads = tuple(str(row.standing.player.number) for row in made.rows)
    return grid(head, SquareGrid(before, heads, squares, last, (10, 7.5, 7.5), 36), context.style)


def _matrix_square(context: Context, row: CrossRow, other: CrossRow) -> tuple[str, ...]:
    if row is other:
        return ("×",)
    number = other.standing.player.number
    met = [card for card in row.rounds if card is not None and card.opponent_number == number]
    letter = letters(context.catalogue)
    scored = [card for card in met if card.points is not None][-_MEETINGS:]
    return "".join(letter[card.result] for card in met), *(card.score for card in scored)


MATRIX = Report(
    "matrix",
    N_("Crosstable, everybody against everybody"),
    _matrix,
    Group.AFTER,
    N_("Everybody against everybody, for small fields and round robins."),
    wide=True,
)


def _wall_chart(context: Context, division: Division) -> PaintedPages:
    after, catalogue, index = context.up_to(division), context.catalogue, context.index
    made = table(index, division, after, by_number=True)
    rounds = max(index.planned_rounds(division.id), after, 1)
    head = section(context, division, catalogue.text("Wall chart"), (), "")
    squares = tuple(tuple(_chart_square(context, row, at) for at in range(rounds)) for row in made.rows)
    before = tuple(strips(context, made)[0][1:])  # without the rank
    return grid(
        head, SquareGrid(before, tuple(map(str, range(1, rounds + 1))), squares, (), (11, 8, 8), 52), context.style
    )


def _chart_square(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, catalogue = (row.rounds[place] if place < len(row.rounds) else None), context.catalogue
    if card is None:
        return ("",)
    ring = "°" if card.starts else ""  # who starts
    met = catalogue.code(card.bye) if card.bye else f"{card.opponent_number}{ring}"
    if card.result == "open":
        return (met,)
    return met, card.score, f"{catalogue.points(card.total)}  {catalogue.signed(card.total_spread)}"


WALL_CHART = Report(
    "wall-chart",
    N_("Wall chart"),
    _wall_chart,
    Group.AFTER,
    N_("By number, with sums; rounds to come are left to the pen."),
    wide=True,
)
