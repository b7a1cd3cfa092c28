"""How even starts, repeats and byes are, player by player, the uneven ones tinted."""

from __future__ import annotations

from tdapp.domain.tables import balance
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT


class BalancePanel(Panel):
    """The balance of the chosen division after its last published round."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Balance"))
        self.want_width(UNIT * 74)
        text = session.catalogue.text
        self._said = fields.label("", "muted", wrap=True)
        hidden = {"number", "starts", "replies", "absences"}
        self.rows = Rows(session.catalogue, hidden=hidden, heat=balance.unevenness)
        self.view = TableView(
            self.rows, look=session.look, name=text("Balance"), empty=text("No round has been published yet.")
        )
        widths = {"rank": 52, "start_balance": 76, "in_a_row": 80, "repeats": 80, "byes": 60}
        self.view.set_widths(widths, stretch=("name",))
        fields.fill(self.body, [self._said, self.view])
        self.body.setStretchFactor(self.view, 1)
        self.setFocusProxy(self.view)

    def refresh(self) -> None:
        """Show the balance as it is now."""
        session = self.session
        division = session.division
        if division is None:
            self.closed.emit()
            return
        table = session.desk.remember(
            ("balance", division.id), lambda _value: balance.balance(session.index, division)
        )
        published = session.index.published(division.id)
        self.rows.show(table)
        uneven = sum(abs(row.balance) > 1 for row in table.rows)
        repeats = sum(row.repeats for row in table.rows) // 2
        words = session.catalogue
        parts = [
            words.plural("after one round", "after {n} rounds", len(published)),
            words.plural(
                "{n} player is two or more starts apart", "{n} players are two or more starts apart", uneven
            ),
            words.plural("{n} repeat", "{n} repeats", repeats),
        ]
        self._said.setText(" · ".join(parts))
