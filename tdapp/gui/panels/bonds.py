"""What is wished or ordered for two players: never to meet, kept apart, or to meet in a round."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Bond, DivisionId, Player, PlayerId, RestrictionId
from tdapp.domain.tables import bonds
from tdapp.domain.tournament import Tournament
from tdapp.gui import fields
from tdapp.gui.fields import Choice, Form, LineEdit, NumberEdit
from tdapp.gui.later import if_seen
from tdapp.gui.page import Panel
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView
from tdapp.i18n.catalogue import Catalogue

_ORDER = (Bond.NEVER, Bond.APART, Bond.TOGETHER)
Someone = PlayerId | None


def told(row: bonds.BondRow, player: Player, words: Catalogue) -> str:
    """Return what holds for a player, and with whom."""
    other = row.other if row.player == player.name else row.player
    return words.text("{what}: {player}", what=_what(row, words), player=other)


def _what(row: bonds.BondRow, words: Catalogue) -> str:
    return words.text("Round {round}", round=row.round) if row.round else words.code(row.bond)


class BondsEditor(QWidget):
    """The bonds of a division, and a form for another one, which begins with `player`."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        super().__init__()
        self._session, self._first = session, player
        text = session.catalogue.text
        said = {
            Bond.NEVER: text("are never paired"),
            Bond.APART: text("are kept apart where that costs nothing"),
            Bond.TOGETHER: text("meet in round"),
        }
        self.one: Choice[Someone] = Choice(text("Player"), [], session.look)
        self.other: Choice[Someone] = Choice(text("Opponent"), [], session.look)
        self.bond: Choice[Bond] = Choice(text("What holds"), [(one, said[one]) for one in _ORDER], session.look)
        self.round = NumberEdit(text("Round"))
        self.why = LineEdit(text("Reason"), placeholder=text("Reason, for yourself"))
        self.rows = Rows(
            session.catalogue, hidden={"round"}, shown={"bond": partial(_what, words=session.catalogue)}
        )
        self.view = TableView(
            self.rows,
            look=session.look,
            name=text("Who meets whom"),
            empty=text("Nothing is wished or ordered for two players yet."),
        )
        self.view.keep_order()
        self.view.set_widths({"bond": 92, "why": 72}, stretch=("player", "other"))
        self.view.set_optional(("why",))
        self.view.setMinimumHeight(UNIT * 16)
        self.view.installEventFilter(self)
        self.remove = fields.button(text("Take away (Del)"), self.take_away)
        self.add_button = fields.button(text("Add"), self.add, role="primary")
        self._build()

    def refresh(self, division: DivisionId) -> None:
        """Show what holds now."""
        session = self._session
        self.rows.show(bonds.bonds(session.index, division))
        players = sorted(session.index.players(division), key=lambda row: session.catalogue.sort_key(row.name))
        named: list[tuple[Someone, str]] = [(row.id, f"{row.name} ({row.number})") for row in players]
        nobody = session.catalogue.text("Choose a player")
        self.one.fill([(None, nobody), *named], self.one.value() or self._first)
        self.other.fill([(None, nobody), *named], self.other.value())
        self.remove.setEnabled(bool(self.rows.keys()) and self._session.editable)
        self.add_button.setEnabled(self._session.editable)

    def add(self) -> None:
        """Keep what is chosen."""
        one, other, bond = self.one.value(), self.other.value(), self.bond.value()
        if one is None or other is None:
            (self.one if one is None else self.other).setFocus()
            return
        key, why = self._session.key(), self.why.text()
        command: partial[Tournament]
        if bond is Bond.TOGETHER:
            number = self._number()
            if number is None:
                return
            command = partial(
                commands.order_pairing, key=key, player=one, other=other, round_number=number, why=why
            )
        else:
            wished = commands.keep_apart if bond is Bond.APART else commands.forbid_pairing
            command = partial(wished, key=key, player=one, other=other, why=why)
        self._session.do(command, field=self.other, done=if_seen(self, self._added))

    def take_away(self) -> None:
        """Take away what the cursor is on."""
        key = self.view.current_key() or next(iter(self.rows.keys()), "")
        if key and self._session.editable:
            self._session.do(partial(commands.remove_bond, bond=RestrictionId(key)), field=self.view)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take away by the delete key."""
        if (
            watched is self.view
            and isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}
        ):
            self.take_away()
            return True
        return super().eventFilter(watched, event)

    # --- inside

    def _build(self) -> None:
        text, form = self._session.catalogue.text, Form()
        form.add(text("Player"), self.one)
        form.add(text("and"), self.other)
        form.add("", self.bond)
        form.add(text("Round"), self.round)
        form.add(text("Reason"), self.why)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        fields.fill(column, [self.view, fields.row(1, self.remove)])
        column.addLayout(form)
        fields.fill(column, [fields.row(1, self.add_button)])
        column.setStretchFactor(self.view, 1)
        self.round.setEnabled(False)
        self.bond.currentIndexChanged.connect(self._choose_bond)
        for field in (self.round, self.why):
            field.returnPressed.connect(self.add)

    def _choose_bond(self) -> None:
        ordered = self.bond.value() is Bond.TOGETHER
        self.round.setEnabled(ordered)
        division = self._session.division
        if ordered and not self.round.text() and division is not None:
            self.round.setText(str(len(self._session.index.published(division.id)) + 1))

    def _number(self) -> int | None:
        try:
            number = self.round.value()
        except ValueError:
            number = None
        if number is None:
            wrong = RuleViolation("bad-number", value=self.round.text(), least=1, most=200)
            self._session.refuse(wrong, self.round)
        return number

    def _added(self) -> None:
        self.why.clear()
        self.other.setFocus()


class BondsPanel(Panel):
    """The bonds of a division beside a page."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        super().__init__(session, session.catalogue.text("Who meets whom"))
        self.want_width(UNIT * 62)
        note = session.catalogue.text(
            "“Never” goes before everything. “Kept apart” gives way to repeats, scores and floats. Who is to meet "
            "in a round does so, whatever it costs the others."
        )
        self.bonds = BondsEditor(session, player)
        fields.fill(self.body, [fields.label(note, "muted", wrap=True), self.bonds])
        self.body.setStretchFactor(self.bonds, 1)
        self.setFocusProxy(self.bonds.other if player else self.bonds.one)

    def refresh(self) -> None:
        """Show what holds now."""
        division = self.session.division
        if division is None:
            self.closed.emit()
            return
        self.bonds.refresh(division.id)
