"""The print preview. A report counts as printed only after it was saved or printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QWidget

from tdapp import reports
from tdapp.domain.errors import InputError
from tdapp.domain.model import Division
from tdapp.domain.prizes import list_categories
from tdapp.domain.translatable import C_
from tdapp.exchange.text import write_file
from tdapp.gui.printouts.print_run import PrintJobRun, ask_user_for_printer, explain_missing_printer
from tdapp.gui.printouts.printer import (
    POINTS,
    PageThumbnails,
    PdfPagePicture,
    PdfPageRenderer,
    ask_pdf_file,
    list_paper_size_ids_and_names,
    list_report_ids_and_titles,
    make_image,
)
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, FormLayout
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n.catalogue import LANGUAGE_NAMES, LANGUAGES
from tdapp.i18n.phrases import format_round_in_divisions
from tdapp.reports.printed import describe_missing_letters, make_round_without_results_warning
from tdapp.reports.style import LARGE_SUFFIX
from tdapp.services.printing import PrintRequest, ReportsPdf
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

_MANY_PAGES = "print-many-pages"
SEASON_REPORTS = frozenset({"season", "season-years", "season-ratings"})
ZOOMS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


class PrintPreview(Dialog):
    """Shows the pages of a report before they are printed."""

    topic = "papers"

    def __init__(
        self,
        session: Session,
        report: str,
        *,
        round: int | None = None,
        category: str = "",
        best: int | None = None,
        date: str = "",
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Print"), yes=text("Print…"), parent=parent, size=(126, 84))
        self.pdf = b""
        self._printed_pdf = ReportsPdf(b"", ())
        self.page = 0
        self.pages = 0
        self._zoom = 0.0  # 0: the whole page
        self._task = BackgroundTask("")
        self._drawer = PdfPageRenderer.get_or_make_service(session)
        self.message = fields.make_label("", "error", wrap=True)
        self.saved_note = fields.make_label("", "body", wrap=True, is_announced=True)
        self._best = best
        self._dated_report = report, date
        self.all_pages = fields.make_button(
            text(C_("preview", "Show all pages")), partial(self.make_pdf_in_background, limit_error="")
        )
        self._build_dialog(report, round, category)
        self.report.setFocus()  # Cancel would get the focus while Print is disabled
        self.make_pdf_in_background()

    # --- build

    def _build_dialog(self, report: str, round: int | None, category: str) -> None:
        text, session = self.session.catalogue.text, self.session
        form = FormLayout()
        self._add_report_and_option_fields(form, report, round, category)
        self.save_button = fields.make_button(text("Save as PDF…"), self.save_to_chosen_file)
        self.buttons.insertWidget(1, self.save_button)
        self.sheet = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.sheet.setAccessibleName(text("Page"))
        self._scroll = _PageScrollArea(self)
        self._scroll.setWidget(self.sheet)
        self.page_label = fields.make_label("", "muted")
        page_column = fields.make_column(self._scroll, self._make_page_buttons(), wide=self._scroll)
        self.thumbnails = PageThumbnails(session)
        self.thumbnails.page_requested.connect(self._go_to_page)
        choices_column = fields.make_column(form, -1, self.message, self.saved_note, self.all_pages, 1)
        self.body.addLayout(
            fields.make_row(choices_column, self.thumbnails, page_column, gap=UNIT * 3, wide=page_column), 1
        )
        session.appearance.changed.connect(self._colour_page_backgrounds)
        self._colour_page_backgrounds()

    def _make_page_buttons(self) -> QHBoxLayout:
        text, button = self.session.catalogue.text, partial(fields.make_button, role="quiet")
        previous_button = button(
            "", partial(self.turn_page, -1), name=text("Previous page"), tip=text("Previous page (Page Up)")
        )
        previous_button.setIcon(self.session.appearance.make_icon("chevron-left"))
        next_button = button(
            "", partial(self.turn_page, 1), name=text("Next page"), tip=text("Next page (Page Down)")
        )
        next_button.setIcon(self.session.appearance.make_icon("chevron-right"))
        zoom_out_button = button("−", partial(self.zoom_by, -1), name=text("Zoom out"), tip=text("Zoom out (−)"))
        zoom_in_button = button("+", partial(self.zoom_by, 1), name=text("Zoom in"), tip=text("Zoom in (+)"))
        return fields.make_row(
            previous_button,
            self.page_label,
            next_button,
            1,
            zoom_out_button,
            button(text(C_("zoom", "Whole page")), self.show_whole_page),
            zoom_in_button,
        )

    def _add_report_and_option_fields(
        self, form: FormLayout, report: str, round: int | None, category: str
    ) -> None:
        session, text = self.session, self.session.catalogue.text
        appearance, index = session.appearance, session.index
        self.report: Choice[str] = Choice(
            text("Report"), list_report_ids_and_titles(session), appearance, value=report
        )
        divisions = [(index.divisions, text("All divisions"))] if len(index.divisions) > 1 else []
        divisions += [((division,), division.name or division.code) for division in index.divisions]
        current = (session.division,) if session.division else index.divisions[:1]
        self.divisions: Choice[tuple[Division, ...]] = Choice(
            text("Division"), divisions, appearance, value=current
        )
        last = max((len(index.rounds(division.id)) for division in index.divisions), default=0)
        format_round = partial(format_round_in_divisions, session.catalogue, index, index.divisions)
        rounds = [(number, format_round(number)) for number in range(1, last + 1)]
        self.round: Choice[int] = Choice(text("Round"), rounds, appearance, value=round or session.round_number)
        classes = list_categories(session.tournament.players.values())
        limits = [("", text("Everyone")), *((name, name) for name in classes)]
        self.category: Choice[str] = Choice(text("Category"), limits, appearance, value=category)
        names = [(language, LANGUAGE_NAMES[language]) for language in LANGUAGES]
        self.language: Choice[str] = Choice(text("Language"), names, appearance, value=session.catalogue.language)
        size = session.printouts.paper_size
        self.paper: Choice[str] = Choice(
            text("Paper size"), list_paper_size_ids_and_names(session), appearance, value=size
        )
        seasons = [(season.name, season.name) for season in reversed(index.listed_seasons)]
        self.season: Choice[str] = Choice(text("Season"), seasons, appearance, value=category)
        self._limits = [
            choice for choice, has_options in ((self.category, classes), (self.season, seasons[1:])) if has_options
        ]
        for limit in (self.category, self.season):
            limit.setParent(self)
            limit.setVisible(limit in self._limits)
        choices: tuple[Choice[Any], ...] = (self.report, self.divisions, *self._limits, self.round, self.language)
        for choice in (*choices, self.paper):
            form.add_field(choice)
            choice.setMinimumWidth(scale_pixels(UNIT * 22))
            choice.currentIndexChanged.connect(self._update_filters_and_make_document)
        self._enable_filters_of_report(report)

    def _enable_filters_of_report(self, report: str) -> None:
        self.category.setEnabled(report == "standings")
        self.season.setEnabled(report in SEASON_REPORTS)

    def _colour_page_backgrounds(self) -> None:
        background = self.session.appearance.get_colour("sunken").name()
        self._scroll.setStyleSheet(f"QScrollArea {{ background: {background}; }}")
        self.thumbnails.setStyleSheet(f"QListWidget {{ background: {background}; }}")

    # --- contents

    @property
    def request(self) -> PrintRequest:
        report = self.report.value() or next(iter(reports.REPORTS))
        limit = self.season if report in SEASON_REPORTS else self.category
        return PrintRequest(
            report=report,
            divisions=self.divisions.value() or (),
            round=self.round.value(),
            language=self.language.value() or LANGUAGES[0],
            paper=self.paper.value() or "a4",
            category=limit.value() or "" if limit in self._limits else "",
            best=self._best,
            date=self._dated_report[1] if self.report.value() == self._dated_report[0] else "",
        )

    def make_pdf_in_background(self, *, limit_error: str = _MANY_PAGES) -> None:
        """Make the PDF in the background.

        `limit_error` is the code of the error for too many pages. "" allows any number of pages.
        """
        self._task.cancel_work()
        self.all_pages.hide()
        self.page, self.pages, self.pdf = 0, 0, b""
        self.thumbnails.clear_document()
        fields.show_text(self.saved_note, "")
        for button in (self.yes, self.save_button):
            button.setEnabled(bool(self.pdf))
        self._task = task = BackgroundTask(self.text("Creating the pages…"))
        call = partial(
            self.session.printouts.make_print_service().make_pdf,
            (self.request,),
            task.report_progress,
            limit_error=limit_error,
        )
        self.session.run_in_background(
            call, on_success=self._show_document, label=task.label, on_error=self._show_document_error, task=task
        )

    def turn_page(self, step: int) -> None:
        self._go_to_page(max(0, min(self.pages - 1, self.page + step)))

    def _go_to_page(self, page: int) -> None:
        if page != self.page:
            self.page = page
            self._draw_current_page()

    def zoom_by(self, step: int) -> None:
        zoom = self._compute_scale() * POINTS / self.logicalDpiX()
        larger_zooms = [value for value in ZOOMS if value > zoom + 0.01]
        smaller_zooms = [value for value in ZOOMS if value < zoom - 0.01]
        self._zoom = (larger_zooms[:1] or ZOOMS[-1:])[0] if step > 0 else (smaller_zooms[-1:] or ZOOMS[:1])[0]
        self._draw_current_page()

    def show_whole_page(self) -> None:
        self._zoom = 0.0
        self._draw_current_page()

    def _update_filters_and_make_document(self, _index: int) -> None:
        self._enable_filters_of_report(self.report.value() or "")
        self.session.settings.setValue("paper", self.paper.value())
        self.make_pdf_in_background()

    def _show_document(self, document: ReportsPdf) -> None:
        self.pdf, self._printed_pdf = document.pdf, document
        self._show_warnings()
        for button in (self.yes, self.save_button):
            button.setEnabled(bool(self.pdf))
        self._draw_current_page()

    def _show_warnings(self) -> None:
        catalogue, request = self.session.catalogue, self.request
        warnings = (
            make_round_without_results_warning(
                catalogue, self.session.index, request.report, request.divisions, request.round
            ),
            describe_missing_letters(catalogue, self._printed_pdf.missing),
        )
        self.message.setText("\n".join(filter(None, warnings)))

    def _show_document_error(self, error: Exception) -> None:
        user_error = get_user_error_or_raise(error)
        self.message.setText(self.session.catalogue.describe_error(user_error))
        self.all_pages.setVisible(user_error.code == _MANY_PAGES)
        self.sheet.clear()
        self.page_label.setText("")

    def _draw_current_page(self) -> None:
        if not self.pdf:
            return
        self._task.cancel_work()
        ratio = self.devicePixelRatioF()
        call = partial(self._drawer.draw_page, self.pdf, self.page, self._compute_scale() * ratio)
        label = self.text("Drawing the page…")
        self._task = self.session.run_in_background(
            call,
            on_success=make_callback_unless_deleted(self, partial(self._show_page_picture, ratio)),
            label=label,
        )

    def _show_page_picture(self, ratio: float, picture: PdfPagePicture) -> None:
        self.pages = picture.page_count
        self.thumbnails.show_document(self.pdf, picture.page_count)
        self.thumbnails.select_page(self.page)
        pixmap = QPixmap.fromImage(make_image(picture))
        pixmap.setDevicePixelRatio(ratio)
        self.sheet.setPixmap(pixmap)
        self.page_label.setText(self.text("Page {page} of {pages}", page=self.page + 1, pages=self.pages))
        announce_text(self.page_label, self.page_label.text())

    def _compute_scale(self) -> float:
        if self._zoom:
            return self._zoom * self.logicalDpiX() / POINTS
        paper = self.request.paper
        width, height = reports.REPORTS[self.request.report].get_page_size(
            reports.PAPERS[paper], large_type=paper.endswith(LARGE_SUFFIX)
        )
        area_size = self._scroll.viewport().size()
        return max(0.2, min((area_size.width() - UNIT * 2) / width, (area_size.height() - UNIT * 2) / height))

    # --- saving and printing

    def save_to_chosen_file(self) -> None:
        request, index = self.request, self.session.index
        parts = [self.session.tournament.event.name, self.text(reports.REPORTS[request.report].untranslated_title)]
        if request.round is not None:
            parts.append(format_round_in_divisions(self.session.catalogue, index, index.divisions, request.round))
        path = ask_pdf_file(self, self.session, " ".join(parts))
        if path is not None:
            self.save_pdf(path)

    def save_pdf(self, path: Path) -> None:
        fields.show_text(self.saved_note, "")
        try:
            write_file(path, self.pdf)
        except InputError as error:
            self.message.setText(self.session.catalogue.describe_error(error))
        else:
            self.session.printouts.record_printouts(self._printed_pdf.list_printouts())
            self._show_warnings()
            fields.show_text(self.saved_note, self.text("Saved as {name}", name=path.name))

    def confirm_dialog(self) -> None:
        error = explain_missing_printer(self.session.catalogue)
        if error:
            remedy = self.text("Save the pages as a PDF and print it on another computer.")
            self.message.setText(f"{error} {remedy}")
            return
        printer = ask_user_for_printer(self, self.session, self._printed_pdf)
        if printer is not None:
            on_accepted, on_refusal = (
                make_callback_for_visible_widget(self, self.accept),
                make_callback_for_visible_widget(self, self.message.setText),
            )
            PrintJobRun(
                self.session, printer, self._printed_pdf, on_refusal=on_refusal, on_accepted=on_accepted
            ).start_printing()

    # --- Qt events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        actions: Mapping[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_PageDown: partial(self.turn_page, 1),
            Qt.Key.Key_PageUp: partial(self.turn_page, -1),
            Qt.Key.Key_Home: partial(self.turn_page, -self.pages),
            Qt.Key.Key_End: partial(self.turn_page, self.pages),
            Qt.Key.Key_Plus: partial(self.zoom_by, 1),
            Qt.Key.Key_Minus: partial(self.zoom_by, -1),
            Qt.Key.Key_0: self.show_whole_page,
        }
        actions.get(Qt.Key(event.key()), partial(super().keyPressEvent, event))()

    def done(self, result: int) -> None:
        self._task.cancel_work()
        super().done(result)

    def redraw_fitted_page(self) -> None:
        if not self._zoom:
            self._draw_current_page()


class _PageScrollArea(QScrollArea):
    """Scrolls a page. The wheel zooms while Ctrl is pressed.

    A resize also scales a page fitted to this area.
    """

    def __init__(self, preview: PrintPreview) -> None:
        super().__init__(widgetResizable=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._preview = preview
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        step = -1 if event.angleDelta().y() < 0 else 1
        bar = self.verticalScrollBar()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._preview.zoom_by(step)
        elif bar.value() == (bar.maximum() if step < 0 else bar.minimum()):
            self._preview.turn_page(-step)
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._preview.redraw_fitted_page()
