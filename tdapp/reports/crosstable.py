"""Crosstables by round and by opponent, in the order of the standings, and the wall chart by player number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

from tdapp.domain.model import Division
from tdapp.domain.tables.players import PlayerCardRow
from tdapp.domain.tables.standings import CrosstableRow, list_crosstable_rounds, make_crosstable
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import list_crosstable_cell_lines, make_list_columns
from tdapp.i18n.phrases import (
    describe_checked_games,
    describe_ranking,
    make_title_after_round,
    map_results_to_letters,
)
from tdapp.i18n.scores import make_decision_legend, name_decision
from tdapp.reports.grid import SquareGrid, make_grid_columns, make_grid_pages
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section

_MARK = 6.5  # size of a mark below a score


def _make_crosstable_pages(context: ReportContext, division: Division) -> PaintedPages:
    after, text = context.find_standings_round(division), context.catalogue.text
    title = make_title_after_round(context.catalogue, context.index, division, after, text("Crosstable"))
    made = make_crosstable(context.index, division, after)
    heads = [*map(str, range(1, len(list_crosstable_rounds(context.index, division, after)) + 1))]
    return _make_pages(context, division, title, made, heads, partial(_list_square_lines, context), (44, 10, 7.5))


def _make_pages(
    context: ReportContext,
    division: Division,
    title: str,
    table: Table[CrosstableRow],
    heads: Sequence[str],
    list_lines: Callable[[CrosstableRow, int], tuple[str, ...]],
    sizes: tuple[float, ...],
    *,
    ranked: bool = True,
) -> PaintedPages:
    """Return pages of squares. `sizes` are the minimum width of a square and the type sizes of its lines."""
    catalogue, after = context.catalogue, context.find_standings_round(division)
    found = (
        one(catalogue, context.index, division, after)
        for one in (describe_ranking, describe_checked_games)
        if ranked
    )
    cards = chain(*(row.rounds for row in table.rows))
    marks = make_decision_legend(catalogue, (card.decision for card in cards if card is not None), words=True)
    about = "" if ranked else catalogue.text("°: starts the game")
    signs = " · ".join(filter(None, (about, marks)))
    empty = "" if after or not ranked else catalogue.text("No round is published yet.")
    head = make_section(context, division, title, (), empty, note=" · ".join(filter(None, found)), legend=signs)
    wanted = [column.id for column in table.columns if not column.id.startswith("round_")]
    columns = {column.id: column for column in make_list_columns(catalogue, table, wanted)}
    first = [columns.pop(name) for name in ("rank", "number", "name")[not ranked :] if name in columns]
    squares = tuple(tuple(list_lines(row, at) for at in range(len(heads))) for row in table.rows)
    last = make_grid_columns(context, columns.values() if ranked else ())
    narrowest, *lines = (*sizes, _MARK) if marks else sizes
    shown = SquareGrid(make_grid_columns(context, first), (*heads,), squares, last, (*lines,), narrowest)
    return make_grid_pages(head, shown, context.style)


def _list_square_lines(context: ReportContext, row: CrosstableRow, round_index: int) -> tuple[str, ...]:
    card, catalogue = row.rounds[round_index], context.catalogue
    lines = list_crosstable_cell_lines(catalogue, map_results_to_letters(catalogue), card)
    return lines if card is None or card.bye else (lines[0], *_list_score_lines(catalogue, card))


def _list_score_lines(catalogue: Catalogue, card: PlayerCardRow) -> tuple[str, ...]:
    return tuple(filter(None, (card.score, name_decision(catalogue, card.decision))))


CROSSTABLE = Report(
    "crosstable",
    N_("Crosstable"),
    _make_crosstable_pages,
    ReportGroup.AFTER,
    N_("Every player’s opponents and results, round by round, in the order of the standings."),
    wide=True,
)


_MEETINGS = 2  # rounds with scores


def _make_matrix_pages(context: ReportContext, division: Division) -> PaintedPages:
    after, text = context.find_standings_round(division), context.catalogue.text
    made = make_crosstable(context.index, division, after)
    title = make_title_after_round(
        context.catalogue, context.index, division, after, text("Everybody against everybody")
    )
    heads = [str(row.standing.player.number) for row in made.rows]
    list_lines = partial(_list_matrix_lines, context, made.rows)
    return _make_pages(context, division, title, made, heads, list_lines, (36, 10, 7.5, 7.5))


def _list_matrix_lines(
    context: ReportContext, rows: Sequence[CrosstableRow], row: CrosstableRow, column: int
) -> tuple[str, ...]:
    other = rows[column]
    if row is other:
        return ("×",)
    number = other.standing.player.number
    met = [card for card in row.rounds if card is not None and card.opponent_number == number]
    letter = map_results_to_letters(context.catalogue)
    lines = chain(*(_list_score_lines(context.catalogue, card) for card in met[-_MEETINGS:]))
    return "".join(letter[card.result] for card in met), *lines


MATRIX = Report(
    "matrix",
    N_("Crosstable, everybody against everybody"),
    _make_matrix_pages,
    ReportGroup.AFTER,
    N_("Everybody against everybody, for small fields and round robins."),
    wide=True,
)


def _make_wall_chart_pages(context: ReportContext, division: Division) -> PaintedPages:
    after, title = context.find_last_round(division), context.catalogue.text("Wall chart")
    made = make_crosstable(context.index, division, after, by_number=True)
    rounds = list_crosstable_rounds(
        context.index, division, max(context.index.count_planned_rounds(division.id), after, 1)
    )
    heads = [*map(str, range(1, len(rounds) + 1))]
    list_lines = partial(_list_chart_lines, context)
    return _make_pages(context, division, title, made, heads, list_lines, (52, 11, 8, 8), ranked=False)


def _list_chart_lines(context: ReportContext, row: CrosstableRow, round_index: int) -> tuple[str, ...]:
    card, catalogue = (row.rounds[round_index] if round_index < len(row.rounds) else None), context.catalogue
    if card is None:
        return ("",)
    ring = "°" if card.starts else ""  # starter
    met = catalogue.code(card.bye) if card.bye else f"{card.opponent_number}{ring}"
    if card.result == "open":
        return (met,)
    sums = f"{catalogue.format_points(card.total)}  {catalogue.format_signed_value(card.total_spread)}"
    return met, card.score, sums, name_decision(catalogue, card.decision)


WALL_CHART = Report(
    "wall-chart",
    N_("Wall chart"),
    _make_wall_chart_pages,
    ReportGroup.AFTER,
    N_("The players by number, with running totals; empty columns for the coming rounds."),
    wide=True,
)
