"""Tests of the starting draw panel under several rule books."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import StartDecision
from tdapp.gui.jury.game_start_panels import StartingDrawPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.building import load_rule_set
from tests.gui.table_events import get_game, get_player_name, open_panel, show_first_round
from tests.gui.windows import get_focused_widget, press_key, type_text


def open_draw_panel(
    session: Session, qtbot: QtBot, rules: str, *, draw_starts: bool = True
) -> tuple[Window, StartingDrawPanel]:
    window = show_first_round(session, qtbot, load_rule_set(rules), draw_starts=draw_starts)
    return window, open_panel(window, StartingDrawPanel, Qt.Key.Key_D, table=2)


def type_tiles(window: Window, *letters: str) -> None:
    for letter in letters:
        type_text(window, letter)
        press_key(window, Qt.Key.Key_Return)


def test_draw_panel_lets_the_letter_nearest_to_a_start(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_draw_panel(empty_session, qtbot, "nl-match")
    second = get_game(empty_session, 2).second
    assert get_game(empty_session, 2).start is StartDecision.DRAW
    assert get_focused_widget(window) is panel.tiles[0]
    type_tiles(window, "k")
    assert get_focused_widget(window) is panel.tiles[1]
    type_text(window, "c")
    assert panel.decision.text() == f"{get_player_name(empty_session, 2, 1)} starts."
    press_key(window, Qt.Key.Key_Return)
    assert get_game(empty_session, 2).first == second
    assert window.panel is None
    empty_session.undo()
    assert get_game(empty_session, 2).start is StartDecision.DRAW


@pytest.mark.parametrize(
    ("rules", "first_tile", "second_tile", "decision"),
    [
        ("no-nsf", "?", "A", "{first} starts."),
        ("nl-match", "?", "A", "These players draw a tile again: {first} · {second}."),
        ("de-scrabble", "?", "A", "{first} starts."),
        ("no-nsf", "Å", "Y", "{second} starts."),
        ("no-nsf", "E", "E", "These players draw a tile again: {first} · {second}."),
    ],
)
def test_draw_panel_follows_the_rule_book(
    empty_session: Session, qtbot: QtBot, rules: str, first_tile: str, second_tile: str, decision: str
) -> None:
    _, panel = open_draw_panel(empty_session, qtbot, rules)
    panel.tiles[0].setText(first_tile)
    panel.tiles[1].setText(second_tile)
    assert panel.decision.text() == decision.format(
        first=get_player_name(empty_session, 2, 0), second=get_player_name(empty_session, 2, 1)
    )


@pytest.mark.slow
def test_draw_panel_repeats_a_draw_of_equal_letters(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_draw_panel(empty_session, qtbot, "no-nsf")
    type_tiles(window, "E", "E")
    assert panel.tiles[0].text() == ""
    assert get_focused_widget(window) is panel.tiles[0]
    assert f"{get_player_name(empty_session, 2, 0)} E" in panel._earlier_draws.text()
    assert get_game(empty_session, 2).start is StartDecision.DRAW
    type_tiles(window, "B", "D")
    assert get_game(empty_session, 2).start is StartDecision.ASSIGNED


@pytest.mark.slow
def test_draw_panel_refuses_more_tiles_than_the_set_has(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_draw_panel(empty_session, qtbot, "no-nsf")
    type_tiles(window, "Z", "Z")
    assert "The tile set does not have that many Z tiles." in panel.decision.text()
    panel.tiles[0].setText("Q1")
    assert panel.decision.text().startswith("The tile set has no")
    assert not panel.record_button.isVisible()


def test_draw_panel_offers_four_players_if_the_rules_allow(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_draw_panel(empty_session, qtbot, "de-scrabble")
    assert len(panel.tiles) == 4
    for field, letter in zip(panel.tiles, "EGEK", strict=True):
        field.setText(letter)
    assert (
        panel.decision.text()
        == f"These players draw a tile again: {get_player_name(empty_session, 2, 0)} · Player 3."
    )
    panel.tiles[3].setFocus()
    press_key(window, Qt.Key.Key_Return)
    assert [field.isEnabled() for field in panel.tiles] == [True, False, True, False]
    type_tiles(window, "M", "A")
    assert panel.decision.text() == "Player 3 starts."


@pytest.mark.slow
def test_draw_panel_records_nothing_if_the_pairing_decides(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_draw_panel(empty_session, qtbot, "no-nsf", draw_starts=False)
    first = get_game(empty_session, 2).first
    type_tiles(window, "K", "C")
    assert "The pairing decides this, so the players do not draw tiles" in panel._explanation.text()
    assert not panel.record_button.isEnabled()
    assert get_game(empty_session, 2).first == first


def test_draw_panel_restarts_the_draw(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_draw_panel(empty_session, qtbot, "no-nsf")
    type_tiles(window, "E", "E")
    panel.restart_tile_draw()
    assert not panel._earlier_draws.isVisible()
    type_tiles(window, "E", "F")
    assert get_game(empty_session, 2).start is StartDecision.ASSIGNED


@pytest.mark.slow
def test_draw_panel_keeps_the_start_of_a_game_with_a_result(empty_session: Session, qtbot: QtBot) -> None:
    _, panel = open_draw_panel(empty_session, qtbot, "no-nsf")
    empty_session.do(partial(commands.enter_result, game=get_game(empty_session, 2).id, first=400, second=300))
    panel.tiles[0].setText("K")
    panel.tiles[1].setText("C")
    assert "already has a result" in panel._explanation.text()
