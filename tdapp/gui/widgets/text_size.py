"""How large text is: as the user chose, or as the system's text is at the moment."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from PySide6.QtCore import QSettings
from PySide6.QtGui import QFontDatabase

SIZES = (100, 125, 150, 175, 200)  # per cent
AS_SYSTEM = 0
_CHOSEN = "text-size"
# Points of the system's text where nobody has changed it; 11, as GNOME has them, are less than the next size.
_USUAL: Mapping[str, float] = {"win32": 9.0, "darwin": 13.0}
_USUAL_ELSEWHERE = 10.0


def choose(settings: QSettings, size: int) -> None:
    """Note one of SIZES, or AS_SYSTEM."""
    settings.setValue(_CHOSEN, size)


def chosen(settings: QSettings) -> int:
    """Return what was chosen: one of SIZES, or AS_SYSTEM, also where what is noted is no size."""
    noted = settings.value(_CHOSEN)
    return next((size for size in SIZES if str(size) == str(noted)), AS_SYSTEM)


def wanted(settings: QSettings) -> int:
    """Return the per cent in which to draw text, one of SIZES."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return chosen(settings) or of_system(system.pointSizeF(), sys.platform)


def next_size(size: int, step: int) -> int:
    """Return the size that is `step` places above one of SIZES, or the last one there."""
    return SIZES[min(max(SIZES.index(size) + step, 0), len(SIZES) - 1)]


def of_system(points: float, platform: str) -> int:
    """Return the largest of SIZES that is no larger than a system's text, 100 where it is small or not told."""
    per_cent = 100 * points / _USUAL.get(platform, _USUAL_ELSEWHERE)
    return max((size for size in SIZES if size <= per_cent), default=SIZES[0])
