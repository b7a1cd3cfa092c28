"""The field in which the jury types its decisions on the tables of a round, with a preview."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from tdapp.domain import commands
from tdapp.domain.game_results import is_result_checking_required_or_started, list_unchecked_games
from tdapp.domain.impact import assess_impact
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_line import (
    ResultCorrectionLine,
    SheetOpeningLine,
    TablesCheckedLine,
    VerdictDecisionLine,
    WordLookupLine,
    WordRulingLine,
)
from tdapp.domain.model import GameId
from tdapp.domain.rulings import list_jury_decisions_by_author
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.jury.notes import describe_next_step_after_jury_work, explain_empty_jury_page
from tdapp.gui.shell.jury_member import get_jury_member_today, get_last_jury_member_name, set_jury_member
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, LineEdit, LineEditWithTableNumber
from tdapp.gui.widgets.impact_bar import ImpactConfirmationBar
from tdapp.gui.widgets.scroll_body import ScrolledBody
from tdapp.gui.widgets.texts import TypedLinePreviewLabel
from tdapp.gui.widgets.theme import LEAD, UNIT, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n import impact_sentences
from tdapp.i18n.jury_preview import (
    LISTS,
    JuryEnterKeyAction,
    JuryLinePreview,
    JuryLineReader,
    is_valid_judge_name,
    list_help_lines,
)

_NAME_WIDTH = UNIT * 24


class JuryMemberField(QWidget):
    """The field for the name of the jury member."""

    name_saved = Signal(str)  # the previous name
    name_refused = Signal()  # the typed name is invalid
    leave_requested = Signal()  # Esc

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self.name = LineEdit(text(C_("judge who rules", "Jury today")), placeholder=text("Your name"))
        self.name.setMaximumWidth(scale_pixels(_NAME_WIDTH))
        self.name.setToolTip(
            text("Your name is recorded with the rulings and checks made here. You can change it at any time.")
        )
        label = fields.make_label(text(C_("judge who rules", "Jury today")))
        label.setBuddy(self.name)
        fields.make_row(label, self.name, parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.name.installEventFilter(self)
        self.name.editingFinished.connect(self._save_name_on_leaving)
        self.name.textEdited.connect(lambda: self.name.mark_invalid(is_invalid=False))

    @property
    def is_marked_invalid(self) -> bool:
        return self.name.property("wrong") is True

    def show_name_saved_today(self) -> None:
        if not self.name.isModified():
            self.name.setText(get_jury_member_today(self._session))
            self.name.setModified(False)

    def fill_in_and_focus_name(self) -> None:
        self.name.setText(get_last_jury_member_name(self._session))
        self.name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.name.selectAll()

    def discard_typed_name(self) -> None:
        self.name.mark_invalid(is_invalid=False)
        self.name.setModified(False)
        self.show_name_saved_today()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.discard_typed_name()
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.key() not in ENTER:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            self._save_name_on_enter()
            return True
        return super().eventFilter(watched, event)

    def _save_name_on_leaving(self) -> None:
        if self.name.isModified() and not self.name.hasFocus():
            self._save_name()

    def _save_name_on_enter(self) -> None:
        if not self._save_name():
            self.name.selectAll()

    def _save_name(self) -> bool:
        name, before = self.name.text().strip(), get_jury_member_today(self._session)
        if not is_valid_judge_name(self._session.catalogue, name):
            self.name.mark_invalid(is_invalid=True)
            self.name_refused.emit()
            return False
        set_jury_member(self._session, name)
        self.discard_typed_name()
        self.name_saved.emit(before)
        return True


SIGN = "sign"  # link that signs rulings with the new name
ROUND = "round:"  # start of a link to a round


class ExpectedJuryInput(Enum):
    """The input that the jury's field expects next."""

    TYPING = "typing"
    WORD_ASKED = "word asked"  # player and score of a wrong word
    NAME_ASKED = "name asked"  # the jury member
    EFFECT_SHOWN = "effect shown"  # the bar shows the effect, and Enter confirms it there


class JuryLineField(QWidget):
    """The field for the jury's decisions, such as a wrong word or a checked result.

    The page also shows the field's widgets `bar` (effects) and `author` (name of the jury member).
    """

    sheet_requested = Signal(str, int)  # a game, and a row of its form (0: its first doubtful turn, -1: the end)
    table_step_requested = Signal(int)  # select the next (1) or previous (-1) table
    table_proposed = Signal()  # another table is proposed
    word_lists_requested = Signal()
    leave_requested = Signal()  # Esc with nothing left to undo

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._games_open_elsewhere: tuple[str, ...] = ()
        self._announced_key = ""
        self._reader: JuryLineReader | None = None
        self._preview = JuryLinePreview("")
        self._last_message = ""  # message of the last entry, until another change
        self._last_step = 0
        self._last_checked_key = ""
        self._word_questions: list[tuple[str, str]] = []  # tables and words that lack player and score
        self._is_asking_name = False
        self._previous_name = ""  # jury member before the last change of the name
        self._on_name_known: Callable[[], None] | None = None
        self.proposed_key = ""
        text = session.catalogue.text
        self.line = LineEditWithTableNumber(text("The jury’s ruling"))
        self.line.setFont(make_scaled_font(LEAD))
        self.line.setMinimumHeight(scale_line_height(UNIT * 9 // 2))
        self.preview_label = TypedLinePreviewLabel()
        self._help, grammar = QFrame(), fields.make_rich_text_label()
        self._help.setObjectName("card")
        grammar.setText(fields.format_input_help_as_html(list_help_lines(session.catalogue)))
        lines = ScrolledBody(fields.make_column(grammar))
        fields.make_column(lines, margins=(UNIT, UNIT // 2) * 2, parent=self._help)
        self._help.hide()
        self.bar = ImpactConfirmationBar(session)
        self.author = JuryMemberField(session)
        fields.make_column(self.line, self.preview_label, self._help, gap=UNIT // 4, parent=self)
        self.line.textChanged.connect(self._close_impact_bar_and_update_preview)
        self.line.enter_pressed.connect(self._submit_or_confirm_line)
        self.line.step_requested.connect(self.table_step_requested)
        self.line.proposal_accepted.connect(self._fill_in_proposed_table)
        self.bar.cancelled.connect(self._close_question_or_clear_text)
        self.author.name_saved.connect(self._continue_after_name_entry)
        self.author.name_refused.connect(self._show_preview)
        self.author.name.textEdited.connect(self._show_preview)
        self.author.leave_requested.connect(self._stop_asking_jury_member_name)
        self.preview_label.linkActivated.connect(self._run_link_action)
        session.appearance.changed.connect(self._show_preview)

    # --- interface for the page

    def set_line_reader(
        self, reader: JuryLineReader | None, *, games_open_elsewhere: tuple[str, ...] = ()
    ) -> None:
        """Propose the next table of the round in `reader`. Skip games open on other computers."""
        self._reader, self._games_open_elsewhere = reader, games_open_elsewhere
        step = self._session.desk.undoable_step if self._session.is_open else None
        if step is None or step.seq != self._last_step:
            self._last_message = ""
            self._propose_table_again_after_undo()
        self._replace_unusable_proposed_table()
        self.line.setReadOnly(not self._session.can_run_commands("check-results"))
        self.author.setVisible(self._session.can_run_commands("check-results"))
        self.author.show_name_saved_today()
        self.bar.update_effects()
        self._update_preview()

    def _propose_table_again_after_undo(self) -> None:
        row = self._reader.find_row(self._last_checked_key) if self._reader else None
        if row is not None and row.status == "entered":
            self.proposed_key, self._last_checked_key = row.key, ""

    def _replace_unusable_proposed_table(self) -> None:
        reader, games_open_elsewhere = self._reader, self._games_open_elsewhere
        row = reader.find_row(self.proposed_key) if reader else None
        if reader is not None and (
            row is None or row.key in games_open_elsewhere or row.status == "open" or not row.is_unchecked
        ):
            next_row = reader.find_next_game_to_check(self.proposed_key, excluded_keys=games_open_elsewhere)
            self.proposed_key = next_row.key if next_row else ""

    def set_proposed_table(self, key: str) -> None:
        self.proposed_key = key
        self._update_preview()

    def focus_line(self) -> None:
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def fill_in_line_to_check_all(self) -> None:
        """Type "all" into the field. Enter then marks all results without doubts as checked."""
        self.line.setText(self._session.catalogue.text(C_("typed for all tables", "all")))
        self.line.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close_question_or_clear_text()
        else:
            super().keyPressEvent(event)

    # --- reading

    @property
    def expected_input(self) -> ExpectedJuryInput:
        if self.bar.correction is not None:
            return ExpectedJuryInput.EFFECT_SHOWN
        if self._is_asking_name:
            return ExpectedJuryInput.NAME_ASKED
        return ExpectedJuryInput.WORD_ASKED if self._word_questions else ExpectedJuryInput.TYPING

    def _close_impact_bar_and_update_preview(self) -> None:
        self.bar.close_bar()
        self._update_preview()

    def _update_preview(self) -> None:
        reader, line = self._reader, self.line.text()
        if not line.strip():
            self._preview = JuryLinePreview("")
        elif reader is None:
            self._preview = JuryLinePreview(*explain_empty_jury_page(self._session), tone="red")
        else:
            question = self._word_questions[0] if self._word_questions else None
            author = get_jury_member_today(self._session)
            self._preview = reader.preview_line(
                line, asked_row_and_word=question, key=self._session.make_row_id(), author=author
            )
        self._show_preview()

    def _show_preview(self) -> None:
        text, preview = self._session.catalogue.text, self._preview
        if self.author.is_marked_invalid:
            message = (
                text("This text cannot be a name: the program reads it as an entry for a table.")
                if self.author.name.text().strip()
                else text("Type your name first: it is recorded with your rulings.")
            )
            preview = JuryLinePreview(message, text("Esc cancels."), "red")
        elif self._is_asking_name:
            question = text("Who is making the rulings? Type your name under “Jury today”, once a day.")
            preview = JuryLinePreview(question, text("Enter continues the ruling, Esc cancels it."), "amber")
        elif not preview.text and preview.action is not JuryEnterKeyAction.HELP:
            preview = JuryLinePreview(*self._make_two_prompt_lines(), preview.tone)
        # The panel below shows it in full.
        details = "" if self.expected_input is ExpectedJuryInput.EFFECT_SHOWN else preview.second_line
        self.preview_label.show_preview(
            preview.text, details, colour=self._session.appearance.get_colour(preview.tone).name()
        )
        self.line.mark_invalid(is_invalid=preview.tone == "red")
        is_help = preview.action is JuryEnterKeyAction.HELP
        self.preview_label.setHidden(is_help)  # a small screen needs the space for all lines
        self._help.setVisible(is_help)
        row = self._reader.find_row(self.proposed_key) if self._reader else None
        self.line.setPlaceholderText(str(row.table) if row and not self._word_questions else "")
        if self.proposed_key != self._announced_key:
            self._announced_key = self.proposed_key
            self.table_proposed.emit()

    def _make_two_prompt_lines(self) -> tuple[str, str]:
        reader, text = self._reader, self._session.catalogue.text
        if reader is None:
            return explain_empty_jury_page(self._session) if self._session.is_open else ("", "")
        if self._word_questions and (question_row := reader.find_row(self._word_questions[0][0])) is not None:
            answer_hint = text(
                "Type the player (1 or 2) and the score of the turn, such as 2 48. If the word is valid, type ok "
                "instead. Esc cancels."
            )
            return reader.make_question_about_player_of_word(question_row, self._word_questions[0][1]), answer_hint
        undo = f"{self._last_message} &nbsp; <a href='undo'>{text('Undo')}</a>" if self._last_message else ""
        links = "   ·   ".join(
            filter(None, (self._make_link_to_change_ruling_author(), undo, reader.describe_tables_to_decide()))
        )
        row = reader.find_row(self.proposed_key)
        if row is None:
            sentences = (
                reader.explain_that_no_result_needs_checking(),
                describe_next_step_after_jury_work(self._session),
            )
            other_rounds = self._make_links_to_other_rounds(reader)
            return " ".join(filter(None, sentences)), "   ·   ".join(filter(None, (other_rounds, links)))
        if row.disputed is not None or row.status == "verdict":
            preview = reader.preview_line(str(row.table))
            return preview.text, preview.second_line
        return reader.describe_next_table(row), links or text("Type ? for help.")

    def _make_links_to_other_rounds(self, reader: JuryLineReader) -> str:
        index, division, item = reader.index, self._session.division, self._session.round
        if division is None or item is None or not is_result_checking_required_or_started(index):
            return ""
        waiting_tables: dict[int, list[int]] = {}
        for game in list_unchecked_games(index, division.id):
            if game.round != item.id:
                waiting_tables.setdefault(index.tournament.rounds[game.round].number, []).append(game.table)
        catalogue = self._session.catalogue
        return " · ".join(
            f"<a href='{ROUND}{number}'>"
            + catalogue.plural(
                "Round {round}: table {tables} is waiting for the jury",
                "Round {round}: tables {tables} are waiting for the jury",
                len(tables),
                round=number,
                tables=catalogue.format_numbers(tables),
            )
            + "</a>"
            for number, tables in waiting_tables.items()
        )

    # --- commands

    def _run_link_action(self, link: str) -> None:
        if link == LISTS:
            self.word_lists_requested.emit()
        elif link.startswith(ROUND):
            self._session.choose_round(int(link.removeprefix(ROUND)))
        elif link == SIGN:
            old, new = self._previous_name, get_jury_member_today(self._session)
            self._session.do(partial(commands.sign_rulings, old=old, new=new), quiet=True)
        else:
            self._session.undo()

    def _fill_in_proposed_table(self) -> None:
        row = self._reader.find_row(self.proposed_key) if self._reader else None
        if row is not None and not self._word_questions:
            self.line.setText(f"{row.table} ")

    def _submit_or_confirm_line(self, is_control_pressed: bool) -> None:
        if self.expected_input is ExpectedJuryInput.EFFECT_SHOWN:
            self.bar.confirm_correction()
            return
        row = self._reader.find_row(self.proposed_key) if self._reader else None
        if (
            not self.line.text().strip()
            and not self._word_questions
            and row is not None
            and self._reader is not None
        ):
            if is_control_pressed and row.status == "entered":
                self.fill_in_line_to_check_all()
                return
            self._preview = self._reader.preview_line(str(row.table), author=get_jury_member_today(self._session))
        self.submit_line(self._preview, is_control_pressed=is_control_pressed)

    def submit_line(self, preview: JuryLinePreview, *, is_control_pressed: bool = False) -> None:
        step = preview.choose_enter_key_action(
            get_jury_member_today(self._session), is_control_pressed=is_control_pressed
        )
        intent = preview.intent
        if step is JuryEnterKeyAction.ASK_AUTHOR:
            self.ask_jury_member_name(partial(self._submit_or_confirm_line, is_control_pressed))
        elif step is JuryEnterKeyAction.SAVE and preview.command is not None:
            self._run_command_or_show_effect(preview, preview.command)
        elif step is JuryEnterKeyAction.OPEN_SHEET and isinstance(intent, SheetOpeningLine):
            self.line.clear()
            self.sheet_requested.emit(intent.row.key, -1 if intent.number is None else intent.number)
        elif step is JuryEnterKeyAction.ASK_WORDS and isinstance(intent, WordLookupLine):
            self._word_questions = [(intent.row.key, word) for word in preview.invalid_words]
            self.proposed_key = intent.row.key
            self.line.clear()
            self._update_preview()
        elif step is JuryEnterKeyAction.NEXT_WORD:
            self._ask_player_of_next_wrong_word()
        elif step is JuryEnterKeyAction.CHOOSE_LIST and is_control_pressed:
            self.word_lists_requested.emit()
        elif step in {JuryEnterKeyAction.CONFIRM, JuryEnterKeyAction.CONTINUE}:
            self.line.end(False)
        else:
            self.line.selectAll()

    def _ask_player_of_next_wrong_word(self) -> None:
        self._word_questions = self._word_questions[1:]
        self.line.clear()
        self._update_preview()

    def _run_command_or_show_effect(self, preview: JuryLinePreview, command: partial[Tournament]) -> None:
        correction = preview.make_correction(self._session.index, self._session.catalogue)
        if correction is not None:
            self.bar.ask_to_confirm_or_run(correction, partial(self._run_command, preview))
            self._show_preview()
        else:
            self._run_command(preview, command)

    def _run_command(self, preview: JuryLinePreview, command: partial[Tournament]) -> None:
        self.line.setFocus()
        self.line.selectAll()  # the next text replaces it, even before this line is saved
        line = self.line.text()
        self._session.do(
            command,
            on_success=make_callback_unless_deleted(
                self, partial(self._show_saved_line_and_propose_table, preview, line, self._session.index)
            ),
            field=self.line,
            quiet=True,
        )

    def _describe_new_winner(self, game: GameId, before: TournamentIndex) -> str:
        index = self._session.index
        impact = assess_impact(
            before, index.tournament, index.get_division_of_round(index.tournament.games[game].round).id
        )
        change = next((winner_change for winner_change in impact.winners if winner_change.game == game), None)
        return (
            impact_sentences.describe_winner_change(change, index, self._session.catalogue)
            if change is not None
            else ""
        )

    def _show_saved_line_and_propose_table(
        self, preview: JuryLinePreview, line: str, before: TournamentIndex
    ) -> None:
        step, intent = self._session.desk.undoable_step, preview.intent
        self._last_step = step.seq if step else 0
        self._last_message = f"✓ {self._session.describe_step(step)}" if step else ""
        if isinstance(intent, (WordRulingLine, ResultCorrectionLine, VerdictDecisionLine)):
            winner = self._describe_new_winner(GameId(intent.row.key), before)
            self._last_message = "  ·  ".join(filter(None, (self._last_message, escape(winner))))
            self.proposed_key = intent.row.key
            self._replace_unusable_proposed_table()
        elif isinstance(intent, TablesCheckedLine) and len(intent.rows) == 1 and self._reader is not None:
            self._last_checked_key = intent.rows[0].key
            next_row = self._reader.find_next_game_to_check(
                self._last_checked_key, excluded_keys=self._games_open_elsewhere
            )
            self.proposed_key = next_row.key if next_row else ""
        if self.line.text() == line:
            self.line.clear()
        if self._word_questions and isinstance(intent, WordRulingLine):
            self._ask_player_of_next_wrong_word()
        else:
            self._update_preview()

    def _close_question_or_clear_text(self) -> None:
        if self.expected_input is ExpectedJuryInput.EFFECT_SHOWN:
            self.bar.close_bar()
            self._show_preview()
            self.line.setFocus()
        elif self.line.text():
            self.line.clear()
        elif self._word_questions:
            self._word_questions = []
            self._update_preview()
        else:
            self.leave_requested.emit()

    def cancel_open_question(self) -> bool:
        """Discard typed text or close the open question. Return False if it finds neither."""
        if self._is_asking_name:
            self.author.discard_typed_name()
            self._stop_asking_jury_member_name()
            return True
        # Typed text is discarded only if the field has the focus.
        has_input = self.line.hasFocus() if self.line.text() else bool(self._word_questions)
        if has_input or self.expected_input is ExpectedJuryInput.EFFECT_SHOWN:
            self._close_question_or_clear_text()
            return True
        return False

    # --- author

    @property
    def has_text_or_question(self) -> bool:
        return bool(self.line.text()) or self.expected_input is not ExpectedJuryInput.TYPING

    def ask_jury_member_name(self, on_name_known: Callable[[], None] | None = None) -> None:
        self._is_asking_name, self._on_name_known = True, on_name_known
        self.show()
        self.author.fill_in_and_focus_name()
        self._show_preview()

    def _stop_asking_jury_member_name(self) -> None:
        self._is_asking_name, self._on_name_known = False, None
        self.focus_line()
        self._update_preview()

    def _continue_after_name_entry(self, previous_name: str) -> None:
        self._is_asking_name, on_name_known, self._on_name_known = False, self._on_name_known, None
        self._previous_name = previous_name if previous_name != get_jury_member_today(self._session) else ""
        if self.author.name.hasFocus():
            self.focus_line()
        self._update_preview()
        if on_name_known is not None:
            on_name_known()

    def _make_link_to_change_ruling_author(self) -> str:
        count = (
            len(list_jury_decisions_by_author(self._session.tournament, self._previous_name))
            if self._previous_name
            else 0
        )
        if not count:
            return ""
        catalogue, name = self._session.catalogue, escape(get_jury_member_today(self._session))
        text = catalogue.plural(
            "{n} ruling is signed with the name {old}",
            "{n} rulings are signed with the name {old}",
            count,
            old=escape(self._previous_name),
        )
        return f"{text}: <a href='{SIGN}'>{catalogue.text('Change the name to {name}', name=name)}</a>"
