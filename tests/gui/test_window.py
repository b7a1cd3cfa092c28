"""Tests of the main window: pages, players, editing, undo, import, panels, menus and languages."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from weakref import ref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QStyle,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.model import RoundId, UnplayedRoundCounting
from tdapp.gui.players.availability import AvailabilityPanel, ConstraintsPanel
from tdapp.gui.players.importing import ImportPlayersDialog
from tdapp.gui.players.page import FixedTableDialog, PlayersPage
from tdapp.gui.shell.data_loss_dialogs import SaveElsewhereDialog, UnsavedStepsDialog
from tdapp.gui.shell.file_actions import FileActions
from tdapp.gui.shell.guide import WelcomePage
from tdapp.gui.shell.page_list import PAGES, find_page_or_replacement
from tdapp.gui.shell.palette import CommandPalette, ShortcutsDialog
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.tournament.division_panels import TieBreaksPanel
from tdapp.gui.tournament.page import FinishTournamentDialog
from tdapp.gui.tournament.server_dialogs import JoinDialog, ShareDialog, StopSharingDialog
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.widgets.columns import FrozenColumnsView
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.page import SHORTENING_LEVELS, Page, PageHeaderButton
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT, Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_session, make_tournament
from tests.gui.windows import answer_file_dialogs, find_dialog, show_window


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot)


def show_players_page(window: Window) -> PlayersPage:
    window.show_page("players")
    page = window.page
    assert isinstance(page, PlayersPage)
    return page


def list_player_names(session: Session) -> list[str]:
    return [player.name for player in session.index.players(A)]


def find_line_edit(parent: QWidget, name: str) -> LineEdit:
    return next(field for field in parent.findChildren(LineEdit) if field.accessibleName() == name)


def test_window_without_a_tournament_shows_the_welcome_page(empty_session: Session, qtbot: QtBot) -> None:
    window = show_window(empty_session, qtbot)
    texts = [button.text() for button in window.findChildren(QAbstractButton) if button.isVisible()]
    assert "Begin" in texts
    assert not window.get_action("undo").isEnabled()


@pytest.mark.slow
def test_window_is_deleted_when_closed(appearance: Appearance, settings: QSettings, qtbot: QtBot) -> None:
    session = make_session("en", appearance, settings)
    session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(session, qtbot)
    # The window closes before the delayed action of this event.
    QCoreApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    window_reference = ref(window)
    window.close()
    delete(window)
    session.close()
    session.work.close()
    del window, session
    gc.collect()
    assert window_reference() is None


def test_page_actions_open_all_pages(window: Window) -> None:
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.get_action(f"page-{page_id}").trigger()
        assert window.page.id == find_page_or_replacement(window.session, page_id)


@pytest.mark.slow
@pytest.mark.parametrize("players", [0, 1, 300])
def test_pages_are_painted_with_any_number_of_players(empty_session: Session, qtbot: QtBot, players: int) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=players)))
    window = show_window(empty_session, qtbot)
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.show_page(page_id)
        assert not window.grab().isNull()


def test_new_player_field_adds_a_player_and_keeps_the_focus(window: Window, full_session: Session) -> None:
    page = show_players_page(window)
    window.get_action("add-player").trigger()
    name_input = find_line_edit(page, "New player’s name")
    QTest.keyClicks(name_input, "Zwart, Truus")
    QTest.keyClick(name_input, Qt.Key.Key_Return)

    assert list_player_names(full_session)[-1] == "Zwart, Truus"
    assert name_input.text() == ""
    assert window.focusWidget() is name_input


def test_new_player_field_asks_once_about_an_existing_name(window: Window, full_session: Session) -> None:
    page = show_players_page(window)
    existing_name = full_session.index.players(A)[0].name
    name_input = find_line_edit(page, "New player’s name")
    last_name, first_name = existing_name.split(", ")
    for typed_name in (f"{first_name} {last_name}", existing_name.upper()):
        name_input.setText(typed_name)
        QTest.keyClick(name_input, Qt.Key.Key_Return)
        assert len(list_player_names(full_session)) == 24
        assert window.focusWidget() is name_input
    QTest.keyClick(name_input, Qt.Key.Key_Return)
    assert list_player_names(full_session)[-1] == existing_name.upper()
    assert page.get_current_player_id() == full_session.index.players(A)[-1].id, "the added player is not selected"


def test_players_page_delete_moves_to_the_next_player(window: Window, full_session: Session) -> None:
    page = show_players_page(window)
    view = page.findChildren(TableView)[0]
    keys = [player.id for player in full_session.index.players(A)]
    view.select_row(keys[1])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert [player.id for player in full_session.index.players(A)] == [keys[0], *keys[3:]]
    assert page.get_current_player_id() == keys[3]
    view.select_row(keys[-1])
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert page.get_current_player_id() == keys[-2]


@pytest.mark.slow
def test_new_player_field_explains_a_refusal_and_keeps_the_focus(
    window: Window, full_session: Session, qtbot: QtBot
) -> None:
    name_input = find_line_edit(show_players_page(window), "New player’s name")
    with qtbot.waitSignal(full_session.message_sent) as message_signal:
        QTest.keyClick(name_input, Qt.Key.Key_Return)

    assert message_signal.args is not None
    assert message_signal.args[2] == "red"
    assert window.focusWidget() is name_input
    assert len(list_player_names(full_session)) == 24


def test_undo_key_in_an_unchanged_field_undoes_the_step(window: Window, full_session: Session) -> None:
    name_input = find_line_edit(show_players_page(window), "New player’s name")
    QTest.keyClicks(name_input, "Zwart, Truus")
    QTest.keyClick(name_input, Qt.Key.Key_Return)
    QTest.keyClick(name_input, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert len(list_player_names(full_session)) == 24
    assert name_input.text() == ""


def test_undo_key_reverts_typing_first(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.add_player, key="x", division=A, name="Zwart, Truus"))
    name_input = find_line_edit(show_players_page(window), "New player’s name")
    name_input.setFocus()
    QTest.keyClicks(name_input, "half")
    for _ in range(3):
        QTest.keyClick(name_input, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert name_input.text() == ""
        assert len(list_player_names(full_session)) == 25
    show_players_page(window).view.setFocus()
    name_input.setFocus()
    QTest.keyClick(name_input, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(list_player_names(full_session)) == 24


def test_undo_action_names_its_step_and_redo_restores_it(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.add_player, key="x", division=A, name="Zwart, Truus"))
    assert "Zwart, Truus" in window.get_action("undo").text()
    window.get_action("undo").trigger()
    assert len(list_player_names(full_session)) == 24
    assert "Zwart, Truus" in window.get_action("redo").text()
    window.get_action("redo").trigger()
    assert len(list_player_names(full_session)) == 25


def test_players_page_f2_edits_the_first_editable_cell(window: Window, full_session: Session) -> None:
    page = show_players_page(window)
    page.view.setFocus()
    page.view.select_row(full_session.index.players(A)[2].id)  # the number column, which is not editable
    QTest.keyClick(page.view, Qt.Key.Key_F2)
    editor = page.view.viewport().findChild(QLineEdit)
    assert editor is not None
    assert editor.text() == full_session.index.players(A)[2].name


def test_players_page_edits_a_cell(window: Window, full_session: Session, qtbot: QtBot) -> None:
    page = show_players_page(window)
    view = page.findChildren(TableView)[0]
    player = full_session.index.players(A)[2]
    view.select_row(player.id)
    model = view.model()
    rating_column = next(
        column
        for column in range(model.columnCount())
        if model.headerData(column, Qt.Orientation.Horizontal) == "Rating"
    )
    view.setCurrentIndex(model.index(view.currentIndex().row(), rating_column))
    view.edit(view.currentIndex())
    editor = view.viewport().findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "2100")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: full_session.tournament.players[player.id].rating == 2100)

    assert view.get_current_row_key() == player.id


@pytest.mark.parametrize("name", ["check-in", "remove-player"])
def test_players_page_actions_can_be_undone(window: Window, full_session: Session, name: str) -> None:
    page = show_players_page(window)
    view = page.findChildren(TableView)[0]
    view.select_row(full_session.index.players(A)[0].id)
    window.refresh_window()
    before = full_session.tournament
    window.get_action(name).trigger()
    assert full_session.tournament is not before
    window.get_action("undo").trigger()
    for kind in ("players", "absences"):
        assert full_session.tournament.rows(kind) == before.rows(kind)


@pytest.mark.slow
def test_import_dialog_shows_problems_and_imports_the_rest(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    existing_name = full_session.index.players(A)[0].name
    path = tmp_path / "players.csv"
    path.write_text(f'name;rating\nNew, Ann;1500\n"{existing_name}";\nNew, Bob;abc\n', encoding="utf-8")
    page = show_players_page(window)
    page.read_file_and_preview_import(path)
    dialog = find_dialog(window, ImportPlayersDialog)
    assert isinstance(dialog, ImportPlayersDialog)
    assert dialog.yes.text() == "Import 2 players"
    dialog.yes.click()

    assert len(list_player_names(full_session)) == 26
    assert list_player_names(full_session)[-2:] == ["New, Ann", "New, Bob"]


@pytest.mark.slow
def test_preview_import_names_a_refused_file(
    window: Window, full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00")
    with qtbot.waitSignal(full_session.message_sent) as message_signal:
        show_players_page(window).read_file_and_preview_import(path)
    assert message_signal.args is not None
    assert "picture.png" in message_signal.args[0]


def test_tournament_assistant_makes_a_file_with_divisions(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(empty_session, qtbot)
    window.get_action("new").trigger()
    assistant = find_dialog(window, NewTournamentDialog)
    assert isinstance(assistant, NewTournamentDialog)
    assistant.confirm_dialog()
    assert assistant.name.hasFocus() or assistant.focusWidget() is assistant.name
    QTest.keyClicks(assistant.name, "Nordic Cup")
    assistant.confirm_dialog()
    assistant.confirm_dialog()
    assistant.divisions.setText("A, B")
    assistant.rounds.setText("9")
    assistant.file.setText(str(tmp_path / "cup.tdapp"))
    assistant.confirm_dialog()

    assert empty_session.tournament.event.name == "Nordic Cup"
    assert [division.code for division in empty_session.index.divisions] == ["A", "B"]
    assert {stage.rounds for stage in empty_session.tournament.stages.values()} == {9}
    assert empty_session.recent.list_existing_files() == [tmp_path / "cup.tdapp"]
    assert window.page.id == "players"


def test_tournament_assistant_never_overwrites_a_file(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "cup.tdapp"
    path.write_bytes(b"precious")
    window = show_window(empty_session, qtbot)
    window.get_action("new").trigger()
    assistant = find_dialog(window, NewTournamentDialog)
    assert isinstance(assistant, NewTournamentDialog)
    assistant.name.setText("Cup")
    assistant.confirm_dialog()
    assistant.confirm_dialog()
    assistant.file.setText(str(path))
    assistant.confirm_dialog()
    assert path.read_bytes() == b"precious"
    assert not empty_session.is_open
    assistant.reject()


def test_tournament_page_saves_the_venue(window: Window, full_session: Session) -> None:
    window.show_page("tournament")
    venue_field = find_line_edit(window.page, "Venue")
    QTest.keyClicks(venue_field, "Leiden")
    QTest.keyClick(venue_field, Qt.Key.Key_Return)
    assert full_session.tournament.event.place == "Leiden"


def test_finish_tournament_asks_about_unchecked_results(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.remove_stage, stage=full_session.index.stages(A)[0].id))
    full_session.do(partial(commands.add_stage, key="one", division=A, system="swiss", rounds=1))
    full_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(full_session.index, A)))
    game, *other_games = full_session.index.games(full_session.index.rounds(A)[0].id)
    full_session.do(partial(commands.set_check_first, check_first=True))
    for played_game in (game, *other_games):
        full_session.do(partial(commands.enter_result, game=played_game.id, first=400, second=300))
    full_session.do(partial(commands.check_results, games=tuple(other_game.id for other_game in other_games)))
    window.show_page("tournament")
    window.get_action("finish").trigger()
    dialog = window.findChild(FinishTournamentDialog)
    assert dialog is not None
    assert "Division A: the jury has not checked 1 result." in [
        label.text() for label in dialog.findChildren(QLabel)
    ]
    assert not full_session.tournament.event.finished
    dialog.confirm_dialog()
    assert full_session.tournament.event.finished


def test_finished_tournament_can_only_be_reopened(window: Window, full_session: Session) -> None:
    window.show_page("tournament")
    window.get_action("finish").trigger()
    dialog = window.findChild(FinishTournamentDialog)
    assert dialog is not None
    assert "Division A: 7 planned rounds have not been played." in [
        label.text() for label in dialog.findChildren(QLabel)
    ]
    before = full_session.tournament
    dialog.reject()
    assert full_session.tournament is before
    stage = full_session.index.stages(A)[0]
    full_session.do(partial(commands.remove_stage, stage=stage.id))
    window.get_action("finish").trigger()
    assert full_session.tournament.event.finished
    assert not window.get_action("add-player").isEnabled()
    window.get_action("reopen").trigger()
    assert not full_session.tournament.event.finished


def test_stage_panel_saves_rounds_and_settings_in_one_step(window: Window, full_session: Session) -> None:
    stage = full_session.index.stages(A)[0]
    panel = StagePanel(full_session, stage.id)
    window.show_page("tournament")
    window.open_panel(panel)
    panel.get_field_widget("rounds").setText("9")
    next(check_box for check_box in panel.findChildren(QCheckBox) if check_box.text() == "club").setChecked(True)
    step_count = len(full_session.desk.list_all_steps())
    panel.save_stage()

    saved_stage = full_session.index.stages(A)[0]
    assert (saved_stage.rounds, saved_stage.settings.avoid, saved_stage.settings.guard_starts) == (
        9,
        ("club",),
        True,
    )
    assert len(full_session.desk.list_all_steps()) == step_count + 1
    assert window.panel is None


def test_ranking_panel_saves_the_shown_order(window: Window, full_session: Session) -> None:
    panel = TieBreaksPanel(full_session)
    window.open_panel(panel)
    panel.list.move_current_tiebreak(1)
    panel._unplayed.choose_value(UnplayedRoundCounting.FIDE_2024)
    assert "own match points" in panel._unplayed_note.text()
    panel._save_ticked_tie_break_order()
    division = full_session.tournament.divisions[A]
    assert (division.order, division.unplayed) == (("spread", "wins"), UnplayedRoundCounting.FIDE_2024)


@pytest.mark.slow
def test_ranking_panel_wraps_long_tie_breaks(window: Window, full_session: Session) -> None:
    panel = TieBreaksPanel(full_session)
    window.open_panel(panel)
    QApplication.processEvents()
    row_heights = {
        panel.list.item(row).text(): panel.list.visualItemRect(panel.list.item(row)).height()
        for row in range(panel.list.count())
    }
    assert row_heights[max(row_heights, key=len)] > row_heights[min(row_heights, key=len)]


def test_availability_panel_saves_absences_and_constraints(window: Window, full_session: Session) -> None:
    first_player, second_player = full_session.index.players(A)[:2]
    panel = AvailabilityPanel(full_session, first_player.id)
    window.open_panel(panel)
    panel.consequences.run_confirmed_command()
    constraints_panel = ConstraintsPanel(full_session, first_player.id)
    window.open_panel(constraints_panel)
    constraints_panel.get_field_widget("other").choose_value(second_player.id)
    constraints_panel.editor.save_row()
    assert full_session.index.find_absence(first_player.id, 1) is not None
    assert len(full_session.tournament.constraints) == 1


def test_panel_returns_the_focus_when_closed(window: Window) -> None:
    page = show_players_page(window)
    page.get_action("add-player").trigger()
    focused_field = QApplication.focusWidget()
    window.get_action("help").trigger()
    assert QApplication.focusWidget() is not focused_field
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is focused_field


@pytest.mark.slow
def test_page_header_keeps_title_and_main_button_beside_a_panel(window: Window) -> None:
    window.resize(1024, 640)
    window.show_page("players")
    window.get_action("help").trigger()
    QApplication.processEvents()
    page = window.page
    buttons = {button.accessibleName(): button for button in page.findChildren(PageHeaderButton)}
    assert buttons["Import…"].text() == ""
    assert buttons["Add player"].text().strip()
    assert all(button.geometry().right() < page.width() for button in buttons.values())
    window.close_panel()
    window.resize(1440, 900)
    QApplication.processEvents()
    assert buttons["Import…"].text().strip() == "Import…"


@pytest.mark.slow
def test_page_header_measures_buttons_by_their_longest_text(window: Window) -> None:
    """Without this, some widths switch the buttons between short and long texts in an endless loop."""
    measured_names = set()
    for page_id in PAGES:
        window.show_page(page_id)
        for button in window.page.findChildren(PageHeaderButton):
            widths = []
            for level in SHORTENING_LEVELS:
                button.set_shortening_level(level)
                widths.append([button.measure_shortened_width(other_level) for other_level in SHORTENING_LEVELS])
            assert widths == [widths[0]] * len(SHORTENING_LEVELS), button.accessibleName()
            measured_names.add(button.accessibleName())
    assert "Add player" in measured_names


@pytest.mark.slow
def test_tables_beside_a_panel_show_every_column(window: Window, full_session: Session) -> None:
    full_session.do(
        partial(commands.pair_round, key=RoundId("r1"), proposal=propose_pairings(full_session.index, A))
    )
    full_session.do(partial(commands.publish_round, round=RoundId("r1")))
    window.resize(1440, 900)
    window.show_page("rounds")
    (table,) = [table_view for table_view in window.page.findChildren(TableView) if table_view.isVisible()]
    QApplication.processEvents()
    full_width = table.columnWidth(0)
    window.get_action("incidents").trigger()
    QApplication.processEvents()
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert table.columnWidth(0) < full_width
    window.close_panel()
    QApplication.processEvents()
    assert table.columnWidth(0) == full_width


def test_panel_closes_by_the_escape_key(window: Window, full_session: Session) -> None:
    window.open_panel(AvailabilityPanel(full_session, full_session.index.players(A)[0].id))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.panel is None


def test_command_palette_runs_an_action_by_its_first_letters(window: Window, full_session: Session) -> None:
    window.get_action("palette").trigger()
    palette = find_dialog(window, CommandPalette)
    QTest.keyClicks(palette.findChildren(LineEdit)[0], "hist")
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert window.page.id == "history"
    assert full_session.is_open


def test_players_page_focuses_the_name_without_players(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot)
    page = show_players_page(window)
    focused_field = QApplication.focusWidget()
    assert isinstance(focused_field, QLineEdit)
    QTest.keyClicks(focused_field, "Berg, Ida")
    QTest.keyClick(focused_field, Qt.Key.Key_Return)
    assert [player.name for player in session.index.players(A)] == ["Berg, Ida"]
    page.setFocus()
    assert isinstance(QApplication.focusWidget(), TableView)


@pytest.mark.slow
def test_command_palette_lists_undo_actions_last(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.choose_wordlist, wordlist="0" * 12))
    palette = CommandPalette(full_session, window.all_actions, parent=window)
    palette.open()
    QTest.keyClicks(palette.findChildren(LineEdit)[0], "jury")
    item_list = palette.findChildren(QListWidget)[0]
    texts = [item_list.item(row).text() for row in range(item_list.count())]
    assert texts[0] == "Jury"
    assert texts[-1] == "Undo: Word list for the jury chosen"
    palette.close()


@pytest.mark.slow
def test_command_palette_lists_the_selected_player_first(window: Window) -> None:
    window.show_page("players")
    view = window.page.findChildren(TableView)[0]
    view.select_row(window.session.index.players(A)[22].id)  # not among the first 20
    player = window.page.get_current_player_id()
    assert player is not None
    window.get_action("withdraw-whom").trigger()
    palette = window.findChildren(CommandPalette)[-1]
    item_list = palette.findChildren(QListWidget)[0]
    assert window.session.tournament.players[player].name.partition(",")[0] in item_list.item(0).text()
    assert item_list.count() > 3
    palette.close()


@pytest.mark.slow
def test_command_palette_reports_no_match(window: Window) -> None:
    palette = CommandPalette(window.session, window.all_actions, parent=window)
    palette.open()
    assert "Nothing found. Try fewer letters." not in list_visible_labels(palette)
    QTest.keyClicks(palette.findChildren(LineEdit)[0], "zzz")
    assert "Nothing found. Try fewer letters." in list_visible_labels(palette)
    palette.close()


def list_visible_labels(palette: CommandPalette) -> set[str]:
    return {label.text() for label in palette.findChildren(QLabel) if label.isVisible()}


def test_command_palette_finds_a_player_without_accents(window: Window, full_session: Session) -> None:
    window.get_action("find").trigger()
    palette = find_dialog(window, CommandPalette)
    player = next(player for player in full_session.index.players(A) if "Müller" in player.name)
    QTest.keyClicks(palette.findChildren(LineEdit)[0], f"muller {player.number}")
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert window.page.get_current_player_id() == player.id


def test_menus_group_jury_actions_and_list_page_actions_first(window: Window) -> None:
    window.pages.make_all_pages()
    menus = {menu.title().replace("&", ""): menu for menu in window.menuBar().findChildren(QMenu)}
    jury = [action.objectName() for action in menus["Jury"].actions()]
    assert {"judge-screen", "challenges", "words", "incidents", "sanctions"} <= set(jury)
    assert jury[:2] == ["choose-sheet", "import-games"]
    assert menus["Rounds"].actions()[0].objectName() == "enter-result"
    assert {"insert-turn", "rule-wrong"} <= {action.objectName() for action in menus["Turns"].actions()}
    assert not any(action.isSeparator() for action in (menus["Jury"].actions()[0], menus["Jury"].actions()[-1]))


@pytest.mark.slow
def test_menu_bar_ignores_alt_alone(window: Window) -> None:
    """Alt with a character enters a ruling. Without this, the next letters would open menus."""
    menu_bar = window.menuBar()
    assert not menu_bar.style().styleHint(QStyle.StyleHint.SH_MenuBar_AltKeyNavigation, None, menu_bar)


@pytest.mark.slow
def test_menus_fit_a_laptop_screen_in_one_column(window: Window) -> None:
    window.pages.make_all_pages()
    menus = window.menuBar().findChildren(QMenu)
    assert {"Printouts", "Round clock", "Screens"} <= {menu.title() for menu in menus}
    for menu in menus:
        assert menu.sizeHint().height() < 720 - UNIT * 5, menu.title()  # leaves space for the system's task bar
        assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu), menu.title()
    texts_by_menu = {menu.title(): {action.text() for action in menu.actions()} for menu in menus}
    assert "Print all" in texts_by_menu["Printouts"]
    assert "Start the round clock" in texts_by_menu["Round clock"]
    assert "Phones…" in texts_by_menu["Screens"]


@pytest.mark.slow
def test_actions_have_unique_ids_valid_shortcuts_and_icons(window: Window) -> None:
    ids = [action.declaration.id for action in window.all_actions]
    assert len(ids) == len(set(ids))
    assert all(action.text() for action in window.all_actions)
    assert all(
        not QKeySequence(keys).isEmpty() for action in window.all_actions for keys in action.declaration.shortcuts
    )
    icons = {path.stem for path in (window.session.resources.folder / "icons").glob("*.svg")}
    assert {action.declaration.icon for action in window.all_actions} - {""} <= icons


@pytest.mark.slow
def test_shortcuts_are_unique_on_every_page(window: Window) -> None:
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.show_page(page_id)
        enabled_actions = [action for action in window.all_actions if action.isEnabled()]
        shortcuts = [key.toString() for action in enabled_actions for key in action.shortcuts()]
        assert len(shortcuts) == len(set(shortcuts)), page_id
        page_keys = {
            shortcuts
            for action in window.page.page_actions
            if action.isEnabled()
            for shortcuts in action.declaration.shortcuts
        }
        assert {QKeySequence(shortcut).toString() for shortcut in page_keys} <= set(shortcuts), page_id


@pytest.mark.slow
def test_pages_show_one_main_button_and_few_others(window: Window) -> None:
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.show_page(page_id)
        buttons = [button for button in window.page.findChildren(PageHeaderButton) if button.isVisible()]
        main_buttons = [button for button in buttons if button.property("role") == "primary"]
        assert len(main_buttons) <= 1, page_id
        assert len(buttons) - len(main_buttons) <= 3, page_id


@pytest.fixture
def translated_session(translated_session: Session) -> Session:
    translated_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    return translated_session


ERROR = StorageError("file-moved", path="Open.tdapp", detail="")
DIALOG_MAKERS: dict[str, Callable[[Window], QWidget]] = {
    "join": lambda window: JoinDialog(window.session, parent=window),
    "share": lambda window: ShareDialog(window.session, parent=window),
    "stop sharing": lambda window: StopSharingDialog(
        window.session, Path("Open.tdapp"), ["entry", "jury"], stop=repr, parent=window
    ),
    "elsewhere": lambda window: SaveElsewhereDialog(window.session, ERROR, parent=window),
    "waiting": lambda window: UnsavedStepsDialog(
        window.session, window.refresh_window, retry=window.refresh_window, parent=window
    ),
    "assistant": lambda window: NewTournamentDialog(window.session, parent=window),
    "palette": lambda window: CommandPalette(window.session, window.all_actions, parent=window),
    "keys": lambda window: ShortcutsDialog(window.session, window.all_actions, parent=window),
}


@pytest.mark.parametrize("name", DIALOG_MAKERS)
def test_dialogs_open_in_every_language(translated_session: Session, qtbot: QtBot, name: str) -> None:
    window = show_window(translated_session, qtbot)
    dialog = DIALOG_MAKERS[name](window)
    assert isinstance(dialog, QDialog)
    dialog.open()
    assert dialog.windowTitle()
    assert find_unnamed_inputs(dialog) == []
    dialog.reject()


@pytest.mark.slow
def test_pages_and_panels_name_their_inputs_for_screen_readers(translated_session: Session, qtbot: QtBot) -> None:
    window = show_window(translated_session, qtbot)
    player, stage = translated_session.index.players(A)[0], translated_session.index.stages(A)[0]
    panels = (
        lambda: None,
        lambda: StagePanel(translated_session, stage.id),
        lambda: TieBreaksPanel(translated_session),
        lambda: AvailabilityPanel(translated_session, player.id),
    )
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.show_page(page_id)
        for panel in panels:
            window.open_panel(panel())
            assert find_unnamed_inputs(window) == [], page_id


def find_unnamed_inputs(parent: QWidget) -> list[QWidget]:
    """Return the visible inputs without a name for screen readers."""
    input_types = (QLineEdit, QComboBox, QAbstractItemView, QAbstractButton)
    inputs = [
        widget for input_type in input_types for widget in parent.findChildren(input_type) if widget.isVisible()
    ]
    internal_prefix = "qt_"  # parts of other widgets
    return [
        widget
        for widget in inputs
        if not widget.accessibleName()
        and not (isinstance(widget, QAbstractButton) and widget.text())
        and not widget.objectName().startswith(internal_prefix)
        and not isinstance(widget.parent(), (QLineEdit, QComboBox, QAbstractItemView))
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]


@pytest.mark.slow
def test_language_action_changes_the_language_at_once(window: Window) -> None:
    window.show_page("players")
    copy_texts = {}
    for language in (*LANGUAGES, "en"):
        window.get_action(f"language-{language}").trigger()
        name_input = LineEdit("")
        menu = name_input.createStandardContextMenu()
        copy_texts[language] = [action.text().split("\t")[0].replace("&", "") for action in menu.actions()][4]
        assert window.page.id == "players"
        assert (window.page.title.accessibleName() == "Players") is (language == "en")
    assert copy_texts == {"en": "Copy", "nl": "Kopiëren", "nb": "Kopier", "de": "Kopieren"}
    assert window.page.title.accessibleName() == "Players"


def test_language_change_makes_only_the_visible_page_at_once(window: Window, full_session: Session) -> None:
    full_session.do(
        partial(commands.pair_round, key=RoundId("r1"), proposal=propose_pairings(full_session.index, A))
    )
    window.show_page("players")
    window.get_action("language-nl").trigger()
    assert set(window.pages.pages_by_id) == {"players"}
    assert not window.root_stack.findChildren(WelcomePage)
    window.get_action("close").trigger()
    QApplication.processEvents()
    (welcome,) = window.root_stack.findChildren(WelcomePage)
    assert "Welkom bij tdapp" in [label.text() for label in welcome.findChildren(QLabel) if label.isVisible()]


@pytest.mark.slow
def test_hidden_page_changes_its_colour_scheme_when_shown(window: Window, qtbot: QtBot) -> None:
    for page_id in ("standings", "players", "standings"):
        window.show_page(page_id)
    window.get_action("look-dark").trigger()
    QApplication.processEvents()
    dark_image = window.page.grab().toImage()
    window.get_action("look-light").trigger()
    hidden_page = window.page
    window.show_page("players")
    window.get_action("look-dark").trigger()
    assert not window.isAncestorOf(hidden_page)
    window.show_page("standings")
    assert window.page is hidden_page
    qtbot.waitUntil(lambda: window.page.grab().toImage() == dark_image)


@pytest.mark.slow
def test_colour_scheme_action_repaints_every_page(window: Window) -> None:
    assert window.pages.pages_by_id
    for scheme in ("dark", "contrast", "light"):
        window.get_action(f"look-{scheme}").trigger()
        for page_id in PAGES:
            window.show_page(page_id)
            assert not window.grab().isNull()


def test_recent_tournaments_remember_an_open_file(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    Desk.create(path, make_tournament(players=2)).close()
    window = show_window(empty_session, qtbot)
    empty_session.open_tournament_in_background(partial(Desk.open, path))
    empty_session.do(partial(commands.add_player, key="x", division=A, name="Third"))
    window.get_action("close").trigger()
    assert not empty_session.is_open
    empty_session.open_tournament_in_background(partial(Desk.open, path))
    assert len(list_player_names(empty_session)) == 3
    assert window.get_action("undo").isEnabled()


def test_file_names_tell_copies_of_a_tournament_apart(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(empty_session, qtbot)
    (tmp_path / "copy").mkdir()
    for name in ("A & B", "cup", "copy/cup", "Open Leiden 2026"):
        Desk.create(tmp_path / f"{name}.tdapp", make_tournament(players=2)).close()
        empty_session.open_file(tmp_path / f"{name}.tdapp")
        file_name = Path(name).name
        name_and_file = "Open Leiden 2026" + (f" ({file_name}.tdapp)" if file_name != "Open Leiden 2026" else "")
        assert window.windowTitle() == f"{name_and_file} – tdapp"
    empty_session.do(partial(commands.edit_event, name="Finals"))
    assert window.windowTitle() == "Finals (Open Leiden 2026.tdapp) – tdapp"
    menu = window._menus["recent"]
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == [
        "Open Leiden 2026",
        f"cup: {tmp_path / 'copy'}",
        f"cup: {tmp_path}",
        "A && B",  # a single & would underline the B
    ]


def test_recent_tournaments_store_absolute_paths(
    empty_session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Desk.create(tmp_path / "cup.tdapp", make_tournament(players=2)).close()
    monkeypatch.chdir(tmp_path)
    empty_session.open_file(Path("cup.tdapp"))
    empty_session.open_tournament_of_desk(None)
    monkeypatch.chdir(tmp_path.parent)
    assert empty_session.recent.list_existing_files() == [tmp_path / "cup.tdapp"]


def test_read_only_file_disables_changes(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    Desk.create(path, make_tournament(players=2)).close()
    window = show_window(empty_session, qtbot)
    empty_session.open_tournament_in_background(partial(Desk.open, path, read_only=True))
    window.show_page("players")
    assert not window.get_action("add-player").isEnabled()
    assert not window.get_action("undo").isEnabled()
    assert isinstance(window.page, Page)


def test_save_file_copy_writes_a_valid_file(window: Window, full_session: Session, tmp_path: Path) -> None:
    copy_path = tmp_path / "copy.tdapp"
    with answer_file_dialogs(copy_path):
        FileActions(window).save_file_copy()
    desk = Desk.open(copy_path)
    assert desk.tournament.players == full_session.tournament.players
    desk.close()


def test_fixed_table_action_opens_its_dialog(window: Window, full_session: Session) -> None:
    page = show_players_page(window)
    player = full_session.index.players(A)[2]
    page.view.select_row(player.id)
    assert "fixed-table" in {
        action.declaration.id for action in page.page_actions if action.declaration.menu == "player"
    }
    window.get_action("fixed-table").trigger()
    (dialog,) = window.findChildren(FixedTableDialog)
    dialog.number.setText("5")
    dialog.confirm_dialog()
    assert full_session.tournament.players[player.id].fixed_table == 5


@pytest.mark.styled
def test_frozen_columns_stay_visible_while_the_table_scrolls(window: Window) -> None:
    window.resize(1280, 720)
    page = show_players_page(window)
    window.get_action("all-columns").trigger()
    QApplication.processEvents()
    view, (frozen_columns,) = page.view, page.view.findChildren(FrozenColumnsView)
    assert not frozen_columns.isVisible()
    view.setFocus()
    view.select_row(page.rows.keys()[3])
    QTest.keyClick(view, Qt.Key.Key_End)
    QApplication.processEvents()
    assert view.horizontalScrollBar().value() > 0
    assert frozen_columns.isVisible()
    assert frozen_columns.width() - 1 == view.columnWidth(0) + view.columnWidth(1)


def test_needs_access_action_is_checkable(window: Window, full_session: Session) -> None:
    page = show_players_page(window)
    page.view.select_row(full_session.index.players(A)[2].id)
    action = window.get_action("needs-access")
    assert not action.isChecked()
    action.trigger()
    assert full_session.index.players(A)[2].needs_access
    assert action.isChecked()
