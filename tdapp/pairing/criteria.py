"""The cost of a pairing: each criterion as an array of integers, one for each pair.

The criteria are those of the help (`resources/help/en/criteria.md`). Hides numpy. Positions are places in the
field from 0; `lower` = the number of entrants stands for the bye. Costs are compared lexicographically in the
order of the names; every one is a sum over the round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.bracket import draw_bits
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.field import DOWN, Entrant, Field

if TYPE_CHECKING:
    import numpy.typing as npt

# The criteria by weight, the first weighs most.
ORDER = ("repeats", "guard", "score_difference", "bye", "floats", "apart", "avoid", "starts", "style", "chance")
CHANCE_BITS = 24
_UNREAD = 0  # value of the bye in arrays that are never read for it
_MOST_MEETINGS = 40  # 2**40 is what one more meeting than this would still cost


class FieldArrays(Struct, frozen=True):
    """A field as arrays by position; the last element is the bye."""

    count: int
    round: int
    settings: PairingSettings
    score: Ints  # the bye is at the lowest score
    meetings: npt.NDArray[np.int8]  # by two positions; in the last column how many byes a player had
    balance: Ints
    floats: Ints  # two rows: the direction in the last round, and in the one before
    group: Ints  # the number of the score group
    place: Ints  # from 0 within the group
    size: Ints  # of the group
    limit: int | None  # the balance of starts that no player may reach
    choices: tuple[Ints, ...]  # equal where two players share what is to be avoided, the first weighs most
    key: npt.NDArray[np.uint64]  # random number of each player
    apart: Ints  # the pairs to be kept apart, each as lower position * count + higher position


def get_arrays(field: Field) -> FieldArrays:
    """Return the arrays of a field with at least one entrant, computed once."""
    if "arrays" not in field.cache:
        field.cache["arrays"] = _compute_arrays(field)
    found: FieldArrays = field.cache["arrays"]
    return found


def _compute_arrays(field: Field) -> FieldArrays:
    entrants, settings = field.entrants, field.settings
    score = _to_array([entrant.score for entrant in entrants])
    group, place, size = number_groups(score)
    avoid = settings.avoid
    if settings.avoid_until is not None and field.number > settings.avoid_until:
        avoid = ()
    return FieldArrays(
        count=len(entrants),
        round=field.number,
        settings=settings,
        score=np.append(score, score.min()),
        meetings=_count_meetings(field),
        balance=_to_array([*(entrant.balance for entrant in entrants), _UNREAD]),
        floats=_to_array([*(entrant.floats for entrant in entrants), (_UNREAD, _UNREAD)]).T,
        group=np.append(group, -1),
        place=np.append(place, 0),
        size=np.append(size, _UNREAD),
        limit=field.balance_limit,
        choices=tuple(_number_texts(entrants, name) for name in avoid),
        key=np.array(
            [draw_bits(field.seed, field.number, number) for number in [*(item.number for item in entrants), 0]],
            dtype=np.uint64,
        ),
        apart=pair_codes(field.apart, field.positions(), len(entrants)),
    )


def number_groups(score: Ints) -> tuple[Ints, Ints, Ints]:
    """Return for each player, in order, the score group, the place in it from 0, and its size.

    All players with one score are a group, even if the standings have others between them.
    """
    _, group, counts = np.unique(-score, return_inverse=True, return_counts=True)
    by_group = np.argsort(group, kind="stable")
    starts = np.cumsum(counts) - counts
    place = np.empty_like(group)
    place[by_group] = np.arange(len(score)) - starts[group[by_group]]
    return group.astype(np.int64), place.astype(np.int64), counts[group].astype(np.int64)


def compute_costs(
    columns: FieldArrays, upper: Ints, lower: Ints, *, order: Sequence[str] = ORDER
) -> dict[str, Ints]:
    """Return the cost of the pairs `upper`-`lower` by criterion, `upper` before `lower` in the standings.

    Criteria without effect under the settings are left out.
    """
    return {name: CRITERIA[name](columns, upper, lower) for name in order if _is_used(columns, name)}


def _is_used(columns: FieldArrays, name: str) -> bool:
    if name == "guard":
        return columns.limit is not None
    if name == "apart":
        return len(columns.apart) > 0
    return not (name == "starts" and columns.settings.draw_starts)


def _repeats(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Count 2^m - 1 for m earlier meetings, or m earlier byes; king of the hill may allow some meetings."""
    earlier = columns.meetings[upper, lower].astype(np.int64)
    allowed = columns.settings.max_repeats or 0
    earlier = np.where(lower < columns.count, np.maximum(earlier - allowed, 0), earlier)
    return np.left_shift(np.int64(1), earlier) - 1


def _guard(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    if columns.limit is None:
        return np.zeros_like(upper)
    starter, replier, game = _balance_after(columns, upper, lower)
    reached = (np.abs(starter) >= columns.limit).astype(np.int64) + (np.abs(replier) >= columns.limit)
    return np.where(game, reached, 0)


def _score_difference(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Square the difference in half points; the bye has the lowest score."""
    return (columns.score[upper] - columns.score[lower]) ** 2


def _bye(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    return np.where(lower == columns.count, columns.score[upper] - columns.score[lower], 0)


def _floats(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Count players who float in the same direction again; twice for the third time in a row."""
    bye = lower == columns.count
    own = np.where(bye, DOWN, np.sign(columns.score[lower] - columns.score[upper]))
    other = np.where(bye, 0, -own)
    return _count_same_floats(columns, upper, own) + _count_same_floats(columns, lower, other)


def _count_same_floats(columns: FieldArrays, player: Ints, direction: Ints) -> Ints:
    last, before = columns.floats[0][player], columns.floats[1][player]
    again: Ints = ((direction != 0) & (direction == last)).astype(np.int64)
    third: Ints = again * (direction == before)
    return again + third


def _apart(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Count pairs to keep apart if it costs no repeat, no score difference and no float.

    It weighs less than those and more than `avoid`: a wish about two players goes before one about a club.
    """
    game = lower < columns.count
    return (game & np.isin(upper * columns.count + lower, columns.apart)).astype(np.int64)


def _avoid(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    total = np.zeros(len(upper), dtype=np.int64)
    for choice in columns.choices:
        total = 2 * total + (choice[upper] == choice[lower])
    return total


def _starts(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Add the squared balances after the game; a bye leaves the balance as it is."""
    starter, replier, game = _balance_after(columns, upper, lower)
    return np.where(game, starter**2 + replier**2, columns.balance[upper] ** 2)


def _balance_after(columns: FieldArrays, upper: Ints, lower: Ints) -> tuple[Ints, Ints, Flags]:
    own, other = columns.balance[upper], columns.balance[lower]
    return np.minimum(own, other) + 1, np.maximum(own, other) - 1, lower < columns.count


_WITHIN: Mapping[PairingStyle, Callable[[Ints, Ints, Ints], Ints]] = {
    PairingStyle.SLIDE: lambda high, low, size: np.abs(2 * (low - high) - size),
    PairingStyle.FOLD: lambda high, low, size: np.abs(high + low - (size - 1)),
    PairingStyle.ADJACENT: lambda high, low, _size: low - high - 1,
    PairingStyle.RANDOM: lambda _high, _low, size: np.zeros_like(size),
}


def _style(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Return the distance in places from the pair that the style wants.

    Between groups: from the bottom of the higher and the top of the lower one.
    """
    high, low, size = columns.place[upper], columns.place[lower], columns.size[upper]
    within = _WITHIN[columns.settings.style](high, low, size)
    same = columns.group[upper] == columns.group[lower]
    if same.all():
        return within
    turned = columns.group[upper] > columns.group[lower]  # only if the standings do not start with score
    descent = size - 1 - high + low
    ascent = columns.size[lower] - 1 - low + high
    between = np.where(turned & (lower < columns.count), ascent, descent)
    return np.where(same, within, between)


def _chance(columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
    mixed = columns.key[upper] + columns.key[lower]
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # as splitmix64 ends
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(64 - CHANCE_BITS)).astype(np.int64)


CRITERIA: Mapping[str, Callable[[FieldArrays, Ints, Ints], Ints]] = {
    "repeats": _repeats,
    "guard": _guard,
    "score_difference": _score_difference,
    "bye": _bye,
    "floats": _floats,
    "apart": _apart,
    "avoid": _avoid,
    "starts": _starts,
    "style": _style,
    "chance": _chance,
}


def _count_meetings(field: Field) -> npt.NDArray[np.int8]:
    positions = field.positions()
    count = len(field.entrants)
    since = field.settings.repeats_from or 0
    table = np.zeros((count, count + 1), dtype=np.int8)
    codes, times = [], []
    for at, entrant in enumerate(field.entrants):
        for other, rounds in entrant.meetings.items():
            if (position := positions.get(other)) is not None:
                codes.append(at * (count + 1) + position)
                times.append(sum(number >= since for number in rounds) if since > 1 else len(rounds))
    table.ravel()[codes] = np.minimum(times, _MOST_MEETINGS)
    table[:, count] = np.minimum([entrant.byes for entrant in field.entrants], _MOST_MEETINGS)
    return table


def pair_codes(pairs: Iterable[frozenset[PlayerId]], positions: Mapping[PlayerId, int], count: int) -> Ints:
    """Return the pairs whose players both have a position, as lower position * count + higher position."""
    found = [sorted(positions[player] for player in pair if player in positions) for pair in pairs]
    return _to_array(sorted(ends[0] * count + ends[1] for ends in found if len(ends) == 2))  # noqa: PLR2004


def _number_texts(entrants: Sequence[Entrant], name: str) -> Ints:
    """Return a number for each player's text in a field such as `club`; empty texts differ from all others."""
    known: dict[str, int] = {}
    codes = [-1 - at for at in range(len(entrants) + 1)]
    for at, entrant in enumerate(entrants):
        text = str(getattr(entrant, name)).strip().casefold()
        if text:
            codes[at] = known.setdefault(text, len(known))
    return _to_array(codes)


def _to_array(values: object) -> Ints:
    return np.array(values, dtype=np.int64)
