"""The first columns of a table, which stay in sight when the others are scrolled sideways.

Hides a second view of the same rows, which lies over the first one as long as that is scrolled.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView

from tdapp.gui.widgets.rows import AnyIndex
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW


class Frozen(QTableView):
    """Shows the first columns of `whole` at its left; what is chosen here is chosen there."""

    def __init__(self, whole: TableView, *, columns: int) -> None:
        super().__init__(whole)
        self._whole, self._count = whole, columns
        self.setObjectName("frozen")
        self.setAccessibleName(whole.accessibleName())
        self.setModel(whole.model())
        self.setSelectionModel(whole.selectionModel())
        self.setItemDelegate(whole.itemDelegate())
        self.setFont(whole.font())
        self.setFocusProxy(whole)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.horizontalHeader().setHighlightSections(False)
        self._connect()
        self.hide()

    def _connect(self) -> None:
        here, there = self.verticalScrollBar(), self._whole.verticalScrollBar()
        there.valueChanged.connect(here.setValue)
        here.valueChanged.connect(there.setValue)
        self._whole.horizontalScrollBar().valueChanged.connect(self._follow)
        self._whole.horizontalHeader().sectionResized.connect(self._follow)
        self._whole.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as high as the table."""
        if event.type() is QEvent.Type.Resize:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        """Lie over the columns where they are scrolled away."""
        header = self._whole.horizontalHeader()
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column >= self._count)
        for column in range(min(self._count, header.count())):
            self.setColumnWidth(column, header.sectionSize(column))
        edge = self._whole.frameWidth()
        height = header.height() + self._whole.viewport().height()
        self.horizontalHeader().setFixedHeight(header.height())
        self.setGeometry(edge, edge, self.horizontalHeader().length() + 1, height)
        self.verticalScrollBar().setValue(self._whole.verticalScrollBar().value())
        self.setVisible(self._whole.horizontalScrollBar().value() > 0)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Let the cell with the cursor not lie under here."""
        super().currentChanged(current, previous)
        covered = self.width() - self._whole.columnViewportPosition(current.column())
        if self.isVisible() and current.column() >= self._count and covered > 0:
            bar = self._whole.horizontalScrollBar()
            bar.setValue(bar.value() - covered)
