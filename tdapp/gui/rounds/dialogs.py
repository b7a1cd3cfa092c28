"""The questions of the Rounds page: why, which table, who sat where, who came late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QGridLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.model import Game, PlayerId, Round, RoundId
from tdapp.gui.shell.later import if_seen
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, Form, LineEdit, NumberEdit
from tdapp.gui.widgets.theme import UNIT
from tdapp.pairing.commands import seat_latecomer


class ReasonDialog(Dialog):
    """Asks for a reason, and where something is lost by it for a tick as well."""

    topic = "rounds"

    def __init__(
        self,
        session: Session,
        title: str,
        *,
        yes: str,
        then: Callable[[str], None],
        about: str,
        lost: str,
        parent: QWidget | None = None,
    ) -> None:
        """`then` gets the reason; `about` tells what is done; `lost`, what is lost by it, has to be agreed to."""
        super().__init__(session, title, yes=yes, parent=parent)
        text = session.catalogue.text
        self._then = then
        self.resize(UNIT * 72, UNIT * 30)
        self.body.addWidget(fields.label(about, wrap=True))
        if lost:
            self.body.addWidget(fields.label(lost, "error", wrap=True))
        self.reason = LineEdit(text("Reason"), placeholder=text("Why? It is kept in the history."))
        self.body.addWidget(self.reason)
        self.agreed = fields.check(text("Take these results away too"))
        self.agreed.setVisible(bool(lost))
        self.agreed.setChecked(not lost)
        self.body.addWidget(self.agreed)
        self.reason.textChanged.connect(self._check)
        self.agreed.toggled.connect(self._check)
        self._check()
        self.reason.setFocus()

    def _check(self) -> None:
        self.yes.setEnabled(bool(self.reason.text().strip()) and self.agreed.isChecked())

    def take(self) -> None:
        """Hand the reason over."""
        self._then(self.reason.text().strip())
        self.accept()


class TableDialog(Dialog):
    """Asks for another table for a game."""

    topic = "rounds"

    def __init__(self, session: Session, game: Game, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(
            session, text("Move table {table}", table=game.table), yes=text("Move the game"), parent=parent
        )
        self._game = game
        players = session.tournament.players
        names = f"{players[game.first].name} – {players[game.second].name}"
        self.body.addWidget(fields.label(names, "body"))
        self.number = NumberEdit(text("New table"), value=game.table)
        form = Form()
        form.add(text("New table"), self.number, text("If the table is taken, the two games change places."))
        self.body.addLayout(form)
        self.number.selectAll()
        self.number.setFocus()

    def take(self) -> None:
        """Move the game; stay open if it cannot be."""
        try:
            table = self.number.value() or 0
        except ValueError:
            self.number.mark(wrong=True)
            return
        command = partial(commands.set_table, game=self._game.id, table=table)
        self.session.do(command, done=if_seen(self, self.accept), field=self.number)


class SeatedDialog(Dialog):
    """Asks who really sat at some tables of a published round."""

    topic = "rounds"

    def __init__(
        self, session: Session, item: Round, tables: Sequence[int], *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Played as seated"), yes=text("Record it so"), parent=parent)
        self._item = item
        self._games: tuple[Game, ...] = ()
        self.resize(UNIT * 84, UNIT * 40)
        about = text("Players sat down wrongly and have played? Name the tables; their players may change places.")
        self.tables = LineEdit(text("Tables"), text=" ".join(map(str, tables)), placeholder="3 7")
        self.wrong = fields.label("", "error", wrap=True)
        self.seats: list[tuple[Choice[PlayerId], Choice[PlayerId]]] = []
        self._grid = QGridLayout()
        form = Form()
        form.add(text("Tables"), self.tables)
        fields.fill(self.body, [fields.label(about, wrap=True), form, self._grid, self.wrong, 1])
        self.tables.textChanged.connect(self._rebuild)
        self.tables.setFocus()
        self._rebuild()

    def _rebuild(self) -> None:
        fields.clear(self._grid)
        self.seats = []
        self.wrong.setText("")
        self._games = self._named_games()
        text, players = self.session.catalogue.text, self.session.tournament.players
        here = [one for game in self._games for one in (game.first, game.second)]
        offered = [(one, players[one].name) for one in here]
        for column, heading in enumerate((text("Starts"), text("Replies")) if self._games else (), 1):
            self._grid.addWidget(fields.label(heading, "muted"), 0, column)
        for line, game in enumerate(self._games, 1):
            name = text("Table {table}", table=game.table)
            first = Choice(f"{name}: {text('Starts')}", offered, self.session.look, value=game.first)
            second = Choice(f"{name}: {text('Replies')}", offered, self.session.look, value=game.second)
            for column, part in enumerate((fields.label(name), first, second)):
                self._grid.addWidget(part, line, column)
            self.seats.append((first, second))
        self.yes.setEnabled(bool(self._games))

    def _named_games(self) -> tuple[Game, ...]:
        words = self.tables.text().replace(",", " ").split()
        try:
            return tuple(self.session.index.game(self._item.id, int(word)) for word in dict.fromkeys(words))
        except ValueError:
            self.wrong.setText(self.session.catalogue.text("Name the tables by their numbers."))
        except RuleViolation as error:
            self.wrong.setText(self.session.catalogue.error(error))
        return ()

    def take(self) -> None:
        """Record it; stay open if it does not fit."""
        seats = tuple(
            (game.table, first.value() or game.first, second.value() or game.second)
            for game, (first, second) in zip(self._games, self.seats, strict=True)
        )
        command = partial(commands.play_as_seated, round=self._item.id, seats=seats)
        self.session.do(command, done=if_seen(self, self.accept), refused=if_seen(self, self._refused))

    def _refused(self, error: UserError) -> bool:
        self.wrong.setText(self.session.catalogue.error(error))
        return True


class LateDialog(Dialog):
    """Asks who has come late, to play the one with the bye."""

    topic = "rounds"

    def __init__(
        self, session: Session, round_id: RoundId, late: Sequence[PlayerId], *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Seat a latecomer"), yes=text("Seat the player"), parent=parent)
        self._round = round_id
        bye = next(bye for bye in session.index.byes(round_id) if bye.kind == "bye")
        players = session.tournament.players
        about = text(
            "The latecomer plays {player}, who has the bye, at a free table. The other tables stay as they are.",
            player=players[bye.player].name,
        )
        self.body.addWidget(fields.label(about, wrap=True))
        number = session.tournament.rounds[round_id].number
        expected = sorted(late, key=lambda one: session.index.absence(one, number) is not None)
        offered = [(one, f"{players[one].number}  {players[one].name}") for one in expected]
        self.player: Choice[PlayerId] = Choice(text("Latecomer"), offered, session.look)
        form = Form()
        form.add(text("Latecomer"), self.player)
        self.body.addLayout(form)
        self.yes.setEnabled(bool(offered))
        self.resize(UNIT * 68, UNIT * 30)

    def take(self) -> None:
        """Seat the player."""
        player = self.player.value()
        if player is None:
            return
        command = partial(seat_latecomer, key=self.session.key(), round=self._round, player=player)
        self.session.do(command, done=if_seen(self, self.accept), field=self.player)
