"""The starting draw: the tiles are typed as they were drawn, and decide who starts or who draws again."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from tdapp.domain import commands
from tdapp.domain.beginning import starter
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Game, PlayerId, Start
from tdapp.exchange.presets import read_tilesets
from tdapp.gui.editor.fields import game_at
from tdapp.gui.shell.later import if_seen
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Form, LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.start_sentences import draw_rules
from tdapp.scrabble.draw import DrawOutcome

_AT_TABLE = 2


class DrawPanel(Panel):
    """One draw beside a page: of a table's players, or of up to four at a side event."""

    def __init__(self, session: Session, game: Game | None = None) -> None:
        super().__init__(session, session.catalogue.text("Who starts"))
        self.want_width(UNIT * 52)
        text, rules = session.catalogue.text, session.tournament.ruleset
        self._tileset = read_tilesets(session.resources / "tilesets").get(rules.tileset)
        self._draws: list[dict[int, str]] = []
        self._again: tuple[int, ...] = ()  # who draws; empty: everybody
        self.table = NumberEdit(text("Table"), value=game.table if game else None, width=ROW * 2)
        self.tiles = tuple(LineEdit("") for _ in range(max(_AT_TABLE, rules.most_players)))
        self._names = tuple(fields.label("") for _ in self.tiles)
        self._rules = fields.label(draw_rules(rules, session.catalogue), "muted", wrap=True)
        self._earlier = fields.label("", "muted", wrap=True)
        self.decision = fields.label("", "lead", wrap=True)
        self._why = fields.label("", "muted", wrap=True)
        self.keep = fields.button(text("Record it"), self._keep, role="primary")
        self._build()
        self.setFocusProxy(self.tiles[0] if game is not None else self.table)

    def refresh(self) -> None:
        """Show the players, and what the tiles decide."""
        if self.session.division is None:
            self.closed.emit()
            return
        for place, field in enumerate(self.tiles):
            name = self._name(place)
            self._names[place].setText(name)
            field.setAccessibleName(self.session.catalogue.text("Tile of {player}", player=name))
        self._show()

    def start_anew(self) -> None:
        """Forget every draw."""
        self._draws, self._again = [], ()
        self._earlier.hide()
        for field in self.tiles:
            field.clear()
            field.setEnabled(True)
        self.tiles[0].setFocus()

    # --- making it

    def _build(self) -> None:
        text, form = self.session.catalogue.text, Form()
        form.add(text("Table"), self.table)
        for place, (name, field) in enumerate(zip(self._names, self.tiles, strict=True)):
            field.setMaximumWidth(ROW * 2)
            field.setMaxLength(4)
            if place >= _AT_TABLE:
                field.setPlaceholderText("–")
            name.setBuddy(field)
            line = form.rowCount()
            form.addWidget(name, line, 0)
            form.addWidget(field, line, 1, Qt.AlignmentFlag.AlignLeft)
            field.textChanged.connect(self._show)
            field.returnPressed.connect(partial(self._next, place))
        self.table.textChanged.connect(self.refresh)
        self.table.returnPressed.connect(self.tiles[0].setFocus)
        self._earlier.hide()
        again = fields.button(text("From the beginning"), self.start_anew)
        buttons = fields.row(again, 1, self.keep)
        fields.fill(self.body, [self._rules, form, self._earlier, self.decision, self._why, buttons, 1])

    # --- what the tiles say

    def _game(self) -> Game | None:
        return game_at(self.session, self.session.round_number, self.table.whole())

    def _name(self, place: int) -> str:
        game = self._game()
        if game is not None and place < _AT_TABLE:
            return self.session.tournament.players[(game.first, game.second)[place]].name
        return self.session.catalogue.text("Player {number}", number=place + 1)

    def _drawing(self) -> tuple[int, ...]:
        """Return who draws now: those who must, else the two at the table and all who have a tile."""
        if self._again:
            return self._again
        return tuple(place for place, field in enumerate(self.tiles) if place < _AT_TABLE or field.text().strip())

    def _typed(self) -> dict[int, str]:
        return {place: self.tiles[place].text().strip().upper() for place in self._drawing()}

    def _outcome(self) -> DrawOutcome | None:
        """Return what the tiles decide, None until all are there; raise RuleViolation for what cannot be."""
        typed = self._typed()
        if self._tileset is None or not all(typed.values()):
            return None
        return starter(self.session.tournament.ruleset, self._tileset, [*self._draws, typed])

    def _show(self) -> None:
        text = self.session.catalogue.text
        decision, why, first = "", "", None
        try:
            outcome = self._outcome()
        except RuleViolation as error:
            decision, outcome = self._error_text(error), None
        if outcome is not None and outcome.starter is not None:
            first = outcome.starter
            decision = text("{player} starts.", player=self._name(first))
            why = self._unrecorded()
        elif outcome is not None:
            decision = text("Draw again: {players}.", players=" · ".join(map(self._name, outcome.again)))
            why = text("Press Enter, then type the new tiles.")
        self.decision.setText(decision)
        self._why.setText(why)
        self.keep.setVisible(first is not None)
        self.keep.setEnabled(first is not None and self._may_keep())
        if first is not None:
            self.keep.setText(text("Let {player} start", player=self._name(first)))

    def _error_text(self, error: RuleViolation) -> str:
        if error.code != "tile-over-used":
            return self.session.catalogue.error(error)
        text, tile = self.session.catalogue.text, error.facts["detail"]
        return text("There are not so many tiles {tile} in the set.", tile=tile)

    def _unrecorded(self) -> str:
        """Return why the start is not recorded, empty where it can be."""
        text, game = self.session.catalogue.text, self._game()
        if game is None:
            return text("Name a table to record it.")
        if self.session.index.result(game.id) is not None:
            return text("Table {table} has a result already.", table=game.table)
        if game.start is Start.ASSIGNED:
            name = self.session.tournament.players[game.first].name
            return text("At this table the pairing, not the draw, says who starts: {player}.", player=name)
        return ""

    def _may_keep(self) -> bool:
        return not self._unrecorded() and self.session.editable

    # --- keys

    def _next(self, place: int) -> None:
        """Go to the next empty field; where all are filled draw again, or record who starts."""
        empty = [one for one in self._drawing() if not self.tiles[one].text().strip()]
        if empty:
            self.tiles[next((one for one in empty if one > place), empty[0])].setFocus()
            return
        try:
            outcome = self._outcome()
        except RuleViolation:
            self.tiles[place].selectAll()
            return
        if outcome is not None and outcome.starter is None:
            self._draw_again(outcome.again)
        elif self.keep.isEnabled():
            self._keep()

    def _draw_again(self, again: tuple[int, ...]) -> None:
        self._draws.append(self._typed())
        self._again = again
        drawn = [" · ".join(f"{self._name(place)} {tile}" for place, tile in draw.items()) for draw in self._draws]
        self._earlier.setText(self.session.catalogue.text("Drawn before: {draws}", draws="; ".join(drawn)))
        self._earlier.show()
        for place, field in enumerate(self.tiles):
            field.clear()
            field.setEnabled(place in again)
        self.tiles[again[0]].setFocus()

    def _keep(self) -> None:
        game, outcome = self._game(), self._outcome()
        if game is None or outcome is None or outcome.starter is None or outcome.starter >= _AT_TABLE:
            return
        player: PlayerId = (game.first, game.second)[outcome.starter]
        command = partial(commands.set_starter, game=game.id, player=player)
        self.session.do(command, done=if_seen(self, self.closed.emit))
