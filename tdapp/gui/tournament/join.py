"""Where a station says which shared tournament it takes part in: address, name and password.

An address that is pasted whole is taken apart; where it names no database, the server's tournaments are listed.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QLineEdit, QWidget

from tdapp.domain.errors import UserError
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui.shell.later import if_there
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Form, LineEdit
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.services.servers import with_password
from tdapp.storage import Address, databases
from tdapp.storage.address import SCHEMES
from tdapp.storage.databases import Listed


class JoinDialog(Dialog):
    """Opens a tournament on a server; stays until that has worked."""

    topic = "stations"

    def __init__(
        self,
        session: Session,
        address: Address | None = None,
        error: UserError | None = None,
        *,
        parent: QWidget | None = None,
    ) -> None:
        """Begin with an address and with what was wrong with it, if there are any."""
        text = session.catalogue.text
        super().__init__(session, text("Join a shared tournament"), yes=text("Join"), parent=parent)
        self.resize(UNIT * 80, UNIT * 44)
        self.address = LineEdit(text("Address"), placeholder="192.168.1.5:5433/open_leiden")
        self.login = LineEdit(text("Name of the station"), placeholder="entry")
        self.password = LineEdit(text("Password"))
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self._rows = Rows(session.catalogue, hidden={"listed"})
        self.view = TableView(
            self._rows, look=session.look, name=text("Tournaments on this server"),
            empty=text("There is no tournament on this server that you may open."),
        )  # fmt: skip
        self.view.set_widths({}, stretch=("tournament",))
        self.view.activated_row.connect(lambda _key: self.take())
        self._arrange()
        self._busy = False
        self._length = 0  # of what was in the address: a paste makes it longer by more than a letter
        session.opened.connect(self._joined)
        self.address.setFocus()
        if address is not None:
            self.address.setText(str(address))
            self._take_apart(address.secret)
            (self.password if self.login.text() else self.login).setFocus()
        self._say(error)

    def take(self) -> None:
        """Join, or ask which tournament is meant."""
        listed = self._chosen()
        address = listed.address if listed is not None else self._typed()
        if address is None or self._busy:
            return
        self._wait(busy=True)
        session, refused = self.session, if_there(self, self._refused)
        if address.parts.database:
            session.open(partial(session.servers.desk_at, address), failed=refused)
        else:
            offer = if_there(self, self._offer)
            session.ask(partial(with_password, databases.listed, address), then=offer, failed=refused)

    # --- inside

    def _arrange(self) -> None:
        text = self.session.catalogue.text
        note = text("As the director’s screen or paper has it; it may be pasted in one piece.")
        form = Form()
        form.add(text("Address"), self.address, note)
        form.add(text("Name of the station"), self.login)
        form.add(text("Password"), self.password)
        self.body.addLayout(form)
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)
        self.view.hide()
        self.address.textEdited.connect(self._edited)
        self.address.editingFinished.connect(self._left_address)
        for one in (self.login, self.password):
            one.textEdited.connect(self._forget)

    def _edited(self, typed: str) -> None:
        """Take apart what is pasted; who types goes on to the end of the line."""
        self._forget()
        pasted, self._length = len(typed) - self._length > 1, len(typed)
        if pasted and self._take_apart(typed):
            (self.password if self.login.text() else self.login).setFocus()

    def _left_address(self) -> None:
        self._take_apart(self.address.text())

    def _take_apart(self, whole: str) -> bool:
        """Put the parts of an address with a name into the fields; return whether it is one."""
        whole = whole.strip()
        if not whole.startswith(SCHEMES) or "@" not in whole:
            return False
        try:
            parts = Address.parse(whole).parts
        except UserError:
            return False
        if not parts.server and not parts.folder:
            return False
        place = f"{parts.server}/{parts.database}" if parts.database else parts.server
        self.address.setText(str(Address(whole)) if parts.folder else place)
        self._length = len(self.address.text())
        self.login.setText(parts.login)
        if parts.password:
            self.password.setText(parts.password)
        return True

    def _typed(self) -> Address | None:
        """Return the address in the fields; None, after showing what is missing, where it is none."""
        text, catalogue = self.address.text().strip(), self.session.catalogue
        try:
            whole = Address.parse(text if text.startswith(SCHEMES) else f"{SCHEMES[0]}{text}")
            parts = whole.parts
            if parts.folder:
                return whole
            if not parts.server:
                self.refuse(catalogue.text("Type the address that the director’s screen shows."), self.address)
                return None
            if not (self.login.text().strip() or parts.login):
                self.refuse(catalogue.text("Type the name of the station, like entry or jury."), self.login)
                return None
            login, password = self.login.text().strip() or parts.login, self.password.text() or parts.password
            return Address.made(parts.server, login, parts.database, password=password)
        except UserError as error:
            self._say(error)
            self.address.setFocus()
            return None

    def _chosen(self) -> Listed | None:
        row: _Row | None = self._rows.row(self.view.current_key()) if self.view.isVisible() else None
        return row.listed if row is not None else None

    def _offer(self, found: tuple[Listed, ...]) -> None:
        self._wait(busy=False)
        if len(found) == 1:
            self._wait(busy=True)
            call = partial(self.session.servers.desk_at, found[0].address)
            self.session.open(call, failed=if_there(self, self._refused))
            return
        self._rows.show(Table("databases", _COLUMNS, tuple(map(_Row, found))))
        self.view.show()
        self.resize(self.width(), UNIT * 60)
        if found:
            self.view.choose(found[0].address.parts.database)
            self.view.setFocus()

    def _refused(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self._wait(busy=False)
        self._say(error)
        self.password.setFocus()
        self.password.selectAll()

    def _say(self, error: UserError | None) -> None:
        self.refuse(self.session.catalogue.error(error) if error is not None else "")

    def _forget(self) -> None:
        self.refuse("")
        self.view.hide()

    def _wait(self, *, busy: bool) -> None:
        self._busy = busy
        self.yes.setEnabled(not busy)
        self.refuse("")

    def _joined(self) -> None:
        if self._busy:
            self.accept()

    def done(self, result: int) -> None:
        """Close; nothing that comes later finds the dialog."""
        self.session.opened.disconnect(self._joined)
        super().done(result)


class _Row:
    """A tournament in the list."""

    def __init__(self, listed: Listed) -> None:
        self.listed = listed
        self.key = listed.address.parts.database
        self.tournament = listed.name


_COLUMNS: tuple[Column[_Row], ...] = (
    Column("tournament", Kind.TEXT, lambda row: row.tournament),
    Column("database", Kind.TEXT, lambda row: row.key),
)
