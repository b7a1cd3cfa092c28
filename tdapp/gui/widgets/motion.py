"""Whether things may move on screen: as the system is set, which each of them keeps in a place of its own."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QApplication, QStyle

_PATIENCE = 1  # seconds for a question to the desktop
# What asks the desktop, and the answer of one that wants nothing to move.
_ASKED: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "darwin": (("defaults", "read", "com.apple.universalaccess", "reduceMotion"), "1"),
        "linux": (("gsettings", "get", "org.gnome.desktop.interface", "enable-animations"), "false"),
    }
)
_CLIENT_AREA_ANIMATION = 0x1042  # of Windows' SystemParametersInfo


def reduced() -> bool:
    """Tell whether the system asks programs not to move things; False where it does not say."""
    if not QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate):
        return True
    if sys.platform == "win32":
        return not _animated_on_windows()
    call, calm = _ASKED.get(sys.platform, ((), ""))
    program = shutil.which(call[0]) if call else None
    if program is None:
        return False
    try:
        said = subprocess.run(  # noqa: S603 - the desktop's own program
            [program, *call[1:]], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return said.stdout.strip() == calm


if sys.platform == "win32":

    def _animated_on_windows() -> bool:
        found = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(found), 0)
        return bool(found.value)

else:

    def _animated_on_windows() -> bool:
        return True
