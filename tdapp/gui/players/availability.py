"""A player's rounds: those missed, when the player leaves for good or plays again, and the pairing constraints."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.model import Absence, ByeKind, Player, PlayerId
from tdapp.domain.tables import constraints as tables
from tdapp.domain.tournament import Tournament
from tdapp.gui.players import constraints
from tdapp.gui.players.consequences import Follows
from tdapp.gui.shell.later import if_seen
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form, NumberEdit, Part
from tdapp.gui.widgets.page import Panel
from tdapp.i18n.catalogue import Catalogue


class What(StrEnum):
    """What a player is to do."""

    MISS = "miss"
    LEAVE = "leave"
    RETURN = "return"


def absence_text(item: Absence, catalogue: Catalogue) -> str:
    """Return which rounds are missed, and what they count as."""
    kind = catalogue.code(item.kind) if item.kind else ""
    if item.last_round is None:
        return catalogue.text("Withdrawn from round {first}", first=item.first_round)
    if item.last_round == item.first_round:
        return catalogue.text("Round {first}: {kind}", first=item.first_round, kind=kind)
    return catalogue.text("Rounds {first}–{last}: {kind}", first=item.first_round, last=item.last_round, kind=kind)


class AvailabilityPanel(Panel):
    """An assistant for the absences of one player, which shows what follows; below it the pairing constraints."""

    def __init__(self, session: Session, player: PlayerId, what: What | None = None) -> None:
        super().__init__(session, "")
        self._player = player
        text, code = session.catalogue.text, session.catalogue.code
        self._absences = QVBoxLayout()
        self.what: Choice[What] = Choice(text("What"), [], session.look)
        self.first = NumberEdit(text("From round"))
        self.last = NumberEdit(text("To round"))
        kinds = [(kind, code(kind)) for kind in (ByeKind.ABSENT, ByeKind.REQUESTED, ByeKind.FORFEIT)]
        self.kind: Choice[ByeKind | None] = Choice(text("Counts as"), [], session.look)
        self.kind.fill([*kinds, (None, text("nothing is recorded"))], ByeKind.ABSENT)
        form = Form()
        form.add(text("What"), self.what)
        self.last.setPlaceholderText(text("only that"))
        self._to = fields.label(text("to"))
        self._to.setBuddy(self.last)
        rounds = QWidget()
        fields.row(self.first, self._to, self.last, 1, parent=rounds)
        rounds.setFocusProxy(self.first)
        form.add(text("From round"), rounds)
        form.add(text("Counts as"), self.kind)
        self.follows = Follows(session, done=if_seen(self, self._done))
        self._constraints = fields.label("", wrap=True)
        self._wanted = what
        self._coming = 0
        parts: list[Part] = [
            self._absences, form, self.follows, -1, fields.rule(), -1, self._constraints, 1,
        ]  # fmt: skip
        fields.fill(self.body, parts)
        self.first.textEdited.connect(self._assess)
        self.last.textEdited.connect(self._assess)
        self.what.currentIndexChanged.connect(self._choose)
        self.kind.currentIndexChanged.connect(self._assess)
        for field in (self.first, self.last):
            field.returnPressed.connect(self.follows.confirm)
        self.setFocusProxy(self.follows.yes if what is not None else self.first)

    def refresh(self) -> None:
        """Show what holds now."""
        player = self._row()
        if player is None:
            self.closed.emit()
            return
        self.heading.setText(player.name)
        self._coming = len(self.session.index.published(player.division)) + 1
        if not self.first.isModified():
            self.first.setText(str(self._coming))
        self._show_absences(player)
        self._offer(player)
        self._assess()
        self._constraints.setText(self._constraint_texts(player))

    # --- inside

    def _row(self) -> Player | None:
        return self.session.tournament.players.get(self._player) if self.session.is_open else None

    def _offer(self, player: Player) -> None:
        """Offer what the player can do now: who has left can only return."""
        text = self.session.catalogue.text
        gone = self.session.index.withdrawn(player.id)
        offers = [(What.MISS, text("misses rounds")), (What.LEAVE, text("leaves for good"))]
        if gone:
            offers = [(What.RETURN, text("plays again"))]
        before = self.what.value()
        self.what.fill(offers, before or self._wanted)
        if self.what.value() != before:
            self._suggest()

    def _constraint_texts(self, player: Player) -> str:
        catalogue = self.session.catalogue
        rows = tables.constraints(self.session.index, player.division, player.id).rows
        lines = [constraints.constraint_text(row, player, catalogue) for row in rows]
        return "\n".join(lines) or catalogue.text("Paired like everybody. Ctrl+M changes that.")

    def _choose(self) -> None:
        self._suggest()
        self._assess()

    def _suggest(self) -> None:
        """Allow what goes with what is chosen; who leaves for good has nothing recorded by default."""
        what = self.what.value()
        self.last.setVisible(what is What.MISS)
        self._to.setVisible(what is What.MISS)
        self.kind.setEnabled(what is not What.RETURN)
        with QSignalBlocker(self.kind):
            self.kind.choose(None if what is What.LEAVE else ByeKind.ABSENT)

    def _assess(self) -> None:
        """Show what follows from what is chosen and typed."""
        text = self.session.catalogue.text
        texts = {
            What.MISS: text("Note the absence"),
            What.LEAVE: text("Withdraw the player"),
            What.RETURN: text("Let the player return"),
        }
        self.follows.assess(self._command(), self._player, yes=texts[self.what.value() or What.MISS])

    def _command(self) -> partial[Tournament] | None:
        """Return what is chosen, None where a number cannot be read."""
        what = self.what.value()
        try:
            first, last = self.first.value() or self._coming, self.last.value()
        except ValueError:
            return None
        if what is What.RETURN:
            return partial(commands.return_player, player=self._player, from_round=first)
        key, kind = self.session.key(), self.kind.value()
        if what is What.LEAVE:
            return partial(commands.withdraw_player, key=key, player=self._player, from_round=first, kind=kind)
        return partial(
            commands.set_absence,
            key=key,
            player=self._player,
            first_round=first,
            last_round=last,
            kind=kind or ByeKind.ABSENT,
        )

    def _done(self) -> None:
        """Begin again; where only one thing was to be done, close."""
        if self._wanted is not None:
            self.closed.emit()
            return
        for field in (self.first, self.last):
            field.setModified(False)
        self.last.clear()
        self.first.setText(str(self._coming))

    def _show_absences(self, player: Player) -> None:
        fields.clear(self._absences)
        text = self.session.catalogue.text
        absences = self.session.index.absences(player.id)
        for item in absences:
            remove = fields.button(text("Remove"), partial(self._end, item), role="link")
            remove.setEnabled(not self.session.read_only and _ends(item) >= self._coming)
            message = fields.label(absence_text(item, self.session.catalogue))
            self._absences.addLayout(fields.row(message, 1, remove))
        if not absences:
            self._absences.addWidget(fields.label(text("Plays every round."), "muted"))

    def _end(self, item: Absence) -> None:
        if item.last_round is None:
            self.session.do(partial(commands.return_player, player=self._player))
            return
        number = max(item.first_round, self._coming)
        self.session.do(partial(commands.clear_absence, player=self._player, round_number=number))


def _ends(item: Absence) -> int:
    return 10**6 if item.last_round is None else item.last_round
