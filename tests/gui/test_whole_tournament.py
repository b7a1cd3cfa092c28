"""Tests that a Swiss tournament played by keyboard ends with the same standings as by commands."""

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
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import RoundState
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tsh
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tdapp.storage import Store
from tests.data_events import find_data_folder
from tests.gui.samples import A, make_desk, make_entry, make_tournament
from tests.gui.windows import press_key, show_window

ORDER = ("wins", "resistance", "spread")


def make_event(entries: Sequence[PlayerEntry], rounds: int) -> Tournament:
    tournament = make_tournament(players=0, rounds=rounds)
    tournament = tournament.put(replace(tournament.divisions[A], order=ORDER))
    return commands.import_players(tournament, key="p", division=A, entries=tuple(entries))


def draw_scores(number: int, first: int, second: int) -> tuple[int, int]:
    """Return random scores of two players in a round. Some games are draws."""
    random = Random(f"{number}/{first}/{second}")
    points = round(random.gauss(400, 60))
    return points, points if random.random() < 0.05 else round(random.gauss(390, 60))


def play_by_commands(tournament: Tournament, rounds: int) -> Tournament:
    """Play all rounds by commands, without a window. Return the tournament."""
    desk = Desk(Store.create_in_memory(tournament))
    for number in range(1, rounds + 1):
        proposal = propose_pairings(desk.index, A)
        desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=proposal))
        for game in desk.index.games(desk.index.get_round(A, number).id):
            players = desk.tournament.players
            first, second = draw_scores(number, players[game.first].number, players[game.second].number)
            desk.do(partial(commands.enter_result, game=game.id, first=first, second=second))
    desk.close()
    return desk.tournament


def play_by_keyboard(session: Session, rounds: int, qtbot: QtBot) -> Tournament:
    """Pair, publish and type all rounds in the window. Use four forms of results. Return the tournament."""
    window = show_window(session, qtbot, "rounds")
    for number in range(1, rounds + 1):
        press_key(window, Qt.Key.Key_F6)
        press_key(window, Qt.Key.Key_F9)
        shown_round = session.round
        assert shown_round is not None
        assert (shown_round.number, shown_round.state) == (number, RoundState.PUBLISHED)
        for game in session.index.games(shown_round.id):
            players = session.tournament.players
            first_number, second_number = players[game.first].number, players[game.second].number
            first, second = draw_scores(number, first_number, second_number)
            input_texts = (
                f"{game.table} {first} {second}",
                f"{second_number}.{second}.{first_number}.{first}",
                f"/{second_number} {first} {second}",
                f" {first} {second}",  # the proposed table
            )
            line = window.focusWidget()
            assert isinstance(line, QLineEdit)
            QTest.keyClicks(line, input_texts[(number + game.table) % 4])
            press_key(window, Qt.Key.Key_Return)
        assert not session.index.list_open_games(shown_round.id)
    press_key(window, Qt.Key.Key_F7)
    return session.tournament


def list_standings(tournament: Tournament) -> list[tuple[object, ...]]:
    return [
        describe_standing(row) for row in compute_standings(TournamentIndex(tournament), tournament.divisions[A])
    ]


def describe_standing(row: Standing) -> tuple[object, ...]:
    record = (row.wins, row.draws, row.losses, row.spread, row.points, row.resistance, row.starts, row.replies)
    return (row.rank, row.player.number, row.player.name, *record)


@pytest.mark.slow
def test_window_plays_twelve_players_and_seven_rounds(empty_session: Session, qtbot: QtBot) -> None:
    tournament = make_event([make_entry(number) for number in range(1, 13)], 7)
    empty_session.open_tournament_of_desk(make_desk(tournament))
    assert list_standings(play_by_keyboard(empty_session, 7, qtbot)) == list_standings(
        play_by_commands(tournament, 7)
    )


@pytest.mark.slow
def test_window_plays_an_odd_number_of_players(empty_session: Session, qtbot: QtBot) -> None:
    tournament = make_event([make_entry(number) for number in range(1, 10)], 5)
    empty_session.open_tournament_of_desk(make_desk(tournament))
    played_tournament = play_by_keyboard(empty_session, 5, qtbot)
    assert len(played_tournament.byes) == 5
    assert list_standings(played_tournament) == list_standings(play_by_commands(tournament, 5))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.data
def test_window_plays_sixty_players_and_nine_rounds(empty_session: Session, qtbot: QtBot) -> None:
    data = (find_data_folder() / "events" / "mgi2022_a.t").read_bytes()
    tournament = make_event(tsh.read_division(data, "mgi2022_a.t").players, 9)
    assert len(tournament.players) == 60
    empty_session.open_tournament_of_desk(make_desk(tournament))
    played_tournament = play_by_keyboard(empty_session, 9, qtbot)
    assert len(played_tournament.results) == 270
    assert list_standings(played_tournament) == list_standings(play_by_commands(tournament, 9))
