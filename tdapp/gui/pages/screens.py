"""The Screens page: what the room sees on a second display, and how it is changed from here."""

from __future__ import annotations

from tdapp.gui.actions import Action
from tdapp.gui.page import Page


class ScreensPage(Page):
    """The director's side of the screens for the room."""

    id = "screens"
    icon = "screens"

    def name(self) -> str:
        """Return Screens."""
        return self.session.catalogue.text("Screens")

    def actions_table(self) -> tuple[Action, ...]:
        """Return what can be done with the screens."""
        return ()

    def refresh(self) -> None:
        """Show what the room sees."""
        self.set_title(self.session.catalogue.text("Screens"))
