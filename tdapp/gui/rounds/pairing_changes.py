"""Previews of changes to a draft round, and a check of pairings made before all results arrived."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton

from tdapp.domain.errors import CommandError
from tdapp.domain.model import DivisionId, GameId, PlayerId, Result, Round, RoundId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ruleset import MAX_TABLE_SIZE
from tdapp.domain.tables import rounds
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import NumberEdit
from tdapp.gui.widgets.scroll_body import make_scroll_area
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n import impact_sentences, pairing_sentences
from tdapp.i18n.phrases import format_table_numbers_by_round
from tdapp.pairing.commands import (
    DraftChangePreview,
    move_to_table,
    pair_around,
    pair_by_hand,
    preview_command,
    swap_players,
    unpair_game,
)
from tdapp.pairing.recheck import DifferentlyPairedRound, compare_recomputed_pairings
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

MOST_PICKED = 2
WIDTH = UNIT * 46  # width of the bar in pixels


class PairingChangeBar(QFrame):
    """Offers changes of the draft pairings for one or two selected players."""

    changed = Signal()
    player_moved = Signal(object)  # a moved player
    picking_ended = Signal()  # no player is picked now, and the bar had the focus

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self._item: Round | None = None
        self._tasks: list[BackgroundTask] = []
        self.buttons: list[QPushButton] = []  # one for each offered change
        self.picked_players: tuple[PlayerId, ...] = ()
        self._selection_label = fields.make_label("", "lead", wrap=True)
        text = session.catalogue.text
        self.number = NumberEdit(text("Number of the other player"), width=UNIT * 26)
        self.number.setPlaceholderText(text("Opponent’s number"))
        self.number.returnPressed.connect(self._pick_player_by_number)
        self._offers = fields.make_column(gap=UNIT // 2)
        leave = fields.make_button(text("Cancel (Esc)"), self.clear_picked_players, role="quiet")
        header = fields.make_row(self.number, 1, leave)
        offers = make_scroll_area(fields.make_column(self._offers, 1))
        fields.make_column(
            self._selection_label, header, offers, margins=(UNIT * 2, UNIT) * 2, wide=offers, parent=self
        )
        self.setFixedWidth(scale_pixels(WIDTH))
        self.hide()

    def set_draft_round(self, item: Round | None) -> None:
        is_same_round = item is not None and self._item is not None and item.id == self._item.id
        self._item = item
        if self.picked_players:
            players = self._session.tournament.players
            self._set_picked_players(
                tuple(player for player in self.picked_players if player in players) if is_same_round else ()
            )

    def pick_or_unpick_player_to_swap(self, player: PlayerId) -> None:
        """Pick a player, or unpick a picked one. A third player replaces the second."""
        if self._item is None or self._session.is_read_only_or_not_director:
            return
        if player in self.picked_players:
            self._set_picked_players(
                tuple(picked_player for picked_player in self.picked_players if picked_player != player)
            )
        else:
            self._set_picked_players((*self.picked_players[: MOST_PICKED - 1], player))

    def set_two_picked_players(self, player: PlayerId, opponent: PlayerId) -> None:
        if self._item is not None and player != opponent and not self._session.is_read_only_or_not_director:
            self._set_picked_players((player, opponent))

    def clear_picked_players(self) -> None:
        self._set_picked_players(())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear_picked_players()
        else:
            super().keyPressEvent(event)

    def _set_picked_players(self, players: tuple[PlayerId, ...]) -> None:
        focused = QApplication.focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        self.picked_players = players
        for task in self._tasks:
            task.cancel_work()
        self._tasks, self.buttons = [], []
        fields.clear_layout(self._offers)
        self.number.hide()
        if players and self._item is not None:
            self._offer_changes_for_picked_players(self._item)
        self.setVisible(bool(players))
        if has_focus and not players:
            self.picking_ended.emit()
        if len(players) == MOST_PICKED and self.buttons:
            QTimer.singleShot(0, self.buttons[0], self.buttons[0].setFocus)  # wait until it is visible
        self.changed.emit()

    def _pick_player_by_number(self) -> None:
        division = self._session.division
        try:
            number = self.number.parse_optional_number()
            if division is None or number is None:
                return
            player = self._session.index.get_player(division.id, number)
        except (ValueError, CommandError):
            self._session.show_error(CommandError("no-such-player", player=self.number.text()), self.number)
            return
        self.number.clear()
        self.pick_or_unpick_player_to_swap(player.id)

    def _offer_changes_for_picked_players(self, item: Round) -> None:
        text, players = self._session.catalogue.text, map_players_with_distinct_names(self._session.index)
        key = self._session.make_row_id()
        names = [players[player].name for player in self.picked_players]
        if len(self.picked_players) == 1:
            self._selection_label.setText(
                text("{player} is selected. Select another player, or choose:", player=names[0])
            )
            self._offer_changes_for_player(item, self.picked_players[0])
        else:
            first_id, second_id = self.picked_players
            games = self._session.index.games(item.id)
            are_paired = any({game.first, game.second} == {first_id, second_id} for game in games)
            are_paired = are_paired or any(
                {first_id, second_id} <= {seat.player for seat in seats}
                for seats in self._session.index.list_seats_by_table(item.id)
            )
            self._selection_label.setText(
                text(C_("two players", "{one} and {other}"), one=names[0], other=names[1])
            )
            changes: dict[str, Callable[..., Tournament]] = {
                text("Swap these two players"): swap_players,
                text("Pair these two players"): pair_by_hand,
                text("Pair these two players and re-pair the others"): pair_around,
            }
            for name, change in changes.items() if not are_paired else ():
                self._add_pairing_change_button(
                    item, name, partial(change, key=key, round=item.id, player=first_id, other=second_id)
                )
            table = None if are_paired else self._find_table_of_player_unless_full(item, second_id)
            if table is not None and self._session.tournament.get_ruleset_of_row(item).tables.has_group_tables:
                name = text("Add {one} to table {table}", one=names[0], table=table)
                self._add_pairing_change_button(
                    item, name, partial(move_to_table, key=key, round=item.id, player=first_id, table=table)
                )

    def _find_table_of_player_unless_full(self, item: Round, player: PlayerId) -> int | None:
        index = self._session.index
        game, seat = index.find_player_game(item.id, player), index.find_player_seat(item.id, player)
        if game is not None or seat is None:
            return game.table if game is not None else None
        player_count = sum(table_seat.table == seat.table for table_seat in index.seats(item.id))
        return seat.table if player_count < MAX_TABLE_SIZE else None

    def _offer_changes_for_player(self, item: Round, player: PlayerId) -> None:
        text, key, index = self._session.catalogue.text, self._session.make_row_id(), self._session.index
        if not any(bye.player == player for bye in index.byes(item.id)):
            give_bye = partial(pair_by_hand, key=key, round=item.id, player=player)
            self._add_pairing_change_button(item, text("Give this player the bye"), give_bye)
        self.number.show()
        game = index.find_player_game(item.id, player)
        if game is not None:
            unpair = partial(unpair_game, key=key, game=GameId(game.id))
            self._add_pairing_change_button(
                item, text("Separate the players at table {table}", table=game.table), unpair, shows_effect=False
            )

    def _add_pairing_change_button(
        self, item: Round, name: str, command: partial[Tournament], *, shows_effect: bool = True
    ) -> None:
        effect_label = fields.make_rich_text_label()
        button = fields.make_button(name, partial(self._run_pairing_change, command))
        button.setMinimumWidth(scale_pixels(UNIT * 30))
        self.buttons.append(button)
        self._offers.addWidget(button)
        self._offers.addWidget(effect_label)
        if not shows_effect:
            return
        label = self._session.catalogue.text("Calculating the effect of the change…")
        effect_label.setText(label)
        call = partial(preview_command, self._session.tournament, item.id, command)
        show_effect = make_callback_unless_deleted(
            effect_label, partial(self._show_effect_of_pairing_change, effect_label)
        )
        disable_button = make_callback_unless_deleted(
            effect_label, partial(self._show_error_and_disable_button, button, effect_label)
        )
        self._tasks.append(
            self._session.run_in_background(call, on_success=show_effect, label=label, on_error=disable_button)
        )

    def _show_effect_of_pairing_change(self, label: QLabel, preview: DraftChangePreview) -> None:
        catalogue, tournament, appearance = (
            self._session.catalogue,
            self._session.tournament,
            self._session.appearance,
        )
        tone = (
            "muted" if not preview.sign_of_cost_change else "green" if preview.sign_of_cost_change < 0 else "amber"
        )
        colour, verdict = (
            appearance.get_colour(tone).name(),
            pairing_sentences.describe_draft_change_effect(preview, catalogue),
        )
        verdict_html = f'<b style="color:{colour}">{escape(verdict)}</b>'
        details = pairing_sentences.list_draft_change_texts(preview, tournament, catalogue)
        label.setText("<br>".join((verdict_html, escape(" · ".join(details)))))

    def _show_error_and_disable_button(self, button: QPushButton, label: QLabel, error: Exception) -> None:
        label.setText(self._session.catalogue.describe_error(get_user_error_or_raise(error)))
        button.setEnabled(False)

    def _run_pairing_change(self, command: partial[Tournament]) -> None:
        self._session.do(
            command,
            on_success=make_callback_unless_deleted(
                self, partial(self._finish_pairing_change, self.picked_players[0])
            ),
        )

    def _finish_pairing_change(self, moved_player: PlayerId) -> None:
        self.clear_picked_players()
        self.player_moved.emit(moved_player)


_RoundAndReceivedResults = tuple[RoundId, tuple[Result, ...]]


class AssumedDrawsChecker:
    """Finds games that a pairing counted as drawn because their results were missing.

    When results arrive, it pairs the round again and compares the pairings.
    """

    def __init__(self, session: Session, notify_comparison: Callable[[], None]) -> None:
        self._session = session
        self._notify_comparison = notify_comparison
        self._comparison_texts: dict[_RoundAndReceivedResults, str] = {}

    def start_comparing_with_received_results(self) -> None:
        session = self._session
        division = session.division
        for item in session.index.rounds(division.id) if division else ():
            key = self._get_round_id_and_received_results(item)
            if division is None or not key[1] or key in self._comparison_texts:
                continue
            self._comparison_texts[key] = ""
            label = session.catalogue.text("Checking later rounds…")
            call = partial(_compare_pairing_with_received_results, session.tournament, item, division.id)
            session.run_in_background(call, on_success=partial(self._store_comparison_text, key), label=label)

    def describe_games_assumed_drawn(self, item: Round) -> str:
        """Return HTML about the missing results that the pairing of a round counted as draws, or "" for none."""
        games, catalogue = rounds.list_games_with_assumed_draw(self._session.index, item), self._session.catalogue
        if not games:
            return ""
        missing_games = [game for game in games if self._session.index.get_result(game.id) is None]
        warning = catalogue.plural(
            "Paired while the result of {tables} was missing: this pairing counts that game as a draw.",
            "Paired while the results of {tables} were missing: this pairing counts those games as draws.",
            len(games),
            tables=format_table_numbers_by_round(catalogue, self._session.index, games),
        )
        tone = self._session.appearance.get_colour("amber" if missing_games else "muted").name()
        comparison = self._comparison_texts.get(self._get_round_id_and_received_results(item), "")
        return f'<span style="color:{tone}">{escape(warning)}</span> {escape(comparison)}'

    def _get_round_id_and_received_results(self, item: Round) -> _RoundAndReceivedResults:
        results = (self._session.index.get_result(game) for game in item.assumed)
        return item.id, tuple(result for result in results if result is not None)

    def _store_comparison_text(
        self, key: _RoundAndReceivedResults, differences: tuple[DifferentlyPairedRound, ...]
    ) -> None:
        catalogue, players = self._session.catalogue, map_players_with_distinct_names(self._session.index)
        unchanged_text = catalogue.text("With the results received since, the pairing would have been the same.")
        self._comparison_texts[key] = (
            catalogue.text(
                "With the results received since: {changes}",
                changes=impact_sentences.describe_changed_pairings(differences, players, catalogue),
            )
            if differences
            else unchanged_text
        )
        self._notify_comparison()


def _compare_pairing_with_received_results(
    tournament: Tournament, item: Round, division: DivisionId
) -> tuple[DifferentlyPairedRound, ...]:
    missing: list[GameId] = [game for game in item.assumed if game in tournament.results]
    before = tournament.drop(*(tournament.results[game] for game in missing))
    return tuple(
        difference
        for difference in compare_recomputed_pairings(before, tournament, division)
        if difference.round == item.number
    )
