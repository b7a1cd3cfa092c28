"""Parts of a stage's form: who plays it and what counts there, and the format of a knockout."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain.matches import rounds_needed
from tdapp.domain.model import Stage
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.systems import PairingSystem
from tdapp.gui import fields
from tdapp.gui.fields import Choice, Form, NumberEdit
from tdapp.gui.session import Session


class Course(QWidget):
    """Who plays the stage, whether earlier results count, groups, and on which standings it is paired."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        text = session.catalogue.text
        self.cut = NumberEdit(text("Only the best"))
        self.cut.setPlaceholderText(text("all"))
        self.anew = fields.check(text("Standings begin anew"))
        self.anew.setToolTip(text("Meetings, starts and byes of the stages before still count for the pairings."))
        self.groups = NumberEdit(text("Groups"))
        self.behind = NumberEdit(text("Rounds behind"))
        grouped, lagging, later = Form(), Form(), Form()
        later.add(text("Only the best"), self.cut, text("Of the standings before it; the others are out."))
        grouped.add(text("Groups"), self.groups, text("Snake-seeded; each plays its own round robin."))
        lagging.add(text("Rounds behind"), self.behind, text("Paired on the standings so many rounds before."))
        self._later, self._grouped, self._lagging = map(fields.boxed, (later, grouped, lagging))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        fields.fill(column, [self._later, self.anew, self._grouped, self._lagging])

    def fill(self, stage: Stage, *, first: bool) -> None:
        """Show a stage; the first of a division takes over nothing."""
        self.cut.setText(str(stage.cut or ""))
        self.anew.setChecked(not stage.carry)
        self.groups.setText(str(stage.settings.groups) if stage.settings.groups > 1 else "")
        self.behind.setText(str(stage.settings.behind or ""))
        for box in (self._later, self.anew):
            box.setVisible(not first and not stage.play_off)

    def fit(self, system: PairingSystem) -> None:
        """Show what has a meaning under a system."""
        self._grouped.setVisible(system.heeds("groups"))
        self._lagging.setVisible(system.heeds("behind"))

    def settings(self, old: PairingSettings) -> PairingSettings:
        """Return `old` with what stands here; raise ValueError for what is no number."""
        return replace(old, groups=self.groups.value() or 1, behind=self.behind.value() or 0)

    def numbers(self) -> tuple[NumberEdit, ...]:
        """Return the fields in which a number is wanted."""
        return (self.cut, self.groups, self.behind)


class Format(QWidget):
    """What becomes of the losers of a knockout, and how many games a match has."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        text, code = session.catalogue.text, session.catalogue.code
        offered = [(one, code(one)) for one in Elimination]
        self.elimination: Choice[Elimination] = Choice(text("Knockout"), offered, session.look)
        self.third_place = fields.check(text("Play for third place"))
        self.series = NumberEdit(text("Games of a match"))
        self.aggregate = fields.check(text("All are played; the sum of the spreads decides"))
        self._words, self._players = session.catalogue, 0
        self._needed = fields.label("", "muted", wrap=True)
        form, games = Form(), Form()
        form.add(text("Knockout"), self.elimination)
        games.add(text("Games of a match"), self.series, text("Each is a round. Of three, who wins two goes on."))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        fields.fill(column, [form, self.third_place, games, self.aggregate, self._needed])
        self.elimination.currentIndexChanged.connect(self._fit)
        self.series.textChanged.connect(self._count)

    def fill(self, settings: PairingSettings, *, players: int) -> None:
        """Show what is chosen, and how many rounds it takes with so many players."""
        self._players = players
        self.elimination.choose(settings.elimination)
        self.third_place.setChecked(settings.third_place)
        self.series.setText(str(settings.series))
        self.aggregate.setChecked(settings.aggregate)
        self._fit()

    def settings(self, old: PairingSettings) -> PairingSettings:
        """Return `old` with what stands here; raise ValueError for what is no number."""
        return replace(
            old,
            elimination=self.elimination.value() or Elimination.SINGLE,
            third_place=self.third_place.isChecked(),
            series=self.series.value() or 1,
            aggregate=self.aggregate.isChecked(),
        )

    def _fit(self, _place: int = 0) -> None:
        """Offer a game for third place only where the losers of the semifinals have no other."""
        kind = self.elimination.value()
        self.third_place.setVisible(kind in {Elimination.SINGLE, Elimination.CONSOLATION})
        self._count()

    def _count(self, _text: str = "") -> None:
        """Say how many rounds the knockout takes."""
        try:
            chosen = self.settings(PairingSettings())
        except ValueError:
            chosen = None
        known = chosen is not None and self._players > 1
        self._needed.setVisible(known)
        if known:
            rounds = rounds_needed(self._players, chosen)
            said = self._words.text(
                "{players} players take {rounds} rounds.", players=self._players, rounds=rounds
            )
            self._needed.setText(said)
