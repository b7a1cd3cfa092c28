"""The schedule of a division, edited in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from msgspec.structs import replace
from PySide6.QtCore import QAbstractItemModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QStyleOptionViewItem, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.matches import count_knockout_rounds_needed
from tdapp.domain.model import Stage, StageId
from tdapp.domain.systems import SWISS, find_system_or_placeholder
from tdapp.domain.tables import rounds
from tdapp.domain.tables.rounds import ScheduleStageRow
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.page import FocusDelegation
from tdapp.gui.widgets.rows import AnyIndex, TableRowsModel
from tdapp.gui.widgets.table_view import TableCellDelegate, TableView
from tdapp.gui.widgets.theme import ROW, scale_line_height
from tdapp.i18n.phrases import format_evening_name
from tdapp.pairing import SYSTEMS

MAX_VISIBLE_ROWS = 8  # most visible rows
_ROUNDS = re.compile(r"\s*(?:(\d+)\s*[-–—.]+\s*)?(\d+)\s*")
_CARRY: Mapping[str, bool] = {"carried-on": True, "anew": False}


class ScheduleRowsModel(TableRowsModel):
    """The rows of the schedule. Cells that do not apply to a stage cannot be edited."""

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        row, name = self.find_row_by_key(self.keys()[index.row()]), self.list_column_ids()[index.column()]
        unknown = {
            "groups": not find_system_or_placeholder(row.stage.system).supports_setting("groups"),
            "behind": not find_system_or_placeholder(row.stage.system).supports_setting("behind"),
            "counted": row.stage.play_off or row.stage.evening or row.number == 1,
            "cut": row.stage.play_off or row.stage.evening or row.number == 1,
            "rounds": row.stage.evening,
            "system": row.stage.play_off,
        }
        return flags & ~Qt.ItemFlag.ItemIsEditable if unknown.get(name) else flags


class ScheduleCellDelegate(TableCellDelegate):
    """Paints the schedule. The columns `system` and `counted` are edited with a drop-down list."""

    def __init__(self, rows: TableRowsModel, session: Session, parent: QWidget) -> None:
        super().__init__(rows, session.appearance, parent)
        self._session = session
        code = session.catalogue.translate_code
        self._choices: Mapping[str, list[tuple[str, str]]] = {
            "system": [(system_id, code(system_id)) for system_id in SYSTEMS],
            "counted": [(carry_id, code(carry_id)) for carry_id in _CARRY],
        }

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        choices = self._choices.get(self._rows.list_column_ids()[index.column()])
        if choices is None:
            return super().createEditor(parent, option, index)
        name = str(index.model().headerData(index.column(), Qt.Orientation.Horizontal))
        box: Choice[str] = Choice(name, choices, self._session.appearance)
        box.setParent(parent)
        return box

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        if isinstance(editor, Choice):
            editor.choose_value(index.data(Qt.ItemDataRole.EditRole))
        else:
            super().setEditorData(editor, index)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: AnyIndex) -> None:
        if isinstance(editor, Choice):
            model.setData(index, editor.value())
        else:
            super().setModelData(editor, model, index)


class ScheduleView(TableView):
    """The table of the schedule."""

    functions_by_character: Mapping[str, Callable[[], object]] = MappingProxyType({})

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run = self.functions_by_character.get(event.text()) if not self.has_open_editor() else None
        if run is not None:
            run()
        else:
            super().keyPressEvent(event)

    def fit_height_to_rows(self) -> None:
        rows = min(max(self.model().rowCount(), 2), MAX_VISIBLE_ROWS)
        self.setFixedHeight(
            self.horizontalHeader().sizeHint().height() + rows * scale_line_height(ROW) + 2 * self.frameWidth()
        )


class ScheduleEditor(FocusDelegation, QWidget):
    """The list of stages with its buttons. Signal `opened` asks for the panel of a stage."""

    opened = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._runs: Mapping[str, Callable[[], None]] = {
            "merge": partial(self._run_command_on_current_stage, commands.merge_stages),
            "remove": partial(self._run_command_on_current_stage, commands.remove_stage),
            "up": partial(self.move_stage, -1), "down": partial(self.move_stage, 1),
        }  # fmt: skip
        self._make_schedule_view()
        self._make_stage_buttons()
        fields.make_column(self.view, fields.WrappingRow(*self._buttons.values()), parent=self)
        self.setFocusProxy(self.view)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _make_schedule_view(self) -> None:
        session = self._session
        text = session.catalogue.text
        self.rows = ScheduleRowsModel(
            session.catalogue,
            edit=self._save_cell_text,
            tone=lambda row: "muted" if row.made > row.last - row.first else "",
            shown_texts={
                "cut": lambda row: "" if row.stage.play_off else str(row.stage.cut or text("all")),
                "groups": lambda row: str(row.groups) if row.groups and row.groups > 1 else "",
                "counted": self._describe_score_carryover,
                "behind": lambda row: str(row.stage.settings.behind or ""),
            },
            edited_texts={
                "system": lambda row: row.stage.system,
                "counted": lambda row: "anew" if row.score_carryover == "anew" else "carried-on",
                "cut": lambda row: str(row.stage.cut or ""),
            },
        )
        self.view = ScheduleView(self.rows, appearance=session.appearance, name=text("Schedule"))
        self.view.setItemDelegate(ScheduleCellDelegate(self.rows, session, self.view))
        self.view.set_widths({"rounds": 88, "cut": 64, "groups": 80, "behind": 80}, stretch=("system", "counted"))
        self.view.hide_columns_if_too_narrow(("groups", "behind"))
        self.view.set_empty_text(text("No stages yet. Add a stage to set how many rounds are played, and how."))
        self.view.disable_sorting()
        run = self._runs
        self.view.add_keyboard_actions(
            {"Ins": self.add_stage, "Del": run["remove"], "Ctrl+Up": run["up"], "Ctrl+Down": run["down"]}
        )
        self.view.functions_by_character = {"/": self.split_stage, "+": run["merge"]}
        self.view.current_row_changed.connect(self._update_stage_buttons)
        self.view.row_activated.connect(self.opened)

    def _describe_score_carryover(self, row: ScheduleStageRow) -> str:
        catalogue = self._session.catalogue
        if row.stage.evening:
            return catalogue.text("evening: {evening}", evening=format_evening_name(catalogue, row.stage))
        return "" if row.number == 1 else catalogue.translate_code(row.score_carryover)

    def _make_stage_buttons(self) -> None:
        text = self._session.catalogue.text
        move_up_name, move_down_name, button, run = (
            text("Move the stage earlier"),
            text("Move the stage later"),
            fields.make_button,
            self._runs,
        )
        self._buttons = {
            "add": button(text("Add"), self.add_stage, tip=text("Add a stage (Insert)")),
            "split": button(
                text(C_("a stage", "Split")), self.split_stage, tip=text("Split off the last round (key /)")
            ),
            "merge": button(
                text(C_("two stages", "Merge")), run["merge"], tip=text("Merge with the next stage (key +)")
            ),
            "up": button("↑", run["up"], name=move_up_name, tip=text("Move the stage earlier (Ctrl+Up)")),
            "down": button("↓", run["down"], name=move_down_name, tip=text("Move the stage later (Ctrl+Down)")),
            "remove": button(text("Remove"), run["remove"], tip=text("Remove the stage (Delete)")),
            "open": button(text("Settings…"), self._open_stage_panel, tip=text("All settings for the stage")),
        }

    def show_stages(self) -> None:
        session = self._session
        division = session.division
        self.rows.locked = not session.is_editable
        self.rows.show_table(
            rounds.make_schedule_table(session.index, division) if division else Table("schedule", (), ())
        )
        self.view.fit_height_to_rows()
        if not self.view.get_current_row_key() and self.rows.keys():
            self.view.select_row(self.rows.keys()[0])
        self._update_stage_buttons()

    def add_stage(self) -> None:
        session = self._session
        if session.division is None or self.rows.locked:
            return
        key = session.make_row_id()
        command = partial(commands.add_stage, key=key, division=session.division.id, system=SWISS.id, rounds=1)
        session.do(
            command,
            on_success=make_callback_for_visible_widget(self.view, partial(self._begin_cell_edit, key, "rounds")),
        )

    def split_stage(self) -> None:
        row = self._find_editable_current_row()
        if row is not None:
            key = self._session.make_row_id()
            rounds = max(row.last - row.first, 1)
            command = partial(commands.split_stage, key=key, stage=StageId(row.key), rounds=rounds)
            edit_system = make_callback_for_visible_widget(
                self.view, partial(self._begin_cell_edit, key, "system")
            )
            self._session.do(command, on_success=edit_system, field=self.view)

    def move_stage(self, offset: int) -> None:
        row = self._find_editable_current_row()
        position = row.number + offset if row is not None else 0
        if 1 <= position <= self.rows.rowCount():
            self._run_command_on_current_stage(partial(commands.move_stage, position=position))

    def _open_stage_panel(self) -> None:
        if self.view.get_current_row_key():
            self.opened.emit(self.view.get_current_row_key())

    def _find_editable_current_row(self) -> ScheduleStageRow | None:
        row: ScheduleStageRow | None = self.rows.find_row_by_key(self.view.get_current_row_key())
        return None if self.rows.locked else row

    def _run_command_on_current_stage(self, command: Callable[..., Tournament]) -> None:
        row = self._find_editable_current_row()
        if row is not None:
            self._session.do(partial(command, stage=StageId(row.key)), field=self.view)

    def _begin_cell_edit(self, key: str, column: str) -> None:
        self.show_stages()
        self.view.select_row(key)
        location = self.rows.find_row_position(key)
        if location >= 0:
            index = self.rows.index(location, self.rows.list_column_ids().index(column))
            self.view.setFocus()
            self.view.setCurrentIndex(index)
            self.view.edit(index)

    def _update_stage_buttons(self, _key: str = "") -> None:
        row, count = self._find_editable_current_row(), self.rows.rowCount()
        can_run = {
            "add": not self.rows.locked and self._session.division is not None,
            "split": row is not None and row.last > row.first and not row.stage.play_off,
            "merge": row is not None and row.number < count and not row.stage.play_off,
            "up": row is not None and row.number > 1 and not row.made,
            "down": row is not None and row.number < count and not row.made,
            "remove": row is not None and not row.made,
            "open": row is not None,
        }
        for name, is_enabled in can_run.items():
            self._buttons[name].setEnabled(is_enabled)

    def _save_cell_text(self, key: str, column: str, text: str) -> None:
        stage = self._session.tournament.stages.get(StageId(key))
        if stage is None:
            return
        try:
            command = self._make_cell_command(stage, column, text.strip())
        except CommandError as error:
            self._session.show_error(error, self.view)
            return
        self._session.do(command, field=self.view)

    def _make_cell_command(self, stage: Stage, column: str, text: str) -> partial[Tournament]:
        edit = partial(commands.edit_stage, stage=stage.id)
        if column == "rounds":
            ends = _ROUNDS.fullmatch(text)
            if ends is None:
                raise CommandError("rounds-unreadable", typed=text)
            first = int(ends[1]) if ends[1] else None
            if first is not None and first > int(ends[2]):
                raise CommandError("rounds-unreadable", typed=text)
            return partial(commands.schedule_stage, stage=stage.id, first=first, last=int(ends[2]))
        if column == "system":
            return partial(edit, system=text)
        if column == "counted":
            return partial(edit, carry=_CARRY.get(text, True))
        if column == "cut":
            return _make_qualifier_count_command(stage, _parse_number_or_zero(text))
        if column == "groups":
            return partial(edit, settings=replace(stage.settings, groups=_parse_number_or_zero(text) or 1))
        return partial(edit, settings=replace(stage.settings, behind=_parse_number_or_zero(text)))


def _make_qualifier_count_command(stage: Stage, best: int) -> partial[Tournament]:
    """Return the command that sets the number of qualifiers of a stage to `best`.

    For a knockout it also sets the required number of rounds, unless the user has chosen a number.
    """
    edit = partial(commands.edit_stage, stage=stage.id, cut=best)
    is_usual_count = (
        stage.cut is not None and count_knockout_rounds_needed(stage.cut, stage.settings) == stage.rounds
    )
    if find_system_or_placeholder(stage.system).is_knockout and best > 1 and is_usual_count:
        return partial(edit, rounds=count_knockout_rounds_needed(best, stage.settings))
    return edit


def _parse_number_or_zero(text: str) -> int:
    """Parse a number. Text without digits, such as `all`, gives 0. Text such as `2x` raises CommandError."""
    if text.isdecimal():
        return int(text)
    if any(sign.isdigit() for sign in text):
        raise CommandError("bad-number", value=text, least=0, most=200)
    return 0
