"""The rating lists of this computer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QLineEdit

from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.exchange import rating_lists
from tdapp.exchange.rating_lists import RatingLibrary, RatingList, StoredRatingList, map_players_by_name
from tdapp.exchange.text import read_file
from tdapp.gui.players.importing import ImportPlayersDialog
from tdapp.gui.shell.session import Session, is_alive_and_visible
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import ask_existing_file
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT


class StoredRatingListRow(Struct, frozen=True):
    """A rating list on this computer."""

    key: str
    name: str
    date: str
    count: int | None  # number of players; None if the file is damaged


class RatingListsPanel(Panel):
    """Adds and removes rating lists, and updates ratings from them."""

    topic = "files"

    lists_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Rating lists"), width=UNIT * 56)
        text, button = session.catalogue.text, fields.make_button
        self._stored_lists: dict[str, StoredRatingList] = {}
        self.rows = TableRowsModel(session.catalogue)
        empty = text("No rating lists yet.\nAdd one, and names will be suggested as you type.")
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Rating lists"), empty=empty)
        self.view.set_widths({"date": 152, "count": 72})
        self.view.selection_changed.connect(self._enable_buttons)
        self._update = button(text("Update ratings…"), self.preview_rating_update, role="primary")
        self._remove = button(text("Remove"), self.remove_rating_list)
        note = text(
            "A list with names and ratings: CSV, a spreadsheet, or lines like those in tsh files. A date in "
            "the file name, such as 2026-11-21, becomes the date of the list."
        )
        buttons = fields.make_row(
            button(text("Add a list…"), self.choose_rating_list_file), self._remove, 1, self._update
        )
        fields.add_parts_to_layout(self.body, self.view, fields.make_note_label(note), buttons, wide=self.view)
        self.setFocusProxy(self.view)

    def refresh_panel(self) -> None:
        stored_lists = open_rating_library(self.session).list_stored_rating_lists()
        self._stored_lists = {str(stored.path): stored for stored in stored_lists}
        self.rows.show_table(Table("rating-lists", _COLUMNS, tuple(map(self._make_rating_list_row, stored_lists))))
        if not self.view.get_current_row_key() and self._stored_lists:
            self.view.select_row(next(iter(self._stored_lists)))
        self._enable_buttons()

    def choose_rating_list_file(self) -> None:
        if path := ask_existing_file(self, self.session, self.text("Add a rating list")):
            self.add_rating_list(path)

    def add_rating_list(self, path: Path) -> None:
        label = self.text("Reading {name}", name=path.name)
        self.session.run_in_background(
            lambda: rating_lists.read_rating_list(read_file(path), path.name),
            on_success=self._store_rating_list,
            label=label,
        )

    def remove_rating_list(self) -> None:
        stored = self._stored_lists.get(self.view.get_current_row_key())
        if stored is None:
            return
        try:
            open_rating_library(self.session).remove_rating_list(stored.path)
        except InputError as error:
            self.session.show_error(error)
        self._refresh_after_list_change()

    def preview_rating_update(self) -> None:
        rating_list, division = self._get_current_rating_list(), self.session.division
        if rating_list is None or division is None:
            return
        lists = rating_lists.make_player_list_with_ratings(rating_list, self.session.index.players(division.id))
        if len(lists.sheets[0].grid.rows) > 1:
            ImportPlayersDialog(self.session, division.id, lists, parent=self.window()).open()
        else:
            self.session.show_message(self.text("No player in this division is on the list."), tone="note")

    def _store_rating_list(self, rating_list: RatingList) -> None:
        catalogue = self.session.catalogue
        try:
            open_rating_library(self.session).add_rating_list(rating_list)
        except InputError as error:
            self.session.show_error(error)
            return
        count = len(rating_list.players)
        message = catalogue.plural("Rating list added with one name", "Rating list added with {n} names", count)
        if rating_list.invalid_line_count:
            message += " · " + catalogue.plural(
                "One invalid line left out", "{n} invalid lines left out", rating_list.invalid_line_count
            )
        self.session.show_message(message)
        if is_alive_and_visible(self):
            self._refresh_after_list_change()

    def _refresh_after_list_change(self) -> None:
        self.refresh_panel()
        self.lists_changed.emit()

    def _get_current_rating_list(self) -> RatingList | None:
        stored = self._stored_lists.get(self.view.get_current_row_key())
        return stored.rating_list if stored else None

    def _enable_buttons(self) -> None:
        self._remove.setEnabled(bool(self.view.get_current_row_key()))
        can_edit = self.session.division is not None and not self.session.is_read_only_or_not_director
        self._update.setEnabled(can_edit and self._get_current_rating_list() is not None)

    def _make_rating_list_row(self, stored: StoredRatingList) -> StoredRatingListRow:
        key, catalogue = str(stored.path), self.session.catalogue
        if stored.rating_list is None:
            return StoredRatingListRow(key, catalogue.text("{name} (damaged)", name=stored.path.name), "", None)
        date = catalogue.format_date(stored.rating_list.date) if stored.rating_list.date else ""
        return StoredRatingListRow(key, stored.rating_list.source, date, len(stored.rating_list.players))


_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.NAME, "name"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "date"),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "count"),
)


_MAX_NAMES = 8
PlayerRatingChange = tuple[PlayerEntry, RatingList]


def open_rating_library(session: Session) -> RatingLibrary:
    return RatingLibrary(session.library.folder.parent / "ratings")


class NameCompletion(QObject):
    """Proposes names from the rating lists while the user types in a field."""

    def __init__(
        self, session: Session, field: QLineEdit, use_player: Callable[[PlayerEntry, RatingList], None]
    ) -> None:
        super().__init__(field)
        self._session = session
        self._use_player = use_player
        self._players_by_name: Mapping[str, PlayerRatingChange] | None = None
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self, caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setMaxVisibleItems(_MAX_NAMES)
        self._completer.activated.connect(self._use_chosen_name)
        field.setCompleter(self._completer)
        if (popup := self._completer.popup()) is not None:
            session.appearance.style_window(popup)  # Qt shows it as a separate window
        field.textEdited.connect(self._load_names_once)

    def forget_loaded_lists(self) -> None:
        self._players_by_name = None

    def has_highlighted_name(self) -> bool:
        popup = self._completer.popup()
        return popup is not None and popup.isVisible() and popup.currentIndex().isValid()

    def _load_names_once(self, _text: str) -> None:
        if self._players_by_name is None:
            lists = (
                stored.rating_list for stored in open_rating_library(self._session).list_stored_rating_lists()
            )
            self._players_by_name = map_players_by_name(
                rating_list for rating_list in lists if rating_list is not None
            )
            self._names.setStringList(sorted(self._players_by_name, key=self._session.catalogue.make_sort_key))

    def _use_chosen_name(self, name: str) -> None:
        rated_player = (self._players_by_name or {}).get(name)
        if rated_player is not None:
            self._use_player(*rated_player)
