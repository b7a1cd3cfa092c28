"""Progress of a round: times of results, slow tables, and the estimated end.

The estimated end is the time of the newest result plus the remaining time. If 60 % of the results are known, the
remaining time is the median of the times that the last 40 % took in earlier rounds.

In the first round, the end is the start plus the length of the round clock. A round takes at least half that
length. A round starts with its clock. Without a clock, it starts at its publication, or at the planned start if
this is later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import median

from msgspec import Struct, field

from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import Division, Game, Round, RoundState
from tdapp.domain.round_clock import MAX_LENGTH, compute_usual_round_seconds
from tdapp.domain.tables.history import find_undone_step_numbers

_PUBLISH_COMMANDS = frozenset({"pair-round", "publish-round"})
_RESULT_COMMANDS = frozenset({"enter-result", "second-result", "take-slips", "enter-sheet"})
_TURN_FACT = "number"  # key in the facts of steps that add a turn to a live sheet
_SLIP_COMMAND = "enter-slip"  # the second slip makes the result
_MAX_WAIT = timedelta(days=1)  # from the publication to the planned start; a later start is an error in the date
_MIN_DELAY = timedelta(minutes=5)  # minimum delay of a slow table
_SLOW_FACTOR = 1.25  # slow tables need longer than the faster half by this factor


class RoundProgress(Struct, frozen=True):
    """The progress of a round."""

    tables: int
    done: int  # number of tables with a result
    last: datetime | None  # time of the newest result
    slow: tuple[int, ...]  # tables that have used up their time, or need far longer than others
    end: datetime | None  # estimated time of the last result, None if unknown or all are in


class _RoundStartAndResultTimes(Struct):
    start: datetime
    result_times: dict[object, datetime] = field(default_factory=dict)

    def find_time_when_share_of_results_arrived(self, share: float) -> datetime:
        count = ceil(share * len(self.result_times))
        return sorted(self.result_times.values())[count - 1] if count else self.start


def compute_round_progress(
    index: TournamentIndex,
    round_row: Round,
    steps: Iterable[Step],
    *,
    now: datetime,
    clock_start: datetime | None = None,
    clock_seconds: int | None = None,
    planned_starts: Mapping[int, datetime] | None = None,
) -> RoundProgress | None:
    """Return the progress of a round, None if it is a draft or its time of publication is unknown.

    All times have a time zone. `clock_seconds` is the length of the round clock (None: as in the
    rule set).
    """
    division, tables = index.get_division_of_round(round_row.id), index.list_tables(round_row.id)
    round_times = _read_start_and_result_times(steps, division)
    times = round_times.get(round_row.number)
    if round_row.state is RoundState.DRAFT or times is None:
        return None
    published_at = times.start
    for number, other_times in round_times.items():
        other_times.start = _estimate_round_start(other_times, (planned_starts or {}).get(number))
    if clock_start is not None and clock_start > published_at:
        times.start = clock_start
    open_tables = index.list_open_tables(round_row.id)
    for table in open_tables:
        times.result_times.pop(table, None)
    usual_seconds = clock_seconds or compute_usual_round_seconds(
        index.tournament.get_ruleset_of_row(round_row).clock
    )
    earlier_times = [
        _get_round_times_if_complete(index, earlier_round, round_times)
        for earlier_round in index.list_published_rounds(division.id, round_row.number - 1)
    ]
    end = _estimate_end_of_round(
        times,
        [other_times for other_times in earlier_times if other_times],
        1 - len(open_tables) / max(len(tables), 1),
        usual_seconds,
    )
    return RoundProgress(
        len(tables),
        len(tables) - len(open_tables),
        max(times.result_times.values(), default=None),
        tuple(
            sorted(
                _list_slow_tables(
                    index,
                    round_row,
                    index.list_open_games(round_row.id),
                    times,
                    now=now,
                    usual_seconds=usual_seconds,
                )
            )
        ),
        max(end, now) if open_tables and end else None,
    )


def _read_start_and_result_times(
    steps: Iterable[Step], division: Division
) -> Mapping[int, _RoundStartAndResultTimes]:
    all_steps, times_by_round = tuple(steps), dict[int, _RoundStartAndResultTimes]()
    undone_numbers = find_undone_step_numbers(all_steps)
    for step in all_steps:
        number, table = step.facts.get("round"), step.facts.get("table")
        if step.undoes is not None or step.seq in undone_numbers or not isinstance(number, int):
            continue
        if step.facts.get("division", division.code) != division.code:
            continue
        if step.label in _PUBLISH_COMMANDS:
            times_by_round[number] = _RoundStartAndResultTimes(datetime.fromisoformat(step.at))
        elif number in times_by_round and step.label == "clear-result":
            times_by_round[number].result_times.pop(table, None)
        elif number in times_by_round and step.label == _SLIP_COMMAND:
            times_by_round[number].result_times[table] = datetime.fromisoformat(step.at)
        elif number in times_by_round and step.label in _RESULT_COMMANDS and _TURN_FACT not in step.facts:
            times_by_round[number].result_times.setdefault(table, datetime.fromisoformat(step.at))
    return times_by_round


def _estimate_round_start(times: _RoundStartAndResultTimes, planned_start: datetime | None) -> datetime:
    if planned_start is None or planned_start - times.start > _MAX_WAIT:
        return times.start
    is_plan_followed = all(planned_start < result_time for result_time in times.result_times.values())
    return max(times.start, planned_start) if is_plan_followed else times.start


def _get_round_times_if_complete(
    index: TournamentIndex, round_row: Round, rounds: Mapping[int, _RoundStartAndResultTimes]
) -> _RoundStartAndResultTimes | None:
    times = rounds.get(round_row.number)
    if times is None or not times.result_times or len(times.result_times) < len(index.games(round_row.id)):
        return None
    return (
        times
        if times.find_time_when_share_of_results_arrived(1) - times.start <= timedelta(seconds=MAX_LENGTH)
        else None
    )


def _estimate_end_of_round(
    times: _RoundStartAndResultTimes,
    earlier_times: Sequence[_RoundStartAndResultTimes],
    share: float,
    usual_seconds: int | None,
) -> datetime | None:
    if earlier_times:
        remaining_seconds = median(
            (
                other_times.find_time_when_share_of_results_arrived(1)
                - other_times.find_time_when_share_of_results_arrived(share)
            ).total_seconds()
            for other_times in earlier_times
        )
        earliest_end = times.start + timedelta(seconds=(usual_seconds or 0) / 2)
        newest_result = max(times.result_times.values(), default=times.start)
        return max(newest_result + timedelta(seconds=remaining_seconds), earliest_end)
    return times.start + timedelta(seconds=usual_seconds) if usual_seconds else None


def _list_slow_tables(
    index: TournamentIndex,
    round_row: Round,
    games: Sequence[Game],
    times: _RoundStartAndResultTimes,
    *,
    now: datetime,
    usual_seconds: int | None,
) -> Iterable[int]:
    limits = [timedelta(seconds=usual_seconds)] if usual_seconds else []
    if times.result_times and len(times.result_times) >= len(games):
        half = times.find_time_when_share_of_results_arrived(0.5) - times.start
        limits.append(max(half * _SLOW_FACTOR, half + _MIN_DELAY))
    incidents = index.incidents(index.get_division_of_round(round_row.id).id)
    for game in games:
        extra = sum(
            incident.seconds
            for incident in incidents
            if incident.kind is IncidentKind.EXTRA_TIME
            and (incident.round, incident.table) == (round_row.number, game.table)
        )
        if any(now - times.start > limit + timedelta(seconds=extra) for limit in limits):
            yield game.table
