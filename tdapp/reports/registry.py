"""All reports by id, their rendering as PDF, and the reports needed at each moment of a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId
from tdapp.domain.paper import PrintingMoment, ReportChoice, ReportChoiceId
from tdapp.domain.tournament import Tournament
from tdapp.i18n.phrases import describe_checksum
from tdapp.reports import (
    bracket,
    breakup,
    bulletin,
    crosstable,
    gameform,
    handouts,
    jury,
    pairings,
    players,
    rankings,
    seasons,
    slips,
)
from tdapp.reports.layout import Progress, ReportDocument, draw_pdf_and_count_section_pages
from tdapp.reports.report import Report, ReportContext
from tdapp.reports.sections import Section
from tdapp.reports.style import PrintStyle

_REPORTS = (
    pairings.BY_TABLE, pairings.BY_NAME, pairings.ALL_DIVISIONS, slips.SLIPS, slips.BLANK_SLIPS,
    gameform.SCORE_SHEETS, rankings.STANDINGS, seasons.SEASON, seasons.YEARS, seasons.RATINGS,
    bulletin.BULLETIN, crosstable.CROSSTABLE, crosstable.MATRIX, crosstable.WALL_CHART, slips.FILLED_CARDS,
    slips.BLANK_CARDS, breakup.BREAK_UP, bracket.BRACKET, rankings.TEAMS, rankings.MATCHES, rankings.RATINGS,
    rankings.PRIZES, rankings.STATISTICS, rankings.AVERAGES, rankings.BALANCE, rankings.CHANCES,
    players.PLAYERS, players.BY_NAME, players.BY_CLUB, players.CHECK_IN, players.FEES, pairings.SCHEDULE,
    jury.INCIDENTS, jury.SANCTIONS, jury.RULINGS, jury.CHALLENGES, jury.DOUBTFUL, jury.SHORT_WORDS,
    jury.CHALLENGE_SLIPS, handouts.PLACE_CARDS, handouts.TABLE_CARDS, handouts.BADGES, handouts.LABELS,
    handouts.CERTIFICATES, jury.HISTORY,
)  # fmt: skip

REPORTS: Mapping[str, Report] = {report.id: report for report in _REPORTS}


def render_report(report_id: str, context: ReportContext) -> bytes:
    """Return a report as PDF. The same context gives the same bytes."""
    return render_reports_and_count_pages([(report_id, context)])[0]


def render_reports_and_count_pages(
    requests: Iterable[tuple[str, ReportContext]], *, progress: Progress | None = None
) -> tuple[bytes, list[list[int]]]:
    """Return reports in one PDF, and the number of pages of each division of each report.

    `progress` gets the number of finished pages and the total. An exception from it stops the work.
    """
    return draw_pdf_and_count_section_pages(
        [_make_document(find_report(report), context) for report, context in requests], progress=progress
    )


def find_report(report_id: str) -> Report:
    report = REPORTS.get(report_id)
    if report is None:
        raise CommandError("no-such-report", report=report_id, reports=", ".join(REPORTS))
    return report


def explain_empty_report(report_id: str, context: ReportContext, division: Division) -> str:
    section = find_report(report_id).section(context, division)
    return "" if isinstance(section, Section) and section.row_count else section.empty


def _make_document(report: Report, context: ReportContext) -> tuple[ReportDocument, PrintStyle]:
    style = replace(context.style, page=report.get_page_size(context.style.page, large_type=context.style.large))
    context = replace(context, style=style)
    divisions = context.divisions[:1] if report.is_for_event else context.divisions
    catalogue, event = context.catalogue, context.index.tournament.event
    document = ReportDocument(
        title=f"{event.name} · {catalogue.text(report.untranslated_title)}",
        author=event.director or event.name,
        language=catalogue.language,
        sections=tuple(report.section(context, division) for division in divisions),
        footer=style.replace_unprintable_characters(event.name),
        checksum_text=describe_checksum(catalogue, context.index.tournament, with_explanation=True),
        pdf_date=context.printed_at,
        printed_at_text=catalogue.text("printed {moment}", moment=context.printed_at),
        page_number_text=catalogue.text("Page {page} of {pages}"),
        scale=report.scale(style),
        columns=context.columns or report.columns,
    )
    return document, style


_DEFAULT_REPORT_SETS: Mapping[PrintingMoment, tuple[str, ...]] = {
    PrintingMoment.BEFORE: ("check-in", "players", "scorecards-blank"),
    PrintingMoment.ROUND: ("pairings-by-name", "pairings-by-table", "slips"),
    PrintingMoment.AFTER: ("standings", "crosstable"),
    PrintingMoment.END: ("standings", "prizes", "certificates", "statistics"),
}


def list_report_choices(
    tournament: Tournament, moment: PrintingMoment, *, paper_size: str
) -> tuple[ReportChoice, ...]:
    choices = [
        choice for choice in tournament.papers.values() if choice.moment is moment and choice.report in REPORTS
    ]
    if choices:
        return tuple(sorted(choices, key=lambda choice: choice.position))
    return tuple(
        ReportChoice(ReportChoiceId(f"{moment}.{position}"), moment, position, report, paper_size)
        for position, report in enumerate(_DEFAULT_REPORT_SETS[moment], 1)
    )


def find_printing_moment_of_round(
    index: TournamentIndex, division: DivisionId | None, round_number: int | None
) -> PrintingMoment:
    if index.tournament.event.finished:
        return PrintingMoment.END
    rounds = [] if division is None else [item for item in index.rounds(division) if item.number == round_number]
    if division is None or not rounds:
        return PrintingMoment.BEFORE
    if index.list_open_tables(rounds[0].id):
        return PrintingMoment.ROUND
    return PrintingMoment.END if index.find_stage(division, rounds[0].number + 1) is None else PrintingMoment.AFTER
