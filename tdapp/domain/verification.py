"""Check a tournament file against the checksums on its printouts.

The journal contains the changes (steps), each with a hash over all earlier steps. After a change of a step, all
later printed checksums no longer match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from tdapp.domain.erasing import ERASE_LABEL
from tdapp.domain.errors import CommandError
from tdapp.domain.journal import CLOCK_JUMP, JournalEntry, Step
from tdapp.domain.paper import Printout
from tdapp.domain.serialization import convert_to_builtins
from tdapp.domain.tournament import KINDS, JournalChecksum, Tournament, get_field_defaults

_CHARACTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # 31 (a prime) characters, hard to confuse
_CODE_LENGTH = 15  # characters of the hash (74 bits), without the check character
_MAX_SHOWN_LENGTH = 40  # of typed text in an error


class EnteredChecksum(Struct, frozen=True):
    """A checksum that the user typed from a printout."""

    code: str
    revision: int | None  # None if only the code was typed


def make_journal_checksum(revision: int, digest: str) -> JournalChecksum:
    """Return the checksum of a journal revision from its hexadecimal hash `digest`.

    If `digest` is "", the checksum contains only the revision number.
    """
    if not digest:
        return JournalChecksum(revision)
    number, values = int(digest, 16), list[int]()
    for _ in range(_CODE_LENGTH):
        number, value = divmod(number, len(_CHARACTERS))
        values.append(value)
    return JournalChecksum(revision, _format_checksum_groups([*values, _compute_check_character_value(values)]))


def parse_entered_checksum(text: str) -> EnteredChecksum:
    """Return the revision and code in a typed checksum. Ignore preceding words, spaces, hyphens and case.

    The revision is optional. Raises CommandError "head-mistyped" for a wrong check character.
    """
    compact_text = re.sub(r"[^A-Z0-9]", "", text.upper())
    code, revision = compact_text[-_CODE_LENGTH - 1 :], re.sub("^[A-Z]{8,}", "", compact_text[: -_CODE_LENGTH - 1])
    values = [_CHARACTERS.find(character) for character in code]
    is_mistyped = (
        len(values) != _CODE_LENGTH + 1
        or -1 in values
        or _compute_check_character_value(values[:-1]) != values[-1]
    )
    if is_mistyped or not re.fullmatch(r"[0-9]{0,9}", revision):
        raise CommandError("head-mistyped", head=text.strip()[:_MAX_SHOWN_LENGTH])
    return EnteredChecksum(_format_checksum_groups(values), int(revision) if revision else None)


def compute_tournament_digest(tournament: Tournament) -> str:
    """Return a digest of all rows. It omits default values, so that new fields do not change it."""
    rows = [
        [
            kind,
            {
                name: convert_to_builtins(value)
                for name, default in get_field_defaults(type(row)).items()
                if (value := getattr(row, name)) != default
            },
        ]
        for kind in KINDS
        for _, row in sorted(tournament.rows(kind).items())
    ]
    return sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def _compute_check_character_value(values: list[int]) -> int:
    return (
        -2 * sum(position * value for position, value in enumerate(values, 1)) % len(_CHARACTERS)
    )  # 2 * 16 is 1 modulo 31


def _format_checksum_groups(values: list[int]) -> str:
    code = "".join(_CHARACTERS[value] for value in values)
    return " ".join(code[start : start + 4] for start in range(0, len(code), 4))


class TypedChecksumComparison(Struct, frozen=True):
    """A typed checksum, compared with the steps of the journal."""

    code: str
    step: Step | None  # the matching step of this file, None if not found
    revision: int | None
    erased: bool = False  # not found, because the personal data of a player was erased since


class RoundPrintoutCheck(Struct, frozen=True):
    """A round, and whether all its recorded printouts match this file."""

    division: str
    round: int
    agrees: bool


class PrintoutVerification(Struct, frozen=True):
    """The result of checking a file against printed checksums."""

    sound: bool  # the database file is undamaged
    head: JournalChecksum
    heads: tuple[TypedChecksumComparison, ...]
    rounds: tuple[RoundPrintoutCheck, ...]
    proven: int  # last revision that a typed checksum confirms, 0 if none
    broken: int | None  # first revision whose checksum does not match, or None
    erased: int  # step of the last erasure of personal data, 0 if none
    clocks: tuple[Step, ...]  # steps before which the computer's clock jumped

    @property
    def is_confirmed(self) -> bool:
        all_found = all(head.step is not None for head in self.heads)
        return self.sound and all_found and self.broken is None


def verify_tournament(
    tournament: Tournament,
    journal: Sequence[JournalEntry],
    typed_checksums: Sequence[EnteredChecksum],
    *,
    is_database_undamaged: bool,
) -> PrintoutVerification:
    """Check the whole journal against typed checksums."""
    codes = {entry.seq: make_journal_checksum(entry.seq, entry.digest).code for entry in journal}
    erased = max((entry.seq for entry in journal if entry.label == ERASE_LABEL), default=0)
    printouts = [row for row in _list_printouts(journal) if row.head and row.revision >= erased]
    steps = {codes[entry.seq]: entry for entry in journal}
    revisions_by_code = {row.head: row.revision for row in _list_printouts(journal)}
    heads = tuple(
        _match_typed_checksum(checksum, steps, revisions_by_code, erased) for checksum in typed_checksums
    )
    broken_revisions = [
        head.revision for head in heads if head.step is None and head.revision is not None and not head.erased
    ]
    broken_revisions += [row.revision for row in printouts if codes.get(row.revision) != row.head]
    broken = min(broken_revisions, default=None)
    return PrintoutVerification(
        sound=is_database_undamaged,
        head=tournament.head,
        heads=heads,
        rounds=tuple(_check_round_printouts(tournament, printouts, codes, broken)),
        proven=max((head.step.seq for head in heads if head.step is not None), default=0),
        broken=broken,
        erased=erased,
        clocks=tuple(entry for entry in journal if CLOCK_JUMP in entry.facts),
    )


def _list_printouts(journal: Sequence[JournalEntry]) -> Iterator[Printout]:
    for entry in journal:
        yield from (item.after for item in entry.changes if isinstance(item.after, Printout))


def _match_typed_checksum(
    checksum: EnteredChecksum, steps: Mapping[str, Step], revisions_by_code: Mapping[str, int], erased: int
) -> TypedChecksumComparison:
    step = steps.get(checksum.code)
    if step is not None:
        return TypedChecksumComparison(checksum.code, step, step.seq)
    revision = revisions_by_code.get(checksum.code, checksum.revision)
    return TypedChecksumComparison(
        checksum.code, None, revision, erased=revision is not None and revision < erased
    )


def _check_round_printouts(
    tournament: Tournament, printouts: Sequence[Printout], codes: Mapping[int, str], broken: int | None
) -> Iterator[RoundPrintoutCheck]:
    agreement: dict[tuple[str, int], bool] = {}
    for row in printouts:
        division = tournament.divisions.get(row.division) if row.division is not None else None
        if division is not None and row.round:
            key = division.code, row.round
            is_match = codes.get(row.revision) == row.head and (broken is None or row.revision < broken)
            agreement[key] = agreement.get(key, True) and is_match
    for (code, number), is_match in sorted(agreement.items()):
        yield RoundPrintoutCheck(code, number, is_match)
