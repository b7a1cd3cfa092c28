"""Output of the verbs: JSON documents for programs, and plain tables for people."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tdapp.cli.json_types import (
    BalanceJson,
    BalanceRowJson,
    ClockJson,
    HeadJson,
    RoundPapersJson,
    RoundTimeJson,
    StageJson,
    StagesJson,
    StepJson,
    TimesJson,
    VerificationJson,
)
from tdapp.domain.index import Index
from tdapp.domain.journal import CLOCK
from tdapp.domain.model import Division, Round, RoundState
from tdapp.domain.tables.table import Table
from tdapp.domain.text_characters import align_columns
from tdapp.exchange.json_text import fill_typed_dict, json_text
from tdapp.i18n.catalogue import Catalogue

if TYPE_CHECKING:
    from tdapp.desk import Desk
    from tdapp.domain.verification import Verification
    from tdapp.exchange.json_documents import RoundJson


def show_json(document: object) -> None:
    print(json_text(document))


def step_json(desk: Desk, catalogue: Catalogue) -> StepJson:
    """Return the newest step as JSON, for verbs that only change something."""
    step = desk.history()[-1]
    return fill_typed_dict(StepJson, step, facts=dict(step.facts), text=catalogue.step(step.label, step.facts))


def show_table(table: Table[Any], catalogue: Catalogue) -> None:
    """Print a table in aligned columns, numbers to the right, without empty columns."""
    from tdapp.i18n.lists import list_columns

    columns = list_columns(catalogue, table)
    lines = zip(*((column.heading, *column.cells) for column in columns), strict=True)
    right = {at for at, column in enumerate(columns) if column.numeric}
    print("\n".join(align_columns([*lines], right=right)))


def show_round(index: Index, item: Round, options: Namespace, catalogue: Catalogue) -> RoundJson | None:
    from tdapp.domain.tables import rounds

    if options.json:
        from tdapp.exchange import json_views

        return json_views.round_json(index, index.division_of(item.id), item, catalogue)
    show_table(rounds.pairing_table(index, item), catalogue)
    byes = rounds.bye_table(index, item)
    if byes.rows:
        print()
        show_table(byes, catalogue)
    if item.state is RoundState.DRAFT:
        print(catalogue.text("This round is a draft: it is not published yet."))
    return None


def stages_json(index: Index, division: Division) -> StagesJson:
    from tdapp.domain.tables import schedule

    rows = schedule.schedule_table(index, division).rows
    return StagesJson(
        division.code, [fill_typed_dict(StageJson, row, row.stage, row.stage.settings) for row in rows]
    )


def times_json(index: Index, division: Division) -> TimesJson:
    """Return the start times of a division as JSON for the verb `times`; `at` includes the zone, if set."""
    from tdapp.domain.timetable import list_round_times

    rows = [
        fill_typed_dict(
            RoundTimeJson, row, time=row.hour.isoformat("minutes"), at=row.at.isoformat() if row.at else None
        )
        for row in list_round_times(index, division)
    ]
    return TimesJson(division.code, division.times, rows)


def balance_json(index: Index, division: Division, after: int | None) -> BalanceJson:
    """Return the balance of starts, repeats and byes as JSON for the verb `balance`."""
    from tdapp.domain.tables import statistics

    table = statistics.balance_table(index, division, after)
    rows: list[dict[str, Any]] = [{column.id: column.value(row) for column in table.columns} for row in table.rows]
    return BalanceJson(division.code, index.latest(division.id, after), [BalanceRowJson(**row) for row in rows])


def verification_json(found: Verification) -> VerificationJson:
    """Return the comparison with printouts as JSON for the verb `verify`."""
    return fill_typed_dict(
        VerificationJson,
        found,
        found.head,
        head=found.head.code,
        heads=[
            HeadJson(
                head=one.code,
                found=one.step is not None,
                revision=one.step.seq if one.step is not None else None,
                printed_at=one.revision,
                at=one.step.at if one.step is not None else None,
                erased=one.erased,
            )
            for one in found.heads
        ],
        agrees_to=found.proven or None,
        differs_from=found.broken,
        rounds=[fill_typed_dict(RoundPapersJson, one) for one in found.rounds],
        clocks=[ClockJson(step.seq, step.at, step.facts[CLOCK]) for step in found.clocks],
    )
