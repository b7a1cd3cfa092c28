"""Whether a tournament is whole: every parent there, no player twice, every number its own, every text printable.

Commands keep rows so; `faults` serves where a value came from elsewhere: from a file, or from undoing a single
step. `refuse_unfit` finds signs that paper cannot show and not every database can keep.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Scalar
from tdapp.domain.tournament import KINDS, PARENTS, Diff, Tournament


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the row `id` of `kind`: `code` names the sentence, `fact` its particular."""

    kind: str
    id: str
    code: str
    fact: str


def faults(tournament: Tournament) -> tuple[Fault, ...]:
    """Return everything that is wrong with a tournament; none for a whole one."""
    counts = {kind: len(tournament.rows(kind)) for kind in ("events", "rules")}
    single = (Fault(kind, "", "not-exactly-one", kind) for kind, count in counts.items() if count != 1)
    return (*single, *_orphans(tournament), *_doubles(tournament))


def _orphans(tournament: Tournament) -> Iterator[Fault]:
    for kind, parents in PARENTS.items():
        for key, row in tournament.rows(kind).items():
            for field, parent in parents.items():
                named = getattr(row, field)
                if named is not None and named not in tournament.rows(parent):
                    yield Fault(kind, key, "parent-missing", field)
    for kind in KINDS:
        for key, row in tournament.rows(kind).items():
            if key != row.id:
                yield Fault(kind, key, "wrong-id", row.id)


def _doubles(tournament: Tournament) -> Iterator[Fault]:
    """Yield the rows that share what each is to have alone: by code the kind, the id and that mark of each row."""
    games, stages = tournament.games.values(), tournament.stages
    marks: dict[str, list[tuple[str, str, object]]] = {
        "twice-in-round": [
            *(("games", one.id, (one.round, player)) for one in games for player in (one.first, one.second)),
            *(("byes", one.id, (one.round, one.player)) for one in tournament.byes.values()),
        ],
        "table-twice": [("games", one.id, (one.round, one.table)) for one in games],
        "number-taken": [("players", one.id, (one.division, one.number)) for one in tournament.players.values()],
        "division-exists": [("divisions", one.id, one.code.casefold()) for one in tournament.divisions.values()],
        "round-twice": [
            ("rounds", one.id, (stages[one.stage].division if one.stage in stages else "", one.number))
            for one in tournament.rounds.values()
        ],
        "sheet-twice": [("sheets", one.id, (one.game, one.form)) for one in tournament.sheets.values()],
    }
    for code, listed in marks.items():
        counts = Counter(mark for _, _, mark in listed)
        yield from (Fault(kind, key, code, str(mark)) for kind, key, mark in listed if counts[mark] > 1)


# Control characters besides tab and the ends of lines, and halves of a pair, which are no character.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def refuse_unfit(changes: Diff, facts: Mapping[str, Scalar]) -> None:
    """Raise RuleViolation where a row that comes, or a fact of its step, holds a sign that none may."""
    for change in changes:
        if change.after is not None:
            for item in fields(change.after):
                _refuse(getattr(change.after, item.name), item.name)
    for name, value in facts.items():
        _refuse(value, name)


def _refuse(value: object, field: str) -> None:
    if isinstance(value, str):
        if _UNFIT.search(value):
            raise RuleViolation("text-not-printable", field=field)
    elif isinstance(value, (tuple, Mapping)):
        for item in value.items() if isinstance(value, Mapping) else value:
            _refuse(item, field)
    elif is_dataclass(value):
        for part in fields(value):
            _refuse(getattr(value, part.name), field)
