"""Converts rows and journal entries to and from the values in the database.

Many rows are converted column by column, in a third of the time of one by one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from tdapp.domain.journal import JournalEntry, Step
from tdapp.domain.serialization import encode_plain, make_decoder
from tdapp.domain.tournament import KINDS, Change, Diff, Row, kind_of, list_changed_fields
from tdapp.storage import statements
from tdapp.storage.checksums import Sum, seal
from tdapp.storage.columns import COLUMNS, names_of, to_text
from tdapp.storage.statements import (
    ReadingConnection,
    WritingConnection,
    quote_name,
    read_columns,
    select_columns,
    selection,
)

_IN_ORDER = "ORDER BY rowid"  # as they came: the order of the maps
TOGETHER = 500  # rows that are read at once: so many fit into a processor's cache
CONVERSION_ERRORS = (ValueError, KeyError, TypeError, RecursionError)  # what a damaged value may raise


class Unreadable(Exception):
    """A stored value is damaged. The text says where."""


class _Codec(Struct, frozen=True):
    """Converts the rows of one kind to lists of values and back."""

    kind: str
    statement: str
    fields: Callable[[Any], tuple[Any, ...]]
    binders: tuple[tuple[int, Callable[[Any], Any]], ...]
    readers: tuple[tuple[int, Callable[[Any], Any]], ...]

    def raw(self, row: Row) -> list[Any]:
        values = list(self.fields(row))
        for column, convert in self.binders:
            if values[column] is not None:
                values[column] = convert(values[column])
        return values

    def row(self, raw: Sequence[Any]) -> Row:
        values = list(raw)
        try:
            for column, convert in self.readers:
                if values[column] is not None:
                    values[column] = convert(values[column])
        except CONVERSION_ERRORS as error:
            raise Unreadable(f"{self.kind} {raw[0]}") from error
        return KINDS[self.kind](*values)

    def rows(self, texts: Sequence[str]) -> list[Row]:
        _, *columns = zip(*json.loads(f"[{','.join(texts)}]"), strict=True)
        kept = zip(COLUMNS[self.kind], columns, strict=True)
        return list(map(KINDS[self.kind], *[column.kept.column(texts) for column, texts in kept]))


def _codec(kind: str) -> _Codec:
    names, types = names_of(kind), [column.kept for column in COLUMNS[kind]]
    return _Codec(
        kind=kind,
        statement=select_columns(kind, names, _IN_ORDER),
        fields=attrgetter(*names),
        binders=tuple((column, one.to_kept) for column, one in enumerate(types) if one.to_kept),
        readers=tuple((column, one.from_kept) for column, one in enumerate(types) if one.from_kept),
    )


def _listing(kind: str, as_json: str) -> str:
    """Return the statement that reads the rows of a kind as JSON texts. `as_json` as in `RowStore.read`."""
    names = [(quote_name(column.name), column.kept.whole) for column in COLUMNS[kind]]
    texts = [f"CAST({name} AS TEXT)" if whole else name for name, whole in names]
    return selection(kind, [as_json.format(", ".join([f"'{kind}'", *texts]))], _IN_ORDER)


class RowStore:
    """Reads and writes the rows of a tournament."""

    def __init__(self) -> None:
        self._codecs = {kind: _codec(kind) for kind in KINDS}

    def each(self, connection: ReadingConnection, kind: str, total: Sum) -> Iterator[Row]:
        """Yield the rows of `kind` in their order and add each to `total`. Raises Unreadable at a damaged row."""
        codec = self._codecs[kind]
        for raw in connection.exec_driver_sql(codec.statement):
            total.add(kind, raw)
            yield codec.row(raw)

    def read(self, connection: ReadingConnection, kind: str, total: Sum, as_json: str) -> list[Row]:
        """Return the rows of `each`, in a third of the time.

        `as_json` is the engine's expression for JSON. A row arrives as the same text that its checksum
        covers.
        """
        found = list[Row]()
        cursor = connection.exec_driver_sql(_listing(kind, as_json))
        try:
            while texts := [text for (text,) in cursor.fetchmany(TOGETHER)]:
                total.add_texts(texts)
                found += self._codecs[kind].rows(texts)
        except CONVERSION_ERRORS:
            return list(self.each(connection, kind, total))  # names the one that is damaged
        return found

    def row(self, kind: str, raw: Sequence[Any]) -> Row:
        """Decode the row with the values `raw`. Raises Unreadable if it is damaged."""
        found = self._codecs[kind].row(raw)
        try:
            sound = _decoder(kind)(encode_plain(found)) == found
        except CONVERSION_ERRORS as error:
            raise Unreadable(f"{kind} {raw[0]}") from error
        if not sound:
            raise Unreadable(f"{kind} {raw[0]}")
        return found

    def readable(self, connection: ReadingConnection, kind: str) -> list[Row]:
        """Return the undamaged rows of `kind` in their order."""
        codec, found = self._codecs[kind], list[Row]()
        for raw in connection.exec_driver_sql(codec.statement):
            with suppress(Unreadable):
                found.append(codec.row(raw))
        return found

    def write(self, connection: WritingConnection, changes: Diff) -> None:
        """Delete, insert and update the rows of a diff. Raises RuntimeError if a row to change is missing."""
        for kind in KINDS:
            here = [item for item in changes if item.kind == kind]
            if here:
                self._write(connection, kind, here)

    def _write(self, connection: WritingConnection, kind: str, changes: Sequence[Change]) -> None:
        gone = [item.id for item in changes if item.after is None]
        found = statements.delete_rows(connection, kind, gone)
        came = [self._kept(item.after) for item in changes if item.before is None and item.after is not None]
        statements.insert_rows(connection, kind, came)
        for lines in self._updates(changes):
            found += statements.update_rows(connection, kind, lines, "id")
        if found != len(changes) - len(came):
            raise RuntimeError(f"rows of {kind} are missing")

    def _kept(self, row: Row) -> dict[str, Any]:
        kind = kind_of(row)
        return dict(zip(names_of(kind), self._codecs[kind].raw(row), strict=True))

    def _updates(self, changes: Iterable[Change]) -> Iterable[list[dict[str, Any]]]:
        """Return the updated rows with only their changed columns.

        A station may have no right to change others.
        """
        found: dict[frozenset[str], list[dict[str, Any]]] = {}
        for item in changes:
            if item.before is not None and item.after is not None:
                names, kept = list_changed_fields(item), self._kept(item.after)
                found.setdefault(names, []).append(
                    {"was_id": item.id, **{name: kept[name] for name in sorted(names)}}
                )
        return found.values()

    def count(self, total: Sum, changes: Iterable[Change]) -> None:
        """Update the checksum `total` by a diff."""
        for item in changes:
            codec = self._codecs[item.kind]
            if item.before is not None:
                total.take(item.kind, codec.raw(item.before))
            if item.after is not None:
                total.add(item.kind, codec.raw(item.after))


@cache
def _decoder(kind: str) -> Callable[[Any], Any]:
    return make_decoder(KINDS[kind])


LINE = tuple(names_of("journal"))
ENTRY, STEP = LINE[:-1], LINE[:-2]


def read_journal(
    connection: ReadingConnection, names: Iterable[str], since: int = 0, limit: int | None = None
) -> Any:
    """Return columns of at most `limit` lines of the journal after `since`, oldest first."""
    most = "" if limit is None else f" LIMIT {limit:d}"
    return read_columns(connection, "journal", names, f"WHERE seq > {since:d} ORDER BY seq{most}")


def read_only_row(connection: ReadingConnection, table: str, *names: str) -> Any:
    """Return columns of the only row of a table. Raises Unreadable for none or several."""
    rows = read_columns(connection, table, names).fetchall()
    if len(rows) != 1:
        raise Unreadable(f"{len(rows)} lines for one")
    return rows[0]


def line(step: Step, changes: Diff, head: str) -> dict[str, Any]:
    """Return the columns of the journal line after the line with the hash `head` ("" for the first line)."""
    values = (
        step.seq,
        step.at,
        step.station,
        step.label,
        to_text(dict(step.facts)),
        step.undoes,
        to_text([[item.kind, item.id, _plain(item.before), _plain(item.after)] for item in changes]),
    )
    return dict(zip(LINE, (*values, chained(head, values)), strict=True))


def chained(head: str, values: Sequence[object]) -> str:
    """Return the hash of a line with the values of ENTRY, after the line with the hash `head`."""
    return seal((head, *values))


def step_of(values: Sequence[Any]) -> Step:
    """Decode a step from the values of STEP. Raises Unreadable if it is damaged."""
    try:
        return Step(**_facts(values))
    except CONVERSION_ERRORS as error:
        raise Unreadable(f"journal {values[0]}") from error


def entry_of(values: Sequence[Any]) -> JournalEntry:
    """Decode a journal entry from the values of ENTRY or LINE. Raises Unreadable if it is damaged."""
    try:
        return JournalEntry(**_facts(values), changes=_changes(values[6]), digest="".join(values[7:]))
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
    return None if row is None else encode_plain(row)


def _row(kind: str, plain: object) -> Row | None:
    return None if plain is None else _decoder(kind)(plain)
