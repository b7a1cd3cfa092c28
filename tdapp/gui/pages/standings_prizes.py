"""The prizes of a division on screen: the list edited where it stands, the winners beside it."""

from __future__ import annotations

import re
from functools import partial
from itertools import count
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.model import Division, PlayerId, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import BY_PLACE, LUCK, Award
from tdapp.domain.tables import prizes
from tdapp.domain.tables.prizes import PrizeRow
from tdapp.gui import fields
from tdapp.gui.fields import Choice, LineEdit, NumberEdit
from tdapp.gui.later import if_seen
from tdapp.gui.pages.standings_views import StandingsView
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import ROW, UNIT
from tdapp.gui.view import TableView
from tdapp.i18n.collation import folded
from tdapp.reports.prizes import share_of

_AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")
_NUMBERS = {"prize_place": "place", "prize_games": "games"}
HIGHEST = 10_000
USUAL_GAMES = 6
MOST_REASONS = 3  # lines below the list


class PrizesView(StandingsView):
    """The list of prizes; a line above it adds one, the line below says what the chosen one is won by."""

    report = "prizes"
    topic = "prizes"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._division: Division | None = None
        self._make_line()
        self._make_table()
        self._make_foot()
        self.arrange(self._line, self.view, self._why, self._foot)
        self._fit()

    # --- making it

    def _make_line(self) -> None:
        text, heading, look = self.session.catalogue.text, self.session.catalogue.heading, self.session.look
        kinds = [(kind, self.session.catalogue.code(kind)) for kind in PrizeKind]
        self.kind: Choice[PrizeKind] = Choice(text("Prize for"), kinds, look)
        self.place = NumberEdit(heading("prize_place"), value=1, width=ROW * 2)
        self.category = LineEdit(text("Class"), placeholder=text("Class"))
        self.category.setMaximumWidth(UNIT * 14)
        self.games = NumberEdit(heading("prize_games"), value=USUAL_GAMES, width=ROW * 2)
        self.amount = LineEdit(text("Amount"), placeholder=text("Amount"))
        self.amount.setMaximumWidth(UNIT * 12)
        self.amount.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.text = LineEdit(text("In kind"), placeholder=text("or what is given"))
        self.add_button = fields.button(text("Add prize"), self._add, role="primary")
        self._place_label = fields.label(heading("prize_place"))
        self._games_label = fields.label(heading("prize_games"))
        self._line = QWidget()
        fields.row(
            self.kind, self._place_label, self.place, self._games_label, self.games, self.category, self.amount,
            self.text, self.add_button, parent=self._line,
        )  # fmt: skip
        self.kind.currentIndexChanged.connect(self._fit)
        self.category.textEdited.connect(self._propose_unless_typed)
        for line in (self.place, self.category, self.games, self.amount, self.text):
            line.returnPressed.connect(self._add)

    def _make_table(self) -> None:
        session, text = self.session, self.session.catalogue.text
        shown = {"amount": self._amount_text}
        self.rows = Rows(session.catalogue, edit=self._edit, shown=shown, edited=shown)
        self.view = TableView(self.rows, look=session.look, name=text("Prizes"))
        self.view.keep_order()
        self.view.set_widths(
            {"kind": UNIT * 19, "prize_place": UNIT * 8, "category": UNIT * 12, "prize_games": UNIT * 9,
             "amount": UNIT * 12, "each": UNIT * 12}, stretch=("text", "winners"),
        )  # fmt: skip
        self.view.set_optional({"prize_games"})
        self.view.set_empty(
            text("No prizes yet.\nChoose above what a prize is for, type the amount and press Enter.")
        )
        self.view.selected.connect(self._explain)
        self.view.installEventFilter(self)

    def _make_foot(self) -> None:
        text = self.session.catalogue.text
        self._why = fields.label("", "muted", wrap=True)
        self._to_label = fields.label(text("Given to"))
        self.given_to: Choice[PlayerId | None] = Choice(text("Given to"), [], self.session.look)
        self.given_to.currentIndexChanged.connect(self._give)
        self.up_button = fields.button(text("Up"), partial(self.move_by, -1))
        self.down_button = fields.button(text("Down"), partial(self.move_by, 1))
        self.remove_button = fields.button(text("Remove"), self.remove)
        self._foot = QWidget()
        fields.row(
            self._to_label,
            self.given_to,
            1,
            self.up_button,
            self.down_button,
            self.remove_button,
            parent=self._foot,
        )

    # --- showing

    def title(self, after: int) -> str:
        """Return Prizes, and after which round."""
        text = self.session.catalogue.text
        return text("Prizes after round {round}", round=after) if after else text("Prizes")

    def refresh(self, division: Division, after: int) -> None:
        """Show the prizes with their winners after a round."""
        before, self._division = self._division, division
        if before is None or before.id != division.id:
            self._propose()
        self._line.setEnabled(self.session.editable)
        self.rows.locked = not self.session.editable
        index = self.session.index
        key = ("prizes-table", division.id, after)
        self.rows.show(self.session.desk.remember(key, lambda _value: prizes.table(index, division, after)))
        self._explain()

    def current_player(self) -> PlayerId | None:
        """Return the first winner of the prize the cursor is on."""
        row = self._row()
        return row.award.winners[0].player.id if row and row.award.winners else None

    def _row(self) -> PrizeRow | None:
        row = self.rows.row(self.view.current_key())
        return row if isinstance(row, PrizeRow) else None

    def _activate(self, _key: str) -> None:
        """Open the card of a winner."""
        player = self.current_player()
        if player is not None:
            self.chosen.emit(player)

    def _explain(self) -> None:
        """Say what the chosen prize is won by, and let one by hand be given."""
        row, words = self._row(), self.session.catalogue
        lines = []
        if row is not None and row.prize.kind is not PrizeKind.HAND:
            lines = self._reasons(row.award) or [words.award("nobody", {})]
        self._why.setText("\n".join(lines))
        self._why.setVisible(bool(lines))
        by_hand = row is not None and row.prize.kind is PrizeKind.HAND
        self._to_label.setVisible(by_hand)
        self.given_to.setVisible(by_hand)
        if row is not None and by_hand:
            self._offer_players(row.prize)
        place = self.rows.position(row.key) if row else -1
        self.up_button.setEnabled(self.session.editable and place > 0)
        self.down_button.setEnabled(self.session.editable and 0 <= place < self.rows.rowCount() - 1)
        self.remove_button.setEnabled(self.session.editable and row is not None)
        self.given_to.setEnabled(self.session.editable)

    def _reasons(self, award: Award) -> list[str]:
        """Return what a prize is won by in a few lines: winners with the same reason in one."""
        words, names = self.session.catalogue, dict[str, list[str]]()
        for winner in award.winners:
            names.setdefault(words.award(winner.code, winner.facts), []).append(winner.player.name)
        lines = [f"{'; '.join(who)}: {reason}" for reason, who in names.items()]
        more = len(lines) - MOST_REASONS
        if more > 0:
            lines[MOST_REASONS:] = [words.plural("and one more", "and {n} more", more)]
        return [*lines, *filter(None, [share_of(words, award)])]

    def _offer_players(self, prize: Prize) -> None:
        words = self.session.catalogue
        players = sorted(self.session.index.players(prize.division), key=lambda one: words.sort_key(one.name))
        offered: list[tuple[PlayerId | None, str]] = [(None, words.text("Nobody yet"))]
        self.given_to.fill(offered + [(one.id, one.name) for one in players], prize.player)

    def _amount_text(self, row: PrizeRow) -> str:
        return self.session.catalogue.money(row.prize.amount) if row.prize.amount else ""

    def _fit(self) -> None:
        """Show the fields that the chosen kind has."""
        kind = self.kind.value()
        for one in (self.place, self._place_label):
            one.setVisible(kind is not PrizeKind.HAND)
        for field in (self.games, self._games_label):
            field.setVisible(kind in LUCK)
        self.category.setVisible(kind not in {PrizeKind.HAND, PrizeKind.RANK})
        self._propose()

    def _propose(self) -> None:
        """Propose the first place that has no prize of the chosen kind yet; beside standings always the first."""
        kind, division = self.kind.value(), self._division
        listed = self.session.index.prizes(division.id) if division is not None and kind in BY_PLACE else ()
        category = folded(self.category.text())
        taken = {one.place for one in listed if one.kind is kind and folded(one.category) == category}
        self.place.setText(str(next(place for place in count(1) if place not in taken)))

    def _propose_unless_typed(self) -> None:
        if not self.place.isModified():
            self._propose()

    # --- doing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remove the prize on Delete; Alt with an arrow moves it."""
        if watched is self.view and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
            if event.key() == Qt.Key.Key_Delete and not event.modifiers():
                self.remove()
                return True
            if alt and event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
                self.move_by(-1 if event.key() == Qt.Key.Key_Up else 1)
                return True
        return super().eventFilter(watched, event)

    def add(self) -> None:
        """Go to where a prize is added."""
        self.kind.setFocus()

    def move_by(self, by: int) -> None:
        """Put the chosen prize higher or lower in the list."""
        row = self._row()
        place = self.rows.position(row.key) + by if row else -1
        if row is not None and self.session.editable and 0 <= place < self.rows.rowCount():
            self.session.do(partial(commands.move_prize, prize=row.prize.id, position=place + 1), quiet=True)

    def remove(self) -> None:
        """Take the chosen prize off the list."""
        row = self._row()
        if row is not None and self.session.editable:
            self.session.do(partial(commands.remove_prize, prize=row.prize.id), field=self.view)

    def _add(self) -> None:
        division, kind = self._division, self.kind.value()
        if division is None or kind is None or not self.session.editable:
            return
        try:
            told = self._told(kind)
        except UserError as error:
            self.session.refuse(error, self.amount if error.code == "bad-amount" else self.place)
            return
        field = self.category if kind is PrizeKind.CATEGORY else self.amount
        command = partial(commands.add_prize, key=self.session.key(), division=division.id, kind=kind, **told)
        self.session.do(command, field=field, done=if_seen(self, self._added))

    def _told(self, kind: PrizeKind) -> dict[str, Any]:
        """Return the fields of the line; raise UserError where a number or an amount is none."""
        told: dict[str, Any] = {"amount": read_amount(self.amount.text()), "text": self.text.text()}
        if kind is not PrizeKind.HAND:
            told["place"] = read_number(self.place.text())
        if self.category.isVisibleTo(self):
            told["category"] = self.category.text()
        if kind in LUCK:
            told["games"] = read_number(self.games.text())
        return told

    def _added(self) -> None:
        """Make ready for the next place of the same kind."""
        for line in (self.amount, self.text):
            line.clear()
            line.setModified(False)
        if self.kind.value() in BY_PLACE:
            self.place.setText(str(read_number(self.place.text()) + 1))
        self.amount.setFocus()

    def _give(self) -> None:
        row = self._row()
        if row is None or row.prize.kind is not PrizeKind.HAND:
            return
        player = self.given_to.value()
        command = partial(commands.edit_prize, prize=row.prize.id, player=player)
        self.session.do(command)

    def _edit(self, key: str, column: str, typed: str) -> None:
        prize = self.session.tournament.prizes.get(PrizeId(key))
        if prize is None:
            return
        try:
            changes = self._changes(column, typed.strip())
        except UserError as error:
            self.session.refuse(error, self.view)
            return
        self.session.do(partial(commands.edit_prize, prize=prize.id, seen=prize, **changes), field=self.view)

    def _changes(self, column: str, typed: str) -> dict[str, Any]:
        """Return what `edit_prize` is told for a text typed in a column; raise UserError where it does not fit."""
        if column == "kind":
            return {"kind": self._kind(typed)}
        if column == "amount":
            return {"amount": read_amount(typed)}
        if column in _NUMBERS:
            return {_NUMBERS[column]: read_number(typed)}
        return {column: typed}

    def _kind(self, typed: str) -> PrizeKind:
        """Return the kind whose word begins with what is typed, the first in the list of kinds."""
        words = {kind: folded(self.session.catalogue.code(kind)) for kind in PrizeKind}
        wanted = folded(typed)
        for kind, word in words.items():
            if wanted and word == wanted:
                return kind
        for kind, word in words.items():
            if wanted and word.startswith(wanted):
                return kind
        known = ", ".join(self.session.catalogue.code(kind) for kind in PrizeKind)
        raise RuleViolation("prize-kind-unknown", value=typed, known=known)


def read_amount(typed: str) -> int:
    """Return an amount in hundredths, 0 for nothing typed; raise RuleViolation for anything else."""
    if not typed.strip():
        return 0
    match = _AMOUNT.fullmatch(typed.strip())
    if match is None:
        raise RuleViolation("bad-amount", value=typed)
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def read_number(typed: str) -> int:
    """Return a whole number from 1; raise RuleViolation for anything else."""
    if not typed.strip().isdecimal() or not 1 <= int(typed) <= HIGHEST:
        raise RuleViolation("bad-number", value=typed, least=1, most=HIGHEST)
    return int(typed)
