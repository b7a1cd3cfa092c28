"""What the day would look like: the planned schedule played many times over, and another one beside it."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QHideEvent

from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Division
from tdapp.domain.ratings import chosen
from tdapp.domain.systems import MANUAL, system_of
from tdapp.domain.tables.table import Table
from tdapp.gui.editor.fields import Choose, Input, Number
from tdapp.gui.editor.form import FieldForm
from tdapp.gui.shell.round_clock import HallClock
from tdapp.gui.shell.session import Session, if_there
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.phrases import rehearsal_note, rehearsal_table
from tdapp.pairing import SYSTEMS
from tdapp.pairing.rehearsal import Rehearsal, planned, rehearse
from tdapp.services.worker import Task, expected

MOST = 200  # rounds, and players who go on


class RehearsalPanel(Panel):
    """Asks for the plan that stands beside the planned one, and shows what both come to; touches nothing."""

    topic = "rehearsal"

    def __init__(self, session: Session, division: Division) -> None:
        """`division` has a schedule."""
        text, code = session.catalogue.text, session.catalogue.code
        super().__init__(session, text("What would the day look like?"), width=UNIT * 76)
        self._division, self._task = division, Task("")
        first, *later = session.index.stages(division.id)
        goes_on = next((stage.cut or 0 for stage in later if system_of(stage).bracket), 0)
        offered = [(one, code(f"system.{one}")) for one in SYSTEMS if one != MANUAL.id]
        self._planned = {"system": first.system, "rounds": first.rounds, "cut": goes_on}
        self.form = FieldForm(session, [
            Input(name="system", label=text("System"), control=Choose, options=lambda _: offered,
                  value=first.system),
            Input(name="rounds", label=text("Rounds"), control=Number, value=first.rounds, most=MOST),
            Input(name="cut", label=text("Then a knockout of"), hint=text("nobody"), control=Number, value=goes_on,
                  most=MOST),
        ])  # fmt: skip
        self.form.submitted.connect(self.begin)
        self.play = fields.button(text("Play it through"), self.begin, role="primary")
        self.rows = Rows(session.catalogue)
        self.view = TableView(self.rows, look=session.look, name=text("What would the day look like?"))
        self.view.set_widths({"planned": UNIT * 14, "beside": UNIT * 14}, stretch=("figure",))
        self._how = fields.label("", "muted", wrap=True, spoken=True)
        intro = text(
            "The whole day is played many times over with the players on the list. Change the plan to see another "
            "one beside it. Nothing of this touches the tournament."
        )
        parts: list[fields.Part] = [
            fields.label(intro, "muted", wrap=True),
            self.form,
            fields.row(self.play, 1),
            self.view,
            self._how,
        ]
        fields.fill(self.body, parts, self.view)
        self.form.refresh()
        self.setFocusProxy(self.play)

    def begin(self) -> None:
        """Play in the background; what is still played is not wanted any more."""
        values, session = self.form.read(), self.session
        if values is None or not session.is_open or self._division.id not in session.tournament.divisions:
            return
        self._task.cancel()
        index, task = session.index, Task(self.text("Playing the day…"))
        plans = [index.stages(self._division.id)]
        named = {name: value for name, value in values.items() if value != self._planned.get(name)}
        self._task = task
        self.rows.show(Table("rehearsal", (), ()))
        self._how.setText(task.label)
        try:
            plans += [planned(index, self._division.id, **named)] if named else []
        except RuleViolation as error:
            self._fail(error)
            return
        system = chosen(session.resources.ratings, self._division.rating)
        call = partial(rehearse, index.tournament, self._division.id, system=system, plans=plans)
        session.compute(
            partial(call, seconds=HallClock.of(session).lasts, tick=task.progress),
            then=if_there(self, self._show),
            label=task.label,
            failed=if_there(self, self._fail),
            task=task,
            stopped=if_there(self, partial(self._stopped, task)),
        )

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop what is being played when the panel is left."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._task.cancel()

    def _show(self, found: tuple[Rehearsal, ...]) -> None:
        self.rows.show(rehearsal_table(self.session.catalogue, found))
        self._how.setText(rehearsal_note(self.session.catalogue, found))

    def _fail(self, error: Exception) -> None:
        self._how.setText(self.session.catalogue.error(expected(error)))

    def _stopped(self, task: Task) -> None:
        if task is self._task:
            self._how.setText(self.text("Not calculated: you stopped it."))
