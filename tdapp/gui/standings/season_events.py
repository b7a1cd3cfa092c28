"""The panel of events from other files that count in a season."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtWidgets import QFileDialog, QWidget

from tdapp.domain import commands
from tdapp.domain.commands.event_copies import list_copied_events_to_refresh
from tdapp.domain.event_copies import EventToCopy
from tdapp.domain.impact import SeasonRankChanges, find_season_rank_changes
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedEvent, CopiedEventId, Division, Season
from tdapp.domain.persons import SamePersonQuestion, find_same_person_questions
from tdapp.domain.seasons import compute_season_lines
from tdapp.domain.tables.seasons import CopiedEventRow, make_copied_event_table
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import FormField
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.season_sentences import describe_same_person_question, describe_season_rank_changes
from tdapp.services.event_files import EventsFromFiles, read_event_files

_SUFFIXES = "*.tdapp *.json *.js *.t *.tsh *.tou *.trf *.txt"
_MAX_EVENTS = 12  # listed in the dialog
_MAX_MOVES = 12

_MakeCopyCommand = Callable[[tuple[EventToCopy, ...]], partial[Tournament]]


class CopiedEventsPreview(Struct, frozen=True):
    """Events read from files, and the effect of copying them into the season."""

    read_files: EventsFromFiles
    command: partial[Tournament]  # command that copies the events
    rank_changes: SeasonRankChanges  # changes of the season's table

    @property
    def replaced_event_id(self) -> CopiedEventId:
        """Id of the event that the user selected to be replaced by the file, otherwise ""."""
        return CopiedEventId(self.command.keywords.get("copied_event") or "")


def preview_event_files(
    paths: Sequence[Path],
    tournament: Tournament,
    season: Season,
    make_command: _MakeCopyCommand,
    events_to_refresh: Sequence[CopiedEvent] = (),
) -> CopiedEventsPreview:
    """Read files and preview the effect of copying their events into the season.

    `make_command` gets the events in the files. Events in `events_to_refresh` keep their names.

    Raises UserError for a bad file, or for an event that cannot be copied.
    """
    files = read_event_files(paths, tournament.ruleset, season=season, known_events=events_to_refresh)
    command = make_command(files.events)
    old, new = (
        compute_season_lines(TournamentIndex(value), season) for value in (tournament, command(tournament))
    )
    return CopiedEventsPreview(files, command, find_season_rank_changes(season.name, old, new))


class CopyEventsDialog(Dialog):
    """Asks before events are copied. Shows which data cannot be copied and how the season's table changes."""

    topic = "season"

    def __init__(
        self,
        session: Session,
        title: str,
        preview: CopiedEventsPreview,
        *,
        confirm_text: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, title, yes=confirm_text, parent=parent, size=(76, 0))
        catalogue, self._command = session.catalogue, preview.command
        events = [self._describe_event(event) for event in preview.read_files.events[:_MAX_EVENTS]]
        hidden_count = len(preview.read_files.events) - _MAX_EVENTS
        if hidden_count > 0:
            events.append(catalogue.text("and {n} more", n=hidden_count))
        self.add_labels(*((line, "") for line in events))
        selected = session.tournament.copied_events.get(preview.replaced_event_id)
        if selected is not None:
            self.add_labels(
                (catalogue.text("This event replaces the results of {event}.", event=selected.name), "error")
            )
        self.add_labels(*((line, "note") for line in preview.read_files.describe_omitted_data(catalogue)))
        unchanged_text = catalogue.text("The season table stays the same.")
        has_changes = preview.rank_changes.moves or preview.rank_changes.totals
        self.add_labels(
            (
                describe_season_rank_changes(preview.rank_changes, catalogue, limit=_MAX_MOVES)
                if has_changes
                else unchanged_text,
                "",
            )
        )

    def _describe_event(self, copy: EventToCopy) -> str:
        catalogue = self.session.catalogue
        date = catalogue.format_date(copy.date) if copy.date else "–"
        players = catalogue.plural("one player", "{n} players", len(copy.entries))
        return " · ".join(filter(None, (copy.name, copy.division, date, players)))

    def confirm_dialog(self) -> None:
        self.session.do(self._command)
        self.accept()


class SeasonEventsPanel(RowEditorPanel):
    """The season's events from other files.

    It also asks, for each pair of similar names, whether both players are one person.
    """

    topic = "season"

    def __init__(self, session: Session, season: Season) -> None:
        super().__init__(
            session,
            session.catalogue.text("Events from other files: {season}", season=season.name),
            width=UNIT * 76,
        )
        text, self._season = session.catalogue.text, season.id
        self.add_button = fields.make_button(
            text("Add events…"),
            partial(self._ask_event_files, text("Add events"), self.preview_events_to_add),
            role="primary",
        )
        self.refresh_button = fields.make_button(
            text(C_("events of other files", "Refresh…")),
            partial(self._ask_event_files, text("Refresh events"), self.preview_events_to_refresh),
        )
        self._question = fields.make_label(wrap=True, is_announced=True)
        self._question_count = fields.make_note_label()
        format_short_date = session.catalogue.format_short_date
        self.same_button = fields.make_button(text("Yes, one person"), self.confirm_same_person)
        self.different_button = fields.make_button(text("No, two people"), self.confirm_different_persons)
        self._questions = QWidget()
        fields.make_column(
            self._question,
            fields.make_row(self.same_button, self.different_button, self._question_count, 1),
            parent=self._questions,
        )
        self.body.addWidget(self._questions)
        listing = RowEditorListDeclaration(
            name=text("Events"),
            table=self._make_event_table,
            widths={"name": 0, "division": UNIT * 8, "date": UNIT * 13, "season_field": UNIT * 8,
                    "games": UNIT * 8, "file": UNIT * 18, "event_counted": UNIT * 8},
            empty_text=text("No events from other files yet.\nAdd tournament files from this or another program: "
                "their results count in the season like evenings."),
            column_texts={"date": lambda row: format_short_date(row.event.date, "yMd")},
            edit_texts={"name": lambda row: row.event.name,
                        "date": lambda row: format_short_date(row.event.date, "yMd")},
            editable_columns={"name": "name", "date": "date"},
            optional_columns=("games", "file", "division"),
        )  # fmt: skip
        self.set_editor(
            RowEditor(
                session,
                fields=[FormField(name=name, label=session.catalogue.heading(name)) for name in ("name", "date")],
                listing=listing,
                edit=commands.edit_copied_event,
                remove=commands.remove_copied_event,
                arrange=lambda editor: editor.list_table_and_buttons(self.add_button, self.refresh_button),
            )
        )

    def refresh_widgets_outside_editor(self, division: Division) -> None:
        if self._season not in self.session.tournament.seasons:
            self.closed.emit()
            return
        is_editable = self.session.is_editable
        self.add_button.setEnabled(is_editable)
        self.refresh_button.setEnabled(is_editable and bool(self.session.index.copied_events(self._season)))
        questions = find_same_person_questions(self.session.index)
        self._questions.setVisible(bool(questions))
        for button in (self.same_button, self.different_button):
            button.setEnabled(is_editable)
        if questions:
            fields.show_text(self._question, describe_same_person_question(self.session.catalogue, questions[0]))
            remaining_count = len(questions) - 1
            self._question_count.setText(
                self.session.catalogue.plural("one more question", "{n} more questions", remaining_count)
                if remaining_count
                else ""
            )

    def _make_event_table(self) -> Table[CopiedEventRow]:
        season = self.session.tournament.seasons.get(self._season)
        return (
            Table("copied_events", (), ())
            if season is None
            else make_copied_event_table(self.session.index, season)
        )

    # --- questions

    def confirm_same_person(self) -> None:
        question = self._find_first_same_person_question()
        if question is not None:
            merge = partial(commands.merge_players, player=question.player.id, other=question.other.id)
            self.session.do(merge, field=self.same_button)

    def confirm_different_persons(self) -> None:
        question = self._find_first_same_person_question()
        if question is not None:
            separate = partial(commands.separate_persons, player=question.player.id, other=question.other.id)
            self.session.do(separate, field=self.different_button)

    def _find_first_same_person_question(self) -> SamePersonQuestion | None:
        return next(iter(find_same_person_questions(self.session.index)), None)

    # --- files

    def _ask_event_files(self, title: str, use_files: Callable[[Sequence[Path]], None]) -> None:
        pattern = self.text("Tournament files ({endings})", endings=_SUFFIXES)
        names, _ = QFileDialog.getOpenFileNames(self, title, self.session.recent.propose_save_folder(), pattern)
        if names:
            use_files([Path(name) for name in names])

    def preview_events_to_add(self, paths: Sequence[Path]) -> None:
        add = partial(commands.add_copied_events, key=self.session.make_row_id(), season=self._season)
        self._open_copy_events_dialog(
            paths, lambda events: partial(add, events=events), self.text("Add events"), self.text("Add")
        )

    def preview_events_to_refresh(self, paths: Sequence[Path]) -> None:
        """Read newer files of events, and ask before replacing the results of these events.

        A single file that matches no event in the season replaces the selected event.
        """
        index, selected_id = self.session.index, CopiedEventId(self.editor.view.get_current_row_key())
        key, copied_events = self.session.make_row_id(), index.copied_events(self._season)
        refresh_events = partial(commands.refresh_copied_events, key=key, season=self._season)

        def make_command(events: tuple[EventToCopy, ...]) -> partial[Tournament]:
            is_match = len(events) > 1 or len(list_copied_events_to_refresh(copied_events, events[0], events)) == 1
            selected = None if is_match else index.tournament.copied_events.get(selected_id)
            if selected is None:
                return partial(refresh_events, events=events)
            return partial(
                refresh_events, events=(replace(events[0], name=selected.name),), copied_event=selected.id
            )

        self._open_copy_events_dialog(
            paths,
            make_command,
            self.text("Refresh events"),
            self.text(C_("events of other files", "Refresh")),
            copied_events,
        )

    def _open_copy_events_dialog(
        self,
        paths: Sequence[Path],
        make_command: _MakeCopyCommand,
        title: str,
        confirm_text: str,
        events_to_refresh: Sequence[CopiedEvent] = (),
    ) -> None:
        session = self.session
        season = session.tournament.seasons.get(self._season)
        if season is None:
            return

        def show_preview(preview: CopiedEventsPreview) -> None:
            CopyEventsDialog(session, title, preview, confirm_text=confirm_text, parent=self.window()).open()

        session.run_in_background(
            partial(preview_event_files, paths, session.tournament, season, make_command, events_to_refresh),
            on_success=make_callback_unless_deleted(self, show_preview),
            label=session.catalogue.text("Reading {name}", name=paths[0].name),
        )
