"""The late arrival calculator: what the rule set gives players who come late, and the buttons that do it."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QLabel, QPushButton

from tdapp.desk import utc_now
from tdapp.domain import commands
from tdapp.domain.beginning import LateArrival, arrivals
from tdapp.domain.commands import SeenResult
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Forfeit, Game, IncidentKind, PlayerId
from tdapp.domain.round_clock import read_delay, read_time_of_day
from tdapp.gui.editor.fields import AUTHOR, game_at
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n import start_sentences

START = "scheduled-start"  # the setting that keeps when rounds begin
_WHO = (Forfeit.FIRST, Forfeit.SECOND)


class _Arriving:
    """One player's part of the panel: when he came, what that means, what can be done."""

    def __init__(self, session: Session, panel: LatePanel, who: Forfeit) -> None:
        text = session.catalogue.text
        self.name: QLabel = fields.label("", "lead", wrap=True)
        self.came = LineEdit(text("Came"), placeholder=text("on time"))
        self.came.setMaximumWidth(ROW * 3)
        self.meaning: QLabel = fields.label("", wrap=True)
        self.follows: QLabel = fields.label("", "muted", wrap=True)
        self.note: QPushButton = fields.button(text("Note: came late"), partial(panel.note, who))
        self.lose: QPushButton = fields.button("", partial(panel.forfeit, who))
        came = fields.label(text("Came"), "muted")
        came.setBuddy(self.came)
        head = fields.row(self.name, came, self.came)
        head.setStretch(0, 1)
        self.parts: list[fields.Part] = [head, self.meaning, fields.row(self.note, self.lose, 1), self.follows, -1]


class LatePanel(Panel):
    """Scheduled start and arrivals of one table beside a page."""

    def __init__(self, session: Session, game: Game | None = None) -> None:
        super().__init__(session, session.catalogue.text("Late arrival"))
        self.want_width(UNIT * 56)
        text = session.catalogue.text
        self._rules = fields.label("", "muted", wrap=True)
        self.table = NumberEdit(text("Table"), value=game.table if game else None, width=ROW * 2)
        self.start = LineEdit(text("Round began"), text=str(session.settings.value(START, "")), placeholder="9:30")
        self.start.setMaximumWidth(ROW * 3)
        table, began = fields.label(text("Table")), fields.label(text("Round began"))
        table.setBuddy(self.table)
        began.setBuddy(self.start)
        head = fields.row(table, self.table, -2, began, self.start, 1)
        self.players = tuple(_Arriving(session, self, who) for who in _WHO)
        self._both = fields.label("", wrap=True)
        self._lose_both = fields.button(text("Both lose by forfeit"), partial(self.forfeit, Forfeit.BOTH))
        self._lose_both.hide()
        fields.fill(self.body, [self._rules, head, fields.rule()])
        for one in self.players:
            fields.fill(self.body, one.parts)
        note = text("Type the time of arrival, 9:37, or how many minutes late: 7.")
        hint = fields.label(note, "muted", wrap=True)
        fields.fill(self.body, [self._both, fields.row(self._lose_both, 1), hint, 1])
        for line in (self.table, self.start, *(one.came for one in self.players)):
            line.textChanged.connect(self.refresh)
        self.start.editingFinished.connect(self._remember_start)
        came = self.players[0].came if self.start.text() else self.start
        self.setFocusProxy(self.table if game is None else came)

    def refresh(self) -> None:
        """Show what the rules make of what is typed now."""
        if self.session.division is None:
            self.closed.emit()
            return
        game, catalogue, tournament = self._game(), self.session.catalogue, self.session.tournament
        self.heading.setText(catalogue.text("Late arrival, round {round}", round=self.session.round_number or "–"))
        self._rules.setText(start_sentences.late_rules(tournament.ruleset, catalogue))
        may = self.session.editable
        still_open = game is not None and self.session.index.result(game.id) is None
        delays = [self._delay(one) for one in self.players]
        for side, (one, delay) in enumerate(zip(self.players, delays, strict=True)):
            player = self._player(side)
            known = tournament.players[player].name if player else ""
            one.name.setText(known or catalogue.text("Player {number}", number=side + 1))
            one.meaning.setText(self._meaning(one, delay))
            one.note.setEnabled(may and game is not None and bool(delay))
            one.lose.setEnabled(may and still_open and bool(delay))
            one.lose.setText(self._lose_text(self._arrival(delay)))
            lost = game if still_open and delay else None
            one.follows.setText(
                start_sentences.forfeited(tournament.ruleset, tournament.players, lost, _WHO[side], catalogue)
                if lost
                else ""
            )
            one.follows.setVisible(lost is not None)
        self._show_both(delays, may=may and still_open)

    def note(self, who: Forfeit) -> None:
        """Note in the log that a player came late, and by how much."""
        game, side = self._game(), _WHO.index(who)
        delay, division = self._delay(self.players[side]), self.session.division
        if game is None or not delay or division is None:
            return
        number = self.session.tournament.rounds[game.round].number
        author = str(self.session.settings.value(AUTHOR, ""))
        command = partial(
            commands.note_incident, key=self.session.key(), division=division.id, kind=IncidentKind.LATE,
            at=utc_now(), round_number=number, table=game.table, player=self._player(side), seconds=delay,
            author=author,
        )  # fmt: skip
        self.session.do(command, field=self.players[side].came)

    def forfeit(self, who: Forfeit) -> None:
        """Enter that a player, or both, has lost without a game."""
        game = self._game()
        if game is not None:
            command = partial(commands.enter_result, game=game.id, forfeit=who, seen=SeenResult(None))
            self.session.do(command, field=self.table)

    # --- what is typed

    def _game(self) -> Game | None:
        return game_at(self.session, self.session.round_number, self.table.whole())

    def _player(self, side: int) -> PlayerId | None:
        game = self._game()
        return None if game is None else (game.first, game.second)[side]

    def _delay(self, one: _Arriving) -> int | None:
        """Return the seconds a player is late; None where that cannot be read."""
        try:
            return read_delay(one.came.text(), self._start_minutes(one.came.text()))
        except ValueError:
            return None

    def _start_minutes(self, came: str) -> int:
        by_clock = ":" in came or "." in came
        return read_time_of_day(self.start.text()) if by_clock else 0

    def _remember_start(self) -> None:
        try:
            read_time_of_day(self.start.text())
        except ValueError:
            if self.start.text().strip():
                self.session.refuse(RuleViolation("bad-hour", value=self.start.text()), self.start)
            return
        self.session.settings.setValue(START, self.start.text().strip())

    # --- what it means

    def _arrival(self, delay: int | None) -> LateArrival | None:
        try:
            return None if delay is None else arrivals(self.session.tournament.ruleset, delay)[0]
        except RuleViolation:
            return None

    def _meaning(self, one: _Arriving, delay: int | None) -> str:
        """Return what is typed means, or how it is to be typed."""
        text = self.session.catalogue.text
        if delay:
            return start_sentences.late(delay, self._arrival(delay), self.session.catalogue)
        if delay is not None or not one.came.text():
            return ""
        if not self.start.text().strip():
            return text("Say when the round began, or type the minutes.")
        return text("This is not a time.")

    def _lose_text(self, arrival: LateArrival | None) -> str:
        text = self.session.catalogue.text
        gives_up = arrival is not None and arrival.may_give_up
        return text("Gives the game up") if gives_up else text("Loses by forfeit")

    def _show_both(self, delays: list[int | None], *, may: bool) -> None:
        """Say what happens to the clocks where both were away, and offer that both have lost."""
        known = [delay for delay in delays if delay]
        both = len(known) == len(_WHO) and self._arrival(known[0]) is not None
        lost = both and all(arrival is not None and arrival.lost for arrival in map(self._arrival, known))
        self._lose_both.setVisible(may and lost)
        if both and not lost:
            self._both.setText(start_sentences.both_late(min(known), self.session.catalogue))
        self._both.setVisible(both and not lost)
