"""The command that seeds a stage at one stroke."""

from __future__ import annotations

from enum import StrEnum

from tdapp.domain.bracket import drawn, seats
from tdapp.domain.commands.rule import command, found
from tdapp.domain.commands.stages import set_seeds
from tdapp.domain.index import Index
from tdapp.domain.mark import N_
from tdapp.domain.model import PlayerId, StageId
from tdapp.domain.tournament import Tournament


class Seeding(StrEnum):
    """What the seeds of a stage come from."""

    STANDINGS = "seeds-standings"  # before the stage, with their tie-breaks; before the first round the ratings
    RATING = "seeds-rating"
    LOT = "seeds-lot"  # a draw from the tournament's seed


@command(N_("Seeded: {by:code}"))
def seed_stage(tournament: Tournament, *, key: str, stage: StageId, by: Seeding) -> Tournament:
    """Give those who play a stage their seeds; raise RuleViolation once it has rounds.

    Seeds by the standings follow them until the first round is published; the others are written down. Equal
    ratings stay in the order of the standings.
    """
    row = found(tournament.stages, stage, "no-such-stage")
    cleared = set_seeds(tournament, key=key, stage=stage, players=())
    if by is Seeding.STANDINGS:
        return cleared
    position, seed = row.position, tournament.event.seed

    def order(player: PlayerId) -> int:
        one = tournament.players[player]
        return drawn(seed, position, one.number) if by is Seeding.LOT else -(one.rating or 0)

    players = tuple(sorted(seats(Index(cleared), stage), key=order))
    return set_seeds(cleared, key=key, stage=stage, players=players)
