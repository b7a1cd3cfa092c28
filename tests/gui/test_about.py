"""Tests of the About dialog, the list of bundled software and the check for a new version."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.error import URLError

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from installer.bootstrap import get_lock_path
from tdapp import __version__
from tdapp.domain.errors import UserError
from tdapp.gui.shell import about
from tdapp.gui.shell.about import AboutDialog, NewVersionDialog
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.versions import OPTIONAL_PACKAGES, PACKAGES, BundledSoftware, list_bundled_software
from tests.building import RESOURCES
from tests.gui.windows import show_window


def test_bundled_software_lists_every_locked_package() -> None:
    lock = get_lock_path("run").read_text(encoding="utf-8")
    locked_packages = set(re.findall(r"^([a-z0-9-]+)==", lock, flags=re.MULTILINE))
    assert set(PACKAGES) <= locked_packages <= {*PACKAGES, *OPTIONAL_PACKAGES}
    assert locked_packages - set(PACKAGES) == {"tzdata"}  # Windows has no time zone data of its own


def test_bundled_software_has_a_licence_for_each_package() -> None:
    software = list_bundled_software(RESOURCES)
    assert {package.name for package in software} >= {*PACKAGES, "Python", "Noto Sans"}
    assert all(package.licence and len(package.licence_text) > 400 for package in software), [
        package.name for package in software if len(package.licence_text) <= 400
    ]


def test_list_bundled_software_includes_system_libraries_of_a_bundle(tmp_path: Path) -> None:
    resources = tmp_path / "resources"
    for folder in ("fonts", "licences"):
        shutil.copytree(RESOURCES / folder, resources / folder)
    (resources / "licences" / "libraries").mkdir()
    (resources / "licences" / "libraries" / "zlib1g_1.2.13.txt").write_text("as is", encoding="utf-8")
    assert list_bundled_software(resources)[-1] == BundledSoftware("zlib1g", "1.2.13", "see the text", "as is")


def test_about_dialog_shows_licences_by_keys_and_copies_versions(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot)
    window.get_action("about").trigger()
    dialog = window.findChild(AboutDialog)
    assert isinstance(dialog, AboutDialog)
    qtbot.waitUntil(dialog.isVisible)
    QTest.keyClicks(dialog.list, "pyside")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in dialog.licence.toPlainText()
    dialog.copy_versions()
    assert "tdapp 0." in QGuiApplication.clipboard().text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(AboutDialog) is None)


def test_about_dialog_reads_licences_in_the_background(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot)
    session.work = SessionWorker()
    window.get_action("about").trigger()
    dialog = window.findChild(AboutDialog)
    assert isinstance(dialog, AboutDialog)
    assert dialog.list.count() == 1  # the program itself
    qtbot.waitUntil(lambda: dialog.list.count() > len(PACKAGES))
    session.work.close()
    session.work = SessionWorker(inline=True)


def redirect_internet(monkeypatch: pytest.MonkeyPatch, url: str) -> list[str]:
    """Redirect all web requests to an address. Let them fail if it is empty. Return the requested addresses."""
    requests: list[str] = []

    class RedirectedResponse:
        def __enter__(self) -> RedirectedResponse:
            return self

        def __exit__(self, *_: object) -> None: ...

        def __init__(self) -> None:
            self.url = url

    def answer_request(address: str, *, timeout: float) -> RedirectedResponse:
        requests.append(address)
        assert timeout <= about.PATIENCE
        if not url:
            raise URLError("no route to host")
        return RedirectedResponse()

    monkeypatch.setattr(about, "urlopen", answer_request)
    return requests


def test_find_newest_version_follows_the_redirect(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = redirect_internet(monkeypatch, "https://forge.test/a/tdapp/releases/tag/v1.10.2")
    assert about.fetch_newest_version("https://forge.test/a/tdapp") == "1.10.2"
    assert requests == ["https://forge.test/a/tdapp/releases/latest"]


@pytest.mark.parametrize(
    ("home", "url", "code"),
    [
        ("https://x.invalid", "https://x.test/v1.0", "newest-no-home"),
        ("file:///etc", "https://x.test/v1.0", "newest-no-home"),
        ("https://x.test", "", "newest-no-answer"),
        ("https://x.test", "https://x.test/login", "newest-no-version"),
    ],
)
def test_find_newest_version_reports_the_error(
    monkeypatch: pytest.MonkeyPatch, home: str, url: str, code: str
) -> None:
    requests = redirect_internet(monkeypatch, url)
    with pytest.raises(UserError) as error_info:
        about.fetch_newest_version(home)
    assert error_info.value.code == code
    assert bool(requests) == (code != "newest-no-home")


@pytest.mark.parametrize(
    ("newest_version", "expected_text"),
    [
        ("99.1", "Version 99.1 is available"),
        (__version__, f"You have the latest version, {__version__}."),
        ("0.0.9", "You have the latest version"),
        (None, "is not responding. Check the internet connection"),
    ],
)
def test_new_version_dialog_shows_the_answer(
    empty_session: Session,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    newest_version: str | None,
    expected_text: str,
) -> None:
    def find_version() -> str:
        if newest_version is None:
            raise UserError("newest-no-answer", home="https://x.test")
        return newest_version

    monkeypatch.setattr(about, "fetch_newest_version", find_version)
    dialog = NewVersionDialog(empty_session)
    qtbot.addWidget(dialog)
    assert expected_text in dialog.answer.text()


def test_new_version_dialog_reports_a_missing_address(empty_session: Session, qtbot: QtBot) -> None:
    dialog = NewVersionDialog(empty_session)
    qtbot.addWidget(dialog)
    assert "does not know the web address" in dialog.answer.text()
