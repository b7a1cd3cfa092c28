"""Which versions of what matters are running: for `--version`, the self-test, the bug report and About."""

from __future__ import annotations

import platform
import sqlite3
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from tdapp import __version__

LIBRARIES = ("PySide6-Essentials", "SQLAlchemy", "rustworkx", "numpy", "reportlab", "pypdfium2", "Babel")


def versions() -> Mapping[str, str]:
    """Return the version of the program, of Python, of the system and of the libraries that are here."""
    found = {"tdapp": __version__, "Python": platform.python_version(), "system": platform.platform()}
    found["SQLite"] = sqlite3.sqlite_version
    if getattr(sys, "frozen", False):
        found["bundle"] = "yes"
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "missing"
    return MappingProxyType(found)
