"""Read and write text files and JSON."""

from __future__ import annotations

import codecs
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from msgspec import Struct

from tdapp.domain.entries import ByeEntry, GameEntry, RoundEntry
from tdapp.domain.errors import InputError
from tdapp.domain.text_characters import iterate_characters_with_error_codes

MAX_BYTES = 5_000_000  # a list of 10,000 players is a tenth of this
LARGEST_FILE = 200_000_000  # maximum bytes of a file
STANDARD_STREAM = Path("-")  # standard input or output
MAX_ROWS = 10_000
MAX_COLUMNS = 256
MAX_CELL = 500  # characters

LEGACY = ("cp1252", "cp850", "mac_roman")  # of Windows, DOS and old Macs, for texts without Unicode
ENCODINGS: Mapping[str, str] = {  # with their names
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252",
    "cp850": "DOS (cp850)",
    "mac_roman": "Mac Roman",
}

_NAME_CHARACTERS = frozenset("ÄÅÆÇÈÉËÍÎÑÓÖØÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœŒšŠžŽ\u2019\u201c\u201d\u2013\xa0")
_CAPITAL_INSIDE = re.compile("[a-zß-ÿ](?![A-Z])[^\\W\\d_a-zß-ÿœšž]")  # such as MÅller; McKay has an ASCII capital
_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


class DetectedEncoding(Struct, frozen=True):
    """The encoding of a text. In a UTF-8 text, single lines can have an older encoding."""

    name: str
    legacy: str = ""  # the older encoding of `lines`
    lines: tuple[int, ...] = ()  # line numbers from 1


def detect_encoding(data: bytes) -> DetectedEncoding:
    """Return the encoding of a text.

    If at least one non-ASCII line is valid UTF-8, the text is UTF-8. All invalid lines are read in one legacy
    encoding.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return DetectedEncoding("utf-16")
    if _can_decode(data, "utf-8"):
        return DetectedEncoding("utf-8")
    lines = data.splitlines()
    accented_indexes = [index for index, line in enumerate(lines) if not line.isascii()]
    legacy_indexes = [index for index in accented_indexes if not _can_decode(lines[index], "utf-8")]
    legacy = _detect_legacy_encoding([lines[index] for index in legacy_indexes])
    if len(legacy_indexes) == len(accented_indexes):
        return DetectedEncoding(legacy)
    return DetectedEncoding("utf-8", legacy, tuple(index + 1 for index in legacy_indexes))


def _detect_legacy_encoding(lines: list[bytes]) -> str:
    """Guess the encoding of lines in invalid UTF-8.

    A text without bytes from 128 to 191 is in Windows-1252. For other texts choose the encoding that gives
    the fewest characters that rarely occur in names.
    """
    text = b"\n".join(lines)
    if all(byte < 0x80 or byte >= 0xC0 for byte in text):  # noqa: PLR2004
        return "cp1252"
    unlikely_counts = {
        encoding: _count_unlikely_characters(_decode_legacy_bytes(text, encoding)) for encoding in LEGACY
    }
    candidates = [encoding for encoding in LEGACY if unlikely_counts[encoding] == min(unlikely_counts.values())]
    if len(candidates) == 1:
        return candidates[0]
    from chardet import detect  # noqa: PLC0415 - most texts are UTF-8

    detected_name = detect(text, include_encodings=candidates, no_match_encoding=candidates[0])["encoding"]
    return codecs.lookup(detected_name).name.replace("-", "_") if detected_name else candidates[0]


def _count_unlikely_characters(text: str) -> int:
    count = sum(not character.isascii() and character not in _NAME_CHARACTERS for character in text)
    return count + len(_CAPITAL_INSIDE.findall(text))


def _can_decode(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def decode_text(data: bytes, source: str, *, limit: int = MAX_BYTES, encoding: str = "") -> str:
    """Return the text of a file. `encoding` is a key of ENCODINGS. If it is "", detect the encoding."""
    if len(data) > limit:
        raise InputError("file-too-large", source=source, megabytes=limit // 1_000_000)
    text_encoding = DetectedEncoding(encoding) if encoding else detect_encoding(data)
    text = _decode_bytes(data, text_encoding, source).removesuffix("\x1a")  # end-of-file mark of old systems
    if _BINARY.search(text):
        raise InputError("file-binary", source=source)
    if not text.strip():
        raise InputError("file-empty", source=source)
    return text


def _decode_bytes(data: bytes, encoding: DetectedEncoding, source: str) -> str:
    if encoding.name == "utf-16":
        try:
            return data.decode("utf-16").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            raise InputError("file-binary", source=source) from error
    if encoding.name != "utf-8":
        return _decode_legacy_bytes(data, encoding.name)
    if not encoding.legacy:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError("file-encoding", source=source, encoding="UTF-8") from error
    legacy = frozenset(encoding.lines)
    return "".join(
        _decode_legacy_bytes(line, encoding.legacy)
        if number in legacy
        else line.decode("utf-8-sig" if number == 1 else "utf-8")
        for number, line in enumerate(data.splitlines(keepends=True), 1)
    )


def _decode_legacy_bytes(data: bytes, encoding: str) -> str:
    return codecs.charmap_decode(data, "strict", _make_decoding_table(encoding))[0]


@cache
def _make_decoding_table(encoding: str) -> str:
    """Return the characters of bytes 0 to 255.

    A byte undefined in `encoding` becomes a control character, which imports report.
    """
    codes = (bytes([code]) for code in range(256))
    return "".join(code.decode(encoding if _can_decode(code, encoding) else "latin-1") for code in codes)


def encode_as_latin_or_utf8(text: str) -> bytes:
    """Encode a text as Latin-1, or as UTF-8 if `decode_text` could not restore the text from Latin-1."""
    latin = text.encode("latin-1", "replace")
    encoding = detect_encoding(latin)
    is_restored = encoding.name != "utf-16" and _decode_bytes(latin, encoding, "") == text
    return latin if is_restored else text.encode()


def split_lines(text: str) -> list[str]:
    """Split at LF, CR and CR LF only."""
    return re.split(r"\r\n|\r|\n", text)


def clean_text_to_one_line(text: str) -> str:
    """Return a text as one line with single blanks, without invisible characters (`domain.text_characters`)."""
    characters = iterate_characters_with_error_codes(" ".join(text.split()))
    return " ".join("".join(character for character, problem in characters if not problem).split())


def read_file(path: Path) -> bytes:
    """Return the content of a file. If the path is `-`, read standard input. Raises InputError."""
    if path == STANDARD_STREAM:
        return sys.stdin.buffer.read(LARGEST_FILE)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) and not path.is_dir():
            raise InputError("file-not-plain", source=path.name)
        if status.st_size > LARGEST_FILE:
            raise InputError("file-too-large", source=path.name, megabytes=LARGEST_FILE // 1_000_000)
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError("no-file-there", source=path.name) from error
    except OSError as error:
        raise InputError("file-unreadable", source=path.name, problem=error.strerror or str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file, and create its folder. Raises InputError.

    Only the owner can read a new file. The old content is replaced only when the new content is on the disk. A
    device is written directly. `-` is standard output.
    """
    if path == STANDARD_STREAM:
        sys.stdout.buffer.write(content)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace_file(path.resolve(), content)
    except OSError as error:
        raise make_write_error(path, error) from error


def _replace_file(path: Path, content: bytes) -> None:
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
            part.close()
            if path.exists():
                shutil.copymode(path, part.name)
            Path(part.name).replace(path)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise


def make_write_error(path: Path, error: OSError) -> InputError:
    return InputError("file-unwritable", source=path.name, problem=error.strerror or str(error))


_MAX_PROBLEM = 200  # characters


def is_json(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def parse_json(text: str, source: str, *, parse_integer: Callable[[str], int] = int) -> object:
    """Return the value of a JSON text. `parse_integer` reads whole numbers. Its ValueError becomes InputError."""
    try:
        value: object = json.loads(text, parse_int=parse_integer, parse_constant=_refuse_json_constant)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair cannot be encoded
    except json.JSONDecodeError as error:
        raise InputError("json-broken", source=source, line=error.lineno, problem=error.msg) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            "json-broken", source=source, problem=clean_text_to_one_line(str(error))[:_MAX_PROBLEM]
        ) from error
    return value


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def map_json_paths_to_line_numbers(text: str) -> dict[str, int]:
    """Return the line number of each value by path, such as `turns[3].score`."""
    lines: dict[str, int] = {}
    parents: list[tuple[str, int | None]] = []  # path, and the index of a list
    key: str | None = None
    line, offset = 1, 0
    for token in _TOKEN.finditer(text):
        symbol, (path, index) = token[0], parents[-1] if parents else ("", None)
        if symbol in ",:":
            continue
        if symbol in "}]":
            parents.pop()
            continue
        if parents and index is None and key is None:
            key = str(json.loads(symbol))
            continue
        if index is not None:
            parents[-1], path = (path, index + 1), f"{path}[{index + 1}]"
        elif key is not None:
            path, key = f"{path}.{key}" if path else key, None
        line, offset = line + text.count("\n", offset, token.start()), token.start()
        lines[path] = line
        if symbol in "{[":
            parents.append((path, None if symbol == "{" else -1))
    return lines


def _refuse_json_constant(word: str) -> object:
    raise ValueError(f"{word} is no number")


T = TypeVar("T")


def get_value_of_round(values: Sequence[T | None], number: int) -> T | None:
    return values[number - 1] if number <= len(values) else None


def make_round_entry(
    number: int,
    opponents: Sequence[int | None],
    make_game: Callable[[int, int], GameEntry],
    make_bye: Callable[[int], ByeEntry],
    make_error: Callable[..., InputError],
) -> RoundEntry:
    """Make a round from the opponent of each player.

    An opponent is a player number (from 1), 0 for a bye, or None for no game and no bye. Raises the error of
    `make_error` for impossible `opponents`, such as [1], [5] or [2, 3, 1].
    """
    games: list[GameEntry] = []
    byes: list[ByeEntry] = []
    for position, opponent in enumerate(opponents, 1):
        if opponent is None:
            continue
        if opponent == 0:
            byes.append(make_bye(position))
            continue
        if opponent > len(opponents):
            raise make_error("tsh-no-such-player", position, opponent=opponent)
        if opponent == position:
            raise make_error("tsh-against-self", position)
        if (actual_opponent := opponents[opponent - 1]) != position:
            raise make_error("tsh-asymmetric", position, opponent=opponent, found=actual_opponent)
        if position < opponent:
            games.append(make_game(position, opponent))
    return RoundEntry(number, tuple(games), tuple(sorted(byes, key=lambda bye: bye.player)))
