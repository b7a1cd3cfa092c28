"""The folder with word list editions, and the function that writes an edition."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from tdapp.domain.errors import CommandError, StorageError
from tdapp.scrabble.wordlist import WordListEdition
from tdapp.storage import file_opening, lexicon
from tdapp.storage.lexicon import (
    APPLICATION_ID,
    FORMAT_VERSION,
    LONGEST,
    SHORTEST,
    EditionMetadata,
    Lexicon,
    Progress,
    compute_anagram_signatures,
    compute_letter_hashes,
    convert_to_storage_errors,
)

_BATCH = 20_000  # words between two reports of progress
_PRAGMAS = (
    "journal_mode=OFF",
    "synchronous=OFF",
    "locking_mode=EXCLUSIVE",
    "cache_size=-65536",
    "temp_store=MEMORY",
)
_VALUES_PER_STATEMENT = 300  # twice as fast as a statement for each word
_LONGEST_NAME = 100


def write_word_list_edition(  # noqa: PLR0913 - the metadata of an edition
    path: Path,
    words: Sequence[str],
    edition: WordListEdition,
    *,
    notes: Mapping[str, str] = MappingProxyType({}),
    accept_hyphens_and_apostrophes: bool = True,
    practice: bool = False,
    import_date: str = "",
    marked_word_count: int = 0,
    capitalised_word_count: int = 0,
    printable: bool = False,
    progress: Progress | None = None,
) -> EditionMetadata:
    """Write a word list and the notes on its words to a new file.

    - `words`: without hyphens and apostrophes, such as "email" for "e-mail".
    - `accept_hyphens_and_apostrophes`: the importer accepted words such as "e-mail".
    - `marked_word_count`: number of words that the imported list has only with a hyphen or apostrophe.
    - `capitalised_word_count`: number of words that the list has only with a capital, such as "Paris".
    - `progress`: gets the number of written words. If `progress` raises an error, the file is removed.
    """
    _refuse_invalid_edition(edition)
    alphabet = "".join(sorted(_collect_letters(words)))
    metadata = EditionMetadata(
        edition,
        accept_hyphens_and_apostrophes,
        practice,
        import_date,
        len(words),
        alphabet,
        marked=marked_word_count,
        names=capitalised_word_count,
        printable=printable,
    )
    part = path.with_name(path.name + ".part")
    with convert_to_storage_errors(path, default_code=None):
        _refuse_unusable_path(path)
        try:
            part.write_bytes(b"")
            with closing(file_opening.open_file_connection(part, read_only=False, timeout=0)) as connection:
                _write_edition(connection, _make_word_batches(words, notes, alphabet, progress), metadata)
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    return metadata


def _refuse_unusable_path(path: Path) -> None:
    if path.exists():
        raise StorageError("file-exists", path=str(path))
    if not path.parent.is_dir():
        raise StorageError("folder-missing", path=str(path))


def _refuse_invalid_edition(edition: WordListEdition) -> None:
    if not (edition.name.strip() and edition.name.isprintable() and len(edition.name) <= _LONGEST_NAME):
        raise CommandError("lexicon-name", longest=_LONGEST_NAME)
    if not (edition.language.isascii() and edition.language.isalpha() and edition.language.islower()):
        raise CommandError("lexicon-language", language=edition.language)
    binding = edition.binding_max_length
    if binding is not None and not SHORTEST <= binding <= LONGEST:
        raise CommandError("lexicon-binding-length", value=binding, low=SHORTEST, high=LONGEST)


def _collect_letters(words: Sequence[str]) -> set[str]:
    letters: set[str] = set()
    for start in range(0, len(words), _BATCH):
        letters.update("".join(words[start : start + _BATCH]))
    return letters


def _write_edition(
    connection: sqlite3.Connection, batches: Iterator[list[int | str]], metadata: EditionMetadata
) -> None:
    from tdapp.storage import word_tables  # noqa: PLC0415 - a window opens without SQLAlchemy

    for pragma in (*_PRAGMAS, f"application_id={APPLICATION_ID}", f"user_version={FORMAT_VERSION}"):
        file_opening.run_pragma(connection, pragma)
    connection.execute("BEGIN")
    for statement in word_tables.CREATION:
        connection.execute(statement)
    values = (*astuple(metadata.edition), *astuple(metadata)[1:])
    connection.execute(word_tables.INSERT_METADATA, values)
    for cells in batches:
        for start in range(0, len(cells), _VALUES_PER_STATEMENT):
            part = cells[start : start + _VALUES_PER_STATEMENT]
            connection.execute(word_tables.INSERT_WORD + ", (?, ?, ?)" * (len(part) // 3 - 1), part)
    connection.commit()


def _make_word_batches(
    words: Sequence[str], notes: Mapping[str, str], alphabet: str, progress: Progress | None
) -> Iterator[list[int | str]]:
    """Yield batches of words, sorted by signature (a number that anagrams share).

    A batch is a flat list: signature, text and note of each word.
    """
    import numpy as np  # noqa: PLC0415 - a window opens without it

    letter_hashes = compute_letter_hashes(alphabet)
    starts = range(0, len(words), _BATCH)
    signatures = np.concatenate(
        [compute_anagram_signatures(words[start : start + _BATCH], letter_hashes) for start in starts]
    )
    order, word_array = np.argsort(signatures), np.array(words, dtype=object)
    for start in starts:
        if progress:
            progress(start, len(words))
        batch = order[start : start + _BATCH]
        batch_words = word_array[batch].tolist()
        cells: list[int | str] = [""] * (3 * len(batch_words))
        cells[::3], cells[1::3] = signatures[batch].tolist(), batch_words
        if notes:
            cells[2::3] = [notes.get(word, "") for word in batch_words]
        yield cells
    if progress:
        progress(len(words), len(words))


SUFFIX = ".lex"


class StoredWordListEdition(Struct, frozen=True):
    """An edition file in the library, which may be unreadable."""

    path: Path
    metadata: EditionMetadata | None  # None if the file is unreadable
    error: StorageError | None = None  # the reason why the file is unreadable


class WordListLibrary:
    """The word lists in one folder. The folder is created with the first list."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def list_editions(self) -> tuple[StoredWordListEdition, ...]:
        """Return the editions by language and name, unreadable files last."""
        editions = [_read_stored_edition(path) for path in sorted(self.folder.glob(f"*{SUFFIX}"))]
        return tuple(sorted(editions, key=_make_sort_key))

    def open_edition(self, edition_id: str) -> Lexicon:
        """Open an edition by its id. Raise StorageError "edition-missing" if no file has it."""
        for stored_edition in self.list_editions():
            if stored_edition.metadata is not None and stored_edition.metadata.id == edition_id:
                return Lexicon.open(stored_edition.path)
        raise StorageError("edition-missing", edition=edition_id)

    def open_edition_if_available(self, edition_id: str) -> AbstractContextManager[Lexicon | None]:
        """Open an edition for a `with` block. The block gets None if the id is empty or opening fails."""
        try:
            return self.open_edition(edition_id) if edition_id else nullcontext()
        except StorageError:
            return nullcontext()

    def add_edition(
        self,
        words: Sequence[str],
        edition: WordListEdition,
        **options: Any,
    ) -> EditionMetadata:
        """Write a new edition. `options` are keyword arguments of `write_word_list_edition`."""
        with lexicon.convert_to_storage_errors(self.folder, default_code=None):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self._find_free_path(edition)
        return write_word_list_edition(path, words, edition, **options)

    def import_edition(self, source: Path, *, progress: Progress | None = None) -> EditionMetadata:
        """Copy an edition file into the folder.

        Raise StorageError if the file is damaged or if the folder already has the edition.
        """
        with Lexicon.open(source) as edition_file:
            edition_file.verify_file(progress)
            metadata = edition_file.metadata
        if any(stored_edition.metadata == metadata for stored_edition in self.list_editions()):
            raise StorageError("edition-there", edition=metadata.edition.name)
        with lexicon.convert_to_storage_errors(self.folder, default_code=None):
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self._find_free_path(metadata.edition)
            part = path.with_name(f"{path.name}.part")
            try:
                part.write_bytes(source.read_bytes())
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        return metadata

    def remove_edition(self, path: Path) -> None:
        lexicon.remove_edition(path)

    def _find_free_path(self, edition: WordListEdition) -> Path:
        stem = "".join(
            character if character.isalnum() else "-" for character in f"{edition.language}-{edition.name}".lower()
        )
        path, number = self.folder / f"{stem[:60]}{SUFFIX}", 2
        while path.exists() or path.with_name(f"{path.name}.part").exists():
            path, number = self.folder / f"{stem[:60]}-{number}{SUFFIX}", number + 1
        return path


def _read_stored_edition(path: Path) -> StoredWordListEdition:
    try:
        with Lexicon.open(path) as edition_file:
            return StoredWordListEdition(path, edition_file.metadata)
    except StorageError as error:
        return StoredWordListEdition(path, None, error)


def _make_sort_key(stored_edition: StoredWordListEdition) -> tuple[bool, str, str, str, str]:
    metadata = stored_edition.metadata
    if metadata is None:
        return True, "", "", "", stored_edition.path.name
    edition = metadata.edition
    return False, edition.language, edition.name, edition.date, stored_edition.path.name
