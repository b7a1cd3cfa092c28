"""Open problems are listed, nothing covers the result field, and no action leaves the page without asking."""

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
from tdapp.gui.players.card import CardPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.bottom_bar import ProblemsPanel, list_open_problems
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_entry, make_session, make_tournament
from tests.gui.windows import press, show_window

B = DivisionId("d2")


def pair(session: Session, *, results: bool = True) -> None:
    session.do(
        partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A)),
        quiet=True,
    )
    games = session.index.games(session.index.rounds(A)[-1].id)
    for game in games if results else ():
        session.do(partial(commands.enter_result, game=game.id, first=400 + game.table, second=380), quiet=True)


def four_problems(session: Session) -> None:
    """Three players are always listed first, so that starts pile up; and one result is out."""
    session.attach_desk(make_desk(make_tournament(players=8)))
    for _ in range(3):
        pair(session)
        item = session.index.rounds(A)[-1]
        for game in session.index.games(item.id):
            low = min((game.first, game.second), key=lambda one: session.tournament.players[one].number)
            result = session.tournament.results[game.id]
            other = game.second if low == game.first else game.first
            turned = session.tournament.put(replace(game, first=low, second=other), result)
            session.attach_desk(make_desk(turned))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    four_problems(empty_session)
    return show_window(empty_session, qtbot, "rounds")


def listed(window: Window) -> ProblemsPanel:
    panel = window.panel
    assert isinstance(panel, ProblemsPanel)
    return panel


def test_problems_panel_opens_by_a_click(window: Window) -> None:
    found = list_open_problems(window.session)
    assert len(found) > 3
    buttons = [one for one in window._bottom.findChildren(QPushButton) if one.isVisible()]
    (more,) = (one for one in buttons if one.text() == f"{len(found) - 3} more")
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert listed(window).list.count() == len(found)
    assert listed(window).list.hasFocus()


@pytest.mark.slow
def test_problems_panel_leads_to_a_problem_and_stays(window: Window) -> None:
    press(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    found = list_open_problems(window.session)
    place = next(row for row, one in enumerate(found) if one.page == "players")
    while listed(window).list.currentRow() < place:
        press(window, Qt.Key.Key_Down)
    press(window, Qt.Key.Key_Return)
    assert isinstance(window.page, PlayersPage)
    assert window.page.current_player() == found[place].key
    assert listed(window).list.count() == len(found)


def test_problems_panel_says_if_no_problem_is_open(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    window.command("problems").trigger()
    assert listed(window)._empty_label.isVisible()
    pair(empty_session, results=False)
    assert listed(window).list.count() == 1
    assert "4 results missing" in listed(window).list.item(0).text()


@pytest.mark.slow
def test_toast_never_covers_the_focused_field(window: Window) -> None:
    page = window.page
    assert isinstance(page, RoundsPage)
    toast = window._toast
    page.field.focus_line()
    for width, height in ((1440, 900), (1280, 720), (1024, 640)):
        window.resize(width, height)
        window.session.show_message("Something was done that takes a sentence to be told about.", undo=1)
        field = QRect(page.field.line.mapTo(window.root_stack, page.field.line.rect().topLeft()),
                      page.field.line.size())  # fmt: skip
        assert not toast.geometry().intersects(field)


@pytest.mark.slow
def test_toast_makes_way_for_a_row_at_the_bottom(full_session: Session, qtbot: QtBot) -> None:
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
        over = QRect(view.viewport().mapTo(window.root_stack, rect.topLeft()), rect.size())
        assert not toast.geometry().intersects(over), row


def test_table_view_selects_one_row_with_held_keys(window: Window) -> None:
    page = window.page
    assert isinstance(page, RoundsPage)
    keys = page.rows.keys()
    page.view.choose(keys[0])
    with_shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyPress(page.view, Qt.Key.Key_Shift, with_shift)
    page.view.choose(keys[2])
    QTest.keyRelease(page.view, Qt.Key.Key_Shift)
    assert page.view.list_selected_keys() == (keys[2],)


def test_word_lists_open_beside_the_sheet(window: Window) -> None:
    window.show_page("jury")
    page = window.page
    assert isinstance(page, JuryPage)
    page.words.word_lists_requested.emit()
    assert window.page is page
    assert isinstance(window.panel, WordListsPanel)
    window.command("words").trigger()
    window.panel.word_lists_requested.emit()  # type: ignore[attr-defined]
    assert window.page is page
    assert isinstance(window.panel, WordListsPanel)


def cup() -> Tournament:
    value = make_tournament(players=4)
    stage = next(iter(value.stages.values()))
    return value.put(replace(stage, system="knockout", rounds=4))


def test_pair_command_is_disabled_for_a_decided_knockout(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(cup()))
    pair(empty_session)
    window = show_window(empty_session, qtbot, "rounds")
    assert window.command("pair").isEnabled()
    pair(empty_session)
    assert window.command("pair").text() == "What is next?"
    window.command("pair").trigger()
    assert len(empty_session.index.rounds(A)) == 2
    assert empty_session.index.count_planned_rounds(A) == 4


@pytest.mark.slow
def test_bracket_view_strikes_out_a_withdrawn_player(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(cup()))
    pair(empty_session, results=False)
    game = empty_session.index.games(empty_session.index.rounds(A)[-1].id)[0]
    empty_session.do(partial(commands.withdraw_player, key="w", player=game.first))
    window = show_window(empty_session, qtbot, "bracket")
    view = window.page.findChild(BracketView)
    assert isinstance(view, BracketView)
    box = next(
        placed.box for placed in view.placed_matches.values() if game.id in {one.id for one in placed.box.games}
    )
    side = next(one for one in box.sides if one.player == game.first)
    assert side.withdrawn
    assert "(withdrawn)" in view._format_slot_name(side)


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["en", "de", "nl"], indirect=True)
def test_table_view_beside_a_panel_never_scrolls_sideways(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=24)))
    pair(empty_session)
    window = show_window(empty_session, qtbot, "rounds")
    window.resize(1280, 720)
    page = window.page
    assert isinstance(page, RoundsPage)
    page.view.choose(page.rows.keys()[0])
    window.command("card").trigger()
    assert isinstance(window.panel, CardPanel)
    qtbot.waitUntil(lambda: page.view.horizontalScrollBar().maximum() == 0, timeout=5_000)
    assert {"table", "first_name", "second_name", "score1", "score2", "status"} <= visible(page)
    window.close_panel()
    qtbot.waitUntil(lambda: {"first", "second", "spread"} <= visible(page))
    window.show_page("standings")
    standings = window.page
    standings.view.choose(standings.rows.keys()[0])  # type: ignore[attr-defined]
    window.command("card").trigger()
    assert standings.view.horizontalScrollBar().maximum() == 0  # type: ignore[attr-defined]


def visible(page: RoundsPage) -> set[str]:
    ids = page.rows.list_column_ids()
    return {name for place, name in enumerate(ids) if not page.view.isColumnHidden(place)}


def test_search_field_keeps_its_text_after_an_entry(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.search.setFocus()
    QTest.keyClicks(page.search, "muller cec")
    assert page.rows.rowCount() >= 1
    key = page.rows.keys()[0]
    page.view.choose(key)
    page.command("check-in").trigger()
    assert page.search.text() == "muller cec"
    assert page.rows.keys()[0] == key
    assert full_session.tournament.players[key].checked_in  # type: ignore[index]


@pytest.mark.slow
def test_players_with_missing_or_long_names_are_paired_and_shown(
    appearance: Appearance, settings: QSettings, qtbot: QtBot
) -> None:
    session = make_session("en", appearance, settings)
    value = make_tournament(players=0)
    long = "Wolfeschlegelsteinhausenbergerdorff-van den Heuvel, Maximiliaan-Alexander"
    for number, name in enumerate(("Zoë", "Ø", "Li", long), 1):
        value = commands.add_player(value, key=f"p{number}", division=A, name=name)
    session.attach_desk(make_desk(value))
    pair(session)
    window = show_window(session, qtbot, "standings")
    window.resize(1280, 720)
    standings = window.page
    name = standings.rows.list_column_ids().index("name")  # type: ignore[attr-defined]
    standings.view.sortByColumn(name, Qt.SortOrder.AscendingOrder)  # type: ignore[attr-defined]
    names = [str(standings.rows.index(row, name).data()) for row in range(4)]  # type: ignore[attr-defined]
    assert names == ["Li", "Ø", long, "Zoë"]
    assert session.index.rounds(A)[-1].state is RoundState.PUBLISHED
    session.close()
    session.work.close()


@pytest.fixture
def halls(empty_session: Session, qtbot: QtBot) -> Window:
    """A window on divisions A and B, each with players and nothing paired."""
    value = commands.add_division(make_tournament(players=8), key="d2", code="B")
    value = commands.add_stage(value, key="s2", division=B, system="swiss", rounds=3)
    entries = tuple(make_entry(number) for number in range(1, 7))
    empty_session.attach_desk(make_desk(commands.import_players(value, key="q", division=B, entries=entries)))
    empty_session.choose_division(A)
    return show_window(empty_session, qtbot, "rounds")


def links(window: Window) -> dict[str, QPushButton]:
    found = window._bottom.findChildren(QPushButton)
    return {one.accessibleName(): one for one in found if one.property("role") == "problem"}


def test_pairing_problem_names_a_division_with_a_link(halls: Window) -> None:
    QTest.mouseClick(links(halls)["B: Round 1 can be paired"], Qt.MouseButton.LeftButton)
    assert halls.session.division is not None
    assert halls.session.division.id == B
    press(halls, Qt.Key.Key_F6)
    assert halls.session.index.rounds(B)


def test_problems_of_all_divisions_name_and_open_the_division(halls: Window) -> None:
    pair(halls.session, results=False)
    halls.session.choose_division(B)
    halls.show_page("players")
    (text,) = (one for one in links(halls) if one.startswith("A: Round 1: 4 results missing"))
    QTest.mouseClick(links(halls)[text], Qt.MouseButton.LeftButton)
    assert isinstance(halls.page, RoundsPage)
    assert halls.session.division is not None
    assert halls.session.division.id == A
    assert not [one for one in links(halls) if "can be paired" in one and one.startswith("A")]


def test_pair_all_drafts_a_round_in_each_division(halls: Window) -> None:
    command = halls.command("pair-all")
    assert command.isEnabled()
    assert command.row.title is not None
    assert command.row.title() == "Pair divisions A, B"
    told: list[str] = []
    halls.session.message_sent.connect(lambda sentence, *_rest: told.append(sentence))
    press(halls, Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier)
    assert told == ["Drafts made for divisions A, B"]
    index = halls.session.index
    for division in (A, B):
        assert [item.state for item in index.rounds(division)] == [RoundState.DRAFT]
    assert not command.isVisible()
    assert {one.partition(":")[0] for one in links(halls)} == {"A", "B"}


@pytest.mark.slow
def test_pair_all_is_hidden_for_one_division(window: Window) -> None:
    assert not window.command("pair-all").isVisible()
    assert not [one for one in links(window) if one.startswith("A: ")]


@pytest.mark.slow
def test_finish_tournament_names_the_division_of_a_refusal(halls: Window) -> None:
    pair(halls.session, results=False)
    told: list[str] = []
    halls.session.message_sent.connect(lambda sentence, *_rest: told.append(sentence))
    halls.command("finish").trigger()
    assert len(told) == 1
    assert told[0].startswith("A: Round 1: the results of tables 1")
    assert not halls.session.tournament.event.finished
