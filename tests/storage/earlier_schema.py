"""An invented earlier version of the schema: its file, and the migration to the current version.

As a program, it prints a line and migrates a file. Arguments: the file and the duration of the migration in
seconds.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

from tdapp.storage import Store, take_snapshot_before_migration
from tdapp.storage.migrations import RowsByTable
from tdapp.storage.rows import UnorderedRowsChecksum, compute_journal_hash
from tests.storage import full_tournament


def write_older_file(path: Path) -> None:
    """Write a file without `needs_access` of players and without logos. The table of sanctions is `penalties`."""
    full_tournament.write_file(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE players DROP COLUMN needs_access")
        db.execute("ALTER TABLE sanctions RENAME TO penalties")
        db.execute("DROP TABLE logos")
        db.execute("UPDATE journal SET changes = replace(changes, ',\"needs_access\":false', '')")
        recompute_checksums(db)
        db.commit()


def recompute_checksums(db: sqlite3.Connection) -> None:
    """Compute the checksums of all existing tables again."""
    head = ""
    for *values, _ in db.execute("SELECT * FROM journal ORDER BY seq").fetchall():
        head = compute_journal_hash(head, values)
        db.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head, values[0]))
    total = UnorderedRowsChecksum()
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        if name not in {"journal", "meta", "secrets"}:
            for line in db.execute(f"SELECT * FROM {name}"):  # noqa: S608
                total.add_row(name, line)
    db.execute("UPDATE meta SET head = ?, state = ?", (head, str(total)))


def migrate_lines(lines: RowsByTable) -> RowsByTable:
    """Add the column of the players, and rename the table of sanctions."""
    players = [{**line, "needs_access": 0} for line in lines["players"]]
    sanctions = {"sanctions": lines["penalties"]}
    return {**{name: rows for name, rows in lines.items() if name != "penalties"}, **sanctions, "players": players}


def main(path: Path, seconds: float) -> None:
    def migrate_slowly(lines: RowsByTable) -> RowsByTable:
        time.sleep(seconds)
        return migrate_lines(lines)

    sys.stdout.write("begin\n")
    sys.stdout.flush()
    Store.open(path, copy_before_migration=take_snapshot_before_migration, migrations=(migrate_slowly,)).close()
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
