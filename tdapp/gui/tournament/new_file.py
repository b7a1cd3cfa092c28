"""The base of dialogs that make a tournament file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QStandardPaths, QTimeZone

from tdapp.desk import Desk
from tdapp.domain.round_clock import find_time_zone
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session, is_alive_and_visible
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_new_tournament_file
from tdapp.gui.widgets.fields import FormLayout, LineEdit
from tdapp.services.worker import get_user_error_or_raise

SUFFIX = ".tdapp"


class NewFileDialog(Dialog):
    """Creates the file of a tournament and opens it."""

    topic = "welcome"

    def add_file_field(self, form: FormLayout) -> None:
        self.file = LineEdit(self.text("File"))
        browse = fields.make_button(self.text("Choose a file…"), self._choose_file_path)
        file_row = fields.wrap_in_widget(fields.make_row(self.file, browse))
        file_note = self.text("Everything is in this one file and is saved after every change.")
        form.add_field(file_row, file_note, title=self.text("File"))

    def propose_file_path(self, name: str) -> None:
        if not self.file.isModified():
            self.file.setText(str(find_free_path_in_documents(name)))

    def create_file(self, tournament: Tournament) -> None:
        path = Path(self.file.text()).expanduser()
        self.session.work.run_on_desk_thread(
            partial(_create_file, path, tournament),
            on_success=self._open_created_tournament,
            on_error=self._show_creation_error,
        )

    def _choose_file_path(self) -> None:
        if path := ask_new_tournament_file(
            self, self.session, self.text("Save the tournament as"), self.file.text()
        ):
            self.file.setText(str(path.with_suffix(SUFFIX)))
            self.file.setModified(True)

    def _open_created_tournament(self, desk: Desk) -> None:
        self.session.open_tournament_of_desk(desk)
        if is_alive_and_visible(self):
            self.accept()

    def _show_creation_error(self, error: Exception) -> None:
        problem = get_user_error_or_raise(error)
        if is_alive_and_visible(self):
            self.show_error(self.session.catalogue.describe_error(problem), self.file)
        else:
            self.session.show_error(problem)


def sort_presets_by_locale(session: Session) -> list[RuleSet]:
    """Return the bundled rule sets: those of the computer's country first, then those in the window's language."""
    country, language = QLocale.system().nativeTerritoryName(), session.catalogue.language

    def sort_key(preset: RuleSet) -> tuple[bool, bool]:
        return preset.country != country, preset.language != language

    return sorted(session.resources.bundled_rulesets.values(), key=sort_key)


def make_local_time_zone_fields() -> dict[str, str]:
    zone = bytes(QTimeZone.systemTimeZoneId().data()).decode()
    return {"zone": zone} if find_time_zone(zone) is not None else {}


def _create_file(path: Path, tournament: Tournament) -> Desk:
    path.parent.mkdir(parents=True, exist_ok=True)
    return Desk.create(path, tournament)


def find_free_path_in_documents(name: str) -> Path:
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    folder = Path(documents or Path.home())
    safe_name = "".join(letter if letter.isalnum() or letter in "-_" else " " for letter in name)
    stem = " ".join(safe_name.split()) or "tournament"
    path, number = folder / f"{stem}{SUFFIX}", 2
    while path.exists():
        path, number = folder / f"{stem} {number}{SUFFIX}", number + 1
    return path
