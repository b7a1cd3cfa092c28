"""The panel of news: what became a record, those that could be broken, what the bulletins announce."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit

from tdapp.domain import commands
from tdapp.domain.model import Division
from tdapp.domain.record_list import ListedRecord
from tdapp.domain.tables import news
from tdapp.domain.tables.news import RecordNews
from tdapp.exchange import record_lists
from tdapp.exchange.text import read_file
from tdapp.gui.shell.session import Session, if_there, is_seen
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW, UNIT


class NewsPanel(Panel):
    """What is told of the division, and from what; each choice is a step that can be undone."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("News and records"), width=UNIT * 44)
        text = session.catalogue.text
        self.rows = Rows(session.catalogue)
        self.view = TableView(self.rows, look=session.look, name=text("News"))
        self.view.set_widths({"round": 56, "value": 52, "kind": 132, "scope": 104})
        self.view.set_spare(("round", "scope"))  # the newest stand above
        self._known: tuple[object, ...] = ()  # what the news are of
        self._list = fields.label("", wrap=True)
        self._remove = fields.button(text("Remove the list"), partial(self._keep, ()))
        self.announcement = QPlainTextEdit(tabChangesFocus=True)
        self.announcement.setAccessibleName(text("Announcements of the bulletins"))
        self.announcement.installEventFilter(self)
        self._arrange()
        session.changed.connect(self.refresh)
        self.setFocusProxy(self.view)

    def _arrange(self) -> None:
        text = self.text
        about = text(
            "A list of records of your club or country (CSV): kind, value, name, and if you like date and list. "
            "Kinds are high-game, high-play, big-win, high-loss and streak."
        )
        lines = fields.boxed(fields.row(self.announcement))
        lines.setFixedHeight(ROW * 3)
        read = fields.button(text("Read a list…"), self._choose)
        fields.fill(
            self.body,
            [
                self.view, fields.rule(), self._list, fields.label(about, "muted", wrap=True),
                fields.row(read, self._remove, 1), fields.rule(),
                fields.label(text("Announcements of the bulletins")), lines,
            ],
            self.view,
        )  # fmt: skip

    def refresh(self, _diff: object = None) -> None:
        """Show the news of the division, and how many records are in the list."""
        session = self.session
        if not session.is_open or session.division is None:
            self.closed.emit()
            return
        self._look(session.division)
        event = session.tournament.event
        n, plural = len(event.records), session.catalogue.plural
        self._list.setText(plural("One record could be broken.", "{n} records could be broken.", n) if n else "")
        self._list.setVisible(bool(n))
        self._remove.setEnabled(bool(n) and session.editable)
        self.announcement.setReadOnly(not session.editable)
        if not self.announcement.hasFocus() and self.announcement.toPlainText() != event.announcement:
            self.announcement.setPlainText(event.announcement)

    def _look(self, division: Division) -> None:
        """Look beside the window through all games, where something has changed."""
        wanted = self.session.tournament, division.id
        if wanted != self._known:
            self._known = wanted
            call = partial(news.news, self.session.index, division)
            self.session.compute(call, then=if_there(self, partial(self._show, wanted)), label="")

    def _show(self, seen: object, found: tuple[RecordNews, ...]) -> None:
        if seen == self._known:
            self.view.set_empty(self.text("No news yet."))
            self.rows.show(news.table(sorted(found, key=lambda one: -one.feat.round)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the announcement when its field is left."""
        if watched is self.announcement and event.type() is QEvent.Type.FocusOut and self.session.is_open:
            said = self.announcement.toPlainText().strip()
            if said != self.session.tournament.event.announcement:
                self.session.do(partial(commands.announce, announcement=said), field=self.announcement)
        return super().eventFilter(watched, event)

    def read(self, path: Path) -> None:
        """Keep the list of records in a file."""
        label = self.text("Reading {name}", name=path.name)
        self.session.compute(lambda: record_lists.read(read_file(path), path.name), then=self._keep, label=label)

    def _choose(self) -> None:
        folder = self.session.recent.folder()
        name, _ = QFileDialog.getOpenFileName(self, self.text("A list of records"), folder, "*.csv *.txt;;*")
        if name:
            self.read(Path(name))

    def _keep(self, records: tuple[ListedRecord, ...]) -> None:
        if is_seen(self):
            self.session.do(partial(commands.keep_records, records=records), field=self.view)
