"""What the user can do, as a table: menus, buttons, command palette, the list of keys and tests come from it.

Hides which menus there are, what hangs in which, and in what order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar
from shiboken6 import isValid

from tdapp.gui.widgets.theme import Look

MENUS = ("tournament", "edit", "players", "round", "jury", "standings", "view", "help")

CTRL_ENTER = ("Ctrl+Enter", "Ctrl+Return")  # as keyboards call the key; to Qt the first is the keypad’s


def always() -> bool:
    """Return True: for what can be done at any time."""
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do; `text` is in the user's language, `title` returns it where it changes.

    `menu` is one of MENUS or a menu in one of them, or empty for what only the command palette shows. A page's
    `primary` action is the one button at its top right; those with `header` stand left of it, three at most. One
    that `vanishes` is not seen, and does not answer its keys, while it cannot be done. `chosen` returns whether
    one of several to choose from is the one in use: the menu ticks it. Until it is `ready` a primary one looks
    like any other.
    """

    id: str
    text: str
    run: Callable[[], object]
    icon: str = ""
    shortcut: str | tuple[str, ...] = ()
    menu: str = ""
    enabled: Callable[[], bool] = always
    primary: bool = False
    ready: Callable[[], bool] = always
    header: bool = False
    title: Callable[[], str] | None = None
    vanishes: bool = False
    chosen: Callable[[], bool] | None = None

    @property
    def shortcuts(self) -> tuple[str, ...]:
        """The keys, first the one that is shown."""
        keys = (self.shortcut,) if isinstance(self.shortcut, str) else self.shortcut
        return tuple(one for one in keys if one)


class Command(QAction):
    """A row of the table as an action of Qt, whose text, icon and state it keeps up to date."""

    wanted = Signal()  # before it runs: its page is to be shown

    def __init__(self, row: Action, look: Look, parent: QObject) -> None:
        super().__init__(row.text, parent)
        self.row = row
        self._look = look
        self._ready = True
        self.setObjectName(row.id)
        self.setShortcuts([QKeySequence(keys) for keys in row.shortcuts])
        self.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self.setCheckable(row.chosen is not None)
        self.triggered.connect(self._run)
        look.changed.connect(self.tint)
        self.tint()

    def tint(self) -> None:
        """Draw the icon in the colours in use."""
        if self.row.icon:
            self.setIcon(self._look.icon(self.row.icon))

    def button_icon(self) -> QIcon:
        """Return the icon in the colours of its button on the page."""
        return self._look.icon(self.row.icon, "on_accent") if self.row.icon and self.is_main else self.icon()

    @property
    def is_main(self) -> bool:
        """Whether it is what the page is to be left with."""
        return self.row.primary and self._ready

    def answer_keys(self, *, answer: bool) -> None:
        """Answer to its keys, or leave them to another page's command."""
        keys = self.row.shortcuts if answer else ()
        self.setShortcuts([QKeySequence(one) for one in keys])

    def update_state(self) -> None:
        """Ask the row whether it can be done now, and what it is called."""
        can_be_done = self.row.enabled()
        ready = can_be_done and self.row.ready()
        if ready != self._ready:
            self._ready = ready
            self.changed.emit()
        if self.row.vanishes:
            self.setVisible(can_be_done)  # first: Qt keeps what is not seen disabled
        self.setEnabled(can_be_done)
        if self.row.chosen is not None:
            self.setChecked(self.row.chosen())
        if self.row.title is not None:
            self.setText(self.row.title())
        keys = self.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{self.text()} ({keys})" if keys else self.text())

    def _run(self) -> None:
        self.wanted.emit()
        if self.row.enabled():  # the screen may still offer what was possible a moment ago
            self.row.run()
        if self.row.chosen is not None and isValid(self):
            self.setChecked(self.row.chosen())  # Qt has turned the tick over


# The page whose commands come first in a menu, before those of other pages and of the window.
PAGE_MENUS = MappingProxyType({"players": "players", "round": "rounds", "jury": "jury", "standings": "standings"})
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


def in_menu_order(own: Iterable[Command], paged: Mapping[str, Iterable[Command]]) -> tuple[Command, ...]:
    """Return the window's own commands and those of its pages, by place, in the order of the menus."""
    places = {menu: place for place, menu in enumerate((*MENUS, *SUBMENUS, ""))}
    found = [(page, command) for page, some in {"": own, **paged}.items() for command in some]

    def in_order(one: tuple[str, Command]) -> tuple[int, int]:
        page, menu = one[0], one[1].row.menu
        return places[menu], 0 if page == PAGE_MENUS.get(menu, "") else 1 if page else 2

    return tuple(command for _, command in sorted(found, key=in_order))


def fill_menus(bar: QMenuBar, titles: Mapping[str, str], commands: Iterable[Command]) -> Mapping[str, QMenu]:
    """Fill `bar` with the menus and return them by name; a line parts the window's commands from a page's."""
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
