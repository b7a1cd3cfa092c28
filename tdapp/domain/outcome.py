"""Score games and byes under a rule set."""

from __future__ import annotations

from typing import NamedTuple

from tdapp.domain.model import Bye, ByeKind, Forfeit, Game, Result, Stage, Start
from tdapp.domain.ruleset import Byes, ForfeitCause, KnockoutTie, PointAward, RuleSet, Worth
from tdapp.domain.systems import system_of


class RoundOutcome(NamedTuple):
    """A player's score of a round: `points` on the board (None: not played), `spread` in points."""

    worth: Worth
    points: int | None
    spread: int


class Outcome(NamedTuple):
    """The scores of the starter and the replier. `rated`: the game counts for ratings."""

    first: RoundOutcome
    second: RoundOutcome
    rated: bool


USUAL_BYES = Byes()
KINDS = {USUAL_BYES.of(kind).counts_as: kind for kind in ByeKind}  # the usual kind of each worth
# Cached: access to enum members is slow, and a large event has ten thousand games.
_WON, _LOST, _DRAWN = (Worth.WIN, Worth.LOSS), (Worth.LOSS, Worth.WIN), (Worth.DRAW, Worth.DRAW)
_BY_LOSER = {Forfeit.FIRST: _LOST, Forfeit.SECOND: _WON, Forfeit.BOTH: (Worth.LOSS, Worth.LOSS)}


def score_game(rules: RuleSet, result: Result) -> Outcome:
    """Score a result.

    The winner of a forfeited game gets the rule set's margin for its cause and no points on the board
    (no-turneringsreglement 2.2). In a double forfeit both lose by that margin. A player who lost by the clock
    or a sanction loses regardless of points, but points and spread stay (nl-reglement IV.1c).
    """
    if result.forfeit is not None:
        return _score_forfeit(rules, result.forfeit, result.cause)
    first, second = result.first or 0, result.second or 0
    spread = first - second
    worth = compare_points(result, spread)
    return Outcome(RoundOutcome(worth[0], first, spread), RoundOutcome(worth[1], second, -spread), rated=True)


def compare_points(result: Result, spread: int) -> tuple[Worth, Worth]:
    """Return the worth of a played game for the starter and the replier."""
    if result.lost is not None:
        return _BY_LOSER[result.lost]
    return _WON if spread > 0 else _LOST if spread else _DRAWN


def can_demand_recount(rules: RuleSet, result: Result) -> bool:
    most = rules.recount.difference
    if most is None or result.first is None or result.second is None:  # a forfeit has no points
        return False
    return abs(result.first - result.second) <= most


def is_single_game_knockout(stage: Stage) -> bool:
    """Return whether a stage is a single-game knockout, in which ties must be decided."""
    return system_of(stage).bracket and stage.settings.series == 1


def score_tie(rules: RuleSet, stage: Stage, game: Game, result: Result) -> tuple[Worth, Worth]:
    """Score a tie. In a knockout the replier can win it (nl-reglement IV.4).

    The director's ruling comes first. A draw while the starter is unknown.
    """
    if not is_single_game_knockout(stage) or rules.knockout.tie is not KnockoutTie.REPLIER:
        return _DRAWN
    if result.advances in {Forfeit.FIRST, Forfeit.SECOND}:
        return _WON if result.advances is Forfeit.FIRST else _LOST
    return _DRAWN if game.start is Start.DRAW else _LOST


def _score_forfeit(rules: RuleSet, forfeit: Forfeit, cause: ForfeitCause | None) -> Outcome:
    margin = rules.forfeit.margin_for(cause)
    first, second = (
        RoundOutcome(worth, None, margin if worth is Worth.WIN else -margin) for worth in _BY_LOSER[forfeit]
    )
    return Outcome(first, second, rules.forfeit.rated)


def score_bye(rules: RuleSet, bye: Bye) -> RoundOutcome:
    """Score a bye. Its own worth and spread override the rule set's."""
    worth = rules.byes.of(bye.kind)
    return RoundOutcome(bye.worth or worth.counts_as, None, worth.spread if bye.spread is None else bye.spread)


def find_award(rules: RuleSet, row: Bye | Result) -> PointAward:
    """Return the total points for a bye or a forfeit win. Its own award overrides the rule set's."""
    usual = rules.forfeit.award if isinstance(row, Result) else rules.byes.of(row.kind).award
    return row.award or usual
