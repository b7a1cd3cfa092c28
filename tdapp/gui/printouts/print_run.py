"""Print a PDF and follow the job to its end.

A printer that accepts PDF gets the document itself. For other printers, and on Windows and macOS, Qt paints the
pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMarginsF, QObject, QRectF, QSizeF, QTimer
from PySide6.QtGui import QPageLayout, QPageRanges, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrintEngine, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QWidget

from tdapp.domain.errors import UserError
from tdapp.domain.paper import Printout
from tdapp.domain.problems import Problem
from tdapp.exchange.text import write_file
from tdapp.gui.printouts.printer import POINTS, PdfPagePicture, PdfPageRenderer, make_image
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.print_queue import PrintJob, PrintJobState, PrintJobStatus, PrintQueues
from tdapp.services.printing import ReportsPdf
from tdapp.services.worker import get_user_error_or_raise, ignore_values

PAINT_DPI = 300  # a higher resolution only makes the print job larger
CHECK_INTERVAL = 1_000  # milliseconds before the first status check of a job
MAX_INTERVAL_FACTOR = 10  # the longest interval is this many times CHECK_INTERVAL
ACCEPTED_CHECKS = 3  # the queue has accepted a job still open after so many checks
_CUPS_OPTIONS = QPrintEngine.PrintEnginePropertyKey(0xFE00)  # Qt stores a list: name, value, name, value
_SIDES = {
    QPrinter.DuplexMode.DuplexNone: "one-sided",
    QPrinter.DuplexMode.DuplexLongSide: "two-sided-long-edge",
    QPrinter.DuplexMode.DuplexShortSide: "two-sided-short-edge",
}
_HALF_OPTION, _RANGES_OPTION = "page-set", "page-ranges"
_PAGE_OPTIONS = frozenset({_HALF_OPTION, _RANGES_OPTION})  # not sent: a queue without filters ignores page ranges
_HALVES = {"odd": 0, "even": 1}  # the first page of each, from 0


def explain_missing_printer(catalogue: Catalogue) -> str:
    """Return why this computer cannot print, or ""."""
    if QPrinterInfo.availablePrinterNames():
        return ""
    queues = PrintQueues.load_cups_queues()
    if queues is not None and not queues.is_print_service_answering():
        return catalogue.describe_error(UserError("print-service-silent"))
    return catalogue.text("No printer is set up on this computer.")


def ask_user_for_printer(parent: QWidget, session: Session, pdf: ReportsPdf) -> QPrinter | None:
    """Return the chosen printer, None after Cancel. The paper size of the first page is preselected."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(_get_first_page_size(session, pdf))
    dialog = QPrintDialog(printer, parent)
    dialog.setMinMax(1, pdf.page_count)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return printer if is_accepted else None


def list_chosen_page_indexes(printer: QPrinter, page_count: int) -> list[int]:
    """Return the pages that the user chose in the print dialog, counted from 0."""
    options, ranges = _read_cups_options(printer), printer.pageRanges()
    if _RANGES_OPTION in options:
        ranges = QPageRanges.fromString(options[_RANGES_OPTION])
    half = options.get(_HALF_OPTION, "")
    return [
        page
        for page in range(page_count)
        if (ranges.isEmpty() or ranges.contains(page + 1)) and _HALVES.get(half, page % 2) == page % 2
    ]


def make_print_job_options(printer: QPrinter, document_size: QPageSize) -> dict[str, str]:
    """Return the options of the print job. The document's size replaces the printer's default paper size."""
    chosen_size, default_size = printer.pageLayout().pageSize(), QPrinterInfo(printer).defaultPageSize()
    options = {
        **{
            name: value
            for name, value in _read_cups_options(printer).items()
            if value and name not in _PAGE_OPTIONS
        },
        "copies": str(printer.copyCount()),
        "Collate": str(printer.collateCopies()),
        "media": (document_size if chosen_size.isEquivalentTo(default_size) else chosen_size).key(),
    }
    if printer.duplex() in _SIDES:
        options["sides"] = _SIDES[printer.duplex()]
    if printer.colorMode() is QPrinter.ColorMode.GrayScale:
        options["print-color-mode"] = "monochrome"
    return options


def _read_cups_options(printer: QPrinter) -> dict[str, str]:
    options = printer.printEngine().property(_CUPS_OPTIONS) or []
    return dict(zip(options[::2], options[1::2], strict=True))


def _make_page_size_from_points(width: float, height: float) -> QPageSize:
    upright = QSizeF(min(width, height), max(width, height))
    return QPageSize(upright, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.FuzzyMatch)


def _get_first_page_size(session: Session, pdf: ReportsPdf) -> QPageSize:
    return _make_page_size_from_points(
        *PdfPageRenderer.get_or_make_service(session).draw_page(pdf.pdf, 0, 0.05).page_size
    )


class PrintJobRun(QObject):
    """Prints a document. Its reports count as printed when the print queue has accepted it."""

    def __init__(
        self,
        session: Session,
        printer: QPrinter,
        pdf: ReportsPdf,
        *,
        on_refusal: Callable[[str], None],
        on_accepted: Callable[[], None] = ignore_values,
    ) -> None:
        """Prepare the job.

        At its end it calls `on_accepted`, or `on_refusal` with a sentence that explains the error.
        """
        super().__init__(session)  # the preview may close before the last page is sent
        self._session = session
        self.text = session.catalogue.text
        self._event = session.tournament.event
        self._printer = printer
        self._pdf = pdf
        self._renderer = PdfPageRenderer.get_or_make_service(session)
        self._on_accepted = on_accepted
        self._on_refusal = on_refusal
        self._pages = list_chosen_page_indexes(printer, pdf.page_count)
        self._remaining_pages = list(self._pages)
        self._painter = QPainter()
        self._check_count = 0
        self._recorded_printouts: tuple[Printout, ...] = ()
        self._previous_printouts: tuple[Printout, ...] = ()  # earlier records of the same printouts
        self._last_sentence = ""

    def start_printing(self) -> None:
        queues, path = PrintQueues.load_cups_queues(), self._printer.outputFileName()
        if not self._pages:
            self._finish_with_refusal(self.text("None of the chosen pages exists."))
        elif queues is None:
            self._printer.setDocName(self._event.name)
            self._draw_next_page()
        elif path:
            self._run_in_background(
                partial(self._write_pdf_file, Path(path)), partial(self._report_written_file, Path(path))
            )
        else:
            options = make_print_job_options(self._printer, _get_first_page_size(self._session, self._pdf))
            self._run_in_background(
                partial(self._send_print_job, queues, options), partial(self._follow_accepted_job, queues)
            )

    def _run_in_background(self, call: Callable[[], object], callback: Callable[..., None]) -> None:
        callback, label = make_callback_unless_deleted(self, callback), self.text("Sending the pages…")
        self._session.run_in_background(
            call, on_success=callback, on_error=self._report_background_error, label=label
        )

    def _make_chosen_pages_pdf(self) -> bytes:
        is_complete = len(self._pages) == self._pdf.page_count
        return self._pdf.pdf if is_complete else self._renderer.extract_pages(self._pdf.pdf, self._pages)

    def _report_background_error(self, error: Exception) -> None:
        self._finish_with_refusal(self._session.catalogue.describe_error(get_user_error_or_raise(error)))

    def _finish_with_refusal(self, reason: str) -> None:
        self._on_refusal(reason)
        self.deleteLater()

    def _record_printouts(self) -> None:
        session, rows = self._session, self._pdf.list_printouts(self._pages)
        if rows and self._is_same_tournament_open():
            printouts = session.tournament.printouts
            self._recorded_printouts = rows
            self._previous_printouts = tuple(printouts[row.id] for row in rows if row.id in printouts)
            session.printouts.record_printouts(rows)

    def _is_same_tournament_open(self) -> bool:
        session = self._session
        return session.is_open and session.tournament.event.id == self._event.id

    def _record_printouts_and_show_message(self, sentence: str) -> None:
        self._record_printouts()
        self._session.show_message(sentence)
        self._on_accepted()
        self.deleteLater()

    # --- print to a file

    def _write_pdf_file(self, path: Path) -> None:
        write_file(path, self._make_chosen_pages_pdf())

    def _report_written_file(self, path: Path, _result: object) -> None:
        self._record_printouts_and_show_message(self.text("Saved as {name}", name=path.name))

    # --- print to a queue

    def _send_print_job(self, queues: PrintQueues, options: dict[str, str]) -> PrintJob:
        name = self._printer.printerName().partition("/")[0]  # without the CUPS instance
        return queues.send_pdf(name, self._make_chosen_pages_pdf(), title=self._event.name, options=options)

    def _follow_accepted_job(self, queues: PrintQueues, job: PrintJob) -> None:
        self._on_accepted()
        self._schedule_status_check(queues, job)

    def _schedule_status_check(self, queues: PrintQueues, job: PrintJob) -> None:
        self._check_count += 1
        update_status = make_callback_unless_deleted(self, partial(self._update_job_status, queues, job))
        check_status = partial(
            self._session.work.run_in_background_without_label,
            partial(queues.get_status, job),
            on_success=update_status,
        )
        QTimer.singleShot(CHECK_INTERVAL * min(self._check_count, MAX_INTERVAL_FACTOR), self, check_status)

    def _update_job_status(self, queues: PrintQueues, job: PrintJob, status: PrintJobStatus) -> None:
        is_open = status.state is PrintJobState.OPEN
        first = self._check_count == ACCEPTED_CHECKS if is_open else self._check_count <= ACCEPTED_CHECKS
        if first and status.state is not PrintJobState.FAILED:
            self._record_printouts()
        if status.state is PrintJobState.FAILED and self._recorded_printouts and self._is_same_tournament_open():
            self._session.printouts.remove_records_of_failed_print(
                self._recorded_printouts, self._previous_printouts
            )
        if not is_open or self._check_count >= ACCEPTED_CHECKS:
            self._show_status(job, status)
        if is_open:
            self._schedule_status_check(queues, job)
        else:
            self.deleteLater()

    def _show_status(self, job: PrintJob, status: PrintJobStatus) -> None:
        facts = {"printer": job.queue, "why": status.message}
        sentence = {
            PrintJobState.OPEN: self.text("The printout is in the queue for {printer}. {why}", **facts),
            PrintJobState.PRINTED: self.text("Sent to the printer."),
            PrintJobState.FAILED: self.text("{printer} has stopped printing. {why}", **facts),
        }[status.state].strip()
        if sentence != self._last_sentence:
            self._last_sentence = sentence
            self._session.show_message(sentence, tone="red" if status.state is PrintJobState.FAILED else "plain")
        waits = Problem("print-waits", facts, "papers") if status.state is PrintJobState.OPEN else None
        self._session.printouts.show_print_job_problem(job, waits)

    # --- paint the pages

    def _draw_next_page(self) -> None:
        if not self._remaining_pages:
            self._finish_painting()
            return
        page = self._remaining_pages.pop(0)
        dots = min(PAINT_DPI, self._printer.resolution()) / POINTS
        label = self.text("Printing page {page}…", page=page + 1)
        draw = partial(self._renderer.draw_page, self._pdf.pdf, page, dots)
        self._session.run_in_background(
            draw, on_success=make_callback_unless_deleted(self, self._paint_page), label=label
        )

    def _paint_page(self, picture: PdfPagePicture) -> None:
        width, height = picture.page_size
        side = QPageLayout.Orientation.Landscape if width > height else QPageLayout.Orientation.Portrait
        self._printer.setFullPage(True)
        self._printer.setPageLayout(QPageLayout(_make_page_size_from_points(width, height), side, QMarginsF()))
        has_page = self._printer.newPage() if self._painter.isActive() else self._painter.begin(self._printer)
        if not has_page:
            self._painter.end()
            self._finish_with_refusal(self.text("The printer did not accept the document."))
            return
        paper = self._printer.pageLayout().fullRectPixels(self._printer.resolution())
        self._painter.drawImage(QRectF(paper), make_image(picture))
        self._draw_next_page()

    def _finish_painting(self) -> None:
        error_states = {QPrinter.PrinterState.Aborted, QPrinter.PrinterState.Error}
        if self._painter.end() and self._printer.printerState() not in error_states:
            self._record_printouts_and_show_message(self.text("Sent to the printer."))
        else:
            self._finish_with_refusal(self.text("The printer did not accept the document."))
