"""The folder in which the word list editions of this computer stand.

Hides file names: an edition is known by its id, so that a tournament finds its own wherever it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.scrabble.wordlist import Edition
from tdapp.storage import lexicon
from tdapp.storage.lexicon import EditionMetadata, Lexicon, Progress
from tdapp.storage.lexicon_build import build

SUFFIX = ".lex"


@dataclass(frozen=True, slots=True)
class StoredEdition:
    """An edition's file; `metadata` None with the `error` where it cannot be read."""

    path: Path
    metadata: EditionMetadata | None
    error: StorageError | None = None


class Library:
    """The editions in one folder, which is made when the first comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def editions(self) -> tuple[StoredEdition, ...]:
        """Return what stands there, by language and name, what cannot be read last."""
        found = [_looked_at(path) for path in sorted(self.folder.glob(f"*{SUFFIX}"))]
        return tuple(sorted(found, key=_place))

    def open(self, edition: str) -> Lexicon:
        """Open the edition with an id; StorageError (edition-missing, or as `Lexicon.open`)."""
        for stored_edition in self.editions():
            if stored_edition.metadata is not None and stored_edition.metadata.id == edition:
                return Lexicon.open(stored_edition.path)
        raise StorageError("edition-missing", edition=edition)

    def add(
        self,
        words: Sequence[str],
        edition: Edition,
        *,
        joints: bool = True,
        practice: bool = False,
        imported: str = "",
        progress: Progress | None = None,
    ) -> EditionMetadata:
        """Make an edition of words as `tdapp.exchange.wordlist.read` returns them; raises as `build` does."""
        with lexicon.storage_errors(self.folder, otherwise=None):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self._free(edition)
        return build(path, words, edition, joints=joints, practice=practice, imported=imported, progress=progress)

    def take(self, source: Path, *, progress: Progress | None = None) -> EditionMetadata:
        """Copy an edition's file from elsewhere; StorageError where it is no sound edition, or here already.

        `progress` is that of `Lexicon.check`; whatever it raises ends the work and leaves nothing behind.
        """
        with Lexicon.open(source) as found:
            found.check(progress)
            metadata = found.metadata
        if any(stored_edition.metadata == metadata for stored_edition in self.editions()):
            raise StorageError("edition-there", edition=metadata.edition.name)
        with lexicon.storage_errors(self.folder, otherwise=None):
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self._free(metadata.edition)
            part = path.with_name(f"{path.name}.part")
            try:
                part.write_bytes(source.read_bytes())
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        return metadata

    def remove(self, path: Path) -> None:
        """Delete an edition's file; raises as `lexicon.remove` does."""
        lexicon.remove(path)

    def _free(self, edition: Edition) -> Path:
        """Return a name that no file has yet, nor one that is being made."""
        stem = "".join(sign if sign.isalnum() else "-" for sign in f"{edition.language}-{edition.name}".lower())
        path, number = self.folder / f"{stem[:60]}{SUFFIX}", 2
        while path.exists() or path.with_name(f"{path.name}.part").exists():
            path, number = self.folder / f"{stem[:60]}-{number}{SUFFIX}", number + 1
        return path


def _looked_at(path: Path) -> StoredEdition:
    try:
        with Lexicon.open(path) as found:
            return StoredEdition(path, found.metadata)
    except StorageError as error:
        return StoredEdition(path, None, error)


def _place(stored_edition: StoredEdition) -> tuple[bool, str, str, str, str]:
    metadata = stored_edition.metadata
    if metadata is None:
        return True, "", "", "", stored_edition.path.name
    edition = metadata.edition
    return False, edition.language, edition.name, edition.date, stored_edition.path.name
