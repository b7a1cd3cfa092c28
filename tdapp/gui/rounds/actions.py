"""What can be done on the Rounds page, and when."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from tdapp.domain import commands
from tdapp.domain.bracket import is_over, to_decide
from tdapp.domain.model import Forfeit, Game, GameId, PlayerId, Result, ResultState, Round, RoundState, Start
from tdapp.domain.proposal import Proposal
from tdapp.domain.systems import system_of
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.rounds.dialogs import LateDialog, ReasonDialog, SeatedDialog, TableDialog
from tdapp.gui.rounds.repair import RepairPanel
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.later import if_seen
from tdapp.gui.widgets.impact_bar import of_game
from tdapp.pairing import locked, propose, unfinished
from tdapp.services.worker import Task

if TYPE_CHECKING:
    from tdapp.gui.rounds.page import RoundsPage


class RoundActions:
    """The page's rows of the table of actions."""

    def __init__(self, page: RoundsPage) -> None:
        self._page = page
        self._session = page.session

    def table(self) -> tuple[Action, ...]:
        """Return the rows."""
        return (*self._of_steps(), *self._of_draft(), *self._of_games(), *self._of_round())

    def _of_steps(self) -> tuple[Action, ...]:
        text, page = self._session.catalogue.text, self._page
        menu = "round"
        return (
            Action("enter-result", text("Enter results"), page.field.focus, "enter", "F5", menu, self._may_enter),
            Action("type-again", text("Type the slips again"), self.type_again, "check", "Shift+F5", menu,
                   self._published, title=self._type_again_title),
            Action("print-round", text("Print…"), self.print, "print", "F8", menu, self._some_round, header=True),
            Action("bracket", text("Bracket"), self.show_bracket, "", "Ctrl+Shift+B", menu, self._knockout),
            Action("pair", text("Pair the next round"), self.pair, "pair", "F6", menu, self._may_pair,
                   primary=True, title=self._pair_title, vanishes=True),
            Action("pair-assuming", text("Pair although results are missing"), self.pair_assuming, "pair",
                   "Ctrl+Shift+F6", menu, self._may_assume),
            Action("publish", text("Publish"), self.publish, "publish", "F9", menu, self._draft,
                   primary=True, title=self._publish_title, vanishes=True),
        )  # fmt: skip

    def _of_draft(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "round"
        return (
            Action("pair-again", text("Pair again"), self.pair, "shuffle", "Shift+F6", menu, self._draft,
                   header=True, title=self._again_title, vanishes=True),
            Action("pick", text("Pick the player"), self._page.pick_current, "swap", "", "table", self._on_draft,
                   title=self._pick_title),
            Action("lock", text("Keep this table"), self.lock, "lock", "Ctrl+L", "table", self._on_draft,
                   title=self._lock_title),
            Action("discard-draft", text("Discard the draft"), self.discard, "remove", "", menu, self._draft),
        )  # fmt: skip

    def _of_games(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "table"
        first, second = partial(self.decide, Forfeit.FIRST), partial(self.decide, Forfeit.SECOND)
        return (
            Action("set-starter", text("Change who starts"), self.turn, "swap", "", menu, self._open_game,
                   title=self._starter_title),
            Action("set-table", text("Move to another table…"), self.move, "move", "", menu, self._on_game),
            Action("clear-result", text("Clear the result"), self.clear, "clear", "Ctrl+Delete", menu,
                   self._decided),
            Action("check-result", text("Mark as checked"), self.check, "check", "", menu, self._unchecked),
            Action("certify-result", text("Certify"), self.certify, "lock", "", menu, self._uncertified),
            Action("goes-on-first", text("The first player goes on"), first, "check", "", menu, self._tied,
                   title=partial(self._goes_on, Forfeit.FIRST)),
            Action("goes-on-second", text("The second player goes on"), second, "check", "", menu, self._tied,
                   title=partial(self._goes_on, Forfeit.SECOND)),
        )  # fmt: skip

    def _of_round(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "round"
        return (
            Action("as-seated", text("Played as seated…"), self.seat, "seat", "", menu, self._published),
            Action("latecomer", text("Seat a latecomer…"), self.seat_late, "add", "", menu, self._has_bye),
            Action(
                "check-pairings",
                text("Check all pairings"),
                self.check_pairings,
                "check",
                "",
                menu,
                self._some_round,
            ),
            Action("take-back", text("Take the round back…"), self.take_back, "return", "", menu, self._last),
        )

    # --- when

    @property
    def _item(self) -> Round | None:
        return self._page.item

    def _some_round(self) -> bool:
        return self._item is not None

    def _draft(self) -> bool:
        item = self._item
        return item is not None and item.state is RoundState.DRAFT and self._session.editable

    def _published(self) -> bool:
        item = self._item
        return item is not None and item.state is RoundState.PUBLISHED and self._session.editable

    def _may_enter(self) -> bool:
        item = self._item
        return item is not None and item.state is RoundState.PUBLISHED and self._page.may("enter-result")

    def _may_pair(self) -> bool:
        session = self._session
        division = session.division
        if division is None or not self._session.editable or not session.index.players(division.id):
            return False
        if self._draft():
            return False
        number = len(session.index.published(division.id)) + 1
        stage = session.index.stage_for(division.id, number)
        if stage is None or not system_of(stage).bracket or stage.id != session.index.stages(division.id)[-1].id:
            return stage is not None
        return not is_over(session.index, stage)  # nothing comes after it

    def _may_assume(self) -> bool:
        division = self._session.division
        return self._may_pair() and division is not None and bool(unfinished(self._session.index, division.id))

    def _knockout(self) -> bool:
        return self._item is not None and system_of(self._session.tournament.stages[self._item.stage]).bracket

    def _on_game(self) -> bool:
        return self._page.game is not None and self._session.editable

    def _on_draft(self) -> bool:
        return self._draft() and self._page.game is not None

    def _open_game(self) -> bool:
        return self._on_game() and self._result() is None

    def _decided(self) -> bool:
        return self._page.may("clear-result") and self._result() is not None

    def _unchecked(self) -> bool:
        result = self._result()
        return self._decided() and result is not None and result.state is ResultState.ENTERED

    def _uncertified(self) -> bool:
        result = self._result()
        return self._page.may("certify-result") and result is not None and result.state is not ResultState.FINAL

    def _tied(self) -> bool:
        game = self._page.game
        return game is not None and self._page.may("decide-tie") and to_decide(self._session.index, game.id)

    def _has_bye(self) -> bool:
        item = self._item
        return (
            item is not None
            and self._published()
            and any(bye.kind == "bye" for bye in self._session.index.byes(item.id))
        )

    def _last(self) -> bool:
        item, session = self._item, self._session
        if item is None or not self._published() or session.division is None:
            return False
        return session.index.rounds(session.division.id)[-1].id == item.id

    def _result(self) -> Result | None:
        game = self._page.game
        return self._session.index.result(game.id) if game else None

    # --- what they are called

    def _pair_title(self) -> str:
        text, division = self._session.catalogue.text, self._session.division
        if division is None:
            return text("Pair the next round")
        number = len(self._session.index.published(division.id)) + 1
        return text("Pair round {round}", round=number)

    def _publish_title(self) -> str:
        text, item = self._session.catalogue.text, self._item
        return text("Publish round {round}", round=item.number) if item else text("Publish")

    def _type_again_title(self) -> str:
        text = self._session.catalogue.text
        return text("Leave the second entry") if self._page.field.again.on else text("Type the slips again")

    def _again_title(self) -> str:
        text, item = self._session.catalogue.text, self._item
        kept = item is not None and any(game.locked for game in self._session.index.games(item.id))
        return text("Pair the rest again") if kept else text("Pair again")

    def _pick_title(self) -> str:
        text, player = self._session.catalogue.text, self._page.current_player()
        if player is None:
            return text("Pick the player")
        return text("Swap or pair {player}…", player=self._session.tournament.players[player].name)

    def _lock_title(self) -> str:
        text, game = self._session.catalogue.text, self._page.game
        return text("Release this table") if game and game.locked else text("Keep this table")

    def _starter_title(self) -> str:
        text, game = self._session.catalogue.text, self._page.game
        if game is None:
            return text("Change who starts")
        return text("Let {player} start", player=self._name(self._next_starter(game)))

    def _goes_on(self, winner: Forfeit) -> str:
        text, game = self._session.catalogue.text, self._page.game
        if game is None:
            first = winner is Forfeit.FIRST
            return text("The first player goes on") if first else text("The second player goes on")
        return text("{player} goes on", player=self._name(game.first if winner is Forfeit.FIRST else game.second))

    def _name(self, player: PlayerId) -> str:
        return self._session.tournament.players[player].name

    # --- what they do

    def pair(self) -> None:
        """Pair the next round, or the draft again around its locked tables and on what it has assumed."""
        item = self._item
        self._pair(item.assumed if item is not None and item.state is RoundState.DRAFT else ())

    def pair_assuming(self) -> None:
        """Pair the next round although results are missing: those games count as drawn in its standings."""
        division = self._session.division
        if division is not None:
            self._pair(unfinished(self._session.index, division.id))

    def _pair(self, assumed: Sequence[GameId]) -> None:
        session, division, index = self._session, self._session.division, self._session.index
        if division is None:
            return
        still_out = [game for game in assumed if index.result(game) is None]
        task = Task(session.catalogue.text("Pairing…"))
        kept = locked(index, division.id)
        call = partial(propose, index, division.id, fixed=kept, assumed=still_out, tick=task.progress)
        session.compute(call, then=self._keep, label=task.label, task=task)

    def _keep(self, proposal: Proposal) -> None:
        self._session.do(partial(commands.propose_round, key=self._session.key(), proposal=proposal))

    def type_again(self) -> None:
        """Take the slips of this round a second time without showing the first entry, or stop that."""
        self._page.field.type_again(on=not self._page.field.again.on)
        self._page.refresh()
        self._page.moved.emit()
        self._page.field.focus()

    def print(self) -> None:
        """Open the preview on this round's pairings."""
        item = self._item
        PrintPreview(
            self._session, "pairings-by-table", round=item.number if item else None, parent=self._page.window()
        ).open()

    def show_bracket(self) -> None:
        """Go to the bracket, at the match of the game under the cursor."""
        game = self._page.game
        self._page.go.emit("bracket", game.id if game else "")

    def check_pairings(self) -> None:
        """Show at the right whether every round would be paired so again."""
        self._page.panel.emit(RepairPanel(self._session))

    def publish(self) -> None:
        """Publish the draft, and go to the result field."""
        if self._item is not None:
            field = self._page.field
            command = partial(commands.publish_round, round=self._item.id)
            self._session.do(command, done=if_seen(field, field.focus))

    def lock(self) -> None:
        """Keep the selected tables, or release them if the one under the cursor is kept."""
        game = self._page.game
        for one in self._page.chosen_games or ((game,) if game else ()):
            if game is not None and one.locked == game.locked:
                self._session.do(partial(commands.lock_game, game=one.id, locked=not game.locked))

    def discard(self) -> None:
        """Take the draft away."""
        if self._item is not None:
            self._session.do(partial(commands.discard_round, round=self._item.id))

    def turn(self) -> None:
        """Let the other player start; or say that the first does, where the tiles would have decided."""
        game = self._page.game
        if game is not None:
            self._session.do(partial(commands.set_starter, game=game.id, player=self._next_starter(game)))

    def _next_starter(self, game: Game) -> PlayerId:
        return game.second if game.start is not Start.DRAW else self._page.current_player() or game.first

    def move(self) -> None:
        """Ask for another table."""
        if self._page.game is not None:
            TableDialog(self._session, self._page.game, parent=self._page).open()

    def clear(self) -> None:
        """Make the game open again; what that means is shown first where it may mean more than this game."""
        if self._page.game is not None:
            self._page.field.correct(f"{self._page.game.table} -", back=self._page.view)

    def check(self) -> None:
        """Note that the jury has looked the result over."""
        if self._page.game is not None:
            self._session.do(partial(commands.check_result, game=self._page.game.id))

    def certify(self) -> None:
        """Make the result final."""
        if self._page.game is not None:
            self._session.do(partial(commands.certify_result, game=self._page.game.id))

    def decide(self, winner: Forfeit) -> None:
        """Say who goes on after a tie; what that means is shown first where something rests on it."""
        game, session = self._page.game, self._session
        if game is not None:
            name = session.tournament.players[game.first if winner is Forfeit.FIRST else game.second].name
            command = partial(commands.decide_tie, game=game.id, winner=winner)
            said = escape(session.catalogue.text("Table {table}: {player} goes on", table=game.table, player=name))
            self._page.field.offer(of_game(session.index, game.id, command, said), back=self._page.view)

    def seat(self) -> None:
        """Ask who really sat where."""
        if self._item is not None:
            tables = [game.table for game in self._page.chosen_games if not self._session.index.result(game.id)]
            SeatedDialog(self._session, self._item, tables, parent=self._page).open()

    def seat_late(self, wanted: PlayerId | None = None) -> None:
        """Ask who has come late; `wanted` is offered first."""
        item, division, index = self._item, self._session.division, self._session.index
        if item is None or division is None:
            return
        seated = {one for game in index.games(item.id) for one in (game.first, game.second)}
        seated |= {bye.player for bye in index.byes(item.id) if bye.kind == "bye"}
        late = [player.id for player in index.players(division.id) if player.id not in seated]
        late.sort(key=lambda one: one != wanted)
        LateDialog(self._session, item.id, late, parent=self._page).open()

    def seat_unseated(self, player: PlayerId) -> None:
        """Offer a player who has no table in the newest published round the one with the bye."""
        division, index = self._session.division, self._session.index
        newest = next(reversed(index.published(division.id)), None) if division else None
        if newest is None or index.game_of(newest.id, player) is not None:
            return
        self._session.choose_round(newest.number)
        if self._has_bye() and all(bye.player != player for bye in index.byes(newest.id)):
            self.seat_late(player)

    def take_back(self) -> None:
        """Ask why the published round is taken back; results that would be lost are named."""
        item, words = self._item, self._session.catalogue
        if item is None:
            return
        tables = [game.table for game in self._session.index.games(item.id) if self._session.index.result(game.id)]
        lost = (
            words.plural(
                "The result of table {tables} would be lost.",
                "The results of tables {tables} would be lost.",
                len(tables),
                tables=tables,
            )
            if tables
            else ""
        )
        command = partial(commands.discard_round, round=item.id, with_results=bool(tables))
        ReasonDialog(
            self._session,
            words.text("Take round {round} back", round=item.number),
            yes=words.text("Take it back"),
            then=lambda reason: self._session.do(partial(command, reason=reason)),
            told=words.text("Players have seen this round. It is taken away and can be paired anew."),
            lost=lost,
            parent=self._page,
        ).open()
