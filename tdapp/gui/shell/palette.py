"""The command palette and the list of keys: everything that can be done, found by a few letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QListWidget, QListWidgetItem, QWidget

from tdapp.domain.model import PlayerId
from tdapp.gui.shell.actions import Command
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import Announcer
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.collation import folded

MOST_PLAYERS = 20


class Palette(QDialog):
    """Type a few letters of a command or a player; Enter does it, or goes there."""

    def __init__(
        self,
        session: Session,
        commands: Sequence[Command],
        *,
        menus: Mapping[str, str] = MappingProxyType({}),
        players_only: bool = False,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = session.catalogue.text
        title = text("Find a player") if players_only else text("Do or find anything")
        self.setWindowTitle(title)
        self.setModal(True)
        self.resize(QSize(UNIT * 85, UNIT * 60).boundedTo(self.screen().availableSize()))
        self.chosen_player: PlayerId | None = None
        self._session = session
        self._commands = [] if players_only else [one for one in commands if one.isEnabled()]
        self._menus = menus  # their titles: "import players" is Import in the menu Players
        self._field = LineEdit(title, placeholder=title)
        self._list = QListWidget()
        self._list.setAccessibleName(text("Found"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._none = fields.label("", "muted")
        self._hint = fields.label(text("↑ ↓ choose · Enter does it · Esc closes"), "muted")
        fields.column(self._field, self._none, self._list, self._hint, around=(UNIT * 2,) * 4, parent=self)
        self._field.textChanged.connect(self._search)
        self._list.itemClicked.connect(self._take)
        self._list.currentItemChanged.connect(self._speak)
        self._announcer = Announcer(self._list)  # the keys stay in the field
        self._search("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move through what was found, and do it."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None:
            row = self._list.currentRow() + step
            self._list.setCurrentRow(max(0, min(row, self._list.count() - 1)))
        elif event.key() in ENTER:
            self._take(self._list.currentItem())
        else:
            super().keyPressEvent(event)

    def _search(self, typed: str) -> None:
        self._list.clear()
        words = folded(typed).split()
        found = [command for command in self._commands if self._means(words, command)]
        # what is found only by what it is about, as in "Undo: ...", stands behind what is called so
        for command in sorted(found, key=lambda one: not _has(words, one.row.text)):
            keys = command.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            self._add(command.text(), keys, command)
        for player, name in self._players(words):
            self._add(name, "", player)
        text = self._session.catalogue.text
        no_players = text("No players yet.\nAdd them or import a list under Players (Ctrl+1).")
        self._none.setText(text("Nothing is called that. Try fewer letters.") if words else no_players)
        self._none.setVisible(not self._list.count())
        self._list.setCurrentRow(0)

    def _means(self, words: Sequence[str], command: Command) -> bool:
        """Return whether all words are in a command's text and its menu's title, not all in the title alone."""
        own = command.text()
        of_menu = f"{own} {self._menus.get(command.row.menu, '').replace('&', '')}"
        return _has(words, of_menu) and (not words or any(_has([word], own) for word in words))

    def _players(self, words: Sequence[str]) -> list[tuple[PlayerId, str]]:
        if not self._session.is_open or (not words and self._commands):
            return []
        index = self._session.index
        found = [
            (player.id, f"{player.number}  {player.name}  ·  {division.code}")
            for division in index.divisions
            for player in index.players(division.id)
            if _has(words, f"{player.number} {player.name}")
        ]
        return found[:MOST_PLAYERS]

    def _add(self, text: str, keys: str, what: object) -> None:
        item = QListWidgetItem(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, UNIT * 60))
        item.setSizeHint(QSize(0, ROW))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (text, keys))))
        item.setData(Qt.ItemDataRole.UserRole, what)
        icon = (what.row.icon or "chevron-right") if isinstance(what, Command) else "card"
        item.setIcon(self._session.look.icon(icon, "muted"))
        self._list.addItem(item)
        if keys:
            self._list.setItemWidget(item, _key_label(keys))

    def _speak(self, item: QListWidgetItem | None) -> None:
        self._announcer.say(item.data(Qt.ItemDataRole.AccessibleTextRole) if item else self._none.text())

    def _take(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        what = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(what, Command):
            self.close()
            what.trigger()
        else:
            self.chosen_player = PlayerId(str(what))
            self.accept()


class Keys(Dialog):
    """Every key, by menu."""

    def __init__(self, session: Session, commands: Sequence[Command], *, parent: QWidget) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Keys"), yes=text("Close"), parent=parent)
        self.setWindowTitle(text("Help: keys"))
        self.no.hide()
        self.body.setSpacing(UNIT * 2)
        hint = text("Everything that can be done is found with Ctrl+K: type a few letters of it.")
        self.body.addWidget(fields.label(hint, "muted", wrap=True))
        self.body.addLayout(_table_of_keys(commands))
        self.scrolled.setAccessibleName(text("Keys"))
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scrolled.setFocus()  # arrows scroll


def _table_of_keys(commands: Sequence[Command]) -> fields.Form:
    grid = fields.Form()
    shown = [one for one in commands if not one.shortcut().isEmpty()]
    half = (len(shown) + 1) // 2
    for index, command in enumerate(shown):
        row, column = index % half, 3 * (index // half)
        keys = command.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        grid.addWidget(_key_label(keys), row, column)
        grid.addWidget(fields.label(command.row.text), row, column + 1)
    grid.setColumnMinimumWidth(2, UNIT * 4)
    return grid


def _key_label(keys: str) -> QLabel:
    made = fields.label(keys, "muted")
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    made.setContentsMargins(0, 0, UNIT, 0)
    return made


def _has(words: Sequence[str], text: str) -> bool:
    known = folded(text)
    return all(word in known for word in words)
