"""The log of challenges: every verdict of the judge screen, the appeals, and what the sheet has of them.

Hides what may be seen while the judge screen is open: everything but the words.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation, StorageError
from tdapp.domain.model import Challenge, ChallengeId
from tdapp.domain.rulings import WrittenChallenge, final_verdict, on_sheet, verdict_on_words
from tdapp.domain.tables.jury_log import ChallengeRow, challenges
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Input, Tick, Values
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import judge_screen
from tdapp.i18n.phrases import titled
from tdapp.scrabble.wordlist import Verdict


class ChallengesPanel(EditorPanel):
    """The log of the chosen division beside a page; a form for the appeal against the ruling under the cursor."""

    def __init__(self, session: Session) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Challenges"))
        self.want_width(UNIT * 62)
        self._editions = {
            one.metadata.id: one.metadata.edition.name
            for one in session.library.editions()
            if one.metadata is not None
        }
        self.about = fields.label(wrap=True)
        self.final = fields.label("", "lead", wrap=True)
        self.sheet = fields.label("", "muted", wrap=True)
        self._ask_button = fields.button(text("Ask the word list again"), self.ask_list)
        listing = Listing(
            name=text("Challenges"),
            table=self._table,
            widths={"at": 60, "round": 56, "table": 56, "words": 0, "final_verdict": 112},
            empty=text("No challenge yet. The verdicts of the judge screen (Shift+F10) come here."),
            shown={"at": self._time, "words": lambda row: row.words or "•••"},
            search=text("Only of table"),
            found=lambda row, sought: sought.isdecimal() and row.table == int(sought),
        )
        self.put(
            Editor(
                session,
                fields=self._fields(),
                listing=listing,
                edit=commands.appeal_challenge,
                remove=commands.remove_challenge,
                row=lambda key: session.tournament.challenges.get(ChallengeId(key)),
                to_command=self._command,
                blame={"": "joint"},
                keep=text("Enter the appeal"),
                correct=text("Appeal"),
                parts=self._parts,
            )
        )
        self.editor.view.setMinimumHeight(UNIT * 16)
        self.editor.view.current.connect(self._show_current)
        self.editor.listed.connect(self._show_current)

    def refresh(self) -> None:
        """Show the log as it is now; what is typed stays."""
        super().refresh()
        editor = self.editor
        if self.session.division is not None:
            if not editor.view.current_key() and editor.rows.keys():
                editor.view.choose(editor.rows.keys()[0])
            self._show_current()

    def ask_list(self) -> None:
        """Fill in the verdict of the list in use as the second: all words of the play are looked up again."""
        challenge, lexicon = self._current(), self.session.word_list()
        if challenge is None:
            return
        if lexicon is None:
            self.session.refuse(RuleViolation("word-list-missing"))
            return
        try:
            verdict = verdict_on_words(challenge.words, lexicon, self.session.tournament.ruleset.words)
        except StorageError as error:
            self.session.refuse(error)
            return
        if verdict is Verdict.NOT_BINDING:
            self.session.refuse(RuleViolation("verdict-open"), self.field("second"))
        else:
            self.field("second").choose(verdict)

    # --- the appeal

    def _fields(self) -> list[Input]:
        text, code = self.session.catalogue.text, self.session.catalogue.code
        verdicts = [(None, "–"), *((one, code(one)) for one in (Verdict.VALID, Verdict.INVALID))]
        return [
            Input(name="judge", label=text("Second judge"), attribute="second_judge"),
            Input(name="second", label=text("Second verdict"), options=lambda _typed: verdicts),
            Input(
                name="alone",
                label=text("No other judge is here: the second verdict holds"),
                control=Tick,
                shown=self._differ,
            ),
            Input(
                name="joint",
                label=text("Both judges together"),
                note=text("The two differ, so they decide together."),
                options=lambda _typed: verdicts,
                shown=lambda typed: self._differ(typed) and not typed["alone"],
            ),
        ]

    def _parts(self, editor: Editor) -> list[fields.Part]:
        form = editor.form_parts(self._ask_button)
        return [*editor.list_parts(), self.about, self.final, self.sheet, *form]

    def _differ(self, typed: Values) -> bool:
        """Tell whether the two verdicts differ, so that a joint one is asked for."""
        challenge = self._current()
        return challenge is not None and typed["second"] not in {None, challenge.verdict}

    def _command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        """Return the appeal: the second verdict, and the joint one if the two differ."""
        second, alone = values["second"], values.get("alone", False)
        if second is None:
            self.session.refuse(RuleViolation("second-verdict-missing"), self.field("second"))
            return None
        joint = second if alone else values.get("joint")
        return self.editor.of_row(
            commands.appeal_challenge, self.editor.corrected, second=second, judge=values["judge"], joint=joint
        )

    # --- showing

    def _table(self) -> Table[ChallengeRow]:
        division = self.session.division
        if division is None:
            return Table("challenges", (), ())
        return challenges(self.session.index, division, words=not self.session.judging)

    def _current(self) -> Challenge | None:
        return self.session.tournament.challenges.get(ChallengeId(self.editor.view.current_key()))

    def _show_current(self, key: str = "") -> None:
        editor = self.editor
        challenge = self._current() if self.session.is_open else None
        if editor.corrected and editor.corrected != (key or editor.view.current_key()):
            editor.begin()
        for part in (self.about, self.final, self.sheet, editor.correct_button, editor.remove_button):
            part.setVisible(challenge is not None)
        if challenge is None:
            return
        rules = self.session.tournament.ruleset
        editor.correct_button.setVisible(rules.judges.appeal > 0)
        catalogue, final = self.session.catalogue, final_verdict(challenge)
        said = judge_screen.consequence(catalogue, rules, final, words=len(challenge.words))
        self.about.setText(self._about(challenge))
        self.final.setText(f"{titled(catalogue.code(final))}. {said}")
        self._show_sheet(on_sheet(self.session.index, challenge))

    def _show_sheet(self, written: WrittenChallenge | None) -> None:
        said = judge_screen.on_sheet(self.session.catalogue, written) if written else ""
        self.sheet.setText(said)
        self.sheet.setVisible(bool(said))
        wrong = written is not None and written.agrees is False
        fields.set_kind(self.sheet, "error" if wrong else "muted")

    def _about(self, challenge: Challenge) -> str:
        players, session = self.session.tournament.players, self.session
        challenger = players.get(challenge.challenger) if challenge.challenger else None
        edition = self._editions.get(challenge.edition, challenge.edition)
        lines = judge_screen.about(session.catalogue, challenge, challenger, edition, hidden=session.judging)
        return "\n".join(lines)

    def _time(self, row: ChallengeRow) -> str:
        return self.session.catalogue.time(datetime.fromisoformat(row.at).astimezone())
