"""Computes the cost of pairs by criterion, as arrays with one integer for each pair.

The help explains the criteria (`resources/help/en/criteria.md`). Positions are ranks in the field, from 0; the
number of entrants is the position of the bye. The cost of a round is the sum over its pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.bracket import draw_random_bits
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.field import DOWN, Entrant, PairingField

if TYPE_CHECKING:
    import numpy.typing as npt

# The criteria by weight, the first weighs most.
ORDER = ("repeats", "guard", "score_difference", "bye", "floats", "apart", "avoid", "starts", "style", "chance")
CHANCE_BITS = 24
# An evening also weighs the earlier evenings, a meeting so many evenings ago by _RECENT divided by the evenings.
_RECENT = 100
_UNREAD = 0  # value of the bye in arrays that are never read for it
_ABOVE_ALL_PAIRS = 2**62  # a code that no pair of positions has
_MOST_MEETINGS = 40  # 2**40 is what one more meeting than this would still cost


class PairValues(Struct, frozen=True):
    """A number for some pairs of positions; all other pairs have 0.

    Its memory is linear in the number of pairs.
    """

    width: int  # number of positions with the bye
    codes: Ints  # one position * width + the other, ascending, then _ABOVE_ALL_PAIRS
    numbers: Ints

    def get_values_of_pairs(self, upper: Ints, lower: Ints) -> Ints:
        """Return the number stored for each pair of positions, 0 for a pair without one."""
        wanted = upper * self.width + lower
        at = np.searchsorted(self.codes, wanted)
        return np.where(self.codes[at] == wanted, self.numbers[at], 0)


class FieldColumns(Struct, frozen=True):
    """The data of a field as NumPy arrays, indexed by position. The last element is the bye."""

    count: int
    round: int
    settings: PairingSettings
    score: Ints  # the bye is at the lowest score
    meetings: PairValues  # with the bye: how many byes a player had
    balance: Ints
    floats: Ints  # two rows: the direction in the last round, and in the one before
    score_group: Ints  # its number
    place_in_group: Ints  # from 0
    group_size: Ints
    start_balance_limit: int | None  # the balance of starts that no player may reach
    avoided_traits: tuple[
        Ints, ...
    ]  # equal numbers for players of one club and so on; the first trait weighs most
    random_key: npt.NDArray[np.uint64]  # random number of each player
    pairs_kept_apart: Ints  # the pairs to be kept apart, each as lower position * count + higher position
    earlier_evening_weights: PairValues  # the weight of meetings on earlier evenings
    earlier_byes: Ints


def get_field_columns(field: PairingField) -> FieldColumns:
    if "arrays" not in field.cache:
        field.cache["arrays"] = _compute_columns(field)
    found: FieldColumns = field.cache["arrays"]
    return found


def _compute_columns(field: PairingField) -> FieldColumns:
    entrants, settings = field.entrants, field.settings
    score = _to_array([entrant.score for entrant in entrants])
    group, place, size = assign_score_groups(score)
    avoid = settings.avoid
    if settings.avoid_until is not None and field.number > settings.avoid_until:
        avoid = ()
    return FieldColumns(
        count=len(entrants),
        round=field.number,
        settings=settings,
        score=np.append(score, score.min()),
        meetings=_count_meetings(field),
        balance=_to_array([*(entrant.balance for entrant in entrants), _UNREAD]),
        floats=_to_array([*(entrant.floats for entrant in entrants), (_UNREAD, _UNREAD)]).T,
        score_group=np.append(group, -1),
        place_in_group=np.append(place, 0),
        group_size=np.append(size, _UNREAD),
        start_balance_limit=field.balance_limit,
        avoided_traits=tuple(_number_equal_texts(entrants, name) for name in avoid),
        random_key=np.array(
            [
                draw_random_bits(field.seed, field.number, number)
                for number in [*(item.number for item in entrants), 0]
            ],
            dtype=np.uint64,
        ),
        pairs_kept_apart=encode_pairs(field.apart, field.map_positions(), len(entrants)),
        earlier_evening_weights=_weigh_earlier_meetings(field),
        earlier_byes=_to_array([*(entrant.earlier_byes for entrant in entrants), _UNREAD]),
    )


def adapt_criteria_order(order: Sequence[str], field: PairingField) -> tuple[str, ...]:
    """Return the criteria of `order`, adapted if the round belongs to a club evening.

    Then `earlier_byes` and `season` are added, and `repeats` comes first.
    """
    if not field.is_evening:
        return tuple(order)
    others = [name for name in order if name not in {"repeats", "apart"}]
    at = next((at for at, name in enumerate(others) if name in {"starts", "style", "chance"}), len(others))
    return ("repeats", "earlier_byes", "apart", *others[:at], "season", *others[at:])


def assign_score_groups(score: Ints) -> tuple[Ints, Ints, Ints]:
    """Return each player's group number, index in the group, and group size.

    All players with equal scores form one group, whatever their ranks.
    """
    _, group, counts = np.unique(-score, return_inverse=True, return_counts=True)
    by_group = np.argsort(group, kind="stable")
    starts = np.cumsum(counts) - counts
    place = np.empty_like(group)
    place[by_group] = np.arange(len(score)) - starts[group[by_group]]
    return group.astype(np.int64), place.astype(np.int64), counts[group].astype(np.int64)


def compute_costs(
    columns: FieldColumns, upper: Ints, lower: Ints, *, order: Sequence[str] = ORDER
) -> dict[str, Ints]:
    """Return the costs of pairs by criterion. A pair consists of a better placed position and a lower one."""
    return {name: CRITERIA[name](columns, upper, lower) for name in order if _is_criterion_used(columns, name)}


def _is_criterion_used(columns: FieldColumns, name: str) -> bool:
    if name == "guard":
        return columns.start_balance_limit is not None
    if name == "apart":
        return len(columns.pairs_kept_apart) > 0
    return not (name == "starts" and columns.settings.draw_starts)


def _compute_repeats_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    """Return 2^m - 1 for m earlier meetings, or m earlier byes. The first `max_repeats` meetings do not count."""
    earlier = columns.meetings.get_values_of_pairs(upper, lower)
    allowed = columns.settings.max_repeats or 0
    earlier = np.where(lower < columns.count, np.maximum(earlier - allowed, 0), earlier)
    return np.left_shift(np.int64(1), earlier) - 1


def _compute_guarded_starts_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    if columns.start_balance_limit is None:
        return np.zeros_like(upper)
    starter, replier, game = _compute_balances(columns, upper, lower)
    reached = (np.abs(starter) >= columns.start_balance_limit).astype(np.int64) + (
        np.abs(replier) >= columns.start_balance_limit
    )
    return np.where(game, reached, 0)


def _compute_score_difference_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    """Return the square of the score difference in half points."""
    return (columns.score[upper] - columns.score[lower]) ** 2


def _compute_bye_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    return np.where(lower == columns.count, columns.score[upper] - columns.score[lower], 0)


def _compute_floats_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    """Return the number of players who float in the same direction as in the last round.

    A player who also did so in the round before counts twice.
    """
    bye = lower == columns.count
    own = np.where(bye, DOWN, np.sign(columns.score[lower] - columns.score[upper]))
    other = np.where(bye, 0, -own)
    return _count_same_floats(columns, upper, own) + _count_same_floats(columns, lower, other)


def _count_same_floats(columns: FieldColumns, player: Ints, direction: Ints) -> Ints:
    last, before = columns.floats[0][player], columns.floats[1][player]
    again: Ints = ((direction != 0) & (direction == last)).astype(np.int64)
    third: Ints = again * (direction == before)
    return again + third


def _compute_kept_apart_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    game = lower < columns.count
    return (game & np.isin(upper * columns.count + lower, columns.pairs_kept_apart)).astype(np.int64)


def _compute_season_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    return columns.earlier_evening_weights.get_values_of_pairs(upper, lower)


def _compute_earlier_byes_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    return np.where(lower == columns.count, columns.earlier_byes[upper], 0)


def _compute_same_group_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    total = np.zeros(len(upper), dtype=np.int64)
    for choice in columns.avoided_traits:
        total = 2 * total + (choice[upper] == choice[lower])
    return total


def _compute_starts_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    """Return the sum of the squared balances of starts after the game. A bye does not change a balance."""
    starter, replier, game = _compute_balances(columns, upper, lower)
    return np.where(game, starter**2 + replier**2, columns.balance[upper] ** 2)


def _compute_balances(columns: FieldColumns, upper: Ints, lower: Ints) -> tuple[Ints, Ints, Flags]:
    own, other = columns.balance[upper], columns.balance[lower]
    return np.minimum(own, other) + 1, np.maximum(own, other) - 1, lower < columns.count


_WITHIN: Mapping[PairingStyle, Callable[[Ints, Ints, Ints], Ints]] = {
    PairingStyle.SLIDE: lambda high, low, size: np.abs(2 * (low - high) - size),
    PairingStyle.FOLD: lambda high, low, size: np.abs(high + low - (size - 1)),
    PairingStyle.ADJACENT: lambda high, low, _size: low - high - 1,
    PairingStyle.RANDOM: lambda _high, _low, size: np.zeros_like(size),
}


def _compute_style_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    """Return the distance in ranks between each opponent and the opponent that the pairing style prescribes.

    If the two players belong to different score groups, return the distance of one player from the bottom of the
    higher group plus the distance of the other from the top of the lower group.
    """
    high, low, size = columns.place_in_group[upper], columns.place_in_group[lower], columns.group_size[upper]
    within = _WITHIN[columns.settings.style](high, low, size)
    same = columns.score_group[upper] == columns.score_group[lower]
    if same.all():
        return within
    turned = (
        columns.score_group[upper] > columns.score_group[lower]
    )  # only if the standings do not start with score
    descent = size - 1 - high + low
    ascent = columns.group_size[lower] - 1 - low + high
    between = np.where(turned & (lower < columns.count), ascent, descent)
    return np.where(same, within, between)


def _compute_random_cost(columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
    mixed = columns.random_key[upper] + columns.random_key[lower]
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # as splitmix64 ends
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(64 - CHANCE_BITS)).astype(np.int64)


CRITERIA: Mapping[str, Callable[[FieldColumns, Ints, Ints], Ints]] = {
    "repeats": _compute_repeats_cost,
    "guard": _compute_guarded_starts_cost,
    "score_difference": _compute_score_difference_cost,
    "bye": _compute_bye_cost,
    "floats": _compute_floats_cost,
    "apart": _compute_kept_apart_cost,
    "avoid": _compute_same_group_cost,
    "starts": _compute_starts_cost,
    "style": _compute_style_cost,
    "chance": _compute_random_cost,
    "season": _compute_season_cost,
    "earlier_byes": _compute_earlier_byes_cost,
}


def _count_meetings(field: PairingField) -> PairValues:
    since = field.settings.repeats_from or 0

    def count_meetings_that_count(rounds: Sequence[int]) -> int:
        counted = [number for number in rounds if number >= since] if since > 1 else rounds
        return min(field.count_rounds_tonight(counted), _MOST_MEETINGS)

    byes = [min(entrant.byes, _MOST_MEETINGS) for entrant in field.entrants]
    return _make_pair_numbers(field.entrants, count_meetings_that_count, byes)


def _weigh_earlier_meetings(field: PairingField) -> PairValues:
    def weigh_rounds(rounds: Sequence[int]) -> int:
        return sum(
            -(-_RECENT // field.evenings[number].evenings_ago)
            for number in rounds
            if field.evenings[number].evenings_ago
        )

    return _make_pair_numbers(field.entrants if field.evenings else (), weigh_rounds)


def _make_pair_numbers(
    entrants: Sequence[Entrant], compute_number: Callable[[Sequence[int]], int], byes: Iterable[int] = ()
) -> PairValues:
    """Return a number for each two players who met: `compute_number` of the rounds in which they met.

    `byes` contains, for each entrant, the number for the pair of this entrant and the bye.
    """
    positions = {entrant.player: at for at, entrant in enumerate(entrants)}
    width = len(entrants) + 1
    found = {(at + 1) * width - 1: number for at, number in enumerate(byes) if number}
    for at, entrant in enumerate(entrants):
        for other, rounds in entrant.meetings.items():
            if (position := positions.get(other)) is not None:
                found[at * width + position] = compute_number(rounds)
    codes = sorted(found)
    return PairValues(width, _to_array([*codes, _ABOVE_ALL_PAIRS]), _to_array([*map(found.__getitem__, codes), 0]))


def encode_pairs(pairs: Iterable[frozenset[PlayerId]], positions: Mapping[PlayerId, int], count: int) -> Ints:
    """Return pairs of players as numbers: lower position * count + higher position."""
    found = [sorted(positions[player] for player in pair if player in positions) for pair in pairs]
    return _to_array(sorted(ends[0] * count + ends[1] for ends in found if len(ends) == 2))  # noqa: PLR2004


def _number_equal_texts(entrants: Sequence[Entrant], name: str) -> Ints:
    """Return a number for each player's text in a field such as `club`. Equal non-empty texts share a number."""
    known: dict[str, int] = {}
    codes = [-1 - at for at in range(len(entrants) + 1)]
    for at, entrant in enumerate(entrants):
        text = str(getattr(entrant, name)).strip().casefold()
        if text:
            codes[at] = known.setdefault(text, len(known))
    return _to_array(codes)


def _to_array(values: object) -> Ints:
    return np.array(values, dtype=np.int64)
