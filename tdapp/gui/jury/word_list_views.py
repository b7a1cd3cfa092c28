"""The form to import a word list, and the comparison of two editions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.tables.table import ColumnKind, Table, make_attribute_columns
from tdapp.domain.translatable import C_
from tdapp.exchange.wordlist import DroppedLines, RejectedWordReason, WordListOptions
from tdapp.gui.shell.session import Session, run_if_alive
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, Form, LineEdit, NumberEdit
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.scroll_body import make_scroll_area
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.scrabble.wordlist import WordListEdition
from tdapp.services import word_lists
from tdapp.services.word_lists import EditionComparison, WordListPreview
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise
from tdapp.storage.lexicon import LONGEST, SHORTEST, EditionMetadata, Progress
from tdapp.storage.library import StoredWordListEdition

LANGUAGES = ("nl", "nb", "nn", "de", "en", "es", "fr", "sv")
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1", "cp850", "mac_roman")
_LONGEST_EXAMPLE = 24  # letters
_COLUMNS = (
    *make_attribute_columns(ColumnKind.TEXT, "word"),
    *make_attribute_columns(ColumnKind.TEXT, "change"),
)  # columns of the words that differ


class WordListImportForm(QWidget):
    """The form to import a word list."""

    again = Signal()  # an option changed: read the list again
    wanted = Signal()  # the user pressed Import
    left = Signal()

    def __init__(
        self,
        session: Session,
        source: Path,
        *,
        practice: bool,
        language: str,
        keep_capitalised_words: bool,
        base: StoredWordListEdition | None = None,
    ) -> None:
        """Build the form. With `base` the file contains changes to that edition."""
        super().__init__()
        self._session = session
        self.source = source
        self._base = base
        self.found: WordListPreview | None = None
        text = session.catalogue.text
        rules = session.rules
        languages = [(one, word_lists.get_language_name(session.catalogue, one)) for one in LANGUAGES]
        self.language: Choice[str] = Choice(text("Language"), languages, session.look, value=language)
        self.name = LineEdit(text("Name"), text=source.stem)
        self.date = LineEdit(text("Date of the edition"), text=word_lists.get_file_date(source))
        self.binding = NumberEdit(text("The list decides on words up to (letters)"))
        ruled = rules.words.binding
        self.binding.setPlaceholderText(
            text(C_("word lengths", "all"))
            if ruled is None
            else text("up to {n} letters, as in the rules", n=ruled)
        )
        guess = [(None, text(C_("encoding", "Detected from the file")))]
        self.encoding: Choice[str | None] = Choice(
            text(C_("characters in a file", "Encoding")), guess, session.look
        )
        self.joints = fields.check_box(
            text("Include words with a hyphen or an apostrophe, written without that mark"),
            is_checked=word_lists.accepts_hyphenated_words(rules),
        )
        self.names = fields.check_box(
            text("Leave out words with a capital letter"), is_checked=not keep_capitalised_words
        )
        self.practice = fields.check_box(text("Practice list, used by no federation"), is_checked=practice)
        self.printable = fields.check_box(text("The words of this list may be printed"), is_checked=practice)
        self._count = fields.label("", "lead", wrap=True)
        self._sample = fields.label(wrap=True)
        self._dropped = fields.note()
        self._doubts = fields.label("", "warning", wrap=True)
        self._wrong = fields.label("", "error", wrap=True)
        self.take = fields.button(text("Import"), self.wanted.emit, role="primary")
        self._copy_base_settings(base.metadata if base is not None else None)
        self._build_form()
        self._connect_fields()
        self.show_preview(None)

    def _copy_base_settings(self, base: EditionMetadata | None) -> None:
        if base is None:
            return
        self.name.setText(f"{base.edition.name} + {self.source.stem}")
        self.binding.setText(str(base.edition.binding_max_length or ""))
        ticks = {self.joints: base.joints, self.practice: base.practice, self.printable: base.may_be_printed}
        for box, on in (ticks | {self.names: False}).items():
            box.setChecked(on)
        for field in (self.language, self.joints, self.names):
            field.setEnabled(False)

    def make_preview(self, options: WordListOptions, *, progress: Progress | None = None) -> WordListPreview:
        if self._base is not None:
            return word_lists.preview_supplement(self._base.path, self.source, options, progress=progress)
        return word_lists.preview_word_list(self.source, options, progress=progress)

    def get_options(self) -> WordListOptions:
        return WordListOptions(
            language=self.language.value() or LANGUAGES[0],
            joints=self.joints.isChecked(),
            names=not self.names.isChecked(),
            encoding=self.encoding.value(),
        )

    def make_edition(self, source_hash: str) -> WordListEdition:
        """Return the edition from the typed values. Raises RuleViolation for an invalid date or length."""
        try:
            binding = self.binding.value()
        except ValueError as error:
            facts = {"value": self.binding.text(), "low": SHORTEST, "high": LONGEST}
            raise RuleViolation("lexicon-binding-length", **facts) from error
        date = word_lists.parse_date(self.date.text())
        return WordListEdition(self.name.text().strip(), self.get_options().language, date, source_hash, binding)

    def find_field_of_error(self, error: UserError) -> LineEdit:
        return {"lexicon-date": self.date, "lexicon-binding-length": self.binding}.get(error.code, self.name)

    def show_preview(self, preview: WordListPreview | None) -> None:
        self.found = preview
        catalogue = self._session.catalogue
        self.take.setEnabled(preview is not None)
        self._wrong.hide()
        for one in (self._sample, self._dropped, self._doubts):
            one.setVisible(preview is not None)
        if preview is None:
            self._count.setText(catalogue.text("Reading {name}", name=self.source.name))
            return
        self._count.setText(word_lists.format_word_count(catalogue, len(preview.word_list.words)))
        sample = catalogue.text("For example {words}", words=", ".join(preview.sample))
        self._sample.setText(word_lists.describe_changes(catalogue, preview.changes) if self._base else sample)
        dropped = [
            self._describe_dropped_lines(unfit, item) for unfit, item in preview.word_list.dropped_lines.items()
        ]
        dropped = dropped or [catalogue.text("All lines were read: each line contains a word.")]
        self._dropped.setText("\n".join(dropped))
        marked = 0 if word_lists.accepts_hyphenated_words(self._session.rules) else preview.word_list.marked
        names = preview.word_list.names
        doubts = word_lists.describe_marked_words(catalogue, marked_count=marked, name_count=names)
        advice = catalogue.text("These rules do not allow such words. The ticked boxes above leave them out.")
        compounds = word_lists.describe_missing_compounds(catalogue, preview.word_list)
        fields.show_text(
            self._doubts, "\n".join([*filter(None, [compounds]), *doubts, *([advice] if doubts else [])])
        )
        self._offer_encodings(preview.word_list.encoding)

    def show_read_error(self, error: UserError | None) -> None:
        """Show why the list was not read. None: the user stopped the reading."""
        catalogue = self._session.catalogue
        self.found = None
        self.take.setEnabled(False)
        self._count.setText(catalogue.text("Nothing to import"))
        stopped = catalogue.text(C_("import", "Stopped. To read the list again, change a setting above."))
        self._wrong.setText(catalogue.error(error) if error else stopped)
        self._wrong.show()
        self._offer_encodings("")

    def _describe_dropped_lines(self, reason: RejectedWordReason, item: DroppedLines) -> str:
        catalogue = self._session.catalogue
        count = catalogue.plural(
            "Left out: {n} line, {reason}", "Left out: {n} lines, {reason}", item.count,
            reason=catalogue.code(reason),
        )  # fmt: skip
        examples = [
            catalogue.text("line {line}: {words}", line=one.number, words=one.text[:_LONGEST_EXAMPLE])
            for one in item.examples
        ]
        return f"{count} ({'; '.join(examples)})" if examples else count

    def _offer_encodings(self, detected: str) -> None:
        text = self._session.catalogue.text
        own = self.encoding.value()
        guessed = (
            text(C_("encoding", "Detected from the file: {encoding}"), encoding=detected)
            if detected and own is None
            else ""
        )
        offered: list[tuple[str | None, str]] = [(None, guessed or text(C_("encoding", "Detected from the file")))]
        self.encoding.set_choices([*offered, *((one, one) for one in ENCODINGS)], own)

    def _connect_fields(self) -> None:
        for choice in (self.language, self.encoding):
            choice.currentIndexChanged.connect(self.again)
        for box in (self.joints, self.names):
            box.toggled.connect(self.again)
        for field in (self.name, self.date, self.binding):
            field.returnPressed.connect(self.take.click)

    def _build_form(self) -> None:
        text = self._session.catalogue.text
        form = Form(self.language, self.name, self.date)
        form.add_field(
            self.binding,
            text(
                "The jury decides on longer words. If you type {most}, the list decides on all words.",
                most=LONGEST,
            ),
        )
        form.add_field(self.encoding)
        boxes = (self.joints, self.names, self.practice, self.printable)
        said = (self._count, self._sample, self._wrong, self._doubts, self._dropped)
        parts = (form, *boxes, -1, fields.separator(), -1, *said, 1)
        scroll = make_scroll_area(fields.column(*parts, margins=(0, 0, UNIT, 0)), sideways=True)
        back = fields.button(text("Back"), self.left.emit)
        name = fields.note(self.source.name)
        fields.column(name, scroll, fields.row(back, 1, self.take), parent=self, wide=scroll)


class ChangedWord(Struct, frozen=True):
    """A word that only one of two editions of a word list has."""

    key: str
    word: str
    change: str  # "+" (added) or "-" (removed)


class CompareEditionsDialog(Dialog):
    """Lists the words that differ between two editions of a word list."""

    topic = "tournament"

    def __init__(
        self,
        session: Session,
        old: StoredWordListEdition,
        others: Sequence[StoredWordListEdition],
        parent: QWidget | None = None,
    ) -> None:
        text, found = session.catalogue.text, old.metadata
        title = text("New since {name}", name=found.edition.name if found else old.path.name)
        super().__init__(session, title, parent=parent)
        self._old, self._task = old, BackgroundTask(text(C_("word lists", "Comparing")))
        choices = [
            (one, f"{one.metadata.edition.name} {one.metadata.edition.date}") for one in others if one.metadata
        ]
        self.other: Choice[StoredWordListEdition] = Choice(
            text(C_("word list", "Compare with")), choices, session.look
        )
        self._count = fields.label("", "lead", wrap=True)
        shown = {
            "change": lambda row: text(C_("word", "added")) if row.change == "+" else text(C_("word", "removed"))
        }
        self.rows = TableRowsModel(
            session.catalogue, tone=lambda row: "" if row.change == "+" else "red", shown_texts=shown
        )
        self.view = TableView(self.rows, look=session.look, name=text(C_("word lists", "Words that differ")))
        fields.fill_layout(self.body, self.other, self._count, self.view, wide=self.view)
        self.resize(UNIT * 80, UNIT * 70)
        self.other.currentIndexChanged.connect(self._compare_editions)
        self._compare_editions()

    def done(self, result: int) -> None:
        self._task.cancel_work()
        super().done(result)

    def _compare_editions(self) -> None:
        other = self.other.value()
        if other is None:
            return
        self._task.cancel_work()
        self._task = BackgroundTask(self.text(C_("word lists", "Comparing")))
        self._count.setText(self._task.label)
        self.rows.show_table(Table("changes", _COLUMNS, ()))
        self.session.run_in_background(
            partial(word_lists.compare_editions, self._old.path, other.path, progress=self._task.report_progress),
            on_success=run_if_alive(self, self._show_comparison),
            on_error=run_if_alive(self, lambda error: self._show_compare_error(get_user_error_or_raise(error))),
            label=self._task.label,
            task=self._task,
        )

    def _show_comparison(self, found: EditionComparison) -> None:
        self._count.setText(word_lists.describe_comparison(self.session.catalogue, found))
        rows = [ChangedWord(f"{sign}{word}", word, sign)
                for sign, words in (("+", found.added), ("-", found.removed)) for word in words]  # fmt: skip
        self.rows.show_table(Table("changes", _COLUMNS, tuple(rows)))

    def _show_compare_error(self, error: UserError) -> None:
        self._count.setText("")
        self.show_error(self.session.catalogue.error(error))
