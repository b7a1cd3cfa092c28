"""The Tournament page: its data, its divisions with their stages, how they are ranked, and its end."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.cuts import ties
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Division, DivisionId, StageId
from tdapp.domain.ruleset import ClockWarning, clock_warnings
from tdapp.domain.standings import order_of
from tdapp.gui.jury.incidents import IncidentsPanel
from tdapp.gui.jury.sanctions import SanctionsPanel
from tdapp.gui.jury.word_help import WordListNote
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.actions import Action, Command
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.cut import CutPanel
from tdapp.gui.tournament.ranking import RankingPanel
from tdapp.gui.tournament.rule_form import Draft
from tdapp.gui.tournament.rule_text import RuleText
from tdapp.gui.tournament.rules import RulesPanel
from tdapp.gui.tournament.schedule import Schedule
from tdapp.gui.tournament.seating import SeatingPanel
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.tournament.stations_note import StationsNote
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Form, LineEdit, NumberEdit
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import rule_sentences
from tdapp.services.resources import Resources

TWO_COLUMNS = UNIT * 120  # the least width that has room for two columns of cards
BETWEEN = UNIT * 12  # the gap between them, the margins of the page and the bar to scroll with
EVENT_FIELDS = ("name", "place", "date", "director")


class Card(QFrame):
    """A box with a heading on the page."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(UNIT * 3, UNIT * 2, UNIT * 3, UNIT * 3)
        self.column.setSpacing(UNIT + 4)
        self.title = fields.label(title, "lead")
        self.column.addWidget(self.title)


class TournamentPage(Page):
    """Everything that is settled before the first round, and the tournament's end."""

    id = "tournament"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self._event = {name: LineEdit(session.catalogue.heading(name)) for name in EVENT_FIELDS}
        self._books = Resources(session.resources)
        self._draft: Draft = {}  # rules that were changed and not kept
        self._rules_note = fields.label("", "muted", wrap=True)
        self._rules = RuleText(session, self._books, unfolded=False)
        session.opened.connect(self._draft.clear)
        self._words = WordListNote(session)
        self._stations = StationsNote(session)
        self._check_first = fields.check(text("Pair a round only when the jury has checked all results"))
        self._code = LineEdit(text("Code"))
        self._code.setMaximumWidth(UNIT * 12)
        self._division_name = LineEdit(text("Name"))
        self._first_table = NumberEdit(text("First table"))
        self._withdrawn = fields.check(text("Standings list players who have withdrawn"))
        self._schedule = Schedule(session)
        self._schedule.opened.connect(self._open_stage)
        self._order = fields.label("", "", wrap=True)
        self._caps = LineEdit(text("Cap of the spread"), placeholder=text("None"))
        self._connect()
        left, right = self._columns = QVBoxLayout(), QVBoxLayout()
        fields.fill(left, [self._event_card(), self._words_card(), self._stations_card(), self._rules_card(), 1])
        fields.fill(
            right, [self._division_card(), self._stages_card(), self._ranking_card(), self._happenings_card(), 1]
        )
        for column in (left, right):
            column.setSpacing(UNIT * 2)
        canvas = QWidget()
        canvas.setObjectName("canvas")
        both = self._both = QHBoxLayout(canvas)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(UNIT * 2)
        both.addLayout(left, 2)
        both.addLayout(right, 3)
        scroll = self._scroll = QScrollArea(widgetResizable=True)
        scroll.setWidget(canvas)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body.addWidget(scroll)
        self.setFocusProxy(self._event["name"])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the two columns one under the other where there is no room for both."""
        super().resizeEvent(event)
        least = sum(column.minimumSize().width() for column in self._columns) + BETWEEN
        beside = self.width() >= max(TWO_COLUMNS, least)
        self._both.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def actions_table(self) -> tuple[Action, ...]:
        """Return what can be done with the tournament."""
        text, may, menu = self.session.catalogue.text, self._may, "tournament"
        return (
            Action("add-division", text("Add division"), self.add_division, "add", "", menu, may, header=True),
            Action("remove-division", text("Remove division"), self.remove_division, "remove", "", menu,
                   self._may_division),
            Action("change-rules", text("Change rules"), self.open_rules, "edit", "", menu, may),
            Action("word-lists", text("Word lists…"), self.open_word_lists, "", "", menu, self._is_open),
            Action("schedule", text("Schedule"), self.go_to_schedule, "", "", menu, self._may_division),
            Action("seating", text("Tables…"), self.open_seating, "", "", menu, self._may_division),
            Action("finish", text("Finish tournament"), self.finish, "finish", "", menu, may, header=True),
            Action("reopen", text("Reopen tournament"), self.reopen, "unlock", "", menu, self._may_reopen,
                   header=True),
        )  # fmt: skip

    def refresh(self) -> None:
        """Show the tournament's data and the chosen division."""
        session, text = self.session, self.session.catalogue.text
        event = session.tournament.event
        note = text("Finished: reopen it to change anything.") if event.finished else ""
        self.set_title(text("Tournament"), note or str(session.path or session.address or text("In memory only")))
        for name, field in self._event.items():
            _show(field, str(getattr(event, name)))
        self._rules_title.setText(text("Rules: {name}", name=session.tournament.ruleset.name))
        self._show_rules()
        division = session.division
        self._of_happenings.setVisible(division is not None)
        for card in (self._of_division, self._of_stages, self._of_ranking):
            card.setVisible(division is not None)
            card.setEnabled(self._may())
        self._of_event.setEnabled(self._may())
        self._check_first.setChecked(event.check_first)  # a click alone makes a change
        self._words.refresh()
        self._stations.refresh()
        if division is not None:
            self._show_division(division)
        self.command("reopen").setVisible(event.finished)
        self.command("finish").setVisible(not event.finished)

    # --- the cards

    def _event_card(self) -> Card:
        card = self._of_event = Card(self.session.catalogue.text("About"))
        form = Form()
        for name, field in self._event.items():
            form.add(self.session.catalogue.heading(name), field)
        card.column.addLayout(form)
        card.column.addWidget(self._check_first)
        return card

    def _words_card(self) -> Card:
        card = Card(self.session.catalogue.text("Word list of the jury"))
        card.column.addWidget(self._words)
        return card

    def _stations_card(self) -> Card:
        card = Card(self.session.catalogue.text("Stations"))
        card.column.addWidget(self._stations)
        return card

    def _rules_card(self) -> Card:
        card = Card("")
        self._rules_title = card.title
        card.title.setWordWrap(True)
        change = fields.button(self.session.catalogue.text("Change rules"), self.open_rules)
        fields.fill(card.column, [self._rules_note, self._rules, fields.row(change, 1)])
        return card

    def _division_card(self) -> Card:
        text = self.session.catalogue.text
        card = self._of_division = Card("")
        form = Form()
        form.add(text("Code"), self._code)
        form.add(text("Name"), self._division_name)
        form.add(text("First table"), self._first_table)
        card.column.addLayout(form)
        card.column.addWidget(self._withdrawn)
        tables = fields.button(text("Tables…"), self.open_seating)
        card.column.addLayout(fields.row(tables, fields.button(text("Check-in"), self.open_check_in), 1))
        return card

    def _stages_card(self) -> Card:
        card = self._of_stages = Card(self.session.catalogue.text("Schedule"))
        card.column.addWidget(self._schedule)
        return card

    def _ranking_card(self) -> Card:
        text = self.session.catalogue.text
        card = self._of_ranking = Card(text("Ranking"))
        change = fields.button(text("Change"), self.open_ranking)
        line = fields.row(self._order, change)
        line.setStretch(0, 1)
        card.column.addLayout(line)
        form = Form()
        note = text("By round, with commas between: 200, 300. The last holds for all that follow; empty = none.")
        form.add(text("Cap of the spread"), self._caps, note)
        card.column.addLayout(form)
        return card

    def _happenings_card(self) -> Card:
        text = self.session.catalogue.text
        card = self._of_happenings = Card(text("Incidents and sanctions"))
        self._happened = fields.label("", "muted")
        incidents = fields.button(text("Incidents…"), self.open_incidents)
        sanctions = fields.button(text("Sanctions…"), self.open_sanctions)
        line = fields.row(self._happened, incidents, sanctions)
        line.setStretch(0, 1)
        card.column.addLayout(line)
        return card

    # --- showing

    def _show_rules(self) -> None:
        text, rules = self.session.catalogue.text, self.session.tournament.ruleset
        changed = len(self._books.changed(rules))
        preset = self._books.preset_of(rules)
        if preset is None:
            note = text("This tournament’s own rules.")
        elif changed:
            note = text("◆ Changed for this tournament: {n} of the rules of {book}", n=changed, book=preset.name)
        else:
            note = text("As the book has them.")
        for warning in clock_warnings(rules.clock):
            note += " · " + self._clock_words(warning)
        if self._draft:
            note += " · " + text("{n} more changed but not kept", n=len(self._draft))
        self._rules_note.setText(note)
        self._rules.tell(rules)

    def _clock_words(self, warning: ClockWarning) -> str:
        """Return what the book recommends where the clock is set otherwise; the organiser decides."""
        text, limits = self.session.catalogue.text, {"low": warning.low, "high": warning.high}
        if warning.scope == "player":
            return text("The book recommends {low} to {high} minutes for each player.", **limits)
        return text("The book recommends {low} to {high} minutes for a game.", **limits)

    def _show_division(self, division: Division) -> None:
        text = self.session.catalogue.text
        self._of_division.title.setText(text("Division {code}", code=division.code))
        _show(self._code, division.code)
        _show(self._division_name, division.name)
        _show(self._first_table, str(division.first_table))
        _show(self._caps, ", ".join(map(str, division.spread_caps)))
        self._withdrawn.setChecked(division.list_withdrawn)  # a click alone makes a change
        order = order_of(self.session.index, division)
        self._order.setText(rule_sentences.ranking(self.session.catalogue, order))
        self._schedule.refresh()
        self._show_happenings(division)

    def _show_happenings(self, division: Division) -> None:
        plural, index = self.session.catalogue.plural, self.session.index
        noted = len(index.incidents(division.id))
        given = sum(len(index.sanctions(player.id)) for player in index.players(division.id))
        parts = [
            plural("{n} incident", "{n} incidents", noted),
            plural("{n} sanction", "{n} sanctions", given),
        ]
        self._happened.setText(" · ".join(parts))

    def _open_stage(self, stage: str) -> None:
        self.panel.emit(StagePanel(self.session, StageId(stage)))

    def reveal(self, key: str) -> None:
        """Show a stage of the schedule; where equals stand at the line of its cut, what settles that."""
        stage = self.session.tournament.stages.get(StageId(key))
        if stage is None:
            return
        self._schedule.view.choose(key)
        if ties(self.session.index, stage):
            panel = CutPanel(self.session, stage.id)
            self.panel.emit(panel)
            panel.setFocus()

    # --- doing

    def add_division(self) -> None:
        """Add a division under the next free letter, with a stage like the first one's."""
        session = self.session
        taken = {division.code.casefold() for division in session.index.divisions}
        code = next(letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter.casefold() not in taken)
        key = session.key()
        session.do(partial(commands.add_division, key=key, code=code), done=partial(self._choose, key))

    def _choose(self, division: str) -> None:
        self.session.choose_division(DivisionId(division))

    def remove_division(self) -> None:
        """Remove the chosen division, as long as nobody is in it."""
        division = self.session.division
        if division is not None:
            self.session.do(partial(commands.remove_division, division=division.id))

    def open_rules(self) -> None:
        """Open the panel in which every rule can be changed for this tournament."""
        panel = RulesPanel(self.session, self._books, self._draft)
        panel.closed.connect(self.refresh)
        self.panel.emit(panel)
        panel.setFocus()

    def open_ranking(self) -> None:
        """Open the panel with the order of the tie-breaks."""
        if self.session.division is not None:
            self.panel.emit(RankingPanel(self.session))

    def go_to_schedule(self) -> None:
        """Put the cursor into the division's schedule."""
        self._scroll.ensureWidgetVisible(self._schedule)
        self._schedule.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_seating(self) -> None:
        """Open the panel with groups of tables and sessions."""
        if self.session.division is not None:
            panel = SeatingPanel(self.session)
            self.panel.emit(panel)
            panel.setFocus()

    def open_check_in(self) -> None:
        """Go where players are checked in."""
        self.go.emit("check-in", "")

    def open_word_lists(self) -> None:
        """Open the panel with the word lists of this computer."""
        self.panel.emit(WordListsPanel(self.session))

    def open_incidents(self) -> None:
        """Open the log of incidents."""
        if self.session.division is not None:
            panel = IncidentsPanel(self.session)
            self.panel.emit(panel)
            panel.setFocus()

    def open_sanctions(self) -> None:
        """Open the sanctions."""
        if self.session.division is not None:
            panel = SanctionsPanel(self.session)
            self.panel.emit(panel)
            panel.setFocus()

    def finish(self) -> None:
        """Close the tournament for changes."""
        self.session.do(partial(commands.finish_tournament))

    def reopen(self) -> None:
        """Open it for changes again."""
        self.session.do(partial(commands.reopen_tournament))

    def _connect(self) -> None:
        for name, field in self._event.items():
            field.editingFinished.connect(partial(self._edit_event, name))
        self._words.lists.connect(self.open_word_lists)
        self._stations.wanted.connect(self._ask_window)
        self._code.editingFinished.connect(partial(self._edit_division, self._code, "code"))
        self._division_name.editingFinished.connect(partial(self._edit_division, self._division_name, "name"))
        self._first_table.editingFinished.connect(self._edit_first_table)
        self._withdrawn.clicked.connect(self._edit_withdrawn)
        self._check_first.clicked.connect(self._edit_check_first)
        self._caps.editingFinished.connect(self._edit_caps)

    def _ask_window(self, name: str) -> None:
        for one in self.window().findChildren(Command, name):
            one.trigger()

    def _edit_event(self, name: str) -> None:
        field = self._event[name]
        if field.isModified():
            field.setModified(False)
            self.session.do(partial(commands.edit_event, **{name: field.text()}), field=field)

    def _edit_check_first(self, on: bool) -> None:
        self.session.do(partial(commands.set_check_first, check_first=on))

    def _edit_division(self, field: LineEdit, name: str) -> None:
        division = self.session.division
        if field.isModified() and division is not None:
            field.setModified(False)
            text: dict[str, Any] = {name: field.text()}
            command = partial(commands.edit_division, division=division.id, **text)
            self.session.do(command, field=field)

    def _edit_first_table(self) -> None:
        division, field = self.session.division, self._first_table
        if not field.isModified() or division is None:
            return
        field.setModified(False)
        try:
            first = field.value() or 0
        except ValueError:
            self.session.refuse(RuleViolation("bad-number", value=field.text(), least=1, most=100_000), field)
            return
        self.session.do(partial(commands.edit_division, division=division.id, first_table=first), field=field)

    def _edit_withdrawn(self) -> None:
        division = self.session.division
        if division is not None:
            listed = self._withdrawn.isChecked()
            self.session.do(partial(commands.edit_division, division=division.id, list_withdrawn=listed))

    def _edit_caps(self) -> None:
        division, field = self.session.division, self._caps
        if not field.isModified() or division is None:
            return
        field.setModified(False)
        try:
            caps = tuple(int(one) for one in field.text().replace(",", " ").split())
        except ValueError:
            self.session.refuse(RuleViolation("bad-number", value=field.text(), least=0, most=10_000), field)
            return
        self.session.do(partial(commands.set_spread_caps, division=division.id, caps=caps), field=field)

    # --- what can be done now

    def _is_open(self) -> bool:
        return self.session.is_open

    def _may(self) -> bool:
        return self.session.editable

    def _may_division(self) -> bool:
        return self._may() and self.session.division is not None

    def _may_reopen(self) -> bool:
        return not self.session.read_only and self.session.tournament.event.finished


def _show(field: LineEdit, text: str) -> None:
    """Set a field's text, unless someone is typing in it."""
    if not (field.hasFocus() and field.isModified()) and field.text() != text:
        field.setText(text)
        field.setCursorPosition(0)
