"""The menus of the window, made from its commands: which stand in which, and in what order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QMenuBar

from tdapp.gui.shell.actions import MENUS, Command

PAGE_MENUS = ("players", "round", "jury", "standings")  # a page's own commands come first there
SUBMENUS: Mapping[str, str] = MappingProxyType(
    {
        "export": "tournament",
        "recent": "tournament",
        "looks": "view",
        "sizes": "view",
        "language": "view",
        "places": "view",
        "table": "round",
        "papers": "round",
        "turns": "jury",
        "clock": "view",
        "screens": "view",
    }
)
LAST_MENUS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tournament": ("recent", "export"),
        "round": ("table", "papers"),
        "jury": ("turns",),
        "view": ("clock", "screens"),
    }
)


def in_order(own: Iterable[Command], paged: Iterable[Command]) -> tuple[Command, ...]:
    """Return the window's own commands and those of its pages in the order of the menus."""
    places = {menu: place for place, menu in enumerate((*MENUS, *SUBMENUS, ""))}
    found = [(command, False) for command in own] + [(command, True) for command in paged]
    found.sort(key=lambda one: (places[one[0].row.menu], one[1] is not (one[0].row.menu in PAGE_MENUS)))
    return tuple(command for command, _ in found)


def fill(bar: QMenuBar, titles: Mapping[str, str], commands: Iterable[Command]) -> Mapping[str, QMenu]:
    """Make the menus in `bar` anew and return them by name; a line parts the window's commands from a page's."""
    bar.clear()
    for old in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.deleteLater()
    menus: dict[str, QMenu] = {}
    for name, title in titles.items():
        parent = SUBMENUS.get(name)
        if parent and name in LAST_MENUS.get(parent, ()):
            menus[name] = QMenu(title, menus[parent])
        else:
            menus[name] = menus[parent].addMenu(title) if parent else bar.addMenu(title)
    for command in commands:
        if command.row.menu:
            menu = menus[command.row.menu]
            last = menu.actions()[-1:]
            if last and last[0].parent() is not command.parent():
                menu.addSeparator()
            menu.addAction(command)
            if command.row.chosen is not None:
                menu.aboutToShow.connect(command.update_state)
    for parent, last_ones in LAST_MENUS.items():
        menus[parent].addSeparator()
        for name in last_ones:
            menus[parent].addMenu(menus[name])
    return menus
