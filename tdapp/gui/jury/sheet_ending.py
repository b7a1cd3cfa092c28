"""The panel below the turns of a score sheet: end of the game, racks, clocks, sums.

It shrinks to one line per player while the user types turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from tdapp.domain.ruleset import OvertimeKind, PenaltyUnit, RuleSet
from tdapp.domain.sheet_draft import SheetDraft, SheetEnd
from tdapp.domain.tables.jury import FormDifferenceRow
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_tuple_item_columns
from tdapp.domain.translatable import C_
from tdapp.gui.jury.open_sheet import OpenSheet
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, Choice, LineEdit, NumberEdit
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT, make_scaled_font, scale_pixels
from tdapp.i18n import rule_sentences, sheet_sentences
from tdapp.i18n.sheet_reading import ParsedSheetDraft, describe_score_breakdown
from tdapp.scrabble.sheet import GameEnding, SheetField

T = TypeVar("T")
ListEffects = Callable[[int, bool, int], Sequence[str]]
_WHOSE = frozenset({GameEnding.FLAG, GameEnding.FORFEIT})
_AROUND = (UNIT + 4, UNIT) * 2  # margins of a card
_SIDES: Final = ("square", "form", "score", "total")  # columns of a form; all but three fields are in the second
_OWN: Final = {SheetField.AT: "square", SheetField.SCORE: "score", SheetField.TOTAL: "total"}


class SheetEndPanel(QFrame):
    """The panel below the turns, with racks, clocks and sums."""

    edited = Signal(object)  # the typed values
    finished = Signal()  # Enter in the last field
    left = Signal()  # Esc

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("card")
        text, look = session.catalogue.text, session.look
        self.ended: Choice[GameEnding] = Choice(text("End of the game"), [], look)
        self.whose: Choice[str] = Choice(text(C_("game lost by", "Which player")), [], look)
        self._names = (ElidedLabel(), ElidedLabel())
        self.racks = tuple(LineEdit("", placeholder=text("rack")) for _ in (1, 2))
        self.overtime = tuple(LineEdit("", placeholder="m:ss") for _ in (1, 2))
        self._accounts = tuple(fields.note() for _ in (1, 2))
        self._totals = tuple(fields.label("", "lead") for _ in (1, 2))
        self._brief = (ElidedLabel(), ElidedLabel())  # one line per player, while the panel is folded
        self.notes = fields.rich_label()
        self._fields: dict[str, QWidget] = {"ended": self.ended, "whose": self.whose}  # in the order of Enter
        for number, rack, overtime in zip("12", self.racks, self.overtime, strict=True):
            self._fields |= {f"rack{number}": rack, f"overtime{number}": overtime}
        self._build_form()
        for choice in (self.ended, self.whose):
            choice.currentIndexChanged.connect(self._emit_sheet_end)
        for line in (*self.racks, *self.overtime):
            line.textEdited.connect(self._emit_sheet_end)

    def show_sheet_end(self, sheet: OpenSheet, shown: ParsedSheetDraft, notes: Sequence[tuple[str, str]]) -> None:
        end, rules, players, read_only = sheet.draft.end, sheet.rules, sheet.draft.players, not sheet.can_change()
        derived = sheet_sentences.list_remaining_tiles(sheet.tileset, shown)
        self._show_ending_choices(end, rules, players)
        text = self._session.catalogue.text
        clocks = rules.overtime.kind is OvertimeKind.MINUTES or any(end.overtime)
        for side, (rack, overtime, account) in enumerate(
            zip(self.racks, self.overtime, shown.score_breakdowns, strict=True)
        ):
            self._names[side].set_full_text(players[side].partition(",")[0])
            self._names[side].setToolTip(players[side])
            _set_line_edit_text(rack, end.racks[side], read_only=read_only)
            _set_line_edit_text(overtime, end.overtime[side], read_only=read_only)
            rack.setAccessibleName(text("Rack of {player}", player=players[side]))
            overtime.setAccessibleName(text("Overtime of {player}", player=players[side]))
            rack.setPlaceholderText(derived[side] or text("rack"))
            overtime.setVisible(clocks)
            self._accounts[side].setText(describe_score_breakdown(account, rules, self._session.catalogue))
            self._totals[side].setText(str(account.total))
            self._brief[side].set_full_text(
                f"{self._names[side].toolTip()} {account.total}: {self._accounts[side].text()}"
            )
        for choice in (self.ended, self.whose):
            choice.setEnabled(not read_only)
        colours = self._session.look.colours
        lines = [f"<span style='color:{getattr(colours, tone)}'>{said}</span>" for said, tone in notes]
        self.notes.setText("<br>".join(lines) or "&nbsp;")  # reserve one line so that the turns do not move

    def focus_field(self, name: str = "ended") -> None:
        """Focus a field by its name: ended, whose, rack1, rack2, overtime1 or overtime2.

        "" means the last visible field.
        """
        if not self.isVisible():
            return
        self.set_unfolded(unfolded=True)
        field = self._fields[name] if name else [one for one in self._fields.values() if one.isVisible()][-1]
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(field, LineEdit):
            if name:
                field.selectAll()
            field.setModified(False)  # Ctrl+Z must undo the last step, not the typing in this field

    def mark_invalid(self, field_name: str) -> None:
        for line in (*self.racks, *self.overtime):
            line.mark_invalid(is_invalid=line is self._fields.get(field_name))

    def set_unfolded(self, *, unfolded: bool) -> None:
        """Show racks, clocks and sums if `unfolded`, otherwise one line per player."""
        self._whole.setVisible(unfolded)
        self._short.setVisible(not unfolded)

    def get_sheet_end(self) -> SheetEnd:
        return SheetEnd(
            ended=self.ended.value(),
            whose=self.whose.value() or "" if self.ended.value() in _WHOSE else "",
            racks=(self.racks[0].text(), self.racks[1].text()),
            overtime=(self.overtime[0].text(), self.overtime[1].text()),
        )

    def _build_form(self) -> None:
        self._whole, self._short = QWidget(), QWidget()
        grid = QGridLayout(self._whole)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(3, 4)
        columns = (self._names, self.racks, self.overtime, self._accounts, self._totals)
        for row, (name, rack, overtime, account, total) in enumerate(zip(*columns, strict=True)):
            name.setMaximumWidth(scale_pixels(UNIT * 16))
            rack.setMaximumWidth(scale_pixels(UNIT * 11))
            overtime.setMaximumWidth(scale_pixels(UNIT * 8))
            account.setFont(make_scaled_font(11))
            total.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            total.setMinimumWidth(scale_pixels(UNIT * 5))
            for column, part in enumerate((name, rack, overtime, account, total)):
                grid.addWidget(part, row, column)
        for line in self._brief:
            line.setFont(make_scaled_font(11))
        fields.column(*self._brief, gap=0, parent=self._short)
        head = fields.row(self.ended, self.whose, self._short, wide=self._short)
        fields.column(head, self._whole, self.notes, gap=UNIT - 2, margins=_AROUND, parent=self)
        self.set_unfolded(unfolded=False)

    def _emit_sheet_end(self, _value: object) -> None:
        self.edited.emit(self.get_sheet_end())

    def _show_ending_choices(self, end: SheetEnd, rules: RuleSet, players: tuple[str, str]) -> None:
        catalogue = self._session.catalogue
        known: list[GameEnding] = [
            one for one in rules.ending.ends if one not in {GameEnding.OPEN, GameEnding.FORFEIT}
        ]
        if end.ended is not None and end.ended not in {*known, GameEnding.OPEN, GameEnding.FORFEIT}:
            known.append(end.ended)
        offered = [(one, rule_sentences.name_game_end(catalogue, rules, one)) for one in known]
        offered += [
            (GameEnding.FORFEIT, catalogue.code(GameEnding.FORFEIT)),
            (GameEnding.OPEN, catalogue.text(C_("game", "game not finished"))),
        ]
        _fill_choice(self.ended, offered, end.ended, catalogue.text("How did the game end?"))
        whose = [("1", players[0]), ("2", players[1])]
        if end.ended is GameEnding.FORFEIT:
            whose.append(("both", catalogue.text("both players")))
        _fill_choice(self.whose, whose, end.whose or None, catalogue.text("Which player?"))
        self.whose.setVisible(end.ended in _WHOSE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.focus_field("rack1")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in ENTER and not event.modifiers():
            if not _focus_next_widget(self._fields.values()):
                self.finished.emit()
        else:
            super().keyPressEvent(event)


def _focus_next_widget(widgets: Iterable[QWidget]) -> bool:
    shown = [one for one in widgets if one.isVisible() and one.isEnabled()]
    following = next((number for number, one in enumerate(shown, 1) if one.hasFocus()), len(shown))
    if following < len(shown):
        shown[following].setFocus(Qt.FocusReason.TabFocusReason)
    return following < len(shown)


def _set_line_edit_text(line: LineEdit, text: str, *, read_only: bool) -> None:
    if line.text() != text:
        line.setText(text)
    line.setReadOnly(read_only)


def _fill_choice(choice: Choice[T], options: Sequence[tuple[T, str]], value: T | None, placeholder: str) -> None:
    if [choice.itemText(row) for row in range(choice.count())] != [text for _, text in options]:
        choice.set_choices(options, value)
    values = [one for one, _ in options]
    with QSignalBlocker(choice):
        choice.setCurrentIndex(values.index(value) if value is not None and value in values else -1)
        choice.setPlaceholderText(placeholder)


class RulingQuestion(QFrame):
    """Asks the jury member to confirm a ruling on a turn."""

    ruled = Signal(int, bool, str, int)  # turn, verdict (True: wrong), reason, number of wrong words
    closed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self._impact: ListEffects = lambda _turn, _phony, _count: ()
        self._reason = ""  # the proposed reason; unchanged text is stored as it is
        self._turn, self._phony = 0, False  # turn of the ruling (0: none), and the verdict
        text = session.catalogue.text
        self.about = fields.label("", "lead", wrap=True)
        self.meaning = fields.label(wrap=True, is_spoken=True)
        self._count = fields.label(text(C_("in one play", "Wrong words")))
        self.words = NumberEdit(text(C_("in one play", "Wrong words")), value=1, width=UNIT * 7)
        self.why = LineEdit(text("Reason"), placeholder=text("Why? The history keeps the reason."))
        self.yes = fields.button("", self.confirm_ruling, role="primary")
        self.no = fields.button(text("Cancel (Esc)"), self.closed.emit, role="quiet")
        self.words.textEdited.connect(self._show_ruling_effects)
        line = fields.row(self._count, self.words, self.why, wide=self.why)
        parts = (self.about, self.meaning, line, fields.row(self.yes, self.no, 1))
        fields.column(*parts, gap=UNIT - 2, margins=_AROUND, parent=self)

    def ask_ruling(
        self, turn: int, question: str, *, phony: bool, wrong_words: int, reason: str, list_effects: ListEffects
    ) -> None:
        """Show the question. Focus the reason, or the button if a reason is proposed.

        `list_effects` gets the turn, the verdict (True: wrong) and the number of wrong words.
        """
        text = self._session.catalogue.text
        self._turn, self._phony, self._impact = turn, phony, list_effects
        self.about.setText(question)
        for part in (self._count, self.words):
            part.setVisible(phony and self._session.rules.phony.per is PenaltyUnit.WORD)
        self.words.setText(str(wrong_words))
        self._reason = reason
        self.why.setText(self._session.catalogue.describe_stored_reason(reason))
        self.yes.setText(text("Rule the play wrong") if phony else text("Rule the play valid"))
        self._show_ruling_effects()
        (self.yes if reason else self.why).setFocus(Qt.FocusReason.OtherFocusReason)

    def confirm_ruling(self) -> None:
        count = self.words.get_number_or_none()
        wrong = [*([] if count else [self.words]), *([] if self.why.text().strip() else [self.why])]
        for line in (self.words, self.why):
            line.mark_invalid(is_invalid=line in wrong)
        if wrong:
            wrong[0].setFocus()
        elif self._turn:
            typed = self.why.text()
            why = self._reason if typed == self._session.catalogue.describe_stored_reason(self._reason) else typed
            self.ruled.emit(self._turn, self._phony, why, count)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in ENTER:
            _focus_next_widget((self.words, self.why, self.yes))
        else:
            super().keyPressEvent(event)

    def _show_ruling_effects(self, _text: str = "") -> None:
        count = self.words.get_number_or_none()
        if self._turn and count:
            self.meaning.setText("\n".join(self._impact(self._turn, self._phony, count)))
            self.meaning.setMinimumHeight(self.meaning.heightForWidth(self.width() - 3 * UNIT))


class _DifferenceTableRow(Struct, frozen=True):
    key: str
    row: FormDifferenceRow
    cells: tuple[str, ...]


class FormDifferencesFrame(QFrame):
    """Lists the differences between the two forms of a game. The user chooses the correct form for each."""

    settled = Signal(object, int)  # a difference, and the number of the correct form
    went = Signal(int)  # turn of the selected difference
    closed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        text = session.catalogue.text
        self._catalogue = session.catalogue
        self._rows = TableRowsModel(session.catalogue, heat=_get_difference_cell_tint)
        self._rows.strong = lambda line, column: _get_difference_cell_tint(line, column) > 0
        self.view = TableView(self._rows, look=session.look, name=text("Differences between the two forms"))
        narrow = {f"{name}{form}": width for name, width in zip(_SIDES[:1] + _SIDES[2:], (60, 52, 52), strict=True)
                  for form in "12"}  # fmt: skip
        self.view.set_widths({"row": 40} | narrow, stretch=("player", "form1", "form2"))
        self.view.disable_sorting()
        self.view.setMinimumHeight(UNIT * 18)
        take_first, take_second = partial(self._emit_chosen_form, 1), partial(self._emit_chosen_form, 2)
        self.view.bind_keys({"Left": take_first, "Right": take_second, "Esc": self.closed.emit})
        self.view.row_activated.connect(self._emit_turn_of_difference)
        first = fields.button(text("Form 1 is right (←)"), take_first)
        second = fields.button(text("Form 2 is right (→)"), take_second)
        leave = fields.button(text("Cancel (Esc)"), self.closed.emit, role="quiet")
        parts = (self.view, fields.row(first, second, leave, 1))
        fields.column(*parts, gap=UNIT - 2, margins=(UNIT, UNIT // 2) * 2, parent=self)

    def show_differences(self, differences: Sequence[FormDifferenceRow], draft: SheetDraft) -> None:
        """Show differences with the names and notation of the draft. Select the first one if none is selected."""
        lines = [
            _DifferenceTableRow(
                row.key, row, sheet_sentences.list_form_difference_cells(self._catalogue, row, draft)
            )
            for row in differences
        ]
        squares = any(one.field is SheetField.AT for row in differences for one in row.differences)
        self.view.hide_columns_if_too_narrow(() if squares else ("square1", "square2"))
        self._rows.show_table(Table("forms", _FORMS_COLUMNS, tuple(lines)))
        if lines and not self.view.current_key():
            self.view.choose(lines[0].key)

    def _get_current_difference(self) -> FormDifferenceRow | None:
        line = self._rows.row(self.view.current_key())
        return line.row if isinstance(line, _DifferenceTableRow) else None

    def _emit_chosen_form(self, form: int) -> None:
        row = self._get_current_difference()
        if row is not None:
            self.settled.emit(row, form)

    def _emit_turn_of_difference(self, _key: str) -> None:
        row = self._get_current_difference()
        if row is not None:
            self.went.emit(row.turn)


def _get_difference_cell_tint(line: _DifferenceTableRow, column: str) -> float:
    return float(column[:-1] in {_OWN.get(found.field, "form") for found in line.row.differences})


def make_typing_help(session: Session) -> QFrame:
    text, made, grammar = session.catalogue.text, QFrame(), fields.rich_label()
    keys = text("Enter: the next turn · Shift+Enter: back · arrows: up and down · Ctrl+E: the end of the game")
    grammar.setText(
        f"{fields.format_input_meanings(sheet_sentences.list_turn_examples(session.catalogue))}<p>{escape(keys)}</p>"
    )
    made.setObjectName("card")
    fields.column(grammar, margins=_AROUND, parent=made)
    return made


_FORMS_COLUMNS: tuple[Column[_DifferenceTableRow], ...] = tuple(
    replace(column, words="" if column.id.startswith("form") else column.id.rstrip("12"))
    for column in make_tuple_item_columns(
        ColumnKind.TEXT, "cells", ("row", "player", *(f"{name}{form}" for form in "12" for name in _SIDES))
    )
)
