"""The panel of the featured table: which one, who types it, how long the public waits, who is told about words."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tdapp.domain.featured import LONGEST_DELAY, WordsShown
from tdapp.domain.slip import spaced
from tdapp.gui.screens.web_pages import QrCode
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import ROW


class FeaturedPanel(Panel):
    """What the director decides about the featured table; each choice is kept, and holds at once."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Featured table"))
        text = self.text
        self.table = NumberEdit(text("Table"), width=ROW * 2)
        self.table.returnPressed.connect(self.turn)
        self.delay = NumberEdit(text("Minutes until it is public"), width=ROW * 2)
        self.delay.editingFinished.connect(self._change)
        words = [
            (WordsShown.TYPIST, text("Who types it")),
            (WordsShown.EVERYBODY, text("Everybody")),
            (WordsShown.NOBODY, text("Nobody")),
        ]
        self.words: Choice[WordsShown] = Choice(
            text("Who sees that a word is not in the list"), words, session.look
        )
        self.words.currentIndexChanged.connect(self._change)
        self.switch = fields.button("", self.turn, role="primary")
        self.address = fields.label("", wrap=True)
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.code = QrCode(text("The address as a QR code"))
        self.state = fields.label("", "muted", wrap=True)
        self._arrange()
        for signal in (session.served, session.featured):
            signal.connect(self.refresh)
        self.setFocusProxy(self.table)

    def _arrange(self) -> None:
        text = self.text
        about = text(
            "A helper types the game of a table turn by turn on a phone. Overlays and the screen for the room "
            "show it, and what is typed is the score sheet of that game."
        )
        form = Form()
        form.add(text("Table"), self.table)
        form.add(text("Minutes until it is public"), self.delay)
        waits = text("0 to {most}. The result of the game waits as long.", most=LONGEST_DELAY)
        words = fields.label(self.words.accessibleName(), wrap=True)
        words.setBuddy(self.words)
        fields.fill(
            self.body,
            [
                fields.label(about, "muted", wrap=True), form, fields.label(waits, "muted", wrap=True),
                words, fields.row(self.words, 1), fields.row(self.switch, 1), fields.rule(),
                self.state, self.address, self.code, 1,
            ],
        )  # fmt: skip

    def refresh(self) -> None:
        """Show what is chosen, and where it is typed."""
        session = self.session
        if not session.is_open:
            self.closed.emit()
            return
        choice, text = session.featuring.choice, self.text
        for field, number in ((self.table, choice.table), (self.delay, choice.delay)):
            if not field.hasFocus():
                field.setText(str(number) if number or field is self.delay else "")
        self.words.choose(choice.words)
        self.switch.setText(text("Feature it no longer") if choice.table else text("Feature this table"))
        for part in (self.table, self.delay, self.words, self.switch):
            part.setEnabled(not session.read_only)
        address = (
            f"{session.serving.url}featured?code={choice.code}" if choice.table and session.serving.url else ""
        )
        self.address.setText(
            text(
                "Type it at {url}featured with the code {code}.", url=session.serving.url, code=spaced(choice.code)
            )
            if address
            else ""
        )
        self.address.setVisible(bool(address))
        self.code.say(address)
        self.state.setText(self._said())

    def turn(self) -> None:
        """Feature the table that is typed, or none any longer."""
        before = self.session.featuring.choice.table
        table = self.table.whole() or 0
        self._choose(0 if table == before else table)

    def _change(self) -> None:
        self._choose(self.session.featuring.choice.table)

    def _choose(self, table: int) -> None:
        delay, words = self.delay.whole() or 0, self.words.value() or WordsShown.TYPIST
        self.session.featuring.choose(table, delay=delay, words=words)
        self.refresh()

    def _said(self) -> str:
        """Return what is still to be done, or how far the game is."""
        session, text = self.session, self.text
        featured = session.featuring.featured
        if not session.featuring.choice.table:
            return ""
        if featured is None:
            return text("No game is at this table now.")
        if not session.serving.url:
            return text("It is typed on the page for phones: switch that on first (Phones…).")
        sheet = featured.moments[-1].sheet if featured.moments else None
        if sheet is None or not sheet.turns:
            return text("Nothing has been typed yet.")
        return self.session.catalogue.plural("One turn is typed", "{n} turns are typed", len(sheet.turns))
