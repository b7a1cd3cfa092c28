"""Every place of the program as data: pages, their sights, panels and dialogs, and how each is opened and left."""

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
from tdapp.domain.event_copies import CopiedPlayer, EventCopy
from tdapp.domain.impact import compare_season_lines
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, SeasonId, StageId
from tdapp.domain.seasons import compute_season_lines
from tdapp.exchange.exports import UnsupportedData
from tdapp.gui.players.availability import LateEntryPanel
from tdapp.gui.players.photos import PhotoFolderDialog
from tdapp.gui.shell.bottom_bar import Toast
from tdapp.gui.shell.crash_handling import FaultDialog
from tdapp.gui.shell.data_loss_dialogs import DamagedFileDialog, LoseTypedTextDialog
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.season import SeasonView
from tdapp.gui.standings.season_events import CopiedEventsPreview, CopyEventsDialog
from tdapp.gui.standings.season_ratings import SeasonRatingsView
from tdapp.gui.standings.season_rules import SeasonRulesPanel
from tdapp.gui.tournament.assistant import TournamentAssistant
from tdapp.gui.tournament.club import ClubDialog
from tdapp.gui.tournament.division_panels import RankingPanel
from tdapp.gui.tournament.page import FinishTournamentDialog
from tdapp.gui.tournament.rule_editors import TypedRuleEditor
from tdapp.gui.tournament.server_dialogs import MovedTournamentDialog
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.demo import open_demo
from tdapp.services.event_files import EventsFromFiles
from tdapp.services.photos import PhotosFromFolder
from tdapp.storage import SnapshotFolder
from tests.gallery.data import B

Make = Callable[[Window], QWidget | None]


class Scene(Struct, frozen=True):
    """One picture: a page, then an action with the cursor on the first line, or a function that opens it.

    The action is undone afterwards. `cup`: in the knockout's division. `without`: without an open tournament.
    """

    name: str
    place: str = ""
    command: str = ""
    make: Make | None = None
    cup: bool = False
    without: bool = False


def _panel(kind: Callable[[Window], QWidget]) -> Make:
    def made(window: Window) -> None:
        window.open_panel(kind(window))

    return made


def _dialog(kind: Callable[[Window], QWidget]) -> Make:
    def made(window: Window) -> QWidget:
        dialog = kind(window)
        dialog.show()
        return dialog

    return made


def _photo_folder(window: Window) -> PhotoFolderDialog:
    session, unused_files = window.session, ("IMG_0412.jpg", "team.jpg")
    left_out = (
        session.catalogue.text("{name}: no player has this number, member number or name.", name=file_name)
        for file_name in unused_files
    )
    players = list(session.tournament.players)[:12]
    return PhotoFolderDialog(
        session, PhotosFromFolder(tuple((player, "") for player in players), tuple(left_out)), parent=window
    )


def _others_of(run: Callable[[Window], None]) -> Make:
    def made(window: Window) -> QWidget | None:
        run(window)
        settle()
        return next(iter(_others(window)), None)

    return made


def _begin_evening(window: Window) -> None:
    session = window.session
    division = session.index.divisions[0].id
    evening = partial(commands.begin_evening, key="evening", division=division, date="2026-11-21")
    session.do(evening)
    players = tuple(player.id for player in session.index.players(division)[:13])
    session.do(partial(commands.check_in, players=players))
    window.show_page("evening")
    window.page.continue_evening()  # type: ignore[attr-defined]


def _fault(window: Window) -> QWidget:
    dialog = FaultDialog(
        window.session, lambda: "tdapp: a fault\n\n  tdapp/gui/shell/window.py:1 in refresh\n", parent=window
    )
    dialog.report_section.header.click()
    return dialog


def _leaving(window: Window) -> QWidget:
    window.show_page("rounds")
    line = window.page.field.line  # type: ignore[attr-defined]
    line.setText("7 41")
    return LoseTypedTextDialog(window.session, line, window.update, parent=window)


def _rescue(window: Window) -> QWidget:
    path = window.session.path or Path()
    (snapshot, *_) = SnapshotFolder.from_tournament(path).list_snapshots()
    return DamagedFileDialog(
        window.session, StorageError("file-damaged", path=str(path)), snapshot, path, parent=window
    )


def _salvage(window: Window) -> QWidget:
    path = window.session.path or Path()
    return DamagedFileDialog(
        window.session, StorageError("file-damaged", path=str(path)), None, path, parent=window
    )


def _goes_on(window: Window) -> QWidget:
    facts = {"path": "Open.tdapp", "address": "postgresql://club@hall/open", "since": "2026-11-21T10:00:00+00:00"}
    return MovedTournamentDialog(
        window.session, window.session.catalogue.error(StorageError("file-shared", **facts)), parent=window
    )


def _finish(window: Window) -> QWidget:
    return FinishTournamentDialog(window.session, {"A": 2, "B": 1}, parent=window)


def _newcomer(window: Window) -> QWidget:
    session = window.session
    command = partial(commands.add_player, key="late", division=session.index.divisions[0].id, name="Zwart, Truus")
    return LateEntryPanel(session, command, PlayerId("late"), window.close_panel)


def _tour(window: Window) -> None:
    open_demo(window.session)


def _paste(window: Window) -> None:
    QApplication.clipboard().setText("No.\tName\tRating\n1\tZwart, Truus\t1500\n2\tLi, Hanna\t1600\n")
    window.command("paste-players").trigger()


def _typed(window: Window, text: str = "?") -> None:
    window.page.field.line.setText(text)  # type: ignore[attr-defined]


def _season(window: Window, command: str = "season") -> None:
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
    take = partial(commands.import_earlier_results, key="earlier", season=SeasonId("season"), entries=entries)
    session.do(take)
    window.show_page("standings")
    window.command("season").trigger()
    settle()
    window.page.get_or_make_view(SeasonView).view.selectRow(1)  # type: ignore[attr-defined]
    if command != "season":
        window.command(command).trigger()


def _season_ratings(window: Window) -> None:
    """Show the rating list with the first stage as an event of the season, and the games of the first player."""
    session = window.session
    stage = session.index.stages(session.index.divisions[0].id)[0].id
    session.do(partial(commands.edit_stage, stage=stage, date="2026-11-21"))
    _season(window, command="season-ratings")
    settle()
    window.page.get_or_make_view(SeasonRatingsView).view.selectRow(0)  # type: ignore[attr-defined]


def _rating_update(window: Window) -> None:
    """Open the preview of the new ratings."""
    _season_ratings(window)
    window.page.get_or_make_view(SeasonRatingsView).open_rating_update_dialog()  # type: ignore[attr-defined]


def _season_rules(window: Window) -> None:
    """Let two results count instead of four."""
    _season(window, command="season-rules")
    panel = window.panel
    assert isinstance(panel, SeasonRulesPanel)
    panel.form.reveal_rule("best")
    editor = panel.form.rows["best"].editor
    assert isinstance(editor, TypedRuleEditor)
    editor.line.clear()
    QTest.keyClicks(editor.line, "2")


def _season_events(window: Window) -> None:
    """Show two events of other files."""
    _season(window, command="season-events")
    for copy in _copy_events(window, date=""):
        add = partial(
            commands.add_copied_events, key=f"event{copy.head}", season=SeasonId("season"), events=(copy,)
        )
        window.session.do(add)
    settle()


def _copy_events(window: Window, *, date: str) -> tuple[EventCopy, ...]:
    """Return two events of players of the file, one of them with this date."""
    players = window.session.index.players(window.session.index.divisions[0].id)[:9]
    return tuple(
        EventCopy(name, day, f"{name}.tdapp", str(index), tuple(
            CopiedPlayer(player.number, player.name, rank, 7, 2800 - 9 * rank, 300 - 60 * rank, Fraction(8 - rank),
                        member=player.member, club=player.club)
            for rank, player in enumerate(players[index : index + 8], 1)
        ))
        for index, (name, day) in enumerate((("Bergen Open", "2026-09-12"), ("Tromsø Cup", date)))
    )  # fmt: skip


def _season_events_dialog(window: Window) -> CopyEventsDialog:
    _season(window)
    session = window.session
    season = session.tournament.seasons[SeasonId("season")]
    unknown = UnsupportedData("copy-date-unknown", {"event": "Tromsø Cup", "date": "in June"})
    files = EventsFromFiles(_copy_events(window, date=""), (("Tromsø Cup.tdapp", unknown),))
    add = partial(commands.add_copied_events, key="event", season=season.id, events=files.events)
    lines = [
        compute_season_lines(Index(tournament), season)
        for tournament in (session.tournament, add(session.tournament))
    ]
    preview = CopiedEventsPreview(files, add, compare_season_lines(season.name, *lines))
    return CopyEventsDialog(
        session, session.catalogue.text("Add events"), preview, confirm_text="Add", parent=window
    )


_IN_PAGES = (
    Scene("rounds-typing", "rounds", make=_typed),
    Scene("rounds-result", "rounds", make=partial(_typed, text="8 412 388")),
    Scene("rounds-cup", "rounds", cup=True),
    Scene("rounds-draft", "rounds", "pair-assuming"),
    Scene("bracket-cup", "bracket", cup=True),
    Scene("standings-cup", "standings", cup=True),
    *(
        Scene(f"standings-{command_}", "standings", command_)
        for command_ in ("chances", "prizes", "ratings", "teams")
    ),
    Scene("standings-season", "standings", make=_season),
    Scene("standings-season-ratings", "standings", make=_season_ratings),
    Scene("history-past", "history", "look-back"),
    Scene("tournament-schedule", "tournament", "schedule"),
    Scene("tour", without=True, make=_tour),
)


def _rules_of_new(window: Window) -> QWidget:
    """Open the second step of the assistant."""
    assistant = TournamentAssistant(window.session, parent=window)
    assistant.name.setText("Open Leiden 2026")
    assistant.confirm_dialog()
    assistant.open()
    return assistant


def _popup(window: Window) -> QWidget:
    """Open the list of a choice."""
    window.show_page("standings")
    box = next(choice for choice in window.page.findChildren(Choice) if choice.isVisible())
    box.showPopup()
    settle()
    return box.view().window()


_PANELS = (
    *(
        Scene(f"panel-{command_}", "players", command_)
        for command_ in ("card", "availability", "constraints", "fees", "move-players")
    ),
    *(
        Scene(f"panel-{command_}", "rounds", command_)
        for command_ in ("incidents", "sanctions", "late-arrival", "starting-draw")
    ),
    *(
        Scene(f"panel-{command_}", "rounds", command_)
        for command_ in ("check-pairings", "choose-reports", "words", "challenges", "awards")
    ),
    *(
        Scene(f"panel-{command_}", "tournament", command_)
        for command_ in ("change-rules", "word-lists", "seating", "help")
    ),
    Scene("panel-judge-without-list", "jury", "judge-screen"),
    Scene("panel-balance", "standings", "balance"),
    Scene("panel-seasons", "standings", make=partial(_season, command="seasons")),
    Scene("panel-season-events", "standings", make=_season_events),
    Scene("panel-season-rules", "standings", make=_season_rules),
    Scene("panel-season-member", "standings", make=partial(_season, command="season-member")),
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
    Scene("panel-stage", "tournament", make=_panel(lambda window: StagePanel(window.session, _stage(window)))),
    Scene(
        "panel-stage-cup",
        "tournament",
        cup=True,
        make=_panel(lambda window: StagePanel(window.session, _stage(window))),
    ),
    Scene("panel-ranking", "tournament", make=_panel(lambda window: RankingPanel(window.session))),
    Scene("panel-newcomer", "players", make=_panel(_newcomer)),
)
_DIALOGS = (
    Scene("dialog-new", command="new", without=True),
    Scene("dialog-new-rules", make=_rules_of_new, without=True),
    Scene("dialog-join", command="join", without=True),
    Scene("dialog-about", command="about", without=True),
    Scene("dialog-help", command="help", without=True),
    Scene("popup-choice", "standings", make=_popup),
    Scene("dialog-palette", "players", "palette"),
    Scene("dialog-find", "players", "find"),
    Scene("dialog-about", "players", "about"),
    Scene("dialog-keys", "players", "keys"),
    Scene("dialog-paste", "players", make=_others_of(_paste)),
    Scene("dialog-erase", "players", "erase-players"),
    Scene("dialog-fixed-table", "players", "fixed-table"),
    Scene("dialog-photo-folder", "players", make=_dialog(_photo_folder)),
    Scene("dialog-season-events", "standings", make=_dialog(_season_events_dialog)),
    Scene("dialog-withdraw", "players", "withdraw"),
    Scene("dialog-print", "rounds", "print-round"),
    Scene("dialog-take-back", "rounds", "take-back"),
    Scene("dialog-table", "rounds", "set-table"),
    Scene("dialog-seated", "rounds", "as-seated"),
    Scene("dialog-latecomer", "rounds", "latecomer"),
    Scene("dialog-season-ratings", "standings", make=_others_of(_rating_update)),
    Scene("dialog-finish", "tournament", make=_dialog(_finish)),
    Scene("dialog-share", "tournament", "share"),
    Scene("dialog-verify", "history", "verify"),
    Scene("dialog-fault", "rounds", make=_dialog(_fault)),
    Scene("dialog-club", make=_dialog(lambda window: ClubDialog(window.session, parent=window))),
    Scene("dialog-leaving", "rounds", make=_dialog(_leaving)),
    Scene("dialog-rescue", "rounds", make=_dialog(_rescue)),
    Scene("dialog-salvage", "rounds", make=_dialog(_salvage)),
    Scene("dialog-goes-on", "rounds", make=_dialog(_goes_on)),
)
SCENES: tuple[Scene, ...] = (
    Scene("welcome", without=True),
    *(Scene(f"page-{page}", page) for page in PAGES if page != "evening"),
    Scene("page-evening", make=_begin_evening),
    *_IN_PAGES,
    *_PANELS,
    *_DIALOGS,
)


def _stage(window: Window) -> StageId:
    division = window.session.division
    assert division is not None
    return window.session.index.stages(division.id)[0].id


@contextmanager
def staged(window: Window, scene: Scene) -> Iterator[QWidget | None]:
    """Open a scene and yield its widget, or None if it is not available. Restore the window."""
    arrive(window, scene)
    seq = steps(window)
    opened_widget = open_scene(window, scene)
    settle()
    try:
        yield opened_widget
    finally:
        leave(window, scene, seq)


def leave(window: Window, scene: Scene, seq: int) -> None:
    """Close what a scene opened and undo its steps, those after `seq`."""
    session = window.session
    for window_ in _others(window):
        window_.close()
    if not scene.without and session.is_open:
        window.open_panel(None)
        while steps(window) > seq:
            session.undo()
            seq += 2  # undoing is a step
    for toast in window.findChildren(Toast):
        toast.hide()
    settle()


def arrive(window: Window, scene: Scene) -> None:
    """Go to the division and the page that a scene opens on."""
    if not scene.without:
        divisions = window.session.index.divisions
        window.session.choose_division(B if scene.cup and len(divisions) > 1 else divisions[0].id)
    if scene.place:
        window.show_page(scene.place)
        settle()
        _choose_first(window)


def open_scene(window: Window, scene: Scene) -> QWidget | None:
    """Open a scene on its page; return its widget, or None if it is not available."""
    if scene.make is not None:
        widget = scene.make(window)
        settle()
        return widget or window
    if scene.command:
        command = window.command(scene.command)
        command.update_state()
        if not command.isEnabled():
            return None
        command.trigger()
        settle()
    other_windows = _others(window)
    return other_windows[-1] if other_windows else window


def _others(window: Window) -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not window]


def _choose_first(window: Window) -> None:
    for view in window.page.findChildren(TableView):
        if view.isVisible() and view.model().rowCount():
            view.setCurrentIndex(view.model().index(0, 1))
            return


def steps(window: Window) -> int:
    """Return how many steps the history has."""
    return len(window.session.desk.history()) if window.session.is_open else 0


def settle() -> None:
    """Finish layout, painting and the deletion of closed widgets."""
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
