"""The panel of entry fees: amounts due, currency, payments."""

from __future__ import annotations

from functools import partial

from tdapp.domain import commands
from tdapp.domain.fees import compute_fee_totals
from tdapp.domain.model import Division
from tdapp.domain.tables.players import FeeRow, fee_table
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Amount, Input
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Form, LineEdit
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.phrases import describe_fees


class FeesPanel(EditorPanel):
    """Fees of the division, with totals of it and of all."""

    topic = "check-in"

    def __init__(self, session: Session) -> None:
        catalogue = session.catalogue
        text, money = catalogue.text, catalogue.format_money
        super().__init__(session, text("Entry fees"), width=UNIT * 53)
        self.currency = LineEdit(catalogue.heading("currency"), placeholder="EUR")
        self.currency.setMaximumWidth(UNIT * 12)
        self.currency.editingFinished.connect(self._name_currency)
        self.sums = fields.label("", "lead", wrap=True)
        note = text("A category may have its own fee. Fees are not public.")
        fields.fill(self.body, self.sums, Form(self.currency), fields.note(note))
        listing = Listing(
            name=text("Entry fees"),
            table=partial(self.of_division, fee_table),
            widths={"category": 0, "amount": 88, "fee_players": 72, "paid": 88},
            empty=text("No fees yet.\nType below what everybody pays and press Enter."),
            shown={"category": self._name_payers, "amount": lambda row: money(row.amount)},
            edited={"category": lambda row: row.category, "amount": lambda row: money(row.amount)},
            cells={"category": "category", "amount": "amount"},
        )
        self.put(
            Editor(
                session,
                fields=[
                    Input(
                        name="category",
                        label=catalogue.heading("category"),
                        hint=text("leave empty for all other players"),
                    ),
                    Input(name="amount", label=catalogue.heading("fee"), control=Amount, hint=money(1500)),
                ],
                listing=listing,
                command=commands.add_fee,
                edit=commands.edit_fee,
                remove=commands.remove_fee,
                blame={"": "amount", "fee-twice": "category"},
                begins="amount",
            )
        )  # fmt: skip

    def show_beside(self, division: Division) -> None:
        session = self.session
        self.currency.setEnabled(session.is_editable)
        if not self.currency.hasFocus():
            self.currency.setText(session.tournament.event.currency)
        own = compute_fee_totals(session.index, [division.id])
        every = compute_fee_totals(session.index, [one.id for one in session.index.divisions])
        sums = [own] if every == own else [own, every]
        lines = [describe_fees(session.catalogue, session.tournament.event, one) for one in sums]
        self.sums.setText("\n".join(lines[:1] + [f"{self.text('All divisions')}: {one}" for one in lines[1:]]))

    def _name_payers(self, row: FeeRow) -> str:
        return row.category or self.text("Everybody")

    def _name_currency(self) -> None:
        session, typed = self.session, self.currency.text().strip()
        if session.is_open and typed != session.tournament.event.currency:
            session.do(partial(commands.edit_event, currency=typed), field=self.currency)
