"""The panel of the word lists on this computer. An import continues if the panel is closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QProgressBar, QStackedWidget, QWidget
from shiboken6 import isValid

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.model import Division
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.exchange.wordlist import PracticeWordList
from tdapp.gui.editor.fields import make_tournament_or_division_choice
from tdapp.gui.jury.word_list_views import LANGUAGES, CompareEditionsDialog, WordListImportForm
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_existing_file
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.catalogue import TICK
from tdapp.services import word_lists
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise
from tdapp.storage.lexicon import EditionMetadata
from tdapp.storage.library import StoredWordListEdition

T = TypeVar("T")
PROGRESS_INTERVAL = 100  # milliseconds between two updates of the progress


class EditionRow(Struct, frozen=True):
    """A row of the list: an edition of a word list."""

    key: str
    name: str  # with a mark if the edition is damaged, for practice or in use
    language: str
    date: str
    words: int | None  # None if the file is damaged
    damaged: bool = False


class WordListsPanel(Panel):
    """Lists the word lists, or shows the form to import one."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Word lists"), width=UNIT * 60)
        self._task: BackgroundTask | None = None
        self._form: WordListImportForm | None = None
        self._stored: dict[str, StoredWordListEdition] = {}
        self._bar = QProgressBar(textVisible=False, maximum=1000)
        self._bar.setAccessibleName(session.catalogue.text(C_("import", "Progress")))
        self._task_label = fields.make_label("", "muted")
        self._timer = QTimer(self, interval=PROGRESS_INTERVAL)
        self._timer.timeout.connect(self._update_progress)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_page_with_word_lists())
        fields.add_parts_to_layout(self.body, self._stack, self._build_progress_bar(), wide=self._stack)
        self.setFocusProxy(self.view)

    # --- display

    def refresh_panel(self) -> None:
        session = self.session
        editions = word_lists.sort_editions_by_preference(
            session.library.list_editions(), self._get_rules_of_chosen_division().language
        )
        self._stored = {str(edition.path): edition for edition in editions}
        self.rows.show_table(Table("editions", _COLUMNS, tuple(map(self._make_edition_row, editions))))
        edition_id = self._get_effective_edition_id()
        if not self.view.get_current_row_key() and editions:
            self.view.select_row(self._find_row_key_of_edition(edition_id) or self.rows.keys()[0])
        self._show_practice_lists(editions)
        self._error.setVisible(bool(edition_id) and not self._find_row_key_of_edition(edition_id))
        self._error.setText(word_lists.describe_missing_word_list(session.catalogue, edition_id))
        self._show_selected_edition()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._form is not None:
            self.close_import_form()
        else:
            super().keyPressEvent(event)

    def _make_edition_row(self, stored: StoredWordListEdition) -> EditionRow:
        text, metadata, key = self.session.catalogue.text, stored.metadata, str(stored.path)
        if metadata is None:
            return EditionRow(key, text("{name} (damaged)", name=stored.path.name), "", "", None, damaged=True)
        edition = metadata.edition
        name = text("{name} (practice list)", name=edition.name) if metadata.practice else edition.name
        if metadata.id == self._get_effective_edition_id():
            name = f"{TICK} {name}"
        catalogue = self.session.catalogue
        language = word_lists.get_language_name(catalogue, edition.language)
        day = catalogue.format_short_date(edition.date, "yMd")
        return EditionRow(key, name, language, day, metadata.words)

    def _show_selected_edition(self, _key: str = "") -> None:
        stored, catalogue = self._get_selected_edition(), self.session.catalogue
        edition_buttons = (self._supplement_button, self._compare_button, self._check_button)
        self._rule_warnings_label.hide()
        for part in (self._facts_label, self._name, self._use_button, self._remove_button, *edition_buttons):
            part.setVisible(stored is not None)
        metadata = stored.metadata if stored is not None else None
        if stored is not None:
            self._name.setText(metadata.edition.name if metadata else stored.path.name)
            self._facts_label.setText(self._describe_edition(stored))
            fields.show_text(self._rule_warnings_label, "\n".join(self._list_rule_warnings(stored)))
        self._practice_badge.setVisible(metadata is not None and metadata.practice)
        if metadata is not None and metadata.id == self._get_edition_id_of_chosen_scope():
            self._use_button.setText(catalogue.text("Stop using this word list"))
        elif (division := self._get_chosen_division()) is not None:
            self._use_button.setText(catalogue.text("Use in division {code}", code=division.code))
        else:
            self._use_button.setText(catalogue.text("Use in this tournament"))
        self._use_button.setEnabled(metadata is not None and self.session.is_editable)
        for part in edition_buttons:
            part.setEnabled(metadata is not None and self._task is None)
        self._compare_button.setEnabled(stored is not None and bool(self._list_other_editions(stored)))
        self._remove_button.setEnabled(stored is not None and self._task is None)
        for button in (self._import_button, self._add_button, self._add_practice_button, self._practice_choice):
            button.setEnabled(self._task is None)

    def _list_rule_warnings(self, stored: StoredWordListEdition) -> tuple[str, ...]:
        metadata = stored.metadata
        return (
            word_lists.list_rule_warnings(self.session.catalogue, metadata, self._get_rules_of_chosen_division())
            if metadata
            else ()
        )

    def _describe_edition(self, stored: StoredWordListEdition) -> str:
        catalogue, metadata = self.session.catalogue, stored.metadata
        if metadata is None:
            return catalogue.describe_error(stored.error) if stored.error else ""
        lines = [*word_lists.describe_edition_in_lines(catalogue, metadata)]
        if metadata.id == self._get_effective_edition_id():
            lines.append(catalogue.text("The jury of this tournament uses this word list."))
        if metadata.imported:
            lines.append(
                catalogue.text("List number {id} · imported {date:date}", id=metadata.id, date=metadata.imported)
            )
        else:
            lines.append(catalogue.text(C_("word list", "List number {id}"), id=metadata.id))
        return "\n".join(lines)

    def _show_practice_lists(self, editions: tuple[StoredWordListEdition, ...]) -> None:
        catalogue, language = self.session.catalogue, self._get_rules_of_chosen_division().language
        lists = word_lists.list_offered_practice_lists(self.session.resources, language, editions)
        values = [
            (
                practice_list,
                f"{practice_list.name} ({word_lists.get_language_name(catalogue, practice_list.language)})",
            )
            for practice_list in lists
        ]
        self._practice_choice.set_choices(values, self._practice_choice.value())
        self._practice_row.setVisible(bool(lists))

    # --- actions

    def toggle_use_of_edition(self) -> None:
        """Use the selected edition, or stop using it. Ask before using an edition that does not fit the rules."""
        stored = self._get_selected_edition()
        if stored is None or stored.metadata is None or not self.session.is_editable:
            return
        warnings = word_lists.list_rule_warnings(
            self.session.catalogue, stored.metadata, self._get_rules_of_chosen_division()
        )
        if warnings and stored.metadata.id != self._get_edition_id_of_chosen_scope():
            UnsuitableEditionDialog(
                self.session,
                stored.metadata.edition.name,
                warnings,
                self._toggle_use_of_edition_without_asking,
                self.window(),
            ).open()
        else:
            self._toggle_use_of_edition_without_asking()

    def _toggle_use_of_edition_without_asking(self) -> None:
        stored = self._get_selected_edition()
        if stored is not None and stored.metadata is not None:
            division, edition_id = self._get_chosen_division(), stored.metadata.id
            is_in_use = edition_id == self._get_edition_id_of_chosen_scope()
            title = "" if is_in_use else stored.metadata.edition.name
            if division is None:
                wordlist = "" if is_in_use else edition_id
                self.session.do(partial(commands.choose_wordlist, wordlist=wordlist, title=title))
            else:
                command = partial(commands.choose_division_wordlist, division=division.id, title=title)
                self.session.do(partial(command, wordlist=None if is_in_use else edition_id))

    def open_import_form(self, source: Path, base: StoredWordListEdition | None = None) -> None:
        """Show the form to import a word list. If `base` is given, the file has only changes to `base`."""
        session = self.session
        lists = session.resources.practice_lists
        practice_list = next((item for item in lists if item.path == source.resolve()), None)
        base_metadata = base.metadata if base else None
        default_language = (
            base_metadata.edition.language if base_metadata else self._get_rules_of_chosen_division().language
        )
        source_language = practice_list.language if practice_list else default_language
        language = next(
            (code for code in LANGUAGES if word_lists.is_same_language(code, source_language)), LANGUAGES[0]
        )
        names = practice_list is None or practice_list.is_language_with_capitalised_nouns
        practice = practice_list is not None
        form = WordListImportForm(
            session, source, practice=practice, language=language, keep_capitalised_words=names, base=base
        )
        form.options_changed.connect(self.read_import_file)
        form.import_requested.connect(self.import_word_list)
        form.leave_requested.connect(self.close_import_form)
        self._form = form
        self._stack.addWidget(form)
        self._stack.setCurrentWidget(form)
        self.heading.setText(session.catalogue.text("Import a word list"))
        form.name.setFocus()
        form.name.selectAll()
        self.read_import_file()

    def read_import_file(self) -> None:
        form = self._form
        if form is None:
            return
        if self._task is not None:
            self._task.cancel_work()
        form.show_preview(None)
        self._begin_task(
            self.text("Reading {name}", name=form.source.name),
            partial(form.make_preview, form.get_options()),
            on_success=make_callback_unless_deleted(form, form.show_preview),
            on_error=make_callback_unless_deleted(form, form.show_read_error),
            on_stop=make_callback_unless_deleted(form, partial(self._show_stopped_import, form)),
        )

    def import_word_list(self) -> None:
        form = self._form
        if form is None or form.preview is None or self._task is not None:
            return
        word_list = form.preview.word_list
        try:
            edition = form.make_edition(word_list.source_hash)
        except UserError as error:
            self.session.show_error(error, form.find_field_of_error(error))
            return
        call = partial(
            word_lists.add_new_word_list, self.session.library, word_list, edition,
            accept_hyphens_and_apostrophes=form.joints.isChecked(), practice=form.practice.isChecked(),
            printable=form.printable.isChecked(),
        )  # fmt: skip
        form.setEnabled(False)
        label = self.text("Importing {name}", name=edition.name)
        self._begin_task(
            label, call, on_success=self._show_imported_edition, on_error=partial(self._show_import_error, form)
        )

    def close_import_form(self) -> None:
        form, self._form = self._form, None
        if form is None:
            return
        self.cancel_task()
        self._stack.setCurrentIndex(0)
        self._stack.removeWidget(form)
        form.deleteLater()
        self.heading.setText(self.text("Word lists"))
        self.view.setFocus()

    def _ask_file_and_call_with_path(self, title: str, pattern: str, use_path: Callable[[Path], None]) -> None:
        if path := ask_existing_file(self, self.session, title, pattern):
            use_path(path)

    def import_edition_file(self, source: Path) -> None:
        label = self.text("Checking {name}", name=source.name)
        self._begin_task(
            label, partial(self.session.library.import_edition, source), on_success=self._show_imported_edition
        )

    def add_practice_list(self) -> None:
        item: PracticeWordList | None = self._practice_choice.value()
        if item is not None:
            accepts_hyphens = word_lists.can_words_have_hyphens(self._get_rules_of_chosen_division())
            label = self.text("Importing {name}", name=item.name)
            call = partial(
                word_lists.add_practice_list,
                self.session.library,
                item,
                accept_hyphens_and_apostrophes=accepts_hyphens,
            )
            self._begin_task(label, call, on_success=self._show_imported_edition)

    def ask_path_and_open_supplement_form(self) -> None:
        pattern = self.text("Plain lists (*.txt *.lst *.csv);;All files (*)")
        self._ask_file_and_call_with_path(
            self.text("Choose a file with the words to add or remove"),
            pattern,
            partial(self.open_import_form, base=self._get_selected_edition()),
        )

    def open_compare_editions_dialog(self) -> None:
        stored = self._get_selected_edition()
        if stored is not None:
            CompareEditionsDialog(self.session, stored, self._list_other_editions(stored), self.window()).open()

    def _list_other_editions(self, stored: StoredWordListEdition) -> list[StoredWordListEdition]:
        language = stored.metadata.edition.language if stored.metadata else ""
        other_editions = [
            edition for edition in self._stored.values() if edition.metadata is not None and edition is not stored
        ]
        return sorted(
            other_editions,
            key=lambda edition: edition.metadata is None or edition.metadata.edition.language != language,
        )

    def verify_edition(self) -> None:
        stored = self._get_selected_edition()
        if stored is not None:
            label = self.text("Checking {name}", name=stored.path.name)
            self._begin_task(
                label, partial(word_lists.verify_edition, stored.path), on_success=self._report_intact_edition
            )

    def open_remove_edition_dialog(self) -> None:
        stored = self._get_selected_edition()
        if stored is not None:
            RemoveEditionDialog(self.session, stored, parent=self.window()).open()

    def cancel_task(self) -> None:
        if self._task is not None:
            self._task.cancel_work()
            self._task_label.setText(self.text(C_("import", "Stopping")))

    # --- tasks

    def _begin_task(
        self,
        label: str,
        call: Callable[..., T],
        *,
        on_success: Callable[[T], None],
        on_error: Callable[[UserError], None] | None = None,
        on_stop: Callable[[None], None] | None = None,
    ) -> None:
        task = self._task = BackgroundTask(label)
        self._task_label.setText(label)
        self._update_progress()
        self._progress.setVisible(True)
        self._timer.start()
        self._show_selected_edition()
        handle_error = on_error or self.session.show_error
        self.session.run_in_background(
            partial(call, progress=task.report_progress),
            on_success=partial(self._finish_task, task, on_success),
            on_error=partial(self._finish_task, task, lambda error: handle_error(get_user_error_or_raise(error))),
            on_stop=partial(self._finish_task, task, on_stop, None),
            label=label,
            task=task,
        )

    def _finish_task(self, task: BackgroundTask, callback: Callable[[T], None] | None, value: T) -> None:
        if isValid(self) and task is self._task:
            self._task = None
            self._timer.stop()
            self._progress.setVisible(False)
            if self._form is not None:
                self._form.setEnabled(True)
            self._show_selected_edition()
        if callback is not None:
            callback(value)

    def _update_progress(self) -> None:
        if self._task is not None:
            self._bar.setValue(round(self._task.progress * 1000))

    def _show_stopped_import(self, form: WordListImportForm, _value: None) -> None:
        if self._task is None and form.preview is None:  # otherwise the options have changed
            form.show_read_error(None)

    def _show_import_error(self, form: WordListImportForm, error: UserError) -> None:
        self.session.show_error(error, form.find_field_of_error(error))

    def _show_imported_edition(self, metadata: EditionMetadata) -> None:
        catalogue = self.session.catalogue
        name, count = metadata.edition.name, word_lists.format_word_count(catalogue, metadata.words)
        self.session.changed.emit(())
        self.session.show_message(catalogue.text("Word list {name} added: {words}", name=name, words=count))
        if isValid(self) and self.session.is_open:
            self.close_import_form()
            self.view.select_row(self._find_row_key_of_edition(metadata.id))
            if not self._get_effective_edition_id():
                self._use_button.setFocus()

    def _report_intact_edition(self, metadata: EditionMetadata) -> None:
        self.session.show_message(self.text("{name}: the file is intact.", name=metadata.edition.name))

    def _get_selected_edition(self) -> StoredWordListEdition | None:
        return self._stored.get(self.view.get_current_row_key())

    def _find_row_key_of_edition(self, edition: str) -> str:
        metadata_by_key = ((key, stored.metadata) for key, stored in self._stored.items())
        return next(
            (key for key, metadata in metadata_by_key if metadata is not None and metadata.id == edition), ""
        )

    def _get_effective_edition_id(self) -> str:
        return self.session.tournament.get_wordlist_id_of_row(self._get_chosen_division())

    def _get_edition_id_of_chosen_scope(self) -> str | None:
        division = self._get_chosen_division()
        return self.session.tournament.event.wordlist if division is None else division.wordlist

    def _get_rules_of_chosen_division(self) -> RuleSet:
        return self.session.tournament.get_ruleset_of_row(self._get_chosen_division())

    def _get_chosen_division(self) -> Division | None:
        division = self.scope.value()
        return self.session.tournament.divisions.get(division) if division else None

    def _build_page_with_word_lists(self) -> QWidget:
        text = self.session.catalogue.text
        self._error = fields.make_label("", "error", wrap=True)
        division = self.session.division
        has_own_list = division is not None and division.wordlist is not None
        self.scope = make_tournament_or_division_choice(
            self.session, division.id if division and has_own_list else None
        )
        self.scope.currentIndexChanged.connect(self.refresh_panel)
        self.view = self._make_edition_table()
        self._name = fields.make_label("", "lead", wrap=True)
        self._practice_badge = fields.make_label(text("Practice list, not used by any federation"))
        self._practice_badge.setObjectName("badge")
        self._facts_label = fields.make_note_label()
        self._rule_warnings_label = fields.make_label("", "warning", wrap=True)
        self._use_button = fields.make_button("", self.toggle_use_of_edition, role="primary")
        self._supplement_button = fields.make_button(
            text("Add or remove words…"), self.ask_path_and_open_supplement_form
        )
        self._compare_button = fields.make_button(text("Compare…"), self.open_compare_editions_dialog)
        self._check_button = fields.make_button(text(C_("file of a word list", "Check")), self.verify_edition)
        self._remove_button = fields.make_button(text("Remove…"), self.open_remove_edition_dialog)
        title = text("Import a text file")
        pattern = text("Word lists (*.txt *.lst *.dic *.aff *.csv);;All files (*)")
        ask_text_file = partial(self._ask_file_and_call_with_path, title, pattern, self.open_import_form)
        self._import_button = fields.make_button(text("Import a text file…"), ask_text_file)
        title = text("Add a tdapp word list (.lex)")
        pattern = text("tdapp word lists (*.lex);;All files (*)")
        ask_edition_file = partial(self._ask_file_and_call_with_path, title, pattern, self.import_edition_file)
        self._add_button = fields.make_button(text("Add a tdapp word list (.lex)…"), ask_edition_file)
        column = fields.make_column(
            self.scope, self._error, self.view,
            fields.make_row(self._name, self._practice_badge, wide=self._name), self._facts_label,
            self._rule_warnings_label, -1, fields.make_row(self._use_button, 1, self._remove_button),
            fields.make_row(self._supplement_button, self._compare_button, self._check_button, 1),
            -1, fields.make_separator(), -1,
            fields.make_row(self._import_button, self._add_button, 1), self._build_practice_lists(),
            wide=self.view,
        )  # fmt: skip
        return fields.wrap_in_widget(column)

    def _make_edition_table(self) -> TableView:
        column_texts = {"words": _format_word_count}
        self.rows = TableRowsModel(
            self.session.catalogue, tone=lambda row: "red" if row.damaged else "", shown_texts=column_texts
        )
        empty = self.text(
            "No word list yet. Import a text file with one word per line or a dictionary (.dic with .aff), or "
            "add a tdapp word list (.lex)."
        )
        view = TableView(self.rows, appearance=self.session.appearance, name=self.text("Word lists"), empty=empty)
        view.set_widths({"date": 92})
        view.disable_sorting()
        view.current_row_changed.connect(self._show_selected_edition)
        return view

    def _build_practice_lists(self) -> QWidget:
        name, appearance = self.text("Practice word lists on this computer"), self.session.appearance
        self._practice_choice: Choice[PracticeWordList] = Choice(name, [], appearance)
        self._add_practice_button = fields.make_button(self.text("Add"), self.add_practice_list)
        note = self.text("Practice lists on this computer, for trying things out. No federation uses them.")
        line = fields.make_row(self._practice_choice, self._add_practice_button, wide=self._practice_choice)
        self._practice_row = QWidget()
        parts, margins = (fields.make_note_label(note), line), (0, UNIT, 0, 0)
        fields.make_column(*parts, gap=UNIT // 2, margins=margins, parent=self._practice_row)
        return self._practice_row

    def _build_progress_bar(self) -> QWidget:
        cancel_button = fields.make_button(self.text("Cancel"), self.cancel_task)
        line = fields.make_row(self._bar, cancel_button, wide=self._bar)
        self._progress = fields.wrap_in_widget(fields.make_column(self._task_label, line, gap=0))
        self._progress.hide()
        return self._progress


def _format_word_count(row: EditionRow) -> str:
    return word_lists.format_number(row.words) if row.words is not None else ""


_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.TEXT, "name", "language", "date"),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "words"),
)


def _find_used_edition_ids(tournament: Tournament) -> set[str]:
    return {tournament.get_wordlist_id_of_row(division) for division in (None, *tournament.divisions.values())}


class UnsuitableEditionDialog(Dialog):
    """Asks before the tournament uses an edition that does not fit its rules."""

    topic = "tournament"

    def __init__(
        self, session: Session, name: str, warnings: Sequence[str], use: Callable[[], None], parent: QWidget | None
    ) -> None:
        catalogue = session.catalogue
        title = catalogue.text("Use the word list {name}?", name=name)
        super().__init__(session, title, yes=catalogue.text("Use the list anyway"), parent=parent, size=(60, 20))
        self._use_edition = use
        self.add_labels(*((warning, "warning") for warning in warnings))
        self.no.setFocus()

    def confirm_dialog(self) -> None:
        self.accept()
        self._use_edition()


class RemoveEditionDialog(Dialog):
    """Asks before it deletes the file of an edition for good."""

    topic = "tournament"

    def __init__(self, session: Session, stored: StoredWordListEdition, *, parent: QWidget | None = None) -> None:
        catalogue, metadata = session.catalogue, stored.metadata
        name = metadata.edition.name if metadata else stored.path.name
        title = catalogue.text("Remove the word list {name}?", name=name)
        super().__init__(session, title, yes=catalogue.text("Remove"), parent=parent, size=(60, 20))
        self._path = stored.path
        note = catalogue.text(
            "The file for this word list will be deleted from this computer. This cannot be undone."
        )
        self.add_labels((note, ""))
        if metadata is not None and metadata.id in _find_used_edition_ids(session.tournament):
            warning = catalogue.text(
                "The jury of this tournament uses this word list. If you remove it, the jury will have no "
                "word list."
            )
            self.add_labels((warning, "error"))
        self.no.setFocus()

    def confirm_dialog(self) -> None:
        session = self.session
        session.close_word_lists()
        try:
            session.library.remove_edition(self._path)
        except UserError as error:
            session.show_error(error)
        session.changed.emit(())
        self.accept()
