"""An annotated game as the GCG format has it: players, pragmas, events.

Hides nothing but the shape; `gcg_text` reads and writes it, `gcg_check` recomputes it. The file's own arithmetic
gives the player who goes out twice the value of the opponent's rack; the rule books of nl, de and be add it once
and take it once. `national` and `doubled` convert one into the other, and never by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum


class EventKind(StrEnum):
    """What an event line says."""

    PLAY = "play"
    WITHDRAWN = "withdrawn"  # `--`: the preceding play is taken back
    PASS = "pass"  # noqa: S105 - a turn
    EXCHANGE = "exchange"
    CHALLENGE = "challenge"  # points for a play that was wrongly challenged
    TIME = "time"
    END_BONUS = "end-bonus"  # `(AE) +4`: points for tiles that another player had left
    END_PENALTY = "end-penalty"  # `AE (AE) -2`: the player's own tiles


@dataclass(frozen=True, slots=True)
class GcgPlayer:
    """A player by the short name that event lines use, and in full."""

    nick: str
    name: str


@dataclass(frozen=True, slots=True)
class Pragma:
    """A line with `#`, without that sign; `after` counts the events before it. A note may have several lines."""

    name: str
    text: str
    after: int = 0
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class GcgEvent:
    """A line with `>`: `points` and `total` as stated.

    `rack` as written (empty: not given); `tiles` are those exchanged, or how many, or those left at the end.
    """

    player: int
    kind: EventKind
    points: int
    total: int
    rack: str = ""
    at: str = ""
    word: str = ""
    tiles: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class GcgGame:
    """An annotated game; `utf8` says how its file is or will be encoded."""

    players: tuple[GcgPlayer, ...]
    events: tuple[GcgEvent, ...]
    pragmas: tuple[Pragma, ...] = ()
    utf8: bool = field(default=True, compare=False)

    def pragma(self, name: str) -> str | None:
        """Return the text of the first pragma of that name."""
        return next((pragma.text for pragma in self.pragmas if pragma.name == name), None)

    @property
    def lettered_rows(self) -> bool:
        """Whether the file letters its rows, as German files with `#orientation lettered-rows` do."""
        return (self.pragma("orientation") or "").casefold().replace("_", "-") == "lettered-rows"


def national(game: GcgGame) -> GcgGame:
    """Return a game in which a doubled end rack is added once and taken from its owner once.

    Spreads stay equal. Of two players only: with more the owner of the tiles is not known; such a game, and one
    that has nothing doubled, is returned as it is.
    """
    places = _end_racks(game)
    bonus = game.events[places[0]] if len(places) == 1 else None
    if bonus is None or bonus.kind is not EventKind.END_BONUS or bonus.points % 2 or len(game.players) != 2:  # noqa: PLR2004
        return game
    value = bonus.points // 2
    penalty = GcgEvent(
        3 - bonus.player, EventKind.END_PENALTY, -value, 0, rack=bonus.tiles, tiles=bonus.tiles, line=bonus.line
    )
    return _replaced(game, {places[0]: (replace(bonus, points=value), penalty)})


def doubled(game: GcgGame) -> GcgGame:
    """Return a game in which an end rack, added once and taken once, is added twice: the way of the format.

    A game whose tiles are not both added and taken, by equal points, is returned as it is.
    """
    places = sorted(_end_racks(game), key=lambda place: game.events[place].kind)
    racks = [game.events[place] for place in places]
    if [event.kind for event in racks] != [EventKind.END_BONUS, EventKind.END_PENALTY]:
        return game
    bonus, penalty = racks
    if bonus.player == penalty.player or bonus.points != -penalty.points:
        return game
    return _replaced(game, {places[0]: (replace(bonus, points=2 * bonus.points),), places[1]: ()})


def _end_racks(game: GcgGame) -> list[int]:
    ends = {EventKind.END_BONUS, EventKind.END_PENALTY}
    return [place for place, event in enumerate(game.events) if event.kind in ends]


def _replaced(game: GcgGame, new: Mapping[int, Sequence[GcgEvent]]) -> GcgGame:
    """Return a game with events replaced by their place; pragmas stay behind the events they stood behind."""
    events = [event for place, old in enumerate(game.events) for event in new.get(place, (old,))]
    pragmas = tuple(
        replace(
            pragma, after=pragma.after + sum(len(now) - 1 for place, now in new.items() if place < pragma.after)
        )
        for pragma in game.pragmas
    )
    return replace(game, events=_with_totals(events, min(new)), pragmas=pragmas)


def _with_totals(events: Sequence[GcgEvent], changed: int) -> tuple[GcgEvent, ...]:
    """Return events whose totals from `changed` on follow from the points; those before stay as stated."""
    totals: dict[int, int] = {}
    result: list[GcgEvent] = []
    for place, event in enumerate(events):
        total = event.total if place < changed else totals.get(event.player, 0) + event.points
        totals[event.player] = total
        result.append(replace(event, total=total))
    return tuple(result)
