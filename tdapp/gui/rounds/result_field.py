"""The field for results, with a preview below it.

Enter saves the result. A decided table or an unlikely result needs a second Enter, an implausible score
Ctrl+Enter. If the result was checked, or later rounds depend on it, the first Enter shows the effect. The text
stays until it is saved. After an error it stays until the next text.
"""

from __future__ import annotations

import re
from functools import partial
from html import escape

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QSizePolicy, QWidget

from tdapp.domain.errors import RuleViolation, StorageError, UserError
from tdapp.domain.model import GameId, Round, RoundState
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tournament import Tournament
from tdapp.gui.rounds.second_entry import SecondEntry, SecondReader
from tdapp.gui.shell.session import Session, if_there
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import Announcer
from tdapp.gui.widgets.impact_bar import Correction, ImpactBar, of_game
from tdapp.gui.widgets.scroll_body import Scrolled
from tdapp.gui.widgets.table_edit import TableEdit
from tdapp.gui.widgets.theme import HEAD, LEAD, SMALL, UNIT, font, tall
from tdapp.i18n.result_echo import Echo, Reader

_CODE = re.compile(r"\s*(\S+?)[\s.,]+(.*)")


class ResultField(QWidget):
    """Enters the results of a published round. `target` carries the key of the game in the line.

    `line` is the text field. `proposed` is the key of the next game, or "".
    """

    target = Signal(str)
    left = Signal()  # Esc: the typed text was dropped
    leave_second = Signal()  # Esc: end the second entry

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._reader: Reader | None = None
        self._echo = Echo("")
        self.proposed = ""
        self._text = ""
        self._scored = ""  # the proposed game for a line of two scores without a table
        self._seen: Echo | None = None  # preview shown by a first Enter
        self._sure = False  # confirmed by Ctrl+Enter
        self._asked = ""  # line that waits for a verdict
        self._open: frozenset[str] = frozenset()  # open games at the last refresh
        self._assessed: Echo | None = None  # the result in the bar, if any
        self._sent = ("", "")  # line and game being saved
        self._last = Echo("")  # last entry while it is the newest step
        self._last_step = 0
        self._build()
        self._back: QWidget = self.line  # receives the focus after the bar

    def show_round(self, item: Round | None) -> None:
        before = self._reader.item.id if self._reader else None
        if item is not None and item.state is not RoundState.PUBLISHED:
            item = None
        if item is None or before != item.id:
            self.again.switch(on=False)
        kind = SecondReader if self.again.on else Reader
        index, present = self._session.index, self._reader
        if present is None or type(present) is not kind or (present.index, present.item) != (index, item):
            self._reader = kind(index, item, self._session.catalogue) if item else None
        if self._reader is None or before != self._reader.item.id:
            self._last = Echo("")
            self.proposed = ""
            self._open = frozenset()
            if before is not None:
                self.line.clear()  # it belongs to another round
        step = self._session.desk.undo_step
        if self._last_step and (step is None or step.seq != self._last_step):
            self._last = Echo("")
        self.line.setReadOnly(not self._session.may("enter-result"))
        self._propose_open()
        self._read_line()
        self._assess_again()
        self.again.look_again()

    def type_again(self, *, on: bool) -> None:
        """Start or stop the second entry of the slips. Clears the text."""
        self._last = Echo("")
        self.line.clear()
        self.again.switch(on=on)
        self._second.setIcon(self._session.look.icon("copy", "accent"))
        self._second.setVisible(on)
        self._open = frozenset()
        self.proposed = ""
        self.show_round(self._reader.item if self._reader else None)

    def propose(self, key: str) -> None:
        """Propose the game `key` as the next one."""
        about_proposed = bool(self.line.text()) and self._echo.game == self._scored
        self.proposed = key
        if about_proposed:
            self._scored = key
            self._read_line()
        self._show_proposal()

    def write(self, line: str) -> None:
        """Set the text, with the cursor at its end."""
        self.line.setText(line)
        self.line.setModified(True)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)  # other reasons select the text

    def correct(self, line: str, *, back: QWidget) -> None:
        """Correct a result with a line from elsewhere. First show the effect.

        The text here stays, unless `line` has an error: then the field shows `line`. `back` receives the
        focus at the end.
        """
        echo = self._reader.echo(line) if self._reader else Echo("")
        if self._reader is None or echo.tone == "green":  # no change
            return
        if echo.entry is None or echo.asks in {"confirm", "rare", "verdict"}:
            self.write(line)
        elif echo.review:
            self._show_effect(line, echo, back=back)
        else:
            self._session.do(self._reader.command(echo), quiet=True)

    def offer(self, correction: Correction, *, back: QWidget) -> None:
        """Make a correction without a line. First show the effect. `back` receives the focus at the end."""
        self._drop_bar()
        self._back = back
        self.bar.offer(correction, self._make_correction)

    def focus(self) -> None:
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        escape = event.key() == Qt.Key.Key_Escape
        if escape and self.bar.correction is not None:
            self._leave_bar()
        elif escape and self.line.text():
            self.line.clear()
            self.left.emit()
        elif escape and self.again.on:
            self.leave_second.emit()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        text = self._session.catalogue.text
        self.line = TableEdit(text("Result"))
        self.line.setFont(font(HEAD))
        self.line.setMinimumHeight(tall(UNIT * 5))
        tip = text("Both scores, or table and scores: 7 412 388. Type ? for help.")
        self.line.setToolTip(tip)
        self.line.textChanged.connect(self._typed)
        self.line.enter.connect(self._handle_enter)
        self.line.step.connect(self._step_proposal)
        self.line.take.connect(self._take_proposed)
        self._second = QAction(text("Esc leaves the second entry."), self)
        self._second.triggered.connect(self.leave_second)
        self.line.addAction(self._second, QLineEdit.ActionPosition.LeadingPosition)
        self._second.setVisible(False)  # otherwise it keeps its space
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._echo_label = _make_rich_label(LEAD)
        self._more = _make_rich_label(SMALL)
        self._more.setProperty("kind", "muted")
        self._more.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self._more.linkActivated.connect(lambda: self._session.undo(self._last_step))
        self._announcer = Announcer(self._echo_label)
        self._help = QFrame()
        self._help.setObjectName("card")
        self._help_text = _make_rich_label(SMALL)
        lines = Scrolled(fields.column(self._help_text))
        fields.column(lines, around=(UNIT, UNIT // 2) * 2, parent=self._help)
        self._help.hide()
        self.bar = ImpactBar(self._session)
        self.bar.left.connect(self._leave_bar)
        self.again = SecondEntry(self._session, settle=self._settle_entries, offer=self._offer_second)
        self.again.retype.connect(self.focus)
        parts = (self.line, self._echo_label, self._more, self.again, self.bar, self._help)
        fields.column(*parts, gap=UNIT // 2, parent=self)
        self._session.look.changed.connect(self._show_echo)

    def _to_division(self) -> bool:
        code, divisions = _CODE.fullmatch(self.line.text()), self._session.index.divisions
        found = [one for one in divisions if code and one.code.casefold() == code[1].casefold()]
        if not code or not found or len(divisions) == 1:
            return False
        if found[0] is not self._session.division:
            self._session.choose_division(found[0].id)
        self.line.setText(code[2])
        return True

    def _typed(self) -> None:
        if self._session.is_open and self._to_division():
            return
        self._drop_bar()
        self.again.drop()
        before, self._text = self._text, self.line.text()
        if not before or len(self._text) <= 1:  # a new line keeps its game while others enter results
            self._scored = self._next_key()
        if self.line.text() and not self._last_step:
            self._last = Echo("")
        asked, line = self._asked, self.line.text()
        self._asked = asked if line == asked else ""
        self._read_line()
        if asked and self._reader and line.startswith(asked) and line[len(asked) :] in self._reader.answers:
            self._handle_enter(False)  # a single key is enough

    def _next_key(self) -> str:
        sent = self._sent[1]
        following = self._reader.next_open(sent) if self._reader and sent else None
        return following.key if following else self.proposed

    def _echo_of(self, line: str) -> Echo:
        return self._reader.echo(line, proposed=self._scored) if self._reader else Echo("")

    def _read_line(self) -> None:
        self._echo = self._echo_of(self.line.text())
        if self._echo.game:
            self.target.emit(self._echo.game)
        self._show_echo()

    def _show_echo(self) -> None:
        echo = self._echo
        if not echo.text and not echo.help:
            echo = self._describe_idle()
        if self._echo.entry is not None and self._was_shown(self._echo):
            echo = replace(echo, more=echo.again)
        colour = self._session.look.colour(echo.tone).name()
        self._echo_label.setText(f'<span style="color:{colour}">{echo.text or "&nbsp;"}</span>')
        undo = self._session.catalogue.text("Undo") if echo is self._last and self._last_step else ""
        parts = [escape(echo.more), f'<a href="undo">{escape(undo)}</a>' if undo else ""]
        self._more.setText("   ·   ".join(filter(None, parts)) or "&nbsp;")
        self.line.mark(wrong=echo.tone == "red")
        if self.line.hasFocus():
            row = self._find_row(self.proposed) if echo is self._last else None
            invitation = self._reader.invitation(row) if self._reader and row else ""
            self._announcer.say(echo.text, echo.more, invitation, urgent=echo.tone == "red")
        self._more.setVisible(not echo.help)  # a small screen needs the space for all lines
        if echo.help and self._reader is not None:
            self._help_text.setText(fields.meanings(self._reader.help_lines()))
        self._help.setVisible(echo.help)  # together with its text

    def _describe_idle(self) -> Echo:
        """Return the preview for an empty line: the last entry and the next game."""
        reader = self._reader
        if reader is None:
            return Echo("")
        row = self._find_row(self.proposed)
        if self.again.on:
            return self.again.idle(reader, reader.invitation(row) if row else "", self._last)
        if self._last.text:
            return self._last
        if self._session.tournament.event.finished:
            return Echo(escape(self._session.catalogue.error(RuleViolation("tournament-finished"))))
        if row is not None:
            return Echo(reader.invitation(row), self._session.catalogue.text("Type ? for help."))
        catalogue, number = self._session.catalogue, reader.item.number
        division = reader.index.division_of(reader.item.id)
        more = catalogue.text("This was the last planned round. Add rounds to the schedule under Tournament.")
        last = number == reader.index.planned_rounds(division.id)
        done = catalogue.text("All results of round {round} are in.", round=number)
        return Echo(done, more if last else "", "green")

    def _propose_open(self) -> None:
        reader = self._reader
        still = frozenset(row.key for row in reader.rows if reader.waits(row)) if reader else frozenset()
        reopened = [key for key in still - self._open if self._open]
        self._open = still
        if reopened:
            self.proposed = reopened[0]
        row = self._find_row(self.proposed)
        if reader is not None and (row is None or not reader.waits(row)):
            self._propose_after(self.proposed)
        self._show_proposal()

    def _propose_after(self, key: str) -> None:
        following = self._reader.next_open(key) if self._reader else None
        self.proposed = following.key if following else ""
        if self.proposed and not self.line.text():
            self.target.emit(self.proposed)

    def _show_proposal(self) -> None:
        row, text = self._find_row(self.proposed), self._session.catalogue.text
        example = text("Both scores of table {table}", table=row.table) if row else text("Table, then both scores")
        self.line.setPlaceholderText(example)
        if not self.line.text():
            self._show_echo()

    def _find_row(self, key: str) -> PairingRow | None:
        rows = self._reader.rows if self._reader else ()
        return next((row for row in rows if row.key == key), None)

    def _take_proposed(self) -> None:
        row = self._find_row(self.proposed)
        if row is not None and not self.line.isReadOnly():
            self.line.setText(f"{row.table} ")

    def _step_proposal(self, by: int) -> None:
        if self._reader is None:
            return
        still = [row.key for row in self._reader.rows if self._reader.waits(row)]
        if still:
            index = still.index(self.proposed) + by if self.proposed in still else 0
            self.propose(still[index % len(still)])
            self.target.emit(self.proposed)

    def _handle_enter(self, control: bool) -> None:
        echo, line = self._echo, self.line.text()
        if not line or self._reader is None or (line, echo.game) == self._sent:
            return
        control = control or (self._sure and self._was_shown(echo))
        if echo.help or echo.tone == "green":  # no change
            self._pass_over(echo)
        elif echo.asks == "time":  # the answer continues the line
            self._session.sound()
        elif echo.asks == "verdict" and line != self._asked:
            self._asked = f"{line.rstrip()} "
            self.line.setText(self._asked)
            self._session.sound()
        elif echo.entry is None or (echo.asks == "confirm" and not control):
            self._echo = echo if echo.entry else self._reader.unfinished(echo, line)
            self._stop_enter(" " if echo.text and echo.tone != "red" else "")
        elif echo.entry.disputed:
            self._send_line(line, echo, control, "")
        elif isinstance(self._reader, SecondReader) and echo.old is not None:
            self.again.compare(self._reader, line, echo, confirmed=control)
        elif (echo.old is not None or echo.asks == "rare") and not self._was_shown(echo):
            self._seen, self._sure = echo, control
            if echo.review:
                self._show_effect(line, echo, back=self.line, sure=control)
            self._stop_enter("?")
        elif echo.review:
            self.bar.confirm()
        else:
            self._send_line(line, echo, control, "")

    def _stop_enter(self, further: str) -> None:
        self._show_echo()
        self.line.keep(further)
        self._session.sound()

    def _pass_over(self, echo: Echo) -> None:
        self.line.clear()
        self._last, self._last_step = (Echo("") if echo.help else replace(echo, entry=None)), 0
        if echo.game:
            self._propose_after(echo.game)
        self._show_proposal()

    def _offer_second(self, correction: Correction, line: str, echo: Echo) -> None:
        self._back = self.line
        self.bar.offer(correction, lambda made: self._settle_entries(made, line, echo))

    def _settle_entries(self, command: partial[Tournament] | None, line: str, echo: Echo) -> None:
        """Save the outcome of two entries. None: the result is already correct."""
        if command is None:
            self._handle_success(line, echo)
            return
        self.line.setFocus()
        self.line.selectAll()  # the next text replaces it
        self._run_command(command, line, echo)

    def _run_command(self, command: partial[Tournament], line: str, echo: Echo) -> None:
        self._sent = (line, echo.game)
        self._session.do(
            command,
            done=if_there(self, partial(self._handle_success, line, echo)),
            refused=if_there(self, partial(self._handle_refusal, line, echo.game)),
            quiet=True,  # shown below the field, with Undo
        )

    def _was_shown(self, echo: Echo) -> bool:
        seen = self._seen
        return seen is not None and (seen.entry, seen.old) == (echo.entry, echo.old)

    def _show_effect(self, line: str, echo: Echo, *, back: QWidget, sure: bool = False) -> None:
        """Show the effect of a change.

        The focus stays here unless a reason is needed. `sure`: Ctrl+Enter was used.
        """
        reader = self._reader
        if reader is None or echo.old is None:
            return
        self._assessed, self._back = echo, back
        elsewhere, command = back is not self.line, reader.command(echo, confirmed=sure)
        yes = self._session.catalogue.text("Clear the result") if echo.entry and echo.entry.clear else ""
        text = echo.text if elsewhere else ""
        correction = of_game(reader.index, GameId(echo.game), command, text, yes=yes)
        self.bar.ask(correction, then=partial(self._confirm_effect, line, echo, sure), focus=elsewhere)

    def _assess_again(self) -> None:
        echo = self._assessed
        if echo and (self._reader is None or self._session.index.result(GameId(echo.game)) != echo.old):
            self._drop_bar()
        else:
            self.bar.assess()

    def _confirm_effect(self, line: str, echo: Echo, sure: bool, reason: str) -> None:
        self._drop_bar()
        self._back.setFocus()
        if self._back is self.line:
            self._send_line(line, echo, sure, reason)
        elif self._reader is not None:
            self._session.do(self._reader.command(echo, confirmed=sure, reason=reason), quiet=True)

    def _make_correction(self, command: partial[Tournament]) -> None:
        self._back.setFocus()
        self._session.do(command, quiet=True)

    def _leave_bar(self) -> None:
        """Close the bar without a change, and keep the text."""
        self._drop_bar()
        self._show_echo()
        self._back.setFocus()

    def _drop_bar(self) -> None:
        self._assessed = None
        self._seen = None  # show the new preview again
        self.bar.drop()

    def _send_line(self, line: str, echo: Echo, confirmed: bool, reason: str) -> None:
        if self._reader is not None:
            self.line.selectAll()  # the next text replaces it
            self._run_command(self._reader.command(echo, confirmed=confirmed, reason=reason), line, echo)

    def _release_line(self, line: str, game: str) -> bool:
        """Allow the line to be sent again, unless another is being saved.

        Return whether the field still has it.
        """
        self._seen = None
        if self._sent == (line, game):
            self._sent = ("", "")
        return self.line.text() == line and self._echo.game in {"", game}

    def _handle_success(self, line: str, echo: Echo) -> None:
        still_there = self._release_line(line, echo.game)
        done = echo.more
        if echo.asks or (echo.entry and echo.entry.clear):  # the question is answered
            done = self._reader.after(echo.made) if self._reader and echo.made is not None else ""
        step = self._session.desk.undo_step
        self._last_step = step.seq if step else 0
        text = self._reader.done(echo) if self._reader else echo.text
        self._last = Echo("✓ " + text, done, "green")
        if still_there:
            self.line.clear()
        if echo.entry and echo.entry.clear:
            self.proposed = echo.game  # propose the game again
            self.target.emit(echo.game)
        else:
            self._propose_after(echo.game)
        self._show_proposal()

    def _handle_refusal(self, line: str, game: str, error: UserError) -> bool:
        """Keep the text. Show the error below the field, unless the user types something else."""
        still_there = self._release_line(line, game)
        self._session.sound()
        if not still_there:
            return False
        now = self._echo_of(line).more if error.code == "changed-meanwhile" else ""
        text = escape(self._session.catalogue.error(error))
        once_more = isinstance(error, StorageError)  # Enter tries again
        echo = self._echo if once_more else Echo("", game=self._echo.game)
        self._echo = replace(echo, text=text, more=now, tone="red")
        self._show_echo()
        self.focus()
        self.line.keep()
        return True


def _make_rich_label(size: int) -> QLabel:
    made = fields.rich()
    made.setFont(font(size))
    return made
