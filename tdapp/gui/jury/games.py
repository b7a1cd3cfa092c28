"""Load and save a score sheet, and import annotated games."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.entries import SheetToEnter
from tdapp.domain.errors import InputError
from tdapp.domain.model import Game, GameId
from tdapp.domain.sheet_draft import make_sheet_draft
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_
from tdapp.exchange import sheet_files
from tdapp.exchange.sheet_files import ParsedGameFile
from tdapp.exchange.text import write_file
from tdapp.gui.jury.sheet_page import SheetPage
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_existing_file, ask_file_to_write
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n.phrases import format_round_and_table
from tdapp.scrabble.tiles import TileSet


class GameFileRow(Struct, frozen=True):
    """A file with an annotated game, as a row of the import dialog."""

    key: str
    file: str
    players: str
    goes_to: str  # table of the game in the tournament
    notes: str  # warnings and errors of the file
    is_chosen: bool  # the file will be imported
    fits_no_game: bool  # no game of the tournament fits the file


class ImportGamesDialog(Dialog):
    """Preview of an import of annotated games: each file with its game in the tournament."""

    topic = "files"

    def __init__(
        self,
        session: Session,
        files: tuple[ParsedGameFile, ...],
        tileset: TileSet,
        *,
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        title = text("Annotated games")
        super().__init__(session, title, yes=text("Import"), parent=parent, size=(132, 76))
        self._files, self._tileset = files, tileset
        index = session.index
        self._matching_games = tuple(sheet_files.list_games_matching_file(index, file) for file in files)
        self._possible_games = tuple(map(self._list_games_with_starter_as_in_file, files, self._matching_games))
        self._chosen_games = [*sheet_files.propose_game_for_each_file(index, files)]
        self.rows = TableRowsModel(session.catalogue, tone=_choose_row_tone)
        self.view = TableView(self.rows, appearance=session.appearance, name=title)
        self.view.set_widths({"file": 220, "players": 300, "goes_to": 160}, stretch=("notes",))
        self.view.add_keyboard_actions({"Space": self._assign_next_game_to_selected_files})
        self.view.add_keyboard_actions(dict.fromkeys(("Return", "Enter"), self.yes.click))
        self.view.doubleClicked.connect(self._assign_next_game_to_selected_files)
        self.body.addWidget(self.view, 1)
        self.body.addWidget(
            fields.make_label(
                text("If a file may belong to several games, press Space to choose the next game."), "muted"
            )
        )
        self._show_game_files()
        self.view.setFocus()

    def confirm_dialog(self) -> None:
        games, index = self.session.tournament.games, self.session.index
        entries = tuple(
            SheetToEnter(key, sheet_files.fill_in_player_names_from_pairing(index, games[key], file.sheet))
            for file, key in zip(self._files, self._chosen_games, strict=True)
            if file.sheet is not None and key is not None
        )
        command = partial(commands.enter_sheets, entries=entries, tileset=self._tileset)
        self.session.do(command, on_success=make_callback_for_visible_widget(self, self.accept))

    def _list_games_with_starter_as_in_file(
        self, file: ParsedGameFile, games: tuple[Game, ...]
    ) -> tuple[GameId, ...]:
        index, sheet = self.session.index, file.sheet
        return tuple(
            game.id
            for game in games
            if sheet and not sheet_files.has_different_starter_on_sheet(index, game, sheet)
        )

    def _assign_next_game_to_selected_files(self) -> None:
        for key in self.view.list_selected_keys():
            index = int(key)
            choices: list[GameId | None] = [*self._possible_games[index], None]
            self._chosen_games[index] = choices[(choices.index(self._chosen_games[index]) + 1) % len(choices)]
        self._show_game_files()

    def _show_game_files(self) -> None:
        rows = tuple(self._make_file_row(index, file) for index, file in enumerate(self._files))
        self.rows.show_table(Table("game-files", _COLUMNS, rows))
        chosen_count = sum(row.is_chosen for row in rows)
        catalogue = self.session.catalogue
        title = catalogue.plural("Import one game", "Import {n} games", chosen_count)
        self.yes.setText(title if chosen_count else catalogue.text("Import"))
        self.yes.setEnabled(bool(chosen_count))

    def _make_file_row(self, position: int, file: ParsedGameFile) -> GameFileRow:
        catalogue, game = self.session.catalogue, self._chosen_games[position]
        games, index = self.session.tournament.games, self.session.index
        return GameFileRow(
            key=str(position),
            file=file.name,
            players=" – ".join(file.sheet.players) if file.sheet else "",
            goes_to=format_round_and_table(catalogue, index, games[game])
            if game
            else catalogue.text(C_("game file", "– leave out –")),
            notes=self._describe_file_problems(position, file),
            is_chosen=game is not None,
            fits_no_game=not self._possible_games[position],
        )

    def _describe_file_problems(self, position: int, file: ParsedGameFile) -> str:
        catalogue = self.session.catalogue
        if file.error is not None:
            return catalogue.describe_error(file.error).removeprefix(file.name).lstrip(":, ")
        if not self._matching_games[position]:
            return catalogue.text("No published game between these two players")
        if not self._possible_games[position]:
            return catalogue.text("In this file the other player starts. First change who starts the game.")
        parts, game = [], self._chosen_games[position]
        if game is not None and self.session.index.sheets(game):
            parts.append(catalogue.text("the file replaces the current score sheet"))
        elif game is None and all(map(self.session.index.sheets, self._possible_games[position])):
            parts.append(catalogue.text("this game already has a score sheet"))
        if file.issue_count:
            parts.append(
                catalogue.plural("one possible mistake found", "{n} possible mistakes found", file.issue_count)
            )
        return " · ".join(parts)


def _choose_row_tone(row: GameFileRow) -> str:
    return "red" if row.fits_no_game else "" if row.is_chosen else "muted"


_COLUMNS = tuple(make_columns_from_row_attributes(ColumnKind.TEXT, "file", "players", "goes_to", "notes"))


class SheetFileActions:
    """Loads and saves the open score sheet."""

    def __init__(self, page: SheetPage) -> None:
        self._page, self._session, self._sheet = page, page.session, page.sheet

    def ask_path_and_load_sheet(self) -> None:
        text, folder = self._session.catalogue.text, self._get_last_used_folder()
        title, pattern = text("Load a sheet"), text("Games and sheets (*.gcg *.json);;All files (*)")
        if path := ask_existing_file(self._page, self._session, title, pattern, folder=folder):
            self.load_sheet(path)

    def load_sheet(self, path: Path) -> None:
        """Load a file into the open sheet. The user can restore the unsaved text that the file replaces."""
        sheet, game, tileset = self._sheet, self._sheet.game, self._sheet.find_tileset_or_default(None)
        if game is None or tileset is None or not sheet.can_edit_sheets():
            return
        try:
            loaded_sheet = sheet_files.load_sheet(path, tileset, sheet.rules, self._session.catalogue)
        except InputError as error:
            self._session.show_error(error)
            return
        tileset_id = loaded_sheet.sheet.tileset
        if tileset_id is not None and sheet.find_tileset_or_default(tileset_id) is None:
            self._session.show_error(InputError("tileset-not-here", source=path.name, tileset=tileset_id))
            return
        players = self._session.tournament.players
        pair = players[game.first].name, players[game.second].name
        score_sheet, names = sheet_files.put_starter_first(loaded_sheet.sheet, pair)
        if sheet.is_unsaved:
            sheet.discard_or_restore_draft()
        draft = make_sheet_draft(score_sheet, names, sheet.square_notation)
        sheet.replace_draft(draft, turn_index=len(draft.entries))
        sheet.normalise_line_and_save_drafts()
        sheet.warnings = (
            *sheet_files.list_warnings_about_different_players(loaded_sheet.sheet, pair, self._session.catalogue),
            *loaded_sheet.warnings,
        )
        self._remember_folder(path)
        self._page.return_to_sheet_end_panel()
        self._page.show_sheet()
        self._page.turns.focus_field()

    def ask_path_and_export_sheet(self) -> None:
        text = self._session.catalogue.text
        title, pattern = text("Save as GCG"), text("Annotated games (*.gcg)")
        if path := ask_file_to_write(self._page, title, self._get_last_used_folder(), pattern):
            self.export_sheet(path)

    def export_sheet(self, path: Path) -> None:
        parsed_sheet, tileset = self._page.parsed_sheet, self._sheet.tileset
        if parsed_sheet is None or tileset is None:
            return
        try:
            data = sheet_files.encode_annotated_game(
                parsed_sheet.sheet, self._sheet.rules, tileset, self._session.catalogue
            )
            write_file(path, data)
        except InputError as error:
            self._session.show_error(error)
        else:
            self._remember_folder(path)
            self._session.show_message(self._session.catalogue.text("Saved as {name}", name=path.name))

    def _get_last_used_folder(self) -> str:
        return str(self._session.settings.value("jury/folder", str(Path.home())))

    def _remember_folder(self, path: Path) -> None:
        self._session.settings.setValue("jury/folder", str(path.parent))
