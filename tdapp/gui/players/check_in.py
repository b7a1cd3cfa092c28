"""The Check-in page, with a trial pairing of the players present."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import monotonic

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QProgressBar

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Division, PlayerId, RoundState
from tdapp.domain.prizes import compute_fee_totals, has_fees
from tdapp.domain.proposal import Proposal
from tdapp.domain.tables import players
from tdapp.domain.tables.players import ArrivalRow, CheckInState, FeeRow, Turnout, make_fee_table
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import Editor, EditorListDeclaration, EditorPanel
from tdapp.gui.editor.fields import FormField, MoneyControl
from tdapp.gui.players.presence_keys import ListToggleKeys
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, run_if_alive
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form, LineEdit, SearchField
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import LEAD, ROW, SMALL, UNIT, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import describe_fees
from tdapp.pairing import propose_pairings
from tdapp.services import sidebar_counts
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

MOST_NAMES = 12  # missing names in the line above the table
PAUSE = 400  # milliseconds between the last tap and a trial pairing
HIGH = UNIT * 6  # row height for touch screens


class CheckInPage(Page):
    """Check-in of the selected division."""

    id = "check-in"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._tapped = ("", 0.0)  # row and time of the last tap
        self._number: int | None = None
        self._turnout = Turnout()
        self._tried: Tournament | None = None  # the value of the last trial pairing
        self._task = BackgroundTask("")
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            tone=lambda row: "muted" if row.arrival is CheckInState.AWAY else "",
        )
        self.view = TableView(self.rows, look=session.look, name=self.text("Check-in"))
        self.view.setFont(make_scaled_font(LEAD))
        self.view.verticalHeader().setDefaultSectionSize(max(HIGH, scale_line_height(ROW)))
        self.view.set_widths({"arrival": 192, "number": 64, "club": 192, "counts_as": 144, "to_pay": 112})
        self.view.hide_columns_if_empty({"club", "counts_as", "to_pay"})
        self.view.hide_columns_if_too_narrow(("counts_as", "club", "number"))
        self.view.clicked.connect(self._handle_tap)
        self.view.selection_changed.connect(self.cursor_moved)
        self.search = SearchField(self.text("Search players"), session.look)
        self.search.setMaximumWidth(scale_pixels(UNIT * 60))
        self.search.textChanged.connect(self.view.filter_rows)
        self.view.set_search_hint(session.describe_players_of_other_divisions)
        self.search.returnPressed.connect(self._check_in_searched_player)
        self._keys = ListToggleKeys(self.search, self.view, self.toggle_presence)
        self._which: Choice[CheckInState | None] = Choice(self.text("Show"), [], session.look)
        self._which.currentIndexChanged.connect(self._show_rows)
        line = fields.row(self.search, self._which, 1)
        line.setStretch(0, 3)
        fields.fill_layout(self.body, self._build_summary(), line, self.view, wide=self.view)
        self.setFocusProxy(self.search)
        self._later = QTimer(self, singleShot=True, interval=PAUSE)
        self._later.timeout.connect(self._start_trial_pairing)

    # --- display and actions

    def list_page_actions(self) -> tuple[Action, ...]:
        text, row = self.session.catalogue.text, partial(Action, menu="arrivals")
        return (
            row("set-missing-absent", text("Mark missing players as absent"), self._mark_missing_as_absent,
                "absent",
                ("Ctrl+Shift+Enter", "Ctrl+Shift+Return"), enabled=self._can_mark_missing_as_absent, primary=True,
                title=self._make_absent_action_title),
            row("take-fee", text("Fee paid"), self._record_paid_fee, menu="fees", enabled=self._can_record_fee),
            row("turn-arrival", text("Present or missing"), self.toggle_presence, "check-in",
                enabled=lambda: self._can_record_presence() and bool(self.view.list_selected_keys())),
        )  # fmt: skip

    def refresh_page(self) -> None:
        session, text, division = self.session, self.session.catalogue.text, self.session.division
        self._number = players.find_check_in_round(session.index, division) if division is not None else None
        self._turnout = sidebar_counts.count_turnout(session)
        self._which.setVisible(self._number is not None)
        if division is None or self._number is None:
            self.rows.show_table(Table("arrivals", (), ()))
            none = text("First add a division, under Tournament.")
            all_paired = text("All rounds are paired: no check-in is needed.")
            self.view.set_empty_text(none if division is None else all_paired)
            self.set_title(text("Check-in"))
            self._card.hide()
            return
        found = {one: len(getattr(self._turnout, one.value)) for one in CheckInState}
        self.set_title(text("Check-in"))
        self._update_filter_choices(found)
        self._show_rows()
        self._show_summary(found)

    def current_player(self) -> PlayerId | None:
        return PlayerId(self.view.current_key()) or None

    def reveal_row(self, key: str) -> None:
        self.search.clear()
        self._which.setCurrentIndex(0)
        self.view.choose(key)

    # --- commands

    def toggle_presence(self) -> None:
        """Mark the selected players as present, or as missing if all are present."""
        self._toggle_players_presence(*self.view.list_selected_keys())

    def _record_paid_fee(self) -> None:
        players = tuple(map(PlayerId, self.view.list_selected_keys()))
        self.session.do(partial(commands.note_paid, players=players))

    def _can_record_fee(self) -> bool:
        rows = [self.rows.row(key) for key in self.view.list_selected_keys()] if self.session.is_editable else []
        return any(row is not None and row.to_pay for row in rows)

    def _mark_missing_as_absent(self) -> None:
        self.session.do(self._make_absence_command(self.session.make_row_id()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.search.selectAll()
        self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()
        self._cancel_trial_pairing()

    # --- build

    def _build_summary(self) -> QFrame:
        self._card = QFrame()
        self._card.setObjectName("card")
        self.tally = fields.label("", "head")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(self.text("Players present"))
        self.missing = ElidedLabel()
        self.effect = fields.label("", "muted", wrap=True, is_spoken=True)
        head = fields.row(self.tally, self.effect, gap=UNIT * 2, wide=self.effect)
        around = (UNIT * 2, UNIT, UNIT * 2, UNIT + 4)
        self._fees = ElidedLabel()
        told = fields.row(self.missing, self._fees, 1, gap=UNIT * 2)
        fields.column(head, self._bar, told, margins=around, parent=self._card)
        return self._card

    def _update_filter_choices(self, counts: dict[CheckInState, int]) -> None:
        text, chosen = self.session.catalogue.text, self._which.value()
        offered: list[tuple[CheckInState | None, str]] = [
            (None, text(C_("filter: check-in", "Everybody ({n})"), n=sum(counts.values()))),
            (CheckInState.MISSING, text(C_("filter: check-in", "Missing ({n})"), n=counts[CheckInState.MISSING])),
            (CheckInState.PRESENT, text(C_("filter: check-in", "Present ({n})"), n=counts[CheckInState.PRESENT])),
            (
                CheckInState.AWAY,
                text(C_("filter: check-in", "Not in this round ({n})"), n=counts[CheckInState.AWAY]),
            ),
        ]
        self._which.set_choices(offered, chosen)

    # --- display

    def _show_rows(self) -> None:
        division, wanted = self.session.division, self._which.value()
        if division is None or self._number is None:
            return
        table = players.make_arrival_table(self.session.index, division, self._number)
        kept = [row for row in table.rows if wanted in {None, row.arrival}]
        catalogue = self.session.catalogue
        nobody = catalogue.text("No players yet.\nAdd them or import a list under Players (Ctrl+1).")
        self.view.set_empty_text(catalogue.text("No players.") if table.rows else nobody)
        kept.sort(key=lambda row: self.session.make_sort_key(row.name))
        self.rows.show_table(Table(table.id, table.columns, tuple(kept)))

    def _show_summary(self, counts: dict[CheckInState, int]) -> None:
        catalogue, number = self.session.catalogue, self._number
        here, missing = counts[CheckInState.PRESENT], counts[CheckInState.MISSING]
        self._card.setVisible(bool(here + missing))
        used = self._turnout.has_check_ins
        unused = catalogue.text("No player is checked in")
        tally = catalogue.text("{here} of {all} are here", here=here, all=here + missing)
        self.tally.setText(tally if used else unused)
        self._bar.setMaximum(max(here + missing, 1))
        self._bar.setValue(here)
        self.missing.set_full_text(self._describe_missing_players())
        self._show_fees()
        playing = here if used else here + missing
        odd = catalogue.text("one of them gets a bye") if playing % 2 else catalogue.text("no byes")
        facts = {"round": number, "players": catalogue.plural("{n} player", "{n} players", playing), "odd": odd}
        without = catalogue.text("Without the missing players, round {round} has {players} and {odd}.", **facts)
        everybody = catalogue.text("Round {round} has {players} and {odd}.", **facts)
        self.effect.setText(without if used and missing else everybody)
        if self.session.tournament is not self._tried:
            self._cancel_trial_pairing()
            if self.isVisible():
                self._later.start()

    def _show_fees(self) -> None:
        session, division = self.session, self.session.division
        used = division is not None and has_fees(session.index, division.id)
        self._fees.setVisible(used)
        if division is not None and used:
            totals = compute_fee_totals(session.index, [division.id])
            self._fees.set_full_text(describe_fees(session.catalogue, session.tournament.event, totals))

    def _describe_missing_players(self) -> str:
        catalogue, players = self.session.catalogue, self.session.tournament.players
        if not self._turnout.has_check_ins:
            return catalogue.text("Check-in is not in use: F6 pairs all players except absent ones.")
        names = sorted((players[one].name for one in self._turnout.missing), key=self.session.make_sort_key)
        if not names:
            return catalogue.text("No player is missing.")
        most = MOST_NAMES * SMALL // scale_pixels(SMALL)
        shown, more = names[:most], names[most:]
        if more:
            shown.append(catalogue.text(C_("shortened list", "{n} more"), n=len(more)))
        return catalogue.text("Missing: {names}", names=" · ".join(shown))

    # --- trial pairing

    def _start_trial_pairing(self) -> None:
        division = self.session.division
        if division is None or self._number is None or not self.isVisible():
            return
        self._cancel_trial_pairing()
        self._tried = self.session.tournament
        try:
            without = (
                self._make_absence_command("tried")(self._tried) if self._is_turnout_incomplete else self._tried
            )
        except UserError:  # a finished tournament cannot be paired
            return
        task = self._task = BackgroundTask(self.text("Calculating the pairing…"))
        call = partial(propose_pairings, Index(without), division.id, tick=task.report_progress)
        shown, failed = run_if_alive(self, self._show_trial_pairing), run_if_alive(self, self._show_trial_error)
        self.session.run_in_background(call, on_success=shown, label=task.label, on_error=failed, task=task)

    def _show_trial_pairing(self, proposal: Proposal) -> None:
        if self.session.tournament is not self._tried:
            return
        catalogue, players = self.session.catalogue, self.session.tournament.players
        byes = [players[one.player].name for one in proposal.byes if one.kind is ByeKind.BYE]
        playing = 2 * len(proposal.games) + len(byes)
        parts = [catalogue.plural("{n} player", "{n} players", playing)]
        parts.append(catalogue.plural("{n} table", "{n} tables", len(proposal.games)))
        parts += [catalogue.text("bye: {player}", player=name) for name in byes] or [
            catalogue.text(C_("pairing", "no bye"))
        ]
        facts = {"round": proposal.number, "what": ", ".join(parts)}
        without = catalogue.text("Round {round}, if paired without the missing players: {what}.", **facts)
        everybody = catalogue.text("Round {round}, if paired now: {what}.", **facts)
        message = without if self._is_turnout_incomplete else everybody
        until = (
            catalogue.text("F6 also pairs the missing players unless you mark them as absent.")
            if self._is_turnout_incomplete
            else ""
        )
        self.effect.setText(" ".join(filter(None, (message, until, self._describe_existing_draft()))))

    @property
    def _is_turnout_incomplete(self) -> bool:
        return self._turnout.has_check_ins and bool(self._turnout.missing)

    def _describe_existing_draft(self) -> str:
        session, division = self.session, self.session.division
        items = session.index.rounds(division.id) if division else ()
        if not items or items[-1].state is not RoundState.DRAFT:
            return ""
        return session.catalogue.text(
            "A draft of this round exists. Pair it again to include the players now present."
        )

    def _show_trial_error(self, error: Exception) -> None:
        self.effect.setText(self.session.catalogue.error(get_user_error_or_raise(error)))

    def _cancel_trial_pairing(self) -> None:
        self._task.cancel_work()
        self._tried = None

    def _make_absence_command(self, key: str) -> partial[Tournament]:
        missing = self._turnout.missing
        return partial(commands.miss_round, key=key, players=missing, round_number=self._number or 1)

    # --- names and taps

    def _check_in_searched_player(self) -> None:
        typed, found = self.search.text().strip(), self.rows.keys()
        numbered = [key for key in found if typed == str(self.rows.row(key).number)]
        only = numbered or self._list_only_name_match(typed, found) or found
        self.search.selectAll()  # the next name must replace this one, found or not
        if len(only) == 1 and typed:
            self._toggle_players_presence(only[0])
        elif found:
            self._keys.focus_list()

    def _list_only_name_match(self, typed: str, keys: Sequence[str]) -> list[str]:
        begun = [key for key in keys if fold_text(self.rows.row(key).name).startswith(fold_text(typed))]
        return begun if len(begun) == 1 and " " in fold_text(typed) else []

    def _handle_tap(self, index: QModelIndex) -> None:
        key, now = self.rows.keys()[index.row()], monotonic()
        before, at = self._tapped
        self._tapped = (key, now)
        if key == before and (now - at) * 1000 < QApplication.doubleClickInterval():
            return
        self._toggle_players_presence(key)

    def _toggle_players_presence(self, *keys: str) -> None:
        rows: list[ArrivalRow] = [self.rows.row(key) for key in keys]
        if rows and self._can_record_presence():
            players = tuple(PlayerId(row.key) for row in rows)
            there = any(row.arrival is not CheckInState.PRESENT for row in rows)
            self.session.do(partial(commands.check_in, players=players, present=there))

    # --- conditions

    def _can_record_presence(self) -> bool:
        return self.session.division is not None and self.session.can_check_in

    def _can_mark_missing_as_absent(self) -> bool:
        may = self._can_record_presence() and self.session.is_editable
        return may and bool(sidebar_counts.count_missing_players(self.session))

    def _make_absent_action_title(self) -> str:
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


class FeesPanel(EditorPanel):
    """The entry fees of the division, with the totals of the division and of the tournament."""

    topic = "check-in"

    def __init__(self, session: Session) -> None:
        catalogue = session.catalogue
        text, money = catalogue.text, catalogue.format_money
        super().__init__(session, text("Entry fees"), width=UNIT * 53)
        self.currency = LineEdit(catalogue.heading("currency"), placeholder="EUR")
        self.currency.setMaximumWidth(UNIT * 12)
        self.currency.editingFinished.connect(self._save_currency)
        self.sums = fields.label("", "lead", wrap=True)
        note = text("A category can have a different fee. Fees are not public.")
        fields.fill_layout(self.body, self.sums, Form(self.currency), fields.note(note))
        listing = EditorListDeclaration(
            name=text("Entry fees"),
            table=partial(self.make_division_table, make_fee_table),
            widths={"category": 0, "amount": 88, "fee_players": 72, "paid": 88},
            empty_text=text("No fees yet.\nType below what everybody pays and press Enter."),
            column_texts={"category": self._name_payers, "amount": lambda row: money(row.amount)},
            edit_texts={"category": lambda row: row.category, "amount": lambda row: money(row.amount)},
            editable_columns={"category": "category", "amount": "amount"},
        )
        self.set_editor(
            Editor(
                session,
                fields=[
                    FormField(
                        name="category",
                        label=catalogue.heading("category"),
                        hint=text(C_("entry fee", "Leave empty for all other players")),
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

    def refresh_other_widgets(self, division: Division) -> None:
        session = self.session
        self.currency.setEnabled(session.is_editable)
        if not self.currency.hasFocus():
            self.currency.setText(session.tournament.event.currency)
        own = compute_fee_totals(session.index, [division.id])
        every = compute_fee_totals(session.index, [one.id for one in session.index.divisions])
        sums = [own] if every == own else [own, every]
        lines = [describe_fees(session.catalogue, session.tournament.event, one) for one in sums]
        self.sums.setText("\n".join(lines[:1] + [f"{self.text('All divisions')}: {one}" for one in lines[1:]]))

    def _name_payers(self, row: FeeRow) -> str:
        return row.category or self.text(C_("entry fee", "Everybody"))

    def _save_currency(self) -> None:
        session, typed = self.session, self.currency.text().strip()
        if session.is_open and typed != session.tournament.event.currency:
            session.do(partial(commands.edit_event, currency=typed), field=self.currency)
