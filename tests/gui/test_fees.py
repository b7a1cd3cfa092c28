"""Tests of entry fees and of check-in by players on the web."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.prizes import compute_fee_totals
from tdapp.domain.slip import make_tablet_code
from tdapp.gui.players.check_in import CheckInPage, FeesPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.screens.web_pages import WebServerPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page, show_window

get_players_page = partial(get_page, kind=PlayersPage)


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    return show_window(empty_session, qtbot, "players")


def add_fee(window: Window, amount: int = 1500) -> None:
    window.session.do(partial(commands.add_fee, key="f", division=A, amount=amount))


def open_fees_panel(window: Window) -> FeesPanel:
    window.get_action("fees").trigger()
    panel = window.panel
    assert isinstance(panel, FeesPanel)
    return panel


def list_paid_amounts(window: Window) -> list[int]:
    return [player.paid for player in window.session.index.players(A)]


def test_fees_panel_adds_and_edits_fees(window: Window) -> None:
    panel, session = open_fees_panel(window), window.session
    QTest.keyClicks(panel.get_field_widget("amount"), "15")
    QTest.keyClick(panel.get_field_widget("amount"), Qt.Key.Key_Return)
    QTest.keyClicks(panel.get_field_widget("category"), "Youth")
    QTest.keyClicks(panel.get_field_widget("amount"), "7,50")
    QTest.keyClick(panel.get_field_widget("amount"), Qt.Key.Key_Return)
    assert [(row.category, row.amount) for row in session.index.fees(A)] == [("", 1500), ("Youth", 750)]
    QTest.keyClicks(panel.currency, "EUR")
    QTest.keyClick(panel.currency, Qt.Key.Key_Return)
    assert session.tournament.event.currency == "EUR"
    assert panel.totals_label.text() == "Fees: 60.00 EUR due, 0.00 EUR paid, 60.00 EUR to come from 4 players"
    rows = [panel.editor.rows.index(row, 0).data() for row in range(2)]
    assert rows == ["Everyone", "Youth"]
    window.get_action("undo").trigger()
    assert not session.tournament.event.currency


@pytest.mark.slow
def test_fees_panel_refuses_an_invalid_amount(window: Window) -> None:
    panel = open_fees_panel(window)
    QTest.keyClicks(panel.get_field_widget("amount"), "much")
    QTest.keyClick(panel.get_field_widget("amount"), Qt.Key.Key_Return)
    assert not window.session.index.fees(A)
    assert panel.get_field_widget("amount").text() == "much"


def test_fees_of_selected_players_can_be_paid_and_undone(window: Window) -> None:
    add_fee(window)
    view = get_players_page(window).view
    assert not view.isColumnHidden(get_players_page(window).rows.list_column_ids().index("fee"))
    view.selectAll()
    window.get_action("fee-paid").trigger()
    assert list_paid_amounts(window) == [1500] * 4
    assert not window.get_action("fee-paid").isEnabled()
    window.get_action("fee-unpaid").trigger()
    assert list_paid_amounts(window) == [0] * 4
    window.get_action("undo").trigger()
    window.get_action("undo").trigger()
    assert list_paid_amounts(window) == [0] * 4
    assert [step.label for step in window.session.desk.list_all_steps()][-4:].count("note-paid") == 4


def test_fees_cell_accepts_a_partial_payment(window: Window) -> None:
    add_fee(window)
    player = window.session.index.players(A)[0]
    get_players_page(window).edit_cell(player.id, "paid", "5,50")
    assert list_paid_amounts(window)[0] == 550
    get_players_page(window).edit_cell(player.id, "paid", "five")
    assert list_paid_amounts(window)[0] == 550
    get_players_page(window).edit_cell(player.id, "paid", "")
    assert list_paid_amounts(window)[0] == 0


def test_check_in_page_shows_and_takes_fees(window: Window) -> None:
    add_fee(window)
    window.show_page("check-in")
    check_in_page = get_page(window, CheckInPage)
    assert check_in_page._fees.toolTip().startswith("Fees: 60.00 due, 0.00 paid")
    check_in_page.view.select_row(window.session.index.players(A)[0].id)
    window.get_action("take-fee").trigger()
    assert list_paid_amounts(window) == [1500, 0, 0, 0]
    assert not window.get_action("take-fee").isEnabled()
    assert check_in_page._fees.toolTip().endswith("45.00 to come from 3 players")


@pytest.mark.slow
def test_fee_columns_are_hidden_without_fees(window: Window) -> None:
    window.show_page("check-in")
    assert get_page(window, CheckInPage)._fees.isHidden()
    assert not window.get_action("take-fee").isEnabled()
    window.show_page("players")
    assert get_players_page(window).view.isColumnHidden(
        get_players_page(window).rows.list_column_ids().index("fee")
    )


def test_web_server_panel_opens_check_in_for_players(window: Window, qtbot: QtBot) -> None:
    window.show_page("screens")
    window.get_action("phones").trigger()
    panel, session = window.panel, window.session
    assert isinstance(panel, WebServerPanel)
    panel.host.choose_value("127.0.0.1")
    panel.port.setText("0")
    panel.start_or_stop_server()
    assert not panel.check_in_box.isChecked()
    assert panel.tablet.isHidden()
    panel.check_in_box.click()
    assert session.tournament.event.players_check_in
    assert make_tablet_code(session.tournament) in panel.tablet.text()
    player = session.index.players(A)[0]
    with ThreadPoolExecutor(1) as phone:
        response = phone.submit(httpx.post, f"{session.serving.url}check-in", data={"player": player.id})
        qtbot.waitUntil(response.done)
    assert response.result().status_code == 303
    qtbot.waitUntil(lambda: session.tournament.players[player.id].checked_in)
    window.show_page("check-in")
    assert compute_fee_totals(session.index, [A]).due == 0
    panel.start_or_stop_server()


@pytest.mark.slow
def test_web_server_panel_closes_check_in(window: Window) -> None:
    session = window.session
    session.do(partial(commands.open_check_in))
    window.show_page("screens")
    window.get_action("phones").trigger()
    panel = window.panel
    assert isinstance(panel, WebServerPanel)
    assert panel.check_in_box.isChecked()
    panel.check_in_box.click()
    assert [event.players_check_in for event in session.tournament.events.values()] == [False]
    window.get_action("undo").trigger()
    assert panel.check_in_box.isChecked()
