"""Whether there is a newer version: what the program's home says, for who asks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tdapp import __version__
from tdapp.gui.shell.session import Session, if_there
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.services.newest import is_newer, newest_version
from tdapp.services.worker import expected
from tdapp.versions import home


class NewestDialog(Dialog):
    """Asks the program's home for the newest version, now that somebody wants to know."""

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Is there a newer version?"), yes=text("Close"), parent=parent)
        self.no.hide()
        self.answer = fields.label(text("Looking…"), wrap=True)
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.body.addWidget(self.answer)
        session.work.compute(
            newest_version, then=if_there(self, self._tell), failed=if_there(self, self._failed), label=""
        )

    def _tell(self, version: str) -> None:
        text = self.session.catalogue.text
        newer = text("Version {version} is there; this is {own}. {home} has it.", version=version, own=__version__,
                     home=f"{home()}/releases/latest")  # fmt: skip
        own = text("This is the newest version: {own}.", own=__version__)
        self.answer.setText(newer if is_newer(version) else own)

    def _failed(self, error: Exception) -> None:
        self.answer.setText(self.session.catalogue.error(expected(error)))
