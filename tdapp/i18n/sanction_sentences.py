"""What a sanction does, in sentences: games, points, absences, and what follows for ranks and printouts."""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.impact import impact
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, Player, Result
from tdapp.domain.ruleset import PointsFrom
from tdapp.domain.tables.jury_log import GameChange, changed_games, new_absences
from tdapp.domain.tournament import Tournament
from tdapp.i18n import impact_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.sheet import SanctionKind


def effects(
    before: Tournament,
    after: Tournament,
    player: Player,
    kind: SanctionKind,
    number: int | None,
    points: int,
    catalogue: Catalogue,
) -> Iterator[str]:
    """Yield what a sanction of round `number` makes of a tournament, which is `after` then."""
    taken_from = before.rules_of(player).sanctions.taken_from(kind)
    changes = changed_games(before, after)
    yield from (_changed(change, after, catalogue) for change in changes)
    yield from _taken(player, kind, points, taken_from, catalogue)
    for item in new_absences(before, after):
        counts = catalogue.code(item.kind) if item.kind else catalogue.text("nothing")
        yield catalogue.text("From round {round} on: {kind}.", round=item.first_round, kind=counts)
    if not changes and (kind is SanctionKind.GAME or taken_from is PointsFrom.GAME):
        yield _waits(Index(before), player, number, catalogue)
    found = impact(Index(before), after, player.division)
    if found.papers:
        yield from impact_sentences.impact(found, after.players, catalogue, first={player.id})
    if kind in {SanctionKind.WARNING, SanctionKind.TIME, SanctionKind.TURN}:
        yield catalogue.text("It is noted; no result changes.")


def _waits(index: Index, player: Player, number: int | None, catalogue: Catalogue) -> str:
    """Return why no result changes: there is none yet, or there are no points in it."""
    rounds = index.published(player.division)
    item = next((one for one in rounds if one.number == (number or len(rounds))), None)
    games = index.games(item.id) if item else ()
    game = next((one for one in games if player.id in {one.first, one.second}), None)
    result = index.result(game.id) if game else None
    if result is None:
        return catalogue.text("It counts as soon as the result is entered.")
    if result.forfeit is not None:
        return catalogue.text("The game was lost by forfeit: its result stays.")
    return catalogue.text("The result stays as it is.")


def _taken(
    player: Player, kind: SanctionKind, points: int, taken_from: PointsFrom | None, catalogue: Catalogue
) -> Iterator[str]:
    """Yield what is taken from the tournament, outside of every game."""
    if kind is SanctionKind.MARGIN:
        yield catalogue.text("{player}’s spread is lowered by {points}.", player=player.name, points=points)
    elif taken_from is PointsFrom.TOURNAMENT:
        yield catalogue.text("{player}’s points and spread are lowered by {points}.", player=player.name,
                         points=points)  # fmt: skip


def _changed(change: GameChange, after: Tournament, catalogue: Catalogue) -> str:
    game = after.games[change.game]
    first, second = (after.players[one].name for one in (game.first, game.second))
    where = catalogue.text("Round {round}, table {table}:", round=change.round, table=change.table)
    was = catalogue.text("not played") if change.before is None else _score(change.before, catalogue)
    now = _score(change.after, catalogue)
    change_text = f"{where} {first} – {second} {now if was == now else f'{was} → {now}'}"
    lost = change.after.lost
    if lost is None or (change.before is not None and change.before.lost == lost):
        return change_text
    if lost is Forfeit.BOTH:
        return change_text + "; " + catalogue.text("both have lost")
    loser = first if lost is Forfeit.FIRST else second
    return change_text + "; " + catalogue.text("{player} has lost", player=loser)


def _score(result: Result, catalogue: Catalogue) -> str:
    if result.forfeit is not None:
        return catalogue.code(result.forfeit)
    return f"{catalogue.number(result.first or 0)} – {catalogue.number(result.second or 0)}"
