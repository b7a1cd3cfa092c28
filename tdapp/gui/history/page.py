"""The History page, snapshots (dated copies of the file), and the check codes of printouts."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from tdapp.desk import Desk
from tdapp.domain.errors import CommandError
from tdapp.domain.tables import jury, rounds
from tdapp.domain.tables.history import COMMAND_GROUPS, HistoryRow, find_group_of_command, make_history_table
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_
from tdapp.domain.verification import PrintoutVerification
from tdapp.exchange.cells import encode_table_as_csv
from tdapp.exchange.text import write_file
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.problems_panel import list_division_problems
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_file_to_write, ask_folder, ask_new_tournament_file
from tdapp.gui.widgets.fields import Choice, LineEdit, NumberEdit, SearchField
from tdapp.gui.widgets.page import Page, Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.phrases import describe_checksum, list_verification_sentences
from tdapp.services.backups import MAX_MINUTES, restore_and_open_snapshot
from tdapp.services.worker import get_user_error_or_raise
from tdapp.storage.snapshots import Snapshot, SnapshotReason


class HistoryPage(Page):
    """The list of all steps, newest first, with undone steps marked. A step is one undoable change."""

    id = "history"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        column_texts = {"step": self._describe_step, "at": self._format_step_time}
        empty = self.text("No changes have been made yet.")
        self.rows = TableRowsModel(
            session.catalogue,
            tone=lambda row: "muted" if row.undone else "",
            hidden={"id"},
            shown_texts=column_texts,
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("History"), empty=empty)
        self.view.set_widths({"seq": 72, "at": 184, "station": 120, "undone": 96})
        self.view.hide_columns_if_too_narrow(("undone", "station"))
        self.view.row_activated.connect(lambda _key: self.view_past_step())
        self.view.selection_changed.connect(self.cursor_moved)
        self.search = SearchField(self.text("Search by player, table or word"), session.appearance)
        self.search.textChanged.connect(self.view.filter_rows)
        kinds = [
            ("", self.text("All kinds of steps")),
            *((group, session.catalogue.translate_code(group)) for group in COMMAND_GROUPS),
        ]
        self._kind: Choice[str] = Choice(
            self.text(C_("filter of the history", "Kind of step")), kinds, session.appearance
        )
        self._kind.currentIndexChanged.connect(self.refresh_page)
        self._step_range: tuple[int, int] | None = None
        self._step_range_label = fields.make_label("", "muted")
        self._all_steps_button = fields.make_button(
            self.text(C_("filter of the history", "All steps")), self.show_all_steps, role="link"
        )
        self.body.addLayout(
            fields.make_row(self._kind, self.search, self._step_range_label, self._all_steps_button, 1)
        )
        full_text = self.view.make_label_for_cut_off_text("step")
        fields.add_parts_to_layout(self.body, self.view, full_text, wide=self.view)
        session.opened.connect(self._clear_step_range_filter)
        self.setFocusProxy(self.view)

    def list_page_actions(self) -> tuple[Action, ...]:
        text = self.session.catalogue.text
        return (
            Action("look-back", text(C_("history", "View this step")), self.view_past_step, "history", "",
                   "history", self._can_view_step, header=True),
            Action("snapshots", text("Snapshots…"), self.open_snapshots_panel, "save", "", "snapshots",
                   header=True),
            Action("verify", text("Verify a printout…"), self.open_checksums_dialog, "", "", "history"),
            Action("save-history", text("Save the list…"), self.ask_path_and_save_csv, "", "", "history"),
            Action("copy-history", text("Copy"), self.view.copy_rows, "copy", header=True),
        )  # fmt: skip

    def refresh_page(self) -> None:
        explanation = self.text("Every step is kept in the file. Undo reverses the latest one.")
        self.set_title(
            self.text("History"),
            f"{explanation} {describe_checksum(self.session.catalogue, self.session.tournament)}".strip(),
        )
        self.rows.show_table(self._make_table_of_chosen_steps())
        has_steps = bool(self.session.desk.list_all_steps())
        self.view.set_empty_text(
            self.text("No step matches the search.") if has_steps else self.text("No changes have been made yet.")
        )
        for widget in (self._step_range_label, self._all_steps_button):
            widget.setVisible(self._step_range is not None)
        self.get_action("look-back").update_state()

    def view_past_step(self) -> None:
        key = self.view.get_current_row_key()
        if self._can_view_step():
            step = self.rows.find_row_by_key(key).step
            show = make_callback_unless_deleted(self, lambda desk: self.session.looked_back.emit(desk, step))
            self.session.run_on_desk_thread(
                partial(_open_desk_on_past_state, self.session.desk, step.seq), on_success=show
            )

    def open_snapshots_panel(self) -> None:
        panel = SnapshotsPanel(self.session)
        panel.comparison_requested.connect(self.show_steps_between_revisions)
        self.show_panel(panel)

    def open_checksums_dialog(self) -> None:
        VerifyChecksumsDialog(self.session, parent=self).open()

    def show_steps_between_revisions(self, start: int, end: int) -> None:
        self._step_range, text = (start, end), self.session.catalogue.text
        range_text = text("Steps {first} to {last}", first=start + 1, last=end)
        no_change_text = text("Nothing has changed since step {seq}.", seq=end)
        self._step_range_label.setText(no_change_text if start == end else range_text)
        self.refresh_page()

    def reveal_row(self, key: str) -> None:
        self._kind.setCurrentIndex(0)
        self.search.clear()
        self.show_all_steps()
        self.view.select_row(key)

    def show_all_steps(self) -> None:
        self._step_range = None
        self.refresh_page()

    def ask_path_and_save_csv(self) -> None:
        proposed_path = Path(self.session.recent.propose_save_folder()) / f"{self.text('History')}.csv"
        if path := ask_file_to_write(self, self.text("Save the list"), proposed_path, "*.csv"):
            self.save_steps_as_csv(path)

    def save_steps_as_csv(self, path: Path) -> None:
        catalogue, table = self.session.catalogue, self._make_table_of_chosen_steps()
        columns = [
            replace(column, value=self._describe_step) if column.id == "step" else column
            for column in table.columns
        ]
        visible_keys = {*self.rows.keys()}  # without the steps that the search hides
        text_table = Table(table.id, tuple(columns), tuple(row for row in table.rows if row.key in visible_keys))
        message = catalogue.text("File saved: {name}", name=path.name)
        self.session.run_in_background(
            lambda: write_file(
                path, encode_table_as_csv(text_table, heading=catalogue.heading, decimal=catalogue.decimal_mark)
            ),
            on_success=lambda _result: self.session.show_message(message),
            label=catalogue.text("Writing {name}", name=path.name),
        )

    def _make_table_of_chosen_steps(self) -> Table[HistoryRow]:
        table = make_history_table(self.session.desk.list_all_steps())
        start, end = self._step_range or (0, len(table.rows))
        kind = self._kind.value()
        rows = (
            row
            for row in table.rows
            if start < row.seq <= end and (not kind or find_group_of_command(row.step.label) == kind)
        )
        return Table(table.id, table.columns, tuple(rows))

    def _can_view_step(self) -> bool:
        return self.session.is_open and self.session.present is None and bool(self.view.get_current_row_key())

    def _clear_step_range_filter(self) -> None:
        self._step_range = None

    def _describe_step(self, row: HistoryRow) -> str:
        return self.session.catalogue.describe_history_step(row, hide_words=self.session.is_judge_screen_open)

    def _format_step_time(self, row: HistoryRow) -> str:
        return self.session.catalogue.format_date_and_time(
            datetime.fromisoformat(row.at).astimezone(), with_seconds=True
        )


def _open_desk_on_past_state(desk: Desk, seq: int) -> Desk:
    """Return a read-only `Desk` (open tournament) in the state after history step `seq`.

    Call it in a worker: it also fills caches, which is slow.
    """
    past_desk = desk.open_past_state(seq)
    for division in past_desk.index.divisions[:1]:
        list_division_problems(past_desk, division)
        jury.count_games_waiting_for_jury(past_desk.index, division)
        for item in past_desk.index.rounds(division.id)[-1:]:
            rounds.list_pairings_with_distinct_names(past_desk.index, item)
    return past_desk


class VerifyChecksumsDialog(Dialog):
    """Compares the check codes at the foot of printouts with the history."""

    topic = "history"

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(
            session,
            text("Verify a printout"),
            yes=text(C_("button: compare a printout", "Verify")),
            parent=parent,
            size=(80, 48),
        )
        self.no.setText(text("Close"))
        self._verified_codes: list[str] = []
        self.code_field = LineEdit(text("Check code on the printout"), placeholder="24 · ABCD EFGH JKMN PQRS")
        instructions = text(
            "Type the check code printed at the foot of a page, with or without spaces. To find "
            "the last step on which file and pages agree, verify several pages."
        )
        self.result_label = fields.make_label(wrap=True)
        fields.add_parts_to_layout(
            self.body,
            fields.make_note_label(instructions),
            self.code_field,
            self.result_label,
            1,
            wide=self.result_label,
        )
        self.code_field.setFocus()
        self._verify_typed_check_codes()

    def confirm_dialog(self) -> None:
        self._verify_typed_check_codes(*filter(None, [self.code_field.text().strip()]))

    def _verify_typed_check_codes(self, *new_codes: str) -> None:
        codes = [*self._verified_codes, *new_codes]
        show_result = make_callback_unless_deleted(self, partial(self._show_verification, codes))
        show_failure = make_callback_unless_deleted(self, self._show_checksum_error)
        self.session.run_on_desk_thread(
            partial(self.session.desk.verify_checksums, codes), on_success=show_result, on_error=show_failure
        )

    def _show_verification(self, codes: list[str], verification: PrintoutVerification) -> None:
        self._verified_codes = codes
        self.result_label.setText("\n".join(list_verification_sentences(verification, self.session.catalogue)))
        self.code_field.clear()
        self.show_error("")

    def _show_checksum_error(self, error: Exception) -> None:
        self.show_error(self.session.catalogue.describe_error(get_user_error_or_raise(error)), self.code_field)


class SnapshotRow(Struct, frozen=True):
    """A row of the list of snapshots."""

    key: str
    at: str
    taken: SnapshotReason
    snapshot_name: str
    since: int  # number of steps after the snapshot
    snapshot: Snapshot


class SnapshotsPanel(Panel):
    """The list of snapshots."""

    comparison_requested = Signal(int, int)  # revisions of the older and the newer state

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Snapshots"), width=UNIT * 73)
        text = session.catalogue.text
        self.rows = TableRowsModel(session.catalogue, hidden={"snapshot"})
        empty = text(
            "No snapshots yet.\nThe program takes a snapshot before each pairing, and every few minutes if "
            "something has changed."
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Snapshots"), empty=empty)
        self.view.set_widths({}, stretch=("snapshot_name",))
        self.view.row_activated.connect(lambda _key: self.ask_path_and_open_snapshot_copy())
        self.name = LineEdit(text("Name of a snapshot"), placeholder=text("For example: before the final"))
        self.name.returnPressed.connect(self._take_snapshot)
        self.minutes = NumberEdit(text(C_("time between snapshots", "Minutes")), width=ROW * 2)
        self.minutes.editingFinished.connect(self._set_snapshot_interval)
        self._folder_label = fields.make_note_label()
        self._second_folder_label = fields.make_label(wrap=True)
        self._arrange_widgets()
        self.setFocusProxy(self.name)

    def refresh_panel(self) -> None:
        session, text = self.session, self.session.catalogue.text
        snapshots, step_count = session.desk.snapshots, len(session.desk.list_all_steps())
        rows = tuple(
            SnapshotRow(
                item.key, item.created_at.isoformat(), item.reason, item.name, step_count - item.revision, item
            )
            for item in (snapshots.list_snapshots_newest_first() if snapshots else ())
        )
        self.rows.show_table(Table("snapshots", _SNAPSHOT_COLUMNS, rows))
        no_snapshots_text = text("A tournament that is not saved to a file has no snapshots. Save a copy first.")
        self._folder_label.setText(str(snapshots.folder) if snapshots else no_snapshots_text)
        if not self.minutes.isModified():
            self.minutes.setText(str(session.backups.interval_minutes))
        folder = session.backups.second_folder
        self._second_folder_label.setText(str(folder) if folder else text("No folder chosen"))
        for button in (self._take_button, self._open_button, self._since_button, self._folder_button):
            button.setEnabled(snapshots is not None)

    # --- build

    def _arrange_widgets(self) -> None:
        text, button = self.session.catalogue.text, fields.make_button
        self._take_button = button(text("Take a snapshot now"), self._take_snapshot)
        self._open_button = button(
            text("Open as a new file…"), self.ask_path_and_open_snapshot_copy, role="primary"
        )
        self._since_button = button(
            text(C_("changes since a snapshot", "Changes")), self._request_snapshot_comparison
        )
        self._folder_button = button(text("Show the folder"), self._open_snapshot_folder)
        interval_note = fields.make_note_label(
            text(
                "The program takes a snapshot only if something has changed. It also takes one before each "
                "pairing."
            )
        )
        interval_row = fields.make_row(
            fields.make_label(text("Take a snapshot every (minutes)")),
            self.minutes,
            interval_note,
            wide=interval_note,
        )
        copy_text = text("When a round is published, the program copies the file to another folder or USB stick:")
        fields.add_parts_to_layout(
            self.body, fields.make_row(self.name, self._take_button), self.view,
            fields.make_row(self._since_button, 1, self._open_button), self._folder_label,
            fields.make_row(self._folder_button, 1),
            fields.make_separator(), interval_row, fields.make_note_label(copy_text), self._second_folder_label,
            fields.make_row(button(text("Choose a folder…"), self._choose_second_snapshot_folder),
                button(text("Use no folder"), self._forget_second_snapshot_folder), 1),
            wide=self.view,
        )  # fmt: skip

    # --- handlers

    def ask_path_and_open_snapshot_copy(self) -> None:
        row: SnapshotRow | None = self.rows.find_row_by_key(self.view.get_current_row_key())
        if row is None:
            return
        item = row.snapshot
        proposed_path = (
            item.path.parent.parent / f"{item.path.parent.name.removesuffix(' snapshots')} {item.path.name}"
        )
        if path := ask_new_tournament_file(self, self.session, self.text("Open as a new file"), proposed_path):
            self.open_snapshot_copy(item, path)

    def open_snapshot_copy(self, snapshot: Snapshot, target: Path) -> None:
        self.session.open_tournament_in_background(partial(restore_and_open_snapshot, snapshot, target))

    def _take_snapshot(self) -> None:
        self.session.backups.take_named_snapshot_in_both_folders(self.name.text().strip())
        self.name.clear()

    def _request_snapshot_comparison(self) -> None:
        revisions = sorted(
            self.rows.find_row_by_key(key).snapshot.revision for key in self.view.list_selected_keys()
        )
        if revisions:
            last = revisions[-1] if len(revisions) > 1 else len(self.session.desk.list_all_steps())
            self.comparison_requested.emit(revisions[0], last)

    def _open_snapshot_folder(self) -> None:
        snapshots = self.session.desk.snapshots
        if snapshots is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(snapshots.folder)))

    def _set_snapshot_interval(self) -> None:
        if not self.minutes.isModified():
            return
        self.minutes.setModified(False)
        minutes, text = self.minutes.get_number_or_none(), self.minutes.text().strip()
        if minutes is None or not 1 <= minutes <= MAX_MINUTES:
            self.session.show_error(
                CommandError("bad-number", value=text, least=1, most=MAX_MINUTES), self.minutes
            )
            return
        self.session.backups.interval_minutes = minutes

    def _choose_second_snapshot_folder(self) -> None:
        if folder := ask_folder(
            self, self.session, self.text(C_("copies of snapshots", "Folder for copies of the file"))
        ):
            self.session.backups.second_folder = folder

    def _forget_second_snapshot_folder(self) -> None:
        self.session.backups.second_folder = None


_SNAPSHOT_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.TIME, "at"),
    *make_columns_from_row_attributes(ColumnKind.CODE, "taken"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "snapshot_name"),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "since"),
)
