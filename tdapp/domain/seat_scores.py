"""Scores at tables of three or more players: places, match points, spread and total points of each player."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from tdapp.domain.model import Seat
from tdapp.domain.ruleset import Outcome, PlayersPerTableRule, RuleSet

_HALF = Fraction(1, 2)


class SeatScore(NamedTuple):
    """The outcome for one player at a group table."""

    rank: int  # equal players share it
    outcome: Outcome
    match_points: Fraction  # by the rule set
    points: int | None  # as played
    total: int  # `points` after the rule set's factor
    mean: Fraction | None  # average of the opponents with a score, or None
    spread: int


def remove_result_from_seat(seat: Seat) -> Seat:
    return Seat(seat.id, seat.round, seat.table, seat.position, seat.player, reason=seat.reason)


def has_result_for_every_seat(seats: Sequence[Seat]) -> bool:
    return all(seat.state is not None for seat in seats)


def round_half_up(value: Fraction) -> int:
    """Round to whole points, halves up: 361 1/2 is 362, -4 1/2 is -4."""
    return floor(value + _HALF)


def find_total_points_factor_for_table(tables: PlayersPerTableRule, players: int) -> Fraction:
    """Return the factor that multiplies each player's points at a table of `players` players.

    If the rules put all players at one table, the factor is 1.
    """
    return tables.get_total_points_factor(players) if tables.prefer else Fraction(1)


def score_seats(rules: RuleSet, seats: Sequence[Seat]) -> tuple[SeatScore, ...]:
    """Return the outcome of each seat of a table with a complete result.

    A player who gave up without points gets the total 0.
    """
    factor = find_total_points_factor_for_table(rules.tables, len(seats))
    keys = [(seat.left, -(seat.points or 0)) for seat in seats]
    known_points = [seat.points for seat in seats if seat.points is not None]
    scores = []
    for seat, key in zip(seats, keys, strict=True):
        higher_count, equal_count = sum(other_key < key for other_key in keys), keys.count(key)
        opponent_count = len(known_points) - (seat.points is not None)
        mean = Fraction(sum(known_points) - (seat.points or 0), opponent_count) if opponent_count else None
        spread = 0 if mean is None else round_half_up((seat.points or 0) - mean)
        total = round_half_up((seat.points or 0) * factor)
        points = _find_match_points(rules, len(seats), higher_count, equal_count)
        outcome = _find_outcome_by_place(higher_count, equal_count)
        scores.append(SeatScore(higher_count + 1, outcome, points, seat.points, total, mean, spread))
    return tuple(scores)


def find_outcome_by_ranks(rank: int, other_rank: int) -> Outcome:
    return Outcome.WIN if rank < other_rank else Outcome.LOSS if rank > other_rank else Outcome.DRAW


def compute_share_of_top_score(points: int, seats: Sequence[Seat]) -> Fraction | None:
    top_score = max((seat.points or 0 for seat in seats), default=0)
    return Fraction(points, top_score) if top_score > 0 else None


def _find_outcome_by_place(higher_count: int, equal_count: int) -> Outcome:
    if higher_count:
        return Outcome.LOSS
    return Outcome.WIN if equal_count == 1 else Outcome.DRAW


def _find_match_points(rules: RuleSet, players: int, higher_count: int, equal_count: int) -> Fraction:
    if players == 1:
        return Fraction(0)
    places = rules.tables.get_match_points_by_place(players)
    if places:
        return sum(places[higher_count : higher_count + equal_count], Fraction(0)) / equal_count
    scale = rules.match_points
    share = (players - higher_count - equal_count + Fraction(equal_count - 1, 2)) / (players - 1)
    return scale.loss + share * (scale.win - scale.loss)
