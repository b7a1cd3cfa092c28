"""Part of a stage's form: how pairings look at the prizes still to be won."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain.errors import RuleViolation
from tdapp.domain.pairing_settings import Contention
from tdapp.gui import fields
from tdapp.gui.fields import Form, LineEdit
from tdapp.gui.session import Session
from tdapp.gui.theme import ROW

_MOST_SPREAD = 2_000
_MOST_ROUNDS = 200
_PER_CENT = 10  # per mille


class Chase(QWidget):
    """What counts as a chance, and what is done for those who have one; `wrong` is the field refused last."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self.hope = LineEdit(text("Chance that makes hopeful"))
        self.spread = LineEdit(text("Spread a game may bring"))
        self.loss = LineEdit(text("Chance lost by not meeting the leader"))
        self.rounds = LineEdit(text("In the last rounds"))
        self.top_down = fields.check(text("Byes from the top down"))
        self.again = fields.check(text("A second bye is as good as a first"))
        self.wrong: LineEdit = self.hope
        form = Form()
        form.add(
            text("Hopeful of a place, %"),
            self.hope,
            text("In so many simulations at least; for the last round first, then the rounds before it."),
        )
        form.add(text("Spread of a game"), self.spread, text("The most that it may bring, the last round first."))
        form.add(
            text("Control lost, %"),
            self.loss,
            text("Who would lose so many tournaments by not meeting the leader, meets the leader."),
        )
        form.add(text("In the last rounds"), self.rounds)
        for field in (self.loss, self.rounds):
            field.setMaximumWidth(ROW * 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        fields.fill(column, [form, self.top_down, self.again])

    def fill(self, settings: Contention) -> None:
        """Show the settings."""
        number = self._session.catalogue.number
        self.hope.setText(" ".join(number(Fraction(one, _PER_CENT)) for one in settings.hopefulness))
        self.spread.setText(" ".join(map(str, settings.gibson_spread)))
        self.loss.setText(number(Fraction(settings.control_loss, _PER_CENT)))
        self.rounds.setText(str(settings.control_rounds))
        self.top_down.setChecked(settings.top_down_byes)
        self.again.setChecked(settings.repeat_byes)

    def settings(self, old: Contention) -> Contention:
        """Return the settings as they stand here; raise RuleViolation for what is no number, with `wrong` set."""
        return Contention(
            gibson_spread=self._numbers(self.spread, most=_MOST_SPREAD),
            hopefulness=self._numbers(self.hope, most=100, unit=_PER_CENT),
            control_loss=self._number(self.loss, most=100, unit=_PER_CENT),
            control_rounds=self._number(self.rounds, most=_MOST_ROUNDS, least=0),
            simulations=old.simulations,
            control_simulations=old.control_simulations,
            top_down_byes=self.top_down.isChecked(),
            repeat_byes=self.again.isChecked(),
        )

    def _number(self, field: LineEdit, *, most: int, least: int = 1, unit: int = 1) -> int:
        found = self._numbers(field, most=most, least=least, unit=unit)
        if len(found) > 1:
            raise self._refusal(field, field.text(), least, most)
        return found[0]

    def _numbers(self, field: LineEdit, *, most: int, least: int = 1, unit: int = 1) -> tuple[int, ...]:
        """Return the numbers of a line in `unit`-ths; decimals are read only where there are any."""
        words: Sequence[str] = field.text().replace("%", " ").split()
        found = []
        for word in words:
            try:
                value = Fraction(word.replace(",", ".")) * unit
            except (ValueError, ZeroDivisionError):
                raise self._refusal(field, word, least, most) from None
            if not least <= value <= most * unit or value.denominator > 1:
                raise self._refusal(field, word, least, most)
            found.append(int(value))
        if not found:
            raise self._refusal(field, "", least, most)
        return tuple(found)

    def _refusal(self, field: LineEdit, value: str, least: int, most: int) -> RuleViolation:
        self.wrong = field
        return RuleViolation("bad-number", value=value, least=least, most=most)
