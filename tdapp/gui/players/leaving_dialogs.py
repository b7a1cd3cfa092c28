"""Withdrawals, forfeits, merges, and moves to another division."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.commands.transfers import find_move_or_merge_consequences
from tdapp.domain.model import DivisionId, Game, Player, PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.players.availability import (
    AvailabilityChange,
    AvailabilityPanel,
    ConsequencesView,
    format_short_player_list,
)
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, FormLayout
from tdapp.gui.widgets.page import ActionGroup, Panel
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tdapp.gui.widgets.theme import UNIT

WITHDRAW_KEYS = "Ctrl+Shift+X"

# Condition and function of each action, by its text with {player}.
PlayerActions = Mapping[str, tuple[Callable[[Session, PlayerId], bool], Callable[[PlayerId], None]]]


def find_open_game_of_player(session: Session, player: PlayerId) -> Game | None:
    index = session.index
    newest = index.list_published_rounds(index.tournament.players[player].division)[-1:]
    games = (game for item in newest for game in index.list_open_games(item.id))
    return next((game for game in games if player in {game.first, game.second}), None)


def can_forfeit_open_game(session: Session, player: PlayerId) -> bool:
    can_enter = session.can_run_commands("enter-result") and not session.tournament.event.finished
    return can_enter and find_open_game_of_player(session, player) is not None


def can_withdraw(session: Session, player: PlayerId) -> bool:
    return session.is_editable and not session.index.has_withdrawn(player)


def make_rounds_page_key_for_forfeit(session: Session, player: PlayerId) -> str:
    """Return a key for the Rounds page, such as "GAME_ID f1".

    When the page gets this key, the page selects the game and fills in "f1" (the first player forfeits).
    """
    game = find_open_game_of_player(session, player)
    return f"{game.id} f{1 if player == game.first else 2}" if game is not None else player


class WithdrawalAndMergeActions(ActionGroup):
    """Withdraws a player, forfeits a player's game, and merges two players."""

    choose_player: Callable[
        [str, PlayerActions], None
    ]  # asks the user for the player; gets a title and the actions

    def list_actions(self) -> tuple[Action, ...]:
        text = self._session.catalogue.text
        choose_player = partial(self._choose_player_to_withdraw, text("Withdraw {player}…"))
        withdraw = partial(self._run_if_player_is_selected, self.open_withdrawal_panel)
        forfeit = partial(self._run_if_player_is_selected, self.open_rounds_page_for_forfeit)
        return (
            Action("withdraw-whom", text("Withdraw a player…"), choose_player, "withdraw", WITHDRAW_KEYS, "event",
                   self._has_current_division),
            Action("withdraw", text("Withdraw…"), withdraw, "withdraw", "", "player",
                   partial(self._can_run_for_current_player, can_withdraw)),
            Action("merge-players", text("Merge with another player…"), self.open_merge_dialog, "move", "",
                   "player",
                   partial(self._can_run_for_current_player, lambda session, _player: session.is_editable)),
            Action("forfeit", text("Forfeit…"), forfeit, "clear", "", "player",
                   partial(self._can_run_for_current_player, can_forfeit_open_game)),
        )  # fmt: skip

    @property
    def player_actions_by_title(self) -> PlayerActions:
        return {
            self.text("Withdraw {player}…"): (can_withdraw, self.open_withdrawal_panel),
            self.text("Forfeit by {player}…"): (can_forfeit_open_game, self.open_rounds_page_for_forfeit),
        }

    def open_withdrawal_panel(self, player: PlayerId) -> None:
        self._open_panel(AvailabilityPanel(self._session, player, AvailabilityChange.LEAVE))

    def open_rounds_page_for_forfeit(self, player: PlayerId) -> None:
        self._session.choose_division(self._session.tournament.players[player].division)
        self._host.show_page("rounds", make_rounds_page_key_for_forfeit(self._session, player))

    def open_merge_dialog(self) -> None:
        player, *other_players = self._host.page.list_selected_players()
        row = self._session.tournament.players[player]
        MergePlayersDialog(
            self._session, row, next(iter(other_players), None), parent=self._host.page.window()
        ).open()

    def _choose_player_to_withdraw(self, action: str) -> None:
        title = self._session.catalogue.text("Withdraw a player…").removesuffix("…")
        self.choose_player(title, {action: self.player_actions_by_title[action]})

    def _run_if_player_is_selected(self, run: Callable[[PlayerId], None]) -> None:
        player = self._host.page.get_current_player_id()
        if player is not None:
            run(player)

    def _can_run_for_current_player(self, condition: Callable[[Session, PlayerId], bool]) -> bool:
        player = self._host.page.get_current_player_id() if self._session.is_open else None
        return player is not None and condition(self._session, player)


class MergePlayersDialog(Dialog):
    """Merges two entries of the same person into one player."""

    topic = "players"

    def __init__(
        self, session: Session, player: Player, other_player: PlayerId | None, *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Merge with another player"), yes=text("Merge the players"), parent=parent)
        self._player = player
        note = text(
            "{player} keeps their name and number, and takes over the other player’s games, byes, absences "
            "and sanctions. The other player is removed.",
            player=map_players_with_distinct_names(session.index)[player.id].name,
        )
        self.other_player = PlayerField(text("The other player"), session)
        candidates = [item.id for item in session.index.players(player.division) if item.id != player.id]
        self.other_player.set_options(list_player_options(session, candidates), other_player)
        fields.add_parts_to_layout(self.body, fields.make_label(note, wrap=True), FormLayout(self.other_player))
        self.other_player.player_chosen.connect(self._enable_merge_button)
        self.other_player.setFocus()
        self._enable_merge_button(self.other_player.value())
        self.resize(UNIT * 68, UNIT * 30)

    def _enable_merge_button(self, player: PlayerId | None) -> None:
        self.yes.setEnabled(player is not None)

    def confirm_dialog(self) -> None:
        other_player = self.other_player.value()
        if other_player is not None:
            command = partial(commands.merge_players, player=self._player.id, other=other_player)
            self.session.do(
                command, on_success=make_callback_for_visible_widget(self, self.accept), field=self.other_player
            )


class MovePlayersPanel(Panel):
    """Moves some or all players of a division to another division."""

    topic = "tournament"

    def __init__(self, session: Session, division: DivisionId, players: tuple[PlayerId, ...] = ()) -> None:
        text, code = session.catalogue.text, session.tournament.divisions[division].code
        title = session.catalogue.plural("Move one player", "Move {n} players", len(players))
        super().__init__(session, title if players else text("Merge division {division}", division=code))
        self._division, self._players, self._key = division, players, session.make_row_id()
        self._button_text = self.heading.text()
        other_divisions = [item for item in session.index.divisions if item.id != division]
        choices = [(item.id, text("Division {code}", code=item.code)) for item in other_divisions]
        self.target_division: Choice[DivisionId] = Choice(
            text(C_("move players", "Into division")), choices, session.appearance
        )
        self.consequences = ConsequencesView(
            session, on_success=make_callback_for_visible_widget(self, self.closed.emit)
        )
        notes = [fields.make_note_label(format_short_player_list(session, players))] if players else []
        fields.add_parts_to_layout(self.body, *notes, FormLayout(self.target_division), self.consequences, 1)
        self.target_division.currentIndexChanged.connect(self.refresh_panel)
        self.setFocusProxy(self.target_division)

    def refresh_panel(self) -> None:
        value = self.session.tournament
        if self._division not in value.divisions or not {*self._players} <= value.players.keys():
            self.closed.emit()
            return
        self.consequences.show_consequences(
            self._make_move_command(), find_move_or_merge_consequences, button_text=self._button_text
        )

    def _make_move_command(self) -> partial[Tournament] | None:
        division = self.target_division.value()
        if division is None:
            return None
        if self._players:
            return partial(commands.move_players, key=self._key, players=self._players, division=division)
        return partial(commands.merge_division, division=self._division, into=division)
