"""A window on the tournament as it was: everything can be seen and printed, nothing changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from tdapp.desk import Desk
from tdapp.gui.session import Session
from tdapp.gui.work import Work

if TYPE_CHECKING:
    from tdapp.gui.window import Window


def look_at(session: Session, past: Desk, seq: int) -> Window:
    """Return a window of its own, shown, on a past state of a session's tournament, after step `seq`."""
    from tdapp.gui.window import Window  # noqa: PLC0415 - a window opens windows

    own = Session(
        work=Work(inline=True),
        catalogue=session.catalogue,
        look=session.look,
        resources=session.resources,
        settings=session.settings,
        shelf=session.shelf,
    )
    window = Window(own)
    own.attach(past)
    name = past.tournament.event.name
    window.setWindowTitle(session.catalogue.text("{name} as it was after step {seq} – tdapp", name=name, seq=seq))
    parent = QApplication.activeWindow()
    if parent is not None:
        window.resize(parent.size())
    window.show()
    return window
