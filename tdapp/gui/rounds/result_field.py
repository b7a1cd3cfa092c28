"""The field for results, with a preview."""

from __future__ import annotations

from functools import partial
from html import escape

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QSizePolicy, QWidget

from tdapp.domain.errors import CommandError, StorageError, UserError
from tdapp.domain.model import GameId, Round, RoundId, RoundState
from tdapp.domain.tables.groups import GroupTableGameRow
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.rounds.second_entry import SecondEntryFrame, SecondEntryReader
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import ScreenReaderAnnouncer
from tdapp.gui.widgets.fields import LineEditWithTableNumber
from tdapp.gui.widgets.impact_bar import ImpactConfirmationBar
from tdapp.gui.widgets.scroll_body import ScrolledBody
from tdapp.gui.widgets.theme import HEAD, LEAD, SMALL, UNIT, make_scaled_font, scale_line_height
from tdapp.i18n.impact_sentences import ResultCorrection
from tdapp.i18n.phrases import format_knockout_or_evening_round, suggest_finish_or_more_rounds
from tdapp.i18n.result_preview import (
    InputNeededForLine,
    ResultEnterKeyAction,
    ResultLineReader,
    ResultLineState,
    ResultPreview,
    ResultPreviewKind,
    describe_undecided_tie,
    split_division_code,
)


class ResultField(QWidget):
    """The field for results, with a preview of the typed text."""

    target = Signal(str)  # key of the game that the typed line is about
    typing_cancelled = Signal()  # Esc: the typed text was dropped
    leave_second = Signal()  # Esc: end the second entry

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._reader: ResultLineReader | None = None
        self._preview = ResultPreview("")
        self._state = ResultLineState.TYPING
        self.proposed_key = ""  # key of the next game, "" without one
        self._text = ""
        self._scored_game = ""  # game of a typed line without a table number
        self._was_control_pressed = False  # the shown line was confirmed by Ctrl+Enter
        self._open_keys: frozenset[str] = frozenset()  # open games at the last refresh
        self._known_keys: frozenset[str] = frozenset()  # all games at the last refresh
        self._assessed: ResultPreview | None = None  # the result whose effects the bar shows
        self._saved_game = ""  # the game being saved
        self._last = ResultPreview("")  # last entry, until another change
        self._last_step = 0
        self._typed_by_round: dict[RoundId, str] = {}  # unfinished lines of other rounds
        self._make_result_field_widgets()
        session.opened.connect(self._typed_by_round.clear)
        self._focus_after: QWidget = self.line  # gets the focus when the bar closes

    def refresh_for_round(self, item: Round | None) -> None:
        before = self._reader.item.id if self._reader else None
        if item is not None and item.state is not RoundState.PUBLISHED:
            item = None
        if item is None or before != item.id:
            self.second_entry.set_second_entry_active(is_active=False)
        kind = SecondEntryReader if self.second_entry.is_active else ResultLineReader
        index, reader = self._session.index, self._reader
        if reader is None or type(reader) is not kind or (reader.index, reader.item) != (index, item):
            self._reader = kind(index, item, self._session.catalogue) if item else None
        if self._reader is None or before != self._reader.item.id:
            self._last = ResultPreview("")
            self.proposed_key = ""
            self._known_keys = frozenset()
            if before is not None:
                self._store_typed_line(before)
            if self._reader is not None and (typed_line := self._typed_by_round.pop(self._reader.item.id, "")):
                self.line.setText(typed_line)
                self.line.setModified(True)
        step = self._session.desk.undoable_step
        if self._last_step and (step is None or step.seq != self._last_step):
            self._last = ResultPreview("")
        self.line.setReadOnly(not self._session.can_run_commands("enter-result"))
        self._update_proposed_game()
        self._update_preview()
        self._refresh_effect_bar()
        self.second_entry.close_difference_if_result_changed()

    def _store_typed_line(self, round_id: RoundId) -> None:
        if self.line.has_unsaved_text:
            self._typed_by_round[round_id] = self.line.text()
        self.line.clear()

    def find_round_with_typed_line(self) -> Round | None:
        rounds = self._session.tournament.rounds
        return next((rounds[key] for key in self._typed_by_round if key in rounds), None)

    def set_second_entry_active(self, *, is_active: bool) -> None:
        self._last = ResultPreview("")
        self.line.clear()
        self.second_entry.set_second_entry_active(is_active=is_active)
        self._second.setIcon(self._session.appearance.make_icon("copy", "accent"))
        self._second.setVisible(is_active)
        self._known_keys = frozenset()
        self.proposed_key = ""
        self.refresh_for_round(self._reader.item if self._reader else None)

    def set_proposed_game(self, key: str) -> None:
        is_for_proposed_game = bool(self._text) and self._preview.game == self._scored_game
        self.proposed_key = key
        if is_for_proposed_game:
            self._scored_game = key
            self._update_preview()
        self._show_hint_for_proposed_table()

    def set_typed_text(self, line: str) -> None:
        self.line.setText(line)
        self.line.setModified(True)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)  # other reasons select the text

    def apply_correction_line_or_ask_to_confirm(self, line: str, *, focus_after: QWidget) -> None:
        """Correct the result that `line` describes, as if the user had typed it.

        If the line has an error or needs confirmation, only put it into the field. If other data depend on
        the result, ask first. `focus_after` gets the focus at the end.
        """
        preview = self._reader.preview_line(line) if self._reader else ResultPreview("")
        if self._reader is None or preview.kind is ResultPreviewKind.UNCHANGED:
            return
        if preview.kind is not ResultPreviewKind.RESULT or preview.needed_inputs & {
            InputNeededForLine.CONTROL,
            InputNeededForLine.RARE,
            InputNeededForLine.VERDICT,
        }:
            self.set_typed_text(line)
            return
        self.apply_correction_or_ask_to_confirm(
            preview.make_correction(self._session.index, self._session.catalogue, preview.text),
            focus_after=focus_after,
        )
        self._assessed = preview if self.bar.correction is not None else None

    def apply_correction_or_ask_to_confirm(self, correction: ResultCorrection, *, focus_after: QWidget) -> None:
        """Run a correction, and give the focus to `focus_after` at the end.

        If other data depend on the result, show the effects and ask first.
        """
        self._close_impact_bar_and_reset_state()
        self._focus_after = focus_after
        self.bar.ask_to_confirm_or_run(correction, self._run_correction)

    def submit_line(self, preview: ResultPreview, *, is_control_pressed: bool = False) -> None:
        match preview.choose_enter_key_action(self._state, is_control_pressed=is_control_pressed):
            case ResultEnterKeyAction.SKIP:
                self._clear_line_without_saving(preview)
            case ResultEnterKeyAction.WAIT:
                self._session.play_error_sound()
            case ResultEnterKeyAction.ASK_VERDICT:
                self.line.setText(f"{self._text.rstrip()} ")
                self._state = ResultLineState.VERDICT_ASKED
                self._session.play_error_sound()
            case ResultEnterKeyAction.REFUSE:
                self._mark_line_refused(preview)
            case ResultEnterKeyAction.COMPARE if isinstance(self._reader, SecondEntryReader):
                self.second_entry.accept_equal_entries_or_ask(
                    self._reader, preview, is_control_pressed=is_control_pressed
                )
            case ResultEnterKeyAction.CONFIRM_EFFECT:
                self.bar.confirm_correction()
            case ResultEnterKeyAction.SHOW | ResultEnterKeyAction.SHOW_EFFECT as step:
                self._ask_to_press_enter_again(preview, step, is_control_pressed=is_control_pressed)
            case _:
                self._save_result(preview, preview.make_command(control=is_control_pressed))

    def _ask_to_press_enter_again(
        self, preview: ResultPreview, action: ResultEnterKeyAction, *, is_control_pressed: bool
    ) -> None:
        self._state, self._was_control_pressed = ResultLineState.SHOWN, is_control_pressed
        if action is ResultEnterKeyAction.SHOW_EFFECT:
            self._assessed, self._focus_after, self._state = (
                preview,
                self.line,
                ResultLineState.EFFECT_SHOWN,
            )
            correction = preview.make_correction(
                self._session.index, self._session.catalogue, control=is_control_pressed
            )
            self.bar.show_effects(
                correction,
                on_yes=partial(self._save_confirmed_correction, preview, is_control_pressed),
                focus=False,
            )
        self._show_preview()
        self.line.select_text_for_replacement("?")
        self._session.play_error_sound()

    def focus_line(self) -> None:
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        escape = event.key() == Qt.Key.Key_Escape
        if escape and self.bar.correction is not None:
            self._cancel_correction()
        elif escape and self.line.text():
            self.line.clear()
            self.typing_cancelled.emit()
        elif escape and self.second_entry.is_active:
            self.leave_second.emit()
        else:
            super().keyPressEvent(event)

    def _make_result_field_widgets(self) -> None:
        text = self._session.catalogue.text
        self.line = LineEditWithTableNumber(text("Result"))
        self.line.setFont(make_scaled_font(HEAD))
        self.line.setMinimumHeight(scale_line_height(UNIT * 5))
        tip = text("Both scores, or table and scores: 7 412 388. Type ? for help.")
        self.line.setToolTip(tip)
        self.line.textChanged.connect(self._update_after_typing)
        self.line.enter_pressed.connect(self._submit_typed_line)
        self.line.step_requested.connect(self._propose_next_or_previous_open_game)
        self.line.proposal_accepted.connect(self._fill_in_proposed_table)
        self._second = QAction(text("Press Esc to stop the second entry."), self)
        self._second.triggered.connect(self.leave_second)
        self.line.addAction(self._second, QLineEdit.ActionPosition.LeadingPosition)
        self._second.setVisible(False)  # otherwise it keeps its space
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.echo_label = _make_rich_text_label(LEAD)
        self.more_label = _make_rich_text_label(SMALL)
        self.more_label.setProperty("kind", "muted")
        self.more_label.linkActivated.connect(lambda: self._session.undo(self._last_step))
        self._announcer = ScreenReaderAnnouncer(self.echo_label)
        self.help_box = QFrame()
        self.help_box.setObjectName("card")
        self._help_text = _make_rich_text_label(SMALL)
        lines = ScrolledBody(fields.make_column(self._help_text))
        fields.make_column(lines, margins=(UNIT, UNIT // 2) * 2, parent=self.help_box)
        self.help_box.hide()
        self.bar = ImpactConfirmationBar(self._session)
        self.bar.cancelled.connect(self._cancel_correction)
        self.second_entry = SecondEntryFrame(
            self._session, settle=self._save_result_of_chosen_entry, offer=self._apply_second_entry_or_ask
        )
        self.second_entry.retype.connect(self.focus_line)
        parts = (self.line, self.echo_label, self.more_label, self.second_entry, self.bar, self.help_box)
        fields.make_column(*parts, gap=UNIT // 2, parent=self)
        self._session.appearance.changed.connect(self._show_preview)

    def _apply_typed_division_code(self) -> bool:
        division, remaining_line = split_division_code(self.line.text(), self._session.index)
        if division is None:
            return False
        if division is not self._session.division:
            self._session.choose_division(division.id)
        self.line.setText(remaining_line)
        return True

    def _update_after_typing(self) -> None:
        if self.line.text() and self._session.is_open and self._apply_typed_division_code():
            return
        asked_line = self._text if self._state is ResultLineState.VERDICT_ASKED else ""
        self._close_impact_bar_and_reset_state()
        if self.second_entry.is_active:
            self.second_entry.hide_entry_difference()
        before, self._text = self._text, self.line.text()
        if not before or len(self._text) <= 1:  # a new line keeps its game while others enter results
            following = (
                self._reader.find_next_row_without_result(self._saved_game)
                if self._reader and self._saved_game
                else None
            )
            self._scored_game = following.key if following else self.proposed_key
        if self._text and not self._last_step:
            self._last = ResultPreview("")
        self._update_preview()
        is_answered = asked_line and self._text.startswith(asked_line)
        if is_answered and self._reader and self._text[len(asked_line) :] in self._reader.answers:
            self._submit_typed_line(False)  # a single key is enough

    def _submit_typed_line(self, is_control_pressed: bool) -> None:
        if self._text and self._reader is not None and self._state is not ResultLineState.SAVING:
            is_shown = self._state in {ResultLineState.SHOWN, ResultLineState.EFFECT_SHOWN}
            self.submit_line(
                self._preview, is_control_pressed=is_control_pressed or (is_shown and self._was_control_pressed)
            )

    def _update_preview(self) -> None:
        before = self._preview
        self._preview = (
            self._reader.preview_line(self._text, proposed_key=self._scored_game)
            if self._reader
            else ResultPreview("")
        )
        if (before.entry, before.group, before.old) != (
            self._preview.entry,
            self._preview.group,
            self._preview.old,
        ):
            self._state = ResultLineState.TYPING
        if self._preview.game:
            self.target.emit(self._preview.game)
        self._show_preview()

    def _show_preview(self) -> None:
        preview = self._preview
        if not preview.text and preview.kind is not ResultPreviewKind.HELP:
            preview = self._preview_empty_line()
        if self._state in {ResultLineState.SHOWN, ResultLineState.EFFECT_SHOWN}:
            preview = replace(preview, second_line=preview.repeat_prompt)
        colour = self._session.appearance.get_colour(preview.tone).name()
        self.echo_label.setText(f'<span style="color:{colour}">{preview.text or "&nbsp;"}</span>')
        undo = self._session.catalogue.text("Undo") if preview is self._last and self._last_step else ""
        parts = [escape(preview.second_line), f'<a href="undo">{escape(undo)}</a>' if undo else ""]
        self.more_label.setText("   ·   ".join(filter(None, parts)) or "&nbsp;")
        self.line.mark_invalid(is_invalid=preview.tone == "red")
        if self.line.hasFocus():
            row = self._find_table_row(self.proposed_key) if preview is self._last else None
            invitation = self._reader.describe_next_game(row) if self._reader and row else ""
            self._announcer.set_next_announcement(
                preview.text, preview.second_line, invitation, urgent=preview.tone == "red"
            )
        is_help = preview.kind is ResultPreviewKind.HELP
        self.more_label.setVisible(not is_help)  # a small screen needs the space for all lines
        if is_help and self._reader is not None:
            self._help_text.setText(fields.format_input_help_as_html(self._reader.list_help_lines()))
        self.help_box.setVisible(is_help)  # together with its text

    def _preview_empty_line(self) -> ResultPreview:
        reader = self._reader
        if reader is None:
            return ResultPreview("")
        row = self._find_table_row(self.proposed_key)
        if self.second_entry.is_active:
            return self.second_entry.preview_empty_second_entry_line(
                reader, reader.describe_next_game(row) if row else "", self._last
            )
        if self._last.text:
            return self._last
        if self._session.tournament.event.finished:
            return ResultPreview(
                escape(self._session.catalogue.describe_error(CommandError("tournament-finished")))
            )
        if row is not None:
            return ResultPreview(reader.describe_next_game(row), self._session.catalogue.text("Type ? for help."))
        return self._preview_empty_line_without_open_games(reader)

    def _preview_empty_line_without_open_games(self, reader: ResultLineReader) -> ResultPreview:
        if tie := describe_undecided_tie(self._session.catalogue, reader.index, reader.item):
            return ResultPreview(escape(tie), tone="amber")
        catalogue, number = self._session.catalogue, reader.item.number
        division = reader.index.get_division_of_round(reader.item.id)
        hints = catalogue.text("F7 shows the final standings."), suggest_finish_or_more_rounds(catalogue)
        last = reader.index.find_stage(division.id, number + 1) is None
        stage = self._session.tournament.stages[reader.item.stage]
        summary = catalogue.text("All results for round {round} are in.", round=number)
        if name := format_knockout_or_evening_round(catalogue, reader.index, stage, number):
            summary = catalogue.text("{round}: all results are in.", round=name)
        return ResultPreview(summary, " ".join(hints) if last else "", "green")

    def _update_proposed_game(self) -> None:
        reader = self._reader
        open_keys = (
            frozenset(row.key for row in reader.tables if reader.is_result_entry_needed(row))
            if reader
            else frozenset()
        )
        reopened = [key for key in open_keys - self._open_keys if key in self._known_keys]
        self._open_keys = open_keys
        self._known_keys = frozenset(row.key for row in reader.tables) if reader else frozenset()
        if reopened:
            self.proposed_key = reopened[0]
        row = self._find_table_row(self.proposed_key)
        if reader is not None and (row is None or not reader.is_result_entry_needed(row)):
            self._propose_game_after(self.proposed_key)
        self._show_hint_for_proposed_table()

    def _propose_game_after(self, key: str) -> None:
        if key and self._find_table_row(key) is None and self._find_table_row(self.proposed_key) is not None:
            return  # a game of another division
        following = self._reader.find_next_row_without_result(key) if self._reader else None
        self.proposed_key = following.key if following else ""
        if self.proposed_key and not self.line.text():
            self.target.emit(self.proposed_key)

    def _show_hint_for_proposed_table(self) -> None:
        row, text = self._find_table_row(self.proposed_key), self._session.catalogue.text
        example = text(C_("input hint", "Table, then both scores"))
        if isinstance(row, PairingRow):
            example = text("Both scores for table {table}", table=row.table)
        elif row is not None and not row.has_all_players:
            example = text("Scores for table {table}", table=row.table)
        elif row is not None:
            example = text(C_("input hint", "Player, then score"))
        self.line.setPlaceholderText(example)
        if not self.line.text():
            self._show_preview()

    def _find_table_row(self, key: str) -> PairingRow | GroupTableGameRow | None:
        rows = self._reader.tables if self._reader else ()
        return next((row for row in rows if row.key == key), None)

    def _fill_in_proposed_table(self) -> None:
        row = self._find_table_row(self.proposed_key)
        if row is not None and not self.line.isReadOnly():
            self.line.setText(f"{row.table} ")

    def _propose_next_or_previous_open_game(self, step: int) -> None:
        if self._reader is None:
            return
        open_keys = [row.key for row in self._reader.tables if self._reader.is_result_entry_needed(row)]
        if open_keys:
            index = open_keys.index(self.proposed_key) + step if self.proposed_key in open_keys else 0
            self.set_proposed_game(open_keys[index % len(open_keys)])
            self.target.emit(self.proposed_key)

    def _mark_line_refused(self, preview: ResultPreview) -> None:
        suffix = " " if preview.text and preview.tone != "red" else ""
        if self._reader is not None and preview.kind is ResultPreviewKind.INCOMPLETE:
            self._preview = self._reader.mark_preview_as_not_saved_yet(preview, self._text)
        self._announcer.forget_last_announcement()  # announce the same text again
        self._show_preview()
        self.line.select_text_for_replacement(suffix)
        self._session.play_error_sound()

    def _clear_line_without_saving(self, preview: ResultPreview) -> None:
        self.line.clear()
        self._last, self._last_step = (ResultPreview("") if preview.kind is ResultPreviewKind.HELP else preview), 0
        if preview.game:
            self._propose_game_after(preview.game)
        self._show_hint_for_proposed_table()

    def _apply_second_entry_or_ask(self, correction: ResultCorrection, preview: ResultPreview) -> None:
        self._focus_after = self.line
        self.bar.ask_to_confirm_or_run(
            correction, lambda command: self._save_result_of_chosen_entry(command, preview)
        )

    def _save_result_of_chosen_entry(self, command: partial[Tournament] | None, preview: ResultPreview) -> None:
        if command is None:
            self._show_saved_result(self._text, preview)
        else:
            self.line.setFocus()
            self._save_result(preview, command)

    def _save_result(self, preview: ResultPreview, command: partial[Tournament]) -> None:
        self.line.selectAll()  # the next text replaces it
        self.line.setModified(False)  # the line is entered
        self._state, self._saved_game = ResultLineState.SAVING, preview.game
        self._session.do(
            command,
            on_success=make_callback_unless_deleted(self, partial(self._show_saved_result, self._text, preview)),
            on_refusal=make_callback_unless_deleted(
                self, partial(self._show_refused_result, self._text, preview.game)
            ),
            quiet=True,  # shown below the field, with Undo
        )

    def _refresh_effect_bar(self) -> None:
        assessed = self._assessed
        if assessed and (
            self._reader is None or self._session.index.get_result(GameId(assessed.game)) != assessed.old
        ):
            self._close_impact_bar_and_reset_state()
        else:
            self.bar.update_effects()

    def _save_confirmed_correction(self, preview: ResultPreview, is_control_pressed: bool, reason: str) -> None:
        self._close_impact_bar_and_reset_state()
        self.line.setFocus()
        self._save_result(preview, preview.make_command(control=is_control_pressed, reason=reason))

    def _run_correction(self, command: partial[Tournament]) -> None:
        self._focus_after.setFocus()
        self._session.do(command, quiet=True)

    def _cancel_correction(self) -> None:
        self._close_impact_bar_and_reset_state()
        self._show_preview()
        self._focus_after.setFocus()

    def _close_impact_bar_and_reset_state(self) -> None:
        self._assessed = None
        self._state = ResultLineState.TYPING  # show the new preview again
        if self.bar.correction is not None:
            self.bar.close_bar()

    def _finish_saving_and_check_line_unchanged(self, saved_line: str, game: str) -> bool:
        if self._saved_game == game:
            self._saved_game = ""
        is_line_unchanged = self._text == saved_line and self._preview.game in {"", game}
        if is_line_unchanged:
            self._state = ResultLineState.TYPING
        return is_line_unchanged

    def _show_saved_result(self, line: str, preview: ResultPreview) -> None:
        is_line_unchanged = self._finish_saving_and_check_line_unchanged(line, preview.game)
        details, clear = preview.second_line, preview.is_result_cleared
        if preview.needed_inputs or clear:  # the question is answered
            details = preview.player_totals
        step = self._session.desk.undoable_step
        self._last_step = step.seq if step else 0
        self._last = ResultPreview("✓ " + (preview.saved_text or preview.text), details, "green")
        if is_line_unchanged:
            self.line.clear()
        if clear:
            self.proposed_key = preview.game  # propose the game again
            self.target.emit(preview.game)
        else:
            self._propose_game_after(preview.game)
        self._show_hint_for_proposed_table()

    def _show_refused_result(self, line: str, game: str, error: UserError) -> bool:
        is_line_unchanged = self._finish_saving_and_check_line_unchanged(line, game)
        self._session.play_error_sound()
        if not is_line_unchanged:
            return False
        self.line.setModified(True)
        new_details = ""
        if error.code == "changed-meanwhile":
            self._update_preview()
            new_details = self._preview.second_line
        text = escape(self._session.catalogue.describe_error(error))
        can_retry = isinstance(error, StorageError)  # Enter tries again
        preview = self._preview if can_retry else ResultPreview("", game=self._preview.game)
        self._preview = replace(preview, text=text, second_line=new_details, tone="red")
        self._show_preview()
        self.focus_line()
        self.line.select_text_for_replacement()
        return True


def _make_rich_text_label(size: int) -> QLabel:
    label = fields.make_rich_text_label()
    label.setFont(make_scaled_font(size))
    return label
