"""Checksums of stored values and their sum, the same as in `station_functions`. SQLite has none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import iter_unpack

_SEAL = 32  # hexadecimal digits
_DIGITS = 15  # of a row's seal in the sum, which then fits in 64 bits on every engine
_MODULUS = 1 << (4 * _DIGITS)
_UNCOUNTED = 64 - 4 * _DIGITS  # bits of eight bytes
_FIRST = ">Q24x"  # these eight of the 32 bytes of a digest
_QUOTED = json.encoder.encode_basestring  # what JSON without ASCII's limits makes of a text


def compute_seal(values: Iterable[object]) -> str:
    """Return the checksum of texts, integers and None."""
    return sha256(_encode_values(values).encode()).hexdigest()[:_SEAL]


def _encode_values(values: Iterable[object]) -> str:
    return f"[{','.join(map(_encode_value, values))}]"


def _encode_value(value: object) -> str:
    return "null" if value is None else _QUOTED(str(value))


def _weigh_texts(texts: Iterable[str]) -> int:
    digests = b"".join([sha256(text.encode()).digest() for text in texts])
    return sum([first >> _UNCOUNTED for (first,) in iter_unpack(_FIRST, digests)])


class Sum:
    """Checksums of rows in any order, added and removed."""

    def __init__(self, value: str = "") -> None:
        self._value = int(value or "0", 16)

    def add(self, kind: str, raw: Sequence[object]) -> None:
        self.add_texts([_encode_values((kind, *raw))])

    def add_texts(self, texts: Iterable[str]) -> None:
        """Add rows given as the JSON that the checksum covers: the kind, then the columns."""
        self._value += _weigh_texts(texts)

    def take(self, kind: str, raw: Sequence[object]) -> None:
        self._value -= _weigh_texts([_encode_values((kind, *raw))])

    def __str__(self) -> str:
        """Return hexadecimal, as stored."""
        return f"{self._value % _MODULUS:0{_DIGITS}x}"
