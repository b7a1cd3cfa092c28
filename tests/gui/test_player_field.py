"""The field in which a player is chosen: any part of name, number or club, and never anybody by accident."""

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
from tdapp.gui.players.availability import ConstraintsPanel, join_first_names_and_count
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tests.gui.samples import A
from tests.gui.windows import press, show_window

KEY = Qt.Key
pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup


@pytest.fixture
def named(session: Session) -> Session:
    """Return a session with players whose names begin alike."""
    lines = (
        ("Groot, Daan de", "Utrecht"), ("Desmet, Pieter-Jan", "Gent"), ("Hof, Ruben van 't", "Gent"),
        ("Vos, Ruben", "Zwolle"), ("Janssen, Wim", "Köln"), ("Janssen, Wim", "Ede"),
    )  # fmt: skip
    for at, (name, club) in enumerate(lines):
        add = partial(commands.add_player, key=f"p{at}", division=A, name=name, club=club)
        session.do(add)
    return session


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def field(named: Session, qtbot: QtBot, around: QWidget) -> PlayerField:
    made = PlayerField("Player", named)
    made.set_options(list_player_options(named), None)
    fields.row(made, fields.button("Next", list), parent=around)
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    made.setFocus()
    return made


def names(field: PlayerField) -> list[str]:
    return [option.name for option in field.listed_options]


def test_player_field_is_empty_at_first(field: PlayerField) -> None:
    assert field.value() is None
    assert (field.text(), field.placeholderText()) == ("", "Choose a player")


@pytest.mark.parametrize(
    ("typed", "expected"),
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
    field: PlayerField, typed: str, expected: list[str]
) -> None:
    QTest.keyClicks(field, typed)
    assert sorted(names(field)) == sorted(expected)
    assert field.value() is None


def test_player_field_selects_by_enter_but_not_by_space(field: PlayerField) -> None:
    QTest.keyClicks(field, "ruben v")
    first, second = field.listed_options
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, KEY.Key_Down)
    QTest.keyClick(popup, KEY.Key_Return)
    assert field.value() == second.player != first.player
    assert field.text() == second.text
    assert not field.listed_options


def test_player_field_keeps_the_last_line_marked_after_one_more_arrow(field: PlayerField) -> None:
    QTest.keyClicks(field, "janssen ede")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, KEY.Key_Down)
    QTest.keyClick(popup, KEY.Key_Return)
    assert field.value() == "p5"


def test_player_field_unselects_when_the_text_changes(field: PlayerField) -> None:
    field.choose(PlayerId("p3"))
    picked: list[object] = []
    field.player_chosen.connect(picked.append)
    QTest.keyClicks(field, "x")
    assert (field.value(), picked) == (None, [None])


def test_player_field_accepts_only_a_clear_text_on_leaving(field: PlayerField) -> None:
    QTest.keyClicks(field, "janssen")
    QTest.keyClick(field, KEY.Key_Tab)
    assert not field.hasFocus()
    assert field.value() is None
    assert field.property("wrong")
    field.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(field, "janssen ede")
    QTest.keyClick(field, KEY.Key_Tab)
    assert field.value() == "p5"
    assert not field.property("wrong")


@pytest.mark.parametrize("click", [False, True])
def test_player_field_opens_the_whole_list_by_arrow_and_mouse(field: PlayerField, click: bool) -> None:
    if click:
        QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(field, KEY.Key_Down)
    assert len(field.listed_options) == 6
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QListView)
    if click:
        QTest.keyClick(popup, KEY.Key_Return)
        assert (field.value(), field.listed_options) == (None, ()), "no line is marked yet"
        QTest.keyClick(field, KEY.Key_Down)
    place = popup.visualRect(popup.model().index(2, 0)).center()
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert field.value() == field.options[2].player


def test_player_field_selects_a_marked_line_by_tab(field: PlayerField) -> None:
    QTest.keyClicks(field, "janssen")
    found = field.listed_options
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, KEY.Key_Down)
    QTest.keyClick(popup, KEY.Key_Tab)
    assert field.value() == found[1].player
    assert not field.hasFocus()


def test_player_field_esc_closes_the_list_and_drops_the_text(field: PlayerField) -> None:
    QTest.keyClicks(field, "jans")
    QTest.keyClick(field, KEY.Key_Escape)
    assert not field.listed_options
    assert not field.text()


def test_constraints_panel_starts_with_the_player_of_another_page(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    player = full_session.index.player(A, 9)
    window.page.reveal_row(player.id)
    press(window, KEY.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert window.page.id == "players"
    assert isinstance(window.panel, ConstraintsPanel)
    assert window.panel.field("player").value() == player.id == window.page.current_player()


@pytest.mark.slow
def test_constraints_panel_leaves_the_page_enough_room(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    window.resize(1280, 720)
    page = window.page
    assert isinstance(page, PlayersPage)
    page.show_skipped_line_count(imports.read_pasted_players("Name\nAnn\n", ""), 1)
    window.command("constraints").trigger()
    QApplication.processEvents()
    bars = [one.horizontalScrollBar() for one in window.findChildren(QScrollArea) if one.isAncestorOf(page)]
    assert bars
    assert not any(bar.maximum() for bar in bars)


@pytest.mark.parametrize("made", [ConstraintsPanel, SanctionsPanel, IncidentsPanel])
def test_panels_choose_players_in_a_player_field(
    named: Session, qtbot: QtBot, made: Callable[[Session], Panel]
) -> None:
    panel = made(named)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    found = panel.findChildren(PlayerField)
    assert found
    assert all(one.value() is None and one.options for one in found)
    known = {player.name for player in named.tournament.players.values()}
    boxes = panel.findChildren(QComboBox)
    assert not any(box.itemText(at) in known for box in boxes for at in range(box.count()))


def test_sanctions_panel_refuses_an_unclear_name(named: Session, qtbot: QtBot) -> None:
    panel = SanctionsPanel(named)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    panel.show()
    QTest.keyClicks(panel.field("player"), "janssen")
    QTest.keyClick(panel.field("player"), KEY.Key_Escape)
    QTest.keyClicks(panel.field("why"), "late")
    assert not panel.editor.save_button.isEnabled()
    assert not named.tournament.sanctions


def test_incidents_panel_refuses_an_unclear_name(named: Session, qtbot: QtBot) -> None:
    panel = IncidentsPanel(named)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    panel.show()
    panel.field("kind").choose(IncidentKind.OTHER)
    panel.field("player").setText("janssen")
    QTest.keyClicks(panel.field("note"), "shouted")
    QTest.keyClick(panel.field("note"), KEY.Key_Return)
    assert not named.tournament.incidents
    panel.field("player").choose(PlayerId("p3"))
    QTest.keyClick(panel.field("note"), KEY.Key_Return)
    assert [incident.player for incident in named.tournament.incidents.values()] == ["p3"]


def test_list_player_options_adds_numbers_to_namesakes_without_a_club(session: Session) -> None:
    for number in (11, 4):
        session.do(partial(commands.add_player, key=f"p{number}", division=A, name="Vos, Ruben", number=number))
    assert [option.text for option in list_player_options(session)] == ["4  Vos, Ruben", "11  Vos, Ruben"]


def test_shorten_names_adds_numbers_to_namesakes(session: Session) -> None:
    for number in (11, 4):
        session.do(partial(commands.add_player, key=f"p{number}", division=A, name="Vos, Ruben", number=number))
    players = [player.id for player in session.index.players(A)]
    assert join_first_names_and_count(session, players) == "Vos, Ruben (4) · Vos, Ruben (11)"
