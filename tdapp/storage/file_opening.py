"""Opens SQLite files. Raises StorageError for damaged files and for files of other programs."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType

from tdapp.domain.errors import StorageError

APPLICATION_ID = 0x53435244  # "SCRD"

_BY_ERRNO: Mapping[int, str] = MappingProxyType({errno.EROFS: "folder-read-only", errno.ENOSPC: "disk-full"})
_LONGEST_VALUE = 64 << 20  # bytes; an import of 2,000 players over 30 rounds makes a journal line of 25 MB
_PRAGMAS = (
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "mmap_size=0",
    "foreign_keys=ON",
    "journal_mode=DELETE",
    "synchronous=EXTRA",
    "temp_store=MEMORY",
    "secure_delete=ON",
)

# Raised if the file was truncated or overwritten after opening.
_MISSING_TABLE_ERRORS = ("no such table", "no such column")

# The beginnings of SQLite's error names. The longest match counts.
_CODES = MappingProxyType(
    {
        "SQLITE_BUSY": "locked",
        "SQLITE_LOCKED": "locked",
        "SQLITE_FULL": "disk-full",
        "SQLITE_READONLY": "read-only",
        "SQLITE_READONLY_DBMOVED": "file-moved",
        "SQLITE_READONLY_DIRECTORY": "folder-read-only",
        "SQLITE_READONLY_ROLLBACK": "file-unfinished",
        "SQLITE_READONLY_RECOVERY": "file-unfinished",
        "SQLITE_CANTOPEN": "file-unreachable",
        "SQLITE_PERM": "no-permission",
        "SQLITE_AUTH": "no-permission",
        "SQLITE_IOERR": "disk-error",
        "SQLITE_NOTADB": "file-foreign",
        "SQLITE_CORRUPT": "file-damaged",
        "SQLITE_TOOBIG": "value-too-big",
    }
)


@contextmanager
def convert_to_storage_errors(path: Path | None, *, default_code: str | None = None) -> Iterator[None]:
    """Raise SQLite's errors as StorageError. Unknown errors get `default_code`; None leaves them unchanged."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StorageError("file-damaged", path=str(path), detail=str(error)) from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise StorageError("value-unstorable", path=str(path), detail=str(error)) from error
    except (sqlite3.Error, OSError) as error:
        code = _find_error_code(error, default_code)
        if code is None:
            raise
        raise StorageError(code, path=str(path), detail=str(error)) from error


def _find_error_code(error: BaseException, default_code: str | None = None) -> str | None:
    if isinstance(error, PermissionError):
        return "no-permission"
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, "disk-error")
    name = getattr(error, "sqlite_errorname", "")
    if not name and "UTF-8" in str(error):  # raised by Python, not by SQLite
        return "file-damaged"
    if not name:  # misuse of the driver
        return None
    if str(error).startswith(_MISSING_TABLE_ERRORS):
        return "file-damaged"
    return next((_CODES[item] for item in sorted(_CODES, reverse=True) if name.startswith(item)), default_code)


def create_file(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # contains personal data
    except FileExistsError as error:
        raise StorageError("file-exists", path=str(path)) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StorageError("folder-missing", path=str(path)) from error
    except OSError as error:
        raise StorageError(_find_error_code(error) or "disk-error", path=str(path), detail=str(error)) from error


def refuse_unreadable_file(path: Path) -> None:
    try:
        size = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StorageError("file-missing", path=str(path)) from error
    except OSError as error:
        raise StorageError(_find_error_code(error) or "disk-error", path=str(path), detail=str(error)) from error
    if not path.is_file():
        raise StorageError("file-is-folder" if path.is_dir() else "file-foreign", path=str(path))
    if not os.access(path, os.R_OK):
        raise StorageError("no-permission", path=str(path), detail="")
    if size == 0:
        raise StorageError("file-empty", path=str(path))


def find_write_error_code(path: Path) -> str:
    """Return the reason why a file cannot be written ("read-only", "folder-read-only"), or ""."""
    if os.access(path, os.F_OK) and not os.access(path, os.W_OK):
        return "read-only"
    return "" if os.access(path.resolve().parent, os.W_OK) else "folder-read-only"


def roll_back_interrupted_change(path: Path, *, timeout: float) -> None:
    """Roll back a change that a crash interrupted.

    If another tool left a write-ahead log (WAL), move the log's changes into the file and delete the log. Raises
    StorageError "file-in-wal" if the file has a WAL but cannot be written.
    """
    wal = _is_in_wal_mode(path)
    if not (wal or Path(f"{path}-journal").exists()):
        return
    if find_write_error_code(path):
        if wal:
            raise StorageError("file-in-wal", path=str(path))
        return
    with closing(open_file_connection(path, read_only=False, timeout=timeout)) as connection:
        run_pragma(connection, "journal_mode=DELETE").fetchone()


def _is_in_wal_mode(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(72)
    is_ours = header[68:] == APPLICATION_ID.to_bytes(4, "big")
    return is_ours and (header[18:20] == b"\x02\x02" or Path(f"{path}-wal").exists())


def open_file_connection(path: Path | None, *, read_only: bool, timeout: float) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}" if path else ":memory:"
    connection = sqlite3.connect(
        uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    return connection


def refuse_foreign_file(
    connection: sqlite3.Connection, path: Path, newest_version: int, *, application_id: int = APPLICATION_ID
) -> None:
    if read_pragma(connection, "application_id") != application_id:
        raise StorageError("file-foreign", path=str(path))
    version = read_pragma(connection, "user_version")
    if version > newest_version:
        raise StorageError("file-newer", path=str(path), version=version, known=newest_version)
    if version < 1:
        raise StorageError("file-damaged", path=str(path), detail=f"user_version {version}")


def read_pragma(connection: sqlite3.Connection, pragma: str) -> int:
    return int(run_pragma(connection, pragma).fetchone()[0])


def run_pragma(connection: sqlite3.Connection, pragma: str) -> sqlite3.Cursor:
    return connection.execute(f"PRAGMA {pragma}")


def set_pragmas(connection: sqlite3.Connection) -> None:
    """Configure a connection: no unsafe code from the schema, every commit synced to disk, no write-ahead log."""
    for pragma in _PRAGMAS:
        run_pragma(connection, pragma)
