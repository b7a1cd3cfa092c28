"""Tabs for the rounds, above the table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTabBar

from tdapp.gui.widgets.theme import UNIT


class RoundTabs(QTabBar):
    """If names do not fit, only the current tab has one."""

    def __init__(self, name: str) -> None:
        super().__init__(drawBase=False, expanding=False, usesScrollButtons=True)
        self.setAccessibleName(name)
        self._rounds: Sequence[tuple[int, str]] = ()

    def show_rounds(self, rounds: Sequence[tuple[int, str]], chosen: int | None) -> None:
        """Show rounds by number and name, without a signal."""
        self._rounds = rounds
        with QSignalBlocker(self):
            while self.count() > len(rounds):
                self.removeTab(self.count() - 1)
            for tab, (number, name) in enumerate(rounds):
                if tab == self.count():
                    self.addTab(name)
                self.setTabData(tab, number)
                self.setTabToolTip(tab, name)
                self.setAccessibleTabName(tab, name)
                if number == chosen:
                    self.setCurrentIndex(tab)
        self._fit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        if not self._rounds:
            return
        letters = self.fontMetrics()
        around = self.tabSizeHint(0).width() - letters.horizontalAdvance(self.tabText(0))
        needed = sum(letters.horizontalAdvance(name) + around for _, name in self._rounds)
        short = needed + UNIT > self.width() > 0
        for tab, (number, name) in enumerate(self._rounds):
            shown = str(number) if short and tab != self.currentIndex() else name
            if shown != self.tabText(tab):  # Qt would update the layout of the whole page
                self.setTabText(tab, shown)
