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
from tdapp.domain.tables.jury import SheetDifferenceRow
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_column_for_each_tuple_item
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
from tdapp.i18n.sheet_reading import ParsedSheetDraft, describe_total_breakdown
from tdapp.scrabble.sheet import GameEnding, SheetField

T = TypeVar("T")
ListEffects = Callable[[int, bool, int], Sequence[str]]
_ENDINGS_WITH_LOSER = frozenset({GameEnding.FLAG, GameEnding.FORFEIT})
_CARD_MARGINS = (UNIT + 4, UNIT) * 2
_FORM_COLUMNS: Final = ("square", "form", "score", "total")
_COLUMN_BY_FIELD: Final = {SheetField.AT: "square", SheetField.SCORE: "score", SheetField.TOTAL: "total"}


class SheetEndPanel(QFrame):
    """The panel below the turns."""

    edited = Signal(object)  # the typed values
    finished = Signal()  # Enter in the last field
    leave_requested = Signal()  # Esc

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("card")
        text, appearance = session.catalogue.text, session.appearance
        self.ended: Choice[GameEnding] = Choice(text("End of the game"), [], appearance)
        self.loser: Choice[str] = Choice(text(C_("game lost by", "Which player")), [], appearance)
        self._names = (ElidedLabel(), ElidedLabel())
        self.racks = tuple(LineEdit("", placeholder=text("rack")) for _ in (1, 2))
        self.overtime = tuple(LineEdit("", placeholder="m:ss") for _ in (1, 2))
        self._breakdown_labels = tuple(fields.make_note_label() for _ in (1, 2))
        self._total_labels = tuple(fields.make_label("", "lead") for _ in (1, 2))
        self._brief_labels = (ElidedLabel(), ElidedLabel())  # one line per player, while the panel is folded
        self.notes = fields.make_rich_text_label()
        self._fields: dict[str, QWidget] = {"ended": self.ended, "whose": self.loser}  # in the order of Enter
        for number, rack, overtime in zip("12", self.racks, self.overtime, strict=True):
            self._fields |= {f"rack{number}": rack, f"overtime{number}": overtime}
        self._build_form()
        for choice in (self.ended, self.loser):
            choice.currentIndexChanged.connect(self._emit_edited_sheet_end)
        for line in (*self.racks, *self.overtime):
            line.textEdited.connect(self._emit_edited_sheet_end)

    def show_sheet_end(
        self, sheet: OpenSheet, parsed_sheet: ParsedSheetDraft, notes_and_tones: Sequence[tuple[str, str]]
    ) -> None:
        end, rules, players, read_only = (
            sheet.draft.end,
            sheet.rules,
            sheet.draft.players,
            not sheet.can_edit_sheets(),
        )
        remaining_tiles = sheet_sentences.format_unplayed_racks(sheet.tileset, parsed_sheet)
        self._show_ending_choices(end, rules, players)
        text = self._session.catalogue.text
        shows_overtime = rules.overtime.kind is OvertimeKind.MINUTES or any(end.overtime)
        for side, (rack, overtime, breakdown) in enumerate(
            zip(self.racks, self.overtime, parsed_sheet.score_breakdown_by_player, strict=True)
        ):
            self._names[side].set_full_text(players[side].partition(",")[0])
            self._names[side].setToolTip(players[side])
            _set_line_edit_text(rack, end.racks[side], read_only=read_only)
            _set_line_edit_text(overtime, end.overtime[side], read_only=read_only)
            rack.setAccessibleName(text("{player}’s rack", player=players[side]))
            overtime.setAccessibleName(text("{player}’s overtime", player=players[side]))
            rack.setPlaceholderText(remaining_tiles[side] or text("rack"))
            overtime.setVisible(shows_overtime)
            self._breakdown_labels[side].setText(
                describe_total_breakdown(breakdown, rules, self._session.catalogue)
            )
            self._total_labels[side].setText(str(breakdown.total))
            self._brief_labels[side].set_full_text(
                f"{self._names[side].toolTip()} {breakdown.total}: {self._breakdown_labels[side].text()}"
            )
        for choice in (self.ended, self.loser):
            choice.setEnabled(not read_only)
        colours = self._session.appearance.colours
        lines = [
            f"<span style='color:{getattr(colours, tone)}'>{sentence}</span>" for sentence, tone in notes_and_tones
        ]
        self.notes.setText("<br>".join(lines) or "&nbsp;")  # reserve one line so that the turns do not move

    def focus_field(self, name: str = "ended") -> None:
        """Focus the field `name`. If `name` is "", focus the last visible field.

        Names: "ended" (end of game), "whose" (losing player), "rack1", "rack2", "overtime1", "overtime2".
        """
        if not self.isVisible():
            return
        self.show_full_or_brief_view(is_full=True)
        field = (
            self._fields[name] if name else [widget for widget in self._fields.values() if widget.isVisible()][-1]
        )
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(field, LineEdit):
            if name:
                field.selectAll()
            field.setModified(False)  # Ctrl+Z must undo the last saved change, not typing

    def mark_invalid_field(self, field_name: str) -> None:
        for line in (*self.racks, *self.overtime):
            line.mark_invalid(is_invalid=line is self._fields.get(field_name))

    def show_full_or_brief_view(self, *, is_full: bool) -> None:
        """Show racks, clocks and sums if `is_full`, otherwise one line per player."""
        self._full_view.setVisible(is_full)
        self._brief_view.setVisible(not is_full)

    def get_sheet_end(self) -> SheetEnd:
        return SheetEnd(
            ended=self.ended.value(),
            whose=self.loser.value() or "" if self.ended.value() in _ENDINGS_WITH_LOSER else "",
            racks=(self.racks[0].text(), self.racks[1].text()),
            overtime=(self.overtime[0].text(), self.overtime[1].text()),
        )

    def _build_form(self) -> None:
        self._full_view, self._brief_view = QWidget(), QWidget()
        grid = QGridLayout(self._full_view)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(3, 4)
        columns = (self._names, self.racks, self.overtime, self._breakdown_labels, self._total_labels)
        for row, (name, rack, overtime, breakdown, total) in enumerate(zip(*columns, strict=True)):
            name.setMaximumWidth(scale_pixels(UNIT * 16))
            rack.setMaximumWidth(scale_pixels(UNIT * 11))
            overtime.setMaximumWidth(scale_pixels(UNIT * 8))
            breakdown.setFont(make_scaled_font(11))
            total.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            total.setMinimumWidth(scale_pixels(UNIT * 5))
            for column, part in enumerate((name, rack, overtime, breakdown, total)):
                grid.addWidget(part, row, column)
        for line in self._brief_labels:
            line.setFont(make_scaled_font(11))
        fields.make_column(*self._brief_labels, gap=0, parent=self._brief_view)
        header = fields.make_row(self.ended, self.loser, self._brief_view, wide=self._brief_view)
        fields.make_column(header, self._full_view, self.notes, gap=UNIT - 2, margins=_CARD_MARGINS, parent=self)
        self.show_full_or_brief_view(is_full=False)

    def _emit_edited_sheet_end(self, _value: object) -> None:
        self.edited.emit(self.get_sheet_end())

    def _show_ending_choices(self, end: SheetEnd, rules: RuleSet, players: tuple[str, str]) -> None:
        catalogue = self._session.catalogue
        endings: list[GameEnding] = [
            ending for ending in rules.ending.ends if ending not in {GameEnding.OPEN, GameEnding.FORFEIT}
        ]
        if end.ended is not None and end.ended not in {*endings, GameEnding.OPEN, GameEnding.FORFEIT}:
            endings.append(end.ended)
        choices = [(ending, rule_sentences.format_game_end(catalogue, rules, ending)) for ending in endings]
        choices += [
            (GameEnding.FORFEIT, catalogue.translate_code(GameEnding.FORFEIT)),
            (GameEnding.OPEN, catalogue.text(C_("game", "game not finished"))),
        ]
        _fill_choice(self.ended, choices, end.ended, catalogue.text("How did the game end?"))
        losers = [("1", players[0]), ("2", players[1])]
        if end.ended is GameEnding.FORFEIT:
            losers.append(("both", catalogue.text("both players")))
        _fill_choice(self.loser, losers, end.whose or None, catalogue.text("Which player?"))
        self.loser.setVisible(end.ended in _ENDINGS_WITH_LOSER)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.focus_field("rack1")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
        elif event.key() in ENTER and not event.modifiers():
            if not _focus_next_widget(self._fields.values()):
                self.finished.emit()
        else:
            super().keyPressEvent(event)


def _focus_next_widget(widgets: Iterable[QWidget]) -> bool:
    usable_widgets = [widget for widget in widgets if widget.isVisible() and widget.isEnabled()]
    next_index = next(
        (number for number, widget in enumerate(usable_widgets, 1) if widget.hasFocus()), len(usable_widgets)
    )
    if next_index < len(usable_widgets):
        usable_widgets[next_index].setFocus(Qt.FocusReason.TabFocusReason)
    return next_index < len(usable_widgets)


def _set_line_edit_text(line: LineEdit, text: str, *, read_only: bool) -> None:
    if line.text() != text:
        line.setText(text)
    line.setReadOnly(read_only)


def _fill_choice(choice: Choice[T], options: Sequence[tuple[T, str]], value: T | None, placeholder: str) -> None:
    if [choice.itemText(row) for row in range(choice.count())] != [text for _, text in options]:
        choice.set_choices(options, value)
    values = [option for option, _ in options]
    with QSignalBlocker(choice):
        choice.setCurrentIndex(values.index(value) if value is not None and value in values else -1)
        choice.setPlaceholderText(placeholder)


class RulingConfirmationFrame(QFrame):
    """Asks the jury member to confirm a ruling on a turn."""

    ruling_confirmed = Signal(int, bool, str, int)  # turn, verdict (True: wrong), reason, number of wrong words
    closed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self._impact: ListEffects = lambda _turn, _phony, _count: ()
        self._reason = ""  # the proposed reason; unchanged text is stored as it is
        self._turn, self._phony = 0, False  # turn of the ruling (0: none), and the verdict
        text = session.catalogue.text
        self.question_label = fields.make_label("", "lead", wrap=True)
        self.meaning = fields.make_label(wrap=True, is_announced=True)
        self._count = fields.make_label(text(C_("in one play", "Invalid words")))
        self.words = NumberEdit(text(C_("in one play", "Invalid words")), value=1, width=UNIT * 7)
        self.reason_field = LineEdit(text("Reason"), placeholder=text("Why? The reason is kept in the history."))
        self.confirm_button = fields.make_button("", self.confirm_ruling, role="primary")
        self.cancel_button = fields.make_button(text("Cancel (Esc)"), self.closed.emit, role="quiet")
        self.words.textEdited.connect(self._show_ruling_effects)
        line = fields.make_row(self._count, self.words, self.reason_field, wide=self.reason_field)
        parts = (
            self.question_label,
            self.meaning,
            line,
            fields.make_row(self.confirm_button, self.cancel_button, 1),
        )
        fields.make_column(*parts, gap=UNIT - 2, margins=_CARD_MARGINS, parent=self)

    def ask_to_confirm_ruling(
        self, turn: int, question: str, *, phony: bool, wrong_words: int, reason: str, list_effects: ListEffects
    ) -> None:
        """Show the question. Focus the reason field, or the button if `reason` is not empty.

        `phony` is True to rule the play invalid. `list_effects` returns the effects, given turn, `phony` and
        number of wrong words.
        """
        text = self._session.catalogue.text
        self._turn, self._phony, self._impact = turn, phony, list_effects
        self.question_label.setText(question)
        for part in (self._count, self.words):
            part.setVisible(phony and self._session.rules.phony.per is PenaltyUnit.WORD)
        self.words.setText(str(wrong_words))
        self._reason = reason
        self.reason_field.setText(self._session.catalogue.describe_stored_reason(reason))
        self.confirm_button.setText(text("Rule the play invalid") if phony else text("Rule the play valid"))
        self._show_ruling_effects()
        (self.confirm_button if reason else self.reason_field).setFocus(Qt.FocusReason.OtherFocusReason)

    def confirm_ruling(self) -> None:
        count = self.words.get_number_or_none()
        invalid_fields = [
            *([] if count else [self.words]),
            *([] if self.reason_field.text().strip() else [self.reason_field]),
        ]
        for line in (self.words, self.reason_field):
            line.mark_invalid(is_invalid=line in invalid_fields)
        if invalid_fields:
            invalid_fields[0].setFocus()
        elif self._turn:
            text = self.reason_field.text()
            reason = self._reason if text == self._session.catalogue.describe_stored_reason(self._reason) else text
            self.ruling_confirmed.emit(self._turn, self._phony, reason, count)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in ENTER:
            _focus_next_widget((self.words, self.reason_field, self.confirm_button))
        else:
            super().keyPressEvent(event)

    def _show_ruling_effects(self, _text: str = "") -> None:
        count = self.words.get_number_or_none()
        if self._turn and count:
            self.meaning.setText("\n".join(self._impact(self._turn, self._phony, count)))
            self.meaning.setMinimumHeight(self.meaning.heightForWidth(self.width() - 3 * UNIT))


class _FormDifferenceListRow(Struct, frozen=True):
    key: str
    row: SheetDifferenceRow
    cells: tuple[str, ...]


class FormDifferencesFrame(QFrame):
    """Lists differences between the two score sheets (forms) of a game, for a choice of the correct form."""

    form_chosen = Signal(object, int)  # a difference, and the number of the correct form
    turn_requested = Signal(int)  # turn of the selected difference
    closed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        text = session.catalogue.text
        self._catalogue = session.catalogue
        self._rows = TableRowsModel(session.catalogue, heat=_get_difference_cell_tint)
        self._rows.strong = lambda line, column: _get_difference_cell_tint(line, column) > 0
        self.view = TableView(
            self._rows, appearance=session.appearance, name=text("Differences between the two forms")
        )
        widths = {"square": 60, "score": 52, "total": 52}
        widths = {f"{name}{form}": width for name, width in widths.items() for form in "12"}
        self.view.set_widths({"row": 40} | widths, stretch=("player", "form1", "form2"))
        self.view.disable_sorting()
        self.view.setMinimumHeight(UNIT * 18)
        choose_first, choose_second = partial(self._emit_chosen_form, 1), partial(self._emit_chosen_form, 2)
        self.view.add_keyboard_actions({"Left": choose_first, "Right": choose_second, "Esc": self.closed.emit})
        self.view.row_activated.connect(self._emit_turn_of_difference)
        first_button = fields.make_button(text("Form 1 is correct (←)"), choose_first)
        second_button = fields.make_button(text("Form 2 is correct (→)"), choose_second)
        cancel = fields.make_button(text("Cancel (Esc)"), self.closed.emit, role="quiet")
        parts = (self.view, fields.make_row(first_button, second_button, cancel, 1))
        fields.make_column(*parts, gap=UNIT - 2, margins=(UNIT, UNIT // 2) * 2, parent=self)

    def show_differences(self, differences: Sequence[SheetDifferenceRow], draft: SheetDraft) -> None:
        """List `differences`. Take player names and square notation from `draft`. Select the first difference."""
        lines = [
            _FormDifferenceListRow(
                row.key, row, sheet_sentences.list_sheet_difference_cells(self._catalogue, row, draft)
            )
            for row in differences
        ]
        has_squares = any(
            difference.field is SheetField.AT for row in differences for difference in row.differences
        )
        self.view.hide_columns_if_too_narrow(() if has_squares else ("square1", "square2"))
        self._rows.show_table(Table("forms", _FORMS_COLUMNS, tuple(lines)))
        if lines and not self.view.get_current_row_key():
            self.view.select_row(lines[0].key)

    def _get_current_difference(self) -> SheetDifferenceRow | None:
        line = self._rows.find_row_by_key(self.view.get_current_row_key())
        return line.row if isinstance(line, _FormDifferenceListRow) else None

    def _emit_chosen_form(self, form: int) -> None:
        row = self._get_current_difference()
        if row is not None:
            self.form_chosen.emit(row, form)

    def _emit_turn_of_difference(self, _key: str) -> None:
        row = self._get_current_difference()
        if row is not None:
            self.turn_requested.emit(row.turn)


def _get_difference_cell_tint(line: _FormDifferenceListRow, column: str) -> float:
    return float(
        column[:-1] in {_COLUMN_BY_FIELD.get(difference.field, "form") for difference in line.row.differences}
    )


def make_turn_typing_help_frame(session: Session) -> QFrame:
    text, frame, grammar = session.catalogue.text, QFrame(), fields.make_rich_text_label()
    keys = text("Enter: next turn · Shift+Enter: back · arrows: up and down · Ctrl+E: end of the game")
    grammar.setText(
        f"{fields.format_input_help_as_html(sheet_sentences.list_turn_examples(session.catalogue))}<p>{escape(keys)}</p>"
    )
    frame.setObjectName("card")
    fields.make_column(grammar, margins=_CARD_MARGINS, parent=frame)
    return frame


_FORMS_COLUMNS: tuple[Column[_FormDifferenceListRow], ...] = tuple(
    replace(column, words="" if column.id.startswith("form") else column.id.rstrip("12"))
    for column in make_column_for_each_tuple_item(
        ColumnKind.TEXT, "cells", ("row", "player", *(f"{name}{form}" for form in "12" for name in _FORM_COLUMNS))
    )
)
