"""The chances of everybody's places as a heat map, reckoned beside the window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain.errors import UserError
from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.gui import fields
from tdapp.gui.leading import Leading
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView
from tdapp.gui.word_lists import grouped
from tdapp.gui.work import Task
from tdapp.pairing.contention import Fate
from tdapp.pairing.forecast import MOST_COLUMNS, Forecast, Prospect, forecast, table

_SHARE_WIDTH = UNIT * 7


class ChancesView(Leading, QWidget):
    """What the rounds left may bring; `current` tells that the cursor is on another row."""

    topic: ClassVar[str] = "chances"  # of the help

    current = Signal()
    chosen = Signal(str)  # the id of a player to be looked at

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self._rows = Rows(session.catalogue, hidden={"spread"}, heat=_heat)
        self._view = TableView(self._rows, look=session.look, name=text("Chances of places"))
        widths = {"place": UNIT * 7, "score": UNIT * 8, "prize": UNIT * 8, "lower": UNIT * 8}
        self._view.set_widths(widths | {str(place): _SHARE_WIDTH for place in range(1, MOST_COLUMNS + 1)})
        self._view.activated_row.connect(self.chosen)
        self._view.selected.connect(self.current)
        self._certain = fields.label("", "", wrap=True)
        self._coming = fields.label("", "", wrap=True)
        self._coming.hide()
        self._how = fields.label("", "muted", wrap=True)
        self._again = fields.button(text("Reckon the chances"), self._reckon, role="primary")
        self._again.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT * 2)
        fields.fill(column, [self._certain, self._coming, fields.row(self._again, 1), self._view, self._how])
        column.setStretchFactor(self._view, 1)
        self.setFocusProxy(self._view)
        self._task: Task | None = None
        self._known: tuple[Tournament, DivisionId] | None = None

    # --- what the page uses

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop what is being reckoned when nobody looks any more."""
        super().hideEvent(event)
        if self._task is not None and not event.spontaneous():
            self._known = None
            self._task.cancel()

    def refresh(self) -> None:
        """Show the chosen division's chances; reckon them where something has changed."""
        division = self._session.division
        wanted = None if division is None else (self._session.tournament, division.id)
        if wanted != self._known:
            self._known = wanted
            self._reckon()

    def current_player(self) -> PlayerId | None:
        """Return the player the cursor is on."""
        key = self._view.current_key()
        return PlayerId(key) if key else None

    def copy(self) -> None:
        """Copy the table."""
        self._view.copy()

    # --- inside

    def _reckon(self) -> None:
        """Simulate beside the window; what was going on is not wanted any more."""
        if self._task is not None:
            self._task.cancel()
        self._again.hide()
        self._clear()
        text = self._session.catalogue.text
        if self._known is None:
            self._view.set_empty(text("First add a division, under Tournament."))
            return
        self._view.set_empty(text("Playing the rounds left many times over…"))
        task = self._task = Task(text("Reckoning chances…"))
        call = partial(forecast, self._session.index, self._known[1], tick=task.progress)
        self._session.compute(
            call,
            then=partial(self._show, task),
            label=task.label,
            failed=partial(self._failed, task),
            task=task,
            stopped=partial(self._stopped, task),
        )

    def _clear(self) -> None:
        self._certain.clear()
        self._coming.hide()
        self._how.clear()
        self._rows.show(Table("chances", (), ()))

    def _show(self, task: Task, found: Forecast) -> None:
        if task is not self._task:
            return
        self._task = None
        self._rows.show(table(found))
        self._certain.setText(self._what_is_certain(found))
        self._coming.setText(self._coming_round(found))
        self._coming.setVisible(bool(found.coming))
        self._how.setText(self._how_reckoned(found))

    def _failed(self, task: Task, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        if task is self._task:
            self._task = None
            self._view.set_empty(self._session.catalogue.error(error))

    def _stopped(self, task: Task) -> None:
        if task is self._task:
            self._task = None
            self._view.set_empty(self._session.catalogue.text("Not reckoned: you stopped it."))
            self._again.setVisible(self._known is not None)

    def _what_is_certain(self, found: Forecast) -> str:
        """Say whose place is decided, how many have a prize for certain, and how many cannot win one any more."""
        words = self._session.catalogue
        said = [
            words.text("Place {place} is decided: {player}.", place=row.place, player=row.player.name)
            for row in found.rows
            if row.fate is Fate.DECIDED
        ]
        if not said:
            said.append(words.text("No place is decided yet."))
        counts = {fate: sum(row.fate is fate for row in found.rows) for fate in Fate}
        if counts[Fate.SAFE]:
            said.append(
                words.plural(
                    "{n} player is certain of a prize.",
                    "{n} players are certain of a prize.",
                    counts[Fate.SAFE],
                )
            )
        if counts[Fate.IN_REACH]:
            said.append(
                words.plural(
                    "{n} player can still win a prize.",
                    "{n} players can still win a prize.",
                    counts[Fate.IN_REACH],
                )
            )
        return " ".join(said)

    def _coming_round(self, found: Forecast) -> str:
        """Say what the pairing of the coming round has to keep to."""
        text = self._session.catalogue.text
        said = {
            "prize-last-round": text("for the prizes meet {pairs}"),
            "prize-class": text("for the prizes of a class meet {pairs}"),
            "prize-control": text("the leader has to meet whoever needs it: {pairs}"),
            "prize-factor": text("by factor three meet {pairs}"),
            "prize-groups": text("places {groups} play among themselves"),
            "prize-bye": text("the bye goes to place {takers}"),
        }
        parts = [
            said[rule.code].format(
                pairs=", ".join(f"{one}–{other}" for one, other in rule.pairs),
                groups=" | ".join(_run(group) for group in rule.groups),
                takers=", ".join(map(str, rule.takers)),
            )
            for rule in found.coming
        ]
        return text("Round {round}: {rules}.", round=found.after + 1, rules="; ".join(parts))

    def _how_reckoned(self, found: Forecast) -> str:
        words = self._session.catalogue
        if not found.rounds_left and not found.open_games:
            return words.text("All rounds are played: every place is final.")
        said = [
            words.text(
                "Rounds left: {left}; played {times} times over, every game even, places by score and spread.",
                left=found.rounds_left,
                times=grouped(found.times),
            )
        ]
        if found.open_games:
            said.append(
                words.plural(
                    "{n} game that is still out is played too.",
                    "{n} games that are still out are played too.",
                    found.open_games,
                )
            )
        if not found.listed:
            said.append(
                words.plural(
                    "No prizes are listed: the first place counts as one.",
                    "No prizes are listed: the first {n} places count as prizes.",
                    found.places,
                )
            )
        return " ".join(said)


def _heat(row: Prospect, column: str) -> float:
    """Return how warm a cell is: the places below those shown stay cold, or they would outshine the others."""
    if column == "prize":
        return float(row.prize)
    return float(row.shares[int(column) - 1]) if column.isdigit() else 0


def _run(places: Sequence[int]) -> str:
    """Return places as people write them: 1, 4–8."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}\u2013{run[-1]}" for run in runs)
