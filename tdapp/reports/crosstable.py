"""Crosstables by round and by opponent, and the wall chart.

Crosstables are in the order of the standings. The wall chart is by number, with each round's opponent, score and
sums. Future rounds are left blank for handwriting.
"""

from __future__ import annotations

from itertools import chain

from tdapp.domain.model import Division
from tdapp.domain.tables.crosstable import CrossRow, crosstable
from tdapp.domain.tables.players import CardRow
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import cross_square
from tdapp.i18n.phrases import letters, ranked_by, standings_title, unchecked
from tdapp.i18n.scores import legend, reason_word
from tdapp.reports.grid import SquareGrid, grid, strips
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, section

_MARK = 6.5  # size of a mark below a score


def _crosstable_pages(context: Context, division: Division) -> PaintedPages:
    after, catalogue = context.after(division), context.catalogue
    made = crosstable(context.index, division, after)
    title = catalogue.text("Crosstable: {title}", title=standings_title(catalogue, context.index, division, after))
    note, marks = _standings_note(context, division, after), _make_legend(context, made)
    head = section(context, division, title, (), "", note=note, legend=marks)
    before, last = strips(context, made)
    squares = tuple(tuple(_square_lines(context, row, at) for at in range(after)) for row in made.rows)
    heads = tuple(map(str, range(1, after + 1)))
    return grid(head, SquareGrid(before, heads, squares, last, _line_sizes(marks, 10, 7.5), 44), context.style)


def _standings_note(context: Context, division: Division, after: int) -> str:
    found = (one(context.catalogue, context.index, division, after) for one in (ranked_by, unchecked))
    return " · ".join(filter(None, found))


def _square_lines(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, catalogue = row.rounds[place], context.catalogue
    lines = cross_square(catalogue, letters(catalogue), card)
    return lines if card is None or card.bye else (lines[0], *_score_lines(catalogue, card))


def _score_lines(catalogue: Catalogue, card: CardRow) -> tuple[str, ...]:
    return tuple(filter(None, (card.score, reason_word(catalogue, card.decision))))


def _make_legend(context: Context, made: Table[CrossRow]) -> str:
    cards = chain(*(row.rounds for row in made.rows))
    return legend(context.catalogue, (card.decision for card in cards if card is not None), words=True)


def _line_sizes(marks: str, *usual: float) -> tuple[float, ...]:
    return (*usual, _MARK) if marks else usual


CROSSTABLE = Report(
    "crosstable",
    N_("Crosstable"),
    _crosstable_pages,
    Group.AFTER,
    N_("Every player’s opponents and results, round by round, in the order of the standings."),
    wide=True,
)


_MEETINGS = 2  # rounds with scores


def _matrix_pages(context: Context, division: Division) -> PaintedPages:
    after, catalogue = context.after(division), context.catalogue
    made = crosstable(context.index, division, after)
    title = standings_title(catalogue, context.index, division, after)
    title = catalogue.text("Everybody against everybody: {title}", title=title)
    note, marks = _standings_note(context, division, after), _make_legend(context, made)
    head = section(context, division, title, (), "", note=note, legend=marks)
    squares = tuple(tuple(_matrix_square(context, row, other) for other in made.rows) for row in made.rows)
    before, last = strips(context, made)
    heads = tuple(str(row.standing.player.number) for row in made.rows)
    return grid(
        head, SquareGrid(before, heads, squares, last, _line_sizes(marks, 10, 7.5, 7.5), 36), context.style
    )


def _matrix_square(context: Context, row: CrossRow, other: CrossRow) -> tuple[str, ...]:
    if row is other:
        return ("×",)
    number = other.standing.player.number
    met = [card for card in row.rounds if card is not None and card.opponent_number == number]
    letter = letters(context.catalogue)
    lines = chain(*(_score_lines(context.catalogue, card) for card in met[-_MEETINGS:]))
    return "".join(letter[card.result] for card in met), *lines


MATRIX = Report(
    "matrix",
    N_("Crosstable, everybody against everybody"),
    _matrix_pages,
    Group.AFTER,
    N_("Everybody against everybody, for small fields and round robins."),
    wide=True,
)


def _wall_chart(context: Context, division: Division) -> PaintedPages:
    after, catalogue, index = context.up_to(division), context.catalogue, context.index
    made = crosstable(index, division, after, by_number=True)
    rounds = max(index.planned_rounds(division.id), after, 1)
    marks = " · ".join(filter(None, (catalogue.text("°: starts the game"), _make_legend(context, made))))
    head = section(context, division, catalogue.text("Wall chart"), (), "", legend=marks)
    squares = tuple(tuple(_chart_square(context, row, at) for at in range(rounds)) for row in made.rows)
    before = tuple(strips(context, made)[0][1:])  # without the rank
    heads = tuple(map(str, range(1, rounds + 1)))
    return grid(head, SquareGrid(before, heads, squares, (), _line_sizes(marks, 11, 8, 8), 52), context.style)


def _chart_square(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, catalogue = (row.rounds[place] if place < len(row.rounds) else None), context.catalogue
    if card is None:
        return ("",)
    ring = "°" if card.starts else ""  # starter
    met = catalogue.code(card.bye) if card.bye else f"{card.opponent_number}{ring}"
    if card.result == "open":
        return (met,)
    sums = f"{catalogue.points(card.total)}  {catalogue.signed(card.total_spread)}"
    return met, card.score, sums, reason_word(catalogue, card.decision)


WALL_CHART = Report(
    "wall-chart",
    N_("Wall chart"),
    _wall_chart,
    Group.AFTER,
    N_("By number, with running totals; empty columns for the coming rounds."),
    wide=True,
)
