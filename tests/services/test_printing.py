"""Reports become PDF, are noted, become stale, and are printed again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.paper import Moment, Printout, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.printing import PrintedPdf, PrintoutWatch, PrintRequest, PrintService, WordList
from tdapp.services.resources import Resources
from tdapp.services.serving import ServingService
from tdapp.services.worker import ignore_values
from tdapp.storage.library import Library
from tests.building import RESOURCES, event, game_at, paired
from tests.services.headless_session import office
from tests.storage.random_lexicons import edition


def pages(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def request(index: Index, report: str = "standings") -> PrintRequest:
    return PrintRequest(report, index.divisions, 1, "en", "a4")


def test_make_pdf_binds_reports_in_copies_and_records_them_once() -> None:
    index = Index(paired(event(4)))
    paper = ReportChoice(
        ReportChoiceId("x"), Moment.ROUND, 1, "pairings-by-table", "letter", language="nl", copies=2
    )
    asked = request(index).make_request_for_choice(paper)
    assert (asked.report, asked.language, asked.paper, asked.copies) == ("pairings-by-table", "nl", "letter", 2)
    made = PrintService(index, Resources(RESOURCES)).make_pdf([request(index), asked])
    assert len(pages(made.pdf)) == 3
    assert sorted(row.report for row in made.list_printouts()) == ["pairings-by-table", "standings"]


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
    made = PrintedPdf(b"", ((standings, 1), (slips, 2), (slips, 2), (None, 1)))
    assert made.page_count == 6
    assert {row.report: row.missing for row in made.list_printouts(pages)} == missing


def test_print_service_opens_and_closes_a_word_list(tmp_path: Path) -> None:
    library = Library(tmp_path)
    made = library.add_edition(["AA", "AAP"], edition(language="nl"), practice=True)
    asked: list[str] = []
    index = Index(paired(event(4)))

    def opened(division: Division) -> WordList:
        asked.append(division.code)
        return library.open_edition_if_available(made.id)

    service = PrintService(index, Resources(RESOURCES), word_list=opened)
    service.make_pdf([request(index)])
    assert not asked
    assert "AA" in pages(service.make_pdf([request(index, "short-words")]).pdf)[0].split()
    assert asked == ["A"]
    with library.open_edition_if_available("no such edition") as none:
        assert none is None


@pytest.mark.parametrize("again", [True, False])
def test_printout_watch_finds_a_stale_printout_until_printed_again_or_waived(tmp_path: Path, again: bool) -> None:
    opened, _heard = office(tmp_path, paired(event(4)))
    told: list[bool] = []
    later: list[bool] = []
    serving = ServingService(
        opened, FeaturedTableService(opened, on_change=ignore_values), on_change=ignore_values
    )
    watch = PrintoutWatch(
        opened, serving, on_change=lambda: told.append(True), restart_delay=lambda: later.append(True)
    )
    made = watch.make_print_service().make_pdf([request(opened.index)])
    watch.record_printouts(made.list_printouts())
    assert watch.problems() == ()
    game = game_at(opened.tournament, 1)
    opened.do(partial(commands.enter_result, game=game.id, first=300, second=500))
    watch.handle_change(opened.desk.store.read_journal()[-1].changes)
    assert later == [True]
    watch.update_stale_printouts()
    assert [problem.code for problem in watch.problems()] == ["paper-stale"]
    if again:
        rows = [one.printout for one in watch.list_stale_printouts()]
        watch.record_printouts(
            watch.make_print_service()
            .make_pdf(watch.make_print_service().make_print_requests(rows, watch.page_size))
            .list_printouts()
        )
    else:
        watch.waive_reprint(watch.list_stale_printouts())
    assert watch.problems() == ()
    assert told
