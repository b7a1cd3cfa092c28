"""The panel of the web pages: to which folders they go after each round, in which language, and now."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Elided, Form
from tdapp.gui.widgets.page import Panel
from tdapp.i18n.catalogue import LANGUAGE_NAMES
from tdapp.services.publishing import FOLDERS
from tdapp.web.site_folder import fitting

_PAGES = "site"  # what the folder for them is called in one that holds other things


class SitePanel(Panel):
    """What the director decides about pages for the web."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Web pages"))
        self._named = {which: Elided() for which in FOLDERS}
        self._choosing = {which: fields.button(text("Choose…"), partial(self._choose, which)) for which in FOLDERS}
        self.language: Choice[str] = Choice(
            text("Language"), list(LANGUAGE_NAMES.items()), session.look, value=session.publishing.language
        )
        self.language.currentIndexChanged.connect(self._speak)
        self.write = fields.button(text("Write them now"), self._write, role="primary")
        self.show_folder = fields.button(text("Look at them"), self._show)
        self._error = fields.label("", "error", wrap=True)
        self._arrange()
        session.published.connect(self.refresh)

    def _arrange(self) -> None:
        text, button = self.session.catalogue.text, fields.button
        about = text(
            "A folder of pages that any browser opens and any web server can have: pairings, standings, "
            "crosstable, bracket and players, as everybody may see them."
        )
        self.body.addWidget(fields.label(about, "muted", wrap=True))
        titles = {
            "first": text("Written after each round to"),
            "second": text("And to a second folder, such as a synchronised one"),
        }
        for which in FOLDERS:
            none = button(text("None"), partial(self.choose, which, None))
            line = fields.row(self._named[which], self._choosing[which], none)
            line.setStretch(0, 1)
            fields.fill(self.body, [fields.label(titles[which], wrap=True), line])
        form = Form()
        form.add(text("Language"), self.language)
        fields.fill(self.body, [form, self._error, fields.row(self.write, self.show_folder, 1), 1])

    def refresh(self) -> None:
        """Show the folders and what went wrong."""
        session, publishing = self.session, self.session.publishing
        if not session.is_open:
            self.closed.emit()
            return
        none = session.catalogue.text("nowhere")
        for which, line in self._named.items():
            line.say(str(publishing.folder(which) or none))
        anywhere = any(publishing.folder(which) for which in FOLDERS)
        self.write.setEnabled(anywhere)
        self.setFocusProxy(self.write if anywhere else self._choosing["first"])
        self.show_folder.setEnabled(any(self._pages()))
        told = [session.catalogue.problem(one.code, one.facts) for one in publishing.problems()]
        self._error.setText("\n".join(told))
        self._error.setVisible(bool(told))

    def choose(self, which: str, folder: Path | None) -> None:
        """Let the pages be written to a folder, and write them."""
        self.session.publishing.choose(which, folder)
        if folder is not None:
            self._write()

    def _choose(self, which: str) -> None:
        text, folder = self.session.catalogue.text, self.session.recent.folder()
        name = QFileDialog.getExistingDirectory(self, text("A folder for the web pages"), folder)
        if name:
            self.choose(which, fitting(Path(name), _PAGES))

    def _write(self) -> None:
        self.session.publishing.write(self._say)

    def _say(self, count: int) -> None:
        self.session.say(self.session.catalogue.plural("One page written", "{n} files written", count))

    def _show(self) -> None:
        for page in self._pages():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(page)))
            return

    def _pages(self) -> list[Path]:
        """Return the front pages that there are."""
        folders = (self.session.publishing.folder(which) for which in FOLDERS)
        return [
            folder / "index.html" for folder in folders if folder is not None and (folder / "index.html").exists()
        ]

    def _speak(self) -> None:
        language = self.language.value()
        if language is not None:
            self.session.publishing.language = language
