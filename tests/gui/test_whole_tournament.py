"""A whole Swiss through the window, key by key, ends as the same results do without a window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.index import Index
from tdapp.domain.model import RoundState
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tsh
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tdapp.storage import Store
from tests.data_events import find_data_folder
from tests.gui.samples import A, make_desk, make_entry, make_tournament
from tests.gui.windows import press, show_window

ORDER = ("wins", "resistance", "spread")


def field(entries: Sequence[PlayerEntry], rounds: int) -> Tournament:
    value = make_tournament(players=0, rounds=rounds)
    value = value.put(replace(value.divisions[A], order=ORDER))
    return commands.import_players(value, key="p", division=A, entries=tuple(entries))


def scores(number: int, first: int, second: int) -> tuple[int, int]:
    """Return what two players, by number, make in a round; now and then a draw."""
    draw = Random(f"{number}/{first}/{second}")
    points = round(draw.gauss(400, 60))
    return points, points if draw.random() < 0.05 else round(draw.gauss(390, 60))


def headless(value: Tournament, rounds: int) -> Tournament:
    """Return the tournament played by commands alone."""
    desk = Desk(Store.create_in_memory(value))
    for number in range(1, rounds + 1):
        proposal = propose_pairings(desk.index, A)
        desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=proposal))
        for game in desk.index.games(desk.index.round(A, number).id):
            players = desk.tournament.players
            first, second = scores(number, players[game.first].number, players[game.second].number)
            desk.do(partial(commands.enter_result, game=game.id, first=first, second=second))
    desk.close()
    return desk.tournament


def by_keys(session: Session, rounds: int, qtbot: QtBot) -> Tournament:
    """Return the tournament played in the window: pair, publish, and type every result, in four different ways."""
    window = show_window(session, qtbot, "rounds")
    for number in range(1, rounds + 1):
        press(window, Qt.Key.Key_F6)
        press(window, Qt.Key.Key_F9)
        item = session.round
        assert item is not None
        assert (item.number, item.state) == (number, RoundState.PUBLISHED)
        for game in session.index.games(item.id):
            players = session.tournament.players
            one, two = players[game.first].number, players[game.second].number
            first, second = scores(number, one, two)
            ways = (
                f"{game.table} {first} {second}",
                f"{two}.{second}.{one}.{first}",
                f"/{two} {first} {second}",
                f" {first} {second}",  # the proposed table
            )
            line = window.focusWidget()
            assert isinstance(line, QLineEdit)
            QTest.keyClicks(line, ways[(number + game.table) % 4])
            press(window, Qt.Key.Key_Return)
        assert not session.index.open_games(item.id)
    press(window, Qt.Key.Key_F7)
    return session.tournament


def table(value: Tournament) -> list[tuple[object, ...]]:
    return [said(row) for row in compute_standings(Index(value), value.divisions[A])]


def said(row: Standing) -> tuple[object, ...]:
    record = (row.wins, row.draws, row.losses, row.spread, row.points, row.resistance, row.starts, row.replies)
    return (row.rank, row.player.number, row.player.name, *record)


@pytest.mark.slow
def test_window_plays_twelve_players_and_seven_rounds(empty_session: Session, qtbot: QtBot) -> None:
    value = field([make_entry(number) for number in range(1, 13)], 7)
    empty_session.attach_desk(make_desk(value))
    assert table(by_keys(empty_session, 7, qtbot)) == table(headless(value, 7))


@pytest.mark.slow
def test_window_plays_an_odd_number_of_players(empty_session: Session, qtbot: QtBot) -> None:
    value = field([make_entry(number) for number in range(1, 10)], 5)
    empty_session.attach_desk(make_desk(value))
    played = by_keys(empty_session, 5, qtbot)
    assert len(played.byes) == 5
    assert table(played) == table(headless(value, 5))


@pytest.mark.slow
@pytest.mark.data
def test_window_plays_sixty_players_and_nine_rounds(empty_session: Session, qtbot: QtBot) -> None:
    data = (find_data_folder() / "events" / "mgi2022_a.t").read_bytes()
    value = field(tsh.read_division(data, "mgi2022_a.t").players, 9)
    assert len(value.players) == 60
    empty_session.attach_desk(make_desk(value))
    played = by_keys(empty_session, 9, qtbot)
    assert len(played.results) == 270
    assert table(played) == table(headless(value, 9))
