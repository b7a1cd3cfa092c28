"""An editable list with a form for its rows, built from a declaration.

    RowEditor(
        session,
        fields=(
            FormField(name="note", label=text("Note")),
            FormField(name="seconds", label=text("Time"), control=MinutesSecondsControl),
        ),
        listing=RowEditorListDeclaration(name=text("Incidents"), table=self._table, widths={"at": 56, "note": 0}),
        command=commands.note_incident, edit=commands.edit_incident, remove=commands.remove_incident,
    )

A field sets the command's argument of the same name. The argument's type hint decides how to parse the text. The
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

from tdapp.desk import get_utc_timestamp
from tdapp.domain.commands import Command, find_command_id
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.index import TournamentIndex
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
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, UNLIMITED_WIDTH, FormLayout, Part, SearchField
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n.locales import fold_text

_MAX_LABEL_WIDTH = UNIT * 14  # longer labels do not widen the column


class FieldForm(QWidget):
    """A form built from `FormField` declarations."""

    changed = Signal()
    submitted = Signal()  # Enter in a field

    def __init__(
        self, session: Session, declarations: Sequence[FormField], command: Callable[..., Any] | None = None
    ) -> None:
        super().__init__()
        self._session = session
        self._is_filling = False  # suppresses the signals of the fields
        arguments = (
            {argument.name: argument for argument in list_arguments(command)} if command is not None else {}
        )
        self._controls = {
            declaration.name: make_control(declaration, arguments.get(declaration.name), session)
            for declaration in declarations
        }
        self._parts: dict[str, list[QWidget]] = {}  # visible widgets of each field: its label and its control
        self._grids: dict[FormLayout, list[QLabel]] = {}  # field labels of each grid
        self._arrange_fields(declarations)
        for control in self._controls.values():
            if control.field.value is not None and control.field.options is None:
                control.write_value(control.field.value)
        for control in self._controls.values():
            control.changed.connect(self._refresh_after_field_change)

    def get_widget(self, name: str) -> Any:
        return self._controls[name].widget

    def get_value_if_valid(self, name: str) -> Any:
        try:
            return self._controls[name].read_value()
        except CommandError:
            return None

    def parse_field_text(self, name: str, text: str) -> Any:
        """Return the value of a text typed for a field. Raises CommandError for invalid text."""
        return self._controls[name].parse_field_text(text)

    def get_values_with_none_if_invalid(self) -> dict[str, Any]:
        """Return the value of each field, None for an invalid one."""
        return {name: self.get_value_if_valid(name) for name in self._controls}

    def validate_values(self, *, include_hidden: bool = False) -> dict[str, Any] | None:
        """Return the values by field name. If a shown field is invalid, show its error and return None.

        With `include_hidden` also return the values of hidden fields, if they are valid.
        """
        values = {}
        for name, control in self._controls.items():
            is_shown = self._is_field_shown(control)
            if not is_shown and not include_hidden:
                continue
            try:
                values[name] = control.read_value()
            except CommandError as error:
                if is_shown:
                    self._session.show_error(error, control.widget)
                    return None
        return values

    def fill_from_rows(self, *rows: object) -> None:
        """Fill each field from the first row that has the field's attribute, otherwise with the initial value."""
        self._is_filling = True
        for control in self._controls.values():
            name = control.field.attribute or control.field.name
            # choices may depend on the previous fields
            control.update_choices_or_proposed_value(self.get_values_with_none_if_invalid())
            control.write_value(
                next((getattr(row, name) for row in rows if hasattr(row, name)), control.field.value)
            )
        self._is_filling = False
        self._refresh_after_field_change()

    def reset_fields_for_new_row(self) -> None:
        for control in self._controls.values():
            if not control.field.is_kept and isinstance(control, TextControl | CheckBoxControl | PlayerControl):
                control.write_value(control.field.value)
        self.refresh_fields()

    def remember_jury_member(self) -> None:
        """Store the typed name of the jury member, to propose it for the next row."""
        if AUTHOR in self._controls:
            self._session.settings.setValue(WRITER, self.get_value_if_valid(AUTHOR).strip())

    @property
    def has_unsaved_text(self) -> bool:
        return any(
            control.has_unsaved_text for control in self._controls.values() if self._is_field_shown(control)
        )

    def refresh_fields(self) -> None:
        values = self.get_values_with_none_if_invalid()
        for name, control in self._controls.items():
            control.update_choices_or_proposed_value(values)
            values[name] = self.get_value_if_valid(name)
        for name, control in self._controls.items():
            if control.field.is_shown is not None:
                for part in self._parts[name]:
                    part.setVisible(control.field.is_shown(values))
            if control.field.is_enabled is not None:
                control.widget.setEnabled(control.field.is_enabled(values))
        self._align_labels()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def _arrange_fields(self, declarations: Sequence[FormField]) -> None:
        column = fields.make_column(parent=self)
        row_starts = [index for index, declaration in enumerate(declarations) if not declaration.same_line]
        for start, end in zip(row_starts, [*row_starts[1:], len(declarations)], strict=True):
            first, *neighbours = declarations[start:end]
            label = self._get_label_text(first)
            row_widget = first_widget = self.get_widget(first.name)
            if neighbours:
                row_widget = QWidget()
                parts = [part for neighbour in neighbours for part in self._make_labelled_widgets(neighbour)]
                is_narrow = parts[-1].maximumWidth() < UNLIMITED_WIDTH  # otherwise it takes the remaining width
                fields.make_row(first_widget, *parts, *([1] if is_narrow else []), parent=row_widget)
            if first.new_block or not start:
                column.addLayout(grid := FormLayout())
                self._grids[grid] = []
                is_unlabelled = not label  # no label needs its own column
            widgets = (
                grid.add_wide_field(row_widget)
                if is_unlabelled
                else grid.add_field(row_widget, first.note, title=label)
            )
            if isinstance(widgets[0], QLabel):
                widgets[0].setBuddy(first_widget)
                self._grids[grid].append(widgets[0])
            self._parts[first.name] = widgets

    def _align_labels(self) -> None:
        widths = {
            grid: max((label.sizeHint().width() for label in labels if not _is_hidden(label)), default=0)
            for grid, labels in self._grids.items()
        }
        max_width = scale_pixels(_MAX_LABEL_WIDTH)
        column_width = max((width for width in widths.values() if width <= max_width), default=0)
        for grid, width in widths.items():
            grid.setColumnMinimumWidth(0, column_width if 0 < width <= max_width else 0)

    def _make_labelled_widgets(self, declaration: FormField) -> list[QWidget]:
        parts = [self.get_widget(declaration.name)]
        if text := self._get_label_text(declaration):
            label = fields.make_label(text)
            label.setBuddy(parts[0])
            parts.insert(0, label)
        self._parts[declaration.name] = parts
        return parts

    def _get_label_text(self, declaration: FormField) -> str:
        return "" if isinstance(self._controls[declaration.name], CheckBoxControl) else declaration.label

    def _is_field_shown(self, control: FormControl) -> bool:
        return control.field.is_shown is None or control.field.is_shown(self.get_values_with_none_if_invalid())

    def _refresh_after_field_change(self, *_value: object) -> None:
        if not self._is_filling:
            self.refresh_fields()
            self.changed.emit()


def _is_hidden(widget: QWidget) -> bool:
    """Return whether the program hid the widget. Qt's `isHidden` is also True before the form appears."""
    return widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide) and widget.isHidden()


Run = Callable[[partial[Tournament], Callable[[], None]], None]


class RowEditorListDeclaration(Struct, frozen=True, kw_only=True):
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
    editable_columns: Mapping[str, str] = field(default_factory=dict)  # form field names by column
    optional_columns: Collection[str] = ()


class RowEditor(QWidget):
    """A form and a list for one kind of row."""

    rows_shown = Signal()

    def __init__(  # noqa: PLR0913 - all that a page may declare
        self,
        session: Session,
        *,
        listing: RowEditorListDeclaration,
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
        arrange: Callable[[RowEditor], Sequence[Part]] | None = None,  # returns the widgets in their order
    ) -> None:
        super().__init__()
        self.session, self.listing = session, listing
        self._command, self._edit, self._remove = command, edit, remove
        self._find_row, self._to_command = find_row, to_command or self._make_save_command
        self._error_fields, self._run, self._can_save = error_fields or {}, run, can_save
        self._form_buttons: Sequence[QWidget] = ()
        self.edited_key = ""  # key of the row in the form; "": a new row
        self._make_row_list(listing)
        self._fields = fields
        self.form = FieldForm(session, fields, command or edit)
        self.form.submitted.connect(self.save_row)
        self._first_field_name = focus_when_adding or (fields[0].name if fields else "")
        self._edit_field_name = focus_when_editing or self._first_field_name
        self._make_buttons(add_title, edit_title)
        self._arrange_widgets(arrange(self) if arrange is not None else self.list_form_and_table_parts())

    # --- interface for pages

    def get_field_widget(self, name: str) -> Any:
        return self.form.get_widget(name)

    @property
    def initial_focus_widget(self) -> QWidget:
        return self.get_field_widget(self._first_field_name) if self._command is not None else self.view

    def refresh_editor(self) -> None:
        if self.edited_key and self._find_row is not None and self._find_row(self.edited_key) is None:
            self.start_new_row()
        self.form.refresh_fields()
        self.show_rows()
        self.update_buttons_and_form()

    def can_change_rows(self) -> bool:
        command_ids = [
            find_command_id(command)
            for command in (self._command, self._edit, self._remove)
            if command is not None
        ]
        return self.session.can_run_commands(*command_ids) and not self.session.tournament.event.finished

    @property
    def has_unsaved_row(self) -> bool:
        return bool(self.edited_key) or self.form.has_unsaved_text

    def start_new_row(self) -> None:
        self.edited_key = ""
        self.form.reset_fields_for_new_row()
        self.update_buttons_and_form()
        self.initial_focus_widget.setFocus()

    def save_row(self) -> None:
        if not self.save_button.isEnabled():
            return
        values = self.form.validate_values()
        command = self._to_command(values) if values is not None else None
        if command is not None:
            self.form.remember_jury_member()
            self.run_command(
                command, partial(self._start_new_row_after_save, command.keywords.get("key", self.edited_key))
            )

    def _start_new_row_after_save(self, key: str) -> None:
        self.view.select_row(key)
        self.start_new_row()

    def edit_row(self) -> None:
        key = self.view.get_current_row_key()
        row = self._find_row(key) if self._find_row is not None else None
        if row is not None and self.edit_button.isEnabled():
            self.edited_key = key
            self.form.fill_from_rows(row)
            self.update_buttons_and_form()
            self.get_field_widget(self._edit_field_name).setFocus()
        elif self.rows.flags(self.view.currentIndex()) & Qt.ItemFlag.ItemIsEditable:
            self.view.edit(self.view.currentIndex())

    def remove_row(self) -> None:
        key = self.view.get_current_row_key()
        if self._remove is not None and key and self.remove_button.isEnabled():
            self.run_command(
                self.bind_command_to_row(self._remove, key), lambda: None
            )  # the keys stay in the list

    def run_command(self, command: partial[Tournament], on_success: Callable[[], None]) -> None:
        if self._run is not None:
            self._run(command, on_success)
        else:
            self.session.do(
                command,
                on_success=make_callback_for_visible_widget(self, on_success),
                on_refusal=self.show_error_at_field_or_list,
            )

    def show_error_at_field_or_list(self, error: UserError) -> bool:
        """Show an error and focus the field that caused it, or the list.

        Always return True: the error is handled.
        """
        field_names = (self._error_fields.get(error.code), error.facts.get("field"), self._error_fields.get(""))
        name = next(
            (candidate for candidate in field_names if candidate in {field.name for field in self._fields}), None
        )
        self.session.show_error(
            error, self.view if name is None or self.view.hasFocus() else self.get_field_widget(str(name))
        )
        return True

    def bind_command_to_row(self, command: Command, key: str, **values: Any) -> partial[Tournament]:
        return partial(command, **{list_arguments(command)[0].name: key}, **values)

    # --- build

    def _make_row_list(self, listing: RowEditorListDeclaration) -> None:
        session = self.session
        edit = self._save_cell_text if listing.editable_columns else None
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            shown_texts=listing.column_texts,
            edited_texts=listing.edit_texts,
            edit=edit,
        )
        self.view = TableView(
            self.rows, appearance=session.appearance, name=listing.name, empty=listing.empty_text
        )
        self.view.disable_sorting()
        stretch = tuple(name for name, width in listing.widths.items() if not width)
        self.view.set_widths({name: width for name, width in listing.widths.items() if width}, stretch=stretch)
        self.view.hide_columns_if_empty(listing.optional_columns)
        self.view.add_keyboard_actions({"Ins": self.start_new_row, "F2": self.edit_row, "Del": self.remove_row})
        if self._find_row is not None:
            self.view.row_activated.connect(self.edit_row)
        self.view.current_row_changed.connect(self._show_row_text_below_list)
        self.view.current_row_changed.connect(self.update_buttons_and_form)
        self.rows.modelReset.connect(self._show_row_text_below_list)
        self.line = fields.make_note_label()
        self.line.setParent(self)  # some editors do not show the label
        self.line.hide()
        self.search = SearchField(listing.search_label, session.appearance)
        self.search.textChanged.connect(self.show_rows)

    def _make_buttons(self, add_title: str, edit_title: str) -> None:
        text = self.session.catalogue.text
        self._save_texts = (add_title or text("Add"), text("Save the correction"))
        self.save_button = fields.make_button(self._save_texts[0], self.save_row, role="primary")
        self.cancel_button = fields.make_button(text("Cancel the correction"), self.start_new_row)
        self.edit_button = fields.make_button(edit_title or text("Edit"), self.edit_row)
        self.remove_button = fields.make_button(text("Remove"), self.remove_row)

    def list_form_and_table_parts(self, *extra_buttons: QWidget) -> list[Part]:
        return [
            *self.list_form_and_buttons(),
            fields.make_separator(),
            *self.list_table_and_buttons(*extra_buttons),
        ]

    def list_form_and_buttons(self, *extra_buttons: QWidget) -> list[Part]:
        self._form_buttons = extra_buttons
        return [self.form, fields.make_row(*extra_buttons, 1, self.cancel_button, self.save_button)]

    def list_table_and_buttons(self, *extra_buttons: QWidget) -> list[Part]:
        search = [self.search] if self.listing.search_label else []
        buttons = [self.edit_button] if self._find_row is not None else []
        buttons += [self.remove_button] if self._remove is not None else []
        return [*search, self.view, self.line, fields.make_row(*extra_buttons, 1, *buttons)]

    def _arrange_widgets(self, parts: Sequence[Part]) -> None:
        fields.make_column(*parts, parent=self).setStretchFactor(self.view, 1)
        buttons = (self.save_button, self.cancel_button, self.edit_button, self.remove_button)
        widgets = (self.search, self.line, *buttons, self.form)
        for widget in widgets:
            if widget.parent() is None:
                widget.setParent(self)
                widget.hide()

    # --- the list

    def show_rows(self) -> None:
        table, query = self.listing.table(), self.search.text().strip()
        columns = tuple(column for column in table.columns if column.id in self.listing.widths)
        rows = tuple(row for row in table.rows if not query or self._is_search_match(row, query))
        self.rows.show_table(Table(table.id, columns, rows))
        no_match_text = self.session.catalogue.text("Nothing found. Press Esc in the search field to show all.")
        self.view.set_empty_text(no_match_text if table.rows else self.listing.empty_text)
        self.search.setEnabled(bool(table.rows))
        self._show_row_text_below_list()
        self.rows_shown.emit()

    def _is_search_match(self, row: Any, query: str) -> bool:
        if self.listing.matches is not None:
            return self.listing.matches(row, query)
        line = fold_text(self.listing.row_text(row)) if self.listing.row_text is not None else ""
        return all(fold_text(word) in line for word in query.split())

    def _show_row_text_below_list(self) -> None:
        row, make_text = self.rows.find_row_by_key(self.view.get_current_row_key()), self.listing.row_text
        self.line.setText(make_text(row) if row is not None and make_text is not None else "")
        self.line.setVisible(bool(self.line.text()) and not self.view.isHidden())

    def _save_cell_text(self, key: str, column: str, text: str) -> None:
        if self._edit is None:
            return
        name = self.listing.editable_columns[column]
        try:
            value = self.form.parse_field_text(name, text.strip())
        except CommandError as error:
            self.session.show_error(error, self.view)
            return
        self.session.do(self.bind_command_to_row(self._edit, key, **{name: value}), field=self.view)

    def update_buttons_and_form(self) -> None:
        can_edit, has_selection = self.can_change_rows(), bool(self.view.get_current_row_key())
        self.rows.locked = not can_edit
        self.save_button.setEnabled(can_edit and self._can_save())
        self.save_button.setText(self._save_texts[bool(self.edited_key) and self._command is not None])
        self.cancel_button.setVisible(bool(self.edited_key))
        for widget in (self.form, self.save_button, *self._form_buttons):
            widget.setVisible(self._command is not None or bool(self.edited_key))
        self.edit_button.setEnabled(can_edit and has_selection)
        self.remove_button.setEnabled(can_edit and has_selection)

    def _make_save_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        if self.edited_key and self._edit is not None:
            return self.bind_command_to_row(self._edit, self.edited_key, **values)
        if self._command is None:
            return None
        return partial(self._command, **values, **self._make_key_time_and_division_arguments(self._command))

    def _make_key_time_and_division_arguments(self, command: Command) -> dict[str, Any]:
        division, argument_names = self.session.division, {argument.name for argument in list_arguments(command)}
        values = {
            "key": self.session.make_row_id(),
            "at": get_utc_timestamp(),
            "division": division.id if division else None,
        }
        return {name: value for name, value in values.items() if name in argument_names}

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


class RowEditorPanel(Panel):
    """A panel with a `RowEditor`. If typed text would be lost, the first Esc only shows a warning."""

    editor: RowEditor

    def __init__(self, session: Session, title: str, *, width: int = 0) -> None:
        super().__init__(session, title, width=width)
        self._has_warned = False

    def set_editor(self, editor: RowEditor) -> None:
        self.editor = editor
        editor.form.refresh_fields()
        self.body.addWidget(editor, 1)
        self.setFocusProxy(editor.initial_focus_widget)

    def get_field_widget(self, name: str) -> Any:
        return self.editor.get_field_widget(name)

    def refresh_panel(self) -> None:
        division = self.session.division
        if division is None:
            self.closed.emit()
        else:
            self.editor.refresh_editor()
            self.refresh_widgets_outside_editor(division)

    def refresh_widgets_outside_editor(self, division: Division) -> None:
        """Update the widgets around the editor."""

    def make_table_of_selected_division(self, build: Callable[[TournamentIndex, Division], Table[R]]) -> Table[R]:
        division = self.session.division
        return build(self.session.index, division) if division else Table("", (), ())

    def preview_report(self, report: str) -> None:
        from tdapp.gui.printouts.preview import PrintPreview  # noqa: PLC0415 - imported when needed

        division = self.session.division
        rounds = self.session.index.rounds(division.id) if division else ()
        number = rounds[-1].number if rounds else None
        PrintPreview(self.session, report, round=number, parent=self.window()).open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.editor.has_unsaved_row and not self._has_warned:
            self._has_warned = True
            self.session.show_message(
                self.text("The text is not saved yet. Press Esc again to discard it."), tone="note"
            )
            return
        self._has_warned = False
        super().keyPressEvent(event)
