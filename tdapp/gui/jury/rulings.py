"""Rulings on the Jury page: which turn is ruled on, what a ruling would change, and making it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.impact import impact
from tdapp.domain.ruleset import Per, RuleSet
from tdapp.domain.tables.jury import Doubt, cost_of
from tdapp.domain.tournament import Tournament
from tdapp.gui.jury import notes
from tdapp.gui.jury.sheet_end import AUTHOR
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.later import if_there
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, LineEdit, NumberEdit
from tdapp.gui.widgets.impact_bar import Correction, of_game
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import impact_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.sheet import TurnKind


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


if TYPE_CHECKING:
    from tdapp.gui.jury.page import JuryPage

Make = Callable[[partial[Tournament]], None]
_ANY = "…"  # stands for author and reason while a ruling is only weighed


class RulingActions:
    """The rows about words in doubt, and what they do."""

    def __init__(self, page: JuryPage, assess: Callable[[Correction, Make], None]) -> None:
        """`assess` makes a correction once it has been shown what it means."""
        self._page = page
        self._assess = assess
        self._session = page.session
        self._sheet = page.sheet

    def table(self) -> tuple[Action, ...]:
        """Return the rows."""
        text, menu = self._session.catalogue.text, "turns"
        wrong, stands = partial(self.rule, phony=True), partial(self.rule, phony=False)
        return (
            Action("next-doubt", text("Words in doubt"), self.to_doubts, "", "Ctrl+Shift+W", menu, self._doubted),
            Action("rule-wrong", text("Rule it wrong…"), wrong, "close", "Ctrl+-", menu, self._may_rule),
            Action("rule-stands", text("Let it stand…"), stands, "check", ("Ctrl++", "Ctrl+="), menu,
                   self._may_rule),
        )  # fmt: skip

    def _doubted(self) -> bool:
        shown = self._page.shown
        return self._page.isVisible() and shown is not None and bool(shown.doubts)

    def _may_rule(self) -> bool:
        return (
            self._page.isVisible()
            and self._sheet.may_change()
            and not self._page.silent
            and (self._sheet.stored is not None or self._sheet.dirty)
        )

    def to_doubts(self) -> None:
        """Put the cursor on the first word that is still in doubt."""
        shown, view = self._page.shown, self._page.words.view
        found = [doubt for doubt in shown.doubts if doubt.is_open] or list(shown.doubts) if shown else []
        if found and self._page.isVisible():
            self._page.make_room(view)
            view.setFocus()
            view.choose(found[0].key)

    def go_on(self) -> None:
        """Put the cursor on the next open doubt, else where somebody answers for the sheet."""
        shown = self._page.shown
        if shown is not None and any(doubt.is_open for doubt in shown.doubts):
            self.to_doubts()
        else:
            self._page.end.focus("author")

    def rule(self, *, phony: bool) -> None:
        """Ask for a ruling on the doubt or the turn of the cursor."""
        number, words = self._turn_meant(), self._session.catalogue
        shown = self._page.shown
        if shown is None or number is None:
            self._session.say(words.text("Go to the play that is to be ruled on."), tone="red")
        elif self._sheet.dirty:
            self._session.say(words.text("Keep the sheet first (Ctrl+Enter)."), tone="red")
        elif phony and not self._sheet.rules.phony.ruled:
            self._session.say(words.problem("phony-not-in-rules", {}), tone="red")
        else:
            self._page.open_strip(self._page.ruling)
            self._page.ruling.ask(self._asked(number, phony=phony), self._sheet.rules)

    def ruled(self, turn: int, phony: bool, author: str, why: str, count: int) -> None:
        """Make a ruling."""
        command, game = self._ruling(turn, phony=phony, author=author, why=why, count=count), self._sheet.game
        if command is not None and game is not None:
            strip = self._page.ruling
            said = escape(strip.about)
            correction = of_game(self._sheet.index, game.id, command, said, yes=strip.yes.text(), reasoned=True)
            self._assess(correction, self._make)

    def _make(self, command: partial[Tournament]) -> None:
        done = if_there(self._page, partial(self._was_ruled, self._page.whether_waited()))
        self._session.do(command, done=done, quiet=True, field=self._page.ruling.why)

    def impact(self, turn: int, phony: bool, count: int) -> Sequence[str]:
        """Return what a ruling would change: the score, the winner, ranks and papers."""
        before, game = self._session.tournament, self._sheet.game
        command = self._ruling(turn, phony=phony, author=_ANY, why=_ANY, count=count)
        if command is None or game is None:
            return ()
        words = self._session.catalogue
        try:
            after = command(before)
        except RuleViolation as error:
            return (words.error(error),)
        division = self._session.index.division_of(game.round).id
        found = impact(before, after, division)
        said = notes.scores_change(words, before.results.get(game.id), after.results.get(game.id))
        return (said, *impact_sentences.impact(found, before.players, words, first=(game.first, game.second)))

    def _ruling(self, turn: int, *, phony: bool, author: str, why: str, count: int) -> partial[Tournament] | None:
        key, tileset, wordlist = self._sheet.key, self._sheet.tileset, self._session.word_list()
        if key is None or tileset is None:
            return None
        return partial(
            commands.rule_on_turn,
            game=key[0],
            turn=turn,
            phony=phony,
            author=author,
            why=why,
            tileset=tileset,
            form=key[1],
            wrong_words=count,
            edition=wordlist.metadata.id if wordlist is not None else "",
        )

    def _was_ruled(self, waited: Callable[[], bool]) -> None:
        if waited():
            self._sheet.note_done()
            self._page.close_strip()
            self._page.refresh()
            self.go_on()

    def _turn_meant(self) -> int | None:
        """Return the number of the turn that a key rules on."""
        shown, words = self._page.shown, self._page.words
        if shown is None:
            return None
        if words.view.hasFocus() and words.current is not None:
            return words.current.turn
        row = shown.row(self._sheet.place)
        if row is not None and row.kind is TurnKind.PLAY:
            return row.number
        return next((doubt.turn for doubt in shown.doubts if doubt.is_open), None)

    def _asked(self, number: int, *, phony: bool) -> RulingAsked:
        words, shown, rules = self._session.catalogue, self._page.shown, self._sheet.rules
        line = shown.lines[number - 1] if shown else None
        doubts = [doubt for doubt in shown.doubts if doubt.turn == number] if shown else []
        said = _named(doubt.word for doubt in doubts) or ", ".join(line.words if line else ())
        name = self._sheet.draft.players[line.player - 1] if line else ""
        about = words.text("Turn {turn}, {player}: {words}", turn=number, player=name, words=said)
        if phony and line is not None:
            about += "  ·  " + words.text("costs {cost}", cost=cost_of(line, rules, words=max(1, len(doubts))))
        return RulingAsked(number, about, phony, max(1, len(doubts)), self._reason(doubts, phony=phony))

    def _reason(self, doubts: Sequence[Doubt], *, phony: bool) -> str:
        """Return a reason that most jury members would give."""
        words, wordlist = self._session.catalogue, self._session.word_list()
        missing = [doubt.word for doubt in doubts if doubt.code == "word-not-in-list"]
        if phony and missing and wordlist is not None:
            return words.text("{words}: not in {edition}", words=_named(missing), edition=wordlist.edition.name)
        said = _named(doubt.word for doubt in doubts)
        if phony:
            return words.text("{words}: no such word, says the jury", words=said) if said else ""
        return words.text("{words}: right, says the jury", words=said) if said else ""


def _named(words: Iterable[str]) -> str:
    """Return words one after the other; one that a play forms twice is named once."""
    return ", ".join(dict.fromkeys(words))
