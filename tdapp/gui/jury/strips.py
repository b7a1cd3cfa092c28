"""What the jury's page shows in the place of the foot: a ruling to be made, and how a turn is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from tdapp.domain.ruleset import Per, RuleSet
from tdapp.gui.jury.sheet_end import AUTHOR
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, LineEdit, NumberEdit
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class RulingAsked:
    """A turn to be ruled on: `about` names it, `words` of it are wrong, `reason` is proposed."""

    turn: int
    about: str
    phony: bool
    words: int
    reason: str


class RulingStrip(QFrame):
    """Asks for a ruling; `ruled` gives turn, whether it is wrong, author, reason and how many words are.

    Enter goes through the fields and then does it, Esc leaves.
    """

    ruled = Signal(int, bool, str, str, int)
    closed = Signal()

    def __init__(self, session: Session, impact: Callable[[int, bool, int], Sequence[str]]) -> None:
        """`impact` says what a ruling on a turn, with so many wrong words, would change."""
        super().__init__()
        self.setObjectName("card")
        self._session = session
        self._impact = impact
        self._asked: RulingAsked | None = None
        text = session.catalogue.text
        self._about = fields.label("", "lead", wrap=True)
        self._meant = fields.label("", "", wrap=True)
        self._meant.setAccessibleName(text("What this changes"))
        self._count = fields.label(text("Wrong words"))
        self.words = NumberEdit(text("Wrong words"), value=1, width=UNIT * 7)
        self.author = LineEdit(text("Author"), placeholder=text("who rules"))
        self.author.setMaximumWidth(UNIT * 22)
        self.why = LineEdit(text("Reason"), placeholder=text("Why? It is kept in the history."))
        self.yes = fields.button("", self.confirm, role="primary")
        self.no = fields.button(text("Leave it (Esc)"), self.closed.emit, role="quiet")
        self.words.textEdited.connect(self._say)
        line = fields.row(self._count, self.words, self.author, self.why)
        line.setStretchFactor(self.why, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        column.setSpacing(UNIT - 2)
        fields.fill(column, [self._about, self._meant, line, fields.row(self.yes, self.no, 1)])

    def ask(self, asked: RulingAsked, rules: RuleSet) -> None:
        """Ask for a ruling, the cursor in the first field that is still to be filled, else on the button."""
        text = self._session.catalogue.text
        self._asked = asked
        self._about.setText(asked.about)
        for part in (self._count, self.words):
            part.setVisible(asked.phony and rules.phony.per is Per.WORD)
        self.words.setText(str(asked.words))
        self.author.setText(str(self._session.settings.value(AUTHOR, "")))
        self.why.setText(asked.reason)
        self.yes.setText(text("Rule it wrong") if asked.phony else text("Let it stand"))
        self._say()
        empty = [line for line in (self.author, self.why) if not line.text()]
        (empty[0] if empty else self.yes).setFocus(Qt.FocusReason.OtherFocusReason)

    def confirm(self) -> None:
        """Rule, if everything is there; else put the cursor where something is missing."""
        count = self._number()
        wrong: list[LineEdit] = [line for line in (self.author, self.why) if not line.text().strip()]
        if count is None:
            wrong.insert(0, self.words)
        for line in (self.words, self.author, self.why):
            line.mark(wrong=line in wrong)
        if wrong:
            wrong[0].setFocus()
        elif self._asked is not None and count is not None:
            self._session.settings.setValue(AUTHOR, self.author.text().strip())
            self.ruled.emit(self._asked.turn, self._asked.phony, self.author.text(), self.why.text(), count)

    @property
    def about(self) -> str:
        """What is ruled on."""
        return self._about.text()

    @property
    def meaning(self) -> str:
        """What is said of the ruling's consequences."""
        return self._meant.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the fields by Enter; Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in ENTER:
            order: list[QWidget] = [self.words, self.author, self.why, self.yes]
            shown = [one for one in order if one.isVisible()]
            place = next((number for number, one in enumerate(shown) if one.hasFocus()), len(shown) - 2)
            shown[place + 1].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def _number(self) -> int | None:
        try:
            count = self.words.value() or 0
        except ValueError:
            return None
        return count if count > 0 else None

    def _say(self, _text: str = "") -> None:
        count = self._number()
        if self._asked is not None and count is not None:
            self._meant.setText("\n".join(self._impact(self._asked.turn, self._asked.phony, count)))
            self._meant.setMinimumHeight(self._meant.heightForWidth(self.width() - 3 * UNIT))


class HelpCard(QFrame):
    """How a turn is written."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("card")
        said = fields.rich()
        said.setText(_grammar(session.catalogue))
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        column.addWidget(said)


def _grammar(words: Catalogue) -> str:
    text = words.text
    lines = (
        ("8D TAART 20 143", text("square, word, score, total; all but one may be left out")),
        ("20 143", text("score and total only; =143 is a total alone")),
        ("TAaRT · TAA*RT", text("a small letter among capitals, or one with *, is a blank")),
        ("-", text("pass")),
        ("-3 · -ABC", text("exchange")),
        ("8D XYZ --", text("taken back, the turn is lost")),
        ("/ · /2", text("this player challenged wrongly; so many words")),
        ("#", text("turn lost by a sanction")),
        ("FOUT 30 !", text("found wrong by the jury; !2 two words")),
        ("WEL 18 ~XYZ", text("entered for the contested XYZ")),
        ("WEL 18 @AELW", text("the rack before the turn")),
    )
    rows = "".join(
        f"<tr><td style='padding-right:20px'><b>{escape(typed)}</b></td><td>{escape(meaning)}</td></tr>"
        for typed, meaning in lines
    )
    keys = text("Enter: the next turn · Shift+Enter: back · arrows: up and down · Ctrl+E: the end of the game")
    return f"<table cellspacing='1'>{rows}</table><p>{escape(keys)}</p>"
