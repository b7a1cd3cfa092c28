"""Commands with which players say themselves that they have come, and with which the director lets them."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import command, found, text
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.mark import N_
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament


@command(N_("Players may check in themselves"))
def open_check_in(tournament: Tournament) -> Tournament:
    """Let players check in on a tablet or on their own phones."""
    return tournament.put(replace(tournament.event, players_check_in=True))


@command(N_("Players may no longer check in themselves"))
def close_check_in(tournament: Tournament) -> Tournament:
    """Let players check in at the desk only."""
    return tournament.put(replace(tournament.event, players_check_in=False))


@command(N_("Checked in themselves: {player}"))
def arrive(tournament: Tournament, *, player: PlayerId, device: str = "") -> Tournament:
    """Note that a player has come, who says so; `device` marks the phone or the tablet.

    Raises RuleViolation where players do not check in themselves or no round is to come, for who is there already,
    and for who has to go to the desk: withdrawn, or absent from the coming round.
    """
    text(device, "device")
    row = found(tournament.players, player, "no-such-player")
    if not tournament.event.players_check_in:
        raise RuleViolation("check-in-closed")
    index = Index(tournament)
    if index.withdrawn(player):
        raise RuleViolation("arrives-withdrawn", player=row.name)
    coming = index.latest(row.division) + 1
    if coming > index.planned_rounds(row.division):
        raise RuleViolation("check-in-over")
    if index.absence(player, coming) is not None:
        raise RuleViolation("arrives-absent", player=row.name, round=coming)
    if row.checked_in:
        raise RuleViolation("arrived-already", player=row.name)
    return tournament.put(replace(row, checked_in=True))
