"""Texts about the progress of the current rounds, updated with the time of day."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import QTimer, Signal

from tdapp.domain.model import Round
from tdapp.domain.round_clock import MINUTE
from tdapp.domain.tables.pulse import Pulse, round_pulse
from tdapp.gui.shell.round_clock import HallClock
from tdapp.gui.shell.session import Session, SessionService
from tdapp.i18n.phrases import describe_public_pulse, describe_pulse

LOOK_EVERY = 20_000  # ms


class RoundPulse(SessionService):
    """Emits `beat` regularly while a tournament is open."""

    beat = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._clock = HallClock.of(session)
        self._timer = QTimer(self, interval=LOOK_EVERY)
        self._timer.timeout.connect(self.beat)
        session.opened.connect(self._run)
        self._clock.changed.connect(self.beat)
        self._run()

    def words(self, item: Round) -> str:
        """Return the progress for the director, or ""."""
        found = self._measure_pulse(item)
        return describe_pulse(self._session.catalogue, found) if found else ""

    def for_room(self, division: str) -> str:
        """Return the public progress: of one division by id, or of all for ""."""
        index = self._session.index
        shown = [one for one in index.divisions if one.id == division] or index.divisions
        rounds = (item for one in shown for item in index.published(one.id)[-1:])
        return describe_public_pulse(
            self._session.catalogue, [found for found in map(self._measure_pulse, rounds) if found]
        )

    def _measure_pulse(self, item: Round) -> Pulse | None:
        wall, spent = self._clock.wall(), self._clock.spent
        now = _to_the_minute(wall)
        begun = _to_the_minute(wall - spent) if spent else None
        desk, index, length = self._session.desk, self._session.index, self._clock.lasts
        look = partial(round_pulse, index, item, now=now, begun=begun, length=length)
        return desk.get_cached(("pulse", item.id, now, begun, length), lambda _value: look(desk.history()))

    def _run(self) -> None:
        if self._session.is_open:
            self._timer.start()
        else:
            self._timer.stop()


def _to_the_minute(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds // MINUTE * MINUTE, UTC)
