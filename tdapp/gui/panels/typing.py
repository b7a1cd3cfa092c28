"""Panels in which something is typed above a list of it: Esc loses nothing, and whoever writes is remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel

from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Game, Round
from tdapp.gui import fields
from tdapp.gui.dialogs.preview import PrintPreview
from tdapp.gui.fields import LineEdit, NumberEdit
from tdapp.gui.page import Panel
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.view import TableView

AUTHOR = "author"


class TypingPanel(Panel):
    """A panel that asks for a second Esc while something typed has not been kept."""

    writes: ClassVar[str] = "edit-event"  # a command of those that it is for: who may do it may type

    def __init__(self, session: Session, title: str) -> None:
        super().__init__(session, title)
        self._warned = False

    def unsaved(self) -> bool:
        """Tell whether something is typed that would be lost."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc, on a second one where something would be lost."""
        if event.key() == Qt.Key.Key_Escape and self.unsaved() and not self._warned:
            self._warned = True
            self.session.say(self.session.catalogue.text("What is typed is not kept yet: Esc again drops it."))
            return
        self._warned = False
        super().keyPressEvent(event)

    # --- who writes

    def author_field(self) -> LineEdit:
        """Return a field with the name that was last written there."""
        return LineEdit(self.session.catalogue.text("By"), text=str(self.session.settings.value(AUTHOR, "")))

    def remember(self, author: str) -> None:
        """Keep the name for the next time."""
        self.session.settings.setValue(AUTHOR, author)

    # --- the list under the form

    def list_view(
        self, rows: Rows, name: str, *, widths: Mapping[str, int], stretch: str, empty: str = ""
    ) -> TableView:
        """Return a view that keeps its rows in their order; its keys come to `eventFilter`."""
        view = TableView(rows, look=self.session.look, name=name, empty=empty)
        view.keep_order()
        view.set_widths(widths, stretch=(stretch,))
        view.installEventFilter(self)
        return view

    def under_cursor(self, view: TableView, rows: Rows, told: Callable[[object], str]) -> QLabel:
        """Return a text with all of the row under a list's cursor, for which the list has no room."""
        made = fields.label("", "muted", wrap=True)

        def say(*_changed: object) -> None:
            row = rows.row(view.current_key())
            made.setText(told(row) if row is not None else "")
            made.setVisible(bool(made.text()) and not view.isHidden())

        view.current.connect(say)
        rows.modelReset.connect(say)
        say()
        return made

    def preview(self, report: str) -> None:
        """Open the preview on all of a report."""
        division = self.session.division
        rounds = self.session.index.rounds(division.id) if division else ()
        last = rounds[-1].number if rounds else None
        PrintPreview(self.session, report, round=last, parent=self.window()).open()

    # --- what is typed

    def may_change(self) -> bool:
        """Tell whether what the panel is for may be done here."""
        return self.session.may(self.writes) and not self.session.tournament.event.finished

    def are_numbers(self, *lines: NumberEdit, most: int) -> bool:
        """Tell whether a number, or nothing, stands in all fields; else say in which it does not."""
        wrong = next((one for one in lines if one.text().strip() and whole(one) is None), None)
        if wrong is not None:
            self.session.refuse(RuleViolation("bad-number", value=wrong.text(), least=1, most=most), wrong)
        return wrong is None

    # --- which game

    def game_at(self, item: Round | None, table: int | None) -> Game | None:
        """Return the game at a table of a round, None if there is none."""
        games = self.session.index.games(item.id) if item is not None else ()
        return next((game for game in games if game.table == table), None)

    def round_of(self, number: int | None) -> Round | None:
        """Return the published round `number` of the chosen division, None if there is none."""
        division = self.session.division
        rounds = self.session.index.published(division.id) if division is not None else ()
        return next((item for item in rounds if item.number == number), None)


def whole(field: NumberEdit) -> int | None:
    """Return the number in a field; None for nothing, and for what is no number."""
    text = field.text().strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None  # noqa: PLR2004 - digits
