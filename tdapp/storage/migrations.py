"""What an earlier version of the program kept, brought to the tables of this one.

A step is a pure function over plain lines: all that one version kept, table by table, to all that the next one
keeps. It knows neither engine nor any table or row of the living program, so that it may stay as it was written
for good, and serves a file and a server alike. The living program makes its tables again, fills them with what the
last step returns, and computes the sums. This is simpler than altering tables in place: SQLite can hardly do it,
a rebuilt table takes its children along, and a tournament is small enough to be held whole.

Everything is done in one transaction together with the version: whoever is killed meanwhile leaves what there
was. Before that a copy is made. What was kept is checked against its sums first, so that no damage is sealed anew.

A step is handed every table with its lines in their order, each a dict from column to a number, a text or None.
The journal's column `changes` holds rows too, as JSON. These stay in every version: `journal` with `seq` first and
`hash` last, and `meta`, one line, with `revision`, `head` and `state`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tdapp.storage import checks, statements
from tdapp.storage.engine import StorageLocation
from tdapp.storage.rows import RowStore, Unreadable, chained
from tdapp.storage.seals import Sum
from tdapp.storage.statements import ReadingConnection, WritingConnection
from tdapp.storage.tables import ALL_TABLES, JOURNAL, META, SECRETS, TABLES, quoted

Lines = Mapping[str, Sequence[Mapping[str, Any]]]
Migration = Callable[[Lines], Lines]

# The first one leads from version 1 to 2, and so on. There is none: version 1 is the first.
MIGRATIONS: tuple[Migration, ...] = ()


def migrate(location: StorageLocation, connection: WritingConnection, migrations: Sequence[Migration]) -> None:
    """Bring what is at `place` to the version after all `migrations`; raise Unreadable where it is damaged.

    The transaction is the caller's. What a step makes of damaged values may raise any of CONVERSION_ERRORS.
    """
    lines: Lines = location.lines(connection)
    _refuse_damage(lines)
    for step in migrations[location.version - 1 :]:
        lines = step(lines)
    location.remake(connection, 1 + len(migrations))
    _fill(connection, _sealed(lines))
    damage = [*location.structure(connection), *checks.chain(connection)]
    if damage or (damage := checks.values(connection, RowStore())):
        raise Unreadable(str(damage[0]))


def _refuse_damage(lines: Lines) -> None:
    """Compare an older version's journal and rows with the sums that it kept of them."""
    seq, head = 0, ""
    for line in lines[JOURNAL.name]:
        *values, known = line.values()
        seq, head = values[0], chained(head, values)
        if head != known:
            raise Unreadable(f"journal {seq}")
    (meta,) = lines[META.name]
    total = Sum()
    for name, kept in lines.items():
        if name not in {JOURNAL.name, META.name, SECRETS.name}:
            for line in kept:
                total.add(name, tuple(line.values()))
    if (seq, head, str(total)) != (meta["revision"], meta["head"], meta["state"]):
        raise Unreadable(META.name)


def _sealed(lines: Lines) -> Lines:
    """Return lines with the columns and in the order of the living tables, and with sums of their own."""
    if lines.keys() - ALL_TABLES.keys():
        raise Unreadable(", ".join(sorted(lines.keys() - ALL_TABLES.keys())))
    fitted = {name: _fitted(name, item.names, lines.get(name, ())) for name, item in ALL_TABLES.items()}
    head, total = "", Sum()
    for line in fitted[JOURNAL.name]:
        *values, _ = line.values()
        line["hash"] = head = chained(head, values)
    for name in TABLES:
        for line in fitted[name]:
            total.add(name, tuple(line.values()))
    (meta,) = fitted[META.name]
    meta |= {"head": head, "state": str(total)}
    return MappingProxyType(fitted)


def _fitted(name: str, names: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    for line in lines:
        if set(line) != set(names):
            raise Unreadable(f"{name}: {', '.join(sorted(set(line) ^ set(names)))}")
    return [{item: line[item] for item in names} for line in lines]


def _fill(connection: WritingConnection, lines: Lines) -> None:
    for name, kept in lines.items():
        statements.add(connection, name, kept)


def read(connection: ReadingConnection, name: str, columns: Sequence[str], order: str) -> list[dict[str, Any]]:
    """Return the lines of a table as they are kept."""
    words = f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(name)} ORDER BY {quoted(order)}"  # noqa: S608
    return [dict(zip(columns, line, strict=True)) for line in connection.exec_driver_sql(words)]
