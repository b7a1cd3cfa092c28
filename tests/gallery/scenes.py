"""Data of the gallery: scenes for all pages, panels and dialogs, and functions that open and close them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tdapp.domain import commands
from tdapp.domain.entries import EarlierResultEntry
from tdapp.domain.errors import StorageError
from tdapp.domain.event_copies import CopiedPlayer, EventToCopy
from tdapp.domain.impact import find_season_rank_changes
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, SeasonId, StageId
from tdapp.domain.seasons import compute_season_lines
from tdapp.exchange.exports import UnsupportedData
from tdapp.gui.players.availability import LateEntrantPanel
from tdapp.gui.players.photos import PhotoFolderDialog
from tdapp.gui.shell.crash_handling import FaultDialog
from tdapp.gui.shell.data_loss_dialogs import DamagedFileDialog, LoseTypedTextDialog
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.toast import Toast
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.season import SeasonView
from tdapp.gui.standings.season_events import CopiedEventsPreview, CopyEventsDialog
from tdapp.gui.standings.season_ratings import SeasonRatingsView
from tdapp.gui.standings.season_rules import SeasonRulesPanel
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.tournament.club import NewClubDialog
from tdapp.gui.tournament.division_panels import TieBreaksPanel
from tdapp.gui.tournament.page import FinishTournamentDialog
from tdapp.gui.tournament.rule_editors import TextOrNumberEditor
from tdapp.gui.tournament.server_dialogs import MovedTournamentDialog
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.demo import open_sample_tournament
from tdapp.services.event_files import EventsFromFiles
from tdapp.services.photos import PhotosFromFolder
from tdapp.storage import SnapshotFolder
from tests.gallery.data import B

SceneMaker = Callable[[Window], QWidget | None]


class Scene(Struct, frozen=True):
    """A picture of the gallery: a page with the first row selected, then an action or a function.

    The steps of the scene are undone afterwards. `is_cup`: show the division of the knockout.
    """

    name: str
    page_id: str = ""
    action: str = ""
    make: SceneMaker | None = None
    is_cup: bool = False
    without_tournament: bool = False


def make_panel_opener(make_widget: Callable[[Window], QWidget]) -> SceneMaker:
    def open_panel(window: Window) -> None:
        window.open_panel(make_widget(window))

    return open_panel


def make_dialog_opener(make_widget: Callable[[Window], QWidget]) -> SceneMaker:
    def open_dialog(window: Window) -> QWidget:
        dialog = make_widget(window)
        dialog.show()
        return dialog

    return open_dialog


def make_photo_folder_dialog(window: Window) -> PhotoFolderDialog:
    session, unused_files = window.session, ("IMG_0412.jpg", "team.jpg")
    problem_texts = (
        session.catalogue.text("{name}: no player has this number, member number or name.", name=file_name)
        for file_name in unused_files
    )
    players = list(session.tournament.players)[:12]
    return PhotoFolderDialog(
        session, PhotosFromFolder(tuple((player, "") for player in players), tuple(problem_texts)), parent=window
    )


def make_window_opener(run: Callable[[Window], None]) -> SceneMaker:
    def open_other_window(window: Window) -> QWidget | None:
        run(window)
        process_events()
        return next(iter(list_other_windows(window)), None)

    return open_other_window


def start_evening(window: Window) -> None:
    session = window.session
    division = session.index.divisions[0].id
    evening = partial(commands.begin_evening, key="evening", division=division, date="2026-11-21")
    session.do(evening)
    players = tuple(player.id for player in session.index.players(division)[:13])
    session.do(partial(commands.check_in, players=players))
    window.show_page("evening")
    window.page.continue_last_evening()  # type: ignore[attr-defined]


def make_fault_dialog(window: Window) -> QWidget:
    dialog = FaultDialog(
        window.session, lambda: "tdapp: a fault\n\n  tdapp/gui/shell/window.py:1 in refresh\n", parent=window
    )
    dialog.report_section.header.click()
    return dialog


def make_lose_text_dialog(window: Window) -> QWidget:
    window.show_page("rounds")
    line = window.page.field.line  # type: ignore[attr-defined]
    line.setText("7 41")
    return LoseTypedTextDialog(window.session, line, window.update, parent=window)


def make_damaged_file_dialog(window: Window) -> QWidget:
    path = window.session.path or Path()
    (snapshot, *_) = SnapshotFolder.from_tournament(path).list_snapshots_newest_first()
    return DamagedFileDialog(
        window.session, StorageError("file-damaged", path=str(path)), snapshot, path, parent=window
    )


def make_damaged_file_dialog_without_snapshot(window: Window) -> QWidget:
    path = window.session.path or Path()
    return DamagedFileDialog(
        window.session, StorageError("file-damaged", path=str(path)), None, path, parent=window
    )


def make_moved_tournament_dialog(window: Window) -> QWidget:
    facts = {"path": "Open.tdapp", "address": "postgresql://club@hall/open", "since": "2026-11-21T10:00:00+00:00"}
    return MovedTournamentDialog(
        window.session,
        window.session.catalogue.describe_error(StorageError("file-shared", **facts)),
        parent=window,
    )


def make_finish_dialog(window: Window) -> QWidget:
    return FinishTournamentDialog(window.session, {"A": 2, "B": 1}, {"A": 1}, parent=window)


def make_late_entry_panel(window: Window) -> QWidget:
    session = window.session
    command = partial(commands.add_player, key="late", division=session.index.divisions[0].id, name="Zwart, Truus")
    return LateEntrantPanel(session, command, PlayerId("late"), window.close_panel)


def open_demo_tournament(window: Window) -> None:
    open_sample_tournament(window.session)


def paste_players(window: Window) -> None:
    QApplication.clipboard().setText("No.\tName\tRating\n1\tZwart, Truus\t1500\n2\tLi, Hanna\t1600\n")
    window.get_action("paste-players").trigger()


def type_result(window: Window, text: str = "?") -> None:
    window.page.field.line.setText(text)  # type: ignore[attr-defined]


def show_season(window: Window, action: str = "season") -> None:
    """Show a season of twelve members and five evenings."""
    session = window.session
    division = session.index.divisions[0].id
    rule = session.resources.season_rules["best"]
    session.do(partial(commands.add_season, key="season", name="Autumn 2026", rule=rule, division=division))
    entries = tuple(
        EarlierResultEntry(
            player.name, f"2026-10-{6 + 7 * week:02d}" if week < 4 else "2026-11-03", Fraction(value)
        )
        for index, player in enumerate(session.index.players(division)[:12])
        for week in range(5)
        if (value := (index * 5 + week * 7) % 13)
    )
    import_results = partial(
        commands.import_earlier_results, key="earlier", season=SeasonId("season"), entries=entries
    )
    session.do(import_results)
    window.show_page("standings")
    window.get_action("season").trigger()
    process_events()
    window.page.get_or_make_view(SeasonView).view.selectRow(1)  # type: ignore[attr-defined]
    if action != "season":
        window.get_action(action).trigger()


def show_season_ratings(window: Window) -> None:
    """Show the rating list of a season with the first stage as an event. Select the first player."""
    session = window.session
    stage = session.index.stages(session.index.divisions[0].id)[0].id
    session.do(partial(commands.edit_stage, stage=stage, date="2026-11-21"))
    show_season(window, action="season-ratings")
    process_events()
    window.page.get_or_make_view(SeasonRatingsView).view.selectRow(0)  # type: ignore[attr-defined]


def open_rating_update(window: Window) -> None:
    """Open the preview of the new ratings."""
    show_season_ratings(window)
    window.page.get_or_make_view(SeasonRatingsView).open_rating_update_dialog()  # type: ignore[attr-defined]


def edit_season_rules(window: Window) -> None:
    """Open the season rules. Change the number of counted results to two."""
    show_season(window, action="season-rules")
    panel = window.panel
    assert isinstance(panel, SeasonRulesPanel)
    panel.form.show_and_focus_rule("best")
    editor = panel.form.rows["best"].editor
    assert isinstance(editor, TextOrNumberEditor)
    editor.line.clear()
    QTest.keyClicks(editor.line, "2")


def add_season_events(window: Window) -> None:
    """Show two events of other files."""
    show_season(window, action="season-events")
    for copy in make_event_copies(window, date=""):
        add = partial(
            commands.add_copied_events, key=f"event{copy.head}", season=SeasonId("season"), events=(copy,)
        )
        window.session.do(add)
    process_events()


def make_event_copies(window: Window, *, date: str) -> tuple[EventToCopy, ...]:
    """Return copies of two events with players of the open file. The second has the given date."""
    players = window.session.index.players(window.session.index.divisions[0].id)[:9]
    return tuple(
        EventToCopy(name, day, f"{name}.tdapp", str(index), tuple(
            CopiedPlayer(player.number, player.name, rank, 7, 2800 - 9 * rank, 300 - 60 * rank, Fraction(8 - rank),
                        member=player.member, club=player.club)
            for rank, player in enumerate(players[index : index + 8], 1)
        ))
        for index, (name, day) in enumerate((("Bergen Open", "2026-09-12"), ("Tromsø Cup", date)))
    )  # fmt: skip


def make_copy_events_dialog(window: Window) -> CopyEventsDialog:
    show_season(window)
    session = window.session
    season = session.tournament.seasons[SeasonId("season")]
    unsupported_data = UnsupportedData("copy-date-unknown", {"event": "Tromsø Cup", "date": "in June"})
    files = EventsFromFiles(make_event_copies(window, date=""), (("Tromsø Cup.tdapp", unsupported_data),))
    add = partial(commands.add_copied_events, key="event", season=season.id, events=files.events)
    lines = [
        compute_season_lines(TournamentIndex(tournament), season)
        for tournament in (session.tournament, add(session.tournament))
    ]
    preview = CopiedEventsPreview(files, add, find_season_rank_changes(season.name, *lines))
    return CopyEventsDialog(
        session,
        session.catalogue.text("Add events"),
        preview,
        confirm_text=session.catalogue.text("Add"),
        parent=window,
    )


PAGE_SCENES = (
    Scene("rounds-typing", "rounds", make=type_result),
    Scene("rounds-result", "rounds", make=partial(type_result, text="8 412 388")),
    Scene("rounds-cup", "rounds", is_cup=True),
    Scene("rounds-draft", "rounds", "pair-assuming"),
    Scene("bracket-cup", "bracket", is_cup=True),
    Scene("standings-cup", "standings", is_cup=True),
    *(
        Scene(f"standings-{command_id}", "standings", command_id)
        for command_id in ("chances", "prizes", "ratings", "teams")
    ),
    Scene("standings-season", "standings", make=show_season),
    Scene("standings-season-ratings", "standings", make=show_season_ratings),
    Scene("history-past", "history", "look-back"),
    Scene("tournament-schedule", "tournament", "schedule"),
    Scene("tour", without_tournament=True, make=open_demo_tournament),
)


def open_assistant_rules(window: Window) -> QWidget:
    """Open the second step of the assistant."""
    assistant = NewTournamentDialog(window.session, parent=window)
    assistant.name.setText("Open Leiden 2026")
    assistant.confirm_dialog()
    assistant.open()
    return assistant


def open_choice_list(window: Window) -> QWidget:
    """Open the drop-down list of a choice field."""
    window.show_page("standings")
    box = next(choice for choice in window.page.findChildren(Choice) if choice.isVisible())
    box.showPopup()
    process_events()
    return box.view().window()


PANEL_SCENES = (
    *(
        Scene(f"panel-{command_id}", "players", command_id)
        for command_id in ("card", "availability", "constraints", "fees", "move-players")
    ),
    *(
        Scene(f"panel-{command_id}", "rounds", command_id)
        for command_id in ("incidents", "sanctions", "late-arrival", "starting-draw")
    ),
    *(
        Scene(f"panel-{command_id}", "rounds", command_id)
        for command_id in ("check-pairings", "choose-reports", "words", "challenges", "awards")
    ),
    *(
        Scene(f"panel-{command_id}", "tournament", command_id)
        for command_id in ("change-rules", "word-lists", "seating", "help")
    ),
    Scene("panel-judge-without-list", "jury", "judge-screen"),
    Scene("panel-balance", "standings", "balance"),
    Scene("panel-seasons", "standings", make=partial(show_season, action="seasons")),
    Scene("panel-season-events", "standings", make=add_season_events),
    Scene("panel-season-rules", "standings", make=edit_season_rules),
    Scene("panel-season-member", "standings", make=partial(show_season, action="season-member")),
    Scene("panel-rehearse", "tournament", "rehearse"),
    Scene("panel-snapshots", "history", "snapshots"),
    Scene("panel-public", "screens", "public"),
    Scene("panel-phones", "screens", "phones"),
    Scene("panel-overlays", "screens", "overlays"),
    Scene("panel-news", "screens", "news"),
    Scene("panel-featured", "screens", "featured"),
    Scene("panel-pages", "rounds", "export-pages"),
    Scene("panel-problems", "rounds", "problems"),
    Scene("panel-rating-lists", "players", "rating-lists"),
    Scene(
        "panel-stage",
        "tournament",
        make=make_panel_opener(lambda window: StagePanel(window.session, get_first_stage(window))),
    ),
    Scene(
        "panel-stage-cup",
        "tournament",
        is_cup=True,
        make=make_panel_opener(lambda window: StagePanel(window.session, get_first_stage(window))),
    ),
    Scene("panel-ranking", "tournament", make=make_panel_opener(lambda window: TieBreaksPanel(window.session))),
    Scene("panel-newcomer", "players", make=make_panel_opener(make_late_entry_panel)),
)
DIALOG_SCENES = (
    Scene("dialog-new", action="new", without_tournament=True),
    Scene("dialog-new-rules", make=open_assistant_rules, without_tournament=True),
    Scene("dialog-join", action="join", without_tournament=True),
    Scene("dialog-about", action="about", without_tournament=True),
    Scene("dialog-help", action="help", without_tournament=True),
    Scene("popup-choice", "standings", make=open_choice_list),
    Scene("dialog-palette", "players", "palette"),
    Scene("dialog-find", "players", "find"),
    Scene("dialog-about", "players", "about"),
    Scene("dialog-keys", "players", "keys"),
    Scene("dialog-paste", "players", make=make_window_opener(paste_players)),
    Scene("dialog-erase", "players", "erase-players"),
    Scene("dialog-fixed-table", "players", "fixed-table"),
    Scene("dialog-photo-folder", "players", make=make_dialog_opener(make_photo_folder_dialog)),
    Scene("dialog-season-events", "standings", make=make_dialog_opener(make_copy_events_dialog)),
    Scene("dialog-withdraw", "players", "withdraw"),
    Scene("dialog-print", "rounds", "print-round"),
    Scene("dialog-take-back", "rounds", "take-back"),
    Scene("dialog-table", "rounds", "set-table"),
    Scene("dialog-seated", "rounds", "as-seated"),
    Scene("dialog-latecomer", "rounds", "latecomer"),
    Scene("dialog-season-ratings", "standings", make=make_window_opener(open_rating_update)),
    Scene("dialog-finish", "tournament", make=make_dialog_opener(make_finish_dialog)),
    Scene("dialog-share", "tournament", "share"),
    Scene("dialog-verify", "history", "verify"),
    Scene("dialog-fault", "rounds", make=make_dialog_opener(make_fault_dialog)),
    Scene("dialog-club", make=make_dialog_opener(lambda window: NewClubDialog(window.session, parent=window))),
    Scene("dialog-leaving", "rounds", make=make_dialog_opener(make_lose_text_dialog)),
    Scene("dialog-rescue", "rounds", make=make_dialog_opener(make_damaged_file_dialog)),
    Scene("dialog-salvage", "rounds", make=make_dialog_opener(make_damaged_file_dialog_without_snapshot)),
    Scene("dialog-goes-on", "rounds", make=make_dialog_opener(make_moved_tournament_dialog)),
)
SCENES: tuple[Scene, ...] = (
    Scene("welcome", without_tournament=True),
    *(Scene(f"page-{page}", page) for page in PAGES if page != "evening"),
    Scene("page-evening", make=start_evening),
    *PAGE_SCENES,
    *PANEL_SCENES,
    *DIALOG_SCENES,
)


def get_first_stage(window: Window) -> StageId:
    division = window.session.division
    assert division is not None
    return window.session.index.stages(division.id)[0].id


@contextmanager
def show_scene(window: Window, scene: Scene) -> Iterator[QWidget | None]:
    """Open a scene and yield its widget, or None if it is not available. Restore the window."""
    prepare_scene(window, scene)
    step_count = count_steps(window)
    opened_widget = open_scene(window, scene)
    process_events()
    try:
        yield opened_widget
    finally:
        close_scene(window, scene, step_count)


def close_scene(window: Window, scene: Scene, step_count: int) -> None:
    """Close all windows of a scene. Undo its steps: those after the first `step_count`."""
    session = window.session
    for other_window in list_other_windows(window):
        other_window.close()
    if not scene.without_tournament and session.is_open:
        window.open_panel(None)
        while count_steps(window) > step_count:
            session.undo()
            step_count += 2  # an undo adds a step
    for toast in window.findChildren(Toast):
        toast.hide()
    process_events()


def prepare_scene(window: Window, scene: Scene) -> None:
    """Show the division and the page of a scene."""
    if not scene.without_tournament:
        divisions = window.session.index.divisions
        window.session.choose_division(B if scene.is_cup and len(divisions) > 1 else divisions[0].id)
    if scene.page_id:
        window.show_page(scene.page_id)
        process_events()
        select_first_row(window)


def open_scene(window: Window, scene: Scene) -> QWidget | None:
    """Open a scene on its page. Return its widget, or None if the scene is not available."""
    if scene.make is not None:
        widget = scene.make(window)
        process_events()
        return widget or window
    if scene.action:
        action = window.get_action(scene.action)
        action.update_state()
        if not action.isEnabled():
            return None
        action.trigger()
        process_events()
    other_windows = list_other_windows(window)
    return other_windows[-1] if other_windows else window


def list_other_windows(window: Window) -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not window]


def select_first_row(window: Window) -> None:
    for view in window.page.findChildren(TableView):
        if view.isVisible() and view.model().rowCount():
            view.setCurrentIndex(view.model().index(0, 1))
            return


def count_steps(window: Window) -> int:
    """Return the number of steps in the history."""
    return len(window.session.desk.list_all_steps()) if window.session.is_open else 0


def process_events() -> None:
    """Finish layout, painting and the deletion of closed widgets."""
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
