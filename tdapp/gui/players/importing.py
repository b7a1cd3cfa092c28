"""Import of players: choose the columns, match rows with players, preview the changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from tdapp.domain import commands
from tdapp.domain.entries import (
    EventEntry,
    ImportedPlayerStatus,
    MatchedPlayerEntry,
    PlayerEntry,
    convert_division_names_to_codes,
    match_player_entries,
)
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.model import DivisionId
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.exchange import player_lists
from tdapp.exchange.cells import CellGrid, ImportedResults, RowProblem
from tdapp.exchange.imports import (
    ImportedFile,
    PlayerListFile,
    make_player_list_from_entries,
    read_player_list_text,
)
from tdapp.exchange.player_lists import FIELDS, SPLIT_UNSURE, ParsedPlayerList, PlayerColumns
from tdapp.exchange.text import ENCODINGS, LEGACY, clean_text_to_one_line
from tdapp.gui.players.importing_divisions import ImportDivisionsDialog
from tdapp.gui.shell.file_actions import enter_imported_results
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.page import set_tab_order
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT

_CHOICE_WIDTH = UNIT * 22
_COLUMNS_PER_ROW = 6


class ColumnContentChoices(QScrollArea):
    """Lists the file's columns. The user chooses the content of each, such as "Last name"."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.choices: list[Choice[str]] = []  # starting with the first column
        text, get_heading = session.catalogue.text, session.catalogue.heading
        own_names = {
            "first_last": text("First name Last name"), "last": text("Last name"),
            "infix": text(C_("name, as “van der”", "Prefix")), "first": text("First name"),
        }  # fmt: skip
        names = ((field, own_names.get(field) or get_heading(field)) for field in FIELDS)
        self._names = [("", text("– leave out –")), *names]  # types of columns
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_columns_with_content_choices(self, file_grid: CellGrid, columns: PlayerColumns) -> None:
        content = QWidget()
        grid = QGridLayout(content)
        grid.setContentsMargins(0, 0, UNIT, UNIT // 2)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(UNIT // 2)
        grid.setColumnStretch(_COLUMNS_PER_ROW, 1)
        self.choices = []
        for index in range(file_grid.width):
            texts = (
                clean_text_to_one_line(cells[index]) for _, cells in file_grid.rows[:20] if index < len(cells)
            )
            heading = next(filter(None, texts), "") or self._session.catalogue.text("Column {n}", n=index + 1)
            if not file_grid.rows[0][0]:  # the program made the headings
                heading = self._session.catalogue.heading(heading)
            label = ElidedLabel("muted")
            label.setMaximumWidth(_CHOICE_WIDTH)
            label.set_full_text(heading)
            choice = Choice(heading, self._names, self._session.appearance, value=columns.columns[index])
            choice.setFixedWidth(_CHOICE_WIDTH)
            choice.currentIndexChanged.connect(self.changed)
            grid.addWidget(label, index // _COLUMNS_PER_ROW * 2, index % _COLUMNS_PER_ROW)
            grid.addWidget(choice, index // _COLUMNS_PER_ROW * 2 + 1, index % _COLUMNS_PER_ROW)
            self.choices.append(choice)
        self.setWidget(content)
        rows = -(-max(file_grid.width, 1) // _COLUMNS_PER_ROW)
        self.setFixedHeight(content.sizeHint().height() * min(rows, 2) // rows)
        set_tab_order(self.choices)

    def get_chosen_player_fields(self) -> tuple[str, ...]:
        return tuple(choice.value() or "" for choice in self.choices)


class ImportRowAction(StrEnum):
    """Effect of the import on a row of the file."""

    ADD = "add"
    CHANGE = "change"
    SKIP = "skip"


# The proposed action is first.
_ALLOWED_ACTIONS: Mapping[ImportedPlayerStatus, tuple[ImportRowAction, ...]] = {
    ImportedPlayerStatus.NEW: (ImportRowAction.ADD, ImportRowAction.SKIP),
    ImportedPlayerStatus.SAME: (ImportRowAction.SKIP,),
    ImportedPlayerStatus.RATING: (ImportRowAction.CHANGE, ImportRowAction.SKIP),
    ImportedPlayerStatus.CHANGED: (ImportRowAction.CHANGE, ImportRowAction.SKIP),
    ImportedPlayerStatus.CONFLICT: (ImportRowAction.SKIP, ImportRowAction.CHANGE, ImportRowAction.ADD),
}


ShowSkippedLines = Callable[[PlayerListFile, int], None]  # called with the list and the number of lines left out


def _list_possible_import_actions(match: MatchedPlayerEntry) -> tuple[ImportRowAction, ...]:
    actions = _ALLOWED_ACTIONS[match.status]
    return tuple(action for action in actions if match.player is not None or action is not ImportRowAction.CHANGE)


class ImportPreviewRow(Struct, frozen=True):
    """A row of the file in the preview of an import."""

    entry: PlayerEntry
    match_status: ImportedPlayerStatus | None  # how the row matches a player; None if it cannot be imported
    explanation: str  # changes of the player, or the reason why the row cannot be imported
    action: ImportRowAction
    division: str  # division of this entry
    has_warning: bool = False

    @property
    def key(self) -> str:
        return str(self.entry.line)


class ImportPlayersDialog(Dialog):
    """Shows the rows of a player list before their import."""

    topic = "files"

    def __init__(
        self,
        session: Session,
        division: DivisionId,
        lists: PlayerListFile,
        *,
        parent: QWidget | None = None,
        show_skipped_lines: ShowSkippedLines | None = None,
        has_rounds: bool = False,
    ) -> None:
        text = session.catalogue.text
        title = text("Import into division {division}", division=session.tournament.divisions[division].code)
        super().__init__(session, title, yes=text("Import"), parent=parent, size=(148, 82))
        self._title = title
        self._division = division
        self._lists = lists
        self._matches: tuple[MatchedPlayerEntry, ...] = ()
        self._errors: Mapping[int, str] = {}
        self._warnings: Mapping[int, Sequence[RowProblem]] = {}
        self._country = session.tournament.get_ruleset_of_row(session.tournament.divisions[division]).country
        self._decisions: dict[int, ImportRowAction] = {}
        self._preview_sort_keys: Mapping[int, int] = {}  # by line of the file
        self._corrections: dict[tuple[int, int], str] = {}  # corrected cells by line and column
        self._show_skipped_lines = show_skipped_lines
        self._error = fields.make_label("", "error", wrap=True)
        self._count_label = fields.make_label("", "muted")
        self.targets = fields.make_label("", "body", wrap=True)  # number of players per division
        sheet_names = [(index, sheet.name) for index, sheet in enumerate(lists.sheets)]
        self.sheet = Choice(
            text(C_("of a spreadsheet", "Sheet")),
            sheet_names,
            session.appearance,
            value=lists.likely_worksheet_index,
        )
        encodings = [(encoding, name) for encoding, name in ENCODINGS.items() if encoding != "utf-16"]
        self.encoding = Choice(
            text(C_("characters in a file", "Encoding")), encodings, session.appearance, value=lists.encoding.name
        )
        self._sample = fields.make_label("", "muted", wrap=True)  # names that depend on the encoding
        self.headings_box = fields.make_check_box(
            text("The first row contains the column headings"), is_checked=True
        )
        self.names = fields.make_check_box(text("Spell names as in the rating list"))
        self.columns = ColumnContentChoices(session)
        self.rows = TableRowsModel(session.catalogue, tone=_choose_row_tone, edit=self._store_cell_correction)
        self.view = self._make_rows_view(title)
        self._build_layout()
        if has_rounds:
            warning = text(
                "The rounds in this file are left out: they can be imported only into an empty division."
            )
            self.body.insertWidget(1, fields.make_label(warning, "error", wrap=True))
        self._show_names_with_accents()
        self._show_chosen_worksheet()
        self.encoding.currentIndexChanged.connect(self._read_list_in_chosen_encoding)
        self.sheet.currentIndexChanged.connect(self._show_chosen_worksheet)
        self.headings_box.toggled.connect(self._match_rows_and_show_preview)
        self.names.toggled.connect(self._match_rows_and_show_preview)
        self.columns.changed.connect(self._match_rows_and_show_preview)
        self.view.setFocus()

    def confirm_dialog(self) -> None:
        session, rows = self.session, self._list_rows_to_import()
        divisions = session.tournament.divisions
        division_code = divisions[self._division].code
        entries = [replace(match.entry, division=match.entry.division or division_code) for match, _ in rows]
        used_numbers = {
            (divisions[player.division].code, player.number) for player in session.tournament.players.values()
        }
        command = partial(
            commands.import_players,
            key=session.make_row_id(),
            division=self._division,
            entries=tuple(
                replace(entry, number=None) if (entry.division, entry.number) in used_numbers else entry
                for entry in entries
            ),
            known=tuple(match.player if decision is ImportRowAction.CHANGE else None for match, decision in rows),
            names=self.names.isChecked(),
            namesakes=True,  # the user decides on each line
        )
        session.do(command, on_success=make_callback_for_visible_widget(self, self._show_skipped_count_and_close))

    def _show_skipped_count_and_close(self) -> None:
        skipped_count = sum(
            match.entry.line in self._errors
            or (match.status is not ImportedPlayerStatus.SAME and decision is ImportRowAction.SKIP)
            for match, decision in ((match, self._get_chosen_action(match)) for match in self._matches)
        )
        if self._show_skipped_lines is not None:
            self._show_skipped_lines(self._lists, skipped_count)
        self.accept()

    # --- build

    def _make_rows_view(self, title: str) -> TableView:
        view = TableView(self.rows, appearance=self.session.appearance, name=title)
        view.set_widths(
            {
                "line": 56, "meeting": 112, "division": 72, "number": 48, "name": 190, "rating": 72, "club": 104,
                "decision": 104,
            },
            stretch=("said",),
        )  # fmt: skip
        view.hide_columns_if_empty({"division", "number", "rating", "club"})
        view.add_keyboard_actions({"Space": self._switch_import_action_of_selected_rows})
        view.add_keyboard_actions(dict.fromkeys(("Return", "Enter"), self.yes.click))
        view.doubleClicked.connect(self._switch_import_action_on_double_click)
        return view

    def _build_layout(self) -> None:
        source = fields.make_label(self.text("Source: {source}", source=self._lists.source), "muted")
        has_several_sheets = len(self._lists.sheets) > 1
        choice = (
            fields.make_row(fields.make_label(self.text(C_("of a spreadsheet", "Sheet"))), self.sheet)
            if has_several_sheets
            else 0
        )
        self.sheet.setParent(self)
        self.sheet.setVisible(has_several_sheets)
        is_doubtful = (
            bool(self._lists.accented_cell_samples)
            and self._lists.encoding.name != "utf-16"
            and bool(self._lists.data)
        )
        encoding = (
            fields.make_row(fields.make_label(self.text(C_("characters in a file", "Encoding"))), self.encoding)
            if is_doubtful
            else 0
        )
        self.encoding.setParent(self)
        self.encoding.setVisible(is_doubtful)
        source_row = fields.make_row(source, choice, encoding, self._sample, 1, gap=UNIT * 2, wide=self._sample)
        fields.add_parts_to_layout(
            self.body,
            source_row,
            fields.WrappingRow(self.headings_box, self.names),
            self.columns,
            self._error,
            self.targets,
        )
        self.body.addWidget(self.view, 1)
        self.body.addWidget(self.view.make_label_for_cut_off_text("said"))
        hint_text = self.text("Press Space to change the action for the selected lines, or F2 to correct a cell.")
        self.body.addLayout(fields.make_row(self._count_label, 1, fields.make_note_label(hint_text)))

    # --- preview

    def _read_list_in_chosen_encoding(self) -> None:
        try:
            lists = read_player_list_text(self._lists.data, self._lists.source, self.encoding.value() or "")
        except InputError as error:
            self._error.setText(self.session.catalogue.describe_error(error))
            self._error.show()
            return
        self._lists = lists
        self._show_names_with_accents()
        self._show_chosen_worksheet()

    def _show_names_with_accents(self) -> None:
        encoding, names = self._lists.encoding, "; ".join(self._lists.accented_cell_samples)
        is_doubtful = bool(encoding.legacy) or encoding.name in LEGACY
        self._sample.setText(
            self.text("Check the special letters in these names: {names}", names=names)
            if names and is_doubtful
            else ""
        )

    def _show_chosen_worksheet(self) -> None:
        self._corrections = {}
        grid = self._make_corrected_grid()
        columns = player_lists.guess_player_columns(
            grid,
            single_column_is_names=len(self._lists.sheets) == 1,
            country=self._country,
            division_names=[name for item in self.session.index.divisions for name in (item.code, item.name)],
        )
        with QSignalBlocker(self.headings_box):
            self.headings_box.setChecked(columns.has_headings)
        self.columns.show_columns_with_content_choices(grid, columns)
        self._match_rows_and_show_preview()

    def _make_corrected_grid(self) -> CellGrid:
        grid, corrections = self._lists.sheets[self.sheet.value() or 0].grid, self._corrections
        if not corrections:
            return grid
        rows = (
            (
                line,
                tuple(
                    corrections.get((line, column), cell)
                    for column, cell in enumerate((*cells, *[""] * grid.width)[: grid.width])
                ),
            )
            for line, cells in grid.rows
        )
        return CellGrid(tuple(rows), grid.unread_cells)

    def _store_cell_correction(self, key: str, column: str, text: str) -> None:
        columns, line = self.columns.get_chosen_player_fields(), int(key)
        parts = [field for field in ("infix", "first") if column == "name" and field in columns]
        name_fields = (name for name in ("name", "first_last", "last") if name in columns)
        field = next(name_fields, "last") if column == "name" else column
        if field in columns:
            self._corrections |= {(line, columns.index(part)): "" for part in parts}
            self._corrections[line, columns.index(field)] = text
            self._match_rows_and_show_preview(keep_choices=True)

    def _match_rows_and_show_preview(self, _value: object = None, *, keep_choices: bool = False) -> None:
        """Match rows with players again. With `keep_choices`, keep the row order and the user's choices."""
        columns = PlayerColumns(
            self.columns.get_chosen_player_fields(), has_headings=self.headings_box.isChecked()
        )
        self._matches, self._errors, self._decisions = (), {}, self._decisions if keep_choices else {}
        self._preview_sort_keys = self._preview_sort_keys if keep_choices else {}
        self._error.setText("")
        name_columns = player_lists.NAME_COLUMNS & {*columns.columns}
        self.view.set_empty_text(
            "" if name_columns else self.text("Above, choose the column that contains the names.")
        )
        try:
            grid = self._make_corrected_grid()
            preview = player_lists.read_player_grid(grid, "", columns, country=self._country)
        except InputError as error:
            self._error.setText(self.session.catalogue.describe_error(error) if name_columns else "")
        else:
            self._match_rows_with_players(preview)
        self._error.setVisible(bool(self._error.text()))
        self._show_preview_rows()

    def _match_rows_with_players(self, preview: ParsedPlayerList) -> None:
        describe_error = self.session.catalogue.describe_error
        self._errors = errors = {
            problem.line: describe_error(problem.make_input_error(""))
            for problem in reversed(preview.problems_except_repeated_player_names)
        }
        warnings: dict[int, list[RowProblem]] = defaultdict(list)
        for warning in preview.warnings:
            warnings[warning.line].append(warning)
        self._warnings = warnings
        heading = self._make_corrected_grid().rows[0][0] if self.headings_box.isChecked() else 0
        self._error.setText(
            "\n".join(describe_error(problem.make_input_error("")) for problem in warnings[heading])
        )
        index, names = self.session.index, self.names.isChecked()
        entries = convert_division_names_to_codes(index, self._division, preview.entries)
        codes = {division.id: division.code for division in index.divisions}
        valid_entries = [
            replace(entry, division=entry.division or codes[self._division])
            for entry in entries
            if entry.line not in errors
        ]
        players = tuple(index.tournament.players.values())
        matches = iter(match_player_entries(players, valid_entries, with_names=names, codes=codes))
        self._matches = tuple(
            MatchedPlayerEntry(entry, ImportedPlayerStatus.SAME)
            if entry.line in errors
            else replace(next(matches), entry=entry)
            for entry in entries
        )
        self._preview_sort_keys = self._preview_sort_keys or {
            match.entry.line: self._compute_preview_sort_key(match) for match in self._matches
        }

    # --- decide and import

    def _get_chosen_action(self, match: MatchedPlayerEntry) -> ImportRowAction:
        default_action, line = _list_possible_import_actions(match)[0], match.entry.line
        return ImportRowAction.SKIP if line in self._errors else self._decisions.get(line, default_action)

    def _list_rows_to_import(self) -> list[tuple[MatchedPlayerEntry, ImportRowAction]]:
        actions = [(match, self._get_chosen_action(match)) for match in self._matches]
        return [(match, decision) for match, decision in actions if decision is not ImportRowAction.SKIP]

    def _switch_import_action_on_double_click(self, index: QModelIndex) -> None:
        if not self.rows.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self._switch_import_action_of_selected_rows()

    def _switch_import_action_of_selected_rows(self) -> None:
        chosen_lines = {int(key) for key in self.view.list_selected_keys()}
        matches = [
            match
            for match in self._matches
            if match.entry.line in chosen_lines and match.entry.line not in self._errors
        ]
        if not matches:
            return
        actions = _list_possible_import_actions(matches[0])
        next_action = actions[(actions.index(self._get_chosen_action(matches[0])) + 1) % len(actions)]
        for match in matches:
            if next_action in _list_possible_import_actions(match):
                self._decisions[match.entry.line] = next_action
        self._show_preview_rows()
        names = ", ".join(match.entry.name for match in matches)
        announce_text(
            self.view, f"{names}: {self.session.catalogue.translate_code(next_action)}. {self.yes.text()}"
        )

    # --- display

    def _show_preview_rows(self) -> None:
        sorted_matches = sorted(self._matches, key=lambda match: self._preview_sort_keys[match.entry.line])
        self.rows.show_table(Table("offer", _OFFER_COLUMNS, tuple(map(self._make_preview_row, sorted_matches))))
        if sorted_matches and not self.view.get_current_row_key():
            self.view.select_row(str(sorted_matches[0].entry.line))  # Space changes the decision there
        catalogue, to_import = self.session.catalogue, self._list_rows_to_import()
        moves_count = sum(match.has_division_change for match in self._matches)
        counts = Counter(match.status for match in self._matches if match.entry.line not in self._errors)
        counts[ImportedPlayerStatus.CONFLICT] -= moves_count
        parts = [
            f"{catalogue.translate_code(status)}: {counts[status]}"
            for status in ImportedPlayerStatus
            if counts[status]
        ]
        if moves_count:
            parts.append(
                catalogue.plural(
                    "One already plays in another division", "{n} already play in another division", moves_count
                )
            )
        if self._errors:
            error_text = catalogue.plural(
                "One line cannot be imported", "{n} lines cannot be imported", len(self._errors)
            )
            parts.append(error_text)
        self._count_label.setText(" · ".join(parts))
        self._show_target_divisions(to_import)
        button_text = catalogue.plural("Import one player", "Import {n} players", len(to_import))
        self.yes.setText(button_text if to_import else catalogue.text("Import"))
        self.yes.setEnabled(bool(to_import))

    def _show_target_divisions(self, to_import: Sequence[tuple[MatchedPlayerEntry, ImportRowAction]]) -> None:
        text = self.session.catalogue.text
        codes = {division.code.casefold() for division in self.session.index.divisions}
        counts = Counter(match.entry.division for match, _ in to_import if match.entry.division)
        parts = [
            f"{code} ({n})"
            if code.casefold() in codes
            else text(C_("import", "{division}, new division ({n})"), division=code, n=n)
            for code, n in sorted(counts.items())
        ]
        divisions_text = text("Import into divisions: {divisions}", divisions=" · ".join(parts))
        fields.show_text(self.targets, divisions_text if parts else "")
        has_divisions = any(match.entry.division for match in self._matches)
        title = text("Import players") if has_divisions else self._title
        self.heading.setText(title)
        self.setWindowTitle(title)

    def _compute_preview_sort_key(self, match: MatchedPlayerEntry) -> int:
        if match.entry.line in self._errors:
            return 0
        return 1 if match.status is ImportedPlayerStatus.CONFLICT else 2 if self._list_warnings(match) else 3

    def _list_warnings(self, match: MatchedPlayerEntry) -> list[RowProblem]:
        is_name_imported = match.player is None or self.names.isChecked()
        return [
            problem
            for problem in self._warnings.get(match.entry.line, ())
            if is_name_imported or problem.code != SPLIT_UNSURE
        ]

    def _make_preview_row(self, match: MatchedPlayerEntry) -> ImportPreviewRow:
        error = self._errors.get(match.entry.line)
        return ImportPreviewRow(
            match.entry,
            None if error else match.status,
            error or self._describe_row_changes(match),
            self._get_chosen_action(match),
            match.entry.division,
            has_warning=bool(self._list_warnings(match)),
        )

    def _describe_row_changes(self, match: MatchedPlayerEntry) -> str:
        catalogue = self.session.catalogue
        changes = [
            f"{catalogue.heading(change.field)}: {'–' if change.old in {None, ''} else change.old} → {change.new}"
            for change in match.changes
        ]
        if match.has_division_change and match.player is not None:
            code = self.session.tournament.divisions[match.player.division].code
            changes.insert(0, catalogue.text("Already plays in division {division}", division=code))
        elif match.status is ImportedPlayerStatus.CONFLICT and match.player is not None:
            player_text = catalogue.text(
                C_("same player as", "No. {number} {name}?"), number=match.player.number, name=match.player.name
            )
            changes.insert(0, player_text)
        elif match.status is ImportedPlayerStatus.CONFLICT:
            changes.append(
                catalogue.text("Another line has the same name. Add the player if this is a different person.")
            )
        changes += [
            catalogue.describe_error(problem.make_input_error("")) for problem in self._list_warnings(match)
        ]
        return " · ".join(changes)


def _choose_row_tone(row: ImportPreviewRow) -> str:
    if row.match_status is None:
        return "red"
    if row.has_warning or (
        row.match_status is ImportedPlayerStatus.CONFLICT and row.action is ImportRowAction.SKIP
    ):
        return "amber"
    return "muted" if row.action is ImportRowAction.SKIP else ""


_OFFER_COLUMNS: tuple[Column[ImportPreviewRow], ...] = (
    Column("line", ColumnKind.NUMBER, attrgetter("entry.line")),
    Column("meeting", ColumnKind.CODE, attrgetter("match_status")),
    Column("division", ColumnKind.TEXT, attrgetter("division"), editable=True),
    Column("number", ColumnKind.NUMBER, attrgetter("entry.number"), editable=True),
    Column("name", ColumnKind.NAME, attrgetter("entry.name"), editable=True),
    Column("rating", ColumnKind.RATING, attrgetter("entry.rating_marked_if_provisional"), editable=True),
    Column("club", ColumnKind.TEXT, attrgetter("entry.club"), editable=True),
    Column("said", ColumnKind.TEXT, attrgetter("explanation")),
    Column("decision", ColumnKind.CODE, attrgetter("action")),
)


def start_player_or_division_import(
    session: Session,
    parent: QWidget,
    source: str,
    show_skipped_lines: ShowSkippedLines,
    imported: ImportedFile,
    *,
    has_rounds: bool = False,
) -> None:
    """Open a dialog to import players or divisions. If the file has only results, enter them without a dialog.

    `source` is the file name, "" for pasted text. With `has_rounds` the dialog explains why it does not import the
    rounds in the file.
    """
    division = session.division
    if isinstance(imported, Tournament):
        session.show_error(CommandError("import-tournament-instead"))
    elif isinstance(imported, EventEntry) and _must_import_only_players(session, imported):
        lists = make_player_list_from_entries(imported.divisions[0].players, source)
        start_player_or_division_import(
            session, parent, source, show_skipped_lines, lists, has_rounds=bool(imported.divisions[0].rounds)
        )
    elif isinstance(imported, EventEntry):
        ImportDivisionsDialog(session, source, imported, parent=parent).open()
    elif division is None:
        session.show_error(CommandError("no-division-yet"))
    elif isinstance(imported, PlayerListFile):
        dialog = ImportPlayersDialog(
            session,
            division.id,
            imported,
            parent=parent,
            show_skipped_lines=show_skipped_lines,
            has_rounds=has_rounds,
        )
        dialog.open()
    elif isinstance(imported, ImportedResults):
        enter_imported_results(session, parent, imported)


def _must_import_only_players(session: Session, event: EventEntry) -> bool:
    division = session.division
    return len(event.divisions) == 1 and division is not None and bool(session.index.players(division.id))
