"""The window's rows of the table of actions for several stations, and what they do."""

from __future__ import annotations

from functools import partial

from tdapp.domain.errors import StorageError
from tdapp.gui.shell.actions import Action
from tdapp.gui.tournament.join import JoinDialog
from tdapp.gui.tournament.share import ShareDialog
from tdapp.gui.tournament.stations import StationsPanel
from tdapp.gui.widgets.page import ActionGroup
from tdapp.storage import Address

# What is in the way of starting a server of our own at the address that it had.
_ELSEWHERE = frozenset({"cluster-address-gone", "cluster-port-taken"})


class Joining(ActionGroup):
    """Joins, shares, and shows the stations."""

    def table(self) -> tuple[Action, ...]:
        """Return the rows."""
        text, menu = self._session.catalogue.text, "tournament"
        return (
            Action("join", text("Join a shared tournament…"), self.join, "join", "Ctrl+Shift+O", menu),
            Action("share", text("Share this tournament…"), self.share, "share", "", menu, self._may_share),
            Action("stations", text("Stations…"), self.stations, "stations", "", menu, self._is_shared),
        )

    def join(self) -> None:
        """Ask for a shared tournament and open it."""
        self._host.leave(partial(self.ask_again, None, None))

    def ask_again(self, address: Address | None, error: StorageError | None) -> None:
        """Ask for what is missing to join; where our own server cannot be started, for another place for it."""
        session = self._session
        if address is not None and error is not None and error.code == "server-password":
            error = error if address.parts.password else None  # it is only asked for
        if address is not None and error is not None and error.code in _ELSEWHERE:
            ShareDialog(session, again=address, error=error, parent=self._host.window()).open()
        else:
            JoinDialog(session, address, error, parent=self._host.window()).open()

    def share(self) -> None:
        """Ask how the open tournament is to be shared, and share it."""
        dialog = ShareDialog(self._session, parent=self._host.window())
        dialog.accepted.connect(self.stations)
        dialog.open()

    def stations(self) -> None:
        """Show who takes part."""
        self._show(StationsPanel(self._session))

    def _may_share(self) -> bool:
        session = self._session
        return session.is_open and session.address is None and not session.desk.store.read_only

    def _is_shared(self) -> bool:
        return self._session.is_open and self._session.address is not None
