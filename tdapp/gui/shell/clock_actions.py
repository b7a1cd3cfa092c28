"""What can be done with the round clock from anywhere."""

from __future__ import annotations

from functools import partial

from tdapp.domain.round_clock import MINUTE
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.round_clock import HallClock
from tdapp.gui.shell.session import Session


def clock_actions(session: Session) -> tuple[Action, ...]:
    """Return the rows of the table of actions about the round clock."""
    text, clock = session.catalogue.text, HallClock.of(session)
    more = partial(clock.add, MINUTE)
    start, pause = text("Start the round clock"), text("Pause the round clock")

    def is_open() -> bool:
        return session.is_open

    def title() -> str:
        return pause if clock.clock.running else start

    def sounds() -> str:
        return text("Let the round clock sound") if clock.muted else text("Mute the round clock")

    return (
        Action("clock-toggle", start, clock.toggle, "clock", "Ctrl+Shift+C", "clock", is_open, title=title),
        Action("clock-more", text("One more minute on the round clock"), more, "", "", "clock", is_open),
        Action("clock-reset", text("Reset the round clock"), clock.reset, "", "", "clock", is_open),
        Action("clock-mute", text("Mute the round clock"), clock.toggle_sounds, "", "", "clock", is_open,
               title=sounds),
    )  # fmt: skip
