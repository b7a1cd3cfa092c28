"""Fixtures for windows: an application, temporary settings and a check for remaining widgets and threads."""

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
from tdapp.i18n.catalogue import LANGUAGES
from tests.gui.samples import RESOURCES, make_desk, make_session, make_tournament

WAIT_MS = 60_000  # enough for a busy machine
_MAX_EVENT_LOOP_TURNS = 5  # deleting an object can delete another object in the next turn


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    QApplication.setStyle("Fusion")
    return QApplication


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """Return the application, with the fonts of the program. Sizes of widgets depend on them."""
    load_fonts(RESOURCES / "fonts")
    return qapp


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


class PatientBot(QtBot):
    """Waits longer than QtBot, for busy machines. Styles widgets without a parent."""

    def addWidget(self, widget: QWidget, **options: Any) -> None:  # noqa: N802 - Qt's own name
        super().addWidget(widget, **options)
        if "appearance" in self._request.fixturenames and not (widget.parentWidget() or widget.styleSheet()):
            self._request.getfixturevalue("appearance").style_window(widget)

    def waitUntil(  # noqa: N802 - Qt's own name
        self, callback: Callable[[], bool | None], *, timeout: int = WAIT_MS
    ) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = WAIT_MS, **options: Any) -> SignalBlocker:  # noqa: N802
        return super().waitSignal(signal, timeout=timeout, **options)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    assert qapp is not None
    return PatientBot(request)


class FastAppearance(Appearance):
    """Shares icons between tests. Applies the style sheet only if `styled`, because that is slow."""

    icons: ClassVar[dict[tuple[str, str, str], QIcon]] = {}
    styled = False

    def style_window(self, top: QWidget) -> None:
        if self.styled:
            super().style_window(top)

    def make_icon(self, name: str, tone: str = "text") -> QIcon:
        key = (name, tone, f"{self._get_effective_colour_scheme()} {self.size}")
        if key not in self.icons:
            self.icons[key] = super().make_icon(name, tone)
        return self.icons[key]


@pytest.fixture(scope="session")
def _icons(qapp: QApplication) -> Iterator[None]:
    assert qapp is not None
    yield
    FastAppearance.icons.clear()  # while the application exists


@pytest.fixture
def appearance(_icons: None, request: pytest.FixtureRequest) -> Appearance:
    appearance = FastAppearance(RESOURCES, scheme="light")
    appearance.styled = any(request.node.get_closest_marker(marker) for marker in ("styled", "slow", "long"))
    appearance.apply_style()
    return appearance


@pytest.fixture
def empty_session(
    request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings
) -> Iterator[Session]:
    """Return a session without a tournament, in English or the language of the parameter. Work runs at once."""
    new_session = make_session(getattr(request, "param", "en"), appearance, settings)
    yield new_session
    new_session.close()
    new_session.work.close()


@pytest.fixture(params=LANGUAGES)
def translated_session(
    request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings
) -> Iterator[Session]:
    """Return a session without a tournament, once for each language of the program."""
    new_session = make_session(request.param, appearance, settings)
    yield new_session
    new_session.close()
    new_session.work.close()


@pytest.fixture
def session(empty_session: Session) -> Session:
    """Return a session with a tournament of one empty division."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=0)))
    return empty_session


@pytest.fixture
def full_session(empty_session: Session) -> Session:
    """Return a session with 24 players and seven planned Swiss rounds."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=24)))
    return empty_session


@pytest.fixture(autouse=True)
def _check_cleanup(request: pytest.FixtureRequest) -> Iterator[None]:
    threads_before = set(threading.enumerate())
    yield
    if "qapp" not in request.fixturenames:
        return
    application = QApplication.instance()
    assert application is not None
    for translator in application.findChildren(QTranslator):  # Qt's texts stay English for the next test
        application.removeTranslator(translator)
        translator.deleteLater()
    for _ in range(_MAX_EVENT_LOOP_TURNS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        widgets = QApplication.topLevelWidgets()
        if not widgets:
            break
    for widget in widgets:  # so that the next test does not fail
        widget.deleteLater()
    assert not widgets, f"widgets remain: {widgets}"
    if QApplication.keyboardModifiers():  # a pressed Shift would change the selection of the next test
        QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)
    assert set(threading.enumerate()) <= threads_before, "a thread still runs"
