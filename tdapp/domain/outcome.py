"""Score games and byes under a rule set, and decide the winner of a game."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tdapp.domain import score_breakdown
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Bye, ByeKind, Game, GameSide, Result, Stage, StartDecision
from tdapp.domain.ruleset import (
    ByeRules,
    ForfeitCause,
    KnockoutTieResolution,
    OddPlayerRule,
    Outcome,
    RuleSet,
    UnplayedRoundPointsRule,
    UnplayedRoundPointsSource,
)
from tdapp.domain.systems import get_pairing_system


class PlayerRoundOutcome(NamedTuple):
    """A player's outcome of one round, played or not."""

    outcome: Outcome
    points: int | None  # None if the round was not played
    spread: int


class OutcomesOfBothPlayers(NamedTuple):
    """The outcomes of a game for both players."""

    first: PlayerRoundOutcome
    second: PlayerRoundOutcome
    is_rated: bool  # the game counts for ratings


USUAL_BYES = ByeRules()
BYE_KIND_BY_OUTCOME = {
    USUAL_BYES.get_bye_value(kind).counts_as: kind for kind in ByeKind
}  # the usual kind for each outcome
# Cached: access to enum members is slow in large events.
_FIRST_WINS, _SECOND_WINS, _DRAW = (
    (Outcome.WIN, Outcome.LOSS),
    (Outcome.LOSS, Outcome.WIN),
    (Outcome.DRAW, Outcome.DRAW),
)
_BY_LOSER = {
    GameSide.FIRST: _SECOND_WINS,
    GameSide.SECOND: _FIRST_WINS,
    GameSide.BOTH: (Outcome.LOSS, Outcome.LOSS),
}


def score_game(rules: RuleSet, result: Result) -> OutcomesOfBothPlayers:
    """Return the outcomes of a game for both players.

    The winner by forfeit gets the margin of the rule set as spread, but no points (no-turneringsreglement
    2.2). In a double forfeit both lose by that margin. A loss by the clock or a sanction does not
    change points and spread (nl-reglement IV.1c).
    """
    if result.forfeit is not None:
        return _score_forfeit(rules, result.forfeit, result.cause)
    first, second = result.first or 0, result.second or 0
    spread = first - second
    outcomes = find_outcomes_of_played_game(result, spread)
    return OutcomesOfBothPlayers(
        PlayerRoundOutcome(outcomes[0], first, spread),
        PlayerRoundOutcome(outcomes[1], second, -spread),
        is_rated=True,
    )


def find_outcomes_of_played_game(result: Result, spread: int) -> tuple[Outcome, Outcome]:
    if result.lost is not None:
        return _BY_LOSER[result.lost]
    return _FIRST_WINS if spread > 0 else _SECOND_WINS if spread else _DRAW


def can_demand_recount(rules: RuleSet, result: Result) -> bool:
    max_difference = rules.recount.difference
    if max_difference is None or result.first is None or result.second is None:  # a forfeit has no points
        return False
    return abs(result.first - result.second) <= max_difference


def is_single_game_knockout(stage: Stage) -> bool:
    return get_pairing_system(stage).is_knockout and stage.settings.series == 1


def find_outcomes_of_tied_game(
    rules: RuleSet, stage: Stage, game: Game, result: Result
) -> tuple[Outcome, Outcome]:
    """Return the outcome of a tied game for the first and the second player.

    Knockout rules can let the second player win (nl-reglement IV.4). A director's ruling has priority.
    """
    if not is_single_game_knockout(stage) or rules.knockout.tie is not KnockoutTieResolution.REPLIER:
        return _DRAW
    if result.advances in {GameSide.FIRST, GameSide.SECOND}:
        return _FIRST_WINS if result.advances is GameSide.FIRST else _SECOND_WINS
    return _DRAW if game.start is StartDecision.DRAW else _SECOND_WINS


def _score_forfeit(rules: RuleSet, forfeit: GameSide, cause: ForfeitCause | None) -> OutcomesOfBothPlayers:
    margin = rules.forfeit.get_forfeit_margin(cause)
    first, second = (
        PlayerRoundOutcome(outcome, None, margin if outcome is Outcome.WIN else -margin)
        for outcome in _BY_LOSER[forfeit]
    )
    return OutcomesOfBothPlayers(first, second, rules.forfeit.rated)


def score_bye(rules: RuleSet, bye: Bye) -> PlayerRoundOutcome:
    bye_value = rules.byes.get_bye_value(bye.kind)
    return PlayerRoundOutcome(
        bye.worth or bye_value.counts_as, None, bye_value.spread if bye.spread is None else bye.spread
    )


def find_unplayed_round_points_rule(rules: RuleSet, bye_or_result: Bye | Result) -> UnplayedRoundPointsRule:
    """Return the rule for the game points (not match points) that a player gets for a bye or forfeit win.

    A rule stored with the bye or result has priority over the rule set.
    """
    if bye_or_result.award:
        return bye_or_result.award
    if isinstance(bye_or_result, Result):
        return rules.forfeit.award
    if bye_or_result.kind is ByeKind.BYE and rules.tables.odd is OddPlayerRule.AVERAGE:
        return UnplayedRoundPointsRule(UnplayedRoundPointsSource.STAGE)
    return rules.byes.get_bye_value(bye_or_result.kind).award


class DecisionReason(StrEnum):
    """The reason for an outcome that points do not decide."""

    TIE = "tie"  # a tie in which one player still advances
    TIME = "time"
    SANCTION = "sanction"
    FORFEIT = "forfeit"


class GameDecision(NamedTuple):
    """How a game with a result was decided."""

    side: int  # the winner, 1 or 2; 0: a draw or a loss of both
    # reasons printed beside the first and the second player
    marks: tuple[DecisionReason | None, DecisionReason | None] = (None, None)

    @property
    def reason(self) -> DecisionReason | None:
        return self.marks[0] or self.marks[1]

    @property
    def swapped(self) -> GameDecision:
        return GameDecision({1: 2, 2: 1}.get(self.side, 0), self.marks[::-1])


_PLAYERS = (GameSide.FIRST, GameSide.SECOND)


def find_game_decision(index: TournamentIndex, game: Game) -> GameDecision | None:
    result = index.get_result(game.id)
    return find_decision_from_result(index, game, result) if result is not None else None


def find_decision_from_result(index: TournamentIndex, game: Game, result: Result) -> GameDecision:
    rules, scored_game = (
        index.tournament.get_ruleset_of_row(game),
        score_game(index.tournament.get_ruleset_of_row(game), result),
    )
    if is_single_game_knockout(index.tournament.stages[index.tournament.rounds[game.round].stage]):
        if result.advances in _PLAYERS:
            return _make_decision_of_tied_game(1 + _PLAYERS.index(result.advances))
        replier = rules.knockout.tie is KnockoutTieResolution.REPLIER and game.start is not StartDecision.DRAW
        if scored_game.first.outcome is Outcome.DRAW and replier:
            return _make_decision_of_tied_game(2)
    side = 1 if scored_game.first.outcome is Outcome.WIN else 2 if scored_game.second.outcome is Outcome.WIN else 0
    return GameDecision(side, (_find_losing_reason(rules, result, 0), _find_losing_reason(rules, result, 1)))


def _make_decision_of_tied_game(side: int) -> GameDecision:
    return GameDecision(side, (DecisionReason.TIE, None) if side == 1 else (None, DecisionReason.TIE))


def _find_losing_reason(rules: RuleSet, result: Result, side: int) -> DecisionReason | None:
    if result.forfeit in {_PLAYERS[side], GameSide.BOTH}:
        return DecisionReason.FORFEIT
    if result.lost not in {_PLAYERS[side], GameSide.BOTH}:
        return None
    by_time = result.flag is _PLAYERS[side] or side in score_breakdown.list_players_beyond_overtime_limit(
        rules.overtime, result.overtime or (0, 0)
    )
    return DecisionReason.TIME if by_time else DecisionReason.SANCTION
