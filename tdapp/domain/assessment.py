"""Which changes are weighed before they are made, and which need a reason.

One rule for whatever changes a result: slips, sheets, rulings, sanctions, ties. It looks at what was and what
would be, not at how that comes about.
"""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.index import Index
from tdapp.domain.making import said
from tdapp.domain.model import DivisionId, Result, ResultState
from tdapp.domain.records import fines
from tdapp.domain.tournament import Tournament


def certified(before: Tournament, after: Tournament) -> Result | None:
    """Return the first certified result that a change takes away or makes another one; that needs a reason."""
    results = (result for result in before.results.values() if result.state is ResultState.FINAL)
    return next((result for result in results if after.results.get(result.id) != result), None)


def needs_assessment(before: Tournament, after: Tournament) -> bool:
    """Tell whether it is to be shown what a change means before it is made.

    So it is where results that the jury has looked over, or that later rounds rest on, say something else, and
    where points of the tournament do that later rounds rest on.
    """
    index = Index(before)
    return any(rested_on(index, result) for result in _others(before, after)) or any(
        _fined_otherwise(index, Index(after), division) for division in before.divisions
    )


def rested_on(index: Index, result: Result) -> bool:
    """Tell whether the jury has looked a result over, or later rounds rest on it."""
    item = index.tournament.rounds[index.tournament.games[result.id].round]
    last = index.rounds(index.division_of(item.id).id)[-1]
    return result.state is not ResultState.ENTERED or last.number > item.number


def _others(before: Tournament, after: Tournament) -> Iterator[Result]:
    for old in before.results.values():
        new = after.results.get(old.id)
        if new is not old and (new is None or _says(new) != _says(old) or _falls_back(old, new)):
            yield old


def _says(result: Result) -> tuple[object, ...]:
    return (*said(result), result.advances)


def _falls_back(old: Result, new: Result) -> bool:
    """Tell whether a result has to be looked over again."""
    return new.state is ResultState.ENTERED and old.state is not ResultState.ENTERED


def _fined_otherwise(index: Index, after: Index, division: DivisionId) -> bool:
    rows = index.tournament.divisions[division], after.tournament.divisions[division]
    numbers = [item.number for item in index.rounds(division)][:-1]
    return any(fines(index, rows[0], number) != fines(after, rows[1], number) for number in numbers)
