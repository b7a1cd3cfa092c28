"""Which word list the jury asks, in a few lines, and what is to be done where it is missing."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Part
from tdapp.gui.widgets.theme import UNIT
from tdapp.services import word_lists
from tdapp.storage.lexicon import EditionMetadata


class WordListNote(QWidget):
    """The chosen edition; or what is wrong with it, what mends that, and the edition that offers itself."""

    lists = Signal()  # the director wants to choose

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self._proposed: EditionMetadata | None = None
        self._name = fields.label("", "body", wrap=True)
        self._practice = fields.label(text("Practice list, official nowhere"))
        self._practice.setObjectName("badge")
        self._facts = fields.label("", "muted", wrap=True)
        self._error = fields.label("", "error", wrap=True)
        self._take = fields.button("", self.take_proposed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        lists = fields.button(text("Word lists…"), self.lists.emit)
        badge = fields.row(self._practice, 1)
        parts: list[Part] = [self._name, badge, self._facts, self._error, fields.row(self._take, lists, 1)]
        fields.fill(column, parts)

    def refresh(self) -> None:
        """Show what holds now."""
        session, words = self._session, self._session.catalogue
        wanted, lexicon = session.tournament.event.wordlist, session.word_list()
        metadata = lexicon.metadata if lexicon else None
        missing = bool(wanted) and metadata is None
        error = word_lists.error(words, wanted)
        self._name.setText(metadata.edition.name if metadata else error)
        self._facts.setText("\n".join(word_lists.facts(words, metadata)) if metadata else "")
        self._error.setText(error)
        self._name.setVisible(not missing)
        self._practice.setVisible(metadata is not None and metadata.practice)
        self._facts.setVisible(metadata is not None)
        self._error.setVisible(missing)
        self._propose(None if metadata else self._only_one())

    def take_proposed(self) -> None:
        """Let the jury ask the edition that offers itself."""
        if self._proposed is not None:
            self._session.do(partial(commands.choose_wordlist, wordlist=self._proposed.id))

    def _only_one(self) -> EditionMetadata | None:
        session = self._session
        return word_lists.proposed(session.library.editions(), session.tournament.ruleset.language)

    def _propose(self, metadata: EditionMetadata | None) -> None:
        session = self._session
        self._proposed = metadata
        self._take.setVisible(metadata is not None and session.editable)
        if metadata is not None:
            name = metadata.edition.name
            short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, UNIT * 20)
            self._take.setText(session.catalogue.text("Use {name}", name=short))
            self._take.setToolTip(name)
