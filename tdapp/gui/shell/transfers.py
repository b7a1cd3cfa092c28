"""Files that come in and go out, beside players: results, whole tournaments, exports."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import ResultEntry
from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import RoundState
from tdapp.exchange import document, gcg_many, outgoing, results_csv
from tdapp.exchange.gcg_many import GameFile
from tdapp.exchange.presets import read_tilesets
from tdapp.exchange.text import read_file
from tdapp.exchange.unsupported import Unsupported
from tdapp.gui.jury.games import GamesDialog
from tdapp.gui.screens.web_pages import SitePanel
from tdapp.gui.shell.actions import Action
from tdapp.scrabble.tiles import TileSet

if TYPE_CHECKING:
    from tdapp.gui.shell.window import Window

_PUBLIC = "exports/public"


class Transfers:
    """The rows of the table of actions for files, and what they do."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._session = window.session

    def table(self) -> tuple[Action, ...]:
        """Return the rows."""
        text, is_open = self._session.catalogue.text, self._is_open
        exports = [
            Action(f"export-{kind}", text(export.name), partial(self.export, kind), "", "", "export", is_open)
            for kind, export in outgoing.EXPORTS.items()
        ]
        copies = [
            Action(f"copy-{kind}", said, partial(self.copy, kind), "", "", menu, is_open)
            for kind, menu, said in (
                ("txt", "standings", text("Copy the standings as text")),
                ("txt-short", "standings", text("Copy the standings as short text")),
                ("round-txt", "round", text("Copy the round as text")),
                ("round-short", "round", text("Copy the round as short text")),
            )
        ]
        return (
            Action("import-tournament", text("Import a tournament (JSON)…"), self.bring, menu="tournament"),
            Action("import-results", text("Import results…"), self.bring_results, menu="round", enabled=is_open),
            Action("import-games", text("Annotated games (GCG)…"), self.bring_games, menu="jury",
                   enabled=self._may_bring_games),
            *exports,
            Action("export-pages", text("Web pages…"), self.pages, menu="export", enabled=is_open),
            Action("export-public", self._public_text(), self.turn_public, menu="export", enabled=is_open,
                   title=self._public_text),
            *copies,
        )  # fmt: skip

    def pages(self) -> None:
        """Open the panel of the web pages."""
        panel = SitePanel(self._session)
        self._window.open_panel(panel)
        panel.setFocus()

    def export(self, kind: str) -> None:
        """Ask where to, and write the file there."""
        export, text = outgoing.EXPORTS[kind], self._session.catalogue.text
        proposed = Path(self._session.tournament.event.name).name or "tdapp"
        if not export.suffix:
            name = QFileDialog.getExistingDirectory(self._window, text(export.name), self._session.recent.folder())
        else:
            name, _ = QFileDialog.getSaveFileName(
                self._window, text(export.name), f"{proposed}.{export.suffix}", f"*.{export.suffix}"
            )
        if name:
            self.export_to(kind, Path(name))

    def export_to(self, kind: str, path: Path) -> None:
        """Write the tournament, or the chosen division, to a file or a folder."""
        session, index = self._session, self._shown()
        code = session.division.code if session.division else None
        content = partial(outgoing.write, kind, index, code, self._round(kind), session.catalogue)
        label = session.catalogue.text("Writing {name}", name=path.name)
        unsupported_parts = outgoing.unsupported_parts(kind, index, code)
        then = partial(self._say_written, unsupported_parts)
        session.compute(partial(_written, path, content), then=then, label=label)

    def copy(self, kind: str) -> None:
        """Put a text where the next program can paste it."""
        session = self._session
        code = session.division.code if session.division else None
        try:
            content = outgoing.write(kind, self._shown(), code, self._round(kind), session.catalogue)
        except RuleViolation as error:
            session.refuse(error)
            return
        if isinstance(content, bytes):
            QGuiApplication.clipboard().setText(content.decode())
        session.say(
            session.catalogue.text("Copied: {name}", name=session.catalogue.text(outgoing.EXPORTS[kind].name))
        )

    def turn_public(self) -> None:
        """Leave out what is personal from now on, or no longer."""
        self._session.settings.setValue(_PUBLIC, "" if self._is_public() else "yes")
        self._window.command("export-public").update_state()

    def _is_public(self) -> bool:
        return bool(self._session.settings.value(_PUBLIC, ""))

    def _public_text(self) -> str:
        text = self._session.catalogue.text
        return text("Export everything again") if self._is_public() else text("Only what the public may see")

    def _shown(self) -> Index:
        """Return what is exported: everything, or what may be given to anybody."""
        return outgoing.shareable(self._session.index) if self._is_public() else self._session.index

    def _round(self, kind: str) -> int | None:
        """Return the round in view, for what is about one round."""
        shown = self._session.round
        is_out = shown is not None and shown.state is RoundState.PUBLISHED
        return shown.number if shown is not None and is_out and kind.startswith("round") else None

    def bring_results(self) -> None:
        """Ask for a file of results, and enter all that it holds."""
        text = self._session.catalogue.text
        name, _ = QFileDialog.getOpenFileName(
            self._window, text("Import results"), self._session.recent.folder(), "*.csv *.txt;;*"
        )
        if name:
            self.bring_results_from(Path(name))

    def bring_results_from(self, path: Path) -> None:
        """Enter all results in a file into the chosen division, or none and say why."""
        label = self._session.catalogue.text("Reading {name}", name=path.name)
        self._session.compute(partial(_results, path), then=self._enter, label=label)

    def bring_games(self) -> None:
        """Ask for annotated games, and show which games of the tournament they are."""
        text, folder = self._session.catalogue.text, self._session.recent.folder()
        names, _ = QFileDialog.getOpenFileNames(
            self._window, text("Import annotated games"), folder, text("Annotated games (*.gcg)")
        )
        if names:
            self.bring_games_from(tuple(map(Path, names)))

    def bring_games_from(self, paths: tuple[Path, ...]) -> None:
        """Show which games of the tournament the files are, and let them be taken."""
        session, rules = self._session, self._session.tournament.ruleset
        tileset = read_tilesets(session.resources / "tilesets").get(rules.tileset)
        if tileset is None:
            session.refuse(InputError("tileset-not-here", source="", tileset=rules.tileset))
            return
        read = partial(gcg_many.read, paths, tileset, rules)
        show = partial(self._show_games, tileset)
        session.compute(read, then=show, label=session.catalogue.text("Reading games"))

    def _show_games(self, tileset: TileSet, files: tuple[GameFile, ...]) -> None:
        GamesDialog(self._session, files, tileset, parent=self._window).open()

    def bring(self) -> None:
        """Ask for a tournament's JSON and for a file to keep it in, and open that."""
        text = self._session.catalogue.text
        source, _ = QFileDialog.getOpenFileName(
            self._window, text("Import a tournament"), self._session.recent.folder(), "*.json;;*"
        )
        if not source:
            return
        proposed = str(Path(source).with_suffix(".tdapp"))
        name, _ = QFileDialog.getSaveFileName(
            self._window, text("Keep it as"), proposed, text("Tournaments (*.tdapp)")
        )
        if name:
            self.bring_from(Path(source), Path(name))

    def bring_from(self, source: Path, path: Path) -> None:
        """Make a tournament's file from its JSON, and open it."""
        self._session.open(partial(_created, source, path))

    def _may_bring_games(self) -> bool:
        return self._session.is_open and self._session.may("enter-sheets")

    def _is_open(self) -> bool:
        return self._session.is_open

    def _enter(self, entries: tuple[ResultEntry, ...]) -> None:
        if self._session.division is not None:
            command = partial(commands.enter_results, division=self._session.division.id, entries=entries)
            self._session.do(command)

    def _say_written(self, unsupported_parts: tuple[Unsupported, ...], path: Path) -> None:
        words = self._session.catalogue
        told = [words.problem(item.code, item.facts) for item in unsupported_parts]
        said = words.text("Written: {name}", name=path.name)
        self._session.say("\n".join((said, *told)), tone="red" if told else "plain")


def _results(path: Path) -> tuple[ResultEntry, ...]:
    return results_csv.read(read_file(path), path.name)


def _created(source: Path, path: Path) -> Desk:
    return Desk.create(path, document.read(read_file(source), source.name))


def _written(path: Path, content: partial[outgoing.Content]) -> Path:
    outgoing.save(path, content())
    return path
