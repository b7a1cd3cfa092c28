"""The season on the Standings page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.model import Division, PlayerId, Season, SeasonId
from tdapp.domain.persons import find_same_person_questions
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.season_table import SeasonLine
from tdapp.domain.seasons import (
    compute_season_lines,
    find_division_season,
    find_member_key,
    find_season,
    list_results_needed_by_player,
    list_season_evenings,
)
from tdapp.domain.tables.seasons import (
    MemberEveningRow,
    make_evenings_by_member_table,
    make_season_list_table,
    make_season_table,
)
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_, N_
from tdapp.exchange.season_grid import read_season_grid
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import CheckBoxControl, ChoiceControl, DateControl, FormField, NumberControl, Values
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.season_events import SeasonEventsPanel
from tdapp.gui.standings.season_rules import SeasonRuleDrafts, SeasonRulesPanel
from tdapp.gui.standings.standings_view import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.season_sentences import (
    compute_sorted_season_lines,
    describe_evening_result,
    describe_needed_results,
    describe_same_person_question,
    describe_season_rank,
    describe_season_rule,
    format_season_table_as_chat_message,
)

ALL_DATES = ""
_MAX_NEEDED_RESULTS, _MAX_CELLS = 3, 4


class SeasonViewWithDateChoice(StandingsView):
    """A view of a season on a chosen date, initially the newest season on its last date."""

    topic = "season"
    ignores_round = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.season: Choice[SeasonId] = Choice(self.text("Season"), [], session.appearance)
        self.date: Choice[str] = Choice(self.text("Date"), [], session.appearance)
        for choice in (self.season, self.date):
            choice.currentIndexChanged.connect(self.refresh_view)
        self.no_season = self.text(
            "No seasons yet.\nUse Standings > Seasons… to create one from the evenings in this file."
        )

    def make_title(self, division: Division, after: int) -> str:
        season = self.find_shown_season() or find_division_season(self.session.index, division.id)
        return super().make_title(division, after) if season is None else season.name

    def find_shown_season(self) -> Season | None:
        return self.session.tournament.seasons.get(self.season.value() or SeasonId(""))

    def get_date_of_shown_standings(self) -> str:
        return self.date.value() or ALL_DATES

    def show_table(self, division: Division, after: int) -> None:
        seasons = [
            listed_season
            for listed_season in self.session.index.listed_seasons
            if listed_season.division in {None, division.id}
        ]
        season_ids = {listed_season.id for listed_season in seasons}
        last = seasons[-1].id if seasons else SeasonId("")
        chosen_id = self.season.value()
        self.season.set_choices(
            [(listed_season.id, listed_season.name) for listed_season in seasons],
            chosen_id if chosen_id in season_ids else last,
        )
        season = self.find_shown_season()
        self.season.setVisible(len(seasons) > 1)
        self.date.setVisible(season is not None)
        if season is not None:
            self._update_date_choice(season)
        self.show_season(season, self.get_date_of_shown_standings())

    def show_season(self, season: Season | None, date: str) -> None:
        raise NotImplementedError

    def list_season_dates(self, season: Season) -> Iterable[str]:
        return (evening.date for evening in list_season_evenings(self.session.index, season))

    def _update_date_choice(self, season: Season) -> None:
        catalogue, chosen_date = self.session.catalogue, self.get_date_of_shown_standings()
        dates = sorted({date for date in self.list_season_dates(season) if date})
        choices = [(ALL_DATES, catalogue.text("After the last evening"))]
        choices += [(date, catalogue.format_date(date)) for date in reversed(dates[:-1])]
        self.date.set_choices(choices, chosen_date if chosen_date in dates[:-1] else ALL_DATES)


class SeasonView(SeasonViewWithDateChoice):
    """The table of a season."""

    view_id = "season"
    choice_text = N_("Season")
    page_heading = N_("Season")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key, tone=_choose_row_tone)
        self.view = TableView(
            self.rows, appearance=session.appearance, name=self.text("Season"), empty=self.no_season
        )
        self.view.disable_sorting()
        self.view.set_widths(
            {"rank": UNIT * 7, "moved": UNIT * 9, "number": UNIT * 6, "category": UNIT * 9,
             "season_total": UNIT * 10, "season_evenings": UNIT * 9, "games": UNIT * 8, "average": UNIT * 10,
             "spread": UNIT * 10},
            stretch=("name", "season_results"),
        )  # fmt: skip
        self.view.hide_columns_if_too_narrow(("spread", "number", "average", "games", "season_evenings"))
        self.view.selection_changed.connect(self._explain_selected_rank)
        self._no_evening = self.text(
            "This season has no evenings yet.\nPlay one, or add events under Standings > Events from other files."
        )
        self.rule, self.questions, self.explanation = (
            fields.make_note_label(),
            fields.make_note_label(),
            fields.make_note_label(),
        )
        self.arrange_and_connect_view(
            fields.make_row(self.season, self.date, 1), self.rule, self.questions, self.view, self.explanation
        )

    def show_season(self, season: Season | None, date: str) -> None:
        index = self.session.index
        self._show_first_question_about_same_person()
        self.view.set_empty_text(self.no_season if season is None else self._no_evening)
        self.rule.setText("" if season is None else describe_season_rule(self.session.catalogue, season.rule))
        if season is None:
            self.rows.show_table(Table("season", (), ()))
            self.explanation.setText("")
            return
        catalogue = self.session.catalogue
        self.rows.show_table(
            self.session.desk.get_cached_value(
                ("season-table", season.id, date, catalogue.language),
                lambda _: make_season_table(
                    index, season, compute_sorted_season_lines(catalogue, index, season, date), date
                ),
            )
        )
        self._explain_selected_rank()

    def format_season_as_chat_message(self) -> str:
        season = self.find_shown_season()
        if season is None:
            return ""
        return format_season_table_as_chat_message(
            self.session.catalogue, self.session.index, season, self.get_date_of_shown_standings()
        )

    def _show_first_question_about_same_person(self) -> None:
        questions = find_same_person_questions(self.session.index)
        self.questions.setVisible(bool(questions))
        if questions:
            question_text = describe_same_person_question(self.session.catalogue, questions[0])
            hint = self.session.catalogue.plural(
                "Answer this question under Standings > Events from other files.",
                "Answer all {n} questions under Standings > Events from other files.",
                len(questions),
            )
            self.questions.setText(f"{question_text} {hint}")

    def _explain_selected_rank(self) -> None:
        season, line = self.find_shown_season(), self.rows.find_row_by_key(self.view.get_current_row_key())
        if season is None or not isinstance(line, SeasonLine):
            self.explanation.setText("")
            return
        catalogue, index, date = self.session.catalogue, self.session.index, self.get_date_of_shown_standings()
        needed_results = list_results_needed_by_player(index, season, PlayerId(line.key), date)[
            :_MAX_NEEDED_RESULTS
        ]
        sentences = [
            describe_season_rank(catalogue, index, season, line, date),
            " · ".join(
                describe_evening_result(catalogue, season, line, cell) for cell in line.cells[-_MAX_CELLS:]
            ),
        ]
        if needed_results and not date:
            tonight = " · ".join(describe_needed_results(catalogue, season, line.member.name, needed_results))
            sentences.append(
                catalogue.text("Needed tonight if the other players’ totals do not change: {needs}", needs=tonight)
            )
        self.explanation.setText("\n".join(sentences))


class MemberSeasonPanel(Panel):
    """One member's evenings in the season, with an explanation of each result."""

    topic = "season"

    def __init__(self, session: Session, season: SeasonId, player: PlayerId) -> None:
        super().__init__(session, map_players_with_distinct_names(session.index)[player].name, width=UNIT * 68)
        self._season, self._player = season, player
        self._summary = fields.make_note_label()
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            hidden={"name"},
            shown_texts={"date": lambda row: session.catalogue.format_short_date(row.cell.evening.date, "yMMMd")},
        )
        self.view = TableView(
            self.rows, appearance=session.appearance, name=session.catalogue.text("Evenings of each member")
        )
        self.view.disable_sorting()
        self.view.set_widths(
            {
                "place": UNIT * 7,
                "season_field": UNIT * 8,
                "games": UNIT * 8,
                "points": UNIT * 8,
                "spread": UNIT * 8,
                "season_value": UNIT * 8,
            },
            stretch=("event", "season_state"),
        )
        self.view.hide_columns_if_too_narrow(("season_field", "games", "spread", "points"))
        self.view.selection_changed.connect(self._explain_current_evening)
        self.explanation = fields.make_note_label()
        fields.add_parts_to_layout(self.body, self._summary, self.view, self.explanation, wide=self.view)
        self.setFocusProxy(self.view)

    def refresh_panel(self) -> None:
        session = self.session
        season = session.tournament.seasons.get(self._season)
        if season is None or self._player not in session.tournament.players:
            self.closed.emit()
            return
        key = find_member_key(session.index, season.id, self._player)
        lines = [line for line in compute_season_lines(session.index, season) if line.key == key]
        self.rows.show_table(make_evenings_by_member_table(season.rule, lines))
        sentences = [describe_season_rank(session.catalogue, session.index, season, line) for line in lines]
        needed_results = list_results_needed_by_player(session.index, season, self._player)
        if lines and needed_results:
            tonight = "\n".join(
                describe_needed_results(session.catalogue, season, lines[0].member.name, needed_results)
            )
            text = session.catalogue.text
            sentences.append(
                text("Needed tonight if the other players’ totals do not change: {needs}", needs=f"\n{tonight}")
            )
        self._summary.setText("\n".join(sentences))
        self._explain_current_evening()

    def _explain_current_evening(self) -> None:
        season, row = (
            self.session.tournament.seasons.get(self._season),
            self.rows.find_row_by_key(self.view.get_current_row_key()),
        )
        explanation = ""
        if season is not None and isinstance(row, MemberEveningRow):
            explanation = describe_evening_result(self.session.catalogue, season, row.line, row.cell)
        self.explanation.setText(explanation)


def _choose_row_tone(row: SeasonLine) -> str:
    return "" if row.rank is not None else "muted"


class SeasonsPanel(RowEditorPanel):
    """Edits the seasons of the file."""

    topic = "season"

    def __init__(self, session: Session, drafts: SeasonRuleDrafts) -> None:
        text, heading = session.catalogue.text, session.catalogue.heading
        super().__init__(session, text("Seasons"), width=UNIT * 68)
        format_short_date = session.catalogue.format_short_date
        self._drafts = drafts
        self._rules = fields.make_button(text("Rules…"), self.open_rules_panel)
        self._events = fields.make_button(text("Events from other files…"), self.open_events_panel)
        self._paste = fields.make_button(text("Paste earlier results"), self.paste_earlier_results)
        rules = session.resources.season_rules
        rule_choices = [(rule.id, text(rule.name)) for rule in rules.values()]
        listing = RowEditorListDeclaration(
            name=text("Seasons"),
            table=lambda: make_season_list_table(session.index),
            widths={"name": 0, "season_rule": 0, "season_since": UNIT * 14, "season_until": UNIT * 14},
            empty_text=text("No seasons yet.\nType a name and choose rules."),
            column_texts={
                "season_rule": lambda row: text(row.season.rule.name),
                "season_since": lambda row: format_short_date(row.season.since, "yMd"),
                "season_until": lambda row: format_short_date(row.season.until, "yMd"),
            },
            edit_texts={
                "name": lambda row: row.season.name,
                "season_since": lambda row: format_short_date(row.season.since, "yMd"),
                "season_until": lambda row: format_short_date(row.season.until, "yMd"),
            },
            editable_columns={"name": "name", "season_since": "since", "season_until": "until"},
        )  # fmt: skip

        def list_rule_choices(_values: Values) -> list[tuple[str, str]]:
            return rule_choices

        number_width = UNIT * 15
        self.set_editor(
            RowEditor(
                session,
                fields=[
                    FormField(name="name", label=heading("name"), hint=text("For example: Autumn 2026")),
                    FormField(name="rule", label=heading("season_rule"), control=ChoiceControl,
                              options=list_rule_choices, value="best"),
                    FormField(name="best", label=text("Best results that count"), control=NumberControl, value=0,
                              width=number_width,
                              hint=text("as in the rules")),
                    FormField(name="least", label=text("Minimum evenings"), control=NumberControl, value=0,
                              width=number_width, hint=text("as in the rules")),
                    FormField(name="since", label=heading("season_since"), control=DateControl,
                              hint=format_short_date("2026-09-01", "yMd")),
                    FormField(name="until", label=heading("season_until"), control=DateControl,
                              hint=format_short_date("2026-12-31", "yMd")),
                    FormField(name="everywhere", label=text("All divisions"), control=CheckBoxControl,
                              value=False),
                ],
                listing=listing,
                command=commands.add_season,
                edit=commands.edit_season,
                remove=commands.remove_season,
                to_command=self._make_add_command,
                error_fields={"": "name", "season-ends-early": "until", "season-rule-unfit": "best"},
                arrange=lambda editor: editor.list_form_and_table_parts(
                    fields.WrappingRow(self._rules, self._events, self._paste)
                ),
            )
        )  # fmt: skip

    def refresh_widgets_outside_editor(self, division: Division) -> None:
        has_seasons = bool(self.session.index.listed_seasons)
        self._paste.setEnabled(self.session.is_editable and has_seasons)
        self._rules.setEnabled(has_seasons)
        self._events.setEnabled(has_seasons)

    def _make_add_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        division = self.session.division
        if division is None:
            return None
        rule = self.session.resources.season_rules[values["rule"]]
        changes = {
            parameter: values[field_name]
            for parameter, field_name in (("best", "best"), ("least_events", "least"))
            if values[field_name]
        }
        return partial(
            commands.add_season,
            key=self.session.make_row_id(),
            division=None if values["everywhere"] else division.id,
            name=values["name"],
            rule=replace(rule, **changes),
            since=values["since"],
            until=values["until"],
        )

    def _find_chosen_or_last_season(self) -> Season | None:
        season_id = SeasonId(self.editor.view.get_current_row_key())
        return self.session.tournament.seasons.get(season_id) or find_season(self.session.index)

    def open_rules_panel(self) -> None:
        season = self._find_chosen_or_last_season()
        if season is not None:
            self.panel.emit(SeasonRulesPanel(self.session, self._drafts, season))

    def open_events_panel(self) -> None:
        season = self._find_chosen_or_last_season()
        if season is not None:
            self.panel.emit(SeasonEventsPanel(self.session, season))

    def paste_earlier_results(self) -> None:
        """Add the results in the clipboard, a grid of names and evenings, to the selected season."""
        season = self._find_chosen_or_last_season()
        if season is None:
            return
        try:
            copied = QGuiApplication.clipboard().text().encode()
            entries = read_season_grid(copied, self.session.catalogue.text(C_("source of text", "the clipboard")))
        except UserError as error:
            self.session.show_error(error, self.editor.view)
            return
        import_results = partial(commands.import_earlier_results, key=self.session.make_row_id(), season=season.id)
        self.session.do(partial(import_results, entries=entries), field=self.editor.view)
