"""Panel for questions to the word list. It is hidden while the judge screen is open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from tdapp.domain import commands
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_attribute_columns
from tdapp.domain.translatable import C_, N_
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Form, LineEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.services import word_lists
from tdapp.services.word_lists import WordAnswer, WordQuestion, WordQuestionKind, WordRow, answer_word_question
from tdapp.services.worker import get_user_error_or_raise
from tdapp.storage.lexicon import EditionMetadata, Lexicon


class WordListNote(QWidget):
    """The name of the word list in use, or why it cannot be used, with a button to choose one."""

    lists = Signal()  # open the word lists

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self._proposed: EditionMetadata | None = None
        self._name = fields.label("", "body", wrap=True)
        self._practice = fields.label(text("Practice list, used by no federation"))
        self._practice.setObjectName("badge")
        self._facts = fields.note()
        self._error = fields.label("", "error", wrap=True)
        self._misfits = fields.label("", "warning", wrap=True)
        self._take = fields.button("", self.use_proposed_word_list)
        badge, lists = fields.row(self._practice, 1), fields.button(text("Word lists…"), self.lists.emit)
        buttons = fields.row(self._take, lists, 1)
        fields.column(self._name, badge, self._facts, self._misfits, self._error, buttons, parent=self)

    def show_word_list(self) -> None:
        session, catalogue = self._session, self._session.catalogue
        wanted, lexicon = session.edition_id, session.open_word_list()
        metadata = lexicon.metadata if lexicon else None
        missing, error = (
            bool(wanted) and metadata is None,
            word_lists.describe_missing_word_list(catalogue, wanted),
        )
        self._name.setText(metadata.edition.name if metadata else error)
        self._facts.setText("\n".join(word_lists.list_edition_facts(catalogue, metadata)) if metadata else "")
        found = word_lists.list_rule_warnings(catalogue, metadata, session.rules) if metadata else ()
        fields.show_text(self._misfits, "\n".join(found))
        self._error.setText(error)
        self._name.setVisible(not missing)
        self._practice.setVisible(metadata is not None and metadata.practice)
        self._facts.setVisible(metadata is not None)
        self._error.setVisible(missing)
        language = session.rules.language
        proposed = None if metadata else word_lists.propose_edition(session.library.list_editions(), language)
        if proposed is not None and word_lists.list_rule_warnings(catalogue, proposed, session.rules):
            proposed = None  # the panel of word lists explains and asks
        self._proposed = proposed
        self._take.setVisible(proposed is not None and session.is_editable)
        if proposed is not None:
            name = proposed.edition.name
            short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, UNIT * 20)
            self._take.setText(catalogue.text("Use the word list {name}", name=short))
            self._take.setToolTip(name)

    def use_proposed_word_list(self) -> None:
        if self._proposed is None:
            return
        division, wanted, title = self._session.division, self._proposed.id, self._proposed.edition.name
        if division is not None and division.ruleset is not None:  # use the language of the list
            own = partial(commands.choose_division_wordlist, division=division.id, wordlist=wanted, title=title)
            self._session.do(own)
        else:
            self._session.do(partial(commands.choose_wordlist, wordlist=wanted, title=title))


ICON = QSize(24, 24)
JUDGING = N_("Words are not shown while the judge screen is open.")
_SIGNS: Mapping[WordVerdict, tuple[str, str]] = {
    WordVerdict.VALID: ("check", "green"),
    WordVerdict.INVALID: ("close", "red"),
    WordVerdict.NOT_BINDING: ("info", "amber"),
}


class WordHelpPanel(Panel):
    """Answers questions about words, one at a time in the background."""

    lists = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Words"), width=UNIT * 60)
        text = session.catalogue.text
        self._newest: WordQuestion | None = None
        self._asking = False
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
        self.parts = fields.check_box(text("Include shorter words"))
        self._build_panel()
        for ask, field in self.fields.items():
            field.textEdited.connect(partial(self._ask_typed_question, ask))
            field.returnPressed.connect(field.selectAll)
        self.parts.toggled.connect(self._ask_about_rack_again)
        self.view.row_activated.connect(self._look_up_word_of_row)
        session.look.changed.connect(self._show_verdict_sign)
        self.setFocusProxy(self.fields[WordQuestionKind.WORD])

    def find_unsaved_field(self) -> None:
        """Return None: questions are not saved."""

    def refresh_panel(self) -> None:
        session, catalogue = self.session, self.session.catalogue
        lexicon, error = self._open_lexicon(), catalogue.text(JUDGING)
        if not session.is_judge_screen_open:
            error = "" if lexicon else word_lists.describe_missing_word_list(catalogue, session.edition_id)
        fields.show_text(self._error, error)
        self._lists.setVisible(bool(error) and not session.is_judge_screen_open)
        self._help.setVisible(lexicon is not None)
        self._space.setVisible(lexicon is None)
        if lexicon is not None:
            self._edition.setText(lexicon.edition.name)
            self._badge.setVisible(lexicon.metadata.practice)
            self._about.setText("\n".join(word_lists.list_edition_facts(catalogue, lexicon.metadata)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and not self.view.hasFocus() and self.rows.keys():
            self.view.setFocus()
            self.view.choose(self.rows.keys()[0])
        else:
            super().keyPressEvent(event)

    # --- queries

    def look_up_word(self, word: str) -> None:
        self.fields[WordQuestionKind.WORD].setText(word)
        self._ask_typed_question(WordQuestionKind.WORD, word)

    def _ask_typed_question(self, kind: WordQuestionKind, typed: str) -> None:
        for other, field in self.fields.items():
            if other is not kind:
                field.clear()
        if typed.strip():
            self._ask_lexicon(
                WordQuestion(kind, typed.strip(), parts=self.parts.isChecked() and kind is WordQuestionKind.RACK)
            )
        else:
            self._newest = None
            self._show_answer(None, WordAnswer())

    def _ask_about_rack_again(self) -> None:
        rack = self.fields[WordQuestionKind.RACK]
        if rack.text():
            self._ask_typed_question(WordQuestionKind.RACK, rack.text())
        rack.setFocus()

    def _look_up_word_of_row(self, key: str) -> None:
        row: WordRow | None = self.rows.row(key)
        if row is not None:
            self.look_up_word(row.word)
            self.fields[WordQuestionKind.WORD].setFocus()
            self.fields[WordQuestionKind.WORD].selectAll()

    def _open_lexicon(self) -> Lexicon | None:
        return None if self.session.is_judge_screen_open else self.session.open_word_list()

    def _ask_lexicon(self, question: WordQuestion) -> None:
        self._newest = question
        lexicon = self._open_lexicon()
        if lexicon is None:
            self.refresh_panel()
        elif not self._asking:
            self._asking = True
            self.session.run_in_background(
                partial(answer_word_question, lexicon.path, question, self.session.rules.words),
                on_success=partial(self._show_answer_if_newest, question), label=self.text("Searching words"),
                on_error=partial(self._show_error_if_newest, question), on_stop=self._handle_stopped_search,
            )  # fmt: skip

    def _show_answer_if_newest(self, question: WordQuestion, found: WordAnswer) -> None:
        if self._finish_question_and_ask_newer(question):
            self._show_answer(question, found)

    def _show_error_if_newest(self, question: WordQuestion, error: Exception) -> None:
        wrong = self.session.catalogue.error(get_user_error_or_raise(error))
        if self._finish_question_and_ask_newer(question):
            self._show_answer(question, WordAnswer(), wrong)

    def _handle_stopped_search(self) -> None:
        self._asking = False

    def _finish_question_and_ask_newer(self, question: WordQuestion) -> bool:
        if not isValid(self) or not self.session.is_open:
            return False
        self._asking = False
        newest = self._newest
        if newest is not None and newest != question:
            self._ask_lexicon(newest)
        return newest == question and not self.session.is_judge_screen_open

    # --- display

    def _show_answer(self, question: WordQuestion | None, found: WordAnswer, error: str = "") -> None:
        self._verdict = found.verdict
        self._summary_label.setText(self._describe_answer(question, found) if question and not error else "")
        fields.set_label_kind(self._summary_label, "lead" if found.verdict else "muted")
        fields.show_text(self._wrong, error)
        self._show_verdict_sign()
        self.rows.show_table(Table("words", _choose_answer_columns(found), found.rows))
        self.view.set_empty_text("" if error else self._describe_empty_list(question))
        self.view.scrollToTop()

    def _show_verdict_sign(self) -> None:
        self._sign.setVisible(self._verdict is not None)
        if self._verdict is not None:
            icon = self.session.look.make_icon(*_SIGNS[self._verdict])
            self._sign.setPixmap(icon.pixmap(ICON, self.devicePixelRatioF()))

    def _describe_empty_list(self, question: WordQuestion | None) -> str:
        if question is None:
            return self.text("Type a word, the tiles of a rack, or a pattern.")
        if question.kind is WordQuestionKind.WORD:
            return self.text("No letter before or after this word makes another word.")
        return self.text("No word found.")

    def _describe_answer(self, question: WordQuestion, found: WordAnswer) -> str:
        catalogue = self.session.catalogue
        if found.verdict is not None:
            judged = catalogue.text("{word}: {verdict:code}", word=question.text.upper(), verdict=found.verdict)
            return f"{judged}\n{found.note}" if found.note else judged
        if found.is_truncated:
            return catalogue.text("These are the first {n} words. The list has more.", n=len(found.rows))
        if question.kind is WordQuestionKind.WORD:
            valid = sum(row.verdict is WordVerdict.VALID for row in found.rows)
            return catalogue.text("Valid: {n} of {all} words", n=valid, all=len(found.rows))
        return catalogue.plural("{n} word", "{n} words", len(found.rows))

    def _build_panel(self) -> None:
        session, text = self.session, self.session.catalogue.text
        self._error = fields.label("", "error", wrap=True)
        self._lists = fields.button(text("Word lists…"), self.lists.emit)
        self._edition = fields.label("", "lead", wrap=True)
        self._badge = fields.label(text("Practice list, used by no federation"))
        self._badge.setObjectName("badge")
        self._about = fields.note()
        self._sign = QLabel()
        self._sign.hide()
        self._summary_label = fields.label("", "lead", wrap=True)
        self._wrong = fields.label("", "error", wrap=True)
        self._wrong.hide()
        hooks = {
            "before": text(C_("hook letter", "before the word")),
            "behind": text(C_("hook letter", "after the word")),
        }
        self.rows = TableRowsModel(session.catalogue, shown_texts={"hook": lambda row: hooks.get(row.hook, "")})
        self.view = TableView(
            self.rows, look=session.look, name=text("Words found"), empty=self._describe_empty_list(None)
        )
        self.view.set_widths({"letters": 72, "hook": 128, "verdict": 218}, stretch=("word",))
        form = Form(self.fields[WordQuestionKind.WORD], self.fields[WordQuestionKind.RACK])
        form.addWidget(self.parts, form.rowCount(), 1)
        form.add_field(self.fields[WordQuestionKind.PATTERN])
        named = fields.row(self._edition, self._badge, wide=self._edition)
        summary = fields.row(self._sign, self._summary_label, wide=self._summary_label)
        hint = fields.label(
            text("Enter: type the next word · ↓: go to the list, where Enter looks up the selected word"), "muted"
        )
        parts = (named, self._about, -1, form, -1, summary, self._wrong, self.view, hint)
        self._help = fields.wrap_in_widget(fields.column(*parts, wide=self.view))
        self._space = QWidget()
        fields.fill_layout(
            self.body, self._error, fields.row(self._lists, 1), self._help, self._space, wide=self._help
        )
        self.body.setStretchFactor(self._space, 1)


def _choose_answer_columns(found: WordAnswer) -> tuple[Column[WordRow], ...]:
    noted = make_attribute_columns(ColumnKind.TEXT, "note") if any(row.note for row in found.rows) else ()
    if any(row.verdict for row in found.rows):
        return (
            *make_attribute_columns(ColumnKind.TEXT, "word"),
            *make_attribute_columns(ColumnKind.CODE, "verdict"),
            *noted,
        )
    hooks = make_attribute_columns(ColumnKind.TEXT, "hook") if any(row.hook for row in found.rows) else ()
    return (
        *make_attribute_columns(ColumnKind.TEXT, "word"),
        *make_attribute_columns(ColumnKind.NUMBER, "letters"),
        *hooks,
        *noted,
    )
