"""Tests of the impact bar, which previews the effects of a result correction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import Game, Result, ResultState, StartDecision
from tdapp.domain.roles import Role
from tdapp.domain.ruleset import SanctionPointsSource
from tdapp.domain.standings import compute_standings
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.page import TournamentPage
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tdapp.storage import Store
from tests.gui.samples import A, make_desk, make_session, make_tournament, play_rounds
from tests.gui.windows import get_page, press_key, show_window


def pair_next_round(session: Session) -> None:
    command = partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    session.desk.do(command, label="pair-round")


def enter_results(session: Session) -> None:
    """Enter all results of the last round. The lower number wins, with different margins."""
    for game in session.index.games(session.index.rounds(A)[-1].id):
        first_number, second_number = (
            session.tournament.players[player].number for player in (game.first, game.second)
        )
        first, second = (
            (420 + second_number, 380 - first_number)
            if first_number < second_number
            else (380 - second_number, 420 + first_number)
        )
        session.desk.do(partial(commands.enter_result, game=game.id, first=first, second=second))


def get_game(session: Session, number: int, table: int) -> Game:
    return session.index.get_game(session.index.get_round(A, number).id, table)


def get_result(session: Session, game: Game) -> Result:
    saved_result = session.index.get_result(game.id)
    assert saved_result is not None
    return saved_result


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window with 12 players. Round 1 is played and round 2 is published."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=12)))
    for _ in range(2):
        pair_next_round(empty_session)
        if len(empty_session.index.rounds(A)) == 1:
            enter_results(empty_session)
    new_window = show_window(empty_session, qtbot, "rounds")
    empty_session.choose_round(1)
    get_rounds_page(new_window).field.focus_line()
    return new_window


get_rounds_page = partial(get_page, kind=RoundsPage)


def get_result_field(window: Window) -> ResultField:
    return get_rounds_page(window).field


def get_bar_text(window: Window) -> str:
    bar = get_result_field(window).bar
    return " ".join(label.text() for label in (bar._head, bar.changes, bar._later_effects) if label.isVisible())


def make_swapped_line(session: Session, game: Game) -> str:
    """Return a result line with the saved scores exchanged."""
    saved_result = get_result(session, game)
    return f"{game.table} {saved_result.second} {saved_result.first}"


def test_impact_bar_previews_a_correction_of_an_earlier_round(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 1)
    players, result_before = session.tournament.players, get_result(session, game)
    winner, loser = players[game.first].name, players[game.second].name
    if (result_before.first or 0) < (result_before.second or 0):
        winner, loser = loser, winner
    QTest.keyClicks(get_result_field(window).line, make_swapped_line(session, game))
    press_key(window, Qt.Key.Key_Return)
    assert get_result(session, game) == result_before
    assert f"Round 1, table 1: {loser} wins, not {winner}" in get_bar_text(window)
    rank = {row.player.name: row.rank for row in compute_standings(session.index, session.tournament.divisions[A])}
    assert f"instead of {rank[winner]}" in get_bar_text(window)
    assert "Printouts" not in get_bar_text(window)  # none was printed
    assert "in round 2 would have been paired differently" in get_bar_text(window)
    assert get_result_field(window).line.hasFocus()
    press_key(window, Qt.Key.Key_Return)
    assert (get_result(session, game).first, get_result(session, game).second) == (
        result_before.second,
        result_before.first,
    )
    assert not get_result_field(window).bar.isVisible()
    assert get_result_field(window).line.text() == ""
    assert get_result_field(window).line.hasFocus()


def test_impact_bar_esc_keeps_result_and_typed_text(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 2)
    result_before = get_result(session, game)
    line = make_swapped_line(session, game)
    QTest.keyClicks(get_result_field(window).line, line)
    press_key(window, Qt.Key.Key_Return)
    press_key(window, Qt.Key.Key_Escape)
    assert not get_result_field(window).bar.isVisible()
    assert get_result_field(window).line.text() == line
    press_key(window, Qt.Key.Key_Return)
    assert get_result_field(window).bar.isVisible()
    assert get_result(session, game) == result_before


@pytest.mark.slow
def test_impact_bar_closes_when_typing_continues(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 1)
    QTest.keyClicks(get_result_field(window).line, make_swapped_line(session, game))
    press_key(window, Qt.Key.Key_Return)
    QTest.keyClicks(get_result_field(window).line, "1")
    assert not get_result_field(window).bar.isVisible()
    assert get_result_field(window).line.text().endswith("1")


def test_impact_bar_is_not_shown_in_the_current_round(window: Window) -> None:
    session = window.session
    session.choose_round(2)
    for line in ("1 400 300", "1 300 400"):
        QTest.keyClicks(get_result_field(window).line, line)
        press_key(window, Qt.Key.Key_Return)
    assert not get_result_field(window).bar.isVisible()
    press_key(window, Qt.Key.Key_Return)
    assert get_result(session, get_game(session, 2, 1)).second == 400


@pytest.mark.slow
def test_impact_bar_previews_a_change_of_a_checked_result(window: Window) -> None:
    session = window.session
    enter_results(session)
    session.choose_round(2)
    game = get_game(session, 2, 1)
    session.do(partial(commands.check_result, game=game.id))
    QTest.keyClicks(get_result_field(window).line, make_swapped_line(session, game))
    press_key(window, Qt.Key.Key_Return)
    assert "wins, not" in get_bar_text(window)
    assert "later" not in get_bar_text(window).casefold()
    press_key(window, Qt.Key.Key_Return)
    assert get_result(session, game).state is ResultState.ENTERED


def test_impact_bar_asks_for_a_reason_to_clear_a_certified_result(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 3)
    session.do(partial(commands.certify_result, game=game.id))
    view = get_rounds_page(window).view
    QTest.keyClicks(get_result_field(window).line, "2 4")
    view.select_row(game.id)
    view.setFocus()
    press_key(window, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    bar = get_result_field(window).bar
    assert "The pairings for round 2 depend on this result" in get_bar_text(window)
    assert bar.reason.hasFocus()
    press_key(window, Qt.Key.Key_Return)
    assert session.index.get_result(game.id) is not None
    assert bar.reason.property("wrong")
    QTest.keyClicks(bar.reason, "wrong sheet")
    press_key(window, Qt.Key.Key_Return)
    assert session.index.get_result(game.id) is None
    assert session.desk.list_all_steps()[-1].facts["reason"] == "wrong sheet"
    assert view.hasFocus()
    assert get_result_field(window).line.text() == "2 4"


def test_impact_bar_previews_a_score_edited_in_the_table(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 4)
    result_before = get_result(session, game)
    get_rounds_page(window).edit_cell(game.id, "score1", "333")
    assert get_result_field(window).bar.yes.hasFocus()
    assert "333" in get_bar_text(window)
    press_key(window, Qt.Key.Key_Escape)
    assert get_result(session, game) == result_before
    get_rounds_page(window).edit_cell(game.id, "score1", "333")
    press_key(window, Qt.Key.Key_Return)
    assert (get_result(session, game).first, get_result(session, game).second) == (333, result_before.second)
    assert get_rounds_page(window).view.hasFocus()


@pytest.mark.slow
def test_impact_bar_closes_or_updates_after_another_change(window: Window) -> None:
    session, game, other_game = window.session, get_game(window.session, 1, 1), get_game(window.session, 1, 2)
    QTest.keyClicks(get_result_field(window).line, make_swapped_line(session, game))
    press_key(window, Qt.Key.Key_Return)
    text_before = get_bar_text(window)
    session.desk.do(partial(commands.enter_result, game=other_game.id, first=0, second=900))
    assert get_bar_text(window) != text_before
    session.desk.do(partial(commands.enter_result, game=game.id, first=1, second=900))
    assert not get_result_field(window).bar.isVisible()
    session.undo()
    press_key(window, Qt.Key.Key_Return)
    assert get_result_field(window).bar.isVisible()


def test_impact_bar_adds_later_rounds_when_computed(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    pending_calls: list[Callable[[], None]] = []

    class SlowTask:
        def cancel_work(self) -> None:
            pending_calls.clear()

    def run_slowly(
        _self: Session, call: Callable[[], object], *, on_success: Callable[[object], None], **_: object
    ) -> SlowTask:
        pending_calls.append(lambda: on_success(call()))
        return SlowTask()

    monkeypatch.setattr(Session, "run_in_background", run_slowly)
    session, game = window.session, get_game(window.session, 1, 1)
    QTest.keyClicks(get_result_field(window).line, make_swapped_line(session, game))
    press_key(window, Qt.Key.Key_Return)
    assert "Checking later rounds…" in get_bar_text(window)
    assert "New ranks after round 1" in get_bar_text(window)
    pending_calls[0]()
    assert "in round 2 would have been paired differently" in get_bar_text(window)
    press_key(window, Qt.Key.Key_Escape)
    assert not pending_calls


def test_result_field_shows_played_and_counted_points_of_a_sanctioned_game(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 1)
    saved_result = get_result(session, game)
    sanction = partial(commands.add_sanction, key="x", player=game.first, kind=SanctionKind.POINTS, points=10)
    session.do(partial(sanction.func, **sanction.keywords, why="noise", round_number=1))
    name = session.tournament.players[game.first].name
    QTest.keyClicks(get_result_field(window).line, "1 400 300")
    text = get_result_field(window).echo_label.text()
    assert f"{name} −10 as a sanction" in text
    assert "the game counts as <b>390 – 300</b>" in text
    assert "+90" in text
    rows = get_rounds_page(window).rows
    cell = rows.index(rows.find_row_position(game.id), rows.list_column_ids().index("score1"))
    assert rows.data(cell, Qt.ItemDataRole.DisplayRole) == str((saved_result.first or 0) - 10)
    assert rows.data(cell, Qt.ItemDataRole.EditRole) == str(saved_result.first)
    get_result_field(window).line.clear()
    QTest.keyClicks(get_result_field(window).line, f"1 {saved_result.first} {saved_result.second}")
    assert "This result has already been entered" in get_result_field(window).more_label.text()


@pytest.mark.slow
def test_running_spread_includes_fines_of_the_tournament(window: Window) -> None:
    session = window.session
    session.choose_round(2)
    game = get_game(session, 2, 1)
    row = next(
        row
        for row in compute_standings(session.index, session.tournament.divisions[A])
        if row.player.id == game.first
    )
    fine = partial(
        commands.add_sanction, key="m", player=game.first, kind=SanctionKind.MARGIN, points=100, why="late"
    )
    session.do(fine)
    QTest.keyClicks(get_result_field(window).line, "1 400 300")
    assert (
        f"{row.player.name}  2–0  {session.catalogue.format_signed_value(row.spread)}"
        in get_result_field(window).more_label.text()
    )


def test_running_spread_includes_points_taken_from_the_tournament(window: Window) -> None:
    session = window.session
    rules = session.tournament.ruleset
    changed_rules = replace(rules, sanctions=replace(rules.sanctions, points_from=SanctionPointsSource.TOURNAMENT))
    session.do(partial(commands.change_rules, ruleset=changed_rules))
    session.choose_round(2)
    game = get_game(session, 2, 1)
    fine = partial(commands.add_sanction, key="m", kind=SanctionKind.POINTS, points=40, why="late")
    session.do(partial(fine, player=game.first))
    QTest.keyClicks(get_result_field(window).line, "1 400 300")
    preview = get_result_field(window).more_label.text()
    press_key(window, Qt.Key.Key_Return)
    for player in (game.first, game.second):
        rows = compute_standings(session.index, session.tournament.divisions[A])
        row = next(row for row in rows if row.player.id == player)
        assert (
            f"{row.player.name}  {row.wins}–{row.losses}  {session.catalogue.format_signed_value(row.spread)}"
            in preview
        )


@pytest.mark.slow
def test_running_spread_belongs_to_its_player_after_a_swapped_start(window: Window) -> None:
    session = window.session
    session.choose_round(2)
    drawn_game = get_game(session, 2, 1)
    session.desk.do(lambda value: value.put(replace(drawn_game, start=StartDecision.DRAW)), label="set-starter")
    for key, player, points in (("a", drawn_game.first, 10), ("b", drawn_game.second, 30)):
        fine = partial(commands.add_sanction, key=key, kind=SanctionKind.POINTS, why="noise", round_number=2)
        session.do(partial(fine, player=player, points=points))
    first, second = (
        session.tournament.players[player_id].name for player_id in (drawn_game.first, drawn_game.second)
    )
    QTest.keyClicks(get_result_field(window).line, "1 400 300*")
    text = get_result_field(window).echo_label.text()
    for expected_text in (
        f"{first} −10 as a sanction",
        f"{second} −30 as a sanction",
        "the game counts as <b>390 – 270</b>",
    ):
        assert expected_text in text
    preview = get_result_field(window).more_label.text()
    press_key(window, Qt.Key.Key_Return)
    assert get_game(session, 2, 1).first == drawn_game.second
    saved_result = get_result(session, drawn_game)
    assert (saved_result.first, saved_result.second) == (270, 390)
    for player in (drawn_game.first, drawn_game.second):
        rows = compute_standings(session.index, session.tournament.divisions[A])
        row = next(row for row in rows if row.player.id == player)
        assert (
            f"{row.player.name}  {row.wins}–{row.losses}  {session.catalogue.format_signed_value(row.spread)}"
            in preview
        )


def test_rounds_page_names_the_certifier_of_a_result(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1, 1)
    get_rounds_page(window).view.select_row(game.id)
    assert "certified" not in get_rounds_page(window).footer.text()
    session.do(partial(commands.certify_result, game=game.id))
    get_rounds_page(window).view.select_row(game.id)
    step = session.desk.list_all_steps()[-1]
    assert (
        f"certified by {step.station}, {session.catalogue.format_utc_as_local_time(step.at)}"
        in get_rounds_page(window).footer.text()
    )
    session.undo()
    assert "certified" not in get_rounds_page(window).footer.text()
    session.do(partial(commands.certify_result, game=game.id, author="Ida of the jury"))
    get_rounds_page(window).view.select_row(game.id)
    assert "certified by Ida of the jury" in get_rounds_page(window).footer.text()


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de"], indirect=True)
def test_rounds_page_names_the_role_of_a_station(empty_session: Session, qtbot: QtBot) -> None:
    value = play_rounds(make_tournament(players=4), 1)
    empty_session.open_tournament_of_desk(Desk(Store.create_in_memory(value), station=Role.DIRECTOR))
    window = show_window(empty_session, qtbot, "rounds")
    game = get_game(window.session, 1, 1)
    empty_session.do(partial(commands.certify_result, game=game.id))
    get_rounds_page(window).view.select_row(game.id)
    assert "bestätigt von Turnierleitung, " in get_rounds_page(window).footer.text()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_impact_bar_works_in_every_language(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, language: str
) -> None:
    session = make_session(language, appearance, settings)
    session.open_tournament_of_desk(make_desk(make_tournament(players=7)))
    for _ in range(3):
        pair_next_round(session)
        enter_results(session)
    session.choose_round(1)
    result_field = ResultField(session)
    qtbot.addWidget(result_field)
    result_field.show()
    result_field.refresh_for_round(session.round)
    for line in (make_swapped_line(session, get_game(session, 1, 1)), "2 -", "3 f1"):
        result_field.line.setText(line)
        QTest.keyClick(result_field.line, Qt.Key.Key_Return)
        texts = [
            label.text()
            for label in (
                result_field.bar.changes,
                result_field.bar._later_effects,
                result_field.more_label,
                result_field.echo_label,
            )
        ]
        assert result_field.bar.isVisible()
        assert not any("{" in text for text in texts)
    session.close()


def test_pair_action_opens_the_round_with_unchecked_results(window: Window, qtbot: QtBot) -> None:
    session = window.session
    enter_results(session)
    window.show_page("tournament")
    tournament_page = window.page
    assert isinstance(tournament_page, TournamentPage)
    tournament_page._check_first.setFocus()
    QTest.keyClick(tournament_page._check_first, Qt.Key.Key_Space)
    assert session.tournament.event.check_first
    window.show_page("rounds")
    press_key(window, Qt.Key.Key_F6)
    assert (window.page.id, session.round_number) == ("jury", 1)
    assert len(session.index.rounds(A)) == 2
    window.show_page("rounds")
    for table in (1, 2):
        session.do(partial(commands.check_result, game=get_game(session, 1, table).id))
    session.choose_round(2)
    link_name = "10 results must be checked before round 3 is paired"

    def find_links() -> list[QPushButton]:
        buttons = (button for button in window.findChildren(QPushButton) if button.isVisible())
        return [button for button in buttons if button.accessibleName() == link_name]

    qtbot.waitUntil(lambda: bool(find_links()))
    QTest.mouseClick(find_links()[0], Qt.MouseButton.LeftButton)
    assert (window.page.id, session.round_number) == ("jury", 1)
