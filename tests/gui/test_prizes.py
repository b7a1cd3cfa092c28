"""Tests of the Standings page: prizes, categories, teams and ratings."""

from __future__ import annotations

from functools import cache, partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, Prize, PrizeKind
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import standings
from tdapp.domain.tables.standings import make_category_table, make_team_table
from tdapp.domain.tournament import Tournament
from tdapp.gui.editor.fields import parse_money_amount
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.help_view import HelpPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.prizes_view import PrizesView
from tdapp.gui.standings.ratings_view import RatingsView
from tdapp.gui.standings.team_views import TeamsView
from tdapp.gui.widgets.rows import TableRowsModel
from tests.gui.samples import A, make_desk, make_tournament, play_rounds
from tests.gui.windows import get_application_focus, get_page, show_window


@cache
def make_tournament_after_two_rounds() -> Tournament:
    value = make_tournament(players=9)
    for index, player in enumerate(TournamentIndex(value).players(A)):
        value = commands.edit_player(value, player=player.id, team=("Reds", "Blues", "")[index % 3])
    return play_rounds(value, 2)


def attach_tournament_after_two_rounds(session: Session) -> None:
    """Attach a tournament of nine players in categories A and B, with teams, after two rounds."""
    session.open_tournament_of_desk(make_desk(make_tournament_after_two_rounds()))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    attach_tournament_after_two_rounds(empty_session)
    return show_window(empty_session, qtbot, "standings")


get_standings_page = partial(get_page, kind=StandingsPage)


def open_prizes_view(window: Window) -> PrizesView:
    window.get_action("prizes").trigger()
    return get_standings_page(window).get_or_make_view(PrizesView)


def get_ratings_view(window: Window) -> RatingsView:
    return get_standings_page(window).get_or_make_view(RatingsView)


def list_prizes(window: Window) -> tuple[Prize, ...]:
    return window.session.index.prizes(A)


def read_column(rows: TableRowsModel, name: str) -> list[str]:
    column = rows.list_column_ids().index(name)
    return [str(rows.index(row, column).data()) for row in range(rows.rowCount())]


def select_cell(view: PrizesView, row: int, name: str) -> None:
    view.view.setFocus()
    view.view.setCurrentIndex(view.rows.index(row, view.rows.list_column_ids().index(name)))


# --- prizes


def test_prizes_view_adds_prizes_by_keys(window: Window) -> None:
    view = open_prizes_view(window)
    view.editor.get_field_widget("amount").setFocus()
    QTest.keyClicks(get_application_focus(), "100")
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    assert get_application_focus() is view.editor.get_field_widget("amount")
    QTest.keyClicks(get_application_focus(), "62,50")
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    assert [(prize.kind, prize.place, prize.amount) for prize in list_prizes(window)] == [
        (PrizeKind.RANK, 1, 10000), (PrizeKind.RANK, 2, 6250),
    ]  # fmt: skip
    first_row, second_row, *_ = compute_standings(window.session.index, window.session.tournament.divisions[A])
    assert read_column(view.rows, "winners") == [first_row.player.name, second_row.player.name]
    assert read_column(view.rows, "each") == ["100.00", "62.50"]


def test_prizes_view_shows_a_note_about_a_later_knockout(window: Window) -> None:
    view, session = open_prizes_view(window), window.session
    assert not view.knockout_note.isVisible()
    session.do(partial(commands.add_stage, key="k", division=A, system="knockout", rounds=2, cut=4))
    assert view.knockout_note.isVisible()
    assert view.knockout_note.text() == "The knockout that follows decides the prizes."


def test_prizes_view_shows_the_fields_of_the_kind(window: Window) -> None:
    view = open_prizes_view(window)
    assert view.editor.get_field_widget("category").isHidden()
    assert view.editor.get_field_widget("games").isHidden()
    view.editor.get_field_widget("kind").choose_value(PrizeKind.TUFF_LUCK)
    assert not view.editor.get_field_widget("category").isHidden()
    assert not view.editor.get_field_widget("games").isHidden()
    view.editor.get_field_widget("kind").choose_value(PrizeKind.HAND)
    assert view.editor.get_field_widget("place").isHidden()


@pytest.mark.slow
def test_prizes_view_requires_the_category_of_a_category_prize(window: Window) -> None:
    view = open_prizes_view(window)
    view.editor.get_field_widget("kind").choose_value(PrizeKind.CATEGORY)
    view.editor.get_field_widget("amount").setFocus()
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    assert list_prizes(window) == ()
    assert get_application_focus() is view.editor.get_field_widget("category")
    QTest.keyClicks(get_application_focus(), "B")
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    assert [prize.category for prize in list_prizes(window)] == ["B"]
    assert "in category B" in read_first_explanation(view)


@pytest.mark.slow
def test_prizes_view_proposes_the_first_free_place_of_a_kind(window: Window) -> None:
    for place in (1, 2, 4):
        window.session.do(
            partial(commands.add_prize, key=f"x{place}", division=A, kind=PrizeKind.RANK, place=place)
        )
    view = open_prizes_view(window)
    assert view.editor.get_field_widget("place").text() == "3"
    view.editor.get_field_widget("kind").choose_value(PrizeKind.HIGH_GAME)
    assert view.editor.get_field_widget("place").text() == "1"
    view.editor.get_field_widget("kind").choose_value(PrizeKind.RANK)
    view.editor.get_field_widget("place").setText("99")
    view.editor.get_field_widget("kind").choose_value(PrizeKind.CATEGORY)
    assert view.editor.get_field_widget("place").text() == "1"


@pytest.mark.slow
def test_prizes_view_without_prizes_focuses_the_form(window: Window) -> None:
    view = open_prizes_view(window)
    assert get_application_focus() is view.editor.get_field_widget("kind")
    view.editor.get_field_widget("amount").setFocus()
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    window.get_action("standings").trigger()
    window.get_action("prizes").trigger()
    assert get_application_focus() is view.view


def read_first_explanation(view: PrizesView) -> str:
    select_cell(view, 0, "kind")
    return view.explanation.text()


@pytest.mark.parametrize("typed_text", ["x", "1.234", "-5", "1,2,3"])
def test_prizes_view_refuses_an_invalid_amount(window: Window, typed_text: str) -> None:
    view = open_prizes_view(window)
    view.editor.get_field_widget("amount").setFocus()
    QTest.keyClicks(get_application_focus(), typed_text)
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    assert list_prizes(window) == ()
    assert get_application_focus() is view.editor.get_field_widget("amount")


def test_parse_money_amount_accepts_common_spellings() -> None:
    assert [parse_money_amount(text) for text in ("", "25", "12.5", "12,50", " 0.05 ")] == [0, 2500, 1250, 1250, 5]


def add_prize(window: Window, kind: PrizeKind, **fields: object) -> None:
    session = window.session
    session.do(partial(commands.add_prize, key=session.make_row_id(), division=A, kind=kind, **fields))  # type: ignore[arg-type]


def press_enter_in_cell() -> None:
    """Press Enter in a cell and process events, because Qt saves the text with a delay."""
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    QApplication.processEvents()


def type_into_cell(view: PrizesView, row: int, name: str, text: str) -> None:
    select_cell(view, row, name)
    QTest.keyClick(view.view, Qt.Key.Key_F2)
    QTest.keyClicks(get_application_focus(), text)
    press_enter_in_cell()


def test_prizes_view_edits_cells(window: Window) -> None:
    add_prize(window, PrizeKind.RANK, amount=1000, text="x", category="")
    add_prize(window, PrizeKind.LUCKY_STIFF, games=1)
    view = open_prizes_view(window)
    type_into_cell(view, 0, "amount", "75")
    type_into_cell(view, 0, "prize_place", "3")
    type_into_cell(view, 0, "text", "a cup")
    type_into_cell(view, 1, "prize_games", "2")
    type_into_cell(view, 1, "kind", "tuff")
    first, second = list_prizes(window)
    assert (first.amount, first.place, first.text) == (7500, 3, "a cup")
    assert (second.games, second.kind) == (2, PrizeKind.TUFF_LUCK)


@pytest.mark.slow
@pytest.mark.parametrize(("column", "text"), [("amount", "much"), ("prize_place", "0"), ("kind", "zebra")])
def test_prizes_view_refuses_a_wrong_edit(window: Window, column: str, text: str) -> None:
    add_prize(window, PrizeKind.RANK, amount=1000)
    view = open_prizes_view(window)
    prizes_before = list_prizes(window)
    type_into_cell(view, 0, column, text)
    assert list_prizes(window) == prizes_before


def test_prizes_view_moves_and_removes_prizes_by_keys(window: Window) -> None:
    for place in (1, 2, 3):
        add_prize(window, PrizeKind.RANK, place=place)
    view = open_prizes_view(window)
    select_cell(view, 2, "kind")
    QTest.keyClick(view.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [prize.place for prize in list_prizes(window)] == [1, 3, 2]
    assert view.view.get_current_row_key() == list_prizes(window)[1].id
    QTest.keyClick(view.view, Qt.Key.Key_Delete)
    assert [prize.place for prize in list_prizes(window)] == [1, 2]
    window.session.undo()
    assert [prize.place for prize in list_prizes(window)] == [1, 3, 2]


@pytest.mark.qt_log_ignore(
    "does not support (raise|grabbing)", extend=True
)  # Qt logs it for a popup without a screen
def test_prizes_view_sets_a_winner_by_hand(window: Window) -> None:
    add_prize(window, PrizeKind.HAND, text="best hat")
    view = open_prizes_view(window)
    assert view.given_to.isHidden()
    select_cell(view, 0, "text")
    assert not view.given_to.isHidden()
    player = window.session.index.players(A)[3]
    view.given_to.choose_value(player.id)
    assert list_prizes(window)[0].player == player.id
    assert read_column(view.rows, "winners") == [player.name]
    view.given_to.selectAll()
    QTest.keyClicks(view.given_to, "x")
    assert list_prizes(window)[0].player == player.id, "a search changes no winner"
    QTest.keyClick(view.given_to, Qt.Key.Key_Backspace)
    assert list_prizes(window)[0].player is None


def test_prizes_view_updates_winners_after_a_result(window: Window) -> None:
    add_prize(window, PrizeKind.HIGH_GAME, amount=500)
    view = open_prizes_view(window)
    session = window.session
    game = session.index.games(session.index.rounds(A)[-1].id)[-1]
    session.do(partial(commands.enter_result, game=game.id, first=300, second=777))
    assert read_column(view.rows, "winners") == [session.tournament.players[game.second].name]
    select_cell(view, 0, "kind")
    assert "777 – 300" in view.explanation.text()


@pytest.mark.slow
def test_prizes_view_explains_shared_prizes_in_few_lines(window: Window) -> None:
    session = window.session
    for game in session.index.games(session.index.rounds(A)[-1].id):
        session.do(partial(commands.enter_result, game=game.id, first=555, second=400))
    add_prize(window, PrizeKind.HIGH_LOSS, amount=1000)
    view = open_prizes_view(window)
    select_cell(view, 0, "kind")
    lines = view.explanation.text().splitlines()
    assert lines[3:] == ["and one more", "4 players share 10.00, the prizes for places 1 to 4"]


def test_prizes_view_opens_the_card_of_a_winner_by_enter(window: Window) -> None:
    add_prize(window, PrizeKind.RANK, amount=500)
    view = open_prizes_view(window)
    select_cell(view, 0, "winners")
    QTest.keyClick(view.view, Qt.Key.Key_Return)
    assert isinstance(window.panel, PlayerCardPanel)


def test_prizes_view_explains_an_empty_list(window: Window) -> None:
    view = open_prizes_view(window)
    assert "No prizes yet" in view.view.accessibleDescription()
    assert not view.editor.remove_button.isEnabled()


def test_prizes_view_is_read_only_in_a_finished_tournament(window: Window) -> None:
    add_prize(window, PrizeKind.RANK, amount=500)
    window.session.do(partial(commands.finish_tournament))
    view = open_prizes_view(window)
    select_cell(view, 0, "amount")
    QTest.keyClick(view.view, Qt.Key.Key_Delete)
    assert len(list_prizes(window)) == 1
    assert not view.editor.save_button.isEnabled()
    assert view.rows.locked


# --- choice of a view, categories, teams, ratings


def test_standings_page_choice_opens_every_view(window: Window) -> None:
    page = get_standings_page(window)
    choices = [page.part.itemText(index) for index in range(page.part.count())]
    pictures = ["Crosstable", "Round by round", "Scores and margins"]
    assert choices == [
        "Everyone",
        "Category A",
        "Category B",
        "Season",
        "Season ratings",
        *pictures,
        "Teams",
        "Ratings",
        "Prizes",
        "Chances",
    ]
    views = [page.get_or_make_view(kind) for kind in (TeamsView, RatingsView, PrizesView)]
    for index, view in (*enumerate(views, 8), (0, page._ranking)):
        page.part.setCurrentIndex(index)
        assert page._view_stack.currentWidget() is view
        assert page.part.currentIndex() == index
    window.get_action("ratings").trigger()
    assert page.part.currentText() == "Ratings"
    QTest.keyClick(get_application_focus(), Qt.Key.Key_F7)
    assert page._view_stack.currentWidget() is page._ranking


def test_standings_page_ranks_a_category(window: Window) -> None:
    page, session = get_standings_page(window), window.session
    page.part.choose_value(("ranking", "B"))
    expected = make_category_table(session.index, session.tournament.divisions[A], "B").rows
    assert [read_column(page.rows, name) for name in ("class_rank", "rank", "name")] == [
        [str(row.place) for row in expected],
        [str(row.standing.rank) for row in expected],
        [row.player.name for row in expected],
    ]
    assert "category B" in page.title.text()
    page.reveal_row(expected[0].key)  # shows all players again
    assert "class_rank" not in page.rows.list_column_ids()
    assert page.get_current_player_id() == expected[0].player.id


@pytest.mark.slow
def test_standings_page_shows_all_players_after_a_removed_category(window: Window) -> None:
    page, session = get_standings_page(window), window.session
    page.part.choose_value(("ranking", "B"))
    for player in session.index.players(A):
        session.do(partial(commands.edit_player, player=player.id, category="A"))
    assert page.rows.rowCount() == 9
    assert page.part.currentText() == "Everyone"


def test_teams_view_counts_all_or_the_best(window: Window) -> None:
    window.get_action("teams").trigger()
    view, session = get_standings_page(window).get_or_make_view(TeamsView), window.session
    division = session.tournament.divisions[A]
    assert read_column(view.rows, "team") == [row.team for row in make_team_table(session.index, division).rows]
    view.best.choose_value(2)
    best_rows = make_team_table(session.index, division, best=2).rows
    assert read_column(view.rows, "counting") == [row.counted_player_names for row in best_rows]
    assert view.get_counted_player_limit() == 2


def test_teams_view_explains_missing_teams(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    window.get_action("teams").trigger()
    assert (
        "No players are in a team"
        in get_standings_page(window).get_or_make_view(TeamsView).view.accessibleDescription()
    )


def test_ratings_view_uses_the_chosen_system(window: Window) -> None:
    window.get_action("ratings").trigger()
    view, session = get_ratings_view(window), window.session
    assert view.system.value() == "elo"
    view.system.choose_value("naspa")
    division = session.tournament.divisions[A]
    assert division.rating == "naspa"
    expected = standings.make_rating_table(session.index, division, view.systems["naspa"]).rows
    assert read_column(view.rows, "new_rating") == [str(row.rated_player.new) for row in expected]
    assert "wordgameplayers" in view.note.text()
    session.undo()
    assert view.system.value() == "elo"
    assert "No player has a rating" not in view.note.text()
    for player in session.index.players(A):
        session.do(partial(commands.edit_player, player=player.id, rating=None))
    assert view.note.text().startswith("No player has a rating yet")


def test_ratings_view_edits_earlier_games(window: Window) -> None:
    window.get_action("ratings").trigger()
    view, session = get_ratings_view(window), window.session
    column = view.rows.list_column_ids().index("rated_games")
    for typed_text, saved_count in (("12", 12), ("many", 12), ("", None)):
        view.view.setFocus()
        view.view.setCurrentIndex(view.rows.index(0, column))
        QTest.keyClick(view.view, Qt.Key.Key_F2)
        QTest.keyClick(get_application_focus(), Qt.Key.Key_Delete)
        QTest.keyClicks(get_application_focus(), typed_text)
        press_enter_in_cell()
        assert session.tournament.players[PlayerId(view.rows.keys()[0])].rated_games == saved_count


@pytest.mark.slow
def test_ratings_view_names_an_unknown_system(window: Window) -> None:
    session = window.session
    session.do(partial(commands.choose_rating, division=A, rating="atlantis"))
    window.get_action("ratings").trigger()
    assert "atlantis" in get_ratings_view(window).note.text()


def test_standings_page_applies_an_earlier_round_to_all_views(window: Window) -> None:
    add_prize(window, PrizeKind.RANK, amount=500)
    page = get_standings_page(window)
    open_prizes_view(window)
    page.after.choose_value(1)
    assert "round 1" in page.title.text()
    page.part.choose_value(("ratings", ""))
    assert "round 1" in page.title.text()
    assert set(read_column(get_ratings_view(window).rows, "games")) <= {"0", "1"}


@pytest.mark.parametrize("part", ["prizes", "ratings"])
def test_f1_opens_the_help_topic_of_a_standings_view(window: Window, part: str) -> None:
    window.get_action(part).trigger()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert isinstance(window.panel, HelpPanel)
    assert window.panel.view.topic == part


def test_standings_page_explains_spread_caps(window: Window) -> None:
    page = get_standings_page(window)
    assert "spread cap by round" not in page.order.toolTip()
    window.session.do(partial(commands.set_spread_caps, division=A, caps=(200, 0)))
    assert "spread cap by round: 200, none" in page.order.toolTip()


@pytest.mark.parametrize(("action", "report"), [("prizes", "prizes"), ("ratings", "ratings"), ("teams", "teams")])
def test_standings_page_prints_the_shown_view(window: Window, qtbot: QtBot, action: str, report: str) -> None:
    window.session.do(partial(commands.add_prize, key="x", division=A, kind=PrizeKind.RANK, place=1))
    window.get_action(action).trigger()
    window.get_action("print-standings").trigger()
    preview = next(preview for preview in window.findChildren(PrintPreview) if preview.isVisible())
    qtbot.waitUntil(lambda: bool(preview.pdf))
    assert preview.request.report == report
    preview.reject()


@pytest.mark.slow
def test_standings_page_prints_a_category(window: Window, qtbot: QtBot) -> None:
    get_standings_page(window).part.choose_value(("ranking", "B"))
    window.get_action("print-standings").trigger()
    preview = next(preview for preview in window.findChildren(PrintPreview) if preview.isVisible())
    qtbot.waitUntil(lambda: bool(preview.pdf))
    assert preview.request.category == "B"
    preview.report.choose_value("players")
    assert not preview.category.isEnabled()
    preview.reject()


@pytest.fixture
def translated_session(translated_session: Session) -> Session:
    attach_tournament_after_two_rounds(translated_session)
    return translated_session


@pytest.mark.slow
def test_prizes_view_fills_every_text_in_every_language(translated_session: Session, qtbot: QtBot) -> None:
    window = show_window(translated_session, qtbot, "standings")
    for kind in PrizeKind:
        add_prize(window, kind, amount=500, category="" if kind is not PrizeKind.CATEGORY else "B", games=1)
    view = open_prizes_view(window)
    texts = []
    for row in range(view.rows.rowCount()):
        select_cell(view, row, "kind")
        texts += [view.explanation.text(), get_standings_page(window).title.text()]
    window.get_action("ratings").trigger()
    texts.append(get_ratings_view(window).note.text())
    assert not any("{" in text for text in texts)
