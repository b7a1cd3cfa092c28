"""Compute the parts of a final score, such as the points for remaining tiles and for overtime.

A GCG game file contains overtime in points, a score sheet in seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.ruleset import (
    ChallengePointsReceiver,
    ChallengeRule,
    Outcome,
    OvertimeKind,
    OvertimeRule,
    PenaltyUnit,
    PhonyRule,
    RackPointsReceiver,
    RuleSet,
)
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind
from tdapp.scrabble.sheet import Sheet

PlayerPoints = tuple[int, ...]
_MINUTE = 60


class ScoreBreakdown(Struct, frozen=True):
    """The parts of a player's final score, in points. Deductions are negative."""

    turns: int = 0
    phonies: int = 0
    racks: int = 0  # for remaining tiles
    overtime: int = 0  # including the penalty for a game lost by overtime
    challenges: int = 0
    sanctions: int = 0

    @property
    def total(self) -> int:
        return sum(getattr(self, name) for name in self.__struct_fields__)


class OvertimePenalties(NamedTuple):
    """The cost of overtime for the players of a game."""

    points: PlayerPoints
    losers: tuple[int, ...]  # indices (from 0) of the players who lose the game by overtime


def compute_phony_points(rule: PhonyRule, *, score: int, words: int) -> int:
    """Return `-(score + penalty)` for an invalid play found after the game.

    `score` is the score of this play alone, `words` the number of invalid words.
    """
    if not rule.ruled:
        return 0
    return -(score + rule.points * (words if rule.per is PenaltyUnit.WORD else 1))


def compute_failed_challenge_points(
    rule: ChallengeRule, *, players: int, challenger: int, challenged_player: int | None, words: int
) -> PlayerPoints:
    """Return each player's points for a wrong challenge of `words` words. Player indices start from 0.

    `players` is the number of players. `challenged_player` is None before the first move.
    """
    points = rule.compute_cost(words)
    changes = [0] * players
    if rule.to is ChallengePointsReceiver.NOBODY:
        changes[challenger] = -points
    elif challenged_player is not None:
        changes[challenged_player] = points
    return tuple(changes)


def compute_rack_adjustments(
    rule: RackPointsReceiver, values: Sequence[int], *, finisher: int | None
) -> PlayerPoints:
    """Return each player's adjustment for remaining tiles.

    `finisher` is the index (from 0) of the player who has no tiles left, None if all have tiles.
    """
    if finisher is None or rule is RackPointsReceiver.OWN:
        return tuple(-value for value in values)
    remaining_value = sum(values) - values[finisher]
    if rule is RackPointsReceiver.DOUBLE:
        return tuple(2 * remaining_value if player == finisher else 0 for player in range(len(values)))
    return tuple(remaining_value if player == finisher else -value for player, value in enumerate(values))


def compute_overtime_penalties(
    rule: OvertimeRule, scores: Sequence[int], seconds: Sequence[int]
) -> OvertimePenalties:
    """Return the overtime points of each player. `scores` do not include overtime.

    A player beyond the overtime limit gets a fixed penalty instead of the points for minutes. If necessary,
    the penalty is increased until the player's score is below the opponent's by the margin of the rules
    (no-turneringsreglement 4.1).
    """
    if rule.kind is not OvertimeKind.MINUTES or not any(seconds):
        return OvertimePenalties((0,) * len(scores), ())
    losers = list_players_beyond_overtime_limit(rule, seconds)
    points = [-rule.points * -(-time // _MINUTE) for time in seconds]
    for player in losers:
        other_totals = [
            total + points[opponent] for opponent, total in enumerate(scores) if opponent not in losers
        ]
        points[player] = -rule.penalty
        if other_totals:
            points[player] = min(-rule.penalty, min(other_totals) - rule.margin - scores[player])
    return OvertimePenalties(tuple(points), losers)


def infer_overtime_seconds(rule: OvertimeRule, points: int) -> int | None:
    """Return the overtime that costs `points` (negative). The result is in seconds, but always whole minutes.

    Return None if no time costs exactly these points.
    """
    if rule.kind is not OvertimeKind.MINUTES or rule.points <= 0 or points >= 0 or points % rule.points:
        return None
    return _MINUTE * (-points // rule.points)


def list_players_beyond_overtime_limit(rule: OvertimeRule, seconds: Sequence[int]) -> tuple[int, ...]:
    """Return the indices (from 0) of the players beyond the overtime limit."""
    if rule.kind is not OvertimeKind.MINUTES or rule.limit is None:
        return ()
    return tuple(player for player, time in enumerate(seconds) if time > rule.limit)


def compute_player_outcomes(
    scores: Sequence[int], *, losers: Collection[int] = (), replier: int | None = None
) -> tuple[Outcome, ...]:
    """Return win, draw or loss for each player.

    The players in `losers` (indices from 0) lose regardless of points. Players who share the best score draw.
    But if one of them has the index `replier` (the player who did not start), this player wins.
    """
    candidates = [player for player in range(len(scores)) if player not in losers]
    best = max((scores[player] for player in candidates), default=0)
    winners = [player for player in candidates if scores[player] == best]
    if len(winners) > 1 and replier in winners:
        winners = [replier]
    winner_outcome = Outcome.WIN if len(winners) == 1 else Outcome.DRAW
    return tuple(winner_outcome if player in winners else Outcome.LOSS for player in range(len(scores)))


def move_overtime_events_to_sheet(
    sheet: Sheet, events: Sequence[GcgEvent], rules: RuleSet
) -> tuple[Sheet, tuple[GcgEvent, ...]]:
    """Convert time penalties in GCG `events` to overtime on a sheet.

    Return the new sheet and the other events.
    """
    seconds = [0] * len(sheet.players)
    other_events: list[GcgEvent] = []
    for event in events:
        overtime = (
            infer_overtime_seconds(rules.overtime, event.points) if event.kind is GcgEventKind.TIME else None
        )
        if overtime is None:
            other_events.append(event)
        else:
            seconds[event.player - 1] += overtime
    if list_players_beyond_overtime_limit(rules.overtime, seconds) or not any(seconds):
        return sheet, tuple(events)
    return replace(sheet, overtime_seconds=tuple(seconds)), tuple(other_events)
