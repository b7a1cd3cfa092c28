"""Tests of the Bracket page: drawing, keys, zoom, seeds and links to games."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QTabBar
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.matches import count_knockout_rounds_needed
from tdapp.domain.model import GameSide, RoundState
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.ruleset import KnockoutTieResolution, KnockoutTieRule
from tdapp.domain.tournament import Tournament
from tdapp.gui.bracket.page import BracketPage
from tdapp.gui.bracket.view import MAX_ZOOM, MIN_ZOOM
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.tournament.stage import StagePanel
from tdapp.i18n import pairing_sentences
from tdapp.i18n.phrases import add_round_name_to_title, make_standings_title
from tdapp.i18n.slides import DisplayProgramme, make_slides
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_tournament, play_rounds
from tests.gui.windows import get_page, press_keys, run_action, show_window


def make_knockout(players: int, **options: object) -> Tournament:
    settings = PairingSettings(**options)  # type: ignore[arg-type]
    value = make_tournament(players=players)
    stage = next(iter(value.stages.values()))
    rounds = count_knockout_rounds_needed(max(players, 2), settings)
    return value.put(replace(stage, system="knockout", rounds=rounds, settings=settings))


def show_bracket(
    session: Session, qtbot: QtBot, value: Tournament, *, rounds: int = 0, missing_results: int = 0
) -> Window:
    session.open_tournament_of_desk(make_desk(play_rounds(value, rounds, missing_results=missing_results)))
    return show_window(session, qtbot, "bracket")


get_bracket_page = partial(get_page, kind=BracketPage)


def list_section_titles(page: BracketPage) -> list[str]:
    return [title for title, _ in page.view._titles]


def test_bracket_page_selects_the_next_match_at_ctrl_5(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(6), rounds=1, missing_results=1)
    window.show_page("players")
    press_keys(Qt.Key.Key_Escape)
    QTest.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    box = get_bracket_page(window).view.current_match
    assert box is not None
    assert box.open
    assert get_bracket_page(window).view.accessibleDescription().startswith("Quarter-final")


def test_round_tabs_have_knockout_names(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(16), rounds=4)
    window.show_page("rounds")
    tabs = window.page.findChildren(QTabBar)[0]
    assert [tabs.tabText(index) for index in range(4)] == ["Round of 16", "Quarter-finals", "Semifinals", "Final"]
    assert "Final" in [label.text() for label in window._top.findChildren(QLabel)]
    slide = make_slides(empty_session.tournament, DisplayProgramme(), empty_session.catalogue)[0]
    assert slide.title == "Final: results"
    assert (
        make_standings_title(empty_session.catalogue, empty_session.index, empty_session.index.divisions[0], 3)
        == "Standings after: Semifinals"
    )


def test_pair_and_publish_actions_name_the_knockout_round(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(16), rounds=2)
    window.show_page("rounds")
    window.get_action("pair").update_state()
    assert window.get_action("pair").text() == "Pair: Semifinals"
    run_action(window, "pair")
    window.get_action("publish").update_state()
    assert window.get_action("publish").text() == "Publish Semifinals"
    run_action(window, "publish")
    division = empty_session.index.divisions[0]
    assert (
        make_standings_title(empty_session.catalogue, empty_session.index, division, 3)
        == "Standings, Semifinals in progress"
    )
    assert (
        add_round_name_to_title(empty_session.catalogue, empty_session.index, division, 2, "Prizes")
        == "Prizes after: Quarter-finals"
    )
    assert add_round_name_to_title(empty_session.catalogue, empty_session.index, division, 0, "Prizes") == "Prizes"


@pytest.mark.slow
def test_round_tabs_name_rounds_of_a_double_elimination(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(4, elimination=EliminationKind.DOUBLE), rounds=3)
    window.show_page("rounds")
    tabs = window.page.findChildren(QTabBar)[0]
    assert [tabs.tabText(index) for index in range(3)] == [
        "Winners’ round 1",
        "Winners’ round 2, losers’ round 1",
        "Losers’ round 2",
    ]


def test_round_tabs_count_games_of_a_series(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(4, series=3), rounds=2)
    window.show_page("rounds")
    tabs = window.page.findChildren(QTabBar)[0]
    assert [tabs.tabText(index) for index in range(2)] == ["Semifinals, game 1", "Semifinals, game 2"]


@pytest.mark.slow
def test_bracket_page_explains_a_tied_match(empty_session: Session, qtbot: QtBot) -> None:
    value = make_knockout(4)
    rules = replace(value.ruleset, knockout=KnockoutTieRule(tie=KnockoutTieResolution.REPLIER))
    value = commands.change_rules(value, ruleset=rules)
    page = get_bracket_page(show_bracket(empty_session, qtbot, value, rounds=1, missing_results=2))
    for game in empty_session.index.games(empty_session.index.rounds(A)[0].id):
        empty_session.do(partial(commands.enter_result, game=game.id, first=400, second=400))
    box = page.view.placed_matches["1/1"].box
    winner = next(side.player for side in box.sides if side.won)
    assert winner in {game.second for game in empty_session.tournament.games.values()}
    assert page.view.describe_match(box).endswith("tied: the player who did not start wins")
    empty_session.do(partial(commands.decide_tie, game=box.games[0].id, winner=GameSide.FIRST))
    assert page.view.describe_match(page.view.placed_matches["1/1"].box).endswith(
        "tied: winner decided afterwards"
    )


def test_bracket_page_warns_of_a_changed_earlier_result(empty_session: Session, qtbot: QtBot) -> None:
    page = get_bracket_page(show_bracket(empty_session, qtbot, make_knockout(4), rounds=2, missing_results=1))
    assert list_warnings(page) == []
    game = empty_session.index.games(empty_session.index.rounds(A)[0].id)[0]
    empty_session.do(partial(commands.enter_result, game=game.id, first=300, second=400))
    (warning,) = list_warnings(page)
    assert warning.startswith("Final. ")


def list_warnings(page: BracketPage) -> list[str]:
    descriptions = [page.view.describe_match(match.box) for match in page.view.placed_matches.values()]
    return [text for text in descriptions if text.endswith("result changed: check who plays")]


@pytest.mark.slow
def test_toast_covers_neither_buttons_nor_the_current_match(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(16), rounds=4)
    page = get_bracket_page(window)
    window.resize(1280, 720)
    page.view.setFocus()
    buttons = [button for button in page.findChildren(QAbstractButton) if button.isVisible()]
    assert buttons
    for key in ("1/1", "1/8", "4/1"):
        page.view.select_match(key)
        empty_session.show_message("A step was done that needs a whole sentence.", undo=1)
        match = QRect(page.view.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle))
        assert match & page.view.viewport().rect() == match
        match_area = QRect(page.view.viewport().mapTo(window.root_stack, match.topLeft()), match.size())
        areas = [
            match_area,
            *(QRect(button.mapTo(window.root_stack, QPoint()), button.size()) for button in buttons),
        ]
        assert [area for area in areas if area.intersects(window._toast.geometry())] == []


@pytest.mark.slow
def test_standings_page_does_not_mute_eliminated_players(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=8, rounds=1)
    value = commands.add_stage(value, key="s2", division=A, system="knockout", rounds=2, cut=4)
    window = show_bracket(empty_session, qtbot, value, rounds=2)
    window.show_page("standings")
    rows = get_page(window, StandingsPage).rows
    assert sum(row.out for row in map(rows.find_row_by_key, rows.keys())) == 4
    assert {rows.get_cell_paint_data(rows.index(line, 1))[1] for line in range(rows.rowCount())} == {""}


def test_bracket_view_arrows_move_between_matches(empty_session: Session, qtbot: QtBot) -> None:
    page = get_bracket_page(show_bracket(empty_session, qtbot, make_knockout(8, third_place=True)))
    page.view.select_match("1/1")
    page.view.setFocus()
    match_names = []
    for key in (
        Qt.Key.Key_Down,
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Left,
        Qt.Key.Key_Down,
        Qt.Key.Key_Up,
    ):
        QTest.keyClick(page.view, key)
        box = page.view.current_match
        match_names.append(box.name if box else "")
    assert match_names[:4] == ["quarter-final/2", "semifinal/1", "final", "final"]
    assert match_names[4].startswith("semifinal")
    assert page.view.current_match is not None


@pytest.mark.styled
@pytest.mark.parametrize(
    ("stage_settings", "titles"),
    [
        ({}, ["Bracket"]),
        ({"third_place": True}, ["Bracket", "Third place"]),
        ({"elimination": EliminationKind.DOUBLE}, ["Winners’ bracket", "Losers’ bracket", "Grand final"]),
        ({"elimination": EliminationKind.CONSOLATION}, ["Bracket", "Consolation"]),
        (
            {"elimination": EliminationKind.CLASSIFICATION},
            ["Bracket", "Places 3 to 4", "Places 5 to 8", "Places 7 to 8"],
        ),
    ],
)
def test_bracket_view_draws_every_section(
    empty_session: Session, qtbot: QtBot, stage_settings: dict[str, object], titles: list[str]
) -> None:
    page = get_bracket_page(show_bracket(empty_session, qtbot, make_knockout(8, **stage_settings), rounds=1))
    assert list_section_titles(page) == titles
    keys = [match.box.key for match in page.view.placed_matches.values()]
    for key in keys:
        page.view.select_match(key)
        assert page.view.describe_match(page.view.placed_matches[key].box)
    areas = [page.view.compute_unscaled_match_area(match) for match in page.view.placed_matches.values()]
    assert not any(first.intersects(second) for first in areas for second in areas if first is not second)
    assert not page.grab().isNull()


@pytest.mark.slow
def test_bracket_view_zooms_by_keys_and_wheel(empty_session: Session, qtbot: QtBot) -> None:
    page = get_bracket_page(show_bracket(empty_session, qtbot, make_knockout(24), rounds=1))
    view = page.view
    for _ in range(20):
        QTest.keyClicks(view, "+")
    assert view.zoom == MAX_ZOOM
    for _ in range(30):
        QTest.keyClicks(view, "-")
    assert view.zoom == MIN_ZOOM
    QTest.keyClicks(view, "0")
    assert MIN_ZOOM <= view.zoom <= 1
    zoom_before = view.zoom
    position = QPointF(20, 20)
    wheel = QWheelEvent(
        position,
        position,
        view.pos(),
        position.toPoint() * 6,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), wheel)
    assert view.zoom > zoom_before


def test_bracket_page_opens_the_game_by_enter_and_double_click(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(4), rounds=1)
    page = get_bracket_page(window)
    page.view.setFocus()
    page.view.select_match("1/2")
    game = page.get_selected_game()
    press_keys(Qt.Key.Key_Return)
    assert window.page.id == "rounds"
    assert window.page.get_selected_game() == game
    window.show_page("bracket")
    position = page.view.compute_unscaled_match_area(page.view.placed_matches["1/1"]).center().toPoint()
    QTest.mouseDClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert window.page.id == "rounds"


def test_bracket_page_draws_seeds_before_the_first_round(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(8))
    page = get_bracket_page(window)
    assert "seeds from the current standings" in page.subtitle.text()
    names_before = [box.sides[0].name for tree in page.view.trees for box in tree.boxes]
    page.get_action("seed-lot").trigger()
    names_after_draw = [box.sides[0].name for tree in page.view.trees for box in tree.boxes]
    assert names_after_draw != names_before
    assert "seeds as" not in page.subtitle.text()
    page.get_action("seed-standings").trigger()
    assert [box.sides[0].name for tree in page.view.trees for box in tree.boxes] == names_before
    pairing = partial(commands.pair_round, key="r1", proposal=propose_pairings(empty_session.index, A))
    empty_session.do(pairing)
    assert not page.get_action("seed-lot").isVisible()
    assert not page.get_action("seed-rating").isEnabled()


def test_bracket_page_shows_games_and_score_of_a_series(empty_session: Session, qtbot: QtBot) -> None:
    page = get_bracket_page(show_bracket(empty_session, qtbot, make_knockout(4, series=3), rounds=2))
    view = page.view
    box = view.placed_matches["1/1"].box
    scores = [text for text, _ in view._list_score_texts_and_widths(box, 0, box.sides[0])]
    assert len(scores) == 3
    assert scores[0] in {"0", "1", "2"}
    assert "best of 3" in page.subtitle.text()


@pytest.mark.slow
def test_rounds_page_does_not_warn_of_repeats_in_a_series(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(4, series=3), rounds=1)
    window.show_page("rounds")
    window.get_action("pair").trigger()
    page = window.page
    assert isinstance(page, RoundsPage)
    item = empty_session.index.rounds(A)[-1]
    assert (item.number, item.state, item.relaxed) == (2, RoundState.DRAFT, ())
    rows = [*map(page.rows.find_row_by_key, page.rows.keys())]
    assert [(line.game.repeat, page.rows._tone(line)) for line in rows] == [(1, ""), (1, "")]
    assert page.banner_text.text().count("<br>") == 1  # the name of the stage, and the instruction for changing it


@pytest.mark.slow
def test_rounds_page_explains_an_unneeded_round_of_a_series(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_knockout(2, series=3)))
    leader = ""
    for number in (1, 2):
        proposal = propose_pairings(empty_session.index, A)
        empty_session.do(partial(commands.pair_round, key=empty_session.make_row_id(), proposal=proposal))
        game = empty_session.index.games(empty_session.index.get_round(A, number).id)[0]
        leader = leader or game.first
        points = (400, 300) if game.first == leader else (300, 400)
        empty_session.do(partial(commands.enter_result, game=game.id, first=points[0], second=points[1]))
    stage = empty_session.index.stages(A)[0]
    empty_session.do(partial(commands.add_stage, key="next", division=stage.division, system="swiss", rounds=1))
    window = show_window(empty_session, qtbot, "rounds")
    assert "game 2 of 3" in window.page.subtitle.text()
    window.get_action("pair").trigger()
    assert not empty_session.index.games(empty_session.index.get_round(A, 3).id)
    assert "Every match is already decided" in pairing_sentences.explain_round_without_games(
        empty_session.index, empty_session.index.get_round(A, 3), empty_session.catalogue
    )
    window.get_action("publish").trigger()
    window.get_action("pair").trigger()
    assert len(empty_session.index.games(empty_session.index.get_round(A, 4).id)) == 1


def test_bracket_page_names_the_winner_at_the_end(empty_session: Session, qtbot: QtBot) -> None:
    page = get_bracket_page(show_bracket(empty_session, qtbot, make_knockout(4), rounds=2))
    final = page.view.placed_matches["2/1"].box
    winner = next(side.name for side in final.sides if side.won)
    assert page._winner_label.text() == f"{winner} has won the knockout."
    assert not page._winner_label.isHidden()


def test_standings_page_ranks_a_knockout_by_place(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(4), rounds=1)
    window.show_page("standings")
    texts = [label.text() for label in window.page.findChildren(QLabel)]
    assert any(text.startswith("Ranked by place in the knockout") for text in texts)


def test_stage_panel_shows_the_number_of_knockout_rounds(empty_session: Session, qtbot: QtBot) -> None:
    show_bracket(empty_session, qtbot, make_knockout(24))
    panel = StagePanel(empty_session, empty_session.index.stages(A)[0].id)
    qtbot.addWidget(panel)
    rounds_label = panel.needed
    assert rounds_label.text() == "24 players need 5 rounds."
    panel.get_field_widget("elimination").choose_value(EliminationKind.DOUBLE)
    panel.get_field_widget("series").setText("3")
    assert rounds_label.text() == "24 players need 33 rounds."
    panel.get_field_widget("series").setText("x")
    assert rounds_label.isHidden()
    panel.get_field_widget("series").setText("3")
    assert panel.get_field_widget("rounds").text() == "33"  # follows the needed number until it is edited
    panel.get_field_widget("rounds").setText("34")
    panel.get_field_widget("series").setText("1")
    assert panel.get_field_widget("rounds").text() == "34"
    panel.get_field_widget("series").setText("3")
    panel.get_field_widget("rounds").setText("33")
    QTest.mouseClick(find_save_button(panel), Qt.MouseButton.LeftButton)
    stage = empty_session.index.stages(A)[0]
    assert (stage.rounds, stage.settings.elimination, stage.settings.series) == (33, EliminationKind.DOUBLE, 3)


def test_stage_panel_counts_rounds_of_a_team_round_robin(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=8, rounds=3)
    value = value.put(*(replace(player, team=f"T{player.number % 4}") for player in value.players.values()))
    empty_session.open_tournament_of_desk(make_desk(value))
    panel = StagePanel(empty_session, empty_session.index.stages(A)[0].id)
    qtbot.addWidget(panel)
    assert panel.needed.isHidden()
    panel.get_field_widget("system").choose_value("team-round-robin")
    assert (panel.needed.text(), panel.get_field_widget("rounds").text()) == ("The teams need 6 rounds.", "6")
    panel.get_field_widget("boards").setText("2")
    assert (panel.needed.text(), panel.get_field_widget("rounds").text()) == ("The teams need 3 rounds.", "3")
    QTest.mouseClick(find_save_button(panel), Qt.MouseButton.LeftButton)
    stage = empty_session.index.stages(A)[0]
    assert (stage.system, stage.rounds, stage.settings.boards) == ("team-round-robin", 3, 2)


def test_stage_panel_plans_a_knockout_of_the_best(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=24, rounds=3)
    empty_session.open_tournament_of_desk(
        make_desk(commands.add_stage(value, key="s2", division=A, system="swiss", rounds=1))
    )
    panel = StagePanel(empty_session, empty_session.index.stages(A)[1].id)
    qtbot.addWidget(panel)
    panel.get_field_widget("system").choose_value("knockout")
    assert (panel.needed.text(), panel.get_field_widget("rounds").text()) == ("24 players need 5 rounds.", "5")
    panel.get_field_widget("cut").setText("8")
    assert (panel.needed.text(), panel.get_field_widget("rounds").text()) == ("8 players need 3 rounds.", "3")
    QTest.mouseClick(find_save_button(panel), Qt.MouseButton.LeftButton)
    reopened_panel = StagePanel(empty_session, empty_session.index.stages(A)[1].id)
    qtbot.addWidget(reopened_panel)
    reopened_panel.get_field_widget("cut").setText("16")
    assert reopened_panel.get_field_widget("rounds").text() == "4"


def find_save_button(panel: StagePanel) -> QPushButton:
    return next(button for button in panel.findChildren(QPushButton) if button.text() == "Save")


def test_bracket_page_prints_the_bracket(empty_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(empty_session, qtbot, make_knockout(4), rounds=1)
    window.get_action("print-bracket").trigger()
    preview = window.findChild(PrintPreview)
    assert preview is not None
    assert preview.report.value() == "bracket"
    preview.reject()


@pytest.mark.slow
def test_bracket_page_draws_every_state_in_every_language(translated_session: Session, qtbot: QtBot) -> None:
    window = show_bracket(translated_session, qtbot, make_tournament(players=4))
    for value, has_match in (
        (make_knockout(0), False),
        (make_knockout(5, elimination=EliminationKind.DOUBLE, series=3), True),
    ):
        page = get_bracket_page(window)
        assert page.view.current_match is None
        assert page.view._empty_text
        translated_session.open_tournament_of_desk(make_desk(value))
        window.show_page("bracket")
        assert (page.view.current_match is not None) == has_match
        assert not window.grab().isNull()
