"""A word list edition: one read-only SQLite file with metadata and words.

`library` creates these files, `lexicon_search` finds words by their letters.

One B-tree contains every word under its signature, the sum of a number for each letter. Anagrams are neighbours,
no second index is needed (half the size and half the time to build), and a damaged word is noticed.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from tdapp.domain.errors import StorageError
from tdapp.scrabble.wordlist import Edition, Verdict
from tdapp.storage import file_opening

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

APPLICATION_ID = 0x5343524C  # "SCRL"
FORMAT_VERSION = 1
SHORTEST, LONGEST = 2, 15  # letters

Progress = Callable[[int, int], None]  # how much is done, of how much; whatever it raises ends the work

SCHEMA = (
    """CREATE TABLE imprint (
        name TEXT NOT NULL, language TEXT NOT NULL, date TEXT NOT NULL, source_hash TEXT NOT NULL,
        binding_max_length INTEGER, joints INTEGER NOT NULL, practice INTEGER NOT NULL, imported TEXT NOT NULL,
        words INTEGER NOT NULL, alphabet TEXT NOT NULL, marked INTEGER NOT NULL, names INTEGER NOT NULL,
        printable INTEGER NOT NULL)""",
    """CREATE TABLE word (
        signature INTEGER NOT NULL, text TEXT NOT NULL, note TEXT NOT NULL,
        PRIMARY KEY (signature, text)) WITHOUT ROWID""",
)

_PRAGMAS = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "query_only=ON", "temp_store=MEMORY")
_BATCH = 50_000  # words between two reports of progress

# The same errors in words of its own, for the sentences about a tournament's file do not fit.
_CODES = MappingProxyType(
    {
        "file-foreign": "lexicon-foreign",
        "file-newer": "lexicon-newer",
        "file-damaged": "lexicon-damaged",
        "file-altered": "lexicon-altered",
    }
)


class EditionMetadata(Struct, frozen=True):
    """The metadata of an edition. Dates are ISO 8601 or empty."""

    edition: Edition
    joints: bool  # whether words with hyphen or apostrophe were taken, without their signs
    practice: bool  # official nowhere
    imported: str
    words: int
    alphabet: str  # every letter that occurs
    marked: int = 0  # words that the list has only with a hyphen or apostrophe
    names: int = 0  # words that the list has only with a capital
    printable: bool = False  # lists of its words may be printed

    @property
    def may_be_printed(self) -> bool:
        """Whether lists of its words may be printed; practice lists always may."""
        return self.printable or self.practice

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits of everything that a verdict depends on. Rulings store this id."""
        edition = self.edition
        facts = (edition.language, edition.source_hash, edition.binding_max_length, self.joints, self.words)
        return hashlib.sha256("\n".join(map(str, facts)).encode()).hexdigest()[:12]


class Lexicon:
    """An open edition. Implements the protocol `tdapp.scrabble.wordlist.WordList`.

    Used by one thread at a time, by any thread.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Use `open` instead."""
        self.path = path
        self._connection = connection
        self.metadata = _metadata(connection, path)
        self._values = letter_values(self.metadata.alphabet)

    @classmethod
    def open(cls, path: Path, *, patience: float = 5.0) -> Lexicon:
        """Open an edition. Raises StorageError (lexicon-foreign, -newer, -damaged, -altered, file-missing ...)."""
        with storage_errors(path):
            file_opening.refuse_what_is_no_file(path)
            connection = file_opening.connect(path, read_only=True, patience=patience)
            try:
                _refuse_foreign(connection, path)
                return cls(connection, path)
            except BaseException:
                connection.close()
                raise

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        """Return the edition itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    @property
    def edition(self) -> Edition:
        """The identity of the list."""
        return self.metadata.edition

    def verdict(self, word: Sequence[str]) -> Verdict:
        """Return the verdict on a word given as tiles. A blank counts as its letter.

        A word above the binding length is never binding, even if the list contains it.
        """
        text = "".join(word).upper()
        if len(text) > LONGEST:
            return Verdict.INVALID
        binding = self.metadata.edition.binding_max_length
        if binding is not None and len(text) > binding:
            return Verdict.NOT_BINDING
        return Verdict.VALID if self.has(text) else Verdict.INVALID

    def has(self, text: str) -> bool:
        """Return whether the list contains a word in capitals."""
        signature = self.signature(text) if len(text) <= LONGEST else None
        if signature is None:
            return False
        return bool(self.rows("SELECT 1 FROM word WHERE signature = ? AND text = ?", signature, text))

    def note(self, text: str) -> str:
        """Return the note on a word, such as its base form; "" if there is none."""
        asked = "SELECT note FROM word WHERE signature = ? AND text = ?"
        return "".join(str(note) for (note,) in self.rows(asked, self.signature(text) or 0, text))

    def words(self) -> Iterator[tuple[str, str]]:
        """Yield every word with its note. Editions with the same alphabet have the same order."""
        with storage_errors(self.path):
            yield from self._connection.execute("SELECT text, note FROM word ORDER BY signature, text")

    def signature(self, text: str) -> int | None:
        """Return the number that all anagrams of a text share; None if a letter occurs in no word."""
        try:
            return sum(map(self._values.__getitem__, text))
        except KeyError:
            return None

    def rows(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        """Return the rows of a query on the table `word`, for `lexicon_search`."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except (sqlite3.Error, UnicodeError):
            with storage_errors(self.path):  # entered only now: it costs as much as the query
                raise

    def check(self, progress: Progress | None = None) -> None:
        """Read the whole file. Raises StorageError (lexicon-damaged) if it differs from what was written."""
        with storage_errors(self.path):
            (found,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise StorageError("file-damaged", path=str(self.path), detail=found)
            words = 0
            cursor = self._connection.execute("SELECT signature, text FROM word")
            while batch := cursor.fetchmany(_BATCH):
                stored, texts = zip(*batch, strict=True)
                if signatures(texts, self._values).tolist() != list(stored):
                    raise StorageError("file-damaged", path=str(self.path), detail="words differ")
                words += len(batch)
                if progress:
                    progress(words, self.metadata.words)
            if words != self.metadata.words:
                raise StorageError("file-damaged", path=str(self.path), detail="words missing")


def letter_values(alphabet: str) -> dict[str, int]:
    """Return the number of each letter in a signature: 58 bits, so that the sum of fifteen is below 2^64."""
    hashes = {letter: hashlib.blake2b(letter.encode(), digest_size=8).digest() for letter in alphabet}
    return {letter: int.from_bytes(digest) >> 6 for letter, digest in hashes.items()}


def signatures(words: Sequence[str], values: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the signatures of many words at once. Unknown characters add nothing."""
    import numpy as np  # noqa: PLC0415 - a window opens without it

    table = np.zeros(max(map(ord, values), default=0) + 2, dtype=np.int64)  # the last stands for all beyond
    for letter, value in values.items():
        table[ord(letter)] = value
    codes = np.array(words, dtype=f"U{LONGEST}").view(np.uint32).reshape(-1, LONGEST)
    return np.asarray(table.take(codes, mode="clip").sum(axis=1))


def remove(path: Path) -> None:
    """Delete the file of an edition, also a damaged or newer one.

    StorageError if it is no edition or is protected.
    """
    try:
        Lexicon.open(path).close()
    except StorageError as error:
        if error.code not in {"lexicon-newer", "lexicon-damaged", "lexicon-altered"}:
            raise
    with storage_errors(path):
        path.unlink()


@contextmanager
def storage_errors(path: Path, *, otherwise: str | None = "file-damaged") -> Iterator[None]:
    """Convert errors of the file or the disk to StorageError with codes for word lists. See `opening`."""
    try:
        with file_opening.storage_errors(path, otherwise=otherwise):
            yield
    except StorageError as error:
        raise StorageError(_CODES.get(error.code, error.code), **error.facts) from error


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    file_opening.refuse_foreign(connection, path, FORMAT_VERSION, ours=APPLICATION_ID)
    connection.execute("BEGIN")  # one lock for all questions: asking is three times as fast
    found = {str(sql) for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    if found != set(SCHEMA):
        raise StorageError("file-altered", path=str(path), detail=min(found ^ set(SCHEMA))[:60])
    size = file_opening.number(connection, "page_count") * file_opening.number(connection, "page_size")
    if size != path.stat().st_size:
        raise StorageError("file-damaged", path=str(path), detail="cut short")


_COLUMNS = (
    "name, language, date, source_hash, imported, alphabet, joints, practice, words, marked, names, printable, "
    "binding_max_length"
)
_TEXTS = 6  # the first columns
_LONGEST_TEXT = 1000


def _metadata(connection: sqlite3.Connection, path: Path) -> EditionMetadata:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM imprint LIMIT 2").fetchall()  # noqa: S608
    if len(rows) != 1 or not _fits(rows[0]):
        raise StorageError("file-damaged", path=str(path), detail="imprint")
    name, language, date, source_hash, imported, alphabet, *numbers, binding = rows[0]
    joints, practice, words, marked, names, printable = numbers
    return EditionMetadata(
        edition=Edition(name, language, date, source_hash, binding),
        joints=bool(joints),
        practice=bool(practice),
        imported=imported,
        words=words,
        alphabet=alphabet,
        marked=marked,
        names=names,
        printable=bool(printable),
    )


def _fits(row: Sequence[object]) -> bool:
    texts, numbers, binding = row[:_TEXTS], row[_TEXTS:-1], row[-1]
    return (
        all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in texts)
        and all(isinstance(number, int) and number >= 0 for number in numbers)
        and (binding is None or (isinstance(binding, int) and SHORTEST <= binding <= LONGEST))
    )
