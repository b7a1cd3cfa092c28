"""Make reports as PDF, and find stale printouts: those whose content has changed since printing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from datetime import datetime
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.model import Division, DivisionId
from tdapp.domain.paper import Printout, PrintoutId, ReportChoice
from tdapp.domain.problems import Problem
from tdapp.domain.publishing import make_names_distinct
from tdapp.domain.tournament import Diff, Tournament
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import read_choice
from tdapp.services.resources import Resources
from tdapp.services.serving import ServingService
from tdapp.services.worker import BackgroundTask, ignore_values
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import map_printable_short_words_by_length

if TYPE_CHECKING:
    from tdapp import reports
    from tdapp.reports.printed import PrintoutState, PrintoutWithCurrentFingerprint
    from tdapp.services.print_queue import PrintJob

MANY_PAGES = 300  # more pages need a confirmation
_WORD_LISTING = "short-words"
_WORD_LIST_REPORTS = frozenset({"doubtful-words", _WORD_LISTING})  # reports that need the word list
WordList = AbstractContextManager[Lexicon | None]


class PrintRequest(Struct, frozen=True):
    """A report to print and its options."""

    report: str
    divisions: tuple[Division, ...]
    round: int | None
    language: str
    paper: str
    category: str = ""
    best: int | None = None
    columns: int | None = None
    copies: int = 1
    date: str = ""  # date of a season's list in ISO 8601, "" for the latest

    def make_request_for_report_choice(self, choice: ReportChoice) -> PrintRequest:
        return replace(
            self,
            report=choice.report,
            language=choice.language or self.language,
            paper=choice.page,
            columns=choice.columns,
            copies=choice.copies,
        )


class ReportsPdf(Struct, frozen=True):
    """A PDF with one or several reports."""

    pdf: bytes
    # for each report its record (None: not recorded) and number of pages
    sections: tuple[tuple[Printout | None, int], ...]
    left_out: tuple[tuple[str, str], ...] = ()  # each empty report with its division, "" for all divisions
    missing: tuple[tuple[str, str], ...] = ()  # names of players, each with the letters that no font has

    @property
    def page_count(self) -> int:
        return sum(pages for _row, pages in self.sections)

    def list_printouts(self, printed_pages: Collection[int] | None = None) -> tuple[Printout, ...]:
        """Return the printouts on the pages `printed_pages`, numbered from 0. None means all pages."""
        printouts: dict[PrintoutId, Printout] = {}
        first = 0
        for row, pages in self.sections:
            section_pages = (
                range(pages)
                if printed_pages is None
                else [page for page in range(pages) if first + page in printed_pages]
            )
            first += pages
            if row is not None and (section_pages or not pages):
                before = printouts.get(row.id)
                missing = {page + 1 for page in range(pages) if page not in section_pages}
                missing &= set(before.missing) if before else missing
                printouts[row.id] = replace(row, missing=tuple(sorted(missing)))
        return tuple(printouts.values())


class PrintService(Struct, frozen=True):
    """Makes printouts of one state of a tournament."""

    index: TournamentIndex
    resources: Resources
    steps: tuple[Step, ...] = ()
    # opens the word list of a division on the calling thread
    open_word_list: Callable[[Division], WordList] = lambda _: nullcontext()
    venue_url: str = ""  # URL of the venue's pages
    clock: Callable[[], datetime] = field(default=lambda: datetime.now().astimezone())

    def make_pdf(
        self,
        requests: Sequence[PrintRequest],
        progress: Callable[[int, int], None] = ignore_values,
        *,
        limit_error: str = "",
    ) -> ReportsPdf:
        """Make one PDF without empty reports. Raises UserError if a report fails.

        `progress` gets the number of finished pages and the total, and can raise to stop. `limit_error` is
        the code of the CommandError to raise above MANY_PAGES pages, "" for no limit.
        """
        from tdapp.reports import printed, render_reports_and_count_pages

        def report_page_progress(count: int, pages: int) -> None:
            if limit_error and pages > MANY_PAGES:
                raise CommandError(limit_error, pages=pages)
            progress(count, pages)

        divisions = {
            division.id: division
            for request in requests
            if request.report in _WORD_LIST_REPORTS
            for division in request.divisions
        }
        with ExitStack() as stack:
            lists = {
                key: stack.enter_context(self.open_word_list(division)) for key, division in divisions.items()
            }
            contexts, left_out = _separate_empty_reports(
                [(request, self._make_report_context(request, lists)) for request in requests]
            )
            report_contexts = [
                (request.report, context) for request, context in contexts for _ in range(request.copies)
            ]
            pdf, pages = render_reports_and_count_pages(report_contexts, progress=report_page_progress)
            printouts = (
                printed.make_printout_records(request.report, context) * request.copies
                for request, context in contexts
            )
            sections = zip(chain.from_iterable(printouts), chain.from_iterable(pages), strict=True)
            missing = dict(
                chain.from_iterable(
                    printed.list_players_with_unprintable_letters(context) for _, context in contexts
                )
            )
            return ReportsPdf(pdf, tuple(sections), left_out, tuple(missing.items()))

    def list_watched_printouts(self) -> tuple[PrintoutWithCurrentFingerprint, ...]:
        """Return the printouts to keep up to date, each with a fingerprint of its current content."""
        from tdapp.reports import printed

        return tuple(
            printed.list_printouts_with_current_fingerprint(self.index, self._make_current_report_context)
        )

    def make_requests_for_printouts(self, printouts: Sequence[Printout], paper: str) -> tuple[PrintRequest, ...]:
        return tuple(self._make_reprint_request(row, paper) for row in printouts)

    def _make_current_report_context(self, row: Printout) -> reports.ReportContext:
        return self._make_report_context(self._make_reprint_request(row, "a4"), {})

    def _make_reprint_request(self, row: Printout, paper: str) -> PrintRequest:
        divisions = tuple(division for division in self.index.divisions if row.division in {None, division.id})
        return PrintRequest(
            row.report, divisions, row.round, row.language, paper, row.category, row.best, date=row.on
        )

    def _make_report_context(
        self, request: PrintRequest, lists: Mapping[DivisionId, Lexicon | None]
    ) -> reports.ReportContext:
        from tdapp import reports
        from tdapp.reports.logo import load_logo

        style = reports.load_style(self.resources.folder / "fonts", paper=request.paper)
        wordlists = {
            key: lexicon
            for key, lexicon in lists.items()
            if lexicon is not None and request.report in _WORD_LIST_REPORTS
        }
        tournament = make_names_distinct(self.index.tournament)
        return reports.ReportContext(
            self.index if tournament is self.index.tournament else TournamentIndex(tournament), request.divisions,
            self.resources.load_catalogue(request.language), replace(style, logo=load_logo(self.index.tournament)),
            self.clock(), request.round, request.category, request.best, self.resources.rating_systems, self.steps,
            wordlists=wordlists,
            tilesets=self.resources.tilesets, columns=request.columns, server_url=self.venue_url,
            short_words={
                key: map_printable_short_words_by_length(lexicon)
                for key, lexicon in wordlists.items()
                if request.report == _WORD_LISTING
            },
            season_date=request.date,
        )  # fmt: skip


_ReportContexts = Sequence[tuple[PrintRequest, "reports.ReportContext"]]


def _separate_empty_reports(
    report_contexts: _ReportContexts,
) -> tuple[_ReportContexts, tuple[tuple[str, str], ...]]:
    """Return the non-empty reports, and the report id and division code of each empty report.

    If a report is empty in all divisions, the code is "". Raises CommandError if all reports are empty.
    """
    from tdapp.reports import explain_empty_report

    remaining_reports: list[tuple[PrintRequest, reports.ReportContext]] = []
    left_out: list[tuple[str, str]] = []
    errors: list[CommandError] = []
    for request, context in report_contexts:
        full_divisions = []
        for division in context.divisions:
            try:
                context.refuse_missing_round()
                reason = explain_empty_report(request.report, context, division)
            except CommandError as error:
                errors.append(error)
                continue
            if reason:
                errors.append(CommandError("nothing-to-print", why=reason))
            else:
                full_divisions.append(division)
        if full_divisions or not context.divisions:
            remaining_reports.append((request, replace(context, divisions=tuple(full_divisions))))
        codes = [
            division.code for division in context.divisions if full_divisions and division not in full_divisions
        ]
        left_out += [
            (request.report, code) for code in (codes if full_divisions or not context.divisions else [""])
        ]
    if errors and not remaining_reports:
        raise errors[0]
    return remaining_reports, tuple(left_out)


DELAY_MS = 700  # ms from the last change to the check
_UNPRINTED_KINDS = frozenset({"papers", "logos"})  # row kinds that no printout shows


class PrintoutWatch:
    """Finds stale printouts of an open tournament."""

    def __init__(
        self,
        tournament: OpenTournament,
        serving: ServingService,
        *,
        on_change: Callable[[], None],
        restart_delay: Callable[[], None],
    ) -> None:
        """Store the callbacks.

        `restart_delay` starts or restarts a timer. When the timer ends, the code that creates this object must
        call `check_printouts_in_background`.
        """
        self._open = tournament
        self._serving = serving
        self._on_change = on_change
        self._restart_delay = restart_delay
        self._watched_copies: tuple[PrintoutWithCurrentFingerprint, ...] = ()
        self._job_problems: dict[PrintJob, Problem] = {}

    @property
    def paper_size(self) -> str:
        from tdapp.reports import PAPERS

        return read_choice(self._open.settings, "paper", PAPERS, "a4")

    # --- state

    def list_stale_printouts(self) -> tuple[PrintoutWithCurrentFingerprint, ...]:
        return tuple(copy for copy in self._watched_copies if copy.is_stale)

    def get_printout_state(self, printout: PrintoutId) -> PrintoutState:
        """Return the state of a printout.

        A printout not checked for changes counts as printed, or as partly printed if pages are missing.
        """
        from tdapp.reports.printed import PrintoutState

        states = {copy.printout.id: copy.state for copy in self._watched_copies}
        if printout in states:
            return states[printout]
        row = self._open.tournament.printouts[printout]
        return PrintoutState.PART if row.missing else PrintoutState.PRINTED

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of queued jobs, and one problem for all stale printouts."""
        if not self._open.is_open:
            return ()
        waiting = tuple(self._job_problems.values())
        divisions = self._open.tournament.divisions
        rows = [
            copy.printout for copy in self.list_stale_printouts() if copy.printout.division in {None, *divisions}
        ]
        if not rows:
            return waiting
        from tdapp.reports.printed import describe_printout

        papers = "; ".join(describe_printout(row, self._open.catalogue, self._open.index) for row in rows)
        facts = MappingProxyType({"paper": papers, "n": len(rows)})
        return (*waiting, Problem("paper-stale", facts, "papers", rows[0].id))

    def make_print_service(self) -> PrintService:
        """Return a print service. While the judge screen is open, the service has no word list."""
        tournament = self._open
        value, library = tournament.tournament, tournament.library

        def open_word_list(division: Division) -> WordList:
            return (
                nullcontext()
                if tournament.is_judge_screen_open
                else library.open_edition_if_available(value.get_wordlist_id_of_row(division))
            )

        return PrintService(
            tournament.index,
            tournament.resources,
            tournament.desk.list_all_steps(),
            open_word_list,
            self._serving.url,
        )

    def make_requests_for_stale_printouts(self) -> tuple[PrintRequest, ...]:
        return self.make_print_service().make_requests_for_printouts(
            [copy.printout for copy in self.list_stale_printouts()], self.paper_size
        )

    def make_pdf(self, requests: Sequence[PrintRequest], *, on_success: Callable[[ReportsPdf], None]) -> None:
        task = BackgroundTask(self._open.catalogue.text("Creating the pages…"))
        call = partial(self.make_print_service().make_pdf, requests, task.report_progress)
        self._open.run_in_background(call, on_success=on_success, label=task.label, task=task)

    # --- records

    def record_printouts(self, printouts: Sequence[Printout]) -> None:
        """Record printouts. Do nothing unless this is the director's computer."""
        self._run_command_quietly_if_writable(partial(commands.note_printouts, printouts=tuple(printouts)))

    def remove_records_of_failed_print(
        self, printouts: Sequence[Printout], earlier_printouts: Sequence[Printout]
    ) -> None:
        """Remove the records of a failed print, and restore the `earlier_printouts` that they replaced."""
        self._run_command_quietly_if_writable(
            partial(commands.unnote_printouts, printouts=tuple(printouts), before=tuple(earlier_printouts))
        )

    def show_print_job_problem(self, job: PrintJob, problem: Problem | None) -> None:
        """Show the problem of a queued job. None removes the job's earlier problem."""
        before = self._job_problems.pop(job, None)
        if problem is not None:
            self._job_problems[job] = problem
        if problem != before:
            self._on_change()

    def mark_reprint_as_unneeded(self, copies: Sequence[PrintoutWithCurrentFingerprint]) -> None:
        """Record that stale printouts need no reprint, unless their reports change again."""
        waived = tuple((copy.printout.id, copy.current_fingerprint) for copy in copies)
        self._run_command_quietly_if_writable(partial(commands.waive_printouts, printouts=waived))

    def check_printouts_in_background(self) -> None:
        tournament = self._open
        if not tournament.is_open:
            return
        if not tournament.tournament.printouts:
            self._set_watched_printouts(tournament.index, ())
            return
        call = self.make_print_service().list_watched_printouts
        tournament.work.run_in_background_without_label(
            call, on_success=partial(self._set_watched_printouts, tournament.index)
        )

    def _run_command_quietly_if_writable(self, command: partial[Tournament]) -> None:
        if not self._open.is_read_only_or_not_director:
            self._open.do(
                command, on_success=self.check_printouts_in_background, quiet=True, on_refusal=lambda _error: True
            )

    def _set_watched_printouts(
        self, index: TournamentIndex, copies: tuple[PrintoutWithCurrentFingerprint, ...]
    ) -> None:
        if not self._open.is_open or index is not self._open.index:
            return  # the tournament has changed: look again
        has_changed, self._watched_copies = copies != self._watched_copies, copies
        if has_changed:
            self._on_change()

    def restart_printout_checks(self) -> None:
        self._watched_copies = ()
        if self._open.is_open:
            self.check_printouts_in_background()

    def schedule_printout_check(self, diff: Diff) -> None:
        """Check for stale printouts after a delay, if `diff` can affect a printout."""
        if not diff or any(change.kind not in _UNPRINTED_KINDS for change in diff):
            self._restart_delay()
