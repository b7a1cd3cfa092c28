"""Find the next round of a division and whether it can be paired now."""

from __future__ import annotations

from tdapp.domain.bracket import is_knockout_over
from tdapp.domain.game_results import list_unchecked_games
from tdapp.domain.index import Index
from tdapp.domain.model import Division, RoundState
from tdapp.domain.systems import system_of

_PAIR = 2


def find_next_round(index: Index, division: Division) -> int | None:
    """Return the number of the next round to pair, or None if none is left."""
    number = len(index.published(division.id)) + 1
    stage = index.stage_for(division.id, number)
    if stage is None:
        return None
    last = stage.id == index.stages(division.id)[-1].id
    return None if last and system_of(stage).bracket and is_knockout_over(index, stage) else number


def count_missing_rounds(index: Index, division: Division) -> int:
    number = find_next_round(index, division)
    return 0 if number is None else index.planned_rounds(division.id) - number + 1


def find_due_round(index: Index, division: Division) -> int | None:
    """Return the round that can be paired now: all results are in and there is no draft. None if there is none."""
    number = find_next_round(index, division)
    if number is None or index.tournament.event.finished:
        return None
    rounds = index.rounds(division.id)
    if any(item.state is RoundState.DRAFT or index.open_games(item.id) for item in rounds):
        return None
    if index.tournament.event.check_first and list_unchecked_games(index, division.id):
        return None
    present = [player for player in index.players(division.id) if index.absence(player.id, number) is None]
    return number if len(present) >= _PAIR else None
