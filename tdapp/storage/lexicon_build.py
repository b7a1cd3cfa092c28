"""Makes the file of a word list edition.

Hides the order of writing that makes a million words take seconds: a file that is not there yet needs no journal,
and appears under its name only when it is whole and on disk.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

from tdapp.domain.errors import RuleViolation, StorageError
from tdapp.scrabble.wordlist import Edition
from tdapp.storage import opening
from tdapp.storage.lexicon import (
    APPLICATION_ID,
    FORMAT_VERSION,
    LONGEST,
    SCHEMA,
    SHORTEST,
    EditionMetadata,
    Progress,
    letter_values,
    signatures,
    storage_errors,
)

_BATCH = 20_000  # words between two reports of progress
_PRAGMAS = (
    "journal_mode=OFF",
    "synchronous=OFF",
    "locking_mode=EXCLUSIVE",
    "cache_size=-65536",
    "temp_store=MEMORY",
)
_LONGEST_NAME = 100


def build(
    path: Path,
    words: Sequence[str],
    edition: Edition,
    *,
    joints: bool = True,
    practice: bool = False,
    imported: str = "",
    progress: Progress | None = None,
) -> EditionMetadata:
    """Write words, as `tdapp.exchange.wordlist.read` returns them, to a new file; return its imprint.

    `progress` counts words; whatever it raises ends the work and leaves nothing behind. Raises StorageError
    (file-exists, folder-missing, disk-full ...) and RuleViolation (lexicon-name, lexicon-language,
    lexicon-binding-length).
    """
    _refuse(edition)
    metadata = _metadata(words, edition, joints=joints, practice=practice, imported=imported)
    part = path.with_name(path.name + ".part")
    with storage_errors(path, otherwise=None):
        _refuse_place(path)
        try:
            part.write_bytes(b"")
            with closing(opening.connect(part, read_only=False, patience=0)) as connection:
                _write(connection, words, metadata, progress)
            _keep(part, path)
        finally:
            part.unlink(missing_ok=True)
    return metadata


def _refuse_place(path: Path) -> None:
    if path.exists():
        raise StorageError("file-exists", path=str(path))
    if not path.parent.is_dir():
        raise StorageError("folder-missing", path=str(path))


def _refuse(edition: Edition) -> None:
    if not (edition.name.strip() and edition.name.isprintable() and len(edition.name) <= _LONGEST_NAME):
        raise RuleViolation("lexicon-name", longest=_LONGEST_NAME)
    if not (edition.language.isascii() and edition.language.isalpha() and edition.language.islower()):
        raise RuleViolation("lexicon-language", language=edition.language)
    binding = edition.binding_max_length
    if binding is not None and not SHORTEST <= binding <= LONGEST:
        raise RuleViolation("lexicon-binding-length", value=binding, low=SHORTEST, high=LONGEST)


def _metadata(
    words: Sequence[str], edition: Edition, *, joints: bool, practice: bool, imported: str
) -> EditionMetadata:
    return EditionMetadata(
        edition=edition,
        joints=joints,
        practice=practice,
        imported=imported,
        words=len(words),
        alphabet="".join(sorted(_letters(words))),
    )


def _letters(words: Sequence[str]) -> set[str]:
    """Return all letters; bit by bit, for all at once would hold the other threads up."""
    letters: set[str] = set()
    for start in range(0, len(words), _BATCH):
        letters.update("".join(words[start : start + _BATCH]))
    return letters


def _write(
    connection: sqlite3.Connection, words: Sequence[str], metadata: EditionMetadata, progress: Progress | None
) -> None:
    for pragma in (*_PRAGMAS, f"application_id={APPLICATION_ID}", f"user_version={FORMAT_VERSION}"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("BEGIN")
    for statement in SCHEMA:
        connection.execute(statement)
    edition = metadata.edition
    values = (
        *astuple(edition),
        metadata.joints,
        metadata.practice,
        metadata.imported,
        metadata.words,
        metadata.alphabet,
    )
    connection.execute(f"INSERT INTO imprint VALUES ({', '.join('?' * len(values))})", values)  # noqa: S608
    connection.executemany("INSERT INTO word VALUES (?, ?)", _rows(words, metadata.alphabet, progress))
    connection.execute("COMMIT")


def _rows(words: Sequence[str], alphabet: str, progress: Progress | None) -> Iterator[tuple[int, str]]:
    """Yield signatures with their words, in the order in which the file keeps them."""
    import numpy as np  # noqa: PLC0415 - a window opens without it

    values = letter_values(alphabet)
    starts = range(0, len(words), _BATCH)
    found = np.concatenate([signatures(words[start : start + _BATCH], values) for start in starts])
    order = np.argsort(found, kind="stable")
    for start in starts:
        if progress:
            progress(start, len(words))
        batch = order[start : start + _BATCH]
        yield from zip(found[batch].tolist(), map(words.__getitem__, batch.tolist()), strict=True)
    if progress:
        progress(len(words), len(words))


def _keep(part: Path, path: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(path)
