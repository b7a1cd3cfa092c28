"""The Evening page of a club: the list of members, and a field to check members in."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QFrame

from tdapp.domain import commands
from tdapp.domain.model import PlayerId, Round, Stage, StageId
from tdapp.domain.proposal import Proposal
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ruleset import USUAL_TABLE_SIZE
from tdapp.domain.stages import find_running_evening
from tdapp.domain.tables.evenings import MemberPresence, MemberRow, get_date_of_current_evening, make_member_table
from tdapp.domain.tables.players import find_unfinished_round
from tdapp.domain.tables.table import Table
from tdapp.gui.players.presence_keys import CheckInKeyHandler
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.problems_panel import confirm_pairing_despite_missing_results
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit, SearchField
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import LEAD, ROW, UNIT, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import format_evening_name, format_knockout_or_evening_round
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import (
    find_group_table_for_latecomer,
    find_round_and_seatable_latecomer,
    seat_latecomer,
)
from tdapp.services.worker import BackgroundTask

ROW_HEIGHT = UNIT * 5


class MemberSearchField(SearchField):
    """The search field for members. A typed name counts as unsaved text."""

    @property
    def has_unsaved_text(self) -> bool:
        return self.isModified() and bool(self.text().strip())


class ClubEveningPage(Page):
    """The club evening of the selected division."""

    id = "evening"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.get_time: Callable[[], datetime] = datetime.now
        self._continued_stage_id: StageId | None = None  # continued evening of another day
        self._new_name = ""  # new name that waits for a second Enter
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            tone=lambda row: "" if row.state is MemberPresence.HERE else "muted",
            shown_texts={"last_evening": lambda row: session.catalogue.format_date(row.last_date)},
        )
        self.rows.strong = lambda row, _column: row.state is MemberPresence.HERE
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Members"))
        self.view.verticalHeader().setDefaultSectionSize(max(ROW_HEIGHT, scale_line_height(ROW)))
        self.view.set_widths(
            {
                "tonight": 112,
                "number": 56,
                "member": 88,
                "evenings": 88,
                "last_evening": 168,
                "games_tonight": 128,
            },
            stretch=("name",),
        )
        self.view.hide_columns_if_too_narrow(("games_tonight", "last_evening", "number", "member"))
        self.view.clicked.connect(self._toggle_clicked_presence_cell)
        self.view.selection_changed.connect(self.cursor_moved)
        self.search = MemberSearchField(self.text("Who is here?"), session.appearance)
        self.search.setFont(make_scaled_font(LEAD))
        self.search.textChanged.connect(self.view.filter_rows)
        self.search.textChanged.connect(self._cancel_proposed_new_member)
        self.search.returnPressed.connect(self._toggle_presence_or_add_typed_member)
        self._keys = CheckInKeyHandler(self.search, self.view, self._toggle_presence_of_current_member)
        self.status = fields.make_label("", "muted", wrap=True, is_announced=True)
        frames = (self._build_evening_start_frame(), self._build_member_frame())
        fields.add_parts_to_layout(self.body, *frames, self.view, wide=self.view)
        session.opened.connect(self._reset_for_opened_tournament)
        self.setFocusProxy(self.search)

    def _build_evening_start_frame(self) -> QFrame:
        text = self.session.catalogue.text
        self._begin_card = QFrame()
        self._begin_card.setObjectName("card")
        self._last_evening_label = fields.make_label("", "lead")
        self.date = LineEdit(text("Date"))
        self.date.setMaximumWidth(scale_pixels(UNIT * 16))
        self.name = LineEdit(text("Name"), placeholder=text("Name of the evening (optional)"))
        for field in (self.date, self.name):
            field.returnPressed.connect(self.begin_evening)
        parts = (fields.make_label(text("Date")), self.date, self.name, 1)
        note = fields.make_note_label(
            text("Press Enter to begin. Then check in the members who are here. F6 pairs the first game.")
        )
        margins = (UNIT * 2,) * 4
        fields.make_column(
            self._last_evening_label, fields.make_row(*parts), note, margins=margins, parent=self._begin_card
        )
        return self._begin_card

    def _build_member_frame(self) -> QFrame:
        self._field_card = QFrame()
        self._field_card.setObjectName("card")
        self.count_label = fields.make_label("", "head")
        line = fields.make_row(self.search, self.count_label, gap=UNIT * 2)
        line.setStretch(0, 1)
        fields.make_column(line, self.status, margins=(UNIT * 2,) * 4, parent=self._field_card)
        return self._field_card

    # --- display and actions

    def list_page_actions(self) -> tuple[Action, ...]:
        text, action = self.session.catalogue.text, partial(Action, menu="arrivals", vanishes=True)
        return (
            action("begin-evening", text("Begin the evening"), self.begin_evening, "new",
                enabled=self._can_begin_evening, primary=True),
            action("go-on", text("Continue the last evening"), self.continue_last_evening, "return",
                enabled=self._can_continue_evening, header=True),
            action("all-here", text("Check in everyone from the last evening"),
                self.check_in_last_evening_members, "check-in", ("Ctrl+Shift+Enter", "Ctrl+Shift+Return"),
                enabled=self._can_check_in_last_evening_members, header=True),
            action("end-evening", text("End the evening"), self.end_evening, "finish",
                enabled=self._can_end_evening, header=True),
            action("pair-game", text("Pair the next game"), self.pair_next_evening_round, "pair", "F6",
                enabled=self._can_edit_current_evening, primary=True, title=self._make_next_pairing_action_title,
                menu=""),
            action("seat-now", text("Seat the latecomer now"), self.seat_latecomer, "add", "Shift+F6",
                enabled=lambda: self._can_edit_current_evening() and self._find_seatable_latecomer() is not None,
                header=True, title=self._make_seat_latecomer_action_title),
        )  # fmt: skip

    def refresh_page(self) -> None:
        text, division, stage = self.session.catalogue.text, self.session.division, self._find_current_evening()
        table = make_member_table(self.session.index, division.id, stage) if division else Table("members", (), ())
        self.rows.show_table(table)
        self.set_title(text("Evening"), format_evening_name(self.session.catalogue, stage) if stage else "")
        no_members_text = text(
            "No members yet.\n"
            "Type a name and press Enter twice, or import a list of members under Players (Ctrl+1)."
        )
        self.view.set_empty_text(no_members_text if not table.rows else text("No member has this name."))
        self._begin_card.setVisible(self._can_begin_evening())
        self._field_card.setVisible(self._can_check_in())
        self.setFocusProxy(self.search if stage is not None else self.date)
        present_count = sum(row.state is MemberPresence.HERE for row in table.rows)
        self.count_label.setText(
            self.session.catalogue.plural("{n} member is here", "{n} members are here", present_count)
        )
        self._refresh_evening_start_frame()
        if not self._new_name:
            self.status.setText(self._suggest_next_step(present_count))

    def get_current_player_id(self) -> PlayerId | None:
        return PlayerId(self.view.get_current_row_key()) or None

    def reveal_row(self, key: str) -> None:
        self._clear_member_field()
        self.view.select_row(key)

    def _refresh_evening_start_frame(self) -> None:
        catalogue, division = self.session.catalogue, self.session.division
        stages = self.session.index.stages(division.id) if division else ()
        last = next((stage for stage in reversed(stages) if stage.evening), None)
        text = catalogue.text("This is the club’s first evening.")
        if last is not None:
            text = catalogue.text("The last evening was {evening}.", evening=format_evening_name(catalogue, last))
        self._last_evening_label.setText(text)
        self._suggest_evening_date()

    def _suggest_evening_date(self) -> None:
        if not self.date.isModified():
            self.date.setText(self.session.catalogue.format_short_date(self._compute_tonights_date(), "yMd"))

    def _suggest_next_step(self, present_count: int) -> str:
        text, latecomer = self.session.catalogue.text, self._find_seatable_latecomer()
        if latecomer is not None:
            return _explain_how_to_seat_latecomer(self.session, *latecomer)
        if present_count < 2:  # noqa: PLR2004
            return text(
                "Type part of a name, or a number, and press Enter to check the member in. Press Enter again "
                "to undo it."
            )
        return text("F6 pairs the next game, F5 enters results, F7 shows tonight’s standings.")

    # --- commands

    def begin_evening(self) -> None:
        division = self.session.division
        if division is None or not self._can_begin_evening():
            return
        self._suggest_evening_date()  # the page may never have been shown
        index = self.session.index
        unplayed_count = index.count_planned_rounds(division.id) - len(index.list_published_rounds(division.id))
        key = self.session.make_row_id()
        command = partial(
            commands.begin_evening, key=key, division=division.id, date=self.date.text(), name=self.name.text()
        )
        self.session.do(
            command,
            field=self.date,
            on_success=make_callback_unless_deleted(self, partial(self._show_new_evening, key, unplayed_count)),
        )

    def _show_new_evening(self, key: str, removed_round_count: int) -> None:
        self._continued_stage_id = StageId(key)
        for field in (self.date, self.name):
            field.clear()
            field.setModified(False)
        self.refresh_page()
        self.cursor_moved.emit()
        self.search.setFocus()
        if removed_round_count:
            message = self.session.catalogue.plural(
                "The evening has begun. {n} planned round that was not played has been removed. Undo restores it.",
                "The evening has begun. {n} planned rounds that were not played have been removed. Undo "
                "restores them.",
                removed_round_count,
            )
            self.session.show_message(message, tone="note")

    def continue_last_evening(self) -> None:
        division = self.session.division
        stages = self.session.index.stages(division.id) if division else ()
        self._continued_stage_id = stages[-1].id if stages else None
        self.refresh_page()
        self.cursor_moved.emit()
        self.search.setFocus()

    def check_in_last_evening_members(self) -> None:
        players = tuple(PlayerId(row.key) for row in self._list_away_members_of_last_evening())
        self.session.do(partial(commands.check_in, players=players, present=True))

    def end_evening(self) -> None:
        division = self.session.division
        if division is not None:
            self._continued_stage_id = None
            self.session.do(partial(commands.end_evening, division=division.id))

    def pair_next_evening_round(self) -> None:
        session, division = self.session, self.session.division
        if division is None or not confirm_pairing_despite_missing_results(session):
            return
        task = BackgroundTask(self.text("Calculating the pairing…"))
        call = partial(propose_pairings, session.index, division.id, progress=task.report_progress)
        session.run_in_background(call, on_success=self._save_pairing_and_show_round, label=task.label, task=task)

    def _save_pairing_and_show_round(self, proposal: Proposal) -> None:
        command = partial(commands.pair_round, key=self.session.make_row_id(), proposal=proposal)
        self.session.do(
            command, on_success=make_callback_unless_deleted(self, partial(self.page_requested.emit, "rounds", ""))
        )

    def seat_latecomer(self) -> None:
        if (latecomer := self._find_seatable_latecomer()) is not None:
            key = self.session.make_row_id()
            self.session.do(
                partial(seat_latecomer, key=key, round=latecomer[0].id, player=latecomer[1]),
                on_success=make_callback_unless_deleted(
                    self, lambda: self.status.setText(_describe_where_player_plays(self.session, latecomer[1]))
                ),
            )

    # --- the field

    def _toggle_presence_or_add_typed_member(self) -> None:
        query, keys = self.search.text().strip(), self.rows.keys()
        if not query:
            return
        number_matches = [key for key in keys if query == str(self._get_member_row(key).number)] or [
            key for key in keys if query == self._get_member_row(key).member
        ]
        name_matches = [key for key in keys if _has_word_beginning_with(self._get_member_row(key).name, query)]
        matches = number_matches or (name_matches if len(name_matches) == 1 else keys)
        if len(matches) == 1:
            self._toggle_member_presence(matches[0])
        elif keys:
            self._select_first_away_member()
            self._keys.focus_list(replaceable_text=self.search.text())
            self.status.setText(
                self.text("{n} members match. Choose one with the arrow keys and press Enter.", n=len(keys))
            )
        elif not re.search(r"[^\W\d_]", query):
            self.status.setText(self.text("No member has the number {number}.", number=query))
        elif not self.session.is_editable:
            self.status.setText(
                self.text("“{name}” is not a member yet. Add new members at the director’s station.", name=query)
            )
        elif self._new_name != query:
            self._new_name = query
            self.status.setText(self.text("“{name}” is new. Press Enter again to add this member.", name=query))
        else:
            self._add_member(query)

    def _add_member(self, name: str) -> None:
        division = self.session.division
        if division is not None:
            command = partial(commands.add_member, key=self.session.make_row_id(), division=division.id, name=name)
            self._clear_member_field()
            self.session.do(command, field=self.search)

    def _toggle_presence_of_current_member(self) -> None:
        if self.view.get_current_row_key():
            self._toggle_member_presence(self.view.get_current_row_key())

    def _toggle_member_presence(self, key: str) -> None:
        if self._can_check_in():
            present = self._get_member_row(key).state is not MemberPresence.HERE
            self._clear_member_field()
            self.session.do(partial(commands.check_in, players=(PlayerId(key),), present=present))

    def _get_member_row(self, key: str) -> MemberRow:
        row: MemberRow = self.rows.find_row_by_key(key)
        return row

    def _reset_for_opened_tournament(self) -> None:
        self._continued_stage_id = None
        self._clear_member_field()

    def _cancel_proposed_new_member(self) -> None:
        if self._new_name:
            self._new_name = ""
            self.refresh_page()

    def _clear_member_field(self) -> None:
        self._new_name = ""
        self.search.clear()
        self.search.setModified(False)

    def _select_first_away_member(self) -> None:
        keys = self.rows.keys()
        away_keys = [key for key in keys if self._get_member_row(key).state is not MemberPresence.HERE]
        key = self.view.get_current_row_key()
        if key not in (away_keys or keys):
            key = (away_keys or keys)[0]
        self.view.select_row(key)  # filtering removes the selection, but not the current row

    def _toggle_clicked_presence_cell(self, index: QModelIndex) -> None:
        if index.column() == 0:
            self._toggle_member_presence(self.rows.keys()[index.row()])

    # --- conditions

    def _compute_tonights_date(self) -> str:
        return get_date_of_current_evening(self.get_time())

    def _find_current_evening(self) -> Stage | None:
        """Return the evening in progress, or None.

        Ignore evenings of earlier days unless the user has chosen to continue them.
        """
        division = self.session.division
        stage = find_running_evening(self.session.index, division.id) if division is not None else None
        current = stage is not None and (
            stage.date == self._compute_tonights_date() or stage.id == self._continued_stage_id
        )
        return stage if current else None

    def _find_seatable_latecomer(self) -> tuple[Round, PlayerId] | None:
        stage = self._find_current_evening()
        return find_round_and_seatable_latecomer(self.session.index, stage) if stage is not None else None

    def _make_seat_latecomer_action_title(self) -> str:
        latecomer = self._find_seatable_latecomer()
        if latecomer is None:
            return self.text("Seat the latecomer now")
        return self.text(
            "Seat {player} now", player=map_players_with_distinct_names(self.session.index)[latecomer[1]].name
        )

    def _can_begin_evening(self) -> bool:
        division, evening = self.session.division, self._find_current_evening()
        return division is not None and self.session.is_editable and evening is None

    def _can_continue_evening(self) -> bool:
        division = self.session.division
        stages = self.session.index.stages(division.id) if division is not None else ()
        can_continue = bool(stages) and stages[-1].evening and self._find_current_evening() is None
        return can_continue and self.session.can_check_in_players

    def _can_end_evening(self) -> bool:
        division = self.session.division
        if division is None or not self._can_edit_current_evening():
            return False
        return any(player.checked_in for player in self.session.index.players(division.id))

    def _can_edit_current_evening(self) -> bool:
        return self.session.is_editable and self._find_current_evening() is not None

    def _can_check_in_last_evening_members(self) -> bool:
        return self._can_check_in() and bool(self._list_away_members_of_last_evening())

    def _can_check_in(self) -> bool:
        return self._find_current_evening() is not None and self.session.can_check_in_players

    def _list_away_members_of_last_evening(self) -> list[MemberRow]:
        division, stage = self.session.division, self._find_current_evening()
        rows = make_member_table(self.session.index, division.id, stage).rows if division is not None else ()
        return [row for row in rows if row.is_expected and row.state is MemberPresence.AWAY]

    def _make_next_pairing_action_title(self) -> str:
        stage, index = self._find_current_evening(), self.session.index
        if stage is None:
            return self.text("Pair the next game")
        number = index.get_last_published_round_number(stage.division) + 1
        return self.text(
            "Pair: {round}", round=format_knockout_or_evening_round(self.session.catalogue, index, stage, number)
        )


def _has_word_beginning_with(name: str, beginning: str) -> bool:
    folded_beginning, folded_name = fold_text(beginning), fold_text(name)
    return folded_name.startswith(folded_beginning) or any(
        part.startswith(folded_beginning) for part in folded_name.replace(",", " ").split()
    )


def _explain_how_to_seat_latecomer(session: Session, item: Round, player: PlayerId) -> str:
    text, table = session.catalogue.text, find_group_table_for_latecomer(session.index, item.id, player)
    facts = {"player": map_players_with_distinct_names(session.index)[player].name, "table": table}
    if not table:
        return text("Press Shift+F6 to seat {player} now, against the player with the bye.", **facts)
    if session.tournament.get_ruleset_of_row(item).tables.prefer != USUAL_TABLE_SIZE:
        return text("Press Shift+F6 to seat {player} now, at table {table}.", **facts)
    return text(
        "Press Shift+F6 to seat {player} now: table {table}, a table of three, becomes two tables of two.", **facts
    )


def _describe_where_player_plays(session: Session, key: PlayerId) -> str:
    text, named_players = session.catalogue.text, map_players_with_distinct_names(session.index)
    player = named_players[key]
    unfinished_round = find_unfinished_round(session.index, player)
    if unfinished_round is None:
        return ""
    if unfinished_round.game is not None and unfinished_round.opponent is not None:
        facts = {
            "table": unfinished_round.game.table,
            "opponent": named_players[unfinished_round.opponent.id].name,
        }
        return text("{player} plays at table {table} against {opponent}.", player=player.name, **facts)
    table = unfinished_round.seat.table if unfinished_round.seat is not None else ""
    return text("{player} plays at table {table}.", player=player.name, table=table)
