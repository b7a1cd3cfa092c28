"""Actions on the file of the tournament, imports and exports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import RoundState
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange import cells, exports, tournament_json
from tdapp.exchange.cells import ImportedResults
from tdapp.exchange.exports import UnsupportedData
from tdapp.exchange.text import read_file
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets.dialog import ask_existing_file, ask_file_to_write, ask_folder, ask_new_tournament_file
from tdapp.gui.widgets.page import ActionGroup
from tdapp.i18n.scores import describe_imported_results
from tdapp.scrabble.tiles import TileSet
from tdapp.storage import Address

if TYPE_CHECKING:
    from tdapp.exchange.sheet_files import ParsedGameFile

_PUBLIC = "exports/public"

_SUBMENUS = {"csv": "texts", "txt": "texts", "tou": "reports", "trf": "reports"}  # submenus of Export, by suffix


class FileActions(ActionGroup):
    """Creates, opens, copies and closes tournament files."""

    def list_actions(self) -> tuple[Action, ...]:
        text, is_open = self._session.catalogue.text, self._has_tournament
        return (
            Action("new", text("New tournament…"), self.create_tournament, "new", "Ctrl+N", "tournament"),
            Action("new-club", text("New club…"), self.open_new_club_dialog, "evening", "", "tournament"),
            Action("open", text("Open…"), self.open_tournament, "open", "Ctrl+O", "tournament"),
            Action("save-copy", text("Save a copy…"), self.save_file_copy, "save", "Ctrl+S", "copies", is_open),
            Action("close", text("Close tournament"), self.close_tournament, "", "Ctrl+W", "leave", is_open),
            Action("quit", text("Quit"), self._host.window().close, "", "Ctrl+Q", "leave"),
        )

    def create_tournament(self) -> None:
        from tdapp.gui.tournament.assistant import NewTournamentDialog

        self._host.leave_after_unsaved_input_check(
            lambda: NewTournamentDialog(self._session, parent=self._host.window()).open()
        )

    def open_new_club_dialog(self) -> None:
        from tdapp.gui.tournament.club import NewClubDialog

        self._host.leave_after_unsaved_input_check(
            lambda: NewClubDialog(self._session, parent=self._host.window()).open()
        )

    def open_tournament(self) -> None:
        self._host.leave_after_unsaved_input_check(self._choose_and_open_file)

    def _choose_and_open_file(self) -> None:
        title, pattern = self.text("Open a tournament"), self.text("Tournaments (*.tdapp);;All files (*)")
        if path := ask_existing_file(self._host.window(), self._session, title, pattern):
            self._session.open_file(path)

    def open_path(self, path: Path | Address, _checked: bool = False) -> None:
        self._host.leave_after_unsaved_input_check(partial(self._session.open_location, path))

    def close_tournament(self) -> None:
        self._host.leave_after_unsaved_input_check(partial(self._session.open_tournament_of_desk, None))

    def save_file_copy(self) -> None:
        session, title = self._session, self.text("Save a copy")
        if path := ask_new_tournament_file(
            self._host.window(), session, title, session.recent.propose_save_folder()
        ):
            message = self.text("Copy saved as {name}", name=path.name)
            session.run_on_desk_thread(
                partial(session.desk.store.copy_to_file, path),
                on_success=lambda _: session.show_message(message),
            )


class ImportExportActions(ActionGroup):
    """Imports and exports."""

    def list_actions(self) -> tuple[Action, ...]:
        text, is_open = self._session.catalogue.text, self._has_tournament
        export_actions = [
            Action(
                f"export-{export_format}",
                text(export.name),
                partial(self.export_file, export_format),
                "",
                "",
                _SUBMENUS.get(export.suffix, "export"),
                is_open,
            )
            for export_format, export in exports.EXPORTS.items()
        ]
        copies = [
            Action(
                f"copy-{export_format}",
                title,
                partial(self.copy_export_to_clipboard, export_format),
                "",
                "",
                menu,
                is_open,
            )
            for export_format, menu, title in (
                ("txt", "copies-standings", text("Copy the standings as text")),
                ("txt-short", "copies-standings", text("Copy the standings as short text")),
                ("round-txt", "papers", text("Copy the round as text")),
                ("round-short", "papers", text("Copy the round as short text")),
            )
        ]
        return (
            Action("import-tournament", text("Import a tournament (JSON)…"), self.import_tournament,
                   menu="copies"),
            Action("import-results", text("Import results…"), self.import_results, menu="results",
                   enabled=is_open),
            Action("import-games", text("Annotated games (GCG)…"), self.import_games, menu="jury",
                   enabled=lambda: self._session.is_open and self._session.can_run_commands("enter-sheets")),
            *export_actions,
            Action("export-pages", text("Web pages…"), self.open_web_pages_panel, menu="public", enabled=is_open),
            Action("export-public", self._make_public_export_action_title(), self.toggle_public_export,
                   menu="public", enabled=is_open, title=self._make_public_export_action_title),
            *copies,
        )  # fmt: skip

    # --- exports

    def open_web_pages_panel(self) -> None:
        from tdapp.gui.screens.web_pages import WebPagesPanel

        self._open_panel(WebPagesPanel(self._session))

    def export_file(self, export_format: str) -> None:
        session, export, parent = self._session, exports.EXPORTS[export_format], self._host.window()
        title = session.catalogue.text(export.name)
        if export.suffix:
            file_stem = Path(session.tournament.event.name).name or "tdapp"
            path = ask_file_to_write(parent, title, f"{file_stem}.{export.suffix}", f"*.{export.suffix}")
        else:
            path = ask_folder(parent, session, title)
        if path is not None:
            label = self.text("Writing {name}", name=path.name)
            unsupported = exports.list_unsupported_data(
                export_format, self._get_index_to_export(), self._get_division_code()
            )
            report_file = partial(self._report_written_file, unsupported)
            session.run_in_background(
                partial(_write_export, path, self._make_export_call(export_format)),
                on_success=report_file,
                label=label,
            )

    def copy_export_to_clipboard(self, export_format: str) -> None:
        session, text = self._session, self._session.catalogue.text
        try:
            content = self._make_export_call(export_format)()
        except CommandError as error:
            session.show_error(error)
            return
        if isinstance(content, bytes):
            QGuiApplication.clipboard().setText(content.decode())
        session.show_message(
            text("Copied to the clipboard: {name}", name=text(exports.EXPORTS[export_format].name))
        )

    def _make_export_call(self, export_format: str) -> partial[exports.Content]:
        index, code, catalogue = (
            self._get_index_to_export(),
            self._get_division_code(),
            self._session.catalogue,
        )
        return partial(
            exports.make_export_content,
            export_format,
            index,
            code,
            self._get_round_number_to_export(export_format),
            catalogue,
        )

    def toggle_public_export(self) -> None:
        self._session.settings.setValue(_PUBLIC, "" if self._is_export_public() else "yes")
        self._host.get_action("export-public").update_state()
        if self._is_export_public():
            message = self.text("Exports now contain public data only.")
        else:
            message = self.text("Exports now contain all data again, including personal data.")
        self._session.show_message(message, tone="note")

    def _is_export_public(self) -> bool:
        return bool(self._session.settings.value(_PUBLIC, ""))

    def _make_public_export_action_title(self) -> str:
        text = self._session.catalogue.text
        return (
            text("Include all data in exports")
            if self._is_export_public()
            else text("Limit exports to public data")
        )

    def _get_index_to_export(self) -> TournamentIndex:
        return (
            exports.make_index_of_public_view(self._session.index)
            if self._is_export_public()
            else self._session.index
        )

    def _get_division_code(self) -> str | None:
        return self._session.division.code if self._session.division else None

    def _get_round_number_to_export(self, export_format: str) -> int | None:
        shown_round = self._session.round
        is_published = shown_round is not None and shown_round.state is RoundState.PUBLISHED
        return (
            shown_round.number
            if shown_round is not None and is_published and export_format.startswith("round")
            else None
        )

    def _report_written_file(self, unsupported_parts: tuple[UnsupportedData, ...], path: Path) -> None:
        catalogue = self._session.catalogue
        problems = [catalogue.describe_problem(item.code, item.facts) for item in unsupported_parts]
        message = catalogue.text("File saved: {name}", name=path.name)
        self._session.show_message("\n".join((message, *problems)), tone="red" if problems else "plain")

    # --- imports

    def import_results(self) -> None:
        title = self.text("Import results")
        if path := ask_existing_file(self._host.window(), self._session, title, "*.csv *.txt;;*"):
            label = self.text("Reading {name}", name=path.name)
            enter_read_results = partial(enter_imported_results, self._session, self._host.window())
            self._session.run_in_background(
                partial(_read_results_file, path), on_success=enter_read_results, label=label
            )

    def import_games(self) -> None:
        text, folder = self._session.catalogue.text, self._session.recent.propose_save_folder()
        title, pattern = text("Import annotated games"), text("Annotated games (*.gcg)")
        names, _ = QFileDialog.getOpenFileNames(self._host.window(), title, folder, pattern)
        if not names:
            return
        session, rules = self._session, self._session.rules
        tileset = session.resources.tilesets.get(rules.tileset)
        if tileset is None:
            session.show_error(InputError("tileset-not-here", source="", tileset=rules.tileset))
            return
        read = partial(_read_game_files, tuple(map(Path, names)), tileset, rules)
        session.run_in_background(
            read, on_success=partial(self._show_found_games, tileset), label=text("Reading the games…")
        )

    def _show_found_games(self, tileset: TileSet, files: tuple[ParsedGameFile, ...]) -> None:
        from tdapp.gui.jury.games import ImportGamesDialog

        ImportGamesDialog(self._session, files, tileset, parent=self._host.window()).open()

    def import_tournament(self) -> None:
        session, parent = self._session, self._host.window()
        source = ask_existing_file(parent, session, self.text("Import a tournament"), "*.json;;*")
        if source is None:
            return
        proposed_path = source.with_suffix(".tdapp")
        if path := ask_new_tournament_file(parent, session, self.text("Save the tournament as"), proposed_path):
            session.open_tournament_in_background(partial(_import_tournament_file, source, path))


def _read_game_files(paths: Sequence[Path], tileset: TileSet, rules: RuleSet) -> tuple[ParsedGameFile, ...]:
    from tdapp.exchange.sheet_files import read_game_files

    return read_game_files(paths, tileset, rules)


def enter_imported_results(session: Session, owner: QWidget, imported_results: ImportedResults) -> None:
    if session.division is not None:
        before = session.index
        from tdapp.exchange.imports import refuse_invalid_imported_results

        try:
            refuse_invalid_imported_results(session.tournament, session.division.id, imported_results)
        except InputError as error:
            session.show_error(error)
            return
        command = partial(commands.enter_results, division=session.division.id, entries=imported_results.entries)
        session.do(
            command,
            on_success=make_callback_unless_deleted(
                owner, partial(_report_entered_results, session, before, imported_results)
            ),
        )


def _report_entered_results(session: Session, before: TournamentIndex, imported_results: ImportedResults) -> None:
    listed_count = len(imported_results.entries)
    sentences = describe_imported_results(
        session.catalogue,
        before,
        session.index,
        result_count=listed_count,
        ignored_columns=imported_results.ignored,
    )
    session.show_message(" ".join(sentences))


def _read_results_file(path: Path) -> ImportedResults:
    return cells.read_results(read_file(path), path.name)


def _import_tournament_file(source: Path, target: Path) -> Desk:
    return Desk.create(target, tournament_json.read_tournament(read_file(source), source.name))


def _write_export(path: Path, content: partial[exports.Content]) -> Path:
    exports.save_export(path, content())
    return path
