"""A stored round as it stood when it was paired.

Hides what is taken back to get there: the round and all after it, who came or left since, and a latecomer whom the
round itself seated afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands import discard_round, remove_player
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, ByeKind, DivisionId, Game, PlayerId, Reason, Round
from tdapp.domain.systems import system_of
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import DIRECTED
from tdapp.pairing.field import Fixed

LATE = "latecomer"  # the reason of a game in which somebody was seated against the one with the bye


def before(tournament: Tournament, item: Round, *, seated: bool = True) -> Tournament:
    """Return the tournament without `item`, its division's last round; `seated`: seats that it settled stay."""
    open_again = tournament.put(replace(tournament.event, finished=False))
    earlier = discard_round(open_again, round=item.id, reason="as it was", with_results=True)
    settled = (row for key, row in tournament.seeds.items() if key not in earlier.seeds)
    return earlier.put(*settled) if seated else earlier


def as_present(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Tournament:
    """Return `earlier` with those here for the round who were paired in it, whoever came or left since.

    Who came later is gone altogether, and so is what was wished or ordered for two players since. Where everybody
    has a seat, who is out of a knockout is no less present.
    """
    stood = {bye.player for bye in whole.byes(item.id)}
    seated = {bye.player for bye in whole.byes(item.id) if bye.kind is ByeKind.BYE}
    for game in whole.games(item.id):
        seated |= {game.first, game.second}
    seated -= (late := latecomers(whole, item))
    has_seats = system_of(whole.tournament.stages[item.stage]).seated
    index = Index(earlier)
    gone: list[Absence] = []
    away: list[Absence] = []
    new: list[PlayerId] = []
    for player in index.players(division):
        absence = index.absence(player.id, item.number)
        came_since = not index.has_played(player.id) and player.id not in seated | stood
        if player.id in seated:
            gone += index.absences(player.id) if absence else ()
        elif absence is None and (came_since or (player.id in late and not index.has_played(player.id))):
            new.append(player.id)
        elif absence is None and (player.id in late or not has_seats):
            away.append(Absence(AbsenceId(f"then.{player.id}"), player.id, item.number, item.number))
    said_since = [row for row in earlier.constraints.values() if row.since >= item.number]
    then = earlier.drop(*gone, *said_since).put(*away)
    for one in new:
        then = remove_player(then, player=one)
    return then


def latecomers(whole: Index, item: Round) -> set[PlayerId]:
    """Return who was seated in a round after it was published."""
    games = [game for game in whole.games(item.id) if game.reason is not None and game.reason.code == LATE]
    numbers = {dict(game.reason.facts)["late"] for game in games if game.reason}
    ends = [player for game in games for player in (game.first, game.second)]
    return {player for player in ends if whole.tournament.players[player].number in numbers}


def is_directed(game: Game) -> bool:
    """Tell whether a table stands as somebody set it: kept, made by hand, ordered, or not paired here at all."""
    return game.locked or by_director(game.reason)


def directed(whole: Index, item: Round) -> tuple[Fixed, ...]:
    """Return the tables and byes of a round that stand as somebody set them."""
    tables = [
        Fixed(
            game.first,
            game.second,
            game.table,
            keep_start=True,
            locked=game.locked,
            code=game.reason.code if game.reason else None,
        )
        for game in whole.games(item.id)
        if is_directed(game)
    ]
    byes = [
        Fixed(bye.player, locked=False)
        for bye in whole.byes(item.id)
        if bye.kind is ByeKind.BYE and by_director(bye.reason)
    ]
    return (*tables, *byes)


def by_director(reason: Reason | None) -> bool:
    """Tell whether a reason says that somebody set it; None was not paired here."""
    return reason is None or reason.code in DIRECTED
