"""The checksum of a journal at one revision, short enough to print and type.

The hash of a step covers all earlier steps and the initial state. A forger can recompute the hashes of a changed
file, but then the printed checksums no longer match.
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
from tdapp.domain.serialization import encode_plain
from tdapp.domain.tournament import KINDS, JournalHead, Row, Tournament

_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # 31 (a prime) characters that are hard to confuse
_LENGTH = 15  # characters of the hash (74 bits), without the check character
_LONGEST = 40  # maximum length of typed text in an error


class TypedHead(Struct, frozen=True):
    """A checksum typed from a printout. `revision` is None if only the code was typed."""

    code: str
    revision: int | None


def make_head(revision: int, digest: str) -> JournalHead:
    """Return the checksum of a revision from the hexadecimal hash of its step. "" gives an empty code."""
    if not digest:
        return JournalHead(revision)
    number, values = int(digest, 16), list[int]()
    for _ in range(_LENGTH):
        number, value = divmod(number, len(_SIGNS))
        values.append(value)
    return JournalHead(revision, _format_groups([*values, _compute_check_value(values)]))


def parse_head(text: str) -> TypedHead:
    """Parse a typed checksum.

    The leading word and the revision are optional; spaces, hyphens and case are ignored.

    Raises RuleViolation "head-mistyped" if the check character does not match. It detects one wrong character
    and two swapped ones.
    """
    plain = re.sub(r"[^A-Z0-9]", "", text.upper())
    code, revision = plain[-_LENGTH - 1 :], re.sub("^[A-Z]{8,}", "", plain[: -_LENGTH - 1])
    values = [_SIGNS.find(sign) for sign in code]
    wrong = len(values) != _LENGTH + 1 or -1 in values or _compute_check_value(values[:-1]) != values[-1]
    if wrong or not re.fullmatch(r"[0-9]{0,9}", revision):
        raise RuleViolation("head-mistyped", head=text.strip()[:_LONGEST])
    return TypedHead(_format_groups(values), int(revision) if revision else None)


def compute_digest(tournament: Tournament) -> str:
    """Return a digest of all rows. Default values are left out, so that new fields do not change it."""
    rows = [
        [kind, {item.name: encode_plain(value) for item, value in _field_values(row) if value != item.default}]
        for kind in KINDS
        for _, row in sorted(tournament.rows(kind).items())
    ]
    return sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def _field_values(row: Row) -> Iterator[tuple[FieldInfo, Any]]:
    return ((item, getattr(row, item.name)) for item in fields(cast("Struct", row)))


def _compute_check_value(values: list[int]) -> int:
    return -2 * sum(at * value for at, value in enumerate(values, 1)) % len(_SIGNS)  # 2 * 16 is 1 modulo 31


def _format_groups(values: list[int]) -> str:
    signs = "".join(_SIGNS[value] for value in values)
    return " ".join(signs[at : at + 4] for at in range(0, len(signs), 4))
