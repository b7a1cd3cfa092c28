"""Computes the cost of pairs by criterion, as arrays with one integer for each pair.

The help explains the criteria (`resources/help/en/criteria.md`). Positions are ranks in the field, from 0. The
bye has the position after the last player. The cost of a round is the sum over its pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.bracket import generate_random_bits
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.field import DOWN, Entrant, PairingField

if TYPE_CHECKING:
    import numpy.typing as npt

# The criteria, the most important first.
ORDER = ("repeats", "guard", "score_difference", "bye", "floats", "apart", "avoid", "starts", "style", "chance")
CHANCE_BITS = 24
_LAST_EVENING_WEIGHT = 100  # of a meeting on the last evening; n evenings ago, a meeting has an n-th of it
_UNUSED_VALUE = 0  # for the bye, in arrays where its value is never read
_ABOVE_ALL_PAIRS = 2**62  # a code that no pair of positions has
_MAX_MEETINGS = 40  # more meetings cost the same


class SparsePairMatrix(Struct, frozen=True):
    """A sparse matrix: a number for some pairs of positions, 0 for all others."""

    width: int  # number of positions with the bye
    codes: Ints  # one position * width + the other, ascending, then _ABOVE_ALL_PAIRS
    numbers: Ints

    def get_values_of_pairs(self, upper: Ints, lower: Ints) -> Ints:

        pair_codes = upper * self.width + lower
        indices = np.searchsorted(self.codes, pair_codes)
        return np.where(self.codes[indices] == pair_codes, self.numbers[indices], 0)


class PairingFieldArrays(Struct, frozen=True):
    """The data of a field as NumPy arrays, indexed by position. The last element is the bye."""

    count: int
    round: int
    settings: PairingSettings
    score: Ints  # the bye is at the lowest score
    meetings: SparsePairMatrix  # with the bye: the number of byes
    start_balance: Ints
    floats: Ints  # two rows: the direction in the last round, and in the one before
    score_group: Ints
    index_in_group: Ints  # from 0
    group_size: Ints
    limit_of_start_balance: int | None  # the criterion `guard` keeps balances below it
    # for club, country and so on, the most important trait first: players with equal numbers share the trait
    avoided_traits: tuple[Ints, ...]
    random_key: npt.NDArray[np.uint64]
    pairs_kept_apart: Ints  # each as a number, see `convert_pairs_to_numbers`
    earlier_evening_weights: SparsePairMatrix  # of meetings on earlier evenings
    earlier_byes: Ints


def get_pairing_field_arrays(field: PairingField) -> PairingFieldArrays:
    if "arrays" not in field.cached_arrays:
        field.cached_arrays["arrays"] = _compute_pairing_field_arrays(field)
    columns: PairingFieldArrays = field.cached_arrays["arrays"]
    return columns


def _compute_pairing_field_arrays(field: PairingField) -> PairingFieldArrays:
    entrants, settings = field.entrants, field.settings
    score = _make_array([entrant.score for entrant in entrants])
    group, index_in_group, size = compute_score_group_arrays(score)
    avoid = settings.avoid
    if settings.avoid_until is not None and field.number > settings.avoid_until:
        avoid = ()
    return PairingFieldArrays(
        count=len(entrants),
        round=field.number,
        settings=settings,
        score=np.append(score, score.min()),
        meetings=_count_meetings(field),
        start_balance=_make_array([*(entrant.start_balance for entrant in entrants), _UNUSED_VALUE]),
        floats=_make_array([*(entrant.floats for entrant in entrants), (_UNUSED_VALUE, _UNUSED_VALUE)]).T,
        score_group=np.append(group, -1),
        index_in_group=np.append(index_in_group, 0),
        group_size=np.append(size, _UNUSED_VALUE),
        limit_of_start_balance=field.limit_of_start_balance,
        avoided_traits=tuple(_convert_player_texts_to_numbers(entrants, name) for name in avoid),
        random_key=np.array(
            [
                generate_random_bits(field.seed, field.number, number)
                for number in [*(item.number for item in entrants), 0]
            ],
            dtype=np.uint64,
        ),
        pairs_kept_apart=convert_pairs_to_numbers(
            field.pairs_kept_apart, field.map_player_positions(), len(entrants)
        ),
        earlier_evening_weights=_make_earlier_evening_weight_matrix(field),
        earlier_byes=_make_array([*(entrant.earlier_byes for entrant in entrants), _UNUSED_VALUE]),
    )


def adapt_criteria_if_club_evening(order: Sequence[str], field: PairingField) -> tuple[str, ...]:
    """Return the criteria in `order`.

    For a club evening, put `repeats` first, and add two criteria about earlier evenings: `earlier_byes`, `season`.
    """
    if not field.is_evening:
        return tuple(order)
    other_names = [name for name in order if name not in {"repeats", "apart"}]
    index = next(
        (index for index, name in enumerate(other_names) if name in {"starts", "style", "chance"}),
        len(other_names),
    )
    return ("repeats", "earlier_byes", "apart", *other_names[:index], "season", *other_names[index:])


def compute_score_group_arrays(score: Ints) -> tuple[Ints, Ints, Ints]:
    """Return each player's group number, index in the group, and group size."""
    _, group, counts = np.unique(-score, return_inverse=True, return_counts=True)
    by_group = np.argsort(group, kind="stable")
    starts = np.cumsum(counts) - counts
    index = np.empty_like(group)
    index[by_group] = np.arange(len(score)) - starts[group[by_group]]
    return group.astype(np.int64), index.astype(np.int64), counts[group].astype(np.int64)


def compute_pair_costs_by_criterion(
    columns: PairingFieldArrays, upper: Ints, lower: Ints, *, order: Sequence[str] = ORDER
) -> dict[str, Ints]:
    """Return the costs of pairs by criterion. `upper` has each pair's better placed player."""
    return {name: CRITERIA[name](columns, upper, lower) for name in order if _is_criterion_used(columns, name)}


def _is_criterion_used(columns: PairingFieldArrays, name: str) -> bool:
    if name == "guard":
        return columns.limit_of_start_balance is not None
    if name == "apart":
        return len(columns.pairs_kept_apart) > 0
    return not (name == "starts" and columns.settings.draw_starts)


def _compute_repeats_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Return 2^m - 1 for m earlier meetings. For a bye, m is the number of earlier byes.

    The first `settings.max_repeats` meetings do not count.
    """
    meetings = columns.meetings.get_values_of_pairs(upper, lower)
    allowed_repeats = columns.settings.max_repeats or 0
    meetings = np.where(lower < columns.count, np.maximum(meetings - allowed_repeats, 0), meetings)
    return np.left_shift(np.int64(1), meetings) - 1


def _compute_cost_of_start_balance_limit(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Return how many players of each pair would reach the limit of the balance (starts minus other games)."""
    if columns.limit_of_start_balance is None:
        return np.zeros_like(upper)
    starter, replier, is_game = _compute_start_balances_after_game(columns, upper, lower)
    players_at_limit = (np.abs(starter) >= columns.limit_of_start_balance).astype(np.int64) + (
        np.abs(replier) >= columns.limit_of_start_balance
    )
    return np.where(is_game, players_at_limit, 0)


def _compute_score_difference_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    return (columns.score[upper] - columns.score[lower]) ** 2


def _compute_bye_score_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    return np.where(lower == columns.count, columns.score[upper] - columns.score[lower], 0)


def _compute_floats_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Return how many players of each pair float in the same direction as in the last round.

    Float up: the opponent has a higher score. Float down: a lower score or a bye. A player with the same
    direction in the last two rounds counts twice.
    """
    is_bye = lower == columns.count
    upper_directions = np.where(is_bye, DOWN, np.sign(columns.score[lower] - columns.score[upper]))
    lower_directions = np.where(is_bye, 0, -upper_directions)
    return _count_repeated_float_directions(columns, upper, upper_directions) + _count_repeated_float_directions(
        columns, lower, lower_directions
    )


def _count_repeated_float_directions(columns: PairingFieldArrays, positions: Ints, directions: Ints) -> Ints:
    last_directions, previous_directions = columns.floats[0][positions], columns.floats[1][positions]
    repeats: Ints = ((directions != 0) & (directions == last_directions)).astype(np.int64)
    second_repeats: Ints = repeats * (directions == previous_directions)
    return repeats + second_repeats


def _compute_cost_of_pairs_kept_apart(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    is_game = lower < columns.count
    return (is_game & np.isin(upper * columns.count + lower, columns.pairs_kept_apart)).astype(np.int64)


def _compute_earlier_evenings_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    return columns.earlier_evening_weights.get_values_of_pairs(upper, lower)


def _compute_earlier_byes_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    return np.where(lower == columns.count, columns.earlier_byes[upper], 0)


def _compute_cost_of_shared_avoided_traits(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    total = np.zeros(len(upper), dtype=np.int64)
    for trait in columns.avoided_traits:
        total = 2 * total + (trait[upper] == trait[lower])
    return total


def _compute_starts_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Return the sum of both players' squared balances (starts minus other games) after the game.

    A bye changes no balance.
    """
    starter, replier, is_game = _compute_start_balances_after_game(columns, upper, lower)
    return np.where(is_game, starter**2 + replier**2, columns.start_balance[upper] ** 2)


def _compute_start_balances_after_game(
    columns: PairingFieldArrays, upper: Ints, lower: Ints
) -> tuple[Ints, Ints, Flags]:
    upper_balances, lower_balances = columns.start_balance[upper], columns.start_balance[lower]
    return (
        np.minimum(upper_balances, lower_balances) + 1,
        np.maximum(upper_balances, lower_balances) - 1,
        lower < columns.count,
    )


_STYLE_DISTANCES: Mapping[ScoreGroupPairing, Callable[[Ints, Ints, Ints], Ints]] = {
    # in half ranks, because the ideal distance is size / 2; the other styles count ranks
    ScoreGroupPairing.SLIDE: lambda upper, lower, size: np.abs(2 * (lower - upper) - size),
    ScoreGroupPairing.FOLD: lambda upper, lower, size: np.abs(upper + lower - (size - 1)),
    ScoreGroupPairing.ADJACENT: lambda upper, lower, _size: lower - upper - 1,
    ScoreGroupPairing.RANDOM: lambda _upper, _lower, size: np.zeros_like(size),
}


def _compute_distance_to_ideal_opponent(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    """Return how far each pair is from an ideal pair.

    In a score group, the pairing style sets the ideal opponent of each player. Between score groups, the last
    player of the higher group ideally meets the first of the lower group. The second last against the third costs
    1 + 2.
    """
    upper_index, lower_index = columns.index_in_group[upper], columns.index_in_group[lower]
    size = columns.group_size[upper]
    distance_within = _STYLE_DISTANCES[columns.settings.style](upper_index, lower_index, size)
    is_same_group = columns.score_group[upper] == columns.score_group[lower]
    if is_same_group.all():
        return distance_within
    # only if score is not the first tie-break of the standings
    is_reversed = columns.score_group[upper] > columns.score_group[lower]
    descent = size - 1 - upper_index + lower_index
    ascent = columns.group_size[lower] - 1 - lower_index + upper_index
    distance_between = np.where(is_reversed & (lower < columns.count), ascent, descent)
    return np.where(is_same_group, distance_within, distance_between)


def _compute_random_cost(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
    mixed = columns.random_key[upper] + columns.random_key[lower]
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # as splitmix64 ends
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(64 - CHANCE_BITS)).astype(np.int64)


CRITERIA: Mapping[str, Callable[[PairingFieldArrays, Ints, Ints], Ints]] = {
    "repeats": _compute_repeats_cost,
    "guard": _compute_cost_of_start_balance_limit,
    "score_difference": _compute_score_difference_cost,
    "bye": _compute_bye_score_cost,
    "floats": _compute_floats_cost,
    "apart": _compute_cost_of_pairs_kept_apart,
    "avoid": _compute_cost_of_shared_avoided_traits,
    "starts": _compute_starts_cost,
    "style": _compute_distance_to_ideal_opponent,
    "chance": _compute_random_cost,
    "season": _compute_earlier_evenings_cost,
    "earlier_byes": _compute_earlier_byes_cost,
}


def _count_meetings(field: PairingField) -> SparsePairMatrix:
    first_round = field.settings.repeats_from or 0

    def count_relevant_meetings(rounds: Sequence[int]) -> int:
        counted_rounds = [number for number in rounds if number >= first_round] if first_round > 1 else rounds
        return min(field.count_rounds_of_current_evening(counted_rounds), _MAX_MEETINGS)

    byes = [min(entrant.byes, _MAX_MEETINGS) for entrant in field.entrants]
    return _make_meeting_matrix(field.entrants, count_relevant_meetings, byes)


def _make_earlier_evening_weight_matrix(field: PairingField) -> SparsePairMatrix:
    def sum_evening_weights(rounds: Sequence[int]) -> int:
        return sum(
            -(-_LAST_EVENING_WEIGHT // field.evenings[number].evenings_ago)
            for number in rounds
            if field.evenings[number].evenings_ago
        )

    return _make_meeting_matrix(field.entrants if field.evenings else (), sum_evening_weights)


def _make_meeting_matrix(
    entrants: Sequence[Entrant], compute_number: Callable[[Sequence[int]], int], byes: Iterable[int] = ()
) -> SparsePairMatrix:
    """Return a matrix with a number for each pair that has met.

    `compute_number` gets the rounds of the meetings. The last column contains `byes`: the number of byes of each
    entrant.
    """
    positions = {entrant.player: index for index, entrant in enumerate(entrants)}
    width = len(entrants) + 1
    numbers_by_code = {(index + 1) * width - 1: number for index, number in enumerate(byes) if number}
    for index, entrant in enumerate(entrants):
        for opponent, rounds in entrant.meetings.items():
            if (position := positions.get(opponent)) is not None:
                numbers_by_code[index * width + position] = compute_number(rounds)
    codes = sorted(numbers_by_code)
    return SparsePairMatrix(
        width, _make_array([*codes, _ABOVE_ALL_PAIRS]), _make_array([*map(numbers_by_code.__getitem__, codes), 0])
    )


def convert_pairs_to_numbers(
    pairs: Iterable[frozenset[PlayerId]], positions: Mapping[PlayerId, int], count: int
) -> Ints:
    """Return each pair of players as the number p * count + q, where p is the smaller position and q the other."""
    position_pairs = [sorted(positions[player] for player in pair if player in positions) for pair in pairs]
    return _make_array(sorted(ends[0] * count + ends[1] for ends in position_pairs if len(ends) == 2))  # noqa: PLR2004


def _convert_player_texts_to_numbers(entrants: Sequence[Entrant], name: str) -> Ints:
    """Return a number for each player's text in a field such as `club`. Equal non-empty texts share a number."""
    numbers_by_text: dict[str, int] = {}
    codes = [-1 - index for index in range(len(entrants) + 1)]
    for index, entrant in enumerate(entrants):
        text = str(getattr(entrant, name)).strip().casefold()
        if text:
            codes[index] = numbers_by_text.setdefault(text, len(numbers_by_text))
    return _make_array(codes)


def _make_array(values: object) -> Ints:
    return np.array(values, dtype=np.int64)
