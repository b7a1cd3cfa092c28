"""Tables of three and four on the Rounds page, by keys."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import PlayerId, ResultState, Round, SeatId
from tdapp.domain.ruleset import TableRule
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
from tests.gui.windows import find_dialog, get_page, press, run_command, show_window

page_of = partial(get_page, kind=RoundsPage)


def show_rounds_page(empty_session: Session, qtbot: QtBot, value: Tournament) -> Window:
    empty_session.attach_desk(make_desk(value))
    return show_window(empty_session, qtbot, "rounds")


def get_round(window: Window) -> Round:
    current_round = window.session.round
    assert current_round is not None
    return current_round


def get_cells(page: RoundsPage, position: int) -> dict[str, str]:
    names = page.rows.list_column_ids()
    shown_texts = (
        page.rows.index(position, column).data(Qt.ItemDataRole.DisplayRole) for column in range(len(names))
    )
    return {name: str(text or "") for name, text in zip(names, shown_texts, strict=True)}


def find_group(window: Window) -> tuple[int, str]:
    """Return the position and the key of the group table."""
    seats = window.session.index.seats(get_round(window).id)
    keys = list(page_of(window).rows.keys())
    return keys.index(seats[0].id), seats[0].id


def type_line(page: RoundsPage, line: str) -> None:
    page.field.focus_line()
    page.field.line.clear()
    QTest.keyClicks(page.field.line, line)
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)


def test_a_table_of_three_is_one_row_with_three_names(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(7), results=False))
    page = page_of(window)
    position, key = find_group(window)
    seats = window.session.index.seats(get_round(window).id)
    names = [window.session.tournament.players[seat.player].name for seat in seats]

    row = get_cells(page, position)
    assert row["first_name"] == names[0]
    assert row["second_name"] == f"{names[1]} · {names[2]}"
    page.view.choose(key)
    assert "none of these players has been at such a table before" in page.footer.text()


def test_a_line_enters_three_scores(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(7), results=False))
    page, table = (
        page_of(window),
        window.session.index.seats(get_last_round(window.session.tournament).id)[0].table,
    )

    type_line(page, f"{table} 210 188 240")
    assert [seat.points for seat in window.session.index.seats(get_round(window).id)] == [210, 188, 240]
    position, key = find_group(window)
    assert (get_cells(page, position)["score1"], get_cells(page, position)["score2"]) == ("210", "188 · 240")
    page.view.choose(key)
    assert "counts as 360" in page.footer.text()
    type_line(page, f"{table} 211 188 240")
    assert window.session.index.seats(get_round(window).id)[0].points == 210  # a second Enter is needed
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)
    assert window.session.index.seats(get_round(window).id)[0].points == 211
    window.session.undo()
    assert window.session.index.seats(get_round(window).id)[0].points == 210


@pytest.mark.slow
def test_the_field_proposes_the_table_of_three_in_its_turn(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(3), results=False))
    page = page_of(window)

    assert page.field.proposed_key == find_group(window)[1]
    assert page.field.line.placeholderText() == "Scores of table 1"
    type_line(page, "210 188 240")
    assert [seat.points for seat in window.session.index.seats(get_round(window).id)] == [210, 188, 240]
    assert page.field.proposed_key == ""


@pytest.mark.slow
def test_the_number_of_another_table_is_not_a_score_of_the_proposed_table(
    empty_session: Session, qtbot: QtBot
) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(5), results=False))
    page, index = page_of(window), window.session.index
    (game,), seats = index.games(get_round(window).id), index.seats(get_round(window).id)
    page.field.propose_game(seats[0].id)
    type_line(page, f"{game.table} 340 230")
    assert not any(seat.points for seat in window.session.index.seats(get_round(window).id))
    assert not window.session.index.open_games(get_round(window).id)


def test_all_at_one_table_are_typed_one_after_the_other(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(6, TableRule(prefer=0)), results=False))
    page = page_of(window)
    for number in range(1, 7):
        type_line(page, f"{number} {500 + number}")

    assert not window.session.index.open_tables(get_round(window).id)
    assert get_cells(page, 0)["first_name"] == "6 players at one table"


@pytest.mark.parametrize("rules", [THREE, TableRule(prefer=3)], ids=["one", "all"])
def test_a_draft_shows_reasons_and_takes_swaps(empty_session: Session, qtbot: QtBot, rules: TableRule) -> None:
    value = pair_rounds(make_club(7, rules), results=False)
    draft = commands.unpublish_round(value, round=get_last_round(value).id, reason="late")
    window = show_rounds_page(empty_session, qtbot, draft)
    page = page_of(window)
    assert get_cells(page, find_group(window)[0])["reason"]

    seats = window.session.index.seats(get_round(window).id)
    before = {seat.player: seat.table for seat in seats}
    player_id = seats[0].player
    other_id = next(
        player for player in window.session.tournament.players if before.get(player) != before[player_id]
    )
    page.bar.pick_pair(other_id, player_id)
    if rules is THREE:
        join = next(button for button in page.bar.buttons if "at table" in button.text())
        join.click()
        assert len(window.session.index.seats(get_round(window).id)) == 4
    else:
        page.bar.buttons[0].click()
        assert other_id in {seat.player for seat in window.session.index.seats(get_round(window).id)}
    page.edit_cell(find_group(window)[1], "table", "9")
    assert 9 in window.session.index.list_tables(get_round(window).id)


def test_a_group_result_is_checked_and_cleared_from_the_menu(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(3), results=False))
    page = page_of(window)
    type_line(page, "1 210 188 240")
    page.view.choose(find_group(window)[1])

    run_command(window, "check-result")
    assert {seat.state for seat in window.session.index.seats(get_round(window).id)} == {ResultState.CHECKED}
    run_command(window, "clear-result")
    assert {seat.state for seat in window.session.index.seats(get_round(window).id)} == {None}


def test_a_solo_game_shows_its_turns_and_the_own_record(empty_session: Session, qtbot: QtBot) -> None:
    value = pair_rounds(make_club(1, TableRule(prefer=1)), results=False)
    value = commands.enter_seats(value, round=get_last_round(value).id, table=1, points=(598,), turns=30)
    window = show_rounds_page(empty_session, qtbot, pair_rounds(value, results=False))
    page = page_of(window)

    type_line(page, "612/30")
    assert window.session.index.seats(get_round(window).id)[0].turns == 30
    assert get_cells(page, 0)["second_name"] == "30 turns · personal best, +14"


def test_a_line_enters_the_break_up_game(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(5), results=False))
    page = page_of(window)
    tables = window.session.index.list_tables(get_round(window).id)
    three = window.session.index.seats(get_round(window).id)[0].table
    two = next(table for table in tables if table != three)
    type_line(page, f"{three} 210 188 240")
    type_line(page, f"{two} 310 290")

    type_line(page, f"{three} + 41 60 35")
    type_line(page, f"{two} + 55 66")
    assert f"Break-up game at table {three}: " in page.footer.text()
    assert f"Break-up game at table {two}: " in page.footer.text()
    window.session.undo()
    assert f"Break-up game at table {two}: " not in page.footer.text()


def test_the_page_accepts_or_rejects_what_one_phone_sent(empty_session: Session, qtbot: QtBot) -> None:
    value = commands.open_entry(pair_rounds(make_club(3), results=False), key="k")
    window = show_rounds_page(empty_session, qtbot, value)
    page, session, round_id = page_of(window), window.session, get_round(window).id
    page.view.choose(find_group(window)[1])
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

    def send_twice() -> None:
        for player in ("p1", "p2"):
            send = partial(
                commands.send_points, round=round_id, table=1, player=PlayerId(player), points=(210, 188, 240)
            )
            session.do(partial(send, device="one"))

    send_twice()
    assert "P1 and P2 entered 210 – 188 – 240 from the same phone or address" in page.footer.text()
    page.view.setFocus()
    press(window, Qt.Key.Key_R, control)
    assert {seat.sent for seat in session.index.seats(round_id)} == {()}
    send_twice()
    press(window, Qt.Key.Key_T, control)
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
def test_a_table_of_three_is_found_by_number_player_and_id(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(5), results=False))
    page, (_, key) = page_of(window), find_group(window)
    seat = window.session.tournament.seats[SeatId(key)]

    for search_text in (key, str(seat.table), seat.player):
        page.view.choose("")
        window.show_page("rounds", search_text)
        assert page.view.current_key() == key
    assert page.field.proposed_key == key


@pytest.mark.slow
def test_the_card_of_a_player_names_the_others_at_the_next_table(empty_session: Session, qtbot: QtBot) -> None:
    window = show_rounds_page(empty_session, qtbot, pair_rounds(make_club(3), results=False))
    unfinished_round = find_unfinished_round(
        window.session.index, window.session.tournament.players[PlayerId("p1")]
    )

    assert unfinished_round is not None
    index, division = window.session.index, window.session.index.divisions[0]
    text = describe_unfinished_round(unfinished_round, index, division, window.session.catalogue)
    assert text == "Round 1: table 1, with P2 · P3"


def test_the_menu_seats_a_latecomer_at_a_table_of_three(empty_session: Session, qtbot: QtBot) -> None:
    value = commands.add_player(
        pair_rounds(make_club(7), results=False), key="late", division=DIVISION, name="Late"
    )
    window = show_rounds_page(empty_session, qtbot, value)
    run_command(window, "latecomer")
    dialog = find_dialog(window, SeatLatecomerDialog)

    (explanation,) = [label.text() for label in dialog.findChildren(QLabel) if "table of three" in label.text()]
    assert explanation.startswith("The table of three and the latecomer become two tables of two.")
    assert dialog.player.value() == "late"
    dialog.confirm_dialog()
    assert not window.session.index.seats(get_round(window).id)
    assert len(window.session.index.games(get_round(window).id)) == 4
