"""The round clock's controls on the Screens page: start, pause, extra time, length, sounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from tdapp.domain.round_clock import LONGEST, MARGIN, MINUTE, SHORTEST, ClockState, minutes_and_seconds, read_clock
from tdapp.gui.shell.round_clock import LOOKS, HallClock, in_words
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Elided, LineEdit
from tdapp.gui.widgets.theme import UNIT

_MORE = (1, 5)  # minutes of the buttons
_SIZE = 24  # of the shape beside the time


class ClockBox(QFrame):
    """Shows the clock, and turns it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._clock = HallClock.of(session)
        self.setObjectName("card")
        text = session.catalogue.text
        self._shape, self._time = QLabel(), fields.label("", "title")
        self._word = Elided("muted")
        self.toggle = fields.button("", self._clock.toggle)
        self._more = [self._button_for(minutes) for minutes in _MORE]
        self.extra = self._field(text("Extra time"), self._add_typed)
        self.length = self._field(text("Length of a round"), self._set_length)
        self._usual = fields.button(text("As the rules say"), self._clock.set_usual, role="link")
        self._reset = fields.button(text("Reset"), self._clock.reset)
        self._why = fields.label("", "muted", wrap=True)
        self.mute = fields.check(text("Warn with sounds"))
        self.mute.clicked.connect(self._clock.toggle_sounds)
        name = fields.label(text("Length of a round"))
        name.setBuddy(self.length)
        first = fields.row(self._shape, self._time, self._word, self.toggle, self._reset, wide=self._word)
        last = fields.row(self._why, self._usual, self.mute, wide=self._why)
        second = fields.row(*self._more, self.extra, 1, name, self.length)
        fields.column(first, second, last, around=(UNIT * 2, UNIT, UNIT * 2, UNIT), parent=self)
        for signal in (self._clock.changed, self._clock.ticked, session.look.changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the clock as it is now."""
        clock, catalogue, look = self._clock, self._session.catalogue, self._session.look
        icon, tone = LOOKS[clock.state]
        self._shape.setPixmap(look.icon(icon, tone).pixmap(_SIZE, _SIZE))
        self._time.setText(clock.text)
        self._word.say(in_words(catalogue, clock.state))
        running = clock.clock.running
        start = catalogue.text("Start (C)") if clock.state is ClockState.READY else catalogue.text("Go on (C)")
        self.toggle.setText(catalogue.text("Pause (C)") if running else start)
        for one in (self.toggle, *self._more, self.extra, self.length, self._reset):
            one.setEnabled(self._session.is_open)
        if not self.length.hasFocus():
            self.length.setText(minutes_and_seconds(clock.clock.length))
        self.mute.setChecked(not clock.muted)
        usual = clock.usual
        self._usual.setVisible(usual is not None and usual != clock.clock.length)
        self._why.setText(self._explained(usual))

    def focus(self) -> None:
        """Put the cursor where the clock is started."""
        self.toggle.setFocus()

    # --- inside

    def _explained(self, usual: int | None) -> str:
        """Return where the length by the rules comes from."""
        catalogue = self._session.catalogue
        if usual is None or not self._session.is_open:
            return catalogue.text("The rules know no clocks: minutes, or minutes:seconds.")
        minutes = self._session.tournament.ruleset.clock.minutes or 0
        return catalogue.text(
            "The rules: 2 × {minutes} minutes, and {margin} to set up, count and write down.",
            minutes=minutes, margin=MARGIN // MINUTE,
        )  # fmt: skip

    def _button_for(self, minutes: int) -> QPushButton:
        name = self._session.catalogue.plural("+{n} minute", "+{n} minutes", minutes)
        more = partial(self._clock.add, minutes * MINUTE)
        return fields.button(f"+{minutes_and_seconds(minutes * MINUTE)}", more, name=name, tip=name)

    def _field(self, name: str, done: Callable[[], None]) -> LineEdit:
        made = LineEdit(name, placeholder=name)
        made.setMaximumWidth(UNIT * 14)
        made.returnPressed.connect(done)
        made.textEdited.connect(self._unmark)
        return made

    def _unmark(self) -> None:
        for field in (self.extra, self.length):
            field.mark(wrong=False)

    def _typed(self, field: LineEdit, *, least: int) -> int | None:
        """Return the seconds in a field; where they cannot be read, show that and return None."""
        try:
            seconds = read_clock(field.text().removeprefix("+"))
        except ValueError:
            seconds = -1
        if least <= seconds <= LONGEST:
            self._session.succeeded.emit()
            return seconds
        field.mark(wrong=True)
        field.selectAll()
        message = self._session.catalogue.text("Type minutes, or minutes:seconds: 5 or 2:30. Ten hours at most.")
        self._session.say(message, tone="red")
        return None

    def _add_typed(self) -> None:
        seconds = self._typed(self.extra, least=1)
        if seconds is not None:
            self.extra.clear()
            self._clock.add(seconds)

    def _set_length(self) -> None:
        seconds = self._typed(self.length, least=SHORTEST)
        if seconds is None:
            return
        self._clock.set_length(seconds)
        self.length.setText(minutes_and_seconds(seconds))
        self.length.selectAll()
