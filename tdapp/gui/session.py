"""What the pages share: what is open, and the services that look after it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from tdapp.gui.core import Core
from tdapp.gui.keeper import Keeper
from tdapp.gui.paper_watch import PaperWatch
from tdapp.gui.publisher import Publisher
from tdapp.gui.serving import Serving
from tdapp.gui.sharing import Sharing
from tdapp.gui.theme import Look
from tdapp.gui.work import Work
from tdapp.i18n.catalogue import Catalogue
from tdapp.storage.shelf import Shelf


class Session(Core):
    """One window's tournament with its copies, papers, web pages, room and stations."""

    def __init__(
        self, *, work: Work, catalogue: Catalogue, look: Look, resources: Path, settings: QSettings, shelf: Shelf
    ) -> None:
        super().__init__(
            work=work, catalogue=catalogue, look=look, resources=resources, settings=settings, shelf=shelf
        )
        self.present: Session | None = None  # of a session on the past: the one that it was opened from
        self.sharing = Sharing(self)
        self.keeper = Keeper(self)
        self.serving = Serving(self)
        self.papers = PaperWatch(self, self.serving)
        self.publisher = Publisher(self)

    def beside(self) -> Session:
        """Return another session with the same looks, language and settings, for a window beside this one."""
        made = Session(
            work=Work(inline=True),
            catalogue=self.catalogue,
            look=self.look,
            resources=self.resources,
            settings=self.settings,
            shelf=self.shelf,
        )
        made.present = self.present or self
        return made

    def close(self) -> None:
        """Close the desk, for good, and what serves the room."""
        self.serving.stop()
        super().close()
