"""About the program: versions, and the licence of everything that comes along."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from installer.bootstrap import lock_file
from tdapp.gui.shell.about import AboutDialog
from tdapp.gui.shell.session import Session
from tdapp.versions import PACKAGES, BundledSoftware, parts
from tests.building import RESOURCES
from tests.gui.windows import shown


def test_every_package_of_the_lock_is_named() -> None:
    lock = lock_file("run").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock, flags=re.MULTILINE))
    assert set(PACKAGES) == locked


def test_everything_that_comes_along_has_its_licence() -> None:
    found = parts(RESOURCES)
    assert {part.name for part in found} >= {*PACKAGES, "Python", "Noto Sans"}
    assert all(part.licence and len(part.text) > 400 for part in found), [
        part.name for part in found if len(part.text) <= 400
    ]


def test_a_bundle_names_the_libraries_of_the_system(tmp_path: Path) -> None:
    resources = tmp_path / "resources"
    for room in ("fonts", "licences"):
        shutil.copytree(RESOURCES / room, resources / room)
    (resources / "licences" / "libraries").mkdir()
    (resources / "licences" / "libraries" / "zlib1g_1.2.13.txt").write_text("as is", encoding="utf-8")
    assert parts(resources)[-1] == BundledSoftware("zlib1g", "1.2.13", "see the text", "as is")


def test_about_shows_licences_by_the_keys_and_copies_versions(session: Session, qtbot: QtBot) -> None:
    window = shown(session, qtbot)
    window.command("about").trigger()
    dialog = window.findChild(AboutDialog)
    assert isinstance(dialog, AboutDialog)
    qtbot.waitUntil(dialog.isVisible)
    QTest.keyClicks(dialog.list, "pyside")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in dialog.licence.toPlainText()
    dialog.copy()
    assert "tdapp 0." in QGuiApplication.clipboard().text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(AboutDialog) is None)
