"""The two forms of a game beside each other: the rows in which they differ, and which of the two is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from tdapp.domain.sheet_draft import Draft
from tdapp.domain.tables.jury import FormsRow
from tdapp.domain.tables.table import Column, Kind, Table, item_columns
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import sheet_sentences
from tdapp.scrabble.sheet import SheetField

_SIDES: Final = ("square", "form", "score", "total")  # columns of a form; all but three fields are in the second
_OWN: Final = {SheetField.AT: "square", SheetField.SCORE: "score", SheetField.TOTAL: "total"}


@dataclass(frozen=True, slots=True)
class _Line:
    """A difference with its texts, one for each column."""

    key: str
    row: FormsRow
    cells: tuple[str, ...]


class FormsStrip(QFrame):
    """The differences; `settled` carries the one of the cursor and the form that is right, `went` its turn.

    Left and Right take what the first and the second form say, Enter goes to the turn, Esc leaves.
    """

    settled = Signal(object, int)
    went = Signal(int)
    closed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        text = session.catalogue.text
        self._catalogue = session.catalogue
        self._rows = Rows(session.catalogue, heat=_heat)
        self._rows.strong = lambda line, column: _heat(line, column) > 0
        self.view = TableView(self._rows, look=session.look, name=text("Where the two forms differ"))
        narrow = {f"{name}{form}": width for name, width in zip(_SIDES[:1] + _SIDES[2:], (60, 52, 52), strict=True)
                  for form in "12"}  # fmt: skip
        self.view.set_widths({"row": 40} | narrow, stretch=("player", "form1", "form2"))
        self.view.keep_order()
        self.view.setMinimumHeight(UNIT * 18)
        self.view.set_keys({"Left": self._take_first, "Right": self._take_second, "Esc": self.closed.emit})
        self.view.activated_row.connect(self._go)
        first = fields.button(text("Form 1 is right (←)"), self._take_first)
        second = fields.button(text("Form 2 is right (→)"), self._take_second)
        leave = fields.button(text("Leave it (Esc)"), self.closed.emit, role="quiet")
        parts = (self.view, fields.row(first, second, leave, 1))
        fields.column(*parts, gap=UNIT - 2, around=(UNIT, UNIT // 2) * 2, parent=self)

    def show_forms(self, found: Sequence[FormsRow], draft: Draft) -> None:
        """Show differences, by the names and in the squares of a draft; the cursor stays, else is on the first."""
        lines = [_Line(row.key, row, sheet_sentences.form_texts(self._catalogue, row, draft)) for row in found]
        squares = any(one.field is SheetField.AT for row in found for one in row.apart)
        self.view.set_spare(() if squares else ("square1", "square2"))
        self._rows.show(Table("forms", _COLUMNS, tuple(lines)))
        if lines and not self.view.current_key():
            self.view.choose(lines[0].key)

    def _current(self) -> FormsRow | None:
        line = self._rows.row(self.view.current_key())
        return line.row if isinstance(line, _Line) else None

    def _take_first(self) -> None:
        self._settle(1)

    def _take_second(self) -> None:
        self._settle(2)

    def _settle(self, form: int) -> None:
        row = self._current()
        if row is not None:
            self.settled.emit(row, form)

    def _go(self, _key: str) -> None:
        row = self._current()
        if row is not None:
            self.went.emit(row.turn)


def _heat(line: _Line, column: str) -> float:
    """Return 1 for a cell in which the forms differ."""
    return float(column[:-1] in {_OWN.get(found.field, "form") for found in line.row.apart})


_COLUMNS: tuple[Column[_Line], ...] = tuple(
    replace(column, words="" if column.id.startswith("form") else column.id.rstrip("12"))
    for column in item_columns(
        Kind.TEXT, "cells", ("row", "player", *(f"{name}{form}" for form in "12" for name in _SIDES))
    )
)
