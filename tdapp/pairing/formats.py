"""Common tournament formats, as lists of stages with their numbers of rounds."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from tdapp.domain.matches import count_knockout_rounds_needed
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.systems import KING_OF_THE_HILL, KNOCKOUT, ROUND_ROBIN, SWISS
from tdapp.pairing.proposing import SYSTEMS
from tdapp.pairing.systems.roundrobin import count_rounds

GROUP_SIZE = 5  # approximate number of players in a group
FEW = 16  # from this number of players, eight instead of four go to the knockout
SMALLEST = 4  # smallest field for several stages
FINAL_GAMES = 3
HALVES = 2


class TournamentFormat(StrEnum):
    """A common tournament format."""

    ONE = "one-system"  # one stage under any system
    HILL = "swiss-then-hill"  # king of the hill in the last round
    SWISS_KNOCKOUT = "swiss-then-knockout"
    SWISS_FINAL = "swiss-then-final"  # the best two play the best of three
    GROUPS_KNOCKOUT = "groups-then-knockout"  # the best two of each group go on
    ALL_THREE = "groups-swiss-knockout"


class StagePlan(Struct, frozen=True):
    """A planned stage for the best `cut` players (None: all). If `carry` is True, earlier results count."""

    system: str
    rounds: int
    cut: int | None = None
    carry: bool = True
    settings: PairingSettings = field(default_factory=PairingSettings)


def count_rounds_of_system(system: str, players: int) -> int | None:
    """Return the number of rounds of a system, None if the director chooses it."""
    needed = SYSTEMS[system].count_rounds
    return needed(max(players, 2)) if needed else None


class KnockoutPlan(Struct, frozen=True):
    """The final knockout of a tournament format."""

    best: int = 0  # number of players; 0: the default
    games: int = 1  # of each match
    third_place: bool = False


USUAL_CUP = KnockoutPlan()


def get_usual_knockout_size(tournament_format: TournamentFormat, players: int) -> int:
    players = max(players, SMALLEST)
    if tournament_format is TournamentFormat.SWISS_KNOCKOUT:
        return min(players, SMALLEST if players < FEW else 2 * SMALLEST)
    if tournament_format is TournamentFormat.GROUPS_KNOCKOUT:
        return HALVES * _count_groups(players)
    return SMALLEST if tournament_format is TournamentFormat.ALL_THREE else 0


def plan_stages(
    tournament_format: TournamentFormat,
    *,
    players: int,
    rounds: int,
    system: str = SWISS.id,
    knockout: KnockoutPlan = USUAL_CUP,
) -> tuple[StagePlan, ...]:
    """Return the stages of a format.

    `rounds` includes a final round of king of the hill. `rounds` is ignored if the number of players
    determines the number of rounds.
    """
    players = max(players, SMALLEST)
    last = _plan_knockout(knockout, knockout.best or get_usual_knockout_size(tournament_format, players))
    if tournament_format is TournamentFormat.ONE:
        return (StagePlan(system, count_rounds_of_system(system, players) or rounds),)
    if tournament_format is TournamentFormat.HILL:
        return (StagePlan(SWISS.id, max(rounds - 1, 1)), StagePlan(KING_OF_THE_HILL.id, 1))
    if tournament_format is TournamentFormat.SWISS_KNOCKOUT:
        return (StagePlan(SWISS.id, rounds), last)
    if tournament_format is TournamentFormat.SWISS_FINAL:
        final = PairingSettings(series=FINAL_GAMES)
        return (StagePlan(SWISS.id, rounds), StagePlan(KNOCKOUT.id, FINAL_GAMES, cut=2, settings=final))
    groups = _count_groups(players)
    group_rounds = count_rounds(-(-players // groups), double=False)
    first = StagePlan(ROUND_ROBIN.id, group_rounds, settings=PairingSettings(groups=groups))
    if tournament_format is TournamentFormat.GROUPS_KNOCKOUT:
        return (first, last)
    half = max(players // HALVES, SMALLEST)
    half -= half % 2  # no player has a bye in the Swiss
    return (first, StagePlan(SWISS.id, rounds, cut=half, carry=False), last)


def _plan_knockout(knockout: KnockoutPlan, best: int) -> StagePlan:
    best = max(best, HALVES)
    settings = PairingSettings(series=knockout.games, third_place=knockout.third_place and best >= SMALLEST)
    return StagePlan(KNOCKOUT.id, count_knockout_rounds_needed(best, settings), cut=best, settings=settings)


def _count_groups(players: int) -> int:
    groups = 1
    while players >= 2 * groups * (GROUP_SIZE - 1):
        groups *= 2
    return max(groups, 2) if players >= 2 * HALVES else 1
