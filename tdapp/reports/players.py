"""Lists of players by number, name and club, and the check-in list."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import attrgetter

from msgspec.structs import replace

from tdapp.domain.model import Division
from tdapp.domain.prizes import compute_fee_totals, has_fees_or_payments
from tdapp.domain.tables.players import PlayerRow
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.lists import TextColumn, make_players_text_table, make_sorted_player_table
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    add_status_to_player_names,
    make_list_section,
    make_section,
    mark_bold_columns,
    select_columns,
)
from tdapp.reports.sections import Section

_BY_NUMBER = ("number", "name", "rating", "club", "country", "category", "team", "fixed_table")
_BY_NAME = ("name", "number", "rating", "club", "country")
_BY_CLUB = ("club", "country", "name", "number", "rating")


def _make_player_section(
    context: ReportContext, division: Division, *, order: str, column_ids: tuple[str, ...]
) -> Section:
    text_table = make_players_text_table(context.catalogue, context.index, division, order)
    columns = mark_bold_columns(
        add_status_to_player_names(context, text_table).get_columns_by_ids(column_ids), ("number", "name")
    )
    return make_list_section(context, division, text_table, columns)


PLAYERS = Report(
    "players",
    partial(_make_player_section, order="number", column_ids=_BY_NUMBER),
    ReportGroup.EVENT,
    N_("All players with number, rating, club and country."),
)
BY_NAME = Report(
    "players-by-name",
    partial(_make_player_section, order="name", column_ids=_BY_NAME),
    ReportGroup.EVENT,
    N_("For the wall: all players by name, with their number."),
    scale=attrgetter("sizes_for_close_reading"),
)
BY_CLUB = Report(
    "players-by-club",
    partial(_make_player_section, order="club", column_ids=_BY_CLUB),
    ReportGroup.EVENT,
    N_("All players by club and country."),
)


def _make_check_in_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = make_sorted_player_table(catalogue, context.index, division, "name")
    columns = select_columns(context, table, ("name", "number", "club", "country"), bold=("name",))
    tick_cells = tuple("[ × ]" if row.is_checked_in else "[    ]" for row in table.rows)
    tick_column = TextColumn(catalogue.heading("checked_in"), ColumnKind.TEXT, tick_cells)
    remark_column = TextColumn(
        catalogue.text(C_("column to write in on paper", "Remarks")),
        ColumnKind.TEXT,
        ("_" * 16,) * len(tick_cells),
    )
    title, columns = catalogue.text("Check-in"), [tick_column, *columns, remark_column]
    if has_fees_or_payments(context.index, division.id):
        columns[-1:] = [_make_unpaid_amount_column(context, table.rows), remark_column]
        columns = _add_fee_totals(context, division, columns)
    return make_section(context, division, title, columns, catalogue.text("No players yet."))


def _make_unpaid_amount_column(context: ReportContext, rows: Iterable[PlayerRow]) -> TextColumn:
    unpaid_amounts = (max(0, (row.fee or 0) - row.player.paid) for row in rows)
    cells = tuple(context.catalogue.format_money(amount) if amount else "" for amount in unpaid_amounts)
    return TextColumn(context.catalogue.heading("to_pay"), ColumnKind.MONEY, cells, id="to_pay")


def _add_fee_totals(context: ReportContext, division: Division, columns: Iterable[TextColumn]) -> list[TextColumn]:
    catalogue, event = context.catalogue, context.index.tournament.event
    totals = compute_fee_totals(context.index, [division.id])
    cells = {
        "name": " ".join(filter(None, (catalogue.heading("total"), event.currency))),
        "fee": catalogue.format_money(totals.due),
        "paid": catalogue.format_money(totals.paid),
        "to_pay": catalogue.format_money(totals.missing),
    }
    return [replace(column, cells=(*column.cells, cells.get(column.id, ""))) for column in columns]


def _make_fee_section(context: ReportContext, division: Division) -> Section:
    catalogue, table = (
        context.catalogue,
        make_sorted_player_table(context.catalogue, context.index, division, "name"),
    )
    column_ids = ("name", "number", "category", "status", "fee", "paid")
    if not has_fees_or_payments(context.index, division.id):
        table = replace(table, rows=())
    columns = [
        *select_columns(context, table, column_ids, bold=("name",)),
        _make_unpaid_amount_column(context, table.rows),
    ]
    if table.rows:
        columns = _add_fee_totals(context, division, columns)
    return make_section(
        context, division, catalogue.text("Entry fees"), columns, catalogue.text("No fees are set.")
    )


FEES = Report(
    "fees",
    _make_fee_section,
    ReportGroup.EVENT,
    N_("For the desk: the players who have paid, and the totals."),
)


CHECK_IN = Report(
    "check-in",
    _make_check_in_section,
    ReportGroup.FORM,
    N_("For the door: tick the players who have arrived."),
)
