"""Ties at the line of a cut: who is equal there, and what settles it.

Hides where the line runs: through the standings before the stage, or through each of the groups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tdapp.domain.bracket import best, drawn, groups_before, playing, ranked
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.stages import settled
from tdapp.domain.systems import KNOCKOUT


@dataclass(frozen=True, slots=True)
class Tie:
    """Players who are equal on the whole order at the line of a cut; `places` of them go on."""

    players: tuple[PlayerId, ...]
    places: int


def ties(index: Index, stage: Stage) -> tuple[Tie, ...]:
    """Return the ties at the line of a stage's cut, by place; none while a result before it is missing.

    Nor once the seats are settled. In groups each has a line of its own, and the best next ones one together.
    """
    if stage.cut is None or settled(index, stage) is not None or not _reached(index, stage):
        return ()
    chosen = playing(index, stage)
    group_of = groups_before(index, stage)
    equal: dict[int, list[PlayerId]] = defaultdict(list)
    for player, rank in _eligible(index, stage):
        equal[rank].append(player)
    lines = [line for players in equal.values() for line in _lines(players, group_of, chosen)]
    return tuple(Tie(line, sum(player in chosen for player in line)) for line in lines)


def _lines(
    players: Sequence[PlayerId], group_of: Mapping[PlayerId, int], chosen: frozenset[PlayerId]
) -> list[tuple[PlayerId, ...]]:
    """Return those of equal players whom the lines of their groups part, or the one line of them all."""
    groups = sorted({group_of.get(player, 0) for player in players})
    own = [tuple(player for player in players if group_of.get(player, 0) == group) for group in groups]
    parted = [line for line in own if _parted(line, chosen)]
    return parted or ([tuple(players)] if _parted(players, chosen) else [])


def tie_at(index: Index, stage: Stage) -> Tie:
    """Return the first tie at the line of a stage's cut; raise RuleViolation if there is none."""
    found = ties(index, stage)
    if not found:
        raise RuleViolation("no-tie-at-cut")
    return found[0]


def by_lot(index: Index, stage: Stage) -> tuple[PlayerId, ...]:
    """Return who plays a stage with a cut, best first, where a draw from the seed decides between equals."""
    seed, names = index.tournament.event.seed, index.tournament.players
    number = index.first_round(stage.id)

    def key(row: tuple[PlayerId, int]) -> tuple[int, int]:
        return row[1], drawn(seed, number, names[row[0]].number)

    order = [player for player, _ in sorted(_eligible(index, stage), key=key)]
    return best(order, stage.cut or len(order), groups_before(index, stage))


def play_off_of(stage: Stage, tie: Tie, key: StageId) -> Stage:
    """Return the play-off before a stage that parts a tie: as many rounds of a knockout as it takes.

    Where no round of the knockout leaves just so many as go on, it is played for every place.
    """
    rounds = max(1, (len(tie.players) - 1).bit_length())
    left = [2 ** (rounds - turn) for turn in range(1, rounds + 1)]
    settings = PairingSettings()
    if tie.places in left:
        rounds = left.index(tie.places) + 1
    else:
        settings = replace(settings, elimination=Elimination.CLASSIFICATION)
    return Stage(key, stage.division, stage.position, KNOCKOUT.id, rounds, settings, carry=True, play_off=True)


def _parted(players: Sequence[PlayerId], chosen: frozenset[PlayerId]) -> bool:
    inside = sum(player in chosen for player in players)
    return 0 < inside < len(players)


def _reached(index: Index, stage: Stage) -> bool:
    """Tell whether a stage is the next to be paired, and everything before it has a result."""
    published = index.published(stage.division)
    return 0 < len(published) == index.first_round(stage.id) - 1 and not any(
        index.open_games(item.id) for item in published
    )


def _eligible(index: Index, stage: Stage) -> list[tuple[PlayerId, int]]:
    """Return those who may get through a cut with their ranks, as the pairing places them."""
    division = index.tournament.divisions[stage.division]
    first = index.first_round(stage.id)
    pool = playing(index, replace(stage, cut=None))
    return [
        (player.id, rank)
        for player, rank in ranked(index, division, first - 1)
        if player.id in pool and not index.withdrawn_before(player.id, first)
    ]
