"""Tests of the Check-in page, by keyboard and mouse."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, DivisionId, Player
from tdapp.gui.players import check_in
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.players.check_in import CheckInPage
from tdapp.gui.rounds.dialogs import SeatLatecomerDialog
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page, press_key, press_keys, run_action, show_window, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=9)))
    empty_session.do(partial(commands.add_player, key="solo", division=A, name="Zoë"))
    return show_window(empty_session, qtbot, "check-in")


get_check_in_page = partial(get_page, kind=CheckInPage)


def find_player(window: Window, part: str) -> Player:
    return next(player for player in window.session.index.players(A) if part in player.name)


def click_player(window: Window, player: Player) -> None:
    view = get_check_in_page(window).view
    position = get_check_in_page(window).rows.find_row_position(player.id)
    view.scrollTo(get_check_in_page(window).rows.index(position, 0))
    click_position = view.visualRect(get_check_in_page(window).rows.index(position, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=click_position)


def list_present_names(window: Window) -> set[str]:
    return {player.name for player in window.session.tournament.players.values() if player.checked_in}


def check_in_all_except(window: Window, *missing_players: Player) -> None:
    index = window.session.index
    players = tuple(player.id for player in index.players(A) if player not in missing_players)
    window.session.do(partial(commands.check_in, players=players, present=True))


def test_check_in_finds_a_part_of_a_name_without_accents(window: Window) -> None:
    assert get_check_in_page(window).search.hasFocus()
    type_text(window, "zoe")
    press_key(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Zoë"}
    assert get_check_in_page(window).search.text() == "zoe"
    assert get_check_in_page(window).rows.rowCount() == 1
    type_text(window, "cecile mul")
    assert get_check_in_page(window).search.text() == "cecile mul"
    press_key(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Zoë", find_player(window, "Müller").name}


def test_check_in_moves_to_the_table_for_several_matches(window: Window) -> None:
    type_text(window, "e")
    press_key(window, Qt.Key.Key_Return)
    view = get_check_in_page(window).view
    assert view.hasFocus()
    assert not list_present_names(window)
    press_key(window, Qt.Key.Key_Down)
    key = view.get_current_row_key()
    press_key(window, Qt.Key.Key_Space)
    assert [player.id for player in window.session.index.players(A) if player.checked_in] == [key]
    press_key(window, Qt.Key.Key_Return)
    assert not list_present_names(window)


def test_check_in_typing_in_the_table_replaces_a_finished_search_only(window: Window) -> None:
    search = get_check_in_page(window).search
    type_text(window, "e")
    press_key(window, Qt.Key.Key_Return)
    type_text(window, "zo")
    assert search.text() == "zo"
    press_key(window, Qt.Key.Key_Down)
    type_text(window, "e")
    assert search.text() == "zoe"


@pytest.mark.slow
def test_check_in_finds_a_family_name_with_an_initial(window: Window) -> None:
    """The initial also occurs in the middle of other names."""
    session = window.session
    for first in ("Ulrike", "Monika", "Saskia"):
        session.do(partial(commands.add_player, key=first, division=A, name=f"Bauer, {first}"))
    type_text(window, "Bauer, U")
    assert get_check_in_page(window).rows.rowCount() == 3
    press_key(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Bauer, Ulrike"}


@pytest.mark.slow
def test_check_in_finds_a_number_exactly(window: Window) -> None:
    type_text(window, "1")
    assert get_check_in_page(window).rows.rowCount() > 1, "the search also finds numbers that contain 1"
    press_key(window, Qt.Key.Key_Return)
    assert [player.number for player in window.session.index.players(A) if player.checked_in] == [1]
    type_text(window, "2")
    press_key(window, Qt.Key.Key_Return)
    assert [player.number for player in window.session.index.players(A) if player.checked_in] == [1, 2]


def test_check_in_replaces_an_unknown_name_by_typing(window: Window) -> None:
    type_text(window, "unknown")
    press_key(window, Qt.Key.Key_Return)
    assert get_check_in_page(window).search.hasFocus()
    type_text(window, "zoe")
    press_key(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Zoë"}


@pytest.mark.slow
def test_check_in_selects_the_search_text_when_shown_again(window: Window) -> None:
    type_text(window, "zoe")
    window.show_page("rounds")
    window.show_page("check-in")
    type_text(window, "mul")
    assert get_check_in_page(window).search.text() == "mul"


def test_check_in_typing_in_the_table_searches(window: Window) -> None:
    press_key(window, Qt.Key.Key_Down)
    assert get_check_in_page(window).view.hasFocus()
    type_text(window, "zo")
    assert get_check_in_page(window).search.text() == "zo"
    assert get_check_in_page(window).rows.rowCount() == 1
    press_key(window, Qt.Key.Key_Escape)
    assert get_check_in_page(window).rows.rowCount() == 10


@pytest.mark.slow
def test_check_in_ignores_the_second_click_of_a_double_click(window: Window) -> None:
    session, player = window.session, find_player(window, "Zoë")
    step_count = len(session.desk.list_all_steps())
    click_player(window, player)
    click_player(window, player)
    assert list_present_names(window) == {"Zoë"}
    assert len(session.desk.list_all_steps()) == step_count + 1
    session.undo()
    assert not list_present_names(window)


def test_check_in_later_click_undoes_a_check_in(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((100.0, 103.0))
    monkeypatch.setattr(check_in, "monotonic", lambda: next(times))
    click_player(window, find_player(window, "Zoë"))
    click_player(window, find_player(window, "Zoë"))
    assert not list_present_names(window)


def test_check_in_shows_missing_players_and_a_trial_pairing(window: Window, qtbot: QtBot) -> None:
    session, zoe = window.session, find_player(window, "Zoë")
    check_in_all_except(window, zoe)
    assert PAGES["check-in"].count_tasks(window.session) == 1
    assert get_check_in_page(window).count_label.text() == "9 of 10 are here"
    assert get_check_in_page(window).missing_label.text() == "Missing: Zoë"
    assert (
        get_check_in_page(window).effect_label.text()
        == "With only the players present, round 1 has 9 players and one of them gets a bye."
    )
    value = commands.miss_round(session.tournament, key="x", players=(zoe.id,), round_number=1)
    (bye,) = (bye for bye in propose_pairings(TournamentIndex(value), A).byes if bye.kind is ByeKind.BYE)
    name = session.tournament.players[bye.player].name
    qtbot.waitUntil(
        lambda: "if only the players present are paired" in get_check_in_page(window).effect_label.text()
    )
    assert f"9 players, 4 tables, bye: {name}" in get_check_in_page(window).effect_label.text()
    assert (
        get_check_in_page(window)
        .effect_label.text()
        .endswith("F6 also pairs the missing player unless you mark this player as absent.")
    )
    assert not session.tournament.rounds
    assert not session.tournament.absences


def test_check_in_offers_a_seat_to_a_late_player(window: Window) -> None:
    session, zoe = window.session, find_player(window, "Zoë")
    session.do(partial(commands.set_absence, key="x", player=zoe.id, first_round=1))
    for key in (Qt.Key.Key_F6, Qt.Key.Key_F9):
        press_key(window, key)
    window.show_page("check-in")
    label = get_check_in_page(window).latecomers_label
    assert label.isHidden()
    session.do(partial(commands.check_in, players=(zoe.id,), present=True))
    assert "Click a name to seat a latecomer in round 1: <a" in label.text()
    label.setFocus(Qt.FocusReason.TabFocusReason)
    press_keys(Qt.Key.Key_Return)
    dialog = window.findChild(SeatLatecomerDialog)
    assert dialog is not None
    assert dialog.player.value() == zoe.id
    dialog.confirm_dialog()
    (item,) = session.index.rounds(A)
    assert session.index.find_player_game(item.id, zoe.id) is not None
    window.show_page("check-in")
    assert label.isHidden()


def test_rounds_page_offers_a_seat_to_a_player_without_a_game(window: Window) -> None:
    session, zoe = window.session, find_player(window, "Zoë")
    session.do(partial(commands.set_absence, key="x", player=zoe.id, first_round=1))
    for key in (Qt.Key.Key_F6, Qt.Key.Key_F9):
        press_key(window, key)
    page, index = get_page(window, kind=RoundsPage), session.index
    page.footer.linkActivated.emit(
        f"player:{index.list_byes_for_lack_of_opponent(index.rounds(A)[0].id)[0].player}"
    )
    assert window.page.id == "players"
    window.show_page("rounds")
    page.footer.linkActivated.emit(f"player:{zoe.id}")
    dialog = window.findChild(SeatLatecomerDialog)
    assert dialog is not None
    assert dialog.player.value() == zoe.id


def test_check_in_explains_f6_before_the_first_check_in(window: Window, qtbot: QtBot) -> None:
    session = window.session
    assert get_check_in_page(window).count_label.text() == "No player is checked in"
    assert (
        get_check_in_page(window).missing_label.text()
        == "Check-in is not in use: F6 pairs all players except those marked as absent."
    )
    qtbot.waitUntil(lambda: "if paired now" in get_check_in_page(window).effect_label.text())
    assert get_check_in_page(window).effect_label.text() == "Round 1, if paired now: 10 players, 5 tables, no bye."
    run_action(window, "pair")
    assert len(session.index.games(session.index.rounds(A)[0].id)) == 5


def test_check_in_marks_missing_players_absent_in_one_step(window: Window) -> None:
    session, zoe, second = window.session, find_player(window, "Zoë"), find_player(window, "Müller")
    check_in_all_except(window, zoe, second)
    step_count = len(session.desk.list_all_steps())
    press_key(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert {absence.player for absence in session.tournament.absences.values()} == {zoe.id, second.id}
    assert len(session.desk.list_all_steps()) == step_count + 1
    assert PAGES["check-in"].count_tasks(window.session) == 0
    click_player(window, zoe)
    assert {absence.player for absence in session.tournament.absences.values()} == {second.id}
    session.undo()
    session.undo()
    assert not session.tournament.absences


@pytest.mark.slow
def test_check_in_marks_no_player_absent_before_the_first_check_in(window: Window) -> None:
    assert not get_check_in_page(window).get_action("set-missing-absent").isEnabled()
    window.get_action("set-missing-absent").trigger()
    assert not window.session.tournament.absences


@pytest.mark.slow
def test_check_in_space_changes_all_selected_in_one_step(window: Window) -> None:
    session, all_names = window.session, {player.name for player in window.session.index.players(A)}
    step_count = len(session.desk.list_all_steps())
    click_player(window, find_player(window, "Zoë"))
    press_key(window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press_key(window, Qt.Key.Key_Space)
    assert list_present_names(window) == all_names
    assert len(session.desk.list_all_steps()) == step_count + 2
    press_key(window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press_key(window, Qt.Key.Key_Return)
    assert not list_present_names(window)


def test_check_in_action_names_the_next_round_without_the_page(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    first, *other_players = empty_session.index.players(A)
    empty_session.do(partial(commands.check_in, players=tuple(player.id for player in other_players)))
    empty_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    label = "Mark the missing player as absent in round 2 only"
    assert first.name not in list_present_names(window)
    assert window.get_action("set-missing-absent").text() == label


def test_check_in_can_show_only_missing_players(window: Window) -> None:
    check_in_all_except(window, find_player(window, "Zoë"))
    get_check_in_page(window)._filter.setCurrentIndex(1)
    assert get_check_in_page(window).rows.rowCount() == 1
    click_player(window, find_player(window, "Zoë"))
    assert get_check_in_page(window).rows.rowCount() == 0
    assert get_check_in_page(window).view.accessibleDescription() == "No players."


@pytest.mark.slow
def test_check_in_count_is_zero_before_the_first_check_in(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    check_in_page, late_player = PAGES["check-in"], empty_session.index.players(A)[0]
    show_window(empty_session, qtbot, "check-in")
    empty_session.do(partial(commands.miss_round, key="x", players=(late_player.id,), round_number=1))
    for number in (1, 2):
        empty_session.do(
            partial(commands.pair_round, key=f"r{number}", proposal=propose_pairings(empty_session.index, A))
        )
        for index, game in enumerate(empty_session.index.games(empty_session.index.rounds(A)[-1].id)):
            empty_session.do(partial(commands.enter_result, game=game.id, first=400 + index, second=300))
    assert check_in_page.count_tasks(empty_session) == 0
    empty_session.do(partial(commands.check_in, players=(empty_session.index.players(A)[1].id,)))
    assert check_in_page.count_tasks(empty_session) == 6


def test_check_in_opens_the_card_with_f4(window: Window) -> None:
    get_check_in_page(window).reveal_row(find_player(window, "Zoë").id)
    press_key(window, Qt.Key.Key_F4)
    assert isinstance(window.panel, PlayerCardPanel)
    assert window.panel.heading.text() == "Zoë"


@pytest.mark.slow
def test_check_in_is_disabled_in_a_finished_tournament(window: Window) -> None:
    window.session.do(partial(commands.finish_tournament))
    window.show_page("check-in")
    click_player(window, find_player(window, "Zoë"))
    assert not list_present_names(window)


@pytest.mark.slow
def test_check_in_is_translated(translated_session: Session, qtbot: QtBot) -> None:
    translated_session.open_tournament_of_desk(make_desk(make_tournament(players=7)))
    window = show_window(translated_session, qtbot, "check-in")
    check_in_all_except(window, translated_session.index.players(A)[0])
    texts = [
        label.text()
        for label in (
            get_check_in_page(window).count_label,
            get_check_in_page(window).missing_label,
            get_check_in_page(window).effect_label,
        )
    ]
    assert all(texts)
    assert not any("{" in text for text in texts)


@pytest.mark.slow
def test_check_in_sorts_names_after_their_prefix(window: Window) -> None:
    rules = replace(window.session.tournament.ruleset, past_prefix=True)
    window.session.do(partial(commands.change_rules, ruleset=rules))
    for name in ("van den Aalst, Bo", "Aabs, An", "de Aarde, Cor"):
        window.session.do(partial(commands.add_player, key=name, division=A, name=name))
    rows = get_check_in_page(window).rows

    first_names = [rows.find_row_by_key(key).name for key in rows.keys()[:3]]
    rows.sort(rows.list_column_ids().index("name"))
    sorted_names = [rows.find_row_by_key(key).name for key in rows.keys()[:3]]

    assert first_names == sorted_names == ["Aabs, An", "van den Aalst, Bo", "de Aarde, Cor"]


def test_check_in_search_names_a_player_of_another_division(window: Window) -> None:
    session, check_in_page = window.session, get_page(window, CheckInPage)
    session.do(partial(commands.add_division, key="e", code="B"))
    for number in range(4):
        name = f"Ångström, Zacharias {number}"
        session.do(partial(commands.add_player, key=f"z{number}", division=DivisionId("e"), name=name))
    check_in_page.search.setText("zacharias ang")
    description = check_in_page.view.accessibleDescription()
    assert description.startswith("Nothing found for “zacharias ang”")
    assert "In division B: Ångström, Zacharias 0; Ångström, Zacharias 1; Ångström, Zacharias 2 …" in description
    check_in_page.search.setText("unknown name")
    assert "division" not in check_in_page.view.accessibleDescription()
