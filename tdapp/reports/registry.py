"""The reports by id, how they become PDF, and which are printed together at a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId
from tdapp.domain.paper import Moment, Paper, ReportChoiceId
from tdapp.domain.tournament import Tournament
from tdapp.reports.bracket import BRACKET
from tdapp.reports.crosstable import CROSSTABLE, MATRIX, WALL_CHART
from tdapp.reports.gameform import SCORE_SHEETS
from tdapp.reports.handouts import CERTIFICATES, LABELS, PLACE_CARDS, TABLE_CARDS
from tdapp.reports.jury import (
    CHALLENGE_SLIPS,
    CHALLENGES,
    DOUBTFUL,
    HISTORY,
    INCIDENTS,
    RULINGS,
    SANCTIONS,
    SHORT_WORDS,
)
from tdapp.reports.layout import Document, Progress, draw
from tdapp.reports.pairings import BY_NAME, BY_TABLE, SCHEDULE
from tdapp.reports.players import BY_CLUB, CHECK_IN, PLAYERS
from tdapp.reports.players import BY_NAME as PLAYERS_BY_NAME
from tdapp.reports.rankings import AVERAGES, BALANCE, CHANCES, PRIZES, RATINGS, STANDINGS, STATISTICS, TEAMS
from tdapp.reports.report import Context, Report
from tdapp.reports.scorecards import BLANK, FILLED
from tdapp.reports.slips import BLANK_SLIPS, SLIPS
from tdapp.reports.style import Style

_KNOWN = (
    BY_TABLE, BY_NAME, SLIPS, BLANK_SLIPS, SCORE_SHEETS, STANDINGS, CROSSTABLE, MATRIX, WALL_CHART, FILLED, BLANK,
    BRACKET, TEAMS, RATINGS, PRIZES, STATISTICS, AVERAGES, BALANCE, CHANCES, PLAYERS, PLAYERS_BY_NAME, BY_CLUB,
    CHECK_IN, SCHEDULE, INCIDENTS, SANCTIONS, RULINGS, CHALLENGES, DOUBTFUL, SHORT_WORDS, CHALLENGE_SLIPS,
    PLACE_CARDS, TABLE_CARDS, LABELS, CERTIFICATES, HISTORY,
)  # fmt: skip

REPORTS: Mapping[str, Report] = {report.id: report for report in _KNOWN}


def render(report_id: str, context: Context) -> bytes:
    """Return a report as PDF; the same context gives the same bytes.

    Raises RuleViolation for an unknown report, and where a division lacks the round that is asked for.
    """
    return bound([(report_id, context)])


def bound(requests: Iterable[tuple[str, Context]], *, progress: Progress | None = None) -> bytes:
    """Return several reports as one PDF, in their order; raises as `render` does.

    `progress` hears after each page how many are done, of how many; whatever it raises ends the work.
    """
    return draw([_document(report_of(report), context) for report, context in requests], progress=progress)


def report_of(report_id: str) -> Report:
    """Return the report with an id; raise RuleViolation where there is none."""
    report = REPORTS.get(report_id)
    if report is None:
        raise RuleViolation("no-such-report", report=report_id, reports=", ".join(REPORTS))
    return report


def _document(report: Report, context: Context) -> tuple[Document, Style]:
    style = replace(context.style, page=report.page(context.style.page))
    context = replace(context, style=style)
    divisions = context.divisions[:1] if report.once else context.divisions
    catalogue, event = context.catalogue, context.index.tournament.event
    foot = catalogue.text("{event} · printed {moment}", event=event.name, moment=context.printed)
    document = Document(
        title=f"{event.name} · {catalogue.text(report.title)}",
        author=event.director or event.name,
        language=catalogue.language,
        sections=tuple(report.section(context, division) for division in divisions),
        foot=style.printable(foot),
        page_of=catalogue.text("Page {page} of {pages}"),
        scale=report.scale(style),
        columns=context.columns or report.columns,
    )
    return document, style


_PROPOSED: Mapping[Moment, tuple[str, ...]] = {
    Moment.BEFORE: ("check-in", "players", "scorecards-blank"),
    Moment.ROUND: ("pairings-by-name", "pairings-by-table", "slips"),
    Moment.AFTER: ("standings", "crosstable"),
    Moment.END: ("standings", "prizes", "certificates", "statistics"),
}


def together(tournament: Tournament, moment: Moment, *, page: str) -> tuple[Paper, ...]:
    """Return the reports of a moment in their order; `page` is for those that are not chosen."""
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
