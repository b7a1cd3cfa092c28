"""Each player's record: what every round brought, in the order it was played.

Standings, pairings, player cards, cross tables and papers all start from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tdapp.domain import outcome
from tdapp.domain.index import Index
from tdapp.domain.model import Bye, ByeKind, Division, Game, GameId, PlayerId, Start
from tdapp.domain.ruleset import RuleSet, Worth


@dataclass(frozen=True, slots=True)
class Entry:
    """What one round brought one player.

    `opponent` is None for a bye, whose `bye` kind is set. `started` is None where nobody started (a bye, a
    forfeit) or the tiles have not decided. `units` are match points in the rule set's units; `spread` is capped
    by round. A game without a result has `worth` None and brings nothing.
    """

    round: int
    game: GameId | None
    table: int | None
    opponent: PlayerId | None
    started: bool | None
    bye: ByeKind | None
    worth: Worth | None
    units: int
    points: int | None
    opponent_points: int | None
    spread: int
    forfeit: bool = False
    rated: bool = False

    @property
    def played(self) -> bool:
        """Whether a game was played out to a result."""
        return self.worth is not None and self.opponent is not None and not self.forfeit


Record = tuple[Entry, ...]


def records(index: Index, division: Division, after: int | None = None) -> Mapping[PlayerId, Record]:
    """Return the record of every player of a division, from published rounds up to `after` (None: all)."""
    rules = index.tournament.ruleset
    found: dict[PlayerId, list[Entry]] = {player.id: [] for player in index.players(division.id)}
    for item in index.published(division.id):
        if after is not None and item.number > after:
            break
        cap = cap_of(division, item.number)
        for game in index.games(item.id):
            for entry, player in _game_entries(index, rules, game, number=item.number, cap=cap):
                found[player].append(entry)
        for bye in index.byes(item.id):
            found[bye.player].append(_bye_entry(rules, bye, number=item.number, cap=cap))
    return MappingProxyType({player: tuple(entries) for player, entries in found.items()})


def cap_of(division: Division, number: int) -> int | None:
    """Return the cap of the spread of one game in round `number`, None for no cap."""
    caps = division.spread_caps
    return (caps[min(number, len(caps)) - 1] or None) if caps else None


def _game_entries(
    index: Index, rules: RuleSet, game: Game, *, number: int, cap: int | None
) -> tuple[tuple[Entry, PlayerId], tuple[Entry, PlayerId]]:
    result = index.result(game.id)
    decided = outcome.of_game(rules, result) if result else None
    forfeit = result is not None and result.forfeit is not None

    def entry(opponent: PlayerId, *, own: outcome.Side | None, other: outcome.Side | None, starts: bool) -> Entry:
        return Entry(
            round=number,
            game=game.id,
            table=game.table,
            opponent=opponent,
            started=None if forfeit or game.start is Start.DRAW else starts,
            bye=None,
            worth=own.worth if own else None,
            units=rules.units(own.worth) if own else 0,
            points=own.points if own else None,
            opponent_points=other.points if other else None,
            spread=_capped(own.spread, cap) if own else 0,
            forfeit=forfeit,
            rated=decided is not None and decided.rated,
        )

    first, second = (decided.first, decided.second) if decided else (None, None)
    return (
        (entry(game.second, own=first, other=second, starts=True), game.first),
        (entry(game.first, own=second, other=first, starts=False), game.second),
    )


def _bye_entry(rules: RuleSet, bye: Bye, *, number: int, cap: int | None) -> Entry:
    side = outcome.of_bye(rules, bye)
    return Entry(
        round=number,
        game=None,
        table=None,
        opponent=None,
        started=None,
        bye=bye.kind,
        worth=side.worth,
        units=rules.units(side.worth),
        points=None,
        opponent_points=None,
        spread=_capped(side.spread, cap),
    )


def _capped(spread: int, cap: int | None) -> int:
    return spread if cap is None else max(-cap, min(cap, spread))
