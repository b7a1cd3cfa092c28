"""Form fields and their controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, cast

from msgspec import Struct
from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from tdapp.domain.errors import CommandError
from tdapp.domain.model import DivisionId, Game, PlayerId, Round
from tdapp.domain.round_clock import format_clock, parse_clock_time_as_seconds
from tdapp.domain.translatable import C_
from tdapp.domain.type_hints import CommandArgument, is_enum
from tdapp.gui.shell.jury_member import get_proposed_jury_member_name
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, LineEdit, NumberEdit, parse_whole_number
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tdapp.gui.widgets.texts import WrappedCheckBox
from tdapp.gui.widgets.theme import ROW, scale_pixels

Values = Mapping[str, Any]
Options = Sequence[tuple[Any, str]]
MAX_NUMBER = 10_000
_AMOUNT_PATTERN = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")
AUTHOR = "author"  # argument with the name of the person who makes the entry


class FormField(Struct, frozen=True, kw_only=True):
    """Declares a field of a form."""

    name: str  # argument of the command
    label: str
    spoken_name: str = ""
    control: type[FormControl] | None = None  # None: the type hint of the argument selects the control
    options: Callable[[Values], Options] | None = None  # returns the choices, given the other fields
    value: Any = None
    attribute: str = ""  # attribute of a row that fills the field; "": `name`
    is_kept: bool = False  # the form for the next row starts with the same value
    same_line: bool = False  # place the field to the right of the previous one
    new_block: bool = False
    hint: str = ""
    note: str = ""
    tip: str = ""
    width: int = 0
    maximum: int = MAX_NUMBER
    propose: Callable[[], Any] | None = None  # computes the value until the user types one
    is_shown: Callable[[Values], bool] | None = None  # a hidden field has no value
    is_enabled: Callable[[Values], bool] | None = None


class FormControl:
    """Base of the controls of form fields. A control makes a widget, and reads and writes the widget's value."""

    widget: QWidget
    changed: SignalInstance  # emitted for each new value

    def __init__(self, field: FormField, argument: CommandArgument | None, session: Session) -> None:
        self.field, self.argument, self.session = field, argument, session

    def read_value(self) -> Any:
        """Return the value. Raises CommandError for invalid text."""
        raise NotImplementedError

    def parse_field_text(self, text: str) -> Any:
        """Return the value of a text typed in a table cell. Raises CommandError for invalid text."""
        raise NotImplementedError

    def write_value(self, value: Any) -> None:
        raise NotImplementedError

    def update_choices_or_proposed_value(self, values: Values) -> None:
        """Update the choices or the proposed value. `values` are the values of the other fields."""

    @property
    def has_unsaved_text(self) -> bool:
        return False


class TextControl(FormControl):
    """A line of text."""

    def __init__(self, field: FormField, argument: CommandArgument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: LineEdit = self._make_line_edit()
        if field.width:
            self.widget.setMaximumWidth(scale_pixels(field.width))
        self.changed = self.widget.textChanged
        if field.name == AUTHOR:
            self.widget.setText(get_proposed_jury_member_name(session))

    def _make_line_edit(self) -> LineEdit:
        return LineEdit(self.field.spoken_name or self.field.label, placeholder=self.field.hint)

    def read_value(self) -> Any:
        return self.parse_field_text(self.widget.text())

    def parse_field_text(self, text: str) -> Any:
        return text

    def write_value(self, value: Any) -> None:
        self.widget.setText("" if value is None else str(value))
        self.widget.setModified(False)

    def update_choices_or_proposed_value(self, values: Values) -> None:
        if self.field.propose is not None and not self.widget.isModified():
            self.write_value(self.field.propose())

    @property
    def has_unsaved_text(self) -> bool:
        return self.widget.isModified() and bool(self.widget.text()) and not self.field.is_kept


class DateControl(TextControl):
    """A day, shown in the short form of the language. The command reads the typed text."""

    def write_value(self, value: Any) -> None:
        super().write_value(self.session.catalogue.format_short_date(value or "", "yMd"))


class MoneyControl(TextControl):
    """An amount of money, in hundredths of the currency unit."""

    def _make_line_edit(self) -> LineEdit:
        line_edit = super()._make_line_edit()
        line_edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        return line_edit

    def parse_field_text(self, text: str) -> Any:
        return parse_money_amount(text)


class NumberListControl(TextControl):
    """A text field for several numbers. The value is a tuple of integers: each typed number times `unit`."""

    least, unit = 1, 1

    def parse_field_text(self, text: str) -> Any:
        words = text.replace("%", " ").split()
        return tuple(self._parse_number(word) for word in words or [""])

    def write_value(self, value: Any) -> None:
        format_number = self.session.catalogue.format_number
        super().write_value(" ".join(format_number(Fraction(number, self.unit)) for number in value))

    def _parse_number(self, text: str) -> int:
        error = CommandError("bad-number", value=text, least=self.least, most=self.field.maximum)
        try:
            value = Fraction(text.replace(",", ".")) * self.unit
        except (ValueError, ZeroDivisionError):
            raise error from None
        if not self.least <= value <= self.field.maximum * self.unit or value.denominator > 1:
            raise error
        return int(value)


class NumberControl(TextControl):
    """A whole number. The field may be empty if the command's argument has a default."""

    def _make_line_edit(self) -> LineEdit:
        number_edit = NumberEdit(self.field.spoken_name or self.field.label, width=self.field.width or ROW * 3)
        number_edit.setPlaceholderText(self.field.hint)
        return number_edit

    def write_value(self, value: Any) -> None:
        super().write_value(value or None)

    def read_value(self) -> Any:
        """Return the number. If the field is empty, return the argument's default or the initial value."""
        argument, value = self.argument, self.field.value
        if not self.widget.text().strip():
            if argument is not None and not argument.is_required:
                return argument.default
            if argument is None and value is not None:
                return value
        return super().read_value()

    def parse_field_text(self, text: str) -> Any:
        number = parse_whole_number(text)
        if number is None:
            raise CommandError("bad-number", value=text, least=1, most=self.field.maximum)
        return number


class MinutesSecondsControl(TextControl):
    """Minutes and seconds. The value is in seconds, or None."""

    def parse_field_text(self, text: str) -> Any:
        try:
            return parse_clock_time_as_seconds(text)
        except ValueError:
            raise CommandError("bad-clock", value=text) from None

    def write_value(self, value: Any) -> None:
        super().write_value(format_clock(value) if value else "")


class ChoiceControl(FormControl):
    """A choice from the options of the field or the members of an Enum."""

    def __init__(self, field: FormField, argument: CommandArgument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: Choice[Any] = Choice(field.spoken_name or field.label, [], session.appearance)
        self.changed = self.widget.currentIndexChanged
        self._options: Options = ()

    def update_choices_or_proposed_value(self, values: Values) -> None:
        options = self.field.options(values) if self.field.options else self._list_enum_options()
        if options != self._options:
            first = self.field.value if self.field.value is not None or not options else options[0][0]
            self.widget.set_choices(options, self.widget.value() if self._options else first)
            self._options = options

    def read_value(self) -> Any:
        return self.widget.value()

    def write_value(self, value: Any) -> None:
        indexes = [index for index, (option, _) in enumerate(self._options) if option == value]
        self.widget.setCurrentIndex(indexes[0] if indexes else 0)

    def _list_enum_options(self) -> Options:
        kind: type[Enum] = self.argument.type_without_none if self.argument else Enum
        return [(member, self.session.catalogue.translate_code(cast("Any", member))) for member in kind]


class PlayerControl(FormControl):
    """A control to choose a player of the selected division, or no player."""

    def __init__(self, field: FormField, argument: CommandArgument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: PlayerField = PlayerField(field.spoken_name or field.label, session, placeholder=field.hint)
        self.changed = self.widget.player_chosen
        self._has_options = False

    def update_choices_or_proposed_value(self, values: Values) -> None:
        self.offer_players()

    def offer_players(self, players: Iterable[PlayerId] | None = None) -> None:
        """Offer `players` (if None, all players of the division). Keep the chosen player."""
        options = list_player_options(self.session, players)
        self.widget.set_options(options, self.widget.value() if self._has_options else self.field.value)
        self._has_options = True

    def read_value(self) -> Any:
        if self.widget.has_text_without_player:
            raise CommandError("player-unclear", value=self.widget.text().strip())
        return self.widget.value()

    def write_value(self, value: Any) -> None:
        self.widget.choose_value(value)

    @property
    def has_unsaved_text(self) -> bool:
        return self.widget.has_text_without_player


class CheckBoxControl(FormControl):
    """A check box."""

    def __init__(self, field: FormField, argument: CommandArgument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: QCheckBox = WrappedCheckBox(field.label)
        self.widget.setChecked(bool(field.value))
        self.changed = self.widget.toggled

    def read_value(self) -> Any:
        return self.widget.isChecked()

    def write_value(self, value: Any) -> None:
        self.widget.setChecked(bool(value))


class CheckBoxListControl(FormControl):
    """Check boxes for the options of the field, two per line."""

    def __init__(self, field: FormField, argument: CommandArgument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self._boxes = {value: fields.make_check_box(label) for value, label in (field.options or list)({})}
        self.widget = _CheckBoxGrid([*self._boxes.values()])
        self.changed = self.widget.ticked

    def read_value(self) -> Any:
        return tuple(value for value, box in self._boxes.items() if box.isChecked())

    def write_value(self, value: Any) -> None:
        for option, box in self._boxes.items():
            box.setChecked(option in value)


class _CheckBoxGrid(QWidget):
    ticked = Signal()

    def __init__(self, boxes: Sequence[QCheckBox]) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for index, box in enumerate(boxes):
            grid.addWidget(box, index // 2, index % 2)
            box.toggled.connect(self.ticked)


def make_control(field: FormField, argument: CommandArgument | None, session: Session) -> FormControl:
    kind: Any = argument.type_without_none if argument is not None else str
    if field.control is not None:
        control_class = field.control
    elif field.options is not None or is_enum(kind):
        control_class = ChoiceControl
    else:
        control_class = {int: NumberControl, bool: CheckBoxControl}.get(kind, TextControl)
    control = control_class(field, argument, session)
    control.widget.setToolTip(field.tip)
    return control


def find_published_round(session: Session, round_number: int | None) -> Round | None:
    division = session.division
    rounds = session.index.list_published_rounds(division.id) if division is not None else ()
    return next((item for item in rounds if item.number == round_number), None)


def find_published_game_at_table(session: Session, round_number: int | None, table: int | None) -> Game | None:
    item = find_published_round(session, round_number)
    games = session.index.games(item.id) if item is not None else ()
    return next((game for game in games if game.table == table), None)


def make_tournament_or_division_choice(
    session: Session, initial_division: DivisionId | None
) -> Choice[DivisionId | None]:
    """Make a field to choose the whole tournament (None) or a division.

    Hide the field if the tournament has one division.
    """
    text, divisions = session.catalogue.text, session.index.divisions if session.is_open else ()
    values: list[tuple[DivisionId | None, str]] = [(None, text("The whole tournament"))]
    values += [(item.id, text("Division {code}", code=item.code)) for item in divisions]
    choice = Choice(text(C_("setting", "Applies to")), values, session.appearance, value=initial_division)
    if len(divisions) < 2 and initial_division is None:  # noqa: PLR2004
        choice.hide()
    return choice


def parse_money_amount(text: str) -> int:
    """Return an amount in hundredths of the currency unit, 0 for no text.

    Raises CommandError for invalid text.
    """
    if not text.strip():
        return 0
    match = _AMOUNT_PATTERN.fullmatch(text.strip())
    if match is None:
        raise CommandError("bad-amount", value=text)
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
