"""The log of incidents: what happened at a table is noted, corrected, found again and printed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from tdapp.desk import utc_now
from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Game, Incident, IncidentId, IncidentKind, PlayerId
from tdapp.domain.round_clock import minutes_and_seconds
from tdapp.domain.tables.incidents import IncidentRow, incidents
from tdapp.domain.tables.table import Table
from tdapp.gui import fields
from tdapp.gui.clocks import read_clock
from tdapp.gui.fields import Choice, Form, LineEdit, NumberEdit, SearchField
from tdapp.gui.later import if_seen
from tdapp.gui.panels.typing import TypingPanel, whole
from tdapp.gui.rows import Rows, folded
from tdapp.gui.session import Session
from tdapp.gui.theme import ROW, UNIT
from tdapp.i18n.catalogue import Catalogue

_IN_TIME = frozenset({IncidentKind.EXTRA_TIME, IncidentKind.LATE, IncidentKind.CLOCK})
_SHOWN = frozenset({"at", "round", "table", "note"})


def told(row: IncidentRow, words: Catalogue) -> str:
    """Return an incident in one line: kind and time, who, what, by whom."""
    kind = f"{words.code(row.kind)} {row.time}".strip()
    author = f"({row.author})" if row.author else ""
    return " ".join(filter(None, (" · ".join(filter(None, (kind, row.players, row.note))), author)))


class IncidentsPanel(TypingPanel):
    """The log of the chosen division beside a page, with a form above it."""

    writes = "note-incident"

    def __init__(self, session: Session, game: Game | None = None) -> None:
        super().__init__(session, session.catalogue.text("Incidents"))
        self.want_width(UNIT * 58)
        self._edited: Incident | None = None
        self._make_fields(game)
        self._make_list()
        self._arrange()
        self._offer_players()
        self._fit()
        self.setFocusProxy(self.kind)

    def refresh(self) -> None:
        """Show the log as it is now; what is typed stays."""
        if self.session.division is None:
            self.closed.emit()
            return
        if self._edited is not None and self._edited.id not in self.session.tournament.incidents:
            self._begin_anew()
        self._keep_button.setEnabled(self.may_change())
        self._show_rows()
        for one in (self._change_button, self._remove_button):
            one.setEnabled(self.may_change() and self.rows.rowCount() > 0)

    def unsaved(self) -> bool:
        """Tell whether a note or a time is typed."""
        return (self.note.isModified() and bool(self.note.text())) or self._edited is not None

    # --- making it

    def _make_fields(self, game: Game | None) -> None:
        session, text = self.session, self.session.catalogue.text
        number = session.tournament.rounds[game.round].number if game else session.round_number
        self.number = NumberEdit(text("Round"), value=number, width=ROW * 2)
        self.table = NumberEdit(text("Table"), value=game.table if game else None, width=ROW * 2)
        kinds = [(kind, session.catalogue.code(kind)) for kind in IncidentKind]
        self.kind: Choice[IncidentKind] = Choice(text("What"), kinds, session.look)
        self.who: Choice[PlayerId | None] = Choice(text("Who"), [], session.look)
        self.time = LineEdit(text("Minutes and seconds"), placeholder=text("min:sec"))
        self.time.setMaximumWidth(ROW * 3)
        self.note = LineEdit(text("What happened"), placeholder=text("What happened, in a few words"))
        self.author = self.author_field()
        for one in (self.number, self.table):
            one.textChanged.connect(self._offer_players)
        self.kind.currentIndexChanged.connect(self._fit)
        for line in (self.number, self.table, self.time, self.note, self.author):
            line.returnPressed.connect(self._keep)

    def _make_list(self) -> None:
        session, words = self.session, self.session.catalogue
        self.search = SearchField(words.text("Search by table or word"), session.look)
        self.search.textChanged.connect(self._show_rows)
        shown: dict[str, Callable[[IncidentRow], str]] = {"at": self._at, "note": lambda row: told(row, words)}
        columns = ("at", "round", "table", "kind", "time", "players", "note", "author")
        self.rows = Rows(words, shown=shown, hidden=[one for one in columns if one not in _SHOWN])
        widths = {"at": 56, "round": 56, "table": 56}
        self.view = self.list_view(self.rows, words.text("Incidents"), widths=widths, stretch="note")
        self.view.activated_row.connect(self._edit)
        self.whole_row = self.under_cursor(
            self.view, self.rows, lambda row: told(row, words) if isinstance(row, IncidentRow) else ""
        )

    def _arrange(self) -> None:
        text = self.session.catalogue.text
        where = QWidget()
        fields.row(self.number, fields.label(text("Table")), self.table, 1, parent=where)
        form = Form()
        form.add(text("Round"), where)
        form.add(text("What"), self.kind)
        form.add(text("Who"), self.who)
        form.add(text("Time"), self.time)
        form.add(text("Note"), self.note)
        form.add(text("By"), self.author)
        self._keep_button = fields.button(text("Note it"), self._keep, role="primary")
        self._drop_button = fields.button(text("Leave it as it was"), self._begin_anew)
        print_button = fields.button(text("Print…"), self.print)
        self._change_button = fields.button(text("Correct"), self._edit_current)
        self._remove_button = fields.button(text("Take off"), self._remove)
        parts: list[fields.Part] = [
            form, fields.row(1, self._drop_button, self._keep_button), fields.rule(),
            self.search, self.view, self.whole_row,
            fields.row(print_button, 1, self._change_button, self._remove_button),
        ]  # fmt: skip
        fields.fill(self.body, parts)
        self.body.setStretchFactor(self.view, 1)
        self._drop_button.hide()

    # --- showing

    def _show_rows(self) -> None:
        division, text = self.session.division, self.session.catalogue.text
        if division is None:
            return
        table = incidents(self.session.index, division)
        newest_first = tuple(row for row in reversed(table.rows) if self._sought(row))
        self.rows.show(Table(table.id, table.columns, newest_first))
        nothing = text("Nothing found. Esc in the search field shows all.")
        self.view.set_empty(nothing if table.rows else text("Nothing has been noted yet."))
        self.search.setEnabled(bool(table.rows))

    def _sought(self, row: IncidentRow) -> bool:
        """Tell whether a row has every word that is sought: a number is a table's, the rest stands in the text."""
        said = folded(f"{row.name} {told(row, self.session.catalogue)}")
        return all(
            int(word) == row.table if word.isdecimal() else folded(word) in said
            for word in self.search.text().split()
        )

    def _at(self, row: IncidentRow) -> str:
        try:
            return self.session.catalogue.time(datetime.fromisoformat(row.at).astimezone())
        except ValueError:
            return row.at

    def _offer_players(self) -> None:
        """Offer both players of the table, or everybody where no table is named."""
        session, text = self.session, self.session.catalogue.text
        division = session.division
        game = self.game_at(self.round_of(whole(self.number)), whole(self.table))
        if game is not None:
            players = [session.tournament.players[one] for one in (game.first, game.second)]
        else:
            players = list(session.index.players(division.id)) if division else []
            players.sort(key=lambda one: session.catalogue.sort_key(one.name))
        nobody = text("Both players") if game is not None else text("Nobody in particular")
        offered: list[tuple[PlayerId | None, str]] = [(None, nobody)]
        self.who.fill(offered + [(one.id, one.name) for one in players], self.who.value())

    def _fit(self) -> None:
        """Let a time be typed where it has a meaning."""
        kind = self.kind.value()
        self.time.setEnabled(kind in _IN_TIME or bool(self.time.text()))

    # --- doing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the row off the log on Delete, correct it on F2."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and not event.modifiers():
            if event.key() == Qt.Key.Key_Delete:
                self._remove()
                return True
            if event.key() == Qt.Key.Key_F2:
                self._edit_current()
                return True
        return super().eventFilter(watched, event)

    def print(self) -> None:
        """Open the preview on the whole log."""
        self.preview("incidents")

    def _keep(self) -> None:
        division, kind = self.session.division, self.kind.value()
        if division is None or kind is None or not self._keep_button.isEnabled():
            return
        try:
            seconds = read_clock(self.time.text()) if self.time.isEnabled() else 0
        except ValueError:
            self.session.refuse(RuleViolation("bad-clock", value=self.time.text()), self.time)
            return
        if not self.are_numbers(self.number, self.table, most=10_000):
            return
        said = partial(
            commands.note_incident if self._edited is None else commands.edit_incident,
            kind=kind,
            round_number=whole(self.number),
            table=whole(self.table),
            player=self.who.value(),
            seconds=seconds,
            note=self.note.text(),
            author=self.author.text(),
        )
        if self._edited is None:
            command = partial(said, key=self.session.key(), division=division.id, at=utc_now())
        else:
            command = partial(said, incident=self._edited.id)
        self.remember(self.author.text().strip())
        field = self.time if kind is IncidentKind.EXTRA_TIME and not seconds else self.note
        self.session.do(command, field=field, done=if_seen(self, self._begin_anew))

    def _begin_anew(self) -> None:
        self._edited = None
        for line in (self.time, self.note):
            line.clear()
            line.setModified(False)
        self._keep_button.setText(self.session.catalogue.text("Note it"))
        self._drop_button.hide()
        self._fit()
        self.kind.setFocus()

    def _edit_current(self) -> None:
        self._edit(self.view.current_key())

    def _edit(self, key: str) -> None:
        """Bring an incident into the form."""
        row = self.session.tournament.incidents.get(IncidentId(key))
        if row is None or not self._change_button.isEnabled():
            return
        self._edited = row
        self.number.setText("" if row.round is None else str(row.round))
        self.table.setText("" if row.table is None else str(row.table))
        self._offer_players()
        self.who.choose(row.player if row.player is not None and self._is_offered(row.player) else None)
        self.kind.choose(row.kind)
        self.time.setText(minutes_and_seconds(row.seconds) if row.seconds else "")
        self.note.setText(row.note)
        self.author.setText(row.author)
        self._keep_button.setText(self.session.catalogue.text("Keep the correction"))
        self._drop_button.show()
        self._fit()
        self.note.setFocus()

    def _is_offered(self, player: PlayerId) -> bool:
        return self.who.findText(self.session.tournament.players[player].name) >= 0

    def _remove(self) -> None:
        key = self.view.current_key()
        if key and self._remove_button.isEnabled():
            self.session.do(partial(commands.remove_incident, incident=IncidentId(key)), field=self.view)
