"""Records of printouts. A printout is stale if the fingerprint (digest) of its report has changed.

The fingerprint omits time, paper size, type size, logo and the often changing note under the title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId
from tdapp.domain.paper import Printout, PrintoutId
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_knockout_or_evening_round
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.registry import REPORTS, find_report
from tdapp.reports.report import ReportContext, ReportGroup, find_report_round
from tdapp.reports.sections import Section
from tdapp.reports.shaping import find_missing_letters
from tdapp.reports.style import PAPERS

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_WATCHED_GROUPS = frozenset({ReportGroup.ROUND, ReportGroup.AFTER, ReportGroup.EVENT})
_TEXT_METHODS = frozenset({"drawString", "drawRightString", "drawCentredString"})
_MAX_NAMES = 10  # most in a message
_BOTTOM = 40.0  # lower edge of the page; any value works


class PrintoutState(StrEnum):
    """State of a printout."""

    UNPRINTED = "unprinted"
    PRINTED = "printed"  # up to date
    PART = "part"  # some pages, up to date
    STALE = "stale"
    WAIVED = "waived"  # stale, but need not be printed again


class PrintoutWithCurrentFingerprint(Struct, frozen=True):
    """A printout, and the fingerprint that its report would have now."""

    printout: Printout
    current_fingerprint: str

    @property
    def state(self) -> PrintoutState:
        if self.current_fingerprint == self.printout.content:
            return PrintoutState.PART if self.printout.missing else PrintoutState.PRINTED
        return PrintoutState.WAIVED if self.current_fingerprint == self.printout.waived else PrintoutState.STALE

    @property
    def is_stale(self) -> bool:
        return self.state is PrintoutState.STALE


def make_printout_records(report_id: str, context: ReportContext) -> tuple[Printout, ...]:
    report = find_report(report_id)
    if report.is_for_event:
        return tuple(
            _make_printout_record(report_id, context, division, None) for division in context.divisions[:1]
        )
    return tuple(
        _make_printout_record(report_id, context, division, division.id) for division in context.divisions
    )


def compute_report_fingerprint(
    report_id: str, context: ReportContext, division: Division, *, with_results: bool = False
) -> str:
    """Return the fingerprint of a division's report.

    `with_results` includes the results on a list of pairings. The URL of the web server is never included.
    """
    report = find_report(report_id)
    style = replace(context.style, page=report.get_page_size(PAPERS["a4"]), large=False)
    context = replace(context, style=style, server_url="")
    make_section = report.section if with_results or report.content is None else report.content
    section = make_section(context, division)
    return blake2b("\x1f".join(_list_fingerprint_texts(section, context)).encode(), digest_size=12).hexdigest()


def find_shown_round_number(report_id: str, context: ReportContext, division: Division) -> int | None:
    """Return the number of the round that a report shows, or None if it shows no single round."""
    group = find_report(report_id).group
    if group is ReportGroup.ROUND:
        return None if find_report(report_id).is_for_event else _find_report_round_number(context, division)
    return context.find_standings_round(division) if group is ReportGroup.AFTER else None


def list_newest_printouts_to_check(index: TournamentIndex) -> tuple[Printout, ...]:
    """Return the printout with the highest round number for each report.

    Omit reports after a round, such as standings, while results are missing.
    """
    newest: dict[tuple[object, ...], Printout] = {}
    for row in index.tournament.printouts.values():
        has_division = row.division is None or row.division in index.tournament.divisions
        if has_division and row.report in REPORTS and REPORTS[row.report].group in _WATCHED_GROUPS:
            paper = (row.report, row.division, row.language, row.category, row.best, row.results, row.on)
            newest[paper] = max(newest.get(paper, row), row, key=lambda printout: printout.round or 0)
    return tuple(row for row in newest.values() if not _is_printout_awaiting_results(index, row))


def list_printouts_with_current_fingerprint(
    index: TournamentIndex, make_context: Callable[[Printout], ReportContext]
) -> Iterator[PrintoutWithCurrentFingerprint]:
    """Yield the printouts to keep up to date, with the current fingerprints of their reports."""
    for row in list_newest_printouts_to_check(index):
        context = make_context(row)
        try:
            context.refuse_missing_round()
            fingerprint = compute_report_fingerprint(
                row.report, context, context.divisions[0], with_results=row.results
            )
            yield PrintoutWithCurrentFingerprint(row, fingerprint)
        except CommandError:  # the subject of the printout was deleted
            continue


def _make_printout_record(
    report_id: str, context: ReportContext, division: Division, division_id: DivisionId | None
) -> Printout:
    number = find_shown_round_number(report_id, context, division)
    language = context.catalogue.language
    results = find_report(report_id).results and _has_all_results(context.index, division, number)
    subject = (context.category, context.counting_members, "results" if results else None, context.season_date)
    parts = (report_id, division_id, number, language, *subject)
    key = ".".join("" if part is None else str(part) for part in parts).rstrip(".")
    content = compute_report_fingerprint(report_id, context, division, with_results=results)
    printed_at = context.printed_at.astimezone(UTC).isoformat(timespec="seconds")
    category, best, head = context.category, context.counting_members, context.index.tournament.head
    return Printout(
        PrintoutId(key), report_id, division_id, number, printed_at, content, language, category, best,
        revision=head.revision, head=head.code, results=results, on=context.season_date,
    )  # fmt: skip


def _has_all_results(index: TournamentIndex, division: Division, number: int | None) -> bool:
    item = index.get_round(division.id, number) if number is not None else None
    return item is not None and bool(index.list_tables(item.id)) and not index.list_open_tables(item.id)


def _find_report_round_number(context: ReportContext, division: Division) -> int | None:
    if context.round is None and not context.index.list_published_rounds(division.id):
        return None
    return find_report_round(context, division).number


def _is_printout_awaiting_results(index: TournamentIndex, row: Printout) -> bool:
    if REPORTS[row.report].group is not ReportGroup.AFTER or row.division is None or not row.round:
        return False
    rounds = [item for item in index.list_published_rounds(row.division) if item.number == row.round]
    return any(index.list_open_tables(item.id) for item in rounds)


def _list_fingerprint_texts(section: Section | CustomPaintedSection, context: ReportContext) -> Iterable[str]:
    yield section.title
    yield section.division_title
    if isinstance(section, Section):
        for field in section.fields:
            yield field.heading
            yield from field.cells
        return
    reader = _TextCollectingCanvas()
    for page in section.pages:
        page(cast("Canvas", reader), context.style, context.style.page[1], _BOTTOM)
    yield from reader.texts


class _TextCollectingCanvas:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self._collect_text if name in _TEXT_METHODS else self._ignore_drawing_call

    def _collect_text(self, _x: float, _y: float, text: str) -> None:
        self.texts.append(text)

    def _ignore_drawing_call(self, *_args: object, **_options: object) -> _TextCollectingCanvas:
        return self


def make_round_without_results_warning(
    catalogue: Catalogue, index: TournamentIndex, report_id: str, divisions: Iterable[Division], number: int | None
) -> str:
    """Return a warning if a report on results cannot include the chosen round yet, else ""."""
    last_round = max((index.get_last_round_with_results(division.id) for division in divisions), default=0)
    if number is None or number <= last_round or find_report(report_id).group is not ReportGroup.AFTER:
        return ""
    return catalogue.text(
        "Round {round} has no results yet: the printout has the results of the rounds before it.", round=number
    )


def list_players_with_unprintable_letters(context: ReportContext) -> Iterator[tuple[str, str]]:
    """Yield player names, each with the letters of name, club and team that no font has."""
    typeface = context.style.regular
    for division in context.divisions:
        for player in context.index.players(division.id):
            text = context.style.replace_unprintable_characters(f"{player.name} {player.club} {player.team}")
            if letters := find_missing_letters(text, typeface):
                yield player.name, letters


def describe_missing_letters(catalogue: Catalogue, missing: Sequence[tuple[str, str]]) -> str:
    if not missing:
        return ""
    name_list = "; ".join(f"{name} ({letters})" for name, letters in missing[:_MAX_NAMES])
    more_text = catalogue.text("and {n} more", n=len(missing) - _MAX_NAMES) if len(missing) > _MAX_NAMES else ""
    return catalogue.text(
        "No font on this computer has all the letters of these names: {players}. Install a font that has "
        "them, then start tdapp again.",
        players=" ".join(filter(None, (name_list, more_text))),
    )


def describe_omitted_reports(catalogue: Catalogue, left_out: Sequence[tuple[str, str]]) -> str:
    titles = (
        catalogue.text(REPORTS[report].untranslated_title) + (f" ({code})" if code else "")
        for report, code in left_out
    )
    return (
        catalogue.text("Left out because there is nothing to print: {papers}", papers="; ".join(titles))
        if left_out
        else ""
    )


def describe_printout(printout: Printout, catalogue: Catalogue, index: TournamentIndex) -> str:
    divisions = index.tournament.divisions
    title = catalogue.text(REPORTS[printout.report].untranslated_title)
    parts = [catalogue.text("Results by table") if printout.results else title, printout.category]
    if printout.on:
        parts.append(catalogue.format_date(printout.on))
    elif printout.round:
        stage = index.find_stage(printout.division, printout.round) if printout.division is not None else None
        name = format_knockout_or_evening_round(catalogue, index, stage, printout.round)
        parts.append(name or catalogue.text("round {round}", round=printout.round))
    if printout.division is not None and len(divisions) > 1:
        parts.append(catalogue.text("division {division}", division=divisions[printout.division].code))
    return ", ".join(filter(None, parts))
