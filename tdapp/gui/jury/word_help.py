"""Panel for questions to the word list. It is hidden while the judge screen is open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from tdapp.domain import commands
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_, N_
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import FormLayout, LineEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.services import word_lists
from tdapp.services.word_lists import (
    WordAnswer,
    WordAnswerRow,
    WordQuestion,
    WordQuestionKind,
    answer_word_question,
)
from tdapp.services.worker import get_user_error_or_raise
from tdapp.storage.lexicon import EditionMetadata, Lexicon


class WordListStatus(QWidget):
    """The name of the word list in use, or why it cannot be used, with a button to choose one."""

    word_lists_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self._proposed_edition: EditionMetadata | None = None
        self._name = fields.make_label("", "body", wrap=True)
        self._practice_badge = fields.make_label(text("Practice list, not used by any federation"))
        self._practice_badge.setObjectName("badge")
        self._facts = fields.make_note_label()
        self._error = fields.make_label("", "error", wrap=True)
        self._rule_warnings_label = fields.make_label("", "warning", wrap=True)
        self._use_button = fields.make_button("", self.use_proposed_word_list)
        badge = fields.make_row(self._practice_badge, 1)
        lists = fields.make_button(text("Word lists…"), self.word_lists_requested.emit)
        buttons = fields.make_row(self._use_button, lists, 1)
        fields.make_column(
            self._name, badge, self._facts, self._rule_warnings_label, self._error, buttons, parent=self
        )

    def show_word_list_status(self) -> None:
        session, catalogue = self._session, self._session.catalogue
        edition_id, lexicon = session.word_list_edition_id, session.open_word_list()
        metadata = lexicon.metadata if lexicon else None
        missing = bool(edition_id) and metadata is None
        error = word_lists.describe_missing_word_list(catalogue, edition_id)
        self._name.setText(metadata.edition.name if metadata else error)
        self._facts.setText(
            "\n".join(word_lists.describe_edition_in_lines(catalogue, metadata)) if metadata else ""
        )
        warnings = word_lists.list_rule_warnings(catalogue, metadata, session.rules) if metadata else ()
        fields.show_text(self._rule_warnings_label, "\n".join(warnings))
        self._error.setText(error)
        self._name.setVisible(not missing)
        self._practice_badge.setVisible(metadata is not None and metadata.practice)
        self._facts.setVisible(metadata is not None)
        self._error.setVisible(missing)
        language = session.rules.language
        proposed_edition = (
            None
            if metadata
            else word_lists.find_only_edition_in_language(session.library.list_editions(), language)
        )
        if proposed_edition is not None and word_lists.list_rule_warnings(
            catalogue, proposed_edition, session.rules
        ):
            proposed_edition = None  # only the panel of word lists shows the warnings
        self._proposed_edition = proposed_edition
        self._use_button.setVisible(proposed_edition is not None and session.is_editable)
        if proposed_edition is not None:
            name = proposed_edition.edition.name
            short_name = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, UNIT * 20)
            self._use_button.setText(catalogue.text("Use the word list {name}", name=short_name))
            self._use_button.setToolTip(name)

    def use_proposed_word_list(self) -> None:
        if self._proposed_edition is None:
            return
        division = self._session.division
        edition_id = self._proposed_edition.id
        title = self._proposed_edition.edition.name
        if division is not None and division.ruleset is not None:  # the division has rules of its own
            command = partial(
                commands.choose_division_wordlist, division=division.id, wordlist=edition_id, title=title
            )
            self._session.do(command)
        else:
            self._session.do(partial(commands.choose_wordlist, wordlist=edition_id, title=title))


ICON_SIZE = QSize(24, 24)
JUDGING = N_("Words are not shown while the judge screen is open.")
_SIGNS: Mapping[WordVerdict, tuple[str, str]] = {
    WordVerdict.VALID: ("check", "green"),
    WordVerdict.INVALID: ("close", "red"),
    WordVerdict.NOT_BINDING: ("info", "amber"),
}


class WordHelpPanel(Panel):
    """Answers questions about words, one at a time in the background."""

    word_lists_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Words"), width=UNIT * 60)
        text = session.catalogue.text
        self._latest_question: WordQuestion | None = None
        self._is_searching = False
        self._verdict: WordVerdict | None = None
        self.fields = {
            WordQuestionKind.WORD: LineEdit(
                text("Word"), placeholder=text("One word, or several separated by spaces")
            ),
            WordQuestionKind.RACK: LineEdit(
                text(C_("word search", "Rack")), placeholder=text(C_("word search", "? is a blank"))
            ),
            WordQuestionKind.PATTERN: LineEdit(
                text(C_("word search", "Pattern")), placeholder=text("? is one letter, * any number of letters")
            ),
        }
        self.parts = fields.make_check_box(text("Include shorter words"))
        self._build_panel()
        for kind, field in self.fields.items():
            field.textEdited.connect(partial(self._ask_typed_question, kind))
            field.returnPressed.connect(field.selectAll)
        self.parts.toggled.connect(self._ask_about_rack_again)
        self.view.row_activated.connect(self._look_up_word_of_row)
        session.appearance.changed.connect(self._show_verdict_sign)
        self.setFocusProxy(self.fields[WordQuestionKind.WORD])

    def find_unsaved_field(self) -> None:
        """Return None: the loss of a typed question does no harm."""

    def refresh_panel(self) -> None:
        session, catalogue = self.session, self.session.catalogue
        lexicon, error = self._open_lexicon(), catalogue.text(JUDGING)
        if not session.is_judge_screen_open:
            error = (
                "" if lexicon else word_lists.describe_missing_word_list(catalogue, session.word_list_edition_id)
            )
        fields.show_text(self._error, error)
        self._lists.setVisible(bool(error) and not session.is_judge_screen_open)
        self._help.setVisible(lexicon is not None)
        self._space.setVisible(lexicon is None)
        if lexicon is not None:
            self._edition.setText(lexicon.edition.name)
            self._badge.setVisible(lexicon.metadata.practice)
            self._facts_label.setText("\n".join(word_lists.describe_edition_in_lines(catalogue, lexicon.metadata)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and not self.view.hasFocus() and self.rows.keys():
            self.view.setFocus()
            self.view.select_row(self.rows.keys()[0])
        else:
            super().keyPressEvent(event)

    # --- queries

    def look_up_word(self, word: str) -> None:
        self.fields[WordQuestionKind.WORD].setText(word)
        self._ask_typed_question(WordQuestionKind.WORD, word)

    def _ask_typed_question(self, kind: WordQuestionKind, text: str) -> None:
        for other_kind, field in self.fields.items():
            if other_kind is not kind:
                field.clear()
        if text.strip():
            self._ask_lexicon(
                WordQuestion(
                    kind, text.strip(), allow_fewer_tiles=self.parts.isChecked() and kind is WordQuestionKind.RACK
                )
            )
        else:
            self._latest_question = None
            self._show_answer(None, WordAnswer())

    def _ask_about_rack_again(self) -> None:
        rack = self.fields[WordQuestionKind.RACK]
        if rack.text():
            self._ask_typed_question(WordQuestionKind.RACK, rack.text())
        rack.setFocus()

    def _look_up_word_of_row(self, key: str) -> None:
        row: WordAnswerRow | None = self.rows.find_row_by_key(key)
        if row is not None:
            self.look_up_word(row.word)
            self.fields[WordQuestionKind.WORD].setFocus()
            self.fields[WordQuestionKind.WORD].selectAll()

    def _open_lexicon(self) -> Lexicon | None:
        return None if self.session.is_judge_screen_open else self.session.open_word_list()

    def _ask_lexicon(self, question: WordQuestion) -> None:
        self._latest_question = question
        lexicon = self._open_lexicon()
        if lexicon is None:
            self.refresh_panel()
        elif not self._is_searching:
            self._is_searching = True
            self.session.run_in_background(
                partial(answer_word_question, lexicon.path, question, self.session.rules.words),
                on_success=partial(self._show_answer_if_newest, question), label=self.text("Searching for words"),
                on_error=partial(self._show_error_if_question_is_newest, question),
                on_stop=self._clear_searching_flag,
            )  # fmt: skip

    def _show_answer_if_newest(self, question: WordQuestion, answer: WordAnswer) -> None:
        if self._finish_search_and_check_newest(question):
            self._show_answer(question, answer)

    def _show_error_if_question_is_newest(self, question: WordQuestion, error: Exception) -> None:
        error_text = self.session.catalogue.describe_error(get_user_error_or_raise(error))
        if self._finish_search_and_check_newest(question):
            self._show_answer(question, WordAnswer(), error_text)

    def _clear_searching_flag(self) -> None:
        self._is_searching = False

    def _finish_search_and_check_newest(self, question: WordQuestion) -> bool:
        if not isValid(self) or not self.session.is_open:
            return False
        self._is_searching = False
        newest = self._latest_question
        if newest is not None and newest != question:
            self._ask_lexicon(newest)
        return newest == question and not self.session.is_judge_screen_open

    # --- display

    def _show_answer(self, question: WordQuestion | None, answer: WordAnswer, error: str = "") -> None:
        self._verdict = answer.verdict
        self._summary_label.setText(self._describe_answer(question, answer) if question and not error else "")
        fields.set_label_style(self._summary_label, "lead" if answer.verdict else "muted")
        fields.show_text(self._search_error_label, error)
        self._show_verdict_sign()
        self.rows.show_table(Table("words", _choose_answer_columns(answer), answer.rows))
        self.view.set_empty_text("" if error else self._explain_empty_answer_list(question))
        self.view.scrollToTop()

    def _show_verdict_sign(self) -> None:
        self._verdict_icon.setVisible(self._verdict is not None)
        if self._verdict is not None:
            icon = self.session.appearance.make_icon(*_SIGNS[self._verdict])
            self._verdict_icon.setPixmap(icon.pixmap(ICON_SIZE, self.devicePixelRatioF()))

    def _explain_empty_answer_list(self, question: WordQuestion | None) -> str:
        if question is None:
            return self.text("Type a word, the tiles of a rack, or a pattern.")
        if question.kind is WordQuestionKind.WORD:
            return self.text("No letter before or after this word makes another word.")
        return self.text("No word found.")

    def _describe_answer(self, question: WordQuestion, answer: WordAnswer) -> str:
        catalogue = self.session.catalogue
        if answer.verdict is not None:
            verdict_text = catalogue.text(
                "{word}: {verdict:code}", word=question.text.upper(), verdict=answer.verdict
            )
            return f"{verdict_text}\n{answer.note}" if answer.note else verdict_text
        if answer.is_truncated:
            return catalogue.text("These are the first {n} words. The list has more.", n=len(answer.rows))
        if question.kind is WordQuestionKind.WORD:
            valid_count = sum(row.verdict is WordVerdict.VALID for row in answer.rows)
            return catalogue.text("Valid: {n} of {all} words", n=valid_count, all=len(answer.rows))
        return catalogue.plural("{n} word", "{n} words", len(answer.rows))

    def _build_panel(self) -> None:
        session, text = self.session, self.session.catalogue.text
        self._error = fields.make_label("", "error", wrap=True)
        self._lists = fields.make_button(text("Word lists…"), self.word_lists_requested.emit)
        self._edition = fields.make_label("", "lead", wrap=True)
        self._badge = fields.make_label(text("Practice list, not used by any federation"))
        self._badge.setObjectName("badge")
        self._facts_label = fields.make_note_label()
        self._verdict_icon = QLabel()
        self._verdict_icon.hide()
        self._summary_label = fields.make_label("", "lead", wrap=True)
        self._search_error_label = fields.make_label("", "error", wrap=True)
        self._search_error_label.hide()
        hooks = {
            "before": text(C_("hook letter", "before the word")),
            "behind": text(C_("hook letter", "after the word")),
        }
        self.rows = TableRowsModel(session.catalogue, shown_texts={"hook": lambda row: hooks.get(row.hook, "")})
        self.view = TableView(
            self.rows,
            appearance=session.appearance,
            name=text("Words found"),
            empty=self._explain_empty_answer_list(None),
        )
        self.view.set_widths({"letters": 72, "hook": 128, "verdict": 218}, stretch=("word",))
        form = FormLayout(self.fields[WordQuestionKind.WORD], self.fields[WordQuestionKind.RACK])
        form.addWidget(self.parts, form.rowCount(), 1)
        form.add_field(self.fields[WordQuestionKind.PATTERN])
        edition_row = fields.make_row(self._edition, self._badge, wide=self._edition)
        summary = fields.make_row(self._verdict_icon, self._summary_label, wide=self._summary_label)
        hint = fields.make_label(
            text("Enter: type the next word · ↓: go to the list, where Enter looks up the selected word"), "muted"
        )
        parts = (edition_row, self._facts_label, -1, form, -1, summary, self._search_error_label, self.view, hint)
        self._help = fields.wrap_in_widget(fields.make_column(*parts, wide=self.view))
        self._space = QWidget()
        fields.add_parts_to_layout(
            self.body, self._error, fields.make_row(self._lists, 1), self._help, self._space, wide=self._help
        )
        self.body.setStretchFactor(self._space, 1)


def _choose_answer_columns(answer: WordAnswer) -> tuple[Column[WordAnswerRow], ...]:
    note_columns = (
        make_columns_from_row_attributes(ColumnKind.TEXT, "note") if any(row.note for row in answer.rows) else ()
    )
    if any(row.verdict for row in answer.rows):
        return (
            *make_columns_from_row_attributes(ColumnKind.TEXT, "word"),
            *make_columns_from_row_attributes(ColumnKind.CODE, "verdict"),
            *note_columns,
        )
    hooks = (
        make_columns_from_row_attributes(ColumnKind.TEXT, "hook") if any(row.hook for row in answer.rows) else ()
    )
    return (
        *make_columns_from_row_attributes(ColumnKind.TEXT, "word"),
        *make_columns_from_row_attributes(ColumnKind.NUMBER, "letters"),
        *hooks,
        *note_columns,
    )
