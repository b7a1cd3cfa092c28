"""Dialogs against data loss: for unreadable and unwritable files, and before closing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from tdapp.domain.errors import StorageError
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.tournament.stations import SharingActions
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, NoticeDialog, ask_new_tournament_file
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.page import HostWindow
from tdapp.gui.widgets.theme import UNIT
from tdapp.services.backups import describe_salvage, restore_and_open_snapshot, salvage_file
from tdapp.services.worker import get_user_error_or_raise
from tdapp.storage.snapshots import Snapshot

if TYPE_CHECKING:
    from tdapp.gui.shell.page_list import WindowPages
    from tdapp.storage.salvage import SalvageReport

MAX_LISTED = 8
RETRY_INTERVAL = 50  # ms between checks whether the running save has ended


class DamagedFileDialog(Dialog):
    """Shows a file error. Offers to open the newest snapshot or the readable data as a new file."""

    topic = "tournament"

    def __init__(
        self,
        session: Session,
        error: StorageError,
        snapshot: Snapshot | None,
        path: Path,
        *,
        parent: QWidget | None = None,
    ) -> None:
        catalogue = session.catalogue
        title = catalogue.text("{name} cannot be opened", name=path.name)
        salvage_text = catalogue.text("Save the readable part as a new file…")
        snapshot_text = catalogue.text("Open the snapshot as a new file…")
        super().__init__(
            session, title, yes=salvage_text if snapshot is None else snapshot_text, parent=parent, size=(76, 30)
        )
        self._snapshot = snapshot
        self._path = path
        if snapshot is not None:
            self.buttons.insertWidget(0, fields.make_button(salvage_text, self._salvage_file))
        keep_note = catalogue.text(
            "The damaged file is not changed. Keep it: steps after the snapshot may still be readable."
        )
        salvage_note = catalogue.text(
            "Everything readable is copied to the new file. The program lists what is missing or uncertain."
        )
        snapshot_note = self._describe_snapshot(snapshot)
        labels = (
            (catalogue.describe_error(error), "error"),
            (snapshot_note, ""),
            (salvage_note, ""),
            (keep_note, "muted"),
        )
        self.add_labels(*(labels if snapshot is not None else labels[:-1]))

    def _describe_snapshot(self, snapshot: Snapshot | None) -> str:
        catalogue = self.session.catalogue
        if snapshot is None:
            return catalogue.text("The tournament has no undamaged snapshot.")
        return catalogue.text(
            "The latest undamaged snapshot was taken on {time} ({why}), after step {seq}.",
            time=catalogue.format_utc_as_local_time(snapshot.created_at.isoformat()),
            why=catalogue.translate_code(snapshot.reason),
            seq=snapshot.revision,
        )

    def confirm_dialog(self) -> None:
        if self._snapshot is None:
            self._salvage_file()
        elif (
            target := self._ask_new_file(self.text(C_("end of a file name", "restored from a snapshot")))
        ) is not None:
            self.session.open_tournament_in_background(partial(restore_and_open_snapshot, self._snapshot, target))
            self.accept()

    def _ask_new_file(self, name_suffix: str) -> Path | None:
        proposed_path = self._path.with_name(f"{self._path.stem} {name_suffix}{self._path.suffix}")
        return ask_new_tournament_file(self, self.session, self.windowTitle(), proposed_path)

    def _salvage_file(self) -> None:
        target = self._ask_new_file(self.text(C_("end of a file name", "readable part")))
        if target is not None:
            call, show_report = (
                partial(salvage_file, self._path, target),
                partial(self._open_salvaged_file, target),
            )
            self.session.run_on_desk_thread(
                call,
                on_success=make_callback_unless_deleted(self, show_report),
                on_error=make_callback_unless_deleted(self, self._show_salvage_error),
            )

    def _show_salvage_error(self, error: Exception) -> None:
        self.show_error(self.session.catalogue.describe_error(get_user_error_or_raise(error)))

    def _open_salvaged_file(self, target: Path, report: SalvageReport) -> None:
        session, window = self.session, self.parentWidget()
        self.accept()
        session.open_file(target)
        report_lines = tuple(describe_salvage(report, target, session.catalogue))
        notice = SalvageReportDialog(
            session, self.text("Recovered from a damaged file"), report_lines, parent=window
        )
        session.run_after_desk_work(make_callback_unless_deleted(notice, notice.open))


class SalvageReportDialog(NoticeDialog):
    """Shows the recovered and the lost data of a damaged file."""

    topic = "trouble"


class SaveElsewhereDialog(Dialog):
    """Saves the tournament to another file, with all unsaved changes."""

    topic = "trouble"

    def __init__(self, session: Session, error: StorageError, *, parent: QWidget | None = None) -> None:
        catalogue = session.catalogue
        title = catalogue.text("The tournament cannot be saved to its file")
        super().__init__(session, title, yes=catalogue.text("Save elsewhere…"), parent=parent, size=(72, 30))
        unsaved_count = len(session.queue.unsaved_work)
        steps = catalogue.plural("One change is not saved yet.", "{n} changes are not saved yet.", unsaved_count)
        save_note = catalogue.text("Save the tournament elsewhere, with everything up to now, and continue there.")
        retry_note = catalogue.text(
            "Or solve the problem and try again. The cause may be a moved file, a removed USB stick or a full "
            "disk."
        )
        unsaved_labels = [(steps, "lead")] if unsaved_count else []
        self.add_labels(
            (catalogue.describe_error(error), "error"), *unsaved_labels, (save_note, ""), (retry_note, "muted")
        )
        self.retry_button = fields.make_button(catalogue.text("Try again"), self._retry_saving)
        self.buttons.insertWidget(1, self.retry_button)
        self.no.setText(catalogue.text("Decide later"))

    def confirm_dialog(self) -> None:
        path = self.session.path
        proposed_path = Path.home() / (path.name if path is not None else "tournament.tdapp")
        if target := ask_new_tournament_file(self, self.session, self.text("Save elsewhere"), proposed_path):
            self.accept()
            self.session.save_to_other_file(target)

    def _retry_saving(self) -> None:
        self.accept()
        self.session.queue.retry_waiting_steps()


class OverwrittenFileDialog(Dialog):
    """Asks which tournament to keep: the one in memory, or the one in its file."""

    topic = "trouble"

    def __init__(
        self, session: Session, error: StorageError, copy: Path, *, parent: QWidget | None = None
    ) -> None:
        """Build the dialog. `copy` is a new file with the tournament from memory."""
        text = session.catalogue.text
        title = text("Another program has changed the file")
        super().__init__(session, title, yes=text("Continue in the copy"), parent=parent, size=(76, 32))
        self._copy = copy
        saved_note = text("The tournament in this window has been saved as {name}.", name=copy.name)
        history_note = text("The copy has all players and results, but not the history: no step can be undone.")
        self.add_labels(
            (session.catalogue.describe_error(error), "error"), (saved_note, "lead"), (history_note, "muted")
        )
        if waiting := len(session.queue.unsaved_work):
            steps = session.catalogue.plural(
                "One change is not saved yet. It will be added to the file that you choose.",
                "{n} changes are not saved yet. They will be added to the file that you choose.",
                waiting,
            )
            self.add_labels((steps, "body"))
        self.use_file = fields.make_button(text("Use the file as it is now"), self._reopen_overwritten_file)
        self.buttons.insertWidget(1, self.use_file)
        self.no.setText(text("Decide later"))

    def confirm_dialog(self) -> None:
        self.accept()
        self.session.open_file(self._copy)

    def _reopen_overwritten_file(self) -> None:
        self.accept()
        if self.session.path is not None:
            self.session.open_file(self.session.path)


class StorageErrorDialogs(QObject):
    """Opens the dialogs of this module when the session reports a storage error."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__(host.window())
        self._session, self._window, self._joining = host.session, host.window(), SharingActions(host)
        self._session.open_failed.connect(self._open_damaged_file_dialog)
        self._session.login_failed.connect(self._joining.ask_login_or_new_address)
        self._session.moved_to_server.connect(self._joining.ask_about_moved_tournament)
        self._session.unsaved.connect(self.open_dialog_for_unsaved_file)

    def open_dialog_for_unsaved_file(self) -> None:
        error = self._session.queue.error
        open_dialog = self._window.findChild(SaveElsewhereDialog) or self._window.findChild(OverwrittenFileDialog)
        if error is not None and open_dialog is None:
            copy = self._session.queue.copy
            if copy is None:
                SaveElsewhereDialog(self._session, error, parent=self._window).open()
            else:
                OverwrittenFileDialog(self._session, error, copy, parent=self._window).open()

    def _open_damaged_file_dialog(self, path: Path, error: StorageError, snapshot: Snapshot | None) -> None:
        DamagedFileDialog(self._session, error, snapshot, path, parent=self._window).open()


class LoseTypedTextDialog(Dialog):
    """Asks before typed but unsaved text is lost."""

    topic = "trouble"

    def __init__(
        self, session: Session, field: QLineEdit, leave: Callable[[], object], *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        super().__init__(
            session, text("Some typed text has not been entered yet"), yes=text("Keep typing"), parent=parent
        )
        self._field = field
        self._leave = leave
        self.resize(UNIT * 52, UNIT * 20)
        unsaved = _describe_typed_text(session, field)
        saved = text("If you leave now, this text will be lost. Everything that you entered before is saved.")
        self.add_labels((unsaved, "body"), (saved, "muted"))
        self.no.setText(text("Leave anyway"))
        self.no.clicked.disconnect()
        self.no.clicked.connect(self._discard_typed_text_and_leave)
        self.finished.connect(self._focus_typed_field)

    def _discard_typed_text_and_leave(self) -> None:
        self.finished.disconnect(self._focus_typed_field)
        self.accept()
        self._leave()

    def _focus_typed_field(self) -> None:
        if isValid(self._field):
            self._field.setFocus()


class UnsavedStepsDialog(Dialog):
    """Lists the unsaved changes. The user can copy the list."""

    topic = "stations"

    def __init__(
        self,
        session: Session,
        leave: Callable[[], object],
        *,
        retry: Callable[[], object],
        typed_field: QLineEdit | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Build the dialog. If the user accepts the loss, the dialog calls `leave`.

        After all changes are saved, the dialog calls `retry`, which tries to leave again.
        The list also contains the text of `typed_field`.
        """
        catalogue = session.catalogue
        title, leave_text = catalogue.text("Not everything is saved"), catalogue.text("Leave anyway")
        super().__init__(session, title, yes=leave_text, parent=parent, size=(64, 24))
        self._leave, self._retry = leave, retry
        unsaved_texts = [step.describe() for step in session.queue.unsaved_work]
        count = catalogue.plural(
            "One change is not saved yet.", "{n} changes are not saved yet.", len(unsaved_texts)
        )
        if not unsaved_texts and session.queue.error is not None:
            count = catalogue.describe_error(session.queue.error)
        if typed_field is not None:
            unsaved_texts.append(_describe_typed_text(session, typed_field))
        lines = unsaved_texts[:MAX_LISTED]
        if further_texts := unsaved_texts[MAX_LISTED:]:
            lines.append(catalogue.text(C_("shortened list", "{n} more"), n=len(further_texts)))
        self.add_labels(
            (count, "error"), ("\n".join(lines), "body"), (self._explain_loss_of_unsaved_changes(), "muted")
        )
        copy_texts = partial(QGuiApplication.clipboard().setText, "\n".join(unsaved_texts))
        self.buttons.insertWidget(0, fields.make_button(catalogue.text("Copy"), copy_texts))
        self.yes.setDefault(False)
        self.no.setDefault(True)
        self.no.setFocus()
        session.saving.connect(self._close_and_retry_if_all_saved)
        session.queue_changed.connect(self._close_and_retry_if_all_saved)

    def _explain_loss_of_unsaved_changes(self) -> str:
        queue, text = self.session.queue, self.session.catalogue.text
        if queue.error is None:
            return text(
                "The disk or the server has not confirmed the last entries. If you leave now, they may be lost."
            )
        if not queue.unsaved_work:
            return text(
                "If you leave now, all changes that exist only in this window will be lost. Save the "
                "tournament elsewhere to keep them."
            )
        if queue.is_station_removed:
            return text(
                "If you leave now, the unsaved entries will be lost. Write them down and tell the director."
            )
        if queue.is_connection_lost:
            return text(
                "If you leave now, the unsaved entries will be lost. If you wait, they will be saved when the "
                "connection is back."
            )
        return text(
            "If you leave now, the unsaved entries will be lost. Save the tournament elsewhere to keep them."
        )

    def confirm_dialog(self) -> None:
        self.accept()
        self.session.queue.discard_unsaved_steps()
        self._leave()

    def _close_and_retry_if_all_saved(self) -> None:
        queue = self.session.queue
        if self.isVisible() and not queue.unsaved_work and not queue.has_lost_file_and_no_copy:
            self.accept()
            self._retry()


def _describe_typed_text(session: Session, field: QLineEdit) -> str:
    return session.catalogue.text("{field}: “{typed}”", field=field.accessibleName(), typed=field.text().strip())


def ask_about_unsaved_input(
    host: HostWindow,
    pages: WindowPages,
    leave: Callable[[], object],
    *,
    retry: Callable[[], object],
    check_fields: bool = True,
) -> bool:
    """Ask before unsaved changes or half-typed text are lost. Return False if nothing would be lost.

    If the user accepts the loss, call `leave`. After changes are saved, call `retry`, which tries to leave again.
    Without `check_fields` ignore half-typed text.
    """
    focused: QWidget | None = host.window().focusWidget()
    field = _find_and_show_unsaved_field(host, pages) if check_fields else None
    queue = host.session.queue
    if queue.unsaved_work and queue.error is None and not queue.is_saving_late:
        QTimer.singleShot(RETRY_INTERVAL, host.window(), retry)
        return True
    if queue.unsaved_work or queue.has_lost_file_and_no_copy:
        dialog = UnsavedStepsDialog(host.session, leave, retry=retry, typed_field=field, parent=host.window())
        if focused is not None:
            dialog.rejected.connect(make_callback_unless_deleted(focused, focused.setFocus))
        dialog.open()
        return True
    if field is not None:
        LoseTypedTextDialog(host.session, field, leave, parent=host.window()).open()
    return field is not None


def check_input_is_saved_before_pairing(host: HostWindow, pages: WindowPages) -> bool:
    """Return whether all typed text and changed rules are saved. If not, show the unsaved input.

    A repeated call accepts unsaved rules: the user has seen the warning.
    """
    if not _check_typed_text_is_entered(host, pages):
        return False
    session, page = host.session, pages.pages_by_id.get("tournament")
    unsaved_count = page.count_unsaved_rules() if page is not None else 0
    if not unsaved_count:
        return True
    sentence = session.catalogue.plural(
        "One changed rule is not saved. Save it under Tournament, or repeat the command to pair with the saved "
        "rules.",
        "{n} changed rules are not saved. Save them under Tournament, or repeat the command to pair with the "
        "saved rules.",
        unsaved_count,
    )
    return session.ask_to_confirm_by_repetition(("unsaved rules", session.round_number, unsaved_count), sentence)


def _check_typed_text_is_entered(host: HostWindow, pages: WindowPages) -> bool:
    """Return False and focus the field if a typed player or result is not yet entered."""
    fields_by_page = (
        (page_id, pages.get_page(page_id).find_unsaved_field()) for page_id in ("players", "evening", "rounds")
    )
    page_id, field = next(
        ((page, page_field) for page, page_field in fields_by_page if page_field is not None), ("", None)
    )
    if field is None:
        return True
    host.show_page(page_id)
    text = host.session.catalogue.text(
        "“{typed}” has been typed but not entered. Press Enter, or clear the field. Then pair.",
        typed=field.text().strip(),
    )
    host.session.show_message(text, tone="red")
    field.setFocus()
    return False


def _find_and_show_unsaved_field(host: HostWindow, pages: WindowPages) -> LineEdit | None:
    focused: QWidget | None = host.window().focusWidget()
    if focused is not None:
        focused.clearFocus()
    if not host.session.is_open:
        return None
    field = host.panel.find_unsaved_field() if host.panel is not None else None
    field = field or host.page.find_unsaved_field()
    for page in pages.pages_by_id.values() if field is None else ():
        if (field := page.find_unsaved_field()) is not None:
            host.show_page(page.id)
            break
    if field is None and focused is not None and isValid(focused):
        focused.setFocus()
    return field
