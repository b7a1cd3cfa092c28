"""Panels of a division."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QAbstractItemView, QProgressBar

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.model import Division, UnplayedRoundCounting
from tdapp.domain.ratings import select_rating_system
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.systems import MANUAL, get_pairing_system
from tdapp.domain.tables.rounds import TableRangeRow, make_table_of_table_groups
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import FieldForm, RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import ChoiceControl, FormField, NumberControl
from tdapp.gui.shell.round_clock import RoundClockService
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget, make_callback_unless_deleted
from tdapp.gui.tournament.rule_editors import TieBreakList
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels
from tdapp.i18n.phrases import format_simulated_schedules, make_schedule_simulation_table
from tdapp.pairing import SYSTEMS
from tdapp.pairing.rehearsal import SimulatedScheduleStatistics, make_alternative_schedule, simulate_schedules
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

MAX_TABLES = 100_000
PROGRESS_INTERVAL = 100  # milliseconds between two updates of the progress
MAX_COUNT = 200  # maximum for rounds of a plan and for qualifying players


class TableSettingsPanel(RowEditorPanel):
    """Edits the division's groups of tables, and its sessions (rounds in which players can keep their table)."""

    def __init__(self, session: Session) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Tables"), width=UNIT * 53)
        self._add_playing_session_fields()
        self._turn_button = fields.make_button(
            text("Mark or unmark as accessible"), self._toggle_group_accessibility
        )
        listing = RowEditorListDeclaration(
            name=text("Groups of tables"),
            table=partial(self.make_table_of_selected_division, make_table_of_table_groups),
            widths={"group": 0, "from_table": 64, "to_table": 64, "accessible": 104},
            empty_text=text("No groups of tables yet.\nBelow, type the name of a room or part of a room."),
            editable_columns={"group": "name", "from_table": "first", "to_table": "last"},
        )
        self.set_editor(
            RowEditor(
                session,
                fields=[
                    FormField(name="name", label=text("New group"), spoken_name=text("Name of the group"),
                              hint=text("For example: hall, gallery")),
                    FormField(name="first", label=text("First table"),
                              propose=self._propose_first_table_of_new_group, maximum=MAX_TABLES),
                    FormField(name="last", label=text("Last table"), maximum=MAX_TABLES),
                    FormField(name="accessible", label=text(C_("tables of a group", "Accessible"))),
                ],
                listing=listing,
                command=commands.add_table_group,
                edit=commands.edit_table_group,
                remove=commands.remove_table_group,
                error_fields={"": "last"},
                arrange=lambda editor: [
                    *editor.list_table_and_buttons(self._turn_button), *editor.list_form_and_buttons()
                ],
            )
        )  # fmt: skip
        self.editor.view.add_keyboard_actions({"Space": self._toggle_group_accessibility})
        self.editor.view.clicked.connect(self._toggle_accessibility_on_click)

    def refresh_widgets_outside_editor(self, division: Division) -> None:
        for widget in (self.keep_tables_box, self.sessions, self._turn_button):
            widget.setEnabled(self.session.is_editable)
        self.keep_tables_box.setChecked(division.keep_tables)
        if not self.sessions.isModified():
            self.sessions.setText(", ".join(map(str, division.sessions)))

    def _add_playing_session_fields(self) -> None:
        text, form = self.session.catalogue.text, FormLayout()
        self.keep_tables_box = fields.make_check_box(text("Players keep their table if it is free"))
        self.keep_tables_box.clicked.connect(self._save_playing_sessions)
        self.sessions = LineEdit(text("Rounds that begin a session"), placeholder=text("For example: 5, 9"))
        self.sessions.editingFinished.connect(self._save_playing_sessions_if_edited)
        form.add_field(
            self.sessions, text("Type the first round of the second session and of each later session.")
        )
        note = text(
            "Without groups, the tables are numbered upwards from the first table. With groups, the games "
            "fill one group of tables after another."
        )
        heading = fields.make_label(text("Groups of tables"), "lead"), fields.make_note_label(note)
        fields.add_parts_to_layout(
            self.body, self.keep_tables_box, form, -1, fields.make_separator(), -1, *heading
        )

    def _propose_first_table_of_new_group(self) -> int:
        session, division = self.session, self.session.division
        next_tables = [row.last + 1 for row in session.tournament.table_groups.values()]
        return max(next_tables, default=division.first_table if division else 1)

    def _save_playing_sessions_if_edited(self) -> None:
        if self.sessions.isModified():
            self._save_playing_sessions()

    def _save_playing_sessions(self) -> None:
        division, field = self.session.division, self.sessions
        if division is None:
            return
        field.setModified(False)
        try:
            rounds = parse_numbers(field.text(), least_in_error=2, most_in_error=1_000)
        except CommandError as error:
            self.session.show_error(error, field)
            return
        keep = self.keep_tables_box.isChecked()
        command = partial(commands.set_sessions, division=division.id, keep_tables=keep, sessions=rounds)
        self.session.do(command, field=field)

    def _toggle_accessibility_on_click(self, index: QModelIndex) -> None:
        if self.editor.rows.list_column_ids()[index.column()] == "accessible":
            self._toggle_group_accessibility()

    def _toggle_group_accessibility(self) -> None:
        row: TableRangeRow | None = self.editor.rows.find_row_by_key(self.editor.view.get_current_row_key())
        if row is not None and self._turn_button.isEnabled():
            command = self.editor.bind_command_to_row(
                commands.edit_table_group, row.key, accessible=not row.accessible
            )
            self.session.do(command, field=self.editor.view)


class TieBreaksPanel(Panel):
    """The list of tie-breaks. Ticked tie-breaks are used, in the order shown."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Ranking"))
        self.list = TieBreakList(self.text("Tie-breaks"), session.catalogue)
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setMinimumHeight(scale_line_height(ROW - 4) * 8)
        self.list.setSpacing(2)
        up_button = fields.make_button(self.text("Move up"), partial(self.list.move_current_tiebreak, -1))
        down_button = fields.make_button(self.text("Move down"), partial(self.list.move_current_tiebreak, 1))
        reset_button = fields.make_button(
            self.text("Use the order in the rules"),
            partial(self._save_order_of_tiebreaks, (), UnplayedRoundCounting.PLAIN),
        )
        save_button = fields.make_button(self.text("Save"), self._save_ticked_tie_break_order, role="primary")
        note = self.text(
            "The first ticked tie-break decides. Each further tie-break separates players who are still tied."
        )
        name = self.text("How rounds without a game count towards resistance points")
        modes = [(mode, session.catalogue.translate_code(mode)) for mode in UnplayedRoundCounting]
        division = session.division
        self._unplayed = Choice(
            name, modes, session.appearance, value=division.unplayed if division else UnplayedRoundCounting.PLAIN
        )
        self._unplayed.currentIndexChanged.connect(self._explain_unplayed_round_counting)
        self._unplayed_note = fields.make_note_label()
        fields.add_parts_to_layout(
            self.body, fields.make_note_label(note), self.list, fields.make_row(up_button, down_button, 1), -1,
            fields.make_label(name, wrap=True), self._unplayed, self._unplayed_note, -1,
            fields.make_row(reset_button, 1, save_button), 1,
        )  # fmt: skip
        self.list.show_ticked_tiebreaks(find_tiebreak_order(session.index, division) if division else ())
        self._explain_unplayed_round_counting()

    def _explain_unplayed_round_counting(self) -> None:
        self._unplayed_note.setText(self.session.catalogue.explain_column(f"unplayed-{self._unplayed.value()}"))

    def _save_ticked_tie_break_order(self) -> None:
        self._save_order_of_tiebreaks(self.list.list_ticked_tiebreaks(), self._unplayed.value())

    def _save_order_of_tiebreaks(self, order: tuple[str, ...], unplayed: UnplayedRoundCounting | None) -> None:
        division = self.session.division
        if division is not None:
            command = partial(commands.set_order, division=division.id, order=order, unplayed=unplayed)
            self.session.do(
                command, on_success=make_callback_for_visible_widget(self, self.closed.emit), field=self.list
            )


def parse_numbers(text: str, *, least_in_error: int, most_in_error: int) -> tuple[int, ...]:
    """Parse numbers separated by commas or spaces. The limits appear in the error, but are not checked."""
    try:
        return tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise CommandError("bad-number", value=text, least=least_in_error, most=most_in_error) from None


class ScheduleSimulationPanel(Panel):
    """Simulates the schedule, and a changed schedule for comparison."""

    topic = "rehearsal"

    def __init__(self, session: Session, division: Division) -> None:
        text, code = session.catalogue.text, session.catalogue.translate_code
        super().__init__(session, text("What would the day look like?"), width=UNIT * 76)
        self._division, self._task = division, BackgroundTask("")
        first_stage, *later_stages = session.index.stages(division.id)
        qualifier_count = next(
            (stage.cut or 0 for stage in later_stages if get_pairing_system(stage).is_knockout), 0
        )
        systems = [(system_id, code(f"system.{system_id}")) for system_id in SYSTEMS if system_id != MANUAL.id]
        self._planned = {"system": first_stage.system, "rounds": first_stage.rounds, "cut": qualifier_count}
        self.form = FieldForm(session, [
            FormField(name="system", label=text(C_("pairing", "System")), control=ChoiceControl,
                      options=lambda _: systems,
                      value=first_stage.system),
            FormField(name="rounds", label=text("Rounds"), control=NumberControl, value=first_stage.rounds,
                      maximum=MAX_COUNT),
            FormField(name="cut", label=text("Players in the knockout that follows"),
                      hint=text(C_("empty field", "none")),
                      control=NumberControl,
                      value=qualifier_count,
                      maximum=MAX_COUNT),
        ])  # fmt: skip
        self.form.submitted.connect(self.start_simulation)
        self.start_button = fields.make_button(text("Simulate the day"), self.start_simulation, role="primary")
        self.rows = TableRowsModel(session.catalogue)
        self.view = TableView(self.rows, appearance=session.appearance, name=text("What would the day look like?"))
        self.view.set_widths({"planned": UNIT * 14, "beside": UNIT * 14}, stretch=("figure",))
        self.status = fields.make_label("", "muted", wrap=True, is_announced=True)
        intro = text(
            "The program simulates the whole day many times with the listed players. Change the settings "
            "below to compare another plan. The tournament stays as it is."
        )
        self.bar = QProgressBar(textVisible=False, maximum=1000)
        self.bar.setAccessibleName(text("Progress"))
        self.cancel = fields.make_button(text("Cancel"), self._cancel_simulation)
        self._timer = QTimer(self, interval=PROGRESS_INTERVAL)
        self._timer.timeout.connect(self._show_simulation_progress)
        self.bar.setFixedWidth(scale_pixels(UNIT * 24))
        start_row = fields.make_row(self.start_button, self.bar, self.cancel, 1)
        self._show_simulation_progress()
        fields.add_parts_to_layout(
            self.body, fields.make_note_label(intro), self.form, start_row, self.view, self.status, wide=self.view
        )
        self.form.refresh_fields()
        self.setFocusProxy(self.start_button)

    def start_simulation(self) -> None:
        values, session = self.form.validate_values(), self.session
        if values is None or not session.is_open or self._division.id not in session.tournament.divisions:
            return
        self._task.cancel_work()
        index, task = session.index, BackgroundTask(self.text("Simulating the day…"))
        plans = [index.stages(self._division.id)]
        changes = {name: value for name, value in values.items() if value != self._planned.get(name)}
        self._task = task
        self.rows.show_table(Table("rehearsal", (), ()))
        self.status.setText(task.label)
        try:
            plans += [make_alternative_schedule(index, self._division.id, **changes)] if changes else []
        except CommandError as error:
            self._show_simulation_error(error)
            return
        self._timer.start()
        self._show_simulation_progress()
        system = select_rating_system(session.resources.rating_systems, self._division.rating)
        call = partial(simulate_schedules, index.tournament, self._division.id, system=system, plans=plans)
        session.run_in_background(
            partial(
                call,
                seconds=RoundClockService.get_or_make_service(session).round_length_in_seconds,
                progress=task.report_progress,
            ),
            on_success=make_callback_unless_deleted(self, self._show_schedule_statistics),
            label=task.label,
            on_error=make_callback_unless_deleted(self, self._show_simulation_error),
            task=task,
            on_stop=make_callback_unless_deleted(self, partial(self._report_stopped_simulation, task)),
        )

    def _show_simulation_progress(self) -> None:
        is_running = self._timer.isActive() and not (self._task.ended or self._task.cancelled)
        for widget in (self.bar, self.cancel):
            widget.setVisible(is_running)
        self.bar.setValue(round(self._task.progress * 1000))
        if not is_running:
            self._timer.stop()

    def _cancel_simulation(self) -> None:
        self._task.cancel_work()
        self._show_simulation_progress()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._task.cancel_work()

    def _show_schedule_statistics(self, schedules: tuple[SimulatedScheduleStatistics, ...]) -> None:
        self.rows.show_table(make_schedule_simulation_table(self.session.catalogue, schedules))
        self.status.setText(format_simulated_schedules(self.session.catalogue, schedules))

    def _show_simulation_error(self, error: Exception) -> None:
        self.status.setText(self.session.catalogue.describe_error(get_user_error_or_raise(error)))

    def _report_stopped_simulation(self, task: BackgroundTask) -> None:
        if task is self._task:
            self.status.setText(self.text("You stopped the calculation."))
