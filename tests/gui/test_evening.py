"""A club evening by keys: who is here, pairing, results, and the next evening a week later."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.evening import EveningPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.gui.samples import A, desk_on, tournament
from tests.gui.windows import page_in, press, shown

page = partial(page_in, kind=EveningPage)


def club(players: int) -> Tournament:
    return commands.begin_evening(tournament(players=players), key="e0", division=A, date="2026-09-01")


@pytest.fixture
def window(empty: Session, qtbot: QtBot) -> Window:
    empty.attach_desk(desk_on(club(23)))
    made = shown(empty, qtbot)
    at(made, "2026-09-08 20:00")
    made.refresh_window()
    return made


def at(window: Window, moment: str) -> None:
    made = window.pages.get_page("evening")
    assert isinstance(made, EveningPage)
    made.now = lambda: datetime.fromisoformat(moment)
    made.refresh_page()


def type_line(window: Window, text: str) -> None:
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClicks(focused, text)
    press(window, Qt.Key.Key_Return)


def index(window: Window) -> Index:
    return window.session.index


def here(window: Window) -> set[int]:
    return {player.number for player in index(window).players(A) if player.checked_in}


def seated(window: Window) -> set[int]:
    item = index(window).rounds(A)[-1]
    return {window.session.tournament.players[one].number for one in index(window).list_seated_players(item.id)}


def enter_results(window: Window) -> None:
    """Type the result of each table into the result field."""
    page_in(window, RoundsPage)
    press(window, Qt.Key.Key_F5)
    for game in index(window).games(index(window).rounds(A)[-1].id):
        type_line(window, f"{game.table} {400 + game.table} {390 - game.table}")
    assert not index(window).open_games(index(window).rounds(A)[-1].id)


def test_a_file_of_evenings_opens_on_the_evening_page(window: Window) -> None:
    assert window.page.id == "evening"
    assert page(window).date.text() == "2026-09-08"
    assert page(window).date.hasFocus()
    press(window, Qt.Key.Key_Return)
    assert page(window).search.hasFocus()
    (evening,) = index(window).stages(A)
    assert evening.date == "2026-09-08"


def test_enter_toggles_here_and_a_new_name_needs_it_twice(window: Window) -> None:
    press(window, Qt.Key.Key_Return)
    type_line(window, "7")
    assert here(window) == {7}
    type_line(window, "7")
    assert here(window) == set()
    type_line(window, "Zweig, Stefan")
    assert len(index(window).players(A)) == 23
    assert "Enter again" in page(window).said.text()
    press(window, Qt.Key.Key_Return)
    assert here(window) == {24}
    assert page(window).search.text() == ""
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(index(window).players(A)) == 23


def test_f6_does_not_lose_a_typed_name(window: Window) -> None:
    press(window, Qt.Key.Key_Return)
    for number in (1, 2, 3, 4):
        type_line(window, str(number))
    QTest.keyClicks(page(window).search, "Zweig, Stefan")
    press(window, Qt.Key.Key_F6)
    assert window.page.id == "evening"
    assert not index(window).rounds(A)
    assert page(window).search.text() == "Zweig, Stefan"


def test_an_evening_of_23_members_with_comings_and_goings_and_the_next_week(window: Window) -> None:
    press(window, Qt.Key.Key_Return)
    for number in range(1, 19):
        type_line(window, str(number))
    assert here(window) == set(range(1, 19))
    press(window, Qt.Key.Key_F6)
    assert seated(window) == set(range(1, 19))
    enter_results(window)

    press(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    for number in (3, 4, 20, 21, 22, 23):  # two leave, four come
        type_line(window, str(number))
    press(window, Qt.Key.Key_F6)
    assert seated(window) == set(range(1, 24)) - {3, 4, 19}
    enter_results(window)

    press(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    for number in (3, 1, 2, 5, 6, 7):  # one comes back, five leave
        type_line(window, str(number))
    press(window, Qt.Key.Key_F6)
    assert seated(window) == {3, *range(8, 24)} - {19}
    enter_results(window)
    value = window.session.tournament
    assert not value.byes
    assert not value.absences
    assert len(compute_standings(index(window), value.divisions[A])) == 22
    press(window, Qt.Key.Key_F7)
    assert window.page.id == "standings"

    at(window, "2026-09-15 19:55")
    window.session.opened.emit()  # the program opens the file again
    assert window.page.id == "evening"
    assert page(window).date.text() == "2026-09-15"
    press(window, Qt.Key.Key_Return)
    assert here(window) == set()
    press(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert here(window) == set(range(1, 24)) - {19}
    press(window, Qt.Key.Key_F6)
    assert seated(window) == set(range(1, 24)) - {19}
    met = {frozenset({game.first, game.second}) for game in value.games.values()}
    games = index(window).games(index(window).rounds(A)[-1].id)
    assert not met & {frozenset({game.first, game.second}) for game in games}


def test_an_evening_past_midnight_goes_on(window: Window) -> None:
    press(window, Qt.Key.Key_Return)
    at(window, "2026-09-09 00:40")
    type_line(window, "7")
    assert here(window) == {7}
    assert len(index(window).stages(A)) == 1


def test_the_last_evening_can_go_on_the_next_day(window: Window) -> None:
    press(window, Qt.Key.Key_Return)
    type_line(window, "7")
    at(window, "2026-09-09 20:00")
    window.session.opened.emit()
    page(window).command("go-on").trigger()
    type_line(window, "8")
    assert here(window) == {7, 8}
