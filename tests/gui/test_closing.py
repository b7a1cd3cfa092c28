"""Tests of closing and reopening a window: the dialog about unsaved text, and the restored view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain, repeat
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import DivisionId, EventId
from tdapp.domain.tournament import Tournament
from tdapp.gui.jury.logs import IncidentsPanel
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.data_loss_dialogs import LoseTypedTextDialog
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.prizes_view import PrizesView
from tdapp.gui.standings.team_views import TeamsView
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.widgets.fields import LineEdit, SearchField
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.preferences import LastViewedPage, LastViewedPages
from tdapp.storage import SnapshotFolder
from tdapp.storage.snapshots import SnapshotReason
from tests.building import load_rule_set
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.table_events import show_first_round
from tests.gui.windows import get_page, press_key, show_window, type_text

B = DivisionId("d2")


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window with the first round of eight players and the focus in the result field."""
    new_window = show_first_round(empty_session, qtbot, load_rule_set("nl-match"))
    assert isinstance(new_window.page, RoundsPage)
    new_window.page.field.focus_line()
    return new_window


def find_leave_dialog(window: Window) -> LoseTypedTextDialog | None:
    dialogs = [dialog for dialog in window.findChildren(LoseTypedTextDialog) if dialog.isVisible()]
    assert len(dialogs) <= 1
    return dialogs[0] if dialogs else None


# --- unsaved text


def test_leaving_dialog_asks_about_an_unfinished_result(window: Window) -> None:
    type_text(window, "1 41")
    window.close()
    dialog = find_leave_dialog(window)
    assert dialog is not None
    assert window.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)

    assert window.isVisible()
    assert isinstance(window.page, RoundsPage)
    assert window.page.field.line.text() == "1 41"
    assert window.focusWidget() is window.page.field.line


def test_leaving_dialog_shows_the_page_of_an_unfinished_result(window: Window) -> None:
    type_text(window, "1 41")
    window.show_page("standings")
    window.close()
    dialog = find_leave_dialog(window)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert isinstance(window.page, RoundsPage)
    assert window.page.field.line.text() == "1 41"


def test_unfinished_result_is_kept_while_another_round_is_shown(empty_session: Session, qtbot: QtBot) -> None:
    window = show_first_round(empty_session, qtbot, load_rule_set("no-nsf"))
    page = window.page
    assert isinstance(page, RoundsPage)
    page.field.focus_line()
    for table in (1, 2, 3, 4):
        type_text(window, f"{table} 400 300")
        press_key(window, Qt.Key.Key_Return)
    press_key(window, Qt.Key.Key_F6)
    press_key(window, Qt.Key.Key_F9)
    page.field.focus_line()
    type_text(window, "2 380")
    window.session.choose_round(1)
    assert page.field.line.text() == ""
    window.show_page("standings")
    window.close()
    assert find_leave_dialog(window) is not None
    assert window.session.round_number == 2
    assert page.field.line.text() == "2 380"


def test_leaving_dialog_continues_by_enter_and_closes_by_button(window: Window) -> None:
    type_text(window, "1 41")
    window.close()
    dialog = find_leave_dialog(window)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert window.isVisible()
    window.close()
    dialog = find_leave_dialog(window)
    assert dialog is not None
    dialog.no.click()
    assert not window.isVisible()


@pytest.mark.slow
def test_leaving_dialog_does_not_ask_about_an_entered_result(window: Window) -> None:
    type_text(window, "1 412 388")
    press_key(window, Qt.Key.Key_Return)
    window.close()
    assert find_leave_dialog(window) is None
    assert not window.isVisible()


@pytest.mark.parametrize("action", ["close", "new"])
def test_leaving_dialog_asks_before_closing_the_tournament(window: Window, action: str) -> None:
    type_text(window, "1 41")
    window.get_action(action).trigger()
    dialog = find_leave_dialog(window)
    assert dialog is not None
    assert window.session.is_open
    dialog.no.click()
    assistant = window.findChild(NewTournamentDialog)
    assert (assistant is not None) if action == "new" else not window.session.is_open
    if assistant is not None:
        assistant.close()


def test_typed_texts_do_not_move_to_another_tournament(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot)
    window.pages.make_all_pages()
    for page in window.pages.pages_by_id.values():
        for field in page.findChildren(LineEdit):
            field.setText("7")
            field.setModified(True)
    full_session.open_tournament_of_desk(make_desk(make_tournament(players=6)))
    for page in window.pages.pages_by_id.values():
        page.refresh_page()
        assert not [field.accessibleName() for field in page.findChildren(LineEdit) if field.isModified()], page.id
        assert page.find_unsaved_field() is None
    players_page, tournament_page = map(window.pages.get_page, ("players", "tournament"))
    assert {field.text() for field in players_page.findChildren(LineEdit)} == {""}
    name_field = next(iter(tournament_page.findChildren(LineEdit)))
    assert name_field.text() == full_session.tournament.event.name
    assert not full_session.desk.list_all_steps()


def test_leaving_dialog_asks_about_a_panel_but_not_a_search(window: Window, qtbot: QtBot) -> None:
    window.get_action("incidents").trigger()
    panel = window.panel
    assert isinstance(panel, IncidentsPanel)
    panel.get_field_widget("note").setFocus()
    type_text(window, "Tiles fell")
    window.close()
    dialog = find_leave_dialog(window)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    window.close_panel()

    window.show_page("players")
    assert isinstance(window.page, PlayersPage)
    search = window.page.findChild(SearchField)
    assert search is not None
    search.setFocus()
    type_text(window, "Ann")
    window.close()
    assert find_leave_dialog(window) is None


def test_window_saves_an_unfinished_sheet_as_draft_when_closed(window: Window, settings: QSettings) -> None:
    window.show_page("jury")
    page = window.page
    assert isinstance(page, JuryPage)
    game = window.session.index.games(window.session.round.id)[0] if window.session.round else None
    assert game is not None
    page.reveal_row(game.id)
    page.turns.field.setFocus()
    type_text(window, "8D TAA")
    window.close()

    assert find_leave_dialog(window) is None
    assert not window.isVisible()
    assert "8D TAA" in str(settings.value(f"jury/drafts/{window.session.tournament.event.id}"))


# --- restored view


def make_two_divisions() -> Tournament:
    value = commands.add_division(make_tournament(players=6), key=B, code="B", name="Second")
    value = commands.add_stage(value, key="s2", division=B, system="swiss", rounds=3)
    return commands.add_player(value, key="b1", division=B, name="Li, Hanna")


def make_desk_opener(path: Path) -> Callable[[], Desk]:
    """Create a tournament file if it is missing. Return a function that opens it."""
    if not path.exists():
        Desk.create(path, make_two_divisions()).close()
    return partial(Desk.open, path)


def test_window_restores_page_and_division(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(empty_session, qtbot)
    empty_session.open_tournament_in_background(make_desk_opener(tmp_path / "one.tdapp"))
    empty_session.choose_division(B)
    window.show_page("standings")
    window.get_action("close").trigger()
    assert not empty_session.is_open

    empty_session.open_tournament_in_background(make_desk_opener(tmp_path / "one.tdapp"))
    assert (window.page.id, empty_session.division and empty_session.division.id) == ("standings", B)
    window.close()


@pytest.mark.slow
def test_window_opens_without_the_saved_page_or_division(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    make_desk_opener(tmp_path / "one.tdapp")
    LastViewedPages(empty_session.settings).set_viewed_page(
        EventId("t.e"), LastViewedPage("missing", "missing", 9)
    )
    window = show_window(empty_session, qtbot)
    empty_session.open_tournament_in_background(make_desk_opener(tmp_path / "one.tdapp"))
    assert empty_session.division is not None
    assert (window.page.id, empty_session.division.id) == ("players", A)


@pytest.mark.slow
def test_window_moves_to_an_existing_screen(full_session: Session, qtbot: QtBot) -> None:
    old_window = Window(full_session)
    qtbot.addWidget(old_window)
    old_window.setGeometry(QRect(QPoint(9_000, 4_000), old_window.size()))
    full_session.settings.setValue("geometry", old_window.saveGeometry())
    window = show_window(full_session, qtbot)

    screen_areas = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    assert any(area.intersects(window.geometry()) for area in screen_areas)
    full_session.settings.setValue("geometry", QByteArray(b"nonsense"))
    assert full_session.settings.value("geometry") == b"nonsense"
    assert show_window(full_session, qtbot).isVisible()


def get_header_and_section(window: Window) -> tuple[QHeaderView, int]:
    view = window.page.findChild(TableView)
    assert view is not None
    rows = view.model()
    assert isinstance(rows, TableRowsModel)
    return view.horizontalHeader(), rows.list_column_ids().index("rating")


@pytest.mark.styled
def test_fitted_table_keeps_a_dragged_width(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    header, section = get_header_and_section(window)
    edge = QPoint(header.sectionViewportPosition(section) + header.sectionSize(section) - 1, 5)
    old_width = header.sectionSize(section)
    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=edge)
    QTest.mouseMove(header.viewport(), edge + QPoint(20, 0))
    QTest.mouseMove(header.viewport(), edge + QPoint(40, 0))
    QTest.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=edge + QPoint(40, 0))
    new_width = header.sectionSize(section)
    assert new_width > old_width
    window.close()

    reopened_window = show_window(full_session, qtbot, "players")
    assert get_header_and_section(reopened_window)[0].sectionSize(section) == new_width


@pytest.mark.slow
def test_fitted_table_keeps_widths_of_an_unopened_view(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "standings")
    for view_type, width in ((PrizesView, 90), (TeamsView, 120)):
        get_page(window, StandingsPage).get_or_make_view(view_type).view.set_dragged_widths({"rank": width})
    window.get_action("language-nl").trigger()
    get_page(window, StandingsPage).get_or_make_view(TeamsView)
    window.close()

    page = get_page(show_window(full_session, qtbot, "standings"), StandingsPage)
    assert page.get_or_make_view(TeamsView).view.dragged == {"rank": 120}
    assert page.get_or_make_view(PrizesView).view.dragged == {"rank": 90}


# --- the clock set back


@pytest.mark.slow
def test_window_accepts_a_clock_set_back(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    times = chain(["2026-11-21T10:00:00+00:00", "2026-11-21T09:00:00+00:00"], repeat("2025-01-01T00:00:00+00:00"))
    path = tmp_path / "one.tdapp"
    Desk.create(path, make_two_divisions()).close()
    window = show_window(empty_session, qtbot)
    empty_session.open_tournament_in_background(lambda: Desk.open(path, clock=lambda: next(times)))
    messages: list[str] = []
    empty_session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    for number in range(3):
        empty_session.do(partial(commands.add_player, key=f"x{number}", division=A, name=f"New, {number}"))

    assert len(messages) == 3
    assert empty_session.saved_at == "2025-01-01T00:00:00+00:00"  # the time of the changed clock
    assert [step.seq for step in empty_session.desk.list_all_steps()] == sorted(
        step.seq for step in empty_session.desk.list_all_steps()
    )
    assert window.isVisible()
    empty_session.undo()
    assert "x2" not in empty_session.tournament.players  # undo uses the newest step, not the latest time
    snapshots = SnapshotFolder.from_tournament(path).list_snapshots_newest_first()
    assert snapshots[0].revision == max(snapshot.revision for snapshot in snapshots)
    empty_session.backups.take_snapshot(SnapshotReason.TIME)
    assert (
        SnapshotFolder.from_tournament(path).list_snapshots_newest_first()[0].revision
        == empty_session.desk.store.stored_revision
    )
