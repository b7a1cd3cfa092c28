"""What follows when a player leaves, stays away, returns or comes late: shown while it is chosen, then confirmed.

Hides the trial: the command is run on the tournament's value and nothing is kept until it is confirmed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from PySide6.QtWidgets import QWidget

from tdapp.domain.attendance import Consequence, follows
from tdapp.domain.errors import UserError
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT


class Follows(QWidget):
    """A list of what follows from a command, and the button that does it."""

    def __init__(self, session: Session, *, done: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._session = session
        self._done = done
        self._command: partial[Tournament] | None = None
        text = session.catalogue.text
        self._head = fields.label(text("What follows"), "lead")
        self._said = fields.rich()
        self._said.setAccessibleName(text("What follows"))
        self.yes = fields.button(text("Confirm"), self.confirm, role="primary")
        fields.column(self._head, self._said, fields.row(1, self.yes), around=(0, UNIT, 0, 0), parent=self)

    @property
    def said(self) -> str:
        """What is shown, as rich text."""
        return self._said.text()

    def assess(self, command: partial[Tournament] | None, player: PlayerId, *, yes: str) -> None:
        """Show what follows from `command` for `player`; None where there is nothing to do."""
        session = self._session
        self._command = command
        self.yes.setText(yes)
        may = command is not None and not session.read_only
        lines: list[str] = []
        if command is not None:
            try:
                found = follows(session.tournament, command(session.tournament), player)
                lines = [self._line(one) for one in found]
            except UserError as error:
                may, lines = False, [self._coloured("red", session.catalogue.error(error))]
        self._head.setVisible(bool(lines))
        self._said.setText("".join(f"<p style='margin:4px 0'>{line}</p>" for line in lines))
        self.yes.setEnabled(may)

    def confirm(self) -> None:
        """Do it."""
        if self._command is not None and self.yes.isEnabled():
            self._session.do(self._command, done=self._done)

    def _line(self, one: Consequence) -> str:
        message = self._session.catalogue.follow(one.code, one.facts)
        return self._coloured("amber", "! " + message) if one.attend else escape(message)

    def _coloured(self, tone: str, said: str) -> str:
        return f'<span style="color:{self._session.look.colour(tone).name()}">{escape(said)}</span>'


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
