"""Who stands where in a division after a round, and what a player's resistance points are made of.

Hides how ties are resolved; the criteria themselves are in `tiebreaks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Division, Player, PlayerId
from tdapp.domain.records import fines, records
from tdapp.domain.ruleset import Worth
from tdapp.domain.tiebreaks import TIEBREAKS, Field, Group, Number, TieBreak, check_order
from tdapp.domain.unplayed import Terms, filled, without_game


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place.

    Players who are equal on the whole order share `rank`. `games` counts decided games and the byes that are worth
    a win, a draw or a loss; `wins`, `draws` and `losses` divide it. `units` and `resistance` are match points,
    `unit` to the point. `starts` and `replies` count games played out. `active`: has not left for good.
    `values` holds the value of each tie-break of the order (see `shown`); `sort_key` ascends down the ranking.
    """

    player: Player
    rank: int
    active: bool
    games: int
    wins: int
    draws: int
    losses: int
    units: int
    unit: int
    spread: int
    points: int
    resistance: int
    starts: int
    replies: int
    values: Mapping[str, Number | None]
    sort_key: tuple[Number | float, ...]

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.player.id

    @property
    def match_points(self) -> Fraction:
        """Match points as the rule set counts them."""
        return Fraction(self.units, self.unit)

    @property
    def games_lost(self) -> Fraction:
        """Games lost, a draw counting half."""
        return Fraction(2 * self.losses + self.draws, 2)

    @property
    def resistance_points(self) -> Fraction:
        """The sum of the opponents' match points."""
        return Fraction(self.resistance, self.unit)

    def shown(self, tiebreak: str) -> Fraction | None:
        """Return a tie-break of the order in points as people know them, None where it does not apply."""
        return TIEBREAKS[tiebreak].shown(self.values[tiebreak], self.unit)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one round adds to a player's resistance points; `units` to be added, `own` won in it, both in units.

    `opponent` is None for a bye, which adds 0, unless the division's way of counting rounds without a game puts a
    `dummy` opponent in its place.
    """

    round: int
    opponent: Player | None
    bye: ByeKind | None
    forfeit: bool
    units: int
    own: int
    dummy: bool = False


def order_of(index: Index, division: Division) -> tuple[str, ...]:
    """Return the ids of the tie-breaks that rank a division: its own, or its rule set's for its first stage."""
    if division.order:
        return division.order
    stages = index.stages(division.id)
    return index.tournament.ruleset.order_for(stages[0].system if stages else "other")


def standings(index: Index, division: Division, after: int | None = None) -> tuple[Standing, ...]:
    """Return a division's players in rank order after round `after` (None: all published rounds).

    Games without a result bring nobody anything. Players who are equal on the whole order share a rank and are
    listed by number. Raise RuleViolation for an order with an unknown tie-break.
    """
    order = order_of(index, division)
    check_order(order)
    field = _field(index, division, after)
    listed = [
        player
        for player in index.players(division.id)
        if division.list_withdrawn or not index.withdrawn(player.id)
    ]
    return _ranked(index, field, listed, [TIEBREAKS[name] for name in order])


def breakdown(
    index: Index, division: Division, player: PlayerId, after: int | None = None
) -> tuple[Contribution, ...]:
    """Return what each of a player's rounds adds to the resistance points, in order; open games are left out."""
    field = _field(index, division, after)
    rounds = zip(field.decided[player].entries, field.contributions[player], strict=True)
    return tuple(
        Contribution(
            round=entry.round,
            opponent=field.players[entry.opponent] if entry.opponent else None,
            bye=entry.bye,
            forfeit=entry.forfeit,
            units=contribution,
            own=entry.units,
            dummy=field.terms.dummies and without_game(entry),
        )
        for entry, contribution in rounds
    )


def _field(index: Index, division: Division, after: int | None) -> Field:
    """Return the division after a round; by FIDE's ways a round of which nothing was recorded is an absence."""
    rules = index.tournament.ruleset
    known = records(index, division, after)
    rounds = [item.number for item in index.published(division.id) if after is None or item.number <= after]
    terms = Terms(division.unplayed, rules.units(Worth.WIN), rules.units(Worth.DRAW), len(rounds))
    if terms.dummies:
        known = filled(known, rounds)
    return Field(index.players(division.id), known, fines(index, division, after), terms)


def _ranked(
    index: Index, field: Field, listed: Sequence[Player], order: Sequence[TieBreak]
) -> tuple[Standing, ...]:
    unit = index.tournament.ruleset.unit
    values: dict[PlayerId, dict[str, Number | None]] = {player.id: {} for player in listed}
    keys: dict[PlayerId, list[Number | float]] = {player.id: [] for player in listed}
    groups: list[Group] = [list(values)]
    for tiebreak in order:
        for group in groups if tiebreak.among_tied else [list(values)]:
            for player, value in tiebreak.values(field, group).items():
                values[player][tiebreak.id] = value
                keys[player].append(tiebreak.sort_value(value))
        groups = [part for group in groups for part in _split(group, keys)]
    found: list[Standing] = []
    for group in groups:
        rank = len(found) + 1
        found.extend(
            _standing(
                index, field, player, rank=rank, unit=unit, values=values[player], sort_key=tuple(keys[player])
            )
            for player in group
        )
    return tuple(found)


def _split(group: Group, keys: Mapping[PlayerId, Sequence[Number | float]]) -> Sequence[Group]:
    """Return the parts of a tied group that stay tied by the newest of their keys, the best first."""
    if len(group) == 1:
        return (group,)
    newest = {player: keys[player][-1] for player in group}
    ascending = sorted(group, key=newest.__getitem__)  # stable: the tied stay in the order of their numbers
    return [list(part) for _, part in groupby(ascending, key=newest.__getitem__)]


def _standing(
    index: Index,
    field: Field,
    player: PlayerId,
    *,
    rank: int,
    unit: int,
    values: Mapping[str, Number | None],
    sort_key: tuple[Number | float, ...],
) -> Standing:
    totals = field.totals[player]
    return Standing(
        player=field.players[player],
        rank=rank,
        active=not index.withdrawn(player),
        games=totals.wins + totals.draws + totals.losses,
        wins=totals.wins,
        draws=totals.draws,
        losses=totals.losses,
        units=totals.units,
        unit=unit,
        spread=totals.spread,
        points=totals.points,
        resistance=field.resistance[player],
        starts=totals.starts,
        replies=totals.replies,
        values=MappingProxyType(values),
        sort_key=sort_key,
    )
