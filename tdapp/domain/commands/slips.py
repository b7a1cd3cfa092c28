"""Commands on results that the players enter themselves: who may, what they say, and when that is a result."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.results import check_free, enter_result
from tdapp.domain.commands.rule import command, found
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.mark import N_
from tdapp.domain.model import Forfeit, Game, GameId, PlayerId, SlipEntry, SlipId, Start
from tdapp.domain.tournament import Tournament


@command(N_("Players may enter results"))
def open_entry(tournament: Tournament, *, key: str) -> Tournament:
    """Let players enter results with the codes on their slips; codes that were printed before hold again."""
    event = tournament.event
    return tournament.put(replace(event, players_enter=True, slip_key=event.slip_key or key))


@command(N_("Players may no longer enter results"))
def close_entry(tournament: Tournament) -> Tournament:
    """Let players enter no more results; what waits for an opponent stays."""
    return tournament.put(replace(tournament.event, players_enter=False))


@command(N_("Codes of the result slips renewed"))
def renew_codes(tournament: Tournament, *, key: str) -> Tournament:
    """Make other codes of all slips: those that were printed hold no longer."""
    return tournament.put(replace(tournament.event, slip_key=key))


@command(N_("Round {round}, table {table}: {player} entered {own} against {other}"))
def enter_slip(
    tournament: Tournament, *, game: GameId, player: PlayerId, own: int, other: int, started: bool | None = None
) -> Tournament:
    """Take what `player` says a game came to; when the opponent has said the same it is the game's result.

    `own` and `other` are the player's and the opponent's points. `started` says whether the player started, asked
    only where the tiles decided. Raises RuleViolation where players may not enter, for a game that has a result,
    and as `enter_result` does; saying something else again replaces what was said.
    """
    row = check_free(tournament, game)
    _check_open(tournament, row, player)
    if row.start is not Start.DRAW:
        started = None
    elif started is None:
        raise RuleViolation("starter-missing", table=row.table)
    said = SlipEntry(SlipId(f"{game}.{player}"), game, player, own, other, started)
    done = _as_result(tournament, row, said)
    opponent = next((one for one in Index(tournament).slips(game) if one.player != player), None)
    return done if opponent is not None and agree(said, opponent) else tournament.put(said)


@command(N_("Round {round}, table {table}: what the players had entered dropped"))
def drop_slips(tournament: Tournament, *, game: GameId) -> Tournament:
    """Forget what the players of a game have entered; raise RuleViolation if that is nothing."""
    row = found(tournament.games, game, "game-gone")
    slips = Index(tournament).slips(game)
    if not slips:
        raise RuleViolation("no-slips", table=row.table)
    return tournament.drop(*slips)


def agree(one: SlipEntry, other: SlipEntry) -> bool:
    """Tell whether two opponents say the same."""
    told = one.started is not None and other.started is not None
    return (one.own, one.other) == (other.other, other.own) and not (told and one.started == other.started)


def _check_open(tournament: Tournament, row: Game, player: PlayerId) -> None:
    if not tournament.event.players_enter:
        raise RuleViolation("entry-closed")
    if row.id in tournament.results:
        raise RuleViolation("result-there", table=row.table)
    if player not in {row.first, row.second}:
        raise RuleViolation("slip-of-another", table=row.table)


def _as_result(tournament: Tournament, row: Game, said: SlipEntry) -> Tournament:
    """Return the tournament with the result that a slip says; its points are refused where they cannot be."""
    first, second = (said.own, said.other) if said.player == row.first else (said.other, said.own)
    started = None
    if said.started is not None:
        starts_first = said.started == (said.player == row.first)
        started = Forfeit.FIRST if starts_first else Forfeit.SECOND
    return enter_result(tournament, game=row.id, first=first, second=second, started=started)
