"""Which column of a table is which field of a player: a choice under each heading, all reached by Tab."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from tdapp.exchange.cells import CellGrid
from tdapp.exchange.player_lists import FIELDS, PlayerColumns
from tdapp.exchange.text import clean
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.fields import Choice, Elided
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.catalogue import Catalogue

_WIDTH = UNIT * 19
_BESIDE = 7  # columns in a row


def field_names(words: Catalogue) -> list[tuple[str, str]]:
    """Return what a column can be, first that it is left out."""
    own = {
        "last": words.text("Last name"),
        "infix": words.text("Before the last name"),
        "first": words.text("First name"),
    }
    return [("", words.text("– leave out –")), *((one, own.get(one) or words.heading(one)) for one in FIELDS)]


class ColumnsField(QScrollArea):
    """The choices for one table; `changed` when one of them is another."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._choices: list[Choice[str]] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_table(self, found: CellGrid, columns: PlayerColumns) -> None:
        """Offer a choice for each column of a table."""
        names = field_names(self._session.catalogue)
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, UNIT, UNIT // 2)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(UNIT // 2)
        grid.setColumnStretch(_BESIDE, 1)
        self._choices = []
        for at in range(found.width):
            heading = self._heading(found, at)
            above = Elided("muted")
            above.setMaximumWidth(_WIDTH)
            above.say(heading)
            choice = Choice(heading, names, self._session.look, value=columns.columns[at])
            choice.setFixedWidth(_WIDTH)
            choice.currentIndexChanged.connect(self.changed)
            grid.addWidget(above, at // _BESIDE * 2, at % _BESIDE)
            grid.addWidget(choice, at // _BESIDE * 2 + 1, at % _BESIDE)
            self._choices.append(choice)
        self.setWidget(inside)
        rows = min(-(-max(found.width, 1) // _BESIDE), 2)
        self.setFixedHeight(rows * (ROW + UNIT * 3) + UNIT)
        for before, after in zip(self._choices, self._choices[1:], strict=False):
            QWidget.setTabOrder(before, after)

    def columns(self) -> tuple[str, ...]:
        """Return what each column is."""
        return tuple(choice.value() or "" for choice in self._choices)

    def choices(self) -> tuple[Choice[str], ...]:
        """Return the choices, from the first column on."""
        return tuple(self._choices)

    def _heading(self, found: CellGrid, at: int) -> str:
        """Return what stands first in a column."""
        stood = (clean(cells[at]) for _, cells in found.rows[:20] if at < len(cells))
        words = self._session.catalogue
        return next(filter(None, stood), "") or words.text("Column {n}", n=at + 1)
