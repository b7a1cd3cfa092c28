"""The form to import a word list, and the comparison of two editions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_
from tdapp.exchange.wordlist import DroppedLines, RejectedWordReason, WordListOptions
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit, NumberEdit
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
_MAX_EXAMPLE_LENGTH = 24  # letters
_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.TEXT, "word"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "change"),
)  # columns of the words that differ


class WordListImportForm(QWidget):
    """The form to import a word list."""

    options_changed = Signal()  # an option changed: read the list again
    import_requested = Signal()  # the user pressed Import
    leave_requested = Signal()

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
        """Build the form to import the file `source`.

        If `base` is given, the file contains changes to the edition `base`.
        `practice` marks a list that no federation uses.
        """
        super().__init__()
        self._session = session
        self.source = source
        self._base = base
        self.preview: WordListPreview | None = None
        text = session.catalogue.text
        rules = session.rules
        languages = [(code, word_lists.get_language_name(session.catalogue, code)) for code in LANGUAGES]
        self.language: Choice[str] = Choice(text("Language"), languages, session.appearance, value=language)
        self.name = LineEdit(text("Name"), text=source.stem)
        self.date = LineEdit(
            text("Date of the edition"),
            text=session.catalogue.format_short_date(word_lists.get_file_date(source), "yMd"),
        )
        self.binding = NumberEdit(text("Longest word that the list decides (letters)"))
        rule_limit = rules.words.binding
        self.binding.setPlaceholderText(
            text(C_("word lengths", "all"))
            if rule_limit is None
            else text("up to {n} letters, as in the rules", n=rule_limit)
        )
        encodings = [(None, text(C_("encoding", "Detected from the file")))]
        self.encoding: Choice[str | None] = Choice(
            text(C_("characters in a file", "Encoding")), encodings, session.appearance
        )
        self.joints = fields.make_check_box(
            text("Include words with - or ’, but leave out the mark"),
            is_checked=word_lists.can_words_have_hyphens(rules),
        )
        self.names = fields.make_check_box(
            text("Leave out words with a capital letter"), is_checked=not keep_capitalised_words
        )
        self.practice = fields.make_check_box(
            text("Practice list, not used by any federation"), is_checked=practice
        )
        self.printable = fields.make_check_box(text("The words of this list may be printed"), is_checked=practice)
        self._count = fields.make_label("", "lead", wrap=True)
        self._sample = fields.make_label(wrap=True)
        self._dropped_lines_label = fields.make_note_label()
        self._doubts = fields.make_label("", "warning", wrap=True)
        self._error_label = fields.make_label("", "error", wrap=True)
        self.import_button = fields.make_button(text("Import"), self.import_requested.emit, role="primary")
        self._fill_fields_from_base_edition(base.metadata if base is not None else None)
        self._build_form()
        self._connect_fields()
        self.show_preview(None)

    def _fill_fields_from_base_edition(self, base: EditionMetadata | None) -> None:
        if base is None:
            return
        self.name.setText(f"{base.edition.name} + {self.source.stem}")
        self.binding.setText(str(base.edition.binding_max_length or ""))
        box_states = {
            self.joints: base.joints,
            self.practice: base.practice,
            self.printable: base.can_words_be_printed,
        }
        for box, is_checked in (box_states | {self.names: False}).items():
            box.setChecked(is_checked)
        for field in (self.language, self.joints, self.names):
            field.setEnabled(False)

    def make_preview(self, options: WordListOptions, *, progress: Progress | None = None) -> WordListPreview:
        if self._base is not None:
            return word_lists.preview_word_list_supplement(
                self._base.path, self.source, options, progress=progress
            )
        return word_lists.preview_word_list(self.source, options, progress=progress)

    def get_options(self) -> WordListOptions:
        return WordListOptions(
            language=self.language.value() or LANGUAGES[0],
            joints=self.joints.isChecked(),
            names=not self.names.isChecked(),
            encoding=self.encoding.value(),
        )

    def make_edition(self, source_hash: str) -> WordListEdition:
        """Return the edition from the typed values. Raises CommandError for an invalid date or word length."""
        try:
            binding = self.binding.parse_optional_number()
        except ValueError as error:
            facts = {"value": self.binding.text(), "low": SHORTEST, "high": LONGEST}
            raise CommandError("lexicon-binding-length", **facts) from error
        date = word_lists.parse_partial_date(self.date.text())
        return WordListEdition(self.name.text().strip(), self.get_options().language, date, source_hash, binding)

    def find_field_of_error(self, error: UserError) -> LineEdit:
        return {"lexicon-date": self.date, "lexicon-binding-length": self.binding}.get(error.code, self.name)

    def show_preview(self, preview: WordListPreview | None) -> None:
        self.preview = preview
        catalogue = self._session.catalogue
        self.import_button.setEnabled(preview is not None)
        self._error_label.hide()
        for label in (self._sample, self._dropped_lines_label, self._doubts):
            label.setVisible(preview is not None)
        if preview is None:
            self._count.setText(catalogue.text("Reading {name}", name=self.source.name))
            return
        self._count.setText(word_lists.format_word_count(catalogue, len(preview.word_list.words)))
        sample = catalogue.text("For example {words}", words=", ".join(preview.sample))
        self._sample.setText(
            word_lists.describe_supplement_changes(catalogue, preview.changes) if self._base else sample
        )
        dropped_lines = [
            self._describe_dropped_lines(reason, item) for reason, item in preview.word_list.dropped_lines.items()
        ]
        dropped_lines = dropped_lines or [catalogue.text("All lines were read: each line contains a word.")]
        self._dropped_lines_label.setText("\n".join(dropped_lines))
        hyphenated_count = (
            0 if word_lists.can_words_have_hyphens(self._session.rules) else preview.word_list.marked
        )
        doubts = word_lists.describe_hyphens_and_capitals(
            catalogue, hyphenated_count=hyphenated_count, capitalised_count=preview.word_list.names
        )
        advice = catalogue.text("These rules do not allow such words. Use the boxes above to leave them out.")
        compounds = word_lists.describe_unlisted_compounds(catalogue, preview.word_list)
        fields.show_text(
            self._doubts, "\n".join([*filter(None, [compounds]), *doubts, *([advice] if doubts else [])])
        )
        self._offer_encodings(preview.word_list.encoding)

    def show_read_error(self, error: UserError | None) -> None:
        """Show why the list was not read. None: the user stopped the reading."""
        catalogue = self._session.catalogue
        self.preview = None
        self.import_button.setEnabled(False)
        self._count.setText(catalogue.text("Nothing to import"))
        stopped_text = catalogue.text(C_("import", "Stopped. To read the list again, change a setting above."))
        self._error_label.setText(catalogue.describe_error(error) if error else stopped_text)
        self._error_label.show()
        self._offer_encodings("")

    def _describe_dropped_lines(self, reason: RejectedWordReason, item: DroppedLines) -> str:
        catalogue = self._session.catalogue
        count = catalogue.plural(
            "{n} line left out: {reason}", "{n} lines left out: {reason}", item.count,
            reason=catalogue.translate_code(reason),
        )  # fmt: skip
        examples = [
            catalogue.text("line {line}: {words}", line=line.number, words=line.text[:_MAX_EXAMPLE_LENGTH])
            for line in item.examples
        ]
        return f"{count} ({'; '.join(examples)})" if examples else count

    def _offer_encodings(self, detected: str) -> None:
        text = self._session.catalogue.text
        chosen_encoding = self.encoding.value()
        detected_text = (
            text(C_("encoding", "Detected from the file: {encoding}"), encoding=detected)
            if detected and chosen_encoding is None
            else ""
        )
        choices: list[tuple[str | None, str]] = [
            (None, detected_text or text(C_("encoding", "Detected from the file")))
        ]
        self.encoding.set_choices([*choices, *((encoding, encoding) for encoding in ENCODINGS)], chosen_encoding)

    def _connect_fields(self) -> None:
        for choice in (self.language, self.encoding):
            choice.currentIndexChanged.connect(self.options_changed)
        for box in (self.joints, self.names):
            box.toggled.connect(self.options_changed)
        for field in (self.name, self.date, self.binding):
            field.returnPressed.connect(self.import_button.click)

    def _build_form(self) -> None:
        text = self._session.catalogue.text
        form = FormLayout(self.language, self.name, self.date)
        form.add_field(
            self.binding,
            text(
                "The jury decides on longer words. Type {most} to let the list decide on all words.",
                most=LONGEST,
            ),
        )
        form.add_field(self.encoding)
        boxes = (self.joints, self.names, self.practice, self.printable)
        labels = (self._count, self._sample, self._error_label, self._doubts, self._dropped_lines_label)
        parts = (form, *boxes, -1, fields.make_separator(), -1, *labels, 1)
        scroll = make_scroll_area(fields.make_column(*parts, margins=(0, 0, UNIT, 0)), sideways=True)
        back_button = fields.make_button(text("Back"), self.leave_requested.emit)
        name = fields.make_note_label(self.source.name)
        fields.make_column(
            name, scroll, fields.make_row(back_button, 1, self.import_button), parent=self, wide=scroll
        )


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
        other_editions: Sequence[StoredWordListEdition],
        parent: QWidget | None = None,
    ) -> None:
        text, old_metadata = session.catalogue.text, old.metadata
        format_short_date = session.catalogue.format_short_date
        title = text("New since {name}", name=old_metadata.edition.name if old_metadata else old.path.name)
        super().__init__(session, title, parent=parent)
        self._old_edition, self._task = old, BackgroundTask(text(C_("word lists", "Comparing")))
        choices = [
            (edition, f"{metadata.edition.name} {format_short_date(metadata.edition.date, 'yMd')}")
            for edition in other_editions
            if (metadata := edition.metadata)
        ]
        self.other_choice: Choice[StoredWordListEdition] = Choice(
            text(C_("word list", "Compare with")), choices, session.appearance
        )
        self._count = fields.make_label("", "lead", wrap=True)
        column_texts = {
            "change": lambda row: text(C_("word", "added")) if row.change == "+" else text(C_("word", "removed"))
        }
        self.rows = TableRowsModel(
            session.catalogue, tone=lambda row: "" if row.change == "+" else "red", shown_texts=column_texts
        )
        self.view = TableView(
            self.rows, appearance=session.appearance, name=text(C_("word lists", "Words that differ"))
        )
        fields.add_parts_to_layout(self.body, self.other_choice, self._count, self.view, wide=self.view)
        self.resize(UNIT * 80, UNIT * 70)
        self.other_choice.currentIndexChanged.connect(self._compare_editions)
        self._compare_editions()

    def done(self, result: int) -> None:
        self._task.cancel_work()
        super().done(result)

    def _compare_editions(self) -> None:
        edition = self.other_choice.value()
        if edition is None:
            return
        self._task.cancel_work()
        self._task = BackgroundTask(self.text(C_("word lists", "Comparing")))
        self._count.setText(self._task.label)
        self.rows.show_table(Table("changes", _COLUMNS, ()))
        self.session.run_in_background(
            partial(
                word_lists.compare_editions,
                self._old_edition.path,
                edition.path,
                progress=self._task.report_progress,
            ),
            on_success=make_callback_unless_deleted(self, self._show_comparison),
            on_error=make_callback_unless_deleted(
                self, lambda error: self._show_comparison_error(get_user_error_or_raise(error))
            ),
            label=self._task.label,
            task=self._task,
        )

    def _show_comparison(self, comparison: EditionComparison) -> None:
        self._count.setText(word_lists.describe_edition_comparison(self.session.catalogue, comparison))
        words_by_sign = {"+": comparison.added, "-": comparison.removed}
        rows = [
            ChangedWord(f"{sign}{word}", word, sign) for sign, words in words_by_sign.items() for word in words
        ]
        self.rows.show_table(Table("changes", _COLUMNS, tuple(rows)))

    def _show_comparison_error(self, error: UserError) -> None:
        self._count.setText("")
        self.show_error(self.session.catalogue.describe_error(error))
