"""The order of the stages of a division, and the players of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId, Stage, StageId
from tdapp.domain.systems import get_pairing_system


def find_stage_of_last_published_round(
    index: TournamentIndex, division: DivisionId, after_round: int | None
) -> Stage | None:
    rounds = index.list_published_rounds(division, after_round)
    return index.tournament.stages[rounds[-1].stage] if rounds else None


def list_stages_up_to(index: TournamentIndex, stage: Stage) -> tuple[Stage, ...]:
    return tuple(item for item in index.stages(stage.division) if item.position <= stage.position)


def find_previous_stage_except_play_off(index: TournamentIndex, stage: Stage) -> Stage | None:
    earlier_stages = [
        item for item in list_stages_up_to(index, stage) if item.id != stage.id and not item.play_off
    ]
    return earlier_stages[-1] if earlier_stages else None


def find_last_evening(index: TournamentIndex, division: DivisionId) -> Stage | None:
    return next((stage for stage in reversed(index.stages(division)) if stage.evening), None)


def is_evening_over(index: TournamentIndex, stage: Stage) -> bool:
    """Return whether the club evening `stage` is over.

    Either a later stage exists, or the first round is paired and no player is marked as present.
    """
    has_players = any(player.checked_in for player in index.players(stage.division))
    return stage != index.stages(stage.division)[-1] or (stage.rounds > 0 and not has_players)


def find_running_evening(index: TournamentIndex, division: DivisionId) -> Stage | None:
    stage = next(iter(index.stages(division)[-1:]), None)
    return stage if stage is not None and stage.evening and not is_evening_over(index, stage) else None


def find_next_stage(index: TournamentIndex, stage: Stage) -> Stage | None:
    later_stages = [item for item in index.stages(stage.division) if item.position > stage.position]
    return later_stages[0] if later_stages else None


def list_stages_counted_in_standings(index: TournamentIndex, stage: Stage) -> tuple[Stage, ...]:
    """Return the stages whose results count in the standings of `stage`, in order and without play-offs.

    If the standings of a stage start from zero, omit earlier stages.
    """
    stages: list[Stage] = []
    for item in reversed(list_stages_up_to(index, stage)):
        if item.play_off:
            continue
        stages.append(item)
        if not item.carry:
            break
    return tuple(reversed(stages))


def find_first_counted_round(index: TournamentIndex, stage: Stage) -> int:
    stages = list_stages_counted_in_standings(index, stage)
    return index.get_first_round_number(stages[0].id) if stages else 1


def list_round_numbers_counted_in_standings(index: TournamentIndex, stage: Stage) -> frozenset[int]:
    stage_ids = {item.id for item in list_stages_counted_in_standings(index, stage)}
    return frozenset(
        item.number for item in index.list_published_rounds(stage.division) if item.stage in stage_ids
    )


def find_stage_players_or_none_if_inherited(index: TournamentIndex, stage: Stage) -> frozenset[PlayerId] | None:
    """Return the players of a stage. Return None if the players come from the previous stage.

    * Club evening: all players of the division.
    * Stage with seeds: the seeded players. Players who entered the division later are added, except in a knockout,
      in a play-off and after a cut.
    * Stage without seeds, but with a cut and published rounds: the players of these rounds.
    * Remaining stages: None.
    """
    if stage.evening:
        return frozenset(player.id for player in index.players(stage.division))
    rows = frozenset(row.player for row in index.seeds(stage.id))
    if rows and (stage.cut is not None or stage.play_off or get_pairing_system(stage).is_knockout):
        return rows
    if rows:
        early_ids = find_division_players_at_round(index, stage.division, index.get_first_round_number(stage.id))
        late_ids = [
            player.id for player in index.players(stage.division) if early_ids and player.id not in early_ids
        ]
        return rows.union(late_ids)
    if stage.cut is None:
        return None
    rounds = [item.id for item in index.list_published_rounds(stage.division) if item.stage == stage.id]
    return frozenset[PlayerId]().union(*map(index.find_players_with_game_bye_or_seat, rounds)) or None


def find_evening_players(
    index: TournamentIndex, stage: Stage, after_round: int | None = None
) -> frozenset[PlayerId]:
    rounds = [
        item.id for item in index.list_published_rounds(stage.division, after_round) if item.stage == stage.id
    ]
    return frozenset[PlayerId]().union(*map(index.find_players_with_game_bye_or_seat, rounds))


def find_stage_players_or_none_if_all(index: TournamentIndex, stage: Stage) -> frozenset[PlayerId] | None:
    """Return the players of a stage, or None for all players of the division.

    If the stage has no players yet, use the previous stage.
    """
    for item in reversed(list_stages_up_to(index, stage)):
        if item.play_off and item.id != stage.id:
            continue
        players = find_stage_players_or_none_if_inherited(index, item)
        if players is not None:
            return players
    return None


def find_division_players_at_round(
    index: TournamentIndex, division: DivisionId, number: int
) -> frozenset[PlayerId]:
    """Return the players who had joined a division by the published round `number`.

    They have a game or bye in a round up to `number`, or an absence in round `number`.
    """
    rounds = index.list_published_rounds(division, number)
    if not rounds or rounds[-1].number != number:
        return frozenset()
    absent_ids = {
        player.id for player in index.players(division) if index.find_absence(player.id, number) is not None
    }
    return frozenset(absent_ids.union(*(index.find_players_with_game_bye_or_seat(item.id) for item in rounds)))


def count_groups(stage: Stage) -> int:
    return stage.settings.groups if get_pairing_system(stage).supports_setting("groups") else 1


def split_players_in_snake_order(
    seats: Sequence[PlayerId], groups: int, sizes: Sequence[int] | None = None
) -> tuple[tuple[PlayerId, ...], ...]:
    """Split players into groups in snake order: 1, 2, 3, 3, 2, 1. Full groups are skipped.

    A player added at the end does not move others to another group. `seats` are the players by seed number.
    """
    members: list[list[PlayerId]] = [[] for _ in range(groups)]
    snake = cycle((*range(groups), *reversed(range(groups))))
    for player in seats:
        group = next(number for number in snake if sizes is None or len(members[number]) < sizes[number])
        members[group].append(player)
    return tuple(map(tuple, members))


def sort_players_by_seat(index: TournamentIndex, stage: StageId) -> tuple[PlayerId, ...]:
    """Return the players of a stage by seat (seed number), then those without a seat by player number."""
    row = index.tournament.stages[stage]
    rows = tuple(seed.player for seed in index.seeds(stage))
    stage_players = find_stage_players_or_none_if_all(index, row)
    other_players = [
        player.id for player in index.players(row.division) if stage_players is None or player.id in stage_players
    ]
    return rows + tuple(player for player in other_players if player not in rows)
