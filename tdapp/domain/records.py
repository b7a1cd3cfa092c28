"""Each player's record: what every round brought, in the order it was played.

Standings, pairings, player cards, cross tables and papers all start from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import NamedTuple

from tdapp.domain import outcome
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Division, Game, GameId, PlayerId, Result, Start
from tdapp.domain.ruleset import PointsFrom, RuleSet, Worth
from tdapp.scrabble.sheet import SanctionKind

_new = tuple.__new__
_DRAW = Start.DRAW  # looked up once: an enumeration's members come slowly


class RoundRecord(NamedTuple):  # not a dataclass: made by the ten thousand, in less than half the time
    """What one round brought one player.

    `opponent` is None for a bye, whose `bye` kind is set. `started` is None where nobody started (a bye, a
    forfeit) or the tiles have not decided. `units` are match points in the rule set's units; `spread` is capped
    by round. A game without a result has `worth` None and brings nothing.
    """

    round: int
    game: GameId | None = None
    table: int | None = None
    opponent: PlayerId | None = None
    started: bool | None = None
    bye: ByeKind | None = None
    worth: Worth | None = None
    units: int = 0
    points: int | None = None
    opponent_points: int | None = None
    spread: int = 0
    forfeit: bool = False
    rated: bool = False

    @property
    def played(self) -> bool:
        """Whether a game was played out to a result."""
        return self.worth is not None and self.opponent is not None and not self.forfeit

    @property
    def margin(self) -> int:
        """How many points more than the opponent it brought, uncapped."""
        return (self.points or 0) - (self.opponent_points or 0)


Record = tuple[RoundRecord, ...]


def records(
    index: Index, division: Division, after: int | None = None, *, only: Set[PlayerId] | None = None
) -> Mapping[PlayerId, Record]:
    """Return the records of all players of a division, or `only` of some, from published rounds up to `after`."""
    rules = index.tournament.ruleset
    units = {worth: rules.units(worth) for worth in Worth}
    results = index.tournament.results
    found: dict[PlayerId, list[RoundRecord]] = {player.id: [] for player in index.players(division.id)}
    for item in index.published(division.id):
        if after is not None and item.number > after:
            break
        cap = cap_of(division, item.number)
        for game in index.games(item.id):
            if only is not None and only.isdisjoint((game.first, game.second)):
                continue
            first, second = _game_entries(results, rules, units, game, item.number, cap)
            found[game.first].append(first)
            found[game.second].append(second)
        for bye in index.byes(item.id):
            side = outcome.of_bye(rules, bye)
            worth, spread = side.worth, _capped(side.spread, cap)
            entry = RoundRecord(item.number, bye=bye.kind, worth=worth, units=units[worth], spread=spread)
            found[bye.player].append(entry)
    wanted = found if only is None else only
    return MappingProxyType({player: tuple(found[player]) for player in wanted})


class Fine(NamedTuple):
    """What sanctions take from a player in the tournament, outside of every game: from spread and from points."""

    spread: int = 0
    points: int = 0


def fines(
    index: Index, division: Division, after: int | None = None, *, since: int = 1
) -> Mapping[PlayerId, Fine]:
    """Return the fines of those players of a division who have any, given from round `since` up to `after`.

    `after` None: up to the last; a fine of no round is of the first. Of kind margin they lower the spread
    (no-turneringsreglement 5 b); of kind points, where the rule set takes these from the tournament, points and
    spread alike, as in a game they would.
    """
    whole = index.tournament.ruleset.sanctions.points_from is PointsFrom.TOURNAMENT
    found = {}
    for player in index.players(division.id):
        given = [
            item
            for item in index.sanctions(player.id)
            if (after is None or item.round is None or item.round <= after) and (item.round or 1) >= since
        ]
        points = sum(item.points for item in given if whole and item.kind is SanctionKind.POINTS)
        spread = points + sum(item.points for item in given if item.kind is SanctionKind.MARGIN)
        if spread:
            found[player.id] = Fine(spread, points)
    return MappingProxyType(found)


def cap_of(division: Division, number: int) -> int | None:
    """Return the cap of the spread of one game in round `number`, None for no cap."""
    caps = division.spread_caps
    return (caps[min(number, len(caps)) - 1] or None) if caps else None


def _game_entries(
    results: Mapping[GameId, Result],
    rules: RuleSet,
    units: Mapping[Worth, int],
    game: Game,
    number: int,
    cap: int | None,
) -> tuple[RoundRecord, RoundRecord]:
    """Return a game's entries for its first and its second player.

    The values stand in the order of Entry's fields; by its constructor a large field takes a quarter longer.
    """
    result = results.get(game.id)
    if result is None:
        return _open_entry(game, game.second, number), _open_entry(game, game.first, number)
    if result.forfeit is None:
        started, forfeit, rated = game.start is not _DRAW or None, False, True
        first, second = result.first, result.second
        one = (first or 0) - (second or 0)
        other = -one
        worth, worse = outcome.worths(result, one)
    else:
        (worth, first, one), (worse, second, other), rated = outcome.of_game(rules, result)
        started, forfeit = None, True
    if cap is not None:
        one, other = _capped(one, cap), _capped(other, cap)
    id_, table = game.id, game.table
    replied = None if started is None else False
    a, b = units[worth], units[worse]
    return (
        _new(
            RoundRecord,
            (number, id_, table, game.second, started, None, worth, a, first, second, one, forfeit, rated),
        ),
        _new(
            RoundRecord,
            (number, id_, table, game.first, replied, None, worse, b, second, first, other, forfeit, rated),
        ),
    )


def _open_entry(game: Game, opponent: PlayerId, number: int) -> RoundRecord:
    started = None if game.start is _DRAW else opponent == game.second
    return RoundRecord(number, game.id, game.table, opponent, started)


def _capped(spread: int, cap: int | None) -> int:
    return spread if cap is None else max(-cap, min(cap, spread))
