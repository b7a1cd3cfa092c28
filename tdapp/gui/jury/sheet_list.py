"""The sheets at the left of the jury's page: by round and table, found by typing a number or a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from tdapp.domain.tables.jury import SheetRow
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui.jury.turns import draw_elided
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.cells import SHAPES, Painter
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.focus_order import FocusOrder
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import SMALL, UNIT, font
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.collation import folded

_HEIGHT = 50  # pixels of a row: names, and below them the state


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A row with its texts: the names, and the state in words; `typed`: something is not kept yet."""

    key: str
    row: SheetRow
    names: str
    state: str
    typed: bool


def line(row: SheetRow, catalogue: Catalogue, *, typed: bool, silent: bool) -> SheetLine:
    """Return a game as the list shows it; `silent`: without anything about words."""
    parts = [catalogue.code(row.state), catalogue.text("Round {round}", round=row.round)]
    if typed:
        parts.insert(1, catalogue.text("typed, not kept"))
    if row.forms and row.state == "open":
        parts.append(catalogue.text("unfinished"))
    if row.differing is not None:
        parts.append(catalogue.text("two forms differ"))
    if row.doubtful and not silent:
        parts.append(catalogue.plural("{n} word in doubt", "{n} words in doubt", row.doubtful))
    return SheetLine(row.key, row, f"{row.first_name} – {row.second_name}", " · ".join(parts), typed)


class _GamePainter(Painter):
    """Paints a game in two lines."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint table, names and state."""
        rect: QRect = option.rect
        self._ground(painter, option, rect, 0.0)
        found: SheetLine = self._rows.row(self._rows.keys()[index.row()])
        upper = rect.adjusted(UNIT * 5, 5, -UNIT, -rect.height() // 2)
        lower = rect.adjusted(UNIT * 5, rect.height() // 2, -UNIT, -5)
        painter.setFont(font(SMALL, bold=True))
        painter.setPen(self._look.colour("text"))
        number = QRect(rect.left(), upper.top(), UNIT * 4, upper.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(found.row.table))
        painter.setFont(font(SMALL))
        families = (name.partition(",")[0] for name in (found.row.first_name, found.row.second_name))
        draw_elided(painter, upper, " – ".join(families))
        shape, tone = SHAPES.get(found.row.state, ("", "muted"))
        inner = self._shape(painter, lower, shape, tone)
        painter.setFont(font(11))
        painter.setPen(self._look.colour("amber" if found.typed or found.row.doubtful else "muted"))
        draw_elided(painter, inner, found.state)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of two lines."""
        return QSize(UNIT * 26, _HEIGHT)


class SheetList(FocusOrder, QWidget):
    """The list with its search and its filter; `chosen` carries a game's id. Enter in the search chooses."""

    chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        text = self._text = session.catalogue.text
        self._lines: tuple[SheetLine, ...] = ()
        self._none = ""
        self.search = SearchField(text("Table or name"), session.look)
        self.search.setMinimumWidth(UNIT * 12)
        choices = [("waiting", text("Waiting")), ("all", text("All"))]
        self.which: Choice[str] = Choice(text("Which sheets"), choices, session.look)
        self._rows = Rows(session.catalogue)
        self.view = TableView(self._rows, look=session.look, name=text("Sheets"))
        self.view.setItemDelegate(_GamePainter(self._rows, session.look, self.view))
        self.view.horizontalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(_HEIGHT)
        self.view.set_widths({}, stretch=("table",))
        self.view.keep_order()
        self.search.textChanged.connect(self._show)
        self.search.returnPressed.connect(self._take)
        self.which.currentIndexChanged.connect(self._show)
        self.view.activated_row.connect(self.chosen)
        self.view.clicked.connect(self._clicked)
        fields.column(self.search, self.which, self.view, parent=self, wide=self.view)
        self.setFocusProxy(self.search)

    def show_lines(self, lines: Sequence[SheetLine], *, none: str) -> None:
        """Show games; `none` is shown where there are none at all."""
        self._lines, self._none = tuple(lines), none
        self._show()

    def _show(self) -> None:
        sought = self.search.text().strip()
        shown = [one for one in self._lines if self._fits(one, sought)]
        self._rows.show(Table("waiting", _COLUMNS, tuple(shown)))
        empty = self._none
        if self._lines and sought:
            empty = self._text("No table and no name here is “{sought}”. Esc shows all.", sought=sought)
        elif self._lines:
            empty = self._text("Every sheet is checked.\n“All” shows them again.")
        self.view.set_empty(empty)

    def _fits(self, one: SheetLine, sought: str) -> bool:
        if sought.isdecimal():
            return str(one.row.table).startswith(sought)
        if sought:
            return all(part in folded(one.names) for part in folded(sought).split())
        return self.which.value() == "all" or one.row.waiting or one.typed

    def _take(self) -> None:
        """Choose the table with the number typed, else the first that is shown."""
        keys, sought = self._rows.keys(), self.search.text().strip()
        exact = (key for key in keys if str(self._rows.row(key).row.table) == sought)
        if keys:
            self.chosen.emit(next(exact, keys[0]))
            self.search.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from the search into the list on the arrow down."""
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus() and self._rows.keys():
            self.view.setFocus()
            self.view.choose(self.view.current_key() or self._rows.keys()[0])
        else:
            super().keyPressEvent(event)

    def _clicked(self, _index: object) -> None:
        self.chosen.emit(self.view.current_key())


_COLUMNS: tuple[Column[SheetLine], ...] = (Column("table", Kind.TEXT, lambda one: f"{one.names} {one.state}"),)
