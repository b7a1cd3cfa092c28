"""The Printouts page: all reports, in sets for each moment of the tournament."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from tdapp import reports
from tdapp.domain import commands
from tdapp.domain.commands.papers import MOST_COPIES
from tdapp.domain.model import Division
from tdapp.domain.paper import PrintingMoment, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.domain.translatable import C_
from tdapp.exchange.text import read_file, write_file
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.printouts.print_run import PrintJobRun, ask_user_for_printer, explain_missing_printer
from tdapp.gui.printouts.printer import (
    PdfPagePicture,
    PdfPageRenderer,
    ask_pdf_file,
    convert_logo_or_svg_to_base64,
    list_paper_size_ids_and_names,
    list_report_ids_and_titles,
    make_image,
)
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import ask_existing_file
from tdapp.gui.widgets.fields import Choice, NumberEdit
from tdapp.gui.widgets.page import Page, Panel, set_tab_order
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.catalogue import LANGUAGE_NAMES
from tdapp.i18n.phrases import format_round_in_divisions
from tdapp.reports.printed import (
    PrintoutState,
    describe_missing_letters,
    describe_omitted_reports,
    describe_printout,
)
from tdapp.reports.registry import find_printing_moment_of_round, list_report_choices
from tdapp.reports.report import ReportGroup
from tdapp.services.printing import PrintRequest, ReportsPdf
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise


class EditReportSetPanel(Panel):
    """Edits the set of reports printed together at a moment of the tournament."""

    topic = "papers"

    def __init__(self, session: Session, moment: PrintingMoment) -> None:
        super().__init__(session, session.catalogue.text("Reports printed together"), width=UNIT * 60)
        moments = [(item, session.catalogue.translate_code(item)) for item in PrintingMoment]
        self.moment: Choice[PrintingMoment] = Choice(
            self.text("Reports printed together"), moments, session.appearance, value=moment
        )
        self.moment.currentIndexChanged.connect(self._show_report_choice_rows)
        self.lines: list[ReportChoiceRow] = []
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        kinds = [("", self.text("Add a report…")), *list_report_ids_and_titles(session)]
        self.report_choice: Choice[str] = Choice(self.text("Add a report…"), kinds, session.appearance)
        self.report_choice.currentIndexChanged.connect(self._add_report)
        self.reset_button = fields.make_button(
            self.text("Use the suggested reports"), partial(self._save_report_set, ()), role="link"
        )
        note = self.text("Saved with the tournament, so any computer that opens the file prints the same reports.")
        fields.add_parts_to_layout(
            self.body, self.moment, self._scroll, fields.make_row(self.report_choice, 1, self.reset_button)
        )
        self.body.addWidget(fields.make_note_label(note))
        self._shown_content: tuple[ReportChoice, ...] = ()
        self.setFocusProxy(self.moment)
        self._show_report_choice_rows()

    def refresh_panel(self) -> None:
        if self._list_report_choices_of_chosen_moment() != self._shown_content:
            self._show_report_choice_rows()
        for widget in (self.report_choice, self.reset_button, *self.lines):
            widget.setEnabled(not self.session.is_read_only_or_not_director)

    def replace_report_choice(self, old: ReportChoice, *new: ReportChoice, offset: int = 0) -> None:
        """Replace `old` by `new`, `offset` lines lower (negative: higher). Without `new`, remove `old`.

        If the set becomes empty, it gets the suggested reports.
        """
        choices = list(self._list_report_choices_of_chosen_moment())
        if old in choices:
            position = choices.index(old)
            del choices[position]
            position = max(0, position + offset)
            self._save_report_set((*choices[:position], *new, *choices[position:]))

    def _add_report(self, _index: int) -> None:
        report = self.report_choice.value()
        if report:
            self.report_choice.choose_value("")
            paper = ReportChoice(
                ReportChoiceId(""), self._get_chosen_moment(), 0, report, self.session.printouts.paper_size
            )
            self._save_report_set((*self._list_report_choices_of_chosen_moment(), paper))

    def _save_report_set(self, choices: tuple[ReportChoice, ...]) -> None:
        self.session.do(
            partial(commands.choose_reports, moment=self._get_chosen_moment(), papers=choices), quiet=True
        )

    def _get_chosen_moment(self) -> PrintingMoment:
        return self.moment.value() or PrintingMoment.ROUND

    def _list_report_choices_of_chosen_moment(self) -> tuple[ReportChoice, ...]:
        return list_report_choices(
            self.session.tournament, self._get_chosen_moment(), paper_size=self.session.printouts.paper_size
        )

    def _show_report_choice_rows(self, _index: int = 0) -> None:
        self._shown_content = self._list_report_choices_of_chosen_moment()
        before: QWidget | None = self._scroll.takeWidget()
        if before is not None:
            before.deleteLater()  # later: its field may be sending the current signal
        content = QWidget()
        column = QGridLayout(content)
        column.setContentsMargins(0, 0, UNIT, 0)
        self.lines = [ReportChoiceRow(self, position, paper) for position, paper in enumerate(self._shown_content)]
        for position, line in enumerate(self.lines):
            column.addWidget(line, position, 0)
        column.setRowStretch(len(self.lines), 1)
        self._scroll.setWidget(content)
        content.setAutoFillBackground(False)
        # Tab visits the lines, created last, before the widgets below them
        kinds = (QComboBox, QLineEdit, QAbstractButton)
        row_fields = [
            field for line in self.lines for field in line.findChildren(QWidget) if isinstance(field, kinds)
        ]
        set_tab_order([self.moment, *row_fields, self.report_choice, self.reset_button])


class ReportChoiceRow(QWidget):
    """One report of the set with its copies, paper size and language."""

    def __init__(self, panel: EditReportSetPanel, position: int, choice: ReportChoice) -> None:
        super().__init__()
        self._panel, self._choice = panel, choice
        session, appearance = panel.session, panel.session.appearance
        text = session.catalogue.text
        self.report: Choice[str] = Choice(
            text("Report"), list_report_ids_and_titles(session), appearance, value=choice.report
        )
        self.copies = NumberEdit(text("Copies"), value=choice.copies, width=UNIT * 7)
        self.page: Choice[str] = Choice(
            text("Paper size"), list_paper_size_ids_and_names(session), appearance, value=choice.page
        )
        columns: list[tuple[int | None, str]] = [
            (None, text("Usual number of columns")), (1, text("One column")), (2, text("Two columns")),
        ]  # fmt: skip
        self.columns: Choice[int | None] = Choice(text("Columns"), columns, appearance, value=choice.columns)
        names = [("", text("Language of the program")), *LANGUAGE_NAMES.items()]
        self.language: Choice[str] = Choice(text("Language"), names, appearance, value=choice.language)
        for field in (self.report, self.page, self.columns, self.language):
            field.currentIndexChanged.connect(self._save_report_choice)
        self.copies.editingFinished.connect(self._save_copy_count)
        up_button = self._make_button(
            "chevron-up", text("Move up"), partial(panel.replace_report_choice, choice, choice, offset=-1)
        )
        down_button = self._make_button(
            "chevron-down", text("Move down"), partial(panel.replace_report_choice, choice, choice, offset=1)
        )
        self.remove_button = self._make_button(
            "close", text(C_("report", "Leave out")), partial(panel.replace_report_choice, choice)
        )
        up_button.setEnabled(position > 0)
        copies_label = fields.make_label(text("number of copies"), "muted")
        column = QGridLayout(self)
        column.setContentsMargins(0, 0, 0, UNIT)
        column.addLayout(fields.make_row(self.report, 1, up_button, down_button, self.remove_button), 0, 0)
        column.addLayout(fields.make_row(self.copies, copies_label, self.page, 1), 1, 0)
        column.addLayout(fields.make_row(self.columns, self.language, 1), 2, 0)
        column.addWidget(fields.make_separator(), 3, 0)

    def _make_button(self, icon: str, spoken_text: str, run: Callable[[], None]) -> QWidget:
        button = fields.make_button("", run, role="quiet", name=spoken_text, tip=spoken_text)
        button.setIcon(self._panel.session.appearance.make_icon(icon))
        return button

    def _save_report_choice(self, _index: int = 0) -> None:
        paper = replace(
            self._choice,
            report=self.report.value() or self._choice.report,
            page=self.page.value() or "a4",
            columns=self.columns.value(),
            language=self.language.value() or "",
        )
        self._panel.replace_report_choice(self._choice, paper)

    def _save_copy_count(self) -> None:
        copies = self.copies.get_number_or_none()
        if copies is None or not 1 <= copies <= MOST_COPIES:
            self.copies.setText(str(self._choice.copies))
        elif copies != self._choice.copies:
            self._panel.replace_report_choice(self._choice, replace(self._choice, copies=copies))


_PANE_WIDTH = UNIT * 46  # width of the shown page
_MIN_WIDTH_WITH_PANE = UNIT * 106  # minimum page width with the pane
_ROUND_GROUPS = frozenset({ReportGroup.ROUND, ReportGroup.AFTER})


class PrintoutRow(Struct, frozen=True):
    """A report in the list of printouts."""

    key: str
    group: ReportGroup
    paper: str
    state: PrintoutState
    printed_at: str | None  # None if it was never printed


class PrintoutsPage(Page):
    """The list of reports, and a picture of the first page of the selected report."""

    id = "papers"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last_proposed_moment: tuple[object, ...] = ()
        self._task = BackgroundTask("")
        self._shown_content: tuple[object, ...] = ()
        moments = [(moment, session.catalogue.translate_code(moment)) for moment in PrintingMoment]
        self.moment: Choice[PrintingMoment] = Choice(
            self.text("Reports printed together"), moments, session.appearance
        )
        self.moment.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.moment.currentIndexChanged.connect(self._show_titles_of_chosen_reports)
        self.all_divisions = fields.make_check_box(self.text("All divisions"))
        self._report_set_label = ElidedLabel("muted")
        self._stale_label = ElidedLabel()
        self._reprint_button = fields.make_button(
            self.text(C_("changed reports", "Print these again")), self.reprint_stale_printouts
        )
        self._dismiss_button = fields.make_button(
            self.text("No reprint needed"), self.dismiss_stale_printouts, role="link"
        )
        self._stale_row = QWidget()
        fields.make_row(
            self._stale_label, self._reprint_button, self._dismiss_button, parent=self._stale_row
        ).setStretch(0, 1)
        self.rows = TableRowsModel(session.catalogue)
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Printouts"))
        self.view.set_widths({"printed_at": 146}, stretch=("paper",))
        self.view.current_row_changed.connect(self.cursor_moved)
        self.view.current_row_changed.connect(self._show_first_page)
        self.view.row_activated.connect(lambda _key: self.open_preview())
        self.sheet = QLabel(alignment=Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.sheet.setAccessibleName(self.text(C_("preview", "First page")))
        self._purpose = fields.make_label("", "body", wrap=True)
        self._pages_label = fields.make_note_label()
        self._pane = QWidget()
        self._pane.setFixedWidth(_PANE_WIDTH)
        self.setFocusProxy(self.view)
        fields.make_column(self._purpose, self.sheet, self._pages_label, 1, gap=UNIT // 2, parent=self._pane)
        self.body.addLayout(fields.make_row(self.moment, self._report_set_label, self.all_divisions, gap=UNIT * 2))
        self.body.addWidget(self._stale_row)
        self.body.addLayout(fields.make_row(self.view, self._pane, gap=UNIT * 3, wide=self.view), 1)

    def list_page_actions(self) -> tuple[Action, ...]:
        session, text = self.session, self.session.catalogue.text
        report_action = partial(Action, menu="papers", enabled=lambda: session.division is not None)
        setup_action = partial(Action, menu="setup", enabled=lambda: not session.is_read_only_or_not_director)
        return (
            report_action("print-all", text("Print all"), self.print_report_set, "print", "Shift+F8",
                primary=True),
            report_action("print-paper", text("Print…"), self.open_preview, "print", "F8", header=True),
            report_action("save-all", text("All as one PDF…"), self.save_report_set_as_pdf, "save", header=True),
            report_action("choose-reports", text("Choose the reports…"), self.open_edit_report_set_panel, "edit",
                enabled=lambda: not session.is_read_only_or_not_director, header=True),
            report_action("print-again", text("Print outdated printouts again"), self.reprint_stale_printouts,
                enabled=lambda: bool(session.printouts.list_stale_printouts())),
            setup_action("set-logo", text("Logo on printouts…"), self.choose_logo),
            setup_action("remove-logo", text("Remove the logo"),
                partial(session.do, partial(commands.remove_logo)),
                enabled=lambda: not session.is_read_only_or_not_director and bool(session.tournament.logos),
                vanishes=True),
        )  # fmt: skip

    # --- display

    def refresh_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        division, number = session.division, session.round_number
        message = text("Division {code}", code=division.code) if division else text("There is no division yet.")
        if division and number:
            message = (
                f"{message} · {format_round_in_divisions(session.catalogue, session.index, (division,), number)}"
            )
        self.set_title(text("Printouts"), message)
        self._propose_printing_moment()
        self._show_titles_of_chosen_reports()
        self.all_divisions.setVisible(len(session.index.divisions) > 1)
        self.rows.show_table(self._make_printout_table())
        stale_printouts = session.printouts.list_stale_printouts()
        self._stale_row.setVisible(bool(stale_printouts))
        if stale_printouts:
            names = "; ".join(
                describe_printout(item.printout, session.catalogue, session.index) for item in stale_printouts
            )
            self._stale_label.set_full_text(
                text("Reports that have changed since they were printed: {papers}", papers=names)
            )
        if not self.view.get_current_row_key() and self.rows.keys():
            self.view.select_row(self.rows.keys()[0])
        self._show_first_page()

    def reveal_row(self, key: str) -> None:
        row = self.session.tournament.printouts.get(PrintoutId(key))
        self.view.select_row(row.report if row else key)

    def _make_printout_table(self) -> Table[PrintoutRow]:
        catalogue, index, division = self.session.catalogue, self.session.index, self.session.division
        rows = (
            PrintoutRow(key, report.group, catalogue.text(report.untranslated_title), state, printed_at)
            for key, report in reports.REPORTS.items()
            for state, printed_at in [self._find_print_state_and_time(key)]
            if division is None or report.is_applicable(index, division) or printed_at
        )
        return Table("papers", _COLUMNS, tuple(sorted(rows, key=lambda row: [*ReportGroup].index(row.group))))

    def _find_print_state_and_time(self, report: str) -> tuple[PrintoutState, str | None]:
        division, number = self.session.division, self._find_round_number_for_report(report)
        printouts = [
            row
            for row in self.session.tournament.printouts.values()
            if row.report == report and row.division in {None, division.id if division else None}
            and (row.round or 0) == (number or 0)
        ]  # fmt: skip
        if not printouts:
            return PrintoutState.UNPRINTED, None
        states = [self.session.printouts.get_printout_state(row.id) for row in printouts]
        priority = (PrintoutState.STALE, PrintoutState.PART, PrintoutState.WAIVED, PrintoutState.PRINTED)
        return min(states, key=priority.index), max(row.at for row in printouts)

    def _find_round_number_for_report(self, report: str) -> int | None:
        division, number = self.session.division, self.session.round_number
        group = reports.REPORTS[report].group
        if group not in _ROUND_GROUPS or division is None:
            return None
        last_round = self.session.index.get_last_round_with_results(division.id)
        return min(number or 0, last_round) if group is ReportGroup.AFTER else number

    def _propose_printing_moment(self) -> None:
        session = self.session
        division = session.division.id if session.division else None
        moment = find_printing_moment_of_round(session.index, division, session.round_number)
        current = (division, session.round_number, moment)
        if current != self._last_proposed_moment:
            self._last_proposed_moment = current
            self.moment.choose_value(moment)

    def _show_titles_of_chosen_reports(self, _index: int = 0) -> None:
        catalogue = self.session.catalogue
        if not self.session.is_open:
            return
        parts = [
            catalogue.text(reports.REPORTS[choice.report].untranslated_title)
            + (f" ×{choice.copies}" if choice.copies > 1 else "")
            for choice in self._list_report_choices_of_chosen_moment()
        ]
        self._report_set_label.set_full_text(" · ".join(parts))

    def _list_report_choices_of_chosen_moment(self) -> tuple[ReportChoice, ...]:
        moment = self.moment.value() or PrintingMoment.ROUND
        return list_report_choices(self.session.tournament, moment, paper_size=self.session.printouts.paper_size)

    def _show_first_page(self) -> None:
        report, session = self.view.get_current_row_key(), self.session
        if not report or session.division is None or not self.isVisible():
            return
        self._purpose.setText(session.catalogue.text(reports.REPORTS[report].purpose))
        height = max(self.view.height() - UNIT * 9, UNIT * 20)
        pane_size = QSize(_PANE_WIDTH, height) * self.devicePixelRatioF()  # in device pixels
        content = (report, session.division.id, session.round_number, session.index, pane_size)
        if content == self._shown_content or self._pane.isHidden():
            return
        self._shown_content = content
        self._task.cancel_work()
        self._task = task = BackgroundTask(session.catalogue.text("Creating the pages…"))
        request = self._make_print_request(report, (session.division,))
        make = partial(
            session.printouts.make_print_service().make_pdf,
            (request,),
            task.report_progress,
            limit_error="print-many-pages",
        )
        call = partial(_draw_first_page, make, PdfPageRenderer.get_or_make_service(session), pane_size)
        show_picture = make_callback_unless_deleted(self, self._show_page_picture)
        show_error = make_callback_unless_deleted(self, self._show_page_drawing_error)
        session.run_in_background(call, on_success=show_picture, label=task.label, on_error=show_error, task=task)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._pane.setVisible(self.width() >= _MIN_WIDTH_WITH_PANE)
        if self.session.is_open:
            self._show_first_page()

    def _show_page_picture(self, picture: PdfPagePicture) -> None:
        pixmap = QPixmap.fromImage(make_image(picture))
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        self.sheet.setPixmap(pixmap)
        self._pages_label.setText(self.session.catalogue.plural("One page", "{n} pages", picture.page_count))

    def _show_page_drawing_error(self, error: Exception) -> None:
        self._pages_label.setText(self.session.catalogue.describe_error(get_user_error_or_raise(error)))
        self.sheet.clear()

    # --- printing

    def open_preview(self) -> None:
        report = self.view.get_current_row_key() or self._list_report_choices_of_chosen_moment()[0].report
        PrintPreview(self.session, report, round=self.session.round_number, parent=self.window()).open()

    def print_report_set(self) -> None:
        self._make_pdf(self.list_print_requests(), self._print_pdf)

    def save_report_set_as_pdf(self) -> None:
        self._make_pdf(self.list_print_requests(), self._save_to_chosen_file)

    def reprint_stale_printouts(self) -> None:
        self._make_pdf(self.session.printouts.make_requests_for_stale_printouts(), self._print_pdf)

    def dismiss_stale_printouts(self) -> None:
        self.session.printouts.mark_reprint_as_unneeded(self.session.printouts.list_stale_printouts())

    def list_print_requests(self) -> tuple[PrintRequest, ...]:
        session = self.session
        divisions = session.index.divisions if self.all_divisions.isChecked() else (session.division,)
        chosen_divisions = tuple(division for division in divisions if division is not None)
        return tuple(
            self._make_print_request(choice.report, chosen_divisions, choice)
            for choice in self._list_report_choices_of_chosen_moment()
            if chosen_divisions
        )

    def _make_print_request(
        self, report: str, divisions: tuple[Division, ...], choice: ReportChoice | None = None
    ) -> PrintRequest:
        language, page = self.session.catalogue.language, self.session.printouts.paper_size
        request = PrintRequest(report, divisions, self.session.round_number, language, page)
        return request if choice is None else request.make_request_for_report_choice(choice)

    def _make_pdf(self, requests: tuple[PrintRequest, ...], use_pdf: Callable[[ReportsPdf], None]) -> None:
        session = self.session
        if not requests:
            session.show_message(session.catalogue.text("There is nothing to print yet."), tone="red")
            return
        session.printouts.make_pdf(requests, on_success=make_callback_unless_deleted(self, use_pdf))

    def _print_pdf(self, pdf: ReportsPdf) -> None:
        error = explain_missing_printer(self.session.catalogue)
        if error:
            remedy = self.text("Choose a file name to save the pages as a PDF and print it on another computer.")
            self.session.show_message(f"{error} {remedy}", tone="note")
            self._save_to_chosen_file(pdf)
            return
        printer = ask_user_for_printer(self, self.session, pdf)
        if printer is not None:
            if omissions := self._describe_omitted_reports_and_letters(pdf):
                self.session.show_message(omissions, tone="note")
            PrintJobRun(
                self.session, printer, pdf, on_refusal=partial(self.session.show_message, tone="red")
            ).start_printing()

    def _save_to_chosen_file(self, pdf: ReportsPdf) -> None:
        number = f" {self.session.round_number}" if self.session.round_number else ""
        path = ask_pdf_file(self, self.session, f"{self.session.tournament.event.name}{number}")
        if path is not None:
            self.save_pdf(path, pdf)

    def save_pdf(self, path: Path, pdf: ReportsPdf) -> None:
        self.session.run_in_background(
            partial(write_file, path, pdf.pdf),
            on_success=lambda _result: self._record_printouts_of_saved_pdf(path, pdf),
            label=self.text("Writing {name}", name=path.name),
        )

    def _record_printouts_of_saved_pdf(self, path: Path, pdf: ReportsPdf) -> None:
        self.session.printouts.record_printouts(pdf.list_printouts())
        saved_text = self.text("Saved as {name}", name=path.name)
        self.session.show_message(
            " · ".join(filter(None, (saved_text, self._describe_omitted_reports_and_letters(pdf))))
        )

    def _describe_omitted_reports_and_letters(self, pdf: ReportsPdf) -> str:
        catalogue = self.session.catalogue
        gaps = (
            describe_omitted_reports(catalogue, pdf.left_out),
            describe_missing_letters(catalogue, pdf.missing),
        )
        return " · ".join(filter(None, gaps))

    # --- settings of the tournament

    def open_edit_report_set_panel(self) -> None:
        self.show_panel(EditReportSetPanel(self.session, self.moment.value() or PrintingMoment.ROUND))

    def choose_logo(self) -> None:
        pattern = self.text("Pictures (*.png *.jpg *.jpeg *.svg)")
        if path := ask_existing_file(self, self.session, self.text("Logo on printouts"), pattern):
            self.set_logo(path)

    def set_logo(self, path: Path) -> None:
        self.session.run_in_background(
            lambda: convert_logo_or_svg_to_base64(read_file(path), path.name),
            on_success=lambda data: self.session.do(partial(commands.set_logo, name=path.name, data=data)),
            label=self.text("Reading {name}", name=path.name),
        )


def _draw_first_page(make: Callable[[], ReportsPdf], pages: PdfPageRenderer, pane_size: QSize) -> PdfPagePicture:
    pdf = make().pdf
    width, height = pages.draw_page(pdf, 0, 0.05).page_size
    return pages.draw_page(pdf, 0, min(pane_size.width() / width, pane_size.height() / height))


_COLUMNS: tuple[Column[PrintoutRow], ...] = (
    Column("wanted_for", ColumnKind.CODE, attrgetter("group")),
    Column("paper", ColumnKind.TEXT, attrgetter("paper")),
    Column("state", ColumnKind.CODE, attrgetter("state")),
    Column("printed_at", ColumnKind.TIME, attrgetter("printed_at")),
)
