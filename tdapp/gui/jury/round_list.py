"""The tables of a round as the jury sees them: who plays, the result, and how far it has been looked over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from tdapp.domain.tables.jury import TO_SETTLE, SheetRow
from tdapp.domain.tables.table import Column, Kind, Table, columns
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.sheet_sentences import reasons, score_shown

_SPARE = ("status", "score", "second_name", "forms")  # columns that give way to a sheet or a panel, the last first
_STATES: Mapping[str, Collection[str]] = {
    "open": {"open"},
    "entered": {"entered"},
    "doubt": TO_SETTLE,
    "checked": {"checked", "final"},
}


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A table with its texts; `note` is what is to be known of its forms, in full."""

    key: str
    row: SheetRow
    score: str
    note: str


def round_row(row: SheetRow, catalogue: Catalogue, *, typed: bool, silent: bool, elsewhere: str = "") -> RoundRow:
    """Return a table as the list shows it; `typed`: something is not kept, `elsewhere`: who has it open."""
    parts = [catalogue.text("open at {station}", station=elsewhere)] if elsewhere else []
    if typed:
        parts.append(catalogue.text("typed, not kept"))
    parts += reasons(catalogue, row, silent=silent)
    if row.rulings and not silent:
        parts.append(catalogue.plural("{n} ruling", "{n} rulings", row.rulings))
    return RoundRow(row.key, row, score_shown(catalogue, row), " · ".join(parts))


class RoundList(QWidget):
    """The list with its filter; `chosen` carries a game's id when its row is opened."""

    chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        text, code = session.catalogue.text, session.catalogue.code
        self._text, self._none = text, ""
        self._found: tuple[RoundRow, ...] = ()
        choices = [
            ("waiting", text("Waiting")),
            *((state, code(state)) for state in _STATES),
            ("all", text("All")),
        ]
        self.which: Choice[str] = Choice(text("Which tables"), choices, session.look)
        self._rows = Rows(session.catalogue, tone=lambda one: "" if one.row.waiting else "muted")
        self.view = TableView(self._rows, look=session.look, name=text("Tables of the round"))
        self.view.set_widths(
            {"table": 56, "score": 110, "status": 110}, stretch=("first_name", "second_name", "forms")
        )
        self.view.set_spare(_SPARE)
        self.view.keep_order()
        self.which.currentIndexChanged.connect(self._show)
        self.view.activated_row.connect(self.chosen)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        fields.column(fields.row(self.which, 1), self.view, parent=self, wide=self.view)

    def show_rows(self, rows: Sequence[RoundRow], *, none: str) -> None:
        """Show tables; `none` is shown where there are none at all."""
        self._found, self._none = tuple(rows), none
        self._show()

    def step(self, by: int) -> str:
        """Return the key of the row above or below the current one, and go there."""
        keys = self._rows.keys()
        if not keys:
            return ""
        current = self.view.current_key()
        place = keys.index(current) + by if current in keys else 0
        self.view.choose(keys[place % len(keys)])
        return keys[place % len(keys)]

    def _show(self) -> None:
        wanted = self.which.value() or "waiting"
        shown = [one for one in self._found if wanted == "all" or self._fits(one, wanted)]
        self._rows.show(Table("round-tables", _COLUMNS, tuple(shown)))
        empty = self._none
        if self._found:
            empty = self._text("No table of this round is like this.\n“All” shows them again.")
        self.view.set_empty(empty)

    @staticmethod
    def _fits(one: RoundRow, wanted: str) -> bool:
        return one.row.waiting if wanted == "waiting" else one.row.status in _STATES[wanted]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current table on Space too."""
        if event.key() == Qt.Key.Key_Space and self.view.hasFocus() and self.view.current_key():
            self.chosen.emit(self.view.current_key())
        else:
            super().keyPressEvent(event)


_COLUMNS: tuple[Column[RoundRow], ...] = (
    Column("table", Kind.NUMBER, attrgetter("row.table")),
    *columns(Kind.NAME, "first_name", of="row"),
    Column("score", Kind.TEXT, attrgetter("score")),
    *columns(Kind.NAME, "second_name", of="row"),
    Column("status", Kind.CODE, attrgetter("row.status")),
    Column("forms", Kind.TEXT, attrgetter("note")),
)
