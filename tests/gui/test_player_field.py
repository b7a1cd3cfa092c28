"""Tests of the player field: search by name, number or club, and choice by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QListView, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import PlayerId
from tdapp.exchange import imports
from tdapp.gui.jury.logs import IncidentsPanel
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.players.availability import ConstraintsPanel, format_short_player_list
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tests.gui.samples import A
from tests.gui.windows import press_key, show_window

KEY = Qt.Key
pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup


@pytest.fixture
def session_with_namesakes(session: Session) -> Session:
    """Return a session with six players, some with equal names or first names."""
    lines = (
        ("Groot, Daan de", "Utrecht"), ("Desmet, Pieter-Jan", "Gent"), ("Hof, Ruben van 't", "Gent"),
        ("Vos, Ruben", "Zwolle"), ("Janssen, Wim", "Köln"), ("Janssen, Wim", "Ede"),
    )  # fmt: skip
    for number, (name, club) in enumerate(lines):
        add = partial(commands.add_player, key=f"p{number}", division=A, name=name, club=club)
        session.do(add)
    return session


@pytest.fixture
def container(qtbot: QtBot) -> QWidget:
    container = QWidget()
    qtbot.addWidget(container)
    return container


@pytest.fixture
def player_field(session_with_namesakes: Session, qtbot: QtBot, container: QWidget) -> PlayerField:
    field = PlayerField("Player", session_with_namesakes)
    field.set_options(list_player_options(session_with_namesakes), None)
    fields.make_row(field, fields.make_button("Next", list), parent=container)
    with qtbot.waitActive(container):
        container.show()
        container.activateWindow()
    field.setFocus()
    return field


def list_option_names(player_field: PlayerField) -> list[str]:
    return [option.name for option in player_field.listed_options]


def test_player_field_is_empty_at_first(player_field: PlayerField) -> None:
    assert player_field.value() is None
    assert (player_field.text(), player_field.placeholderText()) == ("", "Choose a player")


@pytest.mark.parametrize(
    ("typed_text", "expected"),
    [
        ("desmet", ["Desmet, Pieter-Jan"]),
        ("ruben v", ["Vos, Ruben", "Hof, Ruben van 't"]),
        ("smet", ["Desmet, Pieter-Jan"]),
        ("gent", ["Desmet, Pieter-Jan", "Hof, Ruben van 't"]),
        ("koln", ["Janssen, Wim (Köln)"]),
        ("4", ["Vos, Ruben"]),
        ("nobody", []),
    ],
)
def test_player_field_finds_any_part_of_name_number_or_club(
    player_field: PlayerField, typed_text: str, expected: list[str]
) -> None:
    QTest.keyClicks(player_field, typed_text)
    assert sorted(list_option_names(player_field)) == sorted(expected)
    assert player_field.value() is None


def test_player_field_selects_by_enter_but_not_by_space(player_field: PlayerField) -> None:
    QTest.keyClicks(player_field, "ruben v")
    first, second = player_field.listed_options
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, KEY.Key_Down)
    QTest.keyClick(popup, KEY.Key_Return)
    assert player_field.value() == second.player != first.player
    assert player_field.text() == second.number_and_name
    assert not player_field.listed_options


def test_player_field_keeps_the_last_option_marked_after_another_arrow(player_field: PlayerField) -> None:
    QTest.keyClicks(player_field, "janssen ede")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, KEY.Key_Down)
    QTest.keyClick(popup, KEY.Key_Return)
    assert player_field.value() == "p5"


def test_player_field_clears_the_choice_when_the_text_changes(player_field: PlayerField) -> None:
    player_field.choose_value(PlayerId("p3"))
    chosen_players: list[object] = []
    player_field.player_chosen.connect(chosen_players.append)
    QTest.keyClicks(player_field, "x")
    assert (player_field.value(), chosen_players) == (None, [None])


def test_player_field_accepts_only_an_unambiguous_text_on_leaving(player_field: PlayerField) -> None:
    QTest.keyClicks(player_field, "janssen")
    QTest.keyClick(player_field, KEY.Key_Tab)
    assert not player_field.hasFocus()
    assert player_field.value() is None
    assert player_field.property("wrong")
    player_field.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(player_field, "janssen ede")
    QTest.keyClick(player_field, KEY.Key_Tab)
    assert player_field.value() == "p5"
    assert not player_field.property("wrong")


@pytest.mark.parametrize("click", [False, True])
def test_player_field_opens_the_whole_list_by_arrow_and_mouse(player_field: PlayerField, click: bool) -> None:
    if click:
        QTest.mouseClick(player_field, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(player_field, KEY.Key_Down)
    assert len(player_field.listed_options) == 6
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QListView)
    if click:
        QTest.keyClick(popup, KEY.Key_Return)
        assert (player_field.value(), player_field.listed_options) == (None, ()), (
            "Enter without a marked option chooses a player"
        )
        QTest.keyClick(player_field, KEY.Key_Down)
    row_centre = popup.visualRect(popup.model().index(2, 0)).center()
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=row_centre)
    assert player_field.value() == player_field.options[2].player


def test_player_field_selects_a_marked_option_by_tab(player_field: PlayerField) -> None:
    QTest.keyClicks(player_field, "janssen")
    listed_options = player_field.listed_options
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, KEY.Key_Down)
    QTest.keyClick(popup, KEY.Key_Tab)
    assert player_field.value() == listed_options[1].player
    assert not player_field.hasFocus()


def test_player_field_esc_closes_the_list_and_clears_the_text(player_field: PlayerField) -> None:
    QTest.keyClicks(player_field, "jans")
    QTest.keyClick(player_field, KEY.Key_Escape)
    assert not player_field.listed_options
    assert not player_field.text()


def test_constraints_panel_starts_with_the_player_of_another_page(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    player = full_session.index.get_player(A, 9)
    window.page.reveal_row(player.id)
    press_key(window, KEY.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert window.page.id == "players"
    assert isinstance(window.panel, ConstraintsPanel)
    assert window.panel.get_field_widget("player").value() == player.id == window.page.get_current_player_id()


@pytest.mark.slow
def test_constraints_panel_causes_no_horizontal_scrolling(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    window.resize(1280, 720)
    page = window.page
    assert isinstance(page, PlayersPage)
    page.show_skipped_line_count(imports.read_pasted_players("Name\nAnn\n", ""), 1)
    window.get_action("constraints").trigger()
    QApplication.processEvents()
    bars = [
        scroll_area.horizontalScrollBar()
        for scroll_area in window.findChildren(QScrollArea)
        if scroll_area.isAncestorOf(page)
    ]
    assert bars
    assert not any(bar.maximum() for bar in bars)


@pytest.mark.parametrize("make_panel", [ConstraintsPanel, SanctionsPanel, IncidentsPanel])
def test_panels_use_player_fields_instead_of_combo_boxes(
    session_with_namesakes: Session, qtbot: QtBot, make_panel: Callable[[Session], Panel]
) -> None:
    panel = make_panel(session_with_namesakes)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    player_fields = panel.findChildren(PlayerField)
    assert player_fields
    assert all(player_field.value() is None and player_field.options for player_field in player_fields)
    player_names = {player.name for player in session_with_namesakes.tournament.players.values()}
    boxes = panel.findChildren(QComboBox)
    assert not any(box.itemText(index) in player_names for box in boxes for index in range(box.count()))


def test_sanctions_panel_refuses_an_ambiguous_name(session_with_namesakes: Session, qtbot: QtBot) -> None:
    panel = SanctionsPanel(session_with_namesakes)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    panel.show()
    QTest.keyClicks(panel.get_field_widget("player"), "janssen")
    QTest.keyClick(panel.get_field_widget("player"), KEY.Key_Escape)
    QTest.keyClicks(panel.get_field_widget("why"), "late")
    assert not panel.editor.save_button.isEnabled()
    assert not session_with_namesakes.tournament.sanctions


def test_incidents_panel_refuses_an_ambiguous_name(session_with_namesakes: Session, qtbot: QtBot) -> None:
    panel = IncidentsPanel(session_with_namesakes)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    panel.show()
    panel.get_field_widget("kind").choose_value(IncidentKind.OTHER)
    panel.get_field_widget("player").setText("janssen")
    QTest.keyClicks(panel.get_field_widget("note"), "shouted")
    QTest.keyClick(panel.get_field_widget("note"), KEY.Key_Return)
    assert not session_with_namesakes.tournament.incidents
    panel.get_field_widget("player").choose_value(PlayerId("p3"))
    QTest.keyClick(panel.get_field_widget("note"), KEY.Key_Return)
    assert [incident.player for incident in session_with_namesakes.tournament.incidents.values()] == ["p3"]


def test_list_player_options_adds_numbers_to_namesakes_without_a_club(session: Session) -> None:
    for number in (11, 4):
        session.do(partial(commands.add_player, key=f"p{number}", division=A, name="Vos, Ruben", number=number))
    assert [option.number_and_name for option in list_player_options(session)] == [
        "4  Vos, Ruben",
        "11  Vos, Ruben",
    ]


def test_join_first_names_and_count_adds_numbers_to_namesakes(session: Session) -> None:
    for number in (11, 4):
        session.do(partial(commands.add_player, key=f"p{number}", division=A, name="Vos, Ruben", number=number))
    players = [player.id for player in session.index.players(A)]
    assert format_short_player_list(session, players) == "Vos, Ruben (4) · Vos, Ruben (11)"
