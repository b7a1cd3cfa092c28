"""A version before this one, made up: its file, and the migration from it.

As a program it migrates a file until it is killed, saying when it begins: arguments are the file and the seconds
that the step takes.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

from tdapp.storage import Store, take_snapshot_before_migration
from tdapp.storage.migrations import Lines
from tdapp.storage.rows import RowChecksum, compute_journal_hash
from tests.storage import full_tournament


def write_older(path: Path) -> None:
    """Make a file whose players have no `needs_access`, whose sanctions are called penalties, without logos."""
    full_tournament.write(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE players DROP COLUMN needs_access")
        db.execute("ALTER TABLE sanctions RENAME TO penalties")
        db.execute("DROP TABLE logos")
        db.execute("UPDATE journal SET changes = replace(changes, ',\"needs_access\":false', '')")
        seal(db)
        db.commit()


def seal(db: sqlite3.Connection) -> None:
    """Reckon the sums of whatever there is."""
    head = ""
    for *values, _ in db.execute("SELECT * FROM journal ORDER BY seq").fetchall():
        head = compute_journal_hash(head, values)
        db.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head, values[0]))
    total = RowChecksum()
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        if name not in {"journal", "meta", "secrets"}:
            for line in db.execute(f"SELECT * FROM {name}"):  # noqa: S608
                total.add_row(name, line)
    db.execute("UPDATE meta SET head = ?, state = ?", (head, str(total)))


def newer(lines: Lines) -> Lines:
    """Give every player the column, and the table its name."""
    players = [{**line, "needs_access": 0} for line in lines["players"]]
    sanctions = {"sanctions": lines["penalties"]}
    return {**{name: rows for name, rows in lines.items() if name != "penalties"}, **sanctions, "players": players}


def main(path: Path, seconds: float) -> None:
    def slowly(lines: Lines) -> Lines:
        time.sleep(seconds)
        return newer(lines)

    sys.stdout.write("begin\n")
    sys.stdout.flush()
    Store.open(path, copy=take_snapshot_before_migration, migrations=(slowly,)).close()
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
