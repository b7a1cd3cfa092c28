"""A player's rounds: which he misses, when he leaves for good, and whom he is not to meet."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.model import Absence, ByeKind, Player, PlayerId
from tdapp.gui import fields
from tdapp.gui.fields import Choice, Form, NumberEdit, Part
from tdapp.gui.page import Panel
from tdapp.gui.session import Session


class AvailabilityPanel(Panel):
    """Absences and forbidden opponents of one player."""

    def __init__(self, session: Session, player: PlayerId) -> None:
        super().__init__(session, "")
        self._player = player
        text, code = session.catalogue.text, session.catalogue.code
        self._absences = QVBoxLayout()
        self._first = NumberEdit(text("From round"))
        self._last = NumberEdit(text("To round"))
        kinds = [(kind, code(kind)) for kind in (ByeKind.ABSENT, ByeKind.REQUESTED, ByeKind.FORFEIT)]
        self._kind: Choice[ByeKind] = Choice(text("Counts as"), kinds, session.look)
        form = Form()
        form.add(text("From round"), self._first)
        form.add(text("To round"), self._last, text("Empty: that round only."))
        form.add(text("Counts as"), self._kind)
        self._forbidden = QVBoxLayout()
        self._other: Choice[PlayerId | None] = Choice(text("Opponent"), [], session.look)
        self._coming = 0
        parts: list[Part] = [
            fields.label(text("Absences"), "lead"), self._absences, form_box(form),
            fields.row(1, fields.button(text("Note the absence"), self._note)),
            -2, fields.rule(), -1,
            fields.label(text("Never to be paired with"), "lead"), self._forbidden, self._other,
            fields.row(1, fields.button(text("Forbid the pairing"), self._forbid)), 1,
        ]  # fmt: skip
        fields.fill(self.body, parts)

    def refresh(self) -> None:
        """Show what holds now."""
        player = self._row()
        if player is None:
            self.closed.emit()
            return
        self.heading.setText(player.name)
        self._coming = len(self.session.index.published(player.division)) + 1
        if not self._first.isModified():
            self._first.setText(str(self._coming))
        self._show_absences(player)
        self._show_forbidden(player)

    def _row(self) -> Player | None:
        return self.session.tournament.players.get(self._player) if self.session.is_open else None

    def _show_absences(self, player: Player) -> None:
        clear(self._absences)
        text = self.session.catalogue.text
        absences = self.session.index.absences(player.id)
        for item in absences:
            end = partial(self._end, item)
            remove = fields.button(text("Take away"), end, role="link")
            remove.setEnabled(not self.session.read_only and _ends(item) >= self._coming)
            self._absences.addLayout(fields.row(fields.label(self._words(item)), 1, remove))
        if not absences:
            self._absences.addWidget(fields.label(text("Plays every round."), "muted"))

    def _words(self, item: Absence) -> str:
        text, kind = self.session.catalogue.text, self.session.catalogue.code(item.kind) if item.kind else ""
        if item.last_round is None:
            return text("Withdrawn from round {first}", first=item.first_round)
        if item.last_round == item.first_round:
            return text("Round {first}: {kind}", first=item.first_round, kind=kind)
        return text("Rounds {first}–{last}: {kind}", first=item.first_round, last=item.last_round, kind=kind)

    def _end(self, item: Absence) -> None:
        if item.last_round is None:
            self.session.do(partial(commands.return_player, player=self._player))
            return
        number = max(item.first_round, self._coming)
        self.session.do(partial(commands.clear_absence, player=self._player, round_number=number))

    def _note(self) -> None:
        try:
            first, last = self._first.value(), self._last.value()
        except ValueError:
            wrong = next(one for one in (self._first, self._last) if not one.text().strip().isdigit())
            self.session.refuse(_no_number(wrong.text()), wrong)
            return
        command = partial(
            commands.set_absence,
            key=self.session.key(),
            player=self._player,
            first_round=first or self._coming,
            last_round=last,
            kind=self._kind.value() or ByeKind.ABSENT,
        )
        self.session.do(command, field=self._first)

    def _show_forbidden(self, player: Player) -> None:
        clear(self._forbidden)
        text, tournament = self.session.catalogue.text, self.session.tournament
        ends = [(item.player, item.other) for item in tournament.restrictions.values()]
        others = {b if a == player.id else a for a, b in ends if player.id in {a, b}}
        for other in sorted(others):
            allow = partial(self.session.do, partial(commands.allow_pairing, player=player.id, other=other))
            name = fields.label(tournament.players[other].name)
            self._forbidden.addLayout(fields.row(name, 1, fields.button(text("Allow"), allow, role="link")))
        if not others:
            self._forbidden.addWidget(fields.label(text("Nobody."), "muted"))
        field = self.session.index.players(player.division)
        free = [one for one in field if one.id not in others and one.id != player.id]
        free.sort(key=lambda one: self.session.catalogue.sort_key(one.name))
        nobody: list[tuple[PlayerId | None, str]] = [(None, text("Choose an opponent"))]
        self._other.fill(nobody + [(one.id, one.name) for one in free], self._other.value())

    def _forbid(self) -> None:
        other = self._other.value()
        if other is not None:
            key = self.session.key()
            self.session.do(
                partial(commands.forbid_pairing, key=key, player=self._player, other=other), field=self._other
            )


def form_box(form: Form) -> QVBoxLayout:
    """Return a form as a part of a column."""
    made = QVBoxLayout()
    made.addLayout(form)
    return made


def clear(layout: QVBoxLayout) -> None:
    """Take everything out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        inner, widget = item.layout(), item.widget()
        while inner is not None and (one := inner.takeAt(0)) is not None:
            part = one.widget()
            if part is not None:
                part.hide()
                part.deleteLater()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def _ends(item: Absence) -> int:
    return 10**6 if item.last_round is None else item.last_round


def _no_number(value: str) -> UserError:
    return RuleViolation("bad-number", value=value, least=1, most=200)
