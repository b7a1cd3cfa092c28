"""How the stages of a division depend on each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, PlayerId, Stage, StageId
from tdapp.domain.systems import get_system


def find_last_published_stage(index: Index, division: DivisionId, after: int | None) -> Stage | None:
    played = index.published(division, after)
    return index.tournament.stages[played[-1].stage] if played else None


def list_stages_up_to(index: Index, stage: Stage) -> tuple[Stage, ...]:
    return tuple(item for item in index.stages(stage.division) if item.position <= stage.position)


def find_stage_before(index: Index, stage: Stage) -> Stage | None:
    """Return the stage before a stage. Play-offs are ignored."""
    earlier = [item for item in list_stages_up_to(index, stage) if item.id != stage.id and not item.play_off]
    return earlier[-1] if earlier else None


def find_last_evening(index: Index, division: DivisionId) -> Stage | None:
    return next((stage for stage in reversed(index.stages(division)) if stage.evening), None)


def is_evening_over(index: Index, stage: Stage) -> bool:
    """Return whether a club evening is over.

    It is over if a later stage exists, or if no player is checked in after the first paired round.
    """
    here = any(player.checked_in for player in index.players(stage.division))
    return stage != index.stages(stage.division)[-1] or (stage.rounds > 0 and not here)


def find_running_evening(index: Index, division: DivisionId) -> Stage | None:
    stage = next(iter(index.stages(division)[-1:]), None)
    return stage if stage is not None and stage.evening and not is_evening_over(index, stage) else None


def find_next_stage(index: Index, stage: Stage) -> Stage | None:
    later = [item for item in index.stages(stage.division) if item.position > stage.position]
    return later[0] if later else None


def list_counting_stages(index: Index, stage: Stage) -> tuple[Stage, ...]:
    """Return the stages whose results count in `stage`, in order and without play-offs.

    They begin with the last stage whose standings started from zero.
    """
    found: list[Stage] = []
    for item in reversed(list_stages_up_to(index, stage)):
        if item.play_off:
            continue
        found.append(item)
        if not item.carry:
            break
    return tuple(reversed(found))


def find_first_counted_round(index: Index, stage: Stage) -> int:
    run = list_counting_stages(index, stage)
    return index.first_round(run[0].id) if run else 1


def find_counted_rounds(index: Index, stage: Stage) -> frozenset[int]:
    run = {item.id for item in list_counting_stages(index, stage)}
    return frozenset(item.number for item in index.published(stage.division) if item.stage in run)


def find_stage_players_if_fixed(index: Index, stage: Stage) -> frozenset[PlayerId] | None:
    """Return the players of a stage, or None if they are the players of the stage before.

    A club evening has all players of the division. If the stage has seats, its players are those with a seat.
    Players who entered the division later are added, except in a knockout, in a play-off and after a cut. A
    stage with a cut but without seats has the players of its published rounds.
    """
    if stage.evening:
        return frozenset(player.id for player in index.players(stage.division))
    rows = frozenset(row.player for row in index.seeds(stage.id))
    if rows and (stage.cut is not None or stage.play_off or get_system(stage).is_knockout):
        return rows
    if rows:
        there = find_players_joined_by_round(index, stage.division, index.first_round(stage.id))
        late = [player.id for player in index.players(stage.division) if there and player.id not in there]
        return rows.union(late)
    if stage.cut is None:
        return None
    rounds = [item.id for item in index.published(stage.division) if item.stage == stage.id]
    return frozenset[PlayerId]().union(*map(index.list_seated_players, rounds)) or None


def find_evening_players(index: Index, stage: Stage, after: int | None = None) -> frozenset[PlayerId]:
    rounds = [item.id for item in index.published(stage.division, after) if item.stage == stage.id]
    return frozenset[PlayerId]().union(*map(index.list_seated_players, rounds))


def find_players_of_begun_stage(index: Index, stage: Stage) -> frozenset[PlayerId] | None:
    """Return the players of a stage that has begun. None: all players of the division."""
    for item in reversed(list_stages_up_to(index, stage)):
        if item.play_off and item.id != stage.id:
            continue
        found = find_stage_players_if_fixed(index, item)
        if found is not None:
            return found
    return None


def find_players_joined_by_round(index: Index, division: DivisionId, number: int) -> frozenset[PlayerId]:
    """Return the players who had joined a division by the published round `number`.

    They have a game or bye up to that round, or an absence in it.
    """
    rounds = index.published(division, number)
    if not rounds or rounds[-1].number != number:
        return frozenset()
    away = {player.id for player in index.players(division) if index.find_absence(player.id, number) is not None}
    return frozenset(away.union(*(index.list_seated_players(item.id) for item in rounds)))


def count_groups(stage: Stage) -> int:
    return stage.settings.groups if get_system(stage).supports("groups") else 1


def split_in_snake_order(
    seats: Sequence[PlayerId], groups: int, sizes: Sequence[int] | None = None
) -> tuple[tuple[PlayerId, ...], ...]:
    """Split players into groups in snake order: 1, 2, 3, 3, 2, 1. Groups that have reached their size are skipped.

    A player added at the end does not move others to another group. `seats` are the players by seat.
    """
    found: list[list[PlayerId]] = [[] for _ in range(groups)]
    snake = cycle((*range(groups), *reversed(range(groups))))
    for player in seats:
        group = next(at for at in snake if sizes is None or len(found[at]) < sizes[at])
        found[group].append(player)
    return tuple(map(tuple, found))


def sort_players_by_seat(index: Index, stage: StageId) -> tuple[PlayerId, ...]:
    """Return the players of a stage by seat, then those without a seat by number."""
    row = index.tournament.stages[stage]
    rows = tuple(seed.player for seed in index.seeds(stage))
    playing = find_players_of_begun_stage(index, row)
    others = [player.id for player in index.players(row.division) if playing is None or player.id in playing]
    return rows + tuple(player for player in others if player not in rows)
