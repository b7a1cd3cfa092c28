"""The assistant for a new tournament."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import uuid4

from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QCheckBox, QListWidgetItem, QStackedWidget, QWidget

from tdapp.domain import commands
from tdapp.domain.commands.rule import refuse_impossible_date
from tdapp.domain.commands.stages import MOST_GAMES, MOST_ROUNDS
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.model import DivisionId
from tdapp.domain.round_clock import (
    DEFAULT_LENGTH,
    compute_usual_round_seconds,
    parse_timetable,
    suggest_timetable_line,
)
from tdapp.domain.rule_fields import replace_rule_values
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.division_panels import MAX_TABLES, parse_numbers
from tdapp.gui.tournament.new_file import NewFileDialog, make_local_time_zone_fields, sort_presets_by_locale
from tdapp.gui.tournament.rule_form import Draft, RuleForm, RuleTextView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.scroll_body import TextListWidget, make_scroll_area
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import rule_sentences
from tdapp.i18n.phrases import TIMES_EXAMPLE, capitalize_first, describe_round_times, explain_timetable_format
from tdapp.i18n.round_times import compute_round_time, find_first_date
from tdapp.pairing import SYSTEMS
from tdapp.pairing.formats import (
    SMALLEST,
    KnockoutPlan,
    StagePlan,
    TournamentFormat,
    count_rounds_of_system,
    get_usual_knockout_size,
    plan_stages,
)

DEFAULT_ROUNDS = 7
DEFAULT_PLAYERS = 16
MAX_PLAYERS = 5000
TABLES_APART = 100  # distance of first tables if the number of players is unknown


class NewTournamentDialog(NewFileDialog):
    """Creates a tournament in three steps with a form each."""

    topic = "welcome"

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(
            session,
            text("New tournament"),
            yes=text(C_("button: the next step", "Next")),
            parent=parent,
            size=(120, 84),
        )
        self._drafts: dict[str, Draft] = {}  # changes by preset
        self._step_label = fields.make_label("", "muted", is_announced=True)
        self.check_first = fields.make_check_box(text("Pair a round only when the jury has checked all results"))
        # one page is shown at a time
        self._pages = self._build_name_step(), self._build_rules_step(), self._build_schedule_step()
        self._step_index = 0
        self.body.addWidget(self._step_label)
        for page in self._pages:
            self.body.addWidget(page, 1)
        self._back_button = fields.make_button(text("Back"), lambda: self._show_step(self._step_index - 1))
        self.buttons.insertWidget(1, self._back_button)
        self._show_step(0)

    def confirm_dialog(self) -> None:
        step = self._step_index
        sentence, field = self._find_error_in_step(step)
        if sentence:
            self.show_error(sentence, field)
        elif step < len(self._pages) - 1:
            self._show_step(step + 1)
        else:
            self._create_tournament()

    def _find_error_in_step(self, step: int) -> tuple[str, QWidget | None]:
        """Return the sentence, "" if there is no error, and the field to correct."""
        if step == 0 and not self.name.text().strip():
            return self.text("Give the tournament a name."), self.name
        if step == 0:
            try:
                refuse_impossible_date(self.date.text(), "date")
            except CommandError as error:
                return self.session.catalogue.describe_error(error), self.date
        if step == 1 and self.form is not None and not self.form.store_and_check_typed_rules():
            return self.text("A rule has an invalid value. Correct it first."), None
        return "", None

    # --- steps

    def _build_name_step(self) -> QWidget:
        self.name = LineEdit(
            self.text("Name"), placeholder=self.text(C_("example of a tournament’s name", "Open Leiden 2026"))
        )
        self.venue = LineEdit(self.text("Venue"))
        today = QDate.currentDate().toString("yyyy-MM-dd")
        self.date = LineEdit(self.text("Date"), text=self.session.catalogue.format_date(today))
        self.director = LineEdit(self.text("Director"))
        form = FormLayout(self.name, self.venue)
        form.add_field(self.date, self.text("For example 27 March 2027 or 20–24 July 2027."))
        form.add_field(self.director)
        form.setRowStretch(form.rowCount(), 1)
        return fields.wrap_in_widget(form)

    def _build_rules_step(self) -> QWidget:
        self.rules = TextListWidget(self.text("Rules"), wrap=True)
        self._presets = sort_presets_by_locale(self.session)
        for preset in self._presets:
            language = self.session.resources.names_of_parameter_values["language"].get(
                preset.language, preset.language
            )
            origin = " · ".join(filter(None, (preset.country, language)))
            sentence = rule_sentences.summarise_rules(self.session.catalogue, preset).replace("; ", ";\n")
            QListWidgetItem(f"{preset.name} · {preset.id}\n{origin}\n{sentence}", self.rules)
        self.rules.setSpacing(UNIT // 2)
        self._rules_name, self.ranking_order = (
            fields.make_label("", "lead", wrap=True),
            fields.make_label(wrap=True),
        )
        self._sentences = RuleTextView(self.session, is_unfolded=True)
        self.form: RuleForm[RuleSet] | None = None
        self._views = QStackedWidget()
        sentences = make_scroll_area(fields.make_column(self._sentences, 1))
        sentences.setAccessibleName(self.session.catalogue.text("Rules"))
        sentences.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # allow scrolling by keys
        self._views.addWidget(sentences)
        self.toggle_button = fields.make_button("", self._toggle_rules_form)
        column = fields.make_column(
            self._rules_name, self.ranking_order, self._views, fields.make_row(self.toggle_button, 1)
        )
        line = fields.make_row(self.rules, column, gap=UNIT * 3)
        line.setStretch(0, 4)
        line.setStretch(1, 5)
        self.rules.currentRowChanged.connect(self._show_chosen_rules_as_text)
        self.rules.setCurrentRow(0)
        return fields.wrap_in_widget(line)

    def _build_schedule_step(self) -> QWidget:
        text, code = self.session.catalogue.text, self.session.catalogue.translate_code
        form, appearance = FormLayout(), self.session.appearance
        self.divisions = LineEdit(text("Divisions"), text="A")
        formats = [(tournament_format, code(tournament_format)) for tournament_format in TournamentFormat]
        self.format: Choice[TournamentFormat] = Choice(
            text(C_("stages of a tournament", "Format")), formats, appearance, value=TournamentFormat.ONE
        )
        systems = [(system, capitalize_first(code(system))) for system in SYSTEMS]
        self.system: Choice[str] = Choice(text(C_("pairing", "System")), systems, appearance, value=SWISS.id)
        self.players = NumberEdit(text("Expected number of players per division"), value=DEFAULT_PLAYERS)
        self.rounds = NumberEdit(text("Rounds"), value=DEFAULT_ROUNDS)
        self.best = NumberEdit(text("Players in the knockout"), value=0)
        self.games = NumberEdit(text("Games per match"), value=1)
        self.third_place_box = fields.make_check_box(text("Play for third place"))
        self.tables = LineEdit(text("First table of each division"))
        self.schedule = fields.make_label("", "muted", wrap=True, is_announced=True)
        division_note = text("Letters, separated by commas: A, B, C.")
        self._add_field_row(form, division_note, self.divisions, self.tables)
        for field in (self.format, self.system):
            form.add_field(field)
        self._add_field_row(form, "", self.players, self.rounds)
        self._add_field_row(form, "", self.best, self.games, self.third_place_box)
        note = text("This schedule is the same for every division. You can change it at any time.")
        form.add_field(self.schedule, note, title=text("Schedule"))
        self.times = LineEdit(text("Round times"), placeholder=TIMES_EXAMPLE)
        self._start_times = fields.make_note_label()
        form.add_field(self.times, explain_timetable_format(self.session.catalogue))
        form.add_field(self._start_times)
        form.add_field(self.check_first)
        for signal in (self.format.currentIndexChanged, self.system.currentIndexChanged,
                       self.players.textChanged, self.rounds.textChanged, self.times.textEdited,
                       self.divisions.textEdited, self.best.textEdited, self.games.textEdited,
                       self.third_place_box.toggled):  # fmt: skip
            signal.connect(self._update_dependent_fields_and_schedule)
        self._update_dependent_fields_and_schedule()
        self.add_file_field(form)
        form.setRowStretch(form.rowCount(), 1)
        return fields.wrap_in_widget(form)

    @staticmethod
    def _add_field_row(form: FormLayout, note: str, first: QWidget, *other_fields: QWidget) -> None:
        line = fields.make_row(first)
        for field in other_fields:
            if not isinstance(field, QCheckBox):
                line.addWidget(fields.make_label(field.accessibleName()))
            line.addWidget(field)
        if isinstance(first, NumberEdit):
            line.addStretch(1)
        form.add_field(fields.wrap_in_widget(line), note, title=first.accessibleName())

    def _update_dependent_fields_and_schedule(self, _value: object = None) -> None:
        tournament_format, system = self.format.value() or TournamentFormat.ONE, self.system.value() or SWISS.id
        is_one_stage = tournament_format is TournamentFormat.ONE
        self.system.setEnabled(is_one_stage)
        has_fixed_rounds = is_one_stage and count_rounds_of_system(system, 2) is not None
        self.rounds.setEnabled(not has_fixed_rounds and tournament_format is not TournamentFormat.GROUPS_KNOCKOUT)
        has_free_rounds = tournament_format in {TournamentFormat.HILL, TournamentFormat.SWISS_FINAL} or (
            is_one_stage and not has_fixed_rounds
        )
        has_several_divisions = len(self._parse_division_codes()) > 1
        self.players.setEnabled(has_several_divisions or not has_free_rounds)
        self.tables.setEnabled(has_several_divisions)
        best = get_usual_knockout_size(tournament_format, self.players.get_number_or_none() or 0)
        if not self.best.isModified():
            self.best.setText(str(best or ""))
        self.best.setEnabled(best > 0)
        self.games.setEnabled(best > 0)
        self.third_place_box.setEnabled(best > 0 and (self.best.get_number_or_none() or 0) >= SMALLEST)
        if not self.tables.isModified():
            self.tables.setText(", ".join(map(str, self._propose_first_table_of_each_division())))
        for field in (
            self.system,
            self.rounds,
            self.players,
            self.best,
            self.games,
            self.third_place_box,
            self.tables,
        ):
            field.setToolTip("" if field.isEnabled() else self.text("Not needed for this format and system."))
        stages = self._make_stage_plans()
        self.schedule.setText("\n".join(self._describe_stages(stages)) if stages else "–")
        self.schedule.setAccessibleName(f"{self.text('Schedule')}: {self.schedule.text()}")
        self._update_timetable(sum(stage.rounds for stage in stages))

    def _update_timetable(self, round_count: int) -> None:
        if not self.times.isModified():
            length = compute_usual_round_seconds(self._get_preset_with_changes().clock) or DEFAULT_LENGTH
            self.times.setText(suggest_timetable_line(round_count, length) if round_count else "")
        try:
            runs = parse_timetable(self.times.text())
        except CommandError as error:
            self._start_times.setText(self.session.catalogue.describe_error(error))
            return
        round_times = (compute_round_time(runs, number, self.date.text()) for number in range(1, round_count + 1))
        self._start_times.setText(
            describe_round_times(
                self.session.catalogue, [round_time for round_time in round_times if round_time is not None]
            )
        )

    def _make_stage_plans(self) -> tuple[StagePlan, ...]:
        if self._find_number_out_of_bounds() is not None:
            return ()
        players, rounds = self.players.get_number_or_none() or 0, self.rounds.get_number_or_none() or 0
        knockout = KnockoutPlan(
            self.best.get_number_or_none() or 0,
            self.games.get_number_or_none() or 1,
            self.third_place_box.isEnabled() and self.third_place_box.isChecked(),
        )
        tournament_format, system = self.format.value() or TournamentFormat.ONE, self.system.value() or SWISS.id
        return plan_stages(tournament_format, players=players, rounds=rounds, system=system, knockout=knockout)

    def _find_number_out_of_bounds(self) -> tuple[NumberEdit, int, int] | None:
        """Return the field and its lowest and highest number."""
        bounds = (
            (self.players, 1, MAX_PLAYERS),
            (self.rounds, 1, MOST_ROUNDS),
            (self.best, 2, MAX_PLAYERS),
            (self.games, 1, MOST_GAMES),
        )
        for field, lowest, highest in bounds:
            if field.isEnabled() and not lowest <= (field.get_number_or_none() or 0) <= highest:
                return field, lowest, highest
        return None

    def _parse_division_codes(self) -> tuple[str, ...]:
        return tuple(code.strip() for code in self.divisions.text().split(",") if code.strip())

    def _propose_first_table_of_each_division(self) -> tuple[int, ...]:
        count = len(self._parse_division_codes())
        tables_per_division = -(-(self.players.get_number_or_none() or 0) // 2) if self.players.isModified() else 0
        return tuple(1 + position * (tables_per_division or TABLES_APART) for position in range(count))

    def _describe_stages(self, stages: Sequence[StagePlan]) -> Iterator[str]:
        text, first = self.session.catalogue.text, 1
        for stage in stages:
            last = first + stage.rounds - 1
            rounds = text("Round {first}", first=first) if first == last else text(
                "Rounds {first}–{last}", first=first, last=last)  # fmt: skip
            parts = [self.session.catalogue.translate_code(stage.system)]
            if stage.settings.groups > 1:
                parts.append(text("{n} groups", n=stage.settings.groups))
            if stage.cut:
                parts.append(text("the top {n} players", n=stage.cut))
            if stage.settings.third_place:
                parts.append(text("match for third place"))
            if stage.settings.series > 1:
                parts.append(text("best of {n}", n=stage.settings.series))
            yield f"{rounds}: {', '.join(parts)}"
            first = last + 1

    # --- navigation

    def _show_step(self, step: int) -> None:
        titles = (self.text("Name and venue"), self.text("Rules"), self.text("Divisions and rounds"))
        self._step_index = step
        for index, page in enumerate(self._pages):
            page.setVisible(index == step)
        facts = {"number": step + 1, "count": len(titles), "title": titles[step]}
        self._step_label.setText(self.text("Step {number} of {count}: {title}", **facts))
        self._back_button.setVisible(step > 0)
        last = step == len(titles) - 1
        self.yes.setText(
            self.text("Create tournament") if last else self.text(C_("button: the next step", "Next"))
        )
        self.show_error("")
        if last:
            self._update_dependent_fields_and_schedule()
        if last:
            self.propose_file_path(self.name.text())
        (self.name, self.rules, self.divisions)[step].setFocus()
        if self.rules.isVisible():  # on focus Qt announces only the name of the list
            announce_text(self.rules, self.rules.currentItem().text())

    def _show_chosen_rules_as_text(self, _index: int = 0) -> None:
        if self.form is not None:
            self._views.removeWidget(self.form)
            self.form.deleteLater()
            self.form = None
        rules = self._get_preset_with_changes()
        self._rules_name.setText(rules.name)
        self.check_first.setChecked(rules.judges.check_first)
        order = rule_sentences.describe_ranking_order(
            self.session.catalogue, rules.get_tiebreak_order_for_system(SWISS.id)
        )
        self.ranking_order.setText(self.text("Ranking order: {order}", order=order))
        self._sentences.show_rules(rules)
        self.toggle_button.setText(self.text("Change rules for this tournament"))

    def _toggle_rules_form(self) -> None:
        if self.form is not None:
            if self.form.store_and_check_typed_rules():
                self._show_chosen_rules_as_text()
            return
        preset = self._get_chosen_preset()
        draft = self._drafts.setdefault(preset.id, {})
        self.form = RuleForm(self.session, preset, draft, can_choose_preset=False)
        self._views.setCurrentIndex(self._views.addWidget(self.form))
        self.toggle_button.setText(self.text("Show the rules in words"))
        self.form.setFocus()

    def _get_chosen_preset(self) -> RuleSet:
        return self._presets[self.rules.currentRow()]

    def _get_preset_with_changes(self) -> RuleSet:
        preset = self._get_chosen_preset()
        return replace_rule_values(preset, self._drafts.get(preset.id, {}))

    def _read_date(self) -> str:
        """Return the typed date, if possible in ISO format, such as 2027-03-27."""
        # convert only a date typed as the program shows dates: an ISO date can be shown in any language
        day, text = find_first_date(self.date.text()), self.date.text()
        return day.isoformat() if day is not None and self.session.catalogue.format_date(day) == text else text

    def _create_tournament(self) -> None:
        codes = self._parse_division_codes()
        if not codes:
            self.show_error(self.text("Type at least one division."), self.divisions)
            return
        stages = self._make_stage_plans()
        if number_out_of_bounds := self._find_number_out_of_bounds():
            number_edit, lowest, highest = number_out_of_bounds
            self.show_error(
                self.text("Type a number from {low} to {high}.", low=lowest, high=highest), number_edit
            )
            return
        event_details = {"place": self.venue.text(), "date": self._read_date(), "director": self.director.text()}
        rules, check_first = self._get_preset_with_changes(), self.check_first.isChecked()
        event_details |= make_local_time_zone_fields()
        try:
            tables = parse_numbers(self.tables.text(), least_in_error=1, most_in_error=MAX_TABLES)
            value = build_planned_tournament(self.name.text(), rules, event_details=event_details, codes=codes,
                            stages=stages, check_first=check_first, timetable=self.times.text(),
                            first_tables=tables)  # fmt: skip
        except UserError as error:
            field = self.rounds if error.facts.get("field") == "rounds" else self.divisions
            field = self.times if error.code.startswith("times-") else field
            self.show_error(self.session.catalogue.describe_error(error), field)
            return
        self.create_file(value)


def build_planned_tournament(
    name: str,
    rules: RuleSet,
    *,
    event_details: Mapping[str, str],
    codes: tuple[str, ...],
    stages: Sequence[StagePlan],
    check_first: bool = False,
    timetable: str = "",
    first_tables: Sequence[int] = (),
) -> Tournament:
    """Build a tournament. Raises CommandError for invalid values.

    All divisions get `stages` and `timetable`. `codes` and `first_tables` have one item for each division, but
    `first_tables` may be shorter. `check_first` requires the jury's check before pairing.
    """
    key = uuid4().hex[:16]
    tournament = commands.new_tournament(key=key, name=name, ruleset=rules, seed=int(key[:6], 16) + 1)
    tournament = commands.set_check_first(
        commands.edit_event(tournament, **event_details), check_first=check_first
    )
    for position, code in enumerate(codes, 1):
        division = DivisionId(f"{key}.d{position}")
        first_table = first_tables[position - 1] if position <= len(first_tables) else None
        tournament = commands.add_division(tournament, key=division, code=code, first_table=first_table)
        tournament = commands.set_times(tournament, division=division, times=timetable)
        for number, stage in enumerate(stages, 1):
            tournament = commands.add_stage(
                tournament, key=f"{key}.s{position}.{number}", division=division, system=stage.system,
                rounds=stage.rounds, settings=stage.settings, cut=stage.cut, carry=stage.carry,
            )  # fmt: skip
    return tournament
