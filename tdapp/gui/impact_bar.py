"""The bar that says what a correction means before it is made: who wins, ranks, papers, later rounds.

Hides the reckoning. The standings are compared at once; how later rounds would have been paired comes from the
pool when it is ready, and nobody has to wait for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from tdapp.domain import impact
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import GameId, Tournament
from tdapp.gui import fields, impact_words
from tdapp.gui.fields import LineEdit
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.work import Task
from tdapp.pairing.hindsight import RoundDifference, would_differ


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of a game's result: the command without its reason, and what is said of it, as rich text.

    `final`: the result is certified, so a reason is needed; `clear`: the game is to be open again.
    """

    game: GameId
    command: partial[Tournament]
    said: str
    final: bool = False
    clear: bool = False

    def after(self, tournament: Tournament) -> Tournament:
        """Return `tournament` corrected, whatever the reason; raise what the command raises."""
        reason = {"reason": "…"} if self.final else {}
        return self.command.func(tournament, **{**self.command.keywords, **reason})


class ImpactBar(QFrame):
    """Weighs one correction at a time; `confirmed` brings the reason (empty where none is asked), `left` Esc."""

    confirmed = Signal(str)
    left = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self._correction: Correction | None = None
        self._weighed: Tournament | None = None
        self._task: Task | None = None
        text = session.catalogue.text
        self._head = _rich()
        self._said = _rich()
        self._later = _rich()
        self._said.setAccessibleName(text("What this changes"))
        self.reason = LineEdit(text("Reason"), placeholder=text("Why? It is kept in the history."))
        self.reason.returnPressed.connect(self.confirm)
        self.reason.textChanged.connect(self._unmark)
        self.yes = fields.button("", self.confirm, role="primary")
        self.no = fields.button(text("Leave it (Esc)"), self.left.emit, role="quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT * 2, UNIT, UNIT * 2, UNIT)
        column.setSpacing(UNIT // 2)
        buttons = fields.row(self.reason, self.yes, self.no, 1)
        buttons.setStretch(0, 2)
        fields.fill(column, [self._head, self._said, self._later, -1, buttons])
        self.hide()

    @property
    def correction(self) -> Correction | None:
        """What is weighed, None while the bar is closed."""
        return self._correction

    def ask(self, correction: Correction, *, focus: bool) -> None:
        """Show what a correction means; with `focus`, or to hear a reason, the cursor comes here."""
        self._correction, self._weighed = correction, None
        text = self._session.catalogue.text
        self.yes.setText(text("Clear the result") if correction.clear else text("Change the result"))
        self.reason.clear()
        self.reason.setVisible(correction.final)
        self._head.setText(correction.said)
        self._head.setVisible(bool(correction.said))
        self.weigh()
        self.show()
        if correction.final:
            self.reason.setFocus()
        elif focus:
            self.yes.setFocus()

    def weigh(self) -> None:
        """Say again what the correction means if the tournament has changed since."""
        tournament = self._session.tournament
        if self._correction is None or tournament is self._weighed:
            return
        self._weighed = tournament
        self._forget()
        try:
            after = self._correction.after(tournament)
        except RuleViolation as error:
            self._show(self._said, [self._session.catalogue.error(error)])
            return
        self._compare(tournament, after, self._correction)

    def confirm(self) -> None:
        """Pass the reason on; stay while one is missing."""
        reason = self.reason.text().strip()
        if self._correction is None:
            return
        if self._correction.final and not reason:
            self.reason.mark(wrong=True)
            self.reason.setFocus()
            return
        self.confirmed.emit(reason)

    def drop(self) -> None:
        """Close, and change nothing."""
        self._forget()
        self._correction, self._weighed = None, None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    # --- inside

    def _compare(self, before: Tournament, after: Tournament, correction: Correction) -> None:
        words, index = self._session.catalogue, self._session.index
        game = before.games[correction.game]
        division = index.division_of(game.round).id
        found = impact.impact(before, after, division)
        first = (game.first, game.second)
        self._show(self._said, impact_words.impact(found, before.players, words, first=first))
        later = [item.number for item in index.rounds(division) if item.number > before.rounds[game.round].number]
        if not later:
            self._show(self._later, [])
        elif Index(after).result(game.id) is None:
            rounds = impact_words.numbers(later)
            said = words.plural(
                "Round {rounds} is paired on this result", "Rounds {rounds} are paired on this result", len(later),
                rounds=rounds,
            )  # fmt: skip
            self._show(self._later, [said])
        else:
            self._show(self._later, [words.text("Looking at later rounds…")])
            call = partial(would_differ, before, after, division)
            label = words.text("Looking at later rounds…")
            stopped = partial(self._stopped, before)
            self._task = self._session.compute(call, then=self._found, label=label, stopped=stopped)

    def _found(self, found: Sequence[RoundDifference]) -> None:
        players, words = self._session.tournament.players, self._session.catalogue
        self._show(self._later, [impact_words.hindsight(found, players, words)])

    def _stopped(self, weighed: Tournament) -> None:
        """Say nothing of later rounds when somebody did not want to wait for it."""
        if self._weighed is weighed:
            self._show(self._later, [])

    def _show(self, label: QLabel, said: Sequence[str]) -> None:
        label.setText("<br>".join(escape(one) for one in said))
        label.setVisible(bool(said))

    def _forget(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _unmark(self) -> None:
        self.reason.mark(wrong=False)


def _rich() -> QLabel:
    made = QLabel()
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setWordWrap(True)
    return made
