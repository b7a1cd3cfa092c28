"""A player who enters while the tournament runs: what follows, before it is confirmed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.consequences import Follows
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Panel


class NewcomerPanel(Panel):
    """One late entry, typed already; `done` is called when it is in."""

    def __init__(
        self, session: Session, command: partial[Tournament], player: PlayerId, done: Callable[[], None]
    ) -> None:
        super().__init__(session, session.catalogue.text("Late entry: {player}", player=command.keywords["name"]))
        self._command, self._player = command, player
        self.follows = Follows(session, done=done)
        self.body.addWidget(self.follows)
        self.body.addStretch(1)
        self.setFocusProxy(self.follows.yes)

    def refresh(self) -> None:
        """Show what follows now; close once the player is there."""
        if not self.session.is_open or self._player in self.session.tournament.players:
            self.closed.emit()
            return
        self.follows.assess(self._command, self._player, yes=self.session.catalogue.text("Add player"))
