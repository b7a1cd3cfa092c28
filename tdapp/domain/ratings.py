"""Elo rating systems. Compute performances, and new ratings after a division or a series of events.

A performance is the rating at which the expected number of wins equals the actual number. For a player with
only wins (or losses), a quarter of a win is subtracted (or added). Some systems use the rule of 400 instead: the
mean rating of the opponents plus 400 times (wins - losses) / games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, Player, StartRating
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Outcome
from tdapp.domain.serialization import InvalidDocumentError, make_decoder

DEFAULT_RATING = "elo"  # used for performances if no system is selected
RULE_OF_400 = 400
_SEARCH_MARGIN = 4000  # search interval beyond the opponents' ratings
_BISECTION_STEPS = 34  # precise to far less than a point
_QUARTER = 0.25
SCORES = {Outcome.WIN: Fraction(1), Outcome.DRAW: Fraction(1, 2), Outcome.LOSS: Fraction(0)}


class ExpectationCurveKind(StrEnum):
    """The formula of an expectation curve."""

    LOGISTIC = "logistic"  # 1 / (1 + exp(-d / scale))
    NORMAL = "normal"  # normal distribution with standard deviation scale
    LINEAR = "linear"  # 1/2 + d / scale


class PerformanceMethod(StrEnum):
    """The method of computing a performance."""

    SOLVED = "solved"  # on the system's curve
    LINEAR = "linear"  # by the rule of 400


class ExpectationCurve(Struct, frozen=True):
    """The share of wins to expect from a rating difference."""

    kind: ExpectationCurveKind
    scale: float
    farthest: int | None = None  # larger rating differences count as this one; None: no limit
    least: float = 0.0  # smallest share


class KFactorRule(Struct, frozen=True):
    """A K-factor of the Elo formula, and the players to whom it applies."""

    k: float  # rating change for one win
    below: int | None = None  # for ratings below this; None: all
    games: int | None = None  # for players with fewer earlier games; None: all


class LargeGainBonus(Struct, frozen=True):
    """A bonus for a large rating gain in an event."""

    per_game: float  # a gain of more points per game gives a bonus
    share: float = 1.0  # of the gain above `per_game`
    feedback: float = 0.0  # each opponent gets the bonus times this


class RatingSystem(Struct, frozen=True):
    """The rating system of a federation."""

    id: str
    name: str
    source: str  # document that defines it
    curve: ExpectationCurve
    factors: tuple[KFactorRule, ...]  # the first that fits applies
    note: str = ""
    performance: PerformanceMethod = PerformanceMethod.SOLVED
    newcomers: bool = False  # games against players without rating count
    prorate: bool = False  # a rating that crosses into another factor's range uses each factor within its range
    # an event with more rounds than the first number is rated in two parts, with more than the second in three;
    # each part starts from the ratings after the part before
    segments: tuple[int, ...] = ()
    bonus: LargeGainBonus | None = None

    def compute_expected_score(self, difference: float) -> float:
        farthest, least = self.curve.farthest, self.curve.least
        if farthest is not None:
            difference = max(-farthest, min(farthest, difference))
        return max(least, min(1 - least, _compute_expected_score_on_curve(self.curve, difference)))

    def get_k_factor(self, rating: float, games: int | None) -> float:
        """Return the K-factor: the rating change for one more win.

        `games` is the number of the player's earlier games. None (unknown) counts as a high number.
        """
        *conditional, last = self.factors
        for factor in conditional:
            fits = factor.below is None or rating < factor.below
            if fits and (factor.games is None or (games is not None and games < factor.games)):
                return factor.k
        return last.k


class PlayerRatingChange(Struct, frozen=True):
    """A player's score against rated opponents, and the resulting new rating."""

    player: Player
    games: int  # against rated opponents
    score: Fraction  # a draw counts half
    expected: float | None  # expected score; None for a player without rating
    performance: int | None  # None without rated opponents
    new: int | None  # rating; None if it cannot be computed

    @property
    def change(self) -> int | None:
        if self.new is None or self.player.rating is None:
            return None
        return self.new - self.player.rating


class RatedGame(Struct, frozen=True):
    """A rated game of two players."""

    round: int
    first: str  # key of the player
    second: str  # key of the player
    first_score: Fraction  # 1, 1/2 or 0; both scores can be 0
    second_score: Fraction | None  # None: the game does not count for the second player


class RatedEvent(Struct, frozen=True):
    """An event with its rated games, such as a club evening or a copied event."""

    key: str
    name: str
    date: str  # in ISO 8601, or ""
    games: tuple[RatedGame, ...]
    rounds: int = 0  # planned number


class GameRatingChange(Struct, frozen=True):
    """A rated game from the view of one player."""

    round: int
    opponent: str  # key of the player
    score: Fraction
    rating: float | None = None  # of the opponent; None: the game does not count
    expected: float | None = None  # expected score; also None for a player without rating
    change: float | None = None  # of the rating by this game; None if `expected` is None


class PlayerEventRatingChange(Struct, frozen=True):
    """A player's rating before and after an event.

    `after` is `before` plus the changes of all `games`, rounded.
    """

    event: RatedEvent
    before: int | None  # None without rating
    after: int | None  # None without rating
    games: tuple[GameRatingChange, ...]

    @property
    def game_count(self) -> int:
        return sum(game.rating is not None for game in self.games)


_decode = make_decoder(RatingSystem)


def parse_rating_system(data: object, *, source: str) -> RatingSystem:
    try:
        system = _decode(data)
    except InvalidDocumentError as error:
        raise InputError("rating-unfit", source=source, problems="; ".join(error.problems)) from None
    if not system.factors or system.curve.scale <= 0:
        raise InputError("rating-unfit", source=source, problems="factors, curve.scale")
    return system


def select_rating_system(systems: Mapping[str, RatingSystem], name: str) -> RatingSystem:
    """Return the rating system with this id. "" is plain Elo."""
    system_id = name or DEFAULT_RATING
    if system_id not in systems:
        raise CommandError("no-such-rating", rating=system_id, known=", ".join(systems))
    return systems[system_id]


def compute_division_rating_changes(
    index: TournamentIndex, division: Division, system: RatingSystem, after_round: int | None = None
) -> tuple[PlayerRatingChange, ...]:
    players = index.players(division.id)
    records = compute_records(index, division, after_round)
    games: dict[str, Sequence[GameRatingChange]] = {
        player: list_rated_games(record) for player, record in records.items()
    }
    before: dict[str, int] = {player.id: player.rating for player in players if player.rating is not None}
    counts: dict[str, int | None] = {player.id: player.rated_games for player in players}
    segments = _compute_ratings_of_all_round_segments(
        system, games, before, counts, index.count_planned_rounds(division.id)
    )
    performances = {
        player: compute_performance(system, _list_opponent_ratings_and_scores(player_games, before))
        for player, player_games in games.items()
    }
    return tuple(
        _combine_round_segment_ratings(
            player, [segment[player.id] for segment in segments], performances[player.id]
        )
        for player in players
    )


def compute_event_rating_changes(
    system: RatingSystem, events: Iterable[RatedEvent], starts: Iterable[StartRating]
) -> Mapping[str, tuple[PlayerEventRatingChange, ...]]:
    """Return the rating changes of each player, one for each event in order of date.

    The rounded ratings after an event are the start ratings of the next event. A player who has neither a rating
    nor a number of earlier games starts with 0 games.
    """
    ratings, counts = dict[str, int](), dict[str, int | None]()
    for start in starts:
        counts[start.player] = start.games if start.rating is not None else start.games or 0
        if start.rating is not None:
            ratings[start.player] = start.rating
    changes_by_player: dict[str, list[PlayerEventRatingChange]] = {}
    for event in sorted(events, key=attrgetter("date")):
        games = _map_rating_changes_by_player(event)
        for player in games:
            counts.setdefault(player, 0)
        segments = _compute_ratings_of_all_round_segments(system, games, ratings, counts, event.rounds)
        for player in games:
            player_segments = [segment[player] for segment in segments]
            rated_games = tuple(game for segment in player_segments for game in segment.games)
            change = PlayerEventRatingChange(event, ratings.get(player), player_segments[-1].new, rated_games)
            changes_by_player.setdefault(player, []).append(change)
            if change.after is not None:
                ratings[player] = change.after
            count = counts[player]
            counts[player] = None if count is None else count + change.game_count
    return {player: tuple(changes) for player, changes in changes_by_player.items()}


def _map_rating_changes_by_player(event: RatedEvent) -> Mapping[str, Sequence[GameRatingChange]]:
    games: dict[str, list[GameRatingChange]] = {}
    for game in event.games:
        games.setdefault(game.first, []).append(GameRatingChange(game.round, game.second, game.first_score))
        if game.second_score is not None:
            games.setdefault(game.second, []).append(GameRatingChange(game.round, game.first, game.second_score))
    return games


def _compute_ratings_of_all_round_segments(
    system: RatingSystem,
    games: Mapping[str, Sequence[GameRatingChange]],
    before: Mapping[str, int],
    counts: Mapping[str, int | None],
    planned: int,
) -> list[Mapping[str, _RoundSegmentRating]]:
    ratings, segments = {player: before[player] for player in games if player in before}, []
    last_round = max((game.round for player_games in games.values() for game in player_games), default=0)
    for rounds in _split_rounds_into_segments(system, max(planned, last_round)):
        segment_games = {
            player: [game for game in player_games if game.round in rounds]
            for player, player_games in games.items()
        }
        segments.append(_compute_round_segment_ratings(system, segment_games, ratings, counts))
        ratings = ratings | {
            player: segment.new for player, segment in segments[-1].items() if segment.new is not None
        }
    return segments


def _split_rounds_into_segments(system: RatingSystem, rounds: int) -> list[range]:
    count = 1 + sum(rounds > limit for limit in system.segments)
    size, remainder = divmod(rounds, count)
    ends = [size * number + min(remainder, number) for number in range(count + 1)]
    return [range(first + 1, last + 1) for first, last in pairwise(ends)]


class _RoundSegmentRating(Struct, frozen=True):
    games: tuple[GameRatingChange, ...]
    new: int | None


def _compute_round_segment_ratings(
    system: RatingSystem,
    games: Mapping[str, Sequence[GameRatingChange]],
    before: Mapping[str, int],
    counts: Mapping[str, int | None],
) -> Mapping[str, _RoundSegmentRating]:
    newcomers = {
        player: performance
        for player, player_games in games.items()
        if player not in before
        and (performance := compute_performance(system, _list_opponent_ratings_and_scores(player_games, before)))
        is not None
    }
    known_ratings: Mapping[str, float] = {**newcomers, **before} if system.newcomers else {**before}
    games_with_ratings = {
        player: [replace(game, rating=known_ratings.get(game.opponent)) for game in player_games]
        for player, player_games in games.items()
    }
    changed_games = {
        player: _compute_rating_changes_by_game(system, rating, counts[player], games_with_ratings[player])
        for player, rating in before.items()
    }
    changed_games = _add_rating_bonuses(system, changed_games)
    segments = {}
    for player, player_games in (games_with_ratings | changed_games).items():
        gain = math.fsum(game.change or 0.0 for game in player_games)
        new = before[player] + gain if player in before else newcomers.get(player)
        segments[player] = _RoundSegmentRating(tuple(player_games), None if new is None else _round_half_up(new))
    return segments


def _compute_rating_changes_by_game(
    system: RatingSystem, rating: int, count: int | None, games: Sequence[GameRatingChange]
) -> list[GameRatingChange]:
    scores = [
        None if game.rating is None else system.compute_expected_score(rating - game.rating) for game in games
    ]
    pairs = list(zip(games, scores, strict=True))
    excess = math.fsum(float(game.score) - expected for game, expected in pairs if expected is not None)
    factor = _compute_effective_k_factor(system, rating, count, excess)
    return [
        game
        if expected is None
        else replace(game, expected=expected, change=factor * (float(game.score) - expected))
        for game, expected in pairs
    ]


def _add_rating_bonuses(
    system: RatingSystem, games: Mapping[str, Sequence[GameRatingChange]]
) -> dict[str, list[GameRatingChange]]:
    bonus = system.bonus or LargeGainBonus(per_game=0.0, share=0.0)
    bonuses = {}
    for player, player_games in games.items():
        changes = [game.change for game in player_games if game.change is not None]
        bonuses[player] = bonus.share * (math.fsum(changes) - bonus.per_game * len(changes))

    def add_bonuses(player: str, game: GameRatingChange) -> GameRatingChange:
        if game.change is None:
            return game
        own_bonus = bonus.share * (game.change - bonus.per_game) if bonuses[player] > 0 else 0.0
        return replace(
            game, change=game.change + own_bonus + bonus.feedback * max(0.0, bonuses.get(game.opponent, 0.0))
        )

    return {player: [add_bonuses(player, game) for game in player_games] for player, player_games in games.items()}


def _combine_round_segment_ratings(
    player: Player, segments: Sequence[_RoundSegmentRating], performance: float | None
) -> PlayerRatingChange:
    rated_games = [game for segment in segments for game in segment.games if game.rating is not None]
    return PlayerRatingChange(
        player=player,
        games=len(rated_games),
        score=sum((game.score for game in rated_games), start=Fraction(0)),
        expected=None if player.rating is None else sum(game.expected or 0.0 for game in rated_games),
        performance=None if performance is None else _round_half_up(performance),
        new=segments[-1].new,  # not None if any part gave a rating
    )


def compute_performance(system: RatingSystem, games: Sequence[tuple[float, Fraction]]) -> float | None:
    """Return the performance against opponents, each with rating and score. Return None without games."""
    if not games:
        return None
    ratings = [rating for rating, _ in games]
    score, count = float(sum(game_score for _, game_score in games)), len(games)
    mean = sum(ratings) / count
    if system.performance is PerformanceMethod.LINEAR:
        return mean + RULE_OF_400 * (2 * score - count) / count
    if system.curve.kind is ExpectationCurveKind.LINEAR:
        return mean + system.curve.scale * (score / count - 0.5)
    target_score = max(_QUARTER, min(count - _QUARTER, score))
    return _find_rating_for_expected_score(
        lambda own_rating: sum(
            _compute_expected_score_on_curve(system.curve, own_rating - rating) for rating in ratings
        ),
        target_score,
        ratings,
    )


def _find_rating_for_expected_score(
    compute_score: Callable[[float], float], target_score: float, ratings: Sequence[float]
) -> float:
    lower, upper = min(ratings) - _SEARCH_MARGIN, max(ratings) + _SEARCH_MARGIN
    for _ in range(_BISECTION_STEPS):
        middle = (lower + upper) / 2
        if compute_score(middle) < target_score:
            lower = middle
        else:
            upper = middle
    return (lower + upper) / 2


def _compute_expected_score_on_curve(curve: ExpectationCurve, difference: float) -> float:
    if curve.kind is ExpectationCurveKind.LOGISTIC:
        return 1 / (1 + math.exp(-difference / curve.scale))
    if curve.kind is ExpectationCurveKind.NORMAL:
        return (1 + math.erf(difference / curve.scale / math.sqrt(2))) / 2
    return max(0.0, min(1.0, 0.5 + difference / curve.scale))


def list_rated_games(record: Record) -> tuple[GameRatingChange, ...]:
    games = []
    for entry in record:
        if is_rated_round(entry) and entry.opponent and entry.outcome:
            games.append(
                GameRatingChange(
                    entry.round, entry.opponent, SCORES[Outcome.DRAW if entry.is_tie_decided else entry.outcome]
                )
            )
        elif entry.is_rated:
            pairs = zip(entry.other_players, entry.opponent_outcomes, strict=True)
            games += (GameRatingChange(entry.round, opponent, SCORES[outcome]) for opponent, outcome in pairs)
    return tuple(games)


def is_rated_round(entry: RoundRecord) -> bool:
    return entry.is_rated and entry.outcome in SCORES


def _list_opponent_ratings_and_scores(
    games: Iterable[GameRatingChange], ratings: Mapping[str, float]
) -> list[tuple[float, Fraction]]:
    return [(ratings[game.opponent], game.score) for game in games if game.opponent in ratings]


def _compute_effective_k_factor(system: RatingSystem, rating: int, games: int | None, excess: float) -> float:
    if not system.prorate or not excess:
        return system.get_k_factor(rating, games)
    return _compute_prorated_rating_gain(system, rating, games, excess) / excess


def _compute_prorated_rating_gain(system: RatingSystem, rating: float, games: int | None, excess: float) -> float:
    limits = sorted({factor.below for factor in system.factors if factor.below is not None})
    is_gain, gain = excess > 0, 0.0
    limits_ahead = (
        [limit for limit in limits if limit > rating]
        if is_gain
        else [limit for limit in limits if limit < rating][::-1]
    )
    for limit in limits_ahead:
        factor = system.get_k_factor(rating if is_gain else (rating + limit) / 2, games)
        needed = (limit - rating) / factor
        if abs(needed) >= abs(excess):
            return gain + factor * excess
        gain += limit - rating
        rating, excess = float(limit), excess - needed
    return gain + system.get_k_factor(rating if is_gain else rating - 1, games) * excess


def _round_half_up(value: float) -> int:
    return math.floor(round(value, 9) + 0.5)  # without the error of floating point in an exact half
