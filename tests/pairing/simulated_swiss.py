"""Whole Swiss seasons without rows: players come, leave and miss rounds, results fall by rating and luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from types import MappingProxyType

from msgspec import Struct, field

from tdapp.domain.model import PlayerId, StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing.field import DOWN, LEVEL, UP, Entrant, PairingField
from tdapp.pairing.system import choose_starter
from tdapp.pairing.systems.swiss import pair_field

LEAVES, MISSES = 0.004, 0.003  # the chance of a player in a round


class Tally(Struct):
    """Results of seasons: players by |starts - replies| after an odd and an even number of games."""

    odd: Counter[int] = field(default_factory=Counter)
    even: Counter[int] = field(default_factory=Counter)
    on_the_way: Counter[int] = field(default_factory=Counter)
    score_difference: int = 0
    repeats: int = 0

    def above(self, games: str, limit: int) -> float:
        """Return how many of 1,000 players end above a balance of `limit` after an "odd" or "even" number."""
        counts: Counter[int] = getattr(self, games)
        return 1000 * sum(count for balance, count in counts.items() if balance > limit) / max(1, counts.total())


class _Person(Struct):
    number: int
    rating: int
    score: int = 0
    spread: int = 0
    byes: int = 0
    here: bool = True
    meetings: dict[PlayerId, tuple[int, ...]] = field(default_factory=dict)
    roles: dict[int, bool] = field(default_factory=dict)
    floats: list[int] = field(default_factory=lambda: [LEVEL, LEVEL])

    @property
    def id(self) -> PlayerId:
        return PlayerId(f"p{self.number}")

    @property
    def balance(self) -> int:
        return abs(sum(1 if started else -1 for started in self.roles.values()))

    def entrant(self) -> Entrant:
        return Entrant(
            self.id,
            self.number,
            score=self.score,
            meetings=MappingProxyType(dict(self.meetings)),
            byes=self.byes,
            starts_by_round=MappingProxyType(dict(self.roles)),
            floats=(self.floats[-1], self.floats[-2]),
        )


def seasons(count: int, settings: PairingSettings) -> Tally:
    """Play `count` Swiss tournaments of 20 to 200 players and 7 to 15 rounds."""
    tally = Tally()
    for seed in range(count):
        _season(seed, settings, tally)
    return tally


def _season(seed: int, settings: PairingSettings, tally: Tally) -> None:
    rng = Random(seed)
    people = [
        _Person(number, round(rng.gauss(1500, 200))) for number in range(1, round(20 * 10 ** rng.random()) + 1)
    ]
    rounds = rng.randint(7, 15)
    for number in range(1, rounds + 1):
        for person in people:
            person.here = person.here and rng.random() >= LEAVES
        there = [person for person in people if person.here and rng.random() >= MISSES]
        there.sort(key=lambda one: (-one.score, -one.spread, -one.rating, one.number))
        entrants = tuple(person.entrant() for person in there)
        situation = PairingField(StageId("s"), number, seed, entrants, settings, later_rounds=rounds - number)
        games = list(_games(situation, there, tally))
        for one, other in games:
            _play(one, other, rng)
        tally.on_the_way.update(person.balance for person in there)
    for person in people:
        (tally.odd if len(person.roles) % 2 else tally.even)[person.balance] += 1


def _games(situation: PairingField, there: list[_Person], tally: Tally) -> Iterator[tuple[_Person, _Person]]:
    """Pair a round; note meetings, starts, floats and byes."""
    places = [
        (there[pair.position], None if pair.opponent is None else there[pair.opponent])
        for pair in pair_field(situation).pairs
    ]
    entrants = {entrant.player: entrant for entrant in situation.entrants}
    for one, other in places:
        if other is None:
            one.byes += 1
            one.score, one.spread = one.score + 2, one.spread + 50
            one.floats.append(DOWN)
            continue
        first = choose_starter(situation, entrants[one.id], entrants[other.id]).player
        gap = one.score - other.score
        tally.score_difference += gap**2
        tally.repeats += other.id in one.meetings
        for own, their, side in ((one, other, gap), (other, one, -gap)):
            own.roles[situation.number] = own.id == first
            own.meetings[their.id] = (*own.meetings.get(their.id, ()), situation.number)
            own.floats.append(DOWN if side > 0 else UP if side < 0 else LEVEL)
        yield one, other


def _play(one: _Person, other: _Person, rng: Random) -> None:
    spread = round(rng.gauss((one.rating - other.rating) / 8, 90))
    for own, margin in ((one, spread), (other, -spread)):
        own.score += 2 if margin > 0 else 0 if margin < 0 else 1
        own.spread += margin
