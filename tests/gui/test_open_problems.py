"""Tests of the Problems panel, problem buttons, toasts and actions for all divisions."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRect, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import DivisionId, RoundState
from tdapp.domain.tournament import Tournament
from tdapp.gui.bracket.view import BracketView
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.problems_panel import ProblemsPanel, describe_problem, list_open_problems
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import Appearance
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_entry, make_session, make_tournament
from tests.gui.windows import collect_messages, press_key, show_window

B = DivisionId("d2")


def pair_next_round(session: Session, *, results: bool = True) -> None:
    session.do(
        partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A)),
        quiet=True,
    )
    games = session.index.games(session.index.rounds(A)[-1].id)
    for game in games if results else ():
        session.do(partial(commands.enter_result, game=game.id, first=400 + game.table, second=380), quiet=True)


def attach_tournament_with_problems(session: Session) -> None:
    """Attach a tournament in which low numbers start every game, so that starts are unbalanced."""
    session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    for _ in range(3):
        pair_next_round(session)
        item = session.index.rounds(A)[-1]
        for game in session.index.games(item.id):
            lower_number_player = min(
                (game.first, game.second), key=lambda player: session.tournament.players[player].number
            )
            result = session.tournament.results[game.id]
            other_player = game.second if lower_number_player == game.first else game.first
            changed_value = session.tournament.put(
                replace(game, first=lower_number_player, second=other_player), result
            )
            session.open_tournament_of_desk(make_desk(changed_value))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    attach_tournament_with_problems(empty_session)
    return show_window(empty_session, qtbot, "rounds")


def get_problems_panel(window: Window) -> ProblemsPanel:
    panel = window.panel
    assert isinstance(panel, ProblemsPanel)
    return panel


def test_problems_panel_opens_by_a_click(window: Window) -> None:
    problems = list_open_problems(window.session)
    assert len(problems) > 3
    buttons = [button for button in window._bottom.findChildren(QPushButton) if button.isVisible()]
    (more_button,) = (button for button in buttons if button.text() == f"{len(problems) - 3} more")
    QTest.mouseClick(more_button, Qt.MouseButton.LeftButton)
    assert get_problems_panel(window).list.count() == len(problems)
    assert get_problems_panel(window).list.hasFocus()


@pytest.mark.slow
def test_problems_panel_opens_a_problem_and_stays_open(window: Window) -> None:
    press_key(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    problems = list_open_problems(window.session)
    target_row = next(index for index, problem in enumerate(problems) if problem.page == "players")
    while get_problems_panel(window).list.currentRow() < target_row:
        press_key(window, Qt.Key.Key_Down)
    press_key(window, Qt.Key.Key_Return)
    assert isinstance(window.page, PlayersPage)
    assert window.page.get_current_player_id() == problems[target_row].key
    assert get_problems_panel(window).list.count() == len(problems)


def test_describe_problem_names_the_division_once(empty_session: Session) -> None:
    value = commands.add_division(make_tournament(players=8), key=B, code="B", first_table=4)
    empty_session.open_tournament_of_desk(make_desk(value))
    problems = list_open_problems(empty_session)
    texts = [describe_problem(empty_session, problem) for problem in problems]
    assert "Division B has no players yet" in texts
    assert [text[:15] for text in texts].count("Divisions A and") == 1


def test_text_list_widget_leaves_room_for_each_wrapped_line(window: Window, qtbot: QtBot) -> None:
    rows = TextListWidget("texts", wrap=True)
    qtbot.addWidget(rows)
    rows.resize(416, 600)
    rows.addItems(["w " * count for count in range(1, 80)])
    rows.show()
    line_height = rows.visualItemRect(rows.item(0)).height()
    one_line_texts = [
        item.text()
        for item in map(rows.item, range(rows.count()))
        if rows.visualItemRect(item).height() == line_height
    ]
    widest = max(map(rows.fontMetrics().horizontalAdvance, one_line_texts))
    assert widest < rows.viewport().width() - 16


def test_problems_panel_says_if_there_are_no_problems(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    window.get_action("problems").trigger()
    assert get_problems_panel(window)._empty_label.isVisible()
    pair_next_round(empty_session, results=False)
    assert get_problems_panel(window).list.count() == 1
    assert "4 results missing" in get_problems_panel(window).list.item(0).text()


@pytest.mark.slow
def test_toast_never_covers_the_focused_field(window: Window) -> None:
    page = window.page
    assert isinstance(page, RoundsPage)
    toast = window._toast
    page.field.focus_line()
    for width, height in ((1440, 900), (1280, 720), (1024, 640)):
        window.resize(width, height)
        window.session.show_message("A message with the length of a usual sentence about an action.", undo=1)
        field = QRect(page.field.line.mapTo(window.root_stack, page.field.line.rect().topLeft()),
                      page.field.line.size())  # fmt: skip
        assert not toast.geometry().intersects(field)


@pytest.mark.slow
def test_toast_does_not_cover_the_current_row(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    page = window.page
    assert isinstance(page, PlayersPage)
    window.resize(1280, 720)
    page.view.setFocus()
    for row in range(page.rows.rowCount()):
        index = page.rows.index(row, 1)
        page.view.setCurrentIndex(index)
        full_session.show_message("Something was done.", undo=1)
        view, toast = page.view, window._toast
        rect = view.visualRect(index)
        row_rectangle = QRect(view.viewport().mapTo(window.root_stack, rect.topLeft()), rect.size())
        assert not toast.geometry().intersects(row_rectangle), row


def test_table_view_selects_one_row_with_held_keys(window: Window) -> None:
    page = window.page
    assert isinstance(page, RoundsPage)
    keys = page.rows.keys()
    page.view.select_row(keys[0])
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyPress(page.view, Qt.Key.Key_Shift, shift)
    page.view.select_row(keys[2])
    QTest.keyRelease(page.view, Qt.Key.Key_Shift)
    assert page.view.list_selected_keys() == (keys[2],)


def test_jury_page_opens_word_lists_beside_the_sheet(window: Window) -> None:
    window.show_page("jury")
    page = window.page
    assert isinstance(page, JuryPage)
    page.words.word_lists_requested.emit()
    assert window.page is page
    assert isinstance(window.panel, WordListsPanel)
    window.get_action("words").trigger()
    window.panel.word_lists_requested.emit()  # type: ignore[attr-defined]
    assert window.page is page
    assert isinstance(window.panel, WordListsPanel)


def make_knockout_tournament() -> Tournament:
    value = make_tournament(players=4)
    stage = next(iter(value.stages.values()))
    return value.put(replace(stage, system="knockout", rounds=4))


def test_pair_action_is_disabled_for_a_decided_knockout(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_knockout_tournament()))
    pair_next_round(empty_session)
    window = show_window(empty_session, qtbot, "rounds")
    assert window.get_action("pair").isEnabled()
    pair_next_round(empty_session)
    assert window.get_action("pair").text() == "What is next?"
    window.get_action("pair").trigger()
    assert len(empty_session.index.rounds(A)) == 2
    assert empty_session.index.count_planned_rounds(A) == 4


@pytest.mark.slow
def test_bracket_view_strikes_out_a_withdrawn_player(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_knockout_tournament()))
    pair_next_round(empty_session, results=False)
    game = empty_session.index.games(empty_session.index.rounds(A)[-1].id)[0]
    empty_session.do(partial(commands.withdraw_player, key="w", player=game.first))
    window = show_window(empty_session, qtbot, "bracket")
    view = window.page.findChild(BracketView)
    assert isinstance(view, BracketView)
    box = next(
        placed_match.box
        for placed_match in view.placed_matches.values()
        if game.id in {row.id for row in placed_match.box.games}
    )
    side = next(side for side in box.sides if side.player == game.first)
    assert side.withdrawn
    assert "(withdrawn)" in view._format_player_or_slot_origin(side)


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["en", "de", "nl"], indirect=True)
def test_table_view_beside_a_panel_never_scrolls_sideways(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=24)))
    pair_next_round(empty_session)
    window = show_window(empty_session, qtbot, "rounds")
    window.resize(1280, 720)
    page = window.page
    assert isinstance(page, RoundsPage)
    page.view.select_row(page.rows.keys()[0])
    window.get_action("card").trigger()
    assert isinstance(window.panel, PlayerCardPanel)
    qtbot.waitUntil(lambda: page.view.horizontalScrollBar().maximum() == 0, timeout=5_000)
    assert {"table", "first_name", "second_name", "score1", "score2", "status"} <= list_visible_columns(page)
    window.close_panel()
    qtbot.waitUntil(lambda: {"first", "second", "spread"} <= list_visible_columns(page))
    window.show_page("standings")
    standings_page = window.page
    standings_page.view.select_row(standings_page.rows.keys()[0])  # type: ignore[attr-defined]
    window.get_action("card").trigger()
    assert standings_page.view.horizontalScrollBar().maximum() == 0  # type: ignore[attr-defined]


def list_visible_columns(page: RoundsPage) -> set[str]:
    ids = page.rows.list_column_ids()
    return {name for index, name in enumerate(ids) if not page.view.isColumnHidden(index)}


def test_search_field_keeps_its_text_after_an_entry(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.search.setFocus()
    QTest.keyClicks(page.search, "muller cec")
    assert page.rows.rowCount() >= 1
    key = page.rows.keys()[0]
    page.view.select_row(key)
    page.get_action("check-in").trigger()
    assert page.search.text() == "muller cec"
    assert page.rows.keys()[0] == key
    assert full_session.tournament.players[key].checked_in  # type: ignore[index]
    assert not page.get_action("check-in").isEnabled()


@pytest.mark.slow
def test_standings_page_sorts_short_and_long_names(
    appearance: Appearance, settings: QSettings, qtbot: QtBot
) -> None:
    session = make_session("en", appearance, settings)
    value = make_tournament(players=0)
    long_name = "Wolfeschlegelsteinhausenbergerdorff-van den Heuvel, Maximiliaan-Alexander"
    for number, name in enumerate(("Zoë", "Ø", "Li", long_name), 1):
        value = commands.add_player(value, key=f"p{number}", division=A, name=name)
    session.open_tournament_of_desk(make_desk(value))
    pair_next_round(session)
    window = show_window(session, qtbot, "standings")
    window.resize(1280, 720)
    standings_page = window.page
    name_column = standings_page.rows.list_column_ids().index("name")  # type: ignore[attr-defined]
    standings_page.view.sortByColumn(name_column, Qt.SortOrder.AscendingOrder)  # type: ignore[attr-defined]
    names = [str(standings_page.rows.index(row, name_column).data()) for row in range(4)]  # type: ignore[attr-defined]
    assert names == ["Li", "Ø", long_name, "Zoë"]
    assert session.index.rounds(A)[-1].state is RoundState.PUBLISHED
    session.close()
    session.work.close()


@pytest.fixture
def two_division_window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window on divisions A and B, which have players but no rounds."""
    value = commands.add_division(make_tournament(players=8), key="d2", code="B")
    value = commands.add_stage(value, key="s2", division=B, system="swiss", rounds=3)
    entries = tuple(make_entry(number) for number in range(1, 7))
    empty_session.open_tournament_of_desk(
        make_desk(commands.import_players(value, key="q", division=B, entries=entries))
    )
    empty_session.choose_division(A)
    return show_window(empty_session, qtbot, "rounds")


def find_problem_buttons(window: Window) -> dict[str, QPushButton]:
    buttons = window._bottom.findChildren(QPushButton)
    return {button.accessibleName(): button for button in buttons if button.property("role") == "problem"}


def test_problem_button_opens_the_division_that_can_be_paired(two_division_window: Window) -> None:
    QTest.mouseClick(
        find_problem_buttons(two_division_window)["B: Round 1 can be paired"], Qt.MouseButton.LeftButton
    )
    assert two_division_window.session.division is not None
    assert two_division_window.session.division.id == B
    press_key(two_division_window, Qt.Key.Key_F6)
    assert two_division_window.session.index.rounds(B)


def test_problem_button_opens_the_division_with_missing_results(two_division_window: Window) -> None:
    pair_next_round(two_division_window.session, results=False)
    two_division_window.session.choose_division(B)
    two_division_window.show_page("players")
    (text,) = (
        text
        for text in find_problem_buttons(two_division_window)
        if text.startswith("A: Round 1: 4 results missing")
    )
    QTest.mouseClick(find_problem_buttons(two_division_window)[text], Qt.MouseButton.LeftButton)
    assert isinstance(two_division_window.page, RoundsPage)
    assert two_division_window.session.division is not None
    assert two_division_window.session.division.id == A
    assert not [
        text
        for text in find_problem_buttons(two_division_window)
        if "can be paired" in text and text.startswith("A")
    ]


def test_publish_action_asks_first_if_another_division_uses_a_table(two_division_window: Window) -> None:
    session = two_division_window.session
    session.do(partial(commands.edit_division, division=B, first_table=4))
    pair_next_round(session, results=False)
    session.choose_division(B)
    press_key(two_division_window, Qt.Key.Key_F6)
    messages = collect_messages(session)
    press_key(two_division_window, Qt.Key.Key_F9)
    problem = "Divisions B and A both use table 4: change the first table of one of them"
    assert messages == [f"{problem}. Press F9 again to publish anyway."]
    assert not session.index.list_published_rounds(B)
    press_key(two_division_window, Qt.Key.Key_F9)
    assert session.index.list_published_rounds(B)


def test_pair_all_action_drafts_a_round_in_each_division(two_division_window: Window) -> None:
    action = two_division_window.get_action("pair-all")
    assert action.isEnabled()
    assert action.declaration.title is not None
    assert action.declaration.title() == "Pair divisions A, B"
    messages = collect_messages(two_division_window.session)
    press_key(two_division_window, Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier)
    assert messages == ["Drafts made for divisions A, B"]
    index = two_division_window.session.index
    for division in (A, B):
        assert [item.state for item in index.rounds(division)] == [RoundState.DRAFT]
    assert not action.isVisible()
    assert {text.partition(":")[0] for text in find_problem_buttons(two_division_window)} == {"A", "B"}


@pytest.mark.slow
def test_pair_all_action_is_hidden_for_one_division(window: Window) -> None:
    assert not window.get_action("pair-all").isVisible()
    assert not [text for text in find_problem_buttons(window) if text.startswith("A: ")]


@pytest.mark.slow
def test_finish_action_names_the_division_of_a_refusal(two_division_window: Window) -> None:
    pair_next_round(two_division_window.session, results=False)
    messages = collect_messages(two_division_window.session)
    two_division_window.get_action("finish").trigger()
    assert len(messages) == 1
    assert messages[0].startswith("A: Round 1: the results of tables 1")
    assert not two_division_window.session.tournament.event.finished
