"""Commands on sanctions: a player's punishments, each with its reason and its author, and taking them back."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.players import withdraw_player
from tdapp.domain.commands.rule import (
    LONGEST_NOTE,
    MOST_POINTS,
    check_certified,
    command,
    found,
    required,
    text,
    within,
)
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.mark import N_
from tdapp.domain.model import (
    AbsenceId,
    ByeKind,
    Forfeit,
    GameId,
    Player,
    PlayerId,
    Result,
    ResultState,
    Sanction,
    SanctionId,
)
from tdapp.domain.ruleset import PointsFrom
from tdapp.domain.settling import game_of, with_result
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind

_IN_POINTS = frozenset({SanctionKind.POINTS, SanctionKind.MARGIN})


@command(N_("{player}: sanction, {kind:SanctionKind}"))
def add_sanction(  # noqa: PLR0913 - a sanction's fields
    tournament: Tournament,
    *,
    key: str,
    player: PlayerId,
    kind: SanctionKind,
    why: str,
    round_number: int | None = None,
    points: int = 0,
    author: str = "",
    remaining: ByeKind | None = ByeKind.FORFEIT,
) -> Tournament:
    """Punish a player in a round (default: the last published one), whatever the rule set names.

    The result of the round's game follows at once, or when it is entered. A disqualified player loses the game of
    the round, open games become forfeits, and the rounds to come count as `remaining`, None for nothing. `why` is
    also the reason that a certified result needs.
    """
    row = found(tournament.players, player, "no-such-player")
    why = required(why, "why", longest=LONGEST_NOTE)
    if (kind in _IN_POINTS) != (points != 0):
        raise RuleViolation("sanction-points", kind=kind.value)
    within(points, "points", low=0, high=MOST_POINTS)
    index = Index(tournament)
    number = _round_of(index, row, round_number)
    game = game_of(index, player, number) if number is not None else None
    if game is None and _needs_game(tournament, kind):
        raise RuleViolation("no-game-to-punish", player=row.name, round=number or 0)
    given = Sanction(SanctionId(key), player, number, kind, points, why, text(author, "author"))
    after = tournament.put(given)
    if game is not None and game.id in after.results:
        after = with_result(after, after.results[game.id])
    if kind is SanctionKind.DISQUALIFIED:
        after = _sent_away(after, given, remaining)
    return after


def _round_of(index: Index, player: Player, number: int | None) -> int | None:
    """Return the round a sanction belongs to: `number`, else the last published one, None before the first."""
    last = index.latest(player.division)
    if number is None:
        return last or None
    return within(number, "round", low=1, high=max(last, 1))


@command(N_("{player}: sanction taken back, {kind:SanctionKind}"))
def remove_sanction(tournament: Tournament, *, sanction: SanctionId, reason: str = "") -> Tournament:
    """Take a sanction back; its game is reckoned anew, and a disqualified player may play the rounds to come.

    Games that a disqualification made forfeits are open again, unless their result has changed since or is final.
    A certified result that changes by it needs a `reason`.
    """
    row = found(tournament.sanctions, sanction, "no-such-sanction")
    away = tournament.absences.get(_away(row))
    after = tournament.drop(row, *_its_forfeits(tournament, row))
    if away is not None:
        after = after.drop(away)
    game = game_of(Index(tournament), row.player, row.round) if row.round is not None else None
    if game is not None and game.id in after.results:
        after = with_result(after, after.results[game.id])
    return check_certified(tournament, after, reason)


def _needs_game(tournament: Tournament, kind: SanctionKind) -> bool:
    from_game = tournament.ruleset.sanctions.points_from is PointsFrom.GAME
    return kind is SanctionKind.GAME or (kind is SanctionKind.POINTS and from_game)


def _away(sanction: Sanction) -> AbsenceId:
    return AbsenceId(f"{sanction.id}.w")


def _its_forfeits(tournament: Tournament, sanction: Sanction) -> list[Result]:
    """Return the forfeits that a disqualification brought, as far as they are still as it made them."""
    results = (tournament.results.get(game) for game in sanction.forfeits)
    return [
        result for result in results if result is not None and result == _forfeit(tournament, result.id, sanction)
    ]


def _forfeit(tournament: Tournament, game: GameId, sanction: Sanction) -> Result:
    lost = Forfeit.FIRST if tournament.games[game].first == sanction.player else Forfeit.SECOND
    return Result(game, ResultState.ENTERED, forfeit=lost)


def _sent_away(tournament: Tournament, sanction: Sanction, remaining: ByeKind | None) -> Tournament:
    """Return the tournament with a player's open games forfeited, and without him from the next round on."""
    index, player = Index(tournament), sanction.player
    lost = [
        _forfeit(tournament, game.id, sanction)
        for item in index.published(tournament.players[player].division)
        for game in index.open_games(item.id)
        if player in {game.first, game.second}
    ]
    tournament = tournament.put(replace(sanction, forfeits=tuple(result.id for result in lost)), *lost)
    if index.withdrawn(player):
        return tournament
    return withdraw_player(tournament, key=_away(sanction), player=player, kind=remaining)
