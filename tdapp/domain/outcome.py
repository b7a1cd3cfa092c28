"""What a game or a bye is worth under a rule set."""

from __future__ import annotations

from typing import NamedTuple

from tdapp.domain.model import Bye, ByeKind, Forfeit, Game, Result, Stage, Start
from tdapp.domain.ruleset import ByeWorth, ForfeitCause, KnockoutTie, PointAward, RuleSet, Worth
from tdapp.domain.systems import system_of


class RoundOutcome(NamedTuple):
    """What one player takes from a round: `points` on the board (None: none were made), `spread` in points."""

    worth: Worth
    points: int | None
    spread: int


class Outcome(NamedTuple):
    """A decided game, for the player who started and the one who replied; `rated` if it counts for ratings."""

    first: RoundOutcome
    second: RoundOutcome
    rated: bool


# Looked up once: an enumeration's members come slowly, and a large field has games by the ten thousand.
_WON, _LOST, _DRAWN = (Worth.WIN, Worth.LOSS), (Worth.LOSS, Worth.WIN), (Worth.DRAW, Worth.DRAW)
_BY_LOSER = {Forfeit.FIRST: _LOST, Forfeit.SECOND: _WON, Forfeit.BOTH: (Worth.LOSS, Worth.LOSS)}


def of_game(rules: RuleSet, result: Result) -> Outcome:
    """Return what a result is worth.

    A forfeited game brings its winner the rule set's margin for its cause and no points on the board
    (no-turneringsreglement 2.2); of a double forfeit both have lost by it. Who has lost by the clock or a sanction
    has lost whatever the points, which stay, and with them the spread (nl-reglement IV.1c).
    """
    if result.forfeit is not None:
        return _forfeited(rules, result.forfeit, result.cause)
    first, second = result.first or 0, result.second or 0
    spread = first - second
    worth = worths(result, spread)
    return Outcome(RoundOutcome(worth[0], first, spread), RoundOutcome(worth[1], second, -spread), rated=True)


def worths(result: Result, spread: int) -> tuple[Worth, Worth]:
    """Return what a game that was played is worth to the player who started and the one who replied."""
    if result.lost is not None:
        return _BY_LOSER[result.lost]
    return _WON if spread > 0 else _LOST if spread else _DRAWN


def recount_right(rules: RuleSet, result: Result) -> bool:
    """Return whether each player may demand a recount of a result (no-turneringsreglement 4.2)."""
    most = rules.recount.difference
    if most is None or result.first is None or result.second is None:  # a forfeit has no points
        return False
    return abs(result.first - result.second) <= most


def knockout_of_games(stage: Stage) -> bool:
    """Return whether a stage is a knockout in which one game makes a match, so that a tie has to be decided."""
    return system_of(stage).bracket and stage.settings.series == 1


def tie(rules: RuleSet, stage: Stage, game: Game, result: Result) -> tuple[Worth, Worth]:
    """Return what a tie is worth: in a knockout the player who did not start may win by it (nl-reglement IV.4).

    A ruling of the director goes first; a draw as long as it is not known who started.
    """
    if not knockout_of_games(stage) or rules.knockout.tie is not KnockoutTie.REPLIER:
        return _DRAWN
    if result.advances in {Forfeit.FIRST, Forfeit.SECOND}:
        return _WON if result.advances is Forfeit.FIRST else _LOST
    return _DRAWN if game.start is Start.DRAW else _LOST


def _forfeited(rules: RuleSet, forfeit: Forfeit, cause: ForfeitCause | None) -> Outcome:
    margin = rules.forfeit.margin_for(cause)
    first, second = (
        RoundOutcome(worth, None, margin if worth is Worth.WIN else -margin) for worth in _BY_LOSER[forfeit]
    )
    return Outcome(first, second, rules.forfeit.rated)


def of_bye(rules: RuleSet, bye: Bye) -> RoundOutcome:
    """Return what a bye is worth; its own spread goes before the rule set's."""
    worth = of_kind(rules, bye.kind)
    return RoundOutcome(worth.counts_as, None, worth.spread if bye.spread is None else bye.spread)


def award(rules: RuleSet, row: Bye | Result) -> PointAward:
    """Return what a bye, or a game won by forfeit, adds to the total of points; its own before the rule set's."""
    usual = rules.forfeit.award if isinstance(row, Result) else of_kind(rules, row.kind).award
    return row.award or usual


def of_kind(rules: RuleSet, kind: ByeKind) -> ByeWorth:
    """Return what a rule set says of byes of a kind."""
    return {
        ByeKind.BYE: rules.byes.bye,
        ByeKind.REQUESTED: rules.byes.requested,
        ByeKind.ABSENT: rules.byes.absent,
        ByeKind.FORFEIT: rules.byes.forfeit,
    }[kind]
