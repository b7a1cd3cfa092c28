"""The fields of a form: each is declared with a label, and reads and shows one argument of a command.

Hides which control an argument is typed into (its type hint decides), and what is said of a text that is no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, cast

from msgspec import Struct
from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from tdapp.domain.commands.rule import Argument, is_enum
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import DivisionId, Game, Round
from tdapp.domain.round_clock import format_clock, read_clock
from tdapp.gui.shell.jury_member import proposed_author
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, LineEdit, NumberEdit, whole
from tdapp.gui.widgets.player_field import PlayerField, player_options
from tdapp.gui.widgets.texts import WrappedCheckBox
from tdapp.gui.widgets.theme import ROW, scaled

Values = Mapping[str, Any]
Options = Sequence[tuple[Any, str]]
MOST = 10_000
_AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")
AUTHOR = "author"  # the argument that names who writes


class Input(Struct, frozen=True, kw_only=True):
    """One field: `name` is the argument that it gives, `label` stands before it and is its accessible name.

    `heard` is the accessible name where the label is too short for one. `control` is what it is typed into, where
    the type hint does not say. `options` offers values for the values of the other fields. `value` is what it
    begins with, `proposed` finds it as long as nothing is typed, `attribute` is where a row that is corrected
    keeps it. A field that `stays` keeps its value for the next row. `beside` puts it at the right of the field
    before it, `apart` below with labels as wide as they need. `shown` and `enabled` tell from the values of the
    form whether it is there; one that is not shown gives nothing.
    """

    name: str
    label: str
    heard: str = ""
    control: type[FormControl] | None = None
    options: Callable[[Values], Options] | None = None
    value: Any = None
    attribute: str = ""
    stays: bool = False
    beside: bool = False
    apart: bool = False
    hint: str = ""
    note: str = ""
    tip: str = ""
    width: int = 0
    most: int = MOST
    proposed: Callable[[], Any] | None = None
    shown: Callable[[Values], bool] | None = None
    enabled: Callable[[Values], bool] | None = None


class FormControl:
    """What a field looks like on screen; `changed` tells of every other value."""

    widget: QWidget
    changed: SignalInstance

    def __init__(self, field: Input, argument: Argument | None, session: Session) -> None:
        self.field, self.argument, self.session = field, argument, session

    def read(self) -> Any:
        """Return the value; raise RuleViolation where what is typed is none."""
        raise NotImplementedError

    def parse(self, typed: str) -> Any:
        """Return what a text typed in the list means; raise RuleViolation where it is no value."""
        raise NotImplementedError

    def show(self, value: Any) -> None:
        """Show a value, None for none."""
        raise NotImplementedError

    def refresh(self, values: Values) -> None:
        """Offer what goes with the values of the other fields, and propose what goes with the tournament."""

    @property
    def unsaved(self) -> bool:
        """Whether something is typed that is not kept yet."""
        return False


class Text(FormControl):
    """A line of text."""

    def __init__(self, field: Input, argument: Argument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: LineEdit = self._line()
        if field.width:
            self.widget.setMaximumWidth(scaled(field.width))
        self.changed = self.widget.textChanged
        if field.name == AUTHOR:
            self.widget.setText(proposed_author(session))

    def _line(self) -> LineEdit:
        return LineEdit(self.field.heard or self.field.label, placeholder=self.field.hint)

    def read(self) -> Any:
        """Return what the text means."""
        return self.parse(self.widget.text())

    def parse(self, typed: str) -> Any:
        """Return the text."""
        return typed

    def show(self, value: Any) -> None:
        """Show a text, which counts as kept."""
        self.widget.setText("" if value is None else str(value))
        self.widget.setModified(False)

    def refresh(self, values: Values) -> None:
        """Propose a value while nothing is typed."""
        if self.field.proposed is not None and not self.widget.isModified():
            self.show(self.field.proposed())

    @property
    def unsaved(self) -> bool:
        """Whether the text was typed by hand."""
        return self.widget.isModified() and bool(self.widget.text()) and not self.field.stays


class Amount(Text):
    """Money, in hundredths."""

    def _line(self) -> LineEdit:
        made = super()._line()
        made.setAlignment(Qt.AlignmentFlag.AlignRight)
        return made

    def parse(self, typed: str) -> Any:
        """Return the amount."""
        return read_amount(typed)


class Numbers(Text):
    """Whole numbers one after the other, each in `unit`-ths between `least` and the field's most."""

    least, unit = 1, 1

    def parse(self, typed: str) -> Any:
        """Return the numbers; decimals are read only where there are any."""
        words = typed.replace("%", " ").split()
        return tuple(self._number(word) for word in words or [""])

    def show(self, value: Any) -> None:
        """Show the numbers."""
        said = self.session.catalogue.number
        super().show(" ".join(said(Fraction(one, self.unit)) for one in value))

    def _number(self, word: str) -> int:
        wrong = RuleViolation("bad-number", value=word, least=self.least, most=self.field.most)
        try:
            value = Fraction(word.replace(",", ".")) * self.unit
        except (ValueError, ZeroDivisionError):
            raise wrong from None
        if not self.least <= value <= self.field.most * self.unit or value.denominator > 1:
            raise wrong
        return int(value)


class Number(Text):
    """A whole number, or none where the command can do without it."""

    def _line(self) -> LineEdit:
        made = NumberEdit(self.field.heard or self.field.label, width=self.field.width or ROW * 3)
        made.setPlaceholderText(self.field.hint)
        return made

    def show(self, value: Any) -> None:
        """Show a number; none, and zero where that is what nothing stands for, are not written."""
        super().show(value or None)

    def read(self) -> Any:
        """Return the number; for nothing what the command takes by default, or the field begins with."""
        asked, value = self.argument, self.field.value
        if not self.widget.text().strip():
            if asked is not None and not asked.required:
                return asked.default
            if asked is None and value is not None:
                return value
        return super().read()

    def parse(self, typed: str) -> Any:
        """Return the number."""
        number = whole(typed)
        if number is None:
            raise RuleViolation("bad-number", value=typed, least=1, most=self.field.most)
        return number


class Clock(Text):
    """Minutes and seconds, in seconds; nothing where nothing is typed."""

    def parse(self, typed: str) -> Any:
        """Return the seconds."""
        try:
            return read_clock(typed)
        except ValueError:
            raise RuleViolation("bad-clock", value=typed) from None

    def show(self, value: Any) -> None:
        """Show seconds."""
        super().show(format_clock(value) if value else "")


class Choose(FormControl):
    """One of several values: the field's options, or the members of an Enum with their words."""

    def __init__(self, field: Input, argument: Argument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: Choice[Any] = Choice(field.heard or field.label, [], session.look)
        self.changed = self.widget.currentIndexChanged
        self._offered: Options = ()

    def refresh(self, values: Values) -> None:
        """Offer what goes with the others; what is chosen stays while it is offered."""
        offered = self.field.options(values) if self.field.options else self._members()
        if offered != self._offered:
            first = self.field.value if self.field.value is not None or not offered else offered[0][0]
            self.widget.fill(offered, self.widget.value() if self._offered else first)
            self._offered = offered

    def read(self) -> Any:
        """Return what is chosen."""
        return self.widget.value()

    def show(self, value: Any) -> None:
        """Choose a value, the first one offered where it is not among them."""
        places = [at for at, (one, _) in enumerate(self._offered) if one == value]
        self.widget.setCurrentIndex(places[0] if places else 0)

    def _members(self) -> Options:
        kind: type[Enum] = self.argument.type if self.argument else Enum
        return [(one, self.session.catalogue.code(cast("Any", one))) for one in kind]


class ChoosePlayer(FormControl):
    """A player of the chosen division; None while no player is chosen."""

    def __init__(self, field: Input, argument: Argument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: PlayerField = PlayerField(field.heard or field.label, session, placeholder=field.hint)
        self.changed = self.widget.picked
        self._filled = False

    def refresh(self, values: Values) -> None:
        """Offer the players as they are now; the chosen player stays chosen."""
        self.widget.fill(player_options(self.session), self.widget.value() if self._filled else self.field.value)
        self._filled = True

    def read(self) -> Any:
        """Return the player; raise RuleViolation for a text that chooses none."""
        if self.widget.unclear:
            raise RuleViolation("player-unclear", value=self.widget.text().strip())
        return self.widget.value()

    def show(self, value: Any) -> None:
        """Choose a player."""
        self.widget.choose(value)

    @property
    def unsaved(self) -> bool:
        """Whether a text is typed that chooses no player."""
        return self.widget.unclear


class Tick(FormControl):
    """Yes or no."""

    def __init__(self, field: Input, argument: Argument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self.widget: QCheckBox = WrappedCheckBox(field.label)
        self.widget.setChecked(bool(field.value))
        self.changed = self.widget.toggled

    def read(self) -> Any:
        """Return whether it is ticked."""
        return self.widget.isChecked()

    def show(self, value: Any) -> None:
        """Tick it or not."""
        self.widget.setChecked(bool(value))


class Several(FormControl):
    """Any of the field's options, each a box to tick, two in a line."""

    def __init__(self, field: Input, argument: Argument | None, session: Session) -> None:
        super().__init__(field, argument, session)
        self._boxes = {value: fields.check(said) for value, said in (field.options or list)({})}
        self.widget = _TickBoxes([*self._boxes.values()])
        self.changed = self.widget.ticked

    def read(self) -> Any:
        """Return the values that are ticked."""
        return tuple(value for value, box in self._boxes.items() if box.isChecked())

    def show(self, value: Any) -> None:
        """Tick values."""
        for one, box in self._boxes.items():
            box.setChecked(one in value)


class _TickBoxes(QWidget):
    ticked = Signal()

    def __init__(self, boxes: Sequence[QCheckBox]) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for at, box in enumerate(boxes):
            grid.addWidget(box, at // 2, at % 2)
            box.toggled.connect(self.ticked)


def control(field: Input, argument: Argument | None, session: Session) -> FormControl:
    """Return the control for a field, by the type hint of its argument."""
    kind: Any = argument.type if argument is not None else str
    if field.control is not None:
        made = field.control
    elif field.options is not None or is_enum(kind):
        made = Choose
    else:
        made = {int: Number, bool: Tick}.get(kind, Text)
    shown = made(field, argument, session)
    shown.widget.setToolTip(field.tip)
    return shown


def round_of(session: Session, number: int | None) -> Round | None:
    """Return the published round `number` of the chosen division, None if there is none."""
    division = session.division
    rounds = session.index.published(division.id) if division is not None else ()
    return next((item for item in rounds if item.number == number), None)


def game_at(session: Session, number: int | None, table: int | None) -> Game | None:
    """Return the game at a table of a published round of the chosen division, None if there is none."""
    item = round_of(session, number)
    games = session.index.games(item.id) if item is not None else ()
    return next((game for game in games if game.table == table), None)


def scope_choice(session: Session, division: DivisionId | None) -> Choice[DivisionId | None]:
    """Return the choice of the tournament (None) or a division; hidden where there is nothing to choose."""
    text, divisions = session.catalogue.text, session.index.divisions if session.is_open else ()
    values: list[tuple[DivisionId | None, str]] = [(None, text("The whole tournament"))]
    values += [(one.id, text("Division {code}", code=one.code)) for one in divisions]
    made = Choice(text("Holds for"), values, session.look, value=division)
    if len(divisions) < 2 and division is None:  # noqa: PLR2004
        made.hide()
    return made


def read_amount(typed: str) -> int:
    """Return an amount in hundredths, 0 for nothing typed; raise RuleViolation for anything else."""
    if not typed.strip():
        return 0
    match = _AMOUNT.fullmatch(typed.strip())
    if match is None:
        raise RuleViolation("bad-amount", value=typed)
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
