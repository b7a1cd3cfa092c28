"""The head of a journal: a short mark, to be printed, of all that a tournament was at one revision.

The hash of a step covers all steps before it, and the first step what there was before any. Whoever has the file
can compute the hashes again after changing something, but then the heads on paper are in the file no longer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from tdapp.domain.errors import RuleViolation
from tdapp.domain.serialization import encode
from tdapp.domain.tournament import KINDS, JournalHead, Row, Tournament

_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # 31, a prime; none is easily taken for another
_LENGTH = 15  # signs of the hash: 74 bits; one to check them follows
_LONGEST = 40  # characters of what was typed that are repeated in an error


class TypedHead(Struct, frozen=True):
    """A head as somebody read it from a printout; `revision` None where only the code was typed."""

    code: str
    revision: int | None


def head_of(revision: int, digest: str) -> JournalHead:
    """Return the head of a revision from the hash of its step (hexadecimal); no code where there is none."""
    if not digest:
        return JournalHead(revision)
    number, values = int(digest, 16), list[int]()
    for _ in range(_LENGTH):
        number, value = divmod(number, len(_SIGNS))
        values.append(value)
    return JournalHead(revision, _grouped([*values, _check_value(values)]))


def typed_head(text: str) -> TypedHead:
    """Return a head with or without the word before it, its revision, spaces, hyphens, in any case.

    Raises RuleViolation "head-mistyped" for what cannot have been printed: its last sign checks the others, any
    one wrong sign and any two that changed places are noticed.
    """
    plain = re.sub(r"[^A-Z0-9]", "", text.upper())
    code, revision = plain[-_LENGTH - 1 :], re.sub("^[A-Z]{8,}", "", plain[: -_LENGTH - 1])
    values = [_SIGNS.find(sign) for sign in code]
    wrong = len(values) != _LENGTH + 1 or -1 in values or _check_value(values[:-1]) != values[-1]
    if wrong or not re.fullmatch(r"[0-9]{0,9}", revision):
        raise RuleViolation("head-mistyped", head=text.strip()[:_LONGEST])
    return TypedHead(_grouped(values), int(revision) if revision else None)


def digest_of(tournament: Tournament) -> str:
    """Return a digest of all rows; without the values that are a field's default: later fields change none."""
    rows = [
        [kind, {item.name: encode(value) for item, value in _values(row) if value != item.default}]
        for kind in KINDS
        for _, row in sorted(tournament.rows(kind).items())
    ]
    return sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def _values(row: Row) -> Iterator[tuple[FieldInfo, Any]]:
    return ((item, getattr(row, item.name)) for item in fields(cast("Struct", row)))


def _check_value(values: list[int]) -> int:
    """Return the value that brings the sum of all, each times its place, to a multiple of 31."""
    return -2 * sum(at * value for at, value in enumerate(values, 1)) % len(_SIGNS)  # 2 * 16 is 1 modulo 31


def _grouped(values: list[int]) -> str:
    signs = "".join(_SIGNS[value] for value in values)
    return " ".join(signs[at : at + 4] for at in range(0, len(signs), 4))
