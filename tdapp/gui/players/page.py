"""The Players page: the player list, edited in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.model import Player, PlayerId
from tdapp.domain.player_fields import LIST_FIELDS, PLAYER_FIELDS
from tdapp.domain.prizes import compute_fee_totals, compute_full_fee, has_fees_or_payments
from tdapp.domain.tables.players import PlayerRow, find_namesake, make_player_table
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import C_
from tdapp.exchange import imports
from tdapp.exchange.imports import PlayerListFile
from tdapp.exchange.rating_lists import RatingList
from tdapp.gui.editor.fields import parse_money_amount
from tdapp.gui.players.availability import (
    AvailabilityChange,
    AvailabilityPanel,
    ConstraintsPanel,
    LateEntrantPanel,
    describe_absence,
)
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.players.check_in import FeesPanel
from tdapp.gui.players.erasing import ErasePersonalDataDialog
from tdapp.gui.players.importing import start_player_or_division_import
from tdapp.gui.players.leaving_dialogs import MovePlayersPanel
from tdapp.gui.players.photos import PhotoActions
from tdapp.gui.players.rating_lists import NameCompletion, RatingListsPanel
from tdapp.gui.shell.actions import CTRL_ENTER, Action, is_always_enabled, make_context_menu
from tdapp.gui.shell.session import (
    Session,
    is_alive_and_visible,
    make_callback_for_visible_widget,
    make_callback_unless_deleted,
)
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_existing_file
from tdapp.gui.widgets.fields import FormLayout, LineEdit, NumberEdit, SearchField
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT, scale_pixels

_ALWAYS_SHOWN = {"rating", "club", "country", "checked_in"}  # columns, even if all cells are empty


class NewPlayerFields(QWidget):
    """Fields for a new player: name, rating, club."""

    panel = Signal(object)  # opens a Panel with the effect of a late entry
    player_added = Signal(str)  # key of the added player
    text_pasted = Signal(str)  # text with several lines

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        text = session.catalogue.text
        self.name = LineEdit(text("New player’s name"), placeholder=text("Last name, First name"))
        self.name.setMinimumWidth(scale_pixels(UNIT * 24))
        self.rating = NumberEdit(text("Rating"))
        self.rating.setPlaceholderText(text("Rating"))
        self.rating.setMinimumWidth(self.fontMetrics().horizontalAdvance(text("Rating")) + UNIT * 3)
        self.rating.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.club = LineEdit(text("Club"), placeholder=text("Club"))
        self.fields: tuple[LineEdit, ...] = (self.name, self.rating, self.club)
        fields.make_row(*self.fields, parent=self)
        self.lookup = NameCompletion(session, self.name, self._fill_from_rating_list)
        self._rating_list_player: PlayerEntry | None = None
        self._pending_count = 0  # number of players being added
        self._has_warned_of_namesake = False  # the typed name is the same as at the last Enter
        self.name.textChanged.connect(self._forget_namesake_warning)
        self.name.textChanged.connect(self._request_import_of_pasted_lines)
        for field in self.fields:
            field.returnPressed.connect(self._submit_typed_player)

    def _request_import_of_pasted_lines(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) > 1:
            self.name.clear()
            self.text_pasted.emit(text)
        elif len(text.splitlines(keepends=True)) > 1 or text != text.rstrip("\r\n"):
            self.name.setText("".join(lines))
            self.name.setModified(True)

    def _fill_from_rating_list(self, player: PlayerEntry, rating_list: RatingList) -> None:
        self._rating_list_player = player
        self.rating.setText(str(player.rating_marked_if_provisional or ""))
        self.club.setText(player.club)
        for field in (self.rating, self.club):
            field.setModified(True)
        catalogue = self.session.catalogue
        date = catalogue.format_date(rating_list.date) if rating_list.date else "–"
        message = catalogue.text("Rating from {list}, {date}", list=rating_list.source, date=date)
        self.rating.setToolTip(message)
        self.session.show_message(message)

    def _submit_typed_player(self) -> None:
        division, texts = self.session.division, [field.text() for field in self.fields]
        is_second_enter = self._pending_count and not any(texts)  # Enter was pressed a second time
        if division is None or is_second_enter or self.lookup.has_highlighted_name():
            return
        name, _, club = texts
        try:
            rating = _parse_cell("rating", self.rating.text().strip())
        except ValueError:
            show_invalid_number_error(self.session, "rating", self.rating)
            return
        if self._warn_once_of_namesake(name):
            return
        rated_player = (
            self._rating_list_player
            if self._rating_list_player and self._rating_list_player.name == name
            else None
        )
        field_names = [
            field.name
            for field in LIST_FIELDS
            if field.is_in_rating_lists and field.name not in {"rating", "club"}
        ]
        rated_values: dict[str, Any] = (
            {name: getattr(rated_player, name) for name in field_names} if rated_player else {}
        )
        command = partial(
            commands.add_player,
            key=self.session.make_row_id(),
            division=division.id,
            name=name,
            club=club,
            **{**rated_values, **rating},
        )
        player = PlayerId(command.keywords["key"])
        if self.session.index.list_published_rounds(division.id) and name.strip():
            on_entered = make_callback_unless_deleted(self, partial(self._clear_fields_and_select_player, player))
            self.panel.emit(LateEntrantPanel(self.session, command, player, on_entered))
        else:
            self._pending_count += 1
            self._clear_fields()  # let the user type the next name at once
            on_refusal = make_callback_unless_deleted(self, partial(self._restore_text_after_refusal, texts))
            on_success = make_callback_unless_deleted(self, partial(self._select_added_player, player))
            self.session.do(command, field=self.name, on_success=on_success, on_refusal=on_refusal)

    def _warn_once_of_namesake(self, name: str) -> bool:
        namesake = None if self._has_warned_of_namesake else find_namesake(self.session.index, name)
        self._has_warned_of_namesake = namesake is not None
        if namesake is None:
            return False
        division = self.session.tournament.divisions[namesake.division].code
        error = CommandError("name-taken", player=namesake.name, number=namesake.number, division=division)
        self.session.show_error(error, self.name)
        return True

    def _forget_namesake_warning(self) -> None:
        self._has_warned_of_namesake = False

    def _clear_fields(self) -> None:
        for field in self.fields:
            field.clear()
            field.setModified(False)
        self._rating_list_player = None
        self.rating.setToolTip("")
        if is_alive_and_visible(self.name):
            self.name.setFocus()

    def _select_added_player(self, player: PlayerId) -> None:
        self._pending_count -= 1
        self.player_added.emit(player)

    def _clear_fields_and_select_player(self, player: PlayerId) -> None:
        self._clear_fields()
        self.player_added.emit(player)

    def _restore_text_after_refusal(self, texts: Sequence[str], _error: UserError) -> bool:
        self._pending_count -= 1
        if not any(field.text() for field in self.fields):
            for field, text in zip(self.fields, texts, strict=True):
                field.setText(text)
                field.setModified(True)
        return False


class FixedTableDialog(Dialog):
    """Asks for the player's fixed table. If the field is empty, the player has none."""

    topic = "players"

    def __init__(self, session: Session, player: Player, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Fixed table"), yes=text("Assign a fixed table"), parent=parent)
        self._player = player
        self.number, form = NumberEdit(text("Table"), value=player.fixed_table), FormLayout()
        form.add_field(self.number, text("The player sits here in every round. Leave empty for any table."))
        fields.add_parts_to_layout(self.body, fields.make_label(player.name, "body"), form)
        self.number.selectAll()
        self.number.setFocus()

    def confirm_dialog(self) -> None:
        try:
            table = self.number.parse_optional_number()
        except ValueError:
            self.number.mark_invalid(is_invalid=True)
            return
        player = self._player
        command = partial(commands.edit_player, player=player.id, seen=player, fixed_table=table)
        self.session.do(command, on_success=make_callback_for_visible_widget(self, self.accept), field=self.number)


class PlayersPage(Page):
    """The players of the selected division."""

    id = "players"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            edit=self.edit_cell,
            tone=lambda row: "muted" if row.status in {"withdrawn", "disqualified"} else "",
            shown_texts={"status": partial(_describe_status, session)},
        )
        self.view = self._make_player_table()
        self._all_columns = False
        self.search = SearchField(self.text("Search players"), session.appearance)
        self.search.textChanged.connect(self.view.filter_rows)
        self.view.set_search_hint(session.describe_players_of_other_divisions)
        self._new_player_fields = NewPlayerFields(session)
        self._new_player_fields.panel.connect(self.show_panel)
        self._new_player_fields.player_added.connect(self.reveal_row)
        self._new_player_fields.text_pasted.connect(self.preview_pasted_players)
        self._skipped_lists: PlayerListFile | None = None
        self._import_step_number = 0
        self.skipped_button = fields.make_button("", self._reopen_import_of_skipped_lines, role="link")
        self.skipped_button.hide()
        session.opened.connect(self.skipped_button.hide)
        self.body.addLayout(fields.make_row(self._new_player_fields, 1, self.search))
        self.body.addLayout(fields.make_row(self.skipped_button, 1))
        self.body.addWidget(self.view)
        self.setFocusProxy(self.view)

    def _make_player_table(self) -> TableView:
        view = TableView(self.rows, appearance=self.session.appearance, name=self.text("Players"))
        view.set_widths(
            {"number": 56, "rating": 72, "club": 120, "country": 84, "category": 64, "team": 80,
             "fixed_table": 96, "needs_access": 120, "status": 112, "checked_in": 80,
             "fee": 80, "paid": 80, "notes": 104}, stretch=("name",)
        )  # fmt: skip
        view.hide_columns_if_empty({"fee", *PLAYER_FIELDS} - _ALWAYS_SHOWN)
        view.freeze_columns(2)  # number and name
        view.clicked.connect(self._toggle_clicked_cell)
        view.row_activated.connect(self._open_card)
        view.selection_changed.connect(self.cursor_moved)
        # Only in this table: the table of a panel has its own Delete.
        view.add_keyboard_actions({"Del": lambda: self.get_action("remove-player").trigger()})
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_row_menu)
        return view

    # --- display and actions

    def list_page_actions(self) -> tuple[Action, ...]:
        text = self.session.catalogue.text
        can_edit_chosen, can_edit_current = self._can_edit_chosen_players, self._can_edit_current_player
        action = partial(Action, menu="players", enabled=self._can_edit_players)
        photos = PhotoActions(self, self.session, self._list_chosen_player_ids)
        return (
            action("add-player", text("Add player"), self._new_player_fields.name.setFocus, "add", "Insert",
                primary=True),
            action("import-players", text("Import…"), self.import_file, "import", "Ctrl+I", header=True),
            action("paste-players", text("Paste players…"), self.paste_players, shortcut="Ctrl+Shift+V"),
            action("photo-folder", text("Photos from a folder…"), photos.choose_photo_folder,
                enabled=photos.can_edit_photos),
            action("rating-lists", text("Rating lists…"), self.open_rating_lists_panel,
                enabled=lambda: self.session.is_open),
            action("check-in", text("Check in"), partial(self._set_presence, present=True), "check-in", CTRL_ENTER,
                menu="arrivals",
                enabled=lambda: can_edit_chosen()
                   and not all(player.checked_in for player in self._list_chosen_players()),
                header=True),
            action("check-out", text("Mark as not arrived"), partial(self._set_presence, present=False),
                menu="arrivals",
                enabled=lambda: can_edit_chosen()
                   and any(player.checked_in for player in self._list_chosen_players())),
            action("fee-paid", text("Fee paid"), partial(self._set_fees_paid, paid=True), menu="fees",
                enabled=self._can_mark_fee_paid),
            action("fee-unpaid", text("Fee not paid"), partial(self._set_fees_paid, paid=False), menu="fees",
                enabled=lambda: (
                    self._can_edit_chosen_players() and any(player.paid for player in self._list_chosen_players())
                )),
            action("fees", text("Entry fees…"), self.open_fees_panel, menu="fees",
                enabled=lambda: self.session.division is not None),
            action("availability", text("Absences…"), self._open_availability_panel, "absent",
                "Ctrl+B", menu="player",
                enabled=can_edit_current, header=True),
            action("constraints", text("Pairing constraints…"), self._open_constraints_panel, "swap", "Ctrl+M",
                menu="event"),
            action("return", text("Return to play…"),
                partial(self._open_availability_panel, AvailabilityChange.RETURN),
                "return",
                menu="player", enabled=partial(can_edit_current, has_withdrawn=True)),
            action("fixed-table", text("Fixed table…"), self._open_fixed_table_dialog, menu="player",
                enabled=can_edit_current),
            action("needs-access", text("Needs an accessible table"), self.toggle_current_player_access_need,
                menu="player", enabled=can_edit_current,
                is_current=lambda: (player := self._find_current_player()) is not None and player.needs_access),
            action("photo", text("Photo…"), photos.choose_photo_file, menu="photo",
                enabled=photos.can_choose_photo),
            action("remove-photo", text("Remove the photo"), photos.remove_photos, menu="photo",
                enabled=photos.can_remove_photos),
            action("move-players", text("Move to another division…"), self._open_move_chosen_players_panel, "move",
                menu="player", enabled=lambda: can_edit_chosen() and len(self.session.index.divisions) > 1),
            action("all-columns", text("All columns"), self._toggle_all_columns, menu="columns",
                enabled=is_always_enabled, title=self._make_toggle_columns_action_title),
            action("remove-player", text("Remove"), self.remove_players, "remove", "Ctrl+Delete", menu="remove",
                enabled=can_edit_chosen),
            action("erase-players", text("Erase personal data…"), self.open_erase_dialog, menu="erase",
                enabled=partial(_can_erase_personal_data, self.session)),
        )  # fmt: skip

    def refresh_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        division = session.division
        self._new_player_fields.setVisible(division is not None and not session.is_read_only_or_not_director)
        self.rows.locked = not session.is_editable
        invitation = text("No players yet.\nType a name above and press Enter, or import a list.")
        self.view.set_empty_text(text("No players yet.") if session.is_read_only_or_not_director else invitation)
        if not self.skipped_button.isHidden() and any(
            step.undoes == self._import_step_number for step in session.desk.list_all_steps()
        ):
            self.skipped_button.hide()
        if division is None:
            self.set_title(text("Players"), text("First add a division, under Tournament."))
            self.rows.show_table(Table("players", (), ()))
            return
        table = session.desk.get_cached_value(
            ("players", division.id), lambda _value: make_player_table(session.index, division)
        )
        checked_in_count = sum(row.is_checked_in and row.status == "active" for row in table.rows)
        statuses = Counter(row.status for row in table.rows)
        parts = [session.catalogue.plural("One player", "{n} players", len(table.rows))]
        parts += [text(C_("players", "{n} checked in"), n=checked_in_count)] if checked_in_count else []
        parts += [
            f"{statuses[status]} {session.catalogue.translate_code(status)}"
            for status in ("absent", "withdrawn", "disqualified")
            if statuses[status]
        ]
        if has_fees_or_payments(session.index, division.id):
            totals, money = compute_fee_totals(session.index, [division.id]), session.catalogue.format_money
            parts.append(text("fees paid: {paid} of {due}", paid=money(totals.paid), due=money(totals.due)))
        self.set_title(text("Players"), " · ".join(parts) if table.rows else "")
        self.rows.show_table(table)
        can_add = not table.rows and not self._new_player_fields.isHidden()
        self.setFocusProxy(self._new_player_fields.name if can_add else self.view)

    def get_current_player_id(self) -> PlayerId | None:
        return PlayerId(self.view.get_current_row_key()) or None

    def list_selected_players(self) -> tuple[PlayerId, ...]:
        player = self.get_current_player_id()
        return tuple(dict.fromkeys((player, *self._list_chosen_player_ids()))) if player is not None else ()

    def reveal_row(self, key: str) -> None:
        self.search.clear()
        self.view.select_row(key)

    def select_player(self, player: PlayerId) -> None:
        self.reveal_row(player)

    # --- add and import

    def import_file(self) -> None:
        endings = "*.csv *.txt *.tsv *.xlsx *.ods *.t *.tsh *.tou *.trf *.trfx *.json *.js"
        pattern = self.text("Lists and divisions ({endings});;All files (*)", endings=endings)
        folder = str(self.session.path.parent) if self.session.path else ""
        if path := ask_existing_file(self, self.session, self.text("Import players"), pattern, folder=folder):
            self.read_file_and_preview_import(path)

    def read_file_and_preview_import(self, path: Path) -> None:
        label = self.text("Reading {name}", name=path.name)
        show = partial(
            start_player_or_division_import, self.session, self.window(), path.name, self.show_skipped_line_count
        )
        self.session.run_in_background(partial(imports.read_file_to_import, path), on_success=show, label=label)

    def paste_players(self) -> None:
        copied_text = QGuiApplication.clipboard().text()
        if copied_text.strip():
            self.preview_pasted_players(copied_text)
        else:
            message = self.text(
                "Nothing has been copied. First copy the lines of a list, for example from a spreadsheet."
            )
            self.session.show_message(message, tone="red")

    def preview_pasted_players(self, text: str) -> None:
        show = partial(
            start_player_or_division_import, self.session, self.window(), "", self.show_skipped_line_count
        )
        read = partial(imports.read_pasted_players, text, self.text(C_("source of text", "the clipboard")))
        self.session.run_in_background(read, on_success=show, label=self.text("Reading the copied text"))

    def show_skipped_line_count(self, source: PlayerListFile, count: int) -> None:
        label = self.session.catalogue.plural("{n} line left out · Show", "{n} lines left out · Show", count)
        self.skipped_button.setText(label)
        self.skipped_button.setVisible(bool(count))
        self._skipped_lists = source
        step = self.session.desk.undoable_step
        self._import_step_number = step.seq if step is not None else 0

    def _reopen_import_of_skipped_lines(self) -> None:
        self.skipped_button.hide()
        if self._skipped_lists is not None:
            start_player_or_division_import(
                self.session, self.window(), "", self.show_skipped_line_count, self._skipped_lists
            )

    # --- edit in place

    def edit_cell(self, key: str, column: str, text: str) -> None:
        if column == "paid":
            self._edit_paid_amount(PlayerId(key), text)
            return
        try:
            changes = _parse_cell(column, text.strip())
        except ValueError:
            show_invalid_number_error(self.session, column, None)
            return
        row = self.session.tournament.players.get(PlayerId(key))
        if row is not None:
            command = partial(commands.edit_player, player=row.id, seen=row, **changes)
            self.session.do(command, field=self.view)

    def _edit_paid_amount(self, player: PlayerId, text: str) -> None:
        try:
            command = partial(commands.note_paid, players=(player,), amount=parse_money_amount(text))
        except CommandError as error:
            self.session.show_error(error, self.view)
        else:
            self.session.do(command, field=self.view)

    def _toggle_clicked_cell(self, index: QModelIndex) -> None:
        column = self.rows.list_column_ids()[index.column()]
        if column not in {"checked_in", "needs_access"} or not self._can_edit_players():
            return
        row: PlayerRow = self.rows.find_row_by_key(self.rows.keys()[index.row()])
        if column == "checked_in" and row.status == "withdrawn":
            self._open_availability_panel(AvailabilityChange.RETURN)
        elif column == "checked_in":
            self._set_presence(row.key, present=not row.player.checked_in)
        else:
            self.toggle_current_player_access_need()

    # --- actions on selected players

    def toggle_current_player_access_need(self) -> None:
        row = self._find_current_player()
        if row is not None:
            needs_access = not row.needs_access
            self.session.do(partial(commands.edit_player, player=row.id, seen=row, needs_access=needs_access))

    def _open_fixed_table_dialog(self) -> None:
        row = self._find_current_player()
        if row is not None:
            FixedTableDialog(self.session, row, parent=self.window()).open()

    def _toggle_all_columns(self) -> None:
        self._all_columns = not self._all_columns
        self.view.set_empty_columns_visible(show=self._all_columns)
        self.get_action("all-columns").update_state()

    def _make_toggle_columns_action_title(self) -> str:
        return self.text("Only columns in use") if self._all_columns else self.text("All columns")

    def _open_availability_panel(self, change: AvailabilityChange | None = None) -> None:
        player = self.get_current_player_id()
        if player is not None:
            other_players = (
                [item for item in self._list_chosen_player_ids() if item != player] if change is None else ()
            )
            self.show_panel(AvailabilityPanel(self.session, player, change, other_players=other_players))

    def open_rating_lists_panel(self) -> None:
        panel = RatingListsPanel(self.session)
        panel.lists_changed.connect(self._new_player_fields.lookup.forget_loaded_lists)
        self.show_panel(panel)

    def _open_constraints_panel(self) -> None:
        self.show_panel(ConstraintsPanel(self.session, self.get_current_player_id()))

    def _open_card(self, key: str) -> None:
        self.panel.emit(PlayerCardPanel(self.session, PlayerId(key)))

    def remove_players(self) -> None:
        players, keys = self._list_chosen_player_ids(), self.rows.keys()
        next_keys = [*keys[keys.index(players[-1]) + 1 :], *reversed(keys[: keys.index(players[0])])]
        next_key = next((key for key in next_keys if key not in players), "")
        on_success = make_callback_unless_deleted(self, partial(self.view.select_row, next_key))
        for player in players:
            self.session.do(partial(commands.remove_player, player=player), on_success=on_success, field=self.view)

    def open_erase_dialog(self) -> None:
        ErasePersonalDataDialog(self.session, self._list_chosen_player_ids(), parent=self.window()).open()

    def _open_move_chosen_players_panel(self) -> None:
        if self.session.division is not None:
            self.show_panel(
                MovePlayersPanel(self.session, self.session.division.id, tuple(self._list_chosen_player_ids()))
            )

    def _set_presence(self, *keys: str, present: bool) -> None:
        players = tuple(map(PlayerId, keys)) or tuple(self._list_chosen_player_ids())
        self.session.do(partial(commands.check_in, players=players, present=present))

    def _set_fees_paid(self, *, paid: bool) -> None:
        self.session.do(partial(commands.note_paid, players=tuple(self._list_chosen_player_ids()), paid=paid))

    def open_fees_panel(self) -> None:
        self.show_panel(FeesPanel(self.session))

    def make_row_menu(self) -> QMenu:
        sections = "arrivals fees player event incidents remove"
        return make_context_menu(self, sections, (*self.page_actions, *self.row_actions))

    def _show_row_menu(self, position: QPoint) -> None:
        self.make_row_menu().popup(self.view.viewport().mapToGlobal(position))

    # --- conditions

    def _list_chosen_player_ids(self) -> list[PlayerId]:
        return [PlayerId(key) for key in self.view.list_selected_keys()]

    def _list_chosen_players(self) -> list[Player]:
        players = self.session.tournament.players
        return [players[key] for key in self._list_chosen_player_ids() if key in players]

    def _find_current_player(self) -> Player | None:
        player = self.get_current_player_id()
        return self.session.tournament.players.get(player) if player else None

    def _can_edit_players(self) -> bool:
        return self.session.division is not None and self.session.is_editable

    def _can_edit_chosen_players(self) -> bool:
        return self._can_edit_players() and bool(self._list_chosen_player_ids())

    def _can_mark_fee_paid(self) -> bool:
        index = self.session.index if self._can_edit_chosen_players() else None
        return index is not None and any(
            player.paid < compute_full_fee(index, player) for player in self._list_chosen_players()
        )

    def _can_edit_current_player(self, *, has_withdrawn: bool | None = None) -> bool:
        """Return whether the current player can be edited.

        `has_withdrawn`: True accepts only withdrawn players, False only the others, None all players.
        """
        row = self._find_current_player() if self._can_edit_players() else None
        return row is not None and has_withdrawn in {None, self.session.index.has_withdrawn(row.id)}


def _describe_status(session: Session, row: PlayerRow) -> str:
    absence_texts = [describe_absence(absence, session.catalogue, session.index) for absence in row.planned[:1]]
    return " · ".join((session.catalogue.translate_code(row.status), *absence_texts)) + (
        " …" if len(row.planned) > 1 else ""
    )


def _can_erase_personal_data(session: Session) -> bool:
    return not session.is_read_only_or_not_director and bool(session.tournament.players)


def show_invalid_number_error(session: Session, column: str, field: LineEdit | None) -> None:
    """Show that the number typed for a column is invalid. `field` is None if it was typed in a table cell."""
    text = field.text() if field is not None else ""
    session.show_error(CommandError("bad-number", value=text, least=0, most=PLAYER_FIELDS[column].maximum), field)


def _parse_cell(column: str, text: str) -> dict[str, Any]:
    """Return the typed value as arguments of `edit_player`. Raises ValueError for an invalid number."""
    if column == "rating":
        digits = text.rstrip("? ")
        return {"rating": int(digits) if digits else None, "provisional": text.endswith("?")}
    if column in PLAYER_FIELDS and PLAYER_FIELDS[column].is_number:
        return {column: int(text) if text else None}
    return {column: text}
