"""Progress of a round: times of results, slow tables, and the probable end.

Reads the times of publishing and of results from the journal. The estimate uses the rest of earlier rounds after
the same share of results; for the first round the length of the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import median

from msgspec import Struct, field

from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import Division, Game, Round, RoundState
from tdapp.domain.round_clock import LONGEST, compute_usual_length
from tdapp.domain.tables.history import undone_steps

_PUBLISHED = frozenset({"pair-round", "publish-round"})
_RESULTS = frozenset({"enter-result", "second-result", "take-slips", "enter-sheet"})
_TYPING = "number"  # fact of steps that add a turn to a live sheet
_SLIP = "enter-slip"  # the second slip makes the result
_BEHIND = timedelta(minutes=5)  # minimum delay of a slow table
_SLOWER = 1.25  # factor on the time of the faster half


class Pulse(Struct, frozen=True):
    """The progress of a round: `done` of `tables` have a result; the newest came at `last` (None: no result).

    `slow` are tables beyond their own clock with extra time, or far behind the others. `end` is the probable
    time of the last result, in the future; None if unknown or if all results are in.
    """

    tables: int
    done: int
    last: datetime | None
    slow: tuple[int, ...]
    end: datetime | None


class _Course(Struct):
    """Times of publishing and of each table's result."""

    start: datetime
    came: dict[object, datetime] = field(default_factory=dict)

    def at(self, share: float) -> datetime:
        count = ceil(share * len(self.came))
        return sorted(self.came.values())[count - 1] if count else self.start


def round_pulse(
    index: Index,
    item: Round,
    steps: Iterable[Step],
    *,
    now: datetime,
    begun: datetime | None = None,
    length: int | None = None,
) -> Pulse | None:
    """Return the progress of a round, None for a draft or if the journal has no time of publishing.

    `now` and `begun` (the start of the round clock) have a time zone. `length` is the round length of that
    clock in seconds (None: as in the rule set).
    """
    division, games = index.division_of(item.id), index.games(item.id)
    courses = _read_courses(steps, division)
    course = courses.get(item.number)
    if item.state is RoundState.DRAFT or course is None:
        return None
    course.start = max(course.start, begun or course.start)
    still = index.open_games(item.id)
    for game in still:
        course.came.pop(game.table, None)
    usual = length or compute_usual_length(index.tournament.rules_of(item).clock)
    earlier = [_complete_course(index, one, courses) for one in index.published(division.id, item.number - 1)]
    end = _estimate_end(course, [one for one in earlier if one], 1 - len(still) / max(len(games), 1), usual)
    return Pulse(
        len(games),
        len(games) - len(still),
        max(course.came.values(), default=None),
        tuple(sorted(_slow_tables(index, item, still, course, now=now, usual=usual))),
        max(end, now) if still and end else None,
    )


def _read_courses(steps: Iterable[Step], division: Division) -> Mapping[int, _Course]:
    known, found = tuple(steps), dict[int, _Course]()
    undone = undone_steps(known)
    for step in known:
        number, table = step.facts.get("round"), step.facts.get("table")
        if step.undoes is not None or step.seq in undone or not isinstance(number, int):
            continue
        if step.facts.get("division", division.code) != division.code:
            continue
        if step.label in _PUBLISHED:
            found[number] = _Course(datetime.fromisoformat(step.at))
        elif number in found and step.label == "clear-result":
            found[number].came.pop(table, None)
        elif number in found and step.label == _SLIP:
            found[number].came[table] = datetime.fromisoformat(step.at)
        elif number in found and step.label in _RESULTS and _TYPING not in step.facts:
            found[number].came.setdefault(table, datetime.fromisoformat(step.at))
    return found


def _complete_course(index: Index, item: Round, courses: Mapping[int, _Course]) -> _Course | None:
    course = courses.get(item.number)
    if course is None or not course.came or len(course.came) < len(index.games(item.id)):
        return None
    return course if course.at(1) - course.start <= timedelta(seconds=LONGEST) else None


def _estimate_end(course: _Course, earlier: Sequence[_Course], share: float, usual: int | None) -> datetime | None:
    if earlier:
        left = median((one.at(1) - one.at(share)).total_seconds() for one in earlier)
        return max(course.came.values(), default=course.start) + timedelta(seconds=left)
    return course.start + timedelta(seconds=usual) if usual else None


def _slow_tables(
    index: Index, item: Round, still: Sequence[Game], course: _Course, *, now: datetime, usual: int | None
) -> Iterable[int]:
    """Yield the slow open tables. The field is used once half of its tables are done."""
    limits = [timedelta(seconds=usual)] if usual else []
    if course.came and len(course.came) >= len(still):
        half = course.at(0.5) - course.start
        limits.append(max(half * _SLOWER, half + _BEHIND))
    given = index.incidents(index.division_of(item.id).id)
    for game in still:
        extra = sum(
            one.seconds
            for one in given
            if one.kind is IncidentKind.EXTRA_TIME and (one.round, one.table) == (item.number, game.table)
        )
        if any(now - course.start > limit + timedelta(seconds=extra) for limit in limits):
            yield game.table
