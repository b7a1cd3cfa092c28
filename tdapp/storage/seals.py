"""Seals: digests of what is kept, and the sum of them by which damage inside a value is noticed.

SQLite has no checksums of its own. `station_functions` computes the same in SQL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import iter_unpack

_SEAL = 32  # hexadecimal digits
_DIGITS = 15  # of a row's seal that are counted: the sum fits in 64 bits on every engine
_MODULUS = 1 << (4 * _DIGITS)
_UNCOUNTED = 64 - 4 * _DIGITS  # bits of eight bytes
_FIRST = ">Q24x"  # these eight of the 32 bytes of a digest
_QUOTED = json.encoder.encode_basestring  # what JSON without ASCII's limits makes of a text


def seal(values: Iterable[object]) -> str:
    """Return a digest of texts, integers and None."""
    return sha256(_json(values).encode()).hexdigest()[:_SEAL]


def _json(values: Iterable[object]) -> str:
    return f"[{','.join(map(_plain, values))}]"


def _plain(value: object) -> str:
    return "null" if value is None else _QUOTED(str(value))


def _weight(texts: Iterable[str]) -> int:
    """Return what rows count in a sum: each the number that the first digits of its seal are."""
    digests = b"".join([sha256(text.encode()).digest() for text in texts])
    return sum([first >> _UNCOUNTED for (first,) in iter_unpack(_FIRST, digests)])


class Sum:
    """A sum over rows in any order, to which rows can be added and from which they can be taken."""

    def __init__(self, value: str = "") -> None:
        self._value = int(value or "0", 16)

    def add(self, kind: str, raw: Sequence[object]) -> None:
        """Count a row in."""
        self.add_texts([_json((kind, *raw))])

    def add_texts(self, texts: Iterable[str]) -> None:
        """Count rows in that are here as the JSON which is sealed: the kind, and the columns as texts."""
        self._value += _weight(texts)

    def take(self, kind: str, raw: Sequence[object]) -> None:
        """Count a row out."""
        self._value -= _weight([_json((kind, *raw))])

    def __str__(self) -> str:
        """Return the sum in hexadecimal, as it is stored."""
        return f"{self._value % _MODULUS:0{_DIGITS}x}"
