"""Ties at the line of a cut: who is equal there, and the three ways to settle who goes on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QScrollArea, QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.bracket import Tie, players_of, playing, ties
from tdapp.domain.model import PlayerId, StageId
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT


class CutPanel(Panel):
    """The ties at a stage's cut: play-off games of the first, a draw from the seed, or the director's choice."""

    def __init__(self, session: Session, stage: StageId) -> None:
        super().__init__(session, session.catalogue.text("Equal at the line of the cut"))
        text = session.catalogue.text
        self._stage = stage
        self._ties: tuple[Tie, ...] = ()
        self._said = fields.label("", "", wrap=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(UNIT)
        self._boxes: dict[PlayerId, QCheckBox] = {}
        self.play_off = fields.button(text("Play-off games"), self._play_off, role="primary")
        self.draw = fields.button(text("Draw from the seed"), self._draw)
        self.by_hand = fields.button(text("These go on"), self._by_hand)
        self._chosen = fields.label("", "muted")
        note = text("Play-off games are a knockout of their own before the cut; they count for nothing else.")
        lot = text("The tournament’s seed decides, the same on every computer.")
        inside = QWidget()
        inside.setObjectName("canvas")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        fields.fill(column, [self._list, 1])
        scroll = QScrollArea(widgetResizable=True)
        scroll.setWidget(inside)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fields.fill(
            self.body,
            [
                self._said,
                -1,
                self.play_off,
                fields.label(note, "muted", wrap=True),
                self.draw,
                fields.label(lot, "muted", wrap=True),
                -1,
                fields.rule(),
                fields.label(text("Or tick who goes on:")),
                scroll,
                self._chosen,
                self.by_hand,
            ],
        )
        self.setFocusProxy(self.play_off)
        self._show()

    def refresh(self) -> None:
        """Show the tie as it is now; close where there is none any more."""
        stage = self.session.tournament.stages.get(self._stage) if self.session.is_open else None
        if stage is None or not ties(self.session.index, stage):
            self.closed.emit()
        else:
            self._show()

    # --- inside

    def _show(self) -> None:
        stage = self.session.tournament.stages[self._stage]
        found = ties(self.session.index, stage)
        may = bool(found) and self.session.editable
        self.play_off.setEnabled(may)
        self.draw.setEnabled(may)
        if found != self._ties:
            self._ties = found
            self._fill()
        self._count()

    def _fill(self) -> None:
        """List the equal players, those of each tie under a line of its own where there are several."""
        plural, first = self.session.catalogue.plural, self.session.index.first_round(self._stage)
        fields.clear(self._list)
        self._boxes = {}
        for tie in self._ties:
            said = plural(
                "{all} players are equal on every tie-break, and {n} of them goes on to round {round}.",
                "{all} players are equal on every tie-break, and {n} of them go on to round {round}.",
                tie.places,
                all=len(tie.players),
                round=first,
            )
            if tie == self._ties[0]:
                self._said.setText(said)
            else:
                self._list.addWidget(fields.label(said, "muted", wrap=True))
            for player in tie.players:
                row = self.session.tournament.players[player]
                box = self._boxes[player] = fields.check(f"{row.number}  {row.name}")
                box.toggled.connect(self._count)
                self._list.addWidget(box)

    def _count(self, _on: bool = False) -> None:
        """Say how many are ticked; in each tie it must be just as many as go on."""
        ticked = [sum(self._boxes[player].isChecked() for player in tie.players) for tie in self._ties]
        wanted = [tie.places for tie in self._ties]
        text = self.session.catalogue.text
        self._chosen.setText(text("{ticked} of {wanted} ticked", ticked=sum(ticked), wanted=sum(wanted)))
        self.by_hand.setEnabled(ticked == wanted and self.play_off.isEnabled())

    def _play_off(self) -> None:
        self.session.do(partial(commands.insert_play_off, key=self.session.key(), stage=self._stage))

    def _draw(self) -> None:
        self.session.do(partial(commands.draw_cut, key=self.session.key(), stage=self._stage))

    def _by_hand(self) -> None:
        """Seat those who are through anyway and those ticked, in the order of the standings."""
        stage, index = self.session.tournament.stages[self._stage], self.session.index
        inside = playing(index, stage) - {player for tie in self._ties for player in tie.players}
        inside |= {player for player, box in self._boxes.items() if box.isChecked()}
        order = players_of(index, replace(stage, cut=None))
        players = tuple(player for player in order if player in inside)
        self.session.do(partial(commands.set_seeds, key=self.session.key(), stage=self._stage, players=players))
