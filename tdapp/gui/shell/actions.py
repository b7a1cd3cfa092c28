"""Actions of the user: in menus, buttons, the command palette and as shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget
from shiboken6 import isValid

from tdapp.gui.widgets.theme import Appearance

MENUS = ("tournament", "edit", "players", "round", "jury", "standings", "view", "help")

CTRL_ENTER = ("Ctrl+Enter", "Ctrl+Return")  # both Enter keys; Qt treats the first as the keypad's


def is_always_enabled() -> bool:
    return True


class Action(Struct, frozen=True):
    """An action that the user can run."""

    id: str
    text: str
    run: Callable[[], object]
    icon: str = ""
    shortcut: str | tuple[str, ...] = ()
    menu: str = ""  # section of a menu, "" for no menu
    enabled: Callable[[], bool] = is_always_enabled
    primary: bool = False  # the action is the button at the top right of its page
    ready: Callable[[], bool] = is_always_enabled  # whether a primary action is highlighted as the next step
    header: bool = False  # the action is a secondary button in the header of its page
    title: Callable[[], str] | None = None  # returns a text that replaces `text`
    vanishes: bool = False  # a disabled action is hidden and its shortcut does nothing
    # whether this option is the current one; None if the action is no option
    is_current: Callable[[], bool] | None = None

    @property
    def shortcuts(self) -> tuple[str, ...]:
        keys = (self.shortcut,) if isinstance(self.shortcut, str) else self.shortcut
        return tuple(key for key in keys if key)


class WindowAction(QAction):
    """A QAction with the text and state of an Action."""

    triggering = Signal()  # emitted before the action runs, so that its page opens

    def __init__(self, declaration: Action, appearance: Appearance, parent: QObject) -> None:
        super().__init__(declaration.text, parent)
        self.declaration = declaration
        self._appearance = appearance
        self._ready = True
        self.is_allowed: Callable[[], bool] = is_always_enabled  # asked before the action runs
        self.setObjectName(declaration.id)
        self._shown_name = ""  # source of the current tool tip: text and keys
        if declaration.shortcuts:
            self.enable_shortcuts(enable=True)
        self.setAutoRepeat(not declaration.primary)  # a key held down pairs and publishes once
        self.setCheckable(declaration.is_current is not None)
        self.triggered.connect(self._run_action)
        appearance.changed.connect(self.changed)

    def tint_icon(self) -> None:
        if self.declaration.icon:
            self.setIcon(self._appearance.make_icon(self.declaration.icon))

    def make_button_icon(self) -> QIcon:
        tone = "on_accent" if self.is_highlighted else "text"
        return self._appearance.make_icon(self.declaration.icon, tone) if self.declaration.icon else QIcon()

    @property
    def is_highlighted(self) -> bool:
        """Whether the button of the action has the accent colour: it is the proposed next action."""
        return self.declaration.primary and self._ready

    def enable_shortcuts(self, *, enable: bool) -> None:
        """Turn the shortcuts on or off. Two enabled actions must not share a shortcut."""
        keys = self.declaration.shortcuts if enable else ()
        self.setShortcuts([QKeySequence(key) for key in keys])
        self._shown_name = ""

    def update_state(self) -> None:
        is_possible = self.declaration.enabled()
        ready = is_possible and self.declaration.ready()
        if ready != self._ready:
            self._ready = ready
            self.changed.emit()
        if self.declaration.vanishes:
            self.setVisible(is_possible)  # before setEnabled: Qt keeps invisible actions disabled
        self.setEnabled(is_possible)
        if self.declaration.is_current is not None:
            self.setChecked(self.declaration.is_current())
        name = self.declaration.title() if self.declaration.title is not None else self.declaration.text
        if name != self._shown_name:
            self._shown_name = name
            self.setText(name)
            keys = self.declaration.shortcuts and self.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            self.setToolTip(f"{name} ({keys})" if keys else name)

    def _run_action(self) -> None:
        if not self.is_allowed():
            return
        self.triggering.emit()
        if self.declaration.enabled():  # the button can be out of date
            self.declaration.run()
        if self.declaration.is_current is not None and isValid(self):
            self.setChecked(self.declaration.is_current())  # undo the tick that Qt changed


# The sections of each menu, in order; | is a separator. A section with a title is a submenu.
_SECTIONS: Mapping[str, str] = {
    "tournament": "tournament recent | copies snapshots export | sharing setup finish | leave",
    "edit": "edit | find | history",
    "players": "players | event player arrivals fees | columns | erase",
    "round": "round | pairing | table mishaps papers | results",
    "jury": "jury sheet turns | incidents | words",
    "standings": "standings statistics | copies-standings bracket",
    "view": "pages looks sizes language | view | window | clock screens",
    "help": "help",
    "export": "export texts reports | public",
    "player": "player photo | remove",
    "setup": "setup | remove-division",
}
_ORDER = tuple(section for sections in _SECTIONS.values() for section in sections.split() if section != "|")


def sort_in_menu_order(
    window_actions: Iterable[WindowAction], by_page: Mapping[str, Iterable[WindowAction]]
) -> tuple[WindowAction, ...]:
    """Return the window's actions and those of the pages in menu order."""
    positions = {section: index for index, section in enumerate((*dict.fromkeys(_ORDER), ""))}
    actions = [action for page_actions in (*by_page.values(), window_actions) for action in page_actions]
    return tuple(sorted(actions, key=lambda action: positions[action.declaration.menu]))


def list_parent_menu_titles(section: str, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the titles of the menus that contain a section, innermost first."""
    parent = next((menu for menu, parts in _SECTIONS.items() if section in parts.split() and menu != section), "")
    own_title = (titles[section].replace("&", ""),) if section in titles else ()
    return own_title + (list_parent_menu_titles(parent, titles) if parent else ())


def fill_menus(bar: QMenuBar, titles: Mapping[str, str], actions: Iterable[WindowAction]) -> Mapping[str, QMenu]:
    bar.clear()
    for old in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.deleteLater()
    by_section: dict[str, list[WindowAction]] = {}
    for action in actions:
        by_section.setdefault(action.declaration.menu, []).append(action)
    menus: dict[str, QMenu] = {}
    for name in MENUS:
        if name in titles:
            _fill_menu(menus, name, bar.addMenu(titles[name]), titles, by_section)
    return menus


def _fill_menu(
    menus: dict[str, QMenu],
    name: str,
    menu: QMenu,
    titles: Mapping[str, str],
    actions: Mapping[str, Iterable[WindowAction]],
) -> None:
    menus[name] = menu
    for section in _SECTIONS.get(name, name).split():
        if section == "|":
            menu.addSeparator()
        elif section != name and section in titles:
            _fill_menu(menus, section, menu.addMenu(titles[section]), titles, actions)
        for action in actions.get(section, ()) if section == name or section not in titles else ():
            menu.addAction(action)
            menu.aboutToShow.connect(action.tint_icon)
            if action.declaration.is_current is not None:
                menu.aboutToShow.connect(action.update_state)


def make_context_menu(parent: QWidget, sections: str, actions: Iterable[WindowAction]) -> QMenu:
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    enabled_actions = [action for action in actions if action.isEnabled()]
    for section in sections.split():
        section_actions = [action for action in enabled_actions if action.declaration.menu == section]
        if section_actions and not menu.isEmpty():
            menu.addSeparator()
        for action in section_actions:
            action.tint_icon()
            menu.addAction(action)
    return menu
