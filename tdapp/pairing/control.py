"""Who would lose control of his own tournament by not meeting the leader, and the pairs that give it back.

Hides the simulations of one player who wins every game. They play the rounds as `chances` does, a tenth as often.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tdapp.domain.pairing_settings import Contention
from tdapp.pairing.chances import Chances, Hero, affordable, factor_round, lowest, played, script, tournament_wins
from tdapp.pairing.contention import Contest, Groups, Pairs

Rounds = tuple[Pairs, ...]

_LEAST = 1_000  # simulations of one player, however large the field
_TOP = 6  # players who meet by factor three with two rounds left
_SURE_ABOVE = 4  # rounds left, in which only a certain winner is given the leader


@dataclass(frozen=True, slots=True)
class Control:
    """Whom the leader has to meet: `places`, because the player at `place` would lose `share` per mille of wins.

    `factor` instead: the first three meet the next three.
    """

    place: int = 0
    places: tuple[int, ...] = ()
    share: int = 0
    factor: bool = False


class _Wins:
    """The tournament wins of a player who wins every game, remembered while one pairing is made."""

    def __init__(self, contest: Contest, settings: Contention, seed: int, group: int) -> None:
        self._contest = contest
        self._group = group
        self._seed = seed
        self.times = max(_LEAST, min(settings.control_simulations, affordable(contest, 10**9) // 10))
        self.threshold = settings.control_loss
        self.of = cache(self._of)

    def _of(self, rounds: Rounds, place: int, meets_leader: bool) -> int:
        hero = Hero(place, meets_leader, self._group)
        return tournament_wins(self._contest, rounds, hero, times=self.times, seed=self._seed)


def control(
    contest: Contest, parts: Groups, found: Chances, settings: Contention, *, hope: int, seed: int
) -> Control | None:
    """Return whom the leader has to meet, None for anybody; `hope` is the least share of a hopeful, per mille.

    Not where the leader is decided, nor in the last round. With two rounds left the first three meet the next
    three where each of these may still reach the place of the other, unless the second or the third would lose
    control by that.
    """
    left, leaders = contest.rounds_left, parts.members[0]
    if left < 2 or len(leaders) < 2 or leaders[0] != 0 or 0 in parts.left_over:  # noqa: PLR2004
        return None
    wins = _Wins(contest, settings, seed, len(leaders))
    if left == 2 and leaders[:_TOP] == tuple(range(_TOP)):  # noqa: PLR2004
        by_factor = _by_factor(contest, parts, wins, hope, seed)
        if by_factor is not None:
            return by_factor
    if left > settings.control_rounds:
        return None
    rounds = script(contest, parts, found.factor)
    last = min(int(lowest(found.hopeful(hope))[0]), leaders[-1])
    return _destiny(wins, rounds, last, left, first=left == settings.control_rounds)


def _by_factor(contest: Contest, parts: Groups, wins: _Wins, hope: int, seed: int) -> Control | None:
    count = contest.count
    rounds = (factor_round(parts, 3, 3, count), factor_round(parts, 1, 1, count))
    reached = played(contest, rounds, times=wins.times, seed=seed).cumsum(axis=1)
    if any(1000 * int(reached[place + 3, place]) < hope * wins.times for place in range(3)):
        return None
    for place in (1, 2):
        lost = wins.of(rounds, place, True) - wins.of(rounds, place, False)
        if 1000 * lost >= wins.threshold * wins.times:
            return Control(place, (place,), _per_mille(lost, wins.times))
    return Control(factor=True)


def _destiny(wins: _Wins, rounds: Rounds, last: int, left: int, *, first: bool) -> Control | None:
    """Return the highest player who loses control, found by halving; with two rounds left see `_doubtful`."""

    def lost(place: int) -> int:
        return wins.of(rounds, place, True) - wins.of(rounds, place, False)

    def loses(place: int) -> bool:
        sure = left <= _SURE_ABOVE or wins.of(rounds, place, True) == wins.times
        return sure and 1000 * lost(place) >= wins.threshold * wins.times

    child, low, high = _doubtful(wins, rounds, last) if left == 2 else None, 1, last  # noqa: PLR2004
    while child is None and low <= high:
        middle = (low + high) // 2
        low, high = (low, middle - 1) if loses(middle) else (middle + 1, high)
    if child is None and low <= last:
        child = low
    if child is None:
        return None
    above = (child - 1,) if left > _SURE_ABOVE and not first and child > 1 else ()
    return Control(child, (*above, child), _per_mille(lost(child), wins.times))


def _doubtful(wins: _Wins, rounds: Rounds, last: int) -> int | None:
    """Return the first player below those who win all simulations either way, if the leader is better to meet."""
    for place in range(1, last + 1):
        meeting, avoiding = (wins.of(rounds, place, meets) for meets in (True, False))
        if avoiding < wins.times or meeting < wins.times:
            return place if meeting > avoiding else None
    return None


def _per_mille(part: int, whole: int) -> int:
    return 1000 * part // whole
