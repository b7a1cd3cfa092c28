"""The Jury page."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from tdapp.domain.model import GameId
from tdapp.domain.sheet_draft import SheetEnd
from tdapp.domain.tournament import Diff
from tdapp.exchange.sheet_files import SUFFIXES
from tdapp.gui.jury import notes as jury_notes
from tdapp.gui.jury.actions import OpenSheetActions
from tdapp.gui.jury.sheet_page import SheetPage, is_help_request
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session


class JuryPage(SheetPage):
    """The Jury page with its actions."""

    id = "jury"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._actions = OpenSheetActions(self)
        self.setAcceptDrops(True)
        self.list.game_chosen.connect(self.reveal_row)
        self.line.sheet_requested.connect(self._open_sheet_at_row)
        self.line.table_step_requested.connect(self._select_next_or_previous_table)
        self.line.word_lists_requested.connect(self._open_word_lists_panel)
        self.line.leave_requested.connect(self._focus_open_sheet)
        self.squares.currentIndexChanged.connect(self._choose_square_notation)
        self.turns.text_typed.connect(self._update_turn_in_draft)
        self.turns.enter_pressed.connect(self._move_to_adjacent_turn)
        self.turns.cursor_moved.connect(self.move_cursor)
        self.turns.leave_requested.connect(self._close_help_or_sheet)
        self.words.turn_requested.connect(self._show_turn_keeping_focus)
        self.words.word_lists_requested.connect(self._open_word_lists_panel)
        self.note.link_activated.connect(self._run_link_action)
        self.end.edited.connect(self._update_sheet_end_in_draft)
        self.end.finished.connect(self._actions.confirm_question_or_take_next_step)
        self.end.leave_requested.connect(self.turns.focus_field)
        self.ruling.ruling_confirmed.connect(self._actions.rulings.save_ruling)
        self.ruling.closed.connect(self.return_to_sheet_end_panel)
        self.impact.cancelled.connect(self.return_to_sheet_end_panel)
        self.forms.form_chosen.connect(self._actions.forms.settle_form_difference)
        self.forms.turn_requested.connect(self._close_differences_and_go_to_turn)
        self.forms.closed.connect(self.return_to_sheet_end_panel)
        self.session.changed.connect(self._update_drafts_after_change)

    def list_page_actions(self) -> tuple[Action, ...]:
        return self._actions.list_jury_actions()

    def cancel_open_question(self) -> bool:
        if self.ruling.isVisible():
            self.return_to_sheet_end_panel()
            return True
        return self.line.cancel_open_question() or super().cancel_open_question()

    def _open_word_lists_panel(self) -> None:
        self.show_panel(WordListsPanel(self.session))

    def _update_turn_in_draft(self, text: str) -> None:
        is_help = is_help_request(text)
        if is_help or not self.help.isHidden():
            self.show_panel_below_turns(self.help if is_help else self.end)
        if not is_help:
            self.sheet.set_turn_text(text)
            self.show_sheet()

    def _move_to_adjacent_turn(self, backwards: bool) -> None:
        sheet = self.sheet
        if is_help_request(self.turns.field.text()):
            self._close_typing_help()
        elif backwards:
            self.move_cursor(sheet.turn_index - 1)
        elif sheet.turn_index >= len(sheet.draft.entries):
            sheet.normalise_line_and_save_drafts()
            self._actions.turns.show_end_panel_and_propose_ending()
        elif sheet.draft.entries[sheet.turn_index].turn is None and sheet.can_edit_sheets():
            self.turns.mark_field_invalid_and_announce_error()
        else:
            self.move_cursor(sheet.turn_index + 1)

    def _close_help_or_sheet(self) -> None:
        if is_help_request(self.turns.field.text()):
            self._close_typing_help()
            return
        self.sheet.normalise_line_and_save_drafts()
        self.close_sheet()

    def _focus_open_sheet(self) -> None:
        if self.parsed_sheet is not None:
            self.turns.focus_field()

    def _select_next_or_previous_table(self, step: int) -> None:
        key = self.list.select_next_or_previous_row(step)
        if key:
            self.line.set_proposed_table(key)

    def _open_sheet_at_row(self, key: str, row: int) -> None:
        self.open_game(GameId(key))
        rows = self.sheet.draft.list_paper_form_row_numbers_and_next()[: len(self.sheet.draft.entries)]
        if row in rows:
            self.move_cursor(rows.index(row))
        elif not row:
            self._actions.rulings.go_to_first_turn_to_check()

    def _close_typing_help(self) -> None:
        self.turns.field.setText(self.turns.field.text().rstrip().removesuffix("?"))
        self.show_panel_below_turns(self.end)
        self.show_sheet()

    def _update_sheet_end_in_draft(self, end: SheetEnd) -> None:
        self.end.mark_invalid_field("")
        self.sheet.replace_draft(replace(self.sheet.draft, end=end))
        self.show_sheet()

    def _show_turn_keeping_focus(self, number: int) -> None:
        if self.parsed_sheet is not None and number <= len(self.parsed_sheet.line_indexes):
            self.sheet.move_cursor(self.parsed_sheet.line_indexes[number - 1])
            self.show_sheet()

    def _close_differences_and_go_to_turn(self, number: int) -> None:
        self.return_to_sheet_end_panel()
        if self.parsed_sheet is not None and number <= len(self.parsed_sheet.line_indexes):
            self.move_cursor(self.parsed_sheet.line_indexes[number - 1])
        else:
            self.end.focus_field()

    def _run_link_action(self, link: str) -> None:
        if link == jury_notes.DISMISS:
            self.sheet.warnings = ()
            self.show_sheet()
        elif link == jury_notes.UNDO:
            self.session.undo()
        elif link == jury_notes.COUNT:
            self._actions.save_sheet()
        elif link == jury_notes.DISCARD:
            self._actions.discard_or_restore_sheet_draft()
        elif link == jury_notes.COMPARE:
            self._actions.forms.show_differences_between_sheets()

    def _choose_square_notation(self, _index: int) -> None:
        convention = self.squares.value()
        if convention is not None and self.session.is_open:
            self.sheet.save_square_notation(convention)
            self.refresh_page()

    def _update_drafts_after_change(self, diff: Diff) -> None:
        if self.session.is_open and self.sheet.update_drafts_after_save_or_undo(diff) and self.isVisible():
            self.refresh_page()  # the first refresh still showed the previous drafts

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.sheet.key is not None and self.sheet.can_edit_sheets() and _find_dropped_sheet_file(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _find_dropped_sheet_file(event)
        if path is not None:
            event.acceptProposedAction()
            self._actions.files.load_sheet(path)


def _find_dropped_sheet_file(event: QDropEvent) -> Path | None:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls()]
    return next((path for path in paths if path.suffix.lower() in SUFFIXES), None)
