"""The tables: one for each row kind, the journal, and one row about the file itself.

The table of a kind has a column for each field of its row type. Foreign keys are checked at the end of a
transaction, so a diff can be written in any order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from operator import attrgetter
from secrets import token_hex
from types import MappingProxyType, NoneType
from typing import Any, NewType, cast, get_args

from msgspec import Struct
from msgspec.json import decode as json_decode
from msgspec.structs import fields, replace

from tdapp.domain.model import Reason
from tdapp.domain.serialization import encode_plain, make_decoder
from tdapp.domain.tournament import KINDS, PARENTS, Row

SCHEMA_VERSION = 1  # kept as the file's user_version, and in the comment of the schema on a server


class ColumnType(Struct, frozen=True):
    """How the values of a field are stored: as text or integer, unchanged or converted both ways. None stays None.

    `all_from_kept` converts a whole column if that is faster.
    """

    whole: bool = False
    to_kept: Callable[[Any], Any] | None = None
    from_kept: Callable[[Any], Any] | None = None
    all_from_kept: Callable[[Sequence[Any]], Iterable[Any]] | None = None

    def column(self, texts: Sequence[Any]) -> Sequence[Any]:
        """Return the values of a column of texts."""
        if (self.from_kept is None and not self.whole) or texts.count(None) == len(texts):
            return texts
        there = texts if None not in texts else [text for text in texts if text is not None]
        kept = list(map(int, there)) if self.whole else there
        read = self.all_from_kept or (partial(map, self.from_kept) if self.from_kept else list)
        values = list(read(kept))
        if there is texts:
            return values
        left = iter(values)
        return [None if text is None else next(left) for text in texts]


TEXT, WHOLE = ColumnType(), ColumnType(whole=True)
FLAG = ColumnType(whole=True, to_kept=int, from_kept=bool)  # 0 or 1


class StoredColumn(Struct, frozen=True):
    """A column. `parent` is the column that it refers to, as `table.id`."""

    name: str
    kept: ColumnType = TEXT
    nullable: bool = False
    parent: str = ""
    is_key: bool = False


class StoredTable(Struct, frozen=True):
    """A table and its columns in their order."""

    name: str
    columns: tuple[StoredColumn, ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def parents(self) -> set[str]:
        """The names of the other tables that it refers to."""
        return {column.parent.partition(".")[0] for column in self.columns if column.parent} - {self.name}


def _enum(choices: type[Enum]) -> ColumnType:
    members = {item.value: item for item in choices}
    return ColumnType(to_kept=attrgetter("value"), from_kept=members.__getitem__)


def _nested(hint: Any) -> ColumnType:
    """Store a value of the type `hint` as JSON text."""
    decode = cache(partial(make_decoder, hint))  # made when there is something to decode
    return ColumnType(
        to_kept=lambda value: to_text(encode_plain(value)), from_kept=lambda text: decode()(json.loads(text))
    )


def to_text(plain: object) -> str:
    """Return a plain value as compact JSON."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def quoted(name: str) -> str:
    """Return a quoted name for a statement of either engine."""
    return '"{}"'.format(name.replace('"', '""'))


def selected(table: str, names: Iterable[str]) -> str:
    """Return the statement that reads columns of a table."""
    columns = ", ".join(f"{table}.{quoted(name)}" for name in names)
    return f"SELECT {columns} FROM {table}"


def _decode_reasons(texts: Sequence[str]) -> list[Reason]:
    return json_decode(f"[{','.join(texts)}]", type=list[Reason])


_REASON = replace(_nested(Reason), all_from_kept=_decode_reasons)
_KEPT: Mapping[Any, ColumnType] = {str: TEXT, int: WHOLE, bool: FLAG, Reason: _REASON}


def _kept_as(hint: Any) -> ColumnType:
    if isinstance(hint, NewType):
        return _kept_as(hint.__supertype__)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    return _KEPT.get(hint) or _nested(hint)


def _table_of(kind: str, row_type: type[Row]) -> StoredTable:
    parents = PARENTS.get(kind, {})
    columns = []
    for item in fields(cast("type[Struct]", row_type)):
        hint = item.type
        nullable = NoneType in get_args(hint)
        kept = _kept_as(get_args(hint)[0] if nullable else hint)
        parent = f"{parents[item.name]}.id" if item.name in parents else ""
        columns.append(StoredColumn(item.name, kept, nullable, parent, is_key=item.name == "id"))
    return StoredTable(kind, tuple(columns))


TABLES: Mapping[str, StoredTable] = MappingProxyType(
    {kind: _table_of(kind, row_type) for kind, row_type in KINDS.items()}
)

# `changes` holds [kind, id, row before, row after] of each row; `hash` seals the line and all before it.
JOURNAL = StoredTable(
    "journal",
    (
        StoredColumn("seq", WHOLE, is_key=True),
        StoredColumn("at"),
        StoredColumn("station"),
        StoredColumn("label"),
        StoredColumn("facts"),
        StoredColumn("undoes", WHOLE, nullable=True, parent="journal.seq"),
        StoredColumn("changes"),
        StoredColumn("hash"),
    ),
)

# One line. `head` is the journal's last hash, `state` the sum over all rows of the tournament (`rows.Sum`). Where
# the tournament goes on elsewhere, `goes_on_at` is the address or the file, `goes_on_since` the time (UTC).
META = StoredTable(
    "meta",
    (
        StoredColumn("id", WHOLE, is_key=True),
        StoredColumn("revision", WHOLE),
        StoredColumn("created"),
        StoredColumn("program"),
        StoredColumn("head"),
        StoredColumn("state"),
        StoredColumn("goes_on_at"),
        StoredColumn("goes_on_since"),
    ),
)

# One line. `key` is the secret of `Tournament.secret`; on a server it is the owner's alone.
SECRETS = StoredTable("secrets", (StoredColumn("id", WHOLE, is_key=True), StoredColumn("key")))

ALL_TABLES: Mapping[str, StoredTable] = MappingProxyType(
    {**TABLES, **{table.name: table for table in (JOURNAL, META, SECRETS)}}
)


def new_secret() -> str:
    """Return a random secret of 128 bits."""
    return token_hex(16)
