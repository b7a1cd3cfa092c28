"""Two editions of a word list side by side: which words the other one adds, and which it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from tdapp.domain.errors import UserError
from tdapp.domain.tables.table import Kind, Table, columns
from tdapp.gui.shell.session import Session, if_there
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.services import word_lists
from tdapp.services.word_lists import Comparison
from tdapp.services.worker import Task, expected
from tdapp.storage.library import StoredEdition

_COLUMNS = (*columns(Kind.TEXT, "word"), *columns(Kind.TEXT, "change"))


@dataclass(frozen=True, slots=True)
class ChangedWord:
    """A word that one of two editions has; `change` is + or -."""

    key: str
    word: str
    change: str


class CompareDialog(Dialog):
    """Compares an edition with another that is chosen at the top."""

    topic = "tournament"

    def __init__(
        self, session: Session, old: StoredEdition, others: Sequence[StoredEdition], parent: QWidget | None = None
    ) -> None:
        text, found = session.catalogue.text, old.metadata
        title = text("What is new since {name}", name=found.edition.name if found else old.path.name)
        super().__init__(session, title, yes=text("Close"), parent=parent)
        self._old, self._task = old, Task(text("Comparing"))
        choices = [
            (one, f"{one.metadata.edition.name} {one.metadata.edition.date}") for one in others if one.metadata
        ]
        self.other: Choice[StoredEdition] = Choice(text("Compare with"), choices, session.look)
        self._count = fields.label("", "lead", wrap=True)
        shown = {"change": lambda row: text("new") if row.change == "+" else text("gone")}
        self.rows = Rows(session.catalogue, tone=lambda row: "" if row.change == "+" else "red", shown=shown)
        self.view = TableView(self.rows, look=session.look, name=text("Words that differ"))
        fields.fill(self.body, [self.other, self._count, self.view], self.view)
        self.no.hide()
        self.resize(UNIT * 80, UNIT * 70)
        self.other.currentIndexChanged.connect(self._compare)
        self._compare()

    def take(self) -> None:
        """Close."""
        self.accept()

    def done(self, result: int) -> None:
        """Stop the work that goes on, and close."""
        self._task.cancel()
        super().done(result)

    def _compare(self) -> None:
        other = self.other.value()
        if other is None:
            return
        self._task.cancel()
        self._task = Task(self.text("Comparing"))
        self._count.setText(self._task.label)
        self.rows.show(Table("changes", _COLUMNS, ()))
        self.session.compute(
            partial(word_lists.compare, self._old.path, other.path, progress=self._task.progress),
            then=if_there(self, self._show),
            failed=if_there(self, lambda error: self._show_wrong(expected(error))),
            label=self._task.label,
            task=self._task,
        )

    def _show(self, found: Comparison) -> None:
        self._count.setText(word_lists.comparison_text(self.session.catalogue, found))
        rows = [ChangedWord(f"{sign}{word}", word, sign)
                for sign, words in (("+", found.added), ("-", found.removed)) for word in words]  # fmt: skip
        self.rows.show(Table("changes", _COLUMNS, tuple(rows)))

    def _show_wrong(self, error: UserError) -> None:
        self._count.setText("")
        self.refuse(self.session.catalogue.error(error))
