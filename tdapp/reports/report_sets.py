"""Which papers are printed together at a moment: those chosen for the tournament, else what a director needs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId
from tdapp.domain.paper import Moment, Paper, ReportChoiceId
from tdapp.domain.tournament import Tournament
from tdapp.reports.registry import REPORTS

_PROPOSED: Mapping[Moment, tuple[str, ...]] = MappingProxyType(
    {
        Moment.BEFORE: ("check-in", "players", "scorecards-blank"),
        Moment.ROUND: ("pairings-by-name", "pairings-by-table", "slips"),
        Moment.AFTER: ("standings", "crosstable"),
        Moment.END: ("standings", "prizes", "certificates", "statistics"),
    }
)


def together(tournament: Tournament, moment: Moment, *, page: str) -> tuple[Paper, ...]:
    """Return the papers of a moment in their order; `page` is for those that nobody has chosen."""
    chosen = [one for one in tournament.papers.values() if one.moment is moment and one.report in REPORTS]
    if chosen:
        return tuple(sorted(chosen, key=lambda one: one.position))
    return tuple(
        Paper(ReportChoiceId(f"{moment}.{place}"), moment, place, report, page)
        for place, report in enumerate(_PROPOSED[moment], 1)
    )


def moment_of(index: Index, division: DivisionId | None, number: int | None) -> Moment:
    """Return the moment that a division is at, looking at round `number`: what to print now."""
    if index.tournament.event.finished:
        return Moment.END
    rounds = [] if division is None else [one for one in index.rounds(division) if one.number == number]
    if division is None or not rounds:
        return Moment.BEFORE
    if index.open_games(rounds[0].id):
        return Moment.ROUND
    return Moment.END if rounds[0].number >= index.planned_rounds(division) else Moment.AFTER
