"""Why one player stands above another: the first tie-break on which they differ, as a code with its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from tdapp.domain.standings import Standing


@dataclass(frozen=True, slots=True)
class Above:
    """Why `player` stands above `other`.

    `code` is the id of the tie-break that parts them; `no-value` where it has none for the other, and `equal`
    where none parts them and they are listed by number. Stages part them by `stage-played`, `group-place`,
    `bracket-place` or `play-off`, and leave them `equal-in-bracket`. `facts` say both names, the tie-break's two
    values in points, the two places, or the numbers of the equal.
    """

    code: str
    facts: Mapping[str, str | int | Fraction]


def above(player: Standing, other: Standing) -> Above:
    """Return why `player` stands above `other` in the same standings."""
    facts: dict[str, str | int | Fraction] = {"player": player.player.name, "other": other.player.name}
    staged = _by_stage(player, other)
    if staged:
        return Above(staged, MappingProxyType({**facts, "place": player.place, "other_place": other.place}))
    for (tiebreak, _), key, lower in zip(player.values.items(), player.sort_key, other.sort_key, strict=True):
        if key == lower:
            continue
        value, worse = player.shown(tiebreak), other.shown(tiebreak)
        facts["tiebreak"] = tiebreak
        if value is None or worse is None:
            return Above("no-value", MappingProxyType(facts))
        return Above(tiebreak, MappingProxyType({**facts, "value": value, "other_value": worse}))
    if player.rank != other.rank:
        return Above("play-off", MappingProxyType(facts))
    numbers = {"number": player.player.number, "other_number": other.player.number}
    return Above("equal", MappingProxyType({**facts, **numbers}))


def _by_stage(player: Standing, other: Standing) -> str:
    """Return what parts two players before the tie-breaks: a cut, a knockout, a place in a group; or nothing."""
    if player.stage != other.stage:
        return "stage-played"
    if player.place != other.place:
        return "group-place" if player.group else "bracket-place"
    return "equal-in-bracket" if player.place and not player.group else ""


def reasons(rows: Sequence[Standing]) -> Mapping[str, Above]:
    """Return, by player, why each of the standings is above the next."""
    return MappingProxyType({row.key: above(row, below) for row, below in pairwise(rows)})
