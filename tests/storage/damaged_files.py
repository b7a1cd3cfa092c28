"""Damaged and hostile files by the hundred thousand: each is refused in words, or is the tournament that it was.

Arguments: how many mutations, the number of the first one, and how many processes make them. Each mutation is
known by its number alone. A process that dies or does not answer in time is an error like any other:

    python -m tests.storage.damaged_files 100000 0 2
"""

# ruff: noqa: S608 - the statements are made of names that stand here

from __future__ import annotations

import faulthandler
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from msgspec import Struct

from tdapp.desk import Desk
from tdapp.domain.errors import UserError
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import KINDS, Row, Tournament
from tdapp.storage import Store
from tdapp.storage.columns import list_column_names
from tdapp.storage.rows import LINE, RowChecksum, compute_journal_hash
from tests.storage import full_tournament
from tests.storage.samples import make_played_tournament

ROOT = Path(__file__).resolve().parents[2]
PAGE = 4096
PATIENCE = 60  # seconds for one mutation
CHUNK = 500  # mutations of one process

TEXTS = (
    "", "x", "[]", "{}", "[[", "null", "NaN", "1e999", '"\\ud800"', "[" * 5000, '{"a":' * 3000, "\x00", "\u202e",
    "é" * 300, "9" * 5000, '[["players","p1",null,null]]', '[["nobody","x",null,{}]]', '{"id":[1]}', "' OR 1=1 --",
)  # fmt: skip
NUMBERS = (0, -1, 1, 7, 2**31, 2**63 - 1, -(2**63), 10**12)
EVIL = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)"  # never ends


class Truth(Struct, frozen=True):
    """A sound file with its contents, and another file to splice in."""

    sound: bytes
    other: bytes
    state: object
    journal: object


def truth(folder: Path) -> Truth:
    sound, other_file = folder / "sound.tdapp", folder / "other.tdapp"
    full_tournament.write(sound)
    Store.create(other_file, make_played_tournament(20, 6)).close()
    with closing(Store.open(sound)) as store:
        sample = Truth(
            sound.read_bytes(), other_file.read_bytes(), list_rows(store.load()[0]), store.read_journal()
        )
    sound.unlink()
    other_file.unlink()
    return sample


# --- bytes

Bytes = Callable[[bytearray, Random, Truth], None]


def bits(data: bytearray, random: Random, _truth: Truth) -> None:
    for _ in range(random.randint(1, 8)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def used_bits(data: bytearray, random: Random, _truth: Truth) -> None:
    """Flip used bits: most of a page is empty."""
    for _ in range(random.randint(1, 4)):
        offset = random.randrange(len(data))
        while not data[offset]:
            offset = random.randrange(len(data))
        data[offset] ^= 1 << random.randrange(8)


def noise(data: bytearray, random: Random, _truth: Truth) -> None:
    start = random.randrange(len(data))
    end = min(len(data), start + random.randint(1, 300))
    data[start:end] = random.randbytes(end - start)


def header(data: bytearray, random: Random, _truth: Truth) -> None:
    for _ in range(random.randint(1, 3)):
        data[random.randrange(100)] = random.randrange(256)


def pages(data: bytearray, random: Random, _truth: Truth) -> None:
    """Empty a page, fill it with noise, or replace it with another page."""
    first_offset, second_offset = (random.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    fill = random.choice([bytes(PAGE), random.randbytes(PAGE), bytes(data[second_offset : second_offset + PAGE])])
    data[first_offset : first_offset + PAGE] = fill


def page_heads(data: bytearray, random: Random, _truth: Truth) -> None:
    """Change the header of a page: its kind, free blocks, number of cells and their offsets."""
    page = random.randrange(len(data) // PAGE) * PAGE + (100 if random.random() < 0.1 else 0)
    for _ in range(random.randint(1, 3)):
        data[page + random.randrange(24)] = random.randrange(256)


def cut(data: bytearray, random: Random, _truth: Truth) -> None:
    length = random.randrange(len(data))
    del data[length - length % PAGE if random.random() < 0.3 else length :]


def longer(data: bytearray, random: Random, _truth: Truth) -> None:
    length = random.choice([1, 100, PAGE, 3 * PAGE])
    data += random.choice([bytes(length), random.randbytes(length)])


def splice(data: bytearray, random: Random, truth: Truth) -> None:
    """Replace a part with a part of another tournament's file."""
    unit = random.choice([1, 512, PAGE])
    start = random.randrange(len(data) // unit) * unit
    end = start + random.randint(1, max(1, len(data) // unit // 2)) * unit
    data[start:end] = truth.other[start:end]


def nonsense(data: bytearray, random: Random, _truth: Truth) -> None:
    begin = random.choice([b"", bytes(data[:16]), bytes(data[:100])])
    data[:] = begin + random.randbytes(random.choice([0, 1, 90, 600, 5000]))


BYTES: tuple[Bytes, ...] = (
    bits, used_bits, noise, header, pages, page_heads, cut, longer, splice, nonsense,
)  # fmt: skip

# --- SQL

Sql = Callable[[sqlite3.Connection, Random], None]


def _tables(db: sqlite3.Connection) -> list[str]:
    return [str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]


def _list_filled_tables(db: sqlite3.Connection) -> list[str]:
    return [name for name in _tables(db) if db.execute(f"SELECT 1 FROM {name}").fetchone()]


def _column(db: sqlite3.Connection, table: str, random: Random) -> tuple[str, str]:
    """Return a column and its type."""
    return random.choice([(str(row[1]), str(row[2])) for row in db.execute(f"PRAGMA table_info({table})")])


def _value(random: Random, kind: str) -> object:
    return random.choice(NUMBERS) if kind == "INTEGER" else random.choice(TEXTS)


def _update(db: sqlite3.Connection, random: Random, table: str, value: Callable[[str], object]) -> None:
    column, kind = _column(db, table, random)
    row = random.choice(db.execute(f"SELECT rowid FROM {table}").fetchall())
    db.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (value(kind), *row))


def value(db: sqlite3.Connection, random: Random) -> None:
    _update(db, random, random.choice(_list_filled_tables(db)), lambda kind: _value(random, kind))


def journal_value(db: sqlite3.Connection, random: Random) -> None:
    _update(db, random, random.choice(["journal", "meta"]), lambda kind: _value(random, kind))


def huge(db: sqlite3.Connection, random: Random) -> None:
    size = random.choice([10**5, 10**6, 5 * 10**6])
    _update(
        db,
        random,
        random.choice(_list_filled_tables(db)),
        lambda kind: 2**63 - 1 if kind == "INTEGER" else "[" * size,
    )


def untyped(db: sqlite3.Connection, random: Random) -> None:
    """Remove the types of a table, and store a blob, a float or a number instead of a text."""
    table = random.choice(_list_filled_tables(db))
    _rewrite(db, table, lambda sql: sql.replace(" STRICT", ""))
    db.commit()
    _update(db, random, table, lambda _kind: random.choice([b"\xff\x00", 0.5, float("inf"), 3, "x"]))
    if random.random() < 0.7:  # as if nothing had happened
        _rewrite(db, table, lambda sql: sql.rstrip() + " STRICT")


def rows(db: sqlite3.Connection, random: Random) -> None:
    """Delete or duplicate rows, or give them another parent."""
    table = random.choice(_tables(db))
    names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    some = f"SELECT rowid FROM {table} ORDER BY rowid LIMIT {random.randint(1, 3)} OFFSET {random.randrange(3)}"
    action = random.randrange(3)
    if action == 0:
        db.execute(f"DELETE FROM {table} WHERE rowid IN ({some})")
    elif action == 1:
        key = names[0]
        copied = ", ".join([f'"{key}" || 9', *(f'"{name}"' for name in names[1:])])
        db.execute(f"INSERT INTO {table} SELECT {copied} FROM {table} WHERE rowid IN ({some})")
    else:
        db.execute(f"UPDATE {table} SET rowid = -rowid WHERE rowid IN ({some})")


def sealed(db: sqlite3.Connection, random: Random) -> None:
    """Change data and compute all checksums again, as an expert attacker can do."""
    random.choice([value, value, value, journal_value, rows, untyped])(db, random)
    reseal(db)


def reseal(db: sqlite3.Connection) -> None:
    head, seq = "", 0
    names = ", ".join(LINE)
    for *values, _ in db.execute(f"SELECT {names} FROM journal ORDER BY seq").fetchall():
        seq, head = values[0], compute_journal_hash(head, values)
        db.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head, seq))
    total = RowChecksum()
    for kind in KINDS:
        names = ", ".join(f'"{name}"' for name in list_column_names(kind))
        for raw in db.execute(f"SELECT {names} FROM {kind}"):
            total.add_row(kind, raw)
    db.execute("UPDATE meta SET head = ?, revision = ?, state = ?", (head, seq, str(total)))


def chain(db: sqlite3.Connection, random: Random) -> None:
    """Break the chain of the journal."""
    first, second = random.sample(range(1, 9), 2)
    db.execute(
        random.choice(
            [
                f"DELETE FROM journal WHERE seq = {first}",
                f"UPDATE journal SET hash = (SELECT hash FROM journal WHERE seq = {second}) WHERE seq = {first}",
                (
                    f"UPDATE journal SET changes = (SELECT facts FROM journal WHERE seq = {second}) "
                    f"WHERE seq = {first}"
                ),
                f"UPDATE journal SET seq = seq + {random.choice([8, -20])} WHERE seq >= {first}",
                f"UPDATE journal SET undoes = {second} WHERE seq = {first}",
                f"UPDATE meta SET revision = {random.choice(NUMBERS)}",
                "DELETE FROM meta",
                "INSERT INTO meta SELECT 2, revision, created, program, head, state FROM meta",
                "UPDATE meta SET state = 'nothing', head = 'none'",
            ]
        )
    )


def version(db: sqlite3.Connection, random: Random) -> None:
    pragma = random.choice(["application_id", "user_version"])
    db.execute(f"PRAGMA {pragma}={random.choice([0, -1, 2, 99, 2**31 - 1, -(2**31)])}")


def trigger(db: sqlite3.Connection, random: Random) -> None:
    table, time = random.choice(_tables(db)), random.choice(["BEFORE", "AFTER"])
    event = random.choice(["INSERT", "UPDATE", "DELETE"])
    action = random.choice(["UPDATE results SET first = 999", "DELETE FROM journal", f"SELECT {EVIL}"])
    db.execute(f"CREATE TRIGGER evil {time} {event} ON {table} BEGIN {action}; END")


def view(db: sqlite3.Connection, random: Random) -> None:
    name = "more"
    if random.random() < 0.7:
        name = random.choice(_tables(db))
        db.execute(f"DROP TABLE {name}")
    db.execute(
        f"CREATE VIEW {name} AS SELECT {random.choice([EVIL, '1', 'zeroblob(1 << 40)', 'randomblob(9)'])} AS id"
    )


def virtual(db: sqlite3.Connection, random: Random) -> None:
    name = "more"
    if random.random() < 0.5:
        name = random.choice(_tables(db))
        db.execute(f"DROP TABLE {name}")
    using = random.choice(["fts5(id, name)", "rtree(id, low, high)", "fts5vocab(nothing, row)", "dbstat"])
    db.execute(f"CREATE VIRTUAL TABLE {name} USING {using}")


def extra(db: sqlite3.Connection, random: Random) -> None:
    """Add generated columns, indexes on expressions, checks and defaults that compute."""
    table = random.choice(_tables(db))
    column, _ = _column(db, table, random)
    db.execute(
        random.choice(
            [
                f'ALTER TABLE {table} ADD COLUMN evil TEXT AS (hex("{column}"))',
                f"ALTER TABLE {table} ADD COLUMN evil TEXT DEFAULT 'x'",
                f"ALTER TABLE {table} ADD COLUMN evil TEXT CHECK (length(evil) < 5)",
                f'CREATE INDEX evil ON {table} (lower("{column}"))',
                f'CREATE INDEX evil ON {table} ("{column}") WHERE "{column}" > 0',
                f'ALTER TABLE {table} RENAME COLUMN "{column}" TO evil',
                f"ALTER TABLE {table} RENAME TO evil",
                f"DROP TABLE {table}",
                "CREATE TABLE evil (id INTEGER)",
                "ANALYZE",
            ]
        )
    )


def schema(db: sqlite3.Connection, random: Random) -> None:
    """Write to the schema itself."""
    table = random.choice(_tables(db))
    new = random.choice(
        [
            f"sql = replace(sql, 'TEXT', '{random.choice(['INTEGER', 'BLOB', 'x', 'TEXT COLLATE NOCASE'])}')",
            "sql = replace(sql, 'NOT NULL', '')",
            "sql = replace(sql, ' STRICT', ' WITHOUT ROWID')",
            "sql = substr(sql, 1, 30)",
            "sql = NULL",
            "sql = CAST(sql AS BLOB)",
            "sql = 'CREATE TABLE ' || name || '(x)'",
            "sql = 'DROP TABLE meta'",
            f"rootpage = {random.choice([0, 1, 2, 5, 30, 10**6, -1])}",
            f"type = '{random.choice(['view', 'trigger', 'index', 'x', ''])}'",
            f"name = '{random.choice(['', 'sqlite_x', 'players', 'meta'])}'",
            "tbl_name = 'players'",
        ]
    )
    db.execute("PRAGMA writable_schema=ON")
    db.execute(f"UPDATE sqlite_schema SET {new} WHERE name = ?", (table,))


def _rewrite(db: sqlite3.Connection, table: str, change: Callable[[str], str]) -> None:
    (sql,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    db.execute("PRAGMA writable_schema=ON")
    db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (change(sql), table))
    (number,) = db.execute("PRAGMA schema_version").fetchone()
    db.execute(f"PRAGMA schema_version={number + 1}")
    db.execute("PRAGMA writable_schema=OFF")


SQL: tuple[Sql, ...] = (
    value, journal_value, huge, untyped, rows, sealed, chain, version, trigger, view, virtual, extra, schema,
)  # fmt: skip

# --- trying them


def list_rows(tournament: Tournament) -> dict[str, Mapping[str, Row]]:
    """Return all rows by id. Their order is not part of the checksum."""
    return {kind: tournament.rows(kind) for kind in KINDS}


def use(desk: Desk) -> None:
    """Read what all pages read."""
    for division in desk.tournament.divisions.values():
        compute_standings(desk.index, division)


def mutate(victim: Path, number: int, truth: Truth) -> str:
    """Write mutation `number` to `victim` and return the name of its class."""
    random = Random(number)
    choice = random.randrange(len(BYTES) + len(SQL))
    if choice < len(BYTES):
        data = bytearray(truth.sound)
        BYTES[choice](data, random, truth)
        victim.write_bytes(data)
        return BYTES[choice].__name__
    statement_damage = SQL[choice - len(BYTES)]
    victim.write_bytes(truth.sound)
    with closing(sqlite3.connect(victim)) as db:
        for pragma in ("synchronous=OFF", "journal_mode=MEMORY", "trusted_schema=ON"):
            db.execute(f"PRAGMA {pragma}")
        try:
            statement_damage(db, random)
            db.commit()
        except sqlite3.Error:  # SQLite refuses it: what there is of it is tried
            db.rollback()
    return statement_damage.__name__


def outcome(victim: Path, truth: Truth | None) -> str:
    """Open and use the file; return the code it is refused with, or "opened" where it holds the truth.

    Anything else is raised. No byte of the file is changed, so nothing in it can have run. Without a `truth` the
    file may hold anything, and is used nevertheless.
    """
    before = victim.read_bytes()
    try:
        with closing(Store.open(victim, timeout=0)) as store:
            damage = store.find_damage()
            desk = Desk(store)
            if truth is not None:
                assert (list_rows(desk.tournament), store.read_journal()) == (truth.state, truth.journal), (
                    "not the truth"
                )
                assert not damage, f"opened, and damaged: {damage}"
            store.list_player_names()
            desk.rebuild_tournament_at(0)
            use(desk)
            assert victim.read_bytes() == before, "opened, and changed"
            if truth is None:
                desk.undo()
                desk.redo()
                return "opened and used"
            return "opened"
    except UserError as error:
        assert truth is None or victim.read_bytes() == before, "refused, and changed"
        return error.code


def try_damages(numbers: Sequence[int], folder: Path) -> Iterator[tuple[int, str, str]]:
    """Try mutations, and yield the number, the class and the outcome of each."""
    sample, victim = truth(folder), folder / "victim.tdapp"
    for number in numbers:
        kind = mutate(victim, number, sample)
        try:
            ending = outcome(victim, None if kind == sealed.__name__ else sample)
        except Exception as error:
            ending = f"ERROR {type(error).__name__} {error}"[:300].replace("\n", " ")
        yield number, kind, ending
        for name in (victim.name, f"{victim.name}-journal", f"{victim.name}-wal", f"{victim.name}-shm"):
            (folder / name).unlink(missing_ok=True)


def work(first: int, count: int) -> None:
    """Try some mutations in this process, a line of JSON for each; one that takes too long ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        for line in try_damages(range(first, first + count), Path(folder)):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
        faulthandler.cancel_dump_traceback_later()


def campaign(count: int, first: int, processes: int) -> Counter[tuple[str, str]]:
    """Try `count` mutations in processes of their own; return how often each class came to each outcome."""
    ends: Counter[tuple[str, str]] = Counter()
    waiting = [(start, min(CHUNK, first + count - start)) for start in range(first, first + count, CHUNK)]
    while waiting:
        batch, waiting = waiting[:processes], waiting[processes:]
        children = [(start, size, _child(start, size)) for start, size in batch]
        for start, size, child in children:
            output, error = child.communicate()
            if not output:
                raise RuntimeError(error)
            lines = [json.loads(line) for line in output.splitlines() if line.endswith("]")]
            for number, kind, ending in lines:
                ends[kind, ending if not ending.startswith("ERROR") else f"{ending} (mutation {number})"] += 1
            if child.returncode != 0:
                died = start + len(lines)
                ends["died", f"ERROR {child.returncode} at mutation {died}: {error[-300:]}"] += 1
                waiting.append((died + 1, start + size - died - 1))
        sys.stderr.write(f"{sum(ends.values())} of {count}\n")
    return ends


def _child(first: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.damaged_files", "work", str(first), str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main(count: int, first: int, processes: int) -> None:
    ends = campaign(count, first, processes)
    for (kind, ending), times in sorted(ends.items()):
        sys.stdout.write(f"{times:7} {kind:14} {ending}\n")
    opened_count = sum(times for (_, ending), times in ends.items() if ending.startswith("opened"))
    errors = sum(times for (_, ending), times in ends.items() if ending.startswith("ERROR"))
    refused_count = ends.total() - opened_count - errors
    sys.stdout.write(
        f"{ends.total()} mutations: {refused_count} refused, {opened_count} opened unharmed, {errors} errors\n"
    )


if __name__ == "__main__":
    if sys.argv[1] == "work":
        work(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main(*map(int, sys.argv[1:4]))
