"""Panels for absences, withdrawals, late entries and pairing constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import partial
from html import escape
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.attendance import AttendanceConsequence, list_attendance_consequences
from tdapp.domain.errors import UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, ByeKind, ConstraintKind, Division, Player, PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tables import players as tables
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import FormField, PlayerControl
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, FormLayout, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT, scale_line_height
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_round_in_divisions

_COMMAND_BY_KIND = {ConstraintKind.NEVER: commands.forbid_pairing, ConstraintKind.APART: commands.keep_apart}


MAX_NAMES = 12  # keep the list of consequences and the button visible
ListConsequences = Callable[
    [Tournament, Tournament], Iterable[AttendanceConsequence]
]  # gets the tournament before and after the change


class AvailabilityChange(StrEnum):
    """Kinds of change of a player's availability: absence, withdrawal or return."""

    MISS = "miss"
    LEAVE = "leave"
    RETURN = "return"


def describe_absence(item: Absence, catalogue: Catalogue, index: TournamentIndex) -> str:
    kind = catalogue.translate_code(item.kind) if item.kind else ""
    if item.last_round is None:
        return catalogue.text("Withdrawn from round {first} onwards", first=item.first_round)
    if item.last_round == item.first_round:
        division = index.tournament.divisions[index.tournament.players[item.player].division]
        name = format_round_in_divisions(catalogue, index, (division,), item.first_round)
        return catalogue.text(C_("missed round", "{round}: {kind}"), round=name, kind=kind)
    return catalogue.text(
        C_("missed rounds", "Rounds {first}–{last}: {kind}"),
        first=item.first_round,
        last=item.last_round,
        kind=kind,
    )


def describe_constraint(
    row: tables.ConstraintRow, player: Player, catalogue: Catalogue, index: TournamentIndex
) -> str:
    own_name = map_players_with_distinct_names(index)[player.id].name
    opponent = row.other if row.player == own_name else row.player
    division = index.tournament.divisions[player.division]
    return catalogue.text(
        C_("pairing constraint", "{what}: {player}"),
        what=_format_round_or_constraint_kind(row, catalogue, index, division),
        player=opponent,
    )


def _format_round_or_constraint_kind(
    row: tables.ConstraintRow, catalogue: Catalogue, index: TournamentIndex, division: Division | None
) -> str:
    return (
        format_round_in_divisions(catalogue, index, (division,) if division else (), row.round)
        if row.round
        else catalogue.translate_code(row.kind)
    )


def format_short_player_list(session: Session, players: Sequence[PlayerId]) -> str:
    """Return some names and the number of further players, as in "Ann · Bob · and 3 more"."""
    named_players = map_players_with_distinct_names(session.index)
    names = " · ".join(named_players[player].name for player in players[:MAX_NAMES])
    hidden_count = len(players) - MAX_NAMES
    return (
        f"{names} · {session.catalogue.plural('and one more', 'and {n} more', hidden_count)}"
        if hidden_count > 0
        else names
    )


class ConsequencesView(QWidget):
    """The consequences of a command, with a button that runs the command."""

    def __init__(self, session: Session, *, on_success: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._session = session
        self._on_success = on_success
        self._command: partial[Tournament] | None = None
        self.confirmed: partial[Tournament] | None = None  # the last confirmed command
        text = session.catalogue.text
        self._heading = fields.make_label(text("Effects of this change"), "lead")
        self.effects_label = fields.make_rich_text_label(is_announced=True)
        self.confirm_button = fields.make_button(text("Confirm"), self.run_confirmed_command, role="primary")
        fields.make_column(
            self._heading,
            self.effects_label,
            fields.make_row(1, self.confirm_button),
            margins=(0, UNIT, 0, 0),
            parent=self,
        )

    def show_consequences(
        self, command: partial[Tournament] | None, compare: ListConsequences, *, button_text: str
    ) -> None:
        """Show the consequences of `command`, listed by `compare`. Show nothing if `command` is None."""
        session = self._session
        self._command = command
        self.confirm_button.setText(button_text)
        can_confirm = command is not None and not session.is_read_only_or_not_director
        lines: list[str] = []
        if command is not None:
            try:
                consequences = compare(session.tournament, command(session.tournament))
                lines = [self._format_consequence(consequence) for consequence in consequences]
            except UserError as error:
                can_confirm, lines = False, [self._colour_text("red", session.catalogue.describe_error(error))]
        self._heading.setVisible(bool(lines))
        self.effects_label.setText("".join(f"<p style='margin:4px 0'>{line}</p>" for line in lines))
        self.confirm_button.setEnabled(can_confirm)

    def run_confirmed_command(self) -> None:
        command = self._command
        if command is not None and self.confirm_button.isEnabled():
            self._command, self.confirmed = None, command
            on_refusal = make_callback_unless_deleted(self, partial(self._keep_refused_command_for_retry, command))
            self._session.do(command, on_success=self._on_success, on_refusal=on_refusal)

    def _keep_refused_command_for_retry(self, command: partial[Tournament], _error: UserError) -> bool:
        self._command = command
        return False

    def _format_consequence(self, consequence: AttendanceConsequence) -> str:
        message = self._session.catalogue.describe_availability_effect(consequence.code, consequence.facts)
        return self._colour_text("amber", "! " + message) if consequence.needs_action else escape(message)

    def _colour_text(self, tone: str, text: str) -> str:
        return f'<span style="color:{self._session.appearance.get_colour(tone).name()}">{escape(text)}</span>'


class AvailabilityPanel(Panel):
    """Absences, withdrawals and pairing constraints of the selected players, with the consequences of a change."""

    follows_selected_player = True

    def __init__(
        self,
        session: Session,
        player: PlayerId,
        change: AvailabilityChange | None = None,
        *,
        other_players: Sequence[PlayerId] = (),
    ) -> None:
        super().__init__(session, "")
        self._players = (player, *other_players)
        self.names_label = fields.make_note_label()
        text, code = session.catalogue.text, session.catalogue.translate_code
        self._absences = QVBoxLayout()
        self.change: Choice[AvailabilityChange] = Choice(
            text(C_("of a player", "Kind of change")), [], session.appearance
        )
        self.first = NumberEdit(text(C_("absence", "From round")))
        self.last = NumberEdit(text(C_("absence", "To round")))
        kinds = [(kind, code(kind)) for kind in (ByeKind.ABSENT, ByeKind.REQUESTED, ByeKind.FORFEIT)]
        self.kind: Choice[ByeKind | None] = Choice(text("A missed round counts as"), [], session.appearance)
        self.kind.set_choices([*kinds, (None, text(C_("missed round", "nothing")))], ByeKind.ABSENT)
        form = FormLayout(self.change)
        self.last.setPlaceholderText(text(C_("absence", "only this")))
        self._last_label = fields.make_label(text(C_("constraint: from round", "to round")))
        self._last_label.setBuddy(self.last)
        rounds = fields.wrap_in_widget(fields.make_row(self.first, self._last_label, self.last, 1))
        rounds.setFocusProxy(self.first)
        form.add_field(rounds, title=text(C_("absence", "From round")))
        form.add_field(self.kind)
        self.consequences = ConsequencesView(
            session, on_success=make_callback_for_visible_widget(self, self._close_or_prepare_next_absence)
        )
        self._constraints = fields.make_label(wrap=True)
        self._requested_change = change
        self._next_round = 0
        parts = (
            self.names_label,
            self._absences,
            form,
            self.consequences,
            -1,
            fields.make_separator(),
            -1,
            self._constraints,
            1,
        )
        fields.add_parts_to_layout(self.body, *parts)
        self.first.textEdited.connect(self._show_consequences_of_form_values)
        self.last.textEdited.connect(self._show_consequences_of_form_values)
        self.change.currentIndexChanged.connect(self._show_fields_of_chosen_change)
        self.change.currentIndexChanged.connect(self._show_consequences_of_form_values)
        self.kind.currentIndexChanged.connect(self._show_consequences_of_form_values)
        for field in (self.first, self.last):
            field.returnPressed.connect(self.consequences.run_confirmed_command)
        self.setFocusProxy(self.consequences.confirm_button if change is not None else self.first)

    def refresh_panel(self) -> None:
        session, catalogue = self.session, self.session.catalogue
        players = [
            row for player_id in self._players if (row := session.tournament.players.get(player_id)) is not None
        ]
        if not players:
            self.closed.emit()
            return
        self._players = tuple(player.id for player in players)
        has_several = len(players) > 1
        count_text = catalogue.plural("One player", "{n} players", len(players))
        self.heading.setText(
            count_text if has_several else map_players_with_distinct_names(session.index)[players[0].id].name
        )
        fields.show_text(self.names_label, format_short_player_list(session, self._players) if has_several else "")
        self._next_round = len(session.index.list_published_rounds(players[0].division)) + 1
        if not self.first.isModified():
            self.first.setText(str(self._find_next_attended_round()))
            self.first.selectAll()  # typing must replace the proposal
        self._show_absences(players)
        self._offer_availability_changes(players)
        self._show_consequences_of_form_values()
        self._show_constraints(players)

    def switch_to_selected_players(self, players: Sequence[PlayerId]) -> None:
        self._players = tuple(players)
        self.refresh_panel()

    def _find_next_attended_round(self) -> int:
        index = self.session.index
        planned_rounds = range(
            self._next_round, index.count_planned_rounds(self._first_selected_player.division) + 1
        )
        attended_rounds = (
            number
            for number in planned_rounds
            if not any(index.find_absence(player, number) for player in self._players)
        )
        return next(attended_rounds, self._next_round)

    @property
    def _first_selected_player(self) -> Player:
        return self.session.tournament.players[self._players[0]]

    def _show_constraints(self, players: Sequence[Player]) -> None:
        lines = []
        for player in players[:1] if len(players) == 1 else ():
            rows = tables.make_constraint_table(self.session.index, player.division, player.id).rows
            lines = [describe_constraint(row, player, self.session.catalogue, self.session.index) for row in rows]
            lines = lines or [self.text("No pairing constraints. Press Ctrl+M to add one.")]
        fields.show_text(self._constraints, "\n".join(lines))

    def _offer_availability_changes(self, players: Sequence[Player]) -> None:
        offers = [
            (AvailabilityChange.MISS, self.text(C_("player", "misses some rounds"))),
            (AvailabilityChange.LEAVE, self.text(C_("player", "leaves the tournament"))),
        ]
        if len(players) > 1:
            offers = offers[:1]
        elif self.session.index.has_withdrawn(players[0].id):
            offers = [(AvailabilityChange.RETURN, self.text(C_("player", "returns to the tournament")))]
        before = self.change.value()
        self.change.set_choices(offers, before or self._requested_change)
        if self.change.value() != before:
            self._show_fields_of_chosen_change()

    def _show_fields_of_chosen_change(self) -> None:
        change = self.change.value()
        self.last.setVisible(change is AvailabilityChange.MISS)
        self._last_label.setVisible(change is AvailabilityChange.MISS)
        self.kind.setEnabled(change is not AvailabilityChange.RETURN)
        with QSignalBlocker(self.kind):
            self.kind.choose_value(None if change is AvailabilityChange.LEAVE else ByeKind.ABSENT)

    def _show_consequences_of_form_values(self) -> None:
        texts = {
            AvailabilityChange.MISS: self.text("Record the absence"),
            AvailabilityChange.LEAVE: self.text("Withdraw the player"),
            AvailabilityChange.RETURN: self.text("Let the player return"),
        }
        self.consequences.show_consequences(
            self._make_availability_command(),
            self._list_consequences,
            button_text=texts[self.change.value() or AvailabilityChange.MISS],
        )

    def _list_consequences(self, before: Tournament, after: Tournament) -> list[AttendanceConsequence]:
        consequences: list[AttendanceConsequence] = []
        for player in self._players:
            consequences += [
                consequence
                for consequence in list_attendance_consequences(before, after, player)
                if consequence not in consequences
            ]
        return consequences

    def _make_availability_command(self) -> partial[Tournament] | None:
        change = self.change.value()
        try:
            first, last = self.first.parse_optional_number() or self._next_round, self.last.parse_optional_number()
        except ValueError:
            return None
        if change is AvailabilityChange.RETURN:
            return partial(commands.return_player, player=self._players[0], from_round=first)
        key, kind = self.session.make_row_id(), self.kind.value()
        if change is AvailabilityChange.LEAVE:
            player = self._players[0]
            return partial(commands.withdraw_player, key=key, player=player, from_round=first, kind=kind)
        return partial(
            commands.miss_round, key=key, players=self._players, round_number=first, last_round=last,
            kind=kind or ByeKind.ABSENT,
        )  # fmt: skip

    def _close_or_prepare_next_absence(self) -> None:
        confirmed = self.consequences.confirmed
        if self._requested_change is not None or confirmed is None or confirmed.func is not commands.miss_round:
            self.closed.emit()
            return
        for field in (self.first, self.last):
            field.setModified(False)
        self.last.clear()
        self.first.setText(str(self._find_next_attended_round()))
        self.first.setFocus()
        self.first.selectAll()
        self._show_consequences_of_form_values()

    def _show_absences(self, players: Sequence[Player]) -> None:
        fields.clear_layout(self._absences)
        if len(players) > 1:
            return
        absences = self.session.index.absences(players[0].id)
        for item in absences:
            remove = fields.make_button(
                self.text("Remove"), partial(self._end_absence_from_next_round, item), role="link"
            )
            is_past = item.last_round is not None and item.last_round < self._next_round
            remove.setEnabled(not self.session.is_read_only_or_not_director and not is_past)
            message = fields.make_label(describe_absence(item, self.session.catalogue, self.session.index))
            self._absences.addLayout(fields.make_row(message, 1, remove))
        if not absences:
            self._absences.addWidget(fields.make_label(self.text("The player plays every round."), "muted"))

    def _end_absence_from_next_round(self, item: Absence) -> None:
        number = max(item.first_round, self._next_round)
        clear_command = partial(commands.clear_absence, player=item.player, round_number=number)
        return_command = partial(commands.return_player, player=item.player)
        self.session.do(return_command if item.last_round is None else clear_command)


class LateEntrantPanel(Panel):
    """Shows the consequences of a late entry before the player is added."""

    def __init__(
        self, session: Session, command: partial[Tournament], player: PlayerId, after_entry: Callable[[], None]
    ) -> None:
        super().__init__(session, session.catalogue.text("Late entry: {player}", player=command.keywords["name"]))
        self._command, self._player = command, player
        self.consequences = ConsequencesView(session, on_success=after_entry)
        fields.add_parts_to_layout(self.body, self.consequences, 1)
        self.setFocusProxy(self.consequences.confirm_button)

    def refresh_panel(self) -> None:
        if self._player in self.session.tournament.players:
            self.closed.emit()
            return
        self.consequences.show_consequences(
            self._command,
            partial(list_attendance_consequences, player=self._player),
            button_text=self.text("Add player"),
        )


class ConstraintsPanel(RowEditorPanel):
    """The pairing constraints."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        super().__init__(session, session.catalogue.text("Pairing constraints"), width=UNIT * 54)
        note = self.text(
            "A “never pair” constraint always applies. A “keep apart” constraint matters less than avoiding "
            "repeats, score differences and floats. A “must meet” constraint pairs two players in the chosen "
            "round, even if this makes other pairings worse."
        )
        self.body.addWidget(fields.make_note_label(note))
        listing = RowEditorListDeclaration(
            name=self.text("Pairing constraints"),
            table=partial(
                self.make_table_of_selected_division,
                lambda index, division: tables.make_constraint_table(index, division.id),
            ),
            widths={"constraint": 92, "player": 0, "other": 0, "why": 72},
            optional_columns=("why",),
            empty_text=self.text("No pairing constraints yet."),
            column_texts={"constraint": self._format_round_or_constraint_kind},
        )
        self.set_editor(
            RowEditor(
                session,
                fields=self._make_constraint_fields(player),
                listing=listing,
                command=commands.order_pairing,
                remove=commands.remove_constraint,
                to_command=self._make_constraint_command,
                error_fields={"": "other"},
                focus_when_adding="other",
                arrange=lambda editor: [
                    *editor.list_table_and_buttons(),
                    *editor.list_form_and_buttons(),
                ],
            )
        )
        self.editor.view.setMinimumHeight(scale_line_height(UNIT * 16))
        self.setFocusProxy(self.get_field_widget("other" if player else "player"))

    def _format_round_or_constraint_kind(self, row: tables.ConstraintRow) -> str:
        session = self.session
        return _format_round_or_constraint_kind(row, session.catalogue, session.index, session.division)

    def _make_constraint_fields(self, player: PlayerId | None) -> list[FormField]:
        constraints = [
            (ConstraintKind.NEVER, self.text(C_("two players", "never pair"))),
            (ConstraintKind.APART, self.text(C_("two players", "keep apart"))),
            (ConstraintKind.TOGETHER, self.text(C_("two players", "must meet"))),
        ]
        return [
            FormField(name="player", label=self.text("Player"), control=PlayerControl, value=player, is_kept=True),
            FormField(name="other", label=self.text("Opponent"), control=PlayerControl),
            FormField(name="constraint", label="", spoken_name=self.text("Kind of constraint"),
                      options=lambda _values: constraints),
            FormField(name="round_number", label=self.text("Round"), propose=self._get_next_round_number,
                      maximum=200, is_shown=lambda values: values["constraint"] is ConstraintKind.TOGETHER),
            FormField(name="why", label=self.text("Reason"), hint=self.text("Reason (not public)")),
        ]  # fmt: skip

    def _get_next_round_number(self) -> int:
        division = self.session.division
        return len(self.session.index.list_published_rounds(division.id)) + 1 if division is not None else 1

    def _make_constraint_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        empty = next((name for name in ("player", "other") if values[name] is None), "")
        if empty:
            self.get_field_widget(empty).setFocus()
            return None
        constraint, number = values.pop("constraint"), values.pop("round_number", None)
        if constraint is ConstraintKind.TOGETHER:
            return partial(commands.order_pairing, key=self.session.make_row_id(), round_number=number, **values)
        return partial(_COMMAND_BY_KIND[constraint], key=self.session.make_row_id(), **values)
