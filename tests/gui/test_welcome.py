"""Tests of the welcome page: recent tournaments and disabled buttons."""

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


def test_welcome_page_buttons_are_disabled_while_a_tournament_opens(
    empty_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, open_desk, enabled_states = show_window(empty_session, qtbot), Desk.open, []

    def open_slowly(path: Path) -> Desk:
        button = next(button for button in window.findChildren(QAbstractButton) if button.text() == "Begin")
        enabled_states.append(button.isEnabled())
        return open_desk(path)

    monkeypatch.setattr(Desk, "open", open_slowly)
    empty_session.open_location(tmp_path / "none.tdapp")
    assert next(button for button in window.findChildren(QAbstractButton) if button.text() == "Begin").isEnabled()
    Store.create(tmp_path / "one.tdapp", make_tournament(players=2)).close()
    empty_session.open_location(tmp_path / "one.tdapp")
    assert enabled_states == [False, False]
    assert empty_session.is_open


def test_welcome_page_lists_recent_tournaments_once(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(empty_session, qtbot)
    for name in ("one", "two", "one"):
        path = tmp_path / f"{name}.tdapp"
        if not path.exists():
            Store.create(path, make_tournament(players=2)).close()
        empty_session.open_tournament_of_desk(Desk.open(path))
        empty_session.open_tournament_of_desk(None)
        QApplication.processEvents()
    links = [button for button in window.findChildren(QAbstractButton) if button.text() in {"one", "two"}]
    visible_links = sorted(
        (link for link in links if link.isVisible()), key=lambda link: link.mapTo(window, QPoint()).y()
    )
    assert [button.text() for button in visible_links] == ["one", "two"]
