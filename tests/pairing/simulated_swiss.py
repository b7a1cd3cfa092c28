"""Simulated Swiss tournaments: players leave and miss rounds, and results depend on rating and chance."""

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
from tdapp.pairing.systems.swiss import plan_swiss_pairs

LEAVES, MISSES = 0.004, 0.003  # chance of each player in each round


class Tally(Struct):
    """Results of simulated tournaments: numbers of players by |starts - replies| at the end."""

    odd: Counter[int] = field(default_factory=Counter)
    even: Counter[int] = field(default_factory=Counter)
    balances_during_event: Counter[int] = field(default_factory=Counter)
    score_difference: int = 0
    repeats: int = 0

    def count_above(self, games: str, limit: int) -> float:
        """Return the share of players, in thousandths, whose final balance is above `limit`.

        `games` is "odd" or "even", the parity of their number of games.
        """
        counts: Counter[int] = getattr(self, games)
        return 1000 * sum(count for balance, count in counts.items() if balance > limit) / max(1, counts.total())


class _SwissPlayer(Struct):
    number: int
    rating: int
    score: int = 0
    spread: int = 0
    byes: int = 0
    is_active: bool = True
    meetings: dict[PlayerId, tuple[int, ...]] = field(default_factory=dict)
    roles: dict[int, bool] = field(default_factory=dict)
    floats: list[int] = field(default_factory=lambda: [LEVEL, LEVEL])

    @property
    def id(self) -> PlayerId:
        return PlayerId(f"p{self.number}")

    @property
    def balance(self) -> int:
        return abs(sum(1 if started else -1 for started in self.roles.values()))

    def make_entrant(self) -> Entrant:
        return Entrant(
            self.id,
            self.number,
            score=self.score,
            meetings=MappingProxyType(dict(self.meetings)),
            byes=self.byes,
            starts_by_round=MappingProxyType(dict(self.roles)),
            floats=(self.floats[-1], self.floats[-2]),
        )


def simulate_tournaments(count: int, settings: PairingSettings) -> Tally:
    """Simulate `count` Swiss tournaments of 20 to 200 players and 7 to 15 rounds."""
    tally = Tally()
    for seed in range(count):
        _simulate_tournament(seed, settings, tally)
    return tally


def _simulate_tournament(seed: int, settings: PairingSettings, tally: Tally) -> None:
    rng = Random(seed)
    players = [
        _SwissPlayer(number, round(rng.gauss(1500, 200)))
        for number in range(1, round(20 * 10 ** rng.random()) + 1)
    ]
    rounds = rng.randint(7, 15)
    for number in range(1, rounds + 1):
        for player in players:
            player.is_active = player.is_active and rng.random() >= LEAVES
        present_players = [player for player in players if player.is_active and rng.random() >= MISSES]
        present_players.sort(key=lambda player: (-player.score, -player.spread, -player.rating, player.number))
        entrants = tuple(player.make_entrant() for player in present_players)
        pairing_field = PairingField(StageId("s"), number, seed, entrants, settings, later_rounds=rounds - number)
        games = list(_pair_round(pairing_field, present_players, tally))
        for player, opponent in games:
            _play_game(player, opponent, rng)
        tally.balances_during_event.update(player.balance for player in present_players)
    for player in players:
        (tally.odd if len(player.roles) % 2 else tally.even)[player.balance] += 1


def _pair_round(
    pairing_field: PairingField, players: list[_SwissPlayer], tally: Tally
) -> Iterator[tuple[_SwissPlayer, _SwissPlayer]]:
    """Pair a round and record meetings, starts, floats and byes."""
    pairs = [
        (players[pair.position], None if pair.opponent is None else players[pair.opponent])
        for pair in plan_swiss_pairs(pairing_field).pairs
    ]
    entrants = {entrant.player: entrant for entrant in pairing_field.entrants}
    for player, opponent in pairs:
        if opponent is None:
            player.byes += 1
            player.score, player.spread = player.score + 2, player.spread + 50
            player.floats.append(DOWN)
            continue
        first = choose_starter(pairing_field, entrants[player.id], entrants[opponent.id]).player
        gap = player.score - opponent.score
        tally.score_difference += gap**2
        tally.repeats += opponent.id in player.meetings
        for side, rival, score_gap in ((player, opponent, gap), (opponent, player, -gap)):
            side.roles[pairing_field.number] = side.id == first
            side.meetings[rival.id] = (*side.meetings.get(rival.id, ()), pairing_field.number)
            side.floats.append(DOWN if score_gap > 0 else UP if score_gap < 0 else LEVEL)
        yield player, opponent


def _play_game(player: _SwissPlayer, opponent: _SwissPlayer, rng: Random) -> None:
    spread = round(rng.gauss((player.rating - opponent.rating) / 8, 90))
    for side, margin in ((player, spread), (opponent, -spread)):
        side.score += 2 if margin > 0 else 0 if margin < 0 else 1
        side.spread += margin
