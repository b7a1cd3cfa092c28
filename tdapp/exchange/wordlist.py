"""Plain word lists and dictionaries of Hunspell, in any common encoding, to words that can be laid.

A plain list has one word a line; behind a tab or a semicolon stands a note on it. Lines that begin with `#` are
comments. Hides how an encoding is told and how millions of lines are read in seconds; what becomes of each letter
is said by `tdapp.scrabble.wordlist`.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from tdapp.domain.errors import InputError
from tdapp.exchange import hunspell
from tdapp.scrabble.wordlist import normalised

SHORTEST, LONGEST = 2, 15  # letters
MAX_BYTES = 64_000_000  # the longest lists known are a third of this, in UTF-16

Progress = Callable[[int, int], None]  # how much is done, of how much; whatever it raises ends the work

_CHUNK = 1 << 19  # characters between two reports of progress
_MANY = 50_000  # forms between two
_EXAMPLES = 3
_COLUMNS = re.compile("[\t;]")
_LONGEST_NOTE = 200  # characters
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_ASCII = bytes(range(128))

# Letters by which an old encoding differs from others: those that the language itself uses.
_TYPICAL: Mapping[str, str] = {
    "nl": "áèéêëïóöüçñ’",
    "de": "äöüßé",
    "nb": "åæøéèêòóôü",
    "nn": "åæøéèêòóôü",
    "no": "åæøéèêòóôü",
}
_OFTEN = "áàâäãåæçéèêëíìîïñóòôöõøúùûüýÿßœĳ’"
_SINGLE_BYTE = ("cp1252", "cp850", "mac_roman", "latin-1")
_MARKED = (  # UTF-32 first: its mark begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)


class Unfit(StrEnum):
    """Why a line brings no word."""

    COMMENT = "comment"
    SPACE = "space"
    DIGIT = "digit"
    NAME = "name"  # with a capital, where those are not wanted
    SIGN = "sign"  # any other sign that cannot be laid; a hyphen or apostrophe where the language refuses it
    SHORT = "short"
    LONG = "long"
    REPEATED = "repeated"  # the same letters as another line's, once they are folded


class WordListLine(NamedTuple):
    """A line of a list as it was written; `number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """The lines that brought no word for one reason: how many, and the first few."""

    count: int
    examples: tuple[WordListLine, ...] = ()


@dataclass(frozen=True, slots=True)
class PlainList:
    """What a list holds: words in capitals, in their order, none twice; what was dropped; whence.

    `notes` has what the list says of words, such as their base forms.
    """

    words: tuple[str, ...]
    notes: Mapping[str, str]
    dropped: Mapping[Unfit, Dropped]
    encoding: str
    source_hash: str  # SHA-256 of the file's bytes, in hexadecimal digits


class Supplement(NamedTuple):
    """What is to be added to an edition, and what taken out of it."""

    added: PlainList
    removed: PlainList


class PracticeList(NamedTuple):
    """A list that is good for practice and official nowhere."""

    path: Path
    language: str
    name: str

    @property
    def names(self) -> bool:
        """Whether capitals tell nothing: German writes every noun with one."""
        return self.language == "de"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a list is read. `joints` and the language are those of `tdapp.scrabble.wordlist.normalised`.

    Without `names` a capital tells a name, which is left out: many lists hold them, official ones do not. Without
    `encoding` it is told from the bytes.
    """

    language: str
    joints: bool = True
    names: bool = True
    encoding: str | None = None


def read(
    data: bytes,
    how: ReadingOptions,
    source: str = "",
    *,
    affixes: bytes | None = None,
    progress: Progress | None = None,
) -> PlainList:
    """Return the words of a list, normalised for a language, 2 to 15 letters long.

    With `affixes` it is a dictionary of Hunspell. `progress` counts characters or lines. Raise InputError
    (file-too-large, file-binary, file-empty, wordlist-encoding, wordlist-no-words, and as `hunspell.entries`).
    """
    if max(len(data), len(affixes or b"")) > MAX_BYTES:
        raise InputError("file-too-large", source=source, megabytes=MAX_BYTES // 1_000_000)
    reading = _ListReading(_Folded(how.language, joints=how.joints, names=how.names))
    if affixes is None:
        text, encoding = _decoded(data, source, how.language, how.encoding)
        _read_text(reading, text, progress)
    else:
        encoding = "Hunspell"
        _read_dictionary(reading, data, affixes, source, progress)
    words, dropped = reading.result()
    if not words:
        raise InputError("wordlist-no-words", source=source)
    digest = hashlib.sha256(data + (affixes or b"")).hexdigest()
    return PlainList(words, reading.notes, dropped, encoding, digest)


def read_supplement(data: bytes, how: ReadingOptions, source: str = "") -> Supplement:
    """Return what a list of changes brings: `-` stands before a word that goes, `+` or nothing before a new one.

    Raise InputError as `read`.
    """
    if len(data) > MAX_BYTES:
        raise InputError("file-too-large", source=source, megabytes=MAX_BYTES // 1_000_000)
    text, encoding = _decoded(data, source, how.language, how.encoding)
    lines = list(enumerate(map(str.strip, text.split("\n")), 1))
    found = []
    for goes in (False, True):
        reading = _ListReading(_Folded(how.language, joints=how.joints, names=how.names))
        own = [(number, line) for number, line in lines if line.startswith("-") == goes]
        reading.take(*_columns([line.lstrip("+-") for _, line in own]), [number for number, _ in own])
        words, dropped = reading.result()
        found.append(PlainList(words, reading.notes, dropped, encoding, hashlib.sha256(data).hexdigest()))
    if not any(one.words for one in found):
        raise InputError("wordlist-no-words", source=source)
    return Supplement(*found)


def _read_text(reading: _ListReading, text: str, progress: Progress | None) -> None:
    for chunk, done in _chunks(text):
        reading.take(*_columns(chunk.split("\n")))
        if progress:
            progress(done, len(text))


def _read_dictionary(
    reading: _ListReading, data: bytes, affixes: bytes, source: str, progress: Progress | None
) -> None:
    """Take the forms of a dictionary, with their base forms as notes."""
    forms, numbers, notes = list[str](), list[int](), dict[int, str]()
    size = data.count(b"\n")
    for base, own, line in hunspell.entries(data, affixes, source):
        notes |= {at: base for at, form in enumerate(own, len(forms)) if form != base}
        forms += own
        numbers += [line] * len(own)
        if len(forms) > _MANY:
            reading.take(forms, notes, numbers)
            forms, numbers, notes = [], [], {}
            if progress:
                progress(line, size)
    reading.take(forms, notes, numbers)


def _columns(lines: list[str]) -> tuple[list[str], dict[int, str]]:
    """Return the first column of each line, and the others as notes by the place of the line."""
    notes = {}
    for at, line in enumerate(lines):
        if "\t" in line or ";" in line:
            lines[at], *others = _COLUMNS.split(line)
            notes[at] = " · ".join(filter(None, map(str.strip, others)))
    return lines, notes


class _Folded(dict[int, str]):
    """What each character becomes, for str.translate: letters, nothing, or a sign that tells why it is refused."""

    def __init__(self, language: str, *, joints: bool, names: bool) -> None:
        super().__init__({ord("\n"): "\n", ord("#"): "#"})
        self._language = language
        self._joints = joints
        self._names = names

    def __missing__(self, code: int) -> str:
        self[code] = found = self._fold(chr(code))
        return found

    def _fold(self, char: str) -> str:
        if char.isspace():
            return " "
        if char.isdigit():
            return "0"
        if char.isupper() and not self._names:
            return "!"
        # behind a letter that no mark makes another letter: so it may be a mark or a sign that is ignored
        word = normalised("B" + char, self._language, joints=self._joints)
        return "?" if word is None else word[1:]


class _ListReading:
    """The words, and the lines that brought none, while a list is read chunk by chunk."""

    def __init__(self, folded: _Folded) -> None:
        self.notes: dict[str, str] = {}
        self._folded = folded
        self._words: dict[str, None] = {}  # filled bit by bit: all at once would hold the other threads up
        self._taken = 0
        self._dropped: Counter[Unfit] = Counter()
        self._examples: dict[Unfit, list[WordListLine]] = {}
        self._lines = 0

    def take(self, lines: list[str], notes: Mapping[int, str], numbers: Sequence[int] | None = None) -> None:
        """Read lines with notes by their places; `numbers` where they stand, else they follow those before."""
        for at, line in enumerate("\n".join(lines).translate(self._folded).split("\n")):
            word = line.strip()
            if SHORTEST <= len(word) <= LONGEST and word.isalpha():
                self._words[word] = None
                self._taken += 1
                if at in notes:
                    self._note(word, notes[at])
            elif word:
                self._drop(word, WordListLine(numbers[at] if numbers else self._lines + at + 1, lines[at].strip()))
        self._lines += len(lines)

    def _note(self, word: str, note: str) -> None:
        """Keep what a list says of a word, each thing once."""
        known = self.notes.setdefault(word, note)
        if note not in known:
            self.notes[word] = f"{known} · {note}"[:_LONGEST_NOTE]

    def _drop(self, word: str, line: WordListLine) -> None:
        unfit = _unfit(word)
        self._dropped[unfit] += 1
        examples = self._examples.setdefault(unfit, [])
        if len(examples) < _EXAMPLES:
            examples.append(line)

    def result(self) -> tuple[tuple[str, ...], Mapping[Unfit, Dropped]]:
        """Return the words, none twice, and what was dropped, in the order of the reasons."""
        words = tuple(self._words)
        counts = {**self._dropped, Unfit.REPEATED: self._taken - len(words)}
        dropped = {
            unfit: Dropped(counts[unfit], tuple(self._examples.get(unfit, ())))
            for unfit in Unfit
            if counts.get(unfit)
        }
        return words, dropped


def _unfit(word: str) -> Unfit:
    if word.startswith("#"):
        return Unfit.COMMENT
    for sign, unfit in ((" ", Unfit.SPACE), ("0", Unfit.DIGIT), ("!", Unfit.NAME)):
        if sign in word:
            return unfit
    if word and not word.isalpha():
        return Unfit.SIGN
    return Unfit.LONG if len(word) > LONGEST else Unfit.SHORT


def _chunks(text: str) -> Iterator[tuple[str, int]]:
    """Yield whole lines of about `_CHUNK` characters, and how far they reach."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _CHUNK)
        end = len(text) if end < 0 else end
        yield text[start:end], end
        start = end + 1


def _decoded(data: bytes, source: str, language: str, encoding: str | None) -> tuple[str, str]:
    """Return the text, composed (NFC) and with lines ended by a line feed only, and its encoding."""
    known = encoding or _encoding_of(data, language)
    try:
        text = data.decode(known)
    except (LookupError, UnicodeError) as error:
        raise InputError(
            "wordlist-encoding" if encoding else "file-binary", source=source, encoding=known
        ) from error
    text = text.removeprefix("\ufeff").removesuffix("\x1a")  # an end mark of old systems
    if _CONTROL.search(text):
        raise InputError("file-binary", source=source)
    if not text.strip():
        raise InputError("file-empty", source=source)
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")), known


def _encoding_of(data: bytes, language: str) -> str:
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            return encoding
    start = data[:1000]
    if b"\0" in start:  # UTF-16 without its mark: the zeros of plain letters stand behind or before them
        return "utf-16-le" if start[1::2].count(0) >= start[0::2].count(0) else "utf-16-be"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _single_byte(data, language)
    return "utf-8"


def _single_byte(data: bytes, language: str) -> str:
    """Return the old encoding in which most of the bytes above ASCII are letters that the language uses."""
    counts = Counter(data.translate(None, _ASCII))

    def fit(encoding: str) -> tuple[int, int]:
        chars = [(bytes([byte]).decode(encoding).lower(), count) for byte, count in counts.items()]
        typical = sum(count for char, count in chars if char in _TYPICAL.get(language, _OFTEN))
        return typical, sum(count for char, count in chars if char in _OFTEN)

    fits = {encoding: fit(encoding) for encoding in _SINGLE_BYTE if _reads(counts, encoding)}
    return max(fits, key=fits.__getitem__)


def _reads(counts: Counter[int], encoding: str) -> bool:
    try:
        bytes(counts).decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


# What Debian's packages of words put into one folder (wdutch, wnorwegian, wngerman, wogerman, wswiss, wbritish,
# wamerican and their larger sizes).
_DEBIAN: Mapping[str, tuple[str, str]] = {
    "dutch": ("nl", "wdutch"),
    "bokmaal": ("nb", "wnorwegian bokmål"),
    "nynorsk": ("nn", "wnorwegian nynorsk"),
    "ngerman": ("de", "wngerman"),
    "ogerman": ("de", "wogerman"),
    "swiss": ("de", "wswiss"),
    "british-english": ("en", "wbritish"),
    "american-english": ("en", "wamerican"),
    "canadian-english": ("en", "wcanadian"),
}
_SIZES = ("", "-small", "-large", "-huge", "-insane")
DEBIAN_FOLDER = Path("/usr/share/dict")


def practice_lists(shipped: Path, installed: Path = DEBIAN_FOLDER) -> tuple[PracticeList, ...]:
    """Return the practice lists there are: our own in `shipped`, named `LANGUAGE-....txt`, and Debian's."""
    own = [PracticeList(path, path.stem.split("-")[0], path.stem) for path in sorted(shipped.glob("*.txt"))]
    found = [
        PracticeList(installed / (file + size), language, name + size)
        for file, (language, name) in _DEBIAN.items()
        for size in _SIZES
        if (installed / (file + size)).is_file()
    ]
    return (*own, *found)
