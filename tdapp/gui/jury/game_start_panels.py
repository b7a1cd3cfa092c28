"""Panels for late arrivals, and for drawing tiles to decide who starts."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from tdapp.desk import get_utc_timestamp
from tdapp.domain import commands
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.errors import CommandError
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import Game, GameSide, PlayerId, StartDecision
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.round_clock import (
    LatenessConsequences,
    compute_lateness_consequences,
    find_starter_by_tile_draws,
    parse_delay_as_seconds,
    parse_time_of_day_as_minutes,
)
from tdapp.domain.ruleset import ForfeitCause
from tdapp.domain.translatable import C_
from tdapp.gui.editor.fields import find_published_game_at_table
from tdapp.gui.shell.jury_member import get_proposed_jury_member_name
from tdapp.gui.shell.round_clock import START_TIME_KEY
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import ROW, UNIT, scale_pixels
from tdapp.i18n import sheet_sentences
from tdapp.scrabble.tiles import StartingDrawOutcome

_SIDES = (GameSide.FIRST, GameSide.SECOND)


class _ArrivalFields:
    def __init__(self, session: Session, panel: LateArrivalPanel, side: GameSide) -> None:
        text = session.catalogue.text
        self.name: QLabel = fields.make_label("", "lead", wrap=True)
        self.arrival_field = LineEdit(text("Time of arrival"), placeholder=text(C_("late arrival", "on time")))
        self.arrival_field.setMaximumWidth(scale_pixels(ROW * 3))
        self.delay_label: QLabel = fields.make_label(wrap=True)
        self.consequence: QLabel = fields.make_note_label()
        record = partial(panel.log_late_arrival, side)
        self.record_button: QPushButton = fields.make_button(text("Record the late arrival"), record)
        self.forfeit_button: QPushButton = fields.make_button("", partial(panel.enter_forfeit, side))
        arrival_label = fields.make_label(text("Time of arrival"), "muted")
        arrival_label.setBuddy(self.arrival_field)
        header_row = fields.make_row(self.name, arrival_label, self.arrival_field, wide=self.name)
        self.parts: list[fields.Part] = [
            header_row,
            self.delay_label,
            fields.make_row(self.record_button, self.forfeit_button, 1),
            self.consequence,
            -1,
        ]


class LateArrivalPanel(Panel):
    """The start of the round and the arrivals of the players at one table."""

    def __init__(self, session: Session, game: Game | None = None) -> None:
        super().__init__(session, session.catalogue.text("Late arrival"), width=UNIT * 56)
        text = session.catalogue.text
        self._rules = fields.make_note_label()
        self.table = NumberEdit(text("Table"), value=game.table if game else None, width=ROW * 2)
        self.start = LineEdit(
            text("Round began at"), text=str(session.settings.value(START_TIME_KEY, "")), placeholder="9:30"
        )
        self.start.setMaximumWidth(scale_pixels(ROW * 3))
        table_label, start_label = fields.make_label(text("Table")), fields.make_label(text("Round began at"))
        table_label.setBuddy(self.table)
        start_label.setBuddy(self.start)
        header_row = fields.make_row(table_label, self.table, -2, start_label, self.start, 1)
        self.players = tuple(_ArrivalFields(session, self, side) for side in _SIDES)
        self._both_late_label = fields.make_label(wrap=True)
        self._forfeit_both_button = fields.make_button(
            text(C_("late arrival", "Both lose by forfeit")), partial(self.enter_forfeit, GameSide.BOTH)
        )
        self._forfeit_both_button.hide()
        fields.add_parts_to_layout(self.body, self._rules, header_row, fields.make_separator())
        for player_fields in self.players:
            fields.add_parts_to_layout(self.body, *player_fields.parts)
        note = text("Type the time of arrival (such as 9:37) or how many minutes late (such as 7).")
        hint = fields.make_note_label(note)
        fields.add_parts_to_layout(
            self.body, self._both_late_label, fields.make_row(self._forfeit_both_button, 1), hint, 1
        )
        for line in (self.table, self.start, *(player_fields.arrival_field for player_fields in self.players)):
            line.textChanged.connect(self.refresh_panel)
        self.start.editingFinished.connect(self._save_round_start_in_settings)
        next_field = self.players[0].arrival_field if self.start.text() else self.start
        self.setFocusProxy(self.table if game is None else next_field)

    def refresh_panel(self) -> None:
        if self.session.division is None:
            self.closed.emit()
            return
        game, catalogue = self._get_game_at_typed_table(), self.session.catalogue
        rules, players, text = (
            self.session.rules,
            map_players_with_distinct_names(self.session.index),
            catalogue.text,
        )
        self.heading.setText(catalogue.text("Late arrival, round {round}", round=self.session.round_number or "–"))
        self._rules.setText(sheet_sentences.describe_late_arrival_rules(rules, catalogue))
        can_edit = self.session.is_editable
        is_open = game is not None and self.session.index.get_result(game.id) is None
        delays = [self._read_delay_seconds(player_fields) for player_fields in self.players]
        for side, (player_fields, delay) in enumerate(zip(self.players, delays, strict=True)):
            player, arrival = self._get_player_id(side), self._compute_delay_consequences(delay)
            player_fields.name.setText(
                players[player].name if player else text("Player {number}", number=side + 1)
            )
            player_fields.delay_label.setText(self._describe_delay(player_fields, delay))
            player_fields.record_button.setEnabled(can_edit and game is not None and bool(delay))
            player_fields.forfeit_button.setEnabled(can_edit and is_open and delay is not None)
            can_give_up = arrival is not None and arrival.may_give_up
            forfeit_text = (
                text(C_("reason of a forfeit", "Resigns the game"))
                if can_give_up
                else text(C_("late arrival", "Loses by forfeit"))
            )
            player_fields.forfeit_button.setText(
                forfeit_text if delay else text(C_("reason of a forfeit", "Did not turn up"))
            )
            forfeited_game = game if is_open and delay else None
            consequence = (
                sheet_sentences.describe_late_forfeit_scores(
                    rules, players, forfeited_game, _SIDES[side], catalogue
                )
                if forfeited_game
                else ""
            )
            fields.show_text(player_fields.consequence, consequence)
        self._show_effect_of_both_delays(delays, can_enter_forfeit=can_edit and is_open)

    def log_late_arrival(self, late_player: GameSide) -> None:
        game, side = self._get_game_at_typed_table(), _SIDES.index(late_player)
        delay, division = self._read_delay_seconds(self.players[side]), self.session.division
        if game is None or not delay or division is None:
            return
        command = partial(
            commands.note_incident, key=self.session.make_row_id(), division=division.id, kind=IncidentKind.LATE,
            at=get_utc_timestamp(), round_number=self.session.tournament.rounds[game.round].number,
            table=game.table, player=self._get_player_id(side), seconds=delay,
            author=get_proposed_jury_member_name(self.session),
        )  # fmt: skip
        self.session.do(command, field=self.players[side].arrival_field)

    def enter_forfeit(self, losers: GameSide) -> None:
        game = self._get_game_at_typed_table()
        if game is not None:
            has_arrived = losers is GameSide.BOTH or self._read_delay_seconds(self.players[_SIDES.index(losers)])
            command = partial(
                commands.enter_result, game=game.id, forfeit=losers, seen=ResultBeforeChange(None),
                cause=ForfeitCause.LATE if has_arrived else ForfeitCause.WALK_OVER,
            )  # fmt: skip
            self.session.do(command, field=self.table)

    # --- input

    def _get_game_at_typed_table(self) -> Game | None:
        return find_published_game_at_table(
            self.session, self.session.round_number, self.table.get_number_or_none()
        )

    def _get_player_id(self, player_index: int) -> PlayerId | None:
        game = self._get_game_at_typed_table()
        return None if game is None else (game.first, game.second)[player_index]

    def _read_delay_seconds(self, arrival: _ArrivalFields) -> int | None:
        text = arrival.arrival_field.text()
        try:
            return parse_delay_as_seconds(
                text, parse_time_of_day_as_minutes(self.start.text()) if ":" in text or "." in text else 0
            )
        except ValueError:
            return None

    def _save_round_start_in_settings(self) -> None:
        try:
            parse_time_of_day_as_minutes(self.start.text())
        except ValueError:
            if self.start.text().strip():
                self.session.show_error(CommandError("bad-hour", value=self.start.text()), self.start)
            return
        self.session.settings.setValue(START_TIME_KEY, self.start.text().strip())

    # --- rules

    def _compute_delay_consequences(self, delay: int | None) -> LatenessConsequences | None:
        try:
            return None if delay is None else compute_lateness_consequences(self.session.rules, delay)[0]
        except CommandError:
            return None

    def _describe_delay(self, arrival: _ArrivalFields, delay: int | None) -> str:
        if delay:
            return sheet_sentences.describe_late_arrival(
                delay, self._compute_delay_consequences(delay), self.session.catalogue
            )
        if delay is not None or not arrival.arrival_field.text():
            return ""
        if not self.start.text().strip():
            return self.text("Type when the round began, or how many minutes late the player was.")
        return self.text("This is not a time of arrival. Type, for example, 9:37, or 7 for seven minutes late.")

    def _show_effect_of_both_delays(self, delays: list[int | None], *, can_enter_forfeit: bool) -> None:
        late_delays = [delay for delay in delays if delay]
        both_late = (
            len(late_delays) == len(_SIDES) and self._compute_delay_consequences(late_delays[0]) is not None
        )
        both_lose = both_late and all(
            arrival is not None and arrival.is_lost
            for arrival in map(self._compute_delay_consequences, late_delays)
        )
        self._forfeit_both_button.setVisible(can_enter_forfeit and both_lose)
        if both_late and not both_lose:
            self._both_late_label.setText(
                sheet_sentences.explain_clocks_if_both_players_late(min(late_delays), self.session.catalogue)
            )
        self._both_late_label.setVisible(both_late and not both_lose)


_PLAYERS_PER_TABLE = 2


class StartingDrawPanel(Panel):
    """The draw of tiles to decide who starts at a table. In a side event up to four players draw."""

    def __init__(self, session: Session, game: Game | None = None) -> None:
        super().__init__(session, session.catalogue.text("First player"), width=UNIT * 52)
        text, rules = session.catalogue.text, session.rules
        self._tileset = session.resources.tilesets.get(rules.tileset)
        self._draws: list[dict[int, str]] = []
        self._redrawing_players: tuple[int, ...] = ()  # players who draw again; empty: all
        self.table = NumberEdit(text("Table"), value=game.table if game else None, width=ROW * 2)
        self.tiles = tuple(LineEdit("") for _ in range(max(_PLAYERS_PER_TABLE, rules.most_players)))
        self._names = tuple(fields.make_label() for _ in self.tiles)
        self._rules = fields.make_note_label(
            sheet_sentences.describe_starting_draw_rules(rules, session.catalogue)
        )
        self._earlier_draws = fields.make_note_label()
        self.decision = fields.make_label("", "lead", wrap=True)
        self._explanation = fields.make_note_label()
        self.record_button = fields.make_button(text("Record who starts"), self._save_starter, role="primary")
        self._build_form()
        self.setFocusProxy(self.tiles[0] if game is not None else self.table)

    def refresh_panel(self) -> None:
        if self.session.division is None:
            self.closed.emit()
            return
        for index, field in enumerate(self.tiles):
            name = self._get_player_name(index)
            self._names[index].setText(name)
            field.setAccessibleName(self.text("Tile drawn by {player}", player=name))
        self._show_tile_draw_outcome()

    def restart_tile_draw(self) -> None:
        self._draws, self._redrawing_players = [], ()
        self._earlier_draws.hide()
        for field in self.tiles:
            field.clear()
            field.setEnabled(True)
        self.tiles[0].setFocus()

    # --- build

    def _build_form(self) -> None:
        text, form = self.session.catalogue.text, FormLayout(self.table)
        for index, (name, field) in enumerate(zip(self._names, self.tiles, strict=True)):
            field.setMaximumWidth(scale_pixels(ROW * 2))
            field.setMaxLength(4)
            if index >= _PLAYERS_PER_TABLE:
                field.setPlaceholderText("–")
            name.setBuddy(field)
            line = form.rowCount()
            form.addWidget(name, line, 0)
            form.addWidget(field, line, 1, Qt.AlignmentFlag.AlignLeft)
            field.textChanged.connect(self._show_tile_draw_outcome)
            field.returnPressed.connect(partial(self._focus_next_tile_field_or_end_tile_draw, index))
        self.table.textChanged.connect(self.refresh_panel)
        self.table.returnPressed.connect(self.tiles[0].setFocus)
        self._earlier_draws.hide()
        buttons = fields.make_row(
            fields.make_button(
                text(C_("draw for the first turn", "Start the draw again")), self.restart_tile_draw
            ),
            1,
            self.record_button,
        )
        fields.add_parts_to_layout(
            self.body, self._rules, form, self._earlier_draws, self.decision, self._explanation, buttons, 1
        )

    # --- outcome

    def _get_game_at_typed_table(self) -> Game | None:
        return find_published_game_at_table(
            self.session, self.session.round_number, self.table.get_number_or_none()
        )

    def _get_player_name(self, player_index: int) -> str:
        game = self._get_game_at_typed_table()
        if game is not None and player_index < _PLAYERS_PER_TABLE:
            return map_players_with_distinct_names(self.session.index)[
                (game.first, game.second)[player_index]
            ].name
        return self.text("Player {number}", number=player_index + 1)

    def _list_player_indexes_in_tile_draw(self) -> tuple[int, ...]:
        if self._redrawing_players:
            return self._redrawing_players
        return tuple(
            index for index, field in enumerate(self.tiles) if index < _PLAYERS_PER_TABLE or field.text().strip()
        )

    def _read_tiles_from_fields(self) -> dict[int, str]:
        return {
            index: self.tiles[index].text().strip().upper() for index in self._list_player_indexes_in_tile_draw()
        }

    def _find_draw_outcome(self) -> StartingDrawOutcome | None:
        tiles = self._read_tiles_from_fields()
        if self._tileset is None or not all(tiles.values()):
            return None
        return find_starter_by_tile_draws(self.session.rules, self._tileset, [*self._draws, tiles])

    def _show_tile_draw_outcome(self) -> None:
        decision, explanation, first = "", "", None
        try:
            outcome = self._find_draw_outcome()
        except CommandError as error:
            decision, outcome = self._describe_tile_error(error), None
        if outcome is not None and outcome.starter is not None:
            first = outcome.starter
            decision = self.text("{player} starts.", player=self._get_player_name(first))
            explanation = self._explain_impossible_tile_draw()
        elif outcome is not None:
            decision = self.text(
                "These players draw a tile again: {players}.",
                players=" · ".join(map(self._get_player_name, outcome.redrawing_players)),
            )
            explanation = self.text("Press Enter, then type the new tiles.")
        self.decision.setText(decision)
        self._explanation.setText(explanation)
        self.record_button.setVisible(first is not None)
        self.record_button.setEnabled(
            first is not None and not self._explain_impossible_tile_draw() and self.session.is_editable
        )
        if first is not None:
            self.record_button.setText(self.text("Let {player} start", player=self._get_player_name(first)))

    def _describe_tile_error(self, error: CommandError) -> str:
        if error.code != "tile-over-used":
            return self.session.catalogue.describe_error(error)
        text, tile = self.session.catalogue.text, error.facts["detail"]
        return text("The tile set does not have that many {tile} tiles.", tile=tile)

    def _explain_impossible_tile_draw(self) -> str:
        text, game = self.session.catalogue.text, self._get_game_at_typed_table()
        if game is None:
            return text("Choose a table to record its draw for the first turn.")
        if self.session.index.get_result(game.id) is not None:
            return text("Table {table} already has a result.", table=game.table)
        if game.start is StartDecision.ASSIGNED:
            name = map_players_with_distinct_names(self.session.index)[game.first].name
            return text(
                "{player} starts at this table. The pairing decides this, so the players do not draw tiles.",
                player=name,
            )
        return ""

    # --- keys

    def _focus_next_tile_field_or_end_tile_draw(self, field_index: int) -> None:
        empty = [
            index for index in self._list_player_indexes_in_tile_draw() if not self.tiles[index].text().strip()
        ]
        if empty:
            self.tiles[next((index for index in empty if index > field_index), empty[0])].setFocus()
            return
        try:
            outcome = self._find_draw_outcome()
        except CommandError:
            self.tiles[field_index].selectAll()
            return
        if outcome is not None and outcome.starter is None:
            self._start_next_tile_draw(outcome.redrawing_players)
        elif self.record_button.isEnabled():
            self._save_starter()

    def _start_next_tile_draw(self, tied_players: tuple[int, ...]) -> None:
        self._draws.append(self._read_tiles_from_fields())
        self._redrawing_players = tied_players
        draw_texts = [
            " · ".join(f"{self._get_player_name(index)} {tile}" for index, tile in draw.items())
            for draw in self._draws
        ]
        self._earlier_draws.setText(self.text("Tiles drawn earlier: {draws}", draws="; ".join(draw_texts)))
        self._earlier_draws.show()
        for index, field in enumerate(self.tiles):
            field.clear()
            field.setEnabled(index in tied_players)
        self.tiles[tied_players[0]].setFocus()

    def _save_starter(self) -> None:
        game, outcome = self._get_game_at_typed_table(), self._find_draw_outcome()
        if game is None or outcome is None or outcome.starter is None or outcome.starter >= _PLAYERS_PER_TABLE:
            return
        player = (game.first, game.second)[outcome.starter]
        command = partial(commands.set_starter, game=game.id, player=player)
        self.session.do(command, on_success=make_callback_for_visible_widget(self, self.closed.emit))
