"""Converts rows and journal entries to and from database values, and computes their checksums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from operator import attrgetter
from struct import iter_unpack
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.json import Encoder
from msgspec.json import decode as json_decode

from tdapp.domain.journal import JournalEntry, Step
from tdapp.domain.serialization import convert_to_builtins, make_decoder
from tdapp.domain.tournament import KINDS, Diff, Row, RowChange, find_changed_fields, get_row_kind
from tdapp.storage import statements
from tdapp.storage.columns import COLUMNS, format_compact_json, list_column_names
from tdapp.storage.statements import (
    ReadingConnection,
    WritingConnection,
    make_select_statement,
    quote_table_and_column,
    read_columns,
)

_CHECKSUM_DIGITS = 32  # hexadecimal
_SUM_DIGITS = 15  # hexadecimal digits of each row in the sum, which then fits in 64 bits on every engine
_MODULUS = 1 << (4 * _SUM_DIGITS)
_IGNORED_BITS = 64 - 4 * _SUM_DIGITS  # last bits of eight bytes
_FIRST_EIGHT_BYTES = ">Q24x"  # of the 32 bytes of a digest
_TO_JSON = Encoder().encode  # like `json.dumps` without spaces and ASCII escapes, but faster


def compute_checksum(values: Iterable[object]) -> str:
    """Return a checksum of 32 hexadecimal digits."""
    return sha256(_encode_values(values)).hexdigest()[:_CHECKSUM_DIGITS]


def _encode_values(values: Iterable[object]) -> bytes:
    return _TO_JSON([None if value is None else str(value) for value in values])


def _sum_digests(texts: Iterable[bytes]) -> int:
    digests = b"".join([sha256(text).digest() for text in texts])
    return sum([first >> _IGNORED_BITS for (first,) in iter_unpack(_FIRST_EIGHT_BYTES, digests)])


class UnorderedRowsChecksum:
    """A checksum of a set of rows, independent of their order. Rows can be added and removed."""

    def __init__(self, value: str = "") -> None:
        self._value = int(value or "0", 16)

    def add_row(self, row_kind: str, column_values: Sequence[object]) -> None:
        """Add a row. `row_kind` is the name of its table."""
        self._value += _sum_digests([_encode_values((row_kind, *column_values))])

    def add_json_rows(self, texts: Iterable[str]) -> None:
        """Add rows given as JSON: a list of the table name and the column values."""
        self._value += _sum_digests(map(str.encode, texts))

    def remove_row(self, row_kind: str, column_values: Sequence[object]) -> None:
        self._value -= _sum_digests([_encode_values((row_kind, *column_values))])

    def __str__(self) -> str:
        """Return the stored form: 15 hexadecimal digits."""
        return f"{self._value % _MODULUS:0{_SUM_DIGITS}x}"


_ORDER = "rowid"  # insertion order, as in `Tournament`
FETCH_SIZE = 500  # rows of one fetch fit into a processor's cache
CONVERSION_ERRORS = (ValueError, KeyError, TypeError, RecursionError)  # raised for damaged values


class DamagedValueError(Exception):
    """Raised for a damaged value. The message names the table, and the row if known."""


class _RowCodec(Struct, frozen=True):
    kind: str
    names: Sequence[str]
    fields: Callable[[Any], tuple[Any, ...]]
    column_encoders: tuple[tuple[int, Callable[[Any], Any]], ...]
    column_decoders: tuple[tuple[int, Callable[[Any], Any]], ...]

    def convert_row_to_stored_values(self, row: Row) -> list[Any]:
        values = list(self.fields(row))
        for column, convert in self.column_encoders:
            if values[column] is not None:
                values[column] = convert(values[column])
        return values

    def decode_row(self, raw: Sequence[Any]) -> Row:
        values = list(raw)
        try:
            for column, convert in self.column_decoders:
                if values[column] is not None:
                    values[column] = convert(values[column])
        except CONVERSION_ERRORS as error:
            raise DamagedValueError(f"{self.kind} {raw[0]}") from error
        return KINDS[self.kind](*values)

    def decode_json_rows(self, texts: Sequence[str]) -> list[Row]:
        _, *columns = zip(*json_decode(f"[{','.join(texts)}]"), strict=True)
        column_texts = zip(COLUMNS[self.kind], columns, strict=True)
        return list(map(KINDS[self.kind], *[column.type.decode_column(texts) for column, texts in column_texts]))


@cache
def _make_row_codec(row_kind: str) -> _RowCodec:
    names = list_column_names(row_kind)
    types = list(enumerate(column.type for column in COLUMNS[row_kind]))
    return _RowCodec(
        kind=row_kind,
        names=names,
        fields=attrgetter(*names),
        column_encoders=tuple((column, column_type.encode) for column, column_type in types if column_type.encode),
        column_decoders=tuple((column, column_type.decode) for column, column_type in types if column_type.decode),
    )


def read_and_hash_rows(
    connection: ReadingConnection, row_kind: str, checksum: UnorderedRowsChecksum, json_list_template: str
) -> list[Row]:
    """Return all rows of a table and add them to `checksum`.

    `json_list_template` is SQL that joins the columns of a row in a JSON list. Raises DamagedValueError.
    """
    cursor = connection.exec_driver_sql(_make_select_rows_as_json_statement(row_kind, json_list_template))
    rows = list[Row]()
    try:
        while lines := [text for (text,) in cursor.fetchmany(FETCH_SIZE)]:
            checksum.add_json_rows(lines)
            rows += _make_row_codec(row_kind).decode_json_rows(lines)
    except CONVERSION_ERRORS:
        return list(read_rows_one_by_one(connection, row_kind, checksum))  # its error names the damaged row
    return rows


@cache
def _make_select_rows_as_json_statement(row_kind: str, json_list_template: str) -> str:
    names = [
        (quote_table_and_column(row_kind, column.name), column.type.is_integer) for column in COLUMNS[row_kind]
    ]
    texts = [f"CAST({name} AS TEXT)" if is_integer else name for name, is_integer in names]
    row = json_list_template.format(", ".join([f"'{row_kind}'", *texts]))
    return make_select_statement(row_kind, [row], order=_ORDER)


def read_rows_one_by_one(
    connection: ReadingConnection, row_kind: str, checksum: UnorderedRowsChecksum
) -> Iterator[Row]:
    for raw in read_columns(connection, row_kind, list_column_names(row_kind), order=_ORDER):
        checksum.add_row(row_kind, raw)
        yield _make_row_codec(row_kind).decode_row(raw)


def read_undamaged_rows(connection: ReadingConnection, row_kind: str) -> list[Row]:
    rows = list[Row]()
    for raw in read_columns(connection, row_kind, list_column_names(row_kind), order=_ORDER):
        with suppress(DamagedValueError):
            rows.append(_make_row_codec(row_kind).decode_row(raw))
    return rows


def decode_and_check_row(row_kind: str, raw: Sequence[Any]) -> Row:
    """Decode a row and check the type of each value. Raises DamagedValueError."""
    row = _make_row_codec(row_kind).decode_row(raw)
    try:
        is_valid = _get_cached_decoder(row_kind)(convert_to_builtins(row)) == row
    except CONVERSION_ERRORS as error:
        raise DamagedValueError(f"{row_kind} {raw[0]}") from error
    if not is_valid:
        raise DamagedValueError(f"{row_kind} {raw[0]}")
    return row


def write_changed_rows(connection: WritingConnection, changes: Diff) -> None:
    """Insert, update and delete rows. Raise RuntimeError if a row to update or delete is missing."""
    changed_kinds = {item.kind for item in changes}
    for kind in [item for item in KINDS if item in changed_kinds]:
        kind_changes = [item for item in changes if item.kind == kind]
        deleted_keys = [item.id for item in kind_changes if item.after is None]
        new_lines = [
            _make_column_values(item.after)
            for item in kind_changes
            if item.before is None and item.after is not None
        ]
        row_count = statements.delete_rows(connection, kind, deleted_keys) if deleted_keys else 0
        statements.insert_rows(connection, kind, new_lines)
        for lines in _group_updates_by_columns(kind_changes):
            row_count += statements.update_rows(connection, kind, lines, "id")
        if row_count != len(kind_changes) - len(new_lines):
            raise RuntimeError(f"rows of {kind} are missing")


def _make_column_values(row: Row) -> dict[str, Any]:
    codec = _make_row_codec(get_row_kind(row))
    return dict(zip(codec.names, codec.convert_row_to_stored_values(row), strict=True))


def _group_updates_by_columns(changes: Iterable[RowChange]) -> Iterable[list[dict[str, Any]]]:
    """Group updates by changed columns: a computer may have no right to write the others."""
    lines_by_columns: dict[frozenset[str], list[dict[str, Any]]] = {}
    for item in changes:
        if item.before is not None and item.after is not None:
            names, line = find_changed_fields(item), _make_column_values(item.after)
            lines_by_columns.setdefault(names, []).append(
                {"was_id": item.id, **{name: line[name] for name in sorted(names)}}
            )
    return lines_by_columns.values()


def add_changes_to_checksum(checksum: UnorderedRowsChecksum, changes: Iterable[RowChange]) -> None:
    for item in changes:
        codec = _make_row_codec(item.kind)
        if item.before is not None:
            checksum.remove_row(item.kind, codec.convert_row_to_stored_values(item.before))
        if item.after is not None:
            checksum.add_row(item.kind, codec.convert_row_to_stored_values(item.after))


@cache
def _get_cached_decoder(row_kind: str) -> Callable[[Any], Any]:
    return make_decoder(KINDS[row_kind])


LINE = tuple(list_column_names("journal"))
ENTRY, STEP = LINE[:-1], LINE[:-2]


def read_journal_columns(
    connection: ReadingConnection, names: Iterable[str], base_revision: int = 0, limit: int | None = None
) -> Any:
    limit_condition = "" if limit is None else f"AND seq <= {base_revision + limit:d}"
    return read_columns(
        connection, "journal", names, f"WHERE seq > {base_revision:d} {limit_condition}", order="seq"
    )


def read_single_row(connection: ReadingConnection, table: str, *names: str) -> Any:
    rows = read_columns(connection, table, names).fetchall()
    if len(rows) != 1:
        raise DamagedValueError(f"{len(rows)} lines for one")
    return rows[0]


def make_journal_line_values(step: Step, changes: Diff, previous_hash: str) -> dict[str, Any]:
    """Return the columns of a journal line. `previous_hash` is that of the line before, or "" for the first."""
    rows = [
        [item.kind, item.id, convert_to_builtins(item.before), convert_to_builtins(item.after)] for item in changes
    ]
    values = (
        step.seq,
        step.at,
        step.station,
        step.label,
        format_compact_json(dict(step.facts)),
        step.undoes,
        format_compact_json(rows),
    )
    return dict(zip(LINE, (*values, compute_journal_hash(previous_hash, values)), strict=True))


def compute_journal_hash(previous_hash: str, values: Sequence[object]) -> str:
    """Return the hash of a journal line. `values` are its columns without the hash."""
    return compute_checksum((previous_hash, *values))


def decode_step(values: Sequence[Any]) -> Step:
    try:
        return Step(**_decode_step_fields(values))
    except CONVERSION_ERRORS as error:
        raise DamagedValueError(f"journal {values[0]}") from error


def decode_journal_entry(values: Sequence[Any]) -> JournalEntry:
    try:
        return JournalEntry(
            **_decode_step_fields(values), changes=_decode_changes(values[6]), digest="".join(values[7:])
        )
    except CONVERSION_ERRORS as error:
        raise DamagedValueError(f"journal {values[0]}") from error


def _decode_changes(text: str) -> Diff:
    return tuple(
        RowChange(kind, key, _decode_changed_row(kind, before), _decode_changed_row(kind, after))
        for kind, key, before, after in json_decode(text)
    )


def _decode_step_fields(values: Sequence[Any]) -> dict[str, Any]:
    seq, time, station, label, facts, undoes = values[:6]
    return {
        "seq": seq,
        "at": time,
        "station": station,
        "label": label,
        "facts": MappingProxyType(json_decode(facts)),
        "undoes": undoes,
    }


def _decode_changed_row(row_kind: str, value: object) -> Row | None:
    return None if value is None else _get_cached_decoder(row_kind)(value)
