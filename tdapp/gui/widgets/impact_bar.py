"""The bar that shows the effects of a correction before it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from tdapp.domain.errors import CommandError
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.impact_sentences import (
    ResultCorrection,
    assess_correction_effects,
    describe_effects_on_later_rounds,
    needs_effect_preview,
)
from tdapp.services.worker import BackgroundTask


def cancel_open_confirmation(container: QWidget) -> bool:
    open_bar = next((bar for bar in container.findChildren(ImpactConfirmationBar) if bar.isVisible()), None)
    if open_bar is not None:
        open_bar.cancelled.emit()
    return open_bar is not None


class ImpactConfirmationBar(QFrame):
    """Shows the effects of one correction and asks for confirmation. Esc emits `cancelled`."""

    cancelled = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self.correction: ResultCorrection | None = None  # the shown correction, None while the bar is closed
        self._on_confirmed: Callable[[str], None] | None = None
        self._needs_reason = False
        self._assessed: Tournament | None = None
        self._task = BackgroundTask("")
        text = session.catalogue.text
        self._head, self.changes, self._later_effects = (
            fields.make_rich_text_label(is_announced=True) for _ in range(3)
        )
        self.reason = LineEdit(text("Reason"), placeholder=text("Why? The reason is kept in the history."))
        self.reason.returnPressed.connect(self.confirm_correction)
        self.reason.textChanged.connect(self._unmark_reason_field)
        self.yes = fields.make_button("", self.confirm_correction, role="primary")
        self.no = fields.make_button(text("Cancel (Esc)"), self.cancelled.emit, role="quiet")
        buttons = fields.make_row(self.reason, self.yes, self.no, 1)
        buttons.setStretch(0, 2)
        parts, margins = (
            (self._head, self.changes, self._later_effects, -1, buttons),
            (UNIT * 2, UNIT, UNIT * 2, UNIT),
        )
        fields.make_column(*parts, gap=UNIT // 2, margins=margins, parent=self)
        self.hide()

    def ask_to_confirm_or_run(
        self,
        correction: ResultCorrection,
        run_command: Callable[[partial[Tournament]], None],
        *,
        always_ask: bool = False,
    ) -> bool:
        """Run a correction. If it affects other data or `always_ask` is set, ask first.

        Return whether the bar asks. `run_command` runs a command and reports its errors.
        """
        try:
            must_ask = needs_effect_preview(correction, self._session.tournament) or always_ask
        except CommandError:
            must_ask = False
        if not must_ask:
            run_command(correction.command)
            return False
        self.show_effects(
            correction, on_yes=lambda reason: run_command(correction.make_command(reason)), focus=True
        )
        return True

    def show_effects(self, correction: ResultCorrection, *, on_yes: Callable[[str], None], focus: bool) -> None:
        """Show the effects and ask for confirmation. Then call `on_yes` with the reason for the correction, or "".

        With `focus`, put the focus on the confirm button if no reason is required.
        """
        self.correction, self._assessed, self._on_confirmed = correction, None, on_yes
        self.yes.setText(correction.confirm_text or self._session.catalogue.text("Change the result"))
        self.reason.clear()
        fields.show_text(self._head, correction.description)
        self.update_effects()
        self.show()
        if self._needs_reason:
            self.reason.setFocus()
        elif focus:
            self.yes.setFocus()

    def update_effects(self) -> None:
        tournament, correction = self._session.tournament, self.correction
        if correction is None or tournament is self._assessed:
            return
        self._assessed = tournament
        self._task.cancel_work()
        catalogue = self._session.catalogue
        effects = assess_correction_effects(correction, self._session.index, catalogue)
        self._needs_reason = effects.needs_reason
        self.reason.setVisible(self._needs_reason)
        self._show_sentences(self.changes, effects.changes)
        self._show_sentences(self._later_effects, [effects.later_rounds_text])
        if effects.compared_tournaments is not None:
            self._task = self._session.run_in_background(
                partial(describe_effects_on_later_rounds, correction, effects, catalogue),
                on_success=make_callback_unless_deleted(
                    self, lambda text: self._show_sentences(self._later_effects, [text])
                ),
                label=effects.later_rounds_text,
                on_stop=make_callback_unless_deleted(
                    self, partial(self._hide_effects_on_later_rounds, tournament)
                ),
            )

    def confirm_correction(self) -> None:
        reason, on_confirmed = self.reason.text().strip(), self._on_confirmed
        if on_confirmed is None:
            return
        if self._needs_reason and not reason:
            self.reason.mark_invalid(is_invalid=True)
            self.reason.setFocus()
            return
        self.close_bar()
        on_confirmed(reason)

    def close_bar(self) -> None:
        self._task.cancel_work()
        self.correction, self._assessed, self._on_confirmed, self._needs_reason = None, None, None, False
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _hide_effects_on_later_rounds(self, assessed_tournament: Tournament) -> None:
        if self._assessed is assessed_tournament:
            self._show_sentences(self._later_effects, [])

    def _show_sentences(self, label: QLabel, sentences: Sequence[str]) -> None:
        fields.show_text(label, "<br>".join(map(escape, sentences)))

    def _unmark_reason_field(self) -> None:
        self.reason.mark_invalid(is_invalid=False)
