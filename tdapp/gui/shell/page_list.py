"""The pages of the program in the order of the bar at the left, and those that a window has made by now.

Hides that a page's module is loaded when its page is made: when it is asked for, or as soon as there is nothing
else to do. The window opens with the page that it shows, and no menu that is open loses its commands. Hides how
the columns' widths are written in the user's settings.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping

from msgspec import Struct
from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QApplication

from tdapp.gui.shell.actions import Command
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n.catalogue import Catalogue
from tdapp.services import sidebar_counts
from tdapp.services.preferences import LastPositions, read_mapping

PATIENCE = 100  # ms until it is looked again whether a menu is still open, and for what is opened to be shown
_WIDEST = 2000  # pixels of a column


class SidebarPage(Struct, frozen=True):
    """A page; `count` is how many things wait there, `waits` says it in words."""

    id: str  # its icon has the same name
    name: Callable[[Catalogue], str]
    count: Callable[[Session], int] = lambda _session: 0
    waits: Callable[[Catalogue, int], str] = lambda _catalogue, n: str(n)


def _class_of(page_id: str) -> type[Page]:
    """Return the class of a page, whose module is loaded now."""
    found: type[Page]
    match page_id:
        case "tournament":
            from tdapp.gui.tournament.page import TournamentPage as found
        case "players":
            from tdapp.gui.players.page import PlayersPage as found
        case "check-in":
            from tdapp.gui.players.check_in import CheckInPage as found
        case "rounds":
            from tdapp.gui.rounds.page import RoundsPage as found
        case "jury":
            from tdapp.gui.jury.page import JuryPage as found
        case "standings":
            from tdapp.gui.standings.page import StandingsPage as found
        case "bracket":
            from tdapp.gui.bracket.page import BracketPage as found
        case "papers":
            from tdapp.gui.printouts.page import PrintoutsPage as found
        case "screens":
            from tdapp.gui.screens.page import ScreensPage as found
        case "history":
            from tdapp.gui.history.page import HistoryPage as found
        case _:
            raise KeyError(page_id)
    return found


def _stale_printouts(session: Session) -> int:
    return len(session.printouts.stale())


def _not_here(catalogue: Catalogue, n: int) -> str:
    return catalogue.plural("{n} player missing", "{n} players missing", n)


def _not_checked(catalogue: Catalogue, n: int) -> str:
    return catalogue.plural("{n} game not checked", "{n} games not checked", n)


def _out_of_date(catalogue: Catalogue, n: int) -> str:
    return catalogue.plural("{n} printout out of date", "{n} printouts out of date", n)


_IN_ORDER = (
    SidebarPage("tournament", lambda words: words.text("Tournament")),
    SidebarPage("players", lambda words: words.text("Players")),
    SidebarPage("check-in", lambda words: words.text("Check-in"), sidebar_counts.count_missing, _not_here),
    SidebarPage("rounds", lambda words: words.text("Rounds")),
    SidebarPage("jury", lambda words: words.text("Jury"), sidebar_counts.count_unchecked, _not_checked),
    SidebarPage("standings", lambda words: words.text("Standings")),
    SidebarPage("bracket", lambda words: words.text("Bracket")),
    SidebarPage("papers", lambda words: words.text("Printouts"), _stale_printouts, _out_of_date),
    SidebarPage("screens", lambda words: words.text("Screens")),
    SidebarPage("history", lambda words: words.text("History")),
)

PAGES: Mapping[str, SidebarPage] = {one.id: one for one in _IN_ORDER}


class PageSet(QObject):
    """The pages by id, in the order of PAGES."""

    made = Signal(object)  # a Page, new

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.there: Mapping[str, Page] = {}  # those made by now
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._make_next)
        self._opening = False
        session.opening.connect(self._give_way)
        session.opened.connect(self._give_way)

    @property
    def is_whole(self) -> bool:
        """Whether all are made."""
        return len(self.there) == len(PAGES)

    def at(self, page_id: str) -> Page:
        """Return the page with an id, which is made now if it is not there yet."""
        if page_id not in self.there:
            page = _class_of(page_id)(self._session)
            page.build_header()
            known = {**self.there, page.id: page}
            self.there = {one: known[one] for one in PAGES if one in known}
            self.made.emit(page)
        return self.there[page_id]

    def make_all(self) -> None:
        """Make all that are not there yet."""
        for page_id in PAGES:
            self.at(page_id)

    def make_piecemeal(self) -> None:
        """Make all that are not there yet, in between."""
        self._next.start(0)

    def stop(self) -> None:
        """Make no more in between."""
        self._next.stop()

    def _give_way(self, opening: bool = False) -> None:
        """Let a tournament be opened and shown before any other page is made."""
        self._opening = opening
        if self._next.isActive():
            self._next.start(PATIENCE)

    def share_keys(self, shown: object) -> None:
        """Let a key that several pages use go to the page that is shown; if that has none, to a main command."""
        users = defaultdict[str, list[Command]](list)
        for command in (one for page in self.there.values() for one in page.commands):
            for key in command.row.shortcuts:
                users[key].append(command)
        for rivals in (some for some in users.values() if len(some) > 1):
            taken = any(one.parent() is shown for one in rivals)
            for one in rivals:
                one.answer_keys(answer=one.parent() is shown or (one.row.primary and not taken))

    def commands(self) -> dict[str, tuple[Command, ...]]:
        """Return those of all pages made by now, by id."""
        return {page_id: page.commands for page_id, page in self.there.items()}

    def keep_columns(self) -> None:
        """Remember the widths that the user gave columns."""
        settings = self._session.settings
        for key, view in (found for page in self.there.values() for found in _tables(page)):
            if view.dragged:
                settings.setValue(key, json.dumps(view.dragged))
            else:
                settings.remove(key)

    def _make_next(self) -> None:
        missing = next((page_id for page_id in PAGES if page_id not in self.there), None)
        if missing is not None:
            waits = self._opening or QApplication.activePopupWidget() is not None
            if not waits:
                self.at(missing)
            self._next.start(PATIENCE if waits else 0)


def widen_columns(settings: QSettings, page: Page) -> None:
    """Give the tables on a page the widths that the user gave their columns."""
    for key, view in _tables(page):
        found = read_mapping(str(settings.value(key, "")))
        if found and not view.dragged:
            view.set_dragged({name: px for name, px in found.items() if type(px) is int and 0 < px < _WIDEST})


def _tables(page: Page) -> list[tuple[str, TableView]]:
    """Return the tables made by now, by the name of each or, of those without one, by its place among all."""
    found = enumerate(page.findChildren(TableView))
    return [(f"widths/{page.id}-{view.objectName() or index}", view) for index, view in found]


def restored(session: Session, positions: LastPositions) -> str:
    """Choose the division and the round where the tournament was left, and return the page."""
    page = positions.recall(session)
    return page if page in PAGES else first_page(session)


def first_page(session: Session) -> str:
    """Return the page on which a tournament is opened the first time."""
    division = session.division
    if division is None:
        return "tournament"
    return "rounds" if session.index.rounds(division.id) else "players"
