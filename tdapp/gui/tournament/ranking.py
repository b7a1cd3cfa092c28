"""The order of the tie-breaks that rank a division."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from tdapp.domain import commands
from tdapp.domain.model import Unplayed
from tdapp.domain.standings import order_of
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.gui.shell.later import if_seen
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Part
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import ROW


class RankingPanel(Panel):
    """All tie-breaks, those that count ticked and in their order."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Ranking"))
        text = session.catalogue.text
        self._list = QListWidget()
        self._list.setAccessibleName(text("Tie-breaks"))
        self._list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMinimumHeight((ROW - 4) * 8)
        self._list.setWordWrap(True)
        self._list.setSpacing(2)
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        up = fields.button(text("Up"), partial(self._shift, -1))
        down = fields.button(text("Down"), partial(self._shift, 1))
        usual = fields.button(text("As the rules say"), self._as_ruled)
        keep = fields.button(text("Keep"), self._keep, role="primary")
        note = text("The first that is ticked decides; each next one settles what is still equal.")
        name = text("Rounds without a game in resistance points")
        modes = [(mode, session.catalogue.code(mode)) for mode in Unplayed]
        self._unplayed = Choice(name, modes, session.look)
        self._unplayed.currentIndexChanged.connect(self._explain)
        self._explained = fields.label("", "muted", wrap=True)
        parts: list[Part] = [fields.label(note, "muted", wrap=True), self._list, fields.row(up, down, 1), -1,
                 fields.label(name, wrap=True), self._unplayed, self._explained, -1,
                 fields.row(usual, 1, keep), 1]  # fmt: skip
        fields.fill(self.body, parts)
        self._fill()

    def order(self) -> tuple[str, ...]:
        """Return the ids of the ticked tie-breaks in the order shown."""
        items = [self._list.item(position) for position in range(self._list.count())]
        ticked = [item for item in items if item.checkState() is Qt.CheckState.Checked]
        return tuple(str(item.data(Qt.ItemDataRole.UserRole)) for item in ticked)

    def _fill(self) -> None:
        division = self.session.division
        chosen = order_of(self.session.index, division) if division else ()
        for name in (*chosen, *(one for one in TIEBREAKS if one not in chosen)):
            item = QListWidgetItem(self.session.catalogue.explanation(TIEBREAKS[name].key), self._list)
            item.setToolTip(item.text())
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
        self._list.setCurrentRow(0)
        self._unplayed.choose(division.unplayed if division else Unplayed.PLAIN)
        self._explain()

    def _explain(self) -> None:
        self._explained.setText(self.session.catalogue.explanation(f"unplayed-{self._unplayed.value()}"))

    def _shift(self, by: int) -> None:
        position = self._list.currentRow()
        if 0 <= position + by < self._list.count():
            self._list.insertItem(position + by, self._list.takeItem(position))
            self._list.setCurrentRow(position + by)

    def _as_ruled(self) -> None:
        self._set((), Unplayed.PLAIN)

    def _keep(self) -> None:
        self._set(self.order(), self._unplayed.value())

    def _set(self, order: tuple[str, ...], unplayed: Unplayed | None) -> None:
        division = self.session.division
        if division is not None:
            command = partial(commands.set_order, division=division.id, order=order, unplayed=unplayed)
            self.session.do(command, done=if_seen(self, self.closed.emit), field=self._list)
