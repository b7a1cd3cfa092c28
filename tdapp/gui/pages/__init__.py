"""The places of the program, one module each, in the order of the bar at the left."""

from tdapp.gui.page import Page
from tdapp.gui.pages.bracket import BracketPage
from tdapp.gui.pages.check_in import CheckInPage
from tdapp.gui.pages.history import HistoryPage
from tdapp.gui.pages.jury import JuryPage
from tdapp.gui.pages.papers import PapersPage
from tdapp.gui.pages.players import PlayersPage
from tdapp.gui.pages.rounds import RoundsPage
from tdapp.gui.pages.screens import ScreensPage
from tdapp.gui.pages.standings import StandingsPage
from tdapp.gui.pages.tournament import TournamentPage
from tdapp.gui.pages.welcome import WelcomePage

PAGES: tuple[type[Page], ...] = (
    TournamentPage,
    PlayersPage,
    CheckInPage,
    RoundsPage,
    JuryPage,
    StandingsPage,
    BracketPage,
    PapersPage,
    ScreensPage,
    HistoryPage,
)

__all__ = ["PAGES", "WelcomePage"]
