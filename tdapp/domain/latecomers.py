"""Who came late and is there now, as the games say."""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, DivisionId, Forfeit, Game, PlayerId


def came_late(index: Index, division: DivisionId) -> frozenset[PlayerId]:
    """Return who has missed rounds and, after the last of them, played a game that has a result."""
    everybody = {player.id for player in index.players(division)}
    missed: set[PlayerId] = set()
    played: set[PlayerId] = set()
    for item in index.published(division):
        games = index.games(item.id)
        seated = {player for game in games for player in (game.first, game.second)}
        absent = everybody - seated - {bye.player for bye in index.byes(item.id) if bye.kind is ByeKind.BYE}
        missed |= absent
        played = (played - absent) | {player for game in games for player in _turned_up(index, game)}
    return frozenset(missed & played)


def _turned_up(index: Index, game: Game) -> Iterator[PlayerId]:
    """Yield the players of a game that has a result, but who gave it away."""
    result = index.result(game.id)
    if result is not None and result.forfeit is not Forfeit.BOTH:
        if result.forfeit is not Forfeit.FIRST:
            yield game.first
        if result.forfeit is not Forfeit.SECOND:
            yield game.second
