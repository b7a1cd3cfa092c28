"""Tests of the command palette: search, synonyms, and actions for players."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QListWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import GameSide
from tdapp.domain.translatable import C_
from tdapp.gui.printouts.page import PrintoutsPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.palette import SYNONYMS, CommandPalette
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.schedule import ScheduleView
from tdapp.gui.widgets.fields import LineEdit
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import get_focused_widget, get_page, press_key, show_window


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed_text", "expected_text"), [("import players", "Import…"), ("schedule", "Schedule")]
)
def test_palette_finds_an_action_by_its_menu(
    full_session: Session, qtbot: QtBot, typed_text: str, expected_text: str
) -> None:
    window = show_window(full_session, qtbot, "players")
    window.get_action("palette").trigger()
    palette = window.findChildren(CommandPalette)[0]
    QTest.keyClicks(palette.findChildren(LineEdit)[0], typed_text)
    list_widget = palette.findChildren(QListWidget)[0]
    texts = [list_widget.item(row).text() for row in range(list_widget.count())]
    assert [text for text in texts if "  ·  " not in text] == [expected_text]
    assert texts[0] == expected_text
    palette.close()


def test_schedule_action_focuses_the_schedule(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    window.get_action("schedule").trigger()
    assert window.page.id == "tournament"
    focus = QApplication.focusWidget()
    assert isinstance(focus, ScheduleView)


def test_palette_finds_a_printout_by_its_name(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    palette, texts = search_palette(window, "certificates")
    assert texts[0] == "Certificates  ·  Printouts"
    QTest.keyClick(palette, Qt.Key.Key_Return)
    page = get_page(window, PrintoutsPage)
    assert window.page is page
    assert page.view.get_current_row_key() == "certificates"


def test_palette_names_the_setting_of_a_value(full_session: Session, qtbot: QtBot) -> None:
    palette, texts = search_palette(show_window(full_session, qtbot, "players"), "text size")
    assert {"Text size: Same as the system", "Text size: 100 %"} <= set(texts)
    palette.close()


@pytest.mark.parametrize("empty_session", ["en", "nl"], indirect=True)
def test_palette_finds_the_actions_of_a_submenu(full_session: Session, qtbot: QtBot) -> None:
    text = full_session.catalogue.text
    palette, texts = search_palette(show_window(full_session, qtbot, "players"), text(C_("menu", "Export")))
    assert text(C_("export", "Division for tsh")) in texts
    palette.close()


@pytest.mark.slow
def test_palette_synonyms_belong_to_existing_actions(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    assert {synonym for synonym in SYNONYMS if window.get_action(synonym).declaration.id != synonym} == set()
    assert {f"language-{language}" for language in LANGUAGES} <= SYNONYMS.keys()


def search_palette(window: Window, typed_text: str) -> tuple[CommandPalette, list[str]]:
    window.get_action("palette").trigger()
    palette = window.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette.findChildren(LineEdit)[0], typed_text)
    list_widget = palette.findChildren(QListWidget)[0]
    return palette, [list_widget.item(row).text() for row in range(list_widget.count())]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed_text", "expected_text"),
    [("standings", "Standings"), ("help", "Help"), ("german", "Language: Deutsch"),
     ("language", "Language: English"),
     ("swap", "Swap or pair"), ("keys", "Shortcuts"), ("undo", "Undo"), ("players", "Players"),
     ("rehearsal", "What would the day look like"), ("change rules book", "Choose another rule set"),
     ("wrong bye", "Record the actual seating"), ("penalty", "Sanctions")],
)  # fmt: skip
def test_palette_lists_an_exact_match_first(
    full_session: Session, qtbot: QtBot, typed_text: str, expected_text: str
) -> None:
    palette, texts = search_palette(show_window(full_session, qtbot, "players"), typed_text)
    assert texts[0].startswith(expected_text)
    palette.close()


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["nl", "nb", "de"], indirect=True)
def test_palette_lists_edits_before_exports(full_session: Session, qtbot: QtBot) -> None:
    text = full_session.catalogue.text
    palette, texts = search_palette(show_window(full_session, qtbot, "players"), "klasse")
    assert texts[0] == text("Add division")
    assert texts.index(text("Remove division")) < texts.index(text(C_("export", "Division for tsh")))
    palette.close()


@pytest.mark.slow
def test_palette_explains_a_disabled_action(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    palette, texts = search_palette(window, "publish")
    refusal = "Publish  ·  not possible on this page right now"
    palette.findChildren(QListWidget)[0].setCurrentRow(texts.index(refusal))
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert refusal in [label.text() for label in palette.findChildren(QLabel) if label.isVisible()]
    assert not full_session.desk.list_all_steps()
    palette.close()


@pytest.mark.slow
def test_palette_withdraws_a_player_by_name(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    player = full_session.index.players(A)[4]
    palette, texts = search_palette(window, f"withdraw {player.number} {player.name}")
    assert len(texts) == 1
    QTest.keyClick(palette, Qt.Key.Key_Return)
    QTest.keyClick(get_focused_widget(window), Qt.Key.Key_Space)
    assert full_session.index.has_withdrawn(player.id)


@pytest.mark.slow
def test_palette_distinguishes_namesakes_by_club(full_session: Session, qtbot: QtBot) -> None:
    for club in ("Oslo", "Bergen"):
        full_session.do(partial(commands.add_player, key=club, division=A, name="Hansen, Kari", club=club))
    window = show_window(full_session, qtbot, "standings")
    palette, texts = search_palette(window, "hansen kari")
    assert texts[:2] == ["25  Hansen, Kari (Oslo)", "26  Hansen, Kari (Bergen)"]
    palette.close()
    palette, texts = search_palette(window, "kari bergen")
    assert texts == ["26  Hansen, Kari (Bergen)"]
    palette.close()


@pytest.mark.slow
def test_palette_marks_a_withdrawn_player(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    player = full_session.index.players(A)[4]
    full_session.do(partial(commands.withdraw_player, key="gone", player=player.id))
    press_key(window, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    palette = window.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette.findChildren(LineEdit)[0], player.name)
    list_widget = palette.findChildren(QListWidget)[0]
    texts = [list_widget.item(row).text() for row in range(list_widget.count())]
    assert texts == [f"Withdraw {player.number}  {player.name}…  ·  {player.club}  ·  has already withdrawn"]
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.close()


def test_palette_withdraws_a_player_with_six_keys(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    player = full_session.index.players(A)[4]
    press_key(window, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    palette = window.findChildren(CommandPalette)[-1]
    field = palette.findChildren(LineEdit)[0]
    QTest.keyClicks(field, f" {player.number}"[-2:])
    QTest.keyClick(palette, Qt.Key.Key_Return)
    QTest.keyClick(get_focused_widget(window), Qt.Key.Key_Space)
    assert len(full_session.tournament.absences) == 1


@pytest.mark.slow
def test_palette_fills_a_forfeit_into_the_result_field(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(
        partial(commands.pair_round, key="r", proposal=propose_pairings(full_session.index, A)), quiet=True
    )
    window = show_window(full_session, qtbot, "players")
    game = full_session.index.games(full_session.index.rounds(A)[0].id)[2]
    name = full_session.tournament.players[game.second].name
    palette, _ = search_palette(window, f"forfeit {name}")
    QTest.keyClick(palette, Qt.Key.Key_Return)
    rounds_page = get_page(window, kind=RoundsPage)
    assert rounds_page.field.line.text() == "3 f2"
    QTest.keyClick(rounds_page.field.line, Qt.Key.Key_Return)
    assert full_session.tournament.results[game.id].forfeit is GameSide.SECOND


@pytest.mark.parametrize("empty_session", ["en", "de"], indirect=True)
def test_palette_lists_distinguishable_entries(full_session: Session, qtbot: QtBot) -> None:
    text = full_session.catalogue.text
    palette, texts = search_palette(show_window(full_session, qtbot, "papers"), text("Print…").strip("…"))
    assert len(texts) == len(set(texts))
    for menu in ("Rounds", "Standings", "Printouts"):
        assert any(entry.startswith(f"{text('Print…')}  ·  {text(menu)}") for entry in texts)
    palette.close()


def test_palette_lists_disabled_actions_last(full_session: Session, qtbot: QtBot) -> None:
    palette, texts = search_palette(show_window(full_session, qtbot, "papers"), "withdraw")
    assert texts[0] == "Withdraw a player…"
    assert "Withdraw…  ·  not possible on this page right now" in texts
    palette.close()


def test_palette_finds_ways_to_delete_a_player(full_session: Session, qtbot: QtBot) -> None:
    palette, texts = search_palette(show_window(full_session, qtbot, "players"), "delete player")
    assert texts[0] == "Withdraw a player…"
    assert any(entry.startswith("Remove") for entry in texts)
    palette.close()
