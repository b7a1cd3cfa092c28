"""What waits on the pages of the chosen division, counted for the bar at the left."""

from __future__ import annotations

from tdapp.domain.model import Stage
from tdapp.domain.systems import system_of
from tdapp.domain.tables import jury, players
from tdapp.domain.tables.players import Turnout
from tdapp.services.open_tournament import OpenTournament


def turnout(tournament: OpenTournament) -> Turnout:
    """Return who is there for the round that people check in for, nobody where there is none."""
    division = tournament.division
    number = players.coming_round(tournament.index, division) if division is not None else None
    if division is None or number is None:
        return Turnout()
    return tournament.desk.remember(
        ("turnout", division.id), lambda _value: players.turnout(tournament.index, division, number)
    )


def brackets(tournament: OpenTournament) -> tuple[Stage, ...]:
    """Return the stages of the chosen division that are played as a bracket."""
    division = tournament.division
    stages = tournament.index.stages(division.id) if division else ()
    return tuple(stage for stage in stages if system_of(stage).bracket)


def missing(tournament: OpenTournament) -> int:
    """Return how many have not come yet; 0 where nobody has been checked in."""
    found = turnout(tournament)
    return len(found.missing) if found.used else 0


def unchecked(tournament: OpenTournament) -> int:
    """Return how many games wait for the jury."""
    return jury.waiting(tournament.index, tournament.division) if tournament.division else 0
