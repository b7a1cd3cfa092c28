"""Output of the verbs: JSON documents for programs, plain tables for people."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tdapp.cli.json_types import StepJson
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Round, RoundState
from tdapp.domain.tables.table import Table
from tdapp.domain.text_characters import align_columns
from tdapp.exchange.json_text import format_json, make_document_from_rows
from tdapp.i18n.catalogue import Catalogue

if TYPE_CHECKING:
    from tdapp.desk import Desk
    from tdapp.exchange.json_documents import RoundJson


def print_json(document: object) -> None:
    print(format_json(document))


def make_step_json(desk: Desk, catalogue: Catalogue) -> StepJson:
    step = desk.list_all_steps()[-1]
    return make_document_from_rows(
        StepJson, step, facts=dict(step.facts), text=catalogue.describe_step(step.label, step.facts)
    )


def print_table(table: Table[Any], catalogue: Catalogue, text_if_empty: str = "") -> None:
    """Print a table without its empty columns. Align numbers to the right.

    If the table has no rows and `text_if_empty` is not "", print only `text_if_empty`.
    """
    from tdapp.i18n.lists import make_list_columns

    if text_if_empty and not table.rows:
        print(text_if_empty)
        return
    columns = make_list_columns(catalogue, table)
    lines = zip(*((column.heading, *column.cells) for column in columns), strict=True)
    right = {position for position, column in enumerate(columns) if column.is_numeric}
    print("\n".join(align_columns([*lines], right=right)))


def print_round_or_make_json(
    index: TournamentIndex, item: Round, options: Namespace, catalogue: Catalogue
) -> RoundJson | None:
    from tdapp.domain.tables import rounds
    from tdapp.domain.tables.groups import make_table_of_group_tables

    if options.json:
        from tdapp.exchange import json_views

        return json_views.make_round_json(index, index.get_division_of_round(item.id), item, catalogue)
    print_table(rounds.make_pairing_table(index, item), catalogue)
    groups = make_table_of_group_tables(index, item)
    if groups.rows:
        print_table(groups, catalogue)
    byes = rounds.make_bye_table(index, item)
    if byes.rows:
        print()
        print_table(byes, catalogue)
    if item.state is RoundState.DRAFT:
        print(catalogue.text("This round is a draft: it is not published yet."))
    return None
