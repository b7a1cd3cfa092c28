"""Tests of tables with one, three or more players on the Rounds page."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import PlayerId, ResultState, Round, SeatId
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.tables.players import find_unfinished_round
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.card import describe_unfinished_round
from tdapp.gui.rounds.dialogs import SeatLatecomerDialog
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.screens.web_pages import WebServerPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.building import DIVISION, get_last_round, pair_rounds
from tests.clubs import THREE, make_club
from tests.gui.samples import make_desk
from tests.gui.windows import find_dialog, get_page, press_key, run_action, show_window

get_rounds_page = partial(get_page, kind=RoundsPage)


def show_rounds_page(empty_session: Session, qtbot: QtBot, value: Tournament) -> Window:
    empty_session.open_tournament_of_desk(make_desk(value))
    return show_window(empty_session, qtbot, "rounds")


def get_round(window: Window) -> Round:
    current_round = window.session.round
    assert current_round is not None
    return current_round


def get_row_texts(page: RoundsPage, position: int) -> dict[str, str]:
    names = page.rows.list_column_ids()
    shown_texts = (
        page.rows.index(position, column).data(Qt.ItemDataRole.DisplayRole) for column in range(len(names))
    )
    return {name: str(text or "") for name, text in zip(names, shown_texts, strict=True)}


def find_group_table(window: Window) -> tuple[int, str]:
    """Return the row position and key of the first group table."""
    seats = window.session.index.seats(get_round(window).id)
    keys = list(get_rounds_page(window).rows.keys())
    return keys.index(seats[0].id), seats[0].id


def enter_line(page: RoundsPage, line: str) -> None:
    page.field.focus_line()
    page.field.line.clear()
    QTest.keyClicks(page.field.line, line)
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)


def test_group_table_is_shown_as_one_row(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(7), results=False))
    page = get_rounds_page(window)
    position, key = find_group_table(window)
    seats = window.session.index.seats(get_round(window).id)
    names = [window.session.tournament.players[seat.player].name for seat in seats]

    row = get_row_texts(page, position)
    assert row["first_name"] == names[0]
    assert row["second_name"] == f"{names[1]} · {names[2]}"
    page.view.select_row(key)
    assert "none of these players has been at a table of unusual size before" in page.footer.text()


def test_result_field_accepts_three_scores(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(7), results=False))
    page, table = (
        get_rounds_page(window),
        window.session.index.seats(get_last_round(window.session.tournament).id)[0].table,
    )

    enter_line(page, f"{table} 210 188 240")
    assert [seat.points for seat in window.session.index.seats(get_round(window).id)] == [210, 188, 240]
    position, key = find_group_table(window)
    assert (get_row_texts(page, position)["score1"], get_row_texts(page, position)["score2"]) == (
        "210",
        "188 · 240",
    )
    page.view.select_row(key)
    assert "counts as 360" in page.footer.text()
    enter_line(page, f"{table} 211 188 240")
    assert window.session.index.seats(get_round(window).id)[0].points == 210  # a second Enter is needed
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)
    assert window.session.index.seats(get_round(window).id)[0].points == 211
    window.session.undo()
    assert window.session.index.seats(get_round(window).id)[0].points == 210


@pytest.mark.slow
def test_result_field_proposes_the_table_of_three(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(3), results=False))
    page = get_rounds_page(window)

    assert page.field.proposed_key == find_group_table(window)[1]
    assert page.field.line.placeholderText() == "Scores for table 1"
    enter_line(page, "210 188 240")
    assert [seat.points for seat in window.session.index.seats(get_round(window).id)] == [210, 188, 240]
    assert page.field.proposed_key == ""


@pytest.mark.slow
def test_result_field_reads_the_number_of_another_table(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(5), results=False))
    page, index = get_rounds_page(window), window.session.index
    (game,), seats = index.games(get_round(window).id), index.seats(get_round(window).id)
    page.field.set_proposed_game(seats[0].id)
    enter_line(page, f"{game.table} 340 230")
    assert not any(seat.points for seat in window.session.index.seats(get_round(window).id))
    assert not window.session.index.list_open_games(get_round(window).id)


def test_result_field_accepts_one_score_each_at_a_table_of_all(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(
        empty_session, qtbot, pair_rounds(make_club(6, PlayersPerTableRule(prefer=0)), results=False)
    )
    page = get_rounds_page(window)
    for number in range(1, 7):
        enter_line(page, f"{number} {500 + number}")

    assert not window.session.index.list_open_tables(get_round(window).id)
    assert get_row_texts(page, 0)["first_name"] == "6 players at one table"


@pytest.mark.parametrize(
    "rules", [THREE, PlayersPerTableRule(prefer=3)], ids=["one-table-of-three", "all-tables-of-three"]
)
def test_group_table_in_a_draft_shows_reasons_and_can_be_changed(
    empty_session: Session, qtbot: QtBot, rules: PlayersPerTableRule
) -> None:
    value = pair_rounds(make_club(7, rules), results=False)
    draft = commands.unpublish_round(value, round=get_last_round(value).id, reason="late")
    window = show_rounds_page(empty_session, qtbot, draft)
    page = get_rounds_page(window)
    assert get_row_texts(page, find_group_table(window)[0])["reason"]

    seats = window.session.index.seats(get_round(window).id)
    tables_before = {seat.player: seat.table for seat in seats}
    player_id = seats[0].player
    other_player_id = next(
        player
        for player in window.session.tournament.players
        if tables_before.get(player) != tables_before[player_id]
    )
    page.bar.set_two_picked_players(other_player_id, player_id)
    if rules is THREE:
        join_button = next(button for button in page.bar.buttons if "to table" in button.text())
        join_button.click()
        assert len(window.session.index.seats(get_round(window).id)) == 4
    else:
        page.bar.buttons[0].click()
        assert other_player_id in {seat.player for seat in window.session.index.seats(get_round(window).id)}
    page.edit_cell(find_group_table(window)[1], "table", "9")
    assert 9 in window.session.index.list_tables(get_round(window).id)


def test_group_result_can_be_checked_and_cleared_by_actions(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(3), results=False))
    page = get_rounds_page(window)
    enter_line(page, "1 210 188 240")
    page.view.select_row(find_group_table(window)[1])

    run_action(window, "check-result")
    assert {seat.state for seat in window.session.index.seats(get_round(window).id)} == {ResultState.CHECKED}
    run_action(window, "clear-result")
    assert {seat.state for seat in window.session.index.seats(get_round(window).id)} == {None}


def test_solo_game_shows_turns_and_personal_best(empty_session: Session, qtbot: QtBot) -> None:
    value = pair_rounds(make_club(1, PlayersPerTableRule(prefer=1)), results=False)
    value = commands.enter_seats(value, round=get_last_round(value).id, table=1, points=(598,), turns=30)
    window = show_rounds_page(empty_session, qtbot, pair_rounds(value, results=False))
    page = get_rounds_page(window)

    enter_line(page, "612/30")
    assert window.session.index.seats(get_round(window).id)[0].turns == 30
    assert get_row_texts(page, 0)["second_name"] == "30 turns · personal best, +14"


def test_result_field_accepts_a_break_up_game(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(5), results=False))
    page = get_rounds_page(window)
    tables = window.session.index.list_tables(get_round(window).id)
    table_of_three = window.session.index.seats(get_round(window).id)[0].table
    table_of_two = next(table for table in tables if table != table_of_three)
    enter_line(page, f"{table_of_three} 210 188 240")
    enter_line(page, f"{table_of_two} 310 290")

    enter_line(page, f"{table_of_three} + 41 60 35")
    enter_line(page, f"{table_of_two} + 55 66")
    assert f"Break-up game at table {table_of_three}: " in page.footer.text()
    assert f"Break-up game at table {table_of_two}: " in page.footer.text()
    window.session.undo()
    assert f"Break-up game at table {table_of_two}: " not in page.footer.text()


def test_rounds_page_accepts_or_rejects_scores_from_one_phone(empty_session: Session, qtbot: QtBot) -> None:
    value = commands.open_entry(pair_rounds(make_club(3), results=False), key="k")
    window = show_rounds_page(empty_session, qtbot, value)
    page, session, round_id = get_rounds_page(window), window.session, get_round(window).id
    page.view.select_row(find_group_table(window)[1])
    control_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

    def send_points_of_two_players() -> None:
        for player in ("p1", "p2"):
            send_command = partial(
                commands.send_points, round=round_id, table=1, player=PlayerId(player), points=(210, 188, 240)
            )
            session.do(partial(send_command, device="one"))

    send_points_of_two_players()
    assert "P1 and P2 entered 210 – 188 – 240 from the same phone or IP address" in page.footer.text()
    page.view.setFocus()
    press_key(window, Qt.Key.Key_R, control_shift)
    assert {seat.sent for seat in session.index.seats(round_id)} == {()}
    send_points_of_two_players()
    press_key(window, Qt.Key.Key_T, control_shift)
    assert [seat.points for seat in session.index.seats(round_id)] == [210, 188, 240]
    assert "one phone" not in page.footer.text()
    session.undo()
    panel = WebServerPanel(session)
    qtbot.addWidget(panel)
    panel.refresh_panel()
    accept_button = next(
        button for button in panel.findChildren(QPushButton) if button.text() == "Accept the entries"
    )
    accept_button.click()
    assert [seat.points for seat in session.index.seats(round_id)] == [210, 188, 240]


@pytest.mark.slow
def test_rounds_page_finds_a_group_table_by_number_player_and_id(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(5), results=False))
    page, (_, key) = get_rounds_page(window), find_group_table(window)
    seat = window.session.tournament.seats[SeatId(key)]

    for search_text in (key, str(seat.table), seat.player):
        page.view.select_row("")
        window.show_page("rounds", search_text)
        assert page.view.get_current_row_key() == key
    assert page.field.proposed_key == key


@pytest.mark.slow
def test_describe_unfinished_round_names_the_opponents_at_a_group_table(
    empty_session: Session, qtbot: QtBot
) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(3), results=False))
    unfinished_round = find_unfinished_round(
        window.session.index, window.session.tournament.players[PlayerId("p1")]
    )

    assert unfinished_round is not None
    index, division = window.session.index, window.session.index.divisions[0]
    text = describe_unfinished_round(unfinished_round, index, division, window.session.catalogue)
    assert text == "Round 1: table 1, with P2 · P3"


def test_latecomer_action_splits_a_table_of_three(empty_session: Session, qtbot: QtBot) -> None:
    value = commands.add_player(
        pair_rounds(make_club(7), results=False), key="late", division=DIVISION, name="Late"
    )
    window = show_rounds_page(empty_session, qtbot, value)
    run_action(window, "latecomer")
    dialog = find_dialog(window, SeatLatecomerDialog)

    (explanation,) = [label.text() for label in dialog.findChildren(QLabel) if "table of three" in label.text()]
    assert explanation.startswith("The table of three and the latecomer become two tables of two.")
    assert dialog.player.value() == "late"
    dialog.confirm_dialog()
    assert not window.session.index.seats(get_round(window).id)
    assert len(window.session.index.games(get_round(window).id)) == 4
