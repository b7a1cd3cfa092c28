"""The label that shows whether every step is saved."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stations import describe_own_rights, explain_moved_tournament
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.services.demo import is_sample_tournament


class SaveStateLabel(QWidget):
    """The role of this computer in a shared tournament, and the save state.

    The save state is the time of the last save, or the number of unsaved changes with the reason.
    """

    save_elsewhere_requested = Signal()  # save to another file

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._station = fields.make_label()
        self._picture = QLabel()
        self._icon = QLabel()
        self._text = fields.make_label("", "muted")
        self._save = fields.make_button(
            session.catalogue.text("Save elsewhere…"), self.save_elsewhere_requested.emit, role="link"
        )
        self._announced = ""
        self._copy = fields.make_button(
            session.catalogue.text("Copy changes as text"), self._copy_unsaved_steps_to_clipboard, role="link"
        )
        parts = (self._picture, self._station, -1, self._icon, self._text, self._save, self._copy)
        fields.make_row(*parts, parent=self)
        session.saving.connect(self.show_save_state)

    def get_text(self) -> str:
        return self._text.text()

    def show_save_state(self) -> None:
        session = self._session
        icon, tone, text, tip = self._describe_save_state()
        self._icon.setPixmap(self._draw_icon(icon, tone))
        self._text.setText(text)
        self._text.setToolTip(tip or text)
        self._style_save_state(tone)
        self._announce_save_state(tone, text)
        self._save.setVisible(session.queue.error is not None and not session.queue.is_connection_lost)
        self._copy.setVisible(session.queue.is_station_removed and bool(session.queue.unsaved_work))
        for widget in (self._station, self._picture):
            widget.setVisible(session.address is not None)
        if session.address is not None:
            role = session.catalogue.translate_code(session.desk.role)
            is_default_name = session.desk.station == session.desk.role.value
            self._station.setText(role if is_default_name else f"{session.desk.station} · {role}")
            self._station.setToolTip(describe_own_rights(session))
            self._picture.setPixmap(self._draw_icon("stations", "muted"))

    def _copy_unsaved_steps_to_clipboard(self) -> None:
        descriptions = [step.describe() for step in self._session.queue.unsaved_work]
        QGuiApplication.clipboard().setText("\n".join(descriptions))
        self._session.show_message(self._session.catalogue.text("Copied"))

    def _draw_icon(self, icon: str, tone: str) -> QPixmap:
        return self._session.appearance.draw_icon(icon, tone, 16, self)

    def _describe_save_state(self) -> tuple[str, str, str, str]:
        session, catalogue = self._session, self._session.catalogue
        queue = session.queue
        if queue.error is not None:
            return self._describe_save_error(queue.error)
        if queue.is_saving_late:
            return self._describe_save_in_progress()
        if session.desk.role is Role.DISPLAY:
            return "lock", "amber", catalogue.text("Read only: this is a display"), describe_own_rights(session)
        store = session.desk.store
        if not store.write_obstacle and not store.read_only:
            return self._describe_save_state_without_error()
        if store.write_obstacle == "folder-read-only":
            text = catalogue.text("Read only: the folder cannot be written to")
        else:
            text = catalogue.text("Read only: nothing can be changed")
        if store.new_location is not None:
            return (
                "lock",
                "amber",
                catalogue.text("Read only: the tournament continues on another computer"),
                explain_moved_tournament(session),
            )
        error = StorageError(store.write_obstacle, path=str(store.path)) if store.write_obstacle else None
        return "lock", "amber", text, catalogue.describe_error(error) if error else ""

    def _describe_save_state_without_error(self) -> tuple[str, str, str, str]:
        session, text = self._session, self._session.catalogue.text
        if is_sample_tournament(session):
            return "info", "amber", text("Sample: nothing is saved"), ""
        saved = text("All saved {time}", time=_format_local_time_with_seconds(session.saved_at)).strip()
        return "saved", "green", saved, ""

    def _describe_save_error(self, error: StorageError) -> tuple[str, str, str, str]:
        queue, catalogue = self._session.queue, self._session.catalogue
        if error.code == "server-ended":
            text = catalogue.text("The director has stopped sharing")
        elif queue.is_station_removed:
            text = catalogue.text("This station has been removed")
        elif queue.is_connection_lost:
            text = catalogue.text(
                "No connection since {time}, trying again", time=_format_local_time_with_seconds(queue.error_since)
            )
        elif queue.is_store_locked:
            text = catalogue.text(
                "The file has been locked by another program since {time}. Trying again…",
                time=_format_local_time_with_seconds(queue.error_since),
            )
        else:
            text = catalogue.text("Not saved")
        tone = (
            "amber"
            if (queue.is_connection_lost or queue.is_store_locked) and not queue.is_station_removed
            else "red"
        )
        return "warning", tone, self._append_unsaved_change_count(text), catalogue.describe_error(error)

    def _describe_save_in_progress(self) -> tuple[str, str, str, str]:
        session, text = self._session, self._session.catalogue.text
        steps = "\n".join(step.describe() for step in session.queue.unsaved_work)
        if not session.queue.is_store_unresponsive:
            return "history", "amber", text("Saving…"), steps
        problem = text("The server is not responding") if session.address else text("The disk is not responding")
        return "warning", "red", self._append_unsaved_change_count(problem), steps

    def _append_unsaved_change_count(self, text: str) -> str:
        unsaved_count = len(self._session.queue.unsaved_work)
        unsaved_text = (
            self._session.catalogue.plural(
                "one change is not saved yet", "{n} changes are not saved yet", unsaved_count
            )
            if unsaved_count
            else ""
        )
        return " · ".join(filter(None, (text, unsaved_text)))

    def _announce_save_state(self, tone: str, text: str) -> None:
        state = "" if tone == "green" else text.partition(" · ")[0]
        if state != self._announced:
            announce_text(self._text, text, urgent=bool(state))
        self._announced = state

    def _style_save_state(self, tone: str) -> None:
        text, kind = self._text, "error" if tone == "red" else "muted"
        name = "badge" if self._session.queue.is_connection_lost else ""
        if (text.property("kind"), text.objectName()) != (kind, name):
            text.setProperty("kind", kind)
            text.setObjectName(name)
            fields.reapply_style_sheet(text)


def _format_local_time_with_seconds(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%H:%M:%S") if moment else ""
