"""Reads an edition: one file with a word list and its metadata.

Each letter has a number. The signature of a word is the sum of the numbers of its letters, so all anagrams have
the same signature. Words are sorted by signature.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias

from msgspec import Meta, Struct, convert

from tdapp.domain.errors import StorageError
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tdapp.storage import file_opening
from tdapp.storage.statements import make_quoted_select_statement, make_select_statement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

APPLICATION_ID = 0x5343524C  # "SCRL"
FORMAT_VERSION = 1
SHORTEST, LONGEST = 2, 15  # letters

_Number: TypeAlias = Annotated[int, Meta(ge=0)]

Progress = Callable[[int, int], None]  # (done, total); an exception from it stops the work

# The checksum of `word_tables.CREATION`, so that opening an edition needs no SQLAlchemy. A test compares both.
SCHEMA_CHECKSUM = "e4fdcc47ed9b5138df9fbad70cee3fc8"

_FIND = "WHERE signature = ? AND text = ?"
_FIND_WORD, _FIND_NOTE = (
    make_quoted_select_statement("word", ("text",), _FIND),
    make_quoted_select_statement("word", ("note",), _FIND),
)
_ALL_WORDS = make_quoted_select_statement("word", ("text", "note"), order="signature, text")
_STORED_WORDS = make_quoted_select_statement("word", ("signature", "text"))
_PRAGMAS = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "query_only=ON", "temp_store=MEMORY")
_LONGEST_TEXT = 1000
_BATCH = 50_000  # words between two reports of progress

# Error codes with messages about word lists instead of tournament files.
_CODES = MappingProxyType(
    {
        "file-foreign": "lexicon-foreign",
        "file-newer": "lexicon-newer",
        "file-damaged": "lexicon-damaged",
        "file-altered": "lexicon-altered",
    }
)


class EditionMetadata(Struct, frozen=True):
    """The metadata of a word list edition. Dates are in ISO 8601 or empty."""

    edition: WordListEdition
    joints: bool  # whether words with hyphens or apostrophes were accepted; the characters are removed
    practice: bool  # not for official tournaments
    imported: str
    words: _Number
    alphabet: str  # every letter that occurs
    marked: _Number = 0  # number of words listed only with a hyphen or apostrophe
    names: _Number = 0  # number of words listed only with a capital
    printable: bool = False  # lists of its words may be printed

    @property
    def can_words_be_printed(self) -> bool:
        """Whether lists of its words may be printed. Always True for practice lists."""
        return self.printable or self.practice

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits, computed from all data that affect whether a word is valid."""
        edition = self.edition
        facts = (edition.language, edition.source_hash, edition.binding_max_length, self.joints, self.words)
        return hashlib.sha256("\n".join(map(str, facts)).encode()).hexdigest()[:12]


METADATA_COLUMNS = (
    *WordListEdition.__struct_fields__,
    *EditionMetadata.__struct_fields__[1:],
)  # the columns of the table `imprint`


class Lexicon:
    """An open word list edition. Only one thread at a time may use it.

    It implements `tdapp.scrabble.wordlist.WordList`.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self.metadata = _read_metadata(connection, path)
        self._values = compute_letter_hashes(self.metadata.alphabet)

    @classmethod
    def open(cls, path: Path, *, timeout: float = 5.0) -> Lexicon:
        """Open a word list file. Raises StorageError if it is missing, damaged, too new or not a word list."""
        with convert_to_storage_errors(path):
            file_opening.refuse_unreadable_file(path)
            connection = file_opening.open_file_connection(path, read_only=True, timeout=timeout)
            try:
                _prepare_connection_and_check_file(connection, path)
                return cls(connection, path)
            except BaseException:
                connection.close()
                raise

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def edition(self) -> WordListEdition:
        return self.metadata.edition

    def judge_word(self, word: Sequence[str]) -> WordVerdict:
        """Judge a word given as tiles. A blank counts as the letter that it represents.

        An edition can be binding only up to a word length. Longer words are NOT_BINDING, even if the
        edition lists them.
        """
        text = "".join(word).upper()
        if len(text) > LONGEST:
            return WordVerdict.INVALID
        binding = self.metadata.edition.binding_max_length
        if binding is not None and len(text) > binding:
            return WordVerdict.NOT_BINDING
        return WordVerdict.VALID if self.has_word(text) else WordVerdict.INVALID

    def has_word(self, text: str) -> bool:
        signature = self.compute_anagram_signature(text) if len(text) <= LONGEST else None
        if signature is None:
            return False
        return bool(self.query_rows(_FIND_WORD, signature, text))

    def find_word_note(self, text: str) -> str:
        """Return the note on a word, for example its base form, or ""."""
        return "".join(
            str(note) for (note,) in self.query_rows(_FIND_NOTE, self.compute_anagram_signature(text) or 0, text)
        )

    def iterate_words_and_notes(self) -> Iterator[tuple[str, str]]:
        """Yield each word with its note, not in alphabetical order. Anagrams follow one another."""
        with convert_to_storage_errors(self.path):
            yield from self._connection.execute(_ALL_WORDS)

    def compute_anagram_signature(self, text: str) -> int | None:
        """Return a number shared by all anagrams of a text, None if it has a letter unknown to the edition."""
        try:
            return sum(map(self._values.__getitem__, text))
        except KeyError:
            return None

    def query_rows(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except (sqlite3.Error, UnicodeError):
            with convert_to_storage_errors(
                self.path
            ):  # entered only on errors: entering costs as much as the query
                raise

    def verify_file(self, progress: Progress | None = None) -> None:
        """Check the complete file. Raises StorageError (lexicon-damaged)."""
        with convert_to_storage_errors(self.path):
            (message,) = file_opening.run_pragma(self._connection, "integrity_check(1)").fetchone()
            if message != "ok":
                raise StorageError("file-damaged", path=str(self.path), detail=message)
            words = 0
            cursor = self._connection.execute(_STORED_WORDS)
            while batch := cursor.fetchmany(_BATCH):
                stored, texts = zip(*batch, strict=True)
                if compute_anagram_signatures(texts, self._values).tolist() != list(stored):
                    raise StorageError("file-damaged", path=str(self.path), detail="words differ")
                words += len(batch)
                if progress:
                    progress(words, self.metadata.words)
            if words != self.metadata.words:
                raise StorageError("file-damaged", path=str(self.path), detail="words missing")


def compute_letter_hashes(alphabet: str) -> dict[str, int]:
    """Return a 58-bit number for each letter. The signature of a word is the sum of these numbers."""
    hashes = {letter: hashlib.blake2b(letter.encode(), digest_size=8).digest() for letter in alphabet}
    return {letter: int.from_bytes(digest) >> 6 for letter, digest in hashes.items()}


def compute_anagram_signatures(words: Sequence[str], letter_hashes: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the signature of each word. A character without a hash counts as 0."""
    import numpy as np  # noqa: PLC0415 - a window opens without it

    table = np.zeros(
        max(map(ord, letter_hashes), default=0) + 2, dtype=np.int64
    )  # the last one is for higher codes
    for letter, value in letter_hashes.items():
        table[ord(letter)] = value
    codes = np.array(words, dtype=f"U{LONGEST}").view(np.uint32).reshape(-1, LONGEST)
    return np.asarray(table.take(codes, mode="clip").sum(axis=1))


def remove_edition(path: Path) -> None:
    """Delete an edition, even if damaged. Raise StorageError if the file is not an edition."""
    try:
        Lexicon.open(path).close()
    except StorageError as error:
        if error.code not in {"lexicon-newer", "lexicon-damaged", "lexicon-altered"}:
            raise
    with convert_to_storage_errors(path):
        path.unlink()


@contextmanager
def convert_to_storage_errors(path: Path, *, default_code: str | None = "file-damaged") -> Iterator[None]:
    try:
        with file_opening.convert_to_storage_errors(path, default_code=default_code):
            yield
    except StorageError as error:
        raise StorageError(_CODES.get(error.code, error.code), **error.facts) from error


def _prepare_connection_and_check_file(connection: sqlite3.Connection, path: Path) -> None:
    for pragma in _PRAGMAS:
        file_opening.run_pragma(connection, pragma)
    file_opening.refuse_foreign_file(connection, path, FORMAT_VERSION, application_id=APPLICATION_ID)
    connection.execute("BEGIN")  # one lock for all queries makes them three times as fast
    statements = connection.execute(make_select_statement("sqlite_schema", ("sql",)))
    if compute_schema_checksum(str(sql) for (sql,) in statements if sql is not None) != SCHEMA_CHECKSUM:
        raise StorageError("file-altered", path=str(path), detail="schema")
    size = file_opening.read_pragma(connection, "page_count") * file_opening.read_pragma(connection, "page_size")
    if size != path.stat().st_size:
        raise StorageError("file-damaged", path=str(path), detail="cut short")


def compute_schema_checksum(statements: Iterable[str]) -> str:
    """Return the checksum of SQL statements, ignoring spaces and order."""
    compact_statements = sorted("".join(statement.split()) for statement in statements)
    return hashlib.sha256("\n".join(compact_statements).encode()).hexdigest()[:32]


def _read_metadata(connection: sqlite3.Connection, path: Path) -> EditionMetadata:
    rows = connection.execute(make_quoted_select_statement("imprint", METADATA_COLUMNS)).fetchmany(2)
    records = [dict(zip(METADATA_COLUMNS, row, strict=True)) for row in rows]
    try:
        (metadata,) = convert([{**row, "edition": row} for row in records], list[EditionMetadata], strict=False)
        fits = metadata.edition.binding_max_length in {None, *range(SHORTEST, LONGEST + 1)}
        if not fits or max(len(str(value)) for value in rows[0]) > _LONGEST_TEXT:
            raise ValueError("imprint")  # noqa: TRY301
    except ValueError as error:
        raise StorageError("file-damaged", path=str(path), detail="imprint") from error
    return metadata
