"""Tests of the editor, a list with a form, with a log of incidents as example."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.jury_rows import IncidentId, IncidentKind
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tables.jury_log import IncidentRow, make_incident_table
from tdapp.domain.tables.table import Table
from tdapp.domain.type_hints import list_arguments
from tdapp.gui.editor.editor import FieldForm, RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import (
    CheckBoxControl,
    CheckBoxListControl,
    FormField,
    MinutesSecondsControl,
    NumberControl,
    NumberListControl,
)
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.fields import Choice, NumberEdit
from tests.gui.samples import A
from tests.gui.table_events import press_tab
from tests.gui.windows import get_focused_widget, press_key, show_window, type_text

RETURN, DELETE, INSERT = Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Insert
F2, ESCAPE = Qt.Key.Key_F2, Qt.Key.Key_Escape


class IncidentLogPanel(RowEditorPanel):
    """A minimal panel with an editor."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Log")
        list_declaration = RowEditorListDeclaration(
            name="Entries",
            table=self._make_table,
            widths={"at": 60, "table": 60, "note": 0},
            empty_text="Nothing yet.",
            row_text=lambda row: f"{row.entry.table} {row.entry.note} {row.entry.author}",
            search_label="Search entries",
        )
        fields = [
            FormField(name="table", label="Table", is_kept=True, maximum=99),
            FormField(name="kind", label="What", same_line=True),
            FormField(
                name="seconds",
                label="Time",
                control=MinutesSecondsControl,
                is_shown=lambda values: values["kind"] != "tiles",
            ),
            FormField(name="note", label="Note", spoken_name="What happened"),
            FormField(name="author", label="By", is_kept=True),
        ]
        self.set_editor(
            RowEditor(
                session,
                fields=fields,
                listing=list_declaration,
                command=commands.note_incident,
                edit=commands.edit_incident,
                remove=commands.remove_incident,
                find_row=lambda key: session.tournament.incidents.get(IncidentId(key)),
                error_fields={"extra-time-missing": "seconds"},
                focus_when_adding="note",
            )
        )

    def _make_table(self) -> Table[IncidentRow]:
        return make_incident_table(self.session.index, self.session.tournament.divisions[A])


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    new_window = show_window(full_session, qtbot, "players")
    new_window.page.show_panel(IncidentLogPanel(full_session))
    return new_window


@pytest.fixture
def log_panel(window: Window) -> IncidentLogPanel:
    log = window.panel
    assert isinstance(log, IncidentLogPanel)
    log.get_field_widget("kind").choose_value(IncidentKind.COMPLAINT)
    return log


def list_incidents(log_panel: IncidentLogPanel) -> list[tuple[int | None, str, str]]:
    return [
        (incident.table, incident.note, incident.author)
        for incident in log_panel.session.tournament.incidents.values()
    ]


def enter_note(window: Window, note: str) -> None:
    type_text(window, note)
    press_key(window, RETURN)


# --- keys


def test_editor_saves_a_row_by_enter_and_starts_the_next(window: Window, log_panel: IncidentLogPanel) -> None:
    assert get_focused_widget(window) is log_panel.get_field_widget("note")
    enter_note(window, "noise")
    enter_note(window, "more noise")
    assert list_incidents(log_panel) == [(None, "noise", ""), (None, "more noise", "")]
    assert get_focused_widget(window) is log_panel.get_field_widget("note")
    assert log_panel.get_field_widget("note").text() == ""
    assert log_panel.editor.view.get_current_row_key() == list(log_panel.session.tournament.incidents)[-1]


@pytest.mark.slow
def test_editor_saves_a_row_by_enter_in_a_choice(window: Window, log_panel: IncidentLogPanel) -> None:
    type_text(window, "noise")
    log_panel.get_field_widget("kind").setFocus()
    press_key(window, RETURN)
    assert len(list_incidents(log_panel)) == 1


@pytest.mark.parametrize("key", [F2, RETURN])
def test_editor_edits_a_row_in_the_form(window: Window, log_panel: IncidentLogPanel, key: Qt.Key) -> None:
    enter_note(window, "nois")
    log_panel.editor.view.setFocus()
    press_key(window, key)
    assert get_focused_widget(window) is log_panel.get_field_widget("note")
    assert log_panel.editor.save_button.text() == "Save the correction"
    assert log_panel.get_field_widget("kind").value() is IncidentKind.COMPLAINT
    type_text(window, "e")
    press_key(window, RETURN)
    assert list_incidents(log_panel) == [(None, "noise", "")]
    assert log_panel.editor.save_button.text() == "Add"
    log_panel.session.undo()
    assert list_incidents(log_panel) == [(None, "nois", "")]


@pytest.mark.slow
def test_editor_saves_an_emptied_field(window: Window, log_panel: IncidentLogPanel) -> None:
    log_panel.get_field_widget("table").setText("3")
    enter_note(window, "noise")
    assert list_incidents(log_panel) == [(3, "noise", "")]
    log_panel.editor.view.setFocus()
    press_key(window, F2)
    log_panel.get_field_widget("table").clear()
    press_key(window, RETURN)
    assert list_incidents(log_panel) == [(None, "noise", "")]


@pytest.mark.slow
def test_editor_cancels_a_correction(window: Window, log_panel: IncidentLogPanel) -> None:
    enter_note(window, "noise")
    log_panel.editor.view.setFocus()
    press_key(window, F2)
    type_text(window, "!")
    log_panel.editor.cancel_button.click()
    assert log_panel.get_field_widget("note").text() == ""
    assert not log_panel.editor.has_unsaved_row
    assert list_incidents(log_panel) == [(None, "noise", "")]


def test_editor_removes_a_row_by_delete_and_undo_restores_it(window: Window, log_panel: IncidentLogPanel) -> None:
    enter_note(window, "noise")
    log_panel.editor.view.setFocus()
    press_key(window, DELETE)
    assert list_incidents(log_panel) == []
    log_panel.session.undo()
    assert list_incidents(log_panel) == [(None, "noise", "")]


@pytest.mark.slow
@pytest.mark.parametrize("focused_part", ["list", "field"])
def test_editor_starts_a_row_by_insert_without_adding_a_player(
    window: Window, log_panel: IncidentLogPanel, focused_part: str
) -> None:
    enter_note(window, "noise")
    log_panel.editor.view.setFocus()
    press_key(window, F2)
    (log_panel.editor.view if focused_part == "list" else log_panel.get_field_widget("note")).setFocus()
    press_key(window, INSERT)
    assert get_focused_widget(window) is log_panel.get_field_widget("note")
    assert not log_panel.editor.edited_key
    assert window.panel is log_panel


def test_editor_stops_editing_a_removed_row(window: Window, log_panel: IncidentLogPanel) -> None:
    enter_note(window, "noise")
    log_panel.editor.view.setFocus()
    press_key(window, F2)
    log_panel.session.undo()
    assert not log_panel.editor.edited_key
    assert log_panel.editor.save_button.text() == "Add"


# --- errors and unsaved text


def test_editor_refuses_an_invalid_number_at_its_field(
    window: Window, log_panel: IncidentLogPanel, qtbot: QtBot
) -> None:
    log_panel.get_field_widget("table").setFocus()
    type_text(window, "x")
    log_panel.get_field_widget("note").setFocus()
    with qtbot.waitSignal(log_panel.session.message_sent) as message:
        enter_note(window, "noise")
    assert message.args is not None
    assert "99" in message.args[0]
    assert get_focused_widget(window) is log_panel.get_field_widget("table")
    assert log_panel.get_field_widget("table").selectedText() == "x"
    assert list_incidents(log_panel) == []


def test_editor_focuses_the_field_of_an_error(window: Window, log_panel: IncidentLogPanel) -> None:
    log_panel.get_field_widget("table").setFocus()
    type_text(window, "0")
    log_panel.get_field_widget("note").setFocus()
    enter_note(window, "noise")
    assert get_focused_widget(window) is log_panel.get_field_widget("table")  # the error names this field
    log_panel.get_field_widget("table").clear()
    log_panel.get_field_widget("kind").choose_value(IncidentKind.EXTRA_TIME)
    press_key(window, RETURN)
    assert get_focused_widget(window) is log_panel.get_field_widget(
        "seconds"
    )  # the panel assigns the error to this field
    type_text(window, "soon")
    press_key(window, RETURN)
    assert get_focused_widget(window) is log_panel.get_field_widget("seconds")  # not a valid time
    assert list_incidents(log_panel) == []


def test_editor_asks_once_before_discarding_text(window: Window, log_panel: IncidentLogPanel) -> None:
    type_text(window, "half a")
    assert log_panel.editor.has_unsaved_row
    press_key(window, ESCAPE)
    assert window.panel is log_panel
    press_key(window, ESCAPE)
    assert window.panel is None


@pytest.mark.slow
def test_editor_ignores_kept_values_as_unsaved_text(window: Window, log_panel: IncidentLogPanel) -> None:
    log_panel.get_field_widget("table").setFocus()
    type_text(window, "4")
    assert not log_panel.editor.has_unsaved_row
    log_panel.get_field_widget("note").setFocus()
    enter_note(window, "noise")
    assert log_panel.get_field_widget("table").text() == "4"


@pytest.mark.slow
def test_editor_remembers_the_author(window: Window, log_panel: IncidentLogPanel) -> None:
    log_panel.get_field_widget("author").setText("Kim")
    enter_note(window, "noise")
    window.open_panel(IncidentLogPanel(log_panel.session))
    assert isinstance(window.panel, IncidentLogPanel)
    assert window.panel.get_field_widget("author").text() == "Kim"


# --- display


def test_editor_fields_have_names_and_tab_order(window: Window, log_panel: IncidentLogPanel) -> None:
    names = [
        log_panel.get_field_widget(name).accessibleName()
        for name in ("table", "kind", "seconds", "note", "author")
    ]
    assert names == ["Table", "What", "Time", "What happened", "By"]
    log_panel.get_field_widget("table").setFocus()
    focused_names = []
    for _ in range(5):
        focused_names.append(get_focused_widget(window).accessibleName())
        press_tab(window)
    assert focused_names == names


def test_editor_hides_an_unneeded_field(window: Window, log_panel: IncidentLogPanel) -> None:
    log_panel.get_field_widget("seconds").setText("x")
    log_panel.get_field_widget("kind").choose_value(IncidentKind.TILES)
    assert log_panel.get_field_widget("seconds").isHidden()
    log_panel.get_field_widget("note").setFocus()
    enter_note(window, "a tile too many")
    (row,) = log_panel.session.tournament.incidents.values()
    assert row.seconds == 0


def test_editor_list_searches_and_describes_rows(window: Window, log_panel: IncidentLogPanel) -> None:
    assert log_panel.editor.view.accessibleDescription() == "Nothing yet."
    assert not log_panel.editor.search.isEnabled()
    enter_note(window, "noise")
    enter_note(window, "tea")
    assert log_panel.editor.line.text() == "None tea "
    log_panel.editor.search.setFocus()
    type_text(window, "noi")
    assert log_panel.editor.rows.rowCount() == 1
    type_text(window, "x")
    assert "Nothing found" in log_panel.editor.view.accessibleDescription()
    press_key(window, ESCAPE)
    assert log_panel.editor.rows.rowCount() == 2


@pytest.mark.slow
def test_editor_buttons_have_fixed_texts(log_panel: IncidentLogPanel) -> None:
    buttons = [button.text() for button in log_panel.editor.findChildren(QPushButton)]
    assert buttons == ["Cancel the correction", "Add", "Edit", "Remove"]


# --- permissions


def test_editor_offers_no_actions_in_a_finished_tournament(window: Window, log_panel: IncidentLogPanel) -> None:
    enter_note(window, "noise")
    type_text(window, "late")
    log_panel.session.do(partial(commands.finish_tournament))
    press_key(window, RETURN)
    log_panel.editor.view.setFocus()
    press_key(window, DELETE)
    press_key(window, F2)
    assert list_incidents(log_panel) == [(None, "noise", "")]
    assert not log_panel.editor.edited_key
    for button in (log_panel.editor.save_button, log_panel.editor.edit_button, log_panel.editor.remove_button):
        assert not button.isEnabled()


# --- type hints


def test_field_form_chooses_controls_by_type_hints(full_session: Session, qtbot: QtBot) -> None:
    names = ("style", "avoid_until", "double")
    form = FieldForm(full_session, [FormField(name=name, label=name) for name in names], PairingSettings)
    qtbot.addWidget(form)
    form.refresh_fields()
    control_types: list[type[QWidget]] = [type(form.get_widget(name)) for name in names]
    assert control_types[:2] == [Choice, NumberEdit]
    assert form.validate_values() == {"style": PairingSettings().style, "avoid_until": None, "double": False}


def test_list_arguments_returns_the_arguments_of_a_command() -> None:
    arguments = {argument.name: argument for argument in list_arguments(commands.note_incident)}
    assert "tournament" not in arguments
    assert arguments["kind"].is_required
    assert (arguments["player"].type_without_none, arguments["player"].is_nullable) == (PlayerId, True)
    assert arguments["seconds"].default == 0


@pytest.mark.parametrize(
    ("text", "numbers"), [("1 2", (1, 2)), ("20", (20,)), ("2.5", None), ("", None), ("0", None)]
)
def test_field_form_reads_a_list_of_numbers(
    full_session: Session, qtbot: QtBot, text: str, numbers: tuple[int, ...] | None
) -> None:
    form = FieldForm(full_session, [FormField(name="x", label="Numbers", control=NumberListControl, value=())])
    qtbot.addWidget(form)
    QTest.keyClicks(form.get_widget("x"), text)
    assert form.get_value_if_valid("x") == numbers


def test_field_form_reads_check_boxes(full_session: Session, qtbot: QtBot) -> None:
    options = [("club", "Club"), ("team", "Team")]
    same_club_field = FormField(
        name="x", label="Same", control=CheckBoxListControl, options=lambda _values: options
    )
    box = FormField(name="y", label="Yes", control=CheckBoxControl, value=True)
    number = FormField(name="z", label="Number", control=NumberControl, value=7)
    form = FieldForm(full_session, [same_club_field, box, number])
    qtbot.addWidget(form)
    form.get_widget("x").children()[-1].click()
    assert form.validate_values() == {"x": ("team",), "y": True, "z": 7}


@pytest.mark.styled
def test_field_form_aligns_fields(full_session: Session, qtbot: QtBot) -> None:
    names = ("Day", "Day of play", "A very long label that fills the whole width of the form")
    wide_fields = [FormField(name=name, label=name, new_block=True, control=NumberControl) for name in names]
    hidden_field = FormField(
        name="Hidden and wide", label="Hidden and wide", control=NumberControl, is_shown=lambda _values: False
    )
    form = FieldForm(full_session, [*wide_fields, hidden_field])
    qtbot.addWidget(form)
    form.refresh_fields()
    form.show()
    day, longer, longest = (form.get_widget(name).x() for name in names)
    assert day == longer < longest
