"""One stage: its system, its rounds, and what the director may choose for its pairings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QScrollArea, QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.bracket import seats
from tdapp.domain.commands.stages import AVOIDABLE
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle, Quarters
from tdapp.domain.systems import PairingSystem, system_named
from tdapp.gui import fields
from tdapp.gui.fields import Choice, Form, NumberEdit, Part
from tdapp.gui.later import if_seen
from tdapp.gui.page import Panel
from tdapp.gui.panels.stage_parts import Course, Format
from tdapp.gui.panels.stage_prizes import Chase
from tdapp.gui.session import Session
from tdapp.gui.theme import ROW, UNIT
from tdapp.pairing import SYSTEMS

WIDTH = UNIT * 56  # that no choice is cut off


class StagePanel(Panel):
    """The stage's form; Keep writes it in one step."""

    def __init__(self, session: Session, stage: StageId) -> None:
        super().__init__(session, session.catalogue.text("Stage"))
        self._stage = stage
        text, code = session.catalogue.text, session.catalogue.code
        self._system: Choice[str] = Choice(text("System"), [(one, code(one)) for one in SYSTEMS], session.look)
        self._rounds = NumberEdit(text("Rounds"))
        self._style: Choice[PairingStyle] = Choice(
            text("Who meets whom"), [(one, code(one)) for one in PairingStyle], session.look
        )
        self._quarters: Choice[Quarters] = Choice(
            text("Quarters that meet"), [(one, code(one)) for one in Quarters], session.look
        )
        self._factor = NumberEdit(text("Factor: places apart"), width=ROW * 4)
        self._avoid = {name: fields.check(code(name)) for name in AVOIDABLE}
        self._avoid_until = NumberEdit(text("Until round"))
        self._repeats_from = NumberEdit(text("Earlier meetings count from round"))
        self._max_repeats = NumberEdit(text("Repeats allowed"))
        self._guard = fields.check(text("Keep everyone’s starts in balance first"))
        self._level_rounds = NumberEdit(text("Starts evened out in the last rounds"), width=ROW * 2)
        self._draw = fields.check(text("The tiles decide who starts"))
        self._double = fields.check(text("Every pair meets twice"))
        self._course, self._format = Course(session), Format(session)
        self._chase = Chase(session)
        self._seats = fields.LineEdit(text("Seats"), placeholder=text("by rating or standings"))
        self._build()
        self._system.currentIndexChanged.connect(self._fit)
        self._fill()

    def refresh(self) -> None:
        """Close when the stage is gone; what is typed stays."""
        if self._row() is None:
            self.closed.emit()

    def _build(self) -> None:
        text, form = self.session.catalogue.text, Form()
        form.add(text("System"), self._system)
        form.add(text("Rounds"), self._rounds)
        self._build_boxes()
        keep = fields.button(text("Keep"), self._keep, role="primary")
        self._remove = fields.button(text("Remove stage"), self._take_away)
        level = Form()
        note = text("So many: nobody then gets two more starts than replies, whatever the scores.")
        level.add(text("Starts evened out in the last rounds"), self._level_rounds)
        self._level_rounds.setToolTip(note)
        self._levelled = fields.boxed(level)
        boxes = [self._cut, self._factored, self._swiss, self._repeats, self._seated, self._levelled, self._chase]
        ticks = [self._guard, self._draw, self._double]
        parts: list[Part] = [form, self._course, -1, *boxes, self._format, *ticks, 1]
        inside = QWidget()
        inside.setObjectName("canvas")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, UNIT, 0)
        fields.fill(column, parts)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setWidget(inside)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fields.fill(self.body, [scroll, fields.row(self._remove, 1, keep)])
        self.setMinimumWidth(WIDTH)

    def _build_boxes(self) -> None:
        """Make what is asked for some systems only."""
        text = self.session.catalogue.text
        cut, factored, repeats, seats = Form(), Form(), Form(), Form()
        cut.add(text("Quarters that meet"), self._quarters)
        self._factor.setPlaceholderText(text("rounds left"))
        factored.add(text("Factor: places apart"), self._factor)
        repeats.add(text("Earlier meetings count from round"), self._repeats_from)
        repeats.add(text("Repeats allowed"), self._max_repeats)
        seats.add(text("Seats"), self._seats, text("Players’ numbers, the first seed first: 4 1 7 2."))
        self._cut, self._factored = fields.boxed(cut), fields.boxed(factored)
        self._repeats, self._seated = fields.boxed(repeats), fields.boxed(seats)
        self._swiss = fields.boxed(self._groups())

    def _groups(self) -> QVBoxLayout:
        """Return whom the Swiss system pairs within a score group, and whom it keeps apart."""
        text, form = self.session.catalogue.text, Form()
        form.add(text("Within a score group"), self._style)
        form.add(text("Until round"), self._avoid_until, text("Empty: in every round."))
        avoid: list[QCheckBox] = list(self._avoid.values())
        lines = [fields.row(*avoid[place : place + 2], 1) for place in range(0, len(avoid), 2)]
        column = QVBoxLayout()
        fields.fill(column, [fields.label(text("Avoid pairing players of the same"), "muted"), *lines, form])
        return column

    def _row(self) -> Stage | None:
        return self.session.tournament.stages.get(self._stage) if self.session.is_open else None

    def _fill(self) -> None:
        row = self._row()
        if row is None:
            return
        settings, index = row.settings, self.session.index
        place = index.stages(row.division).index(row)
        self.heading.setText(self.session.catalogue.text("Stage {number}", number=place + 1))
        self._system.choose(row.system)
        self._rounds.setText(str(row.rounds))
        self._style.choose(settings.style)
        for name, box in self._avoid.items():
            box.setChecked(name in settings.avoid)
        numbers = {self._avoid_until: settings.avoid_until, self._repeats_from: settings.repeats_from,
                   self._max_repeats: settings.max_repeats, self._factor: settings.factor}  # fmt: skip
        for field, number in numbers.items():
            field.setText("" if number is None else str(number))
        self._quarters.choose(settings.quarters)
        self._level_rounds.setText(str(settings.level_rounds or ""))
        self._guard.setChecked(settings.guard_starts)
        self._draw.setChecked(settings.draw_starts)
        self._seats.setText(self._seats_text(row))
        self._double.setChecked(settings.double)
        self._course.fill(row, first=place == 0)
        self._format.fill(settings, players=len(seats(index, row.id)))
        self._chase.fill(settings.contention)
        self._fit()

    def _fit(self) -> None:
        """Show what has a meaning under the chosen system."""
        system = self._chosen()
        parts: dict[QWidget, str] = {
            self._swiss: "style", self._cut: "quarters", self._factored: "factor", self._repeats: "repeats_from",
            self._guard: "guard_starts", self._levelled: "level_rounds", self._draw: "draw_starts",
            self._double: "double", self._chase: "contention", self._format: "elimination",
        }  # fmt: skip
        for part, setting in parts.items():
            part.setVisible(system.heeds(setting))
        self._max_repeats.setEnabled(system.heeds("max_repeats"))
        self._course.fit(system)
        self._seated.setVisible(system.seated)

    def _chosen(self) -> PairingSystem:
        return system_named(self._system.value() or "")

    def _seats_text(self, row: Stage) -> str:
        players = self.session.tournament.players
        return " ".join(str(players[seed.player].number) for seed in self.session.index.seeds(row.id))

    def _new_seats(self, row: Stage) -> tuple[PlayerId, ...] | None:
        """Return who is seated now, None where that was not changed; raise RuleViolation for an unknown number."""
        typed = self._seats.text().replace(",", " ").split()
        if " ".join(typed) == self._seats_text(row) or not self._chosen().seated:
            return None
        known = {str(player.number): player.id for player in self.session.index.players(row.division)}
        unknown = [number for number in typed if number not in known]
        if unknown:
            raise RuleViolation("no-such-player", player=unknown[0])
        return tuple(known[number] for number in typed)

    def _settings(self, old: PairingSettings) -> PairingSettings:
        return replace(
            self._format.settings(self._course.settings(old)),
            style=self._style.value() or PairingStyle.SLIDE,
            avoid=tuple(name for name, box in self._avoid.items() if box.isChecked()),
            avoid_until=self._avoid_until.value(),
            repeats_from=self._repeats_from.value(),
            max_repeats=self._max_repeats.value(),
            guard_starts=self._guard.isChecked(),
            level_rounds=self._level_rounds.value() or 0,
            draw_starts=self._draw.isChecked(),
            double=self._double.isChecked(),
            quarters=self._quarters.value() or Quarters.MIDDLE,
            factor=self._factor.value(),
            contention=self._chase.settings(old.contention),
        )

    def _keep(self) -> None:
        row = self._row()
        if row is None:
            return
        try:
            settings, rounds = self._settings(row.settings), self._rounds.value() or 0
            cut, placed = self._course.cut.value() or 0, self._new_seats(row)
        except RuleViolation as refusal:
            self.session.refuse(refusal, self._seats if refusal.code == "no-such-player" else self._chase.wrong)
            return
        except ValueError:
            wrong = self._wrong()
            self.session.refuse(RuleViolation("bad-number", value=wrong.text(), least=1, most=200), wrong)
            return
        command = partial(
            commands.edit_stage,
            stage=row.id,
            system=self._system.value(),
            rounds=rounds,
            settings=settings,
            cut=cut,
            carry=not self._course.anew.isChecked(),
            key=self.session.key(),
            seats=placed,
        )
        self.session.do(command, field=self._rounds, done=if_seen(self, self.closed.emit))

    def _wrong(self) -> NumberEdit:
        numbers = (self._rounds, self._avoid_until, self._repeats_from, self._max_repeats, self._factor,
                   self._level_rounds, *self._course.numbers(), self._format.series)  # fmt: skip
        return next(one for one in numbers if one.text().strip() and not one.text().strip().isdigit())

    def _take_away(self) -> None:
        self.session.do(partial(commands.remove_stage, stage=self._stage))
