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
from tdapp.domain.tables.table import ColumnKind, Table, make_attribute_columns
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.exchange.wordlist import PracticeList
from tdapp.gui.editor.fields import make_tournament_or_division_choice
from tdapp.gui.jury.word_list_views import LANGUAGES, CompareEditionsDialog, WordListImportForm
from tdapp.gui.shell.session import Session, run_if_alive
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
BEAT = 100  # milliseconds between two updates of the progress


class EditionRow(Struct, frozen=True):
    """A row of the list: an edition of a word list."""

    key: str
    name: str  # with marks for a damaged edition, a practice edition and the edition in use
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
        self._working = fields.label("", "muted")
        self._timer = QTimer(self, interval=BEAT)
        self._timer.timeout.connect(self._update_progress)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_list_page())
        fields.fill_layout(self.body, self._stack, self._build_progress_bar(), wide=self._stack)
        self.setFocusProxy(self.view)

    # --- display

    def refresh_panel(self) -> None:
        session = self.session
        found = word_lists.sort_editions_by_preference(
            session.library.list_editions(), self._get_chosen_rules().language
        )
        self._stored = {str(one.path): one for one in found}
        self.rows.show_table(Table("editions", _COLUMNS, tuple(map(self._make_row, found))))
        wanted = self._get_word_list_in_use()
        if not self.view.current_key() and found:
            self.view.choose(self._find_edition_key(wanted) or self.rows.keys()[0])
        self._show_practice_lists(found)
        self._error.setVisible(bool(wanted) and not self._find_edition_key(wanted))
        self._error.setText(word_lists.describe_missing_word_list(session.catalogue, wanted))
        self._show_current_edition()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._form is not None:
            self.cancel_import()
        else:
            super().keyPressEvent(event)

    def _make_row(self, stored: StoredWordListEdition) -> EditionRow:
        text, metadata, key = self.session.catalogue.text, stored.metadata, str(stored.path)
        if metadata is None:
            return EditionRow(key, text("{name} (damaged)", name=stored.path.name), "", "", None, damaged=True)
        edition = metadata.edition
        name = text("{name} (practice list)", name=edition.name) if metadata.practice else edition.name
        if metadata.id == self._get_word_list_in_use():
            name = f"{TICK} {name}"
        return EditionRow(key, name, edition.language, edition.date, metadata.words)

    def _show_current_edition(self, _key: str = "") -> None:
        stored, catalogue = self._get_current_edition(), self.session.catalogue
        about = (self._supplement, self._compare, self._check)
        self._misfits.hide()
        for part in (self._about, self._name, self._use, self._remove, *about):
            part.setVisible(stored is not None)
        metadata = stored.metadata if stored is not None else None
        if stored is not None:
            self._name.setText(metadata.edition.name if metadata else stored.path.name)
            self._about.setText(self._describe_edition(stored))
            fields.show_text(self._misfits, "\n".join(self._list_rule_warnings(stored)))
        self._badge.setVisible(metadata is not None and metadata.practice)
        if metadata is not None and metadata.id == self._get_word_list_of_chosen_division():
            self._use.setText(catalogue.text("Stop using this word list"))
        elif (division := self._get_chosen_division()) is not None:
            self._use.setText(catalogue.text("Use in division {code}", code=division.code))
        else:
            self._use.setText(catalogue.text("Use in this tournament"))
        self._use.setEnabled(metadata is not None and self.session.is_editable)
        for part in about:
            part.setEnabled(metadata is not None and self._task is None)
        self._compare.setEnabled(stored is not None and bool(self._list_other_editions(stored)))
        self._remove.setEnabled(stored is not None and self._task is None)
        for one in (self._import, self._add, self._take, self._practice):
            one.setEnabled(self._task is None)

    def _list_rule_warnings(self, stored: StoredWordListEdition) -> tuple[str, ...]:
        metadata = stored.metadata
        return (
            word_lists.list_rule_warnings(self.session.catalogue, metadata, self._get_chosen_rules())
            if metadata
            else ()
        )

    def _describe_edition(self, stored: StoredWordListEdition) -> str:
        catalogue, metadata = self.session.catalogue, stored.metadata
        if metadata is None:
            return catalogue.error(stored.error) if stored.error else ""
        lines = [*word_lists.list_edition_facts(catalogue, metadata)]
        if metadata.id == self._get_word_list_in_use():
            lines.append(catalogue.text("The jury of this tournament uses this word list."))
        if metadata.imported:
            lines.append(
                catalogue.text("List number {id} · imported {date:date}", id=metadata.id, date=metadata.imported)
            )
        else:
            lines.append(catalogue.text(C_("word list", "List number {id}"), id=metadata.id))
        return "\n".join(lines)

    def _show_practice_lists(self, editions: tuple[StoredWordListEdition, ...]) -> None:
        catalogue, language = self.session.catalogue, self._get_chosen_rules().language
        lists = word_lists.list_offered_practice_lists(self.session.resources, language, editions)
        values = [(one, f"{one.name} ({word_lists.get_language_name(catalogue, one.language)})") for one in lists]
        self._practice.set_choices(values, self._practice.value())
        self._offer.setVisible(bool(lists))

    # --- actions

    def toggle_use_of_edition(self) -> None:
        """Use the selected edition, or stop using it. If it does not fit the rules, ask first."""
        stored = self._get_current_edition()
        if stored is None or stored.metadata is None or not self.session.is_editable:
            return
        found = word_lists.list_rule_warnings(self.session.catalogue, stored.metadata, self._get_chosen_rules())
        if found and stored.metadata.id != self._get_word_list_of_chosen_division():
            UseUnfitEditionDialog(
                self.session, stored.metadata.edition.name, found, self._use_or_leave_edition, self.window()
            ).open()
        else:
            self._use_or_leave_edition()

    def _use_or_leave_edition(self) -> None:
        stored = self._get_current_edition()
        if stored is not None and stored.metadata is not None:
            division, wanted = self._get_chosen_division(), stored.metadata.id
            leaves = wanted == self._get_word_list_of_chosen_division()
            title = "" if leaves else stored.metadata.edition.name
            if division is None:
                own = "" if leaves else wanted
                self.session.do(partial(commands.choose_wordlist, wordlist=own, title=title))
            else:
                choose = partial(commands.choose_division_wordlist, division=division.id, title=title)
                self.session.do(partial(choose, wordlist=None if leaves else wanted))

    def open_import_form(self, source: Path, base: StoredWordListEdition | None = None) -> None:
        """Show the form to import a file. With `base` the file contains changes to that edition."""
        session = self.session
        lists = session.resources.practice_lists
        known = next((one for one in lists if one.path == source.resolve()), None)
        changed = base.metadata if base else None
        own = changed.edition.language if changed else self._get_chosen_rules().language
        wanted = known.language if known else own
        language = next((one for one in LANGUAGES if word_lists.is_same_language(one, wanted)), LANGUAGES[0])
        names = known is None or known.ignores_capitals
        practice = known is not None
        form = WordListImportForm(
            session, source, practice=practice, language=language, keep_capitalised_words=names, base=base
        )
        form.again.connect(self.read_import_file)
        form.wanted.connect(self.import_word_list)
        form.left.connect(self.cancel_import)
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
            then=run_if_alive(form, form.show_preview),
            failed=run_if_alive(form, form.show_read_error),
            stopped=run_if_alive(form, partial(self._show_stopped_import, form)),
        )

    def import_word_list(self) -> None:
        form = self._form
        if form is None or form.found is None or self._task is not None:
            return
        plain = form.found.word_list
        try:
            edition = form.make_edition(plain.source_hash)
        except UserError as error:
            self.session.show_error(error, form.find_field_of_error(error))
            return
        call = partial(
            word_lists.add_word_list, self.session.library, plain, edition, joints=form.joints.isChecked(),
            practice=form.practice.isChecked(), printable=form.printable.isChecked(),
        )  # fmt: skip
        form.setEnabled(False)
        label = self.text("Importing {name}", name=edition.name)
        self._begin_task(
            label, call, then=self._show_imported_edition, failed=partial(self._show_import_error, form)
        )

    def cancel_import(self) -> None:
        form, self._form = self._form, None
        if form is None:
            return
        self.cancel_task()
        self._stack.setCurrentIndex(0)
        self._stack.removeWidget(form)
        form.deleteLater()
        self.heading.setText(self.text("Word lists"))
        self.view.setFocus()

    def _ask_file(self, title: str, pattern: str, use_path: Callable[[Path], None]) -> None:
        if path := ask_existing_file(self, self.session, title, pattern):
            use_path(path)

    def import_edition_file(self, source: Path) -> None:
        label = self.text("Checking {name}", name=source.name)
        self._begin_task(
            label, partial(self.session.library.import_edition, source), then=self._show_imported_edition
        )

    def add_practice_list(self) -> None:
        item: PracticeList | None = self._practice.value()
        if item is not None:
            joints = word_lists.accepts_hyphenated_words(self._get_chosen_rules())
            label = self.text("Importing {name}", name=item.name)
            call = partial(word_lists.add_practice_list, self.session.library, item, joints=joints)
            self._begin_task(label, call, then=self._show_imported_edition)

    def ask_supplement_file(self) -> None:
        pattern = self.text("Plain lists (*.txt *.lst *.csv);;All files (*)")
        self._ask_file(
            self.text("Choose a file with the words to add or remove"),
            pattern,
            partial(self.open_import_form, base=self._get_current_edition()),
        )

    def compare_editions(self) -> None:
        stored = self._get_current_edition()
        if stored is not None:
            CompareEditionsDialog(self.session, stored, self._list_other_editions(stored), self.window()).open()

    def _list_other_editions(self, stored: StoredWordListEdition) -> list[StoredWordListEdition]:
        own = stored.metadata.edition.language if stored.metadata else ""
        there = [one for one in self._stored.values() if one.metadata is not None and one is not stored]
        return sorted(there, key=lambda one: one.metadata is None or one.metadata.edition.language != own)

    def verify_edition(self) -> None:
        stored = self._get_current_edition()
        if stored is not None:
            label = self.text("Checking {name}", name=stored.path.name)
            self._begin_task(
                label, partial(word_lists.verify_edition, stored.path), then=self._show_verified_edition
            )

    def remove_edition(self) -> None:
        stored = self._get_current_edition()
        if stored is not None:
            RemoveEditionDialog(self.session, stored, parent=self.window()).open()

    def cancel_task(self) -> None:
        if self._task is not None:
            self._task.cancel_work()
            self._working.setText(self.text(C_("import", "Stopping")))

    # --- tasks

    def _begin_task(
        self,
        label: str,
        call: Callable[..., T],
        *,
        then: Callable[[T], None],
        failed: Callable[[UserError], None] | None = None,
        stopped: Callable[[None], None] | None = None,
    ) -> None:
        task = self._task = BackgroundTask(label)
        self._working.setText(label)
        self._update_progress()
        self._progress.setVisible(True)
        self._timer.start()
        self._show_current_edition()
        refuse = failed or self.session.show_error
        self.session.run_in_background(
            partial(call, progress=task.report_progress),
            on_success=partial(self._finish_task, task, then),
            on_error=partial(self._finish_task, task, lambda error: refuse(get_user_error_or_raise(error))),
            on_stop=partial(self._finish_task, task, stopped, None),
            label=label,
            task=task,
        )

    def _finish_task(self, task: BackgroundTask, then: Callable[[T], None] | None, value: T) -> None:
        if isValid(self) and task is self._task:
            self._task = None
            self._timer.stop()
            self._progress.setVisible(False)
            if self._form is not None:
                self._form.setEnabled(True)
            self._show_current_edition()
        if then is not None:
            then(value)

    def _update_progress(self) -> None:
        if self._task is not None:
            self._bar.setValue(round(self._task.progress * 1000))

    def _show_stopped_import(self, form: WordListImportForm, _value: None) -> None:
        if self._task is None and form.found is None:  # otherwise the options have changed
            form.show_read_error(None)

    def _show_import_error(self, form: WordListImportForm, error: UserError) -> None:
        self.session.show_error(error, form.find_field_of_error(error))

    def _show_imported_edition(self, metadata: EditionMetadata) -> None:
        catalogue = self.session.catalogue
        name, count = metadata.edition.name, word_lists.format_word_count(catalogue, metadata.words)
        self.session.changed.emit(())
        self.session.show_message(catalogue.text("Word list {name} added: {words}", name=name, words=count))
        if isValid(self) and self.session.is_open:
            self.cancel_import()
            self.view.choose(self._find_edition_key(metadata.id))
            if not self._get_word_list_in_use():
                self._use.setFocus()

    def _show_verified_edition(self, metadata: EditionMetadata) -> None:
        self.session.show_message(self.text("{name}: the file is intact.", name=metadata.edition.name))

    def _get_current_edition(self) -> StoredWordListEdition | None:
        return self._stored.get(self.view.current_key())

    def _find_edition_key(self, edition: str) -> str:
        found = ((key, one.metadata) for key, one in self._stored.items())
        return next((key for key, metadata in found if metadata is not None and metadata.id == edition), "")

    def _get_word_list_in_use(self) -> str:
        return self.session.tournament.wordlist_of(self._get_chosen_division())

    def _get_word_list_of_chosen_division(self) -> str | None:
        division = self._get_chosen_division()
        return self.session.tournament.event.wordlist if division is None else division.wordlist

    def _get_chosen_rules(self) -> RuleSet:
        return self.session.tournament.rules_of(self._get_chosen_division())

    def _get_chosen_division(self) -> Division | None:
        division = self.scope.value()
        return self.session.tournament.divisions.get(division) if division else None

    def _build_list_page(self) -> QWidget:
        text = self.session.catalogue.text
        self._error = fields.label("", "error", wrap=True)
        division = self.session.division
        own = division is not None and division.wordlist is not None
        self.scope = make_tournament_or_division_choice(self.session, division.id if division and own else None)
        self.scope.currentIndexChanged.connect(self.refresh_panel)
        self.view = self._make_table()
        self._name = fields.label("", "lead", wrap=True)
        self._badge = fields.label(text("Practice list, used by no federation"))
        self._badge.setObjectName("badge")
        self._about = fields.note()
        self._misfits = fields.label("", "warning", wrap=True)
        self._use = fields.button("", self.toggle_use_of_edition, role="primary")
        self._supplement = fields.button(text("Add or remove words…"), self.ask_supplement_file)
        self._compare = fields.button(text("Compare…"), self.compare_editions)
        self._check = fields.button(text(C_("file of a word list", "Check")), self.verify_edition)
        self._remove = fields.button(text("Remove…"), self.remove_edition)
        plain = text("Import a text file")
        lists = text("Word lists (*.txt *.lst *.dic *.aff *.csv);;All files (*)")
        ask_plain = partial(self._ask_file, plain, lists, self.open_import_form)
        self._import = fields.button(text("Import a text file…"), ask_plain)
        edition, files = (
            text("Add a word list of tdapp (.lex)"),
            text("Word lists of tdapp (*.lex);;All files (*)"),
        )
        ask_edition = partial(self._ask_file, edition, files, self.import_edition_file)
        self._add = fields.button(text("Add a word list of tdapp (.lex)…"), ask_edition)
        column = fields.column(
            self.scope, self._error, self.view,
            fields.row(self._name, self._badge, wide=self._name), self._about, self._misfits, -1,
            fields.row(self._use, 1, self._remove), fields.row(self._supplement, self._compare, self._check, 1),
            -1, fields.separator(), -1,
            fields.row(self._import, self._add, 1), self._build_practice_lists(), wide=self.view,
        )  # fmt: skip
        return fields.wrap_in_widget(column)

    def _make_table(self) -> TableView:
        shown = {"words": _format_word_count}
        self.rows = TableRowsModel(
            self.session.catalogue, tone=lambda row: "red" if row.damaged else "", shown_texts=shown
        )
        empty = self.text(
            "No word list yet. Import a text file with one word per line or a dictionary (.dic with .aff), or "
            "add a word list of tdapp (.lex)."
        )
        view = TableView(self.rows, look=self.session.look, name=self.text("Word lists"), empty=empty)
        view.set_widths({"date": 92})
        view.disable_sorting()
        view.current_row_changed.connect(self._show_current_edition)
        return view

    def _build_practice_lists(self) -> QWidget:
        name, look = self.text("Practice lists on this computer"), self.session.look
        self._practice: Choice[PracticeList] = Choice(name, [], look)
        self._take = fields.button(self.text("Add"), self.add_practice_list)
        note = self.text("Practice lists on this computer, for trying out. No federation uses them.")
        line = fields.row(self._practice, self._take, wide=self._practice)
        self._offer = QWidget()
        parts, around = (fields.note(note), line), (0, UNIT, 0, 0)
        fields.column(*parts, gap=UNIT // 2, margins=around, parent=self._offer)
        return self._offer

    def _build_progress_bar(self) -> QWidget:
        stop = fields.button(self.text("Cancel"), self.cancel_task)
        line = fields.row(self._bar, stop, wide=self._bar)
        self._progress = fields.wrap_in_widget(fields.column(self._working, line, gap=0))
        self._progress.hide()
        return self._progress


def _format_word_count(row: EditionRow) -> str:
    return word_lists.format_number(row.words) if row.words is not None else ""


_COLUMNS = (
    *make_attribute_columns(ColumnKind.TEXT, "name", "language", "date"),
    *make_attribute_columns(ColumnKind.NUMBER, "words"),
)


def _list_used_word_lists(tournament: Tournament) -> set[str]:
    return {tournament.wordlist_of(one) for one in (None, *tournament.divisions.values())}


class UseUnfitEditionDialog(Dialog):
    """Asks before the tournament uses an edition that does not fit its rules."""

    topic = "tournament"

    def __init__(
        self, session: Session, name: str, found: Sequence[str], use: Callable[[], None], parent: QWidget | None
    ) -> None:
        catalogue = session.catalogue
        title = catalogue.text("Use the word list {name}?", name=name)
        super().__init__(session, title, yes=catalogue.text("Use the list anyway"), parent=parent, size=(60, 20))
        self._use = use
        self.add_labels(*((one, "warning") for one in found))
        self.no.setFocus()

    def confirm_dialog(self) -> None:
        self.accept()
        self._use()


class RemoveEditionDialog(Dialog):
    """Asks before it deletes the file of an edition for good."""

    topic = "tournament"

    def __init__(self, session: Session, stored: StoredWordListEdition, *, parent: QWidget | None = None) -> None:
        catalogue, metadata = session.catalogue, stored.metadata
        name = metadata.edition.name if metadata else stored.path.name
        title = catalogue.text("Remove the word list {name}?", name=name)
        super().__init__(session, title, yes=catalogue.text("Remove"), parent=parent, size=(60, 20))
        self._path = stored.path
        note = catalogue.text("The file of this word list is deleted from this computer. This cannot be undone.")
        self.add_labels((note, ""))
        if metadata is not None and metadata.id in _list_used_word_lists(session.tournament):
            lost = catalogue.text(
                "The jury of this tournament uses this word list. After the removal the jury has no word list."
            )
            self.add_labels((lost, "error"))
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
