"""The command palette and the list of shortcuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from msgspec import Struct
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QListWidget, QListWidgetItem, QWidget

from tdapp.domain.model import PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.translatable import C_
from tdapp.gui.players.leaving_dialogs import PlayerActions
from tdapp.gui.shell.actions import WindowAction, list_parent_menu_titles
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import ScreenReaderAnnouncer
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.player_field import (
    PlayerOption,
    compute_text_match_distance,
    contains_all_words,
    join_with_middle_dots,
    make_player_option,
)
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels
from tdapp.i18n.locales import fold_text

MAX_PLAYERS = 20
EXPORT_SECTIONS = frozenset({"export", "texts", "reports"})  # menu sections
_OPTION_SECTIONS = frozenset({"looks", "sizes", "language"})  # menu sections
_PARTIAL_MATCH = 4  # distance of a text with a match inside its words
SYNONYMS: Mapping[str, str] = {
    "pick": C_("search words", "swap exchange change pairing"),
    "set-starter": C_("search words", "swap first second"),
    "as-seated": C_("search words", "swap mistake wrong opponent bye"),
    "move-players": C_("search words", "merge divisions transfer"),
    "merge-players": C_("search words", "same person twice duplicate spelling"),
    "replace-rules": C_("search words", "change rules book"),
    "withdraw": C_("search words", "leave drop out delete remove"),
    "withdraw-whom": C_("search words", "leave drop out delete remove"),
    "remove-player": C_("search words", "delete player"),
    "forfeit": C_("search words", "no show walkover give up"),
    "take-back": C_("search words", "take back cancel"),
    "sanctions": C_("search words", "penalty points deduct"),
    "rehearse": C_("search words", "rehearsal simulate plan"),
    "type-again": C_("search words", "second entry twice double check"),
    "keys": C_("search words", "keys keyboard"),
    "language-en": C_("search words", "english"),
    "language-nl": C_("search words", "dutch"),
    "language-nb": C_("search words", "norwegian"),
    "language-de": C_("search words", "german"),
}  # fmt: skip


class _SearchResult(Struct, frozen=True):
    distance: int  # 0 for the best match
    text: str
    target: WindowAction | PlayerId | partial[None]
    keys: str = ""
    disabled_reason: str = ""  # reason why the action is disabled, "" if it is enabled
    icon: str = "card"


class CommandPalette(QDialog):
    """Finds actions, printouts and players by a few letters.

    With a `player_prompt`, which becomes the title, it finds only players.
    """

    def __init__(
        self,
        session: Session,
        actions: Sequence[WindowAction],
        *,
        menus: Mapping[str, str] = MappingProxyType({}),
        player_prompt: str = "",
        player_actions: PlayerActions = MappingProxyType({}),
        show_report: Callable[[str], None] | None = None,
        selected_player: PlayerId | None = None,
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
        self._selected_player = selected_player
        self._session = session
        self._named_players = map_players_with_distinct_names(session.index) if session.is_open else {}
        self._actions = () if player_prompt else tuple(actions)
        self._players_only, self._verbs, self._show_report = bool(player_prompt), player_actions, show_report
        self._menus = menus  # menu titles: "import players" finds Import in the menu Players
        self._field = LineEdit(title, placeholder=title)
        self._list = QListWidget()
        self._list.setAccessibleName(text("Search results"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._empty_label = fields.make_label("", "muted")
        keys_hint = text("↑ ↓ to choose · Enter to open or run · Esc to close")
        self._hint = fields.make_label(keys_hint, "muted")
        self._refusal = fields.make_label("", "error")
        self._refusal.hide()
        fields.make_column(
            self._field,
            self._empty_label,
            self._list,
            self._refusal,
            self._hint,
            margins=(UNIT * 2,) * 4,
            parent=self,
        )
        self._field.textChanged.connect(self._search_everything)
        self._list.itemClicked.connect(self._run_search_result)
        self._list.currentItemChanged.connect(self._announce_item)
        self._list.currentItemChanged.connect(lambda: fields.show_text(self._refusal, ""))
        self._announcer = ScreenReaderAnnouncer(self._list)  # the search field keeps the focus
        self._search_everything("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None:
            row = self._list.currentRow() + step
            self._list.setCurrentRow(max(0, min(row, self._list.count() - 1)))
        elif event.key() in ENTER:
            self._run_search_result(self._list.currentItem())
        else:
            super().keyPressEvent(event)

    def _search_everything(self, search_text: str) -> None:
        self._list.clear()
        words = fold_text(search_text).split()
        results = [
            *self._find_actions(words),
            *self._find_actions_for_named_players(words),
            *self._find_player_search_results(words),
        ]
        results += self._find_reports(words)
        for sorted_result in sorted(results, key=lambda result: (bool(result.disabled_reason), result.distance)):
            self._add_search_result(sorted_result)
        text = self._session.catalogue.text
        no_players = text("No players yet.\nAdd them or import a list under Players (Ctrl+1).")
        self._empty_label.setText(text("Nothing found. Try fewer letters.") if words else no_players)
        self._empty_label.setVisible(not self._list.count())
        self._list.setCurrentRow(0)

    def _find_actions(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        found_actions = [
            action
            for action in self._actions
            if self._is_action_found_by_words(words, action) and (words or action.isEnabled())
        ]
        title_counts = Counter(action.text() for action in found_actions)
        for action in found_actions:
            yield self._make_search_result_for_action(
                words, action, has_unique_title=title_counts[action.text()] == 1
            )

    def _make_search_result_for_action(
        self, words: Sequence[str], action: WindowAction, *, has_unique_title: bool
    ) -> _SearchResult:
        title = action.text()
        # rank matches in a variable part, as in "Undo: ...", below matches in the name
        distance = min(
            compute_text_match_distance(words, title.partition(":")[0]),
            compute_text_match_distance(words, action.declaration.text),
        )
        if distance and action.declaration.menu in EXPORT_SECTIONS:  # below the actions on the same thing
            distance = max(distance, _PARTIAL_MATCH)
        reason = "" if action.isEnabled() else self._explain_disabled_action(action)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        menus = list_parent_menu_titles(action.declaration.menu, self._menus)
        if menus and action.declaration.is_current is not None and action.declaration.menu in _OPTION_SECTIONS:
            title = f"{menus[0]}: {title}"
        elif menus and not has_unique_title and menus[0] != title:
            title = join_with_middle_dots(title, menus[0])
        return _SearchResult(distance, join_with_middle_dots(title, reason), action, keys, reason)

    def _find_reports(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        if not words or self._show_report is None or not self._session.is_open:
            return
        from tdapp.reports import REPORTS  # noqa: PLC0415 - loaded for the first search

        text = self._session.catalogue.text
        for key, report in REPORTS.items():
            title = text(report.untranslated_title)
            if contains_all_words(words, title):
                result_text = join_with_middle_dots(title, text("Printouts"))
                yield _SearchResult(
                    max(compute_text_match_distance(words, title), _PARTIAL_MATCH),
                    result_text,
                    partial(self._show_report, key),
                    icon="print",
                )

    def _is_action_found_by_words(self, words: Sequence[str], action: WindowAction) -> bool:
        """Return whether the action's text, synonyms, submenus and menu title together contain all words.

        The menu title alone is not enough, except for options with a check mark.
        """
        synonyms = SYNONYMS.get(action.declaration.id, "")
        searched_text = f"{action.text()} {synonyms and self._session.catalogue.text(synonyms)}"
        *submenus, menu = list_parent_menu_titles(action.declaration.menu, self._menus) or ("",)
        searched_text = " ".join((searched_text, *submenus))
        is_relevant = (
            action.declaration.is_current is not None
            or not words
            or any(contains_all_words([word], searched_text) for word in words)
        )
        return is_relevant and contains_all_words(words, f"{searched_text} {menu}")

    def _explain_disabled_action(self, action: WindowAction) -> str:
        session, text = self._session, self._session.catalogue.text
        if not session.is_open:
            return text("no tournament is open")
        if session.tournament.event.finished:
            return text("the tournament is finished")
        if not session.is_director and session.run_with_director_rights(action.declaration.enabled):
            return text("only the director may do this")
        if session.is_read_only_or_not_director:
            return text("the tournament is read only")
        return text("not possible on this page right now")

    def _find_actions_for_named_players(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        for verb, (is_allowed, run_action) in self._verbs.items():
            verb_words = [word for word in words if contains_all_words([word], verb.replace("{player}", ""))]
            name_words = [word for word in words if word not in verb_words]
            if self._players_only or (verb_words and name_words):
                for player, code in self._find_players_with_division_codes(name_words):
                    player_id = player.player
                    reason = (
                        ""
                        if is_allowed(self._session, player_id)
                        else self._explain_disabled_player_action(player_id)
                    )
                    result_text = join_with_middle_dots(
                        verb.replace("{player}", player.number_and_name), player.club_if_not_in_name, code, reason
                    )
                    is_first = not name_words and player_id == self._selected_player
                    yield _SearchResult(
                        -1 if is_first else compute_text_match_distance(name_words, player.number_and_name),
                        result_text,
                        partial(run_action, player_id),
                        disabled_reason=reason,
                    )

    def _explain_disabled_player_action(self, player: PlayerId) -> str:
        text = self._session.catalogue.text
        has_withdrawn = self._session.is_open and self._session.index.has_withdrawn(player)
        return (
            text(C_("a player, behind a disabled command", "has already withdrawn"))
            if has_withdrawn
            else text("not possible on this page right now")
        )

    def _find_player_search_results(self, words: Sequence[str]) -> Iterator[_SearchResult]:
        if (words or self._players_only) and not (self._players_only and self._verbs):
            for player, code in self._find_players_with_division_codes(words):
                yield _SearchResult(
                    compute_text_match_distance(words, player.name),
                    join_with_middle_dots(player.number_name_and_club, code),
                    player.player,
                )

    def _find_players_with_division_codes(self, words: Sequence[str]) -> list[tuple[PlayerOption, str]]:
        if not self._session.is_open:
            return []
        index = self._session.index
        has_several_divisions = len(index.divisions) > 1
        options = [
            (option, division.code if has_several_divisions else "")
            for division in index.divisions
            for player in index.players(division.id)
            for option in (make_player_option(self._named_players[player.id]),)
            if contains_all_words(words, option.number_name_and_club)
        ]
        if self._verbs:  # the selected player must not be cut off
            options.sort(key=lambda option: option[0].player != self._selected_player)
        return options[:MAX_PLAYERS]

    def _add_search_result(self, result: _SearchResult) -> None:
        item = QListWidgetItem(self.fontMetrics().elidedText(result.text, Qt.TextElideMode.ElideRight, UNIT * 60))
        item.setSizeHint(QSize(0, scale_line_height(ROW)))
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole,
            ", ".join(filter(None, (result.text, result.keys, result.disabled_reason))),
        )
        item.setData(Qt.ItemDataRole.UserRole, result)
        icon = (
            (result.target.declaration.icon or "chevron-right")
            if isinstance(result.target, WindowAction)
            else result.icon
        )
        item.setIcon(self._session.appearance.make_icon(icon, "muted"))
        if result.disabled_reason:
            item.setForeground(self._session.appearance.get_colour("muted"))
            item.setToolTip(result.disabled_reason)
        self._list.addItem(item)
        if result.keys:
            self._list.setItemWidget(item, _make_key_label(result.keys))

    def _announce_item(self, item: QListWidgetItem | None) -> None:
        self._announcer.set_next_announcement(
            item.data(Qt.ItemDataRole.AccessibleTextRole) if item else self._empty_label.text()
        )

    def _run_search_result(self, item: QListWidgetItem | None) -> None:
        result: _SearchResult | None = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if result is None:
            return
        if result.disabled_reason:
            self._session.play_error_sound()
            fields.show_text(self._refusal, result.text)
        elif isinstance(result.target, WindowAction):
            self.close()
            result.target.trigger()
        elif isinstance(result.target, partial):
            self.close()
            result.target()
        else:
            self.chosen_player = result.target
            self.accept()


class ShortcutsDialog(Dialog):
    """All shortcuts in menu order."""

    def __init__(self, session: Session, actions: Sequence[WindowAction], *, parent: QWidget) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Shortcuts"), parent=parent)
        self.setWindowTitle(text("Help: shortcuts"))
        self.resize(scale_pixels(UNIT * 110), self.height())
        self.body.setSpacing(UNIT * 2)
        hint = text("Ctrl+K finds every command: type a few letters of its name.")
        self.body.addWidget(fields.make_note_label(hint))
        self.body.addLayout(_make_shortcut_table(actions))
        self.scrolled.setAccessibleName(text("Shortcuts"))
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scrolled.setFocus()  # arrow keys scroll


def _make_shortcut_table(actions: Sequence[WindowAction]) -> fields.FormLayout:
    grid = fields.FormLayout()
    shortcut_actions = [action for action in actions if not action.shortcut().isEmpty()]
    row_count = (len(shortcut_actions) + 1) // 2
    for index, action in enumerate(shortcut_actions):
        row, column = index % row_count, 3 * (index // row_count)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        grid.addWidget(_make_key_label(keys), row, column)
        grid.addWidget(fields.make_label(action.declaration.text, wrap=True), row, column + 1)
    grid.setColumnMinimumWidth(2, UNIT * 4)
    grid.setColumnStretch(4, 1)
    return grid


def _make_key_label(keys: str) -> QLabel:
    label = fields.make_label(keys, "muted")
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setContentsMargins(0, 0, UNIT, 0)
    return label
