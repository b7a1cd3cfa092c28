"""The players of a division by number, name and club, and the check-in list with a square to tick."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from tdapp.domain.fees import compute_fee_totals, has_fees
from tdapp.domain.model import Division
from tdapp.domain.tables import players
from tdapp.domain.tables.players import PlayerRow
from tdapp.domain.tables.table import Kind
from tdapp.domain.translatable import N_
from tdapp.reports.report import Context, Group, Report, fields, section, text_field
from tdapp.reports.sections import ListColumn, Section

_BY_NUMBER = ("number", "name", "rating", "club", "country", "category", "team", "fixed_table", "status")
_BY_NAME = ("name", "number", "rating", "club", "country")
_BY_CLUB = ("club", "country", "name", "number", "rating")
Key = tuple[object, ...]


def _name_key(context: Context, row: PlayerRow) -> Key:
    key = context.catalogue.sort_key(row.player.name, context.index.tournament.rules_of(row.player))
    return (*key, row.player.number)


def _club_key(context: Context, row: PlayerRow) -> Key:
    club = row.player.club
    return (not club, context.catalogue.sort_key(club), row.player.country, *_name_key(context, row))


def _player_section(
    context: Context, division: Division, *, order: Callable[[Context, PlayerRow], Key], wanted: tuple[str, ...]
) -> Section:
    catalogue, table = context.catalogue, players.player_table(context.index, division)
    table = replace(table, rows=tuple(sorted(table.rows, key=partial(order, context))))
    title = catalogue.plural("{n} player", "{n} players", len(table.rows))
    empty = catalogue.text("No players yet.")
    made = fields(context, table, wanted, bold=("number", "name"))
    return section(context, division, title, made, empty)


PLAYERS = Report(
    "players",
    N_("Players"),
    partial(_player_section, order=lambda _context, row: (row.player.number,), wanted=_BY_NUMBER),
    Group.EVENT,
    N_("All players with number, rating, club and country."),
)
BY_NAME = Report(
    "players-by-name",
    N_("Players by name"),
    partial(_player_section, order=_name_key, wanted=_BY_NAME),
    Group.EVENT,
    N_("For the wall: all players by name, with their number."),
)
BY_CLUB = Report(
    "players-by-club",
    N_("Players by club"),
    partial(_player_section, order=_club_key, wanted=_BY_CLUB),
    Group.EVENT,
    N_("All players by club and country."),
)


def _check_in(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    table = players.player_table(context.index, division)
    rows = tuple(sorted(table.rows, key=partial(_name_key, context)))
    made = fields(context, replace(table, rows=rows), ("name", "number", "club", "country"), bold=("name",))
    here = ("[ × ]" if row.player.checked_in else "[    ]" for row in rows)
    ticks = text_field(context, catalogue.heading("checked_in"), here)
    remarks = text_field(context, catalogue.text("Remarks"), ("_" * 16 for _ in rows))
    title, made = catalogue.text("Check-in"), [ticks, *made, remarks]
    if has_fees(context.index, division.id):
        made[-1:] = [_unpaid_column(context, rows), remarks]
        made = _with_sums(context, division, made)
    return section(context, division, title, made, catalogue.text("No players yet."))


def _unpaid_column(context: Context, rows: Iterable[PlayerRow]) -> ListColumn:
    sums = (max(0, (row.fee or 0) - row.player.paid) for row in rows)
    cells = (context.catalogue.money(one) if one else "" for one in sums)
    return text_field(context, context.catalogue.heading("to_pay"), cells, kind=Kind.MONEY)


def _with_sums(context: Context, division: Division, made: Iterable[ListColumn]) -> list[ListColumn]:
    catalogue, event = context.catalogue, context.index.tournament.event
    totals = compute_fee_totals(context.index, [division.id])
    cells = {
        "name": " ".join(filter(None, (catalogue.heading("total"), event.currency))),
        "fee": catalogue.money(totals.due),
        "paid": catalogue.money(totals.paid),
        "to_pay": catalogue.money(totals.missing),
    }
    by_heading = {catalogue.heading(name): cell for name, cell in cells.items()}
    return [replace(one, cells=(*one.cells, by_heading.get(one.heading, ""))) for one in made]


def _fee_section(context: Context, division: Division) -> Section:
    catalogue, table = context.catalogue, players.player_table(context.index, division)
    rows = tuple(sorted(table.rows, key=partial(_name_key, context)))
    wanted = ("name", "number", "category", "status", "fee", "paid")
    made = [*fields(context, replace(table, rows=rows), wanted, bold=("name",)), _unpaid_column(context, rows)]
    if has_fees(context.index, division.id):
        made = _with_sums(context, division, made)
    return section(context, division, catalogue.text("Entry fees"), made, catalogue.text("No players yet."))


FEES = Report(
    "fees",
    N_("Entry fees"),
    _fee_section,
    Group.EVENT,
    N_("For the desk: the players who have paid, and the totals."),
)


CHECK_IN = Report(
    "check-in", N_("Check-in list"), _check_in, Group.FORM, N_("For the door: tick the players who have arrived.")
)
