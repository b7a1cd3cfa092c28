"""Moving the chosen players to another division, or all of one with what they have played."""

from __future__ import annotations

from functools import partial

from tdapp.domain import commands
from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.domain.transfer import transfer_follows
from tdapp.gui.players.availability import Follows
from tdapp.gui.shell.session import Session, if_seen
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form
from tdapp.gui.widgets.page import Panel

MOST_NAMES = 12  # what follows, and the button, stay in sight


class MovePanel(Panel):
    """Asks for the division where `players` go, none: where the whole division goes; shows what follows."""

    topic = "tournament"

    def __init__(self, session: Session, division: DivisionId, players: tuple[PlayerId, ...] = ()) -> None:
        text, code = session.catalogue.text, session.tournament.divisions[division].code
        moving = session.catalogue.plural("Move one player", "Move {n} players", len(players))
        super().__init__(session, moving if players else text("Merge division {division}", division=code))
        self._division, self._players, self._key, self._yes = division, players, session.key(), self.heading.text()
        others = [one for one in session.index.divisions if one.id != division]
        offered = [(one.id, text("Division {code}", code=one.code)) for one in others]
        self.into: Choice[DivisionId] = Choice(text("Into"), offered, session.look)
        self.follows = Follows(session, done=if_seen(self, self.closed.emit))
        form = Form()
        form.add(text("Into"), self.into)
        names = " · ".join(session.tournament.players[player].name for player in players[:MOST_NAMES])
        if (more := len(players) - MOST_NAMES) > 0:
            names += " · " + session.catalogue.plural("and one more", "and {n} more", more)
        who = [fields.label(names, "muted", wrap=True)] if players else []
        fields.fill(self.body, [*who, form, self.follows, 1])
        self.into.currentIndexChanged.connect(self.refresh)
        self.setFocusProxy(self.into)

    def refresh(self) -> None:
        """Show what follows now; close once there is nothing to move."""
        value = self.session.tournament if self.session.is_open else Tournament()
        if self._division not in value.divisions or not {*self._players} <= value.players.keys():
            self.closed.emit()
            return
        self.follows.assess(self._command(), transfer_follows, yes=self._yes)

    def _command(self) -> partial[Tournament] | None:
        into = self.into.value()
        if into is None:
            return None
        if self._players:
            return partial(commands.move_players, key=self._key, players=self._players, division=into)
        return partial(commands.merge_division, division=self._division, into=into)
