"""Tests of the Standings page with stages: group filter, eliminated players and stage heading."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.page import GROUP, StandingsPage
from tdapp.pairing import propose_pairings
from tests.gui import windows
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page, read_visible_labels


def play_tournament(rounds: int) -> Tournament:
    """Return a tournament after some rounds: two groups of six, then a Swiss of four. The lower number wins."""
    tournament = make_tournament(players=12)
    groups = PairingSettings(groups=2)
    tournament = commands.edit_stage(
        tournament, stage=StageId("s1"), system="round-robin", rounds=5, settings=groups
    )
    tournament = commands.add_stage(tournament, key="s2", division=A, system="swiss", rounds=2, cut=4, carry=False)
    for number in range(1, rounds + 1):
        tournament = commands.pair_round(
            tournament, key=f"r{number}", proposal=propose_pairings(TournamentIndex(tournament), A)
        )
        for game in TournamentIndex(tournament).games(TournamentIndex(tournament).get_round(A, number).id):
            number_difference = tournament.players[game.second].number - tournament.players[game.first].number
            tournament = commands.enter_result(tournament, game=game.id, first=400 + number_difference, second=400)
    return tournament


def show_standings_page(session: Session, qtbot: QtBot, rounds: int) -> StandingsPage:
    session.open_tournament_of_desk(make_desk(play_tournament(rounds)))
    return get_page(windows.show_window(session, qtbot, "standings"), StandingsPage)


def list_ranked_names(page: StandingsPage) -> list[tuple[int, str]]:
    rows = [page.rows.find_row_by_key(key) for key in page.rows.keys()]  # noqa: SIM118 - a method of the model
    return [(row.rank, row.player.name) for row in rows]


def test_standings_page_filters_a_group_by_keyboard(empty_session: Session, qtbot: QtBot) -> None:
    page = show_standings_page(empty_session, qtbot, 5)
    assert "stage_group" in page.rows.list_column_ids()
    assert len(list_ranked_names(page)) == 12
    assert "Ranked by place in the group, " in read_visible_labels(page.window())
    page.part.setFocus()
    while page.part.value() != (GROUP, "2"):
        QTest.keyClick(page.part, Qt.Key.Key_Down)
    assert [rank for rank, _ in list_ranked_names(page)] == [1, 2, 3, 4, 5, 6]
    assert "stage_group" not in page.rows.list_column_ids()
    assert "group 2" in read_visible_labels(page.window())
    assert "place in the group" not in page.order.text()


def test_standings_page_names_qualified_players_at_the_end_of_a_stage(
    empty_session: Session, qtbot: QtBot
) -> None:
    assert "Next stage, top 4: Swiss" in read_visible_labels(show_standings_page(empty_session, qtbot, 5).window())


@pytest.mark.slow
def test_standings_page_does_not_mute_eliminated_players(empty_session: Session, qtbot: QtBot) -> None:
    page = show_standings_page(empty_session, qtbot, 6)
    tones = [page.rows.get_cell_paint_data(page.rows.index(row, 0))[1] for row in range(12)]
    assert tones == [""] * 12
    assert "Results count only from round 6 on" in read_visible_labels(page.window())
    assert "stage_group" not in page.rows.list_column_ids()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rounds", "stage_heading"), [(5, "Stage 1 of 2: round robin"), (6, "Stage 2 of 2: Swiss")]
)
def test_standings_page_header_names_stage_and_round(
    empty_session: Session, qtbot: QtBot, rounds: int, stage_heading: str
) -> None:
    label_text = read_visible_labels(show_standings_page(empty_session, qtbot, rounds).window())
    assert stage_heading in label_text
    assert f"Round {rounds} of 7" in label_text


def test_standings_page_shows_an_earlier_stage(empty_session: Session, qtbot: QtBot) -> None:
    page = show_standings_page(empty_session, qtbot, 6)
    round_choices = [page.after.itemText(index) for index in range(page.after.count())]
    assert "After round 5: round robin" in round_choices
    page.after.setFocus()
    QTest.keyClick(page.after, Qt.Key.Key_Down)
    assert page.after.currentText() == "After round 5: round robin"
    assert "stage_group" in page.rows.list_column_ids()


@pytest.mark.slow
def test_rounds_page_names_the_standings_behind_a_pairing(full_session: Session, qtbot: QtBot) -> None:
    tournament = commands.edit_stage(
        full_session.tournament, stage=StageId("s1"), settings=PairingSettings(behind=1)
    )
    for number in range(1, 4):
        tournament = commands.pair_round(
            tournament, key=f"r{number}", proposal=propose_pairings(TournamentIndex(tournament), A)
        )
        for game in TournamentIndex(tournament).games(TournamentIndex(tournament).get_round(A, number).id):
            tournament = commands.enter_result(tournament, game=game.id, first=410, second=400)
    full_session.open_tournament_of_desk(make_desk(tournament))
    window = windows.show_window(full_session, qtbot, "rounds")
    assert "paired on the standings after round 1" in read_visible_labels(window)
