"""Prizes, classes, teams and ratings on the Standings page, by keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Prize, PrizeKind
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import standings
from tdapp.domain.tables.standings import make_category_table, make_team_table
from tdapp.domain.tournament import Tournament
from tdapp.gui.editor.fields import parse_money_amount
from tdapp.gui.players.card import CardPanel
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.help_view import HelpPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.side_views import PrizesView, RatingsView, TeamsView
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tests.gui.samples import A, make_desk, make_session, make_tournament, play_rounds
from tests.gui.windows import get_page, show_window


@cache
def _played() -> Tournament:
    value = make_tournament(players=9)
    for place, player in enumerate(Index(value).players(A)):
        value = commands.edit_player(value, player=player.id, team=("Reds", "Blues", "")[place % 3])
    return play_rounds(value, 2)


def played(session: Session) -> None:
    """Open a tournament of nine players after two rounds; classes A and B, teams of three."""
    session.attach_desk(make_desk(_played()))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    played(empty_session)
    return show_window(empty_session, qtbot, "standings")


page_of = partial(get_page, kind=StandingsPage)


def prizes_of(window: Window) -> PrizesView:
    window.command("prizes").trigger()
    return page_of(window).get_or_make_view(PrizesView)


def ratings_of(window: Window) -> RatingsView:
    return page_of(window).get_or_make_view(RatingsView)


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def listed(window: Window) -> tuple[Prize, ...]:
    return window.session.index.prizes(A)


def cells(rows: TableRowsModel, name: str) -> list[str]:
    place = rows.list_column_ids().index(name)
    return [str(rows.index(row, place).data()) for row in range(rows.rowCount())]


def go_to(view: PrizesView, row: int, name: str) -> None:
    view.view.setFocus()
    view.view.setCurrentIndex(view.rows.index(row, view.rows.list_column_ids().index(name)))


# --- prizes


def test_prizes_view_adds_prizes_by_keys(window: Window) -> None:
    view = prizes_of(window)
    view.editor.field("amount").setFocus()
    QTest.keyClicks(focused(), "100")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert focused() is view.editor.field("amount")
    QTest.keyClicks(focused(), "62,50")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert [(one.kind, one.place, one.amount) for one in listed(window)] == [
        (PrizeKind.RANK, 1, 10000), (PrizeKind.RANK, 2, 6250),
    ]  # fmt: skip
    best, second, *_ = compute_standings(window.session.index, window.session.tournament.divisions[A])
    assert cells(view.rows, "winners") == [best.player.name, second.player.name]
    assert cells(view.rows, "each") == ["100.00", "62.50"]


def test_prizes_view_says_that_a_later_knockout_decides(window: Window) -> None:
    view, session = prizes_of(window), window.session
    assert not view.knockout_note.isVisible()
    session.do(partial(commands.add_stage, key="k", division=A, system="knockout", rounds=2, cut=4))
    assert view.knockout_note.isVisible()
    assert view.knockout_note.text() == "The knockout that follows decides the prizes."


def test_prizes_view_shows_the_fields_of_the_kind(window: Window) -> None:
    view = prizes_of(window)
    assert view.editor.field("category").isHidden()
    assert view.editor.field("games").isHidden()
    view.editor.field("kind").choose(PrizeKind.TUFF_LUCK)
    assert not view.editor.field("category").isHidden()
    assert not view.editor.field("games").isHidden()
    view.editor.field("kind").choose(PrizeKind.HAND)
    assert view.editor.field("place").isHidden()


@pytest.mark.slow
def test_prizes_view_asks_a_category_prize_for_its_category(window: Window) -> None:
    view = prizes_of(window)
    view.editor.field("kind").choose(PrizeKind.CATEGORY)
    view.editor.field("amount").setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert listed(window) == ()
    assert focused() is view.editor.field("category")
    QTest.keyClicks(focused(), "B")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert [one.category for one in listed(window)] == ["B"]
    assert "of category B" in chosen_reason(view)


@pytest.mark.slow
def test_prizes_view_proposes_the_first_free_place_of_a_kind(window: Window) -> None:
    for place in (1, 2, 4):
        window.session.do(
            partial(commands.add_prize, key=f"x{place}", division=A, kind=PrizeKind.RANK, place=place)
        )
    view = prizes_of(window)
    assert view.editor.field("place").text() == "3"
    view.editor.field("kind").choose(PrizeKind.HIGH_GAME)
    assert view.editor.field("place").text() == "1"
    view.editor.field("kind").choose(PrizeKind.RANK)
    view.editor.field("place").setText("99")
    view.editor.field("kind").choose(PrizeKind.CATEGORY)
    assert view.editor.field("place").text() == "1"


@pytest.mark.slow
def test_prizes_view_without_prizes_focuses_the_form(window: Window) -> None:
    view = prizes_of(window)
    assert focused() is view.editor.field("kind")
    view.editor.field("amount").setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    window.command("standings").trigger()
    window.command("prizes").trigger()
    assert focused() is view.view


def chosen_reason(view: PrizesView) -> str:
    go_to(view, 0, "kind")
    return view.explanation.text()


@pytest.mark.parametrize("typed", ["x", "1.234", "-5", "1,2,3"])
def test_prizes_view_refuses_an_invalid_amount(window: Window, typed: str) -> None:
    view = prizes_of(window)
    view.editor.field("amount").setFocus()
    QTest.keyClicks(focused(), typed)
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert listed(window) == ()
    assert focused() is view.editor.field("amount")


def test_read_amount_accepts_common_spellings() -> None:
    assert [parse_money_amount(one) for one in ("", "25", "12.5", "12,50", " 0.05 ")] == [0, 2500, 1250, 1250, 5]


def added(window: Window, kind: PrizeKind, **fields: object) -> None:
    session = window.session
    session.do(partial(commands.add_prize, key=session.make_row_id(), division=A, kind=kind, **fields))  # type: ignore[arg-type]


def entered() -> None:
    """Press Enter in a cell; Qt hands the text over a moment later."""
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    QApplication.processEvents()


def typed_into(view: PrizesView, row: int, name: str, text: str) -> None:
    go_to(view, row, name)
    QTest.keyClick(view.view, Qt.Key.Key_F2)
    QTest.keyClicks(focused(), text)
    entered()


def test_prizes_view_edits_cells(window: Window) -> None:
    added(window, PrizeKind.RANK, amount=1000, text="x", category="")
    added(window, PrizeKind.LUCKY_STIFF, games=1)
    view = prizes_of(window)
    typed_into(view, 0, "amount", "75")
    typed_into(view, 0, "prize_place", "3")
    typed_into(view, 0, "text", "a cup")
    typed_into(view, 1, "prize_games", "2")
    typed_into(view, 1, "kind", "tuff")
    first, second = listed(window)
    assert (first.amount, first.place, first.text) == (7500, 3, "a cup")
    assert (second.games, second.kind) == (2, PrizeKind.TUFF_LUCK)


@pytest.mark.slow
@pytest.mark.parametrize(("column", "text"), [("amount", "much"), ("prize_place", "0"), ("kind", "zebra")])
def test_prizes_view_refuses_a_wrong_edit(window: Window, column: str, text: str) -> None:
    added(window, PrizeKind.RANK, amount=1000)
    view = prizes_of(window)
    before = listed(window)
    typed_into(view, 0, column, text)
    assert listed(window) == before


def test_prizes_view_moves_and_removes_prizes_by_keys(window: Window) -> None:
    for place in (1, 2, 3):
        added(window, PrizeKind.RANK, place=place)
    view = prizes_of(window)
    go_to(view, 2, "kind")
    QTest.keyClick(view.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [one.place for one in listed(window)] == [1, 3, 2]
    assert view.view.current_key() == listed(window)[1].id
    QTest.keyClick(view.view, Qt.Key.Key_Delete)
    assert [one.place for one in listed(window)] == [1, 2]
    window.session.undo()
    assert [one.place for one in listed(window)] == [1, 3, 2]


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
def test_prizes_view_sets_a_winner_by_hand(window: Window) -> None:
    added(window, PrizeKind.HAND, text="best hat")
    view = prizes_of(window)
    assert view.given_to.isHidden()
    go_to(view, 0, "text")
    assert not view.given_to.isHidden()
    player = window.session.index.players(A)[3]
    view.given_to.choose(player.id)
    assert listed(window)[0].player == player.id
    assert cells(view.rows, "winners") == [player.name]
    view.given_to.selectAll()
    QTest.keyClicks(view.given_to, "x")
    assert listed(window)[0].player == player.id, "a search takes the prize from nobody"
    QTest.keyClick(view.given_to, Qt.Key.Key_Backspace)
    assert listed(window)[0].player is None


def test_prizes_view_updates_winners_after_a_result(window: Window) -> None:
    added(window, PrizeKind.HIGH_GAME, amount=500)
    view = prizes_of(window)
    session = window.session
    game = session.index.games(session.index.rounds(A)[-1].id)[-1]
    session.do(partial(commands.enter_result, game=game.id, first=300, second=777))
    assert cells(view.rows, "winners") == [session.tournament.players[game.second].name]
    go_to(view, 0, "kind")
    assert "777 – 300" in view.explanation.text()


@pytest.mark.slow
def test_prizes_view_explains_shared_prizes_in_few_lines(window: Window) -> None:
    session = window.session
    for game in session.index.games(session.index.rounds(A)[-1].id):
        session.do(partial(commands.enter_result, game=game.id, first=555, second=400))
    added(window, PrizeKind.HIGH_LOSS, amount=1000)
    view = prizes_of(window)
    go_to(view, 0, "kind")
    lines = view.explanation.text().splitlines()
    assert lines[3:] == ["and one more", "4 players share 10.00, the prizes of places 1 to 4"]


def test_prizes_view_opens_the_card_of_a_winner_by_enter(window: Window) -> None:
    added(window, PrizeKind.RANK, amount=500)
    view = prizes_of(window)
    go_to(view, 0, "winners")
    QTest.keyClick(view.view, Qt.Key.Key_Return)
    assert isinstance(window.panel, CardPanel)


def test_prizes_view_explains_an_empty_list(window: Window) -> None:
    view = prizes_of(window)
    assert "No prizes yet" in view.view.accessibleDescription()
    assert not view.editor.remove_button.isEnabled()


def test_prizes_view_is_read_only_in_a_finished_tournament(window: Window) -> None:
    added(window, PrizeKind.RANK, amount=500)
    window.session.do(partial(commands.finish_tournament))
    view = prizes_of(window)
    go_to(view, 0, "amount")
    QTest.keyClick(view.view, Qt.Key.Key_Delete)
    assert len(listed(window)) == 1
    assert not view.editor.save_button.isEnabled()
    assert view.rows.locked


# --- the chooser, classes, teams, ratings


def test_standings_page_choice_leads_to_every_view(window: Window) -> None:
    page = page_of(window)
    offered = [page.part.itemText(place) for place in range(page.part.count())]
    pictures = ["Crosstable", "Round by round", "Scores and margins"]
    assert offered == [
        "Everybody",
        "Category A",
        "Category B",
        "Season",
        "Ratings of the season",
        *pictures,
        "Teams",
        "Ratings",
        "Prizes",
        "Chances",
    ]
    views = [page.get_or_make_view(kind) for kind in (TeamsView, RatingsView, PrizesView)]
    for place, part in (*enumerate(views, 8), (0, page._ranking)):
        page.part.setCurrentIndex(place)
        assert page._view_stack.currentWidget() is part
        assert page.part.currentIndex() == place
    window.command("ratings").trigger()
    assert page.part.currentText() == "Ratings"
    QTest.keyClick(focused(), Qt.Key.Key_F7)
    assert page._view_stack.currentWidget() is page._ranking


def test_standings_page_ranks_a_category(window: Window) -> None:
    page, session = page_of(window), window.session
    page.part.choose(("ranking", "B"))
    expected = make_category_table(session.index, session.tournament.divisions[A], "B").rows
    assert [cells(page.rows, name) for name in ("class_rank", "rank", "name")] == [
        [str(row.place) for row in expected],
        [str(row.standing.rank) for row in expected],
        [row.player.name for row in expected],
    ]
    assert "category B" in page.title.text()
    page.reveal_row(expected[0].key)  # shows everybody again
    assert "class_rank" not in page.rows.list_column_ids()
    assert page.current_player() == expected[0].player.id


@pytest.mark.slow
def test_standings_page_shows_all_after_a_removed_category(window: Window) -> None:
    page, session = page_of(window), window.session
    page.part.choose(("ranking", "B"))
    for player in session.index.players(A):
        session.do(partial(commands.edit_player, player=player.id, category="A"))
    assert page.rows.rowCount() == 9
    assert page.part.currentText() == "Everybody"


def test_teams_view_counts_all_or_the_best(window: Window) -> None:
    window.command("teams").trigger()
    view, session = page_of(window).get_or_make_view(TeamsView), window.session
    division = session.tournament.divisions[A]
    assert cells(view.rows, "team") == [row.team for row in make_team_table(session.index, division).rows]
    view.best.choose(2)
    best = make_team_table(session.index, division, best=2).rows
    assert cells(view.rows, "counting") == [row.counting for row in best]
    assert view.get_counted_player_limit() == 2


def test_teams_view_explains_missing_teams(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    window.command("teams").trigger()
    assert "No player is in a team" in page_of(window).get_or_make_view(TeamsView).view.accessibleDescription()


def test_ratings_view_uses_the_chosen_system(window: Window) -> None:
    window.command("ratings").trigger()
    view, session = ratings_of(window), window.session
    assert view.system.value() == "elo"
    view.system.choose("naspa")
    division = session.tournament.divisions[A]
    assert division.rating == "naspa"
    expected = standings.make_rating_table(session.index, division, view.systems["naspa"]).rows
    assert cells(view.rows, "new_rating") == [str(row.rated_player.new) for row in expected]
    assert "wordgameplayers" in view.note.text()
    session.undo()
    assert view.system.value() == "elo"
    assert "No player has a rating" not in view.note.text()
    for player in session.index.players(A):
        session.do(partial(commands.edit_player, player=player.id, rating=None))
    assert view.note.text().startswith("No player has a rating yet")


def test_ratings_view_edits_earlier_games(window: Window) -> None:
    window.command("ratings").trigger()
    view, session = ratings_of(window), window.session
    place = view.rows.list_column_ids().index("rated_games")
    for typed, kept in (("12", 12), ("many", 12), ("", None)):
        view.view.setFocus()
        view.view.setCurrentIndex(view.rows.index(0, place))
        QTest.keyClick(view.view, Qt.Key.Key_F2)
        QTest.keyClick(focused(), Qt.Key.Key_Delete)
        QTest.keyClicks(focused(), typed)
        entered()
        assert session.tournament.players[PlayerId(view.rows.keys()[0])].rated_games == kept


@pytest.mark.slow
def test_ratings_view_names_an_unknown_system(window: Window) -> None:
    session = window.session
    session.do(partial(commands.choose_rating, division=A, rating="atlantis"))
    window.command("ratings").trigger()
    assert "atlantis" in ratings_of(window).note.text()


def test_standings_page_applies_an_earlier_round_to_all_views(window: Window) -> None:
    added(window, PrizeKind.RANK, amount=500)
    page = page_of(window)
    prizes_of(window)
    page.after.choose(1)
    assert "round 1" in page.title.text()
    page.part.choose(("ratings", ""))
    assert "round 1" in page.title.text()
    assert set(cells(ratings_of(window).rows, "games")) <= {"0", "1"}


@pytest.mark.parametrize("part", ["prizes", "ratings"])
def test_help_topic_of_a_standings_view_opens_with_f1(window: Window, part: str) -> None:
    window.command(part).trigger()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert isinstance(window.panel, HelpPanel)
    assert window.panel.view.topic == part


def test_standings_page_explains_spread_caps(window: Window) -> None:
    page = page_of(window)
    assert "cap of the spread by round" not in page.order.toolTip()
    window.session.do(partial(commands.set_spread_caps, division=A, caps=(200, 0)))
    assert "spread cap by round: 200, none" in page.order.toolTip()


@pytest.mark.parametrize(("action", "report"), [("prizes", "prizes"), ("ratings", "ratings"), ("teams", "teams")])
def test_standings_page_prints_the_shown_view(window: Window, qtbot: QtBot, action: str, report: str) -> None:
    window.session.do(partial(commands.add_prize, key="x", division=A, kind=PrizeKind.RANK, place=1))
    window.command(action).trigger()
    window.command("print-standings").trigger()
    preview = next(one for one in window.findChildren(PrintPreview) if one.isVisible())
    qtbot.waitUntil(lambda: bool(preview.pdf))
    assert preview.request.report == report
    preview.reject()


@pytest.mark.slow
def test_standings_page_prints_a_category(window: Window, qtbot: QtBot) -> None:
    page_of(window).part.choose(("ranking", "B"))
    window.command("print-standings").trigger()
    preview = next(one for one in window.findChildren(PrintPreview) if one.isVisible())
    qtbot.waitUntil(lambda: bool(preview.pdf))
    assert preview.request.category == "B"
    preview.report.choose("players")
    assert not preview.category.isEnabled()
    preview.reject()


@pytest.fixture(params=LANGUAGES)
def speaking(request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings) -> Iterator[Session]:
    made = make_session(request.param, appearance, settings)
    played(made)
    yield made
    made.close()
    made.work.close()


@pytest.mark.slow
def test_prizes_view_in_every_language(speaking: Session, qtbot: QtBot) -> None:
    window = show_window(speaking, qtbot, "standings")
    for kind in PrizeKind:
        added(window, kind, amount=500, category="" if kind is not PrizeKind.CATEGORY else "B", games=1)
    view = prizes_of(window)
    told = []
    for row in range(view.rows.rowCount()):
        go_to(view, row, "kind")
        told += [view.explanation.text(), page_of(window).title.text()]
    window.command("ratings").trigger()
    told.append(ratings_of(window).note.text())
    assert not any("{" in text for text in told)
