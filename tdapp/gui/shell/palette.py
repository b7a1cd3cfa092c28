"""The command palette, which finds actions and players, and the list of shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from msgspec import Struct
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QListWidget, QListWidgetItem, QWidget

from tdapp.domain.model import PlayerId
from tdapp.domain.publishing import map_distinctly_named_players
from tdapp.domain.translatable import C_
from tdapp.gui.players.leaving_dialogs import Verbs
from tdapp.gui.shell.actions import Command, find_menu_title
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import Announcer
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.player_field import (
    PlayerOption,
    contains_all_words,
    join_with_dots,
    make_player_option,
    rank_text_match,
)
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels
from tdapp.i18n.locales import fold_text

MOST_PLAYERS = 20
COPIES = frozenset({"export", "texts", "reports"})  # menu sections
_OF_VALUES = frozenset({"looks", "sizes", "language"})  # menu sections
_PART = 4  # distance of a text with a match inside its words
SYNONYMS: Mapping[str, str] = {
    "pick": C_("search words", "swap exchange change pairing"),
    "set-starter": C_("search words", "swap first second"),
    "as-seated": C_("search words", "swap mistake wrong opponent bye"),
    "move-players": C_("search words", "merge divisions transfer"),
    "merge-players": C_("search words", "same person twice duplicate spelling"),
    "replace-rules": C_("search words", "change rules book"),
    "withdraw": C_("search words", "leave drop out"),
    "withdraw-whom": C_("search words", "leave drop out"),
    "forfeit": C_("search words", "no show walkover give up"),
    "take-back": C_("search words", "take back cancel"),
    "rehearse": C_("search words", "rehearsal simulate plan"),
    "type-again": C_("search words", "second entry twice double check"),
    "keys": C_("search words", "keys keyboard"),
    "language-en": C_("search words", "english"),
    "language-nl": C_("search words", "dutch"),
    "language-nb": C_("search words", "norwegian"),
    "language-de": C_("search words", "german"),
}  # fmt: skip


class _SearchResult(Struct, frozen=True):
    """A search result."""

    distance: int  # 0 for the best match
    text: str
    what: Command | PlayerId | partial[None]
    keys: str = ""
    why: str = ""  # reason why the command is disabled, "" if it is enabled
    icon: str = "card"


class CommandPalette(QDialog):
    """Finds commands, printouts and players by a few letters.

    If `player_prompt` is set it is the title, and only players are found.
    """

    def __init__(
        self,
        session: Session,
        commands: Sequence[Command],
        *,
        menus: Mapping[str, str] = MappingProxyType({}),
        player_prompt: str = "",
        player_actions: Verbs = MappingProxyType({}),
        show_paper: Callable[[str], None] | None = None,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = session.catalogue.text
        title = player_prompt or text("Do or find anything")
        self.setWindowTitle(title)
        self.setModal(True)
        self.resize(QSize(UNIT * 85, UNIT * 60).boundedTo(self.screen().availableSize()))
        self.chosen_player: PlayerId | None = None
        self._session = session
        self._named = map_distinctly_named_players(session.index) if session.is_open else {}
        self._commands = () if player_prompt else tuple(commands)
        self._players_only, self._verbs, self._show_paper = bool(player_prompt), player_actions, show_paper
        self._menus = menus  # menu titles: "import players" finds Import in the menu Players
        self._field = LineEdit(title, placeholder=title)
        self._list = QListWidget()
        self._list.setAccessibleName(text("Search results"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._none = fields.label("", "muted")
        self._hint = fields.label(text("↑ ↓ to choose · Enter to run · Esc to close"), "muted")
        fields.column(self._field, self._none, self._list, self._hint, around=(UNIT * 2,) * 4, parent=self)
        self._field.textChanged.connect(self._search_everything)
        self._list.itemClicked.connect(self._run_item)
        self._list.currentItemChanged.connect(self._announce_item)
        self._announcer = Announcer(self._list)  # the search field keeps the focus
        self._search_everything("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None:
            row = self._list.currentRow() + step
            self._list.setCurrentRow(max(0, min(row, self._list.count() - 1)))
        elif event.key() in ENTER:
            self._run_item(self._list.currentItem())
        else:
            super().keyPressEvent(event)

    def _search_everything(self, typed: str) -> None:
        self._list.clear()
        words = fold_text(typed).split()
        found = [*self._find_commands(words), *self._find_player_actions(words), *self._find_players(words)]
        found += self._find_reports(words)
        for entry in sorted(found, key=lambda one: (one.distance, bool(one.why))):
            self._add_item(entry)
        text = self._session.catalogue.text
        no_players = text("No players yet.\nAdd them or import a list under Players (Ctrl+1).")
        self._none.setText(text("Nothing found. Try fewer letters.") if words else no_players)
        self._none.setVisible(not self._list.count())
        self._list.setCurrentRow(0)

    def _find_commands(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        for command in self._commands:
            own = command.text()
            if self._matches_words(words, command) and (words or command.isEnabled()):
                # rank matches in a variable part, as in "Undo: ...", below matches in the name
                near = min(rank_text_match(words, own.partition(":")[0]), rank_text_match(words, command.row.text))
                if near and command.row.menu in COPIES:  # rank exports below the actions on the same thing
                    near = max(near, _PART)
                why = "" if command.isEnabled() else self._explain_disabled_command(command)
                keys = command.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                if command.row.chosen is not None and command.row.menu in _OF_VALUES:
                    own = f"{find_menu_title(command.row.menu, self._menus)}: {own}".replace("&", "")
                yield _SearchResult(near, (why and f"{own}  ·  {why}") or own, command, keys, why)

    def _find_reports(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        if not words or self._show_paper is None or not self._session.is_open:
            return
        from tdapp.reports import REPORTS  # noqa: PLC0415 - loaded for the first search

        text = self._session.catalogue.text
        for key, report in REPORTS.items():
            title = text(report.title)
            if contains_all_words(words, title):
                shown = join_with_dots(title, text("Printouts"))
                yield _SearchResult(
                    max(rank_text_match(words, title), _PART), shown, partial(self._show_paper, key), icon="print"
                )

    def _matches_words(self, words: Sequence[str], command: Command) -> bool:
        """Return whether text, synonyms and menu title of the command together contain all words.

        At least one word must be in the text or the synonyms, unless the command is a menu item with a check
        mark, such as a language.
        """
        other = SYNONYMS.get(command.row.id, "")
        own = f"{command.text()} {other and self._session.catalogue.text(other)}"
        menu = find_menu_title(command.row.menu, self._menus).replace("&", "")
        enough = (
            command.row.chosen is not None or not words or any(contains_all_words([word], own) for word in words)
        )
        return enough and contains_all_words(words, f"{own} {menu}")

    def _explain_disabled_command(self, command: Command) -> str:
        session, text = self._session, self._session.catalogue.text
        if not session.is_open:
            return text("no tournament is open")
        if session.tournament.event.finished:
            return text("the tournament is finished")
        if not session.is_director and session.run_as_director(command.row.enabled):
            return text("only the director may do this")
        if session.is_read_only:
            return text("the tournament is read only")
        return text("not possible now on this page")

    def _find_player_actions(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        for verb, (may, act) in self._verbs.items():
            own = [one for one in words if contains_all_words([one], verb.replace("{player}", ""))]
            rest = [one for one in words if one not in own]
            if self._players_only or (own and rest):
                for player, code in self._match_players(rest):
                    who = player.player
                    why = "" if may(self._session, who) else self._explain_disabled_player(who)
                    shown = join_with_dots(verb.replace("{player}", player.text), player.club_suffix, code, why)
                    yield _SearchResult(rank_text_match(rest, player.text), shown, partial(act, who), why=why)

    def _explain_disabled_player(self, player: PlayerId) -> str:
        text = self._session.catalogue.text
        gone = self._session.is_open and self._session.index.has_withdrawn(player)
        return (
            text(C_("a player, behind a disabled command", "has already withdrawn"))
            if gone
            else text("not possible now on this page")
        )

    def _find_players(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        if (words or self._players_only) and not (self._players_only and self._verbs):
            for player, code in self._match_players(words):
                yield _SearchResult(
                    rank_text_match(words, player.name), join_with_dots(player.line, code), player.player
                )

    def _match_players(self, words: Sequence[str]) -> list[tuple[PlayerOption, str]]:
        if not self._session.is_open:
            return []
        index = self._session.index
        several = len(index.divisions) > 1
        found = [
            (option, division.code if several else "")
            for division in index.divisions
            for player in index.players(division.id)
            for option in (make_player_option(self._named[player.id]),)
            if contains_all_words(words, option.line)
        ]
        return found[:MOST_PLAYERS]

    def _add_item(self, found: _SearchResult) -> None:
        item = QListWidgetItem(self.fontMetrics().elidedText(found.text, Qt.TextElideMode.ElideRight, UNIT * 60))
        item.setSizeHint(QSize(0, scale_line_height(ROW)))
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (found.text, found.keys, found.why)))
        )
        item.setData(Qt.ItemDataRole.UserRole, found)
        icon = (found.what.row.icon or "chevron-right") if isinstance(found.what, Command) else found.icon
        item.setIcon(self._session.look.make_icon(icon, "muted"))
        if found.why:
            item.setForeground(self._session.look.colour("muted"))
            item.setToolTip(found.why)
        self._list.addItem(item)
        if found.keys:
            self._list.setItemWidget(item, _make_key_label(found.keys))

    def _announce_item(self, item: QListWidgetItem | None) -> None:
        self._announcer.announce_later(
            item.data(Qt.ItemDataRole.AccessibleTextRole) if item else self._none.text()
        )

    def _run_item(self, item: QListWidgetItem | None) -> None:
        found: _SearchResult | None = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if found is None:
            return
        if found.why:
            self._session.play_error_sound()
        elif isinstance(found.what, Command):
            self.close()
            found.what.trigger()
        elif isinstance(found.what, partial):
            self.close()
            found.what()
        else:
            self.chosen_player = found.what
            self.accept()


class ShortcutsDialog(Dialog):
    """All shortcuts by menu."""

    def __init__(self, session: Session, commands: Sequence[Command], *, parent: QWidget) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Shortcuts"), parent=parent)
        self.setWindowTitle(text("Help: shortcuts"))
        self.resize(scale_pixels(UNIT * 110), self.height())
        self.body.setSpacing(UNIT * 2)
        hint = text("Ctrl+K finds every command: type a few letters of its name.")
        self.body.addWidget(fields.note(hint))
        self.body.addLayout(_make_shortcut_table(commands))
        self.scrolled.setAccessibleName(text("Shortcuts"))
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scrolled.setFocus()  # arrow keys scroll


def _make_shortcut_table(commands: Sequence[Command]) -> fields.Form:
    grid = fields.Form()
    shown = [one for one in commands if not one.shortcut().isEmpty()]
    half = (len(shown) + 1) // 2
    for index, command in enumerate(shown):
        row, column = index % half, 3 * (index // half)
        keys = command.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        grid.addWidget(_make_key_label(keys), row, column)
        grid.addWidget(fields.label(command.row.text, wrap=True), row, column + 1)
    grid.setColumnMinimumWidth(2, UNIT * 4)
    grid.setColumnStretch(4, 1)
    return grid


def _make_key_label(keys: str) -> QLabel:
    made = fields.label(keys, "muted")
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    made.setContentsMargins(0, 0, UNIT, 0)
    return made
