"""The rules of this tournament, every parameter to change; kept in one step."""

from __future__ import annotations

from functools import partial

from tdapp.domain import commands
from tdapp.gui.shell.later import is_seen
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.rule_form import Draft, RuleForm
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT
from tdapp.services.resources import Resources


class RulesPanel(Panel):
    """The form of the rules; what is not kept stays in `draft` when the panel closes."""

    topic = "rules"

    def __init__(self, session: Session, books: Resources, draft: Draft) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Rules"))
        self.setMinimumWidth(UNIT * 52)
        self._books = books
        self._draft = draft
        self._note = fields.label("", "muted", wrap=True)
        self.form = RuleForm(session, books, session.tournament.ruleset, draft)
        self.back = fields.button(text("All back to the book"), self.form.back_to_book)
        self.keep = fields.button(text("Keep"), self._keep, role="primary")
        fields.fill(self.body, [self._note, self.form, fields.row(self.back, 1, self.keep)])
        self.form.changed.connect(self._show)
        self.setFocusProxy(self.form)
        self._show()

    def refresh(self) -> None:
        """Take the tournament's rules as they are now; what is changed here stays."""
        if self.session.is_open:
            self.form.rebase(self.session.tournament.ruleset)
            self._show()

    def _show(self) -> None:
        text, may = self.session.catalogue.text, self.session.editable
        note = text("Every game counts by them at once, also those already played.")
        self._note.setText(
            note if may else text("They cannot be changed: the tournament is finished or read only.")
        )
        self.form.setEnabled(may)
        self.keep.setEnabled(may and bool(self._draft))
        self.back.setEnabled(may and bool(self._books.changed(self.form.rules)))

    def _keep(self) -> None:
        if self.form.check():
            command = partial(commands.change_rules, ruleset=self.form.rules)
            self.session.do(command, field=self.form, done=self._kept)

    def _kept(self) -> None:
        self._draft.clear()
        if is_seen(self):
            self.closed.emit()
