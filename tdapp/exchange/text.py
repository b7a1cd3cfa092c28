"""From bytes to text and back: encodings, lines, and the sizes that are still believable."""

from __future__ import annotations

import codecs
import re

from tdapp.domain.errors import InputError

MAX_BYTES = 5_000_000  # a list of 10,000 players is a tenth of this
MAX_ROWS = 10_000
MAX_CELL = 500  # characters

_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


def decode(data: bytes, source: str, *, limit: int = MAX_BYTES) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a byte order mark, or else Windows-1252 or Latin-1.

    Raise InputError (file-too-large, file-empty, file-binary) for what is no text of a person's making.
    """
    if len(data) > limit:
        raise InputError("file-too-large", source=source, megabytes=limit // 1_000_000)
    text = _decoded(data, source).removesuffix("\x1a")  # an end mark of old systems
    if _BINARY.search(text):
        raise InputError("file-binary", source=source)
    if not text.strip():
        raise InputError("file-empty", source=source)
    return text


def _decoded(data: bytes, source: str) -> str:
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


def encoded(text: str) -> bytes:
    """Return `text` in Latin-1, which other programs expect, or in UTF-8 where `decode` would not read it back."""
    latin = text.encode("latin-1", "replace")
    try:
        misread = latin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or bool(latin.decode())
    except UnicodeDecodeError:
        misread = False
    return text.encode() if misread or latin.decode("latin-1") != text else latin


def lines(text: str) -> list[str]:
    """Return the lines of `text`, ended in any of the three ways; nothing else ends a line."""
    return re.split(r"\r\n|\r|\n", text)


def clean(text: str) -> str:
    """Return `text` on one line: single blanks, and nothing that cannot be printed."""
    return " ".join("".join(char if char.isprintable() else "" for char in " ".join(text.split())).split())
