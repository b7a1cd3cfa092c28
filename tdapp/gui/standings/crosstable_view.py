"""The crosstable, by round or by opponent."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import cast

from tdapp.domain.model import Division
from tdapp.domain.tables import standings
from tdapp.domain.tables.players import PlayerCardRow
from tdapp.domain.tables.standings import CrosstableRow, ResultMatrixRow, list_tiebreak_columns
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.domain.translatable import C_, N_
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.standings_view import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.lists import list_crosstable_cell_lines
from tdapp.i18n.phrases import map_results_to_letters

MAX_ROUNDS_WITH_SCORES = 9  # with more rounds a cell has only a letter and the opponent's number


class CrosstableView(StandingsView):
    """The crosstable of the current division."""

    view_id = "crosstable"
    choice_text = N_("Crosstable")
    page_heading = N_("Crosstable")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        forms = [
            (False, self.text(C_("layout of the crosstable", "By round"))),
            (True, self.text(C_("layout of the crosstable", "All-play-all"))),
        ]
        self.form: Choice[bool] = Choice(self.text("Layout of the crosstable"), forms, session.appearance)
        self.form.currentIndexChanged.connect(self.refresh_view)
        self.search = SearchField(self.text("Search players"), session.appearance)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key, lazy=str.isdigit)
        empty = self.text("No round has been published yet.")
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Crosstable"), empty=empty)
        self.view.allow_sideways_scrolling()
        self.view.disable_sorting()
        self.view.freeze_columns(3)
        self.search.textChanged.connect(self.view.filter_rows)
        self.footnote = fields.make_note_label()
        self.arrange_and_connect_view(fields.make_row(self.form, 1, self.search), self.view, self.footnote)

    @property
    def report_id(self) -> str:
        return "matrix" if self.form.value() else "crosstable"

    def show_table(self, division: Division, after: int) -> None:
        text, letter = self.session.catalogue.text, map_results_to_letters(self.session.catalogue)
        if self.form.value():
            self._show_player_matrix(division, after)
            note = text(
                "The columns are player numbers. {win} is a win, {draw} a draw and {loss} a loss for the "
                "player in that row.",
                **letter,
            )
        else:
            self._show_round_columns(division, after)
            note = text("{win}: won, {draw}: drew, {loss}: lost. The number is the opponent’s number.", **letter)
        self.footnote.setText(note)

    def _show_round_columns(self, division: Division, after: int) -> None:
        index, catalogue = self.session.index, self.session.catalogue
        key = ("crosstable", division.id, after, catalogue.language)
        count = len(standings.list_crosstable_rounds(index, division, after))
        table = self.session.desk.get_cached_value(
            key,
            lambda _value: self._replace_round_columns_by_text_columns(
                standings.make_crosstable(index, division, after), count
            ),
        )
        has_decided_games = any(card is not None and card.decided_by for row in table.rows for card in row.rounds)
        round_width = UNIT * (7 if count > MAX_ROUNDS_WITH_SCORES else 25 if has_decided_games else 14)
        self.view.set_widths(
            {"rank": UNIT * 7, "number": UNIT * 6}
            | {column.id: UNIT * 9 for column in list_tiebreak_columns(index, division, after)}
            | {str(number): round_width for number in range(1, count + 1)},
            stretch=(),
        )
        self.rows.show_table(table)

    def _replace_round_columns_by_text_columns(
        self, table: Table[CrosstableRow], round_count: int
    ) -> Table[CrosstableRow]:
        letter, has_scores = map_results_to_letters(self.session.catalogue), round_count <= MAX_ROUNDS_WITH_SCORES
        squares = {
            f"round_{round_index + 1}": Column(
                str(round_index + 1),
                ColumnKind.TEXT,
                partial(self._format_round_cell, round_index, letter, has_scores),
            )
            for round_index in range(round_count)
        }
        columns = tuple(squares.get(column.id) or column for column in table.columns)
        return Table("crosstable", columns, table.rows)

    def _format_round_cell(
        self, round_index: int, letters: Mapping[str, str], has_scores: bool, row: CrosstableRow
    ) -> str:
        card = row.rounds[round_index]
        lines = list_crosstable_cell_lines(self.session.catalogue, letters, card)
        if card is not None and not has_scores:
            return "–" if card.bye else lines[0]
        return "  ".join(lines)

    def _show_player_matrix(self, division: Division, after: int) -> None:
        index, catalogue = self.session.index, self.session.catalogue
        table = self.session.desk.get_cached_value(
            ("matrix", division.id, after, catalogue.language),
            lambda _value: self._make_table_with_result_cells(
                standings.make_result_matrix_table(index, division, after)
            ),
        )
        widths = {
            column.id: UNIT * (6 if column.kind in {ColumnKind.TEXT, ColumnKind.NUMBER} else 9)
            for column in table.columns
        }
        self.view.set_widths({name: px for name, px in widths.items() if name != "name"}, stretch=())
        self.rows.show_table(table)

    def _make_table_with_result_cells(self, table: Table[ResultMatrixRow]) -> Table[ResultMatrixRow]:
        letter = map_results_to_letters(self.session.catalogue)
        columns = tuple(
            Column(column.id, ColumnKind.TEXT, partial(_format_result_matrix_cell, column, letter))
            if column.id.isdigit()
            else column
            for column in table.columns
        )
        return Table("matrix", columns, table.rows)


def _format_result_matrix_cell(
    column: Column[ResultMatrixRow], letters: Mapping[str, str], row: ResultMatrixRow
) -> str:
    if column.id == str(row.standing.player.number):
        return "×"
    cards = cast("tuple[PlayerCardRow, ...]", column.value(row))
    return "".join(letters[card.result] for card in cards)
