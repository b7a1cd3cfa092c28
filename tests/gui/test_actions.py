"""Tests of window actions: check marks, icons and shortcuts."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenuBar
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.actions import Action, WindowAction, fill_menus
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.fields import SearchField
from tdapp.gui.widgets.theme import Appearance
from tests.gui.windows import show_window

TITLES = {"view": "", "looks": ""}


def test_menu_checks_the_current_action(appearance: Appearance, qtbot: QtBot) -> None:
    bar, parent = QMenuBar(), QObject()
    qtbot.addWidget(bar)

    def is_current_scheme(name: str) -> bool:
        return appearance.scheme == name

    rows = [
        Action(
            name,
            name,
            partial(appearance.set_colour_scheme, name),
            menu="looks",
            is_current=partial(is_current_scheme, name),
        )
        for name in ("light", "dark")
    ]
    light, dark = (WindowAction(row, appearance, parent) for row in rows)
    menu = fill_menus(bar, TITLES, (light, dark))["looks"]
    menu.aboutToShow.emit()
    assert (light.isChecked(), dark.isChecked()) == (True, False)
    for _ in range(2):
        dark.trigger()
        menu.aboutToShow.emit()
        assert (light.isChecked(), dark.isChecked()) == (False, True)


@pytest.mark.parametrize("scheme", ["light", "dark", "contrast"])
def test_primary_action_has_icons_for_menu_and_button(appearance: Appearance, scheme: str) -> None:
    appearance.set_colour_scheme(scheme)
    parent = QObject()
    action = WindowAction(Action("add", "Add", parent.deleteLater, "add", primary=True), appearance, parent)
    action.tint_icon()
    for icon, tone in ((action.icon(), "text"), (action.make_button_icon(), "on_accent")):
        expected_icon = appearance.make_icon("add", tone)
        assert icon.pixmap(QSize(20, 20)).toImage() == expected_icon.pixmap(QSize(20, 20)).toImage()


def test_search_shortcut_works_on_every_page(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot)
    names = dict.fromkeys(("players", "check-in", "standings"), "Search players")
    for page_id, name in {**names, "history": "Search by player, table or word"}.items():
        window.show_page(page_id)
        QTest.keyClick(window.page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        field = QApplication.focusWidget()
        assert isinstance(field, SearchField), page_id
        assert field.accessibleName() == name
        assert window.page.isAncestorOf(field)


@pytest.mark.slow
def test_shortcuts_avoid_linux_console_keys(full_session: Session, qtbot: QtBot) -> None:
    """On Linux, Ctrl+Alt with a function key switches from the desktop to a text console."""
    keys = [action.shortcut().toString() for action in show_window(full_session, qtbot).all_actions]
    assert "F6" in keys
    assert not [key for key in keys if key.startswith("Ctrl+Alt+F")]
