"""The costs (points, turn or game) of verdicts from the judge screen, and the director's decision on each.

The director applies a cost to the result, or refuses it if the entered scores include it already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Challenge, WordCheckReason
from tdapp.domain.model import ChallengeId, DivisionId, Game, GameSide, Result
from tdapp.domain.ruleset import ChallengeMode, ChallengePointsReceiver, ChallengeRule, RuleSet
from tdapp.domain.rulings import compare_challenge_with_sheet, convert_to_uppercase_letters, find_final_verdict
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import Ruling
from tdapp.scrabble.wordlist import WordVerdict


class VerdictCostKind(StrEnum):
    """The kinds of cost of a verdict."""

    NOTHING = "nothing"
    POINTS = "points"
    TURN = "turn"  # a lost turn, already in the totals
    GAME = "game"  # a lost game
    WORD = "word"  # turn score and penalty, set by a ruling on the word


class VerdictCost(Struct, frozen=True):
    """The cost of a verdict for the challenger or the opponent."""

    kind: VerdictCostKind = VerdictCostKind.NOTHING
    points: int = 0  # deducted points are negative
    challenger: bool = False  # the challenger has the cost, otherwise the opponent


def compute_verdict_cost(
    rules: RuleSet, verdict: WordVerdict, *, words: int, occasion: WordCheckReason | None
) -> VerdictCost:
    if verdict is WordVerdict.NOT_BINDING or (occasion is WordCheckReason.JURY and verdict is WordVerdict.VALID):
        return VerdictCost()
    if occasion is WordCheckReason.JURY:
        return VerdictCost(VerdictCostKind.WORD, -rules.phony.points)
    is_challenge_wrong = verdict is WordVerdict.VALID
    if not is_challenge_wrong and rules.contested.known:
        return VerdictCost(VerdictCostKind.POINTS, -rules.contested.points)
    if rules.challenge.mode is ChallengeMode.TRIPLE:
        return VerdictCost(VerdictCostKind.GAME, challenger=is_challenge_wrong)
    if not is_challenge_wrong or rules.challenge.mode is ChallengeMode.DOUBLE:
        return VerdictCost(VerdictCostKind.TURN, challenger=is_challenge_wrong)
    return _compute_wrong_challenge_cost(rules.challenge, words)


def _compute_wrong_challenge_cost(rule: ChallengeRule, words: int) -> VerdictCost:
    points = rule.compute_cost(words)
    if not points:
        return VerdictCost()
    is_credited = rule.to is ChallengePointsReceiver.OPPONENT
    return VerdictCost(VerdictCostKind.POINTS, points if is_credited else -points, challenger=not is_credited)


class VerdictWithCost(Struct, frozen=True):
    """A verdict that costs a player points, a turn or the game."""

    challenge: ChallengeId
    words: tuple[str, ...]
    kind: VerdictCostKind
    points: int
    player: int | None  # who has the cost: 1, 2, or None if unknown

    @property
    def can_be_applied(self) -> bool:
        return self.kind is not VerdictCostKind.WORD and self.player is not None


def list_verdicts_with_cost(index: TournamentIndex, game: Game) -> tuple[VerdictWithCost, ...]:
    """Return the verdicts with a cost in a game, oldest first.

    After the round is paired again, challenges by players no longer at the table are ignored.
    """
    item = index.tournament.rounds[game.round]
    challenges = _group_challenges_by_table(index, index.get_division_of_round(item.id).id).get(
        (item.number, game.table), ()
    )
    challenges = [challenge for challenge in challenges if challenge.challenger in {None, game.first, game.second}]
    verdicts = (
        _make_game_verdict(index.tournament.get_ruleset_of_row(game), game, challenge) for challenge in challenges
    )
    return tuple(verdict for verdict in verdicts if verdict.kind is not VerdictCostKind.NOTHING)


def _group_challenges_by_table(
    index: TournamentIndex, division: DivisionId
) -> Mapping[tuple[int | None, int | None], Sequence[Challenge]]:
    challenges = index.challenges(division)

    def group_challenges() -> Mapping[tuple[int | None, int | None], Sequence[Challenge]]:
        groups = defaultdict[tuple[int | None, int | None], list[Challenge]](list)
        for challenge in challenges:
            groups[challenge.round, challenge.table].append(challenge)
        return groups

    return index.get_cached_value_or_compute(("verdicts", division), (challenges,), group_challenges)


def _make_game_verdict(rules: RuleSet, game: Game, challenge: Challenge) -> VerdictWithCost:
    cost = compute_verdict_cost(
        rules, find_final_verdict(challenge), words=len(challenge.words), occasion=challenge.occasion
    )
    player_numbers = {game.first: 1, game.second: 2}
    challenger = player_numbers.get(challenge.challenger) if challenge.challenger else None
    player = challenger if challenger is None or cost.challenger else 3 - challenger
    return VerdictWithCost(challenge.id, challenge.words, cost.kind, cost.points, player)


def list_verdicts_missing_on_sheets(index: TournamentIndex, game: Game) -> tuple[VerdictWithCost, ...]:
    return tuple(
        verdict
        for verdict in list_verdicts_with_cost(index, game)
        if not _is_verdict_on_sheet(index, game, verdict)
    )


def _is_verdict_on_sheet(index: TournamentIndex, game: Game, verdict: VerdictWithCost) -> bool:
    forms = index.sheets(game.id)
    sheet = forms[0].sheet if forms and forms[0].sheet.has_ending else None
    if verdict.kind is VerdictCostKind.WORD:
        ruled_words = {ruling.word for ruling in index.word_rulings(game.id) if ruling.phony}
        ruled_words |= {
            convert_to_uppercase_letters(turn.word)
            for turn in (sheet.turns if sheet else ())
            if turn.ruling is Ruling.PHONY
        }
        return bool(ruled_words & {*verdict.words, "".join(verdict.words)})
    challenge_on_sheet = (
        compare_challenge_with_sheet(index, index.tournament.challenges[verdict.challenge])
        if sheet is not None
        else None
    )
    return challenge_on_sheet is not None and challenge_on_sheet.is_consistent is not False


def list_pending_verdicts(
    index: TournamentIndex, game: Game, *, include_lost_turns: bool = False
) -> tuple[VerdictWithCost, ...]:
    """Return the verdicts that the director must still apply or refuse.

    With `include_lost_turns`, include verdicts that only cost a turn.
    """
    result = index.get_result(game.id)
    if result is not None and result.forfeit is not None:
        return ()
    decided_ids = {*result.applied, *result.refused} if result is not None else set()
    verdicts = [
        verdict for verdict in list_verdicts_missing_on_sheets(index, game) if verdict.challenge not in decided_ids
    ]
    return tuple(verdict for verdict in verdicts if include_lost_turns or verdict.kind is not VerdictCostKind.TURN)


def is_verdict_cost_applied(index: TournamentIndex, challenge: Challenge) -> bool | None:
    """Return whether the cost of a verdict was applied (true) or refused (false), None without a decision."""
    game = index.find_game_at_table(challenge.division, challenge.round, challenge.table)
    result = index.get_result(game.id) if game is not None else None
    if result is None or challenge.id not in {*result.applied, *result.refused}:
        return None
    return challenge.id in result.applied


def copy_old_verdict_decisions(tournament: Tournament, new_result: Result, old_result: Result | None) -> Result:
    if old_result is None or not (old_result.applied or old_result.refused):
        return new_result
    index, game = TournamentIndex(tournament), tournament.games[new_result.id]
    missing_ids = {verdict.challenge for verdict in list_verdicts_missing_on_sheets(index, game)}
    applied, refused = (
        tuple(key for key in keys if key in missing_ids) for keys in (old_result.applied, old_result.refused)
    )
    return replace(new_result, applied=applied, refused=refused)


class GameVerdictCosts(Struct, frozen=True):
    """The total cost of the applied verdicts of a game."""

    points: tuple[int, int] = (0, 0)
    losers: frozenset[GameSide] = frozenset()


def list_applied_verdicts(tournament: Tournament, result: Result) -> list[VerdictWithCost]:
    game, challenges = tournament.games[result.id], tournament.challenges
    rules = tournament.get_ruleset_of_row(game)
    return [_make_game_verdict(rules, game, challenges[key]) for key in result.applied if key in challenges]


def sum_applied_verdicts(tournament: Tournament, result: Result) -> GameVerdictCosts:
    if not result.applied:
        return GameVerdictCosts()
    verdicts = list_applied_verdicts(tournament, result)
    first, second = (
        sum(
            verdict.points
            for verdict in verdicts
            if verdict.kind is VerdictCostKind.POINTS and verdict.player == player
        )
        for player in (1, 2)
    )
    losers = {
        GameSide(str(verdict.player))
        for verdict in verdicts
        if verdict.kind is VerdictCostKind.GAME and verdict.player
    }
    return GameVerdictCosts((first, second), frozenset(losers))
