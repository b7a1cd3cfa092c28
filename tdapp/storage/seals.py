"""Seals: digests of what is kept, and the sum of them by which damage inside a value is noticed.

SQLite has no checksums of its own. `station_functions` computes the same in SQL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256

_SEAL = 32  # hexadecimal digits
_DIGITS = 15  # of a row's seal that are counted: the sum fits in 64 bits on every engine
_MODULUS = 1 << (4 * _DIGITS)
_UNCOUNTED = 64 - 4 * _DIGITS  # bits of eight bytes
_QUOTED = json.encoder.encode_basestring  # what JSON without ASCII's limits makes of a text


def seal(values: Iterable[object]) -> str:
    """Return a digest of texts, integers and None."""
    return _digest(",".join(map(_plain, values))).hex()[:_SEAL]


def _plain(value: object) -> str:
    return "null" if value is None else _QUOTED(str(value))


def _digest(plain: str) -> bytes:
    return sha256(f"[{plain}]".encode()).digest()


def _weight(digest: bytes) -> int:
    """Return what a row counts in a sum: the number that the first digits of its seal are."""
    return int.from_bytes(digest[:8], "big") >> _UNCOUNTED


class Sum:
    """A sum over rows in any order, to which rows can be added and from which they can be taken."""

    def __init__(self, value: str = "") -> None:
        self._value = int(value or "0", 16)

    def add(self, kind: str, raw: Sequence[object]) -> None:
        """Count a row in."""
        self._value += _weight(_digest(",".join(map(_plain, (kind, *raw)))))

    def add_texts(self, texts: Iterable[str]) -> None:
        """Count rows in that are here as the JSON which is sealed: the kind, and the columns as texts."""
        self._value += sum([_weight(sha256(text.encode()).digest()) for text in texts])

    def take(self, kind: str, raw: Sequence[object]) -> None:
        """Count a row out."""
        self._value -= _weight(_digest(",".join(map(_plain, (kind, *raw)))))

    def __str__(self) -> str:
        """Return the sum in hexadecimal, as it is stored."""
        return f"{self._value % _MODULUS:0{_DIGITS}x}"
