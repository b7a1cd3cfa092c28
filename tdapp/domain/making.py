"""What makes a game's result: the one rule, for slips, sheets and rulings.

What was entered last makes the result: a slip, or the sheet that counts, which is the finished form with the
lowest number. A sheet does so again when it is ruled on, and when it is the one left to count. When none is left,
a result that a sheet has made goes with it; a slip's stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tdapp.domain.index import Index
from tdapp.domain.judging import flagged, judge
from tdapp.domain.model import Forfeit, GameId, Result, ResultState, Sanction, SanctionId, ScoreSheet, Start
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.settling import settled_here, with_result, written_on
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import Ended
from tdapp.scrabble.tiles import TileSet


def counting(forms: Sequence[ScoreSheet]) -> ScoreSheet | None:
    """Return the form that counts of those of a game, None where none is finished."""
    finished = (item for item in forms if item.sheet.ended not in {None, Ended.OPEN})
    return min(finished, key=lambda item: item.form, default=None)


def with_accounts(item: ScoreSheet, rules: RuleSet, tileset: TileSet) -> ScoreSheet:
    """Return a form with what it comes to; raises as `judge` does."""
    if item.sheet.ended in {None, Ended.OPEN, Ended.FORFEIT}:
        return replace(item, accounts=None)
    first, second = judge(replace(item.sheet, sanctions=()), rules, tileset).breakdown
    return replace(item, accounts=(first, second))


def made_by_sheet(index: Index, game: GameId) -> Result | None:
    """Return what the sheet that counts makes of a game, after its sanctions; None where none counts."""
    item, result = counting(index.sheets(game)), index.result(game)
    made = _made(index.tournament.ruleset, item, result.state if result else ResultState.ENTERED) if item else None
    return settled_here(index.tournament, made) if made is not None else None


def sheet_differs(index: Index, game: GameId) -> Result | None:
    """Return what the sheet that counts makes of a game if its result differs: a slip came after it."""
    made, result = made_by_sheet(index, game), index.result(game)
    if made is None or result is None or reported_values(made) == reported_values(result):
        return None
    return made


def comes_from_sheet(index: Index, game: GameId) -> bool:
    """Tell whether a game's result is the one that its sheet makes."""
    return made_by_sheet(index, game) is not None and sheet_differs(index, game) is None


def reported_values(result: Result) -> tuple[object, ...]:
    """Return the values by which two results of a game are compared."""
    return (result.first, result.second, result.forfeit, result.lost)


def remade(
    before: Tournament, after: Tournament, game: GameId, *, state: ResultState, by: int | None = None
) -> Tournament:
    """Return `after`, in which the sheets of a game are other ones than `before`, with the result they make.

    `by` is the form that was entered or ruled on, None where one was taken away. The sanctions written on the form
    that counts, else on the first one, become the tournament's.
    """
    forms, had = Index(after).sheets(game), Index(before).sheets(game)
    item = _leading(forms)
    if item == _leading(had) and (item is None or item.form != by):
        return after
    after = after.drop(*written_on(after, game)).put(*(_written(after, item) if item else ()))
    if item is not None and item == counting(forms):
        made = _made(after.ruleset, item, state)
        return with_result(after, made) if made is not None else after
    return _without_result(after, game) if comes_from_sheet(Index(before), game) else after


def _leading(forms: Sequence[ScoreSheet]) -> ScoreSheet | None:
    """Return the form that counts, else the first one."""
    return counting(forms) or min(forms, key=lambda item: item.form, default=None)


def _without_result(tournament: Tournament, game: GameId) -> Tournament:
    """Return the tournament with a game open again; who started is open too where no sheet says it."""
    result, row = tournament.results.get(game), tournament.games[game]
    if result is not None:
        tournament = tournament.drop(result)
    if row.start is Start.DRAWN and not Index(tournament).sheets(game):
        tournament = tournament.put(replace(row, start=Start.DRAW))
    return tournament


def _made(rules: RuleSet, item: ScoreSheet, state: ResultState) -> Result | None:
    """Return what a finished form makes of its game, before sanctions."""
    sheet, seconds = item.sheet, item.sheet.overtime_seconds
    if sheet.forfeit is not None:
        return Result(item.game, state, forfeit=Forfeit(str(sheet.forfeit)))
    if item.accounts is None:
        return None
    beaten = flagged(sheet, rules)
    return Result(
        item.game,
        state,
        item.accounts[0].total,
        item.accounts[1].total,
        flag=None if beaten is None else Forfeit(str(beaten + 1)),
        overtime=(seconds[0], seconds[1]) if any(seconds) else None,
        accounts=item.accounts,
    )


def _written(tournament: Tournament, item: ScoreSheet) -> list[Sanction]:
    """Return the sanctions that are written on a form, as the tournament's."""
    game = tournament.games[item.game]
    number, players = tournament.rounds[game.round].number, (game.first, game.second)
    return [
        Sanction(SanctionId(f"{game.id}.x{place}"), players[one.player - 1], number, one.kind, one.points, one.why)
        for place, one in enumerate(item.sheet.sanctions, 1)
    ]
