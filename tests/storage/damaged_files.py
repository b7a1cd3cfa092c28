"""Damaged and hostile tournament files in large numbers.

The program must refuse each file with a message, or open the original tournament. Arguments: the number of
mutations, the number of the first mutation, and the number of processes. The number of a mutation is its random
seed. A process that dies or does not answer in time counts as an error:

    python -m tests.storage.damaged_files 100000 0 2
"""

# ruff: noqa: S608 - the statements contain only names of this module

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
from tdapp.storage.rows import LINE, UnorderedRowsChecksum, compute_journal_hash
from tests.storage import full_tournament
from tests.storage.samples import make_played_tournament

ROOT = Path(__file__).resolve().parents[2]
PAGE = 4096
TIME_LIMIT = 60  # seconds for one mutation
CHUNK = 500  # mutations of one process

TEXTS = (
    "", "x", "[]", "{}", "[[", "null", "NaN", "1e999", '"\\ud800"', "[" * 5000, '{"a":' * 3000, "\x00", "\u202e",
    "é" * 300, "9" * 5000, '[["players","p1",null,null]]', '[["nobody","x",null,{}]]', '{"id":[1]}', "' OR 1=1 --",
)  # fmt: skip
NUMBERS = (0, -1, 1, 7, 2**31, 2**63 - 1, -(2**63), 10**12)
EVIL = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)"  # never ends


class Sample(Struct, frozen=True):
    """An undamaged file with its contents, and another file to copy parts from."""

    sound: bytes
    other: bytes
    state: object
    journal: object


def make_sample(folder: Path) -> Sample:
    sound, other_file = folder / "sound.tdapp", folder / "other.tdapp"
    full_tournament.write_file(sound)
    Store.create(other_file, make_played_tournament(20, 6)).close()
    with closing(Store.open(sound)) as store:
        sample = Sample(
            sound.read_bytes(),
            other_file.read_bytes(),
            list_rows(store.load_tournament_and_revision()[0]),
            store.read_journal(),
        )
    sound.unlink()
    other_file.unlink()
    return sample


# --- bytes

Bytes = Callable[[bytearray, Random, Sample], None]


def flip_bits(data: bytearray, random: Random, _sample: Sample) -> None:
    for _ in range(random.randint(1, 8)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def flip_used_bits(data: bytearray, random: Random, _sample: Sample) -> None:
    """Flip bits of bytes that are not 0: most of a page is empty."""
    for _ in range(random.randint(1, 4)):
        offset = random.randrange(len(data))
        while not data[offset]:
            offset = random.randrange(len(data))
        data[offset] ^= 1 << random.randrange(8)


def overwrite_with_noise(data: bytearray, random: Random, _sample: Sample) -> None:
    start = random.randrange(len(data))
    end = min(len(data), start + random.randint(1, 300))
    data[start:end] = random.randbytes(end - start)


def change_header(data: bytearray, random: Random, _sample: Sample) -> None:
    for _ in range(random.randint(1, 3)):
        data[random.randrange(100)] = random.randrange(256)


def replace_page(data: bytearray, random: Random, _sample: Sample) -> None:
    """Replace a page with zeros, with random bytes, or with another page."""
    first_offset, second_offset = (random.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    new_page = random.choice(
        [bytes(PAGE), random.randbytes(PAGE), bytes(data[second_offset : second_offset + PAGE])]
    )
    data[first_offset : first_offset + PAGE] = new_page


def change_page_header(data: bytearray, random: Random, _sample: Sample) -> None:
    """Change the header of a page: its kind, free blocks, number of cells and their offsets."""
    page = random.randrange(len(data) // PAGE) * PAGE + (100 if random.random() < 0.1 else 0)
    for _ in range(random.randint(1, 3)):
        data[page + random.randrange(24)] = random.randrange(256)


def truncate_file(data: bytearray, random: Random, _sample: Sample) -> None:
    length = random.randrange(len(data))
    del data[length - length % PAGE if random.random() < 0.3 else length :]


def extend_file(data: bytearray, random: Random, _sample: Sample) -> None:
    length = random.choice([1, 100, PAGE, 3 * PAGE])
    data += random.choice([bytes(length), random.randbytes(length)])


def splice_other_file(data: bytearray, random: Random, sample: Sample) -> None:
    """Replace a part with a part of another tournament's file."""
    unit = random.choice([1, 512, PAGE])
    start = random.randrange(len(data) // unit) * unit
    end = start + random.randint(1, max(1, len(data) // unit // 2)) * unit
    data[start:end] = sample.other[start:end]


def replace_with_nonsense(data: bytearray, random: Random, _sample: Sample) -> None:
    kept_start = random.choice([b"", bytes(data[:16]), bytes(data[:100])])
    data[:] = kept_start + random.randbytes(random.choice([0, 1, 90, 600, 5000]))


BYTES: tuple[Bytes, ...] = (
    flip_bits, flip_used_bits, overwrite_with_noise, change_header, replace_page, change_page_header,
    truncate_file, extend_file, splice_other_file, replace_with_nonsense,
)  # fmt: skip

# --- SQL

Sql = Callable[[sqlite3.Connection, Random], None]


def _list_tables(db: sqlite3.Connection) -> list[str]:
    return [str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]


def _list_filled_tables(db: sqlite3.Connection) -> list[str]:
    return [name for name in _list_tables(db) if db.execute(f"SELECT 1 FROM {name}").fetchone()]


def _choose_column(db: sqlite3.Connection, table: str, random: Random) -> tuple[str, str]:
    """Return a column and its type."""
    return random.choice([(str(row[1]), str(row[2])) for row in db.execute(f"PRAGMA table_info({table})")])


def _choose_value(random: Random, kind: str) -> object:
    return random.choice(NUMBERS) if kind == "INTEGER" else random.choice(TEXTS)


def _update_random_value(
    db: sqlite3.Connection, random: Random, table: str, make_value: Callable[[str], object]
) -> None:
    column, kind = _choose_column(db, table, random)
    row = random.choice(db.execute(f"SELECT rowid FROM {table}").fetchall())
    db.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (make_value(kind), *row))


def change_value(db: sqlite3.Connection, random: Random) -> None:
    _update_random_value(
        db, random, random.choice(_list_filled_tables(db)), lambda kind: _choose_value(random, kind)
    )


def change_journal_value(db: sqlite3.Connection, random: Random) -> None:
    _update_random_value(db, random, random.choice(["journal", "meta"]), lambda kind: _choose_value(random, kind))


def store_huge_value(db: sqlite3.Connection, random: Random) -> None:
    size = random.choice([10**5, 10**6, 5 * 10**6])
    _update_random_value(
        db,
        random,
        random.choice(_list_filled_tables(db)),
        lambda kind: 2**63 - 1 if kind == "INTEGER" else "[" * size,
    )


def store_untyped_value(db: sqlite3.Connection, random: Random) -> None:
    """Remove the types of a table, and store a blob, a float or a number instead of a text."""
    table = random.choice(_list_filled_tables(db))
    _rewrite_schema(db, table, lambda sql: sql.replace(" STRICT", ""))
    db.commit()
    _update_random_value(db, random, table, lambda _kind: random.choice([b"\xff\x00", 0.5, float("inf"), 3, "x"]))
    if random.random() < 0.7:  # hide the change
        _rewrite_schema(db, table, lambda sql: sql.rstrip() + " STRICT")


def change_rows(db: sqlite3.Connection, random: Random) -> None:
    """Delete or duplicate rows, or give them another parent."""
    table = random.choice(_list_tables(db))
    names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    row_selection = (
        f"SELECT rowid FROM {table} ORDER BY rowid LIMIT {random.randint(1, 3)} OFFSET {random.randrange(3)}"
    )
    action = random.randrange(3)
    if action == 0:
        db.execute(f"DELETE FROM {table} WHERE rowid IN ({row_selection})")
    elif action == 1:
        key = names[0]
        copied_columns = ", ".join([f'"{key}" || 9', *(f'"{name}"' for name in names[1:])])
        db.execute(f"INSERT INTO {table} SELECT {copied_columns} FROM {table} WHERE rowid IN ({row_selection})")
    else:
        db.execute(f"UPDATE {table} SET rowid = -rowid WHERE rowid IN ({row_selection})")


def change_and_reseal(db: sqlite3.Connection, random: Random) -> None:
    """Change data and compute all checksums again, as an expert attacker can."""
    random.choice(
        [change_value, change_value, change_value, change_journal_value, change_rows, store_untyped_value]
    )(db, random)
    recompute_checksums(db)


def recompute_checksums(db: sqlite3.Connection) -> None:
    head, seq = "", 0
    names = ", ".join(LINE)
    for *values, _ in db.execute(f"SELECT {names} FROM journal ORDER BY seq").fetchall():
        seq, head = values[0], compute_journal_hash(head, values)
        db.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head, seq))
    total = UnorderedRowsChecksum()
    for kind in KINDS:
        names = ", ".join(f'"{name}"' for name in list_column_names(kind))
        for raw in db.execute(f"SELECT {names} FROM {kind}"):
            total.add_row(kind, raw)
    db.execute("UPDATE meta SET head = ?, revision = ?, state = ?", (head, seq, str(total)))


def break_journal_chain(db: sqlite3.Connection, random: Random) -> None:
    """Change the journal so that its chain of hashes is broken."""
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


def change_version(db: sqlite3.Connection, random: Random) -> None:
    pragma = random.choice(["application_id", "user_version"])
    db.execute(f"PRAGMA {pragma}={random.choice([0, -1, 2, 99, 2**31 - 1, -(2**31)])}")


def add_trigger(db: sqlite3.Connection, random: Random) -> None:
    table, time = random.choice(_list_tables(db)), random.choice(["BEFORE", "AFTER"])
    event = random.choice(["INSERT", "UPDATE", "DELETE"])
    action = random.choice(["UPDATE results SET first = 999", "DELETE FROM journal", f"SELECT {EVIL}"])
    db.execute(f"CREATE TRIGGER evil {time} {event} ON {table} BEGIN {action}; END")


def add_view(db: sqlite3.Connection, random: Random) -> None:
    name = "more"
    if random.random() < 0.7:
        name = random.choice(_list_tables(db))
        db.execute(f"DROP TABLE {name}")
    db.execute(
        f"CREATE VIEW {name} AS SELECT {random.choice([EVIL, '1', 'zeroblob(1 << 40)', 'randomblob(9)'])} AS id"
    )


def add_virtual_table(db: sqlite3.Connection, random: Random) -> None:
    name = "more"
    if random.random() < 0.5:
        name = random.choice(_list_tables(db))
        db.execute(f"DROP TABLE {name}")
    using = random.choice(["fts5(id, name)", "rtree(id, low, high)", "fts5vocab(nothing, row)", "dbstat"])
    db.execute(f"CREATE VIRTUAL TABLE {name} USING {using}")


def add_schema_extras(db: sqlite3.Connection, random: Random) -> None:
    """Add a generated column, an index, a check or a default, or rename or remove something."""
    table = random.choice(_list_tables(db))
    column, _ = _choose_column(db, table, random)
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


def change_schema(db: sqlite3.Connection, random: Random) -> None:
    """Change the stored schema of a table directly."""
    table = random.choice(_list_tables(db))
    assignment = random.choice(
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
    db.execute(f"UPDATE sqlite_schema SET {assignment} WHERE name = ?", (table,))


def _rewrite_schema(db: sqlite3.Connection, table: str, change: Callable[[str], str]) -> None:
    (sql,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    db.execute("PRAGMA writable_schema=ON")
    db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (change(sql), table))
    (number,) = db.execute("PRAGMA schema_version").fetchone()
    db.execute(f"PRAGMA schema_version={number + 1}")
    db.execute("PRAGMA writable_schema=OFF")


SQL: tuple[Sql, ...] = (
    change_value, change_journal_value, store_huge_value, store_untyped_value, change_rows, change_and_reseal,
    break_journal_chain, change_version, add_trigger, add_view, add_virtual_table, add_schema_extras,
    change_schema,
)  # fmt: skip

# --- opening the damaged files


def list_rows(tournament: Tournament) -> dict[str, Mapping[str, Row]]:
    """Return all rows by id. Their order is not part of the checksum."""
    return {kind: tournament.rows(kind) for kind in KINDS}


def compute_all_standings(desk: Desk) -> None:
    """Compute the standings of all divisions, as the pages of the window do."""
    for division in desk.tournament.divisions.values():
        compute_standings(desk.index, division)


def write_mutation(victim: Path, number: int, sample: Sample) -> str:
    """Write mutation `number` to `victim` and return the name of the damage function."""
    random = Random(number)
    choice = random.randrange(len(BYTES) + len(SQL))
    if choice < len(BYTES):
        data = bytearray(sample.sound)
        BYTES[choice](data, random, sample)
        victim.write_bytes(data)
        return BYTES[choice].__name__
    statement_damage = SQL[choice - len(BYTES)]
    victim.write_bytes(sample.sound)
    with closing(sqlite3.connect(victim)) as db:
        for pragma in ("synchronous=OFF", "journal_mode=MEMORY", "trusted_schema=ON"):
            db.execute(f"PRAGMA {pragma}")
        try:
            statement_damage(db, random)
            db.commit()
        except sqlite3.Error:  # SQLite refuses a part: keep the rest of the damage
            db.rollback()
    return statement_damage.__name__


def find_outcome(victim: Path, sample: Sample | None) -> str:
    """Open and use the file. Return the code of the refusal, or "opened" if it contains the sample.

    Raise any other error. The bytes of the file must not change. Without a `sample`, accept any content.
    """
    before = victim.read_bytes()
    try:
        with closing(Store.open(victim, timeout=0)) as store:
            damage = store.find_damage()
            desk = Desk(store)
            if sample is not None:
                assert (list_rows(desk.tournament), store.read_journal()) == (sample.state, sample.journal), (
                    "the content differs from the sample"
                )
                assert not damage, f"the opened file is damaged: {damage}"
            store.map_current_and_past_names_by_player()
            desk.rebuild_tournament_at(0)
            compute_all_standings(desk)
            assert victim.read_bytes() == before, "the opened file has changed"
            if sample is None:
                desk.undo()
                desk.redo()
                return "opened and used"
            return "opened"
    except UserError as error:
        assert sample is None or victim.read_bytes() == before, "the refused file has changed"
        return error.code


def try_damages(numbers: Sequence[int], folder: Path) -> Iterator[tuple[int, str, str]]:
    """Try mutations. Yield the number, the damage function and the outcome of each mutation."""
    sample, victim = make_sample(folder), folder / "victim.tdapp"
    for number in numbers:
        kind = write_mutation(victim, number, sample)
        try:
            outcome = find_outcome(victim, None if kind == change_and_reseal.__name__ else sample)
        except Exception as error:
            outcome = f"ERROR {type(error).__name__} {error}"[:300].replace("\n", " ")
        yield number, kind, outcome
        for name in (victim.name, f"{victim.name}-journal", f"{victim.name}-wal", f"{victim.name}-shm"):
            (folder / name).unlink(missing_ok=True)


def run_mutations(first: int, count: int) -> None:
    """Try some mutations in this process and print a line of JSON for each. A slow mutation ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        for line in try_damages(range(first, first + count), Path(folder)):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
            faulthandler.dump_traceback_later(TIME_LIMIT, exit=True)
        faulthandler.cancel_dump_traceback_later()


def run_campaign(count: int, first: int, processes: int) -> Counter[tuple[str, str]]:
    """Try `count` mutations in child processes. Return the count of each damage function and outcome."""
    outcome_counts: Counter[tuple[str, str]] = Counter()
    pending_batches = [(start, min(CHUNK, first + count - start)) for start in range(first, first + count, CHUNK)]
    while pending_batches:
        batch, pending_batches = pending_batches[:processes], pending_batches[processes:]
        children = [(start, size, _start_child(start, size)) for start, size in batch]
        for start, size, child in children:
            output, error = child.communicate()
            if not output:
                raise RuntimeError(error)
            lines = [json.loads(line) for line in output.splitlines() if line.endswith("]")]
            for number, kind, outcome in lines:
                outcome_counts[
                    kind, outcome if not outcome.startswith("ERROR") else f"{outcome} (mutation {number})"
                ] += 1
            if child.returncode != 0:
                fatal_mutation = start + len(lines)
                outcome_counts[
                    "died", f"ERROR {child.returncode} at mutation {fatal_mutation}: {error[-300:]}"
                ] += 1
                pending_batches.append((fatal_mutation + 1, start + size - fatal_mutation - 1))
        sys.stderr.write(f"{sum(outcome_counts.values())} of {count}\n")
    return outcome_counts


def _start_child(first: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.damaged_files", "work", str(first), str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main(count: int, first: int, processes: int) -> None:
    outcome_counts = run_campaign(count, first, processes)
    for (kind, outcome), times in sorted(outcome_counts.items()):
        sys.stdout.write(f"{times:7} {kind:26} {outcome}\n")
    opened_count = sum(times for (_, outcome), times in outcome_counts.items() if outcome.startswith("opened"))
    errors = sum(times for (_, outcome), times in outcome_counts.items() if outcome.startswith("ERROR"))
    refused_count = outcome_counts.total() - opened_count - errors
    sys.stdout.write(
        f"{outcome_counts.total()} mutations: "
        f"{refused_count} refused, {opened_count} opened unharmed, {errors} errors\n"
    )


if __name__ == "__main__":
    if sys.argv[1] == "work":
        run_mutations(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main(*map(int, sys.argv[1:4]))
