"""Rating systems as data, performances, and new ratings of a division.

All systems are of the Elo type.

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

from msgspec import Struct

from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, PlayerId
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Worth
from tdapp.domain.serialization import PlainError, make_decoder

DEFAULT_RATING = "elo"  # used for performances if no system is selected
RULE_OF_400 = 400
_FAR = 4000  # search interval beyond the opponents' ratings
_STEPS = 34  # bisection steps: precise to far less than a point
_QUARTER = 0.25
_SCORES = {Worth.WIN: Fraction(1), Worth.DRAW: Fraction(1, 2), Worth.LOSS: Fraction(0)}


class CurveKind(StrEnum):
    """The formula of a curve."""

    LOGISTIC = "logistic"  # 1 / (1 + exp(-d / scale))
    NORMAL = "normal"  # normal distribution with standard deviation scale
    LINEAR = "linear"  # 1/2 + d / scale


class PerformanceBy(StrEnum):
    """The formula of a performance."""

    SOLVED = "solved"  # on the system's curve
    LINEAR = "linear"  # by the rule of 400


class Curve(Struct, frozen=True):
    """Expected wins from a rating difference.

    Differences above `farthest` count as `farthest`. `least` is the minimum.
    """

    kind: CurveKind
    scale: float
    farthest: int | None = None
    least: float = 0.0


class Factor(Struct, frozen=True):
    """A factor for ratings below `below` and fewer than `games` earlier games."""

    k: float
    below: int | None = None
    games: int | None = None


class Bonus(Struct, frozen=True):
    """A bonus for a large gain: the share `share` of the part above `per_game` points per game.

    Each opponent gets the share `feedback` of the bonus.
    """

    per_game: float
    share: float = 1.0
    feedback: float = 0.0


class RatingSystem(Struct, frozen=True):
    """The rating system of a federation. `source` is its document.

    - The first of `factors` that fits applies.
    - `prorate`: a rating that crosses into another factor's range changes by each factor within its range.
    - `newcomers`: games against players without rating count.
    - `segments`: an event with more rounds than the first number is rated in two parts, with more than the
      second in three. Each part starts from the ratings after the part before.
    """

    id: str
    name: str
    source: str
    curve: Curve
    factors: tuple[Factor, ...]
    note: str = ""
    performance: PerformanceBy = PerformanceBy.SOLVED
    newcomers: bool = False
    prorate: bool = False
    segments: tuple[int, ...] = ()
    bonus: Bonus | None = None

    def compute_expected_score(self, difference: float) -> float:
        """Return the expected score, from 0 to 1."""
        farthest, least = self.curve.farthest, self.curve.least
        if farthest is not None:
            difference = max(-farthest, min(farthest, difference))
        return max(least, min(1 - least, _compute_share(self.curve, difference)))

    def find_factor(self, rating: float, games: int | None) -> float:
        """Return the change for one additional win. `games` are those before the tournament, None if many."""
        *conditional, last = self.factors
        for one in conditional:
            fits = one.below is None or rating < one.below
            if fits and (one.games is None or (games is not None and games < one.games)):
                return one.k
        return last.k


class Rated(Struct, frozen=True):
    """A player's new rating, from `games` against rated opponents.

    A draw counts half in `score`. `expected` is None for a player without rating, `performance` is None
    without rated opponents, and `new` is None if it cannot be computed.
    """

    player: Player
    games: int
    score: Fraction
    expected: float | None
    performance: int | None
    new: int | None

    @property
    def change(self) -> int | None:
        if self.new is None or self.player.rating is None:
            return None
        return self.new - self.player.rating


class _Played(Struct, frozen=True):
    round: int
    opponent: PlayerId
    score: Fraction


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
) -> tuple[Rated, ...]:
    players = {player.id: player for player in index.players(division.id)}
    games = {
        player: _list_rated_games(record) for player, record in compute_records(index, division, after).items()
    }
    before: dict[PlayerId, float] = {one.id: one.rating for one in players.values() if one.rating is not None}
    ratings, parts = before, []
    played = max((game.round for own in games.values() for game in own), default=0)
    for rounds in _split_segments(system, max(index.planned_rounds(division.id), played)):
        own = {player: [game for game in all_ if game.round in rounds] for player, all_ in games.items()}
        parts.append(_rate_segment(system, players, own, ratings))
        ratings = ratings | {player: one.new for player, one in parts[-1].items() if one.new is not None}
    found = {player: compute_performance(system, _pair_with_ratings(own, before)) for player, own in games.items()}
    return tuple(_combine_parts(one, [part[one.id] for part in parts], found[one.id]) for one in players.values())


def _split_segments(system: RatingSystem, rounds: int) -> list[range]:
    count = 1 + sum(rounds > most for most in system.segments)
    size, odd = divmod(rounds, count)
    ends = [size * at + min(odd, at) for at in range(count + 1)]
    return [range(first + 1, last + 1) for first, last in pairwise(ends)]


class _Part(Struct, frozen=True):
    games: int
    score: Fraction
    expected: float
    new: int | None


def _rate_segment(
    system: RatingSystem,
    players: Mapping[PlayerId, Player],
    games: Mapping[PlayerId, Sequence[_Played]],
    before: Mapping[PlayerId, float],
) -> Mapping[PlayerId, _Part]:
    found = {player: compute_performance(system, _pair_with_ratings(own, before)) for player, own in games.items()}
    newcomers = {player: one for player, one in found.items() if one is not None}
    known = {**newcomers, **before} if system.newcomers else before
    counted = {player: _pair_with_ratings(own, known) for player, own in games.items()}
    scores = {player: sum((won for _, won in own), start=Fraction(0)) for player, own in counted.items()}
    expected: dict[PlayerId, float] = {
        player: sum(system.compute_expected_score(rating - other) for other, _ in counted[player])
        for player, rating in before.items()
    }
    gains = {
        player: _compute_gain(system, players[player], rating, float(scores[player]) - expected[player])
        for player, rating in before.items()
    }
    extras = _compute_bonuses(system, games, gains, known)
    parts = {}
    for player, own in counted.items():
        new = before[player] + gains[player] + extras[player] if player in before else newcomers.get(player)
        whole = None if new is None else _round_half_up(new)
        parts[player] = _Part(len(own), scores[player], expected.get(player, 0.0), whole)
    return parts


def _combine_parts(player: Player, parts: Sequence[_Part], found: float | None) -> Rated:
    return Rated(
        player=player,
        games=sum(part.games for part in parts),
        score=sum((part.score for part in parts), start=Fraction(0)),
        expected=None if player.rating is None else sum(part.expected for part in parts),
        performance=None if found is None else _round_half_up(found),
        new=parts[-1].new,  # a player rated once stays rated
    )


def compute_performance(system: RatingSystem, games: Sequence[tuple[float, Fraction]]) -> float | None:
    """Compute a performance. Each item is an opponent's rating and the score against it. None without games."""
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
    return _solve_rising(
        lambda own: sum(_compute_share(system.curve, own - one) for one in ratings), wanted, ratings
    )


def _solve_rising(rising: Callable[[float], float], wanted: float, ratings: Sequence[float]) -> float:
    low, high = min(ratings) - _FAR, max(ratings) + _FAR
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _compute_share(curve: Curve, difference: float) -> float:
    if curve.kind is CurveKind.LOGISTIC:
        return 1 / (1 + math.exp(-difference / curve.scale))
    if curve.kind is CurveKind.NORMAL:
        return (1 + math.erf(difference / curve.scale / math.sqrt(2))) / 2
    return max(0.0, min(1.0, 0.5 + difference / curve.scale))


def _list_rated_games(record: Record) -> tuple[_Played, ...]:
    games = []
    for entry in record:
        if is_rated_round(entry) and entry.opponent and entry.worth:
            games.append(_Played(entry.round, entry.opponent, _SCORES[Worth.DRAW if entry.level else entry.worth]))
        elif entry.rated:
            pairs = zip(entry.others, entry.against, strict=True)
            games += (_Played(entry.round, other, _SCORES[worth]) for other, worth in pairs)
    return tuple(games)


def is_rated_round(entry: RoundRecord) -> bool:
    return entry.rated and entry.worth in _SCORES


def _pair_with_ratings(games: Iterable[_Played], known: Mapping[PlayerId, float]) -> list[tuple[float, Fraction]]:
    return [(known[game.opponent], game.score) for game in games if game.opponent in known]


def _compute_gain(system: RatingSystem, player: Player, rating: float, excess: float) -> float:
    if not system.prorate:
        return system.find_factor(rating, player.rated_games) * excess
    return _prorate_gain(system, rating, player.rated_games, excess) - rating


def _prorate_gain(system: RatingSystem, rating: float, games: int | None, excess: float) -> float:
    edges = sorted({one.below for one in system.factors if one.below is not None})
    rises = excess > 0
    ahead = [edge for edge in edges if edge > rating] if rises else [edge for edge in edges if edge < rating][::-1]
    for edge in ahead:
        k = system.find_factor(rating if rises else (rating + edge) / 2, games)
        needed = (edge - rating) / k
        if abs(needed) >= abs(excess):
            return rating + k * excess
        rating, excess = float(edge), excess - needed
    return rating + system.find_factor(rating if rises else rating - 1, games) * excess


def _compute_bonuses(
    system: RatingSystem,
    games: Mapping[PlayerId, Sequence[_Played]],
    gains: Mapping[PlayerId, float],
    known: Mapping[PlayerId, float],
) -> Mapping[PlayerId, float]:
    extras = dict.fromkeys(gains, 0.0)
    bonus = system.bonus
    if bonus is None:
        return extras
    for player, gain in gains.items():
        met = [game.opponent for game in games[player] if game.opponent in known]
        steep = bonus.share * (gain - bonus.per_game * len(met))
        if steep > 0:
            extras[player] += steep
            for opponent in met:
                if opponent in extras:
                    extras[opponent] += bonus.feedback * steep
    return extras


def _round_half_up(value: float) -> int:
    return math.floor(value + 0.5)
