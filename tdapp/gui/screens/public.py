"""What everybody may see on screens and pages: how players are named, and which standings are held back."""

from __future__ import annotations

from functools import partial

from tdapp.domain import commands
from tdapp.domain.model import Division, DivisionId, NamesShown
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form
from tdapp.gui.widgets.page import Panel

_ALL = -1  # nothing is held back


class PublicPanel(Panel):
    """Each choice is kept at once."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("What everybody may see"))
        ways = [(way, session.catalogue.code(way)) for way in NamesShown]
        self.names: Choice[NamesShown] = Choice(self.text("Names"), ways, session.look)
        self.names.currentIndexChanged.connect(self._name)
        self.details = fields.check(self.text("Club, country and rating"))
        self.details.clicked.connect(self._detail)
        form = Form()
        form.add(self.text("Names"), self.names)
        form.addWidget(self.details, form.rowCount(), 1)
        note = self.text("So they stand on the screens, the site and the page for phones; not on your printouts.")
        self.held: dict[DivisionId, Choice[int]] = {}
        divisions = Form()
        for division in session.index.divisions:
            made = self.held[division.id] = Choice(
                self.text("Standings of division {code}", code=division.code), [], session.look
            )
            made.currentIndexChanged.connect(partial(self._hold, division.id))
            divisions.add(self.text("Division {code}", code=division.code), made)
        held = self.text(
            "Of rounds that are held back the pairings are shown, but no results and no standings. "
            "The prize-giving shows them when you start it."
        )
        named, held_back = (fields.label(one, "muted", wrap=True) for one in (note, held))
        fields.fill(self.body, [form, named, fields.rule(), divisions, held_back, 1])
        self.setFocusProxy(self.names)

    def refresh(self) -> None:
        """Show what is chosen now."""
        session = self.session
        if not session.is_open or {*self.held} != {*session.tournament.divisions}:
            self.closed.emit()
            return
        event, fixed = session.tournament.event, session.read_only
        self.names.fill([(way, session.catalogue.code(way)) for way in NamesShown], event.names_shown)
        self.details.setChecked(event.details_shown)
        for one in (self.names, self.details, *self.held.values()):
            one.setEnabled(not fixed)
        for division in session.index.divisions:
            held = _ALL if division.held_after is None else division.held_after
            self.held[division.id].fill(self._offered(division), held)

    # --- inside

    def _offered(self, division: Division) -> list[tuple[int, str]]:
        planned = max(self.session.index.planned_rounds(division.id), len(self.session.index.rounds(division.id)))
        numbers = [*range(1, planned + 1)]
        if division.held_after is not None and division.held_after > planned:
            numbers.append(division.held_after)
        rounds = [(number, self.text("Hold back after round {round}", round=number)) for number in numbers]
        return [(_ALL, self.text("Hold nothing back")), (0, self.text("Hold all standings back")), *rounds]

    def _name(self) -> None:
        self.session.do(partial(commands.set_names_shown, names=self.names.value() or NamesShown.FULL))

    def _detail(self) -> None:
        self.session.do(partial(commands.set_names_shown, details=self.details.isChecked()))

    def _hold(self, division: DivisionId, _place: int) -> None:
        chosen = self.held[division].value()
        after = None if chosen in {None, _ALL} else chosen
        self.session.do(partial(commands.hold_standings, division=division, after=after))
