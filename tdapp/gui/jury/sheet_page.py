"""The view of the Jury page. A narrow page hides the board first, then the list of tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from tdapp.domain.model import Game, GameId, PlayerId, RoundId, StartDecision
from tdapp.domain.tables.jury import JuryGame
from tdapp.domain.translatable import C_
from tdapp.gui.jury import notes as jury_notes
from tdapp.gui.jury.board import BoardView, TurnWordsPanel
from tdapp.gui.jury.open_sheet import OpenSheet
from tdapp.gui.jury.round_line import JuryLineField
from tdapp.gui.jury.round_list import JuryGameList, OpenGameAnnouncer, TurnsToCheckFinder, make_jury_game_list_row
from tdapp.gui.jury.sheet_ending import (
    FormDifferencesFrame,
    RulingConfirmationFrame,
    SheetEndPanel,
    make_turn_typing_help_frame,
)
from tdapp.gui.jury.turns import TurnsView
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, wrap_in_widget
from tdapp.gui.widgets.impact_bar import ImpactConfirmationBar
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n import sheet_reading
from tdapp.i18n.jury_preview import JuryLineReader
from tdapp.i18n.phrases import format_round
from tdapp.i18n.sheet_reading import ParsedSheetDraft
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList

MIN_WIDTH_WITH_BOARD = UNIT * 125  # page width in pixels from which list, sheet and board fit
MIN_WIDTH_WITH_LIST = UNIT * 86
_UNLIMITED_WIDTH = 16_777_215  # Qt's largest width


class SheetPage(Page):
    """The score sheets of a division. A subclass adds the actions."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.sheet = OpenSheet(session)
        self.parsed_sheet: ParsedSheetDraft | None = None
        self.rows: tuple[JuryGame, ...] = ()  # tables of the round
        self.doubts = TurnsToCheckFinder(session)
        self.game_announcer = OpenGameAnnouncer(session, self)
        self._build_page()
        self.game_announcer.changed.connect(self.refresh_page)
        self.line.table_proposed.connect(self._select_proposed_table)
        session.appearance.changed.connect(self.show_sheet)
        if isinstance(application := QApplication.instance(), QApplication):
            application.focusChanged.connect(self._show_full_sheet_end_if_focused)

    # --- interface of every page

    def find_unsaved_field(self) -> None:
        """Save typed text as a draft. Return None, because no field is then unsaved."""
        self.sheet.normalise_line_and_save_drafts()

    def get_current_player_id(self) -> PlayerId | None:
        game = self.sheet.game
        if game is None:
            return None
        players = self.session.tournament.players
        name = self.sheet.draft.players[self.sheet.player_number_at_cursor - 1]
        return next((player for player in (game.first, game.second) if players[player].name == name), game.first)

    def get_selected_game(self) -> Game | None:
        return self.sheet.game

    def reveal_row(self, key: str) -> None:
        item = self.session.tournament.rounds.get(RoundId(key))
        if item is not None:
            self.session.choose_round(item.number)
            self.close_sheet()
        elif key in self.session.tournament.games:
            self.open_game(GameId(key))

    def refresh_page(self) -> None:
        if self.session.is_open:
            self.sheet.update_draft_from_session()
            game, item = self.sheet.game, self.session.round
            if game is not None and item is not None and game.round != item.id:
                self.sheet.open_form(None)  # another round was chosen
            self._show_table_list()
            self.show_sheet()

    # --- interface for actions

    def has_open_sheet(self) -> bool:
        return self.isVisible() and self.parsed_sheet is not None

    def can_edit_open_sheet(self) -> bool:
        return self.has_open_sheet() and self.sheet.can_edit_sheets()

    def find_usable_word_list(self) -> WordList | None:
        return None if self.session.is_judge_screen_open else self.session.open_word_list(self.sheet.game)

    def open_game(self, game: GameId, form: int | None = None) -> None:
        forms = self.session.index.sheets(game)
        self.sheet.open_form((game, form or (forms[0].form if forms else 1)))
        tournament = self.session.tournament
        self.session.choose_round(tournament.rounds[tournament.games[game].round].number)
        self.list.view.select_row(game)
        self.return_to_sheet_end_panel()
        self._show_table_list()
        self.show_sheet()
        self.turns.focus_field()

    def close_sheet(self) -> None:
        self.sheet.open_form(None)
        self.return_to_sheet_end_panel()
        self.refresh_page()
        self._select_proposed_table()
        self.line.focus_line()

    def make_is_still_on_sheet_function(self) -> Callable[[], bool]:
        """Remember the open sheet. Return a function that checks if the user is still on this sheet."""
        sheet, original_focus = self.sheet.key, QApplication.focusWidget()

        def is_still_on_sheet() -> bool:
            focus_widget = QApplication.focusWidget()
            return self.sheet.key == sheet and (
                focus_widget is original_focus or focus_widget is not self.line.line
            )

        return is_still_on_sheet

    def move_cursor(self, turn_index: int) -> None:
        self.sheet.move_cursor(turn_index)
        self.show_sheet()
        self.turns.focus_field()

    def show_panel_below_turns(self, widget: QWidget | None) -> None:
        """Show one of the panels below the turns. With None, hide them all."""
        for panel in (self.end, *self._strips):
            panel.setVisible(panel is widget)
        self._show_or_hide_page_parts()

    def return_to_sheet_end_panel(self) -> None:
        has_focus = any(part.hasFocus() for strip in self._strips for part in strip.findChildren(QWidget))
        self.impact.close_bar()
        self.show_panel_below_turns(self.end)
        if has_focus:
            self.turns.focus_field()

    def unhide_column_of_widget(self, widget: QWidget) -> None:
        column = self._left_column if self._left_column.isAncestorOf(widget) else self._right_column
        if column.isHidden():
            self.panel.emit(None)
            column.show()

    # --- build

    def _build_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        self.line = JuryLineField(session)
        self.list = JuryGameList(session)
        self.squares: Choice[SquareNotation] = Choice(
            text(C_("how squares are written", "Squares")), _list_square_notations(session), session.appearance
        )
        self.turns = TurnsView(session.appearance, session.catalogue)
        self.note = jury_notes.SheetNotes(session)
        self.board = BoardView(session.appearance, session.catalogue)
        self.words = TurnWordsPanel(session)
        self.end = SheetEndPanel(session)
        self.ruling = RulingConfirmationFrame(session)
        self.impact = ImpactConfirmationBar(session)
        self.forms = FormDifferencesFrame(session)
        self.help = make_turn_typing_help_frame(session)
        self._strips = (self.ruling, self.impact, self.forms, self.help)  # at most one replaces the end panel
        self._left_column, self._right_column = QWidget(), QWidget()
        fields.make_column(self.list, self.squares, parent=self._left_column, wide=self.list)
        fields.make_column(self.board, self.words, parent=self._right_column, wide=self.words)
        self._right_column.setMaximumWidth(scale_pixels(UNIT * 58))
        card = QFrame()
        card.setObjectName("card")
        # Keep the background of the turns inside the round corners.
        card.setContentsMargins(0, UNIT // 2, 0, UNIT // 2)
        fields.make_column(self.turns, parent=card)
        self._centre = QWidget()
        parts = (card, self.end, *self._strips)
        fields.make_column(*parts, parent=self._centre, wide=card)
        columns = fields.make_row(gap=UNIT * 2)
        columns.addWidget(self._left_column, 1)
        columns.addWidget(self._centre, 3)
        columns.addWidget(self._right_column, 2)
        self._entry_row = fields.make_row(
            wrap_in_widget(fields.make_column(self.line, self.note)), self.line.author, gap=UNIT * 3
        )
        self._entry_row.setStretch(0, 1)
        self._entry_row.setAlignment(self.line.author, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(self._entry_row)
        self.body.addLayout(columns, 1)
        self.body.addWidget(self.line.bar)
        self.show_panel_below_turns(self.end)

    # --- display

    def show_sheet(self) -> None:
        sheet = self.sheet
        game, tileset = sheet.game, sheet.tileset if sheet.key is not None else None
        if game is None or sheet.key is None or tileset is None:
            self._show_page_without_sheet()
            return
        parsed_sheet = self.parsed_sheet = sheet_reading.parse_sheet_draft(
            sheet.index,
            game,
            sheet.draft,
            form=sheet.key[1],
            tileset=tileset,
            wordlist=self.find_usable_word_list(),
        )
        self._show_or_hide_page_parts()
        self._show_turns(parsed_sheet, game)
        self._show_board_and_words(parsed_sheet, tileset)
        self._update_panels_below_turns(parsed_sheet)
        self.note.show_notes(jury_notes.list_notes_above_turns(self.session, sheet, parsed_sheet))
        self.set_title(*jury_notes.make_sheet_title_and_subtitle(self.session, sheet, game))
        self.cursor_moved.emit()

    def _show_page_without_sheet(self) -> None:
        self.parsed_sheet = None
        item = self.session.round if self.session.is_open else None
        title = format_round(self.session.catalogue, self.session.index, item) if item else self.text("Jury")
        self.set_title(title, jury_notes.describe_progress_or_missing_tileset(self.session, self.sheet, self.rows))
        self._show_or_hide_page_parts()
        self.show_panel_below_turns(None)
        self.cursor_moved.emit()

    def _show_turns(self, parsed_sheet: ParsedSheetDraft, game: Game) -> None:
        sheet, read_only = self.sheet, not self.sheet.can_edit_sheets()
        headings = sheet_reading.list_sheet_column_headings(
            parsed_sheet, is_starter_known=game.start is not StartDecision.DRAW
        )
        cells = sheet_reading.list_turn_cells(
            parsed_sheet, self.session.catalogue, hide_word_notes=self.session.is_judge_screen_open
        )
        if read_only and not cells:
            self.turns.replace_turns_with_message(self.text("This game has no saved sheet."))
            return
        player = sheet.player_number_at_cursor
        self.turns.show_turns(
            headings, cells, turn_index=sheet.turn_index, player=player,
            next_row=sheet.draft.list_paper_form_row_numbers_and_next(player)[-1], read_only=read_only,
        )  # fmt: skip
        entries = sheet.draft.entries
        example = self.text(C_("input hint", "{example} · ? = help"), example=self.text("8D CAKE 20"))
        self.turns.field.setPlaceholderText("" if cells or read_only else example)
        if not is_help_request(self.turns.field.text()):
            self.turns.set_field_text(entries[sheet.turn_index].text if sheet.turn_index < len(entries) else "")

    def _show_board_and_words(self, parsed_sheet: ParsedSheetDraft, tileset: TileSet) -> None:
        turn_index, state = self.sheet.turn_index, "ready" if self.find_usable_word_list() is not None else "none"
        board, new, is_complete = sheet_reading.make_board_after_turn(parsed_sheet, turn_index)
        self.board.show_board(
            board, new, tileset=tileset, notation=self.sheet.square_notation, is_board_complete=is_complete
        )
        word_help = "silent" if self.session.is_judge_screen_open else state
        self.words.show_words(parsed_sheet, turn_index, word_help_state=word_help, is_board_complete=is_complete)

    def _update_panels_below_turns(self, parsed_sheet: ParsedSheetDraft) -> None:
        notes = jury_notes.list_notes_below_turns(self.session, self.sheet, parsed_sheet)
        self.end.show_sheet_end(self.sheet, parsed_sheet, notes)
        if all(strip.isHidden() for strip in self._strips):
            self.end.show()
        if not self.forms.isHidden():
            self.show_differences(parsed_sheet)
        self.impact.update_effects()

    def show_differences(self, parsed_sheet: ParsedSheetDraft) -> None:
        differences = jury_notes.find_form_differences(self.sheet, parsed_sheet)
        self.forms.show_differences(differences, parsed_sheet.draft)
        if not differences:
            self.return_to_sheet_end_panel()

    def _show_table_list(self) -> None:
        session = self.session
        self.rows = self.doubts.list_jury_games(session.round)
        games_with_drafts, hide_words = self.sheet.list_games_with_unsaved_sheets(), session.is_judge_screen_open
        make_row = partial(make_jury_game_list_row, catalogue=session.catalogue, hide_words=hide_words)
        find_station = self.game_announcer.find_station_with_game_open
        lines = [
            make_row(row, has_draft=row.key in games_with_drafts, station=find_station(row.key))
            for row in self.rows
        ]
        self.list.show_rows(
            lines,
            empty_text="\n".join(filter(None, jury_notes.explain_empty_jury_page(session))),
            next_step=jury_notes.describe_next_step_after_jury_work(session),
        )
        if self.sheet.key is not None:
            self.list.view.select_row(self.sheet.key[0])
        self.squares.set_choices(_list_square_notations(session), self.sheet.square_notation)
        self._update_jury_line_field()

    def _update_jury_line_field(self) -> None:
        session, wordlist = self.session, self.find_usable_word_list()
        edition = session.word_list_edition_id if wordlist is not None else ""
        reader = JuryLineReader(
            session.index,
            self.rows,
            session.catalogue,
            tileset=self.sheet.find_tileset_or_default(None),
            wordlist=wordlist,
            edition=edition,
            hide_words=session.is_judge_screen_open,
            list_unsaved_games=self.sheet.list_games_with_unsaved_sheets,
        )
        games_open_elsewhere = self.game_announcer.list_games_open_elsewhere()
        self.line.set_line_reader(reader if self.rows else None, games_open_elsewhere=games_open_elsewhere)
        self._announce_open_game_to_stations()

    def _select_proposed_table(self) -> None:
        if self.sheet.key is None and self.line.proposed_key:
            self.list.view.select_row(self.line.proposed_key)
        self._announce_open_game_to_stations()

    def _announce_open_game_to_stations(self) -> None:
        self.game_announcer.announce_open_game(self.sheet.key[0] if self.sheet.key else self.line.proposed_key)

    # --- layout

    def _show_or_hide_page_parts(self) -> None:
        has_sheet, focus_widget, width = self.parsed_sheet is not None, QApplication.focusWidget(), self.width()
        self._left_column.setMaximumWidth(scale_pixels(UNIT * 28) if has_sheet else _UNLIMITED_WIDTH)
        self.squares.setVisible(has_sheet)
        self._centre.setVisible(has_sheet)
        has_line_focus = focus_widget is not None and self.line.isAncestorOf(focus_widget)
        is_line_shown = not has_sheet or has_line_focus or self.line.has_text_or_question
        self.line.setVisible(is_line_shown)  # the notes of a sheet use the same space
        self.note.setVisible(not is_line_shown)
        self.setFocusProxy(self.turns.field if has_sheet else self.line.line)
        is_wide = self.forms.isVisible() or self.help.isVisible()
        for part, min_width in (
            (self._left_column, MIN_WIDTH_WITH_LIST if has_sheet else 0),
            (self._right_column, MIN_WIDTH_WITH_BOARD),
        ):
            has_focus = focus_widget is not None and part.isAncestorOf(focus_widget)
            has_space = width >= min_width and (part is self._right_column or not is_wide)
            part.setVisible((has_space or has_focus) and (has_sheet or part is self._left_column))

    def _show_full_sheet_end_if_focused(self, _before: QWidget | None, new_widget: QWidget | None) -> None:
        if new_widget is not None and self.isVisible() and new_widget.window() is self.window():
            self.end.show_full_or_brief_view(is_full=self.end.isAncestorOf(new_widget))
            self._show_or_hide_page_parts()

    def minimumSizeHint(self) -> QSize:
        margins = self.contentsMargins() + self.body.contentsMargins()
        centre = self._centre.minimumSizeHint().width() if self.parsed_sheet is not None else 0
        width = max(centre, self._entry_row.minimumSize().width()) + margins.left() + margins.right()
        return QSize(width, super().minimumSizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.game_announcer.start_or_stop_announcing(is_page_shown=True)
        if self.session.is_open:
            self._announce_open_game_to_stations()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.game_announcer.start_or_stop_announcing(is_page_shown=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_or_hide_page_parts()


def is_help_request(text: str) -> bool:
    """Return whether a text ends with a question mark, alone or after a space."""
    return text.split()[-1:] == ["?"]


def _list_square_notations(session: Session) -> list[tuple[SquareNotation, str]]:
    text = session.catalogue.text
    return [
        (
            SquareNotation.NUMBERED_ROWS,
            text(C_("how squares are written", "8H for a word across, H8 for a word down")),
        ),
        (
            SquareNotation.LETTERED_ROWS,
            text(C_("how squares are written", "H8 for a word across, 8H for a word down")),
        ),
        (SquareNotation.NUMBERED_ROWS_UNDIRECTED, text(C_("how squares are written", "row 8, column H"))),
        (SquareNotation.LETTERED_ROWS_UNDIRECTED, text(C_("how squares are written", "row H, column 8"))),
    ]
