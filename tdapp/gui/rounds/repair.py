"""Whether every round would be paired so again from what was known then: what `tdapp check` says, in a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.later import if_there
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.repair import Repaired, repaired
from tdapp.services.worker import Task


@dataclass(frozen=True, slots=True)
class _RepairLine:
    key: str
    round: int
    tables: int
    by_hand: int
    said: str
    same: bool


class RepairPanel(Panel):
    """Every round of the chosen division, paired again in the pool."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Pairings checked"))
        self.want_width(UNIT * 62)
        text = session.catalogue.text
        note = text(
            "Each round is paired again on what was known then: who was there, the standings it was paired on, "
            "and the tables set by hand. A result or a setting changed since may make a difference; nothing is "
            "changed."
        )
        self._task: Task | None = None
        self._looked_at: Tournament | None = None
        self._said = fields.label("", "lead", wrap=True)
        self.rows = Rows(session.catalogue, tone=_tone)
        self.view = TableView(
            self.rows, look=session.look, name=text("Rounds"), empty=text("No round has been paired yet.")
        )
        self.view.keep_order()
        self.view.set_widths({"round": 64, "tables": 72, "by_hand": 80}, stretch=("found",))
        fields.fill(self.body, [fields.label(note, "muted", wrap=True), self._said, self.view])
        self.body.setStretchFactor(self.view, 1)
        self.setFocusProxy(self.view)

    def refresh(self) -> None:
        """Look again if the tournament has changed."""
        division = self.session.division
        if division is None:
            self.closed.emit()
            return
        tournament = self.session.tournament
        if tournament is self._looked_at:
            return
        self._looked_at = tournament
        if self._task is not None:
            self._task.cancel()
        label = self.session.catalogue.text("Pairing every round again…")
        self._said.setText(label)
        call = partial(repaired, tournament, division.id)
        self._task = self.session.compute(call, then=if_there(self, partial(self._show, division.id)), label=label)

    def _show(self, division: DivisionId, found: Sequence[Repaired]) -> None:
        self._task = None
        words, players = self.session.catalogue, self.session.tournament.players
        names = {player: row.name for player, row in players.items() if row.division == division}
        lines = tuple(
            _RepairLine(
                str(one.round), one.round, one.tables, len(one.by_hand), _words(one, names, words), one.same
            )
            for one in found
        )
        self.rows.show(Table("repaired", _COLUMNS, lines))
        differ = sum(not one.same for one in found)
        self._said.setText(
            words.plural(
                "One round would be paired otherwise now", "{n} rounds would be paired otherwise now", differ
            )
            if differ
            else words.text("Every round would be paired the same again")
        )


def _words(one: Repaired, names: dict[PlayerId, str], words: Catalogue) -> str:
    """Return what is found of a round."""
    if one.failed is not None:
        return words.error(one.failed)
    parts = []
    if one.otherwise:
        parts.append(words.plural("others at table {tables}", "others at tables {tables}", len(one.otherwise),
                                  tables=one.otherwise))  # fmt: skip
    if one.had != one.instead:
        instead = ", ".join(sorted(names.get(player, "") for player in one.instead)) or "–"
        parts.append(words.text("the bye to {player}", player=instead))
    return " · ".join(parts) or words.text("the same")


def _tone(line: _RepairLine) -> str:
    return "" if line.same else "amber"


_COLUMNS: tuple[Column[_RepairLine], ...] = (
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("tables", Kind.NUMBER, attrgetter("tables")),
    Column("by_hand", Kind.NUMBER, lambda line: line.by_hand or None),
    Column("found", Kind.TEXT, attrgetter("said")),
)
