"""The log of challenges: every verdict of the judge screen, the appeals, and what the sheet has of them.

Hides what may be seen while the judge screen is open: everything but the words.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation, StorageError
from tdapp.domain.model import Challenge, ChallengeId
from tdapp.domain.rulings import WrittenChallenge, final_verdict, of_words, on_sheet
from tdapp.domain.tables.challenges import ChallengeRow, challenges
from tdapp.gui import fields
from tdapp.gui.fields import Choice, Form, LineEdit, SearchField
from tdapp.gui.later import if_seen
from tdapp.gui.panels.typing import TypingPanel
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView
from tdapp.i18n.challenge_sentences import consequence
from tdapp.i18n.phrases import titled
from tdapp.scrabble.wordlist import Verdict

_HIDDEN = ("challenger", "edition", "verdict", "judge", "appeal", "second_judge")  # told below the table
_RULINGS = (Verdict.VALID, Verdict.INVALID)


class ChallengesPanel(TypingPanel):
    """The log of the chosen division beside a page."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Challenges"))
        self.want_width(UNIT * 62)
        text = session.catalogue.text
        self._shown = ""  # the key of the entry that the fields below are of
        self._editions = {
            one.imprint.id: one.imprint.edition.name for one in session.shelf.editions() if one.imprint is not None
        }
        self.table = SearchField(text("Only of table"), session.look)
        self.table.textChanged.connect(self.refresh)
        self.rows = Rows(session.catalogue, hidden=_HIDDEN, shown={"at": self._time, "words": self._words})
        self.view = TableView(self.rows, look=session.look, name=text("Challenges"))
        self.view.keep_order()
        self.view.set_widths({"at": 60, "round": 56, "table": 56, "final_verdict": 112}, stretch=("words",))
        self.view.setMinimumHeight(UNIT * 16)
        self.view.current.connect(self._show_current)
        self.about = fields.label(wrap=True)
        self.final = fields.label("", "lead", wrap=True)
        self.sheet = fields.label("", "muted", wrap=True)
        self._remove = fields.button(text("Take off the log"), self.remove)
        self._open_appeal = fields.button(text("Appeal"), self.appeal)
        self._make_appeal()
        parts: list[fields.Part] = [
            self.table, self.view, self.about, self.final, self.sheet,
            fields.row(self._remove, 1, self._open_appeal), self._appeal,
        ]  # fmt: skip
        fields.fill(self.body, parts)
        self.body.setStretchFactor(self.view, 1)

    def refresh(self) -> None:
        """Show the log as it is now; what is typed stays."""
        division = self.session.division
        if division is None:
            self.closed.emit()
            return
        text, typed = self.session.catalogue.text, self.table.text().strip()
        table = int(typed) if typed.isdecimal() else None
        self.table.mark(wrong=bool(typed) and table is None)
        self.rows.show(challenges(self.session.index, division, table=table, words=not self.session.judging))
        nothing = text("No challenge at table {table}. Esc in the field above shows all.", table=typed)
        empty = text("No challenge yet. The verdicts of the judge screen (Shift+F10) come here.")
        self.view.set_empty(nothing if table is not None else empty)
        if not self.view.current_key() and self.rows.keys():
            self.view.choose(self.rows.keys()[0])
        self._show_current()

    def unsaved(self) -> bool:
        """Tell whether an appeal is begun."""
        return not self._appeal.isHidden() and (self.second.value() is not None or self.second_judge.isModified())

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard."""
        super().showEvent(event)
        self.view.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take an entry off on Delete."""
        if event.key() == Qt.Key.Key_Delete and self.view.hasFocus():
            self.remove()
        else:
            super().keyPressEvent(event)

    # --- what can be done

    def remove(self) -> None:
        """Take the entry off that the cursor is on; Undo brings it back."""
        challenge = self._current()
        if challenge is not None and self._may():
            self.session.do(partial(commands.remove_challenge, challenge=challenge.id), field=self.view)

    def appeal(self) -> None:
        """Open the fields of an appeal, or fold them away."""
        self._appeal.setVisible(self._appeal.isHidden())
        if self._appeal.isHidden():
            self.view.setFocus()
        else:
            self._fill()
            self.second_judge.setFocus()

    def ask_list(self) -> None:
        """Let the list in use say the second verdict: the words of a play are looked up again, all of them."""
        challenge, lexicon = self._current(), self.session.word_list()
        if challenge is None:
            return
        if lexicon is None:
            self.session.refuse(RuleViolation("word-list-missing"))
            return
        try:
            verdict = of_words(challenge.words, lexicon, self.session.tournament.ruleset.words)
        except StorageError as error:
            self.session.refuse(error)
            return
        if verdict is Verdict.NOT_BINDING:
            self.session.refuse(RuleViolation("verdict-open"), self.second)
        else:
            self.second.choose(verdict)

    def keep(self) -> None:
        """Note the second verdict, and the joint one if the two differ."""
        challenge, second = self._current(), self.second.value()
        if challenge is None:
            return
        if second is None:
            self.session.refuse(RuleViolation("second-verdict-missing"), self.second)
            return
        command = partial(
            commands.appeal_challenge,
            challenge=challenge.id,
            second=second,
            judge=self.second_judge.text(),
            joint=second if self.alone.isChecked() else self.joint.value(),
        )
        self.session.do(command, done=if_seen(self, self._kept), field=self.joint)

    # --- showing

    def _make_appeal(self) -> None:
        session, text = self.session, self.session.catalogue.text
        values = [(None, "–"), *((one, session.catalogue.code(one)) for one in _RULINGS)]
        self.second_judge = LineEdit(text("Second judge"))
        self.second: Choice[Verdict | None] = Choice(text("Second verdict"), values, session.look)
        self.joint: Choice[Verdict | None] = Choice(text("Both judges together"), values, session.look)
        self.alone = fields.check(text("No other judge is here: the second verdict holds"))
        for choice in (self.second, self.joint):
            choice.currentIndexChanged.connect(self._fit)
        self.alone.toggled.connect(self._fit)
        self.second_judge.returnPressed.connect(self.keep)
        form = Form()
        form.add(text("Second judge"), self.second_judge)
        form.add(text("Second verdict"), self.second)
        together = Form()
        together.add(text("Both judges together"), self.joint, text("The two differ, so they decide together."))
        self._together = fields.boxed(together)
        buttons = fields.row(
            fields.button(text("Ask the word list again"), self.ask_list), 1,
            fields.button(text("Enter the appeal"), self.keep, role="primary"),
        )  # fmt: skip
        column = QVBoxLayout()
        fields.fill(column, [form, self.alone, self._together, buttons])
        self._appeal = fields.boxed(column)
        self._appeal.hide()

    def _fit(self, _value: object = None) -> None:
        """Ask for a joint verdict only where the two differ."""
        challenge, second = self._current(), self.second.value()
        differ = challenge is not None and second not in {None, challenge.verdict}
        self._together.setVisible(differ and not self.alone.isChecked())
        self.alone.setVisible(differ)

    def _fill(self) -> None:
        """Fill the fields from the entry."""
        challenge = self._current()
        if challenge is not None:
            self.second_judge.setText(challenge.second_judge)
            self.second.choose(challenge.second)
            self.joint.choose(challenge.joint)
            self.alone.setChecked(False)
            self._fit()

    def _kept(self) -> None:
        self._appeal.hide()
        self.second.choose(None)
        self.view.setFocus()

    def _current(self) -> Challenge | None:
        return self.session.tournament.challenges.get(ChallengeId(self.view.current_key()))

    def _may(self) -> bool:
        return self.session.may("appeal-challenge") and not self.session.tournament.event.finished

    def _show_current(self, _key: str = "") -> None:
        challenge = self._current() if self.session.is_open else None
        key = challenge.id if challenge is not None else ""
        if key != self._shown:
            self._shown = key
            self._appeal.hide()
        for part in (self.about, self.final, self.sheet, self._remove, self._open_appeal):
            part.setVisible(challenge is not None)
        if challenge is None:
            self._appeal.hide()
            return
        rules = self.session.tournament.ruleset
        self._remove.setEnabled(self._may())
        self._open_appeal.setEnabled(self._may())
        self._open_appeal.setVisible(rules.judges.appeal > 0)
        words, final = self.session.catalogue, final_verdict(challenge)
        told = consequence(words, rules, final, words=len(challenge.words))
        self.about.setText("\n".join(self._lines(challenge)))
        self.final.setText(f"{titled(words.code(final))}. {told}")
        self._show_sheet(on_sheet(self.session.index, challenge))

    def _show_sheet(self, written: WrittenChallenge | None) -> None:
        text = self.session.catalogue.text
        if written is None:
            said = ""
        elif written.agrees is None:
            said = text("The score sheet has several turns that may be meant.")
        elif written.agrees:
            said = text("The score sheet has it as line {turn}.", turn=written.turn)
        elif written.turn is None:
            said = text("The score sheet does not have this: enter it there.")
        else:
            said = text("The score sheet says otherwise: mend its line {turn}.", turn=written.turn)
        self.sheet.setText(said)
        self.sheet.setVisible(bool(said))
        wrong = written is not None and written.agrees is False
        fields.set_kind(self.sheet, "error" if wrong else "muted")

    def _lines(self, challenge: Challenge) -> list[str]:
        words = self.session.catalogue
        text, code = words.text, words.code
        hidden = text("The words are not shown while the judge screen is open.")
        player = self.session.tournament.players.get(challenge.challenger) if challenge.challenger else None
        edition = self._editions.get(challenge.edition, challenge.edition)
        lines = [
            hidden if self.session.judging else " · ".join(challenge.words),
            text("Challenged by {name}", name=player.name) if player is not None else "",
            text("Word list: {name}", name=edition),
            text("Verdict: {said}", said=_by(code(challenge.verdict), challenge.judge)),
        ]
        if challenge.second is not None:
            lines.append(text("Appeal: {said}", said=_by(code(challenge.second), challenge.second_judge)))
        if challenge.joint is not None:
            lines.append(text("After the appeal: {verdict:code}", verdict=challenge.joint))
        return [line for line in lines if line]

    def _time(self, row: ChallengeRow) -> str:
        return self.session.catalogue.time(datetime.fromisoformat(row.at).astimezone())

    def _words(self, row: ChallengeRow) -> str:
        return row.words or "•••"


def _by(said: str, judge: str) -> str:
    return f"{said} ({judge})" if judge else said
