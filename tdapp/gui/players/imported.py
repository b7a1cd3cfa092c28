"""What a file contains, each kind shown in its own way: lists, whole divisions, results, a tournament."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tdapp.domain import commands
from tdapp.domain.entries import DivisionEntry, EventEntry
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.domain.tournament import Tournament
from tdapp.exchange.incoming import ImportedFile, Lists, Results, as_list, left_out
from tdapp.gui.players.importing import ImportDialog
from tdapp.gui.shell.session import Session, if_seen
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import rule_sentences


def show_imported(session: Session, parent: QWidget, source: str, imported: ImportedFile) -> None:
    """Show what would come into the tournament, and ask before it does; results are entered at once."""
    division = session.division
    if isinstance(imported, Tournament):
        session.refuse(RuleViolation("import-tournament-instead"))
    elif isinstance(imported, EventEntry) and _only_players(session, imported):
        show_imported(session, parent, source, as_list(imported.divisions[0].players, source))
    elif isinstance(imported, EventEntry):
        DivisionsDialog(session, source, imported, parent=parent).open()
    elif division is None:
        session.refuse(RuleViolation("no-division-yet"))
    elif isinstance(imported, Lists):
        ImportDialog(session, division.id, imported, parent=parent).open()
    elif isinstance(imported, Results):
        session.do(partial(commands.enter_results, division=division.id, entries=imported.entries))


def _only_players(session: Session, event: EventEntry) -> bool:
    """Return whether a division comes into one that has players already, so that only its players can be used."""
    here = session.division
    return len(event.divisions) == 1 and here is not None and bool(session.index.players(here.id))


@dataclass(frozen=True, slots=True)
class DivisionRow:
    """A division of the file, and where it goes."""

    key: str
    entry: DivisionEntry
    ranking: str
    goes_to: str
    is_full: bool

    @property
    def name(self) -> str:
        """Its code and its name."""
        return " ".join(filter(None, (self.entry.code, self.entry.name)))


class DivisionsDialog(Dialog):
    """Shows the divisions that a file holds and what has no place here, and takes them over."""

    topic = "files"

    def __init__(self, session: Session, source: str, event: EventEntry, *, parent: QWidget | None = None) -> None:
        text, plural = session.catalogue.text, session.catalogue.plural
        title = plural("Import one division", "Import {n} divisions", len(event.divisions))
        super().__init__(session, title, yes=text("Import"), parent=parent)
        self.resize(UNIT * 120, UNIT * 72)
        self._event = self._placed(event)
        self.rows = Rows(session.catalogue, tone=lambda row: "red" if row.is_full else "")
        view = TableView(self.rows, look=session.look, name=title)
        view.set_widths(
            {"division": 160, "players": 80, "rounds": 80, "caps": 120, "goes_to": 200}, stretch=("ranking",)
        )
        self.rows_shown = tuple(self._row(at, item) for at, item in enumerate(self._event.divisions))
        self.rows.show(Table("divisions", _COLUMNS, self.rows_shown))
        about = (text("From {source}", source=source), event.name, event.date)
        self.body.addWidget(fields.label(" · ".join(filter(None, about)), "muted", wrap=True))
        self.body.addWidget(view, 1)
        full = [row.name for row in self.rows_shown if row.is_full]
        self.yes.setEnabled(not full)
        if full:
            words = text("Not empty: {divisions}. Only empty divisions are filled.", divisions=", ".join(full))
            self.body.addWidget(fields.label(words, "error", wrap=True))
        parts = [session.catalogue.problem(item.code, item.facts) for item in left_out(event, source)]
        if parts:
            self.body.addWidget(fields.label(text("What has no place here and is left out:"), "body"))
            left = QPlainTextEdit("\n".join(parts), readOnly=True, tabChangesFocus=True)
            left.setAccessibleName(text("What is left out"))
            self.body.addWidget(left, 1)

    def take(self) -> None:
        """Take all divisions over, in one step."""
        command = partial(commands.import_event, key=self.session.key(), event=self._event)
        self.session.do(command, done=if_seen(self, self.accept))

    def _placed(self, event: EventEntry) -> EventEntry:
        """Return the event with its only division, or one without a code, for the division in view."""
        here = self.session.division
        if here is None or len(event.divisions) > 1:
            return event
        return replace(event, divisions=(replace(event.divisions[0], code=here.code),))

    def _row(self, at: int, item: DivisionEntry) -> DivisionRow:
        text = self.session.catalogue.text
        there = [one for one in self.session.index.divisions if one.code.casefold() == item.code.casefold()]
        empty = bool(there) and not self.session.index.players(there[0].id)
        goes = text("Division {code}", code=item.code) if empty else text("a new division {code}", code=item.code)
        ranking = rule_sentences.ranking(self.session.catalogue, item.order) if item.order else ""
        full = bool(there) and not empty
        return DivisionRow(str(at), item, ranking, "–" if full else goes, full)


_COLUMNS: tuple[Column[DivisionRow], ...] = (
    Column("division", Kind.TEXT, attrgetter("name")),
    Column("players", Kind.NUMBER, lambda row: len(row.entry.players)),
    Column("rounds", Kind.NUMBER, lambda row: len(row.entry.rounds)),
    Column("caps", Kind.TEXT, lambda row: " ".join(map(str, row.entry.spread_caps))),
    Column("ranking", Kind.TEXT, attrgetter("ranking")),
    Column("goes_to", Kind.TEXT, attrgetter("goes_to")),
)
