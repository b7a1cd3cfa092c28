"""Commands on results: entering, correcting, checking, certifying."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tdapp.domain.commands.rule import command, found
from tdapp.domain.entries import ResultEntry
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import (
    DivisionId,
    Forfeit,
    Game,
    GameId,
    Result,
    ResultState,
    RoundState,
    Start,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the author of a change had before him: the game's result, None for an open game."""

    result: Result | None


@command
def enter_result(  # noqa: PLR0913 - all that a slip may say
    tournament: Tournament,
    *,
    game: GameId,
    first: int | None = None,
    second: int | None = None,
    forfeit: Forfeit | None = None,
    started: Forfeit | None = None,
    seen: Seen | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Tournament:
    """Enter or correct the result of a published game.

    `first` and `second` are points in the order of the game; with `forfeit` neither is given. `started` ("1" or
    "2") says who started a game that the tiles decided. `confirmed` keeps points beyond what is plausible. A
    certified result needs a `reason`. Raises RuleViolation("changed-meanwhile") if the result is no longer `seen`.
    """
    row = found(tournament.games, game, "game-gone")
    item = tournament.rounds[row.round]
    if item.state is RoundState.DRAFT:
        raise RuleViolation("round-not-published", round=item.number)
    old = tournament.results.get(game)
    if seen is not None and seen.result != old:
        raise RuleViolation("changed-meanwhile", kind="results", id=game, table=row.table)
    if old is not None and old.state is ResultState.FINAL and not reason.strip():
        raise RuleViolation("result-final", table=row.table)
    _check_points(tournament, row, first, second, forfeit=forfeit, confirmed=confirmed)
    row, first, second, forfeit = _in_order_of_start(row, first, second, forfeit=forfeit, started=started)
    result = Result(game, ResultState.ENTERED, first, second, forfeit)
    return tournament.put(row, result)


@command
def clear_result(
    tournament: Tournament, *, game: GameId, seen: Seen | None = None, reason: str = ""
) -> Tournament:
    """Make a game open again; raises as `enter_result` does, and RuleViolation if it has no result."""
    row = found(tournament.games, game, "game-gone")
    old = tournament.results.get(game)
    if seen is not None and seen.result != old:
        raise RuleViolation("changed-meanwhile", kind="results", id=game, table=row.table)
    if old is None:
        raise RuleViolation("no-result", table=row.table)
    if old.state is ResultState.FINAL and not reason.strip():
        raise RuleViolation("result-final", table=row.table)
    start = Start.DRAW if row.start is Start.DRAWN else row.start
    return tournament.drop(old).put(replace(row, start=start))


@command
def enter_results(tournament: Tournament, *, division: DivisionId, entries: tuple[ResultEntry, ...]) -> Tournament:
    """Enter many results, all or none; raises RuleViolation as `enter_result` does, with the line."""
    found(tournament.divisions, division, "no-such-division")
    index = Index(tournament)
    done: set[tuple[int, int]] = set()
    for entry in entries:
        try:
            tournament = _with_entry(index, tournament, entry, division=division, done=done)
        except RuleViolation as error:
            error.facts.setdefault("line", entry.line)
            raise
    return tournament


def _with_entry(
    index: Index,
    tournament: Tournament,
    entry: ResultEntry,
    *,
    division: DivisionId,
    done: set[tuple[int, int]],
) -> Tournament:
    if (entry.round, entry.table) in done:
        raise RuleViolation("result-twice", round=entry.round, table=entry.table)
    done.add((entry.round, entry.table))
    game = index.game(index.round(division, entry.round).id, entry.table)
    started = Forfeit(entry.started) if entry.started else None
    return enter_result(tournament, game=game.id, first=entry.first, second=entry.second, started=started)


@command
def check_result(tournament: Tournament, *, game: GameId) -> Tournament:
    """Note that the jury has looked a result over."""
    return _advance(tournament, game, ResultState.CHECKED)


@command
def certify_result(tournament: Tournament, *, game: GameId) -> Tournament:
    """Make a result final: correcting it needs a reason from now on."""
    return _advance(tournament, game, ResultState.FINAL)


@command
def decide_tie(tournament: Tournament, *, game: GameId, winner: Forfeit) -> Tournament:
    """Say who goes on after a tie in a knockout that an extra game decided ("1" or "2")."""
    row = found(tournament.games, game, "game-gone")
    result = tournament.results.get(game)
    if result is None or result.forfeit is not None or result.first != result.second:
        raise RuleViolation("no-tie", table=row.table)
    if winner is Forfeit.BOTH:
        raise RuleViolation("one-winner", table=row.table)
    return tournament.put(replace(result, advances=winner))


def _advance(tournament: Tournament, game: GameId, state: ResultState) -> Tournament:
    row = found(tournament.games, game, "game-gone")
    result = tournament.results.get(game)
    if result is None:
        raise RuleViolation("no-result", table=row.table)
    steps = list(ResultState)
    if steps.index(result.state) >= steps.index(state):
        raise RuleViolation("already-in-state", table=row.table, state=result.state.value)
    return tournament.put(replace(result, state=state))


def _check_points(
    tournament: Tournament,
    game: Game,
    first: int | None,
    second: int | None,
    *,
    forfeit: Forfeit | None,
    confirmed: bool,
) -> None:
    if forfeit is not None:
        if first is not None or second is not None:
            raise RuleViolation("forfeit-with-points", table=game.table)
        return
    if first is None or second is None:
        raise RuleViolation("points-missing", table=game.table)
    limits = tournament.ruleset.scores
    for points in (first, second):
        if not confirmed and not limits.lowest <= points <= limits.highest:
            raise RuleViolation(
                "implausible-points", table=game.table, points=points, lowest=limits.lowest, highest=limits.highest
            )


def _in_order_of_start(
    game: Game,
    first: int | None,
    second: int | None,
    *,
    forfeit: Forfeit | None,
    started: Forfeit | None,
) -> tuple[Game, int | None, int | None, Forfeit | None]:
    """Return the game with the starter first, and points and forfeit turned with it."""
    if started is None:
        return game, first, second, forfeit
    if started is Forfeit.BOTH:
        raise RuleViolation("one-starter", table=game.table)
    if started is Forfeit.FIRST:
        return replace(game, start=_drawn(game)), first, second, forfeit
    if game.start is Start.ASSIGNED:
        raise RuleViolation("start-assigned", table=game.table)
    turned = replace(game, first=game.second, second=game.first, start=Start.DRAWN)
    swapped = {Forfeit.FIRST: Forfeit.SECOND, Forfeit.SECOND: Forfeit.FIRST}
    return turned, second, first, swapped.get(forfeit, forfeit) if forfeit else None


def _drawn(game: Game) -> Start:
    return game.start if game.start is Start.ASSIGNED else Start.DRAWN
