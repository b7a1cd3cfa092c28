"""Commands on score sheets: entering and clearing them, and the jury's rulings on their turns.

A sheet's result is reckoned by the tournament's own rule set; the tile set, which is no part of a tournament, is
handed in.
"""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.results import Seen, check_free, clear_result
from tdapp.domain.commands.rule import LONGEST_NOTE, command, found, required, text, within
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.judging import judge
from tdapp.domain.model import (
    Forfeit,
    Game,
    GameId,
    Player,
    Result,
    ResultState,
    Sanction,
    SanctionId,
    ScoreSheet,
    SheetId,
    Start,
    Tournament,
    TurnRuling,
)
from tdapp.domain.settling import turned, with_result, written_on
from tdapp.scrabble.sheet import Ended, Ruling, Sheet, TurnKind, swapped
from tdapp.scrabble.tiles import TileSet


@command
def enter_sheet(
    tournament: Tournament,
    *,
    game: GameId,
    sheet: Sheet,
    tileset: TileSet,
    form: int = 1,
    seen: Seen | None = None,
    reason: str = "",
) -> Tournament:
    """Enter or replace a score sheet of a published game; its totals become the result.

    Players are told apart by their names; where neither name fits, who starts on the sheet starts the game, and
    where the tiles decided, the sheet's players sit in the game's order. Sanctions written on the sheet become the
    tournament's. A sheet of an unfinished game is kept and leaves the result alone, and so does the second form
    while the first one is there. Rulings stay with turns that are still the same. Raises as `enter_result` does.
    """
    row = check_free(tournament, game, seen=seen, reason=reason)
    within(form, "form", low=1, high=2)
    _check_sheet(row, sheet, tileset)
    placed, mine = _turned_to(tournament, row, sheet)
    tournament = turned(tournament, game) if placed.first != row.first else tournament.put(placed)
    old = next((item for item in Index(tournament).sheets(game) if item.form == form), None)
    entered = ScoreSheet(SheetId(f"{game}.{form}"), game, form, mine, _kept(old, mine))
    after = tournament.put(entered)
    if Index(after).sheets(game)[0].form != form:
        return after
    return _judged(after, game, tileset, state=ResultState.ENTERED)


@command
def clear_sheet(
    tournament: Tournament, *, game: GameId, tileset: TileSet, form: int = 1, reason: str = ""
) -> Tournament:
    """Take a sheet away, and if it made the result, that and the sanctions written on it too.

    The other form makes the result then, if it is there; raises RuleViolation as `clear_result` does.
    """
    old = _sheet(tournament, game, form)
    if Index(tournament).sheets(game)[0] != old:
        return tournament.drop(old)
    left = tournament.drop(old, *written_on(tournament, game))
    if Index(left).sheets(game):
        check_free(tournament, game, reason=reason)
        return _judged(left, game, tileset, state=ResultState.ENTERED)
    if old.sheet.ended is Ended.OPEN:
        return left
    return clear_result(left, game=game, reason=reason) if game in left.results else left


@command
def rule_on_turn(  # noqa: PLR0913 - a ruling's fields
    tournament: Tournament,
    *,
    game: GameId,
    turn: int,
    phony: bool,
    author: str,
    why: str,
    tileset: TileSet,
    form: int = 1,
    wrong_words: int = 1,
    edition: str = "",
) -> Tournament:
    """Rule that a play (`turn` from 1) is wrong, or with `phony` False that it stands, and reckon the game anew.

    Later turns keep their scores; ruling again replaces the ruling. `why` is also the reason that a certified
    result needs; `edition` names the word list that was asked.
    """
    old = _sheet(tournament, game, form)
    table = tournament.games[game].table
    if not 1 <= turn <= len(old.sheet.turns):
        raise RuleViolation("no-such-turn", table=table, turn=turn)
    line = old.sheet.turns[turn - 1]
    if line.kind is not TurnKind.PLAY:
        raise RuleViolation("ruling-without-play", table=table, turn=turn)
    within(wrong_words, "wrong_words", low=1, high=8)
    _check_sheet(tournament.games[game], old.sheet, tileset)
    ruled = replace(line, ruling=Ruling.PHONY if phony else None, wrong_words=wrong_words)
    turns = (*old.sheet.turns[: turn - 1], ruled, *old.sheet.turns[turn:])
    said = TurnRuling(
        turn,
        phony,
        required(author, "author"),
        required(why, "why", longest=LONGEST_NOTE),
        text(edition, "edition"),
    )
    others = (item for item in old.rulings if item.turn != turn)
    rulings = tuple(sorted((*others, said), key=lambda item: item.turn))
    after = tournament.put(replace(old, sheet=replace(old.sheet, turns=turns), rulings=rulings))
    result = tournament.results.get(game)
    return _judged(after, game, tileset, state=result.state if result is not None else ResultState.ENTERED)


def _sheet(tournament: Tournament, game: GameId, form: int) -> ScoreSheet:
    row = found(tournament.games, game, "game-gone")
    for item in Index(tournament).sheets(game):
        if item.form == form:
            return item
    raise RuleViolation("no-sheet", table=row.table, form=form)


def _check_sheet(game: Game, sheet: Sheet, tileset: TileSet) -> None:
    if len(sheet.players) != 2:  # noqa: PLR2004 - a tournament's game
        raise RuleViolation("sheet-of-two", table=game.table, players=len(sheet.players))
    if sheet.tileset is not None and sheet.tileset != tileset.id:
        raise RuleViolation("other-tileset", table=game.table, tileset=sheet.tileset, given=tileset.id)


def _turned_to(tournament: Tournament, game: Game, sheet: Sheet) -> tuple[Game, Sheet]:
    """Return the game with the starter first, and the sheet in the game's order."""
    first, second = tournament.players[game.first], tournament.players[game.second]
    straight = _names(sheet, first, second)
    crossed = _names(sheet, second, first)
    if crossed > straight or (crossed == straight and game.start is Start.ASSIGNED and sheet.first == 2):  # noqa: PLR2004
        sheet = swapped(sheet)
    if sheet.first == 1:
        drawn = game.start if game.start is Start.ASSIGNED else Start.DRAWN
        return replace(game, start=drawn), sheet
    if game.start is Start.ASSIGNED:
        raise RuleViolation("sheet-other-starter", table=game.table, player=second.name, starter=first.name)
    return replace(game, first=game.second, second=game.first), swapped(sheet)


def _names(sheet: Sheet, first: Player, second: Player) -> int:
    """Return how many of a sheet's names fit these players."""
    pairs = zip(sheet.players, (first.name, second.name), strict=True)
    return sum(" ".join(one.split()).casefold() == " ".join(two.split()).casefold() for one, two in pairs)


def _kept(old: ScoreSheet | None, sheet: Sheet) -> tuple[TurnRuling, ...]:
    if old is None:
        return ()
    same = [
        (one.word, one.at, one.ruling) == (two.word, two.at, two.ruling)
        for one, two in zip(old.sheet.turns, sheet.turns, strict=False)
    ]
    return tuple(item for item in old.rulings if item.turn <= len(same) and same[item.turn - 1])


def _judged(tournament: Tournament, game: GameId, tileset: TileSet, *, state: ResultState) -> Tournament:
    """Return the tournament with the result that the game's sheets make; none of an unfinished game."""
    row = tournament.games[game]
    sheet = Index(tournament).sheets(game)[0].sheet
    number = tournament.rounds[row.round].number
    players = (row.first, row.second)
    given = [
        Sanction(
            SanctionId(f"{game}.x{place}"), players[item.player - 1], number, item.kind, item.points, item.why
        )
        for place, item in enumerate(sheet.sanctions, 1)
    ]
    tournament = tournament.drop(*written_on(tournament, game)).put(*given)
    if sheet.ended is Ended.OPEN:
        return tournament
    return with_result(tournament, _result(tournament, game, sheet, tileset, state=state))


def _result(tournament: Tournament, game: GameId, sheet: Sheet, tileset: TileSet, *, state: ResultState) -> Result:
    """Return what a sheet makes of a game, before sanctions."""
    if sheet.forfeit is not None:
        return Result(game, state, forfeit=Forfeit(str(sheet.forfeit)))
    judged = judge(replace(sheet, sanctions=()), tournament.ruleset, tileset)
    first, second = judged.breakdown
    seconds = sheet.overtime_seconds
    return Result(
        game,
        state,
        first.total,
        second.total,
        flag=None if judged.flagged is None else Forfeit(str(judged.flagged + 1)),
        overtime=(seconds[0], seconds[1]) if any(seconds) else None,
        accounts=(first, second),
    )
