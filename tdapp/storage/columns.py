"""The columns of each table, one for each field of its row type, and the conversion of values.

Uses no SQLAlchemy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from operator import attrgetter
from secrets import token_hex
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.json import decode as json_decode
from msgspec.structs import fields, replace

from tdapp.domain.model import PairingReason
from tdapp.domain.serialization import convert_to_builtins, make_decoder
from tdapp.domain.tournament import KINDS
from tdapp.domain.type_hints import is_enum, is_nullable, strip_new_type, strip_none_from_hint

SCHEMA_VERSION = 1  # stored as the file's user_version, and in the comment of the schema on a server


class StoredJournalEntry(Struct, frozen=True):
    """The columns of a journal line, which records one change of a tournament."""

    seq: int
    at: str
    station: str
    label: str
    facts: str
    undoes: int | None  # number of the step that this one undoes
    changes: str  # JSON: a list of [kind, id, row before, row after]
    hash: str  # checksum of this line and of the previous hash


class TournamentMetadataRow(Struct, frozen=True):
    """The only row of table `meta`, which describes the stored tournament."""

    id: int
    revision: int
    created: str
    program: str
    head: str  # last hash of the journal
    state: str  # checksum of all rows
    goes_on_at: str  # new address or file if the tournament has moved
    goes_on_since: str  # time of the move in UTC


class TournamentSecretRow(Struct, frozen=True):
    """The only row of table `secrets`. On a server only the owner of the tables can read it."""

    id: int
    key: str  # the value of `Tournament.secret`


class ColumnType(Struct, frozen=True):
    """Converts the values of a field to and from stored texts or integers. None stays None."""

    is_integer: bool = False
    encode: Callable[[Any], Any] | None = None  # None: stored unchanged
    decode: Callable[[Any], Any] | None = None  # None: stored unchanged
    # decodes a whole column faster than `decode`
    decode_all: Callable[[Sequence[Any]], Iterable[Any]] | None = None

    def decode_column(self, texts: Sequence[Any]) -> Sequence[Any]:
        """Decode a whole column. Equal texts share one immutable value."""
        if (self.decode is None and not self.is_integer) or texts.count(None) == len(texts):
            return texts
        if self.decode_all is None:
            values_by_text = {
                text: None if text is None else self._decode_stored_text(text) for text in set(texts)
            }
            return [values_by_text[text] for text in texts]
        values = iter(self.decode_all([text for text in texts if text is not None]))
        return [None if text is None else next(values) for text in texts]

    def _decode_stored_text(self, text: str) -> Any:
        value = int(text) if self.is_integer else text
        return self.decode(value) if self.decode is not None else value


TEXT, INTEGER = ColumnType(), ColumnType(is_integer=True)
FLAG = ColumnType(is_integer=True, encode=int, decode=bool)  # 0 or 1


class StoredColumn(Struct, frozen=True):
    """A column of a table."""

    name: str
    type: ColumnType = TEXT
    nullable: bool = False


def _make_enum_column_type(choices: type[Enum]) -> ColumnType:
    members = {item.value: item for item in choices}
    return ColumnType(encode=attrgetter("value"), decode=members.__getitem__)


def _make_json_column_type(hint: Any) -> ColumnType:
    decode = make_decoder(hint)
    return ColumnType(
        encode=lambda value: format_compact_json(convert_to_builtins(value)),
        decode=lambda text: decode(json_decode(text)),
    )


def format_compact_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _decode_pairing_reasons(texts: Sequence[str]) -> list[PairingReason]:
    return json_decode(f"[{','.join(texts)}]", type=list[PairingReason])


_REASON = replace(_make_json_column_type(PairingReason), decode_all=_decode_pairing_reasons)
_FRACTION = ColumnType(encode=str, decode=Fraction)
_COLUMN_TYPES: Mapping[Any, ColumnType] = {
    str: TEXT,
    int: INTEGER,
    bool: FLAG,
    Fraction: _FRACTION,
    PairingReason: _REASON,
}


def _choose_column_type(hint: Any) -> ColumnType:
    hint = strip_new_type(hint)
    if is_enum(hint):
        return _make_enum_column_type(hint)
    return _COLUMN_TYPES.get(hint) or _make_json_column_type(hint)


def _make_columns(row_type: type[Struct]) -> tuple[StoredColumn, ...]:
    return tuple(
        StoredColumn(item.name, _choose_column_type(strip_none_from_hint(item.type)), is_nullable(item.type))
        for item in fields(row_type)
    )


# The columns of all tables; the first one is the key.
COLUMNS: Mapping[str, tuple[StoredColumn, ...]] = MappingProxyType(
    {
        name: _make_columns(row_type)  # type: ignore[arg-type] # a row type is a Struct
        for name, row_type in {
            **KINDS,
            "journal": StoredJournalEntry,
            "meta": TournamentMetadataRow,
            "secrets": TournamentSecretRow,
        }.items()
    }
)


def list_column_names(table: str) -> list[str]:
    return [column.name for column in COLUMNS[table]]


def make_tournament_secret() -> str:
    """Return a random secret, from which the codes on result slips are computed."""
    return token_hex(16)
