"""What a list of players would change in a division: whom each line is about, and what follows from it.

A player is known by the number with the federation, else by the name without case and accents, else by the number
in the division, as far as these do not speak against each other.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tdapp.domain.entries import PlayerEntry
from tdapp.domain.model import Player, PlayerId

# What a line may change of a player who is known; the name only where that is wished.
FIELDS = ("rating", "club", "country", "team", "category", "member", "notes", "fixed_table", "rated_games")


class Meeting(StrEnum):
    """What a line of a list is beside the players who are there."""

    NEW = "new"
    SAME = "same"
    RATING = "rating"  # only the rating is another one
    CHANGED = "changed"
    CONFLICT = "conflict"  # it is not certain whom the line is about


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a player that would be another one."""

    field: str
    old: str | int | None
    new: str | int | None


@dataclass(frozen=True, slots=True)
class Met:
    """A line with the player it is about, None for a new one; of a conflict the one it may be about."""

    entry: PlayerEntry
    meeting: Meeting
    player: Player | None = None
    changes: tuple[FieldChange, ...] = ()


def meet(players: Sequence[Player], entries: Sequence[PlayerEntry], *, names: bool = False) -> tuple[Met, ...]:
    """Return what each line would do to `players`; with `names` it would also change their names."""
    known = _Known(players)
    found = [known.met(entry, names=names) for entry in entries]
    return tuple(met or known.by_number(entry) for entry, met in zip(entries, found, strict=True))


def taken_over(entry: PlayerEntry, *, names: bool) -> dict[str, Any]:
    """Return the fields that a known player takes over from a line: all that say something."""
    fields = (*FIELDS, "name") if names else FIELDS
    return {field: value for field in fields if (value := getattr(entry, field)) not in {None, ""}}


def folded(name: str) -> str:
    """Return a name without case, accents and signs, the same whichever of first and last name comes first."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    words = "".join(sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign)).split()
    return " ".join(sorted(words))


_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij"})


class _Known:
    """The players who are there, by all that they are known by, and who was met already."""

    def __init__(self, players: Sequence[Player]) -> None:
        self._by_member = _by(players, lambda player: player.member.casefold())
        self._by_name = _by(players, lambda player: folded(player.name))
        self._by_number: Mapping[int, Player] = {player.number: player for player in players}
        self._met: set[PlayerId] = set()

    def met(self, entry: PlayerEntry, *, names: bool) -> Met | None:
        """Return what a line would do; None where no player has its name or its number with the federation."""
        by_member = self._by_member.get(entry.member.casefold(), ()) if entry.member else ()
        by_name = self._by_name.get(folded(entry.name), ())
        candidates = [player for player in by_member if player in by_name] or [*by_member] or [*by_name]
        if not candidates:
            return None
        player = candidates[0]
        sure = len(candidates) == 1 and player.id not in self._met and _agree(entry, player, by_member, by_name)
        self._met.add(player.id)
        changes = _changes(entry, player, names=names)
        meeting = Meeting.CHANGED if changes else Meeting.SAME
        if [change.field for change in changes] == ["rating"]:
            meeting = Meeting.RATING
        return Met(entry, meeting if sure else Meeting.CONFLICT, player, changes)

    def by_number(self, entry: PlayerEntry) -> Met:
        """Return a new player, or a conflict where somebody whom no line is about has the number."""
        other = self._by_number.get(entry.number or 0)
        if other is None or other.id in self._met:
            return Met(entry, Meeting.NEW)
        return Met(entry, Meeting.CONFLICT, other, _changes(entry, other, names=True))


def _agree(entry: PlayerEntry, player: Player, by_member: Sequence[Player], by_name: Sequence[Player]) -> bool:
    """Tell whether number with the federation and name do not point to two players."""
    if by_member:
        return not by_name or player in by_name
    return not (entry.member and player.member)


def _by(players: Iterable[Player], key: Callable[[Player], str]) -> dict[str, tuple[Player, ...]]:
    found: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        found[key(player)].append(player)
    return {name: tuple(own) for name, own in found.items() if name}


def _changes(entry: PlayerEntry, player: Player, *, names: bool) -> tuple[FieldChange, ...]:
    fields = taken_over(entry, names=names)
    changes = (FieldChange(field, getattr(player, field), value) for field, value in fields.items())
    return tuple(change for change in changes if change.old != change.new)
