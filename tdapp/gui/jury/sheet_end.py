"""The foot of a sheet: how it ended, racks, clocks, what the scores are made of, and who answers for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from tdapp.domain.account import Breakdown
from tdapp.domain.ruleset import OvertimeKind, RuleSet
from tdapp.domain.sheet_draft import End
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, Choice, Elided, LineEdit
from tdapp.gui.widgets.theme import UNIT, font
from tdapp.i18n.sheet_reading import account_said
from tdapp.scrabble.sheet import Ended

T = TypeVar("T")
AUTHOR = "jury/author"  # the setting that remembers who checks and certifies
_WHOSE = frozenset({Ended.FLAG, Ended.FORFEIT})


@dataclass(frozen=True, slots=True)
class Foot:
    """What the foot shows besides what is typed.

    `derived` are the tiles that must be left on each rack, where they follow from the board; `notes` what is wrong
    or to be known, each with its colour.
    """

    players: tuple[str, str]
    accounts: Sequence[Breakdown]
    derived: tuple[str, str] = ("", "")
    notes: Sequence[tuple[str, str]] = ()
    read_only: bool = False


class EndPanel(QFrame):
    """The fields; `edited` gives what is typed, `finished` tells of Enter in the last one."""

    edited = Signal(object)
    finished = Signal()
    left = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("card")
        text, look = session.catalogue.text, session.look
        self.ended: Choice[Ended] = Choice(text("How it ended"), [], look)
        self.whose: Choice[str] = Choice(text("Whose"), [], look)
        self._names = (Elided(), Elided())
        self.racks = tuple(LineEdit(text("Rack of player {n}", n=n), placeholder=text("rack")) for n in (1, 2))
        self.overtime = tuple(LineEdit(text("Overtime of player {n}", n=n), placeholder="m:ss") for n in (1, 2))
        self._accounts = (fields.label("", "muted", wrap=True), fields.label("", "muted", wrap=True))
        self._totals = (fields.label("", "lead"), fields.label("", "lead"))
        known = str(session.settings.value(AUTHOR, ""))
        self.author = LineEdit(text("Jury"), text=known, placeholder=text("name"))
        self._notes = fields.rich()
        self._build()
        self._connect()

    # --- what the page uses

    def show_end(self, end: End, rules: RuleSet, foot: Foot) -> None:
        """Show what is typed and what follows from it."""
        self._show_choices(end, rules, foot)
        clocks = rules.overtime.kind is OvertimeKind.MINUTES or any(end.overtime)
        for place in range(2):
            self._names[place].say(foot.players[place].partition(",")[0])
            self._names[place].setToolTip(foot.players[place])
            _put(self.racks[place], end.racks[place])
            _put(self.overtime[place], end.overtime[place])
            derived = foot.derived[place]
            self.racks[place].setPlaceholderText(derived or self._session.catalogue.text("rack"))
            self.overtime[place].setVisible(clocks)
            part = foot.accounts[place]
            self._accounts[place].setText(account_said(part, rules, self._session.catalogue))
            self._totals[place].setText(str(part.total))
            for line in (self.racks[place], self.overtime[place]):
                line.setReadOnly(foot.read_only)
        for choice in (self.ended, self.whose):
            choice.setEnabled(not foot.read_only)
        colours = self._session.look.colours
        lines = [f"<span style='color:{getattr(colours, tone)}'>{said}</span>" for said, tone in foot.notes]
        self._notes.setText("<br>".join(lines))
        self._notes.setVisible(bool(lines))

    def focus(self, where: str = "ended") -> None:
        """Put the cursor into a field: ended, whose, rack1, overtime2, author ..., unless it is not seen."""
        if not self.isVisible():
            return
        field = self._field(where)
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(field, LineEdit):
            field.selectAll()
            field.setModified(False)  # Ctrl+Z takes back what was done last, not its typing

    def mark(self, where: str) -> None:
        """Show which field cannot be used as it stands; an empty name: all can."""
        for line in (*self.racks, *self.overtime, self.author):
            line.mark(wrong=bool(where) and line is self._field(where))

    def end(self) -> End:
        """Return what is typed."""
        return End(
            ended=self.ended.value(),
            whose=self.whose.value() or "" if self.ended.value() in _WHOSE else "",
            racks=(self.racks[0].text(), self.racks[1].text()),
            overtime=(self.overtime[0].text(), self.overtime[1].text()),
        )

    @property
    def said(self) -> str:
        """The sentences below the fields, as rich text."""
        return self._notes.text()

    # --- inside

    def _build(self) -> None:
        for line in self.racks:
            line.setMaximumWidth(UNIT * 11)
        for label in self._accounts:
            label.setFont(font(11))
        for name in self._names:
            name.setMaximumWidth(UNIT * 16)
        for line in self.overtime:
            line.setMaximumWidth(UNIT * 8)
        self.author.setMaximumWidth(UNIT * 22)
        grid = QGridLayout()
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(3, 4)
        for place in range(2):
            parts: list[QWidget] = [self._names[place], self.racks[place], self.overtime[place]]
            parts += [self._accounts[place], self._totals[place]]
            for column, part in enumerate(parts):
                grid.addWidget(part, place, column)
            self._totals[place].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._totals[place].setMinimumWidth(UNIT * 5)
        who = fields.label(self._session.catalogue.text("Jury"))
        who.setBuddy(self.author)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        whole.setSpacing(UNIT - 2)
        whole.addLayout(fields.row(self.ended, self.whose, 1, who, self.author))
        whole.addLayout(grid)
        whole.addWidget(self._notes)

    def _connect(self) -> None:
        for choice in (self.ended, self.whose):
            choice.currentIndexChanged.connect(self._edit)
        for line in (*self.racks, *self.overtime):
            line.textEdited.connect(self._edit)
        self.author.textEdited.connect(self._remember)

    def _edit(self, _value: object) -> None:
        self.edited.emit(self.end())

    def _remember(self, text: str) -> None:
        self._session.settings.setValue(AUTHOR, text.strip())

    def _show_choices(self, end: End, rules: RuleSet, foot: Foot) -> None:
        words = self._session.catalogue
        known: list[Ended] = [one for one in rules.ending.ends if one not in {Ended.OPEN, Ended.FORFEIT}]
        if end.ended is not None and end.ended not in {*known, Ended.OPEN, Ended.FORFEIT}:
            known.append(end.ended)
        offered = [(one, words.code(one)) for one in known]
        offered += [(Ended.FORFEIT, words.code(Ended.FORFEIT)), (Ended.OPEN, words.text("not finished"))]
        _fill(self.ended, offered, end.ended, words.text("How did it end?"))
        whose = [("1", foot.players[0]), ("2", foot.players[1])]
        if end.ended is Ended.FORFEIT:
            whose.append(("both", words.text("both")))
        _fill(self.whose, whose, end.whose or None, words.text("Whose?"))
        self.whose.setVisible(end.ended in _WHOSE)

    def _field(self, where: str) -> QWidget:
        named: dict[str, QWidget] = {
            "ended": self.ended,
            "whose": self.whose,
            "rack1": self.racks[0],
            "rack2": self.racks[1],
            "overtime1": self.overtime[0],
            "overtime2": self.overtime[1],
            "author": self.author,
        }
        return named[where]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the fields by Enter; Esc goes back to the turns."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in ENTER and not event.modifiers():
            self._next()
        else:
            super().keyPressEvent(event)

    def _next(self) -> None:
        order: list[QWidget] = [
            self.ended,
            self.whose,
            self.racks[0],
            self.overtime[0],
            self.racks[1],
            self.overtime[1],
        ]
        shown = [one for one in (*order, self.author) if one.isVisible() and one.isEnabled()]
        place = next((number for number, one in enumerate(shown) if one.hasFocus()), len(shown))
        if place + 1 < len(shown):
            shown[place + 1].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.finished.emit()


def _put(line: LineEdit, text: str) -> None:
    if line.text() != text:
        line.setText(text)


def _fill(choice: Choice[T], offered: Sequence[tuple[T, str]], value: T | None, ask: str) -> None:
    """Offer values without a word to anyone; where none is chosen the field asks."""
    now = [choice.itemText(place) for place in range(choice.count())]
    if now != [text for _, text in offered]:
        choice.fill(offered, value)
    places = [one for one, _ in offered]
    with QSignalBlocker(choice):
        choice.setCurrentIndex(places.index(value) if value is not None and value in places else -1)
        choice.setPlaceholderText(ask)
