"""The keys of the screens: one for each view, one for each thing to do; the same in both windows."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from tdapp.domain.round_clock import MINUTE
from tdapp.gui.screens.show import Show
from tdapp.gui.widgets.fields import ENTER
from tdapp.i18n.slides import DisplayView

# One keystroke for each view.
VIEW_KEYS: Mapping[DisplayView, str] = MappingProxyType(
    {
        DisplayView.TABLES: "1",
        DisplayView.NAMES: "2",
        DisplayView.STANDINGS: "3",
        DisplayView.BRACKET: "4",
        DisplayView.CLOCK: "5",
        DisplayView.PRIZES: "6",
    }
)
IN_TURN, COLOUR, CLOCK, MORE, PAUSE = "0", "B", "C", "+", "P"
ANNOUNCE = "A"  # leads to the announcement's field, on the director's side
_ON = frozenset({Qt.Key.Key_Right, Qt.Key.Key_PageDown})
_BACK = frozenset({Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace})
_NEXT = frozenset({Qt.Key.Key_Space, *ENTER})
TURNING = _ON | _BACK | _NEXT | {Qt.Key.Key_Home}  # keys that other controls use as well
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def press(show: Show, event: QKeyEvent) -> bool:
    """Do what a key means, and return whether it means anything; held down, none is repeated."""
    if event.modifiers() & _HELD:
        return False
    key, text = Qt.Key(event.key()), event.text().upper()
    views: dict[str, DisplayView | None] = {keys: view for view, keys in VIEW_KEYS.items()} | {IN_TURN: None}
    if event.isAutoRepeat():
        return text in views or key in _ON | _BACK | _NEXT
    if text in views:
        show.show_view(views[text])
    elif key in _ON or (key in _NEXT and show.programme.giving):
        show.turn(1)
    elif key in _BACK:
        show.turn(-1)
    elif key is Qt.Key.Key_Home:
        show.begin_anew()
    elif text == PAUSE or key is Qt.Key.Key_Space:
        show.pause()
    elif key is Qt.Key.Key_Escape and show.message:
        show.announce("")
    else:
        return _turn_clock(show, text)
    return True


def _turn_clock(show: Show, text: str) -> bool:
    if text == COLOUR:
        show.recolour()
    elif text == CLOCK:
        show.clock.toggle()
    elif text == MORE:
        show.clock.add(MINUTE)
    else:
        return False
    return True
