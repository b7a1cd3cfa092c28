"""A form built from declared fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain.errors import RuleViolation
from tdapp.domain.type_hints import list_arguments
from tdapp.gui.editor.fields import AUTHOR, ChoosePlayer, FormControl, Input, Text, Tick, control
from tdapp.gui.shell.jury_member import WRITER
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, WIDE, Form
from tdapp.gui.widgets.theme import UNIT, scaled

_SHORT = UNIT * 14  # pixels of a label at the usual size


class FieldForm(QWidget):
    """Fields with labels. `submitted`: Enter in a field."""

    changed = Signal()
    submitted = Signal()

    def __init__(
        self, session: Session, declared: Sequence[Input], command: Callable[..., Any] | None = None
    ) -> None:
        """Parse fields by the type hints of `command` or a class."""
        super().__init__()
        self._session = session
        self._showing = False  # several fields are about to change
        asked = {one.name: one for one in list_arguments(command)} if command is not None else {}
        self._controls = {one.name: control(one, asked.get(one.name), session) for one in declared}
        self._parts: dict[str, list[QWidget]] = {}  # visible widgets of each field: its label and its control
        self._grids: dict[Form, list[QLabel]] = {}  # the labels of each part
        self._arrange(declared)
        for one in self._controls.values():
            if one.field.value is not None and one.field.options is None:
                one.write_value(one.field.value)
        for one in self._controls.values():
            one.changed.connect(self._change)

    def widget(self, name: str) -> Any:
        return self._controls[name].widget

    def read_field(self, name: str) -> Any:
        try:
            return self._controls[name].read_value()
        except RuleViolation:
            return None

    def parse(self, name: str, typed: str) -> Any:
        """Parse a typed value. Raises RuleViolation for invalid text."""
        return self._controls[name].parse(typed)

    def values(self) -> dict[str, Any]:
        return {name: self.read_field(name) for name in self._controls}

    def read_values(self, *, hidden: bool = False) -> dict[str, Any] | None:
        """Return the values of visible fields, or None after showing an error.

        `hidden`: also return readable values of hidden fields.
        """
        found = {}
        for name, one in self._controls.items():
            there = self._is_there(one)
            if not there and not hidden:
                continue
            try:
                found[name] = one.read_value()
            except RuleViolation as error:
                if there:
                    self._session.show_error(error, one.widget)
                    return None
        return found

    def show_row(self, *rows: object) -> None:
        """Show an edited row. Each field uses the first object with its attribute."""
        self._showing = True
        for one in self._controls.values():
            name = one.field.attribute or one.field.name
            one.update_choices(self.values())  # its choices may depend on the previous field
            one.write_value(next((getattr(row, name) for row in rows if hasattr(row, name)), one.field.value))
        self._showing = False
        self._change()

    def clear(self) -> None:
        """Empty the fields, except those that stay."""
        for one in self._controls.values():
            if not one.field.stays and isinstance(one, Text | Tick | ChoosePlayer):
                one.write_value(one.field.value)
        self.refresh_fields()

    def remember(self) -> None:
        if AUTHOR in self._controls:
            self._session.settings.setValue(WRITER, self.read_field(AUTHOR).strip())

    @property
    def unsaved(self) -> bool:
        return any(one.unsaved for one in self._controls.values() if self._is_there(one))

    def refresh_fields(self) -> None:
        values = self.values()
        for name, one in self._controls.items():
            one.update_choices(values)
            values[name] = self.read_field(name)
        for name, one in self._controls.items():
            if one.field.shown is not None:
                for part in self._parts[name]:
                    part.setVisible(one.field.shown(values))
            if one.field.enabled is not None:
                one.widget.setEnabled(one.field.enabled(values))
        self._align()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def _arrange(self, declared: Sequence[Input]) -> None:
        column = fields.column(parent=self)
        starts = [at for at, one in enumerate(declared) if not one.beside]
        for start, end in zip(starts, [*starts[1:], len(declared)], strict=True):
            first, *beside = declared[start:end]
            label = self._label(first)
            whole = made = self.widget(first.name)
            if beside:
                whole = QWidget()
                parts = [part for one in beside for part in self._labelled(one)]
                narrow = parts[-1].maximumWidth() < WIDE  # otherwise it takes the remaining width
                fields.row(made, *parts, *([1] if narrow else []), parent=whole)
            if first.apart or not start:
                column.addLayout(grid := Form())
                self._grids[grid] = []
                bare = not label  # no label needs its own column
            added = grid.add_wide(whole) if bare else grid.add_field(whole, first.note, named=label)
            if isinstance(added[0], QLabel):
                added[0].setBuddy(made)
                self._grids[grid].append(added[0])
            self._parts[first.name] = added

    def _align(self) -> None:
        widths = {
            grid: max((one.sizeHint().width() for one in labels if not _put_away(one)), default=0)
            for grid, labels in self._grids.items()
        }
        most = scaled(_SHORT)
        line = max((width for width in widths.values() if width <= most), default=0)
        for grid, width in widths.items():
            grid.setColumnMinimumWidth(0, line if 0 < width <= most else 0)

    def _labelled(self, one: Input) -> list[QWidget]:
        parts = [self.widget(one.name)]
        if text := self._label(one):
            label = fields.label(text)
            label.setBuddy(parts[0])
            parts.insert(0, label)
        self._parts[one.name] = parts
        return parts

    def _label(self, one: Input) -> str:
        return "" if isinstance(self._controls[one.name], Tick) else one.label

    def _is_there(self, one: FormControl) -> bool:
        return one.field.shown is None or one.field.shown(self.values())

    def _change(self, *_value: object) -> None:
        if not self._showing:
            self.refresh_fields()
            self.changed.emit()


def _put_away(part: QWidget) -> bool:
    """Return whether a part is explicitly hidden: before the form is shown all are invisible."""
    return part.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide) and part.isHidden()
