"""Cards that stand on a table, folded once, with the name of a player or the number of the table."""

from __future__ import annotations

from functools import partial

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, Player
from tdapp.reports.cards import CardSheet, Paint, cards, table_card
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, section


def _place_cards(context: Context, division: Division) -> PaintedPages:
    head = section(context, division, context.catalogue.text("Place cards"), (), "")
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(table_card, player.name, 30, (str(player.number), about(player), event))
        for player in context.index.players(division.id)
    ]
    return cards(head.title, head.mark, pieces, CardSheet(2, 3, 0))


def _table_cards(context: Context, division: Division) -> PaintedPages:
    catalogue, index = context.catalogue, context.index
    head = section(context, division, catalogue.text("Table cards"), (), "")
    used = {game.table for item in index.rounds(division.id) for game in index.games(item.id)}
    first = division.first_table
    tables = used or set(range(first, first + len(index.players(division.id)) // 2))
    lines = (catalogue.heading("table"), head.mark, index.tournament.event.name)
    pieces: list[Paint] = [partial(table_card, str(table), 180, lines) for table in sorted(tables)]
    return cards(head.title, head.mark, pieces, CardSheet(1, 2, 0))


def about(player: Player) -> str:
    """Return where a player comes from."""
    return " · ".join(filter(None, (player.club, player.country)))


PLACE_CARDS = Report(
    "place-cards", N_("Place cards"), _place_cards, Group.FORM, N_("A name to stand before each player.")
)
TABLE_CARDS = Report(
    "table-cards", N_("Table cards"), _table_cards, Group.FORM, N_("A number to stand on each table.")
)
