"""Actions on one table, and actions that open the jury's panels from any page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape

from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.bracket import is_match_tied_after_game
from tdapp.domain.model import (
    Game,
    GameId,
    GameSide,
    PlayerId,
    ResultState,
    RoundState,
    Seat,
    SeatId,
    StartDecision,
)
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.slip import find_agreed_group_points, find_slips_of_both_players
from tdapp.domain.translatable import C_
from tdapp.gui.rounds.dialogs import MoveGameToTableDialog
from tdapp.gui.rounds.pairing_changes import PairingChangeBar
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import ActionGroup
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n import rounds_page
from tdapp.i18n.impact_sentences import make_game_correction

# Actions that other pages offer too, for their current row.
ABOUT_ROW = ("incidents", "sanctions", "late-arrival", "starting-draw", "forfeit", "withdraw")


class RoundsPageSelection:
    """The selected round, and its selected games and player."""

    def __init__(self, session: Session, view: TableView) -> None:
        self._session, self._view = session, view

    @property
    def game(self) -> Game | None:
        games = self._session.tournament.games if self._session.round else {}
        return games.get(GameId(self._view.get_current_row_key()))

    @property
    def group_table_seats(self) -> tuple[Seat, ...]:
        rows = self._session.tournament.seats if self._session.round else {}
        seat, index = rows.get(SeatId(self._view.get_current_row_key())), self._session.index
        return (
            tuple(table_seat for table_seat in index.seats(seat.round) if table_seat.table == seat.table)
            if seat is not None
            else ()
        )

    @property
    def games(self) -> tuple[Game, ...]:
        games = self._session.tournament.games
        return tuple(games[GameId(key)] for key in self._view.list_selected_keys() if GameId(key) in games)

    @property
    def player(self) -> PlayerId | None:
        return self.find_player_in_cell(self._view.get_current_row_key()) if self._session.round else None

    def find_player_in_cell(self, key: str) -> PlayerId | None:
        """Return the player in row `key` of the table, in the column of the cursor."""
        ids, column = self._view.rows.list_column_ids(), self._view.currentIndex().column()
        name = ids[column] if 0 <= column < len(ids) else ""
        return rounds_page.find_player_of_cell(self._session.index, key, name)

    @property
    def result_state(self) -> ResultState | None:
        if seats := self.group_table_seats:
            return seats[0].state
        result = self._session.index.get_result(self.game.id) if self.game else None
        return result.state if result else None

    @property
    def is_draft(self) -> bool:
        return self._session.round is not None and self._session.round.state is RoundState.DRAFT

    @property
    def is_published(self) -> bool:
        return self._session.round is not None and self._session.round.state is RoundState.PUBLISHED

    def can_run_commands(self, *command_ids: str) -> bool:
        session = self._session
        return session.is_open and session.can_run_commands(*command_ids) and not session.tournament.event.finished


class GameActions:
    """Actions on the selected games."""

    def __init__(
        self,
        session: Session,
        selection: RoundsPageSelection,
        field: ResultField,
        bar: PairingChangeBar,
        view: QWidget,
    ) -> None:
        self._session, self._selection = session, selection
        self._field, self._bar, self._view = field, bar, view

    def list_draft_game_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "table"
        return (
            Action("pick", text("Swap or pair a player…"), self.pick_or_unpick_player_to_swap, "swap", "", menu,
                   self._can_pick_player_to_swap, title=self._make_title_of_swap_or_pair_action),
            Action("lock", text("Keep this table when pairing again"), self.toggle_table_locks, "lock", "Ctrl+L",
                   menu, self._can_edit_draft_game, title=self._make_keep_table_action_title),
        )  # fmt: skip

    def list_game_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "table"
        decide_tie, make_winner_title, entered = (
            self.decide_tie,
            self._make_decide_tie_action_title,
            ResultState.ENTERED,
        )
        first, second = text("The first player wins the tie"), text("The second player wins the tie")
        check = partial(self.run_command_on_current_table, commands.check_result)
        certify = partial(self.run_command_on_current_table, commands.certify_result)
        accept = partial(self.run_command_on_current_table, commands.take_slips, quiet=False)
        refuse = partial(self.run_command_on_current_table, commands.drop_slips, quiet=False)
        unchecked = partial(self._can_run_result_command, "clear-result", entered)
        uncertified = partial(self._can_run_result_command, "certify-result", entered, ResultState.CHECKED)
        return (
            Action("set-starter", text("Change who starts"), self.swap_starter, "swap", "", menu,
                   self._has_editable_open_game, title=self._make_title_of_swap_starter_action),
            Action("set-table", text("Move to another table…"), self.open_move_game_dialog, "move", "", menu,
                   self._has_editable_game),
            Action("clear-result", text("Clear the result"), self.clear_result, "clear", "Ctrl+Delete", menu,
                   partial(self._can_run_result_command, "clear-result", *ResultState)),
            Action("take-slips", text("Accept the players’ entries"), accept, "check", "Ctrl+Shift+T", menu,
                   self._can_accept_equal_slips),
            Action("drop-slips", text("Reject the players’ entries"), refuse, "clear", "Ctrl+Shift+R", menu,
                   self._can_reject_slips),
            Action("check-result", text("Mark as checked"), check, "check", "", menu, unchecked),
            Action("certify-result", text(C_("certify a result", "Certify")), certify, "lock", "", menu,
                   uncertified),
            Action("goes-on-first", first, partial(decide_tie, GameSide.FIRST), "", "", menu,
                   self._can_decide_tie, title=partial(make_winner_title, GameSide.FIRST, first)),
            Action("goes-on-second", second, partial(decide_tie, GameSide.SECOND), "", "", menu,
                   self._can_decide_tie, title=partial(make_winner_title, GameSide.SECOND, second)),
        )  # fmt: skip

    # --- conditions

    def _has_editable_game(self) -> bool:
        return self._selection.game is not None and self._session.is_editable

    def _can_edit_draft_game(self) -> bool:
        return self._selection.is_draft and self._has_editable_game()

    def _can_pick_player_to_swap(self) -> bool:
        return self._selection.is_draft and self._selection.player is not None and self._session.is_editable

    def _has_editable_open_game(self) -> bool:
        return self._has_editable_game() and self._selection.result_state is None

    def _can_run_result_command(self, command: str, *states: ResultState) -> bool:
        return self._selection.can_run_commands(command) and self._selection.result_state in states

    def _can_decide_tie(self) -> bool:
        game = self._selection.game
        return (
            game is not None
            and self._selection.can_run_commands("decide-tie")
            and is_match_tied_after_game(self._session.index, game.id)
        )

    def _can_reject_slips(self) -> bool:
        game, selection = self._selection.game, self._selection
        if not selection.can_run_commands("drop-slips"):
            return False
        if game is None:
            return any(seat.sent for seat in selection.group_table_seats)
        return bool(self._session.index.slips(game.id))

    def _can_accept_equal_slips(self) -> bool:
        game = self._selection.game
        if game is None:
            return self._can_reject_slips() and bool(find_agreed_group_points(self._selection.group_table_seats))
        pair = find_slips_of_both_players(self._session.index, game) if self._can_reject_slips() else None
        return pair is not None and pair.has_equal_entries

    # --- titles

    def _make_title_of_swap_or_pair_action(self) -> str:
        text, player = self._session.catalogue.text, self._selection.player
        return (
            text("Swap or pair {player}…", player=self._get_distinct_name_of_player(player))
            if player
            else text("Swap or pair a player…")
        )

    def _make_keep_table_action_title(self) -> str:
        text, game = self._session.catalogue.text, self._selection.game
        return (
            text("Let this table be re-paired")
            if game and game.locked
            else text("Keep this table when pairing again")
        )

    def _make_title_of_swap_starter_action(self) -> str:
        text, game = self._session.catalogue.text, self._selection.game
        name = self._get_distinct_name_of_player(self._find_starter_after_swap(game)) if game else ""
        return text("Let {player} start", player=name) if name else text("Change who starts")

    def _make_decide_tie_action_title(self, side: GameSide, default: str) -> str:
        text, game = self._session.catalogue.text, self._selection.game
        return (
            text("{player} wins", player=self._get_distinct_name_of_player(_get_player_on_side(game, side)))
            if game
            else default
        )

    def _get_distinct_name_of_player(self, player: PlayerId) -> str:
        return map_players_with_distinct_names(self._session.index)[player].name

    # --- commands

    def pick_or_unpick_player_to_swap(self) -> None:
        player = self._selection.player
        if player is not None:
            self._bar.pick_or_unpick_player_to_swap(player)

    def toggle_table_locks(self) -> None:
        """Lock the selected tables, so that a new pairing keeps their games.

        If the current table is locked, unlock the selected tables.
        """
        game = self._selection.game
        for selected_game in self._selection.games or ((game,) if game else ()):
            if game is not None and selected_game.locked == game.locked:
                self._session.do(partial(commands.lock_game, game=selected_game.id, locked=not game.locked))

    def swap_starter(self) -> None:
        """Let the other player start. If the start is not yet drawn, let the player in the current cell start."""
        game = self._selection.game
        if game is not None:
            self._session.do(
                partial(commands.set_starter, game=game.id, player=self._find_starter_after_swap(game))
            )

    def _find_starter_after_swap(self, game: Game) -> PlayerId:
        return game.second if game.start is not StartDecision.DRAW else self._selection.player or game.first

    def open_move_game_dialog(self) -> None:
        if self._selection.game is not None:
            MoveGameToTableDialog(self._session, self._selection.game, parent=self._view.window()).open()

    def clear_result(self) -> None:
        """Remove the result. If other data depend on it, show the effect first."""
        seats = self._selection.group_table_seats
        if self._selection.game is not None:
            self._field.apply_correction_line_or_ask_to_confirm(
                f"{self._selection.game.table} -", focus_after=self._view
            )
        elif seats:
            self._session.do(partial(commands.clear_seats, round=seats[0].round, table=seats[0].table))

    def run_command_on_current_table(self, command: commands.Command, *, quiet: bool = True) -> None:
        """Run a command on the selected game. `quiet` omits the message, because the row shows the change.

        For a group table (three or more players), run the equivalent group command.
        """
        seats = self._selection.group_table_seats
        if seats:
            run = partial(_GROUP_COMMANDS[command], round=seats[0].round, table=seats[0].table)
            self._session.do(run, quiet=quiet)
        elif self._selection.game is not None:
            self._session.do(partial(command, game=self._selection.game.id), quiet=quiet)

    def decide_tie(self, side: GameSide) -> None:
        """Record `side` as the winner after a tie (a drawn game or match).

        If other data depend on the result, show the effect first.
        """
        game, session = self._selection.game, self._session
        if game is not None:
            name = self._get_distinct_name_of_player(_get_player_on_side(game, side))
            command = partial(commands.decide_tie, game=game.id, winner=side)
            text = escape(session.catalogue.text("Table {table}: {player} wins", table=game.table, player=name))
            self._field.apply_correction_or_ask_to_confirm(
                make_game_correction(session.index, game.id, command, text), focus_after=self._view
            )


_GROUP_COMMANDS: Mapping[commands.Command, commands.Command] = {
    commands.check_result: commands.check_seats,
    commands.certify_result: partial(commands.check_seats, certified=True),
    commands.take_slips: commands.take_points,
    commands.drop_slips: commands.drop_points,
}


def _get_player_on_side(game: Game, side: GameSide) -> PlayerId:
    return game.first if side is GameSide.FIRST else game.second


class IncidentPanelActions(ActionGroup):
    """Opens the panels for incidents, sanctions, late arrivals and starting draws."""

    def list_actions(self) -> tuple[Action, ...]:
        text, has_division, has_players = (
            self._session.catalogue.text,
            self._has_current_division,
            self._has_players_in_division,
        )
        incidents, sanctions = self._open_incidents_panel, self._open_sanctions_panel
        late_arrival, starting_draw = self._open_late_arrival_panel, self._open_starting_draw_panel
        return (
            Action(
                "incidents", text("Incidents…"), incidents, "incident", "Ctrl+Shift+I", "incidents", has_division
            ),
            Action(
                "late-arrival",
                text("Late arrival…"),
                late_arrival,
                "",
                "Ctrl+Shift+L",
                "mishaps",
                self._has_published_round,
            ),
            Action(
                "starting-draw",
                text("Draw for the first turn…"),
                starting_draw,
                "",
                "Ctrl+Shift+D",
                "mishaps",
                has_division,
            ),
            Action(
                "sanctions", text("Sanctions…"), sanctions, "sanction", "Ctrl+Shift+S", "incidents", has_players
            ),
        )

    def _open_late_arrival_panel(self) -> None:
        from tdapp.gui.jury.game_start_panels import LateArrivalPanel

        self._open_panel(LateArrivalPanel(self._session, self._host.page.get_selected_game()))

    def _open_starting_draw_panel(self) -> None:
        from tdapp.gui.jury.game_start_panels import StartingDrawPanel

        self._open_panel(StartingDrawPanel(self._session, self._host.page.get_selected_game()))

    def _open_incidents_panel(self) -> None:
        from tdapp.gui.jury.logs import IncidentsPanel

        page = self._host.page
        game = page.get_selected_game()
        self._open_panel(
            IncidentsPanel(self._session, game, page.get_current_player_id() if game is None else None)
        )

    def _open_sanctions_panel(self) -> None:
        from tdapp.gui.jury.rulings import SanctionsPanel

        self._open_panel(SanctionsPanel(self._session, self._host.page.get_current_player_id()))

    def _has_players_in_division(self) -> bool:
        division = self._session.division
        return division is not None and bool(self._session.index.players(division.id))

    def _has_published_round(self) -> bool:
        division = self._session.division
        return division is not None and bool(self._session.index.list_published_rounds(division.id))
