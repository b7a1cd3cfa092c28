"""Dialog to erase personal data, and to delete the snapshots that contain it."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from operator import attrgetter

from PySide6.QtWidgets import QWidget

from tdapp.domain.model import PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import Choice, FormLayout
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.backups import describe_unerased_copies
from tdapp.storage.snapshots import Snapshot


class ErasePersonalDataDialog(Dialog):
    """Erases personal data for good."""

    topic = "players"

    def __init__(self, session: Session, players: Collection[PlayerId], *, parent: QWidget | None = None) -> None:
        catalogue = session.catalogue
        title = catalogue.text("Erase personal data")
        super().__init__(session, title, yes=catalogue.text("Erase for good"), parent=parent, size=(80, 72))
        self._players = tuple(players)
        choices = [(True, catalogue.text("all players, including removed ones"))]
        if players:
            choices.insert(0, (False, self._describe_chosen_players()))
        self.scope = Choice(catalogue.text(C_("players", "Erase the data of")), choices, session.appearance)
        self.scope.currentIndexChanged.connect(lambda _index: self._search_snapshots())
        self.delete = fields.make_check_box(catalogue.text("Delete these snapshots"), is_checked=True)
        self.rows = TableRowsModel(catalogue)
        name = catalogue.text("Snapshots that still hold the data")
        empty = catalogue.text("No snapshot holds this data.")
        self.view = TableView(self.rows, appearance=session.appearance, name=name, empty=empty)
        self.view.set_widths({"at": 160, "taken": 144}, stretch=("snapshot_name",))
        self._build_layout()
        self.yes.setDefault(False)
        self.no.setDefault(True)
        self.no.setFocus()
        self._search_snapshots()

    @property
    def players_to_erase(self) -> tuple[PlayerId, ...] | None:
        return None if self.scope.value() else self._players

    def confirm_dialog(self) -> None:
        self.session.erase_personal_data(
            self.players_to_erase, delete_snapshots=self.delete.isEnabled() and self.delete.isChecked()
        )
        self.accept()

    def _describe_chosen_players(self) -> str:
        rows = map_players_with_distinct_names(self.session.index)
        if len(self._players) == 1:
            return rows[self._players[0]].name
        return self.text("the {n} players selected in the list", n=len(self._players))

    def _build_layout(self) -> None:
        text = self.session.catalogue.text
        self.body.addLayout(FormLayout(self.scope))
        if not self.session.tournament.event.finished:
            unfinished_warning = text(
                "The tournament is not finished: screens, lists and prizes would show pseudonyms."
            )
            self.add_labels((unfinished_warning, "error"))
        erased_text = text(
            "This data is erased for good: name, photo, club, country, federation number, notes, and the need "
            "for an accessible table. A pseudonym replaces the name, including on score sheets, in reasons "
            "and notes, and in the history."
        )
        kept_text = text(
            "This data is kept: number, rating, category and team, all results, standings, prizes and "
            "sanctions. The names of the jury and the director are kept too."
        )
        irreversible_text = text("This cannot be undone. Afterwards, earlier steps cannot be undone either.")
        session, publishing = self.session, self.session.publishing
        sites = publishing.targets
        copies = session.backups.second_folder
        unreached_copies = describe_unerased_copies(
            session.desk, session.servers, session.catalogue, copies=copies, sites=sites
        )
        copies_note = "\n· ".join(
            (text("The program cannot reach these copies. Erase the data there yourself:"), *unreached_copies)
        )
        snapshots_title = text("Snapshots that still hold the data:")
        self.add_labels((erased_text, ""), (kept_text, ""), (irreversible_text, "lead"), (snapshots_title, ""))
        self.body.addWidget(self.view, 1)
        fields.add_parts_to_layout(self.body, self.delete, fields.make_note_label(copies_note))

    def _search_snapshots(self) -> None:
        call = partial(
            self.session.desk.find_snapshots_with_players,
            self.players_to_erase,
            pseudonym_prefix=self.session.pseudonym_prefix,
        )
        self.session.run_on_desk_thread(
            call,
            on_success=make_callback_unless_deleted(self, partial(self._show_snapshots, self.players_to_erase)),
        )

    def _show_snapshots(self, players: tuple[PlayerId, ...] | None, snapshots: tuple[Snapshot, ...]) -> None:
        if players == self.players_to_erase:
            self.rows.show_table(Table("snapshots", _COLUMNS, snapshots))
            self.delete.setEnabled(bool(snapshots))


_COLUMNS: tuple[Column[Snapshot], ...] = (
    Column("at", ColumnKind.TIME, lambda row: row.created_at.isoformat()),
    Column("taken", ColumnKind.CODE, attrgetter("reason")),
    Column("snapshot_name", ColumnKind.TEXT, attrgetter("name")),
)
