"""The log of incidents: what happened at a table is noted, corrected, found again and printed."""

from __future__ import annotations

from datetime import datetime

from tdapp.domain import commands
from tdapp.domain.model import Game, IncidentId, IncidentKind, PlayerId
from tdapp.domain.tables.jury_log import IncidentRow, incidents
from tdapp.domain.tables.table import Table
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Clock, Input, Values, game_at, named_players
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.collation import folded

_IN_TIME = frozenset({IncidentKind.EXTRA_TIME, IncidentKind.LATE, IncidentKind.CLOCK})


def told(row: IncidentRow, catalogue: Catalogue) -> str:
    """Return an incident in one line: kind and time, who, what, by whom."""
    kind = f"{catalogue.code(row.kind)} {row.time}".strip()
    author = f"({row.author})" if row.author else ""
    return " ".join(filter(None, (" · ".join(filter(None, (kind, row.players, row.note))), author)))


class IncidentsPanel(EditorPanel):
    """The log of the chosen division beside a page, with a form above it."""

    def __init__(self, session: Session, game: Game | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Incidents"))
        self.want_width(UNIT * 58)
        listing = Listing(
            name=text("Incidents"),
            table=self._newest_first,
            widths={"at": 56, "round": 56, "table": 56, "note": 0},
            empty=text("Nothing has been noted yet."),
            shown={"at": self._at, "note": self._line},
            line=self._line,
            search=text("Search by table or word"),
            found=self._found,
        )
        self.put(
            Editor(
                session,
                fields=self._fields(game),
                listing=listing,
                command=commands.note_incident,
                edit=commands.edit_incident,
                remove=commands.remove_incident,
                row=lambda key: session.tournament.incidents.get(IncidentId(key)),
                blame={"": "note", "extra-time-missing": "seconds"},
                begins="kind",
                corrects="note",
                buttons=[fields.button(text("Print…"), self.print)],
            )
        )

    def print(self) -> None:
        """Open the preview on the whole log."""
        self.preview("incidents")

    def _fields(self, game: Game | None) -> list[Input]:
        session, text = self.session, self.session.catalogue.text
        number = session.tournament.rounds[game.round].number if game else session.round_number
        table, narrow = game.table if game else None, ROW * 2
        return [
            Input(
                name="round_number", label=text("Round"), attribute="round", value=number, stays=True, width=narrow
            ),
            Input(name="table", label=text("Table"), value=table, stays=True, beside=True, width=narrow),
            Input(name="kind", label=text("What")),
            Input(name="player", label=text("Who"), options=self._players),
            Input(
                name="seconds",
                label=text("Time"),
                heard=text("Minutes and seconds"),
                hint=text("min:sec"),
                control=Clock,
                width=ROW * 3,
                enabled=lambda typed: typed["kind"] in _IN_TIME or typed["seconds"] != 0,
            ),
            Input(
                name="note",
                label=text("Note"),
                heard=text("What happened"),
                hint=text("What happened, in a few words"),
            ),
            Input(name="author", label=text("By"), stays=True),
        ]

    def _players(self, typed: Values) -> list[tuple[PlayerId | None, str]]:
        """Return both players of the table, or all players where no table is named."""
        text, game = self.session.catalogue.text, game_at(self.session, typed["round_number"], typed["table"])
        if game is None:
            return [(None, text("Nobody in particular")), *named_players(self.session)]
        players = self.session.tournament.players
        return [(None, text("Both players")), *((one, players[one].name) for one in (game.first, game.second))]

    def _newest_first(self) -> Table[IncidentRow]:
        division = self.session.division
        if division is None:
            return Table("incidents", (), ())
        table = incidents(self.session.index, division)
        return Table(table.id, table.columns, table.rows[::-1])

    def _found(self, row: IncidentRow, sought: str) -> bool:
        """Tell whether a row has every word that is sought: a number is a table's, the rest are in its text."""
        text = folded(f"{row.name} {self._line(row)}")
        return all(int(one) == row.table if one.isdecimal() else folded(one) in text for one in sought.split())

    def _line(self, row: IncidentRow) -> str:
        return told(row, self.session.catalogue)

    def _at(self, row: IncidentRow) -> str:
        try:
            return self.session.catalogue.time(datetime.fromisoformat(row.at).astimezone())
        except ValueError:
            return row.at
