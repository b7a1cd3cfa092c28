"""How a round goes on: when results came in, which tables are slow, and when it will probably be over.

Hides how the journal tells when a round was published and when each of its results came. A round is expected to go
on as long as the earlier ones of the division did once as many of their tables were done; the first one as long as
its clock does.
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
from tdapp.domain.round_clock import LONGEST, usual_length
from tdapp.domain.tables.history import standing_undone

_PUBLISHED = frozenset({"pair-round", "publish-round"})
_RESULTS = frozenset({"enter-result", "second-result", "take-slips", "enter-sheet"})
_TYPING = "number"  # a fact of the steps that put one turn more on a sheet that is typed while it is played
_SLIP = "enter-slip"  # the later one of two gives the result
_BEHIND = timedelta(minutes=5)  # that a slow table is behind the field, at least
_SLOWER = 1.25  # times as long as half of the field needed


class Pulse(Struct, frozen=True):
    """A round at an instant: `done` of its `tables` have a result, the newest since `last`, None for none yet.

    `slow` are the tables that are beyond their own clock, with the extra time given to them, or far behind the
    field. `end` is when the last result will probably come, never before that instant: None where nothing tells,
    and where all are in.
    """

    tables: int
    done: int
    last: datetime | None
    slow: tuple[int, ...]
    end: datetime | None


class _Course(Struct):
    """When a round was published, and when the result of each table came."""

    start: datetime
    came: dict[object, datetime] = field(default_factory=dict)

    def at(self, share: float) -> datetime:
        """Return when that share of the results was in."""
        count = ceil(share * len(self.came))
        return sorted(self.came.values())[count - 1] if count else self.start


def pulse(
    index: Index,
    item: Round,
    steps: Iterable[Step],
    *,
    now: datetime,
    begun: datetime | None = None,
    length: int | None = None,
) -> Pulse | None:
    """Return how a round goes on, None for a draft and where the journal does not tell when it was published.

    `now` and `begun`, when the round clock was started, have a time zone; `length` is how many seconds a round
    lasts by that clock, None: as the rules have it.
    """
    division, games = index.division_of(item.id), index.games(item.id)
    courses = _courses(steps, division)
    course = courses.get(item.number)
    if item.state is RoundState.DRAFT or course is None:
        return None
    course.start = max(course.start, begun or course.start)
    still = index.open_games(item.id)
    for game in still:
        course.came.pop(game.table, None)
    usual = length or usual_length(index.tournament.rules_of(item).clock)
    earlier = [_whole(index, one, courses) for one in index.published(division.id, item.number - 1)]
    end = _end(course, [one for one in earlier if one], 1 - len(still) / max(len(games), 1), usual)
    return Pulse(
        len(games),
        len(games) - len(still),
        max(course.came.values(), default=None),
        tuple(sorted(_slow(index, item, still, course, now=now, usual=usual))),
        max(end, now) if still and end else None,
    )


def _courses(steps: Iterable[Step], division: Division) -> Mapping[int, _Course]:
    """Return the course of each published round of a division by its number, of the steps that are in force."""
    known, found = tuple(steps), dict[int, _Course]()
    undone = standing_undone(known)
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


def _whole(index: Index, item: Round, courses: Mapping[int, _Course]) -> _Course | None:
    """Return the course of an earlier round that tells how long one takes: all its results known."""
    course = courses.get(item.number)
    if course is None or not course.came or len(course.came) < len(index.games(item.id)):
        return None
    return course if course.at(1) - course.start <= timedelta(seconds=LONGEST) else None


def _end(course: _Course, earlier: Sequence[_Course], share: float, usual: int | None) -> datetime | None:
    if earlier:
        left = median((one.at(1) - one.at(share)).total_seconds() for one in earlier)
        return max(course.came.values(), default=course.start) + timedelta(seconds=left)
    return course.start + timedelta(seconds=usual) if usual else None


def _slow(
    index: Index, item: Round, still: Sequence[Game], course: _Course, *, now: datetime, usual: int | None
) -> Iterable[int]:
    """Yield the open tables that are slow; the field tells once half of its tables are done."""
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
