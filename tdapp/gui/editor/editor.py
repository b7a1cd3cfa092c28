"""An editable list with a form for its rows, built from a declaration.

    Editor(
        session,
        fields=(
            FormField(name="note", label=text("Note")),
            FormField(name="seconds", label=text("Time"), control=MinutesSecondsControl),
        ),
        listing=EditorListDeclaration(name=text("Incidents"), table=self._table, widths={"at": 56, "note": 0}),
        command=commands.note_incident, edit=commands.edit_incident, remove=commands.remove_incident,
    )

A field gives the command's argument of the same name. The argument's type hint decides how text is parsed. The
first argument of `edit` and `remove` is the row's key. Without `command` the form appears only while a row is
edited.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.desk import utc_now
from tdapp.domain.commands import Command, find_command_id
from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.tables.table import R, Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.type_hints import list_arguments
from tdapp.gui.editor.fields import (
    AUTHOR,
    CheckBoxControl,
    FormControl,
    FormField,
    PlayerControl,
    TextControl,
    make_control,
)
from tdapp.gui.shell.jury_member import WRITER
from tdapp.gui.shell.session import Session, run_if_seen
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, UNLIMITED_WIDTH, Form, Part, SearchField
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n.locales import fold_text

_SHORT = UNIT * 14  # pixels of a label at the usual size


class FieldForm(QWidget):
    """A form of declared fields."""

    changed = Signal()
    submitted = Signal()  # Enter in a field

    def __init__(
        self, session: Session, declared: Sequence[FormField], command: Callable[..., Any] | None = None
    ) -> None:
        super().__init__()
        self._session = session
        self._showing = False  # several fields are about to change
        asked = {one.name: one for one in list_arguments(command)} if command is not None else {}
        self._controls = {one.name: make_control(one, asked.get(one.name), session) for one in declared}
        self._parts: dict[str, list[QWidget]] = {}  # visible widgets of each field: its label and its control
        self._grids: dict[Form, list[QLabel]] = {}  # the labels of each part
        self._arrange_fields(declared)
        for one in self._controls.values():
            if one.field.value is not None and one.field.options is None:
                one.write_value(one.field.value)
        for one in self._controls.values():
            one.changed.connect(self._handle_field_change)

    def get_widget(self, name: str) -> Any:
        return self._controls[name].widget

    def get_value_or_none(self, name: str) -> Any:
        try:
            return self._controls[name].read_value()
        except RuleViolation:
            return None

    def parse_text(self, name: str, typed: str) -> Any:
        """Return the value of a text typed for a field. Raises RuleViolation for invalid text."""
        return self._controls[name].parse_text(typed)

    def get_values(self) -> dict[str, Any]:
        """Return the value of each field, None for an invalid one."""
        return {name: self.get_value_or_none(name) for name in self._controls}

    def validate_values(self, *, include_hidden: bool = False) -> dict[str, Any] | None:
        """Return the values by field name. If a shown field is invalid, show its error and return None.

        With `include_hidden` also return the values of hidden fields, if they are valid.
        """
        found = {}
        for name, one in self._controls.items():
            there = self._is_field_shown(one)
            if not there and not include_hidden:
                continue
            try:
                found[name] = one.read_value()
            except RuleViolation as error:
                if there:
                    self._session.show_error(error, one.widget)
                    return None
        return found

    def fill_from_rows(self, *rows: object) -> None:
        """Fill each field from the first of the rows that has its attribute, or with its initial value."""
        self._showing = True
        for one in self._controls.values():
            name = one.field.attribute or one.field.name
            one.update_choices(self.get_values())  # its choices may depend on the previous field
            one.write_value(next((getattr(row, name) for row in rows if hasattr(row, name)), one.field.value))
        self._showing = False
        self._handle_field_change()

    def clear_fields(self) -> None:
        for one in self._controls.values():
            if not one.field.kept and isinstance(one, TextControl | CheckBoxControl | PlayerControl):
                one.write_value(one.field.value)
        self.refresh_fields()

    def remember_author(self) -> None:
        if AUTHOR in self._controls:
            self._session.settings.setValue(WRITER, self.get_value_or_none(AUTHOR).strip())

    @property
    def has_unsaved_text(self) -> bool:
        return any(one.has_unsaved_text for one in self._controls.values() if self._is_field_shown(one))

    def refresh_fields(self) -> None:
        values = self.get_values()
        for name, one in self._controls.items():
            one.update_choices(values)
            values[name] = self.get_value_or_none(name)
        for name, one in self._controls.items():
            if one.field.is_shown is not None:
                for part in self._parts[name]:
                    part.setVisible(one.field.is_shown(values))
            if one.field.is_enabled is not None:
                one.widget.setEnabled(one.field.is_enabled(values))
        self._align_labels()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def _arrange_fields(self, declared: Sequence[FormField]) -> None:
        column = fields.column(parent=self)
        starts = [at for at, one in enumerate(declared) if not one.same_line]
        for start, end in zip(starts, [*starts[1:], len(declared)], strict=True):
            first, *beside = declared[start:end]
            label = self._get_label_text(first)
            whole = made = self.get_widget(first.name)
            if beside:
                whole = QWidget()
                parts = [part for one in beside for part in self._make_labelled_widgets(one)]
                narrow = parts[-1].maximumWidth() < UNLIMITED_WIDTH  # otherwise it takes the remaining width
                fields.row(made, *parts, *([1] if narrow else []), parent=whole)
            if first.new_block or not start:
                column.addLayout(grid := Form())
                self._grids[grid] = []
                bare = not label  # no label needs its own column
            added = grid.add_wide_field(whole) if bare else grid.add_field(whole, first.note, title=label)
            if isinstance(added[0], QLabel):
                added[0].setBuddy(made)
                self._grids[grid].append(added[0])
            self._parts[first.name] = added

    def _align_labels(self) -> None:
        widths = {
            grid: max((one.sizeHint().width() for one in labels if not _is_hidden(one)), default=0)
            for grid, labels in self._grids.items()
        }
        most = scale_pixels(_SHORT)
        line = max((width for width in widths.values() if width <= most), default=0)
        for grid, width in widths.items():
            grid.setColumnMinimumWidth(0, line if 0 < width <= most else 0)

    def _make_labelled_widgets(self, declared: FormField) -> list[QWidget]:
        parts = [self.get_widget(declared.name)]
        if text := self._get_label_text(declared):
            label = fields.label(text)
            label.setBuddy(parts[0])
            parts.insert(0, label)
        self._parts[declared.name] = parts
        return parts

    def _get_label_text(self, declared: FormField) -> str:
        return "" if isinstance(self._controls[declared.name], CheckBoxControl) else declared.label

    def _is_field_shown(self, control: FormControl) -> bool:
        return control.field.is_shown is None or control.field.is_shown(self.get_values())

    def _handle_field_change(self, *_value: object) -> None:
        if not self._showing:
            self.refresh_fields()
            self.changed.emit()


def _is_hidden(widget: QWidget) -> bool:
    """Return whether the program hid the widget. Qt's `isHidden` is also True before the form appears."""
    return widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide) and widget.isHidden()


Run = Callable[[partial[Tournament], Callable[[], None]], None]


class EditorListDeclaration(Struct, frozen=True, kw_only=True):
    """Declares the list of an editor: its rows, columns and search."""

    name: str
    table: Callable[[], Table[Any]]
    widths: Mapping[str, int]  # visible columns with widths in pixels; columns of width 0 share the rest
    empty_text: str = ""
    column_texts: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    edit_texts: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    row_text: Callable[[Any], str] | None = None  # text of the current row below the list, used by the search
    search_label: str = ""
    matches: Callable[[Any, str], bool] | None = None  # whether the search finds a row; None: by `row_text`
    editable_columns: Mapping[str, str] = field(default_factory=dict)  # names of their form fields by column
    optional_columns: Collection[str] = ()


class Editor(QWidget):
    """A form and a list for one kind of row."""

    listed = Signal()  # other rows are shown

    def __init__(  # noqa: PLR0913 - all that a place may declare
        self,
        session: Session,
        *,
        listing: EditorListDeclaration,
        fields: Sequence[FormField] = (),
        command: Command | None = None,
        edit: Command | None = None,
        remove: Command | None = None,
        find_row: Callable[[str], object | None] | None = None,
        to_command: Callable[[dict[str, Any]], partial[Tournament] | None] | None = None,
        add_title: str = "",  # button text
        edit_title: str = "",  # button text
        error_fields: Mapping[str, str] | None = None,  # field to focus by error code; "": the default field
        run: Run | None = None,
        can_save: Callable[[], bool] = lambda: True,
        focus_when_adding: str = "",  # name of a field; "": the first
        focus_when_editing: str = "",  # name of a field; "": as when adding
        arrange: Callable[[Editor], Sequence[Part]] | None = None,  # returns the widgets in their order
    ) -> None:
        super().__init__()
        self.session, self.listing = session, listing
        self._command, self._edit, self._remove = command, edit, remove
        self._find_row, self._to_command = find_row, to_command or self._make_save_command
        self._error_fields, self._run, self._can_save = error_fields or {}, run, can_save
        self._beside_form: Sequence[QWidget] = ()
        self.corrected = ""  # the key of the row in the form, empty while none is corrected
        self._make_row_list(listing)
        self._fields = fields
        self.form = FieldForm(session, fields, command or edit)
        self.form.submitted.connect(self.save_row)
        self._begins = focus_when_adding or (fields[0].name if fields else "")
        self._corrects = focus_when_editing or self._begins
        self._make_buttons(add_title, edit_title)
        self._arrange_widgets(arrange(self) if arrange is not None else self.list_default_widgets())

    # --- what pages use

    def field(self, name: str) -> Any:
        return self.form.get_widget(name)

    @property
    def first_field(self) -> QWidget:
        return self.field(self._begins) if self._command is not None else self.view

    def refresh_editor(self) -> None:
        if self.corrected and self._find_row is not None and self._find_row(self.corrected) is None:
            self.start_new_row()
        self.form.refresh_fields()
        self.show_rows()
        self.update_buttons()

    def can_change(self) -> bool:
        used = [find_command_id(one) for one in (self._command, self._edit, self._remove) if one is not None]
        return self.session.can_run_commands(*used) and not self.session.tournament.event.finished

    @property
    def has_unsaved_text(self) -> bool:
        return bool(self.corrected) or self.form.has_unsaved_text

    def start_new_row(self) -> None:
        self.corrected = ""
        self.form.clear_fields()
        self.update_buttons()
        self.first_field.setFocus()

    def save_row(self) -> None:
        if not self.keep_button.isEnabled():
            return
        values = self.form.validate_values()
        command = self._to_command(values) if values is not None else None
        if command is not None:
            self.form.remember_author()
            self.run_command(command, partial(self._select_saved_row, command.keywords.get("key", self.corrected)))

    def _select_saved_row(self, key: str) -> None:
        self.view.choose(key)
        self.start_new_row()

    def edit_row(self) -> None:
        key = self.view.current_key()
        row = self._find_row(key) if self._find_row is not None else None
        if row is not None and self.correct_button.isEnabled():
            self.corrected = key
            self.form.fill_from_rows(row)
            self.update_buttons()
            self.field(self._corrects).setFocus()
        elif self.rows.flags(self.view.currentIndex()) & Qt.ItemFlag.ItemIsEditable:
            self.view.edit(self.view.currentIndex())

    def remove_row(self) -> None:
        key = self.view.current_key()
        if self._remove is not None and key and self.remove_button.isEnabled():
            self.run_command(self.make_row_command(self._remove, key), lambda: None)  # the keys stay in the list

    def run_command(self, command: partial[Tournament], done: Callable[[], None]) -> None:
        if self._run is not None:
            self._run(command, done)
        else:
            self.session.do(command, on_success=run_if_seen(self, done), on_refusal=self.show_error_at_field)

    def show_error_at_field(self, error: UserError) -> bool:
        """Show an error and focus the field that caused it, or the list.

        Always return True: the error is handled.
        """
        known = (self._error_fields.get(error.code), error.facts.get("field"), self._error_fields.get(""))
        name = next((one for one in known if one in {field.name for field in self._fields}), None)
        self.session.show_error(
            error, self.view if name is None or self.view.hasFocus() else self.field(str(name))
        )
        return True

    def make_row_command(self, command: Command, key: str, **values: Any) -> partial[Tournament]:
        return partial(command, **{list_arguments(command)[0].name: key}, **values)

    # --- making it

    def _make_row_list(self, listing: EditorListDeclaration) -> None:
        session = self.session
        edit = self._save_cell_text if listing.editable_columns else None
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            shown_texts=listing.column_texts,
            edited_texts=listing.edit_texts,
            edit=edit,
        )
        self.view = TableView(self.rows, look=session.look, name=listing.name, empty=listing.empty_text)
        self.view.disable_sorting()
        stretch = tuple(name for name, width in listing.widths.items() if not width)
        self.view.set_widths({name: one for name, one in listing.widths.items() if one}, stretch=stretch)
        self.view.hide_columns_if_empty(listing.optional_columns)
        self.view.bind_keys({"Ins": self.start_new_row, "F2": self.edit_row, "Del": self.remove_row})
        if self._find_row is not None:
            self.view.row_activated.connect(self.edit_row)
        self.view.current_row_changed.connect(self._show_current_row_text)
        self.view.current_row_changed.connect(self.update_buttons)
        self.rows.modelReset.connect(self._show_current_row_text)
        self.line = fields.note()
        self.line.setParent(self)  # not every editor shows it
        self.line.hide()
        self.search = SearchField(listing.search_label, session.look)
        self.search.textChanged.connect(self.show_rows)

    def _make_buttons(self, add_title: str, edit_title: str) -> None:
        text = self.session.catalogue.text
        self._keep_texts = (add_title or text("Add"), text("Save the correction"))
        self.keep_button = fields.button(self._keep_texts[0], self.save_row, role="primary")
        self.leave_button = fields.button(text("Cancel the correction"), self.start_new_row)
        self.correct_button = fields.button(edit_title or text("Edit"), self.edit_row)
        self.remove_button = fields.button(text("Remove"), self.remove_row)

    def list_default_widgets(self, *extra_buttons: QWidget) -> list[Part]:
        return [*self.list_form_widgets(), fields.separator(), *self.list_table_widgets(*extra_buttons)]

    def list_form_widgets(self, *extra_buttons: QWidget) -> list[Part]:
        self._beside_form = extra_buttons
        return [self.form, fields.row(*extra_buttons, 1, self.leave_button, self.keep_button)]

    def list_table_widgets(self, *extra_buttons: QWidget) -> list[Part]:
        search = [self.search] if self.listing.search_label else []
        under = [self.correct_button] if self._find_row is not None else []
        under += [self.remove_button] if self._remove is not None else []
        return [*search, self.view, self.line, fields.row(*extra_buttons, 1, *under)]

    def _arrange_widgets(self, parts: Sequence[Part]) -> None:
        fields.column(*parts, parent=self).setStretchFactor(self.view, 1)
        buttons = (self.keep_button, self.leave_button, self.correct_button, self.remove_button)
        loose = (self.search, self.line, *buttons, self.form)
        for one in loose:
            if one.parent() is None:
                one.setParent(self)
                one.hide()

    # --- the list

    def show_rows(self) -> None:
        table, sought = self.listing.table(), self.search.text().strip()
        columns = tuple(one for one in table.columns if one.id in self.listing.widths)
        rows = tuple(row for row in table.rows if not sought or self._matches_search(row, sought))
        self.rows.show_table(Table(table.id, columns, rows))
        nothing = self.session.catalogue.text("Nothing found. Press Esc in the search field to show all.")
        self.view.set_empty_text(nothing if table.rows else self.listing.empty_text)
        self.search.setEnabled(bool(table.rows))
        self._show_current_row_text()
        self.listed.emit()

    def _matches_search(self, row: Any, query: str) -> bool:
        if self.listing.matches is not None:
            return self.listing.matches(row, query)
        line = fold_text(self.listing.row_text(row)) if self.listing.row_text is not None else ""
        return all(fold_text(word) in line for word in query.split())

    def _show_current_row_text(self) -> None:
        row, make_text = self.rows.row(self.view.current_key()), self.listing.row_text
        self.line.setText(make_text(row) if row is not None and make_text is not None else "")
        self.line.setVisible(bool(self.line.text()) and not self.view.isHidden())

    def _save_cell_text(self, key: str, column: str, typed: str) -> None:
        if self._edit is None:
            return
        name = self.listing.editable_columns[column]
        try:
            value = self.form.parse_text(name, typed.strip())
        except RuleViolation as error:
            self.session.show_error(error, self.view)
            return
        self.session.do(self.make_row_command(self._edit, key, **{name: value}), field=self.view)

    def update_buttons(self) -> None:
        may, chosen = self.can_change(), bool(self.view.current_key())
        self.rows.locked = not may
        self.keep_button.setEnabled(may and self._can_save())
        self.keep_button.setText(self._keep_texts[bool(self.corrected) and self._command is not None])
        self.leave_button.setVisible(bool(self.corrected))
        for one in (self.form, self.keep_button, *self._beside_form):
            one.setVisible(self._command is not None or bool(self.corrected))
        self.correct_button.setEnabled(may and chosen)
        self.remove_button.setEnabled(may and chosen)

    def _make_save_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        if self.corrected and self._edit is not None:
            return self.make_row_command(self._edit, self.corrected, **values)
        if self._command is None:
            return None
        return partial(self._command, **values, **self._list_automatic_arguments(self._command))

    def _list_automatic_arguments(self, command: Command) -> dict[str, Any]:
        division, asked = self.session.division, {one.name for one in list_arguments(command)}
        given = {"key": self.session.make_row_id(), "at": utc_now(), "division": division.id if division else None}
        return {name: value for name, value in given.items() if name in asked}

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Let the Insert key add a row here. Elsewhere in the window it adds players."""
        if event.type() is QEvent.Type.ShortcutOverride and _is_insert_key_press(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_insert_key_press(event):
            self.start_new_row()
        else:
            super().keyPressEvent(event)


def _is_insert_key_press(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Insert and not event.modifiers()


class EditorPanel(Panel):
    """A panel with an editor. The first Esc does not close it if typed text would be lost."""

    editor: Editor

    def __init__(self, session: Session, title: str, *, width: int = 0) -> None:
        super().__init__(session, title, width=width)
        self._warned = False

    def set_editor(self, editor: Editor) -> None:
        self.editor = editor
        editor.form.refresh_fields()
        self.body.addWidget(editor, 1)
        self.setFocusProxy(editor.first_field)

    def field(self, name: str) -> Any:
        return self.editor.field(name)

    def refresh_panel(self) -> None:
        division = self.session.division
        if division is None:
            self.closed.emit()
        else:
            self.editor.refresh_editor()
            self.refresh_other_widgets(division)

    def refresh_other_widgets(self, division: Division) -> None:
        """Update the widgets around the editor."""

    def make_division_table(self, build: Callable[[Index, Division], Table[R]]) -> Table[R]:
        division = self.session.division
        return build(self.session.index, division) if division else Table("", (), ())

    def preview_report(self, report: str) -> None:
        from tdapp.gui.printouts.preview import PrintPreview  # noqa: PLC0415 - it comes when it is wanted

        division = self.session.division
        rounds = self.session.index.rounds(division.id) if division else ()
        number = rounds[-1].number if rounds else None
        PrintPreview(self.session, report, round=number, parent=self.window()).open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.editor.has_unsaved_text and not self._warned:
            self._warned = True
            self.session.show_message(
                self.text("The text is not saved yet. Press Esc again to discard it."), tone="note"
            )
            return
        self._warned = False
        super().keyPressEvent(event)
