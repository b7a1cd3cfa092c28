"""How the cells of a table are painted and edited: flat ground, states as a shape and a word."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from tdapp.domain.tables.table import Kind
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.rows import AnyIndex, Rows
from tdapp.gui.widgets.theme import ROW, UNIT, Look

PADDING = 10
SHORT = 48  # letters: what is longer is always measured and shortened
WARMEST = 0.45  # of the accent in a warm cell: text stays readable on it in every scheme
# The shape and the tone of a state; what is not listed is written as a word alone.
SHAPES: Mapping[str, tuple[str, str]] = {
    "open": ("ring", "amber"),
    "entered": ("dot", "accent"),
    "checked": ("tick", "green"),
    "final": ("square", "green"),
    "draft": ("ring", "amber"),
    "published": ("dot", "green"),
    "active": ("dot", "green"),
    "absent": ("ring", "amber"),
    "withdrawn": ("cross", "red"),
    "present": ("tick", "green"),
    "missing": ("ring", "amber"),
    "away": ("minus", "muted"),
    "win": ("plus", "green"),
    "loss": ("minus", "red"),
    "draw": ("equal", "muted"),
    "decided": ("square", "green"),
    "safe": ("tick", "green"),
    "out-of-reach": ("cross", "muted"),
    "valid": ("tick", "green"),
    "invalid": ("cross", "red"),
    "not-binding": ("ring", "amber"),
    "printed": ("tick", "green"),
    "stale": ("ring", "amber"),
    "waived": ("dot", "muted"),
    "unprinted": ("minus", "muted"),
}


class Painter(QStyledItemDelegate):
    """Paints cells: flat ground, a hairline between rows, states as a shape and a word."""

    def __init__(self, rows: Rows, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self._look = look
        self._left: QObject | None = None  # the editor that an Enter has been pressed in

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one cell."""
        rect: QRect = option.rect
        self._ground(painter, option, rect, self._rows.heat(index))
        text, tone, kind, code, alignment = self._rows.painted(index)
        if not text:
            return
        inner = rect.adjusted(PADDING, 0, -PADDING, 0)
        if kind is Kind.CODE:
            shape, colour = SHAPES.get(code, ("", tone))
            inner = self._shape(painter, inner, shape, "muted" if tone == "muted" else colour)
        if kind is Kind.MARK:
            self._tick(painter, rect)
            return
        painter.setPen(self._look.colour(tone or "text"))
        metrics: QFontMetrics = option.fontMetrics
        if len(text) > SHORT or metrics.horizontalAdvance(text) > inner.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, alignment, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return what the text needs."""
        text, _, kind, _, _ = self._rows.painted(index)
        shape = UNIT * 2 if kind is Kind.CODE else 0
        return QSize(option.fontMetrics.horizontalAdvance(text) + 2 * PADDING + shape + 2, ROW)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        """Edit in a line that leaves Ctrl+Z to the window until something is typed."""
        editor = LineEdit(str(index.model().headerData(index.column(), Qt.Orientation.Horizontal)), parent=parent)
        editor.setAlignment(index.data(Qt.ItemDataRole.TextAlignmentRole))
        return editor

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Fill the editor, all of it selected."""
        if isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
            editor.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take one Enter per editor; a second one may come before Qt has seen to the first."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in ENTER:
            if watched is self._left:
                return True
            self._left = watched
        return super().eventFilter(watched, event)

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, heat: float) -> None:
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, self._look.colour("accent_soft"))
        if heat > 0:
            warm = QColor(self._look.colour("accent"))
            warm.setAlphaF(WARMEST * heat**0.6)
            painter.fillRect(rect, warm)
        painter.setPen(self._look.colour("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if chosen and state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._look.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))

    def _tick(self, painter: QPainter, rect: QRect) -> None:
        centre = QPointF(rect.center()) + QPointF(0.5, 0.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(_stroke(self._look, "green"))
        painter.drawPolyline([centre + QPointF(-5, 0), centre + QPointF(-1.5, 4), centre + QPointF(5, -4)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _shape(self, painter: QPainter, inner: QRect, shape: str, tone: str) -> QRect:
        if not shape:
            return inner
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(inner.left() + 5, inner.center().y() + 0.5)
        painter.setPen(_stroke(self._look, tone))
        painter.setBrush(self._look.colour(tone) if shape in {"dot", "square"} else Qt.BrushStyle.NoBrush)
        lines = _LINES.get(shape)
        if lines is not None:
            for line in lines:
                painter.drawPolyline([centre + QPointF(x, y) for x, y in line])
        elif shape == "square":
            painter.drawRect(QRectF(centre.x() - 3, centre.y() - 3, 6, 6))
        else:
            painter.drawEllipse(centre, 3.4, 3.4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        return inner.adjusted(UNIT * 2, 0, 0, 0)


_LINES: Mapping[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "tick": (((-4, 0), (-1, 3.5), (4.5, -3.5)),),
    "cross": (((-3.5, -3.5), (3.5, 3.5)), ((-3.5, 3.5), (3.5, -3.5))),
    "plus": (((-4, 0), (4, 0)), ((0, -4), (0, 4))),
    "minus": (((-4, 0), (4, 0)),),
    "equal": (((-4, -2), (4, -2)), ((-4, 2), (4, 2))),
}


def _stroke(look: Look, tone: str) -> QPen:
    return QPen(look.colour(tone), 1.75, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
