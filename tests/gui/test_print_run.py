"""Tests of printing: choices in Qt's dialog, the print queue, and messages about the job."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtGui import QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.printouts import print_run
from tdapp.gui.printouts.page import PrintoutsPage
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.printouts.print_run import (
    PrintJobRun,
    explain_missing_printer,
    list_chosen_page_indexes,
    make_print_job_options,
)
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tdapp.reports.printed import PrintoutState
from tdapp.services.print_queue import PrintQueues
from tdapp.services.printing import PrintRequest
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import collect_messages, get_page, show_window
from tests.services.cups_server import CupsServer

ChoosePrinter = Callable[[str], None]


@pytest.fixture
def paired_session(empty_session: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a session with a paired round of 240 players and a short check interval."""
    monkeypatch.setattr(print_run, "CHECK_INTERVAL", 30)
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=240)))
    empty_session.do(
        partial(
            commands.pair_round, key=empty_session.make_row_id(), proposal=propose_pairings(empty_session.index, A)
        )
    )
    return empty_session


@pytest.fixture
def page(paired_session: Session, print_service: CupsServer, qtbot: QtBot) -> PrintoutsPage:
    assert not print_service.printed_documents
    return get_page(show_window(paired_session, qtbot, "papers"), kind=PrintoutsPage)


@pytest.fixture
def preview(page: PrintoutsPage) -> PrintPreview:
    return open_preview(page)


def open_preview(page: PrintoutsPage) -> PrintPreview:
    page.reveal_row("pairings-by-name")
    page.open_preview()
    return next(preview for preview in page.window().findChildren(PrintPreview) if preview.isVisible())


@pytest.fixture
def choose_printer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that makes Qt's print dialog choose a printer and pages."""

    def choose_queue(queue: str, first: int = 0, last: int = 0) -> None:
        class AcceptingPrintDialog(QPrintDialog):
            def exec(self) -> int:
                self.printer().setPrinterName(queue)
                self.printer().setFromTo(first, last)
                return QDialog.DialogCode.Accepted

        monkeypatch.setattr(print_run, "QPrintDialog", AcceptingPrintDialog)

    return choose_queue


def get_print_state(session: Session) -> tuple[PrintoutState, tuple[int, ...]]:
    (row,) = session.tournament.printouts.values()
    return session.printouts.get_printout_state(row.id), row.missing


def test_print_run_sends_the_pdf_and_records_printed_pages(
    page: PrintoutsPage, choose_printer: Callable[..., None], print_service: CupsServer, qtbot: QtBot
) -> None:
    preview = open_preview(page)
    session, messages = preview.session, collect_messages(preview.session)
    choose_printer("taking", 2, 2)
    preview.yes.click()
    assert not preview.isVisible()
    qtbot.waitUntil(lambda: messages == ["Sent to the printer."])
    document = pypdfium2.PdfDocument(print_service.printed_documents[0])
    assert len(document) == 1
    assert "Page 2 of 2" in document[0].get_textpage().get_text_range()
    document.close()
    assert get_print_state(session) == (PrintoutState.PART, (1,))
    assert (
        next(row for row in page._make_printout_table().rows if row.key == "pairings-by-name").state
        is PrintoutState.PART
    )
    choose_printer("taking")
    preview = open_preview(page)
    preview.yes.click()
    qtbot.waitUntil(lambda: get_print_state(session) == (PrintoutState.PRINTED, ()))
    assert print_service.printed_documents[1] == preview.pdf


def test_print_run_shows_a_refusal_and_records_nothing(
    preview: PrintPreview, choose_printer: ChoosePrinter
) -> None:
    choose_printer("refusing")
    preview.yes.click()
    assert preview.isVisible()
    assert "not accepting" in preview.message.text()
    assert not preview.session.tournament.printouts


def test_print_preview_names_players_whose_letters_no_font_has(
    page: PrintoutsPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tdapp.reports.shaping.list_font_folders", lambda: [tmp_path / "none"])
    session = page.session
    player = session.index.players(A)[0].id
    session.do(partial(commands.edit_player, player=player, name="Kari 王小明"))
    assert "Kari 王小明 (王小明)" in open_preview(page).message.text()


def test_print_run_shows_a_waiting_job_until_printed(
    preview: PrintPreview, choose_printer: ChoosePrinter, print_service: CupsServer, qtbot: QtBot
) -> None:
    session, messages = preview.session, collect_messages(preview.session)
    choose_printer("stopped")
    preview.yes.click()
    qtbot.waitUntil(lambda: bool(session.printouts.problems()))
    assert messages == ["The printout is in the queue for stopped. The toner is gone"]
    assert get_print_state(session) == (PrintoutState.PRINTED, ())
    (problem,) = session.printouts.problems()
    assert (
        session.catalogue.describe_problem(problem.code, problem.facts)
        == "stopped has not finished printing. The toner is gone"
    )
    print_service.run_program("cancel", "-a", "stopped")
    qtbot.waitUntil(lambda: not session.printouts.problems())
    assert messages[1:] == ["stopped has stopped printing."]
    assert not session.tournament.printouts


def test_explain_missing_printer_reports_a_stopped_print_service(
    preview: PrintPreview,
    choose_printer: ChoosePrinter,
    print_service: CupsServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose_printer("taking")
    assert not explain_missing_printer(preview.session.catalogue)
    print_service.stop_server()
    preview.yes.click()
    assert preview.message.text().startswith("This computer’s print service (CUPS) is not responding.")
    monkeypatch.setattr(
        print_run, "explain_missing_printer", lambda _catalogue: ""
    )  # the service stops while the dialog is open
    preview.yes.click()
    assert not preview.session.tournament.printouts


def test_explain_missing_printer_reports_a_computer_without_printers(
    print_service: CupsServer, empty_session: Session, qtbot: QtBot
) -> None:
    for name in ("taking", "refusing", "stopped", "off"):
        print_service.run_program("lpadmin", "-x", name)
    assert explain_missing_printer(empty_session.catalogue) == "No printer is set up on this computer."


def test_print_run_stops_at_a_page_that_cannot_be_painted(
    paired_session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PrintQueues, "load_cups_queues", lambda: None)
    document = paired_session.printouts.make_print_service().make_pdf(
        [
            PrintRequest(report, paired_session.index.divisions, 1, "en", "a4")
            for report in ("pairings-by-name", "wall-chart")
        ]
    )
    messages: list[str] = []

    class FailingPrinter(QPrinter):
        def newPage(self) -> bool:  # noqa: N802 - Qt's own name
            return False

    printer = FailingPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    PrintJobRun(
        paired_session, printer, document, on_refusal=messages.append, on_accepted=lambda: messages.append("taken")
    ).start_printing()
    assert messages == ["The printer did not accept the document."]
    assert not paired_session.tournament.printouts


@pytest.mark.usefixtures("print_service")
def test_map_job_options_uses_the_choices_of_the_dialog(qtbot: QtBot) -> None:
    class TwoSidedPrinter(QPrinter):
        def duplex(self) -> QPrinter.DuplexMode:
            return QPrinter.DuplexMode.DuplexLongSide

    printer = TwoSidedPrinter(QPrinter.PrinterMode.ScreenResolution)
    assert list_chosen_page_indexes(printer, 3) == [0, 1, 2]
    printer.setFromTo(2, 7)
    assert list_chosen_page_indexes(printer, 3) == [1, 2]
    options = ["page-ranges", "1,3-9", "page-set", "odd", "job-billing", "", "number-up", "2"]
    printer.printEngine().setProperty(print_run._CUPS_OPTIONS, options)  # as Qt's dialog does for a CUPS queue
    assert list_chosen_page_indexes(printer, 6) == [0, 2, 4]
    printer.setCopyCount(3)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A5))
    printer.setColorMode(QPrinter.ColorMode.GrayScale)
    assert make_print_job_options(printer, QPageSize(QPageSize.PageSizeId.Letter)) == {
        "copies": "3", "Collate": "True", "media": "A5", "sides": "two-sided-long-edge",
        "print-color-mode": "monochrome", "number-up": "2",
    }  # fmt: skip
