"""Actions of the Jury page on score sheets and turns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.game_results import is_result_equal_to_sheet
from tdapp.domain.model import ResultState, StartDecision
from tdapp.domain.sheet_draft import SheetDraftError
from tdapp.domain.tables.jury import SheetDifferenceRow
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.jury import notes
from tdapp.gui.jury.games import SheetFileActions
from tdapp.gui.jury.rulings import RulingActions, RunCommand
from tdapp.gui.jury.sheet_page import SheetPage
from tdapp.gui.shell.actions import CTRL_ENTER, Action
from tdapp.gui.shell.jury_member import get_jury_member_today
from tdapp.gui.shell.session import make_callback_unless_deleted
from tdapp.i18n import sheet_reading, sheet_sentences
from tdapp.i18n.impact_sentences import ResultCorrection, make_game_correction
from tdapp.i18n.sheet_reading import propose_game_end

_MAX_SHOWN_ERRORS = 3  # errors in one message
_UNCERTIFIED_STATES = frozenset({ResultState.ENTERED, ResultState.CHECKED})  # can be certified


class OpenSheetActions:
    """Actions of the Jury page on the open score sheet."""

    def __init__(self, page: SheetPage) -> None:
        self._page, self._session, self._sheet = page, page.session, page.sheet
        self._last_warning: object = None  # sheet and errors of the last warning
        self.rulings = RulingActions(page, self.run_correction_or_show_effect)
        self.turns = TurnActions(page)
        self.forms = SheetDifferenceActions(page, self.run_correction_or_show_effect)
        self.files = SheetFileActions(page)

    def list_jury_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "jury"
        return (
            Action("choose-sheet", text(C_("score sheet", "Choose a sheet")), self.focus_jury_line_field, "search",
                   "F10", menu, self._has_tournament),
            Action("load-sheet", text(C_("score sheet in a file", "Load a sheet…")),
                   self.files.ask_path_and_load_sheet, "import", "Ctrl+G", "sheet", self._page.can_edit_open_sheet,
                   header=True),
            Action("other-form", text("Show the other form"), self.open_sheet_of_other_player, "swap",
                   "Ctrl+Shift+F", "sheet", self._page.has_open_sheet, header=True,
                   title=self._make_title_of_other_form_action),
            Action("next-step", text("Save the sheet"), self.confirm_question_or_take_next_step, "check",
                   CTRL_ENTER, "sheet", self._can_confirm_question_or_take_next_step, primary=True,
                   title=lambda: self._get_next_step_title_and_function()[0]),
            Action("check-sheet", text("Mark as checked"), self.mark_result_checked, "check", "", "sheet",
                   partial(self._can_check_or_certify_result, ResultState.ENTERED)),
            Action("certify-sheet", text(C_("certify a result", "Certify")), self.certify_result, "lock", "",
                   "sheet", partial(self._can_check_or_certify_result, *_UNCERTIFIED_STATES)),
            Action("sheet-counts", text("Use the scores from the sheet"), self.save_sheet, "check", "", "sheet",
                   self._can_use_scores_of_sheet),
            Action("export-sheet", text("Save as GCG…"), self.files.ask_path_and_export_sheet, "export", "",
                   "sheet", self._has_turns),
            Action("who-rules", text("Enter the judge’s name…"), self._page.line.ask_jury_member_name, "", "",
                   "words", self._has_tournament),
            Action("put-aside", text("Discard the typed text"), self.discard_or_restore_sheet_draft, "undo",
                   "", "sheet",
                   self._can_discard_or_restore_draft, title=self._make_discard_or_restore_title),
            Action("clear-sheet", text("Clear the sheet"), self.remove_saved_sheet, "clear", "", "sheet",
                   self._can_remove_saved_sheet),
            *self.turns.list_turn_actions(),
            self.forms.make_compare_forms_action(),
            *self.rulings.list_ruling_actions(),
        )  # fmt: skip

    # --- conditions

    def _has_tournament(self) -> bool:
        return self._session.is_open

    def _has_turns(self) -> bool:
        return self._page.has_open_sheet() and bool(self._sheet.draft.entries)

    def _can_remove_saved_sheet(self) -> bool:
        return self._page.can_edit_open_sheet() and self._sheet.saved_sheet is not None

    def _can_check_or_certify_result(self, *states: ResultState) -> bool:
        result = self._sheet.result
        return (
            self._page.can_edit_open_sheet()
            and not self._sheet.is_unsaved
            and result is not None
            and result.state in states
        )

    def _can_confirm_question_or_take_next_step(self) -> bool:
        has_open_question = self._page.isVisible() and self._find_callback_to_confirm() is not None
        if not self._page.has_open_sheet():
            return has_open_question or (
                self._page.isVisible() and any(row.status == "entered" for row in self._page.rows)
            )
        return (
            has_open_question
            or (self._page.can_edit_open_sheet() and self._sheet.is_unsaved)
            or self._can_check_or_certify_result(*_UNCERTIFIED_STATES)
        )

    def _find_callback_to_confirm(self) -> Callable[[], None] | None:
        page = self._page
        if page.ruling.isVisible():
            return page.ruling.confirm_ruling
        return next(
            (bar.confirm_correction for bar in (page.impact, page.line.bar) if bar.correction is not None), None
        )

    def _can_discard_or_restore_draft(self) -> bool:
        return self._page.can_edit_open_sheet() and (self._sheet.is_unsaved or self._sheet.has_restorable_draft)

    def _can_use_scores_of_sheet(self) -> bool:
        return (
            self._page.can_edit_open_sheet()
            and not self._sheet.is_unsaved
            and notes.find_sheet_result_overridden_by_slip(self._sheet) is not None
        )

    # --- titles

    def _get_next_step_title_and_function(self) -> tuple[str, Callable[[], None]]:
        text, sheet = self._session.catalogue.text, self._sheet
        if not self._page.has_open_sheet():
            return text("Mark all results not in doubt as checked"), self._page.line.fill_in_line_to_check_all
        result = sheet.result if self._session.is_open and not sheet.is_unsaved else None
        if result is not None and result.state is ResultState.CHECKED:
            return text(C_("certify a result", "Certify")), self.certify_result
        if result is not None and result.state is ResultState.ENTERED:
            return text("Mark as checked"), self.mark_result_checked
        return text("Save the sheet"), self.save_sheet

    def _make_title_of_other_form_action(self) -> str:
        text, key = self._session.catalogue.text, self._sheet.key
        return (
            text(C_("paper score sheet", "Form {form}"), form=3 - key[1]) if key else text("Show the other form")
        )

    def _make_discard_or_restore_title(self) -> str:
        text = self._session.catalogue.text
        can_restore = self._sheet.has_restorable_draft and not self._sheet.is_unsaved
        return text("Restore the typed text") if can_restore else text("Discard the typed text")

    # --- sheets

    def focus_jury_line_field(self) -> None:
        if self._page.isVisible():
            self._page.line.focus_line()

    def open_sheet_of_other_player(self) -> None:
        key = self._sheet.key
        if key is not None:
            self._page.open_game(key[0], 3 - key[1])

    def remove_saved_sheet(self) -> None:
        sheet = self._sheet
        if sheet.key is None:
            return
        game, form = sheet.key
        command = partial(commands.clear_sheet, game=game, form=form)
        text = self._session.catalogue.text
        effect, confirm_text = text("The sheet will be cleared."), text("Clear the sheet")
        self.run_correction_or_show_effect(
            make_game_correction(sheet.index, game, command, effect, confirm_text=confirm_text),
            self._run_clear_sheet_command,
        )

    def discard_or_restore_sheet_draft(self) -> None:
        self._sheet.discard_or_restore_draft()
        self._page.refresh_page()
        self._page.turns.focus_field()

    # --- save, check, certify

    def confirm_question_or_take_next_step(self) -> None:
        """Answer the open question with yes.

        If no question is open, take the next step of the sheet: save it, mark its result as checked, or
        certify the result.
        """
        confirm = self._find_callback_to_confirm()
        if confirm is not None:
            confirm()
        elif self._can_confirm_question_or_take_next_step():
            self._get_next_step_title_and_function()[1]()

    def save_sheet(self) -> None:
        """Save the sheet.

        Show the effect first if other data depend on the result, or if a result slip shows a different result.
        """
        sheet, tileset = self._sheet, self._sheet.tileset
        sheet.normalise_line_and_save_drafts()
        if sheet.key is None or tileset is None:
            return
        try:
            score_sheet = sheet.draft.make_sheet(tileset)
        except SheetDraftError as error:
            self._show_draft_error(error)
            return
        self._page.show_sheet()
        parsed_sheet = self._page.parsed_sheet
        if parsed_sheet is None or parsed_sheet.error is not None:
            self._show_draft_error(
                SheetDraftError("clock", field_name="whose" if self._page.end.loser.isVisible() else "ended")
            )
            return
        game, form = sheet.key
        result_before = ResultBeforeChange(sheet.result)
        command = partial(commands.enter_sheet, game=game, sheet=score_sheet, tileset=tileset, form=form,
                          seen=result_before, author=get_jury_member_today(self._session))  # fmt: skip
        change = sheet_sentences.format_replaced_result_warning(
            self._session.catalogue, sheet.result, parsed_sheet.preview.result
        )
        has_other_source = not is_result_equal_to_sheet(sheet.index, game)
        self.run_correction_or_show_effect(
            make_game_correction(sheet.index, game, command, change),
            self._run_save_sheet_command,
            always_show=bool(change) and has_other_source,
        )

    def run_correction_or_show_effect(
        self, correction: ResultCorrection, run: RunCommand, *, always_show: bool = False
    ) -> None:
        """Run a correction of a result with `run`.

        Show its effect first if other data depend on the result, or if `always_show` is True.
        """
        if self._page.impact.ask_to_confirm_or_run(correction, run, always_ask=always_show):
            self._page.show_panel_below_turns(self._page.impact)

    def _run_clear_sheet_command(self, command: partial[Tournament]) -> None:
        self._page.return_to_sheet_end_panel()
        self._session.do(command)

    def _run_save_sheet_command(self, command: partial[Tournament]) -> None:
        self._sheet.keep_draft_for_undo()
        self._session.do(command, on_success=self.rulings.make_callback_to_focus_next_doubt(), quiet=True)

    def mark_result_checked(self) -> None:
        """Mark the result as checked. If the sheet has doubtful entries, the first call only shows them."""
        if self._show_or_accept_sheet_problems(include_doubts=True):
            self._run_result_command(commands.check_result)

    def certify_result(self) -> None:
        """Certify the result. Ask for the jury member's name if it is unknown.

        If the sheet has problems, the first call only shows them.
        """
        if not get_jury_member_today(self._session):
            self._page.line.ask_jury_member_name(make_callback_unless_deleted(self._page, self.certify_result))
            return
        if self._show_or_accept_sheet_problems():
            self._run_result_command(commands.certify_result)

    def _show_or_accept_sheet_problems(self, *, include_doubts: bool = False) -> bool:
        """Show the sheet's problems. Return True if there are none, or the last call showed the same ones.

        `include_doubts` adds doubtful entries.
        """
        parsed_sheet, catalogue = self._page.parsed_sheet, self._session.catalogue
        rules, tileset = self._sheet.rules, self._sheet.tileset
        errors = (
            sheet_sentences.list_problems_before_check(catalogue, tileset, parsed_sheet, rules)
            if parsed_sheet is not None
            else []
        )
        if parsed_sheet is not None and include_doubts:
            errors[:0] = [
                sheet_reading.describe_doubt(doubt, catalogue)
                for doubt in parsed_sheet.doubts
                if doubt.is_undecided
            ]
            if rows := notes.find_form_differences(self._sheet, parsed_sheet):
                first = rows[0].differences[0]
                errors.insert(0, sheet_sentences.describe_form_difference(first, catalogue, parsed_sheet.draft))
        warning = (self._sheet.key, parsed_sheet.rows if parsed_sheet is not None else (), tuple(errors))
        if not errors or warning == self._last_warning:
            return True
        self._last_warning = warning
        instruction = (
            catalogue.text("Press Ctrl+Enter again to mark the result as checked anyway.")
            if include_doubts
            else catalogue.text("Choose “Certify” again to certify the result anyway.")
        )
        self._session.show_message("  ·  ".join([*errors[:_MAX_SHOWN_ERRORS], instruction]), tone="red")
        return False

    def _run_result_command(self, command: commands.Command) -> None:
        if self._sheet.key is not None:
            bound_command = partial(command, game=self._sheet.key[0], author=get_jury_member_today(self._session))
            check = self._page.make_is_still_on_sheet_function()
            on_success = make_callback_unless_deleted(self._page, partial(self._show_sheet_if_still_open, check))
            self._session.do(bound_command, on_success=on_success, quiet=True)

    def _show_sheet_if_still_open(self, is_still_on_sheet: Callable[[], bool]) -> None:
        if not is_still_on_sheet():
            return
        self._sheet.remember_last_history_step()
        self._page.show_sheet()
        if self._sheet.result and self._sheet.result.state is ResultState.FINAL:
            self.focus_jury_line_field()
        else:
            self._page.end.focus_field("")

    def _show_draft_error(self, error: SheetDraftError) -> None:
        page = self._page
        if error.line_index is not None:
            page.move_cursor(error.line_index)
        else:
            page.end.focus_field(error.field_name or "ended")
            page.end.mark_invalid_field(error.field_name)
        self._session.show_message(
            sheet_sentences.explain_sheet_draft_error(error, self._session.catalogue, self._sheet.draft),
            tone="red",
        )


class TurnActions:
    """Actions on the turns of the open score sheet."""

    def __init__(self, page: SheetPage) -> None:
        self._page, self._session, self._sheet = page, page.session, page.sheet

    def list_turn_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "turns"
        can_type = self._page.can_edit_open_sheet
        return (
            Action("insert-turn", text(C_("score sheet", "Insert a turn")), self.insert_turn, "add", "Ctrl+I",
                   menu, can_type),
            Action("delete-turn", text(C_("score sheet", "Remove a turn")), self.remove_turn, "remove", "Ctrl+D",
                   menu, self._has_current_turn),
            Action("other-player", text(C_("correction", "The other player’s turn")), self.give_turn_to_opponent,
                   "swap", "Ctrl+T", menu, can_type),
            Action("to-end", text("End of the game"), self.show_end_panel_and_propose_ending, "finish", "Ctrl+E",
                   menu, self._page.has_open_sheet),
            Action("other-starter", text(C_("correction", "The other player started")), self.swap_starter, "swap",
                   "", menu, self._can_swap_starter),
        )  # fmt: skip

    def _has_current_turn(self) -> bool:
        return self._page.can_edit_open_sheet() and self._sheet.turn_index < len(self._sheet.draft.entries)

    def _can_swap_starter(self) -> bool:
        game = self._sheet.game
        return self._page.can_edit_open_sheet() and game is not None and game.start is not StartDecision.ASSIGNED

    def insert_turn(self) -> None:
        sheet = self._sheet
        sheet.normalise_line_and_save_drafts()
        sheet.replace_draft(sheet.draft.insert_line(sheet.turn_index), turn_index=sheet.turn_index)
        self._show_and_focus_turns()

    def remove_turn(self) -> None:
        sheet = self._sheet
        sheet.replace_draft(sheet.draft.remove_line(sheet.turn_index), turn_index=sheet.turn_index)
        sheet.normalise_line_and_save_drafts()
        self._show_and_focus_turns()

    def give_turn_to_opponent(self) -> None:
        self._sheet.give_turn_to_opponent()
        self._show_and_focus_turns()

    def swap_starter(self) -> None:
        self._sheet.replace_draft(self._sheet.draft.swap_names())
        self._show_and_focus_turns()

    def show_end_panel_and_propose_ending(self) -> None:
        page, sheet = self._page, self._sheet
        page.show_panel_below_turns(page.end)
        end = sheet.draft.end
        if end.ended is None and page.parsed_sheet is not None and sheet.draft.entries:
            proposed_end = propose_game_end(page.parsed_sheet, sheet.tileset, sheet.rules)
            if proposed_end is not None:
                sheet.replace_draft(replace(sheet.draft, end=replace(end, ended=proposed_end)))
        page.show_sheet()
        page.end.focus_field("ended")

    def _show_and_focus_turns(self) -> None:
        self._page.show_sheet()
        self._page.turns.focus_field()


class SheetDifferenceActions:
    """Actions on the differences between the two players' score sheets (forms) of a game."""

    def __init__(self, page: SheetPage, run_correction: Callable[[ResultCorrection, RunCommand], None]) -> None:
        self._page, self._session, self._sheet = page, page.session, page.sheet
        self._run_correction = run_correction

    def make_compare_forms_action(self) -> Action:
        title = self._session.catalogue.text("Compare the two forms")
        return Action(
            "compare-forms",
            title,
            self.show_differences_between_sheets,
            "",
            "Ctrl+Shift+J",
            "turns",
            self._has_sheet_differences,
        )

    def _has_sheet_differences(self) -> bool:
        parsed_sheet = self._page.parsed_sheet
        return (
            self._page.has_open_sheet()
            and parsed_sheet is not None
            and bool(notes.find_form_differences(self._sheet, parsed_sheet))
        )

    def show_differences_between_sheets(self) -> None:
        self._sheet.normalise_line_and_save_drafts()
        if self._page.parsed_sheet is not None:
            self._page.show_panel_below_turns(self._page.forms)
            self._page.show_differences(self._page.parsed_sheet)
            self._page.forms.view.setFocus()

    def settle_form_difference(self, row: SheetDifferenceRow, correct_form_number: int) -> None:
        sheet, catalogue = self._sheet, self._session.catalogue
        if sheet.key is None or sheet.tileset is None or not sheet.can_edit_sheets():
            return
        game = sheet.key[0]
        if game in sheet.list_games_with_unsaved_sheets():
            self._session.show_message(catalogue.text("Save both forms first (Ctrl+Enter)."), tone="red")
            return
        command = partial(commands.settle_forms, game=game, form=correct_form_number, turn=row.turn,
                          field=row.differences[0].field, tileset=sheet.tileset)  # fmt: skip
        confirm_text = catalogue.text(
            C_("if two forms differ", "Form {form} is correct"), form=correct_form_number
        )
        self._run_correction(
            make_game_correction(sheet.index, game, command, "", confirm_text=confirm_text),
            self._run_command_and_show_next_difference,
        )

    def _run_command_and_show_next_difference(self, command: partial[Tournament]) -> None:
        self._session.do(
            command, on_success=make_callback_unless_deleted(self._page, self._show_next_difference), quiet=True
        )

    def _show_next_difference(self) -> None:
        self._sheet.remember_last_history_step()
        self._page.refresh_page()
        self._page.return_to_sheet_end_panel()
        if self._has_sheet_differences():
            self.show_differences_between_sheets()
        else:
            self._page.end.focus_field("")
