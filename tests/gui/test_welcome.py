"""The welcome page lists what was opened before, each once, after whatever was opened and closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.gui.shell.session import Session
from tdapp.storage import Store
from tests.gui.samples import make_tournament
from tests.gui.windows import show_window


def test_welcome_page_is_disabled_while_a_tournament_opens(
    empty_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, opened, seen = show_window(empty_session, qtbot), Desk.open, []

    def open_slowly(path: Path) -> Desk:
        button = next(one for one in window.findChildren(QAbstractButton) if one.text() == "Begin")
        seen.append(button.isEnabled())
        return opened(path)

    monkeypatch.setattr(Desk, "open", open_slowly)
    empty_session.open_location(tmp_path / "none.tdapp")
    assert next(one for one in window.findChildren(QAbstractButton) if one.text() == "Begin").isEnabled()
    Store.create(tmp_path / "one.tdapp", make_tournament(players=2)).close()
    empty_session.open_location(tmp_path / "one.tdapp")
    assert seen == [False, False]
    assert empty_session.is_open


def test_welcome_page_lists_recent_tournaments_once(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(empty_session, qtbot)
    for name in ("one", "two", "one"):
        path = tmp_path / f"{name}.tdapp"
        if not path.exists():
            Store.create(path, make_tournament(players=2)).close()
        empty_session.attach_desk(Desk.open(path))
        empty_session.attach_desk(None)
        QApplication.processEvents()
    links = [one for one in window.findChildren(QAbstractButton) if one.text() in {"one", "two"}]
    seen = sorted((link for link in links if link.isVisible()), key=lambda link: link.mapTo(window, QPoint()).y())
    assert [one.text() for one in seen] == ["one", "two"]
