"""Relations between the stages of a division: counting results, players and groups.

Evaluates carried and fresh standings, play-offs that only break ties, and fixed seats. It knows no standings:
`bracket.playing` decides who qualifies through a future cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, PlayerId, Stage, StageId
from tdapp.domain.systems import system_of


def find_stage_at(index: Index, division: DivisionId, after: int | None) -> Stage | None:
    """Return the stage of the last published round up to `after` (None: of all), or None before the first."""
    played = index.published(division, after)
    return index.tournament.stages[played[-1].stage] if played else None


def list_stages_up_to(index: Index, stage: Stage) -> tuple[Stage, ...]:
    """Return the stages of the division up to and including `stage`."""
    return tuple(item for item in index.stages(stage.division) if item.position <= stage.position)


def find_stage_before(index: Index, stage: Stage) -> Stage | None:
    """Return the stage that supplies the players of `stage`: the previous one that is no play-off."""
    earlier = [item for item in list_stages_up_to(index, stage) if item.id != stage.id and not item.play_off]
    return earlier[-1] if earlier else None


def find_next_stage(index: Index, stage: Stage) -> Stage | None:
    later = [item for item in index.stages(stage.division) if item.position > stage.position]
    return later[0] if later else None


def list_counting_stages(index: Index, stage: Stage) -> tuple[Stage, ...]:
    """Return the stages whose results count in `stage`, back to the last fresh start, without play-offs.

    Opponents, starts and byes always count from the first round on.
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
    """Return the number of the first round whose results count in `stage`."""
    run = list_counting_stages(index, stage)
    return index.first_round(run[0].id) if run else 1


def find_counted_rounds(index: Index, stage: Stage) -> frozenset[int]:
    """Return the numbers of the published rounds whose results count in `stage`."""
    run = {item.id for item in list_counting_stages(index, stage)}
    return frozenset(item.number for item in index.published(stage.division) if item.stage in run)


def find_fixed_players(index: Index, stage: Stage) -> frozenset[PlayerId] | None:
    """Return the players of a stage by its seats or rounds. None: the players of the previous stage.

    Seats are complete in a knockout and after a cut. Otherwise players who join the division later play too.
    """
    rows = frozenset(row.player for row in index.seeds(stage.id))
    if rows and (stage.cut is not None or stage.play_off or system_of(stage).bracket):
        return rows
    if rows:
        there = find_present_players(index, stage.division, index.first_round(stage.id))
        late = [player.id for player in index.players(stage.division) if there and player.id not in there]
        return rows.union(late)
    if stage.cut is None:
        return None
    rounds = [item.id for item in index.published(stage.division) if item.stage == stage.id]
    return frozenset[PlayerId]().union(*map(index.seated, rounds)) or None


def find_insiders(index: Index, stage: Stage) -> frozenset[PlayerId] | None:
    """Return the players of a stage in progress, or None for the whole division."""
    for item in reversed(list_stages_up_to(index, stage)):
        if item.play_off and item.id != stage.id:
            continue
        found = find_fixed_players(index, item)
        if found is not None:
            return found
    return None


def find_present_players(index: Index, division: DivisionId, number: int) -> frozenset[PlayerId]:
    """Return the players with a game, bye or absence up to round `number`. Empty if it is not published."""
    rounds = index.published(division, number)
    if not rounds or rounds[-1].number != number:
        return frozenset()
    away = {player.id for player in index.players(division) if index.absence(player.id, number) is not None}
    return frozenset(away.union(*(index.seated(item.id) for item in rounds)))


def count_groups(stage: Stage) -> int:
    """Return the number of groups of a stage, 1 without groups."""
    return stage.settings.groups if system_of(stage).heeds("groups") else 1


def split_in_snake_order(
    seats: Sequence[PlayerId], groups: int, sizes: Sequence[int] | None = None
) -> tuple[tuple[PlayerId, ...], ...]:
    """Split seats into groups in snake order: down, up and down again. Full groups (`sizes`) are skipped.

    The sums of seats in the groups differ as little as possible. A player added at the end changes no group.
    """
    found: list[list[PlayerId]] = [[] for _ in range(groups)]
    snake = cycle((*range(groups), *reversed(range(groups))))
    for player in seats:
        group = next(at for at in snake if sizes is None or len(found[at]) < sizes[at])
        found[group].append(player)
    return tuple(map(tuple, found))


def list_group_seats(index: Index, stage: StageId) -> tuple[PlayerId, ...]:
    """Return the seats of a stage in progress. Players without a seat follow by number."""
    row = index.tournament.stages[stage]
    rows = tuple(seed.player for seed in index.seeds(stage))
    playing = find_insiders(index, row)
    others = [player.id for player in index.players(row.division) if playing is None or player.id in playing]
    return rows + tuple(player for player in others if player not in rows)
