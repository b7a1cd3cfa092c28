"""The window as a director meets it: places, adding, editing, undo, import, refusals, languages, names."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
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
from tdapp.domain.model import RoundId, Unplayed
from tdapp.gui.players.availability import AvailabilityPanel, ConstraintsPanel
from tdapp.gui.players.importing import ImportPlayersDialog
from tdapp.gui.players.page import FixedTableDialog, PlayersPage
from tdapp.gui.shell.data_loss_dialogs import SaveElsewhereDialog, UnsavedStepsDialog
from tdapp.gui.shell.file_actions import FileActions
from tdapp.gui.shell.guide import WelcomePage
from tdapp.gui.shell.page_list import PAGES, find_shown_page
from tdapp.gui.shell.palette import CommandPalette, ShortcutsDialog
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import TournamentAssistant
from tdapp.gui.tournament.division_panels import RankingPanel
from tdapp.gui.tournament.page import FinishTournamentDialog
from tdapp.gui.tournament.server_dialogs import JoinDialog, ShareDialog, StopSharingDialog
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.widgets.columns import FrozenColumns
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.page import SHORTENING_LEVELS, CommandButton, Page
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT, Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_session, make_tournament
from tests.gui.windows import answer_file_dialogs, find_dialog, show_window


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot)


def players_page(window: Window) -> PlayersPage:
    window.show_page("players")
    page = window.page
    assert isinstance(page, PlayersPage)
    return page


def names(session: Session) -> list[str]:
    return [player.name for player in session.index.players(A)]


def field(parent: QWidget, name: str) -> LineEdit:
    return next(one for one in parent.findChildren(LineEdit) if one.accessibleName() == name)


def test_window_without_a_tournament_shows_the_welcome_page(empty_session: Session, qtbot: QtBot) -> None:
    window = show_window(empty_session, qtbot)
    texts = [one.text() for one in window.findChildren(QAbstractButton) if one.isVisible()]
    assert "Begin" in texts
    assert not window.command("undo").isEnabled()


@pytest.mark.slow
def test_window_is_deleted_when_closed(appearance: Appearance, settings: QSettings, qtbot: QtBot) -> None:
    session = make_session("en", appearance, settings)
    session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(session, qtbot)
    QCoreApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))  # closed before its delayed action
    gone = ref(window)
    window.close()
    delete(window)
    session.close()
    session.work.close()
    del window, session
    gc.collect()
    assert gone() is None


def test_pages_open_by_their_keys(window: Window) -> None:
    assert window.pages.pages_by_id
    for place in PAGES:
        window.command(f"page-{place}").trigger()
        assert window.page.id == find_shown_page(window.session, place)


@pytest.mark.slow
@pytest.mark.parametrize("players", [0, 1, 300])
def test_pages_are_drawn_empty_and_full(empty_session: Session, qtbot: QtBot, players: int) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=players)))
    window = show_window(empty_session, qtbot)
    assert window.pages.pages_by_id
    for place in PAGES:
        window.show_page(place)
        assert not window.grab().isNull()


def test_add_line_adds_a_player_by_enter_and_keeps_the_focus(window: Window, full_session: Session) -> None:
    page = players_page(window)
    window.command("add-player").trigger()
    typed = field(page, "New player’s name")
    QTest.keyClicks(typed, "Zwart, Truus")
    QTest.keyClick(typed, Qt.Key.Key_Return)

    assert names(full_session)[-1] == "Zwart, Truus"
    assert typed.text() == ""
    assert window.focusWidget() is typed


def test_add_line_asks_once_about_a_namesake(window: Window, full_session: Session) -> None:
    page = players_page(window)
    there = full_session.index.players(A)[0].name
    typed = field(page, "New player’s name")
    QTest.keyClicks(typed, there.upper())
    QTest.keyClick(typed, Qt.Key.Key_Return)
    assert len(names(full_session)) == 24
    assert window.focusWidget() is typed
    QTest.keyClick(typed, Qt.Key.Key_Return)
    assert names(full_session)[-1] == there.upper()
    assert page.current_player() == full_session.index.players(A)[-1].id, "whoever was added is chosen"


def test_players_page_delete_moves_to_the_next_player(window: Window, full_session: Session) -> None:
    page = players_page(window)
    view = page.findChildren(TableView)[0]
    keys = [player.id for player in full_session.index.players(A)]
    view.choose(keys[1])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert [player.id for player in full_session.index.players(A)] == [keys[0], *keys[3:]]
    assert page.current_player() == keys[3]
    view.choose(keys[-1])
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert page.current_player() == keys[-2]


@pytest.mark.slow
def test_add_line_explains_a_refusal_and_keeps_the_focus(
    window: Window, full_session: Session, qtbot: QtBot
) -> None:
    typed = field(players_page(window), "New player’s name")
    with qtbot.waitSignal(full_session.message_sent) as told:
        QTest.keyClick(typed, Qt.Key.Key_Return)

    assert told.args is not None
    assert told.args[2] == "red"
    assert window.focusWidget() is typed
    assert len(names(full_session)) == 24


def test_undo_key_in_an_untouched_field_undoes_the_step(window: Window, full_session: Session) -> None:
    typed = field(players_page(window), "New player’s name")
    QTest.keyClicks(typed, "Zwart, Truus")
    QTest.keyClick(typed, Qt.Key.Key_Return)
    QTest.keyClick(typed, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert len(names(full_session)) == 24
    assert typed.text() == ""


def test_undo_key_reverts_typing_first(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.add_player, key="x", division=A, name="Zwart, Truus"))
    typed = field(players_page(window), "New player’s name")
    QTest.keyClicks(typed, "half")
    QTest.keyClick(typed, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert len(names(full_session)) == 25


def test_undo_command_names_its_step_and_redo_restores_it(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.add_player, key="x", division=A, name="Zwart, Truus"))
    assert "Zwart, Truus" in window.command("undo").text()
    window.command("undo").trigger()
    assert len(names(full_session)) == 24
    assert "Zwart, Truus" in window.command("redo").text()
    window.command("redo").trigger()
    assert len(names(full_session)) == 25


def test_players_page_f2_edits_the_first_editable_cell(window: Window, full_session: Session) -> None:
    page = players_page(window)
    page.view.setFocus()
    page.view.choose(full_session.index.players(A)[2].id)  # the cursor is on the number
    QTest.keyClick(page.view, Qt.Key.Key_F2)
    editor = page.view.viewport().findChild(QLineEdit)
    assert editor is not None
    assert editor.text() == full_session.index.players(A)[2].name


def test_players_page_edits_a_cell(window: Window, full_session: Session, qtbot: QtBot) -> None:
    page = players_page(window)
    view = page.findChildren(TableView)[0]
    player = full_session.index.players(A)[2]
    view.choose(player.id)
    model = view.model()
    place = next(
        n for n in range(model.columnCount()) if model.headerData(n, Qt.Orientation.Horizontal) == "Rating"
    )
    view.setCurrentIndex(model.index(view.currentIndex().row(), place))
    view.edit(view.currentIndex())
    editor = view.viewport().findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "2100")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: full_session.tournament.players[player.id].rating == 2100)

    assert view.current_key() == player.id


@pytest.mark.parametrize("name", ["check-in", "remove-player"])
def test_players_page_actions_can_be_undone(window: Window, full_session: Session, name: str) -> None:
    page = players_page(window)
    view = page.findChildren(TableView)[0]
    view.choose(full_session.index.players(A)[0].id)
    window.refresh_window()
    before = full_session.tournament
    window.command(name).trigger()
    assert full_session.tournament is not before
    window.command("undo").trigger()
    for kind in ("players", "absences"):
        assert full_session.tournament.rows(kind) == before.rows(kind)


@pytest.mark.slow
def test_import_dialog_shows_problems_and_imports_the_rest(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    there = full_session.index.players(A)[0].name
    path = tmp_path / "players.csv"
    path.write_text(f'name;rating\nNew, Ann;1500\n"{there}";\nNew, Bob;abc\n', encoding="utf-8")
    page = players_page(window)
    page.preview_import(path)
    shown_dialog = find_dialog(window, ImportPlayersDialog)
    assert isinstance(shown_dialog, ImportPlayersDialog)
    assert shown_dialog.yes.text() == "Import 2 players"
    shown_dialog.yes.click()

    assert len(names(full_session)) == 26
    assert names(full_session)[-2:] == ["New, Ann", "New, Bob"]


@pytest.mark.slow
def test_preview_import_refuses_another_file_by_name(
    window: Window, full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00")
    with qtbot.waitSignal(full_session.message_sent) as told:
        players_page(window).preview_import(path)
    assert told.args is not None
    assert "picture.png" in told.args[0]


def test_assistant_makes_a_file_with_divisions(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(empty_session, qtbot)
    window.command("new").trigger()
    assistant = find_dialog(window, TournamentAssistant)
    assert isinstance(assistant, TournamentAssistant)
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
    assert empty_session.recent.list_files() == [tmp_path / "cup.tdapp"]
    assert window.page.id == "players"


def test_assistant_never_overwrites_a_file(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    path.write_bytes(b"precious")
    window = show_window(empty_session, qtbot)
    window.command("new").trigger()
    assistant = find_dialog(window, TournamentAssistant)
    assert isinstance(assistant, TournamentAssistant)
    assistant.name.setText("Cup")
    assistant.confirm_dialog()
    assistant.confirm_dialog()
    assistant.file.setText(str(path))
    assistant.confirm_dialog()
    assert path.read_bytes() == b"precious"
    assert not empty_session.is_open
    assistant.reject()


def test_tournament_page_edits_each_field(window: Window, full_session: Session) -> None:
    window.show_page("tournament")
    place = field(window.page, "Venue")
    QTest.keyClicks(place, "Leiden")
    QTest.keyClick(place, Qt.Key.Key_Return)
    assert full_session.tournament.event.place == "Leiden"


def test_finished_tournament_can_only_be_reopened(window: Window, full_session: Session) -> None:
    window.show_page("tournament")
    window.command("finish").trigger()
    asked = window.findChild(FinishTournamentDialog)
    assert asked is not None
    assert "Division A: 7 planned rounds are not played." in [one.text() for one in asked.findChildren(QLabel)]
    before = full_session.tournament
    asked.reject()
    assert full_session.tournament is before
    stage = full_session.index.stages(A)[0]
    full_session.do(partial(commands.remove_stage, stage=stage.id))
    window.command("finish").trigger()
    assert full_session.tournament.event.finished
    assert not window.command("add-player").isEnabled()
    window.command("reopen").trigger()
    assert not full_session.tournament.event.finished


def test_stage_panel_saves_rounds_and_settings_in_one_step(window: Window, full_session: Session) -> None:
    stage = full_session.index.stages(A)[0]
    panel = StagePanel(full_session, stage.id)
    window.show_page("tournament")
    window.open_panel(panel)
    panel.field("rounds").setText("9")
    next(one for one in panel.findChildren(QCheckBox) if one.text() == "club").setChecked(True)
    steps = len(full_session.desk.history())
    panel.save_stage()

    now = full_session.index.stages(A)[0]
    assert (now.rounds, now.settings.avoid, now.settings.guard_starts) == (9, ("club",), True)
    assert len(full_session.desk.history()) == steps + 1
    assert window.panel is None


def test_ranking_panel_saves_the_shown_order(window: Window, full_session: Session) -> None:
    panel = RankingPanel(full_session)
    window.open_panel(panel)
    panel.list.move_current_tiebreak(1)
    panel._unplayed.choose(Unplayed.FIDE_2024)
    assert "own match points" in panel._unplayed_note.text()
    panel._save_shown_order()
    division = full_session.tournament.divisions[A]
    assert (division.order, division.unplayed) == (("spread", "wins"), Unplayed.FIDE_2024)


@pytest.mark.slow
def test_ranking_panel_wraps_long_tie_breaks(window: Window, full_session: Session) -> None:
    panel = RankingPanel(full_session)
    window.open_panel(panel)
    QApplication.processEvents()
    tall = {
        panel.list.item(row).text(): panel.list.visualItemRect(panel.list.item(row)).height()
        for row in range(panel.list.count())
    }
    assert tall[max(tall, key=len)] > tall[min(tall, key=len)]


def test_availability_panel_saves_absences_and_constraints(window: Window, full_session: Session) -> None:
    one, other = full_session.index.players(A)[:2]
    panel = AvailabilityPanel(full_session, one.id)
    window.open_panel(panel)
    panel.consequences.confirm_command()
    pairs = ConstraintsPanel(full_session, one.id)
    window.open_panel(pairs)
    pairs.field("other").choose(other.id)
    pairs.editor.save_row()
    assert full_session.index.find_absence(one.id, 1) is not None
    assert len(full_session.tournament.constraints) == 1


def test_panel_returns_the_focus_when_closed(window: Window) -> None:
    page = players_page(window)
    page.command("add-player").trigger()
    field = QApplication.focusWidget()
    window.command("help").trigger()
    assert QApplication.focusWidget() is not field
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is field


@pytest.mark.slow
def test_page_header_keeps_title_and_main_button_beside_a_panel(window: Window) -> None:
    window.resize(1024, 640)
    window.show_page("players")
    window.command("help").trigger()
    QApplication.processEvents()
    page = window.page
    buttons = {button.accessibleName(): button for button in page.findChildren(CommandButton)}
    assert buttons["Import…"].text() == ""
    assert buttons["Add player"].text().strip()
    assert all(button.geometry().right() < page.width() for button in buttons.values())
    window.close_panel()
    window.resize(1440, 900)
    QApplication.processEvents()
    assert buttons["Import…"].text().strip() == "Import…"


@pytest.mark.slow
def test_page_header_measures_buttons_by_their_longest_text(window: Window) -> None:
    """Otherwise the buttons would change between short and long texts without end at some widths."""
    seen = set()
    for place in PAGES:
        window.show_page(place)
        for button in window.page.findChildren(CommandButton):
            needed = []
            for less in SHORTENING_LEVELS:
                button.set_shortening_level(less)
                needed.append([button.measure_width_at_level(other) for other in SHORTENING_LEVELS])
            assert needed == [needed[0]] * len(SHORTENING_LEVELS), button.accessibleName()
            seen.add(button.accessibleName())
    assert "Add player" in seen


@pytest.mark.slow
def test_tables_beside_a_panel_show_every_column(window: Window, full_session: Session) -> None:
    full_session.do(
        partial(commands.pair_round, key=RoundId("r1"), proposal=propose_pairings(full_session.index, A))
    )
    full_session.do(partial(commands.publish_round, round=RoundId("r1")))
    window.resize(1440, 900)
    window.show_page("rounds")
    (table,) = [one for one in window.page.findChildren(TableView) if one.isVisible()]
    QApplication.processEvents()
    roomy = table.columnWidth(0)
    window.command("incidents").trigger()
    QApplication.processEvents()
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert table.columnWidth(0) < roomy
    window.close_panel()
    QApplication.processEvents()
    assert table.columnWidth(0) == roomy


def test_panel_closes_by_escape(window: Window, full_session: Session) -> None:
    window.open_panel(AvailabilityPanel(full_session, full_session.index.players(A)[0].id))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.panel is None


def test_palette_runs_a_command_by_a_few_letters(window: Window, full_session: Session) -> None:
    window.command("palette").trigger()
    palette = find_dialog(window, CommandPalette)
    QTest.keyClicks(palette.findChildren(LineEdit)[0], "hist")
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert window.page.id == "history"
    assert full_session.is_open


def test_players_page_focuses_the_name_without_players(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot)
    page = players_page(window)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "Berg, Ida")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert [player.name for player in session.index.players(A)] == ["Berg, Ida"]
    page.setFocus()
    assert isinstance(QApplication.focusWidget(), TableView)


@pytest.mark.slow
def test_palette_lists_undo_actions_last(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.choose_wordlist, wordlist="0" * 12))
    palette = CommandPalette(full_session, window.commands, parent=window)
    palette.open()
    QTest.keyClicks(palette.findChildren(LineEdit)[0], "jury")
    offered = palette.findChildren(QListWidget)[0]
    texts = [offered.item(row).text() for row in range(offered.count())]
    assert texts[0] == "Jury"
    assert texts[-1] == "Undo: Word list for the jury chosen"
    palette.close()


@pytest.mark.slow
def test_palette_offers_the_selected_player_first(window: Window) -> None:
    window.show_page("players")
    view = window.page.findChildren(TableView)[0]
    view.choose(window.session.index.players(A)[3].id)
    player = window.page.current_player()
    assert player is not None
    window.command("withdraw-whom").trigger()
    palette = window.findChildren(CommandPalette)[-1]
    offered = palette.findChildren(QListWidget)[0]
    assert window.session.tournament.players[player].name.partition(",")[0] in offered.item(0).text()
    assert offered.count() > 3
    palette.close()


@pytest.mark.slow
def test_palette_says_if_nothing_matches(window: Window) -> None:
    palette = CommandPalette(window.session, window.commands, parent=window)
    palette.open()
    assert "Nothing found. Try fewer letters." not in _said_in(palette)
    QTest.keyClicks(palette.findChildren(LineEdit)[0], "zzz")
    assert "Nothing found. Try fewer letters." in _said_in(palette)
    palette.close()


def _said_in(palette: CommandPalette) -> set[str]:
    return {one.text() for one in palette.findChildren(QLabel) if one.isVisible()}


def test_palette_finds_a_player_without_accents(window: Window, full_session: Session) -> None:
    window.command("find").trigger()
    palette = find_dialog(window, CommandPalette)
    wanted = next(player for player in full_session.index.players(A) if "Müller" in player.name)
    QTest.keyClicks(palette.findChildren(LineEdit)[0], f"muller {wanted.number}")
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert window.page.current_player() == wanted.id


def test_menus_group_jury_actions_and_list_page_actions_first(window: Window) -> None:
    window.pages.make_all_pages()
    menus = {menu.title().replace("&", ""): menu for menu in window.menuBar().findChildren(QMenu)}
    jury = [action.objectName() for action in menus["Jury"].actions()]
    assert {"judge-screen", "challenges", "words", "incidents", "sanctions"} <= set(jury)
    assert jury[:2] == ["choose-sheet", "import-games"]
    assert menus["Rounds"].actions()[0].objectName() == "enter-result"
    assert {"insert-turn", "rule-wrong"} <= {action.objectName() for action in menus["Turns"].actions()}
    assert not any(one.isSeparator() for one in (menus["Jury"].actions()[0], menus["Jury"].actions()[-1]))


@pytest.mark.slow
def test_menu_bar_ignores_alt_alone(window: Window) -> None:
    """After Alt and a character, as for a ruling, letters would open menus."""
    menu_bar = window.menuBar()
    assert not menu_bar.style().styleHint(QStyle.StyleHint.SH_MenuBar_AltKeyNavigation, None, menu_bar)


@pytest.mark.slow
def test_menus_fit_a_laptop_in_one_column(window: Window) -> None:
    window.pages.make_all_pages()
    menus = window.menuBar().findChildren(QMenu)
    assert {"Printouts", "Round clock", "Screens"} <= {menu.title() for menu in menus}
    for menu in menus:
        assert menu.sizeHint().height() < 720 - UNIT * 5, menu.title()  # the system's bar is visible too
        assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu), menu.title()
    held = {menu.title(): {action.text() for action in menu.actions()} for menu in menus}
    assert "Print all" in held["Printouts"]
    assert "Start the round clock" in held["Round clock"]
    assert "Phones…" in held["Screens"]


@pytest.mark.slow
def test_actions_table_is_sound(window: Window) -> None:
    ids = [command.row.id for command in window.commands]
    assert len(ids) == len(set(ids))
    assert all(command.text() for command in window.commands)
    assert all(not QKeySequence(keys).isEmpty() for command in window.commands for keys in command.row.shortcuts)
    icons = {path.stem for path in (window.session.resources.folder / "icons").glob("*.svg")}
    assert {command.row.icon for command in window.commands} - {""} <= icons


@pytest.mark.slow
def test_shortcuts_are_unique_on_every_page(window: Window) -> None:
    assert window.pages.pages_by_id
    for place in PAGES:
        window.show_page(place)
        live = [command for command in window.commands if command.isEnabled()]
        keys = [key.toString() for command in live for key in command.shortcuts()]
        assert len(keys) == len(set(keys)), place
        own = {keys for command in window.page.commands if command.isEnabled() for keys in command.row.shortcuts}
        assert {QKeySequence(one).toString() for one in own} <= set(keys), place


@pytest.mark.slow
def test_pages_show_one_main_button_and_few_others(window: Window) -> None:
    assert window.pages.pages_by_id
    for place in PAGES:
        window.show_page(place)
        buttons = [one for one in window.page.findChildren(CommandButton) if one.isVisible()]
        main = [button for button in buttons if button.property("role") == "primary"]
        assert len(main) <= 1, place
        assert len(buttons) - len(main) <= 3, place


@pytest.fixture(params=LANGUAGES)
def speaking(request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings) -> Iterator[Session]:
    made = make_session(request.param, appearance, settings)
    made.attach_desk(make_desk(make_tournament(players=4)))
    yield made
    made.close()
    made.work.close()


ERROR = StorageError("file-moved", path="Open.tdapp", detail="")
OPENERS: dict[str, Callable[[Window], QWidget]] = {
    "join": lambda window: JoinDialog(window.session, parent=window),
    "share": lambda window: ShareDialog(window.session, parent=window),
    "stop sharing": lambda window: StopSharingDialog(
        window.session, Path("Open.tdapp"), ["entry", "jury"], stop=repr, parent=window
    ),
    "elsewhere": lambda window: SaveElsewhereDialog(window.session, ERROR, parent=window),
    "waiting": lambda window: UnsavedStepsDialog(
        window.session, window.refresh_window, retry=window.refresh_window, parent=window
    ),
    "assistant": lambda window: TournamentAssistant(window.session, parent=window),
    "palette": lambda window: CommandPalette(window.session, window.commands, parent=window),
    "keys": lambda window: ShortcutsDialog(window.session, window.commands, parent=window),
}


@pytest.mark.parametrize("name", OPENERS)
def test_dialogs_open_in_every_language(speaking: Session, qtbot: QtBot, name: str) -> None:
    window = show_window(speaking, qtbot)
    made = OPENERS[name](window)
    assert isinstance(made, QDialog)
    made.open()
    assert made.windowTitle()
    assert unnamed(made) == []
    made.reject()


@pytest.mark.slow
def test_pages_and_panels_have_names_for_their_fields(speaking: Session, qtbot: QtBot) -> None:
    window = show_window(speaking, qtbot)
    player, stage = speaking.index.players(A)[0], speaking.index.stages(A)[0]
    panels = (
        lambda: None,
        lambda: StagePanel(speaking, stage.id),
        lambda: RankingPanel(speaking),
        lambda: AvailabilityPanel(speaking, player.id),
    )
    assert window.pages.pages_by_id
    for place in PAGES:
        window.show_page(place)
        for panel in panels:
            window.open_panel(panel())
            assert unnamed(window) == [], place


def unnamed(parent: QWidget) -> list[QWidget]:
    """Return the inputs that a screen reader would have no name for."""
    kinds = (QLineEdit, QComboBox, QAbstractItemView, QAbstractButton)
    found = [one for kind in kinds for one in parent.findChildren(kind) if one.isVisible()]
    inner = "qt_"  # parts of other widgets
    return [
        one
        for one in found
        if not one.accessibleName()
        and not (isinstance(one, QAbstractButton) and one.text())
        and not one.objectName().startswith(inner)
        and not isinstance(one.parent(), (QLineEdit, QComboBox, QAbstractItemView))
        and one.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]


@pytest.mark.slow
def test_language_changes_while_running(window: Window) -> None:
    window.show_page("players")
    said = {}
    for language in (*LANGUAGES, "en"):
        window.command(f"language-{language}").trigger()
        typed = LineEdit("")
        menu = typed.createStandardContextMenu()
        said[language] = [action.text().split("\t")[0].replace("&", "") for action in menu.actions()][4]
        assert window.page.id == "players"
        assert (window.page.title.accessibleName() == "Players") is (language == "en")
    assert said == {"en": "Copy", "nl": "Kopiëren", "nb": "Kopier", "de": "Kopieren"}
    assert window.page.title.accessibleName() == "Players"


def test_language_change_makes_only_the_visible_page_at_once(window: Window, full_session: Session) -> None:
    full_session.do(
        partial(commands.pair_round, key=RoundId("r1"), proposal=propose_pairings(full_session.index, A))
    )
    window.show_page("players")
    window.command("language-nl").trigger()
    assert set(window.pages.pages_by_id) == {"players"}
    assert not window.root_stack.findChildren(WelcomePage)
    window.command("close").trigger()
    QApplication.processEvents()
    (welcome,) = window.root_stack.findChildren(WelcomePage)
    assert "Welkom bij tdapp" in [one.text() for one in welcome.findChildren(QLabel) if one.isVisible()]


@pytest.mark.slow
def test_hidden_page_takes_another_scheme_when_shown(window: Window, qtbot: QtBot) -> None:
    for place in ("standings", "players", "standings"):
        window.show_page(place)
    window.command("look-dark").trigger()
    QApplication.processEvents()
    dark = window.page.grab().toImage()
    window.command("look-light").trigger()
    hidden = window.page
    window.show_page("players")
    window.command("look-dark").trigger()
    assert not window.isAncestorOf(hidden)
    window.show_page("standings")
    assert window.page is hidden
    qtbot.waitUntil(lambda: window.page.grab().toImage() == dark)


@pytest.mark.slow
def test_looks_change_on_every_page(window: Window) -> None:
    assert window.pages.pages_by_id
    for scheme in ("dark", "contrast", "light"):
        window.command(f"look-{scheme}").trigger()
        for place in PAGES:
            window.show_page(place)
            assert not window.grab().isNull()


def test_recent_tournaments_remember_an_open_file(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    Desk.create(path, make_tournament(players=2)).close()
    window = show_window(empty_session, qtbot)
    empty_session.open(partial(Desk.open, path))
    empty_session.do(partial(commands.add_player, key="x", division=A, name="Third"))
    window.command("close").trigger()
    assert not empty_session.is_open
    empty_session.open(partial(Desk.open, path))
    assert len(names(empty_session)) == 3
    assert window.command("undo").isEnabled()


def test_recent_tournaments_store_absolute_paths(
    empty_session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Desk.create(tmp_path / "cup.tdapp", make_tournament(players=2)).close()
    monkeypatch.chdir(tmp_path)
    empty_session.open_file(Path("cup.tdapp"))
    empty_session.attach_desk(None)
    monkeypatch.chdir(tmp_path.parent)
    assert empty_session.recent.list_files() == [tmp_path / "cup.tdapp"]


def test_read_only_file_says_so_and_disables_changes(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "cup.tdapp"
    Desk.create(path, make_tournament(players=2)).close()
    window = show_window(empty_session, qtbot)
    empty_session.open(partial(Desk.open, path, read_only=True))
    window.show_page("players")
    assert not window.command("add-player").isEnabled()
    assert not window.command("undo").isEnabled()
    assert isinstance(window.page, Page)


def test_save_copy_writes_a_file_that_opens(window: Window, full_session: Session, tmp_path: Path) -> None:
    copy = tmp_path / "copy.tdapp"
    with answer_file_dialogs(copy):
        FileActions(window).save_file_copy()
    desk = Desk.open(copy)
    assert desk.tournament.players == full_session.tournament.players
    desk.close()


def test_fixed_table_dialog_is_found_by_name(window: Window, full_session: Session) -> None:
    page = players_page(window)
    player = full_session.index.players(A)[2]
    page.view.choose(player.id)
    assert "fixed-table" in {command.row.id for command in page.commands if command.row.menu == "player"}
    window.command("fixed-table").trigger()
    (asked,) = window.findChildren(FixedTableDialog)
    asked.number.setText("5")
    asked.confirm_dialog()
    assert full_session.tournament.players[player.id].fixed_table == 5


@pytest.mark.styled
def test_frozen_columns_stay_while_players_scroll(window: Window) -> None:
    window.resize(1280, 720)
    page = players_page(window)
    window.command("all-columns").trigger()
    QApplication.processEvents()
    view, (frozen,) = page.view, page.view.findChildren(FrozenColumns)
    assert not frozen.isVisible()
    view.setFocus()
    view.choose(page.rows.keys()[3])
    QTest.keyClick(view, Qt.Key.Key_End)
    QApplication.processEvents()
    assert view.horizontalScrollBar().value() > 0
    assert frozen.isVisible()
    assert frozen.width() - 1 == view.columnWidth(0) + view.columnWidth(1)


def test_toggle_access_is_a_tick(window: Window, full_session: Session) -> None:
    page = players_page(window)
    page.view.choose(full_session.index.players(A)[2].id)
    command = window.command("needs-access")
    assert not command.isChecked()
    command.trigger()
    assert full_session.index.players(A)[2].needs_access
    assert command.isChecked()
