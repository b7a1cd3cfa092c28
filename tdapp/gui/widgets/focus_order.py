"""Wholes that know which of their fields has the keys first, with every field still reached by Tab.

Qt's own focus proxy lets Tab, on entering a whole, jump to the proxy: what stands before it is never reached.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

OTHER = Qt.FocusReason.OtherFocusReason


class FocusOrder:
    """Mixed into a widget: its `setFocus` goes to one of its fields."""

    _leader: QWidget | None = None

    def setFocusProxy(self, field: QWidget, /) -> None:
        """Let `field` have the keys whenever the whole is given them."""
        self._leader = field

    def focusProxy(self) -> QWidget:
        """Return the field that has the keys first, the whole itself where there is none."""
        return self._leader if self._leader is not None and isValid(self._leader) else cast("QWidget", self)

    def setFocus(self, reason: Qt.FocusReason = OTHER, /) -> None:
        """Give the keys to the field; without one to the whole."""
        leader = self._leader
        if leader is not None and isValid(leader):
            leader.setFocus(reason)
        else:
            QWidget.setFocus(cast("QWidget", self), reason)


def reached_by_tab(whole: QWidget) -> list[QWidget]:
    """Return the fields and buttons inside `whole` that take Tab, in the order of Tab."""
    found: list[QWidget] = []
    one = whole.nextInFocusChain()
    while one is not None and one is not whole:
        if whole.isAncestorOf(one) and one.focusPolicy() & Qt.FocusPolicy.TabFocus:
            found.append(one)
        one = one.nextInFocusChain()
    return found


def lead_tab(through: Iterable[QWidget]) -> None:
    """Let Tab go from each to the next."""
    for one, following in pairwise(through):
        QWidget.setTabOrder(one, following)
