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
from tdapp.storage.lexicon import Imprint, Lexicon, Progress
from tdapp.storage.lexicon_build import build

SUFFIX = ".lex"


@dataclass(frozen=True, slots=True)
class Shelved:
    """An edition's file; `imprint` None with the `trouble` where it cannot be read."""

    path: Path
    imprint: Imprint | None
    trouble: StorageError | None = None


class Shelf:
    """The editions in one folder, which is made when the first comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def editions(self) -> tuple[Shelved, ...]:
        """Return what stands there, by language and name, what cannot be read last."""
        found = [_looked_at(path) for path in sorted(self.folder.glob(f"*{SUFFIX}"))]
        return tuple(sorted(found, key=_place))

    def open(self, edition: str) -> Lexicon:
        """Open the edition with an id; StorageError (edition-missing, or as `Lexicon.open`)."""
        for shelved in self.editions():
            if shelved.imprint is not None and shelved.imprint.id == edition:
                return Lexicon.open(shelved.path)
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
    ) -> Imprint:
        """Make an edition of words as `tdapp.exchange.wordlist.read` returns them; raises as `build` does."""
        with lexicon.trouble(self.folder, otherwise=None):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self._free(edition)
        return build(path, words, edition, joints=joints, practice=practice, imported=imported, progress=progress)

    def take(self, source: Path, *, progress: Progress | None = None) -> Imprint:
        """Copy an edition's file from elsewhere; StorageError where it is no sound edition, or here already.

        `progress` is that of `Lexicon.check`; whatever it raises ends the work and leaves nothing behind.
        """
        with Lexicon.open(source) as found:
            found.check(progress)
            imprint = found.imprint
        if any(shelved.imprint == imprint for shelved in self.editions()):
            raise StorageError("edition-there", edition=imprint.edition.name)
        with lexicon.trouble(self.folder, otherwise=None):
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self._free(imprint.edition)
            part = path.with_name(f"{path.name}.part")
            try:
                part.write_bytes(source.read_bytes())
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        return imprint

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


def _looked_at(path: Path) -> Shelved:
    try:
        with Lexicon.open(path) as found:
            return Shelved(path, found.imprint)
    except StorageError as error:
        return Shelved(path, None, error)


def _place(shelved: Shelved) -> tuple[bool, str, str, str, str]:
    imprint = shelved.imprint
    if imprint is None:
        return True, "", "", "", shelved.path.name
    edition = imprint.edition
    return False, edition.language, edition.name, edition.date, shelved.path.name
