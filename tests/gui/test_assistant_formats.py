"""Tests of the last step of the tournament assistant: format, schedule and times."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.tournament.new_file import find_free_path_in_documents
from tdapp.pairing.formats import TournamentFormat
from tests.gui.windows import open_assistant


@pytest.fixture
def assistant(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> NewTournamentDialog:
    """Return the assistant at its last step, with a name and a file."""
    dialog = open_assistant(empty_session, qtbot)
    QTest.keyClicks(dialog.name, "Cup")
    for _ in range(2):
        dialog.confirm_dialog()
    dialog.file.setText(str(tmp_path / "cup.tdapp"))
    dialog.file.setModified(True)
    return dialog


def list_stages(session: Session) -> list[tuple[str, int, int | None]]:
    division = session.index.divisions[0].id
    return [(stage.system, stage.rounds, stage.cut) for stage in session.index.stages(division)]


def replace_field_text(field: QLineEdit, text: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, text)


def test_assistant_asks_for_players_of_a_knockout(assistant: NewTournamentDialog, empty_session: Session) -> None:
    while assistant.system.value() != "knockout":
        QTest.keyClick(assistant.system, Qt.Key.Key_Down)
    assert (assistant.rounds.isEnabled(), assistant.players.isEnabled()) == (False, True)
    reason = "Not needed for this format and system."
    assert (assistant.rounds.toolTip(), assistant.players.toolTip()) == (reason, "")
    replace_field_text(assistant.players, "24")
    assert "1–5" in assistant.schedule.text()
    assistant.confirm_dialog()
    assert list_stages(empty_session) == [("knockout", 5, None)]


def test_assistant_refuses_an_impossible_date_and_removes_the_error(empty_session: Session, qtbot: QtBot) -> None:
    assistant = open_assistant(empty_session, qtbot)
    assistant.confirm_dialog()
    assert assistant.error.text() == "Give the tournament a name."
    QTest.keyClicks(assistant.name, "Cup")
    assert assistant.error.isHidden()
    replace_field_text(assistant.date, "31.2.2027")
    assistant.confirm_dialog()
    assert assistant.error.text() == "The date 31.2.2027 does not exist. Type, for example, 28/11/2026."
    assert assistant.focusWidget() is assistant.date
    replace_field_text(assistant.date, "Whitsun weekend")
    assert assistant.error.isHidden()
    assistant.confirm_dialog()
    assert assistant.rules.isVisible()


def test_assistant_asks_for_rounds_of_a_swiss(assistant: NewTournamentDialog, empty_session: Session) -> None:
    assert (assistant.rounds.isEnabled(), assistant.players.isEnabled()) == (True, False)
    replace_field_text(assistant.rounds, "9")
    assistant.confirm_dialog()
    assert list_stages(empty_session) == [("swiss", 9, None)]


def test_assistant_offers_groups_then_swiss_then_knockout(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    while assistant.format.value() is not TournamentFormat.ALL_THREE:
        QTest.keyClick(assistant.format, Qt.Key.Key_Down)
    assert not assistant.system.isEnabled()
    replace_field_text(assistant.players, "20")
    replace_field_text(assistant.rounds, "5")
    assistant.divisions.setText("A, B")
    assistant.confirm_dialog()
    assert list_stages(empty_session) == [("round-robin", 5, None), ("swiss", 5, 10), ("knockout", 2, 4)]
    stages_by_division = [empty_session.index.stages(division.id) for division in empty_session.index.divisions]
    assert [[stage.system for stage in division_stages] for division_stages in stages_by_division] == [
        ["round-robin", "swiss", "knockout"]
    ] * 2


def choose_format(assistant: NewTournamentDialog, tournament_format: TournamentFormat) -> None:
    while assistant.format.value() is not tournament_format:
        QTest.keyClick(assistant.format, Qt.Key.Key_Down)


@pytest.mark.slow
def test_assistant_plans_a_knockout_of_the_best_players(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    assert not assistant.best.isEnabled()
    choose_format(assistant, TournamentFormat.SWISS_KNOCKOUT)
    assert (assistant.best.text(), assistant.games.text()) == ("8", "1")
    assert "Rounds 8–10: knockout, the top 8 players" in assistant.schedule.text()
    replace_field_text(assistant.best, "2")
    assert not assistant.third_place_box.isEnabled()
    replace_field_text(assistant.best, "4")
    assistant.third_place_box.click()
    assert "Rounds 8–9: knockout, the top 4 players, match for third place" in assistant.schedule.text()
    replace_field_text(assistant.games, "3")
    assert "Rounds 8–13: knockout" in assistant.schedule.text()
    replace_field_text(assistant.games, "99")
    assistant.confirm_dialog()
    assert assistant.games.hasFocus()
    assert "1 to 15" in assistant.error.text()
    replace_field_text(assistant.games, "1")
    assistant.confirm_dialog()
    assert list_stages(empty_session) == [("swiss", 7, None), ("knockout", 2, 4)]
    assert empty_session.index.stages(empty_session.index.divisions[0].id)[1].settings.third_place


def test_assistant_proposes_first_tables_of_divisions(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    assert not assistant.tables.isEnabled()
    replace_field_text(assistant.divisions, "A, B, C")
    assert assistant.tables.text() == "1, 101, 201"
    replace_field_text(assistant.players, "61")
    assert assistant.tables.text() == "1, 32, 63"
    replace_field_text(assistant.tables, "1, 40")
    assistant.confirm_dialog()
    assert [division.first_table for division in empty_session.index.divisions] == [1, 40, 101]


@pytest.mark.slow
def test_assistant_refuses_text_instead_of_a_number(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    replace_field_text(assistant.rounds, "x")
    assistant.confirm_dialog()
    assert not empty_session.is_open
    assert assistant.rounds.hasFocus()
    assert "1 to 200" in assistant.error.text()


def test_assistant_ignores_the_number_in_a_disabled_field(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    replace_field_text(assistant.rounds, "x")
    assistant.format.choose_value(TournamentFormat.GROUPS_KNOCKOUT)
    assert not assistant.rounds.isEnabled()
    assistant.confirm_dialog()
    assert empty_session.is_open


def test_find_free_path_replaces_invalid_characters_by_one_blank() -> None:
    assert find_free_path_in_documents("Zaal 't Hoekje: 2026").stem == "Zaal t Hoekje 2026"


@pytest.mark.styled
def test_assistant_describes_each_rule_book(assistant: NewTournamentDialog, qtbot: QtBot) -> None:
    assistant._show_step(1)
    texts = [assistant.rules.item(row).text().split("\n") for row in range(assistant.rules.count())]
    assert (
        texts[0][0] == "WESPA Tournament Rules · wespa"
    )  # the rule books in the language of the window come first
    assert texts[3] == [
        "Wedstrijdscrabble · nl-match",
        "Nederland · Nederlands",
        "Wins → Resistance points → Sum of the spreads of all games;",
        "the jury checks all words.",
    ]
    assert all(len(lines) == 4 for lines in texts)
    assert len({"".join(lines[:1] + lines[2:]) for lines in texts}) == len(texts)
    assert assistant.height() <= 720
    qtbot.waitUntil(
        lambda: (
            assistant.rules.visualItemRect(assistant.rules.item(4)).bottom() <= assistant.rules.viewport().height()
        )
    )
    assert assistant.ranking_order.isVisible()
    assert assistant.ranking_order.text() == "Ranking order: Wins → Sum of the spreads of all games"


def test_assistant_proposes_previews_and_saves_times(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    replace_field_text(assistant.rounds, "4")
    assert assistant.times.text() == "10:00 +65, 3: 13:10"
    assert assistant._start_times.text() == "1. 10:00 · 2. 11:05 · 3. 13:10 · 4. 14:15"
    replace_field_text(assistant.times, "9:30 +70, 9:00")
    assert "9:00" in assistant._start_times.text()
    assistant.confirm_dialog()
    assert assistant.times.hasFocus()
    replace_field_text(assistant.times, "9:30 +70")
    replace_field_text(assistant.rounds, "3")
    assert assistant._start_times.text() == "1. 09:30 · 2. 10:40 · 3. 11:50"
    assistant.confirm_dialog()
    assert empty_session.index.divisions[0].times == "09:30 +70"
    assert empty_session.tournament.event.zone


@pytest.mark.slow
def test_assistant_accepts_empty_times(assistant: NewTournamentDialog, empty_session: Session) -> None:
    assistant.times.selectAll()
    QTest.keyClick(assistant.times, Qt.Key.Key_Delete)
    replace_field_text(assistant.rounds, "3")
    assistant.confirm_dialog()
    assert empty_session.index.divisions[0].times == ""


@pytest.mark.parametrize("empty_session", ["nl", "nb", "de"], indirect=True)
def test_assistant_proposes_today_in_the_language_of_the_window(
    assistant: NewTournamentDialog, empty_session: Session
) -> None:
    today = datetime.now().astimezone().date()
    assert assistant.date.text() == empty_session.catalogue.format_date(today)
    assistant.confirm_dialog()
    assert empty_session.tournament.event.date == today.isoformat()


def test_assistant_keeps_a_typed_range_of_dates(assistant: NewTournamentDialog, empty_session: Session) -> None:
    replace_field_text(assistant.date, "20-24 July 2027")
    assistant.confirm_dialog()
    assert empty_session.tournament.event.date == "20-24 July 2027"
