"""The Rounds page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QMenu, QTabBar

from tdapp.domain import commands
from tdapp.domain.game_results import compute_points_before_rulings
from tdapp.domain.model import Game, GameId, PlayerId, RoundId, RoundState, SeatId
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables.table import Table
from tdapp.gui.rounds.actions import RoundActions
from tdapp.gui.rounds.pairing_changes import MOST_PICKED, AssumedDrawsChecker, PairingChangeBar
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.rounds.table_actions import GameActions, RoundsPageSelection
from tdapp.gui.shell.actions import Action, make_context_menu
from tdapp.gui.shell.round_clock import RoundProgressService
from tdapp.gui.shell.session import (
    Session,
    is_alive_and_visible,
    make_callback_for_visible_widget,
    make_callback_unless_deleted,
)
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit, SearchField, parse_whole_number
from tdapp.gui.widgets.page import MARGIN, Page
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import pairing_sentences, rounds_page
from tdapp.i18n.phrases import capitalize_first, describe_next_start, format_round
from tdapp.i18n.rounds_page import RoundNoteMaker
from tdapp.services.sidebar_counts import is_division_with_evenings_selected


class RoundTabs(QTabBar):
    """Tabs of the rounds. If space is short, only the current tab shows its name or short name."""

    def __init__(self, name: str) -> None:
        super().__init__(drawBase=False, expanding=False, usesScrollButtons=True)
        self.setAccessibleName(name)
        self._rounds: Sequence[tuple[int, str, str]] = ()

    def show_rounds(
        self, numbers_names_and_short_names: Sequence[tuple[int, str, str]], current_round: int | None
    ) -> None:
        rounds = self._rounds = numbers_names_and_short_names
        had_tabs = self.count() > 0
        with QSignalBlocker(self):
            while self.count() > len(rounds):
                self.removeTab(self.count() - 1)
            for tab, (number, name, _short_name) in enumerate(rounds):
                if tab == self.count():
                    self.addTab(name)
                self.setTabData(tab, number)
                self.setTabToolTip(tab, name)
                self.setAccessibleTabName(tab, name)
                if number == current_round:
                    self.setCurrentIndex(tab)
        if not had_tabs:
            self.updateGeometry()  # the first tab of a hidden bar does not change its size
        self._shorten_tab_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten_tab_names()

    def _shorten_tab_names(self) -> None:
        if not self._rounds:
            return
        letters = self.fontMetrics()
        tab_padding = self.tabSizeHint(0).width() - letters.horizontalAdvance(self.tabText(0))

        def has_space_for_tab_texts(texts: Iterable[str]) -> bool:
            needed_width = sum(letters.horizontalAdvance(text) + tab_padding for text in texts)
            return not needed_width + UNIT > self.width() > 0

        current, numbers = self.currentIndex(), [str(number) for number, _, _ in self._rounds]
        texts = [name for _, name, _ in self._rounds]
        for current_name in self._rounds[current][1:]:
            if not has_space_for_tab_texts(texts):
                texts = [*numbers[:current], current_name, *numbers[current + 1 :]]
        for tab, tab_text in enumerate(texts):
            if tab_text != self.tabText(tab):  # Qt would update the layout of the whole page
                self.setTabText(tab, tab_text)


_SCORES = ("score1", "score2")
_PUBLISHED_WIDTHS = {
    "score1": 104,
    "score2": 104,
    "spread": 80,
    "status": 136,
    "start": 112,
    "notes": 116,
}  # pixels


class RoundsPage(Page):
    """Shows one round: its pairings while they are a draft, and its results after publication."""

    id = "rounds"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._typed_scores: dict[str, tuple[str, str]] = {}
        self._drag_start: tuple[QPoint, PlayerId] | None = None
        self._is_following_line = False
        # row and scroll position before the user began to type
        self._row_and_scroll_before_typing: tuple[str, int] | None = None
        self._round_notes: tuple[list[str], list[str]] = ([], [])  # lines before and after the line about the game
        self._lost_cursor = False  # the result field had the focus when it was hidden
        self._has_draft_widths: bool | None = None  # whether the column widths are those of a draft
        self._progress_service = RoundProgressService.get_or_make_service(session)
        self._progress_service.beat.connect(make_callback_for_visible_widget(self, self._show_title))
        self._assumed = AssumedDrawsChecker(
            session, make_callback_unless_deleted(self, self._show_notes_around_table)
        )
        self._build_page()
        self._games = GameActions(session, self.selection, self.field, self.bar, self.view)
        self._actions = RoundActions(self, self.selection, self.field, self._games)
        self.setFocusProxy(self.field.line)

    # --- interface of every page

    def list_page_actions(self) -> tuple[Action, ...]:
        return self._actions.list_round_actions()

    def refresh_page(self) -> None:
        session, item, is_published = self.session, self.session.round, self.selection.is_published
        self._assumed.start_comparing_with_received_results()
        self._show_round_tabs()
        self.bar.set_draft_round(item if self.selection.is_draft else None)
        typing = is_published and session.can_run_commands("enter-result")
        self._show_or_hide_result_field(typing)
        results = session.tournament.results if session.is_open else {}
        self._typed_scores = {key: pair for key, pair in self._typed_scores.items() if GameId(key) not in results}
        self.field.refresh_for_round(item)
        self._show_title()
        is_editable = self.selection.can_run_commands("enter-result") if is_published else session.is_editable
        self.rows.locked = self.field.second_entry.is_active or not is_editable
        self._show_round_rows()
        self._show_notes_around_table()

    def find_unsaved_field(self) -> LineEdit | None:
        """Return a field with typed text. If only another round has one, show that round first."""
        field = super().find_unsaved_field()
        if field is None and (item := self.field.find_round_with_typed_line()) is not None:
            self.session.choose_division(self.session.tournament.stages[item.stage].division)
            self.session.choose_round(item.number)
            self.refresh_page()
            return self.field.line
        return field

    def _show_or_hide_result_field(self, can_type: bool) -> None:
        self.setFocusProxy(self.field.line if can_type else self.view)
        if not can_type and not self.field.isHidden():
            self._lost_cursor = self.field.line.hasFocus()
            self.field.hide()
        elif can_type and self.field.isHidden():
            self.field.show()
            if self._lost_cursor and self.view.hasFocus():
                self.field.focus_line()

    def get_current_player_id(self) -> PlayerId | None:
        return self.selection.player

    def get_selected_game(self) -> Game | None:
        return self.selection.game if self.selection.is_published else None

    def reveal_row(self, key: str) -> None:
        """Select a round or a game. `key` is a round id, game id, table number or player id.

        If the player has no seat in the newest round, offer a game against the player with the bye. Text after a
        space in `key` goes into the result field.
        """
        self.search.clear()
        key, _, typed_text = key.partition(" ")
        tournament = self.session.tournament
        table_row = tournament.games.get(GameId(key)) or tournament.seats.get(SeatId(key))
        named_round = tournament.rounds.get(table_row.round if table_row else RoundId(key))
        if named_round is not None:
            self.session.choose_round(named_round.number)
        if key in self.session.tournament.players:
            self._actions.offer_seat_in_newest_round(PlayerId(key))
        item = self.session.round
        tables = self.session.index.list_seats_by_table(item.id) if item else ()
        rows = [(str(game.id), game.table, {game.first, game.second}) for game in self._list_games_of_round()]
        rows += [(str(seats[0].id), seats[0].table, {seat.player for seat in seats}) for seats in tables]
        for row, number, players in rows:
            if key in {row, str(number), *players}:
                self.view.select_row(row)
                self.field.set_proposed_game(row)
                if typed_text:
                    self.field.set_typed_text(f"{number} {typed_text}")

    # --- build

    def _build_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        self.tabs = RoundTabs(text("Round"))
        self.tabs.currentChanged.connect(self._choose_round_of_tab)
        self._banner = QFrame()
        self._banner.setObjectName("card")
        self.banner_text = _make_link_label(self._follow_link)
        fields.make_column(self.banner_text, margins=(UNIT * 2, UNIT) * 2, parent=self._banner)
        self.field = ResultField(session)
        self.bar = PairingChangeBar(session)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            edit=self.edit_cell,
            tone=rounds_page.get_row_tone,
            shown_texts=rounds_page.make_cell_formatters(session.catalogue),
            edited_texts=rounds_page.make_score_cell_editor_formatters(),
        )
        self.rows.strong = rounds_page.is_cell_of_winner
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Tables in the round"))
        self.view.hide_columns_if_empty(("repeat", "locked", "notes"))
        self.selection = RoundsPageSelection(session, self.view)
        self.footer = _make_link_label(self._follow_link)
        self.search = SearchField(text("Find a table or player"), session.appearance)
        self.search.textChanged.connect(self.view.filter_rows)
        self.set_header_widgets(self.tabs, self.search)
        for layout in (self.page_layout, self.body):  # a small screen needs the space for the tables
            layout.setSpacing(UNIT)
        self.page_layout.setContentsMargins(MARGIN, UNIT, MARGIN, UNIT)
        middle = fields.make_row(self.view, self.bar, wide=self.view)
        fields.add_parts_to_layout(self.body, self._banner, self.field, middle, self.footer, wide=middle)
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.field.target.connect(self._select_game_of_typed_line)
        self.field.typing_cancelled.connect(self._restore_row_and_scroll_position)
        self.field.leave_second.connect(self._stop_second_entry)
        for show in (self._show_round_rows, self._show_notes_around_table):
            self.bar.changed.connect(show)
        self.bar.player_moved.connect(self._select_player)
        self.bar.picking_ended.connect(self.view.setFocus)
        self.view.current_row_changed.connect(self._set_proposed_game_to_current_row)
        self.view.row_activated.connect(self._fill_in_table_number_or_pick_player)
        self.view.make_names_double_clickable({"first_name", "second_name"})
        self.view.name_double_clicked.connect(self._pick_player_in_draft_or_open_card)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_row_menu)
        self.session.appearance.changed.connect(self._show_notes_around_table)
        self.session.queue_changed.connect(make_callback_for_visible_widget(self, self._show_round_rows))
        self.view.installEventFilter(self)
        self.view.viewport().installEventFilter(self)

    def _select_player(self, player: PlayerId) -> None:
        key = next((game.id for game in self._list_games_of_round() if player in {game.first, game.second}), None)
        if key is not None:
            self.view.select_row(key)
        if is_alive_and_visible(self.view):
            self.view.setFocus()

    # --- display

    def _show_round_tabs(self) -> None:
        division, text = self.session.division, self.session.catalogue.text
        items, chosen_round = self.session.index.rounds(division.id) if division else (), self.session.round
        if chosen_round is not None and self.session.tournament.stages[chosen_round.stage].evening:
            items = tuple(item for item in items if item.stage == chosen_round.stage)
        tab_names = []
        for item in items:
            names = format_round(self.session.catalogue, self.session.index, item), str(item.number)
            if item.state is RoundState.DRAFT:
                names = text("{round}, draft", round=names[0]), text("{round}, draft", round=names[1])
            tab_names.append((item.number, *names))
        self.tabs.show_rounds(tab_names, self.session.round_number)
        self.tabs.setVisible(bool(items))
        self.title.setVisible(not items)
        self.search.setVisible(bool(items))

    def _show_title(self) -> None:
        item, catalogue = self.session.round, self.session.catalogue
        if item is None:
            self.set_title(catalogue.text("Rounds"))
            return
        index = self.session.index
        stage = self.session.tournament.stages[item.stage]
        parts = [
            capitalize_first(catalogue.translate_code(stage.system)),
            catalogue.plural("{n} table", "{n} tables", len(index.list_tables(item.id))),
        ]
        parts += pairing_sentences.describe_game_number_in_series(index, item, catalogue)
        has_fixed_source = stage.evening or get_pairing_system(stage).has_seats
        if item.source and item.source < item.number - 1 and not has_fixed_source:
            parts.append(catalogue.text("paired on the standings after round {n}", n=item.source))
        if item.state is RoundState.PUBLISHED:
            parts.append(
                self._progress_service.describe_progress_of_round(item) if self.session.present is None else ""
            )
            parts.append(describe_next_start(catalogue, index, index.get_division_of_round(item.id)))
        if self.field.second_entry.is_active:
            parts.append(catalogue.text("second entry of results: the first results are hidden"))
        self.set_title(format_round(catalogue, index, item), " · ".join(filter(None, parts)))

    def _list_games_of_round(self) -> tuple[Game, ...]:
        item = self.session.round
        return tuple(self.session.index.games(item.id)) if item else ()

    def _show_round_rows(self) -> None:
        item = self.session.round
        if item is None:
            self.rows.show_table(Table("none", (), ()))
            self.view.set_empty_text(self._explain_why_no_round_is_shown())
            return
        players = self.session.tournament.players
        numbers = [players[player].number for player in self.bar.picked_players if player in players]
        self._set_column_widths(draft=item.state is RoundState.DRAFT)
        is_second_entry, typed_scores, unsaved = (
            self.field.second_entry.is_active,
            self._typed_scores,
            self.session.queue.ids_of_games_with_unsaved_steps,
        )
        table = rounds_page.make_rounds_page_table(
            self.session.index,
            item,
            typed_scores=typed_scores,
            selected_players=numbers,
            hide_unchecked=is_second_entry,
            unsaved_keys=unsaved,
        )
        self.rows.show_table(table)
        self.view.set_empty_text(
            pairing_sentences.explain_round_without_games(self.session.index, item, self.session.catalogue)
        )

    def _set_column_widths(self, *, draft: bool) -> None:
        if draft == self._has_draft_widths:
            return
        self._has_draft_widths = draft
        own_widths = {"repeat": 88, "locked": 64} if draft else _PUBLISHED_WIDTHS
        names = ("first_name", "second_name", "reason") if draft else ("first_name", "second_name")
        self.view.set_widths({"table": 64, "first": 48, "second": 48, **own_widths}, stretch=names)
        optional_columns = (
            ("repeat", "first", "second") if draft else ("notes", "start", "first", "second", "spread")
        )
        self.view.hide_columns_if_too_narrow(optional_columns)

    def _explain_why_no_round_is_shown(self) -> str:
        text, division = self.session.catalogue.text, self.session.division
        if division is None:
            return text("First add a division, under Tournament.")
        players = self.session.index.players(division.id)
        if not players:
            return text("No players to pair yet.\nAdd players, or import a list, under Players (Ctrl+1).")
        if not self.session.index.stages(division.id):
            return text("No rounds are planned yet.\nAdd a stage, under Tournament (Ctrl+0).")
        if self.session.is_read_only_or_not_director:
            return text("No round has been paired yet.")
        if is_division_with_evenings_selected(self.session):
            return text(
                "No games yet tonight.\nOn the Evening page (Ctrl+9), check in the players who are here, then "
                "press F6."
            )
        return self.session.catalogue.plural(
            "One player can be paired.\nPress F6 to pair round 1.",
            "{n} players can be paired.\nPress F6 to pair round 1.",
            sum(self.session.index.find_absence(player.id, 1) is None for player in players),
        )

    def _show_notes_around_table(self) -> None:
        session, item, draft = self.session, self.session.round, self.selection.is_draft
        self._banner.setVisible(draft and len(self.bar.picked_players) < MOST_PICKED)  # the bar needs its space
        self._round_notes = ([], [])
        if item is not None:
            notes, assumed = self._make_round_note_maker(), self._assumed.describe_games_assumed_drawn(item)
            if draft:
                self.banner_text.setText(
                    notes.describe_draft(item, assumed, read_only=session.is_read_only_or_not_director)
                )
                self.banner_text.setToolTip(pairing_sentences.describe_criterion_costs(item, session.catalogue))
                self._round_notes = ([], [notes.describe_unpaired_players(item), notes.describe_byes(item)])
            else:
                self._round_notes = (
                    [notes.describe_slip_problems(item)],
                    [
                        assumed,
                        notes.describe_other_matches_in_round_of_final(item),
                        notes.describe_byes(item),
                        notes.describe_break_up_game_points(item),
                    ],
                )
        self._show_footer_notes()

    def _show_footer_notes(self) -> None:
        game, note = self.selection.game, ""
        if game is None:
            note = self._make_round_note_maker().describe_group_table(self.view.get_current_row_key() or "")
        elif self.selection.is_draft:
            note = self._make_round_note_maker().explain_pairing(game)
        elif game.id in self.session.tournament.results:
            note = self._make_round_note_maker().describe_last_result_check(
                game, self.session.desk.list_all_steps()
            )
        before, after = self._round_notes
        lines = [*before, note, *after]
        self.footer.setText("<br>".join(filter(None, lines)))
        self.footer.setVisible(any(lines))

    def _make_round_note_maker(self) -> RoundNoteMaker:
        session = self.session
        return RoundNoteMaker(
            session.index, session.catalogue, lambda tone: session.appearance.get_colour(tone).name()
        )

    # --- links, keys and mouse

    def _follow_link(self, link: str) -> None:
        kind, _, key = link.partition(":")
        if kind == "table":
            self.field.set_typed_text(f"{key} ")
        elif self.selection.is_draft:
            self.bar.pick_or_unpick_player_to_swap(PlayerId(key))
        elif self._actions.can_seat_in_running_round(PlayerId(key)):
            self._actions.choose_latecomer_to_seat(PlayerId(key))
        else:
            self.page_requested.emit("players", key)

    def _choose_round_of_tab(self, tab: int) -> None:
        number = self.tabs.tabData(tab)
        if isinstance(number, int):
            self.session.choose_round(number)

    def _select_game_of_typed_line(self, key: str) -> None:
        if not self.field.line.text():
            self._row_and_scroll_before_typing = None
        elif self._row_and_scroll_before_typing is None:
            self._row_and_scroll_before_typing = (
                self.view.get_current_row_key(),
                self.view.verticalScrollBar().value(),
            )
        self._is_following_line = True
        self.view.select_row(key)
        self._is_following_line = False

    def _restore_row_and_scroll_position(self) -> None:
        if self._row_and_scroll_before_typing is not None:
            key, scroll_position = self._row_and_scroll_before_typing
            self._select_game_of_typed_line(key or self.field.proposed_key)
            self.view.verticalScrollBar().setValue(scroll_position)

    def _set_proposed_game_to_current_row(self, key: str) -> None:
        if not self._is_following_line:
            self.field.set_proposed_game(key)
        self._show_footer_notes()
        self.cursor_moved.emit()

    def _stop_second_entry(self) -> None:
        self._actions.toggle_second_entry()

    def _fill_in_table_number_or_pick_player(self, row_key: str) -> None:
        game = self.session.tournament.games.get(GameId(row_key))
        seat = self.session.tournament.seats.get(SeatId(row_key))
        if seat is not None and self.field.isVisible():
            is_whole_round = self.session.tournament.get_ruleset_of_row(seat).tables.prefer == 0
            self.field.set_typed_text("" if is_whole_round else f"{seat.table} ")
        elif game is not None and self.field.isVisible():
            self.field.set_typed_text(f"{game.table} ")
        elif game is not None:
            self._games.pick_or_unpick_player_to_swap()

    def _pick_player_in_draft_or_open_card(self, row_key: str) -> None:
        player = self.selection.find_player_in_cell(row_key)
        if self.selection.is_draft:
            self._fill_in_table_number_or_pick_player(row_key)
        elif player is not None:
            from tdapp.gui.players.card import PlayerCardPanel  # noqa: PLC0415 - loaded on demand

            self.panel.emit(PlayerCardPanel(self.session, player))

    def make_row_menu(self) -> QMenu:
        sections = "table mishaps incidents player"
        return make_context_menu(self, sections, (*self.page_actions, *self.row_actions))

    def _show_row_menu(self, position: QPoint) -> None:
        self.make_row_menu().popup(self.view.viewport().mapToGlobal(position))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent | QMouseEvent) or not self.selection.is_draft:
            return False
        if isinstance(event, QMouseEvent):
            return watched is self.view.viewport() and self._pick_two_players_by_drag(event)
        return event.type() is QEvent.Type.KeyPress and self._handle_key_press_in_draft(event)

    def _handle_key_press_in_draft(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Space:
            self._games.pick_or_unpick_player_to_swap()
            return True
        if event.key() == Qt.Key.Key_Escape and self.bar.picked_players:
            self.bar.clear_picked_players()
            return True
        if parse_whole_number(event.text()) is not None and self.bar.number.isVisible():
            self.bar.number.setFocus()
            self.bar.number.insert(event.text())
            return True
        return False

    def _pick_two_players_by_drag(self, event: QMouseEvent) -> bool:
        kind, position = event.type(), event.position().toPoint()
        if kind is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton:
            player = self._find_player_at(position)
            self._drag_start = (position, player) if player else None
            return False
        if self._drag_start is None:
            return False
        start, player = self._drag_start
        is_drag = (position - start).manhattanLength() >= QApplication.startDragDistance()
        if kind is QEvent.Type.MouseMove and is_drag:
            self.view.viewport().setCursor(Qt.CursorShape.DragMoveCursor)
            return True
        if kind is QEvent.Type.MouseButtonRelease:
            self._drag_start = None
            self.view.viewport().unsetCursor()
            opponent = self._find_player_at(position)
            if is_drag and opponent is not None:
                self.bar.set_two_picked_players(player, opponent)
        return False

    def _find_player_at(self, position: QPoint) -> PlayerId | None:
        cell = self.view.indexAt(position)
        column = self.rows.list_column_ids()[cell.column()] if cell.isValid() else ""
        if not column.startswith(("first", "second")):
            return None
        return rounds_page.find_player_of_cell(self.session.index, self.rows.keys()[cell.row()], column)

    # --- edit

    def edit_cell(self, key: str, column: str, text: str) -> None:
        seat = self.session.tournament.seats.get(SeatId(key))
        if seat is not None and column == "table":
            new_table = parse_whole_number(text) or 0
            self.session.do(partial(commands.move_group, round=seat.round, table=seat.table, to=new_table))
        elif seat is not None:
            self.field.set_typed_text(f"{seat.table} {text.strip()} ")
        elif column == "table":
            self.session.do(partial(commands.set_table, game=GameId(key), table=parse_whole_number(text) or 0))
        elif column in _SCORES:
            self._enter_typed_score(key, _SCORES.index(column), text.strip())

    def _enter_typed_score(self, key: str, side: int, text: str) -> None:
        old, game = self.session.index.get_result(GameId(key)), self.session.tournament.games.get(GameId(key))
        pair = list(self._typed_scores.get(key, ("", "")))
        points = compute_points_before_rulings(old) if old is not None else None
        if points is not None:
            pair = [str(points[0]), str(points[1])]
        pair[side] = text
        numbers = [rounds_page.parse_points(points_text) for points_text in pair]
        if text and numbers[side] is None:
            self.session.show_message(self.text("“{word}” is not a score.", word=text), tone="red")
            return
        if None in numbers:
            self._typed_scores[key] = (pair[0], pair[1])
            self._show_round_rows()
            if text:
                QTimer.singleShot(0, self, partial(self._start_editing_score, key, 1 - side))
            return
        self._typed_scores.pop(key, None)
        self._show_round_rows()
        if game is not None:
            clocks = rounds_page.format_time_penalty_codes(old) if old is not None else ()
            self.field.apply_correction_line_or_ask_to_confirm(
                " ".join((str(game.table), *pair, *clocks)), focus_after=self.view
            )

    def _start_editing_score(self, key: str, side: int) -> None:
        index = self.rows.index(self.rows.find_row_position(key), self.rows.list_column_ids().index(_SCORES[side]))
        if index.isValid() and self.view.hasFocus():
            self.view.setCurrentIndex(index)
            self.view.edit(index)


def _make_link_label(open_link: Callable[[str], None]) -> QLabel:
    label = fields.make_rich_text_label()
    label.linkActivated.connect(open_link)
    return label
