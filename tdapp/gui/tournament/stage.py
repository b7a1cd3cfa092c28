"""Panels of a stage: its settings, and ties for qualification."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import fields as parts_of
from msgspec.structs import replace
from PySide6.QtWidgets import QCheckBox

from tdapp.domain import commands
from tdapp.domain.bracket import CutTie, find_cut_ties, find_stage_players, list_stage_players_in_pairing_order
from tdapp.domain.commands import Command
from tdapp.domain.commands.stages import AVOIDABLE
from tdapp.domain.dates import EXAMPLE_DATE
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import count_knockout_rounds_needed
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.systems import find_system_or_placeholder
from tdapp.domain.teams import count_rounds_for_all_teams_to_meet, list_stage_teams
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import FieldForm
from tdapp.gui.editor.fields import (
    CheckBoxControl,
    CheckBoxListControl,
    DateControl,
    FormField,
    NumberControl,
    NumberListControl,
    Values,
)
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import make_scroll_area
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.pairing import SYSTEMS

WIDTH = UNIT * 56  # wide enough for every choice
MAX_VALUE = 200


class PercentageListControl(NumberListControl):
    """Percentages. The stored value of 1 % is 10."""

    unit = 10


class ScaledNumberControl(NumberListControl):
    """One number. The stored value is the number times `unit`."""

    def parse_field_text(self, text: str) -> Any:
        numbers = super().parse_field_text(text)
        if len(numbers) > 1:
            raise CommandError("bad-number", value=text, least=self.least, most=self.field.maximum)
        return numbers[0]

    def write_value(self, value: Any) -> None:
        super().write_value((value,))


class PercentageControl(ScaledNumberControl):
    """A percentage. The stored value of 1 % is 10."""

    unit = 10


class RoundCountControl(ScaledNumberControl):
    """A number of rounds, at least 0."""

    least = 0


class StagePanel(Panel):
    """Settings of a stage, saved together as one change."""

    def __init__(self, session: Session, stage: StageId) -> None:
        super().__init__(session, session.catalogue.text("Stage"))
        self._stage = stage
        row = self._find_stage()
        self._players = _count_available_players(session.index, row) if row is not None else 0
        self._teams = list_stage_teams(session.index, row) if row is not None else {}
        self.form = FieldForm(session, self._make_form_fields(row), PairingSettings)
        self.needed = fields.make_note_label()
        self._needed_rounds: int | None = None  # needed rounds at the last count, 0 if the director chooses
        save_button = fields.make_button(self.text("Save"), self.save_stage, role="primary")
        remove_stage = partial(session.do, partial(commands.remove_stage, stage=stage))
        remove_button = fields.make_button(self.text("Remove stage"), remove_stage)
        column = fields.make_column(self.form, self.needed, 1, margins=(0, 0, UNIT, 0))
        fields.add_parts_to_layout(
            self.body, make_scroll_area(column), fields.make_row(remove_button, 1, save_button)
        )
        self.setMinimumWidth(WIDTH)
        self.form.changed.connect(self._propose_round_count)
        self.form.submitted.connect(self.save_stage)
        if row is not None:
            self._fill_form(row)

    def get_field_widget(self, name: str) -> Any:
        return self.form.get_widget(name)

    def refresh_panel(self) -> None:
        if self._find_stage() is None:
            self.closed.emit()

    # --- form

    def _make_form_fields(self, row: Stage | None) -> list[FormField]:
        text, code = self.session.catalogue.text, self.session.catalogue.translate_code
        format_short_date = self.session.catalogue.format_short_date
        evening = row is not None and row.evening
        has_earlier_stage = (
            row is not None and not row.play_off and self.session.index.stages(row.division)[0] != row
        )
        has_earlier_stage = has_earlier_stage and not evening
        systems = [
            (name, code(name))
            for name, declared_system in SYSTEMS.items()
            if declared_system.system.evenings or not evening
        ]
        supports_style, supports_repeats, supports_starts = (
            _make_function_to_test_setting_support("style"),
            _make_function_to_test_setting_support("repeats_from"),
            _make_function_to_test_setting_support("guard_starts"),
        )
        return [
            FormField(name="system", label=text(C_("pairing", "System")), options=lambda _: systems),
            FormField(name="rounds", label=text("Rounds"), control=NumberControl, maximum=MAX_VALUE,
                      is_shown=lambda _: not evening),
            FormField(name="date", label=text("Date"), value="", control=DateControl,
                      hint=format_short_date(EXAMPLE_DATE, "yMd"), is_shown=lambda _: evening),
            FormField(name="name", label=text("Name"), value="", is_shown=lambda _: evening),
            FormField(name="cut", label=text("Number of top players in this stage"), hint=text("all"),
                      control=NumberControl, value=0, maximum=MAX_VALUE,
                      new_block=True, is_shown=lambda _: has_earlier_stage,
                      note=text("Only this many players from the top of the standings play in this stage. The "
                                "other players are out.")),
            FormField(name="anew", label=text("Standings start from zero"), control=CheckBoxControl,
                      is_shown=lambda _: has_earlier_stage,
                      tip=text("Meetings, starts and byes from earlier stages still count for the pairings.")),
            FormField(name="boards", label=text("Boards in a team match"), maximum=MAX_VALUE,
                      note=text("Each team plays a match with this many players. 0: no team matches; players are "
                          "paired individually."), is_shown=_make_function_to_test_setting_support("boards")),
            FormField(name="groups", label=text("Groups"), maximum=MAX_VALUE,
                      is_shown=_make_function_to_test_setting_support("groups"),
                      note=text("Players are divided among the groups by snake seeding. Each group plays a round "
                          "robin.")),
            FormField(name="behind", label=text("Pair on the standings from this many rounds ago"),
                      maximum=MAX_VALUE,
                      note=text("For example 1: round 5 can be paired while round 4 is being played."),
                      is_shown=_make_function_to_test_setting_support("behind")),
            FormField(name="quarters", new_block=True, label=text("Which quarters of the standings meet"),
                      is_shown=_make_function_to_test_setting_support("quarters")),
            FormField(name="factor", label=text("Place difference (factor)"),
                      hint=text(C_("used for an empty field", "number of rounds left")), width=ROW * 4,
                      maximum=MAX_VALUE, is_shown=_make_function_to_test_setting_support("factor")),
            FormField(name="avoid", new_block=True,
                      label=text(C_("followed by: club, country, team", "Avoid pairing players from the same")),
                      control=CheckBoxListControl,
                      is_shown=supports_style,
                      options=lambda _: [(group_kind, code(group_kind)) for group_kind in AVOIDABLE]),
            FormField(name="avoid_until", label=text("Last round to avoid these pairings"),
                      note=text("Leave empty to avoid these pairings in every round."), maximum=MAX_VALUE,
                      is_shown=supports_style),
            FormField(name="style", new_block=True, label=text("Pairing within a score group"),
                      is_shown=supports_style),
            FormField(name="repeats_from", label=text("Ignore meetings before round"), new_block=True,
                      maximum=MAX_VALUE, is_shown=supports_repeats),
            FormField(name="max_repeats", label=text("Repeats allowed"), maximum=MAX_VALUE,
                      is_shown=supports_repeats, is_enabled=_make_function_to_test_setting_support("max_repeats")),
            FormField(name="seats", label=text("Seeds by player number"),
                      hint=text(C_("used for an empty field", "by rating or by standings")),
                      new_block=True, is_shown=_has_system_with_typed_seeds,
                      note=text("Player numbers, top seed first: 4 1 7 2.")),
            FormField(name="level_rounds", label=text("Number of last rounds with strictly balanced starts"),
                      maximum=MAX_VALUE, new_block=True, width=ROW * 2, is_shown=supports_starts,
                      tip=text("In these rounds, a player’s starts and replies differ by at most one, "
                               "even if score differences become larger.")),
            *self._make_prize_pairing_fields(),
            *self._make_knockout_fields(),
            FormField(name="guard_starts", label=text("Balanced starts matter more than score differences"),
                      new_block=True,
                      is_shown=supports_starts),
            FormField(name="draw_starts", label=text("The tiles decide who starts"),
                      is_shown=_make_function_to_test_setting_support("draw_starts")),
            FormField(name="double", label=text("Every pair meets twice"),
                      is_shown=_make_function_to_test_setting_support("double")),
        ]  # fmt: skip

    def _make_prize_pairing_fields(self) -> list[FormField]:
        text, supports_prizes = self.session.catalogue.text, _make_function_to_test_setting_support("contention")
        return [
            FormField(name="hopefulness", label=text("Contender for a place: minimum chance, %"),
                      spoken_name=text("Contender for a place: minimum chance"),
                      new_block=True, control=PercentageListControl, value=(), maximum=100,
                      is_shown=supports_prizes,
                      note=text(
                          "A player is a contender for a place if the player reaches it, or a better "
                          "one, in at least this percentage of the simulations. Type the value for the "
                          "last round first, then those for earlier rounds.")),
            FormField(name="gibson_spread", label=text("Largest spread gain in one game"),
                      spoken_name=text("Largest spread gain in one game"),
                      control=NumberListControl, value=(), maximum=2_000, is_shown=supports_prizes,
                      note=text("The largest spread that a player can gain in one game. Start with the "
                                "value for the last round, then the earlier rounds.")),
            FormField(name="control_loss",
                      label=text("Meet the leader if it raises the chance to win by at least, %"),
                      maximum=100, width=ROW * 3,
                      control=PercentageControl,
                      spoken_name=text("Meet the leader if it raises the chance to win by at least"), value=0,
                      is_shown=supports_prizes,
                      note=text("The program simulates two cases for a player who wins all remaining "
                                "games: with and without a game against the leader. If that game "
                                "raises the player’s chance to win the tournament by at least this "
                                "many percentage points, the two are paired.")),
            FormField(name="control_rounds", label=text("Number of last rounds with this rule"),
                      control=RoundCountControl, value=0, maximum=MAX_VALUE, width=ROW * 3,
                      is_shown=supports_prizes),
            FormField(name="top_down_byes", label=text("Give byes to the highest rank first"),
                      control=CheckBoxControl, is_shown=supports_prizes),
            FormField(name="repeat_byes", label=text("Ignore earlier byes when giving byes"),
                      control=CheckBoxControl, is_shown=supports_prizes),
        ]  # fmt: skip

    def _make_knockout_fields(self) -> list[FormField]:
        text, supports_elimination = (
            self.session.catalogue.text,
            _make_function_to_test_setting_support("elimination"),
        )
        single_eliminations = {EliminationKind.SINGLE, EliminationKind.CONSOLATION}
        return [
            FormField(name="elimination", new_block=True, label=text("Knockout"), is_shown=supports_elimination),
            FormField(name="third_place", label=text("Play for third place"),
                      is_shown=lambda values: (
                          supports_elimination(values) and values["elimination"] in single_eliminations
                      )),
            FormField(name="series", label=text("Games per match"), maximum=MAX_VALUE,
                      is_shown=supports_elimination,
                      note=text("Each game is a round. With 3, the first to win two games goes on.")),
            FormField(name="aggregate", label=text("Play all games in a match; the total spread decides"),
                      is_shown=supports_elimination),
        ]  # fmt: skip

    def _fill_form(self, row: Stage) -> None:
        number = self.session.index.stages(row.division).index(row) + 1
        self.heading.setText(self.text("Stage {number}", number=number))
        self.form.refresh_fields()
        self.form.fill_from_rows(row, row.settings, row.settings.contention)
        self.get_field_widget("anew").setChecked(not row.carry)
        self.get_field_widget("seats").setText(self._format_seed_numbers(row))
        self._propose_round_count()

    def _propose_round_count(self) -> None:
        """Propose the number of rounds that the stage needs, unless the user has typed a number."""
        values, plural = self.form.get_values_with_none_if_invalid(), self.session.catalogue.plural
        system, players = (
            find_system_or_placeholder(values["system"]),
            min(self._players, values["cut"] or self._players),
        )
        rounds = 0
        if system.is_knockout and values["series"] is not None and players > 1:
            rounds = count_knockout_rounds_needed(
                players, _replace_settings_with_typed_values(PairingSettings(), values)
            )
            self.needed.setText(plural("{players} players need {n} round.", "{players} players need {n} rounds.",
                                       rounds, players=players))  # fmt: skip
        elif system.team_schedule and (
            rounds := count_rounds_for_all_teams_to_meet(self._teams, values["boards"] or 0)
        ):
            self.needed.setText(plural("The teams need {n} round.", "The teams need {n} rounds.", rounds))
        self.needed.setVisible(rounds > 0)
        old_needed_rounds = self._needed_rounds
        if rounds or not system.is_knockout:
            self._needed_rounds = rounds
        if rounds and rounds != old_needed_rounds and old_needed_rounds in {0, values["rounds"]}:
            self.get_field_widget("rounds").setText(str(rounds))

    # --- save

    def save_stage(self) -> None:
        row = self._find_stage()
        values = self.form.validate_values(include_hidden=True) if row is not None else None
        if row is None or values is None:
            return
        try:
            seeded_players = (
                self._parse_changed_seed_order(row, values["seats"])
                if _has_system_with_typed_seeds(values)
                else None
            )
        except CommandError as error:
            self.session.show_error(error, self.get_field_widget("seats"))
            return
        settings = _replace_settings_with_typed_values(row.settings, values)
        command = partial(
            commands.edit_stage,
            stage=row.id,
            system=values["system"],
            rounds=values.get("rounds", row.rounds),
            settings=replace(
                settings, contention=_replace_settings_with_typed_values(settings.contention, values)
            ),
            cut=values["cut"],
            carry=not values["anew"],
            name=values["name"],
            date=values["date"],
            key=self.session.make_row_id(),
            seats=seeded_players,
        )
        self.session.do(
            command,
            field=self.get_field_widget("date" if row.evening else "rounds"),
            on_success=make_callback_for_visible_widget(self, self.closed.emit),
        )

    def _find_stage(self) -> Stage | None:
        return self.session.tournament.stages.get(self._stage)

    def _format_seed_numbers(self, row: Stage) -> str:
        players = self.session.tournament.players
        return " ".join(str(players[seed.player].number) for seed in self.session.index.seeds(row.id))

    def _parse_changed_seed_order(self, row: Stage, text: str) -> tuple[PlayerId, ...] | None:
        """Return the players with the typed numbers in seed order, None if the seeds are unchanged.

        Raises CommandError for an unknown number.
        """
        typed_numbers = text.replace(",", " ").split()
        if " ".join(typed_numbers) == self._format_seed_numbers(row):
            return None
        players_by_number = {str(player.number): player.id for player in self.session.index.players(row.division)}
        unknown_numbers = [number for number in typed_numbers if number not in players_by_number]
        if unknown_numbers:
            raise CommandError("no-such-player", player=unknown_numbers[0])
        return tuple(players_by_number[number] for number in typed_numbers)


def _count_available_players(index: TournamentIndex, stage: Stage) -> int:
    first = index.get_first_round_number(stage.id)
    players = list_stage_players_in_pairing_order(index, replace(stage, cut=None))
    return sum(not index.has_withdrawn_by_round(player, first) for player in players)


def _make_function_to_test_setting_support(setting: str) -> Callable[[Values], bool]:
    return lambda values: find_system_or_placeholder(values["system"]).supports_setting(setting)


def _has_system_with_typed_seeds(values: Values) -> bool:
    return find_system_or_placeholder(values["system"]).has_seats


def _replace_settings_with_typed_values(settings: Any, values: Values) -> Any:
    names = {parameter.name for parameter in parts_of(settings)}
    return replace(settings, **{name: value for name, value in values.items() if name in names})


class TiesAtCutPanel(Panel):
    """Resolves ties for the last qualifying rank (the cut): by play-off games, lot, or the director's choice."""

    def __init__(self, session: Session, stage: StageId) -> None:
        super().__init__(session, session.catalogue.text("Players tied at the cut"))
        self._stage = stage
        self._ties: tuple[CutTie, ...] = ()
        self._tie_text = fields.make_label(wrap=True)
        self._list = fields.make_column()
        self._boxes: dict[PlayerId, QCheckBox] = {}
        play_off, draw = (
            partial(self._run_command_on_tie_at_cut, commands.insert_play_off),
            partial(self._run_command_on_tie_at_cut, commands.draw_cut),
        )
        self.play_off = fields.make_button(self.text("Add a play-off"), play_off, role="primary")
        self.draw = fields.make_button(self.text("Draw by lot"), draw)
        self.by_hand = fields.make_button(self.text("Advance the ticked players"), self._advance_ticked_players)
        self._ticked_label = fields.make_label("", "muted")
        note = self.text(
            "The play-off is a separate knockout before the cut. It decides only this "
            "tie, but its games also count for ratings."
        )
        lot = self.text("The draw uses the tournament’s random seed, so it is the same on every computer.")
        fields.add_parts_to_layout(
            self.body, self._tie_text, -1,
            self.play_off, fields.make_note_label(note), self.draw, fields.make_note_label(lot), -1,
            fields.make_separator(), fields.make_label(self.text("Or tick the players who go on:")),
            make_scroll_area(fields.make_column(self._list, 1), sideways=True), self._ticked_label, self.by_hand,
        )  # fmt: skip
        self.setFocusProxy(self.play_off)
        self.refresh_panel()

    def refresh_panel(self) -> None:
        stage = self.session.tournament.stages.get(self._stage)
        ties = find_cut_ties(self.session.index, stage) if stage is not None else ()
        for button in (self.play_off, self.draw):
            button.setEnabled(bool(ties) and self.session.is_editable)
        if ties != self._ties:
            self._ties = ties
            self._fill_form()
        self._show_ticked_count()
        if not ties:
            self.closed.emit()

    def _fill_form(self) -> None:
        plural, first = self.session.catalogue.plural, self.session.index.get_first_round_number(self._stage)
        fields.clear_layout(self._list)
        self._boxes = {}
        for tie in self._ties:
            message = plural(
                "{all} players are equal on every tie-break, but only {n} can go on to round {round}.",
                "{all} players are equal on every tie-break, but only {n} can go on to round {round}.",
                tie.places,
                all=len(tie.players),
                round=first,
            )
            if tie == self._ties[0]:
                self._tie_text.setText(message)
            else:
                self._list.addWidget(fields.make_note_label(message))
            for player in tie.players:
                row = self.session.tournament.players[player]
                box = self._boxes[player] = fields.make_check_box(f"{row.number}  {row.name}")
                box.toggled.connect(self._show_ticked_count)
                self._list.addWidget(box)

    def _show_ticked_count(self, _is_checked: bool = False) -> None:
        ticked_counts = [sum(self._boxes[player].isChecked() for player in tie.players) for tie in self._ties]
        place_counts = [tie.places for tie in self._ties]
        self._ticked_label.setText(
            self.text("{ticked} of {wanted} ticked", ticked=sum(ticked_counts), wanted=sum(place_counts))
        )
        self.by_hand.setEnabled(ticked_counts == place_counts and self.play_off.isEnabled())

    def _run_command_on_tie_at_cut(self, command: Command, **arguments: Any) -> None:
        self.session.do(partial(command, key=self.session.make_row_id(), stage=self._stage, **arguments))

    def _advance_ticked_players(self) -> None:
        stage, index = self.session.tournament.stages[self._stage], self.session.index
        qualified_players = find_stage_players(index, stage) - {
            player for tie in self._ties for player in tie.players
        }
        qualified_players |= {player for player, box in self._boxes.items() if box.isChecked()}
        players = tuple(
            player
            for player in list_stage_players_in_pairing_order(index, replace(stage, cut=None))
            if player in qualified_players
        )
        self._run_command_on_tie_at_cut(commands.set_seeds, players=players)
