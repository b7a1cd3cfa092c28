"""Import of the divisions of a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from tdapp.domain import commands
from tdapp.domain.entries import DivisionEntry, EventEntry
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.seating import compare_tables_with_imported_event
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.systems import SWISS
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.exchange.imports import list_import_warnings
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n import rule_sentences


class ImportedDivisionRow(Struct, frozen=True):
    """A division of the imported file, and the division that receives its players."""

    key: str
    entry: DivisionEntry
    ranking: str
    goes_to: str  # name of the division that receives the players
    is_full: bool

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.entry.code, self.entry.name)))


class ImportDivisionsDialog(Dialog):
    """Lists the divisions of a file, and the data that cannot be imported."""

    topic = "files"

    def __init__(self, session: Session, source: str, event: EventEntry, *, parent: QWidget | None = None) -> None:
        text, plural = session.catalogue.text, session.catalogue.plural
        title = plural("Import one division", "Import {n} divisions", len(event.divisions))
        super().__init__(session, title, yes=text("Import"), parent=parent, size=(120, 72))
        self._event = self._apply_selected_code_to_single_division(event)
        self.rows = TableRowsModel(session.catalogue, tone=lambda row: "red" if row.is_full else "")
        view = TableView(self.rows, appearance=session.appearance, name=title)
        view.set_widths(
            {"division": 160, "players": 80, "rounds": 80, "caps": 120, "goes_to": 200}, stretch=("ranking",)
        )
        self.file_order = fields.make_check_box(text("Use the ranking order of the program that wrote the file"))
        self.file_order.toggled.connect(self._show_imported_divisions)
        self.file_order.setVisible(any(item.usual and not item.order for item in event.divisions))
        self._show_imported_divisions()
        source_facts = (
            text("Source: {source}", source=source),
            event.name,
            session.catalogue.format_date(event.date),
        )
        self.add_labels((" · ".join(filter(None, source_facts)), "muted"))
        self.body.addWidget(view, 1)
        self.body.addWidget(self.file_order)
        full_names = [row.name for row in self.rows_shown if row.is_full]
        self.yes.setEnabled(not full_names)
        if full_names:
            words = text(
                "These divisions are not empty: {divisions}. This file can be imported only into empty divisions.",
                divisions=", ".join(full_names),
            )
            self.add_labels((words, "error"))
        else:
            self._preview_import_effects()
        parts = [
            session.catalogue.describe_problem(item.code, item.facts)
            for item in list_import_warnings(self._event, source)
        ]
        if parts:
            self.body.addWidget(fields.make_label(text("Left out or changed by the import:"), "body"))
            omitted_text = QPlainTextEdit("\n".join(parts), readOnly=True, tabChangesFocus=True)
            omitted_text.setAccessibleName(text("Not imported"))
            self.body.addWidget(omitted_text, 1)

    def confirm_dialog(self) -> None:
        command = partial(
            commands.import_event,
            key=self.session.make_row_id(),
            event=self._event,
            file_order=self.file_order.isChecked(),
        )
        self.session.do(command, on_success=make_callback_for_visible_widget(self, self.accept))

    def _preview_import_effects(self) -> None:
        catalogue = self.session.catalogue
        try:
            after = commands.import_event(self.session.tournament, key="preview", event=self._event)
        except CommandError as error:
            self.add_labels((catalogue.describe_error(error), "error"))
            self.yes.setEnabled(False)
            return
        moved_tables = compare_tables_with_imported_event(self._event, TournamentIndex(after))
        self.add_labels(*((catalogue.describe_problem("tables-moved", facts), "body") for facts in moved_tables))

    def _show_imported_divisions(self, *_: object) -> None:
        self.rows_shown = tuple(
            self._make_division_row(index, item) for index, item in enumerate(self._event.divisions)
        )
        self.rows.show_table(Table("divisions", _DIVISION_COLUMNS, self.rows_shown))

    def _apply_selected_code_to_single_division(self, event: EventEntry) -> EventEntry:
        division = self.session.division
        if division is None or len(event.divisions) > 1:
            return event
        return replace(event, divisions=(replace(event.divisions[0], code=division.code),))

    def _make_division_row(self, position: int, item: DivisionEntry) -> ImportedDivisionRow:
        text = self.session.catalogue.text
        existing_divisions = [
            division
            for division in self.session.index.divisions
            if division.code.casefold() == item.code.casefold()
        ]
        is_empty = bool(existing_divisions) and not self.session.index.players(existing_divisions[0].id)
        target = (
            text("Division {code}", code=item.code) if is_empty else text("a new division {code}", code=item.code)
        )
        order = item.order or (
            item.usual if self.file_order.isChecked() else self._find_tournament_ranking_order(existing_divisions)
        )
        ranking = rule_sentences.describe_ranking_order(self.session.catalogue, order)
        is_full = bool(existing_divisions) and not is_empty
        return ImportedDivisionRow(str(position), item, ranking, "–" if is_full else target, is_full)

    def _find_tournament_ranking_order(self, existing_divisions: Sequence[Division]) -> tuple[str, ...]:
        index = self.session.index
        if existing_divisions:
            return find_tiebreak_order(index, existing_divisions[0])
        stages = index.stages(index.divisions[0].id) if index.divisions else ()
        return index.tournament.ruleset.get_tiebreak_order_for_system(stages[0].system if stages else SWISS.id)


_DIVISION_COLUMNS: tuple[Column[ImportedDivisionRow], ...] = (
    Column("division", ColumnKind.TEXT, attrgetter("name")),
    Column("players", ColumnKind.NUMBER, lambda row: len(row.entry.players)),
    Column("rounds", ColumnKind.NUMBER, lambda row: len(row.entry.rounds)),
    Column("caps", ColumnKind.TEXT, lambda row: " ".join(map(str, row.entry.spread_caps))),
    Column("ranking", ColumnKind.TEXT, attrgetter("ranking")),
    Column("goes_to", ColumnKind.TEXT, attrgetter("goes_to")),
)
