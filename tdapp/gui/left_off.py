"""Where a tournament was left the last time, and is taken up again."""

from __future__ import annotations

from tdapp.domain.model import DivisionId
from tdapp.gui.memory import Memory, Stand
from tdapp.gui.places import PLACES
from tdapp.gui.session import Session


def taken_up(session: Session, memory: Memory) -> str:
    """Choose the division and the round where the tournament was left, and return the place."""
    return _recalled(session, memory) or first_place(session)


def first_place(session: Session) -> str:
    """Return the place where a tournament that nobody has left is begun with."""
    division = session.division
    if division is None:
        return "tournament"
    return "rounds" if session.index.rounds(division.id) else "players"


def remember(session: Session, memory: Memory, place: str) -> None:
    """Remember where the tournament is; the newest round is not: it is the one to begin with, then as now."""
    if session.path is None or session.division is None:
        return
    rounds = session.index.rounds(session.division.id)
    older = bool(rounds) and session.round_number != rounds[-1].number
    stand = Stand(place, session.division.id, (session.round_number or 0) if older else 0)
    memory.keep_stand(session.tournament.event.id, stand)


def _recalled(session: Session, memory: Memory) -> str:
    if session.path is None:
        return ""
    stand = memory.stand(session.tournament.event.id)
    division = session.tournament.divisions.get(DivisionId(stand.division))
    if division is not None:
        session.choose_division(division.id)
        if stand.round in {item.number for item in session.index.rounds(division.id)}:
            session.choose_round(stand.round)
    return stand.place if stand.place in PLACES and PLACES[stand.place].offered(session) else ""
