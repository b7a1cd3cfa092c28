"""Test of the imports of unit tests: no Qt and no server. `.github/CONTRIBUTING.md` has the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = ("domain", "scrabble", "pairing", "exchange")
FORBIDDEN = ("PySide6", "psycopg", "uvicorn", "tdapp.gui", "tdapp.services", "tdapp.web")
PROGRAM = """
import importlib, sys
for name in sys.argv[2:]:
    importlib.import_module(name)
forbidden = tuple(sys.argv[1].split())
print(*(name for name in sys.modules if name.startswith(forbidden)))
"""


def test_unit_tests_import_no_qt_and_no_server() -> None:
    modules = [
        f"tests.{folder}.{path.stem}" for folder in FOLDERS for path in sorted((TESTS / folder).glob("*.py"))
    ]
    assert len(modules) > 100
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, " ".join(FORBIDDEN), *modules],
        cwd=TESTS.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert result.stdout.split() == []
