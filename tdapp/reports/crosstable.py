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
    add_round_name_to_title,
    describe_checked_games,
    describe_ranking,
    map_results_to_letters,
)
from tdapp.i18n.scores import format_decision_reason, make_game_decision_legend
from tdapp.reports.grid import PlayerSquareGrid, make_columns_beside_squares, make_grid_pages
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section

_MARK_SIZE = 6.5  # type size of marks below a score


def _make_crosstable_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    after, text = context.find_standings_round(division), context.catalogue.text
    title = add_round_name_to_title(context.catalogue, context.index, division, after, text("Crosstable"))
    table = make_crosstable(context.index, division, after)
    headings = [*map(str, range(1, len(list_crosstable_rounds(context.index, division, after)) + 1))]
    return _make_player_grid_pages(
        context, division, title, table, headings, partial(_list_round_cell_lines, context), (44, 10, 7.5)
    )


def _make_player_grid_pages(
    context: ReportContext,
    division: Division,
    title: str,
    table: Table[CrosstableRow],
    headings: Sequence[str],
    list_lines: Callable[[CrosstableRow, int], tuple[str, ...]],
    sizes: tuple[float, ...],
    *,
    is_ranked: bool = True,
) -> CustomPaintedSection:
    """Return pages with a row of squares for each player.

    With `sizes` (44, 10, 7.5), a square is at least 44 points wide and has a 10-point and a 7.5-point line.
    """
    catalogue, after = context.catalogue, context.find_standings_round(division)
    notes = (
        describe(catalogue, context.index, division, after)
        for describe in (describe_ranking, describe_checked_games)
        if is_ranked
    )
    cards = chain(*(row.rounds for row in table.rows))
    mark_legend = make_game_decision_legend(
        catalogue, (card.decision for card in cards if card is not None), full_words=True
    )
    start_legend = "" if is_ranked else catalogue.text("°: starts the game")
    legend = " · ".join(filter(None, (start_legend, mark_legend)))
    empty = "" if after or not is_ranked else catalogue.text("No round has been published yet.")
    section = make_section(
        context, division, title, (), empty, note=" · ".join(filter(None, notes)), legend=legend
    )
    column_ids = [column.id for column in table.columns if not column.id.startswith("round_")]
    columns = {column.id: column for column in make_list_columns(catalogue, table, column_ids)}
    columns_before = [columns.pop(name) for name in ("rank", "number", "name")[not is_ranked :] if name in columns]
    squares = tuple(
        tuple(list_lines(row, square_index) for square_index in range(len(headings))) for row in table.rows
    )
    columns_after = make_columns_beside_squares(context, columns.values() if is_ranked else ())
    minimum_width, *line_sizes = (*sizes, _MARK_SIZE) if mark_legend else sizes
    grid = PlayerSquareGrid(
        make_columns_beside_squares(context, columns_before),
        (*headings,),
        squares,
        columns_after,
        (*line_sizes,),
        minimum_width,
    )
    return make_grid_pages(section, grid, context.style)


def _list_round_cell_lines(context: ReportContext, row: CrosstableRow, round_index: int) -> tuple[str, ...]:
    card, catalogue = row.rounds[round_index], context.catalogue
    lines = list_crosstable_cell_lines(catalogue, map_results_to_letters(catalogue), card)
    return lines if card is None or card.bye else (lines[0], *_list_score_and_decision_texts(catalogue, card))


def _list_score_and_decision_texts(catalogue: Catalogue, card: PlayerCardRow) -> tuple[str, ...]:
    return tuple(filter(None, (card.score, format_decision_reason(catalogue, card.decision))))


CROSSTABLE = Report(
    "crosstable",
    _make_crosstable_pages,
    ReportGroup.AFTER,
    N_("Every player’s opponents and results, round by round, in the order of the standings."),
    is_landscape=True,
)


_MAX_MEETINGS = 2  # most shown with scores


def _make_result_matrix_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    after, text = context.find_standings_round(division), context.catalogue.text
    table = make_crosstable(context.index, division, after)
    title = add_round_name_to_title(
        context.catalogue, context.index, division, after, text("Crosstable by opponent")
    )
    headings = [str(row.standing.player.number) for row in table.rows]
    list_lines = partial(_list_matrix_cell_lines, context, table.rows)
    return _make_player_grid_pages(context, division, title, table, headings, list_lines, (36, 10, 7.5, 7.5))


def _list_matrix_cell_lines(
    context: ReportContext, rows: Sequence[CrosstableRow], row: CrosstableRow, column: int
) -> tuple[str, ...]:
    opponent_row = rows[column]
    if row is opponent_row:
        return ("×",)
    number = opponent_row.standing.player.number
    meetings = [card for card in row.rounds if card is not None and card.opponent_number == number]
    letter = map_results_to_letters(context.catalogue)
    lines = chain(*(_list_score_and_decision_texts(context.catalogue, card) for card in meetings[-_MAX_MEETINGS:]))
    return "".join(letter[card.result] for card in meetings), *lines


MATRIX = Report(
    "matrix",
    _make_result_matrix_pages,
    ReportGroup.AFTER,
    N_("Every player’s results against every other player, for small fields and round robins."),
    is_landscape=True,
)


def _make_wall_chart_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    after, title = context.find_last_round_in_report(division), context.catalogue.text("Wall chart")
    table = make_crosstable(context.index, division, after, by_number=True)
    rounds = list_crosstable_rounds(
        context.index, division, max(context.index.count_planned_rounds(division.id), after, 1)
    )
    headings = [*map(str, range(1, len(rounds) + 1))]
    list_lines = partial(_list_wall_chart_cell_lines, context)
    return _make_player_grid_pages(
        context, division, title, table, headings, list_lines, (52, 11, 8, 8), is_ranked=False
    )


def _list_wall_chart_cell_lines(context: ReportContext, row: CrosstableRow, round_index: int) -> tuple[str, ...]:
    card, catalogue = (row.rounds[round_index] if round_index < len(row.rounds) else None), context.catalogue
    if card is None:
        return ("",)
    start_mark = "°" if card.starts else ""
    opponent = catalogue.translate_code(card.bye) if card.bye else f"{card.opponent_number}{start_mark}"
    if card.result == "open":
        return (opponent,)
    totals = f"{catalogue.format_points(card.total)}  {catalogue.format_signed_value(card.total_spread)}"
    return opponent, card.score, totals, format_decision_reason(catalogue, card.decision)


WALL_CHART = Report(
    "wall-chart",
    _make_wall_chart_pages,
    ReportGroup.AFTER,
    N_("The players by number, with running totals; empty columns for the coming rounds."),
    is_landscape=True,
)
