"""The place where a tournament is taken up again."""

from __future__ import annotations

from tdapp.gui.shell.page_list import PLACES
from tdapp.gui.shell.session import Session
from tdapp.services.recent import LastPositions


def restored(session: Session, positions: LastPositions) -> str:
    """Choose the division and the round where the tournament was left, and return the place."""
    place = positions.recall(session)
    return place if place in PLACES and PLACES[place].offered(session) else first_place(session)


def first_place(session: Session) -> str:
    """Return the place where a tournament that nobody has left is begun with."""
    division = session.division
    if division is None:
        return "tournament"
    return "rounds" if session.index.rounds(division.id) else "players"
