"""The round clock in the top bar: minutes and seconds, and by shape and colour what it is doing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from tdapp.domain.round_clock import ClockState
from tdapp.gui.shell.round_clock import HallClock
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.theme import LEAD, ROW, UNIT, font
from tdapp.i18n.catalogue import Catalogue

ICON = 18
# The icon and the colour of a state; the grounds are the soft ones.
LOOKS: Mapping[ClockState, tuple[str, str]] = MappingProxyType(
    {
        ClockState.READY: ("clock", "muted"),
        ClockState.RUNNING: ("clock", "text"),
        ClockState.SOON: ("warning", "amber"),
        ClockState.PAUSED: ("pause", "text"),
        ClockState.OVER: ("bell", "red"),
    }
)
_GROUNDS: Mapping[ClockState, str] = MappingProxyType({ClockState.SOON: "amber_soft", ClockState.OVER: "red_soft"})


def in_words(words: Catalogue, state: ClockState) -> str:
    """Return what a round clock is doing."""
    said = {
        ClockState.READY: words.text("Not started"),
        ClockState.RUNNING: words.text("Running"),
        ClockState.SOON: words.text("Nearly over"),
        ClockState.PAUSED: words.text("Paused"),
        ClockState.OVER: words.text("Time is up"),
    }
    return said[state]


class ClockButton(QAbstractButton):
    """Shows the round clock; a click goes to where it is turned."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._clock = HallClock.of(session)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(session.catalogue.text("Round clock"))
        for signal in (self._clock.ticked, self._clock.changed, session.look.changed):
            signal.connect(self.show_time)
        self.show_time()

    def show_time(self) -> None:
        """Show what is left now."""
        said = f"{self._clock.text} · {in_words(self._session.catalogue, self._clock.state)}"
        self.setText(self._clock.text)
        self.setAccessibleDescription(said)
        self.setToolTip(f"{self._session.catalogue.text('Round clock')}: {said}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for the time, in figures that are all as wide."""
        widest = max(len(self._clock.text), len("00:00"))
        figures = QFontMetrics(font(LEAD, bold=True)).horizontalAdvance("0" * widest)
        return QSize(figures + ICON + UNIT * 3, ROW)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint ground, shape and time."""
        state, look = self._clock.state, self._session.look
        icon, tone = LOOKS[state]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if state in _GROUNDS:
            painter.setBrush(look.colour(_GROUNDS[state]))
            painter.drawRoundedRect(ground, 6, 6)
        elif self.underMouse():
            painter.setBrush(look.colour("sunken"))
            painter.drawRoundedRect(ground, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(look.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 6, 6)
        pixmap = look.icon(icon, tone).pixmap(QSize(ICON, ICON), self.devicePixelRatioF())
        painter.drawPixmap(UNIT, (self.height() - ICON) // 2, pixmap)
        painter.setFont(font(LEAD, bold=state is not ClockState.READY))
        painter.setPen(look.colour(tone))
        area = self.rect().adjusted(UNIT + ICON, 0, -UNIT, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.text())
        painter.end()
