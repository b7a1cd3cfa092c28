"""Counts of open work on the pages of the selected division, for the side bar."""

from __future__ import annotations

from tdapp.domain.model import Stage
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables import jury, players
from tdapp.domain.tables.players import PlayersByPresence
from tdapp.services.open_tournament import OpenTournament


def group_players_at_check_in(tournament: OpenTournament) -> PlayersByPresence:
    """Group players by presence at check-in. Return no players if all planned rounds are published."""
    division = tournament.division
    number = players.find_check_in_round(tournament.index, division) if division is not None else None
    if division is None or number is None:
        return PlayersByPresence()
    return tournament.desk.get_cached_value(
        ("turnout", division.id),
        lambda _value: players.group_players_by_presence(tournament.index, division, number),
    )


def list_selected_division_knockouts(tournament: OpenTournament) -> tuple[Stage, ...]:
    division = tournament.division
    stages = tournament.index.stages(division.id) if division else ()
    return tuple(stage for stage in stages if get_pairing_system(stage).is_knockout)


def is_division_with_evenings_selected(tournament: OpenTournament) -> bool:
    """Return whether the last stage of the selected division has club evenings."""
    division = tournament.division
    stages = tournament.index.stages(division.id) if division is not None else ()
    return bool(stages) and stages[-1].evening


def count_missing_players(tournament: OpenTournament) -> int:
    """Return the number of players not checked in, 0 before the first check-in and for club evenings."""
    if is_division_with_evenings_selected(tournament):
        return 0
    turnout = group_players_at_check_in(tournament)
    return len(turnout.missing) if turnout.has_check_ins else 0


def count_division_games_waiting_for_jury(tournament: OpenTournament) -> int:
    return jury.count_games_waiting_for_jury(tournament.index, tournament.division) if tournament.division else 0
