"""The panel of overlays for streams: where they are listed, which table each slot shows, how they look."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from tdapp.domain.featured import FEATURED_SLOT
from tdapp.gui.screens.featured import FeaturedPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Form, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.texts import Elided
from tdapp.gui.widgets.theme import ROW


class OverlayPanel(Panel):
    """What the director decides about overlays; each choice is kept and shown at once."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Overlays for streams"))
        self._state = fields.label("", wrap=True)
        self.look_at = fields.button(self.text("List of addresses"), self._look_at, role="primary")
        slots = range(1, len(session.serving.slots) + 1)
        self.slots = [NumberEdit(self.text("Slot {n}", n=one), width=ROW * 2) for one in slots]
        self.featured = [fields.check(self.text("Featured table")) for _ in slots]
        for number, (field, tick) in enumerate(zip(self.slots, self.featured, strict=True), 1):
            field.editingFinished.connect(self._point)
            tick.clicked.connect(self._point)
            tick.setAccessibleName(self.text("Slot {n}: featured table", n=number))
        self.style_file = Elided()
        self.feature = fields.button(self.text("Featured table…"), self._feature, role="link")
        self._arrange()
        session.served.connect(self.refresh)
        self.setFocusProxy(self.slots[0])

    def _arrange(self) -> None:
        text, button = self.text, fields.button
        form = Form()
        for number, (field, tick) in enumerate(zip(self.slots, self.featured, strict=True), 1):
            form.add(text("Slot {n}", n=number), fields.boxed(fields.row(field, tick, 1)))
        about = text(
            "Pages for OBS and its like: standings, pairings, results running through, both players of a table. "
            "They are transparent, change by themselves, and are empty while there is nothing to show."
        )
        slots = text("The table that a slot shows. The scene of the stream stays as it is; empty shows nothing.")
        looks = text("A style sheet of yours (CSS), read after ours")
        chosen = fields.row(
            self.style_file, button(text("Choose…"), self._choose), button(text("None"), partial(self.dress, "")),
            wide=self.style_file,
        )  # fmt: skip
        fields.fill(
            self.body,
            [
                fields.label(about, "muted", wrap=True), self._state,
                fields.row(self.look_at, self.feature, 1), fields.rule(), form,
                fields.label(slots, "muted", wrap=True), fields.rule(), fields.label(looks, wrap=True),
                chosen, 1,
            ],
        )  # fmt: skip

    def refresh(self) -> None:
        """Show where the overlays are, and what is chosen."""
        if not self.session.is_open:
            self.closed.emit()
            return
        serving = self.session.serving
        off = self.text("They are served with the page for phones: switch that on first (Phones…).")
        self._state.setText(self._address() or off)
        self.look_at.setEnabled(bool(serving.url))
        for field, tick, table in zip(self.slots, self.featured, serving.slots, strict=True):
            tick.setChecked(table == FEATURED_SLOT)
            field.setEnabled(table != FEATURED_SLOT)
            if not field.hasFocus():
                field.setText(str(table) if table > 0 else "")
        self.style_file.say(serving.style or self.text("None"))

    def dress(self, style: str) -> None:
        """Dress the overlays with a style sheet, an empty name for none."""
        self.session.serving.dress(self.session.serving.slots, style)
        self.refresh()

    def _point(self) -> None:
        serving, chosen = self.session.serving, zip(self.slots, self.featured, strict=True)
        tables = [FEATURED_SLOT if tick.isChecked() else field.whole() or 0 for field, tick in chosen]
        serving.dress(tables, serving.style)
        self.refresh()

    def _choose(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, self.text("A style sheet"), self.session.recent.folder(), "CSS (*.css)"
        )
        if name:
            self.dress(str(Path(name)))

    def _address(self) -> str:
        url = self.session.serving.url
        return f"{url}overlay/" if url else ""

    def _feature(self) -> None:
        self.panel.emit(FeaturedPanel(self.session))

    def _look_at(self) -> None:
        QDesktopServices.openUrl(QUrl(self._address()))
