"""What waits at the places of the chosen division, counted for the bar at the left."""

from __future__ import annotations

from tdapp.domain.model import Stage
from tdapp.domain.tables import checkin, jury
from tdapp.domain.tables.checkin import Turnout
from tdapp.gui.session import Session


def turnout(session: Session) -> Turnout:
    """Return who is there for the round that people check in for, nobody where there is none."""
    division = session.division
    number = checkin.coming(session.index, division) if division is not None else None
    if division is None or number is None:
        return Turnout((), (), ())
    return session.desk.remember(
        ("turnout", division.id), lambda _value: checkin.turnout(session.index, division, number)
    )


def brackets(session: Session) -> tuple[Stage, ...]:
    """Return the stages of the chosen division that are played as a bracket."""
    division = session.division
    stages = session.index.stages(division.id) if division else ()
    return tuple(stage for stage in stages if stage.system == "knockout")


def missing(session: Session) -> int:
    """Return how many have not come yet; 0 before anybody has."""
    found = turnout(session)
    return len(found.missing) if found.present else 0


def checks_in(session: Session) -> bool:
    """Tell whether players are expected who may check in."""
    division = session.division
    if division is None or not session.index.players(division.id):
        return False
    return not session.index.published(division.id) or missing(session) > 0


def open_games(session: Session) -> int:
    """Return how many games of the newest published round have no result."""
    division = session.division
    published = session.index.published(division.id) if division else ()
    return len(session.index.open_games(published[-1].id)) if published else 0


def unchecked(session: Session) -> int:
    """Return how many games wait for the jury."""
    return jury.waiting(session.index, session.division) if session.division else 0


def stale_papers(session: Session) -> int:
    """Return how many papers must be printed again."""
    return len(session.printouts.stale())


def has_bracket(session: Session) -> bool:
    """Tell whether anything is played as a bracket."""
    return bool(brackets(session))
