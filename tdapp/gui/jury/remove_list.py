"""The question before a word list edition is deleted."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tdapp.domain.errors import UserError
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.theme import UNIT
from tdapp.storage.library import StoredEdition


class RemoveDialog(Dialog):
    """Asks before an edition's file is deleted, which cannot be undone."""

    topic = "tournament"

    def __init__(self, session: Session, stored_edition: StoredEdition, *, parent: QWidget | None = None) -> None:
        words, metadata = session.catalogue, stored_edition.metadata
        name = metadata.edition.name if metadata else stored_edition.path.name
        super().__init__(
            session, words.text("Remove the word list {name}?", name=name), yes=words.text("Remove"), parent=parent
        )
        self._path = stored_edition.path
        self.resize(UNIT * 60, UNIT * 20)
        told = words.text("Its file is deleted from this computer. This cannot be undone.")
        self.body.addWidget(fields.label(told, wrap=True))
        if metadata is not None and metadata.id == session.tournament.event.wordlist:
            lost = words.text("The jury of this tournament asks this list; it will be without one.")
            self.body.addWidget(fields.label(lost, "error", wrap=True))
        self.no.setFocus()

    def take(self) -> None:
        """Delete the file."""
        session = self.session
        session.close_word_list()
        try:
            session.library.remove(self._path)
        except UserError as error:
            session.refuse(error)
        session.changed.emit(())
        self.accept()
