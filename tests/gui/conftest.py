"""A window's surroundings: one application, settings in a temporary folder, nothing left over after a test."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

if "TDAPP_XVFB" not in os.environ:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, QTranslator, SignalInstance
from PySide6.QtGui import QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.theme import Appearance, load_fonts
from tests.gui.samples import RESOURCES, desk_on, session_in, tournament

PATIENCE = 60_000  # ms: a busy machine
_TURNS = 5  # what goes may take something with it, which goes a turn later


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    QApplication.setStyle("Fusion")
    return QApplication


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


class PatientBot(QtBot):
    """Waits long enough for a busy machine, and styles widgets without a parent."""

    def addWidget(self, widget: QWidget, **more: Any) -> None:  # noqa: N802 - Qt's own name
        super().addWidget(widget, **more)
        if "look" in self._request.fixturenames and not (widget.parentWidget() or widget.styleSheet()):
            self._request.getfixturevalue("look").style_window(widget)

    def waitUntil(  # noqa: N802 - Qt's own name
        self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE
    ) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = PATIENCE, **more: Any) -> SignalBlocker:  # noqa: N802
        return super().waitSignal(signal, timeout=timeout, **more)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    assert qapp is not None
    return PatientBot(request)


class LookOfTests(Appearance):
    """Draws an icon once for all tests. Uses the style sheet only if `styled`: it takes a fifth of the time."""

    drawn: ClassVar[dict[tuple[str, str, str], QIcon]] = {}
    styled = False

    def style_window(self, top: QWidget) -> None:
        if self.styled:
            super().style_window(top)

    def make_icon(self, name: str, tone: str = "text") -> QIcon:
        key = (name, tone, f"{self._resolve_scheme()} {self.size}")
        if key not in self.drawn:
            self.drawn[key] = super().make_icon(name, tone)
        return self.drawn[key]


@pytest.fixture(scope="session")
def _icons(qapp: QApplication) -> Iterator[None]:
    load_fonts(RESOURCES / "fonts")
    yield
    LookOfTests.drawn.clear()  # while the application exists


@pytest.fixture
def look(_icons: None, request: pytest.FixtureRequest) -> Appearance:
    made = LookOfTests(RESOURCES, scheme="light")
    made.styled = any(request.node.get_closest_marker(mark) for mark in ("styled", "slow", "long"))
    made.apply_style()
    return made


@pytest.fixture
def empty(request: pytest.FixtureRequest, look: Appearance, settings: QSettings) -> Iterator[Session]:
    """A session without a tournament, in English or the language that a test asks for; work runs at once."""
    made = session_in(getattr(request, "param", "en"), look, settings)
    yield made
    made.close()
    made.work.close()


@pytest.fixture
def session(empty: Session) -> Session:
    """A session on a tournament with one empty division."""
    empty.attach_desk(desk_on(tournament(players=0)))
    return empty


@pytest.fixture
def filled(empty: Session) -> Session:
    """A session with 24 players and seven planned Swiss rounds."""
    empty.attach_desk(desk_on(tournament(players=24)))
    return empty


@pytest.fixture(autouse=True)
def _nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    if "qapp" not in request.fixturenames:
        return
    application = QApplication.instance()
    assert application is not None
    for translator in application.findChildren(QTranslator):  # Qt's texts stay English for the next test
        application.removeTranslator(translator)
        translator.deleteLater()
    for _ in range(_TURNS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        left = QApplication.topLevelWidgets()
        if not left:
            break
    for one in left:  # so that no other test is blamed
        one.deleteLater()
    assert not left, f"left over: {left}"
    if QApplication.keyboardModifiers():  # Shift of the last key would count when the next test selects a row
        QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)
    assert set(threading.enumerate()) <= before, "a thread goes on"
