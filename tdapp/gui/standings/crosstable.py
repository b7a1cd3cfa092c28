"""The crosstable on screen: each player's rounds side by side, or everybody against everybody."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tdapp.domain.model import Division
from tdapp.domain.tables import crosstable
from tdapp.domain.tables.crosstable import CrossRow, MatrixRow
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.columns import Frozen
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.phrases import letters

WITH_SCORES = 9  # rounds at most; of more each has its letter and the opponent's rank alone
NAMES = UNIT * 26  # pixels for names, which do not share what is left


class CrosstableView(StandingsView):
    """The crosstable of the chosen division."""

    report = "crosstable"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self._division: Division | None = None
        self._after = 0
        forms = [(False, text("By round")), (True, text("Everybody against everybody"))]
        self.form: Choice[bool] = Choice(text("Form of the crosstable"), forms, session.look)
        self.form.currentIndexChanged.connect(self._choose)
        self.search = SearchField(text("Search players"), session.look)
        self.rows = Rows(session.catalogue, lazy=str.isdigit)
        self.view = TableView(
            self.rows, look=session.look, name=text("Crosstable"), empty=text("No round has been published yet.")
        )
        self.view.let_scroll()
        self.view.keep_order()
        Frozen(self.view, columns=2)  # the view keeps it
        self.search.textChanged.connect(self.view.filter)
        self._note = fields.label("", "muted", wrap=True)
        self.arrange(fields.row(self.form, 1, self.search), self.view, self._note)

    @property
    def paper(self) -> str:
        """The report that prints the same."""
        return "matrix" if self.form.value() else "crosstable"

    def title(self, after: int) -> str:
        """Return Crosstable, and after which round."""
        text = self.session.catalogue.text
        return text("Crosstable after round {round}", round=after) if after else text("Crosstable")

    def refresh(self, division: Division, after: int) -> None:
        """Show the crosstable after a round."""
        self._division, self._after = division, after
        everybody = bool(self.form.value())
        if everybody:
            self._show_matrix(division, after)
        else:
            self._show_rounds(division, after)
        text, letter = self.session.catalogue.text, letters(self.session.catalogue)
        if everybody:
            note = text(
                "Columns are ranks. {win} is a win, {draw} a draw, {loss} a loss of the player in the row.",
                **letter,
            )
        else:
            note = text("{win} won, {draw} drew, {loss} lost; the number is the opponent’s rank.", **letter)
        self._note.setText(note)

    # --- inside

    def _choose(self) -> None:
        if self._division is not None:
            self.refresh(self._division, self._after)

    def _show_rounds(self, division: Division, after: int) -> None:
        index, catalogue = self.session.index, self.session.catalogue
        key = ("crosstable", division.id, after, catalogue.language)
        self.view.set_widths(
            {"rank": UNIT * 7, "name": NAMES, "wins": UNIT * 8, "spread": UNIT * 9}
            | {str(number): UNIT * (14 if after <= WITH_SCORES else 7) for number in range(1, after + 1)},
            stretch=(),
        )
        self.rows.show(self.session.desk.remember(key, lambda _value: self._rounds(
            crosstable.table(index, division, after), after)))  # fmt: skip

    def _rounds(self, table: Table[CrossRow], after: int) -> Table[CrossRow]:
        """Return a crosstable with a text for each round in place of the opponent's rank alone."""
        letter = letters(self.session.catalogue)
        columns = {one.id: one for one in table.columns}
        last = (columns["wins"], columns["spread"])
        squares = tuple(
            Column(str(number), Kind.TEXT, partial(self._square, number - 1, letter, after <= WITH_SCORES))
            for number in range(1, after + 1)
        )
        return Table("crosstable", (columns["rank"], columns["name"], *squares, *last), table.rows)

    def _square(self, place: int, letter: Mapping[str, str], scores: bool, row: CrossRow) -> str:
        card = row.rounds[place]
        if card is None:
            return ""
        if card.bye:
            return self.session.catalogue.code(card.bye) if scores else "–"
        message = f"{letter[card.result]}{row.opponents[place] or ''}"
        return (
            f"{message}  {card.points}–{card.opponent_points}" if scores and card.points is not None else message
        )

    def _show_matrix(self, division: Division, after: int) -> None:
        index, catalogue = self.session.index, self.session.catalogue
        table = self.session.desk.remember(
            ("matrix", division.id, after, catalogue.language),
            lambda _value: self._lettered(crosstable.matrix(index, division, after)),
        )
        self.view.set_widths({column.id: UNIT * 6 for column in table.columns} | {"name": NAMES}, stretch=())
        self.rows.show(table)

    def _lettered(self, table: Table[MatrixRow]) -> Table[MatrixRow]:
        """Return a matrix with letters for its games."""
        letter = letters(self.session.catalogue)
        before = tuple(column for column in table.columns if not column.id.isdigit())
        squares = tuple(
            Column(str(position), Kind.TEXT, partial(_against, position, letter))
            for position in range(1, len(table.rows) + 1)
        )
        return Table("matrix", (*before, *squares), table.rows)


def _against(place: int, letter: Mapping[str, str], row: MatrixRow) -> str:
    if place == row.place:
        return "×"
    return "".join(letter[card.result] for card in row.met[place - 1])
