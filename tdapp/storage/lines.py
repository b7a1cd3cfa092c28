"""Journal lines to and from what the journal keeps, each sealed by a hash over itself and the line before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from tdapp.domain.changes import Change, Diff
from tdapp.domain.journal import JournalEntry, Step
from tdapp.domain.plain import decoder, encode
from tdapp.domain.tournament import KINDS, Row
from tdapp.storage.rows import CONVERSION_ERRORS, Unreadable, seal
from tdapp.storage.tables import JOURNAL, to_text

_DECODERS = MappingProxyType({kind: decoder(row_type) for kind, row_type in KINDS.items()})

STEP = (JOURNAL.c.seq, JOURNAL.c.at, JOURNAL.c.station, JOURNAL.c.label, JOURNAL.c.facts, JOURNAL.c.undoes)
ENTRY = (*STEP, JOURNAL.c.changes)
LINE = (*ENTRY, JOURNAL.c.hash)


def line(step: Step, changes: Diff, head: str) -> dict[str, Any]:
    """Return the columns of a journal line that follows the one with hash `head` ("" for the first)."""
    values = (
        step.seq,
        step.at,
        step.station,
        step.label,
        to_text(dict(step.facts)),
        step.undoes,
        to_text([[item.kind, item.id, _plain(item.before), _plain(item.after)] for item in changes]),
    )
    names = (column.name for column in LINE)
    return dict(zip(names, (*values, chained(head, values)), strict=True))


def chained(head: str, values: Sequence[object]) -> str:
    """Return the hash of a line with the values of ENTRY after the line with hash `head`."""
    return seal((head, *values)).hex()


def step_of(values: Sequence[Any]) -> Step:
    """Return the step kept as the values of STEP; raise Unreadable where it is damaged."""
    try:
        return Step(**_facts(values))
    except CONVERSION_ERRORS as error:
        raise Unreadable(f"journal {values[0]}") from error


def entry_of(values: Sequence[Any]) -> JournalEntry:
    """Return the entry kept as the values of ENTRY; raise Unreadable where it is damaged."""
    try:
        return JournalEntry(**_facts(values), changes=_changes(values[6]))
    except CONVERSION_ERRORS as error:
        raise Unreadable(f"journal {values[0]}") from error


def _changes(text: str) -> Diff:
    return tuple(
        Change(kind, key, _row(kind, before), _row(kind, after)) for kind, key, before, after in json.loads(text)
    )


def _facts(values: Sequence[Any]) -> dict[str, Any]:
    seq, at, station, label, facts, undoes = values[:6]
    return {
        "seq": seq,
        "at": at,
        "station": station,
        "label": label,
        "facts": MappingProxyType(json.loads(facts)),
        "undoes": undoes,
    }


def _plain(row: Row | None) -> Any:
    return None if row is None else encode(row)


def _row(kind: str, plain: object) -> Row | None:
    return None if plain is None else _DECODERS[kind](plain)
