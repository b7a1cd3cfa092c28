"""The winner of a game, and the reason if the points do not decide.

Screens, printouts and exports take the winner from here, never from the points.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tdapp.domain import outcome, score_breakdown
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, Game, Result, Start
from tdapp.domain.ruleset import KnockoutTie, RuleSet, Worth


class DecidedBy(StrEnum):
    """The reason for a decision other than points."""

    TIE = "tie"  # a tie in which one player still advances
    TIME = "time"
    SANCTION = "sanction"
    FORFEIT = "forfeit"


class Decision(NamedTuple):
    """A decided game. `side` is the winner, 1 or 2; 0 for a draw or a double loss.

    `marks` belong to the first and the second player. In a tie the winner is marked, otherwise the loser.
    """

    side: int
    marks: tuple[DecidedBy | None, DecidedBy | None] = (None, None)

    @property
    def reason(self) -> DecidedBy | None:
        return self.marks[0] or self.marks[1]

    @property
    def turned(self) -> Decision:
        """Return the decision with first and second player swapped."""
        return Decision({1: 2, 2: 1}.get(self.side, 0), self.marks[::-1])


_WHO = (Forfeit.FIRST, Forfeit.SECOND)


def decide_game(index: Index, game: Game) -> Decision | None:
    result = index.result(game.id)
    return decide_with_result(index, game, result) if result is not None else None


def decide_with_result(index: Index, game: Game, result: Result) -> Decision:
    """Return the decision that `result` would give.

    In a single-game knockout a ruling on a tie comes first. Without one the rule set can let the replier win.
    """
    rules, worth = index.tournament.rules_of(game), outcome.score_game(index.tournament.rules_of(game), result)
    if outcome.is_single_game_knockout(index.tournament.stages[index.tournament.rounds[game.round].stage]):
        if result.advances in _WHO:
            return _decide_tie(1 + _WHO.index(result.advances))
        replier = rules.knockout.tie is KnockoutTie.REPLIER and game.start is not Start.DRAW
        if worth.first.worth is Worth.DRAW and replier:
            return _decide_tie(2)
    side = 1 if worth.first.worth is Worth.WIN else 2 if worth.second.worth is Worth.WIN else 0
    return Decision(side, (_find_losing_reason(rules, result, 0), _find_losing_reason(rules, result, 1)))


def _decide_tie(side: int) -> Decision:
    return Decision(side, (DecidedBy.TIE, None) if side == 1 else (None, DecidedBy.TIE))


def _find_losing_reason(rules: RuleSet, result: Result, at: int) -> DecidedBy | None:
    """Return the reason why a player lost regardless of points, or None."""
    if result.forfeit in {_WHO[at], Forfeit.BOTH}:
        return DecidedBy.FORFEIT
    if result.lost not in {_WHO[at], Forfeit.BOTH}:
        return None
    by_time = result.flag is _WHO[at] or at in score_breakdown.find_over_limit(
        rules.overtime, result.overtime or (0, 0)
    )
    return DecidedBy.TIME if by_time else DecidedBy.SANCTION
