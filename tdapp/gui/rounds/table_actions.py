"""What is done about a table or a player from any page: incidents, sanctions, latecomers, the draw."""

from __future__ import annotations

from tdapp.gui.jury.draw import DrawPanel
from tdapp.gui.jury.incidents import IncidentsPanel
from tdapp.gui.jury.late import LatePanel
from tdapp.gui.jury.sanctions import SanctionsPanel
from tdapp.gui.shell.actions import Action
from tdapp.gui.widgets.page import ActionGroup

# The rows that a page offers for what its cursor is on, too.
ABOUT_ROW = ("incidents", "sanctions", "late-arrival", "starting-draw")


class AtTable(ActionGroup):
    """The rows of the table of actions, and the panels they open with the cursor in them."""

    def table(self) -> tuple[Action, ...]:
        """Return the rows."""
        text, one, some = self._session.catalogue.text, self._has_division, self._has_players
        return (
            Action("incidents", text("Incidents…"), self.incidents, "incident", "Ctrl+Shift+I", "jury", one),
            Action("late-arrival", text("Late arrival…"), self.late, "", "Ctrl+Shift+L", "round", self._has_round),
            Action("starting-draw", text("Draw who starts…"), self.draw, "", "Ctrl+Shift+D", "round", one),
            Action("sanctions", text("Sanctions…"), self.sanctions, "sanction", "Ctrl+Shift+S", "jury", some),
        )

    def incidents(self) -> None:
        """Open the log, ready to note something about the table under the cursor."""
        self._show(IncidentsPanel(self._session, self._host.page.current_game()))

    def sanctions(self) -> None:
        """Open the sanctions, ready to give one to the player under the cursor."""
        self._show(SanctionsPanel(self._session, self._host.page.current_player()))

    def late(self) -> None:
        """Open the calculator on the table under the cursor."""
        self._show(LatePanel(self._session, self._host.page.current_game()))

    def draw(self) -> None:
        """Open the draw of the table under the cursor."""
        self._show(DrawPanel(self._session, self._host.page.current_game()))

    def _has_players(self) -> bool:
        division = self._session.division
        return division is not None and bool(self._session.index.players(division.id))

    def _has_round(self) -> bool:
        division = self._session.division
        return division is not None and bool(self._session.index.published(division.id))
