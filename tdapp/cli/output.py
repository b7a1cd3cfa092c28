"""What verbs print: JSON documents as other programs rely on them, and plain tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tdapp.desk import Desk
from tdapp.domain.index import Index
from tdapp.domain.journal import CLOCK
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.signs import aligned
from tdapp.domain.tables import schedule, statistics
from tdapp.domain.tables.table import Kind, Table
from tdapp.domain.verification import Verification
from tdapp.exchange.json_views import json_text, picked
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.hindsight import Repaired


def show_json(document: object) -> None:
    """Print one JSON document."""
    print(json_text(document))


def step_json(desk: Desk, catalogue: Catalogue) -> dict[str, Any]:
    """Return the newest step as the verbs that only do something print it."""
    step = desk.history()[-1]
    return {
        **picked(step, "seq", "label"),
        "facts": dict(step.facts),
        "undoes": step.undoes,
        "text": catalogue.step(step.label, step.facts),
    }


def show_table(table: Table[Any], catalogue: Catalogue) -> None:
    """Print a table in aligned columns, numbers to the right; empty columns are left out."""
    cells = {
        column.id: [catalogue.cell(column.kind, column.value(row)) for row in table.rows]
        for column in table.columns
    }
    chosen = [column for column in table.columns if any(cells[column.id]) or not table.rows]
    lines = [[catalogue.heading(column.heading) for column in chosen]]
    lines += [list(line) for line in zip(*(cells[column.id] for column in chosen), strict=True)]
    left = {Kind.TEXT, Kind.NAME, Kind.CODE, Kind.STEP, Kind.TIME}
    right = {at for at, column in enumerate(chosen) if column.kind not in left}
    print("\n".join(aligned(lines, right=right)))


def stages_json(index: Index, division: Division) -> dict[str, Any]:
    """Return a division's stages as the verb `stages` prints them."""
    rows = [
        {
            **picked(row, "number", "first", "last"),
            **picked(row.stage, "system", "cut", "carry"),
            "groups": row.groups,
            "behind": row.stage.settings.behind,
            "play_off": row.stage.play_off,
            "made": row.made,
        }
        for row in schedule.table(index, division).rows
    ]
    return {"division": division.code, "stages": rows}


def balance_json(index: Index, division: Division, after: int | None) -> dict[str, Any]:
    """Return every player's balance of starts, repeats and byes as the verb `balance` prints it."""
    table = statistics.balance(index, division, after)
    rows = [{column.id: column.value(row) for column in table.columns} for row in table.rows]
    return {"division": division.code, "after": index.latest(division.id, after), "rows": rows}


def verification_json(found: Verification) -> dict[str, Any]:
    """Return how a tournament compares with its printouts as the verb `verify` prints it."""
    return {
        "sound": found.sound,
        **picked(found.head, "revision"),
        "head": found.head.code,
        "holds": found.holds,
        "heads": [
            {
                "head": one.code,
                "found": one.step is not None,
                "revision": one.step.seq if one.step is not None else None,
                "printed_at": one.revision,
                "at": one.step.at if one.step is not None else None,
                "erased": one.erased,
            }
            for one in found.heads
        ],
        "agrees_to": found.proven or None,
        "differs_from": found.broken,
        "rounds": [picked(one, "division", "round", "agrees") for one in found.rounds],
        "clocks": [{**picked(step, "seq", "at"), "seconds": step.facts[CLOCK]} for step in found.clocks],
    }


def repaired_json(index: Index, division: Division, found: Sequence[Repaired], catalogue: Catalogue) -> list[Any]:
    """Return what pairing a division's rounds again gave, as the verb `check` prints it."""

    def numbers(players: Iterable[PlayerId]) -> list[int]:
        return sorted(index.tournament.players[player].number for player in players)

    return [
        {
            "division": division.code,
            **picked(one, "round", "same", "tables", "by_hand", "otherwise"),
            "byes": numbers(one.had),
            "byes_instead": numbers(one.instead),
            "error": catalogue.error(one.failed) if one.failed else None,
        }
        for one in found
    ]


def repaired_text(division: Division, found: Sequence[Repaired], catalogue: Catalogue) -> list[str]:
    """Return what pairing a division's rounds again gave, a sentence for each round that differs."""
    text, code, lines = catalogue.text, division.code, []
    for one in found:
        if one.failed is not None:
            why = catalogue.error(one.failed)
            lines.append(text("Round {round} of {division} cannot be paired again: {why}", round=one.round,
                              division=code, why=why))  # fmt: skip
        elif not one.same:
            tables = catalogue.numbers(one.otherwise) or "–"
            lines.append(text("Round {round} of {division} would be paired otherwise now; tables: {tables}",
                              round=one.round, division=code, tables=tables))  # fmt: skip
    same = sum(one.same for one in found)
    by_hand = sum(len(one.by_hand) for one in found)
    total = text(
        "Division {division}: {same} of {rounds} rounds would be paired the same again; tables set by hand or "
        "brought from elsewhere: {tables}.", division=code, same=same, rounds=len(found), tables=by_hand,
    )  # fmt: skip
    return [*lines, total]
