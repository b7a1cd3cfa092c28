"""Teams of a stage that is played between teams, and its number of rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tdapp.domain.bracket import list_seats
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Stage

FEWEST_TEAMS = 2
Teams = Mapping[str, Sequence[PlayerId]]


def group_by_team(index: Index, players: Iterable[PlayerId]) -> dict[str, list[PlayerId]]:
    """Return the members of each team, in the order of `players`. Players without a team are left out."""
    found: dict[str, list[PlayerId]] = defaultdict(list)
    for player in players:
        name = index.tournament.players[player].team.strip().casefold()
        if name:
            found[name].append(player)
    return dict(found)


def list_stage_teams(index: Index, stage: Stage) -> Teams:
    return group_by_team(index, list_seats(index, stage.id))


def count_team_rounds(teams: Teams) -> int:
    """Return how many rounds each player needs to play all members of the other teams.

    0 for fewer than two teams.
    """
    if len(teams) < FEWEST_TEAMS:
        return 0
    return (len(teams) + len(teams) % 2 - 1) * max(map(len, teams.values()))
