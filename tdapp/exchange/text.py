"""Text and JSON from and to files: encodings, lines, size limits and pitfalls of JSON.

Errors of the disk become errors with the file name.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

from tdapp.domain.errors import InputError
from tdapp.domain.text_characters import check_characters

MAX_BYTES = 5_000_000  # a list of 10,000 players is a tenth of this
LARGEST_FILE = 200_000_000  # maximum bytes of a file
STANDARD = Path("-")  # standard input or output
MAX_ROWS = 10_000
MAX_CELL = 500  # characters

_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


def decode_text(data: bytes, source: str, *, limit: int = MAX_BYTES) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a byte order mark, Windows-1252 or Latin-1.

    Raises InputError (file-too-large, file-empty, file-binary).
    """
    if len(data) > limit:
        raise InputError("file-too-large", source=source, megabytes=limit // 1_000_000)
    text = _decode_bytes(data, source).removesuffix("\x1a")  # end-of-file mark of old systems
    if _BINARY.search(text):
        raise InputError("file-binary", source=source)
    if not text.strip():
        raise InputError("file-empty", source=source)
    return text


def _decode_bytes(data: bytes, source: str) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            raise InputError("file-binary", source=source) from error
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def encode_text(text: str) -> bytes:
    """Return `text` in Latin-1 for other programs, or in UTF-8 if `decode` would not restore it."""
    latin = text.encode("latin-1", "replace")
    try:
        misread = latin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or bool(latin.decode())
    except UnicodeDecodeError:
        misread = False
    return text.encode() if misread or latin.decode("latin-1") != text else latin


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`. Only LF, CR and CR LF end a line."""
    return re.split(r"\r\n|\r|\n", text)


def clean_text(text: str) -> str:
    """Return `text` on one line with single blanks and without invisible characters (`domain.signs`)."""
    return " ".join("".join(sign for sign, wrong in check_characters(" ".join(text.split())) if not wrong).split())


def read_file(path: Path) -> bytes:
    """Return the bytes of a file, or of standard input for `-`.

    Raises InputError if it cannot be read, is not a regular file, or exceeds LARGEST_FILE.
    """
    if path == STANDARD:
        return sys.stdin.buffer.read(LARGEST_FILE)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) and not path.is_dir():
            raise InputError("file-not-plain", source=path.name)
        if found.st_size > LARGEST_FILE:
            raise InputError("file-too-large", source=path.name, megabytes=LARGEST_FILE // 1_000_000)
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError("no-file-there", source=path.name) from error
    except OSError as error:
        raise InputError("file-unreadable", source=path.name, problem=error.strerror or str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file for its owner only, and create its folder. Raises InputError if that fails.

    The old content stays until the new is on the disk. Devices are written directly. `-` is standard output.
    """
    if path == STANDARD:
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
    """Return the error for a file or folder that cannot be written."""
    return InputError("file-unwritable", source=path.name, problem=error.strerror or str(error))


_MAX_PROBLEM = 200  # characters


def is_json(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def parse_json(text: str, source: str, *, integer: Callable[[str], int] = int) -> object:
    """Return the value of a JSON text. Raises InputError (json-broken) with the line if known.

    `integer` parses a whole number and may raise ValueError.
    """
    try:
        plain: object = json.loads(text, parse_int=integer, parse_constant=_refuse_constant)
        json.dumps(plain, ensure_ascii=False).encode()  # half a surrogate pair cannot be encoded
    except json.JSONDecodeError as error:
        raise InputError("json-broken", source=source, line=error.lineno, problem=error.msg) from error
    except (ValueError, RecursionError) as error:
        raise InputError("json-broken", source=source, problem=clean_text(str(error))[:_MAX_PROBLEM]) from error
    return plain


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def find_json_lines(text: str) -> dict[str, int]:
    """Return the line of each value of a valid JSON text by its path, such as `turns[3].score`."""
    lines: dict[str, int] = {}
    parents: list[tuple[str, int | None]] = []  # path, and the index of a list
    key: str | None = None
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        mark, (path, index) = token[0], parents[-1] if parents else ("", None)
        if mark in ",:":
            continue
        if mark in "}]":
            parents.pop()
            continue
        if parents and index is None and key is None:
            key = str(json.loads(mark))
            continue
        if index is not None:
            parents[-1], path = (path, index + 1), f"{path}[{index + 1}]"
        elif key is not None:
            path, key = f"{path}.{key}" if path else key, None
        line, at = line + text.count("\n", at, token.start()), token.start()
        lines[path] = line
        if mark in "{[":
            parents.append((path, None if mark == "{" else -1))
    return lines


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is no number")
