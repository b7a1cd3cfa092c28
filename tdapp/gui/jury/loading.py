"""Files on the Jury page: annotated games and sheets into the open sheet, and the sheet into an annotated game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from tdapp.domain.errors import InputError
from tdapp.domain.sheet_draft import draft_of_sheet
from tdapp.exchange import sheet_files

if TYPE_CHECKING:
    from tdapp.gui.jury.page import JuryPage


class SheetFileActions:
    """Asks for files, loads them and saves them."""

    def __init__(self, page: JuryPage) -> None:
        self._page = page
        self._session = page.session
        self._sheet = page.sheet

    def load(self) -> None:
        """Ask for a file and load it into the open sheet."""
        text = self._session.catalogue.text
        pattern = text("Games and sheets (*.gcg *.json);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self._page, text("Load a sheet"), self._folder(), pattern)
        if name:
            self.load_from(Path(name))

    def load_from(self, path: Path) -> None:
        """Load a file into the open sheet; what was typed there is put aside."""
        sheet, game, tileset = self._sheet, self._sheet.game, self._sheet.tiles_of(None)
        if game is None or tileset is None or not sheet.may_change():
            return
        try:
            loaded = sheet_files.load(path, tileset, sheet.rules, self._session.catalogue)
        except InputError as error:
            self._session.refuse(error)
            return
        wanted = loaded.sheet.tileset
        if wanted is not None and sheet.tiles_of(wanted) is None:
            self._session.refuse(InputError("tileset-not-here", source=path.name, tileset=wanted))
            return
        players = self._session.tournament.players
        written, names = sheet_files.seated(loaded.sheet, (players[game.first].name, players[game.second].name))
        if sheet.dirty:
            sheet.put_aside()
        draft = draft_of_sheet(written, names, sheet.convention)
        sheet.take(draft, place=len(draft.entries))
        sheet.settle()
        sheet.warnings = loaded.warnings
        self._remember(path)
        self._page.close_strip()
        self._page.show_sheet()
        self._page.turns.focus()

    def export(self) -> None:
        """Ask for a name and save the sheet as an annotated game."""
        text = self._session.catalogue.text
        name, _ = QFileDialog.getSaveFileName(
            self._page, text("Save as GCG"), self._folder(), text("Annotated games (*.gcg)")
        )
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Save the sheet as an annotated game."""
        shown, tileset = self._page.shown, self._sheet.tileset
        if shown is None or tileset is None:
            return
        try:
            data = sheet_files.annotated(shown.sheet, self._sheet.rules, tileset, self._session.catalogue)
            path.write_bytes(data)
        except InputError as error:
            self._session.refuse(error)
        except OSError as error:
            self._session.refuse(InputError("file-unwritable", source=path.name, problem=str(error)))
        else:
            self._remember(path)
            self._session.say(self._session.catalogue.text("Saved as {name}", name=path.name))

    def _folder(self) -> str:
        return str(self._session.settings.value("jury/folder", str(Path.home())))

    def _remember(self, path: Path) -> None:
        self._session.settings.setValue("jury/folder", str(path.parent))
