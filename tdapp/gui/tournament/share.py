"""How a tournament is shared: from this computer, in a network that the director chooses, or on another server."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QLineEdit, QRadioButton, QWidget

from tdapp.domain.errors import StorageError, UserError
from tdapp.gui.shell.networks import Network, networks
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, Form, LineEdit, NumberEdit
from tdapp.gui.widgets.theme import UNIT
from tdapp.storage import Address
from tdapp.storage.address import SCHEMES
from tdapp.storage.cluster import Listening, free_port

_MOST = 65_535  # ports


class ShareDialog(Dialog):
    """Moves the open tournament to a server; with `address`, starts one of our own again elsewhere."""

    topic = "stations"

    def __init__(
        self,
        session: Session,
        *,
        again: Address | None = None,
        error: UserError | None = None,
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        title = text("Share this tournament") if again is None else text("Share it again")
        super().__init__(session, title, yes=text("Share"), parent=parent)
        self.resize(UNIT * 80, UNIT * 56)
        self._again = again
        self._found = networks()
        self.here = QRadioButton(text("From this computer"))
        self.there = QRadioButton(text("On a server that is there already"))
        self._ways = QButtonGroup(self)
        for way in (self.here, self.there):
            self._ways.addButton(way)
            way.toggled.connect(self._show_way)
        offered = [(one, f"{one.address}   {one.name}") for one in self._found]
        self.network: Choice[Network] = Choice(text("Network"), offered, session.look)
        self.network.currentIndexChanged.connect(self._propose_port)
        self.port = NumberEdit(text("Port"))
        self.server = LineEdit(text("Server"), placeholder="192.168.1.5:5432")
        self.server.textEdited.connect(self._take_apart)
        self.login = LineEdit(text("Name"), placeholder="postgres")
        self.password = LineEdit(text("Password"))
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.database = LineEdit(text("Database"))
        self._arrange()
        self.here.setChecked(True)
        self._look_around()
        self._say(error)

    def take(self) -> None:
        """Share, and show the stations."""
        self.refuse("")
        sharing = self.session.sharing
        if self.there.isChecked():
            address = self._typed()
            if address is not None:
                self._wait(busy=True)
                sharing.share_there(address, then=self.accept, failed=self._refused)
            return
        listening = self._listening()
        if listening is None:
            return
        self._wait(busy=True)
        if self._again is None:
            sharing.share_here(listening, then=self.accept, failed=self._refused)
        else:
            self.session.opened.connect(self.accept)
            sharing.start_again(self._again, listening, failed=self._refused)

    # --- inside

    def _arrange(self) -> None:
        text = self.session.catalogue.text
        self._here_form, self._there_form = QWidget(), QWidget()
        form = Form(self._here_form)
        form.add(text("Network"), self.network, text("Only computers of this network can join."))
        form.add(text("Port"), self.port)
        other = Form(self._there_form)
        other.add(text("Server"), self.server, text("A PostgreSQL; its address may be pasted in one piece."))
        other.add(text("Name"), self.login, text("A login that may make databases and logins."))
        other.add(text("Password"), self.password)
        other.add(text("Database"), self.database, text("It is made where there is none of this name."))
        for one in (self._here_form, self._there_form):
            one.setContentsMargins(UNIT * 3, 0, 0, 0)
        moves = text("The tournament moves to the server; all stations see every change within a second.")
        stays = text("The file stays as it is until you stop sharing: then everything comes back into it.")
        plain = text(
            "What goes through the network is not encrypted: use one of your own, a small router’s or a phone’s "
            "hotspot, not the hall’s."
        )
        notes = ((moves, ""), (stays, ""), (plain, "muted")) if self._again is None else ()
        self.body.addLayout(fields.column(*(fields.label(said, kind, wrap=True) for said, kind in notes)))
        parts: list[fields.Part] = [self.here, self._here_form, self.there, self._there_form, 1]
        fields.fill(self.body, parts)
        for way in (self.here, self.there):
            way.setVisible(self._again is None)

    def _show_way(self) -> None:
        self._here_form.setVisible(self.here.isChecked())
        self._there_form.setVisible(self.there.isChecked())
        self.refuse("")
        if self.there.isChecked() and not self.database.text():
            self.database.setText(self.session.sharing.proposed_database())
        elif self.here.isChecked():
            self._look_around()

    def _look_around(self) -> None:
        """Say at once what is in the way of sharing from here."""
        self._propose_port()
        if not self._found:
            self._say(StorageError("cluster-no-network"))
            return
        try:
            self.session.servers.find_programs().refuse_root()
        except StorageError as error:
            self._say(error)

    def _propose_port(self) -> None:
        network = self.network.value()
        if network is None:
            return
        try:
            port = free_port(network.address)
        except StorageError as error:
            self._say(error)
        else:
            self.port.setText(str(port))

    def _listening(self) -> Listening | None:
        network = self.network.value()
        if network is None:
            self._say(StorageError("cluster-no-network"))
            return None
        typed = self.port.text().strip()
        if not typed.isdecimal() or not 1024 <= int(typed) <= _MOST:  # noqa: PLR2004 - those below are the system's
            text = self.session.catalogue.text
            self.refuse(text("A port is a number from {least} to {most}.", least=1024, most=_MOST), self.port)
            return None
        return Listening(network.address, network.network, int(typed))

    def _take_apart(self, typed: str) -> None:
        """Put the parts of a pasted address into the fields."""
        if not typed.strip().startswith(SCHEMES) or "@" not in typed:
            return
        try:
            parts = Address.parse(typed.strip()).parts
        except UserError:
            return
        if not parts.server:
            return
        self.server.setText(parts.server)
        self.login.setText(parts.login)
        self.password.setText(parts.password)
        if parts.database:
            self.database.setText(parts.database)

    def _typed(self) -> Address | None:
        text = self.session.catalogue.text
        for field in (self.server, self.login, self.database):
            if not field.text().strip():
                self.refuse(text("Missing: {name}", name=field.accessibleName()), field)
                return None
        try:
            server, login, database = (
                field.text().strip().strip("/") for field in (self.server, self.login, self.database)
            )
            return Address.made(server, login, database, password=self.password.text())
        except UserError as error:
            self._say(error)
            return None

    def _refused(self, error: Exception) -> None:
        self._wait(busy=False)
        if not isinstance(error, UserError):
            raise error
        self._say(error)

    def _say(self, error: UserError | None) -> None:
        if error is not None:
            self.refuse(self.session.catalogue.error(error))

    def reject(self) -> None:
        """Close, unless it is being shared already."""
        if self.no.isEnabled():
            super().reject()

    def _wait(self, *, busy: bool) -> None:
        text = self.session.catalogue.text
        self.no.setEnabled(not busy)
        self.yes.setEnabled(not busy)
        self.yes.setText(text("Sharing…") if busy else text("Share"))
