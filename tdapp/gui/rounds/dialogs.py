"""Dialogs and panels of the Rounds page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from PySide6.QtWidgets import QGridLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.model import DivisionId, Game, PlayerId, Round, RoundId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ruleset import MAX_AWARDED_POINTS, USUAL_TABLE_SIZE, UnplayedRoundPointsSource
from tdapp.domain.tables import rounds
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import FormField
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n import pairing_sentences
from tdapp.i18n.phrases import capitalize_first
from tdapp.pairing.commands import seat_latecomer
from tdapp.pairing.recheck import RoundPairingComparison, recheck_rounds
from tdapp.services.worker import BackgroundTask


class UnpublishRoundDialog(Dialog):
    """Unpublishes a round. Asks for the reason, and for confirmation if results would be lost."""

    topic = "rounds"

    def __init__(self, session: Session, item: Round, *, parent: QWidget | None = None) -> None:
        catalogue, text, index = session.catalogue, session.catalogue.text, session.index
        title = text("Unpublish round {round}", round=item.number)
        super().__init__(session, title, yes=text("Unpublish"), parent=parent, size=(72, 30))
        tables = [game.table for game in index.games(item.id) if index.get_result(game.id)]
        self._command = partial(commands.unpublish_round, round=item.id, with_results=bool(tables))
        explanation = text(
            "Players have seen this round. It will become a draft again, with the same tables and "
            "byes. Tables that you kept stay kept. To remove the round after that, use “Discard "
            "the draft”."
        )
        self.add_labels((explanation, ""))
        if tables:
            loss_warning = catalogue.plural(
                "The result of table {tables} would be lost.", "The results of tables {tables} would be lost.",
                len(tables), tables=tables,
            )  # fmt: skip
            self.add_labels((loss_warning, "error"))
        self.reason = LineEdit(text("Reason"), placeholder=text("Why? The reason is kept in the history."))
        self.results_box = fields.make_check_box(text("Remove these results too"), is_checked=not tables)
        fields.add_parts_to_layout(self.body, self.reason, self.results_box)
        self.results_box.setVisible(bool(tables))
        self.reason.textChanged.connect(self._enable_confirmation)
        self.results_box.toggled.connect(self._enable_confirmation)
        self._enable_confirmation()
        self.reason.setFocus()

    def _enable_confirmation(self) -> None:
        self.yes.setEnabled(bool(self.reason.text().strip()) and self.results_box.isChecked())

    def confirm_dialog(self) -> None:
        self.session.do(partial(self._command, reason=self.reason.text().strip()))
        self.accept()


class MoveGameToTableDialog(Dialog):
    """Asks for the new table of a game."""

    topic = "rounds"

    def __init__(self, session: Session, game: Game, *, parent: QWidget | None = None) -> None:
        text, players = session.catalogue.text, map_players_with_distinct_names(session.index)
        title = text("Move table {table}", table=game.table)
        super().__init__(session, title, yes=text(C_("to another table", "Move the game")), parent=parent)
        self._game = game
        names = f"{players[game.first].name} – {players[game.second].name}"
        self.number, form = NumberEdit(text("New table"), value=game.table), FormLayout()
        form.add_field(self.number, text("If the table is taken, the two games swap tables."))
        fields.add_parts_to_layout(self.body, fields.make_label(names, "body"), form)
        self.number.selectAll()
        self.number.setFocus()

    def confirm_dialog(self) -> None:
        try:
            table = self.number.parse_optional_number() or 0
        except ValueError:
            self.number.mark_invalid(is_invalid=True)
            return
        command = partial(commands.set_table, game=self._game.id, table=table)
        self.session.do(command, on_success=make_callback_for_visible_widget(self, self.accept), field=self.number)


class SeatCorrectionDialog(Dialog):
    """Asks where the players of some tables actually sat."""

    topic = "rounds"

    def __init__(
        self, session: Session, item: Round, tables: Sequence[int], *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        super().__init__(
            session,
            text("Record the actual seating"),
            yes=text("Record the seating"),
            parent=parent,
            size=(84, 40),
        )
        self._item = item
        self._games: tuple[Game, ...] = ()
        explanation = text(
            "Did players sit at the wrong table, or should another player have the bye? Type the table "
            "numbers. You can then swap the players at these tables."
        )
        self.tables = LineEdit(text("Tables"), text=" ".join(map(str, tables)), placeholder="3 7")
        self.error_label = fields.make_label("", "error", wrap=True)
        self.seats: list[tuple[PlayerField, PlayerField]] = []
        self.byes: list[PlayerField] = []
        self._grid = QGridLayout()
        fields.add_parts_to_layout(
            self.body,
            fields.make_label(explanation, wrap=True),
            FormLayout(self.tables),
            self._grid,
            self.error_label,
            1,
        )
        self.tables.textChanged.connect(self._rebuild_seat_fields)
        self.tables.setFocus()
        self._rebuild_seat_fields()

    def _rebuild_seat_fields(self) -> None:
        fields.clear_layout(self._grid)
        self.seats, self.byes = [], []
        self.error_label.setText("")
        self._games = self._find_games_of_typed_tables()
        text = self.session.catalogue.text
        headings = [self.session.catalogue.heading(column_id) for column_id in ("first_name", "second_name")]
        waiting = self.session.index.list_byes_for_lack_of_opponent(self._item.id) if self._games else ()
        players = [player for game in self._games for player in (game.first, game.second)]
        players += [bye.player for bye in waiting]
        for column, heading in enumerate(headings if self._games else (), 1):
            self._grid.addWidget(fields.make_label(heading, "muted"), 0, column)
        for line, game in enumerate(self._games, 1):
            name = text("Table {table}", table=game.table)
            first = self._make_seat_field(f"{name}: {headings[0]}", players, game.first)
            second = self._make_seat_field(f"{name}: {headings[1]}", players, game.second)
            for column, widget in enumerate((fields.make_label(name), first, second)):
                self._grid.addWidget(widget, line, column)
            self.seats.append((first, second))
        for line, bye in enumerate(waiting, 1 + len(self._games)):
            name = capitalize_first(self.session.catalogue.translate_code(bye.kind))
            self.byes.append(self._make_seat_field(name, players, bye.player))
            self._grid.addWidget(fields.make_label(name), line, 0)
            self._grid.addWidget(self.byes[-1], line, 1)
        self.yes.setEnabled(bool(self._games))

    def _make_seat_field(self, name: str, players: Sequence[PlayerId], player: PlayerId) -> PlayerField:
        field = PlayerField(name, self.session)
        field.set_options(list_player_options(self.session, players), player)
        return field

    def _find_games_of_typed_tables(self) -> tuple[Game, ...]:
        words = self.tables.text().replace(",", " ").split()
        try:
            return tuple(self.session.index.get_game(self._item.id, int(word)) for word in dict.fromkeys(words))
        except ValueError:
            self.error_label.setText(self.text("Type the table numbers."))
        except CommandError as error:
            self.error_label.setText(self.session.catalogue.describe_error(error))
        return ()

    def confirm_dialog(self) -> None:
        fields_of_players = (*(field for pair in self.seats for field in pair), *self.byes)
        empty = next((player_field for player_field in fields_of_players if player_field.value() is None), None)
        if empty is not None:
            self.error_label.setText(self.text("{seat}: choose a player.", seat=empty.accessibleName()))
            empty.setFocus()
            return
        seats = tuple(
            (game.table, first.value() or game.first, second.value() or game.second)
            for game, (first, second) in zip(self._games, self.seats, strict=True)
        )
        byes = tuple(choice.value() or PlayerId("") for choice in self.byes)
        command = partial(commands.play_as_seated, round=self._item.id, seats=seats, byes=byes)
        self.session.do(
            command,
            on_success=make_callback_for_visible_widget(self, self.accept),
            on_refusal=make_callback_for_visible_widget(self, self._show_correction_error),
        )

    def _show_correction_error(self, error: UserError) -> bool:
        self.error_label.setText(self.session.catalogue.describe_error(error))
        return True


class SeatLatecomerDialog(Dialog):
    """Asks which late player gets a seat in a published round."""

    topic = "rounds"

    def __init__(
        self,
        session: Session,
        round_id: RoundId,
        late_players: Sequence[PlayerId],
        preselected: PlayerId | None = None,
        *,
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Seat a latecomer"), yes=text("Seat the player"), parent=parent)
        self._round = round_id
        byes, players = (
            session.index.list_byes_for_lack_of_opponent(round_id),
            map_players_with_distinct_names(session.index),
        )
        prefer = session.tournament.get_ruleset_of_row(session.tournament.rounds[round_id]).tables.prefer
        explanation = text(
            "The latecomer joins the smallest table without a result. The other tables stay as they are."
        )
        if byes:
            explanation = text(
                "The latecomer plays {player} (bye) at a free table. The other tables stay as they are.",
                player=players[byes[0].player].name,
            )
        elif prefer == USUAL_TABLE_SIZE:
            explanation = text(
                "The table of three and the latecomer become two tables of two. The other tables stay as they are."
            )
        self.player = PlayerField(text("Latecomer"), session)
        only_player = late_players[0] if len(late_players) == 1 else None
        self.player.set_options(list_player_options(session, late_players), preselected or only_player)
        fields.add_parts_to_layout(self.body, fields.make_label(explanation, wrap=True), FormLayout(self.player))
        self.player.player_chosen.connect(self._enable_confirmation)
        self.player.setFocus()
        self._enable_confirmation(self.player.value())
        self.resize(UNIT * 68, UNIT * 30)

    def _enable_confirmation(self, player: PlayerId | None) -> None:
        self.yes.setEnabled(player is not None)

    def confirm_dialog(self) -> None:
        player = self.player.value()
        if player is None:
            return
        command = partial(seat_latecomer, key=self.session.make_row_id(), round=self._round, player=player)
        self.session.do(command, on_success=make_callback_for_visible_widget(self, self.accept), field=self.player)


class AwardedPointsPanel(RowEditorPanel):
    """The points for byes and forfeits, as set by the rules or the director."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Points for byes and forfeits"), width=UNIT * 54)
        listing = RowEditorListDeclaration(
            name=self.text("Rounds without a game"),
            table=partial(self.make_table_of_selected_division, rounds.make_bye_and_forfeit_points_table),
            widths={"round": 56, "name": 0, "kind": 120, "awarded": 72},
            empty_text=self.text("No player has had a bye or won by forfeit."),
            row_text=self._format_awarded_points_method,
        )
        usual, code = (
            [(None, self.text(C_("points of a bye", "as in the rules")))],
            session.catalogue.translate_code,
        )
        choices = [*usual, *((award, code(award)) for award in UnplayedRoundPointsSource)]
        form = [
            FormField(name="by", attribute="own_points_source_of_round",
                      label=self.text("How the points are calculated"), options=lambda _: choices),
            FormField(name="points", label=self.text("Points"), value=0, maximum=MAX_AWARDED_POINTS,
                      width=ROW * 3, is_shown=lambda values: values["by"] is UnplayedRoundPointsSource.FIXED),
        ]  # fmt: skip
        self.set_editor(
            RowEditor(
                session, fields=form, listing=listing, edit=commands.set_award,
                find_row=self._find_bye_or_forfeit_points_row,
                to_command=self._make_award_command_of_edited_row, edit_title=self.text("Set the points"),
            )
        )  # fmt: skip

    def _find_bye_or_forfeit_points_row(self, key: str) -> rounds.ByeOrForfeitPointsRow | None:
        rows = self.make_table_of_selected_division(rounds.make_bye_and_forfeit_points_table).rows
        return next((row for row in rows if row.key == key), None)

    def _format_awarded_points_method(self, row: rounds.ByeOrForfeitPointsRow) -> str:
        code = self.session.catalogue.translate_code(row.award.by)
        return code if row.own else self.text(C_("points of a bye", "as in the rules: {what}"), what=code)

    def _make_award_command_of_edited_row(self, values: dict[str, Any]) -> partial[Tournament] | None:
        row = self._find_bye_or_forfeit_points_row(self.editor.edited_key)
        return partial(commands.set_award, player=row.player_id, round=row.round_id, **values) if row else None


class _RecheckedRoundRow(Struct, frozen=True):
    key: str
    round: int
    tables: int
    by_hand: int | None
    found: str
    same: bool


class PairingRecheckPanel(Panel):
    """Pairs all rounds again in worker processes, and shows differences from the actual pairings."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Pairing check"), width=UNIT * 62)
        note = self.text(
            "This is only a check: your rounds do not change. The program pairs each round again "
            "with the players who were present, the standings at that time and the tables set by "
            "hand. Results or settings changed since then can lead to different pairings."
        )
        self._task = BackgroundTask("")
        self._checked_tournament: Tournament | None = None
        self._summary = fields.make_label("", "lead", wrap=True)
        self.rows = TableRowsModel(session.catalogue, tone=lambda line: "" if line.same else "amber")
        empty = self.text("No round has been paired yet.")
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Rounds"), empty=empty)
        self.view.disable_sorting()
        self.view.set_widths({"round": 64, "tables": 72, "by_hand": 80}, stretch=("found",))
        fields.add_parts_to_layout(
            self.body, fields.make_note_label(note), self._summary, self.view, wide=self.view
        )
        self.setFocusProxy(self.view)

    def refresh_panel(self) -> None:
        division = self.session.division
        if division is None:
            self.closed.emit()
            return
        tournament = self.session.tournament
        if tournament is self._checked_tournament:
            return
        self._checked_tournament = tournament
        self._task.cancel_work()
        label = self.text("Pairing every round again…")
        self._summary.setText(label)
        call = partial(recheck_rounds, tournament, division.id)
        self._task = self.session.run_in_background(
            call,
            on_success=make_callback_unless_deleted(self, partial(self._show_rechecked_rounds, division.id)),
            label=label,
        )

    def _show_rechecked_rounds(self, division: DivisionId, rechecked: Sequence[RoundPairingComparison]) -> None:
        catalogue, players = self.session.catalogue, self.session.tournament.players
        names = {player: row.name for player, row in players.items() if row.division == division}
        lines = []
        for recheck in rechecked:
            finding = pairing_sentences.describe_rechecked_round(recheck, names, catalogue)
            by_hand = len(recheck.by_hand) or None
            lines.append(
                _RecheckedRoundRow(
                    str(recheck.round), recheck.round, recheck.tables, by_hand, finding, recheck.has_same_pairing
                )
            )
        self.rows.show_table(Table("repaired", _COLUMNS, tuple(lines)))
        different_count = sum(not recheck.has_same_pairing for recheck in rechecked)
        difference_text = catalogue.plural(
            "One round would be paired differently now",
            "{n} rounds would be paired differently now",
            different_count,
        )
        unchecked = sum(len(recheck.by_hand) for recheck in rechecked)
        unchanged_text = catalogue.text("Every round would be paired the same way again")
        parts = [
            difference_text
            if different_count
            else unchanged_text
            if unchecked < sum(recheck.tables for recheck in rechecked)
            else ""
        ]
        unchecked_text = catalogue.plural(
            "One table that was set by hand or imported was not checked",
            "{n} tables that were set by hand or imported were not checked",
            unchecked,
        )
        self._summary.setText(". ".join(filter(None, (*parts, unchecked_text if unchecked else ""))))


_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "tables", "by_hand"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "found"),
)
