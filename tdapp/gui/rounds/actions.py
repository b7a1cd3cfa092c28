"""Actions of the Rounds page on a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, GameId, PlayerId, Round
from tdapp.domain.proposal import Proposal, find_next_round
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables.evenings import get_date_of_current_evening
from tdapp.domain.tables.jury import compute_result_check_progress
from tdapp.domain.translatable import C_
from tdapp.gui.jury.round_list import TurnsToCheckFinder
from tdapp.gui.rounds.dialogs import (
    AwardedPointsPanel,
    PairingRecheckPanel,
    SeatCorrectionDialog,
    SeatLatecomerDialog,
    UnpublishRoundDialog,
)
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.rounds.table_actions import GameActions, RoundsPageSelection
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.problems_panel import confirm_pairing_despite_missing_results, get_round_to_pair
from tdapp.gui.shell.session import PAIR_ANYWAY_KEYS, Session, make_callback_for_visible_widget
from tdapp.gui.widgets.page import Page
from tdapp.i18n.phrases import (
    format_knockout_or_evening_round,
    format_round,
    make_pair_round_action_title,
    suggest_finish_or_more_rounds,
)
from tdapp.pairing import (
    find_round_to_check_before_pairing,
    list_games_that_can_count_as_draws,
    list_locked_pairs,
    propose_pairings,
)
from tdapp.pairing.field import ProgressCallback
from tdapp.services.worker import BackgroundTask


def _propose_pairing_of_each_division(
    index: TournamentIndex, divisions: Sequence[Division], report_progress: ProgressCallback
) -> list[tuple[Division, Proposal | UserError]]:
    proposals: list[tuple[Division, Proposal | UserError]] = []
    for division in divisions:
        try:
            proposals.append((division, propose_pairings(index, division.id, progress=report_progress)))
        except UserError as error:
            proposals.append((division, error))
    return proposals


class RoundActions:
    """Actions on the selected round."""

    def __init__(self, page: Page, selection: RoundsPageSelection, field: ResultField, games: GameActions) -> None:
        self._page, self._session = page, page.session
        self._selection, self._field, self._games = selection, field, games
        self._doubts = TurnsToCheckFinder(self._session)

    def list_round_actions(self) -> tuple[Action, ...]:
        return (*self._list_main_actions(), *self._list_round_menu_actions())

    def _list_main_actions(self) -> tuple[Action, ...]:
        text, menu, field = self._session.catalogue.text, "round", self._field
        return (
            Action("enter-result", text("Enter results"), field.focus_line, "enter", "F5", menu,
                   partial(_can_enter_results, self._selection)),
            Action("type-again", text("Type the slips a second time"), self.toggle_second_entry, "", "Shift+F5",
                   menu, self._can_edit_published_round, is_current=lambda: field.second_entry.is_active),
            Action("print-round", text("Print…"), self.open_print_preview_of_round, "print", "F8", menu,
                   self._has_selected_round, header=True),
            Action("bracket", text("Bracket"), self.open_bracket_page, "", "Ctrl+Shift+B", "table",
                   partial(_is_round_in_knockout, self._session)),
            Action("pair", text("Pair the next round"), self.pair_next_round_or_replace_draft, "pair", "F6",
                   "pairing", self._is_pairing_action_enabled, primary=True, title=self._make_next_step_title,
                   vanishes=True, ready=self._is_next_pairing_step_due),
            Action("pair-assuming", text("Pair despite missing results"), self.pair_with_assumed_draws,
                   "pair", PAIR_ANYWAY_KEYS, "pairing", self._can_pair_with_assumed_draws, vanishes=True),
            Action("pair-all", text("Pair the next round in all divisions"), self.pair_all_divisions, "pair",
                   "Ctrl+F6", "pairing", self._can_pair_another_division, header=True,
                   title=self._make_title_of_pair_divisions_action, vanishes=True),
            Action("publish", text("Publish"), self.publish_round, "publish", "F9", "pairing",
                   self._can_edit_draft, primary=True, title=self._make_publish_action_title, vanishes=True),
        )  # fmt: skip

    def _list_round_menu_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "round"
        return (
            Action("pair-again", text("Pair again"), self.pair_next_round_or_replace_draft, "shuffle", "Shift+F6",
                   "pairing", self._can_edit_draft, header=True, title=self._make_pair_again_action_title,
                   vanishes=True),
            *self._games.list_draft_game_actions(),
            Action("discard-draft", text("Discard the draft"), self.discard_draft, "remove", "", "pairing",
                   self._can_edit_draft, vanishes=True),
            *self._games.list_game_actions(),
            Action("as-seated", text("Record the actual seating…"), self.open_seat_correction_dialog, "seat", "",
                   "mishaps", self._can_edit_published_round),
            Action("latecomer", text("Seat a latecomer…"), self.choose_latecomer_to_seat, "add", "", "mishaps",
                   self._can_seat_latecomer),
            Action("awards", text("Points for byes and forfeits…"), self.open_awarded_points_panel, "", "",
                   "mishaps", self._can_edit_published_round),
            Action("check-pairings", text("Check all pairings"), self.open_pairing_recheck_panel, "check", "",
                   menu, self._has_selected_round),
            Action("take-back", text("Unpublish the round…"), self.open_unpublish_dialog, "return", "", "pairing",
                   self._can_unpublish_round),
        )  # fmt: skip

    # --- conditions

    def _has_selected_round(self) -> bool:
        return self._session.round is not None

    def _can_edit_draft(self) -> bool:
        return self._selection.is_draft and self._session.is_editable

    def _can_edit_published_round(self) -> bool:
        return self._selection.is_published and self._session.is_editable

    def _is_pairing_action_enabled(self) -> bool:
        session, division = self._session, self._session.division
        if (
            division is None
            or not session.is_editable
            or self._can_edit_draft()
            or not session.index.players(division.id)
        ):
            return False
        return bool(session.index.list_published_rounds(division.id)) or self._has_round_to_pair()

    def _has_round_to_pair(self) -> bool:
        division = self._session.division
        return division is not None and find_next_round(self._session.index, division) is not None

    def _is_next_pairing_step_due(self) -> bool:
        session, division = self._session, self._session.division
        if _find_round_to_check_before_pairing(self._session) is not None:
            return True
        if division is None or not self._has_round_to_pair():
            return False
        return not any(
            session.index.list_open_tables(item.id) for item in session.index.list_published_rounds(division.id)
        )

    def _can_pair_another_division(self) -> bool:
        return any(division != self._session.division for division in _list_divisions_to_pair(self._session))

    def _can_pair_with_assumed_draws(self) -> bool:
        division = self._session.division
        if division is None or not (self._is_pairing_action_enabled() and self._has_round_to_pair()):
            return False
        return bool(list_games_that_can_count_as_draws(self._session.index, division.id))

    def _can_seat_latecomer(self) -> bool:
        item, index = self._session.round, self._session.index
        if item is None or not self._can_edit_published_round():
            return False
        open_seats = (seats for seats in index.list_seats_by_table(item.id) if seats[0].state is None)
        return bool(index.list_byes_for_lack_of_opponent(item.id)) or any(len(seats) > 1 for seats in open_seats)

    def _can_unpublish_round(self) -> bool:
        item, division = self._session.round, self._session.division
        if item is None or division is None or not self._can_edit_published_round():
            return False
        return self._session.index.rounds(division.id)[-1].id == item.id

    # --- titles

    def _make_next_step_title(self) -> str:
        text, division = self._session.catalogue.text, self._session.division
        published_rounds = self._session.index.list_published_rounds(division.id) if division else ()
        number = len(published_rounds) + 1
        item = _find_round_to_check_before_pairing(self._session)
        if item is not None:
            progress = compute_result_check_progress(self._doubts.list_jury_games(item))
            name = format_round(self._session.catalogue, self._session.index, item)
            return text(
                "{round}: check results ({checked} of {games})",
                round=name, checked=progress.checked, games=progress.entered,
            )  # fmt: skip
        if published_rounds and not self._has_round_to_pair():
            return text(C_("list of actions", "What is next?"))
        if division is None:
            return text("Pair the next round")
        return make_pair_round_action_title(self._session.catalogue, self._session.index, division, number)

    def _format_knockout_or_evening_round(self, number: int) -> str:
        session, division = self._session, self._session.division
        stage = session.index.find_stage(division.id, number) if division else None
        return format_knockout_or_evening_round(session.catalogue, session.index, stage, number)

    def _make_title_of_pair_divisions_action(self) -> str:
        text, due = self._session.catalogue.text, _list_divisions_to_pair(self._session)
        codes = ", ".join(division.code for division in due)
        return (
            text("Pair divisions {divisions}", divisions=codes)
            if len(due) > 1
            else (
                text("Pair division {code}", code=codes) if due else text("Pair the next round in all divisions")
            )
        )

    def _make_publish_action_title(self) -> str:
        text, item = self._session.catalogue.text, self._session.round
        name = self._format_knockout_or_evening_round(item.number) if item else ""
        if name:
            return text("Publish {round}", round=name)
        return text("Publish round {round}", round=item.number) if item else text("Publish")

    def _make_pair_again_action_title(self) -> str:
        text, item = self._session.catalogue.text, self._session.round
        has_locked_tables = item is not None and any(game.locked for game in self._session.index.games(item.id))
        return text("Pair the other tables again") if has_locked_tables else text("Pair again")

    # --- commands

    def pair_next_round_or_replace_draft(self) -> None:
        """Wait for earlier commands to end. Then pair the next round, or the selected draft again."""
        self._session.run_after_desk_work(
            make_callback_for_visible_widget(self._page, self._take_next_pairing_step)
        )

    def _take_next_pairing_step(self) -> None:
        item, division = self._session.round, self._session.division
        stages = self._session.index.stages(division.id) if division is not None else ()
        today = get_date_of_current_evening(datetime.now().astimezone())
        if stages and stages[-1].evening and stages[-1].date < today:
            self._page.page_requested.emit("evening", "")  # the page starts the next evening or continues this one
        elif (
            not self._selection.is_draft
            and (round_to_check := _find_round_to_check_before_pairing(self._session)) is not None
        ):
            self._page.page_requested.emit("jury", round_to_check.id)
        elif self._is_pairing_action_enabled() and not self._has_round_to_pair():
            self._session.show_message(self._explain_missing_next_round(), tone="note")
        elif self._selection.is_draft or confirm_pairing_despite_missing_results(self._session):
            self._compute_and_save_pairing(item.assumed if item is not None and self._selection.is_draft else ())

    def _explain_missing_next_round(self) -> str:
        catalogue, index, division = self._session.catalogue, self._session.index, self._session.division
        missing_results = (
            sum(len(index.list_open_tables(item.id)) for item in index.list_published_rounds(division.id))
            if division
            else 0
        )
        if missing_results:
            reason = catalogue.plural("One result is missing.", "{n} results are missing.", missing_results)
        else:
            reason = catalogue.text("F7 shows the final standings, F8 prints them.")
        problem, suggestion = (
            catalogue.text("There are no rounds left to pair."),
            suggest_finish_or_more_rounds(catalogue),
        )
        return f"{problem} {reason} {suggestion}"

    def pair_with_assumed_draws(self) -> None:
        division = self._session.division
        if division is not None:
            self._compute_and_save_pairing(list_games_that_can_count_as_draws(self._session.index, division.id))

    def _compute_and_save_pairing(self, assumed_draws: Sequence[GameId]) -> None:
        session, division, index = self._session, self._session.division, self._session.index
        if division is None:
            return
        missing_games = [game for game in assumed_draws if index.get_result(game) is None]
        task = BackgroundTask(session.catalogue.text("Calculating the pairing…"))
        locked_tables = list_locked_pairs(index, division.id)
        call = partial(
            propose_pairings,
            index,
            division.id,
            fixed_pairs=locked_tables,
            assumed=missing_games,
            progress=task.report_progress,
        )
        session.run_in_background(
            call, on_success=self._save_draft_or_publish_evening_round, label=task.label, task=task
        )

    def pair_all_divisions(self) -> None:
        self._session.run_after_desk_work(
            make_callback_for_visible_widget(self._page, self._pair_divisions_in_background)
        )

    def _pair_divisions_in_background(self) -> None:
        session, due = self._session, _list_divisions_to_pair(self._session)
        task = BackgroundTask(session.catalogue.text("Calculating the pairing…"))
        call = partial(_propose_pairing_of_each_division, session.index, due, task.report_progress)
        session.run_in_background(call, on_success=self._save_proposals, label=task.label, task=task)

    def _save_proposals(self, proposals: Sequence[tuple[Division, Proposal | UserError]]) -> None:
        drafts = [(division, proposal) for division, proposal in proposals if isinstance(proposal, Proposal)]
        if drafts and self._session.division not in [division for division, _ in drafts]:
            self._session.choose_division(drafts[0][0].id)
        catalogue, last_draft = self._session.catalogue, drafts[-1][1] if len(drafts) > 1 else None
        codes = ", ".join(division.code for division, _ in drafts)
        report_drafts = partial(
            self._session.show_message, catalogue.text("Drafts made for divisions {divisions}", divisions=codes)
        )
        for _, proposal in drafts:
            self._save_draft_or_publish_evening_round(
                proposal, on_saved=report_drafts if proposal is last_draft else None, quiet=last_draft is not None
            )
        for division, error in proposals:
            if isinstance(error, UserError):
                self._session.show_message(f"{division.code}: {catalogue.describe_error(error)}", tone="red")

    def _save_draft_or_publish_evening_round(
        self, proposal: Proposal, *, on_saved: Callable[[], None] | None = None, quiet: bool = False
    ) -> None:
        save = commands.propose_round
        if self._session.tournament.stages[proposal.stage].evening:  # players of an evening wait for their tables
            save, on_saved = (
                commands.pair_round,
                on_saved or make_callback_for_visible_widget(self._field, self._field.focus_line),
            )
        self._session.do(
            partial(save, key=self._session.make_row_id(), proposal=proposal), on_success=on_saved, quiet=quiet
        )

    def toggle_second_entry(self) -> None:
        self._field.set_second_entry_active(is_active=not self._field.second_entry.is_active)
        self._page.refresh_page()
        self._page.cursor_moved.emit()
        self._field.focus_line()

    def open_print_preview_of_round(self) -> None:
        from tdapp.gui.printouts.preview import PrintPreview  # noqa: PLC0415 - loaded on demand

        number = self._session.round.number if self._session.round else None
        PrintPreview(self._session, "pairings-by-table", round=number, parent=self._page.window()).open()

    def open_bracket_page(self) -> None:
        game = self._selection.game
        self._page.page_requested.emit("bracket", game.id if game else "")

    def open_pairing_recheck_panel(self) -> None:
        self._page.show_panel(PairingRecheckPanel(self._session))

    def open_awarded_points_panel(self) -> None:
        self._page.show_panel(AwardedPointsPanel(self._session))

    def publish_round(self) -> None:
        item, field = self._session.round, self._field
        if item is not None and _ask_to_confirm_shared_tables(self._session, item):
            self._session.do(
                partial(commands.publish_round, round=item.id),
                on_success=make_callback_for_visible_widget(field, field.focus_line),
            )

    def discard_draft(self) -> None:
        item = self._session.round
        if item is not None:
            self._session.do(partial(commands.discard_round, round=item.id))

    def open_seat_correction_dialog(self) -> None:
        item = self._session.round
        if item is not None:
            tables = [game.table for game in self._selection.games if not self._session.index.get_result(game.id)]
            SeatCorrectionDialog(self._session, item, tables, parent=self._page).open()

    def choose_latecomer_to_seat(self, preselected: PlayerId | None = None) -> None:
        item = self._session.round
        if item is not None:
            late_players = _list_unseated_players(self._session.index, item)
            SeatLatecomerDialog(self._session, item.id, late_players, preselected, parent=self._page).open()

    def can_seat_in_running_round(self, player: PlayerId) -> bool:
        item, index = self._session.round, self._session.index
        if item is None or not index.list_open_tables(item.id) or not self._can_seat_latecomer():
            return False
        newest = index.list_published_rounds(index.get_division_of_round(item.id).id)[-1]
        return newest.id == item.id and player in _list_unseated_players(self._session.index, item)

    def offer_seat_in_newest_round(self, player: PlayerId) -> None:
        division, index = self._session.division, self._session.index
        newest = next(reversed(index.list_published_rounds(division.id)), None) if division else None
        if newest is None or player not in _list_unseated_players(self._session.index, newest):
            return
        self._session.choose_round(newest.number)
        if self._can_seat_latecomer():
            self.choose_latecomer_to_seat(player)

    def open_unpublish_dialog(self) -> None:
        item = self._session.round
        if item is not None:
            UnpublishRoundDialog(self._session, item, parent=self._page).open()


def _find_round_to_check_before_pairing(session: Session) -> Round | None:
    division = session.division
    if division is None:
        return None
    return session.desk.get_cached_value(
        ("round to check", division.id), lambda _value: find_round_to_check_before_pairing(session.index, division)
    )


def _list_divisions_to_pair(session: Session) -> list[Division]:
    if not session.is_open or not session.is_editable:
        return []
    return [
        division for division in session.index.divisions if get_round_to_pair(session.desk, division) is not None
    ]


def _list_unseated_players(index: TournamentIndex, item: Round) -> list[PlayerId]:
    seated_players = {player for game in index.games(item.id) for player in (game.first, game.second)}
    seated_players |= {bye.player for bye in index.list_byes_for_lack_of_opponent(item.id)}
    seated_players |= {seat.player for seat in index.seats(item.id)}
    players = index.players(index.get_division_of_round(item.id).id)
    return [player.id for player in players if player.id not in seated_players]


def _is_round_in_knockout(session: Session) -> bool:
    item = session.round
    return item is not None and get_pairing_system(session.tournament.stages[item.stage]).is_knockout


def _can_enter_results(selection: RoundsPageSelection) -> bool:
    return selection.is_published and selection.can_run_commands("enter-result")


def _ask_to_confirm_shared_tables(session: Session, item: Round) -> bool:
    index, catalogue = session.index, session.catalogue
    own_division = index.get_division_of_round(item.id)
    for division in index.divisions:
        for newest in index.list_published_rounds(division.id)[-1:] if division != own_division else ():
            shared = sorted({*index.list_tables(item.id)} & {*index.list_tables(newest.id)})
            if not shared or not index.list_open_tables(newest.id):
                continue
            facts = {"division": own_division.code, "other": division.code, "tables": shared, "n": len(shared)}
            sentence = catalogue.text(
                "{problem}. Press F9 again to publish anyway.",
                problem=catalogue.describe_problem("tables-overlap", facts),
            )
            if not session.ask_to_confirm_by_repetition(("shared tables", own_division.id, division.id), sentence):
                return False
    return True
