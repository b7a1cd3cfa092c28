"""Tests of printing: PDF files, records of printouts, and stale printouts."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.paper import PrintingMoment, Printout, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.printing import PrintoutWatch, PrintRequest, PrintService, ReportsPdf, WordList
from tdapp.services.resources import Resources
from tdapp.services.serving import ServingService
from tdapp.services.worker import ignore_values
from tdapp.storage.library import WordListLibrary
from tests.building import RESOURCES, get_game_at, make_event, pair_rounds
from tests.services.headless_session import make_session
from tests.storage.random_lexicons import make_edition


def read_page_texts(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def make_print_request(index: TournamentIndex, report: str = "standings") -> PrintRequest:
    return PrintRequest(report, index.divisions, 1, "en", "a4")


def test_make_pdf_combines_copies_of_reports_and_records_each_report_once() -> None:
    index = TournamentIndex(pair_rounds(make_event(4)))
    paper = ReportChoice(
        ReportChoiceId("x"), PrintingMoment.ROUND, 1, "pairings-by-table", "letter", language="nl", copies=2
    )
    new_request = make_print_request(index).make_request_for_report_choice(paper)
    assert (new_request.report, new_request.language, new_request.paper, new_request.copies) == (
        "pairings-by-table",
        "nl",
        "letter",
        2,
    )
    printed_pdf = PrintService(index, Resources(RESOURCES)).make_pdf([make_print_request(index), new_request])
    assert len(read_page_texts(printed_pdf.pdf)) == 3
    assert sorted(row.report for row in printed_pdf.list_printouts()) == ["pairings-by-table", "standings"]


@pytest.mark.parametrize(
    ("pages", "missing"),
    [
        (None, {"standings": (), "slips": ()}),
        ([0, 1, 2, 3, 4], {"standings": (), "slips": ()}),
        ([0, 3], {"standings": (), "slips": (2,)}),
        ([2, 3], {"slips": ()}),  # one page of each copy
        ([], {}),
    ],
)
def test_list_printouts_records_only_printed_pages(
    pages: list[int] | None, missing: dict[str, tuple[int, ...]]
) -> None:
    standings, slips = (
        Printout(PrintoutId(report), report, None, 1, "2026-05-01T10:00:00+00:00", "aa")
        for report in ("standings", "slips")
    )
    printed_pdf = ReportsPdf(b"", ((standings, 1), (slips, 2), (slips, 2), (None, 1)))
    assert printed_pdf.page_count == 6
    assert {row.report: row.missing for row in printed_pdf.list_printouts(pages)} == missing


def test_print_service_opens_and_closes_a_word_list(tmp_path: Path) -> None:
    library = WordListLibrary(tmp_path)
    metadata = library.add_edition(["AA", "AAP"], make_edition(language="nl"), practice=True)
    division_codes: list[str] = []
    index = TournamentIndex(pair_rounds(make_event(4)))

    def open_word_list(division: Division) -> WordList:
        division_codes.append(division.code)
        return library.open_edition_if_available(metadata.id)

    service = PrintService(index, Resources(RESOURCES), open_word_list=open_word_list)
    service.make_pdf([make_print_request(index)])
    assert not division_codes
    assert "AA" in read_page_texts(service.make_pdf([make_print_request(index, "short-words")]).pdf)[0].split()
    assert division_codes == ["A"]
    with library.open_edition_if_available("no such edition") as word_list:
        assert word_list is None


@pytest.mark.parametrize("is_printed_again", [True, False])
def test_printout_watch_finds_a_stale_printout_until_printed_again_or_waived(
    tmp_path: Path, is_printed_again: bool
) -> None:
    session, _notifications = make_session(tmp_path, pair_rounds(make_event(4)))
    changes: list[bool] = []
    delays: list[bool] = []
    serving = ServingService(
        session, FeaturedTableService(session, on_change=ignore_values), on_change=ignore_values
    )
    watch = PrintoutWatch(
        session, serving, on_change=lambda: changes.append(True), restart_delay=lambda: delays.append(True)
    )
    printed_pdf = watch.make_print_service().make_pdf([make_print_request(session.index)])
    watch.record_printouts(printed_pdf.list_printouts())
    assert watch.problems() == ()
    game = get_game_at(session.tournament, 1)
    session.do(partial(commands.enter_result, game=game.id, first=300, second=500))
    watch.schedule_printout_check(session.desk.store.read_journal()[-1].changes)
    assert delays == [True]
    watch.check_printouts_in_background()
    assert [problem.code for problem in watch.problems()] == ["paper-stale"]
    if is_printed_again:
        rows = [copy.printout for copy in watch.list_stale_printouts()]
        watch.record_printouts(
            watch.make_print_service()
            .make_pdf(watch.make_print_service().make_requests_for_printouts(rows, watch.paper_size))
            .list_printouts()
        )
    else:
        watch.mark_reprint_as_unneeded(watch.list_stale_printouts())
    assert watch.problems() == ()
    assert changes
