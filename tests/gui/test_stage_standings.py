"""Standings of stages on screen: choice of groups, muted eliminated players, and the heading of the stage."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.page import GROUP, StandingsPage
from tdapp.pairing import propose_pairings
from tests.gui import windows
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page


def played(rounds: int) -> Tournament:
    """Twelve players in two groups; four advance to a Swiss that starts again; the lower number wins."""
    value = make_tournament(players=12)
    groups = PairingSettings(groups=2)
    value = commands.edit_stage(value, stage=StageId("s1"), system="round-robin", rounds=5, settings=groups)
    value = commands.add_stage(value, key="s2", division=A, system="swiss", rounds=2, cut=4, carry=False)
    for number in range(1, rounds + 1):
        value = commands.pair_round(value, key=f"r{number}", proposal=propose_pairings(Index(value), A))
        for game in Index(value).games(Index(value).round(A, number).id):
            gap = value.players[game.second].number - value.players[game.first].number
            value = commands.enter_result(value, game=game.id, first=400 + gap, second=400)
    return value


def page_after(session: Session, qtbot: QtBot, rounds: int) -> StandingsPage:
    session.attach_desk(make_desk(played(rounds)))
    return get_page(windows.show_window(session, qtbot, "standings"), StandingsPage)


def shown(page: StandingsPage) -> list[tuple[int, str]]:
    rows = [page.rows.row(key) for key in page.rows.keys()]  # noqa: SIM118 - the model's own
    return [(row.rank, row.player.name) for row in rows]


def said(page: QWidget) -> str:
    return "\n".join(label.text() for label in page.window().findChildren(QLabel) if label.isVisible())


def test_standings_page_chooses_a_group_by_keys(empty_session: Session, qtbot: QtBot) -> None:
    page = page_after(empty_session, qtbot, 5)
    assert "stage_group" in page.rows.list_column_ids()
    assert len(shown(page)) == 12
    assert "Ranked by place in the group, " in said(page)
    page.part.setFocus()
    while page.part.value() != (GROUP, "2"):
        QTest.keyClick(page.part, Qt.Key.Key_Down)
    assert [rank for rank, _ in shown(page)] == [1, 2, 3, 4, 5, 6]
    assert "stage_group" not in page.rows.list_column_ids()
    assert "group 2" in said(page)
    assert "place in the group" not in said(page)


def test_standings_page_names_qualified_players_at_the_end_of_a_stage(
    empty_session: Session, qtbot: QtBot
) -> None:
    assert "The best 4 go on: Swiss" in said(page_after(empty_session, qtbot, 5))


@pytest.mark.slow
def test_standings_page_lists_eliminated_players_last_but_not_muted(empty_session: Session, qtbot: QtBot) -> None:
    page = page_after(empty_session, qtbot, 6)
    tones = [page.rows.get_cell_paint_data(page.rows.index(row, 0))[1] for row in range(12)]
    assert tones == [""] * 12
    assert "Results from round 6 on" in said(page)
    assert "stage_group" not in page.rows.list_column_ids()


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "words"), [(5, "Stage 1 of 2: round robin"), (6, "Stage 2 of 2: Swiss")])
def test_standings_page_header_names_stage_and_round(
    empty_session: Session, qtbot: QtBot, rounds: int, words: str
) -> None:
    found = said(page_after(empty_session, qtbot, rounds))
    assert words in found
    assert f"Round {rounds} of 7" in found


def test_standings_page_shows_an_earlier_stage(empty_session: Session, qtbot: QtBot) -> None:
    page = page_after(empty_session, qtbot, 6)
    offered = [page.after.itemText(place) for place in range(page.after.count())]
    assert "After round 5: round robin" in offered
    page.after.setFocus()
    QTest.keyClick(page.after, Qt.Key.Key_Down)
    assert page.after.currentText() == "After round 5: round robin"
    assert "stage_group" in page.rows.list_column_ids()


@pytest.mark.slow
def test_rounds_page_names_the_standings_of_a_delayed_pairing(full_session: Session, qtbot: QtBot) -> None:
    value = commands.edit_stage(full_session.tournament, stage=StageId("s1"), settings=PairingSettings(behind=1))
    for number in range(1, 4):
        value = commands.pair_round(value, key=f"r{number}", proposal=propose_pairings(Index(value), A))
        for game in Index(value).games(Index(value).round(A, number).id):
            value = commands.enter_result(value, game=game.id, first=410, second=400)
    full_session.attach_desk(make_desk(value))
    window = windows.show_window(full_session, qtbot, "rounds")
    assert "paired on the standings after round 1" in said(window.page)
