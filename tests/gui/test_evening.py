"""Tests of club evenings: attendance, pairing, results and the next evening."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.rule_fields import replace_rule_value
from tdapp.domain.ruleset import OddPlayerRule, PlayersPerTableRule
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.evenings import get_date_of_current_evening
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.players.evening import ClubEveningPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.bars import PageButton, SideBar
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.tournament.club import NewClubDialog
from tdapp.gui.tournament.page import TournamentPage
from tdapp.gui.tournament.rule_form import RulesPanel
from tdapp.gui.tournament.stage import StagePanel
from tdapp.pairing import propose_pairings
from tests.clubs import play_two_evenings
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import collect_messages, find_dialog, get_page, press_key, run_action, show_window

get_evening_page = partial(get_page, kind=ClubEveningPage)


def make_club(players: int) -> Tournament:
    return commands.begin_evening(make_tournament(players=players), key="e0", division=A, date="2026-09-01")


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(make_club(23)))
    new_window = show_window(empty_session, qtbot)
    set_evening_time(new_window, "2026-09-08 20:00")
    new_window.refresh_window()
    return new_window


def set_evening_time(window: Window, time: str) -> None:
    page = window.pages.get_page("evening")
    assert isinstance(page, ClubEveningPage)
    page.get_time = lambda: datetime.fromisoformat(time)
    page.refresh_page()


def enter_line(window: Window, text: str) -> None:
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClicks(focused, text)
    press_key(window, Qt.Key.Key_Return)


def get_index(window: Window) -> TournamentIndex:
    return window.session.index


def list_present_numbers(window: Window) -> set[int]:
    return {player.number for player in get_index(window).players(A) if player.checked_in}


def list_seated_numbers(window: Window) -> set[int]:
    item = get_index(window).rounds(A)[-1]
    return {
        window.session.tournament.players[player].number
        for player in get_index(window).find_players_with_game_bye_or_seat(item.id)
    }


def enter_results(window: Window) -> None:
    """Enter the result of each table in the result field."""
    get_page(window, RoundsPage)
    press_key(window, Qt.Key.Key_F5)
    for game in get_index(window).games(get_index(window).rounds(A)[-1].id):
        enter_line(window, f"{game.table} {400 + game.table} {390 - game.table}")
    assert not get_index(window).list_open_games(get_index(window).rounds(A)[-1].id)


def test_evening_page_is_shown_first_for_a_club(window: Window) -> None:
    assert window.page.id == "evening"
    assert get_evening_page(window).date.text() == "08/09/2026"
    assert get_evening_page(window).date.hasFocus()
    press_key(window, Qt.Key.Key_Return)
    assert get_evening_page(window).search.hasFocus()
    (evening,) = get_index(window).stages(A)
    assert evening.date == "2026-09-08"


def test_begin_evening_action_sets_the_date_of_today(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    window = show_window(empty_session, qtbot, "players")
    window.get_action("begin-evening").trigger()
    evening = get_index(window).stages(A)[-1]
    assert evening.evening
    assert evening.date == get_date_of_current_evening(datetime.now().astimezone())


def test_evening_page_checks_in_by_enter_and_adds_a_member_by_enter_twice(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    enter_line(window, "7")
    assert list_present_numbers(window) == {7}
    enter_line(window, "7")
    assert list_present_numbers(window) == set()
    enter_line(window, "Zweig, Stefan")
    assert len(get_index(window).players(A)) == 23
    assert "Enter again" in get_evening_page(window).status.text()
    press_key(window, Qt.Key.Key_Return)
    assert list_present_numbers(window) == {24}
    assert get_evening_page(window).search.text() == ""
    press_key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(get_index(window).players(A)) == 23


@pytest.fixture
def club_window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window on a club evening. Four members have other names and one has a member number."""
    names = {1: "Piek, Adam", 2: "Hermans, Adam", 3: "Adamse, Els", 4: "Visser, Ria"}
    players = {player.number: player for player in make_club(23).players.values()}
    renamed_players = [replace(players[number], name=name) for number, name in names.items()]
    empty_session.open_tournament_of_desk(
        make_desk(make_club(23).put(*renamed_players[:3], replace(renamed_players[3], member="114")))
    )
    new_window = show_window(empty_session, qtbot)
    set_evening_time(new_window, "2026-09-08 20:00")
    new_window.refresh_window()
    press_key(new_window, Qt.Key.Key_Return)
    return new_window


@pytest.mark.slow
def test_evening_search_moves_to_the_list_for_two_matches(club_window: Window) -> None:
    """A search for a first name also finds the start of a last name."""
    enter_line(club_window, "adam")
    assert list_present_numbers(club_window) == set()
    assert get_evening_page(club_window).view.hasFocus()


@pytest.mark.slow
def test_evening_search_selects_a_match_when_filtering_removed_the_selection(club_window: Window) -> None:
    page = get_evening_page(club_window)
    for name in ("adam", "adam"):
        page.search.setFocus()
        page.search.selectAll()
        enter_line(club_window, name)
        assert page.view.list_selected_keys() == (page.view.get_current_row_key(),)
        assert "members match" in page.status.text()
        page.view.clearSelection()


@pytest.mark.slow
def test_evening_search_selects_an_absent_member_first(club_window: Window) -> None:
    enter_line(club_window, "piek")
    assert list_present_numbers(club_window) == {1}
    enter_line(club_window, "adam")
    press_key(club_window, Qt.Key.Key_Return)
    assert list_present_numbers(club_window) == {1, 2}


@pytest.mark.parametrize("search_text", ["114", "4", "ria", "vis"])
def test_evening_search_finds_a_member_by_number_or_part_of_the_name(
    club_window: Window, search_text: str
) -> None:
    enter_line(club_window, search_text)
    assert list_present_numbers(club_window) == {4}


@pytest.mark.slow
def test_evening_search_does_not_add_an_unknown_number(club_window: Window) -> None:
    enter_line(club_window, "999")
    assert get_evening_page(club_window).status.text() == "No member has the number 999."
    press_key(club_window, Qt.Key.Key_Return)
    assert len(get_index(club_window).players(A)) == 23


@pytest.mark.slow
def test_evening_page_hides_the_new_name_note_when_cleared(club_window: Window) -> None:
    enter_line(club_window, "Zweig")
    assert "is new" in get_evening_page(club_window).status.text()
    press_key(club_window, Qt.Key.Key_Escape)
    assert "is new" not in get_evening_page(club_window).status.text()


@pytest.mark.slow
def test_pair_action_keeps_an_unfinished_name(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    for number in (1, 2, 3, 4):
        enter_line(window, str(number))
    QTest.keyClicks(get_evening_page(window).search, "Zweig, Stefan")
    press_key(window, Qt.Key.Key_F6)
    assert window.page.id == "evening"
    assert not get_index(window).rounds(A)
    assert get_evening_page(window).search.text() == "Zweig, Stefan"


@pytest.mark.parametrize("page_id", [page for page in PAGES if page not in {"check-in", "bracket"}])
def test_pair_action_pairs_the_next_game_from_every_page(window: Window, page_id: str) -> None:
    window.pages.make_all_pages()
    set_evening_time(window, datetime.now().astimezone().isoformat())
    press_key(window, Qt.Key.Key_Return)
    for number in (1, 2, 3, 4):
        enter_line(window, str(number))
    window.show_page(page_id)
    press_key(window, Qt.Key.Key_F6)
    assert list_seated_numbers(window) == {1, 2, 3, 4}
    assert window.page.id == "rounds"


@pytest.mark.parametrize("page_id", ["evening", "rounds"])
def test_pair_action_asks_first_if_results_are_missing(window: Window, page_id: str) -> None:
    set_evening_time(window, datetime.now().astimezone().isoformat())
    press_key(window, Qt.Key.Key_Return)
    for number in (1, 2, 3, 4):
        enter_line(window, str(number))
    press_key(window, Qt.Key.Key_F6)
    window.show_page(page_id)
    messages = collect_messages(window.session)
    press_key(window, Qt.Key.Key_F6)
    assert messages == ["Game 1: 2 results are missing. Press F6 again to pair the next game anyway."]
    assert len(get_index(window).rounds(A)) == 1
    press_key(window, Qt.Key.Key_F6)
    assert len(get_index(window).rounds(A)) == 2


def test_pair_action_asks_first_if_rules_are_not_saved(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    for number in (1, 2, 3, 4):
        enter_line(window, str(number))
    window.show_page("tournament")
    page = get_page(window, TournamentPage)
    window.get_action("change-rules").trigger()
    assert isinstance(window.panel, RulesPanel)
    rules = window.session.tournament.ruleset
    window.panel.form.copy_rules_to_draft(replace_rule_value(rules, "tables.odd", OddPlayerRule.THREE))
    assert page.count_unsaved_rules() == 1
    window.show_page("evening")
    messages = collect_messages(window.session)
    press_key(window, Qt.Key.Key_F6)
    assert messages[-1].startswith("One changed rule is not saved.")
    assert not get_index(window).rounds(A)
    press_key(window, Qt.Key.Key_F6)
    assert len(get_index(window).rounds(A)) == 1


@pytest.mark.slow
def test_evening_of_23_members_with_changes_and_the_next_week(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    for number in range(1, 19):
        enter_line(window, str(number))
    assert list_present_numbers(window) == set(range(1, 19))
    press_key(window, Qt.Key.Key_F6)
    assert list_seated_numbers(window) == set(range(1, 19))
    enter_results(window)

    press_key(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    for number in (3, 4, 20, 21, 22, 23):  # two players leave and four arrive
        enter_line(window, str(number))
    press_key(window, Qt.Key.Key_F6)
    assert list_seated_numbers(window) == set(range(1, 24)) - {3, 4, 19}
    enter_results(window)

    press_key(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    for number in (3, 1, 2, 5, 6, 7):  # one player returns and five leave
        enter_line(window, str(number))
    press_key(window, Qt.Key.Key_F6)
    assert list_seated_numbers(window) == {3, *range(8, 24)} - {19}
    enter_results(window)
    value = window.session.tournament
    assert not value.byes
    assert not value.absences
    assert len(compute_standings(get_index(window), value.divisions[A])) == 22
    press_key(window, Qt.Key.Key_F7)
    assert window.page.id == "standings"

    set_evening_time(window, "2026-09-15 19:55")
    window.session.opened.emit()  # the program opens the file again
    assert window.page.id == "evening"
    assert get_evening_page(window).date.text() == "15/09/2026"
    press_key(window, Qt.Key.Key_Return)
    assert list_present_numbers(window) == set()
    press_key(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert list_present_numbers(window) == set(range(1, 24)) - {19}
    press_key(window, Qt.Key.Key_F6)
    assert list_seated_numbers(window) == set(range(1, 24)) - {19}
    earlier_pairs = {frozenset({game.first, game.second}) for game in value.games.values()}
    games = get_index(window).games(get_index(window).rounds(A)[-1].id)
    assert not earlier_pairs & {frozenset({game.first, game.second}) for game in games}


def test_evening_continues_after_midnight(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    set_evening_time(window, "2026-09-09 00:40")
    enter_line(window, "7")
    assert list_present_numbers(window) == {7}
    assert len(get_index(window).stages(A)) == 1


def test_evening_can_be_continued_the_next_day(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    enter_line(window, "7")
    set_evening_time(window, "2026-09-09 20:00")
    window.session.opened.emit()
    get_evening_page(window).get_action("go-on").trigger()
    enter_line(window, "8")
    assert list_present_numbers(window) == {7, 8}


def test_welcome_page_creates_a_club_and_opens_its_first_evening(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(empty_session, qtbot)
    button = next(button for button in window.findChildren(QAbstractButton) if button.text() == "Set up a club")
    button.click()
    club_dialog = find_dialog(window, NewClubDialog)
    club_dialog.confirm_dialog()
    assert "Give the club a name." in club_dialog.error.text()
    QTest.keyClicks(club_dialog.name, "Club Amersfoort")
    assert Path(club_dialog.file.text()).stem == "Club Amersfoort"
    club_dialog.file.setText(str(tmp_path / "club.tdapp"))
    club_dialog.confirm_dialog()
    assert window.page.id == "evening"
    assert get_evening_page(window).search.hasFocus()
    for name in ("Adler, Ruth", "Bakker, An", "Vos, Leo"):
        enter_line(window, name)
        press_key(window, Qt.Key.Key_Return)
    assert len(empty_session.tournament.players) == 3
    press_key(window, Qt.Key.Key_F6)
    (division,) = empty_session.index.divisions
    (table_seats,) = empty_session.index.list_seats_by_table(empty_session.index.rounds(division.id)[0].id)
    assert len(table_seats) == 3  # the rules of a new club use a table of three instead of a bye


def test_check_in_page_is_replaced_by_the_evening_page(window: Window) -> None:
    assert window.pages.get_page("check-in") is not None
    window.show_page("check-in")
    assert window.page.id == "evening"
    bar = window.findChild(SideBar)
    assert bar is not None
    shown_buttons = [button.text() for button in bar.findChildren(PageButton) if button.isVisible()]
    assert "Evening" in shown_buttons
    assert "Check-in" not in shown_buttons


def test_stage_panel_shows_the_settings_of_an_evening(window: Window) -> None:
    stage = get_index(window).stages(A)[0]
    panel = StagePanel(window.session, stage.id)
    window.open_panel(panel)
    assert not panel.get_field_widget("rounds").isVisible()
    panel.get_field_widget("name").setText("Opening night")
    systems = panel.get_field_widget("system")
    system_names = {systems.itemText(index) for index in range(systems.count())}
    assert {"Swiss", "drawn by lot"} <= system_names
    assert "knockout" not in system_names
    systems.choose_value("swiss")
    panel.save_stage()
    (stage_after,) = get_index(window).stages(A)
    assert (stage_after.name, stage_after.system, stage_after.rounds, stage_after.date) == (
        "Opening night",
        "swiss",
        0,
        "2026-09-01",
    )


def test_empty_pages_explain_the_next_step(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_club(0)))
    window = show_window(empty_session, qtbot)
    set_evening_time(window, "2026-09-08 20:00")
    assert any(
        label.text().startswith("No members yet.") for label in get_evening_page(window).view.findChildren(QLabel)
    )
    press_key(window, Qt.Key.Key_F6)
    window.show_page("rounds")
    labels = get_page(window, RoundsPage).view.findChildren(QLabel)
    assert any(label.isVisible() and label.text().startswith("No games yet tonight.") for label in labels) is False
    window.session.do(partial(commands.add_player, key="p", division=A, name="Adler, Ruth"))
    assert any(label.isVisible() and label.text().startswith("No games yet tonight.") for label in labels)


@pytest.mark.slow
def test_pair_action_shows_the_evening_page_on_another_day(window: Window) -> None:
    press_key(window, Qt.Key.Key_Return)
    for number in (1, 2, 3, 4):
        enter_line(window, str(number))
    press_key(window, Qt.Key.Key_F6)
    enter_results(window)
    press_key(window, Qt.Key.Key_F6)
    assert window.page.id == "evening"
    assert len(get_index(window).rounds(A)) == 1
    press_key(window, Qt.Key.Key_F6)
    assert len(get_index(window).rounds(A)) == 2


def test_pair_action_pairs_the_evening_of_today_on_the_rounds_page(empty_session: Session, qtbot: QtBot) -> None:
    value = commands.begin_evening(
        make_tournament(players=4),
        key="e",
        division=A,
        date=get_date_of_current_evening(datetime.now().astimezone()),
    )
    players = tuple(player.id for player in TournamentIndex(value).players(A))
    empty_session.open_tournament_of_desk(make_desk(commands.check_in(value, players=players)))
    window = show_window(empty_session, qtbot, "rounds")
    press_key(window, Qt.Key.Key_F6)
    assert list_seated_numbers(window) == {1, 2, 3, 4}
    enter_results(window)
    press_key(window, Qt.Key.Key_F6)
    assert len(get_index(window).list_published_rounds(A)) == 2


@pytest.mark.slow
def test_every_page_shows_an_evening_with_absent_members(empty_session: Session, qtbot: QtBot) -> None:
    def check_in(value: Tournament, *numbers: int) -> Tournament:
        players = TournamentIndex(value).players(A)
        return commands.check_in(value, players=tuple(players[number].id for number in numbers))

    def pair_next_game(value: Tournament, key: str) -> Tournament:
        return commands.pair_round(value, key=key, proposal=propose_pairings(TournamentIndex(value), A))

    value = pair_next_game(check_in(make_club(10), 0, 1, 2, 3), "one")
    value = commands.begin_evening(value, key="e1", division=A, date="2026-09-08")
    tournaments = [value, pair_next_game(check_in(value, 4, 5, 6, 7), "two")]
    tournaments += [check_in(tournaments[-1], 0, 8), pair_next_game(check_in(tournaments[-1], 0, 8), "three")]
    assert len(tournaments) == 4
    for tournament in tournaments:
        empty_session.open_tournament_of_desk(make_desk(tournament))
        window = show_window(empty_session, qtbot)
        for name in PAGES:
            window.show_page(name)
            assert not window.grab().isNull()
        window.show_page("standings")
        for action in window.page.page_actions:
            if action.declaration.menu in {"standings", "statistics"} and action.isEnabled():
                action.trigger()
                assert not window.grab().isNull()
        for player in TournamentIndex(tournament).players(A):
            window.open_panel(PlayerCardPanel(empty_session, player.id))
        window.close()


def test_standings_page_lists_the_games_of_each_evening(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(play_two_evenings()))
    standings = get_page(show_window(empty_session, qtbot, "standings"), StandingsPage)
    choices = [standings.after.itemText(index) for index in range(standings.after.count())]
    assert choices == ["After the last round", "1 September 2026: Game 2", "1 September 2026: Game 1"]


def test_seat_now_action_splits_a_table_of_three_for_a_latecomer(empty_session: Session, qtbot: QtBot) -> None:
    value = make_club(8)
    rules = replace(value.ruleset, tables=PlayersPerTableRule(odd=OddPlayerRule.THREE))
    value = commands.change_rules(value, ruleset=rules)
    seven_players = tuple(value.players)[:7]
    value = commands.check_in(value, players=seven_players, present=True)
    value = commands.pair_round(value, key="k", proposal=propose_pairings(TournamentIndex(value), A))
    empty_session.open_tournament_of_desk(make_desk(value))
    window = show_window(empty_session, qtbot)
    set_evening_time(window, "2026-09-01 20:00")
    window.show_page("evening")
    item = empty_session.index.list_published_rounds(A)[-1]
    (seats_of_three,) = empty_session.index.list_seats_by_table(item.id)
    assert not window.get_action("seat-now").isEnabled()

    rounds_page = window.pages.get_page("rounds")
    rounds_page.refresh_page()
    latecomer = empty_session.tournament.players[tuple(value.players)[7]]
    get_evening_page(window).search.setFocus()
    enter_line(window, latecomer.name)
    effect = f"table {seats_of_three[0].table}, a table of three, becomes two tables of two."
    assert get_evening_page(window).status.text() == f"Press Shift+F6 to seat {latecomer.name} now: {effect}"
    press_key(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    games = empty_session.index.games(item.id)
    assert (len(games), empty_session.index.seats(item.id)) == (4, ())
    reasons = [window.session.catalogue.explain_pairing(game.reason.code, dict(game.reason.facts))
               for game in games if game.reason and game.reason.code == "latecomer-split"]  # fmt: skip
    (game,) = [game for game in games if latecomer.id in (game.first, game.second)]
    opponent = empty_session.tournament.players[game.get_opponent(latecomer.id)].name
    seat_text = f"{latecomer.name} plays at table {game.table} against {opponent}."
    assert get_evening_page(window).status.text() == seat_text
    window.show_page("rounds")
    assert get_page(window, RoundsPage).field.proposed_key == str(games[0].id)  # not the new game
    window.show_page("evening")
    assert reasons == [f"Player {latecomer.number} arrived late: the table of three became two tables of two"] * 2
    assert not window.get_action("seat-now").isEnabled()
    empty_session.undo()
    assert len(empty_session.index.seats(item.id)) == 3


def test_standings_page_names_missing_results_of_the_evening(empty_session: Session, qtbot: QtBot) -> None:
    value = play_two_evenings()
    value = value.drop(*list(value.results.values())[:1])
    index = TournamentIndex(value)
    game = index.games(index.rounds(index.divisions[0].id)[-1].id)[0]
    empty_session.open_tournament_of_desk(
        make_desk(commands.enter_result(value, game=game.id, first=400, second=300))
    )
    window = show_window(empty_session, qtbot, "standings")
    texts = [label.text() for label in get_page(window, StandingsPage).findChildren(QLabel)]
    assert any("Game 1: 1 result is missing" in text for text in texts)
    assert not any("1 September 2026: Game" in text for text in texts)


def test_begin_evening_action_names_the_removed_rounds(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    with qtbot.waitSignal(
        full_session.message_sent, check_params_cb=lambda *message: message[2] == "note"
    ) as message:
        run_action(window, "begin-evening")
    assert str(message.args[0]).startswith("The evening has begun. 7 planned rounds")
    assert full_session.index.count_planned_rounds(A) == 0
    run_action(window, "undo")
    assert full_session.index.count_planned_rounds(A) == 7
