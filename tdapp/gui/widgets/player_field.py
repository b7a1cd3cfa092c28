"""A field to choose a player by number, club or any part of the name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QRect, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QCompleter, QListView, QStyledItemDelegate

from tdapp.domain.model import Player, PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.access import ScreenReaderAnnouncer
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.theme import ROW, scale_pixels
from tdapp.i18n.locales import fold_text, make_search_text

_VISIBLE_LINES = 12  # lines of the list without scrolling
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class PlayerOption(Struct, frozen=True):
    """A player to choose in a `PlayerField`."""

    player: PlayerId
    number: int
    name: str
    club: str

    @property
    def number_and_name(self) -> str:
        return f"{self.number}  {self.name}"

    @property
    def club_if_not_in_name(self) -> str:
        return "" if self.name.endswith(f"({self.club})") else self.club

    @property
    def number_name_and_club(self) -> str:
        return join_with_middle_dots(self.number_and_name, self.club_if_not_in_name)


def join_with_middle_dots(*parts: str) -> str:
    return "  ·  ".join(filter(None, parts))


def list_player_options(session: Session, players: Iterable[PlayerId] | None = None) -> tuple[PlayerOption, ...]:
    """Return options for `players`. None means all players of the division, sorted by name.

    Players with equal names have their club or number added to the name.
    """
    index, division = session.index, session.division
    named_players = map_players_with_distinct_names(index)
    if players is not None:
        return tuple(make_player_option(named_players[player_id]) for player_id in players)
    options = (
        (make_player_option(named_players[player.id]) for player in index.players(division.id))
        if division is not None
        else ()
    )
    return tuple(sorted(options, key=lambda option: (session.make_sort_key(option.name), option.number)))


def make_player_option(player: Player) -> PlayerOption:
    return PlayerOption(player.id, player.number, player.name.removesuffix(f" ({player.number})"), player.club)


def find_matching_player_options(options: Sequence[PlayerOption], text: str) -> tuple[PlayerOption, ...]:
    """Return the options that contain all typed words, the best match first."""
    words = fold_text(text).split()
    matches = [option for option in options if contains_all_words(words, option.number_name_and_club)]
    return tuple(
        sorted(
            matches,
            key=lambda option: (words != [str(option.number)], compute_text_match_distance(words, option.name)),
        )
    )


def contains_all_words(words: Sequence[str], text: str) -> bool:
    folded_text = make_search_text(text)
    return all(word in folded_text for word in words)


def compute_text_match_distance(words: Sequence[str], text: str) -> int:
    """Return how well typed words match a text, from 0 (they are equal) to 5 (no match)."""
    folded_text, typed_text = fold_text(text), " ".join(words)
    parts = folded_text.split()
    match_kinds = (
        folded_text == typed_text,
        all(word in parts for word in words),
        folded_text.startswith(typed_text),
        all(any(part.startswith(word) for part in parts) for word in words),
        contains_all_words(words, text),
        True,
    )
    return match_kinds.index(True)


class PlayerField(LineEdit):
    """A field to choose a player. Signal `player_chosen` carries the player, or None."""

    player_chosen = Signal(object)

    def __init__(self, name: str, session: Session, *, placeholder: str = "") -> None:
        super().__init__(name, placeholder=placeholder or session.catalogue.text("Choose a player"))
        self.setMinimumWidth(scale_pixels(ROW * 5))
        self._options: Sequence[PlayerOption] = ()
        self._matches: Sequence[PlayerOption] = ()
        self._value: PlayerId | None = None
        self._has_marked_line = False  # a line of the list is marked by an arrow key
        self._lines = QStringListModel(self)
        self._completer = QCompleter(self._lines, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(_VISIBLE_LINES)
        self._completer.setWrapAround(False)  # otherwise Down on the last line selects none
        self._list = QListView()
        self._list.setAccessibleName(name)
        self._list.setObjectName("proposals")
        self._completer.setPopup(self._list)
        self._list.setItemDelegate(QStyledItemDelegate(self._list))  # Qt's delegate ignores the style sheet
        session.appearance.style_window(self._list)  # Qt makes it a window of its own
        self._completer.setWidget(self)
        self._list.clicked.connect(self._choose_listed_player)
        self._list.selectionModel().currentChanged.connect(self._announce_highlighted_player)
        self._announcer = ScreenReaderAnnouncer(self)  # the keys stay in the field
        self.textEdited.connect(self._clear_choice_and_search)

    def set_options(self, options: Sequence[PlayerOption], value: PlayerId | None) -> None:
        """Offer these players and choose `value`. Keep typed text. Emit no signal."""
        self._options = tuple(options)
        if value != self._value or not self.has_text_without_player:
            self._set_and_show_player(value)

    def value(self) -> PlayerId | None:
        return self._value

    def choose_value(self, player: PlayerId | None) -> None:
        self._close_list()
        before = self._value
        self._set_and_show_player(player)
        if self._value != before:
            self.player_chosen.emit(self._value)

    @property
    def options(self) -> Sequence[PlayerOption]:
        return self._options

    @property
    def listed_options(self) -> Sequence[PlayerOption]:
        return self._matches if self._list.isVisible() else ()

    @property
    def has_text_without_player(self) -> bool:
        return self._value is None and bool(self.text().strip())

    @property
    def has_unsaved_text(self) -> bool:
        return self.has_text_without_player

    def _set_and_show_player(self, player: PlayerId | None) -> None:
        option = next((candidate for candidate in self._options if candidate.player == player), None)
        self._value = option.player if option is not None else None
        self.mark_invalid(is_invalid=False)
        text = option.number_and_name if option is not None else ""
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)
        self.setModified(False)

    # --- the list

    def _clear_choice_and_search(self, text: str) -> None:
        self.mark_invalid(is_invalid=False)
        if self._value is not None or not text.strip():
            self._value = None
            self.player_chosen.emit(None)
        self._open_list_of_matching_players(text)

    def _open_list_of_matching_players(self, text: str = "") -> None:
        self._matches = find_matching_player_options(self._options, text)
        self._lines.setStringList([match.number_name_and_club for match in self._matches])
        if not self._matches:
            self._close_list()
            return
        list_width = self._list.sizeHintForColumn(0) + scale_pixels(ROW)
        self._completer.complete(QRect(0, 0, max(self.width(), list_width), self.height()))
        self._highlight_listed_player(0 if text.strip() else -1)
        self._has_marked_line = False

    def _close_list(self) -> None:
        self._list.hide()

    def _highlight_listed_player(self, position: int) -> None:
        self._list.setCurrentIndex(self._completer.completionModel().index(position, 0))

    def _announce_highlighted_player(self, line: QModelIndex) -> None:
        self._has_marked_line = True
        if line.isValid():
            self._announcer.set_next_announcement(self._matches[line.row()].number_name_and_club)

    def _choose_listed_player(self, line: QModelIndex) -> None:
        if line.isValid():
            self.choose_value(self._matches[line.row()].player)

    # --- keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys of the list. Esc closes it and shows the chosen player again."""
        is_open, key = self._list.isVisible(), Qt.Key(event.key())
        if key in ENTER and (is_open or self.has_text_without_player):
            self._choose_highlighted_player_or_open_list()
        elif key in _STEPS and not event.modifiers():
            self._mark_option_above_or_below(_STEPS[key])
        elif key == Qt.Key.Key_Escape and (is_open or self.has_text_without_player):
            self._close_list()
            self._set_and_show_player(self._value)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _choose_highlighted_player_or_open_list(self) -> None:
        if self._list.isVisible():
            marked_line = self._list.currentIndex()
            self._close_list()
            self._choose_listed_player(marked_line)
        else:
            self._open_list_of_matching_players(self.text())
            self.mark_invalid(is_invalid=not self._matches)

    def _mark_option_above_or_below(self, offset: int) -> None:
        if self._list.isVisible():
            row_number = self._list.currentIndex().row() + offset
            self._highlight_listed_player(max(0, min(row_number, len(self._matches) - 1)))
        else:
            self._open_list_of_matching_players(self.text() if self.has_text_without_player else "")
            self._highlight_listed_player(0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.isEnabled() and not self.isReadOnly() and not self.has_text_without_player:
            self.selectAll()
            self._open_list_of_matching_players()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.selectAll()

    def focusNextPrevChild(self, following: bool) -> bool:
        """Close the list before the focus moves, because Qt reports no focus loss while the list is open."""
        marked_line = (
            self._list.currentIndex() if self._has_marked_line and self._list.isVisible() else QModelIndex()
        )
        self._close_list()
        self._choose_listed_player(marked_line)
        return super().focusNextPrevChild(following)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            return
        self._close_list()
        if self.has_text_without_player:
            matches = find_matching_player_options(self._options, self.text())
            if len(matches) == 1:
                self.choose_value(matches[0].player)
            else:
                self.mark_invalid(is_invalid=True)
