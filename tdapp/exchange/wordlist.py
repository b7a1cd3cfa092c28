"""Read the playable words of word lists and Hunspell dictionaries, in any common encoding.

A plain list has a word on each line. A note can follow a tab or semicolon. If most lines are a word in capitals
and its meaning, the meaning is the note. Lines with `#` are comments. The first line can be a heading.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import compress
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from tdapp.domain.errors import InputError
from tdapp.exchange import hunspell
from tdapp.scrabble.wordlist import JOINTS, normalise_word

SHORTEST, LONGEST = 2, 15  # letters
MAX_BYTES = 64_000_000  # the longest lists known are a third of this, in UTF-16

Progress = Callable[[int, int], None]  # done and total; an exception ends the work

_CHUNK = 1 << 19  # characters between two reports of progress
_FORM_BATCH = 50_000  # forms between two reports of progress
_EXAMPLES = 3
_COLUMNS = re.compile("[\t;]")
_MEANING = re.compile(r"\s*([^\W\d_a-z]{2,}) +(\S*[a-z\[].*)")  # AA rough lava [n AAS]
_CHECKED_LINES = 1000  # number of lines checked for meanings
_HEADINGS = frozenset({
    "word", "words", "woord", "woorden", "ord", "wort", "wörter", "woerter", "lemma", "entry", "term",
})  # fmt: skip
_LONGEST_NOTE = 200  # characters
_MARKED_WORD, _NAME = 1, 2  # how a word is written
_CONTROL_CHARACTERS = (*map(chr, range(9)), *map(chr, range(14, 32)))
_ASCII = bytes(range(128))

# Letters of the language that distinguish 8-bit encodings.
_TYPICAL: Mapping[str, str] = {
    "nl": "áèéêëïóöüçñ’",
    "de": "äöüßé",
    "nb": "åæøéèêòóôü",
    "nn": "åæøéèêòóôü",
    "no": "åæøéèêòóôü",
}
_COMMON_LETTERS = "áàâäãåæçéèêëíìîïñóòôöõøúùûüýÿßœĳ’"
_SINGLE_BYTE = ("cp1252", "cp850", "mac_roman", "latin-1")
_BYTE_ORDER_MARKS = (  # UTF-32 first: its byte order mark begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)


class RejectedWordReason(StrEnum):
    """Reason why a line gives no playable word."""

    COMMENT = "comment"
    HEADING = "heading"  # of the columns
    FORMLESS = "formless"  # forbidden by a dictionary, or only a part of words
    SPACE = "space"
    DIGIT = "digit"
    NAME = "name"  # skipped because of a capital
    SIGN = "sign"  # another character without a tile; a refused hyphen or apostrophe
    SHORT = "short"
    LONG = "long"
    REPEATED = "repeated"  # same letters as another line after folding


class WordListLine(Struct, frozen=True):
    """A line of a word list."""

    number: int  # from 1
    text: str


class DroppedLines(Struct, frozen=True):
    """The skipped lines of a word list that have the same reason."""

    count: int
    examples: tuple[WordListLine, ...] = ()  # the first few lines


class ParsedWordList(Struct, frozen=True):
    """Unique words in capitals, in the order of the list, and the skipped lines."""

    words: tuple[str, ...]
    notes: Mapping[str, str]
    dropped_lines: Mapping[RejectedWordReason, DroppedLines]
    encoding: str
    source_hash: str  # SHA-256 of the file in hexadecimal digits
    marked: int = 0  # words listed only with a hyphen or apostrophe
    names: int = 0  # words listed only with a capital
    compounds: int = 0  # entries that can form unlisted compounds


class WordsToAddAndRemove(NamedTuple):
    """Words to add to an edition, and words to remove from it."""

    additions: ParsedWordList
    removals: ParsedWordList


class PracticeWordList(NamedTuple):
    """An unofficial list for practice."""

    path: Path
    language: str
    name: str

    @property
    def is_language_with_capitalised_nouns(self) -> bool:
        """Whether common nouns also have capitals, as in German. Then a capital does not mark a name."""
        return self.language == "de"


class WordListOptions(Struct, frozen=True):
    """How to read a word list."""

    language: str
    joints: bool = True  # remove hyphens and apostrophes; False refuses such words
    names: bool = True  # False skips words with a capital
    encoding: str | None = None  # None: detect it


def read_words(
    data: bytes,
    options: WordListOptions,
    source: str = "",
    *,
    affixes: bytes | None = None,
    progress: Progress | None = None,
) -> ParsedWordList:
    """Return the normalised words of 2 to 15 letters. With `affixes` the data are a Hunspell dictionary.

    `progress` gets the number of characters read, or for a dictionary the number of lines.
    """
    if max(len(data), len(affixes or b"")) > MAX_BYTES:
        raise InputError("file-too-large", source=source, megabytes=MAX_BYTES // 1_000_000)
    reader = _WordListReader(options)
    if affixes is None:
        text, encoding = _decode_word_list(data, source, options.language, options.encoding)
        _read_plain_word_list(reader, text, progress)
    else:
        encoding = "Hunspell"
        _read_dictionary(reader, data, affixes, source, progress)
    word_list = reader.make_word_list(encoding, hashlib.sha256(data + (affixes or b"")).hexdigest())
    if not word_list.words:
        raise InputError("wordlist-no-words", source=source)
    return word_list


def read_word_list_supplement(data: bytes, options: WordListOptions, source: str = "") -> WordsToAddAndRemove:
    """Return the words to add, and the words to remove (lines with `-`)."""
    if len(data) > MAX_BYTES:
        raise InputError("file-too-large", source=source, megabytes=MAX_BYTES // 1_000_000)
    all_text, encoding = _decode_word_list(data, source, options.language, options.encoding)
    lines = list(enumerate(map(str.strip, all_text.split("\n")), 1))
    word_lists, digest = [], hashlib.sha256(data).hexdigest()
    for is_removal in (False, True):
        reader = _WordListReader(options)
        selected_lines = [(number, line) for number, line in lines if line.startswith("-") == is_removal]
        texts = [line.lstrip("+-") for _, line in selected_lines]
        text, notes = _split_lines_into_words_and_notes("\n".join(texts), meanings=_has_word_meanings(texts))
        reader.add_lines(text, notes, [number for number, _ in selected_lines])
        word_lists.append(reader.make_word_list(encoding, digest))
    if not any(word_list.words for word_list in word_lists):
        raise InputError("wordlist-no-words", source=source)
    return WordsToAddAndRemove(*word_lists)


def _read_plain_word_list(reader: _WordListReader, text: str, progress: Progress | None) -> None:
    meanings = _has_word_meanings(text[:_CHUNK].split("\n"))
    for chunk, position in _split_into_chunks_with_positions(text):
        lines, notes = _split_lines_into_words_and_notes(chunk, meanings=meanings)
        if reader.is_at_first_line and 0 in notes and lines.partition("\n")[0].strip().casefold() in _HEADINGS:
            heading, _, lines = lines.partition("\n")
            reader.drop_heading_line(heading, notes)
            notes = {index - 1: note for index, note in notes.items() if index}
        reader.add_lines(lines, notes)
        if progress:
            progress(position, len(text))


def _read_dictionary(
    reader: _WordListReader, data: bytes, affixes: bytes, source: str, progress: Progress | None
) -> None:
    forms, numbers, notes = list[str](), list[int](), dict[int, str]()
    size = data.count(b"\n")
    for base, base_forms, line, compounds in hunspell.read_hunspell_word_forms(data, affixes, source):
        reader.compounds += compounds
        if not base_forms:
            reader.count_dropped_line_and_keep_example(RejectedWordReason.FORMLESS, WordListLine(line, base))
        notes |= {index: base for index, form in enumerate(base_forms, len(forms)) if form != base}
        forms += base_forms
        numbers += [line] * len(base_forms)
        if len(forms) > _FORM_BATCH:
            reader.add_lines("\n".join(forms), notes, numbers)
            forms, numbers, notes = [], [], {}
            if progress:
                progress(line, size)
    reader.add_lines("\n".join(forms), notes, numbers)


def _split_lines_into_words_and_notes(text: str, *, meanings: bool) -> tuple[str, dict[int, str]]:
    """Return the lines without their notes, and the notes by line index.

    With `meanings`, the text after the first space of a line is its note.
    """
    notes: dict[int, str] = {}
    if not meanings and "\t" not in text and ";" not in text:
        return text, notes
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if meanings and (match := _MEANING.fullmatch(line)):
            lines[index], notes[index] = match[1], match[2].strip()
        elif "\t" in line or ";" in line:
            lines[index], *note_parts = _COLUMNS.split(line)
            notes[index] = " · ".join(filter(None, map(str.strip, note_parts)))
    return "\n".join(lines), notes


def _has_word_meanings(lines: Sequence[str]) -> bool:
    checked_lines = [line for line in lines[:_CHECKED_LINES] if line.strip() and not line.startswith("#")]
    return sum(_MEANING.fullmatch(line) is not None for line in checked_lines) * 2 > len(checked_lines)


class _LetterFoldingTable(dict[int, str]):
    """Maps a character code to capital letters, or to "" if ignored.

    A character that makes a word invalid becomes a sign such as "?".
    """

    def __init__(self, language: str, *, joints: bool, names: bool) -> None:
        super().__init__({ord("\n"): "\n", ord("#"): "#"})
        self._language = language
        self._joints = joints
        self._names = names
        folded_letters = [self[code].encode("latin-1") for code in range(256)]
        self._longer = [
            (bytes([code]), letters) for code, letters in enumerate(folded_letters) if len(letters) > 1
        ]
        self._single = bytes(
            letters[0] if len(letters) == 1 else code for code, letters in enumerate(folded_letters)
        )
        self._ignored = bytes(code for code, letters in enumerate(folded_letters) if not letters)

    def fold_text(self, text: str) -> str:
        """Translate a text. For Latin-1, this is ten times as fast as `str.translate`."""
        try:
            encoded = text.encode("latin-1")
        except UnicodeEncodeError:
            return text.translate(self)
        encoded = encoded.translate(self._single, self._ignored)
        for code, letters in self._longer:
            encoded = encoded.replace(code, letters)
        return encoded.decode("latin-1")

    def __missing__(self, code: int) -> str:
        self[code] = letters = self._fold_letter(chr(code))
        return letters

    def _fold_letter(self, char: str) -> str:
        if char.isspace():
            return " "
        if char.isdigit():
            return "0"
        if char.isupper() and not self._names:
            return "!"
        # after a base letter: a combining mark or an ignored sign
        word = normalise_word("B" + char, self._language, accept_hyphens_and_apostrophes=self._joints)
        return "?" if word is None else word[1:]


class _WordListReader:
    def __init__(self, options: WordListOptions) -> None:
        self.notes: dict[str, str] = {}
        self.compounds = 0
        self._letter_table = _LetterFoldingTable(options.language, joints=options.joints, names=options.names)
        self._capitals_mark_names = options.language != "de"
        self._words: dict[str, int] = {}
        self._accepted_count = 0
        self._dropped_counts: Counter[RejectedWordReason] = Counter()
        self._examples: dict[RejectedWordReason, list[WordListLine]] = {}
        self._line_count = 0

    @property
    def is_at_first_line(self) -> bool:
        return not self._line_count

    def drop_heading_line(self, line: str, notes_by_line_index: Mapping[int, str]) -> None:
        self._line_count = 1
        self.count_dropped_line_and_keep_example(
            RejectedWordReason.HEADING, WordListLine(1, f"{line.strip()} · {notes_by_line_index[0]}")
        )

    def add_lines(self, text: str, notes: Mapping[int, str], numbers: Sequence[int] | None = None) -> None:
        """Add the word of each line. Count lines without a valid word as dropped.

        `notes` maps a line's index to its note. `numbers` are the line numbers, by default consecutive.
        """
        words = list(map(str.strip, self._letter_table.fold_text(text).split("\n")))
        is_valid = [SHORTEST <= len(word) <= LONGEST and word.isalpha() for word in words]
        is_plain = (
            not notes and (text.islower() or text.isupper()) and not any(character in text for character in JOINTS)
        )
        lines = [] if is_plain and all(is_valid) else list(map(str.strip, text.split("\n")))
        if is_plain:  # most lists: twice as fast as word by word
            self._words.update(dict.fromkeys(compress(words, is_valid), 0))
        for index, line in enumerate(lines):
            if is_valid[index] and not is_plain:
                self._words[words[index]] = self._get_hyphen_and_proper_name_flags(line) & self._words.get(
                    words[index], -1
                )
                if index in notes:
                    self._add_note(words[index], notes[index])
            elif words[index] and not is_valid[index]:
                number = numbers[index] if numbers else self._line_count + index + 1
                self.count_dropped_line_and_keep_example(
                    _find_rejection_reason(words[index]), WordListLine(number, line)
                )
        self._accepted_count += sum(is_valid)
        self._line_count += len(words)

    def _get_hyphen_and_proper_name_flags(self, text: str) -> int:
        if text.isalpha() and (text.islower() or text.isupper()):
            return 0
        is_name = self._capitals_mark_names and text[:1].isupper() and not text.isupper()
        return _MARKED_WORD * (not JOINTS.isdisjoint(text)) | _NAME * is_name

    def _add_note(self, word: str, note: str) -> None:
        old_note = self.notes.setdefault(word, note)
        if note not in old_note:
            self.notes[word] = f"{old_note} · {note}"[:_LONGEST_NOTE]

    def count_dropped_line_and_keep_example(self, reason: RejectedWordReason, line: WordListLine) -> None:
        self._dropped_counts[reason] += 1
        examples = self._examples.setdefault(reason, [])
        if len(examples) < _EXAMPLES:
            examples.append(line)

    def make_word_list(self, encoding: str, source_hash: str) -> ParsedWordList:
        words = tuple(self._words)
        counts_by_spelling = Counter(self._words.values())
        marked_count, name_count = (
            sum(counts_by_spelling[spelling] for spelling in counts_by_spelling if spelling & bit)
            for bit in (_MARKED_WORD, _NAME)
        )
        counts = {**self._dropped_counts, RejectedWordReason.REPEATED: self._accepted_count - len(words)}
        dropped_lines = {
            reason: DroppedLines(counts[reason], tuple(self._examples.get(reason, ())))
            for reason in RejectedWordReason
            if counts.get(reason)
        }
        return ParsedWordList(
            words, self.notes, dropped_lines, encoding, source_hash,
            marked=marked_count, names=name_count, compounds=self.compounds,
        )  # fmt: skip


def _find_rejection_reason(word: str) -> RejectedWordReason:
    if word.startswith("#"):
        return RejectedWordReason.COMMENT
    for character, reason in (
        (" ", RejectedWordReason.SPACE),
        ("0", RejectedWordReason.DIGIT),
        ("!", RejectedWordReason.NAME),
    ):
        if character in word:
            return reason
    if word and not word.isalpha():
        return RejectedWordReason.SIGN
    return RejectedWordReason.LONG if len(word) > LONGEST else RejectedWordReason.SHORT


def _split_into_chunks_with_positions(text: str) -> Iterator[tuple[str, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + _CHUNK)
        end = len(text) if end < 0 else end
        yield text[start:end], end
        start = end + 1


def _decode_word_list(data: bytes, source: str, language: str, encoding: str | None) -> tuple[str, str]:
    used_encoding = encoding or _detect_encoding(data, language)
    try:
        text = data.decode(used_encoding)
    except (LookupError, UnicodeError) as error:
        raise InputError(
            "wordlist-encoding" if encoding else "file-binary", source=source, encoding=used_encoding
        ) from error
    text = text.removeprefix("\ufeff").removesuffix("\x1a")  # end-of-file mark of old systems
    if any(character in text for character in _CONTROL_CHARACTERS):
        raise InputError("file-binary", source=source)
    if not text.strip():
        raise InputError("file-empty", source=source)
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")), used_encoding


def _detect_encoding(data: bytes, language: str) -> str:
    for byte_order_mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(byte_order_mark):
            return encoding
    start = data[:1000]
    if b"\0" in start:  # UTF-16 without byte order mark: ASCII letters have a zero byte
        return "utf-16-le" if start[1::2].count(0) >= start[0::2].count(0) else "utf-16-be"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _detect_single_byte_encoding(data, language)
    return "utf-8"


def _detect_single_byte_encoding(data: bytes, language: str) -> str:
    counts = Counter(data.translate(None, _ASCII))

    def rate_encoding(encoding: str) -> tuple[int, int]:
        chars = [(bytes([byte]).decode(encoding).lower(), count) for byte, count in counts.items()]
        typical = sum(count for char, count in chars if char in _TYPICAL.get(language, _COMMON_LETTERS))
        return typical, sum(count for char, count in chars if char in _COMMON_LETTERS)

    fits = {encoding: rate_encoding(encoding) for encoding in _SINGLE_BYTE if _can_decode_bytes(counts, encoding)}
    return max(fits, key=fits.__getitem__)


def _can_decode_bytes(counts: Counter[int], encoding: str) -> bool:
    try:
        bytes(counts).decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


# Files of Debian's word packages (wdutch, wnorwegian, wngerman, wogerman, wswiss, wbritish,
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


def list_practice_word_lists(shipped: Path, installed: Path = DEBIAN_FOLDER) -> tuple[PracticeWordList, ...]:
    """Return the practice lists in `shipped` (`LANGUAGE-....txt`) and among the word lists of Debian."""
    shipped_lists = [
        PracticeWordList(path, path.stem.split("-")[0], path.stem) for path in sorted(shipped.glob("*.txt"))
    ]
    installed_lists = [
        PracticeWordList(installed / (file + size), language, name + size)
        for file, (language, name) in _DEBIAN.items()
        for size in _SIZES
        if (installed / (file + size)).is_file()
    ]
    return (*shipped_lists, *installed_lists)
