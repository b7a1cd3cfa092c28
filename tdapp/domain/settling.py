"""A result's final points: what was played, then sanctions of the game, then the clocks.

Hides how the two stay in step: the columns of play (turns, wrong words, racks, challenges) are kept in the result,
and whatever changes a sanction computes the rest again, without the sheet and its tile set. A result keeps what
it was worth under the rules of that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tdapp.domain import account
from tdapp.domain.account import Breakdown
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, Game, GameId, PlayerId, Result, Sanction, Start
from tdapp.domain.ruleset import PointsFrom, RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind, swapped

_WHO = (Forfeit.FIRST, Forfeit.SECOND)


def settled(rules: RuleSet, result: Result, sanctions: Sequence[Sequence[Sanction]]) -> Result:
    """Return `result` with points, accounts and losers after `sanctions` of its first and its second player.

    A forfeited game has no points to take any from.
    """
    if result.forfeit is not None:
        return result
    played = result.accounts or (Breakdown(turns=result.first or 0), Breakdown(turns=result.second or 0))
    deducted = {SanctionKind.POINTS} if rules.sanctions.points_from is PointsFrom.GAME else set()
    costs = [sum(item.points for item in own if item.kind in deducted) for own in sanctions]
    fined = [replace(part, sanctions=-cost, overtime=0) for part, cost in zip(played, costs, strict=True)]
    late = account.overtime(rules.overtime, [part.total for part in fined], result.overtime or (0, 0))
    accounts = (replace(fined[0], overtime=late.points[0]), replace(fined[1], overtime=late.points[1]))
    losers = {_WHO[place] for place in late.losers}
    losers |= {who for who, own in zip(_WHO, sanctions, strict=True) if any(x.kind.loses_game for x in own)}
    if result.flag is not None:
        losers.add(result.flag)
    plain = all(part == Breakdown(turns=part.turns) for part in accounts)
    return replace(
        result,
        first=accounts[0].total,
        second=accounts[1].total,
        lost=None if not losers else Forfeit.BOTH if len(losers) > 1 else losers.pop(),
        accounts=None if plain else accounts,
    )


def played(result: Result) -> tuple[int, int] | None:
    """Return the points that a result was made from, before sanctions and clocks; None of a forfeited game."""
    if result.forfeit is not None or result.first is None or result.second is None:
        return None
    if result.accounts is None:
        return result.first, result.second
    first, second = (part.total - part.sanctions - part.overtime for part in result.accounts)
    return first, second


def with_result(tournament: Tournament, result: Result) -> Tournament:
    """Return the tournament with `result`, settled by the sanctions that its players have in the round.

    What the players had entered themselves goes.
    """
    slips = [slip for slip in tournament.slips.values() if slip.game == result.id]
    return tournament.drop(*slips).put(settled_here(tournament, result))


def settled_here(tournament: Tournament, result: Result) -> Result:
    """Return `result` settled by the sanctions that its players have in the round."""
    game = tournament.games[result.id]
    number = tournament.rounds[game.round].number
    given = [item for item in tournament.sanctions.values() if item.round == number]
    sides = [[item for item in given if item.player == player] for player in (game.first, game.second)]
    return settled(tournament.ruleset, result, sides)


def turned(tournament: Tournament, game: GameId) -> Tournament:
    """Return the tournament with a game's players changed over, as the tiles decided: sheets and result too."""
    row, result = tournament.games[game], tournament.results.get(game)
    sheets = [item for item in tournament.sheets.values() if item.game == game]
    return tournament.put(
        replace(row, first=row.second, second=row.first, start=Start.DRAWN),
        *(replace(item, sheet=swapped(item.sheet), accounts=_crossed(item.accounts)) for item in sheets),
        *(() if result is None else (_turned(result),)),
    )


def _turned(result: Result) -> Result:
    return replace(
        result,
        first=result.second,
        second=result.first,
        forfeit=result.forfeit and result.forfeit.turned,
        advances=result.advances and result.advances.turned,
        flag=result.flag and result.flag.turned,
        lost=result.lost and result.lost.turned,
        overtime=(result.overtime[1], result.overtime[0]) if result.overtime else None,
        accounts=_crossed(result.accounts),
    )


def _crossed(accounts: tuple[Breakdown, Breakdown] | None) -> tuple[Breakdown, Breakdown] | None:
    return (accounts[1], accounts[0]) if accounts else None


def written_on(tournament: Tournament, game: GameId) -> list[Sanction]:
    """Return the sanctions that came with a game's sheet: their ids are the game's with a number."""
    return [item for key, item in tournament.sanctions.items() if key.startswith(f"{game}.x")]


def known_start(game: Game) -> Start:
    """Return how it was settled who starts in a game, now that it is known that its first player does."""
    return Start.DRAWN if game.start is Start.DRAW else game.start


def game_of(index: Index, player: PlayerId, number: int) -> Game | None:
    """Return the game that a player has in published round `number` of the own division."""
    division = index.tournament.players[player].division
    for item in index.published(division):
        if item.number == number:
            return index.game_of(item.id, player)
    return None
