"""The pages in the order of the side bar."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping

from msgspec import Struct
from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QApplication

from tdapp.gui.shell.actions import WindowAction
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n.catalogue import Catalogue
from tdapp.services import sidebar_counts
from tdapp.services.preferences import LastViewedPages, parse_json_mapping
from tdapp.storage.statements import import_sqlalchemy_tables_module

PATIENCE = 100  # ms between checks for an open menu or an unfinished start
_MAX_COLUMN_WIDTH = 2000  # pixels of a column


class PageDeclaration(Struct, frozen=True):
    """A page in the side bar."""

    id: str  # also the name of its icon
    name: Callable[[Catalogue], str]
    count_tasks: Callable[[Session], int] = lambda _session: 0  # returns the number of open tasks
    describe_tasks: Callable[[Catalogue, int], str] = lambda _catalogue, n: str(n)  # a text about the number
    is_shown: Callable[[Session], bool] = lambda _session: True


def _import_page(page_id: str) -> type[Page]:
    page_class: type[Page]
    match page_id:
        case "tournament":
            from tdapp.gui.tournament.page import TournamentPage as page_class
        case "players":
            from tdapp.gui.players.page import PlayersPage as page_class
        case "check-in":
            from tdapp.gui.players.check_in import CheckInPage as page_class
        case "evening":
            from tdapp.gui.players.evening import ClubEveningPage as page_class
        case "rounds":
            from tdapp.gui.rounds.page import RoundsPage as page_class
        case "jury":
            from tdapp.gui.jury.page import JuryPage as page_class
        case "standings":
            from tdapp.gui.standings.page import StandingsPage as page_class
        case "bracket":
            from tdapp.gui.bracket.page import BracketPage as page_class
        case "papers":
            from tdapp.gui.printouts.page import PrintoutsPage as page_class
        case "screens":
            from tdapp.gui.screens.page import ScreensPage as page_class
        case "history":
            from tdapp.gui.history.page import HistoryPage as page_class
        case _:
            raise KeyError(page_id)
    return page_class


def _count_stale_printouts(session: Session) -> int:
    return len(session.printouts.list_stale_printouts())


def _describe_missing_players(catalogue: Catalogue, n: int) -> str:
    return catalogue.plural("{n} player missing", "{n} players missing", n)


def _describe_games_waiting_for_jury(catalogue: Catalogue, n: int) -> str:
    return catalogue.plural("{n} game waits for the jury", "{n} games wait for the jury", n)


def _describe_stale_printouts(catalogue: Catalogue, n: int) -> str:
    return catalogue.plural("{n} printout out of date", "{n} printouts out of date", n)


_PAGES_IN_ORDER = (
    PageDeclaration("tournament", lambda words: words.text("Tournament")),
    PageDeclaration("players", lambda words: words.text("Players")),
    PageDeclaration(
        "check-in",
        lambda words: words.text("Check-in"),
        sidebar_counts.count_missing_players,
        _describe_missing_players,
        is_shown=lambda session: not sidebar_counts.is_division_with_evenings_selected(session),
    ),
    PageDeclaration(
        "evening", lambda words: words.text("Evening"), is_shown=sidebar_counts.is_division_with_evenings_selected
    ),
    PageDeclaration("rounds", lambda words: words.text("Rounds")),
    PageDeclaration(
        "jury",
        lambda words: words.text("Jury"),
        sidebar_counts.count_division_games_waiting_for_jury,
        _describe_games_waiting_for_jury,
    ),
    PageDeclaration("standings", lambda words: words.text("Standings")),
    PageDeclaration("bracket", lambda words: words.text("Bracket")),
    PageDeclaration(
        "papers", lambda words: words.text("Printouts"), _count_stale_printouts, _describe_stale_printouts
    ),
    PageDeclaration("screens", lambda words: words.text("Screens")),
    PageDeclaration("history", lambda words: words.text("History")),
)

PAGES: Mapping[str, PageDeclaration] = {page.id: page for page in _PAGES_IN_ORDER}


def find_page_or_replacement(session: Session, page_id: str) -> str:
    """Return `page_id`, or the id of the page that replaces it in the side bar.

    A club has the Evening page in place of Check-in.
    """
    if PAGES[page_id].is_shown(session):
        return page_id
    return "evening" if page_id == "check-in" else "check-in"


class WindowPages(QObject):
    """Makes the pages of the window when needed or while the program is idle."""

    page_made = Signal(object)  # the new Page

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.pages_by_id: Mapping[str, Page] = {}  # pages made so far
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._make_next_page)
        self._opening = False
        session.opening.connect(self._set_opening_and_restart_timer)

    @property
    def has_all_pages(self) -> bool:
        return len(self.pages_by_id) == len(PAGES)

    def get_page(self, page_id: str) -> Page:
        if page_id not in self.pages_by_id:
            page = _import_page(page_id)(self._session)
            page.make_actions_and_buttons()
            made_pages = {**self.pages_by_id, page.id: page}
            self.pages_by_id = {page_key: made_pages[page_key] for page_key in PAGES if page_key in made_pages}
            self.page_made.emit(page)
        return self.pages_by_id[page_id]

    def make_all_pages(self) -> None:
        for page_id in PAGES:
            self.get_page(page_id)

    def make_pages_when_idle(self) -> None:
        self._next.start(PATIENCE)

    def restart_timer_for_making_pages(self) -> None:
        """Restart the timer for making hidden pages, so that the window is painted first."""
        if self._next.isActive():
            self._next.start(PATIENCE)

    def stop_making_pages(self) -> None:
        self._next.stop()

    def _set_opening_and_restart_timer(self, is_opening: bool) -> None:
        self._opening = is_opening
        self.restart_timer_for_making_pages()

    def resolve_shortcut_conflicts(self, shown_page: object) -> None:
        """Enable each shared shortcut for one action only, because Qt ignores ambiguous shortcuts.

        Choose the action of `shown_page`. If it has none, choose the main action of the last page in the list.
        """
        users = defaultdict[str, list[WindowAction]](list)
        for action in (page_action for page in self.pages_by_id.values() for page_action in page.page_actions):
            for key in action.declaration.shortcuts:
                users[key].append(action)
        for rivals in (actions for actions in users.values() if len(actions) > 1):
            actions_of_page = [action for action in rivals if action.parent() is shown_page]
            active_actions = actions_of_page or [action for action in rivals if action.declaration.primary][-1:]
            for rival in rivals:
                rival.enable_shortcuts(enable=rival in active_actions)

    def map_actions_of_made_pages(self) -> dict[str, tuple[WindowAction, ...]]:
        """Return the actions by page id, for pages already made."""
        return {page_id: page.page_actions for page_id, page in self.pages_by_id.items()}

    def store_column_widths(self) -> None:
        settings = self._session.settings
        for key, view in (
            table_view
            for page in self.pages_by_id.values()
            for table_view in _list_settings_keys_and_table_views(page)
        ):
            if view.dragged:
                settings.setValue(key, json.dumps(view.dragged))
            else:
                settings.remove(key)

    def _make_next_page(self) -> None:
        missing = next((page_id for page_id in PAGES if page_id not in self.pages_by_id), None)
        if missing is None:  # import now, so that the first command is fast
            self._session.run_on_desk_thread(import_sqlalchemy_tables_module, on_success=lambda _tables: None)
        else:
            must_wait = self._opening or QApplication.activePopupWidget() is not None
            if not must_wait:
                self.get_page(missing)
            self._next.start(PATIENCE if must_wait else 0)


def restore_column_widths(settings: QSettings, page: Page) -> None:
    for key, view in _list_settings_keys_and_table_views(page):
        stored_widths = parse_json_mapping(str(settings.value(key, "")))
        if stored_widths and not view.dragged:
            view.set_dragged_widths(
                {name: px for name, px in stored_widths.items() if type(px) is int and 0 < px < _MAX_COLUMN_WIDTH}
            )


def _list_settings_keys_and_table_views(page: Page) -> list[tuple[str, TableView]]:
    numbered_views = enumerate(page.findChildren(TableView))
    return [(f"widths/{page.id}-{view.objectName() or index}", view) for index, view in numbered_views]


def restore_last_division_and_page(session: Session, positions: LastViewedPages) -> str:
    page = positions.select_last_viewed_round_and_get_page(session)
    return (
        page
        if page in PAGES and not sidebar_counts.is_division_with_evenings_selected(session)
        else choose_first_page(session)
    )


def choose_first_page(session: Session) -> str:
    division = session.division
    if division is None:
        return "tournament"
    if sidebar_counts.is_division_with_evenings_selected(session):
        return "evening"
    return "rounds" if session.index.rounds(division.id) else "players"
