"""Rating systems of the Elo type as data, performances, and new ratings after a division or dated events.

A performance is the rating at which the expected number of wins equals the real number. If a player won or lost
all games, a quarter of a point is subtracted or added. The alternative is the rule of 400: the mean rating of the
opponents plus 400 times the share of wins minus losses.
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

from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, StartRating
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Worth
from tdapp.domain.serialization import PlainError, make_decoder

DEFAULT_RATING = "elo"  # used for performances if no system is selected
RULE_OF_400 = 400
_FAR = 4000  # search interval beyond the opponents' ratings
_STEPS = 34  # bisection steps: precise to far less than a point
_QUARTER = 0.25
SCORES = {Worth.WIN: Fraction(1), Worth.DRAW: Fraction(1, 2), Worth.LOSS: Fraction(0)}


class CurveKind(StrEnum):
    """The formula of an expectation curve."""

    LOGISTIC = "logistic"  # 1 / (1 + exp(-d / scale))
    NORMAL = "normal"  # normal distribution with standard deviation scale
    LINEAR = "linear"  # 1/2 + d / scale


class PerformanceBy(StrEnum):
    """How a performance is computed."""

    SOLVED = "solved"  # on the system's curve
    LINEAR = "linear"  # by the rule of 400


class ExpectationCurve(Struct, frozen=True):
    """The share of wins to expect from a rating difference.

    Larger differences than `farthest` count as `farthest`. `least` is the smallest share.
    """

    kind: CurveKind
    scale: float
    farthest: int | None = None  # larger rating differences count as this one; None: no limit
    least: float = 0.0  # smallest share


class RatingFactor(Struct, frozen=True):
    """The rating change for one win, with the players to whom it applies."""

    k: float  # rating change for one win
    below: int | None = None  # for ratings below this; None: all
    games: int | None = None  # for players with fewer earlier games; None: all


class RatingBonus(Struct, frozen=True):
    """A bonus for a large rating gain in an event."""

    per_game: float  # a gain of more points per game gives a bonus
    share: float = 1.0  # of the gain above `per_game`
    feedback: float = 0.0  # each opponent gets the bonus times this


class RatingSystem(Struct, frozen=True):
    """The rating system of a federation."""

    id: str
    name: str
    source: str  # its document
    curve: ExpectationCurve
    factors: tuple[RatingFactor, ...]  # the first that fits applies
    note: str = ""
    performance: PerformanceBy = PerformanceBy.SOLVED
    newcomers: bool = False  # games against players without rating count
    prorate: bool = False  # a rating that crosses into another factor's range uses each factor within its range
    # an event with more rounds than the first number is rated in two parts, with more than the second in three;
    # each part starts from the ratings after the part before
    segments: tuple[int, ...] = ()
    bonus: RatingBonus | None = None

    def compute_expected_score(self, difference: float) -> float:
        farthest, least = self.curve.farthest, self.curve.least
        if farthest is not None:
            difference = max(-farthest, min(farthest, difference))
        return max(least, min(1 - least, _compute_expected_share(self.curve, difference)))

    def find_factor(self, rating: float, games: int | None) -> float:
        """Return the rating change for one more win.

        `games` is the number of the player's earlier games, None if many.
        """
        *conditional, last = self.factors
        for one in conditional:
            fits = one.below is None or rating < one.below
            if fits and (one.games is None or (games is not None and games < one.games)):
                return one.k
        return last.k


class RatedPlayer(Struct, frozen=True):
    """A player's result against rated opponents and the new rating."""

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


class RatedEventGame(Struct, frozen=True):
    """A rated game of two players."""

    round: int
    first: str  # key of the player
    second: str  # key of the player
    first_score: Fraction  # 1, 1/2 or 0; both scores can be 0
    second_score: Fraction | None  # None: the game does not count for the second player


class RatedEvent(Struct, frozen=True):
    """An event with its rated games, such as a club evening or an event copied from another file."""

    key: str
    name: str
    date: str  # in ISO 8601, or ""
    games: tuple[RatedEventGame, ...]
    rounds: int = 0  # planned number; games have rounds from 1


class RatedGame(Struct, frozen=True):
    """A rated game from the view of one player."""

    round: int
    opponent: str  # key of the player
    score: Fraction
    rating: float | None = None  # of the opponent; None: the game does not count
    expected: float | None = None  # expected score; also None for a player without rating
    change: float | None = None  # the part of the rating change; None like `expected`


class EventRatingChange(Struct, frozen=True):
    """A player's rating before and after an event.

    The changes of the games add up to the change of the rating before rounding.
    """

    event: RatedEvent
    before: int | None  # None without rating
    after: int | None  # None without rating
    games: tuple[RatedGame, ...]

    @property
    def game_count(self) -> int:
        return sum(game.rating is not None for game in self.games)


_decode = make_decoder(RatingSystem)


def parse_rating_system(plain: object, *, source: str) -> RatingSystem:
    try:
        system = _decode(plain)
    except PlainError as error:
        raise InputError("rating-unfit", source=source, problems="; ".join(error.problems)) from None
    if not system.factors or system.curve.scale <= 0:
        raise InputError("rating-unfit", source=source, problems="factors, curve.scale")
    return system


def select_rating_system(systems: Mapping[str, RatingSystem], name: str) -> RatingSystem:
    """Return the rating system with this id. "" is plain Elo."""
    wanted = name or DEFAULT_RATING
    if wanted not in systems:
        raise RuleViolation("no-such-rating", rating=wanted, known=", ".join(systems))
    return systems[wanted]


def rate_division(
    index: Index, division: Division, system: RatingSystem, after: int | None = None
) -> tuple[RatedPlayer, ...]:
    players = index.players(division.id)
    records = compute_records(index, division, after)
    games: dict[str, Sequence[RatedGame]] = {
        player: list_rated_games(record) for player, record in records.items()
    }
    before: dict[str, int] = {one.id: one.rating for one in players if one.rating is not None}
    counts: dict[str, int | None] = {one.id: one.rated_games for one in players}
    parts = _rate_rounds_in_segments(system, games, before, counts, index.count_planned_rounds(division.id))
    found = {
        player: compute_performance(system, _list_opponent_ratings_and_scores(own, before))
        for player, own in games.items()
    }
    return tuple(_combine_segment_ratings(one, [part[one.id] for part in parts], found[one.id]) for one in players)


def rate_events(
    system: RatingSystem, events: Iterable[RatedEvent], starts: Iterable[StartRating]
) -> Mapping[str, tuple[EventRatingChange, ...]]:
    """Return the list of rating changes of each player, one for each event in order of date.

    Each event uses the rounded ratings after the event before. A player who has neither a rating nor a number
    of earlier games starts with 0 games.
    """
    ratings, counts = dict[str, int](), dict[str, int | None]()
    for start in starts:
        counts[start.player] = start.games if start.rating is not None else start.games or 0
        if start.rating is not None:
            ratings[start.player] = start.rating
    found: dict[str, list[EventRatingChange]] = {}
    for event in sorted(events, key=attrgetter("date")):
        games = _list_games_by_player(event)
        for player in games:
            counts.setdefault(player, 0)
        parts = _rate_rounds_in_segments(system, games, ratings, counts, event.rounds)
        for player in games:
            own = [part[player] for part in parts]
            shares = tuple(game for part in own for game in part.games)
            change = EventRatingChange(event, ratings.get(player), own[-1].new, shares)
            found.setdefault(player, []).append(change)
            if change.after is not None:
                ratings[player] = change.after
            known = counts[player]
            counts[player] = None if known is None else known + change.game_count
    return {player: tuple(changes) for player, changes in found.items()}


def _list_games_by_player(event: RatedEvent) -> Mapping[str, Sequence[RatedGame]]:
    games: dict[str, list[RatedGame]] = {}
    for one in event.games:
        games.setdefault(one.first, []).append(RatedGame(one.round, one.second, one.first_score))
        if one.second_score is not None:
            games.setdefault(one.second, []).append(RatedGame(one.round, one.first, one.second_score))
    return games


def _rate_rounds_in_segments(
    system: RatingSystem,
    games: Mapping[str, Sequence[RatedGame]],
    before: Mapping[str, int],
    counts: Mapping[str, int | None],
    planned: int,
) -> list[Mapping[str, _SegmentRating]]:
    ratings, parts = {player: before[player] for player in games if player in before}, []
    played = max((game.round for own in games.values() for game in own), default=0)
    for rounds in _split_rounds_into_segments(system, max(planned, played)):
        own = {player: [game for game in all_ if game.round in rounds] for player, all_ in games.items()}
        parts.append(_rate_segment(system, own, ratings, counts))
        ratings = ratings | {player: one.new for player, one in parts[-1].items() if one.new is not None}
    return parts


def _split_rounds_into_segments(system: RatingSystem, rounds: int) -> list[range]:
    count = 1 + sum(rounds > most for most in system.segments)
    size, odd = divmod(rounds, count)
    ends = [size * at + min(odd, at) for at in range(count + 1)]
    return [range(first + 1, last + 1) for first, last in pairwise(ends)]


class _SegmentRating(Struct, frozen=True):
    """The games and the new rating of a player in a part of an event."""

    games: tuple[RatedGame, ...]
    new: int | None


def _rate_segment(
    system: RatingSystem,
    games: Mapping[str, Sequence[RatedGame]],
    before: Mapping[str, int],
    counts: Mapping[str, int | None],
) -> Mapping[str, _SegmentRating]:
    newcomers = {
        player: performance
        for player, own in games.items()
        if player not in before
        and (performance := compute_performance(system, _list_opponent_ratings_and_scores(own, before)))
        is not None
    }
    known: Mapping[str, float] = {**newcomers, **before} if system.newcomers else {**before}
    opposed = {
        player: [replace(game, rating=known.get(game.opponent)) for game in own] for player, own in games.items()
    }
    shared = {
        player: _compute_rating_changes_by_game(system, rating, counts[player], opposed[player])
        for player, rating in before.items()
    }
    shared = _share_bonuses(system, shared)
    parts = {}
    for player, own in (opposed | shared).items():
        gain = math.fsum(game.change or 0.0 for game in own)
        new = before[player] + gain if player in before else newcomers.get(player)
        parts[player] = _SegmentRating(tuple(own), None if new is None else _round_half_up(new))
    return parts


def _compute_rating_changes_by_game(
    system: RatingSystem, rating: int, count: int | None, games: Sequence[RatedGame]
) -> list[RatedGame]:
    scores = [
        None if game.rating is None else system.compute_expected_score(rating - game.rating) for game in games
    ]
    pairs = list(zip(games, scores, strict=True))
    excess = math.fsum(float(game.score) - expected for game, expected in pairs if expected is not None)
    factor = _find_effective_factor(system, rating, count, excess)
    return [
        game
        if expected is None
        else replace(game, expected=expected, change=factor * (float(game.score) - expected))
        for game, expected in pairs
    ]


def _share_bonuses(system: RatingSystem, games: Mapping[str, Sequence[RatedGame]]) -> dict[str, list[RatedGame]]:
    bonus = system.bonus or RatingBonus(per_game=0.0, share=0.0)
    steep = {}
    for player, own in games.items():
        changes = [game.change for game in own if game.change is not None]
        steep[player] = bonus.share * (math.fsum(changes) - bonus.per_game * len(changes))

    def add_bonuses(player: str, game: RatedGame) -> RatedGame:
        if game.change is None:
            return game
        own = bonus.share * (game.change - bonus.per_game) if steep[player] > 0 else 0.0
        return replace(game, change=game.change + own + bonus.feedback * max(0.0, steep.get(game.opponent, 0.0)))

    return {player: [add_bonuses(player, game) for game in own] for player, own in games.items()}


def _combine_segment_ratings(
    player: Player, parts: Sequence[_SegmentRating], performance: float | None
) -> RatedPlayer:
    counted = [game for part in parts for game in part.games if game.rating is not None]
    return RatedPlayer(
        player=player,
        games=len(counted),
        score=sum((game.score for game in counted), start=Fraction(0)),
        expected=None if player.rating is None else sum(game.expected or 0.0 for game in counted),
        performance=None if performance is None else _round_half_up(performance),
        new=parts[-1].new,  # a player rated once stays rated
    )


def compute_performance(system: RatingSystem, games: Sequence[tuple[float, Fraction]]) -> float | None:
    """Return the performance against opponents, each with rating and score. Return None without games."""
    if not games:
        return None
    ratings = [rating for rating, _ in games]
    score, count = float(sum(won for _, won in games)), len(games)
    mean = sum(ratings) / count
    if system.performance is PerformanceBy.LINEAR:
        return mean + RULE_OF_400 * (2 * score - count) / count
    if system.curve.kind is CurveKind.LINEAR:
        return mean + system.curve.scale * (score / count - 0.5)
    wanted = max(_QUARTER, min(count - _QUARTER, score))
    return _find_rating_for_expected_score(
        lambda own: sum(_compute_expected_share(system.curve, own - one) for one in ratings), wanted, ratings
    )


def _find_rating_for_expected_score(
    rising: Callable[[float], float], wanted: float, ratings: Sequence[float]
) -> float:
    low, high = min(ratings) - _FAR, max(ratings) + _FAR
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _compute_expected_share(curve: ExpectationCurve, difference: float) -> float:
    if curve.kind is CurveKind.LOGISTIC:
        return 1 / (1 + math.exp(-difference / curve.scale))
    if curve.kind is CurveKind.NORMAL:
        return (1 + math.erf(difference / curve.scale / math.sqrt(2))) / 2
    return max(0.0, min(1.0, 0.5 + difference / curve.scale))


def list_rated_games(record: Record) -> tuple[RatedGame, ...]:
    games = []
    for entry in record:
        if is_rated_round(entry) and entry.opponent and entry.worth:
            games.append(
                RatedGame(entry.round, entry.opponent, SCORES[Worth.DRAW if entry.level else entry.worth])
            )
        elif entry.rated:
            pairs = zip(entry.others, entry.against, strict=True)
            games += (RatedGame(entry.round, other, SCORES[worth]) for other, worth in pairs)
    return tuple(games)


def is_rated_round(entry: RoundRecord) -> bool:
    return entry.rated and entry.worth in SCORES


def _list_opponent_ratings_and_scores(
    games: Iterable[RatedGame], known: Mapping[str, float]
) -> list[tuple[float, Fraction]]:
    return [(known[game.opponent], game.score) for game in games if game.opponent in known]


def _find_effective_factor(system: RatingSystem, rating: int, games: int | None, excess: float) -> float:
    if not system.prorate or not excess:
        return system.find_factor(rating, games)
    return _prorate_rating_gain(system, rating, games, excess) / excess


def _prorate_rating_gain(system: RatingSystem, rating: float, games: int | None, excess: float) -> float:
    edges = sorted({one.below for one in system.factors if one.below is not None})
    rises, gain = excess > 0, 0.0
    ahead = [edge for edge in edges if edge > rating] if rises else [edge for edge in edges if edge < rating][::-1]
    for edge in ahead:
        k = system.find_factor(rating if rises else (rating + edge) / 2, games)
        needed = (edge - rating) / k
        if abs(needed) >= abs(excess):
            return gain + k * excess
        gain += edge - rating
        rating, excess = float(edge), excess - needed
    return gain + system.find_factor(rating if rises else rating - 1, games) * excess


def _round_half_up(value: float) -> int:
    return math.floor(round(value, 9) + 0.5)  # without the error of floating point in an exact half
