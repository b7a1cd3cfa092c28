"""The Check-in page, by keys and by taps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, DivisionId, Player
from tdapp.gui.players import check_in
from tdapp.gui.players.card import CardPanel
from tdapp.gui.players.check_in import CheckInPage
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_session, make_tournament
from tests.gui.windows import get_page, press, run_command, show_window, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.attach_desk(make_desk(make_tournament(players=9)))
    empty_session.do(partial(commands.add_player, key="solo", division=A, name="Zoë"))
    return show_window(empty_session, qtbot, "check-in")


page = partial(get_page, kind=CheckInPage)


def find_player(window: Window, part: str) -> Player:
    return next(player for player in window.session.index.players(A) if part in player.name)


def tap_player(window: Window, player: Player) -> None:
    view = page(window).view
    position = page(window).rows.find_row_position(player.id)
    view.scrollTo(page(window).rows.index(position, 0))
    tap_position = view.visualRect(page(window).rows.index(position, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=tap_position)


def list_present_names(window: Window) -> set[str]:
    return {player.name for player in window.session.tournament.players.values() if player.checked_in}


def seat_all_but(window: Window, *missing: Player) -> None:
    index = window.session.index
    players = tuple(player.id for player in index.players(A) if player not in missing)
    window.session.do(partial(commands.check_in, players=players, present=True))


def test_check_in_finds_a_part_of_a_name_without_accents(window: Window) -> None:
    assert page(window).search.hasFocus()
    type_text(window, "zoe")
    press(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Zoë"}
    assert page(window).search.text() == "zoe"
    assert page(window).rows.rowCount() == 1
    type_text(window, "cecile mul")
    assert page(window).search.text() == "cecile mul"
    press(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Zoë", find_player(window, "Müller").name}


def test_check_in_moves_to_the_table_for_several_matches(window: Window) -> None:
    type_text(window, "e")
    press(window, Qt.Key.Key_Return)
    view = page(window).view
    assert view.hasFocus()
    assert not list_present_names(window)
    press(window, Qt.Key.Key_Down)
    key = view.current_key()
    press(window, Qt.Key.Key_Space)
    assert [player.id for player in window.session.index.players(A) if player.checked_in] == [key]
    press(window, Qt.Key.Key_Return)
    assert not list_present_names(window)


@pytest.mark.slow
def test_check_in_finds_a_family_name_with_an_initial(window: Window) -> None:
    """The initial also occurs within the names of others of the family."""
    session = window.session
    for first in ("Ulrike", "Monika", "Saskia"):
        session.do(partial(commands.add_player, key=first, division=A, name=f"Bauer, {first}"))
    type_text(window, "Bauer, U")
    assert page(window).rows.rowCount() == 3
    press(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Bauer, Ulrike"}


@pytest.mark.slow
def test_check_in_finds_a_number_exactly(window: Window) -> None:
    type_text(window, "1")
    assert page(window).rows.rowCount() > 1, "those are found that have it in their number too"
    press(window, Qt.Key.Key_Return)
    assert [player.number for player in window.session.index.players(A) if player.checked_in] == [1]
    type_text(window, "2")
    press(window, Qt.Key.Key_Return)
    assert [player.number for player in window.session.index.players(A) if player.checked_in] == [1, 2]


def test_check_in_lets_a_new_name_replace_an_unknown_one(window: Window) -> None:
    type_text(window, "nobody")
    press(window, Qt.Key.Key_Return)
    assert page(window).search.hasFocus()
    type_text(window, "zoe")
    press(window, Qt.Key.Key_Return)
    assert list_present_names(window) == {"Zoë"}


@pytest.mark.slow
def test_check_in_selects_the_search_text_when_shown_again(window: Window) -> None:
    type_text(window, "zoe")
    window.show_page("rounds")
    window.show_page("check-in")
    type_text(window, "mul")
    assert page(window).search.text() == "mul"


def test_check_in_typing_in_the_table_searches(window: Window) -> None:
    press(window, Qt.Key.Key_Down)
    assert page(window).view.hasFocus()
    type_text(window, "zo")
    assert page(window).search.text() == "zo"
    assert page(window).rows.rowCount() == 1
    press(window, Qt.Key.Key_Escape)
    assert page(window).rows.rowCount() == 10


@pytest.mark.slow
def test_check_in_ignores_the_second_tap_of_a_double_click(window: Window) -> None:
    session, player = window.session, find_player(window, "Zoë")
    before = len(session.desk.history())
    tap_player(window, player)
    tap_player(window, player)
    assert list_present_names(window) == {"Zoë"}
    assert len(session.desk.history()) == before + 1
    session.undo()
    assert not list_present_names(window)


def test_check_in_later_tap_undoes_a_check_in(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((100.0, 103.0))
    monkeypatch.setattr(check_in, "monotonic", lambda: next(times))
    tap_player(window, find_player(window, "Zoë"))
    tap_player(window, find_player(window, "Zoë"))
    assert not list_present_names(window)


def test_check_in_shows_missing_players_and_a_trial_pairing(window: Window, qtbot: QtBot) -> None:
    session, zoe = window.session, find_player(window, "Zoë")
    seat_all_but(window, zoe)
    assert PAGES["check-in"].count_tasks(window.session) == 1
    assert page(window).count_label.text() == "9 of 10 are here"
    assert page(window).missing_label.text() == "Missing: Zoë"
    assert (
        page(window).effect_label.text()
        == "Without the missing players, round 1 has 9 players and one of them gets a bye."
    )
    value = commands.miss_round(session.tournament, key="x", players=(zoe.id,), round_number=1)
    (bye,) = (bye for bye in propose_pairings(Index(value), A).byes if bye.kind is ByeKind.BYE)
    name = session.tournament.players[bye.player].name
    qtbot.waitUntil(lambda: "without the missing players" in page(window).effect_label.text())
    assert f"9 players, 4 tables, bye: {name}" in page(window).effect_label.text()
    assert (
        page(window)
        .effect_label.text()
        .endswith("F6 also pairs the missing players unless you mark them as absent.")
    )
    assert not session.tournament.rounds
    assert not session.tournament.absences


def test_check_in_explains_f6_before_the_first_check_in(window: Window, qtbot: QtBot) -> None:
    session = window.session
    assert page(window).count_label.text() == "No player is checked in"
    assert page(window).missing_label.text() == "Check-in is not in use: F6 pairs all players except absent ones."
    qtbot.waitUntil(lambda: "if paired now" in page(window).effect_label.text())
    assert page(window).effect_label.text() == "Round 1, if paired now: 10 players, 5 tables, no bye."
    run_command(window, "pair")
    assert len(session.index.games(session.index.rounds(A)[0].id)) == 5


def test_check_in_sets_the_missing_absent_in_one_step(window: Window) -> None:
    session, zoe, second = window.session, find_player(window, "Zoë"), find_player(window, "Müller")
    seat_all_but(window, zoe, second)
    before = len(session.desk.history())
    press(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert {absence.player for absence in session.tournament.absences.values()} == {zoe.id, second.id}
    assert len(session.desk.history()) == before + 1
    assert PAGES["check-in"].count_tasks(window.session) == 0
    tap_player(window, zoe)
    assert {absence.player for absence in session.tournament.absences.values()} == {second.id}
    session.undo()
    session.undo()
    assert not session.tournament.absences


@pytest.mark.slow
def test_check_in_sets_no_player_absent_before_the_first_check_in(window: Window) -> None:
    assert not page(window).command("set-missing-absent").isEnabled()
    window.command("set-missing-absent").trigger()
    assert not window.session.tournament.absences


@pytest.mark.slow
def test_check_in_space_changes_all_selected_in_one_step(window: Window) -> None:
    session, all_names = window.session, {player.name for player in window.session.index.players(A)}
    before = len(session.desk.history())
    tap_player(window, find_player(window, "Zoë"))
    press(window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press(window, Qt.Key.Key_Space)
    assert list_present_names(window) == all_names
    assert len(session.desk.history()) == before + 2
    press(window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press(window, Qt.Key.Key_Return)
    assert not list_present_names(window)


def test_check_in_command_names_the_next_round_before_the_page_is_shown(
    empty_session: Session, qtbot: QtBot
) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    first, *other_players = empty_session.index.players(A)
    empty_session.do(partial(commands.check_in, players=tuple(player.id for player in other_players)))
    empty_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    label = "Mark the missing player as absent in round 2 only"
    assert first.name not in list_present_names(window)
    assert window.command("set-missing-absent").text() == label


def test_check_in_can_show_only_missing_players(window: Window) -> None:
    seat_all_but(window, find_player(window, "Zoë"))
    page(window)._filter.setCurrentIndex(1)
    assert page(window).rows.rowCount() == 1
    tap_player(window, find_player(window, "Zoë"))
    assert page(window).rows.rowCount() == 0
    assert page(window).view.accessibleDescription() == "No players."


@pytest.mark.slow
def test_check_in_count_is_zero_before_the_first_check_in(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
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
    page(window).reveal_row(find_player(window, "Zoë").id)
    press(window, Qt.Key.Key_F4)
    assert isinstance(window.panel, CardPanel)
    assert window.panel.heading.text() == "Zoë"


@pytest.mark.slow
def test_check_in_is_closed_in_a_finished_tournament(window: Window) -> None:
    window.session.do(partial(commands.finish_tournament))
    window.show_page("check-in")
    tap_player(window, find_player(window, "Zoë"))
    assert not list_present_names(window)


@pytest.fixture(params=LANGUAGES)
def speaking(request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings) -> Iterator[Session]:
    session = make_session(request.param, appearance, settings)
    session.attach_desk(make_desk(make_tournament(players=7)))
    yield session
    session.close()
    session.work.close()


@pytest.mark.slow
def test_check_in_in_every_language(speaking: Session, qtbot: QtBot) -> None:
    window = show_window(speaking, qtbot, "check-in")
    seat_all_but(window, speaking.index.players(A)[0])
    texts = [
        part.text() for part in (page(window).count_label, page(window).missing_label, page(window).effect_label)
    ]
    assert all(texts)
    assert not any("{" in text for text in texts)


@pytest.mark.slow
def test_check_in_sorts_names_after_their_prefix_if_the_rules_say_so(window: Window) -> None:
    rules = replace(window.session.tournament.ruleset, past_prefix=True)
    window.session.do(partial(commands.change_rules, ruleset=rules))
    for name in ("van den Aalst, Bo", "Aabs, An", "de Aarde, Cor"):
        window.session.do(partial(commands.add_player, key=name, division=A, name=name))
    rows = page(window).rows

    as_opened = [rows.row(key).name for key in rows.keys()[:3]]
    rows.sort(rows.list_column_ids().index("name"))
    sorted_by_name = [rows.row(key).name for key in rows.keys()[:3]]

    assert as_opened == sorted_by_name == ["Aabs, An", "van den Aalst, Bo", "de Aarde, Cor"]


def test_check_in_names_a_player_of_another_division(window: Window) -> None:
    session, page = window.session, get_page(window, CheckInPage)
    session.do(partial(commands.add_division, key="e", code="B"))
    for number in range(4):
        name = f"Ångström, Zacharias {number}"
        session.do(partial(commands.add_player, key=f"z{number}", division=DivisionId("e"), name=name))
    page.search.setText("zacharias ang")
    description = page.view.accessibleDescription()
    assert description.startswith("Nothing found for “zacharias ang”")
    assert "In division B: Ångström, Zacharias 0; Ångström, Zacharias 1; Ångström, Zacharias 2 …" in description
    page.search.setText("nobody at all")
    assert "division" not in page.view.accessibleDescription()
