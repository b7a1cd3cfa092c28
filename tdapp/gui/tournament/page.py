"""The Tournament page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QWidget

from tdapp.domain import commands
from tdapp.domain.bracket import find_cut_ties
from tdapp.domain.commands import Command
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.game_results import list_unchecked_games
from tdapp.domain.model import Division, DivisionId, StageId
from tdapp.domain.proposal import count_planned_rounds_left
from tdapp.domain.rule_fields import copy_result_check_setting_to_rules
from tdapp.domain.ruleset import find_thinking_times_outside_recommendation
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.translatable import C_
from tdapp.gui.jury.logs import IncidentsPanel
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.jury.word_help import WordListStatus
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.players.leaving_dialogs import MovePlayersPanel
from tdapp.gui.shell.actions import Action, WindowAction
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.division_panels import (
    MAX_TABLES,
    ScheduleSimulationPanel,
    TableSettingsPanel,
    TieBreaksPanel,
    parse_numbers,
)
from tdapp.gui.tournament.rule_form import BOOK, Drafts, RulesPanel, RuleTextView
from tdapp.gui.tournament.schedule import ScheduleEditor
from tdapp.gui.tournament.stage import StagePanel, TiesAtCutPanel
from tdapp.gui.tournament.stations import SharingNote
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.page import Page, Panel
from tdapp.gui.widgets.scroll_body import make_scroll_area
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n import rule_sentences
from tdapp.i18n.phrases import TIMES_EXAMPLE, describe_round_times, explain_timetable_format
from tdapp.i18n.round_times import list_round_times
from tdapp.services.sidebar_counts import is_division_with_evenings_selected

TWO_COLUMNS = UNIT * 120  # minimum page width for two columns of cards
USED_WIDTH = UNIT * 12  # column gap, page margins and scroll bar
EVENT_FIELDS = ("name", "place", "date", "director", "zone")


class TitledBox(QFrame):
    """A box with a heading."""

    def __init__(self, title: str, *parts: fields.Part) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.title = fields.make_label(title, "lead")
        margins = (UNIT * 3, UNIT * 2, UNIT * 3, UNIT * 3)
        fields.make_column(self.title, *parts, gap=UNIT + 4, margins=margins, parent=self)


class FinishTournamentDialog(Dialog):
    """Asks whether to finish the tournament. Lists unplayed rounds and unchecked results by division code."""

    topic = "tournament"

    def __init__(
        self,
        session: Session,
        missing: Mapping[str, int],
        unchecked: Mapping[str, int],
        *,
        parent: QWidget | None = None,
    ) -> None:
        text, plural = session.catalogue.text, session.catalogue.plural
        super().__init__(
            session, text("Finish tournament"), yes=text("Finish tournament"), parent=parent, size=(72, 30)
        )
        sentences = [
            plural(
                "Division {code}: {n} planned round has not been played.",
                "Division {code}: {n} planned rounds have not been played.",
                n, code=code,
            ) for code, n in missing.items() if n
        ]  # fmt: skip
        sentences += [
            plural(
                "Division {code}: the jury has not checked {n} result.",
                "Division {code}: the jury has not checked {n} results.",
                n, code=code,
            ) for code, n in unchecked.items() if n
        ]  # fmt: skip
        self.add_labels(*((sentence, "error") for sentence in sentences))
        self.add_labels((text("A finished tournament cannot be changed until you reopen it."), ""))

    def confirm_dialog(self) -> None:
        self.session.do(partial(commands.finish_tournament))
        self.accept()


class TournamentPage(Page):
    """Settings before the first round, and the end of the tournament."""

    id = "tournament"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        heading = session.catalogue.heading
        labels = {name: text("Venue") if name == "place" else heading(name) for name in EVENT_FIELDS}
        self._event = {name: LineEdit(label) for name, label in labels.items()}
        self._drafts: Drafts = {}  # unsaved changes of rules
        self._rules_note = fields.make_note_label()
        self._rules = RuleTextView(session, is_unfolded=False)
        session.opened.connect(self._drafts.clear)
        self._words = WordListStatus(session)
        self._stations = SharingNote(session)
        self._check_first = fields.make_check_box(text("Pair a round only when the jury has checked all results"))
        self._code = LineEdit(text(C_("letter of a division", "Code")))
        self._code.setMaximumWidth(scale_pixels(UNIT * 12))
        self._division_name = LineEdit(text("Name"))
        self._first_table = NumberEdit(text("First table"))
        self._withdrawn_box = fields.make_check_box(text("List withdrawn players in the standings"))
        self._schedule = ScheduleEditor(session)
        self._schedule.opened.connect(self._open_stage_panel)
        self._times = LineEdit(text("Round times"), placeholder=TIMES_EXAMPLE)
        self._start_times = fields.make_note_label()
        self._order = fields.make_label(wrap=True)
        self._spread_caps = LineEdit(text("Spread cap"))
        self._incident_counts = fields.make_label("", "muted")
        self._make_titled_boxes()
        self._connect_fields()
        words, stations = (
            TitledBox(text("Jury word list"), self._words),
            TitledBox(text("Stations"), self._stations),
        )
        self._columns = (
            fields.make_column(self._event_card, words, stations, self._rules_card, 1, gap=UNIT * 2),
            fields.make_column(*self._division_cards, 1, gap=UNIT * 2),
        )
        self._card_columns = fields.make_row(*self._columns, gap=UNIT * 2)
        for position, share in enumerate((2, 3)):
            self._card_columns.setStretch(position, share)
        self._scroll = make_scroll_area(self._card_columns, sideways=True)
        self.body.addWidget(self._scroll)
        self.setFocusProxy(self._event["name"])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        least = sum(column.minimumSize().width() for column in self._columns) + USED_WIDTH
        has_two_columns = self.width() >= max(TWO_COLUMNS, least)
        self._card_columns.setDirection(
            QBoxLayout.Direction.LeftToRight if has_two_columns else QBoxLayout.Direction.TopToBottom
        )

    def list_page_actions(self) -> tuple[Action, ...]:
        session, text, division = self.session, self.session.catalogue.text, self._can_edit_division
        row, remove = (
            partial(Action, menu="setup", enabled=lambda: session.is_editable),
            commands.remove_division,
        )
        reopen = partial(session.do, partial(commands.reopen_tournament))
        return (
            row("add-division", text("Add division"), self.add_division_with_free_code, "add", header=True),
            row("remove-division", text("Remove division"), partial(self._run_command_on_shown_division, remove),
                "remove", menu="remove-division", enabled=division),
            row("merge-division", text("Merge into another division…"), self._open_move_players_panel, "join",
                enabled=lambda: division() and len(session.index.divisions) > 1),
            row("change-rules", text("Change rules"), self.open_rules, "edit"),
            row("replace-rules", text("Choose another rule set…"), partial(self.open_rules, rule_path=BOOK),
                "swap"),
            row("word-lists", text("Word lists…"), self._open_word_lists, enabled=lambda: session.is_open),
            row("schedule", text("Schedule"), self._focus_schedule, enabled=division),
            row("rehearse", text("What would the day look like?"), self._open_schedule_simulation,
                enabled=lambda: bool(session.division and session.index.stages(session.division.id))),
            row("seating", text("Tables…"), partial(self._open_panel, TableSettingsPanel), enabled=division),
            row("finish", text("Finish tournament"), self._finish_tournament_or_ask, "finish", menu="finish"),
            row("reopen", text("Reopen tournament"), reopen, "unlock", menu="finish", header=True, vanishes=True,
                enabled=lambda: not session.is_read_only_or_not_director and session.tournament.event.finished),
        )  # fmt: skip

    def refresh_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        event = session.tournament.event
        note = text("Finished: reopen the tournament to change anything.") if event.finished else ""
        self.set_title(
            text("Tournament"), note or str(session.path or session.address or text("Not saved to a file"))
        )
        for name, field in self._event.items():
            _set_text_unless_user_types(field, str(getattr(event, name)))
        division = session.division
        rules_name = session.rules.name if division is not None and division.ruleset is not None else ""
        title = (
            text("Rules of division {code}: {name}", code=division.code, name=rules_name)
            if division and rules_name
            else ""
        )
        self._rules_card.title.setText(title or text("Rules: {name}", name=session.rules.name))
        self._show_rules_summary()
        for card in self._division_cards:
            card.setVisible(division is not None)
        for card in self._division_cards[:-1]:  # the other cards stay enabled in a finished tournament
            card.setEnabled(self.session.is_editable)
        self._event_card.setEnabled(self.session.is_editable)
        self._check_first.setChecked(event.check_first)  # emits no `clicked`
        self._words.show_word_list_status()
        self._stations.show_sharing_state()
        if division is not None:
            self._show_division(division)
        self.get_action("reopen").setVisible(event.finished)
        self.get_action("finish").setVisible(not event.finished)

    # --- cards

    def _make_titled_boxes(self) -> None:
        text, button, open_panel = self.session.catalogue.text, fields.make_button, self._open_panel
        finish = button(text("Finish tournament"), self._finish_tournament_or_ask)
        event_fields = (FormLayout(*self._event.values()), self._check_first, fields.make_row(finish, 1))
        self._event_card = TitledBox(text("About the tournament"), *event_fields)
        change_button = button(text("Change rules"), self.open_rules)
        replace_button = button(text("Choose another rule set…"), partial(self.open_rules, rule_path=BOOK))
        self._rules_card = TitledBox(
            "", self._rules_note, self._rules, fields.make_row(change_button, replace_button, 1)
        )
        self._rules_card.title.setWordWrap(True)
        form = FormLayout(self._code, self._division_name, self._first_table)
        tables = button(text("Tables…"), partial(open_panel, TableSettingsPanel))
        self._check_in = button(text("Check-in"), partial(self.page_requested.emit, "check-in", ""))
        self._division_card = TitledBox("", form, self._withdrawn_box, fields.make_row(tables, self._check_in, 1))
        change_button = button(text(C_("order of ranking", "Change")), self._open_tie_breaks_panel)
        order = fields.make_row(self._order, change_button, wide=self._order)
        caps = FormLayout()
        note = text(
            "Caps by round, separated by commas: 200, 300. The last cap applies to all later rounds. 0 = no "
            "cap, empty = as in the rules."
        )
        caps.add_field(self._spread_caps, note)
        incidents = button(text("Incidents…"), partial(open_panel, IncidentsPanel))
        sanctions = button(text("Sanctions…"), partial(open_panel, SanctionsPanel))
        incident_row = fields.make_row(self._incident_counts, incidents, sanctions, wide=self._incident_counts)
        times = FormLayout()
        times.add_field(self._times, explain_timetable_format(self.session.catalogue))
        times.add_wide_field(self._start_times)
        schedule, ranking = (
            TitledBox(text("Schedule"), self._schedule, times),
            TitledBox(text("Ranking"), order, caps),
        )
        incident_box = TitledBox(text("Incidents and sanctions"), incident_row)
        self._division_cards = (self._division_card, schedule, ranking, incident_box)

    # --- display

    def _show_rules_summary(self) -> None:
        text, event = self.session.catalogue.text, self.session.tournament.event
        rules = copy_result_check_setting_to_rules(event, self.session.rules)
        changed_count = len(self.session.resources.list_changed_rule_parameters(rules))
        preset = self.session.resources.find_original_preset(rules)
        if preset is None:
            note = text("This tournament’s own rules.")
        elif changed_count:
            note = text(
                "◆ Changed for this tournament: {n} of the rules in {book}", n=changed_count, book=preset.name
            )
        else:
            note = text("The rules are the same as in the {name} rule set.", name=preset.id)
        # The rule book recommends, the organiser decides.
        for warning in find_thinking_times_outside_recommendation(rules.clock):
            limits = {"low": warning.minimum, "high": warning.maximum}
            minutes_for_player = text(
                "The rule book recommends {low} to {high} minutes for each player.", **limits
            )
            minutes_for_game = text("The rule book recommends {low} to {high} minutes for a game.", **limits)
            note += " · " + (minutes_for_player if warning.scope == "player" else minutes_for_game)
        unsaved = len(self._drafts.get(self._find_division_with_own_rules(), ()))
        if unsaved:
            note += " · " + text("unsaved rule changes: {n}", n=unsaved)
        self._rules_note.setText(note)
        self._rules.show_rules(rules)

    def _show_division(self, division: Division) -> None:
        self._division_card.title.setText(self.text("Division {code}", code=division.code))
        _set_text_unless_user_types(self._code, division.code)
        _set_text_unless_user_types(self._division_name, division.name)
        _set_text_unless_user_types(self._first_table, str(division.first_table))
        _set_text_unless_user_types(self._spread_caps, ", ".join(map(str, division.spread_caps)))
        cap = self.session.rules.spread.cap
        self._spread_caps.setPlaceholderText(self.text(C_("no spread cap", "None")) if cap is None else str(cap))
        self._withdrawn_box.setChecked(division.list_withdrawn)  # emits no `clicked`
        evening, check_in = self.text("Evening"), self.text("Check-in")
        self._check_in.setText(evening if is_division_with_evenings_selected(self.session) else check_in)
        order = find_tiebreak_order(self.session.index, division)
        self._order.setText(rule_sentences.describe_ranking_order(self.session.catalogue, order))
        self._schedule.show_stages()
        _set_text_unless_user_types(self._times, division.times)
        self._start_times.setText(
            describe_round_times(self.session.catalogue, list_round_times(self.session.index, division))
        )
        self._start_times.setVisible(bool(division.times))
        plural, index = self.session.catalogue.plural, self.session.index
        incident_count = len(index.incidents(division.id))
        sanction_count = sum(len(index.sanctions(player.id)) for player in index.players(division.id))
        parts = [
            plural("{n} incident", "{n} incidents", incident_count),
            plural("{n} sanction", "{n} sanctions", sanction_count),
        ]
        self._incident_counts.setText(" · ".join(parts))

    def _open_stage_panel(self, stage: str) -> None:
        self.panel.emit(StagePanel(self.session, StageId(stage)))

    def reveal_row(self, key: str) -> None:
        """Show a stage. If players are tied for its last qualifying rank, open the panel that resolves the tie."""
        stage = self.session.tournament.stages.get(StageId(key))
        if stage is None:
            return
        self._schedule.view.select_row(key)
        if find_cut_ties(self.session.index, stage):
            self.show_panel(TiesAtCutPanel(self.session, stage.id))

    # --- commands

    def add_division_with_free_code(self) -> None:
        """Add a division with the next free letter and a stage like that of the first division."""
        session = self.session
        used_codes = {division.code.casefold() for division in session.index.divisions}
        code = next(letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter.casefold() not in used_codes)
        key = session.make_row_id()
        show_division = partial(session.choose_division, DivisionId(key))
        session.do(partial(commands.add_division, key=key, code=code), on_success=show_division)

    def _open_move_players_panel(self) -> None:
        if self.session.division is not None:
            self.show_panel(MovePlayersPanel(self.session, self.session.division.id))

    def open_rules(self, _checked: bool = False, *, rule_path: str = "") -> None:
        self._open_rules_panel(self._find_division_with_own_rules(), rule_path=rule_path)

    def count_unsaved_rules(self) -> int:
        division = self.session.division
        scopes = {None, division.id if division is not None else None}
        return sum(len(self._drafts.get(scope, ())) for scope in scopes)

    def _find_division_with_own_rules(self) -> DivisionId | None:
        division = self.session.division
        return division.id if division is not None and division.ruleset is not None else None

    def _open_rules_panel(self, division: DivisionId | None, *, rule_path: str = "") -> None:
        panel = RulesPanel(self.session, self._drafts, division)
        panel.scope_requested.connect(self._open_rules_panel)
        panel.closed.connect(self.refresh_page)
        self.show_panel(panel)
        if rule_path:
            panel.form.show_and_focus_rule(rule_path)

    def _finish_tournament_or_ask(self) -> None:
        session, index = self.session, self.session.index
        divisions = [division for division in index.divisions if index.players(division.id)]
        published_rounds = [
            (listed_division, item.id)
            for listed_division in divisions
            for item in index.list_published_rounds(listed_division.id)
        ]
        still_open = next(
            (listed_division for listed_division, item in published_rounds if index.list_open_tables(item)), None
        )
        missing = {division.code: count_planned_rounds_left(index, division) for division in divisions}
        must_check = session.tournament.event.check_first
        unchecked = {
            division.code: len(list_unchecked_games(index, division.id)) for division in divisions if must_check
        }
        if any((*missing.values(), *unchecked.values())) and still_open is None:
            FinishTournamentDialog(session, missing, unchecked, parent=self).open()
        else:
            session.do(
                partial(commands.finish_tournament),
                on_refusal=partial(self._show_error_with_division_code, still_open),
            )

    def _show_error_with_division_code(self, division: Division | None, error: UserError) -> bool:
        if division is None or len(self.session.index.divisions) == 1:
            return False
        self.session.show_message(f"{division.code}: {self.session.catalogue.describe_error(error)}", tone="red")
        return True

    def _open_tie_breaks_panel(self) -> None:
        self.show_panel(TieBreaksPanel(self.session))

    def _open_panel(self, make_panel: Callable[[Session], Panel]) -> None:
        if self.session.division is not None:
            self.show_panel(make_panel(self.session))

    def _open_schedule_simulation(self) -> None:
        if self.session.division is not None:
            self.show_panel(ScheduleSimulationPanel(self.session, self.session.division))

    def _focus_schedule(self) -> None:
        self._scroll.ensureWidgetVisible(self._schedule)
        self._schedule.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _open_word_lists(self) -> None:
        self.show_panel(WordListsPanel(self.session))

    def _run_command_on_shown_division(
        self, command: Command, *, field: LineEdit | None = None, **values: Any
    ) -> None:
        if self.session.division is not None:
            self.session.do(partial(command, division=self.session.division.id, **values), field=field)

    def _connect_fields(self) -> None:
        saved_fields: list[tuple[LineEdit, Command, str, Callable[[str], object]]] = [
            *((field, commands.edit_event, name, str) for name, field in self._event.items()),
            (self._code, commands.edit_division, "code", str),
            (self._division_name, commands.edit_division, "name", str),
            (self._first_table, commands.edit_division, "first_table", _parse_table_number),
            (self._times, commands.set_times, "times", str),
            (
                self._spread_caps,
                commands.set_spread_caps,
                "caps",
                partial(parse_numbers, least_in_error=0, most_in_error=10_000),
            ),
        ]
        for field, command, name, read in saved_fields:
            field.editingFinished.connect(partial(self._save_field, field, command, name, read))
        self._words.word_lists_requested.connect(self._open_word_lists)
        self._stations.action_requested.connect(self._trigger_window_action)
        self._withdrawn_box.clicked.connect(self._save_withdrawn_players_setting)
        self._check_first.clicked.connect(self._save_result_check_setting)

    def _trigger_window_action(self, name: str) -> None:
        for window_command in self.window().findChildren(WindowAction, name):
            window_command.trigger()

    def _save_field(
        self, field: LineEdit, command: Command, argument: str, parse: Callable[[str], object]
    ) -> None:
        if not field.isModified():
            return
        field.setModified(False)
        try:
            value = parse(field.text())
        except CommandError as error:
            self.session.show_error(error, field)
            return
        if command is commands.edit_event:
            self.session.do(partial(command, **{argument: value}), field=field)
        else:
            self._run_command_on_shown_division(command, field=field, **{argument: value})

    def _save_result_check_setting(self, is_checked: bool) -> None:
        self.session.do(partial(commands.set_check_first, check_first=is_checked))

    def _save_withdrawn_players_setting(self, is_checked: bool) -> None:
        self._run_command_on_shown_division(commands.edit_division, list_withdrawn=is_checked)

    # --- conditions

    def _can_edit_division(self) -> bool:
        return self.session.is_editable and self.session.division is not None


def _parse_table_number(text: str) -> int:
    try:
        return int(text.strip() or 0)
    except ValueError:
        raise CommandError("bad-number", value=text, least=1, most=MAX_TABLES) from None


def _set_text_unless_user_types(field: LineEdit, text: str) -> None:
    if not (field.hasFocus() and field.isModified()) and field.text() != text:
        field.setText(text)
        field.setCursorPosition(0)
