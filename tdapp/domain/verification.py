"""Check a tournament file against the checksums on its printouts and against its printed reports.

A forger who changes the past of a file must recompute its hashes. Checksums printed before the change then still
match, later ones do not. So each typed checksum gives information, and so do the records of printouts. The hash
of a step covers all earlier steps and the initial state. A checksum is a part of it, short enough to print and
type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from tdapp.domain.erasing import ERASED
from tdapp.domain.errors import RuleViolation
from tdapp.domain.journal import CLOCK, JournalEntry, Step
from tdapp.domain.paper import Printout
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


class SoughtHead(Struct, frozen=True):
    """A checksum from a printout, and the matching `step` of this file, or None.

    `revision` comes from the printout or its record, None if unknown. `erased`: not found because personal
    data was removed since.
    """

    code: str
    step: Step | None
    revision: int | None
    erased: bool = False


class RoundPapers(Struct, frozen=True):
    """Whether all recorded printouts of a round match this file."""

    division: str
    round: int
    agrees: bool


class Verification(Struct, frozen=True):
    """The result of a verification.

    `sound` comes from `check`; `head` is the current checksum. `proven` is the last revision confirmed by a
    checksum (0: none). `broken` is the first with a missing checksum (None: none). `erased` is the step of the
    last removal of personal data (0: none). `clocks` are the steps before which a clock jumped.
    """

    sound: bool
    head: JournalHead
    heads: tuple[SoughtHead, ...]
    rounds: tuple[RoundPapers, ...]
    proven: int
    broken: int | None
    erased: int
    clocks: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """Whether all checks passed."""
        found = all(one.step is not None for one in self.heads)
        return self.sound and found and self.broken is None


def verify_tournament(
    tournament: Tournament, journal: Sequence[JournalEntry], typed: Sequence[TypedHead], *, sound: bool
) -> Verification:
    """Check the whole journal of a tournament against typed checksums."""
    codes = {entry.seq: make_head(entry.seq, entry.digest).code for entry in journal}
    erased = max((entry.seq for entry in journal if entry.label == ERASED), default=0)
    noted = [row for row in _list_printouts(journal) if row.head and row.revision >= erased]
    steps = {codes[entry.seq]: entry for entry in journal}
    before = {row.head: row.revision for row in _list_printouts(journal)}
    heads = tuple(_find_head(one, steps, before, erased) for one in typed)
    lost = [one.revision for one in heads if one.step is None and one.revision is not None and not one.erased]
    lost += [row.revision for row in noted if codes.get(row.revision) != row.head]
    broken = min(lost, default=None)
    return Verification(
        sound=sound,
        head=tournament.head,
        heads=heads,
        rounds=tuple(_check_rounds(tournament, noted, codes, broken)),
        proven=max((one.step.seq for one in heads if one.step is not None), default=0),
        broken=broken,
        erased=erased,
        clocks=tuple(entry for entry in journal if CLOCK in entry.facts),
    )


def _list_printouts(journal: Sequence[JournalEntry]) -> Iterator[Printout]:
    for entry in journal:
        yield from (item.after for item in entry.changes if isinstance(item.after, Printout))


def _find_head(one: TypedHead, steps: Mapping[str, Step], noted: Mapping[str, int], erased: int) -> SoughtHead:
    step = steps.get(one.code)
    if step is not None:
        return SoughtHead(one.code, step, step.seq)
    revision = noted.get(one.code, one.revision)
    return SoughtHead(one.code, None, revision, erased=revision is not None and revision < erased)


def _check_rounds(
    tournament: Tournament, noted: Sequence[Printout], codes: Mapping[int, str], broken: int | None
) -> Iterator[RoundPapers]:
    found: dict[tuple[str, int], bool] = {}
    for row in noted:
        division = tournament.divisions.get(row.division) if row.division is not None else None
        if division is not None and row.round:
            place = division.code, row.round
            agrees = codes.get(row.revision) == row.head and (broken is None or row.revision < broken)
            found[place] = found.get(place, True) and agrees
    for (code, number), agrees in sorted(found.items()):
        yield RoundPapers(code, number, agrees)
