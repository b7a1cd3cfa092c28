"""The bar that shows the effects of a correction before it is made.

New pairings are computed in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from tdapp.domain import impact
from tdapp.domain.errors import RuleViolation
from tdapp.domain.impact import find_certified_change, needs_assessment
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, GameId, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session, run_if_alive
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import impact_sentences
from tdapp.pairing.recheck import RoundDifference, find_pairing_changes
from tdapp.services.worker import Task


class Correction(Struct, frozen=True):
    """A correction: the command without its reason, and its description as rich text.

    `round` is the first affected round, `yes` the text of the button. `reasoned`: the command has a reason
    already.
    """

    command: partial[Tournament]
    said: str
    division: DivisionId
    players: tuple[PlayerId, ...]
    round: int
    yes: str = ""
    reasoned: bool = False

    def make_tournament(self, tournament: Tournament) -> Tournament:
        """Return the tournament after the correction. Raises the errors of the command."""
        return self.make_command("…")(tournament)

    def make_command(self, reason: str) -> partial[Tournament]:
        return partial(self.command, reason=reason) if reason and not self.reasoned else self.command


def leave_question(whole: QWidget) -> bool:
    """Cancel an open question. Return whether one was open."""
    asking = next((bar for bar in whole.findChildren(ImpactBar) if bar.isVisible()), None)
    if asking is not None:
        asking.left.emit()
    return asking is not None


def make_game_correction(
    index: Index, key: GameId, command: partial[Tournament], said: str, *, yes: str = "", reasoned: bool = False
) -> Correction:
    game = index.tournament.games[key]
    division, number = index.division_of(game.round).id, index.tournament.rounds[game.round].number
    players = (game.first, game.second)
    return Correction(command, said, division, players, number, yes=yes, reasoned=reasoned)


class ImpactBar(QFrame):
    """Shows the effects of one correction and asks for confirmation. Esc emits `left`."""

    left = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self.correction: Correction | None = None  # the shown correction, None while the bar is closed
        self._then: Callable[[str], None] | None = None
        self._final = False  # a reason is needed
        self._assessed: Tournament | None = None
        self._task = Task("")  # none yet
        text = session.catalogue.text
        self._head, self.changes, self._later = (fields.rich(spoken=True) for _ in range(3))
        self.reason = LineEdit(text("Reason"), placeholder=text("Why? The history keeps the reason."))
        self.reason.returnPressed.connect(self.confirm_correction)
        self.reason.textChanged.connect(self._unmark_field)
        self.yes = fields.button("", self.confirm_correction, role="primary")
        self.no = fields.button(text("Leave it (Esc)"), self.left.emit, role="quiet")
        buttons = fields.row(self.reason, self.yes, self.no, 1)
        buttons.setStretch(0, 2)
        parts, around = (self._head, self.changes, self._later, -1, buttons), (UNIT * 2, UNIT, UNIT * 2, UNIT)
        fields.column(*parts, gap=UNIT // 2, around=around, parent=self)
        self.hide()

    def run_or_ask(
        self, correction: Correction, do: Callable[[partial[Tournament]], None], *, always: bool = False
    ) -> bool:
        """Run a correction with `do`. If it has effects, or `always`, show them first.

        Return whether the bar asks. `do` reports an error of the correction.
        """
        tournament = self._session.tournament
        try:
            after = correction.make_tournament(tournament)
        except RuleViolation:
            do(correction.command)
            return False
        if (
            not always
            and not needs_assessment(tournament, after)
            and find_certified_change(tournament, after) is None
        ):
            do(correction.command)
            return False
        self.show_effects(correction, then=lambda reason: do(correction.make_command(reason)), focus=True)
        return True

    def show_effects(self, correction: Correction, *, then: Callable[[str], None], focus: bool) -> None:
        """Show the effects and ask. `then` gets the reason, "" if none is required."""
        self.correction, self._assessed, self._then = correction, None, then
        self.yes.setText(correction.yes or self._session.catalogue.text("Change the result"))
        self.reason.clear()
        fields.show_text(self._head, correction.said)
        self.update_effects()
        self.show()
        if self._final:
            self.reason.setFocus()
        elif focus:
            self.yes.setFocus()

    def update_effects(self) -> None:
        """Compute the effects again after a change."""
        tournament = self._session.tournament
        if self.correction is None or tournament is self._assessed:
            return
        self._assessed = tournament
        self._task.cancel_work()
        try:
            after = self.correction.make_tournament(tournament)
        except RuleViolation as error:
            self._set_sentences(self.changes, [self._session.catalogue.error(error)])
            self._set_sentences(self._later, [])
            return
        self._final = not self.correction.reasoned and find_certified_change(tournament, after) is not None
        self.reason.setVisible(self._final)
        self._compute_effects(tournament, after, self.correction)

    def confirm_correction(self) -> None:
        """Make the correction. If a required reason is missing, stay open."""
        reason, then = self.reason.text().strip(), self._then
        if then is None:
            return
        if self._final and not reason:
            self.reason.mark_invalid(wrong=True)
            self.reason.setFocus()
            return
        self.drop_correction()
        then(reason)

    def drop_correction(self) -> None:
        self._task.cancel_work()
        self.correction, self._assessed, self._then, self._final = None, None, None, False
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _compute_effects(self, before: Tournament, after: Tournament, correction: Correction) -> None:
        catalogue, index, division = self._session.catalogue, self._session.index, correction.division
        found = impact.assess_impact(index, after, division)
        self._set_sentences(
            self.changes,
            impact_sentences.describe_impact(found, before.players, catalogue, first=correction.players),
        )
        later = [item.number for item in index.rounds(division) if item.number > correction.round]
        if not later:
            self._set_sentences(self._later, [])
        elif not before.results.keys() <= after.results.keys():
            rounds = catalogue.format_numbers(later)
            said = catalogue.plural(
                "Round {rounds} is paired on this result", "Rounds {rounds} are paired on this result", len(later),
                rounds=rounds,
            )  # fmt: skip
            self._set_sentences(self._later, [said])
        else:
            label = catalogue.text("Looking at later rounds…")
            self._set_sentences(self._later, [label])
            call, then = (
                partial(find_pairing_changes, before, after, division),
                run_if_alive(self, self._show_differences),
            )
            stopped = run_if_alive(self, partial(self._handle_stop, before))
            self._task = self._session.run_in_background(call, then=then, label=label, stopped=stopped)

    def _show_differences(self, found: Sequence[RoundDifference]) -> None:
        players, catalogue = self._session.tournament.players, self._session.catalogue
        self._set_sentences(self._later, [impact_sentences.describe_hindsight(found, players, catalogue)])

    def _handle_stop(self, assessed: Tournament) -> None:
        if self._assessed is assessed:
            self._set_sentences(self._later, [])

    def _set_sentences(self, label: QLabel, said: Sequence[str]) -> None:
        fields.show_text(label, "<br>".join(map(escape, said)))

    def _unmark_field(self) -> None:
        self.reason.mark_invalid(wrong=False)
