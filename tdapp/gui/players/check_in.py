"""The Check-in page, with a trial pairing of the players present."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from time import monotonic

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QProgressBar

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division, PlayerId, RoundState
from tdapp.domain.prizes import compute_fee_totals, has_fees_or_payments
from tdapp.domain.proposal import Proposal
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tables import players
from tdapp.domain.tables.players import CheckInRow, CheckInState, FeeTotalsRow, PlayersByPresence, make_fee_table
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import FormField, MoneyControl
from tdapp.gui.players.presence_keys import CheckInKeyHandler
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit, SearchField
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import LEAD, ROW, SMALL, UNIT, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import describe_fees
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import list_latecomers_who_can_get_table
from tdapp.services import sidebar_counts
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

MAX_NAMES = 12  # missing names in the line above the table
TRIAL_DELAY = 400  # milliseconds between the last tap and a trial pairing
ROW_HEIGHT = UNIT * 6  # for touch screens


class CheckInPage(Page):
    """Check-in of the selected division."""

    id = "check-in"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last_tap = ("", 0.0)  # row and time
        self._round_number: int | None = None
        self._turnout = PlayersByPresence()
        self._tried_tournament: Tournament | None = None  # tournament of the last trial pairing
        self._task = BackgroundTask("")
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            tone=lambda row: "muted" if row.arrival is CheckInState.AWAY else "",
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Check-in"))
        self.view.setFont(make_scaled_font(LEAD))
        self.view.verticalHeader().setDefaultSectionSize(max(ROW_HEIGHT, scale_line_height(ROW)))
        self.view.set_widths({"arrival": 192, "number": 64, "club": 192, "counts_as": 144, "to_pay": 112})
        self.view.hide_columns_if_empty({"club", "counts_as", "to_pay"})
        self.view.hide_columns_if_too_narrow(("counts_as", "club", "number"))
        self.view.clicked.connect(self._toggle_presence_of_tapped_player)
        self.view.selection_changed.connect(self.cursor_moved)
        self.search = SearchField(self.text("Search players"), session.appearance)
        self.search.setMaximumWidth(scale_pixels(UNIT * 60))
        self.search.textChanged.connect(self.view.filter_rows)
        self.view.set_search_hint(session.describe_players_of_other_divisions)
        self.search.returnPressed.connect(self._toggle_found_player_or_focus_list)
        self._keys = CheckInKeyHandler(self.search, self.view, self.toggle_selected_players_presence)
        self._filter: Choice[CheckInState | None] = Choice(self.text("Show"), [], session.appearance)
        self._filter.currentIndexChanged.connect(self._show_player_rows)
        line = fields.make_row(self.search, self._filter, 1)
        line.setStretch(0, 3)
        fields.add_parts_to_layout(self.body, self._make_check_in_summary(), line, self.view, wide=self.view)
        self.setFocusProxy(self.search)
        self._pairing_timer = QTimer(self, singleShot=True, interval=TRIAL_DELAY)
        self._pairing_timer.timeout.connect(self._start_trial_pairing)

    # --- display and actions

    def list_page_actions(self) -> tuple[Action, ...]:
        text, action = self.session.catalogue.text, partial(Action, menu="arrivals")
        return (
            action("set-missing-absent", text("Mark missing players as absent"),
                   self._mark_missing_players_as_absent, "absent", ("Ctrl+Shift+Enter", "Ctrl+Shift+Return"),
                   enabled=self._can_mark_missing_players_as_absent, primary=True,
                   title=self._make_mark_absent_action_title),
            action("take-fee", text("Fee paid"), self._mark_selected_fees_paid, menu="fees",
                   enabled=self._can_mark_selected_fees_paid),
            action("turn-arrival", text("Mark present/missing"), self.toggle_selected_players_presence, "check-in",
                   enabled=lambda: self._can_edit_presence() and bool(self.view.list_selected_keys())),
        )  # fmt: skip

    def refresh_page(self) -> None:
        session, text, division = self.session, self.session.catalogue.text, self.session.division
        self._round_number = players.find_check_in_round(session.index, division) if division is not None else None
        self._turnout = sidebar_counts.group_players_at_check_in(session)
        self._filter.setVisible(self._round_number is not None)
        if division is None or self._round_number is None:
            self.rows.show_table(Table("arrivals", (), ()))
            no_division_text = text("First add a division, under Tournament.")
            all_paired = text("All rounds are paired: no check-in is needed.")
            self.view.set_empty_text(no_division_text if division is None else all_paired)
            self.set_title(text("Check-in"))
            self._card.hide()
            return
        counts = {state: len(getattr(self._turnout, state.value)) for state in CheckInState}
        self.set_title(text("Check-in"))
        self._show_counts_in_filter(counts)
        self._show_player_rows()
        self._show_check_in_counts(counts)

    def get_current_player_id(self) -> PlayerId | None:
        return PlayerId(self.view.get_current_row_key()) or None

    def reveal_row(self, key: str) -> None:
        self.search.clear()
        self._filter.setCurrentIndex(0)
        self.view.select_row(key)

    # --- commands

    def toggle_selected_players_presence(self) -> None:
        """Mark the selected players as present. If all are already present, mark them as missing."""
        self._toggle_players_presence(*self.view.list_selected_keys())

    def _mark_selected_fees_paid(self) -> None:
        players = tuple(map(PlayerId, self.view.list_selected_keys()))
        self.session.do(partial(commands.note_paid, players=players))

    def _can_mark_selected_fees_paid(self) -> bool:
        rows = (
            [self.rows.find_row_by_key(key) for key in self.view.list_selected_keys()]
            if self.session.is_editable
            else []
        )
        return any(row is not None and row.to_pay for row in rows)

    def _mark_missing_players_as_absent(self) -> None:
        self.session.do(self._make_absence_command(self.session.make_row_id()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.search.selectAll()
        self._pairing_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._pairing_timer.stop()
        self._cancel_trial_pairing()

    # --- build

    def _make_check_in_summary(self) -> QFrame:
        self._card = QFrame()
        self._card.setObjectName("card")
        self.count_label = fields.make_label("", "head")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(self.text("Players present"))
        self.missing_label = ElidedLabel()
        self.effect_label = fields.make_label("", "muted", wrap=True, is_announced=True)
        header = fields.make_row(self.count_label, self.effect_label, gap=UNIT * 2, wide=self.effect_label)
        margins = (UNIT * 2, UNIT, UNIT * 2, UNIT + 4)
        self._fees = ElidedLabel()
        status_row = fields.make_row(self.missing_label, self._fees, 1, gap=UNIT * 2)
        self.latecomers_label = fields.make_rich_text_label(is_announced=True)
        self.latecomers_label.linkActivated.connect(partial(self.page_requested.emit, "rounds"))
        parts = (header, self._bar, status_row, self.latecomers_label)
        fields.make_column(*parts, margins=margins, parent=self._card)
        return self._card

    def _show_counts_in_filter(self, counts: dict[CheckInState, int]) -> None:
        text, chosen_filter = self.session.catalogue.text, self._filter.value()
        choices: list[tuple[CheckInState | None, str]] = [
            (None, text(C_("filter: check-in", "Everyone ({n})"), n=sum(counts.values()))),
            (CheckInState.MISSING, text(C_("filter: check-in", "Missing ({n})"), n=counts[CheckInState.MISSING])),
            (CheckInState.PRESENT, text(C_("filter: check-in", "Present ({n})"), n=counts[CheckInState.PRESENT])),
            (
                CheckInState.AWAY,
                text(C_("filter: check-in", "Not in this round ({n})"), n=counts[CheckInState.AWAY]),
            ),
        ]
        self._filter.set_choices(choices, chosen_filter)

    # --- display

    def _show_player_rows(self) -> None:
        division, chosen_filter = self.session.division, self._filter.value()
        if division is None or self._round_number is None:
            return
        table = players.make_check_in_table(self.session.index, division, self._round_number)
        rows = [row for row in table.rows if chosen_filter in {None, row.arrival}]
        catalogue = self.session.catalogue
        no_players_text = catalogue.text("No players yet.\nAdd them or import a list under Players (Ctrl+1).")
        self.view.set_empty_text(catalogue.text("No players.") if table.rows else no_players_text)
        rows.sort(key=lambda row: self.session.make_sort_key(row.name))
        self.rows.show_table(Table(table.id, table.columns, tuple(rows)))

    def _show_check_in_counts(self, counts: dict[CheckInState, int]) -> None:
        catalogue, number = self.session.catalogue, self._round_number
        present, missing = counts[CheckInState.PRESENT], counts[CheckInState.MISSING]
        self._card.setVisible(bool(present + missing))
        is_used = self._turnout.has_check_ins
        unused_text = catalogue.text("No player is checked in")
        tally = catalogue.text("{here} of {all} are here", here=present, all=present + missing)
        self.count_label.setText(tally if is_used else unused_text)
        self._bar.setMaximum(max(present + missing, 1))
        self._bar.setValue(present)
        self.missing_label.set_full_text(self._describe_missing_players())
        self._show_fee_totals()
        self._show_links_to_seat_latecomers()
        playing_count = present if is_used else present + missing
        bye_text = catalogue.text("one of them gets a bye") if playing_count % 2 else catalogue.text("no byes")
        facts = {
            "round": number,
            "players": catalogue.plural("{n} player", "{n} players", playing_count),
            "odd": bye_text,
        }
        text_without_missing = catalogue.text(
            "With only the players present, round {round} has {players} and {odd}.", **facts
        )
        text_with_all = catalogue.text("Round {round} has {players} and {odd}.", **facts)
        self.effect_label.setText(text_without_missing if is_used and missing else text_with_all)
        if self.session.tournament is not self._tried_tournament:
            self._cancel_trial_pairing()
            if self.isVisible():
                self._pairing_timer.start()

    def _show_fee_totals(self) -> None:
        session, division = self.session, self.session.division
        shows_fees = division is not None and has_fees_or_payments(session.index, division.id)
        self._fees.setVisible(shows_fees)
        if division is not None and shows_fees:
            totals = compute_fee_totals(session.index, [division.id])
            self._fees.set_full_text(describe_fees(session.catalogue, session.tournament.event, totals))

    def _show_links_to_seat_latecomers(self) -> None:
        session, division = self.session, self.session.division
        last_rounds = (
            session.index.list_published_rounds(division.id)[-1:] if division and session.is_editable else ()
        )
        links = [
            f'<a href="{player}">{escape(map_players_with_distinct_names(session.index)[player].name)}</a>'
            for item in last_rounds
            for player in list_latecomers_who_can_get_table(session.index, item)
        ]
        self.latecomers_label.setVisible(bool(links))
        if links:
            sentence = session.catalogue.text(
                "Click a name to seat a latecomer in round {round}: {names}",
                round=last_rounds[0].number,
                names=" · ".join(links),
            )
            self.latecomers_label.setText(sentence)

    def _describe_missing_players(self) -> str:
        catalogue, players = self.session.catalogue, map_players_with_distinct_names(self.session.index)
        if not self._turnout.has_check_ins:
            return catalogue.text("Check-in is not in use: F6 pairs all players except those marked as absent.")
        names = sorted((players[player].name for player in self._turnout.missing), key=self.session.make_sort_key)
        if not names:
            return catalogue.text("No player is missing.")
        max_names = MAX_NAMES * SMALL // scale_pixels(SMALL)
        shown_names, hidden_names = names[:max_names], names[max_names:]
        if hidden_names:
            shown_names.append(catalogue.text(C_("shortened list", "{n} more"), n=len(hidden_names)))
        return catalogue.text("Missing: {names}", names=" · ".join(shown_names))

    # --- trial pairing

    def _start_trial_pairing(self) -> None:
        division = self.session.division
        if division is None or self._round_number is None or not self.isVisible():
            return
        self._cancel_trial_pairing()
        self._tried_tournament = self.session.tournament
        try:
            tournament = (
                self._make_absence_command("tried")(self._tried_tournament)
                if self._is_check_in_unfinished
                else self._tried_tournament
            )
        except UserError:  # a finished tournament cannot be paired
            return
        task = self._task = BackgroundTask(self.text("Calculating the pairing…"))
        call = partial(propose_pairings, TournamentIndex(tournament), division.id, progress=task.report_progress)
        show_pairing = make_callback_unless_deleted(self, self._show_trial_pairing_summary)
        show_error = make_callback_unless_deleted(self, self._show_trial_pairing_error)
        self.session.run_in_background(
            call, on_success=show_pairing, label=task.label, on_error=show_error, task=task
        )

    def _show_trial_pairing_summary(self, proposal: Proposal) -> None:
        if self.session.tournament is not self._tried_tournament:
            return
        catalogue, players = self.session.catalogue, map_players_with_distinct_names(self.session.index)
        byes = [players[bye.player].name for bye in proposal.byes if bye.kind is ByeKind.BYE]
        playing_count = 2 * len(proposal.games) + len(byes)
        parts = [catalogue.plural("{n} player", "{n} players", playing_count)]
        parts.append(catalogue.plural("{n} table", "{n} tables", len(proposal.games)))
        parts += [catalogue.text("bye: {player}", player=name) for name in byes] or [
            catalogue.text(C_("pairing", "no bye"))
        ]
        facts = {"round": proposal.number, "what": ", ".join(parts)}
        text_without_missing = catalogue.text(
            "Round {round}, if only the players present are paired: {what}.", **facts
        )
        text_with_all = catalogue.text("Round {round}, if paired now: {what}.", **facts)
        message = text_without_missing if self._is_check_in_unfinished else text_with_all
        hint = (
            catalogue.plural(
                "F6 also pairs the missing player unless you mark this player as absent.",
                "F6 also pairs the missing players unless you mark them as absent.",
                len(self._turnout.missing),
            )
            if self._is_check_in_unfinished
            else ""
        )
        self.effect_label.setText(" ".join(filter(None, (message, hint, self._make_hint_to_pair_draft_again()))))

    @property
    def _is_check_in_unfinished(self) -> bool:
        return self._turnout.has_check_ins and bool(self._turnout.missing)

    def _make_hint_to_pair_draft_again(self) -> str:
        session, division = self.session, self.session.division
        items = session.index.rounds(division.id) if division else ()
        if not items or items[-1].state is not RoundState.DRAFT:
            return ""
        return session.catalogue.text(
            "This round already has a draft. Pair it again to take account of who is here now."
        )

    def _show_trial_pairing_error(self, error: Exception) -> None:
        self.effect_label.setText(self.session.catalogue.describe_error(get_user_error_or_raise(error)))

    def _cancel_trial_pairing(self) -> None:
        self._task.cancel_work()
        self._tried_tournament = None

    def _make_absence_command(self, new_key: str) -> partial[Tournament]:
        missing = self._turnout.missing
        return partial(commands.miss_round, key=new_key, players=missing, round_number=self._round_number or 1)

    # --- names and taps

    def _toggle_found_player_or_focus_list(self) -> None:
        query, keys = self.search.text().strip(), self.rows.keys()
        number_matches = [key for key in keys if query == str(self.rows.find_row_by_key(key).number)]
        matches = number_matches or self._list_name_match_if_unique(query, keys) or keys
        self.search.selectAll()  # the next name must replace this one, found or not
        if len(matches) == 1 and query:
            self._toggle_players_presence(matches[0])
        elif keys:
            self._keys.focus_list(replaceable_text=self.search.text())

    def _list_name_match_if_unique(self, query: str, keys: Sequence[str]) -> list[str]:
        matches = [
            key for key in keys if fold_text(self.rows.find_row_by_key(key).name).startswith(fold_text(query))
        ]
        return matches if len(matches) == 1 and " " in fold_text(query) else []

    def _toggle_presence_of_tapped_player(self, index: QModelIndex) -> None:
        key, time = self.rows.keys()[index.row()], monotonic()
        last_key, last_time = self._last_tap
        self._last_tap = (key, time)
        if key == last_key and (time - last_time) * 1000 < QApplication.doubleClickInterval():
            return
        self._toggle_players_presence(key)

    def _toggle_players_presence(self, *keys: str) -> None:
        rows: list[CheckInRow] = [self.rows.find_row_by_key(key) for key in keys]
        if rows and self._can_edit_presence():
            players = tuple(PlayerId(row.key) for row in rows)
            is_present = any(row.arrival is not CheckInState.PRESENT for row in rows)
            self.session.do(partial(commands.check_in, players=players, present=is_present))

    # --- conditions

    def _can_edit_presence(self) -> bool:
        return self.session.division is not None and self.session.can_check_in_players

    def _can_mark_missing_players_as_absent(self) -> bool:
        can_edit = self._can_edit_presence() and self.session.is_editable
        return can_edit and bool(sidebar_counts.count_missing_players(self.session))

    def _make_mark_absent_action_title(self) -> str:
        catalogue, division = self.session.catalogue, self.session.division
        missing = sidebar_counts.count_missing_players(self.session)
        number = players.find_check_in_round(self.session.index, division) if division is not None else None
        if not missing or number is None:
            return catalogue.text("Mark missing players as absent")
        return catalogue.plural(
            "Mark the missing player as absent in round {round} only",
            "Mark the {n} missing players as absent in round {round} only",
            missing,
            round=number,
        )


class FeesPanel(RowEditorPanel):
    """The entry fees of the division, with the totals of the division and of the tournament."""

    topic = "check-in"

    def __init__(self, session: Session) -> None:
        catalogue = session.catalogue
        text, money = catalogue.text, catalogue.format_money
        super().__init__(session, text("Entry fees"), width=UNIT * 53)
        self.currency = LineEdit(catalogue.heading("currency"), placeholder="EUR")
        self.currency.setMaximumWidth(UNIT * 12)
        self.currency.editingFinished.connect(self._save_currency)
        self.totals_label = fields.make_label("", "lead", wrap=True)
        note = text("A category can have a different fee. Fees are not public.")
        fields.add_parts_to_layout(
            self.body, self.totals_label, FormLayout(self.currency), fields.make_note_label(note)
        )
        listing = RowEditorListDeclaration(
            name=text("Entry fees"),
            table=partial(self.make_table_of_selected_division, make_fee_table),
            widths={"category": 0, "amount": 88, "fee_players": 72, "paid": 88},
            empty_text=text("No fees yet.\nType the fee for everyone below and press Enter."),
            column_texts={"category": self._describe_payer_category, "amount": lambda row: money(row.amount)},
            edit_texts={"category": lambda row: row.category, "amount": lambda row: money(row.amount)},
            editable_columns={"category": "category", "amount": "amount"},
        )
        self.set_editor(
            RowEditor(
                session,
                fields=[
                    FormField(
                        name="category",
                        label=catalogue.heading("category"),
                        hint=text(C_("entry fee", "Empty: everyone else")),
                    ),
                    FormField(name="amount", label=catalogue.heading("fee"), control=MoneyControl,
                              hint=money(1500)),
                ],
                listing=listing,
                command=commands.add_fee,
                edit=commands.edit_fee,
                remove=commands.remove_fee,
                error_fields={"": "amount", "fee-twice": "category"},
                focus_when_adding="amount",
            )
        )  # fmt: skip

    def refresh_widgets_outside_editor(self, division: Division) -> None:
        session = self.session
        self.currency.setEnabled(session.is_editable)
        if not self.currency.hasFocus():
            self.currency.setText(session.tournament.event.currency)
        division_totals = compute_fee_totals(session.index, [division.id])
        all_totals = compute_fee_totals(session.index, [item.id for item in session.index.divisions])
        shown_totals = [division_totals] if all_totals == division_totals else [division_totals, all_totals]
        lines = [describe_fees(session.catalogue, session.tournament.event, totals) for totals in shown_totals]
        self.totals_label.setText(
            "\n".join(lines[:1] + [f"{self.text('All divisions')}: {line}" for line in lines[1:]])
        )

    def _describe_payer_category(self, row: FeeTotalsRow) -> str:
        return row.category or self.text(C_("entry fee", "Everyone"))

    def _save_currency(self) -> None:
        session, currency = self.session, self.currency.text().strip()
        if session.is_open and currency != session.tournament.event.currency:
            session.do(partial(commands.edit_event, currency=currency), field=self.currency)
