"""From a plain list to an edition in the library: slow work for another thread.

Hides which lists fit a tournament: those in its language, whatever that is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from tdapp.domain.errors import InputError, RuleViolation, StorageError
from tdapp.domain.ruleset import Marked, RuleSet
from tdapp.exchange import wordlist
from tdapp.exchange.text import read_file
from tdapp.exchange.wordlist import PlainList, PracticeList
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.wordlist import Edition
from tdapp.services.resources import Resources
from tdapp.storage.lexicon import EditionMetadata, Lexicon, Progress
from tdapp.storage.library import Library, StoredEdition

SAMPLE = 6  # words shown of a list
_FORMATS = ("%Y-%m-%d", "%Y-%m", "%Y")


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a plain list is read; without `encoding` it is recognised from the bytes."""

    language: str
    joints: bool = True
    names: bool = True
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class ListPreview:
    """What a plain list would bring; `sample` has words with letters that a wrong encoding would spoil."""

    plain: PlainList
    sample: tuple[str, ...]


def preview(source: Path, how: ReadingOptions, *, progress: Progress | None = None) -> ListPreview:
    """Read a plain list; raise InputError as `tdapp.exchange.wordlist.read`, or if it cannot be opened."""
    _refuse_huge(source)
    plain = wordlist.read(read_file(source), source.name, language=how.language, joints=how.joints,
                          names=how.names, encoding=how.encoding, progress=progress)  # fmt: skip
    sample = tuple(islice((word for word in plain.words if not word.isascii()), SAMPLE))
    return ListPreview(plain, sample or plain.words[:SAMPLE])


def bring(
    library: Library,
    plain: PlainList,
    edition: Edition,
    *,
    joints: bool,
    practice: bool,
    progress: Progress | None = None,
) -> EditionMetadata:
    """Put a list that was read into the library; raise as `Library.add`, and StorageError (edition-there)."""
    if known := _same(library, plain, edition, joints=joints):
        raise StorageError("edition-there", edition=known.edition.name)
    return library.add(plain.words, edition, joints=joints, practice=practice, imported=today(), progress=progress)


def bring_practice(
    library: Library, source: PracticeList, *, joints: bool, progress: Progress | None = None
) -> EditionMetadata:
    """Put a practice list into the library, unless it is there, and return its metadata."""
    how = ReadingOptions(source.language, joints=joints, names=source.names)
    plain = preview(source.path, how, progress=progress).plain
    edition = Edition(source.name, source.language, written(source.path), plain.source_hash)
    known = _same(library, plain, edition, joints=joints)
    return known or bring(library, plain, edition, joints=joints, practice=True, progress=progress)


def check(path: Path, *, progress: Progress | None = None) -> EditionMetadata:
    """Read an edition's whole file; raise StorageError unless it holds what was written."""
    with Lexicon.open(path) as found:
        found.check(progress)
        return found.metadata


def written(source: Path) -> str:
    """Return the day on which a file was written last, as ISO 8601; empty if it cannot be read."""
    try:
        return datetime.fromtimestamp(source.stat().st_mtime, UTC).date().isoformat()
    except OSError:
        return ""


def today() -> str:
    """Return the day on which an edition is made now, as ISO 8601."""
    return datetime.now().astimezone().date().isoformat()


def date_of(typed: str) -> str:
    """Return an edition's date, a day, month or year, as ISO 8601; raise RuleViolation (lexicon-date)."""
    text = typed.strip()
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).strftime(form)
        except ValueError:
            continue
    if text:
        raise RuleViolation("lexicon-date", typed=text)
    return ""


def joints_of(rules: RuleSet) -> bool:
    """Return whether words with hyphen or apostrophe are words by these rules."""
    return rules.words.marked is Marked.ALLOWED


def offered(resources: Resources, language: str, there: Sequence[StoredEdition] = ()) -> tuple[PracticeList, ...]:
    """Return the practice lists to be had that are not there: those in a language first, the largest first."""
    practice = [one.metadata.edition for one in there if one.metadata is not None and one.metadata.practice]
    known = {(one.language, one.name) for one in practice}
    free = [one for one in resources.practice_lists if (one.language, one.name) not in known]
    return tuple(
        sorted(free, key=lambda one: (not same_language(one.language, language), -_size(one.path), one.name))
    )


def proposed(there: Sequence[StoredEdition], language: str) -> EditionMetadata | None:
    """Return the edition to be chosen without much thought: the only one in a language."""
    there_now = [one.metadata for one in there if one.metadata is not None]
    found = [one for one in there_now if same_language(one.edition.language, language)]
    return found[0] if len(found) == 1 else None


def same_language(one: str, other: str) -> bool:
    """Return whether two codes mean one language; Norwegian has three."""
    return _plain(one) == _plain(other)


def language_name(catalogue: Catalogue, code: str) -> str:
    """Return a language's name, its code if it has none."""
    names = {
        "nl": catalogue.text("Dutch"),
        "nb": catalogue.text("Norwegian"),
        "no": catalogue.text("Norwegian"),
        "nn": catalogue.text("Norwegian (nynorsk)"),
        "de": catalogue.text("German"),
        "en": catalogue.text("English"),
    }
    return names.get(code, code)


def counted(catalogue: Catalogue, count: int) -> str:
    """Return a number of words."""
    return catalogue.plural("{n} word", "{n} words", count, n=grouped(count))


def grouped(count: int) -> str:
    """Return a number with its thousands apart, for lists have many words."""
    return f"{count:,}".replace(",", "\u202f")


def facts(catalogue: Catalogue, metadata: EditionMetadata) -> tuple[str, ...]:
    """Return what is to be known of an edition, a line each; that it is a practice list is not among it."""
    edition = metadata.edition
    about = [language_name(catalogue, edition.language), counted(catalogue, metadata.words)]
    if edition.date:
        about.insert(1, catalogue.text("edition of {date:date}", date=edition.date))
    lines = [" · ".join(about)]
    if edition.binding_max_length is not None:
        lines.append(catalogue.text("Binding up to {length} letters.", length=edition.binding_max_length))
    if not metadata.joints:
        lines.append(catalogue.text("Words with a hyphen or an apostrophe were left out."))
    return tuple(lines)


def error(catalogue: Catalogue, wanted: str) -> str:
    """Return what is wrong with the jury's word list, whose id is `wanted`, when it is not on this computer."""
    if not wanted:
        return catalogue.text("No word list is chosen for this tournament.")
    return catalogue.text(
        "The jury’s word list, number {id}, is not on this computer. Add its file from the computer on which it "
        "was chosen, or import the same plain list in the same way, or choose another.",
        id=wanted,
    )


def _same(library: Library, plain: PlainList, edition: Edition, *, joints: bool) -> EditionMetadata | None:
    """Return the edition in the library that would answer everything as this one."""
    wanted = EditionMetadata(
        edition, joints=joints, practice=False, imported="", words=len(plain.words), alphabet=""
    )
    found = (one.metadata for one in library.editions() if one.metadata is not None)
    return next((metadata for metadata in found if metadata.id == wanted.id), None)


def _plain(language: str) -> str:
    return "no" if language in {"nb", "nn"} else language


def _refuse_huge(source: Path) -> None:
    """Refuse what is too large before it is read into memory."""
    if _size(source) > wordlist.MAX_BYTES:
        megabytes = wordlist.MAX_BYTES // 1_000_000
        raise InputError("file-too-large", source=source.name, megabytes=megabytes)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
