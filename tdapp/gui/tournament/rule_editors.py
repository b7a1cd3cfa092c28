"""Controls for the kinds of rule parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QListWidgetItem, QSizePolicy, QWidget

from tdapp.domain.errors import CommandError
from tdapp.domain.rule_fields import RuleField, RuleFieldKind
from tdapp.domain.season_rule import QualifyingPlacesByFieldSize
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, LineEdit, NumberEdit
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.rule_sentences import FIXED_ENDINGS, Names, format_list_value_of_rule

WIDEST_NUMBER = ROW * 3


class RuleControl(QWidget):
    """Control for one rule parameter."""

    edited = Signal(str)  # path of the parameter
    wide = False  # whether the control is below its label instead of beside it

    def __init__(self, session: Session, field: RuleField) -> None:
        super().__init__()
        self.session = session
        self.field = field
        self.label = session.catalogue.get_rule_name(field.text_key)
        self.value_names = " ".join(map(session.catalogue.translate_code, field.members))

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def read_rule_value(self) -> object:
        """Return the value in the control. Raises CommandError for invalid input."""
        raise NotImplementedError

    def mark_invalid(self, *, is_invalid: bool) -> None:
        for line in self.findChildren(LineEdit):
            line.mark_invalid(is_invalid=is_invalid)

    def _emit_edited_signal(self, _value: object) -> None:
        self.edited.emit(self.field.path)

    def _arrange_widgets(self, *items: fields.Part) -> None:
        fields.make_row(*items, parent=self)
        self.setFocusProxy(next(part for part in items if isinstance(part, QWidget)))


class TextOrNumberEditor(RuleControl):
    """Control for a name, a number, or a list of them."""

    def __init__(self, session: Session, field: RuleField) -> None:
        super().__init__(session, field)
        self.wide = field.kind not in {RuleFieldKind.NUMBER, RuleFieldKind.FRACTION}
        self.line = LineEdit(self.label)
        if not self.wide:
            self.line.setFixedWidth(scale_pixels(WIDEST_NUMBER))
            self.line.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.line.textEdited.connect(self._emit_edited_signal)
        self._arrange_widgets(self.line)

    def show_value(self, value: Any) -> None:
        """Show a value, "" for None. Do not replace text that the user is typing."""
        text = "" if value is None else str(value)
        if isinstance(value, tuple):
            fractions = self.field.kind is RuleFieldKind.FRACTIONS
            text = " ".join(map(str, value)) if fractions else format_list_value_of_rule(value)
        if self.line.text() != text:
            self.line.setText(text)
            self.line.setCursorPosition(0)

    def read_rule_value(self) -> object:
        text = self.line.text().strip()
        if self.field.kind is RuleFieldKind.NUMBER:
            return None if self.field.optional and not text else _parse_rule_number(self.field, text)
        if self.field.kind is RuleFieldKind.FRACTION:
            return _parse_fraction(text)
        if self.field.kind is RuleFieldKind.FRACTIONS:
            return tuple(map(_parse_fraction, text.replace(";", " ").split()))
        if self.field.kind is RuleFieldKind.FIELD_PLACES:
            return tuple(map(_parse_qualifying_places, _split_at_commas(text)))
        if self.field.kind is RuleFieldKind.TEXTS:
            return tuple(_split_at_commas(text))
        if not text and not self.field.optional:
            raise CommandError("rule-text")
        return text


class NumberPairEditor(RuleControl):
    """Control for two numbers. The user fills both or neither."""

    def __init__(self, session: Session, field: RuleField) -> None:
        super().__init__(session, field)
        text = session.catalogue.text
        names = (text("{rule}: lowest value", rule=self.label), text("{rule}: highest value", rule=self.label))
        self.lines = tuple(NumberEdit(name, width=ROW * 2) for name in names)
        for line in self.lines:
            line.textEdited.connect(self._emit_edited_signal)
        self._arrange_widgets(
            self.lines[0], fields.make_label(text(C_("between two limits", "to"))), self.lines[1]
        )

    def show_value(self, value: tuple[int, int] | None) -> None:
        for line, number in zip(self.lines, value or ("", ""), strict=True):
            if line.text() != str(number):
                line.setText(str(number))

    def read_rule_value(self) -> object:
        if not any(line.text().strip() for line in self.lines):
            return None
        return tuple(_parse_rule_number(self.field, line.text()) for line in self.lines)


class YesNoEditor(RuleControl):
    """A check box for a rule parameter."""

    def __init__(self, session: Session, field: RuleField) -> None:
        super().__init__(session, field)
        self.box = fields.make_check_box("")
        self.box.setAccessibleName(self.label)
        self.box.toggled.connect(self._emit_edited_signal)
        self._arrange_widgets(self.box)

    def show_value(self, value: bool) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value)

    def read_rule_value(self) -> object:
        return self.box.isChecked()


class ChoiceEditor(RuleControl):
    """Control to choose one value, from an Enum or from pairs of value and text."""

    wide = True

    def __init__(self, session: Session, field: RuleField, named_values: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(session, field)
        code = session.catalogue.translate_code
        self._choices: list[tuple[Any, str]] = [
            *((member, code(member)) for member in field.members),
            *named_values,
        ]
        self.choice: Choice[Any] = Choice(self.label, self._choices, session.appearance)
        self.choice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choice.currentIndexChanged.connect(self._emit_edited_signal)
        self._arrange_widgets(self.choice)

    def show_value(self, value: object) -> None:
        other_choices = [] if value in [known_value for known_value, _ in self._choices] else [(value, str(value))]
        self.choice.set_choices([*self._choices, *other_choices], value)

    def read_rule_value(self) -> object:
        return self.choice.value()


class MultipleChoiceEditor(RuleControl):
    """Several check boxes for members of an Enum."""

    wide = True

    def __init__(self, session: Session, field: RuleField) -> None:
        super().__init__(session, field)
        self._hidden: tuple[Enum, ...] = ()
        members = [member for member in field.members if member not in FIXED_ENDINGS]
        self.boxes = {
            member: fields.make_check_box(session.catalogue.translate_code(member)) for member in members
        }
        fields.make_column(*self.boxes.values(), gap=0, parent=self)
        for box in self.boxes.values():
            box.toggled.connect(self._emit_edited_signal)
        self.setFocusProxy(next(iter(self.boxes.values())))

    def show_value(self, value: tuple[Enum, ...]) -> None:
        self._hidden = tuple(member for member in value if member in FIXED_ENDINGS)
        for member, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(member in value)

    def read_rule_value(self) -> object:
        return tuple(member for member, box in self.boxes.items() if box.isChecked()) + self._hidden


class TieBreakList(TextListWidget):
    """Lists all tie-breaks, or only `members`. The ticked tie-breaks count, in the order shown."""

    def __init__(
        self, name: str, catalogue: Catalogue, *, short: bool = False, members: Iterable[Enum] = ()
    ) -> None:
        super().__init__(name, wrap=not short)
        self._short = short
        self._choices: Mapping[Any, str] = {member: catalogue.translate_code(member) for member in members} or {
            name: catalogue.explain_column(tiebreak.text_id) for name, tiebreak in TIEBREAKS.items()
        }

    def show_ticked_tiebreaks(self, ticked: tuple[str, ...]) -> None:
        with QSignalBlocker(self):
            self.clear()
            for name in (*ticked, *(other_name for other_name in self._choices if other_name not in ticked)):
                full = self._choices[name]
                item = QListWidgetItem(full.partition(":")[0] if self._short else full, self)
                item.setToolTip(full)
                if self._short:
                    item.setSizeHint(QSize(0, scale_line_height(ROW - 4)))
                item.setData(Qt.ItemDataRole.UserRole, str(name))
                item.setCheckState(Qt.CheckState.Checked if name in ticked else Qt.CheckState.Unchecked)
            self.setCurrentRow(0)

    def list_ticked_tiebreaks(self) -> tuple[str, ...]:
        items = (self.item(position) for position in range(self.count()))
        ticked = (item for item in items if item.checkState() is Qt.CheckState.Checked)
        names = {str(tiebreak_id): tiebreak_id for tiebreak_id in self._choices}
        return tuple(names[item.data(Qt.ItemDataRole.UserRole)] for item in ticked)

    def move_current_tiebreak(self, offset: int) -> bool:
        """Move the current tie-break by `offset` rows, up if negative. Return whether it moved."""
        position = self.currentRow()
        if not 0 <= position + offset < self.count():
            return False
        with QSignalBlocker(self):
            self.insertItem(position + offset, self.takeItem(position))
            self.setCurrentRow(position + offset)
        return True


class TieBreakOrderEditor(RuleControl):
    """Control for the order of tie-breaks. If the order is optional, a check box turns it on."""

    wide = True

    def __init__(self, session: Session, field: RuleField) -> None:
        super().__init__(session, field)
        self.custom_box = fields.make_check_box(session.catalogue.text("Use a custom order"))
        self.custom_box.setAccessibleName(f"{self.label}: {self.custom_box.text()}")
        self.custom_box.setVisible(field.optional)
        self.custom_box.toggled.connect(self._toggle_custom_order)
        self.list: TieBreakList | None = None
        self._column = fields.make_column(self.custom_box, gap=UNIT // 2, parent=self)
        self.setFocusProxy(self.custom_box)

    def show_value(self, value: tuple[str, ...]) -> None:
        with QSignalBlocker(self.custom_box):
            self.custom_box.setChecked(bool(value))
        needed = bool(value or self.list is not None or self.field.members)
        if needed and (value != self._list_ticked_tiebreaks() or self.list is None):
            self._get_or_make_tiebreak_list().show_ticked_tiebreaks(value)
        self._update_list_visibility()

    def read_rule_value(self) -> object:
        if self.field.optional and not self.custom_box.isChecked():
            return ()
        if not self._list_ticked_tiebreaks() and not self.field.members:
            raise CommandError("rule-order")
        return self._list_ticked_tiebreaks()

    def move_current_tiebreak(self, offset: int) -> None:
        if self._get_or_make_tiebreak_list().move_current_tiebreak(offset):
            self._emit_edited_signal(None)

    def _toggle_custom_order(self, is_checked: bool) -> None:
        if is_checked and not self._list_ticked_tiebreaks():
            self._get_or_make_tiebreak_list().show_ticked_tiebreaks(tuple(TIEBREAKS)[:1])
        self._update_list_visibility()
        self._emit_edited_signal(is_checked)

    def _update_list_visibility(self) -> None:
        if self.list is not None:
            self._list_widget.setVisible(self.custom_box.isChecked() or not self.field.optional)

    def _list_ticked_tiebreaks(self) -> tuple[str, ...]:
        return self.list.list_ticked_tiebreaks() if self.list is not None else ()

    def _get_or_make_tiebreak_list(self) -> TieBreakList:
        if self.list is not None:
            return self.list
        text = self.session.catalogue.text
        self.list = tiebreak_list = TieBreakList(
            self.label, self.session.catalogue, short=True, members=self.field.members
        )
        tiebreak_list.setFixedHeight(scale_line_height(ROW - 4) * 5)
        tiebreak_list.itemChanged.connect(self._emit_edited_signal)
        up_name, down_name = text("{rule}: move up", rule=self.label), text("{rule}: move down", rule=self.label)
        self.up_button = fields.make_button(text("Move up"), partial(self.move_current_tiebreak, -1), name=up_name)
        self.down_button = fields.make_button(
            text("Move down"), partial(self.move_current_tiebreak, 1), name=down_name
        )
        self._list_widget = fields.wrap_in_widget(
            fields.make_column(tiebreak_list, fields.make_row(self.up_button, self.down_button, 1), gap=UNIT // 2)
        )
        self._column.addWidget(self._list_widget)
        if not self.field.optional:
            self.setFocusProxy(tiebreak_list)
        return tiebreak_list


_EDITORS: Mapping[RuleFieldKind, type[RuleControl]] = {
    RuleFieldKind.YES: YesNoEditor,
    RuleFieldKind.CHOICE: ChoiceEditor,
    RuleFieldKind.CHOICES: MultipleChoiceEditor,
    RuleFieldKind.PAIR: NumberPairEditor,
    RuleFieldKind.ORDER: TieBreakOrderEditor,
}


def make_rule_editor(session: Session, field: RuleField, names: Names) -> RuleControl:
    """Return the control for a parameter.

    `names` has the choices for some parameters, such as {"language": {"nl": "Nederlands"}}.
    """
    if field.path in names:
        return ChoiceEditor(session, field, names[field.path].items())
    return _EDITORS.get(field.kind, TextOrNumberEditor)(session, field)


def _parse_fraction(text: str) -> Fraction:
    try:
        return Fraction(text.replace(",", "."))
    except (ValueError, ZeroDivisionError):
        raise CommandError("rule-fraction") from None


def _split_at_commas(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.replace(";", ",").split(",")))


def _parse_qualifying_places(text: str) -> QualifyingPlacesByFieldSize:
    """Parse the number of qualifying places by field size: "16: 2" means 2 places for 16 players."""
    try:
        players, places = map(int, text.split(":"))
    except ValueError:
        raise CommandError("rule-field-places") from None
    return QualifyingPlacesByFieldSize(players, places)


def _parse_rule_number(field: RuleField, text: str) -> int:
    try:
        number = int(text.strip().replace("−", "-"))
    except ValueError:
        number = None
    if field.minimum is None or field.maximum is None:
        if number is None:
            raise CommandError("rule-number-any")
    elif number is None or not field.minimum <= number <= field.maximum:
        raise CommandError("rule-number-within", least=field.minimum, most=field.maximum)
    return number
