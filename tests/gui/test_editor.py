"""The declared list with a form, on a log of incidents: keys, errors, unsaved text, names, permissions."""

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
from tdapp.gui.editor.editor import Editor, EditorListDeclaration, EditorPanel, FieldForm
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
from tests.gui.windows import get_focused_widget, press, show_window, type_text

RETURN, DELETE, INSERT = Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Insert
F2, ESCAPE = Qt.Key.Key_F2, Qt.Key.Key_Escape


class Log(EditorPanel):
    """As small a panel as can be declared."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Log")
        listing = EditorListDeclaration(
            name="Entries",
            table=self._table,
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
            Editor(
                session,
                fields=fields,
                listing=listing,
                command=commands.note_incident,
                edit=commands.edit_incident,
                remove=commands.remove_incident,
                find_row=lambda key: session.tournament.incidents.get(IncidentId(key)),
                error_fields={"extra-time-missing": "seconds"},
                focus_when_adding="note",
            )
        )

    def _table(self) -> Table[IncidentRow]:
        return make_incident_table(self.session.index, self.session.tournament.divisions[A])


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    new_window = show_window(full_session, qtbot, "players")
    new_window.page.show_panel(Log(full_session))
    return new_window


@pytest.fixture
def panel(window: Window) -> Log:
    log = window.panel
    assert isinstance(log, Log)
    log.field("kind").choose(IncidentKind.COMPLAINT)
    return log


def list_incidents(panel: Log) -> list[tuple[int | None, str, str]]:
    return [
        (incident.table, incident.note, incident.author)
        for incident in panel.session.tournament.incidents.values()
    ]


def add_note(window: Window, note: str) -> None:
    type_text(window, note)
    press(window, RETURN)


# --- keys


def test_editor_saves_a_row_by_enter_and_starts_the_next(window: Window, panel: Log) -> None:
    assert get_focused_widget(window) is panel.field("note")
    add_note(window, "noise")
    add_note(window, "more noise")
    assert list_incidents(panel) == [(None, "noise", ""), (None, "more noise", "")]
    assert get_focused_widget(window) is panel.field("note")
    assert panel.field("note").text() == ""
    assert panel.editor.view.current_key() == list(panel.session.tournament.incidents)[-1]


@pytest.mark.slow
def test_editor_saves_a_row_by_enter_in_a_choice(window: Window, panel: Log) -> None:
    type_text(window, "noise")
    panel.field("kind").setFocus()
    press(window, RETURN)
    assert len(list_incidents(panel)) == 1


@pytest.mark.parametrize("key", [F2, RETURN])
def test_editor_edits_a_row_in_the_form(window: Window, panel: Log, key: Qt.Key) -> None:
    add_note(window, "nois")
    panel.editor.view.setFocus()
    press(window, key)
    assert get_focused_widget(window) is panel.field("note")
    assert panel.editor.save_button.text() == "Save the correction"
    assert panel.field("kind").value() is IncidentKind.COMPLAINT
    type_text(window, "e")
    press(window, RETURN)
    assert list_incidents(panel) == [(None, "noise", "")]
    assert panel.editor.save_button.text() == "Add"
    panel.session.undo()
    assert list_incidents(panel) == [(None, "nois", "")]


@pytest.mark.slow
def test_editor_saves_an_emptied_field(window: Window, panel: Log) -> None:
    panel.field("table").setText("3")
    add_note(window, "noise")
    assert list_incidents(panel) == [(3, "noise", "")]
    panel.editor.view.setFocus()
    press(window, F2)
    panel.field("table").clear()
    press(window, RETURN)
    assert list_incidents(panel) == [(None, "noise", "")]


@pytest.mark.slow
def test_editor_leaves_a_row_by_escape(window: Window, panel: Log) -> None:
    add_note(window, "noise")
    panel.editor.view.setFocus()
    press(window, F2)
    type_text(window, "!")
    panel.editor.cancel_button.click()
    assert panel.field("note").text() == ""
    assert not panel.editor.has_unsaved_text
    assert list_incidents(panel) == [(None, "noise", "")]


def test_editor_removes_a_row_by_delete_and_undo_restores_it(window: Window, panel: Log) -> None:
    add_note(window, "noise")
    panel.editor.view.setFocus()
    press(window, DELETE)
    assert list_incidents(panel) == []
    panel.session.undo()
    assert list_incidents(panel) == [(None, "noise", "")]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["list", "field"])
def test_editor_starts_a_row_by_insert_without_adding_a_player(window: Window, panel: Log, place: str) -> None:
    add_note(window, "noise")
    panel.editor.view.setFocus()
    press(window, F2)
    (panel.editor.view if place == "list" else panel.field("note")).setFocus()
    press(window, INSERT)
    assert get_focused_widget(window) is panel.field("note")
    assert not panel.editor.edited_key
    assert window.panel is panel


def test_editor_stops_editing_a_removed_row(window: Window, panel: Log) -> None:
    add_note(window, "noise")
    panel.editor.view.setFocus()
    press(window, F2)
    panel.session.undo()
    assert not panel.editor.edited_key
    assert panel.editor.save_button.text() == "Add"


# --- errors and unsaved text


def test_editor_refuses_an_invalid_number_at_its_field(window: Window, panel: Log, qtbot: QtBot) -> None:
    panel.field("table").setFocus()
    type_text(window, "x")
    panel.field("note").setFocus()
    with qtbot.waitSignal(panel.session.message_sent) as message:
        add_note(window, "noise")
    assert message.args is not None
    assert "99" in message.args[0]
    assert get_focused_widget(window) is panel.field("table")
    assert panel.field("table").selectedText() == "x"
    assert list_incidents(panel) == []


def test_editor_focuses_the_field_of_a_refusal(window: Window, panel: Log) -> None:
    panel.field("table").setFocus()
    type_text(window, "0")
    panel.field("note").setFocus()
    add_note(window, "noise")
    assert get_focused_widget(window) is panel.field("table")  # the command names it
    panel.field("table").clear()
    panel.field("kind").choose(IncidentKind.EXTRA_TIME)
    press(window, RETURN)
    assert get_focused_widget(window) is panel.field("seconds")  # the panel names it
    type_text(window, "soon")
    press(window, RETURN)
    assert get_focused_widget(window) is panel.field("seconds")  # it is no time
    assert list_incidents(panel) == []


def test_editor_asks_once_before_typed_text_is_lost(window: Window, panel: Log) -> None:
    type_text(window, "half a")
    assert panel.editor.has_unsaved_text
    press(window, ESCAPE)
    assert window.panel is panel
    press(window, ESCAPE)
    assert window.panel is None


@pytest.mark.slow
def test_editor_counts_kept_values_as_saved(window: Window, panel: Log) -> None:
    panel.field("table").setFocus()
    type_text(window, "4")
    assert not panel.editor.has_unsaved_text
    panel.field("note").setFocus()
    add_note(window, "noise")
    assert panel.field("table").text() == "4"


@pytest.mark.slow
def test_editor_remembers_the_author(window: Window, panel: Log) -> None:
    panel.field("author").setText("Kim")
    add_note(window, "noise")
    window.open_panel(Log(panel.session))
    assert isinstance(window.panel, Log)
    assert window.panel.field("author").text() == "Kim"


# --- display


def test_editor_fields_have_names_and_tab_order(window: Window, panel: Log) -> None:
    names = [panel.field(name).accessibleName() for name in ("table", "kind", "seconds", "note", "author")]
    assert names == ["Table", "What", "Time", "What happened", "By"]
    panel.field("table").setFocus()
    focused_names = []
    for _ in range(5):
        focused_names.append(get_focused_widget(window).accessibleName())
        press_tab(window)
    assert focused_names == names


def test_editor_hides_a_field_without_meaning(window: Window, panel: Log) -> None:
    panel.field("seconds").setText("x")
    panel.field("kind").choose(IncidentKind.TILES)
    assert panel.field("seconds").isHidden()
    panel.field("note").setFocus()
    add_note(window, "a tile too many")
    (row,) = panel.session.tournament.incidents.values()
    assert row.seconds == 0


def test_editor_list_searches_and_describes_rows(window: Window, panel: Log) -> None:
    assert panel.editor.view.accessibleDescription() == "Nothing yet."
    assert not panel.editor.search.isEnabled()
    add_note(window, "noise")
    add_note(window, "tea")
    assert panel.editor.line.text() == "None tea "
    panel.editor.search.setFocus()
    type_text(window, "noi")
    assert panel.editor.rows.rowCount() == 1
    type_text(window, "x")
    assert "Nothing found" in panel.editor.view.accessibleDescription()
    press(window, ESCAPE)
    assert panel.editor.rows.rowCount() == 2


@pytest.mark.slow
def test_editor_buttons_have_the_same_words(panel: Log) -> None:
    buttons = [button.text() for button in panel.editor.findChildren(QPushButton)]
    assert buttons == ["Cancel the correction", "Add", "Edit", "Remove"]


# --- who may


def test_editor_offers_no_actions_in_a_finished_tournament(window: Window, panel: Log) -> None:
    add_note(window, "noise")
    type_text(window, "late")
    panel.session.do(partial(commands.finish_tournament))
    press(window, RETURN)
    panel.editor.view.setFocus()
    press(window, DELETE)
    press(window, F2)
    assert list_incidents(panel) == [(None, "noise", "")]
    assert not panel.editor.edited_key
    for button in (panel.editor.save_button, panel.editor.edit_button, panel.editor.remove_button):
        assert not button.isEnabled()


# --- type hints


def test_field_form_chooses_controls_by_type_hints(full_session: Session, qtbot: QtBot) -> None:
    names = ("style", "avoid_until", "double")
    form = FieldForm(full_session, [FormField(name=name, label=name) for name in names], PairingSettings)
    qtbot.addWidget(form)
    form.refresh_fields()
    kinds: list[type[QWidget]] = [type(form.get_widget(name)) for name in names]
    assert kinds[:2] == [Choice, NumberEdit]
    assert form.validate_values() == {"style": PairingSettings().style, "avoid_until": None, "double": False}


def test_list_arguments_names_the_arguments_of_a_command() -> None:
    arguments = {argument.name: argument for argument in list_arguments(commands.note_incident)}
    assert "tournament" not in arguments
    assert arguments["kind"].is_required
    assert (arguments["player"].type, arguments["player"].is_nullable) == (PlayerId, True)
    assert arguments["seconds"].default == 0


@pytest.mark.parametrize(
    ("typed", "read"), [("1 2", (1, 2)), ("20", (20,)), ("2.5", None), ("", None), ("0", None)]
)
def test_field_form_reads_several_numbers_in_a_line(
    full_session: Session, qtbot: QtBot, typed: str, read: tuple[int, ...] | None
) -> None:
    form = FieldForm(full_session, [FormField(name="x", label="Numbers", control=NumberListControl, value=())])
    qtbot.addWidget(form)
    QTest.keyClicks(form.get_widget("x"), typed)
    assert form.get_value_or_none("x") == read


def test_field_form_reads_check_boxes(full_session: Session, qtbot: QtBot) -> None:
    options = [("club", "Club"), ("team", "Team")]
    several = FormField(name="x", label="Same", control=CheckBoxListControl, options=lambda _values: options)
    form = FieldForm(full_session, [several, FormField(name="y", label="Yes", control=CheckBoxControl, value=True),
                              FormField(name="z", label="Number", control=NumberControl, value=7)])  # fmt: skip
    qtbot.addWidget(form)
    form.get_widget("x").children()[-1].click()
    assert form.validate_values() == {"x": ("team",), "y": True, "z": 7}


@pytest.mark.styled
def test_field_form_aligns_fields(full_session: Session, qtbot: QtBot) -> None:
    names = ("Day", "Day of play", "A label that is so long that nothing else can go by it")
    fields_ = [FormField(name=name, label=name, new_block=True, control=NumberControl) for name in names]
    hidden = FormField(
        name="Hidden and wide", label="Hidden and wide", control=NumberControl, is_shown=lambda _values: False
    )
    form = FieldForm(full_session, [*fields_, hidden])
    qtbot.addWidget(form)
    form.refresh_fields()
    form.show()
    day, longer, longest = (form.get_widget(name).x() for name in names)
    assert day == longer < longest
