"""The pages of the program in the order of the bar at the left, and what the bar shows of them.

Hides that a page's module is loaded when its page is made: the window opens with the page it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Page
from tdapp.i18n.catalogue import Catalogue
from tdapp.services import counts


@dataclass(frozen=True, slots=True)
class SidebarPage:
    """A page; `count` is how many things wait there, `offered` whether the chosen division has use for it."""

    id: str
    icon: str
    name: Callable[[Catalogue], str]
    page: Callable[[], type[Page]]
    count: Callable[[Session], int] = lambda _session: 0
    offered: Callable[[Session], bool] = lambda _session: True


def _tournament() -> type[Page]:
    from tdapp.gui.tournament.page import TournamentPage

    return TournamentPage


def _players() -> type[Page]:
    from tdapp.gui.players.page import PlayersPage

    return PlayersPage


def _check_in() -> type[Page]:
    from tdapp.gui.players.check_in import CheckInPage

    return CheckInPage


def _rounds() -> type[Page]:
    from tdapp.gui.rounds.page import RoundsPage

    return RoundsPage


def _jury() -> type[Page]:
    from tdapp.gui.jury.page import JuryPage

    return JuryPage


def _standings() -> type[Page]:
    from tdapp.gui.standings.page import StandingsPage

    return StandingsPage


def _bracket() -> type[Page]:
    from tdapp.gui.bracket.page import BracketPage

    return BracketPage


def _papers() -> type[Page]:
    from tdapp.gui.printouts.page import PrintoutsPage

    return PrintoutsPage


def _screens() -> type[Page]:
    from tdapp.gui.screens.page import ScreensPage

    return ScreensPage


def _history() -> type[Page]:
    from tdapp.gui.history.page import HistoryPage

    return HistoryPage


def _stale_printouts(session: Session) -> int:
    return len(session.printouts.stale())


_IN_ORDER = (
    SidebarPage("tournament", "tournament", lambda words: words.text("Tournament"), _tournament),
    SidebarPage("players", "players", lambda words: words.text("Players"), _players),
    SidebarPage(
        "check-in", "check-in", lambda words: words.text("Check-in"), _check_in, counts.missing, counts.checks_in
    ),
    SidebarPage("rounds", "rounds", lambda words: words.text("Rounds"), _rounds, counts.open_games),
    SidebarPage("jury", "jury", lambda words: words.text("Jury"), _jury, counts.unchecked),
    SidebarPage("standings", "standings", lambda words: words.text("Standings"), _standings),
    SidebarPage("bracket", "bracket", lambda words: words.text("Bracket"), _bracket, offered=counts.has_bracket),
    SidebarPage("papers", "papers", lambda words: words.text("Printouts"), _papers, _stale_printouts),
    SidebarPage("screens", "screens", lambda words: words.text("Screens"), _screens),
    SidebarPage("history", "history", lambda words: words.text("History"), _history),
)

PLACES: Mapping[str, SidebarPage] = MappingProxyType({one.id: one for one in _IN_ORDER})
