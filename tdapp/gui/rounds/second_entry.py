"""Second entry of the slips of a round. The first entry is hidden until both can be compared.

If the entries agree, the result becomes checked. If not, both are shown: the user chooses one or types the slip
again. Until then the first entry counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

from tdapp.domain import commands
from tdapp.domain.entry_line import ResultLine
from tdapp.domain.game_results import find_points_played
from tdapp.domain.model import GameId, Result, ResultState
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce, plain
from tdapp.gui.widgets.impact_bar import Correction, of_game
from tdapp.gui.widgets.theme import LEAD, UNIT, font
from tdapp.i18n.result_echo import Echo, Reader, same_result


class SecondReader(Reader):
    """Reads the slips a second time, and hides the entered results."""

    def waits(self, row: PairingRow) -> bool:
        return row.status == ResultState.ENTERED and row.forfeit is None

    def echo(self, line: str, *, proposed: str = "") -> Echo:
        echo = super().echo(line, proposed=proposed)
        entry = echo.entry
        if echo.game and echo.tone != "red" and self.index.result(GameId(echo.game)) is None:
            first = self._catalogue.text("The table has no first entry: this becomes the first.")
            return replace(echo, more=f"{first} {echo.more}".strip(), tone="amber")
        if echo.old is None or entry is None or entry.disputed:
            return echo
        if echo.old.disputed is not None:
            disputed = self._catalogue.text("Table {table} is disputed: the jury decides.", table=entry.row.table)
            return Echo(disputed, tone="red", game=echo.game)
        if entry.clear:
            refusal = self._catalogue.text("No result is cleared while the slips are typed again.")
            return Echo(refusal, tone="red", game=echo.game)
        if echo.asks == "confirm":
            after = self.command(echo, confirmed=True, reason="…")(self.index.tournament)
            return replace(echo, made=self._made(after, echo), review=False, again="")
        more = self.after(echo.made) if echo.made is not None else ""
        text = self._entry_text(entry, echo.made)
        return replace(echo, text=text, more=more, tone="text", review=False, asks="", again="")

    def agrees(self, echo: Echo) -> bool:
        """Return whether the line equals the entered result."""
        entry, before, game = echo.entry, self.index.tournament, GameId(echo.game)
        if echo.made is None or echo.old is None or entry is None or not same_result(echo.made, echo.old):
            return False
        started = self.command(echo, reason="…")(before) if entry.started is not None else before
        return started.games[game].first == before.games[game].first

    def as_first(self, echo: Echo) -> Echo:
        old = echo.old
        if old is None or echo.entry is None:
            return replace(echo, made=old, entry=None)
        (first, second), overtime = find_points_played(old) or (None, None), old.overtime or (0, 0)
        entry = ResultLine(echo.entry.row, first, second, old.forfeit, flag=old.flag, overtime=overtime)
        return replace(echo, made=old, entry=entry)

    def short(self, result: Result | None) -> str:
        if result is None:
            return ""
        points = find_points_played(result)
        return self._catalogue.code(result.forfeit) if points is None else f"{points[0]} – {points[1]}"

    def stands(self, row: PairingRow) -> Result | None:
        return None


class _Difference(Struct, frozen=True):
    """A line that differs from the entered result. `confirmed`: by Ctrl+Enter."""

    reader: SecondReader
    line: str
    echo: Echo
    confirmed: bool


class SecondEntry(QFrame):
    """Compares the two entries, and asks which one is correct if they differ.

    Keys 1 and 2 choose an entry, 3 leaves both to the jury, Esc returns to the line. `settle` receives the
    command for the outcome, or None if the result is already correct, with the line and its preview. `offer`
    receives a correction whose effect may have to be shown first. `retype` asks for the line again.
    """

    retype = Signal()

    def __init__(
        self,
        session: Session,
        *,
        settle: Callable[[partial[Tournament] | None, str, Echo], None],
        offer: Callable[[Correction, str, Echo], None],
    ) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session, self._settle, self._offer = session, settle, offer
        self._difference: _Difference | None = None
        self.on = False  # whether the second entry is active
        self._question = fields.label(wrap=True)
        self._question.setFont(font(LEAD, bold=True))
        self.one = fields.button("", self._keep_first)
        self.other = fields.button("", self._keep_second)
        self.both = fields.button(session.catalogue.text("3  Disputed: the jury decides"), self._mark_disputed)
        self._back = fields.button(session.catalogue.text("Type it again (Esc)"), self._go_back)
        buttons = fields.Flow(self.one, self.other, self.both, self._back)
        fields.column(self._question, buttons, around=(UNIT * 2, UNIT) * 2, parent=self)
        self.hide()

    def switch(self, *, on: bool) -> None:
        """Start or stop the second entry."""
        self.on = on
        self.drop()

    def compare(self, reader: SecondReader, line: str, echo: Echo, *, confirmed: bool) -> None:
        """Mark the result as checked if the entries agree. Otherwise ask."""
        if reader.agrees(echo):
            self._settle(self._make_check(echo), line, echo)
            return
        self._difference = _Difference(reader, line, echo, confirmed)
        text, table = self._session.catalogue.text, echo.entry.row.table if echo.entry else 0
        self._question.setText(text("Table {table}: the two entries differ. Which is right?", table=table))
        self.one.setText(text("1  The first: {score}", score=reader.short(echo.old)))
        self.other.setText(text("2  The second: {score}", score=reader.short(echo.made)))
        self.both.setVisible(self._can_dispute(echo))
        self.show()
        self._back.setFocus()  # an extra Enter must not choose an entry
        disputable = [self.both.text()] * self._can_dispute(echo)
        announce(
            self._question, ". ".join([self._question.text(), self.one.text(), self.other.text(), *disputable])
        )

    def look_again(self) -> None:
        """Close the question if the first entry has changed."""
        found = self._difference
        if found is not None and self._session.index.result(GameId(found.echo.game)) != found.echo.old:
            self._go_back()

    def drop(self) -> None:
        """Close the question."""
        self._difference = None
        self.hide()

    def idle(self, reader: Reader, invitation: str, last: Echo) -> Echo:
        """Return the preview for an empty line: progress, last entry, next game."""
        text, index = self._session.catalogue.text, reader.index
        results = [index.result(game.id) for game in index.games(reader.item.id)]
        states = [one.status for one in results if one and one.forfeit is None]  # a forfeit has no slip
        slips, done = len(states), len(states) - states.count(ResultState.ENTERED)
        leave = text("Esc leaves the second entry.")
        more = " · ".join(filter(None, (plain(last.text), leave)))
        if not slips:
            return Echo(text("There is no result yet to type again."), leave)
        if not invitation:
            number = reader.item.number
            complete = text("All {all} slips of round {round} are typed twice.", all=slips, round=number)
            return Echo("✓ " + complete, more, "green")
        coming = text("Second entry, {done} of {all}. {next}", done=done, all=slips, next=invitation)
        return Echo(coming, more)

    def _make_check(self, echo: Echo) -> partial[Tournament] | None:
        """Return the command that marks the result as checked, or None if it already is."""
        if echo.old is None or echo.old.state is not ResultState.ENTERED:
            return None
        return partial(commands.check_result, game=GameId(echo.game))

    def _keep_first(self) -> None:
        found = self._difference
        if found is not None:
            self._go_back()
            self._settle(self._make_check(found.echo), found.line, found.reader.as_first(found.echo))

    def _keep_second(self) -> None:
        found = self._difference
        if found is not None:
            self._go_back()
            made = found.reader.command(found.echo, confirmed=found.confirmed)
            command = partial(commands.second_result, **made.keywords)
            game = GameId(found.echo.game)
            self._offer(of_game(found.reader.index, game, command, found.echo.text), found.line, found.echo)

    def _can_dispute(self, echo: Echo) -> bool:
        old, entry = echo.old, echo.entry
        is_open = old is not None and old.state is ResultState.ENTERED and old.forfeit is None
        return is_open and entry is not None and entry.first is not None

    def _mark_disputed(self) -> None:
        found = self._difference
        if found is not None and found.echo.entry is not None and self._can_dispute(found.echo):
            self._go_back()
            echo = replace(found.echo, entry=replace(found.echo.entry, disputed=True))
            self._settle(found.reader.command(echo, confirmed=found.confirmed), found.line, echo)

    def _go_back(self) -> None:
        self.drop()
        self.retype.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_1: self._keep_first, Qt.Key.Key_2: self._keep_second, Qt.Key.Key_3: self._mark_disputed,
                Qt.Key.Key_Escape: self._go_back}  # fmt: skip
        run = keys.get(Qt.Key(event.key()))
        if run is not None:
            run()
        else:
            super().keyPressEvent(event)
