"""How large everything is drawn: as the user chose, or as the system's text is.

Hides that Qt must be told before it starts. What the system's text is can be asked only afterwards: it is noted,
and holds from the next start on. Letters, rows and distances grow together.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from PySide6.QtCore import QSettings
from PySide6.QtGui import QFont

SIZES = (100, 125, 150, 175, 200)  # per cent
AS_SYSTEM = 0
_FACTOR = "QT_SCALE_FACTOR"
_CHOSEN, _SYSTEM = "text-size", "text-size-of-system"
# Points of the system's text where nobody has changed it; 11, as GNOME has them, are less than the next size.
_USUAL: Mapping[str, float] = MappingProxyType({"win32": 9.0, "darwin": 13.0})
_USUAL_ELSEWHERE = 10.0


def choose(settings: QSettings, size: int) -> None:
    """Note one of SIZES, or AS_SYSTEM, for the next start."""
    settings.setValue(_CHOSEN, size)


def chosen(settings: QSettings) -> int:
    """Return what was chosen: one of SIZES, or AS_SYSTEM, also where what is noted is no size."""
    return _size(settings.value(_CHOSEN)) or AS_SYSTEM


def wanted(settings: QSettings) -> int:
    """Return the per cent in which to draw, one of SIZES."""
    return chosen(settings) or _size(settings.value(_SYSTEM)) or SIZES[0]


def learn(settings: QSettings, system: QFont) -> None:
    """Note for the next start how large the system's text is; to be asked before the program sets its own font."""
    settings.setValue(_SYSTEM, of_system(system.pointSizeF(), sys.platform))


def of_system(points: float, platform: str) -> int:
    """Return the largest of SIZES that is no larger than a system's text, 100 where it is small or not told."""
    per_cent = 100 * points / _USUAL.get(platform, _USUAL_ELSEWHERE)
    return max((size for size in SIZES if size <= per_cent), default=SIZES[0])


@contextmanager
def set_for_qt(settings: QSettings) -> Iterator[None]:
    """Let an application that is made meanwhile draw in the size wanted, unless its environment says one."""
    size = wanted(settings)
    if size == SIZES[0] or _FACTOR in os.environ:
        yield
        return
    os.environ[_FACTOR] = str(size / 100)
    yield
    del os.environ[_FACTOR]  # other programs that are opened from here have sizes of their own


def _size(noted: object) -> int:
    return next((size for size in SIZES if str(size) == str(noted)), 0)
