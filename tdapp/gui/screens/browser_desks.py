"""Desks in a browser: PINs and connected desks."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain.roles import Role
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT
from tdapp.web.desk_access import DESK_ROLES, DeskSession

_OFTEN = 4_000  # ms between two looks at the connections


class BrowserDesks(QWidget):
    """Part of the panel for phones."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._listed: list[tuple[DeskSession, bool]] = []
        text = session.catalogue.text
        self.used = fields.check(text("Entry desk and jury desk in a browser"))
        self.used.clicked.connect(self._switch_desks)
        self._about = fields.note()
        self.address = fields.label("", "lead")
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pins: dict[Role, QLabel] = {role: fields.label() for role in DESK_ROLES}
        self._renew = {
            role: fields.button(text("New PIN"), partial(self._renew_pin, role), role="link")
            for role in DESK_ROLES
        }
        self._wrong = fields.label("", "error", wrap=True, spoken=True)
        self.sessions = fields.column(gap=UNIT // 2)
        rows = [fields.row(self.pins[role], self._renew[role], 1) for role in DESK_ROLES]
        fields.column(
            self.used, self._about, self.address, *rows, self._wrong, self.sessions, parent=self
        )  # fmt: skip
        self._looking = QTimer(self, interval=_OFTEN)
        self._looking.timeout.connect(self._list_sessions)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._looking.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._looking.stop()
        super().hideEvent(event)

    def show_desks(self) -> None:
        serving, catalogue = self._session.serving, self._session.catalogue
        text, access, state = catalogue.text, serving.access, serving.access.state
        self.used.setChecked(state.is_on)
        self.used.setEnabled(not self._session.is_read_only)
        self._about.setText(
            text("Open this address on another computer or tablet in the same network and type the PIN.")
            if state.is_on and serving.url
            else text("Switch on the pages above first. Then a browser can be a desk.")
            if state.is_on
            else text("A helper enters results, or the jury checks games, in a browser. Nothing is installed.")
        )
        fields.show_text(self.address, f"{serving.url}desk" if state.is_on and serving.url else "")
        for role, label in self.pins.items():
            pin = state.get_pin(role)
            facts = {"desk": catalogue.code(role), "pin": f"{pin[:3]} {pin[3:]}"}
            fields.show_text(label, text("PIN of the {desk}: {pin}", **facts) if pin else "")
            self._renew[role].setVisible(bool(pin))
            self._renew[role].setAccessibleName(text("New PIN of the {desk}", desk=catalogue.code(role)))
        wrong = catalogue.plural("One wrong PIN was typed.", "{n} wrong PINs were typed.", access.wrong_pins)
        fields.show_text(self._wrong, wrong if access.wrong_pins else "")
        self._list_sessions()

    def _list_sessions(self) -> None:
        access = self._session.serving.access
        shown = [(one, access.is_here(one)) for one in access.state.sessions]
        if shown != self._listed:  # a button keeps the focus
            self._listed = shown
            fields.clear_layout(self.sessions)
            for session, is_here in shown:
                self.sessions.addWidget(self._make_row(session, is_here=is_here))

    def _make_row(self, session: DeskSession, *, is_here: bool) -> QWidget:
        catalogue, line = self._session.catalogue, QWidget()
        access = self._session.serving.access
        state = catalogue.text("connected") if is_here else catalogue.text("not connected")
        told = fields.label(f"{session.name} · {catalogue.code(session.role)} · {state}", wrap=True)
        end = fields.button(catalogue.text("Sign out"), partial(access.end_session, session.key), role="link")
        end.setAccessibleName(catalogue.text("Sign out {name}", name=session.name))
        fields.row(told, end, parent=line).setStretch(0, 1)
        return line

    def _switch_desks(self) -> None:
        access = self._session.serving.access
        if self.used.isChecked():
            access.switch_on()
        else:
            access.switch_off()

    def _renew_pin(self, role: Role) -> None:
        self._session.serving.access.renew_pin(role)
