"""Score tables of three, four or more players: places, match points, spread and total points of each player."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from tdapp.domain.model import Seat
from tdapp.domain.ruleset import RuleSet, TableRule, Worth

_HALF = Fraction(1, 2)


class SeatScore(NamedTuple):
    """The outcome of a game at a group table for one player."""

    place: int  # equal players share it
    worth: Worth
    match_points: Fraction  # by the rule set
    points: int | None  # as played
    total: int  # `points` after the rule set's factor
    mean: Fraction | None  # average of the opponents with a score, or None
    spread: int


def clear_seat(seat: Seat) -> Seat:
    return Seat(seat.id, seat.round, seat.table, seat.position, seat.player, reason=seat.reason)


def is_group_table_complete(seats: Sequence[Seat]) -> bool:
    return all(seat.state is not None for seat in seats)


def round_half_up(value: Fraction) -> int:
    """Round to whole points, halves up: 361 1/2 is 362, -4 1/2 is -4."""
    return floor(value + _HALF)


def find_table_factor(tables: TableRule, players: int) -> Fraction:
    """Return the factor for the total points of a table. It is 1 for a table of the whole room."""
    return tables.find_factor(players) if tables.prefer else Fraction(1)


def score_seats(rules: RuleSet, seats: Sequence[Seat]) -> tuple[SeatScore, ...]:
    """Return the outcome of each seat of a table with a complete result.

    A player without points has a total of 0.
    """
    factor = find_table_factor(rules.tables, len(seats))
    keys = [(seat.left, -(seat.points or 0)) for seat in seats]
    known = [seat.points for seat in seats if seat.points is not None]
    found = []
    for seat, key in zip(seats, keys, strict=True):
        above, equal = sum(other < key for other in keys), keys.count(key)
        others = len(known) - (seat.points is not None)
        mean = Fraction(sum(known) - (seat.points or 0), others) if others else None
        spread = 0 if mean is None else round_half_up((seat.points or 0) - mean)
        total = round_half_up((seat.points or 0) * factor)
        points = _find_match_points(rules, len(seats), above, equal)
        worth = _find_worth_by_place(above, equal)
        found.append(SeatScore(above + 1, worth, points, seat.points, total, mean, spread))
    return tuple(found)


def compare_places(own: int, other: int) -> Worth:
    return Worth.WIN if own < other else Worth.LOSS if own > other else Worth.DRAW


def compute_share_of_top_score(points: int, seats: Sequence[Seat]) -> Fraction | None:
    top = max((seat.points or 0 for seat in seats), default=0)
    return Fraction(points, top) if top > 0 else None


def _find_worth_by_place(above: int, equal: int) -> Worth:
    if above:
        return Worth.LOSS
    return Worth.WIN if equal == 1 else Worth.DRAW


def _find_match_points(rules: RuleSet, players: int, above: int, equal: int) -> Fraction:
    if players == 1:
        return Fraction(0)
    places = rules.tables.find_places(players)
    if places:
        return sum(places[above : above + equal], Fraction(0)) / equal
    scale = rules.match_points
    share = (players - above - equal + Fraction(equal - 1, 2)) / (players - 1)
    return scale.loss + share * (scale.win - scale.loss)
